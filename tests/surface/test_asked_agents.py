"""An agent that asks another one, in whole runs of the program: `ask`, and the conversation at a terminal."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import ExitStack
from pathlib import Path

import pytest
from program import Program
from pty_terminal import Terminal

DESK = """
agent:
  name: desk
  model: {provider: scripted, model_name: script.yaml}
  memory: {enabled: false}
  agents:
    writer: {folder: ./writer, description: Writes files for you.}
    reader: {folder: ./reader, description: Reads files.}
"""
WRITER = "agent: {name: writer, tools: [write_file]}\n"
READER = "agent: {name: reader, tools: [read_file]}\n"
SCRIPT = """
loop: true
steps:
  - tool_calls: [{name: writer, arguments: {request: 写一份笔记}}]
  - tool_calls: [{name: write_file, arguments: {path: 笔记.txt, content: 茶}}]
  - The note is written.
  - "It is done."
"""
BOTH = """
steps:
  - tool_calls:
      - {name: writer, arguments: {request: one}}
      - {name: writer, arguments: {request: two}}
  - tool_calls: [{name: write_file, arguments: {path: a.txt, content: a}}]
  - first
  - tool_calls: [{name: write_file, arguments: {path: b.txt, content: b}}]
  - second
  - "Both are done."
"""
Open = Callable[..., Terminal]


@pytest.fixture
def desk(program: Program) -> Path:
    folder = program.folder / "desk"
    for name, text in (("agent.yaml", DESK), ("writer/agent.yaml", WRITER), ("reader/agent.yaml", READER)):
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).write_text(text, "utf-8")
    (folder / "script.yaml").write_text(SCRIPT, "utf-8")
    return folder


@pytest.fixture
def terminal(program: Program, desk: Path) -> Iterator[Open]:
    with ExitStack() as stack:

        def opened(*arguments: str) -> Terminal:
            start = f"import os; os.chdir({str(program.folder)!r}); from localagent.cli.main import main; main()"
            given = ["-c", start, *arguments, "--agent", str(desk)]
            variables = {"LOCALAGENT_HOME": str(program.home), "COLUMNS": "120"}
            return stack.enter_context(Terminal(program.home, program=given, columns=120, **variables))

        yield opened


def test_ask_tells_what_the_other_agent_does_and_keeps_its_records(program: Program, desk: Path) -> None:
    asked = program("ask", "-t", "notes", "write it", "--allow-tool", "writer.write_file", "--agent", str(desk))
    assert asked.code == 0 and asked.out == "It is done.\n", asked.err
    assert (program.folder / "笔记.txt").read_text("utf-8") == "茶"
    lines = [line.partition("(")[0] for line in asked.err.splitlines()]
    assert lines == ["writer.write_file", "writer"]
    (call,) = program("prompts", "show", "--json").json()["turn"]["calls"]
    shown = program("prompts", "show", call["linked"]).out
    assert "由智能体 desk 在会话 " in shown and "write_file(" in shown
    assert f"localagent prompts show {call['linked']}" in program("prompts", "show").out
    (thread,) = program("threads", "list", "--json", "--agent", str(desk)).json()
    assert thread["name"] == "notes"
    assert len(program("prompts", "list", "--json").json()) == 4
    assert program("threads", "delete", "notes", "--yes", "--agent", str(desk)).code == 0
    assert program("prompts", "list", "--json").json() == []


def test_what_another_agent_has_to_say_is_told_beside_json_too(program: Program, desk: Path) -> None:
    (desk / "writer" / "agent.yaml").write_text(WRITER.replace("tools:", "loop: {max_steps: 1}, tools:"), "utf-8")
    asked = program("ask", "write it", "--json", "--agent", str(desk))
    assert asked.json()["answer"] == "The note is written."
    assert "writer: ended by max_steps: it still asked for write_file at step 1" in asked.err


def test_without_a_trace_no_record_is_left(program: Program, desk: Path) -> None:
    asked = program("ask", "write it", "--no-log", "--allow-tool", "writer.write_file", "--agent", str(desk))
    assert asked.code == 0, asked.err
    assert program("prompts", "list", "--json").json() == []
    assert program("threads", "list", "--json", "--agent", str(desk)).json() == []


def test_a_tool_that_no_agent_has_cannot_be_allowed(program: Program, desk: Path) -> None:
    done = program("ask", "x", "--allow-tool", "write_file", "--agent", str(desk))
    assert done.code == 2
    assert "Its tools: writer, writer.write_file, reader, reader.read_file" in done.err


def test_what_is_configured_is_shown_and_checked(program: Program, desk: Path) -> None:
    value = program("config", "show", "--json", "--agent", str(desk)).json()["agents"]["value"]
    assert value["writer"] == {"folder": "./writer", "description": "Writes files for you.", "timeout_s": 300}
    assert program("config", "check", "--agent", str(desk)).code == 0
    (desk / "writer" / "agent.yaml").write_text("agent: {tools: [wriet_file]}\n", "utf-8")
    checked = program("config", "check", "--agent", str(desk))
    assert checked.code == 3
    assert f"{desk}/writer/agent.yaml:1:17: tools: there is no tools/wriet_file.py" in checked.err


def test_ask_at_a_terminal_says_which_agent_would(program: Program, terminal: Open) -> None:
    opened = terminal("ask", "write it")
    assert "? the agent writer: write_file (writes) would:" in opened.wait_for("may it?")
    opened.type("o\r")
    opened.wait_for("It is done.")
    assert opened.end() == 0 and (program.folder / "笔记.txt").exists()


def test_the_conversation_asks_lists_and_stops(program: Program, desk: Path, terminal: Open) -> None:
    opened = terminal("chat")
    opened.wait_for_prompt()
    opened.say("/tools")
    shown = opened.wait_for("this model")
    assert "writer (reads; an agent)\n  Writes files for you." in shown and "Reads files." in shown
    opened.wait_for_prompt(2)
    opened.say("write it")
    assert "? the agent writer: write_file (writes) would:" in opened.wait_for("may it?")
    opened.type("always\r")
    shown = opened.wait_for("It is done.")
    assert shown.index("writer.write_file(") < shown.index("writer(request")
    (kept,) = program("approvals", "list", "--json", "--agent", str(desk)).json()
    assert kept["agent"] == "desk.writer"
    opened.wait_for_prompt(3)
    assert program("approvals", "revoke", "--all", "--agent", str(desk)).code == 0
    opened.say("once more")
    opened.wait_for(lambda text: text.count("may it?") == 2)
    opened.type("\x03")
    opened.wait_for("(interrupted)")
    opened.wait_for_prompt(4)


def test_questions_of_two_that_are_asked_at_once_come_one_by_one(program: Program, desk: Path, terminal: Open) -> None:
    (desk / "script.yaml").write_text(BOTH, "utf-8")
    opened = terminal("chat")
    opened.wait_for_prompt()
    opened.say("write both")
    opened.wait_for("may it?")
    opened.type("o\r")
    opened.wait_for(lambda text: text.count("may it?") == 2)
    opened.type("d\r")
    opened.wait_for("Both are done.")
    assert (program.folder / "a.txt").exists() and not (program.folder / "b.txt").exists()
    opened.wait_for_prompt(2)
