"""What only Ollama does, against the test server; what every model does is in test_contract.py."""

from __future__ import annotations

import itertools
import json
import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path

import pytest
from ollama_fixture import (
    FakeOllama,
    say,
)
from ollama_support import Make, ask, words

from localagent.abort import AbortSignal
from localagent.errors import (
    ConfigError,
    ContextOverflow,
    InternalError,
    ModelError,
    StorageError,
)
from localagent.events import ModelFinished
from localagent.messages import AttachmentPart, Message, assistant, system, user
from localagent.models.base import ChatRequest
from localagent.models.ollama import FALLBACK_WINDOW, OllamaModel
from localagent.tool import ToolSpec

LOOK = ToolSpec("look", "Look somewhere", {"type": "object", "properties": {"where": {"type": "string"}}})


# The window.


def test_the_window_is_what_is_served_not_what_the_file_could_do(ollama_server: FakeOllama, make_ollama: Make) -> None:
    ollama_server.add("long", context_length=131072)
    ollama_server.default_ctx = 8192
    assert make_ollama("long").describe().window == 8192


@pytest.mark.parametrize("name", ["gpt-4o", "claude-3-5-sonnet", "qwen2.5:14b-128k"])
def test_a_declared_window_is_not_overridden_by_a_guess_from_the_name(
    ollama_server: FakeOllama, make_ollama: Make, name: str
) -> None:
    ollama_server.add(name, context_length=131072)
    model = make_ollama(name, num_ctx=32768)
    assert model.describe().window == 32768
    ask(model)
    assert [body["options"]["num_ctx"] for body in ollama_server.chats] == [32768]
    assert [load["num_ctx"] for load in ollama_server.loads] == [32768]


def test_a_smaller_window_than_asked_for_is_believed(ollama_server: FakeOllama, make_ollama: Make) -> None:
    ollama_server.add("small", context_length=2048)
    assert make_ollama("small", num_ctx=8192).describe().window == 2048


@pytest.mark.parametrize(("num_ctx", "window"), [(1024, 1024), (None, FALLBACK_WINDOW)])
def test_a_server_that_tells_no_window_is_told_one(
    ollama_server: FakeOllama, make_ollama: Make, num_ctx: int | None, window: int
) -> None:
    ollama_server.ps_has_window = False
    model = make_ollama(num_ctx=num_ctx)
    assert model.describe().window == window
    ask(model)
    assert ollama_server.chats[-1]["options"]["num_ctx"] == window


def test_the_model_is_loaded_once_whatever_is_asked(ollama_server: FakeOllama, make_ollama: Make) -> None:
    model = make_ollama(num_ctx=2048)
    model.describe()
    for request in (
        ChatRequest((user("a"),)),
        ChatRequest((user("b"),), tools=(LOOK,), temperature=1.0, seed=4, stop=("END",)),
        ChatRequest((user("c"),), schema={"type": "object"}, max_output_tokens=5),
    ):
        list(model.stream(model.encode(request), AbortSignal()))
    assert len(ollama_server.loads) == 1
    assert all(body["truncate"] is False and body["shift"] is False for body in ollama_server.chats)


def test_nothing_is_dropped_just_over_the_window(ollama_server: FakeOllama, make_ollama: Make) -> None:
    model = make_ollama(num_ctx=300)
    needle = "The code word is heron."
    with pytest.raises(ContextOverflow) as caught:
        ask(model, system(needle), user("w " * 100), assistant("w " * 100), user("w " * 99))
    assert (caught.value.needed, caught.value.available) == (305, 300)
    assert ollama_server.prompts == []


def test_what_fits_arrives_whole(ollama_server: FakeOllama, make_ollama: Make) -> None:
    model = make_ollama(num_ctx=300)
    ask(model, system("The code word is heron."), user("w " * 100), assistant("x"), user("last"))
    assert ollama_server.prompts == [["The code word is heron.", "w " * 100, "x", "last"]]


# What is sent.


def test_messages_as_the_server_wants_them(make_ollama: Make) -> None:
    body = make_ollama(keep_alive="5m", think=False).encode(
        ChatRequest(
            (user("Look: log.txt"), assistant("ok", thinking="secret")),
            seed=0,
            stop=("END",),
            temperature=0,
        )
    )
    assert body["messages"] == [
        {"role": "user", "content": "Look: log.txt"},
        {"role": "assistant", "content": "ok"},
    ]
    assert (body["keep_alive"], body["think"]) == ("5m", False)
    assert body["options"] == {"temperature": 0, "num_predict": 1024, "seed": 0, "stop": ["END"]}
    assert "tools" not in body
    assert "format" not in body


def test_an_attachment_is_quoted_by_the_caller_or_refused(make_ollama: Make) -> None:
    with pytest.raises(InternalError):
        make_ollama().encode(ChatRequest((user("Sum up.", [AttachmentPart("notes.txt", "one")]),)))


def test_numbers_that_are_none_do_not_break_a_request(ollama_server: FakeOllama, make_ollama: Make) -> None:
    spec = ToolSpec("odd", "d", {"type": "object", "x": [float("nan"), float("inf"), 1.5]})
    model = make_ollama()
    list(model.stream(model.encode(ChatRequest((user("hi"),), tools=(spec,))), AbortSignal()))
    assert ollama_server.chats[-1]["tools"][0]["function"]["parameters"]["x"] == [None, None, 1.5]


@pytest.mark.parametrize("value", ["5m", "1h30m", "-1m", "0", "1.5h", "300ms", 300, -1, 0, 2.5, None])
def test_keep_alive_that_ollama_takes(ollama_server: FakeOllama, make_ollama: Make, value: str | float | None) -> None:
    assert words(ask(make_ollama(keep_alive=value))) == ["Hello", "."]
    assert ollama_server.loaded["tiny:latest"].keep_alive == value


@pytest.mark.parametrize("value", ["300", "-1", "", "abc", "5 m", "1d", True, float("nan"), float("inf")])
def test_keep_alive_that_it_does_not_take(make_ollama: Make, value: str | float) -> None:
    with pytest.raises(ConfigError, match="keep_alive"):
        make_ollama(keep_alive=value)


def test_thinking_asked_of_a_model_that_does_not(make_ollama: Make) -> None:
    with pytest.raises(ModelError, match=r"model\.think"):
        ask(make_ollama(think="high"))


def test_a_model_needs_a_name(make_ollama: Make) -> None:
    with pytest.raises(ConfigError, match="no name"):
        make_ollama(" ")


# The estimate.


class Kept:
    """A `Calibration` in memory."""

    def __init__(self) -> None:
        self.values: dict[str, tuple[float, ...]] = {}

    def load(self, key: str) -> tuple[float, ...] | None:
        return self.values.get(key)

    def save(self, key: str, values: Sequence[float]) -> None:
        self.values[key] = tuple(json.loads(json.dumps(values)))


def test_what_was_learned_is_kept_for_the_next_session(make_ollama: Make) -> None:
    kept, text = Kept(), "one two three four five, " * 200
    first = make_ollama(calibration=kept)
    assert first.describe().count_error >= 0.1
    before = first.count_text(text)
    for _ in range(4):
        ask(first, user(text))
    assert first.describe().count_error < 0.1
    again = make_ollama(calibration=kept)
    assert again.count_text(text) == first.count_text(text) != before
    assert list(kept.values) == ["ollama:tiny"]


def test_a_silent_cut_is_not_learned_from(ollama_server: FakeOllama, make_ollama: Make) -> None:
    model, text = make_ollama(), "one two three four five, " * 60
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


def test_a_prompt_is_not_budgeted_with_the_error_of_another_one(make_ollama: Make) -> None:
    model = make_ollama()
    ask(model, user("one two three four five, " * 200))
    before = model.describe()
    for text in ("?", "那么中国的首都是哪里呢？" * 50, "x = {'a': [1, 2]}\n" * 20):
        model.encode(ChatRequest((user(text),)))
        model.count_prompt((user(text),))
    assert model.describe() == before


def accused(model: OllamaModel, *messages: Message) -> bool:
    """Whether a turn would say that the server has cut this prompt."""
    error = model.describe().count_error
    finished = ask(model, *messages)[-1]
    assert isinstance(finished, ModelFinished)
    assert finished.usage.prompt_tokens is not None
    return finished.usage.prompt_tokens < model.count_prompt(messages) * (1 - max(error, 0.05))


ENGLISH, CHINESE, CODE = "one two three four five, ", "请用中文回答这个问题，谢谢。", "x = {'a': [1, 2]}\n"


OTHERS = ("Да, конечно; ", "はい、そうです。", "네, 맞습니다. ")


@pytest.mark.parametrize("texts", [*itertools.permutations((ENGLISH, CHINESE, CODE)), OTHERS])
def test_a_new_kind_of_text_is_no_cut(make_ollama: Make, texts: Sequence[str]) -> None:
    model = make_ollama(num_ctx=4000)
    history: list[Message] = []
    for text in texts:
        for length in (1, 3, 40):
            history += [user(text * length), assistant("ok")]
            assert not accused(model, *history)


def test_a_cut_is_one(ollama_server: FakeOllama, make_ollama: Make) -> None:
    model = make_ollama()
    for _ in range(6):
        assert not accused(model, user(ENGLISH * 60))
    ollama_server.script("tiny", say("x", prompt_eval_count=240))
    assert accused(model, user(ENGLISH * 60))


def test_a_full_disk_does_not_cost_an_answer(make_ollama: Make) -> None:
    class Full(Kept):
        def save(self, key: str, values: Sequence[float]) -> None:
            raise StorageError("the disk is full")

    model, text = make_ollama(calibration=Full()), "1234567890 " * 300
    before = model.count_text(text)
    *pieces, finished = ask(model, user(text))
    assert words(pieces) == ["Hello", "."]
    assert isinstance(finished, ModelFinished)
    assert model.count_text(text) != before


def test_an_answer_is_complete_before_what_it_teaches_is_stored(make_ollama: Make) -> None:
    kept = Kept()
    model = make_ollama(calibration=kept)
    for event in model.stream(model.encode(ChatRequest((user("hi"),))), AbortSignal()):
        assert not kept.values, event
    assert kept.values


def test_a_refused_prompt_teaches_too(make_ollama: Make) -> None:
    model, text = make_ollama(num_ctx=256), "1234567890 " * 300
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
