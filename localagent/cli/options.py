"""Options that several commands share."""

from __future__ import annotations

from typing import Annotated, cast

import typer

from localagent.environment import Environment

Agent = Annotated[str | None, typer.Option("--agent", "-a", metavar="PATH", help="An agent folder or its agent.yaml.")]
Model = Annotated[
    str | None,
    typer.Option("--model", "-m", metavar="NAME", help="An Ollama model, a GGUF file, or smollm2 (built in)."),
]
Setting = Annotated[
    list[str] | None,
    typer.Option("--set", metavar="KEY=VALUE", help="Override a key of agent.yaml, as model.num_ctx=4096. Repeatable."),
]
ThreadName = Annotated[
    str | None, typer.Option("--thread", "-t", metavar="NAME", help="Go on in this thread; it is made if new.")
]
GoOn = Annotated[bool, typer.Option("--continue", "-c", help="Go on in the agent's last thread.")]
Yes = Annotated[bool, typer.Option("--yes", "-y", help="Do not ask before a small download or a deletion.")]
AllowTool = Annotated[
    list[str] | None,
    typer.Option("--allow-tool", metavar="NAME", help="Let this tool run without asking, in this run. Repeatable."),
]
AsJson = Annotated[bool, typer.Option("--json", help="Print JSON.")]


def environment(context: typer.Context) -> Environment:
    """The process around the command, put there by `main` (or by a test)."""
    return cast(Environment, context.find_object(Environment))
