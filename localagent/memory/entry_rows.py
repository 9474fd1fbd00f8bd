"""How an entry is kept: its row in the ledger, and the form in which its texts and numbers get there."""

from __future__ import annotations

import dataclasses
import hashlib
import math
import re
import unicodedata
from collections.abc import Sequence
from dataclasses import replace
from typing import cast, get_args

from localagent.errors import UsageError
from localagent.memory.database import Row, Value
from localagent.memory.entries import DECAY, IMPORTANCE, Kind, Memory, NewMemory, Origin, Scope, State, Subject
from localagent.messages import new_id

# Characters of an entry. What is longer is a document, and documents are taken in by pieces.
MAX_TEXT = 100_000
# The end of the year 9999, in epoch seconds: what calendars can show.
LAST_TIME = 253_402_300_799.0
# The largest number that SQLite keeps as one.
LAST_NUMBER = 2**63 - 1

# In the order of the row, which is the order of the fields of `Memory`.
COLUMNS = tuple(field.name for field in dataclasses.fields(Memory))
SELECT = f"SELECT {', '.join(COLUMNS)} FROM memories"
_PINNED = COLUMNS.index("pinned")

_CHOICES: dict[str, tuple[str, ...]] = {
    "kind": get_args(Kind),
    "origin": get_args(Origin),
    "scope": get_args(Scope),
    "subject": get_args(Subject),
    "state": get_args(State),
}
_UNSTORABLE = re.compile("[\x00\ud800-\udfff]")
# For filters: as the passages of an entry have it.
FIELDS = {
    "source": "'memory'",
    "kind": "kind",
    "origin": "origin",
    "scope": "scope",
    "agent": "agent",
    "thread_id": "thread_id",
    "speaker": "''",
    "said_at": "valid_from",
}


def plain(text: str) -> str:
    """SQLite's text is UTF-8: what that cannot hold (undecodable bytes of a command line) becomes a question mark."""
    return text.encode("utf-8", "replace").decode("utf-8")


def shown(text: str) -> str:
    """What somebody gave, for an error message."""
    return repr(text) if len(text) <= 40 else f"{text[:40]!r}…"


def clean(text: str) -> str:
    """NFC without outer white space; NUL and lone surrogates, which no UTF-8 text has, as U+FFFD."""
    return unicodedata.normalize("NFC", _UNSTORABLE.sub("\ufffd", text)).strip()


def clean_text(text: str) -> str:
    """The text of an entry. UsageError if nothing is left of it, or more than 100,000 characters."""
    cleaned = clean(text)
    if not cleaned:
        raise UsageError("there is nothing in it to remember", hint="Give some text.")
    if len(cleaned) > MAX_TEXT:
        raise UsageError(
            f"an entry has at most {MAX_TEXT:,} characters; this one has {len(cleaned):,}",
            hint="Save it as a file and take that in: localagent memory ingest FILE",
        )
    return cleaned


def digest_of(text: str) -> str:
    """Equal for texts that say the same in the same words: white space and a last full stop do not count. All else
    does (case, signs, small words such as "not"), since each can be what a newer statement corrects."""
    return hashlib.sha256(" ".join(text.split()).rstrip(".。").encode("utf-8", "replace")).hexdigest()[:32]


def choice(field: str, value: str) -> str:
    """UsageError unless the field may have this value."""
    if value not in _CHOICES[field]:
        raise UsageError(f"there is no {field} {shown(str(value))}", hint=f"There are: {', '.join(_CHOICES[field])}.")
    return value


def number(field: str, value: float, most: float) -> float:
    """UsageError unless the value lies between 0 and `most`."""
    if isinstance(value, bool) or not isinstance(value, int | float) or not (0 <= value <= most):
        limit = "" if most == math.inf else f" and at most {most:.10g}"
        raise UsageError(f"{field} is a number of at least 0{limit}, not {shown(str(value))}")
    if not math.isfinite(value):
        raise UsageError(f"{field} is a number, not {value}")
    return float(value)


def checked(new: NewMemory) -> NewMemory:
    """As it is stored, with importance and decay filled in. UsageError for what cannot be an entry."""
    for field in ("kind", "origin", "scope", "subject"):
        choice(field, getattr(new, field))
    if new.scope == "thread" and not (new.thread_id or new.message_id is not None):
        raise UsageError("an entry that counts in one thread alone must name the thread")
    importance = IMPORTANCE[new.kind] if new.importance is None else new.importance
    decay = DECAY[new.kind] if new.decay_rate is None else new.decay_rate
    return replace(
        new,
        text=clean_text(new.text),
        agent=plain(new.agent),
        thread_id=plain(new.thread_id),
        evidence=clean(new.evidence),
        source=clean(new.source),
        importance=number("importance", importance, 1.0),
        decay_rate=number("decay_rate", decay, math.inf),
        emotion=number("emotion", new.emotion, 1.0),
        due_at=None if new.due_at is None else number("due_at", new.due_at, LAST_TIME),
    )


def fresh(new: NewMemory, now: float, valid_from: float | None = None) -> Memory:
    """The entry that becomes of what `checked` has seen."""
    assert new.importance is not None and new.decay_rate is not None  # filled in by `checked`
    return Memory(
        id=new_id(),
        kind=new.kind,
        text=new.text,
        origin=new.origin,
        scope=new.scope,
        subject=new.subject,
        agent=new.agent,
        thread_id=new.thread_id,
        message_id=new.message_id,
        evidence=new.evidence,
        source=new.source,
        importance=new.importance,
        decay_rate=new.decay_rate,
        emotion=new.emotion,
        pinned=new.pinned,
        due_at=new.due_at,
        state="active",
        superseded_by="",
        created_at=now,
        valid_from=now if valid_from is None else valid_from,
        valid_to=None,
        accessed_at=now,
        access_count=0,
        association_count=0,
    )


def of_kind(memory: Memory, kind: Kind) -> Memory:
    """The same with another kind: importance and decay follow where they were the old kind's own."""
    choice("kind", kind)
    return replace(
        memory,
        kind=kind,
        importance=IMPORTANCE[kind] if memory.importance == IMPORTANCE[memory.kind] else memory.importance,
        decay_rate=DECAY[kind] if memory.decay_rate == DECAY[memory.kind] else memory.decay_rate,
    )


def memory_of(row: Row) -> Memory:
    """Raises ValueError or TypeError for a row that no localagent wrote."""
    values = cast("list[object]", list(row))
    values[_PINNED] = bool(values[_PINNED])
    memory = Memory(*values)  # type: ignore[arg-type]  # checked below
    for field, choices in _CHOICES.items():
        if getattr(memory, field) not in choices:
            raise ValueError(f"{field} {getattr(memory, field)!r}")
    for field in ("importance", "decay_rate", "emotion", "created_at", "valid_from", "accessed_at"):
        if not isinstance(getattr(memory, field), float):
            raise TypeError(f"{field} {getattr(memory, field)!r}")
    return memory


def insertion(memory: Memory, tenant: str) -> tuple[str, tuple[Value, ...]]:
    """The statement that stores a new entry, and its parameters."""
    marks = ", ".join("?" * (len(COLUMNS) + 2))
    return f"INSERT INTO memories ({', '.join(COLUMNS)}, tenant, digest) VALUES ({marks})", _values(memory, tenant)


def replacement(memory: Memory, tenant: str) -> tuple[str, tuple[Value, ...]]:
    """The statement that stores an entry in the place of the one with its id, and its parameters."""
    settings = " = ?, ".join(COLUMNS)
    sql = f"UPDATE memories SET {settings} = ?, tenant = ?, digest = ? WHERE id = ? AND tenant = ?"
    return sql, (*_values(memory, tenant), memory.id, tenant)


def _values(memory: Memory, tenant: str) -> tuple[Value, ...]:
    return (*(getattr(memory, name) for name in COLUMNS), tenant, digest_of(memory.text))


def marks(values: Sequence[object]) -> str:
    """A question mark for each, for SQL."""
    return ", ".join("?" * len(values))
