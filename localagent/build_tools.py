"""The composition root of what an agent can do: its tools, what they may use, and the mechanisms of its turns."""

from __future__ import annotations

import sys
from collections.abc import Collection, Iterator, Mapping
from contextlib import ExitStack
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from localagent.errors import Aborted, ConfigError, UsageError
from localagent.turn import Acting

if TYPE_CHECKING:
    from localagent.abort import AbortSignal
    from localagent.agent_folder import LoadedAgent
    from localagent.approval import Gate
    from localagent.build import Workspace
    from localagent.build_agents import Models
    from localagent.build_memory import MemoryHome
    from localagent.calls import Approvals, Approver, Decision, Toolbox
    from localagent.conversation import Conversation
    from localagent.environment import Environment
    from localagent.mcp.client import McpToolbox
    from localagent.messages import ToolCallPart
    from localagent.tool import ToolContext
    from localagent.trace import AskedLog, PromptFiles


@dataclass(frozen=True)
class Around:
    """What the tools find around them. `roots`: the folders they may work in; `off_limits`: what of them is not theirs;
    `fixed`: what they may not write, of the agent that a person talks to. `memory`: None where nothing is remembered;
    `writing`: False where it is only read. `approver`: asks a person; None where nobody can be asked. `named`: the
    tools that were allowed by name for this run. `log`: None where prompts are not recorded. `models`: those of agents
    that are asked, once one is. `title`: by which name the agent is asked by others (`editor.reader`), `key`: by which
    name its approvals are kept; empty for the agent that a person talks to."""

    workspace: Workspace
    roots: tuple[Path, ...]
    private_addresses: bool
    off_limits: tuple[Path, ...]
    fixed: tuple[Path, ...]
    variables: Mapping[str, str]
    memory: MemoryHome | None
    writing: bool
    approvals: Approvals
    approver: Approver | None = None
    named: Collection[str] = ()
    log: PromptFiles | AskedLog | None = None
    models: Models | None = None
    title: str = ""
    key: str = ""


class AgentTools:
    """The tools of one agent for one conversation, loaded once a model is to be told of them: their files are programs
    that take a moment, and not every model can use them."""

    def __init__(self, loaded: LoadedAgent, conversation: Conversation, around: Around) -> None:
        self._loaded = loaded
        self._conversation = conversation
        self._first = conversation.model
        self._around = around
        self._made: Toolbox | None = None
        self._servers: Mapping[str, McpToolbox] = {}
        self._gate: Gate | None = None

    def __call__(self) -> Toolbox | None:
        """Raises ConfigError with the place of what is wrong in a tool's file."""
        config = self._loaded.config
        if self._made is None and (config.tools or config.mcp_servers or config.agents):
            self._made = self._make()
        return self._made

    def prepare(self, abort: AbortSignal) -> None:
        """Wait for the servers whose tools the model is told of, and say so. Raises Aborted: those that were waited for
        are ended then; and ConfigError."""
        from localagent.events import Waiting

        watch, said = self._conversation.watch, False
        try:
            for server in self._servers.values():
                if server.starting:
                    said = True
                    watch(Waiting(server.waited_for))
                server.ready(abort)
        except Aborted:
            for server in self._servers.values():
                server.drop()
            raise
        finally:
            if said:
                watch(Waiting(""))

    def permit(self, call: ToolCallPart, toolbox: Toolbox, abort: AbortSignal) -> Decision:
        """By the agent's policy, what was allowed before, or a person. Raises ConfigError where the policy fails."""
        if self._gate is None:
            from localagent.agent_folder import load_approval
            from localagent.approval import Gate

            around, agent = self._around, self._around.key or self._loaded.config.name
            policy = load_approval(self._loaded)
            folder = str(around.roots[0]) if around.roots else ""
            self._gate = Gate(agent, policy, around.approvals, around.approver, around.named, folder, around.title)
        return self._gate.decide(call, toolbox, abort)

    def close(self) -> None:
        """End what was started. May be called twice."""
        if self._made is not None:
            self._made.close()

    def _make(self) -> Toolbox:
        from localagent.agent_folder import load_tools
        from localagent.toolbox.local import LocalToolbox

        loop = self._loaded.config.loop
        own = LocalToolbox(
            load_tools(self._loaded).tools,
            self._context,
            default_timeout_s=loop.tool_timeout_s,
            result_tokens=loop.tool_result_tokens,
            count=self._conversation.count,
        )
        parts: dict[str, Toolbox] = {"tools": own}
        with ExitStack() as failed:  # no server is left running for tools that cannot be had
            servers = self._begun_servers(failed) if self._loaded.config.mcp_servers else {}
            parts.update(servers)
            if self._loaded.config.agents:
                from localagent.build_agents import AgentsToolbox

                parts["agents"] = AgentsToolbox(self._loaded, self._conversation, self._around, self._first)
            failed.pop_all()
        self._servers = servers
        if len(parts) == 1:
            return own
        from localagent.toolbox.combined import CombinedToolbox

        return CombinedToolbox(parts)

    def _begun_servers(self, failed: ExitStack) -> Mapping[str, McpToolbox]:
        from localagent.build_mcp import toolboxes

        workspace = self._around.workspace
        servers = toolboxes(
            workspace,
            self._loaded,
            result_tokens=self._loaded.config.loop.tool_result_tokens,
            count=self._conversation.count,
            say=workspace.say,
        )
        for server in servers.values():
            failed.callback(server.close)
            server.begin()  # all at the same time; they are waited for in `prepare`
        return servers

    def _context(self, abort: AbortSignal) -> ToolContext:
        from localagent.build_vision import eyes
        from localagent.tool import ToolContext

        around, memory = self._around, self._around.memory
        thread_id = self._conversation.thread.id
        return ToolContext(
            memory=memory.tool_memory(thread_id, writing=around.writing) if memory is not None else None,
            abort=abort,
            roots=around.roots,
            off_limits=around.off_limits,
            fixed=(*around.fixed, *fixed_of(self._loaded, around.workspace.env)),
            private_addresses=around.private_addresses,
            variables=around.variables,
            describe_image=eyes(self._loaded.config.model, self._conversation.model),
        )


def roots_of(loaded: LoadedAgent, cwd: Path) -> tuple[Path, ...]:
    """The folders that tools may work in, symlinks resolved; relative ones begin at `cwd`. Raises ConfigError for one
    that is not there."""
    found = []
    for root in looked_for(loaded, cwd):
        if isinstance(root, ConfigError):
            raise root
        found.append(root)
    return tuple(found)


def looked_for(loaded: LoadedAgent, cwd: Path) -> Iterator[Path | ConfigError]:
    """Each folder of `tool_access.roots`, or that it is not there."""
    from localagent.overrides import subject
    from localagent.toolbox.paths import absolute

    key = "tool_access.roots"
    for named, where in zip(loaded.config.tool_access.roots, loaded.places[key], strict=True):
        path = absolute(named, [cwd])
        if path is not None and path.is_dir():
            yield path
            continue
        hint = "Make it, or take it out of the list."
        yield ConfigError(f"{subject(key, where)}there is no folder {named!r}", where=where, hint=hint)


def fixed_of(loaded: LoadedAgent, env: Environment) -> tuple[Path, ...]:
    """What no tool may write, since it runs at the next start: the files of the agent, of those that it asks, of the
    user's own and of the one that comes along, and the program with its packages."""
    import localagent
    from localagent.agent_files import AGENT_FILE, CODE_FOLDERS, bundled_folder
    from localagent.sub_agents import everyone

    agents = list(everyone(loaded))
    folders = [*(one.folder for one in agents), env.config_dir, bundled_folder()]
    found = [
        *(one.path for one in agents),
        *(folder / name for folder in folders for name in (AGENT_FILE, *CODE_FOLDERS)),
    ]
    found += [Path(place) for place in localagent.__path__]
    if sys.prefix != sys.base_prefix:
        found.append(Path(sys.prefix))
    return tuple(dict.fromkeys(path.resolve() for path in found))


def check_named(loaded: LoadedAgent, names: Collection[str]) -> None:
    """Raises UsageError when a tool is to be allowed that neither the agent can have, nor one that it asks. What a
    server offers is not known before it is asked."""
    there = _names(loaded)
    for name in names:
        if not any(name.startswith(one.removesuffix("...")) if one.endswith("...") else name == one for one in there):
            said = ", ".join(there) or "none"
            raise UsageError(f"--allow-tool {name}: the agent has no such tool", hint=f"Its tools: {said}")


def _names(loaded: LoadedAgent) -> list[str]:
    """Of its tools and those of the agents that it asks; with `...` for what a server offers."""
    config = loaded.config
    names = [*config.tools, *(f"{server.name}_..." for server in config.mcp_servers)]
    for name, asked in loaded.agents.items():
        names += [name, *(f"{name}.{one}" for one in _names(asked))]
    return names


def acting(loaded: LoadedAgent, conversation: Conversation, around: Around) -> Acting:
    """What the agent can do in a conversation. Raises ConfigError for mechanisms that there are not."""
    from localagent.agent_folder import load_mechanisms

    tools = AgentTools(loaded, conversation, around)
    return Acting(tools, tools.close, tools.permit, load_mechanisms(loaded), prepare=tools.prepare)
