"""The contract of long-term memory: entries, and what may be done with them. The ledger is their only truth."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Protocol, TypeAlias

from localagent.memory.base import Words
from localagent.memory.filters import Filter
from localagent.memory.kinds import DECAY as DECAY
from localagent.memory.kinds import EVERYWHERE as EVERYWHERE
from localagent.memory.kinds import IMPORTANCE as IMPORTANCE
from localagent.memory.kinds import NEWS as NEWS
from localagent.memory.kinds import Kind as Kind
from localagent.memory.kinds import Origin as Origin
from localagent.memory.kinds import Scope as Scope
from localagent.memory.kinds import State as State
from localagent.memory.kinds import Subject as Subject


@dataclass(frozen=True, slots=True)
class NewMemory:
    """What is to be remembered. `importance` and `emotion` 0-1; `importance` and `decay_rate` None: the kind's own.

    `evidence` is the passage it was made of, in the speaker's words; `source` names a file's piece (`notes.md#3`).
    `due_at` (epoch seconds) is when an appointment or task falls due.
    """

    kind: Kind
    text: str
    origin: Origin = "user"
    scope: Scope = "agent"
    subject: Subject = "user"
    agent: str = ""
    thread_id: str = ""
    message_id: int | None = None
    evidence: str = ""
    source: str = ""
    importance: float | None = None
    decay_rate: float | None = None
    emotion: float = 0.0
    pinned: bool = False
    due_at: float | None = None


@dataclass(frozen=True, slots=True)
class Memory:
    """An entry as the ledger has it. Times are epoch seconds, `decay_rate` is per day.

    `valid_from` to `valid_to` is when it held (None: still). `access_count` counts how often it reached a prompt or
    was said again, `accessed_at` is when it did last, or was edited or restored; `association_count` counts together
    with how many others it reached a prompt. Of a document's piece `evidence` is the path of the file.
    """

    id: str
    kind: Kind
    text: str
    origin: Origin
    scope: Scope
    subject: Subject
    agent: str
    thread_id: str
    message_id: int | None
    evidence: str
    source: str
    importance: float
    decay_rate: float
    emotion: float
    pinned: bool
    due_at: float | None
    state: State
    superseded_by: str
    created_at: float
    valid_from: float
    valid_to: float | None
    accessed_at: float
    access_count: int
    association_count: int

    def counts_in(self, thread_id: str, agent: str) -> bool:
        """Whether its scope takes in that thread of that agent."""
        if self.scope == "thread":
            return self.thread_id == thread_id
        return self.scope == "all" or self.agent == agent


@dataclass(frozen=True, slots=True)
class Add:
    """`in_part`: entries of which it corrects a part; they count beside it."""

    new: NewMemory
    in_part: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Strengthen:
    """It was said again: the entry counts as just used, and its importance is at least that of the repetition."""

    memory_id: str
    importance: float = 0.0


@dataclass(frozen=True, slots=True)
class Supersede:
    """`new` takes the place of `memory_id`, and of the entries `also`; they are kept with the time they ceased to
    hold. `in_part`: entries of which it corrects a part; they count beside it."""

    memory_id: str
    new: NewMemory
    also: tuple[str, ...] = ()
    in_part: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class PutAway:
    """The user asked to forget it: archived until it is restored or the message that asked is taken back, and what it
    was made of is left out of recalled messages, as is `asked`, the words that asked, and `said`: passages of messages
    that say the same."""

    memory_id: str
    asked: str = ""
    said: tuple[tuple[int, str], ...] = ()


@dataclass(frozen=True, slots=True)
class TakePlace:
    """Of two active entries, `newer_id` takes the place of `memory_id`, which is kept with the time it ceased to hold,
    until it is restored or the message that says so is taken back. `asked`: its words; they are not recalled."""

    memory_id: str
    newer_id: str
    asked: str = ""


Change: TypeAlias = Add | Strengthen | Supersede | PutAway | TakePlace


class Memories(Protocol):
    """The entries of one tenant, fixed when this was opened: no argument reaches another's.

    Every write is durable when the method returns, searchable by its words at once, and queued for its vector in the
    same transaction. Raises StorageError; UsageError for an id that is not there or fits several entries.
    """

    @property
    def tenant(self) -> str: ...

    def write(
        self,
        changes: Sequence[Change],
        *,
        read: int | None = None,
        unsaid: Sequence[tuple[int, str]] = (),
        again: Sequence[tuple[str, str]] = (),
    ) -> list[Memory]:
        """All or nothing; the entries as they are then. `read`: the message these came from has been looked through
        (also with no changes); if another process said so before, nothing is written and the result is empty.
        `unsaid`: passages of messages that are not recalled, unless that message is taken back; `again`: those that
        say what was put away, with the id of that entry, until it is restored."""
        ...

    def get(self, key: str) -> Memory:
        """By its id or an unambiguous beginning of it (4 characters or more)."""
        ...

    def select(
        self,
        where: Filter | None = None,
        *,
        states: Sequence[State] = ("active",),
        pinned: bool | None = None,
        limit: int | None = None,
    ) -> list[Memory]:
        """Newest first; `pinned`: only those that are, or are not."""
        ...

    def alike(self, text: str, kinds: Iterable[Kind], *, limit: int = 10) -> list[Memory]:
        """Active entries of these kinds that share the most words with `text`, best first."""
        ...

    def edit(
        self,
        memory_id: str,
        *,
        text: str | None = None,
        kind: Kind | None = None,
        scope: Scope | None = None,
        importance: float | None = None,
        said: Sequence[tuple[int, str]] = (),
    ) -> Memory:
        """`said`: passages of messages that say the same as the text before. Where that is another one now, these and
        the clause that the entry was made of are not recalled any more."""
        ...

    def pin(self, memory_id: str, pinned: bool = True) -> Memory: ...

    def archive(self, memory_ids: Iterable[str]) -> int:
        """How many were active before."""
        ...

    def restore(self, memory_id: str, *, both: bool = False) -> Memory:
        """An archived or superseded entry counts again; what had superseded it is archived, or stays with `both`. Of an
        active one nothing corrects a part any more."""
        ...

    def said_alike(self, text: str, *, limit: int = 10) -> list[Words]:
        """Messages that share the most words with `text`, best first; before them those that are not indexed yet."""
        ...

    def corrections(self, memory_ids: Iterable[str]) -> dict[str, list[str]]:
        """What corrects a part of each of these entries, in its words, the oldest first."""
        ...

    def hidden_in(self, message_id: int) -> list[str]:
        """Clauses of a message that are not recalled, because what they say was forgotten."""
        ...

    def put_away(self, *, limit: int | None = None) -> list[Memory]:
        """Entries that are archived because the user asked to forget them, the newest first."""
        ...

    def forget(self, memory_ids: Iterable[str], *, said: Sequence[tuple[int, str]] = ()) -> int:
        """For good; nothing of them stays in the file but in messages. `said`: passages of messages that say the same,
        and are not recalled any more."""
        ...

    def chain(self, memory_id: str) -> list[Memory]:
        """What it superseded and what superseded it, the oldest first, itself among them."""
        ...

    def reinforce(self, memory_ids: Sequence[str]) -> None:
        """They reached a prompt together: once each."""
        ...

    def unread(self, limit: int = 100) -> list[int]:
        """Ids of messages that nobody has looked through for memories, oldest first."""
        ...
