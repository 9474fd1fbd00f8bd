"""The default agent with its tools in a window that is too small for them: it answers, and says what it lacks."""

from __future__ import annotations

from pathlib import Path

import pytest
from memory_program import Here
from program import scripted


@pytest.mark.parametrize("way", ["auto", "constrained"])
@pytest.mark.parametrize(("request_", "said"), [("What do you do?", "not offered"), ("你会做什么？", "没有提供工具")])
def test_it_answers_and_says_what_it_is_not_told_of(tmp_path: Path, way: str, request_: str, said: str) -> None:
    program = Here(tmp_path / "home", tmp_path, scripted(tmp_path, "{window: 400, loop: true, steps: [Hi.]}"))
    result = program("ask", request_, LOCALAGENT_MODEL_TOOL_CALLS=way)
    assert result.code == 0 and result.out.strip() == "Hi.", result.err
    assert result.err.count(said) == 1 and "memory_search" in result.err and "model.num_ctx" in result.err
    (listed,) = program("prompts", "list", "--json").json()
    shown = program("prompts", "show", listed["id"])
    assert said in shown.out and "400 token" in shown.out


def test_a_window_with_room_is_not_spoken_of(tmp_path: Path) -> None:
    program = Here(tmp_path / "home", tmp_path, scripted(tmp_path, "{window: 4096, steps: [Hi.]}"))
    result = program("ask", "What do you do?")
    assert result.code == 0 and "offered" not in result.err
