"""What can go wrong with an index: damage, another's files, no room, no rights, a server that is none."""

from __future__ import annotations

import http.server
import os
import shutil
import socket
import subprocess
import sys
import tempfile
import threading
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from index_subjects import (
    FINGERPRINT,
    OTHER_FINGERPRINT,
    ROOT,
    TENANT,
    Home,
    chroma_server,
    start,
    start_server,
    vector_of,
    vectors_of,
    wait_for,
)

from localagent.errors import FingerprintMismatch, ModelUnreachable, StorageError
from localagent.memory import chroma as chroma_module
from localagent.memory import chroma_server as chroma_server_module
from localagent.memory import vectors as vectors_module
from localagent.memory import vectors_place
from localagent.memory.chroma import ChromaIndex, ChromaServer, collection_name
from localagent.memory.embedders import EmbedderTable
from localagent.memory.owner import Ownership, Seal, probe
from localagent.memory.vectors import VectorStore

posix = pytest.mark.skipif(sys.platform == "win32", reason="limits and rights of POSIX")
ROWS = list(range(1, 121))


@pytest.fixture(autouse=True)
def _always_ask_the_index(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(vectors_module, "EXACT_UP_TO", 0)


@pytest.fixture(scope="module", autouse=True)
def _files_early() -> Iterator[None]:
    """By itself Chroma writes the files of its index at the first thousand."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setitem(chroma_module._HNSW, "sync_threshold", 50)
        yield


@pytest.fixture(scope="module")
def filled(tmp_path_factory: pytest.TempPathFactory, _files_early: None) -> Path:
    """A home with an index that was closed properly."""
    folder = tmp_path_factory.mktemp("filled")
    home = Home.make(folder / "ledger.sqlite3")
    home.add(ROWS)
    store = open_store(home, folder / "index")
    store.store(ROWS, vectors_of(ROWS))
    assert store.sync(10_000) == len(ROWS)
    store.close()
    home.close()
    return folder


@pytest.fixture
def home(filled: Path, tmp_path: Path) -> Iterator[Home]:
    """One of its own for each test."""
    shutil.copytree(filled, tmp_path / "home")
    made = Home.make(tmp_path / "home" / "ledger.sqlite3")
    yield made
    made.close()


@pytest.fixture
def index(home: Home) -> Path:
    return home.path.parent / "index"


def open_store(home: Home, index: Path | None = None, said: list[str] | None = None) -> VectorStore:
    say = (said if said is not None else []).append
    return VectorStore(home.database, TENANT, home.embedder, folder=index, server=None, say=say)


def folder_of(index: Path) -> Path:
    (folder,) = (path for path in index.iterdir() if path.is_dir())
    return folder


def assert_sound(store: VectorStore, rows: list[int]) -> None:
    while store.sync():
        pass
    assert store.pending() == 0 and store.verify() == []
    assert store._opened is not None and store._opened.index.count() == len(rows)
    for row in rows[::20]:
        assert store.query(vector_of(row), 1)[0].row == row


# Files.


def test_an_index_that_was_closed_is_opened_as_it_is(home: Home, index: Path) -> None:
    assert Seal(folder_of(index)).condition() != "changed"
    said: list[str] = []
    for _ in range(2):
        store = open_store(home, index, said)
        assert store.sync() == 0 and store.verify() == [] and said == []
        store.close()
        assert Seal(folder_of(index)).condition() == "whole"


def remove(folder: Path) -> None:
    shutil.rmtree(folder)


def empty(folder: Path) -> None:
    shutil.rmtree(folder)
    folder.mkdir()


def cut_vectors(folder: Path) -> None:
    for path in folder.rglob("data_level0.bin"):
        os.truncate(path, path.stat().st_size // 2)


def spoil_links(folder: Path) -> None:
    """With these Chroma ends the process that reads them."""
    for path in folder.rglob("link_lists.bin"):
        path.write_bytes(bytes(path.stat().st_size))


def cut_database(folder: Path) -> None:
    os.truncate(folder / "chroma.sqlite3", 5000)


def no_database(folder: Path) -> None:
    (folder / "chroma.sqlite3").write_text("not a database, but as long as you like " * 100)


def forget_database(folder: Path) -> None:
    (folder / "chroma.sqlite3").unlink()


def a_file_instead(folder: Path) -> None:
    shutil.rmtree(folder)
    folder.write_text("a file")


DAMAGE = [remove, empty, cut_vectors, spoil_links, cut_database, no_database, forget_database, a_file_instead]


CASES = [(damage, True) for damage in DAMAGE] + [(damage, False) for damage in (empty, cut_vectors, spoil_links)]


@pytest.mark.parametrize(
    ("damage", "sealed"),
    CASES,
    ids=[f"{damage.__name__} {'closed' if sealed else 'in use'}" for damage, sealed in CASES],
)
def test_a_damaged_index_is_built_anew(home: Home, index: Path, damage: Callable[[Path], None], sealed: bool) -> None:
    folder, said = folder_of(index), list[str]()
    if not sealed:
        Seal(folder).break_()
    damage(folder)
    store = open_store(home, index, said)
    assert store.query(vector_of(7), 1)[0].row == 7
    assert_sound(store, ROWS)
    assert len(said) == 1 and "built anew from the ledger" in said[0] and "nothing is lost" in said[0]
    store.close()
    assert folder_of(index).name.endswith("-2")
    again = open_store(home, index, said)
    assert again.sync() == 0 and again.verify() == [] and len(said) == 1
    again.close()


def test_one_that_was_in_use_is_looked_into_and_kept(home: Home, index: Path) -> None:
    Seal(folder_of(index)).break_()
    said: list[str] = []
    store = open_store(home, index, said)
    assert store.sync() == 0 and store.verify() == [] and said == []
    store.close()


def test_damage_ends_the_child_and_not_us(home: Home, index: Path) -> None:
    spoil_links(folder_of(index))
    store = open_store(home, index)
    sample = store._rows.sample(1, 50)
    store.close()
    said = probe(folder_of(index), collection_name(TENANT), sample, Ownership(index / "a lock"))
    assert "reading it ended with" in said


def test_a_probe_that_hangs_is_ended(home: Home, index: Path) -> None:
    assert "within 0.01 s" in probe(folder_of(index), "x", {}, Ownership(index / "a lock"), timeout_s=0.01)


def test_an_index_that_is_removed_while_it_is_open(home: Home, index: Path) -> None:
    said: list[str] = []
    store = open_store(home, index, said)
    store.sync()
    shutil.rmtree(index)
    for row in (7, 90):
        assert store.query(vector_of(row), 1)[0].row == row
    home.add([5000])
    store.store([5000], vectors_of([5000]))
    assert store.query(vector_of(5000), 1)[0].row == 5000
    assert_sound(store, [*ROWS, 5000])
    store.close()


def test_another_embedders_files_in_its_place(home: Home, index: Path) -> None:
    folder, said = folder_of(index), list[str]()
    shutil.rmtree(folder)
    other = ChromaIndex.in_folder(folder, TENANT, OTHER_FINGERPRINT)
    other.close()
    Seal(folder).put()
    store = open_store(home, index, said)
    assert_sound(store, ROWS)
    assert len(said) == 1 and "embedded e5 (16)" in said[0]
    store.close()


def test_a_disk_that_damages_everything_is_not_written_for_ever(
    home: Home, index: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(vectors_place, "probe", lambda *arguments: "it cannot be read")
    said: list[str] = []
    store = open_store(home, index, said)
    for _ in range(10):
        for seal in index.glob("*.seal"):
            seal.unlink()
        try:
            store.sync()
        except StorageError as error:
            assert "damaged 4 times" in error.message and "Check the disk" in error.hint
            break
        store.close()
    else:
        pytest.fail("it went on")
    assert len(said) == 3 and store.query(vector_of(7), 1)[0].row == 7
    store.close()


def test_unused_folders_are_removed(home: Home, index: Path) -> None:
    folder = folder_of(index)
    for name in ("0123456789ab-7", f"{folder.name.partition('-')[0]}-0"):
        shutil.copytree(folder, index / name)
        (index / f"{name}.seal").write_text("{}")
    (index / "something else").mkdir()
    store = open_store(home, index)
    store.sync()
    assert {path.name for path in index.iterdir() if path.is_dir()} == {folder.name, "something else"}
    assert not list(index.glob("*-7.seal"))
    store.close()


@posix
def test_only_the_owner_can_read_it(home: Home, index: Path) -> None:
    shutil.rmtree(index)
    store = open_store(home, index)
    store.sync()
    assert {path.stat().st_mode & 0o777 for path in (index, folder_of(index))} == {0o700}
    store.close()


@posix
def test_a_disk_that_takes_no_more(tmp_path: Path) -> None:
    path, index = tmp_path / "ledger.sqlite3", tmp_path / "index"
    home = Home.make(path)
    rows = list(range(1, 501))
    home.add(rows)
    store = open_store(home)
    store.store(rows, vectors_of(rows))
    store.close()
    home.close()
    output, errors = start("sync_until_refused", path, index, path.stat().st_size + 40_000).communicate()
    assert errors == ""
    lines = [line for line in output.splitlines() if not line.startswith("#")]
    assert lines[0].startswith("StorageError"), output
    assert lines[1:] == ["[77]", "0 []"]


@posix
def test_an_index_that_can_not_be_written() -> None:
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        folder.chmod(0o755)
        home = Home.make(folder / "ledger.sqlite3")
        home.add([1, 2])
        store = open_store(home)
        store.store([1, 2], vectors_of([1, 2]))
        home.close()
        (folder / "index").mkdir(mode=0o755)
        for path in folder.glob("ledger*"):
            path.chmod(0o666)
        if os.getuid() == 0:
            for path in (folder, *folder.glob("ledger*")):
                os.chown(path, 65534, 65534)
        else:
            (folder / "index").chmod(0o555)
        output, errors = start("search_without_rights", folder / "ledger.sqlite3", folder / "index", 2).communicate()
        assert errors == ""
        lines = output.splitlines()
        assert lines[0].startswith("StorageError") and "index" in lines[0] and "LOCALAGENT_HOME" in lines[0]
        assert lines[1] == "[2]"


# The package.


@pytest.mark.parametrize(
    "dotenv",
    [
        "ALLOW_RESET=maybe\n",
        "CHROMA_API_IMPL=chromadb.api.fastapi.FastAPI\nCHROMA_SERVER_HOST=192.0.2.1\n",
        "IS_PERSISTENT=x",
    ],
)
def test_nothing_but_localagent_configures_chroma(tmp_path: Path, dotenv: str) -> None:
    """Neither a file in the folder where the user happens to be, nor the environment."""
    (tmp_path / ".env").write_text(dotenv)
    variables = dict(line.split("=") for line in dotenv.splitlines())
    code = (
        "from localagent.memory.chroma_package import load_chromadb\n"
        "settings = load_chromadb()()\n"
        "import chromadb\n"
        "assert chromadb.get_settings() == settings\n"
        "print(settings.allow_reset, settings.is_persistent, settings.chroma_server_host, settings.chroma_api_impl)"
    )
    done = subprocess.run(
        [sys.executable, "-c", code],
        cwd=tmp_path,
        env={**os.environ, **variables, "PYTHONPATH": str(ROOT)},
        capture_output=True,
        text=True,
    )
    assert (done.stderr, done.stdout) == ("", "False False None chromadb.api.rust.RustBindingsAPI\n")


def test_nothing_heavy_is_imported_before_it_is_needed() -> None:
    code = (
        "import sys\n"
        "import localagent.memory.vectors\n"
        "heavy = {'chromadb', 'numpy', 'httpx', 'pydantic_settings', 'onnxruntime'} & set(sys.modules)\n"
        "assert not heavy, heavy"
    )
    done = subprocess.run(
        [sys.executable, "-c", code], env={**os.environ, "PYTHONPATH": str(ROOT)}, capture_output=True, text=True
    )
    assert (done.returncode, done.stderr) == (0, "")


# Servers.


def free_port() -> int:
    with socket.socket() as probe_socket:
        probe_socket.bind(("127.0.0.1", 0))
        port: int = probe_socket.getsockname()[1]
        return port


class Answers(http.server.BaseHTTPRequestHandler):
    """The same to everything."""

    status, body, kind = 200, b"", "text/html"
    seen: list[tuple[str, str]]

    def answer(self) -> None:
        self.rfile.read(int(self.headers.get("Content-Length") or 0))
        self.seen.append((self.path, self.headers.get("X-Token", "")))
        self.send_response(self.status)
        self.send_header("Content-Type", self.kind)
        self.send_header("Content-Length", str(len(self.body)))
        self.end_headers()
        self.wfile.write(self.body)

    do_GET = do_POST = do_DELETE = answer

    def log_message(self, format: str, *arguments: object) -> None:
        pass


@pytest.fixture
def serve() -> Iterator[Callable[..., ChromaServer]]:
    running: list[http.server.ThreadingHTTPServer] = []

    def made(status: int, body: bytes, kind: str = "text/html", **options: object) -> ChromaServer:
        answers = type("A", (Answers,), {"status": status, "body": body, "kind": kind, "seen": []})
        server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), answers)
        running.append(server)
        threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.01}).start()
        made.seen = answers.seen  # type: ignore[attr-defined]
        return ChromaServer("127.0.0.1", server.server_address[1], **options)  # type: ignore[arg-type]

    yield made
    for server in running:
        server.shutdown()
        server.server_close()


PAGES = {
    "a page": (200, b"<html><title>Proxy</title>\x1b[31m no </html>", "not a Chroma server"),
    "a gateway": (502, b"<html>Bad Gateway</html>", "not a Chroma server"),
    "nothing": (200, b"", "not a Chroma server"),
    "other json": (200, b'{"hello": 1}', "not a Chroma server"),
    "a list": (200, b"[]", "not a Chroma server"),
    "elsewhere": (302, b"", "not a Chroma server"),
    "a refusal": (403, b'{"error": "AuthError", "message": "Forbidden"}', "chroma.headers"),
    "busy": (429, b'{"error": "RateLimitError", "message": "slow down"}', "slow down"),
}


@pytest.mark.parametrize("name", PAGES)
def test_what_answers_is_no_chroma(tmp_path: Path, serve: Callable[..., ChromaServer], name: str) -> None:
    status, body, words = PAGES[name]
    server = serve(status, body, headers={"X-Token": "secret"})
    home = Home.make(tmp_path / "ledger.sqlite3")
    store = VectorStore(home.database, TENANT, home.embedder, folder=None, server=server, say=lambda line: None)
    home.add([1, 2])
    store.store([1, 2], vectors_of([1, 2]))
    with pytest.raises(ModelUnreachable) as caught:
        store.sync()
    assert words in str(caught.value) and str(server.port) in caught.value.where
    assert "\x1b" not in str(caught.value) and "secret" not in str(caught.value) + repr(server)
    assert serve.seen[0][1] == "secret"  # type: ignore[attr-defined]
    assert store.query(vector_of(2), 1)[0].row == 2 and store.pending() == 2
    store.close()
    home.close()


def test_a_server_that_is_not_there_or_never_answers(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(chroma_server_module, "ANSWER_TIMEOUT_S", 0.2)
    home = Home.make(tmp_path / "ledger.sqlite3")
    home.add([1])
    with socket.socket() as silent:
        silent.bind(("127.0.0.1", 0))
        silent.listen()
        for port in (free_port(), silent.getsockname()[1]):
            server = ChromaServer("127.0.0.1", port)
            store = VectorStore(home.database, TENANT, home.embedder, folder=None, server=server, say=lambda line: None)
            store.store([1], vectors_of([1]))
            assert [hit.row for hit in store.query(vector_of(1), 3)] == [1]
            with pytest.raises(ModelUnreachable, match="does not answer") as caught:
                store.sync()
            assert "chroma.host" in caught.value.hint
            store.close()
    home.close()


def test_the_environments_proxy_is_not_asked_for_this_machine(
    tmp_path: Path, serve: Callable[..., ChromaServer], monkeypatch: pytest.MonkeyPatch
) -> None:
    proxy = serve(200, b"proxied")
    for name in ("http_proxy", "HTTP_PROXY", "all_proxy", "ALL_PROXY"):
        monkeypatch.setenv(name, f"http://127.0.0.1:{proxy.port}")
    monkeypatch.delenv("no_proxy", raising=False)
    monkeypatch.delenv("NO_PROXY", raising=False)
    with chroma_server(tmp_path) as server:
        index = ChromaIndex.on_server(server, TENANT, FINGERPRINT)
        assert index.count() == 0
        index.close()


def test_a_server_that_goes_and_comes_back(tmp_path: Path) -> None:
    (tmp_path / "data").mkdir()
    server = ChromaServer("127.0.0.1", free_port())
    child = start_server(tmp_path / "data", server.port)
    wait_for(server, child)
    home, said = Home.make(tmp_path / "ledger.sqlite3"), list[str]()
    store = VectorStore(home.database, TENANT, home.embedder, folder=None, server=server, say=said.append)
    home.add(range(1, 31))
    store.store(list(range(1, 31)), vectors_of(range(1, 31)))
    assert store.sync() == 30
    child.kill()
    child.wait()
    assert store.query(vector_of(7), 1)[0].row == 7
    home.add([31])
    store.store([31], vectors_of([31]))
    with pytest.raises(ModelUnreachable):
        store.sync()
    # It comes back having lost everything.
    (tmp_path / "empty").mkdir()
    child = start_server(tmp_path / "empty", server.port)
    wait_for(server, child)
    assert store.sync() == 31 and store.verify() == [] and store.pending() == 0
    # Somebody removes the collection under it.
    assert store._opened is not None
    other = ChromaIndex.on_server(server, TENANT, FINGERPRINT)
    other._client.delete_collection(other._collection.name)
    other.close()
    assert store.query(vector_of(7), 1)[0].row == 7
    while store.sync():
        pass
    assert store.verify() == [] and store.pending() == 0 and len(said) == 1
    store.close()
    home.close()
    child.kill()
    child.wait()


def test_a_shared_server_of_another_embedder(tmp_path: Path) -> None:
    """Others' memory is not thrown away; ours is searched in the ledger, and the way out is named."""
    (tmp_path / "data").mkdir()
    with chroma_server(tmp_path / "data") as server:
        theirs = Home.make(tmp_path / "theirs.sqlite3", OTHER_FINGERPRINT)
        other = VectorStore(theirs.database, TENANT, theirs.embedder, folder=None, server=server, say=lambda line: None)
        theirs.add([1])
        other.store([1], vectors_of([1]))
        other.sync()
        home = Home.make(tmp_path / "ledger.sqlite3")
        store = VectorStore(home.database, TENANT, home.embedder, folder=None, server=server, say=lambda line: None)
        home.add([2])
        store.store([2], vectors_of([2]))
        with pytest.raises(FingerprintMismatch) as caught:
            store.sync()
        assert "localagent memory reindex --embedder embedded" in caught.value.hint
        assert [hit.row for hit in store.query(vector_of(1), 5)] == [2]
        assert other.verify() == [] and EmbedderTable(home.database).active() == home.embedder
        for one in (store, other, home, theirs):
            one.close()


def test_the_address_is_written_as_it_must_be() -> None:
    assert ChromaServer("::1", 8001).url == "http://[::1]:8001"
    assert ChromaServer("memory.example", 443, ssl=True).url == "https://memory.example:443"
    assert [ChromaServer(host).on_this_machine for host in ("localhost", "::1", "127.0.0.2", "memory.example")] == [
        True, True, True, False,
    ]  # fmt: skip
