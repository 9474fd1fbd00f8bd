"""Which sentences of a message are worth keeping in the summary, as what, and how much each is worth.

The importance policy knows what is said in so many words; `_summary_wording.py` what is said without them. What has
neither is worth what it tells that nobody can guess.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

from localagent.memory.entries import Kind
from localagent.policy import Extracted, Said
from localagent.summary import SummaryItem, SummaryKind

from ._clauses import TASK, Clause, clauses, own_start
from ._own_words import Sentence, mask, sentences
from ._summary_details import MEASURES, Details, content, details
from ._summary_wording import (
    ANNOUNCED,
    ANSWER,
    ASKED_FOR,
    CORRECTS,
    DECIDED,
    DECIDED_OUTRIGHT,
    FOR_THE_RECORD,
    NAMED_TOPIC,
    NARRATES,
    OPEN,
    POLITELY,
    PRAISE,
    REACTION,
    RULED,
    STANDING,
    TODAY,
    TOPIC,
    finished,
    wishes,
)
from .importance import importance

# What a statement weighs by its kind, where the speaker says in so many words what it is, and where not.
SAID_OUTRIGHT = {"preference": 0.95, "decision": 0.85, "next_step": 0.85}
SEEMS = {"preference": 0.8, "decision": 0.65, "next_step": 0.7}
PLAIN, MOST_OF_A_FACT = 0.15, 0.8
OF_A_REQUEST, OF_AN_ANSWER, OF_WHAT_IS_NOTED = 0.15, 0.3, 0.7
OF_THE_ASSISTANT = 0.2
TELLING = ("number", "code", "date", "time", "name")
# Of what is masked so long a line tells that it was pasted, with so much of its beginning.
LONG_ENOUGH, BEGINNING, OF_A_PASTE = 300, 60, 0.3
# Of so many lines at least this share speak of their writer, or they are a paste.
OWN_LINES = 0.2
# Of what is longer nobody makes a line of a summary.
LONGEST = 400
# So many sentences behind its announcement a correction may stand.
CORRECTION_REACHES = 3

_KINDS: dict[Kind, SummaryKind] = {
    "preference": "preference", "habit": "preference", "style": "preference", "persona": "preference",
    "decision": "decision", "todo": "next_step",
}  # fmt: skip
_BLOCK = re.compile(r"(?:^[^\S\n]*\S[^\n]*(?:\n|\Z)){12,}", re.MULTILINE)
_SPEAKER = re.compile(r"\b(?:I|we|my|our|me|us)\b|[我咱]", re.IGNORECASE)
_HIDDEN = re.compile(r"\0(?:[\0\s]*\0)?")
_CJK = re.compile("[\u4e00-\u9fff]")
_HAS_WORDS = re.compile(r"\w")
_PLAIN_COLON = re.compile(
    rf"(?:{FOR_THE_RECORD.pattern})[^\n.。:：，,]{{0,20}}[:：]|[:：](?=[ \t]*\n\s*(?:```|~~~))", re.IGNORECASE
)
_RECORD_LEAD_IN = re.compile(
    rf"[^.。:：，,\d\n]{{0,50}}(?:{FOR_THE_RECORD.pattern})[^.。:：，,\d\n]{{0,25}}[:：,，]\s*", re.IGNORECASE
)
# "How we bill: ..." asks nothing: it is the heading of what is told.
_HEADING = re.compile(
    rf"(?:how|what|why|where|when|who|which)\b[^?:：\n]{{3,80}}?"
    rf"(?::|(?:{FOR_THE_RECORD.pattern})[^\n.。:：，,]{{0,20}},) +"
    r"|[^，。：:？?\n]{0,16}(?:怎么|如何|什么|为何|哪)[^，。：:？?\n]{0,12}：",
    re.IGNORECASE,
)
_LEAD_IN = re.compile(
    r"(?:(?:by the way|btw|also|oh|and|but|so|plus|anyway|in any case|small aside[^:,.]{0,40}|side note|one more thing|"
    r"two things|some \w+|for what it's worth|while I(?:'m| am) at it)[,:] *)+"
    r"|(?:顺便(?:说一?下|提一?下|说|提)?|对了|另外|还有|说起来|哦对|补充一下)[，,：:] *",
    re.IGNORECASE,
)


@dataclass(frozen=True, slots=True)
class Statement:
    """`corrects`: it, or the words that lead to it, take something back."""

    item: SummaryItem
    details: Details
    corrects: bool


@dataclass(frozen=True, slots=True)
class _Unit:
    """A sentence, or several that semicolons divide."""

    sentence: Sentence
    clauses: Sequence[Clause]


def statements(message: Said) -> list[Statement]:
    """In their order. Of an assistant's message the steps that it names; of a tool's nothing."""
    if message.role == "assistant":
        return [_of_assistant(message, found) for found in importance(message, ())]
    if message.role != "user":
        return []
    noted = _noted(message.text)
    masked = _without_blocks(mask(noted))
    outright = importance(replace(message, text=noted), ())
    found: list[Statement] = []
    announced, paragraph_end = 0, -1
    for unit in _units(masked, message.text):
        start = unit.sentence.start
        if start > paragraph_end:
            announced = 0
            paragraph_end = message.text.find("\n\n", start)
            paragraph_end = len(message.text) if paragraph_end < 0 else paragraph_end
        words = masked[start : unit.sentence.end]
        announced = CORRECTION_REACHES if CORRECTS.search(words) else announced - 1
        made = _statement(message, masked, unit, outright, corrects=announced > 0)
        if made is not None:
            found.append(made)
    pasted = _pasted(message, masked)
    return [*found, pasted] if pasted is not None else found


def _without_blocks(masked: str) -> str:
    """Without lines upon lines that do not speak of their writer: nobody types so many."""

    def hidden(match: re.Match[str]) -> str:
        lines = match[0].splitlines()
        own = sum(bool(_SPEAKER.search(one)) for one in lines)
        return match[0] if own > OWN_LINES * len(lines) else re.sub(r"[^\n]", "\0", match[0])

    return _BLOCK.sub(hidden, masked)


def _pasted(message: Said, masked: str) -> Statement | None:
    """That something long was pasted, and how it begins: so that it is known to be there and can be asked for."""
    runs = [match for match in _HIDDEN.finditer(masked) if match.end() - match.start() >= LONG_ENOUGH]
    if not runs:
        return None
    start, end = max((match.span() for match in runs), key=lambda span: span[1] - span[0])
    paste = "\n".join(line for line in message.text[start:end].strip().splitlines() if "```" not in line)
    first = next((line.strip() for line in paste.splitlines() if re.search(r"\w", line)), "")
    lines, beginning = paste.count("\n") + 1, first[:BEGINNING] + "…" * (len(first) > BEGINNING)
    if len(_CJK.findall(message.text)) > len(message.text) / 4:
        text = f"粘贴了 {lines} 行（{len(paste):,} 个字符），开头是「{beginning}」"
    else:
        text = f"pasted: {lines} line{'s' * (lines > 1)}, {len(paste):,} characters, beginning “{beginning}”"
    item = SummaryItem("other_fact", text, first, message.message_id, message.said_at, OF_A_PASTE, "rules")
    return Statement(item, details(text), corrects=False)


def _noted(text: str) -> str:
    """With commas for the colons that announce no words of others: "write it down: ...", and those before fences, that
    announce no more than these."""
    return _PLAIN_COLON.sub(lambda match: match[0].replace(":", ",").replace("：", "，"), text)


def own_words(message: Said) -> str:
    """With everything blanked that the speaker quotes or pasted."""
    return _without_blocks(mask(message.text))


def _of_assistant(message: Said, found: Extracted) -> Statement:
    kind = _KINDS.get(found.kind, "other_fact")
    item = SummaryItem(
        kind if kind == "next_step" else "other_fact",
        found.text, found.evidence, message.message_id, message.said_at, OF_THE_ASSISTANT, "rules",
    )  # fmt: skip
    return Statement(item, details(found.text), corrects=False)


def _units(masked: str, text: str) -> Iterator[_Unit]:
    waiting: Sentence | None = None
    for sentence in sentences(masked):
        if waiting is not None and _goes_on(text, waiting, sentence):
            waiting = Sentence(waiting.start, sentence.end, sentence.asks)
            continue
        if waiting is not None:
            yield _Unit(waiting, clauses(masked, waiting))
        waiting = sentence
    if waiting is not None:
        yield _Unit(waiting, clauses(masked, waiting))


def _goes_on(text: str, one: Sentence, other: Sentence) -> bool:
    return (
        text[one.start : one.end].endswith((";", "；"))
        and "\n" not in text[one.end : other.start]
        and other.end - one.start <= LONGEST
    )


def _statement(
    message: Said, masked: str, unit: _Unit, outright: Sequence[Extracted], *, corrects: bool
) -> Statement | None:
    start, end = _own_part(masked, unit)
    words = masked[start:end].strip()
    own = words.replace("\0", "")
    if end - start > LONGEST or not _HAS_WORDS.search(own) or ANNOUNCED.search(own.strip(" .。!！")):
        return None
    if own.endswith((":", "：")) or message.text[start:end].rstrip().endswith((":", "：")):
        return None
    text = " ".join(message.text[start:end].split()).strip(" ,，;；、-–—")
    quote = message.text[unit.sentence.start : unit.sentence.end].strip()
    noted = _noted(quote)
    extracted = [one for one in outright if one.evidence in noted or noted in one.evidence]
    told = details(text)
    recorded = bool(FOR_THE_RECORD.search(masked[unit.sentence.start : end]) or NAMED_TOPIC.search(words))
    weighed = _weighed(words, told, extracted, recorded=recorded)
    if weighed is None:
        return None
    kind, weight = weighed
    asked = TASK.match(masked[own_start(masked, start, end) : end]) or ASKED_FOR.search(words)
    if asked and not (extracted and kind != "other_fact") and not (kind == "preference" and STANDING.search(words)):
        if not told.has("number", "code", "date", "time"):
            return None
        kind, weight, text = "other_fact", OF_A_REQUEST, f"{'要求过：' if _CJK.search(text) else 'asked for: '}{text}"
    elif kind == "other_fact" and unit.sentence.start > message.text.rstrip().rfind("\n\n") > 0:
        weight -= 0.08 * (not _measures(told))  # where a message ends stands what it asks for
    weight = round(max(0.03, min(1.0, weight + (0.2 if corrects and told.values else 0.0))), 3)
    item = SummaryItem(kind, text, quote, message.message_id, message.said_at, weight, "rules")
    return Statement(item, told, corrects)


def _own_part(masked: str, unit: _Unit) -> tuple[int, int]:
    """From its first to its last clause that states something, without a lead-in; empty if all ask."""
    if POLITELY.search(masked[unit.sentence.start : unit.sentence.end]):
        return unit.sentence.start, unit.sentence.end
    heading = _HEADING.match(masked, unit.sentence.start, unit.sentence.end)
    if heading and not unit.sentence.asks and heading.end() < unit.sentence.end:
        return unit.sentence.start, unit.sentence.end
    stating = [clause for clause in unit.clauses if not clause.asks]
    if unit.sentence.asks:
        stating = [one for one in stating if not one.supposes and one.end <= unit.clauses[-1].start]
    if not stating:
        return unit.sentence.start, unit.sentence.start
    start, end = stating[0].start, stating[-1].end
    if len(stating) == len(unit.clauses):
        end = unit.sentence.end
    for pattern in (_LEAD_IN, _RECORD_LEAD_IN):
        lead_in = pattern.match(masked, start, end)
        if lead_in and lead_in.end() < end:
            start = lead_in.end()
    return start, end


def _weighed(
    words: str, told: Details, extracted: Sequence[Extracted], *, recorded: bool
) -> tuple[SummaryKind, float] | None:
    """Kind and weight of a sentence; None if it says nothing that anybody would miss."""
    kinds = [_KINDS[one.kind] for one in extracted if one.kind in _KINDS]
    done = finished(words)
    worth = _worth(words, told)
    for kind in ("preference", "decision", "next_step"):
        if kind in kinds and not (done and kind == "next_step"):
            return kind, SAID_OUTRIGHT[kind] + 0.04 * (worth > 0.4)
    if DECIDED_OUTRIGHT.search(words) and told.content:
        return "decision", SAID_OUTRIGHT["decision"]
    if wishes(words):
        return "preference", SEEMS["preference"] + 0.05 * bool(told.values)
    if OPEN.search(words) and not done:
        return "next_step", SEEMS["next_step"] + min(0.1, worth / 5)
    if DECIDED.search(words) and (told.values or told.content):
        return "decision", SEEMS["decision"] + min(0.1, worth / 5)
    if recorded:
        return "other_fact", min(MOST_OF_A_FACT, max(OF_WHAT_IS_NOTED, worth + 0.2))
    if extracted and not done:
        return "other_fact", min(MOST_OF_A_FACT, max(0.5, worth + 0.15))
    if REACTION.match(words) and not told.values:
        answer = ANSWER.match(words)
        chosen = content(words[answer.end() :]) if answer and len(words) <= 60 and not done else frozenset()
        return ("decision", OF_AN_ANSWER) if 0 < len(chosen) <= 6 else None
    if len(told.content) < (3 if not told.values else 0 if told.has(*TELLING) or _measures(told) else 2):
        return None
    return "other_fact", min(MOST_OF_A_FACT, worth)


def _measures(told: Details) -> bool:
    """It tells how long, how much or how far in words."""
    return any(value.type == "few" and value.units & MEASURES for value in told.values)


def _worth(words: str, told: Details) -> float:
    """What a plain statement weighs: by what it tells that cannot be guessed, and how it tells it."""
    number = Counter(value.type for value in told.values)
    worth = PLAIN + (0.25 + 0.04 * min(2, number["number"] - 1)) * bool(number["number"]) + 0.35 * bool(number["code"])
    worth += (0.12 + 0.03 * min(2, number["name"] - 1)) * bool(number["name"]) + 0.03 * told.denies
    worth += 0.08 * bool(number["few"]) + 0.1 * _measures(told) + 0.12 * bool(number["date"] or number["time"])
    worth += 0.2 * bool(TOPIC.search(words)) + 0.1 * bool(RULED.search(words))
    worth -= 0.1 * bool(REACTION.match(words)) + 0.15 * bool(NARRATES.search(words))
    worth -= 0.2 * bool(PRAISE.search(words)) + 0.1 * (bool(TODAY.search(words)) and not told.has(*TELLING))
    return worth
