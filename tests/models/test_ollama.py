"""What only Ollama does, against the test server; what every model does is in test_contract.py."""

from __future__ import annotations

import json
import subprocess
import sys
import threading
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path

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

from localagent.abort import AbortSignal
from localagent.errors import (
    ConfigError,
    ContextOverflow,
    IncompleteAnswer,
    Interrupted,
    LocalAgentError,
    ModelError,
    ModelMissing,
    ModelUnreachable,
)
from localagent.events import ModelEvent, ModelFinished, TextDelta, ThinkingDelta, ToolCallReady
from localagent.messages import AttachmentPart, Message, assistant, system, user
from localagent.models.base import ChatRequest
from localagent.models.ollama import FALLBACK_WINDOW, OllamaModel, check_keep_alive
from localagent.tool import ToolSpec

LOOK = ToolSpec("look", "Look somewhere", {"type": "object", "properties": {"where": {"type": "string"}}})


@pytest.fixture
def make(ollama_server: FakeOllama) -> Iterator[Callable[..., OllamaModel]]:
    """Models of the test server, closed in the end; `tiny` is installed."""
    ollama_server.add("tiny")
    made: list[OllamaModel] = []

    def make(name: str = "tiny", **more: object) -> OllamaModel:
        options: dict[str, object] = {"base_url": ollama_server.url, "retry_waits_s": (0, 0, 0), **more}
        made.append(OllamaModel(model_name=name, **options))  # type: ignore[arg-type]
        return made[-1]

    yield make
    for model in made:
        model.close()


def ask(model: OllamaModel, *messages: Message, abort: AbortSignal | None = None) -> list[ModelEvent]:
    body = model.encode(ChatRequest(messages or (user("hi"),)))
    return list(model.stream(body, abort or AbortSignal()))


def words(events: Sequence[ModelEvent]) -> list[str]:
    return [event.text for event in events if isinstance(event, TextDelta)]


# The window.


def test_the_window_is_what_is_served_not_what_the_file_could_do(
    ollama_server: FakeOllama, make: Callable[..., OllamaModel]
) -> None:
    ollama_server.add("long", context_length=131072)
    ollama_server.default_ctx = 8192
    assert make("long").describe().window == 8192


@pytest.mark.parametrize("name", ["gpt-4o", "claude-3-5-sonnet", "qwen2.5:14b-128k"])
def test_a_declared_window_is_not_overridden_by_a_guess_from_the_name(
    ollama_server: FakeOllama, make: Callable[..., OllamaModel], name: str
) -> None:
    ollama_server.add(name, context_length=131072)
    model = make(name, num_ctx=32768)
    assert model.describe().window == 32768
    ask(model)
    assert [body["options"]["num_ctx"] for body in ollama_server.chats] == [32768]
    assert [load["num_ctx"] for load in ollama_server.loads] == [32768]


def test_a_smaller_window_than_asked_for_is_believed(
    ollama_server: FakeOllama, make: Callable[..., OllamaModel]
) -> None:
    ollama_server.add("small", context_length=2048)
    assert make("small", num_ctx=8192).describe().window == 2048


@pytest.mark.parametrize(("num_ctx", "window"), [(1024, 1024), (None, FALLBACK_WINDOW)])
def test_a_server_that_tells_no_window_is_told_one(
    ollama_server: FakeOllama, make: Callable[..., OllamaModel], num_ctx: int | None, window: int
) -> None:
    ollama_server.ps_has_window = False
    model = make(num_ctx=num_ctx)
    assert model.describe().window == window
    ask(model)
    assert ollama_server.chats[-1]["options"]["num_ctx"] == window


def test_the_model_is_loaded_once_whatever_is_asked(
    ollama_server: FakeOllama, make: Callable[..., OllamaModel]
) -> None:
    model = make(num_ctx=2048)
    model.describe()
    for request in (
        ChatRequest((user("a"),)),
        ChatRequest((user("b"),), tools=(LOOK,), temperature=1.0, seed=4, stop=("END",)),
        ChatRequest((user("c"),), schema={"type": "object"}, max_output_tokens=5),
    ):
        list(model.stream(model.encode(request), AbortSignal()))
    assert len(ollama_server.loads) == 1
    assert all(body["truncate"] is False and body["shift"] is False for body in ollama_server.chats)


def test_nothing_is_dropped_just_over_the_window(ollama_server: FakeOllama, make: Callable[..., OllamaModel]) -> None:
    model = make(num_ctx=300)
    needle = "The code word is heron."
    with pytest.raises(ContextOverflow) as caught:
        ask(model, system(needle), user("w " * 100), assistant("w " * 100), user("w " * 99))
    assert (caught.value.needed, caught.value.available) == (305, 300)
    assert ollama_server.prompts == []


def test_what_fits_arrives_whole(ollama_server: FakeOllama, make: Callable[..., OllamaModel]) -> None:
    model = make(num_ctx=300)
    ask(model, system("The code word is heron."), user("w " * 100), assistant("x"), user("last"))
    assert ollama_server.prompts == [["The code word is heron.", "w " * 100, "x", "last"]]


# Streams.


@pytest.mark.parametrize("make_reply", [tools_early, tools_split, tools_in_last_line])
def test_tool_calls_in_any_line(
    ollama_server: FakeOllama, make: Callable[..., OllamaModel], make_reply: Callable[..., Reply]
) -> None:
    calls = (call("look", {"where": "Oslo"}, id="call_k3v9q0zx"), call("look", {"where": "挪威"}, index=1, id="b"))
    ollama_server.script("tiny", make_reply(*calls))
    *got, finished = ask(make())
    assert [(event.call.id, event.call.arguments) for event in got if isinstance(event, ToolCallReady)] == [
        ("call_k3v9q0zx", {"where": "Oslo"}),
        ("b", {"where": "挪威"}),
    ]
    assert isinstance(finished, ModelFinished)
    assert finished.reason == "stop"


def test_calls_without_ids_get_different_ones(ollama_server: FakeOllama, make: Callable[..., OllamaModel]) -> None:
    ollama_server.script("tiny", tools_split(call("look", {}), call("look", {})))
    ids = [event.call.id for event in ask(make()) if isinstance(event, ToolCallReady)]
    assert len(set(ids)) == 2
    assert all(ids)


def test_a_call_without_an_object_of_arguments_is_an_error(
    ollama_server: FakeOllama, make: Callable[..., OllamaModel]
) -> None:
    ollama_server.script("tiny", Reply([{"content": "", "tool_calls": [{"function": {"arguments": "{}"}}]}]))
    with pytest.raises(ModelError, match="tool call"):
        ask(make())


def test_thinking_and_words_in_one_line(ollama_server: FakeOllama, make: Callable[..., OllamaModel]) -> None:
    ollama_server.add("deep", capabilities=("completion", "thinking"))
    ollama_server.script("deep", think("hm", "Yes", ".", mixed=True))
    assert ask(make("deep"))[:-1] == [ThinkingDelta("hm"), TextDelta("Yes"), TextDelta(".")]


def test_words_in_the_last_line(ollama_server: FakeOllama, make: Callable[..., OllamaModel]) -> None:
    ollama_server.script("tiny", say("Os", last="lo."))
    assert words(ask(make())) == ["Os", "lo."]


def test_line_breaks_of_other_kinds_are_text(ollama_server: FakeOllama, make: Callable[..., OllamaModel]) -> None:
    ollama_server.script("tiny", say("a\u0085b", "c\u2028d\u2029\x0b\x0c\x1c"))
    assert words(ask(make())) == ["a\u0085b", "c\u2028d\u2029\x0b\x0c\x1c"]


def test_missing_metrics_are_unknown(ollama_server: FakeOllama, make: Callable[..., OllamaModel]) -> None:
    ollama_server.script("tiny", say("x", metrics=False), say("x", done_reason="length"))
    model = make()
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
    ollama_server: FakeOllama, make: Callable[..., OllamaModel], reply: Reply
) -> None:
    ollama_server.script("tiny", reply)
    model = make()
    events = model.stream(model.encode(ChatRequest((user("hi"),))), AbortSignal())
    assert next(events) == TextDelta("half ")
    with pytest.raises(IncompleteAnswer):
        next(events)


def test_a_line_that_is_no_json(ollama_server: FakeOllama, make: Callable[..., OllamaModel]) -> None:
    ollama_server.script("tiny", garbage("half "))
    model = make()
    events = model.stream(model.encode(ChatRequest((user("hi"),))), AbortSignal())
    assert next(events) == TextDelta("half ")
    with pytest.raises(ModelError, match="no JSON object: <oops>"):
        next(events)


def test_a_server_that_dies_before_the_first_byte(ollama_server: FakeOllama, make: Callable[..., OllamaModel]) -> None:
    ollama_server.script("tiny", break_off())
    with pytest.raises(ModelUnreachable, match="broke before an answer"):
        ask(make())


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
    make: Callable[..., OllamaModel],
    text: str,
    kind: type[LocalAgentError],
    part: str,
) -> None:
    ollama_server.script("tiny", error_line(text, "half "))
    model = make()
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
    make: Callable[..., OllamaModel],
    status: int,
    text: str,
    kind: type[LocalAgentError],
    part: str,
) -> None:
    ollama_server.script("tiny", refuse(status, text))
    with pytest.raises(kind) as caught:
        ask(make())
    assert part in str(caught.value)
    assert caught.value.where == ollama_server.url
    assert "\n" not in str(caught.value)


def test_the_numbers_of_a_refused_prompt(ollama_server: FakeOllama, make: Callable[..., OllamaModel]) -> None:
    ollama_server.script("tiny", refuse(400, NESTED_OVERFLOW))
    with pytest.raises(ContextOverflow) as caught:
        ask(make())
    assert (caught.value.needed, caught.value.available) == (5000, 4096)


def test_errors_that_are_no_json(ollama_server: FakeOllama, make: Callable[..., OllamaModel]) -> None:
    ollama_server.script("tiny", refuse(502, raw=b"<html>\nBad gateway</html>"), refuse(500, raw=b"\xff\xfe boom"))
    model = make()
    with pytest.raises(ModelUnreachable, match="not Ollama"):
        ask(model)
    with pytest.raises(ModelError, match="boom"):
        ask(model)


def test_a_busy_server_is_asked_again(ollama_server: FakeOllama, make: Callable[..., OllamaModel]) -> None:
    busy = refuse(503, "server busy, please try again.  maximum pending requests exceeded")
    ollama_server.script("tiny", busy, busy, say("at last"))
    model = make()
    assert words(ask(model)) == ["at last"]
    ollama_server.script("tiny", busy, busy, busy, busy)
    with pytest.raises(ModelError, match="busy"):
        ask(model)
    assert len(ollama_server.chats) == 7


def test_waiting_for_a_busy_server_can_be_stopped(ollama_server: FakeOllama, make: Callable[..., OllamaModel]) -> None:
    abort = AbortSignal()

    def busy(body: object) -> Reply:
        abort.abort()
        return refuse(503, "server busy")

    ollama_server.script("tiny", busy)
    with pytest.raises(Interrupted):
        ask(make(retry_waits_s=(3600,)), abort=abort)


# Who answers.


def test_nobody_answers(ollama_server: FakeOllama, make: Callable[..., OllamaModel]) -> None:
    ollama_server.close()
    with pytest.raises(ModelUnreachable) as caught:
        make().describe()
    assert "ollama serve" in str(caught.value)


@pytest.mark.parametrize("page", [b"<html>My router</html>", b"not even <html>", b"[1]"])
def test_something_else_answers(ollama_server: FakeOllama, make: Callable[..., OllamaModel], page: bytes) -> None:
    ollama_server.foreign = page
    with pytest.raises(ModelUnreachable, match="not Ollama"):
        make().describe()
    with pytest.raises(ModelUnreachable, match="not Ollama"):
        ask(make())


def test_a_server_that_forbids(ollama_server: FakeOllama, make: Callable[..., OllamaModel]) -> None:
    ollama_server.forbidden = True
    with pytest.raises(ModelUnreachable, match="OLLAMA_ORIGINS"):
        make().describe()


def test_a_path_that_is_not_there(ollama_server: FakeOllama, make: Callable[..., OllamaModel]) -> None:
    with pytest.raises(ModelUnreachable, match="not Ollama"):
        make(base_url=f"{ollama_server.url}/elsewhere").describe()


def test_a_model_that_is_not_there(make: Callable[..., OllamaModel]) -> None:
    with pytest.raises(ModelMissing, match="'none' is not installed"):
        make("none").describe()


def test_an_embedding_model(ollama_server: FakeOllama, make: Callable[..., OllamaModel]) -> None:
    ollama_server.add("emb", capabilities=("embedding",))
    with pytest.raises(ModelError, match="makes embeddings"):
        make("emb").describe()


def test_a_model_that_does_not_load(ollama_server: FakeOllama, make: Callable[..., OllamaModel]) -> None:
    ollama_server.models["tiny:latest"].load_error = "timed out waiting for llama-server to start - "
    with pytest.raises(ModelError, match="timed out waiting"):
        make().describe()


def test_loading_can_be_stopped(ollama_server: FakeOllama, make: Callable[..., OllamaModel]) -> None:
    ollama_server.silent = True
    abort = AbortSignal()
    stopper = threading.Thread(target=lambda: (ollama_server.waiting.wait(20), abort.abort()))
    stopper.start()
    with pytest.raises(Interrupted):
        make().load(abort)
    stopper.join()
    assert ollama_server.log[-1].disconnected.wait(20)


@pytest.mark.parametrize("variable", ["HTTP_PROXY", "ALL_PROXY"])
def test_a_dead_proxy_does_not_matter_on_this_machine(
    make: Callable[..., OllamaModel], monkeypatch: pytest.MonkeyPatch, variable: str
) -> None:
    monkeypatch.setenv(variable, "http://127.0.0.1:1")
    assert make().describe().window


def test_capabilities(ollama_server: FakeOllama, make: Callable[..., OllamaModel]) -> None:
    ollama_server.add("all", capabilities=("completion", "tools", "vision", "thinking", "insert"))
    assert make("all").describe().capabilities == {"tools", "schema", "vision", "thinking"}
    ollama_server.show_has_capabilities = False
    assert make("all").describe().capabilities == {"schema"}


def test_two_calls_at_once_do_not_disturb_one_another(
    ollama_server: FakeOllama, make: Callable[..., OllamaModel]
) -> None:
    gate = threading.Event()
    ollama_server.script("tiny", hold(say("a", "b"), gate, at=1), hold(say("c", "d"), gate, at=1))
    model = make()
    body = model.encode(ChatRequest((user("hi"),)))
    one, other = model.stream(body, AbortSignal()), model.stream(body, AbortSignal())
    assert (next(one), next(other)) == (TextDelta("a"), TextDelta("c"))
    one.close()  # type: ignore[attr-defined]
    gate.set()
    assert words(list(other)) == ["d"]


# What is sent.


def test_messages_as_the_server_wants_them(make: Callable[..., OllamaModel]) -> None:
    body = make(keep_alive="5m", think=False).encode(
        ChatRequest(
            (user("Look: ", (AttachmentPart("log.txt", "line 1"),)), assistant("ok", thinking="secret")),
            seed=0,
            stop=("END",),
            temperature=0,
        )
    )
    assert body["messages"] == [
        {"role": "user", "content": "Look: \n\n[log.txt]\nline 1\n"},
        {"role": "assistant", "content": "ok"},
    ]
    assert (body["keep_alive"], body["think"]) == ("5m", False)
    assert body["options"] == {"temperature": 0, "num_predict": 1024, "seed": 0, "stop": ["END"]}
    assert "tools" not in body
    assert "format" not in body


def test_numbers_that_are_none_do_not_break_a_request(
    ollama_server: FakeOllama, make: Callable[..., OllamaModel]
) -> None:
    spec = ToolSpec("odd", "d", {"type": "object", "x": [float("nan"), float("inf"), 1.5]})
    model = make()
    list(model.stream(model.encode(ChatRequest((user("hi"),), tools=(spec,))), AbortSignal()))
    assert ollama_server.chats[-1]["tools"][0]["function"]["parameters"]["x"] == [None, None, 1.5]


@pytest.mark.parametrize("value", ["5m", "1h30m", "-1m", "0", "1.5h", "300ms", 300, -1, 0, 2.5, None])
def test_keep_alive_that_ollama_takes(
    ollama_server: FakeOllama, make: Callable[..., OllamaModel], value: str | float | None
) -> None:
    assert check_keep_alive(value) == value
    assert words(ask(make(keep_alive=value))) == ["Hello", "."]
    assert ollama_server.loaded["tiny:latest"].keep_alive == value


@pytest.mark.parametrize("value", ["300", "-1", "", "abc", "5 m", "1d", True, float("nan"), float("inf")])
def test_keep_alive_that_it_does_not_take(make: Callable[..., OllamaModel], value: str | float) -> None:
    with pytest.raises(ConfigError, match="keep_alive"):
        make(keep_alive=value)


def test_thinking_asked_of_a_model_that_does_not(make: Callable[..., OllamaModel]) -> None:
    with pytest.raises(ModelError, match=r"model\.think"):
        ask(make(think="high"))


def test_a_model_needs_a_name(make: Callable[..., OllamaModel]) -> None:
    with pytest.raises(ConfigError, match="no name"):
        make(" ")


# The estimate.


class Kept:
    """A `Calibration` in memory."""

    def __init__(self) -> None:
        self.values: dict[str, tuple[float, ...]] = {}

    def load(self, key: str) -> tuple[float, ...] | None:
        return self.values.get(key)

    def save(self, key: str, values: Sequence[float]) -> None:
        self.values[key] = tuple(json.loads(json.dumps(values)))


def test_what_was_learned_is_kept_for_the_next_session(make: Callable[..., OllamaModel]) -> None:
    kept, text = Kept(), "one two three four five, " * 200
    first = make(calibration=kept)
    assert first.describe().count_error >= 0.1
    before = first.count_text(text)
    for _ in range(4):
        ask(first, user(text))
    assert first.describe().count_error < 0.1
    again = make(calibration=kept)
    assert again.count_text(text) == first.count_text(text) != before
    assert list(kept.values) == ["ollama:tiny"]


def test_a_silent_cut_is_not_learned_from(ollama_server: FakeOllama, make: Callable[..., OllamaModel]) -> None:
    model, text = make(), "one two three four five, " * 60
    for _ in range(4):
        ask(model, user(text))
    before = model.count_text(text)
    ollama_server.script("tiny", say("x", prompt_eval_count=150))
    finished = ask(model, user(text))[-1]
    info = model.describe()
    assert isinstance(finished, ModelFinished)
    assert finished.usage.prompt_tokens is not None
    assert finished.usage.prompt_tokens < before * (1 - info.count_error)
    assert model.count_text(text) == before


def test_a_refused_prompt_teaches_too(make: Callable[..., OllamaModel]) -> None:
    model, text = make(num_ctx=256), "1234567890 " * 300
    before = model.count_text(text)
    with pytest.raises(ContextOverflow):
        ask(model, user(text))
    assert abs(model.count_text(text) - 300) < abs(before - 300) / 2


# Start-up.


def run(code: str, **variables: str) -> str:
    """The output of a fresh interpreter."""
    import os

    root = Path(__file__).resolve().parents[2]
    done = subprocess.run(
        [sys.executable, "-c", code],
        env={**os.environ, **variables},
        cwd=root,
        capture_output=True,
        text=True,
        check=True,
        timeout=60,
    )
    return done.stdout


def test_nothing_heavy_is_imported_before_it_is_needed() -> None:
    code = (
        "import sys\n"
        "from localagent.models import ollama, ollama_server, scripted, estimate\n"
        "model = ollama.OllamaModel(base_url='localhost', model_name='x')\n"
        "model.count_text('a')\n"
        "print([name for name in ('httpx', 'ollama', 'pydantic', 'yaml') if name in sys.modules])"
    )
    assert run(code) == "[]\n"


def test_a_bad_ollama_host_variable_is_explained() -> None:
    code = (
        "from localagent.models.ollama import OllamaModel\n"
        "from localagent.errors import ConfigError\n"
        "try: OllamaModel(base_url='localhost:1', model_name='x').describe()\n"
        "except ConfigError as error: print(error)"
    )
    assert "OLLAMA_HOST" in run(code, OLLAMA_HOST="h:abc")
