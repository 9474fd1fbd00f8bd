"""Entries as JSON lines: out of one home, into another, with nothing lost.

The first line is `{"format": "localagent memory 1"}`; each other line is an entry with all its fields, the oldest
first. `corrects_in_part`, where there are any, are the ids of those that it corrects a part of. Texts are as they are
stored; times are epoch seconds. A thread or message that an entry comes from is named by its ids, which mean something
only in the home where it was written: `message_id` counts together with `thread_id`.

Messages do not travel. What was put away because somebody asked to forget it stays so, and where its message is there
too, that is not recalled either.
"""

from __future__ import annotations

import dataclasses
import hashlib
import json
import math
import re
import sqlite3
import time
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import cast

from localagent.errors import UsageError
from localagent.memory import hidden, partly
from localagent.memory.entries import Memory, NewMemory, State
from localagent.memory.entry_rows import COLUMNS, LAST_NUMBER, LAST_TIME, checked, choice, number, shown
from localagent.memory.memories import STATES, SqliteMemories
from localagent.memory.sources import stands

# Entries of one transaction, about half a second, and the pause in which others get their turn.
AT_ONCE = 1000
PAUSE_S = 0.05
FORMAT = "localagent memory 1"
CORRECTS = "corrects_in_part"

_ID = re.compile(r"[0-9a-z]{4,64}")
# What some programs take for the end of a line, and JSON does not escape.
_LINE_ENDS = {0x85: "\\u0085", 0x2028: "\\u2028", 0x2029: "\\u2029"}
_MAY_BE_NONE = ("message_id", "due_at", "valid_to")
# The largest value of each; all others are texts, but for `pinned`.
_WHOLE = {"message_id": LAST_NUMBER, "access_count": 2**53, "association_count": 2**53}
_TIMES = ("created_at", "valid_from", "valid_to", "accessed_at", "due_at")
_NUMBERS = {"importance": 1.0, "emotion": 1.0, "decay_rate": math.inf, **dict.fromkeys(_TIMES, LAST_TIME)}
_NAMES = {bool: "true or false", str: "a text"}
_HINT = "Nothing was imported. The file is to be as `localagent memory export` writes it."


@dataclass(frozen=True, slots=True)
class Imported:
    """How many entries were not here before, are now as they were in the file, and stayed as they are here."""

    added: int
    updated: int
    unchanged: int


@dataclass(frozen=True, slots=True)
class _Read:
    """An entry of a file, and the ids of those that it corrects a part of."""

    memory: Memory
    corrects: tuple[str, ...]


def export_lines(memories: SqliteMemories, *, states: Sequence[State] = STATES) -> Iterator[str]:
    """Lines without their ends, of one moment."""
    with memories.database.transaction("DEFERRED"):
        found = memories.select(states=states)
        marks = partly.marks(memories.database, memories.tenant)
    yield json.dumps({"format": FORMAT})
    for memory in sorted(found, key=lambda memory: (memory.created_at, memory.id)):
        beside = {CORRECTS: marks[memory.id]} if memory.id in marks else {}
        yield json.dumps({**dataclasses.asdict(memory), **beside}, ensure_ascii=False).translate(_LINE_ENDS)


def import_lines(memories: SqliteMemories, lines: Iterable[str]) -> Imported:
    """Importing the same again changes nothing. A damaged line is a UsageError that names it, and nothing is imported.

    Where an entry with the same id is here already and says something else, the newer of the two is kept: the one with
    the latest date (written, used, begun or ceased to hold), then the one used more often, then the one that is here.
    Each thousand is one transaction, so that others can write meanwhile: what stops in the middle is done again.
    """
    entries = _parsed(lines)
    importing = _Importing(memories, entries)
    counts = dict.fromkeys(("added", "updated", "unchanged"), 0)
    for start in range(0, len(entries), AT_ONCE):
        if start:
            time.sleep(PAUSE_S)
        with memories.database.transaction() as connection:
            for read in entries[start : start + AT_ONCE]:
                counts[importing.put(connection, read.memory)] += 1
    return Imported(**counts)


class _Importing:
    """Entries of a file on their way. Which part of which they correct comes with the last of the two that is taken."""

    def __init__(self, memories: SqliteMemories, entries: Sequence[_Read]) -> None:
        self._memories = memories
        self._ids = [read.memory.id for read in entries]
        self._pairs: dict[str, list[tuple[str, str]]] = {}
        for read in entries:
            for older in read.corrects:
                for one in {older, read.memory.id}:
                    self._pairs.setdefault(one, []).append((older, read.memory.id))

    def put(self, connection: sqlite3.Connection, read: Memory) -> str:
        superseded_by = _id_here(self._memories, read.superseded_by)
        memory = replace(read, id=_id_here(self._memories, read.id), superseded_by=superseded_by)
        present = self._memories.find(memory.id)
        if present is not None and (memory == present or _newness(memory) <= _newness(present)):
            return "unchanged"
        self._memories.put(connection, memory, new=present is None)
        pairs = {
            (_id_here(self._memories, older), _id_here(self._memories, newer))
            for older, newer in self._pairs.get(read.id, ())
        }
        if present is not None:
            gone = partly.marks_of(self._memories.database, memory.id) - pairs
            partly.unmark(connection, [pair for pair in gone if self._here.issuperset(pair)])
        partly.mark(connection, pairs)
        here = stands(self._memories.database, memory)
        if present is not None and hidden.is_put_away(present) and not hidden.is_put_away(memory):
            hidden.show_again(connection, memory.id)
        elif here and hidden.is_put_away(memory) and (present is None or not hidden.is_put_away(present)):
            hidden.hide_entry(connection, memory, memory_id=memory.id)
        elif present is not None and present.text != memory.text and here:
            hidden.reword(connection, present, memory, ())
        return "updated" if present is not None else "added"

    @cached_property
    def _here(self) -> frozenset[str]:
        """What the file knows of, by its ids here."""
        return frozenset(_id_here(self._memories, memory_id) for memory_id in self._ids)


def _id_here(memories: SqliteMemories, memory_id: str) -> str:
    """Under which id an entry of the file is here. Its own, unless that is another tenant's: then one that follows
    from the two, the same whenever it is imported."""
    if not memory_id or memories.find(memory_id) is not None:
        return memory_id
    digest = hashlib.sha256(f"{memory_id} {memories.tenant}".encode()).hexdigest()
    other = memory_id[:6] + digest[:10]
    taken = memories.find(other) or memories.database.query("SELECT 1 FROM memories WHERE id = ?", (memory_id,))
    return other if taken else memory_id


def _newness(memory: Memory) -> tuple[float, int]:
    dates = (memory.created_at, memory.valid_from, memory.valid_to or 0.0, memory.accessed_at)
    return max(dates), memory.access_count


def _parsed(lines: Iterable[str]) -> list[_Read]:
    entries: list[_Read] = []
    header = False
    for position, line in enumerate(lines, 1):
        text = line.removeprefix("\ufeff").strip()
        if not text:
            continue
        try:
            data = json.loads(text)
            if not isinstance(data, dict):
                raise UsageError("it is no JSON object")
            if header:
                corrects = _corrects(data.pop(CORRECTS, []))
                entries.append(_Read(_memory(data), corrects))
            elif data != {"format": FORMAT}:
                raise UsageError(f'the first line is not {{"format": "{FORMAT}"}}')
            header = True
        except UsageError as error:
            raise UsageError(f"line {position}: {error.message}", hint=_HINT) from error
        except (ValueError, RecursionError) as error:
            raise UsageError(f"line {position}: it is no JSON ({error})", hint=_HINT) from error
    if not header:
        raise UsageError("there is nothing in it to import", hint=_HINT)
    return entries


def _memory(data: Mapping[str, object]) -> Memory:
    """Raises UsageError."""
    strange = [name for name in data if name not in COLUMNS]
    missing = [name for name in COLUMNS if name not in data]
    if strange or missing:
        raise UsageError(f"unknown field {shown(strange[0])}" if strange else f"no field {missing[0]!r}")
    values = {name: _typed(name, data[name]) for name in COLUMNS}
    for name in ("id", "superseded_by"):
        if not _ID.fullmatch(str(values[name])) and (name == "id" or values[name]):
            raise UsageError(f"{name} is no id: {shown(str(values[name]))}")
    memory = Memory(**values)  # type: ignore[arg-type]  # each is what its name says
    if choice("state", memory.state) == "active" and memory.superseded_by:
        raise UsageError("an active entry is superseded by none")
    new = checked(NewMemory(**{field.name: values[field.name] for field in dataclasses.fields(NewMemory)}))  # type: ignore[arg-type]
    cleaned = {name: getattr(new, name) for name in ("text", "agent", "thread_id", "evidence", "source")}
    return replace(memory, **cleaned)


def _corrects(value: object) -> tuple[str, ...]:
    """Raises UsageError."""
    if not isinstance(value, list) or not all(isinstance(one, str) and _ID.fullmatch(one) for one in value):
        raise UsageError(f"{CORRECTS} is a list of ids, not {shown(str(value))}")
    return tuple(value)


def _typed(name: str, value: object) -> object:
    """A field's value as it is stored. Raises UsageError."""
    if value is None and name in _MAY_BE_NONE:
        return None
    if name in _WHOLE:
        if isinstance(value, bool) or not isinstance(value, int) or not 0 <= value <= _WHOLE[name]:
            raise UsageError(f"{name} is a whole number, not {shown(str(value))}")
        return value
    if name in _NUMBERS:
        return number(name, cast("float", value), _NUMBERS[name])
    kind = bool if name == "pinned" else str
    if not isinstance(value, kind):
        raise UsageError(f"{name} is {_NAMES[kind]}, not {shown(str(value))}")
    return value
