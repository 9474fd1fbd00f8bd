"""Writing long-term memory: what a policy found in a message becomes entries, unless it is known already or corrects
what is known.

Whether two entries say the same is decided by their words, numbers, days and negations (`statements`), and by what
they are values of (`slots`). A repetition strengthens the entry there is; a newer statement about the same takes its
place; where it is not sure, both are kept and the caller is told.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Iterator, Sequence
from dataclasses import replace

from localagent.changes import adds
from localagent.errors import UsageError
from localagent.forgetting import Request
from localagent.heard import NOTHING, Heard, Hearing, no_wishes
from localagent.linking import outdated
from localagent.memory.base import StoredMessage, Thread, Words
from localagent.memory.classifying import Classifier
from localagent.memory.entries import (
    NEWS,
    Add,
    Kind,
    Memories,
    Memory,
    NewMemory,
    PutAway,
    Strengthen,
    Supersede,
    TakePlace,
)
from localagent.memory.filters import Condition
from localagent.noted import OF_OTHERS, entry_of, has, last_of_user, repeated_to, silenced
from localagent.persons import of_one_close
from localagent.planned import WIDTH, Planned, as_new, changed, correcting, counts_for, is_wider, told, weight
from localagent.policy import Extracted, ImportancePolicy, Said, UndecidedPolicy, all_decided
from localagent.putting_away import FORGETTABLE, MOST_STANDING, Forgotten, PuttingAway, without_doubles
from localagent.relation import COMPARED, CORRECTED, DOING, relation
from localagent.repetitions import repeated, repetitions, said_after
from localagent.second_look import second_look
from localagent.spoken import spoken
from localagent.statements import CLOSE_SHARE, Statement, statement
from localagent.taken_back import TakenBack, last_turn, made_of, taken_back
from localagent.unsaid import AHEAD, announces, not_to_note, repeats
from localagent.which_entry import agrees, chosen, may_answer
from localagent.withheld import withheld
from localagent.written import MOST_ASKED, Unsure, Written

# Read whole, newest first: a newer wish need not share a word with the one whose place it takes.
_STANDING: tuple[Kind, ...] = ("preference", "style", "profile", "persona")
# A change: "We went with MySQL" shares no word with "the database is Postgres", nor "I turned 42" with "I'm 41".
_OF_LIFE: tuple[Kind, ...] = (*_STANDING, "habit", "relationship", "decision", "event")
MOST_ALIKE = 20

_OPEN = re.compile(
    r"\b(?:need|needs|must|have to|has to|should|remind|to-?do|next step|forget|will|going to|'ll)\b"
    r"|得(?!到)|需要|提醒|记得|别忘|要|待办|下一步|应该|必须",
    re.IGNORECASE,
)


class Remember:
    """Of one tenant's entries. Raises StorageError, and UsageError for what cannot be remembered."""

    def __init__(
        self,
        memories: Memories,
        importance: ImportancePolicy,
        undecided: UndecidedPolicy = all_decided,
        classifier: Callable[[], Classifier | None] = lambda: None,
    ) -> None:
        """`classifier` gives what decides where the rules do not, or None where there is none (yet)."""
        self._memories = memories
        self._importance = importance
        self._undecided = undecided
        self._classifier = classifier
        self._hearing = Hearing(classifier)

    def take(self, message: StoredMessage, earlier: Sequence[StoredMessage], thread: Thread) -> Written:
        """Look through a message once, and write what it holds, all or nothing. Of an answer that broke off, nothing.

        `earlier` are the messages before it, oldest first. It may be read late: what was said after it stands.
        """
        if not message.remembered:
            return Written()
        found: list[NewMemory] = []
        finished: list[NewMemory] = []
        news: list[NewMemory] = []
        guessed: list[tuple[NewMemory, bool]] = []
        corrects: set[int] = set()
        said = spoken(message)
        complete = message.status == "complete" and bool(said.text.strip())
        before = [spoken(one) for one in earlier if one.status != "undone" and one.remembered]
        taken = list(self._importance(said, before)) if complete else []
        heard = self._hearing.of(said.text, no_wishes(taken)) if said.role == "user" else NOTHING
        back = taken_back(self._memories, message, earlier, heard)
        unsaid = self._unsaid(said, back, earlier)
        back = back.beside(self._memories, message, earlier, unsaid)
        requests = back.requests(said.text) if said.role == "user" and message.status == "complete" else []
        if complete:
            texts = {one.message_id: one for one in (*before, said)}
            silent = (*unsaid, back.asked, *heard.forgets, *self._memories.hidden_in(message.id))
            looked_at = self._second_look(said, taken, heard)
            for extracted, sure in (*((one, None) for one in taken), *looked_at):
                new = entry_of(extracted, texts, said, thread)
                if new is None or silenced(new, silent, unsaid, requests, message):
                    continue
                if sure is not None:
                    guessed.append((new, sure))
                elif new.kind == "todo" and extracted.replaces and not _OPEN.search(new.text) and new.origin == "user":
                    finished.append(new)
                elif new.kind != "todo" and extracted.replaces and weight(new) <= NEWS:
                    news.append(new)
                else:
                    found.append(new)
                    if extracted.replaces:
                        corrects.add(len(found) - 1)
        plan = list(self._plan(found, corrects, message))
        plan += self._done(finished, plan, message)
        plan += self._corrected(news, plan, message)
        plan += self._guessed(guessed, plan, message)
        forgotten, replacing = self._asked(back.open(requests), message, earlier, thread)
        going = list({one.id: (one, asked) for one, asked in (*back.put_away, *forgotten.going)}.values())
        unclear = (*forgotten.unclear, *back.unclear)
        again = repeated(self._memories, Words(message.id, "assistant", said.text)) if said.role == "assistant" else []
        told_back = repeated_to(self._memories, said, earlier, self._hearing, [clause for _, clause in again])
        passages = [*((message.id, one) for one in (*unsaid, *told_back)), *back.passages, *forgotten.hidden]
        plan += replacing
        plan += [
            Planned(PutAway(memory.id, asked, tuple(repetitions(self._memories, memory)))) for memory, asked in going
        ]
        memories = self._memories.write([one.change for one in plan], read=message.id, unsaid=passages, again=again)
        if plan and not memories:
            return told(plan, memories)
        # What an entry was put away for needs no second line.
        kept, unclear = without_doubles(unsaid, going, unclear)
        return replace(told(plan, memories), unclear=unclear, unsaid=(*kept, *forgotten.unsaid))

    def consider(self, message: StoredMessage, extracted: Sequence[Extracted], thread: Thread) -> Written:
        """What somebody else than the policy has seen in a message that was looked through before. It corrects nothing:
        what is close to an entry is kept beside it."""
        said = spoken(message)
        made = (entry_of(one, {said.message_id: said}, said, thread) for one in extracted)
        # What was taken back or forgotten since is not noted late.
        unsaid = [*not_to_note(said.text, self._hearing.of(said.text)), *self._memories.hidden_in(message.id)]
        unsaid += withheld((), [said], {}).get(said.message_id, ())
        news = [new for new in made if new is not None and not any(has(one, new.evidence) for one in unsaid)]
        by_rules = Remember(self._memories, self._importance)
        plan = [one for one in by_rules._plan(news, (), message) if isinstance(one.change, Add)]
        return told(plan, self._memories.write([one.change for one in plan]))

    def add(self, new: NewMemory) -> Written:
        """Write a statement that somebody asked to be remembered. What is not the user's own words becomes a fact where
        it would be a preference, a decision or the like. Raises UsageError for recalled text and for an empty one."""
        if not new.text.strip():
            raise UsageError("there is nothing to remember", hint="Give a statement.")
        if new.origin == "recalled":
            raise UsageError("recalled text is not remembered again")
        if new.origin in ("assistant", "tool") and new.kind not in OF_OTHERS:
            new = replace(new, kind="fact", scope="agent" if new.scope == "all" else new.scope)
        plan = [self._planned(new, statement(new.text), _definite(new), set(), None) or Planned(Add(new))]
        return told(plan, self._memories.write([one.change for one in plan]))

    def asked_to_keep_out(self, text: str, earlier: Sequence[StoredMessage]) -> bool:
        """Whether the user asked with these messages that what a text says be not kept, and has not spoken of it
        since."""
        last = last_of_user(earlier)
        told_anew = last is not None and not not_to_note(last.text, self._hearing.of(last.text))
        if last is not None and told_anew and repeats(last.text, text):
            return False
        return bool(repeated_to(self._memories, Said("assistant", text, 0.0, 0), earlier, self._hearing))

    def _asked(
        self, requests: Sequence[Request], message: StoredMessage, earlier: Sequence[StoredMessage], thread: Thread
    ) -> tuple[Forgotten, list[Planned]]:
        """What a message asks to forget, or answers to the question which entry is meant or replaced by another."""
        text, (turns, at) = spoken(message).text, last_turn(earlier)
        putting = PuttingAway(self._memories, self._classifier, message, thread)
        asks = any(one.named != "perhaps" for one in requests)
        if asks or message.message.role != "user" or not may_answer(text) or at is None:
            return putting.of(requests), []
        asked = spoken(turns[at]).text
        back = taken_back(self._memories, turns[at], turns[:at], self._hearing.of(asked))
        gone = [one for one in self._memories.put_away() if (one.valid_to or 0) >= turns[at].created_at]
        then = PuttingAway(self._memories, self._classifier, message, thread, gone)
        unclear = (*then.of(back.requests(asked)).unclear, *back.unclear)
        meant = [memory for one in unclear for memory in one.memories]
        shown = [memory for one in unclear for memory in one.memories[:MOST_ASKED]]
        going = tuple((memory, text.strip()) for memory in chosen(text, meant, shown))
        pair = self._unsure(turns[at]) if agrees(text) and not meant else None
        replaces = [Planned(TakePlace(pair.old.id, pair.new.id, text.strip()), old=(pair.old,))] if pair else []
        return (Forgotten(going, (), ()) if going or replaces else putting.of(requests)), replaces

    def _unsure(self, message: StoredMessage) -> Unsure | None:
        """What was asked about when a message of the user was looked through, if it was."""
        made = made_of(self._memories, message)
        for memory in reversed(made):
            new = as_new(memory)
            used = {one.id for one in made}
            planned = self._planned(new, statement(new.text), self._says_it_changed(memory), used, message)
            if planned is not None and planned.near:
                return Unsure(memory, planned.near[0])
        return None

    def _unsaid(self, said: Said, back: TakenBack, earlier: Sequence[StoredMessage]) -> list[str]:
        """What a message of the user asks not to note, or the one before it has asked for what comes."""
        before = last_of_user(earlier) if said.role == "user" else None
        if before is not None and AHEAD.search(before.text) and announces(before.text, self._hearing.of(before.text)):
            return [said.text.strip()]
        return back.unsaid(said.text) if said.role == "user" else []

    def _second_look(self, said: Said, taken: Sequence[Extracted], heard: Heard) -> list[tuple[Extracted, bool]]:
        """What the classifier takes of the user's sentences that the rules took nothing of."""
        classifier = self._classifier() if said.role == "user" else None
        found = second_look(said, taken, self._undecided, classifier) if classifier is not None else ()
        return [one for one in found if not any(has(perhaps, one[0].evidence) for perhaps in heard.perhaps)]

    def _guessed(
        self, guessed: Sequence[tuple[NewMemory, bool]], plan: Sequence[Planned], message: StoredMessage
    ) -> Iterator[Planned]:
        """What the classifier took; where it was not sure, only what makes something outdated."""
        used = changed(plan)
        made = [one.change.new.text for one in plan if isinstance(one.change, Add | Supersede)]
        for new, sure in guessed:
            if any(has(new.text, one) or has(one, new.text) for one in made):
                continue
            planned = self._planned(new, statement(new.text), False, used, message)
            if planned is not None and (sure or planned.old or planned.in_part):
                yield planned

    def _plan(self, found: Sequence[NewMemory], corrects: Collection[int], message: StoredMessage) -> Iterator[Planned]:
        """A change for each, but none for what a later one of the same message repeats or corrects."""
        used: set[str] = set()
        for index, new in enumerate(found):
            text = statement(new.text)
            if any(
                relation(one, statement(one.text), new, text, True) in ("same", "newer") for one in found[index + 1 :]
            ):
                continue
            planned = self._planned(new, text, index in corrects, used, message)
            if planned is not None:
                yield planned

    def _planned(
        self, new: NewMemory, text: Statement, corrects: bool, used: set[str], message: StoredMessage | None
    ) -> Planned | None:
        """The change that a statement makes. None where an answer or a tool's result says what is known: recalled text
        must not strengthen itself; and where something that was said after the message is against it. `used` are
        entries that this message has changed before, and now this one's. Without a message somebody wants it kept."""
        own = new.origin in ("user", "file")
        same: list[Memory] = []
        older: list[Memory] = []
        near: list[Memory] = []
        alone: list[Memory] = []
        touched: list[Memory] = []
        for memory in self._candidates(new, corrects):
            wider = is_wider(memory, new)
            found = relation(new, text, memory, statement(memory.text), corrects)
            if message is not None and self._overrules(memory, message, new, text):
                return None
            if memory.id in used or found == "other":
                continue
            done = corrects and memory.kind == "todo" and new.kind == "event"
            if message is not None and found != "same" and said_after(self._memories, memory, message):
                if found in ("newer", "alone"):
                    return None
                continue
            if not own and memory.origin == "user" and found != "same":
                near.append(memory)  # what the user said stands
            elif found == "same" and WIDTH[memory.scope] >= WIDTH[new.scope] and not done:
                same.append(memory)
            elif found in ("same", "newer") and not wider:
                older.append(memory)
            elif found == "alone" and not wider:
                alone.append(memory)
            elif found == "part" and not wider:
                touched.append(memory)
            elif found == "close" and not wider:
                near.append(memory)
        if len(alone) == 1 and not older:
            older = alone
        else:
            near += alone
        if not own and message is not None and (same or any(memory.origin == "user" for memory in near)):
            return None
        if same and not older and not (own and _of_others(same[0])):
            used.add(same[0].id)
            return Planned(Strengthen(same[0].id, weight(new)))
        change = correcting(new, [*same, *older], touched, used)
        return change or self._linked(new, message, used) or Planned(Add(new), near=tuple(near[:1]))

    def _linked(self, new: NewMemory, message: StoredMessage | None, used: set[str]) -> Planned | None:
        """What it makes outdated as the classifier sees it, where the rules see nothing."""

        def open_to_it(memory: Memory) -> bool:
            later = message is not None and said_after(self._memories, memory, message)
            return counts_for(memory, new) and memory.id not in used and not is_wider(memory, new) and not later

        classifier = self._classifier() if new.origin in ("user", "file") else None
        return outdated(self._memories, classifier, new, open_to_it, used) if classifier is not None else None

    def _overrules(self, memory: Memory, message: StoredMessage, new: NewMemory, text: Statement) -> bool:
        """Whether an entry that was made of a later message corrects what this one says."""
        if memory.message_id is None or memory.message_id <= message.id:
            return False
        later = NewMemory(memory.kind, memory.text, origin=memory.origin, due_at=memory.due_at)
        found = relation(later, statement(memory.text), new, text, self._says_it_changed(memory))
        return found in ("newer", "alone")

    def _says_it_changed(self, memory: Memory) -> bool:
        """Whether the words that an entry was made of say that something else held before."""
        said = Said("user", memory.evidence, memory.valid_from, memory.message_id or 0)
        return any(one.replaces for one in self._importance(said, ()))

    def _candidates(self, new: NewMemory, corrects: bool) -> list[Memory]:
        """Active entries that it may repeat or correct, where they count for whoever says this; the newest first."""
        kinds = (*COMPARED.get(new.kind, (new.kind,)), *CORRECTED.get(new.kind, ()))
        if new.kind == "document":
            return []
        found = {memory.id: memory for memory in self._memories.alike(new.text, kinds, limit=MOST_ALIKE)}
        whole = _OF_LIFE if corrects else _STANDING if new.kind in _STANDING else ()
        if whole:
            where = Condition("kind", "$in", tuple(kind for kind in kinds if kind in whole))
            found |= {memory.id: memory for memory in self._memories.select(where, limit=MOST_STANDING)}
        visible = [memory for memory in found.values() if counts_for(memory, new)]
        return sorted(visible, key=lambda memory: memory.created_at, reverse=True)

    def _corrected(
        self, news: Sequence[NewMemory], plan: Sequence[Planned], message: StoredMessage
    ) -> Iterator[Planned]:
        """News of what is different now take the place of what they correct, and its kind; else they are noted if they
        have a kind of their own, or are of somebody who is known as close to the user."""
        used = changed(plan)
        for new in news:
            text = statement(new.text)
            older: list[Memory] = []
            alone: list[Memory] = []
            touched: list[Memory] = []
            known = [memory for memory in self._correctable(new) if counts_for(memory, new)]
            for memory in known:
                if memory.id in used or said_after(self._memories, memory, message):
                    continue
                found = relation(replace(new, kind=memory.kind), text, memory, statement(memory.text), True)
                if found in ("newer", "alone", "part"):
                    (older if found == "newer" else alone if found == "alone" else touched).append(memory)
            older = older or (alone if len(alone) == 1 else [])
            planned = correcting(new, older, touched, used)
            if planned is None and new.kind != "event":
                planned = self._planned(replace(new, importance=None), text, True, used, message)
            elif planned is None and any(of_one_close(new.text, memory.text) for memory in known):
                planned = Planned(Add(replace(new, kind="relationship", scope="all", importance=None)))
            if planned is not None:
                yield planned

    def _correctable(self, new: NewMemory) -> list[Memory]:
        """Entries that news may correct."""
        found = {memory.id: memory for memory in self._memories.alike(new.text, FORGETTABLE, limit=MOST_ALIKE)}
        where = Condition("kind", "$in", _OF_LIFE)
        found |= {memory.id: memory for memory in self._memories.select(where, limit=MOST_STANDING)}
        return list(found.values())

    def _done(
        self, finished: Sequence[NewMemory], plan: Sequence[Planned], message: StoredMessage
    ) -> Iterator[Planned]:
        """A task that is finished gives way to the news that it is, which fades soon."""
        taken = changed(plan)
        for new in finished:
            said = statement(new.text)
            tasks = [
                (share_of_task, memory)
                for memory in self._memories.alike(new.text, ("todo",), limit=MOST_ALIKE)
                if memory.id not in taken
                and counts_for(memory, new)
                and not said_after(self._memories, memory, message)
                if (share_of_task := _finished_share(said, statement(memory.text))) >= CLOSE_SHARE
            ]
            if tasks:
                _, task = max(tasks, key=lambda entry: entry[0])
                taken.add(task.id)
                news = replace(new, kind="event", importance=NEWS, due_at=None)
                yield Planned(Supersede(task.id, news), old=(task,))


def _of_others(memory: Memory) -> bool:
    """What an assistant had noted and the user says becomes the user's."""
    return memory.origin in ("assistant", "tool")


def _definite(new: NewMemory) -> bool:
    """Whether what was written by hand is taken to correct what it differs from: not what somebody does or likes, which
    may be so on several days and of several things."""
    on_a_day = bool(statement(new.text).days) and bool(DOING.search(new.text))
    return new.kind not in ("habit", "event", "todo") and not on_a_day and not adds(new.text)


def _finished_share(said: Statement, task: Statement) -> float:
    """The share of a task's words that the news of its end has."""
    return len(said.content & task.content) / len(task.content) if task.content else 0.0
