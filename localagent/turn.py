"""One turn: assemble, record, call, store. The request is in the ledger before this starts."""

from __future__ import annotations

import time
from collections.abc import Generator
from dataclasses import dataclass, field, replace

from localagent.abort import AbortSignal
from localagent.assembler import Assembled, Assembler, AssemblyInput, Budget
from localagent.config import AgentConfig
from localagent.errors import (
    ContextOverflow,
    DeadlineExceeded,
    IncompleteAnswer,
    Interrupted,
    LocalAgentError,
    StorageError,
)
from localagent.events import (
    ModelEvent,
    ModelFinished,
    Notice,
    PromptAssembled,
    TextDelta,
    ThinkingDelta,
    ToolCallReady,
    TurnEvent,
    TurnFinished,
    Usage,
)
from localagent.memory.base import Ledger, Status, StoredMessage
from localagent.messages import JsonObject, Message, ToolCallPart, assistant, new_id
from localagent.models.base import ChatModel, ChatRequest, ModelInfo
from localagent.record import PromptLog, PromptOutcome, PromptRecord, digest, shown_fates
from localagent.wire import common_start, part_text

# How often (seconds) an answer that is arriving is stored: what a killed program loses of it at most.
CHECKPOINT_S = 1.0
# Reported prompt tokens this far (relative) below an exact count are a silent cut; templates explain less than that.
CUT_TOLERANCE = 0.05


@dataclass
class _Reply:
    """What has arrived of an answer so far, and when (seconds since `started`, a monotonic clock)."""

    started: float
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

    def fault(self) -> IncompleteAnswer | None:
        """What is wrong with a reply whose stream ended without an error."""
        if self.finished is None:
            return IncompleteAnswer("the model stopped without saying that it was done")
        if self.calls:
            return IncompleteAnswer(
                f"the model called the tool {self.calls[0].name}, and it was offered none",
                hint="Ask again (/retry) or choose another model.",
            )
        if not self.empty:
            return None
        if self.thinking and self.finished.reason == "length":
            return IncompleteAnswer(
                "the model used up its tokens by thinking and gave no answer",
                hint="Raise model.max_output_tokens or set model.think to false.",
            )
        return IncompleteAnswer("the model gave an empty answer", hint="Ask again (/retry) or put it another way.")


@dataclass(frozen=True)
class _Call:
    """One model call: what is known before it."""

    record: PromptRecord
    info: ModelInfo
    sent: tuple[Message, ...]
    assemble_s: float
    recalled: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class CacheShare:
    """The part of a prompt (0-1) that the model still knew. `exact`: the server's own count; else the part with which
    the prompt before it began too."""

    share: float
    exact: bool

    def __str__(self) -> str:
        return f"{'' if self.exact else '~'}{self.share * 100:.0f} %"


class Turn:
    """Runs turns of one agent with one model. `log` is None when prompts are not logged."""

    def __init__(self, config: AgentConfig, model: ChatModel, ledger: Ledger, log: PromptLog | None) -> None:
        self._config = config
        self._model = model
        self._ledger = ledger
        self._log = log
        self._assembler = Assembler(model)
        self._before: tuple[str, tuple[Message, ...]] | None = None
        self._cached: tuple[str, CacheShare | None] = ("", None)

    def budget(self) -> Budget:
        """What a prompt may have now, for the window that the model says it serves."""
        return self._budget(self._model.describe().window, 1.0)

    def cached(self, thread_id: str) -> CacheShare | None:
        """Of the last prompt; None where nobody can tell, and after another thread's."""
        return self._cached[1] if self._cached[0] == thread_id else None

    def assemble(self, given: AssemblyInput, *, window: int | None = None, ratio: float = 1.0) -> Assembled:
        """The prompt for `given`. `window`: what is served, where that is less than the model said. `ratio` > 1: the
        server counts that many times our tokens.

        Where the model's own tokenizer counts, a prompt that is nearly full is counted once more as a whole, since
        the sum of its parts is not quite that. Raises ContextOverflow.
        """
        info = self._model.describe()
        budget = self._budget(info.window if window is None else min(info.window, window), ratio)
        assembled = self._assembler.assemble(given, budget)
        if info.exact and assembled.tokens > 0.9 * budget.prompt:
            excess = self._model.count_prompt(assembled.messages) - budget.prompt
            if excess > 0:
                assembled = self._assembler.assemble(given, replace(budget, window=budget.window - excess))
        return assembled

    def _budget(self, window: int, ratio: float) -> Budget:
        info = self._model.describe()
        return Budget(
            window=window,
            reserve=min(self._config.model.max_output_tokens, window // 2),
            tokens_per_message=info.tokens_per_message,
            error=max(info.count_error, ratio - 1),
        )

    def run(self, given: AssemblyInput, *, abort: AbortSignal) -> Generator[TurnEvent]:
        """Ask the model and store what it says; the last event is `TurnFinished`. What has arrived when the turn is
        aborted or breaks off is stored before the error leaves."""
        limits = self._config.limits
        with abort.child(timeout_s=limits.turn_timeout_s, what="the turn (limits.turn_timeout_s)") as turn_abort:
            started = time.monotonic()
            assembled = self.assemble(given)
            try:
                yield from self._attempt(given, assembled, turn_abort, started)
            except ContextOverflow as error:
                started = time.monotonic()
                smaller = self._smaller(given, assembled, error)
                if smaller is None:
                    raise
                yield Notice("the server counted more tokens than we did; asking again with less history")
                yield from self._attempt(given, smaller, turn_abort, started)

    def _smaller(self, given: AssemblyInput, refused: Assembled, error: ContextOverflow) -> Assembled | None:
        """Our estimate was too low, and the server said by how much: a prompt that much smaller. None if it did not
        say, or nothing is left that could go."""
        if not error.needed or not error.available:
            return None
        # Counted now: from the refusal the model may have learned to count better.
        ratio = 1.01 * error.needed / max(1, self._model.count_prompt(refused.messages))
        try:
            smaller = self.assemble(given, window=error.available, ratio=ratio)
        except ContextOverflow:
            return None
        return smaller if smaller.messages != refused.messages else None

    def _attempt(
        self,
        given: AssemblyInput,
        assembled: Assembled,
        abort: AbortSignal,
        started: float,
    ) -> Generator[TurnEvent]:
        body = self._encode(assembled)
        info = self._model.describe()
        thread_id = given.request[-1].thread_id
        record = replace(_record(given, assembled, body, info), shared=self._shared(thread_id, assembled))
        if self._log is not None:
            self._log.write(record)
        quoted = {memory.id for memory in given.recalled} - set(assembled.dropped_memories)
        call = _Call(record, info, assembled.messages, time.monotonic() - started, tuple(sorted(quoted)))
        yield from self._call(call, body, abort)

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

    def _encode(self, assembled: Assembled) -> JsonObject:
        model = self._config.model
        return self._model.encode(
            ChatRequest(
                messages=assembled.messages,
                max_output_tokens=assembled.budget.reserve,
                temperature=model.temperature,
                seed=model.seed,
            )
        )

    def _call(self, call: _Call, body: JsonObject, abort: AbortSignal) -> Generator[TurnEvent]:
        limit = self._config.limits.request_timeout_s
        record_id = call.record.id if self._log is not None else ""
        reply = _Reply(time.monotonic())
        # What a consumer that walks away in the middle means; replaced by what really happens.
        error: LocalAgentError | None = Interrupted("interrupted")
        try:
            yield PromptAssembled(record_id, call.record.tokens, call.info.window, call.info.exact, call.recalled)
            with abort.child(timeout_s=limit, what="the model's answer (limits.request_timeout_s)") as call_abort:
                for event in self._model.stream(body, call_abort):
                    reply.take(event)
                    yield event
                    if time.monotonic() - max(reply.started, reply.stored_at) > CHECKPOINT_S:
                        self._store(call, reply, "interrupted")
            error = reply.fault()
        except LocalAgentError as caught:
            error = caught
        finally:
            stored, warnings = self._conclude(call, reply, error)
        if error is not None:
            raise error
        assert stored is not None and reply.finished is not None  # no fault
        for text in warnings:
            yield Notice(text)
        yield TurnFinished(
            thread_id=stored.thread_id,
            message_id=stored.id,
            record_id=record_id,
            text=stored.message.text,
            stop_reason=reply.finished.reason,
            usage=reply.finished.usage,
        )

    def _conclude(
        self, call: _Call, reply: _Reply, error: LocalAgentError | None
    ) -> tuple[StoredMessage | None, tuple[str, ...]]:
        """Store the answer, or what there is of it, and write how the call ended."""
        self._store(call, reply, _status(error))
        usage = reply.finished.usage if reply.finished else Usage()
        self._cached = call.record.thread_id, _cache_share(call.record, usage)
        warnings = self._warnings(call, reply)
        if self._log is not None:
            outcome = PromptOutcome(
                id=call.record.id,
                ended_by=_ended_by(reply, error),
                usage=reply.finished.usage if reply.finished else Usage(),
                assemble_s=call.assemble_s,
                first_token_s=reply.first_token_s,
                total_s=time.monotonic() - reply.started,
                error=str(error) if error else "",
                warnings=warnings,
            )
            try:
                self._log.finish(outcome, call.record.thread_id)
            except StorageError as unwritten:  # must not cost an answer that is stored, nor hide why there is none
                warnings = (*warnings, f"how the call ended could not be recorded: {unwritten}")
        return reply.stored, warnings

    def _store(self, call: _Call, reply: _Reply, status: Status) -> None:
        """Put what there is of the answer into the ledger."""
        if reply.empty:
            return
        # Without the calls: nobody will answer them, and a call without a result must not be sent again.
        message = assistant("".join(reply.text), thinking="".join(reply.thinking))
        if reply.stored is None:
            reply.stored = self._ledger.append(call.record.thread_id, message, status=status, model=call.info.name)
        else:
            reply.stored = self._ledger.revise(reply.stored, message, status)
        reply.stored_at = time.monotonic()

    def _warnings(self, call: _Call, reply: _Reply) -> tuple[str, ...]:
        """What the user should hear about a call that ended well."""
        if reply.finished is None:
            return ()
        warnings = []
        read, least = reply.finished.usage.prompt_tokens, 1 - max(call.info.count_error, CUT_TOLERANCE)
        # The record's count is an upper bound, made of parts; only the whole prompt's count can accuse a server.
        if read is not None and read < call.record.tokens * least:
            counted = self._model.count_prompt(call.sent)
            if read < counted * least:
                warnings.append(
                    f"the server read {read} of about {counted} prompt tokens: it cut the beginning without saying so. "
                    "Set model.num_ctx to the window it really serves"
                )
        if reply.finished.reason == "length":
            warnings.append(f"the answer was cut at {call.record.reserve} tokens (model.max_output_tokens)")
        return tuple(warnings)


def _record(given: AssemblyInput, assembled: Assembled, body: JsonObject, info: ModelInfo) -> PromptRecord:
    budget = assembled.budget
    return PromptRecord(
        id=new_id(),
        thread_id=given.request[-1].thread_id,
        created_at=time.time(),
        provider=info.provider,
        model=info.name,
        window=info.window,
        reserve=budget.reserve,
        tool_tokens=budget.tool_tokens,
        budget=budget.prompt,
        tokens=assembled.tokens,
        exact=info.exact,
        blocks=assembled.blocks,
        older=given.first_index,
        dropped=assembled.dropped,
        digest=digest(body),
        request=body,
        recall=shown_fates(given.traces, assembled.dropped_memories),
        recall_note=given.recall_note,
        summary_version=given.summary_version,
        summary_dropped=assembled.summary_dropped,
    )


def _cache_share(record: PromptRecord, usage: Usage) -> CacheShare | None:
    """None also for a first prompt, of which nothing can be known."""
    if usage.cached_tokens is not None and usage.prompt_tokens and (usage.cached_tokens or record.shared is not None):
        return CacheShare(min(1.0, usage.cached_tokens / usage.prompt_tokens), exact=True)
    return None if record.shared is None else CacheShare(record.shared / max(1, record.tokens), exact=False)


def _status(error: LocalAgentError | None) -> Status:
    if error is None:
        return "complete"
    return "interrupted" if isinstance(error, Interrupted) else "incomplete"


def _ended_by(reply: _Reply, error: LocalAgentError | None) -> str:
    match error:
        case None:
            return reply.finished.reason if reply.finished else "stop"
        case Interrupted():
            return "interrupted"
        case DeadlineExceeded():
            return "deadline"
        case _:
            return type(error).__name__
