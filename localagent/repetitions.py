"""Where messages say again what was forgotten: the clauses, by whomever, that state the same as an entry.

A clause counts where that is sure: the same numbers, days and negation, every word of the entry, and hardly another
one. What says it in other words, or of an amount alone ("4200, as always"), is not seen.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence

from localagent.changes import distinct
from localagent.forgetting import Request
from localagent.memory.base import StoredMessage, Words
from localagent.memory.entries import Memories, Memory
from localagent.memory.language import sentences
from localagent.persons import of_somebody_else_s, whose
from localagent.slots import subject_of
from localagent.statements import Statement, statement

# Of the words of a clause, those of the entry make up at least this share.
LEAST_SHARE = 0.7
# Of a clause that says something of a subject, the subject is at least this share.
OF_A_SUBJECT = 0.4
# Messages that are looked at for an entry, and entries put away that an answer is compared with.
MOST_MESSAGES = 100
MOST_PUT_AWAY = 200

_CLAUSE = re.compile(r"[,;:](?=\s)|[，；：、]|\s[-–—]\s|\b(?:and|but|because|so|since)\b", re.IGNORECASE)
# What is said about saying, whatever is said.
_TELLING = frozenset(
    "sinc becaus tell said say mention know known rememb note not forgot forgotten forget delet remov fact that longer "
    "understood sure right correct ok 忘 掉 记 件 事 说 过 告 诉 知 道 提 到 这 好 明 白 删 除 关 于 既 然".split()
)
_TO_USER = re.compile(r"\b(?:you|your|yours)\b|[你您]", re.IGNORECASE)
_OF_THE_SAME = re.compile(r"\W*(?:(?:and|but|so) )?(?:he|she|they|his|her|their|it|its)\b|\W*[他她它]", re.IGNORECASE)
_OF_SPEAKER = re.compile(r"\b(?:I|my|mine|we|our)\b|[我咱]", re.IGNORECASE)


def repetitions(memories: Memories, memory: Memory) -> list[tuple[int, str]]:
    """Clauses of messages that state what the entry states, each with the id of its message, but for that which it was
    made of."""
    said = statement(memory.text)
    found = memories.said_alike(memory.text, limit=MOST_MESSAGES)
    return [
        (one.message_id, clause)
        for one in found
        for clause in _stating(one, [(memory.text, said)])
        if one.message_id != memory.message_id or not (clause in memory.evidence or memory.text in clause)
    ]


def statements_of(memories: Memories, request: Request) -> Iterator[tuple[int, str]]:
    """Beside entries, what messages say of what somebody asks to forget: the clauses of the user's that state it or, of
    a subject ("my salary"), give its value; where everything about something is meant, all sentences that name it. Not
    what is hidden already: earlier requests, and what they found."""
    if request.named not in ("statement", "subject", "all"):
        return
    for words in memories.said_alike(request.about, limit=MOST_MESSAGES):
        if request.asked not in words.text:
            hidden = memories.hidden_in(words.message_id)
            found = (
                one for one in _saying(words, request) if not any(one.rstrip(".。!！") in clause for clause in hidden)
            )
            yield from ((words.message_id, one) for one in found)


def _saying(words: Words, request: Request) -> Iterator[str]:
    about = statement(request.about)
    if request.named == "all" and about.content:
        yield from _naming(words.text, request.about, about)
    for clause in clauses_of(words.text) if words.role == "user" else ():
        gives = request.named == "subject" and _gives(clause, request.about, about)
        if gives or (request.named == "statement" and _states(words, clause, request.about, about)):
            yield clause


def _gives(clause: str, name: str, about: Statement) -> bool:
    """Whether a clause gives the value of a subject, or is of little else: "the door code at work is 8812"."""
    said = statement(clause)
    if not about.content or not about.content <= said.content or not set(about.numbers) <= set(said.numbers):
        return False
    of_it = subject_of(clause) == about.content or len(about.content) >= OF_A_SUBJECT * len(said.content)
    return of_it and not clause.endswith(("?", "？")) and not of_somebody_else_s(clause, name)


def _naming(text: str, name: str, about: Statement) -> Iterator[str]:
    """The sentences that name it, and those behind them that speak of the same person."""
    goes_on = False
    for sentence in sentences(text):
        said = statement(sentence)
        names = about.content <= said.content and set(about.numbers) <= set(said.numbers)
        names = names and not of_somebody_else_s(_as_own(sentence), name)
        goes_on = names or (goes_on and bool(_OF_THE_SAME.match(sentence)))
        if goes_on:
            yield sentence.strip()


def said_after(memories: Memories, memory: Memory, message: StoredMessage) -> bool:
    """Whether what an entry says was said, or said again, after the message, which is read late then."""
    if memory.message_id is None:
        return memory.valid_from > message.created_at
    if memory.message_id >= message.id:
        return memory.message_id > message.id
    if not memory.access_count or memory.accessed_at <= message.created_at:
        return False
    alike, said = memories.said_alike(memory.text, limit=MOST_MESSAGES), (memory.text, statement(memory.text))
    later = (words for words in alike if words.role == "user" and words.message_id > message.id)
    return any(any(_stating(words, [said])) for words in later)


def clauses_of(text: str) -> Iterator[str]:
    return (clause for one in sentences(text) for part in _CLAUSE.split(one) if (clause := part.strip()))


def repeated(memories: Memories, words: Words) -> list[tuple[str, str]]:
    """Of what was put away because somebody asked to forget it, what a new answer says again: the entry's id and the
    clause."""
    entries = memories.put_away(limit=MOST_PUT_AWAY)
    forgotten = [(memory.text, statement(memory.text)) for memory in entries]
    return [
        (memory.id, clause) for memory, one in zip(entries, forgotten, strict=True) for clause in _stating(words, [one])
    ]


def told_again(memories: Memories, answer: str, earlier: Sequence[StoredMessage]) -> list[str]:
    """Sentences of an answer that say at least half of what is not recalled of the user's messages before it."""
    hidden = [
        (clause.content - _TELLING, set(clause.numbers))
        for one in earlier
        if one.message.role == "user"
        for text in memories.hidden_in(one.id)
        for clause in map(statement, clauses_of(text))
    ]
    found = []
    for sentence in sentences(answer) if hidden else ():
        said = statement(sentence)
        if any(
            (numbers & set(said.numbers) and content & said.content)
            or (content and 2 * len(content & said.content) >= len(content))
            for content, numbers in hidden
        ):
            found.append(sentence.strip())
    return found


def forget_for_good(memories: Memories, memory_ids: Iterable[str]) -> int:
    """Delete entries, and leave out of recalled messages what says the same. How many were deleted."""
    ids = [memories.get(key).id for key in memory_ids]
    said = [one for memory_id in ids for one in repetitions(memories, memories.get(memory_id))]
    return memories.forget(ids, said=said)


def _stating(words: Words, forgotten: Sequence[tuple[str, Statement]]) -> Iterator[str]:
    for sentence in sentences(words.text):
        clauses = list(clauses_of(sentence))
        for one in forgotten:
            stating = [clause for clause in clauses if _states(words, clause, *one)]
            if stating:
                yield from stating
            elif _states(words, sentence, *one):
                yield sentence.strip()


def _states(words: Words, clause: str, text: str, old: Statement) -> bool:
    to_user, of_speaker = bool(_TO_USER.search(clause)), bool(_OF_SPEAKER.search(clause))
    if to_user != of_speaker and to_user == (words.role == "user"):
        return False  # of the assistant
    new = statement(clause)
    if (new.denies, sorted(new.numbers), sorted(new.days)) != (old.denies, sorted(old.numbers), sorted(old.days)):
        return False
    if not old.content or not old.content <= new.content or distinct(clause, text):
        return False
    if whose(_as_own(clause)) != whose(text):
        return False
    beside = new.content - old.content - _TELLING
    if len(old.content) + len(old.numbers) < 2:
        return not beside
    return len(old.content) >= LEAST_SHARE * (len(old.content) + len(beside))


def _as_own(clause: str) -> str:
    return re.sub(r"\byour\b", "my", re.sub(r"[你您]", "我", clause), flags=re.IGNORECASE)
