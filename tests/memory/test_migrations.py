"""A ledger of any released version opens, and keeps what it had."""

from __future__ import annotations

import contextlib
import hashlib
import sqlite3
from pathlib import Path

import pytest

from localagent.errors import UsageError
from localagent.memory.approvals import SqliteApprovals
from localagent.memory.database import APPLICATION_ID
from localagent.memory.ledger import SqliteLedger
from localagent.memory.memories import SqliteMemories
from localagent.memory.migrations import LATEST, MIGRATIONS, apply_next
from localagent.memory.passages import Passages
from localagent.memory.summaries import SqliteSummaries
from localagent.messages import user

# A released step never changes: its digest is written down here when it is released.
RELEASED = {1: "2046bfed51825b203c8a097459c100811422c1ddec26397e3a1411d1b6bb2c25"}
RELEASED[2] = "81fbad7ecd8c709aeb26e48e398ee7209fc4bcb736ee681f7be5a615eef8ae3a"
RELEASED[3] = "343cbc49374425b3439cf3d9fa63643ebbadd218dbb223a580a37685f5b6a58f"
RELEASED[4] = "da82887bad911a373dedf49dfce7a2b8c129cccbb76b6a26b4e118e9a76cf1c4"
RELEASED[5] = "0105e06a98dad4e422e3abbf6bfc8946d987a163151c3b654a3cfae6d30ebd5f"
RELEASED[6] = "cff241197e8b4b506584de561a9b416f846640f6f0bd9adba6d34bc64b43465f"
RELEASED[7] = "02f4ceb15f6cc24c8cda6af428bf569e2e874e23f168467e10719a12afaf9ab7"
RELEASED[8] = "b3c55ee47ad3caf67bec272ff18cc2bf7a554e8bef0ad5ae02b2c7ed7ea14f63"
RELEASED[9] = "4f0d11d763146a1acc473689655c80b7df65657c15a375ff3acf1e521c3c1160"
# What a user of each version had, in the words of its schema.
CONTENT = {
    1: (
        "INSERT INTO threads (id, agent, name, title, created_at, updated_at, touched, messages)"
        " VALUES ('1m8mv0bqc1frz5y9', '助手', '计划', 'hello', 1.5, 2.5, 1, 1)",
        "INSERT INTO messages (thread_id, role, parts, status, model, created_at) VALUES"
        " ('1m8mv0bqc1frz5y9', 'user', '[{\"kind\":\"text\",\"text\":\"hello\"}]', 'complete', '', 2.5)",
        "INSERT INTO calibrations (key, numbers) VALUES ('m', '[1.25]')",
    ),
    2: (
        "INSERT INTO memories (id, tenant, kind, text, digest, origin, scope, subject, agent, thread_id, message_id,"
        " evidence, importance, decay_rate, pinned, created_at, valid_from, accessed_at, access_count) VALUES"
        " ('1m8mv0bqc1frz5ya', 'default', 'preference', '喜欢喝茶', '0', 'user', 'agent', 'user', '助手',"
        " '1m8mv0bqc1frz5y9', 1, 'hello', 0.7, 0.02, 1, 2.5, 2.5, 3.5, 4)",
        "INSERT INTO streams (id, key) VALUES (1, 'm:1m8mv0bqc1frz5ya')",
        "INSERT INTO passages VALUES (16777216, '1m8mv0bqc1frz5ya.0', 'default', 'memory', '1m8mv0bqc1frz5ya', NULL, 0,"
        " 'preference', 'user', 'agent', '助手', '1m8mv0bqc1frz5y9', '', 2.5, '1.1', '喜欢喝茶', 0, 0, 0)",
        "INSERT INTO passage_words (rowid, body, near, far) VALUES (16777216, '喜欢 欢喝 喝茶', '', '')",
        "INSERT INTO embedders (id, name, version, dimension, active) VALUES (1, 'words', '1', 2, 1)",
        "INSERT INTO vectors (embedder_id, row, vector, generation) VALUES (1, 16777216, x'003c0000', 1)",
        "INSERT INTO ingested_files (tenant, path, digest) VALUES ('default', '/notes.md', 'd')",
    ),
    4: (
        "INSERT INTO summaries"
        " (thread_id, version, items, covers_from, covers_to, messages, tokens, created_at, made_by)"
        ' VALUES (\'1m8mv0bqc1frz5y9\', 1, \'[{"kind":"preference","text":"喜欢喝茶","quote":"hello",'
        '"message_id":1,"said_at":2.5,"weight":0.5,"by":"rules"}]\', 1, 1, 1, 8, 3.5, \'rules\')',
        "INSERT INTO summary_failures (thread_id, attempts, next_at, error) VALUES ('1m8mv0bqc1frz5y9', 1, 4.5, 'x')",
    ),
    5: (
        "INSERT INTO approvals (id, tenant, agent, tool, digest, arguments, folder, shown, created_at) VALUES"
        " ('1m8mv0bqc1frz5yb', 'default', '助手', 'run_shell', 'd', '{\"command\":\"ls\"}', '/家', 'ls', 4.5)",
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
        if version >= 2:
            memories = SqliteMemories(ledger.database, Passages(ledger.database, "default"))
            (memory,) = memories.select()
            assert (memory.text, memory.pinned, memory.access_count, memory.valid_to) == ("喜欢喝茶", True, 4, None)
            assert memories.alike("我喜欢喝茶", ["preference"]) == [memory]
            memories.forget([memory.id])
            assert ledger.database.query("SELECT count(*) FROM vectors") == [(0,)]
            assert ledger.database.query("SELECT embedder_id, row FROM removed_vectors") == [(1, 16777216)]
            assert ledger.database.query("SELECT key FROM removed_keys") == [("1m8mv0bqc1frz5ya.0",)]
        if version >= 4:
            summaries = SqliteSummaries(ledger.database)
            summary, failure = summaries.current(thread.id), summaries.failure(thread.id)
            assert summary is not None and failure is not None
            assert (summary.items[0].text, summary.covers_to, failure.attempts) == ("喜欢喝茶", 1, 1)
            ledger.undo(thread.id)
            assert summaries.current(thread.id) is None
        if version >= 5:
            (allowed,) = SqliteApprovals(ledger.database, "default").entries()
            assert (allowed.agent, allowed.tool, allowed.arguments) == ("助手", "run_shell", {"command": "ls"})
        ledger.append(ledger.create_thread("a").id, user("x"))
        assert ledger.integrity() == []
    finally:
        ledger.close()
    with contextlib.closing(sqlite3.connect(path)) as connection:
        assert connection.execute("PRAGMA user_version").fetchone() == (LATEST,)
        assert connection.execute("PRAGMA journal_mode").fetchone() == ("wal",)


def test_messages_of_before_are_searched_and_are_not_looked_through_again(tmp_path: Path) -> None:
    """What was said before there was a memory is indexed; entries are made of what is said from now on."""
    path = tmp_path / "ledger.sqlite3"
    build(path, 1)
    with contextlib.closing(sqlite3.connect(path)) as connection:
        connection.executemany(
            "INSERT INTO messages (thread_id, created_at, role, parts, status)"
            " VALUES ('1m8mv0bqc1frz5y9', 3.5, ?, ?, ?)",
            [
                ("assistant", '[{"kind":"text","text":"good morning"}]', "interrupted"),
                ("user", '[{"kind":"text","text":"taken back"}]', "undone"),
            ],
        )
        connection.commit()
    ledger = SqliteLedger(path)
    try:
        passages = Passages(ledger.database, "default")
        memories = SqliteMemories(ledger.database, passages)
        assert memories.unread() == []
        assert passages.take_changed(undone=memories.retract) == 2
        texts = ledger.database.query("SELECT text, agent FROM passages ORDER BY row")
        assert texts == [("hello", "助手"), ("good morning", "助手")]
        assert Passages(ledger.database, "another").take_changed() == 0
        thread = ledger.create_thread("助手", tenant="another")
        message = ledger.append(thread.id, user("x"))
        assert memories.unread() == []
        assert SqliteMemories(ledger.database, Passages(ledger.database, "another")).unread() == [message.id]
    finally:
        ledger.close()


@pytest.mark.parametrize("version", [2, 5])
def test_names_that_were_given_once_an_agent_are_given_once_a_tenant(tmp_path: Path, version: int) -> None:
    path = tmp_path / "ledger.sqlite3"
    build(path, version)
    ledger = SqliteLedger(path)
    try:
        mine, theirs = ledger.of_tenant("default"), ledger.of_tenant("another")
        (old,) = mine.threads("助手")
        new = theirs.create_thread("助手", "计划")
        assert mine.find_thread("助手", "计划") == ledger.find_thread("助手", "计划") == old
        assert theirs.find_thread("助手", "计划") == new
        for own in (mine, theirs):
            with pytest.raises(UsageError):
                own.create_thread("助手", "计划")
            free = own.create_thread("助手", "free")
            with pytest.raises(UsageError):
                own.rename_thread(free.id, "计划")
    finally:
        ledger.close()


def test_what_may_have_been_said_while_memory_was_off_is_not_read_later(tmp_path: Path) -> None:
    """Earlier versions did not tell it from a turn that was killed: neither read nor indexed."""
    path = tmp_path / "ledger.sqlite3"
    build(path, 7)
    with contextlib.closing(sqlite3.connect(path)) as connection:
        connection.executemany(
            "INSERT INTO messages (thread_id, created_at, role, parts, status)"
            " VALUES ('1m8mv0bqc1frz5y9', 3.5, 'user', ?, 'complete')",
            [('[{"kind":"text","text":"indexed"}]',), ('[{"kind":"text","text":"off"}]',)],
        )
        connection.execute("DELETE FROM changed_messages WHERE message_id = 2")
        connection.commit()
    ledger = SqliteLedger(path)
    try:
        passages = Passages(ledger.database, "default")
        assert SqliteMemories(ledger.database, passages).unread() == []
        assert [one.remembered for one in ledger.messages("1m8mv0bqc1frz5y9")] == [True, True, False]
        passages.take_changed()
        texts = ledger.database.query("SELECT text FROM passages WHERE source = 'message'")
        assert ("off",) not in texts
    finally:
        ledger.close()


def test_released_steps_have_not_changed() -> None:
    digests = {
        number: hashlib.sha256("\n".join(statements).encode()).hexdigest()
        for number, statements in enumerate(MIGRATIONS, 1)
    }
    assert digests == RELEASED
