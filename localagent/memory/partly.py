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


def set_right(connection: sqlite3.Connection, memory_id: str) -> None:
    """Somebody has edited it, or said that it holds. Inside the caller's transaction."""
    connection.execute("DELETE FROM corrected_in_part WHERE memory_id = ?", (memory_id,))
