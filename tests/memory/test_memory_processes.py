"""Real processes on one home: killed, crowded, without room. What was acknowledged is there, and is found."""

from __future__ import annotations

import os
import random
import subprocess
import sys
import threading
from pathlib import Path

import pytest
from worker_child import text_of
from worker_parts import Home, until

from localagent.abort import AbortSignal

CHILD = Path(__file__).with_name("worker_child.py")
ROOT = CHILD.parent.parent.parent
# `LOCALAGENT_TEST_KILLS=200 pytest tests/memory/test_memory_processes.py -k kill` takes some minutes.
ROUNDS = int(os.environ.get("LOCALAGENT_TEST_KILLS", "8"))
ROUNDS_A_HOME = 20
JOBS = ("write_for_ever", "index_for_ever", "prune_for_ever", "reindex_for_ever")
posix = pytest.mark.skipif(sys.platform == "win32", reason="signals and limits of POSIX")


def start(job: str, home: Path, *arguments: str) -> subprocess.Popen[str]:
    return subprocess.Popen(
        [sys.executable, str(CHILD), job, str(home), *arguments],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        encoding="utf-8",
        env={**os.environ, "PYTHONPATH": str(ROOT), "PYTHONUTF8": "1", "OMP_NUM_THREADS": "1"},
    )


class Acknowledged:
    """What children said they had done. What one was just forgetting when it died may be there or not."""

    def __init__(self) -> None:
        self.there: dict[str, None] = {}
        self.gone: set[str] = set()

    def take(self, lines: list[str]) -> None:
        for line in lines:
            what, _, text = line.rstrip("\n").partition(" ")
            if what == "wrote":
                self.there[text] = None
            elif what in ("forgetting", "forgot"):
                self.there.pop(text, None)
                if what == "forgot":
                    self.gone.add(text)

    def some(self, randomly: random.Random) -> list[str]:
        """The newest, and some of before."""
        texts = list(self.there)
        return texts[-30:] + randomly.sample(texts, min(20, len(texts)))


def check(path: Path, texts: list[str], gone: set[str], *, thoroughly: bool = False) -> None:
    """The next process on this home: everything can be found, by words and by vectors, exactly and in the index."""
    home = Home(path, index=True)
    try:
        assert home.ledger.integrity() == []
        worker = home.worker()

        def done() -> bool:
            progress = worker.drain(AbortSignal())
            assert progress.finished, progress
            return home.state().waiting == 0

        # A killed process may have had a child look into the index, which keeps it for as long as it looks.
        until(done)
        state = home.state()
        assert (state.retrying, state.parked) == (0, 0)
        home.index = None
        exact = home.store_of("default", home.row)
        try:
            for text in texts:
                assert home.knows(text.split()[0]), f"no word finds {text}"
                assert home.finds(text), f"no vector finds {text}"
                assert home.finds(text, exact), f"no stored vector finds {text}"
        finally:
            exact.close()
        assert not any(home.knows(text.split()[0]) for text in gone)
        if thoroughly:
            assert home.store.verify() == []
        # What the killed one had not looked through any more is told.
        assert not [line for line in home.said if "that had waited" not in line]
    finally:
        home.close()


@posix
@pytest.mark.parametrize("begin", range(0, ROUNDS, ROUNDS_A_HOME))
def test_kill_9_at_any_moment_loses_nothing(tmp_path: Path, begin: int) -> None:
    path = tmp_path / "home"
    randomly = random.Random(begin)
    acknowledged = Acknowledged()
    for turn in range(begin, min(ROUNDS, begin + ROUNDS_A_HOME)):
        jobs = [JOBS[turn % len(JOBS)], *randomly.sample(JOBS, randomly.choice((0, 0, 1)))]
        children = [start(job, path, f"k{turn}{letter}") for job, letter in zip(jobs, "ab", strict=False)]
        for child, job in zip(children, jobs, strict=True):
            assert child.stdin is not None and child.stdout is not None and child.stderr is not None
            count = randomly.choice((2, 3, 4) if job == "reindex_for_ever" else (2, 3, 5, 9, 20))
            lines = [child.stdout.readline() for _ in range(count)]
            for _ in range(randomly.randrange(2_000_000)):
                pass  # somewhere in the middle of what it does next
            child.kill()
            lines += child.stdout.readlines()
            assert child.stderr.read() == ""
            acknowledged.take(lines)
            for pipe in (child.stdin, child.stdout, child.stderr):
                pipe.close()
            child.wait()
        check(path, acknowledged.some(randomly), acknowledged.gone)
    check(path, list(acknowledged.there), acknowledged.gone, thoroughly=True)
    assert len(acknowledged.there) > turn - begin


def test_four_write_while_two_recall(tmp_path: Path) -> None:
    """What one process has acknowledged, another one's next search finds."""
    path, count = tmp_path / "home", 100
    readers = [start("recall_what_is_named", path, "r") for _ in range(2)]
    writers = [start("write_some", path, f"w{number}", str(count)) for number in range(4)]
    asked = [0, 0]
    lock = threading.Lock()
    output: dict[int, list[str]] = {}

    def forward(number: int) -> None:
        stdout, reader = writers[number].stdout, readers[number % 2].stdin
        assert stdout is not None and reader is not None
        for line in stdout:
            if line.startswith("wrote "):
                with lock:
                    asked[number % 2] += 1
                    reader.write(line.removeprefix("wrote "))
                    reader.flush()

    def collect(number: int) -> None:
        stdout = readers[number].stdout
        assert stdout is not None
        output[number] = stdout.read().splitlines()

    threads = [threading.Thread(target=forward, args=(number,)) for number in range(4)]
    collecting = [threading.Thread(target=collect, args=(number,)) for number in range(2)]
    for thread in (*threads, *collecting):
        thread.start()
    for thread in threads:
        thread.join()
    for child in readers:
        assert child.stdin is not None
        child.stdin.close()
    for thread in collecting:
        thread.join()
    for child in (*readers, *writers):
        assert child.stderr is not None and child.stdout is not None
        assert (child.stderr.read(), child.wait()) == ("", 0)
        child.stderr.close()
        child.stdout.close()
    for child in writers:
        assert child.stdin is not None
        child.stdin.close()
    assert asked == [2 * count, 2 * count]
    for lines, wanted in zip((output[0], output[1]), asked, strict=True):
        assert lines == ["ready", *["found"] * wanted]
    check(path, [text_of(f"w{tag}", number) for tag in range(4) for number in range(count)], set(), thoroughly=True)


@posix
def test_a_disk_without_room_for_vectors(tmp_path: Path) -> None:
    path = tmp_path / "home"
    home = Home(path)
    texts = [text_of("full", number) for number in range(400)]
    home.write(*texts)
    home.close()
    output, errors = start("index_until_refused", path, "x", "100000").communicate()
    assert errors == ""
    ready, refused, after = output.splitlines()
    assert ready == "ready"
    assert refused.startswith("finished False, told 1: ") and "disk" in refused
    assert after == "finished True, failures 0"
    check(path, texts, set(), thoroughly=True)
