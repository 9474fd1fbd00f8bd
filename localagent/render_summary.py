"""A thread's running summary for people: what `threads summary` and /summary print."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime

from localagent import bilingual_shown as say
from localagent.bilingual import Language, called
from localagent.summary import Summary, line


def describe(summary: Summary, language: Language = "en") -> str:
    """A version: what it covers, and each line with its message. Not cleaned of control characters yet."""
    told = say.VERSION(
        language,
        version=summary.version,
        state=called(say.NOT_IN_USE, summary.state, language) if summary.state != "active" else "",
        messages=summary.messages,
        last=summary.covers_to,
        tokens=summary.tokens,
        by=_made_by(summary, language),
        when=_when(summary.created_at),
    )
    lines = [told, *([say.NOTE(language, note=summary.note)] if summary.note else []), ""]
    return "\n".join(
        [*lines, *(say.OF_MESSAGE(language, line=line(item), id=item.message_id) for item in summary.items)]
    )


def rows(versions: Sequence[Summary], language: Language = "en") -> list[tuple[str, ...]]:
    """A row for each version: see `HEADERS`."""
    return [
        (
            str(one.version),
            called(say.SUMMARY_STATES, one.state, language),
            f"{one.covers_from}-{one.covers_to}",
            str(len(one.items)),
            str(one.tokens),
            _made_by(one, language),
            _when(one.created_at),
            one.note,
        )
        for one in versions
    ]


def _made_by(summary: Summary, language: Language) -> str:
    return say.BY_RULES(language) if summary.made_by == say.BY_RULES("en") else summary.made_by


HEADERS = ("version", "state", "messages", "lines", "tokens", "made by", "when", "note")


def _when(seconds: float) -> str:
    return datetime.fromtimestamp(seconds).strftime("%Y-%m-%d %H:%M")
