"""What a tool prints: kept beside its result. Standard output is for the answer alone."""

from __future__ import annotations

import io
import sys
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from typing import TextIO, cast

MOST_CHARACTERS = 100_000

_lock = threading.Lock()
_open: list[object] = []  # the calls that run, of all threads


class Printed(io.TextIOBase):
    """Keeps the first `MOST_CHARACTERS` and counts the rest."""

    encoding = "utf-8"

    def __init__(self) -> None:
        self._pieces: list[str] = []
        self._kept = 0
        self._lock = threading.Lock()
        self.left_out = 0
        self.before_each: Callable[[], None] = lambda: None  # called before something is printed

    @property
    def buffer(self) -> _Bytes:
        return _Bytes(self)

    def write(self, text: str) -> int:
        self.before_each()
        self.add(text)
        return len(text)

    def add(self, text: str) -> None:
        with self._lock:
            piece = text[: MOST_CHARACTERS - self._kept]
            self._pieces.append(piece)
            self._kept += len(piece)
            self.left_out += len(text) - len(piece)

    def getvalue(self) -> str:
        return "".join(self._pieces)


class _Bytes(io.RawIOBase):
    def __init__(self, printed: Printed) -> None:
        self._printed = printed

    def writable(self) -> bool:
        return True

    def write(self, data: object) -> int:
        content = bytes(memoryview(data))  # type: ignore[arg-type]
        self._printed.write(content.decode("utf-8", "replace"))
        return len(content)


_printed: ContextVar[Printed | None] = ContextVar("printed", default=None)


class _Switch:
    """Stands for a standard stream while tools run: what the thread of a call writes goes to that call, what a thread
    writes that a tool started goes to standard error."""

    def __init__(self, beneath: TextIO | None, others: TextIO | None) -> None:
        self.beneath = beneath  # None where the stream is closed
        self._others = others

    def __getattr__(self, name: str) -> object:
        printed = _printed.get()
        if printed is not None:
            return getattr(printed, name)
        ours = threading.current_thread() is threading.main_thread()
        return getattr((self.beneath if ours else self._others) or Printed(), name)


@contextmanager
def printing(into: Printed) -> Iterator[None]:
    """What this thread prints goes into `into` while this is open."""
    mine = object()
    with _lock:
        # Also while a call that was left behind goes on: meanwhile others may have put another stream there.
        if not isinstance(sys.stdout, _Switch):
            sys.stdout = cast("TextIO", _Switch(sys.stdout, sys.stderr))
        if not isinstance(sys.stderr, _Switch):
            sys.stderr = cast("TextIO", _Switch(sys.stderr, sys.stderr))
        _open.append(mine)
    token = _printed.set(into)
    try:
        yield
    finally:
        _printed.reset(token)
        with _lock:
            _open.remove(mine)
            if not _open:  # unless somebody has put another stream there meanwhile
                if isinstance(sys.stdout, _Switch):
                    sys.stdout = cast("TextIO", sys.stdout.beneath)
                if isinstance(sys.stderr, _Switch):
                    sys.stderr = cast("TextIO", sys.stderr.beneath)
