"""What a statement is a value of: things of which one holds at a time, so that a newer value takes the place of an
older one ("answer in English", "用中文回答"; "the router is ...").
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import lru_cache

from localagent.facets import state_of
from localagent.memory.entries import Kind
from localagent.persons import person_in
from localagent.statements import Statement, statement
from localagent.wished import answered, case_of, names_called

_LANGUAGES = {
    "english": "英文 英语", "chinese": "中文 汉语 普通话 mandarin",
    "french": "法语 法文", "german": "德语 德文", "japanese": "日语 日文", "korean": "韩语 韩文",
    "spanish": "西班牙语 西语", "italian": "意大利语", "russian": "俄语 俄文", "portuguese": "葡萄牙语",
    "cantonese": "粤语", "dutch": "荷兰语",
    "arabic": "阿拉伯语", "polish": "波兰语", "turkish": "土耳其语", "hindi": "印地语",
    "swedish": "瑞典语", "greek": "希腊语", "czech": "捷克语",
    "vietnamese": "越南语", "thai": "泰语", "ukrainian": "乌克兰语",
    "traditional chinese": "繁体 繁体字", "simplified chinese": "简体 简体字",
}  # fmt: skip
_LANGUAGE_NAMES = {other: name for name, others in _LANGUAGES.items() for other in (name, *others.split())}
_LANGUAGE = "|".join(sorted(_LANGUAGE_NAMES, key=len, reverse=True))
_WISHES: tuple[Kind, ...] = ("preference", "style")
_CONDITION = re.compile(
    r"\b(?:if|when|whenever|unless|except|for (?!me\b|now\b)|in (?:the|my) |about|while)\b|如果|要是|"
    r"(?:给|对|跟|向|和|为)(?![我咱]).{1,12}(?:写|发|回|说|聊|打)|[当每](?=.{1,12}时)|的时候|时[，,]|除非|关于|"
    r"写.{1,6}时",
    re.IGNORECASE,
)

# One holds of each set at a time, for one who prefers or decides.
_ALTERNATIVES: tuple[dict[str, str], ...] = tuple(
    {word: names.split("/")[0] for names in row.split() for word in names.split("/")}
    for row in (
        "tea/茶 coffee/咖啡 water/水 juice/果汁 beer/啤酒 wine/红酒 matcha/抹茶 cola/可乐 milk/牛奶 cocoa/可可 "
        "豆浆 奶茶 绿茶 红茶",
        "dark/深色/暗色/夜间模式 light/浅色/亮色",
        "tabs/tab/制表符 spaces/space/空格",
        "postgres/postgresql mysql sqlite mariadb oracle mongodb redis duckdb cassandra dynamodb",
        "python rust go/golang java kotlin c++ javascript typescript ruby swift scala php haskell c#",
        "vim emacs vscode neovim pycharm intellij nano sublime",
        "windows macos/mac linux ubuntu fedora debian",
        "react vue angular svelte",
        "window/靠窗 aisle/靠走道/靠过道/过道",
        "train/火车/高铁 plane/飞机 car/开车 bus/公交 bike/bicycle/自行车 metro/地铁",
        "morning/mornings/早上/上午 afternoon/下午 evening/evenings/晚上 night/nights",
        "email/邮件 phone/电话 chat slack/微信 text/短信",
        "firefox chrome safari edge brave",
        "metric/公制 imperial/英制",
        "celsius/摄氏度/摄氏 fahrenheit/华氏度/华氏",
        "british/英式 american/美式",
        "formal/正式 informal/casual/随意",
        "cat/cats/猫 dog/dogs/狗",
        "jazz/爵士 rock/摇滚 pop/流行 classical/古典 metal/金属",
        "aws azure gcp hetzner 阿里云 腾讯云",
        "github gitlab bitbucket gitea",
        "jenkins travis circleci",
        "blue/蓝色 green/绿色 red/红色 yellow/黄色 black/黑色 white/白色 grey/gray/灰色 purple/紫色 orange/橙色 "
        "pink/粉色",
        "apple/apples/苹果 pear/pears/梨 banana/bananas/香蕉",
        "book/books/纸质书 ebook/ebooks/电子书 audiobook/audiobooks/有声书",
        "remote/home/远程/在家 office/办公室",
    )
)
_PREFERS = re.compile(
    r"\b(?:prefer|favou?r|rather)\w*\b|更喜欢|更爱|比较喜欢|偏好|偏爱|宁愿|还是喜欢|最喜欢|倾向", re.IGNORECASE
)
_NOT_CHOSEN = re.compile(
    r"\b(?:instead of|rather than|over|and not|not|no longer|any ?more than|than)\b.*|\bto (?=\w+$).*"
    r"|(?:而不是|不再|不是|胜过|代替).*|比(?=.{1,12}(?:喜欢|好))",
    re.IGNORECASE,
)
_NAMED = re.compile(
    r"\bmy (?:full |first |real )?name(?:'s| is)? (?P<v>.+)|\bi(?:'m| am) called (?P<v2>.+)|我(?:的名字)?(?:是叫|"
    r"叫|的名字是|名叫)(?P<v3>.+)",
    re.IGNORECASE,
)
_AGENT_NAME = re.compile(
    r"\byour (?:new )?name (?:is|will be) (?P<v>.+)|\bcall you (?P<v2>.+)|你(?:的(?:新)?名字)?(?:叫|是叫|就叫|"
    r"是)(?P<v3>.+)|叫你(?P<v4>.+)",
    re.I,
)
_HOME = re.compile(
    r"\b(?:i|we)(?:'m|'re|'ve| am| are| have)? (?:now |just |recently |currently |still |been )*(?:live|living|lived|"
    r"moved|based|relocated)(?: to| in| at| near)* (?P<v>(?!(?:the|my|our|all|it|"
    r"them) [\w ]{2,30}? (?:to|from|into|out)\b|"
    r"(?:an?|the|another) [\w ]{2,24}\b(?:ward|team|department|desk|project|role|shift)\b).+)"
    r"|\b(?:still )?staying (?:in|at) (?P<v3>(?-i:[A-Z])\w+)"
    r"|我(?:们)?(?:家)?(?:[和跟与][^，。住搬]{1,8}?)?(?:现在|目前|已经|刚刚?|最近|\w{1,3}前|去年|"
    r"今年|[上这]个?(?:月|周|星期|礼拜)|昨天|前天|还是|继续|决定|"
    r"[\d一二三四五六七八九十]{1,2}月份?)*(?:住在|住|留在|搬到了?|搬去了?|搬来|定居在?)(?P<v2>.+)"
    r"|^(?:算了|不搬了|改主意了)[，,]?(?:还是|就|继续)*(?:住在|留在)(?P<v4>.+)"
    r"|^我们?不(?:住|在)[^，,]{1,10}了[，,]我?们?(?:现在|已经|就)*(?:搬[到去]|住[到在]?)了?(?P<v5>.+)",
    re.IGNORECASE,
)
_TENS = "twenty|thirty|forty|fifty|sixty|seventy|eighty|ninety"
_ONES = "one|two|three|four|five|six|seven|eight|nine"
_TEENS = "ten|eleven|twelve|thirteen|fourteen|fifteen|sixteen|seventeen|eighteen|nineteen"
# Not every "I'm ..." tells an age: "I'm 45" and "I'm diabetic" are told of one person at one time.
_NUMBER = rf"\d{{1,3}}|(?:{_TENS})(?:[- ](?:{_ONES}))?|{_TEENS}|{_ONES}"
_AGE = re.compile(
    rf"\bi(?:'m| am) (?:now )?(?P<v>{_NUMBER})(?: years old)?(?: now)?$"
    rf"|\bi(?:'ve| have)? (?:just )?turn(?:ed)? (?P<v3>{_NUMBER})"
    r"(?: (?:yesterday|today|now|last \w+|this \w+|on .+))?!?$"
    r"|我(?:今年|现在|已经|昨天|今天|刚刚?|就|都|上个?[周月])*满?(?P<v2>\w{1,4})岁",
    re.IGNORECASE,
)
_COMPANY = (
    r" (?:an? (?:[\w-]+ ){0,2}(?:startup|start-up|company|firm|agency) (?:called|named) )?"
    r"(?P<v6>(?-i:[A-Z])[\w&.-]*(?: (?-i:[A-Z])[\w&.-]*)*)"
)
_NEW_JOB = (
    r"\b(?:(?:(?:chang|switch)\w* jobs|new job|left .{2,20}|quit .{2,20}|resigned.{0,20}|n't work .{2,40}|"
    r"no longer work .{2,40})"
    r"(?:,| and| -| –|;) (?:and |so )?(?:now )?i(?:'m|'ve| am| have)? (?:now )?(?:start(?:ed)? (?:at|with)|at|"
    r"with|joined)"
    r"|i(?:'ve| have)? (?:just |recently )*(?:got|found|started|have|took) (?:a |my )(?:new )?job (?:at|with)"
    r"|i(?:'ve| have)? (?:just |recently )*(?:started|switched(?: jobs)?) (?:at|to))"
)
_EMPLOYER = re.compile(
    r"\bi(?:'m| am)? (?:now |currently )*work(?:ing)? (?:at|for) (?P<v>.+)|我(?:现在|"
    r"目前)?在(?![家学考看准练试])(?P<v2>.{1,16}?)(?:工作|上班|任职|实习|做(?=\w{2})|当(?=\w{2}))"
    r"|^我(?:换|从|跳|辞|离|不).{0,14}[，,]我?(?:现在|目前|已经|刚)*在(?P<v3>.{1,16}?)(?:工作|上班)"
    r"|^我.{0,16}?(?:换了?(?:一?[份个])?新?工作|跳槽|离职|辞职|不在.{1,10}?(?:了|上班|工作|"
    r"干))[^，,]{0,3}[，,]我?(?:现在|目前|"
    r"已经|刚|就)*(?:去|到|加入|入职|进|在)了?(?P<v4>[^，。了]{2,12})"
    r"|^我.{0,6}?(?:跳槽[到去]|入职)了?(?P<v5>[^，。了]{2,12})"
    rf"|{_NEW_JOB}{_COMPANY}",
    re.I,
)
_WEIGHT = re.compile(
    r"\b(?:my weight is(?: now)?|I(?: now)? weigh|I(?:'m| am)(?: now)? (?:down|up) to) (?P<v>\d+(?:\.\d+)? ?(?:kg|"
    r"kilos?|"
    r"kilograms?|pounds|lbs?|stone))|我(?:现在|的)*(?:体重|"
    r"[瘦胖减重]到)(?:现在)?[是了：:]?(?P<v2>\d+(?:\.\d+)?(?:公斤|斤|kg))",
    re.IGNORECASE,
)
_OCCUPATION = re.compile(r"\bi(?:'m| am)? (?:now |currently )*work(?:ing)? as (?P<v>.+)", re.I)
_FAVOURITE = re.compile(
    r"\bmy (?:new |current )*(?:favou?rite|preferred)(?: (?:one|(?P<s>.{1,40}?)))? (?:is|are)(?: now)? (?P<v>.+)|"
    r"我(?:现在|目前)?最喜欢的(?P<s2>[^是]{1,12}?)??(?:现在)?是(?P<v2>.+)",
    re.IGNORECASE,
)
_REPLY_LANGUAGE = re.compile(
    rf"\b(?:answer|reply|replies|respond|response|speak|write|talk|communicate|"
    rf"answers)\w*\b.{{0,40}}?\b(?P<v>{_LANGUAGE})\b"
    rf"|\b(?:back|switch\w*|chang\w*) to (?P<v4>{_LANGUAGE})\b|(?:换回|改回|切回|换成|改成|"
    rf"切换到)用?(?P<v5>{_LANGUAGE})"
    rf"|(?:用|说|讲|以|使用)(?P<v2>{_LANGUAGE})|(?:回答|回复|交流).{{0,6}}(?P<v3>{_LANGUAGE})",
    re.IGNORECASE,
)
_REPLY_LENGTH = re.compile(
    r"\b(?:answers?|repl(?:y|ies)|responses?|explanations?|messages?|be|stay|it)\b.{0,40}?\b(?P<v>(?:under|below|"
    r"within|at most|no more than|up to|less than|fewer than|than|to|of|in)?\s*(?:\d+|one|two|three|four|five|"
    r"six|ten)(?:-| )?(?:\w+ )?(?:words?|sentences?|lines?|paragraphs?|characters?)|shorter|short|brief|concise|"
    r"long(?:er)?|detailed|thorough|succinct|terse)\b"
    r"|\b(?P<v2>short|brief|concise|long|longer|detailed|shorter)\b (?:answers?|replies|responses?|explanations?)"
    r"|(?:回答|回复|答案|答复|解释|说话).{0,14}?(?P<v3>\w{1,6}(?:字|句话?|行|段)|简短|简洁|详细|精简|短|长)|"
    r"(?P<v4>简短|简洁|详细|精简)(?:地|点|些|一点)*(?:回答|回复|作答)"
    r"|(?P<v5>[\d一二两三四五六七八九十百千]+(?:字|句话?|行|段))(?:以内|之内|左右)|(?:回答|"
    r"回复).{0,4}(?P<v7>[短长])一?[点些]"
    r"|\b(?:up to|at most|about|around) (?P<v6>(?:\d+|\w+)(?: \w+)?) (?:is|are) (?:fine|enough|ok)",
    re.IGNORECASE,
)
_ORNAMENT = re.compile(
    r"\b(emoji|emoticon|smiley|markdown|bullet|table|heading|exclamation|jargon|disclaimer)|(表情|颜文字|列表|"
    r"表格|感叹号|术语|标题)",
    re.I,
)
_ORNAMENT_NAMES = {
    "emoticon": "emoji", "smiley": "emoji", "表情": "emoji", "颜文字": "emoji", "列表": "bullet", "表格": "table",
    "感叹号": "exclamation",
    "术语": "jargon", "标题": "heading",
}  # fmt: skip

_SUBJECT = re.compile(
    r"^(?:the|our|my|this|that)?\s*(?P<s>\S.{0,80}?)(?:'s)?\s+(?P<verb>(?:is|are|was|has|have)(?: now| also|"
    r" currently| been)*(?: moved to| changed to| called| named| stored in| stored at| located (?:in|at)|"
    r" kept (?:in|at|under|on)| turned| turning| at| on| in| due(?: on)?| set to| scheduled for| postponed to|"
    r" rescheduled to| pushed to)?|=|(?:has |have |just |recently )*turn(?:s|ed)|"
    r"runs on|moved to|changed to|lives (?:at|in|on)|listens on|costs|starts at|starts on|ends|"
    r"uses|takes place(?: on| in| at)?|happens(?: on| in| at)?|is happening on|points to|expires)\s+(?P<v>.+)$",
    re.IGNORECASE,
)
_SUBJECT_COLON = re.compile(r"^(?P<s>[^:：]{2,40})[:：]\s*(?P<v>\S.*)$")
_SUBJECT_ZH = re.compile(
    r"^(?:我们?的?|咱们的?|这个|那个|新的)?(?P<s>[^，。,]{1,24}?)(?:现在|已经|目前|就|又|也|的时间|时间|的地址|"
    r"地址)*(?P<verb>是|为|改成了?|改为|改到了?|改在|换成了?|变成了?|移到了?|挪到了?|转到了?|推迟到了?|提前到了?|"
    r"定在|定为|叫做?|"
    r"名叫|用的是|位于|放在|住在|搬到了?|(?<![现正还都也就存实])在|＝|=)(?P<v>[^，。]+)"
)
# Of what has another value now, and which: "I have a new ..., it's ...", "我换…了，新的是…".
_RENEWED = tuple(
    re.compile(pattern, re.IGNORECASE)
    for pattern in (
        r"(?:I|we)(?:'ve| have)? (?:just |recently )?(?:(?:changed|switched|updated) (?:an?|my|our|the)|(?:got|"
        r"have) an?(?= new))"
        r"(?: new)? (?P<s>[\w' -]{3,30}?)(?:,|;| -| –|:)? (?:and |so )?(?:it's|it is|its now|now it's|the new (?:one|"
        r"\w+) is|"
        r"which is)(?: now)?[：:]? ?(?P<v>\S.*)",
        r"(?:my|our) (?P<s>[\w' -]{3,40}?) (?:has |have |was |is |just )*changed(?:,|;| -| –|:)? (?:and |so )?"
        r"(?:it's|it is|now it's|the new (?:one|\w+) is|to)(?: now)?[：:]? ?(?P<v>\S.*)",
        r"(?:我们?|家里)(?:刚|最近|又|已经)*(?:换|改)了?(?:一?个)?新?的?(?P<s>[\u4e00-\u9fffA-Za-z-]{2,8}?)(?:了|"
        r"过了)?[，,、：:]"
        r"(?:现在|新的?[\u4e00-\u9fff]{0,3}|改)(?:是|为|叫|成)?(?P<v>\S.*)",
        r"我们?家?的?(?P<s>[\u4e00-\u9fffA-Za-z-]{2,8}?)(?:刚|又|已经)*(?:换|改|变)(?:了|过了)?[，,、：:]"
        r"(?:现在|新的?[\u4e00-\u9fff]{0,3}|改)(?:是|为|叫|成)?(?P<v>\S.*)",
    )
)
_PHONE = frozenset("phone phon mobil cell telephon telephone number 手 机 电 话 号 码".split())
_LEAD = re.compile(
    r"^(?:so |and |ok |okay )*(?:we|I|the team|they)(?:'ve| have)? (?:all |now |just |finally )?(?:decided|"
    r"agreed|settled|know|think)"
    r"(?: that|:) |^(?:decision|final|new|correction|update)(?: is)?[:,] |^(?:我们|大家|咱们)?(?:决定|商定|说好|"
    r"确定)了?[：:，,]?",
    re.IGNORECASE,
)
_NOT_A_SUBJECT = re.compile(
    r"^(?:i|we|you|it|this|that|he|she|they|there|which|what|who|我|我们|你|他|她|它|这|那|这里|那里)$|^(?:i|we|"
    r"you|he|she|they) | (?:it|they|he|she)$",
    re.I,
)
_TYPES = (
    ("ip", re.compile(r"\d{1,3}(?:\.\d{1,3}){3}")),
    ("url", re.compile(r"https?://|\b[\w-]+@[\w.-]+")),
    ("path", re.compile(r"(?:^|\s)[~.]?/[\w.-]+")),
    ("version", re.compile(r"\d+\.\d+")),
)
_GENERIC = frozenset("ip address addres new number current now version date time 地 址 新 号 时 间 日 期".split())
_NAMING = re.compile(
    r"called|named|stored|located|kept|runs on|uses|lives|points|叫|名叫|位于|挪到|移到|转到|放在|住在|搬到|用的是",
    re.IGNORECASE,
)


@dataclass(frozen=True, slots=True)
class Slot:
    """`name` says of what, `value` what; `sure`: whatever the value, only one holds. `about`: of what, without the
    kind of its value; empty where values of another kind say nothing of it."""

    name: str
    value: str
    sure: bool = True
    about: str = ""


@dataclass(frozen=True, slots=True)
class Choice:
    """One of the alternatives number `of`: `what` in any language, `word` as it was said."""

    of: int
    what: str
    word: str


@lru_cache(maxsize=1024)
def slot_of(kind: Kind, text: str) -> Slot | None:
    """What the statement is a value of, if it is of something known. None for what hangs on a condition."""
    text = _LEAD.sub("", " ".join(text.split()).strip(" .。!！"))
    if kind in _WISHES:
        return _wish(text)
    person = person_in(text)
    slot = _own(kind if not person.who else "profile", person.own)
    if slot is None:
        return _subject(text)
    if not person.who:
        return slot
    # By name, if they are named: there may be two.
    about = f"{slot.about or slot.name} of {person.who}"
    return Slot(f"{slot.name} of {person.who} {person.name}".strip(), slot.value, slot.sure, about)


def _own(kind: Kind, text: str) -> Slot | None:
    """What somebody says of themselves."""
    favourite = _favourite(text)
    if favourite is not None:
        return favourite
    for name, pattern, kinds in (
        ("name", _NAMED, ("profile",)),
        ("agent name", _AGENT_NAME, ("persona",)),
        ("home", _HOME, ("profile", "fact", "event")),
        ("age", _AGE, ("profile", "event")),
        ("weight", _WEIGHT, ("profile", "fact")),
        ("employer", _EMPLOYER, ("profile", "event", "fact")),
        ("occupation", _OCCUPATION, ("profile",)),
    ):
        match = pattern.search(text) if kind in kinds else None
        if match and not (kind == "fact" and match[0][:2].lower() in ("we", "我们")):  # a team, and what it uses
            return Slot(name, _value(match))
    state = state_of(text)
    return Slot(*state) if state is not None else _called(text) if kind == "profile" else None


def _favourite(text: str) -> Slot | None:
    favourite = _FAVOURITE.search(text)
    if favourite is None:
        return None
    subject = statement(favourite["s"] or favourite["s2"] or "")
    # Of what, may be left out.
    return Slot(f"favourite {' '.join(sorted(subject.content))}".strip(), _value(favourite), about="favourite")


def _called(text: str) -> Slot | None:
    return Slot("called", " ".join(sorted(names))) if (names := names_called(text, denied=False)) else None


def _wish(text: str) -> Slot | None:
    favourite = _favourite(text)
    if favourite is not None:
        return favourite
    text = answered(text)
    if _CONDITION.search(text):
        return None
    # One for Sundays is another one than that for every day.
    case = "".join(f" {word}" for word in sorted(case_of(text)))
    language = _REPLY_LANGUAGE.search(text)
    if language:
        named = next(value for value in language.groups() if value).lower()
        return Slot(f"reply language{case}", _LANGUAGE_NAMES.get(named, named))
    ornament = _ORNAMENT.search(text)
    if ornament and not statement(text).likes:
        found = (ornament[1] or ornament[2]).lower()
        return Slot(f"format {_ORNAMENT_NAMES.get(found, found)}{case}", str(statement(text).denies))
    length = _REPLY_LENGTH.search(text)
    if length:
        return Slot(f"reply length{case}", _value(length))
    return _called(text)


def _value(match: re.Match[str]) -> str:
    groups = match.groupdict()
    found = next(value for name, value in groups.items() if name.startswith("v") and name != "verb" and value)
    said = statement(found)
    return " ".join((*sorted(said.content), *said.numbers, *said.days)) or found.strip().lower()


def _subject(text: str) -> Slot | None:
    match = _subject_match(text)
    if match is None:
        return None
    subject, value = statement(match["s"]), statement(match["v"])
    verb = match.groupdict().get("verb") or ":"
    kind = _type_of(match["v"], value)
    about = {*subject.content, *subject.numbers, *subject.days}
    about = {"phone"} if about and about <= _PHONE else (about - _GENERIC) or about
    if not about:
        return None
    sure = kind != "word" or bool(_NAMING.search(verb))
    name = f"{' '.join(sorted(about))} {'named' if kind == 'word' and _NAMING.search(verb) else ''} ({kind})"
    of = " ".join(sorted(about))
    return Slot(name, " ".join((*sorted(value.content), *value.numbers, *value.days)), sure, of)


def subject_of(text: str) -> frozenset[str]:
    """The content words of what a statement gives a value of ("my birthday is ..."); empty if it gives none."""
    match = _subject_match(_LEAD.sub("", " ".join(text.split()).strip(" .。!！")))
    return statement(match["s"]).content if match else frozenset()


def _subject_match(text: str) -> re.Match[str] | None:
    renewed = next((match for pattern in _RENEWED if (match := pattern.match(text))), None)
    if renewed is not None:
        return renewed
    match = _SUBJECT_ZH.search(text) if re.match(r"[\u4e00-\u9fff]", text) else _SUBJECT.search(text)
    match = match or _SUBJECT_COLON.search(text)
    return None if match is None or _NOT_A_SUBJECT.search(match["s"].strip()) else match


def _type_of(text: str, value: Statement) -> str:
    for name, pattern in _TYPES:
        if pattern.search(text):
            return name
    if value.days:
        return "day"
    return "number" if value.numbers else "word"


def alternative(text: str) -> Choice | None:
    """Which of the known alternatives a text chooses. What it is chosen over does not count."""
    chosen = _NOT_CHOSEN.sub(" ", text.lower())
    if "比" in text and ("喜欢" in text or "好" in text):
        chosen = text.partition("比")[0] + text.rpartition("更")[2]
    tokens = set(re.findall(r"[a-z+#]+", chosen))
    for number, words in enumerate(_ALTERNATIVES):
        found = [word for word in words if word in tokens or (not word.isascii() and word in chosen)]
        if found:
            word = max(found, key=len)
            return Choice(number, words[word], word)
    return None


def prefers(text: str) -> bool:
    """Whether it puts one thing above others, so that only one can be preferred."""
    return bool(_PREFERS.search(text))
