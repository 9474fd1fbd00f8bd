"""The signal that says stop: to all that follow it, once, and whatever happens to one of them."""

from __future__ import annotations

import pytest

from localagent.abort import AbortSignal
from localagent.errors import DeadlineExceeded, Interrupted


def test_everybody_is_told_though_one_of_them_fails() -> None:
    """A connection that could not be shut must not keep a process alive."""
    told: list[str] = []

    def fails() -> None:
        told.append("fails")
        raise RuntimeError("the loop is closed")

    signal = AbortSignal()
    signal.on_abort(lambda: told.append("first"))
    signal.on_abort(fails)
    with signal.child() as child:
        signal.on_abort(lambda: told.append("last"))
        with pytest.raises(RuntimeError, match="the loop is closed"):
            signal.abort()
        assert told == ["first", "fails", "last"] and child.aborted
    signal.abort()
    assert told == ["first", "fails", "last"]


def test_a_child_follows_and_never_leads() -> None:
    parent = AbortSignal()
    with parent.child() as one, parent.child() as other:
        one.abort(Interrupted("enough"))
        assert one.aborted and not parent.aborted and not other.aborted
        parent.abort()
        assert other.aborted and other.error is parent.error and str(one.error) == "enough"
    with parent.child() as late:
        assert late.error is parent.error


def test_who_comes_late_is_told_at_once_and_who_has_gone_is_not() -> None:
    told: list[str] = []
    signal = AbortSignal()
    signal.on_abort(lambda: told.append("gone"))()
    signal.abort()
    signal.on_abort(lambda: told.append("late"))
    assert told == ["late"]


def test_a_deadline_says_what_took_too_long() -> None:
    with AbortSignal().child(timeout_s=0.01, what="the tool look") as within:
        assert within.wait(60)
        with pytest.raises(DeadlineExceeded, match=r"the tool look took longer than 0\.01 s"):
            within.raise_if_aborted()
