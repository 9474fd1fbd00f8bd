"""What looking through a message changed in memory, and the lines that tell it."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from localagent import bilingual, bilingual_shown
from localagent.bilingual import Language
from localagent.columns import columns, cut
from localagent.errors import UsageError
from localagent.memory.entries import Memories, Memory, TakePlace

# Columns that a text has in a line: the one that it is about, one beside that, and one that is only to be recognised.
LONG, MEDIUM, SHORT = 90, 66, 30
# Entries that a question back shows.
MOST_ASKED = 4
# As they are typed in a shell; in a conversation they begin with /memory.
RESTORE, FORGET, ADD, REPLACE = (f"localagent memory {verb}" for verb in ("restore", "forget", "add", "replace"))


@dataclass(frozen=True, slots=True)
class Unsure:
    """Two entries of which the newer one may replace the older one; both are kept. Yes in the next message settles it,
    or `localagent memory replace`."""

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

    def lines(self, language: Language = "en") -> list[str]:
        """A line for each change, in plain words; where it can be taken back, a second one says how, as it can be
        copied."""
        beside = {new.id for _, new in self.in_part}
        said = [
            bilingual.REMEMBERED(language, what=_shown(memory, language))
            for memory in self.added
            if memory.id not in beside
        ]
        done = [old for old, new in self.superseded if _is_done(old, new)]
        said += [bilingual.DONE(language, what=_quoted(old)) + _back(language, old) for old in done]
        said += [_changing(new, self, language) for new in {new.id: new for new in self._changing()}.values()]
        said += [bilingual.KNOWN(language, what=_shown(memory, language)) for memory in self.strengthened]
        said += [
            bilingual.FORGOT(language, what=_quoted(memory, LONG)) + _back(language, memory)
            for memory in self.forgotten
        ]
        said += [bilingual.NOT_REMEMBERED(language, what=_what_is_meant(text), add=ADD) for text in self.unsaid]
        said += [_told(request, language) for request in self.unclear]
        # One question at a time, so that "yes" answers it.
        asks = any(request.memories for request in self.unclear)
        return said + [_asking(pair, language) for pair in self.unsure[:1] if not asks]

    def _changing(self) -> Iterator[Memory]:
        """What takes the place of something, or corrects a part of it."""
        yield from (new for old, new in self.superseded if not _is_done(old, new))
        yield from (new for _, new in self.in_part)


def restored(
    memories: Memories, memory_id: str, language: Language = "en", *, both: bool = False
) -> tuple[Memory, list[str]]:
    """An archived or superseded entry brought back, and a line for each newer one that is put away for it, unless
    `both` are kept; of an active one a line for each that corrects a part of it no more."""
    marks = memories.corrections([memory_id]).get(memory_id, ())
    counted = {memory.id for memory in memories.chain(memory_id) if memory.state == "active"}
    back = memories.restore(memory_id, both=both)
    gone = [one for one in memories.chain(back.id) if one.id in counted and one.state != "active"]
    lines = [
        bilingual.PUT_AWAY_FOR_IT(language, what=_shown(one, language))
        + _back(language, one)
        + bilingual.KEEP_BOTH(language, command=f"{RESTORE} {one.id}")
        for one in gone
    ]
    return back, lines or [bilingual.HOLDS_AS_A_WHOLE(language, what=cut(_plain(text), MEDIUM)) for text in marks]


def replaced(memories: Memories, old: str, new: str, language: Language = "en") -> Written:
    """One entry in the place of another, which is kept (`restored`). Raises UsageError unless both count."""
    older, newer = memories.get(old), memories.get(new)
    if older.id == newer.id:
        raise UsageError(
            bilingual_shown.NOT_ITSELF(language), hint=bilingual_shown.AS_REPLACE(language, command=REPLACE)
        )
    for one in (older, newer):
        if one.state != "active":
            state = bilingual_shown.STATES[one.state](language)
            raise UsageError(
                bilingual_shown.DOES_NOT_COUNT(language, id=one.id, state=state),
                hint=bilingual_shown.TO_COUNT(language, command=RESTORE, id=one.id),
            )
    (after,) = memories.write([TakePlace(older.id, newer.id)])
    return Written(superseded=((older, after),))


def holds(memories: Memories, memory: Memory) -> bool:
    """Whether there is nothing to restore: it counts, and nothing corrects a part of it."""
    return memory.state == "active" and not memories.corrections([memory.id])


def _changing(new: Memory, written: Written, language: Language) -> str:
    """An entry, with what it replaces or corrects, and how that is taken back."""
    older = [old for old, one in written.superseded if one.id == new.id]
    beside = [old for old, one in written.in_part if one.id == new.id]
    told = bilingual.REMEMBERED(language, what=_shown(new, language))
    told += "".join(bilingual.REPLACES(language, old=_quoted(old)) for old in older)
    told += "".join(bilingual.CORRECTS(language, old=_quoted(old)) for old in beside)
    return told + _back(language, *older, *beside)


def _asking(pair: Unsure, language: Language) -> str:
    """Whether one replaces the other; what a message said is settled by the next one."""
    command = f"{REPLACE} {pair.old.id} {pair.new.id}"
    said = pair.new.origin == "user" and pair.new.message_id is not None
    settles = bilingual.SAY_YES(language, command=command) if said else command
    return bilingual.REPLACES_IT(language, new=_quoted(pair.new), old=_quoted(pair.old), command=settles)


def _told(request: Unclear, language: Language) -> str:
    """What became of a request to forget that names no entry, or several."""
    about = f"'{cut(_plain(request.about), LONG)}'"
    if request.everything:
        return bilingual.NOT_EVERYTHING(language, forget=FORGET)
    if request.passages:
        said = bilingual.NOT_RECALLED if request.before else bilingual.NO_ENTRY_BUT_SAID
        return said(language, about=about)
    if request.before:
        return bilingual.NOTHING_BEFORE(language, about=about)
    if request.files:
        return bilingual.IN_A_FILE(language, about=about, names=", ".join(request.files), file=request.files[0])
    if request.memories:
        which = "".join(f"\n  {memory.id} {_quoted(memory, LONG)}" for memory in request.memories[:MOST_ASKED])
        more = len(request.memories) - MOST_ASKED
        which += bilingual.MANY_MORE(language, more=str(more), all=str(len(request.memories))) if more > 0 else ""
        asked = bilingual.WHICH_ONE if len(request.memories) > 1 else bilingual.THIS_ONE
        return asked(language, forget=FORGET, which=which)
    return bilingual.NO_ENTRY(language, about=about)


def _is_done(old: Memory, new: Memory) -> bool:
    return old.kind == "todo" and new.kind != "todo"


def _back(language: Language, *memories: Memory) -> str:
    return bilingual.UNDO(language, command=f"{RESTORE} {' '.join(memory.id for memory in memories)}")


def _what_is_meant(text: str) -> str:
    """Of what asks not to be noted, what that is: it stands behind the words that ask, where a colon ends these."""
    head, _, rest = _plain(text).replace("：", ": ").partition(": ")
    meant = rest.strip() if any(map(str.isalnum, rest)) and columns(head) <= SHORT else _plain(text)
    return cut(meant, SHORT)


def _quoted(memory: Memory, room: int = MEDIUM) -> str:
    return f"'{cut(_plain(memory.text), room)}'"


def _plain(text: str) -> str:
    return " ".join(text.split())


def _shown(memory: Memory, language: Language) -> str:
    return f"{bilingual.kind_name(memory.kind, language)} {_quoted(memory, LONG)}"
