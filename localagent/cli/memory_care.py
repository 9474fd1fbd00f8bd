"""`memory prune`, `stats`, `reindex` and `retry`: keeping memory in order."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import asdict
from typing import TYPE_CHECKING, Annotated

import typer

from localagent import bilingual_shown as say
from localagent.bilingual import Language, joined, kind_name
from localagent.cli import options, process
from localagent.cli.memory_open import NEWEST, Opened, duration, open_memory
from localagent.columns import pad
from localagent.errors import LocalAgentError, UsageError

if TYPE_CHECKING:
    from localagent.build import Workspace
    from localagent.build_memory import MemoryHome, MemoryStats
    from localagent.prune import Pruned

# Parked pieces that `stats` lists.
LISTED = 10
# Columns of what a row of `stats` is called.
ROOM = 11
# Messages that wait and are tried, to see what hinders.
MOST_TRIED = 3


def prune(
    context: typer.Context,
    dry_run: Annotated[bool, typer.Option("--dry-run", help="Show what would go, and change nothing.")] = False,
    delete: Annotated[bool, typer.Option("--delete", help="Delete for good what else would be archived.")] = False,
    threshold: Annotated[
        float | None,
        typer.Option("--threshold", min=0, max=1, help="What is kept less well than this; else the agent's."),
    ] = None,
    older_than: Annotated[
        str | None, typer.Option("--older-than", metavar="30d", help="Only what was written longer ago.")
    ] = None,
    agent: options.Agent = None,
    settings: options.Setting = None,
    yes: options.Yes = False,
    as_json: options.AsJson = False,
) -> None:
    """Archive what has faded (memory restore brings it back). Pinned entries and preferences stay."""
    from localagent.cli.output import print_json, print_text

    older_than_s = duration(older_than) if older_than is not None else None
    with open_memory(context, agent, settings) as opened:
        plan = opened.home.prune_plan(threshold=threshold, older_than_s=older_than_s)
        chosen = [one.memory for one in plan] or opened.home.memories.select(limit=NEWEST)
        language = opened.language_of(chosen)
        if not as_json:
            _print_plan(opened, plan, language)
        gone = 0
        if plan and not dry_run:
            question = say.DELETE(language, **process.numbered(len(plan), "entry", "entries"))
            if delete and not yes and not process.confirm(opened.env, question, default=False):
                raise UsageError(
                    "nothing was deleted", hint="" if opened.env.interactive else "Without a terminal say --yes."
                )
            gone = opened.home.prune(plan, delete=delete)
        if as_json:
            rows = [{**_row(one), "age_s": one.age_s} for one in plan]
            print_json(opened.env, {"plan": rows, "archived": 0 if delete else gone, "deleted": gone if delete else 0})
        elif plan:
            count = process.numbered(len(plan) if dry_run else gone, "entry", "entries")
            print_text(opened.env, say.PRUNED[delete, dry_run](language, **count))
        if gone:
            opened.settle(language)


def stats(
    context: typer.Context,
    agent: options.Agent = None,
    settings: options.Setting = None,
    as_json: options.AsJson = False,
) -> None:
    """Show how much is remembered, how well it is kept, and what waits or failed."""
    from localagent.cli.output import print_flowing, print_json
    from localagent.render_memory import bars
    from localagent.terminal import one_line

    with open_memory(context, agent, settings) as opened:
        counted, queue, parked = opened.home.stats(), opened.home.queue(), opened.home.parked(LISTED)
        if as_json:
            failed = [{"text": text, "error": error} for text, error in parked]
            told = {**asdict(counted), "waiting": opened.home.waiting(), "queue": asdict(queue), "parked": failed}
            told["unread_because"] = _unread_because(opened)
            print_json(opened.env, told)
            return
        language = opened.language_of(opened.home.memories.select(limit=NEWEST))
        figures = [*_figures(counted, language), ("queue", queue_text(opened.home, language))]
        if counted.reindexing is not None:
            figures.append(("reindex", reindexing_text(counted, language)))
        if why := _unread_because(opened):
            figures.append(("unread", unread_text(queue.unread, why, language)))
        if queue.parked:
            figures.append(("parked", say.MEND_AND_RETRY(language, count=queue.parked)))
        lines = [f"{pad(say.FIGURES[name](language), ROOM)}{value}" for name, value in figures]
        if queue.parked:
            lines += [f"  {one_line(text, 60)}: {one_line(error, 200)}" for text, error in parked]
        if any(counted.retention):
            lines += ["", say.HOW_WELL(language), *bars(counted.retention)]
        print_flowing(opened.env, "\n".join(lines))


def reindex(
    context: typer.Context,
    embedder: Annotated[
        str | None,
        typer.Option("--embedder", metavar="NAME", help="Change to it: embedded, ollama:MODEL, chroma:NAME or words."),
    ] = None,
    agent: options.Agent = None,
    settings: options.Setting = None,
    as_json: options.AsJson = False,
) -> None:
    """Build the index anew. With --embedder everything is embedded again; until that is done the old one is in use,
    and when it was stopped it goes on where it was."""
    from localagent.cli.output import print_json, print_text

    with open_memory(context, agent, settings) as opened:
        title = f"embedding with {embedder}" if embedder else "building the index"
        with process.progress_bar(opened.env, title, unit="pieces") as progress:
            if embedder is not None:
                opened.home.reindex(embedder, progress=progress, abort=opened.abort)
            else:
                opened.home.rebuild(progress=progress, abort=opened.abort)
        opened.settle(seconds=None)
        counted = opened.home.stats()
        if as_json:
            names = ("passages", "vectors", "embedder")
            print_json(opened.env, {name: getattr(counted, name) for name in names})
        else:
            with_what = counted.embedder or "nothing yet"
            pieces = process.counted(counted.passages, "piece")
            print_text(opened.env, f"{counted.vectors:,} of {pieces}, embedded with {with_what}")


def retry(
    context: typer.Context,
    agent: options.Agent = None,
    settings: options.Setting = None,
    as_json: options.AsJson = False,
) -> None:
    """Take up again what could not be embedded or indexed, and was parked."""
    from localagent.cli.output import print_json, print_text

    with open_memory(context, agent, settings) as opened:
        count = opened.home.retry()
        if as_json:
            print_json(opened.env, {"retried": count})
        else:
            print_text(opened.env, f"{count} taken up again" if count else "nothing was parked")
        opened.settle()


def queue_text(home: MemoryHome, language: Language = "en") -> str:
    """What waits, in words."""
    queue = home.queue()
    counts = (
        (queue.messages, "message", say.TO_CUT),
        (queue.unread, "message", say.TO_READ),
        (queue.passages, "piece", say.TO_EMBED),
        (queue.retrying, "failed piece", say.TO_RETRY),
    )
    waiting = [what(language, **process.numbered(count, one)) for count, one, what in counts if count]
    text = joined(waiting, language)
    # These are found all the same, so nobody waits for them.
    index = say.TO_INDEX(language, **process.numbered(queue.index, "change")) if queue.index else ""
    if not text:
        text = (say.NOTHING_TO_EMBED if index else say.NOTHING_WAITS)(language)
    return f"{text}{'；' if language == 'zh' else '; '}{index}" if index else text


def tell_unread(opened: Opened, language: Language) -> None:
    """That messages wait to be looked through and cannot be, and why."""
    if why := _unread_because(opened):
        process.say(opened.env, unread_text(opened.home.queue().unread, why, language))


def unread_text(count: int, why: str, language: Language = "en") -> str:
    return say.UNREAD(language, count=count, noun="message waits" if count == 1 else "messages wait", why=why)


def _unread_because(opened: Opened) -> str:
    waits = bool(opened.home.queue().unread)
    return reading_trouble(opened.home, opened.workspace) if waits else ""


def reading_trouble(home: MemoryHome, workspace: Workspace) -> str:
    """Why messages cannot be looked through, with the file and line: what the agent's policies say of those that wait
    longest, and of any. Empty if nothing hinders."""
    from localagent.policy import Said
    from localagent.spoken import spoken

    waiting = (workspace.ledger.message(message_id) for message_id in home.memories.unread(MOST_TRIED))
    tried = [spoken(message) for message in waiting if message is not None]
    try:
        for said in (*tried, Said("user", "I live in Oslo.", 0.0, 0)):
            home.policies.undecided(said, home.policies.importance(said, ()))
    except LocalAgentError as error:
        return str(error)
    return ""


def reindexing_text(counted: MemoryStats, language: Language = "en") -> str:
    """How far a change of the embedder has come that was stopped, or is under way elsewhere; empty if there is none."""
    reindexing = counted.reindexing
    if reindexing is None:
        return ""
    total, name = process.numbered(reindexing.total, "piece"), reindexing.name
    return say.REINDEXING(language, done=reindexing.done, total=total["count"], noun=total["noun"], name=name)


def index_text(counted: MemoryStats, language: Language = "en") -> str:
    return say.SMALL(language) if counted.index == say.SMALL("en") else counted.index


def _figures(counted: MemoryStats, language: Language) -> list[tuple[str, str]]:
    from localagent.cli.output import size

    def listed(counts: Mapping[str, int], name: Callable[[str], str]) -> str:
        order = sorted(counts.items(), key=lambda entry: -entry[1])
        told = (say.COUNTED(language, count=count, name=name(one)) for one, count in order if count)
        return joined(told, language) or say.NONE(language)

    sizes = {"ledger": size(counted.ledger_bytes), "index": size(counted.index_bytes)}
    return [
        ("entries", listed(counted.states, lambda state: say.STATES[state](language))),
        ("kinds", listed(counted.counts, lambda kind: kind_name(kind, language))),
        ("pieces", say.PIECES(language, passages=counted.passages, vectors=counted.vectors)),
        ("embedder", counted.embedder or say.NO_EMBEDDER(language)),
        ("index", index_text(counted, language)),
        ("size", say.SIZE(language, **sizes)),
    ]


def _print_plan(opened: Opened, plan: Sequence[Pruned], language: Language) -> None:
    from localagent.cli.output import print_table
    from localagent.render_memory import SHOWN, age
    from localagent.terminal import one_line

    if not plan:
        process.say(opened.env, say.NOTHING_FADED(language))
        return
    rows = [
        (
            one.memory.id,
            f"{one.retention.score:.2f}",
            kind_name(one.memory.kind, language),
            age(one.age_s, language),
            one_line(one.memory.text, SHOWN),
            say.reason_kept(one.retention.reason, language),
        )
        for one in plan
    ]
    names = ("id", "score", "kind", "written", "text", "why")
    print_table(opened.env, [say.HEADERS[name](language) for name in names], rows)


def _row(one: Pruned) -> dict[str, object]:
    memory = one.memory
    return {
        "id": memory.id,
        "kind": memory.kind,
        "text": memory.text,
        "score": one.retention.score,
        "reason": one.retention.reason,
    }
