"""What became of a candidate of recall, as a sentence in the user's language."""

from __future__ import annotations

from collections.abc import Sequence

from localagent import bilingual_why as say
from localagent.bilingual import PARTS, Language, Phrase, kind_name
from localagent.record import RecallTrace

SHOWN = 120
# The fates that are told with the score alone.
_SCORED: dict[str, Phrase] = {
    "used": say.USED,
    "beyond top_k": say.BEYOND,
    "in the recent messages": say.RECENT,
    "says nothing": say.SAYS_NOTHING,
    "in the summary": say.SUMMARISED,
    "not worth a new prefix": say.NO_NEW_PREFIX,
}


def quoted(text: str, limit: int = SHOWN) -> str:
    """On one line, cut to `limit` characters, between quotation marks."""
    line = " ".join(text.split())
    return f"“{line if len(line) <= limit else line[: limit - 1] + '…'}”"


def name_of(trace: RecallTrace, language: Language = "en") -> str:
    """As `memory show` or `threads show` would find it."""
    if trace.kind != "message":
        return f"{kind_name(trace.kind, language)} {trace.id}"
    if trace.message_id is None:  # another machine's, or recorded by an earlier version
        return say.MESSAGE(language, id=trace.id)
    return say.MESSAGE_OF_THREAD(language, id=trace.message_id, thread=trace.thread_id)


def score_words(trace: RecallTrace, language: Language = "en", *, parts: bool = True) -> str:
    if not parts:
        return f"{trace.score:.2f}"
    made_of = PARTS(language, vector=trace.vector, keyword=trace.keyword, retention=trace.retention)
    return say.SCORE(language, score=trace.score, parts=made_of)


def reason(trace: RecallTrace, others: Sequence[RecallTrace], language: Language = "en", *, parts: bool = True) -> str:
    """Why it is in the prompt or not; `others` are the candidates beside it, to name what it was compared with.
    `parts`: with what the score was made of."""
    note, score = trace.note, score_words(trace, language, parts=parts)
    fate: str = trace.fate  # also one that only another version knows
    match fate:
        case "standing":
            return say.STANDING(language)
        case "below threshold":
            return say.BELOW_LEAST(language, score=score, least=note) if note else say.BELOW(language, score=score)
        case "double":
            other = _named(note, others, language)
            return say.SAME_AS(language, other=other) if note else say.SAME_AS_ANOTHER(language)
        case "over budget":
            if note:
                return say.NO_ROOM_OF_STANDING(language, note=note)
            return say.SCORED_BUT_NO_ROOM(language, score=score) if trace.score else say.NO_ROOM_FOR_IT(language)
        case "superseded" if trace.kind == "message":
            return say.NOTHING_LEFT(language)
        case "superseded":
            other = _named(note, others, language)
            return say.SUPERSEDED_BY(language, other=other) if note else say.SUPERSEDED(language)
        case "archived":
            return archived(note, language)
        case "kept from before":
            return say.KEPT(language)
        case _ if fate in _SCORED:
            return _SCORED[fate](language, score=score)
        case other:
            return say.OTHER_FATE(language, fate=f"{other}{f' ({note})' if note else ''}", score=score)


def archived(note: str, language: Language = "en") -> str:
    """How it came to be archived. Records of earlier versions do not say."""
    return say.ARCHIVED.get(note, say.ANOTHER_RESTORED)[0](language, other=note)


def briefly_archived(note: str, language: Language = "en") -> str:
    """In two or three words."""
    return say.ARCHIVED.get(note, say.ANOTHER_RESTORED)[1](language)


def _named(trace_id: str, others: Sequence[RecallTrace], language: Language) -> str:
    other = next((one for one in others if one.id == trace_id), None)
    return f"{name_of(other, language)} {quoted(other.text)}" if other is not None else trace_id
