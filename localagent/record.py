"""The prompt record: what went into one model call, what was left out and why, and how it ended."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass, field, fields
from typing import Literal, Protocol, TypeAlias

from localagent.events import Usage
from localagent.messages import JsonObject

BlockName: TypeAlias = Literal["system", "summary", "recalled", "recent", "request"]

# Why a recent message is not in the prompt: it would not have fitted.
DropReason: TypeAlias = Literal["budget"]


@dataclass(frozen=True, slots=True)
class Block:
    """One labelled part of the prompt; `message_ids` are the ledger's, where it has any."""

    name: BlockName
    tokens: int
    message_ids: tuple[int, ...] = ()


@dataclass(frozen=True, slots=True)
class Dropped:
    """A recent message that is not in the prompt."""

    message_id: int
    reason: DropReason
    tokens: int


@dataclass(frozen=True, slots=True)
class PromptRecord:
    """Written before the call. Token counts are ours; `exact` tells whether the model's own tokenizer made them.

    `budget` = window - reserve - tool_tokens; `request` is the exact body sent, `digest` is `digest(request)`.
    """

    id: str
    thread_id: str
    created_at: float
    provider: str
    model: str
    window: int
    reserve: int
    tool_tokens: int
    budget: int
    tokens: int
    exact: bool
    blocks: tuple[Block, ...]
    older: int
    dropped: tuple[Dropped, ...]
    digest: str
    request: JsonObject


@dataclass(frozen=True, slots=True)
class PromptOutcome:
    """Written after the call, with the id of its record. `ended_by` names what ended the turn: stop, length,
    interrupted, deadline, or the error's class. Durations in seconds, None where unknown."""

    id: str
    ended_by: str
    usage: Usage
    assemble_s: float
    first_token_s: float | None
    total_s: float
    error: str = ""
    warnings: tuple[str, ...] = field(default=())


def digest(body: JsonObject) -> str:
    """SHA-256 (hex) of canonical JSON: sorted keys, no spaces, escaped to ASCII. Survives a round trip through JSON."""
    canonical = json.dumps(body, sort_keys=True, separators=(",", ":"))
    return hashlib.sha256(canonical.encode("ascii")).hexdigest()


def record_to_json(record: PromptRecord) -> dict[str, object]:
    """Fields under their own names; blocks and dropped messages as objects. The request itself is not copied."""
    shallow = {each.name: getattr(record, each.name) for each in fields(record)}
    return shallow | {
        "blocks": [asdict(block) for block in record.blocks],
        "dropped": [asdict(dropped) for dropped in record.dropped],
    }


def outcome_to_json(outcome: PromptOutcome) -> dict[str, object]:
    """Fields under their own names, `usage` as an object."""
    return asdict(outcome)


class PromptLog(Protocol):
    """One JSON line for the prompt and one for its outcome, in a file per thread."""

    def write(self, record: PromptRecord) -> None:
        """Durable when it returns: a crash during the call leaves it behind."""
        ...

    def finish(self, outcome: PromptOutcome, thread_id: str) -> None: ...

    def list(self, thread_id: str | None = None, limit: int = 20) -> Sequence[Mapping[str, object]]:
        """The newest `limit` records of a thread, or of all, newest first; a record's outcome is under `outcome`
        (absent if the call never ended)."""
        ...
