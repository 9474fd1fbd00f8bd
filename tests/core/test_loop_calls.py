"""What the model, the record and whoever watches are told of calls that did not run, or not to their end."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import cast

import pytest
from acting import ActingTalk, call, calls, results_in

from localagent.abort import AbortSignal
from localagent.approval import Gate
from localagent.calls import Approval, ApprovalRequest, Decision
from localagent.doing import NOT_BEGUN, STOPPED
from localagent.errors import Interrupted
from localagent.models.scripted import ScriptedModel, Step
from localagent.tool import Effect, tool, tool_context

Start = Callable[..., ActingTalk]


@pytest.fixture
def start(tmp_path: Path) -> Iterator[Start]:
    made: list[ActingTalk] = []

    def begin(steps: list[Step], *tools: object, **more: object) -> ActingTalk:
        made.append(ActingTalk(tmp_path, ScriptedModel(steps), *tools, **more))  # type: ignore[arg-type]
        return made[-1]

    yield begin
    for talk in made:
        talk.close()


class Nothing:
    """Nothing was allowed before."""

    def allowed(self, agent: str, request: ApprovalRequest) -> bool:
        return False

    def allow(self, agent: str, request: ApprovalRequest) -> None:
        raise AssertionError("nothing is to be allowed for ever")


def test_a_call_that_changed_while_a_person_was_asked_may_be_made_again(start: Start) -> None:
    there = ["old"]
    made = tool(effects=["writes"], shown=lambda text: f"replace {there[-1]} with {text}")

    def note(text: str) -> str:
        """Notes a text."""
        there.append(text)
        return "noted"

    def person(request: ApprovalRequest, abort: AbortSignal) -> Approval:
        if len(there) == 1:
            there.append("somebody else's")
        return Approval("once")

    gate = Gate("a", lambda request: Decision("ask"), Nothing(), person)
    steps: list[Step] = [calls(call("note", text="x")), calls(call("note", text="x")), "It is noted."]
    talk = start(steps, made(note), permit=gate.decide)
    assert talk.ask("Note x") == "It is noted." and there == ["old", "somebody else's", "x"]
    told = results_in(talk.stored()[2])[0]
    assert "has changed while the user was asked. Call it again" in told and "Do not call" not in told


def test_a_call_that_was_denied_is_not_to_be_made_again(start: Start) -> None:
    def deny(*given: object) -> Decision:
        return Decision("deny", "denied by the user")

    talk = start([calls(call("note", text="x")), "Then not."], tool(effects=["writes"])(note), permit=deny)
    assert talk.ask("Note x") == "Then not."
    assert results_in(talk.stored()[2])[0].endswith("denied by the user. Do not call it again; go on without it.")


@pytest.mark.parametrize("together", [False, True])
def test_of_a_step_that_is_stopped_every_call_is_told(start: Start, together: bool) -> None:
    """Which ran, which was stopped and which never began: the screen, the record and the next prompt say so."""
    begun: list[str] = []

    def work(name: str) -> str:
        """Works."""
        begun.append(name)
        if name != "first":
            talk.abort.abort()
            tool_context().abort.wait(60)
        return f"{name} is done"

    made = [call("work", name=name) for name in ("first", "second", "third")]
    effects: list[Effect] = ["reads"] if together else ["writes"]
    talk = start([calls(*made), "Later."], tool(effects=effects)(work), permit=lambda *given: Decision("allow"))
    with pytest.raises(Interrupted):
        for event in talk.talk.send("Work", abort=talk.abort):
            talk.events.append(event)
    assert [message.role for message in talk.stored()] == ["user", "assistant", "tool", "tool", "tool"]
    recorded = cast("Sequence[Mapping[str, object]]", talk.turn()["calls"])
    assert [one["ran"] for one in recorded] == [True, True, together]
    assert sorted(one.call.id for one in talk.results) == sorted(one.id for one in made)
    if not together:
        assert begun == ["first", "second"]
        assert [one.text for one in talk.results] == ["first is done", STOPPED, NOT_BEGUN]
    talk.abort = AbortSignal()
    assert talk.ask("And now?") == "Later."


def test_of_a_step_that_is_stopped_at_a_question_no_call_began(start: Start) -> None:
    def person(*given: object) -> Decision:
        talk.abort.abort()
        raise Interrupted("interrupted")

    steps: list[Step] = [calls(call("note", text="x"), call("note", text="y"))]
    talk = start(steps, tool(effects=["writes"])(note), permit=person)
    with pytest.raises(Interrupted):
        for event in talk.talk.send("Note", abort=talk.abort):
            talk.events.append(event)
    assert [(one.ran, one.text) for one in talk.results] == [(False, NOT_BEGUN)] * 2


def note(text: str) -> str:
    """Notes a text."""
    return "noted"
