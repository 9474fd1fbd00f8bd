"""The two ways to an MCP server, as the SDK wants them: a pair of streams of messages.

The SDK's own transport for programs is not used: it would read a line without an end into memory, hand the terminal's
standard error to the server, and leave behind what the server started in a session of its own.
"""

from __future__ import annotations

import asyncio
import contextlib
import os
import secrets
import shutil
import sys
import time
from collections.abc import AsyncIterator, Callable, Mapping, Sequence
from contextlib import AbstractAsyncContextManager, asynccontextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, TypeAlias
from urllib.parse import urlsplit

from localagent.mcp.log import ServerLog
from localagent.toolbox.processes import MARK, encoded, end_tree

if TYPE_CHECKING:
    import httpx2
    from anyio.streams.memory import MemoryObjectReceiveStream, MemoryObjectSendStream
    from mcp.client._transport import TransportStreams
    from mcp.shared.message import SessionMessage

# A longer message ends the connection.
MOST_MESSAGE_BYTES = 16 * 1024 * 1024
# So many messages within so many seconds, without a question of ours between them, are a flood.
MOST_UNASKED = 20_000
UNASKED_S = 60.0
# A server whose input was closed has so long to end by itself, and one that was killed to be gone (which takes a moment
# but on a busy machine).
POLITE_S = 1.0
GONE_S = 4.0
# Its output ends a moment before it does; longer where the machine is busy.
EXIT_S = 2.0
_LOOK_S = 0.01

# Opens the streams; what it is given is called, with the reason in words, when the other side ends by itself.
Opening: TypeAlias = Callable[[Callable[[str], None]], "AbstractAsyncContextManager[TransportStreams]"]


@dataclass(frozen=True, slots=True)
class Command:
    """`words`: the program and its arguments. It runs in `folder`, with these variables and no others."""

    words: Sequence[str]
    folder: Path
    variables: Mapping[str, str]


def not_there(command: Command) -> str:
    """What it needs to start and does not find, in words; empty if nothing."""
    name, folder = command.words[0], command.folder
    if not folder.is_dir():
        return f"there is no folder {str(folder)!r}"
    if "/" in name or os.sep in name:
        return "" if shutil.which(folder / name) else f"there is no program {name!r} that can be run"
    places = command.variables.get("PATH", os.defpath).split(os.pathsep)
    found = shutil.which(name, path=os.pathsep.join(str(folder / place) for place in places))
    return "" if found else f"there is no program {name!r} on the PATH"


def program(command: Command, log: ServerLog) -> Opening:
    """A program that is started and spoken to through its standard input and output."""

    @asynccontextmanager
    async def opened(ended: Callable[[str], None]) -> AsyncIterator[TransportStreams]:
        import anyio

        mark = secrets.token_hex(16)
        log.begin()
        process = await _start(command, mark)
        incoming, read_stream = anyio.create_memory_object_stream["SessionMessage | Exception"](0)
        write_stream, outgoing = anyio.create_memory_object_stream["SessionMessage"](0)
        pipes = _Pipes(process, log, ended)
        try:
            async with anyio.create_task_group() as group, incoming, read_stream, write_stream, outgoing:
                group.start_soon(pipes.read, incoming)
                group.start_soon(pipes.write, outgoing)
                group.start_soon(pipes.keep_errors)
                try:
                    yield read_stream, write_stream
                finally:
                    with anyio.CancelScope(shield=True):
                        await pipes.tell_end()
                        await _stop(process, mark)
                    group.cancel_scope.cancel()
        finally:
            with anyio.move_on_after(GONE_S, shield=True):
                await _drain(process, log)

    return opened


def address(url: str, headers: Mapping[str, str]) -> Opening:
    """A server that runs already, over streamable HTTP."""

    @asynccontextmanager
    async def opened(ended: Callable[[str], None]) -> AsyncIterator[TransportStreams]:
        import httpx2
        from mcp.client.streamable_http import streamable_http_client

        async with (
            httpx2.AsyncClient(
                headers=dict(headers),
                timeout=httpx2.Timeout(30, read=3600),  # a call has a clock of its own
                trust_env=urlsplit(url).hostname not in ("localhost", "127.0.0.1", "::1"),
                event_hooks={"response": [_bound]},
            ) as client,
            streamable_http_client(url, http_client=client, max_sse_event_size=MOST_MESSAGE_BYTES) as streams,
        ):
            yield streams

    return opened


async def _start(command: Command, mark: str) -> asyncio.subprocess.Process:
    variables = {**command.variables, MARK: mark}
    pipe = asyncio.subprocess.PIPE
    if sys.platform == "win32":
        found = shutil.which(command.words[0], path=command.variables.get("PATH"))  # a .cmd, as npx is one
        return await asyncio.create_subprocess_exec(
            *(found or command.words[0], *command.words[1:]),
            cwd=command.folder,
            env=variables,
            stdin=pipe,
            stdout=pipe,
            stderr=pipe,
            limit=MOST_MESSAGE_BYTES,
        )
    return await asyncio.create_subprocess_exec(
        *[encoded(word) for word in command.words],
        cwd=command.folder,
        env={encoded(name): encoded(value) for name, value in variables.items()},
        stdin=pipe,
        stdout=pipe,
        stderr=pipe,
        limit=MOST_MESSAGE_BYTES,
        start_new_session=True,
    )


async def _stop(process: asyncio.subprocess.Process, mark: str) -> None:
    """As the protocol wants it: close its input and wait; then end it, with all that it started."""
    if process.stdin is not None:
        process.stdin.close()
    await _ended(process, POLITE_S)
    alive = process.returncode is None
    await asyncio.to_thread(end_tree, process.pid if alive else -1, mark)
    await _ended(process, GONE_S)


async def _drain(process: asyncio.subprocess.Process, log: ServerLog) -> None:
    """To the end of its pipes, which nobody writes to any more: only then does the event loop let go of them."""
    while process.stdout is not None and await process.stdout.read(1_000_000):
        pass
    while process.stderr is not None and (data := await process.stderr.read(1_000_000)):
        log.write(data)
    await process.wait()


async def _ended(process: asyncio.subprocess.Process, seconds: float) -> None:
    """Wait a little. Not with `wait()`, which also waits for whoever has inherited its output."""
    for _ in range(int(seconds / _LOOK_S)):
        if process.returncode is not None:
            return
        await asyncio.sleep(_LOOK_S)


class _Pipes:
    """The three pipes of a server that runs."""

    def __init__(self, process: asyncio.subprocess.Process, log: ServerLog, ended: Callable[[str], None]) -> None:
        self._process = process
        self._log = log
        self._ended = ended
        self._unasked = 0
        self._since = time.monotonic()
        self._end = ""  # what was noticed first when it ended by itself

    async def read(self, stream: MemoryObjectSendStream[SessionMessage | Exception]) -> None:
        import anyio

        async with stream:
            with contextlib.suppress(anyio.BrokenResourceError, anyio.ClosedResourceError):  # the session is over
                while message := await self._message():
                    await stream.send(message)

    async def _message(self) -> SessionMessage | None:
        """The next one; None at the end, or when it is too much. What is no message goes to the log."""
        from mcp.shared.message import SessionMessage
        from mcp_types import jsonrpc_message_adapter

        assert self._process.stdout is not None
        while self._unasked < MOST_UNASKED:
            try:
                line = await self._process.stdout.readline()
            except ValueError:
                self._ended(f"it sent a message of more than {MOST_MESSAGE_BYTES:,} bytes")
                return None
            if not line:
                self._end = self._end or "it closed its output"
                await self.tell_end()
                return None
            self._count()
            try:
                return SessionMessage(jsonrpc_message_adapter.validate_json(line, by_name=False))
            except ValueError:
                self._log.write(line)  # what it prints
        self._ended(f"it sent {MOST_UNASKED:,} messages that nobody asked for")
        return None

    def _count(self) -> None:
        if time.monotonic() - self._since > UNASKED_S:
            self._unasked, self._since = 0, time.monotonic()
        self._unasked += 1

    async def write(self, stream: MemoryObjectReceiveStream[SessionMessage]) -> None:
        assert self._process.stdin is not None
        try:
            async with stream:
                async for one in stream:
                    self._unasked = 0
                    text = one.message.model_dump_json(by_alias=True, exclude_unset=True)
                    self._process.stdin.write(text.encode("utf-8", "replace") + b"\n")
                    await self._process.stdin.drain()
        except (OSError, RuntimeError):
            self._end = self._end or "it does not read its input any more"
            await self.tell_end()

    async def tell_end(self) -> None:
        """If it ended by itself, say how: by its exit code where it has one in a moment, whatever was noticed first.
        Called again at the end, since what it noticed may have ended the session before the code was there."""
        if not self._end:
            return
        await _ended(self._process, EXIT_S)
        code = self._process.returncode
        if code is None:
            self._ended(self._end)
        else:
            self._ended(f"it was ended by signal {-code}" if code < 0 else f"it ended with exit code {code}")

    async def keep_errors(self) -> None:
        assert self._process.stderr is not None
        while data := await self._process.stderr.read(65536):
            self._log.write(data)


async def _bound(response: httpx2.Response) -> None:
    """A reply that is no stream of events is one message; it is not read beyond its bound."""
    import httpx2

    if response.headers.get("content-type", "").startswith("text/event-stream"):
        return
    whole = response.stream
    assert isinstance(whole, httpx2.AsyncByteStream)
    response.stream = _bounded(whole, MOST_MESSAGE_BYTES)


def _bounded(whole: httpx2.AsyncByteStream, most: int) -> httpx2.AsyncByteStream:
    """The stream; it ends with an error after so many bytes."""
    import httpx2

    class Bounded(httpx2.AsyncByteStream):
        async def __aiter__(self) -> AsyncIterator[bytes]:
            seen = 0
            async for piece in whole:
                seen += len(piece)
                if seen > most:
                    raise httpx2.ReadError(f"a reply of more than {most:,} bytes")
                yield piece

        async def aclose(self) -> None:
            await whole.aclose()

    return Bounded()
