"""Of what a wish of how the assistant should answer or call somebody is: by which name, at which hours, on which days
or in which cases ("on Sundays", 周日, 工作上的问题), and what it forbids. A wish of one of them leaves the others as
they are, and the one for every case too. English and Chinese. Pure.
"""

from __future__ import annotations

import re
from functools import lru_cache

from localagent.courtesy import plain_zh
from localagent.statements import statement

_NO = r"(?:do not|don['’]?t|never|stop|not to|rather not)"
_WHAT = r"(?P<what>[^,.;:!?\n]{0,40})"
# Whoever many people call so tells by which name: not "my mum calls me Bunny".
_MANY = (
    r"\b(?:every(?:one|body)|people|folks?|they|(?:friends|family|colleagues|mates|co-?workers|neighbou?rs)\b)"
    r"[^,.;:!?\n]{0,24}?"
)
_CALL = re.compile(
    rf"\b(?P<no>{_NO} (?:\w+ ){{0,2}}?)?(?:(?:call(?:ing)?|(?<=you )called|address(?:ing)?|refer(?:ring)? to) me|"
    rf"be(?:ing)? called)\b(?: (?:as|by))? ?{_WHAT}",
    re.IGNORECASE,
)
_GOES_BY = re.compile(rf"(?:{_MANY}\bcalls me|\bI (?:\w+ )?go by)(?= [\"“‘']?(?-i:[A-Z])) {_WHAT}", re.IGNORECASE)
_IS_WHAT = re.compile(rf"^(?P<what>[\w'’-]{{1,24}}) is what (?:I (?:\w+ )?go by|{_MANY}\bcalls? me)\b", re.IGNORECASE)
# A doctor who 叫我戒烟 orders, and names nobody.
_CALL_ZH = re.compile(
    r"(?:^|[，。；！,;])(?:请|麻烦|拜托|算了|你|您|咱们?|我|都|就|也|还是?|只|可以|能不能|直接|以后|今后|往后|从[今现]\w{1,4}[起始后]|改口|"
    r"重新|继续|更|最|希望|喜欢|愿意|想要?|习惯|别人|人家|大伙儿?|大家|[^，。；我你您]{0,4}(?:朋友|同事|同学|邻居|家里?人|[店群]里人?|他们)们?|"
    r"一般|平时|平常|一直)*+(?P<no>(?:别|不要|不用|不许|不准|少)[^，。；我]{0,8}?)?(?:(?:叫|称呼|喊)我(?:为|做)?|管我叫)"
    r"(?P<what>[^，。；！!,.;\n]{0,12})"
)
_NAMED = re.compile(
    r"\bmy (?:\w+ )?name\b|\bI(?:['’]m| am) (?-i:[A-Z])|(?<!管)我(?:的名字|姓|是|叫(?!我))", re.IGNORECASE
)
# Not by a name: to ring, to wake, to fetch.
_RINGS = re.compile(
    r"^(?:$|(?:before|after|at|on|between|in|during|when|while|if|late|early|back|every|tomorrow|today|tonight|again|any|"
    r"that|this|it|names|the|my|for|out|off|as|from|until|till|by|about|with|next|unless|so|over|to|first|"
    r"an? (?:cab|taxi)|\d|more than|twice|once|up)\b)"
    r"|^(?:起|醒|吃|出|一声|去|来|做|看|下|回|上[班课学]|们|$)",
    re.IGNORECASE,
)
_AFTER_NAME = re.compile(
    r" (?:when|while|in|at|on|any ?more|please|instead|now|these days|mostly|usually|not|over|"
    r"from|again|but|and|because|as|ever|for|if|to|though)\b.*$|"
    r"[了吧啦呀啊就行好]+$",
    re.IGNORECASE,
)
_ANSWERS = r"(?:answer|repl(?:y|ie)|respon[ds]|writ|talk|speak|explain)\w*"
_OF_ANSWERS = re.compile(
    rf"^(?:(?:please|always|just|could you|can you|would you|from now on|i(?:['’]d)? (?:want|like|prefer) (?:you to )?|"
    rf"you (?:can|may|should|must)|{_NO}|make|keep|give|use|be)[, ]+)*(?:your |me )?(?:short |long )?{_ANSWERS}\b|"
    rf"^(?:please |always |{_NO} )*(?:use|keep|be|give|make)\b|"
    r"回[答复]|[跟和对]我[说讲]|答案|表情|列表|感叹号",
    re.IGNORECASE,
)
_FORBIDS = re.compile(
    rf"^(?:please |also |and )*{_NO} (?:ever )?(?:use|using|give|giving|write|writing|add|adding|put|putting|"
    r"suggest\w*|mention\w*|recommend\w*)\b(?: (?:me|any))*(?P<o>[^,.;:!]{2,40})|"
    r"(?:^|[，,])(?:请|以后|今后|你|也)*(?:别|不要)(?:再|总是?|老是?)?(?:给我)?"
    r"(?:用|写|加|提|推荐|使用|带)(?P<o2>[^，。；！了]{1,12})",
    re.IGNORECASE,
)
# In every case: 回答的时候.
_ANY_CASE = re.compile(
    rf"\b(?:when(?:ever)?|if|while|in|with) (?:you(?:['’]re| are)? |your |writing |the )?{_ANSWERS}(?: (?:to )?me)?\b|"
    r"[回答复说写讲话]+(?:我|问题)?(?:的时候|时)",
    re.IGNORECASE,
)
_DAY = r"(?:mon|tues|wednes|thurs|fri|satur|sun)days?"
_CASE = re.compile(
    rf"\b(?:on|at|during|over|in) (?:the )?(?:{_DAY}(?: (?:mornings?|evenings?))?(?: and {_DAY})?|weekends?|weekdays|"
    r"work|night|school|home|holidays|mornings?|evenings?|e-?mails?|meetings?|letters?|code|documents?|reports?|"
    r"work (?:messages|emails|chats))\b|"
    r"\b(?:when|whenever|if|while|unless|about) [^,;.]{3,40}|"
    r"(?:周|星期|礼拜)[一二三四五六日天末]|工作日|节假日|周末|[早晚]上|上班时?|在(?:公司|单位|学校|家)(?:里|时)?|"
    r"[^，。用请我你]{1,8}?(?:上|方面|相关|里)的(?:问题|事情?)|[^，。用请我你]{1,6}(?:的时候|时(?!间|候))|"
    r"(?:邮件|代码|文档|报告|会议)[里中上]?|如果[^，。]{2,10}",
    re.IGNORECASE,
)


@lru_cache(maxsize=1024)
def _calls(text: str) -> tuple[tuple[bool, str], ...]:
    """How it wishes to be called, or not to be; no name where that is to ring or to wake."""
    found = []
    text = plain_zh(text)
    asks = (*_CALL.finditer(text), *_CALL_ZH.finditer(text))
    for match in (*asks, *_GOES_BY.finditer(text), *_IS_WHAT.finditer(text)):
        what = match["what"].strip()
        name = "" if _RINGS.search(what) else _AFTER_NAME.sub("", what).strip(" '\"“”‘’").lower()
        found.append((bool(match.groupdict().get("no")), name))
    return tuple(found)


def names_called(text: str, *, denied: bool) -> frozenset[str]:
    """The names, in small letters, by which it wishes to be called, or not to be where `denied`."""
    return frozenset(name for no, name in _calls(text) if name and no == denied)


def calls_alone(text: str) -> bool:
    """Whether it wishes how to be called, and does not tell a name beside."""
    return any(name for _, name in _calls(text)) and not _NAMED.search(text)


def calls_anew(text: str, other: str) -> bool:
    """Whether the newer one says by which name to be called in the older one's place, whatever else they tell of it."""
    return calls_alone(text) and calls_alone(other) and not of_other_wishes(text, other)


def _called_otherwise(text: str, other: str) -> bool:
    """Whether one wishes a name and the other is of something else, as of an hour; or what the one forbids is not what
    the other one says, or one is for a case."""
    said, before = _calls(text), _calls(other)
    if not said or not before:
        return calls_alone(text) or calls_alone(other)
    if not any(name for _, name in said) or not any(name for _, name in before):
        return any(name for _, name in (*said, *before))
    if case_of(text) != case_of(other):
        return True
    wished, wished_before = names_called(text, denied=False), names_called(other, denied=False)
    if wished and wished_before:
        return False
    every, every_before = {name for _, name in said}, {name for _, name in before}
    return not every & every_before


def answered(text: str) -> str:
    """The wish without "when you answer me", which is every case."""
    return _ANY_CASE.sub(" ", text).strip()


@lru_cache(maxsize=1024)
def case_of(text: str) -> frozenset[str]:
    """For which days or cases alone a wish is, in words of no order; empty for every case."""
    found: set[str] = set()
    for case in _CASE.finditer(answered(text)):
        said = statement(case[0])
        found.update((*said.content, *said.days, *said.numbers) or (case[0].lower(),))
    return frozenset(found)


@lru_cache(maxsize=1024)
def _forbidden(text: str) -> frozenset[str]:
    """What a wish of answers says not to do, in words of no order."""
    forbids = _FORBIDS.search(answered(text))
    return statement(forbids["o"] or forbids["o2"]).content if forbids else frozenset()


def of_other_wishes(text: str, other: str) -> bool:
    """Whether both wish how to be answered or called, the newer one for a case that the older one is not of, or by
    another name: both hold."""
    if _called_otherwise(text, other):
        return True
    said, before = _forbidden(text), _forbidden(other)
    if said and before and not said & before:
        return True
    if not (_OF_ANSWERS.search(text) and _OF_ANSWERS.search(other)):
        return False
    case = case_of(text)
    return bool(case) and not case & case_of(other)
