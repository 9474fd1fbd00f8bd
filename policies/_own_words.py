"""Which words of a message are its speaker's own, and what sentences they make.

What is quoted, pasted, or code is someone else's: it is masked with NUL characters of the same number, so that places
in the masked text are places in the text.
"""

from __future__ import annotations

import itertools
import re
from collections.abc import Iterator
from dataclasses import dataclass, replace
from functools import lru_cache

from localagent.courtesy import plain_zh
from localagent.pasted import others

from ._told import asks_behind

# Who has more words than this has written a long message, or has pasted one. Of a paste only a short first and last
# paragraph are its speaker's own, or where it has none, the wishes and decisions at its very ends.
LONG_MESSAGE = 2000
# A long message is its speaker's own if in each third of it at least this share of the sentences speak of "I" or "we",
# and nothing looks like a paste.
OWN_SHARE = 0.3
END_CHARACTERS = 300
SHORT_PARAGRAPH = 400
LONG_PASTE = 200
# Of what is longer, nobody states one thing.
LONG_SENTENCE = 600

_FENCE = re.compile(r"```|~~~")
_QUOTED_LINE = re.compile(r"^[ \t]*(?:>|\|).*$|^(?:\t| {4,})\S.*$", re.MULTILINE)
_TRANSCRIPT = re.compile(
    r"^[ \t]*\W{0,3}(?:user|assistant|human|system|ai|bot|tool|用户|助手|系统|工具)\W{0,3}[ \t]*[:：].*$",
    re.MULTILINE | re.IGNORECASE,
)
_TAG = re.compile(r"<(/?)([A-Za-z_][\w-]{0,40})[^<>\n]{0,200}>")
_QUOTES = re.compile(
    r'"[^"\n]{1,500}"|“[^”\n]{1,500}”|「[^」\n]{1,500}」|『[^』\n]{1,500}』|‘[^’\n]{1,500}’|«[^»\n]{1,500}»'
    r"|(?<!\w)'[^'\n]{2,300}'(?!\w)"
)
# What comes after the colon is material to work on.
_WORK_ON = re.compile(
    r"\b(?:summari[sz]e|translate|proofread|rewrite|rephrase|paraphrase|correct|fix|review|explain|edit|check|improve|"
    r"analy[sz]e|shorten|polish|reformat|continue|classify|extract|complete|spell-?check|"
    r"critique|make (?:this|it|the \w+)|turn (?:this|it))\b[^\n:：]{0,100}[:：]"
    r"|(?:翻译|译成|总结|概括|润色|改写|校对|修改|检查|分析|缩写|续写|纠正|解释|提取|分类|点评|"
    r"把[^\n:：。，]{1,14}(?:改|写|整理|换))[^\n:：。]{0,40}[:：]",
    re.IGNORECASE,
)
# Announced words of others: to the end of the paragraph.
_ANNOUNCED = re.compile(
    # ... but not "as I said: ...", "since nobody wrote it down: ..."
    r"(?<!\bI )(?<!\bnobody )(?<!\bno one )(?<!\bnever )(?<!n['’]t )(?<!\bnot )"
    r"\b(?:says?|said|reads?|states?|wrote(?! (?:\w+ ){1,3}down)|writes(?! (?:\w+ ){1,3}down)|replied|quotes?"
    r"|goes like this|as follows|told me|asked|for example"
    r"|examples?|(?:here(?:'s| is)|this|the|following) (?:\w+ )?(?:text|article|email|excerpt|sample|paragraph|passage"
    r"|letter|code|message))\b[^\n:：]{0,30}[:：]"
    r"|(?:文章|邮件|文档|书|报道|新闻|他|她|他们|网上|帖子|日志|信|里面|上面|"
    r"有人)[^\n:：。，]{0,8}(?<![没未])(?<!没有)(?:说|写道|"
    r"写着|写|提到|道|问|回复)[:：]"
    r"|(?<![我没未有])(?:[跟和对][我我们大家]{1,2}|告诉我|问我|回我)(?:们)?(?:说|讲|道|问|过|了)*[:：]"
    r"|^(?![^\n]{0,8}[我咱])[^\n:：。，,]{1,8}(?<![没未])(?:说|写道|问|喊|回复|留言|表示)[:：]"
    r"|(?:原文|例子|示例|例句|歌词|全文|如下)[^\n:：。，]{0,6}[:：]",
    re.IGNORECASE,
)
# Reported by a text: to the end of the sentence.
_REPORTED = re.compile(
    r"\b(?:article|document|page|paper|book|report|readme|log|file|error|website|blog|manual|text|story|poem|song|movie"
    r"|character|protagonist|hero|heroine|narrator|quote)s?\b[^.!?\n]{0,40}?\b(?:says?|said|states?|claims?|reads?|"
    r"mentions?|writes?|wrote|tells?|recommends?|suggests?|decides?|prefers?|who|where|in which)\b"
    r"|(?:故事|小说|电影|书|歌|梦|游戏|剧|文章|文档|诗)(?:里|中)(?:面)?(?:的)?"
    r"|(?:文章|文档|书|报告|论文|网站|手册|新闻|故事|小说|电影|歌词?|主角|主人公|角色|作者|文件|日志)[^。！？\n]{0,10}"
    r"(?:说|写道|写着|写的是|称(?!心)|提到|讲|建议|认为|表示|喜欢|决定)",
    re.IGNORECASE,
)
_FIRST_PERSON = re.compile(r"\b(?:I|I'm|I've|I'll|I'd|my|me|we|we're|we've|our|us)\b|[我咱]", re.IGNORECASE)
_WISH = re.compile(
    r"\b(?:I|we)(?:'d|'ve| would| have)? (?:\w+ )?(?:want|like you|prefer|need you|wish|decided|agreed|chose)\b"
    r"|[我咱](?:们)?(?:\w{0,2})(?:希望|想让你|想要你|要你|更喜欢|决定|商定)",
    re.IGNORECASE,
)
# A heading, a table, a program, a log, a list of more than a few points. Space within the line alone: over empty lines
# the search would begin anew at each.
MOST_SIGNS = 4
_HEADING = re.compile(r"^#{1,6} \S|^(?:=|-){4,}[^\S\n]*$|^[^\S\n]*第[一二三四五六七八九十\d]+[章节条]", re.MULTILINE)
_PASTE_SIGNS = re.compile(
    r"^[^\S\n]*(?:\d{4}-\d\d-\d\d[T ]\d\d:|"
    r"\[?\d\d:\d\d|(?:INFO|WARN|ERROR|DEBUG)\b|at [\w.$]+\(|(?:def|class|import|from|return|"
    r"function|const|let|var|public|private|if|for|while)\b[^.!?]*[:;{(]|[-*•+] |\d{1,3}[.)] |\w+ \d+[:.] |"
    r"[\w-]+: \S+$|</?\w)|"
    r"[;{}][^\S\n]*$",
    re.MULTILINE,
)
_LETTER = re.compile(
    r"^[^\S\n]*(?:from|to|subject|date|cc|发件人|收件人|主题|日期)[^\S\n]*[:：]"
    r"|^[^\S\n]*(?:dear|hi|hello) [^\n]{1,40},[^\S\n]*$"
    r"|^[^\S\n]*(?:(?:best|kind|warm) regards|sincerely|yours|best wishes|cheers|此致|敬礼|祝好)\b[,，!！]?"
    r"|^[^\S\n]*(?:尊敬的|亲爱的)[^\n]{1,20}[:：，,]",
    re.MULTILINE | re.IGNORECASE,
)
_ANNOUNCES = re.compile(r"[:：][ \t]*\n[ \t]*\n")
_PARAGRAPH = re.compile(r"\n[ \t]*\n")
# "...; two at night": what has no subject of its own belongs to the statement before.
_SENTENCE_END = re.compile(
    r"[.!?…]+[\"')\]”’]*(?=\s|$)|[。！？；…]+[”’」』）\"]*|;(?=\s)(?!\s(?:and |but )?(?:at|on|in|by|"
    r"from|before|after|during|with|without|except|unless|his|her|their|its|those|these|\d+|one|two|three|four|five|"
    r"half|not)\b)|\n+"
)
_POINTS = re.compile(r"[,;]?\s+(?:and |but )?the (?P<noun>\w+)")
# Everybody has one: it need not be named before.
_OF_A_HOME = re.compile(r"(?:rent|mortgage|kids|children|baby|dogs?|cats?|car|wi-?fi)$", re.IGNORECASE)
_HOME = re.compile(
    r"\b(?:live|home|house|flat|apartment|room|place|moved|car|dogs?|cats?|kids|children|baby)\b", re.IGNORECASE
)
# What somebody is, and does not do, is no thing with a rent or a deadline.
_OF_SOMEBODY = re.compile(
    r"(?:I(?:['’]m| am)|we(?:['’]re| are)) (?:an? )?|I\b|we\b|[\w'’-]+(?= (?:is|are|has)\b)", re.IGNORECASE
)
_THING = re.compile(
    r"\b(?:an?|the|my|our|his|her|their|this|that|one|two|three|four|five|\d+)(?= \w)|(?-i:\b[A-Z]\w)", re.IGNORECASE
)
_ABBREVIATION = re.compile(
    r"(?:\b(?:mr|mrs|ms|dr|prof|st|e\.g|i\.e|vs|no|approx|inc|ltd|jr|sr|a\.m|p\.m)|^\s*\d{1,3})$", re.I
)
_BULLET = re.compile(
    r"[ \t]*(?:[-*•·+–]|\d{1,3}[.)、]|[（(]?[一二三四五六七八九十\d]{1,2}[）)、])[ \t]*(?:\[[ xX]?\][ \t]*)?"
)


@dataclass(frozen=True, slots=True)
class Sentence:
    """Where it stands in the text, its bullet left out; `asks`: it ends with a question mark."""

    start: int
    end: int
    asks: bool


@lru_cache(maxsize=8)  # one message is looked at from several sides
def mask(text: str) -> str:
    """The text with everything that is not its speaker's own replaced by as many NULs, and dialect by as many common
    signs. Linear in its length."""
    text = plain_zh(text)
    signs = _Signs(text)
    _hide_fences(signs, text)
    _hide_tags(signs, text)
    for match in _QUOTED_LINE.finditer(text):
        signs.hide(*match.span())
    for start, end in others(text):
        signs.hide(start, end)
    for match in _TRANSCRIPT.finditer(text):
        signs.hide(*match.span())
    for match in _QUOTES.finditer(signs.text()):
        signs.hide(match.start() + 1, match.end() - 1)
    _hide_pasted(signs, text)
    if signs.shown() > LONG_MESSAGE:
        masked = signs.text()
        pasted = looks_pasted(masked)
        if pasted or not looks_typed(masked):
            signs.hide_all_but(_outer_paragraphs(text) or ([] if pasted else _wishes_at_the_ends(text)))
    work = _WORK_ON.search(signs.text())
    if work:
        signs.hide(work.end(), len(text))
    for match in _ANNOUNCED.finditer(signs.text()):
        paragraph = _PARAGRAPH.search(text, match.end() + 1)
        signs.hide(match.end(), paragraph.start() if paragraph else len(text))
    masked = signs.text()
    for match in _REPORTED.finditer(masked):
        end = _SENTENCE_END.search(masked, match.end())
        signs.hide(match.end(), end.start() if end else len(text))
    return signs.text()


class _Signs:
    def __init__(self, text: str) -> None:
        self._signs = list(text)
        self._lines = text
        self._joined = text  # empty where it has to be joined anew

    def hide(self, start: int, end: int) -> None:
        self._signs[start:end] = "\n".join("\0" * len(line) for line in self._lines[start:end].split("\n"))
        self._joined = ""

    def hide_all_but(self, kept: list[tuple[int, int]]) -> None:
        at = 0
        for start, end in [*kept, (len(self._signs), len(self._signs))]:
            self.hide(at, max(at, start))
            at = max(at, end)

    def shown(self) -> int:
        return len(self._signs) - self._signs.count("\0")

    def text(self) -> str:
        self._joined = self._joined or "".join(self._signs)
        return self._joined


def _outer_paragraphs(text: str) -> list[tuple[int, int]]:
    """The first and the last paragraph, if short."""
    breaks = list(_PARAGRAPH.finditer(text))
    if not breaks:
        return []
    spans = [(0, breaks[0].start()), (breaks[-1].end(), len(text))]
    return [(start, end) for start, end in spans if end - start <= SHORT_PARAGRAPH]


def looks_pasted(masked: str) -> bool:
    """Whether a long text has the signs of a document, a letter, a log or a program."""
    signs = itertools.islice(_PASTE_SIGNS.finditer(masked), MOST_SIGNS)
    return bool(_HEADING.search(masked) or _LETTER.search(masked)) or len(list(signs)) == MOST_SIGNS


def looks_typed(masked: str) -> bool:
    """Whether a long text reads as typed by its speaker: of "I" and "we" all through."""
    spoken = [bool(_FIRST_PERSON.search(part)) for part in _SENTENCE_END.split(masked) if len(part.strip("\0 \n")) > 3]
    third = max(1, len(spoken) // 3)
    return all(
        sum(part) >= OWN_SHARE * len(part) for part in (spoken[:third], spoken[third:-third], spoken[-third:]) if part
    )


def _wishes_at_the_ends(text: str) -> list[tuple[int, int]]:
    """The sentences at the very beginning and the very end in which somebody says what they want or decided."""
    spans = [(at, end) for at, end in _spans(text) if end <= END_CHARACTERS or at >= len(text) - END_CHARACTERS]
    # With the end of the sentence before, and the space after: that is where they are told apart.
    return [(max(0, at - 2), end + 1) for at, end in spans if _WISH.search(text[at:end])]


def _spans(text: str) -> Iterator[tuple[int, int]]:
    start = 0
    for match in _SENTENCE_END.finditer(text):
        yield start, match.end()
        start = match.end()
    yield start, len(text)


def _hide_pasted(signs: _Signs, text: str) -> None:
    """What a paragraph that ends with a colon announces, if it is long: all up to the last paragraph."""
    announced = _ANNOUNCES.search(signs.text())
    if announced is None:
        return
    end = max((match.start() for match in _PARAGRAPH.finditer(text, announced.end())), default=len(text))
    if len(text) - end > SHORT_PARAGRAPH:
        end = len(text)
    if end - announced.end() > LONG_PASTE:
        signs.hide(announced.end(), end)


def _hide_fences(signs: _Signs, text: str) -> None:
    """Code between fences; an open fence goes to the end."""
    opened: re.Match[str] | None = None
    for match in _FENCE.finditer(text):
        if opened is None:
            opened = match
        elif opened[0] == match[0]:
            signs.hide(opened.start(), match.end())
            opened = None
    if opened is not None:
        signs.hide(opened.start(), len(text))


def _hide_tags(signs: _Signs, text: str) -> None:
    """Whatever stands between a label and its end."""
    opened: dict[str, int] = {}
    for match in _TAG.finditer(text):
        name = match[2].lower()
        if not match[1]:
            opened.setdefault(name, match.start())
        elif name in opened:
            signs.hide(opened.pop(name), match.end())


def sentences(masked: str) -> Iterator[Sentence]:
    """Those that have words of the speaker's own, each with one behind it that asks to remember it."""
    last: Sentence | None = None
    for one in _each_sentence(masked):
        if last is None:
            last = one
        elif not last.asks and asks_behind(masked[last.start : last.end], masked[one.start : one.end]):
            last = replace(last, end=one.end)
        else:
            yield last
            last = one
    if last is not None:
        yield last


def _each_sentence(masked: str) -> Iterator[Sentence]:
    start = 0
    for match in _SENTENCE_END.finditer(masked):
        if match[0].startswith(".") and _ABBREVIATION.search(masked[max(0, match.start() - 8) : match.start()]):
            continue
        if match[0] == ";" and points_back(masked, start, match.start(), match.end()):
            continue
        yield from _sentence(masked, start, match.end(), "?" in match[0] or "？" in match[0])
        start = match.end()
    yield from _sentence(masked, start, len(masked), False)


def points_back(masked: str, start: int, end: int, after: int) -> bool:
    """Whether "the ...", from `after` on, is of what the statement from `start` to `end` names: "I have an exam; the
    room is B12". "I'm vegetarian" names nothing of which there is a room."""
    pointed = _POINTS.match(masked, after)
    if pointed is None:
        return False
    if _OF_A_HOME.match(pointed["noun"]):
        return bool(_HOME.search(masked, start, end))
    somebody = _OF_SOMEBODY.match(masked, start, end)
    return bool(_THING.search(masked, somebody.end() if somebody else start, end))


def _sentence(masked: str, start: int, end: int, asks: bool) -> Iterator[Sentence]:
    while start < end and masked[start].isspace():
        start += 1
    bullet = _BULLET.match(masked, start, end)
    if bullet and bullet.end() > start and not re.match(r"\d+[.)]\d", masked[start:end]):
        start = bullet.end()
    while end > start and masked[end - 1].isspace():
        end -= 1
    if start < end <= start + LONG_SENTENCE and re.search(r"\w", masked[start:end]):
        yield Sentence(start, end, asks)
