"""The prompt record: what went into one model call, what was left out and why, and how it ended."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, fields, replace
from typing import Literal, Protocol, TypeAlias

from localagent.events import Usage
from localagent.messages import JsonObject
from localagent.quality import Evaluation

BlockName: TypeAlias = Literal["system", "summary", "recalled", "recent", "request"]

# How tools were offered: by the model's own calls, by a reply bound to a JSON schema, or not at all.
ToolsBy: TypeAlias = Literal["native", "constrained", "none"]

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


# Why a candidate of recall is in the prompt, or is not. standing: a preference or pinned entry, there in every prompt;
# says nothing: a message that only asks, or was there to keep the talk going; in the summary: that holds all of it;
# kept from before: recalled for an earlier request, and left where it stands; not worth a new prefix: too little better
# than what stands there to have the model read everything behind it again.
RecallFate: TypeAlias = Literal[
    "used", "standing", "below threshold", "beyond top_k", "double", "over budget", "superseded", "archived",
    "in the recent messages", "says nothing", "in the summary", "kept from before", "not worth a new prefix",
]  # fmt: skip
# Those of what is in the prompt.
IN_PROMPT: frozenset[RecallFate] = frozenset(("used", "standing", "kept from before"))


@dataclass(frozen=True, slots=True)
class RecallTrace:
    """A candidate of recall with the parts of its score (0-1) and its fate. `id` is an entry's id or a passage's key,
    `text` its beginning, `note` of which it is a double, what superseded it, the threshold, or the room that a wish or
    pinned entry did not have among those of every prompt; `block` the quoted item it stands in. A passage of a message
    has the thread and the message it is from (another home's, where `message_id` is None)."""

    id: str
    kind: str
    text: str
    vector: float = 0.0
    keyword: float = 0.0
    retention: float = 1.0
    score: float = 0.0
    fate: RecallFate = "used"
    note: str = ""
    block: str = ""
    thread_id: str = ""
    message_id: int | None = None


@dataclass(frozen=True, slots=True)
class PromptRecord:
    """Written before the call. Token counts are ours; `exact` tells whether the model's own tokenizer made them.

    `budget` = window - reserve - tool_tokens; `request` is the exact body sent, `digest` is `digest(request)`.
    `shared` are the tokens with which it begins as the thread's previous prompt did, what a model's cache can spare;
    None where there is no previous one to compare with. `summary_version` 0: no summary; `summary_dropped` are its
    lines that found no room. `turn_id` is shared by the calls of a turn, `step` their number in it (from 1; 0: a
    question of a scorer). `tools_left_out`: the agent's tools that the model was not told of, the window being too
    small for their descriptions; `tools_note` says so in words. `asked_by`: the agent that asked this one; empty: a
    person did.
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
    recall: tuple[RecallTrace, ...] = ()
    recall_note: str = ""
    shared: int | None = None
    summary_version: int = 0
    summary_dropped: tuple[str, ...] = ()
    turn_id: str = ""
    step: int = 1
    tools_by: ToolsBy = "none"
    tools_left_out: tuple[str, ...] = ()
    tools_note: str = ""
    asked_by: str = ""


@dataclass(frozen=True, slots=True)
class CallRecord:
    """A call of a tool. `approval`: why it was allowed or refused; `text` the beginning of its result; else as in
    `CallResult`. The whole result is in the thread."""

    step: int
    id: str
    tool: str
    arguments: JsonObject
    approval: str
    ran: bool
    is_error: bool
    seconds: float
    text: str
    left_out: int = 0
    linked: str = ""


@dataclass(frozen=True, slots=True)
class TurnRecord:
    """Written when a turn is over: what each mechanism said at each step, and which one ended it. `message_id` is the
    request's, `prompt_ids` the records of its model calls. `ended_by`: answer, max_steps, stop_when, calls,
    interrupted, deadline, or an error's class."""

    id: str
    thread_id: str
    created_at: float
    message_id: int
    steps: int
    ended_by: str
    prompt_ids: tuple[str, ...] = ()
    evaluations: tuple[Evaluation, ...] = ()
    calls: tuple[CallRecord, ...] = ()
    error: str = ""


@dataclass(frozen=True, slots=True)
class CompressionRecord:
    """Written when older messages were summarised, between the prompts of the thread. Tokens of the covered messages
    as they stood in the ring, and of the summary before and after; `added` are the new version's own lines, `left`
    those of the version before that it holds no longer. `made_by` "rules" or a model's name; `note` what went wrong."""

    id: str
    thread_id: str
    created_at: float
    version: int
    covers_from: int
    covers_to: int
    messages: int
    message_tokens: int
    tokens_before: int
    tokens_after: int
    added: tuple[str, ...]
    left: tuple[str, ...]
    made_by: str
    seconds: float
    note: str = ""


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


def shown_fates(traces: Sequence[RecallTrace], dropped: Sequence[str]) -> tuple[RecallTrace, ...]:
    """The traces after assembly: what the assembler had to drop is over budget."""
    gone = set(dropped)
    return tuple(replace(trace, fate="over budget") if trace.block in gone else trace for trace in traces)


def digest(body: JsonObject) -> str:
    """SHA-256 (hex) of canonical JSON: sorted keys, no spaces, escaped to ASCII. Survives a round trip through JSON."""
    canonical = json.dumps(body, sort_keys=True, separators=(",", ":"))
    return hashlib.sha256(canonical.encode("ascii")).hexdigest()


def _shallow(
    one: PromptRecord
    | PromptOutcome
    | TurnRecord
    | CompressionRecord
    | Block
    | Dropped
    | RecallTrace
    | Evaluation
    | CallRecord
    | Usage,
) -> dict[str, object]:
    """Its fields by name. Nothing is copied: what is nested may be large, and is only written down."""
    return {each.name: getattr(one, each.name) for each in fields(one)}


def record_to_json(record: PromptRecord) -> dict[str, object]:
    """Fields under their own names; blocks and dropped messages as objects. The request itself is not copied."""
    return _shallow(record) | {
        "blocks": [_shallow(block) for block in record.blocks],
        "dropped": [_shallow(dropped) for dropped in record.dropped],
        "recall": [_shallow(trace) for trace in record.recall],
    }


def compression_to_json(record: CompressionRecord) -> dict[str, object]:
    """Fields under their own names."""
    return _shallow(record)


def turn_to_json(record: TurnRecord) -> dict[str, object]:
    """Fields under their own names, evaluations and calls as objects."""
    return _shallow(record) | {
        "evaluations": [_shallow(one) for one in record.evaluations],
        "calls": [_shallow(call) for call in record.calls],
    }


def outcome_to_json(outcome: PromptOutcome) -> dict[str, object]:
    """Fields under their own names, `usage` as an object."""
    return _shallow(outcome) | {"usage": _shallow(outcome.usage)}


class PromptLog(Protocol):
    """One JSON line for the prompt and one for its outcome, in a file per thread."""

    def write(self, record: PromptRecord) -> None:
        """Durable when it returns: a crash during the call leaves it behind."""
        ...

    def finish(self, outcome: PromptOutcome, thread_id: str) -> None: ...

    def turn(self, record: TurnRecord) -> None: ...

    def compressed(self, record: CompressionRecord) -> None: ...

    def compressions(self, thread_id: str) -> Sequence[Mapping[str, object]]:
        """When older messages of a thread were summarised, oldest first."""
        ...

    def list(self, thread_id: str | None = None, limit: int = 20) -> Sequence[Mapping[str, object]]:
        """The newest `limit` records of a thread, or of all, newest first; a record's outcome is under `outcome`
        (absent if the call never ended), that of its turn under `turn` (absent until the turn is over)."""
        ...
