"""The passages of one tenant: pieces of its entries, of the messages of its threads and of what was imported.

They are written with their words, in the transaction of whoever asks; their vectors come later.
"""

from __future__ import annotations

import json
import sqlite3
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from dataclasses import replace
from typing import cast

from localagent.memory.database import Database, Row
from localagent.memory.entries import Memory
from localagent.memory.entry_rows import COLUMNS, memory_of
from localagent.memory.hidden import hidden_clauses, read_message
from localagent.memory.language import corrects_plainly
from localagent.memory.pieces import clean, message_pieces, pieces
from localagent.memory.searching import Line, Passage
from localagent.memory.shelf import Owner, Shelf

# After so many pieces a transaction ends: others want to write too, and this process's own chat to read.
PIECES_AT_ONCE = 200

_CHANGED = """
    SELECT c.message_id FROM changed_messages c JOIN messages m ON m.id = c.message_id
    JOIN threads t ON t.id = m.thread_id WHERE t.tenant = ? ORDER BY c.message_id LIMIT ?
"""
_MESSAGE = """
    SELECT m.thread_id, t.agent, m.role, m.parts, m.status, m.created_at, m.remembered
    FROM messages m JOIN threads t ON t.id = m.thread_id WHERE m.id = ?
"""
# Row by row: by itself SQLite would look through all passages of the tenant, or all of its superseded entries.
_PASSAGE = f"""
    SELECT p.row, p.key, p.text, p.speaker, p.said_at, p.session, p.thread_id, p.message_id, p.part,
        {", ".join(f"m.{column}" for column in COLUMNS)}
    FROM json_each(?) wanted CROSS JOIN passages p ON p.row = wanted.value LEFT JOIN memories m ON m.id = p.memory_id
    WHERE +p.tenant = ?
"""
_OUTDATED = """
    SELECT m.thread_id, m.message_id, m.text, m.evidence
    FROM json_each(?) wanted CROSS JOIN memories m ON m.message_id = wanted.value
    WHERE +m.tenant = ? AND +m.state = 'superseded' AND m.evidence <> ''
"""
_CORRECTED = """
    SELECT m.thread_id, c.message_id, c.sentence, b.role, b.parts, EXISTS (
        SELECT 1 FROM memories e WHERE e.message_id = c.message_id AND +e.state = 'active' AND e.evidence <> ''
        AND (instr(e.evidence, c.sentence) OR instr(c.sentence, e.evidence))
    )
    FROM json_each(?) wanted CROSS JOIN corrected_sentences c ON c.message_id = wanted.value
    CROSS JOIN messages m ON m.id = c.message_id CROSS JOIN messages b ON b.id = c.by_message_id
"""
# That end a sentence in a message, and not where an entry was made of it.
_SIGNS = ".!?;,。！？；，"
_TEXTS = """
    SELECT p.row, p.speaker, p.text FROM json_each(?) wanted CROSS JOIN passages p ON p.row = wanted.value
    WHERE +p.tenant = ?
"""
# From one name to the next in the index: as many steps as there are names, however many passages there are.
_SPEAKERS = """
    WITH RECURSIVE names (name) AS (
        SELECT min(speaker) FROM passages WHERE tenant = ?1
        UNION ALL
        SELECT (SELECT min(speaker) FROM passages WHERE tenant = ?1 AND speaker > name) FROM names
        WHERE name IS NOT NULL
    )
    SELECT name FROM names WHERE name <> ''
"""


class Passages:
    """Raises StorageError."""

    def __init__(self, database: Database, tenant: str) -> None:
        self._database = database
        self._tenant = tenant
        self._home_id = ""

    @property
    def tenant(self) -> str:
        return self._tenant

    @property
    def database(self) -> Database:
        return self._database

    def put_memory(self, connection: sqlite3.Connection, memory: Memory) -> None:
        """(Re)write an entry's passages, inside the caller's transaction. The entry itself must be in the ledger
        already; with it they go."""
        shelf = self._shelf(connection)
        owner = Owner(
            stream=f"m:{memory.id}",
            key=memory.id,
            source="memory",
            kind=memory.kind,
            scope=memory.scope,
            agent=memory.agent,
            thread_id=memory.thread_id,
            said_at=memory.valid_from,
            memory_id=memory.id,
        )
        shelf.put(owner, list(pieces(memory.text, "", memory.origin)))
        shelf.finish()

    def take_changed(
        self, limit: int = 200, undone: Callable[[sqlite3.Connection, int], None] = lambda connection, message_id: None
    ) -> int:
        """Bring the passages of changed messages (new, revised, taken back) up to date, at most `limit` of them and
        fewer where they are long, in one transaction; how many were done, 0 when none is left. `undone` is called in
        the same transaction for each that was taken back. Each change is done once, whoever else does the same."""
        if not self._database.query(_CHANGED, (self._tenant, 1)):
            return 0
        done = 0
        with self._database.transaction() as connection:
            shelf = self._shelf(connection)
            for (message_id,) in connection.execute(_CHANGED, (self._tenant, limit)).fetchall():
                status = self._take(connection, shelf, message_id)
                if status == "undone":
                    undone(connection, message_id)
                connection.execute("DELETE FROM changed_messages WHERE message_id = ?", (message_id,))
                done += 1
                if shelf.written >= PIECES_AT_ONCE:
                    break
            shelf.finish()
        return done

    def add_said(self, stream: str, lines: Sequence[Line], *, agent: str = "", thread_id: str = "") -> list[int]:
        """Append what was said to a stream of this tenant (made if new). The row of each line's first piece, in
        order; its other pieces follow that. 0 for a line without words."""
        rows = []
        with self._database.transaction() as connection:
            shelf = self._shelf(connection)
            for line in lines:
                owner = Owner(
                    stream=f"s:{json.dumps([self._tenant, clean(stream)])}",
                    key="",
                    source="message",
                    kind="message",
                    scope="agent",
                    agent=agent,
                    thread_id=thread_id,
                    said_at=line.said_at,
                )
                put = shelf.put(owner, list(pieces(line.text, line.speaker, "user")))
                rows.append(put[0] if put else 0)
            shelf.finish()
        return rows

    def get(self, rows: Sequence[int]) -> list[Passage]:
        """In the order of `rows`; those that are gone are left out."""
        found = {row[0]: row for row in self._database.query(_PASSAGE, (json.dumps(list(rows)), self._tenant))}
        passages = [_passage(found[row]) for row in rows if row in found]
        outdated = self._outdated(passage.message_id for passage in passages if passage.memory is None)
        corrected = self._corrected(passage.memory.message_id for passage in passages if passage.memory is not None)
        made = []
        for passage in passages:
            if passage.memory is None:
                hidden = _outdated_in(passage, outdated.get((passage.thread_id, passage.message_id), ()))
            else:
                sentences = corrected.get(passage.memory.message_id or 0, ())
                hidden = tuple(text for _, said in sentences for text in _said_by(passage, passage.memory, said))
            made.append(replace(passage, outdated=hidden) if hidden else passage)
        return made

    def outdated(self, message_ids: Collection[int]) -> dict[int, list[str]]:
        """Of messages, what they say that was corrected or forgotten since; those without any are left out."""
        found: dict[int, list[str]] = {}
        for (_, message_id), pairs in self._outdated(message_ids).items():
            said = [sentence for pair in pairs for sentence in pair if sentence]
            found.setdefault(message_id or 0, []).extend(dict.fromkeys(said))
        return found

    def _outdated(
        self, message_ids: Iterable[int | None]
    ) -> Mapping[tuple[str, int | None], Sequence[tuple[str, str]]]:
        """Of messages, by thread and message, the entries that were superseded: what each says, and its evidence; and
        what later messages corrected of which no entry holds, and what was forgotten."""
        found: dict[tuple[str, int | None], list[tuple[str, str]]] = {}
        wanted = [message_id for message_id in dict.fromkeys(message_ids) if message_id is not None]
        if not wanted:
            return found
        rows = self._database.query(_OUTDATED, (json.dumps(wanted), self._tenant))
        for thread_id, message_id, text, evidence in rows:
            found.setdefault((str(thread_id), cast("int", message_id)), []).append((str(text), str(evidence)))
        for message_id, sentences in self._corrected(wanted).items():
            for thread_id, sentence in sentences:
                found.setdefault((thread_id, message_id), []).append((sentence, sentence))
        for thread_id, message_id, clause in hidden_clauses(self._database, wanted):
            found.setdefault((thread_id, message_id), []).append((clause, clause))
        return found

    def _corrected(self, message_ids: Iterable[int | None]) -> Mapping[int, Sequence[tuple[str, str]]]:
        """Of messages, their thread and each sentence of theirs that a later message of it corrected: one that is held
        in memory only where that message says so, since an entry that counts is shown as one that holds."""
        found: dict[int, list[tuple[str, str]]] = {}
        wanted = [message_id for message_id in dict.fromkeys(message_ids) if message_id is not None]
        if not wanted:
            return found
        rows = self._database.query(_CORRECTED, (json.dumps(wanted),))
        for thread_id, message_id, sentence, role, parts, held in rows:
            if held and not corrects_plainly(read_message(str(role), cast("str", parts)).text):
                continue
            found.setdefault(cast("int", message_id), []).append((str(thread_id), str(sentence)))
        return found

    def texts(self, rows: Sequence[int]) -> dict[int, str]:
        """What is embedded, in the order of `rows`; those that are gone are left out."""
        there = {
            row: f"{speaker!s}: {text!s}" if speaker else str(text)
            for row, speaker, text in self._database.query(_TEXTS, (json.dumps(list(rows)), self._tenant))
        }
        return {row: there[row] for row in rows if row in there}

    def speakers(self) -> list[str]:
        """Everybody who said something, in lower case."""
        return [str(name).lower() for (name,) in self._database.query(_SPEAKERS, (self._tenant,))]

    def _shelf(self, connection: sqlite3.Connection) -> Shelf:
        if not self._home_id:
            (self._home_id,) = connection.execute("SELECT value FROM home_values WHERE name = 'home_id'").fetchone()
        return Shelf(connection, self._tenant, self._home_id)

    def _take(self, connection: sqlite3.Connection, shelf: Shelf, message_id: int) -> str:
        """Its status."""
        row = connection.execute(_MESSAGE, (message_id,)).fetchone()
        thread_id, agent, role, parts, status, said_at, remembered = row
        owner = Owner(
            stream=f"t:{thread_id}",
            key=f"{self._home_id}.{message_id}",
            source="message",
            kind="message",
            scope="agent",
            agent=agent,
            thread_id=thread_id,
            said_at=said_at,
            message_id=message_id,
        )
        kept = status != "undone" and remembered
        shelf.put(owner, message_pieces(read_message(role, parts)) if kept else [])
        return str(status)


def _outdated_in(passage: Passage, superseded: Sequence[tuple[str, str]]) -> tuple[str, ...]:
    """The clause that an entry was made of; its whole sentence where the clause was put in other words."""
    return tuple(text if text in passage.text else evidence for text, evidence in superseded)


def _said_by(passage: Passage, memory: Memory, sentence: str) -> tuple[str, ...]:
    """What of an entry says a sentence of its message: that alone, or all of it."""
    if sentence in memory.text:
        return (sentence,)
    said = " ".join(sentence.split())
    made_of = (" ".join(text.split()).rstrip(_SIGNS) for text in (memory.text, memory.evidence))
    return (passage.text, memory.text) if any(text and text in said for text in made_of) else ()


def _passage(row: Row) -> Passage:
    """From the values of `_PASSAGE`."""
    values, memory = row[: -len(COLUMNS)], row[-len(COLUMNS) :]
    return Passage(
        *cast("tuple[int, str, str, str, float, str, str, int | None, int]", values),
        memory_of(memory) if memory[0] is not None else None,
    )
