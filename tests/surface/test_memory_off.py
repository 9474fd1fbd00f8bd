"""What is said while memory is off is in its thread, and nowhere else, whatever happens to the program."""

from __future__ import annotations

import contextlib
import os
import sqlite3
import subprocess
import sys
from pathlib import Path

import pytest
from memory_program import Here
from program import TALKING, Program, scripted

OFF = ("--set", "memory.enabled=false")
ANSWERS = "{loop: true, steps: ['Hello, 你好。']}"


def earlier(home: Path) -> None:
    """As if all that was said had been said an hour ago: nobody's turn is running any more."""
    with contextlib.closing(sqlite3.connect(home / "ledger.sqlite3")) as connection:
        connection.execute("UPDATE messages SET created_at = created_at - 3600")
        connection.commit()


def everything(program: Program) -> str:
    """All that memory has: entries, and what a search among messages finds."""
    program("memory", "reindex")
    return program("memory", "export").out + program("threads", "search", "Graz 杭州", "--min-score", "0").out


@pytest.mark.parametrize(("said", "place"), [("I live in Graz.", "Graz"), ("我住在杭州。", "杭州")])
def test_it_is_never_read_nor_recalled(tmp_path: Path, said: str, place: str) -> None:
    program = Here(tmp_path / "home", tmp_path, scripted(tmp_path, ANSWERS))
    assert program("ask", said, "-t", "off", *OFF, *TALKING).code == 0
    earlier(tmp_path / "home")
    # Another process goes on with the thread, with memory; others begin.
    program("ask", "What time is it?", "-t", "off", *TALKING)
    program("ask", "Where do I live? 我住在哪里？", "-t", "other", *TALKING)
    assert place not in everything(program)
    assert place not in program("prompts", "show", "-t", "other").out.replace("我住在哪里", "")
    assert place in program("threads", "show", "off").out


@pytest.mark.skipif(sys.platform == "win32", reason="signals of POSIX")
@pytest.mark.parametrize(("said", "place"), [("I live in Graz.", "Graz"), ("我住在杭州。", "杭州")])
def test_nor_where_the_program_was_killed_in_its_answer(tmp_path: Path, said: str, place: str) -> None:
    hanging = Program(tmp_path / "home", tmp_path, scripted(tmp_path, "steps: [{text: ['one ', 'two'], hangs: true}]"))
    process = hanging.start("ask", said, "-t", "k", *OFF, *TALKING, stdin=subprocess.DEVNULL)
    assert process.stdout is not None
    seen = b""
    while b"two" not in seen:
        more = os.read(process.stdout.fileno(), 100)
        assert more, f"it ended after {seen!r}"
        seen += more
    process.kill()
    process.communicate()
    program = Here(tmp_path / "home", tmp_path, scripted(tmp_path, ANSWERS))
    program("ask", "What time is it?", "-t", "k", *TALKING)
    earlier(tmp_path / "home")
    program("ask", "And now? 现在呢？", *TALKING)
    assert place not in everything(program)


def test_an_old_wish_is_not_read_late(tmp_path: Path) -> None:
    """Off, on, and a newer wish: the newer one stands."""
    program = Here(tmp_path / "home", tmp_path, scripted(tmp_path, ANSWERS))
    program("ask", "请用中文回答：你好", *OFF, *TALKING)
    earlier(tmp_path / "home")
    program("ask", "Please answer in English.", *TALKING)
    program("ask", "What time is it?", *TALKING)
    (entry,) = program("memory", "list", "--state", "all", "--json").json()
    assert entry["text"] == "Please answer in English"
