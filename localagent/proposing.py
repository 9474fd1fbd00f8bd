"""Older messages are put to the model, a part at a time, and what it makes of them is collected."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

from localagent.abort import AbortSignal
from localagent.events import TextDelta
from localagent.models.base import ChatModel, ChatRequest
from localagent.policy import Said
from localagent.summarizer import (
    ANSWER_TOKENS,
    CHUNK_TOKENS,
    LONGEST_ANSWER,
    Chunk,
    Proposed,
    chunks,
    proposed,
    request,
)
from localagent.summary import SummaryItem

# Of a small window, a request of the summariser takes so much beside its answer.
WINDOW_SHARE = 2
# One call of the model.
CALL_S = 120.0
# The temperature of a second try: the same again would come of the same.
OTHERWISE = 0.7


@dataclass(frozen=True, slots=True)
class Made:
    """What the model made of messages, as far as they bear it out. `by`: its name, empty where nothing could be made of
    its answers, or it was not asked; `note`: what was wrong, empty if nothing."""

    items: tuple[SummaryItem, ...] = ()
    by: str = ""
    note: str = ""


class Proposing:
    """One at a time. `timeout_s`: of one call of the model. What was answered before somebody said stop is not asked
    again, until `forget`."""

    def __init__(self, timeout_s: float) -> None:
        self._timeout_s = min(CALL_S, timeout_s)
        self._answers: dict[str, Proposed] = {}

    def ask(self, model: ChatModel, said: Sequence[Said], abort: AbortSignal, *, again: bool) -> Made:
        """`again`: the model failed before. Raises what the model raises."""
        info = model.describe()
        limit = min(CHUNK_TOKENS, (info.window - ANSWER_TOKENS) // WINDOW_SHARE)
        answers = [self._answer(model, part, abort, again) for part in chunks(said, model.count_text, limit)]
        note = "; ".join(dict.fromkeys(answer.wrong for answer in answers if answer.wrong))
        if answers and not any(answer.usable for answer in answers):
            return Made(note=f"{info.name}: {note}")
        return Made(tuple(item for answer in answers for item in answer.items), info.name, note)

    def forget(self) -> None:
        self._answers.clear()

    def _answer(self, model: ChatModel, part: Chunk, abort: AbortSignal, again: bool) -> Proposed:
        known = self._answers.get(part.text)
        if known is not None:
            return known
        asked = request(part)
        with abort.child(timeout_s=self._timeout_s, what="summarising older messages") as called:
            text = _text(model, replace(asked, temperature=OTHERWISE) if again else asked, called)
        found = proposed(text, part.messages)
        if found.usable:
            self._answers[part.text] = found
        return found


def _text(model: ChatModel, asked: ChatRequest, abort: AbortSignal) -> str:
    """The answer, as far as it is not longer than any can be."""
    text = ""
    for event in model.stream(model.encode(asked), abort):
        text += event.text if isinstance(event, TextDelta) else ""
        if len(text) > LONGEST_ANSWER:
            break
    return text
