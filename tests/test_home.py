"""The data folder is created private, kept private, and says clearly why it cannot be used."""

from __future__ import annotations

import errno
import os
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from localagent import files
from localagent.errors import StorageError
from localagent.files import make_private, private_folder, storage_error, write_atomically
from localagent.home import DataHome

posix = pytest.mark.skipif(sys.platform == "win32", reason="modes of POSIX")


def mode(path: Path) -> int:
    return path.stat().st_mode & 0o777


@pytest.fixture(params=[0o000, 0o022, 0o077, 0o277])
def umask(request: pytest.FixtureRequest) -> Iterator[int]:
    before = os.umask(request.param)
    yield request.param
    os.umask(before)


def test_nothing_is_created_before_it_is_opened(tmp_path: Path) -> None:
    home = DataHome(tmp_path / "home")
    assert home.ledger.name == "ledger.sqlite3" and home.trust.parent == home.folder
    assert list(tmp_path.iterdir()) == []


@posix
def test_a_new_home_is_private_whatever_the_umask(tmp_path: Path, umask: int) -> None:
    notices: list[str] = []
    home = DataHome(tmp_path / "新的 家" / "a b" / "localagent", notices.append)
    home.open()
    home.open()
    write_atomically(home.trust, b"{}")
    folders = (home.folder, home.folder.parent, home.prompts, home.models, home.run)
    assert {mode(folder) for folder in folders} == {0o700}
    assert mode(home.trust) == 0o600
    assert notices == []


@posix
def test_what_others_could_read_becomes_private_with_one_notice(tmp_path: Path) -> None:
    notices: list[str] = []
    home = DataHome(tmp_path / "home", notices.append)
    home.open()
    written = [home.ledger, home.folder / "ledger.sqlite3-wal", home.history, home.prompts / "t.jsonl"]
    for path in written:
        path.write_text("secret", encoding="utf-8")
        path.chmod(0o644)
    for folder in (home.folder, home.prompts):
        folder.chmod(0o755)
    home.open()
    assert {mode(path) for path in written} == {0o600}
    assert {mode(home.folder), mode(home.prompts)} == {0o700}
    assert len(notices) == 1 and "ledger.sqlite3" in notices[0] and "t.jsonl" in notices[0]
    home.open()
    assert len(notices) == 1


@posix
def test_a_folder_with_other_things_in_it_keeps_its_mode(tmp_path: Path) -> None:
    shared = tmp_path / "shared"
    shared.mkdir()
    (shared / "thesis.tex").write_text("x", encoding="utf-8")
    (shared / "thesis.tex").chmod(0o644)
    shared.chmod(0o1777)
    notices: list[str] = []
    home = DataHome(shared, notices.append)
    home.open()
    assert shared.stat().st_mode & 0o7777 == 0o1777 and mode(shared / "thesis.tex") == 0o644
    assert mode(home.prompts) == 0o700
    assert len(notices) == 1 and "LOCALAGENT_HOME" in notices[0]


@posix
def test_what_a_link_points_to_is_left_alone(tmp_path: Path) -> None:
    elsewhere = tmp_path / "big disk"
    elsewhere.mkdir(0o755)
    elsewhere.chmod(0o755)
    home = DataHome(tmp_path / "home")
    home.open()
    home.models.rmdir()
    home.models.symlink_to(elsewhere)
    home.open()
    assert mode(elsewhere) == 0o755


@pytest.mark.parametrize("where", ["home", "home/prompts", "parent"])
def test_a_file_in_its_place(tmp_path: Path, where: str) -> None:
    home = DataHome(tmp_path / ("parent/home" if where == "parent" else "home"))
    blocking = tmp_path / where
    blocking.parent.mkdir(exist_ok=True)
    blocking.write_text("mine", encoding="utf-8")
    with pytest.raises(StorageError) as caught:
        home.open()
    assert str(tmp_path) in caught.value.where and "stands in its place" in caught.value.hint
    assert blocking.read_text(encoding="utf-8") == "mine"


NOBODY = """
import os, sys
from pathlib import Path
from localagent.errors import StorageError
from localagent.home import DataHome
from localagent.files import write_atomically
if os.getuid() == 0:
    os.setgroups([]); os.setgid(65534); os.setuid(65534)
for act in (lambda: DataHome(Path(sys.argv[1], "home")).open(), lambda: write_atomically(Path(sys.argv[1], "f"), b"x")):
    try:
        act()
    except StorageError as error:
        print(error)
"""


@posix
def test_a_place_where_we_may_not_write(tmp_path_factory: pytest.TempPathFactory) -> None:
    import tempfile

    root = Path(__file__).parent.parent
    with tempfile.TemporaryDirectory() as folder:
        Path(folder).chmod(0o555)
        done = subprocess.run(
            [sys.executable, "-c", NOBODY, folder],
            cwd=root,
            env={**os.environ, "PYTHONPATH": str(root)},
            capture_output=True,
            text=True,
            check=True,
        )
        Path(folder).chmod(0o755)
    lines = done.stdout.splitlines()
    assert len(lines) == 2 and all(folder in line and "LOCALAGENT_HOME" in line for line in lines)


def test_writing_atomically_replaces_the_whole_file(tmp_path: Path) -> None:
    path = tmp_path / "信任.json"
    write_atomically(path, b"a long first version")
    write_atomically(path, b"second")
    assert path.read_bytes() == b"second"
    assert [file.name for file in tmp_path.iterdir()] == [path.name]


def test_a_failed_write_leaves_the_old_file_and_nothing_else(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = tmp_path / "trust.json"
    write_atomically(path, b"old")

    def full(descriptor: int) -> None:
        raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))

    monkeypatch.setattr(files.os, "fsync", full)
    with pytest.raises(StorageError, match="Free some space") as caught:
        write_atomically(path, b"new")
    assert caught.value.where == str(path)
    assert path.read_bytes() == b"old"
    assert [file.name for file in tmp_path.iterdir()] == ["trust.json"]


@pytest.mark.parametrize("number", [*sorted(errno.errorcode), 0, None])
def test_every_error_of_the_system_has_a_reason_and_a_remedy(tmp_path: Path, number: int | None) -> None:
    cause = OSError(number, os.strerror(number)) if number else OSError("something")
    error = storage_error(cause, tmp_path, "write this file")
    assert error.where == str(tmp_path) and error.hint.endswith(".")
    assert error.message.startswith("cannot write this file: ") and len(error.message) > 26


@posix
def test_what_is_private_and_what_is_gone(tmp_path: Path) -> None:
    folder, file = tmp_path / "d", tmp_path / "f"
    private_folder(folder)
    file.touch(0o644)
    file.chmod(0o604)
    assert make_private(folder) == "private"
    assert make_private(file) == "corrected" and mode(file) == 0o600
    assert make_private(tmp_path / "gone") == "private"
