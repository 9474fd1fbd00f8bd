"""A ledger that is damaged, foreign, too new or locked: one clear error, and the file stays as it is."""

from __future__ import annotations

import contextlib
import shutil
import sqlite3
import tempfile
import threading
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from localagent.errors import LedgerTooNew, LocalAgentError, StorageError
from localagent.memory.database import Database
from localagent.memory.ledger import SqliteLedger
from localagent.memory.migrations import LATEST, MIGRATIONS, apply_next
from localagent.messages import assistant, user


@pytest.fixture
def path(tmp_path: Path) -> Path:
    folder = tmp_path / "数据 folder? #1%20"
    folder.mkdir()
    return folder / "ledger.sqlite3"


def fill(path: Path, count: int = 40) -> str:
    ledger = SqliteLedger(path)
    thread = ledger.create_thread("助手", "plan")
    for number in range(count):
        ledger.append(thread.id, user(f"question {number} " + "长 " * 200))
    ledger.close()
    return thread.id


@contextlib.contextmanager
def raw(path: Path) -> Iterator[sqlite3.Connection]:
    with contextlib.closing(sqlite3.connect(path, isolation_level=None)) as connection:
        yield connection


def use(path: Path) -> None:
    """Everything that reads, and a write."""
    ledger = SqliteLedger(path)
    try:
        for thread in ledger.threads():
            ledger.messages(thread.id, undone=True)
            ledger.export(thread.id)
        ledger.find_thread("助手", "plan")
        ledger.load("x")
        ledger.integrity()
        ledger.append(ledger.create_thread("a").id, user("x"))
    finally:
        ledger.close()


def snapshot(path: Path) -> dict[str, bytes | None]:
    return {file.name: file.read_bytes() if file.is_file() else None for file in sorted(path.parent.iterdir())}


def truncated(path: Path) -> None:
    fill(path)
    path.write_bytes(path.read_bytes()[: path.stat().st_size // 2])


def beginning_lost(path: Path) -> None:
    fill(path)
    path.write_bytes(b"\0" * 4096 + path.read_bytes()[4096:])


def empty_beside_a_log(path: Path) -> None:
    path.write_bytes(b"")
    path.with_name(path.name + "-wal").write_bytes(b"what was written last")


def missing_beside_a_log(path: Path) -> None:
    path.with_name(path.name + "-wal").write_bytes(b"what was written last")


def another_program(path: Path) -> None:
    with raw(path) as connection:
        connection.execute("CREATE TABLE bookmarks (url)")


def another_program_with_our_names(path: Path) -> None:
    with raw(path) as connection:
        connection.execute("CREATE TABLE threads (id)")
        connection.execute("PRAGMA user_version = 1")
        connection.execute("PRAGMA application_id = 77")


def table_lost(path: Path) -> None:
    fill(path)
    with raw(path) as connection:
        connection.execute("DROP TABLE calibrations")


def column_lost(path: Path) -> None:
    fill(path)
    with raw(path) as connection:
        connection.execute("ALTER TABLE messages RENAME COLUMN parts TO pieces")


def message_broken(path: Path) -> None:
    fill(path)
    with raw(path) as connection:
        connection.execute('UPDATE messages SET parts = \'[{"kind": "hologram"}]\' WHERE id = 7')


DAMAGES: list[Callable[[Path], object]] = [
    lambda path: path.write_bytes(b"garbage"),
    lambda path: path.write_bytes(b"\xff\xd8 garbage " * 10_000),
    lambda path: path.write_text("notes\n" * 1000, encoding="utf-8"),
    lambda path: path.mkdir(),
    truncated,
    beginning_lost,
    empty_beside_a_log,
    missing_beside_a_log,
    another_program,
    another_program_with_our_names,
    table_lost,
    column_lost,
    message_broken,
]


@pytest.mark.parametrize("damage", DAMAGES)
def test_what_is_damaged_is_named_and_left_alone(path: Path, damage: Callable[[Path], object]) -> None:
    damage(path)
    before = snapshot(path)
    with pytest.raises(StorageError) as caught:
        use(path)
    assert caught.value.where == str(path)
    assert "doctor" in caught.value.hint and "aside" in caught.value.hint
    after = snapshot(path)
    assert {name: after.get(name) for name in before} == before
    # moved aside as the hint says, a new one can begin
    for file in path.parent.iterdir():
        file.rename(path.parent.parent / f"{file.name}.damaged")
    use(path)


def test_an_empty_file_becomes_a_ledger(path: Path) -> None:
    path.write_bytes(b"")
    use(path)


def test_damage_in_the_middle_is_found_by_the_check(path: Path) -> None:
    fill(path)
    whole = bytearray(path.read_bytes())
    middle = len(whole) // 2 // 4096 * 4096
    whole[middle : middle + 4096] = b"\x17" * 4096
    path.write_bytes(whole)
    ledger = SqliteLedger(path)
    assert ledger.integrity() != []
    ledger.close()


@pytest.fixture(scope="module")
def sound(tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("sound") / "ledger.sqlite3"
    fill(path, 8)
    return path


# Where, from the beginning (0) to the end (1) or in the file's header, and which byte is there instead.
places = st.floats(0, 1) | st.integers(0, 100).map(lambda offset: offset / 100_000)


@given(changes=st.lists(st.tuples(places, st.integers(0, 255)), max_size=12), kept=st.just(1.0) | st.floats(0.001, 1))
@example(changes=[(0.072265625, 128)], kept=1.0)  # a schema that is not UTF-8
@example(changes=[(0.0002, 128)], kept=1.0)  # a format below zero
@settings(max_examples=100, deadline=None)
def test_no_damage_leads_to_a_foreign_error(sound: Path, changes: list[tuple[float, int]], kept: float) -> None:
    content = bytearray(sound.read_bytes())
    for place, byte in changes:
        content[min(int(place * len(content)), len(content) - 1)] = byte
    end = int(kept * len(content))
    folder = Path(tempfile.mkdtemp())
    try:
        (folder / "ledger.sqlite3").write_bytes(content[:end])
        with contextlib.suppress(StorageError):
            use(folder / "ledger.sqlite3")
    finally:
        shutil.rmtree(folder)


def test_a_ledger_of_a_newer_version_is_not_touched(path: Path) -> None:
    fill(path)
    with raw(path) as connection:
        connection.execute("CREATE TABLE dreams (text)")
        connection.execute(f"PRAGMA user_version = {LATEST + 1}")
    before = snapshot(path)
    with pytest.raises(LedgerTooNew) as caught:
        SqliteLedger(path)
    assert str(LATEST) in caught.value.message and str(LATEST + 1) in caught.value.message
    assert "Upgrade" in caught.value.hint and caught.value.where == str(path)
    assert snapshot(path) == before


def test_a_missing_folder_and_a_file_in_its_place(tmp_path: Path) -> None:
    with pytest.raises(StorageError, match="nowhere"):
        SqliteLedger(tmp_path / "nowhere" / "ledger.sqlite3")
    (tmp_path / "file").write_text("x", encoding="utf-8")
    with pytest.raises(StorageError, match="stands in its place"):
        SqliteLedger(tmp_path / "file" / "ledger.sqlite3")


def subclasses(base: type[sqlite3.Error]) -> Iterator[type[sqlite3.Error]]:
    yield base
    for derived in base.__subclasses__():
        yield from subclasses(derived)


CODES = sorted(
    {value for name, value in vars(sqlite3).items() if name.startswith("SQLITE_") and isinstance(value, int)}
)


@pytest.mark.parametrize("kind", sorted(subclasses(sqlite3.Error), key=lambda kind: kind.__name__))
def test_no_error_of_sqlite_is_unmapped(path: Path, kind: type[sqlite3.Error]) -> None:
    database = Database(path)
    try:
        for code in [None, *CODES]:
            error = kind("what SQLite says")
            if code is not None:
                error.sqlite_errorcode = code
            with pytest.raises(StorageError) as caught, database.transaction():
                raise error
            assert caught.value.where == str(path) and caught.value.hint
            assert caught.value.__cause__ is error
        assert database.problems() == []
    finally:
        database.close()


def test_a_closed_ledger_raises_only_our_errors(path: Path) -> None:
    ledger = SqliteLedger(path)
    ledger.close()
    calls: list[Callable[[], object]] = [
        lambda: ledger.create_thread("a"),
        lambda: ledger.thread("t"),
        lambda: ledger.find_thread("a", "name"),
        lambda: ledger.last_thread("a"),
        lambda: ledger.threads(),
        lambda: ledger.rename_thread("t", "n"),
        lambda: ledger.delete_thread("t"),
        lambda: ledger.append("t", user("x")),
        lambda: ledger.messages("t"),
        lambda: ledger.undo("t"),
        lambda: ledger.export("t"),
        lambda: ledger.load("k"),
        lambda: ledger.save("k", (1.0,)),
    ]
    for call in calls:
        with pytest.raises(StorageError):
            call()
    assert ledger.integrity() != []


def test_a_failed_write_changes_nothing_and_the_ledger_goes_on(path: Path) -> None:
    database = Database(path)
    try:
        with pytest.raises(LocalAgentError), database.transaction() as connection:
            connection.execute("INSERT INTO calibrations VALUES ('k', '[]')")
            raise StorageError("in the middle")
        assert database.query("SELECT * FROM calibrations") == []
        with database.transaction() as connection:
            connection.execute("INSERT INTO calibrations VALUES ('k', '[]')")
        assert len(database.query("SELECT * FROM calibrations")) == 1
    finally:
        database.close()


def test_a_lock_is_waited_for(path: Path) -> None:
    thread_id = fill(path, 1)
    ledger = SqliteLedger(path)
    failures: list[BaseException] = []
    begun = threading.Event()

    def write() -> None:
        begun.set()
        try:
            ledger.append(thread_id, assistant("after the other one"))
        except LocalAgentError as error:
            failures.append(error)

    writer = threading.Thread(target=write)
    with raw(path) as other:
        other.execute("BEGIN EXCLUSIVE")
        writer.start()
        begun.wait()
        writer.join(timeout=0.6)  # longer than SQLite's own patience
        other.execute("COMMIT")
    writer.join()
    assert failures == [] and len(ledger.messages(thread_id)) == 2
    ledger.close()


def test_a_lock_that_stays_is_one_clear_error(path: Path) -> None:
    fill(path, 1)
    database = Database(path, patience_s=0)
    with raw(path) as other:
        other.execute("BEGIN IMMEDIATE")
        with pytest.raises(StorageError, match="another program") as caught, database.transaction():
            pass
        assert "locked for 0 s" in caught.value.message and "other localagent" in caught.value.hint
        assert len(database.query("SELECT * FROM messages")) == 1  # readers do not wait
    with database.transaction():
        pass
    database.close()


def test_two_threads_share_a_ledger(path: Path) -> None:
    ledger = SqliteLedger(path)
    thread_id = ledger.create_thread("a").id
    failures: list[BaseException] = []

    def write(name: str) -> None:
        try:
            for number in range(60):
                ledger.append(thread_id, user(f"{name} {number}"))
                ledger.messages(thread_id, last=5)
        except LocalAgentError as error:
            failures.append(error)

    workers = [threading.Thread(target=write, args=(name,)) for name in ("one", "two")]
    for worker in workers:
        worker.start()
    for worker in workers:
        worker.join()
    found = [stored.message.text for stored in ledger.messages(thread_id)]
    ledger.close()
    assert failures == []
    for name in ("one", "two"):
        assert [text for text in found if text.startswith(name)] == [f"{name} {number}" for number in range(60)]


def test_a_full_disk_is_named_and_nothing_before_is_lost(path: Path) -> None:
    ledger = SqliteLedger(path)
    thread_id = ledger.create_thread("a").id
    ledger.append(thread_id, user("before"))
    pages = ledger.database.query("PRAGMA page_count")[0][0]
    ledger.database.query(f"PRAGMA max_page_count = {pages}")
    with pytest.raises(StorageError, match="full") as caught:
        ledger.append(thread_id, user("x" * 100_000))
    assert "Free some space" in caught.value.hint
    ledger.database.query("PRAGMA max_page_count = 1000000")
    ledger.append(thread_id, user("after"))
    assert [stored.message.text for stored in ledger.messages(thread_id)] == ["before", "after"]
    ledger.close()


def test_a_step_that_fails_leaves_the_schema_as_it_was(path: Path) -> None:
    fill(path, 1)
    steps = (*MIGRATIONS, ("CREATE TABLE dreams (text)", "this is no SQL"))
    database = Database(path)
    with pytest.raises(StorageError), database.transaction() as connection:
        apply_next(connection, steps)
    assert database.query("PRAGMA user_version") == [(LATEST,)]
    assert database.query("SELECT name FROM sqlite_master WHERE name = 'dreams'") == []
    database.close()
