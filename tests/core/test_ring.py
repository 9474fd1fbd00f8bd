"""When the ring of recent messages is too full, and how much of it goes."""

from __future__ import annotations

from hypothesis import given, settings
from hypothesis import strategies as st

from localagent.memory.base import StoredMessage
from localagent.messages import Message, Role, ToolCallPart, assistant, tool_result, user
from localagent.ring import RingLimits, Unit, due, measured, newest_exchange, oldest_part, to_cover, tokens_of

CALL = ToolCallPart("c1", "clock", {})


def stored(*messages: Message) -> list[StoredMessage]:
    return [StoredMessage(number, "t", message, "complete", 0.0) for number, message in enumerate(messages, 1)]


def ring_of(*units: tuple[Role, int]) -> list[Unit]:
    """Units of one message each: who speaks, and the tokens."""
    made = []
    for number, (role, tokens) in enumerate(units, 1):
        message = user("x") if role == "user" else assistant("x")
        made.append(Unit((StoredMessage(number, "t", message, "complete", 0.0),), tokens))
    return made


def talk(*exchanges: int) -> list[Unit]:
    """A question of 10 tokens and an answer of so many, each."""
    units: list[tuple[Role, int]] = []
    for tokens in exchanges:
        units += [("user", 10), ("assistant", tokens)]
    return ring_of(*units)


SIZES = st.integers(min_value=0, max_value=6000)
ROLES: tuple[Role, ...] = ("user", "assistant")
RINGS = st.lists(st.tuples(st.sampled_from(ROLES), SIZES), max_size=60).map(lambda u: ring_of(*u))
LIMITS = st.builds(RingLimits, SIZES, st.integers(2, 30), st.integers(0, 20))


@settings(deadline=None)
@given(RINGS, LIMITS)
def test_what_goes_is_a_beginning_and_never_the_newest_exchange(ring: list[Unit], limits: RingLimits) -> None:
    going = to_cover(ring, limits)
    assert 0 <= going <= newest_exchange(ring)
    assert bool(going) <= due(ring, limits)
    left = ring[going:]
    assert not due(left, limits) or newest_exchange(left) == 0, "only what cannot go is left beyond the limits"
    if going and any(unit.opens for unit in ring[1:]):
        assert left[0].opens, "the ring begins with a request where there is one"
    assert to_cover(left, limits) == 0, "what was cut is not cut again"


@settings(deadline=None)
@given(RINGS, LIMITS)
def test_half_of_a_full_ring_is_about_half(ring: list[Unit], limits: RingLimits) -> None:
    going = oldest_part(ring, limits)
    assert going <= newest_exchange(ring)
    if not due(ring, limits):
        assert going == 0
    elif newest_exchange(ring):
        assert going >= 1
    messages = sum(len(unit.messages) for unit in ring)
    if going and messages <= limits.keep + limits.slack:
        # No other place where the ring may begin is nearer to the half.
        largest = max(unit.tokens for unit in ring)
        longest = max(len(run) for run in _between_requests(ring))
        assert abs(2 * tokens_of(ring[:going]) - tokens_of(ring)) <= 2 * largest * (longest + 1) + 2 * sum(
            unit.tokens for unit in ring[newest_exchange(ring) :]
        )


def _between_requests(ring: list[Unit]) -> list[list[Unit]]:
    runs: list[list[Unit]] = [[]]
    for unit in ring:
        if unit.opens:
            runs.append([])
        runs[-1].append(unit)
    return runs


def test_the_oldest_part_goes_by_tokens() -> None:
    assert oldest_part(talk(500, 500, 500, 500), RingLimits(2000, 20, 10)) == 6
    assert oldest_part(talk(500, 500, 500, 400), RingLimits(2000, 20, 10)) == 0
    assert to_cover(talk(*[500] * 40), RingLimits(3500, 100, 0)) == 72, "an imported thread goes in one go"


def test_by_messages_as_many_go_as_leave_those_to_keep() -> None:
    assert oldest_part(talk(*[1] * 15), RingLimits(2000, 20, 10)) == 0
    assert oldest_part(talk(*[1] * 16), RingLimits(2000, 20, 10)) == 12


def test_a_message_larger_than_the_limit_goes_once_something_newer_is_there() -> None:
    limits = RingLimits(2000, 20, 10)
    assert oldest_part(talk(5000), limits) == 0
    assert oldest_part(talk(10, 5000), limits) == 2, "what is before it goes, the newest exchange stays"
    assert to_cover(talk(10, 5000, 10), limits) == 4


def test_a_call_and_its_results_are_never_parted() -> None:
    run = [assistant("", [CALL]), tool_result(CALL, "noon " * 200)]
    messages = stored(user("a"), *run, *run, *run, assistant("done"), user("b"), assistant("c"))
    ring = measured(messages, lambda text: len(text.split()), 4)
    assert [len(unit.messages) for unit in ring] == [1, 2, 2, 2, 1, 1, 1]
    assert sum(unit.tokens for unit in ring) > 600
    for limit in range(0, 800, 25):
        left = ring[to_cover(ring, RingLimits(limit, 20, 10)) :]
        assert left[0].messages[0].message.role != "tool"


def test_what_nobody_answered_costs_nothing() -> None:
    """A call without a result is not sent; thinking neither."""
    (alone,) = measured(stored(assistant("", [CALL])), len, 4)
    assert alone.tokens == 0
    (thought,) = measured(stored(assistant("yes", thinking="hm " * 100)), len, 4)
    assert thought.tokens == 7
