"""Words of others that are put into a message without quotation marks: mails, letters, chats, logs, code."""

from __future__ import annotations

import re
from collections.abc import Iterator

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
    r"^[ \t]*(?:\[?\d{4}[-/]\d\d[-/]\d\d[T ,]+\d\d:\d\d|\[\d{1,2}:\d\d(?::\d\d)?\]|\d{1,2}:\d\d:\d\d|"
    r"\d{1,2}:\d\d [\w\u4e00-\u9fff]{1,20}[:：]).*$",
    re.MULTILINE,
)
_SPOKEN = re.compile(
    r"^[ \t]*(?P<n>[A-Z][\w'.-]{0,20}(?: [A-Z][\w'.-]{0,20})?|"
    r"[\u4e00-\u9fff]{2,4})(?: \(\d[^)\n]{0,20}\))?[:：][ \t]*\S.*$",
    re.MULTILINE,
)
_PERSON = re.compile(r"\b(?:I|I'm|I've|my|we|our|you|your)\b|[我你您咱]", re.IGNORECASE)
_CODE = re.compile(
    r"^[ \t]*(?:(?:def|class|function|public|private|static|const|let|var) \w.*[:;{(=].*|(?:import|"
    r"from) [\w.]+(?: import .*)?;?|"
    r"return\b.*;?|(?:if|for|while|else|elif|try|except|with)\b.*[:{]|[\w.\[\]\"']+ ?[-+*]?=(?!=) ?\S.*|"
    r"[{}\])]+[;,]?|\w[\w.]*\(.*\);?|"
    r"#include .*|(?:#|//) ?\S.*|SELECT\b.*|INSERT\b.*)$",
    re.MULTILINE,
)
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


def others(text: str) -> Iterator[tuple[int, int]]:
    """Where in a message words of others begin and end."""
    mail = _mail(text)
    if mail is not None:
        yield mail, len(text)
    for match in _MATERIAL.finditer(text):
        yield match.end(), len(text)
    yield from _letters(text)
    for lines in (list(_LOG.finditer(text)), _chat(text), _code(text)):
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


def _chat(text: str) -> list[re.Match[str]]:
    """The lines of a conversation of several people, who speak of themselves and to one another."""
    lines = list(_SPOKEN.finditer(text))
    speaking = [match for match in lines if _PERSON.search(text, match.end("n"), match.end())]
    several = len({match["n"] for match in speaking}) > 1 or len(speaking) > len({match["n"] for match in speaking})
    return lines if len(speaking) > 1 and several else []


def _code(text: str) -> list[re.Match[str]]:
    return list(_CODE.finditer(text))
