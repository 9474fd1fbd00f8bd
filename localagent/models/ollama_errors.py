"""What Ollama says when something is wrong, as errors of localagent. Pure functions: text in, error out."""

from __future__ import annotations

import json
import re
from collections.abc import Mapping
from dataclasses import dataclass

from localagent.errors import (
    ConfigError,
    ContextOverflow,
    LocalAgentError,
    ModelError,
    ModelMissing,
    ModelUnreachable,
    ToolsUnsupported,
)

_START_HINT = "Start Ollama (ollama serve) or correct model.base_url"
_OVERFLOW_NUMBERS = (
    re.compile(r"request \((\d+) tokens\) exceeds the available context size \((\d+) tokens\)"),
    re.compile(r"input length \((\d+) tokens\) exceeds the model's maximum context length \((\d+) tokens\)"),
)
_OVERFLOW_WORDS = ("exceeds the available context size", "longer than the context length")
_GATEWAY = (502, 504)  # in plain words, never Ollama's own: what stands before it could not reach it
_NO_MEMORY = ("out of memory", "requires more system memory", "GiB are available")
_LONGEST = 500
_DEEPEST = 4  # how often an error is wrapped in another one, at most


class ServerBusy(ModelError):
    """The server's queue is full; the same request may succeed a little later."""


@dataclass(frozen=True, slots=True)
class _Fault:
    """An error's text, and the numbers of a prompt that is too long where it has them."""

    text: str
    overflow: bool = False
    needed: int = 0
    available: int = 0


def from_answer(status: int, body: bytes, *, where: str, model: str) -> LocalAgentError:
    """The error for an answer whose status is not one of success, before any output."""
    text = body.decode("utf-8", "replace").strip()
    value = _json(text)
    said = value.get("error") if isinstance(value, Mapping) else None
    if said is None and (status == 404 or status < 400 or text.startswith("<")):
        return not_ollama(where)
    if said is None and status == 403 and not text:
        return ModelUnreachable(
            "the server refuses requests from here (403)",
            where=where,
            hint="Its OLLAMA_HOST or OLLAMA_ORIGINS do not allow this address",
        )
    if said is None and status in _GATEWAY:
        return ModelUnreachable(
            f"something answers in place of Ollama: {_shorten(text) or status}", where=where, hint=_START_HINT
        )
    return from_error(said if said is not None else text, status=status, where=where, model=model)


def redirected(target: str, *, where: str) -> ModelUnreachable:
    """The error for an answer that sends us on. It is not followed: the prompt would go where nobody said it should."""
    return ModelUnreachable(
        f"the server sends requests on to {_shorten(target) or 'nowhere'}, and that is not followed",
        where=where,
        hint="If that is your server, set model.base_url to its address",
    )


def from_error(said: object, *, status: int, where: str, model: str) -> LocalAgentError:
    """The error for the `error` value of an answer or of a line of a stream (then `status` is 200)."""
    fault = _fault(said)
    text = fault.text or f"status {status} without an explanation"
    if fault.overflow:
        return ContextOverflow(
            f"the server refused the prompt: {text}",
            where=where,
            hint="Shorten the request or raise model.num_ctx",
            needed=fault.needed,
            available=fault.available,
        )
    if status == 404:
        return missing(model, where=where)
    if status == 503:
        return ServerBusy(f"the server is busy: {text}", where=where, hint="Try again in a moment")
    if "does not support tools" in text:
        return ToolsUnsupported(f"the server answered: {text}", where=where, hint=_hint(text, status, model))
    return ModelError(f"the server answered: {text}", where=where, hint=_hint(text, status, model))


def from_transport(error: Exception, *, where: str) -> LocalAgentError:
    """The error for what the HTTP client raised before an answer began."""
    import httpx

    if isinstance(error, httpx.ConnectTimeout):
        return ModelUnreachable("nothing answers (the connection timed out)", where=where, hint=_START_HINT)
    if isinstance(error, httpx.ConnectError):
        return ModelUnreachable(f"nothing answers ({_reason(error)})", where=where, hint=_START_HINT)
    if isinstance(error, httpx.InvalidURL | httpx.UnsupportedProtocol):
        return ConfigError(f"model.base_url cannot be used: {_reason(error)}", where=where)
    if isinstance(error, httpx.ProxyError):
        return ModelUnreachable(f"the proxy refused: {_reason(error)}", where=where)
    return ModelUnreachable(f"the connection broke before an answer came ({_reason(error)})", where=where)


def missing(model: str, *, where: str) -> ModelMissing:
    return ModelMissing(
        f"model {model!r} is not installed",
        where=where,
        hint=f"Install it with: localagent models pull {model}",
    )


def not_json(line: bytes, *, where: str, begun: bool) -> LocalAgentError:
    """The error for a line that is no JSON object: from a stream that had `begun` well, or from something else."""
    if not begun:
        return not_ollama(where)
    return ModelError(f"the server sent a line that is no JSON object: {_shorten(repr(line)[2:-1])}", where=where)


def not_ollama(where: str) -> ModelUnreachable:
    return ModelUnreachable(
        "something answers that is not Ollama", where=where, hint="Correct model.base_url; Ollama's port is 11434"
    )


def _reason(error: Exception) -> str:
    return _shorten(str(error)) or type(error).__name__


def _shorten(text: str) -> str:
    """One line of at most `_LONGEST` characters."""
    text = " ".join(text.split())
    return text if len(text) <= _LONGEST else text[: _LONGEST - 1] + "…"


def _json(text: str) -> object:
    try:
        value: object = json.loads(text)
    except (ValueError, RecursionError):
        return None
    return value


def _fault(said: object, depth: int = 0) -> _Fault:
    """Unwraps an `error` value: a text, a JSON text inside a text (with log lines after it, perhaps), an object."""
    if depth < _DEEPEST and isinstance(said, str) and said.lstrip().startswith("{"):
        said = _first_object(said.lstrip()) or said
    if isinstance(said, str):
        for pattern in _OVERFLOW_NUMBERS:
            if numbers := pattern.search(said):
                return _Fault(_shorten(said), True, int(numbers[1]), int(numbers[2]))
        return _Fault(_shorten(said), any(words in said for words in _OVERFLOW_WORDS))
    if depth < _DEEPEST and isinstance(said, Mapping) and "error" in said:
        return _fault(said["error"], depth + 1)
    if depth < _DEEPEST and isinstance(said, Mapping) and "message" in said:
        fault = _fault(said["message"], depth + 1)
        needed: object = said.get("n_prompt_tokens")
        available: object = said.get("n_ctx")
        return _Fault(
            fault.text,
            fault.overflow or said.get("type") == "exceed_context_size_error",
            needed if isinstance(needed, int) else fault.needed,
            available if isinstance(available, int) else fault.available,
        )
    return _Fault(_shorten(repr(said)))


def _first_object(text: str) -> Mapping[str, object] | None:
    try:
        value, _ = json.JSONDecoder().raw_decode(text)
    except (ValueError, RecursionError):
        return None
    return value if isinstance(value, Mapping) else None


def _hint(text: str, status: int, model: str) -> str:
    if "does not support tools" in text:
        return f"Model {model} cannot call tools: choose one that can"
    if "does not support thinking" in text:
        return "Set model.think to null or false"
    if "does not support chat" in text:
        return f"Model {model} makes embeddings, not answers: choose another one"
    if any(words in text for words in _NO_MEMORY):
        return "Choose a smaller model or a smaller model.num_ctx"
    if status == 401 and not model:
        return "It wants a key: put it into the variable OLLAMA_API_KEY (sent to https:// addresses only)"
    if status == 401:
        return "This model runs at ollama.com: sign in with `ollama signin`, or choose a local one"
    if "stopped" in text or "terminated" in text:
        return "Ollama's own log tells more"
    return ""
