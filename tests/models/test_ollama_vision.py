"""A model that sees, asked about an image at the test server."""

from __future__ import annotations

import base64
import threading

import pytest
from ollama_fixture import FakeOllama, Reply, error_line, refuse, say
from ollama_support import Make

from localagent.abort import AbortSignal
from localagent.build_vision import eyes
from localagent.config import ModelConfig
from localagent.errors import Interrupted, LocalAgentError, ModelError, ModelMissing
from localagent.models.ollama_vision import look
from localagent.models.scripted import ScriptedModel

PNG = b"\x89PNG\r\n\x1a\n" + bytes(range(256))


def test_the_image_goes_along_with_the_question(ollama_server: FakeOllama, make_ollama: Make) -> None:
    ollama_server.add("eye", capabilities=("completion", "vision"))
    ollama_server.script("eye", say("一只", "猫。", " "))
    assert look(make_ollama("eye"), PNG, "图里有什么？", AbortSignal()) == "一只猫。"
    (body,) = ollama_server.chats
    (message,) = body["messages"]
    assert message["content"] == "图里有什么？" and base64.b64decode(message["images"][0]) == PNG


def test_one_that_does_not_see_is_not_asked(ollama_server: FakeOllama, make_ollama: Make) -> None:
    with pytest.raises(ModelError, match=r"tiny does not see images.*model\.vision_model"):
        look(make_ollama(), PNG, "?", AbortSignal())
    assert ollama_server.chats == []


@pytest.mark.parametrize(
    ("reply", "said"),
    [
        (say(" "), "said nothing about the image"),
        (refuse(500, "failed to process inputs: unknown image format"), "unknown image format"),
        (error_line("out of memory", "A"), "out of memory"),
    ],
)
def test_what_goes_wrong_is_said(ollama_server: FakeOllama, make_ollama: Make, reply: Reply, said: str) -> None:
    ollama_server.add("eye", capabilities=("completion", "vision"))
    ollama_server.script("eye", reply)
    with pytest.raises(LocalAgentError, match=said):
        look(make_ollama("eye"), PNG, "?", AbortSignal())


def test_one_that_is_not_installed(make_ollama: Make) -> None:
    with pytest.raises(ModelMissing, match="models pull eye"):
        look(make_ollama("eye"), PNG, "?", AbortSignal())


def test_the_signal_ends_it_and_closes_the_connection(ollama_server: FakeOllama, make_ollama: Make) -> None:
    ollama_server.add("eye", capabilities=("completion", "vision"))
    ollama_server.script("eye", Reply([{"content": "A"}], gate=threading.Event()))
    abort, model = AbortSignal(), make_ollama("eye")

    def stop() -> None:
        assert ollama_server.waiting.wait(30)
        abort.abort()

    stopper = threading.Thread(target=stop)
    stopper.start()
    with pytest.raises(Interrupted):
        look(model, PNG, "?", abort)
    stopper.join()
    assert ollama_server.requests("/api/chat")[-1].disconnected.wait(30)


def test_the_agents_own_model_is_asked_where_it_sees_and_not_loaded_anew(
    ollama_server: FakeOllama, make_ollama: Make
) -> None:
    ollama_server.add("both", capabilities=("completion", "tools", "vision"))
    own = make_ollama("both", num_ctx=2048)
    own.load(AbortSignal())
    config = ModelConfig(base_url=ollama_server.url, model_name="both", num_ctx=2048)
    describe = eyes(config, own)
    assert describe is not None and describe(PNG, "?", AbortSignal()) == "Hello."
    assert len(ollama_server.loads) == 1
    count = own.count_text("words " * 50)
    describe(PNG, "?", AbortSignal())
    assert own.count_text("words " * 50) == count  # an image's tokens teach nothing about those of words


def test_another_model_may_be_named_and_without_one_nobody_sees(ollama_server: FakeOllama, make_ollama: Make) -> None:
    ollama_server.add("eye", capabilities=("completion", "vision"))
    own = make_ollama()
    assert eyes(ModelConfig(base_url=ollama_server.url), own) is None
    for model in (own, ScriptedModel(["x"])):
        describe = eyes(ModelConfig(base_url=ollama_server.url, vision_model="eye", num_ctx=1024), model)
        assert describe is not None and describe(PNG, "?", AbortSignal()) == "Hello."
    loads = [load for load in ollama_server.loads if "eye" in load["model"]]
    assert len(loads) == 1 and "num_ctx" not in loads[0]  # that is the other model's
