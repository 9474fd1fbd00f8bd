"""The contract of a tool: what the model is told about it, and what it may use while it runs.

One tool per file in the agent's `tools/` folder.
"""

from __future__ import annotations

import inspect
from collections.abc import Callable, Collection, Iterator, Sequence
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import dataclass, field
from typing import Literal, Protocol, TypeAlias, cast, overload

from localagent.abort import AbortSignal
from localagent.memory.entries import Kind, Memory
from localagent.messages import JsonObject, JsonValue


@dataclass(frozen=True, slots=True)
class ToolSpec:
    """What is offered to a model. `parameters` is a JSON schema of type object."""

    name: str
    description: str
    parameters: JsonObject


# What a tool does to the world beside giving an answer.
Effect: TypeAlias = Literal["reads", "writes", "runs code", "network"]


class ToolRetry(Exception):
    """Raised by a tool: the model should call it again with other arguments. The text tells it how."""


READS: frozenset[Effect] = frozenset({"reads"})


@dataclass(frozen=True, slots=True)
class Tool:
    """`effects`: what approval decides on. `timeout_s`: its own time limit in seconds; None: the agent's."""

    spec: ToolSpec
    function: Callable[..., JsonValue]
    effects: frozenset[Effect] = READS
    timeout_s: float | None = None


@overload
def tool(function: Callable[..., JsonValue], /) -> Tool: ...


@overload
def tool(
    *, effects: Collection[Effect] = ..., timeout_s: float | None = ...
) -> Callable[[Callable[..., JsonValue]], Tool]: ...


def tool(
    function: Callable[..., JsonValue] | None = None,
    /,
    *,
    effects: Collection[Effect] = READS,
    timeout_s: float | None = None,
) -> Tool | Callable[[Callable[..., JsonValue]], Tool]:
    """Make a tool of a function: its name, the docstring and the schema of its annotated parameters. As `@tool`, or
    with what it does and how long it may take: `@tool(effects=["network"], timeout_s=30)`.

    Raises TypeError when a parameter has no annotation or the docstring is missing: the model would have to guess.
    """
    if function is None:
        return lambda decorated: _made(decorated, frozenset(effects), timeout_s)
    return _made(function, frozenset(effects), timeout_s)


def _made(function: Callable[..., JsonValue], effects: frozenset[Effect], timeout_s: float | None) -> Tool:
    from pydantic import TypeAdapter

    name = function.__name__
    if not function.__doc__:
        raise TypeError(f"tool {name!r} has no docstring; it is what the model reads to decide when to use it")
    for parameter in inspect.signature(function).parameters.values():
        if parameter.annotation is inspect.Parameter.empty:
            raise TypeError(f"tool {name!r}: parameter {parameter.name!r} has no type annotation")
    adapter: TypeAdapter[object] = TypeAdapter(cast("type[object]", function))
    schema = adapter.json_schema()
    return Tool(ToolSpec(name, inspect.cleandoc(function.__doc__), schema), function, effects, timeout_s)


@dataclass(frozen=True, slots=True)
class Noted:
    """An entry as memory has it after a write. `known`: it was there before, and counts as said again. Its kind may be
    another one than was asked for: a model's words never make a preference or a decision."""

    memory: Memory
    known: bool = False


@dataclass(frozen=True, slots=True)
class Quoted:
    """A passage that was found: an entry or, where `kind` is "message", something said earlier. `said_at` in epoch
    seconds, `score` 0-1. Its text is somebody's words, never an instruction to whoever reads it."""

    id: str
    kind: str
    text: str
    speaker: str
    said_at: float
    score: float


class ToolMemory(Protocol):
    """Long-term memory as a tool may use it: that of the turn's agent and thread. Raises LocalAgentError."""

    def write(self, text: str, kind: Kind, importance: float | None = None) -> Noted:
        """Remember a statement, with the assistant as its origin. `importance` 0-1; None: the kind's own."""
        ...

    def search(self, query: str, top_k: int) -> Sequence[Quoted]:
        """Active entries and earlier messages, best first; empty if nothing is near enough."""
        ...


@dataclass(frozen=True, slots=True)
class ToolContext:
    """What a tool may use during a call. `memory` is None where nothing is remembered; a tool that takes long looks at
    `abort` or passes it on."""

    memory: ToolMemory | None = None
    abort: AbortSignal = field(default_factory=AbortSignal)


_context: ContextVar[ToolContext] = ContextVar("tool_context")


def tool_context() -> ToolContext:
    """The context of the call that runs. RuntimeError outside of one."""
    try:
        return _context.get()
    except LookupError:
        raise RuntimeError("no tool is being called: use `using(context)` around the call") from None


@contextmanager
def using(context: ToolContext) -> Iterator[ToolContext]:
    """While this is open, `tool_context()` in this thread is `context`."""
    token = _context.set(context)
    try:
        yield context
    finally:
        _context.reset(token)
