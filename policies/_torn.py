"""What a clause cannot be understood without: the words before it that name whom or what it is about."""

from __future__ import annotations

import re
from dataclasses import replace

from ._amounts import OF_NOTHING
from ._clauses import Clause
from ._facts import STATED_VALUE
from ._health import HEALTH, NOT_EATEN, REACTION
from ._hits import Hit, excepts, takes_along
from ._life_zh import PAID_ZH, PERSON_ZH
from ._news import NEWS
from ._own_words import points_back
from ._reasons import REASON, SHAPED
from ._rule import any_of
from ._wishes import ANSWERS, LIKES

_OF_SOMETHING = {"profile", "relationship", "habit", "fact"}
# What it is of is nowhere in it: "I feed it", "My son takes it too", 我每天喂它, 我儿子也吃; but "I like it when ..."
TAKES_UP = any_of(
    r"^(?:I|we|(?:my|our) [\w-]+(?: (?-i:[A-Z])\w+)?) (?:(?:also|usually|always|never|really|only|often) )?[a-z]+ "
    r"(?:it|them|him|her(?! (?!(?:too|on|at|in|every|twice|once|a lot)\b)[a-z]))\b(?!['’]s| (?:is|was|will|when|if|"
    r"that|takes|would|has|can|to|here|there|best|better|hard|easy|difficult|clear|\w+ to)\b)",
    # What is taken is named, and not what for; when one goes, and not where.
    r"^(?:I|we|(?:my|our) [\w-]+)(?: (?!(?:and|but|or)\b)[\w'’-]+){1,7} (?:for|against|because of|about) "
    r"(?:it|them)[.!]*$",
    r"^(?:I|we)(?:['’](?:m|re|ll)| am| are| will)(?: now)? (?:go|fly|leav|com|travel|start)\w* (?:on|at|in|from) "
    r"(?:the )?(?:\d[\w:.]*(?: (?:of )?(?-i:[A-Z])[a-z]+)?|"
    r"(?-i:[A-Z])[a-z]+(?:day|ary|ch|ril|ay|une|uly|ust|ber))[.!]*$",
    r"^我们?[^，。的]{1,8}?(?:它们?|[他她](?!们?的|人|乡|说))",
    r"^我们?[^，。]{1,8}也(?:都?[是有会能吃喝用去练学]|[^，。]{0,6}一样的?)[。.!！]*$",
    rf"^(?:{OF_NOTHING.pattern})",
)
LEANS = any_of(
    r"^(?:it|this|that|they|these|those|he|she|his|her|their)(?:'s|'re|'ll)?\b",
    r"^(?:它|这个|那个|这(?!周|个月|次|里|学期)|那(?!么|就|咱|我)|他|她|他们|她们|其|我们在一起)",
    r"^we(?:['’]ve been| have been|['’]re| are) together\b",
    r"^we (?:usually |always |also )?(?:meet|rehearse|train|practi[sc]e|perform)\b",
    TAKES_UP.pattern,
)
# One of those that the clause before names: "the other is five", 大的八岁.
_ONE_OF = re.compile(
    r"(?:my|our|his|her|the) (?:[\w-]+ )?(?:ones?|other|others|second|third|rest)\b|"
    r"(?:my|our) [\w-]+['’]s (?:is|are)\b|"
    # ... or of the same of somebody else: 我爸生日是3月9号，我妈是3月10号.
    r"[^，。是]{1,5}是(?:\d{1,2}月)?\d{1,2}[日号岁点码]?[，,。.!！]*$|"
    r"[一两二三四五]?[个只台辆间位]?[大小老新旧]的(?!时候)|(?:另|其中)一?[个只台辆间位]|老[大二三四五六小幺](?=[今才刚已\d一二三四五六七八九十在上读])",
    re.IGNORECASE,
)
# A place that another clause names: "I don't eat there any more".
THERE = re.compile(
    r"\w there\b(?!['’]s| (?:is|are|was|were|has|have|will|can)\b)|^(?:the|my|our) \w+ (?:over )?there\b", re.IGNORECASE
)
# "I feed it every Sunday", 我每天喂它: of what nothing in the clause has named.
_BACK = re.compile(
    r"(?:(?!\b(?:my|our|the|an?|this|that|your)\b)[^\n]){1,80}?[a-z] (?:it|them|him|her)\b(?!['’]s| (?:is|was|when|if|"
    r"that|takes|would)\b)|我们?[^，。的]{1,12}?(?:它们?|[他她](?!们?的|人|乡|说))",
    re.IGNORECASE,
)
# "..., we rehearse on Tuesdays", "..., we carry two EpiPens": what is done because of what the words before name.
_WE_DO = re.compile(
    r"we (?:(?:now|also|always|usually|both) )?(?!(?:are|were|had|have|should|could|would|might|may|must|will|need|"
    r"want|can\w*|hope|think|know|went|did|do|does|don|got|wish|plan|expect|saw|ate|took|came|met|drove|flew|bought|made|found|"
    r"lost|left|just|only|never|\w+ed)\b)[a-z]+ (?!(?:it|them|this|that|you|to|in|at|with)\b)"
    r"(?![^,;]*\b(?:today|tonight|tomorrow|yesterday|soon|later)\b)\w",
    re.IGNORECASE,
)
# "..., so I do the school run then": of a time, and of somebody, that it does not name.
_THEN = re.compile(
    r"\b(?:then|so far|that day|those days|afterwards|that way|the same(?: one| thing)?)[.!]*$", re.IGNORECASE
)
_HE = re.compile(
    r"(?:(?!\b(?:my|our|his|her|their)\b|(?-i:\b[A-Z][a-z]))[^\n]){1,80}?[,;] (?:he|she|they)\b", re.IGNORECASE
)
_NAMES = re.compile(
    r"\b(?:my|our|an?|the|two|three|four|five|six|some)\b|(?-i:\b[A-Z][a-z])|[\u4e00-\u9fff]", re.IGNORECASE
)
# It asks to be reminded, and not of what.
_REMINDS = re.compile(
    r"(?:please |and )?remind me(?: (?:if|when|whenever|before|after|every|each|then|at|on)\b[^\n]*)?[.!]*$|"
    r"[^，。]{0,12}提醒(?:一[下哈])?我(?:一[下哈])?[。.!！]*$",
    re.IGNORECASE,
)
# A wish that leaves out what is to be so: 列表最多五条，别太长.
_HOW_ZH = re.compile(r"(?:别|不要)太[\u4e00-\u9fff]{1,3}[。.!！]*$")
# What tells of nothing by itself: who it is of, when and how it is so, and that it is. What is left is what it says.
_OWNER = re.compile(
    rf"^(?:[这那]是)?(?:{PERSON_ZH}|[我咱]们?家?)|"
    r"^(?:(?:and|but|so|well|yes|no),? )*(?:(?:my|our|his|her|their) [\w'’-]+)?",
    re.IGNORECASE,
)
_EMPTY = re.compile(
    r"['’](?:m|re|ve|d|ll|s|t)\b|\b(?:I|me|we|us|you|he|him|she|they|them|it|this|that|these|those|there|here|ones?|"
    r"others?|same|so|too|either|neither|also|again|now|then|always|never|often|usually|sometimes|just|only|still|"
    r"already|yet|ever|even|last \w+|really|rather|quite|anyway|please|not|no|do|does|doing|did|don|didn|doesn|won|am|"
    r"is|are|was|were|be|been|have|has|had|will|would|can|could|should|may|might|must|used|to|let|the|an?|and|or|but|"
    r"as|of|with|at all|any ?more)\b|"
    r"(?:喜欢|讨厌|[爱想怕][吃喝看听玩用穿]?)[了的]?$|[一两几]个$|[这那](?:个|样|种|么|儿|里|边)?|现在|目前|一直|以后|从来|"
    r"必须|应该|提前|赶紧|马上|可以|[我你他她它们别也就都还得要该再又才只最很太真更是的了吧呢啊没会能]|不(?!好)|(?<!不)好|[\W_]",
    re.IGNORECASE,
)
_WORD = re.compile(r"[\u4e00-\u9fff]|[^\W_\u4e00-\u9fff]+")
# "Never call me that", "my nephew wrote this": what is meant stands elsewhere.
_POINTS_AWAY = re.compile(
    r"\b(?:it|this|that|these|those|there|here|them|one|ones|others?|same)"
    r"(?: (?:again|too|either|now|then|any ?more|at all|please|ever|last \w+|yet))*\W*$"
    r"|[这那](?:个|样|种|么|边|儿|里|些)[了吧的]?$",
    re.IGNORECASE,
)
# To what something was changed, and not what: 改成一年查一次, 我医生喊我减到50微克; done together, and not with whom.
_OF_WHAT_ZH = re.compile(
    r"(?:(?:我的?)?(?:医生|大夫)|[我又也已经现在都从说让叫喊给帮])*"
    r"(?:改|换|调|减|加|降|升|涨|挪|推迟|提前)[成为到回至在了]+"
    r"(?:[\d.一二两三四五六七八九十百千半每第个天周月年号日点次回片粒颗查做去跑上下中午早晚了]|星期|礼拜|毫克|微克|单位|左右|小时|分钟)*[。.!！]*"
    r"|我(?!们)[^，。和跟与同陪带]*一(?:块儿?|起)[^，。]*"
)
_JOINT = re.compile(r"[\s,，而且也还]*(?:(?:and|so|but) )?$", re.IGNORECASE)
# It goes on with what the clause before is of: 牙医打电话来，改成18号; 我用的电脑是MacBook，内存16G.
_GOES_ON_ZH = re.compile(
    r"(?:[^，。我咱你他她]{0,4}[给帮])?(?:改|换|调|挪|推迟|提前|延)[成到为了在]|就(?:叫|是|在|用|选|定)"
)
# What everybody pays or earns is the speaker's: 我住在滨江区，房租每月5800 are two statements.
_SPEAKER_ZH = re.compile(r"[^，。]{0,4}[我咱]")
_OF_EVERYBODY_ZH = re.compile(r"(?:每月|现在)?(?:房租|租金|月租|工资|[月年]薪|薪水|月?收入|[房车]贷|月供)")
_OF_ITS_OWN_ZH = re.compile(r"[我咱你您他她这那]|[^，。是有在]{1,8}的(?!是)|[\x00-\x7f]")
_STATES_NOTHING_ZH = re.compile(r"(?:你好|您好|大家好|早|谢谢|好的?|今天|昨天|最近|天气|对了)|.{1,3}$")


# What stays or falls away of it: 钢琴课改到周六了，周四的取消，周二照旧.
_REST_ZH = re.compile(
    r"[^，。我你他她]{1,8}(?:照旧|照常|照样|不变|(?<=的)(?:取消|停|不上)了?|(?<=那[节天次])(?:取消|停)了?)[。.!！]*"
)


def understood(words: str) -> bool:
    """Whether a statement says what it is of, so that it is understood by itself: "I always do", 我就不 and "never call
    me that" are not."""
    plain = words.strip(" ,，.。!！;；")
    owner = _OWNER.match(plain)
    rest = plain[owner.end() :] if owner else plain
    if _OF_WHAT_ZH.fullmatch(plain) or _OF_WHAT_ZH.fullmatch(rest):
        return False
    left = _WORD.findall(_EMPTY.sub(" ", rest))
    said = sum(1 if "\u4e00" <= word <= "\u9fff" else 2 for word in left)
    return said >= (4 if _POINTS_AWAY.search(plain) else 2)


def leans_back(words: str) -> bool:
    """Whether it says to what something was changed, or points at it, and what that is stands elsewhere."""
    plain = words.strip(" ,，.。!！;；")
    return bool(_OF_WHAT_ZH.fullmatch(plain) or _POINTS_AWAY.search(plain))


def goes_with(masked: str, last: Hit, before: Clause | None, clause: Clause, found: Hit | None) -> bool:
    """Whether a clause is one with the statement before it: it limits that, says of it that it is so and so
    (初一十五我吃素，这是规矩), or leaves out what it is of."""
    if takes_along(masked, last, found) or excepts(masked, last, clause, found) or _gives_reason(masked, last, clause):
        return True
    if not _JOINT.match(masked, last.end, clause.own):
        return False
    if not last.explicit and _REST_ZH.fullmatch(masked[clause.own : clause.end].strip()):
        return True
    if found is None:
        along = last.rule.kind in _OF_SOMETHING and not (last.explicit or clause.asks or clause.supposes)
        return along and bool(_WE_DO.match(masked, clause.own, clause.end))
    said = _NAMES.search(masked, last.start, last.end)
    if said and {last.rule.kind, found.rule.kind} <= _OF_SOMETHING and _takes_up(masked[clause.own : clause.end]):
        return True
    if not headless(masked, before, clause, found) or last.rule == found.rule == PAID_ZH:
        return False
    return found.rule == PAID_ZH or last.rule is NEWS or last.rule.kind in ("fact", "event")


def _takes_up(words: str) -> bool:
    """Whether words begin with "it" or "her", or take up with "it", "there", "then" what they do not name."""
    patterns = (LEANS, _ONE_OF, _BACK, _HE, _REMINDS)
    return any(pattern.match(words) for pattern in patterns) or bool(THERE.search(words) or _THEN.search(words))


def _gives_reason(masked: str, last: Hit, clause: Clause) -> bool:
    """Whether it only says why something is wished or done: "don't use tables, I can't stand them"."""
    wish = not last.explicit and (last.rule.standing or last.rule.kind == "habit")
    apart = masked[last.end : clause.own].strip(" ,，;；–—-")
    return (
        wish and not apart and not clause.asks and bool(REASON.search(masked[clause.own : clause.end].strip(" .。!！")))
    )


def begun_before(masked: str, before: Clause, clause: Clause, found: Hit) -> Hit:
    """The hit of a clause, from the clause before on where that names what it is of, or is the order that it gives the
    reason of: "keep it under 100 words, I hate waffle"."""
    pointed = not (before.asks or before.supposes or found.explicit) and points_back(
        masked, before.own, before.end, before.end
    )
    if (
        pointed
        or headless(masked, before, clause, found)
        or (found.rule.standing and _HOW_ZH.match(masked, clause.own))
    ):
        return replace(found, start=before.own)
    if found.rule in LIKES and not before.asks and SHAPED.search(masked[before.own : before.end].strip(" ,，")):
        return replace(found, start=before.own, rule=ANSWERS[0])
    return found


def headless(masked: str, before: Clause | None, clause: Clause, found: Hit) -> bool:
    """Whether a Chinese clause with a value or a change leaves out what it is of, and the clause before names that."""
    words = masked[clause.own : clause.end]
    if before is None or before.asks or before.supposes or found.explicit or found.subject or words[:1] < "\u4e00":
        return False
    if _STATES_NOTHING_ZH.match(masked[before.own : before.end].strip(" ,，")):
        return False
    if _GOES_ON_ZH.match(words):
        return True
    if found.rule == PAID_ZH and _OF_EVERYBODY_ZH.match(words) and _SPEAKER_ZH.match(masked, before.own, before.end):
        return False
    return found.rule in (STATED_VALUE, PAID_ZH) and not _OF_ITS_OWN_ZH.match(words)


def with_what_it_needs(masked: str, hit: Hit, start: int) -> Hit:
    """The hit from the beginning of its sentence (`start`) on, if it begins with "it" or "her", or takes up with "it",
    "there" what it does not name. What somebody does not eat because of their body is of that."""
    if hit.rule.kind == "habit" and NOT_EATEN.search(masked, hit.start, hit.end):
        hit = replace(hit, rule=HEALTH[0]) if REACTION.search(masked[hit.start : hit.end]) else hit
    if hit.explicit or hit.start <= start or hit.subject:
        return hit if hit.explicit or not THERE.search(masked, hit.start, hit.end) else replace(hit, start=start)
    words = masked[hit.start : hit.end]
    return replace(hit, start=start) if _takes_up(words) or not understood(words) else hit
