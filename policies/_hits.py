"""What was found in the clauses of a sentence, and which of it is one statement."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

from ._clauses import Clause
from ._limits import MAY_BE_LIMITED, limits
from ._news import GOES_ON, NEWS
from ._rule import Rule

_NO_MORE_ZH = re.compile(r"不[^，。]+了\s*$")

_NOT_THAT_ZH = re.compile(r"[，,] ?(?:就|而)?不(?!过|错)[^，。]+了[。.!！]*$")


@dataclass(frozen=True, slots=True)
class Hit:
    start: int
    end: int
    rule: Rule
    explicit: bool = False
    # Put before its words; `shares`: of one sentence, others have the same subject.
    subject: str = ""
    shares: bool = False


def joined(masked: str, hits: Sequence[Hit]) -> Iterator[Hit]:
    """What no longer holds, and what does in its place, in one sentence, are one statement."""
    for index, hit in enumerate(hits):
        after = hits[index + 1] if index + 1 < len(hits) else None
        if after is not None and _gives_way(masked, hit, after):
            continue
        before = hits[index - 1] if index else None
        if before is not None and _gives_way(masked, before, hit):
            hit = replace(hit, start=before.start, subject=before.subject)
        yield hit


def _gives_way(masked: str, hit: Hit, after: Hit) -> bool:
    """Whether a statement is only of what no longer holds, and the next one of what does."""
    no_more = hit.rule.importance <= NEWS.importance and bool(_NO_MORE_ZH.search(masked, hit.start, hit.end))
    going_on = hit.rule is NEWS or (no_more and not hit.explicit and after.rule.kind in ("profile", "habit"))
    return going_on and bool(GOES_ON.match(masked[hit.end : after.end]))


def follows(masked: str, hit: Hit, clause: Clause) -> bool:
    """Whether a clause that states nothing by itself says what holds now instead."""
    going_on = hit.rule is NEWS and not clause.asks and not clause.supposes
    return going_on and bool(GOES_ON.match(masked[hit.end : clause.end]))


def takes_along(masked: str, hit: Hit, found: Hit | None) -> bool:
    """Whether a plan is told with what it takes the place of: "过年去三亚，不回南京了"."""
    plan = hit.rule.kind in ("event", "decision") and hit.rule is not NEWS and not hit.explicit
    return plan and found is not None and found.rule is NEWS and bool(_NOT_THAT_ZH.match(masked, hit.end, found.end))


def excepts(masked: str, hit: Hit, clause: Clause, found: Hit | None) -> bool:
    """Whether a clause limits what the one before states: "I'm vegetarian, but I eat fish"."""
    states = found is not None and found.rule is not NEWS
    if clause.asks or (found is not None and (found.explicit or (states and found.rule.kind not in MAY_BE_LIMITED))):
        return False
    kind = "habit" if hit.rule is NEWS else hit.rule.kind  # of news, what somebody does not do
    return limits(masked[hit.start : hit.end], masked[hit.end : clause.end], kind, states=states)


def went_on(hit: Hit, clause: Clause, found: Hit | None) -> Hit:
    """A statement with a clause that goes on with it, and what that is by itself: what only replaces counts as that
    then."""
    rule = found.rule if found is not None and hit.rule.importance <= NEWS.importance else hit.rule
    return replace(hit, end=clause.end, rule=rule)
