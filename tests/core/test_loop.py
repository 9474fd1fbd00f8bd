"""A turn that acts: steps, calls, their results, and what ends it. English and Chinese."""

from __future__ import annotations

import json
import subprocess
import sys
import threading
from collections.abc import Callable, Iterator
from dataclasses import replace
from itertools import pairwise
from pathlib import Path

import pytest
from acting import CONFIG, ActingTalk, call, calls, results_in, with_loop

from localagent.abort import AbortSignal
from localagent.calls import Decision, Toolbox
from localagent.errors import IncompleteAnswer, Interrupted, ModelError
from localagent.events import Evaluated, Notice, StepStarted, TextDelta, ToolFinished, ToolStarted
from localagent.fitting import Fitted
from localagent.messages import ToolCallPart, ToolResultPart
from localagent.models.base import ChatRequest
from localagent.models.scripted import Answer, ScriptedModel, Step
from localagent.quality import Mechanisms, Output, Processed, Score, TurnView
from localagent.tool import ToolRetry, tool, tool_context

Start = Callable[..., ActingTalk]


def weather(city: str) -> str:
    """The weather of a city."""
    return f"{city}: 21 degrees, sunny"


def count_to(limit: int) -> list[int]:
    """Count."""
    return list(range(limit))


def broken() -> str:
    """Always fails."""
    raise RuntimeError("the disk is on fire")


@pytest.fixture
def start(tmp_path: Path) -> Iterator[Start]:
    made: list[ActingTalk] = []

    def begin(steps: list[Step], *tools: object, **more: object) -> ActingTalk:
        made.append(ActingTalk(tmp_path, ScriptedModel(steps), *tools, **more))  # type: ignore[arg-type]
        return made[-1]

    yield begin
    for talk in made:
        talk.close()


def requests(talk: ActingTalk) -> list[ChatRequest]:
    assert isinstance(talk.model, ScriptedModel)
    return talk.model.requests


@pytest.mark.parametrize(("city", "answer"), [("Oslo", "Sunny, 21 degrees."), ("北京", "北京晴，21度。")])
def test_a_call_its_result_and_the_answer(start: Start, city: str, answer: str) -> None:
    talk = start([calls(call("weather", city=city), text="Let me see."), answer], weather)
    assert talk.ask("How is the weather?") == answer
    assert [message.role for message in talk.stored()] == ["user", "assistant", "tool", "assistant"]
    assert results_in(talk.stored()[2]) == [f"{city}: 21 degrees, sunny"]
    second = requests(talk)[1].messages
    assert [message.role for message in second] == ["system", "user", "assistant", "tool"]
    assert second[2].tool_calls[0].arguments == {"city": city}
    assert results_in(second[3])[0].startswith('<tool_result tool="weather">')
    kinds = [type(event) for event in talk.events]
    assert kinds.index(StepStarted) < kinds.index(ToolStarted) < kinds.index(ToolFinished)
    assert talk.finished.steps == 2 and talk.finished.stop_reason == "stop"


def test_each_call_of_the_model_has_a_record_of_the_same_turn(start: Start) -> None:
    talk = start([calls(call("weather", city="Oslo")), "Sunny."], weather)
    talk.ask("How is the weather?")
    newest, oldest = talk.log.list(talk.talk.thread.id)
    assert (oldest["step"], newest["step"]) == (1, 2) and oldest["turn_id"] == newest["turn_id"]
    assert oldest["tools_by"] == newest["tools_by"] == "native" and oldest["tool_tokens"] > 0  # type: ignore[operator]
    assert oldest["outcome"]["ended_by"] == "tool_calls"  # type: ignore[index]
    turn = talk.turn()
    assert turn["prompt_ids"] == [oldest["id"], newest["id"]] and turn["ended_by"] == "answer" and turn["steps"] == 2
    called = turn["calls"][0]  # type: ignore[index]
    assert (called["tool"], called["ran"], called["step"]) == ("weather", True, 1)
    assert called["approval"] == "allow: it only reads"


def test_a_later_turn_sees_the_calls_of_an_earlier_one(start: Start) -> None:
    talk = start([calls(call("weather", city="Oslo")), "Sunny.", "As I said."], weather)
    talk.ask("How is the weather?")
    talk.ask("Again?")
    assert [m.role for m in requests(talk)[2].messages] == ["system", "user", "assistant", "tool", "assistant", "user"]


def test_tools_come_in_the_same_order_and_the_prompt_only_grows(start: Start) -> None:
    """What the model's cache needs."""
    made = [call("weather", city=f"town {number}") for number in range(3)]
    talk = start([*(calls(one) for one in made), "done"], weather, count_to)
    talk.ask("Look")
    sent = requests(talk)
    assert all(request.tools == sent[0].tools for request in sent) and len(sent[0].tools) == 2
    for before, after in pairwise(sent):
        assert after.messages[: len(before.messages)] == before.messages


def test_several_calls_that_only_read_run_at_the_same_time(start: Start) -> None:
    both = threading.Barrier(2, timeout=20)

    def meet(name: str) -> str:
        """Waits for the other one."""
        both.wait()
        return name

    talk = start([calls(call("meet", name="a"), call("meet", name="b")), "met"], meet)
    assert talk.ask("Meet") == "met"
    assert [results_in(m) for m in talk.stored() if m.role == "tool"] == [["a"], ["b"]], "in the order of the calls"


def test_of_two_calls_one_may_fail(start: Start) -> None:
    talk = start([calls(call("broken"), call("weather", city="Oslo")), "Half of it."], broken, weather)
    assert talk.ask("Both") == "Half of it."
    assert sorted(one.is_error for one in talk.results) == [False, True]
    assert "the disk is on fire" in results_in(talk.stored()[2])[0]


def test_what_writes_runs_one_after_the_other(start: Start) -> None:
    done: list[str] = []

    @tool(effects=["writes"])
    def note(text: str) -> str:
        """Writes."""
        done.append(f"begin {text}")
        done.append(f"end {text}")
        return "noted"

    def allow(call: ToolCallPart, toolbox: Toolbox, abort: AbortSignal) -> Decision:
        return Decision("allow", "test")

    talk = start([calls(call("note", text="a"), call("note", text="b")), "ok"], note, permit=allow)
    talk.ask("Write")
    assert done == ["begin a", "end a", "begin b", "end b"]


def test_a_call_that_is_not_allowed_does_not_run_and_the_model_hears_why(start: Start) -> None:
    @tool(effects=["writes"])
    def erase() -> str:
        """Erases everything."""
        raise AssertionError("it ran")

    talk = start([calls(call("erase")), "I may not."], erase)
    assert talk.ask("Erase") == "I may not."
    (result,) = talk.results
    assert not result.ran and result.is_error and "nobody can be asked" in result.text
    assert talk.turn()["calls"][0]["approval"].startswith("deny")  # type: ignore[index]


def test_an_unknown_tool_and_wrong_arguments_are_told_in_words(start: Start) -> None:
    talk = start(
        [
            calls(call("wether", city="Oslo")),
            calls(call("count_to", limit="five")),
            calls(call("count_to", limit=2)),
            "2",
        ],
        weather,
        count_to,
    )
    assert talk.ask("Try") == "2"
    texts = [one.text for one in talk.results]
    assert "Did you mean weather?" in texts[0] and "limit must be an integer, got 'five'" in texts[1]
    assert [one.ran for one in talk.results] == [False, False, True]


def test_a_tool_is_refused_after_too_many_wrong_calls(start: Start) -> None:
    wrong = [calls(call("count_to", limit=f"no {number}")) for number in range(4)]
    talk = start([*wrong, "I give up."], count_to, config=with_loop(max_tool_retries=2))
    assert talk.ask("Count") == "I give up."
    assert "have failed 3 times" in talk.results[3].text and "must be an integer" in talk.results[2].text


def test_a_tool_that_asks_for_other_arguments_may_be_called_again(start: Start) -> None:
    def find(name: str) -> str:
        """Finds."""
        if name != "tea":
            raise ToolRetry("Only tea is there.")
        return "here"

    talk = start([calls(call("find", name="coffee")), calls(call("find", name="tea")), "found"], find)
    assert talk.ask("Find") == "found"
    assert "Only tea is there." in talk.results[0].text and talk.results[1].text == "here"


def test_the_same_call_again_and_again_is_stopped_long_before_the_steps_are_used_up(start: Start) -> None:
    ran: list[str] = []

    def look(where: str) -> str:
        """Looks."""
        ran.append(where)
        return "nothing"

    model = ScriptedModel(
        [lambda request: calls(call("look", where="here")) if request.tools else Answer("Nothing.")], loop=True
    )
    talk = start([], look, config=with_loop(max_steps=100, max_identical_calls=2))
    talk.talk.use_model(model)
    talk.model = model
    assert talk.ask("Look") == "Nothing." and ran == ["here", "here"]
    assert len(model.requests) == 5 and not model.requests[-1].tools
    assert "last step" in model.requests[-1].messages[-1].parts[-1].text  # type: ignore[union-attr]


def test_who_still_calls_after_that_is_cut_off(start: Start) -> None:
    def look() -> str:
        """Looks."""
        return "nothing"

    talk = start([], look, config=with_loop(max_steps=100))
    talk.talk.use_model(ScriptedModel([lambda request: calls(call("look"), text="Looking.")], loop=True))
    assert talk.ask("Look") == "Looking."
    assert talk.finished.stop_reason == "calls" and talk.turn()["ended_by"] == "calls"
    assert talk.trail()[-1] == (5, "calls", "stop", True)
    assert not talk.stored()[-1].tool_calls, "calls that nobody answers are not kept"


def test_the_calls_of_a_turn_are_limited(start: Start) -> None:
    many = calls(*(call("weather", city=str(number)) for number in range(5)))
    talk = start([many, "Enough."], weather, config=with_loop(max_tool_calls=3))
    assert talk.ask("All of them") == "Enough."
    assert [one.ran for one in talk.results].count(True) == 3
    assert "at most 3 calls" in results_in(talk.stored()[-2])[0]


def test_the_last_step_knows_that_it_is_the_last_and_can_call_nothing(start: Start) -> None:
    talk = start([calls(call("weather", city="a")), "Only this much."], weather, config=with_loop(max_steps=2))
    assert talk.ask("Go on") == "Only this much." and talk.finished.stop_reason == "stop"
    first, last = requests(talk)
    assert first.tools and not last.tools and first.messages[0] == last.messages[0]
    assert "last step" in results_in(last.messages[-1])[0] and "last step" not in str(first.messages)
    assert "last step" not in str(talk.stored())


def test_open_calls_of_the_last_step_are_not_run(start: Start) -> None:
    steps = [calls(call("weather", city=str(number)), text=f"Looking at {number}.") for number in range(3)]
    talk = start([*steps], weather, config=with_loop(max_steps=3))
    assert talk.ask("Go on") == "Looking at 2." and talk.finished.stop_reason == "max_steps"
    assert len(talk.results) == 2 and talk.turn()["ended_by"] == "max_steps"
    assert talk.trail()[-1] == (3, "max_steps", "stop", True)
    assert any("loop.max_steps" in event.text for event in talk.events if isinstance(event, Notice))


def test_without_a_word_there_is_no_answer_and_that_is_said(start: Start) -> None:
    talk = start(
        [calls(call("weather", city="a")), calls(call("weather", city="b"))], weather, config=with_loop(max_steps=2)
    )
    with pytest.raises(IncompleteAnswer, match=r"no answer in 2 steps.*loop.max_steps"):
        talk.ask("Go on")
    assert talk.turn()["ended_by"] == "max_steps"


def test_an_error_of_the_model_ends_the_turn(start: Start) -> None:
    talk = start([calls(call("weather", city="a")), ModelError("out of memory"), "never"], weather)
    with pytest.raises(ModelError, match="out of memory"):
        talk.ask("Go on")
    assert len(requests(talk)) == 2 and talk.turn()["ended_by"] == "ModelError"
    assert [m.role for m in talk.stored()] == ["user", "assistant", "tool"]
    # The call that failed has its record in the turn, too.
    assert talk.turn()["prompt_ids"] == [record["id"] for record in talk.log.read(talk.talk.thread.id)]


def test_stop_conditions_and_steps_are_both_looked_at(start: Start) -> None:
    def enough(turn: TurnView) -> str:
        return "the weather is known" if any(one.tool == "weather" for one in turn.called) else ""

    config = with_loop(max_steps=1 + 1, stop_when=("enough",))
    talk = start(
        [calls(call("count_to", limit=1), text="Counting."), "never"],
        weather,
        count_to,
        config=config,
        mechanisms=Mechanisms(stop_conditions={"enough": enough}),
    )
    assert talk.ask("Go on") == "never"
    assert [one[:3] for one in talk.trail()] == [
        (1, "max_steps", "go on"),
        (1, "enough", "go on"),
        (2, "max_steps", "stop"),
        (2, "enough", "go on"),
    ]


def test_a_condition_ends_the_turn_with_what_was_said_last(start: Start) -> None:
    def enough(turn: TurnView) -> str:
        return "the weather is known" if turn.called else ""

    talk = start(
        [calls(call("weather", city="a"), text="Looking."), "never"],
        weather,
        config=with_loop(stop_when=("enough",)),
        mechanisms=Mechanisms(stop_conditions={"enough": enough}),
    )
    assert talk.ask("Go on") == "Looking." and talk.finished.stop_reason == "stop_when"
    assert talk.trail() == [(1, "max_steps", "go on", False), (1, "enough", "stop", True)]


def test_a_processor_has_an_output_made_anew_before_anybody_sees_it(start: Start) -> None:
    def polite(output: Output) -> Processed:
        return Processed("accept") if "please" in output.text else Processed("retry", reason="say please")

    talk = start(
        ["Go away.", "Go, please."],
        config=with_loop(output_processors=("polite",)),
        mechanisms=Mechanisms(processors={"polite": polite}, retrying=frozenset({"polite"})),
    )
    assert talk.ask("Hello") == "Go, please."
    assert [event.text for event in talk.events if isinstance(event, TextDelta)] == ["Go, please."]
    assert "say please" in requests(talk)[1].messages[-1].text
    assert [m.text for m in talk.stored()] == ["Hello", "Go, please."], "what was refused is taken back"
    assert [e.verdict for e in talk.events if isinstance(e, Evaluated)] == ["retry", "accept"]


def test_a_processor_can_refuse_calls_before_they_run(start: Start) -> None:
    def careful(output: Output) -> Processed:
        return Processed("retry", reason="not that tool") if "weather" in output.asks_for_tools else Processed("accept")

    talk = start(
        [calls(call("weather", city="a")), "Fine."],
        weather,
        config=with_loop(output_processors=("careful",)),
        mechanisms=Mechanisms(
            processors={"careful": careful}, retrying=frozenset({"careful"}), every_output=frozenset({"careful"})
        ),
    )
    assert talk.ask("Hello") == "Fine." and not talk.results
    assert "not that tool" in requests(talk)[1].messages[-1].text


def test_a_claim_is_no_call(start: Start) -> None:
    """Required tools are judged by what really ran."""
    config = replace(CONFIG, completion=replace(CONFIG.completion, required_tools=("weather",)))
    talk = start(["I have looked it up: sunny.", calls(call("weather", city="Oslo")), "Sunny."], weather, config=config)
    assert talk.ask("Weather?") == "Sunny."
    assert "weather" in requests(talk)[1].messages[-1].text
    assert [m.text for m in talk.stored() if m.role == "assistant" and m.text] == ["Sunny."]
    verdicts = [(one[0], one[1], one[2]) for one in talk.trail() if one[1] == "required_tools"]
    assert verdicts == [(1, "required_tools", "not done"), (3, "required_tools", "done")]


def test_a_scorer_may_ask_the_model_and_its_question_is_recorded(start: Start) -> None:
    def judge(turn: TurnView, ask: Callable[..., str], abort: AbortSignal) -> Score:
        return Score(1) if ask(f"Is this good? {turn.steps[-1].text}", None, abort) == "yes" else Score(0, "longer")

    config = replace(CONFIG, completion=replace(CONFIG.completion, scorers=("judge",)))
    talk = start(["Hi.", "no", "Hello there.", "yes"], config=config, mechanisms=Mechanisms(scorers={"judge": judge}))
    assert talk.ask("Hello") == "Hello there."
    assert [record["step"] for record in talk.log.read(talk.talk.thread.id)] == [1, 0, 2, 0]
    assert len(talk.turn()["prompt_ids"]) == 4  # type: ignore[arg-type]
    assert [m.text for m in talk.stored()] == ["Hello", "Hello there."]


def test_an_abort_during_a_call_keeps_what_was_there(start: Start) -> None:
    def hang() -> str:
        """Hangs until it is told to stop."""
        tool_context().abort.wait(60)
        return "stopped"

    talk = start([calls(call("hang"), text="One moment."), "After all."], hang)
    with pytest.raises(Interrupted):
        for event in talk.talk.send("Wait", abort=talk.abort):
            if isinstance(event, ToolStarted):
                talk.abort.abort()
    assert [m.role for m in talk.stored()] == ["user", "assistant", "tool"]
    assert "stopped before it ended" in results_in(talk.stored()[-1])[0]
    assert talk.turn()["ended_by"] == "interrupted" and talk.trail()[-1][1:] == ("interrupted", "stop", True)
    talk.abort = AbortSignal()
    assert talk.ask("And now?") == "After all."
    assert [m.role for m in requests(talk)[1].messages] == ["system", "user", "assistant", "tool", "user"]


def test_a_reader_that_leaves_during_a_call_leaves_nothing_running(start: Start) -> None:
    left = threading.Event()

    def hang(name: str) -> str:
        """Hangs until it is told to stop."""
        if tool_context().abort.wait(60):
            left.set()
        return name

    def quick(name: str) -> str:
        """Quick."""
        return name

    talk = start([calls(call("quick", name="a"), call("hang", name="b"))], hang, quick)
    events = talk.talk.send("Wait", abort=talk.abort)
    while not isinstance(next(events), ToolFinished):
        pass
    events.close()
    assert left.wait(10) and [m.role for m in talk.stored()] == ["user", "assistant", "tool", "tool"]


def test_retry_takes_the_whole_turn_back(start: Start) -> None:
    talk = start([calls(call("weather", city="a")), "First.", "Second."], weather)
    talk.ask("Weather?")
    list(talk.talk.retry(abort=AbortSignal()))
    assert [(m.role, m.text) for m in talk.stored()] == [("user", "Weather?"), ("assistant", "Second.")]
    assert [m.role for m in requests(talk)[2].messages] == ["system", "user"]


def test_undo_takes_the_whole_turn_back(start: Start) -> None:
    talk = start([calls(call("weather", city="a")), "First."], weather)
    talk.ask("Weather?")
    assert talk.talk.undo() == "Weather?" and talk.stored() == []


def test_results_that_do_not_fit_are_shortened_before_the_turn_fails(start: Start) -> None:
    def long(number: int) -> str:
        """Says much."""
        return f"{number} " + "word " * 150

    made = [calls(call("long", number=number)) for number in range(6)]
    model = ScriptedModel([*made, "Done."], window=900)
    talk = start([], long)
    talk.talk.use_model(model)
    assert talk.ask("Read") == "Done."
    assert "characters left out" in str(model.requests[-1].messages)
    assert all(len(results_in(m)[0]) > 600 for m in talk.stored() if m.role == "tool"), "the ledger has all of it"


CHILD = """
import os, sys
from pathlib import Path
sys.path[:0] = sys.argv[2:]
from acting import ActingTalk, call, calls
from localagent.models.scripted import ScriptedModel

def weather(city: str) -> str:
    '''The weather.'''
    return "sunny"

def die() -> str:
    '''Ends the program.'''
    os.kill(os.getpid(), 9)
    return ""

steps = [calls(call("weather", city="a")), calls(call("die"), text="Now.")]
talk = ActingTalk(Path(sys.argv[1]), ScriptedModel(steps), weather, die)
talk.ask("Go on")
"""


def test_a_program_killed_between_call_and_result_leaves_a_thread_that_goes_on(tmp_path: Path, start: Start) -> None:
    here = str(Path(__file__).parent)
    done = subprocess.run([sys.executable, "-c", CHILD, str(tmp_path), here], capture_output=True, check=False)
    assert done.returncode == -9, done.stderr
    talk = start(["Here I am."], weather)
    talk.talk.open_thread(talk.ledger.threads(CONFIG.name)[-1])
    assert [m.role for m in talk.stored()] == ["user", "assistant", "tool", "assistant"]
    assert talk.ask("Still there?") == "Here I am."
    sent = requests(talk)[0].messages
    assert [m.role for m in sent] == ["system", "user", "assistant", "tool", "assistant", "user"]
    answered = {part.call_id for m in sent for part in m.parts if isinstance(part, ToolResultPart)}
    assert {one.id for m in sent for one in m.tool_calls} == answered
    assert talk.ledger.integrity() == []


class WithoutTools(ScriptedModel):
    def describe(self):  # type: ignore[no-untyped-def]
        return replace(super().describe(), capabilities=frozenset({"schema"}))


def act(name: str, **arguments: object) -> str:
    return json.dumps({"action": "call", "tool": name, "arguments": arguments}, ensure_ascii=False)


def say(text: str) -> str:
    return json.dumps({"action": "answer", "text": text}, ensure_ascii=False)


def test_a_model_without_tools_calls_them_through_a_form(start: Start) -> None:
    talk = start([], weather)
    model = WithoutTools([act("weather", city="北京"), say("晴，21度。\n“好”")])
    talk.talk.use_model(model)
    assert talk.ask("天气怎么样？") == "晴，21度。\n“好”"
    first, second = model.requests
    assert (
        not first.tools and first.schema is not None and "- weather: The weather of a city." in first.messages[0].text
    )
    assert [m.role for m in second.messages] == ["system", "user", "assistant", "user"]
    assert second.messages[2].text == act("weather", city="北京") and second.messages[0] == first.messages[0]
    assert second.messages[3].text.startswith('<tool_result tool="weather">')
    assert [event.text for event in talk.events if isinstance(event, TextDelta)] != [], "the answer is streamed"
    assert talk.log.list(talk.talk.thread.id)[0]["tools_by"] == "constrained"


def test_the_last_step_of_a_form_can_only_answer(start: Start) -> None:
    talk = start([], weather, config=with_loop(max_steps=1))
    model = WithoutTools([say("So be it.")])
    talk.talk.use_model(model)
    assert talk.ask("Weather?") == "So be it."
    assert '"call"' not in json.dumps(model.requests[0].schema)


def test_a_tiny_model_is_not_bothered_with_tools_unless_the_agent_wants_it(start: Start) -> None:
    class Tiny(WithoutTools):
        def describe(self):  # type: ignore[no-untyped-def]
            return replace(super().describe(), tiny=True)

    talk = start([], weather)
    model = Tiny(["Hello."])
    talk.talk.use_model(model)
    assert talk.ask("Hello") == "Hello."
    assert model.requests[0].schema is None and "weather" not in str(model.requests[0].messages)
    assert talk.talk.tools() == (Fitted(), "none")
    config = replace(CONFIG, model=replace(CONFIG.model, tool_calls="constrained"))
    wanting = start([], weather, config=config)
    model = Tiny([say("Hello.")])
    wanting.talk.use_model(model)
    assert wanting.ask("Hello") == "Hello." and model.requests[0].schema is not None
