"""What a message is about to change in long-term memory, and how that is told: a newer statement in the place of what
it corrects, or beside that of which it corrects only a part."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, fields, replace

from localagent.contrasts import restated
from localagent.in_part import leaves
from localagent.memory.entries import (
    IMPORTANCE,
    NEWS,
    Add,
    Change,
    Kind,
    Memory,
    NewMemory,
    PutAway,
    Scope,
    Strengthen,
    Supersede,
)
from localagent.relation import COMPARED
from localagent.wished import calls_alone, calls_anew
from localagent.written import Unsure, Written

WISHES: tuple[Kind, ...] = ("preference", "style", "persona")
WIDTH: dict[Scope, int] = {"thread": 0, "agent": 1, "all": 2}


@dataclass(frozen=True, slots=True)
class Planned:
    """A change with what it is told as. `old`: what is superseded; `in_part`: that of which it corrects a part; `near`:
    what it may be about the same as."""

    change: Change
    old: tuple[Memory, ...] = ()
    near: tuple[Memory, ...] = ()
    in_part: tuple[Memory, ...] = ()


def correcting(new: NewMemory, older: Sequence[Memory], touched: Sequence[Memory], used: set[str]) -> Planned | None:
    """The newer in the place of the `older`; beside those that say something else too, and those `touched`: what still
    holds of them must not vanish. What corrects an entry of another kind becomes one of that kind; not how
    somebody wishes to be called."""
    if len(older) == 1 and (said := restated(new.text, older[0].text)):
        new = replace(new, text=said)
    in_part = (*(memory for memory in older if leaves(new, memory)), *touched)
    in_part = tuple(memory for memory in in_part if not calls_anew(new.text, memory.text))
    whole = tuple(memory for memory in (*older, *touched) if memory not in in_part)
    if not (*whole, *in_part):
        return None
    used.update(memory.id for memory in (*whole, *in_part))
    first = (*whole, *in_part)[0]
    wider = WIDTH[first.scope] > WIDTH[new.scope] and first.kind not in WISHES
    unlike = first.kind not in COMPARED.get(new.kind, ()) and not calls_alone(new.text)
    if unlike or weight(new) <= NEWS or wider:
        new = replace(new, kind=first.kind, scope=first.scope, importance=None)
    new = replace(new, pinned=new.pinned or any(memory.pinned for memory in (*whole, *in_part)))
    parts = tuple(memory.id for memory in in_part)
    if not whole:
        return Planned(Add(new, parts), in_part=in_part)
    change = Supersede(whole[0].id, new, tuple(memory.id for memory in whole[1:]), parts)
    return Planned(change, old=whole, in_part=in_part)


def is_wider(memory: Memory, new: NewMemory) -> bool:
    """Whether it counts in more places than what would take its place. A fact that corrects what is known of the user
    takes its scope with its place."""
    return WIDTH[memory.scope] > WIDTH[new.scope] and (new.scope == "thread" or memory.kind in WISHES)


def counts_for(memory: Memory, new: NewMemory) -> bool:
    """Whether an entry counts for whoever says the new one."""
    if memory.subject != new.subject or memory.kind == "document":
        return False
    return memory.counts_in(new.thread_id, new.agent)


def as_new(memory: Memory) -> NewMemory:
    """An entry as it would be noted now."""
    return NewMemory(**{field.name: getattr(memory, field.name) for field in fields(NewMemory)})


def told(plan: Sequence[Planned], memories: Sequence[Memory]) -> Written:
    """`memories` is empty if another process had looked through the message before."""
    added, strengthened, superseded, unsure, forgotten, in_part = [], [], [], [], [], []
    for one, memory in zip(plan, memories, strict=False):
        in_part += [(old, memory) for old in one.in_part]
        if isinstance(one.change, PutAway):
            forgotten.append(memory)
        elif isinstance(one.change, Strengthen):
            strengthened.append(memory)
        elif one.old:
            superseded += [(old, memory) for old in one.old]
        elif memory.access_count:  # its very words were there
            strengthened.append(memory)
        else:
            added.append(memory)
            unsure += [Unsure(memory, old) for old in one.near]
    return Written(
        tuple(added), tuple(strengthened), tuple(superseded), tuple(unsure), tuple(forgotten), in_part=tuple(in_part)
    )


def weight(new: NewMemory) -> float:
    return IMPORTANCE[new.kind] if new.importance is None else new.importance


def changed(plan: Sequence[Planned]) -> set[str]:
    """The entries that it changes."""
    found = {memory.id for one in plan for memory in (*one.old, *one.in_part)}
    return found | {one.change.memory_id for one in plan if isinstance(one.change, Strengthen)}
