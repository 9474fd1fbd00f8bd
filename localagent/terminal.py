"""What a terminal would make of a text: control sequences are taken out, visible characters are kept whole."""

from __future__ import annotations

import re
import unicodedata
from typing import Literal, TypeAlias

# Characters: long enough for every message with its hint, short enough for a screen.
MESSAGE_LIMIT = 2000
# Not printable as it stands: C0 without tab and newline, DEL, C1, lone surrogates, and the bidirectional embeddings,
# overrides and isolates, which let a text look like another one.
SPECIAL = re.compile("[\x00-\x08\x0b-\x1f\x7f-\x9f\ud800-\udfff\u202a-\u202e\u2066-\u2069]")
_PARAMETERS = re.compile("[\x20-\x3f]*")
_INTERMEDIATES = re.compile("[\x20-\x2f]*")
# A control string (OSC, DCS, SOS, PM, APC) also ends with its line: an unterminated one must not hide the rest.
_STRING_END = re.compile("[\x07\x18\x1a\x1b\x9c\n\r]")

_State: TypeAlias = Literal["text", "escape", "charset", "csi", "string", "single_shift"]
_C1_STATES: dict[str, _State] = {
    "\x1b": "escape",
    "\x8e": "single_shift",
    "\x8f": "single_shift",
    "\x90": "string",
    "\x98": "string",
    "\x9b": "csi",
    "\x9d": "string",
    "\x9e": "string",
    "\x9f": "string",
}
_ESCAPE_STATES: dict[str, _State] = {
    "[": "csi",
    "]": "string",
    "P": "string",
    "X": "string",
    "^": "string",
    "_": "string",
    "N": "single_shift",
    "O": "single_shift",
}


class StreamCleaner:
    """Cleans a text that arrives in pieces; the result does not depend on where it was cut, and nothing is held back.

    Escape sequences disappear as a whole, other control characters singly; CR LF and a lone CR become a newline;
    lone surrogates become U+FFFD. Emoji joiners, combining marks and direction marks stay.
    """

    def __init__(self) -> None:
        self._state: _State = "text"
        self._after_cr = False

    def feed(self, chunk: str) -> str:
        out: list[str] = []
        at = 0
        while at < len(chunk):
            if self._state != "text":
                at = self._skip(chunk, at)
                continue
            if self._after_cr:
                self._after_cr = False
                if chunk[at] == "\n":
                    at += 1
                    continue
            found = SPECIAL.search(chunk, at)
            if found is None:
                out.append(chunk[at:])
                break
            out.append(chunk[at : found.start()])
            out.append(self._replace(found.group()))
            at = found.end()
        return "".join(out)

    def flush(self) -> str:
        """The text is over: an unfinished sequence is dropped. Ready for the next text."""
        self._state = "text"
        self._after_cr = False
        return ""

    def _replace(self, char: str) -> str:
        if char == "\r":
            self._after_cr = True
            return "\n"
        if "\ud800" <= char <= "\udfff":
            return "\ufffd"
        self._state = _C1_STATES.get(char, "text")
        return ""

    def _skip(self, chunk: str, at: int) -> int:
        """Where the part of a sequence that begins at `at` ends. A character that cannot belong to it ends it."""
        char = chunk[at]
        match self._state:
            case "escape":
                if " " <= char <= "/":
                    self._state = "charset"
                    return at
                self._state = _ESCAPE_STATES.get(char, "text")
                return at + ("0" <= char <= "~")
            case "string":
                end = _STRING_END.search(chunk, at)
                if end is None:
                    return len(chunk)
                self._state = "escape" if end.group() == "\x1b" else "text"
                return end.start() if end.group() in "\r\n" else end.end()
            case "single_shift":
                self._state = "text"
                return at + (" " <= char <= "~")
            case _:
                body, first_final = (_PARAMETERS, "@") if self._state == "csi" else (_INTERMEDIATES, "0")
                found = body.match(chunk, at)
                at = found.end() if found else at
                if at < len(chunk):
                    self._state = "text"
                    at += first_final <= chunk[at] <= "~"
                return at


def clean(text: str) -> str:
    """The whole text as it may be shown: see `StreamCleaner`."""
    return StreamCleaner().feed(text)


def one_line(text: str, limit: int = MESSAGE_LIMIT) -> str:
    """A cleaned text on one line, cut to `limit` characters."""
    line = " ".join(clean(text).split())
    return line if len(line) <= limit else line[: limit - 1] + "…"


def encodable(text: str, encoding: str | None) -> str:
    """What a stream of this encoding can write: the rest becomes `?`. No change for UTF-8."""
    name = encoding or "utf-8"
    return text.encode(name, "replace").decode(name)


def next_boundary(text: str, start: int) -> int:
    """Where the visible character that begins at `start` ends: an index > `start`, or the end of the text."""
    end = start + 1
    while end < len(text) and _joined(text, start, end):
        end += 1
    return min(end, len(text))


def previous_boundary(text: str, end: int) -> int:
    """Where the visible character that ends at `end` begins: an index < `end`, or 0."""
    start = end - 1
    while start > 0 and not text[start].isascii():
        start -= 1  # an ASCII character always begins a visible one
    start = max(start, 0)
    while (after := next_boundary(text, start)) < end:
        start = after
    return start


def _joined(text: str, start: int, at: int) -> bool:
    """Do the characters before and at `at` belong to one visible character that began at `start`?

    The rules of Unicode's text segmentation that matter when editing: marks, joiners, modifiers, flags, Hangul.
    """
    before, char = text[at - 1], text[at]
    if char.isascii() or before in "\n\t":
        return False
    if unicodedata.category(char) in ("Mn", "Me", "Mc") or char in "\u200c\u200d\uff9e\uff9f":
        return True
    if "\U0001f3fb" <= char <= "\U0001f3ff" or "\U000e0020" <= char <= "\U000e007f":
        return True
    if before == "\u200d":
        return not char.isspace()
    if _is_flag_half(before) and _is_flag_half(char):
        return (at - start) % 2 == 1
    return _hangul_joined(before, char)


def _is_flag_half(char: str) -> bool:
    return "\U0001f1e6" <= char <= "\U0001f1ff"


def _hangul_joined(before: str, char: str) -> bool:
    syllable = "\uac00" <= before <= "\ud7a3"
    closed = syllable and (ord(before) - 0xAC00) % 28 != 0
    leading = "\u1100" <= before <= "\u115f"
    vowel = "\u1160" <= before <= "\u11a7"
    trailing = "\u11a8" <= before <= "\u11ff"
    if "\u1100" <= char <= "\u115f" or "\uac00" <= char <= "\ud7a3":
        return leading
    if "\u1160" <= char <= "\u11a7":
        return leading or vowel or (syllable and not closed)
    if "\u11a8" <= char <= "\u11ff":
        return vowel or trailing or syllable
    return False
