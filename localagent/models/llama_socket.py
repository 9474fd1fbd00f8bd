"""Where the llama.cpp server of this process listens. It insists on listening, although chats are asked of it by a
call within the process; tokenizing has no such call. So it gets a unix socket in a folder only this user can enter,
or, where there are none (Windows), a free port of the loopback; both with a random key that nobody else knows.
"""

from __future__ import annotations

import contextlib
import http.client
import json
import os
import secrets
import socket
import sys
import tempfile
import time
from pathlib import Path
from typing import Final, cast

from localagent.errors import ModelError, StorageError
from localagent.messages import JsonObject

_SUFFIX: Final = ".sock"  # by it the library recognises a path
_STALE_S: Final = 60.0
_ANSWER_S: Final = 120.0  # tokenizing 5 MB takes about 5 s on a slow core


class LlamaSocket:
    """An address, a key, and requests to it. `run_dir` is made if needed, and cleaned of what dead processes left.

    A folder whose path is too long for a socket (about 100 bytes), or whose disk knows no sockets, is replaced by a
    private temporary one. Raises `StorageError` when there is no place at all.
    """

    def __init__(self, run_dir: Path, *, unix: bool = sys.platform != "win32") -> None:
        self.key = secrets.token_hex(32)
        self.port = 0  # 0: the system chooses
        self._path: Path | None = None
        self._temporary: Path | None = None
        if unix:
            self._path = self._place(run_dir) / f"{os.getpid()}-{secrets.token_hex(4)}{_SUFFIX}"

    @property
    def hostname(self) -> str:
        """What the library is told to listen on."""
        return str(self._path) if self._path else "127.0.0.1"

    def listening(self, address: str) -> None:
        """Learn the port the system chose from the library's `http://127.0.0.1:port`."""
        if self._path is None:
            self.port = int(address.rpartition(":")[2])

    def get(self, path: str) -> JsonObject:
        return self._request("GET", path, None)

    def post(self, path: str, body: JsonObject) -> JsonObject:
        return self._request("POST", path, json.dumps(body))

    def close(self) -> None:
        """Remove the socket's file. May be called twice. What cannot be removed is left to the next process."""
        with contextlib.suppress(OSError):
            if self._path is not None:
                self._path.unlink(missing_ok=True)
            if self._temporary is not None:
                self._temporary.rmdir()

    def _request(self, method: str, path: str, body: str | None) -> JsonObject:
        """Raises `ModelError` with the server's own words."""
        connection = _UnixConnection(self._path) if self._path else _loopback(self.port)
        headers = {"Authorization": f"Bearer {self.key}", "Content-Type": "application/json"}
        try:
            with contextlib.closing(connection):
                connection.request(method, path, body, headers)
                response = connection.getresponse()
                answer = json.loads(response.read())
        except (OSError, ValueError, http.client.HTTPException) as error:
            raise ModelError(f"the embedded model did not answer {path}: {error}") from error
        if response.status != http.HTTPStatus.OK or not isinstance(answer, dict):
            raise ModelError(f"the embedded model refused {path}: {server_words(answer)}")
        return cast("JsonObject", answer)

    def _place(self, run_dir: Path) -> Path:
        try:
            run_dir.mkdir(mode=0o700, parents=True, exist_ok=True)
            run_dir.chmod(0o700)
            _remove_stale(run_dir)
            _try_bind(run_dir)
            return run_dir
        except OSError:
            pass
        try:
            self._temporary = Path(tempfile.mkdtemp(prefix="localagent-"))
            _try_bind(self._temporary)
            return self._temporary
        except OSError as error:
            raise StorageError(
                f"no socket can be made for the embedded model, here or in the temporary folder: {error}",
                where=str(run_dir),
                hint="Set TMPDIR to a short path of a folder you can write to",
            ) from error


def server_words(answer: object) -> str:
    """The message of an error as the server gives it, or the whole answer, shortened."""
    if isinstance(answer, dict):
        error = answer.get("error", answer)
        if isinstance(error, dict) and isinstance(error.get("message"), str):
            return str(error["message"])[:300]
    return str(answer)[:300]


class _UnixConnection(http.client.HTTPConnection):
    def __init__(self, path: Path) -> None:
        super().__init__("localhost", timeout=_ANSWER_S)
        self._path = path

    def connect(self) -> None:
        self.sock = socket.socket(socket.AF_UNIX)
        self.sock.settimeout(self.timeout)
        self.sock.connect(str(self._path))


def _loopback(port: int) -> http.client.HTTPConnection:
    return http.client.HTTPConnection("127.0.0.1", port, timeout=_ANSWER_S)


def _try_bind(folder: Path) -> None:
    """Raises OSError where no socket can be made: the path is too long, the disk knows none, it is read-only."""
    probe = folder / f"{os.getpid()}-{secrets.token_hex(4)}{_SUFFIX}"
    with socket.socket(socket.AF_UNIX) as listener:
        listener.bind(str(probe))
    probe.unlink()


def _remove_stale(folder: Path) -> None:
    """Remove sockets nobody listens on any more. A young one of a living process may be about to listen."""
    for path in folder.glob(f"*{_SUFFIX}"):
        with contextlib.suppress(OSError, ValueError):
            young = time.time() - path.stat().st_mtime < _STALE_S
            if (young and _alive(int(path.name.partition("-")[0]))) or _answers(path):
                continue
            path.unlink()


def _alive(pid: int) -> bool:
    try:
        os.kill(pid, 0)
    except ProcessLookupError:
        return False
    except PermissionError:
        return True
    return True


def _answers(path: Path) -> bool:
    with socket.socket(socket.AF_UNIX) as client:
        try:
            client.connect(str(path))
        except ConnectionRefusedError:
            return False
    return True
