"""The line at the bottom of a terminal that tells what is going on, and the terminal that it stands in."""

from __future__ import annotations

import os
import threading
import time
from collections.abc import Callable
from typing import TextIO

from localagent import columns
from localagent.bilingual import Language
from localagent.bilingual_said import in_language
from localagent.bilingual_talk import READING
from localagent.environment import Environment
from localagent.events import PromptProgress
from localagent.terminal import encodable, one_line

ERASE_LINE = "\r\x1b[K"
FALLBACK_WIDTH = 80
# Short enough not to wrap when the window becomes narrower, where it could not be erased.
STATUS_WIDTH = 40
STATUS_INTERVAL_S = 0.1


class Status:
    """One line at the bottom of the terminal that is gone before anything else is written."""

    def __init__(self, stream: TextIO, enabled: bool, width: Callable[[], int]) -> None:
        self._stream = stream
        self.enabled = enabled
        self._width = width
        self._text = ""
        self._since = 0.0
        self._drawn_at = 0.0
        self._visible = False
        self._tail = False

    def set(self, text: str, *, tail: bool = False) -> None:
        """Drawn at most ten times a second; `tick` catches up. `tail`: where it is too long, its end is shown."""
        self._tail = tail
        now = time.monotonic()
        if bool(text) != bool(self._text):
            self._since = now
        self._text = text
        if not text:
            self.hide()
        elif not self._visible or now - self._drawn_at >= STATUS_INTERVAL_S:
            self.draw()

    def draw(self) -> None:
        if not self.enabled or not self._text:
            return
        self._drawn_at = time.monotonic()
        seconds = int(self._drawn_at - self._since)
        text = f"{self._text} {seconds} s" if seconds and not self._tail else self._text
        shown = fit(text, min(self._width() - 1, STATUS_WIDTH), tail=self._tail)
        self._stream.write(f"{ERASE_LINE}\x1b[2m{encodable(shown, self._stream.encoding)}\x1b[22m")
        self._stream.flush()
        self._visible = True

    def hide(self) -> None:
        if self._visible:
            self._stream.write(ERASE_LINE)
            self._stream.flush()
            self._visible = False


class WithStatus:
    """A renderer's part that tells what is going on, from whatever thread, in the user's language."""

    def __init__(self, status: Status, language: Language) -> None:
        self.language = language
        self._status = status
        self._lock = threading.RLock()

    def status(self, text: str) -> None:
        with self._lock:
            self._status.set(one_line(in_language(text, self.language)))

    def tick(self) -> None:
        with self._lock:
            self._status.draw()


def fit(text: str, cells: int, *, tail: bool = False) -> str:
    """As much of one line as has room in so many cells of the terminal, from its beginning or from its end."""
    return columns.fit(text[::-1], cells)[::-1] if tail else columns.fit(text, cells)


def progress_text(event: PromptProgress, language: Language) -> str:
    percent = 100 * event.processed // max(event.total, 1)
    return READING(language, processed=event.processed, total=event.total, percent=percent)


def terminal_width(stream: TextIO) -> int:
    """Columns of the terminal behind `stream` at this moment."""
    try:
        return os.get_terminal_size(stream.fileno()).columns or FALLBACK_WIDTH
    except (OSError, ValueError):
        return FALLBACK_WIDTH


def can_erase(environment: Environment, stream: TextIO) -> bool:
    """Whether a terminal is there that obeys."""
    return stream.isatty() and environment.variables.get("TERM", "") not in ("dumb", "unknown")
