"""The real program on a real terminal: everything between the first prompt and the ledger."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from dataclasses import replace
from pathlib import Path

import pytest
from ollama_fixture import FakeOllama
from program import Program
from pty_terminal import Terminal

from localagent.memory.ledger import SqliteLedger

Chat = Callable[..., Terminal]


@pytest.fixture
def chat(tmp_path: Path) -> Iterator[Chat]:
    """Opens `localagent` with these arguments and variables; its model plays a script unless told otherwise, and its
    embedder knows words alone."""
    opened: list[Terminal] = []
    (tmp_path / "script.yaml").write_text("{loop: true, steps: ['the answer, 答案。']}", encoding="utf-8")

    def open_chat(*arguments: str, **variables: str) -> Terminal:
        chosen = {
            "LOCALAGENT_HOME": str(tmp_path / "home"),
            "LOCALAGENT_MODEL_PROVIDER": "scripted",
            "LOCALAGENT_MODEL_MODEL_NAME": str(tmp_path / "script.yaml"),
            "LOCALAGENT_MEMORY_EMBEDDER": "words",
            **variables,
        }
        terminal = Terminal(tmp_path / "home", program=("-m", "localagent", *arguments), columns=100, **chosen)
        opened.append(terminal)
        return terminal

    yield open_chat
    for terminal in opened:
        terminal.close()


def threads(home: Path) -> list[tuple[str, int]]:
    ledger = SqliteLedger(home / "ledger.sqlite3")
    try:
        return [(thread.title, thread.messages) for thread in ledger.threads()]
    finally:
        ledger.close()


def test_a_conversation_and_its_continuation(chat: Chat, tmp_path: Path) -> None:
    terminal = chat()
    terminal.wait_for_prompt()
    terminal.say("what is it? 这是什么？", "the answer, 答案。")
    terminal.wait_for("script.yaml")
    terminal.type("\x04")
    assert terminal.end() == 0
    assert threads(tmp_path / "home") == [("what is it? 这是什么？", 2)]
    again = chat("-c")
    again.wait_for_prompt()
    shown = again.text()
    assert "继续会话 what is it? 这是什么？（2 条消息）" in shown[: shown.index("\n>")], "before anything is typed"
    again.say("and now?", "the answer, 答案。")
    again.type("\x04")
    assert again.end() == 0
    assert threads(tmp_path / "home") == [("what is it? 这是什么？", 4)]


def test_leaving_at_once_leaves_no_thread(chat: Chat, tmp_path: Path) -> None:
    for _ in range(3):
        terminal = chat()
        terminal.wait_for_prompt()
        terminal.type("\x04")
        assert terminal.end() == 0
    assert threads(tmp_path / "home") == []


def test_threads_in_which_nothing_was_said_do_not_stay_unless_they_have_a_name(chat: Chat, tmp_path: Path) -> None:
    terminal = chat()
    terminal.wait_for_prompt()
    for command, said in (("/new", "new thread"), ("/new 厨房", "新会话 厨房"), ("/clear", "new thread; the old")):
        terminal.say(command)
        terminal.wait_for(said)
    terminal.say("/clear")
    terminal.wait_for(re.compile(r"^new thread\n", re.MULTILINE))
    terminal.say("hello there", "the answer, 答案。")
    for _ in range(2):
        terminal.say("/new")
        terminal.wait_for(lambda text: text.rpartition("> /new")[2].startswith("\nnew thread\n"))
    terminal.type("\x04")
    assert terminal.end() == 0
    assert sorted(threads(tmp_path / "home")) == [("", 0), ("hello there", 2)]


def test_a_thread_is_named_before_the_first_prompt_even_without_a_model(chat: Chat, tmp_path: Path) -> None:
    first = chat("--thread", "厨房")
    first.wait_for_prompt()
    shown = first.text()
    assert "新会话 厨房" in shown[: shown.index("\n>")] and "继续" not in shown
    first.say("记住：烤箱坏了", "the answer, 答案。")
    first.wait_for("script.yaml")
    first.type("\x04")
    assert first.end() == 0
    again = chat("-t", "厨房", LOCALAGENT_MODEL_MODEL_NAME=str(tmp_path / "nowhere.yaml"))
    again.wait_for_prompt()
    shown = again.text()
    assert "继续会话 厨房: 记住：烤箱坏了（2 条消息）" in shown[: shown.index("\n>")]
    again.type("\x04")
    assert again.end() == 0
    assert threads(tmp_path / "home") == [("记住：烤箱坏了", 2)]


def test_to_go_on_where_nothing_was_said_begins_anew(chat: Chat, tmp_path: Path) -> None:
    terminal = chat("-c")
    terminal.wait_for_prompt()
    shown = terminal.text()
    assert "there is no thread to go on with" in shown[: shown.index("\n>")] and "going on" not in shown
    terminal.type("\x04")
    assert terminal.end() == 0
    assert threads(tmp_path / "home") == []


def test_a_model_that_cannot_be_had_leaves_the_old_one(chat: Chat, tmp_path: Path) -> None:
    (tmp_path / "other.yaml").write_text("{loop: true, steps: ['from the other']}", encoding="utf-8")
    terminal = chat()
    terminal.wait_for_prompt()
    terminal.say("/model nowhere.yaml", "cannot be read")
    terminal.say("still there?", "the answer, 答案。")
    terminal.say(f"/model {tmp_path / 'other.yaml'}", "model: other.yaml")
    terminal.say("and you?", "from the other")
    terminal.type("\x04")
    assert terminal.end() == 0


def test_no_is_an_answer_to_the_download(chat: Chat) -> None:
    nobody = "http://127.0.0.1:9"
    terminal = chat(LOCALAGENT_MODEL_PROVIDER="auto", LOCALAGENT_MODEL_MODEL_NAME="", LOCALAGENT_MODEL_BASE_URL=nobody)
    terminal.wait_for("Download it (93 MB, once)? [Y/n]")
    terminal.type("n\n")
    terminal.wait_for_prompt()
    terminal.say("hello", "has not been fetched yet")
    terminal.type("\x03\x04")
    assert terminal.end() == 0


def test_a_missing_model_is_pulled_when_the_user_says_so(chat: Chat, ollama_server: FakeOllama) -> None:
    ollama_server.add("tiny", context_length=4096)
    tiny = ollama_server.models.pop("tiny:latest")
    ollama_server.registry["wanted:latest"] = replace(tiny, name="wanted:latest")
    terminal = chat(
        LOCALAGENT_MODEL_PROVIDER="ollama",
        LOCALAGENT_MODEL_MODEL_NAME="wanted",
        LOCALAGENT_MODEL_BASE_URL=ollama_server.url,
    )
    terminal.wait_for_prompt()
    terminal.say("hello", "Pull it? [y/N]")
    terminal.type("y\r")
    terminal.wait_for("\nHello.")
    terminal.type("\x04")
    assert terminal.end() == 0


def test_the_program_without_a_terminal_answers_and_leaves(tmp_path: Path) -> None:
    (tmp_path / "script.yaml").write_text("steps: [piped]", encoding="utf-8")
    scripted = {
        "LOCALAGENT_MODEL_PROVIDER": "scripted",
        "LOCALAGENT_MODEL_MODEL_NAME": str(tmp_path / "script.yaml"),
    }
    assert Program(tmp_path / "home", tmp_path, scripted)(stdin="hello").out == "piped\n"
