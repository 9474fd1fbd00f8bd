"""A download in a process of its own: it can be stopped at any moment, and its libraries never load here."""

from __future__ import annotations

import contextlib
import os
import signal
import subprocess
import sys
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Final, TypeAlias

from localagent.abort import AbortSignal

# Bytes that have arrived, and how many it will be.
Progress: TypeAlias = Callable[[int, int], None]

_LOOK_S: Final = 0.1
_GRACE_S: Final = 2.0


@dataclass(frozen=True, slots=True)
class Child:
    """What to run, in which folder, with which variables of the environment besides ours."""

    command: Sequence[str]
    folder: Path
    extra: Mapping[str, str]

    def run(self, output: Path, look: Callable[[], None], abort: AbortSignal) -> int:
        """Run to the end and return the exit code. What the child says goes to the file `output`; `look` is called
        every 0.1 s. Raises what the abort signal says, OSError if the child cannot start; the child is dead then."""
        with output.open("wb") as said:
            # A group of its own: the terminal's Ctrl-C comes to us, and we stop the child.
            process = subprocess.Popen(
                self.command,
                cwd=self.folder,
                env={**os.environ, **self.extra},
                stdin=subprocess.DEVNULL,
                stdout=said,
                stderr=subprocess.STDOUT,
                start_new_session=sys.platform != "win32",
            )
            try:
                while process.poll() is None:
                    look()
                    abort.wait(_LOOK_S)
                    abort.raise_if_aborted()
                look()
            finally:
                _stop(process)
        return process.returncode


def folder_size(folder: Path) -> int:
    """Bytes of all files below. Files may vanish meanwhile."""
    total = 0
    for parent, _, names in os.walk(folder):
        for name in names:
            with contextlib.suppress(OSError):
                total += Path(parent, name).stat().st_size
    return total


def _stop(process: subprocess.Popen[bytes]) -> None:
    """Terminate, and kill what does not listen, with everything it started."""
    if process.poll() is not None:
        return
    for number in (signal.SIGTERM, getattr(signal, "SIGKILL", signal.SIGTERM)):
        with contextlib.suppress(ProcessLookupError):
            if sys.platform == "win32":
                process.terminate()
            else:
                os.killpg(process.pid, number)
        with contextlib.suppress(subprocess.TimeoutExpired):
            process.wait(_GRACE_S)
            return
    process.wait()
