"""Entries and messages in one writing of Chinese for whoever judges them (`memory.characters`); the ledger gets what
was made of them, and the user is told of it, in the characters that they were written in.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import replace

from localagent.memory.base import StoredMessage, Thread, Words
from localagent.memory.classifying import Classifier, Facts, Guess, Silence
from localagent.memory.entries import (
    Add,
    Change,
    Kind,
    Memories,
    Memory,
    NewMemory,
    PutAway,
    Scope,
    State,
    Strengthen,
    Supersede,
    TakePlace,
)
from localagent.memory.filters import Filter
from localagent.policy import Extracted
from localagent.remember import Remember
from localagent.writing import Writing
from localagent.written import Unclear, Written


class InOneWriting:
    """Entries as they are read; what is written to them is as somebody wrote it."""

    def __init__(self, memories: Memories, writing: Writing) -> None:
        self._memories = memories
        self._writing = writing

    @property
    def tenant(self) -> str:
        return self._memories.tenant

    def write(
        self,
        changes: Sequence[Change],
        *,
        read: int | None = None,
        unsaid: Sequence[tuple[int, str]] = (),
        again: Sequence[tuple[str, str]] = (),
    ) -> list[Memory]:
        made = [self._change(one) for one in changes]
        written = self._writing.written
        return self._read(
            self._memories.write(
                made,
                read=read,
                unsaid=self._passages(unsaid),
                again=[(memory_id, written(clause)) for memory_id, clause in again],
            )
        )

    def get(self, key: str) -> Memory:
        return self._entry(self._memories.get(key))

    def select(
        self,
        where: Filter | None = None,
        *,
        states: Sequence[State] = ("active",),
        pinned: bool | None = None,
        limit: int | None = None,
    ) -> list[Memory]:
        return self._read(self._memories.select(where, states=states, pinned=pinned, limit=limit))

    def alike(self, text: str, kinds: Iterable[Kind], *, limit: int = 10) -> list[Memory]:
        return self._read(self._memories.alike(self._writing.written(text), kinds, limit=limit))

    def edit(
        self,
        memory_id: str,
        *,
        text: str | None = None,
        kind: Kind | None = None,
        scope: Scope | None = None,
        importance: float | None = None,
        said: Sequence[tuple[int, str]] = (),
    ) -> Memory:
        new = None if text is None else self._writing.written(text)
        passages = self._passages(said)
        edit = self._memories.edit
        return self._entry(edit(memory_id, text=new, kind=kind, scope=scope, importance=importance, said=passages))

    def pin(self, memory_id: str, pinned: bool = True) -> Memory:
        return self._entry(self._memories.pin(memory_id, pinned))

    def archive(self, memory_ids: Iterable[str]) -> int:
        return self._memories.archive(memory_ids)

    def restore(self, memory_id: str, *, both: bool = False) -> Memory:
        return self._entry(self._memories.restore(memory_id, both=both))

    def said_alike(self, text: str, *, limit: int = 10) -> list[Words]:
        found = self._memories.said_alike(self._writing.written(text), limit=limit)
        return [replace(one, text=self._writing.read(one.text)) for one in found]

    def corrections(self, memory_ids: Iterable[str]) -> dict[str, list[str]]:
        found = self._memories.corrections(memory_ids)
        return {memory_id: list(map(self._writing.read, texts)) for memory_id, texts in found.items()}

    def hidden_in(self, message_id: int) -> list[str]:
        return list(map(self._writing.read, self._memories.hidden_in(message_id)))

    def put_away(self, *, limit: int | None = None) -> list[Memory]:
        return self._read(self._memories.put_away(limit=limit))

    def forget(self, memory_ids: Iterable[str], *, said: Sequence[tuple[int, str]] = ()) -> int:
        return self._memories.forget(memory_ids, said=self._passages(said))

    def chain(self, memory_id: str) -> list[Memory]:
        return self._read(self._memories.chain(memory_id))

    def reinforce(self, memory_ids: Sequence[str]) -> None:
        self._memories.reinforce(memory_ids)

    def unread(self, limit: int = 100) -> list[int]:
        return self._memories.unread(limit)

    def _entry(self, memory: Memory) -> Memory:
        text, evidence = self._writing.read(memory.text), self._writing.read(memory.evidence)
        same = text == memory.text and evidence == memory.evidence
        return memory if same else replace(memory, text=text, evidence=evidence)

    def _read(self, memories: Iterable[Memory]) -> list[Memory]:
        return list(map(self._entry, memories))

    def _passages(self, passages: Sequence[tuple[int, str]]) -> list[tuple[int, str]]:
        return [(message_id, self._writing.written(text)) for message_id, text in passages]

    def _change(self, change: Change) -> Change:
        written = self._writing.written
        match change:
            case Add(new) | Supersede(new=new):
                as_written = replace(new, text=written(new.text), evidence=written(new.evidence))
                return replace(change, new=as_written)
            case PutAway(asked=asked, said=said):
                return replace(change, asked=written(asked), said=tuple(self._passages(said)))
            case TakePlace(asked=asked):
                return replace(change, asked=written(asked))
            case Strengthen():
                return change


class ByMeaning:
    """A classifier is asked of texts as they were written: it knows Chinese in any writing by its meaning."""

    def __init__(self, classifier: Classifier, writing: Writing) -> None:
        self._classifier = classifier
        self._written = writing.written

    def kinds(self, sentences: Sequence[str]) -> list[Guess]:
        return self._classifier.kinds(list(map(self._written, sentences)))

    def silences(self, sentences: Sequence[str]) -> list[tuple[Silence, float]]:
        return self._classifier.silences(list(map(self._written, sentences)))

    def outdated(self, new: str, older: Sequence[str], facts: Sequence[Facts]) -> list[float]:
        return self._classifier.outdated(self._written(new), list(map(self._written, older)), facts)

    def nearest(self, text: str, limit: int) -> list[tuple[str, float]]:
        return self._classifier.nearest(self._written(text), limit)


class RememberAsWritten(Remember):
    """Judges in one writing."""

    def take(self, message: StoredMessage, earlier: Sequence[StoredMessage], thread: Thread) -> Written:
        writing = Writing()
        before = [writing.message(one) for one in earlier]
        return _told(self._judge(writing).take(writing.message(message), before, thread), writing)

    def consider(self, message: StoredMessage, extracted: Sequence[Extracted], thread: Thread) -> Written:
        writing = Writing()
        said = writing.message(message)
        read = [replace(one, text=writing.read(one.text), evidence=writing.read(one.evidence)) for one in extracted]
        return _told(self._judge(writing).consider(said, read, thread), writing)

    def add(self, new: NewMemory) -> Written:
        writing = Writing()
        read = replace(new, text=writing.read(new.text), evidence=writing.read(new.evidence))
        return _told(self._judge(writing).add(read), writing)

    def asked_to_keep_out(self, text: str, earlier: Sequence[StoredMessage]) -> bool:
        writing = Writing()
        before = [writing.message(one) for one in earlier]
        return self._judge(writing).asked_to_keep_out(writing.read(text), before)

    def _judge(self, writing: Writing) -> Remember:
        def classifier() -> Classifier | None:
            found = self._classifier()
            return ByMeaning(found, writing) if found is not None else None

        return Remember(InOneWriting(self._memories, writing), self._importance, self._undecided, classifier)


def _told(told: Written, writing: Writing) -> Written:
    def entry(memory: Memory) -> Memory:
        return replace(memory, text=writing.written(memory.text), evidence=writing.written(memory.evidence))

    def unclear(one: Unclear) -> Unclear:
        return replace(
            one,
            about=writing.written(one.about),
            memories=tuple(map(entry, one.memories)),
            passages=tuple((message_id, writing.written(text)) for message_id, text in one.passages),
        )

    return Written(
        added=tuple(map(entry, told.added)),
        strengthened=tuple(map(entry, told.strengthened)),
        superseded=tuple((entry(old), entry(new)) for old, new in told.superseded),
        unsure=tuple(replace(one, new=entry(one.new), old=entry(one.old)) for one in told.unsure),
        forgotten=tuple(map(entry, told.forgotten)),
        unclear=tuple(map(unclear, told.unclear)),
        unsaid=tuple(map(writing.written, told.unsaid)),
        in_part=tuple((entry(old), entry(new)) for old, new in told.in_part),
    )
