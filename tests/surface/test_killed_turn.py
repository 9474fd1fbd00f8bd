"""What a message said becomes a memory though the program was killed while it answered."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest
from memory_program import Here
from program import TALKING, Program, scripted

pytestmark = pytest.mark.skipif(sys.platform == "win32", reason="signals of POSIX")


@pytest.mark.parametrize(("said", "entry"), [("I live in Graz.", "I live in Graz"), ("我住在杭州。", "我住在杭州")])
def test_the_next_turn_of_the_thread_takes_it(tmp_path: Path, said: str, entry: str) -> None:
    hanging = Program(tmp_path / "home", tmp_path, scripted(tmp_path, "steps: [{text: ['one ', 'two'], hangs: true}]"))
    process = hanging.start("ask", said, "-t", "k", *TALKING, stdin=subprocess.DEVNULL)
    assert process.stdout is not None
    seen = b""
    while b"two" not in seen:
        more = os.read(process.stdout.fileno(), 100)
        assert more, f"it ended after {seen!r}"
        seen += more
    process.kill()
    process.communicate()
    program = Here(tmp_path / "home", tmp_path, scripted(tmp_path, "{loop: true, steps: ['Hello, 你好。']}"))
    assert entry not in program("memory", "list").out
    program("ask", "What time is it?", "-t", "k")
    assert program("memory", "list").out.count(entry) == 1
