"""`ask`: one question, one answer."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from localagent.cli import one_shot, options


def ask(
    context: typer.Context,
    question: Annotated[
        list[str] | None,
        typer.Argument(help="The question. Text on standard input is attached; without a question it is the question."),
    ] = None,
    as_json: options.AsJson = False,
    thread: options.ThreadName = None,
    go_on: options.GoOn = False,
    model: options.Model = None,
    agent: options.Agent = None,
    settings: options.Setting = None,
    no_log: Annotated[
        bool,
        typer.Option("--no-log", help="Leave nothing behind: no prompt record, and no thread unless one is named."),
    ] = False,
    yes: options.Yes = False,
    allow_tool: options.AllowTool = None,
    schema: Annotated[
        Path | None,
        typer.Option("--schema", metavar="FILE", help="Answer with JSON that satisfies the JSON schema in this file."),
    ] = None,
) -> None:
    """Ask one question; the answer, and nothing else, goes to standard output."""
    env = options.environment(context)
    choices = one_shot.Choices(
        agent, model, settings or (), thread, go_on, as_json, no_log, yes, allow_tool or (), schema
    )
    one_shot.answer(env, " ".join(question or ()), choices)
