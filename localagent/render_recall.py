"""What recall decided, for people: of a prompt record, what of memory was used, and what was near. Not cleaned yet."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from typing import TypeAlias, cast

from localagent.errors import UsageError
from localagent.explain_fates import NOTHING_LEFT, archived, briefly_archived
from localagent.recall_block import IN_PART_CORRECTED
from localagent.render_memory import SHOWN
from localagent.terminal import one_line

Trace: TypeAlias = Mapping[str, object]

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
# What stands over several of them.
_OF_GROUPS = {"superseded": "no longer holds", "archived": "put away, as you asked or because it has faded"}
# The fates of what is in the prompt, and what /why puts before them.
_IN_PROMPT = {
    "standing": "in every prompt:",
    "used": "used for this answer:",
    "kept from before": "there since an earlier request:",
}
# /why shows so many of each that was used, and of what was near: the first of these that has room in so many rows of so
# many cells, a screen of 80 x 24.
HELPINGS = (
    ({"standing": 3, "used": 6, "kept from before": 3}, 5),
    ({"standing": 2, "used": 4, "kept from before": 2}, 3),
    ({"standing": 1, "used": 3, "kept from before": 1}, 2),
)
ROWS, ROW = 22, 78
# Cells of what is told briefly: two rows, where words are not broken.
CELLS = 140
_BRIEF = {
    "double": "says the same as another",
    "over budget": "no room",
    "in the recent messages": "is recent anyway",
    "in the summary": "in the summary anyway",
    "not worth a new prefix": "little better than what is there",
    "says nothing": "only asks, or says nothing",
}
# So many of one fate are told with the parts of their scores.
MOST_OF_A_GROUP = 20
NOTHING = "memory had nothing for this answer"
CORRECTED = "corrected since"
# Of a message nothing is left to recall: a request to forget something, say, or all that it said was corrected.
EMPTY = "(corrected or forgotten since)"


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


def why_lines(record: Mapping[str, object]) -> list[str]:
    """Of the last prompt record: which memories were used, in the prompt's order, and which near ones were not and why.
    Each begins with what `memory show` or `threads show` takes. The best of each, so that they stand on a small
    screen."""
    traces, note = _traces(record)
    thread = str(record.get("thread_id") or "")
    helpings = (_helping(traces, thread, *most) for most in HELPINGS)
    lines = next((lines for lines in helpings if sum(map(_rows, lines)) <= ROWS), None)
    lines = _helping(traces, thread, *HELPINGS[-1]) if lines is None else lines
    lines = [*([f"memory was searched by words alone: {note}"] if note else []), *lines]
    return lines or [NOTHING]


def overview_lines(record: Mapping[str, object]) -> list[str]:
    """Of everything that recall looked at for the last prompt, how much has which fate; each with its number."""
    groups = _groups(record)
    if not groups:
        return [NOTHING]
    lines: list[str] = []
    for number, (fate, traces) in enumerate(groups, 1):
        title = "in the prompt:" if fate in _IN_PROMPT else "looked at, and not in the prompt:"
        lines += [] if title in lines else [title]
        best = max(cast(float, trace["score"]) for trace in traces)
        scored = f", the best with {best:.2f}" if fate not in _IN_PROMPT else ""
        lines.append(f"  {number:>2}  {_title(fate)}: {counted(traces)}{scored}")
    return [*lines, "one of these, with the parts of the scores (vector: meaning, keyword: words): /why all NUMBER"]


def group_lines(record: Mapping[str, object], number: int) -> list[str]:
    """What has the fate with this number of the overview, the best first (what is in the prompt: in its order), with
    the parts of the scores. Raises UsageError where there is no such number."""
    groups = _groups(record)
    if not 1 <= number <= len(groups):
        raise UsageError(f"there is no {number} in it", hint="/why all lists the numbers.")
    fate, traces = groups[number - 1]
    names = {str(trace["id"]): _name(trace) for trace in _traces(record)[0] if _is_said(trace)}
    lines = [f"{_title(fate)}:"]
    for trace in traces[:MOST_OF_A_GROUP]:
        reason = "" if fate in _IN_PROMPT else _reason(trace, names)
        lines += _why(trace, f": {reason}" if reason and reason != _title(fate) else "")
    left = traces[MOST_OF_A_GROUP:]
    return [*lines, f"and {counted(left)} more: localagent prompts show --json"] if left else lines


def _groups(record: Mapping[str, object]) -> list[tuple[str, Sequence[Trace]]]:
    """By fates: those of what is in the prompt, then the others, the one with the best score first."""
    traces, _ = _traces(record)
    near = _near(traces)
    order = dict.fromkeys((*_IN_PROMPT, *(str(trace["fate"]) for trace in near)))
    found = ((fate, [one for one in (traces if fate in _IN_PROMPT else near) if one["fate"] == fate]) for fate in order)
    return [(fate, some) for fate, some in found if some]


def _title(fate: str) -> str:
    return _IN_PROMPT[fate].rstrip(":") if fate in _IN_PROMPT else _OF_GROUPS.get(fate) or _FATES.get(fate, fate)


def _helping(traces: Sequence[Trace], thread: str, most: Mapping[str, int], most_near: int) -> list[str]:
    """At most so many of each fate, and of what was near."""
    lines = []
    near = _near(traces)
    hidden = len(near[most_near:])
    for fate, title in _IN_PROMPT.items():
        chosen = [trace for trace in traces if trace["fate"] == fate]
        shown = _best(chosen, most[fate])
        hidden += len(chosen) - len(shown)
        count = "" if len(chosen) == len(shown) else f" {counted(chosen)}, of which:"
        lines += [f"{title}{count}", *(_briefly(trace, thread) for trace in shown)] if chosen else []
    if near:
        lines += ["near, and not used:", *(_briefly(trace, thread) for trace in near[:most_near])]
    return [*lines, f"and {hidden} more: /why all"] if hidden else lines


def _near(traces: Sequence[Trace]) -> list[Trace]:
    near = [trace for trace in traces if trace["fate"] not in _IN_PROMPT]
    return sorted(near, key=lambda trace: -cast(float, trace["score"]))


def _rows(line: str) -> int:
    """That a brief line takes on a small screen."""
    from localagent.render_status import fit

    return 1 if fit(line, ROW) == line else 2


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
    """In two rows of a small screen at most, with what matters before the text."""
    fate = str(trace["fate"])
    here = _is_said(trace) and trace.get("message_id") is not None and trace.get("thread_id") == thread
    name = f"message {trace['message_id']}" if here else _name(trace)
    score = f"  {trace['score']:.2f}" if trace["score"] or fate not in _IN_PROMPT else ""
    reason = _corrected(trace) if fate in _IN_PROMPT else _brief_reason(trace)
    return brief(f"  {name}{score}{reason and f'  {reason}'}  {_quoted(trace)}", close="”")


def _brief_reason(trace: Trace) -> str:
    fate = str(trace["fate"])
    if fate == "archived":
        return briefly_archived(str(trace["note"]))
    if fate == "superseded" and _is_said(trace):
        return "not recalled"
    return _BRIEF.get(fate, fate)


def brief(line: str, *, close: str = "") -> str:
    """A line cut to two rows of a small screen. `close`: what ends it, a quotation mark."""
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
    since = _corrected(trace)
    return f"{_quoted(trace)} {since}" if since else _quoted(trace)


def _quoted(trace: Trace) -> str:
    text = one_line(str(trace["text"]), SHOWN)
    return f"“{text}”" if text else EMPTY


def _corrected(trace: Trace) -> str:
    """Of what is in the prompt: what was corrected of a message does not stand there, and of an entry it does, with
    what corrects it."""
    if trace["fate"] not in _IN_PROMPT or trace["note"] != "corrected":
        return ""
    return f"({CORRECTED if _is_said(trace) else IN_PART_CORRECTED})"


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
