"""Which entries a request to forget means that names something in free words: "you can bin the bee sting one". Pure."""

from __future__ import annotations

import re
from collections.abc import Sequence

from localagent.belonging import of_another
from localagent.memory.entries import Memory
from localagent.statements import statement, words_in

# Where no word is shared, so many of those nearest in meaning are asked about.
MOST_GUESSED = 3

# What requests are made of, whatever they name.
_OF_REQUESTS = statement(
    "forget delete erase remove wipe drop lose bin scrap scratch cross strike clear clean keep hold hang get rid take "
    "off out away list file record book note memory mind thing bit part stuff one entry story business detail info "
    "fact that know known told said mention remember longer anymore need want please thanks could would can let go put "
    "leave back 忘掉删除去划抹清拿走留着存记住录忆件事条那这个些不用管别再提了吧帮我你说过关于有把从里上下就都也翻篇"
    "想知道"
).content
ALL = re.compile(
    r"\b(?:everything|anything|all|whatever|the (?:whole )?lot|every (?:bit|word))\b|一切|所有|全|统统|通通|都",
    re.IGNORECASE,
)


def names_something(asked: str) -> bool:
    said = statement(asked)
    return bool(said.content - _OF_REQUESTS or said.numbers)


def meant_freely(asked: str, alike: Sequence[Memory], nearest: Sequence[Memory]) -> tuple[list[Memory], list[Memory]]:
    """Of the entries `alike` in words, those that share most of what the request names, if that is one (or all are
    asked for); and those that it may mean: several that share as much, or the first of the `nearest` in meaning."""
    said = statement(asked)
    named, numbers = said.content - _OF_REQUESTS, frozenset(said.numbers)
    own = [memory for memory in alike if not of_another(memory.text, asked)]
    shared = [(_weight(named, numbers, memory), memory) for memory in own]
    most = max((weight for weight, _ in shared), default=0.0)
    if most < 1:
        return [], list(nearest[:MOST_GUESSED])
    best = [memory for weight, memory in shared if weight == most]
    if len({memory.text.lower() for memory in best}) == 1 or ALL.search(asked):
        return best, []
    return [], best


def _weight(named: frozenset[str], numbers: frozenset[str], memory: Memory) -> float:
    """Words and numbers that both have."""
    text = statement(memory.text)
    return words_in(named & text.content) + len(numbers & set(text.numbers))
