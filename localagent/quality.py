"""The contract of the mechanisms that end a turn or judge its output: what they are shown and what they say.

Five mechanisms, each in its own place: `max_steps` in the loop; stop conditions after each completed step, on what
tools really ran; output processors on each output of the model, before its tools run; scorers when the model says that
it is done; the abort signal over all. They never replace or silence one another: each evaluation is recorded, and which
one ended the turn.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Literal, Protocol, TypeAlias

from localagent.abort import AbortSignal
from localagent.messages import JsonObject

Mechanism: TypeAlias = Literal["max_steps", "stop_when", "output_processor", "completion", "abort", "calls"]


@dataclass(frozen=True, slots=True)
class Called:
    """A call that really ran, from the recorded events, never from the text of an answer."""

    tool: str
    arguments: JsonObject
    text: str
    is_error: bool
    seconds: float


@dataclass(frozen=True, slots=True)
class StepView:
    """One round: what the model said, and the calls that ran. `number` from 1."""

    number: int
    text: str
    called: Sequence[Called] = ()


@dataclass(frozen=True, slots=True)
class TurnView:
    """A turn so far. `wishes`: the user's standing preferences, in their words. `last`: no further step is allowed."""

    request: str
    steps: Sequence[StepView]
    wishes: Sequence[str] = ()
    last: bool = False

    @property
    def called(self) -> Sequence[Called]:
        return [call for step in self.steps for call in step.called]


@dataclass(frozen=True, slots=True)
class Output:
    """What the model has just said. `asks_for_tools`: it is a step on the way; checks of a final answer skip it."""

    text: str
    asks_for_tools: Sequence[str]
    turn: TurnView


@dataclass(frozen=True, slots=True)
class Processed:
    """What a processor says of an output: accept it, accept it with another text, or have it made anew with this
    feedback."""

    verdict: Literal["accept", "replace", "retry"]
    text: str = ""
    reason: str = ""


@dataclass(frozen=True, slots=True)
class Score:
    """1: done; 0: not, and `reason` goes back to the model."""

    value: Literal[0, 1]
    reason: str = ""


@dataclass(frozen=True, slots=True)
class Form:
    """What an answer must be: JSON that satisfies `schema`. `check` has it made anew until it does."""

    schema: JsonObject
    check: OutputProcessor


# Asks the turn's model: a task, and a JSON schema that the whole answer satisfies. Raises ModelError and Aborted.
Ask: TypeAlias = Callable[[str, "JsonObject | None", AbortSignal], str]


class StopCondition(Protocol):
    def __call__(self, turn: TurnView) -> str:
        """Why the turn should stop now, in words; empty: go on."""
        ...


class OutputProcessor(Protocol):
    def __call__(self, output: Output) -> Processed: ...


class Scorer(Protocol):
    def __call__(self, turn: TurnView, ask: Ask, abort: AbortSignal) -> Score:
        """Whether the job is done. May take long, within the scorers' time limit."""
        ...


@dataclass(frozen=True, slots=True)
class Mechanisms:
    """What a `policies/completion.py` offers, by the names that agent.yaml chooses from. `retrying`: the processors
    that may ask for a retry; with `max_processor_retries: 0` choosing one is refused when the agent is loaded.
    `every_output`: the processors that also look at outputs which ask for tools; the others judge final answers."""

    stop_conditions: Mapping[str, StopCondition] = field(default_factory=dict)
    processors: Mapping[str, OutputProcessor] = field(default_factory=dict)
    scorers: Mapping[str, Scorer] = field(default_factory=dict)
    retrying: frozenset[str] = frozenset()
    every_output: frozenset[str] = frozenset()


@dataclass(frozen=True, slots=True)
class Evaluation:
    """One look of one mechanism, for the record. `name` says which condition, processor or scorer; `ended`: this is
    what ended the turn."""

    step: int
    mechanism: Mechanism
    name: str
    verdict: str
    reason: str = ""
    seconds: float = 0.0
    ended: bool = False


# For whoever writes a `policies/completion.py`.

_CODE = re.compile(r"^ {0,3}(```+|~~~+).*?(?:^ {0,3}\1|\Z)|`[^`\n]+`|https?://\S+", re.MULTILINE | re.DOTALL)
_HAN = "\u3400-\u4dbf\u4e00-\u9fff\uf900-\ufaff"
_KANA = "\u3040-\u30ff"
_WORD = re.compile(rf"[{_HAN}{_KANA}]|[^\W_{_HAN}{_KANA}]+(?:['’.-][^\W_{_HAN}{_KANA}]+)*")
_HEADING = re.compile(
    r"^\s{0,3}(?:#{1,6}\s+|[-*+]\s+|>\s*)?(?:\d+[.)、．]\s*|[一二三四五六七八九十]+、\s*)?(.+)$", re.MULTILINE
)


def prose(text: str) -> str:
    """A text without its code and addresses: what is written in a language."""
    return _CODE.sub(" ", text)


def count_words(text: str) -> int:
    """As word processors do: words between spaces, and each Chinese or Japanese character."""
    return len(_WORD.findall(text))


def missing_sections(text: str, headings: Sequence[str]) -> list[str]:
    """Those of the headings that no line of the text is. A heading is a line of its own, marked (`## Risks`,
    `**Risks**`, `1. Risks`) or not, or begins a line before a colon (`Risks: none`). Upper and lower case are alike."""
    there = set()
    for match in _HEADING.finditer(_CODE.sub(" ", text)):
        line = match[1].strip().rstrip("#").strip()
        begun = re.split("[:：]", line, maxsplit=1)[0]
        there |= {part.strip(" *_:：\t").casefold() for part in (line, begun)}
    return [heading for heading in headings if heading.strip(" *_:：#\t").casefold() not in there]


def as_data(label: str, text: str, limit: int = 6000) -> str:
    """A text between labels, for a task given to a model: it cannot close its label, and of more than `limit`
    characters the middle is left out."""
    if len(text) > limit:
        text = f"{text[: limit // 2]}\n[... {len(text) - limit} characters left out ...]\n{text[-(limit // 2) :]}"
    inside = re.sub(r"<(?=\s*/?\s*[A-Za-z])", "&lt;", text)
    return f"<{label}>\n{inside}\n</{label}>"
