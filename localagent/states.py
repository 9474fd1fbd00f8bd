"""States of which somebody is in one at a time: married or single, at which school, with whom they live. English and
Chinese, as told in the first person. Pure.
"""

from __future__ import annotations

import re

_SINCE = r"(?: (?:now|last \w+|this \w+|yesterday|today|recently))?$"
_ZH = r"^我(?:现在|已经|刚刚?|上个?[周月]|昨天|今年|去年|一直|还|又|都|在)*"
_STATES = tuple(
    (name, re.compile(pattern, re.IGNORECASE))
    for name, pattern in (
        (
            "marriage",
            r"^I(?:'m| am| got| have got| was)?(?: now| just| recently)* (?P<v>single|married|divorced|engaged|"
            rf"separated|widowed){_SINCE}|{_ZH}(?P<v2>单身|结婚|离婚|订婚|分手|领证|有女朋友|有男朋友)了?$",
        ),
        (
            "diet",
            r"\bI(?:'m| am|'ve (?:gone|become|turned)|'ve been| went| became| turned) (?:now )?(?:an? )?(?:strict )?"
            r"(?P<v>vegetarian|vegan|pescatarian|flexitarian|omnivore)\b"
            r"|^我(?:现在|已经|一直|是|成了)*(?P<v2>素食主义者|纯素|吃素|吃全素)",
        ),
        (
            "smoking",
            r"^I(?:'m| am) (?:now )?an? (?P<v>(?:non-?|ex-?)?smoker)\b|"
            r"^I(?:'ve| have)? (?P<v2>quit|stopped|gave up|given up) smoking\b",
        ),
        (
            "pregnancy",
            rf"^I(?:'m| am) (?:now )?(?P<v>pregnant)\b|^I (?P<v2>gave birth)\b"
            rf"|{_ZH}(?P<v3>怀孕)|{_ZH}(?P<v4>生)了(?=$|[，,个])",
        ),
        (
            "school",
            rf"{_ZH}(?:上|读|念|考上|考进|升入?)?了?(?P<v>幼儿园|小学|初中|高中|大学|研究生|博士|[一二三四五六七八九]年级)"
            r"(?!里?[当教工做门老附旁])",
        ),
        (
            "household",
            rf"{_ZH}(?:[和跟][^，。]{{1,4}})?(?P<v>合租|一个人住|独居|自己住|同居)"
            r"|^I (?:now )?live (?P<v2>alone|on my own|by myself|"
            r"with (?:my |some |two )?(?:roommates?|flatmates?|parents))\b",
        ),
    )
)


def state_of(text: str) -> tuple[str, str] | None:
    """The name of a state and which it is, of what somebody says of themselves."""
    for name, pattern in _STATES:
        match = pattern.search(text)
        if match is not None:
            return name, next(value for value in match.groups() if value).lower()
    return None
