"""`approvals`: the calls of tools that were allowed "always for exactly this"."""

from __future__ import annotations

from dataclasses import asdict
from typing import Annotated

import typer

from localagent.cli import options, process
from localagent.errors import UsageError

app = typer.Typer(
    help="List and revoke what tools were always allowed to do. It is allowed when you are asked, by `always`.",
    no_args_is_help=True,
)


@app.command("list")
def list_approvals(context: typer.Context, agent: options.Agent = None, as_json: options.AsJson = False) -> None:
    """List them, the newest first: those of all agents that share the agent's memory."""
    from localagent.build import open_workspace
    from localagent.cli.output import print_json, print_table, when

    env = options.environment(context)
    with open_workspace(env, say=lambda text: process.say(env, text)) as workspace:
        entries = workspace.approvals(workspace.agent(agent)).entries()
    if as_json:
        print_json(env, [asdict(entry) for entry in entries])
    elif not entries:
        process.say(env, "nothing is always allowed")
    else:
        rows = [(one.id, one.agent, one.tool, when(one.created_at), one.folder, one.shown) for one in entries]
        print_table(env, ("id", "agent", "tool", "since", "in folder", "what"), rows)


@app.command("revoke")
def revoke(
    context: typer.Context,
    keys: Annotated[
        list[str] | None,
        typer.Argument(metavar="ID...", help="Ids, or beginnings that they alone have (4 characters or more)."),
    ] = None,
    every: Annotated[bool, typer.Option("--all", help="All of them.")] = False,
    agent: options.Agent = None,
) -> None:
    """Take approvals back: you are asked again before the next such call."""
    from localagent.build import open_workspace

    if bool(keys) == every:
        raise UsageError("give IDs, or --all", hint="See: localagent approvals list")
    env = options.environment(context)
    with open_workspace(env, say=lambda text: process.say(env, text)) as workspace:
        approvals = workspace.approvals(workspace.agent(agent))
        if every:
            process.say(env, f"revoked {process.counted(approvals.revoke_all(), 'approval')}")
        for key in keys or ():
            gone = approvals.revoke(key)
            process.say(env, f"revoked {gone.id}: {gone.shown}")
