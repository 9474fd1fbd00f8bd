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
    r"(?:这|下面这?|以下这?|上面这?)(?:一)?(?:封|段|篇|则|份|条|首|些)[^\n：:。]{0,20}[：:？?]"
    r"|(?:texted|messaged|e-?mailed|forwarded|posted|sent) (?:me|us|this)\b[^\n:：]{0,20}[:：]"
    r"|(?<!我的)(?<!我)(?:发来|发给我|给我[发写留]|发我|转发|转来|转一下|寄来|留给我)[^\n:：。，]{0,10}[:：]",
    re.IGNORECASE,
)
# A line, and the empty ones below it, before text.
_ABOVE = re.compile(r"^[ \t]*+(?P<line>\S[^\n]{1,200}?)[ \t]*(?P<gap>(?:\n[ \t]*+)+)(?=\S)", re.MULTILINE)
_ENDED = re.compile(r"[.!?…]+(?=\s|$)|[。！？…]+")
_PARAGRAPHS = re.compile(r"\n[ \t]*+\n\s*+")
# Below a text somebody goes on to talk.
_TO_LISTENER = re.compile(
    r"(?:please |and |also,? ){0,3}(?:remind me|can you|could you|tell me|by the way|btw)\b"
    r"|对了|(?:请|麻烦|另外|还有|顺便|[，,]){0,4}(?:提醒我|帮我|告诉我)",
    re.IGNORECASE,
)
_THANKS = re.compile(
    r"\W{0,8}(?:please|thanks|thank you|thx|cheers|谢谢|谢啦|多谢|拜托|辛苦)[^.。]{0,10}", re.IGNORECASE
)
_TEXT = (
    r"(?:letter|e-?mail|message|text|paragraph|essay|article|draft|post|bio|cv|resume|statement|chat|conversation|log"
    r"|code|snippet|passage|story|poem|abstract|speech|review|lyric|song|verse|notice(?! period)|announcement|flyer"
    r"|leaflet|diary|composition|homework|report|caption|invitation|haiku|sonnet|contract|memo|newsletter|transcript|sentence)"
)
_TEXT_ZH = (
    r"(?:作文|日记|周记|文章|文字|文案|[封的回来家]信|信件|邮件|短信|消息|通知|公告|诗|歌词|[首的]歌|[首的]词|课文|读后感"
    r"|(?:演讲|发言|检讨|讲话|新闻|投诉|广告)[稿书]|稿子|简历|自我介绍|论文|摘要|报告|合同|帖子|朋友圈|聊天|段(?:话|落|文字|对话)"
    r"|故事|小说|剧本|台词|笔记|句子?话?|对联|作业|说明书?|条款|须知|协议|材料|译文)"
)
_NAMED = re.compile(
    r"\b(?:this|that|these|those|the|my|our|his|her|their|your|an?|following|[\w-]+['’]s?)"
    rf"(?: [\w'’-]+){{0,3}}? {_TEXT}s?\b|\b{_TEXT}s? (?:below|that follows)\b|{_TEXT_ZH}",
    re.IGNORECASE,
)
# Their own: what they go on with in the next line may be of themselves.
_OF_MINE = re.compile(
    rf"\b(?:my|our)(?: \w+)? {_TEXT}\b|我(?:们)?(?:自己)?(?:写)?的?{_TEXT_ZH}|自我介绍|简历", re.IGNORECASE
)
_HERE = re.compile(r"\b(?:this|these|following|below)\b", re.IGNORECASE)
_BELOW = re.compile(r"\b(?:following|below)\b|下面|以下|下列|如下", re.IGNORECASE)
# What is to be done with a text; not what the speaker does.
_WORK = re.compile(
    r"(?:^\W*|[,;:–—-] ?|\b(?:please|you(?: to)?|help me(?: to)?|just|now|then|kindly|quickly) )"
    r"(?:correct|check|proofread|translate|summari[sz]e|explain|fix|improve|polish|rewrite|rephrase|edit|review|shorten|interpret|analy[sz]e|read"
    r"|look (?:at|over|through)|have a look|go (?:over|through)|comment on|grade|mark|critique|simplify|tidy"
    r"|(?:answer|reply to|respond to) (?:this|that|the|my|his|her|their))\b"
    r"|(?:^\W*|, ?)(?:and |so )?(?:what (?:does|do|is|are)\b|here(?:['’]s| is| are)\b)"
    r"|(?:帮我|帮忙|帮帮|请你|麻烦|你[给帮替来能把觉]|(?:^|[，,、；;：:\s])(?:帮|请|求|把|将|替我|给我|你|您|能不能|能否|可以|可不可以))"
    r"[^，,。]{0,24}?(?:[改修看读念译评批缩扩续回讲说挑]|解释|翻|润色|总结|概括|归纳|分析|检查|校对|赏析|鉴赏|打个?分)(?![了过完到见])"
    r"|(?:^|[，,、；;：:\s])(?:再|先|快|来)?(?:解释|翻译|修改|批改|润色|总结|概括|归纳|分析|检查|校对|点评|评价|赏析|鉴赏|缩写|扩写|续写"
    r"|改写|回复|[看改读念])(?:一?下|[看改读念这那我成]|以下|下[面列]|孩子)"
    r"|[什啥]么?意思|[讲说写]的?(?:是|些|点)?(?:什么|啥)|写得?(?:怎么样|如何|好不好)|有没有(?:错|问题|语病)|如下",
    re.IGNORECASE,
)
# Whatever is to be done: it begins with a verb or asks, and does not state; and the text is here, or somebody else's.
_BEGINS = re.compile(
    r"\W{0,4}(?!(?:I|we|he|she|it|they|this|that|these|those|there|the|my|our|his|her|their|your|an?|some|every|all|no|yes|ok"
    r"|yesterday|today|tomorrow|last|next|in|on|at|after|before|when|while|if|because|since|as|with|by|for|and|but|so|thanks?"
    r"|sorry|love|like|hate|nice|great|good|remember|note|save)\b|(?!(?:what|here|how|who|where)['’]s)[\w-]{1,20}['’]\w"
    r"|\w{1,20}(?:ing|ly|ed)\b)[a-z]",
    re.IGNORECASE,
)
# A text that is not there yet.
_MAKES = re.compile(r"\bhow to\b|\bI (?:write|say|put|answer)\b|[写编讲说想来][一两几]?[个篇首段封则份]", re.IGNORECASE)
_OF_OTHERS = re.compile(
    r"\b(?:this|these|the following|his|her|their|(?!(?:what|here|how|who|where|that|it|let)['’])[\w-]+['’]s)"
    rf"(?: [\w'’-]+){{0,3}}? {_TEXT}s?\b",
    re.IGNORECASE,
)
_ASKED_ZH = re.compile(
    r"\W{0,4}(?!.{0,60}[了过])(?:请|帮我|给我|替我|麻烦){0,3}(?![这那我他她它昨今刚上最很有]|喜欢|讨厌|爱)[^，。我]{1,12}?"
    rf"(?:这|以下|[下上]面|孩子|学生|儿子|女儿|同学|朋友)[^，。我]{{0,6}}?{_TEXT_ZH}"
)
_STANDING = re.compile(
    r"\b(?:from now on|always|never|whenever|every time|in (?:the )?future)\b|以后|每次|总是|从现在", re.IGNORECASE
)
_MANY = (
    r"(?:parents|carers|guardians|residents|neighbou?rs|colleagues|customers?|clients?|members?|students|pupils|families"
    r"|tenants|owners|homeowners|guests?|subscribers?|users?|employees|staff|volunteers|players|passengers|travell?ers?"
    r"|patients?|shareholders|applicants?)"
)
_MANY_ZH = (
    r"(?:家长|业主|住户|居民|客户|用户|会员|顾客|旅客|乘客|租户|商户|员工|同事|同学|师生|老师|邻居|读者|村民|朋友|学员)"
)
_HELLO_ZH = r"[，,]?(?:大家|[你您]们?)?(?:[上下中]午|早上|晚上)?好"
# To many, or to nobody by name: nobody talks to an assistant like that. And what stands above a notice.
_TO_MANY = re.compile(
    rf"^[ \t]*(?:dear (?:[\w'’/-]+ ){{0,4}}?(?:{_MANY}|all|everyone|everybody|team|friends|sirs?|madam)\b"
    r"[^\n,:.!?]{0,30}(?:[,:]|$)"
    rf"|(?:hi|hello|good (?:morning|afternoon|evening)),? (?:[\w'’/-]+ ){{0,3}}?{_MANY}\b[^\n,:.!?]{{0,30}}[,:!]"
    r"|to whom it may concern\b|(?:(?:important|public|urgent|official) (?:notice|announcement)"
    r"|(?:notice|announcement|memo(?:randum)?) to \w[^\n.,:]{0,40})[ \t]*:?[ \t]*$"
    rf"|致?(?:各位|全体|广大)[^\n：:，,。！!？?]{{1,16}}?(?:[：:]|{_HELLO_ZH}[：:！!，,])"
    r"|致?尊敬的(?!助手|AI)[^\n：:，,。！!？?]{1,20}(?:[：:]|[，,][ \t]*$)"
    rf"|致?亲爱的[^\n：:，,。！!？?]{{0,12}}?(?:们|{_MANY_ZH})[^\n：:，,。！!？?说]{{0,8}}(?:[：:！!]|[，,][ \t]*$)"
    rf"|{_MANY_ZH}(?:朋友)?们(?:{_HELLO_ZH})?[：:！!]"
    r"|[【\[]?(?:关于[^\n，。：:]{2,30}的|致[^\n，。：:]{1,12}的?)?[^\n我收看写发等没了，。：:]{0,8}"
    r"(?:通知|公告|通告|启事|须知|一封信|公开信|(?:温馨|友情)提示)[】\]]?[ \t]*[：:]?[ \t]*$|(?:温馨|友情)提示[：:])",
    re.MULTILINE | re.IGNORECASE,
)
_SIGNED = re.compile(
    rf"^[ \t]*(?:(?:{_DATE}|\d{{1,2}} [a-z]{{3,9}},? \d{{4}}|[a-z]{{3,9}} \d{{1,2}},? \d{{4}})[ \t]*"
    r"|[\u4e00-\u9fff（）()·\d]{2,24}(?:小学|中学|学校|幼儿园|大学|学院|公司|物业|中心|委员会|居委会|业委会|管理处|服务处|部|处|办公室|医院)"
    r"|[^\n。]{0,8}(?:谢谢|感谢)[^\n。]{0,16}(?:配合|支持|理解|合作)[。！!]?)[ \t]*$",
    re.MULTILINE | re.IGNORECASE,
)
_ONLY_THANKS = re.compile(r"[ \t]{0,8}(?:thanks|thank you|cheers|love)\b", re.IGNORECASE)
# A school, a company, a shop speaks. Not 我校对, 我司机, 我院子.
_INSTITUTION = re.compile(
    r"我(?:校(?!对(?!学|各|全)|友|服|园|车|长|医|徽|外|花|内|门)|园(?!区|子|里|丁|艺|林)|司(?!机|仪|法|令)|院(?!子|里|长)"
    r"|店(?!里|铺|长|员|主)|社(?!保|交|恐|会|区|团|工|死|牛|群)|馆(?!子)|局(?!面|长|部)|厂(?!里|长|家|房)"
    r"|行(?=[将已拟于]|决定|推出))"
    r"|本(?:小区|社区|校|园(?!区)|司|店|公司|院(?!子)|馆|中心|平台|单位|物业|机构|商场|酒店|餐厅|景区|行(?=[将已拟于]|决定|推出))"
)
_ONE_SENTENCE = re.compile(r"[^。！？!?；;\n]+")
_I = re.compile(r"[我咱](?!们)")


# Of a longer message, so many characters are looked at: what is pasted where they end goes on to its end.
LOOKED_AT = 10_000
_QUOTED_LINES = re.compile(r"(?:^[ \t]*>.*(?:\n|\Z))+", re.MULTILINE)


def parts(text: str) -> Iterator[tuple[str, bool]]:
    """A message in pieces, and of each whether it was pasted. Joined they are the text."""
    seen = text[:LOOKED_AT]
    # One line is somebody's own, whatever stands in it.
    spans = [*_brought(seen), *(match.span() for match in _QUOTED_LINES.finditer(seen))] if "\n" in seen.strip() else []
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
    yield from _brought(text)
    yield from _institutions(text)


def _brought(text: str) -> Iterator[tuple[int, int]]:
    mail = _mail(text)
    if mail is not None:
        yield mail, len(text)
    yield from _handed(text)
    for match in _MATERIAL.finditer(text):
        yield match.end(), len(text)
    yield from _letters(text)
    yield from _to_many(text)
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
        if farewell is None:
            return
        yield match.start(), farewell.end()


def _to_many(text: str) -> Iterator[tuple[int, int]]:
    """From the salutation to the end of the paragraph that closes or signs it; without one to the end."""
    end = 0
    closings: list[re.Match[str]] | None = None
    for match in _TO_MANY.finditer(text):
        if match.start() < end:
            continue
        if closings is None:
            closings = [*_FAREWELL.finditer(text), *_SIGNED.finditer(text)]
        after = [one for one in closings if one.start() > match.end()]
        after = [one for one in after if not _ONLY_THANKS.match(one[0])] or after
        empty = _EMPTY.search(text, max(one.end() for one in after)) if after else None
        end = empty.start() if empty else _to_listener(text, match.end())
        yield match.start(), end


def _institutions(text: str) -> Iterator[tuple[int, int]]:
    """The sentences in which a school, a company or a shop speaks of itself, and nobody else does."""
    for match in _ONE_SENTENCE.finditer(text):
        if _INSTITUTION.search(match[0]) and not _I.search(_INSTITUTION.sub("", match[0])):
            yield match.span()


def _handed(text: str) -> Iterator[tuple[int, int]]:
    """From where the text begins that a line above it names and asks to work on, or announces with a colon."""
    start = _below_its_task(text)
    if start is not None:
        yield start, _to_listener(text, start)


def _to_listener(text: str, start: int) -> int:
    """Where the last paragraph behind `start` begins, if it is for the assistant again; else the end."""
    last = max((match.end() for match in _PARAGRAPHS.finditer(text, start)), default=len(text))
    return last if _TO_LISTENER.match(text, last) else len(text)


def _below_its_task(text: str) -> int | None:
    for match in _ABOVE.finditer(text):
        said = [one for one in _ENDED.split(match["line"]) if re.search(r"\w", one) and not _THANKS.fullmatch(one)]
        if not said or not _NAMED.search(said[-1]) or _STANDING.search(said[-1]):
            continue
        works, ends = _is_task(said[-1]), match["line"][-1]
        if match["gap"].count("\n") > 1:
            if works or ends in ":：" or (ends in "?？" and _HERE.search(said[-1])):
                return match.end()
        # In the next line alone somebody may go on about it.
        elif (
            works and not _OF_MINE.search(said[-1]) and (_BELOW.search(said[-1]) or "\n" in text[match.end() :].strip())
        ):
            return match.end()
    return None


def _is_task(said: str) -> bool:
    if _MAKES.search(said):
        return False
    asked = bool(_BEGINS.match(said) and _OF_OTHERS.search(said)) or bool(_ASKED_ZH.match(said))
    return asked or bool(_WORK.search(said))


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
