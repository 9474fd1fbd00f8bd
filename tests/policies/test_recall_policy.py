"""The ranking of the default agent."""

from __future__ import annotations

import importlib.util
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import cast

import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from localagent.policy import Candidate, Question, Ranked, RecallPolicy

FILE = Path(__file__).resolve().parent.parent.parent / "policies" / "recall.py"


def load() -> RecallPolicy:
    spec = importlib.util.spec_from_file_location("recall_policy_under_test", FILE)
    assert spec is not None and spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return cast("RecallPolicy", module.recall)


recall = load()
ASKED = Question("?", asks_time=False, score_of=lambda cosine: min(1.0, max(0.0, 2 * cosine)))


def candidate(row: int, **more: object) -> Candidate:
    plain = Candidate(
        row=row,
        session=f"s{row}",
        cosine=0.2,
        keyword=1.0,
        keyword_share=0.2,
        day=0.0,
        asks=0.0,
        ends_asking=False,
        times=False,
        named=False,
        is_memory=False,
    )
    return replace(plain, **more)  # type: ignore[arg-type]


def order(candidates: Sequence[Candidate], question: Question = ASKED) -> list[int]:
    return [one.row for one in recall(question, candidates)]


UNIT = st.floats(0, 1)
CANDIDATES = st.lists(
    st.builds(
        Candidate,
        row=st.integers(1, 60),
        session=st.sampled_from("abc"),
        cosine=st.floats(-1, 1),
        keyword=st.floats(0, 40),
        keyword_share=UNIT,
        day=st.sampled_from([0.0, 0.5, 1.0]),
        asks=UNIT,
        ends_asking=st.booleans(),
        times=st.booleans(),
        named=st.booleans(),
        is_memory=st.booleans(),
        retention=UNIT,
    ),
    max_size=30,
    unique_by=lambda one: one.row,
)


@settings(deadline=None)
@given(CANDIDATES, st.booleans(), st.randoms(use_true_random=False))
def test_everything_comes_back_once_and_in_order(candidates: list[Candidate], time: bool, random: object) -> None:
    question = replace(ASKED, asks_time=time)
    ranked = recall(question, candidates)
    assert sorted(one.row for one in ranked) == sorted(one.row for one in candidates)
    assert [one.rank for one in ranked] == sorted((one.rank for one in ranked), reverse=True)
    for one in ranked:
        assert 0 <= one.vector <= 1 and 0 <= one.keyword <= 1
        assert max(one.vector, one.keyword / 2) - 1e-9 <= one.score <= 1
    shuffled = list(candidates)
    random.shuffle(shuffled)  # type: ignore[attr-defined]
    assert [one.row for one in recall(question, shuffled)] == [one.row for one in ranked]


@settings(deadline=None)
@given(UNIT, UNIT, UNIT, UNIT, UNIT, UNIT)
def test_an_old_well_kept_entry_never_beats_a_clearly_closer_one(
    near: float, words: float, far: float, fewer: float, kept: float, faded: float
) -> None:
    """Clearly: a fifth more of both."""
    assume(near >= 1.2 * far and words >= 1.2 * fewer and near + words > 0.01)
    closer = candidate(1, cosine=near, keyword=words, is_memory=True, retention=faded)
    kept_well = candidate(9, cosine=far, keyword=fewer, is_memory=True, retention=kept)
    assert order([closer, kept_well]) == [1, 9]


def test_of_two_alike_the_better_kept_comes_first() -> None:
    faded = candidate(1, is_memory=True, retention=0.2)
    kept = candidate(9, is_memory=True, retention=0.9)
    assert order([faded, kept]) == [9, 1]
    assert {one.score for one in recall(ASKED, [faded, kept])} == {
        recall(ASKED, [kept])[0].score
    }  # it is not less true


@pytest.mark.parametrize(
    ("better", "question"),
    [
        ({"cosine": 0.3}, ASKED),
        ({"keyword": 2.0}, ASKED),
        ({"day": 0.5}, ASKED),
        ({"named": True}, ASKED),
        ({"times": True}, replace(ASKED, asks_time=True)),
    ],
)
def test_what_speaks_for_a_passage(better: dict[str, object], question: Question) -> None:
    assert order([candidate(1), candidate(9, **better)], question) == [9, 1]
    assert order([candidate(1), candidate(9, asks=1.0)]) == [1, 9]
    assert order([candidate(1), candidate(9, times=True)]) == [1, 9]  # only where a time is asked for


def test_neighbours_and_the_session_help() -> None:
    alone, beside, strong = candidate(1), candidate(11), candidate(12, cosine=0.9, keyword=3.0)
    assert order([alone, beside, strong]) == [12, 11, 1]
    far_away = candidate(30, session="s12")
    assert order([alone, far_away, strong]) == [12, 30, 1]


def test_the_answer_stands_after_the_question() -> None:
    question = candidate(10, session="a", cosine=0.5, keyword=5.0, asks=1.0, ends_asking=True)
    before, after = candidate(9, session="a"), candidate(11, session="a")
    assert order([before, question, after])[-1] == 9


def test_without_vectors_the_words_decide() -> None:
    found = recall(
        replace(ASKED, score_of=lambda cosine: 0.0),
        [candidate(1, cosine=0.0, keyword_share=1.0, keyword=9.0), candidate(9, cosine=0.0)],
    )
    assert [one.row for one in found] == [1, 9]
    assert found[0] == Ranked(1, found[0].rank, 0.5, 0.0, 1.0)  # all the words: just above the usual threshold


def test_what_has_no_vector_yet_does_not_lose_to_what_is_merely_embedded() -> None:
    """Its words speak for its likeness too; where it has none, nothing does."""
    new = candidate(1, cosine=0.0, embedded=False, keyword=6.0, keyword_share=0.8)
    unrelated = [candidate(row, cosine=0.3 - row / 1000, keyword=0.0, keyword_share=0.0) for row in range(10, 90, 10)]
    best = candidate(99, cosine=0.9, keyword=6.0, keyword_share=0.8)
    assert order([new, best, *unrelated])[:2] == [99, 1] or order([new, best, *unrelated])[:2] == [1, 99]
    assert order([replace(new, keyword=0.0), *unrelated])[-1] == 1
    assert recall(ASKED, [new, *unrelated])[0].score > 0.45


def test_the_score_does_not_depend_on_the_others() -> None:
    """Not on those beside it either, though its rank does."""
    one = candidate(1, cosine=0.25, keyword_share=0.4)
    alone = recall(ASKED, [one])[0]
    beside = recall(ASKED, [one, candidate(2, session="s1", cosine=1.0, keyword=50.0)])[1]
    assert (beside.row, beside.score) == (1, alone.score)
    among = next(r for r in recall(ASKED, [one, candidate(9, cosine=1.0, keyword=50.0)]) if r.row == 1)
    assert (alone.score, alone.vector, alone.keyword) == (among.score, among.vector, among.keyword)
    assert alone.score == pytest.approx(1 - (1 - 0.5) * (1 - 0.5 * 0.4))
    assert recall(ASKED, []) == []
