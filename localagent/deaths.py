"""Who died, and what is over with that: where they live, what they do, have or take; not what they were (born, called,
related). English and Chinese. Pure."""

from __future__ import annotations

import re

from localagent.bygone import is_bygone, tells_of_what_was
from localagent.persons import PEOPLE, in_full, named, of_whom, person_in
from localagent.which_one import of_another_one

_TIME_ZH = r"(?:昨[天晚]|今[天早晨]|前天|刚刚|上周|上个?月|[去今前]年|[春夏秋冬]天|\d{1,2}月|前几天|前不久)"
_OLD_ZH = r"(?<=爷爷|奶奶|外婆|外公|姥姥|姥爷)"
_DIED = re.compile(
    r"\b(?:died(?! (?:my|his|her|our|their|the)\b)|passed (?:away|on(?! (?:the|my|his|her|it|that|to)\b))|"
    r"(?:was|were|had to be) put (?:down|to sleep))\b"
    rf"|去世|过世|离世|病逝|安乐死|去了?[汪喵]星|死了|{_TIME_ZH}[^，。的先]{{0,3}}(?:走|没)了(?=$|[，。！!])"
    rf"|{_OLD_ZH}(?:已经|也)?[走没]了(?=$|[，。,！!])|不在了$",
    re.IGNORECASE,
)
# How somebody is lost who does not turn up again.
LOST = (
    r"(?=$|[,;.!]| (?:to|last|this|after|suddenly|too|in (?:the (?:spring|summer|autumn|winter|war)|an? (?:\w+ )?"
    r"(?:accident|crash)|(?:Jan|Feb|Mar|Apr|May|Jun|Jul|Aug|Sep|Oct|Nov|Dec)[a-z]*))\b)"
)
# Where the speaker tells of whom they lost.
_LOST = re.compile(
    r"\b(?:I|we)(?:['’]ve| have)? (?:(?:had to|just|recently|sadly) ){0,2}(?:put (?P<a>[\w' ]{2,30}?) "
    r"(?:down(?! (?:on|in|for|at|to bed)\b)|to sleep)|(?:have|had) (?P<b>[\w' ]{2,30}?) put (?:down|to sleep)|"
    rf"lost (?P<c>(?:(?:my|our) (?:\w+ )?(?:{PEOPLE})|(?-i:[A-Z])[a-z]+)(?: (?-i:[A-Z])\w+)?){LOST})",
    re.IGNORECASE,
)
# Of whom there are two.
_OTHER_ONE = re.compile(r"\b(?:other|great|second|ex|foster)\b|另一|太[爷奶外]|曾祖", re.IGNORECASE)
_CLAUSE = re.compile(
    r"[,;:.!，；：。！] ?|[说讲]|(?<=\w) (?:and|but|when|while|after|because|since|that|says?|said|told me|the day) ",
    re.IGNORECASE,
)
# What somebody was and is, dead or alive.
_WAS_ALWAYS = re.compile(
    r"^(?:I (?:am|was|were) (?:called|named|born|from)\b|I was\b|My (?:\w+ )?name\b|"
    r"我(?:是|的名字)?(?:叫|姓|出生|生于|生在))(?:(?! and )[^,;，；])*$",
    re.IGNORECASE,
)
_BOTH = re.compile(
    r"爷爷奶奶|外公外婆|姥姥姥爷|姥爷姥姥|爸爸妈妈|爸妈|父母|\b(?:my|our) (?:grand)?parents\b",
    re.IGNORECASE,
)
_PARENTS, _GRANDPARENTS = ("mother", "father", "爸爸", "妈妈"), ("grandmother", "grandfather")
_MEMBERS = {
    "爸妈": _PARENTS, "父母": _PARENTS, "my parents": _PARENTS, "our parents": _PARENTS,
    "my grandparents": _GRANDPARENTS, "our grandparents": _GRANDPARENTS,
}  # fmt: skip
# Whoever has a name for one has one.
_ANIMAL = re.compile(
    r"\b(?:dogs?|cats?|puppy|kitten|pets?|rabbit|hamster|horse|pony|parrot)\b|[狗猫犬]|宠物", re.IGNORECASE
)


def dies(text: str, other: str) -> bool:
    """Whether somebody died of whose life the other statement tells."""
    dead = _dead(in_full(text, other))
    if not dead or _DIED.search(other) or _LOST.search(other) or of_another_one(text, other):
        return False
    if bool(_OTHER_ONE.search(dead)) != bool(_OTHER_ONE.search(other)):
        return False
    own = person_in(other).own
    if not _ANIMAL.search(other) and (is_bygone(other) or tells_of_what_was(own) or _WAS_ALWAYS.search(own)):
        return False
    who = of_whom(dead)
    names = {name for name in named(dead) if not of_whom(name)}  # "Dad" is no name
    names_before = named(other)
    if names and names_before:
        return bool(names & names_before)
    if who:
        return who == of_whom(other) or _is_one_of_both(who, other)
    return any(re.search(rf"(?<![A-Za-z]){re.escape(name)}(?![A-Za-z'’])", other.lower()) for name in names)


def _is_one_of_both(who: str, other: str) -> bool:
    """Whether it tells of two who belong together, one of whom died."""
    both = _BOTH.search(other)
    return both is not None and (who in both[0] or who in _MEMBERS.get(both[0].lower(), ()))


def _dead(text: str) -> str:
    """The words that name who died; empty where nobody did."""
    lost = _LOST.search(text)
    if lost is not None:
        return next(value for value in lost.groups() if value)
    died = _DIED.search(text)
    return "" if died is None else _CLAUSE.split(text[: died.start()])[-1] + died[0]
