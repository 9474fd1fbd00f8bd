"""What a key of agent.yaml may hold: kinds of values, in words for people and as pydantic's schema."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from functools import partial
from typing import TYPE_CHECKING, TypeVar

from localagent.addresses import check_keep_alive, normalise_url
from localagent.errors import ConfigError

if TYPE_CHECKING:
    from pydantic_core import CoreSchema

T = TypeVar("T")


@dataclass(frozen=True, slots=True)
class Kind:
    """What a key may hold: in words for people, and as pydantic's schema (built late: its import is not free). `item`:
    it is a list, and this is what each entry is. `inner`: it holds names with sections of their own; what each of their
    keys holds, in words."""

    expected: str
    schema: Callable[[], CoreSchema]
    text_only: bool = False
    item: str = ""
    pairs: bool = False  # a mapping in the file, pairs in the configuration
    inner: Mapping[str, str] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Leaf:
    """One key of the schema. `description` is its documentation."""

    kind: Kind
    description: str
    default: object


def whole(least: int, most: int, *, null: bool = False) -> Kind:
    def schema() -> CoreSchema:
        from pydantic_core import core_schema

        number = core_schema.int_schema(ge=least, le=most, strict=True)
        return core_schema.nullable_schema(number) if null else number

    return Kind(f"a whole number from {least} to {most}" + (" or null" if null else ""), schema)


def number(least: float, most: float) -> Kind:
    def schema() -> CoreSchema:
        from pydantic_core import core_schema

        return core_schema.float_schema(ge=least, le=most, strict=True, allow_inf_nan=False)

    return Kind(f"a number from {least:g} to {most:g}", schema)


def text(expected: str, check: Callable[[str], str] = lambda value: value) -> Kind:
    """`check` returns the value or raises ValueError, which is shown as what was expected."""

    def schema() -> CoreSchema:
        from pydantic_core import core_schema

        return core_schema.no_info_after_validator_function(check, core_schema.str_schema(strict=True))

    return Kind(expected, schema, text_only=True)


def choice(*options: str) -> Kind:
    def schema() -> CoreSchema:
        from pydantic_core import core_schema

        return core_schema.literal_schema(list(options))

    return Kind(f"one of {', '.join(options)}", schema, text_only=True)


def flag() -> Kind:
    def schema() -> CoreSchema:
        from pydantic_core import core_schema

        return core_schema.bool_schema(strict=True)

    return Kind("true or false", schema)


def thinking_schema() -> CoreSchema:
    from pydantic_core import core_schema

    levels = core_schema.literal_schema(["low", "medium", "high", "max"])
    return core_schema.nullable_schema(core_schema.union_schema([core_schema.bool_schema(strict=True), levels]))


def keep_alive_schema() -> CoreSchema:
    from pydantic_core import core_schema

    number = core_schema.int_schema(strict=True)
    written = core_schema.union_schema([number, core_schema.str_schema(strict=True)])
    return core_schema.no_info_after_validator_function(_duration, written)


def _duration(value: str | int) -> str | float:
    try:
        return check_keep_alive(value)
    except ConfigError as error:
        raise ValueError(error.message) from error


def _matching(pattern: re.Pattern[str], value: str) -> str:
    if not pattern.fullmatch(value):
        raise ValueError(pattern.pattern)
    return value


def names_schema() -> CoreSchema:
    return _list_of(partial(_matching, re.compile(r"[A-Za-z_][A-Za-z0-9_]{0,63}")))


def offered_names_schema() -> CoreSchema:
    """Of tools as models are told of them: those of MCP servers may have a hyphen."""
    return _list_of(partial(_matching, re.compile(r"[A-Za-z_][A-Za-z0-9_-]{0,63}")))


def phrases_schema() -> CoreSchema:
    return _list_of(check_name)


def folders_schema() -> CoreSchema:
    return _list_of(_check_folder)


def _list_of(check: Callable[[str], str]) -> CoreSchema:
    """Texts that `check` returns, none of them twice."""
    from pydantic_core import core_schema

    one = core_schema.no_info_after_validator_function(check, core_schema.str_schema(strict=True))
    return core_schema.no_info_after_validator_function(
        _no_doubles, core_schema.tuple_schema([one], variadic_item_index=0)
    )


def _check_folder(value: str) -> str:
    if not value.strip():
        raise ValueError(value)
    return check_model_name(value)


def _no_doubles(value: tuple[str, ...]) -> tuple[str, ...]:
    from pydantic_core import PydanticCustomError

    again = [index for index, name in enumerate(value) if name in value[:index]]
    if again:
        doubles = ", ".join(sorted({value[index] for index in again}))
        raise PydanticCustomError("explained", "named twice: {names}", {"names": doubles, "index": again[0]})
    return value


def check_name(value: str) -> str:
    if not 1 <= len(value) <= 100 or not value.isprintable():
        raise ValueError(value)
    return value


def check_model_name(value: str) -> str:
    if len(value) > 4096 or not value.isprintable():
        raise ValueError(value)
    return value


def check_base_url(value: str) -> str:
    from pydantic_core import PydanticCustomError

    if not value.strip():
        raise ValueError(value)
    try:
        normalise_url(value)
    except ConfigError as error:
        raise PydanticCustomError("explained", "{said}", {"said": f"{error.message} ({error.hint})"}) from error
    return value


_EMBEDDER = re.compile(r"auto|embedded|words|ollama:\S+|chroma:[A-Za-z_]\w*")


def check_embedder(value: str) -> str:
    return _matching(_EMBEDDER, value)


def check_host(value: str) -> str:
    return _matching(re.compile(r"[A-Za-z0-9.:_\[\]-]{0,255}"), value)


def headers_schema() -> CoreSchema:
    from pydantic_core import core_schema

    one_line = core_schema.str_schema(strict=True, pattern=r"^[\x20-\x7e]*$")
    written = core_schema.dict_schema(core_schema.str_schema(strict=True, pattern=r"^[A-Za-z0-9-]+$"), one_line)
    pairs = core_schema.no_info_after_validator_function(lambda value: tuple(value.items()), written)
    return core_schema.no_info_before_validator_function(lambda value: dict(value) if value == () else value, pairs)


def setting(default: T, kind: Kind, description: str) -> T:
    return field(default=default, metadata={"leaf": Leaf(kind, description, default)})


def named_schema(
    kinds: Mapping[str, CoreSchema],
    check_name: Callable[[str], str],
    check_whole: Callable[[dict[str, object]], dict[str, object]],
    made: Callable[[dict[str, dict[str, object]]], object],
) -> CoreSchema:
    """A mapping of names to sections with these keys, none of them required; each section, and then the whole, is
    passed through the functions. The empty tuple stands for no section at all."""
    from pydantic_core import core_schema as cs

    fields = {key: cs.typed_dict_field(kind, required=False) for key, kind in kinds.items()}
    one = cs.no_info_after_validator_function(check_whole, cs.typed_dict_schema(fields, extra_behavior="forbid"))
    name = cs.no_info_after_validator_function(check_name, cs.str_schema(strict=True))
    whole = cs.no_info_after_validator_function(made, cs.dict_schema(name, one))
    return cs.no_info_before_validator_function(lambda value: dict(value) if value == () else value, whole)
