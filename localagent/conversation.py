"""A conversation: one thread, one model, and what a person can do with them."""

from __future__ import annotations

import contextlib
from collections.abc import Callable, Generator, Mapping, Sequence
from contextlib import AbstractContextManager
from dataclasses import dataclass

from localagent.abort import AbortSignal
from localagent.assembler import AssemblyInput, Recalled, SummaryLine, align, ring_start
from localagent.compression import Compressor
from localagent.config import AgentConfig
from localagent.errors import ContextOverflow, LocalAgentError, UsageError
from localagent.events import Notice, PromptAssembled, RequestStored, TurnEvent
from localagent.fitting import Fitted
from localagent.longterm import LongTerm, MemoryNote
from localagent.memory.base import Ledger, StoredMessage, Thread
from localagent.messages import AttachmentPart, Message, TextPart, user
from localagent.model_call import CacheShare
from localagent.models.base import ChatModel
from localagent.recall import Recollection
from localagent.record import Block, PromptLog, ToolsBy
from localagent.summary import Summary, line
from localagent.turn import Acting, Turn

# More prompts than any thread has.
ALL_RECORDS = 1_000_000
# Messages read beyond the ring, so that a cut between a tool call and its results can move back to the call.
CUT_MARGIN = 64


@dataclass(frozen=True, slots=True)
class Meter:
    """How full the window is: tokens that the next request finds already there, of the window less the reserve.
    `cached`: how much of the last prompt the model still knew."""

    used: int
    window: int
    exact: bool
    model: str
    cached: CacheShare | None = None


@dataclass(frozen=True, slots=True)
class ContextView:
    """What would be sent now, before the next request. `summarised` older messages stand in the summary of that
    version (0: there is none); `not_sent` are in no part of it. `recalled` is what it quotes of memory."""

    blocks: tuple[Block, ...]
    tokens: int
    window: int
    reserve: int
    budget: int
    exact: bool
    summarised: int
    summary_version: int
    not_sent: int
    cached: CacheShare | None
    tool_tokens: int = 0
    recalled: tuple[Recalled, ...] = ()


@dataclass(frozen=True, slots=True)
class _Before:
    """What stands before a request: the ring, the position of its first message in the thread, and the summary."""

    recent: Sequence[StoredMessage]
    index: int
    summary: Summary | None = None


class Conversation:
    """Not for use from two threads at once. `log` is None when prompts are not logged, `memory` when nothing is
    remembered, `compressor` when nothing is summarised: then the ring is cut by the number of its messages alone.
    `memory_note` tells what memory did in the last turn. `watch` is told what agents do that are asked in a turn."""

    def __init__(
        self,
        config: AgentConfig,
        model: ChatModel,
        ledger: Ledger,
        log: PromptLog | None,
        thread: Thread,
        *,
        memory: LongTerm | None = None,
        compressor: Compressor | None = None,
    ) -> None:
        self.config = config
        self._ledger = ledger
        self._log = log
        self._memory = memory
        self._compressor = compressor
        self.thread = thread
        self.memory_note = MemoryNote()
        self.acting = Acting()
        self.watch: Callable[[TurnEvent], None] = lambda event: None
        self._last_recalled: tuple[Recalled, ...] = ()  # in the last prompt of this thread, but for what always is
        self.use_model(model)

    @property
    def memory(self) -> LongTerm | None:
        """Long-term memory; None where nothing is remembered."""
        return self._memory

    def use_model(self, model: ChatModel) -> None:
        """From the next request on, another model answers. The thread stays. If this raises, so does the old model."""
        turn = Turn(self.config, model, self._ledger, self._log, self.acting)
        meter = self._measure(turn, model)
        if self._memory is not None:
            self._memory.use_model(model)
        if self._compressor is not None:
            self._compressor.use_model(model)
        self.model, self._turn, self.meter = model, turn, meter

    def act(self, acting: Acting) -> None:
        """From the next request on, with these tools and mechanisms. Raises what is wrong with them."""
        before, self.acting = self.acting, acting
        try:
            self.use_model(self.model)
        except LocalAgentError:
            self.acting = before
            raise

    def prepare(self, abort: AbortSignal) -> None:
        """Wait until it is known what tools there are, which servers that do not answer can delay. Raises Aborted."""
        self.acting.prepare(abort)

    def close(self) -> None:
        """End what its tools have started. May be called twice."""
        self.acting.close()

    def tools(self) -> tuple[Fitted, ToolsBy]:
        """The agent's tools that this model is told of, those for which there is no room, and how it is told."""
        return self._turn.tools(), self._turn.offer().by

    def count(self, text: str) -> int:
        """Tokens of a text, as the model of now counts."""
        return self.model.count_text(text)

    def send(
        self, text: str | Sequence[TextPart], attachments: Sequence[AttachmentPart] = (), *, abort: AbortSignal
    ) -> Generator[TurnEvent]:
        """Store the request, ask the model, store the answer. Raises `LocalAgentError`; what had arrived is kept.

        A request that cannot fit the window stays in the ledger, but leaves the conversation.
        """
        if not (request := user(text, attachments)).text.strip() and not attachments:
            raise UsageError("the request is empty")
        yield from self._send(request, (), abort)

    def retry(self, *, abort: AbortSignal) -> Generator[TurnEvent]:
        """Ask the last request again. Its old answer is taken back once there is a new one, or the beginning of one;
        until then it stays. UsageError if nothing was asked."""
        for last in (4 * CUT_MARGIN, None):  # a turn with many calls is longer
            messages = self._ledger.messages(self.thread.id, last=last)
            asked = [position for position, stored in enumerate(messages) if stored.message.role == "user"]
            if asked:
                break
        else:
            raise UsageError("nothing to retry: this thread has no request yet")
        old = messages[asked[-1] :]
        yield from self._send(old[0].message, old, abort)

    def _send(self, request: Message, replaces: Sequence[StoredMessage], abort: AbortSignal) -> Generator[TurnEvent]:
        """`replaces` are the newest messages of the thread: not sent, and taken back if an answer comes."""
        self._refresh_thread()
        self.memory_note = MemoryNote()
        stored = self._ledger.append(self.thread.id, request)
        recollection, reached = Recollection(), frozenset[str]()
        # Until the turn has looked through its messages itself, and can tell what it wrote.
        with contextlib.ExitStack() as undisturbed:
            try:
                yield RequestStored(self.thread.id, stored.id)
                undisturbed.enter_context(self._undisturbed())
                self.prepare(abort)
                before = self._make_room(stored, replaces)
                yield from self._noted()
                recollection = self._recollect(stored, before, replaces, abort)
                for event in self._turn.run(self._input((stored,), before, recollection), abort=abort):
                    if isinstance(event, PromptAssembled):
                        reached = frozenset(event.recalled)
                        self._last_recalled = tuple(
                            item for item in recollection.recalled if item.id in reached and not item.pinned
                        )
                    yield event
            except ContextOverflow:
                self._ledger.take_back(stored)
                raise
            finally:
                # The turn's own error is what the user has to hear, not what goes wrong after it.
                with contextlib.suppress(LocalAgentError):
                    self._settle(stored, replaces)
                    if self._compressor is not None:
                        self._compressor.after_turn(self.thread, stored)
                    if self._memory is not None:
                        self.memory_note = self._memory.settle(self.thread, stored.id, recollection, reached)
                    self._refresh()
        yield from self._noted()

    def _noted(self) -> Generator[TurnEvent]:
        for text in self._compressor.notes() if self._compressor is not None else ():
            yield Notice(text)

    def _undisturbed(self) -> AbstractContextManager[None]:
        return self._memory.giving_way() if self._memory is not None else contextlib.nullcontext()

    def _make_room(self, request: StoredMessage, replaces: Sequence[StoredMessage]) -> _Before:
        """What goes before the request. Where it would not fit, older messages are summarised now."""
        first = replaces[0].id if replaces else request.id
        if self._compressor is None:
            return self._before(first)
        before = self._before(first)
        budget = self._turn.budget().prompt
        summary = before.summary.tokens if before.summary is not None else 0
        recalled = 0
        if self._memory is not None:
            memory = self.config.memory
            recalled = min(memory.message_tokens, budget // 5) + min(memory.preference_tokens, budget // 5)
        count = self.model.count_text
        fixed = count(self.config.instructions) + sum(count(part.text) for part in request.message.attachments)
        self._compressor.stand_in(self.thread, budget - fixed - count(request.message.text) - summary - recalled)
        return self._before(first)

    def _recollect(
        self, request: StoredMessage, before: _Before, replaces: Sequence[StoredMessage], abort: AbortSignal
    ) -> Recollection:
        if self._memory is None:
            return Recollection()
        recent, budget = (*before.recent, *replaces), self._turn.budget().prompt
        summary = _summary_lines(before.summary)
        return self._memory.recollect(self.thread, request, recent, self.model.count_text, budget, abort, summary)

    def _input(
        self, request: tuple[StoredMessage, ...], before: _Before, recollection: Recollection | None = None
    ) -> AssemblyInput:
        recollection = recollection or Recollection()
        summary = before.summary
        return AssemblyInput(
            self.config.instructions,
            request,
            tuple(before.recent),
            before.index,
            summary=_summary_lines(summary),
            summary_version=summary.version if summary else 0,
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
        self._last_recalled = ()
        if self._memory is not None:
            self._memory.taken_back()
        self._refresh()
        return taken[0].message.text if taken else ""

    def open_thread(self, thread: Thread) -> None:
        """Go on in another thread of the same agent."""
        self.thread = thread
        self._last_recalled = ()
        self._refresh()

    def new_thread(self, name: str = "") -> None:
        """Go on in an empty thread; the old one stays, unless it has no name and nothing was ever said in it."""
        old = self.thread
        self.open_thread(self._ledger.create_thread(self.config.name, name))
        if not old.name and not self._ledger.messages(old.id, last=1, undone=True):
            self._ledger.delete_thread(old.id)

    def history(self) -> list[StoredMessage]:
        """Every message of the thread that was not taken back."""
        return self._ledger.messages(self.thread.id)

    def context(self) -> ContextView:
        """What stands before the next request: of memory, the wishes of now and what else the last prompt recalled."""
        self._refresh_thread()
        before = self._before()
        expected = self._expected(self._turn, self.model)
        assembled = self._turn.assemble(self._input((), before, expected))
        info, summary = self.model.describe(), before.summary
        return ContextView(
            blocks=assembled.blocks,
            tokens=assembled.tokens,
            window=info.window,
            reserve=assembled.budget.reserve,
            budget=assembled.budget.prompt,
            exact=info.exact,
            summarised=summary.messages if summary else 0,
            summary_version=summary.version if summary else 0,
            not_sent=before.index - (summary.messages if summary else 0) + len(assembled.dropped),
            cached=self._turn.cached(self.thread.id),
            tool_tokens=assembled.budget.tool_tokens,
            recalled=tuple(item for item in expected.recalled if item.id not in assembled.dropped_memories),
        )

    def summary(self) -> Summary | None:
        """What older messages of the thread are shortened to; None if there is none."""
        return self._compressor.current(self.thread.id) if self._compressor is not None else None

    def compact(self, *, abort: AbortSignal) -> Generator[TurnEvent]:
        """Summarise now, all but the newest exchange; the model is waited for. A notice tells what came of it."""
        compressor = self._compressing()
        self._refresh_thread()
        with self._undisturbed():
            compressor.compact(self.thread, abort)
        self._refresh()
        yield from self._noted()

    def roll_back_summary(self) -> Summary | None:
        """The summary becomes what it was before its last change; returns the version that went, None without one."""
        gone = self._compressing().roll_back(self.thread)
        self._refresh()
        return gone

    def _compressing(self) -> Compressor:
        if self._compressor is None:
            raise UsageError(
                "older messages are not summarised",
                hint="Set context_policy.summarizer to auto or rules in agent.yaml.",
            )
        return self._compressor

    def recorded(self) -> tuple[Sequence[Mapping[str, object]], Sequence[Mapping[str, object]]]:
        """Every prompt record of this thread with its outcome, and its compressions, oldest first."""
        if self._log is None:
            return (), ()
        return self._log.list(self.thread.id, ALL_RECORDS)[::-1], self._log.compressions(self.thread.id)

    def last_prompt(self) -> Mapping[str, object] | None:
        """The newest prompt record of this thread with its outcome; None if there is none."""
        records = self._log.list(self.thread.id, 1) if self._log is not None else ()
        return records[0] if records else None

    def _before(self, first: int | None = None) -> _Before:
        """What stands before the message with the id `first`, or before the next one."""
        if self._compressor is None:
            return self._by_count(first)
        summary = self._compressor.current(self.thread.id, first)
        ring = self._ledger.messages(self.thread.id, after=summary.covers_to if summary else 0)
        recent = [stored for stored in ring if first is None or stored.id < first]
        return _Before(recent, summary.messages if summary else 0, summary)

    def _by_count(self, first: int | None) -> _Before:
        """Without a summary the ring is cut by the number of its messages."""
        policy = self.config.context_policy
        newer = len(self._ledger.messages(self.thread.id, after=first - 1)) if first is not None else 0
        thread = self._ledger.thread(self.thread.id)
        count = (thread.messages if thread is not None else 0) - newer
        start = ring_start(count, policy.recent_keep, policy.recent_slack)
        margin = max(0, start - CUT_MARGIN)
        messages = self._ledger.messages(self.thread.id, last=count + newer - margin)[: count - margin]
        cut = align(messages, start - margin)
        return _Before(messages[cut:], margin + cut)

    def _refresh(self) -> None:
        """Bring the thread's row and the meter up to date."""
        self._refresh_thread()
        self.meter = self._measure(self._turn, self.model)

    def _measure(self, turn: Turn, model: ChatModel) -> Meter:
        try:
            assembled = turn.assemble(self._input((), self._before(), self._expected(turn, model)))
            used = assembled.tokens + assembled.budget.tool_tokens
        except ContextOverflow as error:  # the system text alone is too long; the next request will say so
            used = error.needed
        info = model.describe()
        return Meter(used, info.window, info.exact, info.name, turn.cached(self.thread.id))

    def _expected(self, turn: Turn, model: ChatModel) -> Recollection:
        """What the next prompt recalls, as far as that is known before the request."""
        if self._memory is None:
            return Recollection()
        standing = self._memory.standing(self.thread, model.count_text, turn.budget().prompt)
        return Recollection(recalled=(*standing, *self._last_recalled))

    def _refresh_thread(self) -> None:
        """Another process may have written to it, or deleted it."""
        thread = self._ledger.thread(self.thread.id)
        if thread is None:
            name = self.thread.name or self.thread.id
            raise UsageError(f"the thread {name} was deleted", hint="Start a new one: /new")
        self.thread = thread


def _summary_lines(summary: Summary | None) -> tuple[SummaryLine, ...]:
    return tuple(SummaryLine(line(item), item.weight) for item in summary.items) if summary is not None else ()
