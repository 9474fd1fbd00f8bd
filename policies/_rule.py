"""A rule: what of a clause makes it worth remembering, and as what."""

from __future__ import annotations

import re
import sys
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property

from localagent.memory.entries import Kind, Subject


class AnyOf:
    """A pattern of many alternatives. It is compiled when it is first looked for: all of them together take a second,
    and a question needs few."""

    def __init__(self, pattern: str) -> None:
        self.pattern = pattern

    @cached_property
    def compiled(self) -> re.Pattern[str]:
        return re.compile(self.pattern, re.IGNORECASE)

    def search(self, text: str, start: int = 0, end: int = sys.maxsize) -> re.Match[str] | None:
        return self.compiled.search(text, start, end)

    def match(self, text: str, start: int = 0, end: int = sys.maxsize) -> re.Match[str] | None:
        return self.compiled.match(text, start, end)

    def fullmatch(self, text: str, start: int = 0, end: int = sys.maxsize) -> re.Match[str] | None:
        return self.compiled.fullmatch(text, start, end)

    def finditer(self, text: str) -> Iterator[re.Match[str]]:
        return self.compiled.finditer(text)


@dataclass(frozen=True, slots=True)
class Rule:
    """`standing`: a wish of how things are to be done, which may depend on a condition; `marked`: it says itself that
    it holds for good, so that it counts even in a sentence that gives a task; `asked`: it may be put as a question
    ("can you ... from now on?"). `unless`: what it must not have."""

    kind: Kind
    pattern: re.Pattern[str] | AnyOf
    importance: float
    unless: re.Pattern[str] | AnyOf | None = None
    standing: bool = False
    marked: bool = False
    asked: bool = False
    subject: Subject = "user"

    def fits(self, clause: str) -> bool:
        return bool(self.pattern.search(clause)) and not (self.unless and self.unless.search(clause))


def any_of(*parts: str) -> AnyOf:
    return AnyOf("|".join(parts))
