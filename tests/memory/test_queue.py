"""The queue: what waits, what failed, what is parked, and how it is taken up again."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from localagent.memory.database import Database
from localagent.memory.entries import Add, NewMemory
from localagent.memory.ledger import SqliteLedger
from localagent.memory.memories import SqliteMemories
from localagent.memory.passages import Passages
from localagent.memory.queue import clear_failures, next_attempt, note_failure, parked, queue_state, retry
from localagent.messages import user

EMBEDDER = 1


@pytest.fixture
def ledger(tmp_path: Path) -> Iterator[SqliteLedger]:
    ledger = SqliteLedger(tmp_path / "ledger.sqlite3")
    with ledger.database.transaction() as connection:
        connection.execute(
            "INSERT INTO embedders (id, name, version, dimension, active) VALUES (?, 'e', '1', 2, 1)", (EMBEDDER,)
        )
    yield ledger
    ledger.close()


def write(database: Database, *texts: str, tenant: str = "default") -> list[int]:
    """Entries; the rows of their passages."""
    memories = SqliteMemories(database, Passages(database, tenant))
    written = memories.write([Add(NewMemory("fact", text)) for text in texts])
    found = [database.query("SELECT row FROM passages WHERE memory_id = ?", (memory.id,)) for memory in written]
    return [int(str(row)) for ((row,),) in found]


def fail(database: Database, row: int, error: str = "no", now: float = 100.0) -> bool:
    with database.transaction() as connection:
        return note_failure(connection, EMBEDDER, row, error, now)


def embedded(database: Database, row: int, generation: int = 0) -> None:
    with database.transaction() as connection:
        sql = "INSERT INTO vectors (embedder_id, row, vector, generation) VALUES (?, ?, x'00', ?)"
        connection.execute(sql, (EMBEDDER, row, generation))


def test_everything_that_waits_is_counted(ledger: SqliteLedger) -> None:
    database = ledger.database
    ledger.append(ledger.create_thread("a").id, user("Mein Rad ist rot."))
    first, second, third = write(database, "The bicycle is red.", "自行车是红色的。", "Paul lives in Bonn.")
    write(database, "Another's.", tenant="other")
    embedded(database, first)
    embedded(database, second, generation=1)
    fail(database, third, "was not to be embedded")
    state = queue_state(database, "default", EMBEDDER)
    assert (state.messages, state.unread, state.passages, state.index) == (1, 1, 1, 1)
    assert (state.retrying, state.parked, state.last_error) == (1, 0, "was not to be embedded")
    assert state.waiting == 4
    assert queue_state(database, "other", EMBEDDER).passages == 1


def test_without_an_embedder_nothing_waits_for_one(ledger: SqliteLedger) -> None:
    write(ledger.database, "The bicycle is red.")
    assert queue_state(ledger.database, "default", None).waiting == 0


def test_three_attempts_with_longer_and_longer_waits(ledger: SqliteLedger) -> None:
    database = ledger.database
    (row,) = write(database, "The bicycle is red.")
    times = []
    results = []
    for _ in range(3):
        results.append(fail(database, row, now=100.0))
        times.append(next_attempt(database, EMBEDDER, 100.0))
    assert results == [False, False, True]
    assert times == [101.0, 110.0, None]
    state = queue_state(database, "default", EMBEDDER)
    assert (state.passages, state.retrying, state.parked) == (0, 0, 1)
    assert [(one.row, one.source, one.text, one.error) for one in parked(database, "default")] == [
        (row, "memory", "The bicycle is red.", "no")
    ]
    assert parked(database, "other") == []


def test_an_error_cannot_fill_the_disk(ledger: SqliteLedger) -> None:
    database = ledger.database
    (row,) = write(database, "The bicycle is red.")
    for _ in range(50):
        fail(database, row, "no\n" * 100_000 + "\ud800")
    ((count, length),) = database.query("SELECT count(*), sum(length(error)) FROM failures")
    assert (count, length) == (1, 300)


def test_retry_takes_up_this_tenants_alone(ledger: SqliteLedger) -> None:
    database = ledger.database
    mine, waiting = write(database, "The bicycle is red.", "自行车是红色的。")
    (theirs,) = write(database, "Another's.", tenant="other")
    for row in (mine, mine, mine, theirs, theirs, theirs, waiting):
        fail(database, row)
    assert retry(database, "default") == 1
    assert queue_state(database, "default", EMBEDDER).retrying == 0
    assert queue_state(database, "default", EMBEDDER).passages == 2
    assert queue_state(database, "other", EMBEDDER).parked == 1
    assert retry(database, "default") == 0


def test_what_is_gone_or_was_embedded_after_all_is_no_failure(ledger: SqliteLedger) -> None:
    database = ledger.database
    first, second, third = write(database, "The bicycle is red.", "自行车是红色的。", "Paul lives in Bonn.")
    for row in (first, second, third):
        fail(database, row)
    embedded(database, first)  # by another process
    clear_failures(database, EMBEDDER, [second])
    memories = SqliteMemories(database, Passages(database, "default"))
    memories.forget([memory.id for memory in memories.select() if "Paul" in memory.text])
    assert not fail(database, third)
    assert queue_state(database, "default", EMBEDDER).retrying == 0
