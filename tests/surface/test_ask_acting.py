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


POLICIES = """
from localagent.quality import Mechanisms


def completion():
    return Mechanisms(stop_conditions={"enough": enough, "broken": broken}, scorers={"late": late})


def enough(turn):
    return "it looked" if turn.called else ""


def broken(turn):
    return 1 / 0


def late(turn, ask, abort):
    abort.wait(60)
"""
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


def test_an_ending_without_an_answer_is_a_failure_with_its_calls(make: Make) -> None:
    script = "{loop: true, steps: [{tool_calls: [{name: get_current_time, arguments: {}}]}]}"
    program = make(script, tools="get_current_time", loop="stop_when: [enough]", policies=POLICIES)
    result = program("ask", "When?")
    assert (result.code, result.out) == (7, "") and "there is no answer: the turn was ended by stop_when" in result.err
    told = program("ask", "When?", "--json", "-t", "k")
    assert told.code == told.json()["error"]["exit_code"] == 7
    assert [call["name"] for call in told.json()["tools"]] == ["get_current_time"] and told.json()["prompt_record"]
    assert told.json()["thread"] in [thread["id"] for thread in program("threads", "list", "--json").json()]
    spent = program("ask", "When?", "--json", "--no-log", "--set", "loop.stop_when=[]", "--set", "loop.max_steps=2")
    assert spent.code == 7 and len(spent.json()["tools"]) == 1 and spent.json()["thread"] is None


def test_json_says_that_the_answer_was_judged_incomplete(make: Make) -> None:
    answer = make("{loop: true, steps: ['No.']}", completion=SECTIONS)("ask", "Where from?", "--json")
    assert answer.code == 0 and "来源" in answer.json()["incomplete"] and "judged incomplete" in answer.err


def test_json_tells_what_was_denied_from_what_failed(make: Make) -> None:
    calls = "{name: run_shell, arguments: {command: ls}}, {name: read_file, arguments: {path: nowhere.txt}}"
    program = make(f"steps: [{{tool_calls: [{calls}]}}, 'ok']", tools="run_shell, read_file")
    answer = program("ask", "Look.", "--json").json()
    denied, failed = answer["tools"]
    assert (denied["ran"], denied["denied"], denied["is_error"]) == (False, True, True)
    assert "nobody can be asked" in denied["text"]
    assert (failed["ran"], failed["denied"], failed["is_error"]) == (True, False, True)
    assert "nowhere.txt" in failed["text"] and answer["incomplete"] is None


def test_what_came_of_a_command_is_in_its_line(make: Make) -> None:
    command = "{tool_calls: [{name: run_shell, arguments: {command: 'echo 不行; exit 3'}}]}"
    slow = "{tool_calls: [{name: run_shell, arguments: {command: 'sleep 60', timeout_s: 1}}]}"
    program = make(f"steps: [{command}, {slow}, 'ok']", tools="run_shell")
    told = program("ask", "Run it.", "--allow-tool", "run_shell").err
    assert "s → Exit code 3. 不行\n" in told and "s → Stopped after 1 s, before it ended." in told


@pytest.mark.parametrize("how", [(), ("--json",)])
def test_a_mechanism_that_fails_is_told_of_once(make: Make, how: tuple[str, ...]) -> None:
    script = f"{{loop: true, steps: [{LOOKING}, {LOOKING.replace('{}', '{timezone: UTC}')}, 'Late.']}}"
    program = make(script, tools="get_current_time", loop="stop_when: [broken]", policies=POLICIES)
    result = program("ask", "When?", *how)
    assert result.code == 0 and result.err.count("broken: failed: ") == 1 and "completion.py:14" in result.err


def test_the_last_look_of_a_mechanism_that_fails_is_told_of_too(make: Make) -> None:
    completion = "scorers: [late], timeout_s: 1"
    program = make("steps: ['Late.']", loop="stop_when: [broken]", completion=completion, policies=POLICIES)
    result = program("ask", "When?")
    assert (result.code, result.out) == (0, "Late.\n")
    assert result.err.count("broken: failed: ") == 1 and result.err.count("late: gave no judgement: ") == 1


def test_the_view_of_a_record_says_what_is_cut_and_keeps_tools_with_the_blocks(make: Make) -> None:
    command = "{name: run_shell, arguments: {command: 'seq 200'}}"
    allow = "from localagent.calls import Decision\n\n\ndef approval(request):\n    return Decision('allow')\n"
    program = make(f"steps: [{{tool_calls: [{command}]}}, 'ok']", tools="run_shell")
    (program.folder / "config" / "policies").mkdir()
    (program.folder / "config" / "policies" / "approval.py").write_text(allow, "utf-8")
    program("ask", "Count.")
    shown = program("prompts", "show").out
    assert ", allow: Exit code 0. …\n" in shown
    record = program("prompts", "show", "--json").json()
    (called,) = record["turn"]["calls"]
    assert called["text"].endswith("…") and called["approval"] == "allow"
    lines = shown.splitlines()
    blocks = [at for at, line in enumerate(lines) if line.endswith(" tokens") or " tokens, " in line]
    (tools,) = [at for at, line in enumerate(lines) if line.startswith("  tools ")]
    assert tools in blocks and tools < next(at for at, line in enumerate(lines) if line.startswith("turn "))
