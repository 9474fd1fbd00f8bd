"""Of which side of somebody's life a statement is: an illness, medicine, a home, a school, a journey, work. A change of
one of them tells nothing of the others. English and Chinese. Pure.
"""

from __future__ import annotations

import re
from functools import lru_cache

from localagent.changes import PROFESSION

_NO_DAY = (
    r"(?! (?:the )?(?:\d|(?:mon|tues|wednes|thurs|fri|satur|sun)day|(?:jan|feb|mar|apr|may|june?|july?|aug|sep|"
    r"oct|nov|dec)[a-z]*\b))"
)
_SIDES = {
    "illness": re.compile(
        r"\b\w+(?:itis|osis|psia|psy|emia|oma|algia|pathy|betes)\b|\b(?:heart|kidney|lung|liver|skin|thyroid) "
        r"(?:condition|disease|problems?|failure|trouble)\b|\b(?:asthma|cancer|tumou?r|migraines?|gout|dementia|"
        r"alzheimer['’]?s|"
        r"parkinson['’]?s|high blood pressure|adhd|depression|allerg(?:ic|y|ies))\b"
        r"|高血压|高血脂|高血糖|糖尿病|[心肝肾肺胃]脏?病|[炎癌瘤]|癫痫|哮喘|痛风|抑郁症|焦虑症|痴呆|帕金森|过敏",
        re.IGNORECASE,
    ),
    "medicine": re.compile(
        r"\b(?:medication|medicines?|meds|pills?|tablets?|insulin|\d+ ?(?:mg|mcg))\b|"
        r"\b\w{2,}(?:formin|pril|sartan|olol|statin|dipine|azole|cillin|oxetine|thyroxine|parin)\b"
        r"|(?:[吃换停服用]|的)药|药(?:换|停|改)|[吃服](?:[一二两半\d]+)[片粒颗]|胰岛素|毫克|\w{1,3}(?:沙坦|地平|"
        r"洛尔|普利|双胍|他汀)",
        re.IGNORECASE,
    ),
    "home": re.compile(
        rf"\b(?:lives?|living|moved) (?:to|in|at|into|back)\b{_NO_DAY}|\bcare home\b|\bmoved to an? "
        r"|住在|住[进院]|搬[到去家]|养老院",
        re.IGNORECASE,
    ),
    "school": re.compile(
        r"\b(?:goes to|started|is in) (?:\w+ ){0,2}(?:school|nursery|kindergarten|college|university|year \d|grade)\b"
        r"|上(?:了)?(?:幼儿园|小学|初中|高中|大学)|[读念](?:小学|初中|高中|大学)|[一二三四五六]年级",
        re.IGNORECASE,
    ),
    "teacher": re.compile(
        r"\bnew (?:\w+ )?teacher\b|\bteacher(?:['’]s| is| was) "
        r"|换了?(?:个|新)*(?:老师|班主任)|(?:老师|班主任)(?:是|姓|换)",
        re.IGNORECASE,
    ),
    "journey": re.compile(
        r"\b(?:go|going|fly|flying|travel|travell?ing|trip|flight|holiday|vacation) to (?-i:[A-Z])"
        r"|去了?[^，。]{2,6}?(?:玩|旅游|旅行|度假|出差|自驾)|改去",
        re.IGNORECASE,
    ),
    "work": re.compile(
        r"\b(?:works?|working|job at|employed) (?:at|for|as|in)\b|\bchanged jobs\b|\bretired\b"
        rf"|\bmoved to\b{_NO_DAY}"
        rf"|\b(?:am|is|are|was|['’]m|['’]s) (?:now )?an? (?:[\w-]+ ){{0,3}}{PROFESSION}\b"
        r"|上班|工作|跳槽|退休|辞职|转岗",
        re.IGNORECASE,
    ),
}


@lru_cache(maxsize=1024)
def _sides(text: str) -> frozenset[str]:
    return frozenset(name for name, pattern in _SIDES.items() if pattern.search(text))


def of_other_sides(text: str, other: str) -> bool:
    """Whether the two are of different sides of a life ("has diabetes", "was switched to insulin"). False where of one
    nothing is known."""
    sides, before = _sides(text), _sides(other)
    return bool(sides and before) and not sides & before
