"""`memory replace`: one entry in the place of another."""

from __future__ import annotations

from dataclasses import asdict
from typing import Annotated

import typer

from localagent.cli import options
from localagent.cli.memory_open import open_memory


def put_in_place(
    context: typer.Context,
    old: Annotated[str, typer.Argument(metavar="OLD", help="The entry that holds no longer: its id, or a beginning.")],
    new: Annotated[str, typer.Argument(metavar="NEW", help="The entry that takes its place: its id, or a beginning.")],
    agent: options.Agent = None,
    settings: options.Setting = None,
    as_json: options.AsJson = False,
) -> None:
    """Let an entry take the place of another, which is kept with its time (memory restore brings it back)."""
    from localagent.bilingual import language_of
    from localagent.cli.output import print_flowing, print_json
    from localagent.written import replaced

    with open_memory(context, agent, settings) as opened:
        written = replaced(opened.home.memories, old, new)
        language = language_of(written.memories[0].text)
        if as_json:
            print_json(opened.env, [asdict(memory) for memory in written.memories])
        else:
            print_flowing(opened.env, "\n".join(written.lines(language)))
        opened.settle(language)
