"""One call of the model: the prompt is assembled, recorded and sent; what comes back is stored as it comes."""

from __future__ import annotations

import contextlib
import time
from collections.abc import Generator, Iterator, Sequence
from dataclasses import dataclass, field, replace

from localagent.abort import AbortSignal
from localagent.assembler import Assembled, AssemblyInput
from localagent.config import AgentConfig
from localagent.errors import ContextOverflow, Interrupted, LocalAgentError, StorageError
from localagent.events import (
    ModelEvent,
    ModelFinished,
    Notice,
    PromptAssembled,
    TextDelta,
    ThinkingDelta,
    ToolCallReady,
    TurnEvent,
    Usage,
)
from localagent.loop import Nothing, Said, ended_by, sort_reply
from localagent.memory.base import Ledger, Status, StoredMessage
from localagent.messages import JsonObject, Message, ToolCallPart, assistant, user
from localagent.models.base import ChatModel, ModelInfo
from localagent.offering import NOTHING, Offer, read_constrained
from localagent.prompting import Prompts, Step, record_of
from localagent.record import PromptLog, PromptOutcome, PromptRecord
from localagent.wire import common_start, part_text

# How often (seconds) an answer that is arriving is stored: what a killed program loses of it at most.
CHECKPOINT_S = 1.0
# Reported prompt tokens this far (relative) below an exact count are a silent cut; templates explain less than that.
CUT_TOLERANCE = 0.05


@dataclass
class Reply:
    """What has arrived of a reply so far, and when (seconds since `started`, a monotonic clock). `stored`: its text in
    the ledger, once there is any; without calls, which nobody has answered yet."""

    started: float
    record_id: str = ""
    text: list[str] = field(default_factory=list)
    thinking: list[str] = field(default_factory=list)
    calls: list[ToolCallPart] = field(default_factory=list)
    finished: ModelFinished | None = None
    first_token_s: float | None = None
    stored: StoredMessage | None = None
    stored_at: float = 0.0

    def take(self, event: ModelEvent) -> None:
        if self.first_token_s is None and isinstance(event, TextDelta | ThinkingDelta | ToolCallReady):
            self.first_token_s = time.monotonic() - self.started
        match event:
            case TextDelta():
                self.text.append(event.text)
            case ThinkingDelta():
                self.thinking.append(event.text)
            case ToolCallReady():
                self.calls.append(event.call)
            case ModelFinished():
                self.finished = event

    @property
    def empty(self) -> bool:
        return not "".join(self.text).strip()

    def said(self) -> Said:
        reason = self.finished.reason if self.finished is not None else None
        return Said("".join(self.text), "".join(self.thinking), self.calls, reason)


@dataclass(frozen=True)
class _Call:
    """One model call: what is known before it."""

    record: PromptRecord
    info: ModelInfo
    sent: tuple[Message, ...]
    step: Step
    assemble_s: float
    recalled: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class CacheShare:
    """The part of a prompt (0-1) that the model still knew. `exact`: the server's own count; else the part with which
    the prompt before it began too."""

    share: float
    exact: bool

    def __str__(self) -> str:
        return f"{'' if self.exact else '~'}{self.share * 100:.0f} %"


class ModelCalls:
    """Calls of one agent's model. `log` is None when prompts are not logged."""

    def __init__(self, config: AgentConfig, model: ChatModel, ledger: Ledger, log: PromptLog | None) -> None:
        self._config = config
        self._model = model
        self._ledger = ledger
        self._log = log
        self.prompts = Prompts(config, model)
        self._before: tuple[str, tuple[Message, ...]] | None = None
        self._cached: tuple[str, CacheShare | None] = ("", None)

    def cached(self, thread_id: str) -> CacheShare | None:
        """Of the last prompt; None where nobody can tell, and after another thread's."""
        return self._cached[1] if self._cached[0] == thread_id else None

    def call(self, given: AssemblyInput, step: Step, abort: AbortSignal) -> Generator[TurnEvent, None, Reply]:
        """Ask the model. The reply is one that leads on: else its fault is raised. What has arrived when the call is
        aborted or breaks off is stored before the error leaves."""
        started = time.monotonic()
        assembled = self.prompts.assemble(given, step.offer)
        try:
            return (yield from self._attempt(given, assembled, step, abort, started))
        except ContextOverflow as error:
            started = time.monotonic()
            smaller = self.prompts.smaller(given, assembled, step.offer, error)
            if smaller is None:
                raise
            yield Notice("the server counted more tokens than we did; asking again with less history")
            return (yield from self._attempt(given, smaller, step, abort, started))

    def _attempt(
        self, given: AssemblyInput, assembled: Assembled, step: Step, abort: AbortSignal, started: float
    ) -> Generator[TurnEvent, None, Reply]:
        body = self.prompts.encode(assembled, step.offer)
        info = self._model.describe()
        thread_id = given.request[-1].thread_id
        record = record_of(given, assembled, body, info, step)
        record = replace(record, shared=self._shared(thread_id, assembled))
        if self._log is not None:
            self._log.write(record)
        quoted = {memory.id for memory in given.recalled} - set(assembled.dropped_memories)
        seconds = time.monotonic() - started
        call = _Call(record, info, assembled.messages, step, seconds, tuple(sorted(quoted)))
        return (yield from self._call(call, body, abort))

    def _shared(self, thread_id: str, assembled: Assembled) -> int | None:
        """With how many tokens the prompt begins as this thread's one before it did. A model keeps the last prompt
        alone: None after another thread's."""
        before, self._before = self._before, (thread_id, assembled.messages)
        if before is None or before[0] != thread_id:
            return None
        same, begun = common_start(before[1], assembled.messages)
        texts = [part_text(part) for message in same for part in message.parts] + [begun]
        overhead = assembled.budget.tokens_per_message * (len(same) + bool(begun))
        return min(assembled.tokens, overhead + sum(self._model.count_text(text) for text in texts if text))

    def _call(self, call: _Call, body: JsonObject, abort: AbortSignal) -> Generator[TurnEvent, None, Reply]:
        limit = self._config.limits.request_timeout_s
        reply = Reply(time.monotonic(), call.record.id if self._log is not None else "")
        # What a consumer that walks away in the middle means; replaced by what really happens.
        error: LocalAgentError | None = Interrupted("interrupted")
        try:
            tokens = call.record.tokens + call.record.tool_tokens
            yield PromptAssembled(reply.record_id, tokens, call.info.window, call.info.exact, call.recalled)
            with abort.child(timeout_s=limit, what="the model's answer (limits.request_timeout_s)") as call_abort:
                for event in self._stream(call.step.offer, body, call_abort):
                    reply.take(event)
                    if not (call.step.hold and isinstance(event, TextDelta)):
                        yield event
                    if time.monotonic() - max(reply.started, reply.stored_at) > CHECKPOINT_S:
                        self._store(call, reply, "interrupted")
            work = sort_reply(reply.said(), offered=call.step.offer.by != "none")
            error = work.fault if isinstance(work, Nothing) else None
        except LocalAgentError as caught:
            error = caught
        finally:
            warnings = self._conclude(call, reply, error)
        if error is not None:
            raise error
        for text in warnings:
            yield Notice(text)
        return reply

    def _stream(self, offer: Offer, body: JsonObject, abort: AbortSignal) -> Iterator[ModelEvent]:
        events = self._model.stream(body, abort)
        return read_constrained(events) if offer.by == "constrained" else events

    def _conclude(self, call: _Call, reply: Reply, error: LocalAgentError | None) -> tuple[str, ...]:
        """Store the answer, or what there is of it, and write how the call ended. Returns warnings."""
        self._store(call, reply, _status(error))
        usage = reply.finished.usage if reply.finished else Usage()
        self._cached = call.record.thread_id, _cache_share(call.record, usage)
        warnings = self._warnings(call, reply)
        try:
            self._finish(call, reply, error, warnings)
        except StorageError as unwritten:  # must not cost an answer that is stored, nor hide why there is none
            warnings = (*warnings, f"how the call ended could not be recorded: {unwritten}")
        return warnings

    def _finish(self, call: _Call, reply: Reply, error: LocalAgentError | None, warnings: tuple[str, ...]) -> None:
        if self._log is None:
            return
        how = reply.finished.reason if reply.finished else "stop"
        outcome = PromptOutcome(
            id=call.record.id,
            ended_by="tool_calls" if reply.calls and error is None else ended_by(error, how),
            usage=reply.finished.usage if reply.finished else Usage(),
            assemble_s=call.assemble_s,
            first_token_s=reply.first_token_s,
            total_s=time.monotonic() - reply.started,
            error=str(error) if error else "",
            warnings=warnings,
        )
        self._log.finish(outcome, call.record.thread_id)

    def _store(self, call: _Call, reply: Reply, status: Status) -> None:
        """Put what there is of the answer into the ledger."""
        if reply.empty:
            return
        self.keep(reply, call.record.thread_id, "".join(reply.text), status=status)
        reply.stored_at = time.monotonic()

    def keep(
        self,
        reply: Reply,
        thread_id: str,
        text: str,
        calls: Sequence[ToolCallPart] = (),
        *,
        status: Status = "complete",
    ) -> StoredMessage:
        """Put a reply into the ledger as it shall stand there. Calls are kept once they are about to be answered: one
        without a result must not be sent again."""
        message = assistant(text, calls, thinking="".join(reply.thinking))
        if reply.stored is None:
            name = self._model.describe().name
            reply.stored = self._ledger.append(thread_id, message, status=status, model=name)
        elif reply.stored.message != message or reply.stored.status != status:
            reply.stored = self._ledger.revise(reply.stored, message, status)
        return reply.stored

    def ask(
        self, task: str, schema: JsonObject | None, turn_id: str, thread_id: str, abort: AbortSignal
    ) -> tuple[str, str]:
        """A question beside the conversation (a scorer's). Returns the answer and the id of its record; nothing of it
        is stored in the thread. Raises ModelError and Aborted."""
        started = time.monotonic()
        self._before = None  # a model keeps the last prompt alone, and that is this one now
        request = (StoredMessage(0, thread_id, user(task), "complete", 0.0),)
        given, step = AssemblyInput("", request), Step(turn_id, 0, replace(NOTHING, schema=schema))
        assembled = self.prompts.assemble(given, step.offer)
        body = self.prompts.encode(assembled, step.offer)
        record = record_of(given, assembled, body, self._model.describe(), step)
        if self._log is not None:
            self._log.write(record)
        call = _Call(record, self._model.describe(), assembled.messages, step, time.monotonic() - started)
        reply, error = Reply(time.monotonic(), record.id), None
        limit = self._config.limits.request_timeout_s
        try:
            with abort.child(timeout_s=limit, what="the model's answer (limits.request_timeout_s)") as call_abort:
                for event in self._model.stream(body, call_abort):
                    reply.take(event)
            work = sort_reply(reply.said(), offered=False)
            if isinstance(work, Nothing):
                raise work.fault
        except LocalAgentError as caught:
            error = caught
            raise
        finally:
            self._finish(call, reply, error, ())
        return "".join(reply.text), record.id if self._log is not None else ""

    def _warnings(self, call: _Call, reply: Reply) -> tuple[str, ...]:
        """What the user should hear about a call that ended well."""
        if reply.finished is None:
            return ()
        warnings = []
        read, least = reply.finished.usage.prompt_tokens, 1 - max(call.info.count_error, CUT_TOLERANCE)
        # The record's count is an upper bound, made of parts; only the whole prompt's count can accuse a server.
        if read is not None and read < call.record.tokens * least:
            counted = self._model.count_prompt(call.sent, call.step.offer.tools)
            if read < counted * least:
                warnings.append(
                    f"the server read {read} of about {counted} prompt tokens: it cut the beginning without saying so. "
                    "Set model.num_ctx to the window it really serves"
                )
        if reply.finished.reason == "length":
            warnings.append(f"the answer was cut at {call.record.reserve} tokens (model.max_output_tokens)")
        return tuple(warnings)


def _cache_share(record: PromptRecord, usage: Usage) -> CacheShare | None:
    """None also for a first prompt, of which nothing can be known."""
    if usage.cached_tokens is not None and usage.prompt_tokens and (usage.cached_tokens or record.shared is not None):
        return CacheShare(min(1.0, usage.cached_tokens / usage.prompt_tokens), exact=True)
    return None if record.shared is None else CacheShare(record.shared / max(1, record.tokens), exact=False)


def _status(error: LocalAgentError | None) -> Status:
    if error is None:
        return "complete"
    return "interrupted" if isinstance(error, Interrupted) else "incomplete"


def with_record(ids: list[str], call: Generator[TurnEvent, None, Reply]) -> Generator[TurnEvent, None, Reply]:
    """The events of a call. The id of its record joins `ids`, also where the call fails or is stopped."""
    with contextlib.closing(call):
        while True:
            try:
                event = next(call)
            except StopIteration as done:
                reply: Reply = done.value
                return reply
            if isinstance(event, PromptAssembled) and event.record_id:
                ids.append(event.record_id)
            yield event
