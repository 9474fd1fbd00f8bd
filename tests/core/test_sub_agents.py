"""Agents as tools of another agent: a turn of their own inside the caller's."""

from __future__ import annotations

import contextlib
import os
import sys
import threading
import time
from collections.abc import Iterator
from pathlib import Path

import pytest
from desk import QUIET, Desk, Open, agent, ask, asks, calls, use
from ollama_fixture import FakeOllama
from ollama_fixture.replies import call as ollama_call
from ollama_fixture.replies import say, tools_early

from localagent.calls import Approval
from localagent.errors import ConfigError, DeadlineExceeded, Interrupted, ModelError
from localagent.events import ToolFinished, ToolStarted
from localagent.memory.entries import NewMemory
from localagent.models.base import ChatModel, ChatRequest
from localagent.models.ollama import OllamaModel
from localagent.models.scripted import Answer, ScriptedModel, Step
from localagent.render_record import describe

ONCE, DENY = Approval("once"), Approval("deny", "not this")


@pytest.fixture
def opened(tmp_path: Path) -> Iterator[Open]:
    """Opens conversations with the agent `desk`."""
    made: list[Desk] = []

    def open_desk(*steps: Step, model: ChatModel | None = None, **options: object) -> Desk:
        made.append(Desk(tmp_path, model or ScriptedModel(steps), **options))  # type: ignore[arg-type]
        return made[-1]

    yield open_desk
    for desk in made:
        desk.close()


@pytest.fixture
def reader(tmp_path: Path) -> Path:
    """`desk` asks `reader`, which reads files; its folder."""
    agent(tmp_path, "desk", **QUIET, agents=asks("reader"))
    (tmp_path / "notes.txt").write_text("绿茶 green tea\n", "utf-8")
    return agent(tmp_path, "reader", instructions="You read.", tools=["read_file"])


READING = (
    calls(ask("reader", "笔记里写了什么？")),
    calls(use("read_file", path="notes.txt")),
    "The notes say green tea.",
    "It is tea.",
)


def test_an_agent_is_asked_and_its_record_linked(opened: Open, reader: Path) -> None:
    model = ScriptedModel(READING)
    desk = opened(model=model)
    assert desk.ask() == "It is tea."
    assert desk.result.text == "The notes say green tea." and not desk.result.is_error
    outer, inner = model.requests[0], model.requests[1]
    assert [(one.name, one.description) for one in outer.tools] == [("reader", "Ask reader.")]
    assert outer.tools[0].parameters["required"] == ["request"]
    # It sees its own instructions and tools, the request, and nothing of the caller's conversation.
    assert [message.text for message in inner.messages] == ["You read.", "笔记里写了什么？"]
    assert [one.name for one in inner.tools] == ["read_file"]
    (called,) = desk.called()
    shown = describe(desk.record(called["linked"]))
    assert f"asked by the agent desk, in thread {desk.talk.thread.id}" in shown
    assert "read_file(" in shown and "2 steps, ended by answer" in shown
    last = desk.talk.last_prompt()
    assert last is not None
    assert f"what it did: localagent prompts show {called['linked']}" in describe(last)


def test_its_thread_is_in_no_list(opened: Open, reader: Path) -> None:
    desk = opened(*READING)
    desk.ask()
    assert [thread.id for thread in desk.home.ledger.threads()] == [desk.talk.thread.id]
    assert [one.message.role for one in desk.talk.history()] == ["user", "assistant", "tool", "assistant"]


def test_each_request_begins_anew(opened: Open, reader: Path) -> None:
    model = ScriptedModel([calls(ask("reader", "one")), "1", calls(ask("reader", "two")), "2", "both"])
    desk = opened(model=model)
    assert desk.ask() == "both" and [one.text for one in desk.results] == ["1", "2"]
    assert [message.text for message in model.requests[3].messages] == ["You read.", "two"]
    links = {str(called["linked"]) for called in desk.called()}
    assert len(links) == 2 and len(desk.record_files()) == 3


def test_what_it_does_can_be_watched(opened: Open, reader: Path) -> None:
    desk = opened(*READING)
    desk.ask()
    started = [event.call.name for event in desk.watched if isinstance(event, ToolStarted)]
    finished = [event.call.name for event in desk.watched if isinstance(event, ToolFinished)]
    assert started == finished == ["reader.read_file"]


@pytest.mark.parametrize("arguments", [{}, {"request": ""}, {"request": " \n"}, {"request": 5}, {"reqest": "x"}])
def test_wrong_arguments_ask_nobody(opened: Open, reader: Path, arguments: dict[str, str]) -> None:
    model = ScriptedModel([calls(use("reader", **arguments)), "I cannot."])
    desk = opened(model=model)
    desk.ask()
    assert desk.result.is_error and not desk.result.ran and "reader was not called" in desk.result.text
    assert len(model.requests) == 2


def test_a_long_answer_is_capped(opened: Open, tmp_path: Path) -> None:
    agent(tmp_path, "desk", **QUIET, agents=asks("reader"), loop={"tool_result_tokens": 20})
    agent(tmp_path, "reader")
    desk = opened(calls(ask("reader", "x")), "begin " + "word " * 200 + "end", "done")
    desk.ask()
    assert "tokens left out" in desk.result.text and desk.result.text.startswith("begin")
    assert desk.called()[0]["left_out"]


def test_it_has_steps_of_its_own(opened: Open, tmp_path: Path, reader: Path) -> None:
    agent(tmp_path, "reader", tools=["read_file"], loop={"max_steps": 2})
    again = calls(use("read_file", path="notes.txt"), text="I look.")
    model = ScriptedModel([calls(ask("reader", "x")), again, again, "enough"])
    desk = opened(model=model)
    assert desk.ask() == "enough"
    assert desk.result.text == "I look.\n\n(its turn was ended by max_steps)"
    assert not model.requests[2].tools and model.requests[3].tools


def test_no_answer_is_an_error(opened: Open, tmp_path: Path, reader: Path) -> None:
    agent(tmp_path, "reader", tools=["read_file"], loop={"max_steps": 1})
    desk = opened(calls(ask("reader", "x")), calls(use("read_file", path="notes.txt")), "so be it")
    assert desk.ask() == "so be it"
    assert desk.result.is_error and "The agent reader could not answer: the model gave no answer" in desk.result.text


@pytest.mark.parametrize("by", ["limits", "agents"])
def test_its_own_deadline_ends_it_alone_and_what_was_there_is_told(opened: Open, tmp_path: Path, by: str) -> None:
    agent(tmp_path, "desk", **QUIET, agents=asks("reader", **({"timeout_s": 1} if by == "agents" else {})))
    agent(tmp_path, "reader", **({"limits": {"turn_timeout_s": 0.2}} if by == "limits" else {}))
    desk = opened(calls(ask("reader", "x")), Answer("Half an answer", hangs=True), "I go on.")
    assert desk.ask() == "I go on."
    assert desk.result.is_error and desk.result.ran
    why = "agents.reader.timeout_s) took longer than 1 s" if by == "agents" else "took longer than 0.2 s"
    assert why in desk.result.text and desk.result.text.endswith("What it had said until then:\nHalf an answer")
    assert "deadline" in describe(desk.record(desk.called()[0]["linked"]))


def test_the_callers_deadline_ends_both(opened: Open, tmp_path: Path) -> None:
    agent(tmp_path, "desk", **QUIET, agents=asks("reader"), limits={"turn_timeout_s": 0.3})
    agent(tmp_path, "reader")
    desk = opened(calls(ask("reader", "x")), Answer("Half", hangs=True))
    with pytest.raises(DeadlineExceeded, match=r"limits\.turn_timeout_s"):
        desk.ask()
    (called,) = desk.called()
    assert called["is_error"] and "stopped before it ended" in str(called["text"])


def test_the_end_of_the_turn_ends_the_processes_of_its_tools(opened: Open, tmp_path: Path) -> None:
    agent(tmp_path, "desk", **QUIET, agents=asks("runner"))
    agent(tmp_path, "runner", tools=["run_shell"])
    pid_file = tmp_path / "pid"
    command = f"sleep 600 & echo $! > {pid_file}.new; mv {pid_file}.new {pid_file}; wait"
    desk = opened(
        calls(ask("runner", "x")), calls(use("run_shell", command=command)), "never", named=["runner.run_shell"]
    )

    def stop() -> None:
        while not pid_file.exists():
            time.sleep(0.01)
        desk.abort.abort()

    stopper = threading.Thread(target=stop)
    stopper.start()
    with pytest.raises(Interrupted):
        desk.ask()
    stopper.join()
    assert gone(int(pid_file.read_text()))


def gone(pid: int) -> bool:
    for _ in range(500):
        with contextlib.suppress(ProcessLookupError):
            os.kill(pid, 0)
            time.sleep(0.01)
            continue
        return True
    return False


def test_an_error_of_its_model_is_told_to_the_caller(opened: Open, reader: Path) -> None:
    desk = opened(calls(ask("reader", "x")), ModelError("out of memory", hint="Close something"), "It failed.")
    assert desk.ask() == "It failed."
    assert desk.result.is_error
    assert desk.result.text == "The agent reader could not answer: out of memory. Close something"


def test_a_missing_model_is_a_failed_call_with_a_hint(opened: Open, tmp_path: Path, ollama_server: FakeOllama) -> None:
    agent(tmp_path, "desk", **QUIET, agents=asks("reader"))
    own = {"provider": "ollama", "model_name": "absent", "base_url": ollama_server.url}
    agent(tmp_path, "reader", model=own)
    desk = opened(calls(ask("reader", "x")), calls(ask("reader", "y")), "It has no model.")
    assert desk.ask() == "It has no model."
    assert [one.is_error for one in desk.results] == [True, True]
    assert all("localagent models pull absent" in one.text for one in desk.results), desk.results


def test_a_fault_in_its_files_ends_the_turn_with_the_place(opened: Open, reader: Path) -> None:
    (reader / "tools").mkdir()
    (reader / "tools" / "read_file.py").write_text("def read_file(:\n", "utf-8")
    desk = opened(calls(ask("reader", "x")), "never")
    with pytest.raises(ConfigError, match=r"reader/tools/read_file\.py:1"):
        desk.ask()


@pytest.fixture
def writer(tmp_path: Path) -> Path:
    """`desk` asks `writer`, which writes files; its folder."""
    agent(tmp_path, "desk", **QUIET, agents=asks("writer"), tools=["write_file"])
    return agent(tmp_path, "writer", tools=["write_file"])


WRITING = (
    calls(ask("writer", "x")),
    calls(use("write_file", path="茶.txt", content="tea")),
    "Written.",
    "Done.",
)


def test_the_question_names_the_agent(opened: Open, tmp_path: Path, writer: Path) -> None:
    desk = opened(*WRITING, answers=[ONCE])
    assert desk.ask() == "Done." and (tmp_path / "茶.txt").read_text("utf-8") == "tea"
    (question,) = desk.questions
    assert (question.agent, question.tool, question.name) == ("writer", "write_file", "writer.write_file")


def test_a_no_reaches_its_model_alone(opened: Open, tmp_path: Path, writer: Path) -> None:
    model = ScriptedModel([*WRITING[:2], "I was not allowed to.", "Not done."])
    desk = opened(model=model, answers=[DENY])
    assert desk.ask() == "Not done." and not (tmp_path / "茶.txt").exists()
    assert "denied by the user: not this" in str(model.requests[2].messages[-1])
    assert desk.result.text == "I was not allowed to." and not desk.result.is_error


def test_always_is_for_this_agent_alone(opened: Open, tmp_path: Path, writer: Path) -> None:
    same_name = "agent: {name: desk, tools: [write_file]}"
    (writer / "agent.yaml").write_text(same_name, "utf-8")
    first = opened(*WRITING, *WRITING, answers=[Approval("always")])
    first.ask()
    first.ask()
    assert len(first.questions) == 1
    (kept,) = first.home.approvals(first.loaded).entries()
    assert kept.agent == "desk.writer"
    second = opened(calls(use("write_file", path="茶.txt", content="tea")), "ok", answers=[DENY])
    second.ask()
    assert [question.agent for question in second.questions] == [""]


@pytest.mark.parametrize(("named", "written"), [(["writer.write_file"], True), (["write_file"], False), ([], False)])
def test_where_nobody_can_be_asked_its_tools_are_allowed_by_their_whole_name(
    opened: Open, tmp_path: Path, writer: Path, named: list[str], written: bool
) -> None:
    model = ScriptedModel(WRITING)
    opened(model=model, named=named).ask()
    assert (tmp_path / "茶.txt").exists() == written
    assert ("allow it with --allow-tool writer.write_file" in str(model.requests[2].messages[-1])) != written


def test_who_stops_at_the_question_stops_both(opened: Open, writer: Path) -> None:
    desk = opened(*WRITING, answers=[Interrupted("interrupted")])
    with pytest.raises(Interrupted):
        desk.ask()


def test_its_own_policy_decides(opened: Open, tmp_path: Path, writer: Path) -> None:
    (writer / "policies").mkdir()
    (writer / "policies" / "approval.py").write_text(
        "from localagent.calls import Decision\n\n"
        "def approval(request):\n"
        "    return Decision('deny', f'{request.agent} writes nothing')\n",
        "utf-8",
    )
    model = ScriptedModel(WRITING)
    opened(model=model, answers=[]).ask()
    assert "denied by policy: writer writes nothing" in str(model.requests[2].messages[-1])


def test_two_at_once_are_asked_one_after_the_other(opened: Open, tmp_path: Path) -> None:
    agent(tmp_path, "desk", **QUIET, agents=asks("one", "two"))
    agent(tmp_path, "one", tools=["write_file"])
    agent(tmp_path, "two", tools=["write_file"])
    busy = threading.Lock()

    def reply(request: ChatRequest) -> Answer:
        assert busy.acquire(blocking=False), "two requests at the same time"
        try:
            asked = request.messages[1].text
            if request.messages[-1].role == "tool":
                return Answer(f"answer to {asked}")
            return calls(use("write_file", path=f"{asked}.txt", content=asked))
        finally:
            busy.release()

    desk = opened(
        calls(ask("one", "uno"), ask("two", "dos"), ask("one", "tres")), *[reply] * 6, "all", answers=[ONCE] * 3
    )
    assert desk.ask() == "all"
    assert {one.text for one in desk.results} == {"answer to uno", "answer to dos", "answer to tres"}
    assert sorted(question.agent for question in desk.questions) == ["one", "one", "two"]
    links = [str(called["linked"]) for called in desk.called()]
    assert len(set(links)) == 3 and all(desk.record(link)["asked_by"] == "desk" for link in links)


def test_who_stops_while_another_waits_stops_all(opened: Open, tmp_path: Path) -> None:
    agent(tmp_path, "desk", **QUIET, agents=asks("one", "two"))
    agent(tmp_path, "one")
    agent(tmp_path, "two")
    desk = opened(calls(ask("one", "x"), ask("two", "y")), lambda request: stopped(desk), "never")
    with pytest.raises(Interrupted):
        desk.ask()
    assert [called["is_error"] for called in desk.called()] == [True, True]


def stopped(desk: Desk) -> Answer:
    desk.abort.abort()
    return Answer("never", hangs=True)


@pytest.fixture
def levels(tmp_path: Path) -> None:
    """`desk` asks `editor`, which asks `reader`, which writes."""
    agent(tmp_path, "desk", **QUIET, agents=asks("editor"))
    agent(tmp_path, "editor", agents=asks("reader"))
    agent(tmp_path, "reader", tools=["write_file"])


def deep(name: str = "a.txt") -> list[Step]:
    return [
        calls(ask("editor", "e")),
        calls(ask("reader", "r")),
        calls(use("write_file", path=name, content="x")),
        "written",
        "edited",
        "done",
    ]


@pytest.mark.usefixtures("levels")
def test_three_levels(opened: Open) -> None:
    desk = opened(*deep(), *deep("b.txt"), answers=[ONCE, Approval("always")])
    assert desk.ask() == "done" and desk.result.text == "edited"
    assert [question.agent for question in desk.questions] == ["editor.reader"]
    editor = desk.record(desk.called()[0]["linked"])
    (below,) = editor["turn"]["calls"]  # type: ignore[index]
    assert desk.record(below["linked"])["asked_by"] == "editor"
    assert str(desk.record(below["linked"])["thread_id"]).startswith(f"{editor['thread_id']}.")
    names = [event.call.name for event in desk.watched if isinstance(event, ToolStarted)]
    assert names == ["editor.reader", "editor.reader.write_file"]
    desk.ask()
    assert [one.agent for one in desk.home.approvals(desk.loaded).entries()] == ["desk.editor.reader"]


@pytest.mark.usefixtures("levels")
def test_the_deepest_is_allowed_by_its_whole_name(opened: Open, tmp_path: Path) -> None:
    assert opened(*deep(), named=["editor.reader.write_file"]).ask() == "done"
    assert (tmp_path / "a.txt").exists()


@pytest.mark.usefixtures("levels")
def test_records_go_with_the_callers_thread(opened: Open) -> None:
    desk = opened(*deep(), *deep(), answers=[DENY, DENY])
    desk.ask()
    kept = desk.talk.thread.id
    desk.talk.new_thread()
    desk.ask()
    assert len(desk.record_files()) == 6
    desk.home.delete_thread(desk.talk.thread.id)
    assert len(desk.record_files()) == 3 and all(name.startswith(kept) for name in desk.record_files())
    desk.home.delete_thread(kept)
    assert desk.record_files() == []


@pytest.mark.parametrize("how", ["no log", "without a trace", "its own log_prompts", "the caller's log_prompts"])
def test_where_nothing_is_to_be_kept_nothing_is(opened: Open, tmp_path: Path, how: str) -> None:
    agent(tmp_path, "desk", **QUIET, agents=asks("editor"), log_prompts=how != "the caller's log_prompts")
    agent(tmp_path, "editor", agents=asks("reader"), log_prompts=how != "its own log_prompts")
    agent(tmp_path, "reader", tools=["write_file"])
    desk = opened(*deep(), answers=[DENY], log=how not in ("no log", "without a trace"), trace=how != "without a trace")
    assert desk.ask() == "done"
    own = how == "its own log_prompts"
    assert desk.record_files() == ([f"{desk.talk.thread.id}.jsonl"] if own else [])
    assert not own or desk.called()[0]["linked"] == ""


DECIDED = NewMemory("decision", "We decided to use PostgreSQL as database", scope="all", agent="desk")


def test_it_has_servers_of_its_own(opened: Open, tmp_path: Path) -> None:
    pytest.importorskip("mcp")
    server = Path(__file__).parents[1] / "mcp" / "playing_server.py"
    agent(tmp_path, "desk", **QUIET, agents=asks("player"))
    playing = {"play": {"command": sys.executable, "args": [str(server)]}}
    agent(tmp_path, "player", mcp_servers=playing)
    model = ScriptedModel(
        [
            calls(ask("player", "x")),
            calls(use("play_add", a=20, b=22)),
            "It is 42.",
            calls(ask("player", "y")),
            "42",
            "ok",
        ]
    )
    desk = opened(model=model, named=["player.play_add"])
    assert desk.ask() == "ok"
    assert [one.name for one in model.requests[0].tools] == ["player"]
    assert "42" in str(model.requests[2].messages[-1])


def test_a_folder_that_it_may_work_in_and_that_is_not_there_is_told_at_once(opened: Open, tmp_path: Path) -> None:
    agent(tmp_path, "desk", **QUIET, agents=asks("reader"))
    agent(tmp_path, "reader", tool_access={"roots": ["gone"]})
    with pytest.raises(ConfigError, match=r"reader/agent\.yaml:1:.*there is no folder 'gone'"):
        opened()


@pytest.mark.parametrize("fault", ["an agent", "a server"])
def test_no_server_is_left_running_for_an_agent_that_cannot_be_had(opened: Open, tmp_path: Path, fault: str) -> None:
    pytest.importorskip("mcp")
    begun = {"left": {"command": sys.executable, "args": ["-c", "input()"]}}
    wrong = {"wrong": {"command": "x", "env": {"A": "${NOT_SET_ANYWHERE}"}}} if fault == "a server" else {}
    agent(tmp_path, "desk", **QUIET, agents=asks("reader"), mcp_servers={**begun, **wrong})
    agent(tmp_path, "reader", tool_access={"roots": ["gone"]})
    with pytest.raises(ConfigError, match=r"gone|NOT_SET_ANYWHERE"):
        opened()
    assert [thread.name for thread in threading.enumerate() if thread.name == "mcp left"] == []


def test_no_agent_may_write_what_decides_what_runs(opened: Open, tmp_path: Path, levels: None) -> None:
    desk = opened(*deep("reader/agent.yaml"), answers=[ONCE])
    before = (tmp_path / "reader" / "agent.yaml").read_text("utf-8")
    assert desk.ask() == "done"
    assert (tmp_path / "reader" / "agent.yaml").read_text("utf-8") == before


def test_it_recalls_from_memory_and_writes_nothing(opened: Open, tmp_path: Path) -> None:
    model = {"provider": "scripted", "model_name": "none"}
    agent(tmp_path, "desk", model=model, agents=asks("reader"))
    agent(tmp_path, "reader", tools=["memory_write", "memory_search"])
    played = ScriptedModel(
        [
            calls(ask("reader", "Which database did we decide on?")),
            calls(use("memory_write", text="The sky is green.", kind="fact")),
            "PostgreSQL. I prefer tea, always.",
            "It is PostgreSQL.",
        ]
    )
    desk = opened(model=played)
    memory = desk.home.open_memory(desk.loaded, once=True)
    memory.add(DECIDED)
    memory.drain(desk.abort)
    before = [one.text for one in memory.memories.select()]
    assert desk.ask("What about it?") == "It is PostgreSQL."
    assert "We decided to use PostgreSQL" in played.requests[1].messages[0].text
    assert "nothing is kept of this conversation" in str(played.requests[2].messages[-1])
    assert [one.text for one in memory.memories.select()] == before
    memory.close()


def test_another_tenants_memory_is_not_its_callers(opened: Open, tmp_path: Path) -> None:
    model = {"provider": "scripted", "model_name": "none"}
    agent(tmp_path, "desk", model=model, agents=asks("reader"))
    agent(tmp_path, "reader", memory={"tenant": "other"})
    played = ScriptedModel([calls(ask("reader", "Which database did we decide on?")), "None.", "None."])
    desk = opened(model=played)
    memory = desk.home.open_memory(desk.loaded, once=True)
    memory.add(DECIDED)
    memory.drain(desk.abort)
    memory.close()
    desk.ask("What about it?")
    assert "PostgreSQL" not in str(played.requests[1].messages)


def test_a_model_of_its_own(opened: Open, tmp_path: Path) -> None:
    agent(tmp_path, "desk", **QUIET, agents=asks("reader"))
    folder = agent(tmp_path, "reader", model={"provider": "scripted", "model_name": "own.yaml"})
    (folder / "own.yaml").write_text("steps: [mine, mine again]\n", "utf-8")
    model = ScriptedModel([calls(ask("reader", "x")), calls(ask("reader", "y")), "ok"])
    desk = opened(model=model)
    assert desk.ask() == "ok" and [one.text for one in desk.results] == ["mine", "mine again"]
    assert desk.record(desk.called()[0]["linked"])["model"] == "own.yaml"


def test_agents_with_the_same_model_share_it(opened: Open, tmp_path: Path) -> None:
    """Also on different levels: there is one of it, which answers in turn."""
    (tmp_path / "own.yaml").write_text(
        "steps:\n  - first\n  - tool_calls: [{name: one, arguments: {request: z}}]\n  - second\n  - third\n", "utf-8"
    )
    own = {"provider": "scripted", "model_name": str(tmp_path / "own.yaml")}
    agent(tmp_path, "desk", **QUIET, agents=asks("one", "two"))
    agent(tmp_path, "one", model=own)
    agent(tmp_path, "two", model={**own, "temperature": 1}, agents=asks("one"))
    desk = opened(calls(ask("one", "x")), calls(ask("two", "y")), "ok")
    assert desk.ask() == "ok"
    assert [one.text for one in desk.results] == ["first", "third"]


def test_it_goes_on_with_another_model_when_its_caller_does(opened: Open, reader: Path) -> None:
    desk = opened(calls(ask("reader", "x")), "old", "ok")
    desk.ask()
    other = ScriptedModel([calls(ask("reader", "y")), "new", "ok"], name="other")
    desk.talk.use_model(other)
    assert desk.ask() == "ok" and desk.result.text == "new"


def test_over_ollama(opened: Open, tmp_path: Path, ollama_server: FakeOllama) -> None:
    """The same model for both, and one of its own that the server has too."""
    ollama_server.add("tiny")
    ollama_server.add("small")
    of_server = {"provider": "ollama", "base_url": ollama_server.url}
    agent(
        tmp_path, "desk", memory=QUIET["memory"], model={**of_server, "model_name": "tiny"}, agents=asks("one", "two")
    )
    agent(tmp_path, "one", model={**of_server, "model_name": "tiny", "temperature": 1})
    agent(tmp_path, "two", model={**of_server, "model_name": "small"})
    asked = [ollama_call(name, {"request": "说话"}, index=at) for at, name in enumerate(("one", "two"))]
    ollama_server.script("tiny", tools_early(*asked), say("from ", "one"), say("both"))
    ollama_server.script("small", say("from two"))
    model = OllamaModel(model_name="tiny", base_url=ollama_server.url)
    desk = opened(model=model)
    assert desk.ask() == "both"
    assert sorted(one.text for one in desk.results) == ["from one", "from two"]
    assert sorted(chat["model"] for chat in ollama_server.chats) == ["small", "tiny", "tiny", "tiny"]
    desk.close()
    model.close()
