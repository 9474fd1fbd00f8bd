"""`prompts diff` and `prompts why`: what changed, and why something is in a prompt or not, from the record alone."""

from __future__ import annotations

from pathlib import Path

import pytest
from memory_program import Here
from program import scripted

from localagent.render_record import describe

RECORD: dict[str, object] = {
    "id": "p1", "created_at": 0.0, "thread_id": "t", "provider": "scripted", "model": "m", "exact": True, "tokens": 1,
    "budget": 9, "window": 9, "reserve": 0, "blocks": (), "older": 0, "dropped": (), "digest": "d",
}  # fmt: skip


@pytest.fixture
def talking(tmp_path: Path) -> Here:
    """Two threads with prompts on record: `one` with three, `two`, the newer, with two."""
    program = Here(tmp_path / "home", tmp_path, scripted(tmp_path, "{loop: true, steps: ['the answer, 答案。']}"))
    talk = {
        "one": ("Please keep answers under 200 words.", "We decided on PostgreSQL 16 for the ledger.", "And the port?"),
        "two": ("我喜欢绿茶，不喜欢咖啡。", "What did we decide about the ledger?"),
    }
    for thread, texts in talk.items():
        for text in texts:
            assert program("ask", "--thread", thread, text).code == 0
    return program


def ids(program: Here, thread: str) -> list[str]:
    """The newest first."""
    return [record["id"] for record in program("prompts", "list", "--thread", thread, "--json").json()]


def without_the_ledger(program: Here) -> None:
    for path in program.home.glob("ledger.sqlite3*"):
        path.unlink()


def test_why_names_the_places_in_both_languages_and_as_json(talking: Here) -> None:
    told = talking("prompts", "why", "不喜欢咖啡").out
    assert "在里面：" in told and "最近的消息，消息" in told
    found = talking("prompts", "why", "under 200 words", "--json").json()
    assert found["present"] and found["findings"][0]["place"] == "wishes"
    never = talking("prompts", "why", "kubernetes", "--json").json()
    assert not never["present"] and never["findings"][0]["place"] == "nowhere" and never["hint"]
    recalled = talking("prompts", "why", "PostgreSQL").out
    assert "score" in recalled and "vector" in recalled
    whole = talking("prompts", "why").out
    assert "standing wish" in whole and "recent messages" not in whole.splitlines()[0] and "request" in whole


def test_why_of_another_prompt_and_thread(talking: Here) -> None:
    newest, middle, _ = ids(talking, "one")
    assert "it is there:" in talking("prompts", "why", "PostgreSQL", "--prompt", newest).out
    assert "the request itself" in talking("prompts", "why", "PostgreSQL", "--prompt", middle).out
    assert talking("prompts", "why", "And the port?", "--prompt", middle, "--json").json()["present"] is False
    assert talking("prompts", "why", "--prompt", middle, "--json").json()["prompt_id"] == middle


def test_diff_compares_the_two_newest_of_the_last_thread(talking: Here) -> None:
    newest, before = ids(talking, "two")
    told = talking("prompts", "diff").out
    assert told.startswith(f"from prompt {before} to prompt {newest}")
    assert "2 messages entered:" in told and "tokens are the same; the change begins in" in told
    found = talking("prompts", "diff", before, newest, "--json").json()
    assert [one["role"] for one in found["entered"]] == ["assistant", "user"]
    assert found["shared"]["tokens"] <= found["shared"]["of"] == found["tokens"]["all"][1]
    assert talking("prompts", "diff", newest, "--json").json()["before"] == before
    backwards = talking("prompts", "diff", newest, before, "--json").json()
    assert [one["id"] for one in backwards["left"]] == [one["id"] for one in found["entered"]]


def test_both_work_without_the_thread_and_the_memories(talking: Here) -> None:
    why, diff = talking("prompts", "why", "PostgreSQL").out, talking("prompts", "diff").out
    without_the_ledger(talking)
    assert talking("prompts", "why", "PostgreSQL").out == why
    assert talking("prompts", "diff").out == diff


def test_what_cannot_be_compared_or_explained_is_said(talking: Here, tmp_path: Path) -> None:
    newest, _ = ids(talking, "two")
    first = ids(talking, "one")[-1]
    for arguments, told in (
        (("diff", newest, newest), "the same record twice"),
        (("diff", first), "there is no prompt before"),
        (("diff", "0000000000000000", newest), "there is no prompt record"),
        (("why", "tea", "--prompt", "0000"), "there is no prompt record"),
        (("why", " "), "nothing to explain"),
    ):
        done = talking("prompts", *arguments)
        assert (done.code, done.out) == (2, "") and told in done.err, done
    assert "of different threads" in talking("prompts", "diff", first, newest).out
    empty = Here(tmp_path / "other", tmp_path, {})
    for arguments in (("diff",), ("why",), ("why", "tea")):
        done = empty("prompts", *arguments)
        assert done.code == 2 and "no prompts are recorded yet" in done.err


def test_what_a_terminal_would_obey_is_not_printed(talking: Here) -> None:
    assert talking("ask", "--thread", "three", "red \x1b[31malert\x07 \u202eevil").code == 0
    for arguments in (("why", "alert"), ("diff", *ids(talking, "two")[:1], *ids(talking, "three")), ("why",)):
        out = talking("prompts", *arguments).out
        assert "alert" in out and not set(out) & {"\x1b", "\x07", "\u202e"}


def test_a_prompt_is_shown_as_it_reads(talking: Here, tmp_path: Path) -> None:
    """What was said and what tools are for stand line by line; JSON is for programs."""
    assert talking("ask", "What is this? 这是什么？", stdin="一行\ntwo lines \\n three\n").code == 0
    shown = talking("prompts", "show").out
    assert "\n--- system\nYou are " in shown and "\n<wishes>\n<wish id=" in shown
    assert '\n--- user\nWhat is this? 这是什么？\n\n<attachment name="stdin">\n一行\ntwo lines \\n three\n' in shown
    assert r"\n\n" not in shown and '"parts"' not in shown
    assert talking("prompts", "show", "--json").json()["request"]["messages"][0]["role"] == "system"


def test_calls_and_results_are_shown_beside_the_words() -> None:
    call = {"kind": "tool_call", "id": "c1", "name": "weather", "arguments": {"place": "Lyon\nRhône"}}
    request = {"messages": [{"role": "assistant", "parts": [{"kind": "text", "text": "I look.\nNow."}, call]}]}
    plain = {"messages": [{"role": "tool", "content": "12 °C\nrain", "tool_call_id": "c1"}]}
    first, second = (describe({**RECORD, "request": one}) for one in (request, plain))
    assert "--- assistant\nI look.\nNow.\n{" in first and '"name": "weather"' in first and "Lyon\nRhône" in first
    assert '--- tool\n12 °C\nrain\n{\n  "tool_call_id": "c1"\n}' in second
