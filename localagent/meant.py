"""Which entries a request to forget means: those that it names without doubt, and those that it may mean. Pure."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import replace

from localagent.belonging import of_another
from localagent.forgetting import Request
from localagent.known_of import has_name, person_meant
from localagent.memory.entries import Memory
from localagent.named_freely import ALL, is_stated
from localagent.named_sides import by_side
from localagent.slots import Slot, slot_of, subject_of
from localagent.statements import Statement, repeats, same_details, statement

# Of what a statement and an entry say, at least this share must be common to both.
SAME_SHARE = 0.6
# Entries that share less are no better than one another.
CLOSE = 0.1
# Of an entry that is no value of the subject ("my birthday is ..."), so much must be the subject.
SUBJECT_SHARE = 0.3
# "I've switched from Nationwide to Monzo", 我从招商银行换到了建设银行.
_CHANGED = re.compile(
    r"\b(?:switched|moved|changed|gone|went|converted|transferred)\b[^.;]{0,30}? from "
    r"(?P<old>[^.,;]{2,40}?) (?:to|over to)\b|从(?P<old2>[^，。]{2,12}?)(?:换|转|改|搬|跳槽)[到成去为]",
    re.IGNORECASE,
)
_MINE = re.compile(r"\b(?:my|our)\b|我们?的", re.IGNORECASE)
# What an entry says of how something is called is no part of what it is about.
_CALLED = frozenset(("call", "nam", "叫"))
_OWN_SLOT = re.compile(
    r"\bmy (?:home )?(?:address|employer|age|name)\b|我的?(?:住址|住处|地址|公司|单位|年[龄纪])", re.IGNORECASE
)
# "Drop my asthma" may be news.
_DELETES = re.compile(r"\b(?:delete|erase|remove|wipe|purge)\b", re.IGNORECASE)
# What may be somebody, of whom more is known than has these words.
_OF_SOMEBODY = ("subject", "all", "own", "name")
# "What I told you about her": all of it.
_CLAUSE = re.compile(r"[,;](?=\s)|[，；]|\s[-–—]\s|,? and (?=(?:my|our|the|I|we)\b)", re.IGNORECASE)
_WHAT_I_SAID = re.compile(r"\bwhat(?:ever)?\b|我(?:跟你|对你|和你|向你)?[说讲提告]", re.IGNORECASE)


def meant(request: Request, memories: Sequence[Memory]) -> tuple[list[Memory], list[Memory]]:
    """Of the entries, those that the request names without doubt, and those that it may mean."""
    if request.named == "slot":
        slots = [(memory, slot_of(memory.kind, memory.text)) for memory in memories]
        values = [memory for memory, slot in slots if slot is not None and _is_slot(slot, request.about)]
        named = None if values else _OWN_SLOT.search(request.asked)
        if named is not None:  # "my home address is ..." is no answer to "where do I live?"
            return meant(replace(request, named="subject", about=named[0]), memories)
        return (values, []) if len(values) == 1 else ([], values)
    about = statement(request.about)
    if request.named == "quoted":
        said = [(memory, statement(memory.text)) for memory in memories]
        return [one for one, text in said if _says_just(about, text) and about.denies == text.denies], []
    if request.named in _OF_SOMEBODY and (known := _known_of(request, memories)) is not None:
        return known
    if request.named == "name":
        return [], [one for one in memories if has_name(one.text, request.about)]
    if request.named == "everything" or not (about.content or about.numbers):
        return [], []
    own = (memory for memory in memories if not of_another(memory.text, request.about))
    if request.named == "own":
        shares = [(_as_subject(about, one, statement(one.text)), one) for one in own]
        every = [one for share, one in shares if share > 0]
        sure = _DELETES.search(request.asked) and len({one.text.lower() for one in every}) == 1
        return (every, []) if sure and max(share for share, _ in shares) >= SUBJECT_SHARE else ([], every)
    said = [(memory, statement(memory.text)) for memory in own]
    if request.named == "statement":
        fitting = [(memory, _as_statement(about, text)) for memory, text in said]
    else:
        fitting = [(memory, _as_subject(about, memory, text)) for memory, text in said]
    found = sorted(((share, memory) for memory, share in fitting if share > 0), key=lambda one: -one[0])
    if not found and request.named == "subject":
        found_by_side = by_side(request.about, said)
        return (found_by_side, []) if len(found_by_side) == 1 else ([], found_by_side)
    if request.named == "all":
        every = [memory for _, memory in found]
        one = len({memory.text.lower() for memory in every}) < 2
        more = [memory for memory in every if _says_another_thing(request, memory)]
        return ([one for one in every if one not in more], more) if one or _all_of_it(request) else ([], every)
    if found and request.named == "subject" and found[0][0] < SUBJECT_SHARE:
        return [], [memory for _, memory in found]
    if not found:
        return [], []
    first = _best(request, about, found)
    if len({memory.text.lower() for memory in first}) == 1 and not _says_another_thing(request, first[0]):
        return first, []
    return [], first


def _says_another_thing(request: Request, memory: Memory) -> bool:
    """Whether an entry says something else before what a request names: the flat of "we live in a flat, the rent is
    900" is not to go with the rent."""
    if request.named not in ("subject", "all"):
        return False
    content = statement(request.about).content
    names = [bool(content & statement(clause).content) for clause in _CLAUSE.split(memory.text)]
    return not names[0] and any(names) and is_stated(_CLAUSE.split(memory.text)[0])


def _known_of(request: Request, memories: Sequence[Memory]) -> tuple[list[Memory], list[Memory]] | None:
    """Of a request that names somebody and says nothing of them, all that is known of them; None where that is one
    entry or none, and not all of it is asked for."""
    person = person_meant(request.about, [memory.text for memory in memories])
    found = [one for one in memories if person is not None and person.is_named_in(one.text, request.about)]
    if person is None or not found:
        return None
    # Of 婆婆那些东西都扔了吧 it is not known whether it is of what is known of her.
    every = request.every or (request.named != "own" and _all_of_it(request))
    if every and not person.several:
        # Who only stands in what is said of another one: "my sister went to school with Craig".
        beside = [one for one in found if person.only_stands_in(one.text)]
        return [one for one in found if one not in beside], beside
    return ([], found) if len({one.text.lower() for one in found}) > 1 else None


def _all_of_it(request: Request) -> bool:
    return bool(ALL.search(request.asked) or _WHAT_I_SAID.search(request.asked))


def in_its_place(request: Request, going: Sequence[Memory], memories: Sequence[Memory]) -> list[Memory]:
    """Of entries, those that tell what has taken the place of one that goes because "my bank" was named: it means what
    holds now."""
    if request.named in ("statement", "quoted") or not _MINE.search(request.about):
        return []
    gone = [(memory, statement(memory.text).content) for memory in going]
    return [
        one
        for one in memories
        if (change := _CHANGED.search(one.text)) is not None
        and (old := statement(change["old"] or change["old2"]).content)
        and any(
            old <= content and one.id != memory.id and one.valid_from >= memory.valid_from for memory, content in gone
        )
    ]


def _is_slot(slot: Slot, asked: str) -> bool:
    """The home of a sister and that of a sister Jo are one, where only one of them is named."""
    return asked in (slot.name, slot.about) or (" of " in slot.name and asked.startswith(f"{slot.name} "))


def _best(request: Request, about: Statement, found: Sequence[tuple[float, Memory]]) -> list[Memory]:
    """Those that say just what is named, or give its value; else all that say it and more; else those that say most of
    it."""
    said = [(memory, statement(memory.text)) for _, memory in found]
    values = [memory for memory, _ in said if request.named == "subject" and subject_of(memory.text) == about.content]
    just = [memory for memory, text in said if _says_just(about, text)]
    more = [memory for memory, text in said if about.content <= text.content]
    return values or just or more or [memory for share, memory in found if share >= found[0][0] - CLOSE]


def _says_just(about: Statement, text: Statement) -> bool:
    same = about.content == text.content and set(about.numbers) == set(text.numbers)
    return same and set(about.days) == set(text.days)


def _as_statement(about: Statement, text: Statement) -> float:
    """The share of words that both have (0-1); 0 where a number, day or negation of one is against the other."""
    if about.denies != text.denies or not about.content or not text.content:
        return 0.0
    if not set(about.numbers) <= set(text.numbers) or not set(about.days) <= set(text.days):
        return 0.0
    if about.content == text.content and same_details(about, text) and not repeats(about, text):
        return 0.0  # the other way round
    common = about.content & text.content
    share = len(common) / len(about.content | text.content)
    whole = about.content <= text.content
    return share if share >= SAME_SHARE or (whole and len(common) >= 2 and share >= SUBJECT_SHARE) else 0.0


def _as_subject(about: Statement, memory: Memory, text: Statement) -> float:
    """The share (0-1) of an entry that the subject is; 0 where the entry does not name it."""
    if not about.content <= text.content or not set(about.days) <= set(text.days):
        return 0.0
    if not set(about.numbers) <= set(text.numbers):
        return 0.0
    if subject_of(memory.text) == about.content:
        return 1.0
    return len(about.content - _CALLED) / max(1, len(text.content - _CALLED))
