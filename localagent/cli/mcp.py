"""`mcp`: the servers whose tools the agent may use, and this home as a server for others."""

from __future__ import annotations

from contextlib import closing
from dataclasses import asdict
from typing import TYPE_CHECKING, Annotated

import typer

from localagent.cli import options, process
from localagent.errors import ExitCode

if TYPE_CHECKING:
    from localagent.build_mcp import ServerReport

app = typer.Typer(
    help="Use the tools of MCP servers; offer this memory and agent to MCP clients.", no_args_is_help=True
)
_WIDTH = 160


@app.command("list")
def list_servers(
    context: typer.Context,
    agent: options.Agent = None,
    settings: options.Setting = None,
    as_json: options.AsJson = False,
) -> None:
    """Start the servers that agent.yaml names (mcp_servers), and show how they are and what tools they offer. Exit code
    4 if there are some and none of them runs."""
    from localagent.agent_folder import load_agent
    from localagent.build import open_workspace
    from localagent.cli.output import print_json, print_text

    env = options.environment(context)
    with process.stop_on_signals() as abort, open_workspace(env, say=lambda text: process.say(env, text)) as workspace:
        loaded = load_agent(env, agent=agent, overrides=process.overrides(settings))
        for notice in loaded.notices:
            process.say(env, notice)
        servers: list[ServerReport] = []
        if loaded.config.mcp_servers:
            from localagent.build_mcp import report
            from localagent.render import renderer_for

            servers = report(workspace, loaded, abort, renderer_for(env).status)
    if as_json:
        print_json(env, [asdict(server) for server in servers])
    elif not servers:
        process.say(env, "no servers; name them in agent.yaml, below mcp_servers")
    else:
        print_text(env, "\n".join(line for server in servers for line in _lines(server)))
    if servers and all(server.state == "failed" for server in servers):
        raise typer.Exit(ExitCode.UNREACHABLE)


@app.command("serve")
def serve(
    context: typer.Context,
    agent: options.Agent = None,
    settings: options.Setting = None,
    read_only: Annotated[
        bool, typer.Option("--read-only", help="Offer memory_search and memory_list alone: nothing is changed.")
    ] = False,
) -> None:
    """Offer this memory (search, write, list, forget) and the agent (ask) to an MCP client, over standard input and
    output. The client starts this command; by hand there is nothing to see."""
    from localagent import build_mcp
    from localagent.agent_folder import load_agent
    from localagent.build import open_workspace

    env = options.environment(context)
    with process.stop_on_signals() as abort, open_workspace(env, say=lambda text: process.say(env, text)) as workspace:
        loaded = load_agent(env, agent=agent, overrides=process.overrides(settings))
        for notice in loaded.notices:
            process.say(env, notice)
        with closing(build_mcp.OfferedHome(workspace, loaded, read_only=read_only)) as home:
            build_mcp.serve(home, abort)
            process.abandon(env.stdout)  # the client is gone, and so is who would read what is left


def _lines(server: ServerReport) -> list[str]:
    from localagent.terminal import one_line

    reason = f": {server.reason}" if server.reason else ""
    lines = [one_line(f"{server.name}: {server.state}{reason} ({server.where})")]
    for tool in server.tools:
        lines.append("  " + one_line(f"{tool.name} [{', '.join(tool.effects)}] {tool.description}", _WIDTH))
    return lines
