"""A turn of the program with the tools of a server: offered, run, kept; one that is broken costs a line."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

from playing import HERE, PLAYING

SCRIPT = """
steps:
  - tool_calls: [{name: play_add, arguments: {a: 20, b: 22}}, {name: play_fail, arguments: {reason: none}}]
  - It is 42.
"""


def test_a_turn_with_the_tools_of_a_server(tmp_path: Path) -> None:
    (tmp_path / "script.yaml").write_text(SCRIPT, encoding="utf-8")
    (tmp_path / "agent.yaml").write_text(
        "agent:\n  mcp_servers:\n"
        f"    play: {{command: {json.dumps(sys.executable)}, args: {json.dumps(list(PLAYING))}, trust_hints: true}}\n"
        "    broken: {command: no-such-server}\n",
        encoding="utf-8",
    )
    keep = {name: value for name, value in os.environ.items() if not name.startswith(("LOCALAGENT_", "OLLAMA_"))}
    variables = {
        **keep,
        "LOCALAGENT_HOME": str(tmp_path / "home"),
        "LOCALAGENT_MODEL_PROVIDER": "scripted",
        "LOCALAGENT_MODEL_MODEL_NAME": str(tmp_path / "script.yaml"),
        "LOCALAGENT_MEMORY_EMBEDDER": "words",
        "PYTHONPATH": str(HERE.parents[1]),
    }

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
