"""What an answer says that was done, or will be done, where only a tool could do it."""

from __future__ import annotations

import re
from collections.abc import Collection

from localagent.quality import prose

_QUOTED = re.compile(r"[\"“「『][^\"”」』\n]{1,400}[\"”」』]|^>.*$", re.MULTILINE)
_SENTENCE = re.compile(r"(?:[^.!?。！？\n]|[.!?](?=\S))+[.!?。！？]*")
_I = r"\bI(?:'ve|’ve| have)?(?: just| now| already| also| successfully)*"
_I_ZH = (
    r"(?:我|(?<![你您他她它们者户员])(?:已经?|刚刚?|现已|成功))"
    r"(?:已经?|刚刚?|刚才|也|成功|帮你|为你|替你|给你|帮您|为您|在网上|上网|重新){0,3}"
)
# A kind of deed: how it is told in English and Chinese, and the names of tools that do it.
_DEEDS = (
    (
        re.compile(
            rf"{_I} (?:looked (?:it|this|that|them) up|searched|googled|looked online|browsed|checked (?:online|"
            r"the web|the internet|the website|the page|the docs|the documentation)|queried|fetched|downloaded)\b"
            rf"|{_I_ZH}(?:查了|查过|查询了|查询过|查到了?|搜索了|搜索过|搜了|搜过|检索了|检索过|上网查|浏览了|下载了)",
            re.I,
        ),
        re.compile(r"search|fetch|look|find|brows|web|url|http|query|read|shell|run|exec|download|grep"),
    ),
    (
        re.compile(
            rf"{_I} (?:saved|written|wrote|created|updated|edited|changed|deleted|removed|renamed|moved|added) "
            r"(?:\S+ ){0,6}?(?:files?|folder|directory|disk|[\w/-]+\.(?:md|txt|py|json|ya?ml|csv|html|sh|toml|js|ts))\b"
            rf"|{_I_ZH}(?:把[^，。]{{1,20}})?(?:保存|写入|写进|创建|新建|修改|更新|删除|重命名|移动|存)(?:好|到|进|在|了){{0,2}}[^，。]{{0,16}}"
            r"(?:文件|文件夹|目录|磁盘|[\w/-]+\.(?:md|txt|py|json|ya?ml|csv|html|sh|toml|js|ts))",
            re.I,
        ),
        re.compile(r"writ|sav|creat|edit|patch|delet|remov|renam|mov|file|shell|run|exec|append"),
    ),
    (
        re.compile(
            rf"{_I} (?:ran|run|executed) (?:the|your|this|that|it|all|some|a|\S+ (?:command|script|test))\b"
            rf"|{_I_ZH}(?:运行|执行)(?:了|过)",
            re.I,
        ),
        re.compile(r"shell|run|exec|python|bash|command|test|eval|script|code"),
    ),
    (
        re.compile(
            rf"{_I} (?:sent|emailed|e-mailed|mailed|posted|booked|ordered|scheduled|called) (?:\S+ ){{0,4}}?"
            r"(?:email|e-mail|mail|message|invitation|appointment|meeting|ticket|table|room|order|request|API)\b"
            rf"|{_I_ZH}(?:发送|发出|发|寄|预订|预约|订|下单|提交)(?:好)?了[^，。]{{0,12}}(?:邮件|消息|短信|邀请|预约|会议|票|订单|请求|房间)?",
            re.I,
        ),
        re.compile(r"send|mail|post|book|order|schedul|call|message|calendar|api|request|shell|run"),
    ),
)
_UNREAL = re.compile(
    r"\b(?:if|would|could|haven['’]t|have not|had I|imagine|suppose|example|as though|until|unless|once|after|when)\b|"
    r"如果|假如|要是|没有?|未|比如|例如|假设|之前|以后|之后|等我",
    re.I,
)
_WORK = (
    r"(?:look|check|search|find|fetch|get|read|open|run|execute|calculate|compute|analy[sz]e|gather|review|examine|try|"
    r"create|prepare|query|call|use the|list|retrieve|verify|start|begin)"
)
_WORK_ZH = r"(?:查|看|搜|找|读|打开|运行|执行|计算|算|试|分析|整理|创建|准备|获取|检查|列|调用|核实|确认)"
_ANNOUNCED = re.compile(
    rf"^(?:\w+[,!.]\s*)?(?:I(?:'ll|’ll| will| am going to|'m going to|’m going to| need to)|let me|allow me to)"
    rf"(?: first| now| just| quickly| go and| have to| need to)* {_WORK}\b(?! (?:you|out to you|my best)\b)"
    rf"|^(?:one moment|please wait|give me a (?:moment|second)|hold on)\b"
    rf"|^(?:好的?|没问题|当然|可以|明白|收到|首先|请稍等|稍等|那)?[，,。！! ]*"
    rf"(?:我(?:先|来|去|会|将|这就|马上|现在就?|需要|要)+|让我(?:来|先|去)?)(?:帮你|为你|帮您|为您|给你)?{_WORK_ZH}"
    r"|^(?:请稍等|稍等|等我一下)",
    re.I,
)
_ASKS_BACK = re.compile(r"(?:[?？]|[吗呢][。.]?)\s*$")
_GOES_ON = re.compile(r"[:：]\s*\S")
# An answer that announces is short: more words have told something.
_LONGEST = 200


def unfounded(text: str, ran: Collection[str]) -> list[str]:
    """Sentences that claim a deed for which none of the tools that ran (their names) is known. A tool whose name says
    nothing may have done anything."""
    names = [name.lower() for name in ran]
    if any(not any(doing.search(name) for _, doing in _DEEDS) and "memory" not in name and "time" not in name
           for name in names):  # fmt: skip
        return []
    found = []
    for sentence in _SENTENCE.findall(_QUOTED.sub(" ", prose(text))):
        for told, doing in _DEEDS:
            match = told.search(sentence)
            if (
                match
                and not _ASKS_BACK.search(sentence)
                and not _UNREAL.search(sentence[: match.end()])
                and not any(map(doing.search, names))
            ):
                found.append(" ".join(sentence.split())[:160])
                break
    return found


def announced(text: str) -> str:
    """The sentence with which a whole answer only says what will be done next; empty if it does more."""
    parts = [part.strip() for part in _SENTENCE.findall(_QUOTED.sub(" ", text)) if part.strip()]
    if not parts or len(text) > _LONGEST or prose(text) != text or _ASKS_BACK.search(text):
        return ""
    opening = re.compile(
        r"^\W*(?:ok(?:ay)?|sure|certainly|of course|alright|great|好的?|没问题|当然|明白|收到|请?稍等)\W*$", re.I
    )
    rest = [part for part in parts if not opening.match(part)]
    return rest[0] if rest and all(_ANNOUNCED.search(part) and not _GOES_ON.search(part) for part in rest) else ""
