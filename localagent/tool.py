"""The contract of a tool: what the model is told about it. One tool per file in the agent's `tools/` folder."""

from __future__ import annotations

import inspect
from collections.abc import Callable
from dataclasses import dataclass
from typing import cast

from localagent.messages import JsonObject, JsonValue


@dataclass(frozen=True, slots=True)
class ToolSpec:
    """What is offered to a model. `parameters` is a JSON schema of type object."""

    name: str
    description: str
    parameters: JsonObject


@dataclass(frozen=True, slots=True)
class Tool:
    spec: ToolSpec
    function: Callable[..., JsonValue]


def tool(function: Callable[..., JsonValue]) -> Tool:
    """Make a tool of a function: its name, the docstring and the schema of its annotated parameters.

    Raises TypeError when a parameter has no annotation or the docstring is missing: the model would have to guess.
    """
    from pydantic import TypeAdapter

    name = function.__name__
    if not function.__doc__:
        raise TypeError(f"tool {name!r} has no docstring; it is what the model reads to decide when to use it")
    for parameter in inspect.signature(function).parameters.values():
        if parameter.annotation is inspect.Parameter.empty:
            raise TypeError(f"tool {name!r}: parameter {parameter.name!r} has no type annotation")
    adapter: TypeAdapter[object] = TypeAdapter(cast("type[object]", function))
    schema = adapter.json_schema()
    return Tool(ToolSpec(name, inspect.cleandoc(function.__doc__), schema), function)
