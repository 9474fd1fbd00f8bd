"""The vectors of a home: in the ledger for good, in an index to be found fast."""

from __future__ import annotations

import json
import tempfile
import threading
from collections.abc import Callable, Iterator
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from index_subjects import DIMENSION, OTHER_FINGERPRINT, TENANT, Home, chroma_server, vector_of, vectors_of

from localagent.errors import EmbeddingFailed, FingerprintMismatch
from localagent.memory import vectors as vectors_module
from localagent.memory.chroma import ChromaIndex, ChromaServer
from localagent.memory.embedders import EmbedderTable
from localagent.memory.filters import accepts, parse_filter
from localagent.memory.vectors import VectorStore

Open = Callable[..., VectorStore]


@pytest.fixture(scope="module")
def server() -> Iterator[ChromaServer]:
    with tempfile.TemporaryDirectory() as folder, chroma_server(Path(folder)) as running:
        yield running


@pytest.fixture
def home(tmp_path: Path) -> Iterator[Home]:
    made = Home.make(tmp_path / "ledger.sqlite3")
    yield made
    made.close()


@pytest.fixture
def said() -> list[str]:
    return []


@pytest.fixture(params=["none", "folder"])
def kind(request: pytest.FixtureRequest) -> str:
    """Where the index is."""
    return str(request.param)


@pytest.fixture(params=["none", "folder", "server"])
def any_kind(request: pytest.FixtureRequest) -> str:
    return str(request.param)


@pytest.fixture
def open_store(request: pytest.FixtureRequest, tmp_path: Path, said: list[str]) -> Iterator[Open]:
    """Opens stores that ask the index also where there are few vectors, and closes them."""
    opened = []
    patch = request.getfixturevalue("monkeypatch")
    patch.setattr(vectors_module, "EXACT_UP_TO", 0)

    def made(home: Home, kind: str = "folder", tenant: str = "") -> VectorStore:
        running = request.getfixturevalue("server") if kind == "server" else None
        folder = tmp_path / "index" if kind == "folder" else None
        # Each test has a tenant of its own on the server that they share.
        opened.append(
            VectorStore(
                home.database,
                tenant or tenant_of(tmp_path),
                home.embedder,
                folder=folder,
                server=running,
                say=said.append,
            )
        )
        return opened[-1]

    yield made
    for store in opened:
        store.close()
        store.close()


def tenant_of(tmp_path: Path) -> str:
    return str(tmp_path)


def fill(home: Home, store: VectorStore, rows: list[int], tmp_path: Path, **labels: object) -> None:
    home.add(rows, tenant=tenant_of(tmp_path), **labels)
    store.store(rows, vectors_of(rows))


def rows_of(store: VectorStore, number: int, limit: int = 3, where: object = None) -> list[int]:
    condition = parse_filter(where) if where else None  # type: ignore[arg-type]
    return [hit.row for hit in store.query(vector_of(number), limit, condition)]


def test_what_is_stored_is_found_at_once_and_after_sync(
    home: Home, open_store: Open, any_kind: str, tmp_path: Path, said: list[str]
) -> None:
    store = open_store(home, any_kind)
    home.add(range(1, 301), tenant=tenant_of(tmp_path))
    assert store.missing(1000) == list(range(1, 301)) and store.missing(7) == list(range(1, 8))
    assert store.query(vector_of(1), 5) == []
    store.store(list(range(1, 301)), vectors_of(range(1, 301)))
    assert store.missing(1000) == []
    assert rows_of(store, 17, 1) == [17]
    if any_kind == "none":
        assert (store.pending(), store.sync()) == (0, 0)
        return
    assert store.pending() == 300
    assert store.sync(130) == 130 and store.pending() == 170
    before = store.query(vector_of(250), 20)
    assert store.sync() == 170 and store.pending() == 0 and store.sync() == 0
    after = store.query(vector_of(250), 20)
    assert [hit.row for hit in before] == [hit.row for hit in after] and after[0].row == 250
    assert [hit.cosine for hit in after] == pytest.approx([hit.cosine for hit in before], abs=1e-3)
    assert store.verify() == [] and said == []


def test_what_is_removed_is_gone_at_once(home: Home, open_store: Open, any_kind: str, tmp_path: Path) -> None:
    store = open_store(home, any_kind)
    fill(home, store, list(range(1, 201)), tmp_path)
    store.sync()
    home.remove(range(1, 150))
    assert set(rows_of(store, 7, 100)) == set(range(150, 201))
    store.sync()
    assert home.database.query("SELECT count(*) FROM removed_keys")[0][0] == (149 if any_kind == "none" else 0)
    assert set(rows_of(store, 7, 100)) == set(range(150, 201)) and store.verify() == []
    home.add([7], tenant=tenant_of(tmp_path))
    assert 7 not in rows_of(store, 7, 100) and store.missing(5) == [7]
    store.store([7], vectors_of([7]))
    store.sync()
    assert rows_of(store, 7, 1) == [7] and store.verify() == []


def test_a_vector_that_is_stored_again_takes_the_place_of_the_old(
    home: Home, open_store: Open, kind: str, tmp_path: Path
) -> None:
    store = open_store(home, kind)
    fill(home, store, [1, 2, 3], tmp_path)
    store.sync()
    store.store([2], vectors_of([99]))
    for _ in range(2):
        assert store.query(vector_of(99), 1)[0].row == 2
        assert store.query(vector_of(99), 1)[0].cosine == pytest.approx(1.0, abs=1e-3)
        assert store.query(vector_of(2), 1)[0].cosine < 0.999
        store.sync()


def test_exact_cosines(home: Home, open_store: Open, kind: str, tmp_path: Path) -> None:
    store = open_store(home, kind)
    fill(home, store, [1, 2, 3], tmp_path)
    store.query(vector_of(5), 1)
    found = store.cosines(vector_of(5), [3, 1, 77])
    expected = {row: float(vector_of(row) @ vector_of(5)) for row in (3, 1)}
    assert found == pytest.approx(expected, abs=1e-3)
    assert store.cosines(vector_of(5), []) == {}


def test_rows_that_are_gone_or_changed_are_skipped(home: Home, open_store: Open, tmp_path: Path) -> None:
    store = open_store(home, "none")
    home.add([1, 2, 3], tenant=tenant_of(tmp_path))
    assert store.missing(5) == [1, 2, 3]
    home.remove([1])
    with home.database.transaction() as connection:
        connection.execute("UPDATE passages SET text = 'other words' WHERE row = 2")
    store.store([1, 2, 3], vectors_of([1, 2, 3]))
    assert rows_of(store, 1, 5) == [3] and store.missing(5) == [2]
    store.store([2], vectors_of([2]))
    assert rows_of(store, 2, 1) == [2]


@pytest.mark.parametrize("what", ["dimension", "nan", "zero", "count", "flat"])
def test_what_is_no_vector_is_refused(home: Home, open_store: Open, tmp_path: Path, what: str) -> None:
    store = open_store(home, "none")
    home.add([1, 2], tenant=tenant_of(tmp_path))
    bad = vectors_of([1, 2])
    given = {
        "dimension": vectors_of([1, 2], DIMENSION + 1),
        "nan": np.where(np.arange(DIMENSION) == 3, np.float32("nan"), bad),
        "zero": bad * np.array([[0.0], [1.0]], np.float32),
        "count": vectors_of([1]),
        "flat": bad[0],
    }[what]
    with pytest.raises(EmbeddingFailed, match="words"):
        store.store([1, 2], given)
    assert store.missing(5) == [1, 2] and store.query(vector_of(1), 5) == []
    store.store([1, 2], 7 * bad)  # length does not matter
    assert store.query(vector_of(1), 1)[0].cosine == pytest.approx(1.0, abs=1e-3)


def test_failures_wait_for_their_time(home: Home, open_store: Open, tmp_path: Path) -> None:
    store = open_store(home, "none")
    home.add([1, 2, 3, 4], tenant=tenant_of(tmp_path))
    with home.database.transaction() as connection:
        connection.executemany(
            "INSERT INTO failures (embedder_id, row, attempts, next_at, error) VALUES (?, ?, ?, ?, 'x')",
            [(home.embedder.id, 1, 1, 0.0), (home.embedder.id, 2, 1, 9e12), (home.embedder.id, 3, 3, 9e12)],
        )
    assert store.missing(9) == [1, 4]
    with home.database.transaction() as connection:
        connection.execute("DELETE FROM failures")
    assert store.missing(9) == [1, 2, 3, 4]


def test_missing_looks_beyond_what_has_a_vector(
    home: Home, open_store: Open, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("localagent.memory.vectors_rows._WINDOW", 10)
    store = open_store(home, "none")
    fill(home, store, list(range(1, 95)), tmp_path)
    home.add([95, 96, 5 << 24], tenant=tenant_of(tmp_path))
    home.add([200], tenant="other")
    assert store.missing(2) == [95, 96] and store.missing(9) == [95, 96, 5 << 24]
    store.store([95, 96, 5 << 24], vectors_of([1, 2, 3]))
    assert store.missing(9) == [] and store.missing(9) == []
    home.add([97], tenant=tenant_of(tmp_path))
    assert store.missing(9) == [97]


@pytest.mark.parametrize("selective", [True, False])
def test_filters(
    home: Home, open_store: Open, kind: str, tmp_path: Path, selective: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    if not selective:  # so that the index is asked for more
        monkeypatch.setattr(vectors_module, "EXACT_FILTERED", 0)
    store = open_store(home, kind)
    fill(home, store, list(range(1, 101)), tmp_path, speaker="小明", kind="fact")
    fill(home, store, list(range(101, 201)), tmp_path, speaker="", kind="todo")
    store.sync(150)
    for where in ({"speaker": "小明"}, {"said_at": {"$lt": 120}}, {"kind": {"$nin": ["fact"]}}, {"kind": "no such"}):
        condition = parse_filter(where)  # type: ignore[arg-type]
        assert condition is not None
        passing = [
            row
            for row in range(1, 201)
            if accepts(
                condition,
                {"speaker": "小明" if row < 101 else "", "said_at": row, "kind": "fact" if row < 101 else "todo"},
            )
        ]
        expected = sorted(passing, key=lambda row: -float(vector_of(row) @ vector_of(3)))
        assert rows_of(store, 3, 10, where) == expected[:10], where
        assert set(rows_of(store, 3, 300, where)) == set(passing), where


def test_labels_that_change_are_seen(home: Home, open_store: Open, kind: str, tmp_path: Path) -> None:
    store = open_store(home, kind)
    fill(home, store, [1, 2, 3], tmp_path)
    store.sync()
    assert rows_of(store, 1, 5, {"kind": "todo"}) == []
    with home.database.transaction() as connection:
        connection.execute("UPDATE passages SET kind = 'todo' WHERE row = 2")
        connection.execute("UPDATE vectors SET generation = 0 WHERE row = 2")
    assert rows_of(store, 1, 5, {"kind": "todo"}) == [2]
    if kind != "none":
        assert store.pending() == 1
    store.sync()
    assert rows_of(store, 1, 5, {"kind": "todo"}) == [2] and set(rows_of(store, 1, 5)) == {1, 2, 3}


def test_tenants_do_not_see_each_other(home: Home, open_store: Open, any_kind: str, tmp_path: Path) -> None:
    first, second = open_store(home, any_kind), open_store(home, any_kind, tenant=f"{tenant_of(tmp_path)} 助手")
    fill(home, first, [1, 2, 3], tmp_path)
    home.add([4, 5], tenant=f"{tenant_of(tmp_path)} 助手")
    second.store([4, 5, 1], vectors_of([4, 5, 6]))  # 1 is not its own
    first.sync()
    first.close()
    second.sync()
    assert set(rows_of(first, 4, 9)) == {1, 2, 3} and set(rows_of(second, 1, 9)) == {4, 5}
    assert first.query(vector_of(1), 1)[0].cosine == pytest.approx(1.0, abs=1e-3)
    first.store([3], vectors_of([9]))
    first.sync()
    assert rows_of(first, 9, 1) == [3] and rows_of(second, 5, 1) == [5]


def test_another_process_store_is_seen_without_a_sync(
    home: Home, open_store: Open, any_kind: str, tmp_path: Path
) -> None:
    """Two stores on one home, as two processes have them; one alone owns the folder."""
    other = Home(home.path, Home.make(home.path).database, home.embedder)
    mine, theirs = open_store(home, any_kind), open_store(other, any_kind)
    fill(home, mine, list(range(1, 60)), tmp_path)
    mine.sync()
    assert rows_of(theirs, 30, 1) == [30]
    fill(other, theirs, list(range(60, 90)), tmp_path)
    if any_kind == "folder":
        assert theirs.sync() == 0
    assert rows_of(mine, 75, 1) == [75] and rows_of(theirs, 75, 1) == [75]
    other.remove([30, 75])
    assert rows_of(mine, 75, 1) != [75] and rows_of(theirs, 30, 1) != [30]
    mine.sync()
    mine.close()
    theirs.sync()
    assert theirs.pending() == 0 and theirs.verify() == []
    assert len(rows_of(theirs, 1, 200)) == 87
    theirs.close()
    other.close()


def test_rebuilding_needs_no_embedding(
    home: Home, open_store: Open, any_kind: str, tmp_path: Path, said: list[str]
) -> None:
    if any_kind == "none":
        return
    store = open_store(home, any_kind)
    fill(home, store, list(range(1, 121)), tmp_path)
    store.sync()
    store.rebuild()
    assert store.pending() == 120 and rows_of(store, 40, 1) == [40]
    assert store.sync(50) == 50 and rows_of(store, 40, 1) == [40] and rows_of(store, 119, 1) == [119]
    store.sync()
    assert store.pending() == 0 and store.verify() == [] and rows_of(store, 40, 1) == [40]
    if any_kind == "folder":
        assert [path.name.rpartition("-")[2] for path in (tmp_path / "index").glob("*-*")] == ["2"]


def test_a_rebuild_by_another_process_is_noticed(home: Home, open_store: Open, tmp_path: Path) -> None:
    other = Home(home.path, Home.make(home.path).database, home.embedder)
    owner, asking = open_store(home), open_store(other)
    fill(home, owner, list(range(1, 50)), tmp_path)
    owner.sync()
    asking.rebuild()
    assert owner.pending() == 49 and rows_of(owner, 7, 1) == [7]
    assert owner.sync() == 49 and owner.verify() == [] and rows_of(owner, 7, 1) == [7]
    other.close()


def test_what_the_index_lost_is_told_and_put_back(home: Home, open_store: Open, any_kind: str, tmp_path: Path) -> None:
    if any_kind == "none":
        return
    store = open_store(home, any_kind)
    fill(home, store, list(range(1, 31)), tmp_path)
    store.sync()
    opened = store._opened
    assert opened is not None
    opened.index.delete([f"{home.id}.7.0", f"{home.id}.8.0"])
    assert sorted(store.verify()) == [f"{home.id}.7.0", f"{home.id}.8.0"]
    store.close()
    store.sync()  # finds out when it opens the index again
    assert store.verify() == [] and store.pending() == 0


def test_the_same_text_many_times_is_found(home: Home, open_store: Open, tmp_path: Path) -> None:
    store = open_store(home)
    home.add(range(1, 251), tenant=tenant_of(tmp_path))
    store.store(list(range(1, 251)), vectors_of([1] * 250))
    store.sync()
    assert store.verify() == [] and len(rows_of(store, 1, 250)) == 250


def test_a_damaged_vector_is_made_anew(home: Home, open_store: Open, tmp_path: Path) -> None:
    store = open_store(home)
    fill(home, store, [1, 2, 3], tmp_path)
    with home.database.transaction() as connection:
        connection.execute("UPDATE vectors SET vector = x'00' WHERE row = 2")
    assert set(rows_of(store, 1, 5)) == {1, 3} and store.missing(5) == [2]
    store.sync()
    assert store.pending() == 0


def test_passages_of_other_homes_come_with_their_text(
    home: Home, open_store: Open, tmp_path: Path, said: list[str]
) -> None:
    other = Home.make(tmp_path / "other.sqlite3")
    mine, theirs = open_store(home, "server"), open_store(other, "server")
    fill(home, mine, [1, 2, 3], tmp_path)
    fill(other, theirs, [3, 4, 5], tmp_path, speaker="小明")
    theirs.sync()
    mine.sync()
    hits = mine.query(vector_of(4), 9)
    assert hits[0].row == -1 and hits[0].cosine == pytest.approx(1.0, abs=1e-3)
    assert hits[0].hit is not None and hits[0].hit.text == "text 4" and hits[0].hit.metadata["speaker"] == "小明"
    assert hits[0].hit.key == f"{other.id}.4.0" and hits[0].hit.metadata["session"] == "s"
    assert sorted(hit.row for hit in hits) == [-1, -1, -1, 1, 2, 3]
    assert [hit.cosine for hit in hits] == sorted((hit.cosine for hit in hits), reverse=True)
    where = parse_filter({"speaker": "小明"})
    assert {hit.row for hit in mine.query(vector_of(4), 9, where)} == {-1}
    other.remove([4])
    theirs.sync()
    assert all(hit.hit is None or hit.hit.text != "text 4" for hit in mine.query(vector_of(4), 9))
    mine.rebuild()
    mine.sync()
    assert len(mine.query(vector_of(4), 9)) == 5, "rebuilding takes nothing from others"
    assert mine.verify() == [] and said == []
    theirs.close()
    other.close()


def test_entries_of_other_homes_that_ended_are_not_found(home: Home, open_store: Open, tmp_path: Path) -> None:
    other = Home.make(tmp_path / "other.sqlite3")
    mine, theirs = open_store(home, "server"), open_store(other, "server")
    with other.database.transaction() as connection:
        connection.execute(
            "INSERT INTO memories (id, tenant, kind, text, digest, origin, scope, subject, importance, decay_rate, "
            "created_at, valid_from, accessed_at) "
            "VALUES ('m1', ?, 'fact', 'x', 'x', 'user', 'all', 'user', 0.6, 0, 0, 0, 0)",
            (tenant_of(tmp_path),),
        )
    other.add([1], tenant=tenant_of(tmp_path), memory_id="m1", kind="fact")
    theirs.store([1], vectors_of([1]))
    theirs.sync()
    (hit,) = mine.query(vector_of(1), 9)
    assert hit.hit is not None and hit.hit.metadata["memory_id"] == "m1" and hit.hit.metadata["importance"] == 0.6
    with other.database.transaction() as connection:
        connection.execute("UPDATE memories SET state = 'superseded'")
    assert theirs.pending() == 1
    theirs.sync()
    assert mine.query(vector_of(1), 9) == []
    theirs.close()
    other.close()


def test_a_new_embedder_takes_its_homes_collection_over(home: Home, open_store: Open, tmp_path: Path) -> None:
    old = open_store(home, "server")
    fill(home, old, [1, 2], tmp_path)
    old.sync()
    table = EmbedderTable(home.database)
    new = Home(home.path, home.database, table.add(OTHER_FINGERPRINT))
    store = open_store(new, "server")
    store.store([1, 2], vectors_of([11, 12]))
    with pytest.raises(FingerprintMismatch, match="words"):
        store.sync()  # the old one is still in use
    assert rows_of(store, 12, 1) == [2], "the ledger is searched meanwhile"
    table.activate(new.embedder.id)
    assert store.sync() == 2 and store.verify() == []
    assert rows_of(old, 2, 1) == [2], "the old one too, until it is closed"


def test_recall_waits_for_one_small_batch_at_most(home: Home, open_store: Open, tmp_path: Path) -> None:
    """Searches go on between the batches of a long sync, and each sees the same."""
    store = open_store(home)
    rows = list(range(1, 601))
    fill(home, store, rows, tmp_path)
    store.sync(1)
    syncing = threading.Thread(target=store.sync, args=(len(rows),))
    syncing.start()
    during, found = 0, 0
    while syncing.is_alive():
        found += rows_of(store, 400, 1) == [400]
        during += 1
    syncing.join()
    assert found == during and during > 1
    assert store.pending() == 0 and store.verify() == []


def test_threads_may_share_it(home: Home, open_store: Open, any_kind: str, tmp_path: Path) -> None:
    store = open_store(home, any_kind)
    errors: list[BaseException] = []

    def work(first: int) -> None:
        try:
            for start in range(first, first + 60, 10):
                rows = list(range(start, start + 10))
                fill(home, store, rows, tmp_path)
                assert rows_of(store, start, 1) == [start]
                store.sync()
                home.remove([start])
                assert rows_of(store, start, 1) != [start]
        except BaseException as error:
            errors.append(error)

    threads = [threading.Thread(target=work, args=(first,)) for first in (1000, 2000, 3000)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert errors == []
    store.sync()
    assert len(rows_of(store, 1, 500)) == 162 and store.verify() == []


_ROWS = st.lists(st.integers(1, 40), max_size=12, unique=True)
_STEPS = st.lists(
    st.tuples(st.sampled_from(["store", "again", "remove", "sync", "reopen", "rebuild"]), _ROWS), max_size=12
)


@settings(max_examples=12, deadline=None)
@given(steps=_STEPS, limit=st.integers(1, 30))
def test_a_search_sees_what_the_ledger_has_whatever_happened(steps: list[tuple[str, list[int]]], limit: int) -> None:
    with tempfile.TemporaryDirectory() as folder, pytest.MonkeyPatch.context() as patch:
        patch.setattr(vectors_module, "EXACT_UP_TO", 0)
        home = Home.make(Path(folder) / "ledger.sqlite3")

        def opened() -> VectorStore:
            return VectorStore(
                home.database, TENANT, home.embedder, folder=Path(folder) / "index", server=None, say=lambda line: None
            )

        store, model = opened(), dict[int, int]()
        for step, rows in steps:
            if step == "store":
                home.add([row for row in rows if row not in model])
                store.store(rows, vectors_of(rows) if rows else np.zeros((0, DIMENSION), np.float32))
                model.update({row: row for row in rows})
            elif step == "again" and (there := [row for row in rows if row in model]):
                store.store(there, vectors_of([row + 100 for row in there]))
                model.update({row: row + 100 for row in there})
            elif step == "remove":
                home.remove(rows)
                model = {row: number for row, number in model.items() if row not in rows}
            elif step == "sync":
                store.sync(len(rows) + 1)
            elif step == "reopen":
                store.close()
                store = opened()
            elif step == "rebuild":
                store.rebuild()
            nearest = sorted(model, key=lambda row: -float(vector_of(model[row]) @ vector_of(3)))
            assert [hit.row for hit in store.query(vector_of(3), limit)] == nearest[:limit]
        while store.sync():
            pass
        assert store.verify() == [] and store.pending() == 0
        opened_index = store._opened
        assert opened_index is None or opened_index.index.count() == len(model)
        store.close()
        home.close()


_CHANGES = st.lists(
    st.tuples(
        st.sampled_from(["store", "again", "other words", "another speaker", "remove", "lose", "look"]),
        st.lists(st.integers(1, 12), max_size=4, unique=True),
    ),
    max_size=14,
)


@settings(max_examples=40, deadline=None)
@given(steps=_CHANGES)
def test_what_is_known_of_passages_is_what_the_ledger_says(steps: list[tuple[str, list[int]]]) -> None:
    """In two programs, of which one looks now and then; "lose": the ledger remembers the last removal alone."""
    with tempfile.TemporaryDirectory() as folder:
        home = Home.make(Path(folder) / "ledger.sqlite3")
        often, seldom = (
            VectorStore(home.database, TENANT, home.embedder, folder=None, server=None, say=lambda line: None)
            for _ in range(2)
        )
        where = parse_filter({"speaker": {"$ne": "小明"}, "said_at": {"$lt": 9}})
        assert where is not None

        def agrees(store: VectorStore) -> None:
            found = home.database.query("SELECT p.row, p.speaker FROM passages p JOIN vectors v ON v.row = p.row")
            expected = {row: (row, who) if who != "小明" and row < 9 else None for row, who in found}  # type: ignore[operator]
            assert {hit.row for hit in store.query(vector_of(1), 20)} == set(expected)
            known = store.known(range(20), where)
            assert {row: one and (one.row, one.speaker) for row, one in known.items()} == expected

        there = set[int]()
        for step, rows in [*steps, ("look", [])]:
            some = json.dumps(rows)
            if step in ("store", "again"):
                home.add([row for row in rows if row not in there])
                store = often if step == "store" else seldom
                store.store(rows, vectors_of(rows) if rows else np.zeros((0, DIMENSION), np.float32))
                there |= set(rows)
            elif step == "remove":
                home.remove(rows)
                there -= set(rows)
            elif step == "look":
                agrees(seldom)
            with home.database.transaction() as connection:
                among = "WHERE row IN (SELECT value FROM json_each(?))"
                if step == "other words":
                    connection.execute(f"DELETE FROM vectors {among}", (some,))
                elif step == "another speaker":
                    connection.execute(f"UPDATE passages SET speaker = '小明' {among}", (some,))
                    connection.execute(f"UPDATE vectors SET generation = 0 {among}", (some,))
                elif step == "lose":
                    connection.execute("DELETE FROM removed_vectors WHERE id < (SELECT max(id) FROM removed_vectors)")
            agrees(often)
        home.close()


def test_the_last_ten_thousand_removals_are_remembered(home: Home, open_store: Open, tmp_path: Path) -> None:
    store = open_store(home, "none")
    fill(home, store, [1, 2, 3], tmp_path)
    assert len(store.query(vector_of(1), 9)) == 3
    with home.database.transaction() as connection:
        connection.execute("INSERT INTO removed_vectors VALUES (20000, 1, 77, 1)")
        connection.execute("INSERT INTO removed_vectors VALUES (20001, 1, 78, 2)")
    home.remove([2])
    assert rows_of(store, 2, 9) == sorted([1, 3], key=lambda row: -float(vector_of(row) @ vector_of(2)))
    with home.database.transaction() as connection:
        connection.execute("UPDATE sqlite_sequence SET seq = 30000 WHERE name = 'removed_vectors'")
    home.remove([3])
    assert home.database.query("SELECT id, row FROM removed_vectors ORDER BY id") == [
        (20002, 2),
        (30001, 3),
    ]
    assert rows_of(store, 2, 9) == [1]


def test_an_index_is_a_chroma_index(home: Home, open_store: Open, tmp_path: Path) -> None:
    """Another program finds the texts and what is known of them."""
    store = open_store(home)
    fill(home, store, [1], tmp_path, speaker="小明")
    store.sync()
    store.close()
    (folder,) = (path for path in (tmp_path / "index").iterdir() if path.is_dir())
    index = ChromaIndex.in_folder(folder, tenant_of(tmp_path), home.embedder.fingerprint)
    (hit,) = index.query(vector_of(1), 5, full=True)
    index.close()
    assert hit.text == "text 1"
    assert dict(hit.metadata) == {
        "home": home.id, "session": "s", "part": 0, "memory_id": "", "importance": 0.0, "state": "active",
        "source": "message", "kind": "message", "origin": "user", "scope": "agent", "agent": "a", "thread_id": "t",
        "speaker": "小明", "said_at": 1.0,
    }  # fmt: skip
