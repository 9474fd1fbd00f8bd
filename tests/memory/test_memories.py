"""Entries: written once, found by their words, superseded with their history, and forgotten without a trace."""

from __future__ import annotations

import json
import os
import random
import subprocess
import sys
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest
from memories_home import Home, contradictions

from localagent.errors import StorageError, UsageError
from localagent.memory.entries import Add, Kind, NewMemory, Strengthen, Supersede
from localagent.memory.entry_rows import MAX_TEXT
from localagent.memory.filters import parse_filter
from localagent.memory.passages import Passages
from localagent.messages import assistant, user

CHILD = Path(__file__).with_name("memories_child.py")
ROOT = CHILD.parent.parent.parent
ROUNDS = int(os.environ.get("LOCALAGENT_KILL_ROUNDS", "20"))
posix = pytest.mark.skipif(sys.platform == "win32", reason="signals and limits of POSIX")


def start(job: str, path: Path, *arguments: str) -> subprocess.Popen[str]:
    return subprocess.Popen(
        [sys.executable, str(CHILD), job, str(path), *arguments],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        encoding="utf-8",
        env={**os.environ, "PYTHONPATH": str(ROOT), "PYTHONUTF8": "1"},
    )


@pytest.fixture
def home(tmp_path: Path) -> Iterator[Home]:
    folder = tmp_path / "数据 folder"
    folder.mkdir()
    home = Home(folder / "ledger.sqlite3")
    try:
        yield home
        assert contradictions(home.path) == []
    finally:
        home.close()


def said(home: Home, text: str, tenant: str = "default") -> tuple[str, int]:
    """A thread and a message in it."""
    thread = home.ledger.create_thread("a", tenant=tenant)
    return thread.id, home.ledger.append(thread.id, user(text)).id


def take_changed(home: Home, tenant: str = "default") -> None:
    Passages(home.ledger.database, tenant).take_changed(undone=home.memories(tenant).retract)


def test_an_entry_is_kept_as_it_was_given(home: Home) -> None:
    thread_id, message_id = said(home, "x")
    new = NewMemory(
        "todo",
        "Book the train",
        scope="thread",
        agent="助手",
        message_id=message_id,
        evidence="please book",
        importance=0.9,
        emotion=0.25,
        pinned=True,
        due_at=1_800_000_000.0,
    )
    (memory,) = home.memories().write([Add(new)])
    assert home.memories().get(memory.id) == memory
    assert (memory.thread_id, memory.due_at, memory.pinned, memory.agent) == (thread_id, 1_800_000_000.0, True, "助手")
    assert (memory.decay_rate, memory.state, memory.valid_to, memory.access_count) == (0.02, "active", None, 0)
    assert memory.created_at == memory.valid_from == memory.accessed_at


@pytest.mark.parametrize(
    ("given", "kept"),
    [
        ("  caf\u0065\u0301 \n", "café"),
        ("a\0b\ud800c", "a\ufffdb\ufffdc"),
        ("👩‍👧 مرحبا بالعالم ‏", "👩‍👧 مرحبا بالعالم ‏"),
        ("字" * MAX_TEXT, "字" * MAX_TEXT),
        ("word " * 20_000, ("word " * 20_000).strip()),
    ],
)
def test_any_text_is_kept(home: Home, given: str, kept: str) -> None:
    memory = home.add(given)
    assert memory.text == home.memories().get(memory.id).text == kept


@pytest.mark.parametrize("text", ["", " \n\t", "\u3000", "x" * (MAX_TEXT + 1)])
def test_what_is_no_entry_is_refused(home: Home, text: str) -> None:
    for change in (Add(NewMemory("fact", text)), Supersede(home.add("old").id, NewMemory("fact", text))):
        with pytest.raises(UsageError):
            home.memories().write([Add(NewMemory("fact", "beside it")), change])
    assert [memory.text for memory in home.memories().select()] == ["old"]


@pytest.mark.parametrize(
    "more",
    [
        {"importance": 1.5},
        {"importance": float("nan")},
        {"emotion": -0.1},
        {"decay_rate": float("inf")},
        {"due_at": 1e30},
        {"scope": "thread"},
        {"scope": "galaxy"},
        {"message_id": 77},
        {"message_id": 10**30},
        {"kind": "wish"},
    ],
)
def test_impossible_values_are_refused(home: Home, more: dict[str, object]) -> None:
    with pytest.raises(UsageError):
        home.memories().write([Add(replace(NewMemory("fact", "x"), **more))])  # type: ignore[arg-type]
    assert home.memories().select() == []


def test_a_message_is_read_once(home: Home) -> None:
    _, first = said(home, "I like tea")
    _, second = said(home, "hello")
    memories = home.memories()
    assert memories.unread() == [first, second] and memories.unread(1) == [first]
    assert memories.write([Add(NewMemory("preference", "Likes tea"))], read=first)
    assert memories.write([Add(NewMemory("preference", "Likes tea a lot"))], read=first) == []
    assert memories.write([], read=second) == [] == memories.unread()
    assert len(memories.select()) == 1


def test_nothing_is_written_of_a_message_that_was_taken_back(home: Home) -> None:
    thread_id, message_id = said(home, "I like tea")
    home.ledger.undo(thread_id)
    memories = home.memories()
    assert memories.unread() == []
    assert memories.write([Add(NewMemory("preference", "Likes tea"))], read=message_id) == []
    assert memories.select() == []


def test_of_two_processes_one_reads_a_message(home: Home) -> None:
    for turn in range(3):
        _, message_id = said(home, "I like tea")
        children = [start("read_once", home.path, str(message_id), f"{turn} of {number}") for number in range(3)]
        for child in children:
            assert child.stdout is not None and child.stdout.readline() == "ready\n"
        answers = []
        for child in children:
            assert child.stdin is not None
            child.stdin.write("go\n")
            child.stdin.flush()
        for child in children:
            out, err = child.communicate(timeout=60)
            assert err == ""
            answers.append(int(out))
        assert sorted(answers) == [0, 0, 1]
    assert len(home.memories().select()) == 3


def test_the_same_words_again_strengthen(home: Home) -> None:
    first = home.add("The router is 192.168.7.1", importance=0.4)
    again = home.add("  The router is\n192.168.7.1.", importance=0.6)
    assert again.id == first.id and again.text == first.text
    assert (again.importance, again.access_count) == (0.6, 1) and again.accessed_at > first.accessed_at
    assert home.add("我喜欢喝茶", "preference").id == home.add("我喜欢喝茶。", "preference").id


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("The router is .7.1", "The router is .9.1"),
        ("I like coffee", "I do not like coffee"),
        ("我喜欢咖啡", "我不喜欢咖啡"),
        ("The key is aB3", "The key is Ab3"),
        ("We write C", "We write C++"),
        ("from Rome to Paris", "from Paris to Rome"),
        ("The balance is 5", "The balance is -5"),
    ],
)
def test_what_differs_in_a_small_word_is_no_double(home: Home, one: str, other: str) -> None:
    assert home.add(one).id != home.add(other).id


def test_what_may_repeat_or_comes_from_elsewhere_is_no_double(home: Home) -> None:
    thread_id, _ = said(home, "x")
    home.add("Met Anna", "event")
    home.add("Met Anna", "event")
    for more in ({}, {"scope": "all"}, {"agent": "b"}, {"scope": "thread", "thread_id": thread_id}, {"due_at": 2e9}):
        home.add("Call Bob", "todo", **more)
    home.add("Call Bob", "fact")
    home.add("Ports are open", origin="tool")
    said_by_user = home.add("Ports are open")
    assert home.add("Ports are open", origin="tool").id == said_by_user.id
    assert len(home.memories().select()) == 10


def test_superseding_keeps_the_history(home: Home) -> None:
    memories = home.memories()
    friday = home.add("The deadline is Friday")
    (thursday,) = memories.write([Supersede(friday.id, NewMemory("fact", "The deadline is Thursday"))])
    (monday,) = memories.write([Supersede(thursday.id[:12], NewMemory("fact", "截止日期是星期一"))])
    old = memories.get(friday.id)
    assert (old.state, old.superseded_by, old.valid_to) == ("superseded", thursday.id, thursday.valid_from)
    for one in (friday, thursday, monday):
        assert [memory.id for memory in memories.chain(one.id)] == [friday.id, thursday.id, monday.id]
    assert memories.select() == [monday]
    assert {m.id for m in memories.select(states=("superseded",))} == {friday.id, thursday.id}
    assert memories.alike("The deadline is Friday", ["fact"]) == []


def test_two_corrections_of_one_entry_leave_the_later(home: Home) -> None:
    memories = home.memories()
    old = home.add("The deadline is Friday")
    first, second = (
        memories.write([Supersede(old.id, NewMemory("fact", f"The deadline is {day}"))])[0]
        for day in ("Monday", "Sunday")
    )
    assert memories.select() == [second] and memories.get(first.id).superseded_by == second.id


def test_an_entry_that_is_edited_says_what_is_so(home: Home) -> None:
    memories = home.memories()
    old = home.add("Physio is on Tuesdays at 5 in town")
    memories.write([Add(NewMemory("fact", "Physio's on Mondays now"), (old.id,))])
    assert memories.corrections([old.id]) == {old.id: ["Physio's on Mondays now"]}
    memories.edit(old.id, importance=0.9)
    assert memories.corrections([old.id])
    memories.edit(old.id, text="Physio is on Mondays at 5 in town")
    assert memories.corrections([old.id]) == {}


def test_an_older_entry_is_restored_beside_the_one_that_replaced_it(home: Home) -> None:
    memories = home.memories()
    (older,) = memories.write([Add(NewMemory("habit", "I walk on Mondays"))])
    (newer,) = memories.write([Supersede(older.id, NewMemory("habit", "I swim on Mondays"))])
    back = memories.restore(older.id, both=True)
    assert {one.id for one in memories.select()} == {older.id, newer.id}
    assert back.valid_to is None and [one.id for one in memories.chain(older.id)] == [older.id]


def test_an_entry_that_is_restored_holds_as_a_whole(home: Home) -> None:
    memories = home.memories()
    old = home.add("We live on the third floor of the old mill")
    newer = memories.write([Add(NewMemory("fact", "The lift was repaired"), (old.id,))])[0]
    assert memories.restore(old.id) == memories.get(old.id) and memories.corrections([old.id]) == {}
    assert {one.id for one in memories.select()} == {old.id, newer.id}


def test_a_clock_that_goes_back_keeps_the_order(tmp_path: Path) -> None:
    times = iter([100.0, 50.0, 20.0, 10.0, 5.0])
    home = Home(tmp_path / "ledger.sqlite3", lambda: next(times))
    old = home.add("The deadline is Friday")
    (new,) = home.memories().write([Supersede(old.id, NewMemory("fact", "The deadline is Monday"))])
    assert home.memories().get(old.id).valid_to == new.valid_from == 100.0
    assert [memory.id for memory in home.memories().chain(new.id)] == [old.id, new.id]
    home.close()


def test_restoring_undoes_and_can_be_undone(home: Home) -> None:
    memories = home.memories()
    friday = home.add("The deadline is Friday")
    (thursday,) = memories.write([Supersede(friday.id, NewMemory("fact", "The deadline is Thursday"))])
    (monday,) = memories.write([Supersede(thursday.id, NewMemory("fact", "The deadline is Monday"))])
    back = memories.restore(friday.id)
    assert (back.state, back.valid_to, back.superseded_by) == ("active", None, "")
    assert back.accessed_at > friday.accessed_at  # or it would fade again at once
    assert memories.select() == [back] and memories.get(monday.id).state == "archived"
    assert [memory.id for memory in memories.chain(monday.id)] == [friday.id, thursday.id, monday.id]
    memories.restore(monday.id)
    assert [memory.id for memory in memories.select()] == [monday.id]
    assert memories.restore(monday.id) == memories.get(monday.id)


def test_archived_entries_come_back(home: Home) -> None:
    memories = home.memories()
    one, two = home.add("one"), home.add("two")
    assert memories.archive([one.id, one.id, two.id[:14]]) == 2 and memories.archive([one.id]) == 0
    assert memories.select() == [] == memories.alike("one", ["fact"])
    assert memories.restore(one.id).state == "active"
    (strong,) = memories.write([Strengthen(two.id, 0.9)])  # it was said again
    assert (strong.state, strong.importance) == ("active", 0.9)


def test_chains_end_also_where_links_are_damaged(home: Home) -> None:
    memories = home.memories()
    ids = [home.add(f"entry {number}").id for number in range(5)]
    ring = dict(zip(ids, [ids[1], ids[2], ids[0], ids[0], "gone"], strict=True))
    with home.ledger.database.transaction() as connection:
        for older, newer in ring.items():
            sql = "UPDATE memories SET superseded_by = ?, state = 'superseded', valid_to = 1 WHERE id = ?"
            connection.execute(sql, (newer, older))
    assert [memory.id for memory in memories.chain(ids[1])] == ids[:4]
    assert [memory.id for memory in memories.chain(ids[4])] == [ids[4]]
    memories.write([Supersede(ids[3], NewMemory("fact", "new"))])
    memories.restore(ids[2])
    assert memories.forget(ids[:2]) == 2
    assert {memory.id for memory in memories.chain(ids[3])} >= {ids[3]}


def test_editing_keeps_the_id_and_finds_the_new_words(home: Home) -> None:
    memories = home.memories()
    old = home.add("The deadline is Friday")
    new = memories.edit(old.id, text="  我们周四交稿 ", kind="todo", scope="all")
    assert new == memories.get(old.id)
    assert (new.id, new.text, new.kind, new.scope, new.importance) == (old.id, "我们周四交稿", "todo", "all", 0.7)
    assert memories.alike("周四交稿", ["todo"]) == [new] and memories.alike("deadline Friday", ["fact", "todo"]) == []
    assert memories.edit(old.id, importance=0.1, kind="fact").importance == 0.1
    for wrong in ({"text": " "}, {"kind": "x"}, {"scope": "thread"}, {"scope": "x"}, {"importance": 2}):
        with pytest.raises(UsageError):
            memories.edit(old.id, **wrong)
    assert memories.get(old.id).text == "我们周四交稿"


def test_pinning(home: Home) -> None:
    memories = home.memories()
    one, _ = home.add("one"), home.add("two")
    assert memories.pin(one.id).pinned and memories.get(one.id).pinned
    assert [m.id for m in memories.select(pinned=True)] == [one.id] and len(memories.select(pinned=False)) == 1
    assert not memories.pin(one.id, False).pinned


def test_nothing_of_a_forgotten_entry_stays_in_the_file(home: Home) -> None:
    memories = home.memories()
    for number in range(50):
        home.add(f"An entry that stays, number {number}")
    secrets = ["xylophonesque", "绝密口令甲乙丙", "qzsource", "qzevidence"]
    memory = home.add(
        f"The word is {secrets[0]} {secrets[1]}" + " padding" * 2000, source=secrets[2], evidence=secrets[3]
    )
    (newer,) = memories.write([Supersede(memory.id, NewMemory("fact", f"Now it is {secrets[0]}2"))])
    present = b"".join(file.read_bytes() for file in home.path.parent.iterdir())
    assert all(secret.encode() in present for secret in secrets)
    assert memories.forget([memory.id, newer.id, memory.id]) == 2
    left = b"".join(file.read_bytes() for file in home.path.parent.iterdir())
    for secret in (*secrets, "xylophon", "绝密", "密口", "padding"):
        assert secret.encode() not in left
    assert len(memories.select()) == 50 and memories.alike("stays", ["fact"])
    with pytest.raises(UsageError):
        memories.get(memory.id)


def test_nothing_of_a_deleted_thread_stays_in_the_keyword_index(home: Home) -> None:
    thread_id, _ = said(home, "the word is xylophonesque")
    said(home, "another thread stays")
    take_changed(home)
    home.ledger.delete_thread(thread_id)
    assert b"xylophon" not in b"".join(file.read_bytes() for file in home.path.parent.iterdir())


def test_forgetting_one_of_a_chain_joins_its_neighbours(home: Home) -> None:
    memories = home.memories()
    one = home.add("The deadline is Friday")
    (two,) = memories.write([Supersede(one.id, NewMemory("fact", "The deadline is Thursday"))])
    (three,) = memories.write([Supersede(two.id, NewMemory("fact", "The deadline is Monday"))])
    memories.forget([two.id])
    assert [memory.id for memory in memories.chain(three.id)] == [one.id, three.id]
    memories.forget([three.id])
    assert (memories.get(one.id).state, memories.get(one.id).superseded_by) == ("superseded", "")
    assert memories.restore(one.id).state == "active"


def test_reinforcing_counts_each_once(home: Home) -> None:
    memories = home.memories()
    one, two, three = (home.add(text) for text in ("one", "two", "three"))
    memories.forget([three.id])
    memories.reinforce([one.id, two.id, one.id, three.id, "nothing"])
    memories.reinforce([one.id])
    memories.reinforce([])
    first, second = memories.get(one.id), memories.get(two.id)
    assert (first.access_count, first.association_count) == (2, 1)
    assert (second.access_count, second.association_count) == (1, 1)
    assert first.accessed_at > second.accessed_at > one.accessed_at


def test_ids_by_their_beginning(home: Home) -> None:
    memories = home.memories()
    one, two = home.add("one"), home.add("two")
    common = one.id[: next(at for at in range(16) if one.id[at] != two.id[at])]
    assert memories.get(f" {one.id[: len(common) + 1].upper()} ") == one
    for key in (common[:6], one.id[:3], "", "nothing-like-it", one.id + "0", "\ud800\0", "%" * 5, "x" * 10_000):
        with pytest.raises(UsageError) as caught:
            memories.get(key)
        assert len(str(caught.value)) < 300


def test_every_write_with_an_unknown_id_changes_nothing(home: Home) -> None:
    memories = home.memories()
    one = home.add("one")
    for call in (
        lambda: memories.write([Add(NewMemory("fact", "new")), Strengthen("zzzzzzzz")]),
        lambda: memories.write(
            [Supersede(one.id, NewMemory("fact", "new")), Supersede("zzzz", NewMemory("fact", "x"))]
        ),
        lambda: memories.archive([one.id, "zzzz"]),
        lambda: memories.forget([one.id, "zzzz"]),
        lambda: memories.edit("zzzz", text="x"),
        lambda: memories.pin("zzzz"),
        lambda: memories.restore("zzzz"),
        lambda: memories.chain("zzzz"),
    ):
        with pytest.raises(UsageError):
            call()
    assert memories.select(states=("active", "archived", "superseded")) == [one]


def test_selecting(home: Home) -> None:
    memories = home.memories()
    thread_id, _ = said(home, "x")
    tea = home.add("Likes tea", "preference", scope="all")
    plan = home.add("Ship it", "todo", thread_id=thread_id, agent="助手", origin="assistant")
    fact = home.add("Water is wet")
    assert (
        memories.select() == [fact, plan, tea] and memories.select(limit=1) == [fact] and memories.select(limit=0) == []
    )
    wanted = {
        '{"kind": "todo"}': [plan],
        '{"kind": {"$nin": ["todo", "fact"]}}': [tea],
        '{"$or": [{"scope": "all"}, {"agent": "助手"}]}': [plan, tea],
        '{"thread_id": {"$ne": ""}, "origin": "assistant"}': [plan],
        '{"source": "message"}': [],
        '{"source": "memory", "speaker": ""}': [fact, plan, tea],
    }
    for text, found in wanted.items():
        assert memories.select(parse_filter(json.loads(text))) == found
    since = parse_filter({"said_at": {"$gte": plan.created_at}})
    assert memories.select(since) == [fact, plan]


def test_alike_finds_what_was_written_a_moment_ago(home: Home) -> None:
    memories = home.memories()
    kinds: list[Kind] = ["fact", "decision"]
    deploy = home.add("We deploy to the Frankfurt region on Fridays", "decision")
    home.add("Fridays are for pizza", "habit")
    assert memories.alike("Which region do we deploy to?", kinds) == [deploy]
    other = Home(home.path)
    late = other.add("部署区域改成了新加坡", "decision")
    other.close()
    assert memories.alike("部署到哪个区域", kinds)[0].id == late.id
    assert memories.alike("Frankfurt", []) == [] == memories.alike("Frankfurt", kinds, limit=0)
    same = home.add("Who am I?")
    assert memories.alike("Who am I?", kinds) == [same]  # nothing but stop words
    for odd in ("", '"', "AND OR NOT (", "body : near*", "\ud800\0", "词" * 50_000, "w " * 50_000, "👍🏽"):
        memories.alike(odd, kinds)


def test_what_was_made_of_a_message_goes_with_it(home: Home) -> None:
    memories = home.memories()
    friday = home.add("The deadline is Friday")
    thread_id, message_id = said(home, "no, Thursday. And I like tea")
    new = NewMemory("fact", "The deadline is Thursday", message_id=message_id)
    _, tea = memories.write(
        [Supersede(friday.id, new), Add(replace(new, kind="preference", text="Likes tea"))], read=message_id
    )
    home.ledger.undo(thread_id)
    take_changed(home)
    back = memories.get(friday.id)
    assert (back.state, back.valid_to, back.superseded_by) == ("active", None, "")
    assert memories.select() == [back] and memories.get(tea.id).state == "archived"


def test_what_came_after_a_message_that_was_taken_back_stays(home: Home) -> None:
    memories = home.memories()
    friday = home.add("The deadline is Friday")
    thread_id, message_id = said(home, "no, Thursday")
    (thursday,) = memories.write([Supersede(friday.id, NewMemory("fact", "It is Thursday", message_id=message_id))])
    (monday,) = memories.write([Supersede(thursday.id, NewMemory("fact", "It is Monday"))])
    home.ledger.undo(thread_id)
    take_changed(home)
    assert memories.select() == [monday]
    assert memories.get(friday.id).superseded_by == monday.id and memories.get(thursday.id).state == "archived"


def test_what_was_said_again_outlives_the_message_that_was_taken_back(home: Home) -> None:
    memories = home.memories()
    thread_id, message_id = said(home, "I like tea")
    new = NewMemory("preference", "Likes tea", message_id=message_id)
    (tea,) = memories.write([Add(new)], read=message_id)
    home.ledger.undo(thread_id)
    again = home.ledger.append(thread_id, user("I like tea, I said")).id
    memories.write([Strengthen(tea.id)], read=again)
    take_changed(home)
    assert (memories.get(tea.id).state, memories.get(tea.id).message_id) == ("active", again)


def test_a_message_of_another_home_is_not_mistaken_for_ours(home: Home) -> None:
    """Message ids mean something only together with their thread's."""
    thread_id, message_id = said(home, "x")
    memory = home.add("x", message_id=message_id)
    with home.ledger.database.transaction() as connection:
        connection.execute("UPDATE memories SET thread_id = 'elsewhere' WHERE id = ?", (memory.id,))
    home.ledger.undo(thread_id)
    take_changed(home)
    assert home.memories().get(memory.id).state == "active"


def test_entries_that_no_localagent_wrote_are_damage(home: Home) -> None:
    memory = home.add("x")
    for column, value in (("kind", "hologram"), ("importance", "much")):
        old = home.ledger.database.query(f"SELECT {column} FROM memories")
        with home.ledger.database.transaction() as connection:
            connection.execute(f"UPDATE memories SET {column} = ?", (value,))
        with pytest.raises(StorageError, match="damaged"):
            home.memories().get(memory.id)
        with home.ledger.database.transaction() as connection:
            connection.execute(f"UPDATE memories SET {column} = ?", old[0])
            connection.execute("UPDATE passages SET kind = 'fact'")


def test_answers_are_unread_too(home: Home) -> None:
    thread_id, message_id = said(home, "x")
    answer = home.ledger.append(thread_id, assistant("y")).id
    assert home.memories().unread() == [message_id, answer]


@posix
def test_a_full_disk_leaves_nothing_half_written(tmp_path: Path) -> None:
    path = tmp_path / "ledger.sqlite3"
    Home(path).close()
    with start("write_until_refused", path, "700000") as child:
        out, err = child.communicate(timeout=120)
    assert err == ""
    count, error = out.splitlines()
    assert int(count) > 3 and "ledger" in error
    home = Home(path)
    texts = {memory.text.split(" word")[0] for memory in home.memories().select()}
    assert texts == {f"{number} {half}" for number in range(int(count)) for half in ("left", "right")}
    home.add("there is room again")
    home.close()
    assert contradictions(path) == []


@posix
def test_what_was_acknowledged_survives_kill_9(tmp_path: Path) -> None:
    path = tmp_path / "ledger.sqlite3"
    Home(path).close()
    randomly = random.Random(5)
    there: dict[str, str] = {}
    uncertain: set[str] = set()
    gone: set[str] = set()
    for turn in range(ROUNDS):
        with start("change_for_ever", path, f"turn{turn}") as child:
            assert child.stdout is not None and child.stderr is not None
            lines = [child.stdout.readline() for _ in range(randomly.choice((1, 2, 3, 4, 6, 9, 14)))]
            for _ in range(randomly.randrange(60_000)):
                pass  # somewhere in the middle of the next change
            child.kill()
            lines += child.stdout.readlines()
            assert child.stderr.read() == ""
        for line in lines[1:]:
            sign, memory_id, *text = line.rstrip("\n").split(" ", 2)
            if sign == "+":
                there[memory_id] = text[0]
            else:
                (uncertain if sign == "?" else gone).add(memory_id)
        if turn % 10 == 9 or turn == ROUNDS - 1:
            assert contradictions(path) == []
    home = Home(path)
    stored = {m.id: m.text for m in home.memories().select(states=("active", "superseded", "archived"))}
    home.close()
    assert len(there) > ROUNDS // 2
    for memory_id, text in there.items():
        if memory_id in gone:
            assert memory_id not in stored
        elif memory_id not in uncertain:
            assert stored[memory_id].startswith(text)
