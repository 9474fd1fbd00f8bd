"""The recent part of a thread costs the same however long the thread is. Counted in SQLite's own steps, not in time."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

from localagent.memory.ledger import SqliteLedger
from localagent.messages import user

CALLS: dict[str, Callable[[SqliteLedger, str], object]] = {
    "recent messages": lambda ledger, thread_id: ledger.messages(thread_id, last=20),
    "the thread's row": lambda ledger, thread_id: ledger.thread(thread_id),
    "by name": lambda ledger, thread_id: ledger.find_thread("a", "plan"),
    "last thread": lambda ledger, thread_id: ledger.last_thread("a"),
    "append": lambda ledger, thread_id: ledger.append(thread_id, user("x")),
    "undo": lambda ledger, thread_id: ledger.undo(thread_id),
}


def steps(path: Path, length: int) -> dict[str, int]:
    ledger = SqliteLedger(path)
    thread_id = ledger.create_thread("a", "plan").id
    with ledger.database.transaction() as connection:
        connection.executemany(
            "INSERT INTO messages (thread_id, role, parts, status, created_at) VALUES (?, 'user', '[]', 'complete', 1)",
            [(thread_id,)] * length,
        )
    count = 0

    def step() -> int:
        nonlocal count
        count += 1
        return 0

    ledger.database._connection.set_progress_handler(step, 1)
    found = {}
    for name, call in CALLS.items():
        before = count
        call(ledger, thread_id)
        found[name] = count - before
    ledger.database._connection.set_progress_handler(None, 1)
    ledger.close()
    return found


def test_a_long_thread_costs_no_more_than_a_short_one(tmp_path: Path) -> None:
    short, long = steps(tmp_path / "short.sqlite3", 100), steps(tmp_path / "long.sqlite3", 20_000)
    assert {name: long[name] <= short[name] * 1.2 for name in CALLS} == dict.fromkeys(CALLS, True)
