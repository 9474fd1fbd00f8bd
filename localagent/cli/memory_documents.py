"""`memory documents`: the files that were taken in, and how they leave again."""

from __future__ import annotations

from dataclasses import asdict
from pathlib import Path
from typing import Annotated

import typer

from localagent.cli import options, process
from localagent.cli.memory_open import Opened, open_memory
from localagent.errors import UsageError


def documents(
    context: typer.Context,
    remove: Annotated[
        list[Path] | None,
        typer.Option("--remove", metavar="FILE", help="Forget all of this file for good: path or name. Repeatable."),
    ] = None,
    agent: options.Agent = None,
    settings: options.Setting = None,
    yes: options.Yes = False,
    as_json: options.AsJson = False,
) -> None:
    """List the files that were taken in (memory ingest), or forget some of them."""
    from localagent.cli.output import print_json

    with open_memory(context, agent, settings) as opened:
        if remove:
            _remove(opened, remove, yes=yes, as_json=as_json)
            return
        if as_json:
            print_json(opened.env, [asdict(one) for one in opened.home.documents.known()])
        else:
            _print(opened)


def _print(opened: Opened) -> None:
    from localagent.cli.output import print_table
    from localagent.render_memory import age, waiting_text

    found, now = opened.home.documents.known(), opened.env.now()
    if not found:
        process.say(opened.env, "no file was taken in yet (localagent memory ingest FILE)")
        return
    rows = [
        (one.file, f"{one.pieces:,}", age(now - one.taken_at), f"{one.waiting:,}" if one.waiting else "")
        for one in found
    ]
    print_table(opened.env, ("file", "pieces", "taken in", "waiting"), rows)
    if waiting := sum(one.waiting for one in found):
        process.say(opened.env, waiting_text(waiting))


def _remove(opened: Opened, files: list[Path], *, yes: bool, as_json: bool) -> None:
    from localagent.cli.output import print_json, print_text

    documents = opened.home.documents
    # Nothing is done if one of them is not there.
    going = list({one.file: one for one in (documents.find(_place(opened, file)) for file in files)}.values())
    for one in going:
        process.say(opened.env, f"{one.file}: {process.counted(one.pieces, 'piece')}")
    what = "this file" if len(going) == 1 else f"these {len(going)} files"
    if not yes and not process.confirm(opened.env, f"Forget {what} for good?", default=False):
        raise UsageError(
            "nothing was forgotten", hint="" if opened.env.interactive else "Without a terminal say --yes."
        )
    done = [{"file": one.file, "removed": documents.remove(one.file)} for one in going]
    if as_json:
        print_json(opened.env, done)
    else:
        print_text(opened.env, f"forgot {process.counted(len(done), 'file')}; what is on the disk stays as it is")
    opened.settle()


def _place(opened: Opened, file: Path) -> Path:
    """A bare name may be one that is not in this folder."""
    there = opened.env.cwd / file
    return there if len(file.parts) > 1 or there.exists() else file
