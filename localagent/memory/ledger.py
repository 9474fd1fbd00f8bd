"""The ledger: threads, their messages and what was learned about models, in one SQLite file."""

from __future__ import annotations

import copy
import json
import sqlite3
import time
import unicodedata
from collections.abc import Callable, Sequence
from dataclasses import replace
from pathlib import Path
from typing import cast, get_args

from localagent.errors import CANDIDATES, Ambiguous, StorageError, UsageError
from localagent.memory.base import Status, StoredMessage, Thread
from localagent.memory.database import Database, Row, Value, erase_words
from localagent.memory.titles import title_of
from localagent.messages import JsonObject, Message, Part, Role, new_id, part_from_json, part_to_json

NAME_LENGTH = 100
# Ids begin with the time: shorter beginnings would fit nearly everything.
SHORTEST_PREFIX = 4

_THREAD = "SELECT id, agent, name, title, created_at, updated_at, messages FROM threads"
_MESSAGE = "SELECT id, thread_id, role, parts, status, created_at, model, remembered FROM messages"


class SqliteLedger:
    """`Ledger` and `Calibration` in the file at `path`, for two threads of a process and any number of processes.

    The file is created if there is none; without a path nothing is kept. It has the threads of every tenant, and new
    ones are the default tenant's; see `of_tenant`. Raises StorageError (LedgerTooNew if a newer version wrote it).
    """

    _tenant: str | None = None
    _remembers = True

    def __init__(self, path: Path | None, *, now: Callable[[], float] = time.time) -> None:
        self.database = Database(path)
        self._now = now

    def of_tenant(self, tenant: str, *, remembers: bool = True) -> SqliteLedger:
        """The same ledger with the threads of this tenant alone: no list, name or id leads to another one's. Without
        `remembers`, what is stored counts in its thread alone, whoever opens the ledger later."""
        view = copy.copy(self)
        view._tenant, view._remembers = _plain(tenant), remembers
        return view

    def create_thread(self, agent: str, name: str = "", *, tenant: str = "default") -> Thread:
        """Raises UsageError when the name is taken or not a name; an empty one is none."""
        agent, tenant = _plain(agent), self._tenant or _plain(tenant)
        name = clean_name(name) if name else ""
        thread_id, now = new_id(), self._now()
        with self.database.transaction() as connection:
            _require_free(connection, tenant, agent, name)
            connection.execute(
                "INSERT INTO threads (id, agent, name, created_at, updated_at, tenant) VALUES (?, ?, ?, ?, ?, ?)",
                (thread_id, agent, name, now, now, tenant),
            )
            _touch(connection, thread_id, now)
        return Thread(thread_id, agent, name, "", now, now, 0)

    def thread(self, thread_id: str) -> Thread | None:
        return self._first_thread("id = ?", _plain(thread_id))

    def find_thread(self, agent: str, key: str) -> Thread | None:
        """By name, else by id or its beginning (4 characters or more; Ambiguous if several threads fit)."""
        agent, key = _plain(agent), unicodedata.normalize("NFC", _plain(key)).strip()
        own = "agent = ? AND name = ? AND name <> '' ORDER BY tenant <> 'default'"
        named = self._first_thread(own, agent, key)
        if named or len(key) < SHORTEST_PREFIX:
            return named
        prefix = key.lower()
        begins = "agent = ? AND substr(id, 1, ?) = ? ORDER BY touched DESC LIMIT ?"
        found = self._threads(begins, agent, len(prefix), prefix, CANDIDATES + 1)
        if len(found) > 1:
            which = [f"{thread.id} {thread.name or thread.title!r}" for thread in found]
            raise Ambiguous(f"several threads begin with {key}", which)
        return found[0] if found else None

    def last_thread(self, agent: str) -> Thread | None:
        return self._first_thread("agent = ? AND messages > 0 ORDER BY touched DESC LIMIT 1", _plain(agent))

    def threads(self, agent: str | None = None) -> list[Thread]:
        if agent is None:
            return self._threads("1 ORDER BY touched DESC")
        return self._threads("agent = ? ORDER BY touched DESC", _plain(agent))

    def rename_thread(self, thread_id: str, name: str) -> None:
        """Raises UsageError when the name is taken or not a name, StorageError when the thread is gone."""
        name = clean_name(name)
        with self.database.transaction() as connection:
            sql = "SELECT tenant, agent, name FROM threads WHERE id = ?"
            row = connection.execute(sql, (_plain(thread_id),)).fetchone()
            if row is None:
                raise self._gone(thread_id)
            if row[2] != name:
                _require_free(connection, row[0], row[1], name)
                connection.execute("UPDATE threads SET name = ? WHERE id = ?", (name, thread_id))

    def delete_thread(self, thread_id: str) -> None:
        """With its messages, of which nothing stays in the file. One that is already gone is no error."""
        with self.database.transaction() as connection:
            connection.execute("DELETE FROM threads WHERE id = ?", (_plain(thread_id),))
            erase_words(connection)
        self.database.forget()

    def append(
        self, thread_id: str, message: Message, *, status: Status = "complete", model: str = ""
    ) -> StoredMessage:
        """Raises StorageError when the thread is gone."""
        parts, model, now = _encode(message), _plain(model), self._now()
        with self.database.transaction() as connection:
            if not _touch(connection, _plain(thread_id), now, 0 if status == "undone" else 1):
                raise self._gone(thread_id)
            if message.role == "user":
                connection.execute(
                    "UPDATE threads SET title = ? WHERE id = ? AND title = ''", (title_of(message), thread_id)
                )
            row = (thread_id, message.role, parts, status, now, model, self._remembers)
            cursor = connection.execute(
                "INSERT INTO messages (thread_id, role, parts, status, created_at, model, remembered) "
                "VALUES (?, ?, ?, ?, ?, ?, ?)",
                row,
            )
            message_id = cursor.lastrowid
        assert message_id is not None  # a row was inserted
        return StoredMessage(message_id, thread_id, message, status, now, model, self._remembers)

    def revise(self, stored: StoredMessage, message: Message, status: Status) -> StoredMessage:
        """Raises StorageError when the thread is gone."""
        parts = _encode(message)
        with self.database.transaction() as connection:
            if not _touch(connection, _plain(stored.thread_id), self._now()):
                raise self._gone(stored.thread_id)
            sql = "UPDATE messages SET parts = ?, status = ? WHERE id = ? AND thread_id = ?"
            connection.execute(sql, (parts, status, stored.id, _plain(stored.thread_id)))
        return replace(stored, message=message, status=status)

    def messages(
        self, thread_id: str, *, last: int | None = None, after: int = 0, undone: bool = False
    ) -> list[StoredMessage]:
        """Of a thread that is gone: none."""
        condition = "" if undone else "AND status <> 'undone'"
        # A negative limit is none.
        limit = -1 if last is None else max(0, last)
        rows = self.database.query(
            f"{_MESSAGE} WHERE thread_id = ? AND id > ? {condition} ORDER BY id DESC LIMIT ?",
            (_plain(thread_id), after, limit),
        )
        return [self._stored(row) for row in reversed(rows)]

    def message(self, message_id: int) -> StoredMessage | None:
        """By its id, also if it was taken back."""
        rows = self.database.query(f"{_MESSAGE} WHERE id = ?", (message_id,))
        return self._stored(rows[0]) if rows else None

    def undo(self, thread_id: str) -> Sequence[StoredMessage]:
        """Returns the messages as they are now, oldest first: taken back."""
        thread_id = _plain(thread_id)
        present = "thread_id = ? AND status <> 'undone'"
        with self.database.transaction() as connection:
            row = connection.execute(
                f"SELECT id FROM messages WHERE {present} AND role = 'user' ORDER BY id DESC LIMIT 1", (thread_id,)
            ).fetchone()
            if row is None:
                return []
            since = row[0]
            taken = connection.execute(f"{_MESSAGE} WHERE {present} AND id >= ? ORDER BY id", (thread_id, since))
            rows = taken.fetchall()
            connection.execute(f"UPDATE messages SET status = 'undone' WHERE {present} AND id >= ?", (thread_id, since))
            _taken_back(connection, thread_id, self._now(), len(rows))
        return [self._stored((*row[:4], "undone", *row[5:])) for row in rows]

    def take_back(self, message: StoredMessage) -> None:
        thread_id = _plain(message.thread_id)
        with self.database.transaction() as connection:
            sql = "UPDATE messages SET status = 'undone' WHERE thread_id = ? AND id = ? AND status <> 'undone'"
            if connection.execute(sql, (thread_id, message.id)).rowcount:
                _taken_back(connection, thread_id, self._now(), 1)

    def export(self, thread_id: str) -> dict[str, object]:
        """The whole thread, also what was taken back, as a JSON object. Times are epoch seconds."""
        with self.database.transaction("DEFERRED"):
            thread = self.thread(thread_id)
            if thread is None:
                raise self._gone(thread_id)
            messages = self.messages(thread_id, undone=True)
        return {
            "format": "localagent thread 1",
            "id": thread.id,
            "agent": thread.agent,
            "name": thread.name,
            "title": thread.title,
            "created_at": thread.created_at,
            "updated_at": thread.updated_at,
            "messages": [
                {
                    "id": stored.id,
                    "role": stored.message.role,
                    "status": stored.status,
                    "created_at": stored.created_at,
                    "model": stored.model,
                    "parts": [part_to_json(part) for part in stored.message.parts],
                }
                for stored in messages
            ],
        }

    def load(self, key: str) -> tuple[float, ...] | None:
        """What `save` kept under `key`; None also for what cannot be read, since it can be learned again."""
        rows = self.database.query("SELECT numbers FROM calibrations WHERE key = ?", (_plain(key),))
        try:
            return tuple(float(number) for number in json.loads(str(rows[0][0]))) if rows else None
        except (ValueError, TypeError):
            return None

    def save(self, key: str, values: Sequence[float]) -> None:
        numbers = json.dumps([float(value) for value in values])
        with self.database.transaction() as connection:
            connection.execute(
                "INSERT OR REPLACE INTO calibrations (key, numbers) VALUES (?, ?)", (_plain(key), numbers)
            )

    def integrity(self) -> list[str]:
        """What is wrong with the file, a line each; empty when it is sound. Reads all of it."""
        problems = self.database.problems()
        if not problems:
            counted = "(SELECT count(*) FROM messages WHERE thread_id = threads.id AND status <> 'undone')"
            rows = self.database.query(f"SELECT id FROM threads WHERE messages <> {counted}")
            problems = [f"thread {row[0]!r} does not have as many messages as it says" for row in rows]
        return problems

    def close(self) -> None:
        """May be called twice."""
        self.database.close()

    def _threads(self, condition: str, *parameters: Value) -> list[Thread]:
        mine = "" if self._tenant is None else "tenant = ? AND "
        own = () if self._tenant is None else (self._tenant,)
        rows = self.database.query(f"{_THREAD} WHERE {mine}{condition}", (*own, *parameters))
        # The columns' types are the schema's.
        return [Thread(*cast("tuple[str, str, str, str, float, float, int]", row)) for row in rows]

    def _first_thread(self, condition: str, *parameters: Value) -> Thread | None:
        found = self._threads(condition, *parameters)
        return found[0] if found else None

    def _stored(self, row: Row) -> StoredMessage:
        message_id, thread_id, role, parts, status, created_at, model, remembered = row
        try:
            if role not in get_args(Role) or status not in get_args(Status):
                raise ValueError(f"{role!r}, {status!r}")
            message = Message(cast("Role", role), _decode(parts))
            return StoredMessage(
                cast("int", message_id),
                str(thread_id),
                message,
                cast("Status", status),
                float(created_at or 0),
                str(model),
                bool(remembered),
            )
        except (ValueError, KeyError, TypeError, RecursionError) as error:
            raise self.database.damaged(f"message {message_id!r} cannot be read") from error

    def _gone(self, thread_id: str) -> StorageError:
        return StorageError(
            f"there is no thread {_plain(thread_id)} (any more)",
            where=str(self.database.path),
            hint="It was deleted; start a new one.",
        )


def clean_name(name: str) -> str:
    """A thread's name as it is kept: NFC, trimmed. Raises UsageError for one that cannot be a name."""
    cleaned = unicodedata.normalize("NFC", name).strip()
    if not cleaned:
        raise UsageError("a thread's name cannot be empty")
    if len(cleaned) > NAME_LENGTH:
        raise UsageError(f"a thread's name has at most {NAME_LENGTH} characters; this one has {len(cleaned)}")
    if cleaned.startswith("-"):
        raise UsageError(f"a thread's name cannot begin with a dash, as {cleaned!r} does", hint="Is it an option?")
    # Control characters, lone surrogates, line and paragraph separators.
    if any(unicodedata.category(char) in ("Cc", "Cs", "Zl", "Zp") for char in cleaned):
        raise UsageError("a thread's name cannot have line breaks or control characters")
    return cleaned


def _require_free(connection: sqlite3.Connection, tenant: str, agent: str, name: str) -> None:
    taken = "SELECT 1 FROM threads WHERE tenant = ? AND agent = ? AND name = ?"
    if name and connection.execute(taken, (tenant, agent, name)).fetchone():
        raise UsageError(f"there is already a thread named {name}", hint="Choose another name.")


def _touch(connection: sqlite3.Connection, thread_id: str, now: float, more_messages: int = 0) -> bool:
    """Make the thread the one written to last; False if there is no such thread."""
    latest = "(SELECT coalesce(max(touched), 0) + 1 FROM threads)"
    sql = f"UPDATE threads SET updated_at = ?, messages = messages + ?, touched = {latest} WHERE id = ?"
    cursor = connection.execute(sql, (now, more_messages, thread_id))
    return cursor.rowcount == 1


def _taken_back(connection: sqlite3.Connection, thread_id: str, now: float, count: int) -> None:
    """Bring the thread's row up to date after `count` of its messages were taken back."""
    _touch(connection, thread_id, now, -count)
    # What nothing is left of shall not name the thread.
    connection.execute(
        "UPDATE threads SET title = '' WHERE id = ? AND NOT EXISTS "
        "(SELECT 1 FROM messages WHERE thread_id = ? AND status <> 'undone' AND role = 'user')",
        (thread_id, thread_id),
    )


def _plain(text: str) -> str:
    """SQLite's text is UTF-8: what that cannot hold (undecodable bytes of a command line) becomes a question mark."""
    return text.encode("utf-8", "replace").decode("utf-8")


def _encode(message: Message) -> str | bytes:
    """JSON text; as bytes where the message holds lone surrogates, which come back as they were."""
    parts = json.dumps([part_to_json(part) for part in message.parts], ensure_ascii=False, separators=(",", ":"))
    try:
        parts.encode("utf-8")
    except UnicodeEncodeError:
        return parts.encode("utf-8", "surrogatepass")
    return parts


def _decode(parts: Value) -> tuple[Part, ...]:
    text = parts.decode("utf-8", "surrogatepass") if isinstance(parts, bytes) else str(parts)
    return tuple(part_from_json(cast("JsonObject", part)) for part in json.loads(text))
