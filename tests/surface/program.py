"""The program as scripts use it: a real process with real pipes."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

TIMEOUT_S = 60.0
# Whoever runs the tests may read another language.
PLAIN = {"LC_ALL": "C.UTF-8"}
# An agent without tools: all that it says is its answer, and is written to a pipe as it comes.
TALKING = ("--set", "tools=[]")


@dataclass(frozen=True)
class Result:
    code: int
    out: str
    err: str

    def json(self) -> Any:  # noqa: ANN401 (whatever was printed)
        return json.loads(self.out)


@dataclass(frozen=True)
class Program:
    """`localagent` with an empty home of its own. `script` is the model's script, where one is played."""

    home: Path
    folder: Path
    variables: Mapping[str, str]

    def __call__(self, *arguments: str, stdin: str | bytes | None = None, **variables: str) -> Result:
        """Run it to its end. Without `stdin` there is none (the null device)."""
        done = subprocess.run(
            self.command(*arguments),
            env=self.environment(**variables),
            cwd=self.folder,
            timeout=TIMEOUT_S,
            capture_output=True,
            **({"stdin": subprocess.DEVNULL} if stdin is None else {"input": _bytes(stdin)}),  # type: ignore[call-overload]
        )
        out, err = (stream.decode("utf-8", "backslashreplace") for stream in (done.stdout, done.stderr))
        assert "Traceback" not in err or "--debug" in arguments, err
        return Result(done.returncode, out, err)

    def start(self, *arguments: str, **pipes: int) -> subprocess.Popen[bytes]:
        """Run it and let it run; standard input, output and errors are pipes unless told otherwise."""
        every = {"stdin": subprocess.PIPE, "stdout": subprocess.PIPE, "stderr": subprocess.PIPE} | pipes
        return subprocess.Popen(self.command(*arguments), env=self.environment(), cwd=self.folder, **every)  # type: ignore[call-overload,no-any-return]

    def command(self, *arguments: str) -> Sequence[str]:
        return [sys.executable, "-W", "error", "-m", "localagent", *arguments]

    def environment(self, **variables: str) -> Mapping[str, str]:
        keep = {k: v for k, v in os.environ.items() if not k.startswith(("LOCALAGENT_", "OLLAMA_"))}
        root = str(Path(__file__).parents[2])
        own = {"LOCALAGENT_HOME": str(self.home), "PYTHONPATH": root, "XDG_CONFIG_HOME": str(self.folder / "config")}
        return {**keep, **PLAIN, **own, **self.variables, **variables}


def scripted(folder: Path, script: str) -> Mapping[str, str]:
    """Variables that make a script, given as YAML, the model; the embedder knows words alone, and is there at once."""
    path = folder / "script.yaml"
    path.write_text(script, encoding="utf-8")
    model = {"LOCALAGENT_MODEL_PROVIDER": "scripted", "LOCALAGENT_MODEL_MODEL_NAME": str(path)}
    return {**model, "LOCALAGENT_MEMORY_EMBEDDER": "words"}


def _bytes(text: str | bytes) -> bytes:
    return text if isinstance(text, bytes) else text.encode("utf-8")
