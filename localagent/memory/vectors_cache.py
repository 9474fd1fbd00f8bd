"""The vectors of one tenant in memory: what the ledger has, compared exactly, never older than the last commit."""

from __future__ import annotations

import threading
from collections.abc import Iterable, Sequence
from sys import intern
from typing import TypeAlias

from localagent.memory.database import Value
from localagent.memory.embedding import Vectors
from localagent.memory.exact_slots import Slots
from localagent.memory.filters import FIELDS, Condition, Filter, accepts
from localagent.memory.found_row import FoundRow
from localagent.memory.vectors_rows import New, VectorRows

# Read in one statement, so that nobody waits long for the connection.
_AT_ONCE = 2000
# What filters ask, but for the time: it is the same of many passages.
_SHARED = tuple(name for name in FIELDS if name != "said_at")

_Labels: TypeAlias = dict[str, "str | float"]


class VectorCache:
    """For several threads. The numbers of 100,000 vectors of 384 take 150 MB. With them, the first recall of a process
    takes 1.3 to 1.5 s of CPU time, and some 260 MB of memory more than before it."""

    def __init__(self, rows: VectorRows) -> None:
        self._rows = rows
        # Never held while the ledger is asked: whoever has that may be waiting here.
        self._lock = threading.Lock()
        self._slots: Slots[int] = Slots(rows.fingerprint.dimension)
        self._row_of: dict[str, int] = {}
        self._known: dict[int, tuple[int, str]] = {}  # the vector's id and the passage's key, by row
        # By row as well. One object with all that a search asks: each look at another is a wait for the memory.
        self._told: dict[int, FoundRow] = {}
        self._labels: dict[tuple[str | float, ...], _Labels] = {}
        # The vector and the removal that were taken up last; the latter None before anything was.
        self._last = 0
        self._removal: int | None = None

    def __len__(self) -> int:
        with self._lock:
            return len(self._slots)

    def refresh(self) -> None:
        """Take up what any process has stored or removed."""
        newest, removal = self._rows.newest()
        while True:
            with self._lock:
                if self._removal is None:
                    self._removal = removal
                last, known = self._last, self._removal
            if last >= newest and known >= removal:
                return
            new = self._rows.new(last, newest, _AT_ONCE) if last < newest else None
            # After what is new was read: some of it may be gone already.
            removed = self._rows.removed_since(known)
            with self._lock:
                if (last, known) != (self._last, self._removal):
                    continue  # another thread was quicker
                if new is not None:
                    self._put(new)
                self._removal = removed.last
                self._drop(row for row, vector_id in removed.vectors if self._id_of(row) <= vector_id)
            if not removed.complete:
                self._sweep()

    def known(self, rows: Iterable[int], where: Filter) -> dict[int, FoundRow | None]:
        """Of those that have a vector; None for what does not pass the filter."""
        passes = _Passes(where)
        with self._lock:
            there = [self._told[row] for row in rows if row in self._told]
        return {told.row: told if passes(told) else None for told in there}

    def search(
        self, vector: Vectors, limit: int, where: Filter | None = None, among: Iterable[int] | None = None
    ) -> list[tuple[int, float]]:
        """Rows and cosines, best first."""
        with self._lock:
            return self._slots.search(vector, limit, where, among)

    def cosines(self, vector: Vectors, rows: Iterable[int]) -> dict[int, float]:
        with self._lock:
            return self._slots.cosines(vector, rows)

    def passing(self, where: Filter) -> int:
        """How many pass the filter."""
        with self._lock:
            return self._slots.passing(where)

    def rows_of(self, index_keys: Iterable[str], where: Filter | None) -> list[int | None]:
        """None for what is not there or does not pass the filter."""
        with self._lock:
            rows = [self._row_of.get(key) for key in index_keys]
            if where is None:
                return rows
            passes = _Passes(where)
            return [row if row is not None and passes(self._told[row]) else None for row in rows]

    def vector(self, row: int) -> Vectors | None:
        with self._lock:
            return self._slots.vector(row)

    def _put(self, new: New) -> None:
        self._slots.put(new.rows, new.vectors, new.labels)
        for vector_id, row, key in zip(new.ids, new.rows, new.keys, strict=True):
            self._forget(row)
            self._row_of[key] = row
            self._known[row] = (vector_id, key)
        labels = zip(*(new.labels[name] for name in _SHARED), strict=True)
        for row, values, told in zip(new.rows, labels, new.told, strict=True):
            shared = self._labels.get(values)
            if shared is None:
                shared = self._labels[values] = dict(zip(_SHARED, values, strict=True))
            self._told[row] = _found_row(told, shared)
        self._last = new.last

    def _sweep(self) -> None:
        """Look at all: which of them are gone."""
        with self._lock:
            known = dict(self._known)
        mine = list(known)
        for start in range(0, len(mine), _AT_ONCE):
            some = mine[start : start + _AT_ONCE]
            present = self._rows.present(some)
            with self._lock:
                # One that came back meanwhile has another id.
                self._drop(row for row in some if row not in present and self._known.get(row) == known[row])

    def _drop(self, rows: Iterable[int]) -> None:
        for row in list(rows):
            self._slots.remove([row])
            self._forget(row)

    def _id_of(self, row: int) -> int:
        return self._known[row][0] if row in self._known else 0

    def _forget(self, row: int) -> None:
        _, key = self._known.pop(row, (0, ""))
        self._told.pop(row, None)
        if self._row_of.get(key) == row:
            del self._row_of[key]


class _Passes:
    """Which passages pass a filter, asked once for all that have the same labels."""

    def __init__(self, where: Filter) -> None:
        self._where = where
        self._timed = _asks_time(where)
        self._found: dict[int, bool] = {}

    def __call__(self, told: FoundRow) -> bool:
        labels = told.labels
        if self._timed:
            return accepts(self._where, {**labels, "said_at": told.said_at})
        found = self._found.get(id(labels))
        if found is None:
            found = self._found[id(labels)] = accepts(self._where, labels)
        return found


def _asks_time(where: Filter) -> bool:
    if isinstance(where, Condition):
        return where.field == "said_at"
    return any(map(_asks_time, where.members))


def _found_row(values: Sequence[Value], labels: _Labels) -> FoundRow:
    """With one object for the texts that are the same of many."""
    row, _, *middle, state = values
    named = (row, labels["speaker"], *middle, intern(state) if isinstance(state, str) else None, labels)
    return FoundRow._make(named)
