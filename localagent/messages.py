"""The common language: a message is a role and tagged, frozen, serialisable parts. Providers translate at their
edge only."""

from __future__ import annotations

import secrets
import time
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import groupby
from typing import Literal, TypeAlias, cast

JsonValue: TypeAlias = "bool | int | float | str | Sequence[JsonValue] | Mapping[str, JsonValue] | None"
JsonObject: TypeAlias = Mapping[str, JsonValue]

Role: TypeAlias = Literal["system", "user", "assistant", "tool"]


@dataclass(frozen=True, slots=True)
class TextPart:
    """`pasted`: brought into a message by its user, who did not write it."""

    text: str
    kind: Literal["text"] = "text"
    pasted: bool = False


@dataclass(frozen=True, slots=True)
class AttachmentPart:
    """Text that came along with a request (standard input, a file): data, not the user's own words."""

    name: str
    text: str
    kind: Literal["attachment"] = "attachment"


@dataclass(frozen=True, slots=True)
class ThinkingPart:
    """What a thinking model wrote before its answer. Kept for the record, never sent back."""

    text: str
    kind: Literal["thinking"] = "thinking"


@dataclass(frozen=True, slots=True)
class ToolCallPart:
    """`arguments` is the object the model gave, not yet validated."""

    id: str
    name: str
    arguments: JsonObject
    kind: Literal["tool_call"] = "tool_call"


@dataclass(frozen=True, slots=True)
class ToolResultPart:
    call_id: str
    name: str
    text: str
    is_error: bool = False
    kind: Literal["tool_result"] = "tool_result"


Part: TypeAlias = TextPart | AttachmentPart | ThinkingPart | ToolCallPart | ToolResultPart


@dataclass(frozen=True, slots=True)
class Message:
    role: Role
    parts: tuple[Part, ...] = field(default=())

    @property
    def text(self) -> str:
        """The words of the message alone: text parts, in order."""
        return "".join(part.text for part in self.parts if isinstance(part, TextPart))

    @property
    def pasted(self) -> tuple[str, ...]:
        """What of `text` was pasted, in order."""
        return tuple(part.text for part in self.parts if isinstance(part, TextPart) and part.pasted)

    @property
    def thinking(self) -> str:
        return "".join(part.text for part in self.parts if isinstance(part, ThinkingPart))

    @property
    def tool_calls(self) -> tuple[ToolCallPart, ...]:
        return tuple(part for part in self.parts if isinstance(part, ToolCallPart))

    @property
    def attachments(self) -> tuple[AttachmentPart, ...]:
        return tuple(part for part in self.parts if isinstance(part, AttachmentPart))


def system(text: str) -> Message:
    return Message("system", (TextPart(text),))


def user(text: str | Sequence[TextPart], attachments: Sequence[AttachmentPart] = ()) -> Message:
    return Message("user", (*((TextPart(text),) if isinstance(text, str) else text), *attachments))


def assistant(text: str, tool_calls: Sequence[ToolCallPart] = (), thinking: str = "") -> Message:
    """Order of parts: thinking, text, tool calls; empty ones are left out."""
    parts: list[Part] = []
    if thinking:
        parts.append(ThinkingPart(thinking))
    if text:
        parts.append(TextPart(text))
    return Message("assistant", (*parts, *tool_calls))


def tool_result(call: ToolCallPart, text: str, *, is_error: bool = False) -> Message:
    return Message("tool", (ToolResultPart(call.id, call.name, text, is_error),))


def joined(parts: Sequence[Part]) -> Iterator[Part]:
    """The parts, text parts in a row as one."""
    for is_text, some in groupby(parts, lambda part: isinstance(part, TextPart)):
        if is_text:
            yield TextPart("".join(part.text for part in some if isinstance(part, TextPart)))
        else:
            yield from some


def part_to_json(part: Part) -> JsonObject:
    match part:
        case TextPart() if part.pasted:
            return {"kind": part.kind, "text": part.text, "pasted": True}
        case TextPart() | ThinkingPart():
            return {"kind": part.kind, "text": part.text}
        case AttachmentPart():
            return {"kind": part.kind, "name": part.name, "text": part.text}
        case ToolCallPart():
            return {"kind": part.kind, "id": part.id, "name": part.name, "arguments": part.arguments}
        case ToolResultPart():
            return {
                "kind": part.kind,
                "call_id": part.call_id,
                "name": part.name,
                "text": part.text,
                "is_error": part.is_error,
            }


def part_from_json(data: JsonObject) -> Part:
    """Inverse of `part_to_json`. Raises KeyError or ValueError on anything it did not write."""
    kind = data["kind"]
    if kind == "text":
        return TextPart(str(data["text"]), pasted=bool(data.get("pasted", False)))
    if kind == "thinking":
        return ThinkingPart(str(data["text"]))
    if kind == "attachment":
        return AttachmentPart(str(data["name"]), str(data["text"]))
    if kind == "tool_call":
        return ToolCallPart(str(data["id"]), str(data["name"]), cast("JsonObject", data["arguments"]))
    if kind == "tool_result":
        return ToolResultPart(str(data["call_id"]), str(data["name"]), str(data["text"]), bool(data["is_error"]))
    raise ValueError(f"unknown message part {kind!r}")


_ALPHABET = "0123456789abcdefghjkmnpqrstvwxyz"  # Crockford's base 32: no i, l, o, u to mistake


def new_id() -> str:
    """A name for a thread or a record: 16 characters, sorted by time (ms), with 35 random bits."""
    number = (time.time_ns() // 1_000_000) << 35 | secrets.randbits(35)
    return "".join(_ALPHABET[number >> shift & 31] for shift in range(75, -1, -5))
