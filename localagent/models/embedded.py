"""The embedded model: llama.cpp within this process, through `xllamacpp`.

Chats are native calls in a worker thread that hands what the library streams to the consumer through a queue. The
consumer obeys the abort signal at once; the native call ends by itself at its next callback (after at most one batch
of the prompt, or one token), and the next call waits for that. One call at a time: a model has one slot.

**Text cannot pretend to be the template.** The library tokenizes the whole prompt at once, so the text of a control
token (`<|im_end|>`) in a message would end the message. `encode` splits such texts with a visible space
(`< |im_end|>`); the record shows what was sent. Templates whose marks are ordinary words have no such protection.

**Nothing is in the prompt that the caller did not put there.** Some templates add a system text of their own when
there is none; for these `encode` sends an empty one.
"""

from __future__ import annotations

import contextlib
import hashlib
import json
import re
import threading
import time
from collections import OrderedDict
from collections.abc import Callable, Iterator, Mapping, Sequence
from concurrent.futures import Future, wait
from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Final, Literal, TypeAlias, cast

from localagent.abort import AbortSignal
from localagent.errors import ModelError, ToolsUnsupported
from localagent.events import ModelEvent
from localagent.messages import JsonObject, JsonValue, Message, assistant, system, user
from localagent.models.base import ChatRequest, ModelInfo
from localagent.models.control import control_pattern
from localagent.models.gguf import GgufHeader, model_file_errors, read_header
from localagent.models.llama_reply import NativeCall, Reply
from localagent.models.llama_request import RequestEncoder
from localagent.models.llama_server import check_memory, start_server
from localagent.models.llama_socket import LlamaSocket
from localagent.models.worker import Carried
from localagent.tool import ToolSpec

if TYPE_CHECKING:
    import xllamacpp

Capability: TypeAlias = Literal["tools", "schema", "thinking", "vision"]

DEFAULT_WINDOW: Final = 8192
_LOOK_S: Final = 0.05
_READ_AHEAD: Final = 4 << 20
_COUNTS_KEPT: Final = 4096
_MAX_KEY: Final = 2000  # characters; longer texts are remembered by their hash


@dataclass(frozen=True, slots=True)
class _Loaded:
    server: xllamacpp.Server
    listener: LlamaSocket
    info: ModelInfo
    encoder: RequestEncoder
    tokens: TokenCounter


class EmbeddedModel:
    """A GGUF file as a `ChatModel`. The first use loads it (or `load()`).

    The window served is the smaller of `num_ctx` (8192 if None) and what the model was trained for, in tokens.
    `run_dir` holds the socket (see llama_socket). `think` switches the thinking of models that have a switch.
    `against_loops` makes long repetitions unlikely, for very small models.
    """

    def __init__(
        self,
        gguf: Path,
        *,
        run_dir: Path,
        num_ctx: int | None = None,
        name: str = "",
        think: bool | str | None = None,
        against_loops: bool = False,
    ) -> None:
        self._gguf = gguf
        self._run_dir = run_dir
        self._num_ctx = num_ctx
        self._name = name or gguf.stem
        self._think = think
        self._against_loops = against_loops
        # The loaded model hangs on this one attribute: what waits for it, or failed waiting, must not keep it alive.
        self._loaded: _Loaded | None = None
        self._loading: Future[None] | None = None
        self._closed = False
        self._state_lock = threading.Lock()  # of the three above; held for moments
        self._load_s: float | None = None
        self._native_lock = threading.Lock()
        self._calls: set[NativeCall] = set()

    def load(self, abort: AbortSignal) -> None:
        """The library cannot be stopped while it loads, and holds Python's global lock for most of it (SmolLM2:
        about 0.4 s); an abort leaves it behind in its thread. Raises `ModelMissing` or `EnvironmentFault`."""
        abort.raise_if_aborted()
        self._ready(abort.raise_if_aborted)

    def describe(self) -> ModelInfo:
        return self._ready().info

    def count_text(self, text: str) -> int:
        loaded = self._ready()
        return loaded.tokens.of_text(loaded.encoder.clean(text))

    def count_prompt(self, messages: Sequence[Message], tools: Sequence[ToolSpec] = ()) -> int:
        loaded = self._ready()
        return loaded.tokens.of_prompt(loaded.encoder.body(ChatRequest(tuple(messages), tuple(tools))))

    def encode(self, request: ChatRequest) -> JsonObject:
        return self._ready().encoder.body(request)

    def stream(self, body: JsonObject, abort: AbortSignal) -> Iterator[ModelEvent]:
        """Also raises `ModelError` when tools are asked of a model whose template has no place for them: it would
        leave them out without a word."""
        abort.raise_if_aborted()
        call = NativeCall(self._serve, json.dumps(body), bool(body.get("tools")))
        self._calls.add(call)
        try:
            reply = Reply(self._gguf.name)
            for chunk in call.chunks(abort):
                yield from reply.read(chunk)
            load_s, self._load_s = self._load_s, None
            yield from reply.finish(load_s)
        finally:
            call.cancel()
            self._calls.discard(call)

    def close(self) -> None:
        """Waits for a call until it notices (at most one batch), never for a model that is still being loaded: the
        thread that loads it frees it."""
        with self._state_lock:
            self._closed = True
            loaded, self._loaded = self._loaded, None
        for call in list(self._calls):
            call.cancel()
        if loaded is not None:
            with self._native_lock:
                loaded.listener.close()

    def _serve(self, call: NativeCall) -> None:
        """In the call's own thread: wait for the model, then run the native call to its end."""
        loaded = self._ready(call.raise_if_cancelled)
        with self._native_lock:
            call.raise_if_cancelled()
            if call.has_tools and not loaded.encoder.tools:
                raise ToolsUnsupported(
                    f"model {self._name!r} cannot call tools: its chat template has no place for them",
                    hint="Choose a model that can, or an agent without tools",
                )
            try:
                loaded.server.handle_chat_completions(call.body, call.receive)
            except (RuntimeError, ValueError) as error:
                raise ModelError(f"the embedded model refused the request: {error}", where=self._gguf.name) from error

    def _ready(self, check: Callable[[], None] = lambda: None) -> _Loaded:
        """The loaded model; it is loaded if it is not. What `check` raises ends the waiting."""
        loading = self._load_once()
        while not wait([loading], _LOOK_S).done:
            check()
            if self._closed:
                raise self._was_closed()
        loading.result()
        loaded = self._loaded
        if loaded is None:
            raise self._was_closed()
        return loaded

    def _load_once(self) -> Future[None]:
        """The load that succeeded or is under way; one that failed is tried again."""
        with self._state_lock:
            if self._closed:
                raise self._was_closed()
            if self._loading is None or (self._loading.done() and self._loading.exception() is not None):
                self._loading = Future()
                loader = partial(self._run, self._loading)
                threading.Thread(target=loader, name="localagent-loader", daemon=True).start()
            return self._loading

    def _run(self, loading: Future[None]) -> None:
        """In the loader's thread. Whoever waits gets what it raises."""
        with Carried(loading.set_exception), contextlib.ExitStack() as undo:
            started = time.monotonic()
            loaded = self._load(undo)
            with self._state_lock:
                if self._closed:
                    return  # nobody waits any more: `undo` and the end of this function free it
                self._loaded = loaded
            self._load_s = time.monotonic() - started
            undo.pop_all()
            loading.set_result(None)

    def _was_closed(self) -> ModelError:
        return ModelError("the embedded model was closed", where=self._gguf.name)

    def _load(self, undo: contextlib.ExitStack) -> _Loaded:
        """`undo` frees what was made so far."""
        header = read_header(self._gguf)
        window = min(self._num_ctx or DEFAULT_WINDOW, header.trained_window or DEFAULT_WINDOW)
        check_memory(self._gguf, header.cache_bytes(window), window)
        self._read_ahead()
        listener = LlamaSocket(self._run_dir)
        undo.callback(listener.close)
        server = start_server(self._gguf, header, window, listener)
        listener.listening(server.listening_address)
        return self._inspect(server, listener, header, window)

    def _read_ahead(self) -> None:
        """Bring the file into the system's cache. The library would read it while it holds Python's global lock:
        from a slow disk nothing else would run for as long, not even Ctrl-C."""
        buffer = bytearray(_READ_AHEAD)
        with model_file_errors(self._gguf), self._gguf.open("rb", buffering=0) as file:
            while not self._closed and file.readinto(buffer):
                pass

    def _inspect(self, server: xllamacpp.Server, listener: LlamaSocket, header: GgufHeader, window: int) -> _Loaded:
        """Ask the loaded model what its template can do and what it costs."""
        properties = listener.get("/props")
        template = str(properties.get("chat_template", ""))
        capabilities = _capabilities(properties, template)
        encoder = RequestEncoder(
            self._name,
            _control_texts(header, template),
            tools="tools" in capabilities,
            think=self._think,
            against_loops=self._against_loops,
        )
        tokens = TokenCounter(listener)
        without, empty = (tokens.of_prompt(encoder.body(ChatRequest(probe))) for probe in _SYSTEM_PROBES)
        encoder = replace(encoder, needs_system=without > empty)
        cost = max(_message_cost(encoder, tokens, probe) for probe in _COST_PROBES)
        info = ModelInfo("embedded", self._name, window, capabilities, cost, count_error=0.0, tiny=self._against_loops)
        return _Loaded(server, listener, info, encoder, tokens)


class TokenCounter:
    """The model's own tokenizer. The latest counts of texts are kept."""

    def __init__(self, listener: LlamaSocket) -> None:
        self._listener = listener
        self._known: OrderedDict[str | bytes, int] = OrderedDict()
        self._lock = threading.Lock()

    def of_text(self, text: str) -> int:
        key = text if len(text) <= _MAX_KEY else hashlib.sha256(text.encode()).digest()
        with self._lock:
            count = self._known.get(key)
            if count is not None:
                self._known.move_to_end(key)
                return count
        count = self._tokenize(text, whole=False)
        with self._lock:
            self._known[key] = count
            if len(self._known) > _COUNTS_KEPT:
                self._known.popitem(last=False)
        return count

    def of_prompt(self, body: JsonObject) -> int:
        """Tokens of a request's prompt, through the model's chat template."""
        return self._tokenize(str(self._listener.post("/apply-template", body)["prompt"]), whole=True)

    def _tokenize(self, text: str, *, whole: bool) -> int:
        answer = self._listener.post("/tokenize", {"content": text, "add_special": whole, "parse_special": True})
        return len(cast("list[JsonValue]", answer["tokens"]))


# The text of the probes is one token in every vocabulary.
_SYSTEM_PROBES: Final = ((user("x"),), (system(""), user("x")))
# Conversations as agents have them: with instructions. The start of the answer and the system message weigh most in the
# shortest ones. Bounding also a lone message without instructions would double the cost claimed for all others.
_COST_PROBES: Final = (
    (system("x"), user("x")),
    (system("x"), assistant("x")),
    (system("x"), user("x"), assistant("x"), user("x")),
)


def _message_cost(encoder: RequestEncoder, tokens: TokenCounter, probe: tuple[Message, ...]) -> int:
    """What the template adds to each of these messages, in tokens, rounded up: with the start of the answer. 0 for an
    order of roles that the template refuses."""
    try:
        whole = tokens.of_prompt(encoder.body(ChatRequest(probe)))
    except ModelError:
        return 0
    return -(-(whole - sum(tokens.of_text(each.text) for each in probe)) // len(probe))


def _capabilities(properties: JsonObject, template: str) -> frozenset[Capability]:
    """As the library found by trying the template. Structured output needs no template."""
    found: set[Capability] = {"schema"}
    tested = properties.get("chat_template_caps")
    if isinstance(tested, Mapping) and tested.get("supports_tools") and tested.get("supports_tool_calls"):
        found.add("tools")
    if "enable_thinking" in template or "<think>" in template:
        found.add("thinking")
    return frozenset(found)


def _control_texts(header: GgufHeader, template: str) -> re.Pattern[str] | None:
    """Control tokens, and those the maker added and the template uses as marks (`<tool_call>`)."""
    marks = (text for text in header.user_tokens if text in template and re.search(r"[<|\[]", text))
    return control_pattern((*header.control_tokens, *marks))
