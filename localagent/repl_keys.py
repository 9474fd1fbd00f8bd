"""Keys while the model works: Ctrl-C and Esc stop it, everything else is kept for the next prompt."""

from __future__ import annotations

import asyncio
import threading
from asyncio import AbstractEventLoop, TimerHandle
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from types import TracebackType

from prompt_toolkit.input import Input
from prompt_toolkit.input.typeahead import get_typeahead, store_typeahead
from prompt_toolkit.key_binding import KeyPress
from prompt_toolkit.keys import Keys
from prompt_toolkit.output import Output

from localagent.abort import AbortSignal

TICK_S = 0.25
# An Esc that nothing follows within this time was the key, not the beginning of a sequence.
ESCAPE_S = 0.1
_STOP = (Keys.ControlC, Keys.SIGINT)
_NOISE = (Keys.CPRResponse, Keys.Ignore, Keys.Vt100MouseEvent, Keys.WindowsMouseEvent, Keys.ControlZ)


class KeyWatch:
    """A context: inside it the terminal is raw and a thread reads it. `on_tick` is called four times a second."""

    def __init__(self, source: Input, output: Output, abort: AbortSignal, on_tick: Callable[[], None]) -> None:
        self._source = source
        self._output = output
        self._abort = abort
        self._on_tick = on_tick
        self._typed: list[KeyPress] = []
        self._ready = threading.Event()
        self._loop: AbstractEventLoop | None = None
        self._flush: TimerHandle | None = None
        self._thread: threading.Thread | None = None

    def __enter__(self) -> KeyWatch:
        self._begin()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._end()
        store_typeahead(self._source, self._typed)

    @contextmanager
    def paused(self) -> Iterator[None]:
        """The terminal is free for a question. What was typed before it is kept for the next prompt: it answers
        nothing."""
        self._end()
        self._typed = [*get_typeahead(self._source), *self._typed]
        try:
            yield
        finally:
            self._begin()

    def _begin(self) -> None:
        self._ready.clear()
        self._output.enable_bracketed_paste()
        self._output.flush()
        self._thread = threading.Thread(target=lambda: asyncio.run(self._watch()), name="keys", daemon=True)
        self._thread.start()
        self._ready.wait()

    def _end(self) -> None:
        self._call(self._done.set)
        if self._thread is not None:
            self._thread.join()
        self._output.disable_bracketed_paste()
        self._output.flush()

    def abort_soon(self) -> None:
        """Abort from a signal handler: the work is done in our thread, where no lock can be held already."""
        self._call(self._abort.abort)

    def _call(self, function: Callable[[], None]) -> None:
        if self._loop is not None and not self._loop.is_closed():
            self._loop.call_soon_threadsafe(function)

    async def _watch(self) -> None:
        self._loop = asyncio.get_running_loop()
        self._done = asyncio.Event()
        try:
            with self._source.raw_mode(), self._source.attach(self._read):
                self._ready.set()
                while not self._done.is_set():
                    try:
                        await asyncio.wait_for(self._done.wait(), TICK_S)
                    except TimeoutError:
                        self._tick()
                # Also what has arrived and was not announced yet: it must not answer the question that comes now.
                self._take([*self._source.read_keys(), *self._source.flush_keys()])
        except EOFError:  # the input cannot be watched at all
            self._abort.abort()
        finally:
            self._ready.set()

    def _tick(self) -> None:
        try:
            self._on_tick()
        except OSError:  # the terminal is gone
            self._abort.abort()

    def _read(self) -> None:
        self._take(self._source.read_keys())
        if self._flush is not None:
            self._flush.cancel()
        self._flush = asyncio.get_running_loop().call_later(ESCAPE_S, lambda: self._take(self._source.flush_keys()))
        if self._source.closed:
            self._abort.abort()

    def _take(self, keys: list[KeyPress]) -> None:
        if any(key.key in _STOP for key in keys) or (keys and keys[-1].key == Keys.Escape):
            self._abort.abort()
        kept = [key for key in keys if key.key not in (*_STOP, *_NOISE)]
        if kept and kept[-1].key == Keys.Escape:
            kept.pop()
        self._typed += kept
