"""Durations, ages, histograms and fates, as they are read and shown."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from rich.cells import cell_len
from rich.text import Text

from localagent.cli.memory_open import duration, filter_of, kinds_of, words_of
from localagent.errors import UsageError
from localagent.memory.entries import Memory
from localagent.memory.filters import to_json
from localagent.memory.searching import Passage
from localagent.policy import Ranked, Retention
from localagent.recall import Result
from localagent.render_flow import flow
from localagent.render_memory import age, bars, memory_lines, moment, result_lines
from localagent.render_recall import group_lines, overview_lines, recall_lines, why_lines

DAY = 86_400.0
NOW = 1_750_000_000.0


def memory(**changes: object) -> Memory:
    values: dict[str, object] = {
        "id": "0123456789abcdef", "kind": "preference", "text": "简短回答", "origin": "user", "scope": "agent",
        "subject": "user", "agent": "助手", "thread_id": "", "message_id": None, "evidence": "请简短回答", "source": "",
        "importance": 0.7, "decay_rate": 0.02, "emotion": 0.0, "pinned": False, "due_at": None, "state": "active",
        "superseded_by": "", "created_at": NOW - 3 * DAY, "valid_from": NOW - 3 * DAY, "valid_to": None,
        "accessed_at": NOW - DAY, "access_count": 2, "association_count": 0,
    }  # fmt: skip
    return Memory(**(values | changes))  # type: ignore[arg-type]


def trace(**changes: object) -> dict[str, object]:
    values = {"id": "a1", "kind": "fact", "text": "tea", "vector": 0.5, "keyword": 0.4, "retention": 1.0, "score": 0.6}
    return {**values, "fate": "used", "note": "", "block": "a1", **changes}


def every_group(record: dict[str, object]) -> list[str]:
    """All that `/why all NUMBER` tells."""
    count = sum(line.startswith("   ") for line in overview_lines(record))
    return [line for number in range(1, count + 1) for line in group_lines(record, number)]


@pytest.mark.parametrize(
    ("changes", "told"),
    [
        ({"scope": "all", "access_count": 0}, "in every prompt that has room for it"),
        ({"access_count": 0}, "in every prompt of this agent that has room for it"),
        ({"kind": "fact", "pinned": True, "scope": "all", "access_count": 0}, "in every prompt that has room for it"),
        ({"scope": "all"}, "in every prompt that has room for it; said again 2 times, last 1 day ago"),
        ({"kind": "fact"}, "2 times, last 1 day ago"),
        ({"kind": "fact", "access_count": 0}, "never"),
        ({"state": "superseded", "access_count": 0}, "never"),
    ],
)
def test_what_stands_in_every_prompt_is_not_called_unused(changes: dict[str, object], told: str) -> None:
    one = memory(**changes)
    lines = memory_lines(one, [one], Retention(0.7, "keep", "it holds"), "", NOW).splitlines()
    assert f"used        {told}" in lines


@pytest.mark.parametrize(
    ("text", "seconds"),
    [("30d", 30 * DAY), ("12h", 43_200), ("2w", 14 * DAY), ("1d12h", 1.5 * DAY), ("90M", 5400), ("0.5d", 43_200)],
)
def test_durations(text: str, seconds: float) -> None:
    assert duration(text) == seconds


@pytest.mark.parametrize("text", ["", "30", "d", "-3d", "3 days", "3x", "１d d", "inf"])
def test_what_is_no_duration_says_how_one_looks(text: str) -> None:
    with pytest.raises(UsageError, match="30d, 12h, 2w"):
        duration(text)


@pytest.mark.parametrize(
    ("seconds", "said"),
    [
        (0, "just now"), (59, "just now"), (60, "1 minute ago"), (3 * DAY, "3 days ago"), (8 * DAY, "1 week ago"),
        (70 * DAY, "2 months ago"), (800 * DAY, "2 years ago"), (-2 * DAY, "in 2 days"), (-3, "just now"),
    ],
)  # fmt: skip
def test_ages_in_words(seconds: float, said: str) -> None:
    assert age(seconds) == said


def test_a_moment_outside_of_every_calendar() -> None:
    assert moment(1e18) == "-" and moment(None) == "-"


@settings(deadline=None, max_examples=100)
@given(st.lists(st.integers(0, 100_000), min_size=1, max_size=10))
def test_a_histogram_shows_whatever_is_there(counts: list[int]) -> None:
    lines = bars(counts)
    assert len(lines) == len(counts)
    for line, count in zip(lines, counts, strict=True):
        assert str(count) in line.split() and ("█" in line) == (count > 0) and line.count("█") <= 40


def test_a_filter_is_what_both_options_say() -> None:
    assert filter_of([], None) is None and filter_of([], "{}") is None
    where = filter_of(["fact", "todo"], '{"said_at": {"$gte": 5}}')
    assert where is not None
    assert to_json(where) == {"$and": [{"kind": {"$in": ["fact", "todo"]}}, {"said_at": {"$gte": 5.0}}]}


@pytest.mark.parametrize("text", ["", "{", "[]", "3", '{"tenant": "other"}', '{"kind": {"$foo": 1}}', "[" * 100_000])
def test_a_filter_that_is_none_is_an_error_that_shows_the_way(text: str) -> None:
    with pytest.raises(UsageError) as raised:
        filter_of([], text)
    assert raised.value.hint


def test_kinds_are_checked() -> None:
    assert kinds_of(["fact", "message"]) == ["fact", "message"] and not kinds_of(None)
    with pytest.raises(UsageError, match="there is no kind 'wish'") as raised:
        kinds_of(["wish"])
    assert raised.value.hint.startswith("There are: profile,")
    with pytest.raises(UsageError, match="there is no kind 'Prefrence'") as raised:
        kinds_of(["Prefrence"])
    assert raised.value.hint.startswith("Did you mean 'preference'? There are: profile,")


@pytest.mark.parametrize(
    ("text", "nearest"),
    [
        ('{"kind": "fct"}', "fact"),
        ('{"kind": {"$nin": ["fact", "evnt"]}}', "event"),
        ('{"$or": [{"speaker": "x"}, {"scope": {"$ne": "alll"}}]}', "all"),
        ('{"source": "memories", "agent": "x"}', "memory"),
        ('{"origin": "usr"}', "user"),
    ],
)
def test_a_value_that_nothing_has_is_no_filter(text: str, nearest: str) -> None:
    with pytest.raises(UsageError, match="there is no") as raised:
        filter_of([], text)
    assert raised.value.hint.startswith(f"Did you mean {nearest!r}?")
    assert filter_of([], '{"kind": "message", "speaker": "anybody", "agent": "any", "origin": "file"}') is not None


@pytest.mark.parametrize("text", ["", "  \n", "a\udcff", "?!…", "，。！", "🎉"])
def test_a_text_of_nothing_or_no_text(text: str) -> None:
    with pytest.raises(UsageError, match=r"the text (is|has no word)"):
        words_of(text, "the text")


def test_a_hit_shows_its_parts_and_whence_it_came() -> None:
    entry = memory(source="notes.md#3", origin="file", state="superseded")
    passage = Passage(1, "k", "line one\nline two", "user", NOW - 3 * DAY, "", "t", None, 0, entry)
    shown = result_lines(Result(passage, Ranked(1, 3.0, 0.83, 0.71, 0.9), 0.98), "午餐", NOW)
    assert shown.splitlines() == [
        "0.83  preference (superseded) · notes.md#3 · 3 days ago · thread 午餐 · 0123456789abcdef",
        "      vector 0.71, keyword 0.90, retention 0.98",
        "      line one line two",
    ]
    said = Passage(1, "k", "hello", "user", NOW, "", "t", 7)
    assert "message · you · just now" in result_lines(Result(said, Ranked(1, 1.0, 0.5, 0.5, 0.5), 1.0), "", NOW)


def test_an_entry_shows_its_chain_with_the_times_it_held() -> None:
    old = memory(id="old", text="详细回答", state="superseded", valid_from=NOW - 9 * DAY, valid_to=NOW - 3 * DAY)
    new = memory(pinned=True, due_at=NOW + 2 * DAY)
    shown = memory_lines(new, [old, new], Retention(0.66, "keep", "pinned"), "午餐", NOW)
    assert shown.startswith("简短回答\n")
    for wanted in (
        "active, pinned",
        "agent 助手",
        "you, thread 午餐",
        "请简短回答",
        "0.66: pinned",
        "(in 2 days)",
        "2 times",
    ):
        assert wanted in shown
    held = [line for line in shown.splitlines() if "回答" in line and " to " in line]
    assert [("*" in line, "now" in line) for line in held] == [(False, False), (True, True)]


def test_the_fates_of_what_recall_looked_at() -> None:
    record = {
        "recall": [
            trace(fate="standing", id="s1", kind="preference", score=0.0),
            trace(),
            trace(fate="below threshold", id="b1", score=0.41),
            trace(fate="below threshold", id="b2", score=0.2),
            trace(fate="double", id="d1", score=0.55, note="a1"),
            trace(fate="superseded", id="o1", score=0.5, note="n1"),
        ],
        "recall_note": "the embedder is still loading",
    }
    shown = recall_lines(record)
    assert "the embedder is still loading" in shown[0]
    assert shown[1].startswith("standing") and "s1" in shown[1] and shown[2].startswith("used") and "0.60" in shown[2]
    assert shown[3] == "not used 2 below the threshold, 1 says the same as another one, 1 superseded"
    assert overview_lines(record)[:-1] == [
        "in the prompt:",
        "   1  in every prompt: 1 memory",
        "   2  used for this answer: 1 memory",
        "looked at, and not in the prompt:",
        "   3  says the same as another one: 1 memory, the best with 0.55",
        "   4  no longer holds: 1 memory, the best with 0.50",
        "   5  below the threshold: 2 memories, the best with 0.41",
    ]
    assert group_lines(record, 1) == ["in every prompt:", "  s1  preference  “tea”"], "it was not searched for"
    assert group_lines(record, 3)[1].endswith("says the same as a1")
    assert group_lines(record, 4)[1].endswith("superseded by n1")
    below = group_lines(record, 5)
    assert [line.split()[0] for line in below[1::2]] == ["b1", "b2"] and below[1].endswith("“tea”"), "the nearest first"
    assert below[2].strip() == "0.41: vector 0.50, keyword 0.40, retention 1.00"
    for number in (0, 6):
        with pytest.raises(UsageError, match=f"there is no {number} in it"):
            group_lines(record, number)


def test_what_was_used_is_told_in_the_order_of_the_record_and_passages_name_their_message() -> None:
    passage = {"kind": "message", "thread_id": "1m8nehw1amfacnch", "block": "earlier"}
    record = {
        "recall": [
            trace(id="a1", score=0.5),
            trace(id="home.12.0", text="first\nsaid", score=0.6, message_id=12, **passage),
            trace(id="home.31.0", text="后来说的", score=0.9, message_id=31, **passage),
            trace(id="home.31.1", score=0.8, fate="double", note="home.31.0", message_id=31, **passage),
            trace(id="far.4.0", score=0.7, fate="over budget", message_id=None, **passage),
            trace(id="old.9.0", kind="message", score=0.6, fate="below threshold"),
        ]
    }
    lines = every_group(record)
    assert [line for line in lines if not line.startswith("      ")] == [
        "used for this answer:",
        "  a1  fact  “tea”",
        "  thread 1m8nehw1amfacnch, message 12  “first said”",
        "  thread 1m8nehw1amfacnch, message 31  “后来说的”",
        "says the same as another one:",
        "  thread 1m8nehw1amfacnch, message 31  “tea”: says the same as thread 1m8nehw1amfacnch, message 31",
        "no room for it:",
        "  message far.4.0  “tea”",
        "below the threshold:",
        "  message old.9.0  “tea”",
    ]
    assert [line.split()[1] for line in recall_lines(record)[:3]] == ["a1", "thread", "thread"]


def test_what_was_used_comes_first_and_all_of_it_has_room_on_a_small_screen() -> None:
    words = "a long statement about 花园里的两扇门 " * 9
    said = [
        trace(id=f"h.{at}.0", text=words, score=0.5, kind="message", thread_id="t", message_id=at) for at in range(31)
    ]
    near = [trace(id=f"n{at}", text=words, score=0.1, fate="archived", note="forgotten") for at in range(20)]
    wishes = [trace(id=f"w{at}", text=words, score=0.0, fate="standing") for at in range(9)]
    kept = [trace(id=f"k{at}", text=words, score=0.0, fate="kept from before") for at in range(9)]
    record = {"thread_id": "t", "recall": [*wishes, *said, trace(id="a1", score=0.2), *kept, *near]}
    lines = why_lines(record)
    rows = [row for line in lines for row, _ in flow(Text(line), 80, hang=4)]
    assert len(rows) <= 22 and all(cell_len(row.plain) <= 80 for row in rows)
    assert all(line.endswith("…”") and "花园" in line for line in lines if line.startswith("  n"))
    assert "used for this answer: 1 memory, 31 earlier messages, of which:" in lines
    assert any(line.startswith("  a1  fact  0.20  “tea”") for line in lines), "a memory is not lost among the messages"
    assert sum(line.startswith("  n") for line in lines) == 2 and lines[-1].startswith("and 63 more")
    recalled = (*wishes, *said, *kept, *near)
    short = why_lines({"thread_id": "t", "recall": [one | {"text": "短"} for one in recalled]})
    assert sum(line.startswith("  n") for line in short) == 5 and len(short) <= 22, "what is short leaves room for more"
    everything = every_group(record)
    assert sum("“" in line for line in everything) == 20 + 20 + 9 + 9, "at most 20 of a kind"
    assert sum(line.startswith("and ") for line in everything) == 1
    assert "archived: you asked to forget it" in everything[-2]
    assert len(overview_lines(record)) <= 22


def test_what_was_corrected_since_is_said_so() -> None:
    said = {"kind": "message", "thread_id": "t", "message_id": 3}
    used, gone = trace(note="corrected", **said), trace(text="", fate="superseded", **said)
    for everything in (False, True):
        record: dict[str, object] = {"thread_id": "t", "recall": [used, gone]}
        lines = "\n".join(every_group(record) if everything else why_lines(record))
        marked = "“tea” (corrected since)" if everything else "(corrected since)  “tea”"
        assert marked in lines and "“”" not in lines and lines.count("(corrected since)") == 1
        assert "(corrected or forgotten since)" in lines and "superseded" not in lines and "not recalled" in lines


def test_a_small_screen_tells_what_was_forgotten_from_what_has_faded() -> None:
    notes = ("forgotten", "faded", "", "1m8nf69htxhpfcax")
    lines = why_lines({"recall": [trace(id=f"n{note}", score=0.1, fate="archived", note=note) for note in notes]})
    told = ("you asked to forget it", "has faded", "archived", "another was restored")
    assert all(f"0.10  {words}  “tea”" in line for words, line in zip(told, lines[1:], strict=True)), lines


def test_records_from_before_memory_have_nothing_to_say() -> None:
    assert recall_lines({}) == [] and why_lines({}) == ["memory had nothing for this answer"]
