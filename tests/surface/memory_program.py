"""The program in the test's own process: the same `main`, with streams that are no terminal. A process each would cost
most of a second. What belongs to a process (the encodings of its streams, signals, the variables it is started with) is
tested with real ones."""

from __future__ import annotations

import contextlib
import io
import os
from dataclasses import dataclass
from pathlib import Path

from program import PLAIN, Program, Result

from localagent.cli.main import run
from localagent.environment import Environment, as_utf8


@dataclass(frozen=True)
class Here(Program):
    """As `Program`; `start`, `command` and `environment` are those of real processes."""

    def __call__(self, *arguments: str, stdin: str | bytes | None = None, **variables: str) -> Result:
        data = stdin.encode("utf-8") if isinstance(stdin, str) else stdin
        out, err = _stream(b""), _stream(b"")
        given = {**PLAIN, "LOCALAGENT_HOME": str(self.home), **self.variables, **variables}
        keep = {name: value for name, value in os.environ.items() if not name.startswith(("LOCALAGENT_", "OLLAMA_"))}
        with _stream(data) if data is not None else Path(os.devnull).open(encoding="utf-8") as standard_input:
            environment = Environment(
                stdin=standard_input,
                stdout=out,
                stderr=err,
                variables={**keep, **given},
                cwd=self.folder,
                data_dir=self.home,
                config_dir=self.folder / "config",
            )
            # Help is printed to the process's own streams.
            with contextlib.redirect_stdout(out), contextlib.redirect_stderr(err):
                code = run([as_utf8(argument) for argument in arguments], environment)
        told = _written(err)
        assert "Traceback" not in told or "--debug" in arguments, told
        return Result(int(code), _written(out), told)

    def real(self) -> Program:
        """The same in processes of its own."""
        return Program(self.home, self.folder, self.variables)


def _stream(data: bytes) -> io.TextIOWrapper:
    return io.TextIOWrapper(io.BytesIO(data), encoding="utf-8", newline="\n", write_through=True)


def _written(stream: io.TextIOWrapper) -> str:
    buffer = stream.buffer
    assert isinstance(buffer, io.BytesIO)
    return buffer.getvalue().decode("utf-8", "backslashreplace")
