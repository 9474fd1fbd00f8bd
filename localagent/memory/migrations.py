"""The ledger's schema, as the list of steps that lead to it.

A released step is never edited: a change is a new step at the end. `PRAGMA user_version` is the number of steps
that a file has seen. Each step runs in one transaction, also when several processes start at once.
"""

from __future__ import annotations

import sqlite3
from collections.abc import Sequence
from typing import TypeAlias

Migration: TypeAlias = tuple[str, ...]

# Times are epoch seconds.
MIGRATIONS: tuple[Migration, ...] = (
    (
        # `touched` orders threads by their last write; a clock may stand still or go back. `messages` counts those
        # not taken back. Names are unique within an agent, except the empty one.
        """
        CREATE TABLE threads (
            id TEXT NOT NULL PRIMARY KEY,
            agent TEXT NOT NULL,
            name TEXT NOT NULL DEFAULT '',
            title TEXT NOT NULL DEFAULT '',
            created_at REAL NOT NULL,
            updated_at REAL NOT NULL,
            touched INTEGER NOT NULL DEFAULT 0,
            messages INTEGER NOT NULL DEFAULT 0
        )
        """,
        "CREATE UNIQUE INDEX threads_name ON threads (agent, name) WHERE name <> ''",
        "CREATE INDEX threads_touched ON threads (touched)",
        # AUTOINCREMENT: an id is never given twice, since prompt records name messages by it.
        # `parts` is JSON text; a blob of the same where the text holds what UTF-8 cannot (lone surrogates).
        """
        CREATE TABLE messages (
            id INTEGER PRIMARY KEY AUTOINCREMENT,
            thread_id TEXT NOT NULL REFERENCES threads (id) ON DELETE CASCADE,
            role TEXT NOT NULL CHECK (role IN ('system', 'user', 'assistant', 'tool')),
            parts NOT NULL,
            status TEXT NOT NULL CHECK (status IN ('complete', 'interrupted', 'incomplete', 'undone')),
            model TEXT NOT NULL DEFAULT '',
            created_at REAL NOT NULL
        )
        """,
        "CREATE INDEX messages_thread ON messages (thread_id, id)",
        # What was learned about a model's token counts: a JSON list of numbers.
        "CREATE TABLE calibrations (key TEXT NOT NULL PRIMARY KEY, numbers TEXT NOT NULL)",
    ),
    (
        # Whose memory a thread belongs to. Threads of before belong to the default tenant.
        "ALTER TABLE threads ADD COLUMN tenant TEXT NOT NULL DEFAULT 'default'",
        # Entries. What changes by use (accessed_at, counts) is here alone, never in an index. `digest` finds the same
        # words again.
        """
        CREATE TABLE memories (
            id TEXT NOT NULL PRIMARY KEY,
            tenant TEXT NOT NULL,
            kind TEXT NOT NULL,
            text TEXT NOT NULL,
            digest TEXT NOT NULL,
            origin TEXT NOT NULL CHECK (origin IN ('user', 'assistant', 'tool', 'file', 'recalled')),
            scope TEXT NOT NULL CHECK (scope IN ('all', 'agent', 'thread')),
            subject TEXT NOT NULL CHECK (subject IN ('user', 'agent')),
            agent TEXT NOT NULL DEFAULT '',
            thread_id TEXT NOT NULL DEFAULT '',
            message_id INTEGER,
            evidence TEXT NOT NULL DEFAULT '',
            source TEXT NOT NULL DEFAULT '',
            importance REAL NOT NULL,
            decay_rate REAL NOT NULL,
            emotion REAL NOT NULL DEFAULT 0,
            pinned INTEGER NOT NULL DEFAULT 0,
            due_at REAL,
            state TEXT NOT NULL DEFAULT 'active' CHECK (state IN ('active', 'superseded', 'archived')),
            superseded_by TEXT NOT NULL DEFAULT '',
            created_at REAL NOT NULL,
            valid_from REAL NOT NULL,
            valid_to REAL,
            accessed_at REAL NOT NULL,
            access_count INTEGER NOT NULL DEFAULT 0,
            association_count INTEGER NOT NULL DEFAULT 0
        )
        """,
        "CREATE INDEX memories_kind ON memories (tenant, state, kind, created_at)",
        "CREATE INDEX memories_digest ON memories (tenant, digest)",
        "CREATE INDEX memories_message ON memories (message_id) WHERE message_id IS NOT NULL",
        "CREATE INDEX memories_source ON memories (tenant, source) WHERE source <> ''",
        # What follows one another: the messages of a thread, the pieces of an entry, what was imported. A number is
        # never given twice, so that a row of something forgotten is nothing else's.
        "CREATE TABLE streams (id INTEGER PRIMARY KEY AUTOINCREMENT, key TEXT NOT NULL UNIQUE)",
        # The pieces that are searched. `row` is stream << 24 | position, with a gap between sessions, so that a
        # neighbour is row + 1 or row - 1. `source` is 'message' or 'memory'; `kind` of a message is 'message'.
        """
        CREATE TABLE passages (
            row INTEGER PRIMARY KEY,
            key TEXT NOT NULL UNIQUE,
            tenant TEXT NOT NULL,
            source TEXT NOT NULL CHECK (source IN ('message', 'memory')),
            memory_id TEXT REFERENCES memories (id) ON DELETE CASCADE,
            message_id INTEGER REFERENCES messages (id) ON DELETE CASCADE,
            part INTEGER NOT NULL DEFAULT 0,
            kind TEXT NOT NULL,
            origin TEXT NOT NULL,
            scope TEXT NOT NULL,
            agent TEXT NOT NULL,
            thread_id TEXT NOT NULL,
            speaker TEXT NOT NULL,
            said_at REAL NOT NULL,
            session TEXT NOT NULL,
            text TEXT NOT NULL,
            asks REAL NOT NULL,
            ends_asking INTEGER NOT NULL,
            times INTEGER NOT NULL
        )
        """,
        "CREATE INDEX passages_memory ON passages (memory_id) WHERE memory_id IS NOT NULL",
        "CREATE INDEX passages_message ON passages (message_id) WHERE message_id IS NOT NULL",
        "CREATE INDEX passages_thread ON passages (tenant, thread_id)",
        "CREATE INDEX passages_speaker ON passages (tenant, speaker)",
        # The keyword index over the words that `memory.language` finds: of the passage itself with its date, of those
        # beside it, and of those two away. rowid = passages.row.
        """
        CREATE VIRTUAL TABLE passage_words USING fts5(
            body, near, far, tokenize = 'porter unicode61 remove_diacritics 2'
        )
        """,
        # Fifty passages that nobody finds (rowid < 0), as pseudo-counts: BM25 gives a word no weight that stands in
        # half of all passages, and in the first days of a data folder that is every word.
        """
        INSERT INTO passage_words (rowid, body)
        WITH RECURSIVE number(value) AS (SELECT 1 UNION ALL SELECT value + 1 FROM number WHERE value < 50)
        SELECT -value, replace(hex(zeroblob(20)), '00', 'pseudopassage ') FROM number
        """,
        # Embedders that were ever used here. `calibration` is the embedder's own; `generation` counts how often its
        # index was begun anew; one row is active.
        """
        CREATE TABLE embedders (
            id INTEGER PRIMARY KEY,
            name TEXT NOT NULL,
            version TEXT NOT NULL,
            dimension INTEGER NOT NULL,
            calibration BLOB,
            generation INTEGER NOT NULL DEFAULT 1,
            active INTEGER NOT NULL DEFAULT 0,
            UNIQUE (name, version, dimension)
        )
        """,
        # float16, little endian, length 1. `generation` is that of the index it was put into, 0 where it was not yet.
        # An id is never given twice: what has a higher one than any that was seen is new.
        """
        CREATE TABLE vectors (
            id INTEGER PRIMARY KEY AUTOINCREMENT,
            embedder_id INTEGER NOT NULL REFERENCES embedders (id) ON DELETE CASCADE,
            row INTEGER NOT NULL REFERENCES passages (row) ON DELETE CASCADE,
            vector BLOB NOT NULL,
            generation INTEGER NOT NULL DEFAULT 0,
            UNIQUE (embedder_id, row)
        )
        """,
        "CREATE INDEX vectors_row ON vectors (row)",
        "CREATE INDEX vectors_generation ON vectors (embedder_id, generation)",
        # The queue: messages that are new or changed (`read`: looked through for entries), and passages whose
        # embedding failed. Passages without a vector of the active embedder are the rest of it.
        "CREATE TABLE changed_messages (message_id INTEGER PRIMARY KEY REFERENCES messages (id) ON DELETE CASCADE)",
        "CREATE TABLE unread_messages (message_id INTEGER PRIMARY KEY REFERENCES messages (id) ON DELETE CASCADE)",
        """
        CREATE TABLE failures (
            embedder_id INTEGER NOT NULL,
            row INTEGER NOT NULL REFERENCES passages (row) ON DELETE CASCADE,
            attempts INTEGER NOT NULL,
            next_at REAL NOT NULL,
            error TEXT NOT NULL,
            PRIMARY KEY (embedder_id, row)
        )
        """,
        "CREATE INDEX failures_row ON failures (row)",
        # Keys that an index may still hold.
        "CREATE TABLE removed_keys (key TEXT NOT NULL, tenant TEXT NOT NULL, PRIMARY KEY (key, tenant))",
        # Files that were taken in, by their path and the digest of what they held.
        """
        CREATE TABLE ingested_files (
            tenant TEXT NOT NULL,
            path TEXT NOT NULL,
            digest TEXT NOT NULL,
            PRIMARY KEY (tenant, path)
        )
        """,
        # What this home knows of itself: `home_id`, `pruned_at`.
        "CREATE TABLE home_values (name TEXT NOT NULL PRIMARY KEY, value TEXT NOT NULL)",
        "INSERT INTO home_values (name, value) VALUES ('home_id', lower(hex(randomblob(6))))",
        # In the same transaction as the message: nothing that is stored can miss the queue.
        "INSERT INTO changed_messages (message_id) SELECT id FROM messages WHERE status <> 'undone'",
        """
        CREATE TRIGGER message_stored AFTER INSERT ON messages WHEN new.role <> 'system' BEGIN
            INSERT OR IGNORE INTO changed_messages (message_id) VALUES (new.id);
            INSERT OR IGNORE INTO unread_messages (message_id) VALUES (new.id);
        END
        """,
        """
        CREATE TRIGGER message_revised AFTER UPDATE OF parts, status ON messages WHEN new.role <> 'system' BEGIN
            INSERT OR IGNORE INTO changed_messages (message_id) VALUES (new.id);
        END
        """,
        # What an index holds beside the vector has changed: it is new to whoever reads it.
        """
        CREATE TRIGGER vector_relabelled AFTER UPDATE OF generation ON vectors WHEN new.generation = 0 BEGIN
            INSERT OR REPLACE INTO vectors (embedder_id, row, vector) VALUES (new.embedder_id, new.row, new.vector);
        END
        """,
        """
        CREATE TRIGGER memory_relabelled AFTER UPDATE OF state, importance ON memories
        WHEN old.state <> new.state OR old.importance <> new.importance BEGIN
            UPDATE vectors SET generation = 0 WHERE row IN (SELECT row FROM passages WHERE memory_id = new.id);
        END
        """,
        """
        CREATE TRIGGER passage_removed AFTER DELETE ON passages BEGIN
            DELETE FROM passage_words WHERE rowid = old.row;
            INSERT OR IGNORE INTO removed_keys (key, tenant) VALUES (old.key, old.tenant);
        END
        """,
    ),
    (
        # Clauses of messages that are not recalled, since what they say was forgotten: their place alone. `memory_id`:
        # until that entry is restored; `asked_by`: the message that asked for it, until that is taken back.
        """
        CREATE TABLE hidden_clauses (
            memory_id TEXT REFERENCES memories (id) ON DELETE SET NULL,
            message_id INTEGER NOT NULL REFERENCES messages (id) ON DELETE CASCADE,
            start INTEGER NOT NULL,
            length INTEGER NOT NULL,
            asked_by INTEGER
        )
        """,
        "CREATE INDEX hidden_clauses_message ON hidden_clauses (message_id)",
        "CREATE INDEX hidden_clauses_memory ON hidden_clauses (memory_id) WHERE memory_id IS NOT NULL",
        "CREATE INDEX hidden_clauses_asked ON hidden_clauses (asked_by) WHERE asked_by IS NOT NULL",
    ),
    (
        # What the older messages of threads were shortened to, in versions. `items` is JSON text; of the active ones
        # of a thread the newest is in use. `covers_to`: the last message that it stands for.
        """
        CREATE TABLE summaries (
            thread_id TEXT NOT NULL REFERENCES threads (id) ON DELETE CASCADE,
            version INTEGER NOT NULL,
            items NOT NULL,
            covers_from INTEGER NOT NULL,
            covers_to INTEGER NOT NULL,
            messages INTEGER NOT NULL,
            tokens INTEGER NOT NULL,
            created_at REAL NOT NULL,
            made_by TEXT NOT NULL,
            note TEXT NOT NULL DEFAULT '',
            state TEXT NOT NULL DEFAULT 'active' CHECK (state IN ('active', 'rolled back', 'undone')),
            PRIMARY KEY (thread_id, version)
        )
        """,
        # An answer that arrives is revised every second: what it may touch must be found at once.
        "CREATE INDEX summaries_active ON summaries (thread_id, covers_to) WHERE state = 'active'",
        # Threads whose older messages could not be summarised, and when that is tried again.
        """
        CREATE TABLE summary_failures (
            thread_id TEXT NOT NULL PRIMARY KEY REFERENCES threads (id) ON DELETE CASCADE,
            attempts INTEGER NOT NULL,
            next_at REAL NOT NULL,
            error TEXT NOT NULL
        )
        """,
        # What a message said and a later one of its thread corrected, in the words of the first: it is not shown as
        # if it held.
        """
        CREATE TABLE corrected_sentences (
            message_id INTEGER NOT NULL REFERENCES messages (id) ON DELETE CASCADE,
            sentence TEXT NOT NULL,
            by_message_id INTEGER NOT NULL REFERENCES messages (id) ON DELETE CASCADE,
            PRIMARY KEY (message_id, sentence, by_message_id)
        ) WITHOUT ROWID
        """,
        "CREATE INDEX corrected_sentences_by ON corrected_sentences (by_message_id)",
        """
        CREATE TRIGGER correction_undone AFTER UPDATE OF status ON messages WHEN new.status = 'undone' BEGIN
            DELETE FROM corrected_sentences WHERE by_message_id = new.id;
        END
        """,
        # A summary does not stand for what was taken back or says something else now.
        """
        CREATE TRIGGER summary_undone AFTER UPDATE OF parts, status ON messages BEGIN
            UPDATE summaries SET state = 'undone'
            WHERE thread_id = new.thread_id AND state = 'active' AND covers_to >= new.id;
        END
        """,
    ),
    (
        # Calls of tools that were allowed "always for exactly this"; `digest` is of all that this means. `arguments` is
        # JSON text, `shown` what the person saw.
        """
        CREATE TABLE approvals (
            id TEXT NOT NULL PRIMARY KEY,
            tenant TEXT NOT NULL,
            agent TEXT NOT NULL,
            tool TEXT NOT NULL,
            digest TEXT NOT NULL,
            arguments TEXT NOT NULL,
            folder TEXT NOT NULL,
            shown TEXT NOT NULL,
            created_at REAL NOT NULL,
            UNIQUE (tenant, agent, digest)
        )
        """,
    ),
    (
        # Names of threads are unique within a tenant and agent: what one tenant calls its threads is none of another's
        # business.
        "DROP INDEX threads_name",
        "CREATE UNIQUE INDEX threads_name ON threads (tenant, agent, name) WHERE name <> ''",
    ),
    (
        # Entries of which another one corrects a part: both count.
        """
        CREATE TABLE corrected_in_part (
            memory_id TEXT NOT NULL REFERENCES memories (id) ON DELETE CASCADE,
            newer_id TEXT NOT NULL REFERENCES memories (id) ON DELETE CASCADE,
            PRIMARY KEY (memory_id, newer_id)
        ) WITHOUT ROWID
        """,
        "CREATE INDEX corrected_in_part_by ON corrected_in_part (newer_id)",
    ),
    (
        # What was said while memory was off: in its thread, and nowhere else. What nobody had looked through and
        # nobody had indexed before this was known may have been said so.
        "ALTER TABLE messages ADD COLUMN remembered INTEGER NOT NULL DEFAULT 1",
        """
        UPDATE messages SET remembered = 0 WHERE id IN (SELECT message_id FROM unread_messages)
        AND id IN (SELECT message_id FROM changed_messages)
        """,
        "DELETE FROM unread_messages",
        "DROP TRIGGER message_stored",
        """
        CREATE TRIGGER message_stored AFTER INSERT ON messages WHEN new.role <> 'system' AND new.remembered BEGIN
            INSERT OR IGNORE INTO changed_messages (message_id) VALUES (new.id);
            INSERT OR IGNORE INTO unread_messages (message_id) VALUES (new.id);
        END
        """,
    ),
    (
        # Vectors that were removed, the last ten thousand: who has vectors in memory sees which of them are gone. One
        # that takes the place of another has a higher id, and is none.
        """
        CREATE TABLE removed_vectors (
            id INTEGER PRIMARY KEY AUTOINCREMENT,
            embedder_id INTEGER NOT NULL,
            row INTEGER NOT NULL,
            vector_id INTEGER NOT NULL
        )
        """,
        """
        CREATE TRIGGER vector_removed AFTER DELETE ON vectors BEGIN
            INSERT INTO removed_vectors (embedder_id, row, vector_id) VALUES (old.embedder_id, old.row, old.id);
            DELETE FROM removed_vectors WHERE id <= last_insert_rowid() - 10000;
        END
        """,
    ),
)

LATEST = len(MIGRATIONS)


def version(connection: sqlite3.Connection) -> int:
    number: int = connection.execute("PRAGMA user_version").fetchone()[0]
    return number


def apply_next(connection: sqlite3.Connection, steps: Sequence[Migration] = MIGRATIONS) -> None:
    """Run the next step, if one is left. To be called inside a write transaction, which makes it safe that another
    process does the same."""
    done = version(connection)
    if done < len(steps):
        for statement in steps[done]:
            connection.execute(statement)
        connection.execute(f"PRAGMA user_version = {done + 1}")
