"""The worker: everything that waits is done, failures cost only what failed, and the user comes first."""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from worker_parts import DIMENSION, Home, MoodyEmbedder, fails_for, until

from localagent.abort import AbortSignal
from localagent.errors import (
    EmbeddingFailed,
    Interrupted,
    LocalAgentError,
    ModelMissing,
    ModelUnreachable,
    StorageError,
)
from localagent.memory.embedding import Embedder, Vectors
from localagent.memory.queue import parked, retry
from localagent.memory.steps import LONGEST_WAIT_S, PRUNE_EVERY_S
from localagent.messages import user

TEXTS = [
    "The bicycle is red.",
    "自行车停在车站旁边。",
    "Paul lives in Bonn.",
    "下周二有牙医预约。",
    "Emoji: 🦊 and שלום.",
]


class Clock:
    def __init__(self) -> None:
        self.time = 1_000_000.0

    def __call__(self) -> float:
        return self.time


@pytest.fixture
def clock() -> Clock:
    return Clock()


@pytest.fixture
def home(tmp_path: Path, clock: Clock) -> Iterator[Home]:
    home = Home(tmp_path / "home", now=clock)
    yield home
    home.close()


def drain(home: Home) -> None:
    home.worker().drain(AbortSignal())


def findable(home: Home, *texts: str) -> bool:
    return all(home.finds(text) for text in texts)


# What it does.


def test_all_that_waits_is_done(home: Home) -> None:
    thread = home.ledger.create_thread("a")
    stored = [home.ledger.append(thread.id, user(text)) for text in TEXTS]
    memories = home.write("Tea, not coffee.", "喝茶，不喝咖啡。")
    progress = home.worker().drain(AbortSignal())
    assert home.read == [message.id for message in stored]
    assert (progress.messages, progress.read, progress.embedded) == (len(TEXTS), len(TEXTS), len(TEXTS) + 2)
    assert progress.finished and not progress.trouble
    assert home.state().waiting == home.state().index  # without an index folder, vectors stay in the ledger
    assert findable(home, *TEXTS, *(memory.text for memory in memories))
    assert home.said == [f"memory: looked through {len(TEXTS)} earlier messages that had waited"]
    assert home.worker().drain(AbortSignal()).embedded == 0


def test_what_is_taken_back_is_retracted_before_anything_is_read(home: Home) -> None:
    thread = home.ledger.create_thread("a")
    home.ledger.append(thread.id, user(TEXTS[0]))
    drain(home)
    home.ledger.undo(thread.id)
    drain(home)
    assert home.database.query("SELECT count(*) FROM passages") == [(0,)]
    assert home.database.query("SELECT count(*) FROM vectors") == [(0,)]


def test_a_text_that_changes_while_it_is_embedded_gets_its_own_vector(home: Home) -> None:
    (memory,) = home.write("The bicycle is red.")

    def mood(texts: Sequence[str], abort: AbortSignal) -> None:
        if "red" in texts[0]:
            home.memories.edit(memory.id, text="自行车是蓝色的。")

    home.raw.mood = mood
    drain(home)
    assert home.finds("自行车是蓝色的。")


def test_a_passage_that_goes_while_it_is_embedded_leaves_nothing(home: Home) -> None:
    gone, stays = home.write("The bicycle is red.", "自行车停在车站旁边。")

    def mood(texts: Sequence[str], abort: AbortSignal) -> None:
        if any("red" in text for text in texts):
            home.memories.forget([gone.id])

    home.raw.mood = mood
    progress = home.worker().drain(AbortSignal())
    assert progress.finished and findable(home, stays.text)
    assert home.database.query("SELECT count(*) FROM vectors") == [(1,)]


def test_progress_is_reported(home: Home) -> None:
    home.write(*TEXTS)
    seen: list[int] = []
    home.worker().drain(AbortSignal(), report=lambda progress: seen.append(progress.embedded))
    assert seen == sorted(seen) and seen[-1] == len(TEXTS)


# The thread.


def test_the_thread_loads_the_embedder_and_does_what_comes(home: Home) -> None:
    loaded: list[str] = []

    def late(abort: AbortSignal) -> Embedder:
        loaded.append(threading.current_thread().name)
        return home.embedder

    worker = home.worker(home.parts(embedder=late))
    worker.start()
    worker.start()
    assert home.pruned.wait(20)  # nothing left to do
    assert set(loaded) == {"memory"}
    home.write(*TEXTS)
    worker.wake()
    until(lambda: home.state().passages == 0)
    assert findable(home, *TEXTS)
    worker.close()
    worker.close()
    assert worker.trouble == ""


def test_work_of_another_process_is_taken_up(home: Home, tmp_path: Path) -> None:
    worker = home.worker()
    worker.start()
    assert home.pruned.wait(20)
    other = Home(tmp_path / "home")  # another connection to the same file, as another process has
    try:
        other.write(*TEXTS)
        until(lambda: home.state().passages == 0)
    finally:
        other.close()
    assert findable(home, *TEXTS)


def test_idle_it_asks_one_small_question(home: Home) -> None:
    home.write(*TEXTS)
    worker = home.worker()
    worker.start()
    assert home.pruned.wait(20)
    asked: list[str] = []
    enough = threading.Event()
    query = home.database.query

    def counting(sql: str, parameters: Sequence[str | bytes | int | float | None] = ()) -> object:
        if threading.current_thread().name == "memory":
            asked.append(sql)
            if len(asked) >= 50:
                enough.set()
        return query(sql, parameters)

    home.database.query = counting  # type: ignore[assignment, method-assign]
    assert enough.wait(20)
    assert set(asked[-20:]) == {"PRAGMA data_version"}


def test_while_the_chat_answers_nothing_is_begun(home: Home) -> None:
    worker = home.worker()
    worker.start()
    assert home.pruned.wait(20)
    with worker.giving_way(), worker.giving_way():
        home.write(*TEXTS)
        worker.wake()
        assert home.raw.calls == []
    until(lambda: home.state().passages == 0)


def test_giving_way_calls_off_a_running_call_and_costs_no_attempt(home: Home) -> None:
    running, called_off = threading.Event(), threading.Event()

    def mood(texts: Sequence[str], abort: AbortSignal) -> None:
        if called_off.is_set():
            return
        running.set()
        abort.wait(20)
        called_off.set()
        abort.raise_if_aborted()

    home.raw.mood = mood
    home.write(*TEXTS)
    worker = home.worker()
    worker.start()
    assert running.wait(20)
    with worker.giving_way():
        assert called_off.wait(20)
        calls = len(home.raw.calls)
        assert home.database.query("SELECT count(*) FROM failures") == [(0,)]
        assert len(home.raw.calls) == calls
    until(lambda: home.state().passages == 0)
    assert home.said == []


def test_closing_calls_off_a_running_call(home: Home) -> None:
    running = threading.Event()

    def mood(texts: Sequence[str], abort: AbortSignal) -> None:
        running.set()
        abort.wait(20)
        abort.raise_if_aborted()

    home.raw.mood = mood
    home.write(*TEXTS)
    worker = home.worker()
    worker.start()
    assert running.wait(20)
    worker.close()
    assert not [thread for thread in threading.enumerate() if thread.name == "memory"]
    assert home.database.query("SELECT count(*) FROM failures") == [(0,)]
    home.raw.mood = lambda texts, abort: None
    drain(home)
    assert findable(home, *TEXTS)


def test_an_index_that_another_process_leaves_is_taken_over(home: Home, clock: Clock) -> None:
    home.write(*TEXTS)
    pending, free = len(TEXTS), False

    def sync(limit: int = 0) -> int:
        nonlocal pending
        moved, pending = (pending, 0) if free else (0, pending)
        return moved

    home.store.sync = sync  # type: ignore[method-assign]
    home.store.pending = lambda: pending  # type: ignore[method-assign]
    worker = home.worker()
    worker.start()
    assert home.pruned.wait(20)
    free = True  # nothing in the ledger says so
    clock.time += LONGEST_WAIT_S
    until(lambda: pending == 0)


def test_a_drain_takes_over_from_the_thread(home: Home) -> None:
    running = threading.Event()

    def mood(texts: Sequence[str], abort: AbortSignal) -> None:
        if threading.current_thread().name == "memory":
            running.set()
            abort.wait(20)
            abort.raise_if_aborted()

    home.raw.mood = mood
    home.write(*TEXTS)
    worker = home.worker()
    worker.start()
    assert running.wait(20)
    assert worker.drain(AbortSignal()).finished
    assert findable(home, *TEXTS)


def test_a_drain_ends_when_its_time_is_over(home: Home) -> None:
    def mood(texts: Sequence[str], abort: AbortSignal) -> None:
        abort.wait(20)
        abort.raise_if_aborted()

    home.raw.mood = mood
    home.write(*TEXTS)
    progress = home.worker().drain(AbortSignal(), seconds=0.05)
    assert not progress.finished and progress.embedded == 0
    assert home.database.query("SELECT count(*) FROM failures") == [(0,)]
    assert home.state().passages == len(TEXTS)


def test_a_drain_that_the_user_stops(home: Home) -> None:
    abort = AbortSignal()
    home.raw.mood = lambda texts, signal: abort.abort()
    home.write(*TEXTS)
    with pytest.raises(Interrupted):
        home.worker().drain(abort)
    assert 0 < home.state().passages <= len(TEXTS)


# Failures.


def test_one_bad_text_does_not_park_its_neighbours(home: Home, clock: Clock) -> None:
    home.raw.mood = fails_for("Bonn")
    many = [f"{text} {number}" for number in range(10) for text in TEXTS if "Bonn" not in text]
    home.write(*many[:20], "Paul lives in Bonn.", *many[20:])
    worker = home.worker()
    progress = worker.drain(AbortSignal())
    assert (progress.embedded, progress.failed, progress.parked) == (len(many), 1, 0)
    assert findable(home, *many[:3])
    for wait_s in (0.5, 0.5, 9.0):
        clock.time += wait_s
        worker.drain(AbortSignal())
    assert home.state().retrying == 1 and home.said == []
    clock.time += 1.0
    assert worker.drain(AbortSignal()).parked == 1
    assert [one.text for one in parked(home.database, "default")] == ["Paul lives in Bonn."]
    assert len(home.said) == 1 and "there was Bonn" in home.said[0] and "memory retry" in home.said[0]
    calls = len(home.raw.calls)
    clock.time += 1e6
    worker.drain(AbortSignal())
    assert len(home.raw.calls) == calls and len(home.said) == 1
    # It can be taken up again, by hand.
    home.raw.mood = lambda texts, abort: None
    assert retry(home.database, "default") == 1
    assert worker.drain(AbortSignal()).embedded == 1
    assert findable(home, "Paul lives in Bonn.") and home.state().parked == 0


@settings(deadline=None, max_examples=10)
@given(bad=st.sets(st.integers(0, 39), max_size=40))
def test_exactly_the_bad_texts_fail(tmp_path_factory: pytest.TempPathFactory, bad: set[int]) -> None:
    clock = Clock()
    home = Home(tmp_path_factory.mktemp("home"), now=clock)
    try:
        home.raw.mood = fails_for("坏")
        home.write(*(f"{'坏' if number in bad else 'good'} {number}" for number in range(40)))
        worker = home.worker()
        for _ in range(3):
            worker.drain(AbortSignal())
            clock.time += 11
        state = home.state()
        assert (state.passages, state.retrying, state.parked) == (0, 0, len(bad))
        assert len(home.said) == min(1, len(bad))
    finally:
        home.close()


def wrong_dimension(texts: Sequence[str], abort: AbortSignal) -> Vectors:
    return np.ones((len(texts), 3), np.float32)


def not_a_number(texts: Sequence[str], abort: AbortSignal) -> Vectors:
    return np.full((len(texts), DIMENSION), np.nan, np.float32)


def zeros(texts: Sequence[str], abort: AbortSignal) -> Vectors:
    return np.zeros((len(texts), DIMENSION), np.float32)


@pytest.mark.parametrize("mood", [wrong_dimension, not_a_number, zeros, fails_for("")])
def test_vectors_that_are_none_are_not_stored(
    home: Home, clock: Clock, mood: Callable[[Sequence[str], AbortSignal], Vectors | None]
) -> None:
    home.raw.mood = mood
    home.write(*TEXTS)
    worker = home.worker()
    for _ in range(3):
        worker.drain(AbortSignal())
        clock.time += 11
    assert home.database.query("SELECT count(*) FROM vectors") == [(0,)]
    assert home.state().parked == len(TEXTS)
    assert len(home.said) == 1
    home.raw.mood = lambda texts, abort: None
    retry(home.database, "default")
    assert worker.drain(AbortSignal()).finished and findable(home, *TEXTS)


@pytest.mark.parametrize("error", [ModelUnreachable("nobody answers"), ModelMissing("it is not installed")])
def test_an_embedder_that_is_not_there_parks_nothing(home: Home, clock: Clock, error: LocalAgentError) -> None:
    home.raw.mood = fails_for("", error)
    home.write(*TEXTS)
    worker = home.worker()
    waits = []
    for _ in range(8):
        assert not worker.drain(AbortSignal()).finished
        calls, began = len(home.raw.calls), clock.time
        while len(home.raw.calls) == calls:
            clock.time += 1
            worker.drain(AbortSignal())
        waits.append(clock.time - began)
    assert waits == [1, 2, 4, 8, 16, 32, 60, 60] and max(waits) == LONGEST_WAIT_S
    assert home.database.query("SELECT count(*) FROM failures") == [(0,)]
    assert len(home.said) == 1 and str(error) in home.said[0]
    assert str(error) in worker.trouble
    home.raw.mood = lambda texts, abort: None
    clock.time += LONGEST_WAIT_S
    assert worker.drain(AbortSignal()).finished
    assert worker.trouble == "" and findable(home, *TEXTS)


def test_an_embedder_that_hangs_is_called_off(home: Home, clock: Clock) -> None:
    hangs = True

    def mood(texts: Sequence[str], abort: AbortSignal) -> None:
        if hangs and len(home.raw.calls) > 1:
            abort.wait(20)
            abort.raise_if_aborted()

    home.raw.mood = mood
    home.write(*TEXTS)
    worker = home.worker(timeout_s=0.02)
    progress = worker.drain(AbortSignal())
    # Several texts at once: none of them is to blame.
    assert progress.embedded == 1 and "0.02 s" in progress.trouble
    assert home.state().retrying == 0
    # One alone is, but not for good at once.
    clock.time += 1
    worker.drain(AbortSignal())
    assert home.state().retrying == 1 and len(home.said) == 1
    hangs = False
    clock.time += LONGEST_WAIT_S
    assert worker.drain(AbortSignal()).finished and findable(home, *TEXTS)


def test_without_an_embedder_messages_are_still_read_and_found(home: Home, clock: Clock) -> None:
    home.ledger.append(home.ledger.create_thread("a").id, user(TEXTS[0]))
    ready = False
    worker = home.worker(home.parts(embedder=lambda abort: home.embedder if ready else None))
    progress = worker.drain(AbortSignal())
    assert (progress.messages, progress.read, progress.embedded) == (1, 1, 0)
    assert not progress.finished and progress.trouble
    ready = True
    clock.time += 1
    assert worker.drain(AbortSignal()).embedded == 1 and worker.trouble == ""


def test_an_embedder_that_cannot_load_is_tried_again(home: Home, clock: Clock) -> None:
    broken = True

    def late(abort: AbortSignal) -> Embedder:
        if broken:
            raise ModelMissing("no such model", hint="Pull it.")
        return home.embedder

    home.write(*TEXTS)
    worker = home.worker(home.parts(embedder=late))
    assert "no such model" in worker.drain(AbortSignal()).trouble
    worker.drain(AbortSignal())
    assert len(home.said) == 1 and home.said[0].endswith("Pull it.")
    broken = False
    clock.time += 1
    assert worker.drain(AbortSignal()).finished


def test_vectors_of_another_embedder_are_never_mixed_in(home: Home) -> None:
    """Another process changed the embedder while this one was running."""
    from localagent.memory.embedding import Fingerprint

    home.write(*TEXTS)
    home.table.activate(home.table.add(Fingerprint("embedded", "9", 384)).id)
    progress = home.worker().drain(AbortSignal())
    assert progress.embedded == 0 and "embedded 9 (384)" in progress.trouble and "reindex" in progress.trouble


def test_a_message_that_cannot_be_read_keeps_no_other_waiting(home: Home, clock: Clock) -> None:
    thread = home.ledger.create_thread("a")
    ids = [home.ledger.append(thread.id, user(text)).id for text in TEXTS]
    broken = set(ids[:2])

    def extract(message_id: int) -> None:
        if message_id in broken:
            raise EmbeddingFailed(f"message {message_id} is odd")
        home.extract(message_id)

    worker = home.worker(home.parts(extract=extract))
    for _ in range(5):
        worker.drain(AbortSignal())
        clock.time += 1
    assert home.read == ids[2:]
    assert home.memories.unread() == ids[:2]
    fault, late = home.said
    assert "is odd" in fault and "looked through 3 earlier messages" in late
    assert findable(home, *TEXTS)
    broken.clear()
    clock.time += LONGEST_WAIT_S
    worker.drain(AbortSignal())
    assert home.memories.unread() == []


def test_a_message_that_nobody_marks_as_read_is_no_endless_loop(home: Home) -> None:
    message = home.ledger.append(home.ledger.create_thread("a").id, user(TEXTS[0]))
    seen: list[int] = []
    assert home.worker(home.parts(extract=seen.append)).drain(AbortSignal()).finished
    assert seen == [message.id]


def test_a_ledger_that_refuses_is_told_once(home: Home, clock: Clock) -> None:
    home.write(*TEXTS)
    real, full = home.store.store, True

    def store(*arguments: object, **more: object) -> None:
        if full:
            raise StorageError("the disk is full", hint="Free some space.")
        real(*arguments, **more)  # type: ignore[arg-type]

    home.store.store = store  # type: ignore[method-assign]
    worker = home.worker()
    for _ in range(20):
        worker.drain(AbortSignal())
        clock.time += 30
    assert len(home.said) == 1 and "the disk is full" in home.said[0]
    assert home.database.query("SELECT count(*) FROM failures") == [(0,)]
    full = False
    clock.time += LONGEST_WAIT_S
    assert worker.drain(AbortSignal()).finished and findable(home, *TEXTS)


def test_a_clock_that_is_set_back_does_not_stop_it(home: Home, clock: Clock) -> None:
    home.raw.mood = fails_for("", ModelUnreachable("nobody answers"))
    home.write(*TEXTS)
    worker = home.worker()
    worker.drain(AbortSignal())
    home.raw.mood = lambda texts, abort: None
    clock.time -= 1e6
    assert worker.drain(AbortSignal()).finished


# Once a day.


def test_it_prunes_once_a_day_in_one_of_all_processes(home: Home, clock: Clock, tmp_path: Path) -> None:
    other = Home(tmp_path / "home", now=clock)
    pruned: list[int] = []
    idle = threading.Semaphore(0)

    def count(number: int) -> Callable[[], None]:
        def prune() -> None:
            pruned.append(number)
            idle.release()

        return prune

    try:
        home.worker(home.parts(prune=count(0))).start()
        assert idle.acquire(timeout=20)
        other.worker(other.parts(prune=count(1))).start()
        other.write(*TEXTS)
        until(lambda: home.state().passages == 0)
        clock.time += PRUNE_EVERY_S - 1
        assert len(pruned) == 1
        clock.time += 2
        assert idle.acquire(timeout=20)
        until(
            lambda: home.database.query("SELECT value FROM home_values WHERE name = 'pruned_at'") == [(repr(clock()),)]
        )
        assert len(pruned) == 2
    finally:
        other.close()


def test_pruning_that_fails_is_told_and_stops_nothing(home: Home) -> None:
    def prune() -> None:
        raise StorageError("no room")

    worker = home.worker(home.parts(prune=prune))
    worker.start()
    until(lambda: bool(home.said))
    home.write(*TEXTS)
    worker.wake()
    until(lambda: home.state().passages == 0)
    assert len(home.said) == 1 and "no room" in home.said[0]


def test_an_embedder_of_several_calls_is_asked_for_more_at_once(home: Home) -> None:
    """Batches grow with the embedder's speed, and stay within what a short call can take."""
    home.write(*(f"The number is {number}." for number in range(300)))
    drain(home)
    sizes = [len(call) for call in home.raw.calls]
    assert sizes[0] == 1 and max(sizes) > 16 and sum(sizes) == 300


def test_moods_are_of_the_embedder_alone() -> None:
    """The stand-in is an embedder like others."""
    raw = MoodyEmbedder()
    assert raw.embed_passages(["a b"], AbortSignal()).shape == (1, raw.load(AbortSignal()).dimension)
