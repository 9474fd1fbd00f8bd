"""`localagent approvals`: what is always allowed is listed and revoked."""

from __future__ import annotations

import contextlib

import pytest
from program import Program

from localagent.calls import ApprovalRequest
from localagent.memory.approvals import SqliteApprovals
from localagent.memory.ledger import SqliteLedger


def allow(program: Program, *commands: str) -> None:
    program.home.mkdir(exist_ok=True)
    with contextlib.closing(SqliteLedger(program.home / "ledger.sqlite3")) as ledger:
        for command in commands:
            request = ApprovalRequest("run_shell", frozenset(), {"command": command}, command, folder="/家")
            SqliteApprovals(ledger.database, "default").allow("助手", request)


def test_a_group_alone_says_what_it_can(program: Program) -> None:
    done = program("approvals")
    assert done.code == 0 and "revoke" in done.out and "list" in done.out
    done = program("approvals", "list")
    assert (done.code, done.out, done.err) == (0, "", "nothing is always allowed\n")


def test_listed_and_revoked(program: Program) -> None:
    allow(program, "make 测试", "rm \x1b[2Ka\u202eb")
    newest, other = program("approvals", "list", "--json").json()
    assert newest["shown"] == r"rm \x1b[2Ka\u202eb" and newest["arguments"] == {"command": "rm \x1b[2Ka\u202eb"}
    table = program("approvals", "list").out
    assert "\x1b" not in table and "\u202e" not in table
    assert all(word in table for word in ("助手", "run_shell", "/家", "make 测试", r"\u202e"))
    done = program("approvals", "revoke", other["id"])
    assert (done.code, done.err) == (0, f"revoked {other['id']}: make 测试\n")
    assert [one["id"] for one in program("approvals", "list", "--json").json()] == [newest["id"]]
    allow(program, "ls")
    done = program("approvals", "revoke", "--all")
    assert (done.code, done.err) == (0, "revoked 2 approvals\n")
    assert program("approvals", "list", "--json").json() == []


@pytest.mark.parametrize("arguments", [["--all", "abcd"], [], ["abcdefgh"]])
def test_what_cannot_be_revoked(program: Program, arguments: list[str]) -> None:
    done = program("approvals", "revoke", *arguments)
    assert done.code == 2 and "localagent approvals list" in done.err and done.out == ""
