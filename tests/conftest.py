"""What every test has: no network beyond this machine, and a server that behaves like Ollama."""

from __future__ import annotations

import ipaddress
import os
import shutil
import socket
import sys
import tempfile
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from ollama_fixture import FakeOllama

from localagent.models.ollama import OllamaModel

_forbidden: list[str] = []
# A file system in memory, where there is one (Linux), and the room that must be free in it: the tests write some 1 GB.
MEMORY = Path("/dev/shm")
ROOM_BYTES = 4 << 30
_IN_MEMORY = pytest.StashKey[Path]()


class NetworkForbidden(OSError):
    """A test tried to leave the machine."""


def _is_local(host: object) -> bool:
    if host is None or host in ("", "localhost", b"localhost"):
        return True
    text = host.decode("ascii", "replace") if isinstance(host, bytes) else str(host)
    try:
        address = ipaddress.ip_address(text.partition("%")[0])
    except ValueError:
        return text.endswith(".localhost") or text == socket.gethostname()
    return address.is_loopback or address.is_unspecified


def _guard(event: str, arguments: tuple[object, ...]) -> None:
    """An audit hook: it sees every connection and every name that is looked up, whatever library is used."""
    if event == "socket.getaddrinfo":
        host: object = arguments[0]
    elif event in ("socket.connect", "socket.sendto"):
        address = arguments[1]
        if not isinstance(address, tuple):  # a unix socket's path
            return
        host = address[0]
    else:
        return
    if not _is_local(host):
        _forbidden.append(f"{event} {host!r}")
        raise NetworkForbidden(f"tests do not use the network: {event} {host!r}")


sys.addaudithook(_guard)


def _folder_in_memory() -> Path | None:
    """A new folder whose files are in memory, or None where that cannot be or the user has named a folder."""
    if "TMPDIR" in os.environ or not os.access(MEMORY, os.W_OK | os.X_OK):
        return None
    found = os.statvfs(MEMORY)
    if found.f_flag & os.ST_NOEXEC or found.f_bavail * found.f_frsize < ROOM_BYTES:
        return None
    folder = Path(tempfile.mkdtemp(dir=MEMORY, prefix="la"))
    folder.chmod(0o711)  # as a temporary folder: other users reach what is opened to them
    return folder


@pytest.hookimpl(tryfirst=True)
def pytest_configure(config: pytest.Config) -> None:
    """Temporary files stay in memory, those of the tests' processes too: what waits for a disk costs minutes, and no
    test looks at what becomes of files when the machine loses its power. Workers of xdist inherit the folder."""
    folder = _folder_in_memory()
    if folder is not None:
        os.environ["TMPDIR"], tempfile.tempdir = str(folder), None
        config.stash[_IN_MEMORY] = folder
        # Of few letters: lines with paths are folded at a terminal, and a socket's path has a limit.
        config.option.basetemp = config.option.basetemp or str(folder / "t")


def pytest_sessionfinish(session: pytest.Session, exitstatus: int) -> None:
    """What a failed test has written stays, to be looked at."""
    if exitstatus != pytest.ExitCode.OK and _IN_MEMORY in session.config.stash:
        del session.config.stash[_IN_MEMORY]


def pytest_unconfigure(config: pytest.Config) -> None:
    if _IN_MEMORY in config.stash:
        shutil.rmtree(config.stash[_IN_MEMORY], ignore_errors=True)


@pytest.fixture(autouse=True)
def _no_network() -> Iterator[None]:
    """Fails a test that tried to leave the machine, even if the error was swallowed."""
    _forbidden.clear()
    yield
    if _forbidden:
        tried, _forbidden[:] = ", ".join(_forbidden), []
        pytest.fail(f"the test tried to use the network: {tried}")


@pytest.fixture
def ollama_server() -> Iterator[FakeOllama]:
    """A server on loopback without models; see the docstring of `ollama_fixture` for what it can play."""
    with FakeOllama() as server:
        yield server


@pytest.fixture
def make_ollama(ollama_server: FakeOllama) -> Iterator[Callable[..., OllamaModel]]:
    """Makes models of the test server, closed in the end. Takes a name ("tiny", which is installed, if none is given)
    and what `OllamaModel` takes beside."""
    ollama_server.add("tiny")
    made: list[OllamaModel] = []

    def make(name: str = "tiny", **more: object) -> OllamaModel:
        options: dict[str, object] = {"base_url": ollama_server.url, "retry_waits_s": (0, 0, 0), **more}
        made.append(OllamaModel(model_name=name, **options))  # type: ignore[arg-type]
        return made[-1]

    yield make
    for model in made:
        model.close()
