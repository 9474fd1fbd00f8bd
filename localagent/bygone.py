"""What is told of a time that is over ("I lived in Berlin in 2010", "until I was ten", 小时候, 上大学时, 住过): it
neither takes the place of what is so now, nor does that take its place. English and Chinese. Pure.
"""

from __future__ import annotations

import re
from functools import lru_cache

from localagent.changes import SO_NOW
from localagent.statements import statement

# How things were, not what happened: not "moved", "started", "turned 40", after which it is so, nor what is done with
# for good, as most of what is "off", "away" or "down" is.
_BEGINS = (
    r"(?:[a-z]+ed (?:off|away|down)\b|ran out\b|(?:mov|start|switch|chang|join|stopp|retir|marri|turn|settl|relocat|"
    r"cancel|cancell|adopt|mention|need|call|nam|quitt|divorc|becom|return|transferr|promot|sign|open|clos|mean|decid|postpon|"
    r"reschedul|renam|replac|correct|graduat|finish|complet|end|di|expir|laps|resign|dropp|fir|dismiss|clear|split)ed)"
)
_WAS_SO = (
    rf"(?!{_BEGINS}\b)(?:[a-z]{{2,}}ed|was|were|had|drove|ran|swam|took|drank|ate|went|spoke|taught|rode|kept|did|slept|"
    r"wore|spent|sang|grew|broke|fell|caught|hurt)"
)
# What has been so, and what was done to something.
_NO_PAST = re.compile(
    r"(?:\b(?:have|has)|['’]ve) (?:\w+ ){0,2}?[a-z]+(?:ed|en)\b|\b(?:was|were|got) (?:[a-z]+ed|laid|made|sold|let|"
    r"given|taken|put|sent|told)\b",
    re.IGNORECASE,
)
_YEAR = r"(?:19|20)\d\d"
_AGE = (
    r"(?:\d{1,2}|(?:twen|thir|for|fif|six|seven|eigh|nine)ty|\w+teen|one|two|three|four|five|six|seven|eight|nine|ten)"
)
_SPAN = r"(?:an?|one|two|three|four|five|six|seven|eight|nine|ten|several|many|some|(?:a )?few|a couple of|\d+)"
_WHEN = (
    rf"(?:(?:back )?in (?:the )?(?:{_YEAR}(?!-)|(?:early |late |mid-?)?(?:(?:19|20)?\d0['’]?s|(?:seven|eigh|nine)ties)|"
    r"past\b|(?:my|his|her) (?:teens|youth|childhood|twenties|thirties|forties|fifties))|"
    rf"(?:from|between) (?:\w+ )?{_YEAR} (?:to|until|till|and) (?:\w+ )?{_YEAR}|(?:until|till) (?:\w+ )?{_YEAR}|"
    r"as (?:an? )?(?:(?:young|small|little) )?(?:student|child|kid|teen(?:ager)?|boy|girl|toddler|baby|pupil|man|woman|"
    r"undergraduate|undergrad|kids|children|students)|"
    rf"(?:when|until|till|while|before) (?:I|we|he|she) (?:was|were|turned|had) (?:still )?(?:an? |at |in |only |"
    rf"about |under )?(?:{_AGE}\b|child|kid|boy|girl|small|little|young\w*|student|teen\w*|school|uni|university|"
    r"college|studying)|"
    r"(?:until|till) (?:the age of|age) \w+|at the age of \w+|(?:during|in) (?:my|his|her|our) (?:studies|school|"
    r"student|childhood|youth|army|university|college|gap)|growing up|"
    r"(?:at|in|after|before|during) (?:uni|university|college|(?:high |primary |secondary )?school)\b|"
    r"back then|in those days|once upon|years ago|decades ago)"
)
_MONTH = r"(?:Jan|Feb|Mar|Apr|May|Jun|Jul|Aug|Sep|Oct|Nov|Dec)"
_BORN = re.compile(
    rf"\b(?:was|were) born (?:and (?:raised|bred) )?in (?!{_MONTH})[A-Z]|出生[在于][^\d]|(?:^|[，我])生在[^\d]"
)
# What says by itself that it is over.
_OVER = re.compile(
    r"\b(?:I|we|he|she|they|who) (?:(?!am |are |is |was |got )\w+ )?used to [a-z]|\bgrew up\b|"
    r"\b(?:was|were) (?:raised|brought up) in [a-z]|"
    r"(?<!ve )(?<!has )\b(?:lived|worked|studied|taught|rented|owned|smoked)\b.{0,40} for (?:about |almost |over |"
    rf"nearly )?{_SPAN} (?:years?|months?|summers?|winters?)\b|"
    r"\b(?:spent|had) (?:all |most of )?(?:my|his|her|our) (?:childhood|youth|school ?days|teens)\b",
    re.IGNORECASE,
)
_IT_WAS = re.compile(rf"\b{_WAS_SO}\b", re.IGNORECASE)
_I_WAS = re.compile(
    rf"^(?:I|We) (?:just |once |only |already )?{_WAS_SO}\b|^我[^，。搬换改当上]{{1,12}}(?:断|伤|病|倒|院)了$"
)
_THEN = re.compile(rf"\b{_WHEN}", re.IGNORECASE)
# How somebody lived, where no time is said: "I lived in Lyon".
_LIVED = re.compile(
    r"^(?:I|We) (?:once |also |previously |formerly )*(?:lived (?:in|at|near)|worked (?:at|for|as|in)) "
)
# What is so still, or again, or since then.
_NOW = re.compile(
    rf"\b(?:{SO_NOW}|still|since|again|today|currently|at the moment|at present|changed|quit|gave up|"
    r"given up|but (?:I|we|he|she)(?:['’]m| am|['’]re)|moved|switched)\b"
    r"|现在|如今|目前|还是|仍|至今|一直|起(?=[，,在就我]|$)|开始|打算|想|计划|争取|不再|不[^，。]{0,6}了|改[成为到吃喝]|换[成到了]|搬|戒|后来",
    re.IGNORECASE,
)
_ONCE_ZH = r"(?:以前|从前|曾经?|过去|原先)"
_OVER_ZH = re.compile(
    r"小时候|童年|儿时|年轻(?:的?时候?|那会儿|那阵)|当年|早年|(?:[上读念]|^|[，我他她])(?:大学|高中|初中|小学|中学|学|书|研|博)"
    r"(?:的?时候?|期间|那会儿|那阵子?|那几年)|学生时代|当学生(?:的?时候?)?|婚前|毕业前|[\d一二三四五六七八九十]{1,3}多?岁"
    r"(?:以前|之前|的时候|那[年会]|时(?!候)|前)|长大的|"
    rf"(?:^|[，我们他她爸妈哥姐弟妹叔舅]){_ONCE_ZH}(?=[在住做当是叫教开养吃喝抽爱喜用有学打跑练读])|"
    r"[住待呆]过(?!了)|工作过(?!了)|当过(?!了)|"
    r"(?:(?:19|20)\d\d|[一二九零〇]{4})年[^，。搬换跳调入转]{0,14}(?:过|到(?:(?:19|20)\d\d|[一二九零〇]{4})年|期间)"
)
# A change of what is so no more is one, whenever it was so: "I used to smoke".
_ENDS = re.compile(rf"\bused to\b|{_ONCE_ZH}")


@lru_cache(maxsize=1024)
def is_bygone(text: str) -> bool:
    """Whether it tells of a time that is over, and of nothing that is so now."""
    if _NOW.search(text):
        return False
    if any(pattern.search(text) for pattern in (_BORN, _OVER, _OVER_ZH, _LIVED)):
        return True
    plain = _NO_PAST.sub(" ", text)
    return bool(_IT_WAS.search(_THEN.sub(" ", plain)) and _THEN.search(plain))


def tells_of_what_was(text: str) -> bool:
    """Whether it tells in the first person how something was, or what happened, and nothing that came of it."""
    return bool(_I_WAS.match(text)) and not _NOW.search(text)


def of_another_time(text: str, other: str) -> bool:
    """Whether one of the two tells of a time that is over, and the other one does not, or one of where somebody was
    born. "I used to smoke" ends "I smoke"."""
    if bool(_BORN.search(text)) != bool(_BORN.search(other)):
        return True
    if is_bygone(text) == is_bygone(other):
        return False
    ended = _ENDS.search(text)
    return not ended or not statement(_ENDS.sub(" ", text)).content <= statement(other).content
