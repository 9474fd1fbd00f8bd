"""What a message says in its speaker's own words."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from itertools import islice

from localagent.bilingual import Language, language_of
from localagent.memory.base import StoredMessage
from localagent.messages import Message, TextPart, ToolResultPart
from localagent.policy import Said

# Of so many messages without any words the language is that of what is said beside.
LATEST = 20
_FENCE = "```"
_LABELLED = re.compile(r"<(/?)(memor(?:y|ies)|attachment|tool_result|summary|earlier|recalled)\b[^<>\n]{0,300}>", re.I)


def spoken(stored: StoredMessage) -> Said:
    """The speaker's own words: without what was pasted, and without what stands in labels, which is recalled, attached,
    or a tool's."""
    return _said(stored, lambda pasted: "")


def with_pastes(stored: StoredMessage) -> Said:
    """The speaker's own words, and between fences what was pasted: that it was there is a part of the conversation."""
    return _said(stored, _fenced)


def language_in(messages: Sequence[StoredMessage], *texts: str, otherwise: Language = "en") -> Language:
    """Of what the user wrote last; of these texts where nothing was said yet, `otherwise` where they say nothing."""
    of_user = islice((one for one in reversed(messages) if one.message.role == "user"), LATEST)
    return language_of(*(spoken(one).text or one.message.text for one in of_user), *texts, otherwise=otherwise)


def _said(stored: StoredMessage, shown: Callable[[str], str]) -> Said:
    message = stored.message
    return Said(message.role, _unlabelled(_text(message, shown)), stored.created_at, stored.id)


def _text(message: Message, shown: Callable[[str], str]) -> str:
    if message.role == "tool":
        return "".join(part.text for part in message.parts if isinstance(part, ToolResultPart))
    said = (part for part in message.parts if isinstance(part, TextPart))
    return "".join(shown(part.text) if part.pasted else part.text for part in said)


def _fenced(pasted: str) -> str:
    text = pasted.replace(_FENCE, "'''")
    return f"\n{_FENCE}\n{text}\n{_FENCE}\n"


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
