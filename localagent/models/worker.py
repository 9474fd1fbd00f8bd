"""What a worker thread and the one who waits for it pass to each other."""

from __future__ import annotations

import queue
from collections.abc import Callable
from types import TracebackType
from typing import Final, TypeVar

Item = TypeVar("Item")

_POLL_S: Final = 0.2  # a wait without end could not be interrupted by Ctrl-C on Windows


class Carried:
    """A block in a thread, as a context manager: what it raises is given to `deliver` in place of ending the thread.

    For any exception: one that nobody foresaw is to be raised where somebody waits, not printed here and forgotten.
    """

    def __init__(self, deliver: Callable[[BaseException], None]) -> None:
        self._deliver = deliver

    def __enter__(self) -> None:
        return None

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> bool:
        if error is not None:
            self._deliver(error)
        return True


def take(items: queue.SimpleQueue[Item]) -> Item:
    """The next item, as soon as there is one."""
    while True:
        try:
            return items.get(timeout=_POLL_S)
        except queue.Empty:
            continue
