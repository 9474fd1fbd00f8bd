"""One object that says "stop": to the model call, to every tool, to every subprocess.

As on the web platform, a signal can follow another one and can have a deadline of its own; setting it runs what
was registered (close this socket, kill that child) once, in the thread that set it.
"""

from __future__ import annotations

import threading
import time
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from types import TracebackType

from localagent.errors import Aborted, DeadlineExceeded, Interrupted


class AbortSignal:
    """Thread-safe. Use `child()` for a narrower scope; a child never aborts its parent."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._event = threading.Event()
        self._error: Aborted | None = None
        self._callbacks: dict[int, Callable[[], None]] = {}
        self._next_key = 0
        self._timer: threading.Timer | None = None
        self._deadline: DeadlineExceeded | None = None
        self._left_s = 0.0
        self._since = 0.0
        self._pauses = 0
        self._parent: AbortSignal | None = None
        self._detach: Callable[[], None] = lambda: None

    @property
    def aborted(self) -> bool:
        return self._event.is_set()

    @property
    def error(self) -> Aborted | None:
        """Why, as the exception that `raise_if_aborted` raises; None while nobody said stop."""
        return self._error

    def abort(self, error: Aborted | None = None) -> None:
        """Say stop. The first call wins; later ones do nothing. Each callback runs, whatever another one raises."""
        with self._lock:
            if self._event.is_set():
                return
            self._error = error or Interrupted("interrupted")
            self._event.set()
            callbacks = list(self._callbacks.values())
            self._callbacks.clear()
        with ExitStack() as stack:
            for callback in reversed(callbacks):
                stack.callback(callback)

    def raise_if_aborted(self) -> None:
        if self._error is not None:
            raise self._error

    def wait(self, timeout_s: float) -> bool:
        """Sleep until aborted or until the time is over; True if aborted."""
        return self._event.wait(timeout_s)

    def on_abort(self, callback: Callable[[], None]) -> Callable[[], None]:
        """Run `callback` when aborted (at once if it is already). Returns a function that takes it back."""
        with self._lock:
            if not self._event.is_set():
                key = self._next_key
                self._next_key += 1
                self._callbacks[key] = callback
                return lambda: self._remove(key)
        callback()
        return lambda: None

    def _remove(self, key: int) -> None:
        with self._lock:
            self._callbacks.pop(key, None)

    def child(self, *, timeout_s: float | None = None, what: str = "the operation") -> AbortSignal:
        """A signal that follows this one and, with `timeout_s`, has a deadline. Close it (or use `with`)."""
        child = AbortSignal()
        child._parent = self
        child._detach = self.on_abort(lambda: child.abort(self._error))
        if timeout_s is not None:
            child._deadline = DeadlineExceeded(f"{what} took longer than {timeout_s:g} s")
            child._left_s = timeout_s
            child._start_clock()
        return child

    @contextmanager
    def paused(self) -> Iterator[None]:
        """While this is open, neither this signal's clock runs nor those of the signals that it follows: a person is
        waited for. They may still be aborted."""
        held: list[AbortSignal] = []
        signal: AbortSignal | None = self
        while signal is not None:
            held.append(signal)
            signal = signal._parent
        for one in held:
            one._hold_clock()
        try:
            yield
        finally:
            for one in held:
                one._release_clock()

    def _start_clock(self) -> None:
        self._since = time.monotonic()
        self._timer = threading.Timer(self._left_s, self.abort, args=(self._deadline,))
        self._timer.daemon = True
        self._timer.start()

    def _hold_clock(self) -> None:
        with self._lock:
            self._pauses += 1
            if self._pauses == 1 and self._timer is not None:
                self._timer.cancel()
                self._left_s = max(0.0, self._left_s - (time.monotonic() - self._since))

    def _release_clock(self) -> None:
        with self._lock:
            self._pauses -= 1
            if self._pauses == 0 and self._timer is not None and not self._event.is_set():
                self._start_clock()

    def close(self) -> None:
        """Disarm the clock and let go of the parent. Does not abort."""
        self._detach()
        with self._lock:
            if self._timer is not None:
                self._timer.cancel()
                self._timer = None

    def __enter__(self) -> AbortSignal:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()
