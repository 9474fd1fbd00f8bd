"""What ends a turn: the answer that stands is seen, and the record says what every mechanism said."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from pathlib import Path

import pytest
from acting import CONFIG, ActingTalk, call, calls, with_loop

from localagent.abort import AbortSignal
from localagent.errors import ToolsUnsupported
from localagent.events import Notice, TextDelta, ToolStarted
from localagent.messages import ToolResultPart
from localagent.models.base import ModelInfo
from localagent.models.scripted import ScriptedModel, Step
from localagent.quality import Mechanisms, Output, Processed, Score, TurnView
from localagent.tool import ToolContext, ToolSpec, tool
from localagent.toolbox.local import LocalToolbox
from localagent.turn import Acting

Start = Callable[..., ActingTalk]


def look(where: str) -> str:
    """Look somewhere."""
    return "nothing"


@pytest.fixture
def start(tmp_path: Path) -> Iterator[Start]:
    made: list[ActingTalk] = []

    def begin(model: ScriptedModel | Sequence[Step], *tools: Callable[..., str], **more: object) -> ActingTalk:
        model = model if isinstance(model, ScriptedModel) else ScriptedModel(list(model))
        made.append(ActingTalk(tmp_path, model, *tools, **more))  # type: ignore[arg-type]
        return made[-1]

    yield begin
    for talk in made:
        talk.close()


def seen(talk: ActingTalk) -> str:
    return "".join(event.text for event in talk.events if isinstance(event, TextDelta))


def refusing(output: Output) -> Processed:
    return Processed("retry", reason="no")


@pytest.mark.parametrize("said", ["It rains.", "下雨了。"])
def test_an_answer_that_was_refused_is_seen_where_it_stands_after_all(start: Start, said: str) -> None:
    """A stop condition ends the turn before the model can mend it."""
    mechanisms = Mechanisms(
        stop_conditions={"enough": lambda turn: "enough"},
        processors={"strict": refusing},
        retrying=frozenset({"strict"}),
    )
    config = with_loop(stop_when=("enough",), output_processors=("strict",))
    talk = start([said, "never"], config=config, mechanisms=mechanisms)
    assert talk.ask("Go on") == said and talk.finished.stop_reason == "stop_when"
    assert seen(talk) == said and talk.stored()[-1].text == said


def test_an_answer_that_was_refused_is_seen_where_only_calls_follow_it(start: Start) -> None:
    mechanisms = Mechanisms(
        stop_conditions={"looked": lambda turn: "it looked" if turn.called else ""},
        processors={"strict": refusing},
        retrying=frozenset({"strict"}),
    )
    config = with_loop(stop_when=("looked",), output_processors=("strict",))
    talk = start(["It rains.", calls(call("look", where="a")), "never"], look, config=config, mechanisms=mechanisms)
    assert talk.ask("Go on") == "It rains." and seen(talk) == "It rains."


def test_what_was_mended_is_all_that_is_seen(start: Start) -> None:
    def polite(output: Output) -> Processed:
        return Processed("accept") if "please" in output.text else Processed("retry", reason="say please")

    mechanisms = Mechanisms(
        stop_conditions={"polite": lambda turn: "please" if "please" in turn.steps[-1].text else ""},
        processors={"polite": polite},
        retrying=frozenset({"polite"}),
    )
    config = with_loop(stop_when=("polite",), output_processors=("polite",))
    talk = start(["Sit.", calls(call("look", where="a"), text="Wait, please.")], look, config=config)
    talk.talk.act(Acting(lambda: talk.box, mechanisms=mechanisms))
    assert talk.ask("Go on") == "Wait, please." and seen(talk) == "Wait, please."


def test_the_end_by_refused_calls_silences_no_other_mechanism(start: Start) -> None:
    asked: list[int] = []

    def count(turn: TurnView) -> str:
        asked.append(turn.steps[-1].number)
        return ""

    model = ScriptedModel([lambda request: calls(call("look", where="a"), text="Looking.")], loop=True)
    config = with_loop(max_identical_calls=1, stop_when=("count",))
    talk = start(model, look, config=config, mechanisms=Mechanisms(stop_conditions={"count": count}))
    assert talk.ask("Go on") == "Looking." and talk.finished.stop_reason == "calls"
    assert asked == [1, 2, 3, 4]
    assert [one for one in talk.trail() if one[0] == 4] == [
        (4, "max_steps", "go on", False),
        (4, "count", "go on", False),
        (4, "calls", "stop", True),
    ]


def test_a_condition_that_stops_at_the_last_step_is_what_ended_the_turn(start: Start) -> None:
    mechanisms = Mechanisms(stop_conditions={"at_last": lambda turn: "it is the last" if turn.last else ""})
    steps = [calls(call("look", where=str(number)), text="Looking.") for number in range(2)]
    talk = start(steps, look, config=with_loop(max_steps=2, stop_when=("at_last",)), mechanisms=mechanisms)
    assert talk.ask("Go on") == "Looking." and talk.finished.stop_reason == "stop_when"
    assert talk.turn()["ended_by"] == "stop_when"
    assert [one for one in talk.trail() if one[3]] == [(2, "at_last", "stop", True)]


def test_after_a_scorer_s_question_no_prompt_claims_to_be_cached(start: Start) -> None:
    """The model has read something else meanwhile."""

    def judge(turn: TurnView, ask: Callable[..., str], abort: AbortSignal) -> Score:
        return Score(1) if ask("Is it good?", None, abort) == "yes" else Score(0, "longer")

    config = replace(CONFIG, completion=replace(CONFIG.completion, scorers=("judge",)))
    steps = [calls(call("look", where="a")), "Hi.", "no", "Hello there.", "yes", "Again.", "yes"]
    talk = start(steps, look, config=config, mechanisms=Mechanisms(scorers={"judge": judge}))
    assert talk.ask("Hello") == "Hello there." and talk.ask("Once more") == "Again."
    shared = [(record["step"], record["shared"]) for record in talk.log.read(talk.talk.thread.id)]
    assert shared[1][1], "nothing was asked between the first steps"
    assert [one for one in shared if one[1] is None] == [
        (1, None),
        (0, None),
        (3, None),
        (0, None),
        (1, None),
        (0, None),
    ]


def test_who_leaves_at_the_first_of_several_calls_leaves_one_result_for_each(start: Start) -> None:
    """Also where another one was refused before it began."""
    three = [call("look", where="a"), call("look", where="b"), call("loook", where="c")]
    talk = start([calls(*three), "never"], look)
    events = talk.talk.send("Go on", abort=talk.abort)
    assert any(isinstance(event, ToolStarted) for event in events)
    events.close()
    results = [part.call_id for m in talk.stored() for part in m.parts if isinstance(part, ToolResultPart)]
    assert sorted(results) == sorted(one.id for one in three)


class Later(LocalToolbox):
    """A server that has its tools later."""

    there = False

    def specs(self) -> Sequence[ToolSpec]:
        return super().specs() if self.there else ()


def test_tools_that_come_while_a_turn_is_under_way_can_be_called(start: Start) -> None:
    made = tool(effects=["reads"])(look)
    box = Later({"look": made}, lambda abort: ToolContext(), default_timeout_s=30, result_tokens=100, count=len)

    def appearing(output: Output) -> Processed:
        box.there = True
        return Processed("accept" if output.turn.called else "retry", reason="look first")

    mechanisms = Mechanisms(processors={"appearing": appearing}, retrying=frozenset({"appearing"}))
    config = with_loop(output_processors=("appearing",))
    talk = start(["I know.", calls(call("look", where="a")), "Nothing there."], config=config)
    talk.talk.act(Acting(lambda: box, mechanisms=mechanisms))
    assert talk.ask("Go on") == "Nothing there." and [one.text for one in talk.results] == ["nothing"]


class WithoutForms(ScriptedModel):
    """Its server refuses tools, and knows no schemas."""

    def describe(self) -> ModelInfo:
        return replace(super().describe(), capabilities=frozenset({"tools"}))


def test_a_model_that_can_be_told_of_no_tools_in_any_way_answers_without_and_that_is_said(start: Start) -> None:
    talk = start(WithoutForms([ToolsUnsupported("it does not support tools"), "Hello."]), look)
    assert talk.ask("Hi") == "Hello."
    told = [event.text for event in talk.events if isinstance(event, Notice)]
    assert told == ["the model cannot call tools by itself; it is told of none"]
