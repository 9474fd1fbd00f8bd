"""`doctor`: what is installed, reachable and configured; each line with its remedy."""

from __future__ import annotations

import re
import shutil
from collections.abc import Iterator
from dataclasses import asdict, dataclass
from typing import TYPE_CHECKING, Literal

import typer

from localagent import bilingual_doctor as say
from localagent.abort import AbortSignal
from localagent.bilingual import Language, called
from localagent.bilingual_said import in_language
from localagent.cli import options, process
from localagent.columns import pad
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
    for finding in examine(env, agent, "en" if as_json else env.language):
        findings.append(finding)
        if not as_json:
            print_finding(env, finding)
    if as_json:
        print_json(env, [asdict(finding) for finding in findings])
    if any(finding.level == "fail" for finding in findings):
        raise typer.Exit(ExitCode.CONFIG)


def print_finding(env: Environment, finding: Finding) -> None:
    from localagent.cli.output import print_text

    level = pad(say.LEVELS[finding.level](env.language), 5)
    subject = called(say.SUBJECTS, finding.subject, env.language)
    print_text(env, say.LINE(env.language, level=level, subject=subject, text=finding.text))
    if finding.remedy:
        print_text(env, f"     -> {finding.remedy}")


def examine(env: Environment, agent: str | None, language: Language) -> Iterator[Finding]:
    """The findings, one after the other; nothing raised on the way."""
    yield from _packages(language)
    yield from _home(env, agent, language)


def _packages(language: Language) -> Iterator[Finding]:
    import importlib.metadata
    import platform

    from localagent import __version__

    versions = {"version": __version__, "python": platform.python_version(), "platform": platform.platform()}
    yield Finding("ok", "localagent", say.PROGRAM(language, **versions))
    missing, found = [], []
    try:
        requirements = importlib.metadata.requires("localagent") or []
    except importlib.metadata.PackageNotFoundError:
        yield Finding("ok", "packages", say.UNCHECKED(language))
        return
    for name in (re.split(r"[^A-Za-z0-9_.-]", text)[0] for text in requirements if "extra ==" not in text):
        try:
            found.append(f"{name} {importlib.metadata.version(name)}")
        except importlib.metadata.PackageNotFoundError:
            missing.append(name)
    yield Finding("ok", "packages", ", ".join(found))
    if missing:
        yield Finding("fail", "packages", say.LACKING(language, names=", ".join(missing)), say.REINSTALL(language))


def _home(env: Environment, agent: str | None, language: Language) -> Iterator[Finding]:
    from localagent.build import open_workspace

    said: list[str] = []
    try:
        with open_workspace(env, say=said.append) as workspace:
            yield Finding("ok", "data folder", str(workspace.home.folder))
            yield from (Finding("warn", "data folder", in_language(text, language)) for text in said)
            free = shutil.disk_usage(workspace.home.folder).free
            if free < LOW_DISK_BYTES:
                yield Finding("warn", "disk", say.FREE(language, count=free // 1_000_000), say.FREE_SOME(language))
            problems = workspace.ledger.integrity()
            threads = workspace.ledger.threads()
            count = sum(thread.messages for thread in threads)
            yield (
                Finding("ok", "ledger", say.COUNTS(language, threads=len(threads), messages=count))
                if not problems
                else Finding(
                    "fail", "ledger", "; ".join(problems[:3]), say.KEEP_COPY(language, path=workspace.home.ledger)
                )
            )
            for failure in workspace.summary_failures():
                error_text = in_language(failure.error, language)
                told = say.SUMMARY_FAILED(language, thread=failure.thread_id, count=failure.attempts, error=error_text)
                yield Finding("warn", "summaries", told, f"localagent threads compact {failure.thread_id}")
            yield from _agent(env, workspace, agent, language)
    except LocalAgentError as error:
        yield _failure("data folder", error, language)


def _agent(env: Environment, workspace: Workspace, agent: str | None, language: Language) -> Iterator[Finding]:
    from localagent.agent_folder import load_agent, load_tools

    try:
        loaded = load_agent(env, agent=agent, overrides={})
        yield Finding("ok", "agent", f"{loaded.config.name} ({loaded.path})")
        yield from (Finding("warn", "agent", in_language(text, language)) for text in loaded.notices)
        tools = load_tools(loaded)
        yield Finding("ok", "tools", ", ".join(tools.tools) or say.NONE(language))
        yield from (Finding("warn", "tools", in_language(text, language)) for text in tools.notices)
    except LocalAgentError as error:
        yield _failure("agent", error, language)
        return
    yield from _servers(workspace, loaded, language)
    yield from _memory(workspace, loaded, language)
    yield from _models(workspace, loaded, language)


def _servers(workspace: Workspace, loaded: LoadedAgent, language: Language) -> Iterator[Finding]:
    """They are started, as a conversation would."""
    if not loaded.config.mcp_servers:
        return
    from localagent.build_mcp import report
    from localagent.render import renderer_for

    try:
        for server in report(workspace, loaded, AbortSignal(), renderer_for(workspace.env).status):
            if server.state == "running":
                told = say.SERVER_TOOLS(language, **process.numbered(len(server.tools), "tool"), where=server.where)
                yield Finding("ok", f"mcp {server.name}", told)
            else:
                reason = in_language(server.reason, language)
                yield Finding("fail", f"mcp {server.name}", reason, say.MEND_SERVER(language, name=server.name))
    except LocalAgentError as error:
        yield _failure("mcp", error, language)


def _memory(workspace: Workspace, loaded: LoadedAgent, language: Language) -> Iterator[Finding]:
    """Counting proves nothing: what is indexed is searched for."""
    from localagent.cli.memory_care import index_text, queue_text, reading_trouble, reindexing_text, unread_text

    if not loaded.config.memory.enabled:
        yield Finding("ok", "memory", say.SWITCHED_OFF(language))
        return
    try:
        with workspace.memory(loaded) as home:
            stats, queue = home.stats(), home.queue()
            entries = say.ACTIVE(language, **process.numbered(stats.states.get("active", 0), "entry", "entries"))
            pieces = say.PIECES(language, **process.numbered(stats.passages, "piece"))
            told = say.ENTRIES(language, entries=entries, pieces=pieces, vectors=stats.vectors)
            yield Finding("ok", "memory", told)
            if stats.reindexing is not None:
                yield Finding("warn", "memory reindex", reindexing_text(stats, language))
            yield _embedder(home, stats.embedder, language)
            yield Finding("ok", "memory queue", queue_text(home, language))
            if why := reading_trouble(home, workspace):
                text = unread_text(queue.unread, why, language) if queue.unread else why
                yield Finding("fail", "memory reading", text, say.MEND_FILE(language))
            if queue.parked:
                parked = process.numbered(queue.parked, "piece")
                said = say.NOT_INDEXED(language, **parked, error=in_language(queue.last_error, language))
                yield Finding("warn", "memory queue", said, "localagent memory retry")
            lost = home.verify(AbortSignal())
            index = index_text(stats, language)
            found = say.EVERY_PIECE(language, index=index) if stats.vectors else index
            yield (
                Finding(
                    "fail",
                    "memory index",
                    say.NOT_FOUND(language, **process.numbered(len(lost), "piece")),
                    "localagent memory reindex",
                )
                if lost
                else Finding("ok", "memory index", found)
            )
    except LocalAgentError as error:
        yield _failure("memory", error, language)


def _embedder(home: MemoryHome, name: str, language: Language) -> Finding:
    """A home keeps the embedder it began with: looking must not choose one."""
    if not name:
        return Finding("ok", "embedder", say.NO_EMBEDDER(language))
    trouble = home.load(AbortSignal())
    if not trouble:
        return Finding("ok", "embedder", name)
    return Finding("warn", "embedder", in_language(trouble, language), say.OR_CHANGE(language))


def _models(workspace: Workspace, loaded: LoadedAgent, language: Language) -> Iterator[Finding]:
    config = loaded.config.model
    needs_ollama = config.provider == "ollama"
    try:
        server = workspace.ollama(config.base_url)
        version = server.probe()
        names = [model.name for model in server.installed()]
        models = ", ".join(names) or say.NONE(language)
        yield Finding("ok", "ollama", say.OLLAMA(language, version=version, url=config.base_url, names=models))
    except LocalAgentError as error:
        level: Literal["fail", "warn"] = "fail" if needs_ollama else "warn"
        what, hint = in_language(error.message, language), in_language(error.hint, language)
        yield Finding(level, "ollama", what, hint)
    local = workspace.local_models()
    yield (
        Finding("ok", "embedded models", ", ".join(model.name for model in local))
        if local
        else Finding(
            "warn" if config.provider != "embedded" else "fail",
            "embedded models",
            say.NO_MODELS(language),
            "localagent models pull smollm2",
        )
    )
    try:
        plan = workspace.plan(loaded)
        yield Finding(
            "warn" if plan.notice else "ok",
            "model",
            f"{plan.provider} {plan.title}",
            in_language(plan.notice, language),
        )
    except LocalAgentError as error:
        yield _failure("model", error, language)


def _failure(subject: str, error: LocalAgentError, language: Language) -> Finding:
    what, hint = in_language(error.message, language), in_language(error.hint, language)
    return Finding("fail", subject, say.FAULT(language, where=error.where, what=what) if error.where else what, hint)
