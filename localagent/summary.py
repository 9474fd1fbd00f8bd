"""The contract of the running summary: what a thread's older messages are shortened to, in versions.

A version covers every message of its thread up to `covers_to`; the ring of recent messages begins behind it. Its items
are statements, in the order in which they were said, so that what is added stands at the end and the prompt's beginning
stays as it was.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Literal, Protocol, TypeAlias

from localagent.memory.base import StoredMessage
from localagent.memory.language import CJK, words

SummaryKind: TypeAlias = Literal["decision", "preference", "next_step", "other_fact"]
# The four lists that the model is asked for, and what an item of each is.
LISTS: Mapping[str, SummaryKind] = {
    "decisions": "decision",
    "preferences": "preference",
    "next_steps": "next_step",
    "other_facts": "other_fact",
}

# What stands before an item where it is shown, in English and in Chinese.
_TAGS: Mapping[SummaryKind, tuple[str, str]] = {
    "decision": ("decision", "决定"),
    "preference": ("preference", "偏好"),
    "next_step": ("to do", "待办"),
    "other_fact": ("fact", "事实"),
}
_IS_CJK = re.compile(f"[{CJK}]")
# What is left of an item must still be a statement.
LEAST_WORDS = 2
# From so much of the shorter of two texts on that stands in the other one, both say it. By the beginnings of words.
SAME, STEM = 0.5, 4
# What led on from, or to, what was cut out, at its place.
_JOINS = r"(?:[\s,;:，；：、]|\b(?:and|but|so|or|because)\b|而且|并且|但是|不过|所以|和|但|而)"
_CUT_OUT = re.compile(rf"^{_JOINS}*\0[.。]?{_JOINS}*|{_JOINS}*\0(?:{_JOINS}*(?=[.!?。！？]|$))?")

# active: the newest of these is in use. rolled back: by the user. undone: one of its messages was taken back.
SummaryState: TypeAlias = Literal["active", "rolled back", "undone"]


@dataclass(frozen=True, slots=True)
class SummaryItem:
    """One statement. `quote` is what the message `message_id` says, word for word; `text` says it in the same words or
    shorter. `said_at` epoch seconds. `weight` 0-1: the lightest leave first when the summary is too long. `by`: found
    by the rules, or proposed by the model and borne out by the message. `replaces`: what it took the place of, as the
    id of a message and a sentence or clause that stands there."""

    kind: SummaryKind
    text: str
    quote: str
    message_id: int
    said_at: float
    weight: float
    by: Literal["rules", "model"]
    replaces: tuple[tuple[int, str], ...] = ()


def line(item: SummaryItem) -> str:
    """An item as it is shown and counted, without a line end, tagged in its own language: `- decision: ...`."""
    english, chinese = _TAGS[item.kind]
    text = " ".join(item.text.split())
    return f"- {chinese}：{text}" if _IS_CJK.search(text) else f"- {english}: {text}"


def without(item: SummaryItem, outdated: Sequence[str]) -> SummaryItem | None:
    """An item without sentences of its message that are not to be shown; None if nothing is left of it. Where it says
    one of them in other words, the user's own take their place: these can be cut."""
    text, quote = item.text, _plain(item.quote)
    gone = [sentence for sentence in map(_plain, outdated) if sentence]
    if any(quote in sentence or text in sentence for sentence in gone):
        return None
    if any(sentence in quote and sentence not in text and _tells(text, sentence) for sentence in gone):
        text = quote
    for sentence in gone:
        text = _CUT_OUT.sub("", text.replace(sentence, "\0")) if sentence in text else text
    if text == item.text:
        return item
    return replace(item, text=text.strip()) if len(words(text)) >= LEAST_WORDS else None


def holding(items: Sequence[SummaryItem], outdated: Mapping[int, Sequence[str]]) -> tuple[SummaryItem, ...]:
    """`outdated`: of messages, by their ids, the sentences that are not to be shown."""
    held = (without(item, outdated.get(item.message_id, ())) for item in items)
    return tuple(item for item in held if item is not None)


def _plain(text: str) -> str:
    """With the spaces of an item's text."""
    return " ".join(text.split())


def _tells(text: str, sentence: str) -> bool:
    one, other = ({word[:STEM] for word in words(said)} for said in (text, sentence))
    return bool(one and other) and len(one & other) >= SAME * min(len(one), len(other))


@dataclass(frozen=True, slots=True)
class Summary:
    """One version of a thread's summary. `version` counts from 1. `covers_from` and `covers_to` are the ids of the
    first and last message that this version took in; `messages` counts what is covered in all. `tokens` as counted when
    it was made. `made_by`: "rules", or the name of the model that took part; `note`: why the model did not, or what it
    got wrong, empty if nothing."""

    thread_id: str
    version: int
    items: tuple[SummaryItem, ...]
    covers_from: int
    covers_to: int
    messages: int
    tokens: int
    created_at: float
    made_by: str
    note: str = ""
    state: SummaryState = "active"


@dataclass(frozen=True, slots=True)
class SummaryFailure:
    """A thread whose older messages the model failed to summarise: how often in a row, when it is asked again (epoch
    seconds), and what went wrong the last time."""

    thread_id: str
    attempts: int
    next_at: float
    error: str


class Summaries(Protocol):
    """Every write is durable when the method returns. Raises `StorageError` only."""

    def current(self, thread_id: str) -> Summary | None:
        """The newest active version; None where nothing is covered."""
        ...

    def versions(self, thread_id: str) -> Sequence[Summary]:
        """All, newest first, whatever their state."""
        ...

    def commit(self, new: Summary, base: int, covered: Sequence[StoredMessage]) -> Summary | None:
        """Store `new` (its `version` is given anew) in one transaction: items, covered messages, cursor, and what the
        items replace. `covered` are the messages that this version takes in, as they were read.

        None, and nothing is stored, if the current version is not `base` any more (0: there was none), if one of the
        covered messages was taken back or revised meanwhile, or if the thread is gone.
        """
        ...

    def correct(self, items: Sequence[SummaryItem]) -> None:
        """Note what these replace, before they are part of a version: until the message that says so is taken back,
        what it corrected is not shown as if it held."""
        ...

    def roll_back(self, thread_id: str) -> Summary | None:
        """The newest active version becomes "rolled back", and what the messages that it took in had corrected counts
        again; returns it, None if there was none."""
        ...

    def failed(self, thread_id: str, error: str, wait_s: Callable[[int], float]) -> SummaryFailure | None:
        """Note that it failed once more; `wait_s` tells how long to wait after so many attempts. None if the thread is
        gone."""
        ...

    def succeeded(self, thread_id: str) -> None:
        """The model did what was asked: nothing is to be tried again."""
        ...

    def failure(self, thread_id: str) -> SummaryFailure | None:
        """Not of one that succeeded since."""
        ...
