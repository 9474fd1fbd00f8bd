"""A rule: what of a clause makes it worth remembering, and as what."""

from __future__ import annotations

import re
from dataclasses import dataclass

from localagent.memory.entries import Kind, Subject


@dataclass(frozen=True, slots=True)
class Rule:
    """`standing`: a wish of how things are to be done, which may depend on a condition; `marked`: it says itself that
    it holds for good, so that it counts even in a sentence that gives a task; `asked`: it may be put as a question
    ("can you ... from now on?"). `unless`: what it must not have."""

    kind: Kind
    pattern: re.Pattern[str]
    importance: float
    unless: re.Pattern[str] | None = None
    standing: bool = False
    marked: bool = False
    asked: bool = False
    subject: Subject = "user"

    def fits(self, clause: str) -> bool:
        return bool(self.pattern.search(clause)) and not (self.unless and self.unless.search(clause))


def any_of(*parts: str) -> re.Pattern[str]:
    return re.compile("|".join(parts), re.IGNORECASE)
