"""What of a message is worth remembering, by rules for English and Chinese.

Own words are told from quoted ones, sentences are split into clauses, and each clause that states a decision, a wish,
something about the speaker, a task, an appointment or a value gives one entry, in the speaker's words. Questions,
suppositions and the material of a task give none. What somebody says is different now gives an event of little weight
that `replaces`: it is kept only in the place of what it corrects. `_rules.py` has the patterns,
`_own_words.py` what is quoted, `_dates.py` when something falls due, `_references.py` what "as I said" refers to.

Measured on the labelled sentences of the project's tests (tests/policies).
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import replace

from localagent.memory.entries import EVERYWHERE, Scope
from localagent.policy import Extracted, Said
from localagent.whose import kind_of

from ._changes_of_life import CHANGES, WHOLE
from ._clauses import ASIDE, CONDITION, TASK, WORKS_ON, Clause, belongs, clauses, is_topic, own_start
from ._dates import due_at, names_day
from ._doings import CANCELLED, COMING, EVENT_NOUN, FINISHED, JOURNEY, PLANS, REMINDERS
from ._facts import STATED_VALUE, TOLD_FACT, TOLD_WISH, states_value
from ._figures import figurative, laughs
from ._health import CHANGED, HEALTH, HIM_OR_HER, of_a_body, of_them, whose
from ._hits import Hit, follows, joined, went_on
from ._jokes import in_earnest, joke
from ._life_zh import LIFE_ZH, close_zh, life_zh
from ._limits import MAY_BE_LIMITED, limits
from ._news import NEWS, REPLACES, is_news
from ._not_meant import FORGET, NOT_SERIOUS, reported
from ._only_here import only_here
from ._own_words import LONG_MESSAGE, Sentence, mask, sentences
from ._parts import Part, parts
from ._people import GREETING, INTRODUCED, LONGEST_GREETING, emotion
from ._reasons import MEASURE, REASON
from ._references import referred, said_last
from ._retold import RETOLD
from ._rule import Rule
from ._rules import LATE_RULES, RULES
from ._secrets import opens, secret
from ._slips import mended
from ._told import named_ahead, says_nothing
from ._torn import LEANS, THERE, begun_before, goes_with, leans_back, understood, with_what_it_needs
from ._wishes import LIKES, OF_ANSWERS

# Of a message, at most as many characters are looked at, and as many entries taken.
MAX_TEXT = 20_000
MAX_ENTRIES = 12

# Of a message too long to be read whole in a moment, so many sentences are looked at.
MAX_SENTENCES = 30
_TELLING = re.compile(
    r"\b(?:prefer\w*|favou?rite|from now on|always|never|please|remember|remind|call me|decid\w+|agreed|let's|"
    r"my name|allergic|"
    r"deadline|don't forget|need to|have to|must|no longer|any ?more|want you|I like|I love|I hate|I live|I work|"
    r"to-?do|next step)\b"
    r"|喜欢|偏好|最爱|讨厌|以后|从现在|请|别忘|记住|记得|提醒|叫我|决定|商定|说好|我叫|过敏|截止|必须|不再|希望你|"
    r"我住|待办|下一步",
    re.IGNORECASE,
)
_IMPERATIVE = re.compile(
    r"^(?:please |always |never |don't |do not |no |use |keep |answer |reply |write |call |be |stop |avoid |"
    r"speak )|^(?:请|不要|别|用|回答|回复|以后|每次|总是)",
    re.I,
)
# What is to be called to mind was asked beside it.
_BARE_REMINDER = re.compile(
    r"(?:please |can you |could you )*remind me(?: again| please)?[\s,:.!]*|"
    r"(?:请|麻烦你?|你|帮我)*提醒(?:我|一下我)(?:一[下哈]|[下哈])?[\s，,：:。]*",
    re.IGNORECASE,
)
_HEALTH = frozenset(rule.pattern for rule in HEALTH)
_CORRECTS = re.compile(
    r"(?:no|wait|actually|correction|sorry)\b|(?:哦|啊|呃)?[，,]?(?:不对|不是|错了|更正|纠正|[说搞记弄]错了)",
    re.IGNORECASE,
)
_LIST_HEAD = re.compile(
    r"^\W{0,4}(?:next steps?|to-?dos?|action items?|下一步|接下来|待办(?:事项)?|后续步骤)\W{0,6}$", re.I
)


def importance(message: Said, earlier: Sequence[Said]) -> list[Extracted]:
    """What to keep of a message. Of an assistant's: the next steps it names, and what it refers back to; of a tool's:
    nothing."""
    if message.role not in ("user", "assistant"):
        return []
    found: list[Extracted] = []
    last: list[Extracted] = []
    text = message.text[:MAX_TEXT]
    masked = mask(text)
    under_head = False
    every = list(sentences(masked))
    chosen = every if message.role == "assistant" or len(text) <= LONG_MESSAGE else _promising(masked, every)
    places = {sentence.start: place for place, sentence in enumerate(every)}
    for sentence in chosen:
        place = places[sentence.start]
        if message.role == "assistant":
            words = masked[sentence.start : sentence.end]
            under_head = bool(_LIST_HEAD.match(words)) or (under_head and _is_bullet(masked, sentence.start))
            found += _steps(message, text, masked, sentence, under_head)
        else:
            slip = mended(message, text, masked, every, place, earlier, lambda said: importance(said, ()))
            if slip is not None:
                found = [one for one in found if one.text not in slip.instead] + list(slip.entries)
                continue
            named = "" if place else said_last(earlier, text)
            here = list(_statements(message, text, masked, sentence, _named_before(masked, every, place), named))
            joking = joke(masked[sentence.start : sentence.end])
            if joking is not None:
                here = in_earnest(joking, here, last, earlier, lambda said: importance(said, ()))
                found = [one for one in found if joking == "ends" or one not in last]
            limited = _limited(text, masked, every[place - 1], sentence, last, here) if place else None
            if limited is not None:
                found = [one for one in found if one is not last[-1]]
                here = [limited]
            found += here
            last = here
        if len(found) >= MAX_ENTRIES:
            break
    found += referred(message, text, masked, earlier, lambda said: importance(said, ()))
    return _without_doubles(found)[:MAX_ENTRIES]


def _promising(masked: str, every: Sequence[Sentence]) -> list[Sentence]:
    """Of a long message, the sentences that say of themselves what they are: those of its beginning and its end."""
    found = [sentence for sentence in every if _TELLING.search(masked, sentence.start, sentence.end)]
    half = MAX_SENTENCES // 2
    return found if len(found) <= MAX_SENTENCES else [*found[:half], *found[-half:]]


def _is_bullet(masked: str, start: int) -> bool:
    line = masked.rfind("\n", 0, start) + 1
    return line < start and not masked[line:start].isspace()


def _without_doubles(found: Sequence[Extracted]) -> list[Extracted]:
    kept: dict[str, Extracted] = {}
    for entry in found:
        key = " ".join(entry.text.lower().split())
        other = kept.get(key)
        kept[key] = replace(other, explicit=other.explicit or entry.explicit) if other else entry
    return list(kept.values())


def _steps(message: Said, text: str, masked: str, sentence: Sentence, listed: bool) -> Iterator[Extracted]:
    """A next step that the assistant names."""
    start = own_start(masked, sentence.start, sentence.end)
    words = masked[start : sentence.end]
    if sentence.asks or _LIST_HEAD.match(words) or len(words) < 4:
        return
    rule = next((rule for rule in REMINDERS if rule.fits(words)), None)
    if rule is None and listed:
        rule = REMINDERS[0]
    if rule is not None:
        yield _entry(message, text, Hit(start, sentence.end, rule), sentence, None)


def _statements(
    message: Said, text: str, masked: str, sentence: Sentence, before: Sentence | None, named: str
) -> Iterator[Extracted]:
    """The entries of a sentence: one a clause that states something, with what belongs to it beside it. `named`: what
    was said just before, of which a wish is that names nothing ("never call me that")."""
    if NOT_SERIOUS.search(masked, sentence.start, sentence.end):
        return
    found = clauses(masked, sentence)
    if FORGET.match(masked[sentence.start : sentence.end]):
        found = found[1:]
    laughing = laughs(masked[sentence.start : sentence.end])
    hits = _hits(message, masked, sentence, before, found)
    for hit in joined(masked, hits):
        words = masked[hit.start : hit.end]
        if _BARE_REMINDER.fullmatch(words) or (not hit.explicit and figurative(words, laughing=laughing)):
            continue
        if not hit.explicit and THERE.search(words) and before is None and len(found) == 1 and hit.rule is not NEWS:
            continue
        hit = with_what_it_needs(masked, hit, sentence.start)
        words = masked[hit.start : hit.end]
        if before is None and not hit.explicit and not understood(hit.subject + words):
            wish = hit.rule.kind == "preference"
            if hit.rule.kind == "todo" or (wish and not named):
                continue
            # In the place of what it corrects, or not at all.
            subject = f"{named}; " if named and (wish or leans_back(words)) else ""
            hit = replace(hit, subject=subject, rule=hit.rule if wish else NEWS)
        if not hit.explicit and secret(words, hit.rule.kind):
            if not (REPLACES.search(words) or opens(words)):
                continue
            hit = replace(hit, rule=NEWS)  # in the place of what somebody asked to have remembered, or not at all
        yield _entry(message, text, hit, sentence, before)


def _hits(
    message: Said, masked: str, sentence: Sentence, before: Sentence | None, found: Sequence[Clause]
) -> list[Hit]:
    """What the clauses of a sentence state."""
    task = bool(TASK.match(masked[found[0].own : sentence.end])) if found else False
    aside = task and not WORKS_ON.match(masked[found[0].own : sentence.end])
    supposed = False
    hits: list[Hit] = []
    prefix: int | None = None
    loose: int | None = None
    previous: Clause | None = None
    corrects = bool(_CORRECTS.match(masked, sentence.start, sentence.end))

    def states(words: str) -> str:
        rule = _rule_of(message, words, task=task, supposed=supposed, asks=False)
        return rule.kind if rule is not None and rule is not FINISHED and not secret(words, "fact") else ""

    change = None if task or sentence.asks else _change(masked, found)
    if change is not None:
        hits.append(change)
        found = [clause for clause in found if clause.start >= change.end]
    for part in parts(masked, found, states):
        clause = part.clause
        if ASIDE.match(masked, clause.start):
            task, supposed, prefix = False, False, None
        supposed = supposed or clause.supposes
        beside = aside and clause.start > found[0].start and of_a_body(masked[clause.own : clause.end])
        hit = None
        if not clause.supposes:
            hit = _classify(message, masked, part, task=task and not beside, supposed=supposed)
        if hit is None and not (task or supposed or clause.asks):
            hit = _of_them(masked, part, sentence, before)
        along = bool(hits) and goes_with(masked, hits[-1], previous, clause, hit)
        if hit is not None and previous is not None and (not hits or hits[-1].end < previous.end):
            hit = begun_before(masked, previous, clause, hit)
        previous = clause
        if along or (part.joins and hits and not hits[-1].explicit):
            hits[-1] = went_on(hits[-1], clause, hit)
        elif hit is not None:
            hit = replace(hit, start=sentence.start) if part.joins else hit
            start = hit.start if prefix is None or hit.explicit else prefix
            start = loose if loose is not None and hit.rule is NEWS else start
            if hit.subject and hits and not hits[-1].explicit:
                hits[-1] = replace(hits[-1], shares=True)
            hits.append(replace(hit, start=start))
            prefix = loose = None
        elif hits and (hits[-1].explicit or belongs(masked, clause) or follows(masked, hits[-1], clause)):
            hits[-1] = replace(hits[-1], end=clause.end)
        elif CONDITION.search(masked[clause.own : clause.end]) or is_topic(masked, clause, message.said_at):
            prefix = clause.own if prefix is None else prefix
        else:
            prefix = None
            # "No, we go to Rome, not to Paris": what is so instead.
            loose = clause.own if corrects and clause is not found[0] and not clause.asks else None
    return hits


def _named_before(masked: str, every: Sequence[Sentence], place: int) -> Sentence | None:
    """The sentence before; where it speaks of "him" or "her" as this one does, that which names them."""
    while place and HIM_OR_HER.match(masked, every[place].start) and HIM_OR_HER.match(masked, every[place - 1].start):
        place -= 1
    return every[place - 1] if place else None


def _limited(
    text: str, masked: str, before: Sentence, sentence: Sentence, last: Sequence[Extracted], here: Sequence[Extracted]
) -> Extracted | None:
    """The last entry of the sentence before together with this one, where that limits it: "I don't
    drink. Except at New Year"; or says how much is wished, or why: "Shorter answers, please. Three sentences max"."""
    if not last or sentence.asks:
        return None
    rest = masked[sentence.start : sentence.end]
    plain = rest.strip(" .。!！")
    wished = last[-1].kind == "preference" and (REASON.search(plain) or (not here and MEASURE.search(plain)))
    if not wished and (
        any(one.kind not in MAY_BE_LIMITED for one in (last[-1], *here))
        or not limits(masked[before.start : before.end], rest, last[-1].kind, states=bool(here))
    ):
        return None
    both = text[before.start : sentence.end]
    return replace(
        last[-1], text=f"{last[-1].text.rstrip('?？')}; {_trimmed(text[sentence.start : sentence.end])}", evidence=both
    )


def _change(masked: str, found: Sequence[Clause]) -> Hit | None:
    """The clauses that together tell of a change, where the first of the sentence's begins one."""
    for count in range(1, len(found) + 1):
        words = masked[found[0].own : found[count - 1].end].strip()
        if any(clause.asks or clause.supposes for clause in found[:count]) or reported(words):
            return None
        rule = next((rule for rule in WHOLE if rule.fits(words)), None)
        if rule is not None:
            return Hit(found[0].own, found[count - 1].end, close_zh(rule, words))
    return None


def _classify(message: Said, masked: str, part: Part, *, task: bool, supposed: bool) -> Hit | None:
    clause = part.clause
    words = part.subject + masked[clause.own : clause.end].strip()
    if part.told:
        content = words.strip(" .。!！:：\n")
        told_as = TOLD_WISH if _IMPERATIVE.match(content) else TOLD_FACT
        fitting = _rule_of(message, content, task=False, supposed=False, asks=False)
        if not re.search(r"\w", content) or (
            fitting is None and says_nothing(content) and not names_day(content, message.said_at)
        ):
            return None
        subject = part.subject or named_ahead(masked[max(0, clause.own - LONGEST_GREETING) : clause.own], content)
        return Hit(clause.own, clause.end, fitting or told_as, explicit=True, subject=subject, shares=part.shares)
    found = _rule_of(message, words, task=task, supposed=supposed, asks=clause.asks)
    if found is None and not (task or supposed or clause.asks):
        found = _introduced(masked, clause, words)
    if found is None and not (task or supposed or clause.asks) and is_news(words) and not reported(words):
        found = NEWS
    if found is None:
        return None
    if secret(words, found.kind) and not (REPLACES.search(words) or opens(words)):
        return None  # not by itself; what somebody asked to be remembered may change
    if found.kind in ("preference", "decision") and not found.marked and reported(words):
        return None
    return Hit(clause.own, clause.end, found, subject=part.subject, shares=part.shares)


def _of_them(masked: str, part: Part, sentence: Sentence, before: Sentence | None) -> Hit | None:
    """Where a clause says of "her" or "him" how they are, whom the sentence before names, or this one."""
    clause = part.clause
    said = masked[sentence.start : clause.start] or (masked[before.start : before.end] if before else "")
    rule = of_them(masked[clause.own : clause.end].strip(" .。!！"), said) if said else None
    # What is named in the same sentence stands in the entry with it.
    return Hit(clause.own if clause.start == sentence.start else sentence.start, clause.end, rule) if rule else None


def _introduced(masked: str, clause: Clause, words: str) -> Rule | None:
    """Whether somebody who has just greeted says their name."""
    greeted = GREETING.search(masked, max(0, clause.own - LONGEST_GREETING), clause.own)
    return next((rule for rule in INTRODUCED if rule.fits(words)), None) if greeted else None


def _rule_of(message: Said, words: str, *, task: bool, supposed: bool, asks: bool) -> Rule | None:
    """The first rule that fits a clause."""
    coming = names_day(words, message.said_at) and COMING.fits(words)
    for rule in RULES:
        if (task and not rule.marked) or (supposed and not rule.standing) or (asks and not rule.asked):
            continue
        if rule.fits(words):
            if rule in LIKES and OF_ANSWERS.search(words):
                return replace(rule, kind="preference")
            if coming and (rule.kind == "relationship" or rule in HEALTH):
                return COMING
            if rule.kind == "todo" and RETOLD.fits(words):
                return RETOLD
            return close_zh(whose(rule, words), words)
    if task or supposed or asks:
        return None
    if CANCELLED.fits(words):
        return CANCELLED
    of_life = life_zh(words)
    if of_life is None and FINISHED.fits(words):
        return FINISHED
    timed = EVENT_NOUN.search(words) and COMING.fits(words) and due_at(words, message.said_at) is not None
    if coming or timed:
        return COMING
    journey = next((rule for rule in (JOURNEY, PLANS) if rule.fits(words)), None)
    if journey is not None:
        return journey
    late = of_life or next((rule for rule in LATE_RULES if rule.fits(words)), None)
    return late or (STATED_VALUE if states_value(words) else None)


def _entry(message: Said, text: str, hit: Hit, sentence: Sentence, before: Sentence | None) -> Extracted:
    """The clause in the speaker's words; with the sentence before it, where it begins with "it" or "that"."""
    said = hit.subject + _trimmed(text[hit.start : hit.end])
    evidence_start, evidence_end = (hit.start, hit.end) if hit.shares else (sentence.start, sentence.end)
    at_first = hit.start == sentence.start and before is not None and not before.asks
    leans = LEANS.match(said) or (at_first and THERE.search(said)) or not understood(said)
    if before is not None and not hit.explicit and leans:
        said = f"{_trimmed(text[before.start : before.end])}; {said}"
        evidence_start = before.start
    rule, whole = hit.rule, text[sentence.start : sentence.end]
    scope: Scope = "all" if rule.kind in EVERYWHERE else "agent"
    if only_here(whole) and rule.kind in ("preference", "persona"):
        scope = "thread"
    dated = rule.kind in ("event", "todo", "decision", "fact") and (rule.kind != "fact" or EVENT_NOUN.search(whole))
    return Extracted(
        kind=kind_of(rule.kind, said),
        text=said,
        evidence=text[evidence_start:evidence_end].strip(" ,，;；\n"),
        importance=max(rule.importance, 0.85) if hit.explicit else rule.importance,
        scope=scope,
        subject=rule.subject,
        emotion=emotion(rule.kind, whole),
        due_at=due_at(said, message.said_at) if dated and rule not in (FINISHED, NEWS) else None,
        explicit=hit.explicit,
        replaces=rule in (CANCELLED, FINISHED, NEWS, *CHANGES, *LIFE_ZH)
        or bool(REPLACES.search(whole))
        or (rule.pattern in _HEALTH and bool(CHANGED.search(said))),
    )


def _trimmed(words: str) -> str:
    words = " ".join(words.split()).strip(" ,，;；、-–—:：*_")
    return re.sub(r"[.。!！]+$", "", words)
