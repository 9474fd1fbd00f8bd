"""`init` and `trust`: agent folders of one's own."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from localagent.cli import options, process

# Of the files of a trusted folder, so many are named.
MOST_NAMES = 6


def init(
    context: typer.Context,
    folder: Annotated[Path, typer.Argument(metavar="DIR", help="A new folder, or one without an agent.")],
) -> None:
    """Copy the default agent into a folder, to change it there. The copy is trusted."""
    from localagent.agent_folder import copy_default

    env = options.environment(context)
    copy_default(env, folder)
    process.say(env, f"made {folder / 'agent.yaml'}; use it with: localagent chat --agent {folder}")


def trust(
    context: typer.Context,
    folder: Annotated[
        Path | None, typer.Argument(metavar="DIR", help="An agent's folder; the current one if not given.")
    ] = None,
    remove: Annotated[bool, typer.Option("--remove", help="Stop trusting it.")] = False,
    show: Annotated[bool, typer.Option("--list", help="List the trusted folders.")] = False,
) -> None:
    """Let the agent in a folder run its Python files when it is found there; changed files are asked about again."""
    from localagent import trust as trusts
    from localagent.cli.output import print_table, when

    env = options.environment(context)
    if show:
        records, notice = trusts.trusted(env)
        if notice:
            process.say(env, notice)
        print_table(env, ("since", "folder"), [(when(record.trusted_at), record.folder) for record in records])
        return
    target = folder or env.cwd
    if remove:
        was = trusts.untrust(env, target)
        process.say(env, f"{target} is no longer trusted" if was else f"{target} was not trusted")
        return
    record = trusts.trust(env, target)
    names = sorted(record.files, key=lambda name: ("/" in name, name))  # agent.yaml stands first
    more = f" and {len(names) - MOST_NAMES} more" if len(names) > MOST_NAMES else ""
    said = f"{process.counted(len(names), 'file')}: {', '.join(names[:MOST_NAMES])}{more}"
    process.say(env, f"trusted {record.folder}, {said}")
