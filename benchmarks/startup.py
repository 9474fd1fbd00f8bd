"""How long until something is there: --help, --version, and the prompt of a conversation.

python -m benchmarks.startup [--json] [--rounds N]
"""

from __future__ import annotations

import argparse
import json
import os
import tempfile
from collections.abc import Callable, Mapping
from dataclasses import asdict
from pathlib import Path

from benchmarks.measure import Ratio, paired, python
from benchmarks.terminal import Terminal

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
    "": ["chat", "ask", "init", "trust", "report", "doctor"],
    "threads": ["list", "show", "rename", "delete", "export", "search"],
    "memory": (
        "search add list show edit pin unpin forget restore prune stats export import ingest reindex retry".split()
    ),
    "prompts": ["list", "show", "diff", "why"],
    "models": ["list", "pull", "rm"],
    "config": ["show", "check"],
}


def prompt_on_screen(environment: Mapping[str, str]) -> Callable[[], float]:
    """Seconds from starting the program on a terminal until its prompt is drawn."""

    def run() -> float:
        with Terminal(environment) as terminal:
            return terminal.wait_for(b"\n>") - terminal.started

    return run


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
