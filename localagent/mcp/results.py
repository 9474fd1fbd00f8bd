"""What an MCP server says of its tools and gives as results, in the program's own words."""

from __future__ import annotations

import base64
import binascii
import json
import re
from collections.abc import Callable, Iterable, Iterator, Mapping
from itertools import count
from typing import TYPE_CHECKING, TypeAlias, cast

from localagent.config_servers import McpServer
from localagent.messages import JsonObject
from localagent.tool import UNSAID, Effect, ToolSpec
from localagent.toolbox.running import clean

if TYPE_CHECKING:
    from jsonschema.exceptions import ValidationError
    from jsonschema.protocols import Validator
    from mcp_types import CallToolResult, ContentBlock, Tool

# A keyword's check, as jsonschema has them: validator, the keyword's value, what is checked, the schema around it.
Check: TypeAlias = "Callable[[Validator, object, object, object], Iterable[ValidationError] | None]"

MOST_NAME = 64  # characters: what servers of models take
MOST_DESCRIPTION = 4000
MOST_SCHEMA = 20_000
NOTHING = "(the tool gave nothing back)"
# Of a schema; one that is meant takes some hundred.
MOST_STEPS = 50_000
_VARIABLE = re.compile(r"\$\{([A-Za-z_][A-Za-z0-9_]*)\}")


def spec_of(server: str, tool: Tool) -> ToolSpec:
    """As it is offered. Raises ValueError for a schema that is none of an object, or too large to be offered."""
    name = re.sub(r"[^A-Za-z0-9_-]", "_", f"{server}_{tool.name}")[:MOST_NAME]
    said = tool.description or tool.title or (tool.annotations.title if tool.annotations else None) or tool.name
    schema = cast(JsonObject, tool.input_schema)
    size = len(json.dumps(schema))
    if size > MOST_SCHEMA:
        raise ValueError(f"the schema of its arguments has {size:,} characters, more than {MOST_SCHEMA:,}")
    if schema.get("type", "object") != "object":
        raise ValueError("its arguments are no object")
    return ToolSpec(name, clean(said)[:MOST_DESCRIPTION], {**schema, "type": "object"})


def effects_of(tool: Tool, server: McpServer) -> frozenset[Effect]:
    """By the server's own hints where the user trusts them; else, and for what it does not say, the more dangerous. A
    server at an address is reached through the network, whatever it says."""
    hints = tool.annotations
    if hints is None or not server.trust_hints:
        return UNSAID
    effects: set[Effect] = {"reads"} if hints.read_only_hint is True else {"writes", "runs code"}
    if server.url or hints.open_world_hint is not False:
        effects.add("network")
    return frozenset(effects)


def argument_fault(arguments: JsonObject, schema: JsonObject) -> str:
    """What is wrong with the arguments, in words; empty if nothing is, or the schema is none that can be checked. The
    schema is a stranger's: its patterns, which may take for ever, are left to the server."""
    from jsonschema import SchemaError
    from jsonschema.exceptions import best_match
    from jsonschema.validators import Draft202012Validator, validator_for
    from referencing import Registry
    from referencing.exceptions import Unresolvable

    try:
        kind = validator_for(schema, default=Draft202012Validator)
        kind.check_schema(schema)
        error = best_match(_bounded(kind)(schema, registry=Registry()).iter_errors(arguments))
    except (SchemaError, Unresolvable, RecursionError, _TooMuch):
        return ""
    if error is None:
        return ""
    where = "".join(f"[{part}]" if isinstance(part, int) else f".{part}" for part in error.absolute_path)
    said = str(error.message)
    return f"{where.removeprefix('.')}: {said[:400]}" if where else said[:400]


class _TooMuch(Exception):
    """A schema that asks for more work than any that is meant."""


def _bounded(kind: type[Validator]) -> type[Validator]:
    """The same, without patterns and with an end: parts that refer to one another can multiply without bound."""
    from jsonschema.validators import extend

    steps = count()

    def counted(check: Check) -> Check:
        def step(validator: Validator, value: object, instance: object, schema: object) -> Iterator[ValidationError]:
            if next(steps) > MOST_STEPS:
                raise _TooMuch
            yield from check(validator, value, instance, schema) or ()

        return step

    checks = {name: counted(check) for name, check in kind.VALIDATORS.items()}
    return cast("type[Validator]", extend(kind, {**checks, "pattern": _passes, "patternProperties": _passes}))


def _passes(validator: Validator, value: object, instance: object, schema: object) -> None:
    """Nothing is wrong."""


def text_of(result: CallToolResult) -> str:
    """All of it as text; what is no text is named with its size."""
    parts = [_block(block) for block in result.content]
    if not any(part.strip() for part in parts) and result.structured_content is not None:
        parts = [json.dumps(result.structured_content, ensure_ascii=False)]
    return clean("\n\n".join(part for part in parts if part)) or NOTHING


def _block(block: ContentBlock) -> str:
    if block.type == "text":
        return block.text
    if block.type == "image" or block.type == "audio":
        return _left_out(block.mime_type, block.data)
    if block.type == "resource_link":
        return f"[a link: {block.uri}{f' ({block.title or block.name})'}]"
    resource = block.resource
    text = getattr(resource, "text", None)
    if isinstance(text, str):
        return text
    return _left_out(resource.mime_type or str(resource.uri), getattr(resource, "blob", ""))


def _left_out(kind: str, data: str) -> str:
    try:
        size = len(base64.b64decode(data, validate=True))
    except (binascii.Error, ValueError):
        size = len(data) * 3 // 4
    shown = f"{size:,} bytes" if size < 1000 else f"{size / 1000:,.0f} kB"
    return f"[{kind[:100]}, {shown} left out]"


def pairs_with_variables(pairs: Mapping[str, str], variables: Mapping[str, str]) -> dict[str, str]:
    """Texts in which `${NAME}` stands for a variable. Raises ValueError with the name of one that is not there."""
    for text in pairs.values():
        for name in variables_not_set(text, variables):
            raise ValueError(name)
    return {key: _VARIABLE.sub(lambda found: variables[found[1]], text) for key, text in pairs.items()}


def variables_not_set(text: str, variables: Mapping[str, str]) -> list[str]:
    """Those that `${NAME}` stands for in it, and that there are not."""
    return [name for name in dict.fromkeys(_VARIABLE.findall(text)) if name not in variables]
