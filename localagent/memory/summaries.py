"""The running summaries of threads, in the ledger's file."""

from __future__ import annotations

import json
import sqlite3
import time
from collections.abc import Callable, Sequence
from dataclasses import asdict, replace
from typing import cast

from localagent.memory.base import StoredMessage
from localagent.memory.database import Database, Row
from localagent.memory.passages import Passages
from localagent.memory.pieces import clean
from localagent.messages import part_to_json
from localagent.summary import Summary, SummaryFailure, SummaryItem, SummaryState, holding

_COLUMNS = "thread_id, version, items, covers_from, covers_to, messages, tokens, created_at, made_by, note, state"
# Of what is gone, or was taken back meanwhile, nothing is noted.
_CORRECTED = """
    INSERT OR IGNORE INTO corrected_sentences (message_id, sentence, by_message_id)
    SELECT old.id, ?, new.id FROM messages old JOIN messages new ON new.thread_id = old.thread_id
    WHERE old.id = ? AND new.id = ? AND new.status <> 'undone'
"""
_COVERED = "SELECT count(*) FROM messages WHERE thread_id = ? AND status <> 'undone' AND id <= ?"


class SqliteSummaries:
    """`Summaries` in the ledger's file, and what is to be tried again. Deleting a thread deletes its summaries."""

    def __init__(self, database: Database, *, now: Callable[[], float] = time.time) -> None:
        self._database = database
        self._now = now

    def current(self, thread_id: str) -> Summary | None:
        rows = self._database.query(
            f"SELECT {_COLUMNS} FROM summaries WHERE thread_id = ? AND state = 'active' ORDER BY version DESC LIMIT 1",
            (thread_id,),
        )
        return self._summary(rows[0]) if rows else None

    def versions(self, thread_id: str) -> list[Summary]:
        rows = self._database.query(
            f"SELECT {_COLUMNS} FROM summaries WHERE thread_id = ? ORDER BY version DESC", (thread_id,)
        )
        return [self._summary(row) for row in rows]

    def shown(self, thread_id: str) -> list[Summary]:
        """`versions`, without what was corrected or forgotten since."""
        found = self.versions(thread_id)
        ids = {item.message_id for version in found for item in version.items}
        rows = self._database.query("SELECT tenant FROM threads WHERE id = ?", (thread_id,)) if ids else []
        outdated = Passages(self._database, str(rows[0][0])).outdated(ids) if rows else {}
        return [replace(version, items=holding(version.items, outdated)) for version in found]

    def commit(self, new: Summary, base: int, covered: Sequence[StoredMessage]) -> Summary | None:
        with self._database.transaction() as connection:
            newest = connection.execute(
                "SELECT coalesce(max(version), 0), coalesce(max(version) FILTER (WHERE state = 'active'), 0) "
                "FROM summaries WHERE thread_id = ?",
                (new.thread_id,),
            ).fetchone()
            if newest[1] != base or not self._still_there(connection, new, covered):
                return None
            stored = replace(new, version=newest[0] + 1, state="active")
            connection.execute(
                f"INSERT INTO summaries ({_COLUMNS}) VALUES ({', '.join('?' * 11)})",
                (
                    stored.thread_id,
                    stored.version,
                    _encoded(stored.items),
                    stored.covers_from,
                    stored.covers_to,
                    stored.messages,
                    stored.tokens,
                    stored.created_at,
                    stored.made_by,
                    stored.note,
                    stored.state,
                ),
            )
            _note_corrected(connection, stored.items)
        return stored

    def correct(self, items: Sequence[SummaryItem]) -> None:
        if any(item.replaces for item in items):
            with self._database.transaction() as connection:
                _note_corrected(connection, items)

    def roll_back(self, thread_id: str) -> Summary | None:
        with self._database.transaction() as connection:
            rows = connection.execute(
                "UPDATE summaries SET state = 'rolled back' WHERE thread_id = ? AND version = "
                "(SELECT max(version) FROM summaries WHERE thread_id = ? AND state = 'active') "
                f"RETURNING {_COLUMNS}",
                (thread_id, thread_id),
            ).fetchall()
            for row in rows:
                connection.execute(
                    "DELETE FROM corrected_sentences WHERE by_message_id IN "
                    "(SELECT id FROM messages WHERE thread_id = ? AND id BETWEEN ? AND ?)",
                    (thread_id, row[3], row[4]),
                )
        return self._summary(rows[0]) if rows else None

    def failed(self, thread_id: str, error: str, wait_s: Callable[[int], float]) -> SummaryFailure | None:
        """Note that it failed once more; `wait_s` tells how long to wait after so many attempts. None if the thread is
        gone."""
        with self._database.transaction() as connection:
            if not connection.execute("SELECT 1 FROM threads WHERE id = ?", (thread_id,)).fetchall():
                return None
            before = self.failure(thread_id)
            attempts = before.attempts + 1 if before is not None else 1
            failure = SummaryFailure(thread_id, attempts, self._now() + wait_s(attempts), error)
            connection.execute(
                "INSERT OR REPLACE INTO summary_failures (thread_id, attempts, next_at, error) VALUES (?, ?, ?, ?)",
                (failure.thread_id, failure.attempts, failure.next_at, failure.error),
            )
        return failure

    def succeeded(self, thread_id: str) -> None:
        """Nothing is to be tried again."""
        if self.failure(thread_id) is not None:
            with self._database.transaction() as connection:
                connection.execute("DELETE FROM summary_failures WHERE thread_id = ?", (thread_id,))

    def failure(self, thread_id: str) -> SummaryFailure | None:
        rows = self._database.query(
            "SELECT thread_id, attempts, next_at, error FROM summary_failures WHERE thread_id = ?", (thread_id,)
        )
        return SummaryFailure(*cast("tuple[str, int, float, str]", rows[0])) if rows else None

    def failures(self) -> list[SummaryFailure]:
        """Of all threads, the one that is tried again last first."""
        rows = self._database.query(
            "SELECT thread_id, attempts, next_at, error FROM summary_failures ORDER BY next_at DESC"
        )
        return [SummaryFailure(*cast("tuple[str, int, float, str]", row)) for row in rows]

    def _still_there(self, connection: sqlite3.Connection, new: Summary, covered: Sequence[StoredMessage]) -> bool:
        """Whether the covered messages are as they were read, and no others are among them."""
        if not covered:
            return False
        stored = connection.execute(
            "SELECT id, status, parts FROM messages WHERE thread_id = ? AND status <> 'undone' AND id BETWEEN ? AND ? "
            "ORDER BY id",
            (new.thread_id, covered[0].id, new.covers_to),
        ).fetchall()
        ((count,),) = connection.execute(_COVERED, (new.thread_id, new.covers_to)).fetchall()
        return count == new.messages and [(row[0], row[1], _decoded(row[2])) for row in stored] == [
            (one.id, one.status, [part_to_json(part) for part in one.message.parts]) for one in covered
        ]

    def _summary(self, row: Row) -> Summary:
        """From the values of `_COLUMNS`."""
        try:
            items = tuple(_item(fields) for fields in _decoded(row[2]))
        except (ValueError, KeyError, TypeError, RecursionError) as error:
            raise self._database.damaged(f"version {row[1]!r} of a summary cannot be read") from error
        rest = cast("tuple[int, int, int, int, float, str, str, SummaryState]", row[3:])
        return Summary(str(row[0]), cast("int", row[1]), items, *rest)


def _note_corrected(connection: sqlite3.Connection, items: Sequence[SummaryItem]) -> None:
    """Inside the caller's transaction."""
    connection.executemany(
        _CORRECTED,
        [(clean(sentence), old, item.message_id) for item in items for old, sentence in item.replaces],
    )


def _item(fields: dict[str, object]) -> SummaryItem:
    """Those of before have not noted what they replace."""
    replaces = cast("list[tuple[int, str]]", fields.pop("replaces", []))
    return SummaryItem(**fields, replaces=tuple((message, sentence) for message, sentence in replaces))  # type: ignore[arg-type]


def _encoded(items: Sequence[SummaryItem]) -> str | bytes:
    """JSON text; as bytes where it holds lone surrogates, which come back as they were."""
    text = json.dumps([asdict(item) for item in items], ensure_ascii=False, separators=(",", ":"))
    try:
        text.encode("utf-8")
    except UnicodeEncodeError:
        return text.encode("utf-8", "surrogatepass")
    return text


def _decoded(value: object) -> list[dict[str, object]]:
    text = value.decode("utf-8", "surrogatepass") if isinstance(value, bytes) else str(value)
    return cast("list[dict[str, object]]", json.loads(text))
