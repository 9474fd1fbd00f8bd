"""Search by words: SQLite's FTS5 and its BM25 over the words that `memory.language` finds."""

from __future__ import annotations

import json
import math
import threading
import time
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import TypeAlias, cast

from localagent.memory.database import Database
from localagent.memory.filters import FIELDS, Scalar
from localagent.memory.language import words

# A condition on passages `p` and their entries `m` (all NULL for messages), and its parameters.
Condition: TypeAlias = "tuple[str, Sequence[Scalar]]"
# SQL of what can be filtered on. The plus keeps SQLite from looking for rows by these columns: they are found by row.
COLUMNS: Mapping[str, str] = {field: f"+p.{field}" for field in FIELDS}

# Of a passage's own words, of those beside it, of those two away. FTS5's BM25 has no k1 to set; multiplying all
# weights by 0.6 acts as k1 = 2.
WEIGHTS = (0.6, 0.3, 0.15)
# What is left of a word's rarity where a passage of average length has it once: FTS5's BM25 with its k1 of 1.2.
ONCE = WEIGHTS[0] * (1.2 + 1) / (WEIGHTS[0] + 1.2)
# Different words that are looked for; a question has a dozen.
MOST_WORDS = 64
# About so many places of the index are looked at (a millisecond), those of the rarest words first: a word that
# stands everywhere tells passages apart least and costs most.
PLACES = 1000
# What a word that is too common to be counted weighs, and the least that any does.
_COMMON = 0.5
_LEAST = 1e-6
# How many passages there are: counted as long as that is cheap, then once in so many seconds.
_CHEAP = 5000
# Passages of nothing that the keyword index holds beside the real ones (`memory.migrations`).
_PSEUDO = 50
_RECOUNT_S = 60.0
# FTS5 keeps an index in pieces, in each of which every word is looked for. All become one as soon as the others are so
# large a part of the largest (so that a page is written anew a few times in its life, not each day), and more than a
# few pages; in steps of so many pages: some 15 ms each, and 0.7 s for 100,000 passages.
_WORTH_MERGING = 0.25
_FEW_PAGES = 16
_PAGES_A_STEP = 64
# Counting is remembered where it takes time, until the number of passages has changed by a tenth.
_WORTH_REMEMBERING = 200
_REMEMBERED = 20_000

_BM25 = f"-bm25(passage_words, {', '.join(map(str, WEIGHTS))})"
_OWN = f"-bm25(passage_words, {WEIGHTS[0]}, 0, 0)"
_FOUND = "passage_words WHERE passage_words MATCH ? AND rowid > 0"
_BEST = f"SELECT rowid, {_BM25} AS weight, {_OWN} FROM {_FOUND} ORDER BY weight DESC LIMIT ?"
# Of each word of a list.
_COUNTS = f"""
    SELECT asked.value, (SELECT count(*) FROM (SELECT 1 FROM passage_words
        WHERE passage_words MATCH '"' || asked.value || '"' AND rowid > 0 LIMIT {PLACES + 1}))
    FROM json_each(?) asked
"""
_PIECES = "SELECT total(pages), max(pages) FROM (SELECT count(*) AS pages FROM passage_words_idx GROUP BY segid)"
_NEWEST = f"""
    SELECT * FROM (SELECT rowid, {_BM25} AS weight, {_OWN} FROM {_FOUND}
    ORDER BY rowid DESC LIMIT {PLACES}) ORDER BY weight DESC LIMIT ?
"""
# The part that reads the keyword index stands alone, as bm25 needs it. Words that stand everywhere are looked for in
# ten times as many places, of which the condition may leave few.
_WITHIN = f"""
    WITH matching AS MATERIALIZED (
        SELECT rowid AS row, {_BM25} AS weight, {_OWN} AS own FROM {_FOUND}
        ORDER BY rowid DESC LIMIT {10 * PLACES}
    )
    SELECT p.row, matching.weight, matching.own FROM matching CROSS JOIN passages p ON p.row = matching.row
    LEFT JOIN memories m ON m.id = p.memory_id
    WHERE +p.tenant = ? AND {{where}} ORDER BY matching.weight DESC LIMIT ?
"""


@dataclass(frozen=True, slots=True)
class Weights:
    """`rows`: BM25 of those that were found, above 0; `own`: the part of it that comes of the passage's own words, 0
    where all of them are its neighbours'. `ideal` (above 0): about what a passage has of its own that has every word
    of the question once. `words`: how rare each of them is."""

    rows: Mapping[int, float]
    own: Mapping[int, float]
    ideal: float
    words: Mapping[str, float]


class Keywords:
    """Of one tenant, for several threads. Raises StorageError. How common a word is, is counted over all tenants."""

    def __init__(self, database: Database, tenant: str) -> None:
        self._database = database
        self._tenant = tenant
        self._lock = threading.Lock()
        self._frequencies: dict[str, tuple[int, int]] = {}
        self._total = 0
        self._counted_at = -math.inf

    def search(self, text: str, codes: Iterable[str], limit: int, where: Condition | None = None) -> Weights:
        """The `limit` best passages for a question and for the codes of dates (`language.date_codes`).

        Without a condition of the whole file, whichever tenant's, which is fastest; with one, of this tenant alone.
        """
        asked = list(dict.fromkeys((*words(text, asking=True), *codes)))[:MOST_WORDS]
        total = self._count_passages()
        counts = self._count(asked, total)
        weights = {word: _weight(count, total) for word, count in counts.items()}
        there = [word for word in asked if counts[word]]
        rare = _affordable(counts)
        found: list[tuple[int, float, float]] = []
        if where is not None:
            found = self._run(_WITHIN.format(where=where[0]), _any(rare or there), self._tenant, *where[1], limit)
        elif rare:
            found = self._run(_BEST, _any(rare), limit)
        elif there:
            # Each of them stands everywhere: where all of them do, else where any does, in the newest passages.
            found = self._run(_NEWEST, _all(there), limit) or self._run(_NEWEST, _any(there), limit)
        rows = {row: weight for row, weight, _ in found}
        own = {row: of_its_own for row, _, of_its_own in found}
        return Weights(rows, own, max(ONCE * sum(weights.values()), _LEAST), weights)

    def _run(self, sql: str, match: str, *parameters: Scalar) -> list[tuple[int, float, float]]:
        if not match:
            return []
        return cast("list[tuple[int, float, float]]", self._database.query(sql, (match, *parameters)))

    def _count_passages(self) -> int:
        with self._lock:
            now = time.monotonic()
            if self._total < _CHEAP or now - self._counted_at > _RECOUNT_S:
                ((total,),) = self._database.query("SELECT count(*) FROM passages")
                self._total, self._counted_at = cast("int", total), now
            return self._total + _PSEUDO

    def _count(self, asked: Sequence[str], total: int) -> dict[str, int]:
        """Of each word, in how many passages and next to how many it stands, up to one more than `PLACES`."""
        never = (0, 0)
        with self._lock:
            known = {word: self._frequencies.get(word, never) for word in asked}
        counts = {word: count for word, (count, at) in known.items() if at and 0.9 * at <= total <= 1.1 * at}
        new = [word for word in asked if word not in counts]
        found = cast("list[tuple[str, int]]", self._database.query(_COUNTS, (json.dumps(new),)) if new else [])
        counts.update(found)
        common = {word: (count, total) for word, count in found if count >= _WORTH_REMEMBERING}
        with self._lock:
            if len(self._frequencies) + len(common) > _REMEMBERED:
                self._frequencies.clear()
            self._frequencies.update(common)
        return {word: counts[word] for word in asked}


def merge_words(database: Database, *, begun: bool = False) -> bool:
    """A step on the way to a keyword index in one piece, where that is worth it; False when there is none left to do.
    `begun`: the step before was not the last one. Any process may go on where another ended. Raises StorageError."""
    if not begun:
        ((pages, largest),) = cast("list[tuple[float, int | None]]", database.query(_PIECES))
        if pages - (largest or 0) < max(_FEW_PAGES, _WORTH_MERGING * (largest or 0)):
            return False
    with database.transaction() as connection:
        before = connection.total_changes
        # Less than nothing: of all pieces, and not only where many are alike in size.
        pages = _PAGES_A_STEP if begun else -_PAGES_A_STEP
        connection.execute("INSERT INTO passage_words (passage_words, rank) VALUES ('merge', ?)", (pages,))
        return connection.total_changes - before > 1  # the statement itself is one


def _affordable(counts: Mapping[str, int]) -> list[str]:
    """The rarest words, as many as `PLACES` allows."""
    chosen, places = [], 0
    for word in sorted(counts, key=lambda word: counts[word]):
        places += counts[word]
        if places > PLACES:
            break
        if counts[word]:
            chosen.append(word)
    return chosen


def _weight(count: int, total: int) -> float:
    """Inverse document frequency, as FTS5's BM25 has it."""
    if count > PLACES:
        return _COMMON
    return max(_LEAST, math.log(max(1.0, (total - count + 0.5) / (count + 0.5))))


def _any(asked: Iterable[str]) -> str:
    """As FTS5 takes it: a word of `language.words` has no quotation mark."""
    return " OR ".join(f'"{word}"' for word in asked)


def _all(asked: Iterable[str]) -> str:
    return " AND ".join(f'"{word}"' for word in asked)
