"""What recall decided, for people: of a prompt record, what of memory was used, and what was near. Not cleaned yet."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from typing import TypeAlias, cast

from localagent import bilingual_records as records
from localagent import bilingual_why as say
from localagent.bilingual import PARTS, Language, called, joined, kind_name
from localagent.errors import UsageError
from localagent.explain_fates import archived, briefly_archived
from localagent.render_memory import SHOWN
from localagent.terminal import one_line

Trace: TypeAlias = Mapping[str, object]

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
# So many of one fate are told with the parts of their scores.
MOST_OF_A_GROUP = 20


def recall_lines(record: Mapping[str, object], language: Language = "en") -> list[str]:
    """Of a prompt record: what of memory is in the prompt, and in one line the fates of the rest."""
    traces, note = _traces(record)
    used = [trace for trace in traces if trace["fate"] in say.IN_PROMPT]
    rest = Counter(str(trace["fate"]) for trace in traces if trace["fate"] not in say.IN_PROMPT)
    lines = [records.BY_WORDS(language, why=note)] if note else []
    before, after = (mark(language) for mark in records.SCORED)
    for trace in used:
        fate = called(records.FATES, str(trace["fate"]).split()[0], language)
        score = _score(trace, language, before, after)
        lines.append(f"{fate}{_name(trace, language)}  {_text(trace, language)}{score}")
    if rest:
        fates = (
            records.OF_FATE(language, count=count, fate=called(say.FATES, fate, language))
            for fate, count in rest.most_common()
        )
        lines.append(records.NOT_USED(language, fates=joined(fates, language)))
    return lines


def why_lines(record: Mapping[str, object], language: Language = "en") -> list[str]:
    """Of the last prompt record: which memories were used, in the prompt's order, and which near ones were not and why.
    Each begins with what `memory show` or `threads show` takes. The best of each, so that they stand on a small
    screen."""
    traces, note = _traces(record)
    thread = str(record.get("thread_id") or "")
    helpings = (_helping(traces, thread, language, *most) for most in HELPINGS)
    lines = next((lines for lines in helpings if sum(map(_rows, lines)) <= ROWS), None)
    lines = _helping(traces, thread, language, *HELPINGS[-1]) if lines is None else lines
    lines = [*([say.BY_WORDS(language, why=note)] if note else []), *lines]
    return lines or [say.NOTHING(language)]


def overview_lines(record: Mapping[str, object], language: Language = "en") -> list[str]:
    """Of everything that recall looked at for the last prompt, how much has which fate; each with its number."""
    groups = _groups(record)
    if not groups:
        return [say.NOTHING(language)]
    lines: list[str] = []
    for number, (fate, traces) in enumerate(groups, 1):
        title = (say.INSIDE if fate in say.IN_PROMPT else say.OUTSIDE)(language)
        lines += [] if title in lines else [title]
        best = max(cast(float, trace["score"]) for trace in traces)
        group = say.GROUP if fate in say.IN_PROMPT else say.GROUP_SCORED
        told = group(language, title=_title(fate, language), count=counted(traces, language), best=best)
        lines.append(f"  {number:>2}  {told}")
    return [*lines, say.ONE_OF_THESE(language)]


def group_lines(record: Mapping[str, object], number: int, language: Language = "en") -> list[str]:
    """What has the fate with this number of the overview, the best first (what is in the prompt: in its order), with
    the parts of the scores. Raises UsageError where there is no such number."""
    groups = _groups(record)
    if not 1 <= number <= len(groups):
        raise UsageError(say.NO_SUCH_GROUP(language, number=number), hint=say.NUMBERS(language))
    fate, traces = groups[number - 1]
    names = {str(trace["id"]): _name(trace, language) for trace in _traces(record)[0] if _is_said(trace)}
    title = _title(fate, language)
    lines = [say.TITLE(language, title=title)]
    for trace in traces[:MOST_OF_A_GROUP]:
        reason = "" if fate in say.IN_PROMPT else _reason(trace, names, language)
        lines += _why(trace, reason if reason != title else "", language)
    left = traces[MOST_OF_A_GROUP:]
    return [*lines, say.MORE_OF_GROUP(language, count=counted(left, language))] if left else lines


def _groups(record: Mapping[str, object]) -> list[tuple[str, Sequence[Trace]]]:
    """By fates: those of what is in the prompt, then the others, the one with the best score first."""
    traces, _ = _traces(record)
    near = _near(traces)
    order = dict.fromkeys((*say.IN_PROMPT, *(str(trace["fate"]) for trace in near)))
    found = (
        (fate, [one for one in (traces if fate in say.IN_PROMPT else near) if one["fate"] == fate]) for fate in order
    )
    return [(fate, some) for fate, some in found if some]


def _title(fate: str, language: Language) -> str:
    return called({**say.FATES, **say.OF_GROUPS, **say.IN_PROMPT}, fate, language)


def _helping(
    traces: Sequence[Trace], thread: str, language: Language, most: Mapping[str, int], most_near: int
) -> list[str]:
    """At most so many of each fate, and of what was near."""
    lines = []
    near = _near(traces)
    hidden = len(near[most_near:])
    for fate, title in say.IN_PROMPT.items():
        chosen = [trace for trace in traces if trace["fate"] == fate]
        shown = _best(chosen, most[fate])
        hidden += len(chosen) - len(shown)
        over = say.TITLE if len(chosen) == len(shown) else say.TITLE_OF_SOME
        head = over(language, title=title(language), count=counted(chosen, language))
        lines += [head, *(_briefly(trace, thread, language) for trace in shown)] if chosen else []
    if near:
        lines += [say.NEAR(language), *(_briefly(trace, thread, language) for trace in near[:most_near])]
    return [*lines, say.SOME_MORE(language, count=hidden)] if hidden else lines


def _near(traces: Sequence[Trace]) -> list[Trace]:
    near = [trace for trace in traces if trace["fate"] not in say.IN_PROMPT]
    return sorted(near, key=lambda trace: -cast(float, trace["score"]))


def _rows(line: str) -> int:
    """That a brief line takes on a small screen."""
    from localagent.render_status import fit

    return 1 if fit(line, ROW) == line else 2


def counted(traces: Sequence[Trace], language: Language = "en") -> str:
    """`2 memories, 31 earlier messages`: a message may have several passages."""
    from localagent.longterm import in_words

    said = {(trace.get("thread_id"), trace.get("message_id") or trace["id"]) for trace in traces if _is_said(trace)}
    return in_words(sum(not _is_said(trace) for trace in traces), len(said), language)


def _is_said(trace: Trace) -> bool:
    return trace["kind"] == "message"


def _best(traces: Sequence[Trace], most: int) -> list[Trace]:
    """In their order; entries before what was said, then by score."""
    best = sorted(traces, key=lambda trace: (_is_said(trace), -cast(float, trace["score"])))[:most]
    return [trace for trace in traces if any(trace is one for one in best)]


def _briefly(trace: Trace, thread: str, language: Language) -> str:
    """In two rows of a small screen at most, with what matters before the text."""
    fate = str(trace["fate"])
    here = _is_said(trace) and trace.get("message_id") is not None and trace.get("thread_id") == thread
    name = say.MESSAGE(language, id=trace["message_id"]) if here else _name(trace, language)
    score = f"  {trace['score']:.2f}" if trace["score"] or fate not in say.IN_PROMPT else ""
    reason = _corrected(trace, language) if fate in say.IN_PROMPT else _brief_reason(trace, language)
    return brief(f"  {name}{score}{reason and f'  {reason}'}  {_quoted(trace, language)}", close="”")


def _brief_reason(trace: Trace, language: Language) -> str:
    fate = str(trace["fate"])
    if fate == "archived":
        return briefly_archived(str(trace["note"]), language)
    if fate == "superseded" and _is_said(trace):
        return say.NOT_RECALLED(language)
    return called(say.BRIEF, fate, language)


def brief(line: str, *, close: str = "") -> str:
    """A line cut to two rows of a small screen. `close`: what ends it, a quotation mark."""
    from localagent.render_status import fit

    cut = fit(line, CELLS)
    return line if cut == line else f"{fit(line, CELLS - 1 - len(close))}…{close}"


def _traces(record: Mapping[str, object]) -> tuple[Sequence[Trace], str]:
    """Records of earlier versions have none."""
    return cast("Sequence[Trace]", record.get("recall") or ()), str(record.get("recall_note") or "")


def _why(trace: Trace, reason: str, language: Language) -> list[str]:
    told = f"{_name(trace, language)}  {_text(trace, language)}"
    told = say.WITH_REASON(language, told=told, reason=reason) if reason else told
    return [f"  {told}", *_score(trace, language, "      ", "").splitlines()]


def _name(trace: Trace, language: Language) -> str:
    if trace["kind"] != "message":
        return f"{trace['id']}  {kind_name(str(trace['kind']), language)}"
    if trace.get("message_id") is None:  # another machine's, or recorded by an earlier version
        return say.MESSAGE(language, id=trace["id"])
    return say.THREAD_MESSAGE(language, thread=trace["thread_id"], id=trace["message_id"])


def _text(trace: Trace, language: Language) -> str:
    """What was corrected since does not stand in it."""
    since = _corrected(trace, language)
    return f"{_quoted(trace, language)} {since}" if since else _quoted(trace, language)


def _quoted(trace: Trace, language: Language) -> str:
    """Of a message nothing may be left: a request to forget something, say, or all that it said was corrected."""
    text = one_line(str(trace["text"]), SHOWN)
    return f"“{text}”" if text else say.NOTHING_OF_IT(language)


def _corrected(trace: Trace, language: Language) -> str:
    """Of what is in the prompt: what was corrected of a message does not stand there, and of an entry it does, with
    what corrects it."""
    if trace["fate"] not in say.IN_PROMPT or trace["note"] != "corrected":
        return ""
    return (say.CORRECTED if _is_said(trace) else say.IN_PART_CORRECTED)(language)


def _score(trace: Trace, language: Language, before: str, after: str) -> str:
    """Nothing for what is in the prompt and was not found by the search for this request."""
    if trace["fate"] in say.IN_PROMPT and not trace["score"]:
        return ""
    parts = PARTS(language, vector=trace["vector"], keyword=trace["keyword"], retention=trace["retention"])
    return before + say.SCORED(language, score=trace["score"], parts=parts) + after


def _reason(trace: Trace, names: Mapping[str, str], language: Language) -> str:
    fate, note = str(trace["fate"]), str(trace["note"])
    if fate == "double" and note:
        return say.SAME_AS(language, other=names.get(note, note))
    if fate == "over budget" and note:
        return say.NO_ROOM_OF_GROUP(language, note=note)
    if fate == "superseded" and _is_said(trace):
        return say.NOTHING_LEFT(language)
    if fate == "superseded" and note:
        return say.REPLACED_BY(language, other=note)
    if fate == "archived":
        return archived(note, language)
    return called(say.FATES, fate, language)
