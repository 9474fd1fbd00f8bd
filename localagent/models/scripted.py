"""A model that plays queued answers: for authors of tools and policies, and for the program's own tests.

    model = ScriptedModel(["Hello.", Answer("Oslo", thinking="Norway ..."), ModelError("out of memory")])

Every call of `stream` plays the next step. `requests` holds what was asked, in order. Nothing is random and nothing
depends on time, except the delays a script asks for; they end at once when the abort signal is set.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import TypeAlias, cast

from localagent.abort import AbortSignal
from localagent.errors import ContextOverflow, LocalAgentError, ModelError
from localagent.events import (
    FinishReason,
    ModelEvent,
    ModelFinished,
    PromptProgress,
    TextDelta,
    ThinkingDelta,
    ToolCallReady,
    Usage,
)
from localagent.messages import (
    JsonObject,
    JsonValue,
    Message,
    Role,
    ThinkingPart,
    ToolCallPart,
    part_from_json,
    part_to_json,
)
from localagent.models.base import ChatRequest, ModelInfo
from localagent.tool import ToolSpec

# A token is one CJK character or one run of other characters between spaces.
_CJK = "\u2e80-\u9fff\uac00-\ud7af\uf900-\ufaff\uff00-\uffef"
_TOKEN = re.compile(rf"[{_CJK}]|[^\s{_CJK}]+")
# Keys of a message part that a chat template does not put before the model.
_NOT_READ = frozenset({"kind", "is_error", "id", "call_id"})
_PIECE = re.compile(rf"\s*(?:[{_CJK}]|[^\s{_CJK}]+)|\s+")


@dataclass(frozen=True, slots=True)
class Answer:
    """One step of a script: what the model does when it is called.

    In this order: wait `delay_s` seconds, report reading the prompt in `progress` steps, think, speak, call tools,
    and then hang until aborted if it `hangs`, raise `error`, or finish. `text` as one string is streamed token by
    token; a sequence of strings is streamed as it is. `piece_delay_s` is waited before each piece of text. An answer
    longer than the request's `max_output_tokens` is cut and finishes with `length`. `prompt_tokens` is reported
    instead of the true count, to play a server that cut the prompt.
    """

    text: str | Sequence[str] = ""
    thinking: str = ""
    tool_calls: tuple[ToolCallPart, ...] = ()
    reason: FinishReason = "stop"
    hangs: bool = False
    error: LocalAgentError | None = None
    delay_s: float = 0.0
    piece_delay_s: float = 0.0
    progress: int = 0
    prompt_tokens: int | None = None

    def pieces(self) -> Iterator[str]:
        if isinstance(self.text, str):
            yield from _PIECE.findall(self.text)
        else:
            yield from self.text


# A step may also be the answer's words, the error to raise, or a function that decides when it sees the request.
Reply: TypeAlias = Answer | str | LocalAgentError
Step: TypeAlias = Reply | Callable[[ChatRequest], Reply]


class ScriptedModel:
    """Plays `steps` in order; with `loop` from the start again, otherwise a call too many is a `ModelError`.

    `window` is in tokens. Tokens are counted exactly: a CJK character, or a run of other characters between spaces;
    each message costs at most `TOKENS_PER_MESSAGE` more (two marks, a tool's name, the start of the answer).
    A prompt of `window` tokens or more is a `ContextOverflow`.
    """

    TOKENS_PER_MESSAGE = 4

    def __init__(
        self,
        steps: Sequence[Step] = (),
        *,
        window: int = 8192,
        name: str = "scripted",
        loop: bool = False,
    ) -> None:
        self.requests: list[ChatRequest] = []
        self.playing = False
        self.closed = False
        self._steps = list(steps)
        self._next = 0
        self._window = window
        self._name = name
        self._loop = loop
        self._previous: list[str] = []

    def add(self, *steps: Step) -> None:
        """Append to the queue."""
        self._steps.extend(steps)

    @property
    def remaining(self) -> int:
        """Steps that were not played yet."""
        return len(self._steps) - self._next

    def load(self, abort: AbortSignal) -> None:
        abort.raise_if_aborted()

    def describe(self) -> ModelInfo:
        return ModelInfo(
            provider="scripted",
            name=self._name,
            window=self._window,
            capabilities=frozenset({"tools", "schema", "thinking"}),
            tokens_per_message=self.TOKENS_PER_MESSAGE,
            count_error=0.0,
        )

    def count_text(self, text: str) -> int:
        return len(_TOKEN.findall(text))

    def count_prompt(self, messages: Sequence[Message], tools: Sequence[ToolSpec] = ()) -> int:
        return len(_render(self.encode(ChatRequest(tuple(messages), tuple(tools)))))

    def encode(self, request: ChatRequest) -> JsonObject:
        body: dict[str, JsonValue] = {
            "model": self._name,
            "messages": [
                {
                    "role": message.role,
                    "parts": [part_to_json(part) for part in message.parts if not isinstance(part, ThinkingPart)],
                }
                for message in request.messages
            ],
            "tools": [
                {"name": spec.name, "description": spec.description, "parameters": spec.parameters}
                for spec in request.tools
            ],
            "max_output_tokens": request.max_output_tokens,
            "temperature": request.temperature,
            "stop": list(request.stop),
        }
        if request.schema is not None:
            body["schema"] = request.schema
        if request.seed is not None:
            body["seed"] = request.seed
        return body

    def stream(self, body: JsonObject, abort: AbortSignal) -> Iterator[ModelEvent]:
        abort.raise_if_aborted()
        request = _decode(body)
        answer = self._take(request)
        prompt = _render(body)
        self.playing = True
        try:
            _wait(abort, answer.delay_s)
            if len(prompt) >= self._window:
                raise ContextOverflow(
                    f"the prompt has {len(prompt)} tokens, the window {self._window}",
                    needed=len(prompt),
                    available=self._window,
                )
            yield from self._play(answer, request, prompt, abort)
        finally:
            self.playing = False

    def close(self) -> None:
        self.closed = True

    def _take(self, request: ChatRequest) -> Answer:
        self.requests.append(request)
        if self._loop and self._next == len(self._steps):
            self._next = 0
        if self._next == len(self._steps):
            raise ModelError(
                f"the script of model {self._name!r} has no step left for call {len(self.requests)}",
                hint=f"It has {len(self._steps)} steps; add one, or let it loop",
            )
        step = self._steps[self._next]
        self._next += 1
        reply = step(request) if callable(step) else step
        if isinstance(reply, LocalAgentError):
            return Answer(error=reply)
        return Answer(reply) if isinstance(reply, str) else reply

    def _play(
        self, answer: Answer, request: ChatRequest, prompt: list[str], abort: AbortSignal
    ) -> Iterator[ModelEvent]:
        cached = _common_prefix(self._previous, prompt)
        self._previous = prompt
        for step in range(1, answer.progress + 1):
            abort.raise_if_aborted()
            yield PromptProgress(cached + (len(prompt) - cached) * step // answer.progress, len(prompt), cached)
        if answer.thinking:
            yield ThinkingDelta(answer.thinking)
        spoken, reason = 0, answer.reason
        for piece in answer.pieces():
            _wait(abort, answer.piece_delay_s)
            if spoken >= request.max_output_tokens:
                reason = "length"
                break
            spoken += self.count_text(piece)
            yield TextDelta(piece)
        for call in answer.tool_calls:
            abort.raise_if_aborted()
            yield ToolCallReady(call)
        if answer.hangs:
            while not abort.wait(3600):
                pass
        if answer.error is not None and not abort.aborted:
            raise answer.error
        abort.raise_if_aborted()
        reported = len(prompt) if answer.prompt_tokens is None else answer.prompt_tokens
        thought = self.count_text(answer.thinking)
        yield ModelFinished(reason, Usage(prompt_tokens=reported, cached_tokens=cached, output_tokens=spoken + thought))


def _wait(abort: AbortSignal, delay_s: float) -> None:
    if delay_s > 0:
        abort.wait(delay_s)
    abort.raise_if_aborted()


def _decode(body: JsonObject) -> ChatRequest:
    messages = tuple(
        Message(
            cast("Role", message["role"]),
            tuple(part_from_json(part) for part in cast("Sequence[JsonObject]", message["parts"])),
        )
        for message in cast("Sequence[JsonObject]", body["messages"])
    )
    tools = tuple(
        ToolSpec(str(spec["name"]), str(spec["description"]), cast("JsonObject", spec["parameters"]))
        for spec in cast("Sequence[JsonObject]", body["tools"])
    )
    return ChatRequest(
        messages=messages,
        tools=tools,
        schema=cast("JsonObject | None", body.get("schema")),
        max_output_tokens=cast("int", body["max_output_tokens"]),
        temperature=cast("float", body["temperature"]),
        seed=cast("int | None", body.get("seed")),
        stop=tuple(cast("Sequence[str]", body["stop"])),
    )


def _render(body: JsonObject) -> list[str]:
    """The prompt as the tokens this model would read: the tools, then each message between two marks."""
    tokens: list[str] = []
    for spec in cast("Sequence[JsonObject]", body["tools"]):
        tokens += _words(spec)
    for message in cast("Sequence[JsonObject]", body["messages"]):
        tokens.append(f"<{message['role']}>")
        for part in cast("Sequence[JsonObject]", message["parts"]):
            tokens += _words({key: value for key, value in part.items() if key not in _NOT_READ})
        tokens.append("</>")
    return [*tokens, "<assistant>"]


def _words(value: JsonValue) -> list[str]:
    """Every word in a JSON value, keys of nested objects included, in order."""
    if isinstance(value, str):
        return _TOKEN.findall(value)
    if isinstance(value, Mapping):
        return [
            word for key, item in value.items() for word in (*(() if isinstance(item, str) else (key,)), *_words(item))
        ]
    if isinstance(value, Sequence):
        return [word for item in value for word in _words(item)]
    return [str(value)]


def _common_prefix(one: Sequence[str], other: Sequence[str]) -> int:
    length = 0
    for left, right in zip(one, other, strict=False):
        if left != right:
            break
        length += 1
    return length
