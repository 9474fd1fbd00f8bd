"""The SDK, which is an extra: whether it is here."""

from __future__ import annotations

import logging

from localagent.errors import ConfigError

INSTALL = "Install it: pip install 'localagent[mcp]'"


def need_sdk(where: str) -> None:
    """Import it, which takes a second. Raises ConfigError with the command that installs it. `where`: what needs it."""
    try:
        import mcp.client.client
        import mcp.server.mcpserver  # noqa: F401
    except ImportError as error:
        raise ConfigError(f"this needs the package mcp, 2.3 or newer ({error})", where=where, hint=INSTALL) from error
    for name in ("mcp", "client", "httpx2", "httpcore2"):  # what a logger without a handler says goes to the terminal
        logger = logging.getLogger(name)
        if not logger.handlers:
            logger.addHandler(logging.NullHandler())
