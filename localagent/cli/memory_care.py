"""`memory prune`, `stats`, `reindex` and `retry`: keeping memory in order."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import asdict
from typing import TYPE_CHECKING, Annotated

import typer

from localagent.cli import options, process
from localagent.cli.memory_open import Opened, duration, entries, open_memory
from localagent.errors import LocalAgentError, UsageError

if TYPE_CHECKING:
    from localagent.build import Workspace
    from localagent.build_memory import MemoryHome, MemoryStats
    from localagent.prune import Pruned

# Parked pieces that `stats` lists.
LISTED = 10
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
        if not as_json:
            _print_plan(opened, plan)
        gone = 0
        if plan and not dry_run:
            question = f"Delete {entries(len(plan))} for good?"
            if delete and not yes and not process.confirm(opened.env, question, default=False):
                raise UsageError(
                    "nothing was deleted", hint="" if opened.env.interactive else "Without a terminal say --yes."
                )
            gone = opened.home.prune(plan, delete=delete)
        done = "deleted" if delete else "archived"
        if as_json:
            rows = [{**_row(one), "age_s": one.age_s} for one in plan]
            print_json(opened.env, {"plan": rows, "archived": 0 if delete else gone, "deleted": gone if delete else 0})
        elif plan:
            print_text(opened.env, f"{entries(len(plan))} would be {done}" if dry_run else f"{done} {entries(gone)}")
        if gone:
            opened.settle()


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
        lines = [*_figures(counted), f"{'queue':<11}{queue_text(opened.home)}"]
        if counted.reindexing is not None:
            lines.append(f"{'reindex':<11}{reindexing_text(counted)}")
        if why := _unread_because(opened):
            lines.append(f"{'unread':<11}{unread_text(queue.unread, why)}")
        if queue.parked:
            lines.append(f"{'parked':<11}{queue.parked}; once it is mended: localagent memory retry")
            lines += [f"  {one_line(text, 60)}: {one_line(error, 200)}" for text, error in parked]
        if any(counted.retention):
            lines += [
                "",
                "how well the active entries are kept, 0 to 1 (what fades goes with memory prune):",
                *bars(counted.retention),
            ]
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


def queue_text(home: MemoryHome) -> str:
    """What waits, in words."""
    queue = home.queue()
    waiting = [
        (queue.messages, "message", "to be cut into pieces"),
        (queue.unread, "message", "to be looked through"),
        (queue.passages, "piece", "to be embedded"),
        (queue.retrying, "failed piece", "to be tried again"),
    ]
    text = ", ".join(f"{process.counted(count, one)} {what}" for count, one, what in waiting if count)
    # These are found all the same, so nobody waits for them.
    index = f"{process.counted(queue.index, 'change')} still to go into the index" if queue.index else ""
    if not text:
        return f"nothing waits to be embedded; {index}" if index else "nothing waits"
    return f"{text}; {index}" if index else text


def tell_unread(opened: Opened) -> None:
    """That messages wait to be looked through and cannot be, and why."""
    if why := _unread_because(opened):
        process.say(opened.env, unread_text(opened.home.queue().unread, why))


def unread_text(count: int, why: str) -> str:
    wait = "message waits" if count == 1 else "messages wait"
    return f"{count:,} {wait} to be looked through, and nothing is noted of them until this is mended: {why}"


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


def reindexing_text(counted: MemoryStats) -> str:
    """How far a change of the embedder has come that was stopped, or is under way elsewhere; empty if there is none."""
    reindexing = counted.reindexing
    if reindexing is None:
        return ""
    done = f"{reindexing.done:,} of {process.counted(reindexing.total, 'piece')} embedded with {reindexing.name} so far"
    return f"{done}; the old embedder is in use. To go on: localagent memory reindex --embedder {reindexing.name}"


def _figures(counted: MemoryStats) -> list[str]:
    from localagent.cli.output import size

    def listed(counts: Mapping[str, int]) -> str:
        order = sorted(counts.items(), key=lambda entry: -entry[1])
        return ", ".join(f"{count} {name}" for name, count in order if count) or "none"

    return [
        f"{'entries':<11}{listed(counted.states)}",
        f"{'kinds':<11}{listed(counted.counts)}",
        f"{'pieces':<11}{counted.passages:,} of entries and messages can be found, {counted.vectors:,} by meaning too",
        f"{'embedder':<11}{counted.embedder or 'none yet'}",
        f"{'index':<11}{counted.index}",
        f"{'size':<11}ledger {size(counted.ledger_bytes)}, index {size(counted.index_bytes)}",
    ]


def _print_plan(opened: Opened, plan: Sequence[Pruned]) -> None:
    from localagent.cli.output import print_table
    from localagent.render_memory import SHOWN, age
    from localagent.terminal import one_line

    if not plan:
        process.say(opened.env, "nothing has faded; how well entries are kept: localagent memory stats")
        return
    rows = [
        (
            one.memory.id,
            f"{one.retention.score:.2f}",
            one.memory.kind,
            age(one.age_s),
            one_line(one.memory.text, SHOWN),
            one.retention.reason,
        )
        for one in plan
    ]
    print_table(opened.env, ("id", "score", "kind", "written", "text", "why"), rows)


def _row(one: Pruned) -> dict[str, object]:
    memory = one.memory
    return {
        "id": memory.id,
        "kind": memory.kind,
        "text": memory.text,
        "score": one.retention.score,
        "reason": one.retention.reason,
    }
