"""The built-in model knows no tools: it calls them through replies that are bound to a form."""

from __future__ import annotations

from collections.abc import Sequence

from localagent.abort import AbortSignal
from localagent.events import ModelEvent, ModelFinished, TextDelta, ToolCallReady
from localagent.messages import system, user
from localagent.models.base import ChatRequest
from localagent.models.embedded import EmbeddedModel
from localagent.offering import Offer, offer, read_constrained, way_of
from localagent.tool import ToolSpec

WEATHER = ToolSpec(
    "weather",
    "The weather of a city.",
    {
        "type": "object",
        "properties": {
            "city": {"type": "string", "minLength": 1},
            "days": {"anyOf": [{"type": "integer", "minimum": 1}, {"type": "null"}], "default": None},
            "unit": {"$ref": "#/$defs/Unit"},
        },
        "required": ["city"],
        "$defs": {"Unit": {"enum": ["C", "F"], "type": "string"}},
    },
)


def replied(embedded: EmbeddedModel, given: Offer, text: str) -> Sequence[ModelEvent]:
    """What the model says to it, read as a reply in the form of the offer."""
    request = ChatRequest(
        (system("You are helpful." + given.words), user(text)),
        schema=given.schema,
        max_output_tokens=80,
        temperature=0.0,
        seed=1,
    )
    return list(read_constrained(embedded.stream(embedded.encode(request), AbortSignal())))


def test_the_built_in_model_replies_in_the_form(embedded: EmbeddedModel) -> None:
    info = embedded.describe()
    assert way_of("constrained", info, refused=False) == way_of("auto", info, refused=True) == "constrained"
    given = offer("constrained", [WEATHER], last=False)
    events = replied(embedded, given, "Use the tool: what is the weather in Oslo?")
    calls = [event.call for event in events if isinstance(event, ToolCallReady)]
    said = "".join(event.text for event in events if isinstance(event, TextDelta))
    assert isinstance(events[-1], ModelFinished) and bool(calls) != bool(said)
    assert not said.startswith("{") and all(one.name == "weather" and "city" in one.arguments for one in calls)


def test_the_last_step_is_bound_to_an_answer(embedded: EmbeddedModel) -> None:
    given = offer("constrained", [WEATHER], last=True)
    events = replied(embedded, given, "你好！")
    assert not any(isinstance(event, ToolCallReady) for event in events)
    assert any(isinstance(event, TextDelta) for event in events)
