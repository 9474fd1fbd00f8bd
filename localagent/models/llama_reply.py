"""What the llama.cpp server streams back: a native call in a thread of its own, and its chunks as events."""

from __future__ import annotations

import json
import queue
import threading
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from typing import TypeAlias

from localagent.abort import AbortSignal
from localagent.errors import ContextOverflow, IncompleteAnswer, Interrupted, ModelError
from localagent.events import (
    ModelEvent,
    ModelFinished,
    PromptProgress,
    TextDelta,
    ThinkingDelta,
    ToolCallReady,
    Usage,
)
from localagent.messages import ToolCallPart
from localagent.models.worker import Carried, take

# Parsed JSON of the library; nothing is taken for granted about it.
Wire: TypeAlias = Mapping[str, object]


class NativeCall:
    """Runs `serve(self)` in a thread; `serve` passes `receive` to the library as its callback."""

    def __init__(self, serve: Callable[[NativeCall], None], body: str, has_tools: bool) -> None:
        self.body = body
        self.has_tools = has_tools
        self.cancelled = False
        self._serve = serve
        # A chunk; what the thread raised; None at the end, or to wake the consumer.
        self._queue: queue.SimpleQueue[str | BaseException | None] = queue.SimpleQueue()
        self._thread = threading.Thread(target=self._run, name="localagent-model")

    def receive(self, chunk: str) -> bool:
        """The library's callback; True tells it to stop. It must not raise: the library swallows that."""
        if self.cancelled:
            return True
        self._queue.put(chunk)
        return False

    def cancel(self) -> None:
        """Let the native call end at its next callback. Does not wait, and takes no lock: it may be called by a
        signal handler that interrupts it."""
        self.cancelled = True
        self._queue.put(None)

    def raise_if_cancelled(self) -> None:
        if self.cancelled:
            raise Interrupted("the call was given up")

    def chunks(self, abort: AbortSignal) -> Iterator[str]:
        """Start, and yield what arrives until the native call ends. Raises what its thread raised, or the abort
        signal's error at once."""
        take_back = abort.on_abort(self.cancel)
        try:
            self._thread.start()
            while True:
                chunk = take(self._queue)
                abort.raise_if_aborted()
                if isinstance(chunk, BaseException):
                    raise chunk
                if chunk is None:
                    return
                yield chunk
        finally:
            take_back()
            self.cancel()

    def _run(self) -> None:
        with Carried(self._queue.put):
            self._serve(self)
        self._queue.put(None)


@dataclass(slots=True)
class _PartialCall:
    id: str = ""
    name: str = ""
    arguments: str = ""


@dataclass(slots=True)
class Reply:
    """One answer, put together from its chunks."""

    where: str
    _reason: str | None = None
    _usage: Wire = field(default_factory=dict)
    _timings: Wire = field(default_factory=dict)
    _calls: dict[int, _PartialCall] = field(default_factory=dict)

    def read(self, chunk: str) -> Iterator[ModelEvent]:
        """Raises `ContextOverflow` or `ModelError` when the chunk is an error, or no JSON."""
        try:
            data = _object(json.loads(chunk))
        except (ValueError, RecursionError) as error:
            raise ModelError(f"the embedded model sent what is no JSON: {chunk[:200]}", where=self.where) from error
        if "error" in data:
            raise _error(_object(data["error"]), self.where)
        if progress := _object(data.get("prompt_progress")):
            processed, total, cached = (_whole(progress.get(key)) or 0 for key in ("processed", "total", "cache"))
            yield PromptProgress(processed, total, cached)
        self._usage = _object(data.get("usage")) or self._usage
        self._timings = _object(data.get("timings")) or self._timings
        for choice in map(_object, _list(data.get("choices"))):
            self._reason = _text(choice.get("finish_reason")) or self._reason
            yield from self._delta(_object(choice.get("delta")))

    def finish(self, load_s: float | None) -> Iterator[ModelEvent]:
        """The tool calls and the end. `load_s`: seconds this call waited for the model to load. Raises
        `IncompleteAnswer` when the answer has no end."""
        if self._reason is None:
            raise IncompleteAnswer("the embedded model stopped before the end of its answer", where=self.where)
        for _, call in sorted(self._calls.items()):
            yield ToolCallReady(self._tool_call(call))
        usage = Usage(
            prompt_tokens=_whole(self._usage.get("prompt_tokens")),
            cached_tokens=_whole(self._timings.get("cache_n")),
            output_tokens=_whole(self._usage.get("completion_tokens")),
            load_s=load_s,
            prompt_s=_seconds(self._timings.get("prompt_ms")),
            output_s=_seconds(self._timings.get("predicted_ms")),
        )
        yield ModelFinished("length" if self._reason == "length" else "stop", usage)

    def _delta(self, delta: Wire) -> Iterator[ModelEvent]:
        if thinking := _text(delta.get("reasoning_content")):
            yield ThinkingDelta(thinking)
        if text := _text(delta.get("content")):
            yield TextDelta(text)
        for piece in map(_object, _list(delta.get("tool_calls"))):
            call = self._calls.setdefault(_whole(piece.get("index")) or 0, _PartialCall())
            function = _object(piece.get("function"))
            call.id += _text(piece.get("id"))
            call.name += _text(function.get("name"))
            call.arguments += _text(function.get("arguments"))

    def _tool_call(self, call: _PartialCall) -> ToolCallPart:
        try:
            arguments = json.loads(call.arguments or "{}")
        except (ValueError, RecursionError):
            arguments = None
        if not isinstance(arguments, dict):
            raise ModelError(
                f"the model called tool {call.name!r} with arguments that are no JSON object: {call.arguments[:200]}",
                where=self.where,
            )
        return ToolCallPart(call.id, call.name, arguments)


def _error(error: Wire, where: str) -> ModelError:
    if error.get("type") == "exceed_context_size_error":
        needed, available = _whole(error.get("n_prompt_tokens")) or 0, _whole(error.get("n_ctx")) or 0
        return ContextOverflow(
            f"the prompt has {needed} tokens, the window {available}", where=where, needed=needed, available=available
        )
    message = _text(error.get("message"))[:300] or str(error)[:300]
    return ModelError(f"the embedded model refused the request: {message}", where=where)


def _object(value: object) -> Wire:
    return value if isinstance(value, dict) else {}


def _list(value: object) -> list[object]:
    return value if isinstance(value, list) else []


def _text(value: object) -> str:
    return value if isinstance(value, str) else ""


def _number(value: object) -> float | None:
    return value if isinstance(value, int | float) else None


def _whole(value: object) -> int | None:
    number = _number(value)
    return None if number is None else int(number)


def _seconds(milliseconds: object) -> float | None:
    number = _number(milliseconds)
    return None if number is None else number / 1000
