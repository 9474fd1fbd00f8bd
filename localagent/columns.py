"""How many columns of a terminal a text fills, and as much of it as has room in some. Pure."""

from __future__ import annotations

import unicodedata
from collections.abc import Iterator
from functools import lru_cache

_JOINER = "\u200d"
_AS_EMOJI = "\ufe0f"
_SKINS = "\U0001f3fb\U0001f3fc\U0001f3fd\U0001f3fe\U0001f3ff"


def columns(text: str) -> int:
    """A CJK character fills two, a combining mark none, joined emoji as many as one."""
    return len(text) if text.isascii() else sum(_widths(text))


def pad(text: str, room: int) -> str:
    """With spaces behind it, so that it fills so many columns."""
    return text + " " * (room - columns(text))


def fit(text: str, room: int) -> str:
    """As much of its beginning as has room in so many columns. What is joined (marks, emoji) is not cut apart."""
    used = end = 0
    for index, width in enumerate(_widths(text)):
        used += width
        if used > room:
            return text[:end]
        if not _holds_on(text, index + 1):
            end = index + 1
    return text


def cut(text: str, room: int) -> str:
    """The text, or as much of it as has room in so many columns with an ellipsis."""
    return text if columns(text) <= room else fit(text, room - 1).rstrip() + "…"


def _widths(text: str) -> Iterator[int]:
    """Of each character beside the one before it."""
    before, width = "", 0
    for char in text:
        if char == _AS_EMOJI and width == 1 and not before.isalpha():
            width = 1  # it makes it as wide as an emoji
        elif (before == _JOINER and unicodedata.category(char) == "So") or (before and char in _SKINS):
            width = 0
        else:
            width = _alone(char)
        before = char
        yield width


@lru_cache(maxsize=4096)
def _alone(char: str) -> int:
    if unicodedata.category(char) in ("Mn", "Me", "Mc", "Cf") or "\u1160" <= char <= "\u11ff":
        return 0
    return 2 if unicodedata.east_asian_width(char) in "WF" else 1


def _holds_on(text: str, index: int) -> bool:
    """Whether the character at `index` belongs to the one before it, as a combining mark or a joined emoji does."""
    char = text[index : index + 1]
    return bool(char) and (_alone(char) == 0 or text[index - 1] == _JOINER or char in _SKINS)
