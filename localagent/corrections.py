"""What later messages took back: which they say do not hold any more, and a summary's items without it. Pure."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from localagent.memory.language import words
from localagent.policy import Compressing, Said, SummarizationPolicy
from localagent.summary import SummaryItem

# What is left of an item must still be a statement.
LEAST_WORDS = 2
# So much of what an item says stands in a sentence that does not hold, and it says the same in other words.
SAME = 0.5


def correcting(policy: SummarizationPolicy, items: Sequence[SummaryItem], later: Sequence[Said]) -> list[SummaryItem]:
    """The statements of `later` messages that take the place of some of the `items`, or of one another."""
    ids = {message.message_id for message in later}
    made = policy(Compressing(later, items, (), {}, 0, lambda text: 0))
    return [item for item in made if item.message_id in ids and item.replaces]


def without(item: SummaryItem, outdated: Sequence[str]) -> SummaryItem | None:
    """An item without sentences of its message that hold no longer; None if nothing is left of it."""
    text, quote = item.text, _plain(item.quote)
    for sentence in map(_plain, outdated):
        if sentence in text:
            text = text.replace(sentence, " ").strip(" ,;:，；：、")
        elif quote in sentence or (sentence in quote and _tells(text, sentence)):
            return None  # said in other words: it cannot be cut out
    if text == item.text:
        return item
    return replace(item, text=text) if len(words(text)) >= LEAST_WORDS else None


def _plain(text: str) -> str:
    """With the spaces of an item's text."""
    return " ".join(text.split())


def _tells(text: str, sentence: str) -> bool:
    said = set(words(text))
    return len(said & set(words(sentence))) >= SAME * len(said)
