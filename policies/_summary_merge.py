"""What new statements do to older ones: say them again, take their place, or tell that a step is done.

A correction says so ("correction", "change of plan", "改成", "作废"), or names what it takes the place of. It meets the
older statement that speaks of the same with a value of the same type. An older statement with more in it loses only
the clause that holds no longer; where it is not sure which one is meant, the older one stays, marked as earlier.
"""

from __future__ import annotations

import math
import re
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import pairwise
from typing import TypeAlias

from localagent.summary import SummaryItem

from ._summary_details import MEASURES, Details, Value, content, details, without_values
from ._summary_statements import Statement
from ._summary_wording import BESIDE_THE_POINT, OPEN, correcting, finished, given_up, says_what_holds

# Share of the words' weight that both have (cosine), from which on they say the same; from which on a correction means
# this one; and from which on it may.
SAME, MEANT, MAYBE = 0.75, 0.16, 0.08
# How much better than the next one it has to fit.
AHEAD = 1.4
# ... and of the clause with the name or the path that another one takes the place of.
SAME_ROLE = 0.2
# How much counts what a whole statement has in common, where its correcting clauses have less.
OF_THE_WHOLE = 0.8
EARLIER_WEIGHT = 0.3
# What is lighter (a request, small talk) corrects nothing, though it may tell that something is done.
SAYS_SOMETHING = 0.2
# What is lighter than this tells nothing that anybody would miss: it has no place in a summary with room either.
LEAST_WEIGHT = 0.12
COUNTS_THE_SAME = 0.1
# So many content words at most are others where the same is said with another value.
FEW = 4
# Content words that a shortened statement has to have.
LEAST_CONTENT = 3
# Of how many earlier ones an item knows that it took their place.
MOST_REPLACED = 40
_EDGES = " \n\t,，;；、-–—"
_EARLIER = re.compile(r"^(?:\(earlier: .*\)|（早先：.*）)$", re.DOTALL)
# Numbers with commas between them ("days 3, 9 and 16") stay together.
_CLAUSE_END = re.compile(r"(?:(?<!\d),(?!\d)|(?<=\d),(?!\s*\d))\s*|[，；。]|;\s+|\s+[-–—]\s+|(?<=[.!?])\s+")
_NAMING = re.compile(r"\b(?:call(?:ed|s)|named?|known as)\b|叫|名")
_BARE = re.compile(r"[a-z]+|[^\W\d_a-z]")
_STILL = frozenset("now currently is are at the on s 现 在 了 已 经 目 前 是 为".split())
_IS_CJK = re.compile("[\u4e00-\u9fff]")


# The id of a message, and what stands in it.
_Passage: TypeAlias = tuple[int, str]


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
        gone = _replace(one, held, rarity) if one.item.weight >= SAYS_SOMETHING else []
        _finish(one, held, rarity)
        item = replace(one.item, replaces=tuple(dict.fromkeys(gone))[-MOST_REPLACED:]) if gone else one.item
        if item.weight >= LEAST_WEIGHT:
            held.append(_Held(item, one.details, one.corrects))
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
        new = one.details
        if new.denies != old.details.denies or not new.content <= old.details.content:
            continue
        if not _values(new) <= _values(old.details):
            continue
        if new.content == old.details.content or (
            _values(new) == _values(old.details) and rarity.alike(new.content, old.details.content) >= SAME
        ):
            old.item = replace(old.item, weight=max(old.item.weight, one.item.weight))
            return True
    return False


def _replace(one: Statement, held: list[_Held], rarity: _Rarity) -> list[_Passage]:
    """Out with what `one` takes the place of, which is returned; where that is not sure, what it may be is marked as
    earlier."""
    gone = given_up(one.item.quote)
    new = details(correcting(one.item.text)) if one.corrects else one.details
    fits = [
        _Fit(fit, old, value) for old in held if (hit := _fit(one, new, old, gone, rarity)) for fit, value in (hit,)
    ]
    fits.sort(key=lambda fit: -fit.share)
    if not fits:
        return []
    best = fits[0]
    rival = next((fit.share for fit in fits[1:] if not fit.means(best.value)), 0.0)
    if best.share >= MEANT and best.share >= AHEAD * rival:
        return [
            passage
            for fit in fits
            if fit is best or (fit.means(best.value) and fit.share >= MAYBE)
            for passage in _take_out(fit.old, fit.value, new, held, meant=fit is best)
        ]
    if best.share >= MAYBE:
        for fit in fits:
            measured = fit.value is not None and fit.value.type in ("number", "date", "time")
            if measured and fit.share >= max(MAYBE, best.share / AHEAD) and fit.old.item.kind != "preference":
                _mark(fit.old)
    return []


@dataclass(frozen=True, slots=True)
class _Fit:
    share: float
    old: _Held
    value: Value | None

    def means(self, value: Value | None) -> bool:
        return value is not None and self.value is not None and self.value.value == value.value


def _fit(
    one: Statement, new: Details, old: _Held, gone: Sequence[str], rarity: _Rarity
) -> tuple[float, Value | None] | None:
    """How well `old` fits as what `one` takes the place of, and the value of it that holds no longer. `new`: of the
    clauses that correct."""
    differing = one.details.content ^ old.details.content
    if not one.corrects and not gone and len(differing) > FEW:
        return None
    if old.item.message_id == one.item.message_id and not gone:
        return None
    alike = rarity.alike(new.content, old.details.content)
    named = _named_as_gone(old, gone)
    if named is not None and (one.corrects or _instead(named[0], one.details)):
        value, share = named
        return alike + 0.5 * share, value
    if not one.details.content & old.details.content:
        return None
    whole = OF_THE_WHOLE * rarity.alike(one.details.content, old.details.content)
    found = [
        (_fit_of(value, same, max(alike, whole) if same else alike, near), value)
        for value, same in _other_values(new, old.details)
        for near in (rarity.alike(new.content, details(_clause_of(old.item.text, value)).content),)
        if value.type == "number" or (old.item.kind == "preference") == (one.item.kind == "preference")
    ]
    best, value = max(found, key=lambda entry: entry[0], default=(0.0, None))
    if value is None or best <= 0:
        return None
    if one.corrects:
        return best, value
    measured = value.type in ("number", "date", "time") and not any(unit.startswith("#") for unit in value.units)
    alone = measured and len(old.details.values) == len(one.details.values) == 1
    return (alike, value) if alone and _same_but_for_values(one.item.text, old.item.text) else None


def _same_but_for_values(one: str, other: str) -> bool:
    """Word for word, but for "now" and the like."""
    differing = set(_BARE.findall(without_values(one).lower())) ^ set(_BARE.findall(without_values(other).lower()))
    return differing <= _STILL


def _fit_of(value: Value, same_unit: bool, alike: float, near: float) -> float:
    """`near`: how much the clause of the value has in common with the correction."""
    if value.type in ("name", "code"):
        return near if near >= SAME_ROLE else 0.0
    return max(alike, near) + (COUNTS_THE_SAME if same_unit else 0.0)


def _instead(value: Value | None, one: Details) -> bool:
    """Whether it names another value of the same type."""
    return value is not None and any(
        other.type == value.type and other.value != value.value for other in one.values
    )  # fmt: skip


def _named_as_gone(old: _Held, gone: Sequence[str]) -> tuple[Value | None, float] | None:
    """The value of `old` that the correction names as given up; None where it names its words alone."""
    for words in gone:
        told = details(words)
        for value in old.details.values:
            if value.type == "few":
                continue
            if any(_same_value(value, other) for other in told.values):
                return value, 1.0
            if value.type in ("name", "code") and value.value in words.lower():
                return value, 1.0
        named = content(words)
        if named and named <= old.details.content and len(named) <= 4:
            return None, 0.6
    return None


def _same_value(one: Value, other: Value) -> bool:
    units = not one.units or not other.units or bool(one.units & other.units)
    return (one.type, one.value) == (other.type, other.value) and units


def _other_values(new: Details, old: Details) -> Iterator[tuple[Value, bool]]:
    """The values of `old` for which `new` has another one of the same type and unit; whether what they count is one
    and the same thing, and not just hours, euros or percent."""
    mine = _values(new)
    for value in old.values:
        if value.type == "few" or (value.type, value.value) in mine:
            continue
        rivals = [other for other in new.values if other.type == value.type and other.value != value.value]
        if value.type == "number":
            rivals = [other for other in rivals if _measure_same(value, other, new, old)]
        if rivals:
            yield value, value.type == "number" and bool(value.units - MEASURES)


def _measure_same(value: Value, other: Value, one: Details, old: Details) -> bool:
    """By their units; where one has none, by the words around it."""
    if value.units and other.units:
        return bool(value.units & other.units)
    return bool(value.units & one.content or other.units & old.content)


def _take_out(old: _Held, value: Value | None, new: Details, held: list[_Held], *, meant: bool) -> list[_Passage]:
    """Without the clause that holds no longer; gone where nothing of its own is left. What went of its message, and
    what that had replaced. `meant`: it is what was corrected, and not something else that was said with the same
    value."""
    stale = [value, *_also_stale(old.details, new)] if value is not None else []
    rest = _without(old.item.text, stale) if stale else ""
    left = details(rest)
    names = old.item.kind == "other_fact" or _NAMING.search(rest)
    own = [other for other in left.values if other.type in ("number", "code") or (other.type == "name" and names)]
    if rest and own and len(left.content) >= 2:
        old.item, old.details = replace(old.item, text=rest), left
        gone = [clause.strip(_EDGES) for clause in _clauses(old.item.quote) if any(_has(clause, one) for one in stale)]
        return [(old.item.message_id, clause) for clause in gone if content(clause)]
    if not meant and len(old.details.values) > 1:
        _mark(old)
        return []
    held.remove(old)
    return [*old.item.replaces, (old.item.message_id, old.item.quote)]


def shortened(item: SummaryItem) -> SummaryItem:
    """Without the last clauses that tell no detail: reasons, asides. Not of a wish, whose reason may be all of it."""
    if item.kind == "preference" or _EARLIER.match(item.text):
        return item
    kept = _clauses(item.text)
    while len(kept) > 1 and BESIDE_THE_POINT.match(kept[-1].strip()) and not _tells(kept[-1]):
        kept.pop()
    text = "".join(kept).strip(" ,，;；、-–—:：")
    return replace(item, text=text) if len(content(text)) >= LEAST_CONTENT and text != item.text else item


def _tells(clause: str) -> bool:
    told = details(clause)
    return told.has("number", "date", "time", "code", "name") or told.denies or says_what_holds(clause)


def _also_stale(old: Details, new: Details) -> list[Value]:
    """Further values that have a new one with the same unit."""
    mine = _values(new)
    return [
        value
        for value in old.values
        if value.type == "number" and value.units and (value.type, value.value) not in mine
        if any(other.type == "number" and other.units & value.units for other in new.values)
    ]


def _without(text: str, stale: Sequence[Value]) -> str:
    kept = [clause for clause in _clauses(text) if not any(_has(clause, value) for value in stale)]
    return "".join(kept).strip(" ,，;；、-–—")


def _clause_of(text: str, value: Value) -> str:
    return next((clause for clause in _clauses(text) if _has(clause, value)), text)


def _has(clause: str, value: Value) -> bool:
    return any(other.value == value.value for other in details(clause).values)


def _clauses(text: str) -> list[str]:
    """With the signs that end them."""
    cuts = [0, *(match.end() for match in _CLAUSE_END.finditer(text)), len(text)]
    return [text[start:end] for start, end in pairwise(cuts) if end > start]


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
        if old.item.message_id != one.item.message_id and one.details.content & old.details.content
        if old.item.kind == "next_step" or OPEN.search(old.item.text)
    ]
    for common, alike, old in open_steps:
        shared = len(one.details.content & old.details.content)
        names = _values(one.details) & _values(old.details)
        if (shared >= 2 and alike >= 0.3) or (shared >= 1 and names and alike >= 0.2) or (alike >= 0.5 and common > 0):
            held.remove(old)
