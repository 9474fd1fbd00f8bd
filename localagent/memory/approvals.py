"""What was allowed "always for exactly this", in the ledger's file."""

from __future__ import annotations

import hashlib
import json
import time
from collections.abc import Callable
from dataclasses import dataclass
from typing import cast

from localagent.calls import ApprovalRequest, canonical, visible
from localagent.errors import CANDIDATES, Ambiguous, UsageError
from localagent.memory.database import Database, Row
from localagent.messages import JsonObject, new_id

SHORTEST_PREFIX = 4
_COLUMNS = "id, agent, tool, arguments, folder, shown, created_at"


@dataclass(frozen=True, slots=True)
class Allowed:
    """One call that need not be asked about again. `shown`: what the person saw; `folder`: where its relative paths
    begin. `created_at` in epoch seconds."""

    id: str
    agent: str
    tool: str
    arguments: JsonObject
    folder: str
    shown: str
    created_at: float


class SqliteApprovals:
    """`Approvals` of one tenant. Looked up anew for each call: what another program revokes is asked about at once."""

    def __init__(self, database: Database, tenant: str, *, now: Callable[[], float] = time.time) -> None:
        self._database = database
        self._tenant = tenant
        self._now = now

    def allowed(self, agent: str, request: ApprovalRequest) -> bool:
        found = self._database.query(
            "SELECT 1 FROM approvals WHERE tenant = ? AND agent = ? AND digest = ?",
            (self._tenant, agent, _digest(request)),
        )
        return bool(found)

    def allow(self, agent: str, request: ApprovalRequest) -> None:
        """Twice is once."""
        with self._database.transaction() as connection:
            connection.execute(
                f"INSERT OR IGNORE INTO approvals (tenant, digest, {_COLUMNS}) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)",
                (
                    self._tenant,
                    _digest(request),
                    new_id(),
                    agent,
                    request.tool,
                    canonical(request.arguments),
                    visible(request.folder),
                    visible(request.shown),
                    self._now(),
                ),
            )

    def entries(self) -> list[Allowed]:
        """Those of all the tenant's agents, the newest first."""
        return self._rows("1 ORDER BY created_at DESC, rowid DESC")

    def revoke(self, key: str) -> Allowed:
        """By its id, or a beginning that it alone has. UsageError if there is none or are several."""
        found = self._rows("id = ?", key)
        if not found and len(key) >= SHORTEST_PREFIX:
            found = self._rows("substr(id, 1, ?) = ? ORDER BY id LIMIT ?", len(key), key.lower(), CANDIDATES + 1)
        if len(found) > 1:
            raise Ambiguous(f"several approvals begin with {visible(key)}", [f"{one.id} {one.tool}" for one in found])
        if not found:
            hint = "See: localagent approvals list (an id, or 4 characters or more that it alone begins with)"
            raise UsageError(f"there is no approval {visible(key)}", hint=hint)
        with self._database.transaction() as connection:
            connection.execute("DELETE FROM approvals WHERE tenant = ? AND id = ?", (self._tenant, found[0].id))
        self._database.forget()
        return found[0]

    def revoke_all(self) -> int:
        """How many there were."""
        with self._database.transaction() as connection:
            count = connection.execute("DELETE FROM approvals WHERE tenant = ?", (self._tenant,)).rowcount
        self._database.forget()
        return count

    def _rows(self, condition: str, *parameters: str | int) -> list[Allowed]:
        sql = f"SELECT {_COLUMNS} FROM approvals WHERE tenant = ? AND {condition}"
        return [self._entry(row) for row in self._database.query(sql, (self._tenant, *parameters))]

    def _entry(self, row: Row) -> Allowed:
        key, agent, tool, arguments, folder, shown, created_at = row
        try:
            given = cast("JsonObject", json.loads(str(arguments)))
        except ValueError as error:
            raise self._database.damaged(f"the approval {key!r} cannot be read") from error
        return Allowed(str(key), str(agent), str(tool), given, str(folder), str(shown), cast("float", created_at))


def _digest(request: ApprovalRequest) -> str:
    return hashlib.sha256(request.exactly.encode()).hexdigest()
