"""A prompt record for people: what `prompts show` and /prompt print."""

from __future__ import annotations

import json
import re
from collections.abc import Mapping, Sequence
from datetime import datetime
from typing import TypeAlias, cast

from localagent.calls import visible
from localagent.render_recall import recall_lines

Record: TypeAlias = Mapping[str, object]
_ESCAPED = re.compile(r"\\.")


def describe(record: Record) -> str:
    """A record in words and figures, the request to the letter. Not cleaned of control characters yet."""
    created = datetime.fromtimestamp(cast(float, record["created_at"])).strftime("%Y-%m-%d %H:%M:%S")
    mark = "" if record.get("exact") else "about "
    lines = [
        f"prompt {record['id']}, {created}, thread {record['thread_id']}",
        f"{record['provider']} {record['model']}: {mark}{record['tokens']} of {record['budget']} tokens "
        f"(window {record['window']}, {record['reserve']} reserved for the answer)",
        *_asked_by(record),
        "",
    ]
    for block in cast(Sequence[Record], record["blocks"]):
        count = len(cast(Sequence[int], block["message_ids"]))
        lines.append(f"  {block['name']:<9}{block['tokens']:>7} tokens" + (f", {count} messages" if count else ""))
    if record["older"] and record.get("summary_version"):
        lines.append(f"  summarised {record['older']} messages (summary version {record['summary_version']})")
    elif record["older"]:
        lines.append(f"  left out  {record['older']} messages, older than the recent ones")
    ids = [str(one["message_id"]) for one in cast(Sequence[Record], record["dropped"])]
    if ids:
        lines.append(f"  left out  {len(ids)} recent messages that did not fit: {_ranges(ids)}")
    if record.get("tool_tokens") or record.get("tools_by", "none") != "none":
        lines.append(f"  tools    {record['tool_tokens']:>7} tokens, offered {_way(str(record.get('tools_by')))}")
    if record.get("tools_note"):
        lines.append(f"  tools    {record['tools_note']}")
    recalled = recall_lines(record)
    if recalled:
        lines += ["", "memory:", *(f"  {line}" for line in recalled)]
    lines += [
        "",
        *_outcome(cast("Record | None", record.get("outcome"))),
        *_trail(cast("Record | None", record.get("turn"))),
        "",
        f"sha256 {record['digest']}",
        "",
    ]
    request = cast(Record, record["request"])
    for message in cast(Sequence[Record], request.get("messages") or ()):
        lines += [f"--- {message.get('role')}", _content(message)]
    rest = {key: value for key, value in request.items() if key != "messages"}
    return "\n".join([*lines, "--- and", _readable(rest)])


def _asked_by(record: Record) -> list[str]:
    """Nothing where a person asked."""
    above = str(record["thread_id"]).rpartition(".")[0]
    return [f"asked by the agent {record['asked_by']}, in thread {above}"] if record.get("asked_by") else []


def _way(by: str) -> str:
    return {"native": "natively", "constrained": "through a reply bound to a form"}.get(by, "not at all")


def _trail(turn: Record | None) -> list[str]:
    """What each mechanism said at each step, the calls, and what ended the turn."""
    if turn is None:
        return []
    lines = ["", f"turn {turn['id']}: {turn['steps']} steps, ended by {turn['ended_by']}"]
    calls = cast(Sequence[Record], turn["calls"])
    evaluations = cast(Sequence[Record], turn["evaluations"])
    for step in sorted({cast(int, one["step"]) for one in (*calls, *evaluations)}):
        for call in calls:
            if call["step"] == step:
                lines.append(f"  step {step}  {_call(call)}")
                if call.get("linked"):
                    lines.append(f"          what it did: localagent prompts show {call['linked']}")
        for one in evaluations:
            if one["step"] == step:
                ended = ", ended the turn" if one["ended"] else ""
                reason = f": {one['reason']}" if one["reason"] else ""
                name = one["name"] if one["name"] == one["mechanism"] else f"{one['mechanism']} {one['name']}"
                lines.append(f"  step {step}  {name}: {one['verdict']}{reason}{ended}")
    if turn.get("error"):
        lines.append(f"  error: {turn['error']}")
    return lines


def _call(call: Record) -> str:
    arguments = json.dumps(call.get("arguments"), ensure_ascii=False)
    took = f"{cast(float, call['seconds']):.2f} s" if call["ran"] else "not run"
    approval = f", {call['approval']}" if call.get("approval") else ""
    first, _, more = str(call["text"]).strip().partition("\n")
    first += " …" if more.strip() else ""
    ended = "error" if call["is_error"] else "ok"
    return visible(f"{call['tool']}({arguments}): {ended}, {took}{approval}: {first}")


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


def _outcome(outcome: Record | None) -> list[str]:
    if outcome is None:
        return ["the call never ended: the program was killed during it, or it is still running"]
    usage = cast(Record, outcome["usage"])
    first = outcome.get("first_token_s")
    counts = [usage.get(name) for name in ("prompt_tokens", "cached_tokens", "output_tokens")]
    read, cached, written = ("?" if count is None else str(count) for count in counts)
    told = f"; the model read {read} tokens ({cached} from its cache) and wrote {written}"
    lines = [
        f"ended by {outcome['ended_by']}" + (told if any(count is not None for count in counts) else ""),
        f"assembled in {cast(float, outcome['assemble_s']) * 1000:.1f} ms, first token after "
        + (f"{first:.2f} s" if isinstance(first, float) else "-")
        + f", {cast(float, outcome['total_s']):.2f} s in all",
    ]
    if outcome.get("error"):
        lines.append(f"error: {outcome['error']}")
    return lines + [f"warning: {text}" for text in cast(Sequence[str], outcome.get("warnings", ()))]


def _ranges(ids: Sequence[str]) -> str:
    return ids[0] if len(ids) == 1 else f"{ids[0]} to {ids[-1]}"
