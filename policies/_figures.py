"""What is said for fun and cannot be so: "I'm allergic to Mondays", "my boss is literally Satan", 我对开会过敏.
Laughter alone says nothing: "I moved to York, haha, finally"."""

from __future__ import annotations

import re

from ._doings import EVENT, EVENT_ZH, SPORT
from ._people import KIN, KIN_ZH, OCCUPATION
from ._rule import any_of
from ._work import END, WORK_NOUN
from ._work_zh import WORK_ZH

_LAUGHTER = re.compile(
    r"\b(?:(?:ha){2,}h?|(?:he){2,}|lol|lmf?ao|rofl)\b|哈{2,}|嘿{2,}|嘻{2,}|呵{2,}|笑死|"
    # ... but not a number: "I wear a 233", 房租是2333.
    r"(?:(?:^|(?<=[，,。.！!~～…]))\s*23{2,}|(?<=[\u4e00-\u9fff])(?<![是到为有号共要价])23{3,})(?!\d)|[😂🤣😆😅😹]",
    re.IGNORECASE,
)
_A_TIME = r"(?:early |late )?(?:(?:mon|tues|wednes|thurs|fri|satur|sun)days?|mornings?|weekends?|winters?|summers?)"
_A_TIME_ZH = r"(?:(?:周|星期|礼拜)[一二三四五六日天末]|早[上晨起]|冬天|夏天|起床)"
# Nobody is allergic to a time or to something that is done, nor hundreds of years old.
_IMPOSSIBLE = any_of(
    r"\ballergic to (?:(?:the|my|all|work|office|team|school) ){0,2}(?!squash\b|(?:patch|shell|label|bug)(?:e?s)?\b)"
    rf"(?:{_A_TIME}|{EVENT}(?:e?s)?|{SPORT}|{WORK_NOUN}|work|exercis(?:e|ing)){END}",
    rf"对(?:{_A_TIME_ZH}|{EVENT_ZH}|{WORK_ZH}|[上下加]班|上[课学]|工作|学习|运动|健身)过敏",
    rf"\b(?:I(?:['’]m| am)|my {KIN}(?: is|['’]s)) (?:about |over |nearly )?(?:[2-9]\d\d|1[3-9]\d|\d{{4,}}) years old\b",
    r"^我[^，。]{0,8}(?:[2-9]\d\d|1[3-9]\d|\d{4,}|[一二两三四五六七八九]?[百千万][零一二三四五六七八九十百]*)岁",
    r"\bblood (?:type|group) is (?!\W*(?:[ABO0]|AB|rh|(?:the )?(?:very |most )?(?:rare\w*|common|universal|golden|"
    r"bombay|same)|type|positive|negative|unknown|as)\b)",
    r"血型是(?!\s*[ABOPR0]|稀|罕|特殊|熊猫|[阴阳]性|孟买|什么|未知|万能|最|[和跟一])",
    # Who is "literally" somebody else is not.
    rf"(?:\b(?:is|are|am)|['’](?:s|m|re)) (?:quite )?(?:literally|practically) (?:(?:an?|the|my) (?!(?:[\w-]+ ){{0,3}}"
    rf"(?:{OCCUPATION}|{KIN})s?\b)|(?-i:[A-Z])\w+$)",
    r"简直就?是|(?:转世|附体|化身)$|就是[^，。我他她]{2,8}本人$",
)
# With laughter: whoever is made somebody else, and what is too much.
_TOO_MUCH = any_of(
    r"^I(?:['’]m| am) (?:[89]\d|100)(?: years old)?$|^我(?:今年|都|已经)*(?:[89]\d|100|[八九]十[一-九]?|一百)岁?了?$",
    rf"\b(?:is|are) (?:the|an? (?:actual|real)|actual|real|her|his) (?!(?:[\w-]+ ){{0,3}}(?:{OCCUPATION}|{KIN})s?\b|"
    r"(?:only|eldest|oldest|youngest|middle|first|second)\b|(?:\w+ )?(?:ones?|type)\b)",
    r"\b(?:(?:a|two|ten) )?(?:million|billion|trillion|[gz]\w*illion)s?\b",
    rf"\b(?:thousand|hundred)s?(?: of)? (?:{KIN}s?|times)\b",
    r"\b(?:thousand|hundred)s?\b.*\b(?:a|an|every|per) (?:day|hour|night|week)\b|[百千万亿](?:多)?[杯次个遍碗斤件趟]",
    rf"\bmarried to (?:the|my) (?!(?:[\w-]+ ){{0,2}}{KIN}\b)",
    # ... whose end is none of what somebody may be by trade or birth.
    rf"我们?(?:家|的)*{KIN_ZH}(?:就)?是(?:一?[个只位])?(?!什么|谁|不)[^，。]{{1,6}}(?<![师生员人工家医护士长者座族迷控手机计辑察板兵民友"
    r"子女孩的儿])(?:$|[，,])|嫁给了?(?:工作|公司|事业)",
)


def laughs(words: str) -> bool:
    return bool(_LAUGHTER.search(words))


def figurative(words: str, *, laughing: bool) -> bool:
    """Whether a clause says what cannot be so. `laughing`: its sentence laughs."""
    plain = _LAUGHTER.sub("", words).strip(" ,，.。!！~～")
    return bool(_IMPOSSIBLE.search(plain)) or (laughing and bool(_TOO_MUCH.search(plain)))
