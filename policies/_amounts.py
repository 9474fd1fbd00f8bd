"""How much or how often, with nothing said of what: 我每天一片半, 每天背五十个, "I take two a day". It is understood
only with what names that."""

from __future__ import annotations

import re

_AMOUNT_ZH = r"[\d.一二两三四五六七八九十百千几半]{1,8}+"
_THINGS_ZH = r"(?:[个片粒颗页条张组本篇章套瓶杯碗只根支份针袋包勺滴块]|毫克|微克|单位)"
_WHEN_ZH = (
    r"(?:现在|目前|一般|平时|基本|大概|大约|每次|[早晚]上|[上下中]午|[早中晚饭]饭?[前后]|每?[一两]?[天日周月年晚早]|"
    r"(?:每个?)?(?:星期|月)|睡前|[都就要得只各再也]|还(?![\d一二两三四五六七八九十百千几半])|坚持)"
)
# A time alone: 每月第二个周四，七点到九点.
_TIMES_ZH = (
    r"(?:我们?)?每(?:个?(?:[周月年天]|星期|礼拜)|[\d一二两三四五六七八九十])(?:第[一二三四]个?|最后一?个?|(?:周|星期|礼拜)?[一二三四五六日天末]|"
    r"[早晚]上|[上下中]午|[\d一二两三四五六七八九十]{1,3}(?:点半?|号)|[的到至和、，, ]){0,12}+[.。!！]*$"
)
_MUCH = (
    r"(?:[$€£]?\d[\d,.]*|an?|one|two|three|four|five|six|seven|eight|nine|ten|twelve|fifteen|twenty|thirty|forty|fifty|"
    r"half)"
)
_OFTEN = (
    r"(?:(?:a|per|each|every) (?:day|week|month|year|morning|night|evening|meal)|daily|in the (?:morning|evening)|"
    r"at night)(?: and (?:\w+ ){1,3}(?:morning|evening|night))?"
)
OF_NOTHING = re.compile(
    rf"{_TIMES_ZH}|"
    rf"(?:我们?|咱们?)?(?:{_WHEN_ZH}[，,]?){{0,6}}+"
    # Of things with any verb, of times and lengths with one that needs an object: 我每天跑五公里 is whole.
    rf"(?:(?:[^第\d.一二两三四五六七八九十百千几半，。]了?)?{_AMOUNT_ZH}{_THINGS_ZH}|"
    rf"[吃服用喷打敷抹涂做练学]?{_AMOUNT_ZH}(?:[次回遍]|公里|个?小时|分钟|毫升|克)|"
    rf"[还交付]{_AMOUNT_ZH}(?:块钱?|元)?)(?:半|多)?(?:左右|以上)?"
    r"(?:[，,](?:饭[前后]|睡前|空腹|早晚)[吃服喝用]?)?[.。!！]*$|"
    r"I (?:(?:usually|normally|now|only|still|just|always) )?(?:take|do|have|eat|drink|read|need|use|get|make|write|"
    rf"learn|pay(?: back)?)(?: (?:about|around|up to|at least|only))? {_MUCH}(?: and a half|(?: or |-| to ){_MUCH})?"
    rf"(?: (?:tablets?|pills?|capsules?|puffs?|drops|doses?))? {_OFTEN}[.!]*$",
    re.IGNORECASE,
)


def of_nothing(words: str) -> bool:
    """Whether words say how much or how often, and leave out what of."""
    return bool(OF_NOTHING.match(words.strip(" ,，")))
