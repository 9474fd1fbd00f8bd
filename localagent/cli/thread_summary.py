"""`threads summary` and `threads compact`: what older messages of a thread are shortened to."""

from __future__ import annotations

from contextlib import ExitStack
from dataclasses import asdict
from typing import TYPE_CHECKING, Annotated

import typer

from localagent.cli import options, process
from localagent.cli.threads import Key, find, language_of_thread
from localagent.errors import UsageError

if TYPE_CHECKING:
    from localagent.abort import AbortSignal
    from localagent.agent_folder import LoadedAgent
    from localagent.build import Workspace
    from localagent.environment import Environment
    from localagent.memory.base import Thread


def summary(
    context: typer.Context,
    thread: Annotated[
        str | None, typer.Argument(metavar="THREAD", help="A name or an id; the last one if not given.")
    ] = None,
    versions: Annotated[bool, typer.Option("--versions", help="List every version there was.")] = False,
    agent: options.Agent = None,
    as_json: options.AsJson = False,
) -> None:
    """Show what the older messages of a thread are shortened to, line by line, each with its message."""
    from localagent.bilingual import language_of_most
    from localagent.bilingual_records import HEADERS as NAMES
    from localagent.bilingual_shown import NO_SUMMARY
    from localagent.build import open_workspace
    from localagent.cli.memory_open import NEWEST
    from localagent.cli.output import print_json, print_table, print_text
    from localagent.render_summary import HEADERS, describe, rows

    env = options.environment(context)
    with open_workspace(env, say=lambda text: process.say(env, text)) as workspace:
        found = find(workspace, thread, agent) if thread is not None else _last(workspace, agent)
        stored = workspace.summaries(found)
    current = next((one for one in stored if one.state == "active"), None)
    newest = current or (stored[0] if stored else None)
    lines = [item.text for item in newest.items[-NEWEST:]] if newest is not None else []
    language = language_of_most(lines, language_of_thread(env, found))
    if as_json:
        print_json(env, [asdict(one) for one in stored] if versions else current and asdict(current))
    elif versions and stored:
        print_table(env, [NAMES[name](language) for name in HEADERS], rows(stored, language))
    elif current is not None:
        print_text(env, describe(current, language))
    else:
        process.say(env, NO_SUMMARY(language))


def compact(
    context: typer.Context,
    thread: Key,
    rollback: Annotated[
        bool, typer.Option("--rollback", help="Take the last version back; the one before it counts again.")
    ] = False,
    agent: options.Agent = None,
    model: options.Model = None,
    settings: options.Setting = None,
) -> None:
    """Summarise a thread now, all but its newest exchange."""
    from localagent.agent_folder import load_agent
    from localagent.bilingual_records import VERSION_TAKEN_BACK
    from localagent.build import open_workspace

    env = options.environment(context)
    with process.stop_on_signals() as abort, open_workspace(env, say=lambda text: process.say(env, text)) as workspace:
        found = find(workspace, thread, agent)
        if rollback:
            gone = workspace.roll_back_summary(found)
            if gone is None:
                raise UsageError("there is no summary to take back", hint="See: localagent threads summary --versions")
            process.say(env, VERSION_TAKEN_BACK(language_of_thread(env, found), version=gone.version))
        else:
            loaded = load_agent(env, agent=agent, overrides=process.overrides(settings, model))
            _compact(env, workspace, found, loaded, abort)


def _compact(
    env: Environment,
    workspace: Workspace,
    thread: Thread,
    loaded: LoadedAgent,
    abort: AbortSignal,
) -> None:
    from localagent.events import Notice

    with ExitStack() as stack:
        model = stack.enter_context(
            workspace.model(
                loaded,
                abort=abort,
                confirm=lambda text, likely: process.confirm(env, text, default=likely),
                bar=lambda what: process.progress_bar(env, what),
            )
        )
        memory = stack.enter_context(workspace.memory(loaded)) if loaded.config.memory.enabled else None
        conversation = workspace.conversation(loaded, model, thread, memory=memory)
        for event in conversation.compact(abort=abort):
            if isinstance(event, Notice):
                process.say(env, event.text)


def add_to(app: typer.Typer) -> None:
    """As commands of the group for threads."""
    app.command("summary")(summary)
    app.command("compact")(compact)


def _last(workspace: Workspace, agent: str | None) -> Thread:
    loaded = workspace.agent(agent)
    found = workspace.threads(loaded).last_thread(loaded.config.name)
    if found is None:
        raise UsageError("there is no thread yet", hint="localagent chat begins one.")
    return found
