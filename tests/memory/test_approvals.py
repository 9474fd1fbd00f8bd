"""What was always allowed: for exactly this, listed, revoked, and the same for every process."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from localagent.calls import ApprovalRequest
from localagent.errors import Ambiguous, UsageError
from localagent.memory.approvals import SqliteApprovals
from localagent.memory.ledger import SqliteLedger

REQUEST = ApprovalRequest(
    "run_shell", frozenset({"runs code"}), {"command": "make 测试"}, "make 测试", ("/家/a",), folder="/家", version="1"
)


@pytest.fixture
def ledger(tmp_path: Path) -> Iterator[SqliteLedger]:
    made = SqliteLedger(tmp_path / "ledger.db")
    yield made
    made.close()


@pytest.fixture
def approvals(ledger: SqliteLedger) -> SqliteApprovals:
    return SqliteApprovals(ledger.database, "default", now=lambda: 5.5)


def test_what_was_allowed_is_allowed_and_listed(approvals: SqliteApprovals) -> None:
    assert not approvals.allowed("助手", REQUEST) and approvals.entries() == []
    approvals.allow("助手", REQUEST)
    approvals.allow("助手", REQUEST)
    assert approvals.allowed("助手", REQUEST)
    (entry,) = approvals.entries()
    assert (entry.agent, entry.tool, entry.arguments) == ("助手", "run_shell", {"command": "make 测试"})
    assert (entry.folder, entry.shown, entry.created_at) == ("/家", "make 测试", 5.5)


@pytest.mark.parametrize(
    "other",
    [
        replace(REQUEST, tool="other"),
        replace(REQUEST, arguments={"command": "make 测试", "timeout_s": 5}),
        replace(REQUEST, arguments={"command": "make 测试 "}),
        replace(REQUEST, folder="/"),
        replace(REQUEST, paths=("/家/b",)),
        replace(REQUEST, version="2"),
    ],
)
def test_nothing_else_is(approvals: SqliteApprovals, other: ApprovalRequest) -> None:
    approvals.allow("a", REQUEST)
    assert not approvals.allowed("a", other)
    assert not approvals.allowed("b", REQUEST)


def test_tenants_do_not_know_of_one_another(ledger: SqliteLedger, approvals: SqliteApprovals) -> None:
    other = SqliteApprovals(ledger.database, "another")
    approvals.allow("a", REQUEST)
    assert not other.allowed("a", REQUEST) and other.entries() == [] and other.revoke_all() == 0
    with pytest.raises(UsageError):
        other.revoke(approvals.entries()[0].id)
    assert approvals.allowed("a", REQUEST)


def test_revoking(ledger: SqliteLedger, approvals: SqliteApprovals) -> None:
    for number in range(3):
        approvals.allow("a", replace(REQUEST, arguments={"command": str(number)}))
    newest, *others = approvals.entries()
    assert newest.arguments == {"command": "2"}
    assert approvals.revoke(newest.id) == newest
    with pytest.raises(UsageError, match="no approval"):
        approvals.revoke(newest.id)
    with pytest.raises(UsageError):
        approvals.revoke(others[0].id[:3])  # too short to mean anything
    with pytest.raises(UsageError):
        approvals.revoke("%" * 16)
    assert [one.id for one in approvals.entries()] == [one.id for one in others]
    assert approvals.revoke_all() == 2 and approvals.entries() == []


def test_a_beginning_that_several_have_names_them(ledger: SqliteLedger, approvals: SqliteApprovals) -> None:
    approvals.allow("a", REQUEST)
    approvals.allow("b", REQUEST)
    with ledger.database.transaction() as connection:
        connection.execute("UPDATE approvals SET id = 'aaaa' || agent")
    with pytest.raises(Ambiguous, match="aaaaa run_shell"):
        approvals.revoke("aaaa")
    assert approvals.revoke("aaaab").agent == "b"


@given(
    arguments=st.dictionaries(st.text(), st.recursive(st.none() | st.booleans() | st.floats() | st.text(), st.lists))
)
@settings(deadline=None, max_examples=60, suppress_health_check=[HealthCheck.function_scoped_fixture])
def test_any_arguments(approvals: SqliteApprovals, arguments: dict[str, object]) -> None:
    request = replace(REQUEST, arguments=arguments, folder="/\udcff", shown="\ud800\x1b")  # type: ignore[arg-type]
    approvals.allow("a", request)
    assert approvals.allowed("a", request)
    assert approvals.entries()[0].shown in (r"\ud800\x1b", "make 测试")
    approvals.revoke_all()
    assert not approvals.allowed("a", request)


CHILD = """
import sys
from pathlib import Path
from localagent.calls import ApprovalRequest
from localagent.memory.approvals import SqliteApprovals
from localagent.memory.ledger import SqliteLedger
ledger = SqliteLedger(Path(sys.argv[1]))
approvals = SqliteApprovals(ledger.database, "default")
if sys.argv[2] == "revoke":
    print(approvals.revoke_all())
else:
    effects = frozenset({"runs code"})
    given = {"command": "make 测试"}
    request = ApprovalRequest("run_shell", effects, given, "make", ("/家/a",), folder="/家", version="1")
    approvals.allow("a", request)
ledger.close()
"""


def test_another_process_allows_and_revokes_at_once(tmp_path: Path, approvals: SqliteApprovals) -> None:
    def child(what: str) -> str:
        done = subprocess.run(
            [sys.executable, "-X", "utf8", "-c", CHILD, str(tmp_path / "ledger.db"), what],
            capture_output=True,
            text=True,
            check=True,
            cwd=Path(__file__).parents[2],
        )
        return done.stdout.strip()

    approvals.allow("a", REQUEST)
    assert child("revoke") == "1"
    assert not approvals.allowed("a", REQUEST)
    child("allow")
    assert approvals.allowed("a", REQUEST)
    child("allow")
    assert len(approvals.entries()) == 1
