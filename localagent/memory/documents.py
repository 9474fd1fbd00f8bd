"""Files that are taken in: cut into pieces, each an entry of the kind `document`, and brought up to date when the file
has changed. What a document says stays a document: nothing in it becomes a wish or a decision of the user."""

from __future__ import annotations

import hashlib
import sqlite3
import time
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TypeAlias, cast

from localagent.abort import AbortSignal
from localagent.errors import UsageError
from localagent.memory.chunks import chunks, units
from localagent.memory.database import Database
from localagent.memory.document_text import Section, read_bytes, sections
from localagent.memory.entries import Memory, NewMemory
from localagent.memory.entry_rows import checked, clean, digest_of, fresh
from localagent.memory.filters import Condition, Group
from localagent.memory.memories import STATES, SqliteMemories

# Units of `chunks`: 360 CJK characters, or 1,200 others. A piece and its headings are one passage, with one vector.
PIECE = 360
_HEADINGS = 100

# Entries that are written in one transaction, about half a second; then others get their turn.
AT_ONCE = 1000
PAUSE_S = 0.05
# The source of pieces that are not there yet, or not any more.
_HIDDEN = ""

_LIST = """
    SELECT m.evidence, max(m.created_at), count(DISTINCT m.id), count(p.row) FILTER (WHERE NOT EXISTS (
        SELECT 1 FROM vectors v JOIN embedders e ON e.id = v.embedder_id WHERE v.row = p.row AND e.active
    ))
    FROM memories m LEFT JOIN passages p ON p.memory_id = m.id
    WHERE m.tenant = ? AND m.kind = 'document' AND m.origin = 'file' GROUP BY m.evidence ORDER BY m.evidence
"""

# Called with how many pieces are done, of how many.
Progress: TypeAlias = Callable[[int, int], None]


@dataclass(frozen=True, slots=True)
class Piece:
    """`source` names it: `notes.md#3`, in a PDF the page `paper.pdf#p3` (`#p3.2`: its second piece)."""

    text: str
    source: str


@dataclass(frozen=True, slots=True)
class Ingested:
    """`pieces` that memory has of the file now; `skipped`: it had not changed. `empty_pages` of a PDF (from 1) have no
    text, perhaps because they are pictures."""

    pieces: int
    skipped: bool
    empty_pages: tuple[int, ...] = ()


@dataclass(frozen=True, slots=True)
class Document:
    """A file that was taken in: the path, when (epoch seconds) its newest piece was written, its pieces, and those of
    them that wait for their vector."""

    file: str
    taken_at: float
    pieces: int
    waiting: int


def read_document(path: Path, abort: AbortSignal | None = None) -> list[Piece]:
    """The pieces of a text, Markdown or PDF file. Raises UsageError for what cannot be read (not a file, over 50 MB,
    binary, another encoding than UTF-8 or UTF-16 with its mark, encrypted, damaged, scanned), and Aborted."""
    return list(_pieces(path.name, sections(read_bytes(path), path, abort or AbortSignal())))


class Documents:
    """Files of one tenant's memory."""

    def __init__(self, memories: SqliteMemories, database: Database) -> None:
        self._memories = memories
        self._database = database

    def ingest(
        self,
        path: Path,
        *,
        agent: str = "",
        progress: Progress = lambda done, total: None,
        abort: AbortSignal | None = None,
    ) -> Ingested:
        """Take a file in, whole or not at all. Of a changed one, pieces that are still in it stay as they are (with
        their vectors and what is known of their use), others go. `agent` is who took it in; all agents of the tenant
        may recall it. Raises like `read_document`, and StorageError."""
        abort = abort or AbortSignal()
        data = read_bytes(path)
        # Symbolic links lead to one file; its name may not be UTF-8.
        key, digest = clean(str(path.resolve())), hashlib.sha256(data).hexdigest()
        if self._known(key, digest):
            return self._unchanged(key)
        found = sections(data, path, abort)
        pieces = list(_pieces(path.name, found))
        staged = self._stage(key, pieces, agent, progress, abort)
        with self._database.transaction() as connection:
            if self._known(key, digest):  # another process was quicker
                return self._unchanged(key)
            old = self._entries(key)
            for done, piece in enumerate(pieces, 1):
                abort.raise_if_aborted()
                self._put(connection, _document(key, piece, agent), old)
                progress(max(done, staged), len(pieces))
            self._hide(connection, [memory for same in old.values() for memory in same])
            connection.execute(
                "INSERT OR REPLACE INTO ingested_files (tenant, path, digest) VALUES (?, ?, ?)",
                (self._memories.tenant, key, digest),
            )
        self._clear(key)
        empty = tuple(section.page for section in found if section.page and not section.text.strip())
        return Ingested(len(pieces), skipped=False, empty_pages=empty)

    def known(self) -> list[Document]:
        """By their paths. A file whose removal was interrupted is among them."""
        rows = self._database.query(_LIST, (self._memories.tenant,))
        return [Document(*cast("tuple[str, float, int, int]", row)) for row in rows]

    def find(self, path: Path) -> Document:
        """The file at this path, which need not exist any more; or of this name, if it is one. UsageError if memory has
        no such file."""
        known = self.known()
        key = clean(str(path.resolve()))
        same = [one for one in known if one.file == key] or [
            one for one in known if path.name == str(path) == Path(one.file).name
        ]
        if len(same) == 1:
            return same[0]
        if same:
            raise UsageError(
                f"memory has {len(same)} files of this name", where=str(path), hint="Give its path: memory documents"
            )
        raise UsageError("memory has no such file", where=str(path), hint="Those it has: localagent memory documents")

    def remove(self, path: str) -> int:
        """Delete every piece of the file with this `Document.file` for good; how many. Interrupted, a second call goes
        on. Raises StorageError."""
        with self._database.transaction() as connection:
            connection.execute(
                "DELETE FROM ingested_files WHERE tenant = ? AND path = ?", (self._memories.tenant, path)
            )
        pieces = [memory.id for same in self._entries(path).values() for memory in same]
        self._delete(pieces)
        return len(pieces)

    def _unchanged(self, key: str) -> Ingested:
        self._clear(key)
        return Ingested(sum(len(same) for same in self._entries(key).values()), skipped=True)

    def _stage(self, key: str, pieces: Sequence[Piece], agent: str, progress: Progress, abort: AbortSignal) -> int:
        """Write most of a large file's new pieces beforehand, hidden, so that nobody else has to wait long for the
        ledger; how many. What is left of them after a crash is used the next time."""
        old = self._entries(key)
        missing = []
        for piece in pieces:
            new = _document(key, piece, agent)
            same = old.get(digest_of(new.text))
            if same:
                same.pop()
            else:
                missing.append(new)
        done = 0
        while len(missing) - done > AT_ONCE:
            abort.raise_if_aborted()
            with self._database.transaction() as connection:
                for new in missing[done : done + AT_ONCE]:
                    hidden = replace(fresh(new, self._memories.now()), state="archived", source=_HIDDEN)
                    self._memories.put(connection, hidden, new=True)
            done += AT_ONCE
            progress(done, len(pieces))
            abort.wait(PAUSE_S)
        return done

    def _hide(self, connection: sqlite3.Connection, gone: Sequence[Memory]) -> None:
        for memory in gone:
            self._memories.store(connection, replace(memory, state="archived", source=_HIDDEN))

    def _clear(self, key: str) -> None:
        """Delete what is hidden of a file."""
        self._delete([m.id for same in self._entries(key).values() for m in same if m.source == _HIDDEN])

    def _delete(self, ids: Sequence[str]) -> None:
        for start in range(0, len(ids), AT_ONCE):
            with self._database.transaction() as connection:
                self._memories.remove(connection, ids[start : start + AT_ONCE])
            time.sleep(PAUSE_S if len(ids) > AT_ONCE else 0)

    def _known(self, key: str, digest: str) -> bool:
        sql = "SELECT 1 FROM ingested_files WHERE tenant = ? AND path = ? AND digest = ?"
        return bool(self._database.query(sql, (self._memories.tenant, key, digest)))

    def _entries(self, key: str) -> dict[str, list[Memory]]:
        """By their digest, the oldest first."""
        found: dict[str, list[Memory]] = {}
        where = Group("$and", (Condition("kind", "$eq", "document"), Condition("origin", "$eq", "file")))
        for memory in reversed(self._memories.select(where, states=STATES)):
            if memory.evidence == key:
                found.setdefault(digest_of(memory.text), []).append(memory)
        return found

    def _put(self, connection: sqlite3.Connection, new: NewMemory, old: dict[str, list[Memory]]) -> None:
        """Take what is there of the piece from `old`, or write it."""
        same = old.get(digest_of(new.text))
        if not same:
            self._memories.insert(connection, new)
            return
        memory = same.pop(0)
        state = "active" if memory.source == _HIDDEN else memory.state
        if (memory.source, memory.state) != (new.source, state):
            self._memories.store(connection, replace(memory, source=new.source, state=state))


def _document(key: str, piece: Piece, agent: str) -> NewMemory:
    return checked(NewMemory("document", piece.text, "file", "all", agent=agent, source=piece.source, evidence=key))


def _pieces(name: str, found: Sequence[Section]) -> Iterator[Piece]:
    number = 0
    for section in found:
        place = 0
        for text in _texts(section):
            number, place = number + 1, place + 1
            page = f"p{section.page}" if place == 1 else f"p{section.page}.{place}"
            yield Piece(text, f"{name}#{page if section.page else number}")


def _texts(section: Section) -> Iterator[str]:
    """Each with the headings above it as its first line; of deep ones the innermost, as many as go."""
    line = ""
    for heading in reversed(section.headings):
        longer = f"{heading} > {line}" if line else heading
        if line and units(longer) > _HEADINGS:
            break
        line = longer
    whole = [text.strip() for text in chunks(section.text, max(PIECE - units(f"{line}\n"), PIECE / 3)) if text.strip()]
    yield from (f"{line}\n{text}" if line else text for text in whole)
    if line and not whole:
        yield line
