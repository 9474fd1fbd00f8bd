"""Entries that share words with a text, by the keyword index: what was written a moment ago is in it."""

from __future__ import annotations

from collections.abc import Sequence

from localagent.memory.database import Database
from localagent.memory.entries import Kind
from localagent.memory.language import words

# Different words of the text; a statement has a dozen.
COMPARED_WORDS = 200

# What reads the keyword index stands alone: bm25 needs that. Of its columns only `body` is the passage's own.
_MATCHES = """
    WITH matching AS MATERIALIZED (
        SELECT rowid AS row, bm25(passage_words, 1.0, 0.0, 0.0) AS weight FROM passage_words WHERE passage_words MATCH ?
    )
    SELECT m.id FROM matching JOIN passages p ON p.row = matching.row JOIN memories m ON m.id = p.memory_id
    WHERE m.tenant = ? AND m.state = 'active' AND m.kind IN ({}) GROUP BY m.id ORDER BY min(weight), m.id LIMIT ?
"""


def any_word(text: str) -> str:
    """A question to the keyword index for passages with any word of the text; empty for a text without words."""
    different = list(dict.fromkeys(words(text)))[:COMPARED_WORDS]
    # No word has a quotation mark in it.
    return "body : (" + " OR ".join(f'"{word}"' for word in different) + ")" if different else ""


def best_matches(database: Database, tenant: str, text: str, kinds: Sequence[Kind], limit: int) -> list[str]:
    """Ids of active entries, best first by BM25, each once."""
    asked = any_word(text)
    if not asked:
        return []
    sql = _MATCHES.format(", ".join("?" * len(kinds)))
    return [str(row[0]) for row in database.query(sql, (asked, tenant, *kinds, limit))]
