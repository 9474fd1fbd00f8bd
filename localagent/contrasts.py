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
_HOURS = re.compile(r"\b(?:hours|shifts?|work\w*|opens?)\b|[上下]班|营业", re.IGNORECASE)
# 今年三十四, 我不是三十四: of an age the numeral alone says enough.
_AGED_ZH = re.compile(r"(?P<n>[二三四五六七八九]?十[一二三四五六七八九]?)(?=$|[，。；,])")
_AGED = re.compile(rf"{_AGED_ZH.pattern}|岁|\bI['’]m \d+\b|\byears old\b")
# Of a date or an hour, beside the value: which day or part of the day it is of.
_PARTS = frozenset(
    "jan feb mar apr may jun jul aug sep oct nov dec am pm morning 早上 上午 中午 下午 晚上 今年".split()
)
_ZEROES = re.compile(r":00$")


def corrects_value(new: NewMemory, old: Memory | NewMemory) -> Literal["newer", "part"] | None:
    """What the newer one is to the older one, where that gives a value of the same thing that the words of the newer
    one say to be wrong: it corrects a part of what gives other values as well."""
    evidence = new.evidence or new.text
    wrong, before = _denied(evidence), _values(old.text)
    right = _values(new.text) - wrong
    if not wrong or not right or not wrong <= before or right & before or statement(old.text).denies:
        return None
    if not statement(evidence).content & statement(old.text).content and not any(
        both.search(evidence) and both.search(old.text) for both in (_HOURS, _AGED)
    ):
        return None
    return "part" if before - wrong - _PARTS else "newer"


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
