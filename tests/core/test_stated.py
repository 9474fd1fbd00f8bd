"""A statement that somebody typed to have it remembered."""

from __future__ import annotations

from collections.abc import Sequence

import pytest

from localagent.memory.entries import Scope
from localagent.policy import Extracted, Said
from localagent.stated import of_kind, stated


def finding(*found: Extracted) -> object:
    def importance(message: Said, earlier: Sequence[Said]) -> Sequence[Extracted]:
        assert message.role == "user" and not earlier
        return found

    return importance


def wish(scope: Scope = "all") -> Extracted:
    return Extracted("preference", "answers are short", "answers are short", 0.9, scope=scope, due_at=7.0)


def test_the_words_are_kept_and_the_policy_gives_the_kind() -> None:
    new = stated("Please: 简短回答", finding(wish()), 1.0, agent="助手")  # type: ignore[arg-type]
    assert (new.kind, new.text, new.scope, new.importance, new.due_at) == (
        "preference",
        "Please: 简短回答",
        "all",
        0.9,
        7.0,
    )
    assert new.origin == "user" and new.agent == "助手"


@pytest.mark.parametrize("found", [(), (wish(), wish())], ids=["nothing", "several"])
def test_what_is_not_one_thing_is_a_fact(found: Sequence[Extracted]) -> None:
    new = stated("tea, and coffee", finding(*found), 1.0, agent="a", thread_id="t")  # type: ignore[arg-type]
    assert (new.kind, new.scope, new.importance, new.thread_id) == ("fact", "agent", None, "t")


def test_without_a_thread_nothing_is_kept_to_one() -> None:
    assert stated("x", finding(wish("thread")), 1.0, agent="a").scope == "agent"  # type: ignore[arg-type]
    assert stated("x", finding(wish("thread")), 1.0, agent="a", thread_id="t").scope == "thread"  # type: ignore[arg-type]


def test_another_kind_has_its_own_importance_and_scope() -> None:
    new = stated("x", finding(wish()), 1.0, agent="a")  # type: ignore[arg-type]
    assert of_kind(new, "preference") is new
    assert (of_kind(new, "todo").scope, of_kind(new, "todo").importance) == ("agent", None)
    assert of_kind(of_kind(new, "todo"), "profile").scope == "all"
