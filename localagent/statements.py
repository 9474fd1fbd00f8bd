"""What two statements have in common, and in what they differ: whether one repeats, corrects or just resembles the
other. English and Chinese; by words, never by a cosine, which is as high for a correction as for a repetition.
"""

from __future__ import annotations

import re
import unicodedata
from dataclasses import dataclass, field
from functools import lru_cache
from itertools import zip_longest
from typing import Literal, TypeAlias

from localagent.courtesy import plain_zh
from localagent.memory.language import CJK

# same     it says nothing that the other does not say
# newer    it says otherwise of the same thing, or the same more exactly
# alone    it is newer than the other if it is so of no third one
# part     it says otherwise of a part of it
# close    they may be about the same thing
# other    they are not
Relation: TypeAlias = Literal["same", "newer", "alone", "part", "close", "other"]

# At least this share of all content words must be common to be the same; from this one on statements are close.
SAME_SHARE = 0.75
CLOSE_SHARE = 0.5
# A statement has a dozen words; a longer text is compared by its beginning.
MAX_TEXT = 600

_FILLERS = frozenset(
    (
        "a an the i we you he she they them their me my mine our ours your yours us it its this that these those there "
        "is are was were be "
        "been am do does did has have had will would can could should shall may might must please really very "
        "much always "
        "still also just now again already so and but then more longer any some ok okay well actually definitely "
        "quite of "
        "in on at for to with by from about as into than over d ll ve s m re t not no never don didn doesn isn "
        "won wasn "
        "haven hasn aren cannot can't stop stopped anymore instead rather only even everything all every ever "
        "kind sort "
        "here today's currently new current latest remember that's i'm it's too both which who what when if let "
        "lets going "
        "decided decide agreed agree settled gonna want need needs wants got get remind moved changed postponed "
        "rescheduled switched updated "
        "correction turned turns switching moving longer after pushed delayed cancelled canceled cancel off step "
        "steps todo todos i've i'd i'll we've we're we'd we'll they've they're they'll he's she's you're you've there's"
    ).split()
)
_FILLERS_ZH = re.compile(
    "从现在开始|从今以后|其实|还是|一直|现在|以后|目前|已经|非常|真的|特别|比较|十分|更加|而且|并且|不过(?!敏)|但是|所以|"
    "因为|我们|咱们|你们|希望|需要|"
    "决定|商定|改成|改到|改为|改在|改用|换成|换到|推迟到?|提前到?|移到|挪到|取消|下一步|待办|(?<!开)会(?!议|员|计|场)|记住|"
    "记得|提醒|最终|最后|[我您你的了吧呢啊哦请是就都也还很更太这那要得把给用再又只个有在不没别无勿非莫想]"
)
# Words for liking, and for its opposite.
_LIKES = frozenset("lik lov enjoy prefer adore ador favor favour fan fond".split())
_DISLIKES = re.compile(
    r"\b(?:hate[sd]?|dislikes?|loathe|detest|can(?:'t|not|’t) (?:stand|bear))\b|讨厌|厌恶|受不了|反感", re.IGNORECASE
)
_LIKES_ZH = re.compile("喜欢|偏好|偏爱|喜爱|热爱|讨厌|厌恶|受不了|反感|宁愿|倾向于?|爱(?=[吃喝看听玩用])")
_DENIES = re.compile(
    r"\b(?:not|no|never|none|nothing|neither|without|cannot|stop(?:ped|s)?|quit|avoid|refrain|cancell?ed|called off)\b"
    r"|n['’]t\b|取消|不再|再也不|不|没有?|别|无|勿|非(?!常)|禁止|避免|停止|戒",
    re.IGNORECASE,
)
_NOT_DENYING = re.compile(
    r"\bno (?:one|problem|longer than|more than)\b|\bnot only\b|不超过|不多于|不仅|不过(?!敏)|差不多|非常|别墅|别人",
    re.I,
)
_DAY_NAMES = {
    "monday": "mon", "tuesday": "tue", "wednesday": "wed", "thursday": "thu", "friday": "fri", "saturday": "sat",
    "sunday": "sun", "today": "today", "tonight": "today", "tomorrow": "tomorrow", "yesterday": "yesterday",
    "january": "jan", "february": "feb", "march": "mar", "april": "apr", "june": "jun", "july": "jul",
    "august": "aug", "september": "sep", "october": "oct", "november": "nov", "december": "dec", "may": "may",
    "weekend": "weekend", "morning": "am", "noon": "noon", "afternoon": "pm", "evening": "evening", "night": "night",
    "amtime": "am", "pmtime": "pm", "week": "week", "month": "month", "year": "year", "next": "next", "last": "last",
}  # fmt: skip
_MONTHS = frozenset("jan feb mar apr may jun jul aug sep oct nov dec".split())
_DATES = frozenset("月 日 号".split())
_TIMES = frozenset("am noon pm evening night 早上 上午 中午 下午 晚上 傍晚 凌晨".split())
_DAYS_ZH = re.compile(
    "(?:周|星期|礼拜)([一二三四五六日天])|大后天|后天|明天|今天|昨天|前天|下下?个?(?=周|月|星期)|上个?(?=周|月|星期)|"
    "早上|上午|中午|下午|晚上|傍晚|凌晨|月底|年底|明年|今年|去年|周末"
)
_WEEK_ZH = dict(zip("一二三四五六日天", "mon tue wed thu fri sat sun sun".split(), strict=True))
_DIGITS_ZH = {sign: number for number, sign in enumerate("零一二三四五六七八九")} | {"两": 2, "〇": 0}
_NUMBER_ZH = re.compile(
    "[一二两三四五六七八九][百千万][零〇一二两三四五六七八九十百千万]*|"
    "[一二两三四五六七八九]?十[一二两三四五六七八九]?万[零〇一二两三四五六七八九十百千]*|"
    "[零〇一二两三四五六七八九十百千万]+(?=[点时号日月年岁周天个只条位次人元块字句层楼度口名小分半台部间页份倍米斤])"
)
_NUMBER_WORDS = {
    word: str(number)
    for number, word in enumerate(
        "zero one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen sixteen".split()
    )
} | {"twenty": "20", "thirty": "30", "forty": "40", "fifty": "50", "hundred": "100", "thousand": "1000"}
_AGED = re.compile(r"(?<=\w)[ -](?:years?|months?|yrs?)[ -]old\b|\bthese days\b|\bnowadays\b")
_CLOCK = re.compile(r"(\d)\s?([ap])\.?m\b\.?")
_NEXT_STEP = re.compile(r"\bnext steps?\b")
_IRREGULAR = {
    "bought": "buy", "sent": "send", "paid": "pay", "wrote": "write", "written": "write", "called": "call", "did": "do",
    "made": "make", "done": "do", "took": "take", "taken": "take", "got": "get", "gave": "give", "went": "go",
    "told": "tell", "met": "meet", "found": "find", "kept": "keep", "chose": "choose", "moved": "move",
    "replies": "reply", "flight": "fly", "flights": "fly", "flew": "fly", "flown": "fly",
}  # fmt: skip
_TOKEN = re.compile(rf"\d+(?:[.:,/-]\d+)*|[{CJK}]|[^\W\d_{CJK}][^\W_{CJK}]*(?:[-.'’/@+#][^\W_{CJK}]+)*|[@#/~][\w./-]+")
# Words between which an exchange of places changes what is said.
_DIRECTED = re.compile(
    r"\b(?:than|over|to|from|before|after|instead|rather|beats|manages|reports)\b|比|到|从|先|而不是|胜过|之前|之后"
)


@dataclass(frozen=True, slots=True)
class Statement:
    """`tokens`: its content words in order, without numbers and days; `numbers` and `days` in order; `units`: the word
    after each number. `denies`: it says
    that something is not so, not wanted, not liked. `likes`: it says what somebody likes."""

    text: str
    tokens: tuple[str, ...]
    numbers: tuple[str, ...]
    days: tuple[str, ...]
    denies: bool
    likes: bool
    content: frozenset[str] = field(default=frozenset())
    units: tuple[str, ...] = ()


@lru_cache(maxsize=1024)  # one is compared with many
def statement(text: str) -> Statement:
    plain = unicodedata.normalize("NFKC", plain_zh(text[:MAX_TEXT])).lower().replace("’", "'")
    plain = _CLOCK.sub(r"\1 \2mtime", _AGED.sub(" ", _NEXT_STEP.sub(" ", plain)))
    denials = len(_DENIES.findall(_DISLIKES.sub(" ", _NOT_DENYING.sub(" ", plain))))
    denies = bool(denials) != bool(_DISLIKES.search(plain))
    likes = bool(_LIKES_ZH.search(plain) or _DISLIKES.search(plain))
    plain = _DISLIKES.sub(" like ", plain)
    plain = _LIKES_ZH.sub(" like ", plain)
    numbers: list[str] = []
    days: list[str] = []
    plain = _NUMBER_ZH.sub(lambda match: f" {_of_chinese(match[0])} ", plain)

    def day(match: re.Match[str]) -> str:
        days.append(_WEEK_ZH[match[1]] if match[1] else match[0])
        return " "

    plain = _DAYS_ZH.sub(day, plain)
    tokens: list[str] = []
    units: list[str] = []
    found = _TOKEN.findall(_FILLERS_ZH.sub(" ", plain))
    for token, after in zip_longest(found, found[1:], fillvalue=""):
        if token[0].isdigit():
            numbers.append(token.replace(",", ""))
            units.append(stem(after))
        elif token in _NUMBER_WORDS:
            numbers.append(_NUMBER_WORDS[token])
        elif token.removesuffix("s") in _DAY_NAMES or token.removesuffix("'s") in _DAY_NAMES:
            days.append(_DAY_NAMES[token.removesuffix("'s").removesuffix("s")])
        elif token not in _FILLERS and token.removesuffix("n't") not in _FILLERS:
            stemmed = stem(token)
            tokens.append("like" if stemmed in _LIKES else stemmed)
    likes = likes or "like" in tokens
    return Statement(text, tuple(tokens), tuple(numbers), tuple(days), denies, likes, frozenset(tokens), tuple(units))


def stem(word: str) -> str:
    """Without the commonest endings of English; enough to find "replies" and "reply" the same."""
    word = word.removesuffix("'s")
    if word in _IRREGULAR:
        return _IRREGULAR[word]
    if not word.isascii() or not word.isalpha() or len(word) < 4:
        return word
    if word.endswith("ies"):
        return word[:-3] + "y"
    for ending in ("ings", "ing", "ed", "es", "s"):
        if word.endswith(ending) and not word.endswith("ss") and len(word) - len(ending) >= 3:
            word = word[: -len(ending)]
            if len(ending) > 1 and len(word) > 3 and word[-1] == word[-2] and word[-1] in "bdgmnprt":
                word = word[:-1]  # swimming
            break
    return word.removesuffix("e") if len(word) > 3 else word


def _of_chinese(text: str) -> int:
    """The value of a numeral below a hundred million, as in 三百二十."""
    total, number, unit = 0, 0, 1
    if not any(sign in "十百千万" for sign in text):
        return int("".join(str(_DIGITS_ZH[sign]) for sign in text))
    for sign in text:
        if sign in _DIGITS_ZH:
            number = _DIGITS_ZH[sign]
            unit = unit if number else 10  # after a zero, ones are ones
        elif sign == "万":
            total, number, unit = (total + number) * 10_000, 0, 10_000
        else:
            unit = {"十": 10, "百": 100, "千": 1000}[sign]
            total += (number or 1) * unit
            number = 0
    # 一万二 is 12000.
    return total + number * max(1, unit // 10)


def share(one: Statement, other: Statement) -> float:
    """Of all content words of both, the share that both have (0-1)."""
    every = one.content | other.content
    return len(one.content & other.content) / len(every) if every else 0.0


def same_details(one: Statement, other: Statement) -> bool:
    return (one.numbers, one.days, one.denies) == (other.numbers, other.days, other.denies)


def repeats(new: Statement, old: Statement) -> bool:
    """Whether `new` says nothing beyond `old`: the same numbers, days and negation, and no word that it has not."""
    if not same_details(new, old) or not new.content <= old.content:
        return False
    if share(new, old) < SAME_SHARE:
        return False
    if new.tokens == old.tokens or new.content != old.content:
        return True
    return not _DIRECTED.search(new.text.lower()) and len(new.tokens) > 1


def refines(new: Statement, old: Statement) -> bool:
    """Whether `new` says all that `old` says, and a little more."""
    return (
        (new.numbers[: len(old.numbers)], new.days[: len(old.days)], new.denies) == (old.numbers, old.days, old.denies)
        and len(old.content) >= 2
        and old.content < new.content
        and share(new, old) >= SAME_SHARE
    )


def reverses(new: Statement, old: Statement) -> bool:
    """The same words, with the opposite said of them."""
    if new.denies == old.denies:
        return False
    common = len(new.content & old.content)
    return share(new, old) >= SAME_SHARE or (common >= 2 and common == min(len(new.content), len(old.content)))


def measures(new: Statement, old: Statement) -> bool:
    """Other amounts of the same: "每块 480 字、重叠 60 字", "每块 320 字，重叠 40 字"."""
    return (
        new.numbers != old.numbers
        and new.units == old.units != ()
        and all(new.units)
        and len(new.content & old.content) > len(set(new.units))
        and len(new.content & old.content) >= 3
    )


def words_in(content: frozenset[str]) -> float:
    """How many words these are; two Chinese characters count as one."""
    return sum(1.0 if word.isascii() else 0.5 for word in content)


def kinds_of_values(said: Statement) -> set[str]:
    """Of which kinds its numbers and days are: `day`, `clock`, `number`."""
    found = {"clock" if one in _TIMES else "day" for one in said.days}
    clocks = [unit in ("点", "时") or ":" in number for number, unit in zip(said.numbers, said.units, strict=False)]
    if any(clocks):
        found.add("clock")
    elif said.numbers and not (_MONTHS.intersection(said.days) or _DATES.intersection(said.units)):
        found.add("number")
    return found


def moves(new: Statement, old: Statement) -> bool:
    """The same words with other numbers or days, or the same words the other way round."""
    if new.denies != old.denies or not new.content or share(new, old) < SAME_SHARE:
        return False
    if not new.numbers and not new.days and (old.numbers or old.days):
        return False  # it gives no value
    if (new.numbers, new.days) == (old.numbers, old.days):
        return new.content == old.content and new.tokens != old.tokens and bool(_DIRECTED.search(new.text.lower()))
    # Another number of something else is another thing: "room 4 has 10 chairs", "room 5 has 12 chairs".
    return len(new.numbers) + len(old.numbers) <= 2 or new.numbers[:1] == old.numbers[:1] or new.days == old.days
