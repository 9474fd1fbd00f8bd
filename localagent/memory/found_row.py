"""What a search knows of a passage before it reads its text."""

from __future__ import annotations

from typing import NamedTuple

from localagent.memory.entries import State
from localagent.memory.shelf import SHIFT


class FoundRow(NamedTuple):
    """A passage without its text. `sitting` is the number of its session within its stream; `memory_id` and `state` are
    None for messages. `labels` is what filters ask, but for the time, in the order of `filters.FIELDS`; empty where
    nobody asks it of this row."""

    row: int
    speaker: str
    said_at: float
    sitting: int
    asks: float
    ends_asking: int
    times: int
    memory_id: str | None
    state: State | None
    labels: tuple[str | float, ...] = ()

    @property
    def session(self) -> str:
        """As the ledger calls it."""
        return f"{self.row >> SHIFT}/{self.sitting}"


# As SQL, of passages `p` and their entries `m`, in the order of the fields.
COLUMNS = (
    "p.row, p.speaker, p.said_at, CAST(substr(p.session, instr(p.session, '/') + 1) AS INTEGER), p.asks, "
    "p.ends_asking, p.times, p.memory_id, m.state"
)
