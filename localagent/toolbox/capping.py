"""A text cut to so many tokens: its head and its tail stay, and what was cut out is said."""

from __future__ import annotations

from collections.abc import Callable

# Of what stays, this share is the head: errors and totals stand at the end.
HEAD_SHARE = 0.65
# A text of more characters than this a token is not counted as a whole.
MOST_CHARACTERS_A_TOKEN = 32
# A cut moves to the end of a line if one ends within this share of what stays.
LINE_SHARE = 0.1


def capped(text: str, limit: int, count: Callable[[str], int]) -> tuple[str, int]:
    """The text within `limit` tokens (as `count` counts them; enough for the words about the cut), and how many were
    left out of it.

    Of a text that is far too long that number is estimated from what stays.
    """
    most = MOST_CHARACTERS_A_TOKEN * limit
    whole = count(text) if len(text) <= most else None
    if whole is not None and whole <= limit:
        return text, 0
    room = max(limit - count(_mark(10**7)), 2)
    head = _fitting(text[:most], max(int(room * HEAD_SHARE), 1), count, from_end=False)
    tail = _fitting(text[len(head) :][-most:], max(room - int(room * HEAD_SHARE), 1), count, from_end=True)
    kept = count(head) + count(tail)
    if whole is None:
        whole = int(kept * len(text) / max(len(head) + len(tail), 1))
    left_out = max(whole - kept, 1)
    return f"{head}{_mark(left_out)}{tail}", left_out


def _mark(tokens: int) -> str:
    return f"\n[… {tokens:,} tokens left out …]\n"


def _fitting(text: str, limit: int, count: Callable[[str], int], *, from_end: bool) -> str:
    """The longest beginning (or end) within the limit, nearly: counting is dear, so lengths are guessed."""
    length = min(len(text), MOST_CHARACTERS_A_TOKEN * limit)
    piece = _cut(text, length, from_end)
    tokens = count(piece)
    while tokens > limit and length:
        length = min(int(length * limit / tokens), length - 1)
        piece = _cut(text, length, from_end)
        tokens = count(piece)
    slack = int(length * LINE_SHARE)
    if from_end:
        end = piece.find("\n", 0, slack)
        return piece[end + 1 :] if end >= 0 else piece
    end = piece.rfind("\n", length - slack)
    return piece[:end] if end >= 0 else piece


def _cut(text: str, length: int, from_end: bool) -> str:
    return text[len(text) - length :] if from_end else text[:length]
