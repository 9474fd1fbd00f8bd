"""Another embedder beside the one in use; the index anew."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from worker_parts import Home, MoodyEmbedder, fails_for

from localagent.abort import AbortSignal
from localagent.errors import EmbeddingFailed, Interrupted, ModelUnreachable
from localagent.memory.batches import Outcome
from localagent.memory.embedding import Embedder
from localagent.memory.queue import parked, queue_state
from localagent.memory.reindex import rebuild, reindex, remove_unused
from localagent.memory.stats import Reindexing, reindexing

TEXTS = [f"{text} {number}" for number in range(40) for text in ("The bicycle is red.", "自行车停在车站旁边。")]


@pytest.fixture
def home(tmp_path: Path) -> Iterator[Home]:
    home = Home(tmp_path / "home")
    home.write(*TEXTS)
    home.worker().drain(AbortSignal())
    yield home
    home.close()


@pytest.fixture
def new(home: Home) -> tuple[MoodyEmbedder, Embedder]:
    """Another embedder, and the same calibrated."""
    raw = MoodyEmbedder("words:320")
    calibrated = home.calibrated(raw)
    calibrated.load(AbortSignal())
    raw.calls.clear()
    return raw, calibrated


def run(home: Home, embedder: Embedder, *, progress: Callable[[int, int], None] | None = None) -> Outcome:
    return reindex(home.database, embedder, home.store_of, progress or (lambda done, total: None), AbortSignal())


def vectors(home: Home) -> dict[str, int]:
    """How many of each embedder."""
    rows = home.database.query(
        "SELECT name, count(*) FROM vectors JOIN embedders ON embedders.id = vectors.embedder_id GROUP BY name"
    )
    return {str(name): int(str(count)) for name, count in rows}


def finds(home: Home, embedder: Embedder, text: str) -> bool:
    """With the embedder in use."""
    row = home.table.active()
    assert row is not None and row.fingerprint == embedder.load(AbortSignal())
    store = home.store_of("default", row)
    try:
        return home.finds(text, store, embedder)
    finally:
        store.close()


def test_another_embedder_takes_over_when_it_is_complete(home: Home, new: tuple[MoodyEmbedder, Embedder]) -> None:
    seen: list[tuple[int, int]] = []
    found: list[bool] = []

    def progress(done: int, total: int) -> None:
        seen.append((done, total))
        assert home.table.active() == home.row  # the old one is in use, and works
        found.append(home.finds("The bicycle is red. 7"))

    outcome = run(home, new[1], progress=progress)
    assert (outcome.stored, outcome.failed, outcome.parked) == (len(TEXTS), 0, 0)
    assert seen[-1] == (len(TEXTS), len(TEXTS)) and [done for done, _ in seen] == sorted(done for done, _ in seen)
    assert all(found)
    active = home.table.active()
    assert active is not None and active.fingerprint == new[1].load(AbortSignal())
    assert vectors(home) == {"words:320": len(TEXTS)}
    assert all(finds(home, new[1], text) for text in TEXTS[:6])


def test_a_worker_with_the_embedder_of_before_stands_still(home: Home, new: tuple[MoodyEmbedder, Embedder]) -> None:
    run(home, new[1])
    home.write("同时写下的。")
    progress = home.worker().drain(AbortSignal())
    assert progress.embedded == 0 and "words:320" in progress.trouble
    assert run(home, new[1]).stored == 1


def test_there_and_back_again(tmp_path: Path) -> None:
    """What was left of the first embedder is used again, and its index is not taken for a damaged one."""
    home = Home(tmp_path / "home", index=True)
    try:
        home.write(*TEXTS)
        home.worker().drain(AbortSignal())
        embedder = home.calibrated(MoodyEmbedder("words:320"))
        abort = AbortSignal()

        def progress(done: int, total: int) -> None:
            if done == total:  # and before the old vectors are gone
                abort.abort()

        with pytest.raises(Interrupted):
            reindex(home.database, embedder, home.store_of, progress, abort)
        home.table.activate(home.table.add(embedder.load(AbortSignal())).id)
        home.store.close()
        other = home.store_of("default", home.table.add(embedder.load(AbortSignal())))
        while other.sync():
            pass
        other.close()
        home.raw.calls.clear()
        assert run(home, home.embedder).stored == 0 and home.raw.calls == []
        home.store = home.store_of("default", home.row)
        assert home.worker().drain(AbortSignal()).indexed == len(TEXTS)
        assert home.store.verify() == [] and home.said == []
    finally:
        home.close()


def test_it_goes_on_where_it_was_stopped(home: Home, new: tuple[MoodyEmbedder, Embedder]) -> None:
    raw, embedder = new
    abort = AbortSignal()

    def progress(done: int, total: int) -> None:
        if done > 20:
            abort.abort()

    with pytest.raises(Interrupted):
        reindex(home.database, embedder, home.store_of, progress, abort)
    assert home.table.active() == home.row and home.finds(TEXTS[3])
    done = vectors(home)["words:320"]
    assert 20 < done < len(TEXTS)
    assert reindexing(home.database) == Reindexing("words:320", done, len(TEXTS))
    raw.calls.clear()
    assert run(home, embedder).stored == len(TEXTS) - done == sum(map(len, raw.calls))
    assert vectors(home) == {"words:320": len(TEXTS)} and reindexing(home.database) is None


def test_what_is_written_meanwhile_is_caught_up(home: Home, new: tuple[MoodyEmbedder, Embedder]) -> None:
    written: list[str] = []

    def progress(done: int, total: int) -> None:
        if not written:
            written.extend(("Written meanwhile.", "同时写下的。"))
            home.write(*written)
            home.worker().drain(AbortSignal())  # with the embedder of before

    run(home, new[1], progress=progress)
    assert vectors(home) == {"words:320": len(TEXTS) + 2}
    assert finds(home, new[1], "同时写下的。")


def test_it_takes_everybodys_passages(home: Home, new: tuple[MoodyEmbedder, Embedder]) -> None:
    other = Home(home.path, tenant="助手")
    try:
        other.write("别人的。")
        run(home, new[1])
        assert vectors(home) == {"words:320": len(TEXTS) + 1}
    finally:
        other.close()


def test_a_bad_text_is_parked_and_the_rest_taken_over(
    home: Home, new: tuple[MoodyEmbedder, Embedder], monkeypatch: pytest.MonkeyPatch
) -> None:
    raw, embedder = new
    waited: list[float] = []
    monkeypatch.setattr("localagent.memory.queue.WAITS_S", (0.01, 0.02))
    raw.mood = fails_for("red. 7")
    outcome = run(home, embedder)
    assert waited == [] and outcome.parked == 1 and outcome.stored == len(TEXTS) - 1
    assert [one.text for one in parked(home.database, "default")] == ["The bicycle is red. 7"]
    active = home.table.active()
    assert active is not None and active.fingerprint.name == "words:320"
    assert queue_state(home.database, "default", active.id).parked == 1


def test_an_embedder_that_fails_for_all_does_not_take_over(home: Home, new: tuple[MoodyEmbedder, Embedder]) -> None:
    raw, embedder = new
    raw.mood = fails_for("")
    with pytest.raises(EmbeddingFailed, match="fails for most texts"):
        run(home, embedder)
    raw.mood = fails_for("", ModelUnreachable("nobody answers"))
    with pytest.raises(ModelUnreachable):
        run(home, embedder)
    assert home.table.active() == home.row and home.finds(TEXTS[3])
    assert home.state().parked == 0  # nothing of that concerns the embedder in use


def test_the_same_embedder_again_fills_what_is_missing(home: Home) -> None:
    with home.database.transaction() as connection:
        connection.execute("DELETE FROM vectors WHERE row % 3 = 0 OR row % 7 = 0")
    missing = len(TEXTS) - vectors(home).get("words", 0)
    assert run(home, home.embedder).stored == missing
    assert vectors(home) == {"words": len(TEXTS)}


def test_old_vectors_go_in_steps_that_can_be_stopped(
    home: Home, new: tuple[MoodyEmbedder, Embedder], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("localagent.memory.reindex.REMOVED_AT_ONCE", 30)
    run(home, new[1])
    with home.database.transaction() as connection:
        sql = "INSERT INTO vectors (embedder_id, row, vector) SELECT ?, row, x'00' FROM passages"
        connection.execute(sql, (home.row.id,))
    abort = AbortSignal()
    abort.abort()
    with pytest.raises(Interrupted):
        remove_unused(home.database, abort)
    assert remove_unused(home.database, AbortSignal()) == len(TEXTS)
    assert vectors(home) == {"words:320": len(TEXTS)}


def test_the_index_anew_needs_no_embedding(tmp_path: Path) -> None:
    home = Home(tmp_path / "home", index=True)
    try:
        home.write(*TEXTS)
        home.worker().drain(AbortSignal())
        home.raw.calls.clear()
        seen: list[tuple[int, int]] = []
        assert rebuild(home.store, lambda done, total: seen.append((done, total)), AbortSignal()) == len(TEXTS)
        assert seen[-1] == (len(TEXTS), len(TEXTS))
        assert home.raw.calls == [] and home.state().index == 0
        assert home.store.verify() == []
        assert home.finds(TEXTS[5])
    finally:
        home.close()
