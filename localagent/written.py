"""What looking through a message changed in memory, and the lines that tell it."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from localagent.columns import columns, cut
from localagent.memory.entries import Memories, Memory

# Columns that a text has in a line: the one that it is about, one beside that, and one that is only to be recognised.
LONG, MEDIUM, SHORT = 90, 66, 30
# As they are typed in a shell; in a conversation they begin with /memory.
RESTORE, FORGET, ADD = (f"localagent memory {verb}" for verb in ("restore", "forget", "add"))


@dataclass(frozen=True, slots=True)
class Unsure:
    """Two entries that may be about the same thing; both are kept. `localagent memory forget` settles it."""

    new: Memory
    old: Memory


@dataclass(frozen=True, slots=True)
class Unclear:
    """A request to forget what `about` names, and the entries that it may mean; none of them was forgotten.
    `passages`: where it names no entry, what messages (by their ids) say of it, which is not recalled any more.
    `files`: names of files that were taken in and have it. `everything`: it names no entry, but all. `before`: it means
    the message before it, not what it names; without `passages` there is none."""

    about: str
    memories: tuple[Memory, ...]
    passages: tuple[tuple[int, str], ...] = ()
    everything: bool = False
    before: bool = False
    files: tuple[str, ...] = ()


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
        """A line for each change, in plain words; where it can be taken back, a second one says how, as it can be
        copied."""
        beside = {new.id for _, new in self.in_part}
        said = [f"remembered: {_shown(memory)}" for memory in self.added if memory.id not in beside]
        done = [old for old, new in self.superseded if _is_done(old, new)]
        said += [f"done: {_quoted(old)}{_back(RESTORE, old)}" for old in done]
        said += [_changing(new, self) for new in {new.id: new for new in self._changing()}.values()]
        said += [f"known already: {_shown(memory)}" for memory in self.strengthened]
        said += [
            f"forgot: {_quoted(memory, LONG)} (put away, not deleted){_back(RESTORE, memory)}"
            for memory in self.forgotten
        ]
        said += [f"not remembered: '{_what_is_meant(text)}' (if wrong: {ADD} TEXT)" for text in self.unsaid]
        said += [_told(request) for request in self.unclear]
        return said + [
            f"both kept, are they about the same? {_quoted(pair.new)} and {_quoted(pair.old)}\n"
            f"  if so: {FORGET} {pair.old.id}"
            for pair in self.unsure
        ]

    def _changing(self) -> Iterator[Memory]:
        """What takes the place of something, or corrects a part of it."""
        yield from (new for old, new in self.superseded if not _is_done(old, new))
        yield from (new for _, new in self.in_part)


def restored(memories: Memories, memory_id: str) -> tuple[Memory, list[str]]:
    """An archived or superseded entry brought back, and a line for each newer one that is put away for it; of an active
    one a line for each that corrects a part of it no more."""
    marks = memories.corrections([memory_id]).get(memory_id, ())
    counted = {memory.id for memory in memories.chain(memory_id) if memory.state == "active"}
    back = memories.restore(memory_id)
    gone = [one for one in memories.chain(back.id) if one.id in counted and one.state != "active"]
    lines = [f"put away for it: {_shown(one)}, which had replaced it{_back(RESTORE, one)}" for one in gone]
    return back, lines or [f"it holds as a whole, beside '{cut(_plain(text), MEDIUM)}'" for text in marks]


def holds(memories: Memories, memory: Memory) -> bool:
    """Whether there is nothing to restore: it counts, and nothing corrects a part of it."""
    return memory.state == "active" and not memories.corrections([memory.id])


def _changing(new: Memory, written: Written) -> str:
    """An entry, with what it replaces or corrects, and how that is taken back."""
    older = [old for old, one in written.superseded if one.id == new.id]
    beside = [old for old, one in written.in_part if one.id == new.id]
    told = [f"remembered: {_shown(new)}"]
    told += [f"replaces: {_quoted(old)}" for old in older]
    told += [f"both kept: it corrects a part of {_quoted(old)}" for old in beside]
    return "; ".join(told) + _back(RESTORE, *older, *beside)


def _told(request: Unclear) -> str:
    """What became of a request to forget that names no entry, or several."""
    about = f"'{cut(_plain(request.about), LONG)}'"
    if request.everything:
        return (
            "nothing forgotten: a sentence is not enough to forget everything\n"
            f"  one at a time: {FORGET} ID (which: localagent memory list; what has faded: localagent memory prune)"
        )
    if request.passages:
        what = f"not recalled any more: {about}, of which nothing was noted" if request.before else ""
        return f"{what or f'no entry is {about}; what you said of it is not recalled any more'}\n  undo: /undo"
    if request.before:
        return (
            f"nothing forgotten: it is not clear what {about} means, for no message goes before it in this thread\n"
            '  say what: "forget that ...", 忘掉……'
        )
    if request.files:
        names = ", ".join(request.files)
        return (
            f"nothing forgotten: {about} stands in what was taken in of {names}, and a file is forgotten as a whole\n"
            f"  to forget it: localagent memory documents --remove {request.files[0]}"
        )
    if request.memories:
        which = "".join(f"\n  {memory.id} {_quoted(memory, LONG)}" for memory in request.memories)
        several = len(request.memories) > 1
        one, say = ("which one is", "Say which") if several else ("is this one", 'Say "yes" (是)')
        return f"nothing forgotten, {one} meant? {say}, and it is put away; {FORGET} ID deletes it for good:{which}"
    return f"nothing forgotten: no entry is clearly {about}\n  look for it: localagent memory search TEXT"


def _is_done(old: Memory, new: Memory) -> bool:
    return old.kind == "todo" and new.kind != "todo"


def _back(command: str, *memories: Memory) -> str:
    return f"\n  undo: {command} {' '.join(memory.id for memory in memories)}"


def _what_is_meant(text: str) -> str:
    """Of what asks not to be noted, what that is: it stands behind the words that ask, where a colon ends these."""
    head, _, rest = _plain(text).replace("：", ": ").partition(": ")
    meant = rest.strip() if any(map(str.isalnum, rest)) and columns(head) <= SHORT else _plain(text)
    return cut(meant, SHORT)


def _quoted(memory: Memory, room: int = MEDIUM) -> str:
    return f"'{cut(_plain(memory.text), room)}'"


def _plain(text: str) -> str:
    return " ".join(text.split())


def _shown(memory: Memory) -> str:
    return f"{memory.kind} {_quoted(memory, LONG)}"
