"""A statement that somebody typed to have it remembered, as an entry: in their words, of the kind that these say."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from localagent.errors import UsageError
from localagent.memory.entries import Kind, Memory, NewMemory, Scope
from localagent.policy import ImportancePolicy, Said

# About the person: they count whichever agent was told.
EVERYWHERE: tuple[Kind, ...] = ("profile", "preference", "habit", "relationship")


def stated(text: str, importance: ImportancePolicy, now: float, *, agent: str, thread_id: str = "") -> NewMemory:
    """What the policy finds in the statement gives kind, scope, importance and due date, where it finds one thing; else
    it is a fact. `now` in epoch seconds. `thread_id`: where it was typed, if anywhere."""
    found = importance(Said("user", text, now, 0), ())
    if len(found) != 1:
        return NewMemory("fact", text, agent=agent, thread_id=thread_id)
    one = found[0]
    # "In this conversation" may be said where there is none.
    scope: Scope = one.scope if thread_id or one.scope != "thread" else "agent"
    return NewMemory(
        one.kind,
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


def pinnable(memories: Sequence[Memory]) -> None:
    """UsageError for an entry that is in no prompt, pinned or not."""
    for memory in memories:
        if memory.state != "active":
            how = "archived (forgotten or faded)" if memory.state == "archived" else "superseded"
            raise UsageError(
                f"{memory.id} is {how}: pinned it would be in no prompt either; nothing was pinned",
                hint=f"Bring it back first: localagent memory restore {memory.id}",
            )
