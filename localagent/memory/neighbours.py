"""The entries that are nearest to a vector."""

from __future__ import annotations

import json
from collections.abc import Callable

from localagent.memory.database import Database
from localagent.memory.embedding import Vectors
from localagent.memory.filters import Condition
from localagent.memory.finding import VectorSearch

_IDS = """
    SELECT p.row, p.memory_id FROM json_each(?) wanted CROSS JOIN passages p ON p.row = wanted.value
    JOIN memories m ON m.id = p.memory_id WHERE p.tenant = ? AND m.state = 'active' ORDER BY wanted.key
"""


class Neighbours:
    """Of one tenant. `vectors`: of the embedder in use; None while there are none."""

    def __init__(self, database: Database, tenant: str, vectors: Callable[[], VectorSearch | None]) -> None:
        self._database = database
        self._tenant = tenant
        self._vectors = vectors

    def nearest(self, vector: Vectors, limit: int) -> list[tuple[str, float]]:
        """Ids of active entries and their cosines, best first. Those that hold no more may crowd out others."""
        vectors = self._vectors()
        if vectors is None:
            return []
        hits = vectors.query(vector, limit, Condition("source", "$eq", "memory"))
        near = {hit.row: hit.cosine for hit in hits if hit.row >= 0}
        found: dict[str, float] = {}
        for row, memory_id in self._database.query(_IDS, (json.dumps(list(near)), self._tenant)):
            found.setdefault(str(memory_id), near[int(str(row))])
        return list(found.items())
