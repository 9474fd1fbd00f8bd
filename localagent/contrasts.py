"""Values that a statement says not to be the right ones: "the dentist is on the 11th, not the 4th", 是75微克不是50,
"didn't get the flights on the 21st". It corrects what gives that value, and nothing that gives another one. English
and Chinese. Pure.
"""

from __future__ import annotations

import re
from functools import lru_cache
from typing import Literal

from localagent.memory.entries import Memory, NewMemory
from localagent.statements import statement

# "X, not Y", where Y is nothing but a value.
_NOT = re.compile(
    r",? (?:and |but )?(?:not|instead of|rather than) (?P<y>[^,;.]{1,24})$|"
    r"^(?:no,? )?(?:it['’]s )?not (?P<y2>[^,;.]{1,24}), "
    r"|(?:[，, ]|而)?不是(?P<y3>[^，,。；是]{1,12})(?=[，,。；]|$)",
    re.IGNORECASE,
)
# Something did not come off as it was told.
_FAILED = re.compile(
    r"\b(?:did|could|was|were|is|are)(?:n['’]t| not) (?!sure\b|know\b)(?P<y>[^,;.]{2,40})(?=[,;])|"
    r"没(?P<y2>[^，,。；]{2,14})(?=[，,；])"
)
# Nothing else: 不是12号，是13号.
_ONE = r"(?:(?:on|at) )?(?:the )?"
_IS_IT = r"(?:(?:it|that)(?:['’]s| is| was| should be) )?"
_OH = (
    r"(?:(?:no|oh|sorry|actually|wait|oops|correction|I (?:got|had|said) (?:it|that) wrong|I meant?(?: to say)?|"
    r"my mistake)[,.:;]* )*"
)
_OH_ZH = r"(?:哦|啊|呃|不对|抱歉|对不起|我?(?:刚才)?[说写记搞弄]错了|[，,。 ])*(?:应该)?"
_BARE = re.compile(
    rf"{_OH}{_IS_IT}not {_ONE}(?P<x>[\w: ]{{1,20}}?)[,;.]? (?:but )?{_IS_IT}{_ONE}(?P<y>[\w: ]{{1,20}})"
    rf"|{_OH}{_IS_IT}{_ONE}(?P<y2>[\w: ]{{1,20}}?),? (?:and )?not {_ONE}(?P<x2>[\w: ]{{1,20}})"
    rf"|{_OH_ZH}不是(?P<x3>[^，,。；是不我]{{1,12}})[，, ]*而?(?:应该)?是(?P<y3>[^，,。；是不我]{{1,12}}?)了?"
    rf"|{_OH_ZH}是(?P<y4>[^，,。；是不我]{{1,12}})[，, ]*而?不是(?P<x4>[^，,。；是不我]{{1,12}})",
    re.IGNORECASE,
)
_HOURS = re.compile(r"\b(?:hours|shifts?|work\w*|opens?)\b|[上下]班|营业", re.IGNORECASE)
# 今年三十四, 我不是三十四: of an age the numeral alone says enough.
_AGED_ZH = re.compile(r"(?P<n>[二三四五六七八九]?十[一二三四五六七八九]?)(?=$|[，。；,])")
_AGED = re.compile(rf"{_AGED_ZH.pattern}|岁|\bI['’]m \d+\b|\byears old\b")
# Of a date or an hour, beside the value: which day or part of the day it is of.
_PARTS = frozenset(
    "jan feb mar apr may jun jul aug sep oct nov dec am pm morning 早上 上午 中午 下午 晚上 今年".split()
)
_ZEROES = re.compile(r":00$")


def corrects_value(new: NewMemory, old: Memory | NewMemory) -> Literal["newer", "part", "alone"] | None:
    """What the newer one is to the older one, where that gives a value of the same thing that the words of the newer
    one say to be wrong: it corrects a part of what gives other values as well."""
    evidence = new.evidence or new.text
    wrong, before = _denied(evidence), _values(old.text)
    right = _values(new.text) - wrong - _PARTS
    if not wrong or not right or not wrong <= before or right & before or statement(old.text).denies:
        return None
    if restated(new.text, old.text):
        return "alone"
    if not statement(evidence).content & statement(old.text).content and not any(
        both.search(evidence) and both.search(old.text) for both in (_HOURS, _AGED)
    ):
        return None
    return "part" if before - wrong - _PARTS else "newer"


def restated(text: str, other: str) -> str | None:
    """The other statement with the right value, where the newer one says nothing but which value is wrong, and which is
    right ("it's not Tuesday, it's Wednesday", 不是12号，是13号)."""
    if (both := _only_values(text)) is None:
        return None
    right, wrong = both
    places = [
        found.start() for found in re.finditer(rf"(?<![\w:.]){re.escape(wrong)}(?![\w:])", other, re.ASCII | re.I)
    ]
    return other[: places[0]] + right + other[places[0] + len(wrong) :] if len(places) == 1 else None


def only_contrasts(text: str) -> bool:
    """Whether it says nothing but which value is right, and which is wrong."""
    return _only_values(text) is not None


def _only_values(text: str) -> tuple[str, str] | None:
    match = _BARE.fullmatch(text.strip(" .。!！"))
    if match is None:
        return None
    first, second = (value for value in match.groups() if value)
    right, wrong = (second, first) if match["x"] or match["x3"] else (first, second)
    return (right, wrong) if 0 < len(_values(right)) == len(_values(wrong)) else None


def of_another_value(text: str, other: str) -> bool:
    """Whether the newer one says which value is wrong, and the other one gives other values than that."""
    wrong = frozenset().union(*(_named(match) for match in _NOT.finditer(text.strip(" .。!！"))))
    values = _values(other)
    return bool(wrong and values) and not wrong & values


@lru_cache(maxsize=256)
def _denied(text: str) -> frozenset[str]:
    plain = text.strip(" .。!！")
    return frozenset().union(*(_named(match) for way in (_NOT, _FAILED) for match in way.finditer(plain)))


def _named(match: re.Match[str]) -> frozenset[str]:
    return _values(next((value for value in match.groups() if value), ""))


def _values(text: str) -> frozenset[str]:
    said = statement(_AGED_ZH.sub(r"\g<n>岁", text))
    return frozenset((*(_ZEROES.sub("", number) for number in said.numbers), *said.days))
