"""0.45 separates related from unrelated, with every embedder; and what calibration does with odd ones."""

from __future__ import annotations

import hashlib
import threading
from collections.abc import Callable, Sequence
from pathlib import Path

import numpy as np
import pytest
from embedder_subjects import PATIENCE_S, CachedE5, e5_through_ollama, in_thread
from hypothesis import given, settings
from hypothesis import strategies as st
from ollama_fixture import FakeOllama

from benchmarks.calibrate import PAIRS, Separation, separation
from localagent.abort import AbortSignal
from localagent.errors import EmbeddingFailed, InternalError, Interrupted, StorageError
from localagent.memory import calibration
from localagent.memory.calibration import Calibrated, Calibration, background, measure, shipped, split
from localagent.memory.database import Database
from localagent.memory.embedders import EmbedderTable
from localagent.memory.embedding import Fingerprint, RawEmbedder, Vectors
from localagent.memory.language import words
from localagent.memory.word_embedder import WordEmbedder
from localagent.models.ollama_embedder import OllamaEmbedder


class Store:
    """Calibrations in memory."""

    def __init__(self) -> None:
        self.kept: dict[Fingerprint, bytes] = {}

    def save(self, fingerprint: Fingerprint, data: bytes) -> None:
        self.kept.setdefault(fingerprint, data)


def calibrated(raw: RawEmbedder, store: Store | None = None) -> Calibrated:
    store = store or Store()
    embedder = Calibrated(raw, store.kept.get, store.save)
    embedder.load(AbortSignal())
    return embedder


class Made:
    """An embedder of which the vectors are made here: `make(text, asking)`."""

    name = "made"
    limit = 1000

    def __init__(self, make: Callable[[str, bool], Sequence[float]]) -> None:
        self._make = make
        self.texts: list[str] = []

    def load(self, abort: AbortSignal) -> Fingerprint:
        return Fingerprint("made", "1", len(self._make("a", False)))

    def embed_passages(self, texts: Sequence[str], abort: AbortSignal) -> Vectors:
        return self._embed(texts, False, abort)

    def embed_queries(self, texts: Sequence[str], abort: AbortSignal) -> Vectors:
        return self._embed(texts, True, abort)

    def _embed(self, texts: Sequence[str], asking: bool, abort: AbortSignal) -> Vectors:
        abort.raise_if_aborted()
        self.texts += texts
        vectors = np.array([self._make(text, asking) for text in texts], np.float64)
        return np.asarray(vectors / np.linalg.norm(vectors, axis=1, keepdims=True), np.float32)

    def close(self) -> None:
        pass


def noise(text: str, dimension: int) -> Vectors:
    seed = int.from_bytes(hashlib.sha256(text.encode("utf-8", "replace")).digest()[:8], "little")
    return np.random.default_rng(seed).standard_normal(dimension).astype(np.float32)


# What it is for.


def assert_separates(found: dict[str, Separation], languages: Sequence[str]) -> None:
    for language in languages:
        assert found[language]["balanced"] >= 0.85, found
    assert abs(found["en"]["balanced"] - found["zh"]["balanced"]) < 0.03, found


def test_the_embedded_one_separates() -> None:
    assert_separates(separation(calibrated(CachedE5())), ("en", "zh", "xx"))


def test_one_of_ollama_separates() -> None:
    """The vectors of the real model, through a server that knows it under another name: calibrated from nothing."""
    with FakeOllama() as server:
        server.add("multilingual-e5", capabilities=["embedding"]).embed = e5_through_ollama
        raw = OllamaEmbedder(server.url, "multilingual-e5")
        assert_separates(separation(calibrated(raw)), ("en", "zh", "xx"))
        raw.close()


def test_words_separate_where_words_are_shared(tmp_path: Path) -> None:
    """An embedder that knows words alone cannot see that two texts without a common word are related: related pairs
    without one are left out, and so are those across languages. (With them: 0.84 English, 0.86 Chinese.)"""
    rows = [line.split("\t") for line in PAIRS.read_text(encoding="utf-8").splitlines()]
    fair = [row for row in rows if row[0] == "unrelated" or set(words(row[3])) & set(words(row[4]))]
    assert sum(row[0] == "related" for row in fair) >= 45
    path = tmp_path / "pairs.tsv"
    path.write_text("\n".join("\t".join(row) for row in fair if row[1] != "xx"), encoding="utf-8")
    assert_separates(separation(calibrated(WordEmbedder()), path), ("en", "zh"))


@pytest.mark.parametrize("common", [0.0, 1.0, 8.0])
@pytest.mark.parametrize("language", [0.0, 4.0])
def test_a_mean_and_a_language_do_not_count(common: float, language: float) -> None:
    """Made-up embedders: a subject and some noise each, and more or less that all texts, or those of a script, have in
    common; with the raw cosines no threshold fits them all."""
    rng = np.random.default_rng(7)
    everywhere, here = rng.standard_normal(256), rng.standard_normal(256)

    def vector(text: str, asking: bool) -> Sequence[float]:
        subject, _, _ = text.partition("#")
        own = noise(subject, 256) + 0.8 * noise(text + str(asking), 256)
        vector: Vectors = own + common * everywhere + (language * here if text.isascii() else 0)
        return vector.tolist()

    embedder = calibrated(Made(vector))
    numbers = range(200)
    questions = embedder.embed_queries([f"subject {n}#q" for n in numbers], AbortSignal())
    for script in ("#p", "#段"):
        passages = embedder.embed_passages([f"subject {n}{script}" for n in numbers], AbortSignal())
        scores = np.vectorize(embedder.score)(questions @ passages.T)
        related, unrelated = np.diagonal(scores), scores[~np.eye(200, dtype=bool)]
        assert (related >= 0.45).mean() > 0.95
        assert (unrelated < 0.45).mean() > 0.95


# The file that comes along.


@pytest.mark.parametrize("raw", [CachedE5(), WordEmbedder()], ids=["embedded", "words"])
def test_measuring_anew_gives_what_ships(raw: RawEmbedder) -> None:
    fingerprint = calibrated(raw).load(AbortSignal())
    data = shipped(fingerprint)
    assert data is not None, f"run python -m benchmarks.calibrate --embedder {raw.name} --write"
    ships = Calibration.from_bytes(data, fingerprint.dimension)
    assert ships is not None
    new = measure(raw, AbortSignal())
    assert abs(new.cut - ships.cut) < 0.01
    assert abs(new.top - ships.top) < 0.01
    for one, other in ((new.passages, ships.passages), (new.queries, ships.queries)):
        assert np.allclose(one.mean, other.mean, atol=0.002)
        # The plane of the two directions, whatever they are within it.
        assert np.linalg.svd(one.directions @ other.directions.T)[1].min() > 0.99


def test_the_background_has_not_changed_under_the_same_version() -> None:
    """Whoever changes it raises calibration.VERSION, measures anew (benchmarks.calibrate --write) and corrects this."""
    digest = hashlib.sha256("\n".join(background()).encode()).hexdigest()
    assert (calibration.VERSION, digest[:16]) == (1, "1f4598e50ec5b744")
    assert len(background()) == len(set(background())) == 180


def test_it_ships_for_exactly_this_embedder() -> None:
    fingerprint = calibrated(CachedE5()).load(AbortSignal())
    assert shipped(Fingerprint("embedded", fingerprint.version + "0", 384)) is None
    assert shipped(Fingerprint("../../etc/passwd", "1", 3)) is None
    assert shipped(Fingerprint("ollama:a/b\0c", "1", 3)) is None


def test_the_embedded_one_is_not_measured() -> None:
    store, raw = Store(), CachedE5()
    raw.embed_queries = raw.embed_passages = lambda texts, abort: pytest.fail("measured")  # type: ignore[method-assign, misc, assignment]
    fingerprint = calibrated(raw, store).load(AbortSignal())
    assert str(fingerprint).startswith("embedded e5-small-q4-")
    assert store.kept == {fingerprint: shipped(fingerprint)}


# Keeping.


def test_a_home_keeps_its_calibration() -> None:
    store, raw = Store(), Made(lambda text, asking: noise(text, 32).tolist())
    one = calibrated(raw, store)
    before = one.embed_passages(["text"], AbortSignal())
    again = Made(lambda text, asking: noise(text, 32).tolist())
    other = calibrated(again, store)
    assert again.texts == []
    assert np.array_equal(other.embed_passages(["text"], AbortSignal()), before)
    assert other.load(AbortSignal()).version == "1+1"


@pytest.mark.parametrize("damage", [b"", b"LACB", b"x" * 500])
def test_a_damaged_calibration_is_measured_anew(damage: bytes) -> None:
    raw, saved = Made(lambda text, asking: noise(text, 32).tolist()), []
    embedder = Calibrated(raw, lambda fingerprint: damage, lambda fingerprint, data: saved.append(data))
    assert embedder.embed_passages(["text"], AbortSignal()).shape == (1, 32)
    assert Calibration.from_bytes(saved[0], 32) is not None
    assert Calibration.from_bytes(saved[0], 31) is None
    assert Calibration.from_bytes(saved[0][:-4], 32) is None


def test_what_is_written_is_read() -> None:
    one = measure(Made(lambda text, asking: noise(text + str(asking), 32).tolist()), AbortSignal())
    other = Calibration.from_bytes(one.to_bytes(), 32)
    assert other is not None
    assert (other.cut, other.top) == (pytest.approx(one.cut), pytest.approx(one.top))
    assert np.array_equal(other.queries.directions, one.queries.directions)
    assert np.array_equal(other.passages.mean, one.passages.mean)


def test_two_processes_measure_at_the_same_time(tmp_path: Path) -> None:
    """Not to the last bit the same: the first to save decides for both."""
    database = Database(tmp_path / "ledger.db")
    table = EmbedderTable(database)
    fingerprint = Fingerprint("made", "1+1", 32)
    first = measure(Made(lambda text, asking: noise("other" + text, 32).tolist()), AbortSignal()).to_bytes()
    raw = Made(lambda text, asking: noise(text, 32).tolist())
    measured = raw.embed_passages

    def meanwhile(texts: Sequence[str], abort: AbortSignal) -> Vectors:
        table.save_calibration(fingerprint, first)
        return measured(texts, abort)

    raw.embed_passages = meanwhile  # type: ignore[method-assign]
    embedder = Calibrated(raw, table.calibration, table.save_calibration)
    assert embedder.load(AbortSignal()) == fingerprint
    expected = Calibration.from_bytes(first, 32)
    assert expected is not None
    assert embedder.score(expected.cut) == pytest.approx(0.45)
    assert table.calibration(fingerprint) == first
    database.close()


# Scores.


@given(st.floats(-1, 1), st.floats(-1, 1), st.floats(0.02, 0.9), st.floats(0.05, 0.5))
@settings(deadline=None, max_examples=100)
def test_scores_rise_from_0_to_1(one: float, other: float, cut: float, width: float) -> None:
    common = calibration.Common(np.zeros(2, np.float32), np.zeros((0, 2), np.float32))
    found = Calibration(common, common, cut, cut + width)
    low, high = sorted((one, other))
    assert 0 <= found.score(low) <= found.score(high) <= 1
    assert found.score(cut) == pytest.approx(0.45)
    assert found.score(0.0) == 0
    assert found.score(cut + width) == 1


def test_no_score_before_it_is_loaded() -> None:
    with pytest.raises(InternalError):
        Calibrated(WordEmbedder(), lambda _: None, lambda _, __: None).score(0.5)


# Odd embedders.


@pytest.mark.parametrize("dimension", [2, 3, 8, 15, 16, 200])
def test_few_numbers_or_many(dimension: int) -> None:
    embedder = calibrated(Made(lambda text, asking: noise(text, dimension).tolist()))
    vectors = embedder.embed_passages(["one", "two", "三"], AbortSignal())
    assert np.allclose(np.linalg.norm(vectors, axis=1), 1, atol=1e-5)
    assert 0 <= embedder.score(float(vectors[0] @ vectors[1])) <= 1
    assert embedder.score(1.0) == 1


def test_vectors_that_tell_scripts_apart_and_nothing_else() -> None:
    embedder = calibrated(Made(lambda text, asking: [1.0, 0.0, 0.0] if text.isascii() else [0.0, 1.0, 0.0]))
    vectors = embedder.embed_passages(["one", "二", ""], AbortSignal())
    assert np.allclose(np.linalg.norm(vectors, axis=1), 1, atol=1e-5)


def test_exactly_what_all_have_in_common() -> None:
    """A text of which nothing is left is still a vector of length 1."""
    found = measure(Made(lambda text, asking: noise(text, 32).tolist()), AbortSignal())
    vectors = found.passages.removed_from(np.stack([found.passages.mean, found.passages.mean + 1]))
    assert np.isfinite(vectors).all()
    assert np.allclose(np.linalg.norm(vectors, axis=1), 1, atol=1e-5)


def test_the_same_vector_for_every_text() -> None:
    with pytest.raises(EmbeddingFailed, match="every text the same vector"):
        calibrated(Made(lambda text, asking: [0.5, 0.5]))


def test_questions_are_measured_only_where_they_differ() -> None:
    same = Made(lambda text, asking: noise(text, 32).tolist())
    calibrated(same)
    assert len(same.texts) == 181
    other = Made(lambda text, asking: noise(text + str(asking), 32).tolist())
    calibrated(other)
    assert len(other.texts) == 360


def test_a_failure_is_not_the_end() -> None:
    works = [False]

    def make(text: str, asking: bool) -> Sequence[float]:
        if not works[0] and text != "a":
            raise EmbeddingFailed("out of order")
        return noise(text, 32).tolist()

    embedder = Calibrated(Made(make), lambda _: None, lambda _, __: None)
    with pytest.raises(EmbeddingFailed):
        embedder.load(AbortSignal())
    works[0] = True
    assert embedder.embed_queries(["text"], AbortSignal()).shape == (1, 32)


def test_saying_stop_while_another_thread_loads() -> None:
    began, gate, abort = threading.Event(), threading.Event(), AbortSignal()

    def make(text: str, asking: bool) -> Sequence[float]:
        if text != "a":
            began.set()
            assert gate.wait(PATIENCE_S)
        return noise(text, 32).tolist()

    embedder = Calibrated(Made(make), lambda _: None, lambda _, __: None)
    end_of_loading = in_thread(lambda: embedder.load(AbortSignal()))
    assert began.wait(PATIENCE_S)
    end_of_question = in_thread(lambda: embedder.embed_queries(["text"], abort))
    abort.abort()
    assert isinstance(end_of_question(), Interrupted)
    gate.set()
    assert end_of_loading() is None


# Long texts.


@given(st.text(max_size=300), st.integers(1, 40))
@settings(deadline=None, max_examples=200)
def test_splitting_loses_nothing_but_blanks(text: str, limit: int) -> None:
    parts = split(text, limit)
    assert all(1 <= len(part) <= limit for part in parts)
    kept = "".join("".join(parts).split())
    assert kept == ("".join(text.replace("\0", " ").split()) or ".")


def test_splitting_looks_for_good_places() -> None:
    assert split("One sentence is here. Another one follows", 26) == ["One sentence is here.", "Another one follows"]
    assert split("这是第一句话，很长。这是第二句话", 12) == ["这是第一句话，很长。", "这是第二句话"]
    assert split("one two three four", 10) == ["one two", "three four"]
    assert split("x" * 25, 10) == ["x" * 10, "x" * 10, "x" * 5]
    assert split("", 10) == split(" \n\0", 10) == ["."]


@pytest.mark.parametrize(
    "words", ["The same words again and again. ", "一遍又一遍的同样的话。", "🙃", "\0", "\udc80x", " "]
)
def test_a_hundred_thousand_characters(words: str) -> None:
    raw = WordEmbedder()
    limited = Made(lambda text, asking: raw.embed_passages([text], AbortSignal())[0].tolist())
    embedder = calibrated(limited)
    vectors = embedder.embed_passages([words * (100_000 // len(words)), "short", ""], AbortSignal())
    assert vectors.shape == (3, 256)
    assert np.allclose(np.linalg.norm(vectors, axis=1), 1, atol=1e-5)
    assert np.allclose(vectors[1], embedder.embed_passages(["short"], AbortSignal())[0], atol=1e-5)
    assert all(0 < len(text) <= limited.limit for text in limited.texts)


def test_every_part_of_a_long_text_counts() -> None:
    raw = WordEmbedder()
    embedder = calibrated(Made(lambda text, asking: raw.embed_passages([text], AbortSignal())[0].tolist()))
    long = "\n".join(["porridge breakfast kitchen"] * 60 + ["velocity orbit satellite"] * 60)
    passages = embedder.embed_passages([long, "porridge breakfast", "satellite orbit", "umbrella"], AbortSignal())
    assert passages[0] @ passages[1] > 0.3
    assert passages[0] @ passages[2] > 0.3
    assert abs(passages[0] @ passages[3]) < 0.3


# The table.


def test_embedders_of_a_home(tmp_path: Path) -> None:
    database = Database(tmp_path / "ledger.db")
    table = EmbedderTable(database)
    one, other = Fingerprint("embedded", "1", 384), Fingerprint("ollama:bge-m3", "9f", 1024)
    assert table.active() is None
    assert table.find(one) is None
    first = table.add(one, active=True)
    assert (first.generation, first.active, first.fingerprint) == (1, True, one)
    second = table.add(other)
    assert not second.active
    assert table.add(one) == first == table.active() == table.find(one)
    assert table.activate(second.id).active
    active = table.active()
    assert active is not None and active.fingerprint == other
    again = table.find(one)
    assert again is not None and not again.active
    assert table.begin_anew(second.id).generation == 2
    assert table.begin_anew(second.id).generation == 3
    assert table.add(one, active=True).active
    with pytest.raises(StorageError, match="no embedder 77"):
        table.activate(77)
    active = table.active()
    assert active is not None and active.fingerprint == one
    database.close()


def test_calibrations_are_kept_with_their_embedder(tmp_path: Path) -> None:
    path = tmp_path / "ledger.db"
    database = Database(path)
    one, other = Fingerprint("made", "1", 2), Fingerprint("made", "2", 2)
    EmbedderTable(database).save_calibration(one, b"first")
    EmbedderTable(database).save_calibration(one, b"second")
    database.close()
    database = Database(path)
    table = EmbedderTable(database)
    assert table.calibration(one) == b"first"
    assert table.calibration(other) is None
    row = table.find(one)
    assert row is not None and not row.active
    assert table.add(one, active=True).id == row.id
    assert table.calibration(one) == b"first"
    database.close()
