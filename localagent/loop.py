"""The steps of a turn, without doing any: what a reply is, what may follow it, and the trail that a turn leaves."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace
from typing import Literal, TypeAlias

from localagent.errors import DeadlineExceeded, IncompleteAnswer, Interrupted, LocalAgentError
from localagent.events import Evaluated, FinishReason
from localagent.memory.base import StoredMessage
from localagent.messages import ToolCallPart
from localagent.quality import Called, Evaluation, StepView, TurnView
from localagent.record import CallRecord, TurnRecord

# What a model is told beside what the user said. English, as the tools' descriptions are.
LAST = "(This is the last step: no tool can be called any more. Answer now, with what you have.)"
INCOMPLETE = "(The answer is not complete yet. Mend this, and give the whole answer:\n{reason})"
REFUSED = "(This could not be accepted. Mend this, and try again:\n{reason})"
# Verdicts of mechanisms that gave none.
FAILED = frozenset({"failed", "not judged"})


@dataclass(frozen=True, slots=True)
class Said:
    """What a model said in one call. `reason` is None if it never said that it was done."""

    text: str
    thinking: str
    calls: Sequence[ToolCallPart]
    reason: FinishReason | None


@dataclass(frozen=True, slots=True)
class FinalAnswer:
    text: str


@dataclass(frozen=True, slots=True)
class ToolCalls:
    """`text`: what was said beside them."""

    text: str
    calls: Sequence[ToolCallPart]


@dataclass(frozen=True, slots=True)
class Nothing:
    """A reply that leads nowhere: the turn ends with this."""

    fault: IncompleteAnswer


Work: TypeAlias = FinalAnswer | ToolCalls | Nothing


def sort_reply(said: Said, *, offered: bool) -> Work:
    """What a reply is. `offered`: the agent has tools that this model is told of."""
    if said.reason is None:
        return Nothing(IncompleteAnswer("the model stopped without saying that it was done"))
    if said.calls and not offered:
        return Nothing(
            IncompleteAnswer(
                f"the model called the tool {said.calls[0].name}, and it was offered none",
                hint="Ask again (/retry) or choose another model.",
            )
        )
    if said.calls:
        return ToolCalls(said.text, said.calls)
    if said.text.strip():
        return FinalAnswer(said.text)
    if said.thinking and said.reason == "length":
        return Nothing(
            IncompleteAnswer(
                "the model used up its tokens by thinking and gave no answer",
                hint="Raise model.max_output_tokens or set model.think to false.",
            )
        )
    return Nothing(IncompleteAnswer("the model gave an empty answer", hint="Ask again (/retry) or put it another way."))


@dataclass(frozen=True, slots=True)
class Again:
    """Another step. `feedback`: what the model is told beside the results of its calls; empty: nothing."""

    feedback: str = ""


@dataclass(frozen=True, slots=True)
class Answer:
    """The model is done, and nothing speaks against it."""


@dataclass(frozen=True, slots=True)
class Stop:
    """Something else ends the turn. What the model has said last is the answer."""

    mechanism: Literal["max_steps", "stop_when", "calls"]
    reason: str


Next: TypeAlias = Again | Answer | Stop


@dataclass
class Trail:
    """What has happened in a turn so far, for its mechanisms and its record."""

    request: str
    wishes: Sequence[str] = ()
    steps: list[StepView] = field(default_factory=list)
    evaluations: list[Evaluation] = field(default_factory=list)
    calls: list[CallRecord] = field(default_factory=list)
    prompt_ids: list[str] = field(default_factory=list)
    _failing: set[tuple[str, str]] = field(default_factory=set)

    def view(self, *, last: bool, now: StepView | None = None) -> TurnView:
        """The turn with its completed steps; `now`: the one that is under way."""
        return TurnView(self.request, (*self.steps, *((now,) if now is not None else ())), self.wishes, last)

    def complete(self, number: int, text: str, called: Sequence[Called] = ()) -> None:
        self.steps.append(StepView(number, text, tuple(called)))

    def note(self, found: Sequence[Evaluation]) -> None:
        self.evaluations += found

    def news(self, found: Sequence[Evaluation]) -> Iterator[Evaluated]:
        """What is to be told of them. A mechanism that fails at every step is told of once."""
        for one in found:
            key = (one.mechanism, one.name)
            if one.mechanism == "max_steps" or (one.verdict in FAILED and key in self._failing):
                continue
            if one.verdict in FAILED:
                self._failing.add(key)
            yield Evaluated(one.step, one.mechanism, one.name, one.verdict, one.reason)

    def braked(self, found: Sequence[Evaluation]) -> Stop | None:
        """Note what every brake says after a step; the first one that says stop ends the turn. A condition goes before
        the number of steps: it knows more."""
        stopping = [one for one in found if one.verdict == "stop"]
        ending = next((one for one in stopping if one.mechanism != "max_steps"), next(iter(stopping), None))
        self.note([replace(one, ended=True) if one is ending else one for one in found])
        if ending is None:
            return None
        kind: Literal["max_steps", "stop_when"] = "max_steps" if ending.mechanism == "max_steps" else "stop_when"
        return Stop(kind, ending.reason or ending.name)

    def ended(self, evaluation: Evaluation) -> None:
        """Note what ended the turn, unless that is noted already."""
        if not any(one.ended for one in self.evaluations):
            self.note([replace(evaluation, ended=True)])

    def record(self, turn_id: str, request: StoredMessage, started_at: float, how: str, error: str) -> TurnRecord:
        """What stays of the turn that answered `request`; `how` it ended."""
        return TurnRecord(
            id=turn_id,
            thread_id=request.thread_id,
            created_at=started_at,
            message_id=request.id,
            steps=len(self.steps),
            ended_by=how,
            prompt_ids=tuple(self.prompt_ids),
            evaluations=tuple(self.evaluations),
            calls=tuple(self.calls),
            error=error,
        )


def ended_by(error: LocalAgentError | None, how: str) -> str:
    """How a call or a turn ended, in a word: `how`, or by which error."""
    match error:
        case None:
            return how
        case Interrupted():
            return "interrupted"
        case DeadlineExceeded():
            return "deadline"
        case _:
            return type(error).__name__
