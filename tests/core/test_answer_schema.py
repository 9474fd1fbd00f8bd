"""Answers of a given form: what a schema file may be, and what an answer is told."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from localagent.answer_schema import AnswerSchema, read_schema
from localagent.errors import UsageError
from localagent.messages import JsonValue
from localagent.quality import Output, StepView, TurnView

PERSON: JsonValue = {
    "type": "object",
    "properties": {"name": {"$ref": "#/$defs/short"}, "age": {"type": "integer", "minimum": 0}},
    "required": ["age"],
    "additionalProperties": False,
    "$defs": {"short": {"type": "string", "maxLength": 4}},
}


@pytest.fixture
def file(tmp_path: Path) -> Path:
    return tmp_path / "schema.json"


def schema(file: Path, source: JsonValue = PERSON) -> AnswerSchema:
    file.write_text(json.dumps(source), encoding="utf-8")
    return read_schema(file)


def fault(made: AnswerSchema, text: str) -> str:
    with pytest.raises(ValueError) as raised:
        made.value(text)
    return str(raised.value)


@pytest.mark.parametrize(
    ("source", "expected"),
    [
        (b"", "schema.json:1:1: not JSON: Expecting value. A JSON schema is needed"),
        (b'{"type":\n}', "schema.json:2:1: not JSON"),
        (b"[]", "a JSON schema is an object"),
        (b"{}", "a JSON schema is an object"),
        (b"true", "a JSON schema is an object"),
        (b"\xff\xfe{\0", "the byte 0xff is not UTF-8"),
        (b'{"minimum": Infinity}', "Infinity is no number of JSON"),
        (b"[" * 100_000, "not JSON: maximum recursion depth exceeded"),
        (b" " * 300_000, "larger than 256 KiB"),
        (b'{"type": "objekt"}', "not a JSON schema: $.type: 'objekt'"),
        (b'{"properties": {"a": {"minimum": "x"}}}', "not a JSON schema: $.properties.a.minimum: 'x' is not of type"),
        (b'{"type": "string", "pattern": "("}', "not a JSON schema: $.pattern"),
        (b'{"$ref": "https://example.org/a.json"}', "$ref: there is no https://example.org/a.json in the file"),
        (b'{"properties": {"a": {"$ref": "#/$defs/b"}}}', "$ref: there is no #/$defs/b in the file"),
        (b'{"$dynamicRef": "#nope"}', "$dynamicRef: there is no #nope in the file"),
        (b'{"items": {"$dynamicRef": "https://example.org/a"}}', "there is no https://example.org/a in the file"),
    ],
)
def test_a_file_that_is_no_schema_is_told_with_its_place(file: Path, source: bytes, expected: str) -> None:
    file.write_bytes(source)
    with pytest.raises(UsageError) as raised:
        read_schema(file)
    line = str(raised.value)
    assert expected in line and str(file) in line and "\n" not in line


def test_a_file_that_cannot_be_read(tmp_path: Path) -> None:
    for path, expected in ((tmp_path / "none.json", "No such file"), (tmp_path, "directory")):
        with pytest.raises(UsageError, match=expected):
            read_schema(path)


@pytest.mark.parametrize("text", ['{"age": 3}', ' {"age": 3}\n', '```json\n{"age": 3}\n```', '```\n{"age": 3}\n```\n'])
def test_an_answer_that_fits(file: Path, text: str) -> None:
    assert schema(file).value(text) == {"age": 3}


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("", "it is not JSON: Expecting value, line 1, column 1"),
        ("Sure! {}", "it is not JSON"),
        ('{"age": 3} and more', "it is not JSON: Extra data, line 1, column 12"),
        ('{"age": NaN}', "NaN is no number of JSON"),
        ('{"age": "five"}', "$.age: 'five' is not of type 'integer'"),
        ('{"name": "名字太长了吧", "age": -1}', "$.age: -1 is less than the minimum of 0; $.name: "),
        ("{}", "$: 'age' is a required property"),
        ("[" * 100_000, "it is nested too deeply"),
    ],
)
def test_an_answer_that_does_not_fit_is_told_why(file: Path, text: str, expected: str) -> None:
    assert expected in fault(schema(file), text)


@pytest.mark.parametrize(
    "source",
    [
        {"properties": {"link": {"enum": [{"$ref": "elsewhere"}]}}},
        {"default": {"$ref": "elsewhere"}, "type": "object"},
        {"$id": "https://example.org/a", "$defs": {"b": {"$id": "c", "$defs": {"名": {}}, "$ref": "#/$defs/名"}}},
        {"$dynamicAnchor": "node", "properties": {"next": {"$dynamicRef": "#node"}}},
    ],
)
def test_what_a_schema_may_refer_to(file: Path, source: JsonValue) -> None:
    assert schema(file, source).value('{"next": {}}') == {"next": {}}


def test_a_schema_that_turns_out_to_lead_nowhere_is_a_fault_not_a_crash(file: Path) -> None:
    made = schema(file, {"properties": {"default": {"$ref": "#/$defs/none"}}})
    assert "the schema itself refers to what there is not" in fault(made, '{"default": 1}')


def test_a_schema_without_end_is_a_fault_not_a_crash(file: Path) -> None:
    assert fault(schema(file, {"$ref": "#"}), "1") == "it is nested too deeply"


def test_of_many_faults_some_are_told(file: Path) -> None:
    told = fault(schema(file, {"items": {"type": "string"}}), json.dumps(list(range(50))))
    assert told.count("is not of type") == 5 and told.endswith("; and 45 more")


def test_the_check_asks_for_another_answer_with_the_reason(file: Path) -> None:
    made = schema(file)

    def said(text: str) -> Output:
        return Output(text, (), TurnView("who?", [StepView(1, text)]))

    retry = made.form().check(said('{"age": "five"}'))
    assert retry.verdict == "retry"
    assert "'five' is not of type 'integer'" in retry.reason
    assert made.form().check(said('{"age": 5}')).verdict == "accept"
    unwrapped = made.form().check(said('```json\n{"age": 5}\n```'))
    assert (unwrapped.verdict, unwrapped.text) == ("replace", '{"age": 5}')


@settings(max_examples=60, deadline=None)
@given(st.recursive(st.none() | st.booleans() | st.integers() | st.text(), lambda inner: st.lists(inner, max_size=3)))
def test_any_json_goes_through_a_schema_that_allows_it(value: JsonValue) -> None:
    made = AnswerSchema({"title": "anything"}, lambda value: iter(()))
    assert made.value(json.dumps(value)) == value
