"""What the tests of Ollama share."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TypeAlias

from localagent.abort import AbortSignal
from localagent.events import ModelEvent, TextDelta
from localagent.messages import Message, user
from localagent.models.base import ChatRequest
from localagent.models.ollama import OllamaModel

# Makes a model of the test server: its name ("tiny" if none is given) and what OllamaModel takes beside.
Make: TypeAlias = Callable[..., OllamaModel]


def ask(model: OllamaModel, *messages: Message, abort: AbortSignal | None = None) -> list[ModelEvent]:
    body = model.encode(ChatRequest(messages or (user("hi"),)))
    return list(model.stream(body, abort or AbortSignal()))


def words(events: Sequence[ModelEvent]) -> list[str]:
    return [event.text for event in events if isinstance(event, TextDelta)]
