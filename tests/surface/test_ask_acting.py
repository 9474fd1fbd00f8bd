"""`ask` with an agent that acts: the answer alone is on standard output, and what happened on the way beside it."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest
from memory_program import Here
from program import scripted

Make = Callable[..., Here]
AGENT = """
agent:
  memory: {{enabled: false}}
  tools: [{tools}]
  loop: {{{loop}}}
  completion: {{{completion}}}
"""


@pytest.fixture
def make(tmp_path: Path) -> Make:
    """A program whose model plays a script, and whose agent has these settings and files."""

    def build(script: str, *, tools: str = "", loop: str = "", completion: str = "", **files: str) -> Here:
        folder = tmp_path / "config"
        folder.mkdir()
        (folder / "agent.yaml").write_text(AGENT.format(tools=tools, loop=loop, completion=completion), "utf-8")
        for name, text in files.items():
            (folder / name).mkdir(exist_ok=True)
            (folder / name / ("completion.py" if name == "policies" else "own.py")).write_text(text, "utf-8")
        return Here(tmp_path / "home", tmp_path, scripted(tmp_path, script))

    return build


SECTIONS = "required_sections: [来源], max_retries: 2"


def test_a_draft_that_is_judged_incomplete_is_not_on_standard_output(make: Make) -> None:
    program = make("steps: ['No.', 'Still no.', \"## 来源\\n\\nNone.\"]", completion=SECTIONS)
    result = program("ask", "Where from?")
    assert (result.code, result.out) == (0, "## 来源\n\nNone.\n")
    told = result.err.splitlines()
    assert (
        told.index("No.") < told.index("Still no.")
        and told.count("(not the answer: judged incomplete, the model mends it)") == 2
    )


def test_an_answer_that_stands_incomplete_is_there_once(make: Make) -> None:
    program = make("{loop: true, steps: ['No.']}", completion=SECTIONS)
    result = program("ask", "Where from?")
    assert (result.code, result.out) == (0, "No.\n")
    assert "the answer stands, but was judged incomplete: The answer lacks sections" in result.err


def test_a_draft_that_stands_since_the_turn_is_ended_is_there_once(make: Make) -> None:
    call = "{tool_calls: [{name: get_current_time, arguments: {}}]}"
    program = make(f"steps: ['Draft.', {call}]", tools="get_current_time", loop="max_steps: 2", completion=SECTIONS)
    result = program("ask", "Where from?")
    assert (result.code, result.out) == (0, "Draft.\n")


LOOKING = "{text: [Let me, ' look.'], tool_calls: [{name: get_current_time, arguments: {}}]}"


def test_what_is_said_beside_calls_is_not_on_standard_output(make: Make) -> None:
    program = make(f'steps: [{LOOKING}, "It is **late**.\\x1b[2J"]', tools="get_current_time")
    result = program("ask", "How late is it?")
    assert (result.code, result.out) == (0, "It is **late**.\n")
    assert result.err.index("Let me look.") < result.err.index("get_current_time(")


def test_what_is_said_beside_calls_is_the_answer_where_there_is_no_other(make: Make) -> None:
    result = make(f"{{loop: true, steps: [{LOOKING}]}}", tools="get_current_time", loop="max_steps: 2")("ask", "When?")
    assert (result.code, result.out) == (0, "Let me look.\n")


def test_what_had_arrived_of_an_answer_that_breaks_off_is_on_standard_output(make: Make) -> None:
    broken = "{text: half an, error: {kind: IncompleteAnswer, message: broke off}}"
    result = make(f"steps: [{LOOKING}, {broken}]", tools="get_current_time")("ask", "When?")
    assert (result.code, result.out) == (7, "half an\n")
