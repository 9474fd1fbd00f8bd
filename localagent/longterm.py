"""Long-term memory around a turn: recall before the call, and what is written and strengthened after it."""

from __future__ import annotations

import contextlib
from collections.abc import Callable, Collection, Iterator, Sequence
from contextlib import AbstractContextManager
from dataclasses import asdict, dataclass, replace
from typing import TYPE_CHECKING, Protocol

from localagent import bilingual
from localagent.abort import AbortSignal
from localagent.assembler import Recalled, SummaryLine
from localagent.bilingual import Language
from localagent.config import AgentConfig
from localagent.errors import Aborted, LocalAgentError
from localagent.judge import STOPPING_S, Judge
from localagent.memory.base import Ledger, StoredMessage, Thread
from localagent.memory.entries import Memories
from localagent.memory.searching import Search
from localagent.models.base import ChatModel
from localagent.policy import Policies
from localagent.recall import WISHES, Recall, RecallLimits, Recollection, Request, Result, context_of
from localagent.spoken import language_in
from localagent.stated import without_room
from localagent.sticky import Before
from localagent.wire import part_text

if TYPE_CHECKING:
    from localagent.remember import Remember
    from localagent.written import Written

# Earlier messages that the importance policy is shown.
EARLIER = 20
# How long taking back may take; it is the first thing that is done.
TAKEN_BACK_S = 1.0


class Background(Protocol):
    """The worker that embeds and indexes."""

    def wake(self) -> None: ...

    def drain(self, abort: AbortSignal, *, seconds: float | None = None) -> object:
        """Do what waits, here and now."""
        ...

    def giving_way(self) -> AbstractContextManager[None]:
        """While this is open, the worker rests: the model serves the user alone."""
        ...


class Opened(Protocol):
    """Memory, once it is open. It opens in the background after the first prompt is on the screen."""

    @property
    def recall(self) -> Recall: ...

    @property
    def remember(self) -> Remember: ...

    @property
    def memories(self) -> Memories: ...

    @property
    def policies(self) -> Policies: ...

    @property
    def background(self) -> Background: ...

    @property
    def judge(self) -> Judge: ...

    def waiting(self) -> int:
        """Pieces without a vector yet."""
        ...


@dataclass(frozen=True, slots=True)
class MemoryNote:
    """What memory did in a turn: how many entries and earlier messages reached the prompt, how many entries were
    written, and a line for each change and each question; `told`: the lines in the user's `language`."""

    used: int = 0
    written: int = 0
    lines: tuple[str, ...] = ()
    degraded: str = ""
    messages: int = 0
    language: Language = "en"
    told: tuple[str, ...] = ()

    def __str__(self) -> str:
        """`2 memories, 31 earlier messages used, 1 written`; empty if nothing happened."""
        parts = []
        if self.used or self.messages:
            parts.append(bilingual.USED(self.language, what=in_words(self.used, self.messages, self.language)))
        if self.written:
            parts.append(bilingual.WRITTEN(self.language, count=self.written))
        return bilingual.joined(parts, self.language)

    def for_programs(self) -> dict[str, object]:
        """The same whatever the user writes: all but what is told in their language."""
        return {name: value for name, value in asdict(self).items() if name not in ("language", "told")}


def in_words(memories: int, messages: int, language: Language = "en") -> str:
    """`1 memory, 31 earlier messages`; what is none is left out."""
    counts = (
        (memories, bilingual.ENTRIES, "memory", "memories"),
        (messages, bilingual.EARLIER, "earlier message", "earlier messages"),
    )
    said = [
        phrase(language, count=f"{count:,}", noun=one if count == 1 else several)
        for count, phrase, one, several in counts
        if count
    ]
    return ("、" if language == "zh" else ", ").join(said)


class LongTerm:
    """The memory of one agent, for its conversations. `opened` may take a moment the first time, and is None where
    memory cannot be used: then threads go on without it. `recall` is there at once, without vectors until memory is
    open. `writing`: False leaves no trace in memory."""

    def __init__(
        self,
        config: AgentConfig,
        ledger: Ledger,
        opened: Callable[[AbortSignal], Opened | None],
        *,
        recall: Recall | None = None,
        writing: bool = True,
    ) -> None:
        self._config = config
        self._ledger = ledger
        self._opened = opened
        self._recall = recall
        self._writing = writing
        self._counted: tuple[Callable[[str], int], int] | None = None  # of the last turn: tokens, and the budget
        self._told: set[str] = set()  # why messages could not be looked through
        # Of the last thread alone: a model keeps one prompt.
        self._before: tuple[str, Before] | None = None

    def open(self, abort: AbortSignal) -> Opened | None:
        return self._opened(abort)

    def standing(self, thread: Thread, count: Callable[[str], int], budget: int) -> tuple[Recalled, ...]:
        """What of memory is in every prompt of `thread`, whatever is asked. Cheap; needs no embedder."""
        if self._recall is None:
            return ()
        return self._recall.standing(self._request(thread, "", "", frozenset(), count), self._limits(budget))

    def recollect(
        self,
        thread: Thread,
        request: StoredMessage,
        recent: Sequence[StoredMessage],
        count: Callable[[str], int],
        budget: int,
        abort: AbortSignal,
        summary: Sequence[SummaryLine] = (),
    ) -> Recollection:
        """What to put before the model, beside `recent` and the `summary` of what came before it. `budget`: tokens of
        the whole prompt; recall takes a share of a small one. What the last prompt of the thread quoted stays where it
        was, while it holds."""
        opened = self._opened(abort)
        if opened is None:
            return Recollection()
        self._counted = count, budget
        shown = frozenset((request.id, *(stored.id for stored in recent)))
        asked = replace(
            self._request(thread, request.message.text, _previous(recent), shown, count),
            message_id=request.id,
            basis=(tuple(line.text for line in summary), recent[0].id if recent else request.id),
            behind=sum(count(part_text(part)) for stored in recent for part in stored.message.parts),
        )
        before = self._before[1] if self._before is not None and self._before[0] == thread.id else None
        return opened.recall.for_turn(asked, self._limits(budget), abort, before)

    def _request(
        self, thread: Thread, text: str, previous: str, shown: frozenset[int], count: Callable[[str], int]
    ) -> Request:
        return Request(
            text=text,
            agent=thread.agent,
            thread_id=thread.id,
            previous=previous,
            shown=shown,
            all_threads=self._config.memory.scope == "all",
            count=count,
        )

    def _limits(self, budget: int) -> RecallLimits:
        """`budget`: tokens of the whole prompt."""
        policy, memory = self._config.context_policy, self._config.memory
        return RecallLimits(
            top_k=policy.memory_search_top_k,
            min_score=policy.memory_search_min_score,
            message_tokens=min(memory.message_tokens, budget // 5),
            preference_tokens=min(memory.preference_tokens, budget // 5),
        )

    def search(self, text: str, thread: Thread, abort: AbortSignal) -> tuple[list[Result], str]:
        """What is remembered or was said about `text`, by the agent's limits; and why words alone were searched."""
        opened = self._opened(abort)
        if opened is None:
            return [], ""
        policy = self._config.context_policy
        asked = Search(
            text=text,
            agent=thread.agent,
            thread_id=thread.id,
            all_threads=self._config.memory.scope == "all",
        )
        least = policy.memory_search_min_score
        return opened.recall.search(asked, top_k=policy.memory_search_top_k, min_score=least, abort=abort)

    def use_model(self, model: ChatModel) -> None:
        """The model that is asked for a second look at messages, if the configuration wants one."""
        opened = self._opened(AbortSignal()) if self._writing and self._config.memory.judge else None
        if opened is not None:
            with opened.background.giving_way():
                opened.judge.use_model(model)

    @contextlib.contextmanager
    def giving_way(self) -> Iterator[None]:
        """While this is open, the worker rests, and the model is the user's alone."""
        opened = self._opened(AbortSignal()) if self._writing else None
        if opened is None:
            yield
            return
        with opened.background.giving_way():
            held = opened.judge.stopped().acquire(timeout=STOPPING_S)
            try:
                yield
            finally:
                if held:
                    opened.judge.stopped().release()

    def taken_back(self) -> None:
        """Messages were taken back: what was made of them counts no longer, from now on."""
        opened = self._opened(AbortSignal()) if self._writing else None
        if opened is not None:
            opened.background.drain(AbortSignal(), seconds=TAKEN_BACK_S)

    def settle(self, thread: Thread, since: int, recollection: Recollection, reached: Collection[str]) -> MemoryNote:
        """After a turn: strengthen the entries that reached the prompt (`reached`: ids of quoted items), and write what
        its messages (ids from `since` on) hold, and those of a turn that was killed before it could. Standing wishes
        are in every prompt: that strengthens nothing."""
        if recollection.shown is not None and (reached or not recollection.recalled):
            self._before = thread.id, recollection.shown.that_reached(reached)
        used = [trace for trace in recollection.traces if trace.fate == "used" and trace.block in reached]
        entries = [trace.id for trace in used if trace.kind != "message"]
        said = len({(one.thread_id, one.message_id or one.id) for one in used if one.kind == "message"})
        count = len(self._ledger.messages(thread.id, after=since - 1))  # a turn with many calls has many
        messages = self._ledger.messages(thread.id, last=EARLIER + count)
        note = MemoryNote(len(entries), degraded=recollection.degraded, messages=said, language=language_in(messages))
        opened = self._opened(AbortSignal()) if self._writing else None
        if opened is None:
            return note
        if entries:
            opened.memories.reinforce(entries)
        # Whoever begins a turn here has ended the one before, though its program may have been killed in it.
        unread = set(opened.memories.unread())
        new = [
            at
            for at, stored in enumerate(messages)
            if stored.remembered and (stored.id >= since or stored.id in unread)
        ]
        standing = self._standing(opened.recall, thread)
        try:
            changes = [opened.remember.take(messages[at], messages[max(0, at - EARLIER) : at], thread) for at in new]
        except LocalAgentError as error:
            if isinstance(error, Aborted):
                raise
            opened.background.wake()
            return self._untold(note, str(error))
        if self._config.memory.judge:
            for at in new:
                opened.judge.hand_over(messages[at], thread)
        opened.background.wake()
        late = sum(messages[at].id < since for at in new)

        def lines(language: Language) -> tuple[str, ...]:
            changed = [bilingual.read_late(language, late)] if late else []
            changed += [line for change in changes for line in change.lines(language)]
            return (*changed, *self._without_room(opened.recall, thread, standing, changes, language))

        written = sum(len(change.added) + len(change.superseded) for change in changes)
        english = lines("en")
        return replace(
            note, written=written, lines=english, told=english if note.language == "en" else lines(note.language)
        )

    def _untold(self, note: MemoryNote, why: str) -> MemoryNote:
        """Where messages cannot be looked through: each reason is told once."""
        if why in self._told:
            return note
        self._told.add(why)
        return replace(note, lines=(bilingual.UNREAD("en", why=why),), told=(bilingual.UNREAD(note.language, why=why),))

    def _standing(self, recall: Recall, thread: Thread) -> Sequence[Recalled]:
        """As the last turn counted; nothing before the first one."""
        if self._counted is None:
            return ()
        count, budget = self._counted
        return recall.standing(self._request(thread, "", "", frozenset(), count), self._limits(budget))

    def _without_room(
        self,
        recall: Recall,
        thread: Thread,
        before: Sequence[Recalled],
        changes: Sequence[Written],
        language: Language,
    ) -> list[str]:
        """What was just written and is in no prompt for want of room, and what it takes the room of."""
        wishes = [memory for change in changes for memory in change.memories if memory.kind in WISHES]
        if not wishes or self._counted is None:
            return []
        gone = [old for change in changes for old in (*(old for old, _ in change.superseded), *change.forgotten)]
        after = self._standing(recall, thread)
        return without_room(wishes, before, after, gone, agent=thread.agent, thread_id=thread.id, language=language)


def _previous(recent: Sequence[StoredMessage]) -> str:
    """The last exchange before the request."""
    said: dict[str, str] = {}
    for stored in reversed(recent):
        said.setdefault(stored.message.role, stored.message.text)
        if "user" in said:
            break
    return context_of(said.get("user", ""), said.get("assistant", ""))
