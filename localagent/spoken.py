"""What a message says in its speaker's own words."""

from __future__ import annotations

import re

from localagent.memory.base import StoredMessage
from localagent.messages import ToolResultPart
from localagent.policy import Said

_LABELLED = re.compile(r"<(/?)(memor(?:y|ies)|attachment|tool_result|summary|earlier|recalled)\b[^<>\n]{0,300}>", re.I)


def spoken(stored: StoredMessage) -> Said:
    """The speaker's own words: without what stands in labels, which is recalled, attached, or a tool's."""
    message = stored.message
    text = message.text
    if message.role == "tool":
        text = "".join(part.text for part in message.parts if isinstance(part, ToolResultPart))
    return Said(message.role, _unlabelled(text), stored.created_at, stored.id)


def _unlabelled(text: str) -> str:
    kept: list[str] = []
    at, depth = 0, 0
    for match in _LABELLED.finditer(text):
        if not depth:
            kept.append(text[at : match.start()])
        depth = max(0, depth - 1) if match[1] else depth + 1
        at = match.end()
    # A label that is never closed hides the rest.
    return "".join((*kept, "" if depth else text[at:]))
