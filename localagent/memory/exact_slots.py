"""Vectors side by side in memory, with what filters ask of them: compared all at once, and exactly."""

from __future__ import annotations

from collections.abc import Hashable, Iterable, Mapping, Sequence
from typing import TYPE_CHECKING, Generic, TypeAlias, TypeVar, cast

from localagent.memory.embedding import Vectors
from localagent.memory.filters import FIELDS, Condition, Filter, Group

if TYPE_CHECKING:
    import numpy as np
    import numpy.typing as npt

Name = TypeVar("Name", bound=Hashable)
Mask: TypeAlias = "npt.NDArray[np.bool_]"
Column: TypeAlias = "npt.NDArray[np.float64]"
# A list for each key of `filters.FIELDS`, in the order of the names.
Labels: TypeAlias = Mapping[str, Sequence["str | float"]]

_FIRST_CAPACITY = 256
# As many vectors at a time stay in the processor's cache, which halves the time where they are gathered. They are too
# few for numpy to share them out among threads, too: threads save 0.1 of 0.8 ms for 10,000 vectors where the processor
# is idle, and wait for one another, 4 ms and up to 40, where it is not.
_COMPARED = 256


class Slots(Generic[Name]):
    """A vector (float32, length 1) and labels for each name; 4 bytes a number and some 200 for each name.

    Not for several threads at once.
    """

    def __init__(self, dimension: int) -> None:
        import numpy as np

        self._dimension = dimension
        self._matrix: Vectors = np.zeros((0, dimension), np.float32)
        self._used = 0
        self._names: list[Name | None] = []
        self._slots: dict[Name, int] = {}
        self._free: list[int] = []
        # Texts as numbers, so that a filter compares numbers.
        self._codes: dict[str, dict[str, int]] = {name: {} for name, kind in FIELDS.items() if kind is str}
        self._columns: dict[str, Column] = {name: np.zeros(0, np.float64) for name in FIELDS}

    def __len__(self) -> int:
        return len(self._slots)

    def __contains__(self, name: Name) -> bool:
        return name in self._slots

    def names(self) -> list[Name]:
        return list(self._slots)

    def put(self, names: Sequence[Name], vectors: Vectors, labels: Labels) -> None:
        """Add or replace."""
        import numpy as np

        slots = np.array([self._slot(name) for name in names], np.intp)
        if not len(slots):
            return
        self._reserve(self._used)
        self._matrix[slots] = vectors
        for field, column in self._columns.items():
            values = labels[field]
            codes = self._codes.get(field)
            if codes is not None:
                values = [codes.setdefault(value, len(codes)) for value in cast("Sequence[str]", values)]
            column[slots] = cast("list[float]", values)

    def remove(self, names: Iterable[Name]) -> None:
        """Names that are not there are no error."""
        for name in names:
            slot = self._slots.pop(name, None)
            if slot is not None:
                self._names[slot] = None
                self._free.append(slot)

    def search(
        self, vector: Vectors, limit: int, where: Filter | None = None, among: Iterable[Name] | None = None
    ) -> list[tuple[Name, float]]:
        """The `limit` nearest with their cosines, best first; only those that pass `where`, and only of `among`."""
        import numpy as np

        chosen = self._chosen(where, among)
        if limit <= 0 or not len(chosen):
            return []
        scores = self._scores(vector, chosen)
        if limit < len(chosen):
            best = np.argpartition(-scores, limit - 1)[:limit]
            chosen, scores = chosen[best], scores[best]
        order = np.argsort(-scores, kind="stable")
        found = zip(chosen[order].tolist(), np.clip(scores[order], -1.0, 1.0).tolist(), strict=True)
        return [(cast("Name", self._names[slot]), cosine) for slot, cosine in found]

    def cosines(self, vector: Vectors, names: Iterable[Name]) -> dict[Name, float]:
        """Of those that are there."""
        import numpy as np

        known = [name for name in dict.fromkeys(names) if name in self._slots]
        scores = self._scores(vector, np.array([self._slots[name] for name in known], np.intp))
        return dict(zip(known, np.clip(scores, -1.0, 1.0).tolist(), strict=True))

    def vector(self, name: Name) -> Vectors | None:
        slot = self._slots.get(name)
        return None if slot is None else self._matrix[slot].copy()

    def passing(self, where: Filter) -> int:
        """How many there are."""
        return len(self._chosen(where, None))

    def passes(self, where: Filter, names: Iterable[Name]) -> list[bool]:
        """Which of these, which must be there."""
        import numpy as np

        slots = np.array([self._slots[name] for name in names], np.intp)
        return cast("list[bool]", self._mask(where)[slots].tolist())

    def _scores(self, vector: Vectors, chosen: npt.NDArray[np.intp]) -> Vectors:
        import numpy as np

        # Gathering most of the vectors costs more than comparing all.
        most = len(chosen) > self._used // 2
        count = self._used if most else len(chosen)
        scores = np.empty(count, np.float32)
        for start in range(0, count, _COMPARED):
            part = slice(start, min(start + _COMPARED, count))
            scores[part] = self._matrix[part if most else chosen[part]] @ vector
        return scores[chosen] if most else scores

    def _slot(self, name: Name) -> int:
        slot = self._slots.get(name)
        if slot is None:
            if self._free:
                slot = self._free.pop()
                self._names[slot] = name
            else:
                slot = self._used
                self._used += 1
                self._names.append(name)
            self._slots[name] = slot
        return slot

    def _reserve(self, needed: int) -> None:
        import numpy as np

        capacity = len(self._matrix)
        if needed <= capacity:
            return
        capacity = max(needed, capacity + capacity // 2, _FIRST_CAPACITY)
        matrix = np.zeros((capacity, self._dimension), np.float32)
        matrix[: len(self._matrix)] = self._matrix
        self._matrix = matrix
        for field, column in self._columns.items():
            longer = np.zeros(capacity, np.float64)
            longer[: len(column)] = column
            self._columns[field] = longer

    def _chosen(self, where: Filter | None, among: Iterable[Name] | None) -> npt.NDArray[np.intp]:
        """Slots."""
        import numpy as np

        if among is not None:
            slots = np.array([self._slots[name] for name in among if name in self._slots], np.intp)
            return slots if where is None else slots[self._mask(where)[slots]]
        if where is None and not self._free:
            return np.arange(self._used)
        mask = np.ones(self._used, np.bool_) if where is None else self._mask(where)
        mask[self._free] = False
        return np.flatnonzero(mask)

    def _mask(self, where: Filter) -> Mask:
        """Which slots pass."""
        import numpy as np

        if isinstance(where, Group):
            masks = np.stack([self._mask(member) for member in where.members])
            return cast("Mask", masks.all(axis=0) if where.operator == "$and" else masks.any(axis=0))
        column = self._columns[where.field][: self._used]
        values = where.value if isinstance(where.value, tuple) else (where.value,)
        codes = self._codes.get(where.field)
        if codes is not None:
            values = tuple(codes.get(cast("str", value), -1) for value in values)
        return _compared(column, where, cast("tuple[float, ...]", values))


def _compared(column: Column, condition: Condition, values: tuple[float, ...]) -> Mask:
    import numpy as np

    match condition.operator:
        case "$eq" | "$in":
            return column == values[0] if len(values) == 1 else np.isin(column, values)
        case "$ne" | "$nin":
            return column != values[0] if len(values) == 1 else np.isin(column, values, invert=True)
        case "$gt":
            return column > values[0]
        case "$gte":
            return column >= values[0]
        case "$lt":
            return column < values[0]
        case "$lte":
            return column <= values[0]
