"""Real processes that compress one thread: killed in the middle, and several at once."""

from __future__ import annotations

import os
import random
import subprocess
import sys
from collections.abc import Sequence
from itertools import pairwise
from pathlib import Path

import pytest
from compressing import addresses

from localagent.memory.ledger import SqliteLedger
from localagent.memory.summaries import SqliteSummaries

CHILD = Path(__file__).with_name("compression_child.py")
ROOT = CHILD.parent.parent.parent
posix = pytest.mark.skipif(sys.platform == "win32", reason="signals of POSIX")


def start(folder: Path, thread_id: str, first: int, last: int) -> subprocess.Popen[str]:
    return subprocess.Popen(
        [sys.executable, str(CHILD), str(folder), thread_id, str(first), str(last)],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        encoding="utf-8",
        env={**os.environ, "PYTHONPATH": os.pathsep.join((str(ROOT), str(CHILD.parent))), "PYTHONUTF8": "1"},
    )


@pytest.fixture
def thread_id(tmp_path: Path) -> str:
    ledger = SqliteLedger(tmp_path / "ledger.sqlite3")
    try:
        return ledger.create_thread("a").id
    finally:
        ledger.close()


def whole(folder: Path, thread_id: str, said: Sequence[int]) -> int:
    """Nothing is lost between the summary and the ring, and no version overlaps another; how many there are."""
    ledger = SqliteLedger(folder / "ledger.sqlite3")
    try:
        assert ledger.integrity() == []
        summaries = SqliteSummaries(ledger.database)
        versions = summaries.versions(thread_id)[::-1]
        assert [one.version for one in versions] == list(range(1, len(versions) + 1))
        for earlier, later in pairwise(versions):
            assert later.covers_from > earlier.covers_to and later.messages > earlier.messages
        current = summaries.current(thread_id)
        ring = ledger.messages(thread_id, after=current.covers_to if current else 0)
        stored = ledger.messages(thread_id)
        assert len(stored) == len(ring) + (current.messages if current else 0)
        shown = addresses("\n".join(item.text for item in current.items) if current else "")
        shown |= addresses("\n".join(one.message.text for one in ring))
        assert shown >= {f"10.0.0.{number}" for number in said}
        return len(versions)
    finally:
        ledger.close()


@posix
def test_kill_9_at_any_moment_loses_nothing_and_leaves_no_half_summary(tmp_path: Path, thread_id: str) -> None:
    randomly = random.Random(4)
    said: list[int] = []
    number = versions = 0
    for _ in range(6):
        with start(tmp_path, thread_id, number, number + 1000) as child:
            assert child.stdout is not None and child.stderr is not None
            lines = [child.stdout.readline() for _ in range(randomly.randrange(1, 14))]
            for _ in range(randomly.randrange(60_000)):
                pass  # somewhere in the middle of the next turn
            child.kill()
            lines += child.stdout.readlines()
            assert child.stderr.read() == ""
        answered = [int(line) for line in lines if line.strip().isdigit()]
        said += answered
        number = (answered[-1] if answered else number) + 2  # of the one after it, nobody knows
        versions = whole(tmp_path, thread_id, said)
    assert versions > 3 and len(said) > 10


def test_processes_that_talk_in_one_thread_compress_it_together(tmp_path: Path, thread_id: str) -> None:
    children = [start(tmp_path, thread_id, first, first + 15) for first in (0, 100)]
    for child in children:
        out, err = child.communicate(timeout=120)
        assert err == "" and child.returncode == 0, err
        assert len(out.splitlines()) == 16
    assert whole(tmp_path, thread_id, [*range(15), *range(100, 115)]) > 2
