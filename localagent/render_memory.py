"""Memory for people: entries, what a search found, the fates of what recall looked at. Not cleaned yet."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from datetime import datetime
from typing import TYPE_CHECKING, TypeAlias, cast

from localagent.explain_fates import NOTHING_LEFT, archived, briefly_archived
from localagent.recall_block import IN_PART_CORRECTED, in_part_corrected
from localagent.terminal import one_line

if TYPE_CHECKING:
    from localagent.memory.entries import Memory
    from localagent.policy import Retention
    from localagent.recall import Result

Trace: TypeAlias = Mapping[str, object]

# Seconds in each, the longest first. A month is 30 days here.
_SPANS = (
    ("year", 31_536_000),
    ("month", 2_592_000),
    ("week", 604_800),
    ("day", 86_400),
    ("hour", 3600),
    ("minute", 60),
)
_SPEAKERS = {"user": "you", "assistant": "the assistant", "tool": "a tool", "file": "a file", "recalled": "memory"}
# As `prompts show` and /why put what recall decided, where it is not "used".
_FATES = {
    "below threshold": "below the threshold",
    "beyond top_k": "beyond the number of memories wanted (memory_search_top_k)",
    "double": "says the same as another one",
    "over budget": "no room for it",
    "superseded": "superseded",
    "archived": "archived",
    "in the recent messages": "stands in the recent messages anyway",
    "says nothing": "only asks, or says nothing by itself",
    "in the summary": "stands in the summary anyway",
    "not worth a new prefix": "too little better than what stands there to have everything behind it read again",
}
# The fates of what is in the prompt, and what /why puts before them.
_IN_PROMPT = {
    "standing": "in every prompt:",
    "used": "used for this answer:",
    "kept from before": "there since an earlier request:",
}
# /why shows so many of what was near and not used, so many of each that was, and lines of so many cells: in all what
# has room on a screen of 80 x 24.
NEAR = 5
BEST = {"standing": 3, "used": 6, "kept from before": 3}
CELLS = 78
_BRIEF = {
    "double": "says the same as another",
    "over budget": "no room",
    "in the recent messages": "is recent anyway",
    "in the summary": "in the summary anyway",
    "not worth a new prefix": "little better than what is there",
}
CORRECTED = "corrected since"
# Of a message nothing is left to recall: a request to forget something, say, or all that it said was corrected.
EMPTY = "(corrected or forgotten since)"
# A passage may be as long as an embedder reads; so much of it tells what it is.
SHOWN = 300
# Of an entry's text in a list; `memory show` has all of it.
LISTED = 200
BAR_CELLS = 40
# What becomes of the message that a forgotten entry was made of.
FORGOTTEN = "the message it comes from stays in its thread; what it says of this is not recalled any more"


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


def waiting_text(count: int) -> str:
    """How many pieces have no vector yet, and what that means."""
    if count == 1:
        return "1 piece is not indexed yet; it is found by its words only"
    return f"{count:,} pieces are not indexed yet; they are found by words only"


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


def listed(memory: Memory, corrected_by: Sequence[str] = ()) -> str:
    """An entry's text for a list, and by what a part of it is corrected."""
    since = in_part_corrected(corrected_by)
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
        ("held", f"{moment(memory.valid_from)} to {moment(memory.valid_to) if memory.valid_to is not None else 'now'}"),
        ("due", f"{moment(memory.due_at)} ({age(now - memory.due_at)})" if memory.due_at is not None else ""),
        (
            "used",
            f"{_times(memory.access_count)}, last {age(now - memory.accessed_at)}" if memory.access_count else "never",
        ),
        ("with others", _times(memory.association_count) if memory.association_count else ""),
        ("importance", f"{memory.importance:.2f}, decay {memory.decay_rate:g} a day, emotion {memory.emotion:.2f}"),
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


def recall_lines(record: Mapping[str, object]) -> list[str]:
    """Of a prompt record: what of memory is in the prompt, and in one line the fates of the rest."""
    traces, note = _traces(record)
    used = [trace for trace in traces if trace["fate"] in _IN_PROMPT]
    rest = Counter(str(trace["fate"]) for trace in traces if trace["fate"] not in _IN_PROMPT)
    lines = [f"searched by words alone: {note}"] if note else []
    for trace in used:
        fate = str(trace["fate"]).split()[0]
        lines.append(f"{fate:<9}{_name(trace)}  {_text(trace)}{_score(trace, ' (', ')')}")
    if rest:
        lines.append("not used " + ", ".join(f"{count} {_FATES.get(fate, fate)}" for fate, count in rest.most_common()))
    return lines


def why_lines(record: Mapping[str, object], *, everything: bool = False) -> list[str]:
    """Of the last prompt record: which memories were used, in the prompt's order, and which near ones were not and why.
    Each begins with what `memory show` or `threads show` takes. The best of each, a line each, so that they stand on a
    small screen; with `everything` all, and the parts of their scores."""
    traces, note = _traces(record)
    lines = [f"memory was searched by words alone: {note}"] if note else []
    names = {str(trace["id"]): _name(trace) for trace in traces if trace["kind"] == "message"}
    thread = str(record.get("thread_id") or "")
    hidden = 0
    for fate, title in _IN_PROMPT.items():
        chosen = [trace for trace in traces if trace["fate"] == fate]
        shown = chosen if everything else _best(chosen, BEST[fate])
        hidden += len(chosen) - len(shown)
        count = "" if len(chosen) == len(shown) else f" {counted(chosen)}, of which:"
        lines += [f"{title}{count}"] if chosen else []
        for trace in shown:
            lines += _why(trace, "") if everything else [_briefly(trace, thread)]
    near = [trace for trace in traces if trace["fate"] not in _IN_PROMPT]
    near.sort(key=lambda trace: -cast(float, trace["score"]))
    lines += ["near, and not used:"] if near else []
    for trace in near if everything else near[:NEAR]:
        lines += _why(trace, f": {_reason(trace, names)}") if everything else [_briefly(trace, thread)]
    hidden += 0 if everything else max(0, len(near) - NEAR)
    lines += [f"and {hidden} more, and the parts of the scores: /why all"] if hidden else []
    return lines or ["memory had nothing for this answer"]


def counted(traces: Sequence[Trace]) -> str:
    """`2 memories, 31 earlier messages`: a message may have several passages."""
    from localagent.longterm import in_words

    said = {(trace.get("thread_id"), trace.get("message_id") or trace["id"]) for trace in traces if _is_said(trace)}
    return in_words(sum(not _is_said(trace) for trace in traces), len(said))


def _is_said(trace: Trace) -> bool:
    return trace["kind"] == "message"


def _best(traces: Sequence[Trace], most: int) -> list[Trace]:
    """In their order; entries before what was said, then by score."""
    best = sorted(traces, key=lambda trace: (_is_said(trace), -cast(float, trace["score"])))[:most]
    return [trace for trace in traces if any(trace is one for one in best)]


def _briefly(trace: Trace, thread: str) -> str:
    """On one line of a small screen."""
    fate = str(trace["fate"])
    here = _is_said(trace) and trace.get("message_id") is not None and trace.get("thread_id") == thread
    name = f"message {trace['message_id']}" if here else _name(trace)
    score = f"  {trace['score']:.2f}" if trace["score"] or fate not in _IN_PROMPT else ""
    reason = "" if fate in _IN_PROMPT else f"  {_brief_reason(trace)}"
    return brief(f"  {name}{score}{reason}  {_text(trace)}", close="”")


def _brief_reason(trace: Trace) -> str:
    fate = str(trace["fate"])
    if fate == "archived":
        return briefly_archived(str(trace["note"]))
    if fate == "superseded" and _is_said(trace):
        return "not recalled"
    return _BRIEF.get(fate, fate)


def brief(line: str, *, close: str = "") -> str:
    """A line cut to a small screen. `close`: what ends it, a quotation mark."""
    from localagent.render_status import fit

    cut = fit(line, CELLS)
    return line if cut == line else f"{fit(line, CELLS - 1 - len(close))}…{close}"


def _traces(record: Mapping[str, object]) -> tuple[Sequence[Trace], str]:
    """Records of earlier versions have none."""
    return cast("Sequence[Trace]", record.get("recall") or ()), str(record.get("recall_note") or "")


def _why(trace: Trace, reason: str) -> list[str]:
    return [f"  {_name(trace)}  {_text(trace)}{reason}", *_score(trace, "      ", "").splitlines()]


def _name(trace: Trace) -> str:
    if trace["kind"] != "message":
        return f"{trace['id']}  {trace['kind']}"
    if trace.get("message_id") is None:  # another machine's, or recorded by an earlier version
        return f"message {trace['id']}"
    return f"thread {trace['thread_id']}, message {trace['message_id']}"


def _text(trace: Trace) -> str:
    """What was corrected since does not stand in it."""
    text = one_line(str(trace["text"]), SHOWN)
    if not text:
        return EMPTY
    return f"“{text}” ({since})" if (since := _corrected(trace)) else f"“{text}”"


def _corrected(trace: Trace) -> str:
    """Of what is in the prompt: what was corrected of a message does not stand there, and of an entry it does, with
    what corrects it."""
    if trace["fate"] not in _IN_PROMPT or trace["note"] != "corrected":
        return ""
    return CORRECTED if _is_said(trace) else IN_PART_CORRECTED


def _score(trace: Trace, before: str, after: str) -> str:
    """Nothing for what is in the prompt and was not found by the search for this request."""
    if trace["fate"] in _IN_PROMPT and not trace["score"]:
        return ""
    parts = f"vector {trace['vector']:.2f}, keyword {trace['keyword']:.2f}, retention {trace['retention']:.2f}"
    return f"{before}{trace['score']:.2f}: {parts}{after}"


def _reason(trace: Trace, names: Mapping[str, str]) -> str:
    fate, note = str(trace["fate"]), str(trace["note"])
    if fate == "double":
        return f"says the same as {names.get(note, note)}" if note else _FATES[fate]
    if fate == "over budget" and note:
        return f"no room among what is in every prompt: {note} (memory.preference_tokens)"
    if fate == "superseded":
        return NOTHING_LEFT if _is_said(trace) else f"superseded by {note}" if note else fate
    if fate == "archived":
        return archived(note)
    return _FATES.get(fate, fate)


def _scope(memory: Memory, thread: str) -> str:
    match memory.scope:
        case "all":
            return "everywhere"
        case "agent":
            return f"agent {memory.agent}" if memory.agent else "this agent"
        case "thread":
            return f"thread {thread or memory.thread_id}"


def _held(memory: Memory) -> str:
    until = moment(memory.valid_to) if memory.valid_to is not None else "now"
    return f"{moment(memory.valid_from)} to {until:<16}"


def _times(count: int) -> str:
    return "never" if not count else "once" if count == 1 else f"{count} times"
