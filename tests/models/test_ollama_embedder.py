"""Ollama's embedding models: what is asked of the server, and what becomes of its habits."""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterator
from typing import Any

import httpx
import numpy as np
import pytest
from ollama_fixture import FakeModel, FakeOllama, hold, refuse, vectors
from ollama_fixture.state import hashed_words

from localagent.abort import AbortSignal
from localagent.errors import ConfigError, EmbeddingFailed, Interrupted, ModelMissing, ModelUnreachable
from localagent.models.ollama_embedder import OllamaEmbedder, prompts_of

PATIENCE_S = 20.0


@pytest.fixture
def model(ollama_server: FakeOllama) -> FakeModel:
    return ollama_server.add("emb", capabilities=["embedding"], context_length=64)


@pytest.fixture
def make(ollama_server: FakeOllama) -> Iterator[Callable[..., OllamaEmbedder]]:
    made: list[OllamaEmbedder] = []

    def make(name: str = "emb", **more: Any) -> OllamaEmbedder:  # noqa: ANN401
        made.append(OllamaEmbedder(ollama_server.url, name, **{"retry_waits_s": (0, 0), **more}))
        return made[-1]

    yield make
    for embedder in made:
        embedder.close()


@pytest.fixture
def embedder(model: FakeModel, make: Callable[..., OllamaEmbedder]) -> OllamaEmbedder:
    return make()


def asked(server: FakeOllama) -> list[Any]:
    return [exchange.body for exchange in server.requests("/api/embed")]


def answered(server: FakeOllama) -> list[str]:
    return [text for one in server.requests("/api/embed") if one.status == 200 for text in one.body["input"]]


def test_what_is_asked(ollama_server: FakeOllama, embedder: OllamaEmbedder) -> None:
    embedder.load(AbortSignal())
    embedder.embed_passages(["one", "二"], AbortSignal())
    assert asked(ollama_server)[-1] == {
        "model": "emb",
        "input": ["one", "二"],
        "truncate": False,
        "keep_alive": "10m",
    }
    assert len(ollama_server.loads) == 1
    assert [exchange.path for exchange in ollama_server.log].count("/api/show") == 1


def test_the_digest_is_the_version(model: FakeModel, make: Callable[..., OllamaEmbedder]) -> None:
    one = make().load(AbortSignal())
    assert str(one) == "ollama:emb 9f9f9f9f9f9f (16)"
    assert make("EMB:latest").load(AbortSignal()).version == one.version
    model.digest = "a1" * 32
    assert make().load(AbortSignal()).version == "a1a1a1a1a1a1"


def test_the_limit_follows_the_model(ollama_server: FakeOllama, make: Callable[..., OllamaEmbedder]) -> None:
    for name, tokens, limit in (("small", 256, 768), ("bge-m3", 8192, 6000)):
        ollama_server.add(name, capabilities=["embedding"], context_length=tokens)
        embedder = make(name)
        embedder.load(AbortSignal())
        assert embedder.limit == limit
    silent = ollama_server.add("silent", capabilities=["embedding"])
    silent.metadata = {"general.architecture": "unheard-of"}
    embedder = make("silent")
    embedder.load(AbortSignal())
    assert embedder.limit == 1536


@pytest.mark.parametrize(
    ("name", "query", "passage"),
    [
        ("bge-m3", "", ""),
        ("all-minilm:22m", "", ""),
        ("nomic-embed-text:v1.5", "search_query: ", "search_document: "),
        ("mxbai-embed-large", "Represent this sentence for searching relevant passages: ", ""),
        ("snowflake-arctic-embed:335m", "Represent this sentence for searching relevant passages: ", ""),
        ("snowflake-arctic-embed2", "query: ", ""),
        ("someone/intfloat-multilingual-e5-large:f16", "query: ", "passage: "),
        ("registry.ollama.ai/library/EmbeddingGemma", "task: search result | query: ", "title: none | text: "),
    ],
)
def test_what_models_want_before_texts(
    ollama_server: FakeOllama, make: Callable[..., OllamaEmbedder], name: str, query: str, passage: str
) -> None:
    assert prompts_of(name) == (query, passage)
    ollama_server.add(name, capabilities=["embedding"])
    embedder = make(name)
    embedder.load(AbortSignal())
    embedder.embed_queries(["猫"], AbortSignal())
    embedder.embed_passages(["cat"], AbortSignal())
    assert [body["input"] for body in asked(ollama_server)[1:]] == [[f"{query}猫"], [f"{passage}cat"]]


def test_a_text_that_is_too_long_is_read_in_parts_and_its_neighbours_are_not(
    ollama_server: FakeOllama, embedder: OllamaEmbedder
) -> None:
    embedder.load(AbortSignal())
    long = " ".join(f"word{n}" for n in range(200))
    chinese = "这是一个很长的句子，" * 20
    found = embedder.embed_passages(["short", long, "brief", chinese, "last"], AbortSignal())
    assert found.shape == (5, 16)
    assert np.allclose(np.linalg.norm(found, axis=1), 1, atol=1e-5)
    for number, text in ((0, "short"), (2, "brief"), (4, "last")):
        expected = np.array(hashed_words(text))
        assert np.allclose(found[number], expected / np.linalg.norm(expected), atol=1e-5)
    read = "".join(answered(ollama_server))
    assert all(f"word{n}" in read for n in range(200))
    assert "".join(text for text in answered(ollama_server) if "句" in text) == chinese
    assert all(body["truncate"] is False for body in asked(ollama_server))


@pytest.mark.parametrize(
    "text",
    [
        "input exceeds maximum context length and cannot be truncated further",
        "request (9000 tokens) exceeds the available context size (8192 tokens), try increasing it",
        "input (600 tokens) is too large to process. increase the physical batch size (current batch size: 512)",
    ],
)
def test_every_way_to_say_too_long(model: FakeModel, embedder: OllamaEmbedder, text: str) -> None:
    embedder.load(AbortSignal())
    model.embed_script.append(refuse(400, text))
    assert embedder.embed_queries(["one two three"], AbortSignal()).shape == (1, 16)


def test_a_model_that_finds_everything_too_long(ollama_server: FakeOllama, model: FakeModel) -> None:
    model.embed_script += [vectors(), *(refuse(400, "the input length exceeds the context length") for _ in range(20))]
    embedder = OllamaEmbedder(ollama_server.url, "emb")
    with pytest.raises(EmbeddingFailed, match="exceeds the context length"):
        embedder.embed_passages(["a few words"], AbortSignal())
    embedder.close()


def test_a_model_that_is_not_there(make: Callable[..., OllamaEmbedder]) -> None:
    with pytest.raises(ModelMissing, match="'bge-m3' is not installed") as caught:
        make("bge-m3").load(AbortSignal())
    assert "models pull bge-m3" in caught.value.hint


def test_a_model_that_was_removed_meanwhile(ollama_server: FakeOllama, embedder: OllamaEmbedder) -> None:
    embedder.load(AbortSignal())
    ollama_server.models.clear()
    with pytest.raises(ModelMissing):
        embedder.embed_passages(["text"], AbortSignal())


def test_nobody_answers(ollama_server: FakeOllama, embedder: OllamaEmbedder) -> None:
    ollama_server.close()
    with pytest.raises(ModelUnreachable):
        embedder.load(AbortSignal())


def test_something_else_answers(ollama_server: FakeOllama, embedder: OllamaEmbedder) -> None:
    embedder.load(AbortSignal())
    ollama_server.foreign = b"<html>hello</html>"
    with pytest.raises(ModelUnreachable, match="not Ollama"):
        embedder.embed_passages(["text"], AbortSignal())


def test_a_model_that_only_chats(ollama_server: FakeOllama, make: Callable[..., OllamaEmbedder]) -> None:
    ollama_server.add("tiny")
    with pytest.raises(ConfigError, match="answers, not embeddings"):
        make("tiny").load(AbortSignal())
    ollama_server.show_has_capabilities = False  # an older server: then we trust the user
    assert make("tiny").load(AbortSignal()).dimension == 16


def test_a_busy_server_is_asked_again(model: FakeModel, embedder: OllamaEmbedder) -> None:
    embedder.load(AbortSignal())
    busy = refuse(503, "server busy, please try again. maximum pending requests exceeded")
    model.embed_script += [busy, busy]
    assert embedder.embed_passages(["text"], AbortSignal()).shape == (1, 16)
    model.embed_script += [busy, busy, busy]
    with pytest.raises(EmbeddingFailed, match="busy"):
        embedder.embed_passages(["text"], AbortSignal())


@pytest.mark.parametrize("status", [400, 500])
def test_other_refusals(model: FakeModel, embedder: OllamaEmbedder, status: int) -> None:
    embedder.load(AbortSignal())
    model.embed_script.append(refuse(status, "something broke"))
    with pytest.raises(EmbeddingFailed, match="something broke"):
        embedder.embed_passages(["text"], AbortSignal())


def test_numbers_that_the_server_cannot_write(model: FakeModel, embedder: OllamaEmbedder) -> None:
    embedder.load(AbortSignal())
    model.embed = lambda text: [float("nan")] * 16
    with pytest.raises(EmbeddingFailed, match="NaN"):
        embedder.embed_passages(["text"], AbortSignal())


def test_another_model_took_its_place(model: FakeModel, embedder: OllamaEmbedder) -> None:
    embedder.load(AbortSignal())
    model.embed = lambda text: [1.0] * 8
    with pytest.raises(EmbeddingFailed, match="8 numbers, not of 16") as caught:
        embedder.embed_passages(["text"], AbortSignal())
    assert "reindex" in caught.value.hint


def test_saying_stop_closes_the_connection(
    ollama_server: FakeOllama, model: FakeModel, embedder: OllamaEmbedder
) -> None:
    embedder.load(AbortSignal())
    abort, raised = AbortSignal(), []
    model.embed_script.append(hold(vectors(), threading.Event()))

    def work() -> None:
        with pytest.raises(Interrupted) as caught:
            embedder.embed_passages(["text"], abort)
        raised.append(caught.value)

    thread = threading.Thread(target=work)
    thread.start()
    assert ollama_server.waiting.wait(PATIENCE_S)
    abort.abort()
    thread.join(PATIENCE_S)
    assert raised
    assert ollama_server.requests("/api/embed")[-1].disconnected.wait(PATIENCE_S)
    assert embedder.embed_passages(["goes on"], AbortSignal()).shape == (1, 16)


def test_a_deadline_while_the_server_is_silent(ollama_server: FakeOllama, embedder: OllamaEmbedder) -> None:
    ollama_server.silent = True
    abort = AbortSignal()
    thread = threading.Thread(target=lambda: ollama_server.waiting.wait(PATIENCE_S) and abort.abort())
    thread.start()
    with pytest.raises(Interrupted):
        embedder.load(abort)
    thread.join(PATIENCE_S)


# The test server itself.


def post(server: FakeOllama, body: object) -> httpx.Response:
    return httpx.post(f"{server.url}/api/embed", json=body, trust_env=False)


def test_the_server_cuts_when_it_may(ollama_server: FakeOllama, model: FakeModel) -> None:
    long = " ".join(["word"] * 62 + ["end"])
    cut = post(ollama_server, {"model": "emb", "input": long})
    assert cut.json()["prompt_eval_count"] == 62
    assert cut.json()["embeddings"] == post(ollama_server, {"model": "emb", "input": "word " * 62}).json()["embeddings"]
    refused = post(ollama_server, {"model": "emb", "input": ["short", long], "truncate": False})
    assert (refused.status_code, refused.json()) == (400, {"error": "the input length exceeds the context length"})


@pytest.mark.parametrize("given", [{}, {"input": ""}, {"input": []}, {"input": None}])
def test_the_server_loads_without_input(ollama_server: FakeOllama, model: FakeModel, given: dict[str, Any]) -> None:
    assert post(ollama_server, {"model": "emb", **given}).json()["embeddings"] == []
    assert len(ollama_server.loads) == 1


def test_what_the_server_takes_and_gives(ollama_server: FakeOllama, model: FakeModel) -> None:
    model.embed = lambda text: [3.0, -4.0, 12.0]
    answer = post(ollama_server, {"model": "emb", "input": ["red", "blue"], "dimensions": 2}).json()
    assert answer["embeddings"] == [[0.6, -0.8], [0.6, -0.8]]
    assert answer["model"] == "emb"
    assert post(ollama_server, {"model": "emb", "input": [1, 2]}).json() == {"error": "invalid input type"}
    assert post(ollama_server, {"model": "none", "input": "x"}).status_code == 404
    shown = httpx.post(f"{ollama_server.url}/api/show", json={"model": "emb"}, trust_env=False).json()
    assert shown["capabilities"] == ["embedding"]
    assert shown["model_info"]["bert.context_length"] == 64
