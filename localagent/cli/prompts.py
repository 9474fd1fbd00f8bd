"""`prompts`: what was really sent, and how each call ended."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from typing import Annotated, cast

import typer

from localagent.cli import options, process
from localagent.environment import Environment
from localagent.errors import UsageError

app = typer.Typer(help="Look into the recorded prompts: one record for each call of a model.", no_args_is_help=True)

Record = Mapping[str, object]


@app.command("list")
def list_prompts(
    context: typer.Context,
    thread: Annotated[str | None, typer.Option("--thread", "-t", metavar="NAME", help="Of this thread alone.")] = None,
    limit: Annotated[int, typer.Option("--limit", "-n", min=1, help="The newest as many.")] = 20,
    agent: options.Agent = None,
    as_json: options.AsJson = False,
) -> None:
    """List the newest prompt records, the newest first."""
    from localagent.build import open_workspace
    from localagent.cli.output import print_json, print_table, when
    from localagent.cli.threads import find

    env = options.environment(context)
    with open_workspace(env, say=lambda text: process.say(env, text)) as workspace:
        thread_id = find(workspace, thread, agent).id if thread is not None else None
        records = workspace.log.list(thread_id, limit)
    if as_json:
        print_json(env, records)
        return
    if not records:
        process.say(env, "no prompts recorded yet")
        return
    rows = []
    for record in records:
        outcome = cast(Record, record.get("outcome") or {})
        mark = "" if record.get("exact") else "~"
        rows.append(
            (
                str(record["id"]),
                when(cast(float, record["created_at"])),
                str(record["model"]),
                f"{mark}{record['tokens']}/{record['window']}",
                _cached(outcome),
                str(outcome.get("ended_by", "never ended")),
                str(record["thread_id"]),
            )
        )
    print_table(env, ("id", "when", "model", "tokens", "cached", "ended by", "thread"), rows)


@app.command("show")
def show(
    context: typer.Context,
    record_id: Annotated[
        str | None, typer.Argument(metavar="ID", help="A record, or the beginning of its id; the newest if not given.")
    ] = None,
    as_json: options.AsJson = False,
) -> None:
    """Show one prompt: its blocks, what was left out and why, how the call ended, and the exact text sent."""
    from localagent.build import open_workspace
    from localagent.cli.output import print_json

    env = options.environment(context)
    with open_workspace(env, say=lambda text: process.say(env, text)) as workspace:
        newest = workspace.log.list(None, 1)
        record = workspace.log.find(record_id) if record_id else (newest[0] if newest else None)
    if record is None:
        what = f"there is no prompt record {record_id!r}" if record_id else "no prompts recorded yet"
        raise UsageError(what, hint="See: localagent prompts list")
    if as_json:
        print_json(env, record)
    else:
        print_record(env, record)


def print_record(env: Environment, record: Record) -> None:
    """A record for people. Also what /prompt shows."""
    from localagent.cli.output import print_text, when

    print_text(env, describe(record, when(cast(float, record["created_at"]))))


def describe(record: Record, created: str) -> str:
    """A record in words and figures."""
    mark = "" if record.get("exact") else "about "
    lines = [
        f"prompt {record['id']}, {created}, thread {record['thread_id']}",
        f"{record['provider']} {record['model']}: {mark}{record['tokens']} of {record['budget']} tokens "
        f"(window {record['window']}, {record['reserve']} reserved for the answer)",
        "",
    ]
    for block in cast(Sequence[Record], record["blocks"]):
        count = len(cast(Sequence[int], block["message_ids"]))
        lines.append(f"  {block['name']:<9}{block['tokens']:>7} tokens" + (f", {count} messages" if count else ""))
    dropped = cast(Sequence[Record], record["dropped"])
    for reason, words in (("ring", "older than the recent messages"), ("budget", "did not fit")):
        ids = [str(one["message_id"]) for one in dropped if one["reason"] == reason]
        if ids:
            lines.append(f"  left out  {len(ids)} messages ({words}): {_ranges(ids)}")
    lines += ["", *_outcome(cast("Record | None", record.get("outcome"))), "", f"sha256 {record['digest']}", ""]
    request = cast(Record, record["request"])
    for message in cast(Sequence[Record], request.get("messages") or ()):
        lines += [f"--- {message.get('role')}", _content(message)]
    rest = {key: value for key, value in request.items() if key != "messages"}
    return "\n".join([*lines, "--- and", json.dumps(rest, ensure_ascii=False, indent=2)])


def _content(message: Record) -> str:
    content = message.get("content")
    if isinstance(content, str) and set(message) == {"role", "content"}:
        return content
    return json.dumps(dict(message), ensure_ascii=False, indent=2)


def _outcome(outcome: Record | None) -> list[str]:
    if outcome is None:
        return ["the call never ended: the program was killed during it, or it is still running"]
    usage = cast(Record, outcome["usage"])
    first = outcome.get("first_token_s")
    lines = [
        f"ended by {outcome['ended_by']}; the model read {_number(usage.get('prompt_tokens'))} tokens "
        f"({_number(usage.get('cached_tokens'))} from its cache) and wrote {_number(usage.get('output_tokens'))}",
        f"assembled in {cast(float, outcome['assemble_s']) * 1000:.1f} ms, first token after "
        + (f"{first:.2f} s" if isinstance(first, float) else "-")
        + f", {cast(float, outcome['total_s']):.2f} s in all",
    ]
    if outcome.get("error"):
        lines.append(f"error: {outcome['error']}")
    return lines + [f"warning: {text}" for text in cast(Sequence[str], outcome["warnings"])]


def _number(value: object) -> str:
    return str(value) if isinstance(value, int) else "an unknown number of"


def _cached(outcome: Record) -> str:
    usage = cast(Record, outcome.get("usage") or {})
    cached, read = usage.get("cached_tokens"), usage.get("prompt_tokens")
    return f"{cached / read:.0%}" if isinstance(cached, int) and isinstance(read, int) and read else "-"


def _ranges(ids: Sequence[str]) -> str:
    return ids[0] if len(ids) == 1 else f"{ids[0]} to {ids[-1]}"
