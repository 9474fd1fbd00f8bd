"""The program on a real terminal, timed from outside."""

from __future__ import annotations

import os
import pty
import re
import select
import signal
import subprocess
import sys
import time
from collections.abc import Mapping
from types import TracebackType

PATIENCE_S = 30.0
_CONTROL = re.compile(rb"\x1b\[[0-9;?]*[a-zA-Z]|\r")
_WHERE_IS_THE_CURSOR = b"\x1b[6n"


class Terminal:
    """`localagent` with these arguments; killed at the end."""

    def __init__(self, environment: Mapping[str, str], *arguments: str) -> None:
        self._master, slave = pty.openpty()
        self.started = time.perf_counter()
        command = [sys.executable, "-m", "localagent", *arguments]
        self._process = subprocess.Popen(command, env=environment, stdin=slave, stdout=slave, stderr=slave)
        os.close(slave)
        self._seen = b""

    def __enter__(self) -> Terminal:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._process.send_signal(signal.SIGKILL)
        self._process.wait()
        os.close(self._master)

    def type(self, text: str) -> None:
        """Forget what was seen, and press keys."""
        self._seen = b""
        os.write(self._master, text.encode())

    def wait_for(self, wanted: bytes) -> float:
        """Read until it is on the screen (control sequences aside); returns the moment."""
        limit = time.perf_counter() + PATIENCE_S
        while wanted not in _CONTROL.sub(b"", self._seen):
            if time.perf_counter() > limit:
                raise SystemExit(f"waited {PATIENCE_S:g} s for {wanted!r}; the screen:\n{self._seen.decode()}")
            if select.select([self._master], [], [], 1.0)[0]:
                self._seen += os.read(self._master, 65536)
                if _WHERE_IS_THE_CURSOR in self._seen:
                    os.write(self._master, b"\x1b[3;1R")
                    self._seen = self._seen.replace(_WHERE_IS_THE_CURSOR, b"")
        return time.perf_counter()
