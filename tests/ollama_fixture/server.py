"""The HTTP side of the test server: routes, streams, the log of exchanges."""

from __future__ import annotations

import contextlib
import json
import select
import socket
import sys
import threading
from collections.abc import Sequence
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any, cast

from ollama_fixture.replies import Reply, Script
from ollama_fixture.state import (
    FakeModel,
    Loaded,
    Refused,
    check_format,
    check_keep_alive,
    check_messages,
    check_options,
    check_think,
    embeddings,
    find,
    fit_prompt,
    full_name,
    images_in,
    load_options,
    window_of,
)
from ollama_fixture.wire import METRICS, Exchange, chat_line, go_json, pull_lines

Json = dict[str, Any]
_NDJSON, _JSON = "application/x-ndjson", "application/json; charset=utf-8"


class FakeOllama(ThreadingHTTPServer):
    """See the package's docstring. Use as a context manager; it serves in threads of its own."""

    daemon_threads = False
    allow_reuse_address = True

    def __init__(self, *, version: str | None = "0.33.0") -> None:
        super().__init__(("127.0.0.1", 0), _Handler)
        self.version = version
        self.models: dict[str, FakeModel] = {}
        self.registry: dict[str, FakeModel] = {}
        self.pulls: dict[str, list[Json]] = {}
        self.pull_gate: threading.Event | None = None
        self.loaded: dict[str, Loaded] = {}
        self.loads: list[Json] = []
        self.prompts: list[list[str]] = []
        self.default_ctx = 4096
        self.ps_has_window = True
        self.show_has_capabilities = True
        self.forbidden = False
        self.silent = False
        self.foreign: bytes | None = None
        self.foreign_status = 200
        self.redirect: str | None = None
        self.log: list[Exchange] = []
        self.waiting = threading.Event()
        self.all_closed = threading.Event()
        self.closing = threading.Event()
        self.lock = threading.RLock()
        self._connections: set[socket.socket] = set()
        self._thread = threading.Thread(target=self.serve_forever, kwargs={"poll_interval": 0.02})

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self.server_address[1]}"

    def add(
        self,
        name: str,
        *,
        capabilities: Sequence[str] = ("completion", "tools"),
        context_length: int = 8192,
        num_ctx: int | None = None,
        system: str = "",
    ) -> FakeModel:
        """Install a model; what else there is to it can be set on what this returns."""
        model = FakeModel(full_name(name), list(capabilities), context_length, num_ctx, system)
        self.models[model.name] = model
        return model

    def script(self, name: str, *replies: Script) -> None:
        """Queue what the model does on its next calls."""
        model = find(self.models, name)
        assert model is not None, f"no model {name!r}; add it first"
        model.script.extend(replies)

    def requests(self, path: str) -> list[Exchange]:
        return [exchange for exchange in self.log if exchange.path == path]

    @property
    def chats(self) -> list[Json]:
        """The bodies of the chat requests that were more than a load, in order."""
        return [exchange.body for exchange in self.requests("/api/chat") if exchange.body.get("messages")]

    def __enter__(self) -> FakeOllama:
        self._thread.start()
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def close(self) -> None:
        """Stop, and cut every connection. May be called twice."""
        self.closing.set()
        if self._thread.is_alive():
            self.shutdown()
        with self.lock:
            for connection in self._connections:
                with contextlib.suppress(OSError):
                    connection.shutdown(socket.SHUT_RDWR)
        self.server_close()
        if self._thread.ident is not None:
            self._thread.join()

    def process_request(self, request: object, client_address: object) -> None:
        with self.lock:
            self._connections.add(cast("socket.socket", request))
            self.all_closed.clear()
        super().process_request(cast("socket.socket", request), client_address)

    def shutdown_request(self, request: object) -> None:
        with self.lock:
            self._connections.discard(cast("socket.socket", request))
            if not self._connections:
                self.all_closed.set()
        super().shutdown_request(cast("socket.socket", request))

    def handle_error(self, request: object, client_address: object) -> None:
        """A client that went away is no news; anything else is a fault of this server."""
        if not isinstance(sys.exc_info()[1], OSError):
            super().handle_error(cast("socket.socket", request), client_address)


class _Gone(Exception):
    """The client went away, or the server closes."""


class _Handler(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"
    exchange: Exchange
    streaming = False

    @property
    def state(self) -> FakeOllama:
        return cast("FakeOllama", self.server)

    def log_message(self, format: str, *args: object) -> None:
        pass

    def do_GET(self) -> None:
        self._handle()

    do_POST = do_HEAD = do_DELETE = do_GET

    def _handle(self) -> None:
        raw = self.rfile.read(int(self.headers.get("Content-Length") or 0))
        self.streaming = False
        self.exchange = Exchange(self.command, self.path, dict(self.headers.items()), None)
        try:
            self.exchange.body = json.loads(raw) if raw else {}
        except ValueError:
            self.exchange.body = raw
        with self.state.lock:
            self.state.log.append(self.exchange)
        try:
            self._route()
            self.exchange.answered.set()
        except Refused as refused:
            self._send_json({"error": refused.text}, refused.status)
            self.exchange.answered.set()
        except (_Gone, OSError):
            self.exchange.disconnected.set()
            self.close_connection = True

    def _route(self) -> None:
        server = self.state
        if server.silent:
            self._wait_for(threading.Event())
        if server.redirect is not None:
            return self._redirect(server.redirect)
        if server.foreign is not None:
            return self._send(server.foreign, server.foreign_status, "text/html")
        if server.forbidden:
            return self._send(b"", 403, None)
        routes = {
            ("GET", "/"): lambda: self._send(b"Ollama is running", 200, "text/plain; charset=utf-8"),
            ("GET", "/api/version"): self._version,
            ("GET", "/api/tags"): self._tags,
            ("GET", "/api/ps"): self._ps,
            ("POST", "/api/show"): self._show,
            ("POST", "/api/chat"): self._chat,
            ("POST", "/api/embed"): self._embed,
            ("POST", "/api/pull"): self._pull,
            ("DELETE", "/api/delete"): self._delete,
        }
        action = routes.get(("GET" if self.command == "HEAD" else self.command, self.path))
        if action is not None:
            return action()
        if any(path == self.path for _, path in routes):
            return self._send(b"405 method not allowed", 405, "text/plain")
        return self._send(b"404 page not found", 404, "text/plain")

    # Sending.

    def _send(self, content: bytes, status: int, kind: str | None) -> None:
        self.exchange.status = status
        self.send_response(status)
        if kind:
            self.send_header("Content-Type", kind)
        self.send_header("Content-Length", str(len(content)))
        self.end_headers()
        if self.command != "HEAD":
            self.wfile.write(content)

    def _redirect(self, target: str) -> None:
        self.exchange.status = 307
        self.send_response(307)
        self.send_header("Location", target)
        self.send_header("Content-Length", "0")
        self.end_headers()

    def _send_json(self, value: Json, status: int = 200) -> None:
        self._send(go_json(value), status, _JSON)

    def _send_line(self, line: bytes) -> None:
        """A line of a stream; the headers go out with the first one."""
        if not self.streaming:
            self.streaming = True
            self.exchange.status = 200
            self.send_response(200)
            self.send_header("Content-Type", _NDJSON)
            self.send_header("Transfer-Encoding", "chunked")
            self.end_headers()
        self.wfile.write(b"%x\r\n%s\r\n" % (len(line), line))

    def _end_stream(self) -> None:
        self.wfile.write(b"0\r\n\r\n")

    def _cut(self) -> None:
        self.close_connection = True
        self.connection.shutdown(socket.SHUT_RDWR)

    def _wait_for(self, gate: threading.Event) -> None:
        """Until the gate opens. Raises `_Gone` when the client leaves first."""
        self.state.waiting.set()
        while not gate.is_set():
            if self.state.closing.is_set():
                raise _Gone
            readable, _, _ = select.select([self.connection], [], [], 0.01)
            if readable and not self.connection.recv(1, socket.MSG_PEEK):
                raise _Gone

    # Routes.

    def _body(self) -> Json:
        body = self.exchange.body
        if body == {}:
            raise Refused(400, "missing request body")
        if not isinstance(body, dict):
            raise Refused(400, "invalid character '}' looking for beginning of value")
        return body

    def _model(self, body: Json) -> FakeModel:
        name = body.get("model") or body.get("name") or ""
        if not name:
            raise Refused(400, "model is required")
        if any(character.isspace() for character in name):
            raise Refused(400, "invalid model name")
        model = find(self.state.models, name)
        if model is None:
            shown = full_name(name) if self.path == "/api/show" else name
            raise Refused(404, f"model '{shown}' not found")
        return model

    def _version(self) -> None:
        if self.state.version is None:
            return self._send(b"404 page not found", 404, "text/plain")
        return self._send_json({"version": self.state.version})

    def _tags(self) -> None:
        models = [
            {
                "name": model.name,
                "model": model.name,
                "modified_at": "2026-08-01T09:00:00.1+02:00",
                "size": model.size,
                "digest": model.digest,
                "details": {**model.details, "context_length": model.context_length},
                "capabilities": model.capabilities,
            }
            for model in self.state.models.values()
        ]
        self._send_json({"models": models})

    def _ps(self) -> None:
        models = [
            {
                "name": loaded.model.name,
                "model": loaded.model.name,
                "size": loaded.model.size,
                "digest": loaded.model.digest,
                "details": loaded.model.details,
                "expires_at": "2026-08-21T10:05:00+02:00",
                "size_vram": loaded.model.size // 2,
                **({"context_length": loaded.window} if self.state.ps_has_window else {}),
            }
            for loaded in self.state.loaded.values()
        ]
        self._send_json({"models": models})

    def _show(self) -> None:
        model = self._model(self._body())
        answer = {
            "modelfile": "# Modelfile",
            "template": model.template,
            "details": model.details,
            "model_info": {
                "general.architecture": model.family,
                f"{model.family}.context_length": model.context_length,
                **model.metadata,
            },
        }
        if model.parameters:
            answer["parameters"] = model.parameters
        if self.state.show_has_capabilities:
            answer["capabilities"] = model.capabilities
        self._send_json(answer)

    def _delete(self) -> None:
        model = self._model(self._body())
        with self.state.lock:
            self.state.models.pop(model.name, None)
            self.state.loaded.pop(model.name, None)
        self._send(b"", 200, None)

    def _pull(self) -> None:
        name = full_name(self._body().get("model") or "")
        lines = self.state.pulls.get(name)
        model = find(self.state.registry, name)
        if lines is None and model is None:
            lines = [{"status": "pulling manifest"}, {"error": "pull model manifest: file does not exist"}]
        for number, line in enumerate(lines or pull_lines()):
            if self.state.pull_gate is not None and number:
                self._wait_for(self.state.pull_gate)
            self._send_line(go_json(line) + b"\n")
            if line.get("status") == "success":
                self.state.models[name] = model or FakeModel(name)
        self._end_stream()

    def _chat(self) -> None:
        body = self._body()
        model = self._model(body)
        check_keep_alive(body.get("keep_alive"))
        messages = body.get("messages") or []
        check_messages(messages)
        if not messages and body.get("keep_alive") in (0, "0"):
            self.state.loaded.pop(model.name, None)
            return self._send_json(chat_line(body, {}, done_reason="unload"))
        check_think(body.get("think"), model, body["model"])
        if "completion" not in model.capabilities:
            raise Refused(400, f'"{body["model"]}" does not support chat')
        if body.get("tools") and "tools" not in model.capabilities:
            raise Refused(400, f"registry.ollama.ai/library/{model.name} does not support tools")
        check_options(body)
        loaded = self._load(model, body)
        if not messages:
            return self._send_json(chat_line(body, {}, done_reason="load"))
        check_format(body.get("format"))
        if images_in(messages) and "vision" not in model.capabilities:
            said = "image input is not supported - hint: if this is unexpected, you may need to provide the mmproj"
            inner = {"error": {"code": 500, "message": said, "type": "server_error"}}
            raise Refused(500, json.dumps(inner))
        return self._reply(model, body, loaded)

    def _embed(self) -> None:
        body = self._body()
        model = self._model(body)
        check_keep_alive(body.get("keep_alive"))
        with self.state.lock:
            reply = model.embed_script.pop(0) if model.embed_script else Reply()
        if reply.gate is not None:
            self._wait_for(reply.gate)
        if reply.status != 200:
            raise Refused(reply.status, reply.error)
        check_options(body)
        loaded = self._load(model, body)
        found, read = embeddings(model, body, loaded.window)
        answer = {"model": body["model"], "embeddings": found if reply.embeddings is None else reply.embeddings}
        self._send_json(answer | {"total_duration": 9000000, "load_duration": 1000000, "prompt_eval_count": read})

    def _load(self, model: FakeModel, body: Json) -> Loaded:
        if model.load_error:
            raise Refused(500, model.load_error)
        options = load_options(body)
        with self.state.lock:
            loaded = self.state.loaded.get(model.name)
            if loaded is None or loaded.options != options:
                self.state.loads.append({"model": model.name, **options})
                window = window_of(model, options, self.state.default_ctx)
                loaded = self.state.loaded[model.name] = Loaded(model, options, window, None)
            if body.get("keep_alive") is not None:
                loaded.keep_alive = body["keep_alive"]
            return loaded

    def _reply(self, model: FakeModel, body: Json, loaded: Loaded) -> None:
        with self.state.lock:
            reply = model.next_reply(body)
        if reply.status != 200:
            if reply.raw is not None:
                return self._send(reply.raw, reply.status, "text/plain")
            raise Refused(reply.status, reply.error)
        contents, tokens = fit_prompt(model, body, loaded.window)
        with self.state.lock:
            self.state.prompts.append(contents)
        read = tokens if reply.prompt_eval_count is None else reply.prompt_eval_count
        if reply.gate is not None and reply.gate_at == 0:
            self._wait_for(reply.gate)
        if reply.end == "socket" and not reply.messages:
            return self._cut()
        for number, message in enumerate(reply.messages):
            if reply.gate is not None and 0 < reply.gate_at == number:
                self._wait_for(reply.gate)
            self._send_line(go_json(chat_line(body, message)) + b"\n")
        if reply.gate is not None and 0 < reply.gate_at == len(reply.messages):
            self._wait_for(reply.gate)
        return self._finish(reply, body, read)

    def _finish(self, reply: Reply, body: Json, read: int) -> None:
        if reply.last is not None and reply.end == "well":
            line = chat_line(body, reply.last, done_reason=reply.done_reason)
            if reply.metrics:
                line |= {**METRICS, "prompt_eval_count": read, "eval_count": len(reply.messages) + 1}
            self._send_line(go_json(line) + b"\n")
        if reply.end == "error":
            self._send_line(go_json({"error": reply.error}) + b"\n")
        elif reply.end == "line":
            self._send_line(go_json(chat_line(body, {"content": "cut"}))[:60])
        elif reply.end == "garbage":
            self._send_line(b"<oops>\n")
        if reply.end == "socket":
            return self._cut()
        return self._end_stream()
