"""Memory for people: entries, and what a search found. Not cleaned yet."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime
from typing import TYPE_CHECKING

from localagent import bilingual_shown as say
from localagent.bilingual import CORRECTED_SINCE, ONE_WAITS, PARTS, SOME_WAIT, Language, called, joined, kind_name
from localagent.columns import pad
from localagent.recall import WISHES
from localagent.recall_block import IN_PART_CORRECTED, in_part_corrected
from localagent.terminal import one_line

if TYPE_CHECKING:
    from localagent.memory.entries import Memory
    from localagent.policy import Retention
    from localagent.recall import Result

# A passage may be as long as an embedder reads; so much of it tells what it is.
SHOWN = 300
# Of an entry's text in a list; `memory show` has all of it.
LISTED = 200
BAR_CELLS = 40
# Columns of what a row of an entry is called.
ROOM = 12


def age(seconds: float, language: Language = "en") -> str:
    """`3 days ago`; what lies ahead is `in 3 days`, less than a minute is `just now`."""
    for length, phrase, noun in say.SPANS:
        count = int(abs(seconds) // length)
        if count:
            span = phrase(language, count=count, noun=noun if count == 1 else f"{noun}s")
            return (say.AGO if seconds > 0 else say.AHEAD)(language, span=span)
    return say.JUST_NOW(language)


def moment(seconds: float | None) -> str:
    """Local time to the minute; `-` for none, and where no calendar has it."""
    try:
        return "-" if seconds is None else datetime.fromtimestamp(seconds).strftime("%Y-%m-%d %H:%M")
    except (OverflowError, OSError, ValueError):
        return "-"


def waiting_text(count: int, language: Language = "en") -> str:
    """How many pieces have no vector yet, and what that means."""
    return (ONE_WAITS if count == 1 else SOME_WAIT)(language, count=f"{count:,}")


def source(memory: Memory, language: Language = "en") -> str:
    """Whose words an entry was made of, or the piece of a file."""
    return memory.source or say.WHOSE[memory.origin](language)


def since_corrected(corrected_by: Sequence[str], language: Language = "en") -> str:
    """By what a part of an entry is corrected; empty if by nothing."""
    since = in_part_corrected(corrected_by)
    return since and CORRECTED_SINCE(language, quoted=since.removeprefix(f"{IN_PART_CORRECTED}: "))


def result_lines(result: Result, thread: str, now: float, language: Language = "en") -> str:
    """A hit: what and whence, the parts of its score, its beginning. `thread` names its thread, or is empty."""
    passage, ranked = result.passage, result.ranked
    memory = passage.memory
    if memory is not None:
        what, whence, key = kind_name(memory.kind, language), source(memory, language), memory.id
        if memory.state != "active":
            what = say.IN_STATE(language, kind=what, state=say.STATES[memory.state](language))
    else:
        what, whence, key = say.MESSAGE(language), called(say.WHOSE, passage.speaker, language), ""
    where = say.THREAD(language, name=thread) if thread else ""
    told = [one for one in (what, whence, age(now - passage.said_at, language), where, key) if one]
    since = since_corrected(result.corrected_by, language)
    parts = PARTS(language, vector=ranked.vector, keyword=ranked.keyword, retention=result.retention)
    return "\n".join(
        (
            f"{ranked.score:.2f}  {' · '.join(told)}",
            f"      {parts}",
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
    text, since = one_line(memory.text, LISTED), since_corrected(corrected_by, language)
    return say.MARKED(language, text=text, marks=since) if since else text


def memory_lines(
    memory: Memory,
    chain: Sequence[Memory],
    retention: Retention,
    thread: str,
    now: float,
    corrected_by: Sequence[str] = (),
    language: Language = "en",
) -> str:
    """Everything about an entry, with the entries before and after it. `thread` names where it was said."""
    kind, state = kind_name(memory.kind, language), say.STATES[memory.state](language)
    since, until = moment(memory.valid_from), memory.valid_to
    rows = [
        ("entry", memory.id),
        ("kind", say.OF_ASSISTANT(language, kind=kind) if memory.subject == "agent" else kind),
        ("state", say.PINNED_STATE(language, state=state) if memory.pinned else state),
        ("scope", _scope(memory, thread, language)),
        ("from", _whence(memory, thread, language)),
        ("evidence", memory.evidence),
        ("written", _when(memory.created_at, now, language)),
        ("holds", say.HOLDS(language, moment=since) if until is None else ""),
        ("held", say.HELD(language, since=since, until=moment(until)) if until is not None else ""),
        ("due", _when(memory.due_at, now, language) if memory.due_at is not None else ""),
        ("used", _used(memory, now, language)),
        ("with others", _times(memory.association_count, language) if memory.association_count else ""),
        ("importance", _importance(memory, language)),
        ("retention", _kept(retention, language)),
    ]
    lines = [memory.text, "", *(f"{pad(say.ROWS[name](language), ROOM)}{value}" for name, value in rows if value)]
    if corrected_by:
        lines += ["", since_corrected(corrected_by, language)]
    if len(chain) > 1:
        lines += ["", say.HISTORY(language)]
        marked = ((one, "*" if one.id == memory.id else " ") for one in chain)
        lines += [f"  {_held(one, language)}  {mark} {one.id}  {one.text}" for one, mark in marked]
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


def _whence(memory: Memory, thread: str, language: Language) -> str:
    whence = say.THREAD(language, name=thread) if thread else ""
    told = say.MESSAGE_NUMBER(language, id=memory.message_id) if memory.message_id is not None else ""
    if memory.thread_id and not thread:  # there is no message to look at
        whence, told = say.NO_THREAD(language), ""
    parts = (part for part in (source(memory, language), whence, told) if part)
    return joined(parts, language)


def _scope(memory: Memory, thread: str, language: Language) -> str:
    match memory.scope:
        case "all":
            return say.EVERYWHERE(language)
        case "agent":
            return say.OF_AGENT(language, name=memory.agent) if memory.agent else say.OF_THIS_AGENT(language)
        case "thread":
            return say.THREAD(language, name=thread or memory.thread_id)


def _when(seconds: float, now: float, language: Language) -> str:
    return say.WRITTEN(language, moment=moment(seconds), age=age(now - seconds, language))


def _used(memory: Memory, now: float, language: Language) -> str:
    """What stands in every prompt counts as used by no answer; it does stand there, though."""
    found = ""
    if memory.access_count:
        times, last = _times(memory.access_count, language), age(now - memory.accessed_at, language)
        found = say.USED_LAST(language, times=times, age=last)
    if memory.state == "active" and (memory.pinned or memory.kind in WISHES):
        again = say.SAID_AGAIN(language, found=found) if found else ""
        return say.STANDING[memory.scope](language) + again
    return found or say.NEVER(language)


def _importance(memory: Memory, language: Language) -> str:
    feeling = say.FEELING(language, emotion=memory.emotion) if memory.emotion else ""
    fades = say.FADES if memory.decay_rate else say.STAYS
    return fades(language, importance=memory.importance, rate=memory.decay_rate, feeling=feeling)


def _kept(retention: Retention, language: Language) -> str:
    score, reason = f"{retention.score:.2f}", say.reason_kept(retention.reason, language)
    return reason if reason.startswith(score) else say.RETENTION(language, score=score, reason=reason)


def _held(memory: Memory, language: Language) -> str:
    until = moment(memory.valid_to) if memory.valid_to is not None else say.NOW(language)
    return say.HELD(language, since=moment(memory.valid_from), until=pad(until, len("2026-03-01 12:00")))


def _times(count: int, language: Language) -> str:
    return say.NEVER(language) if not count else say.ONCE(language) if count == 1 else say.TIMES(language, count=count)
