"""The process around us, injected: streams, variables, folders, the clock. Nothing below reads `os.environ`."""

from __future__ import annotations

import os
import sys
import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Literal, TextIO


@dataclass(frozen=True)
class Environment:
    """Tests build their own; the program uses `Environment.of_process()`.

    `data_dir` and `config_dir` are where localagent keeps what it writes and where the user keeps an agent of
    their own. `now` is seconds since the epoch. `language`: in which a person is told things where nothing that was
    said or is shown decides.
    """

    stdin: TextIO
    stdout: TextIO
    stderr: TextIO
    variables: Mapping[str, str]
    cwd: Path
    data_dir: Path
    config_dir: Path
    now: Callable[[], float] = field(default=time.time)
    language: Literal["en", "zh"] = "en"

    @classmethod
    def of_process(cls) -> Environment:
        from platformdirs import user_config_path, user_data_path

        home = os.environ.get("LOCALAGENT_HOME", "")  # a path: as the system has it
        return cls(
            stdin=_or_nothing(sys.stdin, "r"),
            stdout=_or_nothing(sys.stdout, "w"),
            stderr=_or_nothing(sys.stderr, "w"),
            variables={name: as_utf8(value) for name, value in os.environ.items()},
            cwd=Path.cwd(),
            data_dir=Path(home).expanduser().absolute() if home else user_data_path("localagent", False),
            config_dir=user_config_path("localagent", False),
        )

    @property
    def interactive(self) -> bool:
        """A person is typing and reading: standard input and output are both terminals."""
        return self.stdin.isatty() and self.stdout.isatty()


def as_utf8(text: str) -> str:
    """An argument or variable as its bytes read in UTF-8, whatever the locale; unchanged if they are not UTF-8."""
    try:
        return os.fsencode(text).decode("utf-8")
    except UnicodeError:
        return text


def _or_nothing(stream: TextIO | None, mode: Literal["r", "w"]) -> TextIO:
    """A closed standard stream is None in Python; the null device behaves as a closed one should."""
    return stream if stream is not None else Path(os.devnull).open(mode, encoding="utf-8")
