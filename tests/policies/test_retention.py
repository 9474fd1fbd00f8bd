"""How entries fade, and which do not."""

from __future__ import annotations

import math
from dataclasses import replace

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from localagent.memory.entries import DECAY, Kind, Memory
from localagent.policy import Policies

DAY = 86_400.0
NOW = 1_800_000_000.0


def entry(kind: Kind = "fact", **more: object) -> Memory:
    fields: dict[str, object] = {
        "id": "m1", "kind": kind, "text": "The gate closes at ten.", "origin": "user", "scope": "agent",
        "subject": "user", "agent": "a", "thread_id": "t", "message_id": 1, "evidence": "", "source": "",
        "importance": 0.6, "decay_rate": DECAY[kind], "emotion": 0.0, "pinned": False, "due_at": None,
        "state": "active", "superseded_by": "", "created_at": NOW, "valid_from": NOW, "valid_to": None,
        "accessed_at": NOW, "access_count": 0, "association_count": 0,
    }  # fmt: skip
    return Memory(**{**fields, **more})  # type: ignore[arg-type]


def test_the_check_value(policies: Policies) -> None:
    memory = entry(
        importance=0.8, decay_rate=0.03, access_count=12, emotion=0.6, association_count=5, accessed_at=NOW - 5 * DAY
    )
    assert policies.retention(memory, NOW, 0.2).score == 1.0
    # The same before it is cut to 1: 1.151.
    scaled = replace(memory, importance=0.08)
    assert policies.retention(scaled, NOW, 0.0).score == pytest.approx(0.1151, abs=5e-5)


def test_each_factor_by_itself(policies: Policies) -> None:
    def score(**more: object) -> float:
        return policies.retention(entry(importance=0.4, **more), NOW, 0.0).score

    assert score() == pytest.approx(0.4)
    assert score(decay_rate=0.1, accessed_at=NOW - 3 * DAY) == pytest.approx(0.4 * math.exp(-0.3))
    assert score(access_count=7) == pytest.approx(0.4 * (1 + 0.15 * math.log(8)))
    assert score(emotion=0.5) == pytest.approx(0.4 * 1.125)
    assert score(association_count=20) == pytest.approx(0.4 * 1.2)


def test_it_is_archived_below_the_threshold_and_says_why(policies: Policies) -> None:
    faded = entry(accessed_at=NOW - 100 * DAY, access_count=1)
    assert policies.retention(faded, NOW, 0.2).fate == "archive"
    assert policies.retention(faded, NOW, 0.2).reason == "0.09 is below 0.20: last used 100 days ago, once in all"
    score = policies.retention(faded, NOW, 0.2).score
    for more, told in ((0.001, "0.0"), (1e-12, "just below")):
        reason = policies.retention(faded, NOW, score + more).reason.partition(":")[0]
        assert reason.startswith(told) and len(set(reason.split(" is below "))) == reason.count(" is below ") + 1
    kept = policies.retention(entry(accessed_at=NOW - DAY), NOW, 0.2)
    assert kept.fate == "keep" and kept.reason == "0.59: unused for 1 day"
    assert policies.retention(faded, NOW, 0.0).fate == "keep"


@pytest.mark.parametrize(
    ("memory", "reason"),
    [
        (entry(pinned=True), "pinned"),
        (entry("preference"), "a preference: it holds until another takes its place"),
        (entry("document"), "a piece of a document: it stays until the document goes"),
        (entry("event", due_at=NOW + 10 * DAY), "it falls due in 10 days"),
        (entry("todo", due_at=NOW - 2 * DAY), "it fell due 2 days ago"),
        (entry("event", due_at=NOW + 60), "it falls due in less than a day"),
    ],
)
def test_what_does_not_fade(policies: Policies, memory: Memory, reason: str) -> None:
    """A near appointment is not evicted as unimportant, nor a wish by age."""
    old = replace(memory, accessed_at=NOW - 3000 * DAY, importance=0.1)
    kept = policies.retention(old, NOW, 0.9)
    assert (kept.fate, kept.reason) == ("keep", reason)
    assert kept.score <= 0.1  # it may still rank low


def test_an_appointment_fades_some_days_after_it_was(policies: Policies) -> None:
    memory = entry("event", due_at=NOW - 4 * DAY, accessed_at=NOW - 90 * DAY)
    assert policies.retention(memory, NOW, 0.2).fate == "archive"


def test_wishes_fade_slower_than_moods(policies: Policies) -> None:
    def score(kind: Kind) -> float:
        return policies.retention(entry(kind, accessed_at=NOW - 60 * DAY), NOW, 0.0).score

    assert score("profile") > score("preference") > score("emotion")
    assert score("preference") == score("habit")


ENTRIES = st.builds(
    entry,
    kind=st.sampled_from(["fact", "event", "todo", "profile", "emotion"]),
    importance=st.floats(0, 1),
    decay_rate=st.floats(0, 5),
    emotion=st.floats(0, 1),
    access_count=st.integers(0, 10**9),
    association_count=st.integers(0, 10**9),
    accessed_at=st.floats(0, 4e9),
    due_at=st.none() | st.floats(-1e12, 1e12),
)


@settings(deadline=None, max_examples=100)
@given(memory=ENTRIES, now=st.floats(-1e10, 1e10), later=st.floats(0, 1e10), threshold=st.floats(0, 1))
def test_bounds_and_monotony(policies: Policies, memory: Memory, now: float, later: float, threshold: float) -> None:
    at_first = policies.retention(memory, now, threshold)
    assert 0 <= at_first.score <= 1
    assert at_first.reason
    assert at_first.fate == "keep" or at_first.score < threshold
    assert policies.retention(memory, now + later, threshold).score <= at_first.score
    used = replace(memory, access_count=memory.access_count + 1)
    assert policies.retention(used, now, threshold).score >= at_first.score
    together = replace(memory, association_count=memory.association_count + 1)
    assert policies.retention(together, now, threshold).score >= at_first.score


def test_a_clock_that_went_back_counts_as_no_time(policies: Policies) -> None:
    memory = entry(accessed_at=NOW + 500 * DAY)
    assert policies.retention(memory, NOW, 0.2).score == pytest.approx(0.6)
