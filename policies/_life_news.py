"""What has changed in the life of who speaks, or of somebody close: a job, a home, a family, a school, an age, a price,
a day. English. Who it is of begins the clause; what is done at the work at hand has other verbs, or another object."""

from __future__ import annotations

import re

from ._health import HEALTH
from ._news import NEWS
from ._people import KIN, OCCUPATION
from ._plain import ADVERBS, BAND, BUSINESS, HOME, INSTRUMENT, LEAD, PET, SPORT, VEHICLE, WORDS
from ._rule import Rule, any_of
from ._work import AT_WORK, END

_WEEKDAY = r"(?:mon|tues|wednes|thurs|fri|satur|sun)day"
_MONTH = r"(?:january|february|march|april|may|june|july|august|september|october|november|december)"
_CLOCK = r"(?:\d{1,2}(?:[:.]\d\d)?(?: ?[ap]m)?|six|seven|eight|nine|ten|eleven|noon|midnight|half past \w+)\b"
# When something is done again and again.
_WHEN = (
    rf"(?:(?:(?:on |every |each )?{_WEEKDAY}s?(?: (?:morning|afternoon|evening|night)s?)?|(?:the )?(?:mornings"
    rf"|afternoons|evenings|nights|weekends?|weekdays)|(?:at|from) {_CLOCK}"
    r"|\d{1,2}(?:[:.]\d\d| ?[ap]m)|noon|midnight|half past \w+)(?=$|[.,!]| (?:now|at|from|and"
    r"|instead|because|since|so)\b))"
)
_NUMBER = (
    r"(?:\d{1,3}|one|two|three|four|five|six|seven|eight|nine|ten|eleven|twelve|\w+teen|twenty|thirty|forty|fifty"
    r"|sixty|seventy|eighty|ninety)(?:-\w+)?"
)
_OF_A_CHILD = (
    r"(?:1?\d|one|two|three|four|five|six|seven|eight|nine|ten|eleven|twelve|thirteen|fourteen|fifteen|sixteen)"
)
_POSS = r"(?:my|her|his|their|our)"
_A_JOB = (
    rf"(?:an?|another|{_POSS}) (?:[\w-]+ ){{0,2}}?(?:job|post|position|role|placement|apprenticeship|traineeship"
    rf"|internship|promotion|(?:pay )?rise|(?:pay )?raise|scholarship|place at)\b(?! (?:id|queue|runner|failed"
    rf"|that))"
)
_BODY = (
    r"(?:legs?|arms?|wrists?|ankles?|foot|hands?|collarbone|ribs?|hips?|nose|toes?|fingers?|thumb|shoulder|elbows?"
    r"|knees?|tooth|teeth|back|neck|skull|jaw|acl|meniscus|achilles(?: tendon)?|hamstring|tail|paw)"
)
_SCHOOL = (
    rf"(?:(?:{_POSS}|the|primary|secondary|high|middle|elementary|law|medical|med|art|business|boarding|night"
    rf"|drama) )*"
    r"(?:school|uni|university|college|nursery|kindergarten|preschool|playgroup|day ?care|degree|phd|master's"
    r"|masters|bachelor's|a-levels|gcses|apprenticeship|chemo\w*|radiotherapy|therapy|physio|driving test"
    r"|theory test|bar exam|finals|residency|rehab|sixth form|(?:maternity|parental|paternity) leave|year (?:\d"
    r"|one|two|three|four|five|six)|(?:first|second|third|fourth|fifth|sixth|\dth) grade)"
)
_BABY = (
    r"(?:baby|child|son|daughter|boy|girl|twins|triplets|kittens|pupp(?:y|ies)|lambs?|cal(?:f|ves)|foals?|litter"
    r"|grandchild)"
)
_NO_HOBBY = (
    r"(?!(?:get|see|us|debugg|test|cod|writ|read|work|look|think|wonder|try|receiv|hav|mak|ask|refactor"
    r"|clean|install|implement|pars|compil|load|fail|crash|throw|show|giv|tak|do|go|be|feel|th|noth|someth|anyth"
    r"|everyth|understand|hop|worry|process|train(?! for)|model|build|creat|add|mov|chang|format|prepar|plann"
    r"|draft|edit|translat|play with|print|listen|argu|wait|hop|car)ing\b)"
)
# A way to live that is begun or ended.
_ACTIVITY = (
    rf"(?:(?:the |my |our )?(?:{SPORT}|{INSTRUMENT})|smoking|drinking|learning (?:the |to )?(?:{SPORT}"
    rf"|{INSTRUMENT}|(?-i:[A-Z]\w+)|drive|swim|sail|ski|cook|knit|sew|paint|draw|dance)|working (?:nights|weekends"
    rf"|shifts|full[ -]time|part[ -]time|from home|freelance|at (?-i:[A-Z])\w+)|{_NO_HOBBY}[a-z]{{2,}}ing(?=$"
    rf"|[.,!]| (?:again|lessons?|classes|"
    r"altogether|completely|for good|with (?:a|my|our)|in (?:a|the) (?:choir|band|evening|morning|sea|pool|park)|"
    rf"every|on {_WEEKDAY}|at (?:the|my) (?:gym|club|pool)|to (?:work|school)|last|this|two|three|four|a (?:year"
    rf"|month|week)|"
    r"yesterday|in (?-i:[A-Z\d])\w+|because|when|after|since)\b)|(?:the dog|my (?:hair|nails))\b|(?:eating "
    r"|drinking |using |buying )?(?:red )?(?:meat|dairy|sugar|alcohol|coffee|caffeine|gluten|booze|chocolate|wine"
    r"|beer|cigarettes|carbs|fish|bread|sweets|crisps|sausages|facebook|twitter|instagram|social media|tiktok)\b|"
    rf"(?:italian|spanish|french|german|welsh|japanese|chinese|piano|guitar|violin|dance|singing|riding|driving"
    rf"|swimming|"
    r"drawing|painting|art|cooking|[a-z]+ing) (?:lessons|classes))"
)
# What a life is made of, whoever's it is.
_HAPPENED = (
    rf"(?:got|found|landed|took|accepted|was offered|was given|started|starts|lost|quit|left|gave up|resigned from"
    rf"|has) {_A_JOB}",
    r"(?:was|were|got|been|is being|['’]s being) (?:fired|sacked|laid off|made redundant|promoted|hired|demoted"
    r"|widowed|evicted|hospitali[sz]ed|discharged|run over|neutered|spayed|put down|put to sleep|operated on"
    r"|diagnosed|accepted (?:at|to|into|by)|admitted to|ordained|knighted|deported|adopted)\b",
    r"moved (?:out\b|in(?:to| with| together)\b|house\b|home\b|back (?:home|in with)\b)(?! (?:of )?(?:the|this"
    r"|that|its) (?!flat|house|family|city|country))",
    rf"(?:moved|relocated|emigrated|moved back|retired) (?:(?:from|out of) [\w ]{{2,20}} )?(?:to"
    rf"|into) (?:(?:the (?:city|country\w*|coast|seaside|suburbs|mountains|village)"
    rf"|an? (?:[\w-]+ ){{0,2}}?(?:{HOME}|care home|hospice|village|town))\b|(?:the )?(?!{_WEEKDAY}"
    rf"|{_MONTH})(?-i:[A-Z][a-z]))",
    r"(?:got|['’]s getting|is getting|are getting|getting|are) (?:married|engaged|divorced|separated|remarried"
    r"|pregnant|baptised)\b|(?:separated|remarried|eloped)\b|(?:broke|broken|split) up\b(?! (?:the|an?|my|our|into"
    r"|it|this)\b)|married (?:(?-i:[A-Z])|her|his|my|an? )",
    rf"(?:had|has had|have had|gave birth to|(?:is|are|['’]s|am) (?:expecting|having)) (?:an? |another "
    rf"|{_POSS} )?(?:[\w-]+ ){{0,2}}?{_BABY}{END}|gave birth\b",
    rf"turn(?:ed|s) {_NUMBER}(?=$|[.,!]| (?:on|in|yesterday|today|last|this|now|and)\b)",
    r"(?:graduated|retired|enlisted|dropped out|got sober|came out|went bald|lost weight)\b",
    rf"(?:finished|completed|started|starts|left|dropped out of|passed|failed|began|(?:is|are|['’]s) starting"
    rf"|got into|went back to|goes to|go to|transferred to|skipped|is (?:now )?(?:at|in)|are (?:now )?(?:at"
    rf"|in)) {_SCHOOL}{END}",
    rf"(?:broke|broken|sprained|tore|torn|fractured|twisted|dislocated|injured|hurt|chipped|lost"
    rf"|pulled) (?:{_POSS}|an?) (?:[\w-]+ )?{_BODY}\b",
    rf"(?:had|has had|have had|needs|is having) (?:an? |{_POSS} )?(?:[\w-]+ ){{0,2}}?(?:operation|surgery|stroke"
    rf"|heart attack|"
    r"miscarriage|transplant|(?:hip|knee) replacement|c-section|car accident|car crash|bad fall|nervous breakdown"
    r"|burnout)\b",
    rf"(?:bought|sold|swapped|adopted|inherited|leased|rented|built|crashed|wrote off|rehomed|gave away|took in"
    rf"|rescued|traded in|lost|moved) (?:an?|{_POSS}|two|three|another|the) {WORDS}(?:{VEHICLE}|{HOME}|{PET}){END}",
    rf"(?:got|have got|['’]ve got) (?:an?|two|three|another) (?:new )?{WORDS}(?:{VEHICLE}|{PET}){END}",
    rf"(?:bought|sold|swapped|traded in|crashed|wrote off) (?:an?"
    rf"|{_POSS}) (?:[\w-]+ )?(?-i:[A-Z][a-z]+)(?: [A-Z\d]\w*)?{END}",
    rf"(?:dyed|cut|shaved(?: off)?|grew|bleached|chopped|permed) (?:off )?{_POSS} (?:[\w-]+ )?(?:hair|beard"
    rf"|moustache|head)\b",
    rf"(?:got|lost|renewed) {_POSS} (?:[\w-]+ )?(?:driving licen[cs]e|licen[cs]e|citizenship|degree|diploma|phd"
    rf"|visa|green card|"
    r"a-levels|gcses|black belt|exam results)\b|got into (?:(?-i:[A-Z])|medical school|university|college)",
    rf"(?:had to|has had to|have had to) (?:rehome|sell|give up|give away|put down) (?:the"
    rf"|{_POSS}) {WORDS}(?:{PET}|{VEHICLE}|{HOME})\b",
    r"(?:got|had) (?:an?|my|her|his) (?:first |second |new )?(?:tattoo|piercing|perm|pacemaker|hearing aid"
    r"|vasectomy)\b",
    rf"(?:opened|closed|sold|bought|founded|set up|took over|inherited) (?:an?|{_POSS}|the) {WORDS}{BUSINESS}{END}",
    rf"(?:became|become|qualified as|trained as|retrained as|now works as|is now|got a job as) (?:an? "
    rf"|the )?(?:[\w-]+ ){{0,2}}?(?:{OCCUPATION}|grand\w+|godmother|godfather|uncle|aunt|british|citizen)\b",
    rf"(?:had|has had|have had) {_POSS} (?:[\w-]+ )?(?:{_BODY}|eyes?|appendix|tonsils|gallbladder|cataracts?"
    rf"|wisdom teeth) (?:operated on|replaced|removed|taken out|lasered|fixed)\b",
    r"cancel(?:l?ed) (?:my|our|her|his) (?:[\w-]+ ){1,3}?(?:memberships?|subscriptions?|lessons|classes"
    r"|insurance)\b",
    rf"(?:joined|left|quit|founded|set up|was kicked out of|got into) (?:an?|another|{_POSS}|the) {WORDS}(?:{BAND}"
    rf"|army|navy|police|fire brigade|scouts|union|parish council|book club|board of governors|\w+ party"
    rf"|society)(?: \w+)?{END}",
)  # fmt: skip
_CHANGED_WAY = (
    rf"(?:(?:start|began|begun|begin|tak\w+ up|took up|stopp|quit|g[ai]v\w+ up|resum|(?:went|gone|got|am"
    rf"|['’]m) back (?:to|into|on)|got into|cut out|given up|sworn off|dropp)(?:ed)?) (?:up )?{_ACTIVITY}"
)
# Whoever has a name, or needs no "my".
NAME = (
    r"(?-i:(?!(?:The|This|That|These|Those|It|He|She|They|We|You|My|Our|Your|His|Her|Their|Its|Every(?:one|body"
    r"|thing)?|Some(?:one|body|thing)?|Any(?:one|body|thing)?|No(?:body|thing|ne|w|t)?|All|Both|Each|One|People"
    r"|What|Who|When|Where|Why|How|There|Here|Then|Now|Today|Yesterday|Tomorrow|If|But|And|So|Or|In|On|At|For|To"
    r"|With|From|As|After|Before|Since|Mum|Mom|Dad)\b|(?:Mon|Tues|Wednes|Thurs|Fri|Satur"
    r"|Sun)day)[A-Z][a-zà-ÿ]+(?:[-'’][A-Z][a-zà-ÿ]+)?)"
)
_PARENT = (
    r"(?:mum|mom|dad|mummy|daddy|grandma|grandpa|granny|grandad|nana?|auntie? (?-i:[A-Z])\w+|uncle (?-i:[A-Z])\w+)"
)
_KIN_IS = (
    rf"{LEAD}(?:(?:my|our) (?:[\w-]+ ){{0,3}}?{KIN}s?(?:,? (?-i:[A-Z])[\w'-]+,?)?|the (?:kids|children|twins|boys"
    rf"|girls|baby|dog|cat|puppy|kitten)|{_PARENT}(?! (?:and|or) you))"
)
_HAS = (
    r"(?:(?:has|have|had|['’]s|['’]ve) )?(?:(?:just|recently|finally|now|also|already|sadly|both|suddenly"
    r"|officially|been) ){0,3}"
)
# What may be so of one person for long.
_LASTS = (
    rf"(?:is|['’]s|are) (?:now |almost |nearly )?(?:{_NUMBER}(?: years old)?(?=$|[.,!]| (?:now|and|today)\b)|blind"
    rf"|deaf|vegan|vegetarian|pregnant|retired|married|single|divorced|engaged|unemployed|allergic to|diabetic"
    rf"|in (?:hospital|a care home|prison|rehab)|(?:an?|the) (?:[\w-]+ ){{0,2}}?(?:{OCCUPATION})\b)",
    r"(?:lives?|works?|studies|study|teach(?:es)?|attends?|volunteers?|weighs?|snores?|sleeps?|coaches) (?:now "
    r"|still )?(?:at|in|with|for|as|on|near|nights|part|full|from home|(?-i:[A-Z])|\d|alone|together|abroad)",
    rf"(?:plays?|speaks?|does|drives?|owns?|rides?|collects?|loves?|hates?|likes?|supports?|eats?|drinks?|sings?"
    rf"|dances?|swims?|runs?|wears?|takes?|needs?|smokes?|has|keeps?) (?!the (?!{INSTRUMENT})|this|that|these|it\b"
    rf"|to (?:know|see|say|ask|go|be)\b|"
    r"(?:an? )?(?:call|meeting|question|idea|look|point|moment|minute|problem|headache|cold|lunch|dinner"
    r"|breakfast)\b)\w",
    rf"(?:has|have|['’]s got|have got) (?:[\w'-]+ ){{1,3}}?(?:on|every) {_WEEKDAY}s?\b",
    r"(?:can['’]t|cannot|can no longer|no longer|does(?:n['’]t| not)) (?:walk|see|hear|eat|drink|drive|live|work"
    r"|go|like|speak|smoke)\b",
)
_DIED = (
    r"(?:ran away|run away|went missing|got lost|disappeared|passed away|died|escaped"
    r"|came back|came home|flew away|was stolen|got out)\b"
)
_NOT = any_of(
    AT_WORK,
    r"\b(?:if|almost|nearly|never|might|may|maybe|could|would|should|wish\w*|dream\w*|pretend\w*|until|"
    r"in (?:the |a )?(?:film|movie|book|game|novel|story|show|series)|character|season|minecraft)\b|\bmust\b",
)
_NOT_OF_ME = any_of(_NOT.pattern, r"\b(?:your?|it|them)\b")
_DAY_OF_IT = (
    r"(?:(?:gym|rest|cleaning|shopping|training|laundry|bath|date|games?|poker|pizza|film|movie|quiz|family|pub"
    r"|washing|fasting|fast|cheat|leg|office|home office|market|bin) (?:days?|nights?))"
)
_OWN_THING = r"(?:[\w'’-]+ ){0,3}?[\w'’-]+"
_CHANGED_TO = r"(?:moved|changed|switched|shifted|swapped|put|pushed|brought)"
_MONEY = (
    r"(?:rent|salary|wages?|pay|mortgage|pension|weight|blood pressure|allowance|commute|childcare|tuition|premium"
    r"|insurance|pocket money|working hours|hours|(?:electricity|gas|water|phone|energy|heating) bill|gym fee|fare"
    r"|season ticket|shoe size|cholesterol|resting heart rate|bmi|hba1c)"
)
_OWN_VALUE = (
    r"(?:(?:sur|maiden |last |first |user|nick)?name|pronouns|major|minor|degree|course|religion|diet|job title"
    r"|phone number|number|address|email(?: address)?|bank|doctor|gp|dentist|therapist|insurer|insurance"
    r"|(?:energy |phone |internet |broadband |electricity )(?:provider|supplier|company|contract)|gym|school"
    r"|hair ?(?:style|cut|colou?r)|citizenship)"
)

# With what begins all of it once: a pattern for each would take half a second to compile.
_THEIRS = "|".join((*_HAPPENED, *_LASTS, _CHANGED_WAY, _DIED))
# By itself: it is noted even if nothing is known that it corrects.
LIFE_NEWS = (
    Rule("habit", any_of(
        rf"{LEAD}(?:I|we)(?:['’]ve| have)? {ADVERBS}{_CHANGED_TO} (?:my"
        rf"|our) {_OWN_THING} (?:from [\w ]{{2,20}} )?to {_WHEN}",
        rf"{LEAD}(?:I|we)(?:['’]ve"
        rf"| have)? {ADVERBS}{_CHANGED_TO} (?:the )?{_DAY_OF_IT} (?:from [\w ]{{2,20}} )?to {_WHEN}",
        rf"{LEAD}(?:my|our) {_OWN_THING} (?:is|are|has moved|have moved|moved|was moved|takes place|starts?|meets?"
        rf"|happens?) (?:now |to |on )*(?:{_WEEKDAY}s|(?:at|from) {_CLOCK})(?=.* now\b|.* instead\b"
        rf"| from now\b)",
        rf"{LEAD}(?:my|our) {_OWN_THING} (?:is|are|meets?|starts?|has moved|have moved) now (?:to |on |at )*{_WHEN}",
        rf"{LEAD}(?:I|we)(?:['’]ve| have|['’]m| am)? {ADVERBS}{_CHANGED_WAY}",
    ), 0.3, _NOT_OF_ME),
    Rule("profile", any_of(
        rf"{LEAD}(?:my|our) {_MONEY} (?:(?:has|have|just|is|was|are|now|recently) )*(?:went|gone|rose|risen|fell"
        rf"|fallen|dropped|increased|decreased|up|down|raised|lowered|cut|reduced|now)(?: (?:up|down|to|by|now"
        rf"|from|at|about|only|is)| [$€£¥]?\d[\d,.]*)*? [$€£¥]?\d",
        rf"{LEAD}(?:I|we)(?:['’]ve| have)? {ADVERBS}(?:changed|switched) (?:my"
        rf"|our) {_OWN_VALUE} (?:from [\w ]{{2,20}} )?to \w",
        rf"{LEAD}(?:I|we)(?:['’]ve| have)? {ADVERBS}(?:(?:lost|gained|put on) (?:about |around )?\d+ ?(?:kg|kilos?"
        rf"|pounds|lbs?|stone))\b",
    ), 0.3, _NOT_OF_ME),
    Rule("relationship", any_of(
        rf"{_KIN_IS} {_HAS}(?:{_THEIRS})",
        rf"{_KIN_IS}['’]s (?:{'|'.join(_HAPPENED)})",
        rf"{LEAD}(?:my|our) (?:[\w-]+ )?{KIN}s? (?:is|are|['’]s) now {_NUMBER}(?=$|[.,!])",
    ), 0.3, any_of(_NOT.pattern, r"\b(?:phone|laptop|computer|battery|tv|router|tablet) \w*\b|\byour?\b")),
    # Of somebody who is not known: what only one's own people have.
    Rule("relationship", any_of(
        rf"^{NAME} {_HAS}(?:got|found|landed|started|starts|has|lost) (?:an?|{_POSS}) (?:new "
        rf"|first )?(?:[\w-]+ )?job (?:at|with|in|as)\b",
        rf"^{NAME} {_HAS}(?:finished|started|starts|left|passed|failed|begins|began) (?:{_POSS} )?(?:(?:primary "
        rf"|secondary |high |big )?school|nursery|kindergarten|preschool|uni|college|driving test|chemo)\b",
        rf"^{NAME} {_HAS}turn(?:ed|s) {_OF_A_CHILD}(?=$|[.,!]| (?:on|yesterday|today|last|this|now)\b)",
    ), 0.3, any_of(_NOT.pattern, r"\byour?\b")),
)  # fmt: skip
# What the speaker's own life has seen.
LIFE = (
    Rule("event", any_of(
        rf"{LEAD}(?:I|we)(?:['’]ve| have|['’]m| am|['’]re| are)? {ADVERBS}(?:{'|'.join(_HAPPENED)})",
    ), 0.6, any_of(_NOT_OF_ME.pattern, r"\bI(?:['’]ve| have) [a-z]+ing\b")),
)  # fmt: skip
_NAMED = any_of(
    rf"^{NAME} {_HAS}(?:{_THEIRS})",
    rf"^{NAME}['’]s (?:{_NUMBER}(?: now)?|now|moved|married|pregnant)(?=$|[.,! ])",
    rf"{LEAD}(?:I|we)(?:['’]ve| have)? (?:had to )?{ADVERBS}(?:g[ai]ven? away|gave|given|sold|rehomed|buried|found"
    rf"|lost|adopted|returned) {NAME}\b",
)  # fmt: skip


def life_news(words: str) -> Rule | None:
    """The rule of what a clause says has changed in its speaker's life, or of somebody close. What it tells of somebody
    with a name counts only if they are known (`NEWS`)."""
    if not re.search("[A-Za-z]", words):
        return None
    rule = next((rule for rule in (*LIFE_NEWS, *LIFE) if rule.fits(words)), None)
    if rule is not None or _NOT.search(words):
        return rule
    named = re.match(NAME, words)
    ill = named is not None and HEALTH[0].fits(f"my brother{words[named.end() :]}")
    return NEWS if ill or _NAMED.search(words) else None
