"""Statements that share a subject: "I work at ... and live in ...", "我叫…，住在…". Each is one by itself, with the
subject repeated."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace

from ._clauses import Clause
from ._health import goes_on
from ._people import KIN_ZH
from ._told import told

# What begins a statement whose subject is that of the one before.
_ADVERBS = r"(?:currently |now |also |still |both |originally |usually |mostly |recently |just )*"
_VERBS = (
    r"live|work|study|teach|speak|have|own|drive|like|love|hate|prefer|enjoy|come from|grew up|moved|play|use|run|"
    r"commute|volunteer|take|suffer from|can't eat|eat|drink|don't (?:eat|drink|like)"
)
_VERBS_OF_OTHERS = (
    r"lives|works|studies|teaches|speaks|has|owns|drives|likes|loves|hates|prefers|enjoys|comes from|grew up|moved|"
    r"plays|uses|runs|takes|suffers from|can't eat|is"
)
_STATES = (
    r"an? (?=\w)|\d{1,3}\b|from (?-i:[A-Z])|based in |married\b|single\b|divorced\b|retired\b|allergic to |living in |"
    r"working (?:as|at|for|in) |vegan\b|vegetarian\b|diabetic\b|pregnant\b"
)
_CUT = r"(?:,? and |, (?:and )?)"
_I = re.compile(rf"{_CUT}(?={_ADVERBS}(?:{_VERBS}) \w)", re.IGNORECASE)
_I_AM = re.compile(rf"{_CUT}(?={_ADVERBS}(?:{_STATES}))", re.IGNORECASE)
_OTHERS = re.compile(rf"{_CUT}(?={_ADVERBS}(?:{_VERBS_OF_OTHERS}) \w)", re.IGNORECASE)
_SUBJECT = re.compile(
    rf"(?P<am>I(?:'m| am)) |(?P<i>I) (?:{_ADVERBS})(?:{_VERBS}|was born)\b"
    rf"|(?P<other>my (?:[\w-]+ ){{1,3}}?(?:(?-i:[A-Z]\w+) )?)(?:{_ADVERBS})(?:{_VERBS_OF_OTHERS})\b",
    re.IGNORECASE,
)
# Where what follows may hang on something else than the subject.
_HANGS = re.compile(
    r"\b(?:who|that|which|where|because|when|while|if|so|but|or|would|could|can|might|should|must|will|not|never)\b|"
    r"n't\b"
    r"|(?<!allergic )(?<!married )(?<!engaged )(?<!moved )(?<!close )(?<!next )\bto (?-i:[a-z])",
    re.IGNORECASE,
)
_SUBJECT_ZH = re.compile(
    rf"(?P<s>我(?:们)?(?:的)?(?:[大小老二]|女|男)?(?:{KIN_ZH}|[妈爸哥姐弟妹])(?:(?!现在|目前|最近|今年|已经|一直|也|都|是|在|有|说|叫|住)"
    rf"[\u4e00-\u9fff]{{2,3}}(?=今年|现在|住|在|是|搬))?|我(?!们|的|和|跟))"
)
_SAME_SUBJECT_ZH = re.compile(
    r"(?:今年|现在|目前|也|还|平时|刚|最近|已经|上个?月|去年|一直)*(?:在(?![那这]里)(?=\S{2,})|住|搬到|来自|\d{1,3}岁|"
    r"[一二三四五六七八九十]{1,3}岁|对\S{1,10}过敏|有(?=[一两二三\d]个)|养了?|是(?!不是|的|吗|否)|做(?=\S{2})|"
    r"当(?=\S{2})|"
    r"从事|毕业于|喜欢|爱(?=[吃喝看听玩])|不吃|不喝|吃素|会说)"
)
_PRONOUN_ZH = re.compile(r"[他她](?!们)")
_WENT_BEFORE_ZH = re.compile(r"我(?:们)?(?:以前|之前|曾经|曾|从前|过去|小时候|原来|原先)")


@dataclass(frozen=True, slots=True)
class Part:
    """A clause, or a part of one, and the subject to put before its own words; empty where it has one. `shares`: other
    statements have the same subject; `told`: somebody asked to remember it."""

    clause: Clause
    subject: str = ""
    shares: bool = False
    told: bool = False


def parts(masked: str, found: Sequence[Clause], states: Callable[[str], bool]) -> Iterator[Part]:
    """The clauses, and those cut that hold several statements of one subject. `states`: whether words are a statement
    about somebody; where a part is none, nothing is cut."""
    carried = ""
    for clause in found:
        asked = told(masked[clause.own : clause.end], asks=clause.asks)
        if asked is not None:
            own = replace(clause, own=clause.own + asked, start=clause.own + asked, asks=False, supposes=False)
            # What follows in other clauses goes on with it, or has its own subject.
            cut = list(parts(masked, [own], states))
            carried = _carried(masked[own.own : own.end], states)
            yield from (replace(part, told=True) for part in cut)
            continue
        words = masked[clause.own : clause.end]
        if clause.asks or clause.supposes:
            carried = ""
            yield Part(clause)
        elif re.match(r"[\u4e00-\u9fff]", words):
            pronoun = _PRONOUN_ZH.match(words) if carried != "我" else None
            rest = words[pronoun.end() :] if pronoun else words
            same = bool(pronoun or _SAME_SUBJECT_ZH.match(rest)) or goes_on(rest)
            if carried and same and not _SUBJECT_ZH.match(words) and states(carried + rest.rstrip("。.！! ")):
                at = clause.end - len(rest)
                yield Part(replace(clause, start=at if pronoun else clause.start, own=at), carried, True)
                continue
            carried = _carried(words, states)
            yield Part(clause)
        else:
            carried = ""
            yield from _english(masked, clause, states)


def _carried(words: str, states: Callable[[str], bool]) -> str:
    """The subject of a Chinese clause that may be that of the next one as well."""
    own = _SUBJECT_ZH.match(words)
    about_me = own is not None and (states(words.rstrip("。.！! ")) or bool(_WENT_BEFORE_ZH.match(words)))
    return own["s"] if own is not None and about_me else ""


def _english(masked: str, clause: Clause, states: Callable[[str], bool]) -> Iterator[Part]:
    words = masked[clause.own : clause.end]
    subject = _SUBJECT.match(words)
    cuts = list(_cuts(words, subject)) if subject is not None else []
    starts = [0, *(after for _, after in cuts)]
    ends = [*(before for before, _ in cuts), len(words)]
    pieces = list(zip(starts, ends, strict=True))
    said = [(_repeated(subject, words[start:end]) if start and subject else "") for start, end in pieces]
    if not cuts or not all(states(f"{one}{words[start:end]}".rstrip(" .!")) for one, (start, end) in
                           zip(said, pieces, strict=True)):  # fmt: skip
        yield Part(clause)
        return
    for one, (start, end) in zip(said, pieces, strict=True):
        at = clause.own + start
        first = clause.start if not start else at
        yield Part(replace(clause, start=first, own=at, end=clause.own + end), one, True)


def _cuts(words: str, subject: re.Match[str]) -> Iterator[tuple[int, int]]:
    """Where a part ends and the next begins; none after words on which the rest may hang."""
    patterns = (_OTHERS,) if subject["other"] else (_I_AM, _I) if subject["am"] else (_I,)
    found = sorted({match.span() for pattern in patterns for match in pattern.finditer(words)})
    for before, after in found:
        if _HANGS.search(words, 0, before):
            return
        yield before, after


def _repeated(subject: re.Match[str], piece: str) -> str:
    """The subject as a part needs it: "I" before a verb, "I'm" before what one is."""
    if subject["other"]:
        return subject["other"]
    return "I'm " if subject["am"] and re.match(rf"{_ADVERBS}(?:{_STATES})", piece, re.IGNORECASE) else "I "
