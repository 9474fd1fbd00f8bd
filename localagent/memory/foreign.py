"""Passages of other homes, as a shared index returns them: they get rows of their own, below zero."""

from __future__ import annotations

import threading
from collections import OrderedDict
from typing import cast, get_args

from localagent.memory.entries import DECAY, IMPORTANCE, Kind, Memory, Origin, Scope
from localagent.memory.index import Hit
from localagent.memory.searching import Passage

# Rows of these passages are so far apart that none is another's neighbour.
_STEP = 4
_REMEMBERED = 5000


class Foreign:
    """Remembers what was found lately, for several threads. The same passage keeps its row."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._rows: OrderedDict[str, int] = OrderedDict()
        self._passages: dict[int, Passage] = {}
        self._last = 0

    def take(self, hit: Hit) -> Passage:
        """A hit with its text and metadata (`filters.FIELDS`)."""
        with self._lock:
            row = self._rows.pop(hit.key, 0)
            if not row:
                self._last -= _STEP
                row = self._last
            self._rows[hit.key] = row
            self._passages[row] = passage = _passage(row, hit)
            if len(self._rows) > _REMEMBERED:
                _, oldest = self._rows.popitem(last=False)
                del self._passages[oldest]
        return passage

    def get(self, row: int) -> Passage | None:
        with self._lock:
            return self._passages.get(row)


def _passage(row: int, hit: Hit) -> Passage:
    known = hit.metadata
    said_at = float(known["said_at"])
    owner, _, part = hit.key.rpartition(".")
    is_entry = known["source"] == "memory" and known["kind"] in get_args(Kind)
    return Passage(
        row=row,
        key=hit.key,
        text=hit.text,
        speaker=str(known["speaker"]),
        said_at=said_at,
        session=hit.key,
        thread_id=str(known["thread_id"]),
        message_id=None,
        part=int(part) if part.isdecimal() else 0,
        memory=_memory(owner.rpartition(".")[2], hit) if is_entry else None,
    )


def _memory(memory_id: str, hit: Hit) -> Memory:
    """What an index knows of an entry; the rest is what is usual for its kind."""
    known = hit.metadata
    kind, said_at = cast("Kind", known["kind"]), float(known["said_at"])
    return Memory(
        id=memory_id,
        kind=kind,
        text=hit.text,
        origin=cast("Origin", known["origin"]),
        scope=cast("Scope", known["scope"]),
        subject="user",
        agent=str(known["agent"]),
        thread_id=str(known["thread_id"]),
        message_id=None,
        evidence="",
        source="",
        importance=IMPORTANCE[kind],
        decay_rate=DECAY[kind],
        emotion=0.0,
        pinned=False,
        due_at=None,
        state="active",
        superseded_by="",
        created_at=said_at,
        valid_from=said_at,
        valid_to=None,
        accessed_at=said_at,
        access_count=0,
        association_count=0,
    )
