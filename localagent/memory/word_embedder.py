"""An embedder without a model: each word of a text, hashed to a place in the vector (the "hashing trick").

It sees which words two texts share and nothing of what they mean. For tests, and for machines where no model runs.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from hashlib import blake2b
from typing import Final

from localagent.abort import AbortSignal
from localagent.errors import InternalError
from localagent.memory.embedding import Fingerprint, Vectors, embeddable
from localagent.memory.language import words

NAME: Final = "words"
_STEM: Final = 4  # letters: moved, moving, movement
_CHECK_EVERY: Final = 64


class WordEmbedder:
    """`RawEmbedder` "words". The same text has the same vector everywhere and always. Thread-safe."""

    def __init__(self, dimension: int = 256) -> None:
        if dimension < 1:
            raise InternalError(f"a vector of {dimension} numbers")
        self._dimension = dimension

    @property
    def name(self) -> str:
        return NAME

    @property
    def limit(self) -> int:
        return 1_000_000

    def load(self, abort: AbortSignal) -> Fingerprint:
        abort.raise_if_aborted()
        return Fingerprint(NAME, "1", self._dimension)

    def embed_passages(self, texts: Sequence[str], abort: AbortSignal) -> Vectors:
        import numpy as np

        vectors = np.zeros((len(texts), self._dimension), np.float32)
        for number, text in enumerate(texts):
            if number % _CHECK_EVERY == 0:
                abort.raise_if_aborted()
            text = embeddable(text)
            for feature, count in Counter(_features(text)).items():
                place, sign = _place(feature, self._dimension)
                vectors[number, place] += sign * count**0.5
            if not vectors[number].any():  # two words took each other away
                vectors[number, _place(text, self._dimension)[0]] = 1.0
        abort.raise_if_aborted()
        return vectors / np.linalg.norm(vectors, axis=1, keepdims=True) if len(texts) else vectors

    def embed_queries(self, texts: Sequence[str], abort: AbortSignal) -> Vectors:
        return self.embed_passages(texts, abort)

    def close(self) -> None:
        """Nothing is open."""


def _features(text: str) -> Iterator[str]:
    """Words and their first letters; CJK bigrams and their characters; of a text without words, the text."""
    found = words(text)
    for word in found:
        yield word
        if len(word) > _STEM:
            yield word[:_STEM]
        elif len(word) == 2 and not word.isascii():
            yield from word
    if not found:
        yield text


def _place(feature: str, dimension: int) -> tuple[int, float]:
    number = int.from_bytes(blake2b(feature.encode("utf-8"), digest_size=8).digest(), "little")
    return (number >> 1) % dimension, 1.0 if number & 1 else -1.0
