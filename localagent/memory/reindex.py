"""Another embedder for all that is remembered, beside the one in use, which stays in use until the new one is complete.

What is done stays done: an interrupted reindex goes on where it was, also after the power went.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Protocol

from localagent.abort import AbortSignal
from localagent.errors import EmbeddingFailed
from localagent.memory.batches import MAX_TEXTS, Batches, Outcome, Target
from localagent.memory.database import Database
from localagent.memory.embedders import EmbedderRow, EmbedderTable
from localagent.memory.embedding import Embedder
from localagent.memory.passages import Passages
from localagent.memory.queue import WAITS_S, next_attempt
from localagent.memory.steps import VectorStorage

# An embedder that fails for so many texts, and for more than it succeeds with, fails for all.
HOPELESS = 10
# A transaction that removes as many vectors takes some 10 ms.
REMOVED_AT_ONCE = 500
INDEXED_AT_ONCE = 250

# done, of how many
Report = Callable[[int, int], None]


class RebuildableStorage(VectorStorage, Protocol):
    def rebuild(self) -> None:
        """Begin the index anew: all vectors are pending."""
        ...


def reindex(
    database: Database,
    embedder: Embedder,
    open_store: Callable[[str, EmbedderRow], VectorStorage],
    progress: Report,
    abort: AbortSignal,
) -> Outcome:
    """Embed every passage of every tenant with `embedder`, make it the one in use, and remove the others' vectors.

    `open_store` (tenant, embedder) gives the ledger's vectors of that embedder; an index is not needed. `progress` is
    told passages done, of all. The result counts what this run did; what could not be embedded three times is parked.
    Raises Aborted, StorageError, what the embedder raises when it cannot be used at all, and EmbeddingFailed when it
    fails for most texts: then the old embedder stays in use, and the next call goes on from here.
    """
    table = EmbedderTable(database)
    fingerprint = embedder.load(abort)
    row = table.add(fingerprint)
    if not row.active:
        _note(database, "INSERT OR REPLACE INTO home_values (name, value) VALUES ('reindexing', ?)", str(row.id))
        # What it has from an earlier time, its index has no more.
        row = table.begin_anew(row.id)
    outcome = Outcome()
    work = _Reindex(database, embedder, row, open_store, progress)
    work.run(outcome, abort)
    if not row.active:
        table.activate(row.id)
        # What another process embedded with the old one, between the last look and now.
        work.run(outcome, abort)
    # Also what was begun with another embedder: this one is in use now.
    _note(database, "DELETE FROM home_values WHERE name = 'reindexing'")
    remove_unused(database, abort)
    return outcome


def _note(database: Database, sql: str, *values: str) -> None:
    """What `memory stats` tells of it while it is under way."""
    with database.transaction() as connection:
        connection.execute(sql, values)


def remove_unused(database: Database, abort: AbortSignal) -> int:
    """Delete the vectors and failures of embedders that are not in use; how many vectors. Raises Aborted between two
    transactions; the next call goes on."""
    unused = "embedder_id NOT IN (SELECT id FROM embedders WHERE active)"
    removed, more = 0, True
    while more:
        abort.raise_if_aborted()
        with database.transaction() as connection:
            count = connection.execute(
                f"DELETE FROM vectors WHERE rowid IN (SELECT rowid FROM vectors WHERE {unused} LIMIT ?)",
                (REMOVED_AT_ONCE,),
            ).rowcount
            more = count == REMOVED_AT_ONCE
            if not more:
                connection.execute(f"DELETE FROM failures WHERE {unused}")
        removed += count
    database.forget()
    return removed


def rebuild(store: RebuildableStorage, progress: Report, abort: AbortSignal) -> int:
    """Fill the index of the embedder in use anew, from the ledger's vectors; how many. Nothing is embedded, and search
    goes on meanwhile. Interrupted, the worker of any process goes on with it."""
    abort.raise_if_aborted()
    store.rebuild()
    total = store.pending()
    done = 0
    while moved := store.sync(INDEXED_AT_ONCE):
        done += moved
        progress(min(done, total), total)
        abort.raise_if_aborted()
    return done


class _Reindex:
    def __init__(
        self,
        database: Database,
        embedder: Embedder,
        row: EmbedderRow,
        open_store: Callable[[str, EmbedderRow], VectorStorage],
        progress: Report,
    ) -> None:
        self._database = database
        self._embedder = embedder
        self._row = row
        self._open_store = open_store
        self._progress = progress
        self._batches = Batches(database)

    def run(self, outcome: Outcome, abort: AbortSignal) -> None:
        """Until no passage of any tenant is missing, those that other processes write meanwhile among them, but for
        the parked ones."""
        while True:
            stored = outcome.stored
            for tenant in self._tenants():
                self._embed_all(tenant, outcome, abort)
            if self._wait_for_retry(abort) or outcome.stored > stored:
                continue
            return

    def _embed_all(self, tenant: str, outcome: Outcome, abort: AbortSignal) -> None:
        store = self._open_store(tenant, self._row)
        passages = Passages(self._database, tenant)
        target = Target(self._embedder, self._row, store.store)
        while rows := store.missing(MAX_TEXTS):
            self._batches.embed(target, rows, passages.texts(rows), abort, outcome)
            done, total = self._counted()
            self._progress(done, total)
            if outcome.failed + outcome.parked > max(HOPELESS, done):
                raise EmbeddingFailed(
                    f"the embedder {self._embedder.name} fails for most texts ({outcome.error.rstrip('.')})",
                    hint="The embedder of before stays in use. Try again when this is mended; nothing is lost.",
                )

    def _wait_for_retry(self, abort: AbortSignal) -> bool:
        """Whether something was to be tried again; it is due now."""
        now = self._batches.now()
        due = next_attempt(self._database, self._row.id, now)
        if due is None:
            return False
        if abort.wait(min(due - now, max(WAITS_S))):
            abort.raise_if_aborted()
        return True

    def _tenants(self) -> Sequence[str]:
        return [str(tenant) for (tenant,) in self._database.query("SELECT DISTINCT tenant FROM passages")]

    def _counted(self) -> tuple[int, int]:
        counted = "SELECT (SELECT count(*) FROM vectors WHERE embedder_id = ?), (SELECT count(*) FROM passages)"
        done, total = self._database.query(counted, (self._row.id,))[0]
        assert isinstance(done, int) and isinstance(total, int)  # counts
        return done, total
