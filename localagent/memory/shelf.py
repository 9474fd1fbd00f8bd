"""Where passages stand: rows that are numbered so that neighbours stand side by side, and the words of each.

`row` is stream << 24 | position. What follows one another has consecutive rows; after six hours of silence a new
session begins, eight rows further on, so that nothing of one is a neighbour of the other.
"""

from __future__ import annotations

import json
import sqlite3
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import TypeAlias, cast

from localagent.memory.database import Row, Value
from localagent.memory.language import date_words, names_time, question_share, words
from localagent.memory.pieces import Piece, local_day

SHIFT = 24
GAP = 8
SILENCE_S = 6 * 3600.0
# How far away words still count: the columns `near` (one row) and `far` (two).
_REACH = 2

# What a row holds, without its place (`row` and `session`).
_COLUMNS = (
    "key", "tenant", "source", "memory_id", "message_id", "part", "kind", "origin", "scope", "agent", "thread_id",
    "speaker", "said_at", "text", "asks", "ends_asking", "times",
)  # fmt: skip
_SAID_AT = _COLUMNS.index("said_at")
_KEY, _PART = _COLUMNS.index("key"), _COLUMNS.index("part")
# What the vector is made of; of the others, what an index holds beside it.
_EMBEDDED = [_COLUMNS.index(column) for column in ("speaker", "text")]
_CONTENT: TypeAlias = tuple[Value, ...]

_INSERT = f"INSERT INTO passages (row, session, {', '.join(_COLUMNS)}) VALUES (?, ?{', ?' * len(_COLUMNS)})"
_UPDATE = f"UPDATE passages SET {', '.join(f'{column} = ?' for column in _COLUMNS)} WHERE row = ?"
_SELECT = f"SELECT row, {', '.join(_COLUMNS)} FROM passages"


@dataclass(frozen=True, slots=True)
class Owner:
    """What all pieces of a message, of an entry or of an imported line have in common: in which stream they stand
    (its key), how their keys begin ("": as their row), and what is known of them."""

    stream: str
    key: str
    source: str
    kind: str
    scope: str
    agent: str
    thread_id: str
    said_at: float
    memory_id: str | None = None
    message_id: int | None = None


@dataclass(slots=True)
class _Stream:
    id: int
    last_row: int | None
    session: int
    said_at: float
    last_message: int


class Shelf:
    """The passages of one tenant, inside one write transaction; `finish` before it ends."""

    def __init__(self, connection: sqlite3.Connection, tenant: str, home_id: str) -> None:
        self._connection = connection
        self._tenant = tenant
        self._home_id = home_id
        self._touched: set[int] = set()
        self.written = 0

    def put(self, owner: Owner, pieces: Sequence[Piece]) -> list[int]:
        """Bring the passages of a message or entry to these pieces (none: they are removed). Those that stay the same
        keep their vectors. Returns the rows."""
        old = self._of(owner)
        contents = [self._content(owner, part, piece) for part, piece in enumerate(pieces)]
        for (row, *was), content in zip(old, contents, strict=False):
            self._replace(cast("int", row), tuple(was), content)
        rows = [cast("int", row) for row, *_ in old]
        self.remove(rows[len(contents) :])
        rows = rows[: len(contents)]
        if len(contents) > len(rows):
            stream = self._stream(owner.stream)
            # A message that grew while others already followed it: they make room.
            later = self._take_later(stream, owner, rows)
            rows += self._append(stream, contents[len(rows) :])
            self._append(stream, later)
        return rows

    def remove(self, rows: Iterable[int]) -> None:
        for row in rows:
            self._connection.execute("DELETE FROM passages WHERE row = ?", (row,))
            self._touch(row)

    def finish(self) -> None:
        """Write the words of what has changed, and of what stands beside it."""
        wanted = sorted({row + step for row in self._touched for step in range(-_REACH, _REACH + 1)})
        sql = (
            "SELECT p.row, p.speaker, p.text, p.said_at, m.due_at FROM passages p "
            "LEFT JOIN memories m ON m.id = p.memory_id WHERE p.row IN (SELECT value FROM json_each(?))"
        )
        said: dict[int, str] = {}
        dates: dict[int, str] = {}
        for row, speaker, text, said_at, due_at in self._connection.execute(sql, (json.dumps(wanted),)):
            said[row] = " ".join(words(f"{speaker} {text}"))
            days = [local_day(time) for time in (said_at, due_at) if time is not None]
            dates[row] = " ".join(date_words(day) for day in days if day)
        for row in sorted(self._touched & said.keys()):
            near, far = (f"{said.get(row - step, '')} {said.get(row + step, '')}" for step in (1, 2))
            self._connection.execute(
                "INSERT OR REPLACE INTO passage_words (rowid, body, near, far) VALUES (?, ?, ?, ?)",
                (row, f"{said[row]} {dates[row]}", near, far),
            )
        self._touched.clear()

    def _of(self, owner: Owner) -> list[Row]:
        if owner.memory_id is not None:
            found = self._connection.execute(f"{_SELECT} WHERE memory_id = ? ORDER BY part", (owner.memory_id,))
        elif owner.message_id is not None:
            found = self._connection.execute(f"{_SELECT} WHERE message_id = ? ORDER BY part", (owner.message_id,))
        else:
            return []
        return found.fetchall()

    def _content(self, owner: Owner, part: int, piece: Piece) -> _CONTENT:
        asks, ends_asking = question_share(piece.text)
        return (
            f"{owner.key}.{part}" if owner.key else "",
            self._tenant,
            owner.source,
            owner.memory_id,
            owner.message_id,
            part,
            owner.kind,
            piece.origin,
            owner.scope,
            owner.agent,
            owner.thread_id,
            piece.speaker,
            owner.said_at,
            piece.text,
            asks,
            int(ends_asking),
            int(names_time(piece.text)),
        )

    def _replace(self, row: int, was: _CONTENT, content: _CONTENT) -> None:
        self._touch(row)
        if was == content:
            return
        self._connection.execute(_UPDATE, (*content, row))
        if any(was[at] != content[at] for at in _EMBEDDED):
            self._connection.execute("DELETE FROM vectors WHERE row = ?", (row,))
            self._connection.execute("DELETE FROM failures WHERE row = ?", (row,))
        else:
            # The index holds the old values beside the vector.
            self._connection.execute("UPDATE vectors SET generation = 0 WHERE row = ?", (row,))

    def _stream(self, key: str) -> _Stream:
        """With its last row, wherever that is by now."""
        self._connection.execute("INSERT OR IGNORE INTO streams (key) VALUES (?)", (key,))
        (number,) = self._connection.execute("SELECT id FROM streams WHERE key = ?", (key,)).fetchone()
        last = self._connection.execute(
            "SELECT row, session, said_at, coalesce(message_id, 0) FROM passages WHERE row BETWEEN ? AND ? "
            "ORDER BY row DESC LIMIT 1",
            (number << SHIFT, (number + 1 << SHIFT) - 1),
        ).fetchone()
        if last is None:
            return _Stream(number, None, 0, 0.0, 0)
        row, session, said_at, message_id = last
        return _Stream(number, row, int(session.rpartition("/")[2]), said_at, message_id)

    def _take_later(self, stream: _Stream, owner: Owner, rows: Sequence[int]) -> list[_CONTENT]:
        """Take off what stands after the place where more pieces of a message belong, to be put back after them."""
        if owner.message_id is None or stream.last_row is None or stream.last_message <= owner.message_id:
            return []
        found = self._connection.execute(
            f"{_SELECT} WHERE row BETWEEN ? AND ? AND message_id > ? ORDER BY row",
            (rows[-1] + 1 if rows else stream.id << SHIFT, stream.last_row, owner.message_id),
        ).fetchall()
        self.remove(row for row, *_ in found)
        (key,) = self._connection.execute("SELECT key FROM streams WHERE id = ?", (stream.id,)).fetchone()
        before = self._stream(key)
        stream.last_row, stream.session, stream.said_at = before.last_row, before.session, before.said_at
        return [tuple(content) for _, *content in found]

    def _append(self, stream: _Stream, contents: Iterable[_CONTENT]) -> list[int]:
        rows = []
        for content in contents:
            said_at = cast("float", content[_SAID_AT])
            if stream.last_row is None:
                row = stream.id << SHIFT
            elif said_at - stream.said_at > SILENCE_S:
                row = stream.last_row + GAP
                stream.session += 1
            else:
                row = stream.last_row + 1
            key = content[_KEY] or f"{self._home_id}.s{row}.{cast('int', content[_PART])}"
            place = (row, f"{stream.id}/{stream.session}")
            self._connection.execute(_INSERT, (*place, key, *content[1:]))
            # It may have had another row before: its key is in use all the same.
            self._connection.execute("DELETE FROM removed_keys WHERE key = ? AND tenant = ?", (key, self._tenant))
            stream.last_row, stream.said_at = row, said_at
            self._touch(row)
            rows.append(row)
            self.written += 1
        return rows

    def _touch(self, row: int) -> None:
        self._touched.update(range(row - _REACH, row + _REACH + 1))
