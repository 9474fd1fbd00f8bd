"""A chat model served by Ollama.

What one has to know about the server and handles here:
- It drops old messages without a word when a prompt is too long: `truncate: false` makes it refuse instead, and
  `shift: false` makes it stop (`length`) when the window is full, rather than forget the beginning.
- A change of `num_ctx` or `shift` loads the model anew: they are the same on every call.
- The window in use is what `/api/ps` says of the loaded model, never what `/api/show` says of its file.
- A stream that ends without `done: true` is an incomplete answer; an error may be a line of a stream whose status is
  200; tool calls may come in any line, the last one included.
"""

from __future__ import annotations

import json
import math
import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Literal, TypeAlias, cast

from localagent.abort import AbortSignal
from localagent.addresses import check_keep_alive
from localagent.errors import ConfigError, ContextOverflow, IncompleteAnswer, InternalError, ModelError
from localagent.events import ModelEvent, ModelFinished, TextDelta, ThinkingDelta, ToolCallReady, Usage
from localagent.messages import (
    JsonObject,
    JsonValue,
    Message,
    ToolCallPart,
    ToolResultPart,
    new_id,
)
from localagent.models.base import Calibration, ChatRequest, ModelInfo
from localagent.models.control import served_marks, split_marks
from localagent.models.estimate import PromptShape, TokenEstimator
from localagent.models.ollama_errors import ServerBusy, from_error
from localagent.models.ollama_http import OllamaHttp
from localagent.models.ollama_server import same_model
from localagent.tool import ToolSpec

Think: TypeAlias = bool | Literal["low", "medium", "high", "max"]
Capability: TypeAlias = Literal["tools", "schema", "thinking", "vision"]

# The window of a server that does not say: what Ollama uses on a machine without a big GPU. It is then also asked for.
FALLBACK_WINDOW = 4096

_LOOKUP_S = 30.0  # for questions that a server answers without loading anything
_NANOSECONDS = 1e9


class OllamaModel:
    """`ChatModel` for one model of one server.

    `num_ctx`: the window in tokens; None for what the server gives. `keep_alive`: seconds (negative: for ever) or a
    duration like "10m". `think`: None leaves it to the model. `calibration` keeps what the token estimate learns.
    `retry_waits_s`: how long to wait before asking a busy server again. Raises `ConfigError` for a bad address or
    duration; connects to nothing before the first call.
    """

    def __init__(
        self,
        *,
        base_url: str,
        model_name: str,
        num_ctx: int | None = None,
        think: Think | None = None,
        keep_alive: str | float | None = "10m",
        calibration: Calibration | None = None,
        retry_waits_s: Sequence[float] = (0.5, 1.0, 2.0),
    ) -> None:
        if not model_name.strip():
            raise ConfigError("the model has no name", where="model.model_name", hint="Name one, like qwen2.5:14b")
        self._http = OllamaHttp(base_url)
        self._name = model_name
        self._num_ctx = num_ctx
        self._think = think
        self._keep_alive = None if keep_alive is None else check_keep_alive(keep_alive)
        self._retry_waits_s = tuple(retry_waits_s)
        self._estimator = TokenEstimator(f"ollama:{model_name}", calibration)
        self._window = 0
        self._capabilities: frozenset[Capability] = frozenset()
        self._control = _control({})
        self._read: tuple[PromptShape, int] | None = None  # the prompt the server read last, and its tokens

    def load(self, abort: AbortSignal) -> None:
        """Look the model up, have it loaded, and learn its window; once. It may take as long as loading takes."""
        if self._window:
            return
        with abort.child(timeout_s=_LOOKUP_S, what=f"looking up model {self._name}") as soon:
            shown = self._http.call("POST", "/api/show", {"model": self._name}, soon, model=self._name)
        self._capabilities = _capabilities(shown.get("capabilities"))
        self._control = _control(shown)
        self._drain(self._body([]), abort)
        with abort.child(timeout_s=_LOOKUP_S, what="looking up the loaded models") as soon:
            served = _served_window(self._http.call("GET", "/api/ps", None, soon), self._name)
        if served is None and self._num_ctx is None:
            self._num_ctx = FALLBACK_WINDOW
        windows = [window for window in (served, self._num_ctx) if window is not None]
        self._window = min(windows)

    def describe(self) -> ModelInfo:
        """`count_error` is the worst one for the kinds of text that the server has reported on so far."""
        self.load(AbortSignal())
        return ModelInfo(
            provider="ollama",
            name=self._name,
            window=self._window,
            capabilities=self._capabilities,
            tokens_per_message=self._estimator.tokens_per_message,
            count_error=self._estimator.expected_error,
        )

    def count_text(self, text: str) -> int:
        return self._estimator.count(self._clean_text(text))

    def count_prompt(self, messages: Sequence[Message], tools: Sequence[ToolSpec] = ()) -> int:
        """An estimate, but for the prompt that the server has just read: there its report."""
        shape = _shape(self.encode(ChatRequest(tuple(messages), tuple(tools))))
        read = self._read
        return read[1] if read is not None and read[0] == shape else self._estimator.count_prompt(shape)

    def encode(self, request: ChatRequest) -> JsonObject:
        """Marks of the chat template are split in all that it puts before the model (see `control`)."""
        self.load(AbortSignal())
        body = self._body([self._clean(wire) for message in request.messages for wire in _encode_message(message)])
        options = {
            **cast("JsonObject", body["options"]),
            "temperature": request.temperature,
            "num_predict": request.max_output_tokens,
        }
        if request.seed is not None:
            options["seed"] = request.seed
        if request.stop:
            options["stop"] = list(request.stop)
        body["options"] = options
        if request.tools:
            body["tools"] = [self._clean(_encode_tool(spec)) for spec in request.tools]
        if request.schema is not None:
            body["format"] = request.schema
        if self._think is not None:
            body["think"] = self._think
        return cast("JsonObject", _sendable(body, _unicode))

    def stream(self, body: JsonObject, abort: AbortSignal) -> Iterator[ModelEvent]:
        for wait_s in self._retry_waits_s:
            try:
                yield from self._answer(body, abort)
            except ServerBusy:  # comes before any output
                abort.wait(wait_s)
                abort.raise_if_aborted()
            else:
                return
        yield from self._answer(body, abort)

    def close(self) -> None:
        """Closes connections; the server keeps the model for as long as `keep_alive` says."""
        self._http.close()

    def _clean_text(self, text: str) -> str:
        return split_marks(_unicode(text), self._control)

    def _clean(self, value: JsonValue) -> JsonValue:
        return _sendable(value, self._clean_text)

    def _body(self, messages: list[JsonValue]) -> dict[str, JsonValue]:
        """What is the same on every call, so that the server does not load the model anew."""
        body: dict[str, JsonValue] = {
            "model": self._name,
            "messages": messages,
            "stream": True,
            "truncate": False,
            "shift": False,
            "options": {} if self._num_ctx is None else {"num_ctx": self._num_ctx},
        }
        if self._keep_alive is not None:
            body["keep_alive"] = self._keep_alive
        return body

    def _answer(self, body: JsonObject, abort: AbortSignal) -> Iterator[ModelEvent]:
        try:
            for line in self._http.lines("/api/chat", body, abort, model=self._name):
                if "error" in line:
                    raise from_error(line["error"], status=200, where=self._http.url, model=self._name)
                yield from self._deltas(line.get("message"))
                if line.get("done") is True:
                    finished = _finished(line)
                    yield finished
                    self._learn_from(body, finished.usage.prompt_tokens)
                    return
        except ContextOverflow as error:
            if error.needed:
                self._estimator.observe(_shape(body), error.needed)
            raise
        raise IncompleteAnswer(
            "the answer ended before the model said that it was done",
            where=self._http.url,
            hint="It may have been repeating itself; ask again",
        )

    def _deltas(self, message: object) -> Iterator[ModelEvent]:
        if not isinstance(message, Mapping):
            return
        thinking, content, calls = message.get("thinking"), message.get("content"), message.get("tool_calls")
        if isinstance(thinking, str) and thinking:
            yield ThinkingDelta(thinking)
        if isinstance(content, str) and content:
            yield TextDelta(content)
        for call in calls if isinstance(calls, list) else ():
            yield ToolCallReady(self._tool_call(call))

    def _tool_call(self, call: object) -> ToolCallPart:
        function = call.get("function") if isinstance(call, Mapping) else None
        if isinstance(call, Mapping) and isinstance(function, Mapping) and isinstance(function.get("name"), str):
            arguments, identity = function.get("arguments"), call.get("id")
            return ToolCallPart(
                id=identity if isinstance(identity, str) and identity else f"call_{new_id()}",
                name=str(function["name"]),
                # What is no object goes on too: the model is told, as of all wrong arguments.
                arguments=cast("JsonObject", {} if arguments is None else arguments),
            )
        raise ModelError("the model's tool call has no name", where=self._http.url)

    def _learn_from(self, body: JsonObject, prompt_tokens: int | None) -> None:
        """Correct the estimate by a report; not by one of a prompt that the server seems to have cut."""
        if prompt_tokens is not None:
            shape = _shape(body)
            if not self._estimator.observe(shape, prompt_tokens).suspected_cut:
                self._read = shape, prompt_tokens

    def _drain(self, body: JsonObject, abort: AbortSignal) -> None:
        """Send a request whose answer says nothing: that which loads the model."""
        for line in self._http.lines("/api/chat", body, abort, model=self._name):
            if "error" in line:
                raise from_error(line["error"], status=200, where=self._http.url, model=self._name)


def _encode_message(message: Message) -> list[JsonValue]:
    """As the server wants it: results of tools are messages of their own; old thinking is left out."""
    results: list[JsonValue] = [
        {"role": "tool", "tool_name": part.name, "tool_call_id": part.call_id, "content": part.text}
        for part in message.parts
        if isinstance(part, ToolResultPart)
    ]
    if message.attachments:
        raise InternalError("an attachment was sent to the model without having been quoted")
    content = message.text
    if results and not content and not message.tool_calls:
        return results
    wire: dict[str, JsonValue] = {"role": message.role, "content": content}
    if message.tool_calls:
        wire["tool_calls"] = [
            {"id": call.id, "function": {"index": index, "name": call.name, "arguments": call.arguments}}
            for index, call in enumerate(message.tool_calls)
        ]
    return [*results, wire]


def _encode_tool(spec: ToolSpec) -> JsonValue:
    return {
        "type": "function",
        "function": {"name": spec.name, "description": spec.description, "parameters": spec.parameters},
    }


def _unicode(text: str) -> str:
    """The text with lone surrogates (bytes that were no UTF-8) replaced: no request can hold them."""
    try:
        text.encode("utf-8")
    except UnicodeEncodeError:
        return text.encode("utf-16-le", "surrogatepass").decode("utf-16-le", "replace")
    return text


def _sendable(value: JsonValue, clean: Callable[[str], str]) -> JsonValue:
    """The value in lists and dicts of its own, each text cleaned, and what JSON cannot hold replaced."""
    if isinstance(value, str):
        return clean(value)
    if isinstance(value, float) and not math.isfinite(value):
        return None
    if isinstance(value, Mapping):
        return {clean(key): _sendable(item, clean) for key, item in value.items()}
    if isinstance(value, Sequence):
        return [_sendable(item, clean) for item in value]
    return value


def _shape(body: JsonObject) -> PromptShape:
    """What the estimator counts of a body: all that the chat template shows to the model."""
    messages = cast("Sequence[JsonObject]", body["messages"])
    tools = cast("Sequence[JsonObject]", body.get("tools", ()))
    texts: list[str] = []
    for message in messages:
        texts.append(cast("str", message["content"]))
        for call in cast("Sequence[JsonObject]", message.get("tool_calls", ())):
            function = cast("JsonObject", call["function"])
            texts += [str(function["name"]), _compact(function["arguments"])]
    texts += [_compact(tool) for tool in tools]
    return PromptShape.of(texts, messages=len(messages), tools=len(tools))


def _compact(value: JsonValue) -> str:
    return json.dumps(value, ensure_ascii=False)


def _finished(line: Mapping[str, object]) -> ModelFinished:
    return ModelFinished(
        "length" if line.get("done_reason") == "length" else "stop",
        Usage(
            prompt_tokens=_whole(line, "prompt_eval_count"),
            output_tokens=_whole(line, "eval_count"),
            load_s=_seconds(line, "load_duration"),
            prompt_s=_seconds(line, "prompt_eval_duration"),
            output_s=_seconds(line, "eval_duration"),
        ),
    )


def _capabilities(value: object) -> frozenset[Capability]:
    """`schema` always: the server, not the model, sees to it."""
    told = value if isinstance(value, list) else []
    known: tuple[Capability, ...] = ("tools", "thinking", "vision")
    return frozenset({"schema", *(name for name in known if name in told)})


def _control(shown: Mapping[str, object]) -> re.Pattern[str] | None:
    """The marks of a model's template, from what /api/show says. Texts that end an answer are often such marks, too;
    and Ollama itself reads `[img-0]` as the place of an image."""
    template = "\n".join(text for key in ("template", "parameters") if isinstance(text := shown.get(key), str))
    info = shown.get("model_info")
    return served_marks(template, info if isinstance(info, Mapping) else {}, [("[", r"img-\d+\]")])


def _served_window(listing: Mapping[str, object], name: str) -> int | None:
    models = listing.get("models")
    for model in models if isinstance(models, list) else ():
        if isinstance(model, Mapping) and same_model(str(model.get("model", model.get("name", ""))), name):
            window = model.get("context_length")
            return window if isinstance(window, int) and window > 0 else None
    return None


def _whole(line: Mapping[str, object], key: str) -> int | None:
    value = line.get(key)
    return value if isinstance(value, int) else None


def _seconds(line: Mapping[str, object], key: str) -> float | None:
    value = line.get(key)
    return value / _NANOSECONDS if isinstance(value, int) else None
