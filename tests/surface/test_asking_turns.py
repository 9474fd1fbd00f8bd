"""Whole turns in which a tool has to be approved: with a terminal, without one, and with tools allowed by name."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import ExitStack

import pytest
from program import Program
from pty_terminal import Terminal

SCRIPT = """
loop: true
steps:
  - text: I will write it.
    tool_calls:
      - name: write_file
        arguments: {path: 笔记.txt, content: "茶\\nsecond line"}
  - "It is done."
"""
AGENT = """
agent:
  model: {provider: scripted, model_name: script.yaml}
  memory: {enabled: false}
  tools: [write_file, read_file]
"""
Open = Callable[..., Terminal]


@pytest.fixture
def acting(program: Program) -> Program:
    folder = program.folder / "agent"
    folder.mkdir()
    (folder / "agent.yaml").write_text(AGENT, "utf-8")
    (folder / "script.yaml").write_text(SCRIPT, "utf-8")
    return program


@pytest.fixture
def terminal(acting: Program) -> Iterator[Open]:
    with ExitStack() as stack:

        def opened(*arguments: str) -> Terminal:
            # As a person would: in the folder that the tools may reach.
            start = f"import os; os.chdir({str(acting.folder)!r}); from localagent.cli.main import main; main()"
            given = ["-c", start, *arguments, "--agent", str(acting.folder / "agent")]
            variables = {"LOCALAGENT_HOME": str(acting.home), "COLUMNS": "120"}
            return stack.enter_context(Terminal(acting.home, program=given, columns=120, **variables))

        yield opened


def written(program: Program) -> str | None:
    file = program.folder / "笔记.txt"
    return file.read_text("utf-8") if file.exists() else None


def agent_of(program: Program) -> list[str]:
    return ["--agent", str(program.folder / "agent")]


def test_without_a_terminal_it_is_denied_and_the_model_is_told(acting: Program) -> None:
    done = acting("ask", "write it", "--json", *agent_of(acting))
    assert done.code == 0 and written(acting) is None
    (called,) = done.json()["tools"]
    assert called["name"] == "write_file" and called["is_error"]
    (thread,) = acting("threads", "list", "--json", *agent_of(acting)).json()
    shown = acting("threads", "show", thread["id"], *agent_of(acting)).out
    assert "nobody can be asked: allow it with --allow-tool write_file" in shown


@pytest.mark.parametrize("command", ["ask", "chat"])
def test_allowed_by_name(acting: Program, command: str) -> None:
    question = ["write it"] if command == "ask" else []
    done = acting(command, *question, "--allow-tool", "write_file", *agent_of(acting), stdin=None if question else "do")
    assert done.code == 0, done.err
    assert written(acting) == "茶\nsecond line"


def test_a_tool_that_the_agent_does_not_have_cannot_be_allowed(acting: Program) -> None:
    done = acting("ask", "x", "--allow-tool", "wirte_file", *agent_of(acting))
    assert done.code == 2 and done.out == ""
    assert "--allow-tool wirte_file: the agent has no such tool" in done.err and "write_file" in done.err


@pytest.mark.parametrize(("typed", "allowed"), [("o", True), ("d 不要", False), ("", False)])
def test_ask_at_a_terminal(acting: Program, terminal: Open, typed: str, allowed: bool) -> None:
    opened = terminal("ask", "write it")
    seen = opened.wait_for("may it?")
    assert "? write_file (writes) would:" in seen
    assert f"write the new file {acting.folder.resolve()}/笔记.txt:" in seen.replace("\n↪ ", "")
    assert "│ 茶\n│ second line\n" in seen
    opened.type(f"{typed}\r")
    opened.wait_for("It is done.")
    assert opened.end() == 0
    assert (written(acting) is not None) == allowed


def test_the_conversation_asks_once_and_for_ever(acting: Program, terminal: Open) -> None:
    opened = terminal("chat")
    opened.wait_for_prompt()
    opened.say("write it")
    opened.wait_for("may it?")
    opened.type("always\r")
    opened.wait_for("It is done.")
    assert written(acting) == "茶\nsecond line"
    (acting.folder / "笔记.txt").unlink()
    opened.wait_for_prompt(2)
    opened.say("once more")
    opened.wait_for(lambda text: text.count("It is done.") == 2)
    assert opened.text().count("may it?") == 1 and written(acting) is not None
    (kept,) = acting("approvals", "list", "--json", *agent_of(acting)).json()
    assert kept["tool"] == "write_file" and kept["folder"] == str(acting.folder.resolve())
    assert acting("approvals", "revoke", kept["id"][:6], *agent_of(acting)).code == 0
    (acting.folder / "笔记.txt").unlink()
    opened.wait_for_prompt(3)
    opened.say("and again")
    opened.wait_for(lambda text: text.count("may it?") == 2)
    opened.type("\x03")
    opened.wait_for("(interrupted)")
    opened.wait_for_prompt(4)
    assert written(acting) is None


def test_the_roots_of_the_agent(acting: Program) -> None:
    inner = acting.folder / "inner"
    inner.mkdir()
    agent = acting.folder / "agent" / "agent.yaml"
    agent.write_text(AGENT + "  tool_access: {roots: [inner]}\n", "utf-8")
    assert acting("ask", "write it", "--allow-tool", "write_file", *agent_of(acting)).code == 0
    assert (inner / "笔记.txt").exists() and written(acting) is None
    agent.write_text(AGENT + "  tool_access: {roots: [nowhere]}\n", "utf-8")
    done = acting("ask", "write it", *agent_of(acting))
    assert done.code == 3 and "there is no folder 'nowhere'" in done.err and "agent.yaml:6:25" in done.err
    agent.write_text(AGENT + "  tool_access: {roots: []}\n", "utf-8")
    assert acting("ask", "write it", "--allow-tool", "write_file", *agent_of(acting)).code == 0
    assert written(acting) is None


def test_a_policy_that_fails_runs_nothing(acting: Program) -> None:
    policies = acting.folder / "agent" / "policies"
    policies.mkdir()
    (policies / "approval.py").write_text("def approval(request):\n    return 1 / 0\n", "utf-8")
    done = acting("ask", "write it", "--allow-tool", "write_file", *agent_of(acting))
    assert done.code == 3 and "approval.py:2" in done.err and written(acting) is None


@pytest.mark.parametrize("path", ["agent/agent.yaml", "agent/policies/approval.py", "agent/tools/read_file.py"])
def test_no_agent_writes_what_decides_what_it_may_do(acting: Program, path: str) -> None:
    """Its files are programs that run at the next start: also a tool that was allowed by name leaves them alone."""
    (acting.folder / "agent" / "script.yaml").write_text(SCRIPT.replace("笔记.txt", path), "utf-8")
    before = (acting.folder / "agent" / "agent.yaml").read_text("utf-8")
    done = acting("ask", "--json", "write it", "--allow-tool", "write_file", *agent_of(acting))
    (called,) = done.json()["tools"]
    assert called["is_error"] is True
    assert (acting.folder / "agent" / "agent.yaml").read_text("utf-8") == before
    assert sorted(entry.name for entry in (acting.folder / "agent").iterdir()) == ["agent.yaml", "script.yaml"]
