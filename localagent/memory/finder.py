"""Search: candidates by their words and by their vectors, with everything that was measured of them."""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence

from localagent.abort import AbortSignal
from localagent.errors import Aborted, LocalAgentError
from localagent.memory.embedding import Embedder
from localagent.memory.entries import Memory
from localagent.memory.entry_rows import plain
from localagent.memory.filters import Condition, Filter, Group, both
from localagent.memory.finding import Finding, VectorSearch
from localagent.memory.foreign import Foreign
from localagent.memory.keywords import Keywords
from localagent.memory.language import asks_time
from localagent.memory.measuring import Measure
from localagent.memory.passages import Passages
from localagent.memory.pieces import clean
from localagent.memory.searching import Found, Passage, Search
from localagent.policy import Question

# Of a request with a long text in it, the question is at one of its ends.
END_CHARACTERS = 1000


class Finder:
    """`MemorySearch` over the passages of a ledger, for several threads.

    `vectors` and `embedder` are asked at each search; None while there are none. `retention` says how well an entry
    is kept at a time (0-1).
    """

    def __init__(
        self,
        passages: Passages,
        keywords: Keywords,
        vectors: Callable[[], VectorSearch | None],
        embedder: Callable[[], Embedder | None],
        retention: Callable[[Memory, float], float],
        now: Callable[[], float] = time.time,
    ) -> None:
        self._passages = passages
        self._keywords = keywords
        self._vectors = vectors
        self._embedder = embedder
        self._retention = retention
        self._now = now
        self._foreign = Foreign()

    def find(self, search: Search, abort: AbortSignal) -> Found:
        """Words are looked for in the first and last 1,000 characters of the question, and so is the vector."""
        abort.raise_if_aborted()
        text = _ends(search.text)
        whole = f"{_ends(search.context)}\n{text}".strip()
        scope = _scope(search)
        if scope is None or not whole:
            return Found(Question(whole, asks_time(text), _no_score))
        allowed = both(scope, search.where) or scope
        narrow = search.where is not None or not (search.all_threads and search.messages and search.memories)
        database, tenant = self._passages.database, self._passages.tenant
        finding = Finding(database, tenant, allowed, narrow=narrow, hidden=search.hidden)
        finding.by_words(self._keywords, text)
        score_of, foreign, degraded = _no_score, [], ""
        try:
            embedder, vectors = self._embedder(), self._vectors()
            if embedder is None or vectors is None:
                degraded = "only words were searched: there are no vectors yet"
            else:
                vector = embedder.embed_queries([whole], abort)[0]
                foreign = finding.by_vector(vectors, vector)
                finding.complete(self._keywords, text)
                finding.measure(vectors, vector)
                score_of = embedder.score
        except Aborted:
            raise
        except LocalAgentError as error:
            degraded = f"only words were searched: {error}"
        if degraded:
            foreign = []
            finding.cosines.clear()
            finding.complete(self._keywords, text)
        abort.raise_if_aborted()
        measure = Measure(text, finding.weights, self._passages.speakers(), self._retention, self._now())
        candidates = [
            *measure.own(finding.rows.values(), finding.cosines, finding.best_entries(search.entries)),
            *(measure.foreign(self._foreign.take(hit), cosine) for hit, cosine in foreign),
        ]
        return Found(Question(whole, asks_time(text), score_of), candidates, degraded)

    def passages(self, rows: Sequence[int]) -> list[Passage]:
        own = {passage.row: passage for passage in self._passages.get([row for row in rows if row >= 0])}
        found = (own.get(row) if row >= 0 else self._foreign.get(row) for row in rows)
        return [passage for passage in found if passage is not None]


def _no_score(cosine: float) -> float:
    return 0.0


def _ends(text: str) -> str:
    if len(text) > 2 * END_CHARACTERS:
        text = f"{text[:END_CHARACTERS]}\n{text[-END_CHARACTERS:]}"
    return clean(text).strip()


def _scope(search: Search) -> Filter | None:
    """What the asker may see: no entry of another agent or thread, and messages of the agent or the thread alone.
    None: nothing."""
    agent = Condition("agent", "$eq", plain(search.agent))
    thread = Condition("thread_id", "$eq", plain(search.thread_id))
    members: list[Filter] = []
    if search.memories:
        everywhere = Condition("scope", "$eq", "all")
        for_agent = Group("$and", (Condition("scope", "$eq", "agent"), agent))
        in_thread = Group("$and", (Condition("scope", "$eq", "thread"), thread))
        is_memory = Condition("source", "$eq", "memory")
        members.append(Group("$and", (is_memory, Group("$or", (everywhere, for_agent, in_thread)))))
    if search.messages:
        within: list[Filter] = [Condition("source", "$eq", "message"), agent if search.all_threads else thread]
        if search.all_threads and not search.results:
            within.append(Group("$or", (Condition("origin", "$ne", "tool"), thread)))
        members.append(Group("$and", tuple(within)))
    return Group("$or", tuple(members)) if len(members) > 1 else members[0] if members else None
