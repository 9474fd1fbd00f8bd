"""How well an entry is kept, and whether it has faded.

    score = clamp01( importance * e^(-decay_rate * days since its last use) * (1 + 0.15 ln(1 + times used))
                     * (1 + 0.25 emotion) * (1 + 0.01 times used together with others) )

An importance of 0.8, a decay of 0.03, an emotion of 0.6, used 12 times, 5 times with others, last 5 days ago: 1.0
(1.15 before it is cut to 1). The score lowers a rank in recall; below the threshold an entry is archived, which takes
it out of recall and can be undone. What is exempt from that keeps its score.
"""

from __future__ import annotations

import math

from localagent.memory.entries import Memory
from localagent.policy import Retention

DAY_S = 86_400.0
# An appointment is still asked about shortly after it was.
DAYS_AFTER_DUE = 3.0


def retention(memory: Memory, now: float, threshold: float) -> Retention:
    """The score of an entry at `now` (epoch seconds), and its fate. A clock that went back counts as no time."""
    days = max(0.0, now - memory.accessed_at) / DAY_S
    score = (
        memory.importance
        * math.exp(-max(0.0, memory.decay_rate) * days)
        * (1 + 0.15 * math.log1p(max(0, memory.access_count)))
        * (1 + 0.25 * memory.emotion)
        * (1 + 0.01 * max(0, memory.association_count))
    )
    score = min(1.0, max(0.0, score))
    exempt = _exemption(memory, now)
    if exempt:
        return Retention(score, "keep", exempt)
    used = f"last used {_days(days)} ago, {_times(memory.access_count)} in all"
    if memory.access_count <= 0:
        used = f"unused for {_days(days)}"
    if score < threshold:
        return Retention(score, "archive", f"{_told_apart(score, threshold)}: {used}")
    return Retention(score, "keep", f"{score:.2f}: {used}")


def _exemption(memory: Memory, now: float) -> str:
    """Why an entry does not fade, in words; empty if it does."""
    if memory.pinned:
        return "pinned"
    if memory.kind == "preference":
        return "a preference: it holds until another takes its place"
    if memory.kind == "document":
        return "a piece of a document: it stays until the document goes"
    if memory.due_at is not None and memory.due_at >= now:
        return f"it falls due in {_days((memory.due_at - now) / DAY_S)}"
    if memory.due_at is not None and memory.due_at + DAYS_AFTER_DUE * DAY_S >= now:
        return f"it fell due {_days((now - memory.due_at) / DAY_S)} ago"
    return ""


def _told_apart(score: float, threshold: float) -> str:
    """With as many digits as it takes to see that the one is less."""
    digits = next((digits for digits in range(2, 6) if f"{score:.{digits}f}" != f"{threshold:.{digits}f}"), 0)
    return f"{score:.{digits}f} is below {threshold:.{digits}f}" if digits else f"just below {threshold:.2f}"


def _days(days: float) -> str:
    if days < 1:
        return "less than a day"
    return f"{days:.0f} {'day' if round(days) == 1 else 'days'}"


def _times(count: int) -> str:
    return "once" if count == 1 else f"{count} times"
