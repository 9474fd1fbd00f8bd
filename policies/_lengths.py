"""How long an answer may be: "under 200 words", "in two sentences", "不超过 200 字"."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from localagent.memory.language import words
from localagent.quality import count_words

_SMALL = {word: number for number, word in enumerate("a one two three four five six seven eight nine ten".split())} | {
    "a": 1,
    "single": 1,
    "twenty": 20,
    "fifty": 50,
}
_DIGITS_ZH = {sign: value for value, signs in enumerate("零〇 一 二两 三 四 五 六 七 八 九".split()) for sign in signs}
_POWERS_ZH = {"十": 10, "百": 100, "千": 1000, "万": 10000}
_N = rf"(\d{{1,3}}(?:[,，]\d{{3}})+|\d{{1,6}}|{'|'.join(_SMALL)})"
_UNIT = r"(words?|sentences?|paragraphs?|characters?)\b"
_N_ZH = r"(\d{1,6}|[零〇一二两三四五六七八九十百千万]{1,7})"
_UNIT_ZH = r"\s*(?:个)?\s*(字符|汉字|字|单词|词|句话|句|段话?|段落)(?!\w*[和与体])"
_MOST = (
    re.compile(
        r"\b(?:under|below|less than|fewer than|at (?:the )?most|not? (?:be )?(?:more|longer) than|up to|within|"
        r"max(?:imum)?(?: of)?|shorter than|not (?:to )?exceed(?:ing)?|never exceed|(?:limit|restrict|cap|cut|shorten|"
        rf"condense)\w*(?: \w+){{0,3}} to) (?:just |only |a maximum of |at most |under |exactly )?"
        rf"{_N}[- ]{_UNIT}(?! or more)",
        re.I,
    ),
    # Where it begins or ends what is said; "money in one sentence" is no order.
    re.compile(rf"^\W*(?:(?:and|please|now|then)\W+)*in (?:just |only )?{_N}[- ]{_UNIT}", re.I),
    re.compile(
        rf"\b(?:in|into|using|with) (?:just |only |exactly )?{_N}[- ]{_UNIT}(?: please| only| thanks| long)*\W*$", re.I
    ),
    re.compile(
        rf"\b{_N}[- ]{_UNIT}(?: or (?:less|fewer|shorter)|,? ?\(?max(?:imum)?\b|,? at (?:the )?most|[- ]limit)", re.I
    ),
    re.compile(
        r"(?:不(?:要|能|得|可以?|应该?|准|许)?(?:超过|多于|超出|大于)|别(?:超过|多于)|(?<!不)少于|(?<!不)小于|(?<!不)低于|"
        rf"至多|最多|(?:控制|限制|限定|压缩|缩减|限)(?:在|到|为)?|仅?用|拿|以)\s*{_N_ZH}{_UNIT_ZH}(?!以上|左右)"
    ),
    re.compile(rf"{_N_ZH}{_UNIT_ZH}(?:以内|之内|以下|内|为限|封顶)"),
)  # fmt: skip
_LEAST = (
    re.compile(
        r"\b(?:at least|not? (?:less|fewer|shorter) than|more than|over|longer than|min(?:imum)?(?: of)?) "
        rf"{_N}[- ]{_UNIT}", re.I
    ),
    re.compile(rf"\b{_N}[- ]{_UNIT}(?: or (?:more|longer)|,? ?\(?min(?:imum)?\b)", re.I),
    re.compile(rf"(?:至少|不(?:要|能|得)?少于|不低于|最少|超过|多于)\s*{_N_ZH}{_UNIT_ZH}"),
    re.compile(rf"{_N_ZH}{_UNIT_ZH}以上"),
)  # fmt: skip
# Only a part of the answer is meant.
_OF_A_PART = re.compile(
    r"\b(?:(?:each|every)(?! (?:single )?(?:answer|reply|response|message|time)\b)|per|apiece|"
    r"titles?|headlines?|headings?|subject lines?|names?|usernames?|passwords?|slogans?)\b|"
    r"每(?:一)?[个条段点项句章节行]|各[个条段点项]?|标题|名字|名称|密码|用户名|口号",
    re.I,
)
# The request wants another length than usual, without a number that could be checked.
_AT_LENGTH = re.compile(
    r"\b(?:in (?:full |great |more )?detail|detailed|at length|thorough(?:ly)?|in depth|comprehensive|elaborate|essay|"
    r"article|long(?:er)?)\b|详细|详尽|完整|全面|展开|深入|长文|长一点|文章|论文",
    re.I,
)
_NUMBERED = re.compile(rf"\b{_N}[- ]{_UNIT}|{_N_ZH}{_UNIT_ZH}", re.I)
# What a wish for all answers is made of. Other words say of what it is meant.
_GENERAL = frozenset(
    "answer answers answering reply replies respond response responses explanation explanations output message "
    "messages text keep kept keeping stay limit limited limits length long longer short shorter brief concise "
    "word words sentence sentences paragraph paragraphs character characters under below less fewer most more "
    "than max maximum within up exceed exceeding exceeds always never ever every each all any please want wants "
    "like likes prefer prefers wish wishes need would user assistant now future general generally usually default "
    "rule use using write give make ensure try only just very total everything whole overall preferably ideally "
    "let lets least one two three four five six seven eight nine ten single further going forward".split()
)
_GENERAL_ZH = re.compile(
    "回答|回复|答复|作答|答案|解释|说明|输出|内容|消息|每次|每个|所有|全部|一律|总是|始终|以后|今后|从现在开始|从现在起|现在|默认|"
    "请|麻烦|尽量|务必|必须|应该|最好|控制|限制|限定|保持|希望|喜欢|偏好|想要|需要|用户|助手|简短|简洁|精简|字数|长度|篇幅|字符|"
    "超过|多于|少于|以内|之内|以下|至多|最多|至少|不要|不能|不得|不用|文字|左右|一点|一些|"
    "[你您我的都要别不在用把给让能会可是为内字词句话段个得地了些且并和以到]"
)
_CLAUSE = re.compile(
    r"[.;!?。；！？\n]+|[,，](?=\s*(?:because|since|so|as)\b|因为|由于|这样)|\b(?:because|since|so that)\b|因为|由于",
    re.I,
)
# Of a longer request, the ends are what asks; the rest is likely something pasted.
_ENDS = 300
_ABBREVIATION = re.compile(r"\b(?:e\.g|i\.e|etc|mr|mrs|ms|dr|prof|vs|no|st|approx|fig|[a-z])\.", re.I)


@dataclass(frozen=True, slots=True)
class Limit:
    """`unit` in the plural. `most` and `least` are bounds, included; 0: none. `told`: the user's words."""

    unit: str
    most: int
    least: int
    told: str

    def allows(self, count: int) -> bool:
        return count >= self.least and (not self.most or count <= self.most)

    def count(self, text: str) -> int:
        if self.unit == "characters":
            return len(text.strip())
        if self.unit == "paragraphs":
            return len([part for part in re.split(r"\n\s*\n", text) if part.strip()])
        if self.unit == "sentences":
            return sum(map(_sentences, text.splitlines()))
        return count_words(text)


def limits_of(request: str, wishes: Sequence[str]) -> list[Limit]:
    """What binds an answer: what the request says, else the standing wishes that are about it."""
    ends = request if len(request) <= 2 * _ENDS else f"{request[:_ENDS]}\n{request[-_ENDS:]}"
    asked = [limit for clause in _CLAUSE.split(ends) if clause for limit in _in(clause)]
    if asked or _AT_LENGTH.search(ends) or _NUMBERED.search(ends):
        return asked
    return [limit for wish in wishes for clause in _CLAUSE.split(wish) if clause and _concerns(clause, request)
            for limit in _in(clause)]  # fmt: skip


def _in(clause: str) -> Iterator[Limit]:
    if _OF_A_PART.search(clause):
        return
    for patterns in (_MOST, _LEAST):
        for pattern in patterns:
            for match in pattern.finditer(clause):
                number, unit = _number(match[1]), _unit(match[2])
                if number:
                    bounds = (number, 0) if patterns is _MOST else (0, number)
                    yield Limit(unit, *bounds, match[0].strip())
            clause = pattern.sub(" ", clause)


def _concerns(wish: str, request: str) -> bool:
    """Whether a wish is for all answers, or for what the request is about ("commit messages under ...")."""
    special = [word for word in words(_GENERAL_ZH.sub(" ", wish)) if word not in _GENERAL and not word.isdigit()]
    special = [word for word in special if not all(sign in _DIGITS_ZH or sign in _POWERS_ZH for sign in word)]
    asked = request.lower()
    return not special or any(word.rstrip("s") in asked for word in special)


def _number(text: str) -> int:
    text = text.lower().replace(",", "").replace("，", "")
    if text.isdecimal():
        return int(text)
    if text in _SMALL:
        return _SMALL[text]
    total, digit = 0, 0
    for sign in text:
        if sign in _POWERS_ZH:
            total += (digit or 1) * _POWERS_ZH[sign] if total == 0 or digit else _POWERS_ZH[sign]
            digit = 0
        else:
            digit = _DIGITS_ZH[sign]
    return total + digit


def _unit(text: str) -> str:
    text = text.lower()
    if text.startswith(("sentence", "句")):
        return "sentences"
    if text.startswith(("paragraph", "段")):
        return "paragraphs"
    return "characters" if text.startswith("character") or text == "字符" else "words"


def _sentences(line: str) -> int:
    if not count_words(line) or line.lstrip().startswith("#"):
        return 0
    line = _ABBREVIATION.sub(" ", re.sub(r"^\s*(?:\d+[.)、]|[-*+])\s*", "", line))
    return max(1, len(re.findall(r"[.!?…]+[\"'”’)*_]*(?=\s|$)|[。！？]+", line)))
