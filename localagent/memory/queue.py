"""The queue of long-term memory: what is waiting, what failed and why, and how it is taken up again.

The queue is what the ledger lacks: messages without passages, passages without a vector, vectors outside the index.
Only failures are written down, and only for as long as they last, so that errors cannot fill the disk.
"""

from __future__ import annotations

import math
import sqlite3
from collections.abc import Sequence
from dataclasses import dataclass
from typing import cast

from localagent.memory.database import Database

# After the first and the second failure a passage waits as many seconds; after the third it is parked.
WAITS_S = (1.0, 10.0)
ATTEMPTS = len(WAITS_S) + 1
ERROR_LENGTH = 300

# A failure whose passage was embedded all the same (by another process, or just before a crash) is none.
_FAILURES = """
    FROM failures f JOIN passages p ON p.row = f.row
    WHERE p.tenant = ? AND (? IS NULL OR f.embedder_id = ?)
    AND NOT EXISTS (SELECT 1 FROM vectors v WHERE v.embedder_id = f.embedder_id AND v.row = f.row)
"""


@dataclass(frozen=True, slots=True)
class QueueState:
    """Counts of one tenant: `messages` not yet made into passages; `unread` messages nobody has looked through for
    memories; `passages` without a vector, those that are parked not counted; `index`: vectors and removals that the
    index does not have; `retrying` passages that failed and are tried again; `parked` ones that are not. `last_error`
    is of the passage that failed most often."""

    messages: int = 0
    unread: int = 0
    passages: int = 0
    index: int = 0
    retrying: int = 0
    parked: int = 0
    last_error: str = ""

    @property
    def waiting(self) -> int:
        """Everything that will be done without anybody's help."""
        return self.messages + self.unread + self.passages + self.index


@dataclass(frozen=True, slots=True)
class Parked:
    """A passage that is not tried again by itself, with the error of its last attempt. `source` is "memory" or
    "message", `key` the passage's; `text` its text."""

    row: int
    key: str
    source: str
    text: str
    error: str


def queue_state(database: Database, tenant: str, embedder_id: int | None) -> QueueState:
    """As it is at this moment. Without an embedder nothing waits for one: `passages` and `index` are 0."""
    queued = "SELECT count(*) FROM {} q JOIN messages m ON m.id = q.message_id JOIN threads t ON t.id = m.thread_id"
    counted = "count(*) FILTER (WHERE f.attempts < ?), count(*) FILTER (WHERE f.attempts >= ?)"
    with database.transaction("DEFERRED"):
        messages, unread = (
            _number(database, f"{queued.format(table)} WHERE t.tenant = ?", tenant)
            for table in ("changed_messages", "unread_messages")
        )
        parameters = (ATTEMPTS, ATTEMPTS, tenant, embedder_id, embedder_id)
        ((retrying, parked),) = database.query(f"SELECT {counted} {_FAILURES}", parameters)
        errors = database.query(
            f"SELECT f.error {_FAILURES} ORDER BY f.attempts DESC, f.rowid DESC LIMIT 1", parameters[2:]
        )
        missing = index = 0
        if embedder_id is not None:
            missing = _number(database, _MISSING, tenant, embedder_id) - cast("int", parked)
            index = _number(database, _NOT_INDEXED, tenant, embedder_id)
            index += _number(database, "SELECT count(*) FROM removed_keys WHERE tenant = ?", tenant)
    last_error = str(errors[0][0]) if errors else ""
    return QueueState(messages, unread, missing, index, cast("int", retrying), cast("int", parked), last_error)


def parked(database: Database, tenant: str, limit: int = 20) -> list[Parked]:
    """What is parked, the newest passage first."""
    rows = database.query(
        f"SELECT p.row, p.key, p.source, p.text, f.error {_FAILURES} "
        "AND f.attempts >= ? ORDER BY p.said_at DESC LIMIT ?",
        (tenant, None, None, ATTEMPTS, limit),
    )
    # The columns' types are the schema's.
    return [Parked(*cast("tuple[int, str, str, str, str]", row)) for row in rows]


def retry(database: Database, tenant: str) -> int:
    """Take up again what is parked, and at once what waits for its next attempt. How many were parked."""
    with database.transaction() as connection:
        mine = "FROM failures WHERE row IN (SELECT row FROM passages WHERE tenant = ?)"
        count = connection.execute(f"SELECT count(*) {mine} AND attempts >= ?", (tenant, ATTEMPTS)).fetchone()[0]
        connection.execute(f"DELETE {mine}", (tenant,))
    return cast("int", count)


def note_failure(connection: sqlite3.Connection, embedder_id: int, row: int, error: str, now: float) -> bool:
    """One attempt more; True if the passage is parked now. One that is gone meanwhile is no matter."""
    known = connection.execute(
        "SELECT attempts FROM failures WHERE embedder_id = ? AND row = ?", (embedder_id, row)
    ).fetchone()
    attempts = min(ATTEMPTS, (known[0] if known else 0) + 1)
    # Parked: no time will ever come.
    next_at = now + WAITS_S[attempts - 1] if attempts < ATTEMPTS else math.inf
    text = " ".join(error.encode("utf-8", "replace").decode().split())[:ERROR_LENGTH]
    written = connection.execute(
        "INSERT OR REPLACE INTO failures (embedder_id, row, attempts, next_at, error) "
        "SELECT ?, row, ?, ?, ? FROM passages WHERE row = ?",
        (embedder_id, attempts, next_at, text, row),
    )
    return bool(written.rowcount) and attempts == ATTEMPTS


def clear_failures(database: Database, embedder_id: int, rows: Sequence[int]) -> None:
    """These were embedded after all. Writes only where there is something to clear."""
    these = f"embedder_id = ? AND row IN ({', '.join('?' * len(rows))})"
    if rows and database.query(f"SELECT 1 FROM failures WHERE {these} LIMIT 1", (embedder_id, *rows)):
        with database.transaction() as connection:
            connection.execute(f"DELETE FROM failures WHERE {these}", (embedder_id, *rows))


def next_attempt(database: Database, embedder_id: int, after: float) -> float | None:
    """The first time after `after` (epoch seconds) at which a passage is to be tried again; None if none waits."""
    sql = "SELECT min(next_at) FROM failures WHERE embedder_id = ? AND attempts < ? AND next_at > ?"
    return cast("float | None", database.query(sql, (embedder_id, ATTEMPTS, after))[0][0])


_MISSING = """
    SELECT count(*) FROM passages p
    WHERE p.tenant = ? AND NOT EXISTS (SELECT 1 FROM vectors v WHERE v.embedder_id = ? AND v.row = p.row)
"""
_NOT_INDEXED = """
    SELECT count(*) FROM vectors v JOIN passages p ON p.row = v.row JOIN embedders e ON e.id = v.embedder_id
    WHERE p.tenant = ? AND v.embedder_id = ? AND v.generation <> e.generation
"""


def _number(database: Database, sql: str, *parameters: str | int) -> int:
    return cast("int", database.query(sql, parameters)[0][0])
