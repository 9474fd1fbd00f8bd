"""A home with everything of memory that a worker works with, and an embedder that can be told to fail."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable, Sequence
from pathlib import Path

from localagent.abort import AbortSignal
from localagent.errors import EmbeddingFailed, LocalAgentError
from localagent.memory.calibration import Calibrated
from localagent.memory.embedders import EmbedderRow, EmbedderTable
from localagent.memory.embedding import Embedder, Fingerprint, RawEmbedder, Vectors, unit_vectors
from localagent.memory.entries import Add, Memory, NewMemory
from localagent.memory.keywords import Keywords
from localagent.memory.ledger import SqliteLedger
from localagent.memory.memories import SqliteMemories
from localagent.memory.passages import Passages
from localagent.memory.queue import QueueState, queue_state
from localagent.memory.steps import Parts
from localagent.memory.vectors import VectorStore
from localagent.memory.word_embedder import WordEmbedder
from localagent.memory.worker import IndexWorker

DIMENSION = 256
_CALIBRATIONS: dict[Fingerprint, bytes] = {}


class MoodyEmbedder:
    """A `RawEmbedder` of words that does what `mood` says before each call for passages. Its name may have its
    dimension in it: `words:320`."""

    def __init__(self, name: str = "words") -> None:
        self._words = WordEmbedder(int(name.partition(":")[2] or DIMENSION))
        self.name = name
        self.mood: Callable[[Sequence[str], AbortSignal], Vectors | None] = lambda texts, abort: None
        self.calls: list[list[str]] = []
        self.loads = 0

    @property
    def limit(self) -> int:
        return self._words.limit

    def load(self, abort: AbortSignal) -> Fingerprint:
        self.loads += 1
        fingerprint = self._words.load(abort)
        return Fingerprint(self.name, fingerprint.version, fingerprint.dimension)

    def embed_passages(self, texts: Sequence[str], abort: AbortSignal) -> Vectors:
        self.calls.append(list(texts))
        given = self.mood(texts, abort)
        if given is None:
            return self._words.embed_passages(texts, abort)
        return unit_vectors(given, len(texts), DIMENSION, self.name)  # as all that ask a model do

    def embed_queries(self, texts: Sequence[str], abort: AbortSignal) -> Vectors:
        return self._words.embed_queries(texts, abort)

    def close(self) -> None:
        self._words.close()


class Home:
    """`said` is what the worker told; `pruned` is set when it has nothing left to do for the first time. The embedder
    is the one in use, if there is one."""

    def __init__(
        self,
        path: Path,
        *,
        index: bool = False,
        tenant: str = "default",
        raw: MoodyEmbedder | None = None,
        now: Callable[[], float] = time.time,
    ) -> None:
        path.mkdir(exist_ok=True)
        self.path = path
        self.ledger = SqliteLedger(path / "ledger.sqlite3")
        self.database = self.ledger.database
        self.passages = Passages(self.database, tenant)
        self.memories = SqliteMemories(self.database, self.passages, now=now)
        self.table = EmbedderTable(self.database)
        active = self.table.active()
        self.raw = raw or (MoodyEmbedder(active.fingerprint.name) if active else MoodyEmbedder())
        self.embedder = self.calibrated(self.raw)
        fingerprint = self.embedder.load(AbortSignal())
        self.raw.calls.clear()
        self.row = self.table.add(fingerprint, active=active is None)
        self.said: list[str] = []
        self.now = now
        self.index = path / "index" if index else None
        self.store = self.store_of(tenant, self.row)
        self.read: list[int] = []
        self.pruned = threading.Event()
        self._workers: list[IndexWorker] = []

    def calibrated(self, raw: RawEmbedder) -> Calibrated:
        """Measured once for all tests."""

        def load(fingerprint: Fingerprint) -> bytes | None:
            kept = self.table.calibration(fingerprint)
            if kept is None and fingerprint in _CALIBRATIONS:
                self.table.save_calibration(fingerprint, _CALIBRATIONS[fingerprint])
                return _CALIBRATIONS[fingerprint]
            return kept

        def save(fingerprint: Fingerprint, data: bytes) -> None:
            _CALIBRATIONS[fingerprint] = data
            self.table.save_calibration(fingerprint, data)

        return Calibrated(raw, load, save)

    def store_of(self, tenant: str, row: EmbedderRow) -> VectorStore:
        return VectorStore(
            self.database, tenant, row, folder=self.index, server=None, say=self.said.append, now=lambda: self.now()
        )

    def parts(
        self,
        *,
        embedder: Callable[[AbortSignal], Embedder | None] | None = None,
        extract: Callable[[int], None] | None = None,
        prune: Callable[[], None] | None = None,
    ) -> Parts:
        return Parts(
            self.passages,
            self.memories.unread,
            self.memories.retract,
            extract or self.extract,
            embedder or (lambda abort: self.embedder),
            lambda: self.store,
            prune or self.pruned.set,
        )

    def extract(self, message_id: int) -> None:
        self.memories.write([], read=message_id)
        self.read.append(message_id)

    def worker(self, parts: Parts | None = None, *, timeout_s: float = 60.0) -> IndexWorker:
        worker = IndexWorker(
            self.database, parts or self.parts(), say=self.said.append, now=self.now, poll_s=0.01, timeout_s=timeout_s
        )
        self._workers.append(worker)
        return worker

    def write(self, *texts: str) -> list[Memory]:
        return self.memories.write([Add(NewMemory("fact", text)) for text in texts])

    def knows(self, word: str) -> bool:
        """Whether a search for a word finds something."""
        return bool(Keywords(self.database, self.passages.tenant).search(word, (), 1, ("1", ())).rows)

    def state(self) -> QueueState:
        return queue_state(self.database, self.passages.tenant, self.row.id)

    def finds(self, text: str, store: VectorStore | None = None, embedder: Embedder | None = None) -> bool:
        """Whether a search for the vector of a passage with this text finds it, as near as float16 allows."""
        rows = self.database.query("SELECT row FROM passages WHERE text = ?", (text,))
        there = [row for (row,) in rows if isinstance(row, int)]
        embedded = list(self.passages.texts(there).values())
        if not embedded:
            return False
        vector = (embedder or self.embedder).embed_passages(embedded[:1], AbortSignal())[0]
        return any(hit.row in there and hit.cosine > 0.99 for hit in (store or self.store).query(vector, 20))

    def close(self) -> None:
        for worker in self._workers:
            worker.close()
        self.store.close()
        self.embedder.close()
        self.ledger.close()


def fails_for(word: str, error: LocalAgentError | None = None) -> Callable[[Sequence[str], AbortSignal], None]:
    """A mood: any call with a text that has this word fails."""

    def mood(texts: Sequence[str], abort: AbortSignal) -> None:
        if any(word in text for text in texts):
            raise error or EmbeddingFailed(f"there was {word}")

    return mood


def until(true: Callable[[], bool], seconds: float = 20.0) -> None:
    """Waits for what another thread or process brings about."""
    deadline = time.monotonic() + seconds
    pause = threading.Event()
    while not true():
        assert time.monotonic() < deadline, "it did not happen"
        pause.wait(0.002)
