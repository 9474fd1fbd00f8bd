"""Recall: what of everything that was said and noted belongs before the model now, and why the rest does not."""

from __future__ import annotations

import contextlib
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace

from localagent.abort import AbortSignal
from localagent.assembler import Recalled
from localagent.covering import Covering
from localagent.doubles import Bag
from localagent.errors import UsageError
from localagent.memory.entries import Memories, Memory
from localagent.memory.filters import parse_filter
from localagent.memory.language import words
from localagent.memory.searching import MemorySearch, Passage, Search
from localagent.policy import Candidate, Policies, Question, Ranked
from localagent.recall_block import IN_PART_CORRECTED, Block, build_block, day, in_part_corrected
from localagent.record import IN_PROMPT, RecallFate, RecallTrace
from localagent.sorting import CORRECTED, LookedAt, Sorting, beginning, current, name_of
from localagent.sorting import RecallLimits as RecallLimits
from localagent.sorting import Request as Request
from localagent.sticky import STRONG, SURE, Before, Now, Quoted, Room, in_order, keep, quoted_block, worth
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
# Kinds that stand in every prompt: how the user wants to be answered is rarely like the question.
WISHES = ("preference", "style")


@dataclass(frozen=True, slots=True)
class Recollection:
    """`recalled` for the assembler, `traces` for the record: first what is for the prompt, as it stands there, then the
    rest by rank. `degraded`: why only keywords were searched. `shown` tells the next turn what was chosen, and beside
    what."""

    recalled: tuple[Recalled, ...] = ()
    traces: tuple[RecallTrace, ...] = ()
    degraded: str = ""
    shown: Before | None = None


@dataclass(frozen=True, slots=True)
class _Looked:
    """What a search found, the best first; `answers`: rows before which a question stands."""

    at: Sequence[LookedAt]
    answers: frozenset[int]
    degraded: str


@dataclass(frozen=True, slots=True)
class _Choice:
    """What is quoted for a request, and how it was sorted; `kept`: the choice before was kept."""

    quoted: tuple[Quoted, ...]
    sorting: Sorting
    kept: frozenset[str] | None = None


@dataclass(frozen=True, slots=True)
class Result:
    """A passage that was found, with its parts. `retention` is 1 for messages; `corrected_by`: what corrects a part of
    an entry, in its words."""

    passage: Passage
    ranked: Ranked
    retention: float
    corrected_by: Sequence[str] = ()


class Recall:
    """Of one agent's memory. Raises Aborted and StorageError."""

    def __init__(
        self, search: MemorySearch, memories: Memories, policies: Policies, *, now: Callable[[], float] = time.time
    ) -> None:
        self._search = search
        self._memories = memories
        self._policies = policies
        self._now = now
        self._covered: tuple[tuple[str, ...], Covering] | None = None

    def search(self, search: Search, *, top_k: int, min_score: float, abort: AbortSignal) -> tuple[list[Result], str]:
        """The best passages above `min_score`, and in words why there were no vectors (empty if there were).

        Without `search.hidden`, superseded and archived entries are left out, and so are messages that only ask or
        say nothing, unless messages alone are searched. Doubles are shown once, the entry before its message.
        """
        ranked, candidates, degraded = self._ranked(_for_top(search, top_k), abort)
        answers = _answers(candidates)
        results: list[Result] = []
        taken: list[Bag] = []
        for passage, one in self._passages(ranked, max(CONSIDERED, SPARE * top_k), at_once=top_k + 2):
            if len(results) == top_k:
                break
            hidden = passage.memory is not None and passage.memory.state != "active"
            if one.score < min_score or (hidden and not search.hidden):
                continue
            if search.memories and not search.hidden:  # who looks among messages alone looks for what was said
                passage = current(passage)
                if passage.memory is None and not says_something(passage.text, answers=passage.row in answers):
                    continue
            if not passage.text:
                continue
            bag = Bag.of(passage.text)
            found = Result(passage, one, candidates[one.row].retention)
            double = next((at for at, other in enumerate(taken) if bag.says_same(other)), None)
            if double is None:
                taken.append(bag)
                results.append(found)
            elif passage.memory is not None and results[double].passage.memory is None:
                results[double] = found
        corrections = self._memories.corrections([name_of(one.passage) for one in results if one.passage.memory])
        return [replace(one, corrected_by=corrections.get(name_of(one.passage), ())) for one in results], degraded

    def for_turn(
        self, request: Request, limits: RecallLimits, abort: AbortSignal, before: Before | None = None
    ) -> Recollection:
        """What to put before the model for this request. `before`: what the thread's last prompt quoted; it stays while
        it holds (see `sticky`)."""
        standing, traces = self._standing(request, limits)
        if before is not None and before.basis != request.basis:
            before = None
        due = [memory for memory in standing if not _can_wait(memory, request, before)]
        ordered, same = in_order(before, [self._quoted(memory, 1.0, pinned=True) for memory in due])
        search = Search(
            text=request.text,
            context=request.previous if len(words(request.text, asking=True)) < THIN_WORDS else "",
            agent=request.agent,
            thread_id=request.thread_id,
            all_threads=request.all_threads,
            results=False,  # a page that was read once is not before the model in every talk to come
        )
        looked = self._looked(search, limits.top_k, abort)
        ids = frozenset(item.id for item in ordered)
        choice = self._kept(request, limits, ids, looked, before) if before is not None and same else None
        choice = choice or self._anew(request, limits, ids, looked)
        recalled = (*ordered, *(one.item for one in choice.quoted))
        places = {name: one.item.id for one in choice.quoted for name in _names(one)}
        found = choice.sorting.traces(
            places, frozenset(places) - (choice.kept or frozenset()), kept=choice.kept is not None
        )
        return Recollection(
            recalled=recalled,
            traces=_as_in_prompt(_each_once(traces, found), recalled),
            degraded=looked.degraded,
            shown=Before(request.basis, (*map(Quoted, ordered), *choice.quoted)),
        )

    def standing(self, request: Request, limits: RecallLimits) -> tuple[Recalled, ...]:
        """What is in every prompt of the request's thread, whatever it asks."""
        return tuple(self._quoted(memory, 1.0, pinned=True) for memory in self._standing(request, limits)[0])

    def block(self, search: Search, request: Request, limits: RecallLimits, abort: AbortSignal) -> Block:
        """The block of earlier messages alone that a turn with this request would be shown."""
        looked = self._looked(search, limits.top_k, abort)
        sorting = Sorting(request, limits, frozenset(), looked.answers, self._covering(request))
        sorting.take(looked.at)
        return build_block(sorting.earlier, limits.message_tokens, request.count, questions=sorting.questions)

    def _looked(self, search: Search, top_k: int, abort: AbortSignal) -> _Looked:
        ranked, candidates, degraded = self._ranked(_for_top(search, top_k), abort)
        at = [
            (current(passage), one, candidates[one.row].retention)
            for passage, one in self._passages(ranked, CONSIDERED)
        ]
        return _Looked(at, _answers(candidates), degraded)

    def _anew(self, request: Request, limits: RecallLimits, standing: frozenset[str], looked: _Looked) -> _Choice:
        sorting = Sorting(request, limits, standing, looked.answers, self._covering(request))
        sorting.take(looked.at)
        # Beside a summary, a block that is filled with whatever comes next is not worth its tokens in every prompt.
        earlier = [one for one in sorting.earlier if not request.basis[0] or worth(one[1], sorting.best) >= STRONG]
        block = build_block(earlier, limits.message_tokens, request.count, questions=sorting.questions)
        entries = (Quoted(self._quoted(memory, ranked.score)) for memory, ranked in sorting.entries)
        return _Choice((*entries, *quoted_block(block, earlier, sorting.questions)), sorting)

    def _kept(
        self, request: Request, limits: RecallLimits, standing: frozenset[str], looked: _Looked, before: Before
    ) -> _Choice | None:
        """What the last prompt quoted, with what is new and strong behind it; None where a new choice is due."""
        sorting = Sorting(request, limits, standing, looked.answers, self._covering(request), before.loose)
        sorting.take(looked.at)
        holds, reads = self._holding(before, request), self._reading(before, looked)
        scores = {name_of(passage): one.score for passage, one, _ in looked.at}
        now = Now(
            basis=request.basis,
            entries=[(self._quoted(memory, ranked.score), ranked.rank) for memory, ranked in sorting.entries],
            passages=sorting.earlier,
            best=sorting.best,
            holds={name: self._quoted(memory, scores.get(name, 0.0)) for name, memory in holds.items()},
            reads=reads,
            questions=sorting.questions,
            scores=scores,
        )
        sure = limits.min_score + SURE * (1 - limits.min_score)
        room = Room(limits.top_k, limits.message_tokens, request.count, request.behind, sure)
        quoted = keep(before, now, room)
        if quoted is None:
            return None
        sorting.stays([*map(_as_passage, holds.values()), *reads.values()])
        return _Choice(quoted, sorting, frozenset(name for one in before.loose for name in _names(one)))

    def _quoted(self, memory: Memory, score: float, *, pinned: bool = False) -> Recalled:
        """What corrects a part of it stands with it: that holds, whatever it says."""
        spoken = "" if memory.origin == "user" else f", from {memory.source or memory.origin}"
        since = in_part_corrected(self._memories.corrections((memory.id,)).get(memory.id, ()))
        note = f"{memory.kind}, {day(memory.valid_from)}{spoken}{since and f', {since}'}"
        wish = memory.origin == "user" and memory.kind in WISHES
        return Recalled(memory.id, memory.text, score, note, pinned, wish)

    def _covering(self, request: Request) -> Covering:
        """Of the summary, which is the same for many requests."""
        lines = request.basis[0]
        if self._covered is None or self._covered[0] != lines:
            self._covered = lines, Covering(lines)
        return self._covered[1]

    def _holding(self, before: Before, request: Request) -> dict[str, Memory]:
        """The entries that the last prompt quoted for its request, as far as they count now."""
        found: dict[str, Memory] = {}
        for one in before.loose:
            if not one.passages:
                with contextlib.suppress(UsageError):  # it was forgotten for good
                    memory = self._memories.get(one.item.id)
                    if memory.state == "active" and _counts_here(memory, request):
                        found[memory.id] = memory
        return found

    def _reading(self, before: Before, looked: _Looked) -> dict[str, Passage]:
        """The passages that the last prompt quoted, as they read now; without those that are gone."""
        wanted = {passage.key: passage.row for one in before.loose for passage in one.passages}
        seen = {passage.key: passage for passage, _, _ in looked.at if passage.key in wanted}
        rest = [row for key, row in wanted.items() if key not in seen]
        read = self._search.passages(rest) if rest else []
        return seen | {passage.key: current(passage) for passage in read if passage.key in wanted}

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
            note = "" if fits else f"{tokens - 1:,} tokens, {room:,} of {limits.preference_tokens:,} free"
            traces.append(_trace_of(memory, fate, note))
        return chosen, traces


def _can_wait(memory: Memory, request: Request, before: Before | None) -> bool:
    """A wish that was said a moment ago stands word for word among the recent messages: it comes to the others when
    the choice is made anew, and until then costs no prefix."""
    if before is None or memory.message_id not in request.shown:
        return False
    return all(memory.id != item.id for item in before.standing)


def _each_once(standing: Sequence[RecallTrace], found: Sequence[RecallTrace]) -> tuple[RecallTrace, ...]:
    """A standing entry has one trace: the search knows its score. One without room may be found by it; where it is not
    recalled so either, the reason is that it has no room, however well its pieces were found."""
    recalled = {trace.id for trace in found if trace.fate in IN_PROMPT}
    cramped = {trace.id: trace for trace in standing if trace.fate == "over budget" and trace.id not in recalled}
    best = {trace.id: trace for trace in reversed(found)}  # of an entry with many pieces the best
    told = [
        replace(best.get(one.id, one), text=one.text, fate=one.fate, note=one.note, block="")
        for one in cramped.values()
    ]
    rest = [trace for trace in found if trace.id not in cramped]
    return (*(trace for trace in standing if trace.id not in best and trace.id not in cramped), *told, *rest)


def _as_in_prompt(traces: Sequence[RecallTrace], recalled: Sequence[Recalled]) -> tuple[RecallTrace, ...]:
    """What is quoted first, in the prompt's order: there the wishes have a section before everything else."""
    order = [item.id for item in sorted(recalled, key=lambda item: not item.wish)]
    place = {name: position for position, name in enumerate(order)}
    partly = {item.id for item in recalled if IN_PART_CORRECTED in item.note}
    marked = (replace(one, note=CORRECTED) if one.id in partly and one.fate in IN_PROMPT else one for one in traces)
    return tuple(sorted(marked, key=lambda trace: place.get(trace.block, len(place))))


def _trace_of(memory: Memory, fate: RecallFate, note: str) -> RecallTrace:
    return RecallTrace(
        id=memory.id,
        kind=memory.kind,
        text=beginning(memory.text),
        fate=fate,
        note=note,
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


def _answers(candidates: Mapping[int, Candidate]) -> frozenset[int]:
    """Rows before which a question stands."""
    return frozenset(row + 1 for row, candidate in candidates.items() if candidate.ends_asking)


def _for_top(search: Search, top_k: int) -> Search:
    """With enough entries to choose from: some are doubles or stand in the prompt already."""
    return replace(search, entries=max(search.entries, SPARE * top_k))


def _names(quoted: Quoted) -> list[str]:
    """Of what stands in a quoted item."""
    return [passage.key for passage in quoted.passages] or [quoted.item.id]


def _as_passage(memory: Memory) -> Passage:
    """An entry that was not found, for its trace."""
    return Passage(-1, memory.id, memory.text, "", memory.valid_from, "", "", memory.message_id, memory=memory)


def _asked(text: str) -> str:
    half = ASKED_CHARACTERS // 2
    return text if len(text) <= ASKED_CHARACTERS else f"{text[:half]}\n{text[-half:]}"


def context_of(last_request: str, last_answer: str) -> str:
    """The last exchange, as far as it helps to understand a thin request."""
    return "\n".join(text[:CONTEXT_CHARACTERS] for text in (last_request, last_answer) if text)
