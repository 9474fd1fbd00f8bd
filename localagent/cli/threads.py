"""`threads`: what was said, kept, and taken along."""

from __future__ import annotations

from dataclasses import asdict
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Literal

import typer

from localagent import bilingual_records as say
from localagent.bilingual import Language, called, language_of, language_of_most
from localagent.cli import options, process
from localagent.environment import Environment
from localagent.errors import Ambiguous, UsageError

if TYPE_CHECKING:
    from localagent.agent_folder import LoadedAgent
    from localagent.build import Workspace
    from localagent.memory.base import StoredMessage, Thread

# Of a list so many threads tell the language.
NEWEST = 10

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
        process.say(env, say.NO_THREADS(env.language))
    else:
        language = language_of_most([thread.title for thread in threads[:NEWEST]], env.language)
        names = ("id", "name", *(["agent"] if every else []), "messages", "last", "begins with")
        headers = [say.HEADERS[name](language) for name in names]
        rows = [(t.id, t.name, t.agent, str(t.messages), when(t.updated_at), t.title) for t in threads]
        print_table(env, headers, rows if every else [(row[0], row[1], *row[3:]) for row in rows])


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
            language = language_of_thread(env, found)
            print_text(env, markdown(found, workspace.ledger.messages(found.id), language, with_ids=True))


@app.command("rename")
def rename(context: typer.Context, thread: Key, name: str, agent: options.Agent = None) -> None:
    """Give a thread a name, by which --thread finds it."""
    from localagent.build import open_workspace

    env = options.environment(context)
    with open_workspace(env, say=lambda text: process.say(env, text)) as workspace:
        found = find(workspace, thread, agent)
        workspace.ledger.rename_thread(found.id, name)
    process.say(env, say.RENAMED(language_of_thread(env, found), thread=_label(found), name=name.strip()))


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
        language = language_of_thread(env, found)
        about = {"thread": _label(found), **process.numbered(found.messages, "message")}
        if not yes and not process.confirm(env, say.DELETE(language, **about), default=False):
            raise UsageError("not deleted", hint="" if env.interactive else "Without a terminal say --yes.")
        workspace.delete_thread(found.id)
    process.say(env, say.DELETED(language, **about))
    process.say(env, say.REMEMBERED_STAYS(language))


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
            text = markdown(found, workspace.ledger.messages(found.id), language_of_thread(env, found))
    if to is None:
        print_text(env, text)
        return
    write_new_file(to, [text])
    told = process.numbered(found.messages, "message")
    process.say(env, say.EXPORTED(language_of_thread(env, found), **told, path=to))


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


def language_of_thread(env: Environment, thread: Thread) -> Language:
    """In which it was begun, or named."""
    return language_of(thread.title, thread.name, otherwise=env.language)


def markdown(
    thread: Thread, messages: list[StoredMessage], language: Language = "en", *, with_ids: bool = False
) -> str:
    """A thread for people: a heading a message, attachments fenced, what was cut short marked. `with_ids`: the numbers
    by which `/why` and `memory show` name messages."""
    from localagent.cli.output import when
    from localagent.messages import ToolCallPart, ToolResultPart, joined

    lines = [f"# {thread.name or thread.title or thread.id}", ""]
    for stored in messages:
        status = called(say.STATUSES, stored.status, language)
        mark = "" if stored.status == "complete" else say.MARK(language, status=status)
        number = say.NUMBER(language, id=stored.id) if with_ids else ""
        speaker, moment = say.SPEAKERS[stored.message.role](language), when(stored.created_at)
        lines += [say.HEADING(language, speaker=speaker, when=moment, number=number, mark=mark), ""]
        for part in joined(stored.message.parts):
            if isinstance(part, ToolCallPart):
                lines += [say.CALLS(language, tool=part.name, arguments=dict(part.arguments)), ""]
            elif isinstance(part, ToolResultPart):
                lines += [say.ANSWERS(language, tool=part.name), "", part.text, ""]
            elif part.kind == "attachment":
                lines += [say.ATTACHED(language, name=part.name), "", _fenced(part.text), ""]
            elif part.kind == "text":
                lines += [part.text, ""]
    return "\n".join(lines).rstrip()


def _fenced(text: str) -> str:
    fence = "```"
    while fence in text:
        fence += "`"
    return f"{fence}\n{text.rstrip()}\n{fence}"
