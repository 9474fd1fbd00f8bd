"""What `/tools` says: what the model may call, what each tool does to the world, whose it is, and how it is called."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from localagent import bilingual_talk as say
from localagent.asking import effects_of
from localagent.bilingual import Language
from localagent.bilingual_said import in_language
from localagent.columns import cut
from localagent.terminal import one_line

if TYPE_CHECKING:
    from localagent.calls import Toolbox
    from localagent.config import AgentConfig
    from localagent.conversation import Conversation
    from localagent.record import ToolsBy
    from localagent.tool import ToolSpec

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


def view_of(conversation: Conversation, language: Language = "en") -> View:
    """As the model would be told now, after its servers were waited for. Raises ConfigError for a tool's file."""
    fitted, by = conversation.tools()
    config = conversation.config
    toolbox = conversation.acting.toolbox() if fitted.tools else None
    tools = () if toolbox is None else tuple(_listed(spec, toolbox, config, language) for spec in fitted.tools)
    return View(tools, in_language(fitted.note, language), _way(by, config, language))


def lines_of(view: View, cells: int, language: Language = "en") -> Sequence[str]:
    """Two lines for each tool, of at most so many cells."""
    lines: list[str] = []
    for tool in view.tools:
        head = say.TOOL_OF if tool.owner else say.TOOL
        effects = effects_of(tool.effects, language)
        lines.append(cut(head(language, name=tool.name, effects=effects, owner=tool.owner), cells))
        lines.append(INDENT + cut(tool.description, cells - len(INDENT)))
    return [*lines, *(line for line in (view.note, view.way) if line)]


def _listed(spec: ToolSpec, toolbox: Toolbox, config: AgentConfig, language: Language) -> Listed:
    said = one_line(spec.description.strip().partition("\n")[0])
    return Listed(spec.name, tuple(sorted(toolbox.effects(spec.name))), _owner(spec.name, config, language), said)


def _owner(name: str, config: AgentConfig, language: Language = "en") -> str:
    if name in config.tools:
        return ""
    if any(agent.name == name for agent in config.agents):
        return say.AN_AGENT(language)
    servers = [server.name for server in config.mcp_servers if name.startswith(f"{server.name}_")]
    return say.SERVER(language, name=max(servers, key=len)) if servers else ""


def _way(by: ToolsBy, config: AgentConfig, language: Language = "en") -> str:
    setting = config.model.tool_calls
    if not (config.tools or config.mcp_servers or config.agents):
        return say.NO_TOOLS(language)
    if by == "native":
        return say.NATIVE(language)
    if by == "constrained":
        return (say.BOUND_BY_SETTING if setting == "constrained" else say.BOUND)(language)
    return (say.TOLD_OF_NONE_BY_SETTING if setting == "off" else say.TOLD_OF_NONE)(language)
