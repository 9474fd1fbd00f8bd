"""The composition root of long-term memory: the only module that names its embedders, stores and indexes."""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, TypeAlias

from localagent import prune
from localagent.abort import AbortSignal
from localagent.build_embedder import automatic, make_embedder
from localagent.config import AgentConfig
from localagent.errors import Aborted, DeadlineExceeded, LocalAgentError
from localagent.judge import Judge
from localagent.longterm import EARLIER
from localagent.memory.embedders import EmbedderRow, EmbedderTable
from localagent.memory.finder import Finder
from localagent.memory.keywords import Keywords
from localagent.memory.late import LateEmbedder
from localagent.memory.memories import SqliteMemories
from localagent.memory.passages import Passages
from localagent.memory.queue import QueueState, parked, queue_state, retry
from localagent.memory.stats import Reindexing, count, reindexing
from localagent.memory.steps import Parts
from localagent.memory.steps import Progress as Steps
from localagent.memory.vectors import VectorStore
from localagent.memory.worker import IndexWorker
from localagent.recall import Recall, RecallLimits, Request, Result
from localagent.recall_block import Block
from localagent.tool_memory import TurnMemory
from localagent.written import Written

if TYPE_CHECKING:
    from localagent.assembler import Recalled
    from localagent.build_classifier import ClassifierBuilder
    from localagent.compression import Compressor
    from localagent.memory.chroma import ChromaServer
    from localagent.memory.documents import Documents
    from localagent.memory.embedding import Embedder, RawEmbedder
    from localagent.memory.entries import Memory, NewMemory
    from localagent.memory.ledger import SqliteLedger
    from localagent.memory.searching import Search
    from localagent.memory.transfer import Imported
    from localagent.policy import Policies, Retention
    from localagent.remember import Remember
    from localagent.tool import ToolMemory

# One program that answers once does better without Chroma (a second to import) while there are no more vectors.
EXACT_UP_TO = 5000
# Of a thread, so many messages are read to find those before an unread one.
READ_BACK = 200
# A message that nobody has looked through for so many seconds is of a program that ended in its turn.
UNREAD_S = 60.0
# How long a turn waits for the embedder to load.
EMBEDDER_S = 3.0

Progress: TypeAlias = Callable[[int, int], None]


def _untold(done: int, total: int) -> None:
    """Progress that nobody watches."""


@dataclass(frozen=True)
class MemoryStats:
    """`counts` by kind are of active entries; `retention`: how many of them are at 0.0-0.1, ... 0.9-1.0.
    `reindexing`: a change to another embedder that was begun and is not over."""

    embedder: str
    index: str
    counts: Mapping[str, int]
    states: Mapping[str, int]
    passages: int
    vectors: int
    ledger_bytes: int
    index_bytes: int
    retention: Sequence[int]
    reindexing: Reindexing | None


@dataclass(frozen=True)
class Given:
    """What memory is made of. `index` is the folder for Chroma's files; `once`: the program answers once and ends;
    `say` is told what the user must know, a line each, from any thread. `make`: an embedder that has no name in
    agent.yaml."""

    ledger: SqliteLedger
    index: Path
    config: AgentConfig
    policies: Policies
    now: Callable[[], float]
    say: Callable[[str], None]
    once: bool = True
    make: Callable[[], RawEmbedder] | None = None


class MemoryHome:
    """One agent's memory in one data folder. For the chat's thread and the worker's; close it.

    Raises LocalAgentError. Nothing heavy is imported before the embedder loads or the index is opened.
    """

    def __init__(self, given: Given) -> None:
        self._given = given
        self.in_background = not given.once
        self.tenant = given.config.memory.tenant
        self.agent = given.config.name
        self.policies = given.policies
        self._database = given.ledger.database
        self._table = EmbedderTable(self._database)
        self.passages = Passages(self._database, self.tenant)
        self.memories = SqliteMemories(self._database, self.passages, now=given.now)
        self._late = LateEmbedder(self._table, self._choose, self._make)
        self._opening = threading.RLock()
        self._store: tuple[int, VectorStore] | None = None
        self._abort = AbortSignal()
        finder = Finder(
            self.passages,
            Keywords(self._database, self.tenant),
            self._vectors,
            self._late.get,
            self._retention,
            given.now,
        )
        self.recall = Recall(finder, self.memories, given.policies, now=given.now)
        self.calling = threading.Lock()  # held by whoever calls the model in the background
        self.judge = Judge(lambda: self.remember, self.calling)
        self.compressor: Compressor | None = None

    @cached_property
    def remember(self) -> Remember:
        from localagent.as_written import RememberAsWritten  # it takes a third of a second, and nothing waits for it

        chosen = self._given.config.memory.classifier and self._given.make is None
        classifier = self.classifier.get if chosen else lambda: None
        return RememberAsWritten(self.memories, self.policies.importance, self.policies.undecided, classifier)

    @cached_property
    def classifier(self) -> ClassifierBuilder:
        from localagent.build_classifier import ClassifierBuilder

        return ClassifierBuilder(self._database, self.tenant, self._late, self._vectors, self._abort)

    @cached_property
    def background(self) -> IndexWorker:
        parts = Parts(
            passages=self.passages,
            unread=self._left_unread,
            undone=self.memories.retract,
            extract=self._extract,
            embedder=self._late.load,
            vectors=self._vectors,
            prune=self._prune_faded,
            judge=self.judge.step,
            compress=lambda abort: self.compressor.step(abort) if self.compressor is not None else 0,
            compress_due=lambda: self.compressor is not None and self.compressor.is_due(),
        )
        return IndexWorker(self._database, parts, say=self._given.say, now=self._given.now)

    def search(self, search: Search, *, top_k: int, min_score: float, abort: AbortSignal) -> tuple[list[Result], str]:
        """As `Recall.search`; waits until the embedder is loaded."""
        self.load(abort)
        return self.recall.search(search, top_k=top_k, min_score=min_score, abort=abort)

    def load(self, abort: AbortSignal) -> str:
        """Load the embedder; why it cannot be, in words, or nothing."""
        try:
            self._late.load(abort)
        except Aborted:
            raise
        except LocalAgentError as error:
            return str(error)
        return ""

    def embedder(self, abort: AbortSignal) -> Embedder:
        """Loaded. Raises what keeps it from loading."""
        return self._late.load(abort)

    def opened(self, abort: AbortSignal) -> MemoryHome:
        """Itself, ready for a turn: waits a moment for an embedder that is just being loaded; without one, keywords
        are searched alone."""
        with abort.child(timeout_s=EMBEDDER_S, what="loading the embedder") as soon:
            try:
                self.load(soon)
            except DeadlineExceeded:
                abort.raise_if_aborted()
        return self

    def block(self, question: str, budget: int, min_score: float, counted: Callable[[str], int]) -> Block:
        """The block of earlier messages that a question alone recalls, as a turn would show it."""
        from localagent.memory.searching import Search

        self.load(self._abort)
        request = Request(question, self.agent, "", "", frozenset(), all_threads=True, count=counted)
        limits = RecallLimits(top_k=0, min_score=min_score, message_tokens=budget, preference_tokens=0)
        return self.recall.block(Search(question), request, limits, self._abort)

    def add(self, new: NewMemory) -> Written:
        return self.remember.add(new)

    def standing(self, thread_id: str = "") -> Sequence[Recalled]:
        """What is in every prompt, of the thread if one is given; tokens are estimated, since no model is there."""
        from localagent.models.estimate import TokenEstimator

        request = Request("", self.agent, thread_id, "", frozenset(), True, TokenEstimator("").count)
        room = self._given.config.memory.preference_tokens
        return self.recall.standing(request, RecallLimits(0, 0.0, 0, room))

    def prune_plan(self, *, threshold: float | None = None, older_than_s: float | None = None) -> list[prune.Pruned]:
        least = self._given.config.memory.archive_below if threshold is None else threshold
        return prune.plan(
            self.memories,
            self.policies.retention,
            now=self._given.now(),
            threshold=least,
            older_than_s=older_than_s or 0.0,
        )

    def prune(self, plan: list[prune.Pruned], *, delete: bool) -> int:
        return prune.carry_out(self.memories, plan, delete=delete)

    def queue(self) -> QueueState:
        active = self._table.active()
        return queue_state(self._database, self.tenant, active.id if active else None)

    def waiting(self) -> int:
        """Pieces that are found by their words only, until they are embedded."""
        state = self.queue()
        return state.passages + state.parked

    def parked(self, limit: int = 20) -> list[tuple[str, str]]:
        """Texts that could not be embedded, each with the error."""
        return [(one.text, one.error) for one in parked(self._database, self.tenant, limit)]

    def retry(self) -> int:
        return retry(self._database, self.tenant)

    def drain(self, abort: AbortSignal, progress: Progress = _untold, *, seconds: float | None = None) -> str:
        """Embed and index what waits; in words what hinders it. `progress` is told pieces done, and in all."""
        waiting = self.queue().passages

        def report(done: Steps) -> None:
            progress(done.embedded, max(waiting, done.embedded))

        return self.background.drain(abort, seconds=seconds, report=report).trouble

    def stats(self) -> MemoryStats:
        """Reads every active entry."""
        active = self._table.active()
        counts = count(self._database, self.tenant, active.id if active else None, self._given.index)
        bins = [0] * 10
        for memory in self.memories.select():
            bins[min(9, int(self.retention_of(memory).score * 10))] += 1
        return MemoryStats(
            embedder=str(active.fingerprint) if active else "",
            index=self._index_text(),
            counts=counts.kinds,
            states=counts.states,
            passages=counts.passages,
            vectors=counts.vectors,
            ledger_bytes=counts.ledger_bytes,
            index_bytes=counts.index_bytes,
            retention=bins,
            reindexing=reindexing(self._database),
        )

    def retention_of(self, memory: Memory) -> Retention:
        """Its retention now, and why it is kept or not."""
        return self.policies.retention(memory, self._given.now(), self._given.config.memory.archive_below)

    def reindex(self, name: str, *, progress: Progress, abort: AbortSignal) -> None:
        """Another embedder; or the same one, where it makes other vectors now. What was done is kept when it ends
        early. `auto` is chosen anew."""
        from localagent.memory.reindex import reindex

        embedder = self._late.build(automatic(self._given.config.model) if name == "auto" else name)
        try:
            reindex(self._database, embedder, self._plain_store, progress, abort)
        finally:
            embedder.close()

    def rebuild(self, *, progress: Progress, abort: AbortSignal) -> None:
        """The index anew, from the ledger's vectors."""
        from localagent.memory.reindex import rebuild

        store = self._vectors()
        if store is not None:
            rebuild(store, progress, abort)

    def verify(self, abort: AbortSignal) -> list[str]:
        """Keys of passages that a search for their own vector does not find."""
        store = self._vectors()
        return store.verify() if store is not None else []

    def export_lines(self) -> Iterator[str]:
        from localagent.memory.transfer import export_lines

        return export_lines(self.memories)

    def import_lines(self, lines: Iterable[str]) -> Imported:
        from localagent.memory.transfer import import_lines

        return import_lines(self.memories, lines)

    @cached_property
    def documents(self) -> Documents:
        """The files that were taken in."""
        from localagent.memory.documents import Documents

        return Documents(self.memories, self._database)

    def close(self) -> None:
        """May be called twice."""
        self._abort.abort()
        if "background" in vars(self):
            self.background.close()
        with self._opening:
            if self._store is not None:
                self._store[1].close()
                self._store = None
        self._late.close()
        if "classifier" in vars(self):
            self.classifier.close()

    def tool_memory(self, thread_id: str = "", *, writing: bool = True) -> ToolMemory:
        """Memory as a tool may use it in a thread. `writing`: False where it is only read."""
        return TurnMemory(self.recall, self if writing else None, self._given.config, self._given.ledger, thread_id)

    def _retention(self, memory: Memory, now: float) -> float:
        return self.policies.retention(memory, now, self._given.config.memory.archive_below).score

    def _prune_faded(self) -> None:
        self.prune(self.prune_plan(), delete=False)

    def _left_unread(self, limit: int) -> list[int]:
        """Of turns that are over: who runs one looks through its messages itself, and tells what was written."""
        before = self._given.now() - UNREAD_S
        found = (self._given.ledger.message(message_id) for message_id in self.memories.unread(limit))
        return [message.id for message in found if message is not None and message.created_at <= before]

    def _extract(self, message_id: int) -> None:
        """What a program that ended before it could has left unread."""
        ledger = self._given.ledger
        message = ledger.message(message_id)
        thread = ledger.thread(message.thread_id) if message is not None else None
        if message is None or thread is None or message.status == "undone":
            self.memories.write([], read=message_id)
            return
        recent = ledger.messages(thread.id, last=READ_BACK)
        self.remember.take(message, [one for one in recent if one.id < message_id][-EARLIER:], thread)

    def _vectors(self) -> VectorStore | None:
        """The vectors of the active embedder; None before there is one."""
        with self._opening:
            active = self._table.active()
            if active is None:
                return None
            if self._store is None or self._store[0] != active.id:
                if self._store is not None:
                    self._store[1].close()
                server, folder = self._server(), self._folder()
                self._store = (
                    active.id,
                    VectorStore(self._database, self.tenant, active, folder=folder, server=server, say=self._given.say),
                )
            return self._store[1]

    def _folder(self) -> Path | None:
        if not self._given.once:
            return self._given.index
        ((vectors,),) = self._database.query("SELECT count(*) FROM (SELECT 1 FROM vectors LIMIT ?)", (EXACT_UP_TO + 1,))
        return self._given.index if int(vectors or 0) > EXACT_UP_TO else None

    def _server(self) -> ChromaServer | None:
        chroma = self._given.config.chroma
        if not chroma.host:
            return None
        from localagent.memory.chroma import ChromaServer

        return ChromaServer(chroma.host, chroma.port, chroma.ssl, dict(chroma.headers))

    def _plain_store(self, tenant: str, row: EmbedderRow) -> VectorStore:
        """The ledger's vectors alone."""
        return VectorStore(self._database, tenant, row, folder=None, server=None, say=self._given.say)

    def _index_text(self) -> str:
        chroma = self._given.config.chroma
        if chroma.host:
            return f"Chroma at {chroma.host}:{chroma.port}"
        return f"Chroma in {self._given.index}" if self._folder() else "small enough to do without: compared exactly"

    def _choose(self) -> str:
        wanted = self._given.config.memory.embedder
        return automatic(self._given.config.model) if wanted == "auto" else wanted

    def _make(self, name: str) -> RawEmbedder:
        return self._given.make() if self._given.make is not None else make_embedder(name, self._given.config.model)
