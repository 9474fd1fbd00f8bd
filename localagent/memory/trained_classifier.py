"""The classifier that comes along: small networks over the vectors of the embedded embedder.

A sentence is its words and pairs of words, hashed into 8,192 places (of Chinese, characters), its vector (384 numbers,
calibrated), and eight marks; one network gives the probabilities of each kind, and of none, another those of each wish
of silence. A pair of statements is what the core measured of their words, and of their vectors, on the 64 directions in
which statements differ most, the distances, the products and the newer one, and how near they are; a third network
gives the probability that the newer one makes the older one outdated. `benchmarks/classifier.py` has made the weights
(classifier.npz) from sentences written for this project, and prints how well they do on sentences that they were not
made from.
"""

from __future__ import annotations

import re
import threading
from collections import OrderedDict
from collections.abc import Callable, Sequence
from dataclasses import dataclass, fields
from pathlib import Path
from typing import TYPE_CHECKING, Final
from zipfile import BadZipFile

from localagent.abort import AbortSignal
from localagent.errors import InternalError
from localagent.memory.classifying import Facts, Guess, Silence
from localagent.memory.embedding import Embedder, Vectors
from localagent.memory.kinds import Kind
from localagent.memory.network import Network, places

if TYPE_CHECKING:
    import numpy as np
    import numpy.typing as npt

    from localagent.memory.network import Places

    Numbers = npt.NDArray[np.float64]

WEIGHTS: Final = Path(__file__).with_name("classifier.npz")
# In the order of the weights, after that of what is not worth remembering.
KINDS: Final[tuple[Kind, ...]] = (
    "profile", "preference", "habit", "relationship", "event", "decision", "todo", "fact",
)  # fmt: skip
SILENCES: Final[tuple[Silence, ...]] = ("wish", "confided", "forget")
DIRECTIONS: Final = 64
# Vectors have length 1; so large, their numbers are as large as the other ones.
SCALE: Final = 10.0
NETWORKS: Final = ("kinds", "silences", "outdated")
# Statements whose vectors have a lower cosine are about different things: neither makes the other outdated.
ALIKE: Final = 0.33
# A cosine between those of pairs that hold and of others.
MIDDLE: Final = 0.5
# Vectors that are kept: of what was said and what is known.
_KEPT: Final = 2048
# Of a longer text, its beginning.
_LONGEST: Final = 500

_FIRST_PERSON: Final = re.compile(
    r"\b(?:i|i'm|i've|i'd|i'll|my|me|mine|we|we're|we've|our|us)\b|我|咱|俺", re.IGNORECASE
)
_CODE: Final = re.compile(r"[{}()<>=_;`\\\[\]]|\w\.\w|\b[A-Za-z]+[A-Z]\w*|\b(?:null|none|true|false)\b|[a-z]/[a-z]")
_ASKS: Final = re.compile(r"[?？]|吗|呢")
_QUOTED: Final = re.compile(r"^[“\"「]|[”\"」]")
_SUPPOSES: Final = re.compile(r"(?:if|suppose|say|imagine|如果|要是|假|比如)", re.IGNORECASE)
_WORD: Final = re.compile(r"[A-Za-z0-9']+|[\u4e00-\u9fff]")
_TOKEN: Final = re.compile(r"[A-Za-z']+|[0-9]+|[\u4e00-\u9fff]|[^\w\s]")
_MANY_WORDS: Final = 40


def unended(sentence: str) -> str:
    """Without its full stop, which tells nothing: entries have none."""
    return sentence.rstrip(" .。!！…~～") or sentence


def marks(sentence: str) -> tuple[float, ...]:
    """Eight numbers, 0-2."""
    first = _FIRST_PERSON.search(sentence)
    return (
        float(first is not None),
        float(first is not None and first.start() < 3),
        float(bool(_ASKS.search(sentence))),
        float(bool(_CODE.search(sentence))),
        float(any(char.isdigit() for char in sentence)),
        min(len(_WORD.findall(sentence)), _MANY_WORDS) / 20,
        float(bool(_QUOTED.search(sentence))),
        float(bool(_SUPPOSES.match(sentence))),
    )


def words(sentence: str) -> Places:
    """The places of its words; numbers count as one word."""
    return places(["0" if word[0].isdigit() else word.lower() for word in _TOKEN.findall(sentence)])


def sentence_rows(vectors: Vectors, sentences: Sequence[str]) -> Numbers:
    """Shape (sentences, 384 + 8 + 1); the last column is 1."""
    import numpy as np

    marked = np.array([marks(sentence) for sentence in sentences])
    return np.hstack([vectors * SCALE, marked, np.ones((len(sentences), 1))]).astype(np.float64)


def pair_rows(older: Vectors, newer: Vectors, measured: Numbers, directions: Numbers) -> Numbers:
    """Shape (pairs, 17 + 3 * 64 + 5 + 1). `directions`: (384, 64); `measured`: the facts, of mean 0 and deviation 1."""
    import numpy as np

    before, after = older @ directions * SCALE, newer @ directions * SCALE
    near = (alike(older, newer) - MIDDLE)[:, None] * SCALE
    # What is near is outdated by other signs than what is far.
    both = (near, near * near / 3, measured[:, :3] * near)
    parts = (measured, np.abs(before - after), before * after / SCALE, after, *both, np.ones((len(measured), 1)))
    return np.hstack(parts).astype(np.float64)


def alike(older: Vectors, newer: Vectors) -> Numbers:
    """The cosine of each pair."""
    import numpy as np

    return np.asarray((older * newer).sum(axis=1), np.float64)


@dataclass(frozen=True)
class Weights:
    """Of sentences: `kinds` (none, then `KINDS`), `silences` (none, then `SILENCES`); of pairs: `outdated` (no, yes),
    `directions` (384, 64), `mean` and `deviation` of the facts."""

    kinds: Network
    silences: Network
    outdated: Network
    directions: Numbers
    mean: Numbers
    deviation: Numbers

    @classmethod
    def load(cls, path: Path = WEIGHTS) -> Weights:
        import numpy as np

        try:
            with path.open("rb") as file, np.load(file) as stored:
                numbers = {name: stored[name].astype(np.float64) for name in stored.files}

            def network(of: str) -> Network:
                return Network(*(numbers[f"{of}.{part.name}"] for part in fields(Network)))

            kinds, silences, outdated = (network(of) for of in NETWORKS)
            return cls(kinds, silences, outdated, numbers["directions"], numbers["mean"], numbers["deviation"])
        except (OSError, EOFError, ValueError, KeyError, BadZipFile) as error:
            raise InternalError(f"the classifier's weights cannot be read: {error}", where=str(path)) from error

    def save(self, path: Path = WEIGHTS) -> None:
        import numpy as np

        parts = {
            f"{of}.{part.name}": getattr(getattr(self, of), part.name) for of in NETWORKS for part in fields(Network)
        }
        numbers = {**parts, "directions": self.directions, "mean": self.mean, "deviation": self.deviation}
        np.savez_compressed(path, **{name: value.astype(np.float16) for name, value in numbers.items()})

    def normal(self, measured: Sequence[Facts]) -> Numbers:
        import numpy as np

        return np.asarray((np.array(measured, np.float64) - self.mean) / self.deviation)


class TrainedClassifier:
    """`Classifier`, for several threads. `embedder` gives the embedded one, loaded; `neighbours` the ids of the entries
    whose vectors are nearest and their cosines, of a home that keeps vectors of that embedder."""

    def __init__(
        self,
        embedder: Callable[[AbortSignal], Embedder],
        neighbours: Callable[[Vectors, int], list[tuple[str, float]]],
        abort: AbortSignal,
    ) -> None:
        self._embedder = embedder
        self._neighbours = neighbours
        self._abort = abort
        self._lock = threading.Lock()
        self._weights: Weights | None = None
        self._vectors: OrderedDict[str, Vectors] = OrderedDict()

    def kinds(self, sentences: Sequence[str]) -> list[Guess]:
        if not sentences:
            return []
        likely = self._told(self._loaded().kinds, sentences)
        return [Guess(KINDS[int(row[1:].argmax())], float(1 - row[0])) for row in likely]

    def silences(self, sentences: Sequence[str]) -> list[tuple[Silence, float]]:
        if not sentences:
            return []
        likely = self._told(self._loaded().silences, sentences)
        return [(SILENCES[int(row[1:].argmax())], float(1 - row[0])) for row in likely]

    def outdated(self, new: str, older: Sequence[str], facts: Sequence[Facts]) -> list[float]:
        import numpy as np

        if not older:
            return []
        weights = self._loaded()
        vectors = self._of([unended(text) for text in (*older, new)])
        newer = np.repeat(vectors[-1:], len(older), axis=0)
        rows = pair_rows(vectors[:-1], newer, weights.normal(facts), weights.directions)
        return [float(value) for value in weights.outdated.likely(rows)[:, 1] * (alike(vectors[:-1], newer) >= ALIKE)]

    def nearest(self, text: str, limit: int) -> list[tuple[str, float]]:
        return self._neighbours(self._of([text])[0], limit)

    def _told(self, network: Network, sentences: Sequence[str]) -> Numbers:
        plain = [unended(sentence) for sentence in sentences]
        return network.likely(sentence_rows(self._of(plain), plain), [words(sentence) for sentence in plain])

    def _loaded(self) -> Weights:
        if self._weights is None:
            self._weights = Weights.load()
        return self._weights

    def _of(self, texts: Sequence[str]) -> Vectors:
        """Shape (texts, 384)."""
        import numpy as np

        short = [text[:_LONGEST] for text in texts]
        with self._lock:
            found = {text: self._vectors[text] for text in short if text in self._vectors}
        missing = [text for text in dict.fromkeys(short) if text not in found]
        if missing:
            made = self._embedder(self._abort).embed_passages(missing, self._abort)
            found |= zip(missing, made, strict=True)
            with self._lock:
                self._vectors.update(found)
                while len(self._vectors) > _KEPT:
                    self._vectors.popitem(last=False)
        return np.stack([found[text] for text in short])
