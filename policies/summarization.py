"""What the running summary of a thread holds, by rules for English and Chinese.

The user's own statements are kept in their own words, and what the model proposed where the rules saw nothing.
"""

from __future__ import annotations

from localagent.policy import Compressing, Said
from localagent.summary import SummaryItem

from ._own_words import mask, sentences


def summarization(given: Compressing) -> list[SummaryItem]:
    """The items of the next version: those there were, and what the newly covered messages add."""
    items = [item for item in given.items if item.quote not in given.outdated]
    items += [item for message in given.messages if message.role == "user" for item in _statements(message)]
    items += given.proposed
    while items and sum(given.count(item.text) for item in items) > given.limit:
        items.remove(min(items, key=lambda item: item.weight))
    return sorted(items, key=lambda item: (item.message_id, item.said_at))


def _statements(message: Said) -> list[SummaryItem]:
    found = []
    for sentence in sentences(mask(message.text)):
        text = message.text[sentence.start : sentence.end].strip()
        if text and not sentence.asks:
            weight = 0.7 if any(char.isdigit() for char in text) else 0.4
            found.append(SummaryItem("other_fact", text, text, message.message_id, message.said_at, weight, "rules"))
    return found
