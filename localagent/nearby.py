"""The entries that are nearest in meaning to a text, of those that count."""

from __future__ import annotations

import contextlib
from collections.abc import Iterator

from localagent.errors import UsageError
from localagent.memory.classifying import Classifier
from localagent.memory.entries import Memories, Memory


def nearest(
    memories: Memories, classifier: Classifier, text: str, limit: int, least: float = -1.0
) -> Iterator[tuple[float, Memory]]:
    """At most `limit` active entries, best first, each with its cosine (-1 to 1, at least `least`). Raises what the
    classifier raises."""
    for memory_id, near in classifier.nearest(text, limit):
        if near < least:
            return
        with contextlib.suppress(UsageError):  # another process has just deleted it
            memory = memories.get(memory_id)
            if memory.state == "active":
                yield near, memory
