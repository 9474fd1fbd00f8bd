"""What a turn does on its way to the answer, a line each."""

from __future__ import annotations

import json
from dataclasses import dataclass

from localagent.events import Evaluated, StepStarted, ToolFinished, ToolStarted
from localagent.messages import JsonObject

# Characters of a call's arguments, and of what went wrong.
ARGUMENTS, ERROR = 60, 160
# What somebody wants to hear of while the answer is made; the rest is in the record.
TOLD = {
    "retry": "to be mended",
    "no retry left": "accepted with a fault",
    "not done": "not complete",
    "failed": "failed",
}


@dataclass(frozen=True, slots=True)
class News:
    """`line`: to be shown beside the answer; `status`: while nothing else is. `breaks`: what was said so far ends."""

    line: str = ""
    status: str = ""
    breaks: bool = True


def news(event: StepStarted | ToolStarted | ToolFinished | Evaluated) -> News:
    """What is shown of an event."""
    match event:
        case StepStarted():
            return News(breaks=event.number > 1)
        case ToolStarted():
            return News(status=f"running {event.call.name}")
        case ToolFinished():
            return News(tool_line(event))
        case Evaluated():
            return News(evaluation_line(event), breaks=False)


def tool_line(event: ToolFinished) -> str:
    """`memory_search(query: "tea") 0.3 s`, with the first line of what went wrong."""
    head = f"{event.call.name}({_arguments(event.call.arguments)})"
    if event.ran:
        head = f"{head} {event.seconds:.1f} s"
    if not event.is_error:
        return head
    first = event.text.strip().partition("\n")[0]
    return f"{head}: {first if len(first) <= ERROR else first[:ERROR] + '…'}"


def evaluation_line(event: Evaluated) -> str:
    """Empty where all is well."""
    said = TOLD.get(event.verdict, "")
    return f"{event.name}: {said}{f': {event.reason}' if event.reason else ''}" if said else ""


def _arguments(arguments: JsonObject) -> str:
    given: object = arguments  # a model may give anything
    pairs = given.items() if isinstance(given, dict) else [("", given)]
    shown = ", ".join(f"{name}: {json.dumps(value, ensure_ascii=False, default=str)}" for name, value in pairs)
    return shown if len(shown) <= ARGUMENTS else shown[:ARGUMENTS] + "…"
