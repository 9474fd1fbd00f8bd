"""What agent.yaml says of MCP servers: a mapping of names to a command or an address."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, cast
from urllib.parse import urlsplit

from localagent.config_kinds import named_schema
from localagent.messages import JsonValue

if TYPE_CHECKING:
    from pydantic_core import CoreSchema

START_AND_CALL_S = 30.0
EXPECTED = "a mapping of servers, each with a command or a url"
_NAME = re.compile(r"[A-Za-z][A-Za-z0-9_-]{0,31}")
# What each key holds, in words for people.
KEYS: Mapping[str, str] = {
    "command": "a program's name or path",
    "args": "a list of texts",
    "env": "a mapping of variables to texts",
    "cwd": "a folder",
    "url": "an address such as http://localhost:8000/mcp",
    "headers": "a mapping of HTTP headers (letters, digits and -) to texts in one line of ASCII",
    "timeout_s": "a number of seconds from 1 to 3600",
    "trust_hints": "true or false",
}


@dataclass(frozen=True, slots=True, kw_only=True)
class McpServer:
    """A program that is started (`command`), or an address (`url`): one of the two is empty. `env` is added to the
    environment without its secrets, `cwd` is relative to the agent's folder; in the values of `env` and `headers`,
    `${NAME}` stands for a variable. `timeout_s`: for its start, and for each call. `trust_hints`: what it says of the
    effects of its tools is believed."""

    name: str
    command: str = ""
    args: tuple[str, ...] = ()
    env: tuple[tuple[str, str], ...] = ()
    cwd: str = ""
    url: str = ""
    headers: tuple[tuple[str, str], ...] = ()
    timeout_s: float = START_AND_CALL_S
    trust_hints: bool = False


def servers_schema() -> CoreSchema:
    """A mapping, as pydantic checks it, made a tuple of `McpServer`."""
    from pydantic_core import core_schema as cs

    text = cs.str_schema(strict=True, min_length=1)
    variables = cs.dict_schema(cs.str_schema(strict=True, pattern=r"^[^=\x00]+$"), cs.str_schema(strict=True))
    line = cs.str_schema(strict=True, pattern=r"^[\x20-\x7e]*$")
    headers = cs.dict_schema(cs.str_schema(strict=True, pattern=r"^[A-Za-z0-9-]+$"), line)
    kinds: dict[str, CoreSchema] = {
        "command": text,
        "args": cs.list_schema(cs.str_schema(strict=True)),
        "env": variables,
        "cwd": text,
        "url": cs.no_info_after_validator_function(_check_url, cs.str_schema(strict=True)),
        "headers": headers,
        "timeout_s": cs.float_schema(ge=1, le=3600, strict=True, allow_inf_nan=False),
        "trust_hints": cs.bool_schema(strict=True),
    }
    return named_schema(kinds, _check_name, _check_whole, _made)


def servers_value(servers: tuple[McpServer, ...]) -> JsonValue:
    """As it would stand in the file, without what was not said. The values of variables and headers may be secrets:
    they are not shown."""
    shown: dict[str, JsonValue] = {}
    for server in servers:
        entry: dict[str, JsonValue] = {}
        for key in KEYS:
            value = getattr(server, key)
            if key in ("env", "headers"):
                value = {name: "..." for name, _ in value}
            if value:
                entry[key] = list(value) if isinstance(value, tuple) else value
        shown[server.name] = entry
    return shown


def _check_name(value: str) -> str:
    from pydantic_core import PydanticCustomError

    if not _NAME.fullmatch(value):
        raise PydanticCustomError(
            "explained", "a server's name is up to 32 letters, digits, - and _, a letter first: its tools begin with it"
        )
    return value


def _check_url(value: str) -> str:
    try:
        parts = urlsplit(value)
        usable = parts.scheme in ("http", "https") and bool(parts.hostname) and parts.port != 0
    except ValueError:
        usable = False
    if not usable or not value.isprintable() or any(character.isspace() for character in value):
        raise ValueError(value)
    return value


def _check_whole(value: dict[str, object]) -> dict[str, object]:
    from pydantic_core import PydanticCustomError

    if ("command" in value) == ("url" in value):
        both = "has both" if "url" in value else "needs one"
        raise PydanticCustomError("explained", "{both}: a command (started here) or a url (it runs)", {"both": both})
    foreign = ("headers",) if "command" in value else ("args", "env", "cwd")
    for key in foreign:
        if key in value:
            owner = "url" if key == "headers" else "command"
            raise PydanticCustomError(
                "explained", "{key} belongs to a server with a {owner}", {"key": key, "owner": owner}
            )
    return value


def _made(value: dict[str, dict[str, object]]) -> tuple[McpServer, ...]:
    return tuple(_server(name, entry) for name, entry in value.items())


def _server(name: str, entry: Mapping[str, object]) -> McpServer:
    pairs = {key: tuple(cast("dict[str, str]", entry.get(key, {})).items()) for key in ("env", "headers")}
    return McpServer(
        name=name,
        command=cast(str, entry.get("command", "")),
        args=tuple(cast("list[str]", entry.get("args", []))),
        env=pairs["env"],
        cwd=cast(str, entry.get("cwd", "")),
        url=cast(str, entry.get("url", "")),
        headers=pairs["headers"],
        timeout_s=cast(float, entry.get("timeout_s", START_AND_CALL_S)),
        trust_hints=entry.get("trust_hints") is True,
    )
