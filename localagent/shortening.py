"""What a turn's own tools gave, shortened where it does not fit the window. The ledger keeps all of it."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace

from localagent.assembler import AssemblyInput
from localagent.memory.base import StoredMessage
from localagent.messages import Message, Part, ToolResultPart

# Characters that are left of a result, its beginning and its end; each is tried on the older results, then on all.
LEFT = (4000, 1200, 300)


def shorter(given: AssemblyInput) -> Iterator[AssemblyInput]:
    """As it is; then with less and less of the results in its request: the oldest suffer first."""
    yield given
    results = [at for at, stored in enumerate(given.request) if stored.message.role == "tool"]
    newest = next((at for at in reversed(range(len(given.request))) if given.request[at].message.role != "tool"), 0)
    if not results:
        return
    for left in LEFT:
        yield replace(given, request=_cut(given.request, newest, left))
    for left in LEFT:
        yield replace(given, request=_cut(_cut(given.request, newest, LEFT[-1]), len(given.request), left))


def _cut(messages: Sequence[StoredMessage], end: int, left: int) -> tuple[StoredMessage, ...]:
    return tuple(
        replace(stored, message=_shortened(stored.message, left)) if at < end else stored
        for at, stored in enumerate(messages)
    )


def _shortened(message: Message, left: int) -> Message:
    parts: list[Part] = []
    for part in message.parts:
        if isinstance(part, ToolResultPart) and len(part.text) > left:
            gone = len(part.text) - left
            text = f"{part.text[: left * 2 // 3]}\n[... {gone} characters left out ...]\n{part.text[-(left // 3) :]}"
            part = replace(part, text=text)
        parts.append(part)
    return replace(message, parts=tuple(parts))
