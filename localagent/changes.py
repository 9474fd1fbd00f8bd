"""What a statement says no longer holds ("I quit ...", "不再 ..."), what it adds to what there is ("too", "也"), and
which of several named things it chooses ("option C").
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import lru_cache

from localagent.statements import Statement, statement

# That something is otherwise now than it was.
SO_NOW = r"(?:now|nowadays|these days|instead|any ?more|any longer|no longer)"
_END = r"(?=[,;.]|\s(?:and|but|for|because|since|so|to)\b|$)"
_GONE = re.compile(
    r"\b(?:no longer|(?:don't|do not|doesn't|does not|didn't|won't|will not|'m not|am not|isn't|is not|'re not|aren't|"
    r"are not|not)(?= [^,;]{1,60}?\b(?:any ?more|any longer|after all)\b))\s+(?P<a>[^,;]{2,60}?)"
    r"(?=\s(?:any ?more|any longer|after all)\b|[,;.]|\s(?:and|but)\b|$)"
    r"|\b(?:stop(?:ped)?|quit(?:ting)?|g[ai]ve(?:n)? up(?: on)?|left|lost(?= (?:my|our) )|"
    r"(?:came|come|coming) off|sold|traded in|dropp?(?:ed|ing)?|got rid of|"
    r"resign(?:ed)? from|retired from|mov(?:ed|ing) (?:away|out) (?:from|of)|cancell?ed|ditched|abandoned)\s+(?:the |"
    r"my |our |an? )?"
    rf"(?P<b>[^,;]{{2,50}}?){_END}"
    r"|\b(?:switch|mov|migrat|chang|convert|upgrad)\w*(?: over| away)? from (?P<c>[^,;]{1,40}?)(?= (?:to|onto)\b|$)"
    r"|^(?:no,? )?not (?P<d>[^,;]{2,40})[,;]\s|[,;] (?:and )?not (?P<e>[^,;]{2,40})$"
    r"|\b(?:instead of|rather than|in place of)\s+(?P<f>[^,;]{2,40}?)(?=[,;]|$)",
    re.IGNORECASE,
)
_GONE_ZH = re.compile(
    r"不(?:再|会再|想再)(?P<a>[^，。；]{1,14}?)(?:了|$|(?=[，。；]))|不(?!是|要|用了|过|错|对|行|想|"
    r"知道)(?P<b>[^，。；不]{1,14}?)了"
    r"|戒掉?了?(?P<c>[^，。了]{1,6})了?|放弃了?(?P<d>[^，。了]{1,12})|(?P<e>[^，。我]{1,10})我?(?:放弃|停|退)了"
    r"|从(?P<f>[^，。]{1,14}?)(?:辞职|离职|毕业|搬走|搬出|退出|跳槽|换|改|迁|搬|转|切)"
    r"|把(?P<g>[^，。]{1,12}?)(?:卖|扔|退|送|取消|停|拆)(?:掉|人)?了|离开了?(?P<h>[^，。了]{1,12})"
    r"|^不是(?P<i>[^，。]{1,12})[，,]|[，,]不是(?P<j>[^，。]{1,12})$|(?:而不是|代替|取代)(?P<k>[^，。]{1,14})"
    r"|别再?(?:叫|喊)我?(?P<l>[^，。了]{1,8})了?"
)
# Beside what there is, not in its place.
_ADDS = re.compile(
    r"\b(?:too|also|as well|in addition|additionally|besides|another|on top of that|"
    r"(?:my|our|the) (?:other|second))\b|另一|也|还(?!是|没|不|行|好|可以)|另外|此外|同时",
    re.IGNORECASE,
)
_LABEL = re.compile(
    r"\b(?P<n>option|plan|variant|version|design|proposal|choice|candidate|draft|route)s? (?P<v>[a-z]|\d{1,3}|one|two|"
    r"three|four|five)\b"
    r"|(?P<n2>方案|选项|计划|版本|设计|草案|路线)(?P<v2>[A-Za-z甲乙丙丁戊一二三四五\d])"
    r"|第(?P<v3>[一二三四五\d])(?:个|种|版)?(?P<n3>方案|选项|计划|版本|设计|草案|路线)"
    r"|\bthe (?P<v4>first|second|third|fourth|fifth|last) (?P<n4>option|plan|variant|version|design|proposal|draft)\b",
    re.IGNORECASE,
)
# When something was given up.
_SINCE = re.compile(
    r" (?:yesterday|today|(?:last|this) \w+|(?:in|on) (?-i:[A-Z])\w+|(?:\w+ )?(?:days?|weeks?|months?|years?) ago|"
    r"already|now)$",
    re.IGNORECASE,
)
_SHIFTS = re.compile(
    r"\b(?:moved|pushed|slip(?:s|ped)|bumped|delayed|postponed|extended|shifted)\b(?: (?:the|my|"
    r"our) (?:[\w-]+ ){1,4}?)?(?: ?back| "
    r"?forward)?(?: ?by)? ?(?:another |about |roughly |at least )?(?:an?|one|two|three|four|five|six|seven|ten|"
    r"a few|several|"
    r"a couple of|\d+)(?: more| whole| full)? (?:hour|day|week|fortnight|month|year)s?\b"
    r"|(?:推迟|延期|延后|提前|延迟|晚|早)了?[\d一二两三四五六七八九十半几]+个?(?:小时|天|周|星期|礼拜|月|年)",
    re.IGNORECASE,
)
_NAME = re.compile(
    r"(?<=[\w,;:] )(?!(?:I|Mon|Tues|Wednes|Thurs|Fri|Satur|Sun)(?:day)?s?\b|(?:Jan|Febr)uary|March|April|May\b|June|"
    r"July|August|"
    r"(?:Sept|Nov|Dec)ember|October|A\b|I'|TODO)[A-Z][\w'-]+"
    r"|\b[A-Za-z]+[-_]?\d+\b|\b\w+-[a-z]\b|(?i:\b(?:room|locker|gate|floor|line|node|unit|phase|rule|item|ticket|"
    r"issue|team|group|chapter|step) #?(?:\d+|[a-z]\b))"
    r"|[小老阿][\u4e00-\u9fff](?![的时了])|[大二三]宝|[\u4e00-\u9fff](?=老师|总\b|经理|医生)|[甲乙丙丁](?=[\u4e00-\u9fff])"
    r"|[\d一二三四五六七八九十]+号(?=[\u4e00-\u9fff])|[\u4e00-\u9fff]{2}(?=项目)|(?<=客户)[\u4e00-\u9fff]{2}"
)
# What every giving up is made of, whatever is given up.
_GENERIC = frozenset(
    "us use using run go do have had get drink eat take a team work job "
    "用 在 去 是 有 的 了 做 叫 住 一 家 工 作 上 班 团 队".split()
)


_OWNED = re.compile(
    r"(?P<a>(?:my|our|I|we) (?:[\w-]+ ){0,3}(?:is|drive|ride|own) (?:an?|"
    r"the) [^,;，]{1,40})[,;，]",
    re.IGNORECASE,
)
_CALLED_OFF = re.compile(
    r"\b(?:trip|flight|journey|visit|holiday|vacation|tour) to (?P<a>(?-i:[A-Z])[\w -]{1,30}?) "
    r"(?:is |was |got |has been |'s )+(?:now |all )?(?:off|cancell?ed|called off)\b"
    r"|\b(?:(?:am|are|'m|'re) not (?:going|flying|travell?ing)|won't (?:go|fly|travel)) to (?P<b>(?-i:[A-Z])[\w-]+)"
    r"|\bcancell?ed (?:the|my|our) (?:trip|flight|journey|visit|holiday|vacation|tour) to (?P<c>(?-i:[A-Z])[\w-]+)"
    r"|^(?P<f>(?-i:[A-Z])[\w-]+(?: (?-i:[A-Z])[\w-]+)?) (?:is |was |has |got |'s )(?:now |all |"
    r"been )*(?:off|cancell?ed|"
    r"called off|fallen through)(?=$|[,;.])|^(?P<g>(?-i:[A-Z])[\w-]+) fell through\b"
    r"|^(?:我们?|其实)?(?P<d>[\u4e00-\u9fff]{2,6}?)我?们?(?:就)?(?:不去|去不了|去不成|不打算去)了"
    r"|(?:不去|去不了|去不成|不打算去)(?P<e>[\u4e00-\u9fff]{2,6}?)了",
    re.IGNORECASE,
)
_TRAVELS = re.compile(
    r"\b(?:trip|flight|fly\w*|travel\w*|journey|visit\w*|holiday|vacation|tour|go(?:ing)? to|driving to)\b"
    r"|去|飞|旅|出差",
    re.IGNORECASE,
)


PROFESSION = (
    r"(?:engineer|developer|programmer|designer|teacher|nurse|doctor|lawyer|manager|researcher|scientist|accountant|"
    r"chef|"
    r"cook|driver|founder|analyst|consultant|architect|professor|journalist|photographer|translator|electrician|"
    r"carpenter|"
    r"plumber|mechanic|pilot|farmer|therapist|psychologist|dentist|pharmacist|paramedic|firefighter|soldier|baker|"
    r"editor|"
    r"administrator|librarian|director|specialist|technician|midwife|surgeon|barista|waiter|waitress|clerk|intern)"
)
_PROFESSION_ZH = (
    r"(?:师|[教学研演店职科][员生]|程序员|公务员|服务员|售货员|医生|护士|教授|编辑|经理|主管|总监|组长|校长|主任|"
    r"工人|农民|军人|警察|作者|"
    r"记者|司机|老板|会计|店长|科长|处长|主编|院长)"
)
_WORKS_AS = re.compile(
    rf"^I(?:'m| am| work as| am working as)(?: now| currently)? (?:an? |the )?(?:[\w-]+ ){{0,4}}{PROFESSION}\b|"
    rf"^I(?:'m| am)? "
    rf"work(?:ing)? (?:at|for|as)\b|^我(?:现在|目前)?(?:是|做|"
    rf"当)(?:一?[名个位])?[^，。的]{{0,12}}{_PROFESSION_ZH}(?:$|[，,])"
    r"|^我(?:现在|目前)?在[^，。]{1,16}(?:工作|上班|任职|[做当])",
    re.IGNORECASE,
)
# Beside a job.
_BESIDE_A_JOB = re.compile(
    r"\b(?:volunteer|part[ -]time|weekend|saturday|holiday|second|hobby|amateur|side|also)\b|兼职|业余|志愿|也",
    re.IGNORECASE,
)
_NEW_WORK = re.compile(
    r"\b(?:(?:chang|switch)\w* jobs|got a new job|left (?:my (?:old )?job|(?:the )?(?-i:[A-Z])\w+)\b.{0,20}\bI\b.{0,10}"
    r"\b(?:start\w*|join\w*|at|with)"
    r"|resigned\b.{0,40}\bI\b.{0,10}\b(?:start\w*|join\w*|at))\b"
    rf"|\bI(?:'m| am) (?:now )?(?:an? |the )?(?:[\w-]+ ){{0,4}}{PROFESSION} now$|\bI(?:'m| am) now (?:an? |"
    rf"the )?(?:[\w-]+ )"
    rf"{{0,4}}{PROFESSION}$|\bI(?:'ve| have)? (?:just |recently |finally )*(?:became|become|(?:(?:got|was|"
    rf"been) )?promoted to) "
    rf"(?:an? |the )?(?:[\w-]+ ){{0,4}}{PROFESSION}\b"
    r"|我.{0,8}(?:换了?(?:一?[份个])?(?:新)?工作|跳槽)"
    r"|\bI(?:'ve| have|'m| am| was| got)? (?:just |recently )*(?:retired|laid off|fired|made redundant|resigned|"
    r"quit my job|lost my job)(?: (?:last \w+|this \w+|yesterday|today|on \w+))?$"
    r"|^我[^，。]{0,6}(?:辞职|离职|退休|被裁|下岗|失业)了?$"
    rf"|^我.{{0,6}}(?:现在|已经|终于|正式)是[^，。的]{{0,12}}{_PROFESSION_ZH}了$"
    rf"|^我.{{0,6}}(?:当上|成为|升|被提|转).{{0,3}}[^，。的]{{0,12}}{_PROFESSION_ZH}了?$",
    re.IGNORECASE,
)
# "Got a new job" has no subject; "Marcus got a new job" has another one.
_SPEAKER = re.compile(
    r"\b(?:I|my|we)\b|^(?:just |finally )*(?:got|changed|switched|left|retired|lost|quit)\b|我", re.IGNORECASE
)
_TURNED = re.compile(
    r"\b(?:after all|in the end|chang\w+ (?:my|our) minds?)\b|还是|改主意|变主意|最后|"
    r"结果",
    re.IGNORECASE,
)
_CHANGED_MIND = re.compile(r"\bchang\w+ (?:my|our) minds?\b|[改变换]了?主意", re.IGNORECASE)
_NAMES = re.compile(
    r"\b(?:name|naming|call) (?:her|him|it|them|the \w+|our \w+) (?-i:[A-Z])|\b(?:her|his|its|the|"
    r"our) (?:\w+ )?name (?:will|"
    r"is|shall)\b|(?<![大小])叫(?!我|你)|取名|起名",
    re.IGNORECASE,
)
# What was decided against.
_AGAINST = re.compile(
    r"(?:[,;] (?:and )?not|\b(?:instead of|rather than)) (?:to |by )?(?P<a>[^,;.]{2,40})$"
    r"|[，,](?:就?不|而?不是)(?P<b>[^，。了]{1,12})了?$|而不是(?P<c>[^，。]{1,12})$",
    re.IGNORECASE,
)


@dataclass(frozen=True, slots=True)
class Change:
    """`gone`: what no longer holds, in the words of the statement; `rest`: the statement without it."""

    gone: tuple[str, ...] = ()
    rest: str = ""


@lru_cache(maxsize=1024)
def change_in(text: str) -> Change:
    """What a statement gives up. Nothing for a plain denial: that is no change by itself."""
    plain = " ".join(text.replace("’", "'").split()).strip(" .。!！")
    gone: list[str] = []
    kept: list[str] = []
    at = 0
    pattern = _GONE_ZH if re.search(r"[\u4e00-\u9fff]", plain) else _GONE
    for match in pattern.finditer(plain):
        gone.append(next(value for value in match.groups() if value))
        kept.append(plain[at : match.start()])
        at = match.end()
    return Change(tuple(gone), " ".join((*kept, plain[at:])).strip(" ,，;；") if gone else plain)


def adds(text: str) -> bool:
    """Whether it says that something holds as well ("too", "也")."""
    return bool(_ADDS.search(text))


def gives_up(change: Change, new: Statement, old: Statement) -> bool:
    """Whether what a statement gives up is what the other one says: most of its words, or its object."""
    if old.denies or old.likes > new.likes:
        return False
    everything = old.content - _GENERIC
    # Of "a blue Golf, plate AB 12", the Golf is what there is.
    heads = [_plain(old.text), *(_plain(match[1]) for match in (_OWNED.match(old.text.strip()),) if match)]
    for phrase in change.gone:
        phrase = _SINCE.sub("", phrase)
        if phrase[:1].isupper() and f"left {phrase}" in new.text and not _WORKS_AS.search(old.text.replace("’", "'")):
            continue  # who leaves a town for a day lives there still
        said = statement(phrase)
        words = said.content - _GENERIC
        if not words or not words <= everything or not set(said.numbers) <= set(old.numbers):
            continue
        if 2 * len(words) >= len(everything) or any(head.endswith(_plain(phrase)) for head in heads):
            return True
    return False


def undoes(new: Statement, plan: Statement) -> bool:
    """Whether it says that a plan is given up, or another one made that this one was against."""
    return _calls_off(new, plan) or _turns_round(new, plan) or _renames(new, plan)


def _calls_off(new: Statement, plan: Statement) -> bool:
    """The journey of a plan is not made: it names where that goes."""
    match = _CALLED_OFF.search(new.text.replace("’", "'").strip(" .。!！"))
    if match is None or plan.denies or not _TRAVELS.search(plan.text):
        return False
    where = statement(next(value for value in match.groups() if value)).content
    return bool(where) and where <= plan.content


def changes_work(new: Statement, old: Statement) -> bool:
    """Whether it tells of another job or rank, and the other statement of the job of the same speaker."""
    plain, before = (one.replace("’", "'").strip(" .。!！") for one in (new.text, old.text))
    if not _NEW_WORK.search(plain) or works_beside(plain) or works_beside(before) or not _SPEAKER.search(plain):
        return False
    return bool(_WORKS_AS.search(before)) and not old.denies


def works_beside(text: str) -> bool:
    """Whether it tells of what somebody does beside a job."""
    return _BESIDE_A_JOB.search(text) is not None


def _renames(new: Statement, old: Statement) -> bool:
    """Whoever changed their mind gives another name."""
    return bool(_CHANGED_MIND.search(new.text) and _NAMES.search(new.text) and _NAMES.search(old.text))


def _turns_round(new: Statement, old: Statement) -> bool:
    """It chooses after all what was decided against: "we'll fly after all", of "take the train, not fly"."""
    match = _AGAINST.search(old.text.replace("’", "'").strip(" .。!！"))
    if match is None or new.denies or not _TURNED.search(new.text):
        return False
    against = statement(next(value for value in match.groups() if value)).content
    return bool(against) and against <= new.content


def shifts(text: str) -> bool:
    """Whether it says by how much something is later or earlier: of which day, the older statement tells."""
    return bool(_SHIFTS.search(text))


def label_of(text: str) -> tuple[str, str] | None:
    """Which of several ("option", "c") a statement names."""
    match = _LABEL.search(text)
    if match is None:
        return None
    groups = match.groupdict()
    kind = next(value for name, value in groups.items() if name.startswith("n") and value)
    which = next(value for name, value in groups.items() if name.startswith("v") and value)
    return kind.lower(), which.lower()


def distinct(text: str, other: str) -> bool:
    """Whether they name different things or people, in the same place of what they say."""
    names, others = _names(text), _names(other)
    return bool(names and others) and not names & others


def _names(text: str) -> frozenset[str]:
    return frozenset(match[0].lower() for match in _NAME.finditer(text.strip()))


def _plain(text: str) -> str:
    return re.sub(r" (?:now|currently|at the moment)$", "", text.lower().strip(" .。!！了吧"))
