"""The recalled block: which passages of earlier messages to show within a budget of tokens, and how.

Greedy by value per token: a passage is worth (rank / best rank) ** STEEPNESS. Neighbours compete with weak hits on
that one scale, since ranks are smoothed over neighbours; so a good hit brings what was said around it. An answer that
can hardly be understood alone brings its question. Measured on long conversations (docs/memory.md): 0.86 of the
evidence in 700 tokens, where five hits with two neighbours on each side hold 0.81.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime

from localagent.memory.language import statements
from localagent.memory.searching import Passage
from localagent.substance import is_terse

STEEPNESS = 12.0
# Of what corrects a part of an entry, so much stands beside that entry.
NOTED_CHARACTERS = 200
# What a user brought along: said of it, it would read as their own words.
BROUGHT = {"pasted": "pasted by the user", "stdin": "piped in by the user"}
IN_PART_CORRECTED = "in part corrected since"


@dataclass(frozen=True, slots=True)
class Block:
    """`rows` are the passages in it; `tokens` as counted line by line."""

    text: str
    rows: frozenset[int]
    tokens: int


def build_block(
    ranked: Sequence[tuple[Passage, float]],
    budget: int,
    count: Callable[[str], int],
    *,
    questions: Mapping[int, Passage] | None = None,
) -> Block:
    """The best of `ranked` (passages with their ranks, best first) in order of time, each session under its date.

    Sentences that only ask are left out of a passage unless there is room for them in the end: first where the answer
    follows in the block. `questions` are passages that only ask, by their rows: they come with a terse answer alone.
    """
    if not ranked or budget <= 0:
        return Block("", frozenset(), 0)
    best = max(ranked[0][1], 1e-9)
    passages = [passage for passage, _ in ranked]
    asked = _questions_of(passages, questions or {})
    whole = [count(line(passage)) + 1 for passage in passages]
    short = [min(full, count(line(p, statements(p.text))) + 1) for p, full in zip(passages, whole, strict=True)]
    before = {at: count(line(question)) + 1 for at, question in asked.items()}
    heads = {passage.session: count(head(passage)) + 1 for passage in passages}
    values = [max(rank / best, 0.0) ** STEEPNESS for _, rank in ranked]

    chosen: list[int] = []
    open_sessions: set[str] = set()
    left, used = list(range(len(passages))), 0
    while left:
        # The first passage of a session also pays for its date.
        costs = {
            at: short[at] + before.get(at, 0) + (0 if (s := passages[at].session) in open_sessions else heads[s])
            for at in left
        }
        left = [at for at in left if used + costs[at] <= budget]
        if not left:
            break
        pick = max(left, key=lambda at: values[at] / costs[at])
        left.remove(pick)
        chosen.append(pick)
        used += costs[pick]
        open_sessions.add(passages[pick].session)

    brought = [asked[at] for at in chosen if at in asked]
    rows = {passages[at].row for at in chosen}
    full_rows = {question.row for question in brought}
    for at in sorted(chosen, key=lambda at: (passages[at].row + 1 not in rows, -values[at])):
        if used + whole[at] - short[at] <= budget:
            used += whole[at] - short[at]
            full_rows.add(passages[at].row)
    shown = sorted([*(passages[at] for at in chosen), *brought], key=lambda p: (p.said_at, p.row))
    return Block(_text(shown, full_rows), frozenset(passage.row for passage in shown), used)


def _questions_of(passages: Sequence[Passage], questions: Mapping[int, Passage]) -> dict[int, Passage]:
    """The question before each terse answer, by the answer's place."""
    return {
        at: questions[passage.row - 1]
        for at, passage in enumerate(passages)
        if passage.row - 1 in questions and is_terse(passage.text)
    }


def _text(shown: Sequence[Passage], full_rows: set[int]) -> str:
    lines: list[str] = []
    session = ""
    for passage in shown:
        if passage.session != session:
            session = passage.session
            lines.append(head(passage))
        lines.append(line(passage, passage.text if passage.row in full_rows else statements(passage.text)))
    return "\n".join(lines)


def head(passage: Passage) -> str:
    """The day a session was held, local time."""
    return day(passage.said_at)


def day(seconds: float) -> str:
    """2026-03-01; empty where no calendar has it."""
    try:
        return datetime.fromtimestamp(seconds).strftime("%Y-%m-%d")
    except (OverflowError, OSError, ValueError):
        return ""


def in_part_corrected(by: Sequence[str]) -> str:
    """What is said of an entry of which these texts correct a part; empty if there are none."""
    texts = (" ".join(text.split()) for text in by)
    short = (text if len(text) <= NOTED_CHARACTERS else f"{text[:NOTED_CHARACTERS]}…" for text in texts)
    quoted = " ".join(f"“{text}”" for text in short)
    return f"{IN_PART_CORRECTED}: {quoted}" if quoted else ""


def line(passage: Passage, text: str | None = None) -> str:
    text = passage.text if text is None else text
    return f"{BROUGHT.get(passage.speaker, passage.speaker)}: {text}" if passage.speaker else text
