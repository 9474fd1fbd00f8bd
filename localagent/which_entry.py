"""What answers "which one is meant?": "yes", "the second one", "Anna the friend I mean", 对, 是说朋友安娜. Pure."""

from __future__ import annotations

import re
from collections.abc import Sequence

from localagent.memory.entries import Memory
from localagent.statements import statement

# Whoever writes more says something else.
MOST_CHARACTERS = 60

_YES = re.compile(
    r"\W*(?:(?:yes|yeah|yep|yup|correct|exactly|right)"
    r"(?:[, ]+(?:please|it is|that one|this one|that's (?:it|the one)))?|"
    r"that one|this one|that's (?:it|the one)|"
    r"是(?:的|啊|这[个条]|那[个条])?|对(?:的|啊|呀)?|没错|就是(?:它|[这那][个条]))\W*",
    re.IGNORECASE,
)
_ALL = re.compile(
    r"\W*(?:yes, )?(?:both|all)(?: of (?:them|those))?(?: please)?\W*|"
    r"\W*(?:全都?|都|两个都|两条都)(?:是|要|忘掉?|删掉?)?了?\W*",
    re.IGNORECASE,
)
_NTH = re.compile(
    r"\W*(?:(?:I mean(?:t)? )?(?:the )?(?P<n>first|second|third|fourth)(?: one)?(?: please)?|"
    r"(?:是)?第(?P<n2>[一二三四])[个条]?)\W*",
    re.IGNORECASE,
)
_AT = {"first": 0, "second": 1, "third": 2, "fourth": 3, "一": 0, "二": 1, "三": 2, "四": 3}
# What an answer is made of, whatever it names.
_OF_ANSWERS = statement("I mean meant the one that it is was please about yes no 我是说指的那个条这就").content
_MEANS = re.compile(
    r"\b(?:I mean|I meant|one)\b|我(?:是)?[说指]|[那这][个条]|^\W*(?:[\w'’-]+ ){0,4}[\w'’-]+\W*$",
    re.IGNORECASE,
)
_ACTS = re.compile(r"\b(?:I|we|you)(?:'m| am| have|'ve)? (?!mean)\w|[?？]\s*$", re.IGNORECASE)


def may_answer(text: str) -> bool:
    """Whether a message is short enough to be such an answer, and is built like one."""
    if len(text) > MOST_CHARACTERS:
        return False
    means = _MEANS.search(text) is not None and not _ACTS.search(text)
    return means or any(one.fullmatch(text) for one in (_YES, _ALL, _NTH))


def chosen(text: str, asked_about: Sequence[Memory]) -> list[Memory]:
    """Which of the entries that were asked about a message names; none where it says something else."""
    entries = list(asked_about)
    if _YES.fullmatch(text):
        return entries if len(entries) == 1 else []
    if _ALL.fullmatch(text):
        return entries
    nth = _NTH.fullmatch(text)
    if nth is not None:
        at = _AT[(nth["n"] or nth["n2"]).lower()]
        return entries[at : at + 1]
    said = statement(text)
    content = said.content - _OF_ANSWERS
    if not content or said.denies or not _MEANS.search(text) or _ACTS.search(text):
        return []
    fitting = [memory for memory in entries if content <= statement(memory.text).content]
    return fitting if len(fitting) == 1 else []
