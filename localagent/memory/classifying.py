"""The contract of the classifier: what sentences are about, told by their meaning instead of their words."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal, Protocol, TypeAlias

from localagent.memory.kinds import Kind

# What was measured of the words of two statements (see `localagent.linking.facts`), always as many numbers.
Facts: TypeAlias = tuple[float, ...]
# wish      that something is not to be noted or told, and nothing else ("keep that one to yourself")
# confided  the same, with what it is about ("we're expecting, but nobody is to know yet")
# forget    that something it names is to be forgotten ("lose the bit about my pay")
Silence: TypeAlias = Literal["wish", "confided", "forget"]


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

    def silences(self, sentences: Sequence[str]) -> list[tuple[Silence, float]]:
        """Of each, the likeliest wish of silence, and how likely (0-1) it is one of these wishes."""
        ...

    def outdated(self, new: str, older: Sequence[str], facts: Sequence[Facts]) -> list[float]:
        """How likely each of `older` (0-1) holds no more, or not as a whole, since `new` was said. `facts`: of each
        pair."""
        ...

    def nearest(self, text: str, limit: int) -> list[tuple[str, float]]:
        """The ids of the entries that are nearest in meaning, best first, each with its cosine (-1 to 1); nothing while
        there are no vectors of this classifier's embedder."""
        ...
