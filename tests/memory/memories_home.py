"""A ledger with the entries of any tenant, and what must always hold between its tables."""

from __future__ import annotations

import contextlib
import sqlite3
from collections.abc import Callable
from pathlib import Path

from localagent.memory.entries import Add, Kind, Memory, NewMemory
from localagent.memory.ledger import SqliteLedger
from localagent.memory.memories import SqliteMemories
from localagent.memory.passages import Passages


class Clock:
    """Goes on by a second whenever it is asked."""

    def __init__(self) -> None:
        self.time = 1_700_000_000.0

    def __call__(self) -> float:
        self.time += 1.0
        return self.time


class Home:
    def __init__(self, path: Path, now: Callable[[], float] | None = None) -> None:
        self.path = path
        self.clock = now or Clock()
        self.ledger = SqliteLedger(path, now=self.clock)

    def memories(self, tenant: str = "default") -> SqliteMemories:
        return SqliteMemories(self.ledger.database, Passages(self.ledger.database, tenant), now=self.clock)

    def add(self, text: str, kind: Kind = "fact", tenant: str = "default", **more: object) -> Memory:
        return self.memories(tenant).write([Add(NewMemory(kind, text, **more))])[0]  # type: ignore[arg-type]

    def close(self) -> None:
        self.ledger.close()


def contradictions(path: Path) -> list[str]:
    """Whatever of entries, passages and the keyword index does not belong together."""
    checks = {
        "entry without a passage": "SELECT id FROM memories WHERE id NOT IN "
        "(SELECT memory_id FROM passages WHERE memory_id IS NOT NULL)",
        "passage without an entry": "SELECT key FROM passages WHERE source = 'memory' AND "
        "coalesce(memory_id, '') NOT IN (SELECT id FROM memories)",
        "passage of another tenant": "SELECT p.key FROM passages p JOIN memories m ON m.id = p.memory_id "
        "WHERE p.tenant <> m.tenant OR p.kind <> m.kind OR p.scope <> m.scope",
        "passage without words": "SELECT row FROM passages WHERE row NOT IN (SELECT rowid FROM passage_words)",
        "words without a passage": "SELECT rowid FROM passage_words "
        "WHERE rowid > 0 AND rowid NOT IN (SELECT row FROM passages)",
        "superseded and still held": "SELECT id FROM memories WHERE state = 'superseded' AND valid_to IS NULL",
        "not whole": "PRAGMA quick_check",
        "dangling": "PRAGMA foreign_key_check",
    }
    found = []
    with contextlib.closing(sqlite3.connect(path)) as connection:
        for what, sql in checks.items():
            found += [f"{what}: {row}" for row in connection.execute(sql) if row != ("ok",)]
        connection.execute("INSERT INTO passage_words (passage_words) VALUES ('integrity-check')")
    return found
