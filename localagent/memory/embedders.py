"""The embedders a home has used: what their vectors are compared by, and which one is in use."""

from __future__ import annotations

import sqlite3
from dataclasses import dataclass
from typing import Final, cast

from localagent.errors import StorageError
from localagent.memory.database import Database, Row
from localagent.memory.embedding import Fingerprint

_COLUMNS: Final = "id, name, version, dimension, generation, active"
_SAME: Final = "name = ? AND version = ? AND dimension = ?"


@dataclass(frozen=True, slots=True)
class EmbedderRow:
    """`generation` counts how often its index was begun anew, from 1; `active`: recall uses it."""

    id: int
    fingerprint: Fingerprint
    generation: int
    active: bool


class EmbedderTable:
    """Raises StorageError."""

    def __init__(self, database: Database) -> None:
        self._database = database

    def active(self) -> EmbedderRow | None:
        """None in a home that has not embedded anything yet."""
        return _first(self._database.query(f"SELECT {_COLUMNS} FROM embedders WHERE active"))

    def find(self, fingerprint: Fingerprint) -> EmbedderRow | None:
        return _first(self._database.query(f"SELECT {_COLUMNS} FROM embedders WHERE {_SAME}", _values(fingerprint)))

    def add(self, fingerprint: Fingerprint, *, active: bool = False) -> EmbedderRow:
        """The row of this embedder, which may be there already. `active`: it takes the place of the one in use."""
        with self._database.transaction() as connection:
            row = _ensure(connection, fingerprint)
            return _activate(connection, row.id) if active else row

    def activate(self, embedder_id: int) -> EmbedderRow:
        """From now on recall uses this one and no other."""
        with self._database.transaction() as connection:
            return _activate(connection, embedder_id)

    def begin_anew(self, embedder_id: int) -> EmbedderRow:
        """Its index is not to be trusted: all its vectors are to be put into a new one."""
        with self._database.transaction() as connection:
            connection.execute("UPDATE embedders SET generation = generation + 1 WHERE id = ?", (embedder_id,))
            return _by_id(connection, embedder_id)

    def calibration(self, fingerprint: Fingerprint) -> bytes | None:
        rows = self._database.query(f"SELECT calibration FROM embedders WHERE {_SAME}", _values(fingerprint))
        return cast("bytes | None", rows[0][0]) if rows else None

    def save_calibration(self, fingerprint: Fingerprint, calibration: bytes) -> None:
        """The first one is kept, whoever saves it: vectors that were made with it are there, perhaps."""
        with self._database.transaction() as connection:
            row = _ensure(connection, fingerprint)
            connection.execute(
                "UPDATE embedders SET calibration = ? WHERE id = ? AND calibration IS NULL", (calibration, row.id)
            )


def _ensure(connection: sqlite3.Connection, fingerprint: Fingerprint) -> EmbedderRow:
    values = _values(fingerprint)
    connection.execute("INSERT OR IGNORE INTO embedders (name, version, dimension) VALUES (?, ?, ?)", values)
    return _row(connection.execute(f"SELECT {_COLUMNS} FROM embedders WHERE {_SAME}", values).fetchone())


def _activate(connection: sqlite3.Connection, embedder_id: int) -> EmbedderRow:
    row = _by_id(connection, embedder_id)
    connection.execute("UPDATE embedders SET active = (id = ?)", (row.id,))
    return _by_id(connection, row.id)


def _by_id(connection: sqlite3.Connection, embedder_id: int) -> EmbedderRow:
    row = _first(connection.execute(f"SELECT {_COLUMNS} FROM embedders WHERE id = ?", (embedder_id,)).fetchall())
    if row is None:
        raise StorageError(f"the ledger knows no embedder {embedder_id}", hint="Run `localagent doctor`.")
    return row


def _first(rows: list[Row]) -> EmbedderRow | None:
    return _row(rows[0]) if rows else None


def _row(row: Row) -> EmbedderRow:
    embedder_id, name, version, dimension, generation, active = row
    return EmbedderRow(
        id=cast("int", embedder_id),
        fingerprint=Fingerprint(cast("str", name), cast("str", version), cast("int", dimension)),
        generation=cast("int", generation),
        active=bool(active),
    )


def _values(fingerprint: Fingerprint) -> tuple[str, str, int]:
    return fingerprint.name, fingerprint.version, fingerprint.dimension
