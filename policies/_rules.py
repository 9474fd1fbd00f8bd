"""The rules for all kinds, in the order in which they are tried: the first that fits a clause wins."""

from __future__ import annotations

from ._changes_of_life import CHANGES
from ._doings import HABITS, LIFE_EVENTS, NEEDS, REMINDERS
from ._facts import FACTS
from ._health import HEALTH
from ._manners import IN_DOUBT, MANNERS, MANNERS_ASKED, MANNERS_ASKED_ZH, MANNERS_ZH
from ._people import CALLED, EMOTION, PERSONA, PROFILE, RELATIONSHIPS
from ._plain import PLAIN
from ._rule import Rule
from ._wishes import ANSWERS, DECISIONS, LIKES, PREFERS, STANDING

RULES: tuple[Rule, ...] = (
    *PERSONA, CALLED, *CHANGES, *DECISIONS, *STANDING, MANNERS_ASKED, MANNERS_ASKED_ZH, IN_DOUBT, MANNERS,
    MANNERS_ZH, *REMINDERS, *ANSWERS, *HEALTH, *PROFILE, *RELATIONSHIPS,
    *PREFERS, *LIKES, *NEEDS, *LIFE_EVENTS, *PLAIN, *HABITS,
)  # fmt: skip
# After what has a date.
LATE_RULES: tuple[Rule, ...] = (*FACTS, *EMOTION)
