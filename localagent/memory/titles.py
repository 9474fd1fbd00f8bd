"""The title of a thread: the start of its first request, short enough for one line of a list."""

from __future__ import annotations

import unicodedata

from localagent.columns import cut
from localagent.messages import Message

TITLE_COLUMNS = 60
# Of a request of megabytes only its start is looked at.
_LOOKED_AT = 1000


def title_of(message: Message) -> str:
    """One line of at most 60 columns (a CJK character fills two), or empty. Without words: the attachments' names."""
    text = _one_line(message.text.lstrip()[:_LOOKED_AT])
    names = _one_line(" ".join(part.name for part in message.attachments)[:_LOOKED_AT])
    return cut(text or names, TITLE_COLUMNS)


def _one_line(text: str) -> str:
    """Line breaks and control characters become spaces, runs of spaces one."""
    return " ".join("".join(" " if unicodedata.category(char) in ("Cc", "Cs") else char for char in text).split())
