"""The composition root of what an agent can do: its tools, what they may use, and the mechanisms of its turns."""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from localagent.errors import ConfigError, UsageError
from localagent.turn import Acting

if TYPE_CHECKING:
    from localagent.abort import AbortSignal
    from localagent.agent_folder import LoadedAgent
    from localagent.approval import Gate
    from localagent.build import Workspace
    from localagent.calls import Approvals, Approver, Decision, Toolbox
    from localagent.conversation import Conversation
    from localagent.mcp.client import McpToolbox
    from localagent.memory.base import Thread
    from localagent.messages import ToolCallPart
    from localagent.tool import ToolContext, ToolMemory


@dataclass(frozen=True)
class Around:
    """What the tools find around them. `roots`: the folders they may work in; `off_limits`: what of them is not theirs.
    `memory`: that of a thread; None where nothing is remembered. `approver`: asks a person; None where nobody can be
    asked. `named`: the tools that were allowed by name for this run."""

    workspace: Workspace
    roots: tuple[Path, ...]
    private_addresses: bool
    off_limits: tuple[Path, ...]
    variables: Mapping[str, str]
    memory: Callable[[Thread], ToolMemory] | None
    approvals: Approvals
    approver: Approver | None = None
    named: Collection[str] = ()


class AgentTools:
    """The tools of one agent for one conversation, loaded once a model is to be told of them: their files are programs
    that take a moment, and not every model can use them."""

    def __init__(self, loaded: LoadedAgent, conversation: Conversation, around: Around) -> None:
        self._loaded = loaded
        self._conversation = conversation
        self._around = around
        self._made: Toolbox | None = None
        self._servers: Mapping[str, McpToolbox] = {}
        self._gate: Gate | None = None

    def __call__(self) -> Toolbox | None:
        """Raises ConfigError with the place of what is wrong in a tool's file."""
        if self._made is None and (self._loaded.config.tools or self._loaded.config.mcp_servers):
            self._made = self._make()
        return self._made

    def prepare(self, abort: AbortSignal) -> None:
        """Wait for the servers whose tools the model is told of. Raises Aborted, and ConfigError."""
        for server in self._servers.values():
            server.ready(abort)

    def permit(self, call: ToolCallPart, toolbox: Toolbox, abort: AbortSignal) -> Decision:
        """By the agent's policy, what was allowed before, or a person. Raises ConfigError where the policy fails."""
        if self._gate is None:
            from localagent.agent_folder import load_approval
            from localagent.approval import Gate

            around, agent = self._around, self._loaded.config.name
            policy = load_approval(self._loaded)
            folder = str(around.roots[0]) if around.roots else ""
            self._gate = Gate(agent, policy, around.approvals, around.approver, around.named, folder)
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
        if not self._loaded.config.mcp_servers:
            return own
        from localagent.build_mcp import toolboxes
        from localagent.toolbox.combined import CombinedToolbox

        workspace = self._around.workspace
        self._servers = toolboxes(
            workspace,
            self._loaded,
            result_tokens=loop.tool_result_tokens,
            count=self._conversation.count,
            say=workspace.say,
        )
        for server in self._servers.values():
            server.begin()  # all at the same time; they are waited for in `prepare`
        return CombinedToolbox({"tools": own, **self._servers})

    def _context(self, abort: AbortSignal) -> ToolContext:
        from localagent.build_vision import eyes
        from localagent.tool import ToolContext

        around = self._around
        return ToolContext(
            memory=around.memory(self._conversation.thread) if around.memory is not None else None,
            abort=abort,
            roots=around.roots,
            off_limits=around.off_limits,
            private_addresses=around.private_addresses,
            variables=around.variables,
            describe_image=eyes(self._loaded.config.model, self._conversation.model),
        )


def roots_of(loaded: LoadedAgent, cwd: Path) -> tuple[Path, ...]:
    """The folders that tools may work in, symlinks resolved; relative ones begin at `cwd`. Raises ConfigError for one
    that is not there."""
    from localagent.toolbox.paths import absolute

    found = []
    for named, where in zip(loaded.config.tool_access.roots, loaded.places["tool_access.roots"], strict=True):
        path = absolute(named, [cwd])
        if path is None or not path.is_dir():
            hint = "Make it, or take it out of the list."
            raise ConfigError(f"tool_access.roots: there is no folder {named!r}", where=where, hint=hint)
        found.append(path)
    return tuple(found)


def check_named(loaded: LoadedAgent, names: Collection[str]) -> None:
    """Raises UsageError when a tool is to be allowed that the agent cannot have. What a server offers is not known
    before it is asked."""
    config = loaded.config
    servers = tuple(f"{server.name}_" for server in config.mcp_servers)
    for name in names:
        if name not in config.tools and not name.startswith(servers):
            there = ", ".join([*config.tools, *(f"{prefix}..." for prefix in servers)]) or "none"
            raise UsageError(f"--allow-tool {name}: the agent has no such tool", hint=f"Its tools: {there}")


def acting(loaded: LoadedAgent, conversation: Conversation, around: Around) -> Acting:
    """What the agent can do in a conversation. Raises ConfigError for mechanisms that there are not."""
    from localagent.agent_folder import load_mechanisms

    tools = AgentTools(loaded, conversation, around)
    return Acting(tools, tools.close, tools.permit, load_mechanisms(loaded), prepare=tools.prepare)
