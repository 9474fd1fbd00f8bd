"""Cutting a long text into pieces that an embedder can take whole: by paragraph, then sentence, then character."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterator

from localagent.memory.language import CJK

# A piece holds 400 CJK characters or about 1,300 others: some 512 tokens of multilingual-e5, whose input ends there.
LIMIT = 400
_WIDE = re.compile(f"[{CJK}]")
_WIDE_TENTHS, _TENTHS = 10, 3

# Each keeps what stands between two parts with the part before it, so that nothing is lost.
_PARAGRAPH = re.compile(r".+?(?:\n[^\S\n]*\n\s*|\Z)", re.DOTALL)
_LINE = re.compile(r"[^\n]*\n+|[^\n]+")
_SENTENCE = re.compile(r".+?(?:[.!?][\"')\]]*\s+|[。！？；]+[”’」』）]*\s*|\Z)", re.DOTALL)
_PARTS = (_PARAGRAPH, _LINE, _SENTENCE)
_JOINER = "\u200d"


def units(text: str) -> float:
    """Its length as an embedder counts: a CJK character 1, any other 0.3."""
    return _tenths(text) / 10


def chunks(text: str, limit: float = LIMIT) -> list[str]:
    """Pieces of at most `limit` units (see `units`; at least one character each); joined they are the text again, and
    no two that follow one another would fit into one. None of an empty text."""
    found: list[str] = []
    held: list[str] = []
    room = most = int(limit * 10)
    for part in _parts(text, most, 0):
        size = _tenths(part)
        if size > room and held:
            found.append("".join(held))
            held, room = [], most
        held.append(part)
        room -= size
    if held:
        found.append("".join(held))
    return found


def _tenths(text: str) -> int:
    wide = 0 if text.isascii() else len(_WIDE.findall(text))
    return wide * _WIDE_TENTHS + (len(text) - wide) * _TENTHS


def _parts(text: str, limit: int, depth: int) -> Iterator[str]:
    """The largest parts that fit."""
    if _tenths(text) <= limit:
        if text:
            yield text
    elif depth == len(_PARTS):
        yield from _cut(text, limit)
    else:
        for part in _PARTS[depth].findall(text):
            yield from _parts(part, limit, depth + 1)


def _cut(text: str, limit: int) -> Iterator[str]:
    """By characters: after a space if there is one in the second half, and not inside a character that is made of
    several."""
    start = 0
    while start < len(text):
        end, room = start, limit
        while end < len(text):
            room -= _WIDE_TENTHS if _WIDE.match(text, end) else _TENTHS
            if room < 0 and end > start:
                break
            end += 1
        if end < len(text):
            end = _good_place(text, start, end)
        yield text[start:end]
        start = end


def _good_place(text: str, start: int, end: int) -> int:
    middle = (start + end) // 2
    for place in range(end, middle, -1):
        if text[place - 1].isspace():
            return place
    for place in range(end, middle, -1):
        if not unicodedata.combining(text[place]) and _JOINER not in text[place - 1 : place + 1]:
            return place
    return end
