"""Our own work in a step of a turn that acts: everything but the model's and the tools' own time.

    python -m benchmarks.steps [--json] [--profile]

A turn of 10 steps with three tools, two of which are called at once in each step but the last: the prompt is assembled
and recorded, the reply sorted, the arguments checked, the calls run in their threads, the results stored, the trail
kept. Natively and in a form (one call a step). The model plays a script and the tools do nothing. Time of the
processor, with files in memory where there is a folder for that: what a disk takes to make them durable is the disk's.
"""

from __future__ import annotations

import argparse
import cProfile
import json
import pstats
import tempfile
import time
from collections.abc import Iterator, Sequence
from dataclasses import asdict, replace
from pathlib import Path
from typing import Annotated, Literal

from pydantic import BaseModel, Field

from benchmarks.turn import Figure, figure
from localagent.abort import AbortSignal
from localagent.config import AgentConfig, ModelConfig
from localagent.config_loop import LoopConfig
from localagent.conversation import Conversation
from localagent.events import ModelEvent
from localagent.memory.ledger import SqliteLedger
from localagent.messages import JsonObject, JsonValue, ToolCallPart
from localagent.models.scripted import Answer, ScriptedModel
from localagent.models.scripted import Step as ScriptStep
from localagent.tool import Tool, ToolContext, tool
from localagent.toolbox.local import LocalToolbox
from localagent.trace import PromptFiles
from localagent.turn import Acting

STEPS = 10
TURNS = 15
TARGET_MS = 3.0


class Place(BaseModel):
    city: str
    days: Annotated[int, Field(ge=1, le=14)] = 1


@tool(effects=["reads"])
def weather(place: Place, unit: Literal["C", "F"] = "C") -> str:
    """The weather of a place."""
    return f"{place.city}: sunny"


@tool(effects=["reads"])
def search(query: str, top_k: Annotated[int, Field(ge=1, le=10)] = 5) -> list[str]:
    """Search."""
    return [f"{query} {number}" for number in range(top_k)]


@tool(effects=["reads"])
def clock(zone: str | None = None) -> str:
    """The time."""
    return "noon"


class Timed(ScriptedModel):
    """Knows how many seconds its own part took."""

    spent = 0.0

    def stream(self, body: JsonObject, abort: AbortSignal) -> Iterator[ModelEvent]:
        started = time.process_time()
        events = list(super().stream(body, abort))
        self.spent += time.process_time() - started
        return iter(events)


def arguments(name: str, number: int) -> dict[str, JsonValue]:
    made: dict[str, dict[str, JsonValue]] = {
        "weather": {"place": {"city": f"town {number}", "days": 2}},
        "search": {"query": f"words {number}", "top_k": 3},
        "clock": {"zone": f"zone {number}"},
    }
    return made[name]


def script(*, in_form: bool) -> Sequence[ScriptStep]:
    names = ("weather", "search", "clock")
    steps: list[ScriptStep] = []
    for number in range(STEPS - 1):
        called = [(name, arguments(name, number)) for name in (names[number % 3], names[(number + 1) % 3])]
        if in_form:
            steps.append(json.dumps({"action": "call", "tool": called[0][0], "arguments": called[0][1]}))
        else:
            parts = [ToolCallPart(f"call_{number}_{at}", name, given) for at, (name, given) in enumerate(called)]
            steps.append(Answer(tool_calls=tuple(parts)))
    answer = "Here it is: it is noon and sunny in all of them."
    return [*steps, json.dumps({"action": "answer", "text": answer}) if in_form else answer]


def own_work(name: str, folder: Path) -> Figure:
    """Milliseconds for each step."""
    in_form = name == "in a form"
    model = ModelConfig(tool_calls="constrained" if in_form else "auto")
    config = replace(AgentConfig(), model=model, loop=LoopConfig(max_steps=STEPS + 1))
    ledger = SqliteLedger(folder / f"{name}.sqlite3")
    played = Timed(script(in_form=in_form), loop=True)
    thread = ledger.create_thread(config.name)
    conversation = Conversation(config, played, ledger, PromptFiles(folder / name), thread)
    tools: dict[str, Tool] = {one.spec.name: one for one in (weather, search, clock)}
    box = LocalToolbox(
        tools,
        lambda abort: ToolContext(abort=abort),
        default_timeout_s=15,
        result_tokens=1500,
        count=played.count_text,
    )
    conversation.act(Acting(lambda: box, box.close))
    seconds = []
    for _ in range(TURNS):
        conversation.new_thread()
        started, before = time.process_time(), played.spent
        for _event in conversation.send("How is it everywhere?", abort=AbortSignal()):
            pass
        seconds.append((time.process_time() - started - (played.spent - before)) / STEPS)
    conversation.close()
    ledger.close()
    return figure(f"our own work in a step, tools called {name}", seconds, TARGET_MS)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--json", action="store_true")
    parser.add_argument("--profile", action="store_true", help="show where the time goes")
    chosen = parser.parse_args()
    profile = cProfile.Profile(time.process_time)
    memory = Path("/dev/shm")
    with tempfile.TemporaryDirectory(dir=memory if memory.is_dir() else None) as name:
        if chosen.profile:
            profile.enable()
        results = [own_work(way, Path(name)) for way in ("natively", "in a form")]
        profile.disable()
    print(json.dumps([asdict(r) for r in results], indent=2) if chosen.json else "\n".join(map(str, results)))
    if chosen.profile:
        pstats.Stats(profile).sort_stats("cumtime").print_stats("localagent", 45)


if __name__ == "__main__":
    main()
