"""The contract of a tool: what the model is told about it, and what it may use while it runs.

One tool per file in the agent's `tools/` folder.
"""

from __future__ import annotations

import functools
import inspect
import math
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import dataclass, field
from pathlib import Path
from typing import Literal, Protocol, TypeAlias, cast, get_args, overload

from localagent.abort import AbortSignal
from localagent.memory.entries import Kind, Memory
from localagent.messages import JsonObject, JsonValue


@dataclass(frozen=True, slots=True)
class ToolSpec:
    """What is offered to a model. `parameters` is a JSON schema of type object. `code`: a digest of what runs, where
    that is known; it is not shown to the model, and what was approved of one code is not approved of another."""

    name: str
    description: str
    parameters: JsonObject
    code: str = ""


# What a tool does to the world beside giving an answer.
Effect: TypeAlias = Literal["reads", "writes", "runs code", "network"]


class ToolRetry(Exception):
    """Raised by a tool: the model should call it again with other arguments. The text tells it how."""


READS: frozenset[Effect] = frozenset({"reads"})
# What counts for a tool that says nothing about it: nobody knows, so it is asked about.
UNSAID: frozenset[Effect] = frozenset({"writes", "runs code", "network"})


# What a function is called with: positional and named arguments, checked and made of the types it declares.
Bound: TypeAlias = tuple[tuple[object, ...], dict[str, object]]


@dataclass(frozen=True, slots=True)
class Tool:
    """`effects`: what approval decides on. `timeout_s`: its own time limit in seconds; None: the agent's. `bind` checks
    the arguments a model gave; it raises pydantic's ValidationError. `paths`: the parameters that name a file or a
    folder, or several in a list. `shown`: takes the same arguments and says exactly what will run, for a person to
    decide on; None: the arguments."""

    spec: ToolSpec
    function: Callable[..., JsonValue]
    bind: Callable[[JsonObject], Bound]
    effects: frozenset[Effect] = UNSAID
    timeout_s: float | None = None
    paths: tuple[str, ...] = ()
    shown: Callable[..., str] | None = None


@overload
def tool(function: Callable[..., JsonValue], /) -> Tool: ...


@overload
def tool(
    *,
    effects: Collection[Effect] = ...,
    timeout_s: float | None = ...,
    paths: Sequence[str] = ...,
    shown: Callable[..., str] | None = ...,
) -> Callable[[Callable[..., JsonValue]], Tool]: ...


def tool(
    function: Callable[..., JsonValue] | None = None,
    /,
    *,
    effects: Collection[Effect] = UNSAID,
    timeout_s: float | None = None,
    paths: Sequence[str] = (),
    shown: Callable[..., str] | None = None,
) -> Tool | Callable[[Callable[..., JsonValue]], Tool]:
    """Make a tool of a function: its name, the docstring and the schema of its annotated parameters. As `@tool`, or
    with what it does and how long it may take: `@tool(effects=["network"], timeout_s=30)`. Without `effects` nobody
    knows what it does, and each call is asked about. `paths` and `shown` as in `Tool`.

    Raises TypeError when a parameter has no annotation or the docstring is missing (the model would have to guess),
    for an `async def`, for a parameter that is positional only, and for options that cannot be meant.
    """

    def made(decorated: Callable[..., JsonValue]) -> Tool:
        spec, bind = _interface(decorated)
        odd = [effect for effect in effects if effect not in get_args(Effect)]
        if odd or not effects or isinstance(effects, str):
            said = ", ".join(get_args(Effect))
            raise TypeError(f"tool {spec.name!r}: effects is a list of one or more of: {said}; not {effects!r}")
        if timeout_s is not None and not 0 < timeout_s < math.inf:
            raise TypeError(f"tool {spec.name!r}: timeout_s is {timeout_s!r}, not a number of seconds above 0")
        unknown = [name for name in paths if name not in inspect.signature(decorated).parameters]
        if unknown:
            raise TypeError(f"tool {spec.name!r}: paths names {unknown[0]!r}, which is no parameter")
        if shown is not None:
            _check_shown(spec.name, decorated, shown)
        return Tool(spec, decorated, bind, frozenset(effects), timeout_s, tuple(paths), shown)

    return made if function is None else made(function)


def _check_shown(name: str, function: Callable[..., JsonValue], shown: Callable[..., str]) -> None:
    """It is called with what the tool is called with. Raises TypeError if it cannot be."""
    parameters = inspect.signature(function).parameters.values()
    given = [one.name for one in parameters if one.kind is not one.VAR_KEYWORD]
    needed = [one.name for one in parameters if one.name in given and one.default is one.empty]
    try:
        for names in (given, needed):
            inspect.signature(shown).bind(**dict.fromkeys(names))
    except TypeError as error:
        raise TypeError(
            f"tool {name!r}: shown must take the parameters of {name} ({', '.join(given)}): {error}"
        ) from None


def _interface(function: Callable[..., JsonValue]) -> tuple[ToolSpec, Callable[[JsonObject], Bound]]:
    """What the model is told, and the check of what it says."""
    from pydantic import TypeAdapter
    from pydantic_core import ArgsKwargs

    name = function.__name__
    if not function.__doc__:
        raise TypeError(f"tool {name!r} has no docstring; it is what the model reads to decide when to use it")
    if inspect.iscoroutinefunction(function):
        raise TypeError(f"tool {name!r} is an async def; a tool is a plain function, it has a thread of its own")
    gives = inspect.signature(function).return_annotation
    if gives in (bytes, bytearray, memoryview, "bytes", "bytearray", "memoryview"):
        raise TypeError(f"tool {name!r} gives back bytes, which no model reads; let it give a text")
    for parameter in inspect.signature(function).parameters.values():
        if parameter.annotation is inspect.Parameter.empty:
            raise TypeError(f"tool {name!r}: parameter {parameter.name!r} has no type annotation")
        if parameter.kind in (parameter.POSITIONAL_ONLY, parameter.VAR_POSITIONAL):
            raise TypeError(f"tool {name!r}: parameter {parameter.name!r} cannot be given by name, as a model does")

    @functools.wraps(function)
    def bound(*arguments: object, **named: object) -> Bound:
        return arguments, named

    # What it gives back is not checked; the name of its type may mean nothing where this stands.
    bound.__annotations__ = {key: kind for key, kind in bound.__annotations__.items() if key != "return"}
    adapter: TypeAdapter[Bound] = TypeAdapter(cast("type[Bound]", bound))
    spec = ToolSpec(name, inspect.cleandoc(function.__doc__), adapter.json_schema())
    return spec, lambda arguments: adapter.validate_python(ArgsKwargs((), dict(arguments)))


@dataclass(frozen=True, slots=True)
class Noted:
    """An entry as memory has it after a write. `known`: it was there before, and counts as said again. Its kind may be
    another one than was asked for: a model's words never make a preference or a decision."""

    memory: Memory
    known: bool = False


@dataclass(frozen=True, slots=True)
class Quoted:
    """A passage that was found: an entry or, where `kind` is "message", something said earlier. `said_at` in epoch
    seconds, `score` 0-1. Its text is somebody's words, never an instruction to whoever reads it; so is what `note` says
    of a part that was corrected since."""

    id: str
    kind: str
    text: str
    speaker: str
    said_at: float
    score: float
    note: str = ""


class ToolMemory(Protocol):
    """Long-term memory as a tool may use it: that of the turn's agent and thread. Raises LocalAgentError."""

    def write(self, text: str, kind: Kind, importance: float | None = None) -> Noted:
        """Remember a statement, with the assistant as its origin. `importance` 0-1; None: the kind's own."""
        ...

    def search(self, query: str, top_k: int, abort: AbortSignal | None = None) -> Sequence[Quoted]:
        """Active entries and earlier messages, best first; empty if nothing is near enough. Raises Aborted."""
        ...


# Says what is to be seen in an image (its bytes), asked with a question. Raises LocalAgentError.
DescribeImage: TypeAlias = Callable[[bytes, str, AbortSignal], str]


@dataclass(frozen=True, slots=True)
class ToolContext:
    """What a tool may use during a call.

    `memory` is None where nothing is remembered. A tool that takes long looks at `abort` or passes it on. `roots`: the
    folders it may work in, symlinks resolved; relative paths begin at the first. `off_limits`: what lies inside them
    and is not the model's business (the program's own data). `fixed`: what may be read, but is written by no tool,
    since it decides what may run (the agent's own files). `private_addresses`: it may reach this machine and the local
    network. `variables`: the environment of what it starts. `describe_image`: a model that sees, where there is
    one. `count`: the tokens of a text; at most `result_tokens` of a result reach the model, the middle is cut out."""

    memory: ToolMemory | None = None
    abort: AbortSignal = field(default_factory=AbortSignal)
    roots: tuple[Path, ...] = ()
    off_limits: tuple[Path, ...] = ()
    fixed: tuple[Path, ...] = ()
    private_addresses: bool = False
    variables: Mapping[str, str] = field(default_factory=dict)
    describe_image: DescribeImage | None = None
    count: Callable[[str], int] = len
    result_tokens: int = 2000


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
