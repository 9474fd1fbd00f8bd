"""The entries that are nearest to a vector."""

from __future__ import annotations

import json
from collections.abc import Callable

from localagent.memory.database import Database
from localagent.memory.embedding import Vectors
from localagent.memory.filters import Condition
from localagent.memory.finding import VectorSearch

_IDS = """
    SELECT p.memory_id FROM json_each(?) wanted CROSS JOIN passages p ON p.row = wanted.value
    JOIN memories m ON m.id = p.memory_id WHERE p.tenant = ? AND m.state = 'active' ORDER BY wanted.key
"""


class Neighbours:
    """Of one tenant. `vectors`: of the embedder in use; None while there are none."""

    def __init__(self, database: Database, tenant: str, vectors: Callable[[], VectorSearch | None]) -> None:
        self._database = database
        self._tenant = tenant
        self._vectors = vectors

    def nearest(self, vector: Vectors, limit: int) -> list[str]:
        """Ids of active entries, best first. Those that hold no more may crowd out others."""
        vectors = self._vectors()
        if vectors is None:
            return []
        rows = [hit.row for hit in vectors.query(vector, limit, Condition("source", "$eq", "memory")) if hit.row >= 0]
        return list(dict.fromkeys(str(one) for (one,) in self._database.query(_IDS, (json.dumps(rows), self._tenant))))
