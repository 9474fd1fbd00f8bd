"""What the running summary of a thread holds, by rules for English and Chinese.

The user's own statements are kept in their own words; `_summary_statements.py` chooses and weighs them,
`_summary_merge.py` says what a new one does to the older ones. The model's wording takes the place of a statement only
if it is shorter and every detail is in it; what else it proposes is added where the rules saw nothing.

Measured on the labelled dialogues of the project's tests (tests/policies/dialogues).
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace

from localagent.policy import Compressing, Said
from localagent.summary import SummaryItem, line, without

from ._summary_details import details
from ._summary_merge import merged, shortened
from ._summary_statements import Statement, own_words, statements

# A summary that is too long is cut back to this share of its limit, so that it is not cut again at once.
CUT_TO = 0.85
# Of the words of a statement, at least so many must be in the model's shorter one.
KEPT_WORDS = 0.6
SHORTER = 0.9
OF_THE_MODEL = {"decision": 0.6, "preference": 0.7, "next_step": 0.6, "other_fact": 0.35}


def summarization(given: Compressing) -> list[SummaryItem]:
    """The items of the next version, in the order in which they were said."""

    def held(item: SummaryItem) -> SummaryItem | None:
        return without(item, given.outdated.get(item.message_id, ()))

    items = [one for item in given.items if (one := held(item))]
    found = [one for message in given.messages for one in statements(message)]
    found = [replace(one, item=item) for one in found if (item := held(one.item))]
    proposed = [item for item in given.proposed if held(item) == item]
    found = _with_proposed(found, proposed, given.messages)
    found.sort(key=lambda one: one.item.message_id)
    return _within(merged(items, found), given.limit, given.count)


def _with_proposed(
    found: Sequence[Statement], proposed: Sequence[SummaryItem], messages: Sequence[Said]
) -> list[Statement]:
    wanted = {item.message_id for item in proposed}
    texts = {message.message_id: own_words(message) for message in messages if message.message_id in wanted}
    made = list(found)
    for item in proposed:
        if item.quote not in texts.get(item.message_id, ""):
            continue  # what was pasted or quoted speaks for nobody
        at = next((at for at, one in enumerate(made) if _same_source(one.item, item)), None)
        if at is None:
            weight = min(0.9, OF_THE_MODEL[item.kind] + 0.1 * bool(details(item.text).values))
            made.append(Statement(replace(item, weight=weight), details(item.text), corrects=False))
        elif _says_all(item.text, made[at].item.text):
            told = replace(made[at].item, text=item.text, by="model")
            made[at] = replace(made[at], item=told, details=details(item.text))
    return made


def _same_source(one: SummaryItem, other: SummaryItem) -> bool:
    return one.message_id == other.message_id and (one.quote in other.quote or other.quote in one.quote)


def _says_all(shorter: str, text: str) -> bool:
    """Whether nothing of a statement is lost in the shorter one."""
    new, old = details(shorter), details(text)
    return (
        len(shorter) <= SHORTER * len(text)
        and {value.value for value in old.values} <= {value.value for value in new.values}
        and new.denies == old.denies
        and len(new.content & old.content) >= KEPT_WORDS * len(old.content)
    )


def _within(items: Sequence[SummaryItem], limit: int, count: Callable[[str], int]) -> list[SummaryItem]:
    """In the order of time, cut back where they are too long: first what they say beside the point goes, then the
    lightest ones, of equals the oldest plain fact."""
    ordered = sorted(items, key=lambda item: item.message_id)
    if sum(count(line(item)) for item in ordered) <= limit:
        return ordered
    ordered = [shortened(item) for item in ordered]
    costs = [count(line(item)) for item in ordered]
    total = sum(costs)
    leaving = sorted(
        range(len(ordered)), key=lambda at: (ordered[at].weight, ordered[at].kind != "other_fact", at)
    )  # fmt: skip
    gone = set()
    for at in leaving:
        if total <= CUT_TO * limit:
            break
        gone.add(at)
        total -= costs[at]
    return [item for at, item in enumerate(ordered) if at not in gone]
