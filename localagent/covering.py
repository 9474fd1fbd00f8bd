"""Whether the running summary already says what a message says: then the message is not recalled beside it."""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from collections.abc import Sequence

from localagent.memory.language import sentences
from localagent.statements import Statement, statement, stem
from localagent.substance import says_something, stated

# So much of a sentence's content words (0-1) must stand in one line of the summary or in two that are neighbours.
COVERED_SHARE = 0.8
# A capital letter that begins no sentence.
_NAME = re.compile(r"(?<=[\w,;:'\"(] )[A-Z][\w'’-]*")


class Covering:
    """Of the lines of one summary."""

    def __init__(self, lines: Sequence[str]) -> None:
        self._lines = [statement(line) for line in lines]
        self._places: defaultdict[str, set[int]] = defaultdict(set)
        for place, line in enumerate(self._lines):
            for word in line.content:
                self._places[word].add(place)

    def covers(self, text: str) -> bool:
        """Whether all that `text` states is in the summary, with the same details: numbers, days, names, negation.

        Questions and what keeps a talk going state nothing. False where nothing is stated.
        """
        told = [sentence for sentence in sentences(stated(text)) if says_something(sentence)] if self._lines else []
        return bool(told) and all(self._says(sentence) for sentence in told)

    def _says(self, sentence: str) -> bool:
        told = statement(sentence)
        common = Counter(place for word in told.content for place in self._places.get(word, ()))
        needed = COVERED_SHARE * len(told.content)
        must = _details(sentence, told)
        # Two neighbours count where the better of them stands: whether something is denied is read there.
        return any(
            common[place] + common[beside] >= needed and self._both_say(told, place, beside, must, needed)
            for place in common
            for beside in (place, place - 1, place + 1)
            if 0 <= beside < len(self._lines) and common[place] >= common[beside]
        )

    def _both_say(self, told: Statement, place: int, beside: int, must: frozenset[str], needed: float) -> bool:
        lines = (self._lines[place], self._lines[beside])
        words = lines[0].content | lines[1].content
        return (
            len(told.content & words) >= needed
            and must <= words
            and lines[0].denies == told.denies
            and {*told.numbers} <= {*lines[0].numbers, *lines[1].numbers}
            and {*told.days} <= {*lines[0].days, *lines[1].days}
        )


def _details(sentence: str, told: Statement) -> frozenset[str]:
    """Content words none of which may be missing: names, and words with a digit or a mark in them."""
    names = {stem(name.lower().replace("’", "'")) for name in _NAME.findall(sentence)}
    return frozenset(word for word in told.content if word in names or not word.isalpha())
