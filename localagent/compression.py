"""Older messages of a thread become its running summary: what is due, how it is made, and that it is stored.

The rules (`policies/summarization.py`) make a summary by themselves; the model may add to it or shorten it, in the
background, after the answer. Originals stay in the ledger. Where the model fails the messages stay in the ring, and it
is asked again later; the rules alone stand in where the ring would not fit any more.
"""

from __future__ import annotations

import threading
import time
from collections import OrderedDict, deque
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING

from localagent.abort import AbortSignal
from localagent.compression_notes import CompressionNotes
from localagent.config import AgentConfig
from localagent.corrections import correcting
from localagent.errors import Aborted, DeadlineExceeded, EnvironmentFault, Interrupted, LocalAgentError, ModelError
from localagent.memory.base import Ledger, StoredMessage, Thread
from localagent.messages import new_id
from localagent.models.base import ChatModel
from localagent.policy import Compressing, Extracted, SummarizationPolicy
from localagent.proposing import Made, Proposing
from localagent.record import CompressionRecord, PromptLog
from localagent.ring import RingLimits, Unit, due, measured, newest_exchange, to_cover, tokens_of
from localagent.spoken import spoken, with_pastes
from localagent.summary import Summaries, Summary, SummaryItem, holding, line
from localagent.writing import left_out, summarizing

if TYPE_CHECKING:
    from localagent.remember import Remember

# A ring beyond so many times its limits is not sent: the rules stand in at once.
STAND_IN = 2
# Of a small window the ring takes half at most, and the summary a fifth.
RING_SHARE, SUMMARY_SHARE = 2, 5
# Messages that the policy is given at once.
AT_ONCE = 100
# After so many failures of the model in a row the rules do it alone.
MOST_FAILURES = 2
FIRST_WAIT_S, LONGEST_WAIT_S = 10.0, 600.0
# How often somebody who waits for the model looks whether to go on waiting.
LOOK_S = 0.02
MOST_ROLLED_BACK = 20
BY_RULES = "rules"


@dataclass(frozen=True, slots=True)
class Plan:
    """What the summary shall take in: `covered`, with their tokens as they stood in the ring. `base`: the version that
    it goes on from."""

    thread: Thread
    base: Summary | None
    covered: tuple[StoredMessage, ...]
    tokens: int


@dataclass(frozen=True)
class CompressionParts:
    """What compression works with. `policy` gives the rules, once they are needed. `outdated`: of messages, by their
    ids, the sentences that were corrected or forgotten since. `calling` is held by whoever calls the model in the
    background. `background`: a worker calls `step`; else the rules do it all, after the turn. `remember` takes up
    preferences that the model found; None where nothing is remembered."""

    config: AgentConfig
    ledger: Ledger
    summaries: Summaries
    policy: Callable[[], SummarizationPolicy]
    log: PromptLog | None = None
    outdated: Callable[[Collection[int]], Mapping[int, Sequence[str]]] = lambda ids: {}
    remember: Callable[[], Remember] | None = None
    calling: threading.Lock = field(default_factory=threading.Lock)
    background: bool = False
    now: Callable[[], float] = time.time


class Compressor:
    """Of one agent's threads. `step` runs in the worker's thread, all else in the chat's."""

    def __init__(self, parts: CompressionParts, model: ChatModel) -> None:
        self._parts = parts
        self._model = model
        self._guard = threading.Lock()  # of the three below, which both threads use; held for moments
        self._waiting: OrderedDict[str, tuple[Thread, float]] = OrderedDict()  # the time: not before
        self._running: AbortSignal | None = None
        self._switching = False
        self._notes = CompressionNotes(parts.ledger)
        self._read_again: deque[Summary] = deque(maxlen=MOST_ROLLED_BACK)  # versions that were rolled back
        self._proposing = Proposing(parts.config.limits.request_timeout_s)

    def use_model(self, model: ChatModel) -> None:
        """From now on this one counts and is asked; a call of the one before has ended when this returns."""
        with self._guard:
            self._switching, running = True, self._running
        if running is not None:
            running.abort()
        with self._parts.calling:
            self._model = model
        with self._guard:
            self._switching = False

    def notes(self) -> list[str]:
        """What the user should know and was not told yet, a line each."""
        return self._notes.take()

    def current(self, thread_id: str, before: int | None = None) -> Summary | None:
        """The version in use, without what was corrected or forgotten since. With `before`, the newest one that covers
        only messages with smaller ids. None where nothing is covered."""
        found = self._parts.summaries.current(thread_id)
        if found is not None and before is not None and found.covers_to >= before:
            active = (one for one in self._parts.summaries.versions(thread_id) if one.state == "active")
            found = next((one for one in active if one.covers_to < before), None)
        return replace(found, items=self._holding(found.items)) if found is not None else None

    def roll_back(self, thread: Thread) -> Summary | None:
        """The version in use gives way to the one before. What it had covered is not compressed again before the ring
        is far too full, or somebody asks for it. None if there was none."""
        return self._parts.summaries.roll_back(thread.id)

    def after_turn(self, thread: Thread, request: StoredMessage) -> None:
        """An exchange was stored. What the request corrects in the summary is not shown any more from now on. What is
        due now is done in the background, or, where nobody works there, here by the rules."""
        with self._noting_trouble(thread):
            summary = self.current(thread.id)
            if summary is not None:
                self._correct(summary, [request])
        if self._parts.background:
            with self._guard:
                self._waiting.setdefault(thread.id, (thread, 0.0))
            return
        with self._noting_trouble(thread):
            plan = self._due(thread)
            if plan is not None:
                self._commit(plan, Made())

    def stand_in(self, thread: Thread, room: int) -> None:
        """Before a prompt: where the ring does not fit into `room` tokens, or is far too full, the rules alone shorten
        it. What goes wrong is told; the turn goes on with what fits."""
        with self._noting_trouble(thread):
            self._correct_again(thread)
            limits, ring = self._limits(), self._ring(thread, self._parts.summaries.current(thread.id))
            if tokens_of(ring) > room or due(ring, limits.times(STAND_IN)):
                plan = self._plan(thread, replace(limits, tokens=max(0, min(limits.tokens, room))))
                if plan is not None:
                    self._commit(plan, Made())

    def compact(self, thread: Thread, abort: AbortSignal) -> Summary | None:
        """Everything but the newest exchange, now. The caller has the model for itself. None if there is nothing to
        shorten, or somebody else was quicker. Raises what the model raises."""
        started = time.monotonic()
        plan = self._plan(thread, None)
        made = self._asked(plan, abort) if plan is not None else Made()
        stored = self._commit(plan, made, time.monotonic() - started, asked=True) if plan is not None else None
        if stored is None:
            self._notes.nothing(thread)
        return stored

    def is_due(self) -> bool:
        """Whether a thread waits that need not wait longer."""
        return self._next() is not None

    def step(self, abort: AbortSignal) -> int:
        """Look at one thread, and compress what is due: 1, or 0 if none waits. One that was called off waits on."""
        thread = self._next()
        if thread is None:
            return 0
        started = time.monotonic()
        plan = self._due(thread)
        made = self._tried(plan, abort) if plan is not None else None
        if plan is not None and made is not None:
            self._commit(plan, made, time.monotonic() - started)
        if plan is None or made is not None:
            with self._guard:
                self._waiting.pop(thread.id, None)
        return 1

    def _next(self) -> Thread | None:
        with self._guard:
            now = self._parts.now()
            waiting = () if self._switching else self._waiting.values()
            # A clock that was set back does not make a wait longer than any can be.
            return next((thread for thread, at in waiting if not 0 < at - now <= LONGEST_WAIT_S), None)

    def _limits(self) -> RingLimits:
        policy = self._parts.config.context_policy
        tokens = min(policy.summary_threshold_tokens, self._prompt_tokens() // RING_SHARE)
        return RingLimits(tokens, policy.recent_keep, policy.recent_slack)

    def _prompt_tokens(self) -> int:
        window = self._model.describe().window
        return window - min(self._parts.config.model.max_output_tokens, window // 2)

    def _ring(self, thread: Thread, base: Summary | None) -> list[Unit]:
        messages = self._parts.ledger.messages(thread.id, after=base.covers_to if base is not None else 0)
        return measured(messages, self._model.count_text, self._model.describe().tokens_per_message)

    def _plan(self, thread: Thread, limits: RingLimits | None) -> Plan | None:
        """What goes so that the ring keeps the limits; without any, all but the newest exchange. None: nothing."""
        base = self._parts.summaries.current(thread.id)
        ring = self._ring(thread, base)
        going = ring[: newest_exchange(ring) if limits is None else to_cover(ring, limits)]
        covered = tuple(stored for unit in going for stored in unit.messages)
        return Plan(thread, base, covered, tokens_of(going)) if covered else None

    def _due(self, thread: Thread) -> Plan | None:
        plan = self._plan(thread, self._limits())
        if plan is None:
            return None
        newest = next(iter(self._parts.summaries.versions(thread.id)), None)
        return plan if newest is None or newest.state != "rolled back" else None

    def _tried(self, plan: Plan, abort: AbortSignal) -> Made | None:
        """What the model makes of it; the rules alone where it has failed too often. None: not now."""
        try:
            with self._calling(abort) as called:
                made = self._asked(plan, called)
        except Interrupted:
            abort.raise_if_aborted()
            return None
        except (DeadlineExceeded, ModelError, EnvironmentFault) as error:
            abort.raise_if_aborted()
            return self._failed(plan, str(error), _wait_s)
        if not made.by and made.note:  # it answered, but not what it was asked; it may the next time
            return self._failed(plan, made.note, lambda attempts: 0.0, unusable=True)
        self._parts.summaries.succeeded(plan.thread.id)
        return made

    def _failed(self, plan: Plan, error: str, wait_s: Callable[[int], float], *, unusable: bool = False) -> Made | None:
        """`unusable`: the model answered, and of no use."""
        failure = self._parts.summaries.failed(plan.thread.id, error, wait_s)
        if failure is None or failure.attempts >= MOST_FAILURES:  # None: the thread is gone
            return Made(note=error)
        with self._guard:
            self._waiting[plan.thread.id] = (plan.thread, failure.next_at)
        if unusable:
            self._notes.unusable(plan.thread, len(plan.covered))
        else:
            self._notes.failed(plan.thread, len(plan.covered), error)
        return None

    @contextmanager
    def _calling(self, abort: AbortSignal) -> Iterator[AbortSignal]:
        """The model for ourselves, until `abort` or another model says stop."""
        with abort.child() as called:
            with self._guard:
                if self._switching:
                    called.abort()
                self._running = called
            try:
                while not self._parts.calling.acquire(timeout=LOOK_S):
                    called.raise_if_aborted()
                try:
                    yield called
                finally:
                    self._parts.calling.release()
            finally:
                with self._guard:
                    self._running = None

    def _asked(self, plan: Plan, abort: AbortSignal) -> Made:
        """What the model makes of it, if it is asked at all. Raises what it raises."""
        if self._parts.config.context_policy.summarizer != "auto":
            return Made()
        said = [with_pastes(stored) for stored in plan.covered]
        again = self._parts.summaries.failure(plan.thread.id) is not None
        return self._proposing.ask(self._model, said, abort, again=again)

    def _commit(self, plan: Plan, made: Made, seconds: float = 0.0, *, asked: bool = False) -> Summary | None:
        """None if another process was quicker, or something that was covered is not what it was. `asked`: the user
        asked for it."""
        items, base = self._merged(plan, made), plan.base
        new = Summary(
            thread_id=plan.thread.id,
            version=0,
            items=items,
            covers_from=plan.covered[0].id,
            covers_to=plan.covered[-1].id,
            messages=len(plan.covered) + (base.messages if base is not None else 0),
            tokens=sum(self._model.count_text(line(item)) for item in items),
            created_at=self._parts.now(),
            made_by=made.by or BY_RULES,
            note=made.note,
        )
        stored = self._parts.summaries.commit(new, base.version if base is not None else 0, plan.covered)
        self._proposing.forget()
        if stored is not None:
            self._correct(stored, self._parts.ledger.messages(plan.thread.id, after=stored.covers_to))
            before = plan.tokens + (base.tokens if base is not None else 0)
            news = asked or base is None
            self._notes.stored(plan.thread, len(plan.covered), before, stored.tokens, news=news)
            self._record(plan, stored, seconds)
            self._remember(plan, made)
        return stored

    def _merged(self, plan: Plan, made: Made) -> tuple[SummaryItem, ...]:
        """The items of the next version, by the policy: a part of the messages at a time."""
        policy = summarizing(self._parts.policy())
        items = plan.base.items if plan.base is not None else ()
        ids = {stored.id for stored in plan.covered} | {item.message_id for item in items}
        later = self._parts.ledger.messages(plan.thread.id, after=plan.covered[0].id - 1)
        outdated = left_out(items, [spoken(one) for one in later], self._parts.outdated(ids))
        limit = min(self._parts.config.context_policy.summary_tokens, self._prompt_tokens() // SUMMARY_SHARE)
        for first in range(0, len(plan.covered), AT_ONCE):
            part = plan.covered[first : first + AT_ONCE]
            proposed = [item for item in made.items if part[0].id <= item.message_id <= part[-1].id]
            said = [with_pastes(stored) for stored in part]
            items = tuple(policy(Compressing(said, items, proposed, outdated, limit, self._model.count_text)))
        return items

    def _correct(self, summary: Summary, later: Sequence[StoredMessage]) -> None:
        """What messages behind a summary correct of it does not hold from now on."""
        said = [spoken(stored) for stored in later if stored.message.role == "user"]
        if said and summary.items:
            self._parts.summaries.correct(correcting(summarizing(self._parts.policy()), summary.items, said))

    def _correct_again(self, thread: Thread) -> None:
        """Of a version that came back, what the messages correct that are in the ring again does not hold either."""
        newest = next(iter(self._parts.summaries.versions(thread.id)), None)
        base = self._parts.summaries.current(thread.id)
        if newest is None or base is None or newest.state != "rolled back" or newest in self._read_again:
            return
        self._correct(base, self._parts.ledger.messages(thread.id, after=base.covers_to))
        self._read_again.append(newest)

    def _record(self, plan: Plan, stored: Summary, seconds: float) -> None:
        """In the thread's records."""
        before = plan.base.tokens if plan.base is not None else 0
        old = [line(item) for item in plan.base.items] if plan.base is not None else []
        new = [line(item) for item in stored.items]
        record = CompressionRecord(
            id=new_id(),
            thread_id=stored.thread_id,
            created_at=stored.created_at,
            version=stored.version,
            covers_from=stored.covers_from,
            covers_to=stored.covers_to,
            messages=len(plan.covered),
            message_tokens=plan.tokens,
            tokens_before=before,
            tokens_after=stored.tokens,
            added=tuple(text for text in new if text not in old),
            left=tuple(text for text in old if text not in new),
            made_by=stored.made_by,
            seconds=round(seconds, 3),
            note=stored.note,
        )
        if self._parts.log is not None:
            with self._noting_trouble(plan.thread):  # what is stored stays so
                self._parts.log.compressed(record)

    def _remember(self, plan: Plan, made: Made) -> None:
        """A vague line must never be the only place where a wish lives."""
        messages = {stored.id: stored for stored in plan.covered}
        for item in made.items:
            if item.kind == "preference" and item.message_id in messages and self._parts.remember is not None:
                with self._noting_trouble(plan.thread):
                    found = Extracted("preference", item.text, item.quote)
                    self._parts.remember().consider(messages[item.message_id], [found], plan.thread)

    def _holding(self, items: Sequence[SummaryItem]) -> tuple[SummaryItem, ...]:
        return holding(items, self._parts.outdated({item.message_id for item in items}))

    @contextmanager
    def _noting_trouble(self, thread: Thread) -> Iterator[None]:
        """What goes wrong beside a turn is told, and does not end it."""
        try:
            yield
        except Aborted:
            raise
        except LocalAgentError as error:
            self._notes.trouble(thread, str(error))


def _wait_s(attempts: int) -> float:
    return min(LONGEST_WAIT_S, FIRST_WAIT_S * 2.0 ** (attempts - 1))
