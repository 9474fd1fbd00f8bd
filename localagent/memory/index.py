"""The contract of a vector index. It is no source of truth: it can be thrown away and filled again from the ledger."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from types import MappingProxyType
from typing import NamedTuple, Protocol, TypeAlias

from localagent.memory.embedding import Vectors
from localagent.memory.filters import Filter

# Every passage has every key of `filters.FIELDS`, so that no operator meets a missing one.
Metadata: TypeAlias = Mapping[str, "str | int | float | bool"]


@dataclass(frozen=True, slots=True)
class Item:
    """`key` is unique over all homes that share an index. `vector` has length 1."""

    key: str
    vector: Vectors
    text: str
    metadata: Metadata


class Hit(NamedTuple):
    """`text` and `metadata` only where they were asked for."""

    key: str
    cosine: float
    text: str = ""
    metadata: Metadata = MappingProxyType({})


class VectorIndex(Protocol):
    """One collection: one tenant, one embedder. Raises IndexDamaged (rebuild it), StorageError, ModelUnreachable
    (a Chroma server that does not answer); FingerprintMismatch when opened on another embedder's collection.

    Not for several threads at once.
    """

    def upsert(self, items: Sequence[Item]) -> None:
        """Searchable when it returns; an item whose key is there is replaced."""
        ...

    def delete(self, keys: Sequence[str]) -> None:
        """Keys that are not there are no error."""
        ...

    def query(self, vector: Vectors, limit: int, where: Filter | None = None, *, full: bool = False) -> list[Hit]:
        """The nearest, best first; `full`: with text and metadata."""
        ...

    def keys(self) -> Iterator[str]:
        """Every key it claims to have."""
        ...

    def count(self) -> int: ...

    def close(self) -> None:
        """May be called twice."""
        ...
