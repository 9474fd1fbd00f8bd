"""A request to forget that names something and says nothing of it: "the speeding fine - please forget it", "my bus
route, you can let that go", "can you not store my therapist's name", 能不能别存我医生的名字. What is asked in
Chinese in other orders, `let_go` sees to. Pure.
"""

from __future__ import annotations

import re

from localagent.courtesy import PLEADS_ZH, PLEASE, PLEASE_ZH
from localagent.named_freely import is_stated

_IT = r"(?:it|that|this|them|him|her|all of (?:it|that)|the (?:whole )?lot|everything)"
_GOES = (
    rf"{PLEASE}(?:(?:forget|delete|erase|remove|wipe|drop|lose|bin|scrap|ditch|strike|purge|get rid of)(?: about)? "
    rf"{_IT}|let (?:go of {_IT}|{_IT} go)|(?:stop|no more) (?:remembering|keeping) {_IT}|"
    rf"(?:wipe|take|strike|rub) {_IT} (?:out|off|away)|"
    rf"(?:forget|wipe|delete|erase) {_IT}? ?(?:from|out of) (?:your )?(?:memory|notes))"
)
_TAIL = r"(?:,? (?:please|thanks|thank you|will you|would you|ok|now|for me|from (?:your )?(?:memory|notes)))*[.! ]*"
_THING = r"(?:[\w'-]+ ){0,4}[\w'-]+"
_FIRST = re.compile(
    rf"(?:(?:no more|nothing more|nothing else|not another word|not a word)(?: talk)? (?:about|of|on) (?P<of>{_THING})|"
    rf"(?:(?:as for|about|regarding) )?(?P<n>(?P<d>the|that|my|our|his|her|their) {_THING})|"
    rf"(?P<who>(?-i:[A-Z])[\w-]+)(?=.*\b(?:him|her)\b)|"
    rf"(?:you know|remember) (?P<known>(?:my|our|the) {_THING}))(?:\s?[,:;.?!]| [-–—]+) {_GOES}{_TAIL}",
    re.IGNORECASE,
)
_NOT_TO_KEEP = re.compile(
    rf"{PLEASE}(?:not|don't|do not|stop|I(?:'d| would) rather you (?:didn't|not)|I don't want you to|never) "
    r"(?:store|storing|keep|keeping|save|saving|record|recording|hold on to|hang on to|retain|remember|note|log) "
    rf"(?P<n>(?:my|our) {_THING}){_TAIL}",
    re.IGNORECASE,
)
_OF_MIND = re.compile(r"\b(?:forget|wipe|let|memory|notes)\b", re.IGNORECASE)
# What is no thing that somebody told: a place in the talk, or in what is worked on.
_NO_THING = re.compile(
    r"\b(?:last|first|second|third|next|previous|other|same|rest|above|question|answer|idea|suggestion|option|point|"
    r"line|file|draft|code|paragraph|sentence|message|word|thing|stuff)s?\b|\d|^(?:that|this|it|him|her|them|us|me|you)$",
    re.IGNORECASE,
)
_PLEASE_ZH = rf"{PLEASE_ZH}(?:[它他她]|从(?:你的)?(?:记忆|笔记)[里中]?){{0,2}}{PLEADS_ZH}"
_KNOWN_ZH = re.compile(
    r"你(?:还)?(?:知道|记得)(?P<n>我们?家?的[^，,。！？!?]{1,12}?)[吧吗]?[，,？?]"
    rf"{_PLEASE_ZH}(?:(?:忘|删)(?:掉|了|除)|抹掉|清除)[它他她]?(?:吧|了|好吗|行吗|谢谢|[。.！! ])*"
)
_NOT_TO_KEEP_ZH = re.compile(
    rf"{_PLEASE_ZH}(?:别|不要|不用|不必)(?:再|帮我|给我)?(?:存|保存|保留|留着?|记录?|记住|记着)(?P<n>我们?的?[^，,。！？!?]{{1,14}}?)"
    r"(?:了|吧|好吗|行吗|谢谢|[。.！! ])*"
)
_NO_THING_ZH = re.compile(
    r"[这那它]|刚才|上[一]?[个条句]|问题|答案|文件|代码|句子|什么|别的|其他|\d|吗$|我[都也已忘]|[我他她]$|^不|^第|^我[^的]*$"
)


def named_alone(sentence: str) -> tuple[str, bool] | None:
    """What it names, and whether without doubt as something that is known; None where it is no such request."""
    plain = sentence.replace("’", "'").strip(" ,，\n")
    match = _FIRST.fullmatch(plain) or _NOT_TO_KEEP.fullmatch(plain)
    no_thing = _NO_THING
    if match is None:
        match = _KNOWN_ZH.fullmatch(plain) or _NOT_TO_KEEP_ZH.fullmatch(plain)
        no_thing = _NO_THING_ZH
    if match is None:
        return None
    groups = match.groupdict()
    group = next(name for name in ("n", "of", "known", "who") if groups.get(name))
    named = groups[group]
    if no_thing.search(named) or is_stated(named):
        return None
    if match.re in (_NOT_TO_KEEP, _NOT_TO_KEEP_ZH):
        return named, False
    # "The onions, drop them" may be cooking: never without asking.
    which = (groups.get("d") or "").lower()
    of_mind = bool(_OF_MIND.search(plain[match.end(group) :]))
    if which == "that" and not of_mind:
        return None
    return named, which not in ("the", "that") or (of_mind and " " in named[4:])
