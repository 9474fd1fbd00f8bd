"""The test server does what the real one does where the adapter does not go: cutting, unloading, plain errors."""

from __future__ import annotations

import httpx
import pytest
from ollama_fixture import FakeOllama, count_words

MESSAGES = [
    {"role": "system", "content": "a b c"},
    {"role": "user", "content": "a b c d e"},
    {"role": "assistant", "content": "f g h i"},
    {"role": "user", "content": "j k l m"},
]


def post(server: FakeOllama, path: str, body: object, method: str = "POST") -> httpx.Response:
    return httpx.request(method, server.url + path, json=body, trust_env=False)


def test_words_marks_and_characters_are_tokens() -> None:
    assert count_words("one two, three") == 4
    assert count_words("你好 world。") == 4


@pytest.mark.parametrize(
    ("num_ctx", "kept"),
    [
        (17, ["a b c", "a b c d e", "f g h i", "j k l m"]),
        (12, ["a b c", "f g h i", "j k l m"]),
        (10, ["a b c", "j k l m"]),
    ],
)
def test_whole_messages_are_dropped_but_no_system_message_and_not_the_last(
    ollama_server: FakeOllama, num_ctx: int, kept: list[str]
) -> None:
    ollama_server.add("tiny")
    answer = post(
        ollama_server,
        "/api/chat",
        {"model": "tiny", "stream": False, "messages": MESSAGES, "options": {"num_ctx": num_ctx}},
    )
    assert answer.status_code == 200
    assert ollama_server.prompts == [kept]


def test_what_is_still_too_long_is_cut_in_the_middle_or_refused(ollama_server: FakeOllama) -> None:
    model = ollama_server.add("tiny")
    body = {"model": "tiny", "messages": [{"role": "user", "content": "w " * 100}], "options": {"num_ctx": 50}}
    answer = post(ollama_server, "/api/chat", body)
    assert answer.status_code == 200
    assert '"prompt_eval_count":28' in answer.text
    assert post(ollama_server, "/api/chat", {**body, "shift": False}).status_code == 400
    assert "exceed_context_size_error" in post(ollama_server, "/api/chat", {**body, "truncate": False}).text
    model.route = "template"
    assert "exceed_context_size_error" in post(ollama_server, "/api/chat", body).text


def test_a_modelfile_gives_the_system_text_and_the_window(ollama_server: FakeOllama) -> None:
    ollama_server.add("tiny", system="Be brief.", num_ctx=64)
    post(ollama_server, "/api/chat", {"model": "tiny", "messages": [{"role": "user", "content": "hi"}]})
    assert ollama_server.prompts == [["Be brief.", "hi"]]
    assert ollama_server.loaded["tiny:latest"].window == 64


def test_loading_unloading_and_loading_anew(ollama_server: FakeOllama) -> None:
    ollama_server.add("tiny")
    assert post(ollama_server, "/api/chat", {"model": "tiny"}).json()["done_reason"] == "load"
    assert post(ollama_server, "/api/chat", {"model": "tiny", "options": {"num_ctx": 64}}).status_code == 200
    assert [load.get("num_ctx") for load in ollama_server.loads] == [None, 64]
    answer = post(ollama_server, "/api/chat", {"model": "tiny", "messages": [], "keep_alive": 0}).json()
    assert (answer["done_reason"], ollama_server.loaded) == ("unload", {})


@pytest.mark.parametrize(
    ("path", "body", "status", "text"),
    [
        ("/api/chat", {}, 400, "missing request body"),
        ("/api/chat", {"model": ""}, 400, "model is required"),
        ("/api/chat", {"model": "a b"}, 400, "invalid model name"),
        ("/api/chat", {"model": "x"}, 404, "model 'x' not found"),
        ("/api/show", {"model": "x"}, 404, "model 'x:latest' not found"),
        ("/api/chat", {"model": "tiny", "keep_alive": "300"}, 400, "missing unit"),
        ("/api/chat", {"model": "tiny", "keep_alive": "abc"}, 400, "invalid duration"),
        ("/api/chat", {"model": "tiny", "keep_alive": True}, 400, "Unsupported type"),
        ("/api/chat", {"model": "tiny", "think": "ultra"}, 400, "invalid think value"),
        ("/api/chat", {"model": "tiny", "think": True}, 400, "does not support thinking"),
        ("/api/chat", {"model": "emb", "tools": []}, 400, "does not support chat"),
        ("/api/chat", {"model": "plain", "tools": [{}]}, 400, "does not support tools"),
        ("/api/chat", {"model": "tiny", "options": {"num_ctx": "8k"}}, 500, "must be of type integer"),
        ("/api/chat", {"model": "tiny", "messages": [{"role": "user", "content": []}]}, 400, "cannot unmarshal"),
        (
            "/api/chat",
            {"model": "tiny", "format": "yaml", "messages": [{"role": "user", "content": "x"}]},
            500,
            "invalid format",
        ),
        ("/api/none", {}, 404, "404 page not found"),
        ("/api/tags", {}, 405, "405 method not allowed"),
    ],
)
def test_errors(ollama_server: FakeOllama, path: str, body: object, status: int, text: str) -> None:
    ollama_server.add("tiny")
    ollama_server.add("plain", capabilities=("completion",))
    ollama_server.add("emb", capabilities=("embedding",))
    answer = post(ollama_server, path, body)
    assert (answer.status_code, text in answer.text) == (status, True)


def test_it_says_that_it_runs(ollama_server: FakeOllama) -> None:
    assert httpx.get(ollama_server.url, trust_env=False).text == "Ollama is running"
    assert post(ollama_server, "/", {}, "HEAD").content == b""
