"""A toolbox of functions, as an agent's files would give it."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

from localagent.abort import AbortSignal
from localagent.calls import CallResult
from localagent.messages import JsonValue, ToolCallPart
from localagent.tool import Tool, ToolContext, tool
from localagent.toolbox.local import LocalToolbox


def words(text: str) -> int:
    """Tokens, for tests."""
    return len(text.split())


def box(
    *functions: Callable[..., JsonValue] | Tool,
    timeout_s: float = 30,
    result_tokens: int = 500,
    context: ToolContext | None = None,
    count: Callable[[str], int] = words,
) -> LocalToolbox:
    made = [one if isinstance(one, Tool) else tool(one) for one in functions]
    given = context or ToolContext()
    return LocalToolbox(
        {one.spec.name: one for one in made},
        lambda abort: replace(given, abort=abort),
        default_timeout_s=timeout_s,
        result_tokens=result_tokens,
        count=count,
    )


def call(name: str, **arguments: object) -> ToolCallPart:
    return ToolCallPart("call_1", name, arguments)  # type: ignore[arg-type]


def run(toolbox: LocalToolbox, name: str, **arguments: object) -> CallResult:
    return toolbox.run(call(name, **arguments), AbortSignal())
