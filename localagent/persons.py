"""Of whom a statement speaks, of those who are close to the speaker, and what it says of them as they would say it of
themselves ("my sister works at ...": "I work at ..."), so that one rule reads both. English and Chinese. Pure.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import lru_cache

_ROLES = "boss|manager|doctor|dentist|teacher|landlord"
PEOPLE = (
    r"wife|husband|partner|girlfriend|boyfriend|son|daughter|child|kid|mother|mom|mum|father|dad|brother|sister|"
    r"grandmother|grandma|granny|gran|grandfather|grandpa|grandad|uncle|aunt|cousin|niece|nephew|parents|"
    r"colleague|neighbou?r|roommate|flatmate|friend"
)
# What somebody has, as they have relatives.
OWNED = rf"dog|cat|{_ROLES}"
_PEOPLE = rf"{PEOPLE}|{OWNED}"
_KIN_EN = (
    r"(?:^(?P<k4>Mum|Mom|Dad|Mummy|Daddy|Grandma|Granny|(?-i:Gran)|Nana|Grandpa|Grandad|"
    r"(?:Uncle|Aunt|Auntie)(?= (?-i:[A-Z])))\b|"
    rf"\b(?:my|our) (?:\w+ ){{0,2}}?(?P<k>{_PEOPLE})s?\b)"
)
FAMILY_ZH = (
    r"妻子|老婆|太太|媳妇|爱人|对象|老公|丈夫|女朋友|男朋友|女友|男友|儿子|女儿|闺女|孩子|妈妈|母亲|爸爸|父亲|爸妈|父母|"
    r"[妈爸](?![妈爸])|[表堂][哥姐弟妹]|姐夫|妹夫|嫂子|哥哥|哥(?!们)|弟弟?|姐姐|姐(?!们)|妹妹?|奶奶|爷爷|外婆|外公|"
    r"姥姥|姥爷|叔叔?|舅妈|舅舅?|姑妈|姑姑|姨妈|阿姨|岳父|岳母|婆婆|公公|孙子|孙女|侄子|侄女|外甥女?"
)
OTHERS_ZH = r"老板|领导|上司|经理|同事|导师|老师|室友|舍友|邻居|朋友|好友|闺蜜|发小|同学|同桌|狗|猫|房东"
# The commonest family names, and those that begin many another word.
SURNAMES_ZH = (
    "王李张刘陈杨黄赵吴周徐孙马朱胡郭何林罗郑梁谢宋唐许韩邓冯曹彭曾萧肖董潘袁蔡蒋叶杜魏苏吕丁卢姚沈钟姜崔谭陆范"
    "汪廖石金贾夏邹熊孟秦邱江尹薛雷龙史陶贺毛郝顾龚邵孔武"
)
MORE_SURNAMES_ZH = (
    "高田余于程任韦付方白侯闫段覃钱戴严莫向常汤康易乔赖文温庞樊兰殷施洪翟安颜倪牛芦季俞章鲁葛伍申尤毕聂柴焦阮欧"
)
# Bare words of the family are the speaker's own.
_KIN_ZH = (
    rf"(?:(?:我|我们|咱)(?:家)?(?:的)?(?:最?好的?)?(?P<k2>[大小老二]?(?:{FAMILY_ZH}|{OTHERS_ZH}))|"
    r"(?<![\u4e00-\u9fff])(?P<k3>老婆|老公|女儿|儿子|妈妈|爸爸|爸妈|父母|孩子|爷爷|奶奶|外婆|外公|姥姥|姥爷|舅舅|姑姑|哥哥|姐姐|弟弟|妹妹))"
)
_KIN_GROUPS = ("k", "k2", "k3", "k4")
# The same, in other words.
_SAME_KIN = {
    "mom": "mother", "mum": "mother", "mummy": "mother", "dad": "father", "daddy": "father", "grandma": "grandmother",
    "granny": "grandmother", "gran": "grandmother", "nana": "grandmother", "grandpa": "grandfather",
    "grandad": "grandfather", "auntie": "aunt",
    "妈": "妈妈", "母亲": "妈妈", "爸": "爸爸", "父亲": "爸爸", "哥": "哥哥", "姐": "姐姐", "弟": "弟弟", "妹": "妹妹",
    "叔": "叔叔", "舅": "舅舅",
    "妻子": "老婆", "太太": "老婆", "丈夫": "老公", "女友": "女朋友", "男友": "男朋友", "父母": "爸妈",
}  # fmt: skip
# A person of a person is another one: "my mother's colleague", 我妈的同事.
_OF_THEIRS = re.compile(
    rf"(?:s\b)?(?:,? (?-i:[A-Z])[\w-]+)?(?P<o>(?:['’]s? (?:(?:best|good|old|older|oldest|young|younger|youngest|new|"
    r"former|little|big|twin|half|only|other|closest|first|second|two|three|ex|late|school|work|baby) ){0,2}"
    rf"(?:{_PEOPLE})s?\b(?! (?:appointment|visit)\b))+)"
    r"|(?:[小老阿][\u4e00-\u9fff])?"
    rf"(?P<o2>(?:家?的?(?:[老新前]|最?好的?|大学|高中|公司)?(?:{FAMILY_ZH}|{OTHERS_ZH}))+)",
    re.IGNORECASE,
)
_THEIRS = re.compile(rf"\b(?:{_PEOPLE})(?=s?\b)|{FAMILY_ZH}|{OTHERS_ZH}", re.IGNORECASE)
_ONE_OF = re.compile(rf"\b(?:an?|the|one) (?:\w+ )?(?P<o>{_PEOPLE}) of $", re.IGNORECASE)
# Who holds an office for somebody is also what they have: "my daughter's teacher is ... now".
_OFFICE = re.compile(rf"(?:{_ROLES})s?$|(?:老板|领导|上司|经理|导师|老师|房东)$", re.IGNORECASE)
# What is mine: "my doctor's appointment".
_NOT_THEIRS = r"(?!(?:['’]s)? (?:appointment|visit|check-?up|office|bill|note)\b)"
_KIN = re.compile(rf"{_KIN_EN}{_NOT_THEIRS}|{_KIN_ZH}", re.IGNORECASE)
# Who is only with the speaker ("I live here with my husband").
_WITH = re.compile(
    r"(?<=\w) (?:and|with|together with) (?:my|our) \w+"
    r"|(?<=我)(?:们)?[和跟与同](?:我的?)?[\u4e00-\u9fff]{1,4}?(?=一起|都|住|在|搬|去)",
    re.IGNORECASE,
)
# Who does something to what is the speaker's: "my landlord raised my rent".
_DOES_TO_ME = re.compile(
    rf"^(?:my|our) (?:{_ROLES}) (?:has |have |just )*(?P<did>\w+(?:ed|t)) (?=(?:me|us|my|our|it|the)\b)"
    r"|^我们?的?(?:老板|领导|上司|经理|老师|房东)(?=[给把让帮]我)",
    re.IGNORECASE,
)
# "I have a dog called Biscuit"
_HAS = re.compile(
    r"\b(?:I|we)(?:'ve| have| adopted| got)(?: got)? an? (?:\w+ ){0,3}(?:called|named) (?P<n>(?-i:[A-Z])[\w-]+)"
    r"|(?:我|我们|家里)[^，。]{0,3}(?:养|有)了?[^，。]{1,6}[，,]?(?:名字)?叫(?P<n2>[\u4e00-\u9fff]{2,3})",
    re.IGNORECASE,
)
# Of somebody close: "my friend Tom", "a cat called Mimi"; 我朋友小王, 一只猫叫咪咪.
_NAMED = re.compile(
    rf"{_KIN_EN}(?:(?:,| is| was)? (?:called |named )?)(?P<n>(?-i:[A-Z])[\w-]+)"
    rf"|\b(?:called|named) (?P<n3>(?-i:[A-Z])[\w-]+)|名?叫(?P<n2>[\u4e00-\u9fff]{{2,3}})",
    re.IGNORECASE,
)
_FIRST_NAME = re.compile(
    r"(?:(?:I|[Ww]e) (?:had to |have )*put )?(?!My\b|Our\b|We\b|I\b|The\b)(?P<n>[A-Z][\w-]+)\b(?!['’])|"
    r"(?P<n2>[\u4e00-\u9fff]{2,3}?)(?=昨|今|前天|刚|上|去世|过世|走了|死了)"
)
_SUBJECT = re.compile(rf"^{_KIN_EN}(?:,? (?P<n>(?-i:[A-Z])[\w-]+),?)?(?P<s>['’]s)? (?=\S)", re.IGNORECASE)
_SAYS_OF = re.compile(r"(?:,? (?P<n>(?-i:[A-Z])[\w-]+),?)?(?P<s>['’]s)? (?=\S)")
_IS = re.compile(
    r"(?:\d|an?\b|in\b|at\b|not\b|now\b|just\b|[a-z]+(?:ing|ed)\b|(?:twen|thir|for|fif|six|seven|eigh|nine)ty)"
)
_SAYS_ZH = (
    r"(?=[在住搬换跳辞离是有叫做得患没不满刚又也都每\d一二两三四五六七八九十]|现在|目前|最近|今年|去年|已经|昨天|"
    r"上个?[周月])"
)
_SUBJECT_ZH = re.compile(
    rf"^{_KIN_ZH}(?:(?P<n>(?!现在|目前|最近|今年|去年|已经|一直|上个|上周|昨天|[刚也都又每在住不没上读念考生怀结离退搬换有养])"
    rf"(?:(?!的)[\u4e00-\u9fff]){{2,3}}?){_SAYS_ZH})?(?=\S)"
)
_ADVERBS = r"(?:(?:now|just|also|still|recently|currently|always|usually|often|finally|already|then) )*"
_VERB = re.compile(rf"^(?P<a>{_ADVERBS})(?P<v>[a-z]+(?:['’]t)?)\b", re.IGNORECASE)
_VERBS = {
    "is": "am", "has": "have", "does": "do", "doesn't": "don't", "isn't": "am not", "hasn't": "haven't",
    "was": "was", "goes": "go",
}  # fmt: skip
_THEY_ARE = re.compile(r"\b(?:he|she|they)(?:['’]s|['’]re| is| are) ", re.IGNORECASE)
_THEY = re.compile(r"\b(?:he|she|they) (?P<v>[a-z]+)\b", re.IGNORECASE)
_THEIR = re.compile(r"\b(?:his|her|their)\b", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class Person:
    """`who`: relative, friend or animal, empty for the speaker; `name`: theirs, in small letters, empty where it is not
    said. `own`: the statement as they would make it of themselves."""

    who: str
    name: str
    own: str


@lru_cache(maxsize=1024)
def person_in(text: str) -> Person:
    """Of whom a statement is by its subject."""
    if _DOES_TO_ME.match(text):
        return Person("", "", _without_doer(text))
    match = _SUBJECT_ZH.match(text)
    if match is not None:
        theirs = _of_theirs(match)
        office = theirs is not None and _OFFICE.search(theirs[0])
        at = theirs.end() if theirs and not office else match.end()
        rest = re.sub("[他她]", "我", text[at:])
        return Person(_kin(match), "" if theirs else match["n"] or "", f"我{rest}")
    match = _SUBJECT.match(text)
    if match is None:
        return Person("", "", text)
    theirs = _of_theirs(match)
    if theirs is not None and not _OFFICE.search(theirs[0]):
        after = _SAYS_OF.match(text, theirs.end())
        own = _as_own(text[after.end() :], bool(after["s"])) if after else text
        return Person(_kin(match), (after["n"] or "").lower() if after else "", own)
    return Person(_kin(match), (match["n"] or "").lower(), _as_own(text[match.end() :], bool(match["s"])))


def _as_own(said: str, possessive: bool) -> str:
    """What follows who it is, as they would say it; `possessive`: after "'s"."""
    rest = _THEY_ARE.sub("I am ", said)
    rest = _THEIR.sub("my", _THEY.sub(lambda found: f"I {_first_person(found['v'])}", rest))
    if possessive:
        return f"I am {rest}" if _IS.match(rest) else f"My {rest}"
    return "I " + _VERB.sub(lambda found: found["a"] + _first_person(found["v"]), rest)


def _first_person(verb: str) -> str:
    low = verb.lower().replace("’", "'")
    if low in _VERBS:
        return _VERBS[low]
    if low.endswith("ies") and len(low) > 4:
        return f"{low[:-3]}y"
    if re.search(r"(?:ss|sh|ch|x|zz)es$", low):
        return low[:-2]
    return low[:-1] if low.endswith("s") and not low.endswith("ss") else low


@lru_cache(maxsize=1024)
def whose(text: str) -> str:
    """Of which relative, friend or animal of the speaker it speaks, wherever they are named; empty for the speaker."""
    match = _KIN.search(text)
    return _kin(match) if match else ""


def persons_in(text: str) -> frozenset[str]:
    """Everybody close to the speaker whom it names: of "my neighbour's dog", the neighbour."""
    return frozenset(_kin(match).split(" of ")[-1] for match in _KIN.finditer(text))


def of_somebody_else_s(text: str, name: str) -> bool:
    """Whether "husband" in the text is not the speaker's, but their sister's, where the name is "my husband"."""
    who, chain = whose(name), whose(text).split(" of ")
    return bool(who) and " of " not in who and who in chain[:-1] and who != chain[-1]


def of_kin_alone(text: str) -> bool:
    """Whether it names one who is close to the speaker, and says nothing of them."""
    match = _KIN.match(text)
    return match is not None and match.end() == len(text.rstrip())


def _kin(match: re.Match[str]) -> str:
    groups = match.groupdict()
    found = next(groups[name] for name in _KIN_GROUPS if groups.get(name)).lower()
    chain = [found]
    if (theirs := _of_theirs(match)) is not None:
        chain += _THEIRS.findall((theirs["o"] or theirs["o2"]).lower())
    if (one := _ONE_OF.search(match.string, 0, match.start())) is not None:
        chain.append(one["o"].lower())
    return " of ".join(_SAME_KIN.get(who, who) for who in reversed(chain))


def _of_theirs(match: re.Match[str]) -> re.Match[str] | None:
    """The rest of "my mother's colleague", after one who is close to the speaker."""
    groups = match.groupdict()
    return _OF_THEIRS.match(match.string, match.end(next(name for name in _KIN_GROUPS if groups.get(name))))


@lru_cache(maxsize=1024)
def of_whom(text: str) -> str:
    """Of whom it speaks; not who is only with the speaker, or does something to what is the speaker's."""
    return whose(_without_doer(_WITH.sub(" ", text)))


def _without_doer(text: str) -> str:
    return _DOES_TO_ME.sub(lambda match: f"They {match['did']} " if match["did"] else "", text)


def named(text: str) -> set[str]:
    """The names, in small letters, of those close to the speaker, and of who does what it says."""
    found = {match["n"] or match["n2"] or match["n3"] for match in _NAMED.finditer(text)}
    first = _FIRST_NAME.match(text)
    found |= {first["n"] or first["n2"]} if first else set()
    return {name.lower() for name in found if name}


def in_full(text: str, other: str) -> str:
    """What says "Mia ..." as "my daughter Mia ...", if the other statement names one close to the speaker so."""
    kin = _KIN.search(other)
    if kin is None or _KIN.search(text):
        return text
    after = other[kin.end() :]
    if re.search(r"[\u4e00-\u9fff]", kin[0]):
        called = re.match(r"[^，。]{0,3}叫(\w{2,3})", after)
        name = called[1] if called else person_in(other).name
        return f"{kin[0]}{text}" if name and text.startswith(name) else text
    called = re.match(r",? (?:is )?(?:called |named )?([A-Z][\w-]+)", after)
    return f"My {_kin(kin)} {text}" if called and re.match(rf"{re.escape(called[1])}\b(?!['’])", text) else text


def of_one_close(text: str, other: str) -> bool:
    """Whether it says something of somebody whom the other statement names as close to the speaker."""
    if in_full(text, other) != text:
        return True
    named = _HAS.search(other)
    name = (named["n"] or named["n2"]) if named else None
    return name is not None and bool(re.match(rf"{re.escape(name)}(?![A-Za-z])", text))
