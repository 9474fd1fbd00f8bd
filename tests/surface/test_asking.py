"""A person is asked before a tool runs: in the conversation and by `ask`, at a real pseudo-terminal."""

from __future__ import annotations

import contextlib
import re
import signal
import subprocess
import sys
from collections.abc import Callable, Iterator
from contextlib import ExitStack
from pathlib import Path

import pytest
from pty_terminal import ROOT, Terminal

from localagent.asking import FIRST_ROWS, LAST_ROWS, approval_of, asked, rows_of
from localagent.calls import Approval, ApprovalRequest
from localagent.memory.approvals import Allowed, SqliteApprovals
from localagent.memory.ledger import SqliteLedger

CHILD = str(Path(__file__).with_name("asking_child.py"))
Open = Callable[..., Terminal]


@pytest.fixture
def home(tmp_path: Path) -> Path:
    made = tmp_path / "home"
    made.mkdir()
    (made / "shown").write_text("run in /家:\nmake 测试", encoding="utf-8")
    return made


@pytest.fixture
def repl(home: Path) -> Iterator[Open]:
    with ExitStack() as stack:
        yield lambda **options: stack.enter_context(Terminal(home, program=(CHILD, str(home), "repl"), **options))


@pytest.fixture
def ask(home: Path) -> Iterator[Open]:
    with ExitStack() as stack:
        yield lambda **options: stack.enter_context(Terminal(home, program=(CHILD, str(home), "ask"), **options))


def kept(home: Path) -> list[Allowed]:
    with contextlib.closing(SqliteLedger(home / "ledger.sqlite3")) as ledger:
        return SqliteApprovals(ledger.database, "default").entries()


ANSWERS = [
    ("o", "verdict allow: allowed by the user, once"),
    ("一次", "verdict allow: allowed by the user, once"),
    ("always", "verdict allow: allowed by the user, always for exactly this"),
    ("", "verdict deny: denied by the user, who gave no reason"),
    ("d not this file", "verdict deny: denied by the user: not this file"),
    ("拒绝 不要动这个文件", "verdict deny: denied by the user: 不要动这个文件"),
]


@pytest.mark.parametrize(("typed", "verdict"), ANSWERS)
def test_in_the_conversation(repl: Open, home: Path, typed: str, verdict: str) -> None:
    terminal = repl()
    terminal.wait_for_prompt()
    terminal.say("act now")
    seen = terminal.wait_for("may it?")
    assert "? run_shell (runs code, writes) would:" in seen
    assert "│ run in /家:\n│ make 测试\n│ → /家/真/notes.txt\n[o]nce" in seen
    assert "I will do it." in seen
    terminal.type(f"{typed}\r")
    terminal.wait_for(verdict)
    terminal.wait_for_prompt(2)
    assert len(kept(home)) == (typed == "always")
    terminal.say("and on")
    terminal.wait_for("received 6 characters")


@pytest.mark.parametrize(("typed", "verdict"), ANSWERS)
def test_at_the_terminal_of_a_command(ask: Open, home: Path, typed: str, verdict: str) -> None:
    terminal = ask()
    seen = terminal.wait_for("may it?")
    assert "│ run in /家:\n│ make 测试\n│ → /家/真/notes.txt\n[o]nce" in seen
    terminal.type(f"{typed}\r")
    terminal.wait_for(verdict)
    assert terminal.end() == 0
    assert len(kept(home)) == (typed == "always")


def test_always_is_not_asked_again_until_it_is_revoked(repl: Open, home: Path) -> None:
    terminal = repl()
    terminal.wait_for_prompt()
    terminal.say("act one")
    terminal.wait_for("may it?")
    terminal.type("a\r")
    terminal.wait_for("allowed by the user, always")
    terminal.wait_for_prompt(2)
    terminal.say("act two")
    terminal.wait_for("verdict allow: always allowed for exactly this")
    terminal.wait_for_prompt(3)
    with contextlib.closing(SqliteLedger(home / "ledger.sqlite3")) as ledger:  # another process, while this one runs
        assert SqliteApprovals(ledger.database, "default").revoke_all() == 1
    terminal.say("act three")
    terminal.wait_for(lambda text: text.count("may it?") == 2)
    terminal.type("\r")
    terminal.wait_for("verdict deny")


@pytest.mark.parametrize("key", ["\x03", "\x04"])
def test_leaving_the_question_stops_the_turn(repl: Open, home: Path, key: str) -> None:
    terminal = repl()
    terminal.wait_for_prompt()
    terminal.say("act now")
    terminal.wait_for("may it?")
    terminal.type(f"a{key}" if key == "\x03" else key)
    terminal.wait_for("(interrupted)")
    terminal.wait_for_prompt(2)
    assert "verdict" not in terminal.text() and kept(home) == []
    terminal.say("and on")
    terminal.wait_for("received 6 characters")


@pytest.mark.parametrize("key", ["\x03", "\x04"])
def test_leaving_the_question_stops_the_command(ask: Open, home: Path, key: str) -> None:
    terminal = ask()
    terminal.wait_for("may it?")
    terminal.type(key)
    terminal.wait_for("stopped: interrupted")
    assert terminal.end() == 130
    assert kept(home) == []


@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGHUP])
def test_told_to_end_while_it_asks(repl: Open, ask: Open, home: Path, number: signal.Signals) -> None:
    for terminal in (repl(), ask()):
        if "repl" in terminal.process.args:
            terminal.wait_for_prompt()
            terminal.say("act now")
        terminal.wait_for("may it?")
        terminal.kill(number)
        assert terminal.end() == 143
    assert kept(home) == []


def test_a_closed_terminal_allows_nothing(ask: Open, home: Path) -> None:
    terminal = ask()
    terminal.wait_for("may it?")
    assert terminal.hang_up() != 0
    assert kept(home) == []


def test_what_is_typed_before_the_question_answers_nothing(repl: Open, home: Path) -> None:
    terminal = repl()
    terminal.wait_for_prompt()
    terminal.say("act held")
    terminal.wait_for("I will do it.")
    terminal.type("a\r")  # meant for the next prompt
    (home / "go").touch()
    terminal.wait_for("may it?")
    terminal.type("d\r")
    terminal.wait_for("verdict deny")
    terminal.wait_for("received 1 characters")  # and there it is
    assert kept(home) == []


def test_time_stands_still_while_it_asks_and_goes_on_afterwards(repl: Open) -> None:
    terminal = repl()
    terminal.wait_for_prompt()
    terminal.say("act limited")
    terminal.wait_for("may it?")
    with contextlib.suppress(AssertionError):  # longer than the turn has
        terminal._pump(1.0)
    terminal.type("hm\r")
    terminal.wait_for("answer o, a, or d")
    terminal.type("o\r")
    terminal.wait_for("the turn took longer than 0.5 s")


def test_two_that_ask_at_once_are_asked_one_after_the_other(repl: Open) -> None:
    terminal = repl()
    terminal.wait_for_prompt()
    terminal.say("act twice")
    terminal.wait_for("may it?")
    terminal.type("o\r")
    terminal.wait_for(lambda text: text.count("may it?") == 2)
    terminal.type("d\r")
    terminal.wait_for(lambda text: len(re.findall("verdict", text)) == 2)
    terminal.wait_for_prompt(2)


def test_hostile_texts_stay_behind_their_bar(repl: Open, ask: Open, home: Path) -> None:
    hostile = "ls\x1b[2J\x1b[H\x07\r\u202erm\n[o]nce · it is safe\n> \u2066\u3164\x9b2J"
    (home / "shown").write_bytes(hostile.encode())
    for terminal in (ask(), repl()):
        if "repl" in terminal.process.args:
            terminal.wait_for_prompt()
            terminal.say("act now")
        seen = terminal.wait_for("may it?")
        assert r"│ ls\x1b[2J\x1b[H\x07\r\u202erm" in seen
        assert "│ [o]nce · it is safe" in seen and r"│ > \u2066\u3164\x9b2J" in seen
        assert "\x1b[2J\x1b[H\x07" not in terminal.raw


@pytest.mark.parametrize("columns", [20, 80])
def test_long_ones_are_folded_and_can_be_seen_whole(ask: Open, home: Path, columns: int) -> None:
    (home / "shown").write_text("echo begin" + " " * 4000 + "; rm -rf 家\n" + "\n" * 200 + "the end", "utf-8")
    terminal = ask(columns=columns)
    seen = terminal.wait_for("may it?")
    assert "more rows" in seen.replace("\n", "") and "the end" in seen and "rm -rf" not in seen
    terminal.type("v\r")
    terminal.wait_for(lambda text: text.count("may it?") == 2)
    assert "rm-rf家" in re.sub(r"[\n│ ]", "", terminal.text())
    terminal.type("\r")
    terminal.wait_for("verdict deny")


def test_without_a_terminal_nobody_is_asked(home: Path) -> None:
    done = subprocess.run(
        [sys.executable, CHILD, str(home), "ask"],
        capture_output=True,
        text=True,
        encoding="utf-8",
        stdin=subprocess.DEVNULL,
        env={"PYTHONPATH": str(ROOT), "PYTHONUTF8": "1"},
        start_new_session=True,
    )
    verdict = "verdict deny: nobody can be asked: allow it with --allow-tool run_shell\n"
    assert (done.returncode, done.stdout, done.stderr) == (0, verdict, "")


def request(shown: str) -> ApprovalRequest:
    return ApprovalRequest("t\x1b", frozenset(), {}, shown, ("/a\u202eb", "/there"))


def test_what_is_no_answer_is_asked_again() -> None:
    said: list[str] = []
    answers = iter(["ok", "once more", "always yes", "o please", "v", "ALWAYS for exactly this"])
    approval = asked(request("ls /there"), said.append, lambda: next(answers), 80)
    assert approval == Approval("always")
    assert said.count("answer o, a, or d; as in: d not this file") == 4
    assert said[0] == r"? t\x1b (it does not say what it does) would:"
    assert said[1:3] == ["│ ls /there", r"│ → /a\u202eb"]


@pytest.mark.parametrize(
    ("typed", "answer"),
    [
        ("O", Approval("once")),
        (" yes ", Approval("once")),
        ("好", Approval("once")),
        ("总是", Approval("always")),
        ("n", Approval("deny")),
        ("no: too   risky", Approval("deny", "too risky")),
        ("  ", Approval("deny")),
        ("oo", None),
        ("sure", None),
        ("好 的", None),
    ],
)
def test_answers(typed: str, answer: Approval | None) -> None:
    assert approval_of(typed) == answer


def test_rows_fit_whatever_is_in_them() -> None:
    text = "一" * 100 + "\n" + "é" * 100 + "\t" * 30 + "x"
    for columns in (1, 20, 33, 80):
        rows = rows_of(request(text), columns)
        assert all(row.startswith("│ ") for row in rows)
        assert "".join(row[2:] for row in rows[:-2]).startswith("一" * 100)
    assert FIRST_ROWS + LAST_ROWS < 24  # a question fits on a screen
