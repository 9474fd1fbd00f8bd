"""The contract of a chat model. A provider is one file behind this protocol."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Literal, Protocol

from localagent.abort import AbortSignal
from localagent.events import ModelEvent
from localagent.messages import JsonObject, Message
from localagent.tool import ToolSpec


@dataclass(frozen=True, slots=True)
class ChatRequest:
    """What is asked of the model once.

    `messages` hold no attachments any more: the assembler made quoted text of them. `schema`: a JSON schema the
    whole answer must satisfy (structured output). `max_output_tokens`: where the answer is cut; the assembler
    reserved as many. `stop`: texts that end the answer.
    """

    messages: tuple[Message, ...]
    tools: tuple[ToolSpec, ...] = ()
    schema: JsonObject | None = None
    max_output_tokens: int = 1024
    temperature: float = 0.3
    seed: int | None = None
    stop: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class ModelInfo:
    """`window` is what is really served, in tokens, never the model file's maximum.

    `tokens_per_message` is what the chat template adds around each message (an upper bound).
    `count_error` is the relative error of `count_text` to reckon with: 0 for the model's own tokenizer. `tiny`: so
    small that it answers worse when its reply must have a form.
    """

    provider: str
    name: str
    window: int
    capabilities: frozenset[Literal["tools", "schema", "thinking", "vision"]]
    tokens_per_message: int
    count_error: float
    tiny: bool = False

    @property
    def exact(self) -> bool:
        """True where tokens are counted by the model's own tokenizer."""
        return self.count_error == 0.0


class ChatModel(Protocol):
    """Methods raise errors of `localagent.errors` only."""

    def load(self, abort: AbortSignal) -> None:
        """Make it ready to answer; what happens otherwise at the first use. May take as long as loading takes, and
        raises `Aborted` soon after the signal. Nothing to do if it is loaded."""
        ...

    def describe(self) -> ModelInfo:
        """Cheap once the model is loaded."""
        ...

    def count_text(self, text: str) -> int:
        """Tokens of a text. Cheap for a text it has seen."""
        ...

    def count_prompt(self, messages: Sequence[Message], tools: Sequence[ToolSpec] = ()) -> int:
        """Tokens of the whole prompt as the model would read it, template and tool schemas included."""
        ...

    def encode(self, request: ChatRequest) -> JsonObject:
        """The exact request as it will be sent. Pure; the prompt record keeps it."""
        ...

    def stream(self, body: JsonObject, abort: AbortSignal) -> Iterator[ModelEvent]:
        """Send what `encode` made. Ends with one `ModelFinished`.

        Raises `Aborted` soon after the signal, `IncompleteAnswer` when the stream ends early, `ContextOverflow`
        when the prompt does not fit, `ModelError` and `EnvironmentFault` otherwise. What was yielded before stays
        valid. Closing the iterator stops the model.
        """
        ...

    def close(self) -> None:
        """Free the model. May be called twice."""
        ...


class Calibration(Protocol):
    """Where a token estimate keeps what it learned about a model, between sessions."""

    def load(self, key: str) -> tuple[float, ...] | None: ...

    def save(self, key: str, values: Sequence[float]) -> None: ...
