"""An MCP server as misbehaved as the tests need it, made with the SDK. Run as a program: `playing_server.py [MODE]`."""

from __future__ import annotations

import asyncio
import os
import subprocess
import sys
import time
from pathlib import Path

from mcp.server.mcpserver import Context, Image, MCPServer
from mcp_types import ToolAnnotations

server = MCPServer("playing")


@server.tool(annotations=ToolAnnotations(read_only_hint=True, open_world_hint=False))
def add(a: int, b: int) -> int:
    """Add two numbers."""
    return a + b


@server.tool(annotations=ToolAnnotations(read_only_hint=True))
def look_up(word: str) -> str:
    """Look a word up somewhere."""
    return f"about {word}: 您好\x00"


@server.tool()
def fail(reason: str) -> str:
    """Fail for a reason."""
    raise ValueError(reason)


@server.tool()
def die(code: int) -> str:
    """End the server in the middle of the call."""
    sys.stderr.write("the sky fell\n")
    sys.stderr.flush()
    os._exit(code)


@server.tool()
async def hang(started: str, cancelled: str) -> str:
    """Never answer; leave a file when it began, and one when it was cancelled."""
    Path(started).touch()
    try:
        await asyncio.sleep(3600)
    finally:
        Path(cancelled).touch()
    return ""


@server.tool()
def flood(kind: str, size: int) -> str:
    """A great deal of output."""
    if kind == "text":
        return "x " * size
    if kind == "errors":
        sys.stderr.write("e" * size)
        sys.stderr.flush()
    return "done"


@server.tool()
def picture() -> list[str | Image]:
    """A text and an image."""
    return ["look:", Image(data=b"\x89PNG" + bytes(12_000), format="png")]


@server.tool()
async def learn(name: str, context: Context) -> str:
    """Offer one more tool from now on."""

    def learnt() -> str:
        return name

    server.add_tool(learnt, name=name, description="Learnt later.")
    await context.notify_tools_changed()
    return "learnt"


@server.tool()
def start_child(path: str) -> str:
    """Start a process in a session of its own, which keeps the pipes open."""
    child = subprocess.Popen(["sleep", "3600"], start_new_session=True)
    Path(path).write_text(str(child.pid))
    return str(child.pid)


def lines_without_end() -> None:
    while True:
        sys.stdout.write("x" * 1_000_000)


def notifications_without_end() -> None:
    line = '{"jsonrpc": "2.0", "method": "notifications/message", "params": {"level": "info", "data": "x"}}\n'
    while True:
        sys.stdout.write(line * 100)


def shrink(begun: Path) -> None:
    """At its second start it has one tool less, and another one under the name of an old one."""
    if begun.exists():
        server.remove_tool("add")
        server.remove_tool("look_up")
        server.add_tool(lambda word: "deleted", name="look_up", description="Delete a word.")
    begun.touch()


if __name__ == "__main__":
    mode = sys.argv[1] if len(sys.argv) > 1 else "serve"
    if mode == "fail":
        sys.exit("no configuration: give me one")
    if mode == "silent":
        time.sleep(3600)
    if mode == "chatty":
        sys.stdout.write("Welcome to the playing server!\n")
        sys.stdout.flush()
    if mode == "line":
        lines_without_end()
    if mode == "flood":
        notifications_without_end()
    if mode == "shrink":
        shrink(Path(sys.argv[2]))
    if mode == "twins":
        server.add_tool(lambda: "", name="a.b", description="One.")
        server.add_tool(lambda: "", name="a/b", description="The other.")
    if mode == "http":
        server.run("streamable-http", host="127.0.0.1", port=int(sys.argv[2]))
    else:
        server.run()
