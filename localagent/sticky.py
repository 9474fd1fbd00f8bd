"""Sticky recall: what the last prompt quoted stays where it was, byte for byte, while it still holds.

A model computes everything behind the first changed token anew, and the recent messages stand behind what is recalled:
a slightly better choice is not worth that. What is new and strong is appended; what is weak waits until the choice is
made anew, which costs nothing where the prompt changes before it anyway. Pure: no search, no clock.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import count as numbers
from typing import TypeAlias

from localagent.assembler import Recalled
from localagent.memory.searching import Passage
from localagent.recall_block import STEEPNESS, Block, build_block

# The worth (0-1, see `worth`) from which on something new is worth that the recent messages are read again.
STRONG = 0.3
# What comes along once they are.
WEAK = 0.1
# So far from the threshold to 1 is its score then. Measured over 50-turn dialogues: half way costs 0.05 of the cached
# share, and the facts that are found in addition are in the summary.
SURE = 2 / 3
# So many times `top_k` entries may stand in a prompt, those of earlier requests included.
ENTRIES = 2
BLOCK_ID = "earlier"
BLOCK_NOTE = "said in earlier messages"

# What a choice was made beside: the lines of the summary, and the first of the recent messages. Where one is another,
# the prompt changes before or right behind what is recalled.
Basis: TypeAlias = tuple[tuple[str, ...], int]


@dataclass(frozen=True, slots=True)
class Quoted:
    """A quoted item of a prompt. `passages`: what stands in a block of earlier messages; none for an entry. `tokens` of
    a block."""

    item: Recalled
    passages: tuple[Passage, ...] = ()
    tokens: int = 0


@dataclass(frozen=True, slots=True)
class Before:
    """What a thread's last prompt quoted, in order, and what it was chosen beside."""

    basis: Basis
    quoted: tuple[Quoted, ...]

    def that_reached(self, ids: Collection[str]) -> Before:
        """Without what found no room in the prompt."""
        return replace(self, quoted=tuple(one for one in self.quoted if one.item.id in ids))

    @property
    def standing(self) -> tuple[Recalled, ...]:
        return tuple(one.item for one in self.quoted if one.item.pinned)

    @property
    def loose(self) -> tuple[Quoted, ...]:
        """What was recalled for a request."""
        return tuple(one for one in self.quoted if not one.item.pinned)


@dataclass(frozen=True, slots=True)
class Now:
    """What a turn found. `entries` and `passages` are those that a choice made anew would take, the best first, with
    their ranks; `best` is the best rank of all that was found, in the recent messages and the summary too.

    `holds`: the entries of the last prompt that still count, as they would be quoted now; `reads`: its passages as they
    read now, by key. `scores` (0-1) of all of them, by id or key. `questions` as in `build_block`.
    """

    basis: Basis
    entries: Sequence[tuple[Recalled, float]]
    passages: Sequence[tuple[Passage, float]]
    best: float
    holds: Mapping[str, Recalled]
    reads: Mapping[str, Passage]
    questions: Mapping[int, Passage]
    scores: Mapping[str, float]


@dataclass(frozen=True, slots=True)
class Room:
    """For entries (how many a request may bring) and for blocks of earlier messages (tokens). `behind`: tokens of the
    recent messages, which a change has the model read again; `sure`: the score (0-1) from which on a passage is so
    likely what is asked for that this is worth it. An entry is, once it is above the threshold."""

    top_k: int
    message_tokens: int
    count: Callable[[str], int]
    behind: int
    sure: float


def worth(rank: float, best: float) -> float:
    """What something is worth (0-1) beside the best that was found, on the scale by which blocks are chosen."""
    return math.pow(max(0.0, min(1.0, rank / best)), STEEPNESS) if best > 0 else 0.0


def in_order(before: Before | None, standing: Sequence[Recalled]) -> tuple[tuple[Recalled, ...], bool]:
    """What stands in every prompt, in the order of the last one with what is new behind it; and whether nothing is new.
    In its own order where something of the last prompt is gone or reads otherwise."""
    now = {item.id: item for item in standing}
    earlier = before.standing if before is not None else ()
    if not all(_reads_as(now.get(item.id), item) for item in earlier):
        return tuple(standing), False
    order = {item.id: place for place, item in enumerate(earlier)}
    ordered = sorted(standing, key=lambda item: order.get(item.id, len(order)))
    return tuple(ordered), len(order) == len(now)


def keep(before: Before, now: Now, room: Room) -> tuple[Quoted, ...] | None:
    """What was recalled for the last request, with what is new and strong behind it. None: choose anew, since something
    does not hold any more, the prompt changes before it anyway, or there is no room."""
    kept = _still(before, now)
    spent = sum(one.tokens for one in kept or ())
    if kept is None or spent > room.message_tokens:
        return None
    ids = {one.item.id for one in kept}
    keys = {passage.key for one in kept for passage in one.passages}
    entries = [(item, rank) for item, rank in now.entries if item.id not in ids]
    passages = [(passage, rank) for passage, rank in now.passages if passage.key not in keys]

    if room.behind <= room.message_tokens and (entries or passages):
        return None  # a new choice costs no more than a block does
    strong = {
        passage.row
        for passage, rank in passages
        if worth(rank, now.best) >= STRONG and now.scores.get(passage.key, 0.0) >= room.sure
    }
    if not strong and not any(worth(rank, now.best) >= STRONG for _, rank in entries):
        return kept
    added = [Quoted(item) for item, rank in entries if worth(rank, now.best) >= WEAK]
    along = [(passage, rank) for passage, rank in passages if worth(rank, now.best) >= WEAK]
    block = build_block(along, room.message_tokens - spent, room.count, questions=now.questions)
    if not strong <= block.rows or len(ids) - len(_blocks(kept)) + len(added) > ENTRIES * room.top_k:
        return None
    return _ranked((*kept, *added, *quoted_block(block, along, now.questions, taken=ids)))


def quoted_block(
    block: Block,
    passages: Sequence[tuple[Passage, float]],
    questions: Mapping[int, Passage],
    taken: Collection[str] = (),
) -> tuple[Quoted, ...]:
    """The block as it is quoted, under a name that is not `taken`; none if it is empty."""
    if not block.rows:
        return ()
    names = (BLOCK_ID if number == 1 else f"{BLOCK_ID}-{number}" for number in numbers(1))
    name = next(name for name in names if name not in taken)
    found = {passage.row: passage for passage in (*questions.values(), *(passage for passage, _ in passages))}
    shown = tuple(found[row] for row in sorted(block.rows))
    # Of everything recalled, the verbatim passages give way first: entries are shorter and say more for their tokens.
    return (Quoted(Recalled(name, block.text, -1.0, BLOCK_NOTE), shown, block.tokens),)


def _still(before: Before, now: Now) -> tuple[Quoted, ...] | None:
    """What was recalled for the last request, if all of it still holds."""
    if before.basis != now.basis:
        return None
    kept = []
    for one in before.loose:
        if not one.passages:
            item = now.holds.get(one.item.id)
            if item is None or not _reads_as(item, one.item):
                return None
            one = replace(one, item=item)
        elif not all((read := now.reads.get(p.key)) is not None and read.text == p.text for p in one.passages):
            return None
        kept.append(one)
    return tuple(kept)


def _reads_as(item: Recalled | None, earlier: Recalled) -> bool:
    return item is not None and replace(item, score=earlier.score) == earlier


def _blocks(quoted: Sequence[Quoted]) -> list[Quoted]:
    return [one for one in quoted if one.passages]


def _ranked(quoted: tuple[Quoted, ...]) -> tuple[Quoted, ...]:
    """Where something has to go, the oldest block goes first."""
    blocks = [one.item.id for one in _blocks(quoted)]
    return tuple(
        replace(one, item=replace(one.item, score=float(blocks.index(one.item.id) - len(blocks))))
        if one.passages
        else one
        for one in quoted
    )
