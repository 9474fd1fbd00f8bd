"""The other way: a toolbox, offered to an MCP client over this process's standard input and output."""

from __future__ import annotations

import asyncio
import contextlib
import os
import sys
import threading
from collections.abc import AsyncIterator
from functools import partial
from typing import TYPE_CHECKING, cast

from localagent import __version__
from localagent.abort import AbortSignal
from localagent.calls import CallResult, Toolbox
from localagent.errors import Aborted, InternalError, LocalAgentError
from localagent.mcp.connection import in_words
from localagent.mcp.package import need_sdk
from localagent.messages import JsonObject, ToolCallPart

if TYPE_CHECKING:
    import anyio
    from mcp.server import Server, ServerRequestContext
    from mcp_types import CallToolRequestParams, CallToolResult, ListToolsResult, PaginatedRequestParams


def serve(toolbox: Toolbox, instructions: str, abort: AbortSignal) -> None:
    """Until the client goes away, or the signal is set (which is done in the end: what still runs shall stop).

    Raises ConfigError without the SDK, Aborted when the signal was set before the client went.
    """
    need_sdk("localagent mcp serve")
    try:
        asyncio.run(_serve(toolbox, instructions, abort))
    except asyncio.CancelledError:
        abort.raise_if_aborted()
    except ExceptionGroup as errors:
        if errors.split(OSError)[1] is not None:
            raise InternalError(f"the MCP server failed: {in_words(errors)}") from errors
        # else the client does not read any more
    finally:
        abort.abort()


async def _serve(toolbox: Toolbox, instructions: str, abort: AbortSignal) -> None:
    from mcp.server.stdio import stdio_server

    loop, task = asyncio.get_running_loop(), asyncio.current_task()
    assert task is not None
    server = _made(toolbox, instructions, abort)

    def cancel() -> None:
        loop.call_soon_threadsafe(task.cancel)

    detach = abort.on_abort(cancel)
    try:
        lines = cast("anyio.AsyncFile[str]", _Lines(loop))
        async with stdio_server(stdin=lines) as (read_stream, write_stream):
            await server.run(read_stream, write_stream, server.create_initialization_options())
    finally:
        detach()


class _Lines:
    """Standard input, line by line. The SDK's own reader cannot be interrupted while no line comes."""

    def __init__(self, loop: asyncio.AbstractEventLoop) -> None:
        self._loop = loop
        self._lines: asyncio.Queue[str] = asyncio.Queue()
        threading.Thread(target=self._read, name="mcp input", daemon=True).start()

    async def __aiter__(self) -> AsyncIterator[str]:
        while line := await self._lines.get():
            yield line

    def _read(self) -> None:
        """From the descriptor: a reader's lock that is held at the end would end the program with an error."""
        rest = b""
        with contextlib.suppress(OSError, ValueError, RuntimeError):  # the descriptor or the loop is closed
            descriptor = sys.stdin.fileno()
            while data := os.read(descriptor, 65536):
                *lines, rest = (rest + data).split(b"\n") if b"\n" in data else (rest + data,)
                for line in lines:
                    self._put(line.decode("utf-8", "replace") + "\n")
        with contextlib.suppress(RuntimeError):
            self._put("")

    def _put(self, line: str) -> None:
        self._loop.call_soon_threadsafe(self._lines.put_nowait, line)


def _made(toolbox: Toolbox, instructions: str, abort: AbortSignal) -> Server[dict[str, object]]:
    from mcp.server import Server
    from mcp_types import ListToolsResult, Tool, ToolAnnotations

    async def listed(
        context: ServerRequestContext[dict[str, object]], params: PaginatedRequestParams | None
    ) -> ListToolsResult:
        tools = []
        for spec in toolbox.specs():
            effects = toolbox.effects(spec.name)
            hints = ToolAnnotations(read_only_hint=effects <= {"reads"}, open_world_hint="network" in effects)
            schema = dict(spec.parameters)
            tools.append(Tool(name=spec.name, description=spec.description, input_schema=schema, annotations=hints))
        return ListToolsResult(tools=tools)

    async def called(context: ServerRequestContext[dict[str, object]], params: CallToolRequestParams) -> CallToolResult:
        arguments = cast(JsonObject, params.arguments or {})
        call = ToolCallPart(str(context.request_id), params.name, arguments)
        return await _run(toolbox, call, abort)

    return Server(
        "localagent", version=__version__, instructions=instructions, on_list_tools=listed, on_call_tool=called
    )


async def _run(toolbox: Toolbox, call: ToolCallPart, abort: AbortSignal) -> CallToolResult:
    """In a thread; when the client cancels the request, it is told to stop."""
    import anyio.to_thread
    from mcp_types import CallToolResult, TextContent

    with abort.child() as signal:
        try:
            work = partial(_called, toolbox, call, signal)
            result = await anyio.to_thread.run_sync(work, abandon_on_cancel=True)
        except asyncio.CancelledError:
            signal.abort()
            raise
    return CallToolResult(content=[TextContent(type="text", text=result.text)], is_error=result.is_error)


def _called(toolbox: Toolbox, call: ToolCallPart, abort: AbortSignal) -> CallResult:
    try:
        return toolbox.refusal(call) or toolbox.run(call, abort)
    except Aborted as error:
        return CallResult(call, f"Stopped: {error}", is_error=True)
    except LocalAgentError as error:
        return CallResult(call, str(error), is_error=True)
