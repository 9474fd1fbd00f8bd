"""Words of others that are put into a message without quotation marks: mails, letters, chats, logs, code. Pure."""

from __future__ import annotations

import re
from collections.abc import Iterator
from itertools import zip_longest

_HEADER = re.compile(
    r"^[ \t>*]*(?P<h>from|to|subject|date|sent|cc|reply-to|发件人|收件人|主题|日期|发送时间|时间|"
    r"抄送)\W{0,3}[ \t]*[:：].*$",
    re.MULTILINE | re.IGNORECASE,
)
# So many lines of different names make the head of a mail, if they follow one another.
_HEADERS = 2
_FORWARDED = re.compile(
    r"^[ \t>]*-{2,}[ \t]*(?:forwarded|original) message\b.*$|^[ \t>]*begin forwarded message:.*$|"
    r"^[ \t>]*on .{6,80} wrote:[ \t]*$"
    r"|^[ \t>]*-{2,}[ \t]*(?:转发的?|原始)(?:邮件|消息).*$|^[ \t>]*.{4,60}(?:写道|发来)[:：][ \t]*$",
    re.MULTILINE | re.IGNORECASE,
)
# "Hi," alone is for the assistant.
_SALUTATION = re.compile(
    r"^[ \t]*(?:dear (?!assistant|ai\b|bot\b)[^\n:：]{2,40}|(?:hi|hello|good (?:morning|afternoon)) "
    r"(?!there|assistant|all\b|everyone|ai\b|bot\b)(?-i:[A-Z])[\w' .-]{1,30})[,:][ \t]*$"
    r"|^[ \t]*(?:尊敬的|亲爱的)(?!助手)[^\n：:，,]{1,20}[：:，,][ \t]*$|"
    r"^[ \t]*[\u4e00-\u9fff]{2,6}[，,]?[你您]好[：:，,！!][ \t]*$",
    re.MULTILINE | re.IGNORECASE,
)
_FAREWELL = re.compile(
    r"^[ \t]*(?:(?:best|kind|warm|many)(?: regards| wishes| thanks)?|regards|sincerely|yours(?: \w+)?|cheers|love|"
    r"thanks|"
    r"thank you|all the best|see you(?: soon)?|take care|此致|敬礼|祝好|祝[^\n]{1,10}|谨上|敬上|"
    r"顺颂[^\n]{1,6})[ \t]*[,，!！.。]?[ \t]*$"
    r"(?:\n[^\n]{1,40}$)?",
    re.MULTILINE | re.IGNORECASE,
)
_LOG = re.compile(
    r"^[ \t]*(?:\[?\d{4}[-/]\d\d[-/]\d\d[T ,]+\d\d:\d\d|\[\d{1,2}:\d\d(?::\d\d)?\]|\d{1,2}:\d\d:\d\d).*$",
    re.MULTILINE,
)
_TIME = r"(?:[上下中]午|[早晚]上|凌晨)?[ ]?\d{1,2}[:：]\d\d(?:[:：]\d\d)?(?:[ \u202f]?[ap]\.?m\b\.?)?"
_DATE = (
    r"(?:\d{4}[-/.年]\d{1,2}[-/.月]\d{1,2}日?|\d{1,2}[-/.]\d{1,2}[-/.]\d{2,4}|\d{1,2}[-/]\d{1,2}|\d{1,2}月\d{1,2}日|today|"
    r"yesterday|今天|昨天|前天|(?:周|星期)[一二三四五六日天]|(?:mon|tue|wed|thu|fri|sat|sun)[a-z]{0,6}|"
    r"(?:\d{1,2} )?(?:jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec)[a-z]{0,6}\.?(?: \d{1,2})?,?(?: \d{4})?)"
)
_S = r"[ \t]{0,4}"
_LEAD = r"[ \t>*•-]{0,8}"
_WHEN = rf"[\[(（]?(?:{_DATE},?{_S}(?:at )?)?{_TIME}[\])）]?"
_WHO = r"[^\W\d][^\n:：\[\]<>()（）【】,，。.!?？！]{0,24}?"
_BY = rf"[,，]?{_S}[-–—|]?{_S}"
# A label that nobody writes by hand: its line is somebody's, even alone.
_STAMPED = re.compile(
    rf"[\[【](?:{_WHO}{_BY}{_WHEN}|{_WHEN}{_BY}{_WHO})[\]】][^\n]*$"
    rf"|^{_LEAD}[\[(]?{_DATE},?{_S}{_TIME}[\])]?{_BY}{_WHO}[:：][^\n]*$",
    re.MULTILINE | re.IGNORECASE,
)
# One that somebody may write once.
_LABELLED = re.compile(
    rf"^{_LEAD}{_WHEN}{_BY}{_WHO}[:：][^\n]*$|^{_LEAD}{_WHO}{_BY}{_WHEN}{_S}[:：–—-][^\n]*$"
    rf"|^{_S}(?:{_WHEN}{_S})?<[@+~&%]?[\w.|-]{{1,24}}>{_S}\S[^\n]*$",
    re.MULTILINE | re.IGNORECASE,
)
# Who and when on a line of their own; below it, to an empty line, what was said.
_HEAD = rf"{_S}{_WHO}{_BY}{_WHEN}{_S}[:：]?{_S}"
_HEADED = re.compile(
    rf"^(?!{_S}{_DATE}\b){_HEAD}\n(?:[ \t]*\S[^\n]*(?:\n|\Z))+?(?={_S}(?:\n|\Z)|{_HEAD}$)",
    re.MULTILINE | re.IGNORECASE,
)
_NAME = r"[A-Za-z][\w'.-]{0,20}(?: [A-Z][\w'.-]{0,20})?|[\u4e00-\u9fff]{1,5}"
_COLON = r"\*{0,2}(?: ?[(（][^)）\n]{1,20}[)）])?\*{0,2}[:：]\*{0,2}"
_SPOKEN = re.compile(
    rf"(?:^{_LEAD}|(?<= [/|] ))(?P<n>{_NAME}){_COLON}{_S}\S[^\n]*?(?=[ ][/|][ ](?:{_NAME}){_COLON}|$)",
    re.MULTILINE,
)
# What labels a part of somebody's own message.
_NO_NAME = re.compile(
    r"(?:name|job|work|age|address|home|family|background|goals?|questions?|notes?|ps|p\.s\.?|nb|updates?|corrections?|edit|"
    r"context|reminders?|todos?|to-?dos?|hobby|hobbies|likes|dislikes|diet|allergies|health|phone|e-?mail|birthday|languages?|"
    r"interests?|preferences?|role|company|city|location|education|skills|tasks?|plans?|summary|also|first|second|third|finally|"
    r"rules?|steps?|facts?|important|warning|examples?|answer|decisions?|remember|btw|fyi|tl;?dr|about|budget|date|time|place|"
    r"(?:my|our|the) .*|https?)|"
    r"工作|爱好|姓名|名字|年龄|地址|住址|职业|家庭|背景|目标|问题|备注|注|附注?|补充|更正|另外|总结|要求|说明|例如|比如|比方说|提醒|待办|计划|日期|时间|"
    r"地点|电话|手机|邮箱|性别|学校|专业|生日|健康|过敏|饮食|兴趣|语言|习惯|规矩|规则|偏好|记住|请记住|记一下|别记|决定|结论|第[一二三四五]|"
    r"首先|其次|最后|对了|顺便说|情况|现状|预算|.*[说道写叫是的]",
    re.IGNORECASE,
)
_ME = frozenset(("me", "i", "you", "we", "mum", "mom", "dad", "我", "你", "他", "她", "妈", "爸", "问", "答"))
_PERSON = re.compile(r"\b(?:I|I'm|I've|my|we|our|you|your)\b|[我你您咱]", re.IGNORECASE)
_CODE = re.compile(
    r"^[ \t]*(?:(?:def|class|function|public|private|static|const|let|var) \w.*[:;{(=].*|(?:import|"
    r"from) [\w.]+(?: import .*)?;?|"
    r"return\b.*;?|(?:if|for|while|else|elif|try|except|with)\b.*[:{]|[\w.\[\]\"']+ ?[-+*]?=(?!=) ?\S.*|"
    r"[{}\])]+[;,]?|\w[\w.]*\(.*\);?|"
    r"#include .*|(?:#|//) ?\S.*|SELECT\b.*|INSERT\b.*)$",
    re.MULTILINE,
)
_EMPTY = re.compile(r"\n[ \t]*(?:\n|\Z)")
_MATERIAL = re.compile(
    r"\b(?:this|these|the following|following|(?:the|my|his|her|their|"
    r"a)(?= [^?\n]{0,80}[:：])) (?:\w+ ){0,2}(?:letter|e-?mail|message|text|paragraph|essay|article|"
    r"draft|post|bio|cv|resume|statement|chat|conversation|log|code|snippet|passage|story|poem|abstract|speech|"
    r"review)s?"
    r"(?: below)?\b[^\n:：]{0,60}[:：?][ \t]*\n[ \t]*\n"
    r"|\b(?:letter|e-?mail|message|text|paragraph|draft|post|passage|story|chat)s? (?:below|"
    r"that follows)\b[^\n]{0,80}\n[ \t]*\n"
    r"|(?:这|下面这?|以下这?|上面这?)(?:一)?(?:封|段|篇|则|份|条|首|些)[^\n：:。]{0,20}[：:？?]"
    r"|(?:texted|messaged|e-?mailed|forwarded|posted|sent) (?:me|us|this)\b[^\n:：]{0,20}[:：]"
    r"|(?<!我的)(?<!我)(?:发来|发给我|给我[发写留]|发我|转发|转来|寄来|留给我)[^\n:：。，]{0,10}[:：]",
    re.IGNORECASE,
)


# Of a longer message, so many characters are looked at: what is pasted where they end goes on to its end.
LOOKED_AT = 10_000
_QUOTED_LINES = re.compile(r"(?:^[ \t]*>.*(?:\n|\Z))+", re.MULTILINE)


def parts(text: str) -> Iterator[tuple[str, bool]]:
    """A message in pieces, and of each whether it was pasted. Joined they are the text."""
    seen = text[:LOOKED_AT]
    # One line is somebody's own, whatever stands in it.
    spans = [*others(seen), *(match.span() for match in _QUOTED_LINES.finditer(seen))] if "\n" in seen.strip() else []
    joined = [(0, 0)]
    for start, end in sorted(spans):
        before, at = joined[-1]
        if not text[at:start].strip():  # lines of one chat, say
            start = before
            joined.pop()
        joined.append((start, max(at, end)))
    at = 0
    for start, end in joined:
        end = len(text) if end == len(seen) else end
        yield text[at:start], False
        yield text[start:end], True
        at = end
    yield text[at:], False


def others(text: str) -> Iterator[tuple[int, int]]:
    """Where in a message words of others begin and end."""
    mail = _mail(text)
    if mail is not None:
        yield mail, len(text)
    for match in _MATERIAL.finditer(text):
        yield match.end(), len(text)
    yield from _letters(text)
    yield from _chats(text)
    for lines in (list(_LOG.finditer(text)), _code(text)):
        yield from (match.span() for match in lines if len(lines) > 1)


def _mail(text: str) -> int | None:
    """Where a mail begins that is pasted or forwarded: it goes to the end."""
    starts = [match.start() for match in _FORWARDED.finditer(text)]
    headers = list(_HEADER.finditer(text))
    for index, first in enumerate(headers):
        head = headers[index : index + _HEADERS]
        names = {match["h"].lower() for match in head}
        between = text[first.end() : head[-1].start()]
        if len(names) == _HEADERS and len(between.strip().splitlines()) <= 1:
            starts.append(first.start())
            break
    return min(starts, default=None)


def _letters(text: str) -> Iterator[tuple[int, int]]:
    """From the salutation to the name under it."""
    for match in _SALUTATION.finditer(text):
        farewell = _FAREWELL.search(text, match.end())
        if farewell is not None:
            yield match.start(), farewell.end()


def _chats(text: str) -> Iterator[tuple[int, int]]:
    """The lines of conversations, with what goes on below each but the last up to an empty line or the next."""
    labelled = list(_LABELLED.finditer(text))
    lines = [*_STAMPED.finditer(text), *_chat(text), *(labelled if len(labelled) > 1 else ())]
    spans = sorted({match.span() for match in lines})
    for (start, end), (after, _) in zip_longest(spans, spans[1:], fillvalue=(0, 0)):
        empty = _EMPTY.search(text, end)
        yield start, max(end, min(after, empty.start() if empty else after))
    headed = list(_HEADED.finditer(text))
    yield from (match.span() for match in headed if len(headed) > 1)


def _chat(text: str) -> list[re.Match[str]]:
    """The lines of a conversation of several people, who speak of themselves and to one another."""
    lines = [match for match in _SPOKEN.finditer(text) if not _NO_NAME.fullmatch(match["n"])]
    speaking = [match for match in lines if _PERSON.search(text, match.end("n"), match.end())]
    names = {match["n"].lower() for match in speaking}
    several = len(names) > 1 or len(speaking) > len(names)
    named = bool(names & _ME) or len(lines) > len({match["n"] for match in lines})
    if any(match["n"][0].islower() for match in lines) and not named:
        return []
    return lines if len(speaking) > 1 and several else []


def _code(text: str) -> list[re.Match[str]]:
    return list(_CODE.finditer(text))
