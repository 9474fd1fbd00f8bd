"""Which entry took the place of which: pure functions on `{id: superseded_by}`, that end even where damage made a
ring of them."""

from __future__ import annotations

from collections.abc import Collection, Mapping


def joined(links: Mapping[str, str], memory_id: str) -> set[str]:
    """All that hang together with an entry, itself among them."""
    before: dict[str, list[str]] = {}
    for older, newer in links.items():
        before.setdefault(newer, []).append(older)
    found: set[str] = set()
    waiting = [memory_id]
    while waiting:
        one = waiting.pop()
        if one and one not in found:
            found.add(one)
            waiting += [links.get(one, ""), *before.get(one, ())]
    return found


def following(links: Mapping[str, str], memory_id: str) -> list[str]:
    """What took an entry's place, and what took the place of that, in order; not the entry itself."""
    found: list[str] = []
    newer = links.get(memory_id, "")
    while newer and newer != memory_id and newer not in found:
        found.append(newer)
        newer = links.get(newer, "")
    return found


def without(links: Mapping[str, str], gone: Collection[str]) -> dict[str, str]:
    """New links of those entries that stay and whose successor goes: to the next one that stays, or to none."""
    return {
        older: next((newer for newer in following(links, older) if newer not in gone), "")
        for older, newer in links.items()
        if newer in gone and older not in gone
    }
