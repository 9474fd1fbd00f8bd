"""The mechanisms that end a turn or judge its output: none silences another, and none can hang or loop."""

from __future__ import annotations

import threading
from collections.abc import Sequence
from typing import Literal

import pytest

from localagent.abort import AbortSignal
from localagent.completion import Completion
from localagent.config import AgentConfig, validate
from localagent.errors import ConfigError, Interrupted, ModelError
from localagent.messages import JsonObject
from localagent.quality import Ask, Called, Evaluation, Mechanisms, Output, Processed, Score, Scorer, StepView, TurnView


def config(loop: JsonObject | None = None, **completion: object) -> AgentConfig:
    return validate({"loop": loop or {}, "completion": completion})


def turn(text: str = "done", *, called: Sequence[Called] = (), number: int = 1, last: bool = False) -> TurnView:
    return TurnView("do it", [StepView(number, text, called)], last=last)


def called(tool: str, *, is_error: bool = False) -> Called:
    return Called(tool, {}, "", is_error, 0.0)


def verdicts(evaluations: Sequence[Evaluation]) -> dict[str, str]:
    return {one.name: one.verdict for one in evaluations}


def no_model(task: str, schema: JsonObject | None, abort: AbortSignal) -> str:
    raise AssertionError("nobody asks the model")


def saying(value: Literal[0, 1], reason: str = "") -> Scorer:
    return lambda turn, ask, abort: Score(value, reason)


def broken(*given: object) -> Score:
    raise ConfigError("KeyError: 'x'", where="policies/completion.py:3")


class Stops:
    """Stop conditions and max_steps: both are evaluated, whichever ends the turn."""

    completion = Completion(
        config({"max_steps": 3, "stop_when": ["yes", "bad", "no"]}),
        Mechanisms({"yes": lambda turn: "enough", "no": lambda turn: "", "bad": broken}),  # type: ignore[dict-item]
    )


def test_every_stop_condition_is_evaluated_before_and_at_the_last_step() -> None:
    first = Stops.completion.stop(turn(number=1))
    assert [(one.mechanism, one.name, one.verdict) for one in first] == [
        ("max_steps", "max_steps", "go on"),
        ("stop_when", "yes", "stop"),
        ("stop_when", "bad", "failed"),
        ("stop_when", "no", "go on"),
    ]
    assert first[0].reason == "step 1 of 3" and first[1].reason == "enough"
    assert "policies/completion.py:3" in first[2].reason
    last = Stops.completion.stop(turn(number=3, last=True))
    assert verdicts(last) == {"max_steps": "stop", "yes": "stop", "bad": "failed", "no": "go on"}
    assert {one.step for one in last} == {3}


def test_without_conditions_the_steps_are_still_counted() -> None:
    assert verdicts(Completion(config({"max_steps": 1}), Mechanisms()).stop(turn())) == {"max_steps": "stop"}


def processing(*names: str, every: Sequence[str] = (), retries: int = 2) -> Completion:
    processors = {
        "louder": lambda output: Processed("replace", output.text.upper()),
        "mark": lambda output: Processed("replace", f"{output.text}!"),
        "short": lambda output: Processed("retry", reason="too long"),
        "polite": lambda output: Processed("retry", reason="say please"),
        "fine": lambda output: Processed("accept"),
        "bad": broken,
    }
    mechanisms = Mechanisms(processors=processors, every_output=frozenset(every))  # type: ignore[arg-type]
    return Completion(config({"output_processors": list(names), "max_processor_retries": retries}), mechanisms)


def output(text: str = "hello", tools: Sequence[str] = ()) -> Output:
    return Output(text, tools, turn(text, number=2))


def test_processors_run_in_the_order_of_the_configuration() -> None:
    said, trail = processing("louder", "mark").process(output(), 2)
    assert (said.verdict, said.text) == ("replace", "HELLO!")
    assert [(one.step, one.mechanism, one.name) for one in trail] == [
        (2, "output_processor", "louder"),
        (2, "output_processor", "mark"),
    ]
    assert processing("fine").process(output(), 0)[0] == Processed("accept", "hello")


def test_a_retry_is_told_everything_at_once() -> None:
    said, trail = processing("short", "fine", "polite").process(output(), 1)
    assert (said.verdict, said.reason) == ("retry", "too long\nsay please")
    assert verdicts(trail) == {"short": "retry", "fine": "accept", "polite": "retry"}


def test_beyond_the_retries_an_output_is_accepted_and_the_record_says_so() -> None:
    said, trail = processing("short", "mark").process(output(), 0)
    assert (said.verdict, said.text) == ("replace", "hello!")
    assert verdicts(trail) == {"short": "no retry left", "mark": "replace"}
    assert trail[0].reason == "too long"


def test_a_check_of_final_answers_does_not_fire_on_a_step_that_asks_for_tools() -> None:
    said, trail = processing("short", "mark", every=["mark"]).process(output(tools=["read_file"]), 2)
    assert (said.verdict, said.text) == ("replace", "hello!")
    assert verdicts(trail) == {"short": "skipped", "mark": "replace"}


def test_a_processor_that_fails_costs_its_word_alone() -> None:
    said, trail = processing("bad", "mark").process(output(), 2)
    assert said.text == "hello!"
    assert verdicts(trail) == {"bad": "failed", "mark": "replace"}


def judging(*scorers: str, **completion: object) -> Completion:
    offered = {
        "yes": saying(1),
        "no": saying(0, "the tests are missing"),
        "also_no": saying(0, "the docs are missing"),
        "bad": broken,
    }
    return Completion(config(scorers=list(scorers), **completion), Mechanisms(scorers=offered))  # type: ignore[arg-type]


@pytest.mark.parametrize("parallel", [True, False])
@pytest.mark.parametrize(
    ("strategy", "scorers", "done", "outcome"),
    [
        ("all", ["yes"], True, "done"),
        ("all", ["yes", "no"], False, "not done"),
        ("any", ["no", "yes"], True, "done"),
        ("any", ["no", "also_no"], False, "not done"),
        ("all", ["bad"], True, "not judged"),
        ("all", ["yes", "bad"], True, "not judged"),
        ("all", ["no", "bad"], False, "not done"),
        ("any", ["yes", "bad"], True, "done"),
        ("any", ["no", "bad"], False, "not done"),
        ("any", ["bad"], True, "not judged"),
    ],
)
def test_what_scorers_make_of_an_answer(
    strategy: str, scorers: list[str], done: bool, outcome: str, parallel: bool
) -> None:
    completion = judging(*scorers, strategy=strategy, parallel=parallel)
    stands, reason, trail = completion.score(turn(), no_model, AbortSignal())
    assert stands is done
    assert bool(reason) is not done
    assert [one.name for one in trail] == [*scorers, strategy]
    assert trail[-1].verdict == outcome
    assert all(one.mechanism == "completion" for one in trail)


def test_every_reason_goes_back_to_the_model() -> None:
    stands, reason, _ = judging("no", "also_no", required_tools=["run_shell"]).score(turn(), no_model, AbortSignal())
    assert not stands
    assert reason.splitlines()[1:] == ["the tests are missing", "the docs are missing"]
    assert "run_shell" in reason.splitlines()[0]


def test_nothing_is_judged_where_nothing_was_chosen() -> None:
    assert judging().score(turn(), no_model, AbortSignal()) == (True, "", [])


@pytest.mark.parametrize("text", ["I have looked it up.", "我已经查过了。", "fetch_url ran, and it says 3."])
def test_a_required_tool_is_judged_from_what_ran_not_from_the_text(text: str) -> None:
    completion = judging(required_tools=["fetch_url"])
    stands, reason, trail = completion.score(turn(text), no_model, AbortSignal())
    assert not stands and "fetch_url" in reason
    assert verdicts(trail) == {"required_tools": "not done", "all": "not done"}
    failed = turn(text, called=[called("fetch_url", is_error=True)])
    assert "its calls failed" in completion.score(failed, no_model, AbortSignal())[1]
    ran = turn(text, called=[called("fetch_url", is_error=True), called("fetch_url")])
    assert completion.score(ran, no_model, AbortSignal())[0]


def test_any_scorer_does_not_outweigh_what_is_required() -> None:
    completion = judging("yes", strategy="any", required_tools=["fetch_url"])
    assert not completion.score(turn(), no_model, AbortSignal())[0]


def test_required_sections_are_headings_of_the_answer() -> None:
    completion = judging(required_sections=["Risks", "下一步"])
    there = "## Risks\nNone.\n\n**下一步**\n1. 发布"
    assert completion.score(turn(there), no_model, AbortSignal())[0]
    stands, reason, _ = completion.score(turn("The risks are none. 下一步是发布"), no_model, AbortSignal())
    assert not stands and reason.endswith("Risks, 下一步.")


@pytest.mark.parametrize("parallel", [True, False])
def test_what_does_not_answer_in_time_is_recorded_and_is_no_pass(parallel: bool) -> None:
    release, left = threading.Event(), threading.Event()

    def stuck(turn: TurnView, ask: Ask, abort: AbortSignal) -> Score:
        release.wait(60)  # heeds no signal
        left.set()
        return Score(1)

    offered: dict[str, Scorer] = {"quick": saying(1), "stuck": stuck, "after": saying(1)}
    chosen = config(scorers=["quick", "stuck", "after"], timeout_s=0.2, parallel=parallel)
    completion = Completion(chosen, Mechanisms(scorers=offered))
    stands, reason, trail = completion.score(turn(), no_model, AbortSignal())
    release.set()
    after = "done" if parallel else "not judged"
    assert verdicts(trail) == {"quick": "done", "stuck": "not judged", "after": after, "all": "not judged"}
    assert (stands, reason) == (True, "")
    assert trail[1].reason == "it did not answer within 0.2 s (completion.timeout_s)"
    assert left.wait(60)


def test_a_scorer_s_question_ends_with_the_time() -> None:
    ended = threading.Event()

    def slow(task: str, schema: JsonObject | None, abort: AbortSignal) -> str:
        abort.wait(60)
        ended.set()
        abort.raise_if_aborted()
        return ""

    def judge(turn: TurnView, ask: Ask, abort: AbortSignal) -> Score:
        ask("?", None, AbortSignal())  # a signal of its own
        return Score(1)

    chosen = config(scorers=["one", "two"], timeout_s=0.2)
    completion = Completion(chosen, Mechanisms(scorers={"one": judge, "two": judge}))
    assert completion.score(turn(), slow, AbortSignal())[2][-1].verdict == "not judged"
    assert ended.wait(60)


def test_a_model_that_fails_is_not_an_answer_that_is_missing_something() -> None:
    def failing(task: str, schema: JsonObject | None, abort: AbortSignal) -> str:
        raise ModelError("the server said 500")

    def judge(turn: TurnView, ask: Ask, abort: AbortSignal) -> Score:
        return Score(1 if ask("?", None, abort) else 0)

    completion = Completion(config(scorers=["judge"]), Mechanisms(scorers={"judge": judge}))
    stands, reason, trail = completion.score(turn(), failing, AbortSignal())
    assert (stands, reason) == (True, "")
    assert trail[0].verdict == "not judged" and "500" in trail[0].reason


def test_scorers_run_at_the_same_time_and_their_questions_in_turn() -> None:
    together, asking, most = threading.Barrier(2), [0], [0]

    def ask(task: str, schema: JsonObject | None, abort: AbortSignal) -> str:
        asking[0] += 1
        most[0] = max(most[0], asking[0])
        abort.wait(0.01)
        asking[0] -= 1
        return "yes"

    def judge(turn: TurnView, ask: Ask, abort: AbortSignal) -> Score:
        together.wait(60)  # only if both run
        return Score(1 if ask("?", None, abort) == "yes" else 0)

    completion = Completion(config(scorers=["one", "two"]), Mechanisms(scorers={"one": judge, "two": judge}))
    assert completion.score(turn(), ask, AbortSignal())[2][-1].verdict == "done"
    assert most == [1]


def test_whoever_calls_the_turn_off_does_not_wait_for_a_scorer() -> None:
    abort, release = AbortSignal(), threading.Event()

    def stuck(turn: TurnView, ask: Ask, given: AbortSignal) -> Score:
        abort.abort(Interrupted("interrupted"))
        release.wait(60)
        return Score(1)

    completion = Completion(config(scorers=["stuck"]), Mechanisms(scorers={"stuck": stuck}))
    with pytest.raises(Interrupted):
        completion.score(turn(), no_model, abort)
    release.set()
