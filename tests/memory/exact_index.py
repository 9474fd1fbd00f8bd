"""`VectorIndex` that compares every vector: exact, and what the others are held against."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from localagent.memory.embedding import Vectors
from localagent.memory.exact_slots import Slots
from localagent.memory.filters import FIELDS, Filter
from localagent.memory.index import Hit, Item


class ExactIndex:
    """What is put into it is gone when it is closed."""

    def __init__(self, dimension: int) -> None:
        self._slots: Slots[str] = Slots(dimension)
        self._items: dict[str, Item] = {}

    def upsert(self, items: Sequence[Item]) -> None:
        import numpy as np

        unique = list({item.key: item for item in items}.values())
        if not unique:
            return
        labels = {field: [kind(item.metadata[field]) for item in unique] for field, kind in FIELDS.items()}
        self._slots.put([item.key for item in unique], np.stack([item.vector for item in unique]), labels)
        self._items.update((item.key, item) for item in unique)

    def delete(self, keys: Sequence[str]) -> None:
        self._slots.remove(keys)
        for key in keys:
            self._items.pop(key, None)

    def query(self, vector: Vectors, limit: int, where: Filter | None = None, *, full: bool = False) -> list[Hit]:
        found = self._slots.search(vector, limit, where)
        if not full:
            return [Hit(key, cosine) for key, cosine in found]
        return [Hit(key, cosine, self._items[key].text, dict(self._items[key].metadata)) for key, cosine in found]

    def keys(self) -> Iterator[str]:
        yield from list(self._items)

    def count(self) -> int:
        return len(self._items)

    def close(self) -> None:
        self._items.clear()
        self._slots.remove(self._slots.names())
