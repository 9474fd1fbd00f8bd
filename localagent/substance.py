"""What a message states: what is left of it without its questions and without what people say to keep a talk going.

Rules on the form of sentences, in English and Chinese; other languages by their question marks alone. In doubt a
sentence states something: what is shown in vain costs a few tokens, what is left out is missed.
"""

from __future__ import annotations

import re

from localagent.memory.language import CJK, sentences, words

# Content words from which on a passage can be understood by itself.
WHOLE = 6
# ... and with which it says something at all, where it answers no question: without a word like "I" or "is" in it, one
# of which and a single word are enough ("I am vegetarian").
LEAST = 2
# A clause before a question needs a word more: what it asks about may stand first ("The Apollo project, when ...").
LEAST_BEFORE = 3

_FILLERS = frozenset(
    (
        "yes yeah yep yup no nope nah ok okay k sure fine good great nice cool awesome wonderful amazing "
        "lovely perfect excellent brilliant fantastic exactly absolutely definitely certainly course totally "
        "indeed right true agreed thanks thank thx please welcome sorry pardon hello hi hey dear bye goodbye "
        "oh ah aha um uh hm hmm wow haha lol well anyway maybe perhaps probably really very too also just let "
        "see think know mean guess suppose understand understood got get say said look looks sound sounds "
        "hear glad happy help something anything everything thing way much more again now go going back check "
        "try interesting beautiful funny wonder noted done"
    ).split()
)
_FORMULAS = re.compile(
    r"\b(?:good (?:morning|afternoon|evening|night|day|luck|job|idea|point|question)|"
    r"i(?:['’]ve|['’]ll| have| will| just)* (?:noted|remember(?:ed)?|keep|kept|bear) (?:that|it|this)(?: in "
    r"mind| down)?|(?:one|a|just a) (?:moment|second|minute)|"
    r"no (?:problem|worries|idea)|not at all|take care|my pleasure|nice to meet you|how are you|"
    r"(?:talk|see) (?:to )?you (?:later|soon|tomorrow)|have a \w+ (?:day|night|evening|weekend|time))\b|"
    r"好[的吧呀啊嘞呢]?|嗯+|哦+|噢|[是对][的啊呀]|没错|当然|可以|不?行|没问题|没关系|不客气|不用谢|[多感]?谢谢?|抱歉|对不起|"
    r"不好意思|明白|知道|了解|收到|懂了|让我|想一?想|看一?看|查一?[查下]|请?稍等|等一?[等下]|一下|你好|您好|大家|早上|晚上|[早晚]安|"
    r"(?:已经?|都)?记(?:住|下)(?:来)?了?|随时|为[你您]|效劳|再见|拜拜|回头见|[哈呵嘿]+|哇|太棒|真棒|很好|不错|真的|非常|加油|辛苦|高兴|帮助|请问?|确实|听起来",
)
_PARTICLES = re.compile("[我你您他她它们的了吗呢吧啊呀嘛么是在有和与就都也还很太这那个来去]")
_LEADING = (
    r"^\W*(?:(?:and|but|so|or|then|also|now|well|oh|ok|okay|hey|hi|hello|please|sorry|actually|by the way)\b\W*)*"
)
_ASKS_EN = re.compile(
    _LEADING + r"(?:(?:what|where|who|whom|whose|which|when|why|how)(?:['’]s|['’]re)\b|"
    r"(?:what|where|who|whom|which|when|why|how|whose \w+|what \w+|which \w+|how \w+) (?:is|are|was|were|am|do|does|"
    r"did|can|could|will|would|should|shall|has|have|had|to)\b|"
    r"(?:is|are|was|were|do|does|did|can|could|will|would|should|shall)(?:n['’]t)? (?:i|you|he|she|it|we|they|there|"
    r"this|that|these|those|my|your|his|her|our|their|the|any|anyone|anybody|someone|somebody)\b|"
    r"(?:have|has|had|am)(?:n['’]t)? (?:i|you|he|she|it|we|they|there|anyone|anybody)\b|"
    r"(?:tell|show|explain to) (?:me|us) (?:again )?(?:what|where|who|whom|whose|which|when|why|how|if|whether)\b|"
    r"(?:what|how) (?:about|else)\b)",
    re.IGNORECASE,
)
_ASKS_ZH = re.compile(
    r"[吗呢么][。！!]*$|(?<![没无有])(?:什么|怎么|怎样|如何|哪[里儿个些位]|谁|多少|几[点号月]|何时|为何)(?!都|也)|"
    r"是不是|有没有|能不能|可不可以|会不会|要不要|是否"
)
_CLAUSES = re.compile(r"[,;:—–]\s|\s-\s|\b(?:but|so|because)\b|[，；：、]", re.IGNORECASE)
_SUBORDINATE = re.compile(
    _LEADING + r"(?:if|when|while|after|before|since|as|where|who|which|that|for|in|on|at|to|by|with|about|like|such|"
    r"regarding|concerning|given)\b",
    re.IGNORECASE,
)
_SUBJECT = re.compile(
    r"\b(?:i|we|you|he|she|they|it|my|our|is|are|was|were|am|has|have|had)\b|['’](?:m|s|re|ve|d)\b|[我你他她它是有在]",
    re.IGNORECASE,
)
_IS_CJK = re.compile(f"[{CJK}]")


def stated(text: str) -> str:
    """Without the sentences that only ask; of one that says something first, what it says. Empty if all of it asks."""
    kept = []
    for sentence in sentences(text):
        clauses = _CLAUSES.split(sentence)
        if not _asks(sentence):
            kept.append(sentence)
        elif len(clauses) > 1:
            kept += [clause for clause in clauses[:-1] if _tells(clause)]
    return " ".join(part.strip() for part in kept)


def asks(text: str) -> bool:
    """Whether any sentence of it is a question."""
    return any(_asks(sentence) for sentence in sentences(text))


def content(text: str) -> list[str]:
    """The words that mean something in what a text states; of CJK text its pairs of characters."""
    return _content(stated(text))


def says_something(text: str, *, answers: bool = False) -> bool:
    """Whether it is worth being shown by itself. `answers`: a question stands before it, and one word is enough."""
    told = stated(text)
    found = _content(told)
    least = 1 if answers or _SUBJECT.search(told) else LEAST
    return len(found) >= least or any(char.isdigit() for word in found for char in word)


def is_terse(text: str) -> bool:
    """Whether it can hardly be understood without the question it answers."""
    return len(content(text)) < WHOLE


def _asks(sentence: str) -> bool:
    if "?" in sentence or "？" in sentence:
        return True
    if _IS_CJK.search(sentence):
        return bool(_ASKS_ZH.search(_CLAUSES.split(sentence)[-1]))
    return bool(_ASKS_EN.match(sentence))


def _tells(clause: str) -> bool:
    """A clause before a question."""
    if _ASKS_EN.match(clause) or _ASKS_ZH.search(clause) or _SUBORDINATE.match(clause):
        return False
    return len(_content(clause)) >= (1 if _SUBJECT.search(clause) else LEAST_BEFORE)


def _content(text: str) -> list[str]:
    text = _PARTICLES.sub("", _FORMULAS.sub(" ", text.lower()))
    return [word for word in words(text) if word not in _FILLERS]
