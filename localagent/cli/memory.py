"""`memory`: what is remembered, looked up, corrected and forgotten. Files and upkeep are in the modules beside."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import asdict, replace
from typing import TYPE_CHECKING, Annotated, Literal

import typer

from localagent import bilingual
from localagent import bilingual_shown as say
from localagent.bilingual import Language, Phrase, kind_name, language_of
from localagent.cli import memory_care, memory_documents, memory_files, memory_replace, options, process
from localagent.cli.memory_open import (
    Opened,
    filter_of,
    kinds_of,
    nothing_listed,
    open_memory,
    print_entries,
    show_results,
    tell_id,
    words_of,
)
from localagent.cli.threads import find
from localagent.errors import UsageError
from localagent.memory.kinds import Kind, Scope, State

if TYPE_CHECKING:
    from localagent.assembler import Recalled
    from localagent.memory.entries import Memory

app = typer.Typer(
    help="Search, write, read, correct and forget what is remembered for later conversations.", no_args_is_help=True
)
Key = Annotated[
    str, typer.Argument(metavar="ID", help="An id, or a beginning that it alone has (4 characters or more).")
]
Keys = Annotated[
    list[str], typer.Argument(metavar="ID...", help="Ids, or beginnings that they alone have (4 or more).")
]
ThreadName = Annotated[str | None, typer.Option("--thread", "-t", metavar="NAME", help="A thread: name or id.")]
TopK = Annotated[int | None, typer.Option("--top-k", "-k", min=1, help="At most this many; the agent's if not given.")]
MinScore = Annotated[
    float | None,
    typer.Option("--min-score", min=0, max=1, help="Leave out what scores below; the agent's if not given."),
]
OneKind = Annotated[Kind | None, typer.Option("--kind", help="What it is.")]
Importance = Annotated[
    float | None, typer.Option("--importance", min=0, max=1, help="0-1; the kind's own if not given.")
]


@app.command("search")
def search(
    context: typer.Context,
    query: Annotated[str, typer.Argument(metavar="QUERY", help="A question or words.")],
    top_k: TopK = None,
    min_score: MinScore = None,
    kind: Annotated[
        list[str] | None, typer.Option("--kind", help="Only entries of this kind, or message. Repeatable.")
    ] = None,
    where: Annotated[
        str | None, typer.Option("--filter", metavar="JSON", help='As {"said_at": {"$gte": "2026-03-01"}}.')
    ] = None,
    scope: Annotated[
        Literal["thread", "all"] | None,
        typer.Option("--scope", help="Messages of one thread, or of all; thread if --thread is given, else all."),
    ] = None,
    thread: ThreadName = None,
    hidden: Annotated[bool, typer.Option("--all", help="Also superseded and archived entries.")] = False,
    agent: options.Agent = None,
    settings: options.Setting = None,
    as_json: options.AsJson = False,
) -> None:
    """Search entries and earlier messages, as a conversation does before it answers."""
    from localagent.memory.searching import Search

    hint = 'As in: localagent memory search "green tea"'
    text, filtered = words_of(query, "the query", hint), filter_of(kinds_of(kind), where)
    with open_memory(context, agent, settings) as opened:
        thread_id = _thread(opened, thread, needed=scope == "thread")
        asked = Search(
            text=text,
            agent=opened.home.agent,
            thread_id=thread_id,
            all_threads=scope == "all" or not thread_id,
            hidden=hidden,
            where=filtered,
        )
        tell_id(opened, text)
        show_results(opened, asked, top_k, min_score, as_json=as_json)


@app.command("add")
def add(
    context: typer.Context,
    text: Annotated[str, typer.Argument(metavar="TEXT", help="One statement.")],
    kind: Annotated[Kind | None, typer.Option("--kind", help="What it is; as its words say if not given.")] = None,
    scope: Annotated[Scope | None, typer.Option("--scope", help="Where it counts; thread needs --thread.")] = None,
    importance: Importance = None,
    pin: Annotated[bool, typer.Option("--pin", help="In every prompt, and never forgotten.")] = False,
    thread: ThreadName = None,
    agent: options.Agent = None,
    settings: options.Setting = None,
    as_json: options.AsJson = False,
) -> None:
    """Remember a statement, as if you had asked for it in a conversation."""
    from localagent.cli.output import print_flowing, print_json
    from localagent.stated import of_kind, stated

    statement = words_of(text, "the text", 'As in: localagent memory add "the boiler is serviced in May"')
    language = language_of(statement)
    with open_memory(context, agent, settings) as opened:
        thread_id = _thread(opened, thread, needed=scope == "thread")
        rule = opened.home.policies.importance
        new = stated(statement, rule, opened.env.now(), agent=opened.home.agent, thread_id=thread_id)
        new = new if kind is None else of_kind(new, kind)
        new = new if scope is None else replace(new, scope=scope)
        if importance is not None:
            new = replace(new, importance=importance)
        before = opened.home.standing(thread_id)
        written = opened.home.add(replace(new, pinned=pin))
        if as_json:
            print_json(opened.env, [asdict(memory) for memory in written.memories])
        else:
            print_flowing(opened.env, "\n".join(written.lines(language)))
        gone = [old for old, _ in written.superseded]
        _tell_room(opened, written.memories, before, language, gone, thread_id=thread_id)
        opened.settle(language)


@app.command("list")
def list_memories(
    context: typer.Context,
    kind: Annotated[list[str] | None, typer.Option("--kind", help="Only of this kind. Repeatable.")] = None,
    state: Annotated[
        Literal["active", "superseded", "archived", "all"], typer.Option("--state", help="Only in this state.")
    ] = "active",
    limit: Annotated[int | None, typer.Option("--limit", "-n", min=1, help="At most this many.")] = None,
    agent: options.Agent = None,
    settings: options.Setting = None,
    as_json: options.AsJson = False,
) -> None:
    """List entries, the newest first."""
    from localagent.cli.output import print_json

    states: Sequence[State] = ("active", "superseded", "archived") if state == "all" else (state,)
    where = filter_of(kinds_of(kind), None)
    with open_memory(context, agent, settings) as opened:
        memories = opened.home.memories.select(where, states=states, limit=limit)
        language = opened.language_of(memories)
        if as_json:
            since = opened.home.memories.corrections([memory.id for memory in memories])
            told = [{**asdict(memory), "corrected_in_part": since.get(memory.id, [])} for memory in memories]
            print_json(opened.env, told)
        elif memories:
            print_entries(opened, memories, language, with_state=state == "all")
        else:
            process.say(opened.env, nothing_listed(state, kind))
        memory_care.tell_unread(opened, language)


@app.command("show")
def show(
    context: typer.Context,
    key: Key,
    agent: options.Agent = None,
    settings: options.Setting = None,
    as_json: options.AsJson = False,
) -> None:
    """Show an entry: its evidence, how well it is kept and why, and what it replaced or was replaced by."""
    from localagent.cli.output import print_flowing, print_json
    from localagent.render_memory import memory_lines

    with open_memory(context, agent, settings) as opened:
        home, now = opened.home, opened.env.now()
        memory = home.memories.get(key)
        chain = home.memories.chain(memory.id)
        retention = home.policies.retention(memory, now, opened.loaded.config.memory.archive_below)
        label = opened.thread_label(memory.thread_id)
        since = home.memories.corrections([memory.id]).get(memory.id, [])
        if as_json:
            others = [asdict(one) for one in chain]
            shown = {**asdict(memory), "retention": asdict(retention), "chain": others, "corrected_in_part": since}
            print_json(opened.env, shown)
        else:
            language = opened.language_of([memory])
            print_flowing(opened.env, memory_lines(memory, chain, retention, label, now, since, language))


@app.command("edit")
def edit(
    context: typer.Context,
    key: Key,
    text: Annotated[
        str | None, typer.Argument(metavar="[TEXT]", help="The new text; without it and without options: $EDITOR.")
    ] = None,
    kind: OneKind = None,
    scope: Annotated[Scope | None, typer.Option("--scope", help="Where it counts.")] = None,
    importance: Importance = None,
    agent: options.Agent = None,
    settings: options.Setting = None,
    as_json: options.AsJson = False,
) -> None:
    """Correct an entry. Its history stays as it is; what became different is better said anew (memory add)."""
    from localagent.repetitions import repetitions

    with open_memory(context, agent, settings) as opened:
        memory = opened.home.memories.get(key)
        if text is None and kind is None and scope is None and importance is None:
            if not opened.env.interactive:
                raise UsageError("nothing to change", hint="Give a TEXT, --kind, --scope or --importance.")
            text = memory_files.edited(opened.env, memory.text)
        if text is not None:
            text = words_of(text, "the text", f"To delete the entry: localagent memory forget {memory.id}")
        before = opened.home.standing()
        changed = opened.home.memories.edit(
            memory.id,
            text=text,
            kind=kind,
            scope=scope,
            importance=importance,
            said=repetitions(opened.home.memories, memory) if text is not None else (),
        )
        language = opened.language_of([changed])
        done = say.CHANGED if changed != memory else say.UNCHANGED
        _print_done(opened, [(done, changed)], language, as_json=as_json)
        _tell_room(opened, [changed], before, language)
        opened.settle(language)


@app.command("pin")
def pin(
    context: typer.Context,
    keys: Keys,
    agent: options.Agent = None,
    settings: options.Setting = None,
    as_json: options.AsJson = False,
) -> None:
    """Put entries into every prompt, and never let them fade."""
    from localagent.stated import pinnable

    with open_memory(context, agent, settings) as opened:
        chosen = _all_of(opened, keys)
        before, language = opened.home.standing(), opened.language_of(chosen)
        pinnable(chosen, language)
        done = [
            (bilingual.PINNED_ALREADY if memory.pinned else bilingual.PINNED, opened.home.memories.pin(memory.id))
            for memory in chosen
        ]
        _print_done(opened, done, language, as_json=as_json)
        _tell_room(opened, [memory for _, memory in done], before, language)


@app.command("unpin")
def unpin(
    context: typer.Context,
    keys: Keys,
    agent: options.Agent = None,
    settings: options.Setting = None,
    as_json: options.AsJson = False,
) -> None:
    """Let entries fade again, and be recalled only where they fit."""
    with open_memory(context, agent, settings) as opened:
        done = [
            (bilingual.UNPINNED if memory.pinned else bilingual.NOT_PINNED, opened.home.memories.pin(memory.id, False))
            for memory in _all_of(opened, keys)
        ]
        _print_done(opened, done, opened.language_of([memory for _, memory in done]), as_json=as_json)


@app.command("forget")
def forget(
    context: typer.Context,
    keys: Keys,
    agent: options.Agent = None,
    settings: options.Setting = None,
    yes: options.Yes = False,
    as_json: options.AsJson = False,
) -> None:
    """Delete entries for good. The messages they were made of stay in their threads; what they said is not recalled."""
    from localagent.cli.output import print_json, print_text
    from localagent.render_memory import listed
    from localagent.repetitions import forget_for_good

    with open_memory(context, agent, settings) as opened:
        going = _all_of(opened, keys)
        language = opened.language_of(going)
        since = opened.home.memories.corrections([memory.id for memory in going])
        for memory in going:
            text = listed(memory, since.get(memory.id, ()), language)
            process.say(opened.env, f"{memory.id}  {kind_name(memory.kind, language)}  {text}")
        question = (say.FORGET_ENTRY if len(going) == 1 else say.FORGET_ENTRIES)(language, count=f"{len(going):,}")
        if not yes and not process.confirm(opened.env, question, default=False):
            raise UsageError(
                bilingual.NOTHING_FORGOTTEN(language),
                hint="" if opened.env.interactive else "Without a terminal say --yes.",
            )
        count = forget_for_good(opened.home.memories, [memory.id for memory in going])
        if as_json:
            print_json(opened.env, {"forgotten": count, "ids": [memory.id for memory in going]})
        else:
            print_text(opened.env, say.FORGOT(language, **process.numbered(count, "entry", "entries")))
        if any(memory.message_id is not None for memory in going):
            process.say(opened.env, bilingual.MESSAGE_STAYS(language))
        opened.settle(language)


@app.command("restore")
def restore(
    context: typer.Context,
    keys: Keys,
    both: Annotated[bool, typer.Option("--both", help="What had replaced them stays, too.")] = False,
    agent: options.Agent = None,
    settings: options.Setting = None,
    as_json: options.AsJson = False,
) -> None:
    """Bring archived or superseded entries back; what had replaced them is archived. Takes a mark `in part corrected`
    off an active one."""
    from localagent.written import holds, restored

    with open_memory(context, agent, settings) as opened:
        done = []
        lines: list[str] = []
        chosen = _all_of(opened, keys)
        language = opened.language_of(chosen)
        for memory in chosen:
            if holds(opened.home.memories, memory):
                done.append((bilingual.ACTIVE_ALREADY, memory))
            else:
                back, gone = restored(opened.home.memories, memory.id, language, both=both)
                done.append((bilingual.RESTORED, back))
                lines += gone
        _print_done(opened, done, language, as_json=as_json)
        for row in (row for line in lines for row in line.split("\n")):
            process.say(opened.env, row)
        opened.settle(language)


def _thread(opened: Opened, name: str | None, *, needed: bool) -> str:
    """The id of the thread that was named; empty if none was."""
    if name is None:
        if needed:
            raise UsageError("--scope thread needs --thread NAME", hint="See: localagent threads list")
        return ""
    return find(opened.workspace, name, opened.loaded).id


def _all_of(opened: Opened, keys: Sequence[str]) -> list[Memory]:
    """Each once; nothing is done if one of them is not there."""
    return list({memory.id: memory for memory in (opened.home.memories.get(key) for key in keys)}.values())


def _tell_room(
    opened: Opened,
    changed: Sequence[Memory],
    before: Sequence[Recalled],
    language: Language,
    gone: Sequence[Memory] = (),
    *,
    thread_id: str = "",
) -> None:
    """What is in no prompt for want of room. `before`: what was in every one."""
    from localagent.stated import without_room

    after = opened.home.standing(thread_id)
    agent = opened.home.agent
    for line in without_room(changed, before, after, gone, agent=agent, thread_id=thread_id, language=language):
        process.say(opened.env, line)


def _print_done(opened: Opened, done: Sequence[tuple[Phrase, Memory]], language: Language, *, as_json: bool) -> None:
    """What was done to each entry; as JSON the entries as they are now."""
    from localagent.cli.output import print_json, print_text
    from localagent.render_memory import listed

    if as_json:
        print_json(opened.env, [asdict(memory) for _, memory in done])
        return
    for what, memory in done:
        entry = f"{memory.id} {kind_name(memory.kind, language)} {listed(memory, (), language)}"
        print_text(opened.env, what(language, entry=entry))


# Below those about single entries in the help.
app.command("replace")(memory_replace.put_in_place)
app.command("prune")(memory_care.prune)
app.command("stats")(memory_care.stats)
app.command("export")(memory_files.export)
app.command("import")(memory_files.take_in)
app.command("ingest")(memory_files.ingest)
app.command("documents")(memory_documents.documents)
app.command("reindex")(memory_care.reindex)
app.command("retry")(memory_care.retry)
