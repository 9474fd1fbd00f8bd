"""The models that the contract suite (test_contract.py) runs against.

To add one: write a context manager that yields a `Subject`, and give it a line in `SUBJECTS`. A model that cannot be
told what to say (real weights) leaves `plan` alone and sets `obedient` to False: then the suite looks at the shape of
what comes, not at its words.
"""

from __future__ import annotations

import atexit
import tempfile
import threading
from collections.abc import Callable, Iterator, Sequence
from contextlib import AbstractContextManager, contextmanager
from dataclasses import dataclass, field, replace
from pathlib import Path

from embedded_support import find_weights
from ollama_fixture import FakeOllama, call, hold, say, think, tools_early

from localagent.errors import ModelError
from localagent.messages import ToolCallPart, system, user
from localagent.models.base import ChatModel, ChatRequest
from localagent.models.embedded import EmbeddedModel
from localagent.models.ollama import OllamaModel
from localagent.models.scripted import Answer, ScriptedModel

PATIENCE_S = 20.0  # how long a test waits for what must happen before it fails


@dataclass(frozen=True)
class Plan:
    """What the next call of the model should do. `silent`: after the pieces, send nothing until it is stopped."""

    pieces: Sequence[str] = ("Hello", ", ", "world.")
    thinking: str = ""
    calls: Sequence[ToolCallPart] = ()
    silent: bool = False
    length: bool = False


def _nothing(plan: Plan) -> None:
    """For models that do as they like."""


def _at_once() -> None:
    """For models that need no waiting."""


@dataclass
class Subject:
    """A model under test.

    `plan` prepares its next call. `busy` returns when the model's side is working and silent (what `Plan.silent`
    asks for); `idle` when it has noticed that nobody wants the answer any more. `slow_request` is one that a real model
    reads for so long that it can be stopped before the first word. `marks` are control tokens of its chat template.
    """

    model: ChatModel
    window: int
    plan: Callable[[Plan], None] = _nothing
    busy: Callable[[], None] = _at_once
    idle: Callable[[], None] = _at_once
    obedient: bool = True
    slow_request: ChatRequest = field(default_factory=lambda: ChatRequest((user("hi"),)))
    marks: tuple[str, ...] = ()


@contextmanager
def scripted() -> Iterator[Subject]:
    model = ScriptedModel(window=512)
    asked = threading.Event()

    def plan(what: Plan) -> None:
        def step(request: ChatRequest) -> Answer:
            asked.set()
            return Answer(
                text=what.pieces,
                thinking=what.thinking,
                tool_calls=tuple(what.calls),
                hangs=what.silent,
                reason="length" if what.length else "stop",
            )

        model.add(step)

    def idle() -> None:
        assert not model.playing

    yield Subject(model, 512, plan, lambda: wait_for(asked), idle)


@contextmanager
def ollama() -> Iterator[Subject]:
    with FakeOllama() as server:
        tiny = server.add("tiny", context_length=512, capabilities=("completion", "tools", "thinking"))
        tiny.template = "{{ range .Messages }}<|im_start|>{{ .Role }}\n{{ .Content }}<|im_end|>\n{{ end }}<tool_call>"
        model = OllamaModel(base_url=server.url, model_name="tiny", num_ctx=512)

        def plan(what: Plan) -> None:
            reply = say(*what.pieces)
            if what.thinking:
                reply = think(what.thinking, *what.pieces)
            if what.calls:
                calls = [call(one.name, dict(one.arguments), index=i, id=one.id) for i, one in enumerate(what.calls)]
                reply = tools_early(*calls, words="".join(what.pieces))
            if what.silent:
                reply = hold(reply, threading.Event(), at=len(what.pieces))
            server.script("tiny", replace(reply, done_reason="length" if what.length else "stop"))

        def idle() -> None:
            wait_for(server.requests("/api/chat")[-1].disconnected)

        marks = ("<|im_start|>", "<|im_end|>", "<|endoftext|>", "<tool_call>")
        yield Subject(model, 512, plan, lambda: wait_for(server.waiting), idle, marks=marks)
        model.close()


_kept: list[EmbeddedModel] = []  # loading takes half a second, so one is loaded until a test closes it


@contextmanager
def embedded() -> Iterator[Subject]:
    try:
        _kept[-1].describe()
    except (IndexError, ModelError):
        folder = tempfile.TemporaryDirectory()
        _kept.append(EmbeddedModel(find_weights(), num_ctx=1024, run_dir=Path(folder.name)))
        atexit.register(folder.cleanup)
        atexit.register(_kept[-1].close)
    slow = ChatRequest((system("slow"), user("many words that must be read " * 110)), max_output_tokens=50)
    marks = ("<|im_start|>", "<|im_end|>", "<|endoftext|>")
    yield Subject(_kept[-1], 1024, obedient=False, slow_request=slow, marks=marks)


SUBJECTS: dict[str, Callable[[], AbstractContextManager[Subject]]] = {
    "scripted": scripted,
    "ollama": ollama,
    "embedded": embedded,
}


def wait_for(event: threading.Event) -> None:
    assert event.wait(PATIENCE_S), "it did not happen"
