"""A conversation with tools over a real ledger, real record files and the real toolbox."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import cast

from localagent.abort import AbortSignal
from localagent.config import AgentConfig, ModelConfig
from localagent.conversation import Conversation
from localagent.doing import Permit, only_reading
from localagent.events import ToolFinished, TurnEvent, TurnFinished
from localagent.memory.ledger import SqliteLedger
from localagent.messages import JsonValue, Message, ToolCallPart, ToolResultPart
from localagent.models.base import ChatModel
from localagent.models.scripted import Answer
from localagent.quality import Mechanisms
from localagent.tool import Tool, ToolContext, tool
from localagent.toolbox.local import LocalToolbox
from localagent.trace import PromptFiles
from localagent.turn import Acting

CONFIG = AgentConfig(instructions="Be brief.", model=ModelConfig(max_output_tokens=50))


def words(text: str) -> int:
    return len(text.split())


def toolbox(*functions: Callable[..., JsonValue] | Tool, timeout_s: float = 30) -> LocalToolbox:
    made = [one if isinstance(one, Tool) else tool(effects=["reads"])(one) for one in functions]
    return LocalToolbox(
        {one.spec.name: one for one in made},
        lambda abort: ToolContext(abort=abort),
        default_timeout_s=timeout_s,
        result_tokens=200,
        count=words,
    )


_numbers = iter(range(1, 1_000_000))


def call(name: str, /, **arguments: JsonValue) -> ToolCallPart:
    return ToolCallPart(f"call_{next(_numbers)}", name, arguments)


def calls(*made: ToolCallPart, text: str = "") -> Answer:
    return Answer(text, tool_calls=made)


class ActingTalk:
    """`tools` for one conversation, and what a test wants to know of its turns."""

    def __init__(
        self,
        folder: Path,
        model: ChatModel,
        *tools: Callable[..., JsonValue] | Tool,
        config: AgentConfig = CONFIG,
        permit: Permit = only_reading,
        mechanisms: Mechanisms | None = None,
    ) -> None:
        self.ledger = SqliteLedger(folder / "ledger.sqlite3")
        self.log = PromptFiles(folder / "prompts")
        self.box = toolbox(*tools)
        self.model = model
        self.abort = AbortSignal()
        self.events: list[TurnEvent] = []
        thread = self.ledger.create_thread(config.name)
        self.talk = Conversation(config, model, self.ledger, self.log, thread)
        self.talk.act(Acting(lambda: self.box, self.box.close, permit, mechanisms or Mechanisms()))

    def ask(self, text: str) -> str:
        """The answer."""
        self.events = []
        for event in self.talk.send(text, abort=self.abort):
            self.events.append(event)
        finished = self.events[-1]
        assert isinstance(finished, TurnFinished)
        return finished.text

    @property
    def finished(self) -> TurnFinished:
        assert isinstance(self.events[-1], TurnFinished)
        return self.events[-1]

    @property
    def results(self) -> list[ToolFinished]:
        return [event for event in self.events if isinstance(event, ToolFinished)]

    def stored(self) -> list[Message]:
        return [stored.message for stored in self.talk.history()]

    def turn(self) -> Mapping[str, object]:
        record = self.talk.last_prompt()
        assert record is not None
        return cast("Mapping[str, object]", record["turn"])

    def trail(self) -> list[tuple[int, str, str, bool]]:
        """Step, name, verdict and whether it ended the turn, of each evaluation."""
        found = cast("Sequence[Mapping[str, object]]", self.turn()["evaluations"])
        return [cast("tuple[int, str, str, bool]", (e["step"], e["name"], e["verdict"], e["ended"])) for e in found]

    def close(self) -> None:
        self.talk.close()
        self.ledger.close()


def with_loop(**changes: object) -> AgentConfig:
    return replace(CONFIG, loop=replace(CONFIG.loop, **changes))  # type: ignore[arg-type]


def results_in(message: Message) -> list[str]:
    return [part.text for part in message.parts if isinstance(part, ToolResultPart)]
