"""What looking through a message changed in memory, and the lines that tell it."""

from __future__ import annotations

from dataclasses import dataclass

from localagent.memory.entries import Memories, Memory

MAX_LINE = 100


@dataclass(frozen=True, slots=True)
class Unsure:
    """Two entries that may be about the same thing; both are kept. `localagent memory forget` settles it."""

    new: Memory
    old: Memory


@dataclass(frozen=True, slots=True)
class Unclear:
    """A request to forget what `about` names, and the entries that it may mean; none of them was forgotten.
    `passages`: where it names no entry, what messages (by their ids) say of it, which is not recalled any more.
    `everything`: it names no entry, but all. `before`: it means the message before it, not what it names;
    without `passages` there is none."""

    about: str
    memories: tuple[Memory, ...]
    passages: tuple[tuple[int, str], ...] = ()
    everything: bool = False
    before: bool = False


@dataclass(frozen=True, slots=True)
class Written:
    """What a message or an explicit write changed. `superseded`: pairs of the old entry and the new one; `forgotten`:
    archived because the user asked to forget them; `unsaid`: what the message asks not to remember, in its words;
    `in_part`: pairs of an entry that still counts and the new one, which corrects a part of it."""

    added: tuple[Memory, ...] = ()
    strengthened: tuple[Memory, ...] = ()
    superseded: tuple[tuple[Memory, Memory], ...] = ()
    unsure: tuple[Unsure, ...] = ()
    forgotten: tuple[Memory, ...] = ()
    unclear: tuple[Unclear, ...] = ()
    unsaid: tuple[str, ...] = ()
    in_part: tuple[tuple[Memory, Memory], ...] = ()

    @property
    def memories(self) -> tuple[Memory, ...]:
        """The entries as they are now: new ones, and those that were said again."""
        return (*self.added, *(new for _, new in self.superseded), *self.strengthened)

    def lines(self) -> list[str]:
        """A line for each change, in plain words."""
        beside = {new.id for _, new in self.in_part}
        said = [f"remembered: {_shown(memory)}" for memory in self.added if memory.id not in beside]
        said += [f"done: {_quoted(old)}" for old, new in self.superseded if _is_done(old, new)]
        told: dict[str, tuple[Memory, list[str]]] = {}
        for old, new in self.superseded:
            if not _is_done(old, new):
                back = f"replaces: {_quoted(old)} (back with localagent memory restore {old.id})"
                told.setdefault(new.id, (new, []))[1].append(back)
        for old, new in self.in_part:
            told.setdefault(new.id, (new, []))[1].append(f"both kept: it corrects a part of {_quoted(old)}")
        said += [f"remembered: {'; '.join((_shown(new), *changes))}" for new, changes in told.values()]
        said += [f"known already: {_shown(memory)}" for memory in self.strengthened]
        said += [
            f"forgot: {_quoted(memory)} (put away; back with localagent memory restore {memory.id}, "
            "gone for good with memory forget)"
            for memory in self.forgotten
        ]
        said += [
            f"not remembered: '{_cut(text)}' (neither noted nor recalled; only this thread keeps the message; "
            "/remember or localagent memory add notes it all the same)"
            for text in self.unsaid
        ]
        for request in self.unclear:
            if request.everything:
                said.append(
                    "nothing forgotten: a sentence is not enough to forget everything (localagent memory list, then "
                    "localagent memory forget; localagent memory prune)"
                )
                continue
            if request.before:
                said.append(
                    f"not recalled any more: '{_cut(request.about)}', of which nothing was noted (/undo: it is again)"
                    if request.passages
                    else f"nothing forgotten: it is not clear what '{_cut(request.about)}' means, for no message goes "
                    'before it in this thread (say what to forget: "forget that ...", 忘掉……)'
                )
                continue
            which = ", ".join(f"{_quoted(memory)} ({memory.id})" for memory in request.memories)
            if request.passages:
                said.append(
                    f"no entry is '{_cut(request.about)}'; what you said of it is not recalled (/undo: it is again)"
                )
                continue
            said.append(
                f"nothing forgotten, which one is meant? {which} (ask for one in its words, and it is put away; "
                "localagent memory forget ID deletes one for good)"
                if which
                else f"nothing forgotten: no entry is clearly '{_cut(request.about)}' "
                "(localagent memory search; of messages: localagent threads search)"
            )
        return said + [
            f"both kept, are they about the same? {_quoted(pair.new)} and {_quoted(pair.old)} "
            f"(localagent memory forget {pair.old.id})"
            for pair in self.unsure
        ]


def restored(memories: Memories, memory_id: str) -> tuple[Memory, list[str]]:
    """An archived or superseded entry brought back, and a line for each newer one that is put away for it."""
    counted = {memory.id for memory in memories.chain(memory_id) if memory.state == "active"}
    back = memories.restore(memory_id)
    gone = [one for one in memories.chain(back.id) if one.id in counted and one.state != "active"]
    return back, [
        f"put away for it: {_shown(one)}, which had replaced it (localagent memory restore {one.id} undoes this)"
        for one in gone
    ]


def _is_done(old: Memory, new: Memory) -> bool:
    return old.kind == "todo" and new.kind != "todo"


def _quoted(memory: Memory) -> str:
    return f"'{_cut(memory.text)}'"


def _cut(text: str) -> str:
    text = " ".join(text.split())
    return text if len(text) <= MAX_LINE else text[: MAX_LINE - 1] + "…"


def _shown(memory: Memory) -> str:
    return f"{memory.kind} {_quoted(memory)}"
