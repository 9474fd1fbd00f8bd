"""Loading the agents that an agent may ask (`agents:` in agent.yaml): trusted and valid, or refused with a place."""

from __future__ import annotations

import shlex
from collections.abc import Iterator, Sequence
from dataclasses import replace
from pathlib import Path

from localagent.agent_files import AGENT_FILE, AgentFiles
from localagent.agent_folder import LoadedAgent, read_agent, trusted_files
from localagent.config_agents import SubAgent
from localagent.environment import Environment
from localagent.errors import ConfigError
from localagent.yaml_source import shown

# The agent that a person talks to, the one that it asks, and the one that that one asks.
MOST_LEVELS = 3
# Where values come from that an agent has from the one that asks it.
CALLER = "its caller"
# Sections that an agent has from its caller if its own file says nothing of them.
INHERITED = ("model", "memory", "chroma")


def load_sub_agents(
    env: Environment, caller: LoadedAgent, above: Sequence[LoadedAgent]
) -> tuple[dict[str, LoadedAgent], list[ConfigError], list[str]]:
    """Those that `caller` may ask, by name; what is wrong with them, and notices. `above`: those that ask the caller,
    the one that a person talks to first."""
    found: dict[str, LoadedAgent] = {}
    problems: list[ConfigError] = []
    notices: list[str] = []
    for entry in caller.config.agents:
        try:
            _check_name(entry, caller)
            path, files = _find(env, entry, caller, above)
        except ConfigError as error:
            problems.append(error)
            continue
        loaded, faults, told = read_agent(env, path, files, (), (*above, caller))
        problems += faults
        notices += [f"agents.{entry.name}: {line}" for line in told]
        if loaded is not None:
            found[entry.name] = loaded
    return found, problems, notices


def like_caller(loaded: LoadedAgent, caller: LoadedAgent) -> LoadedAgent:
    """With the sections of the caller's that the agent's own file says nothing of."""
    config, origins = loaded.config, dict(loaded.origins)
    for section in INHERITED:
        keys = [key for key in origins if key.startswith(f"{section}.")]
        if all(origins[key] == "default" for key in keys):
            config = replace(config, **{section: getattr(caller.config, section)})
            origins.update(dict.fromkeys(keys, CALLER))
    return replace(loaded, config=config, origins=origins)


def everyone(loaded: LoadedAgent) -> Iterator[LoadedAgent]:
    """An agent and all that are asked below it; each folder once."""
    seen: set[Path] = set()
    pending = [loaded]
    while pending:
        one = pending.pop(0)
        if one.path not in seen:
            seen.add(one.path)
            yield one
        pending += one.agents.values()


def _check_name(entry: SubAgent, caller: LoadedAgent) -> None:
    """Two tools cannot have one name."""
    (where,) = caller.places[f"agents.{entry.name}"]
    hint = "Call the agent something else."
    if entry.name in caller.config.tools:
        raise ConfigError(f"agents.{entry.name}: a tool of `tools:` is called so too", where=where, hint=hint)
    for server in caller.config.mcp_servers:
        if entry.name.startswith(f"{server.name}_"):
            said = f"the tools of mcp_servers.{server.name} have names that begin so"
            raise ConfigError(f"agents.{entry.name}: {said}", where=where, hint=hint)


def _find(
    env: Environment, entry: SubAgent, caller: LoadedAgent, above: Sequence[LoadedAgent]
) -> tuple[Path, AgentFiles]:
    """The agent's file, and what its code is read from."""
    (where,) = caller.places[f"agents.{entry.name}.folder"]
    key = f"agents.{entry.name}.folder"
    try:
        folder = (caller.folder / Path(entry.folder).expanduser()).resolve()
        there, has_file = folder.is_dir(), (folder / AGENT_FILE).is_file()
    except (OSError, RuntimeError, ValueError) as error:  # no such user, a link to itself, nobody may look
        raise ConfigError(f"{key}: {error}", where=where) from error
    if not there:
        raise ConfigError(f"{key}: there is no folder {shown(str(folder))}", where=where)
    if not has_file:
        hint = f"Make one with: localagent init {shlex.quote(shown(str(folder)))}"
        raise ConfigError(f"{key}: {shown(str(folder))} has no {AGENT_FILE}", where=where, hint=hint)
    chain = [*(one.path.resolve() for one in above), caller.path.resolve()]
    if folder / AGENT_FILE in chain:
        circle = [*chain[chain.index(folder / AGENT_FILE) :], folder / AGENT_FILE]
        said = " asks ".join(shown(path.parent.name) for path in circle)
        raise ConfigError(f"{key}: agents cannot ask each other in a circle: {said}", where=where)
    if len(chain) >= MOST_LEVELS:
        raise ConfigError(f"{key}: more than {MOST_LEVELS} agents below each other", where=where)
    if caller.files.snapshot is None:
        return folder / AGENT_FILE, AgentFiles(folder)
    files, reason = trusted_files(env, folder)
    if files is None:
        hint = f"Read it and run: localagent trust {shlex.quote(shown(str(folder)))}"
        raise ConfigError(f"{key}: the folder {shown(str(folder))} {reason}", where=where, hint=hint)
    return folder / AGENT_FILE, files
