"""What belongs to the work at hand, not to the life of who speaks: code, files, documents, data, screens; and where the
name of a thing ends. English."""

from __future__ import annotations

# Of things that a person, an animal or a home may be called too ("class", "table", "job"), only what goes with work.
WORK_NOUN = (
    r"(?:functions?|methods?|(?:the|these|both|my) classes|subclass\w*|(?:base|parent|child|data|css|abstract"
    r"|python|java|wrapper) class|class (?:to|from|so|into|and|with|that)"
    r"|(?<!driving )(?<!blood )(?<!eye )tests?(?! drive)|files?|scripts?|code(?:base)?|branch(?:es)?|builds?"
    r"|servers?|databases?|(?:the|a|two|three|both|this|these|which) tables?|columns?|rows?|lists?|arrays?"
    r"|strings?|tuples?|dicts?|dictionar(?:y|ies)|sets? of|integers?|floats?|booleans?|buttons?|fonts?|titles?"
    r"|headings?|headers?|pages?|apps?|apis?|models?|quer(?:y|ies)|loops?|variables?|values?|index(?:es)?|indices"
    r"|bugs?|errors?|exceptions?|issues?|warnings?|versions?|configs?|configuration|settings?|docs|documentation"
    r"|repos?(?:itor(?:y|ies))?|commits?|(?:pull|merge) requests?|requests?|responses?|tasks?|tickets?|pipelines?"
    r"|containers?|images?|cursors?|programs?|process(?:es)?|threads?|lines?|paragraphs?|sections?|chapters?"
    r"|slides?|spreadsheets?|sheets?|cells?|formulas?|drafts?|texts?|essays?|articles?|reports?|documents?"
    r"|prompts?|answers?|questions?|quer(?:y|ies)|data(?:sets?|frames?|points?)?|samples?|metrics|results?|logs?"
    r"|json|yaml|csv|html|css|sql|xml|modules?|packages?|librar(?:y|ies)|dependenc(?:y|ies)|parsers?|compilers?"
    r"|divs?|elements?|layouts?|widgets?|menus?|windows?|tabs?|links?|urls?|endpoints?|ports?|routes?|nodes?"
    r"|clusters?|caches?|queues?|streams?|buffers?|memory|cpu|disks?|folders?|director(?:y|ies)|paths?|plugins?"
    r"|extensions?|objects?|instances?|interfaces?|types?|parameters?|arguments?|keys?|fields?|records?|schemas?"
    r"|migrations?|deployments?|environments?|terminals?|shells?|commands?|snippets?|examples?|patterns?|regex\w*"
    r"|algorithms?|graphs?|plots?|charts?|diagrams?|legends?|labels?|icons?|templates?|formats?|features?"
    r"|components?|prototypes?|sprints?|backlogs?|workflows?|cron ?jobs?|(?:batch|background|nightly|scheduled"
    r"|ci) jobs?|the (?:job|service|system|machine|laptop|screen|keyboard|video|problem|solution|approach|idea"
    r"|proposal|wording|translation|sentence|word|letter|email|number|name|order|thing|rest|whole|limit|threshold"
    r"|rate|wrong|right|same|first|second|third|last|next|previous) ?|network|internet|wi-?fi|vpn|web ?sites?"
    r"|domains?|kernels?|drivers? (?:for|update)|sessions? (?:id|token)|notes|bullet points?|footnotes?|comments?"
    r"|changes|edits?|fix(?:es)?|patch(?:es)?|scope|syntax|inputs?|outputs?)"
)
# A name that is written as code is.
CODE = r"`|\w_\w|\w\(|(?<=\w)/(?=\w)|(?-i:\b[a-z]+[A-Z]\w*)|\w\.(?:py|js|ts|md|txt|json|ya?ml|csv|html?)\b"
SYSTEM = (
    r"\b(?:python|java\w*|typescript|kubernetes|postgres\w*|mysql|sqlite|mongo\w*|redis|kafka|docker\w*|git(?:hub"
    r"|lab)?|jenkins|linux|ubuntu|debian|windows|macos|android|ios|excel|vim|emacs|react|angular|numpy|pandas"
    r"|azure|aws|terraform|slack|zoom|jira|svelte|oracle|notion|rust|kanban|scrum|phase|sprint)\b"
)
AT_WORK = rf"\b{WORK_NOUN}\b|{CODE}|{SYSTEM}"
# One that is pointed at: "the parser", not "the parser team".
THE_WORK = (
    rf"\b(?:the|this|that|these|those|both|each) (?:\w+ ){{0,2}}?(?:{WORK_NOUN}|project)\b"
    r"(?! (?:\w+ )?(?:teams?|departments?|group|office|company|desk|engineer|industry|business|sector))|\w_\w|`"
)
# Where what is named ends: it is no part of another noun ("a dog problem").
END = (
    r"(?=$|[,.;!)]| (?:in|at|on|near|and|but|with|from|for|called|named|by|since|who|which|because|so|of|as|to|again|"
    r"now|here|nearby|too|these|every|each|most|once|twice|last|this|any ?more|when|after|before|or|outside|instead|"
    r"together|professionally|yesterday|today|abroad)\b)"
)
