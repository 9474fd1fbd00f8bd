"""Fetching from the hub, against a stand-in on loopback."""

from __future__ import annotations

import hashlib
import http.server
import threading
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path

import pytest

from localagent.abort import AbortSignal
from localagent.errors import EnvironmentFault, Interrupted, LocalAgentError, ModelMissing, ModelUnreachable
from localagent.models.weights import fetch_from_hub, resolve

CONTENT = b"GGUF" + bytes(range(256)) * 4000
NAME = "hf:owner/repo/q4/model.gguf"


@dataclass
class Hub:
    """`cut`: break the connection after so many bytes, once. `hold`: stop there until released."""

    content: bytes = CONTENT
    etag: str = hashlib.sha256(CONTENT).hexdigest()
    error: tuple[int, str] | None = None
    cut: int | None = None
    hold: threading.Event | None = None
    ranges: list[str] = field(default_factory=list)
    url: str = ""


@pytest.fixture
def hub(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Iterator[Hub]:
    hub = Hub()

    class Handler(http.server.BaseHTTPRequestHandler):
        def log_message(self, format: str, *arguments: object) -> None:
            """Nothing."""

        def do_HEAD(self) -> None:
            self._start(0)

        def do_GET(self) -> None:
            wanted = self.headers.get("Range", "")
            hub.ranges.append(wanted)
            first = int(wanted.removeprefix("bytes=").rstrip("-") or 0)
            if not self._start(first):
                return
            if hub.cut is None:
                self.wfile.write(hub.content[first:])
                return
            cut, hub.cut = hub.cut, None
            self.wfile.write(hub.content[first:cut])
            self.wfile.flush()
            if hub.hold:
                hub.hold.wait(60)
            self.close_connection = True

        def _start(self, first: int) -> bool:
            if hub.error or not self.path.startswith("/owner/repo/resolve/main/q4/"):
                status, code = hub.error or (404, "EntryNotFound")
                self.send_response(status)
                self.send_header("X-Error-Code", code)
                self.send_header("Content-Length", "0")
                self.end_headers()
                return False
            self.send_response(206 if first else 200)
            self.send_header("ETag", f'"{hub.etag}"')
            self.send_header("X-Repo-Commit", "0" * 40)
            self.send_header("Content-Length", str(len(hub.content) - first))
            self.end_headers()
            return True

    with http.server.ThreadingHTTPServer(("127.0.0.1", 0), Handler) as server:
        thread = threading.Thread(target=server.serve_forever)
        thread.start()
        hub.url = f"http://127.0.0.1:{server.server_port}"
        monkeypatch.setenv("HF_ENDPOINT", hub.url)
        monkeypatch.setenv("HF_HOME", str(tmp_path / "hf-home"))
        monkeypatch.setenv("NO_PROXY", "127.0.0.1")
        monkeypatch.delenv("HF_TOKEN", raising=False)
        monkeypatch.delenv("HF_HUB_OFFLINE", raising=False)
        yield hub
        if hub.hold:
            hub.hold.set()
        server.shutdown()
        thread.join()


def fetch(home: Path, name: str = NAME, abort: AbortSignal | None = None, seen: list[int] | None = None) -> Path:
    def progress(done: int, total: int) -> None:
        assert total == len(CONTENT)
        if seen is not None:
            seen.append(done)

    return fetch_from_hub(name, home, progress=progress, abort=abort or AbortSignal())


def names(home: Path) -> list[str]:
    return sorted(path.name for path in home.rglob("*") if path.is_file())


def test_a_file_arrives_once(hub: Hub, tmp_path: Path) -> None:
    home = tmp_path / "家"
    path = fetch(home)
    assert path.read_bytes() == CONTENT
    assert path == resolve(NAME, home, tmp_path)
    assert names(home) == ["model.gguf"]
    assert fetch(home) == path
    assert len(hub.ranges) == 1


def test_a_broken_connection_is_taken_up_again(hub: Hub, tmp_path: Path) -> None:
    hub.cut = 500_000
    assert fetch(tmp_path).read_bytes() == CONTENT
    assert hub.ranges[0] == "bytes=0-" and hub.ranges[1] != "bytes=0-"


def test_what_arrived_before_an_abort_is_used_by_the_next_try(hub: Hub, tmp_path: Path) -> None:
    hub.cut, hub.hold = 300_000, threading.Event()
    abort = AbortSignal()

    class Seen(list[int]):
        def append(self, done: int) -> None:
            if done:
                abort.abort()

    with pytest.raises(Interrupted):
        fetch(tmp_path, abort=abort, seen=Seen())
    (partial,) = names(tmp_path)
    assert partial.endswith(".partial")
    assert fetch(tmp_path).read_bytes() == CONTENT
    assert hub.ranges[-1] != "bytes=0-"
    assert names(tmp_path) == ["model.gguf"]


def test_a_damaged_file_is_not_kept(hub: Hub, tmp_path: Path) -> None:
    hub.content = CONTENT[:-1] + b"x"
    with pytest.raises(EnvironmentFault, match="not the file the hub announced"):
        fetch(tmp_path)
    assert names(tmp_path) == []


@pytest.mark.parametrize(
    ("error", "kind", "words"),
    [
        ((404, "EntryNotFound"), ModelMissing, "no such file"),
        ((404, "RepoNotFound"), ModelMissing, "no such repository"),
        ((403, "GatedRepo"), ModelMissing, "accepted its terms"),
        ((400, "Nonsense"), EnvironmentFault, "could not be fetched"),
    ],
)
def test_what_the_hub_refuses(
    hub: Hub, tmp_path: Path, error: tuple[int, str], kind: type[LocalAgentError], words: str
) -> None:
    hub.error = error
    with pytest.raises(EnvironmentFault, match=words) as caught:
        fetch(tmp_path)
    assert type(caught.value) is kind
    assert caught.value.where == NAME and caught.value.hint
    assert names(tmp_path) == []


def test_nobody_there(hub: Hub, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("HF_HUB_OFFLINE", "1")
    with pytest.raises(ModelUnreachable, match="HF_HUB_OFFLINE"):
        fetch(tmp_path)
    monkeypatch.delenv("HF_HUB_OFFLINE")
    monkeypatch.setenv("HF_ENDPOINT", "http://127.0.0.1:9")
    with pytest.raises(ModelUnreachable, match="could not be reached"):
        fetch(tmp_path)
    assert names(tmp_path) == []
