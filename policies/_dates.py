"""When something falls due: the dates and times of day that English and Chinese texts name, also relative ones.

Times are those of the machine's own time zone. A day without a time of day means its end.
"""

from __future__ import annotations

import calendar
import datetime as dt
import re
from collections.abc import Callable
from typing import TypeAlias

_WEEKDAYS = "monday tuesday wednesday thursday friday saturday sunday".split()
_MONTHS = "january february march april may june july august september october november december".split()
_MONTH_NUMBERS = {name[:length]: number for number, name in enumerate(_MONTHS, 1) for length in (3, len(name))}
_MONTH_NUMBERS["sept"] = 9
_MONTH = "|".join(sorted(_MONTH_NUMBERS, key=len, reverse=True))
# Not "sat" and "sun", which are words.
_WEEKDAY = r"(monday|mon|tues?(?:day)?|wed(?:nesday)?|thu(?:rs)?(?:day)?|fri(?:day)?|saturday|sunday)"
_DIGITS = {sign: value for value, signs in enumerate(("〇零", "一", "二两", "三", "四", "五", "六", "七", "八", "九"))
           for sign in signs}  # fmt: skip
_NUMBER = r"(\d{1,3}|[一二两三四五六七八九十]{1,3})"
_WORDS = {"a": 1, "an": 1, "one": 1, "two": 2, "three": 3, "four": 4, "five": 5, "six": 6, "seven": 7, "ten": 10}
_COUNT = rf"(\d{{1,3}}|{'|'.join(_WORDS)})"
# A date without a year that is past by up to so many days is one of this year; longer ago, one of the next.
_JUST_PAST = 90

# Of a day that comes once a year, "the 5th" is none of this month: whoever says no month has said it before.
_YEARLY = re.compile(
    r"\b(?:birthday|anniversary)(?:['’]s| is| was| falls| will be)\b"
    r"|(?:生日|纪念日)(?:其实|应该|实际上?|好像|改|不)*[是在到]"
)

Found: TypeAlias = "dt.date | dt.datetime | None"


def due_at(text: str, said_at: float) -> float | None:
    """The moment (epoch seconds) that a text said at `said_at` names, if it is that day or later; else None."""
    try:
        said = dt.datetime.fromtimestamp(said_at)
        if _YEARLY.search(text.lower()) and _first_is_bare(text.lower()):
            return None
        day, rest = _day(text.lower(), said)
        if isinstance(day, dt.datetime):
            return day.timestamp()
        time = _time(rest)
        if day is None and time is None:
            return None
        day = day or said.date()
        due = dt.datetime.combine(day, time or dt.time(23, 59)).timestamp()
    except (ValueError, OverflowError, OSError):  # a clock or a date out of every range
        return None
    return due if day >= said.date() else None


def names_day(text: str, said_at: float) -> bool:
    """Whether the text names a day, today or later."""
    try:
        said = dt.datetime.fromtimestamp(said_at)
        day, _ = _day(text.lower(), said)
    except (ValueError, OverflowError, OSError):
        return False
    return day is not None and (isinstance(day, dt.datetime) or day >= said.date())


def _day(text: str, said: dt.datetime) -> tuple[Found, str]:
    """The first day that is named, and the text without its numbers, which are not the time of day."""
    for pattern, read in _DAYS:
        match = pattern.search(text)
        if match:
            try:
                found = read(match, said)
            except (ValueError, OverflowError):  # the 31st of a month that has none
                continue
            rest = re.sub(r"\d+|[一二两三四五六七八九十]", " ", match[0])
            return found, f"{text[: match.start()]}{rest}{text[match.end() :]}"
    return None, text


def _first_is_bare(text: str) -> bool:
    """Whether the first day that it names is one of a month that it does not name."""
    found = next(((match, read) for pattern, read in _DAYS if (match := pattern.search(text))), None)
    return found is not None and found[1] in (_day_of_month, _day_of_this_month) and not found[0][1]


def _number(text: str) -> int:
    """Of digits, Chinese numerals below 100, or an English word."""
    if text.isdecimal():
        return int(text)
    if text in _WORDS:
        return _WORDS[text]
    if "十" in text:
        tens, _, ones = text.partition("十")
        return (_DIGITS[tens] if tens else 1) * 10 + (_DIGITS[ones] if ones else 0)
    return int("".join(str(_DIGITS[sign]) for sign in text))


def _after(days: int) -> Callable[[re.Match[str], dt.datetime], Found]:
    return lambda match, said: said.date() + dt.timedelta(days)


def _count_days(match: re.Match[str], said: dt.datetime) -> Found:
    """In 3 days, weeks, months, hours, minutes."""
    count, unit = _number(match[1]), match[2]
    if unit.startswith(("minute", "hour", "分", "小", "个小", "钟")):
        return said + dt.timedelta(minutes=count * (1 if unit.startswith(("minute", "分")) else 60))
    if unit.startswith(("month", "个月", "月")):
        return _month_after(said.date(), count)
    if unit.startswith(("year", "年")):
        return _month_after(said.date(), 12 * count)
    return said.date() + dt.timedelta(count * (7 if unit.startswith(("week", "周", "个星期", "星期")) else 1))


def _month_after(day: dt.date, months: int) -> dt.date:
    index = day.year * 12 + day.month - 1 + months
    year, month = divmod(index, 12)
    return dt.date(year, month + 1, min(day.day, calendar.monthrange(year, month + 1)[1]))


def _month_end(day: dt.date) -> dt.date:
    return day.replace(day=calendar.monthrange(day.year, day.month)[1])


def _weekday(match: re.Match[str], said: dt.datetime) -> Found:
    which, name = match[1] or "", match[2]
    number = "一二三四五六日".find(name.replace("天", "日"))
    if number < 0:
        number = next(index for index, full in enumerate(_WEEKDAYS) if full.startswith(name[:3]))
    today = said.date()
    monday = today - dt.timedelta(today.weekday())
    if which.startswith(("last", "上")):
        return monday + dt.timedelta(number - 7)
    if which.startswith(("next", "下")):
        return monday + dt.timedelta(number + 7 * max(1, which.count("下")))
    if which.startswith(("本", "这")):
        return monday + dt.timedelta(number)
    return today + dt.timedelta((number - today.weekday()) % 7)


def _named_month(year: int, month: int, day: int) -> Callable[[re.Match[str], dt.datetime], Found]:
    """The groups of a pattern that has year (0: none), month and day (0: the month's end)."""

    def read(match: re.Match[str], said: dt.datetime) -> Found:
        month_text = match[month]
        number = _MONTH_NUMBERS.get(month_text) or _number(month_text)
        named = match[year] if year else None
        base = dt.date(int(named) if named else said.year, number, _number(match[day]) if day else 1)
        if not day:
            base = _month_end(base)
        if not named and base < said.date() - dt.timedelta(_JUST_PAST):
            base = base.replace(year=base.year + 1)
        return base

    return read


def _day_of_month(match: re.Match[str], said: dt.datetime) -> Found:
    ahead, day = match[1], _number(match[2])
    base = said.date()
    if ahead or day < base.day:
        base = _month_after(base.replace(day=1), 1)
    return base.replace(day=day)


def _day_of_this_month(match: re.Match[str], said: dt.datetime) -> Found:
    base, day = said.date(), _number(match[2])
    if day < base.day:
        base = _month_after(base.replace(day=1), 1)
    return base.replace(day=day)


def _weekend(match: re.Match[str], said: dt.datetime) -> Found:
    sunday = said.date() + dt.timedelta(6 - said.weekday())
    return sunday + dt.timedelta(7 if match[1] else 0)


_DAYS: tuple[tuple[re.Pattern[str], Callable[[re.Match[str], dt.datetime], Found]], ...] = (
    (re.compile(r"(\d{4})[-/.年]\s?(\d{1,2})[-/.月]\s?(\d{1,2})"), _named_month(1, 2, 3)),
    (re.compile(rf"(?:(\d{{4}})年)?{_NUMBER}\s?月\s?{_NUMBER}\s?[日号]"), _named_month(1, 2, 3)),
    (re.compile(rf"\b({_MONTH})\.? (\d{{1,2}})(?:st|nd|rd|th)?\b(?:,? (\d{{4}}))?"), _named_month(3, 1, 2)),
    (re.compile(rf"\b(\d{{1,2}})(?:st|nd|rd|th)?(?: of)? ({_MONTH})\b(?:,? (\d{{4}}))?"), _named_month(3, 2, 1)),
    (re.compile(r"the day after tomorrow|(?<!大)后天"), _after(2)),
    (re.compile(r"大后天"), _after(3)),
    (re.compile(r"\btomorrow\b|明天|明早|明晚|明日"), _after(1)),
    (re.compile(rf"\b(?:in|within) {_COUNT} (minute|hour|day|week|month|year)s?\b"), _count_days),
    (re.compile(
        rf"{_NUMBER}\s?(分钟|个小时|小时|钟头|天|日|周|个星期|星期|个月|年)(?:之后|以后|后|内|之内)"), _count_days),
    (re.compile(rf"\b(last |next |this |coming )?{_WEEKDAY}\b"), _weekday),
    (re.compile(r"([上下]{1,2}个?|本|这个?)?(?:周|星期|礼拜)([一二三四五六日天])"), _weekday),
    (re.compile(r"\b(next )?weekend\b"), _weekend),
    (re.compile(r"(下个?)?周末"), _weekend),
    (re.compile(r"\bend of (?:the|this) week\b"), lambda match, said: said.date() + dt.timedelta(6 - said.weekday())),
    (re.compile(r"\bnext week\b|下个?(?:周|星期|礼拜)"),
     lambda match, said: said.date() + dt.timedelta(13 - said.weekday())),
    (re.compile(r"(下个月)\s?" + _NUMBER + r"\s?[日号]"), _day_of_month),
    (re.compile(r"(?<![\d月第])(这个月|本月)?" + _NUMBER + r"[日号](?![线楼门院机])"),
     _day_of_this_month),
    (re.compile(r"\b(?:on|by|until|before) the (next )?(\d{1,2})(?:st|nd|rd|th)\b"), _day_of_month),
    (re.compile(r"\bend of (?:the|this) month\b|(?<!下个)月底|这个月底"), lambda match, said: _month_end(said.date())),
    (re.compile(r"\bnext month\b|下个月"),
     lambda match, said: _month_end(_month_after(said.date().replace(day=1), 1))),
    (re.compile(r"\bend of (?:the|this) year\b|年底|年末"), lambda match, said: dt.date(said.year, 12, 31)),
    (re.compile(rf"\b(?:in|next|this|by) ({_MONTH})\b"), _named_month(0, 1, 0)),
    (re.compile(r"\bnext year\b|明年"), lambda match, said: dt.date(said.year + 1, 12, 31)),
    (re.compile(r"\b(?:today|tonight|this (?:morning|afternoon|evening))\b|今天|今晚|今日|今早"), _after(0)),
)  # fmt: skip


_CLOCK = re.compile(r"\b(\d{1,2})(?:[:.](\d{2}))? ?(am|pm|a\.m\.|p\.m\.)(?!\w)|\b([01]?\d|2[0-3])[:：]([0-5]\d)\b")
_HOUR_ZH = re.compile(
    rf"(凌晨|早上|早|上午|中午|下午|傍晚|晚上|晚|今晚|明晚)?{_NUMBER}[点时](?:(半)|(一刻)|"
    rf"{_NUMBER}分?)?(?![一些儿间候])"
)
_AT_HOUR = re.compile(r"\bat (\d{1,2})(?: o'clock)?\b(?![:.]\d)")
_PARTS = (
    (re.compile(r"\bnoon\b|中午"), 12),
    (re.compile(r"\bmorning\b|早上|上午|明早"), 12),
    (re.compile(r"\bafternoon\b|下午"), 18),
    (re.compile(r"\b(?:evening|night)\b|晚上|傍晚"), 23),
)


def _time(text: str) -> dt.time | None:
    """The time of day; of "morning" and the like its end."""
    match = _CLOCK.search(text)
    if match and match[4]:
        return dt.time(int(match[4]), int(match[5]))
    if match:
        hour = int(match[1]) % 12 + (12 if match[3].startswith("p") else 0)
        return dt.time(hour, int(match[2] or 0))
    match = _HOUR_ZH.search(text)
    if match:
        hour = _number(match[2])
        if hour < 12 and (match[1] or "")[:1] in ("下", "傍", "晚", "今", "明"):
            hour += 12
        minute = 30 if match[3] else 15 if match[4] else _number(match[5]) if match[5] else 0
        return dt.time(hour % 24, minute)
    match = _AT_HOUR.search(text)
    if match:
        hour = int(match[1])
        return dt.time(hour + 12 if 1 <= hour <= 6 else hour)
    return next((dt.time(hour) for pattern, hour in _PARTS if pattern.search(text)), None)
