"""How many columns of a terminal a text fills, and as much of it as has room in some. Pure."""

from __future__ import annotations

import unicodedata

_JOINER = "\u200d"
_SKINS = "\U0001f3fb\U0001f3fc\U0001f3fd\U0001f3fe\U0001f3ff"


def columns(text: str) -> int:
    """A CJK character fills two, a combining mark none."""
    return sum(map(_of_character, text))


def pad(text: str, room: int) -> str:
    """With spaces behind it, so that it fills so many columns."""
    return text + " " * (room - columns(text))


def cut(text: str, room: int) -> str:
    """The text, or as much of its beginning as has room in so many columns with an ellipsis. Of what is joined (marks,
    emoji) nothing is cut apart."""
    if columns(text) <= room:
        return text
    width, end = 1, 0  # the ellipsis
    for index, char in enumerate(text):
        width += _of_character(char)
        if width > room:
            break
        if not _holds_on(text, index + 1):
            end = index + 1
    return text[:end].rstrip() + "…"


def _of_character(char: str) -> int:
    if unicodedata.category(char) in ("Mn", "Me", "Cf"):
        return 0
    return 2 if unicodedata.east_asian_width(char) in "WF" else 1


def _holds_on(text: str, index: int) -> bool:
    """Whether the character at `index` belongs to the one before it, as a combining mark or a joined emoji does."""
    return _of_character(text[index]) == 0 or text[index - 1] == _JOINER or text[index] in _SKINS
