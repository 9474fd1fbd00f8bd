"""`chat`: the conversation in the terminal. Without one it answers what is piped in, as `ask` does."""

from __future__ import annotations

import typer

from localagent.cli import options
from localagent.cli.converse import converse
from localagent.cli.one_shot import Choices


def chat(
    context: typer.Context,
    thread: options.ThreadName = None,
    go_on: options.GoOn = False,
    model: options.Model = None,
    agent: options.Agent = None,
    settings: options.Setting = None,
    yes: options.Yes = False,
    allow_tool: options.AllowTool = None,
) -> None:
    """Talk. Without a terminal: answer what is piped in and leave."""
    env = options.environment(context)
    raise typer.Exit(
        converse(env, Choices(agent, model, settings or (), thread, go_on, yes=yes, allow_tools=allow_tool or ()))
    )
