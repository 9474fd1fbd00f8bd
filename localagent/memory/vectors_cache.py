"""The vectors of one tenant in memory: what the ledger has, compared exactly, never older than the last commit."""

from __future__ import annotations

import threading
from collections.abc import Iterable, Sequence

from localagent.memory.embedding import Vectors
from localagent.memory.exact_slots import Slots
from localagent.memory.filters import Filter
from localagent.memory.vectors_rows import New, VectorRows

# Read in one statement, so that nobody waits long for the connection.
_AT_ONCE = 2000


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
        self._last = 0

    def __len__(self) -> int:
        with self._lock:
            return len(self._slots)

    def refresh(self) -> None:
        """Take up what any process has stored. What was removed stays until `sweep` finds it."""
        newest = self._rows.newest()
        while (last := self._last) < newest:
            new = self._rows.new(last, newest, _AT_ONCE)
            with self._lock:
                if self._last == last:  # no other thread was quicker
                    self._put(new)

    def sweep(self, rows: Sequence[int]) -> bool:
        """Whether any of these has been removed from the ledger; then everything that has been is dropped."""
        if self._rows.count_present(rows) == len(rows):
            return False
        with self._lock:
            known = dict(self._known)
        mine = list(known)
        for start in range(0, len(mine), _AT_ONCE):
            some = mine[start : start + _AT_ONCE]
            present = self._rows.present(some)
            with self._lock:
                # One that came back meanwhile has another id.
                gone = [row for row in some if row not in present and self._known.get(row) == known[row]]
                self._slots.remove(gone)
                for row in gone:
                    self._forget(row)
        return True

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
            known = [row for row in rows if row is not None]
            passing = {row for row, passes in zip(known, self._slots.passes(where, known), strict=True) if passes}
            return [row if row in passing else None for row in rows]

    def vector(self, row: int) -> Vectors | None:
        with self._lock:
            return self._slots.vector(row)

    def _put(self, new: New) -> None:
        self._slots.put(new.rows, new.vectors, new.labels)
        for vector_id, row, key in zip(new.ids, new.rows, new.keys, strict=True):
            self._forget(row)
            self._row_of[key] = row
            self._known[row] = (vector_id, key)
        self._last = new.last

    def _forget(self, row: int) -> None:
        _, key = self._known.pop(row, (0, ""))
        if self._row_of.get(key) == row:
            del self._row_of[key]
