"""Loading, bad model files, sockets, and the end of the embedded model."""

from __future__ import annotations

import contextlib
import os
import shutil
import signal
import socket
import stat
import subprocess
import sys
import threading
from importlib.metadata import version
from pathlib import Path

import pytest
from embedded_support import ROOT, ask, finished, run, small_gguf, text_of
from hypothesis import given, settings
from hypothesis import strategies as st

from localagent.abort import AbortSignal
from localagent.errors import EnvironmentFault, Interrupted, ModelError, ModelMissing, StorageError
from localagent.messages import user
from localagent.models import embedded as embedded_module
from localagent.models import llama_server
from localagent.models.embedded import EmbeddedModel
from localagent.models.gguf import GgufHeader, read_header
from localagent.models.llama_socket import LlamaSocket

linux = pytest.mark.skipif(sys.platform != "linux", reason="reads /proc")


def works(model: EmbeddedModel) -> None:
    assert text_of(run(model, ask(model, user("Say hello."))))


# The window


@pytest.mark.parametrize(("num_ctx", "window"), [(100_000, 8192), (1000, 1000)])
def test_the_window_is_the_smaller_one(weights: Path, tmp_path: Path, num_ctx: int, window: int) -> None:
    model = EmbeddedModel(weights, num_ctx=num_ctx, run_dir=tmp_path)
    assert model.describe().window == window
    assert model.describe().exact
    model.close()


def test_a_window_beyond_the_memory_is_refused(weights: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(llama_server, "available_memory", lambda: 100 << 20)
    model = EmbeddedModel(weights, run_dir=tmp_path)
    with pytest.raises(EnvironmentFault, match=r"8192 tokens needs 0\.2 GiB.*num_ctx"):
        model.describe()


# Model files that are none


def refused(path: Path, tmp_path: Path, capfd: pytest.CaptureFixture[str]) -> EnvironmentFault:
    model = EmbeddedModel(path, run_dir=tmp_path / "run")
    with pytest.raises(EnvironmentFault) as caught:
        model.load(AbortSignal())
    model.close()
    assert caught.value.where == str(path)
    assert caught.value.hint
    assert capfd.readouterr() == ("", "")
    assert not list(tmp_path.rglob("*.sock"))
    return caught.value


def test_a_missing_file(tmp_path: Path, capfd: pytest.CaptureFixture[str]) -> None:
    error = refused(tmp_path / "no.gguf", tmp_path, capfd)
    assert isinstance(error, ModelMissing) and "no such file" in error.message


def test_a_folder(tmp_path: Path, capfd: pytest.CaptureFixture[str]) -> None:
    error = refused(tmp_path, tmp_path, capfd)
    assert isinstance(error, ModelMissing) and "folder" in error.message


@pytest.mark.parametrize(
    ("content", "words"),
    [
        (b"", "empty"),
        (b"hello world\n" * 100, "not a GGUF"),
        (b"version https://git-lfs.github.com/spec/v1\n", "Git LFS"),
        (b"GGUF\x03\x00", "header does not end"),
        (b"GGUF" + b"\x00\x00\x00\x03" + bytes(100), "version"),
        (small_gguf()[:150], "header does not end"),
        (small_gguf(tensor_bytes=4096, present=4095), "cut short: it has"),
    ],
)
def test_a_file_that_is_no_model(tmp_path: Path, capfd: pytest.CaptureFixture[str], content: bytes, words: str) -> None:
    path = tmp_path / "模型.gguf"
    path.write_bytes(content)
    error = refused(path, tmp_path, capfd)
    assert isinstance(error, ModelMissing) and words in error.message


def test_the_real_file_cut_short(weights: Path, tmp_path: Path, capfd: pytest.CaptureFixture[str]) -> None:
    path = tmp_path / "cut.gguf"
    shutil.copyfile(weights, path)
    os.truncate(path, weights.stat().st_size - 1)
    error = refused(path, tmp_path, capfd)
    assert isinstance(error, ModelMissing) and "cut short" in error.message


def test_a_kind_of_model_the_library_does_not_know(tmp_path: Path, capfd: pytest.CaptureFixture[str]) -> None:
    path = tmp_path / "new.gguf"
    path.write_bytes(small_gguf("brandnew"))
    assert "brandnew" in refused(path, tmp_path, capfd).message


def test_a_file_that_vanishes_while_it_is_loaded(
    weights: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]
) -> None:
    path = tmp_path / "模型.gguf"
    shutil.copyfile(weights, path)

    def remove(*_: object) -> None:
        path.unlink()

    monkeypatch.setattr(embedded_module, "check_memory", remove)
    error = refused(path, tmp_path, capfd)
    assert isinstance(error, ModelMissing) and "no such file" in error.message


@pytest.mark.skipif(sys.platform == "win32", reason="modes of POSIX")
def test_a_file_that_can_not_be_read(tmp_path: Path, capfd: pytest.CaptureFixture[str]) -> None:
    loop = tmp_path / "loop.gguf"
    loop.symlink_to(loop)
    assert isinstance(refused(loop, tmp_path, capfd), StorageError)


class Unforeseen(Exception):
    """What no code of ours knows of."""


@pytest.mark.parametrize("where", ["start_server", "_message_cost"])
def test_what_nobody_foresaw_reaches_whoever_asked(
    weights: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str], where: str
) -> None:
    def fail(*_: object) -> None:
        raise Unforeseen

    with monkeypatch.context() as patch:
        patch.setattr(embedded_module, where, fail)
        model = EmbeddedModel(weights, num_ctx=512, run_dir=tmp_path)
        with pytest.raises(Unforeseen):
            model.load(AbortSignal())
        with pytest.raises(Unforeseen):
            model.describe()
        with pytest.raises(Unforeseen):
            list(model.stream({"messages": []}, AbortSignal()))
        assert not list(tmp_path.iterdir()), "no socket is left"
    works(model)
    model.close()
    assert capfd.readouterr() == ("", "")


def test_a_parameter_that_the_library_renamed(weights: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    import xllamacpp

    class Renamed:
        __slots__ = ("model_file",)

    monkeypatch.setattr(xllamacpp, "CommonParams", Renamed)
    model = EmbeddedModel(weights, run_dir=tmp_path)
    with pytest.raises(EnvironmentFault, match=f"{version('xllamacpp')}.*'model'.*again") as caught:
        model.load(AbortSignal())
    assert caught.value.where == "xllamacpp"
    model.close()


def test_without_the_library(weights: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "xllamacpp", None)
    model = EmbeddedModel(weights, run_dir=tmp_path)
    with pytest.raises(EnvironmentFault, match=r"xllamacpp.*again"):
        model.load(AbortSignal())
    model.close()


def test_what_a_header_says(tmp_path: Path) -> None:
    path = tmp_path / "small.gguf"
    path.write_bytes(small_gguf("llama"))
    header = read_header(path)
    assert (header.architecture, header.trained_window, header.size) == ("llama", 4096, path.stat().st_size)
    assert header.control_tokens == ("<|end|>",)
    assert header.user_tokens == ("<tool>",)
    assert header.cache_bytes(1000) == 1000 * 10 * 2 * (64 + 64) * 2


@settings(max_examples=200, deadline=None)
@given(st.data())
def test_damage_anywhere_in_a_header_is_reported(tmp_path_factory: pytest.TempPathFactory, data: st.DataObject) -> None:
    content = bytearray(small_gguf())
    for _ in range(data.draw(st.integers(1, 4))):
        content[data.draw(st.integers(0, len(content) - 1))] = data.draw(st.integers(0, 255))
    path = tmp_path_factory.getbasetemp() / "damaged.gguf"
    path.write_bytes(bytes(content[: data.draw(st.integers(0, len(content)))]))
    try:
        read_header(path)
    except ModelMissing as error:
        assert error.hint


# The socket


@linux
def test_no_port_is_opened(embedded: EmbeddedModel) -> None:
    works(embedded)
    own = set()
    for link in Path("/proc/self/fd").iterdir():
        with contextlib.suppress(FileNotFoundError):  # the listing's own
            own.add(str(link.readlink()))
    rows = [
        line.split()
        for table in ("tcp", "tcp6")
        if (Path("/proc/self/net") / table).exists()
        for line in (Path("/proc/self/net") / table).read_text().splitlines()[1:]
    ]
    listening = {f"socket:[{row[9]}]" for row in rows if row[3] == "0A"}
    assert not own & listening


def test_the_socket_is_private_and_goes_at_the_end(weights: Path, tmp_path: Path) -> None:
    folder = tmp_path / "run"
    model = EmbeddedModel(weights, num_ctx=512, run_dir=folder)
    model.load(AbortSignal())
    assert stat.S_IMODE(folder.stat().st_mode) == 0o700
    (listener,) = folder.iterdir()
    assert listener.name.startswith(f"{os.getpid()}-")
    model.close()
    assert not list(folder.iterdir())
    model.close()
    with pytest.raises(ModelError, match="closed"):
        model.count_text("x")
    with pytest.raises(ModelError, match="closed"):
        list(model.stream({"messages": []}, AbortSignal()))


@pytest.mark.parametrize("unix", [True, False])
def test_a_stranger_gets_nothing(weights: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, unix: bool) -> None:
    """With a socket, and with a port of the loopback, as on Windows."""
    sockets: list[LlamaSocket] = []

    def make(folder: Path) -> LlamaSocket:
        sockets.append(LlamaSocket(folder, unix=unix))
        return sockets[0]

    monkeypatch.setattr(embedded_module, "LlamaSocket", make)
    model = EmbeddedModel(weights, num_ctx=512, run_dir=tmp_path)
    works(model)
    sockets[0].key = "guessed"
    with pytest.raises(ModelError, match="Invalid API Key"):
        sockets[0].post("/tokenize", {"content": "x"})
    model.close()


@pytest.mark.parametrize("name", ["a" * 120, "长" * 60])
def test_a_long_path_gets_a_private_folder_elsewhere(
    weights: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, name: str
) -> None:
    listener = LlamaSocket(tmp_path / name)
    assert len(os.fsencode(listener.hostname)) <= 100
    folder = Path(listener.hostname).parent
    assert folder != tmp_path / name and stat.S_IMODE(folder.stat().st_mode) == 0o700
    listener.close()
    assert not folder.exists()
    model = EmbeddedModel(weights, num_ctx=512, run_dir=tmp_path / name)
    assert model.count_text("hello")
    model.close()


def test_no_place_for_a_socket_is_a_storage_error(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "file").write_text("in the way")
    monkeypatch.setattr("tempfile.tempdir", str(tmp_path / "file"))
    with pytest.raises(StorageError, match="TMPDIR"):
        LlamaSocket(tmp_path / "file")


KILLED = """
import sys, os, signal
from pathlib import Path
from localagent.abort import AbortSignal
from localagent.models.embedded import EmbeddedModel
model = EmbeddedModel(Path(sys.argv[1]), num_ctx=512, run_dir=Path(sys.argv[2]))
model.load(AbortSignal())
print("loaded", flush=True)
sys.stdin.read()
"""


def loaded_elsewhere(weights: Path, run_dir: Path) -> subprocess.Popen[str]:
    process = subprocess.Popen(
        [sys.executable, "-c", KILLED, str(weights), str(run_dir)],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        text=True,
        env={**os.environ, "PYTHONPATH": str(ROOT)},
    )
    assert process.stdout is not None and process.stdout.readline() == "loaded\n"
    return process


def test_two_processes_load_it_and_a_killed_one_leaves_nothing_that_matters(weights: Path, tmp_path: Path) -> None:
    with loaded_elsewhere(weights, tmp_path) as other:
        (left,) = tmp_path.iterdir()
        model = EmbeddedModel(weights, num_ctx=512, run_dir=tmp_path)
        works(model)
        model.close()
        assert left.exists(), "the socket of a living process is not ours to remove"
        other.kill()
        other.wait()
    assert left.exists()
    model = EmbeddedModel(weights, num_ctx=512, run_dir=tmp_path)
    works(model)
    assert not left.exists()
    model.close()


def test_an_old_socket_goes_even_when_its_number_is_used_again(tmp_path: Path) -> None:
    stale = LlamaSocket(tmp_path)
    path = Path(stale.hostname)
    with socket.socket(socket.AF_UNIX) as listener:
        listener.bind(str(path))
    LlamaSocket(tmp_path)
    assert path.exists(), "a young one may be about to listen"
    os.utime(path, (0, 0))
    LlamaSocket(tmp_path)
    assert not path.exists()


# The end


def test_closing_while_the_model_speaks(weights: Path, tmp_path: Path) -> None:
    model = EmbeddedModel(weights, num_ctx=512, run_dir=tmp_path)
    events = model.stream(model.encode(ask(model, user("Tell a story."), max_output_tokens=400)), AbortSignal())
    next(events)
    model.close()
    with pytest.raises(ModelError):
        list(events)
    assert not list(tmp_path.iterdir())


class Gate:
    """Holds up a load at its native part until it is opened."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch) -> None:
        self.reached, self._open = threading.Event(), threading.Event()
        self.sockets: list[str] = []
        monkeypatch.setattr(embedded_module, "start_server", self._start)

    def _start(self, gguf: Path, header: GgufHeader, window: int, listener: LlamaSocket) -> object:
        self.sockets.append(listener.hostname)
        self.reached.set()
        assert self._open.wait(60)
        return llama_server.start_server(gguf, header, window, listener)

    def open(self) -> None:
        """Returns when what was held up has ended."""
        self._open.set()
        join_threads()


def join_threads() -> None:
    for thread in threading.enumerate():
        if thread.name in ("localagent-loader", "localagent-model"):
            thread.join(60)
            assert not thread.is_alive()


def given_up_when(reached: threading.Event) -> AbortSignal:
    abort = AbortSignal()
    threading.Thread(target=lambda: (reached.wait(60), abort.abort()), daemon=True).start()
    return abort


def gone(gate: Gate) -> bool:
    """No file of it, and on Linux nobody listens there."""
    join_threads()
    table = Path("/proc/self/net/unix")
    listening = table.read_text() if table.exists() else ""
    return bool(gate.sockets) and not any(Path(path).exists() or path in listening for path in gate.sockets)


def test_closing_does_not_wait_for_a_load_that_was_given_up(
    weights: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    gate = Gate(monkeypatch)
    model = EmbeddedModel(weights, num_ctx=512, run_dir=tmp_path)
    with pytest.raises(Interrupted):
        model.load(given_up_when(gate.reached))
    model.close()
    gate.open()
    assert gone(gate), "the thread that loaded it frees it"


def test_nor_does_closing_wait_for_a_call_that_waits_for_the_load(
    weights: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    gate = Gate(monkeypatch)
    model = EmbeddedModel(weights, num_ctx=512, run_dir=tmp_path)
    with pytest.raises(Interrupted):
        list(model.stream({"messages": []}, given_up_when(gate.reached)))
    model.close()
    gate.open()
    assert gone(gate)


def test_a_load_that_was_given_up_serves_the_next_one(
    weights: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    gate = Gate(monkeypatch)
    model = EmbeddedModel(weights, num_ctx=512, run_dir=tmp_path)
    with pytest.raises(Interrupted):
        model.load(given_up_when(gate.reached))
    gate.open()
    works(model)
    assert len(gate.sockets) == 1
    model.close()
    assert gone(gate)


def test_whoever_waits_for_a_load_learns_that_the_model_was_closed(
    weights: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    gate = Gate(monkeypatch)
    model = EmbeddedModel(weights, num_ctx=512, run_dir=tmp_path)
    threading.Thread(target=lambda: (gate.reached.wait(60), model.close()), daemon=True).start()
    with pytest.raises(ModelError, match="closed"):
        model.describe()
    gate.open()
    assert gone(gate)


def test_loading_counts_as_the_first_calls_time(weights: Path, tmp_path: Path) -> None:
    model = EmbeddedModel(weights, num_ctx=512, run_dir=tmp_path)
    first, second = (finished(run(model, ask(model, user("Hi")))) for _ in range(2))
    assert first.usage.load_s is not None and first.usage.load_s > 0
    assert second.usage.load_s is None
    model.close()


@pytest.mark.skipif(sys.platform == "win32", reason="signals of POSIX")
@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM])
def test_the_library_leaves_signals_to_us(embedded: EmbeddedModel, number: signal.Signals) -> None:
    assert threading.current_thread() is threading.main_thread()
    abort = AbortSignal()
    before = signal.signal(number, lambda *_: abort.abort(Interrupted(number.name)))
    try:
        events = embedded.stream(embedded.encode(ask(embedded, user("Tell a story."), max_output_tokens=800)), abort)
        next(events)
        os.kill(os.getpid(), number)
        with pytest.raises(Interrupted, match=number.name):
            list(events)
    finally:
        signal.signal(number, before)
    works(embedded)
