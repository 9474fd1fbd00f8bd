"""What one entry is to another: a repetition, a correction, something close, or something else."""

from __future__ import annotations

import re

from localagent.memory.entries import Kind, Memory, NewMemory
from localagent.slots import alternative, given_up, prefers, slot_of
from localagent.statements import (
    CLOSE_SHARE,
    Relation,
    Statement,
    measures,
    moves,
    refines,
    repeats,
    reverses,
    same_details,
    share,
    stem,
)

# Kinds that may say the same as one another.
COMPARED: dict[Kind, tuple[Kind, ...]] = {
    "preference": ("preference", "style", "habit"),
    "style": ("style", "preference"),
    "habit": ("habit", "preference"),
    "profile": ("profile", "fact", "relationship"),
    "relationship": ("relationship", "profile", "fact"),
    "decision": ("decision", "fact", "event"),
    "fact": ("fact", "decision", "event", "profile", "relationship"),
    "event": ("event", "fact", "decision", "todo"),
    "todo": ("todo", "event"),
}
_DOING = re.compile(r"\b(?:i|we)\b|我|咱", re.IGNORECASE)
# Done on one day as well as on another.
_RECURRING: tuple[Kind, ...] = ("habit", "preference", "style", "profile", "relationship")
_DAY_S = 86_400.0
# What is said in choosing, whatever is chosen.
_CHOOSING = frozenset("like us use go pick choos stick switch with drink eat team out 喝 吃 看 用 选 采 于 择".split())
_ONE_OF_SEVERAL = re.compile(r"\b(?:a|an|another|one more|some)\b|一个|一场|一次|另(?:外)?一|还有", re.IGNORECASE)


def relation(new: NewMemory, text: Statement, old: Memory | NewMemory, old_text: Statement, corrects: bool) -> Relation:
    """What `new` is to `old`. `corrects`: its words say that something else held before."""
    if old.kind not in COMPARED.get(new.kind, (new.kind,)) or _another_occasion(new, text, old, old_text):
        return "other"
    if repeats(text, old_text):
        # Said again with another day meant by "tomorrow".
        return "newer" if _days_apart(new, old) >= 1 or (new.kind != old.kind and _ranks(new, old)) else "same"
    if new.kind == "emotion":
        return "other"
    if refines(text, old_text) or (reverses(text, old_text) and not _other_day(text, old_text)):
        return "newer"
    slot, old_slot = slot_of(new.kind, new.text), slot_of(old.kind, old.text)
    if slot is not None and old_slot is not None:
        if slot.name == old_slot.name:
            if slot.value == old_slot.value and text.denies == old_text.denies:
                return "same"
            return "newer" if slot.sure or corrects else "close"
        if not slot.sure or not old_slot.sure:
            return "close" if corrects and share(text, old_text) >= CLOSE_SHARE else "other"
        return "other"  # of different things
    gone = given_up(new.text)
    if corrects and gone and gone <= old_text.content and not old_text.denies:
        return "newer"
    if moves(text, old_text):
        return _moved(new, text, old_text, corrects)
    if corrects and measures(text, old_text):
        return "newer"
    return _choice(new, text, old, old_text, corrects)


def _moved(new: NewMemory, text: Statement, old_text: Statement, corrects: bool) -> Relation:
    """Of the same words with other numbers or days: one thing at another time, or another one."""
    if corrects:
        return "newer"
    if text.days != old_text.days and new.kind in _RECURRING:
        return "other"
    several = _ONE_OF_SEVERAL.search(new.text) or (text.days != old_text.days and _DOING.search(new.text))
    return "close" if several else "newer"


def _choice(new: NewMemory, text: Statement, old: Memory | NewMemory, old_text: Statement, corrects: bool) -> Relation:
    """Of wishes and decisions, that choose one of several: another choice of the same."""
    if text.denies != old_text.denies:
        return "other"
    if new.kind not in ("preference", "decision", "habit", "style"):
        if len(text.content & old_text.content) < 3 or share(text, old_text) < CLOSE_SHARE:
            return "other"
        if new.kind == "todo" or not same_details(text, old_text):
            return "other"
        return "newer" if corrects else "close"  # the same in all but a word
    chosen, before = alternative(new.text), alternative(old.text)
    if chosen is not None and before is not None:
        if chosen.of != before.of or chosen.what == before.what:
            return "other"
        exclusive = new.kind == "decision" or corrects or (prefers(new.text) and prefers(old.text))
        if not exclusive:
            return "other"
        beside = text.content - _CHOOSING - _parts(chosen.word)
        before_beside = old_text.content - _CHOOSING - _parts(before.word)
        if beside == before_beside or (corrects and beside <= before_beside):
            return "newer"
        return "other" if beside and before_beside and not beside & before_beside else "close"
    common = (text.content & old_text.content) - _CHOOSING
    if len(common) >= 2 and share(text, old_text) >= CLOSE_SHARE:
        return "newer" if corrects and same_details(text, old_text) else "close"
    return "other"


def _parts(word: str) -> frozenset[str]:
    """The word as it stands among the content of a statement."""
    return frozenset((stem(word),)) if word.isascii() else frozenset(word)


def _another_occasion(new: NewMemory, text: Statement, old: Memory | NewMemory, old_text: Statement) -> bool:
    """Two appointments in the same words: "the meeting tomorrow", said on another day."""
    return new.kind == old.kind == "event" and text.days == old_text.days and _days_apart(new, old) >= 1


def _other_day(text: Statement, old_text: Statement) -> bool:
    return bool(text.days and old_text.days) and text.days != old_text.days


def _days_apart(new: NewMemory, old: Memory | NewMemory) -> float:
    """Between the moments when they fall due; 0 where one has none."""
    return abs(new.due_at - old.due_at) / _DAY_S if new.due_at is not None and old.due_at is not None else 0.0


def _ranks(new: NewMemory, old: Memory | NewMemory) -> bool:
    """Whether the same words mean more as what they are now: a fact that was decided."""
    order = ("fact", "event", "habit", "todo", "profile", "relationship", "decision", "style", "preference")
    return new.kind in order and old.kind in order and order.index(new.kind) > order.index(old.kind)
