"""The ways in which models call tools, each played by a script: by themselves or in a form, through the scripted model
and through a server that behaves like Ollama. Not a test itself."""

from __future__ import annotations

import json
import threading
from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from enum import Enum
from pathlib import Path
from typing import TypeAlias

from acting import CONFIG, ActingTalk, call
from ollama_fixture import FakeOllama
from ollama_fixture.replies import Reply, error_line, hold, refuse, say, tools_early, tools_in_last_line, tools_split
from ollama_fixture.replies import call as sent_call

from localagent.config import AgentConfig
from localagent.errors import ModelError
from localagent.messages import JsonObject, JsonValue
from localagent.models.base import ChatModel, ChatRequest
from localagent.models.ollama import OllamaModel
from localagent.models.scripted import Answer, ScriptedModel
from localagent.models.scripted import Step as ScriptStep

# What the model does in one step: it calls tools (names with their arguments), or it answers, or it fails.
Calls: TypeAlias = Sequence[tuple[str, JsonValue]]
Step: TypeAlias = "Calls | str | ModelError | Hangs"


class Hangs(Enum):
    """It has begun to speak, and goes on for ever."""

    FOR_EVER = "for ever"


HANGS = Hangs.FOR_EVER
WAYS = ("scripted", "scripted form", "early", "split", "last line", "refused", "no tools")
FORMS = ("scripted form", "refused", "no tools")
_SENT: dict[str, Callable[..., Reply]] = {"early": tools_early, "split": tools_split, "last line": tools_in_last_line}


class FormModel(ScriptedModel):
    """Knows no tools of its own."""

    def describe(self):  # type: ignore[no-untyped-def]
        return replace(super().describe(), capabilities=frozenset({"schema"}))


class Ways:
    """Makes conversations whose model plays the same steps in the way that is asked for."""

    def __init__(self, way: str, folder: Path, server: FakeOllama, make_ollama: Callable[..., OllamaModel]) -> None:
        self.way = way
        self.in_form = way in FORMS
        self._folder = folder
        self._server = server
        self._make_ollama = make_ollama
        self._opened: list[ActingTalk] = []
        self._scripted: ScriptedModel | None = None
        self._playing = threading.Event()

    def start(self, steps: Sequence[Step], *tools: object, config: AgentConfig = CONFIG, **more: object) -> ActingTalk:
        talk = ActingTalk(self._folder, self._model(steps), *tools, config=config, **more)  # type: ignore[arg-type]
        self._opened.append(talk)
        return talk

    def close(self) -> None:
        for talk in self._opened:
            talk.close()

    def hanging(self, timeout_s: float) -> bool:
        """Wait until the model hangs."""
        return (self._playing if self._scripted is not None else self._server.waiting).wait(timeout_s)

    def disconnected(self, timeout_s: float) -> bool:
        """Wait until nobody is connected to the server any more, nor asks the scripted model."""
        return not self._scripted.playing if self._scripted is not None else self._server.all_closed.wait(timeout_s)

    def shown(self) -> list[str]:
        """Everything that each prompt put before the model."""
        if self._scripted is not None:
            return [str(request.messages) for request in self._scripted.requests]
        return [json.dumps(chat["messages"], ensure_ascii=False) for chat in self._answered()]

    def offered(self) -> list[bool]:
        """Whether tools could be called, of each prompt."""
        if self._scripted is not None:
            return [bool(one.tools) or '"call"' in json.dumps(one.schema) for one in self._scripted.requests]
        return [bool(chat.get("tools")) or '"call"' in json.dumps(chat.get("format")) for chat in self._answered()]

    def by(self) -> str:
        return "constrained" if self.in_form else "native"

    def _answered(self) -> list[dict[str, object]]:
        return self._server.chats[1:] if self.way == "refused" else self._server.chats

    def _model(self, steps: Sequence[Step]) -> ChatModel:
        each = list(self._one_by_one(steps))
        if self.way.startswith("scripted"):
            kind = FormModel if self.in_form else ScriptedModel
            self._scripted = kind([self._played(step) for step in each])
            return self._scripted
        if self.way == "no tools":
            self._server.add("tiny", capabilities=["completion"])
        model = self._make_ollama()
        model.describe()
        refusals = [refuse(400, '"tiny:latest" does not support tools')] if self.way == "refused" else []
        self._server.script("tiny", *refusals, *(self._sent(step) for step in each))
        return model

    def _one_by_one(self, steps: Sequence[Step]) -> Iterator[Step]:
        """In a form a model calls one tool at a time."""
        for step in steps:
            if isinstance(step, str | ModelError | Hangs) or not self.in_form:
                yield step
            else:
                yield from ([one] for one in step)

    def _played(self, step: Step) -> ScriptStep:
        if isinstance(step, ModelError):
            return step
        if isinstance(step, Hangs):
            return self._hang
        if self.in_form:
            return formed(step)
        return step if isinstance(step, str) else Answer(tool_calls=tuple(_part(*one) for one in step))

    def _hang(self, request: ChatRequest) -> Answer:
        self._playing.set()
        return Answer("Let me see.", hangs=True)

    def _sent(self, step: Step) -> Reply:
        if isinstance(step, ModelError):
            return error_line(step.message)
        if isinstance(step, Hangs):
            return hold(say("Let ", "me see."), threading.Event(), at=1)
        if self.in_form:
            return say(*formed(step))
        if isinstance(step, str):
            return say(step)
        return _SENT[self.way](*(sent_call(name, given, index=at) for at, (name, given) in enumerate(step)))  # type: ignore[arg-type]


def formed(step: Calls | str) -> str:
    """The reply of a model that is bound to the form."""
    if isinstance(step, str):
        said: JsonObject = {"action": "answer", "text": step}
    else:
        ((name, arguments),) = step
        said = {"action": "call", "tool": name, "arguments": arguments}
    return json.dumps(said, ensure_ascii=False)


def _part(name: str, arguments: JsonValue):  # type: ignore[no-untyped-def]
    return replace(call(name), arguments=arguments)
