"""Real processes on one ledger: killed, crowded, without space, without rights."""

from __future__ import annotations

import os
import random
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path

import pytest

from localagent.memory.ledger import SqliteLedger
from localagent.messages import user

CHILD = Path(__file__).with_name("ledger_child.py")
ROOT = CHILD.parent.parent.parent
posix = pytest.mark.skipif(sys.platform == "win32", reason="signals, limits and rights of POSIX")


def start(job: str, path: Path, *arguments: str) -> subprocess.Popen[str]:
    return subprocess.Popen(
        [sys.executable, str(CHILD), job, str(path), *arguments],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        encoding="utf-8",
        env={**os.environ, "PYTHONPATH": str(ROOT), "PYTHONUTF8": "1"},
    )


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "ledger.sqlite3"


def new_thread(path: Path) -> str:
    ledger = SqliteLedger(path)
    thread = ledger.create_thread("a")
    ledger.close()
    return thread.id


def texts(path: Path, thread_id: str) -> dict[int, str]:
    ledger = SqliteLedger(path)
    try:
        assert ledger.integrity() == []
        return {stored.id: stored.message.text for stored in ledger.messages(thread_id)}
    finally:
        ledger.close()


@posix
def test_what_was_acknowledged_survives_kill_9(path: Path) -> None:
    thread_id = new_thread(path)
    acknowledged: dict[int, str] = {}
    randomly = random.Random(9)
    for turn in range(30):
        with start("write_for_ever", path, thread_id, f"turn{turn}") as child:
            assert child.stdout is not None and child.stderr is not None
            # The first line comes before the ledger is opened.
            lines = [child.stdout.readline() for _ in range(randomly.choice((1, 2, 3, 5, 9, 20)))]
            for _ in range(randomly.randrange(20_000)):
                pass  # somewhere in the middle of the next write
            child.kill()
            lines += child.stdout.readlines()
            assert child.stderr.read() == ""
        for line in lines[1:]:
            message_id, text = line.rstrip("\n").split(" ", 1)
            acknowledged[int(message_id)] = text
    stored = texts(path, thread_id)
    assert len(acknowledged) > 30
    for message_id, text in acknowledged.items():
        assert stored[message_id].startswith(text + " ")


@posix
def test_kill_9_while_the_ledger_is_created(tmp_path: Path) -> None:
    randomly = random.Random(4)
    for turn in range(8):
        path = tmp_path / f"{turn}.sqlite3"
        with start("write_for_ever", path, "no thread", "x") as child:
            assert child.stdout is not None
            child.stdout.readline()
            for _ in range(randomly.randrange(100_000)):
                pass
            child.kill()
            child.communicate()
        new_thread(path)


def test_four_writers_and_a_reader_lose_nothing(path: Path) -> None:
    thread_id = new_thread(path)
    writers = [start("write_some", path, thread_id, f"writer{number}", "50") for number in range(4)]
    reader = SqliteLedger(path)
    seen = 0
    while any(writer.poll() is None for writer in writers):
        found = reader.messages(thread_id)
        assert len(found) >= seen
        seen = len(found)
    for writer in writers:
        assert (*writer.communicate(), writer.returncode) == ("", "", 0)
    found = [stored.message.text for stored in reader.messages(thread_id)]
    assert reader.integrity() == []
    reader.close()
    for number in range(4):
        mine = [text for text in found if text.startswith(f"writer{number} ")]
        assert mine == [f"writer{number} {index}" for index in range(50)]


def test_processes_may_create_the_ledger_at_once(tmp_path: Path) -> None:
    children = [start("create_when_told", tmp_path) for _ in range(3)]
    for child in children:
        assert child.stdout is not None and child.stdin is not None
        assert child.stdout.readline() == "ready\n"
    for turn in range(20):
        for child in children:
            assert child.stdin is not None
            child.stdin.write(f"{turn}.sqlite3\n")
            child.stdin.flush()
        for child in children:
            assert child.stdout is not None
            assert child.stdout.readline() == "created\n"
    for child in children:
        assert (*child.communicate(), child.returncode) == ("", "", 0)
    for turn in range(20):
        ledger = SqliteLedger(tmp_path / f"{turn}.sqlite3")
        assert len(ledger.threads("a")) == 3
        ledger.close()


@posix
def test_a_disk_that_takes_no_more(path: Path) -> None:
    thread_id = new_thread(path)
    output, errors = start("write_until_refused", path, thread_id, "150000").communicate()
    assert errors == ""
    count, message = output.splitlines()
    assert str(path) in message and "disk" in message
    stored = texts(path, thread_id)
    assert int(count) > 3 and [text.split()[0] for text in stored.values()] == [str(n) for n in range(int(count))]


@pytest.fixture
def open_folder() -> Iterator[Path]:
    """A folder that another user can reach."""
    with tempfile.TemporaryDirectory() as folder:
        Path(folder).chmod(0o755)
        yield Path(folder)


@posix
@pytest.mark.parametrize("exists", [True, False])
def test_a_home_that_can_not_be_written(open_folder: Path, exists: bool) -> None:
    path = open_folder / "ledger.sqlite3"
    thread_id = new_thread(path) if exists else "0" * 16
    if exists:
        path.chmod(0o444)
    open_folder.chmod(0o555)
    output, errors = start("write_without_rights", path, thread_id).communicate()
    open_folder.chmod(0o755)
    assert errors == ""
    assert str(path) in output and "LOCALAGENT_HOME" in output and output.count("\n") == 1


@posix
@pytest.mark.parametrize("umask", [0o000, 0o022, 0o277])
def test_only_the_owner_can_read_it_whatever_the_umask(path: Path, umask: int) -> None:
    before = os.umask(umask)
    try:
        ledger = SqliteLedger(path)
        ledger.append(ledger.create_thread("a").id, user("x"))
        modes = {file.name: file.stat().st_mode & 0o777 for file in path.parent.iterdir()}
        ledger.close()
    finally:
        os.umask(before)
    assert modes == {f"ledger.sqlite3{suffix}": 0o600 for suffix in ("", "-wal", "-shm")}


@posix
def test_a_ledger_that_others_could_read_becomes_private(path: Path) -> None:
    new_thread(path)
    path.chmod(0o644)
    ledger = SqliteLedger(path)
    ledger.create_thread("a")
    assert {file.stat().st_mode & 0o777 for file in path.parent.iterdir()} == {0o600}
    ledger.close()
