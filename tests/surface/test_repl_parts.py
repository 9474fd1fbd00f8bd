"""Pastes, history and commands, without a terminal."""

import asyncio
import os
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from prompt_toolkit.history import History
from prompt_toolkit.input.vt100_parser import Vt100Parser
from prompt_toolkit.key_binding import KeyPress
from prompt_toolkit.keys import Keys

from localagent.messages import part_from_json, part_to_json, user
from localagent.repl_commands import COMMANDS, Command, Unknown, parse
from localagent.repl_history import InputHistory
from localagent.repl_paste import Pastes, fold_keys


def keys_of(data: str) -> list[KeyPress]:
    keys: list[KeyPress] = []
    Vt100Parser(keys.append).feed_and_flush(data)
    return keys


def names(keys: list[KeyPress]) -> list[str]:
    return [key.data if key.key == Keys.BracketedPaste else str(getattr(key.key, "value", key.key)) for key in keys]


@pytest.mark.parametrize(
    ("burst", "keys"),
    [
        ("a", ["a"]),
        ("hi\r", ["h", "i", "c-m"]),
        ("\r", ["c-m"]),
        ("a\nb\r", ["a", "c-j", "b", "c-m"]),
        ("a\x1b\rb\r", ["a", "escape", "c-m", "b", "c-m"]),
        ("a\rb", ["a\rb"]),
        ("a\r\nb\r\n\r\nc", ["a\r\nb\r\n\r\nc"]),
        ("a\r\n", ["a\r\n"]),
        ("a\tb\rc\r", ["a\tb\rc\r"]),
        ("x" * 100 + "\r", ["x" * 100, "c-m"]),
        ("a\rb\x1b[A", ["a\rb", "up"]),
        ("\x1b[200~a\rb\x1b[201~c\r", ["a\rb", "c", "c-m"]),
    ],
)
def test_a_burst_is_typing_or_a_paste(burst: str, keys: list[str]) -> None:
    assert names(fold_keys(keys_of(burst))) == keys


@settings(deadline=None, max_examples=200)
@given(st.text(st.sampled_from("ab你 \r\n\t"), max_size=100))
def test_folding_loses_no_key(burst: str) -> None:
    folded = fold_keys(keys_of(burst))
    assert "".join(key.data for key in folded) == burst
    assert all(key.key != Keys.ControlM for key in folded[:-1]), "only the last key can send"


def test_pastes_are_folded_above_ten_lines_or_a_thousand_characters() -> None:
    pastes = Pastes()
    assert pastes.fold("line\n" * 10) == "line\n" * 10
    assert pastes.fold("line\n" * 11) == "[pasted 11 lines #1]"
    assert pastes.fold("字" * 1000) == "字" * 1000
    assert pastes.fold("字" * 1001) == "[pasted 1,001 characters #2]"
    typed = "see [pasted 11 lines #1] and [pasted 1,001 characters #2], not [pasted 12 lines #1] [pasted 11 lines #9]"
    whole = f"see {'line' + chr(10)}"
    assert pastes.expand(typed).startswith(whole)
    assert pastes.expand(typed).endswith("not [pasted 12 lines #1] [pasted 11 lines #9]")


NOTES = "I live in Leeds.\nMy dog is Rex."
NOTICE = "各位家长：\n我校下周一开学。\n以后请家长一律走东门接送。\n谢谢配合"


@pytest.mark.parametrize(
    ("pastes", "message", "pasted"),
    [
        ([NOTES], f"Correct this: {NOTES} please", [NOTES]),
        ([NOTES], NOTES, []),  # short, and nothing beside it
        ([f"{NOTES}\n"], f"\n{NOTES}\n", []),
        ([NOTICE], NOTICE, [NOTICE]),
        (["word " * 30 + "\n" + "word " * 30], "word " * 30 + "\n" + ("word " * 30).strip(), [("word " * 60).strip()]),
        (["Leeds"], "I live in Leeds", []),  # one line
        ([NOTICE], NOTICE.replace("东门", "西门"), []),  # changed in the box
        ([NOTICE], f"{NOTICE}\n\n我儿子下周一开学\n\n{NOTICE}", [NOTICE, NOTICE]),
        ([NOTES, f"{NOTES}\nMy cat is Tom."], f"why?\n{NOTES}\nMy cat is Tom.", [f"{NOTES}\nMy cat is Tom."]),
        ([NOTICE], "I live in Leeds.\nMy dog is Rex.", []),
    ],
)
def test_what_was_pasted_is_found_in_the_message(pastes: list[str], message: str, pasted: list[str]) -> None:
    kept = Pastes()
    for paste in pastes:
        kept.note(paste)
    found = user(kept.parts(message))
    assert found.text == message
    assert ["".join(paste.split()) for paste in found.pasted] == ["".join(paste.split()) for paste in pasted]


@settings(deadline=None, max_examples=100)
@given(st.lists(st.sampled_from([NOTES, NOTICE, "a\nb", "b\na", "\n", " ", "x"]), max_size=6).map("".join))
def test_no_word_of_a_message_is_lost_to_a_paste(message: str) -> None:
    kept = Pastes()
    for paste in (NOTES, NOTICE, "a\nb", "b\na"):
        kept.note(paste)
    parts = kept.parts(message)
    assert "".join(part.text for part in parts) == message and all(part.text for part in parts)
    assert tuple(map(part_from_json, map(part_to_json, parts))) == parts


def entries(history: History) -> list[str]:
    async def load() -> list[str]:
        return [entry async for entry in history.load()]

    return asyncio.run(load())


def test_history_keeps_lines_drops_doubles_and_is_private(tmp_path: Path) -> None:
    path = tmp_path / "history"
    first = InputHistory(path, str.upper)
    for text in ("one", "a\n\n+b\n", "one", "\ud83d", "中文"):
        first.append_string(text)
    expected = ["中文", "ONE", "A\n\n+B\n"]
    assert [entry for entry in entries(InputHistory(path, str)) if "?" not in entry] == expected
    assert path.stat().st_mode & 0o777 == 0o600
    assert len(entries(first)) == 4


@pytest.mark.skipif(os.name == "nt" or os.geteuid() == 0, reason="needs a folder that cannot be written to")
def test_a_history_that_can_not_be_written_lasts_for_the_session(tmp_path: Path) -> None:
    tmp_path.chmod(0o500)
    history = InputHistory(tmp_path / "history", str)
    history.append_string("one")
    assert entries(history) == ["one"]
    tmp_path.chmod(0o700)


def test_a_damaged_history_is_read_as_far_as_possible(tmp_path: Path) -> None:
    path = tmp_path / "history"
    path.write_bytes(b"\xff\x00 rubbish\n\n+good\n\nalso rubbish\n\n+fine\n")
    assert entries(InputHistory(path, str)) == ["fine", "good"]
    path.unlink()
    path.mkdir()
    assert entries(InputHistory(path, str)) == []


def test_commands_and_messages_are_told_apart() -> None:
    for text, name, argument in (
        ("/help", "/help", ""),
        ("/NEW  a b ", "/new", "a b"),
        ("/model qwen:4b", "/model", "qwen:4b"),
    ):
        parsed = parse(text)
        assert isinstance(parsed, tuple) and (parsed[0].name, parsed[1]) == (name, argument)
    for text in ("hello", "/usr/bin/env runs", "/help\nme", "// a comment", "a /help"):
        assert parse(text) == text
    assert parse("//undo this") == "/undo this"


@pytest.mark.parametrize(
    ("text", "said"),
    [("/hlep", "Did you mean /help?"), ("/zzzz", "//zzzz"), ("/undo 3", "no argument"), ("/", "/help")],
)
def test_a_wrong_command_is_explained(text: str, said: str) -> None:
    parsed = parse(text)
    assert isinstance(parsed, Unknown) and said in parsed.message


def test_the_table_is_complete() -> None:
    expected = "help model new clear context tools prompt summary compact memory remember why undo retry exit"
    assert [command.name for command in COMMANDS] == [f"/{name}" for name in expected.split()]
    assert all(isinstance(command, Command) and command.help for command in COMMANDS)
