"""The entries of long-term memory, in the ledger: written, found by their words, changed, forgotten."""

from __future__ import annotations

import sqlite3
import time
from collections.abc import Callable, Iterable, Sequence
from dataclasses import replace
from typing import get_args

from localagent.errors import CANDIDATES, Ambiguous, UsageError
from localagent.memory import hidden
from localagent.memory.alike import best_matches
from localagent.memory.base import Words
from localagent.memory.database import Database, Value, erase_words
from localagent.memory.entries import (
    Add,
    Change,
    Kind,
    Memory,
    NewMemory,
    PutAway,
    Scope,
    State,
    Strengthen,
    Supersede,
    TakePlace,
)
from localagent.memory.entry_rows import (
    FIELDS,
    SELECT,
    checked,
    choice,
    clean_text,
    digest_of,
    fresh,
    insertion,
    marks,
    memory_of,
    number,
    of_kind,
    plain,
    replacement,
    shown,
)
from localagent.memory.filters import Filter, to_sql
from localagent.memory.links import following, joined, without
from localagent.memory.partly import correct_in_part, correct_nothing, corrections, set_right
from localagent.memory.passages import Passages
from localagent.memory.sources import mark_read, stands, thread_of, unread
from localagent.memory.superseding import put_in_place, take_place

# Ids begin with the time: shorter beginnings would fit nearly everything.
SHORTEST_PREFIX = 4
STATES: tuple[State, ...] = get_args(State)

# Each of these counts by itself, however often the words are the same.
_NEVER_DOUBLES = ("event", "emotion", "document")


class SqliteMemories:
    """`Memories` in a ledger's file, for any number of processes. Every id may be given by its beginning."""

    def __init__(self, database: Database, passages: Passages, *, now: Callable[[], float] = time.time) -> None:
        self.database = database
        self.now = now
        self._passages = passages

    @property
    def tenant(self) -> str:
        return self._passages.tenant

    def write(
        self,
        changes: Sequence[Change],
        *,
        read: int | None = None,
        unsaid: Sequence[tuple[int, str]] = (),
        again: Sequence[tuple[str, str]] = (),
    ) -> list[Memory]:
        """What is added in the words of an active entry of the same kind, scope and subject strengthens that one (not
        events, emotions and documents: they may repeat). What supersedes an entry that another one has superseded
        meanwhile takes the place of that one. From a message that was taken back nothing is written."""
        ready = [
            replace(change, new=checked(change.new)) if isinstance(change, Add | Supersede) else change
            for change in changes
        ]
        with self.database.transaction() as connection:
            if read is not None and not mark_read(self.database, connection, self.tenant, read):
                return []
            hidden.hide_all(connection, unsaid, asked_by=read)
            hidden.hide_again(connection, read, again)
            ids = [self._apply(connection, change, read) for change in ready]
            return [self.get(memory_id) for memory_id in ids]

    def get(self, key: str) -> Memory:
        key = plain(key).strip()
        found = self._rows("id = ?", key)
        if not found and len(key) >= SHORTEST_PREFIX:
            prefix = key.lower()
            between = "id >= ? AND id < ? ORDER BY id LIMIT ?"
            found = self._rows(between, prefix, f"{prefix}\U0010ffff", CANDIDATES + 1)
        if len(found) == 1:
            return found[0]
        if found:
            which = [f"{memory.id} {shown(memory.text)}" for memory in found]
            raise Ambiguous(f"several entries begin with {shown(key)}", which)
        hint = f"See: localagent memory list (an id, or {SHORTEST_PREFIX} characters or more that it alone begins with)"
        raise UsageError(f"there is no entry {shown(key)}", hint=hint)

    def find(self, memory_id: str) -> Memory | None:
        """By its whole id."""
        found = self._rows("id = ?", memory_id)
        return found[0] if found else None

    def select(
        self,
        where: Filter | None = None,
        *,
        states: Sequence[State] = ("active",),
        pinned: bool | None = None,
        limit: int | None = None,
    ) -> list[Memory]:
        condition, parameters = to_sql(where, FIELDS) if where is not None else ("1", [])
        if pinned is not None:
            condition += f" AND pinned = {int(pinned)}"
        sql = f"state IN ({marks(states)}) AND {condition} ORDER BY created_at DESC, rowid DESC LIMIT ?"
        return self._rows(sql, *states, *parameters, -1 if limit is None else max(0, limit), tenant="tenant")

    def alike(self, text: str, kinds: Iterable[Kind], *, limit: int = 10) -> list[Memory]:
        """Those in the very same words come first, then by BM25 of the words they share."""
        kinds, limit, text = tuple(kinds), max(0, limit), plain(text)
        same = f"digest = ? AND +state = 'active' AND +kind IN ({marks(kinds)}) ORDER BY created_at LIMIT ?"
        found = {memory.id: memory for memory in self._rows(same, digest_of(text), *kinds, limit, tenant="tenant")}
        for memory_id in best_matches(self.database, self.tenant, text, kinds, limit):
            found.setdefault(memory_id, self.get(memory_id))
        return list(found.values())[:limit]

    def edit(
        self,
        memory_id: str,
        *,
        text: str | None = None,
        kind: Kind | None = None,
        scope: Scope | None = None,
        importance: float | None = None,
        said: Sequence[tuple[int, str]] = (),
    ) -> Memory:
        """The id stays. Importance and decay follow a new kind where they were the old kind's own. UsageError for a
        text that is empty or too long, and for `thread` as the scope of an entry that comes from none."""
        with self.database.transaction() as connection:
            old = self.get(memory_id)
            new = of_kind(old, kind) if kind is not None else old
            new = replace(new, text=clean_text(text)) if text is not None else new
            if scope is not None:
                choice("scope", scope)
                if scope == "thread" and not new.thread_id:
                    raise UsageError(f"entry {old.id} comes from no thread: it cannot be kept to one")
                new = replace(new, scope=scope)
            new = replace(new, importance=number("importance", importance, 1.0)) if importance is not None else new
            if new != old:
                new = replace(new, accessed_at=max(new.accessed_at, self.now()))
                self.put(connection, new)
            if new.text != old.text:
                set_right(connection, new.id)
                hidden.reword(connection, old, new, said)
        return new

    def pin(self, memory_id: str, pinned: bool = True) -> Memory:
        with self.database.transaction() as connection:
            memory = replace(self.get(memory_id), pinned=pinned)
            connection.execute("UPDATE memories SET pinned = ? WHERE id = ?", (pinned, memory.id))
        return memory

    def archive(self, memory_ids: Iterable[str]) -> int:
        with self.database.transaction() as connection:
            sql = "UPDATE memories SET state = 'archived' WHERE id = ? AND state = 'active'"
            return sum(connection.execute(sql, (memory_id,)).rowcount for memory_id in self._whole(memory_ids))

    def restore(self, memory_id: str, *, both: bool = False) -> Memory:
        """It counts as just used, so that it does not fade again at once. What had superseded it is archived as
        superseded by it: restoring that one undoes this. One that is active holds as a whole again."""
        now = self.now()
        with self.database.transaction() as connection:
            memory = self.get(memory_id)
            if memory.state == "active":
                set_right(connection, memory.id)
                return memory
            for newer in () if both else self._successors(memory):
                connection.execute(
                    "UPDATE memories SET state = 'archived', superseded_by = ?, valid_to = max(valid_from, ?) "
                    "WHERE id = ? AND tenant = ? AND state = 'active'",
                    (memory.id, now, newer.id, self.tenant),
                )
            hidden.reactivate(connection, memory.id)
            connection.execute("UPDATE memories SET accessed_at = max(accessed_at, ?) WHERE id = ?", (now, memory.id))
            return self.get(memory.id)

    def said_alike(self, text: str, *, limit: int = 10) -> list[Words]:
        return hidden.said_alike(self.database, self.tenant, text, max(0, limit))

    def corrections(self, memory_ids: Iterable[str]) -> dict[str, list[str]]:
        return corrections(self.database, self.tenant, memory_ids)

    def hidden_in(self, message_id: int) -> list[str]:
        return [clause for _, _, clause in hidden.hidden_clauses(self.database, [message_id])]

    def put_away(self, *, limit: int | None = None) -> list[Memory]:
        newest = f"{hidden.PUT_AWAY} ORDER BY created_at DESC LIMIT ?"
        return self._rows(newest, -1 if limit is None else max(0, limit), tenant="tenant")

    def forget(self, memory_ids: Iterable[str], *, said: Sequence[tuple[int, str]] = ()) -> int:
        """How many. What they had superseded is then superseded by what came after them, or by nothing that is left.
        The clauses that they were made of are not recalled from their messages."""
        with self.database.transaction() as connection:
            ids = self._whole(memory_ids)
            for memory_id in ids:
                hidden.hide_entry(connection, self.get(memory_id))
            hidden.hide_all(connection, said)
            self.remove(connection, ids)
            if ids:
                erase_words(connection)
        if ids:
            self.database.forget()
        return len(ids)

    def chain(self, memory_id: str) -> list[Memory]:
        with self.database.transaction("DEFERRED"):
            memory = self.get(memory_id)
            links = self._links()
            ids = tuple(joined(links, memory.id))
            found = self._rows(f"id IN ({marks(ids)}) ORDER BY valid_from, created_at", *ids)
        # At one time, the one that was superseded first.
        return sorted(found, key=lambda one: (one.valid_from, -len(following(links, one.id))))

    def reinforce(self, memory_ids: Sequence[str]) -> None:
        """Whole ids only; those that were forgotten meanwhile are left out."""
        now, ids = self.now(), list(dict.fromkeys(map(plain, memory_ids)))
        if not ids:
            return
        with self.database.transaction() as connection:
            there = [memory_id for memory_id in ids if self.find(memory_id)]
            connection.executemany(
                "UPDATE memories SET access_count = access_count + 1, accessed_at = max(accessed_at, ?), "
                "association_count = association_count + ? WHERE id = ?",
                [(now, len(there) - 1, memory_id) for memory_id in there],
            )

    def unread(self, limit: int = 100) -> list[int]:
        """Without those that were taken back."""
        return unread(self.database, self.tenant, limit)

    def retract(self, connection: sqlite3.Connection, message_id: int) -> None:
        """A message was taken back: what was made of it is archived, and what that had superseded counts again, or is
        superseded by what came later; what it had put away or replaced counts again. In the caller's transaction."""
        made = self._rows(
            "message_id = ? AND thread_id = (SELECT thread_id FROM messages WHERE id = ?)", message_id, message_id
        )
        mark_read(self.database, connection, self.tenant, message_id)
        for memory_id in hidden.take_back(connection, message_id):
            if self.get(memory_id).state != "active":
                hidden.reactivate(connection, memory_id)
        if not made:
            return
        gone = {memory.id for memory in made}
        correct_nothing(connection, gone)
        for older, newer in without(self._links(), gone).items():
            if newer:
                connection.execute("UPDATE memories SET superseded_by = ? WHERE id = ?", (newer, older))
            elif self.get(older).state == "superseded":
                hidden.reactivate(connection, older)
        connection.executemany("UPDATE memories SET state = 'archived' WHERE id = ?", [(one,) for one in gone])

    def insert(self, connection: sqlite3.Connection, new: NewMemory, valid_from: float | None = None) -> Memory:
        """A new entry, of what `checked` has seen, inside the caller's transaction."""
        memory = fresh(replace(new, thread_id=thread_of(self.database, self.tenant, new)), self.now(), valid_from)
        self.put(connection, memory, new=True)
        return memory

    def put(self, connection: sqlite3.Connection, memory: Memory, *, new: bool = False) -> None:
        """Store an entry as it is, inside the caller's transaction: a new one, or in the place of the one with its
        id."""
        connection.execute(*(insertion if new else replacement)(memory, self.tenant))
        self._passages.put_memory(connection, memory)

    def store(self, connection: sqlite3.Connection, memory: Memory) -> None:
        """Change fields that are not searched, inside the caller's transaction."""
        connection.execute(*replacement(memory, self.tenant))

    def remove(self, connection: sqlite3.Connection, ids: Sequence[str]) -> None:
        """Delete entries (whole ids) with their passages, inside the caller's transaction."""
        sql = "id = ? AND kind = 'document' AND evidence <> ''"
        files = {memory.evidence for memory_id in ids for memory in self._rows(sql, memory_id)}
        links = without(self._links(), set(ids))
        connection.executemany("UPDATE memories SET superseded_by = ? WHERE id = ?", [(n, o) for o, n in links.items()])
        connection.executemany("DELETE FROM memories WHERE id = ? AND tenant = ?", [(one, self.tenant) for one in ids])
        connection.executemany(
            "DELETE FROM ingested_files WHERE tenant = ? AND path = ? AND NOT EXISTS (SELECT 1 FROM memories m "
            "WHERE m.tenant = ingested_files.tenant AND m.kind = 'document' AND m.evidence = ingested_files.path)",
            [(self.tenant, path) for path in files],
        )

    def _rows(self, condition: str, *parameters: Value, tenant: str = "+tenant") -> list[Memory]:
        """Without a plus sign, SQLite may look by the tenant first: it would for an id, which is slow."""
        rows = self.database.query(f"{SELECT} WHERE {tenant} = ? AND {condition}", (self.tenant, *parameters))
        try:
            return [memory_of(row) for row in rows]
        except (ValueError, TypeError) as error:
            raise self.database.damaged(f"an entry cannot be read: {error}") from error

    def _successors(self, memory: Memory) -> list[Memory]:
        """What took its place, and what took the place of that, in order."""
        found: list[Memory] = []
        newer = self.find(memory.superseded_by)
        while newer is not None and newer != memory and newer not in found:
            found.append(newer)
            newer = self.find(newer.superseded_by)
        return found

    def _links(self) -> dict[str, str]:
        """Active entries have none."""
        sql = (
            "SELECT id, superseded_by FROM memories "
            "WHERE tenant = ? AND state IN ('superseded', 'archived') AND superseded_by <> ''"
        )
        return {str(older): str(newer) for older, newer in self.database.query(sql, (self.tenant,))}

    def _whole(self, keys: Iterable[str]) -> list[str]:
        """Ids, once each."""
        return list(dict.fromkeys(self.get(key).id for key in keys))

    def _apply(self, connection: sqlite3.Connection, change: Change, read: int | None) -> str:
        match change:
            case Add(new, in_part):
                double = self._double(new)
                if double is not None:
                    return self._strengthen(connection, double, new.importance or 0.0, read)
                added = self.insert(connection, new).id
                correct_in_part(connection, in_part, added)
                return added
            case Strengthen(memory_id, importance):
                memory = self.get(memory_id)
                return self._strengthen(connection, memory, number("importance", importance, 1.0), read)
            case PutAway():
                return self._put_away(connection, change, read)
            case TakePlace(memory_id, newer_id, asked):
                return take_place(connection, self.get(newer_id), self.get(memory_id), asked, read)
        return self._supersede(connection, change)

    def _double(self, new: NewMemory) -> Memory | None:
        if new.kind in _NEVER_DOUBLES:
            return None
        # Other plus signs keep SQLite to the index of digests: of one kind there may be very many.
        found = self._rows(
            "digest = ? AND +kind = ? AND subject = ? AND scope = ? AND +state = 'active' AND due_at IS ? "
            # What the user says for the first time is more than the same words of a tool.
            "AND origin IN (?, 'user') AND CASE scope WHEN 'agent' THEN agent = ? WHEN 'thread' THEN thread_id = ? "
            "ELSE 1 END ORDER BY origin = 'user' DESC, created_at LIMIT 1",
            *(digest_of(new.text), new.kind, new.subject, new.scope, new.due_at, new.origin, new.agent, new.thread_id),
            tenant="tenant",
        )
        return found[0] if found else None

    def _strengthen(self, connection: sqlite3.Connection, memory: Memory, importance: float, read: int | None) -> str:
        stronger = replace(
            memory,
            importance=max(memory.importance, importance),
            accessed_at=max(memory.accessed_at, self.now()),
            access_count=memory.access_count + 1,
        )
        if memory.state == "archived" and not memory.superseded_by:
            stronger = replace(stronger, state="active", valid_to=None)
            hidden.show_again(connection, memory.id)
        if read is not None and memory.message_id is not None and not stands(self.database, memory):
            # It was taken back, and then said again: it goes on with the message that says it now.
            ((thread_id,),) = self.database.query("SELECT thread_id FROM messages WHERE id = ?", (read,))
            if memory.scope != "thread" or thread_id == memory.thread_id:
                stronger = replace(stronger, message_id=read, thread_id=str(thread_id))
        if stronger.thread_id != memory.thread_id:
            self.put(connection, stronger)
        else:
            self.store(connection, stronger)
        return memory.id

    def _put_away(self, connection: sqlite3.Connection, change: PutAway, read: int | None) -> str:
        memory = self.get(change.memory_id)
        if memory.state == "active":
            self.store(connection, replace(memory, state="archived", valid_to=max(memory.valid_from, self.now())))
            hidden.hide_entry(connection, memory, memory_id=memory.id, asked_by=read)
            hidden.hide_all(connection, ((read, change.asked), *change.said), memory_id=memory.id, asked_by=read)
        return memory.id

    def _supersede(self, connection: sqlite3.Connection, change: Supersede) -> str:
        old = self.get(change.memory_id)
        last = [old, *self._successors(old)][-1]
        also = [one for one in map(self.get, change.also) if one.state == "active"]
        memory = self.insert(connection, change.new, max(self.now(), *(one.valid_from for one in (last, *also))))
        put_in_place(connection, memory, (last, *also))
        correct_in_part(connection, change.in_part, memory.id)
        return memory.id
