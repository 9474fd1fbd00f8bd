"""The contract of searching: candidates with everything that was measured of them, and the passages behind them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Protocol

from localagent.abort import AbortSignal
from localagent.memory.entries import Memory
from localagent.memory.filters import Filter
from localagent.policy import Candidate, Question


@dataclass(frozen=True, slots=True)
class Search:
    """What is looked for, and where.

    `context` is what makes a thin question clear (the last exchange), used for the vector alone. `agent` and
    `thread_id` say who asks: entries with another agent's or thread's scope are never candidates. `messages`: also
    passages of messages, of the thread alone or of all the agent's threads (`all_threads`); `memories`: also entries.
    `results`: also what tools gave in other threads than this one. `hidden`: also superseded and archived entries.
    `entries`: so many of them are candidates, those that look best by their words and vectors.
    """

    text: str
    context: str = ""
    agent: str = ""
    thread_id: str = ""
    messages: bool = True
    memories: bool = True
    all_threads: bool = True
    results: bool = True
    hidden: bool = False
    where: Filter | None = None
    entries: int = 24


@dataclass(frozen=True, slots=True)
class Passage:
    """A piece of a message or an entry, as it is shown. `memory` is None for messages; `message_id` None for entries
    that come from none. `key` names it over all homes; a passage of another home (a shared Chroma) has `row` < 0.

    `outdated` are sentences of it that no longer hold: an entry made of them was superseded.
    """

    row: int
    key: str
    text: str
    speaker: str
    said_at: float
    session: str
    thread_id: str
    message_id: int | None
    part: int = 0
    memory: Memory | None = None
    outdated: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Found:
    """Candidates in no order. `degraded` says in words why there are no vectors; empty if there are."""

    question: Question
    candidates: Sequence[Candidate] = field(default=())
    degraded: str = ""


class MemorySearch(Protocol):
    """Of one tenant, fixed when it was opened. Raises Aborted and StorageError; what keeps vectors away (an embedder
    that fails, a Chroma server that is not there) is told in `degraded`, and the keyword search stands alone."""

    def find(self, search: Search, abort: AbortSignal) -> Found: ...

    def passages(self, rows: Sequence[int]) -> list[Passage]:
        """In the order of `rows`; those that are gone are left out."""
        ...


@dataclass(frozen=True, slots=True)
class Line:
    """Something that was said, with the name of who said it. `said_at` in epoch seconds; after six hours of silence a
    new session begins."""

    text: str
    speaker: str
    said_at: float
