"""An agent that asks other agents, over real folders, a real home and a model that plays a script."""

from __future__ import annotations

import io
import json
from collections.abc import Callable, Mapping, Sequence
from contextlib import ExitStack
from pathlib import Path
from typing import cast

from localagent.abort import AbortSignal
from localagent.agent_folder import LoadedAgent, load_agent
from localagent.build import Workspace, open_workspace
from localagent.calls import Approval, ApprovalRequest
from localagent.conversation import Conversation
from localagent.environment import Environment
from localagent.events import ToolFinished, TurnEvent, TurnFinished
from localagent.messages import JsonValue, ToolCallPart
from localagent.models.base import ChatModel
from localagent.models.scripted import Answer

Record = Mapping[str, object]
QUIET = {"memory": {"enabled": False}, "model": {"provider": "scripted", "model_name": "none"}}
_numbers = iter(range(1, 1_000_000))


def environment(folder: Path, **variables: str) -> Environment:
    streams = [io.StringIO() for _ in range(3)]
    return Environment(*streams, variables, folder, folder / "home", folder / "config")


def agent(folder: Path, name: str, **keys: object) -> Path:
    """The folder of an agent with these keys."""
    made = folder / name
    made.mkdir(parents=True, exist_ok=True)
    (made / "agent.yaml").write_text(json.dumps({"agent": {"name": name, **keys}}), "utf-8")
    return made


def asks(*names: str, **more: object) -> Mapping[str, object]:
    """For `agents`: folders beside the caller's, called like the agents."""
    return {name: {"folder": f"../{name}", "description": f"Ask {name}.", **more} for name in names}


def ask(name: str, request: str) -> ToolCallPart:
    return use(name, request=request)


def use(tool: str, /, **arguments: JsonValue) -> ToolCallPart:
    return ToolCallPart(f"call_{next(_numbers)}", tool, arguments)


def calls(*made: ToolCallPart, text: str = "") -> Answer:
    return Answer(text, tool_calls=made)


class Desk:
    """A conversation with the agent `desk` of a folder. `answers` of a person are taken one by one, and `questions`
    were asked."""

    def __init__(
        self,
        folder: Path,
        model: ChatModel,
        *,
        named: Sequence[str] = (),
        answers: Sequence[Approval | Exception] | None = None,
        log: bool = True,
        trace: bool = True,
        overrides: Mapping[str, str] | None = None,
    ) -> None:
        self.stack = ExitStack()
        self.abort = AbortSignal()
        self.events: list[TurnEvent] = []
        self.watched: list[TurnEvent] = []
        self.questions: list[ApprovalRequest] = []
        self.said: list[str] = []
        self._answers = list(answers or ())
        env = environment(folder, LOCALAGENT_MEMORY_EMBEDDER="words")
        self.home: Workspace = self.stack.enter_context(open_workspace(env, say=self.said.append))
        self.loaded: LoadedAgent = load_agent(env, agent=str(folder / "desk"), overrides=overrides or {})
        rooms = self.home if trace else self.stack.enter_context(self.home.without_trace())
        memory = self.stack.enter_context(rooms.memory(self.loaded)) if self.loaded.config.memory.enabled else None
        self.talk: Conversation = rooms.conversation(
            self.loaded,
            model,
            rooms.open_thread(self.loaded),
            log=log,
            memory=memory,
            approver=None if answers is None else self._approve,
            named=named,
        )
        self.talk.watch = self.watched.append
        self.stack.callback(self.talk.close)

    def ask(self, text: str = "go") -> str:
        self.events = []
        for event in self.talk.send(text, abort=self.abort):
            self.events.append(event)
        finished = self.events[-1]
        assert isinstance(finished, TurnFinished)
        return finished.text

    @property
    def results(self) -> list[ToolFinished]:
        return [event for event in self.events if isinstance(event, ToolFinished)]

    @property
    def result(self) -> ToolFinished:
        (only,) = self.results
        return only

    def called(self) -> list[Record]:
        """The calls in the record of the last turn."""
        record = self.talk.last_prompt()
        assert record is not None
        return list(cast("Sequence[Record]", cast("Record", record["turn"])["calls"]))

    def record(self, key: object) -> Record:
        found = self.home.log.find(str(key))
        assert found is not None
        return found

    def record_files(self) -> list[str]:
        folder = self.home.home.prompts
        return sorted(path.name for path in folder.glob("*.jsonl")) if folder.is_dir() else []

    def close(self) -> None:
        self.stack.close()

    def _approve(self, request: ApprovalRequest, abort: AbortSignal) -> Approval:
        self.questions.append(request)
        answer = self._answers.pop(0)
        if isinstance(answer, Exception):
            raise answer
        return answer


Open = Callable[..., Desk]
