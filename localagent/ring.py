"""The ring of recent messages: when it is too full, and how much of its beginning is to be shortened.

Pure and deterministic. A unit is what must stay together: a message with tool calls and the results that follow it, or
one message alone.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from itertools import accumulate

from localagent.assembler import units
from localagent.memory.base import StoredMessage
from localagent.wire import paired, part_text, wire

# The share of a full ring's tokens that goes into the summary. With half of them it is cut one and a half times as
# often, and each cut has the model read anew what stays (measured over 50-turn dialogues: cached share 0.71 against
# 0.74, tokens read anew late in them 0.28 against 0.24 of those of an assembler that fills the window).
GOING = 0.65


@dataclass(frozen=True, slots=True)
class RingLimits:
    """The ring is too full with more than `tokens`, or with more than `keep` + `slack` messages; then `keep` stay."""

    tokens: int
    keep: int
    slack: int

    def times(self, factor: int) -> RingLimits:
        """Limits that are reached later: `factor` times the tokens and the messages."""
        return RingLimits(factor * self.tokens, self.keep, factor * (self.keep + self.slack) - self.keep)


@dataclass(frozen=True, slots=True)
class Unit:
    """What stays together, with its tokens as it is sent."""

    messages: tuple[StoredMessage, ...]
    tokens: int

    @property
    def opens(self) -> bool:
        """A user's message: a natural place for the ring to begin."""
        return self.messages[0].message.role == "user"


def measured(messages: Sequence[StoredMessage], count: Callable[[str], int], per_message: int) -> list[Unit]:
    """The units of a ring. `count`: tokens of a text; `per_message`: what a message costs beside them."""
    found = []
    for unit in units(messages):
        sent = paired([wire(stored.message) for stored in unit])
        tokens = sum(per_message + sum(count(part_text(part)) for part in message.parts) for message in sent)
        found.append(Unit(unit, tokens))
    return found


def tokens_of(ring: Sequence[Unit]) -> int:
    return sum(unit.tokens for unit in ring)


def due(ring: Sequence[Unit], limits: RingLimits) -> bool:
    """Whether the ring is too full."""
    return tokens_of(ring) > limits.tokens or _messages(ring) > limits.keep + limits.slack


def newest_exchange(ring: Sequence[Unit]) -> int:
    """The position of the unit with which the newest exchange begins: the last request; else the last unit."""
    opening = [position for position, unit in enumerate(ring) if unit.opens]
    return opening[-1] if opening else max(0, len(ring) - 1)


def oldest_part(ring: Sequence[Unit], limits: RingLimits) -> int:
    """How many units at the beginning of a ring that is too full are to go: GOING of its tokens, or as many messages as
    leave `keep`; so that it begins with a request where that is possible. Never the newest exchange: 0 if there is
    nothing else."""
    last = newest_exchange(ring)
    before = [0, *accumulate(unit.tokens for unit in ring)]
    messages = [0, *accumulate(len(unit.messages) for unit in ring)]
    wanted = 0
    if before[-1] > limits.tokens:
        wanted = next(n for n, tokens in enumerate(before) if tokens >= GOING * before[-1])
    if messages[-1] > limits.keep + limits.slack:
        wanted = max(wanted, next(n for n, gone in enumerate(messages) if messages[-1] - gone <= limits.keep))
    wanted = min(wanted, last)
    if not wanted:
        return 0
    openings = [n for n in range(1, last + 1) if ring[n].opens]
    return min(openings, key=lambda n: (abs(before[n] - before[wanted]), n), default=wanted)


def to_cover(ring: Sequence[Unit], limits: RingLimits) -> int:
    """How many units are to go so that the ring is not too full any more: parts of what is left, until it is well or
    only the newest exchange is left."""
    gone = 0
    while due(ring[gone:], limits) and (more := oldest_part(ring[gone:], limits)):
        gone += more
    return gone


def _messages(ring: Sequence[Unit]) -> int:
    return sum(len(unit.messages) for unit in ring)
