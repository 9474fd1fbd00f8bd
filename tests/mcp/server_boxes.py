"""Toolboxes of the servers in this folder, and what the tests ask them."""

from __future__ import annotations

import os
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path

from localagent.abort import AbortSignal
from localagent.calls import CallResult
from localagent.config_servers import McpServer
from localagent.mcp.client import McpToolbox, Place
from localagent.messages import JsonValue, ToolCallPart

HERE = Path(__file__).parent
PLAYING = (str(HERE / "playing_server.py"),)


def until(condition: Callable[[], bool], seconds: float = 60) -> bool:
    """Whether it comes true in time."""
    end = time.monotonic() + seconds
    while not condition():
        if time.monotonic() > end:
            return False
        time.sleep(0.01)
    return True


@dataclass
class Box:
    """A toolbox, and what it told the user."""

    toolbox: McpToolbox
    log: Path
    told: list[str] = field(default_factory=list)

    @property
    def names(self) -> list[str]:
        self.toolbox.ready(AbortSignal())
        return [spec.name for spec in self.toolbox.specs()]

    def call(self, tool: str, abort: AbortSignal | None = None, **arguments: JsonValue) -> CallResult:
        name = f"{self.toolbox.server.name}_{tool}"
        return self.toolbox.run(ToolCallPart("call_1", name, arguments), abort or AbortSignal())


@contextmanager
def opened(folder: Path, server: McpServer, **variables: str) -> Iterator[Box]:
    told: list[str] = []
    place = Place(folder, {**os.environ, **variables}, folder / "server.log")
    toolbox = McpToolbox(server, place, result_tokens=100, count=lambda text: len(text.split()), say=told.append)
    try:
        yield Box(toolbox, place.log, told)
    finally:
        toolbox.close()


def python(*arguments: str, name: str = "play", **more: object) -> McpServer:
    return McpServer(name=name, command=sys.executable, args=arguments, **{"timeout_s": 60.0, **more})  # type: ignore[arg-type]


def alive(pid: int) -> bool:
    try:
        os.kill(pid, 0)
    except ProcessLookupError:
        return False
    try:
        return "\nState:\tZ" not in Path(f"/proc/{pid}/status").read_text()
    except (FileNotFoundError, ProcessLookupError):  # gone by now
        return False
