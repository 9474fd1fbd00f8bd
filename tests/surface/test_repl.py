"""A person talks to the REPL at a real pseudo-terminal."""

import re
import signal
from collections.abc import Callable, Iterator
from contextlib import ExitStack
from pathlib import Path

import pytest
from pty_terminal import Terminal

from localagent.memory.base import StoredMessage
from localagent.memory.ledger import SqliteLedger

Open = Callable[..., Terminal]


@pytest.fixture
def open_terminal(tmp_path: Path) -> Iterator[Open]:
    with ExitStack() as stack:
        yield lambda **options: stack.enter_context(Terminal(tmp_path / "home", **options))


@pytest.fixture
def at_prompt(open_terminal: Open) -> Open:
    """Opens one and waits until a person can type."""

    def opened(**options: object) -> Terminal:
        terminal = open_terminal(**options)
        terminal.wait_for_prompt()
        return terminal

    return opened


def stored(terminal: Terminal) -> list[StoredMessage]:
    ledger = SqliteLedger(terminal.home / "ledger.sqlite3")
    try:
        return [message for thread in reversed(ledger.threads()) for message in ledger.messages(thread.id)]
    finally:
        ledger.close()


def test_a_message_is_answered(at_prompt: Open) -> None:
    terminal = at_prompt()
    terminal.say("你好 world", 'received 8 characters in 1 lines: "\\u4f60\\u597d world"')
    terminal.wait_for(re.compile(r"\d+/8,192 tokens? · tiny"))
    terminal.type("\x04")
    assert terminal.end() == 0
    assert stored(terminal)[0].message.text == "你好 world"
    assert "\x1b[6n" not in terminal.raw


def test_the_prompt_is_there_before_the_model(open_terminal: Open, tmp_path: Path) -> None:
    (tmp_path / "home").mkdir()
    (tmp_path / "home" / "gated").touch()
    terminal = open_terminal()
    terminal.wait_for("loading")
    terminal.say("early bird", re.compile(r"^loading \d+ s", re.MULTILINE))
    terminal.type("\x03")
    terminal.wait_for("(interrupted)")
    terminal.wait_for(lambda text: text.count("> early bird") == 2)
    (tmp_path / "home" / "gate").touch()
    terminal.type("\r")
    terminal.wait_for("received 10 characters")


@pytest.mark.parametrize("key", ["\x03", "\x1b"])
def test_an_answer_is_stopped_and_kept(at_prompt: Open, key: str) -> None:
    terminal = at_prompt()
    terminal.say("count please", "word15 ")
    terminal.type(key)
    terminal.wait_for("(interrupted)")
    terminal.wait_for_prompt(2)
    answer = stored(terminal)[1]
    assert answer.status == "interrupted" and answer.message.text.startswith("word0 word1 ")
    shown = terminal.text()
    last = answer.message.text.split()[-1]
    assert shown.split().count(last) == 1, "what had arrived is shown to its end"
    terminal.say("and on", "received 6 characters")


def test_stopping_before_the_first_token(at_prompt: Open) -> None:
    terminal = at_prompt()
    terminal.say("hang please", "waiting for the model")
    terminal.type("\x03")
    terminal.wait_for("(interrupted)")
    terminal.say("again", "received 5 characters")


def test_interrupting_the_box_clears_then_leaves(at_prompt: Open) -> None:
    terminal = at_prompt()
    terminal.type("some text")
    terminal.wait_for("some text")
    terminal.type("\x03")
    terminal.wait_for(lambda text: "some text" not in text)
    terminal.type("\x03")
    terminal.wait_for("press Ctrl-C again to leave")
    terminal.type("\x03")
    assert terminal.end() == 0


def test_ctrl_d_deletes_in_a_text_and_leaves_on_an_empty_line(at_prompt: Open) -> None:
    terminal = at_prompt()
    terminal.type("ab\x1b[D\x04")
    terminal.wait_for(re.compile(r"^> a$", re.MULTILINE))
    terminal.type("\x7f\x04")
    assert terminal.end() == 0


def test_what_is_typed_meanwhile_is_the_next_message(at_prompt: Open) -> None:
    terminal = at_prompt()
    terminal.say("count please", "word5")
    terminal.type("typed 早")
    terminal.type("\x03")
    terminal.wait_for("> typed 早")
    terminal.type("\r")
    terminal.wait_for("received 7 characters")


def test_a_new_line_without_sending(at_prompt: Open) -> None:
    terminal = at_prompt()
    for count, keys in enumerate(("a\nb\r", "a\x1b\rb\r"), 1):
        for key in re.findall("\x1b\r|.", keys, re.DOTALL):
            terminal.type(key)
        terminal.wait_for(lambda text, count=count: text.count('received 3 characters in 2 lines: "a\\nb"') == count)
        terminal.wait_for_prompt(count + 1)


@pytest.mark.parametrize("bracketed", [True, False])
def test_a_paste_is_one_message_and_not_sent(at_prompt: Open, bracketed: bool) -> None:
    terminal = at_prompt()
    paste = "a\r\nb\r\n\r\nc"
    terminal.type(f"\x1b[200~{paste}\x1b[201~" if bracketed else paste)
    terminal.wait_for(re.compile(r"^> a\n  b\n\n  c$", re.MULTILINE))
    terminal.type(" end\r")
    terminal.wait_for('received 10 characters in 4 lines: "a\\nb\\n\\nc end"')
    assert len(stored(terminal)) == 2


@pytest.mark.parametrize("bracketed", [True, False])
def test_a_long_paste_is_folded_and_sent_whole(at_prompt: Open, bracketed: bool) -> None:
    terminal = at_prompt()
    paste = "\r".join(f"line {n} 行" for n in range(10_000))
    terminal.type("see ")
    terminal.wait_for("> see")
    terminal.type(f"\x1b[200~{paste}\x1b[201~" if bracketed else paste)
    terminal.wait_for("see [pasted 10,000 lines #1]")
    terminal.type(" there?\r")
    terminal.wait_for("fit")  # too long for the window: refused, and back in the box
    terminal.wait_for(lambda text: text.count("see [pasted 10,000 lines #1] there?") == 2)


def test_a_folded_paste_is_one_character_to_the_editor(at_prompt: Open) -> None:
    terminal = at_prompt()
    paste = "\n".join(f"row {n}" for n in range(20))
    terminal.type(f"\x1b[200~{paste}\x1b[201~\x1b[200~{paste}\x1b[201~")
    terminal.wait_for("[pasted 20 lines #1][pasted 20 lines #2]")
    terminal.type("\x1b[D<\x1b[C>")
    terminal.wait_for("#1]<[pasted 20 lines #2]>")
    terminal.type("\x7f\x7f")
    terminal.wait_for(re.compile(r"#1\]<$", re.MULTILINE))
    terminal.type("\r")
    terminal.wait_for(f"received {len(paste) + 1} characters in 20 lines")


def test_backspace_removes_one_visible_character(at_prompt: Open) -> None:
    terminal = at_prompt()
    characters = ["👩‍👩‍👧", "e\u0301", "你", "🇨🇳", "👍🏽"]
    for count, character in enumerate(characters, 1):
        terminal.type(f"x{character}\x7fy{character}\x1b[D\x1b[Dz\r")
        terminal.wait_for(lambda text, count=count: text.count("received ") == count)
        terminal.wait_for_prompt(count + 1)
    said = [message.message.text for message in stored(terminal) if message.message.role == "user"]
    assert said == [f"xzy{character}" for character in characters]


def test_history_outlives_the_session_and_keeps_lines(at_prompt: Open) -> None:
    first = at_prompt()
    first.type("one\n\ntwo")
    first.type("\r")
    first.wait_for("received 8 characters")
    first.say("three", "received 5 characters")
    first.say("three")
    first.wait_for_prompt(4)
    first.type("\x04")
    assert first.end() == 0
    assert (first.home / "history").stat().st_mode & 0o777 == 0o600
    second = at_prompt()
    second.type("\x1b[A")
    second.wait_for("> three")
    second.type("\x1b[A")
    second.wait_for(re.compile(r"^> one\n\n  two$", re.MULTILINE))


def test_commands_are_completed_suggested_and_listed(at_prompt: Open) -> None:
    terminal = at_prompt(rows=40)
    terminal.type("/he\t")
    terminal.wait_for("> /help")
    terminal.type("\r")
    terminal.wait_for("/retry")
    terminal.say("/halp", "Did you mean /help?")
    terminal.type("\x03")
    terminal.wait_for_prompt(3)
    terminal.say("/etc/hosts is a path", "received 20 characters")
    terminal.say("//undo this", "received 10 characters")


def test_commands_do_what_they_say(at_prompt: Open) -> None:
    terminal = at_prompt(rows=60)
    terminal.say("/undo", "nothing to take back")
    terminal.say("/retry", "nothing to retry")
    terminal.say("hello", "received 5 characters")
    terminal.say("/context", "recent")
    terminal.say("/retry", lambda text: text.count("received 5 characters") == 2)
    terminal.say("/undo", re.compile(r"taken back.*\n> hello$", re.MULTILINE))
    terminal.type("\x03")  # clears the box
    terminal.wait_for(lambda text: not re.search(r"^> hello$", text.rpartition("taken back")[2], re.MULTILINE))
    terminal.say("/prompt", "sha256")
    terminal.say("/model other", "model: other")
    terminal.say("/model missing", "error: model missing is not installed. Try: ollama pull missing")
    terminal.say("/new errands", "new thread errands")
    terminal.say("/exit")
    assert terminal.end() == 0


def test_a_failure_is_one_line_and_the_conversation_goes_on(at_prompt: Open) -> None:
    terminal = at_prompt()
    terminal.say("fail now", "error: the model is tired")
    terminal.say("hostile")
    assert "safe  text" in terminal.wait_for("text")
    assert "evil" not in terminal.text()


def test_a_long_answer_on_a_short_screen_stands_there_once(at_prompt: Open) -> None:
    terminal = at_prompt(rows=12, columns=50)
    terminal.say("markdown please", "end7")
    terminal.resize(12, 70)
    terminal.wait_for("the end")
    terminal.wait_for_prompt(2)
    words = terminal.text().split()
    for n in range(30):
        assert words.count(f"start{n}") == words.count(f"end{n}") == 1
        assert words.count(f"word{n}") == 20
    assert words.count("cell1") == words.count("cell2") == 1
    assert words.count("let") == 1 and "reading" not in words


def test_termination_keeps_the_answer_and_restores_the_terminal(at_prompt: Open) -> None:
    terminal = at_prompt()
    terminal.say("count please", "word15 ")
    terminal.kill(signal.SIGTERM)
    assert terminal.end() == 143
    assert stored(terminal)[1].status == "interrupted"
    assert terminal.raw.rfind("\x1b[?2004l") > terminal.raw.rfind("\x1b[?2004h")


@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGHUP])
def test_termination_at_the_prompt(at_prompt: Open, number: signal.Signals) -> None:
    terminal = at_prompt()
    terminal.type("draft")
    terminal.wait_for("draft")
    terminal.kill(number)
    assert terminal.end() == 143


def test_an_interrupt_signal_stops_the_answer_only(at_prompt: Open) -> None:
    terminal = at_prompt()
    terminal.say("count please", "word15 ")
    terminal.kill(signal.SIGINT)
    terminal.wait_for("(interrupted)")
    terminal.say("still here", "received 10 characters")


@pytest.mark.parametrize(
    "options",
    [
        {"TERM": "dumb"},
        {"NO_COLOR": "1"},
        {"LC_ALL": "C", "PYTHONUTF8": "0", "PYTHONCOERCECLOCALE": "0"},
        {"rows": 24, "columns": 20},
    ],
    ids=["dumb", "no-colour", "c-locale", "narrow"],
)
def test_poor_terminals(open_terminal: Open, options: dict[str, str]) -> None:
    terminal = open_terminal(**options)
    terminal.wait_for(">")
    terminal.type("你好")
    terminal.type("\r")
    terminal.wait_for(lambda text: "\\u4f60" in re.sub(r"\s", "", text))
    terminal.type("\x04")
    assert terminal.end() == 0
    assert stored(terminal)[0].message.text == "你好"


@pytest.mark.parametrize("generating", [True, False])
def test_a_terminal_that_is_closed_ends_the_program(at_prompt: Open, generating: bool) -> None:
    terminal = at_prompt()
    if generating:
        terminal.say("count please", "word15 ")
    assert terminal.hang_up() == 143
    assert [message.status for message in stored(terminal)] == (["complete", "interrupted"] if generating else [])


def test_an_external_editor_gets_the_whole_text_and_gives_it_back(at_prompt: Open, tmp_path: Path) -> None:
    editor = tmp_path / "editor"
    editor.write_text('#!/bin/sh\necho "edited line" >> "$1"\n')
    editor.chmod(0o700)
    terminal = at_prompt(EDITOR=str(editor), VISUAL=str(editor))
    paste = "\n".join(f"row {n}" for n in range(11)) + "\n"
    terminal.type(f"\x1b[200~{paste}\x1b[201~")
    terminal.wait_for("[pasted 11 lines #1]")
    terminal.type("\x18\x05")
    terminal.wait_for(re.compile(r"^  edited line", re.MULTILINE))
    terminal.type("\r")
    terminal.wait_for(f"received {len(paste) + 11} characters in 12 lines")


def test_a_missing_model_is_offered(open_terminal: Open, tmp_path: Path) -> None:
    (tmp_path / "home").mkdir()
    (tmp_path / "home" / "missing").touch()
    terminal = open_terminal()
    terminal.wait_for("no model: send a message to see why")
    terminal.say("hello", "Fetch it? [y/N]")
    terminal.type("n\r")
    terminal.wait_for("error: the model is not here")
    terminal.wait_for(lambda text: text.count("> hello") == 2)
    terminal.type("\r")
    terminal.wait_for(lambda text: text.count("Fetch it? [y/N]") == 2)
    terminal.type("y\r")
    terminal.wait_for("received 5 characters")


def test_a_resize_while_typing(at_prompt: Open) -> None:
    terminal = at_prompt(rows=12, columns=40)
    terminal.type("some words 中文 " * 4)
    terminal.wait_for("tokens")
    terminal.resize(12, 60)
    terminal.type("end")
    terminal.wait_for("end")
    terminal.type("\r")
    terminal.wait_for("received 59 characters")
