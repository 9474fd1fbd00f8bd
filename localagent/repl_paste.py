"""Pasted text: told from typing, never sent by itself, shown folded when it is long.

A terminal without bracketed paste delivers a paste as keys. What tells it from typing is that keys follow an Enter at
once; such a burst is read to its end and becomes one paste.
"""

from __future__ import annotations

import os
import re
import select
import sys
from codecs import lookup
from typing import TextIO

from prompt_toolkit.input import Input, create_input
from prompt_toolkit.key_binding import KeyPress
from prompt_toolkit.keys import Keys

from localagent.messages import TextPart
from localagent.terminal import clean

FOLD_LINES = 10
FOLD_CHARACTERS = 1000
# A paste of several lines that stands alone is taken for the user's own words below both.
BROUGHT_LINES = 4
BROUGHT_CHARACTERS = 300
# How long an Enter waits for what may follow it at once, and how long a paste may pause.
ENTER_WAITS_S = 0.015
PASTE_WAITS_S = 0.05
# More keys at once than anybody types; inserted in one piece, which is much faster.
BURST = 64
_WORD = re.compile(r"\w")
_PASTED = re.compile("\0+")
_ENTER = Keys.ControlM
_LINE_ENDS = (Keys.ControlM, Keys.ControlJ)
_PLACEHOLDER = re.compile(r"\[pasted [\d,]+ (?:lines|characters) #(\d+)\]")


class Pastes:
    """Pastes of this session: long ones are shown as a placeholder that stands for the whole, and those of several
    lines are found again in what is sent."""

    def __init__(self) -> None:
        self._texts: dict[str, str] = {}
        self._brought: set[str] = set()

    def note(self, text: str) -> None:
        """That this was pasted. One line is as good as typed."""
        if "\n" in text.strip():
            self._brought.add(text.strip())

    def parts(self, text: str) -> tuple[TextPart, ...]:
        """A message, with what of it was pasted in parts of its own. Joined they are the text.

        What was changed since is not found. What stands alone and is short may be somebody's own notes.
        """
        spans = self._places(text)
        between = zip([0, *(end for _, end in spans)], [*(start for start, _ in spans), len(text)], strict=True)
        beside = any(_WORD.search(text, start, end) for start, end in between)
        parts: list[TextPart] = []
        at = 0
        for start, end in spans:
            if beside or end - start >= BROUGHT_CHARACTERS or text.count("\n", start, end) + 1 >= BROUGHT_LINES:
                parts += [TextPart(text[at:start]), TextPart(text[start:end], pasted=True)]
                at = end
        return tuple(part for part in (*parts, TextPart(text[at:])) if part.text)

    def _places(self, text: str) -> list[tuple[int, int]]:
        """Where pastes stand word for word; of two that overlap the longer one, of two in a row both as one."""
        for paste in sorted(self._brought, key=len, reverse=True):
            text = text.replace(paste, "\0" * len(paste))  # no text in the box has such a sign
        return [match.span() for match in _PASTED.finditer(text)]

    def fold(self, text: str) -> str:
        """The text as it goes into the box: itself, or a placeholder above 10 lines or 1,000 characters."""
        lines = text.count("\n") + (not text.endswith("\n"))
        if lines <= FOLD_LINES and len(text) <= FOLD_CHARACTERS:
            return text
        size = f"{lines:,} lines" if lines > 1 else f"{len(text):,} characters"
        placeholder = f"[pasted {size} #{len(self._texts) + 1}]"
        self._texts[placeholder] = text
        return placeholder

    def expand(self, text: str) -> str:
        """Every placeholder replaced by what it stands for."""
        return _PLACEHOLDER.sub(lambda found: self._texts.get(found[0], found[0]), text)

    def placeholder_at(self, text: str, position: int, *, before: bool) -> tuple[int, int] | None:
        """The placeholder that `position` touches or lies in, seen backwards (`before`) or forwards."""
        for found in _PLACEHOLDER.finditer(text):
            start, end = found.span()
            inside = start < position <= end if before else start <= position < end
            if inside and found[0] in self._texts:
                return start, end
        return None


def fold_keys(keys: list[KeyPress]) -> list[KeyPress]:
    """Runs of keys that nobody typed, each as one paste."""
    result: list[KeyPress] = []
    for run in _runs(keys):
        result += _fold_run(run) if _is_plain(run[0]) else run
    return result


def is_paste(keys: list[KeyPress]) -> bool:
    """Something follows an Enter in the same burst."""
    return any(_ends_line_early(run) for run in _runs(keys))


def _patience(keys: list[KeyPress]) -> float:
    """How long to wait for more keys of the same burst, in seconds."""
    if is_paste(keys):
        return PASTE_WAITS_S
    return ENTER_WAITS_S if keys and keys[-1].key == _ENTER else 0.0


def _runs(keys: list[KeyPress]) -> list[list[KeyPress]]:
    """Stretches of plain keys, and the others one by one. What follows an Esc belongs to it (Esc Enter)."""
    runs: list[list[KeyPress]] = []
    open_run = escaped = False
    for key in keys:
        plain = _is_plain(key) and not escaped
        if (plain and open_run) or escaped:
            runs[-1].append(key)
        else:
            runs.append([key])
        open_run = plain
        escaped = key.key == Keys.Escape
    return runs


def _is_plain(key: KeyPress) -> bool:
    return len(key.key) == 1 or key.key in (*_LINE_ENDS, Keys.ControlI)


def _ends_line_early(run: list[KeyPress]) -> bool:
    return _is_plain(run[0]) and any(key.key == _ENTER for key in run[:-1])


def _fold_run(run: list[KeyPress]) -> list[KeyPress]:
    pasted = _ends_line_early(run)
    if not pasted and len(run) < BURST:
        return run
    sends = not pasted and run[-1].key == _ENTER
    body = run[:-1] if sends else run
    text = "".join(key.data for key in body)
    return [KeyPress(Keys.BracketedPaste, text), *run[len(body) :]]


def clean_paste(text: str) -> str:
    return clean(text).expandtabs(4)


def terminal_input(stdin: TextIO) -> Input:
    """Keys from the terminal, pastes recognised. Windows' console does that by itself."""
    if sys.platform == "win32":
        return create_input(stdin)
    return _posix_input(stdin)


if sys.platform != "win32":
    from prompt_toolkit.input.posix_utils import PosixStdinReader
    from prompt_toolkit.input.vt100 import Vt100Input

    class _Reader(PosixStdinReader):
        """Reads what is there, in large pieces, and notices when the terminal is gone."""

        def read(self, count: int = 65536) -> str:
            if self.closed or not self.ready(0.0):
                return ""
            try:
                data = os.read(self.stdin_fd, count)
            except OSError:  # a terminal that was hung up
                data = b""
            self.closed = not data
            return str(self._stdin_decoder.decode(data))

        def ready(self, timeout_s: float) -> bool:
            try:
                return bool(select.select([self.stdin_fd], [], [], timeout_s)[0])
            except (OSError, ValueError):
                self.closed = True
                return False

    class PasteInput(Vt100Input):
        def __init__(self, stdin: TextIO) -> None:
            super().__init__(stdin)
            # Under the C locale the terminal still speaks UTF-8, of which ASCII is a part.
            encoding = lookup(stdin.encoding or "utf-8").name
            self._reader = _Reader(stdin.fileno(), encoding="utf-8" if encoding == "ascii" else encoding)
            self.stdin_reader = self._reader

        def read_keys(self) -> list[KeyPress]:
            keys = super().read_keys()
            while (wait_s := _patience(keys)) and self._reader.ready(wait_s) and not self._reader.closed:
                keys += super().read_keys()
            return fold_keys(keys)

    def _posix_input(stdin: TextIO) -> Input:
        return PasteInput(stdin)
