"""Clauses of messages that are not recalled, because what they say was forgotten.

Of each, its place in the message alone is kept: the words of a forgotten entry stay nowhere but in the message.
"""

from __future__ import annotations

import json
import re
import sqlite3
from collections.abc import Iterable, Iterator
from typing import cast

from localagent.memory.alike import any_word
from localagent.memory.base import Words
from localagent.memory.database import Database
from localagent.memory.entries import Memory
from localagent.messages import JsonObject, Message, Role, part_from_json

_CLAUSES = (
    "SELECT m.thread_id, m.id, m.role, m.parts, h.start, h.length FROM hidden_clauses h JOIN messages m "
    "ON m.id = h.message_id WHERE h.length > 0 AND h.message_id IN (SELECT value FROM json_each(?))"
)
_WAITING = """
    SELECT m.id, m.role, m.parts FROM changed_messages c JOIN messages m ON m.id = c.message_id
    JOIN threads t ON t.id = m.thread_id WHERE t.tenant = ? AND m.status <> 'undone'
"""
# What reads the keyword index stands alone: bm25 needs that.
_SAYING = """
    WITH matching AS MATERIALIZED (
        SELECT rowid AS row, bm25(passage_words, 1.0, 0.0, 0.0) AS weight FROM passage_words WHERE passage_words MATCH ?
    )
    SELECT m.id, m.role, m.parts FROM matching JOIN passages p ON p.row = matching.row
    JOIN messages m ON m.id = p.message_id
    WHERE p.tenant = ? AND m.status <> 'undone' GROUP BY m.id ORDER BY min(weight), m.id LIMIT ?
"""

# In place of the message that asked: no message has this id.
EDITED = 0
NOWHERE = (0, 0)
# What was forgotten holds no longer; what has faded may, and what another entry took the place of was not forgotten.
PUT_AWAY = "state = 'archived' AND valid_to IS NOT NULL AND superseded_by = ''"


def is_put_away(memory: Memory) -> bool:
    """Whether it is archived because somebody asked to forget it; `PUT_AWAY` in SQL."""
    return memory.state == "archived" and memory.valid_to is not None and not memory.superseded_by


def read_message(role: str, parts: str | bytes) -> Message:
    """Without parts where they cannot be read: the ledger says so when it is asked for them, and what comes after
    shall be found all the same."""
    try:
        text = parts.decode("utf-8", "surrogatepass") if isinstance(parts, bytes) else parts
        read = [part_from_json(cast("JsonObject", part)) for part in json.loads(text)]
    except (ValueError, KeyError, TypeError, RecursionError):
        read = []
    return Message(cast("Role", role), tuple(read))


def hidden_clauses(database: Database, message_ids: Iterable[int | None]) -> Iterator[tuple[str, int, str]]:
    """Thread, message and words of each clause of these messages that is not recalled."""
    wanted = json.dumps([message_id for message_id in message_ids if message_id is not None])
    for thread_id, message_id, role, parts, start, length in database.query(_CLAUSES, (wanted,)):
        text = read_message(str(role), cast("str | bytes", parts)).text
        clause = text[cast("int", start) : cast("int", start) + cast("int", length)]
        if clause:
            yield str(thread_id), cast("int", message_id), clause


def said_alike(database: Database, tenant: str, text: str, limit: int) -> list[Words]:
    """Messages that share words with a text: those that wait to be indexed, then the best by BM25."""
    asked = any_word(text)
    if not asked:
        return []
    rows = [*database.query(_WAITING, (tenant,)), *database.query(_SAYING, (asked, tenant, limit))]
    said = {message_id: (role, parts) for message_id, role, parts in rows}
    return [
        Words(cast("int", message_id), cast("Role", role), read_message(str(role), cast("str | bytes", parts)).text)
        for message_id, (role, parts) in said.items()
    ]


def hide(
    connection: sqlite3.Connection,
    message_id: int | None,
    passages: Iterable[str],
    *,
    memory_id: str | None = None,
    asked_by: int | None = None,
) -> None:
    """Leave out the first of the passages that stands in the message. `memory_id`: until that entry is restored;
    `asked_by`: until that message is taken back. Inside the caller's transaction."""
    if message_id is None:
        return
    row = connection.execute("SELECT role, parts FROM messages WHERE id = ?", (message_id,)).fetchone()
    if row is None:
        return
    start, length = _place(read_message(*row).text, passages)
    connection.execute(
        "INSERT INTO hidden_clauses (memory_id, message_id, start, length, asked_by) SELECT ?1, ?2, ?3, ?4, ?5 "
        # For good, once is enough.
        "WHERE ?1 IS NOT NULL OR NOT EXISTS "
        "(SELECT 1 FROM hidden_clauses WHERE message_id = ?2 AND start = ?3 AND length = ?4)",
        (memory_id, message_id, start, length, asked_by),
    )


def hide_all(
    connection: sqlite3.Connection,
    passages: Iterable[tuple[int | None, str]],
    *,
    memory_id: str | None = None,
    asked_by: int | None = None,
) -> None:
    """Each with the id of its message."""
    for message_id, passage in passages:
        hide(connection, message_id, (passage,), memory_id=memory_id, asked_by=asked_by)


def hide_again(connection: sqlite3.Connection, message_id: int | None, said: Iterable[tuple[str, str]]) -> None:
    """Passages of a message that say what was put away, each with the id of that entry."""
    for memory_id, passage in said:
        hide(connection, message_id, (passage,), memory_id=memory_id)


def reword(connection: sqlite3.Connection, old: Memory, new: Memory, said: Iterable[tuple[int, str]]) -> None:
    """An entry was edited: the clause that it was made of says something else, as do these passages, until it says the
    same again."""
    edited = "FROM hidden_clauses WHERE memory_id = ? AND asked_by = ?"
    if _place(new.evidence, (new.text,)) != NOWHERE:
        connection.execute(f"DELETE {edited}", (new.id, EDITED))
        return
    if not connection.execute(f"SELECT 1 {edited}", (new.id, EDITED)).fetchall():  # else by its words of before
        hide_entry(connection, old, memory_id=old.id, asked_by=EDITED)
    hide_all(connection, said, memory_id=old.id, asked_by=EDITED)


def hide_entry(
    connection: sqlite3.Connection, memory: Memory, *, memory_id: str | None = None, asked_by: int | None = None
) -> None:
    """Leave out the clause that an entry was made of; its whole sentence where it was put in other words. Without a
    `memory_id` for good, whatever becomes of the message that asked."""
    if memory_id is None:
        connection.execute("UPDATE hidden_clauses SET asked_by = NULL WHERE memory_id = ?", (memory.id,))
    source = (memory.text, memory.evidence)
    hide(connection, memory.message_id, source, memory_id=memory_id, asked_by=asked_by)


def show_again(connection: sqlite3.Connection, memory_id: str) -> None:
    """An entry counts again: so does what was said, but for what it was edited to say no more. Inside the caller's
    transaction."""
    sql = "DELETE FROM hidden_clauses WHERE memory_id = ? AND asked_by IS NOT ?"
    connection.execute(sql, (memory_id, EDITED))


def reactivate(connection: sqlite3.Connection, memory_id: str) -> None:
    sql = "UPDATE memories SET state = 'active', superseded_by = '', valid_to = NULL WHERE id = ?"
    connection.execute(sql, (memory_id,))
    show_again(connection, memory_id)


def take_back(connection: sqlite3.Connection, message_id: int) -> list[str]:
    """A message that asked to forget was taken back: the entries that it had put away. What it had asked to leave out
    without an entry is recalled again. Inside the caller's transaction."""
    connection.execute("DELETE FROM hidden_clauses WHERE asked_by = ? AND memory_id IS NULL", (message_id,))
    sql = "SELECT DISTINCT memory_id FROM hidden_clauses WHERE asked_by = ? AND memory_id IS NOT NULL"
    return [str(memory_id) for (memory_id,) in connection.execute(sql, (message_id,)).fetchall()]


def _place(text: str, passages: Iterable[str]) -> tuple[int, int]:
    """Where the first passage that is there begins, and its length, whatever its spaces; (0, 0) if none is."""
    for passage in passages:
        words = passage.split()
        found = re.search(r"\s+".join(map(re.escape, words)), text) if words else None
        if found:
            return found.start(), found.end() - found.start()
    return NOWHERE
