"""One turn: call the model, do what it asks for, look at what came of it, again; until there is an answer or something
ends it. The request is in the ledger before this starts."""

from __future__ import annotations

import contextlib
import time
from collections.abc import Callable, Generator, Sequence
from dataclasses import dataclass, field, replace
from itertools import count

from localagent.abort import AbortSignal
from localagent.assembler import Assembled, AssemblyInput, Budget
from localagent.calls import CallResult, Toolbox
from localagent.completion import FORM, Completion
from localagent.config import AgentConfig
from localagent.doing import Doing, Permit, only_reading, recorded
from localagent.errors import (
    ContextOverflow,
    IncompleteAnswer,
    Interrupted,
    LocalAgentError,
    ModelError,
    ToolsUnsupported,
)
from localagent.events import Notice, StepStarted, StopReason, TextDelta, TurnEvent, TurnFinished, Usage, Withdrawn
from localagent.fitting import Fitted, Fitting
from localagent.loop import INCOMPLETE, LAST, REFUSED, Again, Answer, Next, Stop, Trail, ended_by
from localagent.memory.base import Ledger, StoredMessage
from localagent.messages import JsonObject, new_id, tool_result, user
from localagent.model_call import CacheShare, ModelCalls, Reply, with_record
from localagent.models.base import ChatModel
from localagent.offering import NOTHING, Offer, in_form, offer, plain, way_of
from localagent.prompting import Step
from localagent.quality import Called, Evaluation, Form, Mechanisms, Output, StepView
from localagent.record import PromptLog, ToolsBy

NONE = Mechanisms()


@dataclass(frozen=True)
class Acting:
    """What an agent can do beside talking. `toolbox` is asked for once a model is to be told of tools; None: there are
    none. `close` ends what it started. `permit` decides about each call. `form`: what its answers must be. `prepare`
    waits until it is known what tools there are."""

    toolbox: Callable[[], Toolbox | None] = lambda: None
    close: Callable[[], None] = lambda: None
    permit: Permit = only_reading
    mechanisms: Mechanisms = NONE
    form: Form | None = None
    prepare: Callable[[AbortSignal], None] = lambda abort: None


@dataclass
class _Run:
    """One turn under way. `added` follows the request in the prompt; `tail` stands behind it, once."""

    given: AssemblyInput
    trail: Trail
    doing: Doing | None
    id: str = field(default_factory=new_id)
    started_at: float = field(default_factory=time.time)
    added: list[StoredMessage] = field(default_factory=list)
    tail: str = ""
    rejected: list[StoredMessage] = field(default_factory=list)
    spoken: StoredMessage | None = None  # the newest message with words in it
    withdrawn: bool = False  # those were refused
    incomplete: str = ""  # why they were, though they are the answer
    processor_retries: int = 0
    completion_retries: int = 0
    bound: bool = False  # its last answer was not of the form that is asked for
    ended_by: str = ""

    @property
    def thread_id(self) -> str:
        return self.given.request[-1].thread_id

    def input(self, *, last: bool) -> AssemblyInput:
        tail = "\n\n".join(text for text in (self.tail, LAST if last else "") if text)
        return replace(self.given, request=(*self.given.request, *self.added), tail=tail)

    def tell(self, feedback: str) -> None:
        """What the model reads before its next step: behind its own words as the user's, else behind the results."""
        self.tail = ""
        if not feedback:
            return
        if self.added and self.added[-1].message.role == "assistant":
            self.added.append(StoredMessage(0, self.thread_id, user(feedback), "complete", time.time()))
        else:
            self.tail = feedback


class Turn:
    """Runs turns of one agent with one model. `log` is None when prompts are not logged."""

    def __init__(
        self, config: AgentConfig, model: ChatModel, ledger: Ledger, log: PromptLog | None, acting: Acting
    ) -> None:
        self._config = config
        self._model = model
        self._ledger = ledger
        self._log = log
        self._acting = acting
        self._calls = ModelCalls(config, model, ledger, log)
        self._completion = Completion(config, acting.mechanisms, acting.form)
        self._fitting = Fitting(self._calls.prompts.cost)
        self._told_of_tools = ""
        self._refused_tools = False
        self._refused_form = False

    def budget(self) -> Budget:
        """What a prompt may have now, for the window that the model says it serves."""
        return self._calls.prompts.budget(self.offer())

    def cached(self, thread_id: str) -> CacheShare | None:
        """Of the last prompt; None where nobody can tell, and after another thread's."""
        return self._calls.cached(thread_id)

    def assemble(self, given: AssemblyInput) -> Assembled:
        """The first prompt of a turn for `given`. Raises ContextOverflow."""
        return self._calls.prompts.assemble(given, self.offer())

    def offer(self, *, last: bool = False, bound: bool = False) -> Offer:
        """How this model is offered the tools; `by` is "none" where it is told of none. `bound`: it answers now, in
        the form that is asked for."""
        made = offer(self._way(), self.tools().tools, last=last)
        form = self._form()
        return made if form is None else in_form(made, form, alone=last or bound)

    def tools(self) -> Fitted:
        """Those of the agent's tools that this model is told of, and those for which there is no room."""
        by = self._way()
        toolbox = self._acting.toolbox() if by != "none" else None
        if toolbox is None:
            return Fitted()
        return self._fitting.fit(by, toolbox.specs(), self._room, self._model.describe())

    def _room(self) -> int:
        form = self._form()
        return self._calls.prompts.room(in_form(NOTHING, form, alone=True).words if form is not None else "")

    def _way(self) -> ToolsBy:
        return way_of(self._config.model.tool_calls, self._model.describe(), refused=self._refused_tools)

    def _form(self) -> JsonObject | None:
        """What an answer must be, as this server takes it."""
        form = self._acting.form
        return None if form is None else plain(form.schema) if self._refused_form else form.schema

    def run(self, given: AssemblyInput, *, abort: AbortSignal) -> Generator[TurnEvent]:
        """Steps until there is an answer; the last event is `TurnFinished`. What has arrived when the turn is aborted
        or breaks off is stored before the error leaves."""
        limits = self._config.limits
        wishes = [memory.text for memory in given.recalled if memory.wish]
        run = _Run(given, Trail(given.request[-1].message.text, wishes), self._doing())
        error: LocalAgentError | None = Interrupted("interrupted")
        try:
            with abort.child(timeout_s=limits.turn_timeout_s, what="the turn (limits.turn_timeout_s)") as turn_abort:
                yield from self._steps(run, turn_abort)
            error = None
        except LocalAgentError as caught:
            error = caught
            raise
        finally:
            self._close(run, error)

    def _doing(self) -> Doing | None:
        # Also where no tools are there yet: a server may offer some later in the turn.
        toolbox = self._acting.toolbox() if self._way() != "none" else None
        return Doing(toolbox, self._acting.permit, self._config.loop) if toolbox is not None else None

    def _steps(self, run: _Run, abort: AbortSignal) -> Generator[TurnEvent]:
        for number in count(1):
            exhausted = run.doing.exhausted if run.doing is not None else ""
            last = number >= self._config.loop.max_steps or bool(exhausted)
            yield StepStarted(number, last, run.doing is not None or self._completion.judging)
            reply = yield from self._ask(run, number, last, abort)
            step = yield from self._look(run, number, reply, last, abort)
            match step:
                case Again():
                    run.tell(step.feedback)
                case Answer():
                    run.ended_by = "answer"
                    yield self._finished(run, reply, number, reply.finished.reason if reply.finished else "stop")
                    return
                case Stop():
                    yield from self._stopped(run, reply, number, step)
                    return

    def _ask(self, run: _Run, number: int, last: bool, abort: AbortSignal) -> Generator[TurnEvent, None, Reply]:
        """A server may refuse tools, or a schema; then it is asked once more, without what it refused."""
        self._acting.prepare(abort)
        while True:
            fitted, made = self.tools(), self.offer(last=last, bound=run.bound)
            if fitted.note not in ("", self._told_of_tools):
                self._told_of_tools = fitted.note
                yield Notice(fitted.note)
            step = Step(run.id, number, made, self._completion.processing, fitted.left_out, fitted.note)
            try:
                reply = yield from self._call(run, step, last, abort)
                break
            except ToolsUnsupported:
                if self._refused_tools:
                    raise
                self._refused_tools = True
                instead = "it is told of none" if self._way() == "none" else "its replies are bound to a form instead"
                yield Notice(f"the model cannot call tools by itself; {instead}")
            except ModelError as error:
                # Not one of its kinds: those say what else is wrong.
                asked = self._acting.form is not None and made.schema is not None
                if type(error) is not ModelError or not asked or self._refused_form:
                    raise
                self._refused_form = True
                yield Notice(f"the server may not take the schema ({error.message}); asking with a simpler one")
        return reply

    def _call(self, run: _Run, step: Step, last: bool, abort: AbortSignal) -> Generator[TurnEvent, None, Reply]:
        try:
            return (yield from with_record(run.trail.prompt_ids, self._calls.call(run.input(last=last), step, abort)))
        except ContextOverflow as error:
            if not run.added:
                raise
            raise IncompleteAnswer(
                f"what the tools gave leaves no room for an answer: {error.message}",
                hint="Ask for less at once, raise model.num_ctx or lower loop.tool_result_tokens.",
            ) from error

    def _look(
        self, run: _Run, number: int, reply: Reply, last: bool, abort: AbortSignal
    ) -> Generator[TurnEvent, None, Next]:
        """One reply, from the processors to the brakes."""
        said = reply.said()
        names = [call.name for call in said.calls]
        view = run.trail.view(last=last, now=StepView(number, said.text))
        left = 0 if last else self._config.loop.max_processor_retries - run.processor_retries
        processed, found = self._completion.process(Output(said.text, names, view), left)
        yield from self._note(run, found)
        if processed.verdict == "retry":
            run.processor_retries += 1
            run.bound = any(one.name == FORM and one.verdict == "retry" for one in found)
            self._add(run, reply.stored, rejected=True)
            run.trail.complete(number, said.text)
            return (yield from self._brake(run, last)) or Again(REFUSED.format(reason=processed.reason))
        text = processed.text if processed.verdict == "replace" else said.text
        if self._completion.processing and text:
            yield TextDelta(text)
        if said.calls and (last or run.doing is None):
            return (yield from self._cut_off(run, number, reply, text))
        if said.calls:
            yield from self._do(run, run.doing, number, reply, text, abort)
            return (yield from self._brake(run, last)) or Again()
        self._add(run, self._calls.keep(reply, run.thread_id, text))
        run.trail.complete(number, text)
        return (yield from self._judge(run, last, abort))

    def _do(
        self, run: _Run, doing: Doing | None, number: int, reply: Reply, text: str, abort: AbortSignal
    ) -> Generator[TurnEvent]:
        """Run the calls; they are in the ledger before they run, each result as soon as it is there."""
        assert doing is not None  # the caller looked
        calls = reply.said().calls
        self._add(run, self._calls.keep(reply, run.thread_id, text, calls))
        run.tail = ""
        ran: list[Called] = []

        def keep(result: CallResult, approval: str) -> None:
            run.trail.calls.append(recorded(number, result, approval))
            if result.ran:
                ran.append(
                    Called(result.call.name, result.call.arguments, result.text, result.is_error, result.seconds)
                )
            message = tool_result(result.call, result.text, is_error=result.is_error)
            self._add(run, self._ledger.append(run.thread_id, message))

        try:
            yield from doing.run(calls, keep, abort)
        finally:
            run.trail.complete(number, text, ran)

    def _cut_off(self, run: _Run, number: int, reply: Reply, text: str) -> Generator[TurnEvent, None, Stop]:
        """The model asks for tools where no step is left: they are not run."""
        names = ", ".join(dict.fromkeys(call.name for call in reply.said().calls))
        if text.strip():
            self._add(run, self._calls.keep(reply, run.thread_id, text))
        run.trail.complete(number, text)
        found = self._completion.stop(run.trail.view(last=True))
        yield from run.trail.news(found)
        exhausted = run.doing.exhausted if run.doing is not None else ""
        if exhausted:
            run.trail.note([*found, Evaluation(number, "calls", "calls", "stop", exhausted, ended=True)])
            return Stop("calls", f"it went on asking for {names}, which was refused")
        stop = run.trail.braked(found)
        if stop is not None and stop.mechanism == "stop_when":
            return stop
        return Stop("max_steps", f"it still asked for {names} at step {number}, the last one (loop.max_steps)")

    def _judge(self, run: _Run, last: bool, abort: AbortSignal) -> Generator[TurnEvent, None, Next]:
        """The model says that it is done."""

        def ask(task: str, schema: JsonObject | None, given: AbortSignal) -> str:
            text, record_id = self._calls.ask(task, schema, run.id, run.thread_id, given)
            if record_id:
                run.trail.prompt_ids.append(record_id)
            return text

        done, feedback, found = self._completion.score(run.trail.view(last=last), ask, abort)
        yield from self._note(run, found)
        stop = yield from self._brake(run, last, quiet=done)
        if done:
            return Answer()
        run.incomplete = feedback or "no reason was given"
        if stop is not None or run.completion_retries >= self._config.completion.max_retries:
            yield Notice(f"the answer stands, but was judged incomplete: {run.incomplete}")
            return stop or Answer()
        run.completion_retries += 1
        if run.spoken is not None:
            run.rejected.append(run.spoken)
        run.withdrawn = True
        yield Withdrawn()
        return Again(INCOMPLETE.format(reason=feedback))

    def _brake(self, run: _Run, last: bool, *, quiet: bool = False) -> Generator[TurnEvent, None, Stop | None]:
        """What `max_steps` and the stop conditions say after a step. `quiet`: the turn ends anyway."""
        found = self._completion.stop(run.trail.view(last=last))
        stop = None if quiet else run.trail.braked(found)
        if quiet:
            run.trail.note(found)
        yield from run.trail.news(found)
        return stop

    def _note(self, run: _Run, found: Sequence[Evaluation]) -> Generator[TurnEvent]:
        run.trail.note(found)
        yield from run.trail.news(found)

    def _add(self, run: _Run, stored: StoredMessage | None, *, rejected: bool = False) -> None:
        """A message of this turn is in the ledger; the next prompt has it too."""
        if stored is None:
            return
        run.added.append(stored)
        if rejected:
            run.rejected.append(stored)
        if stored.message.role == "assistant" and stored.message.text.strip():
            run.spoken, run.withdrawn, run.incomplete = stored, rejected, ""

    def _stopped(self, run: _Run, reply: Reply, number: int, stop: Stop) -> Generator[TurnEvent]:
        run.ended_by = stop.mechanism
        if run.withdrawn and run.spoken is not None:  # it is the answer after all
            yield TextDelta(run.spoken.message.text)
        yield Notice(f"ended by {stop.mechanism}: {stop.reason}")
        if run.spoken is None and stop.mechanism != "stop_when":
            raise IncompleteAnswer(
                f"the model gave no answer in {number} steps: {stop.reason}",
                hint="Ask for less at once, or raise loop.max_steps.",
            )
        yield self._finished(run, reply, number, stop.mechanism)

    def _finished(self, run: _Run, reply: Reply, number: int, reason: StopReason) -> TurnFinished:
        said = run.spoken or run.given.request[-1]
        return TurnFinished(
            thread_id=run.thread_id,
            message_id=said.id,
            record_id=reply.record_id,
            text=said.message.text if said is run.spoken else "",
            stop_reason=reason,
            usage=reply.finished.usage if reply.finished else Usage(),
            steps=number,
            incomplete=run.incomplete,
        )

    def _close(self, run: _Run, error: LocalAgentError | None) -> None:
        """Of answers that had to be mended, only the mended one stays; and the record of the turn."""
        # The turn's own error is what the user has to hear, and the record is written whatever the ledger does.
        with contextlib.suppress(LocalAgentError):
            for message in run.rejected:
                if run.spoken is not None and message.id != run.spoken.id:
                    self._ledger.take_back(message)
        if self._log is None:
            return
        with contextlib.suppress(LocalAgentError):
            how = run.ended_by or ended_by(error, "answer")
            if how in ("interrupted", "deadline"):
                step = len(run.trail.steps) + 1
                run.trail.ended(Evaluation(step, "abort", how, "stop", str(error)))
            error_text = str(error) if error else ""
            self._log.turn(run.trail.record(run.id, run.given.request[-1], run.started_at, how, error_text))
