"""A turn of the program with the tools of a server: offered, run, kept; one that is broken costs a line."""

from __future__ import annotations

import json
import os
import sqlite3
import subprocess
import sys
from contextlib import closing, suppress
from pathlib import Path

import pexpect
import pytest
from server_boxes import HERE, PLAYING, alive, until

from localagent.errors import ExitCode

SCRIPT = """
steps:
  - tool_calls: [{name: play_add, arguments: {a: 20, b: 22}}, {name: play_fail, arguments: {reason: none}}]
  - It is 42.
"""


SILENT = "import os, pathlib, sys, time; pathlib.Path(sys.argv[1]).write_text(str(os.getpid())); time.sleep(3600)"


def variables_of(folder: Path) -> dict[str, str]:
    (folder / "script.yaml").write_text(SCRIPT, encoding="utf-8")
    keep = {name: value for name, value in os.environ.items() if not name.startswith(("LOCALAGENT_", "OLLAMA_"))}
    return {
        **keep,
        "LOCALAGENT_HOME": str(folder / "home"),
        "LOCALAGENT_MODEL_PROVIDER": "scripted",
        "LOCALAGENT_MODEL_MODEL_NAME": str(folder / "script.yaml"),
        "LOCALAGENT_MEMORY_EMBEDDER": "words",
        "PYTHONPATH": str(HERE.parents[1]),
        "TERM": "xterm-256color",
    }


def test_a_turn_with_the_tools_of_a_server(tmp_path: Path) -> None:
    (tmp_path / "agent.yaml").write_text(
        "agent:\n  mcp_servers:\n"
        f"    play: {{command: {json.dumps(sys.executable)}, args: {json.dumps(list(PLAYING))}, trust_hints: true}}\n"
        "    broken: {command: no-such-server}\n",
        encoding="utf-8",
    )
    variables = variables_of(tmp_path)

    def run(*arguments: str) -> subprocess.CompletedProcess[str]:
        command = [sys.executable, "-W", "error", "-m", "localagent", *arguments, "--agent", str(tmp_path)]
        return subprocess.run(
            command, env=variables, stdin=subprocess.DEVNULL, capture_output=True, text=True, check=False
        )

    done = run("ask", "--thread", "sums", "What is 20 + 22?")
    assert done.returncode == 0 and done.stdout.strip() == "It is 42.", done.stderr
    assert done.stderr.count("mcp_servers.broken: it cannot be used: No such file or directory") == 1
    kept = json.dumps(json.loads(run("threads", "show", "sums", "--json").stdout))
    assert "play_add" in kept and "42" in kept
    assert "nobody" in kept  # could be asked whether play_fail may run


def requests(home: Path) -> int:
    """How many messages there are."""
    found = list(home.glob("*.sqlite3"))
    if not found:
        return 0
    with closing(sqlite3.connect(f"file:{found[0]}?mode=ro", uri=True)) as database, suppress(sqlite3.Error):
        return int(database.execute("SELECT count(*) FROM messages").fetchone()[0])
    return 0


@pytest.mark.skipif(sys.platform == "win32", reason="pseudo-terminals")
@pytest.mark.parametrize("command", ["ask", "chat"])
def test_ctrl_c_ends_the_waiting_for_a_server_that_does_not_answer(tmp_path: Path, command: str) -> None:
    pid = tmp_path / "pid"
    arguments = json.dumps(["-c", SILENT, str(pid)])
    (tmp_path / "agent.yaml").write_text(
        "agent:\n  mcp_servers:\n"
        f"    play: {{command: {json.dumps(sys.executable)}, args: {arguments}, timeout_s: 3600}}\n",
        encoding="utf-8",
    )
    given = ["-W", "error", "-m", "localagent", command, *(["What?"] if command == "ask" else [])]
    child = pexpect.spawn(
        sys.executable, [*given, "--agent", str(tmp_path)], env=variables_of(tmp_path), timeout=60, encoding="utf-8"
    )
    try:
        if command == "chat":
            child.expect("local_context_agent")
            child.send("What?\r")
        assert until(lambda: pid.exists() and bool(pid.read_text()))
        server = int(pid.read_text())
        child.expect("waiting for the MCP server play")
        assert requests(tmp_path / "home") == 1  # the turn has begun
        child.sendintr()
        if command == "chat":
            child.expect("nterrupted")
            assert until(lambda: not alive(server)), "while the conversation is open"
            child.send("/tools\r")
            child.expect("waiting for the MCP server play")
            child.sendintr()
            child.expect("nterrupted")
            child.sendeof()
        child.expect(pexpect.EOF)
        child.close()
        assert child.exitstatus == (ExitCode.INTERRUPTED if command == "ask" else ExitCode.OK)
        assert not alive(server)
    finally:
        child.close(force=True)
