"""What became of a candidate of recall, as a sentence."""

from __future__ import annotations

from collections.abc import Sequence

from localagent.record import RecallTrace

SHOWN = 120
# A passage of a message without what was corrected, or forgotten on request, has nothing left.
NOTHING_LEFT = "not recalled: all of it was corrected, or is what you asked to forget"


def quoted(text: str, limit: int = SHOWN) -> str:
    """On one line, cut to `limit` characters, between quotation marks."""
    line = " ".join(text.split())
    return f"“{line if len(line) <= limit else line[: limit - 1] + '…'}”"


def name_of(trace: RecallTrace) -> str:
    """As `memory show` or `threads show` would find it."""
    if trace.kind != "message":
        return f"{trace.kind} {trace.id}"
    if trace.message_id is None:  # another machine's, or recorded by an earlier version
        return f"message {trace.id}"
    return f"message {trace.message_id} of thread {trace.thread_id}"


def score_words(trace: RecallTrace, *, parts: bool = True) -> str:
    if not parts:
        return f"{trace.score:.2f}"
    return (
        f"{trace.score:.2f} (vector {trace.vector:.2f}, keyword {trace.keyword:.2f}, retention {trace.retention:.2f})"
    )


def reason(trace: RecallTrace, others: Sequence[RecallTrace], *, parts: bool = True) -> str:
    """Why it is in the prompt or not; `others` are the candidates beside it, to name what it was compared with.
    `parts`: with what the score was made of."""
    note, score = trace.note, score_words(trace, parts=parts)
    fate: str = trace.fate  # also one that only another version knows
    match fate:
        case "used":
            return f"recalled with score {score}"
        case "standing":
            return "in every prompt (a preference, or pinned)"
        case "below threshold":
            return f"scored {score}, below the threshold{f' of {note}' if note else ''} " + (
                "(memory_search_min_score)"
            )
        case "beyond top_k":
            return f"scored {score}, but enough others scored higher (memory_search_top_k)"
        case "double":
            return f"says the same as {_named(note, others)}" if note else "says the same as another one"
        case "over budget":
            if note:
                return f"belongs into every prompt, and found no room there: {note} (memory.preference_tokens)"
            scored = f"scored {score}, but " if trace.score else ""
            return f"{scored}there was no room for it"
        case "superseded" if trace.kind == "message":
            return NOTHING_LEFT
        case "superseded":
            return f"no longer holds: superseded by {_named(note, others)}" if note else "no longer holds: superseded"
        case "archived":
            return archived(note)
        case "in the recent messages":
            return f"found with score {score}, and left to the recent messages, which hold it anyway"
        case "says nothing":
            return f"found with score {score}, but it only asks, or says nothing by itself"
        case "in the summary":
            return f"found with score {score}, and left to the summary, which says it"
        case "kept from before":
            return "recalled for an earlier request, and kept where it stood"
        case "not worth a new prefix":
            return f"scored {score}, too little for the model to read everything behind the memories again"
        case other:
            return f"{other}{f' ({note})' if note else ''}, scored {score}"


def archived(note: str) -> str:
    """How it came to be archived. Records of earlier versions do not say."""
    match note:
        case "forgotten":
            return "archived: you asked to forget it"
        case "faded":
            return "archived: it has faded, or what it was made of was taken back"
        case "":
            return "archived: it has faded, or was put away"
        case other:
            return f"archived: {other} was restored in its place"


def briefly_archived(note: str) -> str:
    """In two or three words."""
    match note:
        case "forgotten":
            return "you asked to forget it"
        case "faded":
            return "has faded"
        case "":
            return "archived"
        case _:
            return "another was restored"


def _named(trace_id: str, others: Sequence[RecallTrace]) -> str:
    other = next((one for one in others if one.id == trace_id), None)
    return f"{name_of(other)} {quoted(other.text)}" if other is not None else trace_id
