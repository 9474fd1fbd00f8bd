"""Filters on what is known of a passage: `{"kind": {"$in": ["fact", "todo"]}, "said_at": {"$gte": "2026-03-01"}}`.

One language for the ledger, for Chroma and for exact search. Fields have a type each, and every passage has every
field, so that `$ne` and `$nin` mean the same everywhere.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Literal, TypeAlias, cast

from localagent.errors import UsageError
from localagent.messages import JsonObject, JsonValue

Comparison: TypeAlias = Literal["$eq", "$ne", "$gt", "$gte", "$lt", "$lte", "$in", "$nin"]
Scalar: TypeAlias = "str | float"

# Name and type of what can be filtered on. `said_at` also takes a date (2026-03-01) or a time in ISO form.
FIELDS: Mapping[str, type] = {
    "source": str,  # "message" or "memory"
    "kind": str,  # of a memory; "message" of a message
    "origin": str,
    "scope": str,
    "agent": str,
    "thread_id": str,
    "speaker": str,
    "said_at": float,
}
_NUMBERS_ONLY = ("$gt", "$gte", "$lt", "$lte")
_COMPARISONS = ("$eq", "$ne", *_NUMBERS_ONLY, "$in", "$nin")
MAX_DEPTH = 8


@dataclass(frozen=True, slots=True)
class Condition:
    field: str
    operator: Comparison
    value: Scalar | tuple[Scalar, ...]


@dataclass(frozen=True, slots=True)
class Group:
    """`members` has at least two."""

    operator: Literal["$and", "$or"]
    members: tuple[Filter, ...]


Filter: TypeAlias = "Condition | Group"


def parse_filter(data: JsonValue, *, depth: int = 0) -> Filter | None:
    """A filter in JSON; None for an empty one. UsageError with what is wrong and what there is."""
    if not isinstance(data, Mapping):
        raise UsageError(f"a filter is an object, not {_shown(data)}", hint=_HINT)
    if depth > MAX_DEPTH:
        raise UsageError(f"a filter may be nested {MAX_DEPTH} deep")
    return both(*[_entry(str(key), value, depth) for key, value in data.items()])


def both(*members: Filter | None) -> Filter | None:
    """All of them; those that are None say nothing."""
    given = tuple(member for member in members if member is not None)
    return Group("$and", given) if len(given) > 1 else given[0] if given else None


def accepts(where: Filter, values: Mapping[str, object]) -> bool:
    """Whether a passage with these values passes."""
    match where:
        case Group("$and", members):
            return all(accepts(member, values) for member in members)
        case Group(_, members):
            return any(accepts(member, values) for member in members)
        case Condition(field, operator, value):
            return _HOLDS[operator](values[field], value)


def to_sql(where: Filter, columns: Mapping[str, str]) -> tuple[str, list[Scalar]]:
    """A condition and its parameters; `columns` names the SQL expression of each field."""
    if isinstance(where, Group):
        parts = [to_sql(member, columns) for member in where.members]
        joined = f" {where.operator[1:].upper()} ".join(sql for sql, _ in parts)
        return f"({joined})", [value for _, values in parts for value in values]
    column = columns[where.field]
    if isinstance(where.value, tuple):
        negation = "NOT " if where.operator == "$nin" else ""
        return f"{column} {negation}IN ({', '.join('?' * len(where.value))})", list(where.value)
    return f"{column} {_SQL[where.operator]} ?", [where.value]


def to_json(where: Filter) -> JsonObject:
    """As `parse_filter` reads it, and as Chroma takes it."""
    if isinstance(where, Group):
        return {where.operator: [to_json(member) for member in where.members]}
    value = list(where.value) if isinstance(where.value, tuple) else where.value
    return {where.field: {where.operator: value}}


_HINT = f"Fields: {', '.join(FIELDS)}; operators: {', '.join(_COMPARISONS)}, $and, $or."
_SQL = {"$eq": "=", "$ne": "<>", "$gt": ">", "$gte": ">=", "$lt": "<", "$lte": "<="}
_HOLDS: Mapping[str, Callable[..., bool]] = {
    "$eq": lambda one, other: one == other,
    "$ne": lambda one, other: one != other,
    "$gt": lambda one, other: one > other,
    "$gte": lambda one, other: one >= other,
    "$lt": lambda one, other: one < other,
    "$lte": lambda one, other: one <= other,
    "$in": lambda one, others: one in others,
    "$nin": lambda one, others: one not in others,
}


def _entry(key: str, value: JsonValue, depth: int) -> Filter | None:
    if key in ("$and", "$or"):
        if isinstance(value, str) or not isinstance(value, Sequence):
            raise UsageError(f"{key} takes a list of filters, not {_shown(value)}", hint=_HINT)
        members = [parse_filter(member, depth=depth + 1) for member in value]
        if not members or None in members:
            raise UsageError(f"{key} needs filters that say something", hint=_HINT)
        given = tuple(member for member in members if member is not None)
        return Group(cast("Literal['$and', '$or']", key), given) if len(given) > 1 else given[0]
    if key not in FIELDS:
        raise UsageError(f"there is no field {key!r} to filter on", hint=_HINT)
    if not isinstance(value, Mapping):
        value = {"$in" if isinstance(value, Sequence) and not isinstance(value, str) else "$eq": value}
    return both(*[_test(key, str(operator), operand) for operator, operand in value.items()])


def _test(field: str, operator: str, operand: JsonValue) -> Condition:
    if operator not in _COMPARISONS:
        raise UsageError(f"there is no operator {operator!r}", hint=_HINT)
    if operator in ("$in", "$nin"):
        if isinstance(operand, str) or not isinstance(operand, Sequence) or not operand:
            raise UsageError(f"{operator} takes a list with something in it, not {_shown(operand)}", hint=_HINT)
        return Condition(field, cast("Comparison", operator), tuple(_scalar(field, one) for one in operand))
    if operator in _NUMBERS_ONLY and FIELDS[field] is not float:
        raise UsageError(f"{operator} compares numbers and times; {field} is a text", hint=_HINT)
    return Condition(field, cast("Comparison", operator), _scalar(field, operand))


def _scalar(field: str, value: JsonValue) -> Scalar:
    if FIELDS[field] is str:
        if isinstance(value, str):
            return value.encode("utf-8", "replace").decode()
        raise UsageError(f"{field} is a text, not {_shown(value)}", hint=_HINT)
    if isinstance(value, int | float) and not isinstance(value, bool) and math.isfinite(value):
        return float(value)
    if isinstance(value, str):
        try:
            return datetime.fromisoformat(value).timestamp()
        except (ValueError, OverflowError, OSError):
            pass
    raise UsageError(f"{field} is a time such as 2026-03-01 or epoch seconds, not {_shown(value)}", hint=_HINT)


def _shown(value: object) -> str:
    text = repr(value)
    return text if len(text) <= 60 else f"{text[:60]}…"
