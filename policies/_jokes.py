"""What somebody takes back as a joke: "I'm Batman. Just kidding!", "我叫蝙蝠侠，开玩笑的"."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from typing import Literal

from localagent.joking import JOKING, SOUND
from localagent.policy import Extracted, Said

# What says that something was no more than made up, where nothing follows it: "in my dreams", "April fool!", 做梦的.
_MADE_UP = (
    r"(?:(?:only |just |but only )?in (?:my|your) (?:wildest )?(?:dreams?|imagination|head)|"
    r"(?:happy )?april fools?(?:['’]s?)?(?: day)?|dream on|(?:oh,? )?(?:how )?i wish|if only|"
    r"i (?:just |only )?(?:made (?:that|it) (?:all )?up|dreamt it|dreamed it)|"
    r"(?:it|that) was (?:just |only |all )?a (?:dream|lie)|(?:and |but )?then i woke up|chance would be a fine thing|"
    r"no such luck|fooled you|gotcha|got you|"
    r"had you (?:going|fooled|there)|yeah,? right|as if|not!|"
    r"(?:none of (?:that|it) (?:is|was)|(?:(?:that|it)(?:'s| is| was) )?not) true|"
    r"(?:祝你?)?愚人节快乐|(?:今天)?愚人节(?:嘛|啊|哦|呀)?|(?:我)?(?:是)?(?:在)?(?:白日)?做(?:白日)?梦(?:的|呢|吧|啦|而已|罢了)+|"
    r"(?:都|只)?是?(?:在)?(?:梦|想象)里(?:的)?(?:而已|罢了)?|(?:你|我)?(?:倒是?)?想得(?:倒)?美(?:吧|啊|呢)?|(?:我)?(?:是)?"
    r"(?:骗|逗|唬|忽悠|吓)(?:你|你们)(?:玩儿?)?的?|(?:就|只)?皮一下|(?:我)?(?:都)?(?:是)?(?:[瞎胡乱](?:编|扯|吹|说|诌)|吹牛|(?<=我)编)"
    r"的|(?:都)?(?:是)?假的|我倒(?:是)?想(?:啊|呢)?|(?:你)?上当了(?:吧)?|才怪)(?:啦|呢|呀|啊|哈|哦)*"
)
_BEGINS = re.compile(
    rf"{SOUND}(?:{JOKING}(?=[\s,.!:;，。！：；～~–—-]|$)|{_MADE_UP}(?=[\s,，]*(?:[!.。！~～…)）]|ha|lol|哈|嘿|$)))|"
    r"\(?joke\W*$",
    re.IGNORECASE,
)
_ENDS = re.compile(
    rf"(?:[,;(，；（–—…]|\s-|\.\.)\s?{SOUND}(?:{JOKING}|{_MADE_UP})[\s.,!)。，！）～~:…]*(?:(?:ha)+|lol|哈+|嘿+)?\W*$|\s/[sj]\W*$|\(joke\W*$",
    re.IGNORECASE,
)
_LAUGHS = re.compile(r"(?:\W|_|(?:ha)+\b|lol\b|[哈嘿呵])*", re.IGNORECASE)


def joke(words: str) -> Literal["alone", "begins", "ends"] | None:
    """Whether a sentence says of something that it was a joke: of what is before it, or of itself."""
    begins = _BEGINS.match(words.replace("’", "'"))
    if begins is not None:
        return "alone" if _LAUGHS.fullmatch(words, begins.end()) else "begins"
    return "ends" if _ENDS.search(words.replace("’", "'")) else None


def in_earnest(
    which: Literal["alone", "begins", "ends"],
    here: Sequence[Extracted],
    before: Sequence[Extracted],
    earlier: Sequence[Said],
    read: Callable[[Said], list[Extracted]],
) -> list[Extracted]:
    """Of what such a sentence states, what is meant: what follows the mark, if something before it was the joke, in
    this message (`before`) or in the one before; else that is the joke itself."""
    if which != "begins" or before:
        return list(here) if which == "begins" else []
    last = next((said for said in reversed(earlier) if said.role == "user"), None)
    kinds = {one.kind for one in read(last)} if last is not None else set()
    return [one for one in here if one.kind in kinds]
