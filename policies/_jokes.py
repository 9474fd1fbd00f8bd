"""What somebody takes back as a joke: "I'm Batman. Just kidding!", "我叫蝙蝠侠，开玩笑的"."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from typing import Literal

from localagent.policy import Extracted, Said

_SOUND = r"(?:(?:ha(?:ha)*|lol|no|nah|ok|okay|oh|well|sorry|哈+|嘿+|呵+|哦|不|好了|好吧)[,.!，。！～~ ]+)*"
_JOKING = (
    r"(?:(?:i(?:'m| am| was)|we(?:'re| are| were))? ?(?:just |only )?(?:kidding|joking|messing with you|pulling your "
    r"leg)(?: around)?|(?:that(?:'s| was)|it(?:'s| was) )? ?(?:just |only )?a joke|jk|j/k|"
    r"(?:我(?:是)?|刚才(?:是)?|这是|那是)*(?:跟你|和你)?(?:开(?:个|了个)?玩笑|逗你(?:玩)?|说着?玩|闹着玩)(?:的|啦|呢|而已|罢了|呀|啊|哈)*)"
)
_BEGINS = re.compile(rf"{_SOUND}{_JOKING}(?=[\s,.!:;，。！：；～~–—-]|$)", re.IGNORECASE)
_ENDS = re.compile(rf"(?:[,;(，；（–—]|\s-)\s?{_SOUND}{_JOKING}[\s.!)。！）～~:]*$", re.IGNORECASE)


def joke(words: str) -> Literal["alone", "begins", "ends"] | None:
    """Whether a sentence says of something that it was a joke: of what is before it, or of itself."""
    begins = _BEGINS.match(words.replace("’", "'"))
    if begins is not None:
        return "begins" if re.search(r"\w", words[begins.end() :]) else "alone"
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
