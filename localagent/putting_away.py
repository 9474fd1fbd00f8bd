"""What a message asks to forget, found: the entries that its requests mean, and what messages say of it beside them."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from typing import get_args

from localagent.errors import EmbeddingFailed, EnvironmentFault
from localagent.excepted import is_excepted
from localagent.forgetting import Request, asked_to_forget, lets_go
from localagent.known_of import also_called, may_name_somebody
from localagent.meant import in_its_place, meant
from localagent.memory.base import StoredMessage, Thread
from localagent.memory.classifying import Classifier
from localagent.memory.entries import Kind, Memories, Memory
from localagent.memory.filters import Condition
from localagent.named_freely import all_named, is_stated, meant_freely, named_in, says, states
from localagent.nearby import nearest
from localagent.noted import has
from localagent.planned import WISHES
from localagent.repetitions import said_after, statements_of
from localagent.spoken import spoken
from localagent.statements import statement, words_in
from localagent.told_of import of_what_went_before
from localagent.written import Unclear

# What may be forgotten because a message asks for it; files are forgotten as a whole.
FORGETTABLE: tuple[Kind, ...] = tuple(kind for kind in get_args(Kind) if kind != "document")
# What is near in meaning to what a request names; how to answer is near to every request.
GUESSED = tuple(kind for kind in FORGETTABLE if kind not in WISHES)
MOST_STANDING = 200
MOST_NAMED = 40
MOST_NEAR = 12
# A request and an entry whose vectors have a lower cosine are about different things (of 22 requests that meant none of
# 15 entries, 21 stay below it; of 26 that meant one in other words, 19 reach it); from this one on less than
# the nearest, an entry is not asked about.
NEAR = 0.27
AS_NEAR = 0.12
# So few words name something, and say nothing of it.
FEW = 2
# The reason behind a request, not "my new one is 4471".
_TO_ITS_END = re.compile(
    r"(?<![.!?。！？\n])(?:(?!\b(?:my|our|new)\b|[我新]的?)[^.!?。！？\n\d])*+[.!?。！？]*(?=\s|$)", re.IGNORECASE
)
# Between the words of a file's name.
_WORDS = re.compile(r"[^\w]+|_+")
_MINE = re.compile(r"(?:my|our)\b", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class Forgotten:
    """`going`: entries, each with the words that ask for it; `unclear`: the requests that name none without doubt;
    `hidden`: what is not recalled beside, with the ids of its messages: the requests, and what made no entry; `unsaid`:
    requests that only keep out of memory what they say themselves."""

    going: tuple[tuple[Memory, str], ...]
    unclear: tuple[Unclear, ...]
    hidden: tuple[tuple[int, str], ...]
    unsaid: tuple[str, ...] = ()


def without_doubles(
    unsaid: Sequence[str], going: Sequence[tuple[Memory, str]], unclear: Sequence[Unclear]
) -> tuple[tuple[str, ...], tuple[Unclear, ...]]:
    """What of these needs a line: what puts an entry away or asks about one says all, and what is not noted anyway need
    not be found."""
    found = [replace(one, memories=_hardly_else(one)) if _is_of(one, unsaid) else one for one in unclear]
    asked = [*(asked for _, asked in going), *(one.about for one in found if one.memories)]
    kept = tuple(one for one in unsaid if not any(has(one, about) for about in asked))
    return kept, tuple(one for one in found if one.memories or one.passages or not _is_of(one, unsaid))


def _is_of(unclear: Unclear, unsaid: Sequence[str]) -> bool:
    """Whether it is a part of what is not noted, and that no request itself: "delete what I said about my weight"."""
    return any(has(text, unclear.about) and not _asks(text) for text in unsaid)


def _asks(text: str) -> bool:
    """Whether it names what was told before, and does not say it: "this: I've been looking at flats"."""
    return any(one.told and not is_stated(one.about.partition(": ")[2]) for one in asked_to_forget(text))


def _hardly_else(unclear: Unclear) -> tuple[Memory, ...]:
    """Of the entries that it may mean, those that have half of its words: "don't remember this: I've been looking at
    flats for Mum" says something itself, and means no entry about Mum."""
    named = named_in(unclear.about)
    if words_in(named) <= FEW:
        return unclear.memories
    common = ((memory, named & statement(memory.text).content) for memory in unclear.memories)
    return tuple(memory for memory, shared in common if 2 * words_in(shared) >= words_in(named))


class PuttingAway:
    """Of one message in its thread."""

    def __init__(
        self,
        memories: Memories,
        classifier: Callable[[], Classifier | None],
        message: StoredMessage,
        thread: Thread,
        gone: Sequence[Memory] = (),
    ) -> None:
        """`gone`: entries that were put away since; what it meant is asked of them as well."""
        self._memories = memories
        self._classifier = classifier
        self._message = message
        self._thread = thread
        self._gone = gone

    def of(self, requests: Sequence[Request]) -> Forgotten:
        going: dict[str, tuple[Memory, str]] = {}
        unclear: list[Unclear] = []
        hidden: list[tuple[int, str]] = []
        unsaid: list[str] = []
        for request in requests:
            clear, near = self._meant(request)
            joined = request.named == "free" and states(request.about)
            clear = [memory for memory in clear if says(request.asked, memory)] if joined else clear
            clear += [] if joined else self._in_their_place(request, clear)
            everything = request.named == "everything"
            said: tuple[tuple[int, str], ...] = ()
            if not near and not everything and (not clear or request.named == "all"):
                bare = request.named == "free" and not joined and lets_go(request.asked)
                of_it = replace(request, named="subject") if bare else request
                said = tuple(one for one in statements_of(self._memories, of_it) if one[0] <= self._message.id)
                hidden += said
                clear = [*clear, *(self._going_with(said) if request.told else ())]
            if not everything and (clear or near or said or request.of_memory):
                hidden += [(self._message.id, one) for one in self._asking(request.asked, bool(clear))]
            going |= {memory.id: (memory, request.asked) for memory in clear}
            if joined and not clear:
                unsaid.append(request.asked)
                continue
            # "Delete my salary" may be of a text: it asks only where an entry is near in meaning.
            may = request.of_memory or (request.named == "own" and bool(_MINE.match(request.about)))
            if not (clear or near or said) and may and not everything and request.named != "free":
                near = self._in_other_words(request)
            files = self._files(request) if not (clear or near or said) else ()
            if files:
                unclear.append(Unclear(request.about, (), files=files))
                hidden.append((self._message.id, request.asked))
            elif near or (not clear and (request.of_memory or said)):
                active = tuple(one for one in near if one.state == "active")
                unclear.append(Unclear(request.about, active, () if near else said, everything=everything))
        return Forgotten(tuple(going.values()), tuple(unclear), tuple(hidden), tuple(unsaid))

    def _meant(self, request: Request) -> tuple[list[Memory], list[Memory]]:
        """The entries that it names without doubt, and those that it may mean."""
        if request.named == "free":
            # "You can drop what I said about the salary" is near to less than "the salary".
            found = self._nearest(request.asked) or self._nearest(request.about)
            near = [one for one in found if not is_excepted(one.text, request.but)]
            bare = lets_go(request.asked) is not None
            return meant_freely(request.about, self._nameable(request), near, bare)
        if request.named == "quiet":
            return meant_freely(request.about, self._nameable(request), (), bare=True)
        if request.named in ("alone", "perhaps"):
            clear, near = meant_freely(request.about, self._nameable(request), ())
            sure = not request.asks and all(all_named(request.about, memory) for memory in clear)
            return (clear, near) if sure else ([], [*clear, *near])
        return meant(request, self._nameable(request))

    def _asking(self, asked: str, hidden: bool) -> Iterator[str]:
        """A request, unless it is hidden anyway, and the reason behind it: who asks about the door code is not to
        be told that it was changed. Not what tells something new."""
        text = spoken(self._message).text
        start = text.find(asked)
        if not hidden:
            yield asked
        reason = _TO_ITS_END.match(text, start + len(asked)) if start >= 0 else None
        if reason is not None and re.search(r"\w", reason[0]):
            yield reason[0].strip(" ,，")

    def _in_their_place(self, request: Request, clear: Sequence[Memory]) -> list[Memory]:
        """What says something else of the same, and what corrects a part of it: who forgets the course forgets its new
        day."""
        found = [one for memory in clear for one in self._memories.alike(memory.text, FORGETTABLE, limit=MOST_NAMED)]
        also = [*in_its_place(request, clear, found), *self._bound(request, clear, found)]
        return [one for one in also if self._may_be_meant(one)]

    def _bound(self, request: Request, clear: Sequence[Memory], found: Sequence[Memory]) -> Iterator[Memory]:
        """What corrects a part of an entry and, where all of it is meant, what that corrects."""
        if request.named not in ("all", "subject", "free"):
            return
        since = self._memories.corrections({one.id for one in (*clear, *found)})
        newer = {text for one in clear for text in since.get(one.id, ())}
        texts = {one.text for one in clear} if request.named == "all" else set[str]()
        for one in found:
            if one.text in newer or not texts.isdisjoint(since.get(one.id, ())):
                yield one

    def _in_other_words(self, request: Request) -> list[Memory]:
        """Entries that it may mean, where its words name none."""
        about = request.asked if request.named == "slot" else request.about
        clear, near = self._meant(replace(request, about=about, named="free"))
        return clear or near

    def _nearest(self, text: str) -> list[Memory]:
        """Entries that are near in meaning, and about as near as the nearest of them, best first."""
        classifier = self._classifier()
        if classifier is None:
            return []
        try:
            found = list(nearest(self._memories, classifier, text, MOST_NEAR, NEAR))
        except (EmbeddingFailed, EnvironmentFault):
            return []
        near = [(cosine, one) for cosine, one in found if one.kind in GUESSED and self._may_be_meant(one)]
        return [one for cosine, one in near if cosine >= near[0][0] - AS_NEAR]

    def _going_with(self, said: Sequence[tuple[int, str]]) -> Iterator[Memory]:
        """Entries made of a sentence that names what is to be forgotten, whose subject is that: 明年八月到期."""
        for message_id, sentence in said:
            for memory in self._memories.alike(sentence, FORGETTABLE, limit=MOST_NAMED):
                its = memory.message_id == message_id and of_what_went_before(memory.text)
                if its and has(sentence, memory.evidence) and self._may_be_meant(memory):
                    yield memory

    def _nameable(self, request: Request) -> list[Memory]:
        """Active entries that a request in this thread may mean."""
        if request.named == "slot":
            where = Condition("kind", "$in", ("profile", "preference", "fact", "event", "relationship"))
            found = self._memories.select(where, limit=MOST_STANDING)
        else:
            found = self._memories.alike(request.about, FORGETTABLE, limit=MOST_NAMED)
        if may_name_somebody(request.about):  # "my brother" is Tom as well
            found += self._memories.select(Condition("kind", "$in", FORGETTABLE), limit=MOST_STANDING)
            also = also_called(request.about, [memory.text for memory in found])
            found += self._memories.alike(also, FORGETTABLE, limit=MOST_NAMED) if also else []
            found = list({memory.id: memory for memory in found}.values())
        found = [*found, *self._gone]
        if not found:  # a word of one Chinese character, or 抽烟 of 抽十根烟
            found = self._memories.select(Condition("kind", "$in", FORGETTABLE), limit=MOST_STANDING)
        own = (memory for memory in found if not is_excepted(memory.text, request.but))
        return [memory for memory in own if self._may_be_meant(memory)]

    def _files(self, request: Request) -> tuple[str, ...]:
        """The names of files that were taken in, whose name or text has all that a request names."""
        about = statement(request.about).content if request.named in ("subject", "all", "alone") else frozenset[str]()
        if not about:
            return ()
        pieces = self._memories.alike(request.about, ("document",), limit=MOST_NAMED)
        pieces += self._memories.select(Condition("kind", "$eq", "document"), limit=MOST_STANDING)
        names = {piece.id: re.split(r"[\\/]", piece.evidence)[-1] for piece in pieces}
        said = {piece.id: statement(f"{_WORDS.sub(' ', names[piece.id])} {piece.text}").content for piece in pieces}
        return tuple(dict.fromkeys(names[piece] for piece, content in said.items() if about <= content))

    def _may_be_meant(self, memory: Memory) -> bool:
        heard = memory.counts_in(self._thread.id, self._thread.agent)
        return heard and not said_after(self._memories, memory, self._message)
