"""What a message asks to forget: "forget that I like tea", "忘掉我喜欢喝茶这件事". English and Chinese.

A request names what it means: a statement ("forget that ...") or a subject ("what I told you about ..."). Which entries
that is, their words decide; where several fit equally, none is forgotten.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import Literal, TypeAlias

from localagent.excepted import excepted
from localagent.let_go import let_go
from localagent.named_alone import named_alone
from localagent.named_sides import asked_of_whom
from localagent.persons import of_kin_alone, person_in
from localagent.told_of import denied, told_of

# statement  "that I like tea": the entries that say this
# subject    "my birthday", "about the door code": the entry about it
# all        "everything about my sister": all entries about it
# slot       "where I live", "where my sister lives": the entry that gives it; `about` is the name of the slot
# everything "forget everything": nothing; a sentence is not enough for that
# free       "lose the bit about my pay": what it names stands among other words
# quoted     'delete "I like tea"': the entry in these words
# name, own  "get rid of ING", "drop my asthma": entries that name it; they are asked about
# quiet      "never mind my birthday", which is heard as a wish of silence, and
# alone      "my bus route, you can let that go": entries that share its words
Named: TypeAlias = Literal[
    "statement", "subject", "all", "slot", "everything", "free", "quoted", "name", "own", "quiet", "alone"
]
# Whoever writes more has something else in mind, or has pasted.
MOST_CHARACTERS = 600
# "Haha, just kidding, sorry!"
LONGEST_JOKE = 60

PLEASE = (
    r"(?:(?:please|kindly|ok|okay|now|and|also|then|just|actually|hey|oh|sorry|so|can you|could you|would you|will you|"
    r"you can|you may|you should|I want you to|I'd like you to|let's|do me a favou?r|be so (?:kind|good) as to|"
    r"be a dear|I'd appreciate it if you(?: could|'d| would)?)[, ]++){0,8}"
)
_TOLD = (
    r"(?:what(?:ever)?|that|everything|anything|all(?: that)?|the (?:fact|thing|things|part|bit)s?(?: that)?)"
    r"(?: (?:I|you)(?:'ve| have| had)?(?: just| ever)? (?:said|told you|mentioned|wrote|know|remember|learned|noted|"
    r"saved|stored|asked you))?"
)
_FORGET = re.compile(
    rf"^{PLEASE}forget (?P<f>.+)$"
    rf"|^{PLEASE}(?:delete|erase|remove|wipe|clear|drop|discard)(?: from your memory)? (?P<d>.+)$"
    rf"|^{PLEASE}(?:stop remembering|no longer remember|(?:don't|do not|you (?:don't|do not) (?:have|need) to) "
    r"remember) (?P<s>.+)$",
    re.IGNORECASE,
)
# "Delete ..." is about memory only if it says so.
_OF_MEMORY = re.compile(
    r"\b(?:from|out of|in) (?:your |the )?(?:memory|memories|notes|mind)\b|\b(?:memory|memories|note|entry)\b"
    r"|\bwhat(?:ever)? you (?:know|remember|have (?:noted|stored))\b|\beverything you (?:know|remember)\b",
    re.IGNORECASE,
)
_LEADS = re.compile(
    rf"^(?:(?:the |any |your )?(?:memory|memories|note|entry|entries)(?: that says)? (?:that|about|of|on)? ?)?"
    rf"(?:{_TOLD} )?(?:(?:that|about|of|on|regarding|concerning) )?(?=\S)",
    re.IGNORECASE,
)
_ALL = re.compile(
    r"^(?:everything|anything|all|what(?:ever)? (?:I|you)|the things|(?:all )?(?:the |your )?memories)\b", re.IGNORECASE
)
_TAILS = re.compile(
    r"(?:,? (?:please|thanks|thank you|any ?more|any longer|again|ok(?:ay)?|from (?:your |the )?memory|from now on)"
    r"|[.!?。！？ ])+$",
    re.IGNORECASE,
)
_ASKED_TO = re.compile(r"^(?:I (?:asked|told) you to|I wanted you to|to) ", re.IGNORECASE)
_DECIDED = re.compile(
    r"^(?:the |our |my )?(?:decision|plan|wish|preference|request|rule|instruction) (?:to|of|for|that) ", re.IGNORECASE
)
# For the moment, or an order that is not meant for memory.
_NOT_MEANT = re.compile(
    r"\b(?:for (?:a|one|the|this) (?:moment|second|minute|while|now)|for now|this time|right now|instead)\b"
    r"|^(?:it|that|this|about (?:it|that|this)|him|her|them|me|everything|all|what I said|I (?:said|asked|mentioned)"
    r"(?: that| anything)?|to\b.*|the (?:above|rest|previous|last|first)\b.*|how\b.*|if\b.*|who\b.*|where\b.*)$",
    re.IGNORECASE,
)
_ENDS = re.compile(
    r"[.!?]+(?=\s|$)|[。！？；\n]+|,\s+(?=(?:I|we|my|the|it|but|and|please|from)\b)|，(?=[我请但不谢因那这以它])",
    re.IGNORECASE,
)
PLEASE_ZH = (
    r"(?:请|麻烦|拜托|帮个忙|帮帮忙|劳驾|帮我|你|您|可以|能不能|能否|可不可以|能|现在|就|那|把它?|也|还是|都|一下|给我|"
    r"[，, ]){0,12}"
)
_FORGET_WORD_ZH = r"(?:忘掉|忘了|忘记|忘却|遗忘|删除|删掉|删了|清除|抹掉|去掉|移除)"
_FORGET_ZH = re.compile(
    rf"^{PLEASE_ZH}(?:忘掉|忘了|忘记|忘却|遗忘)(?P<f>.{{2,}})$"
    rf"|^{PLEASE_ZH}(?:不要再|别再|不必再|不用再|不要|不用|不必|别)(?:记住|记得|记着|记(?![错不录]))(?P<s>.{{2,}})$"
    rf"|^{PLEASE_ZH}(?:删除|删掉|清除|抹掉|去掉|移除)(?P<d>.{{2,}})$"
    rf"|^(?:请|麻烦|拜托|帮我|你|可以|能不能|就|那|[，, ])*把(?P<b>.{{2,}}?)(?:都|全|从|给|通通|也|(?:你的)?(?:记忆|"
    rf"脑子)(?:里|中)?)*{_FORGET_WORD_ZH}(?:吧|了|掉|[。.！!]|好吗)*$",
)
_OF_MEMORY_ZH = re.compile(r"记忆|记录|你(?:所)?(?:知道|记得|记住)|关于")
_ALL_ZH = re.compile(r"一切|所有|全部|(?:事|内容|话)$|都$")
_EVERY_ZH = re.compile(r"一切|所有|[都全]|通通|统统")
_LEADS_ZH = re.compile(
    r"^(?:我(?:刚才|以前|之前|曾经|跟你|对你|和你|向你|告诉你?|说过?|提过?|讲过?|让你|叫你|要你|希望你)+的?|"
    r"你(?:所)?(?:知道|记得|记住|存)的?)?(?:关于|有关)?"
)
_TAILS_ZH = re.compile(
    r"(?:的?(?:这件事|这事|这回事|这一点|这点|那件事|那事|这条(?:记忆|记录|信息)?|(?:记忆|记录|信息)|一切|所有(?:事|"
    r"内容|"
    r"东西)?|全部|事情?|内容|话|决定|要求)|吧|了|吗|呢|嘛|啊|好吗|好不好|行吗|行不行?|可以吗|谢谢|[，,。.！!？? ])+$"
)
_NOT_MEANT_ZH = re.compile(
    r"^(?:提醒|通知|告诉|先|暂时|它|他|她|这|那|一切|所有|刚才|我?说的?$|带|拿|关(?!于))|怎么|什么"
)
# What a question names, by what would answer it.
_SLOTS = (
    ("home", re.compile(r"^(?:about )?where (?:I|we) (?:live|am living)$|^my (?:home )?address$|"
                        r"^我(?:家)?(?:现在)?(?:住在?|家在)"
                        r"(?:哪里?|哪儿|什么地方)|^我的?(?:住址|住处|地址)$", re.IGNORECASE)),
    ("employer", re.compile(r"^(?:about )?(?:where|who) I work(?: for| at)?$|^my employer$|^我(?:现在)?在(?:哪里?|哪儿|"
                            r"什么公司|哪家公司)(?:工作|上班)|^我的(?:公司|雇主|单位)$", re.IGNORECASE)),
    ("name", re.compile(r"^what (?:I'm|I am) called$|^what my name is$|^我叫什么", re.IGNORECASE)),
    ("age", re.compile(r"^how old I am$|^my age$|^我(?:今年)?(?:多大|几岁)|^我的年[龄纪]$", re.IGNORECASE)),
)  # fmt: skip
_WHERE = re.compile(r"(?:about )?(?:where|who) ", re.IGNORECASE)
_EVERYTHING = re.compile(
    rf"^{PLEASE}(?:forget|delete|erase|wipe|clear)(?: about)? (?:everything|all of it|it all|all)"
    r"(?: (?:that )?you (?:know|remember)(?: about me)?| about me| in your memory|"
    r" I(?:'ve| have)? (?:ever )?told you)?$"
    rf"|^{PLEASE_ZH}(?:把)?(?:(?:一切|所有的?(?:事情?|记忆|东西|内容)?|全部|全|统统|通通|什么)(?:都|给我)*"
    r"(?:忘掉|忘了|忘记|清空|删掉|删除)"
    r"|(?:忘掉|忘了|忘记|清空|删除)(?:一切|所有(?:的?(?:事情?|记忆|东西|内容))?|全部(?:记忆|内容)?|你的记忆))(?:吧|了)?$",
    re.IGNORECASE,
)
NAME = r"(?-i:[A-Z])[\w'’-]+(?: (?-i:[A-Z])[\w'’-]+)?"
_JOKE = re.compile(
    r"\W*(?:(?:ha(?:ha)*|lol|no|ok(?:ay)?|oh|sorry|哈+|嘿+)\W+)*(?:(?:i(?:'m| am| was) )?(?:just |only )?(?:kidding|"
    r"joking)|(?:that|it)(?:'s| was) (?:just |only )?a joke|just a joke|jk|april fools?|in my dreams|only messing|"
    r"(?:我|刚才|这|那|是)*(?:跟你)?(?:开个?玩笑|逗你玩?|说着玩|骗你|愚人节快乐)(?:的|啦|呢|而已|罢了)*)(?:\W+(?:ha(?:ha)*|lol|sorry|哈+))*\W*",
    re.IGNORECASE,
)
_BOTH = re.compile(
    rf"(?:both )?((?:my|our) [\w' -]+?)(?:,? and(?: also)?|,? as well as|,? plus) ((?:my|our) [\w' -]+)"
    rf"|({NAME}),? and ({NAME})"
    r"|(我们?的\w{1,6})[和跟、](?:我们?的)?(\w{1,6})|(?!我)(\w{2,6})[和跟与、](\w{2,6})",
    re.IGNORECASE,
)
# What somebody told of themselves; not "forget my last question".
_OF_USER = re.compile(
    r"\b(?:my|our|I|we|(?:about|of|for|with|to|from) me)\b"
    r"(?! (?:last|previous|first|earlier|question|request|message|point|idea|suggestion)\b)"
    r"|\b(?:everything|anything|what(?:ever)?|all) (?:about|you know|you remember)\b|\b(?:memory|memories)\b"
    r"|(?:我|我们|咱们)(?:家|的)?(?!(?:的)?(?:上一?个|刚才|刚刚|前面|问题|意思|请求))|关于|有关|记忆"
    # A name, and nothing else; "the cat's insulin".
    rf"|^{PLEASE_ZH}忘掉(?![我你这那刚上])[^，。的]{{1,6}}的(?!事|问题)[^，。的]{{1,6}}$"
    rf"|^{PLEASE}forget (?:about )?(?:the|that|his|her|their) \w+['’]s \w+"
    rf"|^{PLEASE}forget (?:about )?{NAME}(?:,? and {NAME})*\W*$",
    re.IGNORECASE,
)
# What is meant stands first: "everything about Rex, please forget it", 关于旺财的都忘了吧.
_POLITE = (
    r"(?:please|kindly|can you|could you|would you|will you|you can|you may|you should|I want you to|I'd like you to)"
)
_FIRST = re.compile(
    rf"^{PLEASE}(?:(?:as for|regarding|concerning|when it comes to) (?P<of>[^,:;]{{2,80}}?)|"
    r"(?P<all>(?:everything|anything|all(?: of)? (?:that|the)|all (?:I|you)|what(?:ever)? (?:I|you)|"
    r"the (?:thing|part|bit|fact)s?|about|that (?:I|my|we|our)) [^,:;]{2,80}?)|"
    rf"(?P<own>(?:my|our) [\w'-]+(?: [\w'-]+)?)(?=,? {_POLITE}))"
    rf"(?:[,:;]| [-–—])? {PLEASE}(?:forget|delete|erase|remove|wipe|drop)(?: about)?"
    r"(?: (?:it|that|this|them|him|her|everything|all|all of (?:it|that|this|them)))?$"
    r"|^(?P<passive>(?:everything|anything|all|what(?:ever)?) [^,:;]{2,80}?),? "
    r"(?:should|can|may|must|is to|has to|needs to) (?:please )?be (?:forgotten|deleted|erased|removed|wiped)$",
    re.IGNORECASE,
)
_PLEADS_ZH = r"(?:请|麻烦你?|拜托|帮我|替我|给我|你|您|可以|能不能)"
_FIRST_ZH = re.compile(
    rf"^{PLEASE_ZH}(?:(?:关于|有关)(?P<of>[^，,]{{1,20}}?)(?:的(?:所有|全部|一切)?(?:事情?|东西|内容|话|信息|记忆)?)?|"
    r"(?P<all>[^，,忘把]{1,16}的(?:所有|全部)?(?:事情?|话|一切|东西|信息|记忆)))[，,]?"
    rf"(?:{_PLEADS_ZH}|都|全|通通|统统|就|也|从(?:你的)?记忆(?:里|中)?){{0,6}}(?<!我)"
    r"(?:(?:忘掉|忘却|抹掉|清除|删掉|删除)(?:吧|了|好吗)*|(?:忘了|忘记)(?:吧|好吗)+|(?<=[请你您我])(?:忘了|忘记))$"
    rf"|^(?P<own>我(?!不|没|都|也|又|就|还|已)[^，,忘把我]{{1,15}}?)(?:{_PLEADS_ZH}(?:都|全|就|也)*忘[了记掉](?:吧|好吗)*|[，,]?"
    r"(?:都|全|就)*忘掉(?:吧|好吗)*|，请(?:你)?忘[了记掉]吧?)$"
)
_QUOTED = re.compile(
    rf"^{PLEASE}(?:forget|delete|erase|remove|drop|discard|strike|scrap|get rid of)(?: the (?:entry|memory|note|one))?"
    r"(?: that says)?:? [\"“«](?P<q>[^\"“”«»]{2,200})[\"”»](?: from (?:your|the) (?:memory|notes|records?|list))?"
    r"[.! ]*$"
    rf"|^{PLEASE_ZH}(?:{_FORGET_WORD_ZH})[:：]?[\"“「『](?P<q2>[^\"“”「」『』]{{2,200}})[\"”」』](?:[这那]一?条)?"
    r"[吧了。！ ]*$"
    rf"|^{PLEASE_ZH}把?[\"“「『](?P<q3>[^\"“”「」『』]{{2,200}})[\"”」』](?:[这那]一?条)?(?:从(?:你的)?记忆[里中]?)?"
    rf"{_FORGET_WORD_ZH}[吧了。！ ]*$",
    re.IGNORECASE,
)
_GET_RID = re.compile(rf"^{PLEASE}(?:get rid of|scrap|bin|ditch|lose|erase|strike) (?P<n>{NAME})[.! ]*$", re.IGNORECASE)
# Not "drop my kids at school".
_DROPS = re.compile(
    rf"^{PLEASE}(?:delete|erase|remove|wipe|drop|discard|lose|bin|scrap|get rid of) "
    r"(?P<n>(?:my|our)(?: [\w'-]+){1,3}?)(?:,? (?:please|thanks|thank you|ok))*[.! ]*$",
    re.IGNORECASE,
)
_SENTENCE = re.compile(r"[^.!?。！？；\n]*(?:[.](?=\S)[^.!?。！？；\n]*)*[.!?。！？；\n]*")
_QUOTE = re.compile(r"[\"“”「『»«`>]")


@dataclass(frozen=True, slots=True)
class Request:
    """`asked` stands in the message word for word; `about` is what it names; `told`: as something that was told; `but`:
    what it leaves out; `asks`: whether it is asked about, whatever there is."""

    asked: str
    about: str
    named: Named
    told: bool = False
    but: str = ""
    asks: bool = False

    @property
    def of_memory(self) -> bool:
        """Whether it is meant for memory without doubt, whatever there is: "forget my salary", not "forget the tea"."""
        if self.named in ("subject", "all"):
            return self.told or bool(_OF_USER.search(self.asked))
        if self.asks:
            return bool(_OF_USER.search(self.asked))
        return self.named not in ("quoted", "name", "own", "quiet") and (self.told or self.named != "free")


def only_a_joke(text: str) -> bool:
    """Whether a message says nothing but that what was said before it was a joke."""
    return len(text) <= LONGEST_JOKE and bool(_JOKE.fullmatch(text.replace("’", "'")))


def asked_to_forget(text: str) -> Iterator[Request]:
    """The requests of a message in its writer's own words. What is quoted asks for nothing."""
    if len(text) > MOST_CHARACTERS:
        return
    asked, but = excepted(text)
    parts = [part for match in _SENTENCE.finditer(asked) if (part := match[0].strip())]
    gone = {part: found for part in parts if (found := let_go(part))} if _as_told(asked) is None else {}
    for part, found in gone.items():
        named: Named = "own" if found.asks else "all" if found.every else "free"
        yield Request(part, found.about, named, told=found.sure, but=but)
    asked = " ".join(part for part in parts if part not in gone) if gone else asked
    for request in _asked_to_forget(asked):
        yield replace(request, asked=text[text.find(request.asked) :].strip(), but=but) if but else request


def _asked_to_forget(text: str) -> Iterator[Request]:
    quoted = _QUOTED.match(text.strip()) if _QUOTE.search(text) else None
    if quoted is not None:
        yield Request(text.strip(), next(one for one in quoted.groups() if one), "quoted")
    if _QUOTE.search(text):
        return
    rid = _GET_RID.match(text.strip())
    if rid is not None:
        yield Request(text.strip(), rid["n"], "name")
        return
    drops = _DROPS.match(text.strip())
    if drops is not None and not _OF_MEMORY.search(text):
        yield Request(text.strip(), drops["n"], "own")
        return
    alone = named_alone(text)
    if alone is not None:
        yield Request(text.strip(), alone[0], "alone", asks=not alone[1])
        return
    told = _as_told(text)
    if told is not None:
        yield from _each(told)
        return
    start = 0
    for end in (*(match.end() for match in _ENDS.finditer(text)), len(text)):
        if start > end:
            continue
        whole = _SENTENCE.match(text, start)
        first = _of_what_stands_first(whole[0]) if whole is not None else None
        if whole is not None and first is not None:
            start = whole.end()
            yield from _each(first)
            continue
        sentence = text[start:end].strip(" ,，\n")
        start = end
        request = _of_everything(sentence) or _of_a_slot(sentence) or _english(sentence) or _chinese(sentence)
        if request is not None:
            yield from _each(request)


def _as_told(text: str) -> Request | None:
    """Of a message of one sentence, what it names as something that was told ("the sertraline thing")."""
    asked = text.strip(" ,，\n")
    plain = _TAILS.sub("", asked.replace("’", "'"))
    if re.search(r"[.!?。！？；\n](?=\s*\w)", plain) or re.search(r"[吗么][?？]?$", asked):
        return None
    if _of_everything(asked) or _of_a_slot(asked):
        return None
    lead = re.match(rf"{PLEASE}(?:{PLEASE_ZH})", plain, re.IGNORECASE)
    named = denied(asked) or told_of(plain[lead.end() :] if lead else plain, polite=bool(lead and lead[0]))
    if named is None:
        return None
    about, states = named
    return Request(asked, about, "statement" if states else "all", told=True)


def _of_what_stands_first(sentence: str) -> Request | None:
    asked = sentence.strip(" ,，\n")
    plain = _TAILS.sub("", asked.replace("’", "'"))
    if re.search(r"[吗么]?[?？]\s*$", asked):
        return None
    match = _FIRST.match(plain)
    if match is not None:
        named = next(one for one in match.groups() if one)
        request = _of_a_slot(f"forget {named}") or _english(f"forget {named}")
        return replace(request, asked=asked) if request is not None else None
    match = _FIRST_ZH.match(plain)
    if match is None:
        return None
    named = f"关于{match['of']}的一切" if match["of"] else match["all"] or match["own"]
    request = _of_a_slot(f"忘掉{named}") or _chinese(f"忘掉{named}")
    return replace(request, asked=asked) if request is not None else None


def _each(request: Request) -> Iterator[Request]:
    """Of "my phone number and my address", both."""
    both = _BOTH.fullmatch(request.about) if request.named in ("subject", "all") else None
    if both is None:
        yield request
        return
    for about in filter(None, both.groups()):
        yield replace(request, about=about)


def _of_everything(sentence: str) -> Request | None:
    plain = _TAILS.sub("", sentence.replace("’", "'"))
    return Request(sentence, plain, "everything") if _EVERYTHING.match(plain) else None


def _of_a_slot(sentence: str) -> Request | None:
    plain = _TAILS.sub("", sentence.replace("’", "'"))
    match = _FORGET.match(plain) or _FORGET_ZH.match(plain)
    if match is None or re.search(r"(?:^不|不要|别)忘", sentence):
        return None
    groups = match.groupdict()
    named = next(groups[name] for name in ("f", "s", "d", "b") if groups.get(name))
    named = re.sub(r"(?:的?(?:这件事|事情?|信息))$", "", named)
    slot = next((slot for slot, pattern in _SLOTS if pattern.search(named)), None)
    if slot is not None:
        return Request(sentence, slot, "slot")
    asks = _WHERE.match(named)
    who = person_in(named[asks.end() :] if asks else named)
    own = f"{asks[0] if asks else ''}{who.own}"
    theirs = next((slot for slot, pattern in _SLOTS if who.who and pattern.search(own)), None)
    whose = f"{who.who} {who.name}".strip()
    return Request(sentence, f"{theirs} of {whose}", "slot") if theirs in ("home", "employer") else None


def _english(sentence: str) -> Request | None:
    plain = sentence.replace("’", "'")
    match = _FORGET.match(_TAILS.sub("", plain))
    if match is None:
        return None
    named = match["f"] or match["d"] or match["s"]
    if (asked_of := asked_of_whom(named)) is not None:
        return Request(sentence, asked_of, "subject")
    if _NOT_MEANT.search(named) or (match["d"] and not _OF_MEMORY.search(plain)):
        return None
    lead = _LEADS.match(named)
    about = named[lead.end() :] if lead else named
    states = bool(re.match(r"(?:that|the (?:fact|memory|note|entry) that)\b", named, re.IGNORECASE))
    order = _ASKED_TO.match(about) or _DECIDED.match(about)
    about = about[order.end() :] if order else about
    states = states or bool(order) or bool(re.match(r"(?:I|we|my \w+ (?:is|are|has))\b(?!'s)", about))
    if not re.search(r"\w", about):
        return None
    return Request(sentence, about, "all" if _ALL.match(named) else "statement" if states else "subject")


def _chinese(sentence: str) -> Request | None:
    match = _FORGET_ZH.match(sentence.rstrip("。.！!？? "))
    if match is None or re.search(r"(?:^不|不要|别)忘", sentence) or re.match(r"你?忘(?:记|了).+[吗么]", sentence):
        return None
    named = match["f"] or match["s"] or match["d"] or match["b"]
    removes = bool(match["d"] or (match["b"] and not re.search(r"忘", sentence)))
    if _NOT_MEANT_ZH.search(named) or (removes and not _OF_MEMORY_ZH.search(sentence)):
        return None
    about = re.sub(r"从?(?:你的)?(?:记忆|脑子)(?:里|中)?(?:删除|删掉)?$", "", named)
    lead = _LEADS_ZH.match(about)
    topic = bool(re.search(r"关于|有关", about))
    body = about[lead.end() :] if lead else about
    body = _TAILS_ZH.sub("", body)
    if not re.search(r"\w", body):
        return None
    if (asked_of := asked_of_whom(body)) is not None:
        return Request(sentence, asked_of, "subject")
    if topic:
        return Request(sentence, body, "all" if _ALL_ZH.search(named) or removes else "subject")
    affairs = re.search(r"的(?:所有|全部)?(?:事情?|一切)[都全吧了]*$", about)
    if affairs is not None and (_EVERY_ZH.search(sentence) or of_kin_alone(body)):
        return Request(sentence, body, "all")
    states = not re.fullmatch(r"(?:我|我们)的\w{1,8}|\w{1,8}", body) or bool(re.search(r"[是在有叫住对喜爱用要]", body))
    return Request(sentence, body, "statement" if states else "subject")
