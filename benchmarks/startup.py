"""How long until something is there: --help, --version, and the prompt of a conversation.

python -m benchmarks.startup [--json] [--rounds N]
"""

from __future__ import annotations

import argparse
import json
import os
import pty
import re
import select
import signal
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Mapping
from dataclasses import asdict
from pathlib import Path

from benchmarks.measure import Ratio, paired, python

LIBRARIES = "import typer, rich.markdown, prompt_toolkit, yaml, pydantic"
# As many commands as the program has, groups included, that do nothing.
MINIMAL = """
import typer
app = typer.Typer()
for group, names in {groups!r}.items():
    inner = typer.Typer() if group else app
    for name in names:
        def command(one: str = "", two: str = "", three: bool = False, four: bool = False) -> None: "Do it."
        inner.command(name)(command)
    if group:
        app.add_typer(inner, name=group)
app()
"""
GROUPS = {
    "": ["chat", "ask", "init", "trust", "doctor"],
    "threads": ["list", "show", "rename", "delete", "export"],
    "prompts": ["list", "show"],
    "models": ["list", "pull", "rm"],
    "config": ["show", "check"],
}
PROMPT = b"\n>"
PATIENCE_S = 30.0


def prompt_on_screen(environment: Mapping[str, str]) -> Callable[[], float]:
    """Seconds from starting the program on a terminal until its prompt is drawn."""

    def run() -> float:
        master, slave = pty.openpty()
        started = time.perf_counter()
        process = subprocess.Popen(
            [sys.executable, "-m", "localagent"], env=environment, stdin=slave, stdout=slave, stderr=slave
        )
        os.close(slave)
        try:
            seen = b""
            while not _shows_prompt(seen):
                if time.perf_counter() - started > PATIENCE_S:
                    raise SystemExit(f"no prompt within {PATIENCE_S:g} s; the screen:\n{seen.decode()}")
                if select.select([master], [], [], 1.0)[0]:
                    seen += os.read(master, 65536)
                    if b"\x1b[6n" in seen:  # the terminal is asked where its cursor is
                        os.write(master, b"\x1b[3;1R")
                        seen = seen.replace(b"\x1b[6n", b"")
            return time.perf_counter() - started
        finally:
            process.send_signal(signal.SIGKILL)
            process.wait()
            os.close(master)

    return run


def _shows_prompt(seen: bytes) -> bool:
    text = re.sub(rb"\x1b\[[0-9;?]*[a-zA-Z]|\r", b"", seen)
    return PROMPT in text


def measure(rounds: int) -> list[Ratio]:
    with tempfile.TemporaryDirectory() as folder:
        minimal = Path(folder) / "minimal.py"
        minimal.write_text(MINIMAL.format(groups=GROUPS))
        script = Path(folder) / "script.yaml"
        script.write_text("{loop: true, steps: [an answer]}")
        environment = {
            **os.environ,
            "LOCALAGENT_HOME": folder,
            "LOCALAGENT_MODEL_PROVIDER": "scripted",
            "LOCALAGENT_MODEL_MODEL_NAME": str(script),
            "TERM": "xterm-256color",
        }
        program = ["-m", "localagent"]
        return [
            paired(
                "--help against a minimal Typer program with as many commands",
                python([*program, "--help"], environment),
                python([str(minimal), "--help"], environment),
                target=1.5,
                rounds=rounds,
            ),
            paired(
                "--version against `import typer`",
                python([*program, "--version"], environment),
                python(["-c", "import typer"], environment),
                target=2.0,
                rounds=rounds,
            ),
            paired(
                "the prompt on screen against importing its libraries",
                prompt_on_screen(environment),
                python(["-c", LIBRARIES], environment),
                target=1.3,
                rounds=rounds,
            ),
        ]


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--json", action="store_true")
    parser.add_argument("--rounds", type=int, default=11)
    chosen = parser.parse_args()
    results = measure(chosen.rounds)
    if chosen.json:
        print(json.dumps([asdict(result) for result in results], indent=2))
    else:
        print("\n".join(str(result) for result in results))


if __name__ == "__main__":
    main()
