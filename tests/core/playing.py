"""A classifier that is played."""

from __future__ import annotations

from collections.abc import Sequence

from localagent.errors import LocalAgentError
from localagent.memory.classifying import Facts, Guess, Silence
from localagent.memory.entries import Kind


class Played:
    """`Classifier` that is told what to say: the kind and probability of a sentence, what wish of silence it is, and
    how likely old ones are outdated."""

    def __init__(self) -> None:
        self.noted: dict[str, tuple[Kind, float]] = {}
        self.silent: dict[str, tuple[Silence, float]] = {}
        self.gone: dict[tuple[str, str], float] = {}
        self.near: list[tuple[str, float]] = []
        self.fault: LocalAgentError | None = None
        self.asked: list[str] = []

    def kinds(self, sentences: Sequence[str]) -> list[Guess]:
        self._fail()
        self.asked += sentences
        return [Guess(*self.noted.get(sentence.strip(" .。"), ("fact", 0.5))) for sentence in sentences]

    def silences(self, sentences: Sequence[str]) -> list[tuple[Silence, float]]:
        self._fail()
        return [self.silent.get(sentence, ("wish", 0.01)) for sentence in sentences]

    def outdated(self, new: str, older: Sequence[str], facts: Sequence[Facts]) -> list[float]:
        self._fail()
        assert len(older) == len(facts)
        return [self.gone.get((old, new), 0.0) for old in older]

    def nearest(self, text: str, limit: int) -> list[tuple[str, float]]:
        self._fail()
        return self.near[:limit]

    def _fail(self) -> None:
        if self.fault is not None:
            raise self.fault
