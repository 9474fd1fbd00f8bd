"""Real processes on one home's vectors: crowded, and killed at random points.

LOCALAGENT_KILL_ROUNDS sets how many are killed; 200 take a quarter of an hour.
"""

from __future__ import annotations

import os
import random
import sys
from itertools import cycle
from pathlib import Path

import pytest
from index_subjects import TENANT, Home, start, vector_of, vectors_of

from localagent.memory import vectors as vectors_module
from localagent.memory.owner import Ownership
from localagent.memory.vectors import VectorStore

ROUNDS = int(os.environ.get("LOCALAGENT_KILL_ROUNDS", "3"))
posix = pytest.mark.skipif(sys.platform == "win32", reason="signals of POSIX")


@pytest.fixture(autouse=True)
def _always_ask_the_index(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(vectors_module, "EXACT_UP_TO", 0)


def open_store(home: Home, index: Path | None, said: list[str] | None = None) -> VectorStore:
    say = (said if said is not None else []).append
    return VectorStore(home.database, TENANT, home.embedder, folder=index, server=None, say=say)


def first_of(store: VectorStore, number: int) -> int:
    hits = store.query(vector_of(number), 1)
    return hits[0].row if hits else 0


def test_four_write_and_two_search(tmp_path: Path) -> None:
    path, index = tmp_path / "ledger.sqlite3", tmp_path / "index"
    home = Home.make(path)
    writers = [start("write_some", path, index, 1000 * number, 100) for number in range(1, 5)]
    searchers = [start("answer", path, index) for _ in range(2)]
    own_store = open_store(home, index)
    turns = cycle(searchers)
    written: set[int] = set()
    open_writers = list(writers)
    while open_writers:
        for writer in list(open_writers):
            assert writer.stdout is not None
            line = writer.stdout.readline()
            if not line:
                open_writers.remove(writer)
                continue
            # Committed by that process a moment ago: every other one sees it.
            written.add(int(line))
            searcher = next(turns)
            assert searcher.stdin is not None and searcher.stdout is not None
            searcher.stdin.write(line)
            searcher.stdin.flush()
            assert searcher.stdout.readline() == "found\n"
            assert first_of(own_store, int(line)) == int(line)
    for child in (*writers, *searchers):
        assert (*child.communicate(), child.returncode) == ("", "", 0)
    assert len(written) == 400
    while own_store.sync():
        pass
    assert own_store.pending() == 0 and own_store.verify() == []
    assert own_store._opened is not None and own_store._opened.index.count() == 400
    for row in written:
        assert first_of(own_store, row) == row
    own_store.close()
    home.close()


def test_one_process_owns_the_index_until_it_ends(tmp_path: Path) -> None:
    path, index = tmp_path / "ledger.sqlite3", tmp_path / "index"
    home = Home.make(path)
    home.add(range(1, 51))
    store = open_store(home, index)
    store.store(list(range(1, 51)), vectors_of(range(1, 51)))
    owner = start("own", path, index)
    assert owner.stdout is not None
    assert owner.stdout.readline() == "50\n"
    home.add([51])
    store.store([51], vectors_of([51]))
    assert store.sync() == 0 and store.verify() == [] and store.pending() == 1
    assert first_of(store, 51) == 51 and first_of(store, 9) == 9
    owner.kill()
    owner.communicate()
    assert store.sync() == 1 and store.pending() == 0 and store.verify() == []
    store.close()
    home.close()


def test_a_lock_is_given_back_and_never_waited_for(tmp_path: Path) -> None:
    first, second = Ownership(tmp_path / "a" / "lock"), Ownership(tmp_path / "a" / "lock")
    assert first.take() and first.take() and not second.take()
    first.give_back()
    first.give_back()
    assert second.take() and not first.take()
    (tmp_path / "a" / "lock").unlink()  # by somebody who cleans up
    assert first.take() and not second.take()
    first.give_back()


@posix
def test_the_lock_is_kept_while_a_child_looks_into_the_folder(tmp_path: Path) -> None:
    """Also when the process that sent it is killed: two in one folder lose each other's vectors."""
    parent = start("look_for_ever", tmp_path / "lock", tmp_path)
    assert parent.stdout is not None and parent.stdin is not None
    assert parent.stdout.readline() == "looking\n"
    parent.kill()
    parent.wait()
    lock = Ownership(tmp_path / "lock")
    assert not lock.take()
    parent.communicate()  # the child ends, and with it the output
    assert lock.take()
    lock.give_back()


@posix
def test_kill_9_at_random_points(tmp_path: Path) -> None:
    """Nothing that was acknowledged is lost, what was removed stays so, and the index repairs itself."""
    path, index = tmp_path / "ledger.sqlite3", tmp_path / "index"
    home = Home.make(path)
    there: set[int] = set()
    unsure: set[int] = set()
    gone: set[int] = set()
    for turn in range(ROUNDS):
        randomly = random.Random(turn)
        with start("churn_for_ever", path, index, 100_000 * (turn + 1), turn) as child:
            assert child.stdout is not None and child.stderr is not None
            lines = [child.stdout.readline() for _ in range(randomly.choice((1, 2, 30, 100, 300, 800)))]
            for _ in range(randomly.randrange(300_000)):
                pass  # somewhere in the middle of what it does next
            child.kill()
            lines += child.stdout.readlines()
            errors = child.stderr.read()
        assert errors == "", errors
        for line in lines:
            if line.startswith("+"):
                there.add(int(line[1:]))
            elif line.startswith("?"):
                there.discard(int(line[1:]))
                unsure.add(int(line[1:]))
            elif line.startswith("-"):
                unsure.discard(int(line[1:]))
                gone.add(int(line[1:]))
        exact = open_store(home, None)
        found = {hit.row for hit in exact.query(vector_of(1), 1_000_000)}
        assert there <= found and not gone & found
        exact.close()
        if turn % 4 == 3:
            check(home, index, there, unsure)
            home.remove(list(there))  # so that later rounds have not all of it to look at
            there.clear()
    check(home, index, there, unsure)
    home.close()


def check(home: Home, index: Path, there: set[int], unsure: set[int]) -> None:
    store = open_store(home, index)
    while store.pending() or store.sync():
        store.sync()  # in vain as long as a child that looks into the folder outlives the process that was killed
    assert store.verify() == []
    stored = {int(str(row)) for (row,) in home.database.query("SELECT row FROM vectors")}
    assert store._opened is not None and store._opened.index.count() == len(stored)
    assert there <= stored
    for row in stored:
        assert first_of(store, row) == row
    # What was neither acknowledged nor removed: the last batch of a process that was killed.
    home.remove(list(stored - there))
    assert not unsure & {hit.row for hit in store.query(vector_of(1), 1_000_000)}
    store.close()
