"""What the memory's worker does, in small steps: passages, entries, vectors, the index, and forgetting once a day.

A step that fails keeps no other from working: it is told once, and tried again after a while.
"""

from __future__ import annotations

import math
import sqlite3
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace
from typing import Literal, Protocol, TypeAlias

from localagent.abort import AbortSignal
from localagent.errors import Aborted, FingerprintMismatch, LocalAgentError
from localagent.memory.batches import MAX_TEXTS, TIMEOUT_S, Batches, Outcome, Target
from localagent.memory.database import Database
from localagent.memory.embedders import EmbedderTable
from localagent.memory.embedding import Embedder, Vectors
from localagent.memory.keywords import merge_words
from localagent.memory.queue import next_attempt

PRUNE_EVERY_S = 24 * 3600.0
# What failed as a whole is tried again after 1 s, 2 s, 4 s ... at most:
LONGEST_WAIT_S = 60.0
# Messages that nobody has looked through may be of a turn that is not over; then they are looked for again.
UNREAD_AGAIN_S = 10.0
# The same line is not said again for as long.
SAID_AGAIN_S = 3600.0
# One step of each kind stays well under 200 ms.
MESSAGES_A_STEP = 20
INDEXED_A_STEP = 100

Stage: TypeAlias = Literal["passages", "memories", "vectors", "index", "words", "compress", "judge", "prune"]
_FAILED: dict[Stage, str] = {
    "passages": "messages are not searchable yet",
    "memories": "a message could not be looked through for memories",
    "vectors": "memories are found by their words alone for now",
    "index": "the vector index is not up to date, and search does without it",
    "words": "the keyword index stays in many pieces, and search is slower",
    "compress": "older messages could not be summarised",
    "judge": "a message got no second look",
    "prune": "faded memories were not archived",
}


class PassageSource(Protocol):
    """What the worker needs of `Passages`."""

    def take_changed(self, limit: int = ..., undone: Callable[[sqlite3.Connection, int], None] = ...) -> int: ...

    def texts(self, rows: Sequence[int]) -> dict[int, str]: ...


class VectorStorage(Protocol):
    """What the worker needs of `VectorStore`."""

    def missing(self, limit: int) -> list[int]: ...

    def store(self, rows: Sequence[int], vectors: Vectors) -> None: ...

    def pending(self) -> int: ...

    def sync(self, limit: int = ...) -> int: ...


@dataclass(frozen=True, slots=True)
class Parts:
    """What the worker works with, and the work that is others'.

    `unread` (limit) lists messages to `extract`, which marks them as read. `undone` is told of messages that were
    taken back, inside the transaction. `embedder` gives one that is loaded, and `vectors` what it is stored in; both
    are asked anew each time, in the worker's thread or a drain's; the first call may take seconds; None or an error:
    not now. `prune` archives what has faded. `compress` summarises a thread's older messages and `judge` takes a
    second look at one message, after all else is done; `compress_due`: a thread waits for it.
    """

    passages: PassageSource
    unread: Callable[[int], list[int]]
    undone: Callable[[sqlite3.Connection, int], None]
    extract: Callable[[int], None]
    embedder: Callable[[AbortSignal], Embedder | None]
    vectors: Callable[[], VectorStorage | None]
    prune: Callable[[], None]
    judge: Callable[[AbortSignal], int] = lambda abort: 0
    compress: Callable[[AbortSignal], int] = lambda abort: 0
    compress_due: Callable[[], bool] = lambda: False


@dataclass(frozen=True, slots=True)
class Progress:
    """What was done: messages made into passages, messages looked through, passages embedded, vectors (and removals)
    put into the index; passages that failed and are tried again, and parked ones. `finished`: nothing is left that
    could be done now; `trouble` says why something cannot, empty if nothing hinders."""

    messages: int = 0
    read: int = 0
    embedded: int = 0
    indexed: int = 0
    failed: int = 0
    parked: int = 0
    finished: bool = False
    trouble: str = ""


@dataclass(frozen=True, slots=True)
class _Hold:
    """What failed: why, until when (epoch seconds) it is left alone, and for how long that is."""

    reason: str
    until: float
    wait_s: float

    def over(self, now: float) -> bool:
        """A clock that was set back does not make a wait longer than any can be."""
        return not 0 < self.until - now <= LONGEST_WAIT_S


@dataclass(slots=True)
class Steps:
    """Not for several threads at once, but for `trouble`. `timeout_s`: one call of the embedder."""

    database: Database
    parts: Parts
    say: Callable[[str], None]
    now: Callable[[], float] = time.time
    timeout_s: float = TIMEOUT_S
    _batches: Batches = field(init=False)
    _embedders: EmbedderTable = field(init=False)
    _done: Progress = field(default_factory=Progress, init=False)
    _holds: dict[Stage, _Hold] = field(default_factory=dict, init=False)
    _unreadable: dict[int, _Hold] = field(default_factory=dict, init=False)
    _said: dict[str, float] = field(default_factory=dict, init=False)
    _unsynced: int = field(default=0, init=False)
    _told_parked: int = field(default=0, init=False)
    _told_read: int = field(default=0, init=False)
    _last_error: str = field(default="", init=False)
    _next_attempt: float | None = field(default=None, init=False)
    _unread_at: float = field(default=math.inf, init=False)
    _prune_at: float = field(default=0.0, init=False)
    _merging: bool = field(default=False, init=False)
    _merged: Progress | None = field(default=None, init=False)
    _sync_at: float = field(default=math.inf, init=False)

    def __post_init__(self) -> None:
        self._batches = Batches(self.database, now=self.now, timeout_s=self.timeout_s)
        self._embedders = EmbedderTable(self.database)

    @property
    def trouble(self) -> str:
        """Why something is not up to date; empty if nothing hinders."""
        return next((hold.reason for hold in [*self._holds.values()]), "")

    def step(self, abort: AbortSignal) -> bool:
        """The first stage that has something to do does a little of it; False if none has."""
        return (
            self._stage("passages", self._take_changed, abort)
            or self._stage("memories", self._extract, abort)
            or self._stage("vectors", self._embed, abort)
            or self._stage("index", self._sync, abort)
            or self._stage("words", self._merge, abort)
        )

    def ask(self, abort: AbortSignal, *, patient: bool = True) -> bool:
        """The same, for what asks the model. `patient`: also what may take minutes."""
        compressed = patient and self._stage("compress", self.parts.compress, abort)
        return compressed or self._stage("judge", self.parts.judge, abort)

    def prune(self, abort: AbortSignal) -> bool:
        """Once a day, in one of all the processes."""
        return self._stage("prune", self._prune, abort)

    def finish(self, abort: AbortSignal, report: Callable[[Progress], None], *, patient: bool = True) -> Progress:
        """Steps until nothing is left, or until aborted; what they did. `report` is told after each. `patient`: also
        what may take minutes."""
        before = self._done
        try:
            while self.step(abort) or self.ask(abort, patient=patient):
                report(self._since(before))
            finished = not self._holds
        except Aborted:
            finished = False
        self.tell_round()
        return replace(self._since(before), finished=finished, trouble=self.trouble)

    def _since(self, before: Progress) -> Progress:
        now = self._done
        return Progress(
            messages=now.messages - before.messages,
            read=now.read - before.read,
            embedded=now.embedded - before.embedded,
            indexed=now.indexed - before.indexed,
            failed=now.failed - before.failed,
            parked=now.parked - before.parked,
        )

    def something_is_due(self) -> bool:
        """Whether something that had to wait need not wait longer."""
        now = self.now()
        retry = self._next_attempt is not None and self._next_attempt <= now and "vectors" not in self._holds
        over = any(hold.over(now) for hold in (*self._holds.values(), *self._unreadable.values()))
        compress = self.parts.compress_due() and "compress" not in self._holds
        return over or retry or compress or min(self._prune_at, self._sync_at, self._unread_at) <= now

    def left(self) -> tuple[object, ...] | None:
        """Something that changes with every bit of work that is done, by whichever process; None: nothing is left."""
        tables = ("changed_messages", "unread_messages")
        queued = [self.database.query(f"SELECT min(message_id), count(*) FROM {table}")[0] for table in tables]
        vectors = self.parts.vectors() if "vectors" not in self._holds else None
        missing, pending = (vectors.missing(1), vectors.pending()) if vectors else ([], 0)
        empty = (None, 0)
        return None if (*queued, missing, pending) == (empty, empty, [], 0) else (*queued, *missing, pending)

    def tell_round(self) -> None:
        """At the end of a round of steps, so that it is one line: what had waited, and what was parked."""
        if late := self._done.read - self._told_read:
            self._told_read = self._done.read
            messages = "1 earlier message" if late == 1 else f"{late} earlier messages"
            self._tell(f"memory: looked through {messages} that had waited")
        if count := self._done.parked - self._told_parked:
            self._told_parked = self._done.parked
            texts = "1 text" if count == 1 else f"{count} texts"
            self._tell(
                f"memory: {texts} could not be embedded and will not be tried again ({self._last_error.rstrip('.')}). "
                "Words still find them; `localagent memory retry` takes them up again."
            )

    def _stage(self, stage: Stage, work: Callable[[AbortSignal], int], abort: AbortSignal) -> bool:
        """One that fails is left alone for longer each time."""
        hold = self._holds.get(stage)
        if hold is not None and not hold.over(self.now()):
            return False
        abort.raise_if_aborted()
        try:
            done = work(abort)
        except LocalAgentError as error:
            abort.raise_if_aborted()
            self._holds[stage] = self._longer(hold, str(error))
            self._tell(f"memory: {_FAILED[stage]}: {error}")
            return False
        if stage in self._holds and self._holds[stage] is hold:
            del self._holds[stage]
        return done > 0

    def _longer(self, hold: _Hold | None, reason: str) -> _Hold:
        wait_s = min(LONGEST_WAIT_S, 2 * hold.wait_s) if hold else 1.0
        return _Hold(reason, self.now() + wait_s, wait_s)

    def _take_changed(self, abort: AbortSignal) -> int:
        done = self.parts.passages.take_changed(limit=MESSAGES_A_STEP, undone=self.parts.undone)
        self._done = replace(self._done, messages=self._done.messages + done)
        return done

    def _extract(self, abort: AbortSignal) -> int:
        """One message. One that cannot be looked through is left alone for a while, and keeps no other waiting."""
        now = self.now()
        unread = self.parts.unread(len(self._unreadable) + 1)
        self._unreadable = {key: hold for key, hold in self._unreadable.items() if key in unread}
        waiting = {key for key, hold in self._unreadable.items() if not hold.over(now)}
        message_id = next((key for key in unread if key not in waiting), None)
        if message_id is None:
            others = self.database.query("SELECT 1 FROM unread_messages LIMIT 1")
            self._unread_at = now + UNREAD_AGAIN_S if others else math.inf
            return 0
        told = any(hold.reason for hold in self._unreadable.values())
        # Also when all seems well: what was not marked as read must not come up again at once.
        hold = self._unreadable[message_id] = self._longer(self._unreadable.get(message_id), "")
        try:
            self.parts.extract(message_id)
        except LocalAgentError as error:
            abort.raise_if_aborted()
            self._unreadable[message_id] = replace(hold, reason=str(error))
            if not told:
                self._tell(f"memory: {_FAILED['memories']}: {error}")
        else:
            self._done = replace(self._done, read=self._done.read + 1)
        return 1

    def _embed(self, abort: AbortSignal) -> int:
        embedder, vectors = self.parts.embedder(abort), self.parts.vectors()
        if embedder is None or vectors is None:
            self._holds["vectors"] = self._longer(self._holds.get("vectors"), "there is no embedder")
            return 0
        target = self._target(embedder, vectors, abort)
        rows = vectors.missing(MAX_TEXTS)
        outcome = Outcome()
        try:
            texts = self.parts.passages.texts(rows)
            done = self._batches.embed(target, rows, texts, abort, outcome) if rows else 0
        finally:
            self._note(outcome)
        self._next_attempt = next_attempt(self.database, target.row.id, self.now())
        if self._unsynced >= INDEXED_A_STEP:
            self._stage("index", self._sync, abort)
        return done

    def _note(self, outcome: Outcome) -> None:
        self._unsynced += outcome.stored
        self._last_error = outcome.error or self._last_error
        self._done = replace(
            self._done,
            embedded=self._done.embedded + outcome.stored,
            failed=self._done.failed + outcome.failed,
            parked=self._done.parked + outcome.parked,
        )

    def _target(self, embedder: Embedder, vectors: VectorStorage, abort: AbortSignal) -> Target:
        fingerprint = embedder.load(abort)
        active, row = self._embedders.active(), self._embedders.find(fingerprint)
        if active is None or row is None or row.id != active.id:
            raise FingerprintMismatch(
                f"this data folder's vectors are of {active.fingerprint if active else 'no embedder'}, "
                f"and {fingerprint} is in use",
                hint=f"`localagent memory reindex --embedder {fingerprint.name}` makes them anew.",
            )
        return Target(embedder, row, vectors.store)

    def _sync(self, abort: AbortSignal) -> int:
        self._unsynced = 0
        vectors = self.parts.vectors()
        done = vectors.sync(INDEXED_A_STEP) if vectors is not None else 0
        # Another process has the index. It may end, and would tell nobody.
        others = vectors is not None and not done and vectors.pending() > 0
        self._sync_at = self.now() + LONGEST_WAIT_S if others else math.inf
        self._done = replace(self._done, indexed=self._done.indexed + done)
        return done

    def _merge(self, abort: AbortSignal) -> int:
        """After something was done, when nothing else is left."""
        if self._merged != self._done:
            self._merging = merge_words(self.database, begun=self._merging)
            if not self._merging:
                self._merged = self._done
        return int(self._merging)

    def _prune(self, abort: AbortSignal) -> int:
        now = self.now()
        if now < self._prune_at:
            return 0
        self._prune_at = now + LONGEST_WAIT_S  # if what follows fails
        with self.database.transaction() as connection:
            rows = connection.execute("SELECT value FROM home_values WHERE name = 'pruned_at'").fetchall()
            pruned_at = float(rows[0][0]) if rows else -math.inf
            # A time to come is that of a clock that was wrong.
            mine = not 0 <= now - pruned_at < PRUNE_EVERY_S
            if mine:
                connection.execute(
                    "INSERT OR REPLACE INTO home_values (name, value) VALUES ('pruned_at', ?)", (repr(now),)
                )
        self._prune_at = (now if mine else pruned_at) + PRUNE_EVERY_S
        if mine:
            self.parts.prune()
        return int(mine)

    def _tell(self, line: str) -> None:
        now = self.now()
        self._said = {said: at for said, at in self._said.items() if 0 <= now - at < SAID_AGAIN_S}
        if line not in self._said:
            self._said[line] = now
            self.say(line)
