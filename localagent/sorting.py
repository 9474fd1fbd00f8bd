"""Sorting what recall looks at: which candidates a request is shown, and the fate of every other."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import TypeAlias

from localagent.covering import Covering
from localagent.cutting import cut_out
from localagent.doubles import Bag
from localagent.memory.entries import Memory
from localagent.memory.searching import Passage
from localagent.policy import Ranked
from localagent.record import RecallFate, RecallTrace
from localagent.sticky import Basis, Quoted
from localagent.substance import asks, says_something

# Of what was looked at, so much stands in the record.
TRACE_CHARACTERS = 200
# A passage in the prompt of which something was corrected or forgotten since: it stands there without that.
CORRECTED = "corrected"
# Why an entry is archived, as its trace notes it: somebody asked to forget it, or it has faded.
FORGOTTEN, FADED = "forgotten", "faded"
# What a trace calls the request, of which an earlier message can be a double.
THE_REQUEST = "the request"

# A candidate with its rank and its retention.
LookedAt: TypeAlias = tuple[Passage, Ranked, float]


@dataclass(frozen=True, slots=True)
class RecallLimits:
    """What may be recalled: entries, the least score, tokens of earlier messages and of standing preferences."""

    top_k: int
    min_score: float
    message_tokens: int
    preference_tokens: int


@dataclass(frozen=True, slots=True)
class Request:
    """What a turn asks of recall. `message_id` is its own, `previous` the last exchange; `shown` are the ids of
    messages that stand in the prompt anyway, as does what `basis` names: the lines of the summary, and the first of the
    recent messages, which have `behind` tokens. `count` counts tokens."""

    text: str
    agent: str
    thread_id: str
    previous: str
    shown: frozenset[int]
    all_threads: bool
    count: Callable[[str], int]
    message_id: int | None = None
    basis: Basis = ((), 0)
    behind: int = 0


class Sorting:
    """Decides the fate of each candidate, best first. `standing`: ids of entries that are in every prompt; `answers`:
    rows before which a question stands; `covering` the summary; `kept`: what stays in the prompt from the last one."""

    def __init__(
        self,
        request: Request,
        limits: RecallLimits,
        standing: frozenset[str],
        answers: frozenset[int],
        covering: Covering,
        kept: Sequence[Quoted] = (),
    ) -> None:
        self._request = request
        self._limits = limits
        self._standing = standing
        self._answers = answers
        self._asked = Bag.of(request.text)
        self._covering = covering
        self._bags = [(name, Bag.of(text, is_entry=is_entry)) for name, text, is_entry in _texts(kept)]
        self._kept = frozenset(name for name, _ in self._bags)
        self._near: set[int] = set()
        self._fates: list[tuple[Passage, Ranked, float, RecallFate, str]] = []
        self._earlier: list[tuple[Passage, float]] = []
        self.entries: list[tuple[Memory, Ranked]] = []
        self.questions: dict[int, Passage] = {}
        self.best = 0.0

    @property
    def earlier(self) -> list[tuple[Passage, float]]:
        """The passages to show with their ranks, best first."""
        return sorted(self._earlier, key=lambda one: (-one[1], one[0].row))

    def take(self, looked_at: Sequence[LookedAt]) -> None:
        """Entries first: a passage that says no more than one of them is its double, not the other way round. What
        stands beside a passage that fits comes with it, so the passages that fit are second."""
        fates = {}
        for passage, ranked, _ in sorted(looked_at, key=self._turn):
            fates[ranked.row] = fate, _ = self._fate(passage, ranked)
            if passage.memory is not None:
                if fate == "used":
                    self.entries.append((passage.memory, ranked))
            elif fate == "used":
                self._earlier.append((passage, ranked.rank))
                if self._fits(ranked):
                    self._near |= {passage.row - 1, passage.row + 1}
            elif fate == "says nothing" and asks(passage.text):
                self.questions[passage.row] = passage
                if self._fits(ranked):
                    self._near.add(passage.row + 1)
        self._fates = [(passage, ranked, retention, *fates[ranked.row]) for passage, ranked, retention in looked_at]
        best_first = sorted(looked_at, key=lambda one: -one[1].rank)
        self.best = next((one.rank for passage, one, _ in best_first if self._is_found(passage)), 0.0)

    def stays(self, passages: Sequence[Passage]) -> None:
        """What stays in the prompt and was not looked at for this request."""
        seen = {name_of(passage) for passage, *_ in self._fates}
        for passage in passages:
            if name_of(passage) not in seen:
                self._fates.append((passage, Ranked(passage.row, 0, 0, 0, 0), 1.0, "kept from before", ""))

    def traces(self, places: Mapping[str, str], added: frozenset[str], *, kept: bool) -> list[RecallTrace]:
        """One for each, those in the prompt by time. `places`: the quoted item that each of them stands in, by name;
        `added`: which of them were quoted for this request. `kept`: the choice before was kept, else made anew."""
        by_time = [one for one in self._fates if name_of(one[0]) in places]
        by_time.sort(key=lambda one: (one[0].said_at, one[0].row))
        others = [one for one in self._fates if name_of(one[0]) not in places]
        traces = []
        for passage, ranked, retention, fate, note in (*by_time, *others):
            name, memory = name_of(passage), passage.memory
            place = places.get(name, memory.id if memory is not None and fate == "standing" else "")
            if fate == "used" and not place:
                fate = "not worth a new prefix" if kept else "over budget"
            elif name in places and fate != "used":  # the question of an answer is quoted with it
                fate, note = ("used" if name in added else "kept from before"), ""
            if name in places and memory is None and passage.outdated:
                note = CORRECTED
            traces.append(
                RecallTrace(
                    id=name,
                    kind="message" if memory is None else memory.kind,
                    text=beginning(passage.text),
                    vector=round(ranked.vector, 4),
                    keyword=round(ranked.keyword, 4),
                    retention=round(retention, 4),
                    score=round(ranked.score, 4),
                    fate=fate,
                    note=note,
                    block=place,
                    thread_id=passage.thread_id if memory is None else "",
                    message_id=passage.message_id if memory is None else None,
                )
            )
        return traces

    def _turn(self, one: LookedAt) -> int:
        passage, ranked, _ = one
        return 0 if passage.memory is not None else 1 if self._fits(ranked) else 2

    def _fits(self, ranked: Ranked) -> bool:
        return ranked.score >= self._limits.min_score

    def _is_found(self, passage: Passage) -> bool:
        """Not the request itself, nor what repeats it or asks the like, nor what no longer holds."""
        if passage.memory is not None:
            return passage.memory.state == "active" and bool(passage.text)
        if not passage.text or passage.message_id == self._request.message_id is not None:
            return False
        return says_something(passage.text) and not Bag.of(passage.text).says_same(self._asked)

    def _fate(self, passage: Passage, ranked: Ranked) -> tuple[RecallFate, str]:
        memory = passage.memory
        if memory is not None:
            if memory.state != "active":
                return memory.state, memory.superseded_by or _put_away(memory)
            if memory.id in self._standing:
                return "standing", ""
            if any(memory.id == taken.id for taken, _ in self.entries):
                return "double", memory.id
        if not passage.text:
            return "superseded", ""
        if not self._fits(ranked) and passage.row not in self._near:
            return "below threshold", f"{self._limits.min_score:g}"
        message_id = passage.message_id if memory is None else memory.message_id
        if message_id is not None and message_id in self._request.shown:
            return "in the recent messages", ""
        if not _says_something(passage, self._answers):
            return "says nothing", ""
        if self._covering.covers(passage.text):
            return "in the summary", ""
        if memory is not None and len(self.entries) >= self._limits.top_k:
            return "beyond top_k", ""
        return self._double(passage)

    def _double(self, passage: Passage) -> tuple[RecallFate, str]:
        if name_of(passage) in self._kept:
            return "used", ""
        is_entry = passage.memory is not None
        bag = Bag.of(passage.text, is_entry=is_entry)
        if not is_entry and bag.says_same(self._asked):
            return "double", THE_REQUEST
        for key, other in self._bags:
            if bag.says_same(other) or (not is_entry and other.is_entry and bag.hardly_more_than(other)):
                return "double", key
        self._bags.append((name_of(passage), bag))
        return "used", ""


def _texts(kept: Sequence[Quoted]) -> list[tuple[str, str, bool]]:
    """The names and texts of what is quoted, and whether each is an entry."""
    entries = [(one.item.id, one.item.text, True) for one in kept if not one.passages]
    return entries + [(name_of(passage), passage.text, False) for one in kept for passage in one.passages]


def current(passage: Passage) -> Passage:
    """A passage without its sentences that no longer hold: what was corrected later must not stand there as if it did.
    Nothing may be left of it."""
    if not passage.outdated:
        return passage
    memory = passage.memory
    if memory is not None:
        memory = replace(memory, text=cut_out(memory.text, passage.outdated))
    return replace(passage, text=cut_out(passage.text, passage.outdated), memory=memory)


def beginning(text: str) -> str:
    """What a trace holds of a text. What is not whole ends with an ellipsis."""
    return text if len(text) <= TRACE_CHARACTERS else f"{text[: TRACE_CHARACTERS - 1]}…"


def name_of(passage: Passage) -> str:
    return passage.memory.id if passage.memory is not None else passage.key


def _says_something(passage: Passage, answers: frozenset[int]) -> bool:
    """An entry does; a message that only asks, or is there to keep the talk going, does not."""
    return passage.memory is not None or says_something(passage.text, answers=passage.row in answers)


def _put_away(memory: Memory) -> str:
    """Nothing for one that is not archived. What was forgotten holds no longer; what has faded may."""
    if memory.state != "archived":
        return ""
    return FADED if memory.valid_to is None else FORGOTTEN
