"""`report`: a thread's prompts as one HTML file."""

from __future__ import annotations

import re
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from localagent.cli import options, process
from localagent.errors import UsageError

if TYPE_CHECKING:
    from localagent.build import Workspace
    from localagent.memory.base import Thread


def report(
    context: typer.Context,
    thread: Annotated[
        str, typer.Argument(metavar="THREAD", help="A name, an id, or a beginning that this id alone has (4 or more).")
    ],
    output: Annotated[
        Path | None, typer.Option("--output", "-o", metavar="FILE", help="Where to; else localagent-THREAD.html here.")
    ] = None,
    show: Annotated[bool, typer.Option("--open", help="Open it in the browser.")] = False,
    agent: options.Agent = None,
) -> None:
    """Write a page that shows each prompt of a thread: its tokens by block, what was recalled, compressed and cached.

    One file that needs no network. An earlier report of this name is replaced, anything else is not.
    """
    from localagent.build import open_workspace
    from localagent.cli.prompts import history_of
    from localagent.files import write_atomically
    from localagent.report import Report, turns_of
    from localagent.report_page import page

    env = options.environment(context)
    with open_workspace(env, say=lambda text: process.say(env, text)) as workspace:
        thread_id, found = _thread(workspace, thread, agent)
        turns, late = turns_of(history_of(workspace, thread_id))
        title = found.name or found.title if found is not None else ""
        made = Report(
            title=title or f"thread {thread_id}",
            thread_id=thread_id,
            turns=turns,
            late=late,
            messages=found.messages if found is not None else 0,
            damaged=workspace.log.damaged_lines(thread_id),
            made_at=env.now(),
        )
    path = env.cwd / (output or f"localagent-{_file_name(found.name if found is not None else '') or thread_id}.html")
    _may_be_written(path)
    write_atomically(path, page(made).encode("utf-8", "replace"))
    process.say(env, f"wrote {path}: {process.counted(len(turns), 'prompt')}, {path.stat().st_size / 1000:,.0f} kB")
    if not turns:
        process.say(env, "no prompts of this thread are recorded (log_prompts: false, or --no-log)")
    if show:
        _open(path)


def _thread(workspace: Workspace, key: str, agent: str | None) -> tuple[str, Thread | None]:
    """A thread, or what is recorded of one that the ledger does not know any more. UsageError if there is neither."""
    from localagent.cli.threads import find

    try:
        found = find(workspace, key, agent)
    except UsageError:
        if re.fullmatch("[0-9a-z]{16}", key) and workspace.log.list(key, 1):
            return key, None
        raise
    return found.id, found


def _file_name(name: str) -> str:
    """A thread's name as part of a file's."""
    return re.sub(r"[^\w.-]+", "-", name).strip("-.")[:60]


def _may_be_written(path: Path) -> None:
    from localagent.files import storage_errors
    from localagent.report_page import BEGINNING

    with storage_errors(path, "write the report"):
        if not path.exists():
            return
        if path.is_file():
            with path.open("rb") as file:
                if file.read(len(BEGINNING)) == BEGINNING.encode("utf-8"):
                    return
    raise UsageError(f"{path} exists already, and is no report", hint="Name another file: --output FILE")


def _open(path: Path) -> None:
    import webbrowser

    if not webbrowser.open(path.absolute().as_uri()):
        raise UsageError("no browser could be started", hint=f"Open {path} in one.")
