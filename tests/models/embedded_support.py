"""What tests of the embedded model share: the real weights, and small files that look like models."""

from __future__ import annotations

import os
import struct
from collections.abc import Iterable
from pathlib import Path

from localagent.abort import AbortSignal
from localagent.events import ModelEvent, ModelFinished, TextDelta
from localagent.messages import JsonObject, Message
from localagent.models.base import ChatRequest
from localagent.models.builtin import builtin_weights
from localagent.models.embedded import EmbeddedModel

ROOT = Path(__file__).resolve().parents[2]
FETCH = "LOCALAGENT_HOME=.cache python -m localagent models pull smollm2"


def find_weights() -> Path:
    """The built-in model's file, from the folder LOCALAGENT_TEST_MODELS or the checkout's .cache."""
    named = os.environ.get("LOCALAGENT_TEST_MODELS")
    found = next(iter(Path(named).glob("SmolLM2*.gguf")), None) if named else builtin_weights(ROOT / ".cache")
    assert found is not None, f"the tests need the built-in model; fetch it with: {FETCH} (make test does)"
    return found


def ask(model: EmbeddedModel, *messages: Message, **options: object) -> ChatRequest:
    """A request with a short, repeatable answer unless told otherwise."""
    return ChatRequest(messages, **{"max_output_tokens": 8, "temperature": 0.0, "seed": 1, **options})  # type: ignore[arg-type]


def run(model: EmbeddedModel, request: ChatRequest, abort: AbortSignal | None = None) -> list[ModelEvent]:
    return list(model.stream(model.encode(request), abort or AbortSignal()))


def text_of(events: Iterable[ModelEvent]) -> str:
    return "".join(event.text for event in events if isinstance(event, TextDelta))


def finished(events: list[ModelEvent]) -> ModelFinished:
    assert isinstance(events[-1], ModelFinished)
    return events[-1]


def contents(body: JsonObject) -> list[str]:
    messages = body["messages"]
    assert isinstance(messages, list)
    return [message["content"] for message in messages]


def small_gguf(architecture: str = "nonsense", *, tensor_bytes: int = 64, present: int | None = None) -> bytes:
    """A well-formed GGUF file with one tensor, of which `present` bytes are there."""

    def text(value: str) -> bytes:
        return struct.pack("<Q", len(value.encode())) + value.encode()

    def pair(key: str, kind: int, value: bytes) -> bytes:
        return text(key) + struct.pack("<I", kind) + value

    words = ("a", "<|end|>", "<tool>")
    metadata = [
        pair("general.architecture", 8, text(architecture)),
        pair(f"{architecture}.context_length", 4, struct.pack("<I", 4096)),
        pair(f"{architecture}.block_count", 4, struct.pack("<I", 10)),
        pair(f"{architecture}.attention.head_count", 4, struct.pack("<I", 8)),
        pair(f"{architecture}.attention.head_count_kv", 4, struct.pack("<I", 2)),
        pair(f"{architecture}.embedding_length", 4, struct.pack("<I", 512)),
        pair("tokenizer.ggml.tokens", 9, struct.pack("<IQ", 8, len(words)) + b"".join(map(text, words))),
        pair("tokenizer.ggml.token_type", 9, struct.pack("<IQ3i", 5, 3, 1, 3, 4)),
    ]
    tensor = text("x") + struct.pack("<IQIQ", 1, tensor_bytes // 4, 0, 0)
    head = b"GGUF" + struct.pack("<IQQ", 3, 1, len(metadata)) + b"".join(metadata) + tensor
    return head + b"\0" * (-len(head) % 32) + b"\0" * (tensor_bytes if present is None else present)
