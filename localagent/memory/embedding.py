"""The contract of an embedder: texts become vectors, and a cosine becomes a score that means the same everywhere."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Protocol, TypeAlias

from localagent.abort import AbortSignal

if TYPE_CHECKING:
    import numpy as np
    import numpy.typing as npt

# float32; one vector has shape (dimension,), several (count, dimension).
Vectors: TypeAlias = "npt.NDArray[np.float32]"


@dataclass(frozen=True, slots=True)
class Fingerprint:
    """What makes vectors comparable. `name` as in agent.yaml (`embedded`, `ollama:bge-m3`); `version` changes when
    the same text would get another vector."""

    name: str
    version: str
    dimension: int

    def __str__(self) -> str:
        return f"{self.name} {self.version} ({self.dimension})"


class RawEmbedder(Protocol):
    """A model that embeds. Raises errors of `localagent.errors` only (EmbeddingFailed where no better one fits).

    Texts are never empty and fit `limit`. Returned vectors are float32, finite, not zero, of length 1; whoever gets
    others from a model raises EmbeddingFailed.
    """

    @property
    def name(self) -> str:
        """As in agent.yaml."""
        ...

    @property
    def limit(self) -> int:
        """How many characters of a text surely fit (conservative for every script)."""
        ...

    def load(self, abort: AbortSignal) -> Fingerprint:
        """Make it ready; cheap when it is. The dimension may be known only now."""
        ...

    def embed_passages(self, texts: Sequence[str], abort: AbortSignal) -> Vectors:
        """Shape (len(texts), dimension), in order."""
        ...

    def embed_queries(self, texts: Sequence[str], abort: AbortSignal) -> Vectors: ...

    def close(self) -> None:
        """May be called twice."""
        ...


class Embedder(RawEmbedder, Protocol):
    """A raw embedder with its calibration: what all embedders have in common (mean, language) is removed from the
    vectors before they are normalised."""

    def score(self, cosine: float) -> float:
        """0-1, monotone: 0.45 separates related from unrelated texts with every embedder."""
        ...
