"""A conversation: one thread, one model, and what a person can do with them."""

from __future__ import annotations

import contextlib
from collections.abc import Generator, Mapping, Sequence
from contextlib import AbstractContextManager
from dataclasses import dataclass

from localagent.abort import AbortSignal
from localagent.assembler import AssemblyInput, align, ring_start
from localagent.config import AgentConfig
from localagent.errors import ContextOverflow, LocalAgentError, UsageError
from localagent.events import PromptAssembled, RequestStored, TurnEvent
from localagent.longterm import LongTerm, MemoryNote
from localagent.memory.base import Ledger, StoredMessage, Thread
from localagent.messages import AttachmentPart, Message, user
from localagent.models.base import ChatModel
from localagent.recall import Recollection
from localagent.record import Block, PromptLog
from localagent.turn import Turn

# More prompts than any thread has.
ALL_RECORDS = 1_000_000
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
    """Not for use from two threads at once. `log` is None when prompts are not logged, `memory` when nothing is
    remembered. `memory_note` tells what memory did in the last turn."""

    def __init__(
        self,
        config: AgentConfig,
        model: ChatModel,
        ledger: Ledger,
        log: PromptLog | None,
        thread: Thread,
        *,
        memory: LongTerm | None = None,
    ) -> None:
        self._config = config
        self._ledger = ledger
        self._log = log
        self._memory = memory
        self.thread = thread
        self.memory_note = MemoryNote()
        self.use_model(model)

    @property
    def memory(self) -> LongTerm | None:
        """Long-term memory; None where nothing is remembered."""
        return self._memory

    def use_model(self, model: ChatModel) -> None:
        """From the next request on, another model answers. The thread stays. If this raises, so does the old model."""
        turn = Turn(self._config, model, self._ledger, self._log)
        meter = self._measure(turn, model)
        if self._memory is not None:
            self._memory.use_model(model)
        self._model, self._turn, self.meter = model, turn, meter

    def send(
        self, text: str, attachments: Sequence[AttachmentPart] = (), *, abort: AbortSignal
    ) -> Generator[TurnEvent]:
        """Store the request, ask the model, store the answer. Raises `LocalAgentError`; what had arrived is kept.

        A request that cannot fit the window stays in the ledger, but leaves the conversation.
        """
        if not text.strip() and not attachments:
            raise UsageError("the request is empty")
        yield from self._send(user(text, attachments), (), abort)

    def retry(self, *, abort: AbortSignal) -> Generator[TurnEvent]:
        """Ask the last request again. Its old answer is taken back once there is a new one, or the beginning of one;
        until then it stays. UsageError if nothing was asked."""
        messages = self._ledger.messages(self.thread.id, last=4 * CUT_MARGIN)
        asked = [position for position, stored in enumerate(messages) if stored.message.role == "user"]
        if not asked:
            raise UsageError("nothing to retry: this thread has no request yet")
        old = messages[asked[-1] :]
        yield from self._send(old[0].message, old, abort)

    def _send(self, request: Message, replaces: Sequence[StoredMessage], abort: AbortSignal) -> Generator[TurnEvent]:
        """`replaces` are the newest messages of the thread: not sent, and taken back if an answer comes."""
        self._refresh_thread()
        self.memory_note = MemoryNote()
        recent, index = self._recent(without=len(replaces))
        stored = self._ledger.append(self.thread.id, request)
        recollection, reached = Recollection(), frozenset[str]()
        # Until the turn has looked through its messages itself, and can tell what it wrote.
        with contextlib.ExitStack() as undisturbed:
            try:
                yield RequestStored(self.thread.id, stored.id)
                undisturbed.enter_context(self._undisturbed())
                recollection = self._recollect(stored, (*recent, *replaces), abort)
                given = self._input((stored,), recent, index, recollection)
                for event in self._turn.run(given, abort=abort):
                    if isinstance(event, PromptAssembled):
                        reached = frozenset(event.recalled)
                    yield event
            except ContextOverflow:
                self._ledger.take_back(stored)
                raise
            finally:
                # The turn's own error is what the user has to hear, not what goes wrong after it.
                with contextlib.suppress(LocalAgentError):
                    self._settle(stored, replaces)
                    if self._memory is not None:
                        self.memory_note = self._memory.settle(self.thread, stored.id, recollection, reached)
                    self._refresh()

    def _undisturbed(self) -> AbstractContextManager[None]:
        return self._memory.giving_way() if self._memory is not None else contextlib.nullcontext()

    def _recollect(self, request: StoredMessage, recent: Sequence[StoredMessage], abort: AbortSignal) -> Recollection:
        if self._memory is None:
            return Recollection()
        budget = self._turn.budget().prompt
        return self._memory.recollect(self.thread, request, recent, self._model.count_text, budget, abort)

    def _input(
        self,
        request: tuple[StoredMessage, ...],
        recent: Sequence[StoredMessage],
        index: int,
        recollection: Recollection,
    ) -> AssemblyInput:
        return AssemblyInput(
            self._config.instructions,
            request,
            tuple(recent),
            index,
            recalled=recollection.recalled,
            traces=recollection.traces,
            recall_note=recollection.degraded,
        )

    def _settle(self, request: StoredMessage, replaces: Sequence[StoredMessage]) -> None:
        """Of an exchange and its repetition, one stays."""
        if not replaces:
            return
        newest = self._ledger.messages(self.thread.id, last=1)
        answered = bool(newest) and newest[0].id > request.id
        for message in replaces if answered else (request,):
            self._ledger.take_back(message)

    def undo(self) -> str:
        """Take the last request and its answer back; returns the request's text, empty if there was none."""
        taken = self._ledger.undo(self.thread.id)
        if self._memory is not None:
            self._memory.taken_back()
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
        self._refresh_thread()
        recent, older = self._recent()
        assembled = self._turn.assemble(AssemblyInput(self._config.instructions, (), tuple(recent), older))
        info = self._model.describe()
        return ContextView(
            blocks=assembled.blocks,
            tokens=assembled.tokens,
            window=info.window,
            reserve=assembled.budget.reserve,
            budget=assembled.budget.prompt,
            exact=info.exact,
            not_sent=older + len(assembled.dropped),
            cached_tokens=_cached(self.last_prompt()),
        )

    def recorded(self) -> tuple[Sequence[Mapping[str, object]], Sequence[Mapping[str, object]]]:
        """Every prompt record of this thread with its outcome, and its compressions, oldest first."""
        if self._log is None:
            return (), ()
        return self._log.list(self.thread.id, ALL_RECORDS)[::-1], self._log.compressions(self.thread.id)

    def last_prompt(self) -> Mapping[str, object] | None:
        """The newest prompt record of this thread with its outcome; None if there is none."""
        records = self._log.list(self.thread.id, 1) if self._log is not None else ()
        return records[0] if records else None

    def _recent(self, *, without: int = 0) -> tuple[Sequence[StoredMessage], int]:
        """The ring, and how many older messages the thread has; as if the newest `without` were not there."""
        policy = self._config.context_policy
        count = self.thread.messages - without
        start = ring_start(count, policy.recent_keep, policy.recent_slack)
        first = max(0, start - CUT_MARGIN)
        messages = self._ledger.messages(self.thread.id, last=count + without - first)[: count - first]
        cut = align(messages, start - first)
        return messages[cut:], first + cut

    def _refresh(self) -> None:
        """Bring the thread's row and the meter up to date."""
        self._refresh_thread()
        self.meter = self._measure(self._turn, self._model)

    def _measure(self, turn: Turn, model: ChatModel) -> Meter:
        recent, older = self._recent()
        try:
            used = turn.assemble(AssemblyInput(self._config.instructions, (), tuple(recent), older)).tokens
        except ContextOverflow as error:  # the system text alone is too long; the next request will say so
            used = error.needed
        info = model.describe()
        return Meter(used, info.window, info.exact, info.name)

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
