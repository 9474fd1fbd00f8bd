"""One connection to an MCP server, in a thread with an event loop of its own."""

from __future__ import annotations

import asyncio
import contextlib
import os
import threading
import time
from collections.abc import Callable, Coroutine, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Generic, TypeVar

from localagent import __version__
from localagent.abort import AbortSignal
from localagent.mcp.streams import Opening

if TYPE_CHECKING:
    from mcp.client.client import Client
    from mcp.client.session import IncomingMessage
    from mcp_types import Tool

T = TypeVar("T")

# The protocol's code for what a server cannot make sense of; over HTTP also for a session that it has forgotten.
SESSION_LOST = -32600
MOST_TOOLS = 200
_MOST_PAGES = 50
# A subscription to changes that was lost is made again after so many seconds.
_AGAIN_S = 5.0
# Longer than it takes to end a server that does not want to.
CLOSING_S = 10.0


@dataclass(frozen=True, slots=True)
class Answer(Generic[T]):
    """What came of a question: a value, or a fault in words with the protocol's code. `stopped`: the signal was set
    first."""

    value: T | None = None
    fault: str = ""
    code: int | None = None
    stopped: bool = False


class Connection:
    """Begins when it is made. `ready` is set when the server has said what tools it has (`tools`) or never will:
    `over` is then set too. `changed`: it has said that its tools changed. `began`: when, on a monotonic clock."""

    def __init__(self, title: str, opening: Opening) -> None:
        self.tools: Sequence[Tool] = ()
        self.fault = ""
        self.served = False
        self.began = time.monotonic()
        self.ready = threading.Event()
        self.over = threading.Event()
        self.changed = threading.Event()
        self._opening = opening
        self._lock = threading.Lock()
        self._waiting: set[threading.Event] = set()  # for answers
        self._starting: set[threading.Event] = set()  # for `ready`
        self._loop: asyncio.AbstractEventLoop | None = None
        self._task: asyncio.Task[None] | None = None
        self._client: Client | None = None
        self._closed = False
        self._thread = threading.Thread(target=self._run, name=f"mcp {title}", daemon=True)
        self._thread.start()

    def wait_ready(self, seconds: float, abort: AbortSignal) -> bool:
        """Until `ready`, at most so long from its beginning, however many wait one after the other for connections that
        began at the same time; whether it is. Raises Aborted soon after the signal."""
        woken = threading.Event()
        with self._lock:
            if self.ready.is_set():
                return True
            self._starting.add(woken)
        detach = abort.on_abort(woken.set)
        try:
            woken.wait(max(0.0, self.began + seconds - time.monotonic()))
        finally:
            detach()
            with self._lock:
                self._starting.discard(woken)
        if not self.ready.is_set():
            abort.raise_if_aborted()
        return self.ready.is_set()

    def ask(self, work: Callable[[Client], Coroutine[object, object, T]], abort: AbortSignal) -> Answer[T]:
        """Have the client do something, and wait for it; on the signal it is cancelled, and the server told so."""
        done = threading.Event()
        with self._lock:
            if self.over.is_set() or self._loop is None or self._client is None:
                return Answer(fault=self.fault or "the connection is over")
            trying = _tried(work, self._client)
            try:
                future = asyncio.run_coroutine_threadsafe(trying, self._loop)
            except RuntimeError:  # it has ended this moment
                trying.close()
                return Answer(fault=self.fault or "the connection is over")
            self._waiting.add(done)
        future.add_done_callback(lambda _: done.set())
        detach = abort.on_abort(done.set)
        try:
            done.wait()
        finally:
            detach()
            with self._lock:
                self._waiting.discard(done)
        if future.done() and not future.cancelled():
            return future.result()
        future.cancel()
        return Answer(fault=self.fault or "the connection was closed", stopped=abort.aborted)

    def relist(self, abort: AbortSignal) -> Answer[Sequence[Tool]]:
        """What tools there are now."""
        self.changed.clear()
        answer = self.ask(_all_tools, abort)
        if answer.value is not None:
            self.tools = answer.value
        return answer

    def end(self) -> None:
        """Begin to close it. Once: what ends the server must not be cancelled itself."""
        with self._lock:
            if self._closed:
                return
            self._closed = True
            if self._loop is not None and self._task is not None and not self.over.is_set():
                with contextlib.suppress(RuntimeError):  # it has ended this moment
                    self._loop.call_soon_threadsafe(self._task.cancel)

    def close(self) -> None:
        """Close it, and wait until the server is gone."""
        self.end()
        self._thread.join(CLOSING_S)

    def _run(self) -> None:
        try:
            asyncio.run(self._live())
        except asyncio.CancelledError:
            self.fault = self.fault or "it was stopped"
        except Exception as error:  # the SDK, between us and a foreign program, may raise anything
            self.fault = self.fault or in_words(error)
        finally:
            with self._lock:
                self.over.set()
                waiting, self._waiting = self._waiting, set()
            for one in waiting:
                one.set()
            self._is_ready()

    def _is_ready(self) -> None:
        with self._lock:
            self.ready.set()
            for one in self._starting:
                one.set()

    async def _live(self) -> None:
        from mcp.client.client import Client
        from mcp_types import Implementation
        from mcp_types.version import MODERN_PROTOCOL_VERSIONS

        stop = asyncio.Event()

        def ended(reason: str) -> None:
            self.fault = self.fault or reason
            stop.set()

        with self._lock:
            self._loop, self._task = asyncio.get_running_loop(), asyncio.current_task()
            if self._closed:
                return
        client = Client(
            self._opening(ended),
            cache=None,
            message_handler=self._heard,
            client_info=Implementation(name="localagent", version=__version__),
        )
        async with client:
            self.tools = await _all_tools(client)
            self._client = client
            self.served = True
            self._is_ready()
            follower = None
            if client.protocol_version in MODERN_PROTOCOL_VERSIONS:
                follower = asyncio.create_task(self._follow(client))
            await stop.wait()
            with self._lock:
                self._client = None
            if follower is not None:
                follower.cancel()

    async def _heard(self, message: IncomingMessage) -> None:
        from mcp_types import ToolListChangedNotification

        if isinstance(message, ToolListChangedNotification):
            self.changed.set()

    async def _follow(self, client: Client) -> None:
        """Since the protocol of 2026 changes are told to those who ask for them."""
        from mcp.client.subscriptions import ListenNotSupportedError, SubscriptionLost
        from mcp.shared.exceptions import MCPError

        while True:
            try:
                async with client.listen(tools_list_changed=True) as changes:
                    async for _ in changes:
                        self.changed.set()
                return
            except (ListenNotSupportedError, MCPError, TimeoutError):  # it tells nobody
                return
            except SubscriptionLost:
                self.changed.set()
                await asyncio.sleep(_AGAIN_S)


async def _tried(work: Callable[[Client], Coroutine[object, object, T]], client: Client) -> Answer[T]:
    from mcp.shared.exceptions import MCPError

    try:
        return Answer(await work(client))
    except MCPError as error:
        return Answer(fault=in_words(error), code=error.code)
    except Exception as error:  # as in `_run`
        return Answer(fault=in_words(error))


async def _all_tools(client: Client) -> Sequence[Tool]:
    """At most `MOST_TOOLS`: more would fill a window by themselves."""
    if client.server_capabilities.tools is None:
        return []
    tools: list[Tool] = []
    cursor: str | None = None
    for _ in range(_MOST_PAGES):
        page = await client.list_tools(cursor=cursor)
        tools += page.tools
        cursor = page.next_cursor
        if cursor is None or len(tools) >= MOST_TOOLS:
            break
    return tools[:MOST_TOOLS]


def in_words(error: BaseException) -> str:
    """What an error of the SDK says, in one line."""
    while isinstance(error, BaseExceptionGroup):
        error = error.exceptions[0]
    if isinstance(error, OSError) and error.strerror:
        return f"{error.strerror}{f': {os.fsdecode(error.filename)}' if error.filename else ''}"
    said = " ".join(str(error).split())[:500]
    return said or type(error).__name__
