"""A statement that somebody typed to have it remembered, as an entry: in their words, of the kind that these say."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from localagent.assembler import Recalled
from localagent.bilingual import NO_ROOM, TAKES_ROOM, Language
from localagent.bilingual_shown import NOT_PINNABLE, RESTORE_FIRST
from localagent.errors import UsageError
from localagent.memory.characters import simplified
from localagent.memory.entries import EVERYWHERE, NEWS, Kind, Memory, NewMemory, Scope
from localagent.policy import ImportancePolicy, Said
from localagent.recall import WISHES

# Characters of an entry in a line about it.
SHOWN = 100


def stated(text: str, importance: ImportancePolicy, now: float, *, agent: str, thread_id: str = "") -> NewMemory:
    """What the policy finds in the statement gives kind, scope, importance and due date, where it finds one thing; else
    it is a fact. `now` in epoch seconds. `thread_id`: where it was typed, if anywhere. UsageError for one without a
    word."""
    if not any(map(str.isalnum, text)):
        raise UsageError("there is no word in it to remember", hint="As in: the boiler is serviced in May")
    found = importance(Said("user", simplified(text), now, 0), ())
    if len(found) != 1:
        return NewMemory("fact", text, agent=agent, thread_id=thread_id)
    one = found[0]
    # "In this conversation" may be said where there is none.
    scope: Scope = one.scope if thread_id or one.scope != "thread" else "agent"
    # What would only correct something else is of no kind by itself.
    news = one.replaces and one.kind == "event" and one.importance is not None and one.importance <= NEWS
    return NewMemory(
        "fact" if news else one.kind,
        text,
        scope=scope,
        subject=one.subject,
        agent=agent,
        thread_id=thread_id,
        importance=one.importance,
        emotion=one.emotion,
        due_at=one.due_at,
    )


def of_kind(new: NewMemory, kind: Kind) -> NewMemory:
    """As an entry of this kind; what went with another one does not go with it."""
    if kind == new.kind:
        return new
    scope: Scope = "all" if kind in EVERYWHERE else "agent"
    return replace(new, kind=kind, scope=scope, importance=None)


def pinnable(memories: Sequence[Memory], language: Language = "en") -> None:
    """UsageError for an entry that is in no prompt, pinned or not."""
    for memory in memories:
        if memory.state != "active":
            why = NOT_PINNABLE[memory.state](language, id=memory.id)
            raise UsageError(why, hint=RESTORE_FIRST(language, id=memory.id))


def without_room(
    changed: Sequence[Memory],
    before: Sequence[Recalled],
    after: Sequence[Recalled],
    gone: Sequence[Memory] = (),
    *,
    agent: str,
    thread_id: str = "",
    language: Language = "en",
) -> list[str]:
    """A line for each wish or pinned entry among those that were just `changed` which is in no prompt for want of room,
    and one for what had to leave. `before` and `after`: what is in every prompt of this agent and thread; `gone`: what
    no longer holds."""
    there = {item.id for item in after}
    lines = [
        NO_ROOM(language, id=memory.id)
        for memory in changed
        if memory.id not in there and memory.state == "active" and (memory.pinned or memory.kind in WISHES)
        # One of another agent or thread has its room there.
        if memory.scope == "all"
        or (memory.agent == agent if memory.scope == "agent" else memory.thread_id == thread_id)
    ]
    settled = {*there, *(memory.id for memory in (*changed, *gone))}
    return lines + [
        TAKES_ROOM(language, id=item.id, text=" ".join(item.text.split())[:SHOWN])
        for item in before
        if item.id not in settled
    ]
