"""What one entry is to another: a repetition, a correction, something close, or something else."""

from __future__ import annotations

import re
from dataclasses import replace

from localagent.changes import (
    Change,
    adds,
    change_in,
    changes_work,
    distinct,
    gives_up,
    label_of,
    undoes,
)
from localagent.contrasts import corrects_value
from localagent.deaths import dies
from localagent.endings import ends, takes_instead
from localagent.facets import changes
from localagent.in_part import is_exception, only_once, touches
from localagent.memory.entries import Kind, Memory, NewMemory
from localagent.misspoken import said_by_mistake
from localagent.persons import in_full, of_whom, person_in
from localagent.same_thing import of_different_things, speaks_of_another
from localagent.slots import alternative, prefers, slot_of
from localagent.statements import (
    CLOSE_SHARE,
    Relation,
    Statement,
    kinds_of_values,
    measures,
    moves,
    refines,
    repeats,
    reverses,
    same_details,
    share,
    statement,
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
DOING = re.compile(r"\b(?:i|we)\b|我|咱", re.IGNORECASE)
# Done on one day as well as on another.
_RECURRING: tuple[Kind, ...] = ("habit", "preference", "style", "profile", "relationship")
# What corrects something may be of another kind than what it corrects: "我换工作了", of where somebody works.
CORRECTED: dict[Kind, tuple[Kind, ...]] = {
    "event": ("profile", "habit", "relationship", "todo"),
    "habit": ("profile", "event"),
    "profile": ("habit", "event", "preference"),
    "preference": ("profile", "habit"),
    "relationship": ("event",),
    "decision": ("todo", "habit"),
    "fact": ("habit",),
    "todo": ("decision", "fact"),
}
_DAY_S = 86_400.0
_CLAUSE = re.compile(r"[,;，；](?= ?[^\d\s])")
# How a value changes, and by whose doing, whatever it is of.
_CHANGING = frozenset(
    "go up down rais cut doubl triple halv lower increas decreas reduc drop fall fell rise rose bump put set "
    "doctor gp they 涨 降 加 减 升 调 到 至 满 翻 倍 医 生 给".split()
)
_WRITTEN_UNITS = frozenset("毫 克 公 斤 元 块".split())
# What is done again and again is done so, whatever it is.
_ROUTINE = frozenset("go do have play tak attend pay us 上 学 练 打 去 做 每 有 吃".split())
# What is said in choosing, whatever is chosen.
_CHOOSING = frozenset("like us use go pick choos stick switch with drink eat team out 喝 吃 看 用 选 采 于 择".split())
_PONDERING = frozenset("chang mind second thought thoughts think 主 意 改 想 换 变".split())
_SOMEBODY = re.compile(
    r"\b(?:i|we|you|he|she|they|my|our|me|us|his|her|their)\b|[我咱你您他她]|^(?!the\b|that\b)[a-z]", re.IGNORECASE
)
_ONE_OF_SEVERAL = re.compile(r"\b(?:a|an|another|one more|some)\b|一个|一场|一次|另(?:外)?一|还有", re.IGNORECASE)


def relation(new: NewMemory, text: Statement, old: Memory | NewMemory, old_text: Statement, corrects: bool) -> Relation:
    """What `new` is to `old`. `corrects`: its words say that something else held before."""
    if dies(new.text, old.text):
        return "part"
    found = _relation(new, text, old, old_text, corrects)
    if found not in ("other", "close"):
        return found
    if takes_instead(new.text, old.text):
        return "alone"
    if (corrected := corrects_value(new, old)) is not None:
        return corrected
    if ends(new.text, old.text):
        return "part"
    if found == "other" and touches(new, old) and not speaks_of_another(new.text, old.text):
        return "part"
    return found


def _relation(
    new: NewMemory, text: Statement, old: Memory | NewMemory, old_text: Statement, corrects: bool
) -> Relation:
    if corrects and said_by_mistake(new, old):
        return "alone"
    if (full := in_full(new.text, old.text)) != new.text:
        new, text = replace(new, text=full), statement(full)
    kindred = old.kind in COMPARED.get(new.kind, (new.kind,))
    if not kindred and not (corrects and old.kind in CORRECTED.get(new.kind, ())):
        return "other"
    if not _of_the_same(new, old.text, corrects) or speaks_of_another(new.text, old.text):
        return "other"
    person, before = person_in(new.text), person_in(old.text)
    if person.who == before.who:
        # "My friend ..." is no more in common than "I".
        text, old_text = statement(person.own), statement(before.own)
    if of_different_things(text.text, old_text.text):
        return "other"
    if is_exception(text, old_text, corrects) or (not corrects and _another_occasion(new, text, old, old_text)):
        return "other"
    if old.kind in _RECURRING and only_once(new.text, old.text):
        return "other"
    if kindred and repeats(text, old_text):
        # Said again with another day meant by "tomorrow".
        return "newer" if _days_apart(new, old) >= 1 or (new.kind != old.kind and _ranks(new, old)) else "same"
    if corrects and (of_life := changes(text, new.evidence, old_text)) is not None:
        return of_life
    change = change_in(new.text) if corrects else Change()
    if new.kind == "emotion" or (not change.gone and adds(new.text)):
        return "other"
    if refines(text, old_text) or (reverses(text, old_text) and not _other_day(text, old_text)):
        return "newer"
    if gives_up(change, text, old_text):
        return "newer"
    if old.kind in ("event", "todo", "decision") and undoes(text, old_text):
        return "alone"
    whole = text
    if change.gone and change.rest and not _of_one_slot(new, old):
        new = replace(new, text=change.rest)
        text = statement(change.rest)
    found = _value(new, text, old, old_text, corrects)
    if found is None and kindred:
        found = _choice(new, text, old, old_text, corrects)
    if not corrects or found not in (None, "close", "other"):
        return found or "other"
    alone = changes_work(whole, old_text) or (_retold(text, old_text) and not _of_other_slots(new, old))
    return "alone" if alone else found or "other"


def _of_the_same(new: NewMemory, other: str, corrects: bool) -> bool:
    """Whether they speak of the same person: where a part of a sentence names nobody, of whom that sentence does. "The
    surgery was cancelled" may be of anybody's."""
    said = new.text if _SOMEBODY.search(new.text) or not new.evidence else new.evidence
    who = of_whom(said)
    return who == of_whom(other) or (corrects and not who and not _SOMEBODY.search(said))


def _of_one_slot(new: NewMemory, old: Memory | NewMemory) -> bool:
    slot, old_slot = slot_of(new.kind, new.text), slot_of(old.kind, old.text)
    return slot is not None and old_slot is not None and slot.name == old_slot.name


def _of_other_slots(new: NewMemory, old: Memory | NewMemory) -> bool:
    """A job is no home: whether they give values of different things."""
    slot, old_slot = slot_of(new.kind, new.text), slot_of(old.kind, old.text)
    if slot is None or old_slot is None or slot.name == old_slot.name:
        return False
    about, before = set(slot.about.split()), set(old_slot.about.split())
    return not (about and before and (about <= before or before <= about))


def _value(
    new: NewMemory, text: Statement, old: Memory | NewMemory, old_text: Statement, corrects: bool
) -> Relation | None:
    """Of what one value holds at a time; None where that is not known."""
    slot, old_slot = slot_of(new.kind, new.text), slot_of(old.kind, old.text)
    if slot is not None and old_slot is not None:
        if slot.name == old_slot.name:
            if slot.value == old_slot.value and text.denies == old_text.denies:
                return "same"
            return "newer" if slot.sure or corrects else "close"
        if corrects and slot.about == old_slot.about and slot.about in (slot.name, old_slot.name):
            return "alone"  # of somebody who is named but once
        typed = slot.name.endswith(")") and old_slot.name.endswith(")")
        if not (corrects and typed and slot.about == old_slot.about != ""):
            return "other"  # of different things
    if text.content != old_text.content and _of_different_things(new.text, old.text):
        return "other"
    if _of_other_values(text, old_text):
        return "other"
    if moves(text, old_text):
        return _moved(new, text, old_text, corrects)
    return "newer" if corrects and measures(text, old_text) else None


def _of_different_things(text: str, other: str) -> bool:
    """Whether they name different things; of what is chosen ("Postgres", "MySQL") one is named in the other's place."""
    chosen, before = alternative(text), alternative(other)
    return distinct(text, other) and not (chosen and before and chosen.of == before.of)


def _retold(text: Statement, old_text: Statement) -> bool:
    """Whether it gives another time or amount of the same, in other words: it, or what it begins with ("the rate is ...
    now, old clients still pay ...")."""
    first = _CLAUSE.split(text.text, maxsplit=1)[0]
    return _gives_another(text, old_text) or (first != text.text and _gives_another(statement(first), old_text))


def _gives_another(text: Statement, old_text: Statement) -> bool:
    values, before = (text.numbers, text.days), (old_text.numbers, old_text.days)
    if text.denies != old_text.denies or values == before or not any(values) or not any(before):
        return False
    if _of_other_values(text, old_text) or _of_different_things(text.text, old_text.text):
        return False
    thing = text.content - _CHANGING
    units = frozenset(unit for unit in text.units if unit)
    if units and thing <= _WRITTEN_UNITS | units:
        return units <= old_text.content  # "they doubled it to 10 mg"
    common = thing & old_text.content
    if not common - units:
        return False
    whole = thing - units <= old_text.content or old_text.content - units - _ROUTINE <= thing
    return whole or share(text, old_text) >= CLOSE_SHARE


def _of_other_values(text: Statement, old_text: Statement) -> bool:
    """Whether one tells only the day, and the other only the time of day or an amount."""
    values, before = kinds_of_values(text), kinds_of_values(old_text)
    return bool(values and before) and not values & before


def _moved(new: NewMemory, text: Statement, old_text: Statement, corrects: bool) -> Relation:
    """Of the same words with other numbers or days: one thing at another time, or another one."""
    if corrects:
        return "newer"
    if text.days != old_text.days and new.kind in _RECURRING:
        return "other"
    several = _ONE_OF_SEVERAL.search(new.text) or (text.days != old_text.days and DOING.search(new.text))
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
    labelled = _labelled(new, text, old, old_text, corrects)
    if labelled is not None:
        return labelled
    chosen, before = alternative(new.text), alternative(old.text)
    if chosen is not None and before is not None:
        if chosen.of != before.of or chosen.what == before.what:
            return "other"
        exclusive = new.kind == "decision" or corrects or (prefers(new.text) and prefers(old.text))
        if not exclusive:
            return "other"
        beside = text.content - _CHOOSING - _parts(chosen.word)
        before_beside = old_text.content - _CHOOSING - _parts(before.word)
        if beside == before_beside or (corrects and (beside <= before_beside or beside > before_beside)):
            return "newer"
        return "other" if beside and before_beside and not beside & before_beside else "close"
    common = (text.content & old_text.content) - _CHOOSING
    if len(common) >= 2 and share(text, old_text) >= CLOSE_SHARE:
        return "newer" if corrects and same_details(text, old_text) else "close"
    return "other"


def _labelled(
    new: NewMemory, text: Statement, old: Memory | NewMemory, old_text: Statement, corrects: bool
) -> Relation | None:
    """Of "option B" and "option C"."""
    label, old_label = label_of(new.text), label_of(old.text)
    if label is None or old_label is None or label[0] != old_label[0]:
        return None
    if label[1] == old_label[1]:
        return "other"
    names = _parts(label[0]) | _parts(old_label[0]) | {label[1], old_label[1]} | _CHOOSING | _PONDERING
    beside, before = statement(new.text).content - names, old_text.content - names
    if beside == before or (corrects and (beside <= before or before <= beside)):
        return "newer"
    return "close" if beside & before else "other"


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
