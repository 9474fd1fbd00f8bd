"""Whether a newer statement makes an older one outdated, judged by a classifier where the words alone do not tell.

`relation` knows corrections that are said in words it knows; many are not ("I'm up to 35 km a week with the running",
of "I run about 20 km a week"). The classifier sees what both are about, and the facts given here: what their words,
numbers, persons and negations have in common, and whether the newer one tells of a change. What it is sure of is
replaced; of what it is nearly sure, both are kept, and it is asked about.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import get_args

from localagent.changes import SO_NOW
from localagent.deaths import dies
from localagent.endings import ends, takes_instead
from localagent.errors import EmbeddingFailed, EnvironmentFault
from localagent.in_part import only_once
from localagent.memory.classifying import Classifier, Facts
from localagent.memory.entries import Add, Kind, Memories, Memory, NewMemory
from localagent.memory.filters import Condition
from localagent.nearby import nearest
from localagent.persons import PEOPLE, named, of_whom
from localagent.planned import WISHES, Planned, correcting
from localagent.same_thing import speaks_of_another
from localagent.sides import sides
from localagent.statements import Statement, statement, stem, words_in

# From these probabilities on an entry is replaced, or kept and asked about; where they hardly share a word, it is
# replaced only from the first one on. `benchmarks/classifier.py` prints what they let through.
SURELY = 0.9
REPLACED = 0.8
BESIDE = 0.6
# What is hardly worth remembering, whatever the rules say, corrects nothing.
LIFELIKE = 0.2
# Candidates: nearest in meaning, alike in words, newest.
NEAREST = 8
MOST_ALIKE = 6
NEWEST = 4
# Moods pass by themselves; a piece of a file is corrected by its file.
_NEVER: tuple[Kind, ...] = ("emotion", "document")
LINKED: tuple[Kind, ...] = tuple(kind for kind in get_args(Kind) if kind not in _NEVER)

_CHANGE = re.compile(
    rf"\b(?:{SO_NOW}|used to|mov(?:ed|ing)|chang(?:ed|ing)|"
    r"switch(?:ed|ing)|left|quit|gave|given|stopped|started|new|again|after all|actually|over|got|turn(?:s|ed)|"
    r"since|died|passed away|cancel\w*|pushed|postponed|slipped|until|from (?:now|this|next)|back|sold|closed|promoted|"
    r"traded|dropped|becomes?|became|finally|just|down to|up to|in the end|retired|off|renamed|broke|cured|finished)\b"
    r"|现在|改|换|不再|不.{0,8}了|搬|辞|跳槽|停|戒|卖|送|推|取消|延期|又|还是|以后|新|了[。！!]?$|涨|降|瘦|升|转|退|其实|最后",
    re.IGNORECASE,
)
_ADDITION = re.compile(
    r"\b(?:also|too|as well|either|though|another|second|other|besides|except|as a child|would like|grew up|once|"
    r"in (?:19|20)\d\d)\b|也|还(?!是)|不过|另|以前|小时候|又[养买添]|除了",
    re.IGNORECASE,
)
# What the speaker does, has or is besides, in one clause.
_BESIDES = re.compile(r"^(?:I|We)\b[^,;]*\b(?:as well|too|either)$|^我[^，；]{0,6}也[^，；了]+$")
_NO_MORE = re.compile(rf"\b(?:{SO_NOW}|stopp\w+|quit|gave up|sold|left)\b|不再|改|换", re.IGNORECASE)
_SEVERAL = re.compile(
    r"[，；、,;]|\w (?:and|but|with|because) |[\u4e00-\u9fff](?:和|但|而且|还要|并)[\u4e00-\u9fff]", re.IGNORECASE
)
_NAME = re.compile(r"(?<=[a-z,;:] )[A-Z][\w-]+")
_LONGEST = 60
# What makes a statement one of a change, by more than "back", "again" or "new": who is named by both has many things.
_TURNS = re.compile(
    rf"\b(?:{SO_NOW}|mov(?:e|ed|ing)|left|leaving|quit|g[ai]ve(?:n)? up|giving up|died|dead|buried|"
    rf"(?:put|let|shut|closed|"
    r"laid|split|broke|packed|jacked|turned|handed) \w+|sold|stopped|switch\w*|chang\w*|cancel\w*|retired|gone|goes|"
    r"finished|off|over|dropped|pass(?:ed|es)|pushed|not|cannot|signed|start(?:s|ed|ing)?|from|so|after all|only|until|"
    r"since|up|down|out|away|took|taken)\b|n['’]t\b|\d",
    re.IGNORECASE,
)
_CAPITAL = re.compile(r"(?<![\w'’])[A-Z][\w-]+")
_KIN = re.compile(rf"\b(?:{PEOPLE}|mam|mums?|kids?|children)s?\b", re.IGNORECASE)
# "An eye test", "a driving test".
_OF_A_SORT = re.compile(r"\b(?:an?|the|my|our|his|her|their) (?P<m>[\w-]+) (?P<n>[\w-]+)", re.IGNORECASE)
# Common to statements of any two things.
_ANYTHING = frozenset(
    stem(word)
    for word in (
        "since ago until up down out one time start have st nd rd th day give go 吃 喝 去 说 做 月 号 块 天 每"
    ).split()
)


def facts(new: str, old: str) -> Facts:
    """Seventeen numbers of the two texts, each 0-2 or so; the order is what the classifier was trained with."""
    text, before = statement(new), statement(old)
    common = text.content & before.content
    who, whose = of_whom(new), of_whom(old)
    numbers, numbers_before = set(text.numbers), set(before.numbers)
    names = {match[0] for match in _NAME.finditer(new)} | named(new)
    names_before = {match[0] for match in _NAME.finditer(old)} | named(old)
    flags = (
        bool(common),
        who == whose,
        bool(who and whose and who != whose),
        bool(who and not whose),
        bool(whose and not who),
        bool(_CHANGE.search(new)),
        bool(_ADDITION.search(new)),
        text.denies != before.denies,
        bool(numbers & numbers_before),
        bool(numbers and numbers_before and numbers != numbers_before),
        bool(numbers and not numbers_before),
        bool(text.days and before.days and text.days != before.days),
        bool(names & names_before),
        bool(names and names_before and not names & names_before),
    )
    return (
        _share(common, before),
        _share(common, text),
        min(2.0, len(new) / _LONGEST),
        *(float(flag) for flag in flags),
    )


def _share(common: frozenset[str], of: Statement) -> float:
    return len(common) / len(of.content) if of.content else 0.0


def outdated(
    memories: Memories, classifier: Classifier, new: NewMemory, counts: Callable[[Memory], bool], used: set[str]
) -> Planned | None:
    """What `new` does to the entry that it makes outdated, of those that `counts` lets it correct; None where that is
    none, and where the classifier cannot be asked. `used`: entries that the same message has changed, now this one's
    as well."""
    if new.kind not in LINKED:
        return None
    try:
        if classifier.kinds([new.text])[0].probability < LIFELIKE:
            return None
        found = [memory for memory in _candidates(memories, classifier, new) if counts(memory)]
        if (over := _over(new, found, used)) is not None:
            return over
        older = [memory for memory in found if not apart(new.text, memory.text)]
        older = [memory for memory in older if of_one_thing(new.text, memory.text)]
        if not older:
            return None
        measured = [facts(new.text, memory.text) for memory in older]
        likely = classifier.outdated(new.text, [memory.text for memory in older], measured)
    except (EmbeddingFailed, EnvironmentFault):
        return None  # stays as the rules left it
    most, old = max(zip(likely, older, strict=True), key=lambda pair: pair[0])
    shared = _shared(new.text, old.text)
    if most >= (REPLACED if shared > 1 else SURELY) and not (
        _covers(new.text, old.text) and _only_characters(new.text, old.text)
    ):
        return correcting(new, [old], (), used) if _covers(new.text, old.text) else correcting(new, (), [old], used)
    of_answers = new.kind in WISHES and old.kind not in (*WISHES, "habit")
    # Of those that share no word, one in five is outdated (of those that do, one in two).
    asks = most >= (BESIDE if shared >= 1 else REPLACED)
    if asks and not of_answers and not _only_alike(statement(new.text), statement(old.text)):
        used.add(old.id)
        return Planned(Add(new), near=(old,))
    return None


def _over(new: NewMemory, found: list[Memory], used: set[str]) -> Planned | None:
    """What it says itself to be over."""
    instead = [memory for memory in found if takes_instead(new.text, memory.text)]
    over = [memory for memory in found if dies(new.text, memory.text) or ends(new.text, memory.text)]
    return correcting(new, instead if len(instead) == 1 else (), over, used)


def of_one_thing(new: str, old: str) -> bool:
    """Whether both name something besides who does it, when and how often: of those of one person alone, the newer one
    must tell of a change."""
    text, before = statement(new), statement(old)
    common = (text.content & before.content) - _ANYTHING
    if not common:
        return bool(sides(new) & sides(old))
    if not next(iter(common)).isascii():
        return True
    people = {stem(match[0].lower()) for match in _KIN.finditer(old)}
    if not common - people and of_whom(new) != of_whom(old):
        return False
    if not common - people - (_names(new) & _names(old)) and not _TURNS.search(new):
        return False
    return len(common) > 1 or not _of_other_sorts(new, old, *common)


def _names(text: str) -> frozenset[str]:
    return frozenset(stem(match[0].lower()) for match in _CAPITAL.finditer(text))


def _of_other_sorts(new: str, old: str, thing: str) -> bool:
    sort, sort_before = (
        {stem(match["m"].lower()) for match in _OF_A_SORT.finditer(one) if stem(match["n"].lower()) == thing}
        for one in (new, old)
    )
    return bool(sort and sort_before) and not sort & sort_before and "new" not in sort


def _only_characters(new: str, old: str) -> bool:
    """Whether they have but single characters in common, of Chinese words that may be others: 血糖, 血压."""
    common = statement(new).content & statement(old).content
    if any(word.isascii() for word in common):
        return False
    pairs = {new[at : at + 2] for at in range(len(new) - 1)}
    return not any(pair in old and set(pair) <= common and not set(pair) & _ANYTHING for pair in pairs)


def _only_alike(text: Statement, before: Statement) -> bool:
    """Whether they have nothing in common but that both give a time or a number, or tell of eating."""
    return text.content & before.content <= _ANYTHING


def _shared(new: str, old: str) -> float:
    return words_in(statement(new).content & statement(old).content)


def _covers(new: str, old: str) -> bool:
    """Whether the older one, if it is outdated, says nothing that still holds: it has one clause, and much of it is
    spoken of again."""
    before = statement(old)
    return not _SEVERAL.search(old) and 3 * len(statement(new).content & before.content) >= len(before.content)


def apart(new: str, old: str) -> bool:
    """Whether the newer one cannot make the older one outdated: they are of different people or things, it is so only
    once, or it says that it is so as well."""
    besides = _BESIDES.search(new.strip(" .!。！")) is not None and not _NO_MORE.search(new)
    return besides or speaks_of_another(new, old) or only_once(new, old)


def _candidates(memories: Memories, classifier: Classifier, new: NewMemory) -> list[Memory]:
    """Those near in meaning, those that share words, and the newest, which may have no vector yet."""
    found = {memory.id: memory for memory in memories.alike(new.text, LINKED, limit=MOST_ALIKE)}
    where = Condition("kind", "$in", LINKED)
    found |= {memory.id: memory for memory in memories.select(where, limit=NEWEST)}
    found |= {memory.id: memory for _, memory in nearest(memories, classifier, new.text, NEAREST)}
    return [memory for memory in found.values() if memory.state == "active" and memory.kind in LINKED]
