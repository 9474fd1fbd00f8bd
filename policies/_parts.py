"""Statements that share a subject: "I work at ... and live in ...", "我叫…，住在…". Each is one by itself, with the
subject repeated."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace

from ._clauses import Clause, of_nothing_at_all
from ._health import goes_on
from ._life_zh import ADVERBS_ZH, PERSON_ZH, life_zh
from ._news import is_news
from ._people import FAMILY_ZH, KIN_ZH
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
    r"an? (?=\w)|\d{1,3}\b|from (?-i:[A-Z])|based in |married\b|single\b|divorced\b|retired\b|allergic to |"
    r"living in |"
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
    rf"(?P<s>{PERSON_ZH}(?:(?!现在|目前|最近|今年|已经|一直|也|都|是|在|有|说|叫|住|[\u4e00-\u9fff]{{0,2}}[不没])[\u4e00-\u9fff]{{2,3}}"
    r"(?=今年|现在|住|在|是|搬))?|我(?:们(?!的|和|跟|家))?(?!们|的|和|跟|家))"
)
# A verb: what a clause without a subject of its own begins with.
_SAME_SUBJECT_ZH = re.compile(
    rf"{ADVERBS_ZH}(?:还|只|经常|每[天周月年]|一个人|[^，。]{{0,3}}年前|上个?月)*"
    r"(?:在(?![那这]里)(?=\S{2,})|住|搬[到去来回家走]|来自|\d{1,3}岁|[一二三四五六七八九十]{1,3}岁|对\S{1,10}过敏|"
    r"有(?=[一两二三\d]个)|"
    r"养了?|是(?!不是|的|吗|否)|做(?=\S{2})|当(?=\S{2})|从事|毕业|喜欢|爱(?=[吃喝看听玩])|不(?!过|错|行|然|知|好意|"
    r"对|是)|没(?=\S)|吃素|"
    r"会(?=\S)|能(?=\S)|戒|跳槽|离职|辞职|入职|退休|升|转(?=[行到去正学])|调[到去回]|换|改(?=\S)|去(?!年)|"
    r"到(?=\S{2})|回(?!头|答|复)|留(?=[在校])|"
    r"定居|嫁|考(?=[上到进研])|读(?=\S)|上(?=[小初高大中夜白早晚]|幼|班)|学(?!校|费|生|期|院)|开(?!始|会|心)|开始|"
    r"结婚|离婚|怀孕|生了|要(?!是|不|么)|得(?=\S)|"
    r"准备|打算|计划|决定|约|预约|住院|出院|飞|出差|请假|休假|[一二三四五六]年级|[大高初研][一二三四]|坚持|"
    r"每(?=[天周月年]))"
)
OF_SPEAKER = ("我", "我们")
NAME_LENGTHS = (2, 3, 4)
# Whoever of the speaker's it is: "我大学室友", "我前同事".
_MINE_ZH = re.compile(rf"[^，。的了有是和跟与同爱想在陪帮给看找把被让带送]{{1,4}}{KIN_ZH}")
_NAME_ZH = re.compile(
    r"(?![一二两三四五六七八九十半几每上下]个?[周天年月次星晚夜])[^的了是有不没这那你我他她它们说问在今明昨每都也就]+"
)
# Of what a name is not told apart: "...不", "...有".
_HARDLY_VERB_ZH = re.compile(r"[不没有会能要到]")
# Who is the speaker's own wherever they are named; and whom everybody has for themselves.
_SPOUSE_ZH = r"(?:妻子|老婆|太太|媳妇|老公|丈夫|爱人|对象|[男女](?:朋友|友)|未婚[妻夫])"
_CHILD_ZH = r"(?:儿子|女儿|闺女|孩子|小孩|娃儿?|宝宝|[大二三小]宝)"
_HOUSEHOLD_ZH = re.compile(rf"{_SPOUSE_ZH}|{_CHILD_ZH}|妈妈?|爸爸?|母亲|父亲|父母")
_OF_EACH_ZH = re.compile(rf"{_SPOUSE_ZH}|{_CHILD_ZH}")
_OWNED_ZH = re.compile(
    rf"(?:(?:现在|目前|如今|而且|[新前现]任?)的?)*(?![我你您咱这那今明昨谁])(?P<they>[他她](?:们)?的?)?"
    rf"(?P<kin>{KIN_ZH}|{FAMILY_ZH}|{_SPOUSE_ZH})?"
)
# What may be so of what somebody has.
_THEIRS = ("profile", "relationship", "habit", "fact", "decision")
# "... every Wednesday I go", "... I take medicine twice": it goes on with what that is.
_NO_OBJECT_ZH = re.compile(
    r"[一二三四五六日天末月年晚早上午次回会]+(?:都|才|就|各|要|会)*[去来练上学做吃喝打玩跑写看听用游]$|"
    r"[吃喷服打用上敷抹][\d一两二三四五六七八九十次片粒颗回]{0,4}药$"
)
_PRONOUN_ZH = re.compile(r"[他她](?!们)")
_WENT_BEFORE_ZH = re.compile(r"我(?:们)?(?:以前|之前|曾经|曾|从前|过去|小时候|原来|原先)")
# Of whom it is that the next clause tells, if a clause brings in somebody or something else, or hands on what is said.
_BRINGS_IN_ZH = re.compile(
    r"(?:有|养|生|认识|找|买|看[到见]|遇[到见]|碰[到见]|送|给|推荐|介绍|交|租|收到|"
    r"领养)[^，。]{0,4}?(?:[一两二三四五几\d]?(?:个|只|位|家|台|本|辆|条|对|"
    r"套|间|份|部|张|把|款|些))|(?<![学读念教])的[\u4e00-\u9fff]{1,6}$|[说问让请劝]|告诉|叫(?=[我你他她大])"
)
# Something of the speaker's: 我房贷在建行，每月6800.
_OF_MINE_ZH = re.compile(r"我们?(?:工资|薪水|收入|[^，。\s]{1,3}[贷租费款险卡])(?=在|是|有|到|\d)")
_ASKS_ZH = re.compile(r"(?:提醒|告诉|通知|帮|叫|给)(?:一下)?我")
# What states something about somebody.
OF_SOMEBODY = frozenset(("profile", "relationship", "habit"))
_CONTINUES = OF_SOMEBODY | {"event", "todo"}


@dataclass(frozen=True, slots=True)
class Part:
    """A clause, or a part of one, and the subject to put before its own words; empty where it has one. `shares`: other
    statements have the same subject; `told`: somebody asked to remember it; `joins`: it goes on with what the clause
    before states."""

    clause: Clause
    subject: str = ""
    shares: bool = False
    told: bool = False
    joins: bool = False


@dataclass(frozen=True, slots=True)
class _Carried:
    """The subject of a Chinese clause, that may be that of the next one as well: whether the clause states something,
    or tells what is different now, and whether the next one is rather about what it brings in. `sure`: it is plain
    where the subject ends."""

    subject: str = ""
    states: bool = False
    changes: bool = False
    brings_in: bool = False
    sure: bool = True


def parts(masked: str, found: Sequence[Clause], states: Callable[[str], str]) -> Iterator[Part]:
    """The clauses, and those cut that hold several statements of one subject. `states`: the kind of what words state,
    empty where they state nothing; where a part states nothing about somebody, nothing is cut."""
    carried = _Carried()
    for clause in found:
        asked = told(masked[clause.own : clause.end], asks=clause.asks)
        asked = 0 if asked is None and clause.told else asked
        if asked is not None:
            at = clause.own + asked
            own = replace(clause, own=at, start=at, asks=False, supposes=False, told=False)
            # What follows in other clauses goes on with it, or has its own subject.
            cut = list(parts(masked, [own], states))
            carried = _carried(masked[own.own : own.end], states)
            yield from (replace(part, told=True) for part in cut)
            continue
        words = masked[clause.own : clause.end]
        if of_nothing_at_all(masked, clause):
            continue
        if clause.asks or clause.supposes:
            carried = _Carried()
            yield Part(clause)
        elif re.match(r"[\u4e00-\u9fff]", words):
            part = _continued(words, clause, carried, states)
            if clause is not found[-1]:
                carried = replace(carried, changes=False) if part else _carried(words, states)
            yield part or Part(clause)
        else:
            carried = _Carried()
            yield from _english(masked, clause, states)


def _continued(words: str, clause: Clause, carried: _Carried, states: Callable[[str], str]) -> Part | None:
    """A Chinese clause whose subject is that of the one before; None for another, and for what states nothing."""
    subject = carried.subject
    pronoun = _PRONOUN_ZH.match(words) if subject != "我" or carried.brings_in else None
    rest = words[pronoun.end() :] if pronoun else words
    plain = rest.rstrip("。.！! ")
    if not subject:
        return None
    if subject not in OF_SPEAKER and _of_theirs(words.rstrip("。.！! "), subject, states):
        return Part(clause, joins=True)
    if (
        _SUBJECT_ZH.match(words)
        or (subject == "我" and _ASKS_ZH.search(rest))
        or not (pronoun or _SAME_SUBJECT_ZH.match(rest) or goes_on(rest))
    ):
        return None
    kind = states(subject + plain)
    if carried.brings_in:
        return Part(clause, joins=True) if carried.states and kind else None
    if carried.changes and kind in OF_SOMEBODY and not pronoun:
        return Part(clause, subject, joins=True)
    if (not carried.sure and kind in OF_SOMEBODY) or (carried.states and kind and _NO_OBJECT_ZH.search(plain)):
        return Part(clause, joins=True)
    if (kind and kind not in _CONTINUES) or (not kind and (carried.states or not is_news(subject + plain))):
        return None
    at = clause.end - len(rest)
    return Part(replace(clause, start=at if pronoun else clause.start, own=at), subject, True)


def _carried(words: str, states: Callable[[str], str]) -> _Carried:
    own = _SUBJECT_ZH.match(words)
    plain = words.rstrip("。.！! ")
    subject, sure = _named(plain, own["s"] if own is not None else "", states)
    if not subject:
        return _Carried()
    kind = states(plain)
    changes = life_zh(plain) is not None or (is_news(plain) and kind in ("", "event"))
    brings_in = bool(_BRINGS_IN_ZH.search(plain[len(subject) :]) or _OF_MINE_ZH.match(plain))
    tells = bool(kind) or changes or bool(_WENT_BEFORE_ZH.match(words))
    return _Carried(subject, tells, changes, brings_in, sure)


def _named(plain: str, subject: str, states: Callable[[str], str]) -> tuple[str, bool]:
    """The subject with the name that follows it, or a name alone, and whether it is plain where it ends."""
    rest = plain[len(subject) :]
    speaker = subject in OF_SPEAKER
    mine = _MINE_ZH.match(rest) if speaker else None
    if mine is not None:
        return subject + mine[0], False
    if subject and (_SAME_SUBJECT_ZH.match(rest) or (not speaker and states(f"我{rest}"))):
        return subject, True
    for length in NAME_LENGTHS:
        after = rest[length:]
        verb = bool(_SAME_SUBJECT_ZH.match(after)) and not _HARDLY_VERB_ZH.match(after)
        if _NAME_ZH.fullmatch(rest[:length]) and (verb if subject and not speaker else life_zh(f"小王{after}")):
            return subject + rest[:length], not speaker
    return subject, speaker


def _of_theirs(words: str, subject: str, states: Callable[[str], str]) -> bool:
    """Whether a clause that names no other owner tells of what somebody else has, of whom the clause before is: their
    dog, their new job, and those close to them, who are rather theirs than the speaker's."""
    named = _OWNED_ZH.match(words)
    if named is None or not (states(words) in _THEIRS or (named["kin"] and states(f"我{words}") in _THEIRS)):
        return False
    if not named["kin"] or named["they"]:
        named_alike = not _SUBJECT_ZH.match(subject) and bool(_named(words, "", states)[0])
        return bool(named["they"]) or not (_SAME_SUBJECT_ZH.match(words) or named_alike)
    if _HOUSEHOLD_ZH.search(subject):
        return False
    return (
        not re.match(FAMILY_ZH, named["kin"])
        or bool(_OF_EACH_ZH.match(named["kin"]))
        or not re.search(FAMILY_ZH, subject)
    )


def _english(masked: str, clause: Clause, states: Callable[[str], str]) -> Iterator[Part]:
    words = masked[clause.own : clause.end]
    subject = _SUBJECT.match(words)
    cuts = list(_cuts(words, subject)) if subject is not None else []
    starts = [0, *(after for _, after in cuts)]
    ends = [*(before for before, _ in cuts), len(words)]
    pieces = list(zip(starts, ends, strict=True))
    said = [(_repeated(subject, words[start:end]) if start and subject else "") for start, end in pieces]
    if not cuts or not all(states(f"{one}{words[start:end]}".rstrip(" .!")) in OF_SOMEBODY for one, (start, end) in
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
