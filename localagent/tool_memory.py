"""Long-term memory as tools see it during a turn."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Protocol

from localagent.abort import AbortSignal
from localagent.config import AgentConfig
from localagent.errors import UsageError
from localagent.longterm import EARLIER
from localagent.memory.base import Ledger
from localagent.memory.entries import Kind, NewMemory
from localagent.memory.searching import Search
from localagent.recall import Recall
from localagent.recall_block import in_part_corrected
from localagent.tool import Noted, Quoted

if TYPE_CHECKING:
    from localagent.remember import Remember


class Writer(Protocol):
    @property
    def remember(self) -> Remember: ...


class TurnMemory:
    """`ToolMemory` of one agent in one thread; what is written has the assistant as its origin. Without `writer` it is
    only read."""

    def __init__(
        self, recall: Recall, writer: Writer | None, config: AgentConfig, ledger: Ledger, thread_id: str
    ) -> None:
        self._recall = recall
        self._writer = writer
        self._config = config
        self._ledger = ledger
        self._thread_id = thread_id

    def write(self, text: str, kind: Kind, importance: float | None = None) -> Noted:
        if self._writer is None:
            raise UsageError("nothing is kept of this conversation, also not in memory")
        earlier = self._ledger.messages(self._thread_id, last=EARLIER) if self._thread_id else ()
        if self._writer.remember.asked_to_keep_out(text, earlier):
            raise UsageError("the user asked not to keep this")
        written = self._writer.remember.add(
            NewMemory(
                kind,
                text,
                origin="assistant",
                agent=self._config.name,
                thread_id=self._thread_id,
                importance=importance,
            )
        )
        return Noted(written.memories[0], known=bool(written.strengthened))

    def search(self, query: str, top_k: int, abort: AbortSignal | None = None) -> Sequence[Quoted]:
        results, _ = self._recall.search(
            Search(
                query,
                agent=self._config.name,
                thread_id=self._thread_id,
                all_threads=self._config.memory.scope == "all",
            ),
            top_k=top_k,
            min_score=self._config.context_policy.memory_search_min_score,
            abort=abort or AbortSignal(),
        )
        return [
            Quoted(
                id=found.passage.key if found.passage.memory is None else found.passage.memory.id,
                kind="message" if found.passage.memory is None else found.passage.memory.kind,
                text=found.passage.text,
                speaker=found.passage.speaker,
                said_at=found.passage.said_at,
                score=found.ranked.score,
                note=in_part_corrected(found.corrected_by),
            )
            for found in results
        ]
