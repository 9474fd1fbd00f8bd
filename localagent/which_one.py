"""Which one of several a statement is of: the older or the younger brother, the first or the second daughter, 我大哥 or
我二哥, 老大 or 老二. What is so of one of them tells nothing of another one. English and Chinese. Pure.
"""

from __future__ import annotations

import re
from functools import lru_cache

from localagent.persons import FAMILY_ZH, PEOPLE

# By words for the same place among sisters and brothers.
_PLACES = {
    "older": "older", "elder": "older", "oldest": "older", "eldest": "older", "big": "older", "firstborn": "older",
    "younger": "younger", "youngest": "younger", "little": "younger", "baby": "younger", "middle": "middle",
    "twin": "twin",
}  # fmt: skip
_ORDINALS = "first|second|third|fourth|fifth|sixth"
_LINES = "maternal|paternal"
_BIRTHS = "twin|half|step|foster|adopted|adoptive|biological"
_PERSON = rf"(?:grand(?:child|son|daughter|children)|step(?:son|daughter|brother|sister)|{PEOPLE}|girl|boy|one)s?"
_VERB = r"(?:is|has|was|will|goes|went|got|just|now|turns?|works?|lives?|plays?|likes?|starts?|[a-z]{3,}(?:ed|s))"
# "My older brother", "our youngest goes to ...".
_PLACE = re.compile(
    rf"\b(?:my|our|his|her|their|the|\w+['’]s) (?:\w+ )?(?P<q>{'|'.join(_PLACES)})(?: \w+)?? "
    rf"(?:{_PERSON}\b|{_VERB}\b(?! {_PERSON}\b))",
    re.IGNORECASE,
)
_BORN = re.compile(rf"\b(?P<q>{_BIRTHS})[- ]{_PERSON}\b", re.IGNORECASE)
_LINE = re.compile(rf"\b(?P<q>{_LINES}) {_PERSON}\b", re.IGNORECASE)
# Of what there are several, with what it is called: "The second exam is ..."; not "lives on the second floor".
# Of people wherever they are named.
_ORDER = re.compile(
    rf"^(?:my|our|his|her|their|the|\w+['’]s) (?P<q>{_ORDINALS}) (?!(?:of|thing|time|choice|half)\b)(?P<s>[a-z]{{3,}})|"
    rf"\b(?P<q2>{_ORDINALS}) (?P<s2>{_PERSON})\b",
    re.IGNORECASE,
)

_NUMBERS_ZH = "一二三四五六七"
_FIRST_ZH, _LAST_ZH = "大长头一", "小幼幺末老"
# The kin that are counted: 大哥, 二舅, 小女儿; 老大, 老二; 大宝, 二宝. Before it the speaker, a place or nothing.
_OF_KIN_ZH = re.compile(
    rf"(?:^|[我咱家的，。、])(?:第)?(?P<q>[大长头小幼幺{_NUMBERS_ZH}])个?(?P<s>{FAMILY_ZH}|爷爷?|伯伯?|姑|姨|婶|嫂|侄|孙|宝|丫头|小子|"
    r"娃|闺女)"
)
_CHILD_ZH = re.compile(
    rf"(?:^|[我咱家的，。、])(?P<s>老)(?P<q>[大{_NUMBERS_ZH}幺小])(?![\u4e00-\u9fff]{{0,1}}(?:师|板))"
)
_NTH_ZH = re.compile(
    rf"^(?:我们?家?的?)?第(?P<q>[{_NUMBERS_ZH}])[个次份场门台辆套](?!半?[月周年])(?P<s>[\u4e00-\u9fff]{{1,3}}?)(?=叫|是|在|有|住|上|的|$)"
)


@lru_cache(maxsize=1024)
def _named(text: str) -> dict[str, frozenset[str]]:
    """By each way of telling them apart, which ones it names."""
    found: dict[str, set[str]] = {}
    for place in _PLACE.finditer(text):
        found.setdefault("place", set()).add(_PLACES[place["q"].lower()])
    for way, pattern in (("birth", _BORN), ("line", _LINE)):
        for match in pattern.finditer(text):
            found.setdefault(way, set()).add(match["q"].lower())
    for order in _ORDER.finditer(text):
        what = (order["s"] or order["s2"]).lower().rstrip("s")
        found.setdefault(f"order of {what}", set()).add((order["q"] or order["q2"]).lower())
    for pattern in (_OF_KIN_ZH, _CHILD_ZH, _NTH_ZH):
        for match in pattern.finditer(text):
            found.setdefault(f"order of {_kind_zh(match['s'])}", set()).add(_rank_zh(match["q"]))
    return {way: frozenset(ones) for way, ones in found.items()}


def _kind_zh(kin: str) -> str:
    """One word for 哥 and 哥哥."""
    return kin[0] if len(set(kin)) == 1 else kin


def _rank_zh(rank: str) -> str:
    return "大" if rank in _FIRST_ZH else "小" if rank in _LAST_ZH else rank


def of_another_one(text: str, other: str) -> bool:
    """Whether each names one of several, and not the same one."""
    one, before = _named(text), _named(other)
    return any(not one[way] & before[way] for way in one.keys() & before.keys())
