"""Whose something is that a statement begins with: "Eva's driving test was moved", 同事小艾七点上班. English and
Chinese. Pure.
"""

from __future__ import annotations

import re

_NAME = r"(?-i:[A-Z])[\w-]{1,24}\b"
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
