"""One entry in the place of others, in the ledger."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterable

from localagent.memory.entries import Memory
from localagent.memory.hidden import hide


def put_in_place(connection: sqlite3.Connection, newer: Memory, older: Iterable[Memory]) -> None:
    """Those that counted are kept as superseded by it, with the time they ceased to hold. Inside the caller's
    transaction."""
    connection.executemany(
        "UPDATE memories SET superseded_by = ?, valid_to = coalesce(valid_to, max(valid_from, ?)), "
        "state = CASE state WHEN 'active' THEN 'superseded' ELSE state END WHERE id = ?",
        [(newer.id, newer.valid_from, one) for one in dict.fromkeys(one.id for one in older)],
    )


def take_place(connection: sqlite3.Connection, newer: Memory, older: Memory, asked: str, read: int | None) -> str:
    """Of entries that are there: the newer one's id. `asked`: the words that say so in the message `read`, until that
    is taken back; nothing is done where one of the entries counts no longer. Inside the caller's transaction."""
    if newer.state == older.state == "active" and newer.id != older.id:
        put_in_place(connection, newer, [older])
        connection.execute("UPDATE memories SET pinned = max(pinned, ?) WHERE id = ?", (older.pinned, newer.id))
        hide(connection, read, (asked,), memory_id=older.id, asked_by=read)
    return newer.id
