"""Recall: what of everything that was said and noted belongs before the model now, and why the rest does not."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace

from localagent.abort import AbortSignal
from localagent.assembler import Recalled
from localagent.doubles import Bag
from localagent.memory.entries import Memories, Memory
from localagent.memory.filters import parse_filter
from localagent.memory.language import words
from localagent.memory.searching import MemorySearch, Passage, Search
from localagent.policy import Candidate, Policies, Question, Ranked
from localagent.recall_block import Block, build_block, day
from localagent.record import RecallFate, RecallTrace
from localagent.substance import says_something

# So many of the best candidates are looked at; what ranks lower has never been worth its tokens.
CONSIDERED = 120
# Entries are looked at, so many for each that is wanted.
SPARE = 4
# A request of fewer words that mean something ("and that one?") is looked for together with the last exchange.
THIN_WORDS = 3
CONTEXT_CHARACTERS = 400
# Of a longer request (a pasted page), its beginning and its end are looked for: what is asked stands there, and an
# embedder reads some hundred characters in the time that a person waits.
ASKED_CHARACTERS = 1000
# Standing preferences are read newest first; more than these have no room anyway.
MOST_STANDING = 200
TRACE_CHARACTERS = 80
# What a trace calls the request, of which an earlier message can be a double.
THE_REQUEST = "the request"
BLOCK_ID = "earlier"
# Kinds that stand in every prompt: how the user wants to be answered is rarely like the question.
WISHES = ("preference", "style")


@dataclass(frozen=True, slots=True)
class RecallLimits:
    """What may be recalled: entries, the least score, tokens of earlier messages and of standing preferences."""

    top_k: int
    min_score: float
    message_tokens: int
    preference_tokens: int


@dataclass(frozen=True, slots=True)
class Request:
    """What a turn asks of recall. `previous` is the last exchange; `shown` are the ids of messages that stand in the
    prompt anyway; `count` counts tokens."""

    text: str
    agent: str
    thread_id: str
    previous: str
    shown: frozenset[int]
    all_threads: bool
    count: Callable[[str], int]


@dataclass(frozen=True, slots=True)
class Recollection:
    """`recalled` for the assembler, `traces` for the record: first what is for the prompt, as it stands there, then the
    rest by rank. `degraded`: why only keywords were searched."""

    recalled: tuple[Recalled, ...] = ()
    traces: tuple[RecallTrace, ...] = ()
    degraded: str = ""


@dataclass(frozen=True, slots=True)
class Result:
    """A passage that was found, with its parts. `retention` is 1 for messages."""

    passage: Passage
    ranked: Ranked
    retention: float


class Recall:
    """Of one agent's memory. Raises Aborted and StorageError."""

    def __init__(
        self, search: MemorySearch, memories: Memories, policies: Policies, *, now: Callable[[], float] = time.time
    ) -> None:
        self._search = search
        self._memories = memories
        self._policies = policies
        self._now = now

    def search(self, search: Search, *, top_k: int, min_score: float, abort: AbortSignal) -> tuple[list[Result], str]:
        """The best passages above `min_score`, and in words why there were no vectors (empty if there were).

        Without `search.hidden`, superseded and archived entries are left out, and so are messages that only ask or
        say nothing, unless messages alone are searched. Doubles are shown once.
        """
        ranked, candidates, degraded = self._ranked(_for_top(search, top_k), abort)
        answers = _answers(candidates)
        results: list[Result] = []
        taken: list[Bag] = []
        for passage, one in self._passages(ranked, max(CONSIDERED, SPARE * top_k), at_once=top_k + 5):
            if len(results) == top_k:
                break
            hidden = passage.memory is not None and passage.memory.state != "active"
            if one.score < min_score or (hidden and not search.hidden):
                continue
            if search.memories and not search.hidden:  # who looks among messages alone looks for what was said
                passage = _current(passage)
                if not _says_something(passage, answers):
                    continue
            if not passage.text:
                continue
            bag = Bag.of(passage.text)
            if any(bag.says_same(other) for other in taken):
                continue
            taken.append(bag)
            results.append(Result(passage, one, candidates[one.row].retention))
        return results, degraded

    def for_turn(self, request: Request, limits: RecallLimits, abort: AbortSignal) -> Recollection:
        """What to put before the model for this request."""
        standing, traces = self._standing(request, limits)
        search = Search(
            text=request.text,
            context=request.previous if len(words(request.text, asking=True)) < THIN_WORDS else "",
            agent=request.agent,
            thread_id=request.thread_id,
            all_threads=request.all_threads,
        )
        sorting, degraded = self._sorted(search, request, limits, {memory.id for memory in standing}, abort)
        block = sorting.block()
        recalled = (
            *(_quoted(memory, 1.0, pinned=True) for memory in standing),
            *(_quoted(memory, score) for memory, score in sorting.entries),
            *_block_item(block, sorting),
        )
        found = _each_once(traces, sorting.traces(block))
        return Recollection(recalled=recalled, traces=_as_in_prompt(found, recalled), degraded=degraded)

    def standing(self, request: Request, limits: RecallLimits) -> tuple[Recalled, ...]:
        """What is in every prompt of the request's thread, whatever it asks."""
        return tuple(_quoted(memory, 1.0, pinned=True) for memory in self._standing(request, limits)[0])

    def block(self, search: Search, request: Request, limits: RecallLimits, abort: AbortSignal) -> Block:
        """The block of earlier messages alone that a turn with this request would be shown."""
        return self._sorted(search, request, limits, set(), abort)[0].block()

    def _sorted(
        self, search: Search, request: Request, limits: RecallLimits, standing: set[str], abort: AbortSignal
    ) -> tuple[_Sorting, str]:
        ranked, candidates, degraded = self._ranked(_for_top(search, limits.top_k), abort)
        sorting = _Sorting(request, limits, standing, _answers(candidates))
        looked_at = [
            (_current(passage), one, candidates[one.row].retention)
            for passage, one in self._passages(ranked, CONSIDERED)
        ]
        sorting.take(looked_at)
        return sorting, degraded

    def _ranked(self, search: Search, abort: AbortSignal) -> tuple[Sequence[Ranked], dict[int, Candidate], str]:
        found = self._search.find(replace(search, text=_asked(search.text)), abort)
        candidates = {candidate.row: candidate for candidate in found.candidates}
        question: Question = found.question
        return self._policies.recall(question, found.candidates), candidates, found.degraded

    def _passages(
        self, ranked: Sequence[Ranked], most: int, at_once: int = CONSIDERED
    ) -> Iterator[tuple[Passage, Ranked]]:
        """With their texts, best first; what was deleted meanwhile is left out."""
        for start in range(0, min(most, len(ranked)), at_once):
            best = {one.row: one for one in ranked[start : min(start + at_once, most)]}
            yield from ((passage, best[passage.row]) for passage in self._search.passages(list(best)))

    def _standing(self, request: Request, limits: RecallLimits) -> tuple[list[Memory], list[RecallTrace]]:
        """Pinned entries and standing preferences within their own budget, whatever the question is."""
        preferences = self._memories.select(parse_filter({"kind": WISHES}), limit=MOST_STANDING)
        pinned = self._memories.select(pinned=True, limit=MOST_STANDING)
        found = {memory.id: memory for memory in (*pinned, *preferences) if _counts_here(memory, request)}
        order = sorted(found.values(), key=lambda m: (not m.pinned, -m.importance, -m.valid_from, m.id))
        chosen, traces, room = [], [], limits.preference_tokens
        for memory in order:
            tokens = request.count(memory.text) + 1
            fits = tokens <= room
            if fits:
                room -= tokens
                chosen.append(memory)
            fate: RecallFate = "standing" if fits else "over budget"
            traces.append(_trace_of(memory, fate))
        return chosen, traces


class _Sorting:
    """Decides the fate of each candidate, best first. `answers`: rows before which a question stands."""

    def __init__(self, request: Request, limits: RecallLimits, standing: set[str], answers: frozenset[int]) -> None:
        self._request = request
        self._limits = limits
        self._standing = standing
        self._answers = answers
        self._asked = Bag.of(request.text)
        self._bags: list[tuple[str, Bag]] = []
        self._near: set[int] = set()
        self._fates: list[tuple[Passage, Ranked, float, RecallFate, str]] = []
        self.entries: list[tuple[Memory, float]] = []
        self._earlier: list[tuple[Passage, float]] = []
        self._questions: dict[int, Passage] = {}

    def take(self, looked_at: Sequence[tuple[Passage, Ranked, float]]) -> None:
        """Entries first: a passage that says no more than one of them is its double, not the other way round. What
        stands beside a passage that fits comes with it, so the passages that fit are second."""
        fates = {}
        for passage, ranked, _ in sorted(looked_at, key=self._turn):
            fates[ranked.row] = fate, _ = self._fate(passage, ranked)
            if passage.memory is not None:
                if fate == "used":
                    self.entries.append((passage.memory, ranked.score))
            elif fate == "used":
                self._earlier.append((passage, ranked.rank))
                if self._fits(ranked):
                    self._near |= {passage.row - 1, passage.row + 1}
            elif fate == "says nothing":
                self._questions[passage.row] = passage
                if self._fits(ranked):
                    self._near.add(passage.row + 1)
        self._fates = [(passage, ranked, retention, *fates[ranked.row]) for passage, ranked, retention in looked_at]

    def block(self) -> Block:
        earlier = sorted(self._earlier, key=lambda one: (-one[1], one[0].row))
        return build_block(earlier, self._limits.message_tokens, self._request.count, questions=self._questions)

    def _turn(self, one: tuple[Passage, Ranked, float]) -> int:
        passage, ranked, _ = one
        return 0 if passage.memory is not None else 1 if self._fits(ranked) else 2

    def _fits(self, ranked: Ranked) -> bool:
        return ranked.score >= self._limits.min_score

    def _fate(self, passage: Passage, ranked: Ranked) -> tuple[RecallFate, str]:
        memory = passage.memory
        if memory is not None:
            if memory.state != "active":
                return memory.state, memory.superseded_by
            if memory.id in self._standing:
                return "standing", ""
            if any(memory.id == taken.id for taken, _ in self.entries):
                return "double", memory.id
        elif not passage.text:
            return "superseded", ""
        if not self._fits(ranked) and passage.row not in self._near:
            return "below threshold", f"{self._limits.min_score:g}"
        message_id = passage.message_id if memory is None else memory.message_id
        if message_id is not None and message_id in self._request.shown:
            return "in the recent messages", ""
        if memory is not None and len(self.entries) >= self._limits.top_k:
            return "beyond top_k", ""
        if not _says_something(passage, self._answers):
            return "says nothing", ""
        return self._double(passage)

    def _double(self, passage: Passage) -> tuple[RecallFate, str]:
        is_entry = passage.memory is not None
        bag = Bag.of(passage.text, is_entry=is_entry)
        if not is_entry and bag.says_same(self._asked):
            return "double", THE_REQUEST
        for key, other in self._bags:
            if bag.says_same(other) or (not is_entry and other.is_entry and bag.hardly_more_than(other)):
                return "double", key
        self._bags.append((_name(passage), bag))
        return "used", ""

    def traces(self, block: Block) -> list[RecallTrace]:
        """One for each that was looked at, those in the block by time; passages without room there are over budget."""
        traces = []
        by_time = [one for one in self._fates if one[0].row in block.rows]
        by_time.sort(key=lambda one: (one[0].said_at, one[0].row))
        others = (one for one in self._fates if one[0].row not in block.rows)
        for passage, ranked, retention, fate, note in (*by_time, *others):
            is_message = passage.memory is None
            if fate == "used" and is_message and passage.row not in block.rows:
                fate = "over budget"
            elif fate == "says nothing" and passage.row in block.rows:  # the question of an answer
                fate = "used"
            traces.append(
                RecallTrace(
                    id=_name(passage),
                    kind="message" if passage.memory is None else passage.memory.kind,
                    text=passage.text[:TRACE_CHARACTERS],
                    vector=round(ranked.vector, 4),
                    keyword=round(ranked.keyword, 4),
                    retention=round(retention, 4),
                    score=round(ranked.score, 4),
                    fate=fate,
                    note=note,
                    block=_block_of(passage, fate),
                    thread_id=passage.thread_id if is_message else "",
                    message_id=passage.message_id if is_message else None,
                )
            )
        return traces


def _for_top(search: Search, top_k: int) -> Search:
    """With enough entries to choose from: some are doubles or stand in the prompt already."""
    return replace(search, entries=max(search.entries, SPARE * top_k))


def _block_item(block: Block, sorting: _Sorting) -> tuple[Recalled, ...]:
    if not block.rows:
        return ()
    # Of everything recalled, the verbatim passages give way first: entries are shorter and say more for their tokens.
    lowest = min((score for _, score in sorting.entries), default=1.0)
    return (Recalled(BLOCK_ID, block.text, min(lowest, 0.0) - 1.0, "said in earlier messages"),)


def _quoted(memory: Memory, score: float, *, pinned: bool = False) -> Recalled:
    spoken = "" if memory.origin == "user" else f", from {memory.source or memory.origin}"
    wish = memory.origin == "user" and memory.kind in WISHES
    return Recalled(memory.id, memory.text, score, f"{memory.kind}, {day(memory.valid_from)}{spoken}", pinned, wish)


def _each_once(standing: Sequence[RecallTrace], found: Sequence[RecallTrace]) -> tuple[RecallTrace, ...]:
    """A standing entry has one trace: the search knows its score; a preference without room may be found by it."""
    searched = {trace.id for trace in found}
    return (*(trace for trace in standing if trace.id not in searched), *found)


def _as_in_prompt(traces: Sequence[RecallTrace], recalled: Sequence[Recalled]) -> tuple[RecallTrace, ...]:
    """What is quoted first, in the prompt's order: there the wishes have a section before everything else."""
    order = [item.id for item in sorted(recalled, key=lambda item: not item.wish)]
    place = {name: position for position, name in enumerate(order)}
    return tuple(sorted(traces, key=lambda trace: place.get(trace.block, len(place))))


def _trace_of(memory: Memory, fate: RecallFate) -> RecallTrace:
    return RecallTrace(
        id=memory.id,
        kind=memory.kind,
        text=memory.text[:TRACE_CHARACTERS],
        fate=fate,
        block=memory.id if fate == "standing" else "",
    )


def _counts_here(memory: Memory, request: Request) -> bool:
    match memory.scope:
        case "all":
            return True
        case "agent":
            return memory.agent == request.agent
        case "thread":
            return memory.thread_id == request.thread_id


def _block_of(passage: Passage, fate: RecallFate) -> str:
    """The quoted item that a passage stands in; empty where it is not in the prompt by way of recall."""
    if fate not in ("used", "standing"):
        return ""
    return BLOCK_ID if passage.memory is None else passage.memory.id


def _current(passage: Passage) -> Passage:
    """A passage of a message without its sentences that no longer hold: what was corrected later must not stand there
    as if it did. Nothing may be left of it."""
    text = passage.text
    for sentence in passage.outdated:
        text = text.replace(sentence, "")
    if text == passage.text:
        return passage
    return replace(passage, text=text.strip() if any(char.isalnum() for char in text) else "")


def _answers(candidates: Mapping[int, Candidate]) -> frozenset[int]:
    """Rows before which a question stands."""
    return frozenset(row + 1 for row, candidate in candidates.items() if candidate.ends_asking)


def _says_something(passage: Passage, answers: frozenset[int]) -> bool:
    """An entry does; a message that only asks, or is there to keep the talk going, does not."""
    return passage.memory is not None or says_something(passage.text, answers=passage.row in answers)


def _name(passage: Passage) -> str:
    return passage.memory.id if passage.memory is not None else passage.key


def _asked(text: str) -> str:
    half = ASKED_CHARACTERS // 2
    return text if len(text) <= ASKED_CHARACTERS else f"{text[:half]}\n{text[-half:]}"


def context_of(last_request: str, last_answer: str) -> str:
    """The last exchange, as far as it helps to understand a thin request."""
    return "\n".join(text[:CONTEXT_CHARACTERS] for text in (last_request, last_answer) if text)
