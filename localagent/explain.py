"""Why something is in a prompt or is not, in words, from the record alone: the thread and the memories may be gone."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from itertools import takewhile
from typing import Literal, TypeAlias

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


def why(asked: str, prompt: Prompt, history: History) -> Explanation:
    """Why `asked` is in `prompt` or is not: a text or words of it, an entry's id or a beginning of it, or `#12` for a
    message. `history` is of the same thread."""
    asked = asked.strip()
    found = _of_message(asked, prompt, history) or _of_id(asked, prompt, history)
    if not found:
        wanted = Wanted(asked)
        everything = [*_standing(prompt, wanted), *_looked_at(prompt, wanted), *_gone(prompt, wanted, history)]
        found = sorted((one for one in everything if one.likeness > 0), key=lambda one: -one.likeness)
        best = found[0].likeness if found else 0.0
        found = [one for one in found if one.likeness >= best - NEAR]
        if not found and ENTRY_ID.fullmatch(asked):
            found = [Finding(False, "nowhere", f"no memory {asked} was looked at for this prompt", id=asked)]
    found = sorted(found, key=lambda one: not one.present)
    if not found:
        found = [Finding(False, "nowhere", _never(prompt), asked)]
    hint = "" if any(one.present for one in found) else _hint(found)
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


def _of_message(asked: str, prompt: Prompt, history: History) -> list[Finding]:
    match = _MESSAGE.fullmatch(asked)
    if match is None:
        return []
    number = int(match[1])
    here = next((message for message in prompt.messages if message.id == number), None)
    if here is not None:
        return [_message_here(here, 1.0)]
    if number in (*prompt.recent_ids, *prompt.request_ids):
        return [Finding(True, "recent messages", f"message {number} stands in the recent messages", id=str(number))]
    gone = _message_gone(number, prompt, history)
    # One of another thread, or one that recall quotes of this one.
    traces = [trace for trace in prompt.traces if trace.kind == "message" and trace.message_id == number]
    found = [*([gone] if gone is not None else []), *(_candidate(trace, prompt, 1.0) for trace in traces)]
    unknown = f"message {number} is in none of the recorded prompts of this thread, nor in its summary"
    return found or [Finding(False, "nowhere", unknown, id=str(number))]


def _of_id(asked: str, prompt: Prompt, history: History) -> list[Finding]:
    if not _KEY.fullmatch(asked.lower()):
        return []
    key = asked.lower()
    items = [item for item in prompt.quoted if item.id.startswith(key) and item.id]
    found = [_item(item, prompt, 1.0) for item in items if not prompt.holds_passages(item)]
    shown = {finding.id for finding in found}
    others = [trace for trace in prompt.traces if trace.id.startswith(key) and trace.id not in shown]
    found += [_candidate(trace, prompt, 1.0) for trace in others]
    return found or _in_other_prompts(key, prompt, history)


def _in_other_prompts(key: str, prompt: Prompt, history: History) -> list[Finding]:
    """An entry that this prompt knows nothing of, and another one of the thread does."""
    for other in reversed(history.prompts):
        for trace in other.traces:
            if trace.id.startswith(key) and other.id != prompt.id:
                words = (
                    f"{name_of(trace)} {quoted(trace.text)} was not looked at for this prompt; "
                    f"for prompt {other.id} it was: {reason(trace, other.traces)}"
                )
                return [Finding(False, "nowhere", words, trace.text, trace.id, trace=trace)]
    return []


def _standing(prompt: Prompt, wanted: Wanted) -> Iterator[Finding]:
    """Where the prompt says it."""
    if likeness := wanted.likeness(prompt.instructions):
        yield Finding(
            True, "instructions", "stands in the agent's instructions", prompt.instructions, likeness=likeness
        )
    for number, line in enumerate(prompt.summary, 1):
        words = f"line {number} of {len(prompt.summary)} of the summary (version {prompt.summary_version}): {line}"
        yield Finding(
            True, "summary", words, line, "", wanted.likeness(line), version=prompt.summary_version, line=number
        )
    for item in prompt.quoted:
        if prompt.holds_passages(item):
            yield from _passages(item, prompt, wanted)
        else:
            yield _item(item, prompt, wanted.likeness(item.text))
    for message in prompt.messages:
        yield _message_here(message, wanted.likeness(message.text))


def _looked_at(prompt: Prompt, wanted: Wanted) -> Iterator[Finding]:
    """What recall found and did not put there."""
    for trace in prompt.traces:
        if not _shown(trace, prompt) and not _is_sent(trace, prompt):
            yield _candidate(trace, prompt, wanted.likeness(trace.text))
    for line in prompt.summary_dropped:
        words = f"a line of the summary (version {prompt.summary_version}) that found no room in this prompt: {line}"
        yield Finding(False, "no room", words, line, "", wanted.likeness(line), version=prompt.summary_version)


def _gone(prompt: Prompt, wanted: Wanted, history: History) -> Iterator[Finding]:
    """What was said in the thread, and is not among this prompt's messages; what its summary said once."""
    texts = {message.text for message in prompt.messages}
    for number, (message, _) in history.said.items():
        if message.text not in texts and (likeness := wanted.likeness(message.text)):
            gone = _message_gone(number, prompt, history, likeness)
            if gone is not None:
                yield gone
    yield from _lines_gone(prompt, wanted, history)


def _lines_gone(prompt: Prompt, wanted: Wanted, history: History) -> Iterator[Finding]:
    """What the summary said once."""
    told = {*prompt.summary, *prompt.summary_dropped}
    for one in history.compressions:
        if one.version > prompt.summary_version:
            continue
        for line in dict.fromkeys(one.left):
            if line not in told and (likeness := wanted.likeness(line)):
                told.add(line)
                words = f"a line of the summary until version {one.version} of it, {_place_of(line, one)}: {line}"
                yield Finding(False, "summarised", words, line, "", likeness, version=one.version)
    before = list(takewhile(lambda one: one.id != prompt.id, history.prompts))
    for other in reversed(before):  # what was corrected is in no version any more
        for line in other.summary:
            if line not in told and (likeness := wanted.likeness(line)):
                told.add(line)
                request = other.messages[-1] if other.messages else None
                last = f" (with {quoted(request.text, 60)})" if request is not None else ""
                words = f"a line of the summary until prompt {other.id}{last}; corrected or forgotten since: {line}"
                yield Finding(False, "summarised", words, line, "", likeness, version=other.summary_version)


def _place_of(line: str, left: CompressionRecord) -> str:
    """Why a line left with this version, as far as its record tells."""
    best = max(left.added, key=lambda one: alike(_untagged(one), _untagged(line)), default="")
    if best and alike(_untagged(best), _untagged(line)) >= SAME_SUBJECT:
        return f"which says in its place {quoted(_untagged(best))}"
    return "which leaves out what was corrected, is done, or is the lightest where there is no room"


def _message_here(message: Sent, likeness: float) -> Finding:
    name = f"message {message.id} ({message.role})" if message.id is not None else f"a message ({message.role})"
    where: Place = "request" if message.block == "request" else "recent messages"
    words = f"{'the request itself' if where == 'request' else where}, {name}: {quoted(message.text)}"
    return Finding(True, where, words, message.text, "" if message.id is None else str(message.id), likeness)


def _message_gone(number: int, prompt: Prompt, history: History, likeness: float = 1.0) -> Finding | None:
    """Why a message of the thread is not in the prompt; None for one that the record never heard of."""
    if number in (*prompt.recent_ids, *prompt.request_ids):
        return None
    message, first = history.said.get(number, (None, None))
    text = message.text if message is not None else ""
    name = f"message {number}" + (f" ({message.role}: {quoted(text)})" if message is not None else "")
    covering = history.covering(number, prompt)
    place: Place
    if number in prompt.dropped_ids:
        place, words = "no room", f"{name} was left out of this prompt: the recent messages had no room for it"
    elif covering is not None:
        place, words = "summarised", f"{name} {_covered(covering, text, prompt, history)}"
    elif first is None:
        return None
    elif number > max((*prompt.request_ids, *prompt.recent_ids), default=0):
        place, words = "not yet", f"{name} came later: it is first in prompt {first.id}"
    elif number > min((*prompt.recent_ids, *prompt.request_ids), default=0):
        place, words = "taken back", f"{name} had been taken back (/undo or /retry)"
    elif prompt.summary_version:
        place, words = "older", f"{name} is older than the recent messages; the summary stands for it"
    else:
        place, words = "older", f"{name} is older than the recent messages ({prompt.older} are)"
    version = covering.version if covering is not None else 0
    return Finding(False, place, words, text, str(number), likeness, version=version)


def _covered(by: CompressionRecord, text: str, prompt: Prompt, history: History) -> str:
    told = (
        f"left the recent messages when version {by.version} of the summary covered messages "
        f"{by.covers_from} to {by.covers_to}"
    )
    line = _line_of(text, by.added)
    if not line:
        return f"{told}; no line was made of it"
    told += f"; its line is {quoted(line)}"
    if line in prompt.summary:
        return f"{told}, line {prompt.summary.index(line) + 1} of the summary in this prompt"
    if line in prompt.summary_dropped:
        return f"{told}, for which this prompt had no room"
    left = next((one for one in history.compressions if line in one.left and one.version > by.version), None)
    return f"{told}, which left the summary with version {left.version}" if left else f"{told}, not in this prompt"


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


def _item(item: Quoted, prompt: Prompt, likeness: float) -> Finding:
    trace = prompt.trace_of(item.id)
    since = item.corrected and f"; {item.corrected}"
    if item.wish:
        words = f"a standing wish, in every prompt: {quoted(item.text)} ({item.id}){since}"
        return Finding(True, "wishes", words, item.text, item.id, likeness, trace)
    if trace is not None and trace.fate == "standing":
        words = f"pinned, in every prompt: {trace.kind} {item.id} {quoted(item.text)}"
    elif trace is not None and trace.fate == "used":
        words = f"recalled with score {score_words(trace)}: {trace.kind} {item.id} {quoted(item.text)}"
    else:
        now = f"; for this request it scored {score_words(trace)}" if trace is not None and trace.score else ""
        words = f"recalled for an earlier request, and kept where it stood: entry {item.id} {quoted(item.text)}{now}"
    return Finding(True, "memories", f"{words}{since}", item.text, item.id, likeness, trace)


def _passages(item: Quoted, prompt: Prompt, wanted: Wanted) -> Iterator[Finding]:
    """The lines of a block of earlier messages, each with the candidate that it is."""
    for line in item.text.split("\n"):
        likeness = wanted.likeness(line)
        if likeness:
            trace = prompt.passage(item, line)
            told = f" with score {score_words(trace)}, {name_of(trace)}" if trace is not None else ""
            since = " (a part of it was corrected since)" if trace is not None and trace.note == "corrected" else ""
            words = f"recalled from earlier messages{told}: {quoted(line)}{since}"
            yield Finding(True, "earlier messages", words, line, trace.id if trace else "", likeness, trace)


def _candidate(trace: RecallTrace, prompt: Prompt, likeness: float) -> Finding:
    text = quoted(trace.text) if trace.text.strip() else "(corrected or forgotten since)"
    words = f"{name_of(trace)} {text}: {reason(trace, prompt.traces)}"
    present = trace.fate in IN_PROMPT
    return Finding(present, "memories" if present else "recall", words, trace.text, trace.id, likeness, trace)


def _shown(trace: RecallTrace, prompt: Prompt) -> bool:
    """It stands in the prompt, and was met there."""
    return trace.fate in IN_PROMPT and any(item.id == trace.block for item in prompt.quoted)


def _is_sent(trace: RecallTrace, prompt: Prompt) -> bool:
    """It is a piece of a message that the prompt holds whole."""
    ids = (*prompt.recent_ids, *prompt.request_ids)
    return trace.kind == "message" and trace.thread_id == prompt.thread_id and trace.message_id in ids


def _never(prompt: Prompt) -> str:
    if not prompt.traces:
        why_not = f" ({prompt.recall_note})" if prompt.recall_note else ""
        return f"it is in no part of this prompt, and memory offered nothing for it: it was off or empty{why_not}"
    words = f"; memory was searched by words alone: {prompt.recall_note}" if prompt.recall_note else ""
    return (
        "it is in no part of this prompt, and was no candidate of recall: "
        f"none of the {len(prompt.traces)} entries and passages that came nearest to the request says it{words}"
    )


def _hint(found: Sequence[Finding]) -> str:
    places = {finding.place for finding in found}
    traces = [finding.trace for finding in found if finding.trace is not None]
    fates = {trace.fate for trace in traces}
    if places == {"nowhere"}:
        return (
            "Whether memory has it: localagent memory search TEXT. What must be in every prompt: /remember it, then "
            "localagent memory pin ID"
        )
    if "archived" in fates:
        return "To have it again: localagent memory restore ID"
    # What belongs into every prompt anyway needs room; pinned it would have no more of it.
    cramped = [trace for trace in traces if trace.fate == "over budget" and trace.note]
    if cramped:
        return f"Make it shorter (localagent memory edit {cramped[0].id}), or memory.preference_tokens more"
    near = [trace for trace in traces if trace.fate in ("below threshold", "beyond top_k", "over budget")]
    if any(trace.kind != "message" for trace in near):
        return "To have it in every prompt: localagent memory pin ID"
    return "To have it in every prompt: /remember it, then localagent memory pin ID" if near else ""
