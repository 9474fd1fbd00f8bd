"""The tools of one MCP server, as the loop calls them."""

from __future__ import annotations

import hashlib
import threading
import time
from collections.abc import Callable, Coroutine, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Literal, TypeAlias, cast

from localagent.abort import AbortSignal
from localagent.calls import CallResult
from localagent.config_servers import McpServer
from localagent.errors import Aborted, ConfigError
from localagent.mcp.connection import MOST_TOOLS, SESSION_LOST, Answer, Connection
from localagent.mcp.log import ServerLog
from localagent.mcp.package import need_sdk
from localagent.mcp.results import argument_fault, effects_of, pairs_with_variables, spec_of, text_of
from localagent.mcp.streams import Command, Opening, address, program
from localagent.messages import JsonObject, ToolCallPart
from localagent.tool import Effect, ToolSpec
from localagent.toolbox.capping import capped
from localagent.toolbox.local import listed, unknown_tool
from localagent.toolbox.processes import without_secrets

if TYPE_CHECKING:
    from mcp.client.client import Client
    from mcp_types import CallToolResult, Tool

Status: TypeAlias = Literal["not started", "running", "failed"]


@dataclass(frozen=True, slots=True)
class Place:
    """Where a server runs: the agent's folder, the variables around, and the file for what it says beside."""

    folder: Path
    variables: Mapping[str, str]
    log: Path


@dataclass(frozen=True, slots=True)
class State:
    """`reason`: why it failed, or nothing."""

    status: Status
    reason: str = ""


@dataclass(frozen=True, slots=True)
class _Offered:
    name: str  # by which the server knows it
    spec: ToolSpec
    effects: frozenset[Effect]
    said_to_read: bool  # by the server itself


class McpToolbox:
    """Starts the server when its tools are first asked for. One that ends is started again; if it ends a second time
    before it has answered a call, it is given up: its tools are no longer offered, and `say` is told why, once.

    Thread-safe. Raises ConfigError where the SDK or a variable is missing, or two tools have one name.
    """

    def __init__(
        self,
        server: McpServer,
        place: Place,
        *,
        result_tokens: int,
        count: Callable[[str], int],
        say: Callable[[str], None],
    ) -> None:
        self.server = server
        self._title = f"mcp_servers.{server.name}"
        self.waited_for = f"waiting for the MCP server {server.name}"  # while it starts
        self._place = place
        self._result_tokens = result_tokens
        self._count = count
        self._say = say
        self._log = ServerLog(place.log)
        self._lock = threading.RLock()
        self._connection: Connection | None = None
        self._taken: Connection | None = None  # whose tools are offered
        self._dropped: list[Connection] = []  # that were not waited for any longer
        self._offered: Mapping[str, _Offered] = {}
        self._told: set[str] = set()
        self._restarted = False
        self._given_up = ""
        self._closed = False

    def begin(self) -> None:
        """Start it, without waiting for it."""
        with self._lock:
            if self._connection is None and not self._given_up and not self._closed:
                self._connection = self._made()

    def state(self) -> State:
        """As it is now; starts nothing."""
        if self._given_up:
            return State("failed", self._given_up)
        running = self._connection is not None and not self._connection.over.is_set()
        return State("running" if running else "not started")

    @property
    def starting(self) -> bool:
        """Whether `ready` will have to wait for its start."""
        connection = self._connection
        return not (self._given_up or self._closed) and (connection is None or not connection.ready.is_set())

    def drop(self) -> None:
        """End a start that is not waited for any longer; with the next `ready` it is started anew."""
        with self._lock:
            connection = self._connection
            if connection is not None and not connection.ready.is_set():
                connection.end()
                self._dropped.append(connection)
                self._connection = None

    def ready(self, abort: AbortSignal) -> None:
        """Start it if it does not run, wait until it has said what tools it has, and ask again where it says that they
        changed. Raises Aborted soon after the signal; a start that was waited for is ended then."""
        connection = self._running(abort)
        if connection is not None and connection.changed.is_set():
            with abort.child(timeout_s=self.server.timeout_s, what="listing its tools") as within:
                listing = connection.relist(within)
            abort.raise_if_aborted()
            if listing.value is not None:
                self._take(listing.value)

    def specs(self) -> Sequence[ToolSpec]:
        """What it offered when it was last `ready`; nothing before that."""
        return [] if self._given_up or self._closed else [one.spec for one in self._offered.values()]

    def effects(self, name: str) -> frozenset[Effect]:
        one = self._offered.get(name)
        return frozenset() if one is None else one.effects

    def shown(self, call: ToolCallPart) -> str:
        one = self._offered.get(call.name)
        where = self.server.url or " ".join((self.server.command, *self.server.args))
        if one is None:
            return listed(call)
        hint = "; it says of itself that it only reads" if one.said_to_read and not self.server.trust_hints else ""
        return f"{listed(call)}\n({one.name} of {self._title}: {where}{hint})"

    def paths(self, call: ToolCallPart) -> Sequence[str]:
        """None: which arguments name a path, only the server knows."""
        return []

    def refusal(self, call: ToolCallPart) -> CallResult | None:
        one = self._offered.get(call.name)
        if one is None:
            return unknown_tool(call, list(self._offered))
        given: object = call.arguments  # a model may give anything
        if isinstance(given, Mapping):
            fault = argument_fault(cast(JsonObject, given), one.spec.parameters)
        else:
            fault = f"its arguments are an object, not {type(given).__name__}"
        if not fault:
            return None
        text = f"{call.name} was not called: {fault}. Mend the arguments and call it again."
        return CallResult(call, text, is_error=True, ran=False, retry=True)

    def run(self, call: ToolCallPart, abort: AbortSignal) -> CallResult:
        abort.raise_if_aborted()
        refused = self.refusal(call)
        if refused is not None:
            return refused
        started, offered = time.monotonic(), self._offered[call.name]
        connection = self._running(abort)
        if connection is None:
            text = f"The server of this tool does not run: {self._given_up or 'it was closed'}. Answer without it."
            return CallResult(call, text, is_error=True, ran=False)
        if self._offered.get(call.name) != offered:  # nobody has approved of what it is now
            text = f"{call.name} was not called: its server was started again, and does not offer it as it did before."
            return CallResult(call, text, is_error=True, ran=False)
        limit_s = self.server.timeout_s
        work = partial(_called, name=offered.name, arguments=call.arguments)
        with abort.child(timeout_s=limit_s, what=f"the tool {call.name}") as within:
            answer = connection.ask(work, within)
        abort.raise_if_aborted()
        result = answer.value
        if result is not None:
            self._restarted = False
            text, is_error = text_of(result), result.is_error
        else:
            text, is_error = self._fault(answer, connection, limit_s), True
        text, left_out = capped(text, self._result_tokens, self._count)
        seconds = time.monotonic() - started
        return CallResult(call, text, is_error=is_error, seconds=seconds, left_out=left_out)

    def close(self) -> None:
        self._closed = True
        if self._connection is not None:
            self._connection.close()
        for connection in self._dropped:  # told to end before
            connection.close()
        self._log.close()

    def end(self) -> None:
        """Begin to close it, without waiting."""
        self._closed = True
        if self._connection is not None:
            self._connection.end()

    def _running(self, abort: AbortSignal) -> Connection | None:
        """A connection that serves, started or started again; None if there will be none. Raises Aborted."""
        with self._lock:
            while not self._given_up and not self._closed:
                self.begin()
                connection = self._connection
                assert connection is not None
                try:
                    in_time = connection.wait_ready(self.server.timeout_s, abort)
                except Aborted:
                    self.drop()
                    raise
                if not in_time:
                    connection.close()
                    self._give_up(f"it did not answer within {self.server.timeout_s:g} s")
                elif not connection.over.is_set():
                    if self._taken is not connection:
                        self._take(connection.tools)
                        self._taken = connection
                    return connection
                elif not self._closed:
                    self._restart(connection)
            return None

    def _restart(self, ended: Connection) -> None:
        reason = self._reason(ended)
        if not ended.served or self._restarted:
            self._give_up(reason)
        else:
            self._restarted = True
            self._connection = self._made()

    def _reason(self, ended: Connection) -> str:
        words = self._log.last_words()
        return f"{ended.fault}{f'; it said: {words}' if words else ''}"

    def _give_up(self, reason: str) -> None:
        self._given_up = reason
        log = "" if self.server.url else f" (all it said: {self._log.path})"
        self._tell(f"{self._title}: {'it ended again' if self._restarted else 'it cannot be used'}: {reason}{log}")

    def _tell(self, line: str) -> None:
        if line not in self._told:
            self._told.add(line)
            self._say(line)

    def _fault(self, answer: Answer[CallToolResult], connection: Connection, limit_s: float) -> str:
        if answer.stopped:
            return (
                f"The tool took longer than {limit_s:g} s and was told to stop. Ask it for less, or answer otherwise."
            )
        # The message that the connection is closed comes a moment before it is over.
        if connection.over.wait(0.5):
            said = self._reason(connection)
            return f"The tool's server ended during the call ({said}). What the call did before that is done."
        if self.server.url and answer.code == SESSION_LOST:
            connection.end()
            return "The server does not know this connection any more; there will be a new one. Call the tool again."
        return f"The server refused the call: {answer.fault}"

    def _made(self) -> Connection:
        need_sdk(self._title)
        return Connection(self.server.name, self._opening())

    def _opening(self) -> Opening:
        server, variables = self.server, self._place.variables
        try:
            env, headers = (pairs_with_variables(dict(pairs), variables) for pairs in (server.env, server.headers))
        except ValueError as error:
            raise ConfigError(
                f"the variable {error} is not set", where=self._title, hint="Set it, or take it out of agent.yaml."
            ) from error
        if server.url:
            return address(server.url, headers)
        return program(command_of(server, self._place, env), self._log)

    def _take(self, tools: Sequence[Tool]) -> None:
        """Offer these from now on."""
        offered: dict[str, _Offered] = {}
        server = self.server
        # What it is started with, as it stands in the file: another folder or other variables make it another one.
        started = (server.command, server.args, server.cwd, server.url, server.env, server.headers)
        code = hashlib.sha256(repr((str(self._place.folder), started)).encode("utf-8", "replace")).hexdigest()
        for tool in tools:
            try:
                spec = spec_of(self.server.name, tool)
            except ValueError as error:
                self._tell(f"{self._title}: {tool.name[:100]} is not offered: {error}")
                continue
            if spec.name in offered:
                both = f"{offered[spec.name].name!r} and {tool.name!r}"
                raise ConfigError(f"its tools {both} would both be called {spec.name!r}", where=self._title)
            reads = tool.annotations is not None and tool.annotations.read_only_hint is True
            offered[spec.name] = _Offered(tool.name, replace(spec, code=code), effects_of(tool, server), reads)
        if len(tools) >= MOST_TOOLS:
            self._tell(f"{self._title}: only its first {MOST_TOOLS} tools are offered")
        self._offered = offered


def command_of(server: McpServer, place: Place, env: Mapping[str, str]) -> Command:
    """How a server is started. `env`: its own variables, as they are to be. Raises ConfigError for a folder of a user
    that there is not."""
    try:
        folder = place.folder / Path(server.cwd).expanduser()
    except RuntimeError as error:
        raise ConfigError(f"mcp_servers.{server.name}.cwd: {error}") from error
    return Command((server.command, *server.args), folder, {**without_secrets(place.variables), **env})


def _called(client: Client, *, name: str, arguments: JsonObject) -> Coroutine[object, object, CallToolResult]:
    return client.call_tool(name, dict(arguments))
