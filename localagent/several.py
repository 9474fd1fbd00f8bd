"""What holds of several things at once: somebody likes, can play, is allergic to, has fallen ill with or is told by
the doctor one thing beside another ("I can play the piano", "I can play the violin"; 对鸡蛋过敏, 对尘螨过敏). Said of
another thing, it adds to what was said before, unless it says that this is over or is changed. English and Chinese.
Pure.
"""

from __future__ import annotations

import re
from functools import lru_cache

from localagent.changes import SO_NOW
from localagent.sides import sides
from localagent.slots import slot_of
from localagent.statements import statement, stem
from localagent.wished import names_called

# A longer object is a story of its own.
_OBJECT = r"(?P<o>[^,;:，。；：？?]{1,60})"
# That the older one is over or changed, or is the only one.
_INSTEAD = re.compile(
    rf"\b(?:{SO_NOW}|rather|only|just|switch\w*|chang\w*|"
    r"replac\w*|stopped|quit|prefer\w*|favou?rite|most|best|again|back to|used to|after all|actually|meant|wrong)\b"
    r"|不再|改|换|只|现在|最|又|其实|说错|记错|更|而是|才|了[。！!]?$",
    re.IGNORECASE,
)
# Who does as the doctor says: 我不吃辣了.
_OBEYS = re.compile(
    r"^(?:I|we) (?:don['’]t|do not|never|no longer) (?:eat|drink|smoke|touch)\b|^我?[^，。又能]{0,3}(?:不(?!用|需|必)|"
    r"戒)[吃喝抽碰]?"
)
_SUBJECT = r"^[^,;:]{1,40}?(?<!would)(?<!['’]d) "
_ARE = r"(?:['’](?:m|s|re)|am|is|are)"
_OFTEN = r"(?:also |really |very |a bit |quite |severely |always |both )*"
_WHO_ZH = r"^[^，。；不没别]{0,10}?"
_ILL_ZH = r"^[^，。；不没别]{1,10}?(?:有|得了?|患有?)"
_DOCTOR = r"(?:doctors?|gp|dr\.? \w+|dentist|nurse|physio\w*|consultant|cardiologist|dietician|coach|trainer)"
_DOCTOR_ZH = r"(?:牙医|中医|医生|大夫|主任|营养师|护士|医嘱|教练|理疗师|康复师)[^，。]{0,2}"
# What is so of one, is so of another as well, where both are of one of these sorts.
_SORTS: dict[str, re.Pattern[str]] = {
    name: re.compile(pattern, re.IGNORECASE)
    for name, pattern in (
        (
            "skill",
            rf"{_SUBJECT}{_OFTEN}can (?:also )?(?!not\b|be\b|we\b){_OBJECT}$"
            rf"|{_WHO_ZH}(?:也|都)*会(?![议员计场长去来在到被让把给有是]|儿){_OBJECT.replace('<o>', '<o2>')}$",
        ),
        (
            "liking",
            rf"(?:{_SUBJECT}{_OFTEN}(?:like|love|enjoy|adore|collect|own)s? |"
            rf"^[^,;:]{{1,40}}?(?: |(?=['’])){_ARE} {_OFTEN}(?:fond of|into|keen on|interested in|good at|fluent in|"
            rf"a (?:big |huge )?fan of) ){_OBJECT}$"
            rf"|{_WHO_ZH}(?:也|很|都|特别|非常)*(?:喜欢|热爱|爱(?=[吃喝看听玩]))"
            rf"{_OBJECT.replace('<o>', '<o2>')}$",
        ),
        (
            "disliking",
            rf"(?:{_SUBJECT}{_OFTEN}(?:(?:hate|dislike|loathe|detest|avoid|fear)s? |(?:can['’]?t|cannot|can not) "
            rf"(?:eat|drink|stand|tolerate|bear|have) |(?:doesn['’]t|don['’]t|do not|does not|won['’]t|never) {_OFTEN}"
            rf"(?:eat|drink|like|touch)s? )|^[^,;:]{{1,40}}?(?: |(?=['’])){_ARE} {_OFTEN}"
            rf"(?:allergic to|intolerant (?:to|of)|scared of|afraid of|terrified of) ){_OBJECT}$"
            rf"|^[^，。；]{{0,10}}?对(?P<o2>[^，。；]{{1,12}})过敏$"
            rf"|^[^，。；没别]{{0,10}}?(?:不(?:能|可以|太|怎么|敢)?(?:吃|喝|碰|喜欢|爱)|讨厌|害怕|怕)"
            rf"{_OBJECT.replace('<o>', '<o3>')}$",
        ),
        (
            "illness",
            rf"^[^,;:]{{1,40}}?(?: (?:also )?(?:has|have|suffers? from)|['’](?:ve|s) got|(?:was|were) diagnosed with) "
            rf"{_OBJECT}$|{_ILL_ZH}{_OBJECT.replace('<o>', '<o2>')}$",
        ),
        (
            "taking",
            rf"{_SUBJECT}{_OFTEN}(?:takes?|eats?|drinks?) (?!the |an? |to |my |care|place|part|after|turns){_OBJECT}$"
            rf"|{_WHO_ZH}(?:每[天日早晚]|天天|一直|[正还]?在)[^，。；不没吃喝]{{0,4}}(?:[吃服]用?|喝)(?!饭|早|午|晚)"
            rf"{_OBJECT.replace('<o>', '<o2>')}$|{_WHO_ZH}[吃服]用?(?P<o3>[^，。；]{{1,8}}药)$",
        ),
        (
            "advice",
            rf"^(?:my|the|our|\w+['’]s) {_DOCTOR} (?:has |just |also )*(?:told|advised|asked|wants|ordered) "
            rf"(?:me|him|her|us|that i|i)(?: to)? {_OBJECT}"
            rf"|^{_DOCTOR_ZH}(?:让|叫|喊|建议|嘱咐|要求|劝|要|说)[我他她](?!的|已|没|"
            rf"现){_OBJECT.replace('<o>', '<o2>')}",
        ),
        (
            "wish",
            rf"^(?:please,? |and |also )*(?:don['’]t|do not|never) {_OBJECT}"
            rf"|(?:^|[，,])(?:请|以后|今后|你|每次|回[答复]?|我|的?时候|消息|[结末]尾|里)*(?:别|不要)(?:再|总是?|"
            rf"老是?)?{_OBJECT.replace('<o>', '<o2>')}",
        ),
    )
}
# Of these, one wish may be the opposite of another: short answers, long ones.
_WISHED = frozenset(("liking", "disliking", "wish"))
# Done with whatever it is, and how much or when of it.
_ANY = frozenset(
    stem(word)
    for word in "play speak cook bake ride drive read make do eat drink take have get stop start avoid cut reduce less "
    "more fewer lot daily twice once day night morning evening food foods music films movies games books dishes pills "
    "tablets tablet pill allergy disease problems condition languages use write give send keep down".split()
)
_AMOUNT_ZH = re.compile(
    r"每[天日]|[一二两三四五六七八九十百半\d]{1,6}(?:毫克|微克|[片粒颗次个顿回杯克点些])|早上|晚上|睡前|饭[前后]|"
    r"[的地我你\s]"
)
_ANY_ZH = re.compile(r"[多少吃喝看听玩打弹拉吹做开说讲跳唱写画学服戒忌用给把点些]")
_HEAD_ZH = re.compile(r"的([^的]+)$")


def adds_another(text: str, other: str) -> bool:
    """Whether the newer one says of another thing what the older one says of one, and nothing against that."""
    if _orders_and_names(text, other) or _orders_and_names(other, text):
        return True
    if _INSTEAD.search(text):
        return False
    told, before = _told(text), _told(other)
    if not any(sort == sort_before and _unlike(one, two) for sort, one in told for sort_before, two in before):
        return False
    if any(sort == sort_before and not _unlike(one, two) for sort, one in told for sort_before, two in before):
        return False
    if not any(sort in _WISHED for sort, _ in told):
        return True
    slot, slot_before = slot_of("preference", text), slot_of("preference", other)
    return slot is None or slot_before is None or slot.name != slot_before.name


def _orders_and_names(text: str, other: str) -> bool:
    """Whether one tells what a doctor orders, 医生叫我忌口, and the other one by which name to call the speaker."""
    orders = any(sort == "advice" for sort, _ in _told(other))
    if not orders or any(sort == "advice" for sort, _ in _told(text)):
        return False
    return bool(names_called(text, denied=False)) or _OBEYS.search(text) is not None


@lru_cache(maxsize=1024)
def _told(text: str) -> tuple[tuple[str, str], ...]:
    """The sort of what it says, and of what."""
    plain = text.strip(" .。!！")
    found: list[tuple[str, str]] = []
    for name, pattern in _SORTS.items():
        match = pattern.search(plain)
        if match is None:
            continue
        thing = next(value for value in match.groups() if value)
        if name != "illness" or "illness" in sides(thing):
            found.append((name, thing))
    return tuple(found)


def _unlike(one: str, other: str) -> bool:
    """Whether two objects are of different things: not one of them a part or an amount of the other."""
    if one.isascii() != other.isascii():
        return False
    if one.isascii():
        said, before = statement(one).content - _ANY, statement(other).content - _ANY
        return bool(said and before) and not said & before
    head, head_before = _HEAD_ZH.search(one), _HEAD_ZH.search(other)
    if head and head_before and head[1] == head_before[1]:
        return False
    things = [_AMOUNT_ZH.sub("", thing) for thing in (one, other)]
    named, named_before = (set(_ANY_ZH.sub("", thing) or thing) for thing in things)
    return bool(named and named_before) and not (named <= named_before or named_before <= named)
