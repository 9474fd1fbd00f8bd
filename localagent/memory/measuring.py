"""What a ranking policy is told of each passage that was found."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence

from localagent.memory.entries import Memory
from localagent.memory.found_row import FoundRow
from localagent.memory.keywords import ONCE, Weights
from localagent.memory.language import dates_in, day_match, named, names_time, question_share, words
from localagent.memory.pieces import local_day
from localagent.memory.searching import Passage
from localagent.policy import Candidate

# Two forms of a word that begin alike by so many characters are taken for one: passages of other homes are in no
# keyword index here.
_STEM = 5


class Measure:
    """For one question at one time."""

    def __init__(
        self,
        text: str,
        weights: Weights,
        speakers: Sequence[str],
        retention: Callable[[Memory, float], float],
        now: float,
    ) -> None:
        self._asked = [date for date in dates_in(text) if date[1]]
        self._named = named(text, speakers)
        self._weights = weights
        self._retention = retention
        self._now = now

    def own(
        self, rows: Iterable[FoundRow], cosines: Mapping[int, float], entries: Mapping[str, Memory]
    ) -> Iterator[Candidate]:
        """Passages of messages, and of those entries."""
        weights = self._weights
        for found in rows:
            memory = entries.get(found.memory_id) if found.memory_id is not None else None
            if found.memory_id is not None and memory is None:
                continue
            yield Candidate(
                row=found.row,
                session=found.session,
                cosine=cosines.get(found.row, 0.0),
                keyword=weights.rows.get(found.row, 0.0),
                keyword_share=min(1.0, weights.own.get(found.row, 0.0) / weights.ideal),
                day=self._day(found.said_at, memory) if self._asked else 0.0,
                asks=found.asks,
                ends_asking=bool(found.ends_asking),
                times=bool(found.times),
                named=bool(self._named) and found.speaker.lower() in self._named,
                is_memory=memory is not None,
                retention=1.0 if memory is None else self._retention(memory, self._now),
                embedded=found.row in cosines,
            )

    def foreign(self, passage: Passage, cosine: float) -> Candidate:
        """A passage of another home: its words are compared here and now."""
        keyword = ONCE * _shared(self._weights.words, words(f"{passage.speaker} {passage.text}"))
        asks, ends_asking = question_share(passage.text)
        return Candidate(
            row=passage.row,
            session=passage.session,
            cosine=cosine,
            keyword=keyword,
            keyword_share=min(1.0, keyword / self._weights.ideal),
            day=self._day(passage.said_at, passage.memory),
            asks=asks,
            ends_asking=ends_asking,
            times=names_time(passage.text),
            named=passage.speaker.lower() in self._named,
            is_memory=passage.memory is not None,
            retention=1.0 if passage.memory is None else self._retention(passage.memory, self._now),
        )

    def _day(self, said_at: float, memory: Memory | None) -> float:
        """Of the day it was said; of an appointment also of the day it falls due."""
        times = (said_at, memory.due_at if memory else None)
        days = [local_day(time) for time in times if time is not None]
        return max((day_match(self._asked, day) for day in days if day), default=0.0)


def _shared(weights: Mapping[str, float], found: Sequence[str]) -> float:
    """The weight of the words that are in both."""
    there = {word[:_STEM] for word in found}
    return sum(weight for word, weight in weights.items() if word[:_STEM] in there)
