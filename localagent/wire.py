"""Messages as they are sent to a model: data quoted between labels, calls with their results, roles in turn."""

from __future__ import annotations

import json
import re
from collections.abc import Mapping, Sequence
from dataclasses import replace
from itertools import takewhile

from localagent.messages import (
    AttachmentPart,
    JsonValue,
    Message,
    Part,
    TextPart,
    ThinkingPart,
    ToolCallPart,
    ToolResultPart,
    joined,
)

_LABELS = ("summary", "memories", "memory", "wishes", "wish", "attachment", "tool_result")
_LABEL = re.compile(rf"<(?=\s*/?\s*(?:{'|'.join(_LABELS)})\b)", re.IGNORECASE)


def quote(label: str, text: str, **attributes: str) -> str:
    """Data between labels. Whatever the text holds, it cannot close the label or open another one."""
    head = "".join(f' {name}="{_attribute(value)}"' for name, value in attributes.items() if value)
    return f"<{label}{head}>\n{_LABEL.sub('&lt;', text)}\n</{label}>"


def _attribute(value: str) -> str:
    value = " ".join(value.split())
    return value.replace("&", "&amp;").replace('"', "&quot;").replace("<", "&lt;").replace(">", "&gt;")


def wire(message: Message) -> Message:
    """A message as it is sent: thinking left out, attachments and tool results quoted as data, the arguments of calls
    an object, whatever the model gave: servers refuse anything else."""
    parts: list[Part] = []
    for part in joined(message.parts):
        match part:
            case ThinkingPart():
                continue
            case AttachmentPart():
                parts.append(TextPart(f"\n\n{quote('attachment', part.text, name=part.name)}"))
            case ToolResultPart():
                parts.append(replace(part, text=quote("tool_result", part.text, tool=part.name)))
            case ToolCallPart():
                given: JsonValue = part.arguments
                parts.append(part if isinstance(given, Mapping) else replace(part, arguments={"arguments": given}))
            case TextPart():
                parts.append(part)
    return Message(message.role, tuple(parts))


def call_in_words(call: ToolCallPart) -> str:
    """A call as a model without tools writes it (see `offering`)."""
    said = {"action": "call", "tool": call.name, "arguments": call.arguments}
    return json.dumps(said, ensure_ascii=False)


def in_words(message: Message) -> Message:
    """A wired message for a model that knows no tools: calls are its own words, results the user's, still quoted."""
    if message.role == "tool":
        results = [part.text for part in message.parts if isinstance(part, ToolResultPart)]
        return Message("user", (TextPart("\n\n".join(results)),))
    if not message.tool_calls:
        return message
    lines = [line for line in (message.text, *map(call_in_words, message.tool_calls)) if line]
    return Message(message.role, (TextPart("\n".join(lines)),))


def with_tail(message: Message, tail: str) -> Message:
    """A wired message with a line of the program's own behind it."""
    *before, last = message.parts or (TextPart(""),)
    if isinstance(last, ToolResultPart):
        return replace(message, parts=(*before, replace(last, text=f"{last.text}\n\n{tail}")))
    return replace(message, parts=(*message.parts, TextPart(f"\n\n{tail}")))


def part_text(part: Part) -> str:
    """What a part costs, as text."""
    if isinstance(part, ToolCallPart):
        return f"{part.name} {part.arguments}"
    return part.text


def common_start(before: Sequence[Message], now: Sequence[Message]) -> tuple[tuple[Message, ...], str]:
    """The messages with which both begin, and of the first that differs the text with which both begin."""
    same = tuple(new for _, new in takewhile(lambda pair: pair[0] == pair[1], zip(before, now, strict=False)))
    at = len(same)
    if at in (len(before), len(now)) or before[at].role != now[at].role:
        return same, ""
    one, other = ("".join(map(part_text, messages[at].parts)) for messages in (before, now))
    differs = next((place for place, (a, b) in enumerate(zip(one, other, strict=False)) if a != b), None)
    return same, min(one, other, key=len) if differs is None else one[:differs]


def merged(messages: Sequence[Message]) -> list[Message]:
    """Requests in a row become one, and so do answers: neither a request that was never answered nor two programs
    that wrote to one thread at once may break the templates that want roles to alternate."""
    joined: list[Message] = []
    for message in messages:
        last = joined[-1] if joined else None
        if last and message.role == last.role != "tool" and not message.tool_calls and not last.tool_calls:
            joined[-1] = Message(message.role, (*last.parts, TextPart("\n\n"), *message.parts))
        else:
            joined.append(message)
    return joined


def paired(unit: Sequence[Message]) -> tuple[Message, ...]:
    """A unit without calls that were never answered (the program ended in between) and without results of no call:
    servers refuse both."""
    called = {call.id for message in unit for call in message.tool_calls}
    answered = {part.call_id for message in unit for part in message.parts if isinstance(part, ToolResultPart)}
    whole = called & answered
    if called == answered:
        return tuple(unit)
    kept = [
        replace(message, parts=tuple(part for part in message.parts if _call_id(part) in (None, *whole)))
        for message in unit
    ]
    return tuple(message for message in kept if message.parts)


def _call_id(part: Part) -> str | None:
    match part:
        case ToolCallPart():
            return part.id
        case ToolResultPart():
            return part.call_id
        case _:
            return None
