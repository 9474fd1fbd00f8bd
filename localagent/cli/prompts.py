"""`prompts`: what was really sent, and how each call ended."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Annotated, cast

import typer

from localagent.cli import options, process
from localagent.errors import UsageError

app = typer.Typer(help="Look into the recorded prompts: one record for each call of a model.", no_args_is_help=True)

Record = Mapping[str, object]


@app.command("list")
def list_prompts(
    context: typer.Context,
    thread: Annotated[str | None, typer.Option("--thread", "-t", metavar="NAME", help="Only this thread.")] = None,
    limit: Annotated[int, typer.Option("--limit", "-n", min=1, help="Show at most this many.")] = 20,
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
    from localagent.cli.output import print_json, print_text
    from localagent.render_record import describe

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
        print_text(env, describe(record))


def _cached(outcome: Record) -> str:
    usage = cast(Record, outcome.get("usage") or {})
    cached, read = usage.get("cached_tokens"), usage.get("prompt_tokens")
    return f"{cached / read:.0%}" if isinstance(cached, int) and isinstance(read, int) and read else "-"
