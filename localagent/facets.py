"""What a statement of a change is about, where it has no word in common with what it changes: a state of which one is
in one at a time (single or married, at which school), a journey that goes elsewhere, food that is eaten after all, an
hour that is allowed. English and Chinese. Pure.
"""

from __future__ import annotations

import re

from localagent.statements import Relation, Statement, kinds_of_values

_PLACE = r"(?P<p>(?-i:[A-Z])[\w'-]*[a-z](?: (?-i:[A-Z])[\w-]+)*)"
_GOES = re.compile(
    r"\b(?:go|going|fly|flying|flight|flights|travel|travell?ing|driv(?:e|ing)|head(?:ing)?|off|mov(?:e|ing)|trip|"
    rf"holiday|holidays|vacation|sailing|spend(?:ing)?(?: \w+){{1,3}}) (?:away )?(?:to|in|for) (?:the )?{_PLACE}"
    rf"|\bvisit(?:ing)? (?:the )?(?P<p2>{_PLACE[4:]}",
    re.IGNORECASE,
)
_GOES_ZH = re.compile(
    r"(?<![过下上出回失来])(?:[去回飞]|搬[去到])了?(?P<p>(?!上班|上学|工作|看|接|买|吃|年|家)[\u4e00-\u9fff]{2,4}?)"
    r"(?=玩|旅|出差|度假|避暑|过[年节]|吧|了|[，。！,]|$)"
)
_ELSEWHERE = re.compile(
    r"\b(?:instead|scrap|scratch|forget|fell through|change of plans?|plans? (?:has |have )?changed|"
    r"changed (?:my|our) minds?|after all|second thoughts?|not .{1,30} any ?more|rather than)\b|不去|"
    r"改[去飞回成到]|(?:计划|行程)[有变改]|不对|算了|取消|改主意|换成",
    re.IGNORECASE,
)
_TIME_OF_YEAR = re.compile(
    r"\b(?:in|at|over|for|during|on|next|this|late|early|\d{1,2}) (?:the )?(?P<t>(?:jan|febr)uary|march|april|may|"
    r"june|july|august|(?:sept|nov|dec)ember|october|spring|summer|autumn|winter|half[- ]?term|christmas|"
    r"easter|new year)\b"
    r"|(?P<t2>国庆|五一|春节|元旦|中秋|端午|清明|寒假|暑假|[春夏秋冬]天|过年|[\d一二三四五六七八九十]{1,2}月)",
    re.IGNORECASE,
)
# Who eats this eats no more of that than is said.
_FOODS = {
    "meat": "meat chicken beef pork lamb bacon steak ham turkey duck sausage sausages burger burgers "
    "肉 鸡 牛肉 猪肉 羊肉 鸭",
    "fish": "fish seafood salmon tuna sushi shrimp prawns cod 鱼 海鲜 虾 蟹 三文鱼",
    "dairy": "dairy milk cheese butter yoghurt yogurt egg eggs 奶 牛奶 奶酪 酸奶 鸡蛋 蛋",
    "alcohol": "alcohol wine beer whisky whiskey gin cocktails cider 酒 红酒 啤酒 白酒 葡萄酒",
}
_FORBIDS = (
    (re.compile(r"\b(?:vegetarian|don't eat (?:any )?meat)\b|吃素|素食|不吃肉", re.IGNORECASE), ("meat", "fish")),
    (re.compile(r"\bvegan\b|纯素|吃全素", re.IGNORECASE), ("meat", "fish", "dairy")),
    (
        re.compile(
            r"\b(?:don't|do not|never) (?:drink|touch)(?: any)? alcohol\b|\bteetotal|不喝酒|滴酒不沾", re.IGNORECASE
        ),
        ("alcohol",),
    ),
)
_EATS = re.compile(
    r"\b(?:I|we)(?:'ve| have)? (?:now |just |do |also |actually |recently |sometimes )*(?:eat|drink|have|(?:started|"
    r"begun|been|gone back to|back to) (?:to )?(?:eat|drink|hav)(?:ing)?) (?P<f>[\w ]{2,40})"
    r"|(?:我|我们)[^，。不没]{0,6}[吃喝](?P<f2>[^，。]{1,4})",
    re.IGNORECASE,
)
_ALLOWED = re.compile(
    r"\b(?:fine|ok|okay|allowed|possible|acceptable|alright)\b|可以|没问题|没关系|[也]?行了?$", re.IGNORECASE
)
_BOUND = re.compile(
    r"\b(?:before|after|until|till|past|by|earlier than|later than) (?:\d|noon|mid)|点半?[前后]|(?:之|以)[前后]", re.I
)
_MEETS = frozenset("meet call appointment lesson interview delivery video 会 电 话".split())
# States, as told in the first person.
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


def changes(new: Statement, evidence: str, old: Statement) -> Relation | None:
    """What a statement of a change, taken from `evidence`, is to the older one; None where this tells nothing."""
    if goes_elsewhere(new, old) and _ELSEWHERE.search(f"{evidence}\n{new.text}"):
        return "alone"
    return _eats(new.text, old) or _allows(new, old)


def goes_elsewhere(new: Statement, old: Statement) -> bool:
    """Whether both tell of a journey, at no other time, to different places."""
    to, before = _places(new.text), _places(old.text)
    if not to or not before or to & before or new.denies or old.denies:
        return False
    return not (new.days and old.days) or bool(set(new.days) & set(old.days))


def of_another_journey(text: str, other: str) -> bool:
    """Whether both tell of a journey to another place, each at another time of the year."""
    to, before = _places(text), _places(other)
    times, times_before = _times(text), _times(other)
    return bool(to and before and times and times_before) and not (to & before or times & times_before)


def _times(text: str) -> set[str]:
    return {(one["t"] or one["t2"]).lower()[:3] for one in _TIME_OF_YEAR.finditer(text)}


def _places(text: str) -> set[str]:
    found = [match for pattern in (_GOES, _GOES_ZH) for match in pattern.finditer(text.replace("’", "'"))]
    return {next(value for value in match.groups() if value).lower() for match in found}


def _eats(text: str, old: Statement) -> Relation | None:
    """Food or drink that the older one says is not taken."""
    match = _EATS.search(text.replace("’", "'"))
    plain = old.text.replace("’", "'")
    forbidden = {food for pattern, foods in _FORBIDS if pattern.search(plain) for food in foods}
    if match is None or not forbidden or re.search(r"不再|no longer|any ?more|for my|for the", text):
        return None
    eaten = (match["f"] or match["f2"] or "").lower()
    words = set(eaten.split()) if eaten.isascii() else {eaten.rstrip("了吧")}
    taken = [food for food in forbidden if words & set(_FOODS[food].split())]
    if not taken:
        return None
    return "newer" if "meat" in taken or words & {"alcohol", "酒"} else "part"


def _allows(new: Statement, old: Statement) -> Relation | None:
    """An hour at which it may be, of what is not wished before or after one."""
    if new.denies or not old.denies or not _ALLOWED.search(new.text) or not _BOUND.search(old.text):
        return None
    timed = kinds_of_values(new) & {"clock", "number"} and kinds_of_values(old) & {"clock", "number"}
    return "part" if timed and new.content & old.content & _MEETS else None
