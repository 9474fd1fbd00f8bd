"""The ledger's schema, as the list of steps that lead to it.

A released step is never edited: a change is a new step at the end. `PRAGMA user_version` is the number of steps
that a file has seen. Each step runs in one transaction, also when several processes start at once.
"""

from __future__ import annotations

import sqlite3
from collections.abc import Sequence
from typing import TypeAlias

Migration: TypeAlias = tuple[str, ...]

# Times are epoch seconds.
MIGRATIONS: tuple[Migration, ...] = (
    (
        # `touched` orders threads by their last write; a clock may stand still or go back. `messages` counts those
        # not taken back. Names are unique within an agent, except the empty one.
        """
        CREATE TABLE threads (
            id TEXT NOT NULL PRIMARY KEY,
            agent TEXT NOT NULL,
            name TEXT NOT NULL DEFAULT '',
            title TEXT NOT NULL DEFAULT '',
            created_at REAL NOT NULL,
            updated_at REAL NOT NULL,
            touched INTEGER NOT NULL DEFAULT 0,
            messages INTEGER NOT NULL DEFAULT 0
        )
        """,
        "CREATE UNIQUE INDEX threads_name ON threads (agent, name) WHERE name <> ''",
        "CREATE INDEX threads_touched ON threads (touched)",
        # AUTOINCREMENT: an id is never given twice, since prompt records name messages by it.
        # `parts` is JSON text; a blob of the same where the text holds what UTF-8 cannot (lone surrogates).
        """
        CREATE TABLE messages (
            id INTEGER PRIMARY KEY AUTOINCREMENT,
            thread_id TEXT NOT NULL REFERENCES threads (id) ON DELETE CASCADE,
            role TEXT NOT NULL CHECK (role IN ('system', 'user', 'assistant', 'tool')),
            parts NOT NULL,
            status TEXT NOT NULL CHECK (status IN ('complete', 'interrupted', 'incomplete', 'undone')),
            model TEXT NOT NULL DEFAULT '',
            created_at REAL NOT NULL
        )
        """,
        "CREATE INDEX messages_thread ON messages (thread_id, id)",
        # What was learned about a model's token counts: a JSON list of numbers.
        "CREATE TABLE calibrations (key TEXT NOT NULL PRIMARY KEY, numbers TEXT NOT NULL)",
    ),
)

LATEST = len(MIGRATIONS)


def version(connection: sqlite3.Connection) -> int:
    number: int = connection.execute("PRAGMA user_version").fetchone()[0]
    return number


def apply_next(connection: sqlite3.Connection, steps: Sequence[Migration] = MIGRATIONS) -> None:
    """Run the next step, if one is left. To be called inside a write transaction, which makes it safe that another
    process does the same."""
    done = version(connection)
    if done < len(steps):
        for statement in steps[done]:
            connection.execute(statement)
        connection.execute(f"PRAGMA user_version = {done + 1}")
