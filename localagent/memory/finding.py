"""One search under way: the rows that were found so far, each read once, and how near they are."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Protocol, cast

from localagent.memory.database import Database
from localagent.memory.entries import Memory
from localagent.memory.entry_rows import COLUMNS as ENTRY_COLUMNS
from localagent.memory.filters import Filter, accepts, to_sql
from localagent.memory.index import Hit
from localagent.memory.keywords import COLUMNS, Keywords, Weights
from localagent.memory.language import date_codes

if TYPE_CHECKING:
    from localagent.memory.embedding import Vectors

# Candidates by words, and as many by vectors; 100 to 200 find the same.
EACH = 150
# Where fewer than half as many are left without those that are hidden or not allowed, more are asked for.
_ENOUGH = EACH // 2
_MORE = 4
_TRIES = 3

_ROWS = f"""
    SELECT p.row, p.source = 'memory', p.speaker, p.said_at, p.session, p.asks, p.ends_asking, p.times,
        {", ".join(f"m.{column}" for column in ENTRY_COLUMNS)}
    FROM json_each(?) wanted CROSS JOIN passages p ON p.row = wanted.value LEFT JOIN memories m ON m.id = p.memory_id
    WHERE +p.tenant = ? AND {{where}}
"""
_ENTRY = 8  # where the columns of the entry begin
_ACTIVE = "(m.state IS NULL OR m.state = 'active')"


class VectorHit(Protocol):
    """A neighbour of a vector: its row, or below 0 and what the index has of it (a passage of another home)."""

    @property
    def row(self) -> int: ...
    @property
    def cosine(self) -> float: ...
    @property
    def hit(self) -> Hit | None: ...


class VectorSearch(Protocol):
    """What a search needs of the stored vectors."""

    def query(self, vector: Vectors, limit: int, where: Filter | None = None) -> Sequence[VectorHit]:
        """The nearest, best first."""
        ...

    def cosines(self, vector: Vectors, rows: Sequence[int]) -> Mapping[int, float]:
        """Exact; rows without a vector are left out."""
        ...


@dataclass(frozen=True, slots=True)
class FoundRow:
    """A passage as it was read, without its text, and its entry (None: a message)."""

    row: int
    is_memory: bool
    speaker: str
    said_at: float
    session: str
    asks: float
    ends_asking: bool
    times: bool
    memory: Memory | None

    @property
    def hidden(self) -> bool:
        return self.memory is not None and self.memory.state != "active"


class Finding:
    """Of one tenant, within a filter. With `hidden`, superseded and archived entries count like others; without, they
    are found as well, but crowd nothing out."""

    def __init__(self, database: Database, tenant: str, allowed: Filter, hidden: bool) -> None:
        self._database = database
        self._tenant = tenant
        self._allowed = allowed
        self._where = to_sql(allowed, COLUMNS)
        self._hidden = hidden
        self._read: set[int] = set()
        self.rows: dict[int, FoundRow] = {}
        self.cosines: dict[int, float] = {}

    def by_words(self, keywords: Keywords, text: str) -> Weights:
        codes = date_codes(text)
        found = keywords.search(text, codes, EACH, self._where)
        self.read(found.rows)
        if len(found.rows) < EACH or self._visible(found.rows) >= _ENOUGH:
            return found
        condition, parameters = self._where
        visible = keywords.search(text, codes, EACH, (f"{_ACTIVE} AND {condition}", parameters))
        self.read(visible.rows)
        return replace(found, rows={**found.rows, **visible.rows})

    def by_vector(self, vectors: VectorSearch, vector: Vectors, narrow: bool) -> list[tuple[Hit, float]]:
        """Reads the nearest rows; returns the nearest of other homes, with their cosines. `narrow`: few are allowed,
        so the index is told the filter at once, which takes it longer."""
        where = self._allowed if narrow else None
        limit = EACH
        for _ in range(_TRIES):
            hits = vectors.query(vector, limit, where)
            own = {hit.row: hit.cosine for hit in hits if hit.row >= 0}
            others = [(hit.hit, hit.cosine) for hit in hits if hit.hit is not None and hit.row < 0]
            others = [(hit, cosine) for hit, cosine in others if accepts(self._allowed, hit.metadata)]
            self.read(own)
            if len(hits) < limit or self._visible(own) + len(others) >= _ENOUGH:
                break
            if where is None:
                where = self._allowed
            else:
                limit *= _MORE
        self.cosines.update(own)
        return others

    def read_neighbours(self) -> None:
        """What was said beside the messages that were found."""
        rows = [row.row for row in self.rows.values() if not row.is_memory]
        self.read(row + step for row in rows for step in (-1, 1))

    def measure(self, vectors: VectorSearch, vector: Vectors) -> None:
        """The cosines of those that were found otherwise."""
        self.cosines.update(vectors.cosines(vector, [row for row in self.rows if row not in self.cosines]))

    def read(self, rows: Iterable[int]) -> None:
        """Those that are allowed come into `rows`."""
        wanted = set(rows) - self._read
        if not wanted:
            return
        self._read |= wanted
        condition, parameters = self._where
        sql = _ROWS.format(where=condition)
        for row in self._database.query(sql, (json.dumps(list(wanted)), self._tenant, *parameters)):
            # The columns' types are the schema's; of an entry, nothing is shown or written from here.
            entry = cast("tuple[str]", row[_ENTRY:])
            memory = Memory(*entry) if entry[0] is not None else None  # type: ignore[call-arg]
            found = FoundRow(*cast("tuple[int, bool, str, float, str, float, bool, bool]", row[:_ENTRY]), memory)
            self.rows[found.row] = found

    def _visible(self, rows: Iterable[int]) -> int:
        """How many of them are wanted ones."""
        found = (self.rows.get(row) for row in rows)
        return sum(row is not None and (self._hidden or not row.hidden) for row in found)
