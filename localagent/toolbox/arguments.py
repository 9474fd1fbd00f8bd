"""The arguments a model gave a tool: checked before anything runs, and what is wrong with them in words it can act on.

top_k must be an integer from 1 to 10, got 'five'
"""

from __future__ import annotations

import difflib
import json
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, TypeAlias

from localagent.messages import JsonObject
from localagent.tool import Bound, Tool
from localagent.toolbox.running import words_of

if TYPE_CHECKING:
    from pydantic import ValidationError
    from pydantic_core import ErrorDetails

# So much is said at once; a model mends what it is told of first.
MAX_FAULTS = 5
MAX_QUOTED = 60  # characters of a value

_Path: TypeAlias = tuple[str | int, ...]
_TYPES = {
    "integer": "an integer",
    "number": "a number",
    "boolean": "true or false",
    "string": "a text",
    "null": "null",
    "array": "a list",
    "object": "an object",
}
_FORMATS = {
    "date-time": "a date and time like 2026-03-01T09:30:00",
    "date": "a date like 2026-03-01",
    "time": "a time like 09:30:00",
    "duration": "a duration like PT1H30M",
    "uuid": "a UUID",
    "uri": "an address like https://example.com/page",
    "path": "a path",
}
# Of these pydantic's own words are told too: the schema does not say what was asked for.
_OWN_WORDS = ("value_error", "assertion_error", "string_pattern_mismatch")
_MISSING = ("missing", "missing_argument", "missing_keyword_only_argument", "missing_positional_only_argument")
_UNEXPECTED = ("unexpected_keyword_argument", "extra_forbidden")


def bind(tool: Tool, arguments: object) -> Bound | str:
    """What the tool's function is called with, or what is wrong with the arguments."""
    from pydantic import ValidationError

    if not isinstance(arguments, Mapping):
        return f"the arguments must be one JSON object, got {quoted(arguments)}. {_takes(tool)}"
    odd = [name for name in arguments if not isinstance(name, str)]
    if odd:
        return f"the arguments' names must be texts, got {quoted(odd[0])}. {_takes(tool)}"
    try:
        return tool.bind(arguments)
    except ValidationError as error:
        return _said(tool, arguments, error)
    except (Exception, SystemExit) as error:  # a validator of the tool's own may do anything
        said = " ".join(words_of(error).split())[:300] or type(error).__name__
        return f"the arguments cannot be used: {said}. {_takes(tool)}"


def quoted(value: object) -> str:
    """A value as it can stand in a sentence, in JSON but for a plain text: 'five', [1, 2], an object {"a": 1}."""
    if isinstance(value, str):
        text = repr(value if len(value) <= MAX_QUOTED else value[:MAX_QUOTED])
        return text if len(value) <= MAX_QUOTED else f"{text}… ({len(value):,} characters)"
    try:
        text = json.dumps(value, ensure_ascii=False, default=lambda other: type(other).__name__)
    except (ValueError, RecursionError):  # a number of thousands of digits, an object that holds itself
        return f"a huge {'number' if isinstance(value, int) else 'value'}"
    return text if len(text) <= MAX_QUOTED else f"{text[:MAX_QUOTED]}… ({len(text):,} characters)"


def _said(tool: Tool, arguments: JsonObject, error: ValidationError) -> str:
    """One sentence a place; of several alternatives that all failed there, one for the place of the choice."""
    schema = tool.spec.parameters
    faults: dict[_Path, str] = {}
    for detail in error.errors(include_url=False, include_context=False):
        path, described, value = _find(schema, arguments, detail["loc"])
        if path not in faults:
            faults[path] = _fault(schema, detail, path, described, value)
    listed = list(faults.values())
    more = f"; and {len(listed) - MAX_FAULTS} more" if len(listed) > MAX_FAULTS else ""
    names_wrong = any(detail["type"] in (*_MISSING, *_UNEXPECTED) for detail in error.errors(include_url=False))
    return f"{'; '.join(listed[:MAX_FAULTS])}{more}." + (f" {_takes(tool)}" if names_wrong else "")


def _fault(schema: JsonObject, detail: ErrorDetails, path: _Path, described: JsonObject, value: object) -> str:
    kind, name = detail["type"], _dotted(path)
    expected = describe(schema, described)
    exact = path[-1:] == detail["loc"][-1:]
    if kind in _MISSING and exact:
        return f"{name} is missing: it must be {expected}"
    if kind in _UNEXPECTED and exact:
        near = difflib.get_close_matches(str(path[-1]), list(_properties(schema, described)), 1, 0.6)
        return f"there is no parameter {name}" + (f" (did you mean {near[0]}?)" if near else "")
    if kind == "string_unicode":
        return f"{name} holds characters that are no text (half of a surrogate pair)"
    own = f" ({' '.join(detail['msg'].split())[:200]})" if kind in _OWN_WORDS else ""
    return f"{name or 'the arguments'} must be {expected}, got {quoted(value)}{own}"


def _find(schema: JsonObject, value: object, location: Sequence[str | int]) -> tuple[_Path, JsonObject, object]:
    """Follow a place that pydantic names through the arguments: its path there, the schema and the value at it.

    Among several kinds of value that are allowed at a place pydantic names the one it tried, which is no key of the
    arguments; where more than one could be meant, the path ends there.
    """
    path: list[str | int] = []
    at = _resolved(schema, schema)
    for index, step in enumerate(location):
        last = index == len(location) - 1
        if isinstance(value, Mapping) and isinstance(step, str) and (step in value or last):
            inner = _properties(schema, at).get(step)
            if inner is None and step not in value:
                break
            if inner is None:
                inner = _mapping(at.get("additionalProperties"))
                if last and not inner:  # a parameter there is not: its neighbours are told
                    return (*path, step), at, value[step]
            value = value.get(step)
        elif isinstance(value, list | tuple) and isinstance(step, int) and 0 <= step < len(value):
            places, inner = at.get("prefixItems"), _mapping(at.get("items"))
            if isinstance(places, list) and step < len(places):
                inner = _mapping(places[step])
            value = value[step]
        else:
            continue
        path.append(step)
        at = _resolved(schema, _mapping(inner))
        if len(_alternatives(schema, at)) > 1:
            break
    return tuple(path), at, value


def describe(schema: JsonObject, at: JsonObject, *, depth: int = 0) -> str:
    """What a JSON schema allows, in words: "an integer from 1 to 10", "one of 'a', 'b', or null"."""
    at = _resolved(schema, at)
    choices = at.get("anyOf") or at.get("oneOf")
    if isinstance(choices, list):
        return " or ".join(dict.fromkeys(describe(schema, _mapping(choice), depth=depth) for choice in choices))
    if isinstance(at.get("enum"), list):
        values = at["enum"]
        assert isinstance(values, list)
        return f"one of {', '.join(quoted(value) for value in values)}"
    if "const" in at:
        return quoted(at["const"])
    kind = at.get("type")
    if kind == "string" and at.get("format") in _FORMATS:
        return _FORMATS[str(at["format"])]
    said = _TYPES.get(str(kind), "any value")
    said += _bounds(at)
    if kind == "array" and depth < 2 and _mapping(at.get("items")):
        said += f", each {describe(schema, _mapping(at['items']), depth=depth + 1)}"
    if kind == "object" and depth < 2 and _properties(schema, at):
        said += f" with {', '.join(_properties(schema, at))}"
    return said


def _bounds(at: JsonObject) -> str:
    low, high = at.get("minimum"), at.get("maximum")
    above, below = at.get("exclusiveMinimum"), at.get("exclusiveMaximum")
    if low is not None and high is not None:
        return f" from {low} to {high}"
    said = [f"{word} {value}" for word, value in (("at least", low), ("at most", high)) if value is not None]
    said += [f"{word} {value}" for word, value in (("above", above), ("below", below)) if value is not None]
    if at.get("multipleOf") is not None:
        said.append(f"a multiple of {at['multipleOf']}")
    for fewest, most, unit in (("minLength", "maxLength", "characters"), ("minItems", "maxItems", "entries")):
        if at.get(fewest):
            said.append(f"at least {at[fewest]} {unit}")
        if at.get(most) is not None:
            said.append(f"at most {at[most]} {unit}")
    return f" of {' and '.join(said)}" if said else ""


def _takes(tool: Tool) -> str:
    known = _properties(tool.spec.parameters, tool.spec.parameters)
    return f"{tool.spec.name} takes: {', '.join(known)}." if known else f"{tool.spec.name} takes no arguments."


def _dotted(path: _Path) -> str:
    said = ""
    for step in path:
        said += f"[{step}]" if isinstance(step, int) else f".{step}" if said else step
    return said if len(said) <= 2 * MAX_QUOTED else f"{said[: 2 * MAX_QUOTED]}…"


def _mapping(value: object) -> JsonObject:
    return value if isinstance(value, Mapping) else {}


def _properties(schema: JsonObject, at: JsonObject) -> JsonObject:
    return _mapping(_resolved(schema, at).get("properties"))


def _alternatives(schema: JsonObject, at: JsonObject) -> list[JsonObject]:
    """The kinds of value that are allowed at a place, without null."""
    choices = at.get("anyOf") or at.get("oneOf")
    found = [_resolved(schema, _mapping(choice)) for choice in choices] if isinstance(choices, list) else []
    return [choice for choice in found if choice.get("type") != "null"]


def _resolved(schema: JsonObject, at: JsonObject) -> JsonObject:
    """Without references, and of "this or null" what is not null."""
    for _ in range(20):
        reference = at.get("$ref")
        if isinstance(reference, str):
            at = _mapping(_mapping(schema.get("$defs")).get(reference.rpartition("/")[2]))
            continue
        choices = at.get("allOf") or at.get("anyOf")
        if isinstance(choices, list):
            left = [one for one in map(_mapping, choices) if one.get("type") != "null"]
            if len(left) == 1 and len(choices) <= 2:
                at = left[0]
                continue
        return at
    return at
