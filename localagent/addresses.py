"""What people write about a model server, and what is meant: its address, and how long it keeps a model loaded."""

from __future__ import annotations

import math
import re
from urllib.parse import urlsplit

from localagent.errors import ConfigError

DEFAULT_PORT = 11434  # Ollama's

_EXAMPLE = "Write it like http://localhost:11434"
_QUOTES = " \t\r\n\"'"
_DURATION = re.compile(r"[+-]?(?:0|(?:(?:\d+(?:\.\d*)?|\.\d+)(?:ns|us|µs|μs|ms|s|m|h))+)", re.ASCII)
_NUMBER = re.compile(r"[+-]?\d+(?:\.\d*)?", re.ASCII)
_LONGEST_DURATION = 40  # characters
_LONGEST_S = 1_000_000_000


def normalise_url(base_url: str) -> str:
    """A complete address without a trailing slash, from the forms people write: no scheme, `:5000`, `::1`, a path,
    `0.0.0.0` (where a server listens; a client goes to 127.0.0.1). Without a scheme the port is Ollama's own.

    Raises `ConfigError` for what cannot be meant.
    """
    text = base_url.strip(_QUOTES)
    where = f"model.base_url {base_url!r}"
    if text.count(":") > 1 and re.fullmatch(r"[0-9a-fA-F:.%]+", text):
        text = f"[{text}]"  # a bare IPv6 address
    scheme, _, rest = text.rpartition("://")
    plain = not scheme
    scheme = scheme.lower() or "http"
    if scheme not in ("http", "https"):
        raise ConfigError(f"{scheme}:// is not http:// or https://", where=where, hint=_EXAMPLE)
    try:
        parts = urlsplit(f"{scheme}://{rest}")
        port = parts.port
    except ValueError as error:
        raise ConfigError(f"no address: {error}", where=where, hint=_EXAMPLE) from error
    if port == 0:
        raise ConfigError("nothing listens at port 0", where=where, hint=_EXAMPLE)
    if parts.username is not None or parts.query or parts.fragment or not _printable(rest):
        raise ConfigError("an address has no user name, query or blank", where=where, hint=_EXAMPLE)
    host = parts.hostname or "127.0.0.1"
    host = {"0.0.0.0": "127.0.0.1", "::": "::1"}.get(host, host)
    path = parts.path.rstrip("/")
    if path.endswith(("/v1", "/api")):
        raise ConfigError(
            f"the address ends in {path[path.rindex('/') :]}", where=where, hint="Leave that out: Ollama's own is used"
        )
    number = port if port is not None else (DEFAULT_PORT if plain else None)
    return f"{scheme}://{f'[{host}]' if ':' in host else host}{f':{number}' if number is not None else ''}{path}"


def _printable(text: str) -> bool:
    return text.isprintable() and not re.search(r"[\s\\]", text)


def check_keep_alive(value: str | float) -> str | float:
    """The value, if it is one that Ollama takes: a number of seconds (negative: for ever), or a duration with units.
    A number as text ("300") is an error there. Raises `ConfigError`."""
    hint = "Write it like 10m, 1h30m or -1"
    if isinstance(value, str):
        fits = len(value) <= _LONGEST_DURATION and _DURATION.fullmatch(value) is not None
        if _NUMBER.fullmatch(value):
            hint = f"Write the number {value} (without quotes) or {value}s"
    else:
        fits = not isinstance(value, bool) and math.isfinite(value) and abs(value) <= _LONGEST_S
    if not fits:
        raise ConfigError(f"keep_alive {value!r} is no duration", where="model.keep_alive", hint=hint)
    return value
