"""`doctor`: what is installed, reachable and configured; each line with its remedy."""

from __future__ import annotations

import re
import shutil
from collections.abc import Iterator
from dataclasses import asdict, dataclass
from typing import TYPE_CHECKING, Literal

import typer

from localagent.abort import AbortSignal
from localagent.cli import options, process
from localagent.environment import Environment
from localagent.errors import ExitCode, LocalAgentError

if TYPE_CHECKING:
    from localagent.agent_folder import LoadedAgent
    from localagent.build import Workspace
    from localagent.build_memory import MemoryHome

# Less than this and the next download or write may fail.
LOW_DISK_BYTES = 500_000_000


@dataclass(frozen=True)
class Finding:
    """One line of the report. `remedy` is what to do about a warning or a failure."""

    level: Literal["ok", "warn", "fail"]
    subject: str
    text: str
    remedy: str = ""


def doctor(context: typer.Context, agent: options.Agent = None, as_json: options.AsJson = False) -> None:
    """Check the installation, the data folder, the configuration and the models. Fails if a line does."""
    from localagent.cli.output import print_json

    env = options.environment(context)
    findings = []
    for finding in examine(env, agent):
        findings.append(finding)
        if not as_json:
            print_finding(env, finding)
    if as_json:
        print_json(env, [asdict(finding) for finding in findings])
    if any(finding.level == "fail" for finding in findings):
        raise typer.Exit(ExitCode.CONFIG)


def print_finding(env: Environment, finding: Finding) -> None:
    from localagent.cli.output import print_text

    print_text(env, f"{finding.level:<5}{finding.subject}: {finding.text}")
    if finding.remedy:
        print_text(env, f"     -> {finding.remedy}")


def examine(env: Environment, agent: str | None) -> Iterator[Finding]:
    """The findings, one after the other; nothing raised on the way."""
    yield from _packages()
    yield from _home(env, agent)


def _packages() -> Iterator[Finding]:
    import importlib.metadata
    import platform

    from localagent import __version__

    yield Finding("ok", "localagent", f"{__version__}, Python {platform.python_version()} on {platform.platform()}")
    missing, found = [], []
    try:
        requirements = importlib.metadata.requires("localagent") or []
    except importlib.metadata.PackageNotFoundError:
        yield Finding("ok", "packages", "localagent runs from its source folder; they are not checked")
        return
    for name in (re.split(r"[^A-Za-z0-9_.-]", text)[0] for text in requirements if "extra ==" not in text):
        try:
            found.append(f"{name} {importlib.metadata.version(name)}")
        except importlib.metadata.PackageNotFoundError:
            missing.append(name)
    yield Finding("ok", "packages", ", ".join(found))
    if missing:
        yield Finding("fail", "packages", f"missing: {', '.join(missing)}", "Reinstall localagent with pip.")


def _home(env: Environment, agent: str | None) -> Iterator[Finding]:
    from localagent.build import open_workspace

    said: list[str] = []
    try:
        with open_workspace(env, say=said.append) as workspace:
            yield Finding("ok", "data folder", str(workspace.home.folder))
            yield from (Finding("warn", "data folder", text) for text in said)
            free = shutil.disk_usage(workspace.home.folder).free
            if free < LOW_DISK_BYTES:
                yield Finding("warn", "disk", f"{free // 1_000_000} MB free", "Free some space.")
            problems = workspace.ledger.integrity()
            threads = workspace.ledger.threads()
            count = sum(thread.messages for thread in threads)
            yield (
                Finding("ok", "ledger", f"{len(threads)} threads, {count} messages")
                if not problems
                else Finding(
                    "fail", "ledger", "; ".join(problems[:3]), f"Keep a copy of {workspace.home.ledger} and start anew."
                )
            )
            for failure in workspace.summary_failures():
                told = (
                    f"thread {failure.thread_id}: the model failed {failure.attempts} times in a row: {failure.error}"
                )
                yield Finding("warn", "summaries", told, f"localagent threads compact {failure.thread_id}")
            yield from _agent(env, workspace, agent)
    except LocalAgentError as error:
        yield _failure("data folder", error)


def _agent(env: Environment, workspace: Workspace, agent: str | None) -> Iterator[Finding]:
    from localagent.agent_folder import load_agent, load_tools

    try:
        loaded = load_agent(env, agent=agent, overrides={})
        yield Finding("ok", "agent", f"{loaded.config.name} ({loaded.path})")
        yield from (Finding("warn", "agent", text) for text in loaded.notices)
        tools = load_tools(loaded)
        yield Finding("ok", "tools", ", ".join(tools.tools) or "none")
        yield from (Finding("warn", "tools", text) for text in tools.notices)
    except LocalAgentError as error:
        yield _failure("agent", error)
        return
    yield from _servers(workspace, loaded)
    yield from _memory(workspace, loaded)
    yield from _models(workspace, loaded)


def _servers(workspace: Workspace, loaded: LoadedAgent) -> Iterator[Finding]:
    """They are started, as a conversation would."""
    if not loaded.config.mcp_servers:
        return
    from localagent.build_mcp import report
    from localagent.render import renderer_for

    try:
        for server in report(workspace, loaded, AbortSignal(), renderer_for(workspace.env).status):
            if server.state == "running":
                told = f"{process.counted(len(server.tools), 'tool')} ({server.where})"
                yield Finding("ok", f"mcp {server.name}", told)
            else:
                remedy = f"Mend mcp_servers.{server.name} in agent.yaml, or start what it needs."
                yield Finding("fail", f"mcp {server.name}", server.reason, remedy)
    except LocalAgentError as error:
        yield _failure("mcp", error)


def _memory(workspace: Workspace, loaded: LoadedAgent) -> Iterator[Finding]:
    """Counting proves nothing: what is indexed is searched for."""
    from localagent.cli.memory_care import queue_text, reading_trouble, reindexing_text, unread_text

    if not loaded.config.memory.enabled:
        yield Finding("ok", "memory", "switched off (memory.enabled)")
        return
    try:
        with workspace.memory(loaded) as home:
            stats, queue = home.stats(), home.queue()
            active = stats.states.get("active", 0)
            yield Finding(
                "ok",
                "memory",
                f"{process.counted(active, 'active entry', 'active entries')}, "
                f"{process.counted(stats.passages, 'piece')}, {stats.vectors:,} with a vector",
            )
            if stats.reindexing is not None:
                yield Finding("warn", "memory reindex", reindexing_text(stats))
            yield _embedder(home, stats.embedder)
            yield Finding("ok", "memory queue", queue_text(home))
            if why := reading_trouble(home, workspace):
                text = unread_text(queue.unread, why) if queue.unread else why
                yield Finding("fail", "memory reading", text, "Mend that file; what waits is looked through then.")
            if queue.parked:
                said = f"{process.counted(queue.parked, 'piece')} could not be indexed: {queue.last_error}"
                yield Finding("warn", "memory queue", said, "localagent memory retry")
            lost = home.verify(AbortSignal())
            found = f"{stats.index}; every piece is found by a search for it" if stats.vectors else stats.index
            yield (
                Finding(
                    "fail",
                    "memory index",
                    f"a search does not find {process.counted(len(lost), 'piece')}",
                    "localagent memory reindex",
                )
                if lost
                else Finding("ok", "memory index", found)
            )
    except LocalAgentError as error:
        yield _failure("memory", error)


def _embedder(home: MemoryHome, name: str) -> Finding:
    """A home keeps the embedder it began with: looking must not choose one."""
    if not name:
        return Finding("ok", "embedder", "none yet; the first thing that is remembered chooses it (memory.embedder)")
    trouble = home.load(AbortSignal())
    if not trouble:
        return Finding("ok", "embedder", name)
    return Finding("warn", "embedder", trouble, "Or change to another: localagent memory reindex --embedder NAME")


def _models(workspace: Workspace, loaded: LoadedAgent) -> Iterator[Finding]:
    config = loaded.config.model
    needs_ollama = config.provider == "ollama"
    try:
        server = workspace.ollama(config.base_url)
        version = server.probe()
        names = [model.name for model in server.installed()]
        yield Finding("ok", "ollama", f"{version} at {config.base_url}, models: {', '.join(names) or 'none'}")
    except LocalAgentError as error:
        level: Literal["fail", "warn"] = "fail" if needs_ollama else "warn"
        yield Finding(level, "ollama", error.message, error.hint)
    local = workspace.local_models()
    yield (
        Finding("ok", "embedded models", ", ".join(model.name for model in local))
        if local
        else Finding(
            "warn" if config.provider != "embedded" else "fail",
            "embedded models",
            "none in the data folder",
            "localagent models pull smollm2",
        )
    )
    try:
        plan = workspace.plan(loaded)
        yield Finding("warn" if plan.notice else "ok", "model", f"{plan.provider} {plan.title}", plan.notice)
    except LocalAgentError as error:
        yield _failure("model", error)


def _failure(subject: str, error: LocalAgentError) -> Finding:
    where = f"{error.where}: " if error.where else ""
    return Finding("fail", subject, where + error.message, error.hint)
