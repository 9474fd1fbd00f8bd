"""The thread's summary as a person and a script meet it: the commands, and the REPL at a real terminal."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from contextlib import ExitStack
from pathlib import Path

import pytest
from memory_program import Here
from program import scripted
from pty_terminal import Terminal

RULES = ("--set", "context_policy.summarizer=rules")
SAID = (
    "The gate's code is 4711 and it opens at 7:30.",
    "以后请都用中文回答。",
    "We decided to move the server to Oslo on 12 May.",
    "What is a monad?",
)


@pytest.fixture
def talking(tmp_path: Path) -> Here:
    return Here(tmp_path / "home", tmp_path, scripted(tmp_path, "{loop: true, steps: ['yes, 是的.']}"))


def test_a_thread_is_summarised_and_the_summary_taken_back(talking: Here) -> None:
    nothing = talking("threads", "summary")
    assert nothing.code == 2 and "no thread yet" in nothing.err
    for text in SAID:
        assert talking("ask", text, "-t", "plans").code == 0
    nothing = talking("threads", "summary", "plans")
    assert (nothing.code, nothing.out) == (0, "") and "nothing is summarised yet" in nothing.err
    assert talking("threads", "summary", "plans", "--json").out == "null\n"

    done = talking("threads", "compact", "plans", *RULES)
    assert done.code == 0 and done.out == "" and "6 older messages summarised: " in done.err
    shown = talking("threads", "summary").out
    assert shown.startswith("version 1: 6 messages, up to 6, in ") and "made by rules" in shown
    assert "4711" in shown and "以后请都用中文回答" in shown and "Oslo on 12 May" in shown and "(message 5)" in shown
    as_json = talking("threads", "summary", "plans", "--json").json()
    assert as_json["covers_to"] == 6 and as_json["state"] == "active"
    assert {item["message_id"] for item in as_json["items"]} <= {1, 3, 5}

    talking("ask", "And now?", "-t", "plans")
    prompt = talking("prompts", "show").out
    assert "<summary>" in prompt and "4711" in prompt
    assert "summarised 6 messages (summary version 1)" in prompt and "left out" not in prompt

    again = talking("threads", "compact", "plans", *RULES)
    assert "2 older messages summarised: " in again.err
    back = talking("threads", "compact", "plans", "--rollback")
    assert back.code == 0 and "version 2 is taken back" in back.err
    rows = talking("threads", "summary", "plans", "--versions").out
    assert "rolled back" in rows and "active" in rows
    versions = talking("threads", "summary", "plans", "--versions", "--json").json()
    assert [(one["version"], one["state"]) for one in versions] == [(2, "rolled back"), (1, "active")]
    talking("threads", "compact", "plans", "--rollback")
    refused = talking("threads", "compact", "plans", "--rollback")
    assert refused.code == 2 and "no summary to take back" in refused.err


def test_a_model_that_talks_rubbish_is_told(talking: Here) -> None:
    for text in SAID:
        talking("ask", text, "-t", "plans")
    done = talking("threads", "compact", "plans")
    assert done.code == 0 and "6 older messages summarised: " in done.err
    shown = talking("threads", "summary").out
    assert "made by rules" in shown and "note: script" in shown


def test_where_nothing_is_to_be_summarised(talking: Here) -> None:
    talking("ask", "hello", "-t", "plans")
    assert "nothing to summarise" in talking("threads", "compact", "plans").err
    off = talking("threads", "compact", "plans", "--set", "context_policy.summarizer=off")
    assert off.code == 2 and "context_policy.summarizer" in off.err


@pytest.fixture
def open_terminal(tmp_path: Path) -> Iterator[Callable[..., Terminal]]:
    with ExitStack() as stack:
        yield lambda **options: stack.enter_context(Terminal(tmp_path / "home", **options))


def test_the_summary_in_the_conversation(open_terminal: Callable[..., Terminal]) -> None:
    terminal = open_terminal()
    terminal.wait_for_prompt()
    terminal.say("/summary", "nothing is summarised yet")
    terminal.say("/compact", "nothing to summarise but the newest exchange")
    for number, text in enumerate(("The gate's code is 4711.", "和房东说好五月搬家。"), 1):
        terminal.say(text, re.compile("(?s)" + "received .*" * number))
    terminal.say("/compact", "2 条较早的消息已做成摘要：")
    terminal.say("/summary", "版本 1：2 条消息")
    terminal.wait_for("code is 4711.")
    terminal.say("/context", "2 条较早的消息在摘要里，版本 1（/summary）")
    terminal.say("So when do we move, and who has the gate's code?", re.compile("(?s)" + "received .*" * 3))
    terminal.say("/compact", "2 older messages summarised: ")
    terminal.say("/summary", "version 2: 4 messages")
    terminal.say("/context", "4 older messages are in the summary, version 2 (/summary)")


def test_a_summary_that_is_called_off_is_said_once(open_terminal: Callable[..., Terminal]) -> None:
    terminal = open_terminal()
    terminal.wait_for_prompt()
    for number, text in enumerate(("This one takes forever.", "和房东说好五月搬家。"), 1):
        terminal.say(text, re.compile("(?s)" + "received .*" * number))
    terminal.say("/compact", "正在做摘要")
    terminal.type("\x03")
    terminal.wait_for("（已中断）")
    terminal.say("/summary")
    shown = terminal.wait_for("还没有做过摘要")
    assert shown.count("（已中断）") == 1
