"""A ledger of any released version opens, and keeps what it had."""

from __future__ import annotations

import contextlib
import hashlib
import sqlite3
from pathlib import Path

import pytest

from localagent.memory.database import APPLICATION_ID
from localagent.memory.ledger import SqliteLedger
from localagent.memory.migrations import LATEST, MIGRATIONS, apply_next
from localagent.messages import user

# A released step never changes: its digest is written down here when it is released.
RELEASED = {1: "2046bfed51825b203c8a097459c100811422c1ddec26397e3a1411d1b6bb2c25"}
RELEASED[2] = "fac19a93b84b96f3fc0ccd5f96116ba81bd0367fa38cb8baf7cc617b13b6d6c5"
# What a user of each version had, in the words of its schema.
CONTENT = {
    1: (
        "INSERT INTO threads (id, agent, name, title, created_at, updated_at, touched, messages)"
        " VALUES ('1m8mv0bqc1frz5y9', '助手', '计划', 'hello', 1.5, 2.5, 1, 1)",
        "INSERT INTO messages (thread_id, role, parts, status, model, created_at) VALUES"
        " ('1m8mv0bqc1frz5y9', 'user', '[{\"kind\":\"text\",\"text\":\"hello\"}]', 'complete', '', 2.5)",
        "INSERT INTO calibrations (key, numbers) VALUES ('m', '[1.25]')",
    ),
}


def build(path: Path, version: int) -> None:
    """A ledger as version `version` left it; 0 is an empty database file."""
    with contextlib.closing(sqlite3.connect(path)) as connection:
        for step in range(version):
            connection.execute("BEGIN IMMEDIATE")
            apply_next(connection, MIGRATIONS[: step + 1])
            connection.execute(f"PRAGMA application_id = {APPLICATION_ID}")
            for statement in CONTENT.get(step + 1, ()):
                connection.execute(statement)
            connection.commit()
        connection.execute("PRAGMA journal_mode = WAL")


@pytest.mark.parametrize("version", range(LATEST + 1))
def test_from_every_released_version(tmp_path: Path, version: int) -> None:
    path = tmp_path / "ledger.sqlite3"
    build(path, version)
    ledger = SqliteLedger(path)
    try:
        if version:
            (thread,) = ledger.threads("助手")
            assert (thread.name, thread.title, thread.messages, thread.updated_at) == ("计划", "hello", 1, 2.5)
            assert [stored.message for stored in ledger.messages(thread.id)] == [user("hello")]
            assert ledger.load("m") == (1.25,)
        ledger.append(ledger.create_thread("a").id, user("x"))
        assert ledger.integrity() == []
    finally:
        ledger.close()
    with contextlib.closing(sqlite3.connect(path)) as connection:
        assert connection.execute("PRAGMA user_version").fetchone() == (LATEST,)
        assert connection.execute("PRAGMA journal_mode").fetchone() == ("wal",)


def test_released_steps_have_not_changed() -> None:
    digests = {
        number: hashlib.sha256("\n".join(statements).encode()).hexdigest()
        for number, statements in enumerate(MIGRATIONS, 1)
    }
    assert digests == RELEASED
