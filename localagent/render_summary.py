"""A thread's running summary for people: what `threads summary` and /summary print."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime

from localagent.summary import Summary, line


def describe(summary: Summary) -> str:
    """A version: what it covers, and each line with its message. Not cleaned of control characters yet."""
    lines = [
        f"version {summary.version}{_state(summary)}: {summary.messages:,} messages, up to {summary.covers_to}, in "
        f"{summary.tokens:,} tokens; made by {summary.made_by}, {_when(summary.created_at)}",
    ]
    if summary.note:
        lines.append(f"note: {summary.note}")
    return "\n".join([*lines, "", *(f"{line(item)}  (message {item.message_id})" for item in summary.items)])


def rows(versions: Sequence[Summary]) -> list[tuple[str, ...]]:
    """A row for each version: see `HEADERS`."""
    return [
        (
            str(one.version),
            one.state,
            f"{one.covers_from}-{one.covers_to}",
            str(len(one.items)),
            str(one.tokens),
            one.made_by,
            _when(one.created_at),
            one.note,
        )
        for one in versions
    ]


HEADERS = ("version", "state", "messages", "lines", "tokens", "made by", "when", "note")


def _state(summary: Summary) -> str:
    return "" if summary.state == "active" else f" ({summary.state})"


def _when(seconds: float) -> str:
    return datetime.fromtimestamp(seconds).strftime("%Y-%m-%d %H:%M")
