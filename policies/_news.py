"""News: what somebody says is different now, or is not so. It counts only for what it corrects, so that nearly
everything may be news."""

from __future__ import annotations

import re

from ._people import NO_NAME
from ._rule import Rule, any_of

REPLACES = re.compile(
    r"现在(?:又|也|就|都)?(?:可以|能|敢).{1,10}了|"
    r"\b(?:not (?:going|flying|travell?ing) to(?= (?-i:[A-Z]))|won't (?:go|fly|travel) to(?= (?-i:[A-Z]))|"
    r"can (?:\w+ ){1,5}(?:now|again)|after all|any longer|"
    r"I(?:'ve| have|’ve)? (?:just |recently )?left (?-i:[A-Z])\w+|g[ai]ven? up|gave up|sold|left (?:the|my|our)|"
    r"left|resigned|went (?:up|down)|"
    r"raised to|turn(?:ed|s) \w+|"
    r"chang\w+ my mind|changed our minds?|second thoughts?|these days|nowadays|the (?:true|real|right|correct|"
    r"actual) \w+|this time|not any ?more|any ?more|no longer|instead|now|"
    r"changed?|changes|moved?|switch(?:ed|ing)?|actually|correction|"
    r"rescheduled|postponed|cancel\w*|called off|rather than|used to|new|updated?|replac\w+|from .{1,30} to|"
    r"stopped|quit|slip(?:s|ped)|bumped|shifted|raised|lowered|back to|(?:am|is|are) (?:now )?(?:down|up) to|"
    r"(?:started|began|back|taken? up) .{1,40} again|(?:I|we)(?:'ve| have|’ve)? \w+ (?:\w+ ){1,4}again(?=[.!]*$)|"
    r"(?:on|at|to|is|are) (?:\w+day\w*|\d[\w:.,]*(?: \w+)?) (?:now|from now on)|"
    r"got (?:married|engaged|divorced|laid off|fired|made redundant)|retired|lost my job|"
    r"scrap (?:that|it)|scratch that|forget (?=(?-i:[A-Z]))|change of plans?|fell through|"
    r"pushed|brought forward|wait|drop(?:ping)?|revert\w*|delayed|turns out)\b|n't .{1,40} any ?more|I(?:'m|"
    r"’m) (?:down|up) to|"
    r"^(?:\w+,? )?not [^,;]{2,40}[,;] |[,;] (?:and )?not [^,;]{2,40}$"
    r"|改成|改为|改到|改用|改在|改了|改叫|换成|换了|换到|换用|不再|再也不|取消|更正|现在|推迟|提前|延期|延后|"
    r"换.{1,6}了|换回|改回|切回|重新|又(?:开始|能|可以)|涨价|降价|涨了|降了|[瘦胖减重]到|满(?=.{1,3}岁)|"
    r"移到|挪到|转到|搬到|搬去|辞职|离职|跳槽|改主意|想了想|涨到|降到|刚满|卖了|放弃了?|其实|不对|而不是|作废|调整为|"
    r"(?:现在|如今)(?:又|也|就|都|开始)?[吃喝学练做住].{1,8}了(?=[。.!！]*$)|没有?[^，。]{1,8}了(?=[。.!！]*$)|[加减升调]到|(?:计划|行程)[有变]|改[去飞]|"
    r"[结离]婚了|分手了|退休了|考上|(?<![陌学])生了|上(?=[小初高中大]学?了)|"
    r"变成|变为|不是.{1,20}是|不是[^，。]{1,12}[，,]|[，,]不是[^，。]{1,12}$|不.{1,12}了|[去来]不[了成]|新的?|"
    r"戒(?!指|备)|更新|(?:昨天|昨晚|今天|今早|前天|刚刚?|上周|上个?月)(?:早上|晚上|凌晨)?走了",
    re.IGNORECASE,
)
MAX_NEWS = 160
NEWS = Rule("event", any_of(r"\S"), 0.3)
_HARDLY_NEWS = frozenset(
    "new now wait drop dropping actually left update updated change changes 现在 新 新的 其实 不对 更新".split()
)
_OWN = re.compile(
    r"\b(?:I|I'm|I've|we|we've|my|our|the|it|it's)\b|^not\b|^(?-i:[A-Z][\w'-]+) (?:is|has|just|now|turn\w*|moved|lives|"
    r"works|got|start\w*|slip\w*|was)\b|^(?:please |let's )*(?:go|switch|change) back\b|"
    r"\b(?:option|plan|variant|version) \w+$|[\u4e00-\u9fff]",
    re.IGNORECASE,
)
GOES_ON = re.compile(
    r"(?:[,;]| -| –| —)? ?(?:and |but |so |instead )?(?:I|I'm|I've|I'll|we|we're|we've|now|it's|it|option|plan)\b|"
    r"[，；,]? ?"
    r"(?:[我现改新选就换已用在是]|目前)",
    re.IGNORECASE,
)


# "I'm not ..." corrects what says that somebody is.
_DENIES = re.compile(
    r"^(?:(?:now|well|so|actually|but),? )*(?:I|we)(?: really| actually| just)*(?:(?: am|'m|’m| are|'re|’re)? not\b|"
    r"(?: do| did| can| ca| were| was| wo)(?:n't|n’t| not)\b| never\b)(?! (?:sure|know|think|mean|care|mind|"
    r"understand|"
    r"want|believe|remember|see|say|said|said that|get it|wait|find|decided)\b)"
    r"|^我们?[^，。？]{0,10}?(?:并不|不)(?!知道|想|要|懂|明白|是说|清楚|确定|觉得|记得|认为|管|用|好意思|会吧|"
    r"过(?!敏)|错|"
    r"行)",
    re.IGNORECASE,
)

# How somebody with a name is now, or what has become of them: it counts only of whom is known.
_OF_A_NAME = re.compile(
    rf"{NO_NAME}(?:[A-Z][a-zà-ÿ]+(?:['’]s| is| [a-z]+s) .*\bnow\W*$|"
    r"[A-Z][a-zà-ÿ]+ (?:(?:has|just|recently|finally|sadly) )*"
    r"(?:(?:had|got|lost) (?:an?|his|her|twins|married|engaged)|became|married|died"
    r"|(?:ran|flew|went) (?:away|missing))\b)"
)


def is_news(words: str) -> bool:
    """Whether a clause says of the speaker's own things, by more than "new" or "now", that something is different or
    not so; or tells of somebody with a name."""
    if len(words) > MAX_NEWS:
        return False
    if _OF_A_NAME.match(words):
        return True
    if not _OWN.search(words):
        return False
    return bool(_DENIES.search(words)) or any(
        match[0].lower() not in _HARDLY_NEWS for match in REPLACES.finditer(words)
    )
