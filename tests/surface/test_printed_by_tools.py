"""Whatever a tool, its file or a process that it starts prints, and wherever: standard output is the answer's alone."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest
from program import Program
from pty_terminal import Terminal

pytestmark = pytest.mark.skipif(sys.platform == "win32", reason="descriptors of Unix")

TOOL = '''
import os, subprocess, sys
from localagent.tool import tool

print("WHILE-LOADED print")
sys.stdout.write("WHILE-LOADED write\\n")
os.system("echo WHILE-LOADED system")


def shown() -> str:
    print("IN-SHOWN")
    sys.stdout.write("IN-SHOWN write\\n")
    os.system("echo IN-SHOWN system")
    return "chatter"


@tool(effects=["runs code"], shown=shown)
def chatter() -> str:
    """Chatter."""
    print("OUT 一")
    subprocess.run(["echo", "OUT 二"])
    print("OUT 三", flush=True)
    os.system("echo OUT 四; echo OUT 五 >&2")
    os.write(1, "OUT 六\\n".encode())
    sys.__stdout__.write("OUT 七\\n")
    sys.__stdout__.flush()
    return "done"
'''
AGENT = """
agent:
  model: {provider: scripted, model_name: script.yaml}
  memory: {enabled: false}
  tools: [chatter]
"""
ANSWER = '{"name": "歌德"}'
SCRIPT = f"""
loop: true
steps:
  - tool_calls:
      - {{name: chatter, arguments: {{}}}}
  - '{ANSWER}'
"""


@pytest.fixture
def program(tmp_path: Path) -> Program:
    """Processes: what they print is what a shell would see."""
    return Program(tmp_path / "home", tmp_path, {})


@pytest.fixture
def agent(program: Program) -> Path:
    folder = program.folder / "agent"
    (folder / "tools").mkdir(parents=True)
    (folder / "agent.yaml").write_text(AGENT, "utf-8")
    (folder / "script.yaml").write_text(SCRIPT, "utf-8")
    (folder / "tools" / "chatter.py").write_text(TOOL, "utf-8")
    return folder


def told(program: Program, agent: Path) -> str:
    """What the model was told of the call."""
    (thread,) = program("threads", "list", "--json", "--agent", str(agent)).json()
    return program("threads", "show", thread["id"], "--agent", str(agent)).out


IN_ORDER = "\n".join(f"OUT {number}" for number in "一二三四五六七")


@pytest.mark.parametrize("how", ["plain", "json", "schema"])
def test_beside_the_answer_and_in_its_order(program: Program, agent: Path, how: str) -> None:
    (program.folder / "form.json").write_text('{"type": "object", "required": ["name"]}')
    more = {"plain": [], "json": ["--json"], "schema": ["--schema", "form.json"]}[how]
    done = program("ask", "chat", *more, "--allow-tool", "chatter", "--agent", str(agent))
    assert done.code == 0, done.err
    if how == "plain":
        assert done.out == ANSWER + "\n"
    else:
        said = done.json()
        assert said == {"name": "歌德"} if how == "schema" else said["answer"] == ANSWER
    by_itself = [line for line in done.err.splitlines() if line.startswith("OUT")]
    assert by_itself == [] and "IN-SHOWN" not in done.err  # the line of the call tells of it
    written = "tools/chatter.py printed while it was loaded: "
    assert written + "WHILE-LOADED print WHILE-LOADED write WHILE-LOADED system" in done.err
    assert IN_ORDER in told(program, agent).replace("\n  ", "\n")


@pytest.mark.parametrize("command", [["config", "check"], ["threads", "list", "--json"], ["--help"]])
def test_other_commands_have_their_output_to_themselves(program: Program, agent: Path, command: list[str]) -> None:
    done = program(*command, *([] if command == ["--help"] else ["--agent", str(agent)]))
    assert "WHILE-LOADED" not in done.out


@pytest.mark.parametrize("closed", ["<&-", "2>&-", "<&- 2>&-", ">&-", "> /dev/full", "| head -c 0"])
def test_with_streams_that_are_closed_or_full(program: Program, agent: Path, closed: str) -> None:
    words = program.command("ask", "chat", "--json", "--allow-tool", "chatter", "--agent", str(agent))
    script = f'"$@" {closed}; echo "code ${{PIPESTATUS[0]}}"'
    variables = {**program.environment(), "PYTHONUNBUFFERED": ""}
    done = subprocess.run(
        ["bash", "-c", script, "bash", *words],
        cwd=program.folder,
        env=variables,
        capture_output=True,
        text=True,
        encoding="utf-8",
        stdin=subprocess.DEVNULL,
    )
    *lines, last = done.stdout.splitlines()
    expected = {"> /dev/full": "10", "| head -c 0": "141"}.get(closed, "0")
    assert last == f"code {expected}" and "Traceback" not in done.stderr
    assert len(lines) == (expected == "0" and closed != ">&-")
    if lines:
        assert lines[0].startswith('{"answer": ')


def test_in_the_conversation_nothing_is_painted_over_it(program: Program, agent: Path) -> None:
    start = f"import os; os.chdir({str(program.folder)!r}); from localagent.cli.main import main; main()"
    given = ["-c", start, "chat", "--agent", str(agent), "--allow-tool", "chatter"]
    with Terminal(program.home, program=given, LOCALAGENT_HOME=str(program.home)) as terminal:
        terminal.wait_for_prompt()
        terminal.say("chat")
        terminal.wait_for("歌德")
        terminal.wait_for_prompt(2)
        assert not any(line.startswith("OUT") for line in terminal.text().splitlines())
        assert "IN-SHOWN" not in terminal.raw and "chatter() " in terminal.text()
        assert terminal.raw.count("WHILE-LOADED print") == 1  # told in a line
    assert IN_ORDER in told(program, agent).replace("\n  ", "\n")


def test_more_than_a_pipe_holds_stops_nobody(program: Program, agent: Path) -> None:
    tool = '''
import os, subprocess

def chatter() -> str:
    """Chatter."""
    subprocess.run(["seq", "100000"])
    os.system("seq -f 'LATER %g' 100000 &")
    return "done"
'''
    (agent / "tools" / "chatter.py").write_text(tool, "utf-8")
    done = program("ask", "chat", "--json", "--allow-tool", "chatter", "--agent", str(agent))
    assert done.json()["answer"] == ANSWER and "LATER" not in done.err
    assert "Printed:" in told(program, agent)
