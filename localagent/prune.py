"""Forgetting: which entries have faded, and putting them away."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from localagent.memory.entries import Memories, Memory
from localagent.policy import Retention, RetentionPolicy


@dataclass(frozen=True, slots=True)
class Pruned:
    """An entry that would go, and why. `age_s`: seconds since it was written."""

    memory: Memory
    retention: Retention
    age_s: float


def plan(
    memories: Memories, retention: RetentionPolicy, *, now: float, threshold: float, older_than_s: float = 0.0
) -> list[Pruned]:
    """Active entries that the policy gives up below `threshold`, the weakest first. Nothing is changed."""
    found = []
    for memory in memories.select():
        judged = retention(memory, now, threshold)
        age = now - memory.created_at
        if judged.fate == "archive" and not memory.pinned and age >= older_than_s:
            found.append(Pruned(memory, judged, age))
    return sorted(found, key=lambda one: (one.retention.score, one.memory.created_at, one.memory.id))


def carry_out(memories: Memories, planned: Sequence[Pruned], *, delete: bool) -> int:
    """Archive them, or delete them for good; how many went."""
    ids = [one.memory.id for one in planned]
    if not delete:
        return memories.archive(ids)
    from localagent.repetitions import forget_for_good  # what reads messages takes a while to import

    return forget_for_good(memories, ids)
