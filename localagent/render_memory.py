"""Memory for people: entries, and what a search found. Not cleaned yet."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime
from typing import TYPE_CHECKING

from localagent.bilingual import CORRECTED_SINCE, ONE_WAITS, SOME_WAIT, Language
from localagent.recall import WISHES
from localagent.recall_block import IN_PART_CORRECTED, in_part_corrected
from localagent.terminal import one_line

if TYPE_CHECKING:
    from localagent.memory.entries import Memory
    from localagent.policy import Retention
    from localagent.recall import Result

# Seconds in each, the longest first. A month is 30 days here.
_SPANS = (
    ("year", 31_536_000),
    ("month", 2_592_000),
    ("week", 604_800),
    ("day", 86_400),
    ("hour", 3600),
    ("minute", 60),
)
_SPEAKERS = {
    "user": "you", "assistant": "the assistant", "tool": "a tool", "file": "a file", "recalled": "memory",
    "pasted": "pasted by you", "stdin": "piped in by you",
}  # fmt: skip
# A passage may be as long as an embedder reads; so much of it tells what it is.
SHOWN = 300
# Of an entry's text in a list; `memory show` has all of it.
LISTED = 200
BAR_CELLS = 40


def age(seconds: float) -> str:
    """`3 days ago`; what lies ahead is `in 3 days`, less than a minute is `just now`."""
    for unit, length in _SPANS:
        count = int(abs(seconds) // length)
        if count:
            span = f"{count} {unit}{'' if count == 1 else 's'}"
            return f"{span} ago" if seconds > 0 else f"in {span}"
    return "just now"


def moment(seconds: float | None) -> str:
    """Local time to the minute; `-` for none, and where no calendar has it."""
    try:
        return "-" if seconds is None else datetime.fromtimestamp(seconds).strftime("%Y-%m-%d %H:%M")
    except (OverflowError, OSError, ValueError):
        return "-"


def waiting_text(count: int, language: Language = "en") -> str:
    """How many pieces have no vector yet, and what that means."""
    return (ONE_WAITS if count == 1 else SOME_WAIT)(language, count=f"{count:,}")


def source(memory: Memory) -> str:
    """Whose words an entry was made of, or the piece of a file."""
    return memory.source or _SPEAKERS[memory.origin]


def result_lines(result: Result, thread: str, now: float) -> str:
    """A hit: what and whence, the parts of its score, its beginning. `thread` names its thread, or is empty."""
    passage, ranked = result.passage, result.ranked
    memory = passage.memory
    if memory is not None:
        state = "" if memory.state == "active" else f" ({memory.state})"
        what, whence, key = f"{memory.kind}{state}", source(memory), memory.id
    else:
        what, whence, key = "message", _SPEAKERS.get(passage.speaker, passage.speaker), ""
    told = [one for one in (what, whence, age(now - passage.said_at), thread and f"thread {thread}", key) if one]
    since = in_part_corrected(result.corrected_by)
    return "\n".join(
        (
            f"{ranked.score:.2f}  {' · '.join(told)}",
            f"      vector {ranked.vector:.2f}, keyword {ranked.keyword:.2f}, retention {result.retention:.2f}",
            f"      {one_line(passage.text, SHOWN)}",
            *([f"      {since}"] if since else []),
        )
    )


def result_json(result: Result) -> dict[str, object]:
    """A hit under stable names. Times are epoch seconds, scores 0-1; `id` is the entry's, `key` the passage's."""
    passage, ranked, memory = result.passage, result.ranked, result.passage.memory
    return {
        "source": "message" if memory is None else "memory",
        "id": None if memory is None else memory.id,
        "key": passage.key,
        "kind": "message" if memory is None else memory.kind,
        "text": passage.text,
        "score": ranked.score,
        "vector": ranked.vector,
        "keyword": ranked.keyword,
        "retention": result.retention,
        "speaker": passage.speaker,
        "said_at": passage.said_at,
        "origin": None if memory is None else memory.origin,
        "state": None if memory is None else memory.state,
        "corrected_in_part": None if memory is None else list(result.corrected_by),
        "file": memory.source or None if memory is not None else None,
        "thread_id": passage.thread_id or None,
        "message_id": passage.message_id,
    }


def listed(memory: Memory, corrected_by: Sequence[str] = (), language: Language = "en") -> str:
    """An entry's text for a list, and by what a part of it is corrected."""
    since = in_part_corrected(corrected_by)
    since = since and CORRECTED_SINCE(language, quoted=since.removeprefix(f"{IN_PART_CORRECTED}: "))
    return one_line(memory.text, LISTED) + (f" ({since})" if since else "")


def memory_lines(
    memory: Memory,
    chain: Sequence[Memory],
    retention: Retention,
    thread: str,
    now: float,
    corrected_by: Sequence[str] = (),
) -> str:
    """Everything about an entry, with the entries before and after it. `thread` names where it was said."""
    whence = f"thread {thread}" if thread else ""
    told = f"message {memory.message_id}" if memory.message_id is not None else ""
    if memory.thread_id and not thread:  # there is no message to look at
        whence, told = "in a thread that is not here (any more)", ""
    score = f"{retention.score:.2f}"
    rows = [
        ("entry", memory.id),
        ("kind", memory.kind + (", about the assistant" if memory.subject == "agent" else "")),
        ("state", memory.state + (", pinned" if memory.pinned else "")),
        ("scope", _scope(memory, thread)),
        ("from", ", ".join(part for part in (source(memory), whence, told) if part)),
        ("evidence", memory.evidence),
        ("written", f"{moment(memory.created_at)} ({age(now - memory.created_at)})"),
        ("holds", f"since {moment(memory.valid_from)}" if memory.valid_to is None else ""),
        ("held", f"{moment(memory.valid_from)} to {moment(memory.valid_to)}" if memory.valid_to is not None else ""),
        ("due", f"{moment(memory.due_at)} ({age(now - memory.due_at)})" if memory.due_at is not None else ""),
        ("used", _used(memory, now)),
        ("with others", _times(memory.association_count) if memory.association_count else ""),
        ("importance", _importance(memory)),
        ("retention", retention.reason if retention.reason.startswith(score) else f"{score}: {retention.reason}"),
    ]
    lines = [memory.text, "", *(f"{name:<12}{value}" for name, value in rows if value)]
    if corrected_by:
        lines += ["", in_part_corrected(corrected_by)]
    if len(chain) > 1:
        lines += ["", "what held when:"]
        lines += [f"  {_held(one)}  {'*' if one.id == memory.id else ' '} {one.id}  {one.text}" for one in chain]
    return "\n".join(lines)


def bars(counts: Sequence[int]) -> list[str]:
    """A histogram of shares of 1 as lines, a bar each."""
    most = max([*counts, 1])
    step = 1 / max(1, len(counts))
    # What is there is seen, however little it is beside the most.
    cells = [-(-count * BAR_CELLS // most) for count in counts]
    width = len(str(most))
    return [
        f"{at * step:.1f}-{(at + 1) * step:.1f}  {count:>{width}}  {'█' * length}".rstrip()
        for at, (count, length) in enumerate(zip(counts, cells, strict=True))
    ]


def _scope(memory: Memory, thread: str) -> str:
    match memory.scope:
        case "all":
            return "everywhere"
        case "agent":
            return f"agent {memory.agent}" if memory.agent else "this agent"
        case "thread":
            return f"thread {thread or memory.thread_id}"


def _used(memory: Memory, now: float) -> str:
    """What stands in every prompt counts as used by no answer; it does stand there, though."""
    found = f"{_times(memory.access_count)}, last {age(now - memory.accessed_at)}" if memory.access_count else ""
    if memory.state == "active" and (memory.pinned or memory.kind in WISHES):
        where = "" if memory.scope == "all" else f" of this {memory.scope}"
        return f"in every prompt{where} that has room for it" + (f"; said again {found}" if found else "")
    return found or "never"


def _importance(memory: Memory) -> str:
    feeling = f", feeling {memory.emotion:.2f}" if memory.emotion else ""
    fades = f"fades by {memory.decay_rate:g} a day" if memory.decay_rate else "does not fade"
    return f"{memory.importance:.2f} of 1, {fades}{feeling}"


def _held(memory: Memory) -> str:
    until = moment(memory.valid_to) if memory.valid_to is not None else "now"
    return f"{moment(memory.valid_from)} to {until:<16}"


def _times(count: int) -> str:
    return "never" if not count else "once" if count == 1 else f"{count} times"
