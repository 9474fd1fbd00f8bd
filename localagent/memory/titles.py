"""The title of a thread: the start of its first request, short enough for one line of a list."""

from __future__ import annotations

import unicodedata

from localagent.messages import Message

TITLE_COLUMNS = 60
# Of a request of megabytes only its start is looked at.
_LOOKED_AT = 1000
_JOINER = "\u200d"


def title_of(message: Message) -> str:
    """One line of at most 60 columns (a CJK character fills two), or empty. Without words: the attachments' names."""
    text = _one_line(message.text.lstrip()[:_LOOKED_AT])
    return _cut(text or _one_line(" ".join(part.name for part in message.attachments)[:_LOOKED_AT]))


def _one_line(text: str) -> str:
    """Line breaks and control characters become spaces, runs of spaces one."""
    return " ".join("".join(" " if unicodedata.category(char) in ("Cc", "Cs") else char for char in text).split())


def _cut(text: str) -> str:
    if sum(map(_columns, text)) <= TITLE_COLUMNS:
        return text
    width, end = 1, 0  # the ellipsis
    for index, char in enumerate(text):
        width += _columns(char)
        if width > TITLE_COLUMNS:
            break
        if not _holds_on(text, index + 1):
            end = index + 1
    return text[:end].rstrip() + "…"


def _columns(char: str) -> int:
    if unicodedata.category(char) in ("Mn", "Me", "Cf"):
        return 0
    return 2 if unicodedata.east_asian_width(char) in "WF" else 1


def _holds_on(text: str, index: int) -> bool:
    """Whether the character at `index` belongs to the one before it, as a combining mark or a joined emoji does."""
    return (
        _columns(text[index]) == 0
        or text[index - 1] == _JOINER
        or text[index] in "\U0001f3fb\U0001f3fc\U0001f3fd\U0001f3fe\U0001f3ff"
    )
