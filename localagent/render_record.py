"""A prompt record for people: what `prompts show` and /prompt print."""

from __future__ import annotations

import json
import re
from collections.abc import Mapping, Sequence
from datetime import datetime
from typing import TypeAlias, cast

from localagent import bilingual_records as say
from localagent.bilingual import Language, called
from localagent.bilingual_said import in_language
from localagent.bilingual_shown import BLOCKS
from localagent.calls import visible
from localagent.columns import pad
from localagent.render_recall import recall_lines

Record: TypeAlias = Mapping[str, object]
# Columns of what a block is called.
NAME = 9
_ESCAPED = re.compile(r"\\.")


def describe(record: Record, language: Language = "en") -> str:
    """A record in words and figures, the request to the letter. Not cleaned of control characters yet."""
    lines = [*_head(record, language), ""]
    for block in cast(Sequence[Record], record["blocks"]):
        count = len(cast(Sequence[int], block["message_ids"]))
        name = pad(called(BLOCKS, str(block["name"]), language), NAME)
        told = say.BLOCK(language, name=name, tokens=block["tokens"])
        lines.append(told + (say.OF_MESSAGES(language, count=count) if count else ""))
    lines += _left_out(record, language)
    if record.get("tool_tokens") or record.get("tools_by", "none") != "none":
        way = called(say.WAYS, str(record.get("tools_by")), language)
        lines.append(say.TOOLS(language, tokens=record["tool_tokens"], way=way))
    if record.get("tools_note"):
        lines.append(say.TOOLS_NOTE(language, note=in_language(str(record["tools_note"]), language)))
    recalled = recall_lines(record, language)
    if recalled:
        lines += ["", say.MEMORY(language), *(f"  {line}" for line in recalled)]
    lines += [
        "",
        *_outcome(cast("Record | None", record.get("outcome")), language),
        *_trail(cast("Record | None", record.get("turn")), language),
        "",
        f"sha256 {record['digest']}",
        "",
    ]
    request = cast(Record, record["request"])
    for message in cast(Sequence[Record], request.get("messages") or ()):
        lines += [f"--- {message.get('role')}", _content(message)]
    rest = {key: value for key, value in request.items() if key != "messages"}
    return "\n".join([*lines, say.AND(language), _readable(rest)])


def _head(record: Record, language: Language) -> list[str]:
    created = datetime.fromtimestamp(cast(float, record["created_at"])).strftime("%Y-%m-%d %H:%M:%S")
    sizes = {name: record[name] for name in ("provider", "model", "tokens", "budget", "window", "reserve")}
    about = "" if record.get("exact") else say.ABOUT(language)
    lines = [
        say.PROMPT(language, id=record["id"], when=created, thread=record["thread_id"]),
        say.SIZE(language, about=about, **sizes),
    ]
    if record.get("asked_by"):  # nothing where a person asked
        above = str(record["thread_id"]).rpartition(".")[0]
        lines.append(say.ASKED_BY(language, agent=record["asked_by"], thread=above))
    return lines


def _left_out(record: Record, language: Language) -> list[str]:
    lines = []
    if record["older"]:
        left = say.SUMMARISED if record.get("summary_version") else say.OLDER_LEFT_OUT
        lines.append(left(language, count=record["older"], version=record.get("summary_version")))
    ids = [str(one["message_id"]) for one in cast(Sequence[Record], record["dropped"])]
    if ids:
        span = ids[0] if len(ids) == 1 else say.RANGE(language, first=ids[0], last=ids[-1])
        lines.append(say.RECENT_LEFT_OUT(language, count=len(ids), ids=span))
    return lines


def _trail(turn: Record | None, language: Language) -> list[str]:
    """What each mechanism said at each step, the calls, and what ended the turn."""
    if turn is None:
        return []
    lines = [
        "",
        say.TURN(
            language, id=turn["id"], steps=turn["steps"], ended_by=called(say.ENDS, str(turn["ended_by"]), language)
        ),
    ]
    calls = cast(Sequence[Record], turn["calls"])
    evaluations = cast(Sequence[Record], turn["evaluations"])
    for step in sorted({cast(int, one["step"]) for one in (*calls, *evaluations)}):
        for call in calls:
            if call["step"] == step:
                lines.append(say.STEP(language, step=step, what=_call(call, language)))
                if call.get("linked"):
                    lines.append(say.WHAT_IT_DID(language, id=call["linked"]))
        for one in evaluations:
            if one["step"] == step:
                lines.append(say.STEP(language, step=step, what=_evaluation(one, language)))
    if turn.get("error"):
        lines.append(say.TURN_ERROR(language, error=in_language(str(turn["error"]), language)))
    return lines


def _evaluation(one: Record, language: Language) -> str:
    name = one["name"] if one["name"] == one["mechanism"] else f"{one['mechanism']} {one['name']}"
    reason = in_language(str(one["reason"]), language)
    reason = say.REASON(language, reason=reason) if reason else ""
    ended = say.ENDED_TURN(language) if one["ended"] else ""
    return say.VERDICT(
        language, name=name, verdict=called(say.VERDICTS, str(one["verdict"]), language), reason=reason, ended=ended
    )


def _call(call: Record, language: Language) -> str:
    first, _, more = str(call["text"]).strip().partition("\n")
    first, approval = in_language(first, language), in_language(str(call.get("approval") or ""), language)
    told = say.CALL(
        language,
        tool=call["tool"],
        arguments=json.dumps(call.get("arguments"), ensure_ascii=False),
        ended=(say.CALL_ERROR if call["is_error"] else say.CALL_OK)(language),
        took=say.TOOK(language, seconds=call["seconds"]) if call["ran"] else say.NOT_RUN(language),
        approval=say.APPROVAL(language, approval=approval) if approval else "",
        first=first + (" …" if more.strip() else ""),
    )
    return visible(told)


def _content(message: Record) -> str:
    """Its texts to the letter; calls and what else it has as JSON behind them."""
    rest = {key: value for key, value in message.items() if key not in ("role", "content", "parts")}
    given = message.get("content", message.get("parts"))
    shown = ""
    for part in given if isinstance(given, list | tuple) else [given]:
        if isinstance(part, dict) and set(part) <= {"kind", "type", "text"} and isinstance(part.get("text"), str):
            part = part["text"]
        if isinstance(part, str):
            shown += part
        elif part is not None:
            shown += ("\n" if shown else "") + _readable(part)
    return shown + (("\n" if shown else "") + _readable(rest) if rest else "")


def _readable(value: object) -> str:
    """JSON, but for texts of several lines, which stand as such. For programs there is `--json`."""
    text = json.dumps(value, ensure_ascii=False, indent=2)
    return _ESCAPED.sub(lambda found: "\n" if found[0] == r"\n" else found[0], text)


def _outcome(outcome: Record | None, language: Language) -> list[str]:
    if outcome is None:
        return [say.NEVER_ENDED(language)]
    usage = cast(Record, outcome["usage"])
    first = outcome.get("first_token_s")
    counts = [usage.get(name) for name in ("prompt_tokens", "cached_tokens", "output_tokens")]
    read, cached, written = ("?" if count is None else str(count) for count in counts)
    told = say.COUNTS(language, read=read, cached=cached, written=written)
    lines = [
        say.ENDED_BY(
            language,
            how=called(say.ENDS, str(outcome["ended_by"]), language),
            counts=told if any(one is not None for one in counts) else "",
        ),
        say.TIMES(
            language,
            assembled=cast(float, outcome["assemble_s"]) * 1000,
            first=say.TOOK(language, seconds=first) if isinstance(first, float) else "-",
            total=outcome["total_s"],
        ),
    ]
    if outcome.get("error"):
        lines.append(say.FAILED(language, error=in_language(str(outcome["error"]), language)))
    warnings = cast(Sequence[str], outcome.get("warnings", ()))
    return lines + [say.WARNING(language, text=in_language(text, language)) for text in warnings]
