"""What the last prompt quoted stays, byte for byte, while it holds; what is new and strong comes behind it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from localagent.assembler import Recalled
from localagent.memory.searching import Passage
from localagent.recall_block import build_block
from localagent.sticky import BLOCK_ID, STRONG, Before, Now, Quoted, Room, in_order, keep, quoted_block, worth

BASIS = (("- fact: a line",), 7)
ROOM = Room(top_k=5, message_tokens=60, count=lambda text: len(text.split()), behind=1000, sure=0.7)


def entry(name: str, score: float = 0.5, **more: object) -> Recalled:
    return replace(Recalled(name, f"{name} says this", score, "fact, 2026-03-01"), **more)  # type: ignore[arg-type]


def said(row: int, text: str = "") -> Passage:
    return Passage(row, f"h.{row}.0", text or f"said number {row} here", "user", 86_400.0 * row, "s", "t", row)


def block(*passages: Passage) -> Quoted:
    ranked = [(passage, 1.0) for passage in passages]
    return quoted_block(build_block(ranked, 60, ROOM.count), ranked, {})[0]


def before(*quoted: Quoted | Recalled, basis: object = BASIS) -> Before:
    return Before(basis, tuple(Quoted(one) if isinstance(one, Recalled) else one for one in quoted))  # type: ignore[arg-type]


def now(
    earlier: Before,
    entries: Sequence[tuple[Recalled, float]] = (),
    passages: Sequence[tuple[Passage, float]] = (),
    best: float = 1.0,
    score: float = 0.9,
) -> Now:
    """Everything of `earlier` still holds."""
    holds = {one.item.id: one.item for one in earlier.loose if not one.passages}
    reads = {passage.key: passage for one in earlier.loose for passage in one.passages}
    names = [*(item.id for item, _ in entries), *(passage.key for passage, _ in passages)]
    return Now(BASIS, entries, passages, best, holds, reads, {}, dict.fromkeys(names, score))


def test_what_a_request_needs_less_stays_where_it_is() -> None:
    earlier = before(entry("a"), entry("b"), block(said(1), said(2)))
    assert keep(earlier, now(earlier), ROOM) == earlier.loose


def test_what_is_new_and_strong_comes_behind_and_the_beginning_stays() -> None:
    earlier = before(entry("a"), block(said(1), said(2)))
    found = keep(earlier, now(earlier, [(entry("new"), 1.0)], [(said(5), 0.99), (said(1), 0.9)]), ROOM)
    assert found is not None
    assert [one.item.id for one in found] == ["a", BLOCK_ID, "new", f"{BLOCK_ID}-2"]
    assert [one.item.text for one in found[:2]] == [one.item.text for one in earlier.loose]
    assert "said number 5" in found[3].item.text and "said number 1" not in found[3].item.text
    assert found[1].item.score < found[3].item.score < 0, "the older block gives way first"


@pytest.mark.parametrize("rank", [0.5, 0.8, 0.9])
def test_what_is_weak_beside_the_best_waits(rank: float) -> None:
    assert worth(rank, 1.0) < STRONG
    earlier = before(entry("a"))
    assert keep(earlier, now(earlier, [(entry("new"), rank)], [(said(5), rank)]), ROOM) == earlier.loose


def test_a_passage_that_is_hardly_sure_waits_unless_little_stands_behind_it() -> None:
    earlier = before(entry("a"))
    unsure = now(earlier, passages=[(said(5), 1.0)], score=0.5)
    assert keep(earlier, unsure, ROOM) == earlier.loose
    assert keep(earlier, unsure, replace(ROOM, behind=60)) is None, "chosen anew: that costs next to nothing"
    assert keep(earlier, now(earlier), replace(ROOM, behind=60)) == earlier.loose, "nothing is missing"


def test_an_entry_above_the_threshold_does_not_wait() -> None:
    earlier = before(entry("a"))
    found = keep(earlier, now(earlier, [(entry("new"), 1.0)], score=0.5), ROOM)
    assert found is not None and [one.item.id for one in found] == ["a", "new"]


def test_what_is_weak_comes_along_with_what_is_strong() -> None:
    earlier = before(entry("a"))
    found = keep(earlier, now(earlier, [(entry("new"), 1.0), (entry("other"), 0.85)]), ROOM)
    assert found is not None and [one.item.id for one in found] == ["a", "new", "other"]


def test_a_choice_is_made_anew_where_something_does_not_hold() -> None:
    earlier = before(entry("a"), block(said(1)))
    fine = now(earlier)
    assert keep(earlier, fine, ROOM) is not None
    assert keep(earlier, replace(fine, basis=(("- fact: another",), 7)), ROOM) is None, "the summary"
    assert keep(earlier, replace(fine, basis=(*BASIS[:1], 9)), ROOM) is None, "the ring was cut"
    assert keep(earlier, replace(fine, holds={}), ROOM) is None, "superseded, archived, forgotten"
    assert keep(earlier, replace(fine, holds={"a": entry("a", text="edited")}), ROOM) is None
    assert keep(earlier, replace(fine, reads={}), ROOM) is None, "taken back"
    assert keep(earlier, replace(fine, reads={"h.1.0": said(1, "without what was corrected")}), ROOM) is None
    assert keep(earlier, replace(fine, holds={"a": entry("a", 0.9)}), ROOM) is not None, "a score is not shown"


def test_a_choice_is_made_anew_where_there_is_no_room() -> None:
    earlier = before(block(said(1, "word " * 40)))
    assert keep(earlier, now(earlier, passages=[(said(5, "word " * 30), 1.0)]), ROOM) is None
    assert keep(earlier, now(earlier), replace(ROOM, message_tokens=10)) is None
    many = before(*(entry(str(number)) for number in range(10)))
    assert keep(many, now(many, [(entry("new"), 1.0)]), ROOM) is None


def test_what_found_no_room_in_the_prompt_was_not_there() -> None:
    earlier = before(entry("a"), entry("b"), block(said(1))).that_reached({"a", "unknown"})
    assert [one.item.id for one in earlier.quoted] == ["a"]


def test_standing_wishes_keep_their_order_and_a_new_one_comes_last() -> None:
    a, b, c = (entry(name, 1.0, pinned=True, wish=True) for name in "abc")
    earlier = before(a, b)
    assert in_order(earlier, (b, a)) == ((a, b), True)
    assert in_order(earlier, (c, b, a)) == ((a, b, c), False)
    assert in_order(earlier, (c, b)) == ((c, b), False), "one is gone: nothing is left to spare"
    assert in_order(earlier, (b, replace(a, text="edited"))) == ((b, replace(a, text="edited")), False)
    assert in_order(None, ()) == ((), True)


ranks = st.floats(0.0, 1.0)


@settings(deadline=None, max_examples=200)
@given(
    st.lists(st.integers(0, 8), unique=True, max_size=5),
    st.lists(st.integers(1, 12), unique=True, max_size=6),
    st.lists(st.tuples(st.integers(0, 14), ranks), max_size=6, unique_by=lambda one: one[0]),
    st.lists(st.tuples(st.integers(1, 20), ranks), max_size=8, unique_by=lambda one: one[0]),
)
def test_the_beginning_stays_the_room_suffices_and_nothing_stands_twice(
    kept: list[int], rows: list[int], entries: list[tuple[int, float]], passages: list[tuple[int, float]]
) -> None:
    earlier = before(*(entry(f"e{name}") for name in kept), *([block(*map(said, rows))] if rows else []))
    wanted = now(
        earlier,
        sorted(((entry(f"e{name}"), rank) for name, rank in entries), key=lambda one: -one[1]),
        sorted(((said(row), rank) for row, rank in passages), key=lambda one: -one[1]),
    )
    found = keep(earlier, wanted, ROOM)
    assert found == keep(earlier, wanted, ROOM)
    if found is None:
        return
    assert [one.item.text for one in found[: len(earlier.loose)]] == [one.item.text for one in earlier.loose]
    assert len({one.item.id for one in found}) == len(found)
    shown = [passage.row for one in found for passage in one.passages]
    assert len(set(shown)) == len(shown)
    assert sum(one.tokens for one in found) <= ROOM.message_tokens
    strong = {item.id for item, rank in wanted.entries if worth(rank, 1.0) >= STRONG}
    assert strong <= {one.item.id for one in found}
    assert {p.row for p, rank in wanted.passages if worth(rank, 1.0) >= STRONG} <= set(shown)
