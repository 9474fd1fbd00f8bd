"""The contract of the classifier: what sentences are about, told by their meaning instead of their words."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Protocol, TypeAlias

from localagent.memory.kinds import Kind

# What was measured of the words of two statements (see `localagent.linking.facts`), always as many numbers.
Facts: TypeAlias = tuple[float, ...]


@dataclass(frozen=True, slots=True)
class Guess:
    """`probability` (0-1) that a sentence is worth remembering, and the likeliest kind of entry if it is."""

    kind: Kind
    probability: float


class Classifier(Protocol):
    """Quick (some 20 ms a sentence) and never sure. Raises EmbeddingFailed and EnvironmentFault where it cannot be
    asked."""

    def kinds(self, sentences: Sequence[str]) -> list[Guess]:
        """Of each sentence by itself."""
        ...

    def outdated(self, new: str, older: Sequence[str], facts: Sequence[Facts]) -> list[float]:
        """How likely each of `older` (0-1) holds no more, or not as a whole, since `new` was said. `facts`: of each
        pair."""
        ...

    def nearest(self, text: str, limit: int) -> list[str]:
        """The ids of the entries that are nearest in meaning, best first; nothing while there are no vectors of this
        classifier's embedder."""
        ...
