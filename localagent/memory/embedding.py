"""The contract of an embedder: texts become vectors, and a cosine becomes a score that means the same everywhere."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Protocol, TypeAlias

from localagent.abort import AbortSignal
from localagent.errors import EmbeddingFailed

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


def embeddable(text: str) -> str:
    """The text as every model can take it: without NUL, where C libraries end a text, and without lone surrogates
    (bytes that were no UTF-8), which no request can hold."""
    text = text.replace("\0", " ")
    try:
        text.encode("utf-8")
    except UnicodeEncodeError:
        return text.encode("utf-16-le", "surrogatepass").decode("utf-16-le", "replace")
    return text


def batches(texts: Sequence[str], count: int, characters: int) -> Iterator[list[str]]:
    """The texts in order, at most `count` at a time and, but for a single longer one, at most so many characters."""
    batch: list[str] = []
    size = 0
    for text in texts:
        if batch and (len(batch) == count or size + len(text) > characters):
            yield batch
            batch, size = [], 0
        batch.append(text)
        size += len(text)
    if batch:
        yield batch


def unit_vectors(rows: object, count: int, dimension: int, name: str) -> Vectors:
    """What the embedder `name` returned for `count` texts, with length 1. `dimension` 0: whatever it is.

    Raises EmbeddingFailed for anything that is not as many vectors of that many finite numbers, not all of them zero.
    """
    import numpy as np

    def fault(what: str) -> EmbeddingFailed:
        return EmbeddingFailed(
            f"the embedder {name} returned {what}",
            hint="Is it still the same model, and one that makes embeddings? "
            "`localagent memory reindex --embedder NAME` changes to another one.",
        )

    try:
        vectors = np.asarray(rows, np.float64)
    except (TypeError, ValueError, OverflowError) as error:
        raise fault("something that is no table of numbers") from error
    if vectors.ndim != 2:
        raise fault(f"{vectors.ndim} dimensions of numbers where vectors were expected")
    if len(vectors) != count:
        raise fault(f"{len(vectors)} vectors for {count} texts")
    if vectors.shape[1] != (dimension or vectors.shape[1]) or not vectors.shape[1]:
        raise fault(f"vectors of {vectors.shape[1]} numbers, not of {dimension or 'any'}")
    if not np.isfinite(vectors).all():
        raise fault("numbers that are none (NaN or infinite)")
    largest = np.abs(vectors).max(axis=1, keepdims=True)
    if not largest.all():
        raise fault("a vector of zeros")
    vectors = vectors / largest  # squares of very large or small numbers would be infinite or zero
    return np.asarray(vectors / np.linalg.norm(vectors, axis=1, keepdims=True), np.float32)
