"""Export and import: nothing is lost, and doing it again changes nothing."""

from __future__ import annotations

import contextlib
import json
import os
import tempfile
from collections.abc import Iterator
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from memories_home import Home, contradictions

from localagent.errors import UsageError
from localagent.memory import transfer
from localagent.memory.entries import Add, Change, NewMemory, PutAway, Strengthen, Supersede
from localagent.memory.memories import STATES
from localagent.memory.transfer import FORMAT, Imported, export_lines, import_lines
from localagent.messages import user


@pytest.fixture
def home(tmp_path: Path) -> Iterator[Home]:
    home = Home(tmp_path / "ledger.sqlite3")
    try:
        yield home
        assert contradictions(home.path) == []
    finally:
        home.close()


@pytest.fixture
def other(tmp_path: Path) -> Iterator[Home]:
    (tmp_path / "other").mkdir()
    other = Home(tmp_path / "other" / "ledger.sqlite3")
    try:
        yield other
        assert contradictions(other.path) == []
    finally:
        other.close()


def fill(home: Home) -> None:
    """Entries in every state, with everything that an entry can have and that may be known of it."""
    memories = home.memories()
    thread = home.ledger.create_thread("助手")
    message = home.ledger.append(thread.id, user("x"))
    old = home.add("The deadline is Friday", scope="all")
    memories.write([Supersede(old.id, NewMemory("fact", "截止日期是星期一", message_id=message.id, evidence="“周一”"))])
    home.add("Likes tea", "preference", pinned=True, emotion=0.1, importance=1 / 3, due_at=1_900_000_000.125)
    faded = home.add("Said \u2028 on\x85 several\u2029 lines\x0b\x1c\r\n👍🏽", origin="tool", source="f.md#1")
    memories.reinforce([old.id, faded.id])
    memories.archive([faded.id])
    team = home.add("The team has nine people, all of them in Oslo")
    memories.write([Add(NewMemory("fact", "The team has ten people"), in_part=(team.id,))])
    asked = home.ledger.append(thread.id, user("忘掉我的工资。"))
    told = home.ledger.append(thread.id, user("我的工资是4200元。我喝茶。"))
    salary = home.add("我的工资是4200元", message_id=told.id, evidence="我的工资是4200元。")
    memories.write([PutAway(salary.id, "忘掉我的工资。")], read=asked.id)


def known(home: Home) -> tuple[object, ...]:
    """What memory makes of its entries beside what stands in them."""
    memories = home.memories()
    ids = [memory.id for memory in memories.select(states=STATES)]
    return memories.corrections(ids), [memory.text for memory in memories.put_away()]


def test_everything_arrives(home: Home, other: Home) -> None:
    fill(home)
    lines = list(export_lines(home.memories()))
    assert json.loads(lines[0]) == {"format": FORMAT} and "截止日期" in "".join(lines)
    assert "\n".join(lines).splitlines() == lines
    assert import_lines(other.memories(), lines) == Imported(added=7, updated=0, unchanged=0)
    assert list(export_lines(other.memories())) == lines
    (team,) = (memory.id for memory in other.memories().select() if "nine people" in memory.text)
    assert known(other) == known(home) == ({team: ["The team has ten people"]}, ["我的工资是4200元"])
    assert other.memories().select(states=STATES) == home.memories().select(states=STATES)
    (found,) = other.memories().alike("截止日期是什么时候", ["fact"])
    assert [memory.text for memory in other.memories().chain(found.id)] == [
        "The deadline is Friday",
        "截止日期是星期一",
    ]


def test_importing_again_changes_nothing(home: Home, other: Home) -> None:
    fill(home)
    lines = list(export_lines(home.memories()))
    for memories in (home.memories(), other.memories(), other.memories()):
        import_lines(memories, [f"{line}\n" for line in lines])
    assert import_lines(other.memories(), ["\ufeff", "", *lines, "  "]) == Imported(0, 0, 7)
    assert list(export_lines(other.memories())) == lines == list(export_lines(home.memories()))


def test_only_some_states(home: Home) -> None:
    fill(home)
    assert len(list(export_lines(home.memories(), states=("active",)))) == 5


def test_of_two_versions_the_newer_stays(home: Home, other: Home) -> None:
    memory = home.add("The deadline is Friday")
    before = list(export_lines(home.memories()))
    home.memories().edit(memory.id, text="The deadline is Monday")
    after = list(export_lines(home.memories()))
    assert import_lines(other.memories(), after).added == 1
    assert import_lines(other.memories(), before) == Imported(0, 0, 1)
    assert list(export_lines(other.memories())) == after
    other.memories().forget([memory.id])
    import_lines(other.memories(), before)
    assert import_lines(other.memories(), after) == Imported(0, 1, 0)
    assert list(export_lines(other.memories())) == after
    assert other.memories().alike("deadline on Monday", ["fact"])[0].text == "The deadline is Monday"
    other.memories().reinforce([memory.id])
    assert import_lines(other.memories(), after).unchanged == 1
    assert other.memories().get(memory.id).access_count == 1


def test_into_another_tenant_of_the_same_home(home: Home) -> None:
    fill(home)
    before = list(export_lines(home.memories()))
    theirs = home.memories("theirs")
    assert import_lines(theirs, before).added == 7
    assert list(export_lines(home.memories())) == before
    assert [json.loads(one).keys() for one in export_lines(theirs)] == [json.loads(one).keys() for one in before]
    assert import_lines(theirs, before) == Imported(0, 0, 7)
    (found,) = theirs.alike("截止日期是什么时候", ["fact"])
    assert len(theirs.chain(found.id)) == 2
    # Also when the first has gone meanwhile.
    home.memories().forget([memory.id for memory in home.memories().select(states=STATES)])
    assert import_lines(theirs, before) == Imported(0, 0, 7)


def test_what_corrects_a_part_comes_with_the_last_of_the_two(
    home: Home, other: Home, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(transfer, "AT_ONCE", 1)
    monkeypatch.setattr(transfer, "PAUSE_S", 0)
    fill(home)
    head, *entries = export_lines(home.memories())
    for some in (entries[4:], entries[:4], entries[::-1]):
        import_lines(other.memories(), [head, *some])
    assert known(other) == known(home) and list(export_lines(other.memories())) == [head, *entries]


def test_what_holds_as_a_whole_again_does_so_where_it_is_brought_up_to_date(home: Home, other: Home) -> None:
    fill(home)
    before = list(export_lines(home.memories()))
    import_lines(other.memories(), before)
    (team,) = home.memories().corrections([memory.id for memory in home.memories().select()])
    home.memories().edit(team, text="The team has ten people, all of them in Oslo")
    other.memories().write([Add(NewMemory("fact", "Only here"), in_part=(team,))])
    import_lines(home.memories(), before)
    assert not home.memories().corrections([team])
    import_lines(other.memories(), list(export_lines(home.memories())))
    # What the file does not know of stays.
    assert other.memories().corrections([team]) == {team: ["Only here"]}


def test_what_was_forgotten_elsewhere_is_not_recalled_from_its_message(home: Home, tmp_path: Path) -> None:
    thread = home.ledger.create_thread("a")
    told = home.ledger.append(thread.id, user("My salary is 4200 euros. I like tea."))
    salary = home.add("My salary is 4200 euros", message_id=told.id, evidence="My salary is 4200 euros.")
    before = list(export_lines(home.memories()))
    asked = home.ledger.append(thread.id, user("Forget my salary."))
    home.memories().write([PutAway(salary.id)], read=asked.id)
    after = list(export_lines(home.memories()))
    home.memories().restore(salary.id)
    home.memories().forget([salary.id])
    home.ledger.database.query("DELETE FROM hidden_clauses")
    import_lines(home.memories(), before)
    assert home.memories().hidden_in(told.id) == []
    for _ in range(2):
        import_lines(home.memories(), after)
        assert home.memories().hidden_in(told.id) == ["My salary is 4200 euros"]
    home.memories().restore(salary.id)
    assert home.memories().hidden_in(told.id) == []


def line(**more: object) -> str:
    entry: dict[str, object] = {
        "id": "1m8n5hs8nm52hysz", "kind": "fact", "text": "x", "origin": "user", "scope": "agent", "subject": "user",
        "agent": "a", "thread_id": "", "message_id": None, "evidence": "", "source": "", "importance": 0.5,
        "decay_rate": 0.02, "emotion": 0, "pinned": False, "due_at": None, "state": "active", "superseded_by": "",
        "created_at": 1, "valid_from": 1, "valid_to": None, "accessed_at": 1, "access_count": 0,
        "association_count": 0,
    }  # fmt: skip
    entry.update(more)
    return json.dumps({name: value for name, value in entry.items() if value != "LEFT OUT"})


@pytest.mark.parametrize(
    "damaged",
    [
        "{",
        "[]",
        "null",
        "[" * 100_000,
        '{"id": 1e999}',
        line(text="LEFT OUT"),
        line(tenant="theirs"),
        line(text=" "),
        line(text=5),
        line(text="x" * 100_001),
        line(id="../../x"),
        line(id=""),
        line(superseded_by="%"),
        line(superseded_by="1m8n5hs8nm52hysz"),
        line(kind="wish"),
        line(state="gone"),
        line(origin=None),
        line(scope="thread"),
        line(importance=2),
        line(importance=float("nan")),
        line(importance="much"),
        line(decay_rate=float("inf")),
        line(created_at=-1),
        line(created_at=1e18),
        line(valid_from=True),
        line(due_at="tomorrow"),
        line(pinned=1),
        line(access_count=-1),
        line(access_count=10**30),
        line(access_count=1.5),
        line(message_id=0.5),
        line(corrects_in_part="1m8n5hs8nm52hysz"),
        line(corrects_in_part=["../../x"]),
    ],
)
def test_a_damaged_line_is_named_and_nothing_is_imported(home: Home, damaged: str) -> None:
    for lines in (
        [json.dumps({"format": FORMAT}), line(id="1m8n5hs8nm52hys0"), damaged],
        ["", json.dumps({"format": FORMAT}), damaged],
    ):
        with pytest.raises(UsageError, match=r"^line 3: ") as caught:
            import_lines(home.memories(), lines)
        assert len(str(caught.value)) < 400
    assert home.memories().select(states=STATES) == []


@pytest.mark.parametrize("lines", [[], ["\n"], [line()], ['{"format": "localagent memory 2"}'], ["# notes"]])
def test_what_is_no_export_is_refused(home: Home, lines: list[str]) -> None:
    with pytest.raises(UsageError):
        import_lines(home.memories(), lines)


def test_a_line_that_somebody_wrote(home: Home) -> None:
    odd = line(text=" cafe\u0301\0\ud800 ", agent="\ud800", message_id=2**63 - 1, thread_id="not here")
    assert import_lines(home.memories(), [json.dumps({"format": FORMAT}), odd]).added == 1
    (memory,) = home.memories().select()
    assert memory.text == "café\ufffd\ufffd" and memory.message_id == 2**63 - 1
    assert import_lines(home.memories(), list(export_lines(home.memories()))).unchanged == 1


def test_much_is_imported_in_several_transactions(home: Home, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(transfer, "AT_ONCE", 3)
    monkeypatch.setattr(transfer, "PAUSE_S", 0)
    lines = [json.dumps({"format": FORMAT}), *(line(id=f"1m8n5hs8nm52hys{number}") for number in range(8))]
    assert import_lines(home.memories(), lines) == Imported(8, 0, 0)
    assert len(list(export_lines(home.memories()))) == 9


any_text = st.text(st.characters(exclude_categories=()), min_size=1, max_size=20).filter(
    lambda text: text.strip("\0 \n")
)
fractions = st.floats(0, 1)
kinds = st.sampled_from(["fact", "event", "document", "preference"])
news = st.builds(
    NewMemory,
    kinds,
    any_text.map(lambda text: f"x{text}"),
    st.sampled_from(["user", "assistant", "tool", "file", "recalled"]),
    st.sampled_from(["all", "agent"]),
    st.sampled_from(["user", "agent"]),
    any_text,
    any_text,
    st.none(),
    any_text,
    any_text,
    fractions,
    st.floats(0, 1e6),
    fractions,
    st.booleans(),
    st.none() | st.floats(0, 4e9),
)


@given(st.lists(st.tuples(news, st.integers(0, 8)), max_size=8))
@settings(deadline=None, max_examples=30)
def test_what_goes_out_comes_in_the_same(steps: list[tuple[NewMemory, int]]) -> None:
    with tempfile.TemporaryDirectory() as folder, contextlib.ExitStack() as stack:
        homes = []
        for name in ("one", "two"):
            Path(folder, name).mkdir()
            homes.append(Home(Path(folder, name, "ledger.sqlite3")))
            stack.callback(homes[-1].close)
        memories = homes[0].memories()
        written: list[str] = []
        for new, what in steps:
            change: Change = Add(new)
            if written and what == 1:
                change = Supersede(written[-1], new)
            elif written and what == 2:
                change = Strengthen(written[0], new.importance or 0.0)
            elif what == 6:
                change = Add(new, in_part=tuple(written))
            elif written and what == 7:
                change = PutAway(written[0])
            written.append(memories.write([change])[0].id)
            if what == 3:
                memories.archive([written[0]])
            elif what == 4:
                memories.restore(written[0])
            elif what == 5:
                memories.reinforce(written[-3:])
            elif what == 8:
                memories.pin(written[0])
        lines = list(export_lines(memories))
        import_lines(homes[1].memories(), lines)
        assert list(export_lines(homes[1].memories())) == lines
        assert known(homes[0]) == known(homes[1])
        assert import_lines(memories, lines).unchanged == len(lines) - 1
        assert list(export_lines(memories)) == lines
        assert os.linesep not in "".join(lines)
