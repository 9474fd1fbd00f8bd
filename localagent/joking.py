"""What says of something that it was no more than a joke: "only messing!", "I'm pulling your leg", 逗你玩的. Pure."""

from __future__ import annotations

import re

# "Haha, just kidding, sorry!"
LONGEST_JOKE = 60

# What may stand before it, with what divides them; "no kidding" is in earnest.
SOUND = (
    r"(?:(?:ha(?:ha)*+|lol|nah|ok|okay|oh|well|sorry|but|and|哈++|嘿++|呵++|哦|不|好了|好吧)[,.!，。！～~ ]++|"
    r"no[,.!]++ ?+|[哈嘿呵]{2,}+){0,4}+"
)
_FUN = (
    r"(?:(?:messing|codding|teasing|jesting|joshing|slagging|trolling|bluffing|fooling)(?: around| about)?"
    r"(?: with)?(?: you)?|(?:pulling|yanking) your (?:leg|chain)|(?:having|winding|putting) you (?:on|up)|"
    r"having a laugh|taking the (?:mick(?:ey)?|piss))"
)
_WE = r"(?:i(?:'m| am| was)|we(?:'re| are| were))"
# "I live on the moon. Only teasing!", not "I'm teasing wool".
JOKING = (
    rf"(?:{_WE}? ?(?:just |only )?(?:kidding|joking|messing with you|pulling your leg)(?: around)?|"
    rf"(?:{_WE} (?:just |only )?|just |only ){_FUN}(?=\W*+$|[,.!;:)…，。！])|"
    r"(?:that(?:'s| was)|it(?:'s| was) )? ?(?:just |only )?a joke|jk|j/k|"
    r"(?:我(?:是)?|刚才(?:是)?|这是|那是){0,3}+(?:跟你|和你)?(?:开(?:个|了个)?玩笑|逗你(?:玩)?|说着?玩|闹着玩)"
    r"(?:的|啦|呢|而已|罢了|呀|啊|哈)*+)"
)
_ONLY = re.compile(
    rf"\W*+{SOUND}(?:{JOKING}|april fools?|in my dreams|gotcha|got you|(?:我)?(?:是)?骗你(?:玩)?的?|愚人节快乐)"
    r"(?:\W++(?:ha(?:ha)*+|lol|sorry|哈++))*+\W*+",
    re.IGNORECASE,
)

_ABOUT = re.compile(
    rf"^\W*+{SOUND}{JOKING}\W+(?:about|with|on)\b|[个件事条][,，]?(?:我|都)?(?:是|在)?(?:跟你|和你)?(?:开玩笑|逗你|说着玩|骗你)",
    re.IGNORECASE,
)


def only_a_joke(text: str) -> bool:
    """Whether a message says nothing but that what was said before it was a joke."""
    return len(text) <= LONGEST_JOKE and bool(_ONLY.fullmatch(text.replace("’", "'")))


def jokes_about(text: str) -> list[str]:
    """The message, where it says that what it names was a joke: "just kidding about the kiwi", 猕猴桃那个是开玩笑的."""
    return [text.strip()] if len(text) <= LONGEST_JOKE and _ABOUT.search(text.replace("’", "'")) else []
