"""Whatever is called with whatever arguments: what belongs together stays together, and no tenant reaches another."""

from __future__ import annotations

import contextlib
import shutil
import sqlite3
import tempfile
from pathlib import Path

from hypothesis import given, settings
from hypothesis import strategies as st
from hypothesis.stateful import Bundle, RuleBasedStateMachine, initialize, invariant, rule
from memories_home import Home, contradictions

from localagent.errors import UsageError
from localagent.memory.documents import Documents
from localagent.memory.entries import Add, Change, Memory, NewMemory, Strengthen, Supersede
from localagent.memory.entry_rows import checked, clean, digest_of
from localagent.memory.filters import parse_filter
from localagent.memory.links import following, joined, without
from localagent.memory.memories import STATES
from localagent.memory.passages import Passages
from localagent.memory.transfer import export_lines, import_lines
from localagent.messages import user

any_text = st.text(st.characters(exclude_categories=()), max_size=30)
texts = any_text | st.sampled_from(["The deadline is Friday", "截止日期是星期五", "deadline", "Likes tea"])
kinds = st.sampled_from(["fact", "preference", "event", "todo"])
ids = st.sampled_from(["a", "b", "c", "d", "e"])
links = st.dictionaries(ids, ids | st.just("gone"))


class TwoTenants(RuleBasedStateMachine):
    """The tenant `mine` does everything it can, also with ids, threads and messages of `theirs`."""

    keys = Bundle("keys")  # ids of entries of both
    lines = Bundle("lines")  # exports of both

    @initialize(target=keys)
    def start(self) -> str:
        self.folder = Path(tempfile.mkdtemp())
        self.home = Home(self.folder / "ledger.sqlite3")
        self.mine, self.theirs = self.home.memories("mine"), self.home.memories("theirs")
        self.threads = [self.home.ledger.create_thread("a", tenant=tenant).id for tenant in ("mine", "theirs")]
        self.messages = [self.home.ledger.append(thread, user("deadline")).id for thread in self.threads]
        file = self.folder / "theirs.md"
        file.write_text("# Theirs\n\nThe deadline is Friday", "utf-8")
        Documents(self.theirs, self.home.ledger.database).ingest(file)
        old = self.theirs.write([Add(NewMemory("fact", "The deadline is Friday", scope="all"))])[0]
        new = NewMemory("fact", "The deadline is Monday", scope="all", message_id=self.messages[1])
        self.their_ids = {memory.id for memory in self.theirs.write([Supersede(old.id, new)])} | {old.id}
        self.before = self.theirs_now()
        return old.id

    def theirs_now(self) -> list[tuple[object, ...]]:
        with contextlib.closing(sqlite3.connect(self.home.path)) as connection:
            found = connection.execute("SELECT * FROM memories WHERE tenant = 'theirs' ORDER BY id").fetchall()
            found += connection.execute("SELECT * FROM passages WHERE tenant = 'theirs' ORDER BY row").fetchall()
            found += connection.execute("SELECT * FROM ingested_files WHERE tenant = 'theirs'").fetchall()
            found += connection.execute(
                "SELECT * FROM unread_messages WHERE message_id = ?", self.messages[1:]
            ).fetchall()
            return found

    def teardown(self) -> None:
        self.home.close()
        shutil.rmtree(self.folder)

    def ours(self, found: list[Memory]) -> None:
        mine = {str(row[0]) for row in self.home.ledger.database.query("SELECT id FROM memories WHERE tenant = 'mine'")}
        assert {memory.id for memory in found} <= mine

    @rule(target=keys)
    def one_of_theirs(self) -> str:
        return sorted(self.their_ids)[0]

    @rule(target=lines, whose=st.booleans())
    def export(self, whose: bool) -> list[str]:
        return list(export_lines(self.mine if whose else self.theirs))

    @rule(
        target=keys, text=texts, kind=kinds, message=st.none() | st.integers(0, 1), read=st.none() | st.integers(0, 1)
    )
    def add(self, text: str, kind: str, message: int | None, read: int | None) -> str:
        named = None if message is None else self.messages[message]
        new = NewMemory(kind, text, message_id=named, agent=text, source=text)  # type: ignore[arg-type]
        return self.write(Add(new), None if read is None else self.messages[read])

    @rule(target=keys, key=keys, text=texts, cut=st.integers(3, 16))
    def supersede(self, key: str, text: str, cut: int) -> str:
        return self.write(Supersede(key[:cut], NewMemory("fact", text)), None)

    @rule(key=keys, importance=st.floats(-1, 2))
    def strengthen(self, key: str, importance: float) -> None:
        self.write(Strengthen(key, importance), None)

    def write(self, change: Change, read: int | None) -> str:
        with contextlib.suppress(UsageError):
            written = self.mine.write([change], read=read)
            self.ours(written)
            return written[0].id if written else "none"
        return "none"

    @rule(key=keys, text=texts, what=st.integers(0, 7))
    def change(self, key: str, text: str, what: int) -> None:
        with contextlib.suppress(UsageError):
            match what:
                case 0:
                    self.ours([self.mine.edit(key, text=text, scope="all")])
                case 1:
                    self.ours([self.mine.pin(key)])
                case 2:
                    self.mine.archive([key])
                case 3:
                    self.ours([self.mine.restore(key)])
                case 4:
                    self.mine.forget([key])
                case 5:
                    self.ours(self.mine.chain(key))
                case 6:
                    self.mine.reinforce([key, *self.their_ids])
                case 7:
                    self.ours([self.mine.get(key)])

    @rule(text=texts, thread=st.integers(0, 1))
    def look(self, text: str, thread: int) -> None:
        self.ours(self.mine.alike(text, ["fact", "document", "preference"]))
        self.ours(self.mine.select(states=STATES))
        for data in (
            {"thread_id": self.threads[thread]},
            {"$or": [{"agent": text}, {"agent": {"$ne": text}}]},
            {"agent": "' OR tenant = 'theirs"},
            {"said_at": {"$gt": 0}},
        ):
            self.ours(self.mine.select(parse_filter(data), states=STATES))  # type: ignore[arg-type]
        assert self.messages[1] not in self.mine.unread()

    @rule(lines=lines)
    def bring_in(self, lines: list[str]) -> None:
        if lines:
            import_lines(self.mine, lines)
            before = list(export_lines(self.mine))
            counts = import_lines(self.mine, lines)
            assert (counts.added, counts.updated) == (0, 0)
            assert list(export_lines(self.mine)) == before

    @rule()
    def take_in(self) -> None:
        Documents(self.mine, self.home.ledger.database).ingest(self.folder / "theirs.md")

    @rule(message=st.integers(0, 1))
    def retract(self, message: int) -> None:
        with self.home.ledger.database.transaction() as connection:
            self.mine.retract(connection, self.messages[message])

    @rule()
    def take_changed(self) -> None:
        Passages(self.home.ledger.database, "mine").take_changed(undone=self.mine.retract)

    @invariant()
    def theirs_is_as_it_was(self) -> None:
        assert self.theirs_now() == self.before

    @invariant()
    def what_belongs_together_is_together(self) -> None:
        assert contradictions(self.home.path) == []


TestTwoTenants = TwoTenants.TestCase
TestTwoTenants.settings = settings(max_examples=25, stateful_step_count=20, deadline=None)


@given(any_text)
@settings(deadline=None)
def test_a_clean_text_stays_as_it_is(text: str) -> None:
    assert clean(clean(text)) == clean(text)
    clean(text).encode("utf-8")
    assert digest_of(f" {text}\n") == digest_of(text)
    with contextlib.suppress(UsageError):
        new = checked(NewMemory("fact", text, evidence=text, source=text, agent=text))
        assert checked(new) == new


@given(links, ids, st.sets(ids))
@settings(deadline=None)
def test_links_end_and_stay_joined(links: dict[str, str], one: str, gone: set[str]) -> None:
    assert one in joined(links, one) and one not in following(links, one)
    for other in joined(links, one):
        assert joined(links, other) == joined(links, one)
    new = without(links, gone)
    assert not gone & set(new) and not gone & set(new.values())
    for older, newer in new.items():
        assert newer == "" or newer in following(links, older)
