"""What of a statement cannot be guessed: its numbers, dates, names, paths; and the words that say of what they are."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from functools import lru_cache
from typing import Literal, TypeAlias, cast

from localagent.memory.language import negations, words

# number   an amount or a count; its unit says of what
# date     a day of the calendar, a weekday, a month
# time     an hour of the day
# code     a path, an address, an identifier: anything with digits or signs in it
# name     of a person, a place, a product
# few      a number in words, as people use it for what they do not count: "one of them", 一个
Type: TypeAlias = Literal["number", "date", "time", "code", "name", "few"]

_HAN = "\u4e00-\u9fff"
_MONTHS = "jan feb mar apr may jun jul aug sep oct nov dec".split()
_MONTH = (
    r"(?:january|february|march|april|may|june|july|august|september|october|november|december|"
    r"jan|feb|mar|apr|jun|jul|aug|sept?|oct|nov|dec)"
)
_DAY = r"(?:mon|tues|wednes|thurs|fri|satur|sun)days?"
_COUNTS_ZH = (
    "个只条位次人名口元块字句行段篇页册本张份封层楼间套栋亩台辆部架件箱袋瓶罐桶包盒斤克升米度岁年月周天日"
    "小分秒点号时倍成折档组批户家所场届节课回遍轮步道门根颗粒棵株头匹匣排列万亿"
)
_DIGITS_ZH = "零〇一二两三四五六七八九十百千万半"
_VALUES = re.compile(
    rf"""
 (?P<code>https?://\S+ | \b[\w.+-]+@[\w-]+\.\w+ | (?<![\w/])~?\.{{0,2}}/[\w.-]+(?:/[\w.*-]*)* | \b[A-Za-z]:\\[\w\\.-]+
   | (?<![\w.])\d{{1,3}}(?:\.\d{{1,3}}){{3}}(?![\w.]*\d) | (?<![A-Za-z0-9.])v?\d+\.\d+\.\d+[\w.-]*
   | (?<![A-Za-z0-9_])(?=[A-Za-z0-9_-]*[0-9_])(?=[A-Za-z0-9_-]*[A-Za-z])[A-Za-z][A-Za-z0-9_]*(?:-[A-Za-z0-9_]+)*
     (?![A-Za-z0-9_])
   | \b[\w-]+\.(?:com|org|net|io|dev|cn|local|lan|md|py|txt|json|ya?ml|toml|csv|pdf|docx?|xlsx?|pptx?|db|sqlite|conf|
     env|internal|example|sh|go|js|ts|html|xml|zip|jpe?g|png|mp[34]|wav|psd|tiff?|ods|odt)\b)
|(?P<time>\b\d{{1,2}}[:.]\d{{2}}\ ?(?:am|pm)\b|\b\d{{1,2}}:\d{{2}}\b|\b\d{{1,2}}\ ?(?:am|pm)\b|\bnoon\b|\bmidnight\b
   | \b(?:half\ past|quarter\ (?:past|to)|(?:five|ten|twenty)\ (?:past|to))\ \w+
   | (?:\d{{1,2}}\ ?|[一二两三四五六七八九十]{{1,3}})点
     (?:半|整|一刻|三刻|钟|\ ?\d{{1,2}}分?|[一二三四五六七八九十]{{1,3}}分?)?)
|(?P<date>\b\d{{4}}-\d{{1,2}}-\d{{1,2}}\b|\b\d{{1,2}}[./]\d{{1,2}}[./]\d{{4}}\b|\b\d{{4}}/\d{{1,2}}/\d{{1,2}}\b
   | \b\d{{1,2}}(?:st|nd|rd|th)?(?:\ of)?\ {_MONTH}\b(?:\ \d{{4}})?|\b{_MONTH}\ \d{{1,2}}(?:st|nd|rd|th)?\b(?!:)
   | \b(?:{_DAY})\b|\b(?:in|of|by|until|till|since|from|mid|early|late|end\ of|before|next|last)[\ -]{_MONTH}\b
   | (?:\d{{4}}\ ?年\ ?)?(?:\d{{1,2}}\ ?|[一二三四五六七八九十]{{1,3}})月
     (?:底|初|中旬?|(?:\ ?\d{{1,2}}\ ?|[一二三四五六七八九十]{{1,3}})[日号]?)?
   | \d{{4}}\ ?年(?!\d)|(?:下下?个?|上个?|这个?|本)?(?:周|星期|礼拜)[一二三四五六日天末]
   | \b\d{{1,2}}(?:st|nd|rd|th)\b|(?<!\d)\d{{1,2}}\ ?[号日](?!\ ?[A-Za-z{_HAN}]*[线队院楼门馆厅桌]))
|(?P<number>[$€£¥￥]?\s?\d+(?:[,，]\d{{3}})*(?:\.\d+)?(?:\s?[%％‰°])?)
|(?P<few>(?<![{_DIGITS_ZH}])(?:[{_DIGITS_ZH}]+)(?=[{_COUNTS_ZH}](?![{_HAN}]?[起样些直般定切下]))
   | 百分之[{_DIGITS_ZH}]+
   | \b(?:two|three|four|five|six|seven|eight|nine|ten|eleven|twelve|thirteen|fourteen|fifteen|sixteen|seventeen|
     eighteen|nineteen|twenty|thirty|forty|fifty|sixty|seventy|eighty|ninety|hundred|thousand|dozen)
     (?:-(?:one|two|three|four|five|six|seven|eight|nine))?\b)
""",
    re.IGNORECASE | re.VERBOSE,
)
# Capitalised words, but not where a sentence begins; Latin words among Chinese ones; how Chinese names are spoken of.
_NAME = re.compile(
    r"(?<![A-Za-z.])[A-Z][a-zA-Z'’]*[a-zA-Z](?:(?: (?:&|of|de|van|von) | )[A-Z][a-zA-Z'’]+)*|(?<!\w)[A-Z]{2,}\b"
)
_NAME_ZH = re.compile(
    rf"(?<![A-Za-z])[A-Za-z][A-Za-z.+#-]*[A-Za-z](?![A-Za-z])|《[^》]{{1,30}}》|「[^」]{{1,20}}」|“[^”]{{1,20}}”"
    rf"|[老小阿](?!师|家|板|时|心|区|事|姨|组|说|学|是|鼠|规|样|字|问|型|程)[{_HAN}](?![{_HAN}]?[的]?时)"
    rf"|[{_HAN}]{{1,2}}(?:总|姐|哥|叔|姨|师傅|老师|经理|主任|医生|律师|先生|女士|同学|教授|师兄|师姐|会计|主管|师)(?![{_HAN}]?间)"
)
_NOT_A_NAME = frozenset(
    (
        "here there what who where he she let how when if in on at for and but so my our i i'm i've i'll i'd the a an "
        "ok okay no yes it we they this that monday tuesday wednesday thursday friday saturday sunday january february "
        "march april may june july august september october november december"
    ).split()
)
_SENTENCE_START = re.compile(r"(?:^|[.!?:;…\"“(\n]|\s[-–—])\s*$")
_CJK_TEXT = re.compile(rf"[{_HAN}]")
_FILLING_ZH = re.compile(
    "[的了吗呢吧啊呀嘛么是在有和与就都也还很太这那个来去把被给得地着过我你您他她它们咱不没别先再又才只要会能可"
    "想让跟对从到为以而且但所因如果已将]"
)
_COMMON = frozenset(
    (
        "one two also just really very now please thing things lot way get got make made like want need know "
        "think going still back new old first last next time day days week year today tomorrow yesterday instead "
        "correction plan change changed actually number true real right update everything something anything "
        "whole every each all any more most much many some only even ever never always too again out up down "
        "over off let lets say says said us per about under around after before since until while because "
        "without between through good well come goes take takes taken keep keeps put use used using stays stay"
    ).split()
)
# What numbers count that tell no subject, as stems.
MEASURES = frozenset(
    (
        "day week month year hour minut second euro dollar pound percent kilo gram metr meter litr liter mil kilometr "
        "cm mm km kg gb mb tb ms $ € £ ¥ ￥ % ％ ° 天 周 月 年 小 分 秒 元 块 个 次 岁 点 度 米 公 斤 升 克 万 千 百 倍"
    ).split()
)
_ENDINGS = ("ing", "ed", "es", "s")
_LONGEST = 1200


@dataclass(frozen=True, slots=True)
class Value:
    """`units`: the content words beside a number, which say what it counts or measures ("till" of "3 tills") or, with a
    "#", what it is the number of ("#port" of "port 80")."""

    type: Type
    value: str
    units: frozenset[str] = frozenset()


@dataclass(frozen=True, slots=True)
class Details:
    """`content`: stems of the words that carry a subject, of Chinese the pairs of characters."""

    values: tuple[Value, ...]
    content: frozenset[str]
    denies: bool

    def has(self, *types: Type) -> bool:
        return any(value.type in types for value in self.values)


@lru_cache(maxsize=4096)
def details(text: str) -> Details:
    """Of the first 1200 characters. Linear in their number."""
    text = text[:_LONGEST]
    values: list[Value] = []
    rest = list(text)
    for match in _VALUES.finditer(text):
        kind = match.lastgroup
        value = _plain(match[0])
        if value:
            units = _units(text, match) if kind in ("number", "few") else frozenset()
            values.append(Value(cast("Type", kind), value, units))
            rest[match.start() : match.end()] = " " * (match.end() - match.start())
    left = "".join(rest)
    values += [Value("name", name) for name in _names(left)]
    return Details(tuple(dict.fromkeys(values)), content(left), negations(text) % 2 == 1)


def without_values(text: str) -> str:
    """With spaces in the place of numbers, dates, times and codes."""
    return _VALUES.sub(" ", text)


@lru_cache(maxsize=4096)
def content(text: str) -> frozenset[str]:
    return frozenset(_content(text))


def _content(text: str) -> Iterator[str]:
    for word in words(text):
        if _CJK_TEXT.match(word):
            if len(word) == 2 and not _FILLING_ZH.search(word):
                yield word
        elif word not in _COMMON and len(word) > 1 and not word.isdigit():
            yield stem(word)


def stem(word: str) -> str:
    """Without the commonest endings of English, so that "invoices" and "invoice" are one."""
    if len(word) < 4 or not word.isascii():
        return word
    if word.endswith("ies"):
        return word[:-3] + "y"
    for ending in _ENDINGS:
        if word.endswith(ending) and not word.endswith("ss") and len(word) - len(ending) >= 3:
            word = word[: -len(ending)]
            break
    if len(word) > 3 and word[-1] == word[-2] and word[-1] not in "aeouls":
        word = word[:-1]
    return word.removesuffix("e") if len(word) > 3 else word


def _plain(value: str) -> str:
    value = value.strip(" .,;:，。").lower()
    if _CJK_TEXT.search(value):
        value = value.replace(" ", "")
    return re.sub(r"(?<=\d)[,，](?=\d)", "", re.sub(r"\s+", " ", value))


def _units(text: str, match: re.Match[str]) -> frozenset[str]:
    after = re.match(rf"[\s-]?(?:[A-Za-z]+|[{_HAN}]{{1,3}})(?:[\s-][A-Za-z]+)?", text[match.end() : match.end() + 40])
    before = re.search(r"(?:[A-Za-z]+|第)\s?$", text[max(0, match.start() - 20) : match.start()])
    found = {f"#{stem(word)}" for word in words(before[0])} if before else set()
    if after and not after[0].isascii():
        found.add(after[0].strip()[:1])
    elif after and words(re.split(r"[\s-]", after[0].strip(" -"))[0]):
        found |= {stem(word) for word in words(after[0])}
    sign = re.search(r"[$€£¥￥%％°]", match[0])
    return frozenset(found | ({sign[0]} if sign else set()))


def _names(text: str) -> Iterator[str]:
    if _CJK_TEXT.search(text):
        yield from (match[0].lower() for match in _NAME_ZH.finditer(text))
        return
    for match in _NAME.finditer(text):
        name = match[0].removesuffix("'s").removesuffix("’s")
        several = " " in name or name[1:] != name[1:].lower()
        begins = bool(_SENTENCE_START.search(text[: match.start()]))
        if begins and not several and not text[match.start() :].startswith((f"{name}'s", f"{name}’s")):
            continue
        if begins and " " in name and name.split()[0].lower() in (_NOT_A_NAME | _COMMON):
            name = name.partition(" ")[2]
        if name.lower() not in _NOT_A_NAME and len(name) > 1:
            yield name.lower()
