"""The contract of the ledger: the only source of truth for threads and messages."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal, Protocol, TypeAlias

from localagent.messages import Message, Role

# complete     an ordinary message
# interrupted  the user stopped the answer; what was there is kept
# incomplete   the model or its server stopped in the middle
# undone       taken back by /undo or /retry: kept, never sent again
Status: TypeAlias = Literal["complete", "interrupted", "incomplete", "undone"]


@dataclass(frozen=True, slots=True)
class Thread:
    """`name` is unique within an agent and tenant, or empty. `title` is the start of the first request.

    Times are epoch seconds. `messages` counts those not taken back.
    """

    id: str
    agent: str
    name: str
    title: str
    created_at: float
    updated_at: float
    messages: int


@dataclass(frozen=True, slots=True)
class StoredMessage:
    """`id` grows over the whole ledger, so it also orders a thread. `remembered`: memory was on when it was said;
    otherwise it counts in its thread alone, and nothing is ever made of it."""

    id: int
    thread_id: str
    message: Message
    status: Status
    created_at: float
    model: str = ""
    remembered: bool = True


@dataclass(frozen=True, slots=True)
class Words:
    """What a message says, by whom."""

    message_id: int
    role: Role
    text: str


class Ledger(Protocol):
    """Every write is durable when the method returns. Raises `StorageError` only."""

    def create_thread(self, agent: str, name: str = "", *, tenant: str = "default") -> Thread:
        """`tenant`: whose long-term memory the thread belongs to."""
        ...

    def thread(self, thread_id: str) -> Thread | None:
        """By its whole id."""
        ...

    def find_thread(self, agent: str, key: str) -> Thread | None:
        """By name, else by id or an unambiguous beginning of it (`UsageError` if several fit)."""
        ...

    def last_thread(self, agent: str) -> Thread | None:
        """The one written to last, of those that have messages."""
        ...

    def threads(self, agent: str | None = None) -> list[Thread]:
        """Newest first; of all agents when `agent` is None."""
        ...

    def rename_thread(self, thread_id: str, name: str) -> None:
        """Raises `UsageError` when another thread of the agent and tenant has that name."""
        ...

    def delete_thread(self, thread_id: str) -> None: ...

    def append(
        self, thread_id: str, message: Message, *, status: Status = "complete", model: str = ""
    ) -> StoredMessage: ...

    def revise(self, stored: StoredMessage, message: Message, status: Status) -> StoredMessage:
        """Put more of an answer that is still arriving in the place of what was there of it."""
        ...

    def messages(
        self, thread_id: str, *, last: int | None = None, after: int = 0, undone: bool = False
    ) -> list[StoredMessage]:
        """In order; only those with an id above `after`, and only the newest `last` of them if given (both
        cheap however long the thread is); those taken back only if `undone`."""
        ...

    def undo(self, thread_id: str) -> Sequence[StoredMessage]:
        """Take back the last user message and all that followed it; returns them (empty if there was none)."""
        ...

    def take_back(self, message: StoredMessage) -> None:
        """This message alone, whatever another program has written after it. Once taken back it stays so."""
        ...

    def close(self) -> None: ...
