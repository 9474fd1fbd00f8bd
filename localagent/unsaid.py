"""What a message asks not to be remembered: "don't remember this: ...", off the record, 别记住……. English and Chinese.

Who asks for discretion towards others (`discretion`) is taken at their word here as well: what they say is neither
noted nor recalled in other threads. So are wishes in words that are not known here, where they were heard (`heard`).
Pure.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from localagent.courtesy import PLEASE, PLEASE_ZH
from localagent.discretion import discretion
from localagent.heard import NOTHING, Heard, spans
from localagent.memory.language import sentences
from localagent.statements import statement

# So much of a message is looked through for what is not to be noted.
MOST_LOOKED_AT = 20_000
# So many characters in common say something; one alone ("天") does not.
LEAST_CHARACTERS = 2
# What keeps: remembering anything, noting what is said here.
_NOT = (
    r"(?:don't|dont|do not|never|must not|mustn't|should not|shouldn't|better not|not|(?:you )?(?:don't|"
    r"do not) (?:have|need) "
    r"to|(?:there(?:'s| is) )?no need (?:for you )?to|I(?:'d| would) (?:rather|prefer it if) you (?:didn't|did not)|"
    r"I(?: don't|'d rather not| do not) want you to|I(?:'d| would) rather you not)"
)
_NOTE = (
    r"(?:remember|save|store|note|record|log|memori[sz]e|write down|keep|put|add|commit|(?:make|take|"
    r"keep) (?:a )?(?:note|"
    r"record|notes|track) of)"
)
_THIS = (
    r"(?:this|that|it|any of (?:this|that)|the following|what (?:comes next|follows|I(?:'m about to|"
    r" am about to)? (?:say|tell "
    r"you)(?: next| now)?))"
)
_AFTER = (
    r"(?: down| please| anywhere| anyway|(?: to| in| into| in your| to your| into your) (?:memory|memories|notes))*"
)
_NOT_ZH = r"(?:千万|最好)?(?:别|不要|不用|不必|请勿|勿|无需|不需要|不许|不准|不可以)(?:再|帮我|给我|替我|去)*"
_NOTE_ZH = r"(?:记(?:住|下来?|录(?:下来)?|在心[里上])?|保存|存(?:下来|起来)?)"
_THIS_ZH = r"(?:这个|这件事|这话|这句话?|这条|这一?点|这些话?|(?:下面|以下|接下来)(?:我?说?的)?(?:话|内容|这句话?|事)?)"
_KEEPS_ZH = rf"(?:{_NOTE_ZH}|[写放存记加]进?(?:到|进|入)?(?:你的)?(?:记忆|笔记|脑子)(?:里|中)?)"
_DO_NOT_NOTE = re.compile(
    rf"^\s*+{PLEASE}{_NOT} {_NOTE} {_THIS}{_AFTER}(?=[,:.;!]| -| –|—| but\b|$)"
    rf"|^\s*+{PLEASE}{_NOT} (?:remember|memori[sz]e) (?!(?:to|when|how|what|where|why|who|which|if|whether|me|us|him|"
    rf"her|them|"
    r"anything|everything|much|a thing)\b)(?=\w)"
    rf"|^\s*+{PLEASE}{_NOT} (?:save|store|note|record|log|write down|(?:make|take|keep) (?:a )?(?:note|"
    rf"record) of)(?: down)? "
    r"(?=(?:that )?(?:my|our)\b|that (?:I|I'm|we|the|his|her|he|she)\b)"
    rf"|^\s*+{PLEASE}(?:keep|leave) {_THIS} out of (?:your )?(?:memory|memories|notes|the record)"
    rf"|^\s*+{PLEASE}(?:(?:{_THIS}(?:'s| is| stays)?|keep {_THIS}|strictly|totally|"
    rf"completely) )*off the record(?=[,:.;!]| -| "
    r"–|—| but\b|$)"
    rf"|^\s*+{PLEASE_ZH}{_NOT_ZH}{_NOTE_ZH}{_THIS_ZH}?(?=[，,：:。！!\n]|$)"
    rf"|^\s*+{PLEASE_ZH}{_NOT_ZH}(?:记[住下]|牢记)(?!了?[吗么没])(?=\s*[\w“])"
    rf"|^\s*+{PLEASE_ZH}{_NOT_ZH}(?:记录?|保存|存)(?![恨仇错挂过者忆性])(?=\s*(?:[我咱您这那他她]|[^，。]{{1,16}}\d))"
    rf"|^\s*+{PLEASE_ZH}{_NOT_ZH}把(?=[^，。]{{1,40}}?{_KEEPS_ZH})"
    rf"|^\s*+{PLEASE_ZH}(?:{_THIS_ZH}|这)(?:你|都|就|可)*{_NOT_ZH}{_NOTE_ZH}"
    rf"|^\s*+{PLEASE_ZH}(?:{_THIS_ZH}|这)?(?:你|都|就|可)*(?:不留|不做|不作|别留|不要留|不入)记录"
    r"|^\s*+私下里?(?:跟你|和你|对你|悄悄)?(?:说|讲)(?:一?句)?(?:实话|真话|话)?(?=[，,：:])",
    re.IGNORECASE,
)
# A colon behind it: what follows is meant, whatever goes before.
_DO_NOT_NOTE_WHAT_FOLLOWS = re.compile(
    rf"(?:[,;.–—]\s|\b(?:and|but|so) )(?:(?:and|but|so) )?{PLEASE}{_NOT} {_NOTE} (?:this|that|it){_AFTER}\s*[:：]"
    rf"|[，,；;]\s*{PLEASE_ZH}{_NOT_ZH}{_NOTE_ZH}{_THIS_ZH}?\s*[:：]|\bnot for the record\s*[:：]",
    re.IGNORECASE,
)
# At the end of what it is about.
_DO_NOT_NOTE_THAT = re.compile(
    rf"(?:[,;(–—]|\s-)\s?(?:(?:so|but|and|please) )*{_NOT} {_NOTE} (?:this|that|it){_AFTER}[\s.!)]*$"
    rf"|(?:\bis|\bare|\d)\b[^.]{{0,200}}?(?P<wish>\b(?:but|and|so) (?:please )?{_NOT} {_NOTE} (?:this|that|it)"
    rf"{_AFTER}[\s.!)]*$)"
    r"|(?:[,;(–—]|\s-)\s?(?:(?:but|and|so|please|keep|strictly|totally|this|that(?:'s)?|it(?:'s)?|is|"
    r"all) )*off the record[\s.!)]*$"
    rf"|(?:[，,；;（(]|——?)\s*(?:但是?|不过|请|你|麻烦|这个|这条|这句话?|这件事|这事|千万|最好)*{_NOT_ZH}"
    rf"{_NOTE_ZH}(?:它|这个|下来|哦|啊|了|吧|呀|哈|就行|就好)*[\s。.！!）)]*$",
    re.IGNORECASE,
)
# "For your eyes only, that one.": it points at what is meant.
_THAT_ONE = re.compile(r"\b(?:that|this)(?: (?:one|bit|part|thing))?\b|[这那]个?[事话句条]?", re.IGNORECASE)
_WHAT_FOLLOWS = re.compile(r"\b(?:following|what (?:comes|follows|I))\b|下面|以下|接下来", re.IGNORECASE)
# "Keep this private." may be of what comes as well as of what was said.
_LEADS_ON = re.compile(r"\bthis\b|\bsecret\b|这|秘密", re.IGNORECASE)
# Nothing was said yet: "Can you keep a secret?", 有件事跟你说，别外传.
AHEAD = re.compile(
    r"\b(?:tell(?:ing)? you|about to|(?:going|want|have) to (?:say|share|tell)|following|what (?:comes|follows))\b"
    r"|\bsecret\b.*\?|(?<!不是)(?:告诉你|跟你[说讲])(?![的过了])|接下来|下面|以下|秘密[吗么]?\s*[?？]|保密[吗么]",
    re.IGNORECASE,
)
_ASKED = re.compile(r"\s*(?:can|could|would|will) you\b|.*(?:好吗|好不好|可以吗|行吗|秘密吗)\W*$", re.IGNORECASE)


def not_to_note(text: str, heard: Heard = NOTHING) -> list[str]:
    """Sentences of a message that ask not to be remembered, or for discretion. Where one says nothing else, with what
    it means: the next sentence, after "that" or as the last one the sentence before, or the rest, if it speaks of what
    follows."""
    return [text[start:end].strip() for start, end, _ in _wishes(text[:MOST_LOOKED_AT], heard)]


def repeats_in_confidence(text: str, answer: str, heard: Heard = NOTHING) -> list[str]:
    """Sentences of an answer that have something of what a message asks not to remember: a number, a name or any other
    word that means something; of Chinese, two characters."""
    return repeats(" ".join(words for _, _, words in _wishes(text[:MOST_LOOKED_AT], heard)), answer)


def repeats(words: str, answer: str) -> list[str]:
    """Sentences of an answer that have something of these words, in the same sense."""
    kept = [statement(one) for one in sentences(words)]
    if not kept:
        return []
    content = frozenset[str]().union(*(one.content for one in kept))
    numbers = {number for one in kept for number in one.numbers}
    return [
        sentence.strip()
        for sentence in sentences(answer)
        if numbers & set((said := statement(sentence)).numbers)
        or len(common := content & said.content) >= LEAST_CHARACTERS
        or any(len(word) > 1 for word in common)
    ]


def alone_of_what_was_said(text: str) -> bool:
    """Whether a message is nothing but a wish for discretion about what was said before ("Don't tell anyone.")."""
    wish = discretion(text.replace("’", "'"))
    asks = bool(re.search(r"[?？]\s*$", text)) and not _ASKED.match(text)
    return (
        wish is not None
        and not asks
        and not _LEADS_ON.search(wish[0])
        and not re.search(r"\w", text[: wish.start()] + text[wish.end() :])
    )


def announces(text: str, heard: Heard = NOTHING) -> bool:
    """Whether a message says nothing but that what its writer says next is not to be noted or told."""
    found = list(_wishes(text[:MOST_LOOKED_AT], heard)) if AHEAD.search(text) else []
    covered = {at for start, end, _ in found for at in range(start, end)}
    return (
        bool(found)
        and not any(re.search(r"\w", words) for _, _, words in found)
        and all(start in covered for start, _ in spans(text))
    )


def _wishes(text: str, heard: Heard) -> Iterator[tuple[int, int, str]]:
    """Where what is not to be remembered begins and ends, and its words without the wish itself."""
    found = list(spans(text))
    for index, (start, end) in enumerate(found):
        sentence = text[start:end].replace("’", "'")
        wish = _wish(sentence)
        discreet = wish is None
        wish = wish or discretion(sentence, alone=len(found) == 1)
        if wish is not None and (not re.search(r"[?？]\s*$", sentence) or _ASKED.match(sentence)):
            start_of_wish = wish.start("wish") if wish.re is _DO_NOT_NOTE_THAT and wish["wish"] else wish.start()
            asks, rest = sentence[start_of_wish : wish.end()], (sentence[:start_of_wish], sentence[wish.end() :])
        elif text[start:end].strip() in heard.wishes:
            asks, rest, discreet = sentence, ("", ""), True
        elif text[start:end].strip() in heard.confided:
            yield start, end, sentence
            continue
        else:
            continue
        last = index + 1 == len(found)
        before = after = False
        if not re.search(r"\w", _THAT_ONE.sub("", "".join(rest))) and len(found) > 1:
            before = index > 0 and (last or discreet or bool(re.search(r" (?:that|it)\b|那", asks)))
            after = not before or (discreet and not last and bool(_LEADS_ON.search(asks)))
        first = start
        for earlier, to in reversed(found[:index]) if before else ():
            first = earlier
            if text[earlier:to].strip() not in heard.wishes:
                break
        to = found[index + 1][1] if after else end
        to = len(text) if _WHAT_FOLLOWS.search(asks) else to
        yield first, to, f"{text[first:start]}{rest[0]} {rest[1]}{text[end:to]}"


def _wish(sentence: str) -> re.Match[str] | None:
    return (
        _DO_NOT_NOTE.match(sentence) or _DO_NOT_NOTE_WHAT_FOLLOWS.search(sentence) or _DO_NOT_NOTE_THAT.search(sentence)
    )
