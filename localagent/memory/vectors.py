"""The vectors of one tenant and embedder: in the ledger for good, in Chroma to be found fast.

The ledger is the truth, and the index follows it. One process at a time owns the index's folder; every other one, and
also this one for what the index lacks, compares the ledger's own vectors. So a search sees what any process has
committed before it, whatever the state of the index.
"""

from __future__ import annotations

import contextlib
import math
import threading
import time
from collections.abc import Callable, Iterable, Iterator, Sequence
from pathlib import Path
from typing import NamedTuple, TypeAlias

from localagent.errors import EnvironmentFault, IndexDamaged, ModelUnreachable
from localagent.memory.chroma import ChromaServer
from localagent.memory.database import Database
from localagent.memory.embedders import EmbedderRow
from localagent.memory.embedding import Vectors
from localagent.memory.filters import FIELDS, Filter
from localagent.memory.found_row import FoundRow
from localagent.memory.index import Hit
from localagent.memory.vectors_cache import VectorCache
from localagent.memory.vectors_place import FolderPlace, Opened, Place, ServerPlace
from localagent.memory.vectors_rows import VectorRows

# Up to so many, comparing all is quicker than asking Chroma (of 10,000 with 384 numbers: 1.3 ms against 4 for 150).
EXACT_UP_TO = 12_000
# Of those that pass a filter, so many are compared: 5 to 9 ms, as a query of Chroma for some 600. Its own filters take
# 75 to 300 ms at 100,000.
EXACT_FILTERED = 20_000
# With more than these outside the index, comparing all is no slower.
MOST_PENDING = 2000
# A search waits for one call of Chroma that adds so many: 60 ms.
BATCH = 100
# What a search asks for beyond what it needs: passages that are gone may still be in the index.
_SPARE = 8

Found: TypeAlias = list[tuple[int, float]]


class VectorHit(NamedTuple):
    """A passage by its row; or one of another home that shares the index: `row` is -1, and `hit` has its text."""

    row: int
    cosine: float
    hit: Hit | None = None


class VectorStore:
    """For several threads. Raises StorageError; what is wrong with the index alone only `sync` and `verify` raise."""

    def __init__(
        self,
        database: Database,
        tenant: str,
        embedder: EmbedderRow,
        *,
        folder: Path | None,
        server: ChromaServer | None,
        say: Callable[[str], None],
        now: Callable[[], float] = time.time,
    ) -> None:
        """`folder` is where index folders lie; with a server it is not used; without either there is no index, and
        search compares all vectors. `say` is told in a line what the user should know, in the caller's thread."""
        self._rows = VectorRows(database, tenant, embedder, now)
        self._cache = VectorCache(self._rows)
        self._place: Place | None = None
        if server is not None:
            self._place = ServerPlace(server, self._rows, say)
        elif folder is not None:
            self._place = FolderPlace(folder, self._rows, say)
        self._shared = server is not None
        self._syncing = threading.Lock()
        self._turns = Turns()  # of whoever calls Chroma
        self._opened: Opened | None = None
        self._lost: Opened | None = None  # no longer used, not closed yet
        self._asked = False
        self._damage = ""

    def store(self, rows: Sequence[int], vectors: Vectors) -> None:
        """Durable and found by every process when it returns. Rows that are gone, or whose text is not what it was
        when `missing` named them, are skipped. Raises EmbeddingFailed for what are no vectors of this embedder."""
        self._rows.store(rows, vectors)

    def query(self, vector: Vectors, limit: int, where: Filter | None = None) -> list[VectorHit]:
        """The nearest, best first."""
        if limit <= 0:
            return []
        self._cache.refresh()
        hits = [VectorHit(row, cosine) for row, cosine in self._own(vector, limit, where)]
        if self._shared:
            hits = sorted([*hits, *self._of_others(vector, limit, where)], key=lambda hit: -hit.cosine)[:limit]
        return hits

    def cosines(self, vector: Vectors, rows: Sequence[int]) -> dict[int, float]:
        """Exact, of those of `rows` that had a vector when a query was made last."""
        return self._cache.cosines(vector, rows)

    def known(self, rows: Iterable[int], where: Filter) -> dict[int, FoundRow | None]:
        """As it was when a query was made last: what is known of those that have a vector, None of those that do not
        pass the filter."""
        return self._cache.known(rows, where)

    def missing(self, limit: int) -> list[int]:
        """Rows of passages without a vector, without those that wait for another attempt or are parked."""
        return self._rows.missing(limit)

    def pending(self) -> int:
        """How many are in the ledger, but not in the index; 0 without an index."""
        return self._rows.count_pending(self._rows.generation()) if self._place else 0

    def sync(self, limit: int = 1000) -> int:
        """Bring the index nearer to the ledger, by at most `limit` vectors and as many removals; how many. 0 also where
        another process owns the index. Raises StorageError and ModelUnreachable; nothing is lost by it."""
        self._cache.refresh()  # in the background, so that no search has to read all of it
        with self._syncing:
            try:
                return self._sync(limit)
            except IndexDamaged as error:
                self._let_go(error.message)
            return self._sync(limit)

    def rebuild(self) -> None:
        """From now on the index is empty, and `sync` fills it."""
        with self._syncing:
            self._let_go()
            self._damage = ""
            self._rows.begin_anew()

    def verify(self) -> list[str]:
        """Keys in the index that a search there for their own vector does not find. Opens it if that can be."""
        with self._syncing:
            opened = self._ready()
            if opened is None:
                return []
            claimed = self._rows.indexed(opened.generation)
            self._cache.refresh()
            return [key for key, row in claimed.items() if not self._finds(opened, key, row)]

    def close(self) -> None:
        """May be called twice."""
        with self._syncing:
            self._let_go()

    def _own(self, vector: Vectors, limit: int, where: Filter | None) -> Found:
        """Of this home."""
        found = None if self._shared else self._indexed(vector, limit, where)
        return self._cache.search(vector, limit, where) if found is None else found

    def _indexed(self, vector: Vectors, limit: int, where: Filter | None) -> Found | None:
        """Through the index; None where comparing all vectors is quicker, or the index cannot tell."""
        total = len(self._cache)
        wanted = self._worth_asking(total, limit, where)
        if wanted is None:
            return None
        # Before the index is asked: what is put into it meanwhile counts as outside still.
        generation = self._rows.generation()
        pending = self._rows.pending(generation, MOST_PENDING + 1)
        hits = self._ask(vector, wanted, generation) if len(pending) <= MOST_PENDING else None
        if hits is None:
            return None
        outside = set(pending)
        rows = self._cache.rows_of([hit.key for hit in hits], where)
        found = [
            (row, hit.cosine) for row, hit in zip(rows, hits, strict=True) if row is not None and row not in outside
        ]
        if len(found) < (limit if where is not None else min(limit, total - len(outside))):
            return None
        found += self._cache.search(vector, limit, where, among=pending)
        return sorted(found, key=lambda one: -one[1])[:limit]

    def _ask(self, vector: Vectors, limit: int, generation: int) -> list[Hit] | None:
        with self._turns.mine():
            opened = self._opened
            if opened is None or opened.generation != generation:
                return None
            try:
                return opened.index.query(vector, limit)
            except EnvironmentFault as error:
                self._lose(error)
                return None

    def _worth_asking(self, total: int, limit: int, where: Filter | None) -> int | None:
        """For how many to ask Chroma; None if it should not be asked."""
        if self._opened is None or total <= EXACT_UP_TO:
            return None
        if where is None:
            return limit + _SPARE
        passing = self._cache.passing(where)
        if passing <= EXACT_FILTERED:
            return None
        return _SPARE + math.ceil(1.25 * limit * total / passing)

    def _of_others(self, vector: Vectors, limit: int, where: Filter | None) -> Iterator[VectorHit]:
        """Passages of other homes. A server that is away has none."""
        self._ask_once()
        with self._turns.mine():
            opened = self._opened
            if opened is None:
                return
            try:
                near = opened.index.query(vector, limit, where)
                foreign = {hit.key: hit.cosine for hit in near if not self._rows.is_own(hit.key)}
                told = opened.index.get(list(foreign)) if foreign else {}
            except EnvironmentFault as error:
                self._lose(error)
                return
        for key, hit in told.items():
            if _is_a_passage(hit):
                yield VectorHit(-1, foreign[key], Hit(key, foreign[key], hit.text, hit.metadata))

    def _ask_once(self) -> None:
        """A program that answers once has nobody who syncs; what fails is `sync`'s to say."""
        if self._asked or self._opened is not None or not self._syncing.acquire(blocking=False):
            return
        try:
            with contextlib.suppress(EnvironmentFault):
                self._ready()
        finally:
            self._syncing.release()

    # What follows is called with `_syncing` held.

    def _sync(self, limit: int) -> int:
        opened = self._ready()
        if opened is None:
            return 0
        try:
            return self._remove(opened, limit) + self._move(opened, limit)
        except ModelUnreachable:
            self._let_go()
            raise

    def _ready(self) -> Opened | None:
        """The index, opened if it is not."""
        self._asked = True
        if self._place is None:
            return None
        opened = self._opened
        if opened is not None and opened.generation == self._rows.generation() and self._place.is_ours():
            return opened
        self._let_go()
        if self._damage:
            reason, self._damage = self._damage, ""
            self._place.begin_anew(reason)
        opened = self._place.open()
        with self._turns.mine():
            self._opened = opened
        return opened

    def _remove(self, opened: Opened, limit: int) -> int:
        """Take out what is no longer in the ledger."""
        keys = self._rows.removed_keys(limit)
        for start in range(0, len(keys), BATCH):
            with self._turns.mine():
                opened.index.delete([self._rows.index_key(key) for key in keys[start : start + BATCH]])
        if keys:
            self._rows.done_removing(keys)
        return len(keys)

    def _move(self, opened: Opened, limit: int) -> int:
        moved = 0
        while moved < limit:
            waiting = self._rows.waiting(opened.generation, min(BATCH, limit - moved))
            if not waiting.ids:
                break
            with self._turns.mine():
                opened.index.upsert(waiting.items)
            self._rows.mark(waiting.ids, opened.generation)
            moved += len(waiting.ids)
        return moved

    def _finds(self, opened: Opened, key: str, row: int) -> bool:
        vector = self._cache.vector(row)
        if vector is None:  # gone meanwhile
            return True
        for limit in (10, 200):
            with self._turns.mine():
                hits = opened.index.query(vector, limit)
            if any(hit.key == key for hit in hits):
                return True
            if not hits or hits[-1].cosine < 0.999:
                return False
        # More of the same text than were asked for.
        return key in opened.index.get([key])

    def _let_go(self, damage: str = "") -> None:
        """Close the index; with `damage`, it is not to be used any more."""
        self._damage = damage or self._damage
        with self._turns.mine():
            opened, self._opened, self._lost = self._opened or self._lost, None, None
        if self._place is not None:
            with contextlib.suppress(EnvironmentFault):
                self._place.close(opened, sound=not self._damage)

    def _lose(self, error: EnvironmentFault) -> None:
        """It failed a search, which has the turn. The next `sync` closes it, and does what is to be done."""
        if isinstance(error, IndexDamaged | ModelUnreachable):
            self._damage = error.message if isinstance(error, IndexDamaged) else ""
            self._opened, self._lost = None, self._opened


def _is_a_passage(hit: Hit) -> bool:
    """Also other programs can write to a server. What is archived or superseded in its home is so here."""
    typed = all(isinstance(hit.metadata.get(name), kind) for name, kind in FIELDS.items())
    return typed and hit.metadata.get("state", "active") == "active"


class Turns:
    """A lock that is passed on in turn: whoever comes back at once stands behind who is waiting."""

    def __init__(self) -> None:
        self._next = threading.Lock()
        self._lock = threading.Lock()

    @contextlib.contextmanager
    def mine(self) -> Iterator[None]:
        with self._next:
            self._lock.acquire()
        try:
            yield
        finally:
            self._lock.release()
