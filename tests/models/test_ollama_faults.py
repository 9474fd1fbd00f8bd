"""Streams of every kind, and everything that can go wrong between us and an Ollama server."""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterator

import httpx
import pytest
from ollama_fixture import (
    NESTED_OVERFLOW,
    FakeOllama,
    Reply,
    break_off,
    call,
    cut_line,
    endless,
    error_line,
    garbage,
    hold,
    refuse,
    say,
    think,
    tools_early,
    tools_in_last_line,
    tools_split,
)
from ollama_support import Make, ask, words

from localagent.abort import AbortSignal
from localagent.errors import (
    ContextOverflow,
    IncompleteAnswer,
    Interrupted,
    LocalAgentError,
    ModelError,
    ModelMissing,
    ModelUnreachable,
)
from localagent.events import ModelFinished, TextDelta, ThinkingDelta, ToolCallReady
from localagent.messages import user
from localagent.models.base import ChatRequest
from localagent.models.ollama_http import _client

# Streams.


@pytest.mark.parametrize("make_reply", [tools_early, tools_split, tools_in_last_line])
def test_tool_calls_in_any_line(ollama_server: FakeOllama, make_ollama: Make, make_reply: Callable[..., Reply]) -> None:
    calls = (call("look", {"where": "Oslo"}, id="call_k3v9q0zx"), call("look", {"where": "挪威"}, index=1, id="b"))
    ollama_server.script("tiny", make_reply(*calls))
    *got, finished = ask(make_ollama())
    assert [(event.call.id, event.call.arguments) for event in got if isinstance(event, ToolCallReady)] == [
        ("call_k3v9q0zx", {"where": "Oslo"}),
        ("b", {"where": "挪威"}),
    ]
    assert isinstance(finished, ModelFinished)
    assert finished.reason == "stop"


def test_calls_without_ids_get_different_ones(ollama_server: FakeOllama, make_ollama: Make) -> None:
    ollama_server.script("tiny", tools_split(call("look", {}), call("look", {})))
    ids = [event.call.id for event in ask(make_ollama()) if isinstance(event, ToolCallReady)]
    assert len(set(ids)) == 2
    assert all(ids)


def test_a_call_without_a_name_is_an_error(ollama_server: FakeOllama, make_ollama: Make) -> None:
    ollama_server.script("tiny", Reply([{"content": "", "tool_calls": [{"function": {"arguments": "{}"}}]}]))
    with pytest.raises(ModelError, match="tool call"):
        ask(make_ollama())


@pytest.mark.parametrize("arguments", ["Oslo", ["Oslo"], 3])
def test_arguments_that_are_no_object_are_for_the_tools_to_refuse(
    ollama_server: FakeOllama, make_ollama: Make, arguments: object
) -> None:
    function = {"name": "look", "arguments": arguments}
    ollama_server.script("tiny", Reply([{"content": "", "tool_calls": [{"function": function}]}]))
    (ready,) = [event for event in ask(make_ollama()) if isinstance(event, ToolCallReady)]
    assert (ready.call.name, ready.call.arguments) == ("look", arguments)


def test_thinking_and_words_in_one_line(ollama_server: FakeOllama, make_ollama: Make) -> None:
    ollama_server.add("deep", capabilities=("completion", "thinking"))
    ollama_server.script("deep", think("hm", "Yes", ".", mixed=True))
    assert ask(make_ollama("deep"))[:-1] == [ThinkingDelta("hm"), TextDelta("Yes"), TextDelta(".")]


def test_words_in_the_last_line(ollama_server: FakeOllama, make_ollama: Make) -> None:
    ollama_server.script("tiny", say("Os", last="lo."))
    assert words(ask(make_ollama())) == ["Os", "lo."]


def test_line_breaks_of_other_kinds_are_text(ollama_server: FakeOllama, make_ollama: Make) -> None:
    ollama_server.script("tiny", say("a\u0085b", "c\u2028d\u2029\x0b\x0c\x1c"))
    assert words(ask(make_ollama())) == ["a\u0085b", "c\u2028d\u2029\x0b\x0c\x1c"]


def test_missing_metrics_are_unknown(ollama_server: FakeOllama, make_ollama: Make) -> None:
    ollama_server.script("tiny", say("x", metrics=False), say("x", done_reason="length"))
    model = make_ollama()
    finished = ask(model)[-1]
    assert isinstance(finished, ModelFinished)
    assert finished.usage.prompt_tokens is None
    assert finished.usage.prompt_s is None
    cut = ask(model)[-1]
    assert isinstance(cut, ModelFinished)
    assert cut.reason == "length"
    assert cut.usage.load_s == pytest.approx(0.041)


@pytest.mark.parametrize("reply", [endless("half "), cut_line("half "), break_off("half ")])
def test_an_answer_that_just_ends_is_incomplete_and_what_came_stays(
    ollama_server: FakeOllama, make_ollama: Make, reply: Reply
) -> None:
    ollama_server.script("tiny", reply)
    model = make_ollama()
    events = model.stream(model.encode(ChatRequest((user("hi"),))), AbortSignal())
    assert next(events) == TextDelta("half ")
    with pytest.raises(IncompleteAnswer):
        next(events)


def test_a_fault_of_our_own_is_raised_where_the_answer_is_awaited(
    make_ollama: Make, monkeypatch: pytest.MonkeyPatch
) -> None:
    model = make_ollama()
    events = model.stream(model.encode(ChatRequest((user("hi"),))), AbortSignal())
    real = httpx.Response.iter_bytes

    def broken(response: httpx.Response) -> Iterator[bytes]:
        yield next(real(response))
        raise ZeroDivisionError("a fault")

    monkeypatch.setattr(httpx.Response, "iter_bytes", broken)
    assert next(events) == TextDelta("Hello")
    with pytest.raises(ZeroDivisionError, match="a fault"):
        list(events)


def test_a_line_that_is_no_json(ollama_server: FakeOllama, make_ollama: Make) -> None:
    ollama_server.script("tiny", garbage("half "))
    model = make_ollama()
    events = model.stream(model.encode(ChatRequest((user("hi"),))), AbortSignal())
    assert next(events) == TextDelta("half ")
    with pytest.raises(ModelError, match="no JSON object: <oops>"):
        next(events)


def test_a_server_that_dies_before_the_first_byte(ollama_server: FakeOllama, make_ollama: Make) -> None:
    ollama_server.script("tiny", break_off())
    with pytest.raises(ModelUnreachable, match="broke before an answer"):
        ask(make_ollama())


@pytest.mark.parametrize(
    ("text", "kind", "part"),
    [
        ("an error was encountered while running the model: unexpected EOF", ModelError, "unexpected EOF"),
        (NESTED_OVERFLOW, ContextOverflow, "exceeds the available context size"),
        (NESTED_OVERFLOW + "\nllama log: out of memory", ContextOverflow, "5000 tokens"),
        ('["odd"]', ModelError, "odd"),
        ("", ModelError, "without an explanation"),
    ],
)
def test_an_error_in_the_stream(
    ollama_server: FakeOllama,
    make_ollama: Make,
    text: str,
    kind: type[LocalAgentError],
    part: str,
) -> None:
    ollama_server.script("tiny", error_line(text, "half "))
    model = make_ollama()
    events = model.stream(model.encode(ChatRequest((user("hi"),))), AbortSignal())
    assert next(events) == TextDelta("half ")
    with pytest.raises(kind, match=part):
        next(events)


@pytest.mark.parametrize(
    ("status", "text", "kind", "part"),
    [
        (400, "json: cannot unmarshal number", ModelError, "cannot unmarshal"),
        (400, NESTED_OVERFLOW, ContextOverflow, "raise model.num_ctx"),
        (400, "the prompt is longer than the context length currently available", ContextOverflow, "Shorten"),
        (400, "input length (99 tokens) exceeds the model's maximum context length (64 tokens)", ContextOverflow, "99"),
        (400, "registry.ollama.ai/library/tiny:latest does not support tools", ModelError, "choose one that can"),
        (400, '"tiny" does not support thinking', ModelError, "model.think"),
        (401, "unauthorized", ModelError, "sign in"),
        (403, "ollama cloud is disabled: remote model is unavailable", ModelError, "cloud is disabled"),
        (404, "model 'tiny' not found", ModelMissing, "localagent models pull tiny"),
        (429, "too many requests", ModelError, "too many requests"),
        (499, "request canceled", ModelError, "canceled"),
        (500, 'option "num_ctx" must be of type integer', ModelError, "num_ctx"),
        (500, "llama-server process has terminated: cudaMalloc failed: out of memory", ModelError, "smaller model"),
        (500, "model runner has unexpectedly stopped, this may be due to", ModelError, "own log"),
        (500, '{"error":{"code":500,"message":"image input is not supported"}}', ModelError, "image input"),
        (501, "This server does not support embeddings", ModelError, "embeddings"),
        (502, "bad gateway", ModelError, "bad gateway"),
        (500, "", ModelError, "status 500"),
    ],
)
def test_an_error_before_any_output(
    ollama_server: FakeOllama,
    make_ollama: Make,
    status: int,
    text: str,
    kind: type[LocalAgentError],
    part: str,
) -> None:
    ollama_server.script("tiny", refuse(status, text))
    with pytest.raises(kind) as caught:
        ask(make_ollama())
    assert part in str(caught.value)
    assert caught.value.where == ollama_server.url
    assert "\n" not in str(caught.value)


def test_the_numbers_of_a_refused_prompt(ollama_server: FakeOllama, make_ollama: Make) -> None:
    ollama_server.script("tiny", refuse(400, NESTED_OVERFLOW))
    with pytest.raises(ContextOverflow) as caught:
        ask(make_ollama())
    assert (caught.value.needed, caught.value.available) == (5000, 4096)


def test_errors_that_are_no_json(ollama_server: FakeOllama, make_ollama: Make) -> None:
    ollama_server.script("tiny", refuse(502, raw=b"<html>\nBad gateway</html>"), refuse(500, raw=b"\xff\xfe boom"))
    model = make_ollama()
    with pytest.raises(ModelUnreachable, match="not Ollama"):
        ask(model)
    with pytest.raises(ModelError, match="boom"):
        ask(model)


def test_a_busy_server_is_asked_again(ollama_server: FakeOllama, make_ollama: Make) -> None:
    busy = refuse(503, "server busy, please try again.  maximum pending requests exceeded")
    ollama_server.script("tiny", busy, busy, say("at last"))
    model = make_ollama()
    assert words(ask(model)) == ["at last"]
    ollama_server.script("tiny", busy, busy, busy, busy)
    with pytest.raises(ModelError, match="busy"):
        ask(model)
    assert len(ollama_server.chats) == 7


def test_waiting_for_a_busy_server_can_be_stopped(ollama_server: FakeOllama, make_ollama: Make) -> None:
    abort = AbortSignal()

    def busy(body: object) -> Reply:
        abort.abort()
        return refuse(503, "server busy")

    ollama_server.script("tiny", busy)
    with pytest.raises(Interrupted):
        ask(make_ollama(retry_waits_s=(3600,)), abort=abort)


# Who answers.


def test_nobody_answers(ollama_server: FakeOllama, make_ollama: Make) -> None:
    ollama_server.close()
    with pytest.raises(ModelUnreachable) as caught:
        make_ollama().describe()
    assert "ollama serve" in str(caught.value)


@pytest.mark.parametrize("page", [b"<html>My router</html>", b"not even <html>", b"[1]"])
def test_something_else_answers(ollama_server: FakeOllama, make_ollama: Make, page: bytes) -> None:
    ollama_server.foreign = page
    with pytest.raises(ModelUnreachable, match="not Ollama"):
        make_ollama().describe()
    with pytest.raises(ModelUnreachable, match="not Ollama"):
        ask(make_ollama())


def test_a_server_that_forbids(ollama_server: FakeOllama, make_ollama: Make) -> None:
    ollama_server.forbidden = True
    with pytest.raises(ModelUnreachable, match="OLLAMA_ORIGINS"):
        make_ollama().describe()


def test_a_path_that_is_not_there(ollama_server: FakeOllama, make_ollama: Make) -> None:
    with pytest.raises(ModelUnreachable, match="not Ollama"):
        make_ollama(base_url=f"{ollama_server.url}/elsewhere").describe()


def test_a_model_that_is_not_there(make_ollama: Make) -> None:
    with pytest.raises(ModelMissing, match="'none' is not installed"):
        make_ollama("none").describe()


def test_an_embedding_model(ollama_server: FakeOllama, make_ollama: Make) -> None:
    ollama_server.add("emb", capabilities=("embedding",))
    with pytest.raises(ModelError, match="makes embeddings"):
        make_ollama("emb").describe()


def test_a_model_that_does_not_load(ollama_server: FakeOllama, make_ollama: Make) -> None:
    ollama_server.models["tiny:latest"].load_error = "timed out waiting for llama-server to start - "
    with pytest.raises(ModelError, match="timed out waiting"):
        make_ollama().describe()


def test_loading_can_be_stopped(ollama_server: FakeOllama, make_ollama: Make) -> None:
    ollama_server.silent = True
    abort = AbortSignal()
    stopper = threading.Thread(target=lambda: (ollama_server.waiting.wait(20), abort.abort()))
    stopper.start()
    with pytest.raises(Interrupted):
        make_ollama().load(abort)
    stopper.join()
    assert ollama_server.log[-1].disconnected.wait(20)


@pytest.mark.parametrize("variable", ["HTTP_PROXY", "ALL_PROXY"])
def test_a_dead_proxy_does_not_matter_on_this_machine(
    make_ollama: Make, monkeypatch: pytest.MonkeyPatch, variable: str
) -> None:
    monkeypatch.setenv(variable, "http://127.0.0.1:1")
    assert make_ollama().describe().window


@pytest.mark.parametrize("target", ["/elsewhere", "//127.0.0.1:9/api/chat", "http://[::1", "http://a b/\x1b[31m", ""])
def test_nobody_is_sent_on(ollama_server: FakeOllama, make_ollama: Make, target: str) -> None:
    ollama_server.redirect = target
    with pytest.raises(ModelUnreachable) as caught:
        make_ollama().describe()
    assert len(ollama_server.log) == 1
    assert str(caught.value).isprintable()


def test_a_prompt_is_not_posted_to_where_the_server_points(ollama_server: FakeOllama, make_ollama: Make) -> None:
    with FakeOllama() as other:
        model = make_ollama()
        body = model.encode(ChatRequest((user("a secret"),)))
        ollama_server.redirect = f"{other.url}/api/chat"
        with pytest.raises(ModelUnreachable, match=r"set model\.base_url") as caught:
            list(model.stream(body, AbortSignal()))
        assert other.log == []
    assert f"{other.url}/api/chat" in caught.value.message


# The key.


def test_a_key_is_not_sent_in_plain_text(
    ollama_server: FakeOllama, make_ollama: Make, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("OLLAMA_API_KEY", "secret")
    make_ollama().describe()
    monkeypatch.setenv("HTTP_PROXY", ollama_server.url)  # so that the request to another machine arrives here
    with pytest.raises(ModelUnreachable):
        make_ollama(base_url="models.example").describe()
    assert ollama_server.log[-1].path == "http://models.example:11434/api/show"
    for exchange in ollama_server.log:
        assert "secret" not in str(exchange.headers)


def test_a_key_is_sent_to_an_https_address(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("OLLAMA_API_KEY", "secret")
    with _client("https://ollama.com", 1.0) as client:
        assert client.headers["authorization"] == "Bearer secret"


def test_capabilities(ollama_server: FakeOllama, make_ollama: Make) -> None:
    ollama_server.add("all", capabilities=("completion", "tools", "vision", "thinking", "insert"))
    assert make_ollama("all").describe().capabilities == {"tools", "schema", "vision", "thinking"}
    ollama_server.show_has_capabilities = False
    assert make_ollama("all").describe().capabilities == {"schema"}


def test_two_calls_at_once_do_not_disturb_one_another(ollama_server: FakeOllama, make_ollama: Make) -> None:
    gate = threading.Event()
    ollama_server.script("tiny", hold(say("a", "b"), gate, at=1), hold(say("c", "d"), gate, at=1))
    model = make_ollama()
    body = model.encode(ChatRequest((user("hi"),)))
    one, other = model.stream(body, AbortSignal()), model.stream(body, AbortSignal())
    assert (next(one), next(other)) == (TextDelta("a"), TextDelta("c"))
    one.close()  # type: ignore[attr-defined]
    gate.set()
    assert words(list(other)) == ["d"]
