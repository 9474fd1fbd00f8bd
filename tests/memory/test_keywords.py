"""Search by words."""

from __future__ import annotations

import random
from collections.abc import Iterator
from datetime import datetime
from typing import cast

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from localagent.memory.database import Database
from localagent.memory.keywords import ONCE, PLACES, Keywords, Weights, merge_words
from localagent.memory.language import date_codes, words
from localagent.memory.passages import Passages
from localagent.memory.searching import Line

ALL = ("1", ())


@pytest.fixture
def database() -> Iterator[Database]:
    made = Database(None)
    yield made
    made.close()


def tell(database: Database, *texts: str, tenant: str = "default", apart: bool = True) -> list[int]:
    """Each in a session of its own, if `apart`."""
    start = datetime(2026, 5, 8, 9).timestamp()
    lines = [Line(text, "", start + number * (7 * 3600 if apart else 1)) for number, text in enumerate(texts)]
    return Passages(database, tenant).add_said("s", lines)


def search(database: Database, question: str, limit: int = 10) -> Weights:
    return Keywords(database, "default").search(question, date_codes(question), limit)


def best(database: Database, question: str) -> list[int]:
    found = search(database, question).rows
    return sorted(found, key=lambda row: -found[row])


def test_words_in_both_languages(database: Database) -> None:
    rows = tell(database, "The router moved to 10.0.9.1", "明天下午三点和李雷开会", "Ordering coffee", "路由器的密码")
    assert best(database, "which address has the router?")[0] == rows[0]
    assert best(database, "moving routers")[0] == rows[0]  # the same stems
    assert best(database, "和谁开会？")[0] == rows[1]
    assert best(database, "路由器密码是什么？")[0] == rows[3]
    assert best(database, "bicycle") == []
    assert best(database, "什么？") == best(database, "who are you?") == best(database, "") == []


def test_own_words_weigh_more_than_those_beside(database: Database) -> None:
    rows = tell(database, "one", "two", "coffee please", "three", "four", "five", apart=False)
    found = search(database, "coffee").rows
    assert sorted(found, key=lambda row: -found[row])[0] == rows[2]
    assert found[rows[1]] == pytest.approx(found[rows[3]], rel=0.3) and found[rows[1]] > found[rows[0]] > 0
    assert rows[5] not in found


def test_dates(database: Database) -> None:
    rows = Passages(database, "default").add_said(
        "s", [Line("entry", "", datetime(2026, 5, day, 9).timestamp()) for day in range(1, 20)]
    )
    for question in ("what was on 8 May 2026?", "2026年5月8日说了什么", "on 2026-05-08"):
        found = best(database, question)
        assert found[0] == rows[7]
        assert rows[8] in found[:3]  # people tell of a day on the next one


def test_the_share_of_the_question_s_words(database: Database) -> None:
    tell(database, "alpha beta gamma", "alpha only", *(f"filler{n} text" for n in range(40)))
    found = search(database, "alpha beta gamma")
    assert found.ideal == pytest.approx(ONCE * sum(found.words.values()))
    shares = sorted(weight / found.ideal for weight in found.own.values())
    assert shares[0] < 0.5 < 0.8 < shares[1] < 1.5


def test_words_of_the_neighbours_are_not_its_own(database: Database) -> None:
    before, row, after = tell(database, "some filler", "咖啡 and coffee", "other filler", apart=False)
    for question in ("coffee", "咖啡"):
        found = search(database, question)
        assert found.rows.keys() == found.own.keys() == {before, row, after}
        assert 0 < found.own[row] <= found.rows[row]
        assert found.own[before] == found.own[after] == 0 < found.rows[before]


def test_a_word_that_was_just_written_is_found(database: Database) -> None:
    keywords = Keywords(database, "default")
    tell(database, *(f"filler{n}" for n in range(30)))
    assert not keywords.search("zebra", (), 10).rows
    (row,) = Passages(database, "default").add_said("t", [Line("zebra", "", 0.0)])
    assert list(keywords.search("zebra", (), 10).rows) == [row]


@pytest.mark.parametrize(
    "question",
    [
        '"', 'coffee" OR "tea', "coffee AND", "NOT coffee", "NEAR(coffee tea)", "coffee*", "^coffee", "body : coffee",
        "{body near} : coffee", "coffee + tea", "-coffee", "(coffee", "coffee)", "'; DROP TABLE passages; --",
        "a\x00b", "\ud800 coffee", "coffee\\", "\u202ecoffee", "%coffee_",
    ],
)  # fmt: skip
def test_signs_of_the_query_language_are_only_signs(database: Database, question: str) -> None:
    (row,) = tell(database, "coffee at nine")
    assert set(search(database, question).rows) <= {row}
    assert list(search(database, f"{question} coffee").rows) == [row]


@settings(deadline=None, max_examples=150)
@given(st.text(max_size=60), st.text(max_size=30))
def test_any_text_can_be_told_and_asked(text: str, question: str) -> None:
    database = Database(None)
    try:
        rows = tell(database, text, "something else entirely")
        assert set(search(database, question).rows) <= set(rows)
    finally:
        database.close()


VOCABULARY = ["router", "coffee", "moved", "咖啡", "路由器", "Ana", "x1", "déjà", "ñandú", "שלום"]


@settings(deadline=None, max_examples=60)
@given(st.lists(st.lists(st.sampled_from(VOCABULARY), min_size=1, max_size=5), max_size=8), st.sampled_from(VOCABULARY))
def test_a_word_is_found_where_it_stands_or_stands_nearby(told: list[list[str]], word: str) -> None:
    database = Database(None)
    try:
        rows = tell(database, *(" ".join(text) for text in told), apart=False)
        asked = words(word)
        has = [bool(set(asked) & set(words(" ".join(text)))) for text in told]
        expected = {row for at, row in enumerate(rows) if any(has[max(0, at - 2) : at + 3])}
        assert set(search(database, word, 100).rows) == expected
        assert set(Keywords(database, "default").search(word, (), 100, ALL).rows) == expected
    finally:
        database.close()


def test_one_tenant_alone_with_a_condition(database: Database) -> None:
    tell(database, *["coffee"] * 30, tenant="other")
    (mine,) = tell(database, "a coffee")
    keywords = Keywords(database, "default")
    assert list(keywords.search("coffee", (), 10, ALL).rows) == [mine]
    assert not keywords.search("coffee", (), 10, ("p.thread_id = ?", ["t"])).rows


def test_common_words_cost_no_more_than_a_place_each(database: Database) -> None:
    """With more places than are looked at, the rare words decide; where all are common, the newest passages."""
    rows = tell(database, *(f"common word{n}" + (" usual" if n % 2 else "") for n in range(PLACES + 300)), apart=True)
    keywords = Keywords(database, "default")
    assert list(keywords.search("common word7", (), 10).rows) == [rows[7]]
    newest = keywords.search("common", (), 50)
    assert len(newest.rows) == 50 and min(newest.rows) > rows[300 - 1]
    within = keywords.search("common", (), 50, ("p.row = ?", [rows[0]]))
    assert list(within.rows) == [rows[0]]
    assert newest.words["common"] < keywords.search("word7", (), 50).words["word7"]


def test_very_long_questions(database: Database) -> None:
    (row,) = tell(database, "needle")
    for question in ("x" * 100_000, " ".join(f"w{n}" for n in range(20_000)), "字" * 100_000):
        assert list(search(database, f"needle {question}").rows) == [row]


def pieces(database: Database) -> int:
    ((count,),) = cast("list[tuple[int]]", database.query("SELECT count(DISTINCT segid) FROM passage_words_idx"))
    return count


def rare_words(seed: int, count: int = 250) -> list[str]:
    """Texts of ten words that hardly any other has: a quarter of a thousand of them fill some dozen pages."""
    letters = random.Random(seed)
    return [" ".join("".join(letters.choices("bdfgklmnprst", k=8)) for _ in range(10)) for _ in range(count)]


def test_the_index_becomes_one_piece_in_steps_and_finds_the_same(
    database: Database, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("localagent.memory.keywords._PAGES_A_STEP", 8)
    for seed in range(6):
        tell(database, *rare_words(seed), "Ordering coffee", "明天下午三点和李雷开会")
    questions = ("who ordered coffee?", "和谁开会？", rare_words(3)[7])
    before = [search(database, question) for question in questions]
    assert pieces(database) > 1
    steps = 1
    assert merge_words(database)
    rows = tell(database, "said between two steps: bicycle", tenant="other")
    while merge_words(database, begun=True):
        steps += 1
    assert steps > 2
    assert pieces(database) <= 2  # what was said meanwhile
    assert best(database, "bicycle")[0] == rows[0]
    for was, question in zip(before, questions, strict=True):
        assert search(database, question).rows == pytest.approx(was.rows, rel=0.01)
    assert database.query("INSERT INTO passage_words (passage_words) VALUES ('integrity-check')") == []


def test_what_hardly_changed_is_not_merged_again(database: Database) -> None:
    assert not merge_words(database)
    for seed in range(6):
        tell(database, *rare_words(seed))
    begun = False
    while begun := merge_words(database, begun=begun):
        pass
    tell(database, "one", "two", "three")
    assert pieces(database) == 2
    assert not merge_words(database)
    for seed in range(10, 14):
        tell(database, *rare_words(seed))
    assert merge_words(database)
