"""What new statements do to older ones: say them again, take their place, or tell that a step is done.

A correction says so ("correction", "change of plan", "改成", "作废"), or names what it takes the place of. It meets the
older statement that speaks of the same with a value of the same type. An older statement with more in it loses only
the clause that holds no longer; where it is not sure which one is meant, the older one stays, marked as earlier.
"""

from __future__ import annotations

import math
import re
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, replace

from localagent.summary import SummaryItem

from ._summary_details import Details, Value, content, details
from ._summary_statements import Statement
from ._summary_wording import finished, given_up

# Share of the words' weight that both have (cosine), from which on statements are the same but for their values;
# from which on a correction means this one; and from which on it may.
SAME, MEANT, MAYBE = 0.75, 0.16, 0.08
# How much better than the next one it has to fit.
AHEAD = 1.4
EARLIER_WEIGHT = 0.3
_EARLIER = re.compile(r"^(?:\(earlier: .*\)|（早先：.*）)$", re.DOTALL)
_CLAUSE_END = re.compile(r",(?!\d)\s*|[，；。]|;\s+|\s+(?:and|but|with|plus)\s+|\s+[-–—]\s+|(?<=[.!?])\s+")
_IS_CJK = re.compile("[\u4e00-\u9fff]")
_COUNTED_OUT = re.compile(
    r"\b(?:room|table|step|version|day|week|row|floor|platform|page|chapter|phase|round|act|scene|seat|unit|lot|group|"
    r"no|number)\b|第",
    re.IGNORECASE,
)


@dataclass(slots=True)
class _Held:
    item: SummaryItem
    details: Details
    corrects: bool


def merged(items: Sequence[SummaryItem], found: Sequence[Statement]) -> list[SummaryItem]:
    """`items`, and after them what `found` adds, without what it makes untrue or says again."""
    held = [_Held(item, details(item.text), corrects=False) for item in items]
    known = {(item.message_id, item.quote) for item in items}
    new = [one for one in found if (one.item.message_id, one.item.quote) not in known]
    rarity = _Rarity([*(one.details for one in held), *(one.details for one in new)])
    for one in new:
        if _said_again(one, held, rarity):
            continue
        _replace(one, held, rarity)
        _finish(one, held, rarity)
        held.append(_Held(one.item, one.details, one.corrects))
    return [one.item for one in held]


class _Rarity:
    """What words weigh: the rarer among the statements, the more."""

    def __init__(self, every: Sequence[Details]) -> None:
        count = Counter(word for one in every for word in one.content)
        self._weight = {word: math.log(1 + len(every) / number) for word, number in count.items()}

    def of(self, words: frozenset[str]) -> float:
        return sum(self._weight.get(word, 1.0) for word in sorted(words))

    def alike(self, one: frozenset[str], other: frozenset[str]) -> float:
        """0-1."""
        common = one & other
        return self.of(common) / math.sqrt(self.of(one) * self.of(other)) if common else 0.0


def _values(told: Details) -> frozenset[tuple[str, str]]:
    return frozenset((value.type, value.value) for value in told.values)


def _said_again(one: Statement, held: list[_Held], rarity: _Rarity) -> bool:
    """It is there already, in the same words or in more."""
    for old in held:
        if old.details.denies != one.details.denies or not _values(one.details) <= _values(old.details):
            continue
        if one.details.content == old.details.content or (
            _values(one.details) == _values(old.details)
            and rarity.alike(one.details.content, old.details.content) >= SAME
            and one.details.content <= old.details.content
        ):
            old.item = replace(old.item, weight=max(old.item.weight, one.item.weight))
            return True
    return False


def _replace(one: Statement, held: list[_Held], rarity: _Rarity) -> None:
    gone = given_up(one.item.quote) if one.corrects else []
    fits = [(fit, old, value) for old in held if (hit := _fit(one, old, gone, rarity)) for fit, value in (hit,)]
    fits.sort(key=lambda entry: -entry[0])
    if not fits:
        return
    best, target, value = fits[0]
    rival = next((fit for fit, old, other in fits[1:] if other != value), 0.0)
    if best >= MEANT and best >= AHEAD * rival:
        _take_out(target, value, one, held)
        for fit, old, other in fits[1:]:
            if other == value and fit >= MAYBE and old in held:
                _take_out(old, value, one, held)
    elif best >= MAYBE:
        for fit, old, _ in fits:
            if fit >= max(MAYBE, best / AHEAD) and old.item.kind != "preference":
                _mark(old)


def _fit(one: Statement, old: _Held, gone: Sequence[str], rarity: _Rarity) -> tuple[float, Value | None] | None:
    """How well `old` fits as what `one` takes the place of, and the value of it that holds no longer."""
    if (old.item.kind == "preference") != (one.item.kind == "preference") and not gone:
        return None
    if old.item.message_id == one.item.message_id and not gone:
        return None
    alike = rarity.alike(one.details.content, old.details.content)
    named = _named_as_gone(old, gone)
    if named is not None:
        value, share = named
        return alike + 0.5 * share, value
    pair = _other_value(one.details, old.details)
    if pair is None:
        return None
    value, same_measure = pair
    if not one.corrects:
        sure = alike >= SAME and len(old.details.values) == 1 and not _COUNTED_OUT.search(old.item.text)
        return (alike, value) if sure else None
    if not one.details.content & old.details.content and not same_measure:
        return None
    return alike + (0.15 if same_measure else 0.0), value


def _named_as_gone(old: _Held, gone: Sequence[str]) -> tuple[Value | None, float] | None:
    """The value of `old` that the correction names as given up; None where it names its words alone."""
    for words in gone:
        told = details(words)
        for value in old.details.values:
            if value.value and any(value.value == other.value for other in told.values):
                return value, 1.0
            if value.type in ("name", "code") and value.value in words.lower():
                return value, 1.0
        named = content(words)
        if named and named <= old.details.content and len(named) <= 4:
            return None, 0.6
    return None


def _other_value(one: Details, old: Details) -> tuple[Value, bool] | None:
    """A value of `old` for which `one` has another of the same type; whether both measure the same."""
    mine = _values(one)
    best: tuple[Value, bool] | None = None
    for value in old.values:
        if (value.type, value.value) in mine:
            continue
        rivals = [other for other in one.values if other.type == value.type and other.value != value.value]
        if not rivals:
            continue
        same = value.type in ("date", "time") or any(
            value.units & (other.units | one.content) or other.units & old.content for other in rivals
        )
        if value.type == "number" and not same:
            continue
        if best is None or (same and not best[1]):
            best = (value, same)
    return best


def _take_out(old: _Held, value: Value | None, one: Statement, held: list[_Held]) -> None:
    """Without the clause that holds no longer; gone where nothing of its own is left."""
    rest = _without(old.item.text, value) if value is not None else ""
    left = details(rest)
    own = [other for other in left.values if other.type in ("number", "code", "name")]
    if rest and own and len(left.content) >= 2:
        old.item, old.details = replace(old.item, text=rest), left
    else:
        held.remove(old)


def _without(text: str, value: Value) -> str:
    kept, at, dropped = "", 0, False
    ends = [match.span() for match in _CLAUSE_END.finditer(text)]
    for end, following in [*ends, (len(text), len(text))]:
        if any(other.value == value.value for other in details(text[at:end]).values):
            dropped = True
        else:
            kept += text[at:following]
        at = following
    return kept.strip(" ,，;；、-–—") if dropped else ""


def _mark(old: _Held) -> None:
    if _EARLIER.match(old.item.text):
        return
    text = old.item.text
    text = f"（早先：{text}）" if _IS_CJK.search(text) else f"(earlier: {text})"
    old.item = replace(old.item, kind="other_fact", text=text, weight=min(old.item.weight, EARLIER_WEIGHT))


def _finish(one: Statement, held: list[_Held], rarity: _Rarity) -> None:
    """A step that `one` tells to be done leaves."""
    if not finished(one.item.text) or one.item.kind == "next_step":
        return
    open_steps = [
        (
            rarity.of(one.details.content & old.details.content),
            rarity.alike(one.details.content, old.details.content),
            old,
        )
        for old in held
        if old.item.kind == "next_step" and old.item.message_id != one.item.message_id
    ]
    for common, alike, old in open_steps:
        shared = len(one.details.content & old.details.content)
        names = _values(one.details) & _values(old.details)
        if (shared >= 2 and alike >= 0.3) or (shared >= 1 and names and alike >= 0.2) or (alike >= 0.5 and common > 0):
            held.remove(old)
