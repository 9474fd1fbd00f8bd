"""Asking before a tool may run, where there is a terminal but no conversation in it: `ask`."""

from __future__ import annotations

import contextlib
import os
import select
import sys
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager

from localagent.abort import AbortSignal
from localagent.calls import Approval, ApprovalRequest
from localagent.environment import Environment
from localagent.errors import Aborted, Interrupted

TERMINAL = "/dev/tty"
# How often it looks whether somebody said stop.
LOOK_S = 0.1
FALLBACK_SIZE = (80, 24)


@contextmanager
def terminal_approver(env: Environment) -> Iterator[TerminalApprover | None]:
    """None where nobody sees a question or can answer it. Standard input may be a pipe: the terminal itself is read."""
    descriptor = _open_terminal(env) if env.stderr.isatty() else None
    try:
        yield TerminalApprover(env, descriptor) if descriptor is not None else None
    finally:
        if descriptor is not None:
            os.close(descriptor)


class TerminalApprover:
    """An `Approver` that writes to standard error and reads the terminal. `before` is called before each question: what
    is being shown gives way."""

    def __init__(self, env: Environment, descriptor: int) -> None:
        self.before: Callable[[], None] = lambda: None
        self._env = env
        self._descriptor = descriptor
        self._lock = threading.Lock()
        self._rest = b""

    def __call__(self, request: ApprovalRequest, abort: AbortSignal) -> Approval:
        from localagent.asking import asked

        with self._lock:
            abort.raise_if_aborted()
            self.before()
            self._forget_typed()

            def read(question: str) -> str:
                print(question, end="", file=self._env.stderr, flush=True)
                return self._line(abort)

            return asked(request, self._say, read, *self._size(), self._env.language)

    def _say(self, line: str) -> None:
        """What the terminal has no character for is shown as an escape: no two lines look alike."""
        encoding = self._env.stderr.encoding or "utf-8"
        print(line.encode(encoding, "backslashreplace").decode(encoding), file=self._env.stderr, flush=True)

    def _size(self) -> tuple[int, int]:
        """Columns and lines of the terminal at this moment."""
        try:
            size = os.get_terminal_size(self._env.stderr.fileno())
        except (OSError, ValueError):
            return FALLBACK_SIZE
        return size.columns or FALLBACK_SIZE[0], size.lines or FALLBACK_SIZE[1]

    def _forget_typed(self) -> None:
        """What was typed before the question answers nothing."""
        self._rest = b""
        if sys.platform != "win32":
            import termios

            with contextlib.suppress(termios.error):
                termios.tcflush(self._descriptor, termios.TCIFLUSH)

    def _line(self, abort: AbortSignal) -> str:
        """What was typed until Enter. Raises Aborted, and Interrupted where the terminal says that no more comes."""
        try:
            while b"\n" not in self._rest:
                abort.raise_if_aborted()
                # Windows cannot wait for a terminal this way; there Ctrl-C ends the reading.
                if sys.platform != "win32" and not select.select([self._descriptor], [], [], LOOK_S)[0]:
                    continue
                piece = os.read(self._descriptor, 4096)
                if not piece:
                    raise Interrupted("interrupted")
                self._rest += piece
        except OSError as error:  # the terminal is gone
            raise Interrupted("interrupted") from error
        except Aborted:
            print(file=self._env.stderr, flush=True)
            raise
        line, _, self._rest = self._rest.partition(b"\n")
        return line.decode("utf-8", "replace")


def _open_terminal(env: Environment) -> int | None:
    """A descriptor of its own."""
    with contextlib.suppress(OSError):
        if sys.platform == "win32":
            return os.dup(env.stdin.fileno()) if env.stdin.isatty() else None
        return os.open(TERMINAL, os.O_RDWR | os.O_NOCTTY | os.O_CLOEXEC)
    return None
