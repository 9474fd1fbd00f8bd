"""A model of Ollama that sees, asked about one image."""

from __future__ import annotations

import base64
from collections.abc import Sequence
from typing import cast

from localagent.abort import AbortSignal
from localagent.errors import ModelError
from localagent.events import TextDelta
from localagent.messages import JsonObject, user
from localagent.models.base import ChatRequest
from localagent.models.ollama import OllamaModel

# A description is read by another model, which has a window of its own.
MOST_TOKENS = 800


def look(model: OllamaModel, image: bytes, question: str, abort: AbortSignal, *, temperature: float = 0.0) -> str:
    """What the model says of an image file's content. Raises LocalAgentError, and Aborted soon after the signal.

    A model that does not see would be sent the image all the same, and some answer without having seen it: so it is not
    asked.
    """
    model.load(abort)
    info = model.describe()
    if "vision" not in info.capabilities:
        raise ModelError(
            f"model {info.name} does not see images", hint="Name one that does in model.vision_model, like qwen2.5vl"
        )
    request = ChatRequest((user(question),), max_output_tokens=MOST_TOKENS, temperature=temperature)
    body = model.encode(request)
    *before, last = cast("Sequence[JsonObject]", body["messages"])
    seen = {**last, "images": [base64.b64encode(image).decode("ascii")]}
    events = model.stream({**body, "messages": [*before, seen]}, abort)
    said = "".join(event.text for event in events if isinstance(event, TextDelta)).strip()
    if not said:
        raise ModelError(f"model {info.name} said nothing about the image")
    return said
