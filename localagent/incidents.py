"""What happens to a thing, or gets worse, is no change of what somebody has, uses or does: "my left hearing aid broke",
我的车爆胎了, "my hay fever is worse this year". English and Chinese. Pure.
"""

from __future__ import annotations

import re

from localagent.statements import statement

_BEFALLS = re.compile(
    r"\b(?:broke(?! (?:up|even|with))|(?:is|are|'s|was|got|has) broken|cracked|snapped|shattered|leak(?:s|ed|"
    r"ing)|burst|jammed|"
    r"(?:is|are|'s|got|was) stuck|(?:ran|is running|has run|are running) out(?! of (?:time|town))|"
    r"(?:flat|dead|empty) (?:tyres?|tires?|batter(?:y|ies))|batter(?:y|ies)\b[^,.;]{0,30} (?:died|(?:is|"
    r"are) (?:dead|flat|empty|low))|"
    r"punctured?|(?:will not|won't|wouldn't|doesn't|didn't) (?:start|turn on|charge|close|open|boot)\b|"
    r"(?:stopped|isn't|is not|not) working|(?:acting|playing) up|being (?:repaired|serviced|fixed|cleaned)|"
    r"(?:is|are|'s) (?:in (?:the garage|for (?:repairs?|a service))|at the (?:garage|mechanic))|"
    r"(?:fell|falling|came|coming|come) (?:off|apart|loose|out)|crash(?:es|ed|ing)|overheat(?:s|ed|ing)|blew (?:up|a)|"
    r"(?:got|is|was|are|were) (?:scratched|dented|clogged|blocked|frozen|dirty|wet|soaked)|(?:was|were|"
    r"is) (?:so |very |\d+ "
    r"minutes )?late(?! (?:twen|thir|for|fif)ties)|needs? (?:repair\w*|fixing|cleaning|charging|a (?:service|"
    r"new (?:battery|filter|tyre|tire|screen)))|"
    r"(?:lost|misplaced|mislaid|dropped|scratched|dented|spilled \w+ (?:on|over)) (?:my|our|one of my) (?!job|"
    r"work|licen[cs]e|interest|home|"
    r"house|weight|taste|faith|appetite|sight|voice|hair|position|place|seat|course|class|classes|subscription|"
    r"membership|"
    r"wife|husband|partner|mother|mum|mom|father|dad|son|daughter|brother|sister|baby|hearing(?! aids?)|order|"
    r"plan|studies))"
    r"|坏了|碎|裂了|裂开|断了(?!联|奶|药|供)|漏[水油电气]|爆胎|没[电气]了?$|没电|死机|晚点|松了|松动|堵了|堵住|"
    r"卡住|烧了|烧坏|脱落|熄火|抛锚|"
    r"(?:送|拿|开)去?(?:维修|修|保养)|在(?:维)?修|弄丢|丢了(?!工作|饭)|摔|进水|[打开充]不[开了进上]|蹭|剐|刮花|"
    r"故障|出(?:了)?(?:毛病|问题)|失灵|"
    r"生锈|弄脏|黑屏|闪退",
    re.IGNORECASE,
)
# What came to an end, and what is so instead.
_ENDS = re.compile(
    r"\b(?:now|nowadays|these days|instead|any ?more|any longer|no longer|for good|beyond repair|replac\w+|sold|"
    r"switch\w*|"
    r"bought|new one|used to|g[ai]ve(?:n)? up|gave|quit|threw|written off|stopped (?!working)\w+|from now on|"
    r"so I|contract|visa|lease|membership|"
    r"subscription|insurance|permit|warranty|passport)\b|现在|改|换|以后|不再|新的?|卖|买|扔|报废|合同|签证|会员|"
    r"租约|保险|工作",
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
    if _ENDS.search(plain) or _BEFALLS.search(other.replace("’", "'")):
        return False
    if _BEFALLS.search(plain):
        return True
    said, before = statement(text), statement(other)
    return bool(_WORSE.search(plain) and said.content & before.content) and not said.numbers and not before.denies
