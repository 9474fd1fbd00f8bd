"""The table of commands. Each module registers its own; what a command needs it imports when it runs."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Annotated

import typer
from typer._click import Command, Context, HelpFormatter
from typer.core import TyperGroup

from localagent.cli import (
    agents,
    approvals,
    ask,
    chat,
    config,
    doctor,
    mcp,
    memory,
    models,
    prompts,
    report,
    thread_summary,
    threads,
)
from localagent.errors import ReaderGone

GROUPS: Mapping[str, typer.Typer] = {
    "threads": threads.app,
    "memory": memory.app,
    "prompts": prompts.app,
    "approvals": approvals.app,
    "models": models.app,
    "mcp": mcp.app,
    "config": config.app,
}


class Program(TyperGroup):
    """The commands; takes what Typer would answer in its own way. A group is made when it is asked for: to make all of
    them takes longer than most commands run."""

    def list_commands(self, ctx: Context) -> list[str]:
        return list(dict.fromkeys((*super().list_commands(ctx), *GROUPS)))

    def get_command(self, ctx: Context, cmd_name: str) -> Command | None:
        if cmd_name not in self.commands:
            # For a name that does not exist all of them, since what is nearest is looked for among them.
            for name in [cmd_name] if cmd_name in GROUPS else GROUPS:
                self._make(name)
        return super().get_command(ctx, cmd_name)

    def format_help(self, ctx: Context, formatter: HelpFormatter) -> None:
        """Says a line of each group, which need not be made for that."""
        for name, group in GROUPS.items():
            self.commands.setdefault(name, TyperGroup(name=name, help=group.info.help))
        super().format_help(ctx, formatter)

    def _make(self, name: str) -> None:
        group = typer.main.get_command(GROUPS[name])
        group.name = name
        self.add_command(group)

    def invoke(self, ctx: Context) -> object:
        try:
            return super().invoke(ctx)
        except BrokenPipeError as error:
            raise ReaderGone("the reader of standard output went away") from error


app = typer.Typer(
    name="localagent",
    cls=Program,
    help="A local assistant that keeps its context within bounds and can always show why.\n\n"
    "Without a command: chat, and the options of chat work here too (localagent chat --help).",
    no_args_is_help=False,
    context_settings={"help_option_names": ["-h", "--help"]},
    pretty_exceptions_enable=False,
)


def _version(wanted: bool) -> None:
    if wanted:
        from localagent import __version__

        typer.echo(f"localagent {__version__}")
        raise typer.Exit


@app.callback()
def program(
    version: Annotated[
        bool, typer.Option("--version", help="Show the version and leave.", callback=_version, is_eager=True)
    ] = False,
    debug: Annotated[bool, typer.Option("--debug", help="Show a traceback when something fails.")] = False,
) -> None:
    """Options of the program itself; `--debug` is taken by `main` before this, and stands here for the help."""


app.command("chat")(chat.chat)
app.command("ask")(ask.ask)
app.command("init")(agents.init)
app.command("trust")(agents.trust)
app.command("report")(report.report)
thread_summary.add_to(threads.app)
app.command("doctor")(doctor.doctor)
