"""One search under way: the rows that were found so far, each read once, and how near they are."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, Protocol, cast

from localagent.memory.database import Database
from localagent.memory.entries import Memory
from localagent.memory.entry_rows import COLUMNS as ENTRY_COLUMNS
from localagent.memory.filters import Filter, accepts, to_sql
from localagent.memory.found_row import COLUMNS, FoundRow
from localagent.memory.index import Hit
from localagent.memory.keywords import COLUMNS as FILTERED
from localagent.memory.keywords import Keywords, Weights
from localagent.memory.language import date_codes

if TYPE_CHECKING:
    from localagent.memory.embedding import Vectors

# Candidates by words, and as many by vectors; 100 to 200 find the same.
EACH = 100
# Where fewer than half as many are left without those that are hidden or not allowed, more are asked for: of vectors
# four times as many, twice at most.
_ENOUGH = EACH // 2
_MORE = 4
_TRIES = 3

_ROWS = f"""
    SELECT {COLUMNS}
    FROM json_each(?) wanted CROSS JOIN passages p ON p.row = wanted.value LEFT JOIN memories m ON m.id = p.memory_id
    WHERE +p.tenant = ? AND {{where}}
"""
_ACTIVE = "(m.state IS NULL OR m.state = 'active')"
_ENTRIES = f"""
    SELECT {", ".join(f"m.{column}" for column in ENTRY_COLUMNS)}
    FROM json_each(?) wanted CROSS JOIN memories m ON m.id = wanted.value
"""


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
        """Exact; rows without a vector when a query was made last are left out."""
        ...

    def known(self, rows: Iterable[int], where: Filter) -> Mapping[int, FoundRow | None]:
        """As it was when a query was made last, of rows that have a vector; None of those that do not pass the
        filter."""
        ...


class Finding:
    """Of one tenant, within a filter. `narrow`: the filter leaves few, so that it is applied from the start, which
    takes longer. With `hidden`, superseded and archived entries count like others; without, they are found as well,
    but crowd nothing out."""

    def __init__(self, database: Database, tenant: str, allowed: Filter, *, narrow: bool, hidden: bool) -> None:
        self._database = database
        self._tenant = tenant
        self._allowed = allowed
        self._where = to_sql(allowed, FILTERED)
        self._narrow = narrow
        self._hidden = hidden
        self._vectors: VectorSearch | None = None
        self._read: set[int] = set()
        self._wanted: set[int] = set()  # of `rows`, those that are not hidden
        self.rows: dict[int, FoundRow] = {}
        self.weights = Weights({}, {}, 1.0, {})
        self.cosines: dict[int, float] = {}

    def by_words(self, keywords: Keywords, text: str) -> None:
        self.weights = keywords.search(text, date_codes(text), EACH, self._where if self._narrow else None)

    def by_vector(self, vectors: VectorSearch, vector: Vectors) -> list[tuple[Hit, float]]:
        """Returns the nearest of other homes, with their cosines."""
        where = self._allowed if self._narrow else None
        limit = EACH
        for _ in range(_TRIES):
            hits = vectors.query(vector, limit, where)
            self._vectors = vectors
            own = {hit.row: hit.cosine for hit in hits if hit.row >= 0}
            found = [(hit.hit, hit.cosine) for hit in hits if hit.hit is not None and hit.row < 0]
            others = [(hit, cosine) for hit, cosine in found if accepts(self._allowed, hit.metadata)]
            self._take((*self.weights.rows, *own))
            if len(hits) < limit or len(self._wanted.intersection(own)) + len(others) >= _ENOUGH:
                break
            if where is None:
                where = self._allowed
            else:
                limit *= _MORE
        self.cosines.update(own)
        return others

    def complete(self, keywords: Keywords, text: str) -> None:
        """After the search by vectors, if there was one: more by words where too few of them were wanted, and what was
        said beside the messages."""
        rows = self.weights.rows
        self._take(rows)
        if len(rows) == EACH and len(self._wanted.intersection(rows)) < _ENOUGH:
            condition, parameters = self._where
            active = condition if self._hidden else f"{_ACTIVE} AND {condition}"
            more = keywords.search(text, date_codes(text), EACH, (active, parameters))
            self._take(more.rows)
            self.weights = replace(more, rows={**rows, **more.rows}, own={**self.weights.own, **more.own})
        messages = [row.row for row in self.rows.values() if row.memory_id is None]
        self._take(row + step for row in messages for step in (-1, 1))

    def measure(self, vectors: VectorSearch, vector: Vectors) -> None:
        """The cosines of those that were not found by them."""
        self.cosines.update(vectors.cosines(vector, [row for row in self.rows if row not in self.cosines]))

    def best_entries(self, most: int) -> dict[str, Memory]:
        """By their ids: so many of the best by words and likeness, and those of the hidden ones that are as good.
        Entries have no neighbours and share no session: little else decides their rank."""
        weights, cosines = self.weights.rows, self.cosines
        entries = [row for row, found in self.rows.items() if found.memory_id is not None]
        heaviest = max(weights.values(), default=0.0) or 1.0
        nearest = max((cosines.get(row, 0.0) for row in entries), default=0.0)
        nearest = nearest if nearest > 0 else 1.0

        def value(row: int) -> float:
            by_words = weights.get(row, 0.0) / heaviest
            cosine = cosines.get(row)
            # What has no vector yet is as like as its words are.
            return by_words + (by_words if cosine is None else cosine / nearest)

        chosen: dict[str, None] = {}
        wanted = 0
        for row in sorted(entries, key=value, reverse=True):
            if wanted == most:
                break
            memory_id = self.rows[row].memory_id
            if memory_id is not None:
                chosen[memory_id] = None
            wanted += row in self._wanted
        if not chosen:
            return {}
        found = self._database.query(_ENTRIES, (json.dumps(list(chosen)),))
        # The columns' types are the schema's; nothing of these is shown or written.
        return {str(row[0]): Memory(*cast("tuple[str]", row)) for row in found}  # type: ignore[call-arg]

    def _take(self, rows: Iterable[int]) -> None:
        """Read those that were not read yet; what is allowed comes into `rows`."""
        wanted = set(rows) - self._read
        if not wanted:
            return
        self._read |= wanted
        # Most are in memory already; in the ledger each has pages of its own.
        known = self._vectors.known(wanted, self._allowed) if self._vectors is not None else {}
        found = [row for row in known.values() if row is not None]
        rest = sorted(wanted - known.keys())
        if rest:
            condition, parameters = self._where
            sql = _ROWS.format(where=condition)
            read = self._database.query(sql, (json.dumps(rest), self._tenant, *parameters))
            found += [FoundRow._make((*row, ())) for row in read]
        self.rows.update((row.row, row) for row in found)
        self._wanted.update(row.row for row in found if self._hidden or row.state in (None, "active"))
