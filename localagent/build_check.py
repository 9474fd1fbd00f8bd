"""Everything there is to say about an agent before it runs: `config check`."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from pathlib import Path
from typing import TYPE_CHECKING, TypeAlias

from localagent.agent_folder import LoadedAgent, load_approval, load_mechanisms, load_policies, load_tools, look
from localagent.environment import Environment
from localagent.errors import ConfigError
from localagent.yaml_source import dotted, shown

if TYPE_CHECKING:
    from localagent.config_servers import McpServer

# A fault keeps the agent from running; a line says what will not work until something outside of its files is there.
Finding: TypeAlias = ConfigError | str


def check(env: Environment, *, agent: str | None = None, overrides: Mapping[str, str] | None = None) -> list[Finding]:
    """What is wrong with an agent and those that it may ask, their tools and policies included, and with what they need
    around them: each fault by itself, then the notices. No server is started."""
    loaded, problems, notices = look(env, agent=agent, overrides=overrides)
    if loaded is None:
        return [*problems, *notices]
    from localagent.sub_agents import everyone

    found = [finding for one in everyone(loaded) for finding in _findings(one, env, asked=one is not loaded)]
    faults = [finding for finding in found if isinstance(finding, ConfigError)]
    return [*faults, *notices, *(finding for finding in found if isinstance(finding, str))]


def _findings(one: LoadedAgent, env: Environment, *, asked: bool) -> Iterator[Finding]:
    from localagent.build_tools import looked_for

    try:
        yield from (f"{shown(str(one.path))}: {line}" if asked else line for line in load_tools(one).notices)
    except ConfigError as error:
        yield error
    load: Callable[[LoadedAgent], object]
    for load in (load_policies, load_approval, load_mechanisms):
        try:
            load(one)
        except ConfigError as error:
            yield error
    yield from (root for root in looked_for(one, env.cwd) if isinstance(root, ConfigError))
    yield from _sightless(one)
    if one.config.mcp_servers:
        yield from _servers(one, env)


def _sightless(one: LoadedAgent) -> Iterator[str]:
    """A tool that looks at images, and no model that is sure to see."""
    tools, model = one.config.tools, one.config.model
    if "describe_image" in tools and not model.vision_model:
        where = one.places["tools"][tools.index("describe_image")]
        own = "" if model.provider in ("embedded", "scripted") else ", unless the agent's own model sees"
        yield f"{where}: describe_image has no model that sees images{own}: name one in model.vision_model"


def _servers(one: LoadedAgent, env: Environment) -> Iterator[Finding]:
    """Without the package, or a variable, nothing can be asked at all; a server that does not start is only told of."""
    from localagent.mcp.package import need_sdk

    try:
        need_sdk("mcp_servers")
    except ConfigError as error:
        yield error
    for server in one.config.mcp_servers:
        faults = list(_unset(server, one, env))
        yield from faults
        if server.command and not faults:
            yield from _not_startable(server, one, env)


def _unset(server: McpServer, one: LoadedAgent, env: Environment) -> Iterator[ConfigError]:
    from localagent.mcp.results import variables_not_set

    for key in ("env", "headers"):
        for name, text in getattr(server, key):
            path = ("mcp_servers", server.name, key, name)
            for variable in variables_not_set(text, env.variables):
                said = f"{dotted(path)}: the variable {variable} is not set"
                yield ConfigError(said, where=_place(one, path), hint="Set it, or take it out of agent.yaml.")


def _not_startable(server: McpServer, one: LoadedAgent, env: Environment) -> Iterator[Finding]:
    from localagent.mcp.client import Place, command_of
    from localagent.mcp.results import pairs_with_variables
    from localagent.mcp.streams import not_there

    place = Place(one.folder, env.variables, Path())
    try:
        command = command_of(server, place, pairs_with_variables(dict(server.env), env.variables))
    except ConfigError as error:
        yield error
        return
    said = not_there(command)
    if said:
        key = "command" if command.folder.is_dir() else "cwd" if server.cwd else "command"
        path = ("mcp_servers", server.name, key)
        yield f"{_place(one, path)}: {dotted(path)}: {said}; the tools of this server are not offered until there is"


def _place(one: LoadedAgent, path: tuple[str, ...]) -> str:
    """Of a value, or of the nearest thing around it that has one."""
    for length in range(len(path), 1, -1):
        places = one.places.get(dotted(path[:length]))
        if places:
            return places[0]
    return shown(str(one.path))
