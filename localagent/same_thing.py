"""Whether two statements speak of the very same thing: what stands before their verb names what they speak of, and a
number there is a part of its name ("Building 3", "第2章"), not a value.

Pure. By the words alone: where the two have no verb in common, or one only says less than the other, nothing is told
apart here.
"""

from __future__ import annotations

import re
from collections.abc import Callable

from localagent.bygone import of_another_time
from localagent.companions import does_it_alone
from localagent.contrasts import of_another_value
from localagent.facets import of_another_journey
from localagent.owners import of_another_person
from localagent.several import adds_another
from localagent.sides import befalls, of_other_sides, only_of_age, only_of_age_to_come, only_saves_for
from localagent.statements import Statement, statement
from localagent.which_one import of_another_one
from localagent.wished import of_other_wishes

# Words of a subject; a longer beginning is no subject.
MOST_WORDS = 8
MOST_CHARACTERS = 16

_WORD = re.compile(r"[^\s,;:.!?()\"“”]+")
_VERB = re.compile(
    r"(?:is|are|was|were|has|have|had|will|would|can|could|must|should|may|does|did|runs?|holds?|lives?|uses?|costs?|"
    r"opens?|needs?|goes|starts?|ends?|closes?|belongs?|contains?|stores?|keeps?|stands?|starts?|works?|plays?|means?|"
    r"moved|changed|turns?|[a-z]{3,}[^s\W]s|[a-z]{3,}ed)",
)
# Of whom, others say.
_PERSON = re.compile(r"\b(?:i|we|you|he|she|they|it|this|that|these|those|there|let|please|don't|do)\b", re.IGNORECASE)
_ASIDE = re.compile(r"^(?:remember|note|correction|update|actually|sorry|no|wait|so|and|ok|okay|well|by the way)[,:]? ")
_VERB_ZH = re.compile(r"[是在有放讲叫装存归用住管写教开关卖走停到为]|改|推迟|提前|取消|需要|属于|喜欢")
_PERSON_ZH = re.compile(r"[我你您他她它咱]|^(?:这|那|请|别|不|今后|以后)")
_DATE_UNITS = frozenset("月 日 号 点 时 周 年 岁 半 分".split())
# When something is done is no name: 面馆六点开门.
_CLOCK_ZH = re.compile(
    r"^从[^，。]{1,5}?(?:起|开始)|(?:早上|上午|中午|下午|晚上)?[\d一二两三四五六七八九十]{1,3}点(?:半|"
    r"[\d一二三四五六七八九十]{1,3}分?)?"
)
_LABELLED = re.compile(
    r"^\W*(?P<what>[A-Za-z][A-Za-z ]{1,24}?|[\u4e00-\u9fff]{1,6}) ?#?"
    r"(?P<n>\d{1,4}|[A-Z]|[一二三四五六七八九十]+)\s*[:：](?!\d)"
)
# Not 号, which may be a day.
_NUMBERED_ZH = re.compile(
    r"^(?:我们?的?|公司的?)?第?(?P<n>[\d一二三四五六七八九十百]+)"
    r"(?P<what>楼|层|章|节|栋|座|室|班|组|单元|期|版|条|季|课|页|店|厂|区|车间|排|路|号线)"
)


def of_different_things(text: str, other: str) -> bool:
    """Whether the two name different things before the same verb ("the front door's code is ...", "the back door's
    code is ..."), or bear different numbers before a colon ("Rule 1: ...")."""
    for pattern in (_LABELLED, _NUMBERED_ZH):
        label, before = pattern.match(text), pattern.match(other)
        if label and before and label["what"].lower() == before["what"].lower() and label["n"] != before["n"]:
            return True
    chinese = bool(re.search(r"[\u4e00-\u9fff]", text))
    if chinese != bool(re.search(r"[\u4e00-\u9fff]", other)):
        return False
    one, two = (_subjects_zh if chinese else _subjects)(text, other)
    if one is None or two is None:
        return False
    if _within(one, two) or _within(two, one):
        return False
    # Of the same names, in one another's place, another rule decides.
    return _named(statement(text)) != _named(statement(other))


def _within(one: Statement, other: Statement) -> bool:
    return _named(one) <= _named(other)


def _named(subject: Statement) -> frozenset[str]:
    return frozenset((*subject.content, *subject.numbers, *subject.days))


def _subjects(text: str, other: str) -> tuple[Statement | None, Statement | None]:
    """What stands before the first verb that both have."""
    texts = [_ASIDE.sub("", one.lower().replace("’", "'").strip()) for one in (text, other)]
    words = [_WORD.findall(one)[: MOST_WORDS + 1] for one in texts]
    verb = next((word for word in words[0][1:] if word in words[1][1:] and _VERB.fullmatch(word)), None)
    if verb is None:
        return None, None
    return _subject(" ".join(words[0][: words[0].index(verb, 1)])), _subject(
        " ".join(words[1][: words[1].index(verb, 1)])
    )


def _subject(text: str) -> Statement | None:
    said = statement(text)
    return None if _PERSON.search(text) or not said.content else said


def _subjects_zh(text: str, other: str) -> tuple[Statement | None, Statement | None]:
    verb = next((match[0] for match in _VERB_ZH.finditer(text) if match.start() and match[0] in other[1:]), None)
    if verb is None:
        return None, None
    return _subject_zh(text[: text.index(verb, 1)]), _subject_zh(other[: other.index(verb, 1)])


def _subject_zh(text: str) -> Statement | None:
    said = statement(_CLOCK_ZH.sub(" ", text))
    if len(text) > MOST_CHARACTERS or _PERSON_ZH.search(text.strip()) or re.search(r"[，。；：,]", text):
        return None
    return said if said.content - _DATE_UNITS else None


# "a machine called atlas", 一台叫秦岭: one of several.
_CALLED = re.compile(
    r"\b(?:an?|the|one|our|another|second|third) (?:(?!(?:is|are|was|be)\b)[\w-]+ ){1,3}(?:called|"
    r"named) (?P<n>[A-Za-z][\w-]*)"
    r"|[一另][^，。,叫名]{0,4}[，,]?(?:名字?)?叫做?(?P<n2>[\u4e00-\u9fff]{2,3}|[A-Za-z][\w-]*)",
    re.IGNORECASE,
)
_NOT_THAT_ONE = re.compile(
    r"\b(?:not to be confused with|nothing to do with|not the same as)\b|(?:别|不要)[和跟与].{1,10}(?:搞混|弄混|混淆)",
    re.IGNORECASE,
)


def called(text: str) -> set[str]:
    """The names, in small letters, by which it brings in one of several ("a machine called atlas")."""
    return {(one["n"] or one["n2"]).lower() for one in _CALLED.finditer(text)}


def called_otherwise(text: str, other: str) -> bool:
    """Whether each names what it speaks of, and not alike, or the newer says that it is not what it sounds like."""
    names, others = called(text), called(other)
    return bool(names and others and not names & others) or bool(_NOT_THAT_ONE.search(text))


_CALLS_ITSELF = re.compile(
    r"(?:I['’]m|I am|[Mm]y name(?: is|['’]s)) (?P<n>[A-Z][\w'-]+)$|我(?:是|叫)(?P<n2>[\u4e00-\u9fff]{1,3})$",
)
_FULL_NAME = re.compile(
    r"\b(?:I['’]m|I am|[Mm]y (?:full )?name(?: is|['’]s)|called) (?P<n>[A-Z][\w'-]+(?: [A-Z][\w'-]+){1,3})"
    r"|我(?:是|叫)(?P<n2>[\u4e00-\u9fff]{2,4})"
)


def only_a_part_of_the_name(text: str, other: str) -> bool:
    """Whether somebody says a part of the name by which they are known: "I'm Ruth", of "Ruth Calloway"."""
    short, full = _CALLS_ITSELF.match(text.strip(" .。!！")), _FULL_NAME.search(other)
    if short is None or full is None:
        return False
    if short["n"]:
        return bool(full["n"]) and short["n"] in full["n"].split(" ")
    return bool(full["n2"]) and full["n2"] != short["n2"] and full["n2"].endswith(short["n2"])


_VEHICLE = r"(?:train|flight|bus|ferry|plane|coach)"
_VEHICLE_ZH = r"(?:飞机|火车|高铁|动车|航班|大巴|班车|船|[车机船]票)"
_GOES = r"(?:driv|fly|flies|go|goes|com|travel|head|sail)(?:e|es|s|ing)?"
_JOURNEY = re.compile(
    rf"\b{_VEHICLE}\b|\b{_GOES} to (?-i:[A-Z])|\b{_GOES} (?:out|there)\b|\boutbound\b|\bthe way (?:there|out)\b|去程|"
    rf"{_VEHICLE_ZH}|[飞开坐][^，。的]{{0,6}}?[去过到]",
    re.IGNORECASE,
)
_BACK = re.compile(
    rf"\b{_VEHICLE} (?:back|home)\b|\breturn (?:{_VEHICLE}|trip|leg|journey)\b|\binbound\b|\bthe way (?:back|home)\b|"
    rf"\b{_GOES} (?:back|home)\b(?! to\b)|"
    rf"[返回]程|[飞开坐][^，。的]{{0,6}}?回[来去家]|回(?:来|去|家|[^，。的]{{1,6}})的{_VEHICLE_ZH}",
    re.IGNORECASE,
)
_TO = re.compile(
    rf"\b{_VEHICLE} to (?P<p>(?-i:[A-Z])\w+)|[去到飞往](?P<p2>[^，。的]{{2,4}})的{_VEHICLE_ZH}", re.IGNORECASE
)
_FROM = re.compile(
    rf"\b{_VEHICLE} from (?P<p>(?-i:[A-Z])\w+)(?! to\b)|"
    rf"从(?P<p2>[^，。的]{{2,4}}?)(?:回来?|飞|出发|来)?的{_VEHICLE_ZH}",
    re.IGNORECASE,
)


def of_the_other_way(text: str, other: str) -> bool:
    """Whether one is of the way there, the other of the way back."""
    back, before = bool(_BACK.search(text)), bool(_BACK.search(other))
    if back != before:
        return bool(_JOURNEY.search(other if back else text))
    return _place(_TO, text) & _place(_FROM, other) != set() or _place(_FROM, text) & _place(_TO, other) != set()


def _place(way: re.Pattern[str], text: str) -> set[str]:
    return {(one["p"] or one["p2"]).lower() for one in way.finditer(text)}


# Each of the newer statement and the older one: whether the newer one is of other people or things, of another side of
# somebody's life, of what only happened to something, or of one more thing of which the same is so.
_ANOTHER: tuple[Callable[[str, str], bool], ...] = (
    of_another_person,
    of_another_one,
    of_another_time,
    of_other_wishes,
    does_it_alone,
    called_otherwise,
    of_the_other_way,
    only_a_part_of_the_name,
    of_another_journey,
    only_of_age,
    only_of_age_to_come,
    of_other_sides,
    befalls,
    only_saves_for,
    adds_another,
    of_another_value,
)


def speaks_of_another(text: str, other: str) -> bool:
    """Whether the newer one, `text`, corrects nothing of the other one, whatever their words have in common."""
    return any(another(text, other) for another in _ANOTHER)
