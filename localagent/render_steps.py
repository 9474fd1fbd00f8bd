"""What a turn does on its way to the answer, a line each."""

from __future__ import annotations

import json
from dataclasses import dataclass
from typing import Protocol, TypeAlias

from localagent import bilingual_talk as say
from localagent.bilingual import Language
from localagent.bilingual_said import in_language
from localagent.calls import visible
from localagent.columns import columns
from localagent.events import Evaluated, StepStarted, ToolFinished, ToolStarted, Withdrawn
from localagent.messages import JsonObject
from localagent.render_status import fit

StepEvent: TypeAlias = StepStarted | ToolStarted | ToolFinished | Evaluated | Withdrawn

# Characters of a call's arguments, and of what went wrong.
ARGUMENTS, ERROR = 60, 160
# Cells of the terminal that a result has at least, and the characters of it that are looked at.
RESULT, LOOKED_AT = 40, 500


@dataclass(frozen=True, slots=True)
class News:
    """`line`: to be shown beside the answer; `status`: while nothing else is. `breaks`: what was said so far ends."""

    line: str = ""
    status: str = ""
    breaks: bool = True


class _Shows(Protocol):
    def break_off(self) -> None: ...
    def notice(self, text: str) -> None: ...
    def status(self, text: str) -> None: ...


def show_step(renderer: _Shows, event: StepEvent, columns: int, language: Language) -> None:
    told = news(event, columns, language)
    if told.breaks:
        renderer.break_off()
    if told.line:
        renderer.notice(told.line)
    if told.status:
        renderer.status(told.status)


def news(event: StepEvent, columns: int, language: Language = "en") -> News:
    """What is shown of an event, in a terminal of so many columns."""
    match event:
        case StepStarted():
            return News(breaks=event.number > 1)
        case ToolStarted():
            return News(status=say.RUNNING(language, tool=_line(event.call.name)))
        case ToolFinished():
            return News(tool_line(event, columns, language))
        case Evaluated():
            return News(evaluation_line(event, language), breaks=False)
        case Withdrawn():
            return News(say.WITHDRAWN(language))


def tool_line(event: ToolFinished, room: int, language: Language = "en") -> str:
    """`run_shell(command: "make") 0.3 s → Exit code 2. …`, with as much of the result as has room in a row, or with the
    first line of what went wrong. `room` in columns."""
    head = f"{_line(event.call.name)}({_arguments(event.call.arguments)})"
    if event.ran:
        head = f"{head} {event.seconds:.1f} s"
    if not event.is_error:
        result = _cut(_line(event.text[:LOOKED_AT]), max(RESULT, room - columns(f"{head} → ") - 1))
        return f"{head} → {result}" if result else head
    first = _line(in_language(event.text.strip().partition("\n")[0], language))
    said = first if len(first) <= ERROR else first[:ERROR] + "…"
    return say.WENT_WRONG(language, head=head, said=said)


def evaluation_line(event: Evaluated, language: Language = "en") -> str:
    """What somebody wants to hear of while the answer is made; the rest is in the record. Empty where all is well, and
    for the sum of what several scorers said."""
    if event.verdict not in say.VERDICTS or (event.mechanism == "completion" and event.name in ("all", "any")):
        return ""
    told = say.VERDICT_BECAUSE if event.reason else say.VERDICT
    return told(language, name=event.name, said=say.VERDICTS[event.verdict](language), reason=event.reason)


def _arguments(arguments: JsonObject) -> str:
    given: object = arguments  # a model may give anything
    pairs = given.items() if isinstance(given, dict) else [("", given)]
    shown = _line(", ".join(f"{name}: {json.dumps(value, ensure_ascii=False, default=str)}" for name, value in pairs))
    return shown if len(shown) <= ARGUMENTS else shown[:ARGUMENTS] + "…"


def _line(text: str) -> str:
    """As where a person is asked: nothing hides or moves."""
    return " ".join(visible(text.replace("\r\n", "\n")).split())


def _cut(line: str, cells: int) -> str:
    shown = fit(line, cells)
    return line if shown == line else f"{fit(line, cells - 1)}…"
