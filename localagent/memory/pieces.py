"""What of a message or an entry is searched: pieces of text, each with who said it."""

from __future__ import annotations

import datetime as dt
import re
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import groupby

from localagent.memory.chunks import chunks
from localagent.memory.entries import Origin
from localagent.messages import AttachmentPart, Message, TextPart, ToolResultPart

# Tools whose results are what was recalled: indexed again, the store would fill with itself.
RECALLING_TOOLS = frozenset({"memory_search"})
SPEAKER_LENGTH = 100
# Who says what was pasted, in place of the user.
PASTED = "pasted"
# What SQLite or Chroma cannot hold.
_UNSTORABLE = re.compile("[\x00\ud800-\udfff]")
_INVISIBLE = re.compile(r"[\x00-\x1f\x7f-\x9f\u2028\u2029]+")


@dataclass(frozen=True, slots=True)
class Piece:
    """`text` is never empty. `origin`: whose words they are."""

    text: str
    speaker: str
    origin: Origin


def message_pieces(message: Message) -> list[Piece]:
    """Of its text, its attachments and its tool results, in this order; never of what a model thought, nor of calls
    that failed or were not allowed, which mean nothing later."""
    role = message.role
    if role == "system":
        return []
    own: Origin = "user" if role == "user" else "tool" if role == "tool" else "assistant"
    found: list[Piece] = []
    said = (part for part in message.parts if isinstance(part, TextPart))
    for pasted, some in groupby(said, lambda part: part.pasted):
        text = "".join(part.text for part in some)
        found += pieces(text, PASTED, "file") if pasted else _said(text, role, own)
    for part in message.parts:
        match part:
            case AttachmentPart(name, text):
                found += pieces(text, name or "file", "file")
            case ToolResultPart(_, name, text, is_error) if not is_error and name not in RECALLING_TOOLS:
                found += pieces(text, name or "tool", "tool")
    return found


def _said(text: str, role: str, own: Origin) -> Iterator[Piece]:
    """What a user pasted into a message is not what they say of themselves. Here it is guessed by its shape: of what
    was seen to be pasted nothing is left in it."""
    if role != "user" or "\n" not in text.strip():
        yield from pieces(text, role, own)
        return
    from localagent.pasted import parts  # its patterns take a while, and few messages have several lines

    for said, pasted in parts(text):
        yield from pieces(said, PASTED if pasted else role, "file" if pasted else own)


def pieces(text: str, speaker: str, origin: Origin) -> Iterator[Piece]:
    """Of a text by one speaker; none of one without characters that show."""
    speaker = _INVISIBLE.sub(" ", clean(speaker)).strip()[:SPEAKER_LENGTH]
    for chunk in chunks(clean(text)):
        stripped = chunk.strip()
        if stripped:
            yield Piece(stripped, speaker, origin)


def clean(text: str) -> str:
    """NUL and lone surrogates, which cannot be stored, become U+FFFD."""
    return _UNSTORABLE.sub("\ufffd", text)


def local_day(said_at: float) -> dt.date | None:
    """The day of an epoch time where we are; None outside of the calendar."""
    try:
        return dt.datetime.fromtimestamp(said_at).date()
    except (ValueError, OverflowError, OSError):
        return None
