"""The composition root of the classifier: which embedder it takes."""

from __future__ import annotations

import threading
from collections.abc import Callable
from typing import TYPE_CHECKING

from localagent.abort import AbortSignal
from localagent.memory import embedded
from localagent.memory import word_embedder as words
from localagent.memory.late import LateEmbedder
from localagent.memory.neighbours import Neighbours
from localagent.memory.trained_classifier import TrainedClassifier

if TYPE_CHECKING:
    from localagent.memory.database import Database
    from localagent.memory.embedding import Embedder, Vectors
    from localagent.memory.finding import VectorSearch


class ClassifierBuilder:
    """Of one data folder. Its weights were made with the embedded embedder; who chose the one without a model wants
    none. Where the folder's vectors are another embedder's, the embedded one is loaded beside it, when it is first
    needed, and entries are compared without looking for the nearest."""

    def __init__(
        self,
        database: Database,
        tenant: str,
        late: LateEmbedder,
        vectors: Callable[[], VectorSearch | None],
        abort: AbortSignal,
    ) -> None:
        self._late = late
        self._neighbours = Neighbours(database, tenant, vectors)
        self._abort = abort
        self._lock = threading.Lock()
        self._beside: Embedder | None = None
        self._made: TrainedClassifier | None = None

    def get(self) -> TrainedClassifier | None:
        """None while the data folder's embedder is not there, and where it is to be without a model."""
        embedder = self._late.get()
        if embedder is None or embedder.name == words.NAME:
            return None
        if self._made is None:
            self._made = TrainedClassifier(self._embedder, self._nearest, self._abort)
        return self._made

    def _embedder(self, abort: AbortSignal) -> Embedder:
        own = self._late.get()
        if own is not None and own.name == embedded.NAME:
            return own
        with self._lock:
            if self._beside is None:
                from localagent.memory.calibration import Calibrated

                made = Calibrated(embedded.EmbeddedE5(), lambda fingerprint: None, lambda fingerprint, data: None)
                made.load(abort)
                self._beside = made
            return self._beside

    def _nearest(self, vector: Vectors, limit: int) -> list[tuple[str, float]]:
        own = self._late.get()
        return self._neighbours.nearest(vector, limit) if own is not None and own.name == embedded.NAME else []

    def close(self) -> None:
        """May be called twice."""
        if self._beside is not None:
            self._beside.close()
            self._beside = None
