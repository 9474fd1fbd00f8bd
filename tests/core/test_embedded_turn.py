"""Whole turns of the real built-in model in a form. It is small: what it says is not looked at, only that it holds
together."""

from __future__ import annotations

import json
import os
from collections.abc import Iterator, Mapping
from dataclasses import replace
from pathlib import Path
from typing import cast

import pytest
from acting import CONFIG, ActingTalk, results_in

from localagent.answer_schema import read_schema
from localagent.config import ModelConfig
from localagent.events import TextDelta, TurnFinished
from localagent.models.builtin import builtin_weights
from localagent.models.embedded import EmbeddedModel

ROOT = Path(__file__).resolve().parents[2]
MODEL = ModelConfig(max_output_tokens=48, temperature=0.0, seed=1, tool_calls="constrained")
CONSTRAINED = replace(CONFIG, instructions="You are helpful.", model=MODEL)


@pytest.fixture(scope="module")
def model(tmp_path_factory: pytest.TempPathFactory) -> Iterator[EmbeddedModel]:
    named = os.environ.get("LOCALAGENT_TEST_MODELS")
    weights = next(iter(Path(named).glob("SmolLM2*.gguf")), None) if named else builtin_weights(ROOT / ".cache")
    assert weights is not None, "the tests need the built-in model (make test fetches it)"
    made = EmbeddedModel(weights, num_ctx=1536, run_dir=tmp_path_factory.mktemp("run"))
    yield made
    made.close()


def weather(city: str) -> str:
    """The weather of a city, now."""
    return f"{city}: 21 degrees, sunny"


@pytest.fixture
def talk(model: EmbeddedModel, tmp_path: Path) -> Iterator[ActingTalk]:
    made = ActingTalk(tmp_path, model, weather, config=CONSTRAINED)
    yield made
    made.close()


def sent(record: Mapping[str, object]) -> str:
    return json.dumps(cast("Mapping[str, object]", record["request"])["messages"], ensure_ascii=False)


def test_a_turn_in_a_form_ends_well_and_results_reach_the_next_prompt(talk: ActingTalk) -> None:
    called = 0
    for request in ("Call the tool weather with the city Oslo.", "请调用 weather 工具，城市是北京。"):
        answer = talk.ask(request)
        assert answer.strip() and not answer.lstrip().startswith("{"), "the answer is out of its JSON"
        assert talk.turn()["ended_by"] == "answer"
        assert answer == "".join(event.text for event in talk.events if isinstance(event, TextDelta))
        records = [one for one in talk.log.read(talk.talk.thread.id) if one["id"] in talk.turn()["prompt_ids"]]  # type: ignore[operator]
        assert {record["tools_by"] for record in records} == {"constrained"}
        assert [record["step"] for record in records] == list(range(1, len(records) + 1))
        for result in talk.results:
            called += 1
            assert json.dumps(result.text.splitlines()[0])[1:-1] in sent(records[-1])
            assert '<tool_result tool=\\"' in sent(records[-1])
    stored = [part.id for message in talk.stored() for part in message.tool_calls]
    assert len(stored) == len([message for message in talk.stored() if results_in(message)]) == called
    assert called, "of two requests that ask for a call, at least one led to one"


SCHEMA = {
    "type": "object",
    "properties": {
        "colour": {"enum": ["red", "green", "蓝"]},
        "count": {"type": "integer"},
        "sure": {"type": "boolean"},
    },
    "required": ["colour", "count", "sure"],
    "additionalProperties": False,
}


def test_an_answer_bound_to_a_schema_satisfies_it_also_beside_tools(model: EmbeddedModel, tmp_path: Path) -> None:
    file = tmp_path / "schema.json"
    file.write_text(json.dumps(SCHEMA), encoding="utf-8")
    form = read_schema(file).form()
    talk = ActingTalk(
        tmp_path, model, weather, config=replace(CONSTRAINED, loop=replace(CONSTRAINED.loop, max_steps=3))
    )
    talk.talk.act(replace(talk.talk.acting, form=form))
    try:
        answer = json.loads(talk.ask("Which colour has the sky, how many skies are there, and are you sure?"))
        assert set(answer) == {"colour", "count", "sure"} and answer["colour"] in ("red", "green", "蓝")
        assert isinstance(answer["count"], int) and isinstance(answer["sure"], bool)
        assert isinstance(talk.events[-1], TurnFinished)
    finally:
        talk.close()
