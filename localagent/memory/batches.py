"""Passages become vectors: in batches that leave room for the user, and so that one bad text costs no other."""

from __future__ import annotations

import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field

from localagent.abort import AbortSignal
from localagent.errors import Aborted, ModelError, ModelUnreachable
from localagent.memory.database import Database
from localagent.memory.embedders import EmbedderRow
from localagent.memory.embedding import Embedder, Vectors
from localagent.memory.queue import clear_failures, note_failure

# A call of the embedder is to take about as long. Embedders heed their signal between smaller calls of their own, which
# is what giving way to the user takes (so they do best with several of those in one of ours); this much work is lost.
CALL_S = 0.5
# Passages looked at for one call.
MAX_TEXTS = 64
# One call of the embedder that takes longer hangs.
TIMEOUT_S = 60.0


@dataclass(frozen=True, slots=True)
class Target:
    """An embedder that is ready, its row in the ledger, and where its vectors are put (rows, vectors), which raises
    EmbeddingFailed for what are no vectors of this embedder."""

    embedder: Embedder
    row: EmbedderRow
    store: Callable[[Sequence[int], Vectors], None]


@dataclass(slots=True)
class Outcome:
    """How many passages were stored, failed (and are tried again), were parked; `error` is the last one's."""

    stored: int = 0
    failed: int = 0
    parked: int = 0
    error: str = ""


@dataclass(slots=True)
class Batches:
    """`now` gives epoch seconds, `clock` seconds of any origin."""

    database: Database
    now: Callable[[], float] = time.time
    clock: Callable[[], float] = time.perf_counter
    timeout_s: float = TIMEOUT_S
    # Bytes of UTF-8 a second: nearer to an embedder's work than characters, of which Chinese ones weigh three times.
    _speed: float = field(default=0.0, init=False)
    _most: int = field(default=1, init=False)

    def embed(
        self, target: Target, rows: Sequence[int], texts: Mapping[int, str], abort: AbortSignal, outcome: Outcome
    ) -> int:
        """Embed as many of `rows` (at least one), from the first on, as a short call can take; returns how many.

        A text that fails is noted in the queue, and `outcome` counts it also when this is aborted in the middle.
        Raises Aborted, StorageError, and what says that the embedder cannot be used at all (ModelUnreachable, also
        for one that hangs; ModelMissing); those cost no passage an attempt, but a text that hangs it all by itself.
        """
        known = [row for row in rows if texts.get(row, "").strip()]
        for row in set(rows) - set(known):  # gone meanwhile, or nothing that could be embedded
            self._note(target, row, "the passage has no text", outcome)
        if not known:
            return len(rows)
        batch = self._first(known, texts)
        self._embed(target, batch, texts, abort, outcome)
        self._most = min(MAX_TEXTS, 4 * len(batch))
        return len(rows) - len(known) + len(batch)

    def _first(self, rows: Sequence[int], texts: Mapping[int, str]) -> list[int]:
        room = self._speed * CALL_S
        batch: list[int] = []
        for row in rows[: self._most]:
            room -= _size(texts[row])
            if batch and room < 0:
                break
            batch.append(row)
        return batch

    def _embed(
        self, target: Target, rows: Sequence[int], texts: Mapping[int, str], abort: AbortSignal, outcome: Outcome
    ) -> None:
        try:
            target.store(rows, self._call(target, [texts[row] for row in rows], abort))
        except ModelError as error:
            abort.raise_if_aborted()
            if len(rows) == 1:
                self._note(target, rows[0], str(error), outcome)
                return
            middle = len(rows) // 2
            self._embed(target, rows[:middle], texts, abort, outcome)
            self._embed(target, rows[middle:], texts, abort, outcome)
            return
        except Aborted as error:
            abort.raise_if_aborted()
            # Of several texts none can be blamed: the next call is for one alone.
            self._most = 1
            if len(rows) == 1:
                self._note(target, rows[0], str(error), outcome)
            raise ModelUnreachable(
                f"the embedder {target.embedder.name} did not answer within {self.timeout_s:g} s",
                hint="It is tried again; until then memories are found by their words.",
            ) from error
        clear_failures(self.database, target.row.id, rows)
        outcome.stored += len(rows)

    def _call(self, target: Target, texts: Sequence[str], abort: AbortSignal) -> Vectors:
        abort.raise_if_aborted()
        began = self.clock()
        with abort.child(timeout_s=self.timeout_s, what="embedding") as deadline:
            vectors = target.embedder.embed_passages(texts, deadline)
        took = self.clock() - began
        if took > 0:
            speed = sum(map(_size, texts)) / took
            self._speed = (self._speed + speed) / 2 if self._speed else speed
        return vectors

    def _note(self, target: Target, row: int, error: str, outcome: Outcome) -> None:
        with self.database.transaction() as connection:
            parked = note_failure(connection, target.row.id, row, error, self.now())
        outcome.error = error
        if parked:
            outcome.parked += 1
        else:
            outcome.failed += 1


def _size(text: str) -> int:
    return len(text.encode("utf-8", "replace"))
