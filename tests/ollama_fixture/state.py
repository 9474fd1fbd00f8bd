"""Models, windows and prompts of the test server, without HTTP."""

from __future__ import annotations

import base64
import hashlib
import json
import math
import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import Any

from ollama_fixture.replies import Reply, Script, say

Json = dict[str, Any]

_WORD = re.compile(r"[\u2e80-\u9fff\uac00-\ud7af\uff00-\uffef]|\w+?(?=[\u2e80-\u9fff])|\w+|[^\w\s]")
_DURATION = re.compile(r"[+-]?(?:0|(?:(?:\d+(?:\.\d*)?|\.\d+)(?:ns|us|µs|ms|s|m|h))+)")
_OPTION_TYPES: dict[str, type | tuple[type, ...]] = {
    "num_ctx": int,
    "num_predict": int,
    "seed": int,
    "temperature": (int, float),
    "stop": list,
}
_LOAD_OPTIONS = ("num_ctx", "num_batch", "num_gpu", "main_gpu", "use_mmap", "num_thread", "draft_num_predict")


class Refused(Exception):
    """An answer with this status and text."""

    def __init__(self, status: int, text: str) -> None:
        super().__init__(text)
        self.status = status
        self.text = text


def count_words(text: str) -> int:
    """The server's tokens of a text: words, punctuation marks, CJK characters."""
    return len(_WORD.findall(text))


@dataclass
class FakeModel:
    """`context_length` is the trained maximum, `num_ctx` what the Modelfile sets. `route`: who formats the prompt;
    with "parser" a prompt that is still too long after the cutting is cut in the middle, with "template" refused.
    `template`, `parameters` and `metadata` (of the GGUF) are what /api/show tells of them. `digest` is its identity in
    /api/tags. `embed` makes the vector of a text; `embed_script` is what the next calls of /api/embed do."""

    name: str
    capabilities: list[str] = field(default_factory=lambda: ["completion", "tools"])
    context_length: int = 8192
    num_ctx: int | None = None
    system: str = ""
    route: str = "parser"
    size: int = 1200
    parameter_size: str = "1.2B"
    load_error: str = ""
    template: str = "{{ .Prompt }}"
    parameters: str = ""
    metadata: Json = field(default_factory=dict)
    digest: str = "9f" * 32
    embed: Callable[[str], Sequence[float]] = field(default_factory=lambda: hashed_words)
    embed_script: list[Reply] = field(default_factory=list)
    script: list[Script] = field(default_factory=list)
    fallback: Script = field(default_factory=lambda: say("Hello", "."))

    @property
    def family(self) -> str:
        return "bert" if "embedding" in self.capabilities else "llama"

    @property
    def details(self) -> Json:
        return {
            "parent_model": "",
            "format": "gguf",
            "family": self.family,
            "families": [self.family],
            "parameter_size": self.parameter_size,
            "quantization_level": "Q4_K_M",
        }

    def next_reply(self, body: Json) -> Reply:
        step = self.script.pop(0) if self.script else self.fallback
        return step(body) if callable(step) else step


@dataclass
class Loaded:
    """A model in memory: the options it was loaded with, its effective window, and how long it stays."""

    model: FakeModel
    options: Json
    window: int
    keep_alive: object


def hashed_words(text: str) -> list[float]:
    """A vector of 16 numbers that texts with the same words share."""
    vector = [0.01] * 16
    for word in _WORD.findall(text.lower()):
        vector[int(hashlib.sha256(word.encode("utf-8", "replace")).hexdigest(), 16) % 16] += 1.0
    return vector


def full_name(name: str) -> str:
    return name if ":" in name.rsplit("/", 1)[-1] else f"{name}:latest"


def find(models: dict[str, FakeModel], name: str) -> FakeModel | None:
    wanted = full_name(name).lower()
    return next((model for key, model in models.items() if full_name(key).lower() == wanted), None)


def window_of(model: FakeModel, options: Json, default: int) -> int:
    """The effective num_ctx: request, Modelfile, server; at least 4, at most what the model was trained for."""
    wanted = options.get("num_ctx") or model.num_ctx or default
    return min(max(4, wanted), model.context_length)


def load_options(body: Json) -> Json:
    """What makes a model load anew when it changes."""
    options = {key: value for key, value in (body.get("options") or {}).items() if key in _LOAD_OPTIONS}
    return {**options, "shift": body.get("shift", True)}


def check_keep_alive(value: object) -> None:
    if isinstance(value, bool):
        raise Refused(400, "Unsupported type: 'bool'")
    if isinstance(value, str) and not _DURATION.fullmatch(value):
        missing = re.fullmatch(r"[+-]?\d+(\.\d+)?", value)
        text = f'time: missing unit in duration "{value}"' if missing else f'time: invalid duration "{value}"'
        raise Refused(400, text)


def check_think(value: object, model: FakeModel, sent_name: str) -> None:
    if isinstance(value, str) and value not in ("high", "medium", "low", "max"):
        raise Refused(400, f'invalid think value: "{value}" (must be "high", "medium", "low", "max", true, or false)')
    if value and "thinking" not in model.capabilities:
        raise Refused(400, f'"{sent_name}" does not support thinking')


def check_options(body: Json) -> None:
    for key, value in (body.get("options") or {}).items():
        wanted = _OPTION_TYPES.get(key)
        if wanted and value is not None and (not isinstance(value, wanted) or isinstance(value, bool)):
            kind = {"temperature": "float32", "stop": "array"}.get(key, "integer")
            raise Refused(500, f'option "{key}" must be of type {kind}')


def check_messages(messages: list[Json]) -> None:
    for message in messages:
        if not isinstance(message.get("content", ""), str):
            raise Refused(400, "json: cannot unmarshal array into Go struct field ChatRequest.messages.content")
        for image in message.get("images") or ():
            try:
                base64.b64decode(image, validate=True)
            except ValueError as error:
                raise Refused(400, "illegal base64 data at input byte 4") from error
        for call in message.get("tool_calls") or ():
            if not isinstance(call["function"]["arguments"], dict):
                raise Refused(400, "json: cannot unmarshal string into Go struct field .arguments")


def images_in(messages: list[Json]) -> int:
    return sum(len(message.get("images") or ()) for message in messages)


def check_format(value: object) -> None:
    if value not in (None, "", "json") and not isinstance(value, dict):
        text = json.dumps(value)
        raise Refused(500, f'invalid format: {json.dumps(text)}; expected "json" or a valid JSON Schema object')


def fit_prompt(model: FakeModel, body: Json, window: int) -> tuple[list[str], int]:
    """The contents that reach the model, and how many tokens the server will say it read."""
    messages = list(body["messages"])
    if model.system and messages[0].get("role") != "system":
        messages.insert(0, {"role": "system", "content": model.system})
    tools = body.get("tools") or []
    if body.get("truncate", True) is not False:
        messages = _drop_oldest(messages, tools, window)
    tokens = _count(messages, tools) + 768 * images_in(messages)
    contents = [str(message.get("content", "")) for message in messages]
    if tokens < window:
        return contents, tokens
    if model.route == "template" or body.get("truncate", True) is False:
        raise Refused(400, _overflow(tokens, window))
    if body.get("shift", True) is False:
        raise Refused(
            400,
            "the prompt is longer than the context length currently available to the model; shorten the prompt, "
            "adjust the context length in settings, or use a model with a longer context length",
        )
    keep = 5
    words = " ".join(contents).split()
    total = window - (window - keep) // 2
    return [" ".join([*words[:keep], *words[len(words) - total + keep :]])], total


def _drop_oldest(messages: list[Json], tools: list[Json], window: int) -> list[Json]:
    kept = messages
    for start in range(len(messages)):
        kept = [message for message in messages[:start] if message["role"] == "system"] + messages[start:]
        if _count(kept, tools) <= window:
            break
    return kept


def _count(messages: list[Json], tools: list[Json]) -> int:
    calls = [call["function"] for message in messages for call in message.get("tool_calls") or ()]
    texts = [str(message.get("content", "")) for message in messages]
    return sum(map(count_words, [*texts, *(json.dumps(extra, ensure_ascii=False) for extra in (*calls, *tools))]))


def _overflow(tokens: int, window: int) -> str:
    return json.dumps(
        {
            "error": {
                "code": 400,
                "message": f"request ({tokens} tokens) exceeds the available context size ({window} tokens), "
                "try increasing it",
                "type": "exceed_context_size_error",
                "n_prompt_tokens": tokens,
                "n_ctx": window,
            }
        }
    )


def embeddings(model: FakeModel, body: Json, window: int) -> tuple[list[list[float]], int]:
    """The vectors of /api/embed, and how many tokens were read."""
    inputs = body.get("input")
    texts = [inputs] if isinstance(inputs, str) else inputs or []
    if not isinstance(texts, list) or not all(isinstance(text, str) for text in texts):
        raise Refused(400, "invalid input type")
    if inputs in ("", []):
        return [], 0
    limit = window - 2  # the tokenizer adds a beginning and an end
    vectors, read = [], 0
    for text in texts:
        tokens = _WORD.findall(text)
        if len(tokens) > limit:
            if body.get("truncate", True) is False:
                raise Refused(400, "the input length exceeds the context length")
            text, tokens = " ".join(tokens[:limit]), tokens[:limit]
        vectors.append(_normalised(list(model.embed(text))[: body.get("dimensions") or None]))
        read += len(tokens)
    return vectors, read


def _normalised(vector: list[float]) -> list[float]:
    """Go cannot write numbers that are none."""
    length = math.sqrt(sum(number * number for number in vector))
    if not math.isfinite(length):
        raise Refused(500, "failed to encode response: json: unsupported value: NaN")
    return [number / length for number in vector] if length else vector
