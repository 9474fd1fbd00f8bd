"""HTTP to an Ollama server: addresses, and requests that can be aborted at any moment.

Ollama sends not even its headers before the first token, so a request may be silent for minutes. Each one therefore
runs in a thread of its own, over a connection of its own, which is shut down when the caller says stop.
"""

from __future__ import annotations

import contextlib
import ipaddress
import json
import socket
import threading
from collections.abc import Iterator, Mapping
from queue import SimpleQueue
from typing import TYPE_CHECKING, Protocol, cast
from urllib.parse import urlsplit

from localagent.abort import AbortSignal
from localagent.addresses import normalise_url
from localagent.errors import ConfigError, IncompleteAnswer, ModelUnreachable
from localagent.messages import JsonObject
from localagent.models.ollama_errors import from_answer, from_transport, not_json, redirected
from localagent.models.worker import Carried, take

if TYPE_CHECKING:
    import httpx


def is_loopback(url: str) -> bool:
    """Whether an address (as `normalise_url` gives it) is on this machine: no proxy is asked for it then."""
    host = urlsplit(url).hostname or ""
    if host == "localhost" or host.endswith(".localhost"):
        return True
    try:
        return ipaddress.ip_address(host).is_loopback
    except ValueError:
        return False


class OllamaHttp:
    """One server. Thread-safe; nothing is imported or connected before the first request."""

    def __init__(self, base_url: str, *, connect_timeout_s: float = 5.0) -> None:
        self.url = normalise_url(base_url)
        self._connect_timeout_s = connect_timeout_s
        self._lock = threading.Lock()
        self._client: httpx.Client | None = None

    def lines(self, path: str, body: JsonObject, abort: AbortSignal, *, model: str) -> Iterator[Mapping[str, object]]:
        """POST, and the JSON objects of the stream as they come. Closing the iterator closes the connection.

        Raises `IncompleteAnswer` when the connection breaks after the first object.
        """
        rest = b""
        begun = False
        try:
            for piece in self._exchange("POST", path, body, abort, model):
                # On line feeds alone: U+0085 and its like are part of a model's text.
                *complete, rest = (rest + piece).split(b"\n")
                for line in complete:
                    if line.strip():
                        yield self._parse(line, begun=begun)
                        begun = True
        except ModelUnreachable as error:
            if begun:
                raise IncompleteAnswer("the connection broke during the answer", where=self.url) from error
            raise
        if rest.strip():
            yield self._parse(rest, begun=begun, last=True)

    def call(
        self, method: str, path: str, body: JsonObject | None, abort: AbortSignal, *, model: str = ""
    ) -> Mapping[str, object]:
        """One request, one JSON object; an empty answer is an empty object."""
        content = b"".join(self._exchange(method, path, body, abort, model))
        return self._parse(content) if content.strip() else {}

    def close(self) -> None:
        with self._lock:
            client, self._client = self._client, None
        if client is not None:
            client.close()

    def _parse(self, line: bytes, *, begun: bool = False, last: bool = False) -> Mapping[str, object]:
        try:
            value = json.loads(line)
        except (ValueError, RecursionError) as error:
            if begun and last:
                raise IncompleteAnswer("the answer stops in the middle of a line", where=self.url) from error
            raise not_json(line, where=self.url, begun=begun) from error
        if not isinstance(value, dict):
            raise not_json(line, where=self.url, begun=begun)
        return value

    def _exchange(
        self, method: str, path: str, body: JsonObject | None, abort: AbortSignal, model: str
    ) -> Iterator[bytes]:
        abort.raise_if_aborted()
        content = None if body is None else json.dumps(body).encode("ascii")
        exchange = _Exchange(self._http(), method, path, content, where=self.url, model=model)
        detach = abort.on_abort(exchange.cancel)
        try:
            exchange.start()
            while True:
                item = take(exchange.queue)
                abort.raise_if_aborted()
                if item is None:
                    return
                if isinstance(item, BaseException):
                    raise item
                yield item
        finally:
            detach()
            exchange.cancel()
            exchange.join()

    def _http(self) -> httpx.Client:
        with self._lock:
            if self._client is None:
                self._client = _client(self.url, self._connect_timeout_s)
            return self._client


class _Stream(Protocol):
    """A connection as the HTTP client's trace shows it."""

    def get_extra_info(self, info: str) -> object: ...


class _Exchange:
    """A request in a thread. `queue` gets the answer's bytes, then None, or what the thread raised."""

    def __init__(
        self, client: httpx.Client, method: str, path: str, content: bytes | None, *, where: str, model: str
    ) -> None:
        self.queue: SimpleQueue[bytes | BaseException | None] = SimpleQueue()
        self._client = client
        self._method = method
        self._path = path
        self._content = content
        self._where = where
        self._model = model
        # Reentrant: an abort may come from a signal handler that interrupts `cancel` itself.
        self._lock = threading.RLock()
        self._socket: socket.socket | None = None
        self._cancelled = False
        self._thread = threading.Thread(target=self._run, name="ollama-request", daemon=True)

    def start(self) -> None:
        self._thread.start()

    def cancel(self) -> None:
        """Shut the connection down, which wakes the thread that waits for it, and the caller."""
        with self._lock:
            self._cancelled = True
            if self._socket is not None:
                _shut(self._socket)
        self.queue.put(None)

    def join(self) -> None:
        """The thread ends at once after `cancel`, unless it is still connecting: that has a timeout of its own."""
        if self._thread.ident is not None:
            self._thread.join(0.1)

    def _run(self) -> None:
        with Carried(self.queue.put):
            self._request()
        self.queue.put(None)

    def _request(self) -> None:
        import httpx

        try:
            with self._client.stream(
                self._method, self._path, content=self._content, extensions={"trace": self._trace}
            ) as response:
                if response.has_redirect_location:
                    target = response.url.join(response.headers["location"])
                    raise redirected(str(target), where=self._where)
                if not response.is_success:
                    raise from_answer(response.status_code, response.read(), where=self._where, model=self._model)
                for piece in response.iter_bytes():
                    self.queue.put(piece)
        except (httpx.HTTPError, httpx.InvalidURL, httpx.StreamError, OSError) as error:
            raise from_transport(error, where=self._where) from error

    def _trace(self, event: str, info: Mapping[str, object]) -> None:
        if event not in ("connection.connect_tcp.complete", "connection.start_tls.complete"):
            return
        connection = cast("_Stream", info["return_value"]).get_extra_info("socket")
        if isinstance(connection, socket.socket):
            with self._lock:
                self._socket = connection
                if self._cancelled:
                    _shut(connection)


def _shut(connection: socket.socket) -> None:
    """End both directions under whoever is reading; the plain socket's way, since TLS's is not thread-safe."""
    with contextlib.suppress(OSError):
        socket.socket.shutdown(connection, socket.SHUT_RDWR)


def _client(url: str, connect_timeout_s: float) -> httpx.Client:
    """The HTTP client of the official package, which knows Ollama's headers.

    No time limit but for connecting: how long an answer may take is the abort signal's business. A new connection
    for each request: it can be shut down without hurting another one, and nothing is open between requests.
    Redirects are not followed: they would take the prompt to another machine.
    """
    import httpx

    try:
        import ollama
    except ValueError as error:  # it makes a client when it is imported, for the address in OLLAMA_HOST
        raise ConfigError(
            f"the variable OLLAMA_HOST is no address ({error})", hint="Correct it or unset it; model.base_url counts"
        ) from error

    client = ollama.Client(
        host=url,
        follow_redirects=False,
        timeout=httpx.Timeout(None, connect=connect_timeout_s),
        limits=httpx.Limits(max_keepalive_connections=0),
        trust_env=not is_loopback(url),
    )
    http = cast("httpx.Client", client._client)
    if not url.startswith("https://"):  # the package sends OLLAMA_API_KEY to any address, for all to read
        http.headers.pop("authorization", None)
    return http
