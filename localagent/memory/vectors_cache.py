"""The vectors of one tenant in memory: what the ledger has, compared exactly, never older than the last commit."""

from __future__ import annotations

import threading
from collections.abc import Iterable, Sequence
from sys import intern
from typing import TypeAlias, cast

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
_SPEAKER = _SHARED.index("speaker")
_SAID_AT = FoundRow._fields.index("said_at")

_Labels: TypeAlias = tuple["str | float", ...]
# The values of a `FoundRow`, labels last. No `FoundRow`s are kept: a hundred thousand would be looked through at every
# collection of garbage, tuples are not.
_Told: TypeAlias = tuple["Value | _Labels", ...]


class VectorCache:
    """For several threads. The numbers of 100,000 vectors of 384 take 150 MB. With them, the first recall of a process
    takes some 2 s of CPU time, and 280 MB of memory more than before it."""

    def __init__(self, rows: VectorRows) -> None:
        self._rows = rows
        # Never held while the ledger is asked: whoever has that may be waiting here.
        self._lock = threading.Lock()
        self._slots: Slots[int] = Slots(rows.fingerprint.dimension)
        self._row_of: dict[str, int] = {}
        self._known: dict[int, tuple[int, str]] = {}  # the vector's id and the passage's key, by row
        # By row as well. One object with all that a search asks: each look at another is a wait for the memory.
        self._told: dict[int, _Told] = {}
        self._labels: dict[_Labels, _Labels] = {}  # of many passages the same
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
        with self._lock:
            there = [told for told in map(self._told.get, rows) if told is not None]
        passes = _passes(there, where)
        found = (FoundRow._make(told) if passed else None for told, passed in zip(there, passes, strict=True))
        return dict(zip((cast("int", told[0]) for told in there), found, strict=True))

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
            there = [row for row in rows if row is not None]
            passes = dict(zip(there, _passes([self._told[row] for row in there], where), strict=True))
            return [row if row is not None and passes[row] else None for row in rows]

    def vector(self, row: int) -> Vectors | None:
        with self._lock:
            return self._slots.vector(row)

    def _put(self, new: New) -> None:
        self._slots.put(new.rows, new.vectors, new.labels)
        for vector_id, row, key in zip(new.ids, new.rows, new.keys, strict=True):
            if row in self._known:
                self._forget(row)
            self._row_of[key] = row
            self._known[row] = (vector_id, key)
        labels = zip(*(new.labels[name] for name in _SHARED), strict=True)
        for row, values, told in zip(new.rows, labels, new.told, strict=True):
            self._told[row] = _with_labels(told, self._labels.setdefault(values, values))
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


def _passes(told: Sequence[_Told], where: Filter) -> list[bool]:
    """Which passages pass a filter; asked once for all that have the same labels, unless it asks the time."""
    labels = [cast("_Labels", one[-1]) for one in told]
    if _asks_time(where):
        return [
            accepts(where, {**_named(its), "said_at": one[_SAID_AT]}) for its, one in zip(labels, told, strict=True)
        ]
    passes = {name: accepts(where, _named(its)) for name, its in {id(its): its for its in labels}.items()}
    return [passes[id(its)] for its in labels]


def _named(labels: _Labels) -> dict[str, object]:
    return dict(zip(_SHARED, labels, strict=True))


def _asks_time(where: Filter) -> bool:
    if isinstance(where, Condition):
        return where.field == "said_at"
    return any(map(_asks_time, where.members))


def _with_labels(values: Sequence[Value], labels: _Labels) -> _Told:
    """With one object for the texts that are the same of many."""
    row, _, *middle, state = values
    return (row, labels[_SPEAKER], *middle, intern(state) if isinstance(state, str) else None, labels)
