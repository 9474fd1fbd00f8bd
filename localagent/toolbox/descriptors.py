"""What a call's child processes print: kept beside its result, as its own prints are.

A child writes to descriptors 1 and 2 of the process, whatever `sys.stdout` is. While calls run, both lead into a pipe;
this is done only in a program that said that its own output goes another way (`own_output_is_apart`). Where the system
has no pipes that can be waited for (Windows) they stay as they are.
"""

from __future__ import annotations

import codecs
import os
import select
import sys
import threading
from collections.abc import Iterator
from contextlib import contextmanager

from localagent.toolbox.printing import Printed

_apart = threading.Event()
# More than a pipe holds: who never stops printing does not keep the one who empties it.
_MOST_READS = 32


def own_output_is_apart() -> None:
    """The program writes through descriptors of its own: 1 and 2 are for those that it starts."""
    _apart.set()


class _Pipe:
    """Begun with the first call. What arrives while none runs is let go: a process that outlives its call goes on."""

    def __init__(self) -> None:
        self._lock = threading.RLock()
        self._calls: list[Printed] = []
        self._ends: tuple[int, int] | None = None
        self._before: list[tuple[int, int | None]] = []
        self._decoder = codecs.getincrementaldecoder("utf-8")("replace")

    def open(self, printed: Printed) -> None:
        with self._lock:
            self._empty()  # of those that went on after an earlier call
            self._calls.append(printed)
            if len(self._calls) == 1:
                self._divert()

    def close(self, printed: Printed) -> None:
        with self._lock:
            self._empty()
            self._calls.remove(printed)
            if not self._calls:
                self._restore()

    def empty(self) -> None:
        with self._lock:
            self._empty()

    def _divert(self) -> None:
        if self._ends is None:
            self._ends = os.pipe()
            os.set_blocking(self._ends[0], False)
            threading.Thread(target=self._read, args=(self._ends[0],), name="printed by children", daemon=True).start()
        for descriptor in (1, 2):
            try:
                kept: int | None = os.dup(descriptor)
            except OSError:  # closed from the start
                kept = None
            self._before.append((descriptor, kept))
            os.dup2(self._ends[1], descriptor)

    def _restore(self) -> None:
        for descriptor, kept in self._before:
            if kept is None:
                os.close(descriptor)
            else:
                os.dup2(kept, descriptor)
                os.close(kept)
        self._before.clear()

    def _read(self, descriptor: int) -> None:
        while True:
            select.select([descriptor], [], [])
            self.empty()

    def _empty(self) -> None:
        """Of calls at the same time nobody can say which one a text belongs to: it goes to the one that began last."""
        if self._ends is None:
            return
        for _ in range(_MOST_READS):
            try:
                piece = os.read(self._ends[0], 65536)
            except BlockingIOError:
                return
            text = self._decoder.decode(piece)
            if self._calls and text:
                self._calls[-1].add(text)


_pipe = _Pipe()


@contextmanager
def gathering(into: Printed) -> Iterator[None]:
    """What child processes print goes into `into` while this is open, in its order with what is printed there."""
    if not _apart.is_set() or sys.platform == "win32":
        yield
        return
    into.before_each = _pipe.empty
    _pipe.open(into)
    try:
        yield
    finally:
        _pipe.close(into)
