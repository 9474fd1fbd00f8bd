"""The table `vectors` for one tenant and one embedder: what is in it, what waits for the index, what is missing."""

from __future__ import annotations

import json
import time
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, cast

from localagent.errors import EmbeddingFailed
from localagent.memory.chroma import HOME
from localagent.memory.database import Database, Value
from localagent.memory.embedders import EmbedderRow, EmbedderTable
from localagent.memory.embedding import Vectors
from localagent.memory.filters import FIELDS
from localagent.memory.found_row import COLUMNS, FoundRow
from localagent.memory.index import Item
from localagent.memory.queue import ATTEMPTS

if TYPE_CHECKING:
    import numpy as np
    import numpy.typing as npt

_FIELDS = ", ".join(f"p.{name}" for name in FIELDS)
# CROSS JOIN: in this order, whatever SQLite expects to find.
_NEW = f"""
    SELECT v.id, v.row, v.vector, p.key, {_FIELDS}, {COLUMNS}
    FROM vectors v CROSS JOIN passages p ON p.row = v.row LEFT JOIN memories m ON m.id = p.memory_id
    WHERE +v.embedder_id = ? AND v.id > ? AND v.id <= ? AND p.tenant = ? ORDER BY v.id LIMIT ?
"""
_ELSEWHERE = "v.embedder_id = ? AND (v.generation < ? OR v.generation > ?)"
_PENDING = f"FROM vectors v CROSS JOIN passages p ON p.row = v.row WHERE {_ELSEWHERE} AND p.tenant = ?"
_ITEMS = f"""
    SELECT v.id, v.vector, p.key, p.text, p.session, p.part, coalesce(p.memory_id, ''), coalesce(m.importance, 0.0),
        coalesce(m.state, 'active'), {_FIELDS}
    FROM vectors v CROSS JOIN passages p ON p.row = v.row LEFT JOIN memories m ON m.id = p.memory_id
    WHERE {_ELSEWHERE} AND p.tenant = ? LIMIT ?
"""
_NEWEST = "SELECT (SELECT coalesce(max(id), 0) FROM vectors), (SELECT coalesce(max(id), 0) FROM removed_vectors)"
_REMOVED = "SELECT id, row, vector_id, embedder_id FROM removed_vectors WHERE id > ? ORDER BY id"
_INDEXED = (
    "FROM vectors v JOIN passages p ON p.row = v.row WHERE v.embedder_id = ? AND v.generation = ? AND p.tenant = ?"
)
_THESE = "IN (SELECT value FROM json_each(?))"
# Rows looked at in one statement, so that no recall waits long for the connection.
_WINDOW = 5000
# Along the index of threads, which is small: 7 ms a window, and 10 times that in the table itself.
_WINDOW_END = """
    SELECT thread_id, row FROM passages WHERE tenant = ? AND (thread_id, row) > (?, ?)
    ORDER BY thread_id, row LIMIT 1 OFFSET ?
"""
_MISSING = """
    SELECT p.row, p.speaker, p.text FROM passages p LEFT JOIN failures f ON f.row = p.row AND f.embedder_id = ?1
    WHERE p.tenant = ?2 AND (p.thread_id, p.row) > (?3, ?4) AND (p.thread_id, p.row) <= (?5, ?6)
    AND NOT EXISTS (SELECT 1 FROM vectors v WHERE v.embedder_id = ?1 AND v.row = p.row)
    AND (f.row IS NULL OR (f.attempts < ?7 AND f.next_at <= ?8))
    ORDER BY p.thread_id, p.row LIMIT ?9
"""
# Every text sorts before every blob.
_LAST: tuple[Value, Value] = (b"", 0)
_STORE = """
    INSERT OR REPLACE INTO vectors (embedder_id, row, vector)
    SELECT ?, row, ? FROM passages WHERE row = ? AND tenant = ?
"""


@dataclass(frozen=True, slots=True)
class New:
    """Vectors that were not there before, with what filters ask of them and what a search is told (the values of
    `FoundRow`s); `last` is the highest id looked at."""

    last: int
    ids: Sequence[int]
    rows: Sequence[int]
    keys: Sequence[str]
    vectors: Vectors
    labels: Mapping[str, Sequence[str | float]]
    told: Sequence[tuple[Value, ...]]


@dataclass(frozen=True, slots=True)
class Removed:
    """Rows and ids of vectors that are gone, and the number of the last removal looked at. Not `complete`: the ledger
    remembers no more that far back."""

    last: int
    complete: bool
    vectors: list[tuple[int, int]]


@dataclass(frozen=True, slots=True)
class Waiting:
    """What is not in the index: items for it, and the ids of their vectors."""

    ids: list[int]
    items: list[Item]


class VectorRows:
    """For several threads. Raises StorageError."""

    def __init__(
        self, database: Database, tenant: str, embedder: EmbedderRow, now: Callable[[], float] = time.time
    ) -> None:
        self.tenant = tenant
        self.fingerprint = embedder.fingerprint
        self._database = database
        self._embedder = embedder.id
        self._table = EmbedderTable(database)
        self._now = now
        self.home = str(database.query("SELECT value FROM home_values WHERE name = 'home_id'")[0][0])
        # What the passages said that `missing` named: a vector is of a text, and the text may change meanwhile.
        self._expected: dict[int, int] = {}
        # Where nothing was missing, and the state of the ledger then.
        self._complete: tuple[Value, ...] = ()

    def index_key(self, key: str) -> str:
        """Of a passage, over all homes that share an index."""
        return key if self.is_own(key) else f"{self.home}.{key}"

    def is_own(self, index_key: str) -> bool:
        return index_key.startswith(f"{self.home}.")

    def generation(self) -> int:
        rows = self._database.query("SELECT generation FROM embedders WHERE id = ?", (self._embedder,))
        return cast("int", rows[0][0]) if rows else 0

    def is_active(self) -> bool:
        return bool(self._database.query("SELECT 1 FROM embedders WHERE id = ? AND active", (self._embedder,)))

    def begin_anew(self) -> None:
        """Of all tenants: a folder holds them all."""
        self._table.begin_anew(self._embedder)

    def store(self, rows: Sequence[int], vectors: Vectors) -> None:
        """Raises EmbeddingFailed for what are no vectors of this embedder."""
        halves = self._halves(rows, vectors)
        with self._database.transaction() as connection:
            changed = set()
            if any(row in self._expected for row in rows):
                sql = f"SELECT row, speaker, text FROM passages WHERE row {_THESE}"
                for row, speaker, text in connection.execute(sql, (json.dumps(list(rows)),)):
                    if self._expected.get(row, hash((speaker, text))) != hash((speaker, text)):
                        changed.add(row)
            connection.executemany(
                _STORE,
                [
                    (self._embedder, half.tobytes(), row, self.tenant)
                    for row, half in zip(rows, halves, strict=True)
                    if row not in changed
                ],
            )
        for row in rows:
            self._expected.pop(row, None)

    def missing(self, limit: int) -> list[int]:
        state = self._state()
        if limit <= 0 or state == self._complete:
            return []
        found: list[tuple[Value, ...]] = []
        start: tuple[Value, ...] = ("", -(2**62))
        while len(found) < limit and start != _LAST:
            ends = self._database.query(_WINDOW_END, (self.tenant, *start, _WINDOW - 1))
            end = ends[0] if ends else _LAST
            found += self._database.query(
                _MISSING,
                (self._embedder, self.tenant, *start, *end, ATTEMPTS, self._now(), limit - len(found)),
            )
            start = end
        waiting = self._database.query("SELECT 1 FROM failures WHERE embedder_id = ? LIMIT 1", (self._embedder,))
        # With failures, time alone can make something missing.
        self._complete = () if found or waiting else state
        rows = [cast("int", row) for row, _, _ in found]
        self._expected.update((row, hash((speaker, text))) for row, (_, speaker, text) in zip(rows, found, strict=True))
        return rows

    def newest(self) -> tuple[int, int]:
        """The highest id of a vector, and the highest number of a removal."""
        return cast("tuple[int, int]", self._database.query(_NEWEST)[0])

    def removed_since(self, number: int) -> Removed:
        """What was removed after the removal of this number."""
        found = cast("list[tuple[int, int, int, int]]", self._database.query(_REMOVED, (number,)))
        return Removed(
            last=found[-1][0] if found else number,
            complete=not found or found[0][0] == number + 1,
            vectors=[(row, vector_id) for _, row, vector_id, embedder in found if embedder == self._embedder],
        )

    def new(self, after: int, until: int, limit: int) -> New:
        """Vectors with ids in (after, until], the `limit` lowest of them."""
        found = self._database.query(_NEW, (self._embedder, after, until, self.tenant, limit))
        last = cast("int", found[-1][0]) if len(found) >= limit else until
        found = self._whole(found, 0, 2)
        # Column by column: of 100,000, one by one takes half a second.
        columns = list(zip(*found, strict=True)) or [()] * (4 + len(FIELDS) + len(FoundRow._fields))
        return New(
            last=last,
            ids=cast("Sequence[int]", columns[0]),
            rows=cast("Sequence[int]", columns[1]),
            keys=[self.index_key(str(key)) for key in columns[3]],
            vectors=self._floats(columns[2]),
            labels={name: cast("Sequence[str | float]", columns[at]) for at, name in enumerate(FIELDS, 4)},
            told=list(zip(*columns[4 + len(FIELDS) :], strict=True)),
        )

    def present(self, rows: Iterable[int]) -> set[int]:
        """Those that still have a vector."""
        sql = f"SELECT row FROM vectors WHERE embedder_id = ? AND row {_THESE}"
        found = self._database.query(sql, (self._embedder, json.dumps(list(rows))))
        return {cast("int", row) for (row,) in found}

    def pending(self, generation: int, limit: int) -> list[int]:
        """Rows that are not in the index of this generation."""
        parameters = (self._embedder, generation, generation, self.tenant, limit)
        return [cast("int", row) for (row,) in self._database.query(f"SELECT v.row {_PENDING} LIMIT ?", parameters)]

    def count_pending(self, generation: int) -> int:
        parameters = (self._embedder, generation, generation, self.tenant)
        return cast("int", self._database.query(f"SELECT count(*) {_PENDING}", parameters)[0][0])

    def waiting(self, generation: int, limit: int) -> Waiting:
        parameters = (self._embedder, generation, generation, self.tenant, limit)
        found = self._whole(self._database.query(_ITEMS, parameters), 0, 1)
        vectors = self._floats([row[1] for row in found])
        return Waiting(
            [cast("int", row[0]) for row in found],
            [self._item(row[2:], vector) for row, vector in zip(found, vectors, strict=True)],
        )

    def mark(self, ids: Sequence[int], generation: int) -> None:
        """They are in the index; what was replaced meanwhile has another id, and is not."""
        with self._database.transaction() as connection:
            connection.execute(f"UPDATE vectors SET generation = ? WHERE id {_THESE}", (generation, json.dumps(ids)))

    def indexed_by_any_tenant(self, generation: int) -> bool:
        sql = "SELECT 1 FROM vectors WHERE embedder_id = ? AND generation = ? LIMIT 1"
        return bool(self._database.query(sql, (self._embedder, generation)))

    def indexed(self, generation: int) -> dict[str, int]:
        """What the index should hold: its keys, and the rows."""
        found: dict[str, int] = {}
        sql = f"SELECT p.key, v.row {_INDEXED} AND v.row > ? ORDER BY v.row LIMIT ?"
        last = -(2**62)
        while some := self._database.query(sql, (self._embedder, generation, self.tenant, last, _WINDOW)):
            found.update((self.index_key(str(key)), cast("int", row)) for key, row in some)
            last = cast("int", some[-1][1])
        return found

    def sample(self, generation: int, count: int) -> dict[str, list[float]]:
        """Some of what the index should hold: vectors by its keys."""
        sql = f"SELECT v.id, v.vector, p.key {_INDEXED} ORDER BY random() LIMIT ?"
        found = self._whole(self._database.query(sql, (self._embedder, generation, self.tenant, count)), 0, 1)
        vectors = self._floats([row[1] for row in found])
        return {
            self.index_key(str(row[2])): [float(number) for number in vector]
            for row, vector in zip(found, vectors, strict=True)
        }

    def alive(self, index_keys: Iterable[str]) -> set[str]:
        """Those of own passages that are in the ledger."""
        own = {plain: key for key in index_keys for plain in (key, key.removeprefix(f"{self.home}."))}
        sql = f"SELECT key FROM passages WHERE tenant = ? AND key {_THESE}"
        found = self._database.query(sql, (self.tenant, json.dumps(list(own))))
        return {own[str(key)] for (key,) in found}

    def put_back(self, rows: Iterable[int]) -> None:
        """They are not in the index after all."""
        with self._database.transaction() as connection:
            connection.execute(
                f"UPDATE vectors SET generation = 0 WHERE embedder_id = ? AND generation <> 0 AND row {_THESE}",
                (self._embedder, json.dumps(list(rows))),
            )

    def removed_keys(self, limit: int) -> list[str]:
        """Keys of passages that an index may still hold."""
        sql = "SELECT key FROM removed_keys WHERE tenant = ? LIMIT ?"
        return [str(key) for (key,) in self._database.query(sql, (self.tenant, limit))]

    def done_removing(self, keys: Sequence[str]) -> None:
        """They are in no index. One that came back meanwhile was perhaps put in and taken out again: it waits anew."""
        encoded = json.dumps(list(keys))
        with self._database.transaction() as connection:
            connection.execute(f"DELETE FROM removed_keys WHERE tenant = ? AND key {_THESE}", (self.tenant, encoded))
            connection.execute(
                "UPDATE vectors SET generation = 0 WHERE generation <> 0 "
                f"AND row IN (SELECT row FROM passages WHERE key {_THESE})",
                (encoded,),
            )

    def _item(self, row: Sequence[Value], vector: Vectors) -> Item:
        key, text, session, part, memory_id, importance, state, *labels = row
        metadata: dict[str, str | int | float | bool] = {
            HOME: self.home,
            "session": str(session),
            "part": cast("int", part),
            "memory_id": str(memory_id),
            "importance": cast("float", importance),
            "state": str(state),
        }
        metadata |= {name: kind(value) for (name, kind), value in zip(FIELDS.items(), labels, strict=True)}
        return Item(self.index_key(str(key)), vector, str(text), metadata)

    def _halves(self, rows: Sequence[int], vectors: Vectors) -> npt.NDArray[np.float16]:
        import numpy as np

        expected = (len(rows), self.fingerprint.dimension)
        lengths = np.linalg.norm(vectors, axis=1, keepdims=True) if vectors.shape == expected else np.zeros((1, 1))
        if vectors.shape != expected or not np.isfinite(lengths).all() or (lengths == 0).any():
            raise EmbeddingFailed(
                f"the embedder {self.fingerprint.name} gave what are no {expected[0]} vectors of {expected[1]} numbers "
                f"(their shape is {vectors.shape})",
                hint="Has the model changed? `localagent memory reindex` makes all vectors anew.",
            )
        return cast("npt.NDArray[np.float16]", (vectors / lengths).astype("<f2"))

    def _floats(self, blobs: Sequence[Value]) -> Vectors:
        """Length 1, which half precision only nearly keeps."""
        import numpy as np

        joined = b"".join(cast("bytes", blob) for blob in blobs)
        vectors = np.frombuffer(joined, "<f2").astype(np.float32).reshape(len(blobs), self.fingerprint.dimension)
        lengths = np.linalg.norm(vectors, axis=1, keepdims=True)
        vectors /= np.where(lengths > 0, lengths, 1)
        return vectors

    def _whole(self, found: list[tuple[Value, ...]], id_at: int, vector_at: int) -> list[tuple[Value, ...]]:
        """Without vectors that are damaged, which are removed, and so made anew."""
        size = 2 * self.fingerprint.dimension
        damaged = [row[id_at] for row in found if len(cast("bytes", row[vector_at])) != size]
        if not damaged:
            return found
        with self._database.transaction() as connection:
            connection.execute(f"DELETE FROM vectors WHERE id {_THESE}", (json.dumps(damaged),))
        return [row for row in found if row[id_at] not in damaged]

    def _state(self) -> tuple[Value, ...]:
        """Another one after each commit of any process."""
        ((version,),) = self._database.query("PRAGMA data_version")
        ((changes,),) = self._database.query("SELECT total_changes()")
        return (version, changes)
