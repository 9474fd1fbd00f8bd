"""What the model, the record and whoever watches are told of calls that did not run, or not to their end."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from acting import ActingTalk, call, calls, results_in

from localagent.abort import AbortSignal
from localagent.approval import Gate
from localagent.calls import Approval, ApprovalRequest, Decision
from localagent.models.scripted import ScriptedModel, Step
from localagent.tool import tool

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


def note(text: str) -> str:
    """Notes a text."""
    return "noted"
