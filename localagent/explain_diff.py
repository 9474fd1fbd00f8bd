"""What changed from one prompt to another, from their records alone."""

from __future__ import annotations

import difflib
import json
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from localagent import bilingual_records as say
from localagent.bilingual import Language, called
from localagent.bilingual_shown import BLOCKS as BLOCK_NAMES
from localagent.bilingual_why import FATES, SPEAKERS
from localagent.columns import columns, pad
from localagent.explain_fates import quoted, reason
from localagent.explain_prompt import BLOCKS, Prompt, Quoted
from localagent.record import IN_PROMPT, RecallTrace

_DATE = re.compile(r"\d{4}-\d\d-\d\d")
_LABEL = re.compile(r"</?\w+[^>\n]*>")
# Changed lines of the instructions that are shown.
MOST_LINES = 12
# Columns of a name, and of a number.
NAME, NUMBER = 10, 8


@dataclass(frozen=True, slots=True)
class Entered:
    """A message that entered the recent messages or left them. `text` is empty where the record does not tell which
    text is this message's."""

    id: int
    role: str
    text: str


@dataclass(frozen=True, slots=True)
class Change:
    """A quoted item (an entry, a wish, a line of an earlier message) that came or went, and why in words."""

    id: str
    text: str
    reason: str


@dataclass(frozen=True, slots=True)
class Setting:
    name: str
    before: str
    after: str


@dataclass(frozen=True, slots=True)
class Shared:
    """`tokens` of the later prompt's `of` tokens begin as the earlier one. `exact`: counted, not reckoned from
    characters. `begins`: where the change is, empty if there is none."""

    tokens: int
    of: int
    exact: bool
    begins: str


@dataclass(frozen=True, slots=True)
class Difference:
    """From the prompt `before` to the prompt `after` (ids). Tokens by block: before and after."""

    before: str
    after: str
    threads: tuple[str, str]
    times: tuple[float, float]
    tokens: Mapping[str, tuple[int, int]]
    entered: tuple[Entered, ...]
    left: tuple[Entered, ...]
    versions: tuple[int, int]
    lines_added: tuple[str, ...]
    lines_left: tuple[str, ...]
    memories_added: tuple[Change, ...]
    memories_left: tuple[Change, ...]
    wishes_added: tuple[Change, ...]
    wishes_left: tuple[Change, ...]
    settings: tuple[Setting, ...]
    instructions: tuple[str, ...]
    shared: Shared


def compare(before: Prompt, after: Prompt, *, adjacent: bool, language: Language = "en") -> Difference:
    """`adjacent`: `before` is the prompt that came just before `after` in its thread. `language` is that of reasons."""
    entered, left = _ring(before, after), _ring(after, before)
    return Difference(
        before=before.id,
        after=after.id,
        threads=(before.thread_id, after.thread_id),
        times=(before.created_at, after.created_at),
        tokens={name: (before.blocks.get(name, 0), after.blocks.get(name, 0)) for name in BLOCKS}
        | {"all": (before.tokens, after.tokens)},
        entered=entered,
        left=left,
        versions=(before.summary_version, after.summary_version),
        lines_added=tuple(line for line in after.summary if line not in before.summary),
        lines_left=tuple(line for line in before.summary if line not in after.summary),
        memories_added=_came(before, after, language, wish=False),
        memories_left=_went(before, after, language, wish=False),
        wishes_added=_came(before, after, language, wish=True),
        wishes_left=_went(before, after, language, wish=True),
        settings=_settings(before, after),
        instructions=_instructions(before.instructions, after.instructions),
        shared=_shared(before, after, language, adjacent=adjacent),
    )


def _ring(before: Prompt, after: Prompt) -> tuple[Entered, ...]:
    """Messages of `after` that `before` did not have; the request is one of them."""
    had = {*before.recent_ids, *before.request_ids}
    told = {message.id: message for prompt in (before, after) for message in prompt.messages if message.id is not None}
    new = [number for number in (*after.recent_ids, *after.request_ids) if number not in had]
    return tuple(
        Entered(number, told[number].role, told[number].text) if number in told else Entered(number, "", "")
        for number in new
    )


@dataclass(frozen=True, slots=True)
class _Piece:
    """What may come or go on its own."""

    id: str
    text: str
    trace: RecallTrace | None


def _pieces(prompt: Prompt, *, wish: bool) -> dict[tuple[str, str], _Piece]:
    found = {}
    for item in prompt.quoted:
        if item.wish == wish:
            for piece in _parts(item, prompt):
                found[piece.id if piece.trace is None or piece.trace.kind != "message" else "", piece.text] = piece
    return found


def _parts(item: Quoted, prompt: Prompt) -> Sequence[_Piece]:
    """An entry is one piece; a block of earlier messages has one for each line but the dates."""
    if not prompt.holds_passages(item):
        return [_Piece(item.id, item.text, prompt.trace_of(item.id))]
    lines = [line for line in item.text.split("\n") if line.strip() and not _DATE.fullmatch(line)]
    return [_Piece(item.id, line, prompt.passage(item, line)) for line in lines]


def _came(before: Prompt, after: Prompt, language: Language, *, wish: bool) -> tuple[Change, ...]:
    had = _pieces(before, wish=wish)
    changes = []
    for key, piece in _pieces(after, wish=wish).items():
        if key in had:
            continue
        why = reason(piece.trace, after.traces, language) if piece.trace is not None else ""
        earlier = before.trace_of(piece.trace.id if piece.trace is not None else piece.id)
        if earlier is not None and earlier.fate not in IN_PROMPT:
            was = say.BEFORE_IT_WAS(language, fate=_briefly(earlier, language))
            why = (f"{why}；{was}" if language == "zh" else f"{why}; {was}") if why else was
        changes.append(Change(_id(piece), piece.text, why))
    return tuple(changes)


def _went(before: Prompt, after: Prompt, language: Language, *, wish: bool) -> tuple[Change, ...]:
    have = _pieces(after, wish=wish)
    changes = []
    for key, piece in _pieces(before, wish=wish).items():
        if key in have:
            continue
        now = after.trace_of(piece.trace.id if piece.trace is not None else piece.id)
        if now is not None and now.fate not in IN_PROMPT:
            why = reason(now, after.traces, language)
        elif now is not None and now.block:
            why = say.STILL_THERE(language)
        elif wish:
            why = say.NO_WISH(language)
        elif not after.traces:
            why = say.NOTHING_OFFERED(language)
        else:
            why = say.NOT_LOOKED_AT(language)
        changes.append(Change(_id(piece), piece.text, why))
    return tuple(changes)


def _id(piece: _Piece) -> str:
    return piece.trace.id if piece.trace is not None else piece.id


def _briefly(trace: RecallTrace, language: Language) -> str:
    if language == "zh":
        fate = called(FATES, trace.fate, language)
        return f"{fate}（{trace.score:.2f}）" if trace.score else fate
    return f"{trace.fate} ({trace.score:.2f})" if trace.score else trace.fate


def _settings(before: Prompt, after: Prompt) -> tuple[Setting, ...]:
    then, now = (
        {name: _text(prompt.raw.get(name)) for name in ("provider", "model", "window", "reserve", "tool_tokens")}
        | dict(_flat(prompt.settings))
        for prompt in (before, after)
    )
    return tuple(
        Setting(name, then.get(name, ""), now.get(name, ""))
        for name in {**then, **now}
        if then.get(name, "") != now.get(name, "")
    )


def _flat(settings: Mapping[str, object]) -> Sequence[tuple[str, str]]:
    """Of the request; what stands in an object under `object.name`. The model has its own row."""
    found: list[tuple[str, str]] = []
    for name, value in settings.items():
        if isinstance(value, dict):
            found += [(f"{name}.{inner}", _text(one)) for inner, one in value.items()]
        elif name != "model":
            found.append((name, _text(value)))
    return found


def _text(value: object) -> str:
    return value if isinstance(value, str) else "" if value is None else json.dumps(value, ensure_ascii=False)


def _instructions(before: str, after: str) -> tuple[str, ...]:
    """Changed lines with `-` and `+`; none if they are the same."""
    changed = difflib.unified_diff(before.splitlines(), after.splitlines(), n=0, lineterm="")
    return tuple(line for line in changed if not line.startswith(("---", "+++", "@@")))[:MOST_LINES]


def _shared(before: Prompt, after: Prompt, language: Language, *, adjacent: bool) -> Shared:
    """Where the first difference is, and the tokens before it: as counted when the prompt was made, or reckoned by the
    share of characters in each block."""
    then, now = list(before.segments()), list(after.segments())
    characters: dict[str, int] = {block: sum(len(text) for name, _, text in now if name == block) for block in BLOCKS}
    tokens, begins = 0.0, ""
    for at, (block, message, text) in enumerate(now):
        same = at < len(then) and then[at][0] in (block, "request", "recent") and then[at][2] == text
        length = len(text) if same else _common(text, then[at][2]) if at < len(then) else 0
        tokens += after.blocks.get(block, 0) * length / max(characters[block], 1)
        if not same:
            begins = _place(block, message.id if message is not None else None, length, text, language)
            break
    else:
        begins = say.BEYOND_END(language) if len(then) > len(now) else ""
    exact = adjacent and after.shared is not None
    counted = after.shared if exact and after.shared is not None else min(int(tokens), after.tokens)
    return Shared(counted, after.tokens, exact, begins)


def _common(text: str, other: str) -> int:
    """Characters with which both begin."""
    return next(
        (at for at, (one, two) in enumerate(zip(text, other, strict=False)) if one != two), min(len(text), len(other))
    )


def _place(block: str, message_id: int | None, length: int, text: str, language: Language) -> str:
    named = say.PLACES[block](language)
    if block == "recent" and message_id is not None:
        named = say.AT_MESSAGE(language, place=named, id=message_id)
    if not 0 < length < len(text):
        return named
    rest = _LABEL.sub(
        " ", text[text.rfind("\n", 0, length) + 1 :] if block in ("summary", "recalled") else text[length:]
    )
    return say.AT_TEXT(language, place=named, text=quoted(rest, 40))


def difference_lines(found: Difference, language: Language = "en") -> list[str]:
    """For people, in the language in which it was compared."""
    lines = [say.FROM_TO(language, before=found.before, after=found.after)]
    if found.threads[0] != found.threads[1]:
        lines.append(say.OTHER_THREADS(language, one=found.threads[0], other=found.threads[1]))
    heads = (_right(say.BEFORE(language)), _right(say.AFTER(language)))
    lines += ["", " " * NAME + "".join(heads)]
    for name, (then, now) in found.tokens.items():
        changed = f"{now - then:>+{NUMBER},}" if now != then else ""
        title = say.TOKENS(language) if name == "all" else called(BLOCK_NAMES, name, language)
        lines.append(f"{pad(title, NAME)}{then:>{NUMBER},}{now:>{NUMBER},}{changed}")
    lines += ["", _shared_line(found.shared, language)]
    for entered, messages in ((True, found.entered), (False, found.left)):
        lines += _message_lines(entered, messages, language)
    lines += _summary_lines(found, language)
    for title, changes in (
        ("memories added", found.memories_added),
        ("memories gone", found.memories_left),
        ("wishes added", found.wishes_added),
        ("wishes gone", found.wishes_left),
    ):
        lines += [say.CHANGES[title](language)] if changes else []
        for change in changes:
            why = say.OF_BLOCK(language, line="", told=change.reason) if change.reason else ""
            lines.append(f"  {change.id}  {quoted(change.text)}{why}")
    if found.instructions:
        lines += [say.INSTRUCTIONS(language), *(f"  {line}" for line in found.instructions)]
    if found.settings:
        unset = say.UNSET(language)
        lines.append(say.SETTINGS(language))
        lines += [f"  {one.name}: {one.before or unset} -> {one.after or unset}" for one in found.settings]
    return lines


def _right(text: str) -> str:
    return " " * (NUMBER - columns(text)) + text


def _shared_line(shared: Shared, language: Language) -> str:
    if not shared.begins and shared.tokens >= shared.of:
        return say.SAME(language)
    about = "" if shared.exact else say.ABOUT(language)
    told = say.FIRST_SAME(language, about=about, count=shared.tokens, all=shared.of)
    return say.BEGINS_IN(language, told=told, place=shared.begins) if shared.begins else told


def _message_lines(entered: bool, messages: Sequence[Entered], language: Language) -> list[str]:
    if not messages:
        return []
    shown = []
    for one in messages:
        role = called(SPEAKERS, one.role, language)
        told = say.SAID_MESSAGE if one.role else say.MESSAGE
        shown.append(told(language, id=one.id, role=role, text=quoted(one.text, 80)))
    more = say.MORE_MESSAGES(language, count=len(shown) - 9)
    cut = [*shown[:6], more, *shown[-3:]] if len(shown) > 12 else shown
    return [say.ENTERED[entered][len(messages) > 1](language, count=len(messages)), *cut]


def _summary_lines(found: Difference, language: Language) -> list[str]:
    then, now = found.versions
    if then == now and not (found.lines_added or found.lines_left):
        return []
    if then == now:
        title = say.SUMMARY_DIFFERENT(language, version=now)
    else:
        none = say.NONE(language)
        title = say.SUMMARY_VERSIONS(language, then=then or none, now=now or none)
    return [
        title,
        *(f"  + {_bare(line)}" for line in found.lines_added),
        *(f"  - {_bare(line)}" for line in found.lines_left),
    ]


def _bare(line: str) -> str:
    return line.removeprefix("- ")
