"""What a server says of its tools is a stranger's word: it can neither hang the program nor break the screen."""

from __future__ import annotations

import pytest

from localagent.mcp.results import argument_fault
from localagent.messages import JsonObject

DOUBLING: JsonObject = {
    "type": "object",
    "properties": {"x": {"$ref": "#/$defs/d0"}},
    "$defs": {
        **{f"d{n}": {"allOf": [{"$ref": f"#/$defs/d{n + 1}"}, {"$ref": f"#/$defs/d{n + 1}"}]} for n in range(60)},
        "d60": {"type": "string"},
    },
}
CIRCLE: JsonObject = {
    "type": "object",
    "properties": {"x": {"$ref": "#/$defs/a"}},
    "$defs": {"a": {"anyOf": [{"$ref": "#/$defs/a"}, {"$ref": "#/$defs/a"}]}},
}
PATTERN: JsonObject = {"type": "object", "properties": {"x": {"type": "string", "pattern": "^(a+)+$"}}}
PATTERNS: JsonObject = {"type": "object", "patternProperties": {"^(a+)+$": {"type": "integer"}}}
FAR_AWAY: JsonObject = {"type": "object", "properties": {"x": {"$ref": "http://127.0.0.1:9/schema.json"}}}


@pytest.mark.parametrize("schema", [DOUBLING, CIRCLE, PATTERN, FAR_AWAY], ids=["doubling", "circle", "pattern", "far"])
def test_a_schema_that_is_made_to_take_for_ever_is_left_to_the_server(schema: JsonObject) -> None:
    assert argument_fault({"x": "a" * 60 + "!"}, schema) == ""


def test_patterns_of_names_too() -> None:
    assert argument_fault({"a" * 60 + "!": 1}, PATTERNS) == ""


def test_what_is_beside_a_pattern_is_checked() -> None:
    assert argument_fault({"x": 3}, PATTERN) == "x: 3 is not of type 'string'"
    assert argument_fault({"x": "y"}, {**PATTERN, "required": ["z"]}) == "'z' is a required property"
    nested: JsonObject = {"type": "object", "properties": {"l": {"type": "array", "items": {"type": "integer"}}}}
    assert argument_fault({"l": [1, "x"]}, nested) == "l[1]: 'x' is not of type 'integer'"
