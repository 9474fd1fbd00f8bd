"""Older messages become the summary: when, which, and what the next prompt has of them. The rules alone."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from compressing import CHATTER, CONFIG, FACTS, Room, addresses, configured, opened_rooms

from localagent.abort import AbortSignal
from localagent.errors import UsageError
from localagent.events import Notice
from localagent.messages import ToolCallPart, assistant, tool_result, user
from localagent.policy import Policies
from localagent.summary import SummaryItem

RULES = configured(summarizer="rules")


@pytest.fixture
def rooms(tmp_path: Path, policies: Policies) -> Iterator[Callable[..., Room]]:
    with opened_rooms(tmp_path, policies, RULES) as make:
        yield make


@pytest.mark.parametrize("memory", [True, False])
def test_what_leaves_the_ring_is_in_the_summary_of_the_next_prompt(rooms: Callable[..., Room], memory: bool) -> None:
    room = rooms(memory=memory)
    notices = room.fill(FACTS[:20])
    assert notices and all("older messages summarised: " in notice for notice in notices)
    head, ring = room.prompt()
    assert "<summary>" in head
    shown = addresses(head) | addresses("\n".join(ring))
    assert shown >= {f"10.0.0.{number}" for number in range(1, 21)}
    assert sum(map(len, ring)) < sum(map(len, FACTS[:20])) + 20 * len(CHATTER), "the prompt is shorter than the thread"
    room.all_is_there()


def test_nothing_is_summarised_before_the_ring_is_full(rooms: Callable[..., Room]) -> None:
    room = rooms()
    assert room.fill(FACTS[:5]) == []
    assert room.current() is None and "<summary>" not in room.prompt()[0]


def test_by_the_number_of_messages_as_many_stay_as_are_to_be_kept(rooms: Callable[..., Room]) -> None:
    room = rooms(config=configured(summarizer="rules", summary_threshold_tokens=100_000, recent_keep=6, recent_slack=4))
    room.fill([f"I like the number {number}." for number in range(5)])
    assert room.current() is None
    room.fill(["I like the number 5."])
    assert room.summary().messages == 6
    room.all_is_there()


def test_each_compression_is_in_the_records_between_the_prompts(rooms: Callable[..., Room]) -> None:
    room = rooms()
    room.fill(FACTS[:20])
    records = room.log.compressions(room.talk.thread.id)
    versions = room.summaries.versions(room.talk.thread.id)[::-1]
    assert [record["version"] for record in records] == [version.version for version in versions]
    assert records[-1]["tokens_after"] == room.summary().tokens and records[-1]["made_by"] == "rules"
    assert sum(int(str(record["messages"])) for record in records) == room.summary().messages
    prompt = room.talk.last_prompt()
    assert prompt is not None and prompt["summary_version"] in {record["version"] for record in records}


def test_the_beginning_of_the_summary_stays_as_it_is(rooms: Callable[..., Room]) -> None:
    """Nothing is to be read again that need not be."""
    room = rooms()
    room.fill(FACTS[:14])
    before = room.texts()
    room.fill(FACTS[14:24])
    assert room.texts().startswith(before) and len(room.texts()) > len(before)


def test_a_thread_three_windows_long_is_answered_at_once(rooms: Callable[..., Room]) -> None:
    """It was imported, or written before there were summaries: nobody waits for a model, and nothing is cut unseen."""
    room = rooms(config=configured())  # the model would be asked in the background
    window = room.model.describe().window
    tokens, number = 0, 0
    while tokens < 3 * window:
        number += 1
        for message in (user(f"Note {number}: {CHATTER}"), assistant(CHATTER)):
            room.ledger.append(room.talk.thread.id, message)
            tokens += room.model.count_text(message.text)
    room.ledger.append(room.talk.thread.id, user("The gate's code is 4711."))
    room.ledger.append(room.talk.thread.id, assistant("Noted."))
    (notice,) = room.say("What now?", drain=False)
    assert "older messages summarised" in notice
    assert not room.asked()
    record = room.talk.last_prompt()
    assert record is not None and record["dropped"] == []
    policy = CONFIG.context_policy
    assert int(str(record["tokens"])) < policy.summary_threshold_tokens + policy.summary_tokens + 50
    room.all_is_there()


def test_a_message_larger_than_the_threshold_leaves_once_it_is_not_the_newest(rooms: Callable[..., Room]) -> None:
    room = rooms()
    room.say(f"My licence is AB-1234.\n\n{CHATTER * 20}")
    assert room.current() is None, "the newest exchange stays"
    room.say("I live in Rome.")
    assert room.summary().messages == 2
    assert "AB-1234" in room.texts()


def test_a_request_that_needs_the_room_makes_it(rooms: Callable[..., Room]) -> None:
    room = rooms(config=configured(summarizer="rules", summary_threshold_tokens=3500))
    room.fill(FACTS[:30])
    assert room.current() is None or room.summary().messages < 40
    room.say("word " * 6000)
    _, ring = room.prompt()
    assert len(ring) <= 3
    record = room.talk.last_prompt()
    assert record is not None and record["dropped"] == [], "what had to go was summarised, not dropped"
    room.all_is_there()


def test_calls_and_results_leave_together(rooms: Callable[..., Room]) -> None:
    room = rooms()
    call = ToolCallPart("c", "clock", {"zone": "UTC"})
    for number in range(12):
        for message in (
            user(f"Look at clock {number}, please. {CHATTER}"),
            assistant("", [call]),
            tool_result(call, f"It is {number} o'clock. {CHATTER}"),
            assistant(f"It is {number}."),
        ):
            room.ledger.append(room.talk.thread.id, message)
        room.say("And then?")
        summary = room.current()
        if summary is not None:
            ring = room.ledger.messages(room.talk.thread.id, after=summary.covers_to)
            assert ring[0].message.role == "user"
    room.all_is_there()
    assert room.current() is not None


def test_undo_beyond_the_summary_brings_the_messages_back(rooms: Callable[..., Room]) -> None:
    room = rooms()
    room.fill(FACTS[:8])
    covered = room.summary()
    while room.current() is not None:
        assert room.talk.undo()
    states = [one.state for one in room.summaries.versions(room.talk.thread.id)]
    assert set(states) == {"undone"}
    left = room.talk.history()
    assert left[-1].id < covered.covers_to
    room.say("Let us go on.")
    assert [text for text in room.prompt()[1] if text.startswith("The server")] == [
        one.message.text for one in left if one.message.role == "user"
    ]
    room.fill(FACTS[20:32])
    assert room.summary().version > covered.version, "and it is summarised anew, without what was taken back"
    assert not addresses(room.texts()) & {f"10.0.0.{number}" for number in range(len(left) // 2 + 1, 9)}
    room.all_is_there()


def test_a_covered_request_is_asked_again_without_what_the_summary_has_of_it(rooms: Callable[..., Room]) -> None:
    room = rooms()
    room.fill(FACTS[:3])
    list(room.talk.compact(abort=AbortSignal()))
    assert room.summary().messages == 4
    room.talk.undo()  # now all that is left is covered
    assert room.talk.history()[-1].id == room.summary().covers_to
    list(room.talk.retry(abort=AbortSignal()))
    head, ring = room.prompt()
    assert "10.0.0.2" not in head and ring[-1] == FACTS[1]
    assert room.current() is None, "its old answer was taken back"
    assert [one.message.text for one in room.talk.history()] == [FACTS[0], CHATTER, FACTS[1], CHATTER]


def test_a_version_taken_back_stays_back_until_the_ring_is_far_too_full(rooms: Callable[..., Room]) -> None:
    room = rooms()
    room.fill(FACTS[:8])
    first = room.summary()
    gone = room.talk.roll_back_summary()
    assert gone is not None and gone.version == first.version and room.current() is None
    room.fill(FACTS[8:10])
    assert room.current() is None, "nobody undoes what the user has just done"
    assert len([text for text in room.prompt()[1] if text.startswith("The server")]) == 10
    room.fill(FACTS[10:22])
    assert room.summary().version > first.version
    assert addresses(room.texts() + "\n".join(room.prompt()[1])) >= {f"10.0.0.{number}" for number in range(1, 21)}
    assert [one.state for one in room.summaries.versions(room.talk.thread.id)][-1] == "rolled back"
    room.all_is_there()


def test_after_a_roll_back_one_may_ask_for_it(rooms: Callable[..., Room]) -> None:
    room = rooms()
    room.fill(FACTS[:8])
    room.talk.roll_back_summary()
    *_, notice = [event.text for event in room.talk.compact(abort=AbortSignal()) if isinstance(event, Notice)]
    assert "14 older messages summarised" in notice
    assert room.summary().messages == 14, "all but the newest exchange"
    assert addresses(room.texts()) == {f"10.0.0.{number}" for number in range(1, 8)}


def test_there_is_not_always_something_to_summarise(rooms: Callable[..., Room]) -> None:
    room = rooms()
    room.say("Hello.")
    (notice,) = [event.text for event in room.talk.compact(abort=AbortSignal()) if isinstance(event, Notice)]
    assert "nothing to summarise" in notice and room.current() is None


def test_switched_off_the_ring_is_cut_by_its_messages(rooms: Callable[..., Room]) -> None:
    room = rooms(config=configured(summarizer="off", summary_threshold_tokens=100))
    room.fill(FACTS[:20])
    head, ring = room.prompt()
    assert room.current() is None and "<summary>" not in head and len(ring) < 40
    assert room.talk.context().not_sent > 0
    with pytest.raises(UsageError, match="not summarised"):
        next(room.talk.compact(abort=AbortSignal()))


def test_what_is_corrected_is_not_shown_from_then_on_and_leaves_with_the_next_version(
    rooms: Callable[..., Room],
) -> None:
    room = rooms()
    room.fill(["The router is 192.168.7.1. The printer is called Bertha.", *FACTS[:10]])
    assert "192.168.7.1" in room.texts()
    room.say("The router is 192.168.9.1 now.")
    room.say("Go on.")
    head, _ = room.prompt()
    assert "192.168.7.1" not in head.split("</summary>")[0] and "Bertha" in head
    room.fill(FACTS[20:34])
    assert "192.168.7.1" not in room.texts() and "192.168.9.1" in room.texts() and "Bertha" in room.texts()


def test_what_is_to_be_forgotten_leaves_the_summary(rooms: Callable[..., Room]) -> None:
    room = rooms()
    room.fill(["My locker has the code 9917. The printer is called Bertha.", *FACTS[:10]])
    assert "9917" in room.texts()
    room.say("Please forget the code of my locker.")
    room.say("Go on.")
    head, _ = room.prompt()
    assert "9917" not in head and "Bertha" in head


def test_a_policy_that_fails_costs_no_answer(tmp_path: Path, policies: Policies) -> None:
    def broken(given: object) -> list[SummaryItem]:
        from localagent.errors import ConfigError

        raise ConfigError("division by zero", where="policies/summarization.py:3")

    room = Room(
        tmp_path,
        Policies(policies.importance, policies.recall, policies.retention, broken),
        config=RULES,
        memory=False,
    )
    try:
        notices = room.fill(FACTS[:20])
        assert len(notices) == 1 and "could not be summarised" in notices[0] and "division by zero" in notices[0]
        assert len(room.talk.history()) == 40 and room.current() is None
    finally:
        room.close()


def test_the_context_tells_what_is_summarised(rooms: Callable[..., Room]) -> None:
    room = rooms()
    room.fill(FACTS[:20])
    view = room.talk.context()
    assert (view.summarised, view.summary_version) == (room.summary().messages, room.summary().version)
    assert view.not_sent == 0
    blocks = {block.name: block.tokens for block in view.blocks}
    assert blocks["summary"] >= room.summary().tokens


def test_deleting_a_thread_leaves_no_word_of_its_summary(rooms: Callable[..., Room], tmp_path: Path) -> None:
    room = rooms(config=CONFIG, memory=False)
    room.fill(["My secret word is Kartoffelpuffer.", *FACTS[:10]])
    assert "Kartoffelpuffer" in room.texts()
    room.ledger.delete_thread(room.talk.thread.id)
    assert room.ledger.database.query("SELECT count(*) FROM summaries") == [(0,)]
    room.ledger.close()
    for file in tmp_path.glob("ledger.sqlite3*"):
        assert b"Kartoffelpuffer" not in file.read_bytes()
