"""Which entries correct a part of which: both count, and the older one is not shown without the newer one's words."""

from __future__ import annotations

import json
import sqlite3
from collections.abc import Iterable

from localagent.memory.database import Database

# What took a newer one's place says it now. One that has faded has corrected all the same; one that was put away
# because somebody asked has not.
_CORRECTIONS = """
    WITH RECURSIVE later (older, id, depth) AS (
        SELECT c.memory_id, c.newer_id, 0 FROM json_each(?) wanted
        CROSS JOIN corrected_in_part c ON c.memory_id = wanted.value
        UNION
        SELECT later.older, m.superseded_by, depth + 1 FROM later JOIN memories m ON m.id = later.id
        WHERE m.state = 'superseded' AND depth < 50
    )
    SELECT DISTINCT later.older, m.text FROM later JOIN memories m ON m.id = later.id
    WHERE m.tenant = ? AND (m.state = 'active' OR (m.state = 'archived' AND m.valid_to IS NULL))
    ORDER BY m.valid_from, m.created_at, m.id
"""


def correct_in_part(connection: sqlite3.Connection, memory_ids: Iterable[str], newer_id: str) -> None:
    """Inside the caller's transaction."""
    sql = "INSERT OR IGNORE INTO corrected_in_part (memory_id, newer_id) SELECT id, ?2 FROM memories WHERE id = ?1"
    connection.executemany(sql, [(memory_id, newer_id) for memory_id in memory_ids if memory_id != newer_id])


def correct_nothing(connection: sqlite3.Connection, newer_ids: Iterable[str]) -> None:
    """Their message was taken back. Inside the caller's transaction."""
    connection.executemany("DELETE FROM corrected_in_part WHERE newer_id = ?", [(one,) for one in newer_ids])


def corrections(database: Database, tenant: str, memory_ids: Iterable[str]) -> dict[str, list[str]]:
    """What corrects a part of each of these entries, in its words, the oldest first; without those of which nothing
    does."""
    found: dict[str, list[str]] = {}
    for older, text in database.query(_CORRECTIONS, (json.dumps(list(memory_ids)), tenant)):
        found.setdefault(str(older), []).append(str(text))
    return found


def marks(database: Database, tenant: str) -> dict[str, list[str]]:
    """Of each entry that corrects parts of others, the ids of these."""
    sql = (
        "SELECT c.newer_id, c.memory_id FROM corrected_in_part c JOIN memories m ON m.id = c.newer_id "
        "WHERE m.tenant = ? ORDER BY c.newer_id, c.memory_id"
    )
    found: dict[str, list[str]] = {}
    for newer, older in database.query(sql, (tenant,)):
        found.setdefault(str(newer), []).append(str(older))
    return found


def marks_of(database: Database, memory_id: str) -> set[tuple[str, str]]:
    """Pairs of the entry that is corrected in part and the one that does it, one of which is this one."""
    sql = "SELECT memory_id, newer_id FROM corrected_in_part WHERE memory_id = ?1 OR newer_id = ?1"
    return {(str(older), str(newer)) for older, newer in database.query(sql, (memory_id,))}


def mark(connection: sqlite3.Connection, pairs: Iterable[tuple[str, str]]) -> None:
    """As `marks_of` gives them, where both are there. Inside the caller's transaction."""
    sql = (
        "INSERT OR IGNORE INTO corrected_in_part (memory_id, newer_id) SELECT o.id, n.id FROM memories o, memories n "
        "WHERE o.id = ? AND n.id = ? AND o.tenant = n.tenant"
    )
    connection.executemany(sql, list(pairs))


def unmark(connection: sqlite3.Connection, pairs: Iterable[tuple[str, str]]) -> None:
    """Inside the caller's transaction."""
    connection.executemany("DELETE FROM corrected_in_part WHERE memory_id = ? AND newer_id = ?", list(pairs))


def set_right(connection: sqlite3.Connection, memory_id: str) -> None:
    """Somebody has edited it, or said that it holds. Inside the caller's transaction."""
    connection.execute("DELETE FROM corrected_in_part WHERE memory_id = ?", (memory_id,))
