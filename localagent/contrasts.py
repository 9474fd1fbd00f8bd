"""Values that a statement says not to be the right ones: "the dentist is on the 11th, not the 4th", 是75微克不是50,
"didn't get the flights on the 21st". It corrects what gives that value, and nothing that gives another one. English
and Chinese. Pure.
"""

from __future__ import annotations

import re
from functools import lru_cache

from localagent.memory.entries import Memory, NewMemory
from localagent.statements import Statement, statement

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
_ZEROES = re.compile(r":00$")


def corrects_value(new: NewMemory, old: Memory | NewMemory) -> bool:
    """Whether the older statement gives a value of the same thing that the words of the newer one say to be wrong."""
    said, before = statement(new.evidence or new.text), statement(old.text)
    wrong = _denied(new.evidence or new.text)
    right = _values(statement(new.text)) - wrong
    if not wrong or not right or not wrong <= _values(before) or right & _values(before):
        return False
    alike = said.content & before.content or (_HOURS.search(new.text) and _HOURS.search(old.text))
    return bool(alike) and not before.denies


def of_another_value(text: str, other: str) -> bool:
    """Whether the newer one says which value is wrong, and the other one gives other values than that."""
    match = _NOT.search(text.strip(" .。!！"))
    wrong = _named(match) if match else frozenset()
    values = _values(statement(other))
    return bool(wrong and values) and not wrong & values


@lru_cache(maxsize=256)
def _denied(text: str) -> frozenset[str]:
    plain = text.strip(" .。!！")
    return frozenset().union(*(_named(match) for way in (_NOT, _FAILED) for match in way.finditer(plain)))


def _named(match: re.Match[str]) -> frozenset[str]:
    return _values(statement(next((value for value in match.groups() if value), "")))


def _values(said: Statement) -> frozenset[str]:
    return frozenset((*(_ZEROES.sub("", number) for number in said.numbers), *said.days))
