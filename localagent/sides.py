"""Of which side of somebody's life a statement is (an illness, medicine, a home, a school, a journey, work, an age),
and what only happens to a thing or gets worse ("my left hearing aid broke", 我的车爆胎了): a change of one of them
tells nothing of the others, nor of what somebody has, uses or does. English and Chinese. Pure.
"""

from __future__ import annotations

import re
from functools import lru_cache

from localagent.changes import PROFESSION, SO_NOW
from localagent.statements import statement

_NO_DAY = (
    r"(?! (?:the )?(?:\d|(?:mon|tues|wednes|thurs|fri|satur|sun)day|(?:jan|feb|mar|apr|may|june?|july?|aug|sep|"
    r"oct|nov|dec)[a-z]*\b))"
)
# The names of medicines end as what they are does.
MEDICINE = (
    r"(?:\b\w{2,}(?:formin|pril|sartan|olol|statin|dipine|azole|cillin|oxetine|traline|citalopram|thyroxine|parin|farin|"
    r"xaban|gliptin|gliflozin|glutide|triptan)|\binsulin|\baspirin)"
)
MEDICINE_ZH = (
    r"(?:胰岛素|[\u4e00-\u9fff]{1,3}(?:沙坦|地平|洛尔|普利|双胍|沙班|法林|匹林|曲林|西汀|列汀|列净|鲁肽|拉唑|西林|他汀)|"
    r"他汀)"
)
_SIDES = {
    "illness": re.compile(
        r"\b\w+(?:itis|osis|psia|psy|emia|oma|algia|pathy|betes)\b|\b(?:heart|kidney|lung|liver|skin|thyroid) "
        r"(?:condition|disease|problems?|failure|trouble)\b|\b(?:asthma|cancer|tumou?r|migraines?|gout|dementia|"
        r"alzheimer['’]?s|"
        r"parkinson['’]?s|high blood pressure|hay fever|cataracts?|eczema|insomnia|adhd|depression|allerg(?:ic|y|ies)|"
        r"stroke|surgery|chemo\w*|illness|(?:is|are|am|was) (?:very )?(?:ill|sick))\b"
        r"|高血压|高血脂|高血糖|糖尿病|[心肝肾肺胃]脏?病|[炎癌瘤]|癫痫|哮喘|痛风|抑郁症|焦虑症|痴呆|帕金森|过敏|"
        r"白内障|青光眼|失眠|湿疹|骨质疏松|"
        r"中风|骨折|手术|住院|化疗|透析|生病|[得患]了?[^，。]{1,6}病",
        re.IGNORECASE,
    ),
    "medicine": re.compile(
        rf"\b(?:medication|medicines?|meds|pills?|tablets?|\d+ ?(?:mg|mcg))\b|{MEDICINE}\b"
        rf"|药(?![店房厂学师])|[吃服](?:[一二两半\d]+)[片粒颗]|毫克|{MEDICINE_ZH}",
        re.IGNORECASE,
    ),
    "weight": re.compile(
        r"\bweigh(?:s|ed|t)?\b|\b(?:down|up) to \d+ ?(?:kg|kilos?|pounds|lbs?|stone)\b|体重|[瘦胖减重]到|公斤",
        re.IGNORECASE,
    ),
    "debt": re.compile(r"\b(?:loans?|mortgage|debts?|owe[sd]?|overdraft)\b|贷款|[房车]贷|欠|借款|债", re.IGNORECASE),
    "savings": re.compile(r"\b(?:savings?|deposits?|ISA|nest egg)\b|存款|积蓄|存了|理财|定期", re.IGNORECASE),
    "rising": re.compile(
        r"\b(?:get|gets|getting|got|wake|wakes|woke) up\b(?! (?:to|with|at night))"
        r"|起床|[点半](?:就|才|要|得|都|多)*起来?(?!点)",
        re.IGNORECASE,
    ),
    "bedtime": re.compile(
        r"\b(?:go|goes|going|went) to (?:bed|sleep)\b|\bbedtime\b|上床|[点半](?:就|才|要|得|都|多|左右|准时|以前)*睡",
        re.IGNORECASE,
    ),
    "nap": re.compile(r"\bnaps?\b|午睡|午觉|午休|打个?盹|小睡", re.IGNORECASE),
    "price": re.compile(
        r"\b\d+ (?:a|per) (?:bowl|cup|portion|kilo|slice|pint|plate)\b|[涨降]价|\d块?钱?一[碗份斤杯瓶盘]", re.IGNORECASE
    ),
    "appointment": re.compile(
        r"\b(?:have|has|got|booked) an? (?:[\w-]+ )?(?:blood test|scan|x-ray|check-?up|screening|appointment)\b|"
        r"(?:去|约了?)[^，。]{0,6}(?:复查|体检|检查|抽血)",
        re.IGNORECASE,
    ),
    "home": re.compile(
        rf"\baddress\b|\b(?:lives?|living|moved) (?:to|in|at|into|back)\b{_NO_DAY}|\bcare home\b|\bmoved to an? "
        r"|住(?!院)|搬[到去家]|养老院",
        re.IGNORECASE,
    ),
    "school": re.compile(
        r"\bstud(?:y|ies|ying)\b|"
        r"\b(?:goes to|started|is in|is at) (?:\w+ ){0,2}"
        r"(?:school|nursery|kindergarten|college|university|year \d|grade)\b"
        r"|上学|读书|上(?:了)?(?:幼儿园|小学|初中|高中|大学)|[读念](?:小学|初中|高中|大学)|[一二三四五六]年级",
        re.IGNORECASE,
    ),
    "teacher": re.compile(
        r"\bnew (?:\w+ )?teacher\b|\bteacher(?:['’]s| is| was) "
        r"|换了?(?:个|新)*(?:老师|班主任)|(?:老师|班主任)(?:是|姓|换)",
        re.IGNORECASE,
    ),
    "journey": re.compile(
        r"\b(?:go|going|fly|flying|travel|travell?ing|trip|flight|holiday|vacation) to (?-i:[A-Z])"
        r"|去了?[^，。]{2,6}?(?:玩|旅游|旅行|度假|出差|自驾)|改去",
        re.IGNORECASE,
    ),
    "work": re.compile(
        r"\b(?:works?|working|job at|employed) (?:at|for|as|in|by)\b|\bchanged jobs\b|\bretired\b"
        rf"|\bmoved to\b{_NO_DAY}"
        rf"|\b(?:am|is|are|was|['’]m|['’]s) (?:now )?an? (?:[\w-]+ ){{0,3}}{PROFESSION}\b"
        r"|上班|工作|跳槽|退休|辞职|转岗|任职|就职|在[^，。]{1,12}当(?![天时地])",
        re.IGNORECASE,
    ),
}


# What a medicine is against is no illness that is told of: "her allergy pills", 过敏药; not who takes it for what,
# 高血压在吃药.
_AGAINST = re.compile(
    r"\b[\w-]{1,30} (?=(?:pills?|tablets?|medication|medicines?|meds)\b)|(?:(?![吃服用喝开打换停断在着的了买拿有没])"
    r"[\u4e00-\u9fff]){2,3}(?=药(?![店房厂学师]))",
    re.IGNORECASE,
)


@lru_cache(maxsize=1024)
def sides(text: str) -> frozenset[str]:
    """The names of the sides of a life that a statement tells of."""
    told = _AGAINST.sub("", text)
    return frozenset(name for name, pattern in _SIDES.items() if pattern.search(told))


def of_other_sides(text: str, other: str) -> bool:
    """Whether the two are of different sides of a life ("has diabetes", "was switched to insulin"). False where of one
    nothing is known."""
    told, before = sides(text), sides(other)
    return bool(told and before) and not told & before


# An age that somebody reaches, and what says an age in whatever way: "Leo (7)", "is 41", 三岁.
_SMALL = r"(?:\d{1,3}|[a-z]+ty(?:-\w+)?|one|two|three|four|five|six|seven|eight|nine|ten|eleven|twelve|\w+teen)"
_REACHES = re.compile(
    rf"\bturn(?:s|ed|ing) (?:just )?{_SMALL}\b|(?:\d{{1,3}}|[零一二两三四五六七八九十百]+)(?:周)?岁", re.IGNORECASE
)
_AGE = re.compile(
    rf"\b(?:turn(?:s|ed|ing)?|aged?|birthday)\b|\b(?:is|am|are|was)(?: now| only| just| already)? {_SMALL}\b|"
    rf"['’](?:s|m|re)(?: now| just)? {_SMALL}\b|\(\d{{1,3}}\)|\b(?:years?|months?|weeks?)[- ]old\b|"
    rf"\b(?:(?-i:[A-Z])[a-z]+|(?:my|our) \w+),? {_SMALL}(?=[,.;)]|$| and\b)|岁|生日|属[鼠牛虎兔龙蛇马羊猴鸡狗猪]|"
    r"[一二三四五六七八九十]{2,}[。，]?$",
    re.IGNORECASE,
)


_BORN_ON = re.compile(
    r"\bbirthday(?: is|'s)?(?: on)? (?:the )?(?:\d|[a-z]+ \d)|生日(?:是|在|为)?(?:农历|阴历|"
    r"阳历)?[\d一二三四五六七八九十]+月",
    re.IGNORECASE,
)


def only_of_age(text: str, other: str) -> bool:
    """Whether it says how old somebody is now, and the other one says nothing of anybody's age."""
    return bool(_REACHES.search(text)) and not _AGE.search(_BORN_ON.sub(" ", other))


_MONTH = r"(?:jan|feb|mar|apr|may|june?|july?|aug|sept?|oct|nov|dec)(?:uary|ruary|ch|il|ust|tember|ober|ember)?"
_WILL_BE = re.compile(
    rf"\b(?:(?:am|is|be|turns?|turning)|(?<=['’])[ms]) (?:turning )?{_SMALL} (?:in (?:{_MONTH}\b|(?:the )?(?:spring|"
    r"summer|autumn|winter)\b|(?:an?|two|three|\d+) (?:days?|weeks?|months?)\b)|on (?:the )?\w+|next \w+|soon\b|"
    r"tomorrow\b)|"
    rf"(?:will|['’]ll|going to|about to) (?:be|turn) {_SMALL}\b|"
    r"(?:明年|后年|下个?[周月]|快要?|即将|马上|年底|生日|"
    r"[\d一二三四五六七八九十]{1,2}月(?:份|底|初|[\d一二三四五六七八九十]{1,3}[号日])?)"
    r"[^，。岁了过]{0,3}[\d一二三四五六七八九十]{1,3}周?岁(?!时)",
    re.IGNORECASE,
)
_ALREADY_ZH = re.compile(r"已经|刚|去年|上个?[周月]|昨|前天|早就|满了|过了")


def only_of_age_to_come(text: str, other: str) -> bool:
    """Whether it says how old somebody will be ("I'm 44 in March", 三月就44岁了), and the other one how old they
    are."""
    if _ALREADY_ZH.search(text) or _WILL_BE.search(other):
        return False
    return bool(_WILL_BE.search(text) and _AGE.search(other))


# What is lost or dropped for good, and lies nowhere. A word that another noun follows is none of it ("work phone").
_WORD = r"(?!(?:at|in|on|from|with|and|while|of|for)\b)[\w-]+"
_NO_THING = (
    r"(?:jobs?|work|licen[cs]e|interest|home|house|weight|taste|faith|appetite|sight|voice|hair|position|place|seat|"
    r"course|class(?:es)?|lessons?|subscription|membership|scholarship|grant|benefits?|pension|visa|order|"
    r"plans?|studies|contract|wife|husband|partner|mother|mum|mom|father|dad|son|daughter|brother|sister|baby|friend|"
    r"hearing)(?=$|[,;.!]| (?:at|in|on|with|last|this|when|because|yesterday|today|and|but|to|after|for|as|again|so)\b)"
)
# What one comes off that is no bike: a medicine, and what has no article.
_TAKEN = (
    rf"(?:(?:(?:the|my|his|her) )?(?:{MEDICINE}|pill|pills|meds|medication|tablets)\b|"
    r"(?!(?:yesterday|today|again|completely|[a-z]+ly)\b)[a-z]{5,}(?:$|[,.;]))"
)
_BEFALLS = re.compile(
    r"\b(?:broke(?! (?:up|even|with))|(?:is|are|'s|was|got|has) broken|cracked|snapped|shattered|leak(?:s|ed|"
    r"ing)|burst|jammed|"
    r"(?:is|are|'s|got|was) stuck|(?:ran|is running|has run|are running) out(?! of (?:time|town))|"
    r"(?:flat|dead|empty) (?:tyres?|tires?|batter(?:y|ies))|batter(?:y|ies)\b[^,.;]{0,30} (?:died|(?:is|"
    r"are) (?:dead|flat|empty|low))|"
    r"punctured?|(?:will not|won't|wouldn't|doesn't|didn't) (?:start|turn on|charge|close|open|boot)\b|"
    r"(?<!\bI )(?<!\bwe )(?<!\bhe )(?<!\bshe )(?:stopped|isn't|is not|(?<!I'm )(?<!I am )(?<!I’m )not) working|"
    r"(?:acting|playing) up|being (?:repaired|serviced|fixed|cleaned)|"
    r"(?:is|are|'s) (?:in (?:the garage|for (?:repairs?|a service))|at the (?:garage|mechanic))|"
    rf"(?:fell|falling) (?:off|apart|loose|out)|(?:came|coming|come) (?:apart|loose|out|off(?! {_TAKEN}))|"
    r"crash(?:es|ed|ing)|overheat(?:s|ed|ing)|blew (?:up|a)|"
    r"(?:got|is|was|are|were) (?:scratched|dented|clogged|blocked|frozen|dirty|wet|soaked)|(?:was|were|"
    r"is) (?:so |very |\d+ "
    r"minutes )?late(?! (?:twen|thir|for|fif)ties)|needs? (?:repair\w*|fixing|cleaning|charging|a (?:service|"
    r"new (?:battery|filter|tyre|tire|screen)))|"
    r"(?:lost|misplaced|mislaid|dropped|scratched|dented|spilled \w+ (?:on|over)) (?:my|our|one of my) "
    rf"(?!(?:{_WORD} ){{0,3}}?{_NO_THING}))"
    r"|坏了|碎|裂了|裂开|断了(?!联|奶|药|供)|漏[水油电气]|爆胎|没[电气]了?$|没电|死机|晚点|松了|松动|堵了|堵住|"
    r"卡住|烧了|烧坏|脱落|熄火|抛锚|"
    r"(?:送|拿|开)去?(?:维修|修|保养)|在(?:维)?修|弄丢|(?<!工作)(?<!兼职)(?<!饭碗)丢了(?!工作|饭)|摔|进水|[打开充]不[开了进上]|蹭|剐|刮花|"
    r"故障|出(?:了)?(?:毛病|问题)|失灵|"
    r"生锈|弄脏|黑屏|闪退|刚[走到回]|先走了|出门了|到家了|去上班了",
    re.IGNORECASE,
)
# What came to an end, and what is so instead.
_INSTEAD = re.compile(
    rf"\b(?:{SO_NOW}|for good|beyond repair|replac\w+|sold|"
    r"switch\w*|"
    r"bought|new one|used to|g[ai]ve(?:n)? up|gave|quit|threw|written off|stopped (?!working)\w+|from now on|"
    r"so I|contract|visa|lease|membership|"
    r"subscription|insurance|permit|warranty|passport)\b|现在|改|换|以后|不再|新的?|卖|买|扔|报废|合同|签证|会员|"
    r"租约|保险|工作",
    re.IGNORECASE,
)
# What is put by for something is not there yet.
_SAVES_FOR = re.compile(
    r"\bsav(?:e|es|ing)(?: up| money| some money)? (?:for|towards|to (?:buy|get))\b|[攒存]钱|攒(?:个)?首付",
    re.IGNORECASE,
)
_WORSE = re.compile(
    r"\b(?:worse(?:ned|ns|ning)?|more severe|flar(?:ed|ing|es) up|acting up|playing up|hurts? (?:again|more)|"
    r"relaps\w+)\b"
    r"|更(?:厉害|严重|重了?|糟)|加重|恶化|发作|复发|又犯",
    re.IGNORECASE,
)


def befalls(text: str, other: str) -> bool:
    """Whether it says only what happened to something, or that something got worse, and the other one what somebody
    has, uses or does, or has fallen ill with: that is still so."""
    plain = text.replace("’", "'")
    if _INSTEAD.search(plain) or _BEFALLS.search(other.replace("’", "'")):
        return False
    if _BEFALLS.search(plain):
        return True
    said, before = statement(text), statement(other)
    return bool(_WORSE.search(plain) and said.content & before.content) and not said.numbers and not before.denies


def only_saves_for(text: str, other: str) -> bool:
    """Whether it says for what somebody saves money, and the other one what they have or pay."""
    return bool(_SAVES_FOR.search(text)) and not _SAVES_FOR.search(other)
