"""A wish of how to answer is one with its reason and its measure; what is only to be thought of is a task."""

from __future__ import annotations

import pytest

from localagent.policy import Policies, Said


def found(policies: Policies, text: str) -> list[tuple[str, str]]:
    entries = policies.importance(Said("user", text, 1_773_223_200.0, 1), ())
    return [(one.kind, one.text) for one in entries]


@pytest.mark.parametrize(
    "text",
    [
        "please don't use bullet points when you answer me, I hate them",
        "Don't use exclamation marks, I can't stand them",
        "never suggest podcasts, I can't bear them",
        "Don't use emojis when you answer, I find them childish",
        "Keep it under 100 words, I hate waffle",
        "Get to the point, I hate small talk",
        "please don't mention my weight in any answers",
        "回答时别用感叹号，我受不了",
        "别用表格，我看着头疼",
        "别叫我女士，我讨厌这个",
    ],
)
def test_a_wish_and_its_reason_are_one_preference(policies: Policies, text: str) -> None:
    assert found(policies, text) == [("preference", text)]


@pytest.mark.parametrize(
    ("text", "wish"),
    [
        (
            "can you make your answers shorter in future? three sentences max",
            "can you make your answers shorter in future; three sentences max",
        ),
        (
            "Please keep your answers short. Two or three sentences are enough.",
            "Please keep your answers short; Two or three sentences are enough",
        ),
        ("Don't use tables. I can't stand them.", "Don't use tables; I can't stand them"),
        ("以后回答短一点好吗？最多三句话", "以后回答短一点好吗; 最多三句话"),
    ],
)
def test_the_reason_or_the_measure_may_be_the_next_sentence(policies: Policies, text: str, wish: str) -> None:
    assert found(policies, text) == [("preference", wish)]


@pytest.mark.parametrize(
    ("text", "entries"),
    [
        ("Write a poem. Keep it under 100 words.", []),
        ("Explain gravity. Three sentences max.", []),
        ("Make it blue, I love blue", [("habit", "I love blue")]),
        ("I have two cats, I love them", [("relationship", "I have two cats")]),
        ("Call me Sam, I like hiking", [("preference", "Call me Sam"), ("habit", "I like hiking")]),
        ("I don't eat olives, I can't stand them", [("habit", "I don't eat olives, I can't stand them")]),
        ("我不吃香菜，我受不了", [("habit", "我不吃香菜，我受不了")]),
        ("写一首诗，一百字以内", []),
    ],
)
def test_other_likes_and_measures_make_no_wish(policies: Policies, text: str, entries: list[tuple[str, str]]) -> None:
    assert found(policies, text) == entries


@pytest.mark.parametrize(
    "text", ["don't forget the dentist!", "oh, don't forget milk", "Don't forget the dentist on Friday", "别忘了牙医！"]
)
def test_what_is_only_named_is_not_to_be_forgotten(policies: Policies, text: str) -> None:
    assert found(policies, text) == [("todo", text.removeprefix("oh, ").rstrip("!！"))]


@pytest.mark.parametrize(
    ("text", "kind"),
    [
        ("don't forget the shop closes at six", "fact"),
        ("Don't forget the meeting is on Monday", "event"),
        ("don't forget that I'm vegan", "profile"),
        ("don't forget my sister is called Ann", "relationship"),
    ],
)
def test_a_statement_that_is_not_to_be_forgotten_is_no_task(policies: Policies, text: str, kind: str) -> None:
    assert [one for one, _ in found(policies, text)] == [kind]
