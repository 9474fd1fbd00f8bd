"""One contract for every vector index: exact search, Chroma in a folder, and a real Chroma server."""

from __future__ import annotations

import tempfile
from collections.abc import Callable, Iterator
from pathlib import Path

import numpy as np
import pytest
from exact_index import ExactIndex
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from index_subjects import (
    DIMENSION,
    FINGERPRINT,
    OTHER_FINGERPRINT,
    chroma_server,
    item,
    make_index,
    vector_of,
)

from localagent.errors import FingerprintMismatch, IndexDamaged
from localagent.memory import chroma as chroma_module
from localagent.memory.chroma import ChromaIndex, collection_name
from localagent.memory.chroma_package import load_chromadb
from localagent.memory.chroma_server import ChromaServer
from localagent.memory.filters import FIELDS, Filter, accepts, parse_filter
from localagent.memory.index import Item, VectorIndex
from localagent.messages import JsonValue

KINDS = ("exact", "folder", "server")


@pytest.fixture(scope="module")
def server() -> Iterator[ChromaServer]:
    with tempfile.TemporaryDirectory() as folder, chroma_server(Path(folder)) as running:
        yield running


@pytest.fixture(params=KINDS)
def index(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[VectorIndex]:
    running = request.getfixturevalue("server") if request.param == "server" else None
    made = make_index(request.param, tmp_path, running, tenant=str(tmp_path))
    yield made
    made.close()
    made.close()


def keys_of(index: VectorIndex, number: int, limit: int = 10, where: Filter | None = None) -> list[str]:
    return [hit.key for hit in index.query(vector_of(number), limit, where)]


def test_an_empty_index_finds_nothing(index: VectorIndex) -> None:
    assert index.query(vector_of(1), 5) == []
    assert index.query(vector_of(1), 5, parse_filter({"kind": "x"})) == []
    assert list(index.keys()) == []
    assert index.count() == 0
    index.upsert([])
    index.delete([])


def test_the_nearest_come_first_with_their_cosines(index: VectorIndex) -> None:
    items = [item(number) for number in range(300)]  # more than one batch
    index.upsert(items)
    hits = index.query(vector_of(7), 20)
    expected = sorted((float(one.vector @ vector_of(7)) for one in items), reverse=True)[:20]
    assert hits[0].key == "k7"
    assert [hit.cosine for hit in hits] == pytest.approx(expected, abs=1e-4)
    assert (hits[0].text, dict(hits[0].metadata)) == ("", {})
    assert index.count() == 300 and set(index.keys()) == {one.key for one in items}


def test_text_and_metadata_where_they_are_asked_for(index: VectorIndex) -> None:
    index.upsert([item(1, "你好 world", speaker="小明", importance=0.5, part=3)])
    (hit,) = index.query(vector_of(1), 5, full=True)
    assert hit.text == "你好 world"
    assert hit.metadata["speaker"] == "小明" and hit.metadata["importance"] == 0.5 and hit.metadata["part"] == 3


def test_at_most_as_many_as_asked_for(index: VectorIndex) -> None:
    index.upsert([item(number) for number in range(20)])
    for limit in (0, -1, 1, 10, 100_000):
        assert len(index.query(vector_of(1), limit)) == max(0, min(limit, 20))


def test_what_is_put_twice_is_replaced(index: VectorIndex) -> None:
    index.upsert([item(1, "old"), item(2), item(1, "old too")])
    new = item(1)
    index.upsert([Item(new.key, vector_of(99), "new", {**new.metadata, "kind": "y"})])
    hit = index.query(vector_of(99), 1, full=True)[0]
    assert (hit.key, hit.text, hit.metadata["kind"]) == ("k1", "new", "y")
    assert hit.cosine == pytest.approx(1.0, abs=1e-4)
    assert index.query(vector_of(1), 1)[0].cosine < 0.999
    assert index.count() == 2
    assert keys_of(index, 1, where=parse_filter({"kind": "y"})) == ["k1"]


def test_what_is_deleted_is_not_found_and_may_come_again(index: VectorIndex) -> None:
    index.upsert([item(number) for number in range(300)])
    index.delete([f"k{number}" for number in range(10, 290)] + ["never there", "k10"])
    assert index.count() == 20
    assert set(keys_of(index, 50, limit=100)) == {f"k{number}" for number in (*range(10), *range(290, 300))}
    index.upsert([item(50)])
    assert keys_of(index, 50, 1) == ["k50"]


FILTERS: list[JsonValue] = [
    {"kind": "fact"},
    {"kind": {"$ne": "fact"}},
    {"kind": {"$in": ["fact", "todo", "no such"]}},
    {"kind": {"$nin": ["fact", "助手"]}},
    {"kind": "no such"},
    {"kind": {"$ne": "no such"}},
    {"speaker": ""},
    {"speaker": {"$ne": ""}},
    {"said_at": {"$gt": 3, "$lte": 9}},
    {"said_at": 4.5},
    {"said_at": {"$ne": 4}},
    {"said_at": {"$in": [3, 4.5, 11]}},
    {"said_at": {"$nin": [3, 4.5]}},
    {"$or": [{"kind": "todo"}, {"$and": [{"said_at": {"$lt": 6}}, {"speaker": {"$ne": ""}}]}]},
    {"kind": {"$ne": "fact", "$nin": ["助手"]}, "said_at": {"$gte": 2}},
]


def test_filters_mean_the_same_everywhere(index: VectorIndex) -> None:
    kinds, speakers = ("fact", "todo", "助手"), ("", "小明", 'O\'Brien "x"')
    items = [item(n, kind=kinds[n % 3], speaker=speakers[n // 3 % 3], said_at=n / 2 + 3.0) for n in range(27)]
    index.upsert(items)
    for where in FILTERS:
        condition = parse_filter(where)
        assert condition is not None
        expected = {one.key for one in items if accepts(condition, one.metadata)}
        assert set(keys_of(index, 3, 100, condition)) == expected, where


STRANGE = [
    "",
    "nul \x00 inside",
    "lone \udce9 surrogate",
    "\ud83d",
    "مرحبا بالعالم",
    "😀" * 9,
    "x" * 100_000,
    "\x1b[31m",
]


def test_any_text_is_taken(index: VectorIndex) -> None:
    index.upsert([item(number, text, speaker=text) for number, text in enumerate(STRANGE)])
    for number, text in enumerate(STRANGE):
        hit = index.query(vector_of(number), 1, full=True)[0]
        assert hit.key == f"k{number}"
        if text.isprintable():
            assert (hit.text, hit.metadata["speaker"]) == (text or f"text {number}", text)


@pytest.fixture(scope="module")
def all_three(server: ChromaServer) -> Iterator[list[VectorIndex]]:
    with tempfile.TemporaryDirectory() as folder:
        made = [make_index(kind, Path(folder), server, tenant="properties") for kind in KINDS]
        yield made
        for index in made:
            index.close()


_NUMBERS = st.integers(0, 30)
_KINDS = st.sampled_from(["fact", "todo", "助手"])
_STEPS = st.lists(st.tuples(st.booleans(), st.lists(st.tuples(_NUMBERS, _KINDS), max_size=8)), max_size=5)


@settings(max_examples=15, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(steps=_STEPS, sought=_NUMBERS, kind=_KINDS)
def test_all_give_the_same_answers(
    all_three: list[VectorIndex], steps: list[tuple[bool, list[tuple[int, str]]]], sought: int, kind: str
) -> None:
    where = parse_filter({"kind": {"$ne": kind}})
    answers = []
    for index in all_three:
        index.delete(list(index.keys()))
        for adds, entries in steps:
            if adds:
                index.upsert([item(number, kind=label) for number, label in entries])
            else:
                index.delete([f"k{number}" for number, _ in entries])
        found = [index.query(vector_of(sought), 5, condition) for condition in (None, where)]
        answers.append((index.count(), set(index.keys()), [[hit.key for hit in hits] for hits in found]))
    assert answers[0] == answers[1] == answers[2]


# Chroma alone.


@pytest.fixture(params=["folder", "server"])
def reopen(request: pytest.FixtureRequest, tmp_path: Path) -> Callable[..., ChromaIndex]:
    """Opens the same index again."""
    running: ChromaServer | None = request.getfixturevalue("server") if request.param == "server" else None

    def made(tenant: str = str(tmp_path), fingerprint: object = FINGERPRINT) -> ChromaIndex:
        if running is not None:
            return ChromaIndex.on_server(running, tenant, fingerprint)  # type: ignore[arg-type]
        return ChromaIndex.in_folder(tmp_path / "c", tenant, fingerprint)  # type: ignore[arg-type]

    return made


def test_it_is_there_when_it_is_opened_again(reopen: Callable[..., ChromaIndex]) -> None:
    first = reopen()
    first.upsert([item(number) for number in range(30)])
    first.close()
    again = reopen()
    assert again.count() == 30 and keys_of(again, 4, 1) == ["k4"]
    assert again.get(["k4", "no such"]).keys() == {"k4"}
    assert again.get(["k4"])["k4"].text == "text 4"
    again.close()


def test_how_far_an_index_is_searched_is_what_is_set_now(
    reopen: Callable[..., ChromaIndex], monkeypatch: pytest.MonkeyPatch
) -> None:
    """Not what was set when it was made."""
    with monkeypatch.context() as before:
        before.setitem(chroma_module._HNSW, "ef_search", 200)
        before.setattr(chroma_module, "_EF_SEARCH", 200)
        made = reopen()
        made.upsert([item(number) for number in range(30)])
        assert made._collection.configuration_json["hnsw"]["ef_search"] == 200
        made.close()
    for _ in range(2):
        again = reopen()
        assert again._collection.configuration_json["hnsw"]["ef_search"] == chroma_module._EF_SEARCH
        assert again.count() == 30 and keys_of(again, 4, 1) == ["k4"]
        again.close()


def test_another_embedders_index_is_refused(reopen: Callable[..., ChromaIndex]) -> None:
    first = reopen()
    first.upsert([item(1)])
    first.close()
    with pytest.raises(FingerprintMismatch) as caught:
        reopen(fingerprint=OTHER_FINGERPRINT)
    assert "words 1 (16)" in str(caught.value) and "embedded e5 (16)" in str(caught.value)
    assert "localagent memory reindex --embedder words" in caught.value.hint
    again = reopen()
    assert again.count() == 1
    again.close()


def test_a_tenant_may_be_called_anything(reopen: Callable[..., ChromaIndex], tmp_path: Path) -> None:
    for number, tenant in enumerate(["m", "助手", "a b/c", "\udce9", "x" * 100]):
        index = reopen(f"{tmp_path} {tenant}")
        assert index.query(vector_of(number), 5) == []
        index.upsert([item(number)])
        assert list(index.keys()) == [f"k{number}"]
        index.close()


def test_homes_are_told_apart(reopen: Callable[..., ChromaIndex]) -> None:
    index = reopen()
    index.upsert([item(number, home="mine") for number in range(5)])
    index.upsert([item(number, home="other") for number in range(5, 8)])
    assert set(index.keys("mine")) == {f"k{number}" for number in range(5)}
    assert len(list(index.keys())) == 8
    index.close()


def test_a_collection_of_another_space_is_refused(tmp_path: Path) -> None:
    load_chromadb()
    import chromadb

    client = chromadb.PersistentClient(str(tmp_path / "c"))
    client.create_collection(collection_name("t"), embedding_function=None)
    client.close()  # type: ignore[attr-defined]
    with pytest.raises(IndexDamaged, match="not made by localagent"):
        ChromaIndex.in_folder(tmp_path / "c", "t", FINGERPRINT)


def test_exact_search_keeps_its_room(tmp_path: Path) -> None:
    index = ExactIndex(DIMENSION)
    for start in range(0, 2_000, 100):
        index.upsert([item(number) for number in range(start, start + 100)])
        index.delete([f"k{number}" for number in range(start, start + 99)])
    assert index.count() == 20
    assert keys_of(index, 1_999, 1) == ["k1999"]
    assert keys_of(index, 5, 100, parse_filter({"said_at": {"$lt": 1_000}})) != []
    assert len(index._slots._names) < 400


def test_every_field_can_be_filtered_on() -> None:
    index = ExactIndex(DIMENSION)
    index.upsert([item(1), item(2, **{name: "y" if kind is str else 7.5 for name, kind in FIELDS.items()})])
    for name, kind in FIELDS.items():
        assert keys_of(index, 1, 5, parse_filter({name: "y" if kind is str else 7.5})) == ["k2"], name
    assert np.isfinite([hit.cosine for hit in index.query(vector_of(2), 5)]).all()
