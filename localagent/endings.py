"""What is over with what somebody says: a study with the graduation, work with the notice, a debt that is paid off, a
pregnancy with the birth, a place that has closed, one medicine with the next; and what `alterations` knows. English and
Chinese. Pure.

Both statements are read as the one of whom they are would make them (`persons`), so that one pattern is for all.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import lru_cache

from localagent.alterations import alters
from localagent.changes import works_beside
from localagent.owners import NOBODY, owner
from localagent.persons import in_full, person_in
from localagent.sides import MEDICINE, MEDICINE_ZH
from localagent.statements import statement
from localagent.which_one import of_another_one

_HAVE = r"(?:['’]ve |have |had )?(?:(?:just|now|finally|recently|already|sadly|officially|at last) )*"
_I = rf"\b(?:I|we) ?{_HAVE}"
_BE = rf"(?:['’](?:m|s|re) |(?:am|is|are|was|were|got|get|has been|have been|been) ){_HAVE}"
_I_WAS = rf"\b(?:I|we) ?{_HAVE}{_BE}"
_ZH = r"^(?:我们?)?[^，。的]{0,8}?"
_COURSE = (
    r"(?:stud(?:y|ies)|(?:(?:university|law|medical|high|secondary|primary|nursing|art|business|drama) )?school|"
    r"uni(?:versity)?|college|ph\.?d|doctorate|(?:(?:master|bachelor)['’]?s? )?(?:degree|course)|master['’]?s|"
    r"bachelor['’]?s|apprenticeship|a-levels|kindergarten|nursery)"
)
_LOAN = r"(?:loan|mortgage|debts?|overdraft|credit card)"
_CHILD = r"(?:baby|boy|girl|son|daughter|twins?|triplets|little one)"
_NO_MORE = (
    r"(?:clos(?:ed|ing) (?:down|for good|permanently)|shut (?:down|for good)|(?:went|gone|going) (?:bust|under|"
    r"bankrupt|out of business))"
)


@dataclass(frozen=True, slots=True)
class _Ending:
    """`over` says that it is over, and names in `o`, if it does, what; `state` what is so until then. `bare`: of what
    both are even if that is not said."""

    over: re.Pattern[str]
    state: re.Pattern[str]
    bare: frozenset[str] = frozenset()


def _ending(over: str, state: str, bare: str = "") -> _Ending:
    return _Ending(re.compile(over, re.I), re.compile(state, re.I), frozenset(bare.split()))


_STUDY = _ending(
    rf"{_I}(?:graduated(?! from (?!(?:the |my )?(?:uni|college|school|(?-i:[A-Z]))))|(?:finished|completed|left|quit|"
    rf"dropped out of) (?:(?:my|the|our) )?(?P<o>(?:[\w-]+ ){{0,2}}?{_COURSE})\b(?! (?:work|run|early|at|for)))"
    rf"|{_ZH}(?:(?<!驾校)毕业|退学|休学|辍学)了",
    rf"\bI ?(?:study|do (?:an? |my ){_COURSE}|(?:am|'m) (?:\w+ )?(?:studying|doing (?:an? |my ){_COURSE})|(?:attend|"
    rf"go to|(?:am|'m) (?:at|in)) (?:[\w-]+ ){{0,3}}{_COURSE}\b)|\ban? (?:[\w-]+ )?student\b|"
    r"上学|读书|念书|[上读念](?:的?是?)(?:小学|初中|高中|中学|大学|本科|大专|研究?生?|博士?|硕士?|"
    r"[大研博高初][一二三四])|"
    r"大学生|研究生|博士生|在读",
    "study studi univers university uni colleg college school degre degree cours 学 业 大 上 读",
)
_WORK = _ending(
    rf"{_I_WAS}(?:laid off|made redundant|fired|sacked|dismissed|retired|out of work|unemployed)\b|"
    rf"{_I}(?:retired(?! to)|resigned|(?:took|gone into|went into) (?:early )?retirement|(?:lost|quit|left) (?:my|our) "
    rf"(?P<o>(?:[\w-]+ ){{0,3}}?jobs?\b(?: (?:at|in|with) [^,;.]{{2,30}})?))"
    rf"|{_ZH}(?:退休|下岗|失业|被(?:裁员?|辞退|开除|炒)|辞职|离职)了|"
    r"^我?(?:的)?(?P<o2>[^，。]{0,8}?(?:工作|兼职|饭碗))(?:弄|给)?丢了",
    r"\b(?:have|got|do|my) (?:(?:an?|two|my) )?(?:[\w-]+ ){0,3}?jobs?\b|\bI ?(?:am |'m )?(?:(?:work|teach)(?:ing)?|"
    r"manage|run an?)\b|(?:^|[，。在])[^，。骑坐开走乘搭]{0,12}上班|(?<!找)工作|任职|就职|兼职|教书|"
    r"当(?:老师|医生|护士|司机|厨师|会计)",
    "job work 作 工 兼 职 饭 碗",
)
_DEBT = _ending(
    rf"{_I}(?:paid off|paid back|repaid|cleared|settled) (?:(?:my|our|the|all|of|both) )*(?P<o>[^,;.]{{2,40}}?)"
    rf"(?: in full)?$|{_I}paid (?:my |our |the )?(?P<o2>[^,;.]{{2,30}}?) back\b|"
    rf"\b(?:my|our|the) (?P<o3>(?:[\w-]+ ){{0,3}}?{_LOAN}) {_BE}(?:all |fully )?"
    r"(?:paid off|repaid|paid back|cleared|settled|gone)\b"
    r"|(?:^|[我把])(?P<o4>[^，。我把]{1,10}?)(?:我|终于|已经|总算|都|全部?)*(?:还清|还完|结清|付清)了?",
    rf"\b{_LOAN}\b|\bowe\b|贷|欠|债|借",
    "debt money 贷 款 钱 债 欠 的",
)
_BIRTH = _ending(
    rf"(?:{_I}|\bI and \w+ {_HAVE})(?:gave birth|given birth|(?:had|welcomed) (?:an? |my |our |"
    rf"the )?(?:[\w-]+ )?{_CHILD}\b"
    rf"(?! (?:shower|scan|sitter|photo|shopping)))|{_ZH}生了(?=$|[，,个对]|[^，。]{{0,3}}[男女儿])",
    r"\b(?:pregnant|expecting (?:an? |our |my )?(?:baby|twins|boy|girl|child))\b|怀孕|怀上|预产|待产",
)
_CLOSED = re.compile(
    rf"^(?:the|our|my) (?P<o>[\w' -]{{2,40}}?) (?:(?:has|have|is|are|was|had|just|now|finally) ){{0,3}}{_NO_MORE}"
    r"|^(?:我们?|那|这|附近)?(?:的?[家个间所])?(?P<o2>[^，。]{2,14}?)(?:已经|突然|上个?[周月]|昨天|最近)?(?:倒闭|停业|"
    r"关张|不开|"
    r"永久关[门闭])了",
    re.IGNORECASE,
)
_THERE = re.compile(r"\b(?:to|at|in|from)\b|[在去到]", re.IGNORECASE)
_NEXT_MEDICINE = re.compile(
    rf"\b(?:switch|chang|mov|put|went)\w*(?: (?:me|him|her|them|us))?(?: over)? (?:from [^,;.]{{2,30}} )?"
    rf"(?:on|to|onto) (?:[^,;.]{{0,20}} )?{MEDICINE}\b|"
    rf"[改换](?:为|成|用|吃|服|打|喝|到)+了?[^，。]{{0,4}}?{MEDICINE_ZH}",
    re.IGNORECASE,
)
_MEDICINE = re.compile(rf"{MEDICINE}\b|{MEDICINE_ZH}", re.IGNORECASE)
# What is not so, or not yet, or was so in a year that may be long gone.
_NOT_NOW = re.compile(
    r"\b(?:if|might|(?-i:may)|will|going to|almost|nearly|not|never|until|before|should|want(?:s|ed)?|"
    r"(?:19|20)\d\d)\b|n['’]t\b|没|不(?!开)|如果|差点|要是|[想快]|打算|(?:19|20)\d\d",
    re.IGNORECASE,
)
_LIVES_BY = re.compile(r"\b(?:live|lives|living|near|next to|opposite|behind)\b|住|旁边|对面|附近", re.IGNORECASE)
# "Lost my job": who says it is left out.
_NOBODY_SAID = re.compile(r"^(?!(?:I|We|My|Our|The)\b)(?P<v>[A-Z])(?=[a-z]+ )")


def ends(text: str, other: str) -> bool:
    """Whether the newer one says that something is over that the older one says to be so."""
    if alters(text, other):
        return True
    if _NOT_NOW.search(text) or of_another_one(text, other):
        return False
    if _closes(text, other):
        return True
    if not _of_one(text, other):
        return False
    own, before = _own(in_full(text, other)), _own(other)
    return any(_is_over(ending, own, before) for ending in (_STUDY, _WORK, _DEBT, _BIRTH))


def takes_instead(text: str, other: str) -> bool:
    """Whether one is on another medicine now than the one that the older one says that they take: it takes the place of
    that, if they take no other."""
    taken, before = _NEXT_MEDICINE.search(text), {match[0].lower() for match in _MEDICINE.finditer(other)}
    if taken is None or not before or _NOT_NOW.search(text) or not _of_one(text, other):
        return False
    return not any(name in taken[0].lower() for name in before)


def _of_one(text: str, other: str) -> bool:
    """Whether both are of the speaker, or of the same one close to them."""
    full = in_full(text, other)
    person, before = person_in(full), person_in(other)
    if person.who or before.who:
        return person.who == before.who and (not person.name or not before.name or person.name == before.name)
    return all(one.speaks or one == NOBODY for one in (owner(text), owner(other)))


@lru_cache(maxsize=256)
def _own(text: str) -> str:
    """As they would say it of themselves."""
    own = person_in(text).own.replace("’", "'").strip(" .。!！")
    return _NOBODY_SAID.sub(lambda found: f"I {found['v'].lower()}", own)


def _is_over(ending: _Ending, own: str, before: str) -> bool:
    match = ending.over.search(own)
    if match is None or ending.over.search(before) or not ending.state.search(before):
        return False
    named = _named_by(match) - ending.bare
    if ending is _WORK and not named and works_beside(own) != works_beside(before):
        return False  # the weekend job, or the other one
    return named <= statement(before).content


def _named_by(match: re.Match[str]) -> frozenset[str]:
    return statement(next((value for value in match.groups() if value), "")).content


def _closes(text: str, other: str) -> bool:
    """Whether a place has closed to which somebody goes, or where they do something."""
    match = _CLOSED.search(text.strip(" .。!！"))
    if match is None or _LIVES_BY.search(other):
        return False
    place = next(value for value in match.groups() if value)
    there = place if place[0] > "\u3000" else place.rsplit(" ", 1)[-1]
    at = other.lower().rfind(there.lower())
    return at > 0 and bool(_THERE.search(other, 0, at)) and statement(place).content <= statement(other).content
