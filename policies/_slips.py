"""A slip of the tongue that its speaker mends at once: "It's green. No wait, blue", "sorry, I meant 21 May",
"不对，是蓝色". What was meant is the statement before with the other value in its place; where it is not plain which of
its words that is, both stand in one entry."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace

from localagent.contrasts import only_contrasts, restated
from localagent.policy import Extracted, Said

from ._news import NEWS
from ._own_words import Sentence, sentences
from ._people import KIN_ZH

# A longer value is a statement of its own.
LONGEST_VALUE = 40
LONGEST_REST = 60
MOST_WORDS = 3

_SOUND = r"(?:(?:oh|ah|oops|hang on|hmm|no|actually)[,.!:; –—-]+)*"
_MARK = (
    r"(?:no,? (?:wait|sorry)|wait,? (?:no|sorry)|sorry,? (?:no|wait)|sorry|scratch that|strike that|my (?:bad|mistake)|"
    r"oops|correction|wait|i (?:made a )?(?:typo|mistake)|typo|that(?:'s| is| was) wrong|"
    r"what i (?:just )?(?:said|told you|wrote)(?: before| earlier| just now)? (?:is|was) wrong|"
    r"i (?:said|got|had|told you) (?:it|that|this) wrong)"
)
_SAID_WRONG_ZH = r"(?:我?(?:刚才|刚刚|之前|前面)?[说写打讲记](?:错了|[的得](?:不对|有误|错了)))"
_MEANT = r"(?:i (?:actually |really )?(?:meant|mean)(?: to (?:say|write))?|make (?:that|it)|i should have said)"
_IS = r"(?:(?:it's|it is|it was|that's|it should be|should be|that should be|actually)[,:]? )?"
_SLIP = re.compile(
    rf"{_SOUND}(?:{_MARK}[,.!:; –—-]+(?:{_MEANT}:? )?|{_MEANT}:? ){_IS}(?P<v>\S.*)"
    r"|(?:哦|啊|呃|等等|等一下|抱歉|不好意思|对不起)?[，,！!。 ]*"
    rf"(?:哦?不对|错了|{_SAID_WRONG_ZH}|口误|笔误|"
    r"我(?:刚才)?(?:是说|的意思是|想说的是|要说的是)|更正(?:一下)?|纠正一下)[，,：:。！! ]*"
    r"(?:我(?:刚才)?(?:是说|的意思是|想说的是|要说的是))?[，,：: ]*(?:应该是|应为|是)?(?P<v2>[^，,是\s].*)",
    re.IGNORECASE,
)
# It may follow its statement in the same sentence.
_BEFORE = re.compile(
    rf"[,;–—-] (?={_SOUND}(?:{_MARK}[,.!:; –—-]|{_MEANT} ))|[，,；;](?=哦?不对[，,]|[说写打]错了|我是说)", re.IGNORECASE
)
# Whatever follows it is meant in the place of something; after "sorry" anything may come.
_SURE = re.compile(
    r"\b(?:no,? (?:wait|sorry)|wait,? no|sorry,? no|i (?:actually |really )?meant|correction|typo|"
    r"(?:scratch|strike) that|should have said|mistake|wrong)\b|不对|[说写打讲记][的得]?错了|有误|"
    r"口误|笔误|更正|应该是|应为",
    re.IGNORECASE,
)
_ALONE = re.compile(
    rf"{_SOUND}(?:{_MARK}[,.!:; –—-]*)+|(?:哦|啊|呃|等等|抱歉|不好意思)?[，,！!。 ]*(?:哦?不对|错了|{_SAID_WRONG_ZH}|"
    r"口误|笔误|更正)(?:了|一下)?[，,。！! ]*",
    re.IGNORECASE,
)
# "I said it wrong, sertraline is 75 mg, not 50", 说错了，优甲乐是75微克不是50: all of it is said again.
_ANEW = re.compile(
    r"(?:sorry,? |oops,? |no,? )*(?:i (?:said|got|wrote|told you|had|put) (?:it|that|this) (?:all )?wrong|"
    r"i made a (?:mistake|typo))"
    r"[,.;:–—-]+ (?P<s>(?!it\b|that\b|this\b|they\b)[^,;]{3,80}?),? (?:and )?not [^,;.]{1,24}"
    r"|(?:哦|啊|呃|抱歉|不好意思|对不起|之前|上次|昨天|我|[，, ])*[说写打讲记]错了[，,：:。！! ]*"
    r"(?P<s2>(?!应该|应为)[^，,。是]{2,16}(?:应该)?是[^，,。不]{1,16})[，,]?而?不是[^，。]{1,12}",
    re.IGNORECASE,
)
# 半马我记错了，不是9号，是16号
_TOPIC_ZH = re.compile(r"[^，,。我不是]{1,10}我?(?:之前|刚才|上次|昨天)*[说写记搞弄]错了[，,：: ]*(?P<r>.+)")
# "It was moved to Friday" gives the day alone.
_MOVED = re.compile(
    r"^(?:moved|changed|pushed|switched|rescheduled|postponed|brought)(?: back| forward)? to "
    r"|^(?:是|应该是?)?(?:挪|改|换|移|调|推迟|延期|提前)[到成在为至]了?",
    re.IGNORECASE,
)
# What may come before the first of these words.
_SORRY = re.compile(
    rf"(?:{_SOUND}{_MARK}?|(?:哦|啊|呃|等等|等一下|抱歉|不好意思|对不起|[说写打讲记]错了)*)[,.!，。！ ]*|oh no",
    re.IGNORECASE,
)
# "..., not 12 May"; "..., 不是..."
_NOT = re.compile(r",? (?:and )?not [^,;.]{1,40}$|[，,](?:而?不是)[^，。]{1,16}$|(?<=\w)才对$", re.IGNORECASE)
# "..., 我记错了"
_WRONG_BEFORE = re.compile(
    r"[，,]\s*我?(?:刚才|刚刚)?[说写打讲记]错了?$|, (?:i )?(?:said|got|had) (?:it|that) wrong$", re.IGNORECASE
)
_MONTH = r"(?:jan|feb|mar|apr|may|june?|july?|aug|sept?|oct|nov|dec)[a-z]*"
_NUMERAL = "[一二两三四五六七八九十百\\d]"
# What of a sentence is a value, and of which sort; of one sort, one stands in the place of another.
_SORTS = tuple(
    re.compile(pattern, re.IGNORECASE)
    for pattern in (
        rf"\b\d{{1,2}}(?:st|nd|rd|th)? (?:of )?{_MONTH}\b(?:,? \d{{4}})?|\b{_MONTH} \d{{1,2}}(?:st|nd|rd|th)?\b(?:,? "
        rf"\d{{4}})?|\b\d{{4}}-\d\d-\d\d\b|{_NUMERAL}{{1,3}}月{_NUMERAL}{{1,3}}[日号]?",
        r"\b(?:(?:this|next) )?(?:mon|tues|wednes|thurs|fri|satur|sun)days?\b|\b(?:today|tomorrow)\b|"
        r"(?:[这下]{1,2}个?)?(?:周|星期|礼拜)[一二三四五六日天]|今天|明天|后天",
        rf"\b\d{{1,2}}:\d\d(?: ?[ap]\.?m\b\.?)?|\b\d{{1,2}} ?[ap]\.?m\b\.?|(?:早上|上午|中午|下午|晚上)?"
        rf"{_NUMERAL}{{1,3}}点(?:半|{_NUMERAL}{{1,3}}分?)?",
        r"(?<![A-Za-z\d.:])[+$€£¥]?\d[\d.,:/-]*(?<=\d)(?![A-Za-z\d:])|\b(?:one|two|three|four|five|six|seven|eight|"
        r"nine|ten|"
        r"eleven|twelve|twenty|thirty|forty|fifty)\b|"
        r"(?<!\d)[一二两三四五六七八九十百]{1,4}(?=[个只条位次人岁天块间台名斤元])",
    )
)
# Before the value that a statement ends with.
_SAYS = re.compile(
    r"\b(?:is|are|was|called|named|in|at|to|from|on|as|by|with|for|named after)(?: an?| the)? "
    r"(?P<v>(?!(?:called|named|from|in|at)\b)[\w'’-]+(?: (?-i:[A-Z])[\w'’-]+)*)$"
    r"|(?:是|叫做?|住在?|[在去到]|[加换吃喝买打用开选学养]了)(?P<v2>[^，。是叫在去到]{1,8})$",
    re.IGNORECASE,
)
_IS_SO = re.compile(r"(?:is|are|was|called|named)\b|[^a-z]", re.IGNORECASE)
# "from Leeds"
_PLACED = re.compile(r"\b(from|to|in|at|with) ([A-Z][\w'’-]+(?: [A-Z][\w'’-]+)*)")
# "I got my birthday wrong, it's ...", 我的生日说错了，是...: what was wrong is named.
_ABOUT = re.compile(
    r"(?:sorry,? |oops,? )?i (?:got|told you|said|wrote|had|mixed up) (?P<t>(?:my|our) [\w' ’-]{2,30}?) wrong"
    r"(?: (?:earlier|before|yesterday|just now|last time))?[,;:–—-]+ ?"
    r"(?:it's|it’s|it is|it should be|actually) (?P<v>\S.*)"
    r"|(?P<t2>(?:我|咱)[^，,。是]{1,12}?)(?:我)?(?:刚才|刚刚|之前|上次|昨天)?[说写打讲记]错了[，,：: ]*(?:其实|应该)?"
    r"(?:是|应为)(?P<v2>[^，,。]{1,30})",
    re.IGNORECASE,
)
# What differs in values of the same form.
_VARIES = re.compile(rf"(\d+|{_NUMERAL}+)")
_NAME = re.compile(r"((?<!\w)[A-Z][\w'’-]+)")
# Who was wrong, is no thing that was named wrongly.
_SOMEBODY_ZH = re.compile(rf"(?:{KIN_ZH}|[师板导户生员手理友事们家人妈爸爹娘哥姐弟妹公婆爷奶])$")
_VERB = re.compile(
    r"\b(?:is|are|was|were|am|has|have|had|do|does|did|will|would|can|could|should|I|we|you|he|she|they|it|this|that|"
    r"not|never|what|how|why|but|mind|question|let|let's|me|my|your|please|thanks?|ok|okay|yes|yeah|no|so|just|\w+ly|"
    r"nothing|everything|wait|sorry|for|about|one|more)\b|[我你他她它们吗呢吧]|什么|怎么|没|不",
    re.IGNORECASE,
)

Extract = Callable[[Said], Sequence[Extracted]]


@dataclass(frozen=True, slots=True)
class Slip:
    """`entries`: what was meant; `instead`: the texts of entries of the same message that it was not."""

    entries: tuple[Extracted, ...]
    instead: frozenset[str] = frozenset()


def mended(
    message: Said, text: str, masked: str, every: Sequence[Sentence], place: int, earlier: Sequence[Said], find: Extract
) -> Slip | None:
    """What a sentence says in the place of what stands before it: in itself, in the sentence before or, where it is the
    first, in the speaker's message before. None if it mends nothing that gives an entry."""
    sentence = every[place]
    if sentence.asks:
        return None
    words = masked[sentence.start : sentence.end]
    about = _ABOUT.fullmatch(words.strip(" .。!！"))
    if (
        about
        and "\0" not in about[0]
        and not _SOMEBODY_ZH.search(about["t2"] or "")
        and _short(about["v"] or about["v2"])
    ):
        named = f"{about['t']} is {about['v']}" if about["t"] else f"{about['t2']}是{about['v2']}"
        right = find(replace(message, text=named))
        evidence = text[sentence.start : sentence.end]
        return Slip(tuple(replace(one, evidence=evidence, replaces=True) for one in right)) if right else None
    if (anew := _ANEW.fullmatch(words.strip(" .。!！"))) and "\0" not in anew[0]:
        return _said_anew(message, anew["s"] or anew["s2"], text[sentence.start : sentence.end], find)
    if (contrast := _contrasted(message, text, masked, every, place, earlier, find)) is not None:
        return contrast
    inside = _BEFORE.search(words)
    if inside and not _SORRY.fullmatch(words[: inside.start()]):
        said = _mending(message, text[sentence.start : sentence.start + inside.start()], words[inside.end() :], find)
        evidence = text[sentence.start : sentence.end]
        return said and Slip(tuple(replace(one, evidence=evidence) for one in said[0]))
    value = None if _ALONE.fullmatch(words.strip()) else _value(words)
    start = place
    if value is None and place and _ALONE.fullmatch(masked[every[place - 1].start : every[place - 1].end].strip()):
        value, start = _plain(words), place - 1
        words = masked[every[start].start : sentence.end]
    if value is None or "\0" in value:
        return None
    if start:
        before = every[start - 1]
        said = _mending(message, text[before.start : before.end], words, find, value)
        evidence = text[before.start : sentence.end]
    else:
        last = next((one for one in reversed(earlier) if one.role == "user"), None)
        if last is None:
            return None
        places = list(sentences(last.text))
        stated = last.text[places[-1].start : places[-1].end] if places else ""
        said = stated and (_mending(last, stated, words, find, value) or _of_no_rule(last, stated, words, find, value))
        evidence = text[sentence.start : sentence.end]
    if not said:
        return None
    entries = (replace(one, evidence=evidence, message_id=None, replaces=True) for one in said[0])
    return Slip(tuple(entries), said[1])


def _contrasted(
    message: Said, text: str, masked: str, every: Sequence[Sentence], place: int, earlier: Sequence[Said], find: Extract
) -> Slip | None:
    """What "it's not Tuesday, it's Wednesday" says of the statement before it that gives the wrong value; where none
    does, news for whatever does."""
    here = every[place]
    words = masked[here.start : here.end].strip()
    topic = _TOPIC_ZH.fullmatch(words.strip(" .。!！"))
    if not only_contrasts(topic["r"] if topic else words):
        return None
    evidence = text[here.start : here.end].strip()
    news = Extracted("event", evidence.strip(" .。!！"), evidence, importance=NEWS.importance, replaces=True)
    if topic:
        return Slip((news,))
    if place:
        told, before = message, [text[every[place - 1].start : every[place - 1].end]]
    else:
        last = next((one for one in reversed(earlier) if one.role == "user"), None)
        told = last or message
        before = [told.text[one.start : one.end] for one in sentences(told.text)] if last else []
    for stated in (one.strip(" .。!！") for one in before):
        if right := restated(words, stated):
            wrong = frozenset(one.text for one in find(replace(told, text=stated)))
            entries = [one for one in find(replace(told, text=right)) if one.text not in wrong]
            entries = entries or [replace(news, text=right)]
            mended = (replace(one, evidence=evidence, message_id=None, replaces=True) for one in entries)
            return Slip(tuple(mended), wrong if place else frozenset())
    return Slip((news,))


def _said_anew(message: Said, right: str, evidence: str, find: Extract) -> Slip:
    """What is so, whatever was said before: news where no rule takes it."""
    found = find(replace(message, text=right)) or [Extracted("event", right, right, importance=NEWS.importance)]
    return Slip(tuple(replace(one, evidence=evidence, replaces=True) for one in found))


def _mending(
    message: Said, stated: str, words: str, find: Extract, value: str | None = None
) -> tuple[list[Extracted], frozenset[str]] | None:
    """The entries of a statement with another value, and the texts of those that it gave as it stood."""
    stated = stated.strip(" .。!！,，")
    value = value or _value(words)
    wrong = find(replace(message, text=stated)) if value else ()
    if value is None or not wrong:
        return None
    right = _with(stated, value, sure=bool(_SURE.search(words)))
    old = frozenset(one.text for one in wrong)
    if right is not None:
        found = [one for one in find(replace(message, text=right)) if one.text not in old]
        return (found, old - {one.text for one in find(replace(message, text=right))}) if found else None
    if not _SURE.search(words) or not _short(value):
        return None
    last = wrong[-1]
    return [replace(last, text=f"{last.text}; {_plain(words)}")], frozenset((last.text,))


def _of_no_rule(
    message: Said, stated: str, words: str, find: Extract, value: str
) -> tuple[list[Extracted], frozenset[str]] | None:
    """Of a statement of which no rule takes anything, though it may have been noted: news that it is so and so."""
    stated = stated.strip(" .。!！,，")
    right = _with(stated, value, sure=True) if _SURE.search(words) and not find(replace(message, text=stated)) else None
    if right is None:
        return None
    return [Extracted("event", right, right, importance=NEWS.importance, replaces=True)], frozenset()


def mends(words: str) -> bool:
    """Whether a sentence surely says something in the place of what stands before it."""
    return bool(_SURE.search(words)) and _value(words) is not None


def _value(words: str) -> str | None:
    """What was meant, if a sentence says that something else was."""
    match = _SLIP.fullmatch(words.strip(" .。!！"))
    if match is None:
        return None
    value = _MOVED.sub("", _plain(match["v"] or match["v2"]))
    return value if 0 < len(value) <= LONGEST_REST else None


def _plain(words: str) -> str:
    return _NOT.sub("", _WRONG_BEFORE.sub("", words.strip(" .。!！,，了\n"))).strip(" ,，")


# "Thursday" for "next Wednesday" is one of the same week.
_WEEK = re.compile(r"(?:this|next) (?=\w+day)|[这下]{1,2}个?(?=周|星期|礼拜)", re.IGNORECASE)
_A_DAY = re.compile(r"(?:mon|tues|wednes|thurs|fri|satur|sun)day|周|星期|礼拜", re.IGNORECASE)


def _short(value: str) -> bool:
    """Whether it is no statement of its own."""
    return not _VERB.search(value) and len(value) <= LONGEST_VALUE and len(value.split()) <= MOST_WORDS


def _with(stated: str, value: str, *, sure: bool) -> str | None:
    """The statement with this value, where it has one value of that sort, or ends with a word that it may stand for.
    Of a word that is no name, only where it is `sure` that something else was meant."""
    for sort in _SORTS:
        match = sort.match(value)
        if match is None:
            continue
        places = list(sort.finditer(stated))
        rest = value[match.end() :]
        if len(places) != 1 or not (rest == "" or re.match(r" (?:at|on|in|from|to|with)\b|[在去到从]", rest)):
            # Its unit or its noun are as they were: "two kids", "three".
            if len(places) == 1 and stated[places[0].end() :].startswith(rest):
                return stated[: places[0].start()] + match[0] + stated[places[0].end() :]
            return _from_its_first_word(stated, value) if sure else None
        week = _WEEK.match(places[0][0])
        kept = week[0] if week and _A_DAY.match(match[0]) else ""
        return stated[: places[0].start()] + kept + match[0] + stated[places[0].end() :] + rest
    if sure and (said := _in_its_form(stated, value)) is not None:
        return said
    placed = _PLACED.fullmatch(value)
    if placed:
        places = [match for match in _PLACED.finditer(stated) if match[1].lower() == placed[1].lower()]
        return stated[: places[0].start()] + value + stated[places[0].end() :] if len(places) == 1 else None
    if sure and (said := _from_its_first_word(stated, value)) is not None:
        return said
    ends = _SAYS.search(stated)
    if ends is None or not _short(value) or not (sure or value[0].isupper()):
        return None
    name = "v" if ends["v"] else "v2"
    if ends[name][0].isupper() != value[0].isupper() or (value[0].islower() and not _IS_SO.match(ends[0])):
        return None
    return stated[: ends.start(name)] + value


def _from_its_first_word(stated: str, value: str) -> str | None:
    """The statement with this value in the place of its end, where that begins with the same word: "I have two
    brothers", "two cousins"; 对花生过敏, 对核桃过敏."""
    first = value[0] if "\u4e00" <= value[0] <= "\u9fff" else rf"\b{re.escape(value.split()[0])}\b"
    places = list(re.finditer(first, stated))
    if len(places) != 1 or not places[0].start() or places[0][0] == value or not _short(value):
        return None
    end = stated[places[0].start() :]
    alike = len(end.split()) == len(value.split()) and 2 * len(value) >= len(end) >= len(value) / 2
    return stated[: places[0].start()] + value if alike and not re.search(r"[,;，；]", end) else None


def _in_its_form(stated: str, value: str) -> str | None:
    """The statement with this value in the place of the one that is the same but for its numbers or, without any, its
    names: "Year 9", "Year 8"; "the Piccadilly line", "the Victoria line"."""
    varies = _VARIES if _VARIES.search(value) else _NAME
    form = "".join(
        varies.pattern if varies.fullmatch(part) else re.escape(part) for part in varies.split(value) if part
    )
    if not re.search(r"[^\W\d_]", varies.sub("", value)) or not _short(value):
        return None
    places = [match for match in re.finditer(rf"(?<![A-Za-z\d]){form}(?![A-Za-z\d])", stated) if match[0] != value]
    return stated[: places[0].start()] + value + stated[places[0].end() :] if len(places) == 1 else None
