"""What agent.yaml says of other agents that the model may ask: a mapping of names to a folder and a description."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, cast

from localagent.config_kinds import named_schema
from localagent.messages import JsonValue

if TYPE_CHECKING:
    from pydantic_core import CoreSchema

ONE_REQUEST_S = 300.0
EXPECTED = "a mapping of agents, each with a folder and a description"
_NAME = re.compile(r"[A-Za-z_][A-Za-z0-9_]{0,63}")
# What each key holds, in words for people.
KEYS: Mapping[str, str] = {
    "folder": "a folder's path in one line",
    "description": "a text that tells the model what to ask it",
    "timeout_s": "a number of seconds from 1 to 86400",
}


@dataclass(frozen=True, slots=True, kw_only=True)
class SubAgent:
    """An agent as a tool of another one. `folder` is relative to the caller's; `description` is what the caller's model
    is told; `timeout_s`: for one request."""

    name: str
    folder: str
    description: str
    timeout_s: float = ONE_REQUEST_S


def agents_schema() -> CoreSchema:
    """A mapping, as pydantic checks it, made a tuple of `SubAgent`."""
    from pydantic_core import core_schema as cs

    kinds: dict[str, CoreSchema] = {
        "folder": cs.no_info_after_validator_function(_check_folder, cs.str_schema(strict=True)),
        "description": cs.no_info_after_validator_function(_check_description, cs.str_schema(strict=True)),
        "timeout_s": cs.float_schema(ge=1, le=86_400, strict=True, allow_inf_nan=False),
    }
    return named_schema(kinds, _check_name, _check_whole, _made)


def agents_value(agents: tuple[SubAgent, ...]) -> JsonValue:
    """As it would stand in the file."""
    return {one.name: {key: getattr(one, key) for key in KEYS} for one in agents}


def _check_name(value: str) -> str:
    from pydantic_core import PydanticCustomError

    if not _NAME.fullmatch(value):
        raise PydanticCustomError(
            "explained", "an agent's name is up to 64 letters, digits and _, no digit first: it is a tool's name"
        )
    return value


def _check_folder(value: str) -> str:
    if not value.strip() or len(value) > 4096 or not value.isprintable():
        raise ValueError(value)
    return value


def _check_description(value: str) -> str:
    if not value.strip():
        raise ValueError(value)
    return value.strip()


def _check_whole(value: dict[str, object]) -> dict[str, object]:
    from pydantic_core import PydanticCustomError

    for key in ("folder", "description"):
        if key not in value:
            raise PydanticCustomError("explained", "needs a {key}: {kind}", {"key": key, "kind": KEYS[key]})
    return value


def _made(value: dict[str, dict[str, object]]) -> tuple[SubAgent, ...]:
    return tuple(
        SubAgent(
            name=name,
            folder=cast(str, entry["folder"]),
            description=cast(str, entry["description"]),
            timeout_s=cast(float, entry.get("timeout_s", ONE_REQUEST_S)),
        )
        for name, entry in value.items()
    )
