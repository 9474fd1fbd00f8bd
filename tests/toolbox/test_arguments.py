"""What a model gives a tool is checked before anything runs, and the error is something it can act on."""

from __future__ import annotations

import json
from datetime import date
from enum import Enum
from typing import Annotated, Literal

import pytest
from boxes import box, call
from hypothesis import given, settings
from hypothesis import strategies as st
from pydantic import AfterValidator, BaseModel, Field, field_validator

from localagent.abort import AbortSignal
from localagent.messages import JsonValue, ToolCallPart
from localagent.tool import tool

ran: list[object] = []


class Mode(Enum):
    fast = "fast"
    slow = "slow"


class Item(BaseModel):
    name: str
    amount: int = 1
    tags: list[str] = []

    @field_validator("name")
    @classmethod
    def _no_blanks(cls, name: str) -> str:
        if " " in name:
            raise ValueError("a name has no blanks")
        return name


class Rule(BaseModel):
    below: float


def order(
    top_k: Annotated[int, Field(ge=1, le=10)],
    item: Item | None = None,
    items: Annotated[list[Item], Field(max_length=3)] = [],  # noqa: B006
    mode: Mode = Mode.fast,
    unit: Literal["kg", "斤"] = "kg",
    until: date | None = None,
    rule: Item | Rule | None = None,
    note: Annotated[str, Field(max_length=20)] = "",
    counts: dict[str, int] = {},  # noqa: B006
) -> str:
    """Order something."""
    ran.append((top_k, item, items, mode, unit, until, rule, note, counts))
    return "ordered"


@pytest.fixture(autouse=True)
def _nothing_ran() -> None:
    ran.clear()


def refused(**arguments: object) -> str:
    result = box(order).refusal(call("order", **arguments))
    assert result is not None and result.is_error and not result.ran and result.retry
    again = box(order).run(call("order", **arguments), AbortSignal())
    assert again.text == result.text and not again.ran and ran == []
    return result.text


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        ({"top_k": "five"}, "top_k must be an integer from 1 to 10, got 'five'"),
        ({"top_k": 11}, "top_k must be an integer from 1 to 10, got 11"),
        ({"top_k": 1.5}, "top_k must be an integer from 1 to 10, got 1.5"),
        ({"top_k": None}, "top_k must be an integer from 1 to 10, got null"),
        ({"top_k": [1]}, "top_k must be an integer from 1 to 10, got [1]"),
        ({}, "top_k is missing: it must be an integer from 1 to 10"),
        ({"top_k": 1, "topk": 2}, "there is no parameter topk (did you mean top_k?)"),
        ({"top_k": 1, "颜色": "红"}, "there is no parameter 颜色. order takes: top_k, item,"),
        ({"top_k": 1, "item": {"name": "a", "amount": "many"}}, "item.amount must be an integer, got 'many'"),
        ({"top_k": 1, "item": {}}, "item.name is missing: it must be a text"),
        ({"top_k": 1, "item": '{"name": "a"}'}, "item must be an object with name, amount, tags, got '{"),
        ({"top_k": 1, "item": {"name": "a b"}}, "item.name must be a text, got 'a b' (Value error, a name has no"),
        ({"top_k": 1, "items": [{"name": "a"}, {"name": 2}]}, "items[1].name must be a text, got 2"),
        ({"top_k": 1, "items": [{"name": "a", "tags": ["x", None]}]}, "items[0].tags[1] must be a text, got null"),
        ({"top_k": 1, "items": [{"name": "a"}] * 4}, "items must be a list of at most 3 entries, each an object"),
        ({"top_k": 1, "items": "a, b"}, "items must be a list of at most 3 entries, each an object with name"),
        ({"top_k": 1, "mode": "fsat"}, "mode must be one of 'fast', 'slow', got 'fsat'"),
        ({"top_k": 1, "unit": "磅"}, "unit must be one of 'kg', '斤', got '磅'"),
        ({"top_k": 1, "until": "tomorrow"}, "until must be a date like 2026-03-01, got 'tomorrow'"),
        ({"top_k": 1, "rule": {"x": 1}}, 'rule must be an object with name, amount, tags or an object with below'),
        ({"top_k": 1, "note": "x" * 21}, "note must be a text of at most 20 characters, got 'xxx"),
        ({"top_k": 1, "note": 7}, "note must be a text of at most 20 characters, got 7"),
        ({"top_k": 1, "counts": {"a": "b"}}, "counts.a must be an integer, got 'b'"),
        ({"top_k": 1, "note": "\ud800"}, "note holds characters that are no text"),
        ({"top_k": 10**6000}, "top_k must be an integer from 1 to 10, got a huge number"),
        ({"top_k": float("nan")}, "top_k must be an integer from 1 to 10, got NaN"),
        ({"top_k": "9" * 6000}, "top_k must be an integer from 1 to 10, got '999"),
    ],
)  # fmt: skip
def test_what_is_wrong_is_said_in_words(arguments: dict[str, object], said: str) -> None:
    assert said in refused(**arguments)


class OwnError(Exception):
    def __str__(self) -> str:
        raise RuntimeError("no words")


raised: list[BaseException] = []


def fails(value: str) -> str:
    raise raised.pop()


def paint(colour: Annotated[str, AfterValidator(fails)]) -> str:
    """Paint."""
    return colour


@pytest.mark.parametrize(
    ("error", "said"),
    [
        (KeyError("颜色"), "'颜色'"),
        (ZeroDivisionError("division by zero"), "division by zero"),
        (OwnError(), "OwnError"),
        (SystemExit(3), "3"),
        (RecursionError("too deep"), "too deep"),
    ],
)
def test_a_validator_of_the_tool_s_own_may_do_anything(error: BaseException, said: str) -> None:
    raised.append(error)
    result = box(paint).refusal(call("paint", colour="红"))
    assert result is not None and result.retry and not result.ran
    assert f"the arguments cannot be used: {said}. paint takes: colour." in result.text


def test_all_faults_at_once_but_not_too_many() -> None:
    text = refused(top_k=0, mode="x", unit="x", until="x", note=1, counts=1, items=1)
    assert text.count(" must be ") == 5 and "and 2 more" in text


@pytest.mark.parametrize("arguments", [None, [], "top_k=1", 3, [{"top_k": 1}]])
def test_arguments_that_are_no_object(arguments: object) -> None:
    wrong = ToolCallPart("1", "order", arguments)  # type: ignore[arg-type]
    result = box(order).refusal(wrong)
    assert result is not None and "must be one JSON object" in result.text and "order takes: top_k" in result.text
    assert "order" in box(order).shown(wrong) and box(order).paths(wrong) == []


def test_a_megabyte_in_the_wrong_place_makes_a_short_error() -> None:
    assert len(refused(top_k="多" * 1_000_000, **{"x" * 1_000_000: 1})) < 2000
    assert len(refused(top_k=1, counts={str(n): "x" for n in range(10_000)})) < 1000


def test_what_is_right_arrives_as_what_the_function_declares() -> None:
    arguments = {
        "top_k": "5", "item": {"name": "茶"}, "items": [{"name": "a"}], "mode": "slow", "unit": "斤",
        "until": "2026-03-01", "rule": {"below": 0.5}, "note": "\0 好", "counts": {"a": 1},
    }  # fmt: skip
    result = box(order).run(call("order", **arguments), AbortSignal())
    assert result.text == "ordered" and result.ran and not result.is_error
    assert ran == [
        (
            5, Item(name="茶"), [Item(name="a")], Mode.slow, "斤",
            date(2026, 3, 1), Rule(below=0.5), "\0 好", {"a": 1},
        )
    ]  # fmt: skip


def test_parameters_are_given_by_name_and_there_may_be_any() -> None:
    def named(*, key: str, **more: bool) -> list[JsonValue]:
        """Named."""
        return [key, more]

    result = box(named).run(call("named", key="k", a=True), AbortSignal())
    assert json.loads(result.text) == ["k", {"a": True}]
    refusal = box(named).refusal(call("named", key="k", a="maybe"))
    assert refusal is not None and "a must be true or false, got 'maybe'" in refusal.text

    def first(one: int, /) -> int:
        """First."""
        return one

    def rest(*all: int) -> int:
        """Rest."""
        return len(all)

    for function in (first, rest):
        with pytest.raises(TypeError, match="cannot be given by name"):
            tool(function)


def test_an_unknown_tool_is_told_what_there_is() -> None:
    toolbox = box(order)
    for name in ("ordr", "Order", "查询", "", "x" * 100_000, "\0"):
        result = toolbox.refusal(call(name))
        assert result is not None and result.is_error and not result.ran
        assert "There are: order." in result.text and len(result.text) < 300
    near = toolbox.refusal(call("ordr"))
    assert near is not None and "Did you mean order?" in near.text
    assert toolbox.effects("ordr") == frozenset()


JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=5), inner, max_size=3),
    max_leaves=8,
)
NAMES = st.sampled_from(["top_k", "item", "items", "mode", "rule", "note", "counts", "until"]) | st.text(max_size=5)


@settings(deadline=None, max_examples=150)
@given(st.dictionaries(NAMES, JSON, max_size=5) | JSON)
def test_whatever_a_model_gives_either_runs_or_is_refused_in_words(arguments: object) -> None:
    toolbox = box(order)
    wrong = ToolCallPart("1", "order", arguments)  # type: ignore[arg-type]
    result = toolbox.run(wrong, AbortSignal())
    assert result.ran is (result.text == "ordered")
    assert result.ran or (result.retry and 10 < len(result.text) < 3000)
    assert toolbox.shown(wrong)
