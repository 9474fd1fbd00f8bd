"""In which order what was found is worth recalling, and how well it fits the question.

Half of a rank comes from common words, half from the likeness of meaning; what stands beside a passage, its session,
its speaker and its date count too. The numbers were chosen on conversations in English and Chinese (docs/memory.md);
each may vary by half without changing much.
"""

from __future__ import annotations

from collections.abc import Sequence

from localagent.policy import Candidate, Question, Ranked

DENSE = 0.5  # the part of likeness; words have the rest
NEIGHBOURS = 0.25  # of the likeness of each neighbour
AFTER_QUESTION = 0.15  # of the rank of a question: it is answered next
SESSION = 0.3  # of the best rank in the same session
DAY = 0.2  # said on the day that was asked for
ASKS = 0.3  # off what only asks
NAMED = 0.4  # the question names who said it
TIMES = 0.2  # it says when, and that is what the question asks
FORGOTTEN = 0.15  # off an entry that has faded entirely: less than what sets a clearly better one apart
KEYWORD_SCORE = 0.5  # what all the words of the question are worth beside a vector
WORDS_ALONE = 0.9  # ... and where there is no vector: half of them pass a threshold of 0.45


def recall(question: Question, candidates: Sequence[Candidate]) -> list[Ranked]:
    """Every candidate, best first."""
    by_row = {one.row: one for one in candidates}
    near: dict[int, float] = {}
    for one in candidates:
        before, after = by_row.get(one.row - 1), by_row.get(one.row + 1)
        beside = (before.cosine if before else 0.0) + (after.cosine if after else 0.0)
        near[one.row] = one.cosine + NEIGHBOURS * beside
    most_keyword = max((one.keyword for one in candidates), default=0.0) or 1.0
    most_near = max(near.values(), default=0.0)
    most_near = most_near if most_near > 0 else 1.0
    base: dict[int, float] = {}
    for one in candidates:
        by_words, by_likeness = one.keyword / most_keyword, max(0.0, near[one.row]) / most_near
        if not one.embedded:  # as like as its words are: what has no vector yet must not lose to what has nothing else
            by_likeness = max(by_words, by_likeness)
        base[one.row] = (1 - DENSE) * by_words + DENSE * by_likeness
    answering: dict[int, float] = {}
    best: dict[str, float] = {}
    for one in candidates:
        before = by_row.get(one.row - 1)
        rank = base[one.row] + (AFTER_QUESTION * base[before.row] if before and before.ends_asking else 0.0)
        answering[one.row] = rank
        best[one.session] = max(best.get(one.session, 0.0), rank)
    ranked = []
    for one in candidates:
        rank = answering[one.row] + SESSION * best[one.session] + DAY * one.day
        rank *= 1 - ASKS * one.asks
        if one.named:
            rank *= 1 + NAMED
        if one.times and question.asks_time:
            rank *= 1 + TIMES
        if one.is_memory:
            rank *= 1 - FORGOTTEN * (1 - one.retention)
        vector = question.score_of(one.cosine)
        keyword = max(one.keyword_share, one.day)
        score = 1 - (1 - vector) * (1 - (KEYWORD_SCORE if one.embedded else WORDS_ALONE) * keyword)
        ranked.append(Ranked(one.row, rank, score, vector, keyword))
    return sorted(ranked, key=lambda one: (-one.rank, one.row))
