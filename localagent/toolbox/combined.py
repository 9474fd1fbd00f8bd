"""Several toolboxes as one: an agent's own tools, those of MCP servers, other agents."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from contextlib import ExitStack

from localagent.abort import AbortSignal
from localagent.calls import CallResult, Toolbox
from localagent.errors import ConfigError
from localagent.messages import ToolCallPart
from localagent.tool import Effect, ToolSpec
from localagent.toolbox.local import unknown_tool


class CombinedToolbox:
    """`parts`: by what the user calls them ("tools", "mcp_servers.files"), in the order in which they are offered.

    Every method raises ConfigError when two parts have a tool of one name: none may silently stand for the other.
    """

    def __init__(self, parts: Mapping[str, Toolbox]) -> None:
        self._parts = dict(parts)

    def specs(self) -> Sequence[ToolSpec]:
        return [spec for spec, _ in self._offered().values()]

    def effects(self, name: str) -> frozenset[Effect]:
        part = self._part(name)
        return frozenset() if part is None else part.effects(name)

    def shown(self, call: ToolCallPart) -> str:
        part = self._part(call.name)
        return call.name if part is None else part.shown(call)

    def paths(self, call: ToolCallPart) -> Sequence[str]:
        part = self._part(call.name)
        return [] if part is None else part.paths(call)

    def refusal(self, call: ToolCallPart) -> CallResult | None:
        part = self._part(call.name)
        return unknown_tool(call, list(self._offered())) if part is None else part.refusal(call)

    def run(self, call: ToolCallPart, abort: AbortSignal) -> CallResult:
        part = self._part(call.name)
        return unknown_tool(call, list(self._offered())) if part is None else part.run(call, abort)

    def close(self) -> None:
        with ExitStack() as stack:  # each one, even if another cannot be
            for part in self._parts.values():
                stack.callback(part.close)

    def _part(self, name: str) -> Toolbox | None:
        offered = self._offered().get(name)
        return None if offered is None else self._parts[offered[1]]

    def _offered(self) -> Mapping[str, tuple[ToolSpec, str]]:
        """Asked anew each time: a server may change what it offers."""
        offered: dict[str, tuple[ToolSpec, str]] = {}
        for title, part in self._parts.items():
            for spec in part.specs():
                if spec.name in offered:
                    first = offered[spec.name][1]
                    where = f"{first} and {title}" if first != title else title
                    raise ConfigError(f"two tools are called {spec.name!r}", where=where, hint="Take one of them out.")
                offered[spec.name] = (spec, title)
        return offered
