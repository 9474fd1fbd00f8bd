"""How much there is: entries, passages, vectors, bytes."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import cast

from localagent.memory.database import Database

_REINDEXING = """
    SELECT name, (SELECT count(*) FROM vectors WHERE embedder_id = embedders.id), (SELECT count(*) FROM passages)
    FROM embedders WHERE NOT active AND id = (SELECT CAST(value AS INTEGER) FROM home_values WHERE name = 'reindexing')
"""


@dataclass(frozen=True, slots=True)
class Counts:
    """Of one tenant; bytes are those of the whole home."""

    kinds: Mapping[str, int]
    states: Mapping[str, int]
    passages: int
    vectors: int
    ledger_bytes: int
    index_bytes: int


@dataclass(frozen=True, slots=True)
class Reindexing:
    """A change to the embedder `name` that was begun and is not over: `done` of `total` passages, of all tenants."""

    name: str
    done: int
    total: int


def reindexing(database: Database) -> Reindexing | None:
    """None where no such change is under way, nor was stopped."""
    found = database.query(_REINDEXING)
    return Reindexing(*cast("tuple[str, int, int]", found[0])) if found else None


def count(database: Database, tenant: str, embedder_id: int | None, index: Path) -> Counts:
    """`kinds` are those of active entries."""
    of_kind = "SELECT kind, count(*) FROM memories WHERE tenant = ? AND state = 'active' GROUP BY kind ORDER BY 2 DESC"
    of_state = "SELECT state, count(*) FROM memories WHERE tenant = ? GROUP BY state"
    vectors = (
        "SELECT count(*) FROM vectors JOIN passages USING (row) WHERE passages.tenant = ? AND vectors.embedder_id = ?"
    )
    return Counts(
        kinds={str(kind): cast("int", number) for kind, number in database.query(of_kind, (tenant,))},
        states={str(state): cast("int", number) for state, number in database.query(of_state, (tenant,))},
        passages=_number(database, "SELECT count(*) FROM passages WHERE tenant = ?", tenant),
        vectors=_number(database, vectors, tenant, embedder_id) if embedder_id is not None else 0,
        ledger_bytes=sum(_size(database.path.with_name(database.path.name + end)) for end in ("", "-wal")),
        index_bytes=sum(_size(path) for path in index.rglob("*")) if index.is_dir() else 0,
    )


def _number(database: Database, sql: str, *parameters: str | int) -> int:
    return cast("int", database.query(sql, parameters)[0][0])


def _size(path: Path) -> int:
    try:
        return path.stat().st_size if path.is_file() else 0
    except OSError:
        return 0
