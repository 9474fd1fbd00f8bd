"""What a thread's report shows: its prompts one after the other, from their records. Pure."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import cast

from localagent.explain import History
from localagent.explain_fates import reason
from localagent.explain_prompt import BLOCKS, Prompt, Record
from localagent.record import CompressionRecord, RecallTrace
from localagent.render_memory import moment
from localagent.terminal import SPECIAL

# Of the candidates of recall that were not used, so many of the nearest are listed; of the rest, how many there were.
NEAR = 8
# How the page names the blocks.
NAMES: Mapping[str, str] = {
    "system": "instructions",
    "summary": "summary",
    "recalled": "recalled",
    "recent": "recent messages",
    "request": "request",
}
_FATES = {"used": "recalled", "standing": "in every prompt"}


@dataclass(frozen=True, slots=True)
class Turn:
    """One call of the model. `cache` is the share (0-1) of the prompt that the model had read already: as the server
    counted it (`counted`), else what begins as the prompt before; None where neither is known. `ended_by` is empty
    where the record has no outcome. `compressions` are those between the turn before and this one."""

    number: int
    prompt: Prompt
    window: int
    budget: int
    cache: float | None
    counted: bool
    ended_by: str
    again: bool
    compressions: tuple[CompressionRecord, ...]

    @property
    def outcome(self) -> Record:
        found = self.prompt.raw.get("outcome")
        return found if isinstance(found, dict) else {}


@dataclass(frozen=True, slots=True)
class Report:
    """`late` are compressions after the last recorded prompt. `damaged` counts lines of the log that cannot be read."""

    title: str
    thread_id: str
    turns: tuple[Turn, ...]
    late: tuple[CompressionRecord, ...]
    messages: int
    damaged: int
    made_at: float

    @property
    def compressions(self) -> tuple[CompressionRecord, ...]:
        return (*(one for turn in self.turns for one in turn.compressions), *self.late)


def turns_of(history: History) -> tuple[tuple[Turn, ...], tuple[CompressionRecord, ...]]:
    """The turns, and the compressions after the last of them."""
    waiting = sorted(history.compressions, key=lambda one: one.created_at)
    turns: list[Turn] = []
    for number, prompt in enumerate(history.prompts, 1):
        before = tuple(one for one in waiting if one.created_at <= prompt.created_at)
        waiting = waiting[len(before) :]
        cache, counted = _cache(prompt)
        turns.append(
            Turn(
                number=number,
                prompt=prompt,
                window=_whole(prompt.raw.get("window")),
                budget=_whole(prompt.raw.get("budget")),
                cache=cache,
                counted=counted,
                ended_by=str(_outcome(prompt).get("ended_by") or ""),
                again=bool(turns) and bool(prompt.request_ids) and turns[-1].prompt.request_ids == prompt.request_ids,
                compressions=before,
            )
        )
    return tuple(turns), tuple(waiting)


def payload(report: Report) -> dict[str, object]:
    """What the page's script is given: each text once under `texts`, and by its number elsewhere."""
    texts = _Texts()
    turns = [
        {
            "title": f"Turn {turn.number}" + (", asked again" if turn.again else ""),
            "when": moment(turn.prompt.created_at),
            "facts": facts(turn),
            "blocks": [[name, NAMES[name], turn.prompt.blocks.get(name, 0)] for name in BLOCKS],
            "notes": _notes(turn),
            "recall": [_candidate(trace, turn.prompt, texts) for trace in _listed(turn.prompt)],
            "more": _rest(turn.prompt),
            "parts": [[block, title, texts.number(text)] for block, title, text in _parts(turn.prompt)],
        }
        for turn in report.turns
    ]
    return {"texts": texts.all, "turns": turns}


class _Texts:
    def __init__(self) -> None:
        self._numbers: dict[str, int] = {}

    def number(self, text: str) -> int:
        return self._numbers.setdefault(text, len(self._numbers))

    @property
    def all(self) -> list[str]:
        return [visible(text) for text in self._numbers]


def visible(text: str) -> str:
    """Control characters and those that turn the direction of writing are shown as signs instead of doing it."""
    return SPECIAL.sub(lambda found: _sign(ord(found[0])), text)


def _sign(code: int) -> str:
    return chr(0x2400 + code) if code < 0x20 else "\u2421" if code == 0x7F else f"\u27e8U+{code:04X}\u27e9"


def facts(turn: Turn) -> list[tuple[str, str]]:
    """Name and value, for people."""
    prompt, outcome = turn.prompt, turn.outcome
    about = "" if prompt.raw.get("exact") else "about "
    share = f", {prompt.tokens / turn.window:.0%} of the window" if turn.window else ""
    usage = _mapping(outcome.get("usage"))
    rows = [
        ("prompt", f"{about}{prompt.tokens:,} of {turn.budget:,} tokens{share}"),
        ("window", f"{turn.window:,} tokens, {_whole(prompt.raw.get('reserve')):,} reserved for the answer"),
        ("cache", cache_words(turn)),
        ("ended by", ended_words(turn)),
        ("answer", f"{usage['output_tokens']:,} tokens" if isinstance(usage.get("output_tokens"), int) else ""),
        ("time", _times(outcome)),
        ("model", f"{prompt.raw.get('provider')} {prompt.raw.get('model')}"),
        ("summary", f"version {prompt.summary_version}" if prompt.summary_version else ""),
        ("record", prompt.id),
    ]
    return [(name, visible(value)) for name, value in rows if value]


def cache_words(turn: Turn) -> str:
    """The share as `62 %`, and whose count it is."""
    if turn.cache is None:
        return ""
    whose = "as the model's server counted" if turn.counted else "begins as the prompt before"
    return f"{turn.cache:.0%} of the prompt ({whose})"


def ended_words(turn: Turn) -> str:
    return turn.ended_by or "never ended: the program was killed during it, or it is still running"


def compression_words(one: CompressionRecord) -> str:
    return (
        f"version {one.version} of the summary took in messages {one.covers_from} to {one.covers_to} "
        f"({one.message_tokens:,} tokens); it went from {one.tokens_before:,} to {one.tokens_after:,} tokens; "
        f"by {one.made_by} in {one.seconds:.1f} s"
    )


def _notes(turn: Turn) -> list[str]:
    prompt = turn.prompt
    notes = [f"Before this turn: {compression_words(one)}." for one in turn.compressions]
    notes += [f"A compression: {one.note}" for one in turn.compressions if one.note]
    if prompt.older:
        stand_in = "the summary stands for them" if prompt.summary_version else "they are not in the prompt"
        notes.append(f"{prompt.older} messages are older than the recent ones; {stand_in}.")
    if prompt.dropped_ids:
        notes.append(f"{len(prompt.dropped_ids)} recent messages found no room.")
    if prompt.summary_dropped:
        notes.append(f"{len(prompt.summary_dropped)} lines of the summary found no room.")
    if prompt.recall_note:
        notes.append(f"Memory was searched by words alone: {prompt.recall_note}")
    error, warnings = turn.outcome.get("error"), turn.outcome.get("warnings")
    notes += [f"Error: {error}"] if error else []
    notes += [f"Warning: {text}" for text in warnings] if isinstance(warnings, list) else []
    return [visible(note) for note in notes]


def _listed(prompt: Prompt) -> Sequence[RecallTrace]:
    used = [trace for trace in prompt.traces if trace.fate in _FATES]
    return [*used, *_others(prompt)[:NEAR]]


def _others(prompt: Prompt) -> list[RecallTrace]:
    return sorted((one for one in prompt.traces if one.fate not in _FATES), key=lambda one: -one.score)


def _rest(prompt: Prompt) -> str:
    fates = Counter(trace.fate for trace in _others(prompt)[NEAR:])
    return ", ".join(f"{count} {fate}" for fate, count in fates.most_common())


def _candidate(trace: RecallTrace, prompt: Prompt, texts: _Texts) -> list[object]:
    """Whether it is in the prompt; fate; score, vector, keyword, retention (empty: not looked for); what it is; the
    numbers of its text and of the reason."""
    used = trace.fate in _FATES
    scored = bool(trace.score or trace.vector or trace.keyword) or not used
    scores = [f"{value:.2f}" for value in (trace.score, trace.vector, trace.keyword, trace.retention)]
    return [
        int(used),
        visible(_FATES.get(trace.fate, trace.fate)),
        scores if scored else ["", "", "", ""],
        visible(trace.kind),
        texts.number(trace.text),
        texts.number("" if used else reason(trace, prompt.traces, parts=False)),
    ]


def _parts(prompt: Prompt) -> list[tuple[str, str, str]]:
    parts: list[tuple[str, str, str]] = [(block, NAMES[block], text.strip("\n")) for block, text in prompt.sections]
    for message in prompt.messages:
        name = f"{message.role}, message {message.id}" if message.id is not None else message.role
        parts.append((message.block, visible(name), message.text))
    return parts


def _cache(prompt: Prompt) -> tuple[float | None, bool]:
    usage = _mapping(_outcome(prompt).get("usage"))
    cached, read = usage.get("cached_tokens"), usage.get("prompt_tokens")
    if isinstance(cached, int) and isinstance(read, int) and read > 0:
        return min(1.0, max(0.0, cached / read)), True
    if prompt.shared is not None and prompt.tokens > 0:
        return min(1.0, max(0.0, prompt.shared / prompt.tokens)), False
    return None, False


def _times(outcome: Record) -> str:
    told = []
    for name, words in (("first_token_s", "first token after {:.2f} s"), ("total_s", "{:.2f} s in all")):
        value = outcome.get(name)
        told += [words.format(value)] if isinstance(value, int | float) else []
    return ", ".join(told)


def _outcome(prompt: Prompt) -> Record:
    return _mapping(prompt.raw.get("outcome"))


def _mapping(value: object) -> Record:
    return cast(Record, value) if isinstance(value, dict) else {}


def _whole(value: object) -> int:
    return int(value) if isinstance(value, int | float) else 0
