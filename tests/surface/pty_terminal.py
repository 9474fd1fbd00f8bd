"""A person at a terminal: a program on a real pseudo-terminal, and what would be on the screen."""

from __future__ import annotations

import codecs
import os
import re
import signal
import sys
import threading
import time
from collections.abc import Callable, Sequence
from pathlib import Path
from types import TracebackType
from typing import TypeAlias

import pexpect
import pyte

CHILD = Path(__file__).with_name("repl_child.py")
ROOT = Path(__file__).parents[2]
TIMEOUT_S = 30.0
Wanted: TypeAlias = str | re.Pattern[str] | Callable[[str], bool]


class Terminal:
    """Runs the test's REPL. `wait_for` is the only way to wait: for something to be on the screen."""

    def __init__(
        self,
        home: Path,
        *,
        rows: int = 24,
        columns: int = 80,
        program: Sequence[str] = (),
        **variables: str,
    ) -> None:
        """`program`: arguments of the interpreter; the test's own REPL if none are given."""
        home.mkdir(exist_ok=True)
        self.home = home
        self.raw = ""
        self._screen = pyte.HistoryScreen(columns, rows, history=20_000, ratio=1)
        self._stream = pyte.Stream(self._screen)
        self._decoder = codecs.getincrementaldecoder("utf-8")("replace")
        keep = {key: value for key, value in os.environ.items() if key not in ("NO_COLOR", "LINES", "COLUMNS")}
        environment = {**keep, "PYTHONPATH": str(ROOT), "TERM": "xterm-256color", "LC_ALL": "C.UTF-8", **variables}
        arguments = ["-W", "error", *(program or (str(CHILD), str(home)))]
        self.process = pexpect.spawn(
            sys.executable, arguments, dimensions=(rows, columns), env=environment, timeout=TIMEOUT_S
        )
        self.process.delaybeforesend = None
        self.process.ptyproc.delayafterclose = 0.0

    def __enter__(self) -> Terminal:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    def close(self) -> None:
        """Whatever it does; the terminal is closed under a program that has not ended."""
        if self.process.isalive():
            self.hang_up(patience_s=1.0)
        self.process.close()

    def type(self, keys: str) -> None:
        """All at once, as one burst of keys."""
        data = keys.encode("utf-8", "surrogateescape")
        while data:
            data = data[os.write(self.process.child_fd, data[:2000]) :]
            self._pump(0.0)

    def say(self, text: str, shows: Wanted = "") -> None:
        """Send it; `shows`: what must be on the screen then."""
        self.type(text)
        echo = "".join(text.split())[-10:]
        self.wait_for(lambda shown: echo in "".join(shown.split()))  # wherever the line is folded
        self.type("\r")
        self.wait_for(shows)

    def resize(self, rows: int, columns: int) -> None:
        self._screen.resize(rows, columns)
        self.process.setwinsize(rows, columns)

    def kill(self, number: signal.Signals) -> None:
        self.process.kill(number)

    def hang_up(self, patience_s: float = TIMEOUT_S) -> int:
        """Close the terminal under the program; its exit code, or minus the signal that killed it: in the end, ours."""
        self.process.ptyproc.fileobj.close()
        alarm = threading.Timer(patience_s, os.kill, (self.process.pid, signal.SIGKILL))
        alarm.start()
        _, status = os.waitpid(self.process.pid, 0)
        alarm.cancel()
        self.process.terminated = self.process.ptyproc.terminated = True
        self.process.closed = self.process.ptyproc.closed = True
        return os.waitstatus_to_exitcode(status)

    def wait_for(self, wanted: Wanted) -> str:
        """Read until the text (scrollback and screen) contains it; returns that text."""
        deadline = time.monotonic() + TIMEOUT_S
        while not _found(wanted, text := self.text()):
            if time.monotonic() > deadline or (not self._pump(0.5) and not self.process.isalive()):
                raise AssertionError(f"waited for {wanted!r}, saw:\n{text}")
        return text

    def wait_for_prompt(self, count: int = 1) -> None:
        """The box is open for the `count`th time (after as many messages less one)."""
        self.wait_for(lambda text: len(re.findall(r"^>( |$)", text, re.MULTILINE)) >= count)

    def end(self) -> int:
        """Wait for the program to end; its exit code, or minus the signal that killed it."""
        while self._pump(0.5) or self.process.isalive():
            pass
        self.process.close()
        if self.process.signalstatus is not None:
            return -int(self.process.signalstatus)
        return int(self.process.exitstatus)

    def screen(self) -> str:
        return "\n".join(line.rstrip() for line in self._screen.display)

    def text(self) -> str:
        """The scrollback and the screen."""
        columns = range(self._screen.columns)
        above = ("".join(row[column].data for column in columns).rstrip() for row in self._screen.history.top)
        return "\n".join([*above, self.screen()]).rstrip("\n")

    def _pump(self, timeout_s: float) -> bool:
        """Show what has arrived; False if there was nothing."""
        try:
            data = self.process.read_nonblocking(1 << 16, timeout_s)
        except (pexpect.TIMEOUT, pexpect.EOF):
            return False
        text = self._decoder.decode(data)
        self.raw += text
        self._stream.feed(text.replace("\u200d", ""))  # pyte forgets what follows a joiner
        return True


def _found(wanted: Wanted, text: str) -> bool:
    if isinstance(wanted, str):
        return wanted in text
    return bool(wanted.search(text)) if isinstance(wanted, re.Pattern) else wanted(text)
