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
# "Theo swims", whatever I do with whomever.
_DOES = re.compile(
    rf"(?P<n>{_NAME}) (?:now |also |still |just |only |always |usually )?(?P<v>(?!has\b|is\b|was\b|"
    rf"does\b)[a-z]{{2,}}s)\b",
    re.IGNORECASE,
)
_I_DO = re.compile(r"I (?:now |also |still |just |only |always |usually |often )?(?P<v>[a-z]{2,})\b")
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
    """Whether it tells what a companion does by themselves, or what somebody does whom the other statement, of the
    speaker, does not name: neither changes what the speaker does. What they do no more may."""
    if _ENDS.search(text):
        return False
    if of_a_companion(text, other):
        return True
    does, mine = _DOES.match(text), _I_DO.match(other)
    if does is None or mine is None or does["n"].lower() in other.lower():
        return False
    return does["v"] in (f"{mine['v']}s", f"{mine['v']}es", f"{mine['v'][:-1]}ies")


def accompanies(text: str) -> bool:
    """Whether the speaker does something with somebody."""
    return bool(_COMPANION_ZH.search(text) or _COMPANION.search(text))


# Whose it is, before anything else: "Eva's driving test was moved", "The kids go to bed at eight", 同事小艾七点上班.
_OTHERS = re.compile(
    r"(?:The (?:kids|children|boys|girls|twins|neighbou?rs)|"
    rf"(?P<n>{_NAME})['’]s (?:[a-z-]+ ){{1,3}}?(?:is|was|are|were|has|got|starts?|moved|ends?)) ",
)
_OTHERS_ZH = re.compile(
    r"(?:我的?)?(?:同事|朋友|邻居|同学|室友)(?P<c>[\u4e00-\u9fff]{2})|(?P<n>[小老阿][\u4e00-\u9fff])(?=的|现在|改|也|要)"
)
_THINGS_ZH = re.compile(r"[小老](?:区|家|房|屋|板|师|店|厂|车|狗|猫|本|号|公|婆|伴|说|时|组|学|名|吃|票)")
_OWN = re.compile(r"(?:I|I['’]\w+|My|We|Our)\b|我(?!们?的?(?:同事|朋友|邻居|同学|室友))")


def is_somebody_else_s(text: str, other: str) -> bool:
    """Whether one tells of what is somebody's whom the other one, of the speaker, does not name."""
    return _is_theirs(text, other) or _is_theirs(other, text)


def _is_theirs(text: str, other: str) -> bool:
    found = _OTHERS.match(text) or _OTHERS_ZH.match(text)
    if found is None or _THINGS_ZH.match(text) or not _OWN.match(other):
        return False
    name = next((one for one in found.groupdict().values() if one), None)
    return (
        name not in other if name is not None else not re.search(r"\b(?:kids|children|boys|girls|twins|neigh)", other)
    )


_THERE = re.compile(
    r"\boutbound\b|\bthe way (?:there|out)\b|去程|去[^，。]{1,6}的(?:飞机|火车|高铁|航班|车|船)", re.IGNORECASE
)
_BACK = re.compile(
    r"\b(?:train|flight|bus|ferry|plane|coach) back\b|\breturn (?:train|flight|bus|ferry|plane|coach|trip|leg)\b|"
    r"\binbound\b|\bthe way back\b|[返回]程",
    re.IGNORECASE,
)


def of_the_other_way(text: str, other: str) -> bool:
    """Whether one is of the way there, the other of the way back."""
    there, back = (
        (bool(_THERE.search(text)), bool(_THERE.search(other))),
        (bool(_BACK.search(text)), bool(_BACK.search(other))),
    )
    return (there[0] and back[1] and not back[0]) or (back[0] and there[1] and not back[1])
