"""What happens during a turn, in the order it happens. The renderer and the trace read the same events."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal, TypeAlias

from localagent.messages import ToolCallPart

FinishReason: TypeAlias = Literal["stop", "length"]
StopReason: TypeAlias = Literal[FinishReason, "max_steps", "stop_when", "calls"]


@dataclass(frozen=True, slots=True)
class Usage:
    """What the model's side counted. Tokens and seconds; None where it did not say."""

    prompt_tokens: int | None = None
    cached_tokens: int | None = None
    output_tokens: int | None = None
    load_s: float | None = None
    prompt_s: float | None = None
    output_s: float | None = None


# Events of one model call.


@dataclass(frozen=True, slots=True)
class PromptProgress:
    """The model is reading: `processed` of `total` prompt tokens, `cached` of them kept from the last call."""

    processed: int
    total: int
    cached: int


@dataclass(frozen=True, slots=True)
class TextDelta:
    text: str


@dataclass(frozen=True, slots=True)
class ThinkingDelta:
    text: str


@dataclass(frozen=True, slots=True)
class ToolCallReady:
    """A complete tool call; arguments are never streamed in parts."""

    call: ToolCallPart


@dataclass(frozen=True, slots=True)
class ModelFinished:
    """Always the last event of a call that succeeded. `length`: the answer was cut by a token limit."""

    reason: FinishReason
    usage: Usage


ModelEvent: TypeAlias = PromptProgress | TextDelta | ThinkingDelta | ToolCallReady | ModelFinished

# Events of a turn around it.


@dataclass(frozen=True, slots=True)
class RequestStored:
    """The request is durable: from here on a crash does not lose it."""

    thread_id: str
    message_id: int


@dataclass(frozen=True, slots=True)
class Waiting:
    """What is waited for, to be shown while nothing else is; empty: nothing any more."""

    text: str


@dataclass(frozen=True, slots=True)
class PromptAssembled:
    """`tokens` of `window`; `exact` is False while the count is an estimate. `record_id` is empty if not logged.
    `recalled` are the ids of what was quoted from memory."""

    record_id: str
    tokens: int
    window: int
    exact: bool
    recalled: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class StepStarted:
    """The model is about to be called, for the `number`-th time in this turn (from 1). `last`: there is no other
    after it. `provisional`: what is said may turn out not to be the answer, which `TurnFinished` has (it stands beside
    calls, or is judged incomplete)."""

    number: int
    last: bool = False
    provisional: bool = False


@dataclass(frozen=True, slots=True)
class ToolStarted:
    """A call that may run begins. `shown`: exactly what runs."""

    call: ToolCallPart
    shown: str = ""


@dataclass(frozen=True, slots=True)
class ToolFinished:
    """What a call gave, as the model is told it. `ran`: False if it was refused before; `denied`: since it was not
    allowed. Seconds."""

    call: ToolCallPart
    text: str
    is_error: bool = False
    ran: bool = True
    seconds: float = 0.0
    denied: bool = False


@dataclass(frozen=True, slots=True)
class Evaluated:
    """One look of a mechanism that ends turns or judges outputs; as `quality.Evaluation`. One that keeps failing is
    told once in a turn."""

    step: int
    mechanism: str
    name: str
    verdict: str
    reason: str = ""


@dataclass(frozen=True, slots=True)
class Withdrawn:
    """What was said last is not the answer: it was judged incomplete, and the model is asked to mend it."""


@dataclass(frozen=True, slots=True)
class Notice:
    """One line the user should see, beside the answer (never in it)."""

    text: str


@dataclass(frozen=True, slots=True)
class TurnFinished:
    """The answer is stored. `stop_reason` is what ended the turn, after so many `steps`: the model was done (`stop`),
    its answer was cut (`length`), or one of the mechanisms. `incomplete`: why the answer was judged so, though it
    stands; else empty."""

    thread_id: str
    message_id: int
    record_id: str
    text: str
    stop_reason: StopReason
    usage: Usage
    steps: int = 1
    incomplete: str = ""


TurnEvent: TypeAlias = (
    ModelEvent
    | RequestStored
    | Waiting
    | StepStarted
    | PromptAssembled
    | ToolStarted
    | ToolFinished
    | Evaluated
    | Withdrawn
    | Notice
    | TurnFinished
)
