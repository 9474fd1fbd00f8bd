"""Whether a newer statement corrects all that an older one says, or a part of it: "Mia turned 5", of "Leo (7) and Mia
(4)". What the newer one says nothing of still holds, and must not vanish with the rest. Pure.
"""

from __future__ import annotations

import re

from localagent.changes import shifts
from localagent.facets import goes_elsewhere
from localagent.memory.entries import Memory, NewMemory
from localagent.persons import accompanied, whose
from localagent.slots import slot_of
from localagent.statements import Statement, kinds_of_values, statement

# What a word of the older one counts for that stands for doing, whatever is done.
_GENERIC = frozenset("us use do have get make go keep take work like learn study 用 做 学 去 是 有 想 和 一 打".split())
WISHES = ("preference", "style")
_JOINT = re.compile(
    r",? \b(?:or |and (?:also )?(?:please )?)|,? \bbut |[,;] |\s&\s|[，；、]"
    r"|(?<=[\u4e00-\u9fff])[和与及跟](?=[\u4e00-\u9fff])"
    r"|以及|并且|但是?|，但",
    re.IGNORECASE,
)
# Not days and months, nor what begins a sentence.
_NAME = re.compile(
    r"(?<=[\w,;:(] )(?!(?:I|Mon|Tues|Wednes|Thurs|Fri|Satur|Sun)(?:day)?s?\b|(?:Jan|Febr)uary|March|April|May\b|June|"
    r"July|August|(?:Sept|Nov|Dec)ember|October|I'|AM\b|PM\b|TODO)[A-Z][\w-]*|(?<![\w.])[A-Z]{1,3}[-_]?\d+\b"
)
_NAMES_TOGETHER = re.compile(rf"(?:{_NAME.pattern})(?: (?:{_NAME.pattern}))*")
_AS_WHAT = re.compile(r"\bwork(?:s|ed|ing)? (?:.{1,40} )?as an? \w", re.IGNORECASE)
# Of the whole, whatever its time and place was.
_OFF = re.compile(
    r"\b(?:cancell?ed|called off|is off|was off|no longer|not (?:\w+ ){1,5}any ?more|n't (?:\w+ ){1,5}any ?more|quit|"
    r"stopped|gave up|given up|sold|left)\b|取消|不(?:再|去|办|做|用|学|干)|没了|停了|黄了|放弃|辞|卖",
    re.IGNORECASE,
)


def leaves(new: NewMemory, old: Memory | NewMemory) -> bool:
    """Whether the older statement says something that the newer one, which corrects it, says nothing of."""
    text, before = statement(new.text), statement(old.text)
    if shifts(new.text):
        return True  # two weeks later than what?
    if goes_elsewhere(text, before) and not (text.days or text.numbers):
        return bool(before.days or before.numbers)  # on the same day as before
    if _lists_more(new.text, text, old.text, before):
        return True
    if old.kind in WISHES and (slot := slot_of(old.kind, old.text)) is not None:
        now = slot_of(new.kind, new.text)
        if now is not None and now.name == slot.name:
            return False  # the same wish, in a word or a number
    return _says_more(new.text, text, old.text, before)


def _says_more(new: str, text: Statement, old: str, before: Statement) -> bool:
    if whose(old) and not whose(new):
        return True
    if accompanied(old) and not accompanied(new):
        return True
    if _names_more(new, old):
        return True
    if _AS_WHAT.search(old) and not _AS_WHAT.search(new) and not _OFF.search(new):
        return True
    return not _OFF.search(new) and text.denies == before.denies and _has_more_values(text, before)


def touches(new: NewMemory, old: Memory | NewMemory) -> bool:
    """Whether it is another value of what one of several clauses of the older one gives a value of. Appointments of one
    name may be several."""
    parts = _parts(old.text)
    if len(parts) < 2 or new.kind in ("event", "todo") or whose(new.text) != whose(old.text):
        return False
    slot = slot_of(new.kind, new.text)
    if slot is None or not slot.sure:
        return False
    found = [one for part in parts if (one := slot_of(old.kind, part)) is not None and one.name == slot.name]
    return bool(found) and all(one.value != slot.value for one in found)


def _parts(text: str) -> list[str]:
    return [part for one in _JOINT.split(text) if (part := one.strip(" .。!！"))]


def _lists_more(new: str, text: Statement, old: str, before: Statement) -> bool:
    """Whether the newer one speaks of some things that the older one lists, and not of others."""
    parts = [own for part in _parts(old) if (own := statement(part).content - _GENERIC)]
    ends = bool(_OFF.search(new)) or text.denies != before.denies
    if len(parts) < 2 or (len(_parts(new)) >= len(parts) and not ends):
        return False
    spoken_of = [2 * len(own & text.content) > len(own) for own in parts]
    if not any(spoken_of):
        return False
    if any(not own & text.content for own in parts):
        return True
    return any(own <= text.content for own in parts) and any(own - text.content for own in parts)


def _names_more(new: str, old: str) -> bool:
    said = new.lower()
    gone = {match[0] for match in _NAMES_TOGETHER.finditer(old) if match[0].lower() not in said}
    instead = {match[0] for match in _NAMES_TOGETHER.finditer(new) if match[0].lower() not in old.lower()}
    return len(gone) > len(instead)


def _has_more_values(text: Statement, before: Statement) -> bool:
    if not before.numbers and not before.days:
        return False
    kinds, kinds_before = kinds_of_values(text), kinds_of_values(before)
    if kinds and kinds_before - kinds:
        return True
    return bool(kinds) and len(before.numbers) > len(text.numbers) > 0
