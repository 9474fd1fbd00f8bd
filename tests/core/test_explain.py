"""Why something is in a prompt or is not, and what changed between two, from the records alone."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from recorded import THREAD, compression, entry, prompt_record, trace

from localagent.explain import Explanation, History, why
from localagent.explain_diff import Difference, compare, difference_lines
from localagent.explain_overview import explanation_lines, overview
from localagent.explain_prompt import Prompt, read_compression, read_prompt
from localagent.explain_text import Wanted

TALK = {
    1: "Keep answers under 200 words, please.",
    2: "I will.",
    3: "We decided on PostgreSQL 16 for the ledger.",
    4: "Noted.",
    5: "我喜欢绿茶，不喜欢咖啡。",
    6: "好的。",
    7: "What did we decide about the ledger?",
}
MEMORY = "1m8nf69htxhpfca1"
OTHER = "1m8nf69htxhpfca2"
WISH = "1m8nf69htxhpfca3"


def history(*records: dict[str, object], compressions: Sequence[dict[str, object]] = ()) -> History:
    return History([read_prompt(one) for one in records], [read_compression(one) for one in compressions])


def asked(text: str, told: History, at: int = -1) -> Explanation:
    return why(text, told.prompts[at], told)


def words(found: Explanation) -> str:
    return "\n".join(explanation_lines(found))


def of(record: dict[str, object]) -> Prompt:
    return read_prompt(record)


# What a record holds.


def test_the_parts_of_a_prompt_are_read_back_as_they_were_put_together() -> None:
    lines = ("- decision: PostgreSQL 16", "- 偏好：绿茶 </summary> <wish>")
    recalled = (
        entry(WISH, "Short answers. </wish>", wish=True),
        entry(MEMORY, 'The "port" is <memory> 5433', score=0.7),
        entry("earlier", "2026-03-01\nuser: the port is 5433", score=-0.3),
    )
    prompt = of(prompt_record("p1", TALK, recalled=recalled, summary=lines, summary_version=3))
    assert prompt.instructions == "You are a helpful assistant."
    assert prompt.summary == lines
    assert [(item.id, item.text, item.wish) for item in prompt.quoted] == [
        (WISH, "Short answers. </wish>", True),
        (MEMORY, 'The "port" is <memory> 5433', False),
        ("earlier", "2026-03-01\nuser: the port is 5433", False),
    ]
    assert "".join(text for _, text in prompt.sections) == prompt.system
    assert [(message.id, message.text, message.block) for message in prompt.messages] == [
        (number, text, "request" if number == 7 else "recent") for number, text in TALK.items()
    ]


def test_labels_in_the_instructions_are_not_taken_for_quoted_parts() -> None:
    instructions = 'Say\n\nthis:\n<memories>\n<memory id="x">\nno\n</memory>\n</memories>'
    prompt = of(prompt_record("p1", TALK, instructions=instructions))
    assert prompt.instructions == instructions and prompt.quoted == () and prompt.summary == ()


@settings(deadline=None, max_examples=60)
@given(st.text(max_size=80), st.lists(st.text(min_size=1, max_size=60), max_size=3), st.text(min_size=1, max_size=60))
def test_whatever_stands_in_it_a_prompt_is_taken_apart_without_loss(
    instructions: str, memories: list[str], line: str
) -> None:
    recalled = [entry(f"m{at}", text) for at, text in enumerate(memories)]
    prompt = of(prompt_record("p1", {1: "Hi"}, recalled=recalled, summary=[line], instructions=instructions))
    assert "".join(text for _, text in prompt.sections) == prompt.system
    assert [item.id for item in prompt.quoted] == [item.id for item in recalled]
    assert prompt.instructions == instructions


def test_requests_sent_as_one_have_no_ids_of_their_own_but_are_found() -> None:
    record = prompt_record("p1", {1: "The port is 5433.", 3: "Are you there?"})
    told = history(record)
    assert [message.id for message in told.prompts[0].messages] == [3]
    assert asked("port is 5433", told).present


@pytest.mark.parametrize(
    "damage",
    [
        {"recall": None, "blocks": [], "request": {}},
        {"recall": [3, {"id": 1}], "blocks": ["x", {}], "request": {"messages": [{"role": "user"}, 5]}},
        {"summary_dropped": 7, "shared": "x", "dropped": None, "older": None, "created_at": None},
    ],
)
def test_old_and_damaged_records_are_explained_as_far_as_they_go(damage: dict[str, object]) -> None:
    told = history(prompt_record("p1", TALK), {**prompt_record("p2", TALK), **damage})
    assert words(asked("PostgreSQL", told)) and overview(told.prompts[1], told)
    assert difference_lines(compare(*told.prompts, adjacent=True))


# Where it is.


def test_a_recent_message_and_the_request_are_named() -> None:
    told = history(prompt_record("p1", TALK))
    assert "recent messages, message 3 (user): “We decided on PostgreSQL 16" in words(asked("postgresql", told))
    assert "recent messages, message 5 (user)" in words(asked("不喜欢咖啡", told))
    assert "the request itself, message 7 (user)" in words(asked("decide about the ledger?", told))
    assert "message 5 (user)" in words(asked("#5", told)) and "message 5 (user)" in words(asked("消息 5", told))


def test_a_line_of_the_summary_is_named_with_its_version() -> None:
    told = history(
        prompt_record(
            "p1", TALK, summary=["- fact: the boiler is serviced in May", "- 决定：端口 5433"], summary_version=3
        )
    )
    assert "line 1 of 2 of the summary (version 3): - fact: the boiler" in words(asked("boiler serviced", told))
    found = asked("端口 5433", told)
    assert (found.findings[0].place, found.findings[0].version, found.findings[0].line) == ("summary", 3, 2)


def test_what_was_recalled_has_its_score_and_wishes_are_called_so() -> None:
    traces = [
        trace(MEMORY, "The printer is on floor three", score=0.71, vector=0.6, keyword=0.8, retention=0.9),
        trace(WISH, "Answer in French", kind="preference", fate="standing", score=0.0),
        trace("k.9.0", "the toner is in the cupboard", kind="message", block="earlier", score=0.5, message_id=90),
    ]
    recalled = [
        entry(WISH, "Answer in French", wish=True),
        entry(MEMORY, "The printer is on floor three", score=0.71),
        entry("earlier", "2026-03-01\nuser: the toner is in the cupboard", score=-0.2),
    ]
    told = history(prompt_record("p1", TALK, traces=traces, recalled=recalled))
    text = words(asked("printer floor", told))
    assert "recalled with score 0.71 (vector 0.60, keyword 0.80, retention 0.90): decision" in text
    assert "a standing wish, in every prompt: “Answer in French”" in words(asked("in french", told))
    assert "recalled from earlier messages with score 0.50" in words(asked("toner cupboard", told))
    assert asked(MEMORY.upper(), told).findings[0].id == MEMORY


# Why it is not.


@pytest.mark.parametrize(
    ("changes", "expected"),
    [
        (
            {"fate": "below threshold", "score": 0.31, "note": "0.45"},
            "scored 0.31 (vector 0.50, keyword 0.40, retention",
        ),
        ({"fate": "below threshold", "score": 0.31, "note": "0.45"}, "below the threshold of 0.45"),
        ({"fate": "below threshold", "score": 0.31}, "below the threshold (memory_search_min_score)"),
        ({"fate": "beyond top_k"}, "enough others scored higher"),
        ({"fate": "double", "note": OTHER}, f"says the same as fact {OTHER} “It is on floor 3”"),
        ({"fate": "over budget"}, "there was no room for it"),
        ({"fate": "over budget", "note": "900 tokens, 300 of 300 free"}, "no room there: 900 tokens, 300 of 300 free"),
        ({"fate": "superseded", "note": OTHER}, f"no longer holds: superseded by fact {OTHER}"),
        ({"fate": "archived"}, "localagent memory restore"),
        ({"fate": "archived", "note": "forgotten"}, "you asked to forget it"),
        ({"fate": "archived", "note": "faded"}, "it has faded"),
        ({"fate": "in the summary"}, "left to the summary, which says it"),
        ({"fate": "says nothing"}, "it only asks"),
        ({"fate": "eaten by a later version", "note": "x"}, "eaten by a later version (x)"),
    ],
)
def test_each_fate_of_a_candidate_is_said_in_words(changes: dict[str, object], expected: str) -> None:
    traces = [
        trace(MEMORY, "The printer is on floor three", block="", **changes),
        trace(OTHER, "It is on floor 3", kind="fact", fate="below threshold", block=""),
    ]
    told = history(prompt_record("p1", TALK, traces=traces))
    for question in ("printer floor three", MEMORY):
        found = asked(question, told)
        assert not found.present and expected in words(found)


@pytest.mark.parametrize(
    ("changes", "advice", "wrong"),
    [
        ({"kind": "preference", "fate": "over budget", "note": "9 tokens, 3 of 3 free"}, "preference_tokens", "pin"),
        ({"kind": "fact", "fate": "below threshold"}, "memory pin", "edit"),
        ({"kind": "message", "fate": "below threshold"}, "/remember it, then", "edit"),
    ],
)
def test_the_advice_is_one_that_helps(changes: dict[str, object], advice: str, wrong: str) -> None:
    told = history(
        prompt_record("p1", TALK, traces=[trace(MEMORY, "The printer is on floor three", block="", **changes)])
    )
    hint = asked("printer floor three", told).hint
    assert advice in hint and wrong not in hint


def test_a_message_that_left_the_ring_is_followed_into_the_summary() -> None:
    later = {number: text for number, text in TALK.items() if number > 4}
    line = "- decision: PostgreSQL 16 for the ledger"
    told = history(
        prompt_record("p1", TALK),
        prompt_record("p2", {**later, 8: "So.", 9: "Hm?"}, summary=[line], summary_version=1),
        prompt_record("p3", {**later, 8: "So.", 9: "Hm?", 10: "x", 11: "y"}, summary_version=2),
        compressions=[compression(1, 1, 4, added=[line]), compression(2, 5, 6, left=[line])],
    )
    gone = "message 3 (user: “We decided on PostgreSQL 16 for the ledger.”) left the recent messages when version 1 of "
    assert f"{gone}the summary covered messages 1 to 4; its line is “{line}”, line 1" in words(asked("#3", told, 1))
    assert asked("PostgreSQL 16", told, 1).findings[0].place == "summary"
    assert "which left the summary with version 2" in words(asked("PostgreSQL 16", told, 2))
    assert "message 1 (user: " in words(asked("under 200", told, 2)) and "no line was made of it" in words(
        asked("under 200", told, 2)
    )


def test_what_was_dropped_older_taken_back_or_said_later_is_told_apart() -> None:
    first = prompt_record("p1", TALK)
    big = {1: "the first " * 300, 2: "I see", 3: "the third " * 30, 5: "Now?"}
    dropped = prompt_record("p2", big, window=1224 + 200)
    told = history(first, dropped, prompt_record("p3", {5: TALK[5], 7: TALK[7], 8: "So", 9: "Next"}, older=4))
    assert 1 in told.prompts[1].dropped_ids
    assert "message 1" in words(asked("#1", told, 1)) and "had no room" in words(asked("#1", told, 1))
    assert "older than the recent messages (4 are)" in words(asked("PostgreSQL", told, 2))
    assert "had been taken back (/undo or /retry)" in words(asked("#6", told, 2))
    assert "came later: it is first in prompt p3" in words(asked("#9", told, 0))


def test_a_line_without_room_is_told() -> None:
    record = prompt_record("p1", TALK, summary_version=2, summary_dropped=("- fact: the boiler is old",))
    assert "found no room in this prompt: - fact: the boiler" in words(asked("the boiler", history(record)))


def test_what_was_never_a_candidate_says_what_to_do() -> None:
    told = history(prompt_record("p1", TALK), prompt_record("p2", TALK, traces=[trace(MEMORY, "x y z", block="")]))
    nothing, some = words(asked("Kubernetes", told, 0)), words(asked("Kubernetes", told, 1))
    assert "memory offered nothing" in nothing
    assert "none of the 1 entries and passages" in some and "localagent memory search" in some
    assert f"no memory {OTHER} was looked at" in words(asked(OTHER, told))
    assert "for prompt p2 it was: recalled with score" in words(asked(MEMORY, told, 0))


# Which text is meant.


@pytest.mark.parametrize(
    ("asked_for", "text"),
    [
        ("UNDER 200 words", "Keep answers  under\n200 words"),
        ("decide ledger database", "We decided: the ledger's database is PostgreSQL"),
        ("绿茶", "我喜欢绿茶。"),
        ("用postgresql", "我们用 PostgreSQL 16"),
        ("C++", "I write C++."),
        ("ｐｏｒｔ ５４３３", "the port 5433"),
        ("Please remember that the boiler is serviced in May, thanks", "the boiler is serviced in May"),
        ("哪个数据库存账本", "账本的数据库是 PostgreSQL"),
    ],
)
def test_a_text_is_recognised(asked_for: str, text: str) -> None:
    assert Wanted(asked_for).likeness(text) > 0


@pytest.mark.parametrize(
    ("asked_for", "text"),
    [
        ("art", "start the cart"),
        ("go", "it is gone"),
        ("the and of", "we went to town"),
        ("green tea", "black coffee and green apples"),
        ("红茶", "我喜欢绿茶。"),
        ("", "anything"),
        ("…", "a text"),
        ("plan", ""),
    ],
)
def test_another_text_is_not(asked_for: str, text: str) -> None:
    assert Wanted(asked_for).likeness(text) == 0


@settings(deadline=None, max_examples=100)
@given(st.text(min_size=1, max_size=60), st.text(max_size=40), st.text(max_size=40))
def test_a_likeness_is_a_share_and_the_text_itself_is_recognised(text: str, before: str, after: str) -> None:
    assert 0 <= Wanted(text).likeness(f"{before} {after}") <= 1
    if any(char.isalnum() for char in text):
        assert Wanted(text).likeness(text) >= 0.9


def test_a_number_means_a_message_also_where_nobody_knows_it() -> None:
    said = trace("h.3.0", "the lift is on floor 3", kind="message", block="", fate="below threshold", score=0.2)
    elsewhere = replace(said, thread_id="another", message_id=333)
    told = history(prompt_record("p1", {1: "Version #3 is out, take 3 of them", 2: "Fine"}, traces=[elsewhere]))
    for question in ("#3", "message 3", "消息 3"):
        found = asked(question, told)
        assert not found.present and "message 3 is in none" in words(found), words(found)
    assert "message 333 of thread another" in words(asked("#333", told))


def test_of_a_line_that_left_the_summary_the_reason_is_told() -> None:
    old, new = "- decision: the kickoff is on Monday", "- decision: the kickoff is on Thursday"
    gone, corrected = "- fact: the cat is called Tom", "- 事实：会议在三楼"
    told = history(
        prompt_record("p1", {1: "会议改到五楼。"}, summary=[old, gone, corrected], summary_version=1),
        prompt_record("p2", {3: "Thanks"}, summary=[old, gone], summary_version=1),
        prompt_record("p3", {5: "So?"}, summary=[new], summary_version=2),
        compressions=[
            compression(1, 1, 2, added=[old, gone, corrected]),
            compression(2, 3, 4, added=[new], left=[old, gone]),
        ],
    )
    assert "says in its place “the kickoff is on Thursday”" in words(asked("kickoff is on Monday", told))
    assert "the lightest where there is no room" in words(asked("the cat is called Tom", told))
    for at in (1, 2):
        found = words(asked("会议在三楼", told, at))
        assert "until prompt p1 (with “会议改到五楼。”); corrected or forgotten since" in found, found
    assert asked("会议在三楼", told, 0).present


def test_what_is_not_there_does_not_push_away_what_is() -> None:
    near = [
        trace(f"1m8nf69htxhpfcb{at}", "the ledger is PostgreSQL 16", fate="over budget", block="") for at in range(9)
    ]
    found = asked("PostgreSQL 16", history(prompt_record("p1", TALK, traces=near)))
    assert [one.present for one in found.findings] == [True, False, False] and found.more == 7


def test_what_nothing_is_left_of_is_said_to_be_corrected() -> None:
    record = prompt_record("p1", TALK, traces=[trace("h.9.0", "", kind="message", fate="superseded", block="")])
    found = words(why("h.9.0", of(record), history(record)))
    assert "“”" not in found


# What changed.


def difference(before: dict[str, object], after: dict[str, object], *, adjacent: bool = False) -> Difference:
    return compare(of(before), of(after), adjacent=adjacent)


def test_what_entered_and_left_is_listed_with_the_tokens_of_each_block() -> None:
    later = {**{number: text for number, text in TALK.items() if number > 2}, 8: "PostgreSQL 16.", 9: "谢谢"}
    found = difference(
        prompt_record("p1", TALK), prompt_record("p2", later, summary=["- fact: short"], summary_version=1)
    )
    assert [one.id for one in found.entered] == [8, 9] and [one.id for one in found.left] == [1, 2]
    assert found.entered[1].text == "谢谢" and found.left[0].role == "user"
    assert found.lines_added == ("- fact: short",) and found.versions == (0, 1)
    text = "\n".join(difference_lines(found))
    assert "2 messages entered:" in text and "the summary: version none -> 1:" in text
    assert found.tokens["summary"][0] == 0 < found.tokens["summary"][1]
    assert "the change begins in the summary" in text


def test_memories_and_wishes_come_and_go_with_a_reason() -> None:
    def quoting(key: str, number: int, first: str, second: str) -> dict[str, object]:
        traces = [
            trace(MEMORY, "The port is 5433", fate=first, block=MEMORY if first == "used" else "", score=0.4),
            trace(OTHER, "The host is db1", fate=second, block=OTHER if second == "used" else "", score=0.6),
        ]
        recalled = [entry(one.id, one.text) for one in traces if one.fate == "used"]
        wishes = [entry(WISH, "Short answers", wish=True)] if number == 1 else []
        return prompt_record(key, {number: "Hello"}, traces=traces, recalled=[*wishes, *recalled])

    found = difference(quoting("p1", 1, "used", "below threshold"), quoting("p2", 3, "archived", "used"))
    assert [(one.id, one.reason) for one in found.memories_left] == [
        (MEMORY, "archived: it has faded, or was put away")
    ]
    assert [one.id for one in found.memories_added] == [OTHER]
    assert found.memories_added[0].reason.endswith("before, it was below threshold (0.60)")
    assert [one.id for one in found.wishes_left] == [WISH] and not found.wishes_added


def test_the_shared_beginning_is_as_counted_between_neighbours_and_reckoned_otherwise() -> None:
    before = prompt_record("p1", TALK)
    after = prompt_record("p2", {**TALK, 8: "PostgreSQL.", 9: "Thanks"}, shared=31)
    counted, reckoned = difference(before, after, adjacent=True), difference(before, after)
    assert (counted.shared.tokens, counted.shared.exact) == (31, True)
    assert not reckoned.shared.exact and 0 < reckoned.shared.tokens <= after["tokens"]  # type: ignore[operator]
    assert "the first 31 of" in "\n".join(difference_lines(counted))
    assert counted.shared.begins == "the recent messages, at message 8"


def test_other_settings_and_instructions_are_named() -> None:
    found = difference(
        prompt_record("p1", TALK, instructions="Be brief.\nBe kind."),
        prompt_record("p2", TALK, instructions="Be brief.\nBe exact.", window=4096, model="large"),
    )
    assert found.instructions == ("-Be kind.", "+Be exact.")
    assert {one.name: (one.before, one.after) for one in found.settings} == {
        "model": ("small", "large"),
        "window": ("8192", "4096"),
        "options.num_ctx": ("8192", "4096"),
    }
    assert found.shared.begins.startswith("the instructions, at “kind.”") is False
    assert "exact." in found.shared.begins


@settings(deadline=None, max_examples=40)
@given(st.lists(st.text(min_size=1, max_size=30), min_size=1, max_size=6), st.integers(0, 5))
def test_a_prompt_shares_everything_with_itself_and_never_more_than_it_has(texts: list[str], cut: int) -> None:
    talk = dict(enumerate(texts, 1))
    one = prompt_record("p1", talk)
    same = difference(one, one).shared
    assert same.begins == "" and same.tokens >= same.of - 2
    other = prompt_record("p2", {**talk, len(texts) + 1: "and", len(texts) + 2: "more"})
    assert 0 <= difference(one, other).shared.tokens <= other["tokens"]  # type: ignore[operator]


def test_threads_that_differ_are_called_so() -> None:
    found = difference(prompt_record("p1", TALK), prompt_record("p2", TALK, thread_id="another"))
    assert f"of different threads ({THREAD} and another)" in "\n".join(difference_lines(found))


def test_what_was_kept_from_an_earlier_request_is_called_so() -> None:
    """Items stay in the prompt though the request at hand did not find them."""
    recalled = [
        entry(MEMORY, "The printer is on floor three"),
        entry(OTHER, "The toner is blue"),
        entry("earlier-2", "2026-03-01\nuser: the cupboard is locked", score=-0.2),
    ]
    traces = [trace(MEMORY, "The printer is on floor three", fate="below threshold", score=0.2, note="0.45")]
    told = history(
        prompt_record("p1", TALK, recalled=recalled[:1]), prompt_record("p2", TALK, recalled=recalled, traces=traces)
    )
    printer = asked("printer floor", told)
    assert printer.present and "recalled for an earlier request, and kept" in words(printer)
    assert "for this request it scored 0.20" in words(printer)
    assert "kept where it stood: entry" in words(asked("blue toner", told))
    assert asked("cupboard is locked", told).findings[0].place == "earlier messages"
    added = compare(*told.prompts, adjacent=True).memories_added
    assert [one.text for one in added] == ["The toner is blue", "user: the cupboard is locked"]
