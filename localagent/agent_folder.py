"""Finding, loading and copying agents. An agent is a folder: `agent.yaml`, `tools/*.py`, `policies/*.py`."""

from __future__ import annotations

import shlex
import shutil
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import TYPE_CHECKING

from localagent.agent_files import (
    AGENT_FILE,
    CODE_FOLDERS,
    AgentFiles,
    absolute,
    bundled_folder,
    read_file,
    take_snapshot,
)
from localagent.environment import Environment
from localagent.errors import ConfigError, InternalError
from localagent.yaml_source import parse, shown

if TYPE_CHECKING:
    from localagent.calls import ApprovalPolicy
    from localagent.config import AgentConfig
    from localagent.messages import JsonValue
    from localagent.overrides import Override
    from localagent.policy import Policies
    from localagent.quality import Mechanisms
    from localagent.tool import Tool

# What the files of policies/ may decide. The first are those of memory, the fields of `Policies`.
MEMORY_POLICIES = ("importance", "recall", "retention", "summarization", "undecided")
POLICIES = (*MEMORY_POLICIES, "approval", "completion")
MODEL_KEY, MODEL_FLAG = "model.model_name", "flag --model"
MAX_LISTED = 5


@dataclass(frozen=True)
class LoadedAgent:
    """A valid configuration and where it came from.

    `origins` has every dotted key: `agent.yaml:7:5`, `LOCALAGENT_MODEL_SEED`, `flag --set` or `default`. `notices`
    are lines for the user. `files` is what its code will be read from. `places`: of the entries of each list, and of
    sections with names of their own. `agents`: those that it may ask, by name.
    """

    config: AgentConfig
    path: Path
    folder: Path
    files: AgentFiles
    origins: Mapping[str, str]
    notices: tuple[str, ...] = ()
    places: Mapping[str, Sequence[str]] = field(default_factory=dict)
    agents: Mapping[str, LoadedAgent] = field(default_factory=dict)


@dataclass(frozen=True)
class LoadedTools:
    """Tools by name, in the order of `tools:`, and lines for the user about files that are gone since."""

    tools: Mapping[str, Tool]
    notices: tuple[str, ...] = ()


def load_agent(
    env: Environment, *, agent: str | None = None, overrides: Mapping[str, str] | None = None
) -> LoadedAgent:
    """Find the agent and read its configuration; none of its code is run.

    `agent` is a file or folder the user named. Without it: LOCALAGENT_AGENT, `agent.yaml` of the current folder if
    that is trusted, the user's own configuration folder, the bundled default. `overrides` are flags: dotted keys and
    texts. Raises ConfigError: the first fault, with the others in its hint.
    """
    loaded, problems, _ = _load(env, agent, overrides or {})
    if loaded is None:
        raise _combined(problems)
    return loaded


def load_tools(agent: LoadedAgent) -> LoadedTools:
    """Run the files of the tools that the configuration names. Raises ConfigError with the file and line."""
    bundled = AgentFiles(bundled_folder())
    sources = {name: _source_of(f"tools/{name}.py", agent.files, bundled) for name in agent.config.tools}
    present = {name: files for name, files in sources.items() if files is not None}
    notices = tuple(
        f"tools/{name}.py is not there any more; the tool is not offered" for name in sources if name not in present
    )
    if not present:
        return LoadedTools({}, notices)
    from localagent.agent_tools import load_tool_files

    return LoadedTools(load_tool_files(present), notices)


def load_policies(agent: LoadedAgent) -> Policies:
    """Run the policy files: the agent's own, and the bundled one where it has none. Raises ConfigError with the file
    and line, now or, for what goes wrong in a policy later, when it is asked."""
    from localagent.agent_tools import load_policy_files

    found = _memory_policies(agent)
    # The bundled ones have no faults to be told of.
    late = all(_is_bundled(found[name]) for name in ("importance", "summarization", "undecided") if name in found)
    return load_policy_files(found, late=late)


def load_approval(agent: LoadedAgent) -> ApprovalPolicy:
    """Run `policies/approval.py`, as `load_policies` does the others."""
    from localagent.agent_tools import load_approval_file

    return load_approval_file(_policy_source(agent, "approval"))


def load_mechanisms(agent: LoadedAgent) -> Mechanisms:
    """Run `policies/completion.py`, as `load_policies` does the others; the bundled one only if something of it was
    chosen. ConfigError also for what agent.yaml chose and the file does not offer."""
    files, loop = _policy_source(agent, "completion"), agent.config.loop
    chosen = loop.stop_when or loop.output_processors or agent.config.completion.scorers
    if not chosen and files.folder == bundled_folder():
        from localagent.quality import Mechanisms

        return Mechanisms()
    from localagent.agent_mechanisms import chosen_in_vain, load_mechanisms_file

    mechanisms = load_mechanisms_file(files)
    faults = list(chosen_in_vain(agent.config, agent.places, mechanisms))
    if faults:
        raise _combined(faults)
    return mechanisms


def recalls_alike(one: LoadedAgent, other: LoadedAgent) -> bool:
    """Whether the memory of one is that of the other: the same tenant in the same place, by the same policies."""
    mine, theirs = one.config.memory, other.config.memory
    return (
        (mine.tenant, mine.embedder, mine.archive_below, one.config.chroma)
        == (theirs.tenant, theirs.embedder, theirs.archive_below, other.config.chroma)
    ) and _policy_folders(one) == _policy_folders(other)


def _policy_folders(agent: LoadedAgent) -> dict[str, Path]:
    return {name: files.folder for name, files in _memory_policies(agent).items()}


def _memory_policies(agent: LoadedAgent) -> dict[str, AgentFiles]:
    """Where each is. The bundled `undecided` is of the bundled `importance`: it has no say of what another one leaves
    out, and then there is none."""
    found = {name: _policy_source(agent, name) for name in MEMORY_POLICIES}
    if _is_bundled(found["undecided"]) and not _is_bundled(found["importance"]):
        del found["undecided"]
    return found


def _is_bundled(files: AgentFiles) -> bool:
    return files.folder == bundled_folder()


def _policy_source(agent: LoadedAgent, name: str) -> AgentFiles:
    """The folder that has it: the agent's own, else the bundled one."""
    bundled = AgentFiles(bundled_folder())
    files = _source_of(f"policies/{name}.py", agent.files, bundled)
    if files is None:
        raise InternalError(f"policies/{name}.py is missing from this installation", where=shown(str(bundled.folder)))
    return files


def look(
    env: Environment, *, agent: str | None = None, overrides: Mapping[str, str] | None = None
) -> tuple[LoadedAgent | None, list[ConfigError], list[str]]:
    """As `load_agent`, without an end at the first fault: the agent, None if anything is wrong with it; each fault by
    itself; and the notices."""
    try:
        return _load(env, agent, overrides or {})
    except ConfigError as error:
        return None, [error], []


def describe_config(agent: LoadedAgent) -> list[tuple[str, JsonValue, str]]:
    """Dotted key, effective value and origin, in the order of the schema."""
    from localagent.config import leaves, value_of

    return [(key, value_of(agent.config, key), agent.origins[key]) for key in leaves()]


def copy_default(env: Environment, folder: Path) -> list[Path]:
    """Copy the bundled agent into a new folder, or one without an agent, and trust the copy. Returns the new files.

    Raises ConfigError when something would be overwritten, StorageError when it cannot be written.
    """
    from localagent.files import storage_errors
    from localagent.trust import trust

    target = absolute(env, str(folder))
    for name in (AGENT_FILE, *CODE_FOLDERS):
        path = target / name
        if path.is_symlink() or path.is_file() or (path.is_dir() and any(path.iterdir())):
            raise ConfigError(
                "is already there", where=shown(str(path)), hint="Name another folder; nothing was copied"
            )
    source = bundled_folder()
    copied = []
    with storage_errors(target, "copy the default agent"):
        for path in (
            source / AGENT_FILE,
            *(path for name in CODE_FOLDERS for path in sorted((source / name).iterdir())),
        ):
            if path.suffix in (".yaml", ".py", ".md"):
                destination = target / path.relative_to(source)
                destination.parent.mkdir(parents=True, exist_ok=True)
                shutil.copyfile(path, destination)
                copied.append(destination)
    trust(env, target)
    return copied


def _load(
    env: Environment, agent: str | None, flags: Mapping[str, str]
) -> tuple[LoadedAgent | None, list[ConfigError], list[str]]:
    """The agent or what is wrong with it, and the notices."""
    from localagent.overrides import Override, overrides_of

    path, files, notices = _find(env, agent)
    given, more = overrides_of(env.variables)
    given += [Override(key, text, MODEL_FLAG if key == MODEL_KEY else "flag --set") for key, text in flags.items()]
    loaded, problems, found = read_agent(env, path, files, given)
    notices += [*more, *found]
    return loaded and replace(loaded, notices=tuple(notices)), problems, notices


def read_agent(
    env: Environment, path: Path, files: AgentFiles, given: Sequence[Override], above: Sequence[LoadedAgent] = ()
) -> tuple[LoadedAgent | None, list[ConfigError], list[str]]:
    """The agent whose file is `path`, with those that it may ask, or what is wrong with it; and notices. `given` goes
    before what the file says. `above`: the agents that ask it, the one that a person talks to first."""
    from localagent.overrides import evaluate

    source = files.read(AGENT_FILE) if files.snapshot is not None else None
    try:
        document = parse(read_file(path) if source is None else source)
    except ConfigError as error:
        return None, [error], []
    evaluation = evaluate(document, shown(str(path)), given)
    problems = [ConfigError(problem.message, where=problem.where) for problem in evaluation.problems]
    notices = [
        f"policies/{name}.py is not used: the policies are {', '.join(POLICIES)}"
        for name in files.code_names("policies")
        if name not in POLICIES
    ]
    config = evaluation.config
    if config is None:
        return None, problems, notices
    bundled = AgentFiles(bundled_folder())
    for index, name in enumerate(config.tools):
        if _source_of(f"tools/{name}.py", files, bundled) is None:
            problems.append(_no_such_tool(name, evaluation.places["tools"][index], files, bundled))
    problems += _not_offered(config, evaluation.places)
    loaded = LoadedAgent(config, path, path.parent, files, evaluation.origins, (), evaluation.places)
    if above or config.agents:
        from localagent.sub_agents import like_caller, load_sub_agents

        loaded = like_caller(loaded, above[-1]) if above else loaded
        agents, faults, told = load_sub_agents(env, loaded, above)
        loaded = replace(loaded, agents=agents)
        problems += faults
        notices += told
    return (None if problems else loaded), problems, notices


def _combined(problems: Sequence[ConfigError]) -> ConfigError:
    first, *others = problems
    if not others:
        return first
    listed = "; ".join(str(error) for error in others[:MAX_LISTED])
    rest = f"; and {len(others) - MAX_LISTED} more" if len(others) > MAX_LISTED else ""
    hint = f"{first.hint}. " if first.hint else ""
    return ConfigError(first.message, where=first.where, hint=f"{hint}Also: {listed}{rest}")


def _source_of(name: str, own: AgentFiles, bundled: AgentFiles) -> AgentFiles | None:
    """The folder that has the file: the agent's own before the bundled one."""
    return next((files for files in (own, bundled) if files.has_file(name)), None)


def _no_such_tool(name: str, where: str, own: AgentFiles, bundled: AgentFiles) -> ConfigError:
    from localagent.overrides import nearest, subject

    names = sorted({*own.code_names("tools"), *bundled.code_names("tools")})
    closest = nearest(name, names)
    said = f"the nearest one there is {closest}" if closest else f"there are {', '.join(names)}"
    return ConfigError(f"{subject('tools', where)}there is no tools/{name}.py; {said}", where=where)


def _not_offered(config: AgentConfig, places: Mapping[str, Sequence[str]]) -> Iterator[ConfigError]:
    """Tools without which no answer counts, and which no answer can have."""
    from localagent.overrides import nearest, subject

    required = config.completion.required_tools
    for name, where in zip(required, places["completion.required_tools"], strict=True):
        served = any(name.startswith(f"{server.name}_") for server in config.mcp_servers)
        there = [*config.tools, *(agent.name for agent in config.agents)]
        if name not in there and not served:
            closest = nearest(name, there)
            said = f"; the nearest one there is {closest}" if closest else ""
            about = subject("completion.required_tools", where)
            yield ConfigError(f"{about}{name} is not among the agent's tools{said}", where=where)


def _find(env: Environment, agent: str | None) -> tuple[Path, AgentFiles, list[str]]:
    """The agent's file, what its code is read from, and notices: by name, or in the order of discovery."""
    by, named = ("--agent", agent) if agent is not None else ("LOCALAGENT_AGENT", env.variables.get("LOCALAGENT_AGENT"))
    if agent is not None or named:
        path = _named(env, named or "", by)
        return path, AgentFiles(path.parent), []
    bundled = bundled_folder()
    notices: list[str] = []
    if _exists(env.cwd / AGENT_FILE):
        if any(_same(env.cwd, own) for own in (bundled, env.config_dir)):
            return env.cwd / AGENT_FILE, AgentFiles(env.cwd), []
        files, reason = trusted_files(env, env.cwd)
        if files is not None:
            return env.cwd / AGENT_FILE, files, []
        # The command stands first: a long list of files may be cut.
        notices = [f"./{AGENT_FILE} is not used until you read it and run `localagent trust .`: its folder {reason}"]
    folder = env.config_dir if _exists(env.config_dir / AGENT_FILE) else bundled
    return folder / AGENT_FILE, AgentFiles(folder), notices


def _named(env: Environment, named: str, by: str) -> Path:
    path = absolute(env, named) if named else None
    if path is None or not _exists(path):
        raise ConfigError(f"there is no file or folder {shown(named[:300])!r}", where=by)
    if not path.is_dir():
        return path
    if not _exists(path / AGENT_FILE):
        hint = f"Make one with: localagent init {shlex.quote(shown(named))}"
        raise ConfigError(f"the folder {shown(named)!r} has no {AGENT_FILE}", where=by, hint=hint)
    return path / AGENT_FILE


def trusted_files(env: Environment, folder: Path) -> tuple[AgentFiles | None, str]:
    """A folder's files as they are now, or why their code may not run, to follow "its folder"."""
    from localagent.trust import distrust_reason, same_files

    try:
        files = take_snapshot(folder)
        if same_files(files, take_snapshot(bundled_folder())):
            return files, ""  # what would run anyway
        reason = distrust_reason(env, files)
    except ConfigError as error:
        return None, f"cannot be checked ({error})"
    return (None, reason) if reason else (files, "")


def _exists(path: Path) -> bool:
    """Also True where nobody may look: reading it then says so."""
    try:
        return path.exists()
    except PermissionError:
        return True
    except (OSError, ValueError):
        return False


def _same(one: Path, other: Path) -> bool:
    try:
        return one.samefile(other)
    except OSError:
        return False
