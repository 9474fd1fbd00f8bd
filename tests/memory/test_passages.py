"""What of messages, entries and imported lines can be searched, and where it stands."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Iterator
from datetime import datetime
from pathlib import Path

import pytest
from hypothesis import settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, initialize, invariant, precondition, rule
from memories_home import Clock, Home

from localagent.memory.chunks import units
from localagent.memory.entries import Add, NewMemory
from localagent.memory.language import date_words, words
from localagent.memory.ledger import SqliteLedger
from localagent.memory.memories import SqliteMemories
from localagent.memory.passages import PIECES_AT_ONCE, Passages
from localagent.memory.searching import Line
from localagent.messages import (
    AttachmentPart,
    Message,
    TextPart,
    ThinkingPart,
    ToolCallPart,
    ToolResultPart,
    assistant,
    system,
    user,
)

CHILD = Path(__file__).with_name("passages_child.py")
ROOT = CHILD.parent.parent.parent
HOUR = 3600.0


@pytest.fixture
def home(tmp_path: Path) -> Iterator[Home]:
    made = Home(tmp_path / "ledger.sqlite3")
    yield made
    made.close()


@pytest.fixture
def passages(home: Home) -> Passages:
    return Passages(home.ledger.database, "default")


@pytest.fixture
def thread(home: Home) -> str:
    return home.ledger.create_thread("a").id


def stored(home: Home, columns: str = "text") -> list[tuple[object, ...]]:
    return list(home.ledger.database.query(f"SELECT {columns} FROM passages ORDER BY row"))


def texts(home: Home) -> list[object]:
    return [text for (text,) in stored(home)]


def give_vectors(home: Home) -> None:
    """As if everything had been embedded and indexed."""
    with home.ledger.database.transaction() as connection:
        connection.execute("INSERT OR IGNORE INTO embedders (id, name, version, dimension) VALUES (1, 'e', '1', 1)")
        connection.execute(
            "INSERT OR REPLACE INTO vectors (embedder_id, row, vector, generation) SELECT 1, row, 'x', 1 FROM passages"
        )


def with_vectors(home: Home, condition: str = "1") -> set[object]:
    sql = f"SELECT p.text FROM vectors v JOIN passages p ON p.row = v.row WHERE {condition}"
    return {text for (text,) in home.ledger.database.query(sql)}


def test_what_of_a_message_is_searched(home: Home, passages: Passages, thread: str) -> None:
    call = ToolCallPart("1", "clock", {})
    said = [
        user("look at this", [AttachmentPart("notes.md", "file words")]),
        Message("assistant", (ThinkingPart("secret thought"), TextPart("let me see"), call)),
        Message("tool", (ToolResultPart("1", "clock", "it is noon"),)),
        Message("tool", (ToolResultPart("2", "memory_search", "what was recalled"),)),
        assistant("好的，中午了"),
        system("never"),
        user(" \n "),
    ]
    for message in said:
        home.ledger.append(thread, message)
    assert passages.take_changed() == 6  # a system message is nobody's words
    assert passages.take_changed() == 0
    assert stored(home, "text, speaker, origin") == [
        ("look at this", "user", "user"),
        ("file words", "notes.md", "file"),
        ("let me see", "assistant", "assistant"),
        ("it is noon", "clock", "tool"),
        ("好的，中午了", "assistant", "assistant"),
    ]
    labels = "DISTINCT tenant, source, kind, scope, agent, thread_id"
    (row,) = home.ledger.database.query(f"SELECT {labels} FROM passages")
    assert row == ("default", "message", "message", "agent", "a", thread)
    assert sorted(passages.speakers()) == ["assistant", "clock", "notes.md", "user"]


def test_what_is_embedded_says_who_spoke(home: Home, passages: Passages, thread: str) -> None:
    home.ledger.append(thread, user("hello"))
    passages.take_changed()
    home.add("The router is at 10.0.7.1")
    rows = [row for (row,) in home.ledger.database.query("SELECT row FROM passages ORDER BY row")]
    assert list(passages.texts(rows).values()) == ["user: hello", "The router is at 10.0.7.1"]
    found = passages.get([rows[1], 5, rows[0]])
    assert [(one.text, one.memory is not None) for one in found] == [
        ("The router is at 10.0.7.1", True),
        ("hello", False),
    ]
    assert (found[1].message_id, found[1].speaker, found[1].thread_id) == (1, "user", thread)
    assert Passages(home.ledger.database, "other").get(rows) == []
    assert Passages(home.ledger.database, "other").texts(rows) == {}
    assert Passages(home.ledger.database, "other").speakers() == []


def test_neighbours_and_sessions(home: Home, passages: Passages) -> None:
    start = datetime(2026, 5, 8, 9).timestamp()
    times = [0, 1, 2, 2 + 7 * HOUR, 3 + 7 * HOUR, 2.5 + 7 * HOUR]
    rows = passages.add_said("talk", [Line(f"w{n}", "Ana", start + time) for n, time in enumerate(times)])
    assert [row - rows[0] for row in rows] == [0, 1, 2, 10, 11, 12]
    sessions = [one.session for one in passages.get(rows)]
    assert sessions[0] == sessions[1] == sessions[2] != sessions[3] == sessions[4] == sessions[5]
    index = home.ledger.database.query("SELECT body, near, far FROM passage_words WHERE rowid > 0 ORDER BY rowid")
    assert [(str(near).split(), str(far).split()) for _, near, far in index[:4]] == [
        (["ana", "w1"], ["ana", "w2"]),
        (["ana", "w0", "ana", "w2"], []),
        (["ana", "w1"], ["ana", "w0"]),
        (["ana", "w4"], ["ana", "w5"]),
    ]
    assert index[0][0] == "ana w0 8 may 2026 d20260508 ym202605 md0508 m05 y2026"
    # More of the same talk, by another opening of it.
    (more,) = Passages(home.ledger.database, "default").add_said("talk", [Line("w6", "Bo", start + 8 * HOUR)])
    assert more == rows[-1] + 1
    assert passages.add_said("other", [Line("w7", "Bo", start)])[0] >> 24 != more >> 24
    assert Passages(home.ledger.database, "b").add_said("talk", [Line("w", "Bo", start)])[0] >> 24 != more >> 24


def test_a_line_is_known_by_its_first_piece(passages: Passages) -> None:
    rows = passages.add_said(
        "s", [Line("字" * 900, "", 0.0), Line("\x00 ", "", 0.0), Line("  ", "", 0.0), Line("b", "", 0.0)]
    )
    assert rows[1:] == [rows[0] + 3, 0, rows[0] + 4]
    assert [one.part for one in passages.get(range(rows[0], rows[0] + 4))] == [0, 1, 2, 0]


def test_a_revision_keeps_the_vectors_of_what_stayed(home: Home, passages: Passages, thread: str) -> None:
    begun = home.ledger.append(thread, assistant("one"), status="incomplete")
    other = home.ledger.append(thread, user("next"))
    passages.take_changed()
    give_vectors(home)
    home.ledger.revise(begun, assistant("one"), "complete")
    assert passages.take_changed() == 1
    assert with_vectors(home) == {"one", "next"}
    home.ledger.revise(begun, assistant("one two"), "complete")
    passages.take_changed()
    assert texts(home) == ["one two", "next"]
    assert with_vectors(home) == {"next"}
    home.ledger.revise(other, user("下一步"), "complete")
    passages.take_changed()
    assert texts(home) == ["one two", "下一步"]


def test_an_answer_that_grows_makes_room(home: Home, passages: Passages, thread: str) -> None:
    """Others wrote to the thread while it was arriving: they stay behind it, and side by side."""
    home.ledger.append(thread, user("first"))
    begun = home.ledger.append(thread, assistant("begun"), status="incomplete")
    empty = home.ledger.append(thread, assistant(""), status="incomplete")
    home.ledger.append(thread, user("later"))
    home.ledger.append(thread, user("last"))
    passages.take_changed()
    long = "\n\n".join(f"{letter * 1300}" for letter in "xyz")
    home.ledger.revise(begun, assistant(long), "complete")
    passages.take_changed()
    home.ledger.revise(empty, assistant("after all"), "complete")
    passages.take_changed()
    assert [str(text)[:9] for text in texts(home)] == [
        "first", "xxxxxxxxx", "yyyyyyyyy", "zzzzzzzzz", "after all", "later", "last"
    ]  # fmt: skip
    rows = [row for (row,) in home.ledger.database.query("SELECT row FROM passages ORDER BY row")]
    assert rows == list(range(int(str(rows[0])), int(str(rows[0])) + 7))
    assert home.ledger.database.query("SELECT * FROM removed_keys") == []  # all keys are in use
    home.ledger.revise(begun, assistant("short"), "complete")
    passages.take_changed()
    assert [str(text)[:9] for text in texts(home)] == ["first", "short", "after all", "later", "last"]
    assert len(home.ledger.database.query("SELECT * FROM removed_keys")) == 2


def test_what_was_taken_back_is_found_no_more(home: Home, passages: Passages, thread: str) -> None:
    for text in ("kept", "answer", "regretted", "答复"):
        home.ledger.append(thread, user(text) if text in ("kept", "regretted") else assistant(text))
    passages.take_changed()
    home.ledger.undo(thread)
    told: list[int] = []
    assert passages.take_changed(undone=lambda connection, message_id: told.append(message_id)) == 2
    assert told == [3, 4]
    assert texts(home) == ["kept", "answer"]
    home.ledger.append(thread, user("again"))
    passages.take_changed()
    rows = [int(str(row)) for (row,) in home.ledger.database.query("SELECT row FROM passages ORDER BY row")]
    assert rows == [rows[0], rows[0] + 1, rows[0] + 2]  # the conversation goes on where it was


def test_a_callback_that_fails_leaves_the_message_in_the_queue(home: Home, passages: Passages, thread: str) -> None:
    home.ledger.append(thread, user("x"))
    passages.take_changed()
    home.ledger.undo(thread)

    def fails(connection: object, message_id: int) -> None:
        raise RuntimeError

    with pytest.raises(RuntimeError):
        passages.take_changed(undone=fails)
    assert texts(home) == ["x"]
    assert passages.take_changed() == 1
    assert texts(home) == []


def test_entries(home: Home, passages: Passages) -> None:
    memory = home.add("小明的生日是五月八日", kind="fact")
    long = home.add("\n\n".join("字" * 300 for _ in range(3)))
    assert stored(home, "key, part")[0] == (f"{memory.id}.0", 0)
    assert [key for (key,) in stored(home, "key")[1:]] == [f"{long.id}.{part}" for part in range(3)]
    give_vectors(home)
    home.memories().edit(memory.id, kind="event")
    assert memory.text in with_vectors(home)
    assert with_vectors(home, "v.generation = 0") == {memory.text}  # the index has the old kind
    home.memories().edit(memory.id, text="小明的生日是五月九日")
    assert "小明的生日是五月九日" in texts(home)
    assert not {"小明的生日是五月九日", memory.text} & with_vectors(home)
    home.memories().forget([memory.id, long.id])
    assert texts(home) == []
    assert home.ledger.database.query("SELECT count(*) FROM passage_words WHERE rowid > 0") == [(0,)]
    rows = {row for (row,) in home.ledger.database.query("SELECT id FROM streams")}
    home.add("new")
    assert int(str(stored(home, "row")[0][0])) >> 24 not in rows  # a row of something forgotten is nothing else's


def test_an_appointment_is_found_by_its_day(home: Home) -> None:
    home.add("dentist", kind="event", due_at=datetime(2031, 3, 4, 9).timestamp())
    ((body,),) = home.ledger.database.query("SELECT body FROM passage_words WHERE rowid > 0")
    assert date_words(datetime(2031, 3, 4).date()) in str(body)


def test_threads_of_others_are_left_to_them(home: Home, passages: Passages, thread: str) -> None:
    theirs = home.ledger.create_thread("a", tenant="other").id
    home.ledger.append(theirs, user("not mine"))
    home.ledger.append(thread, user("mine"))
    assert passages.take_changed() == 1
    assert passages.take_changed() == 0
    assert texts(home) == ["mine"]
    other = Passages(home.ledger.database, "other")
    assert other.take_changed() == 1
    assert stored(home, "text, tenant") == [("mine", "default"), ("not mine", "other")]


def test_a_thread_that_is_deleted_takes_everything_along(home: Home, passages: Passages, thread: str) -> None:
    home.ledger.append(thread, user("gone"))
    passages.take_changed()
    home.ledger.append(thread, user("never seen"))
    home.ledger.delete_thread(thread)
    assert passages.take_changed() == 0
    assert texts(home) == []
    assert home.ledger.database.query("SELECT count(*) FROM passage_words WHERE rowid > 0") == [(0,)]


def test_what_cannot_be_stored_and_what_is_odd(home: Home, passages: Passages, thread: str) -> None:
    odd = [
        "a\x00b \ud83d c",
        "\u202eabc שלום",
        "Z\u0310\u0308\u0301a\u0334l\u0335go",
        "\U0001f600\U0001f468\u200d\U0001f469",
    ]
    for text in odd:
        home.ledger.append(thread, user(text))
    home.ledger.append(thread, user("x", [AttachmentPart("bad\x00\ud800\nname" * 40, "file")]))
    assert passages.take_changed() == 5
    assert texts(home)[:4] == ["a\ufffdb \ufffd c", *odd[1:]]
    (speaker,) = (name for (name,) in stored(home, "speaker") if name != "user")
    assert str(speaker).startswith("bad\ufffd\ufffd name") and len(str(speaker)) == 100


def test_very_long_messages(home: Home, passages: Passages, thread: str) -> None:
    home.ledger.append(thread, user("x" * 100_000))
    home.ledger.append(thread, user("很长的文字" * 20_000))
    home.ledger.append(thread, user("short"))
    done = []
    while count := passages.take_changed():
        done.append(count)
    assert len(done) > 1 and sum(done) == 3  # others had their turn in between
    found = [str(text) for text in texts(home)]
    assert sum(map(len, found)) == 200_005
    assert all(units(text) <= 400 for text in found)
    assert len(found) > PIECES_AT_ONCE


def test_a_message_that_cannot_be_read_does_not_hold_up_the_others(home: Home, passages: Passages, thread: str) -> None:
    broken = home.ledger.append(thread, user("broken"))
    home.ledger.append(thread, user("sound"))
    with home.ledger.database.transaction() as connection:
        connection.execute("UPDATE messages SET parts = '[{' WHERE id = ?", (broken.id,))
    assert passages.take_changed() == 2
    assert texts(home) == ["sound"]


def test_times_outside_of_the_calendar(passages: Passages) -> None:
    rows = passages.add_said("s", [Line("a", "", 1e18), Line("b", "", -1e18)])
    assert [one.text for one in passages.get(rows)] == ["a", "b"]


def test_several_processes_do_each_message_once(home: Home, thread: str) -> None:
    for number in range(120):
        home.ledger.append(thread, user(f"message {number}"))
    for _ in range(20):
        home.ledger.undo(thread)
    environment = {**os.environ, "PYTHONPATH": str(ROOT)}
    children = [
        subprocess.Popen(
            [sys.executable, str(CHILD), str(home.path)],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            text=True,
            env=environment,
        )
        for _ in range(3)
    ]
    for child in children:
        assert child.stdout is not None and child.stdout.readline() == "ready\n"
    for child in children:
        assert child.stdin is not None
        child.stdin.write("go\n")
        child.stdin.flush()
    said = [child.communicate(timeout=60)[0].split() for child in children]
    assert all(child.returncode == 0 for child in children)
    assert sum(int(line[0]) for line in said) == 120
    assert sorted(int(number) for line in said for number in line[1:]) == list(range(101, 121))
    assert texts(home) == [f"message {number}" for number in range(100)]


WORDS = ["router", "咖啡", "moved", "no", "7.1", "Ana", "\n\n", "？", "why", "字" * 150, "z" * 700]
SAID = st.lists(st.sampled_from(WORDS), max_size=6).map(" ".join)


def bare(text: str) -> str:
    """Without white space, which may be lost where a text is cut."""
    return "".join(text.split())


class Everything(RuleBasedStateMachine):
    """Whatever happens to threads and entries: the passages are those of what is there, in order, and the keyword
    index has the words of each and of its neighbours."""

    @initialize()
    def begin(self) -> None:
        self.clock = Clock()
        self.ledger = SqliteLedger(None, now=self.clock)
        self.passages = Passages(self.ledger.database, "default")
        self.memories = SqliteMemories(self.ledger.database, self.passages, now=self.clock)
        self.threads = [self.ledger.create_thread("a").id for _ in range(2)]
        self.entries: dict[str, str] = {}

    def teardown(self) -> None:
        if hasattr(self, "ledger"):
            self.ledger.close()

    @rule(text=SAID, thread=st.integers(0, 1), role=st.sampled_from(["user", "assistant"]), later=st.booleans())
    def say(self, text: str, thread: int, role: str, later: bool) -> None:
        if later:
            self.clock.time += 7 * HOUR
        self.ledger.append(self.threads[thread], user(text) if role == "user" else assistant(text))

    @rule(text=SAID, thread=st.integers(0, 1), number=st.integers(0, 20))
    def revise(self, text: str, thread: int, number: int) -> None:
        messages = self.ledger.messages(self.threads[thread])
        if messages:
            one = messages[number % len(messages)]
            self.ledger.revise(one, Message(one.message.role, (TextPart(text),)), "complete")

    @rule(thread=st.integers(0, 1))
    def undo(self, thread: int) -> None:
        self.ledger.undo(self.threads[thread])

    @rule(thread=st.integers(0, 1), number=st.integers(0, 20))
    def take_back(self, thread: int, number: int) -> None:
        messages = self.ledger.messages(self.threads[thread])
        if messages:
            self.ledger.take_back(messages[number % len(messages)])

    @rule(thread=st.integers(0, 1))
    def delete(self, thread: int) -> None:
        self.ledger.delete_thread(self.threads[thread])
        self.threads[thread] = self.ledger.create_thread("a").id

    @rule(text=SAID.filter(str.strip))
    def note(self, text: str) -> None:
        memory = self.memories.write([Add(NewMemory("event", text))])[0]
        self.entries[memory.id] = memory.text

    @precondition(lambda self: self.entries)
    @rule(text=SAID.filter(str.strip))
    def edit(self, text: str) -> None:
        memory = self.memories.edit(next(iter(self.entries)), text=text)
        self.entries[memory.id] = memory.text

    @precondition(lambda self: self.entries)
    @rule()
    def forget(self) -> None:
        memory_id, _ = self.entries.popitem()
        self.memories.forget([memory_id])

    @rule(limit=st.integers(1, 3))
    def bring_up_to_date(self, limit: int) -> None:
        while self.passages.take_changed(limit):
            pass
        for thread in self.threads:
            said = bare("".join(one.message.text for one in self.ledger.messages(thread)))
            sql = "SELECT text FROM passages WHERE thread_id = ? ORDER BY row"
            assert bare("".join(str(text) for (text,) in self.ledger.database.query(sql, (thread,)))) == said
            order = "SELECT message_id, part FROM passages WHERE thread_id = ? ORDER BY row"
            numbers = self.ledger.database.query(order, (thread,))
            assert numbers == sorted(numbers)  # type: ignore[type-var]

    @invariant()
    def entries_are_there_at_once(self) -> None:
        sql = "SELECT memory_id, text FROM passages WHERE source = 'memory' ORDER BY memory_id, part"
        found = dict.fromkeys(self.entries, "")
        for memory_id, text in self.ledger.database.query(sql):
            found[str(memory_id)] += bare(str(text))
        assert found == {memory_id: bare(text) for memory_id, text in self.entries.items()}

    @invariant()
    def the_index_has_the_words_of_each_and_of_its_neighbours(self) -> None:
        database = self.ledger.database
        said = {
            int(str(row)): words(f"{speaker} {text}")
            for row, speaker, text in database.query("SELECT row, speaker, text FROM passages")
        }
        index = {
            int(str(row)): rest
            for row, *rest in database.query("SELECT rowid, body, near, far FROM passage_words WHERE rowid > 0")
        }
        assert index.keys() == said.keys()
        for row, (body, near, far) in index.items():
            assert str(body).split()[: len(said[row])] == said[row]
            for step, column in ((1, near), (2, far)):
                assert str(column).split() == said.get(row - step, []) + said.get(row + step, [])

    @invariant()
    def no_key_in_use_counts_as_removed(self) -> None:
        sql = "SELECT count(*) FROM passages p JOIN removed_keys k ON k.key = p.key AND k.tenant = p.tenant"
        assert self.ledger.database.query(sql) == [(0,)]


TestEverything = Everything.TestCase
TestEverything.settings = settings(deadline=None, max_examples=30, stateful_step_count=20)
