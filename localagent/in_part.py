"""Whether a newer statement corrects all that an older one says, a part of it ("Mia turned 5", of "Leo (7) and Mia
(4)"), or nothing: an exception or a narrower case ("I love mushrooms in soup though", of "I don't like mushrooms").
What the newer one says nothing of still holds, and must not vanish with the rest. Pure.
"""

from __future__ import annotations

import re

from localagent.changes import SO_NOW, shifts
from localagent.companions import accompanies, of_a_companion
from localagent.facets import goes_elsewhere
from localagent.memory.entries import Memory, NewMemory
from localagent.persons import person_in, whose
from localagent.same_thing import called
from localagent.slots import slot_of
from localagent.statements import Statement, kinds_of_values, statement

# What a word of the older one counts for that stands for doing, whatever is done.
_GENERIC = frozenset("us use do have get make go keep take work like learn study 用 做 学 去 是 有 想 和 一 打".split())
WISHES = ("preference", "style")
_EXCEPTS = re.compile(
    r"\bthough\b|\bexcept\b|\bapart from\b|\bother than\b|\bwith the exception\b|\bunless\b|\bas long as\b"
    r"|\b(?:but|just|only) (?:when|if|on|in|at|for|with|during|while)\b|^(?:but |just |only )"
    r"|\bonly\b.{1,40}?\b(?:when|if|on|in|at|during|while)\b"
    r"|除了|除非|例外|只有|只要|^(?:不过|但是?|可是|就)(?!现在|已经|是)|(?<!不)只(?:在|是|有|限|能)",
    re.IGNORECASE,
)
# Not "from this week", nor a day of it.
_ONCE = re.compile(
    r"\b(?:just (?:this|for) (?:once|today|this)|only (?:today|this week|this time)|"
    r"(?<!from )(?<!starting )(?<!since )this "
    r"(?:week|time|once|christmas|easter|thanksgiving)|for (?:today|tonight|once)|today only|tonight only)\b"
    r"|(?<!从)这一?(?:周|次|回|星期|礼拜)(?![一二三四五六日天末起开])|[今这明]年(?:过年|春节|中秋|国庆|五一|元旦|端午|清明|暑假|寒假)|临时|停课?一次|就今天|只有今天",
    re.IGNORECASE,
)
# Not held this time, of what is held every time.
_OFF_THIS_TIME = re.compile(
    r"\b(?:cancel\w*|off|skip\w*|missing|no \w+|not \w+)\b.*\b(?:(?:this|next) (?:week|month|time|year)|today|"
    r"tonight)\b|"
    r"(?<!从)(?:[这下]个?(?:周|星期|礼拜|月)|今[天晚])(?!起|开始)[^，。]{0,6}(?:取消|不[^，。]{1,3}|停一?次|跳过|没空)",
    re.IGNORECASE,
)
_JOINT = re.compile(
    r",? \b(?:or |and (?:also )?(?:please )?)|,? \bbut |[,;](?: |(?=[\u4e00-\u9fff]))|\s&\s|[，；、]"
    r"|(?<=[\u4e00-\u9fff])[和与及跟](?=[\u4e00-\u9fff])"
    r"|以及|并且|但是?|，但",
    re.IGNORECASE,
)
# Not days and months, nor what begins a sentence.
_NAME = re.compile(
    r"(?<=[\w,;:(] )(?!(?:I|Mon|Tues|Wednes|Thurs|Fri|Satur|Sun)(?:day)?s?\b|(?:Jan|Febr)uary|March|April|May\b|June|"
    r"July|August|(?:Sept|Nov|Dec)ember|October|I'|AM\b|PM\b|TODO)[A-Z][\w-]*|(?<![\w.])[A-Z]{1,3}[-_]?\d+\b"
)
_NAMES_TOGETHER = re.compile(rf"(?:{_NAME.pattern})(?: (?:{_NAME.pattern}))*")
_AS_WHAT = re.compile(
    r"\bwork(?:s|ed|ing)? (?:.{1,40} )?as an? \w|在(?!家)[^，。]{1,14}(?:当|担任)[^了，。]", re.IGNORECASE
)
_DOES_THERE = re.compile(r"在(?!家)[^，。]{1,14}做[^了，。]")
# Another employer; another trade may be with the same one.
_LEAVES_WORK = re.compile(r"跳槽|换了?[^，。]{0,3}工作|入职|离职|辞|退休|在[^，。]{1,14}(?:做|上班|工作|任职)")
_WEEK = frozenset("mon tue wed thu fri sat sun weekend 周末".split())
_PERIODS = frozenset("week month year".split())
_EVERY_DAY = re.compile(
    r"\b(?:every|each) (?:single )?(?:day|morning|evening|night|afternoon)\b|\bdaily\b|\balways\b|每[天日晚早]|天天",
    re.IGNORECASE,
)
_ON_DAYS = re.compile(r"\b(?:weekends?|weekdays?|workdays?|holidays)\b|周末|工作日|节假日|平时", re.IGNORECASE)
_ONLY = re.compile(r"\b(?:only|just)\b|只|仅", re.IGNORECASE)
_DAY = r"(?:(?:mon|tues|wednes|thurs|fri|satur|sun)days?|(?:周|星期|礼拜)[一二三四五六日天])"
_SEVERAL_DAYS = re.compile(rf"{_DAY}(?: ?(?:,|and|&|和|、|与|跟) ?){{1,2}}{_DAY}", re.IGNORECASE)
# Of one case alone; what is so from now on is no case.
_CASE = re.compile(
    r"\b(?:at|on|in|during|with|before|after|when|while|if|unless)\b|的?时候?|期间|[早午晚]饭|[前后里](?=不|没|别)",
    re.IGNORECASE,
)
_NO_MORE = rf"\b(?:{SO_NOW}|since|after all)\b|不再|现在|以后|改|从今|再也"
_FROM_NOW_ON = re.compile(_NO_MORE + r"|了[。！!]?$", re.IGNORECASE)
# What is so no more is no exception.
_OVER = re.compile(_NO_MORE, re.IGNORECASE)
# Why something is so, where that is an illness: it outlasts what it was the reason of.
_REASON = re.compile(
    r"\b(?:because of|due to|owing to|on account of|for) (?:my|his|her|their|our|the|an?) (?P<a>[^,;.]{3,40})"
    r"|\b(?:because|since|as) (?:I|he|she|we) (?:have|has|had) (?P<b>[^,;.]{3,40})"
    r"|(?:因为|由于|因)(?:我|他|她)?(?:有|得了?|患)?(?P<c>[^，。；]{2,12}?)(?=[在不才没吃喝做去戒停改要每，。；]|"
    r"$)|治(?P<d>[^，。；]{2,8})",
    re.IGNORECASE,
)
_ILLNESS = re.compile(
    r"\w(?:itis|osis|psia|psy|emia|aemia|oma|algia|pathy|betes)\b|\b(?:diseas|disorder|syndrom|condition|illness|"
    r"intoleran|allerg|asthma|cancer|tumou?r|migraine|gout|reflux|anxiety|depress|adhd|infection|injur|surgery|pregnan|"
    r"celiac|coeliac|heart|kidney|liver|thyroid|stomach|blood|knee|back|joint|hip)"
    r"|病|症|炎|癌|瘤|癫痫|痛|过敏|不耐|血压|血糖|血脂|尿酸|结石|[肾肝胃肺]|心脏|甲状腺|哮喘|抑郁|焦虑|贫血|手术|"
    r"受伤|骨折|怀孕",
    re.IGNORECASE,
)
# What is done otherwise is done when it was to be done, and with whom.
_OTHERWISE = re.compile(r"\b(?:instead|rather)\b|改[去成到为]|换成", re.IGNORECASE)
_SEASON = re.compile(
    r"\b(?:christmas|easter|thanksgiving|new year|spring|summer|autumn|winter|half-?term)\b|"
    r"国庆|五一|春节|元旦|中秋|端午|清明|寒假|暑假|[春夏秋冬]天|过年|\d+月|[一二三四五六七八九十]+月",
    re.IGNORECASE,
)
_COMPANY = re.compile(
    r"\b(?:to|in) [\w ]{2,20} with (?P<a>(?-i:[A-Z])[\w-]+|(?:my|our|some) \w+)"
    r"|[和跟陪](?P<b>[\u4e00-\u9fff]{2,4}?)(?=一起|一块|去|到|在)",
    re.IGNORECASE,
)
_MONTH = re.compile(
    r"\b(?:jan|feb|mar|apr|may|jun|jul|aug|sept?|oct|nov|dec)(?:[a-z]{2,6})?\b|月(?![底初末中])|\d[/-]\d", re.IGNORECASE
)
_DAY_OF_MONTH = re.compile(
    r"\bthe \d{1,2}(?:st|nd|rd|th)\b|(?<![月\d])[\d一二三四五六七八九十]{1,3}[号日]", re.IGNORECASE
)
# Of the whole, whatever its time and place was.
_OFF = re.compile(
    r"\b(?:cancell?ed|called off|is off|was off|no longer|not (?:\w+ ){1,5}any ?more|n't (?:\w+ ){1,5}any ?more|quit|"
    r"stopped|gave up|given up|sold|left)\b|取消|不(?:再|去|办|做|用|学|干)|没了|停了|黄了|放弃|辞|卖|戒|"
    r"退[休学]|离职|关了|毕业",
    re.IGNORECASE,
)

# How often, of which the day of a week says as much. What is done every day is hardly said so to be kept.
_OFTEN = re.compile(
    r"\b(?:once|twice|thrice|[a-z]+s) (?:an?|per|every) (?:day|week|fortnight|month|year)\b|\b(?:every|"
    r"each) (?:(?:other|"
    r"second|third|fourth|two|three|four|\d+) )?(?:week|weekend|fortnight|month|year|summer|winter|"
    r"(?:mon|tues|wednes|thurs|fri|satur|sun)day)s?\b|\bevery (?:other|second|third|two|three|\d+) days?\b"
    r"|\b(?:weekly|monthly|yearly|fortnightly)\b"
    r"|每(?:隔?[一两二三四五六七八九十半\d]*个?)(?:周|星期|礼拜|月|年|季度)|每隔?[两二三四五六七八九十半\d]+天|"
    r"[周月年天][一两二三四五六七八九十\d]+[次回趟]",
    re.IGNORECASE,
)
# So much in a time, in whose place another amount stands: "900 euros a month", 每月5800.
_RATE = re.compile(
    r"\b(?:\d[\d.,]*|[a-z]+) (?!once|twice|times|days|nights|shifts|classes|lessons|"
    r"hours)[a-z]+ (?:of [a-z]+ )?(?:an?|per|"
    r"every|each) "
    r"(?:day|week|month|year)\b|"
    r"每[天日周月年](?:[^，。一两二三四五六七八九十百千万\d]{0,5})[一两二三四五六七八九十百千万\d]+(?![次回趟天节]|"
    r"个?夜班)",
    re.IGNORECASE,
)
# A change within the same house or town: of the rest the older one tells.
_STAYS_WITHIN = re.compile(
    r"\b(?:the |in |at |still )?same (?:building|house|street|block|floor|office|address|complex|town|city|"
    r"neighbou?rhood|company|firm|"
    r"team|school|hospital|gym|place)\b|(?:同一?|同样|还是那|还在那|还是这|还是原来的?)[个栋座条层家所间]?(?:楼|"
    r"小区|大楼|街|城市|公司|单位|学校|医院|院子|层|部门|栋)|同一[个栋座条层家所间]",
    re.IGNORECASE,
)
_WITHIN = re.compile(
    r"\b(?:(?:the )?(?:ground|first|second|third|fourth|fifth|sixth|seventh|eighth|ninth|tenth|top|\d{1,3}(?:st|"
    r"nd|rd|th)) floor|"
    r"(?:room|flat|apartment|unit|suite|desk|gate|door|building|block) #?(?:\d\w{0,4}|[A-Z])\b)"
    r"|(?:[\d一二两三四五六七八九十百]{1,4}|(?-i:[A-Z]))(?:号楼|楼|层|栋|座|单元|室|号房|幢)",
    re.IGNORECASE,
)
_NO_PLACE = frozenset(
    "live move desk offic office room flat apartment sit 到 在 去 住 搬 家 工 位 公 室 座 办 房 间".split()
)
_PLACE_ZH = re.compile(
    r"(?:在|沿着?)(?!家|一起|这|那|线)[^，。]{2,8}?(?:跑|开|当|做|教|卖|读|念|打|送|养|种|学|修|画|唱|练|游|健身|"
    r"跳|走|钓|骑)"
)
_WHERE_ZH = re.compile(r"(?<![现正还])在|[去到回往沿]|搬|调|转|换到|来自|入职|跳槽")
# 我表弟阿凯在…: the name of whom both tell.
_ITS_NAME_ZH = re.compile(
    r"(?:叫|是)?(?P<n>(?!现在|目前|最近|今年|去年|已经|一直|上个|上周|昨天|以前|"
    r"[每从周都也还在是做当住不没有会要能被把给又才只跳离退])"
    r"(?:[小老阿大][\u4e00-\u9fff]|[\u4e00-\u9fff]{2,3}?))(?=[在每是住当做读上跟和去就，,有养开]|今年|现在|周)"
)
_OF_ONE_ZH = re.compile(r"我(?:的|家|们家?)?(?!们|的|家|每|现|今|昨|周|早|晚|上|下|在|一|平|最|已)[\u4e00-\u9fff]{1,3}")


def only_once(text: str, other: str) -> bool:
    """Whether it is so one time only, of something that the other one says of every time."""
    if _OFF_THIS_TIME.search(text) and (_OFTEN.search(other) or _EVERY_DAY.search(other)):
        return True
    return bool(_ONCE.search(text)) and not _ONCE.search(other)


def is_exception(new: Statement, old: Statement, corrects: bool) -> bool:
    """Whether the newer one leaves the older one as it is, for all but a case of its own. It says more than the older
    one of what that is about, and either that it is an exception, or the opposite of that case alone."""
    plain = new.text.strip()
    excepts = bool(_EXCEPTS.search(plain)) and not _OVER.search(plain)
    more = statement(_EXCEPTS.sub(" ", plain)).content - old.content
    if not more or not new.content & old.content:
        return False
    if excepts:
        return True
    return not corrects and new.denies != old.denies and old.content < new.content and (new.likes or old.likes)


def leaves(new: NewMemory, old: Memory | NewMemory) -> bool:
    """Whether the older statement says something that the newer one, which corrects it, says nothing of."""
    text, before = statement(new.text), statement(old.text)
    if shifts(new.text):
        return True  # two weeks later than what?
    if of_a_companion(new.text, old.text) or _stays_within(new.text, old.text, before):
        return True
    if _is_case(text, before) or _keeps(new.text, text, old.text, before):
        return True
    if goes_elsewhere(text, before) and not (text.days or text.numbers):
        return bool(before.days or before.numbers)  # on the same day as before
    if _lists_more(new.text, text, old.text, before):
        return True
    if old.kind in WISHES and (slot := slot_of(old.kind, old.text)) is not None:
        now = slot_of(new.kind, new.text)
        if now is not None and now.name == slot.name:
            return False  # the same wish, in a word or a number
    return _says_more(new.text, text, old.text, before)


def _is_case(text: Statement, before: Statement) -> bool:
    """Whether the newer one is of one case of the older one alone: of one of several days, of some days of every day,
    or of one occasion."""
    days, days_before = set(text.days) & _WEEK, set(before.days) & _WEEK
    if _ONLY.search(text.text):
        return False
    if days & days_before and days_before - days and not _SEVERAL_DAYS.search(text.text):
        return True
    if _EVERY_DAY.search(before.text) and (days or _ON_DAYS.search(text.text)):
        return not _EVERY_DAY.search(text.text)
    if not text.denies or before.denies or _FROM_NOW_ON.search(text.text):
        return False
    narrower = before.content < text.content and _CASE.search(text.text) is not None
    return narrower or (before.content <= text.content and bool(set(text.days) - set(before.days)))


def _keeps(new: str, text: Statement, old: str, before: Statement) -> bool:
    """Whether the older one gives an illness as its reason, a month or a companion, that the newer one does not."""
    reason = _REASON.search(old)
    if reason is not None:
        why = next(value for value in reason.groups() if value)
        if _ILLNESS.search(why) and not statement(why).content & text.content:
            return True
    if _DAY_OF_MONTH.search(new) and _MONTH.search(old) and not _MONTH.search(new):
        return True
    if not _OTHERWISE.search(new):
        return False
    if not text.days and not _SEASON.search(new) and (before.days or _SEASON.search(old)):
        return True
    company = _COMPANY.search(old)
    return company is not None and (company["a"] or company["b"]).lower() not in new.lower()


def _says_more(new: str, text: Statement, old: str, before: Statement) -> bool:
    if whose(old) and not whose(new):
        return True
    if _names_whom(new, old) or (not _OFF.search(new) and _says_how(new, text, old, before)):
        return True
    if _names_more(new, old):
        return True
    if _AS_WHAT.search(old) and not _AS_WHAT.search(new) and not _OFF.search(new):
        return True
    if _DOES_THERE.search(old) and not _LEAVES_WORK.search(new) and re.search(r"[做当任转]", new):
        return True
    return not _OFF.search(new) and text.denies == before.denies and _has_more_values(text, before)


def _stays_within(new: str, old: str, before: Statement) -> bool:
    """Whether the newer one says another floor or room, and the older one in which house or street that is."""
    if _STAYS_WITHIN.search(new):
        return True
    place = _WITHIN.search(new)
    if place is None or statement(_WITHIN.sub(" ", new)).content - _NO_PLACE:
        return False
    return bool(statement(_WITHIN.sub(" ", old)).content - _NO_PLACE)


def _names_whom(new: str, old: str) -> bool:
    """Whether the older one tells what it is whose name both have ("... on a machine called atlas"), or calls by name
    the one close to the speaker of whom both tell, and the newer one does not."""
    if any(name in new.lower() and _tells_more(old, new, name) for name in called(old) - called(new)):
        return True
    named = person_in(old).name
    if named and named not in new.lower() and person_in(new).who == person_in(old).who:
        return True
    common = old[: next((at for at, (one, other) in enumerate(zip(new, old, strict=False)) if one != other), 0)]
    if not _OF_ONE_ZH.fullmatch(common):
        return False
    name = _ITS_NAME_ZH.match(old, len(common))
    return name is not None and name["n"] not in new


def _tells_more(old: str, new: str, name: str) -> bool:
    return len(statement(old).content - statement(new).content - statement(name).content - _GENERIC) > 1


def _says_how(new: str, text: Statement, old: str, before: Statement) -> bool:
    """Whether the older one says how often, on which day of the week, with whom or where, and the newer one nothing of
    that."""
    days, days_before = set(text.days) & _WEEK, set(before.days) & _WEEK
    often, often_before = (
        bool(_OFTEN.search(new) or days),
        bool(_OFTEN.search(_RATE.sub(" ", old) if text.numbers else old) or days_before),
    )
    if often_before and not often and text.denies == before.denies:
        return True
    if accompanies(old) and not accompanies(new):
        return True
    return bool(_PLACE_ZH.search(old)) and not _WHERE_ZH.search(new)


def touches(new: NewMemory, old: Memory | NewMemory) -> bool:
    """Whether it is another value of what one of several clauses of the older one gives a value of. Appointments of one
    name may be several."""
    parts = _parts(old.text)
    if len(parts) < 2 or new.kind in ("event", "todo") or whose(new.text) != whose(old.text):
        return False
    slot = slot_of(new.kind, new.text)
    if slot is None or not slot.sure:
        return False
    found = [one for part in parts if (one := slot_of(old.kind, part)) is not None and one.name == slot.name]
    return bool(found) and all(one.value != slot.value for one in found)


def _parts(text: str) -> list[str]:
    return [part for one in _JOINT.split(text) if (part := one.strip(" .。!！"))]


def _lists_more(new: str, text: Statement, old: str, before: Statement) -> bool:
    """Whether the newer one speaks of some things that the older one lists, and not of others."""
    parts = [own for part in _parts(old) if (own := statement(part).content - _GENERIC)]
    ends = bool(_OFF.search(new)) or text.denies != before.denies
    if len(parts) < 2 or (len(_parts(new)) >= len(parts) and not ends):
        return False
    spoken_of = [bool(own & text.content) for own in parts]
    if not any(spoken_of):
        return False
    if any(not own & text.content for own in parts):
        return True
    return any(own <= text.content for own in parts) and any(own - text.content for own in parts)


def _names_more(new: str, old: str) -> bool:
    said = new.lower()
    gone = {match[0] for match in _NAMES_TOGETHER.finditer(old) if match[0].lower() not in said}
    instead = {match[0] for match in _NAMES_TOGETHER.finditer(new) if match[0].lower() not in old.lower()}
    return len(gone) > len(instead)


def _has_more_values(text: Statement, before: Statement) -> bool:
    if not before.numbers and not before.days:
        return False
    kinds, kinds_before = kinds_of_values(text), kinds_of_values(before)
    if set(before.days) <= _PERIODS:
        kinds_before.discard("day")  # 900 euros a month
    if kinds and kinds_before - kinds:
        return True
    return bool(kinds) and len(before.numbers) > len(text.numbers) > 0
