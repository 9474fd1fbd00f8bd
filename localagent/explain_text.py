"""Whether a text is the one that somebody means, who gives some words of it. English, Chinese, and words of others."""

from __future__ import annotations

import re
import unicodedata

from localagent.memory.language import CJK, sentences, words

# The least share of the words that must be there, where they do not stand together.
LEAST_SHARE = 0.6
# A text this short (characters, letters and digits alone) may stand in a longer one by chance.
SHORT = 12
# Of a text longer than this (characters) the words must stand in one sentence: all of it has some of every kind.
LONG = 300
# Words with a beginning of so many letters in common are forms of one word.
STEM = 4

_RUN = re.compile(rf"[{CJK}]+|[^\W_{CJK}]+")
_CJK_FIRST = re.compile(f"[{CJK}]")


class Wanted:
    """A text, or words of it, that is looked for."""

    def __init__(self, text: str) -> None:
        self._raw = _folded(text)
        self._plain = _plain(text)
        self._words = set(words(self._raw, asking=True)) or set(words(self._raw))

    def likeness(self, text: str) -> float:
        """0-1. 1 or little less: `text` holds what is looked for, or is a good piece of it; below that the share of its
        words that `text` has; 0 if that is less than `LEAST_SHARE`."""
        if not self._raw or not text.strip():
            return 0.0
        raw, plain = _folded(text), _plain(text)
        if _holds(raw, self._raw):
            return 1.0
        if self._plain and _holds(plain, self._plain):
            return 0.98
        if len(plain) >= SHORT and _holds(self._plain, plain):
            return 0.95
        share = max(map(self._share, sentences(text) if len(text) > LONG else (text,)), default=0.0)
        return 0.9 * share if share >= LEAST_SHARE else 0.0

    def _share(self, text: str) -> float:
        there = set(words(_folded(text)))
        found = sum(1 for word in self._words if word in there or _inflected(word, there))
        return found / len(self._words) if found >= min(2, len(self._words)) and self._words else 0.0


def alike(one: str, other: str) -> float:
    """0-1: of the one with fewer words, the share that the other one has."""
    mine, theirs = set(words(_folded(one))), set(words(_folded(other)))
    return len(mine & theirs) / max(1, min(len(mine), len(theirs)))


def _folded(text: str) -> str:
    """Widths, cases and kinds of white space made one."""
    return " ".join(unicodedata.normalize("NFKC", text).casefold().split())


def _plain(text: str) -> str:
    """Its runs of letters and digits alone."""
    return " ".join(_RUN.findall(_folded(text)))


def _holds(text: str, piece: str) -> bool:
    """`piece` is in `text`; what begins with a letter only where a word begins, and a short word only as a whole."""
    if not piece:
        return False
    if _CJK_FIRST.match(piece) or not piece[0].isalnum():
        return piece in text
    end = r"(?!\w)" if len(piece) < STEM else ""
    return piece in text and re.search(rf"(?<![^\W{CJK}]){re.escape(piece)}{end}", text) is not None


def _inflected(word: str, there: set[str]) -> bool:
    if len(word) < STEM or _CJK_FIRST.match(word):
        return False
    return any(
        len(other) >= STEM and (word.startswith(other) or other.startswith(word)) and not _CJK_FIRST.match(other)
        for other in there
    )
