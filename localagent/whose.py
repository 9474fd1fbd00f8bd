"""Of whom an entry is told, by its subject: what is so of somebody with a name, or of one close to the speaker, is a
relationship and no profile or habit of the speaker ("Theo joined the chess club", 周勇腰椎间盘突出). English and
Chinese. Pure.
"""

from __future__ import annotations

import re

from localagent.memory.entries import Kind
from localagent.owners import NOBODY, THEY, owner
from localagent.persons import SURNAMES_ZH

_OF_THE_SPEAKER: frozenset[Kind] = frozenset({"profile", "habit"})
_LEAD_ZH = r"(?:最近|现在|目前|今年|去年|昨天|今天|听说|其实|原来|我们家?|我家|咱家)?"
# A name by its form, before what is only of people: their body, what they are taken with, what becomes of them.
_OF_PEOPLE_ZH = (
    r"(?:最近|现在|今年|已经|也|又|刚|一直|的)*(?:[腰腿膝颈胃肝肺心眼耳头手脚血牙皮]|迷|爱|喜欢|怕|不[吃喝爱怕喜]|对|得了|查出|"
    r"住院|升|当上|考上|毕业|失业|退休|怀|戒|吃素|打呼|失眠|信)"
)
_NAMED_ZH = re.compile(
    rf"{_LEAD_ZH}(?:"
    r"(?P<twice>(?![一二三四五六七八九十百人天年月日时刚常往渐偏明慢快好早多少大样个件种条次处家事的爸妈哥姐弟妹爷奶])[\u4e00-\u9fff])(?P=twice)|"
    rf"(?!周[一二三四五六日天末围期]|马上|何时|许多|高血|[石金黄白]色|[\u4e00-\u9fff]老师)[{SURNAMES_ZH}][\u4e00-\u9fff]{{1,2}}?)"
    rf"{_OF_PEOPLE_ZH}"
)
_ABOUT_SPEAKER = re.compile(
    r"\b(?:I|me|my|we|us|our|(?:I|we|that|it)['’]\w+)\b|[俺额咱]|我(?!家|[妈爸哥姐弟妹爷奶]|的?[儿女老])", re.IGNORECASE
)


def kind_of(kind: Kind, text: str) -> Kind:
    """The kind of an entry that was taken for one of the speaker's, where its subject is somebody else."""
    if kind not in _OF_THE_SPEAKER or _ABOUT_SPEAKER.search(text):
        return kind
    one = owner(text)
    if one.speaks:
        return kind
    return "relationship" if one not in (NOBODY, THEY) or _NAMED_ZH.match(text) else kind
