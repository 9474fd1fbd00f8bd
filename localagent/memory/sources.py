"""The messages that entries are made of: which of them nobody has looked through, and whether they stand."""

from __future__ import annotations

import sqlite3

from localagent.errors import UsageError
from localagent.memory.database import Database
from localagent.memory.entries import Memory, NewMemory
from localagent.memory.entry_rows import LAST_NUMBER, shown


def unread(database: Database, tenant: str, limit: int) -> list[int]:
    """Ids of messages that nobody has looked through, oldest first; without those that were taken back."""
    rows = database.query(
        "SELECT u.message_id FROM unread_messages u JOIN messages m ON m.id = u.message_id "
        "JOIN threads t ON t.id = m.thread_id WHERE t.tenant = ? AND m.status <> 'undone' "
        "ORDER BY u.message_id LIMIT ?",
        (tenant, max(0, limit)),
    )
    return [message_id for (message_id,) in rows if isinstance(message_id, int)]


def mark_read(database: Database, connection: sqlite3.Connection, tenant: str, message_id: int) -> bool:
    """Take a message off the list of the unread; whether something may be written of it."""
    if not 0 < message_id <= LAST_NUMBER:
        return False
    rows = database.query(
        "SELECT m.status FROM unread_messages u JOIN messages m ON m.id = u.message_id "
        "JOIN threads t ON t.id = m.thread_id WHERE u.message_id = ? AND t.tenant = ?",
        (message_id, tenant),
    )
    if rows:
        connection.execute("DELETE FROM unread_messages WHERE message_id = ?", (message_id,))
    return bool(rows) and rows[0][0] != "undone"


def stands(database: Database, memory: Memory) -> bool:
    """Whether the message that an entry was made of has not been taken back."""
    sql = "SELECT 1 FROM messages WHERE id = ? AND thread_id = ? AND status <> 'undone'"
    return bool(database.query(sql, (memory.message_id, memory.thread_id)))


def thread_of(database: Database, tenant: str, new: NewMemory) -> str:
    """The thread of an entry's message, which must be one of this tenant's."""
    if new.message_id is None:
        return new.thread_id
    known = 0 < new.message_id <= LAST_NUMBER
    sql = "SELECT m.thread_id FROM messages m JOIN threads t ON t.id = m.thread_id WHERE m.id = ? AND t.tenant = ?"
    rows = database.query(sql, (new.message_id, tenant)) if known else []
    if not rows or new.thread_id not in ("", rows[0][0]):
        where = f" in thread {shown(new.thread_id)}" if new.thread_id else ""
        raise UsageError(f"there is no message {new.message_id}{where} (any more)")
    return str(rows[0][0])
