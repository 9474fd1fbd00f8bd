"""Who is only with the speaker in what the speaker does ("I go to the gym with Theo", 我和小林一起去健身房): what they
do by themselves changes nothing of it. English and Chinese. Pure.
"""

from __future__ import annotations

import re

_NAME = r"(?-i:[A-Z])[\w-]{1,24}\b"
# "Theo goes to ...", "My colleague Olga commutes ..."; not "Theo and I".
_SUBJECT = re.compile(
    rf"(?:(?:my|our) (?:[\w-]+ ){{1,3}}?)?(?P<n>{_NAME})(?: (?:now|also|still|just|only|always|usually|often))? "
    r"(?!(?:and|&|or) )(?=[a-z])",
    re.IGNORECASE,
)
_TIME_ZH = (
    r"(?:[每周天月年早晚\d一二三四五六七八九十日点半号]|星期|礼拜|上午|下午|中午|晚上|周末|现在|一般|平时|经?常|"
    r"总是|有时|有空|都|也|还|会)"
)
_WITH_ZH = rf"(?:^|[，,])我们?(?:{_TIME_ZH}){{0,8}}[和跟与同陪](?:我?的?(?:同事|朋友|同学|邻居|室友|闺蜜|发小))?"
_COMPANION_ZH = re.compile(
    rf"{_WITH_ZH}[\u4e00-\u9fff]{{1,4}}?(?=一起|一块|[去到在打学练跑游爬遛踢拼合住看吃喝玩上开做唱跳骑走])"
)
_COMPANION = re.compile(rf"\bwith (?:(?:my|our) [\w-]+|{_NAME})|\b{_NAME} and I\b|\bme and {_NAME}", re.IGNORECASE)
_NOBODY_ZH = re.compile(r"[我你您他她它咱这那每周星礼]|现在|今天|昨天|最近|目前|以后")
# What is not done by them any more is not done with them either.
_ENDS = re.compile(
    r"\b(?:died|passed away|left|leaving|mov(?:ed|ing|es) (?:out|away|in|to)|no longer|not|never|nor|stop(?:ped|"
    r"s)?|quit|g[ai]ve(?:n)? up|"
    r"broke up|split up|divorc\w+|retired)\b|n['’]t\b|[不没]|搬|走了|去世|过世|离|分手|戒|退|停",
    re.IGNORECASE,
)

_OURS = re.compile(r"(?<!^)(?:\b(?:my|our|me|us)\b|[我咱])", re.IGNORECASE)


def of_a_companion(text: str, other: str) -> bool:
    """Whether it tells of somebody of whom the other statement says only that the speaker does something with them."""
    if re.match(r"[\u4e00-\u9fff]", text):
        return any(
            not _NOBODY_ZH.match(name) and re.search(rf"{_WITH_ZH}{re.escape(name)}(?=[\u4e00-\u9fff])", other)
            for name in (text[:2], text[:3])
        )
    subject = _SUBJECT.match(text)
    if subject is None:
        return False
    name = re.escape(subject["n"])
    beside = rf"\b(?:I|we)\b.*\bwith (?:(?:my|our) [\w-]+,? )?{name}\b|\b{name} and I\b|\b(?:me|I) and {name}\b"
    return bool(re.search(beside, other))


def does_it_alone(text: str, other: str) -> bool:
    """Whether it tells what a companion does by themselves: that changes nothing of what the speaker does. What they do
    no more may, and what they do to what is the speaker's."""
    return not _ENDS.search(text) and not _OURS.search(text) and of_a_companion(text, other)


def accompanies(text: str) -> bool:
    """Whether the speaker does something with somebody."""
    return bool(_COMPANION_ZH.search(text) or _COMPANION.search(text))
