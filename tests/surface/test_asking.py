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

import pyte
import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st
from pty_terminal import ROOT, Terminal

from localagent.asking import approval_of, asked, folded_rows, rows_of
from localagent.calls import Approval, ApprovalRequest, exact
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
    assert "│ run in /家:\n│ make 测试\n→ /家/真/notes.txt\n[o]nce" in seen
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
    assert "│ run in /家:\n│ make 测试\n→ /家/真/notes.txt\n[o]nce" in seen
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
    hostile = "ls\x1b[2J\x1b[H\x07\x0d\u202erm\n[o]nce · it is safe\n> \u2066\u3164\x9b2J"
    (home / "shown").write_bytes(hostile.encode())
    for terminal in (ask(), repl()):
        if "repl" in terminal.process.args:
            terminal.wait_for_prompt()
            terminal.say("act now")
        seen = terminal.wait_for("may it?")
        assert r"│ ls\x1b[2J\x1b[H\x07\x0d\u202erm" in seen
        assert "│ [o]nce · it is safe" in seen and r"│ > \u2066\u3164\x9b2J" in seen
        assert "\x1b[2J\x1b[H\x07" not in terminal.raw


@pytest.mark.parametrize("typed", ["v", "o", "always"])
@pytest.mark.parametrize("columns", [20, 80])
def test_long_ones_are_folded_and_seen_whole_before_they_are_allowed(
    ask: Open, home: Path, columns: int, typed: str
) -> None:
    (home / "shown").write_text("echo begin" + " " * 4000 + "; rm -rf 家\n" + "\n" * 200 + "the end", "utf-8")
    terminal = ask(columns=columns)
    seen = terminal.wait_for("may it?")
    assert "more rows" in seen.replace("\n", "") and "the end" in seen and "rm -rf" not in seen
    terminal.type(f"{typed}\r")
    terminal.wait_for(lambda text: text.count("may it?") == 2)
    assert "rm-rf家" in re.sub(r"[\n│↪␠ ]", "", terminal.text())
    assert ("youhavenotseenallofit" in re.sub(r"\s", "", terminal.text())) == (typed != "v")
    assert kept(home) == []
    terminal.type("o\r")
    terminal.wait_for("verdict allow")


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
    approval = asked(request("ls /there"), said.append, lambda question: next(answers), 80, 24)
    assert approval == Approval("always")
    assert said.count("answer o, a, or d; as in: d not this file") == 4
    assert said[0] == r"? t\x1b (it does not say what it does) would:"
    assert said[1:3] == ["│ ls /there", r"→ /a\u202eb"]


def test_a_person_who_writes_chinese_is_asked_in_chinese_about_exactly_the_same() -> None:
    said: list[str] = []
    answers = iter(["什么", "总是允许", "查看全部", "总是允许完全相同的"])
    shown = "\n".join(["看 https://例子.中国/", *map(str, range(30))])
    asking = ApprovalRequest("run_shell", frozenset({"runs code", "network"}), {}, shown, agent="审阅")

    def read(question: str) -> str:
        said.append(question)
        return next(answers)

    assert asked(asking, said.append, read, 80, 24, "zh") == Approval("always")
    assert said[0] == "? 智能体 审阅：run_shell（使用网络、运行代码）将要："
    rows = [line for line in said if line[:2] in ("│ ", "↪ ", "→ ")]
    assert "→ 例子.中国 实际是 xn--fsqu00a.xn--fiqs8s" in rows
    assert [row for row in rows if row[0] != "→"][-31:] == [row for row in rows_of(asking, 80) if row[0] != "→"]
    beside = " ".join(line for line in said if line not in rows)
    assert not re.search("[A-Za-z]{2}", re.sub("run_shell|Enter", "", beside)), beside


@pytest.mark.parametrize(
    ("typed", "answer"),
    [
        ("O", Approval("once")),
        (" yes ", Approval("once")),
        ("好", Approval("once")),
        ("允许", Approval("once")),
        ("总是允许", Approval("always")),
        ("不允许", Approval("deny")),
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
        assert all(row[:2] in ("│ ", "↪ ", "→ ") for row in rows)
        assert "".join(row[2:] for row in rows[:-2]).startswith("一" * 100)


SCREENS = [(80, 24), (80, 12), (40, 24), (20, 24), (200, 50)]


@pytest.mark.parametrize(("columns", "lines"), SCREENS)
def test_a_question_fits_on_the_screen_with_its_head(columns: int, lines: int) -> None:
    said: list[str] = []
    shown = "\n".join(f"第 {number} 行 of many" for number in range(300))
    request = ApprovalRequest("run_shell", frozenset({"writes"}), {}, shown, agent="审阅")

    def read(question: str) -> str:
        said.append(question)
        return "d"

    asked(request, said.append, read, columns, lines)
    screen = pyte.Screen(columns, lines)
    pyte.Stream(screen).feed("older words\r\n" * lines + "\r\n".join(said))
    text = "\n".join(line.rstrip() for line in screen.display)
    assert "? the agent 审阅" in text.replace("审 阅 ", "审阅") and "more rows" in text.replace("\n", "")
    assert "run_shell: may it? (Enter denies)" in text.replace("\n", "")
    assert len(folded_rows(rows_of(request, columns), lines)) <= lines


PIECES = [
    *("a", "~", " ", "  ", "\n", "\t", "⇥   ", "␠", "\\", "\\x1b", "\x1b", "\\u200b", "\u200b", "\r", "\\x0d", "中"),
    *("│ ", "↪ ", "→ ", "\u3000", "x1b", "# more", "\ud800", "\\ud800"),
]
TEXTS = st.lists(st.sampled_from(PIECES), max_size=30).map("".join)


@settings(deadline=None, max_examples=300)
@given(TEXTS, TEXTS, st.sampled_from([9, 10, 13, 20]))
@example(
    "make test  # to the end" + " " * 10 + "\ntouch OWNED", "make test  # to the end" + " " * 10 + "touch OWNED", 20
)
@example("a" * 9 + " 中", "a" * 9 + "中", 13)
@example("a\n→ /b", "a", 20)
def test_two_texts_never_give_the_same_screen(one: str, other: str, columns: int) -> None:
    rows = [
        [row.rstrip(" ") for row in rows_of(ApprovalRequest("t", frozenset(), {}, exact(text)), columns)]
        for text in (one, other)
    ]
    assert (rows[0] == rows[1]) == (one == other)
    assert all(row[0] in "│↪" and "\n" not in row for row in rows[0])


def test_where_something_leads_cannot_be_feigned() -> None:
    request = ApprovalRequest("t\nx", frozenset(), {}, "ls\n→ /safe", ("/a\n│ b", "/safe"), agent="a\nb")
    assert rows_of(request, 80) == ["│ ls", "│ → /safe", r"→ /a\x0a│ b"]
    said: list[str] = []
    asked(request, said.append, lambda question: said.append(question) or "", 80, 24)
    assert said[0].startswith(r"? the agent a\x0ab: t\x0ax (") and not any("\n" in line for line in said)


@pytest.mark.parametrize(
    ("shown", "told"),
    [
        ("fetch http://exаmple.com/?q=1", "→ exаmple.com is xn--exmple-4nf.com"),
        ("curl 'https://me@例子.测试:8443/x'", "→ 例子.测试 is xn--fsqu00a.xn--0zwm56d"),
        ("fetch http://example.com/路径", None),
        ("echo 例子", None),
    ],
)
def test_names_in_other_letters_are_told_as_they_are_asked_for(shown: str, told: str | None) -> None:
    rows = rows_of(ApprovalRequest("fetch_url", frozenset(), {}, shown), 80)
    assert rows[1:] == ([told] if told else [])
