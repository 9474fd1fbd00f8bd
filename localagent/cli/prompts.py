"""`prompts`: what was really sent, and how each call ended."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict
from typing import TYPE_CHECKING, Annotated, cast

import typer

from localagent import bilingual_records as say
from localagent.bilingual import called
from localagent.cli import options, process
from localagent.errors import UsageError

if TYPE_CHECKING:
    from localagent.bilingual import Language
    from localagent.build import Workspace
    from localagent.environment import Environment
    from localagent.explain import History
    from localagent.explain_prompt import Prompt

app = typer.Typer(help="Look into the recorded prompts: one record for each call of a model.", no_args_is_help=True)

Record = Mapping[str, object]


@app.command("list")
def list_prompts(
    context: typer.Context,
    thread: Annotated[str | None, typer.Option("--thread", "-t", metavar="NAME", help="Only this thread.")] = None,
    limit: Annotated[int, typer.Option("--limit", "-n", min=1, help="Show at most this many.")] = 20,
    agent: options.Agent = None,
    as_json: options.AsJson = False,
) -> None:
    """List the newest prompt records, the newest first."""
    from localagent.build import open_workspace
    from localagent.cli.output import print_json, print_table, when
    from localagent.cli.threads import find

    env = options.environment(context)
    with open_workspace(env, say=lambda text: process.say(env, text)) as workspace:
        thread_id = find(workspace, thread, agent).id if thread is not None else None
        records = workspace.log.list(thread_id, limit)
    if as_json:
        print_json(env, records)
        return
    if not records:
        process.say(env, say.NO_PROMPTS(env.language))
        return
    language = _language(env, *records)
    rows = []
    for record in records:
        outcome = cast(Record, record.get("outcome") or {})
        mark = "" if record.get("exact") else "~"
        rows.append(
            (
                str(record["id"]),
                when(cast(float, record["created_at"])),
                str(record["model"]),
                f"{mark}{record['tokens']}/{record['window']}",
                _cached(outcome),
                called(say.ENDS, str(outcome["ended_by"]), language) if outcome else say.UNENDED(language),
                str(record["thread_id"]),
            )
        )
    names = ("id", "when", "model", "tokens", "cached", "ended by", "thread")
    print_table(env, [say.HEADERS[name](language) for name in names], rows)


@app.command("show")
def show(
    context: typer.Context,
    record_id: Annotated[
        str | None, typer.Argument(metavar="ID", help="A record, or the beginning of its id; the newest if not given.")
    ] = None,
    as_json: options.AsJson = False,
) -> None:
    """Show one prompt: its blocks, what was left out and why, how the call ended, and the exact text sent."""
    from localagent.build import open_workspace
    from localagent.cli.output import print_json, print_text
    from localagent.render_record import describe

    env = options.environment(context)
    with open_workspace(env, say=lambda text: process.say(env, text)) as workspace:
        record = _record(workspace, record_id)
    if as_json:
        print_json(env, record)
    else:
        print_text(env, describe(record, _language(env, record)))


@app.command("diff")
def diff(
    context: typer.Context,
    before: Annotated[
        str | None, typer.Argument(metavar="A", help="A record, or the beginning of its id; else the last but one.")
    ] = None,
    after: Annotated[
        str | None, typer.Argument(metavar="B", help="The one to compare it with; else A with the one before it.")
    ] = None,
    as_json: options.AsJson = False,
) -> None:
    """Say in words what changed from one prompt to another: blocks, messages, summary, memories, settings, and how
    much of the beginning a model's cache could spare."""
    from localagent.build import open_workspace
    from localagent.cli.output import print_json, print_text
    from localagent.explain_diff import compare, difference_lines
    from localagent.explain_prompt import read_prompt

    env = options.environment(context)
    with open_workspace(env, say=lambda text: process.say(env, text)) as workspace:
        if before is not None and after is not None:
            then, now = read_prompt(_record(workspace, before)), read_prompt(_record(workspace, after))
            earlier = _before(history_of(workspace, now.thread_id), now)
        else:
            now = read_prompt(_record(workspace, before))
            earlier = _before(history_of(workspace, now.thread_id), now)
            if earlier is None:
                raise UsageError(
                    f"there is no prompt before {now.id} in its thread to compare it with",
                    hint="Name two: localagent prompts diff A B",
                )
            then = earlier
    if then.id == now.id:
        raise UsageError(f"{now.id} is the same record twice", hint="Name two: localagent prompts diff A B")
    language = "en" if as_json else _language(env, now.raw, then.raw)
    found = compare(then, now, adjacent=earlier is not None and earlier.id == then.id, language=language)
    if as_json:
        print_json(env, asdict(found))
    else:
        print_text(env, "\n".join(difference_lines(found, language)))


@app.command("why")
def why(
    context: typer.Context,
    asked: Annotated[
        str | None,
        typer.Argument(metavar="TEXT", help="Some words, a memory's id, or #12 for a message; else the whole prompt."),
    ] = None,
    prompt_id: Annotated[
        str | None, typer.Option("--prompt", "-p", metavar="ID", help="This prompt; the newest if not given.")
    ] = None,
    as_json: options.AsJson = False,
) -> None:
    """Say in words why something was in a prompt, or was not, and what to do about it."""
    from localagent.bilingual import language_of
    from localagent.build import open_workspace
    from localagent.cli.output import print_json, print_text
    from localagent.explain import why as explain
    from localagent.explain_overview import explanation_lines, overview
    from localagent.explain_prompt import read_prompt

    env = options.environment(context)
    if asked is not None and not asked.strip():
        raise UsageError("there is nothing to explain", hint='As in: localagent prompts why "under 200 words"')
    with open_workspace(env, say=lambda text: process.say(env, text)) as workspace:
        prompt = read_prompt(_record(workspace, prompt_id))
        history = history_of(workspace, prompt.thread_id)
    if asked is None:
        lines = overview(prompt, history, "en" if as_json else _language(env, prompt.raw))
        print_json(env, {"prompt_id": prompt.id, "lines": lines}) if as_json else print_text(env, "\n".join(lines))
        return
    language = "en" if as_json else language_of(asked, otherwise=env.language)
    found = explain(asked, prompt, history, language)
    if as_json:
        print_json(env, {**asdict(found), "present": found.present})
    else:
        print_text(env, "\n".join(explanation_lines(found, language)))


def _language(env: Environment, *records: Record) -> Language:
    """In which the user wrote the newest of these prompts' requests."""
    from localagent.bilingual import language_of
    from localagent.explain_prompt import read_prompt

    said = (one.text for record in records for one in reversed(read_prompt(record).messages) if one.role == "user")
    return language_of(*said, otherwise=env.language)


def _record(workspace: Workspace, key: str | None) -> Record:
    """The record with this id or a beginning of it; without one, the newest of all. UsageError if there is none."""
    newest = workspace.log.list(None, 1)
    record = workspace.log.find(key) if key is not None else newest[0] if newest else None
    if record is not None:
        return record
    if not newest or key is None:
        raise UsageError(
            "no prompts are recorded yet", hint="Ask something; with log_prompts: false nothing is recorded."
        )
    raise UsageError(
        f"there is no prompt record {key!r}",
        hint="See: localagent prompts list. The oldest of a long thread are removed in time.",
    )


def history_of(workspace: Workspace, thread_id: str) -> History:
    """Everything that is recorded of a thread."""
    from localagent.explain import read_history

    return read_history(workspace.log.read(thread_id), workspace.log.compressions(thread_id))


def _before(history: History, prompt: Prompt) -> Prompt | None:
    at = next((at for at, one in enumerate(history.prompts) if one.id == prompt.id), 0)
    return history.prompts[at - 1] if at else None


def _cached(outcome: Record) -> str:
    usage = cast(Record, outcome.get("usage") or {})
    cached, read = usage.get("cached_tokens"), usage.get("prompt_tokens")
    return f"{cached / read:.0%}" if isinstance(cached, int) and isinstance(read, int) and read else "-"
