"""What of a user's message the rules of `importance.py` took nothing of, though it may hold something: the classifier
decides of it by its meaning.

The classifier sees one sentence and not what is around it: so questions, suppositions, tasks and their material, the
words of others, jokes, secrets and what looks like a program are left out here, mostly by the means by which the rules
leave them out. What is wrongly left out is not noted; what is wrongly let through may be.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from localagent.memory.entries import NEWS
from localagent.policy import Extracted, Said

from ._clauses import ASIDE, TASK, WORKS_ON, Clause, clauses, own_start
from ._figures import figurative, laughs
from ._jokes import joke
from ._life_zh import PERSON_ZH
from ._not_meant import DEPICTED, FORGET, NOT_SERIOUS, RETELLS, UNREAL, reported
from ._only_here import only_here
from ._own_words import LONG_MESSAGE, Sentence, looks_pasted, looks_typed, mask, sentences
from ._secrets import secret
from ._slips import mends
from ._told import says_nothing, told
from ._torn import TAKES_UP, understood

# A message of more characters may be pasted: that it is its speaker's own is seen by its "I" and "we".
SHORT_MESSAGE = 400
# Of a sentence, at most this share may be quoted; more of it, if that is only what something is called.
QUOTED_SHARE = 0.2
LONGEST_NAME = 24

_NAMES = re.compile(r"\b(?:called|named|name is|titled|nicknamed)\b|[叫名]|落款", re.IGNORECASE)
# It asks as it begins, or so it seems: whose statement leaves out its subject ("Had twins in May").
_NO_SUBJECT = re.compile(
    r"(?:had|was|did|should|(?:can|do|does|did|has|had|was|have|is|am|could|will|wo)(?:n?['’]t| not)|cannot) "
    r"(?!(?:I|you|he|she|it|we|they|there|this|that|these|those|the|my|your|our|his|her|their|any\w*|every\w*"
    r"|some\w*|(?-i:[A-Z])\w*)\b)",
    re.IGNORECASE,
)
# "Whatever it is": no question.
_WHATEVER = re.compile(
    r"(?:不管|无论|不论|即使|就算|哪怕|涉及|遇到|碰到|.{2,30}的时候).*[^吗呢么？?。.!！]\W*$|(?:什么|哪儿|哪里|谁|怎么)[^，。吗呢]{0,3}[都也]|没有?什么|十几岁"
)
_RELATIVE = re.compile(r"(?:who|which|where|when|whose)\b", re.IGNORECASE)
# What the assistant is to do whenever something is so is a wish and no supposition; nor is what holds in
# spite of something.
_WHENEVER = re.compile(
    r"(?:if|when|whenever|unless|in case)\b[^,]{3,80}, (?!(?:I|I'\w+|we|he|she|it|it's|they|there|this|that|these|those"
    r"|the|my|your|our|his|her|their|an?|everyone|everything|nobody|nothing|what|how|why|who|maybe|perhaps"
    r"|(?-i:[A-Z])\w+)\b)"
    r"|play (?!(?:an?|the|as|along|my|that)\b)|(?:无论|即使|就算|哪怕)[^，,。]{2,30}[，,][^，,。]{0,6}[也都]"
    r"|我?(?:如果|要是|假如|假使|倘若|万一|除非)[^，,。]{2,30}?(?:[，,]|(?=你就))"
    r"(?:那|你|您|就|请|麻烦|也|都|先|直接|一律|最好){0,4}"
    r"(?:请|别|不要|不用|用|回[答复]?|给我|提醒|告诉|叫我|帮我|[跟对]我|写|说|讲|答|按|记得|翻译|列|加|换)",
    re.IGNORECASE,
)
_STANDING = re.compile(
    r"\b(?:whenever|every time|each time|always|never|by default|in general|as a rule|from now on|any time"
    r"|mostly|usually|often|on \w+days|every (?:day|week|morning|evening|night)"
    r"|first\b.{1,30}\b(?:after|second|last|later)"
    r"|(?:before|after|for|with|in|to) (?:any|every|each|all)"
    r"|only (?:when|if)|(?:when|if) I(?:['’]m| (?:ask|say|write|type|send|paste|forget|use|do not|don['’]t)))\b"
    r"|的时候|每次|[^，。]时[，,]|凡是|只要|一律|以后|默认|总是|都[^是有没会能可很，。]|每一?[个步次句段]"
    r"|我(?:更|最|很)?(?:喜欢|习惯|讨厌)",
    re.IGNORECASE,
)
_HELP = re.compile(r"(?:请|麻烦|能不能|可以|你)*帮[我忙]")
# It cannot be understood by itself.
_LEANS = re.compile(
    r"(?:this|that|these|those|he|she|his|her|their)(?:['’]\w+)?\b|(?:it|they)(?:['’]\w+)?\b(?!.{0,30}\b(?:me|my|our|us|I)\b)"
    r"|(?:same|so do|neither|me too|me neither)\b"
    r"|是(?!我|的)|[^，。我他她]{1,8}那[个条件](?:事|也|都|又|就|现在|改|不|没)|它|这(?!周|个[月周星礼]|[次里边几两趟阵年学颗台只条间家位辆套本张块棵]|辈子)|那(?![么就咱我颗台只条间家位辆套本张块棵])|[他她]|其(?!实)|我也[是一]",
    re.IGNORECASE,
)
_APOLOGY = re.compile(
    r"(?:(?:oh|ah|no|hm+|oops),? )*(?:sorry|apologies|pardon|excuse me|my bad|oops|never ?mind)\b"
    r"|(?:哦|啊|呃|哎)?[，,]?(?:对不起|抱歉|不好意思|说错|打错|口误|我是说|没事|算了)",
    re.IGNORECASE,
)
_PROGRAM = re.compile(
    r"[{}<>|\\`]|^\S+;$|\w\(\w*\)|==|=>|->|::|\S = \S|(?<!\w)(?:~|\.{0,2})/\w+/|\.\w{1,4}:\d|^\W{0,2}[$#] "
    r"|(?<!\w)--\w|\w_\w|^(?:INFO|WARN(?:ING)?|ERROR|DEBUG|FATAL|Traceback|\w+Error|\w*Exception)\b"
    r"|\d\d:\d\d:\d\d|https?://|^(?:import|return|export|SELECT|INSERT|UPDATE|DELETE|sudo|pip|npm|git|docker|cd) \S"
)
# A number, with nothing said of what: "14 Mill Road since Saturday", 一共六千.
_VALUE_ALONE = re.compile(
    r"(?:about |around |only |just )?[$€£¥]?\d"
    r"(?![^\n]*[\u4e00-\u9fff]|.{0,30}\b(?:I|we|my|our|is|are|was|were|has|have|people|of (?:us|them))\b)"
    r"|(?:现在|一共|总共|大概|才|花了?){0,3}[$€£¥]?[\d一二两三四五六七八九十百千万]+多?(?:块钱?|元|万|平米?)?(?=$|[，,。])",
    re.IGNORECASE,
)
# The beginning of a clause that states something by itself: its own subject.
_OWN_SUBJECT = re.compile(
    r"(?:I|I['’]\w+|we|we['’]\w+|(?:my|our) \w+(?: \w+)? (?:are|have|\w+s))\b|我(?!也[是一]|就)|"
    rf"{PERSON_ZH}(?![也就都才的])",
    re.IGNORECASE,
)
# ... but hangs on what is beside it.
_HANGS = re.compile(
    r"\b(?:her|him|it|them|there|instead|too|either|so|this|that|then|one)\b|[他她它]|[那这][里儿个些]|[也就都才]",
    re.IGNORECASE,
)
_HAN = re.compile(r"[\u4e00-\u9fff]")


def undecided(message: Said, found: Sequence[Extracted]) -> list[str]:
    """The sentences, and of those of which `found` has a part the other clauses that have a subject of their own."""
    text = message.text
    if message.role != "user" or len(text) > LONG_MESSAGE:
        return []
    masked = mask(text)
    if ("\n" in text and looks_pasted(masked)) or (len(text) > SHORT_MESSAGE and not looks_typed(masked)):
        return []
    every = list(sentences(masked))
    words = [masked[one.start : one.end] for one in every]
    if any(joke(said) is not None for said in words):
        return []
    works_on = any(WORKS_ON.match(said) and not _STANDING.search(said) for said in words)
    taken = [one for one in found if one.message_id is None and not _only_replaces(one)]
    chosen: list[str] = []
    for place, sentence in enumerate(every):
        if place + 1 < len(every) and mends(words[place + 1]):
            continue  # what was meant is not said in one sentence
        if works_on and not ASIDE.match(masked, sentence.start):
            continue
        here = list(_of(text, masked, sentence, taken))
        before = text[every[place - 1].start : every[place - 1].end].strip() if place else ""
        if not here and before and chosen and chosen[-1] == before and _leans(text, masked, sentence, taken):
            here = [text[every[place - 1].start : sentence.end].strip(" ;；")]
            if _VALUE_ALONE.match(words[place]):
                chosen.pop()
        chosen += here
    return list(dict.fromkeys(chosen))


def _leans(text: str, masked: str, sentence: Sentence, taken: Sequence[Extracted]) -> bool:
    """Whether a sentence states something that is understood only with the one before it."""
    whole = text[sentence.start : sentence.end]
    if not _is_statement(masked, sentence, clauses(masked, sentence)) or not _is_own(whole, masked, sentence):
        return False
    return not any(_shared(one.evidence, whole) for one in taken)


def _of(text: str, masked: str, sentence: Sentence, taken: Sequence[Extracted]) -> Iterator[str]:
    whole = text[sentence.start : sentence.end]
    found = clauses(masked, sentence)
    if not found or not _is_statement(masked, sentence, found) or not _is_own(whole, masked, sentence):
        return
    if not any(_shared(one.evidence, whole) or _shared(one.text, whole) for one in taken):
        own = text[own_start(masked, sentence.start, sentence.end) : sentence.end].strip(" ;；")
        if _is_whole(own):
            yield own
        return
    for clause in found:
        own = text[clause.own : clause.end].strip(" ,，;；")
        if (
            _OWN_SUBJECT.match(own)
            and not _HANGS.search(own)
            and _is_whole(own)
            and not any(_shared(one.text, own) for one in taken)
        ):
            yield own


def _only_replaces(entry: Extracted) -> bool:
    return entry.replaces and entry.importance is not None and entry.importance <= NEWS


def _is_statement(masked: str, sentence: Sentence, found: Sequence[Clause]) -> bool:
    """No question, no supposition, no task."""
    words = masked[own_start(masked, sentence.start, sentence.end) : sentence.end]
    if sentence.asks or UNREAL.search(words) or FORGET.match(words) or only_here(words):
        return False
    asked = told(words, asks=False)
    if asked is not None and says_nothing(words[asked:]):
        return False
    asking = [one for one in found if one.asks and (one is found[0] or not _RELATIVE.match(masked, one.own))]
    if asking and not (_NO_SUBJECT.match(words) or _WHATEVER.search(words)):
        return False
    if found[0].supposes:
        return bool(_WHENEVER.match(words))
    return not (TASK.match(words) or _HELP.match(words)) or bool(_STANDING.search(words))


def _is_own(whole: str, masked: str, sentence: Sentence) -> bool:
    """Said in earnest by the speaker, in plain words, and nothing that is to be kept to oneself."""
    words = masked[sentence.start : sentence.end]
    hidden = sum(one == "\0" for one in words)
    if hidden > QUOTED_SHARE * len(words) and not (hidden <= LONGEST_NAME and _NAMES.search(words)):
        return False
    if (
        NOT_SERIOUS.search(words)
        or reported(words)
        or RETELLS.search(words)
        or DEPICTED.search(words)
        or _APOLOGY.match(words)
        or figurative(words, laughing=laughs(words))
    ):
        return False
    return not (_PROGRAM.search(whole) or secret(whole, "fact"))


def _is_whole(words: str) -> bool:
    """Enough to be a statement that is understood by itself."""
    if any(one.match(words) for one in (_LEANS, TAKES_UP, _VALUE_ALONE)) or words.endswith((":", "：")):
        return False
    return understood(words) and (len(_HAN.findall(words)) >= 3 or len(words.split()) >= 2)


def _shared(one: str, other: str) -> bool:
    first, second = ("".join(words.split()).strip(".。!！,，") for words in (one, other))
    return bool(first and second) and (first in second or second in first)
