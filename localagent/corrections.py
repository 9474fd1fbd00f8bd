"""What later messages took back of a summary. Pure."""

from __future__ import annotations

from collections.abc import Sequence

from localagent.policy import Compressing, Said, SummarizationPolicy
from localagent.summary import SummaryItem


def correcting(policy: SummarizationPolicy, items: Sequence[SummaryItem], later: Sequence[Said]) -> list[SummaryItem]:
    """The statements of `later` messages that take the place of some of the `items`, or of one another."""
    ids = {message.message_id for message in later}
    made = policy(Compressing(later, items, (), {}, 0, lambda text: 0))
    return [item for item in made if item.message_id in ids and item.replaces]
