"""What `/tools` says: what the model may call, what each tool does to the world, whose it is, and how it is called."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from localagent.columns import cut
from localagent.terminal import one_line

if TYPE_CHECKING:
    from localagent.calls import Toolbox
    from localagent.config import AgentConfig
    from localagent.conversation import Conversation
    from localagent.record import ToolsBy

INDENT = "  "


@dataclass(frozen=True, slots=True)
class Listed:
    """`owner`: the MCP server or the agent behind it; empty for a tool of the agent's own folder."""

    name: str
    effects: tuple[str, ...]
    owner: str
    description: str


@dataclass(frozen=True, slots=True)
class View:
    """`note`: which tools there is no room for. `way`: how the model calls them, or why it is told of none."""

    tools: tuple[Listed, ...]
    note: str
    way: str


def view_of(conversation: Conversation) -> View:
    """As the model would be told now, after its servers were waited for. Raises ConfigError for a tool's file."""
    fitted, by = conversation.tools()
    config = conversation.config
    toolbox = conversation.acting.toolbox() if fitted.tools else None
    tools = (
        () if toolbox is None else tuple(_listed(spec.name, spec.description, toolbox, config) for spec in fitted.tools)
    )
    return View(tools, fitted.note, _way(by, config))


def lines_of(view: View, cells: int) -> Sequence[str]:
    """Two lines for each tool, of at most so many cells."""
    lines: list[str] = []
    for tool in view.tools:
        head = f"{tool.name} ({', '.join(tool.effects)}{f'; {tool.owner}' if tool.owner else ''})"
        lines.append(cut(head, cells))
        lines.append(INDENT + cut(tool.description, cells - len(INDENT)))
    return [*lines, *(line for line in (view.note, view.way) if line)]


def _listed(name: str, description: str, toolbox: Toolbox, config: AgentConfig) -> Listed:
    said = one_line(description.strip().partition("\n")[0])
    return Listed(name, tuple(sorted(toolbox.effects(name))), _owner(name, config), said)


def _owner(name: str, config: AgentConfig) -> str:
    if name in config.tools:
        return ""
    if any(agent.name == name for agent in config.agents):
        return "an agent"
    servers = [server.name for server in config.mcp_servers if name.startswith(f"{server.name}_")]
    return f"MCP server {max(servers, key=len)}" if servers else ""


def _way(by: ToolsBy, config: AgentConfig) -> str:
    setting = config.model.tool_calls
    if not (config.tools or config.mcp_servers or config.agents):
        return "this agent has no tools"
    if by == "native":
        return "this model calls them itself"
    if by == "constrained" and setting == "constrained":
        return "its replies are bound to a form (model.tool_calls: constrained)"
    if by == "constrained":
        return "this model cannot call tools by itself: its replies are bound to a form"
    if setting == "off":
        return "this model is told of no tools (model.tool_calls: off)"
    return (
        "this model is told of no tools: it calls none by itself, and is too small for a form, or its server knows none"
    )
