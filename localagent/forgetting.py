"""What a message asks to forget: "forget that I like tea", "忘掉我喜欢喝茶这件事". English and Chinese.

A request names what it means: a statement ("forget that ...") or a subject ("what I told you about ..."). Which entries
that is, their words decide; where several fit equally, none is forgotten.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, replace

from localagent.courtesy import PLEASE, PLEASE_ZH
from localagent.excepted import excepted
from localagent.let_go import LetGo, let_go
from localagent.named_alone import named_alone
from localagent.plainly_asked import FORGET_WORD_ZH, OF_MEMORY, TAILS, Named, plainly_asked, sighs
from localagent.statements import statement
from localagent.told_of import denied, is_any_thing, is_work, told_of

# Whoever writes more has something else in mind, or has pasted.
MOST_CHARACTERS = 600

# A reason may stand behind: "forget the door code, they changed the locks", "the knee thing - it's fine now".
_ENDS = re.compile(
    r"[.!?]+(?=\s|$)|[。！？；\n]+|(?:[,;]|\s[-–—]+)\s+(?=(?:I|we|he|she|they|you|there|that|this|my|our|his|her|their|the|it|"
    r"but|and|so|because|since|as|now|let|how|what|can|could|shall|just|please|from)\b)|[，；](?=[我咱请但不谢因那这以它他她人已早现]|忘掉)",
    re.IGNORECASE,
)
_BECAUSE = re.compile(
    r" (?:(?:because|'?cause|cos|now that|seeing (?:that|as)) |(?:since|as) (?=(?:I|we|he|she|they|it|that)\b)).*$",
    re.IGNORECASE,
)
# No reason but what is to be done instead: "forget the car, let's walk", "the pasta, I'll make rice".
_ACTS = re.compile(
    r"[\s,;–—-]*+(?:(?:and|but|so|because|just|now) )*(?:let['’]?s|let us|let me|how about|what about|"
    r"shall|can (?:we|you|I)|could|just|"
    r"(?:I|we)(?:['’]ll| will| can(?!['’]?t)| could(?!n)|['’]d (?:rather|better|prefer)| should| want)|"
    r"(?:I|we)(?:['’](?:m|re)| am| are)(?: just)? \w{2,}ing(?! (?:put|here|in|there|with)\b))\b"
    r"|[，,；\s]*+(?:那|就|还是|但)*(?:(?:咱们?|我们?)(?:还是|就|直接|先|一起|改)*(?:[去走坐吃喝用来做]|看(?![到见着得]))|[走去吃用做].{0,6}吧)(?!.*了)",
    re.IGNORECASE,
)
_ADDRESSED = re.compile(
    r"\b(?:please|kindly|can you|could you|would you|will you|you (?:can|may|should))\b|[请你您]|麻烦|帮我|吧$",
    re.IGNORECASE,
)
# What is to be done together, or was not done: 忘了带钥匙, 忘了开会的事, but 忘了租约的事.
_NOTHING_TOLD = re.compile(
    r"\blet['’]?s\b|^\W*忘[了记](?!(?![开吃上下交买带寄打回拿取去接送关写做给锁]).*的事)", re.IGNORECASE
)
NAME = r"(?-i:[A-Z])[\w'’-]+(?: (?-i:[A-Z])[\w'’-]+)?"
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
    rf"|^{PLEASE_ZH}(?:{FORGET_WORD_ZH})[:：]?[\"“「『](?P<q2>[^\"“”「」『』]{{2,200}})[\"”」』](?:[这那]一?条)?"
    r"[吧了。！ ]*$"
    rf"|^{PLEASE_ZH}把?[\"“「『](?P<q3>[^\"“”「」『』]{{2,200}})[\"”」』](?:[这那]一?条)?(?:从(?:你的)?记忆[里中]?)?"
    rf"{FORGET_WORD_ZH}[吧了。！ ]*$",
    re.IGNORECASE,
)
# "Wipe Nuala", "drop my asthma", "lose the cat stuff", "you may bin the cat"; not "drop my kids at school".
_REMOVES = re.compile(
    rf"^(?P<may>{PLEASE})(?:(?P<whole>erase|wipe|purge|scrub|expunge)|delete|remove|drop|discard|lose|bin|scrap|ditch|"
    rf"chuck|dump|trash|strike|get rid of) (?:(?P<name>{NAME})|(?P<own>(?:my|our)(?: [\w'-]+){{1,3}}?)|"
    r"(?P<the>the(?: [\w'-]+){1,2}?)(?P<stuff> (?:stuff|thing|business|affair|saga))?)"
    r"(?:,? (?:please|thanks|thank you|ok))*[.! ]*$",
    re.IGNORECASE,
)
_ALLOWS = re.compile(r"\b(?:you (?:can|may|should)|feel free to|go ahead and)\b", re.IGNORECASE)
_SENTENCE = re.compile(r"[^.!?。！？；\n]*(?:[.](?=\S)[^.!?。！？；\n]*)*[.!?。！？；\n]*")
_QUOTE = re.compile(r"[\"“”「『»«`>]")


@dataclass(frozen=True, slots=True)
class Request:
    """`asked` stands in the message word for word; `about` is what it names; `told`: as something that was told; `but`:
    what it leaves out; `asks`: whether it is asked about, whatever there is; `every`: all that is known of
    somebody ("erase")."""

    asked: str
    about: str
    named: Named
    told: bool = False
    but: str = ""
    asks: bool = False
    every: bool = False

    @property
    def of_memory(self) -> bool:
        """Whether it is meant for memory without doubt, whatever there is: "forget my salary", not "forget the tea"."""
        if self.named in ("subject", "all"):
            return self.told or bool(_OF_USER.search(self.asked))
        if self.asks:
            return self.named != "perhaps" and bool(_OF_USER.search(self.asked))
        return self.named not in ("quoted", "name", "own", "quiet") and (self.told or self.named != "free")


def asked_to_forget(text: str) -> Iterator[Request]:
    """The requests of a message in its writer's own words. What is quoted asks for nothing."""
    if len(text) > MOST_CHARACTERS:
        return
    asked, but = excepted(text)
    for request in _requests(asked):
        if sighs(request.asked):
            continue
        # What is left out belongs to the words that ask.
        yield replace(request, asked=text[text.find(request.asked) :].strip(), but=but) if but else request


def acts_instead(sentence: str) -> bool:
    """Whether what stands behind says what is to be done instead: "forget the car, let's walk"."""
    behind = (_ACTS.match(sentence, match.start()) for match in re.finditer("[,，;]", sentence))
    return any(behind) and not _OF_USER.search(re.split("[,，;]", sentence, maxsplit=1)[0])


def _requests(text: str) -> Iterator[Request]:
    start = 0
    for begins, ends, found in _let_go_in(text):
        yield from _in_other_orders(text[start:begins])
        named: Named = "own" if found.asks else "all" if found.every else "free"
        yield Request(text[begins:ends].strip(), found.about, named, told=found.sure)
        start = ends
    yield from _in_other_orders(text[start:])


def _let_go_in(text: str) -> Iterator[tuple[int, int, LetGo]]:
    """Where the sentences begin and end that let go of something."""
    if _as_told(text) is None:
        for match in _SENTENCE.finditer(text):
            sentence = match[0].strip()
            if (found := lets_go(sentence)) is not None:
                yield *match.span(), found


def lets_go(sentence: str) -> LetGo | None:
    """What it lets go of; the reason may stand behind: 小刘的事都忘了吧，人家的事我不该往外说."""
    first = re.split("[，,]", sentence, maxsplit=1)[0]
    return let_go(sentence) or (let_go(first) if first != sentence else None)


def _in_other_orders(text: str) -> Iterator[Request]:
    quoted = _QUOTED.match(text.strip()) if _QUOTE.search(text) else None
    if quoted is not None:
        yield Request(text.strip(), next(one for one in quoted.groups() if one), "quoted")
    if _QUOTE.search(text):
        return
    removes = _removes(text.strip())
    if removes is not None:
        yield removes
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
        before, behind = text[:start].strip(), text[end:]
        start = end
        if _ACTS.match(behind) and not _OF_USER.search(sentence):
            continue
        by_itself = len(sentence) + 1 >= len(text.strip()) or bool(_ADDRESSED.search(sentence))
        for request in _of_a_clause(sentence, begins=not before or before[-1] in ".!?。！？"):
            yield replace(request, told=True) if by_itself and _is_plain(request) else request


def _of_a_clause(clause: str, begins: bool) -> Iterator[Request]:
    """`begins`: a sentence begins with it; another clause may tell what somebody does."""
    asked = _without_reason(clause.rstrip(" ,;，；-–—"))
    found = (_as_told(asked) or _removes(asked)) if begins else None
    if found is None and (plain := plainly_asked(asked)) is not None:
        found = Request(asked, *plain)
    return _each(found) if found is not None else iter(())


def _without_reason(asked: str) -> str:
    """A request without the "because ..." behind it, which in "forget that I quit because of Ed" is what it names."""
    return asked if re.search(r"\bthat (?:I|my|we|our)\b", asked) else _BECAUSE.sub("", asked)


def _is_plain(request: Request) -> bool:
    """Whether a request that stands alone, or is addressed to somebody, means memory: "forget the lease", not "let's
    forget it" and not 忘了带钥匙, which is news of its writer."""
    nothing_told = _NOTHING_TOLD.search(request.asked) or is_any_thing(request.about) or "," in request.about
    # "Forget about Monday's meeting": it is called off.
    return request.named in ("subject", "all") and not (nothing_told or statement(request.about).days)


def _removes(asked: str) -> Request | None:
    match = _REMOVES.match(asked)
    if match is None or OF_MEMORY.search(asked):
        return None
    if match["the"]:
        # Else it is an order.
        if is_work(match["the"]) or not (match["stuff"] or _ALLOWS.search(match["may"])):
            return None
        return Request(asked, match["the"], "free" if match["stuff"] else "own")
    whole = bool(match["whole"])
    return Request(asked, match["name"] or match["own"], "name" if match["name"] else "own", every=whole)


def _as_told(text: str) -> Request | None:
    """Of a message of one sentence, what it names as something that was told ("the sertraline thing")."""
    asked = _without_reason(text.strip(" ,，\n"))
    plain = TAILS.sub("", asked.replace("’", "'"))
    if re.search(r"[.!?。！？；\n](?=\s*\w)", plain) or re.search(r"[吗么][?？]?$", asked):
        return None
    if (plainly_asked(asked) or ("", ""))[1] in ("everything", "slot"):
        return None
    lead = re.match(rf"{PLEASE}(?:{PLEASE_ZH})", plain, re.IGNORECASE)
    named = denied(asked) or told_of(plain[lead.end() :] if lead else plain, polite=bool(lead and lead[0]))
    if named is None:
        return None
    about, states = named
    return Request(asked, about, "statement" if states else "all", told=True)


def _of_what_stands_first(sentence: str) -> Request | None:
    asked = sentence.strip(" ,，\n")
    plain = TAILS.sub("", asked.replace("’", "'"))
    if re.search(r"[吗么]?[?？]\s*$", asked):
        return None
    match = _FIRST.match(plain)
    if match is not None:
        found = plainly_asked(f"forget {next(one for one in match.groups() if one)}")
    elif (match := _FIRST_ZH.match(plain)) is not None:
        found = plainly_asked(f"忘掉关于{match['of']}的一切" if match["of"] else f"忘掉{match['all'] or match['own']}")
    else:
        return None
    return Request(asked, *found) if found is not None else None


def _each(request: Request) -> Iterator[Request]:
    """Of "my phone number and my address", both."""
    both = _BOTH.fullmatch(request.about) if request.named in ("subject", "all") else None
    if both is None:
        yield request
        return
    for about in filter(None, both.groups()):
        yield replace(request, about=about)
