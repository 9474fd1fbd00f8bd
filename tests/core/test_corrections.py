"""What a message corrects is at once no longer shown as if it held: in the summary, in memory, and after changes."""

from __future__ import annotations

from pathlib import Path

import pytest
from compressing import CHATTER, Room

from localagent.policy import Policies
from localagent.sorting import current
from localagent.summary import SummaryItem, without

SAID = [
    ("The big hall holds 240 guests.", "Correction: the true number of guests for the hall is 210.", "240", "210"),
    ("摊位一共 36 个，月底前摆好。", "更正：摊位重新数过，是 41 个。", "36", "41"),
]


def corrected(folder: Path, policies: Policies, old: str, new: str, *, memory: bool = True) -> Room:
    """A room whose summary holds the old statement, and in whose recent messages the new one stands."""
    room = Room(folder, policies, memory=memory)
    room.say(old)
    while room.current() is None:
        room.say(CHATTER)
    room.say(new)
    return room


def masked(room: Room) -> list[str]:
    found = room.ledger.database.query("SELECT sentence FROM corrected_sentences ORDER BY message_id")
    return [str(sentence) for (sentence,) in found]


@pytest.mark.parametrize("memory", [True, False])
@pytest.mark.parametrize(("old", "new", "gone", "holds"), SAID)
def test_what_is_corrected_is_not_in_the_next_prompts_summary(
    tmp_path: Path, policies: Policies, old: str, new: str, gone: str, holds: str, memory: bool
) -> None:
    room = corrected(tmp_path, policies, old, new, memory=memory)
    assert gone in room.texts() and masked(room)
    room.say("Thanks. What else is there?")
    head, recent = room.prompt()
    assert gone not in head and any(holds in text for text in recent)
    room.close()


@pytest.mark.parametrize(("old", "new", "gone", "holds"), SAID)
def test_neither_its_message_nor_an_entry_of_it_is_recalled(
    tmp_path: Path, policies: Policies, old: str, new: str, gone: str, holds: str
) -> None:
    room = corrected(tmp_path, policies, old, new)
    assert room.memory is not None
    for _ in range(12):
        room.say(CHATTER)
    rows = [int(row) for (row,) in room.ledger.database.query("SELECT row FROM passages")]  # type: ignore[call-overload]
    first = room.talk.history()[0].id
    found = room.memory.passages.get(rows)
    messages = [passage for passage in found if passage.message_id == first and passage.memory is None]
    entries = [passage for passage in found if passage.memory is not None and passage.memory.message_id == first]
    assert messages and (entries or not old.isascii())
    for passage in (*messages, *entries):
        assert gone in passage.text and gone not in current(passage).text
    room.say(old)
    assert gone not in room.prompt()[0]
    assert room.current() is not None and holds in room.prompt()[0]
    room.close()


def test_an_entry_that_counts_is_recalled_where_no_message_says_that_it_is_wrong(
    tmp_path: Path, policies: Policies
) -> None:
    room = Room(tmp_path, policies)
    old = "My sister Ann lives in Perth."
    room.say(old)
    room.say("My sister Ann does not come for Christmas after all.")
    assert room.memory is not None
    first, second = (one.id for one in room.talk.history() if one.message.role == "user")
    with room.ledger.database.transaction() as connection:
        connection.execute("INSERT INTO corrected_sentences VALUES (?, ?, ?)", (first, old, second))
    rows = [int(row) for (row,) in room.ledger.database.query("SELECT row FROM passages")]  # type: ignore[call-overload]
    found = [one for one in room.memory.passages.get(rows) if "Perth" in one.text]
    assert {one.memory is None for one in found} == {True, False}
    assert all("Perth" in current(one).text for one in found)
    room.close()


def test_a_correction_that_was_taken_back_corrects_nothing(tmp_path: Path, policies: Policies) -> None:
    room = corrected(tmp_path, policies, SAID[0][0], SAID[0][1])
    assert masked(room)
    room.talk.undo()
    assert masked(room) == []
    room.say("What else is there?")
    assert "240" in room.prompt()[0]
    room.close()


@pytest.mark.parametrize("memory", [True, False])
@pytest.mark.parametrize(("old", "new", "gone", "holds"), SAID)
def test_after_a_roll_back_what_is_corrected_in_the_ring_is_not_in_the_summary(
    tmp_path: Path, policies: Policies, old: str, new: str, gone: str, holds: str, memory: bool
) -> None:
    room = corrected(tmp_path, policies, old, new, memory=memory)
    version = room.summary().version
    while room.summary().version == version:
        room.say(CHATTER)
    room.summaries.roll_back(room.talk.thread.id)
    assert masked(room) == [] and gone in room.texts(), "the version took along what it had replaced"
    for _ in range(2):
        room.say("Thanks. What else is there?")
        head, recent = room.prompt()
        assert gone not in head and any(holds in text for text in recent)
    number = next(stored.id for stored in room.talk.history() if stored.message.text == new)
    with room.ledger.database.transaction() as connection:
        connection.execute("UPDATE messages SET status = 'undone' WHERE id = ?", (number,))
    room.say("And now?")
    assert gone in room.prompt()[0], "it counts as long as it is said"
    room.close()


def test_a_correction_in_the_ring_is_seen_when_its_statement_leaves_the_ring(
    tmp_path: Path, policies: Policies
) -> None:
    room = Room(tmp_path, policies)
    room.say(SAID[0][0], drain=False)
    for _ in range(2):
        room.say(CHATTER, drain=False)
    room.say(SAID[0][1], drain=False)
    while room.current() is None:
        room.say(CHATTER)
    room.say("What else is there?")
    assert "240" not in room.prompt()[0]
    room.close()


def test_deleting_the_thread_leaves_nothing_behind(tmp_path: Path, policies: Policies) -> None:
    room = corrected(tmp_path, policies, SAID[0][0], SAID[0][1])
    room.ledger.delete_thread(room.talk.thread.id)
    assert masked(room) == []
    room.close()


def test_what_stands_in_the_same_sentence_stays() -> None:
    quote = "The shop has 7 tills,  the safe is a Kessler 300."
    item = SummaryItem("other_fact", " ".join(quote.split()), quote, 1, 1.0, 0.5, "rules")
    held = without(item, ["The shop has 7 tills"])
    assert held is not None and held.text == "the safe is a Kessler 300."
    assert without(held, ["The shop has 7 tills"]) == held
    assert without(held, [quote]) is None
