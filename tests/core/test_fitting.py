"""A window that is too small for the descriptions of all tools: some are not offered, and that is said."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import replace
from pathlib import Path
from typing import cast

import pytest
from acting import CONFIG, ActingTalk, call, calls
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from localagent.config import AgentConfig
from localagent.events import Notice
from localagent.fitting import SHARE, Fitting
from localagent.messages import JsonValue
from localagent.models.scripted import ScriptedModel
from localagent.offering import Offer
from localagent.render_record import describe
from localagent.tool import Tool, ToolSpec, tool

WAYS = {"native": "auto", "constrained": "constrained"}


def made(name: str, words: int) -> Tool:
    def function(city: str) -> str:
        return f"{name}: {city}"

    function.__name__ = name
    function.__doc__ = "Looks something up. " + "word " * words
    return tool(effects=["reads"])(cast("Callable[..., JsonValue]", function))


def way(name: str) -> AgentConfig:
    return replace(CONFIG, model=replace(CONFIG.model, tool_calls=WAYS[name]))


@pytest.fixture
def talks(tmp_path: Path) -> Iterator[Callable[..., ActingTalk]]:
    opened: list[ActingTalk] = []

    def begin(model: ScriptedModel, *tools: Tool, config: AgentConfig = CONFIG) -> ActingTalk:
        opened.append(ActingTalk(tmp_path, model, *tools, config=config))
        return opened[-1]

    yield begin
    for talk in opened:
        talk.close()


def told(talk: ActingTalk) -> list[str]:
    return [event.text for event in talk.events if isinstance(event, Notice)]


@pytest.mark.parametrize("by", WAYS)
def test_those_that_fit_are_offered_in_the_order_of_the_agent(talks: Callable[..., ActingTalk], by: str) -> None:
    model = ScriptedModel(["Hello.", "Hello again."], window=500)
    talk = talks(model, made("first", 5), made("huge", 600), made("last", 5), config=way(by))
    assert talk.ask("Hello") == "Hello."
    (note,) = told(talk)
    assert note.startswith("the tool huge is not offered") and "model.num_ctx" in note and "tools:" in note
    assert talk.ask("你好") == "Hello again." and told(talk) == [], "it is said once"
    for request in model.requests:
        shown = str(request.tools) + request.messages[0].text
        assert "first" in shown and "last" in shown and "huge" not in shown
    for record in talk.log.read(talk.talk.thread.id):
        assert (record["tools_by"], record["tools_left_out"], record["tools_note"]) == (by, ["huge"], note)
        assert note in describe(record)
    fitted, _ = talk.talk.tools()
    assert [spec.name for spec in fitted.tools] == ["first", "last"] and fitted.left_out == ("huge",)


@pytest.mark.parametrize("by", WAYS)
def test_where_none_fits_the_turn_goes_on_without(talks: Callable[..., ActingTalk], by: str) -> None:
    model = ScriptedModel(["Hello."], window=200)
    talk = talks(model, made("one", 300), made("two", 300), config=way(by))
    assert talk.ask("Hello") == "Hello."
    (note,) = told(talk)
    assert note.startswith("the tools one, two are not offered")
    assert not model.requests[0].tools and model.requests[0].schema is None
    assert talk.log.list(talk.talk.thread.id)[0]["tools_by"] == "none"


@pytest.mark.parametrize("by", WAYS)
def test_a_window_that_is_large_enough_is_not_spoken_of(talks: Callable[..., ActingTalk], by: str) -> None:
    model = ScriptedModel(["Hello."], window=8192)
    talk = talks(model, made("one", 300), made("two", 300), config=way(by))
    assert talk.ask("Hello") == "Hello." and told(talk) == []
    record = talk.log.list(talk.talk.thread.id)[0]
    assert record["tools_left_out"] == [] and record["tools_note"] == ""
    fitted, _ = talk.talk.tools()
    assert len(fitted.tools) == 2


def test_the_choice_stays_in_every_step_and_what_is_offered_works(talks: Callable[..., ActingTalk]) -> None:
    model = ScriptedModel([calls(call("small", city="Oslo")), calls(call("small", city="北京")), "Done."], window=500)
    talk = talks(model, made("huge", 600), made("small", 5))
    assert talk.ask("Look") == "Done."
    assert [one.text for one in talk.results] == ["small: Oslo", "small: 北京"]
    assert [[spec.name for spec in request.tools] for request in model.requests] == [["small"]] * 3
    assert len(told(talk)) == 1


def test_another_model_may_have_room_for_all(talks: Callable[..., ActingTalk]) -> None:
    talk = talks(ScriptedModel(["Hello."], window=500), made("huge", 600))
    talk.ask("Hello")
    larger = ScriptedModel(["Hello."], window=8192)
    talk.talk.use_model(larger)
    talk.ask("Hello")
    assert told(talk) == [] and [spec.name for spec in larger.requests[0].tools] == ["huge"]


@settings(deadline=None, max_examples=60, suppress_health_check=[HealthCheck.differing_executors])
@given(sizes=st.lists(st.integers(0, 80), max_size=7), room=st.integers(0, 300), by=st.sampled_from([*WAYS]))
def test_what_is_offered_fits_keeps_its_order_and_leaves_out_nothing_that_would_fit(
    sizes: list[int], room: int, by: str
) -> None:
    specs = [ToolSpec(f"tool{at}", "word " * size, {"type": "object"}) for at, size in enumerate(sizes)]

    def cost(offer: Offer) -> int:
        return sum(len(spec.description.split()) for spec in offer.tools) + len(offer.words.split())

    info = ScriptedModel().describe()
    fitted = Fitting(cost).fit(by, specs, lambda: room, info)  # type: ignore[arg-type]
    kept = [specs.index(spec) for spec in fitted.tools]
    assert kept == sorted(kept) and {spec.name for spec in fitted.tools} | set(fitted.left_out) == {
        spec.name for spec in specs
    }
    assert bool(fitted.note) == bool(fitted.left_out)
    if by == "native":
        used = sum(sizes[at] for at in kept)
        assert used <= room * SHARE
        for at in set(range(len(specs))) - set(kept):
            assert sum(sizes[one] for one in kept if one < at) + sizes[at] > int(room * SHARE)
