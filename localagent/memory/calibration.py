"""What makes the scores of all embedders mean the same.

The vectors of one embedder have much in common: a mean, which is large with some (unrelated sentences have a cosine of
0.8 with multilingual-e5, of 0.0 with others), and a few directions that tell the language rather than the subject. Both
are measured on a background of 180 short sentences that have nothing to do with each other (background.txt: 60 English,
60 Chinese, 60 in some twenty other languages; written for this), and removed before vectors are normalised. Then:

    score 0.45 = the cosine that 98 of 100 pairs of different background sentences do not reach
    score 1    = half way from there to the cosine of a background sentence with itself

and linear between 0, these two and on. Labels play no part. On labelled pairs (tests/memory/labelled_pairs.tsv), 0.45
separates related from unrelated with this balanced accuracy, with the embedded model:

    removed                     English   Chinese   one of each
    the mean                    0.97      0.96      0.64
    the mean, one direction     0.97      0.99      0.96
    the mean, two directions    0.97      0.99      1.00

The number of directions and the 98 were chosen on these pairs, so expect a little less of others.
"""

from __future__ import annotations

import contextlib
import struct
import threading
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Final

from localagent.abort import AbortSignal
from localagent.errors import EmbeddingFailed, InternalError
from localagent.memory.embedding import Fingerprint, RawEmbedder, Vectors, embeddable

if TYPE_CHECKING:
    import numpy as np
    import numpy.typing as npt

# Part of every fingerprint: to be raised when the background or what is done with it changes, for then the same text
# has another vector.
VERSION: Final = 1

SEPARATING_SCORE: Final = 0.45
_QUANTILE: Final = 0.98
_DIRECTIONS: Final = 2
# Of vectors with few numbers, less is removed: one direction for each eight.
_ROOM: Final = 8
_SAME: Final = 0.999  # the cosine of vectors that differ by rounding alone
_CUT_RANGE: Final = (0.02, 0.9)
_NARROWEST: Final = 0.05
_TINY: Final = 1e-6
_POLL_S: Final = 0.1

_FOLDER: Final = Path(__file__).parent
# magic, dimension, directions of passages and of queries, cut, top; little endian, as the float32 that follow.
_HEADER: Final = struct.Struct("<4sIIIff")
_MAGIC: Final = b"LACB"
_BLANK: Final = "."  # what is embedded in place of a text without anything in it


def background() -> list[str]:
    """The sentences."""
    return (_FOLDER / "background.txt").read_text(encoding="utf-8").splitlines()


@dataclass(frozen=True, slots=True)
class Common:
    """What vectors of one kind have in common. `mean`: shape (dimension,); `directions`: (few, dimension), length 1."""

    mean: Vectors
    directions: Vectors

    def removed_from(self, vectors: Vectors) -> Vectors:
        """Shape (count, dimension), length 1. A vector of which nothing is left points the same way as every other
        such one."""
        import numpy as np

        rest = vectors - self.mean
        rest = rest - (rest @ self.directions.T) @ self.directions
        lengths = np.linalg.norm(rest, axis=1, keepdims=True)
        anywhere = np.full(self.mean.shape, len(self.mean) ** -0.5, np.float32)
        return np.where(lengths > _TINY, rest / np.maximum(lengths, _TINY), anywhere).astype(np.float32)


@dataclass(frozen=True, slots=True)
class Calibration:
    """`cut` is the cosine that scores 0.45, `top` the one that scores 1."""

    passages: Common
    queries: Common
    cut: float
    top: float

    @classmethod
    def measured(cls, passages: Vectors, queries: Vectors, name: str) -> Calibration:
        """From the vectors of the background, in its order, as passages and as queries. Raises EmbeddingFailed if the
        embedder `name` does not tell them apart."""
        import numpy as np

        if float(np.ptp(passages, axis=0).max()) < _TINY or float(np.ptp(queries, axis=0).max()) < _TINY:
            raise EmbeddingFailed(
                f"the embedder {name} gives every text the same vector", hint="Choose a model that makes embeddings"
            )
        common_p, common_q = _common(passages), _common(queries)
        cosines = common_q.removed_from(queries) @ common_p.removed_from(passages).T
        others = cosines[~np.eye(len(cosines), dtype=bool)]
        cut = min(max(float(np.quantile(others, _QUANTILE)), _CUT_RANGE[0]), _CUT_RANGE[1])
        top = max((cut + float(np.median(np.diagonal(cosines)))) / 2, cut + _NARROWEST)
        return cls(common_p, common_q, cut, top)

    def score(self, cosine: float) -> float:
        if cosine < self.cut:
            return SEPARATING_SCORE * max(0.0, cosine) / self.cut
        above = (cosine - self.cut) / (self.top - self.cut)
        return SEPARATING_SCORE + (1 - SEPARATING_SCORE) * min(1.0, above)

    def to_bytes(self) -> bytes:
        header = _HEADER.pack(
            _MAGIC,
            len(self.passages.mean),
            len(self.passages.directions),
            len(self.queries.directions),
            self.cut,
            self.top,
        )
        arrays = (self.passages.mean, self.passages.directions, self.queries.mean, self.queries.directions)
        return header + b"".join(array.astype("<f4").tobytes() for array in arrays)

    @classmethod
    def from_bytes(cls, data: bytes, dimension: int) -> Calibration | None:
        """None for what is no calibration for vectors of that many numbers."""
        import numpy as np

        if len(data) < _HEADER.size:
            return None
        magic, stored, of_passages, of_queries, cut, top = _HEADER.unpack_from(data)
        rows = (1, of_passages, 1, of_queries)
        if magic != _MAGIC or stored != dimension or len(data) != _HEADER.size + 4 * dimension * sum(rows):
            return None
        numbers = np.frombuffer(data, "<f4", offset=_HEADER.size).astype(np.float32).reshape(-1, dimension)
        if not (np.isfinite(numbers).all() and 0 < cut < top):
            return None
        mean_p, directions_p, mean_q, directions_q = np.split(numbers, np.cumsum(rows)[:-1])
        return cls(Common(mean_p[0], directions_p), Common(mean_q[0], directions_q), cut, top)


class Calibrated:
    """`Embedder` made of a raw one. Thread-safe if the raw one is.

    `load` and `save` keep calibrations; where there is none, the one that ships with localagent is taken, or it is
    measured when the embedder is loaded (180 short texts, 360 if questions are embedded another way than passages). A
    home keeps the one it began with. Texts of any length: those over `limit` are embedded in parts and averaged.
    """

    def __init__(
        self,
        raw: RawEmbedder,
        load: Callable[[Fingerprint], bytes | None],
        save: Callable[[Fingerprint, bytes], None],
    ) -> None:
        self._raw = raw
        self._load = load
        self._save = save
        self._lock = threading.Lock()
        self._ready: tuple[Fingerprint, Calibration] | None = None

    @property
    def name(self) -> str:
        return self._raw.name

    @property
    def limit(self) -> int:
        return self._raw.limit

    def load(self, abort: AbortSignal) -> Fingerprint:
        return self._loaded(abort)[0]

    def embed_passages(self, texts: Sequence[str], abort: AbortSignal) -> Vectors:
        _, calibration = self._loaded(abort)
        return calibration.passages.removed_from(self._whole(texts, self._raw.embed_passages, abort))

    def embed_queries(self, texts: Sequence[str], abort: AbortSignal) -> Vectors:
        _, calibration = self._loaded(abort)
        return calibration.queries.removed_from(self._whole(texts, self._raw.embed_queries, abort))

    def score(self, cosine: float) -> float:
        """Of vectors that this has made."""
        if self._ready is None:
            raise InternalError(f"the embedder {self.name} is asked for a score before it was loaded")
        return self._ready[1].score(cosine)

    def close(self) -> None:
        self._raw.close()

    def _loaded(self, abort: AbortSignal) -> tuple[Fingerprint, Calibration]:
        if self._ready is None:
            with _held(self._lock, abort):
                if self._ready is None:
                    raw = self._raw.load(abort)
                    fingerprint = Fingerprint(raw.name, f"{raw.version}+{VERSION}", raw.dimension)
                    self._ready = fingerprint, self._calibration(fingerprint, abort)
        return self._ready

    def _calibration(self, fingerprint: Fingerprint, abort: AbortSignal) -> Calibration:
        def read(data: bytes | None) -> Calibration | None:
            return None if data is None else Calibration.from_bytes(data, fingerprint.dimension)

        kept = read(self._load(fingerprint))
        if kept is not None:
            return kept
        found = read(shipped(fingerprint)) or measure(self._raw, abort)
        self._save(fingerprint, found.to_bytes())
        # Another process may have measured at the same time: the first one to save it counts for all.
        return read(self._load(fingerprint)) or found

    def _whole(
        self, texts: Sequence[str], embed: Callable[[Sequence[str], AbortSignal], Vectors], abort: AbortSignal
    ) -> Vectors:
        """Vectors of texts of any length."""
        import numpy as np

        limit = self._raw.limit
        parts = [split(text, limit) for text in texts]
        flat = [part for one in parts for part in one]
        if not flat:
            return np.zeros((0, self._loaded(abort)[0].dimension), np.float32)
        vectors = embed(flat, abort)
        if len(flat) == len(texts):
            return vectors
        lengths = np.array([[len(part)] for part in flat], np.float32)
        starts = np.cumsum([0, *(len(one) for one in parts[:-1])])
        # Not of length 1: the average has as much of what all vectors have in common as each of its parts.
        average = np.add.reduceat(vectors * lengths, starts) / np.add.reduceat(lengths, starts)
        return np.asarray(average, np.float32)


def measure(raw: RawEmbedder, abort: AbortSignal) -> Calibration:
    """The calibration of an embedder, from the background."""
    import numpy as np

    sentences = background()
    passages = raw.embed_passages(sentences, abort)
    first = raw.embed_queries(sentences[:1], abort)
    alike = float(first[0] @ passages[0]) > _SAME
    queries = passages if alike else np.concatenate([first, raw.embed_queries(sentences[1:], abort)])
    return Calibration.measured(passages, queries, raw.name)


def shipped(fingerprint: Fingerprint) -> bytes | None:
    """The calibration that comes along for exactly this embedder. The file's first line is its fingerprint."""
    path = shipped_path(fingerprint.name)
    if path is None:
        return None
    written, _, data = path.read_bytes().partition(b"\n")
    return data if written == str(fingerprint).encode() else None


def shipped_path(name: str) -> Path | None:
    """None if there is no such file (`name` is not made a path: it may be any model's)."""
    return next((path for path in _FOLDER.glob("*.calibration") if path.stem == name), None)


def split(text: str, limit: int) -> list[str]:
    """The text in parts of at most `limit` characters, cut behind a line, a sentence or a word where there is one in
    the last quarter. Nothing is left out but blanks; of a blank text, one part stands in for it."""
    rest = embeddable(text).strip()
    parts = []
    while len(rest) > limit:
        at = _place_to_cut(rest, limit)
        parts.append(rest[:at].rstrip())
        rest = rest[at:].lstrip()
    if rest:
        parts.append(rest)
    return parts or [_BLANK]


def _place_to_cut(text: str, limit: int) -> int:
    earliest = limit * 3 // 4
    for marks in ("\n", ".!?。！？", " \t,;，；、"):
        at = max(text.rfind(mark, earliest, limit) for mark in marks)
        if at >= 0:
            return at + 1
    return limit


def _common(vectors: Vectors) -> Common:
    import numpy as np

    mean = vectors.mean(axis=0)
    _, sizes, directions = np.linalg.svd(vectors - mean, full_matrices=False)
    rank = int((sizes > sizes[0] * _TINY).sum())
    main = directions[: min(_DIRECTIONS, rank // _ROOM)]
    # A direction and its opposite are the same: the larger end is positive, so that measuring twice gives the same.
    ends: npt.NDArray[np.float32] = np.take_along_axis(main, np.abs(main).argmax(axis=1, keepdims=True), axis=1)
    return Common(mean.astype(np.float32), (main * np.sign(ends)).astype(np.float32))


@contextlib.contextmanager
def _held(lock: threading.Lock, abort: AbortSignal) -> Iterator[None]:
    while not lock.acquire(timeout=_POLL_S):
        abort.raise_if_aborted()
    try:
        yield
    finally:
        lock.release()
