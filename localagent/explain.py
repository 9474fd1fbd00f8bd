"""Why something is in a prompt or is not, in words, from the record alone: the thread and the memories may be gone."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from itertools import takewhile
from typing import Literal, TypeAlias

from localagent import bilingual_why as say
from localagent.bilingual import Language, called, kind_name
from localagent.explain_fates import name_of, quoted, reason, score_words
from localagent.explain_prompt import ENTRY_ID, Prompt, Quoted, Record, Sent, read_compression, read_prompt
from localagent.explain_text import Wanted, alike
from localagent.record import IN_PROMPT, CompressionRecord, RecallTrace

# Where something stands (present), or why it does not.
Place: TypeAlias = Literal[
    "instructions", "summary", "wishes", "memories", "earlier messages", "recent messages", "request",
    "recall", "no room", "summarised", "older", "taken back", "not yet", "nowhere",
]  # fmt: skip

# Findings that resemble what is asked for this much less than the best one (0-1) are left out, and so many are given.
NEAR = 0.1
MOST = 8
# ... and so many of those that are not there, beside some that are.
BESIDE = 2
# A line of a summary that shares this much with one that left (`alike`) has taken its place.
SAME_SUBJECT = 0.5
_MESSAGE = re.compile(r"(?:#|message\s+|消息\s*)(\d+)", re.IGNORECASE)
_KEY = re.compile(r"[0-9a-z]{4,}(?:\.\d+){0,2}")


@dataclass(frozen=True, slots=True)
class Finding:
    """One place where it stands, or one reason why it does not. `words` is the sentence for people; `id` an entry's, a
    passage's or a message's; `version` and `line` are of the summary; `likeness` 0-1 to what was asked for."""

    present: bool
    place: Place
    words: str
    text: str = ""
    id: str = ""
    likeness: float = 1.0
    trace: RecallTrace | None = None
    version: int = 0
    line: int = 0


@dataclass(frozen=True, slots=True)
class Explanation:
    """`present` findings come first; `hint` says what to do where there are none."""

    prompt_id: str
    thread_id: str
    created_at: float
    asked: str
    findings: tuple[Finding, ...]
    more: int = 0
    hint: str = ""

    @property
    def present(self) -> bool:
        return any(finding.present for finding in self.findings)


@dataclass(frozen=True)
class History:
    """What is recorded of one thread, oldest first."""

    prompts: Sequence[Prompt]
    compressions: Sequence[CompressionRecord] = field(default=())

    @cached_property
    def said(self) -> Mapping[int, tuple[Sent, Prompt]]:
        """Each message that ever stood in a prompt, with the first one that held it."""
        found: dict[int, tuple[Sent, Prompt]] = {}
        for prompt in self.prompts:
            for message in prompt.messages:
                if message.id is not None:
                    found.setdefault(message.id, (message, prompt))
        return found

    def covering(self, message_id: int, prompt: Prompt) -> CompressionRecord | None:
        """The newest version of the summary that the prompt may hold and that took this message in."""
        return next(
            (
                one
                for one in reversed(self.compressions)
                if one.version <= prompt.summary_version and one.covers_from <= message_id <= one.covers_to
            ),
            None,
        )


def read_history(records: Sequence[Record], compressions: Sequence[Record]) -> History:
    """From the log's records of one thread, oldest first."""
    return History([read_prompt(one) for one in records], [read_compression(one) for one in compressions])


def why(asked: str, prompt: Prompt, history: History, language: Language = "en") -> Explanation:
    """Why `asked` is in `prompt` or is not: a text or words of it, an entry's id or a beginning of it, or `#12` for a
    message. `history` is of the same thread. `language`: in which it is told."""
    asked = asked.strip()
    found = _of_message(asked, prompt, history, language) or _of_id(asked, prompt, history, language)
    if not found:
        wanted = Wanted(asked)
        everything = [
            *_standing(prompt, wanted, language),
            *_looked_at(prompt, wanted, language),
            *_gone(prompt, wanted, history, language),
        ]
        found = sorted((one for one in everything if one.likeness > 0), key=lambda one: -one.likeness)
        best = found[0].likeness if found else 0.0
        found = [one for one in found if one.likeness >= best - NEAR]
        if not found and ENTRY_ID.fullmatch(asked):
            found = [Finding(False, "nowhere", say.NO_MEMORY(language, id=asked), id=asked)]
    found = sorted(found, key=lambda one: not one.present)
    if not found:
        found = [Finding(False, "nowhere", _never(prompt, language), asked)]
    hint = "" if any(one.present for one in found) else _hint(found, language)
    if found[0].present:  # what is there is what was asked for; it shall not leave the screen for the rest
        there = sum(one.present for one in found)
        more = max(0, len(found) - there - BESIDE)
        found = found[: there + BESIDE]
    else:
        more = 0
    return Explanation(
        prompt.id,
        prompt.thread_id,
        prompt.created_at,
        asked,
        tuple(found[:MOST]),
        more + max(0, len(found) - MOST),
        hint,
    )


def _of_message(asked: str, prompt: Prompt, history: History, language: Language) -> list[Finding]:
    match = _MESSAGE.fullmatch(asked)
    if match is None:
        return []
    number = int(match[1])
    here = next((message for message in prompt.messages if message.id == number), None)
    if here is not None:
        return [_message_here(here, 1.0, language)]
    if number in (*prompt.recent_ids, *prompt.request_ids):
        return [Finding(True, "recent messages", say.STANDS_IN_RECENT(language, id=number), id=str(number))]
    gone = _message_gone(number, prompt, history, language)
    # One of another thread, or one that recall quotes of this one.
    traces = [trace for trace in prompt.traces if trace.kind == "message" and trace.message_id == number]
    found = [*([gone] if gone is not None else []), *(_candidate(trace, prompt, 1.0, language) for trace in traces)]
    return found or [Finding(False, "nowhere", say.UNKNOWN_MESSAGE(language, id=number), id=str(number))]


def _of_id(asked: str, prompt: Prompt, history: History, language: Language) -> list[Finding]:
    if not _KEY.fullmatch(asked.lower()):
        return []
    key = asked.lower()
    items = [item for item in prompt.quoted if item.id.startswith(key) and item.id]
    found = [_item(item, prompt, 1.0, language) for item in items if not prompt.holds_passages(item)]
    shown = {finding.id for finding in found}
    others = [trace for trace in prompt.traces if trace.id.startswith(key) and trace.id not in shown]
    found += [_candidate(trace, prompt, 1.0, language) for trace in others]
    return found or _in_other_prompts(key, prompt, history, language)


def _in_other_prompts(key: str, prompt: Prompt, history: History, language: Language) -> list[Finding]:
    """An entry that this prompt knows nothing of, and another one of the thread does."""
    for other in reversed(history.prompts):
        for trace in other.traces:
            if trace.id.startswith(key) and other.id != prompt.id:
                words = say.NOT_LOOKED_AT(
                    language,
                    name=name_of(trace, language),
                    text=quoted(trace.text),
                    prompt=other.id,
                    reason=reason(trace, other.traces, language),
                )
                return [Finding(False, "nowhere", words, trace.text, trace.id, trace=trace)]
    return []


def _standing(prompt: Prompt, wanted: Wanted, language: Language) -> Iterator[Finding]:
    """Where the prompt says it."""
    if likeness := wanted.likeness(prompt.instructions):
        yield Finding(True, "instructions", say.INSTRUCTIONS(language), prompt.instructions, likeness=likeness)
    version, count = prompt.summary_version, len(prompt.summary)
    for number, line in enumerate(prompt.summary, 1):
        words = say.SUMMARY_LINE(language, number=number, count=count, version=version, line=line)
        yield Finding(True, "summary", words, line, "", wanted.likeness(line), version=version, line=number)
    for item in prompt.quoted:
        if prompt.holds_passages(item):
            yield from _passages(item, prompt, wanted, language)
        else:
            yield _item(item, prompt, wanted.likeness(item.text), language)
    for message in prompt.messages:
        yield _message_here(message, wanted.likeness(message.text), language)


def _looked_at(prompt: Prompt, wanted: Wanted, language: Language) -> Iterator[Finding]:
    """What recall found and did not put there."""
    for trace in prompt.traces:
        if not _shown(trace, prompt) and not _is_sent(trace, prompt):
            yield _candidate(trace, prompt, wanted.likeness(trace.text), language)
    for line in prompt.summary_dropped:
        words = say.LINE_WITHOUT_ROOM(language, version=prompt.summary_version, line=line)
        yield Finding(False, "no room", words, line, "", wanted.likeness(line), version=prompt.summary_version)


def _gone(prompt: Prompt, wanted: Wanted, history: History, language: Language) -> Iterator[Finding]:
    """What was said in the thread, and is not among this prompt's messages; what its summary said once."""
    texts = {message.text for message in prompt.messages}
    for number, (message, _) in history.said.items():
        if message.text not in texts and (likeness := wanted.likeness(message.text)):
            gone = _message_gone(number, prompt, history, language, likeness)
            if gone is not None:
                yield gone
    yield from _lines_gone(prompt, wanted, history, language)


def _lines_gone(prompt: Prompt, wanted: Wanted, history: History, language: Language) -> Iterator[Finding]:
    """What the summary said once."""
    told = {*prompt.summary, *prompt.summary_dropped}
    for one in history.compressions:
        if one.version > prompt.summary_version:
            continue
        for line in dict.fromkeys(one.left):
            if line not in told and (likeness := wanted.likeness(line)):
                told.add(line)
                place = _place_of(line, one, language)
                words = say.LINE_UNTIL(language, version=one.version, place=place, line=line)
                yield Finding(False, "summarised", words, line, "", likeness, version=one.version)
    before = list(takewhile(lambda one: one.id != prompt.id, history.prompts))
    for other in reversed(before):  # what was corrected is in no version any more
        for line in other.summary:
            if line not in told and (likeness := wanted.likeness(line)):
                told.add(line)
                last = say.WITH_REQUEST(language, text=quoted(other.messages[-1].text, 60)) if other.messages else ""
                words = say.LINE_CORRECTED(language, prompt=other.id, request=last, line=line)
                yield Finding(False, "summarised", words, line, "", likeness, version=other.summary_version)


def _place_of(line: str, left: CompressionRecord, language: Language) -> str:
    """Why a line left with this version, as far as its record tells."""
    best = max(left.added, key=lambda one: alike(_untagged(one), _untagged(line)), default="")
    if best and alike(_untagged(best), _untagged(line)) >= SAME_SUBJECT:
        return say.SAYS_IN_ITS_PLACE(language, line=quoted(_untagged(best)))
    return say.LEAVES_OUT(language)


def _message_here(message: Sent, likeness: float, language: Language) -> Finding:
    named = say.NAMED_MESSAGE if message.id is not None else say.A_MESSAGE
    name = named(language, id=message.id, role=called(say.SPEAKERS, message.role, language))
    where: Place = "request" if message.block == "request" else "recent messages"
    stands = say.IN_REQUEST if where == "request" else say.IN_RECENT
    words = stands(language, name=name, text=quoted(message.text))
    return Finding(True, where, words, message.text, "" if message.id is None else str(message.id), likeness)


def _message_gone(
    number: int, prompt: Prompt, history: History, language: Language, likeness: float = 1.0
) -> Finding | None:
    """Why a message of the thread is not in the prompt; None for one that the record never heard of."""
    if number in (*prompt.recent_ids, *prompt.request_ids):
        return None
    message, first = history.said.get(number, (None, None))
    text = message.text if message is not None else ""
    name = say.MESSAGE(language, id=number)
    if message is not None:
        role = called(say.SPEAKERS, message.role, language)
        name = say.SAID_MESSAGE(language, id=number, role=role, text=quoted(text))
    covering = history.covering(number, prompt)
    place: Place
    if number in prompt.dropped_ids:
        place, words = "no room", say.LEFT_OUT(language, name=name)
    elif covering is not None:
        then = _covered(covering, text, prompt, history, language)
        told = {"version": covering.version, "first": covering.covers_from, "last": covering.covers_to, "then": then}
        place, words = "summarised", say.COVERED(language, name=name, **told)
    elif first is None:
        return None
    elif number > max((*prompt.request_ids, *prompt.recent_ids), default=0):
        place, words = "not yet", say.CAME_LATER(language, name=name, prompt=first.id)
    elif number > min((*prompt.recent_ids, *prompt.request_ids), default=0):
        place, words = "taken back", say.TAKEN_BACK(language, name=name)
    elif prompt.summary_version:
        place, words = "older", say.OLDER_SUMMARISED(language, name=name)
    else:
        place, words = "older", say.OLDER(language, name=name, count=prompt.older)
    version = covering.version if covering is not None else 0
    return Finding(False, place, words, text, str(number), likeness, version=version)


def _covered(by: CompressionRecord, text: str, prompt: Prompt, history: History, language: Language) -> str:
    """What a version of the summary made of a message that it took in."""
    line = _line_of(text, by.added)
    if not line:
        return say.NO_LINE(language)
    left = next((one for one in history.compressions if line in one.left and one.version > by.version), None)
    if line in prompt.summary:
        where = say.LINE_HERE(language, number=prompt.summary.index(line) + 1)
    elif line in prompt.summary_dropped:
        where = say.LINE_NO_ROOM(language)
    else:
        where = say.LINE_LEFT(language, version=left.version) if left else say.LINE_NOT_HERE(language)
    return say.ITS_LINE(language, line=quoted(line), where=where)


def _line_of(text: str, lines: Sequence[str]) -> str:
    """The line that says most of what this message says; empty if none does."""
    if not text:
        return ""
    likeness = {line: Wanted(_untagged(line)).likeness(text) for line in lines}
    best = max(lines, key=lambda line: likeness[line], default="")
    return best if best and likeness[best] > 0 else ""


def _untagged(line: str) -> str:
    """Without `- decision: `."""
    return re.sub(r"^- [^:：]{1,20}[:：]\s*", "", line)


def _item(item: Quoted, prompt: Prompt, likeness: float, language: Language) -> Finding:
    trace = prompt.trace_of(item.id)
    text = quoted(item.text)
    since = say.SINCE(language, quoted=item.corrected_by) if item.corrected_by else ""
    if item.wish:
        words = say.WISH(language, text=text, id=item.id, since=since)
        return Finding(True, "wishes", words, item.text, item.id, likeness, trace)
    score = score_words(trace, language) if trace is not None and trace.score else ""
    name = f"{kind_name(trace.kind, language)} {item.id}" if trace is not None else item.id
    if trace is not None and trace.fate == "standing":
        words = say.PINNED(language, name=name, text=text, since=since)
    elif trace is not None and trace.fate == "used":
        words = say.RECALLED(language, score=score_words(trace, language), name=name, text=text, since=since)
    else:
        now = say.NOW_SCORED(language, score=score) if score else ""
        words = say.KEPT_ENTRY(language, id=item.id, text=text, now=now, since=since)
    return Finding(True, "memories", words, item.text, item.id, likeness, trace)


def _passages(item: Quoted, prompt: Prompt, wanted: Wanted, language: Language) -> Iterator[Finding]:
    """The lines of a block of earlier messages, each with the candidate that it is."""
    for line in item.text.split("\n"):
        likeness = wanted.likeness(line)
        if likeness:
            trace = prompt.passage(item, line)
            since = say.PART_CORRECTED(language) if trace is not None and trace.note == "corrected" else ""
            words = say.PASSAGE(language, line=quoted(line), since=since)
            if trace is not None:
                score, name = score_words(trace, language), name_of(trace, language)
                words = say.SCORED_PASSAGE(language, score=score, name=name, line=quoted(line), since=since)
            yield Finding(True, "earlier messages", words, line, trace.id if trace else "", likeness, trace)


def _candidate(trace: RecallTrace, prompt: Prompt, likeness: float, language: Language) -> Finding:
    text = quoted(trace.text) if trace.text.strip() else say.NOTHING_OF_IT(language)
    why_so = reason(trace, prompt.traces, language)
    words = say.CANDIDATE(language, name=name_of(trace, language), text=text, reason=why_so)
    present = trace.fate in IN_PROMPT
    return Finding(present, "memories" if present else "recall", words, trace.text, trace.id, likeness, trace)


def _shown(trace: RecallTrace, prompt: Prompt) -> bool:
    """It stands in the prompt, and was met there."""
    return trace.fate in IN_PROMPT and any(item.id == trace.block for item in prompt.quoted)


def _is_sent(trace: RecallTrace, prompt: Prompt) -> bool:
    """It is a piece of a message that the prompt holds whole."""
    ids = (*prompt.recent_ids, *prompt.request_ids)
    return trace.kind == "message" and trace.thread_id == prompt.thread_id and trace.message_id in ids


def _never(prompt: Prompt, language: Language) -> str:
    why_not = prompt.recall_note
    if not prompt.traces:
        return say.NOTHING_OFFERED(language, why=say.BECAUSE(language, why=why_not) if why_not else "")
    words = say.BY_WORDS_TOO(language, why=why_not) if why_not else ""
    return say.NO_CANDIDATE(language, count=len(prompt.traces), words=words)


def _hint(found: Sequence[Finding], language: Language) -> str:
    traces = [finding.trace for finding in found if finding.trace is not None]
    fates = {trace.fate for trace in traces}
    if {finding.place for finding in found} == {"nowhere"}:
        return say.LOOK_FOR_IT(language)
    if "archived" in fates:
        return say.TO_RESTORE(language)
    # What belongs into every prompt anyway needs room; pinned it would have no more of it.
    cramped = [trace for trace in traces if trace.fate == "over budget" and trace.note]
    if cramped:
        return say.MAKE_ROOM(language, id=cramped[0].id)
    near = [trace for trace in traces if trace.fate in ("below threshold", "beyond top_k", "over budget")]
    if any(trace.kind != "message" for trace in near):
        return say.TO_PIN(language)
    return say.TO_REMEMBER(language) if near else ""
