"""`threads`: what was said, kept, and taken along."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Literal

import typer

from localagent.cli import options, process
from localagent.errors import Ambiguous, UsageError

if TYPE_CHECKING:
    from localagent.agent_folder import LoadedAgent
    from localagent.build import Workspace
    from localagent.memory.base import StoredMessage, Thread

app = typer.Typer(help="List, read, rename, export and delete conversations.", no_args_is_help=True)

Key = Annotated[
    str, typer.Argument(metavar="THREAD", help="A name, an id, or a beginning that this id alone has (4 or more).")
]
EveryAgent = Annotated[bool, typer.Option("--all", help="Threads of every agent, not of this one alone.")]


@app.command("list")
def list_threads(
    context: typer.Context,
    every: EveryAgent = False,
    agent: options.Agent = None,
    as_json: options.AsJson = False,
) -> None:
    """List the agent's threads, the newest first."""
    from localagent.build import open_workspace
    from localagent.cli.output import print_json, print_table, when

    env = options.environment(context)
    with open_workspace(env, say=lambda text: process.say(env, text)) as workspace:
        loaded = workspace.agent(agent)
        threads = workspace.threads(loaded).threads(None if every else loaded.config.name)
    if as_json:
        print_json(env, [asdict(thread) for thread in threads])
    elif not threads:
        process.say(env, "no threads yet; localagent chat begins one")
    else:
        rows = [(t.id, t.name, t.agent, str(t.messages), when(t.updated_at), t.title) for t in threads]
        if every:
            print_table(env, ("id", "name", "agent", "messages", "last", "begins with"), rows)
        else:
            print_table(env, ("id", "name", "messages", "last", "begins with"), [(r[0], r[1], *r[3:]) for r in rows])


@app.command("show")
def show(context: typer.Context, thread: Key, agent: options.Agent = None, as_json: options.AsJson = False) -> None:
    """Print a thread, every message in full."""
    from localagent.build import open_workspace
    from localagent.cli.output import print_json, print_text

    env = options.environment(context)
    with open_workspace(env, say=lambda text: process.say(env, text)) as workspace:
        found = find(workspace, thread, agent)
        if as_json:
            print_json(env, workspace.ledger.export(found.id))
        else:
            print_text(env, markdown(found, workspace.ledger.messages(found.id), with_ids=True))


@app.command("rename")
def rename(context: typer.Context, thread: Key, name: str, agent: options.Agent = None) -> None:
    """Give a thread a name, by which --thread finds it."""
    from localagent.build import open_workspace

    env = options.environment(context)
    with open_workspace(env, say=lambda text: process.say(env, text)) as workspace:
        found = find(workspace, thread, agent)
        workspace.ledger.rename_thread(found.id, name)
    process.say(env, f"renamed {_label(found)} to {name.strip()}")


@app.command("delete")
def delete(
    context: typer.Context,
    thread: Key,
    agent: options.Agent = None,
    yes: options.Yes = False,
) -> None:
    """Delete a thread for good, with its prompt records."""
    from localagent.build import open_workspace

    env = options.environment(context)
    with open_workspace(env, say=lambda text: process.say(env, text)) as workspace:
        found = find(workspace, thread, agent)
        messages = process.counted(found.messages, "message")
        if not yes and not process.confirm(env, f"Delete {_label(found)!r} ({messages})?", default=False):
            raise UsageError("not deleted", hint="" if env.interactive else "Without a terminal say --yes.")
        workspace.delete_thread(found.id)
    process.say(env, f"deleted {_label(found)} ({messages})")
    process.say(env, "what was remembered from it stays; see: localagent memory list")


@app.command("export")
def export(
    context: typer.Context,
    thread: Key,
    form: Annotated[
        Literal["markdown", "json"] | None,
        typer.Option("--format", "-f", help="How to write it; else as the new file's ending says, else Markdown."),
    ] = None,
    to: Annotated[Path | None, typer.Option("--to", "-o", help="A new file; standard output if not given.")] = None,
    agent: options.Agent = None,
) -> None:
    """Write a thread as Markdown, or as JSON with everything that is known of it."""
    import json

    from localagent.build import open_workspace
    from localagent.cli.output import print_text, write_new_file

    env = options.environment(context)
    with open_workspace(env, say=lambda text: process.say(env, text)) as workspace:
        found = find(workspace, thread, agent)
        if form == "json" or (form is None and to is not None and to.suffix.lower() == ".json"):
            text = json.dumps(workspace.ledger.export(found.id), ensure_ascii=True, indent=2)
        else:
            text = markdown(found, workspace.ledger.messages(found.id))
    if to is None:
        print_text(env, text)
        return
    write_new_file(to, [text])
    process.say(env, f"exported {process.counted(found.messages, 'message')} to {to}")


@app.command("search")
def search(
    context: typer.Context,
    query: Annotated[str, typer.Argument(metavar="QUERY", help="A question or words.")],
    thread: Annotated[str | None, typer.Option("--thread", "-t", metavar="NAME", help="Only in this thread.")] = None,
    top_k: Annotated[
        int | None, typer.Option("--top-k", "-k", min=1, help="At most this many; the agent's if not given.")
    ] = None,
    min_score: Annotated[
        float | None,
        typer.Option("--min-score", min=0, max=1, help="Leave out what scores below; the agent's if not given."),
    ] = None,
    agent: options.Agent = None,
    settings: options.Setting = None,
    as_json: options.AsJson = False,
) -> None:
    """Search what was said, by its words and its meaning."""
    from localagent.cli.memory_open import open_memory, show_results, words_of
    from localagent.memory.searching import Search

    text = words_of(query, "the query")
    with open_memory(context, agent, settings) as opened:
        thread_id = find(opened.workspace, thread, opened.loaded).id if thread is not None else ""
        asked = Search(
            text=text, agent=opened.home.agent, thread_id=thread_id, memories=False, all_threads=thread is None
        )
        show_results(opened, asked, top_k, min_score, as_json=as_json)


def find(workspace: Workspace, key: str, agent: str | LoadedAgent | None) -> Thread:
    """A thread of the agent (loaded, or its path), else of any of its tenant. UsageError if there is none or are
    several."""
    loaded = workspace.agent(agent) if agent is None or isinstance(agent, str) else agent
    ledger = workspace.threads(loaded)
    found = ledger.find_thread(loaded.config.name, key)
    if found is None:
        others = [t for t in ledger.threads() if key == t.name or (len(key) >= 4 and t.id.startswith(key.lower()))]
        if len(others) > 1:
            which = [f"{other.id} of {other.agent} {_label(other)!r}" for other in others]
            raise Ambiguous(f"several threads are called {key!r}, or begin so", which)
        found = others[0] if others else None
    if found is None:
        raise UsageError(f"there is no thread {key!r}", hint="See: localagent threads list --all")
    return found


def _label(thread: Thread) -> str:
    return thread.name or thread.title or thread.id


_SPEAKERS: Mapping[str, str] = {"user": "You", "assistant": "Assistant", "tool": "Tool", "system": "System"}


def markdown(thread: Thread, messages: list[StoredMessage], *, with_ids: bool = False) -> str:
    """A thread for people: a heading a message, attachments fenced, what was cut short marked. `with_ids`: the numbers
    by which `/why` and `memory show` name messages."""
    from localagent.cli.output import when
    from localagent.messages import ToolCallPart, ToolResultPart, joined

    lines = [f"# {thread.name or thread.title or thread.id}", ""]
    for stored in messages:
        mark = "" if stored.status == "complete" else f" ({stored.status})"
        number = f", message {stored.id}" if with_ids else ""
        lines += [f"## {_SPEAKERS[stored.message.role]}, {when(stored.created_at)}{number}{mark}", ""]
        for part in joined(stored.message.parts):
            if isinstance(part, ToolCallPart):
                lines += [f"calls {part.name} {dict(part.arguments)}", ""]
            elif isinstance(part, ToolResultPart):
                lines += [f"{part.name} answers:", "", part.text, ""]
            elif part.kind == "attachment":
                lines += [f"Attached {part.name}:", "", _fenced(part.text), ""]
            elif part.kind == "text":
                lines += [part.text, ""]
    return "\n".join(lines).rstrip()


def _fenced(text: str) -> str:
    fence = "```"
    while fence in text:
        fence += "`"
    return f"{fence}\n{text.rstrip()}\n{fence}"
