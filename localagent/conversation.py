"""A conversation: one thread, one model, and what a person can do with them."""

from __future__ import annotations

import contextlib
from collections.abc import Generator, Mapping, Sequence
from dataclasses import dataclass

from localagent.abort import AbortSignal
from localagent.assembler import Assembled, AssemblyInput, align, ring_start
from localagent.config import AgentConfig
from localagent.errors import ContextOverflow, LocalAgentError, UsageError
from localagent.events import RequestStored, TurnEvent
from localagent.memory.base import Ledger, StoredMessage, Thread
from localagent.messages import AttachmentPart, user
from localagent.models.base import ChatModel
from localagent.record import Block, Dropped, PromptLog
from localagent.turn import Turn

# Messages read beyond the ring, so that a cut between a tool call and its results can move back to the call.
CUT_MARGIN = 64


@dataclass(frozen=True, slots=True)
class Meter:
    """How full the window is: tokens that the next request finds already there, of the window less the reserve."""

    used: int
    window: int
    exact: bool
    model: str


@dataclass(frozen=True, slots=True)
class ContextView:
    """What would be sent now, before the next request."""

    blocks: tuple[Block, ...]
    tokens: int
    window: int
    reserve: int
    budget: int
    exact: bool
    not_sent: int
    cached_tokens: int | None


class Conversation:
    """Not for use from two threads at once. `log` is None when prompts are not logged."""

    def __init__(
        self, config: AgentConfig, model: ChatModel, ledger: Ledger, log: PromptLog | None, thread: Thread
    ) -> None:
        self._config = config
        self._ledger = ledger
        self._log = log
        self.thread = thread
        self.use_model(model)

    def use_model(self, model: ChatModel) -> None:
        """From the next request on, another model answers. The thread stays."""
        self._model = model
        self._turn = Turn(self._config, model, self._ledger, self._log)
        self._refresh()

    def send(
        self, text: str, attachments: Sequence[AttachmentPart] = (), *, abort: AbortSignal
    ) -> Generator[TurnEvent]:
        """Store the request, ask the model, store the answer. Raises `LocalAgentError`; what had arrived is kept.

        A request that can not fit the window stays in the ledger, but leaves the conversation.
        """
        if not text.strip() and not attachments:
            raise UsageError("the request is empty")
        self._refresh_thread()
        recent, index, left_out = self._recent()
        stored = self._ledger.append(self.thread.id, user(text, attachments))
        given = AssemblyInput(self._config.instructions, (stored,), tuple(recent), index)
        try:
            yield RequestStored(self.thread.id, stored.id)
            yield from self._turn.run(given, abort=abort, left_out=left_out)
        except ContextOverflow:
            self._ledger.take_back(stored)
            raise
        finally:
            # The turn's own error is what the user has to hear, not that the meter could not be read after it.
            with contextlib.suppress(LocalAgentError):
                self._refresh()

    def retry(self, *, abort: AbortSignal) -> Generator[TurnEvent]:
        """Take the last answer back, if there is one, and ask the same again. UsageError if nothing was asked."""
        taken = self._ledger.undo(self.thread.id)
        if not taken:
            raise UsageError("nothing to retry: this thread has no request yet")
        request = taken[0].message
        yield from self.send(request.text, request.attachments, abort=abort)

    def undo(self) -> str:
        """Take the last request and its answer back; returns the request's text, empty if there was none."""
        taken = self._ledger.undo(self.thread.id)
        self._refresh()
        return taken[0].message.text if taken else ""

    def open_thread(self, thread: Thread) -> None:
        """Go on in another thread of the same agent."""
        self.thread = thread
        self._refresh()

    def new_thread(self, name: str = "") -> None:
        """Go on in an empty thread; the old one stays where it is."""
        self.open_thread(self._ledger.create_thread(self._config.name, name))

    def history(self) -> list[StoredMessage]:
        """Every message of the thread that was not taken back."""
        return self._ledger.messages(self.thread.id)

    def context(self) -> ContextView:
        """What stands before the next request."""
        assembled, ring_drops = self._assemble()
        info = self._model.describe()
        record = self.last_prompt()
        return ContextView(
            blocks=assembled.blocks,
            tokens=assembled.tokens,
            window=info.window,
            reserve=assembled.budget.reserve,
            budget=assembled.budget.prompt,
            exact=info.exact,
            not_sent=ring_drops + len(assembled.dropped),
            cached_tokens=_cached(record),
        )

    def last_prompt(self) -> Mapping[str, object] | None:
        """The newest prompt record of this thread with its outcome; None if there is none."""
        records = self._log.list(self.thread.id, 1) if self._log is not None else ()
        return records[0] if records else None

    def _recent(self) -> tuple[Sequence[StoredMessage], int, tuple[Dropped, ...]]:
        """The ring, the position of its first message in the thread, and those just before it that are not sent."""
        policy = self._config.context_policy
        count = self.thread.messages
        start = ring_start(count, policy.recent_keep, policy.recent_slack)
        first = max(0, start - CUT_MARGIN)
        messages = self._ledger.messages(self.thread.id, last=count - first)
        cut = align(messages, start - first)
        return messages[cut:], first + cut, tuple(Dropped(m.id, "ring", 0) for m in messages[:cut])

    def _assemble(self) -> tuple[Assembled, int]:
        recent, index, _ = self._recent()
        return self._turn.assemble(AssemblyInput(self._config.instructions, (), tuple(recent), index)), index

    def _refresh(self) -> None:
        """Bring the thread's row and the meter up to date."""
        self._refresh_thread()
        try:
            used = self._assemble()[0].tokens
        except ContextOverflow as error:  # the system text alone is too long; the next request will say so
            used = error.needed
        info = self._model.describe()
        self.meter = Meter(used, info.window, info.exact, info.name)

    def _refresh_thread(self) -> None:
        """Another process may have written to it, or deleted it."""
        thread = self._ledger.thread(self.thread.id)
        if thread is None:
            raise UsageError(
                f"the thread {self.thread.name or self.thread.id} was deleted", hint="Start a new one: /new"
            )
        self.thread = thread


def _cached(record: Mapping[str, object] | None) -> int | None:
    outcome = record.get("outcome") if record else None
    usage = outcome.get("usage") if isinstance(outcome, Mapping) else None
    cached = usage.get("cached_tokens") if isinstance(usage, Mapping) else None
    return cached if isinstance(cached, int) else None
