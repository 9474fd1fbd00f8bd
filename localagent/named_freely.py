"""Which entries a request to forget means that names something in free words: "you can bin the bee sting one". Pure."""

from __future__ import annotations

import re
from collections.abc import Sequence
from itertools import pairwise

from localagent.belonging import of_another
from localagent.memory.entries import Memory
from localagent.persons import persons_in
from localagent.statements import statement, words_in

# Where no word is shared, so many of those nearest in meaning are asked about.
MOST_GUESSED = 3

# What requests are made of, whatever they name.
_OF_REQUESTS = statement(
    "forget delete erase remove wipe drop lose bin scrap scratch cross strike clear clean keep hold hang get rid take "
    "off out away list file record book note memory mind thing bit part stuff one entry story business detail info "
    "fact that know known told said mention remember longer anymore need want please thanks could would can let "
    "go put leave back like him her them read once "
    # When and how it is asked.
    "future now later on ahead ever again always never more please kindly just so then us this really actually today "
    "以后今后往后将来未来现在从今再也请麻烦一直永远"
    "忘掉删除去划抹清拿走留着存记录忆住件事条那这个些不用管别再提了吧帮我你说过关于有"
    "把从里上下就都也翻篇想知道可以儿什么叫本脑子进让甭看读完"
).content
ALL = re.compile(
    r"\b(?:everything|anything|all|whatever|the (?:whole )?lot|every (?:bit|word))\b|一切|所有|全|统统|通通|都",
    re.IGNORECASE,
)

_WORD = re.compile(r"[A-Za-z0-9'’]+|[\u4e00-\u9fff]")
_CLAUSE = re.compile(r"[,;:.!?](?=\s)|[，；：。！？]|\s[-–—]\s|——")
# "My son was expelled", not "my old flat" or "the thing I told you on the loan".
_STATES = re.compile(
    r"^\W*+(?:(?:and|so|well|ok|look|by the way|btw)\W++){0,2}+(?:(?:I|we|he|she|they|it)\b(?:['’]\w+)? \w|"
    r"(?:(?:my|our|his|her|their|the)(?: [\w'’-]+){1,3}?|(?-i:[A-Z])[\w-]+) (?:is|are|was|were|has|have|had|will|would|"
    r"can|can't|could|might|got|gets|did|does|told|said|says|asked|likes|loves|hates|drinks|didn't|doesn't|isn't|won't|left|lost|quit|broke|fell|[a-z]{2,}ed)\b|"
    # "My neighbour Sam drinks".
    r"(?:(?:my|our|his|her|their) (?:[\w-]+ ){1,2}?)?(?-i:[A-Z][\w-]+ [a-z]{2,}s)\b(?!['’]))",
    re.IGNORECASE,
)
_STATES_ZH = re.compile(r"[是在有要会被跟和得了不没]|过(?![敏年期节])")
_YOU = re.compile(r"\byou\b|[你您]", re.IGNORECASE)
_NAME = re.compile(r"\b[A-Z][a-z]{1,20}\b")
# "Three kids: Max, Lily and Tom", not "I was fired and Sue knows".
_LIST = re.compile(
    r"[\w'’-]+(?:, [\w'’-]+){1,12},? (?:and|or|&) [\w'’-]+|\b[A-Z][\w'’-]* (?:and|or|&) [A-Z][\w'’-]*|"
    r"[^，。：:、和\s]{1,8}(?:[、和跟][^，。：:、和\s]{1,8}){1,12}"
)
_ITEMS = re.compile(r",? (?:and|or|&) |, |[、和跟]")
_THAT_ONE = re.compile(r"\b(?:this|that|the) one\b", re.IGNORECASE)
_TOPIC_ZH = re.compile(r"(?:[这那]一?[件条个段句点部]?[事分]?|的?事情?|什么|哪.{0,2}|多少)$")


def names_something(asked: str) -> bool:
    return bool(named_in(asked) or statement(_THAT_ONE.sub("that", asked)).numbers)


def named_in(asked: str) -> frozenset[str]:
    """The words of a request beside those that requests are made of."""
    return statement(_THAT_ONE.sub("that", asked)).content - _OF_REQUESTS


def all_named(named: str, memory: Memory) -> bool:
    """Whether an entry has every word of what a request names, of which there are more than requests are made of."""
    content = statement(named).content - _OF_REQUESTS
    return bool(content) and content <= statement(memory.text).content


def states(asked: str) -> bool:
    """Whether a request says something, and wishes that this be not kept: "my son was expelled, keep that off your
    books"."""
    *said, wish = [clause.strip() for clause in _CLAUSE.split(asked) if clause.strip()] or [""]
    return bool(said) and not names_something(wish) and any(is_stated(clause) for clause in said)


def only_named(wish: str) -> str:
    """What a wish of silence names, where it says nothing of it but to whom it is addressed: "the birthday" of "the
    birthday, scrub that", 关于我的过敏 of 关于我的过敏，我希望你那里没有. "" where it says something."""
    *said, last = [clause.strip() for clause in _CLAUSE.split(wish) if clause.strip()] or [""]
    addressed = bool(_YOU.search(last)) or not is_stated(last)
    named = ", ".join(said) or last
    return named if addressed and not any(map(is_stated, said)) and names_something(named) else ""


def says(asked: str, memory: Memory) -> bool:
    """Whether an entry says hardly more than what a request says."""
    text = statement(memory.text).content
    return 2 * len(text & statement(asked).content) > len(text)


def is_stated(clause: str) -> bool:
    """Whether a clause says something, and does not only name it."""
    if re.search(r"[\u4e00-\u9fff]", clause):
        return bool(_STATES_ZH.search(clause)) and not _TOPIC_ZH.search(clause)
    return bool(_STATES.match(clause))


def meant_freely(
    asked: str, alike: Sequence[Memory], nearest: Sequence[Memory], bare: bool = False
) -> tuple[list[Memory], list[Memory]]:
    """Of the entries `alike` in words, those that share most of what the request names, if that is one (or all are
    asked for); and those that it may mean: several that share as much, one that says "boat" where the request says
    "boat licence", or the first of the `nearest` in meaning. Who is named is no sign by itself where more is.
    `bare`: it is but the name of what is meant, without the words of a request."""
    said = statement(asked)
    named, numbers = said.content - (frozenset() if bare else _OF_REQUESTS), frozenset(said.numbers)
    who = persons_in(asked)
    named = named - statement(" ".join(who)).content or named
    own = [memory for memory in alike if _may_be_of(who, asked, memory)]
    shared = [(_weight(named, numbers, memory), memory) for memory in own]
    most = max((weight for weight, _ in shared), default=0.0)
    if most < 1:
        return [], [memory for memory in nearest if _may_be_of(who, asked, memory)][:MOST_GUESSED]
    best = [memory for weight, memory in shared if weight == most]
    sure = all(
        _is_named(asked, named, memory)
        and not _is_of_a_compound(asked, named, memory)
        and not _is_one_of_several(named, memory)
        for memory in best
    )
    if sure and (len({memory.text.lower() for memory in best}) == 1 or ALL.search(asked)):
        return best, []
    return [], best


def _may_be_of(who: frozenset[str], asked: str, memory: Memory) -> bool:
    """Whether an entry may be of those whom a request names, or of the user, if it names nobody."""
    if of_another(memory.text, asked):
        return False
    names = {name for name in _NAME.findall(asked) if statement(name).content - _OF_REQUESTS}
    return not who or bool(who & persons_in(memory.text)) or any(name in memory.text for name in names)


def _is_of_a_compound(asked: str, named: frozenset[str], memory: Memory) -> bool:
    """Whether a word that both have is, in the request, the first part of the name of something else."""
    text = statement(memory.text).content
    words = [(match, statement(match[0]).content & named) for match in _WORD.finditer(asked)]
    return any(
        one and other and one <= text and not other & text and not asked[first.end() : second.start()].strip(" -")
        for (first, one), (second, other) in pairwise(words)
    )


def _is_one_of_several(named: frozenset[str], memory: Memory) -> bool:
    """Whether an entry names beside what a request names others like it: of "Max, Lily and Tom", only Lily."""
    for match in _LIST.finditer(memory.text):
        items = [statement(item).content for item in _ITEMS.split(match[0])]
        if any(item and item <= named for item in items) and any(not item <= named for item in items):
            return True
    return False


def _is_named(asked: str, named: frozenset[str], memory: Memory) -> bool:
    """Whether an entry has half of the words and numbers of a clause of the request: other clauses may be a reason."""
    for clause in map(statement, _CLAUSE.split(asked)):
        words, numbers = clause.content & named, frozenset(clause.numbers)
        size = words_in(words) + len(numbers)
        if size and 2 * _weight(words, numbers, memory) >= size:
            return True
    return False


def _weight(named: frozenset[str], numbers: frozenset[str], memory: Memory) -> float:
    """Words and numbers that both have."""
    text = statement(memory.text)
    return words_in(named & text.content) + len(numbers & set(text.numbers))
