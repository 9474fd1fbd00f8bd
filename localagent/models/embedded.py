"""The embedded model: llama.cpp within this process, through `xllamacpp`.

Chats are native calls in a worker thread that hands what the library streams to the consumer through a queue. The
consumer obeys the abort signal at once; the native call ends by itself at its next callback (after at most one batch
of the prompt, or one token), and the next call waits for that. One call at a time: a model has one slot.

**Text can not pretend to be the template.** The library tokenizes the whole prompt at once, so the text of a control
token (`<|im_end|>`) in a message would end the message. `encode` splits such texts with a visible space
(`< |im_end|>`); the record shows what was sent. Templates whose marks are ordinary words have no such protection.

**Nothing is in the prompt that the caller did not put there.** Some templates add a system text of their own when
there is none; for these `encode` sends an empty one.
"""

from __future__ import annotations

import hashlib
import json
import re
import threading
import time
from collections import OrderedDict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING, Final, Literal, TypeAlias, cast

from localagent.abort import AbortSignal
from localagent.errors import EnvironmentFault, LocalAgentError, ModelError
from localagent.events import ModelEvent
from localagent.messages import JsonObject, JsonValue, Message, assistant, system, user
from localagent.models.base import ChatRequest, ModelInfo
from localagent.models.gguf import GgufHeader, read_header
from localagent.models.llama_reply import NativeCall, Reply
from localagent.models.llama_request import RequestEncoder, control_pattern
from localagent.models.llama_socket import LlamaSocket
from localagent.models.machine import available_memory, threads_now
from localagent.tool import ToolSpec

if TYPE_CHECKING:
    import xllamacpp

Capability: TypeAlias = Literal["tools", "schema", "thinking", "vision"]

DEFAULT_WINDOW: Final = 8192
# A batch of 64 tokens takes 0.3-0.4 s on two slow cores: so long may an abort wait while the prompt is read. Larger
# batches read hardly faster there (measured: 128 by 3 %), on a graphics card they do.
_BATCH_CPU: Final = 64
_BATCH_GPU: Final = 512
# Prompts the slot gave up for another one are kept in memory, so that a call in the background (compression) does not
# cost the chat its prefix. The library's default is 8192 MiB; it keeps one prompt whatever its size, and this holds a
# full window of a small model beside it.
_PROMPT_CACHE_MIB: Final = 256
_READ_AHEAD: Final = 4 << 20
_COUNTS_KEPT: Final = 4096
_MAX_KEY: Final = 2000  # characters; longer texts are remembered by their hash


@dataclass(frozen=True, slots=True)
class _Loaded:
    server: xllamacpp.Server
    socket: LlamaSocket
    info: ModelInfo
    encoder: RequestEncoder
    tokens: TokenCounter


class EmbeddedModel:
    """A GGUF file as a `ChatModel`. The first use loads it (or `load()`).

    The window served is the smaller of `num_ctx` (8192 if None) and what the model was trained for, in tokens.
    `run_dir` holds the socket (see llama_socket). `think` switches the thinking of models that have a switch.
    """

    def __init__(
        self,
        gguf: Path,
        *,
        run_dir: Path,
        num_ctx: int | None = None,
        name: str = "",
        think: bool | str | None = None,
    ) -> None:
        self._gguf = gguf
        self._run_dir = run_dir
        self._num_ctx = num_ctx
        self._name = name or gguf.stem
        self._think = think
        self._loaded: _Loaded | None = None
        self._load_s: float | None = None
        self._closed = False
        self._load_lock = threading.Lock()
        self._native_lock = threading.Lock()
        self._calls: set[NativeCall] = set()

    def load(self, abort: AbortSignal) -> None:
        """The library can not be stopped while it loads, and holds Python's global lock for most of it (SmolLM2:
        about 0.4 s); an abort leaves it behind in its thread. Raises `ModelMissing` or `EnvironmentFault`."""
        abort.raise_if_aborted()
        failures: list[LocalAgentError] = []

        def load() -> None:
            try:
                self._ready()
            except LocalAgentError as error:
                failures.append(error)

        loader = threading.Thread(target=load, name="model loader", daemon=True)
        loader.start()
        while loader.is_alive():
            loader.join(0.05)
            abort.raise_if_aborted()
        if failures:
            raise failures[0]

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
        self._closed = True
        for call in list(self._calls):
            call.cancel()
        with self._native_lock, self._load_lock:
            loaded, self._loaded = self._loaded, None
        if loaded is not None:
            loaded.socket.close()

    def _serve(self, call: NativeCall) -> None:
        """In the call's own thread: wait for the model, then run the native call to its end."""
        with self._native_lock:
            if call.cancelled:
                return
            loaded = self._ready()
            if call.has_tools and not loaded.encoder.tools:
                raise ModelError(
                    f"model {self._name!r} can not call tools: its chat template has no place for them",
                    hint="Choose a model that can, or an agent without tools",
                )
            try:
                loaded.server.handle_chat_completions(call.body, call.receive)
            except (RuntimeError, ValueError) as error:
                raise ModelError(f"the embedded model refused the request: {error}", where=self._gguf.name) from error

    def _ready(self) -> _Loaded:
        with self._load_lock:
            if self._closed:
                raise ModelError("the embedded model was closed", where=self._gguf.name)
            if self._loaded is None:
                started = time.monotonic()
                self._loaded = self._load()
                self._load_s = time.monotonic() - started
            return self._loaded

    def _load(self) -> _Loaded:
        header = read_header(self._gguf)
        window = min(self._num_ctx or DEFAULT_WINDOW, header.trained_window or DEFAULT_WINDOW)
        _check_memory(self._gguf, header.cache_bytes(window), window)
        self._read_ahead()
        listener = LlamaSocket(self._run_dir)
        try:
            server = start_server(self._gguf, window, listener)
        except RuntimeError as error:
            listener.close()
            raise EnvironmentFault(
                f"llama.cpp could not load the model ({header.architecture}, window {window}); "
                "either memory is short or this version does not know this kind of model",
                where=str(self._gguf),
                hint="Set a smaller model.num_ctx, or update xllamacpp",
            ) from error
        try:
            listener.listening(server.listening_address)
            return self._inspect(server, listener, header, window)
        except ModelError:
            listener.close()
            raise

    def _read_ahead(self) -> None:
        """Bring the file into the system's cache. The library would read it while it holds Python's global lock:
        from a slow disk nothing else would run for as long, not even Ctrl-C."""
        buffer = bytearray(_READ_AHEAD)
        with self._gguf.open("rb", buffering=0) as file:
            while not self._closed and file.readinto(buffer):
                pass

    def _inspect(self, server: xllamacpp.Server, listener: LlamaSocket, header: GgufHeader, window: int) -> _Loaded:
        """Ask the loaded model what its template can do and what it costs."""
        properties = listener.get("/props")
        template = str(properties.get("chat_template", ""))
        capabilities = _capabilities(properties, template)
        encoder = RequestEncoder(
            self._name, _control_texts(header, template), tools="tools" in capabilities, think=self._think
        )
        tokens = TokenCounter(listener)
        without, empty = (tokens.of_prompt(encoder.body(ChatRequest(probe))) for probe in _SYSTEM_PROBES)
        encoder = replace(encoder, needs_system=without > empty)
        cost = max(_message_cost(encoder, tokens, probe) for probe in _COST_PROBES)
        info = ModelInfo("embedded", self._name, window, capabilities, cost, count_error=0.0)
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


def start_server(gguf: Path, window: int, listener: LlamaSocket) -> xllamacpp.Server:
    """Load a model with the parameters of the embedded one. Raises RuntimeError, all the library ever says."""
    import xllamacpp

    cpu = xllamacpp.ggml_backend_dev_type.GGML_BACKEND_DEVICE_TYPE_CPU
    accelerated = any(device["type"] != cpu for device in xllamacpp.get_device_info())
    params = xllamacpp.CommonParams()
    params.model.path = str(gguf)
    params.n_ctx = window
    params.n_batch = params.n_ubatch = _BATCH_GPU if accelerated else _BATCH_CPU
    params.n_parallel = 1
    if (threads := threads_now()) is not None:
        params.cpuparams.n_threads = params.cpuparams_batch.n_threads = threads
    params.cache_ram_mib = _PROMPT_CACHE_MIB
    params.fit_params = accelerated  # tries out how much fits on the device; costs a third of the loading time
    params.warmup = False  # costs more than the first call gains
    params.hostnames = [listener.hostname]
    params.port = listener.port
    params.api_keys = [listener.key]
    params.prefill_assistant = False  # a conversation that ends with an answer is not an answer to be continued
    params.endpoint_slots = False
    params.ui = False
    params.verbosity = -1  # nothing on standard output or error
    return xllamacpp.Server(params)


def _check_memory(gguf: Path, needed: int, window: int) -> None:
    """Refuse a window whose cache can not fit: the system would kill the process while the library fills it."""
    free = available_memory()
    if free is not None and needed > free:
        raise EnvironmentFault(
            f"a window of {window} tokens needs {needed / 2**30:.1f} GiB of memory; {free / 2**30:.1f} GiB are free",
            where=str(gguf),
            hint="Set a smaller model.num_ctx, or close other programs",
        )
