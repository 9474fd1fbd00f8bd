"""What answers "which one is meant?": "yes", "the second one", "Anna the friend I mean", 对, 是说朋友安娜; and
whether one entry replaces another: "yes, it does", 对. Pure."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass

from localagent.memory.entries import Memory
from localagent.statements import statement

# Whoever writes more says something else.
MOST_CHARACTERS = 60

# What stands before and behind: "yes, I mean the second one, thanks".
_BEFORE = re.compile(
    r"\W*+(?:(?P<yes>(?:yes|yeah|yep|yup|correct|exactly|right)\b|是(?:的|啊)|是(?=\W*(?:$|[第最前后上下]))|对(?:的|啊|呀)?|没错|嗯)|"
    r"(?P<no>(?:no|nope)\b|不是?(?=[，,。 ]))|"
    r"(?:oh|ok|okay|well|sorry|I mean|I meant|it is|it's|it was|please)\b|我(?:是)?[说指](?:的?是)?)[\s,，.。!！]*+",
    re.IGNORECASE,
)
_BEHIND = re.compile(
    r"(?:[\s,，.。!！]|\b(?:please|thanks|thank you|it is|I mean|I meant)\b|[忘删]掉|[忘删]了|吧|了|啊|呀|哦|"
    r"谢谢你?)+$",
    re.IGNORECASE,
)
_IT = re.compile(r"that one|this one|that's (?:it|the one)|就?是?(?:它|[这那][个条])", re.IGNORECASE)
_ALL = re.compile(
    r"(?:both|all|each|every (?:single )?one|everything|the (?:whole )?lot)(?: of (?:them|those|these|it))?"
    r"(?: (?:two|three|four|five|six|seven|eight|nine|ten|\d{1,2}))?(?: of (?:them|those|these))?"
    r"|[这那]?(?:[两二三四五六七八九十\d]{1,2}[个条])?(?:都|全都?|全部都?)(?:是|要)?|所有的?|[两三四五六七八九十\d]{1,2}[个条]",
    re.IGNORECASE,
)
_NTH = re.compile(
    r"(?:(?:the|number|no\.?) )?(?P<n>first|second|third|fourth|last|[1-4])(?:st|nd|rd|th)?"
    r"(?: one| of (?:them|those|these))?|第?(?P<n2>[一二三四1-4]|(?<!第)最后)那?[一]?[个条]?",
    re.IGNORECASE,
)
_AT = {"first": 0, "second": 1, "third": 2, "fourth": 3, "last": -1, "一": 0, "二": 1, "三": 2, "四": 3, "最后": -1}
_OF_TWO = re.compile(r"(?:the )?(?:(?P<one>former)|latter)|(?:(?P<one2>[前上])|[后下])面?那?一?[个条]", re.IGNORECASE)
_REPLACES = re.compile(
    r"(?:it|that|this)(?: one)? (?:does|did|has|replaces (?:it|that))|(?:do|replace)(?: it| that)?|"
    r"(?:(?:请|会|就|要|可以)*(?:取代|替换|换|代替)(?:掉|它|旧的?)*)",
    re.IGNORECASE,
)
# What an answer is made of, whatever it names.
_OF_ANSWERS = statement("I mean meant the one that it is was please about yes no 我是说指的那个条这就").content
_MEANS = re.compile(
    r"\b(?:I mean|I meant|one)\b|我(?:是)?[说指]|[那这][个条]|^\W*(?:[\w'’-]+ ){0,4}[\w'’-]+\W*$",
    re.IGNORECASE,
)
_ACTS = re.compile(r"\b(?:I|we|you)(?:'m| am| have|'ve)? (?!mean)\w|[?？]\s*$", re.IGNORECASE)


def may_answer(text: str) -> bool:
    """Whether a message is short enough to be an answer to either question, and is built like one."""
    if len(text) > MOST_CHARACTERS:
        return False
    means = _MEANS.search(text) is not None and not _ACTS.search(text)
    return means or _Answer.of(text).says_which or agrees(text)


def chosen(text: str, asked_about: Sequence[Memory], shown: Sequence[Memory]) -> list[Memory]:
    """Which of the entries that were asked about a message names; none where it says something else. The second one is
    the second of those `shown`."""
    entries = list(asked_about)
    answer = _Answer.of(text)
    if answer.says_which:
        return entries if answer.names_all else answer.among(list(shown))
    said = statement(text)
    content = said.content - _OF_ANSWERS
    if not content or said.denies or not _MEANS.search(text) or _ACTS.search(text):
        return []
    fitting = [memory for memory in entries if content <= statement(memory.text).content]
    return fitting if len(fitting) == 1 else []


def agrees(text: str) -> bool:
    """Whether a message says yes to the question whether one entry replaces another."""
    if len(text) > MOST_CHARACTERS or text.rstrip().endswith(("?", "？")):
        return False
    answer = _Answer.of(text)
    return not answer.declines and bool(_REPLACES.fullmatch(answer.core) if answer.core else answer.agrees)


@dataclass(frozen=True, slots=True)
class _Answer:
    """`core`: its words without those that stand beside any answer."""

    core: str
    agrees: bool
    declines: bool

    @classmethod
    def of(cls, text: str) -> _Answer:
        rest = text.replace("’", "'").strip()
        agrees = declines = False
        while (match := _BEFORE.match(rest)) is not None and match.end():
            agrees, declines = agrees or bool(match["yes"]), declines or bool(match["no"])
            rest = rest[match.end() :]
        return cls(_BEHIND.sub("", rest), agrees, declines)

    @property
    def says_which(self) -> bool:
        if not self.core:
            return self.agrees and not self.declines
        return any(one.fullmatch(self.core) for one in (_IT, _ALL, _NTH, _OF_TWO))

    @property
    def names_all(self) -> bool:
        return bool(_ALL.fullmatch(self.core))

    def among(self, entries: list[Memory]) -> list[Memory]:
        if not self.core or _IT.fullmatch(self.core):
            return entries if len(entries) == 1 and not self.declines else []
        nth, of_two = _NTH.fullmatch(self.core), _OF_TWO.fullmatch(self.core)
        if of_two is not None:
            first = bool(of_two["one"] or of_two["one2"])
            return [entries[0 if first else 1]] if len(entries) == len(("former", "latter")) else []
        named = (nth["n"] or nth["n2"]).lower() if nth is not None else ""
        at = _AT[named] if named in _AT else int(named) - 1
        return entries[at:][:1] if at < len(entries) else []
