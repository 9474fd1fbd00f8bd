"""`/memory`, `/remember` and `/why`: long-term memory from within a conversation."""

from __future__ import annotations

import contextlib
import difflib
import re
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Protocol, TypeVar

from localagent import bilingual, bilingual_shown, bilingual_why
from localagent.abort import AbortSignal
from localagent.bilingual import Language, called
from localagent.columns import columns, pad
from localagent.errors import ContextOverflow, UsageError

if TYPE_CHECKING:
    from localagent.assembler import Recalled
    from localagent.conversation import Conversation
    from localagent.longterm import Opened
    from localagent.memory.entries import Memory
    from localagent.written import Written

Answer = TypeVar("Answer")

# Entries that `/memory` alone lists.
NEWEST = 10
# By whether an entry was pinned, and is to be.
_PINNING = {
    (False, True): bilingual.PINNED,
    (True, True): bilingual.PINNED_ALREADY,
    (True, False): bilingual.UNPINNED,
    (False, False): bilingual.NOT_PINNED,
}


class MemorySession(Protocol):
    """What these commands may do with the REPL."""

    def conversation(self) -> Conversation: ...

    def with_memory(self, action: Callable[[Opened, AbortSignal], Answer]) -> Answer:
        """Open memory if need be, do it, and give back what it gave. UsageError where memory is switched off."""
        ...

    def language(self, *texts: str) -> Language:
        """Of the conversation, or the one before; before anything was said, of the texts that it is about."""
        ...

    def confirm(self, question: str) -> bool: ...

    def print(self, text: str, style: str = "", *, verbatim: bool = False) -> None: ...


@dataclass(frozen=True, slots=True)
class Part:
    """One thing `/memory` does. `argument` is how help shows it; empty: it takes none."""

    name: str
    argument: str
    run: Callable[[MemorySession, str], None]


def memory(session: MemorySession, argument: str) -> None:
    """Without an argument, what was remembered last."""
    if not argument:
        _list(session)
        return
    name, _, rest = argument.partition(" ")
    part = next((part for part in PARTS if part.name == name.lower()), None)
    if part is None:
        close = difflib.get_close_matches(name.lower(), [part.name for part in PARTS], n=1, cutoff=0.5)
        nearest = f"/memory {close[0]}" if close else f"/memory search {argument}"
        language = session.language(argument)
        raise UsageError(
            bilingual_shown.UNKNOWN_PART(language, name=name),
            hint=bilingual_shown.DID_YOU_MEAN(language, nearest=nearest, usage=usage(language)),
        )
    if bool(part.argument) is not bool(rest.strip()):
        language = session.language(rest)
        told = bilingual_shown.NEEDS if part.argument else bilingual_shown.NEEDS_NOTHING
        needed = called(bilingual_shown.ARGUMENTS, part.argument, language)
        raise UsageError(told(language, name=part.name, argument=needed))
    part.run(session, rest.strip())


def remember(session: MemorySession, text: str) -> None:
    if not text:
        language = session.language()
        raise UsageError(bilingual_shown.NOTHING_SAID(language), hint=bilingual_shown.AS_REMEMBER(language))
    from localagent.stated import stated

    thread = session.conversation().thread

    def add(opened: Opened, abort: AbortSignal) -> Written:
        new = stated(text, opened.policies.importance, time.time(), agent=thread.agent, thread_id=thread.id)
        written = opened.remember.add(new)
        opened.background.wake()
        return written

    before, language = _standing(session), bilingual.language_of(text)
    written = session.with_memory(add)
    session.print(in_conversation("\n".join(written.lines(language))), "dim")
    _tell_room(session, written.memories, before, [old for old, _ in written.superseded], language)


def why(session: MemorySession, argument: str) -> None:
    """Of the last prompt: what memory gave it (`all`: what became of everything that was looked at, `all 3`: of one
    fate), or why a text is in it or is not."""
    record, language = session.conversation().last_prompt(), session.language(argument)
    if record is None:
        session.print(bilingual_why.NO_PROMPT(language), "dim")
        return
    everything = re.fullmatch(r"all(?:\s+(\d{1,9}))?", argument, re.IGNORECASE)
    if argument and everything is None:
        from localagent.explain import read_history
        from localagent.explain import why as explain
        from localagent.explain_overview import explanation_lines

        history = read_history(*session.conversation().recorded())
        lines = explanation_lines(explain(argument, history.prompts[-1], history, language), language)
        session.print(in_conversation("\n".join(lines)))
        return
    from localagent.render_recall import group_lines, overview_lines, why_lines

    if everything is None:
        lines = why_lines(record, language)
    elif everything[1]:
        lines = group_lines(record, int(everything[1]), language)
    else:
        lines = overview_lines(record, language)
    session.print("\n".join(lines))
    if session.conversation().memory is not None:
        _tell_waiting(session, language)


def tell_what_stays(session: MemorySession, since: float) -> None:
    """What `/remember` wrote in this thread since then (epoch seconds): it is part of no exchange, so `/undo` leaves
    it."""
    thread = session.conversation().thread
    if session.conversation().memory is None:
        return
    with contextlib.suppress(UsageError):  # memory cannot be used now
        newest = session.with_memory(lambda opened, abort: opened.memories.select(limit=NEWEST))
        for memory in newest:
            if memory.thread_id == thread.id and memory.message_id is None and memory.created_at >= since:
                language = _language(session, memory)
                session.print(bilingual.STAYS(language, entry=_line(memory, language)), "dim")


def in_conversation(text: str) -> str:
    """With the commands of memory as they are typed here: `/memory restore ID`."""
    return re.sub(rf"\blocalagent memory (?=(?:{'|'.join(part.name for part in PARTS)})\b)", "/memory ", text)


def usage(language: Language = "en") -> str:
    """`search QUERY, add TEXT, ...`"""
    told = (f"{part.name} {called(bilingual_shown.ARGUMENTS, part.argument, language)}".strip() for part in PARTS)
    return ("、" if language == "zh" else ", ").join(told)


def _list(session: MemorySession, argument: str = "") -> None:
    """The newest."""
    found = session.with_memory(lambda opened, abort: opened.memories.select(limit=NEWEST + 1))
    language = _language(session, *found)
    lines = _lines(session, found[:NEWEST]) or [bilingual.NOTHING_YET(language)]
    if len(found) > NEWEST:
        lines.append(bilingual.AND_MORE(language))
    session.print("\n".join([*lines, f"/memory {usage(language)}"]))


def _search(session: MemorySession, query: str) -> None:
    from localagent.render_memory import result_lines

    thread = session.conversation().thread
    memory = session.conversation().memory
    assert memory is not None  # with_memory has seen to it
    results, degraded = session.with_memory(lambda opened, abort: memory.search(query, thread, abort))
    language = session.language(query)
    if degraded:
        session.print(bilingual.BY_WORDS(language, why=degraded), "dim")
    else:
        _tell_waiting(session, language)
    now = time.time()
    shown = [result_lines(one, "", now, language) for one in results]
    session.print("\n\n".join(shown) or bilingual.NOTHING_NEAR(language))


def _show(session: MemorySession, key: str) -> None:
    """An entry as `memory show` does it."""
    from localagent.render_memory import memory_lines

    least = session.conversation().config.memory.archive_below
    memory = _entry(session, key)
    language = session.language(memory.text)

    def shown(opened: Opened, abort: AbortSignal) -> str:
        now = time.time()
        chain, retention = opened.memories.chain(memory.id), opened.policies.retention(memory, now, least)
        since = opened.memories.corrections([memory.id]).get(memory.id, ())
        return memory_lines(memory, chain, retention, memory.thread_id, now, since, language)

    session.print(session.with_memory(shown))


def _tell_waiting(session: MemorySession, language: Language) -> None:
    from localagent.render_memory import waiting_text

    waiting = session.with_memory(lambda opened, abort: opened.waiting())
    if waiting:
        session.print(waiting_text(waiting, language), "dim")


def _forget(session: MemorySession, keys: str) -> None:
    going = _all_of(session, keys)
    language = _language(session, *going)
    session.print("\n".join(_lines(session, going)))
    if not session.confirm((bilingual.FORGET_THIS if len(going) == 1 else bilingual.FORGET_THESE)(language)):
        session.print(bilingual.NOTHING_FORGOTTEN(language), "dim")
        return
    from localagent.repetitions import forget_for_good

    count = session.with_memory(lambda opened, abort: forget_for_good(opened.memories, [memory.id for memory in going]))
    session.print(bilingual.FORGOTTEN(language, count=count), "dim")
    if any(memory.message_id is not None for memory in going):
        session.print(bilingual.MESSAGE_STAYS(language), "dim")


def _pin(session: MemorySession, keys: str) -> None:
    _set_pinned(session, keys, True)


def _unpin(session: MemorySession, keys: str) -> None:
    _set_pinned(session, keys, False)


def _replace(session: MemorySession, keys: str) -> None:
    from localagent.written import replaced

    if len(keys.split()) != len(("OLD", "NEW")):
        language = session.language()
        raise UsageError(bilingual_shown.TWO_NEEDED(language), hint=bilingual_shown.AS_OLD_NEW(language))
    old, new = (_entry(session, key) for key in keys.split())
    language = session.language(new.text)
    written = session.with_memory(lambda opened, abort: replaced(opened.memories, old.id, new.id, language))
    session.print(in_conversation("\n".join(written.lines(language))), "dim")


def _restore(session: MemorySession, keys: str) -> None:
    from localagent.written import holds, restored

    both = "--both" in keys.split()
    chosen = _all_of(session, keys.replace("--both", ""))
    language = _language(session, *chosen)
    found = session.with_memory(lambda opened, abort: [one for one in chosen if holds(opened.memories, one)])
    for memory in found:
        session.print(bilingual.ACTIVE_ALREADY(language, entry=_line(memory, language)), "dim")
    ids = [memory.id for memory in chosen if memory not in found]
    done = session.with_memory(
        lambda opened, abort: [restored(opened.memories, one, language, both=both) for one in ids]
    )
    for memory, gone in done:
        told = bilingual.RESTORED(language, entry=_line(memory, language))
        session.print(in_conversation("\n".join((told, *gone))), "dim")


def _set_pinned(session: MemorySession, keys: str, pinned: bool) -> None:
    chosen = _all_of(session, keys)
    if pinned:
        from localagent.stated import pinnable

        pinnable(chosen, _language(session, *chosen))
    before = _standing(session)
    changed = session.with_memory(lambda opened, abort: [opened.memories.pin(one.id, pinned) for one in chosen])
    language = _language(session, *chosen)
    done = {memory.id: _PINNING[memory.pinned, pinned] for memory in chosen}
    told = (done[memory.id](language, entry=_line(memory, language)) for memory in changed)
    session.print("\n".join(told), "dim")
    if pinned:
        _tell_room(session, changed, before, (), language)


def _tell_room(
    session: MemorySession,
    changed: Sequence[Memory],
    before: Sequence[Recalled],
    gone: Sequence[Memory],
    language: Language,
) -> None:
    """What is in no prompt for want of room. `before`: what was in every prompt."""
    from localagent.stated import without_room

    thread = session.conversation().thread
    after, whose = _standing(session), thread.agent
    for line in without_room(changed, before, after, gone, agent=whose, thread_id=thread.id, language=language):
        session.print(in_conversation(line), "dim")


def _standing(session: MemorySession) -> Sequence[Recalled]:
    """What of memory is in every prompt."""
    with contextlib.suppress(ContextOverflow):  # the system text is too long for any prompt
        return [item for item in session.conversation().context().recalled if item.pinned]
    return ()


def _all_of(session: MemorySession, keys: str) -> Sequence[Memory]:
    """Each once. UsageError if one is not there: then nothing is done."""
    found = [_entry(session, key) for key in keys.split()]
    return list({memory.id: memory for memory in found}.values())


def _entry(session: MemorySession, key: str) -> Memory:
    """By its id, or a beginning of it."""
    return session.with_memory(lambda opened, abort: opened.memories.get(key))


def _lines(session: MemorySession, memories: Sequence[Memory]) -> list[str]:
    """As a list shows them: with what corrects a part of them."""
    ids = [memory.id for memory in memories]
    since = session.with_memory(lambda opened, abort: opened.memories.corrections(ids))
    language = _language(session, *memories)
    room = max((columns(_kind(memory, language)) for memory in memories), default=0)
    return [_line(memory, language, since.get(memory.id, ()), room) for memory in memories]


def _language(session: MemorySession, *memories: Memory) -> Language:
    return session.language(*(memory.text for memory in memories))


def _kind(memory: Memory, language: Language) -> str:
    kind = bilingual.kind_name(memory.kind, language)
    return bilingual.PINNED_KIND(language, kind=kind) if memory.pinned else kind


def _line(memory: Memory, language: Language, corrected_by: Sequence[str] = (), room: int = 0) -> str:
    from localagent.render_memory import listed

    return f"{memory.id}  {pad(_kind(memory, language), room)}  {listed(memory, corrected_by, language)}"


PARTS = (
    Part("search", "QUERY", _search),
    Part("list", "", _list),
    Part("show", "ID", _show),
    Part("add", "TEXT", remember),
    Part("forget", "ID", _forget),
    Part("pin", "ID", _pin),
    Part("unpin", "ID", _unpin),
    Part("replace", "OLD NEW", _replace),
    Part("restore", "ID", _restore),
)
