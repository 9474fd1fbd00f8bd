"""The other commands as a person and a script use them, with an empty home."""

from __future__ import annotations

import json
import os
import stat
from dataclasses import replace
from pathlib import Path

import pytest
from memory_program import Here
from ollama_fixture import FakeOllama, say
from program import scripted

from localagent.cli.app import GROUPS


@pytest.fixture
def talking(tmp_path: Path) -> Here:
    """A program whose model answers `yes, 是的.` for ever."""
    return Here(tmp_path / "home", tmp_path, scripted(tmp_path, "{loop: true, steps: ['yes, 是的.']}"))


@pytest.fixture
def served(tmp_path: Path, ollama_server: FakeOllama) -> Here:
    return Here(tmp_path / "home", tmp_path, {"LOCALAGENT_MODEL_BASE_URL": ollama_server.url})


def test_threads_from_beginning_to_end(talking: Here) -> None:
    assert talking("threads", "list").code == 0
    talking("ask", "first question", "-t", "a")
    talking("ask", "你好，第二个问题", "-t", "b", stdin="attached ``` text")
    rows = talking("threads", "list").out
    assert "first question" in rows and "你好，第二个问题" in rows
    thread = talking("threads", "list", "--json").json()[0]
    assert thread["name"] == "b" and thread["messages"] == 2
    shown = talking("threads", "show", thread["id"][:13]).out
    assert "## 您，" in shown and "你好，第二个问题" in shown and "````\nattached ``` text\n````" in shown
    renamed = talking("threads", "rename", "b", "中文")
    assert (renamed.code, renamed.out, renamed.err) == (0, "", "已把 b 改名为 中文\n")
    assert talking("threads", "rename", "中文", "a").code == 2, "the name is taken"
    exported = talking("threads", "export", "中文", "--format", "json").json()
    assert [m["role"] for m in exported["messages"]] == ["user", "assistant"]
    target = talking.folder / "out.md"
    written = talking("threads", "export", "中文", "-o", str(target))
    assert (written.code, written.out, written.err) == (0, "", f"已把 2 条消息导出到 {target}\n")
    assert target.read_text(encoding="utf-8").startswith("# 中文")
    again = talking("threads", "export", "中文", "-o", str(target))
    assert again.code == 2 and "exists already" in again.err, "nothing is overwritten"
    refused = talking("threads", "delete", "中文")
    assert refused.code == 2 and "--yes" in refused.err
    deleted = talking("threads", "delete", "中文", "--yes")
    assert deleted.code == 0 and "已删除 中文（2 条消息）" in deleted.err
    left = talking("threads", "list", "--json").json()
    assert [t["name"] for t in left] == ["a"]
    assert len(talking("prompts", "list", "--json").json()) == 1, "its prompt records went with it"
    missing = talking("threads", "show", "中文")
    assert missing.code == 2 and "没有会话" in missing.err


def test_prompts(talking: Here) -> None:
    assert "no prompts recorded yet" in talking("prompts", "list").err
    assert talking("prompts", "show").code == 2
    talking("ask", "what is it?", "-t", "one")
    talking("ask", "and now?", "-t", "one")
    talking("ask", "elsewhere")
    assert len(talking("prompts", "list", "--json").json()) == 3
    assert len(talking("prompts", "list", "--thread", "one", "-n", "5", "--json").json()) == 2
    record = talking("prompts", "list", "--thread", "one", "--json").json()[0]
    assert [block["name"] for block in record["blocks"] if block["tokens"]] == ["system", "recent", "request"]
    shown = talking("prompts", "show", record["id"]).out
    for wanted in ("what is it?", "yes, 是的.", "and now?", "recent", "request", "ended by stop", record["digest"]):
        assert wanted in shown
    assert talking("prompts", "show", "0000000000").code == 2


def test_config_show_and_check(program: Here) -> None:
    shown = program("config", "show", "--set", "model.num_ctx=4096", "--json", LOCALAGENT_MODEL_SEED="7").json()
    assert shown["model.num_ctx"] == {"value": 4096, "origin": "flag --set"}
    assert shown["model.seed"] == {"value": 7, "origin": "LOCALAGENT_MODEL_SEED"}
    assert "model.temperature" in program("config", "show").out
    assert program("config", "check").code == 0
    broken = program.folder / "broken.yaml"
    broken.write_text("agent:\n  model:\n    temprature: 1\n", encoding="utf-8")
    result = program("config", "check", "--agent", str(broken))
    assert result.code == 3 and "broken.yaml:3:5" in result.err and "temperature" in result.err


def test_an_agent_that_lies_in_the_folder_is_used_only_when_trusted(talking: Here) -> None:
    made = talking("init", "mine")
    assert made.code == 0
    folder = talking.folder / "mine"
    (folder / "agent.yaml").write_text("agent:\n  name: 助手\n", encoding="utf-8")
    inside = Here(talking.home, folder, talking.variables)
    notice = inside("ask", "hi")
    assert notice.code == 0 and "localagent trust" in notice.err
    assert inside("threads", "list", "--all", "--json").json()[0]["agent"] == "local_context_agent"
    assert inside("trust").code == 0
    used = inside("ask", "hi")
    assert used.code == 0 and "localagent trust" not in used.err
    assert inside("threads", "list", "--json").json()[0]["agent"] == "助手"
    assert str(folder) in inside("trust", "--list").out
    (folder / "tools" / "extra.py").write_text("print('side effect')\n", encoding="utf-8")
    assert "localagent trust" in inside("ask", "hi").err, "changed files are asked about again"
    assert inside("trust", "--remove").code == 0
    assert "localagent trust" in inside("ask", "hi").err


def test_of_many_files_that_are_trusted_some_are_named(talking: Here) -> None:
    folder = talking.folder / "many"
    (folder / "tools").mkdir(parents=True)
    (folder / "agent.yaml").write_text("agent: {}\n", encoding="utf-8")
    for number in range(40):
        (folder / "tools" / f"工具_{number}.py").write_text("", encoding="utf-8")
    said = talking("trust", str(folder)).err
    assert f"trusted {folder}, 41 files: agent.yaml, tools/" in said and "and 35 more" in said and len(said) < 300


def test_doctor_says_what_to_do(program: Here, served: Here, ollama_server: FakeOllama) -> None:
    result = program("doctor")
    assert result.code == 0
    for line in ("ok   localagent", "ok   ledger", "warn ollama", "warn embedded models", "models pull smollm2"):
        assert line in result.out
    needing = program("doctor", "--json", LOCALAGENT_MODEL_PROVIDER="ollama")
    assert needing.code == 3
    assert [f["subject"] for f in needing.json() if f["level"] == "fail"] == ["ollama"]
    ollama_server.add("qwen2.5:14b")
    assert "ok   ollama" in served("doctor").out
    (program.home / "ledger.sqlite3").write_bytes(b"garbage " * 100)
    damaged = program("doctor")
    assert damaged.code == 3 and "fail" in damaged.out and "ledger.sqlite3" in damaged.out


def test_auto_takes_ollama_when_it_has_the_model(served: Here, ollama_server: FakeOllama) -> None:
    ollama_server.add("qwen2.5:14b", context_length=32768)
    ollama_server.script("qwen2.5:14b", say("Hello ", "from Ollama."))
    result = served("ask", "hi", "--json")
    assert result.code == 0, result.err
    assert result.json()["answer"] == "Hello from Ollama." and result.json()["model"] == "qwen2.5:14b"
    chat = ollama_server.chats[-1]
    assert chat["truncate"] is False
    assert [m["role"] for m in chat["messages"]] == ["system", "user"]


def test_auto_without_a_model_anywhere_says_how_to_get_one(program: Here) -> None:
    result = program("ask", "hi")
    assert result.code == 5
    assert "models pull smollm2" in result.err and "ollama pull qwen2.5:14b" in result.err


def test_provider_ollama_never_falls_back(served: Here, ollama_server: FakeOllama) -> None:
    ollama_server.add("other")
    missing = served("ask", "hi", LOCALAGENT_MODEL_PROVIDER="ollama")
    assert missing.code == 5 and "qwen2.5:14b" in missing.err and "pull" in missing.err
    ollama_server.silent = False
    nobody = Here(served.home, served.folder, {"LOCALAGENT_MODEL_BASE_URL": "http://127.0.0.1:9"})
    unreachable = nobody("ask", "hi", LOCALAGENT_MODEL_PROVIDER="ollama")
    assert unreachable.code == 4 and "127.0.0.1:9" in unreachable.err


def test_something_else_at_ollamas_address(served: Here, ollama_server: FakeOllama) -> None:
    ollama_server.foreign = b"<html><body>It works!</body></html>"
    result = served("ask", "hi", LOCALAGENT_MODEL_PROVIDER="ollama")
    assert result.code in (4, 8) and result.err.count("\n") == 1


def test_models_of_ollama(served: Here, ollama_server: FakeOllama) -> None:
    ollama_server.add("tiny", context_length=2048)
    ollama_server.registry["new:latest"] = replace(ollama_server.models["tiny:latest"], name="new:latest")
    listed = served("models", "list")
    assert listed.code == 0 and "tiny" in listed.out
    assert served("models", "pull", "new").code == 0
    names = [m["name"] for m in served("models", "list", "--json").json()["ollama"]]
    assert any(name.startswith("new") for name in names)
    assert served("models", "pull", "never-published").code == 5
    assert served("models", "rm", "new").code == 2, "nobody said yes"
    assert served("models", "rm", "new", "--yes").code == 0
    assert served("models", "rm", "new", "--yes").code == 5


def test_everything_in_the_home_is_private(talking: Here) -> None:
    old = os.umask(0o000)
    try:
        talking("ask", "hi")
    finally:
        os.umask(old)
    assert stat.S_IMODE(talking.home.stat().st_mode) == 0o700
    for path in talking.home.rglob("*"):
        assert stat.S_IMODE(path.stat().st_mode) == (0o700 if path.is_dir() else 0o600), path


def test_a_home_that_can_not_be(talking: Here) -> None:
    blocked = talking.folder / "file"
    blocked.write_text("in the way")
    result = talking.real()("ask", "hi", LOCALAGENT_HOME=str(blocked))
    assert result.code == 10 and result.err.count("\n") == 1 and "LOCALAGENT_HOME" in result.err


@pytest.mark.parametrize(
    ("content", "wanted"),
    [(b"not a database at all " * 50, "ledger.sqlite3"), (b"SQLite format 3\0" + b"x" * 80, "ledger")],
)
def test_a_damaged_ledger_is_one_line_and_stays(talking: Here, content: bytes, wanted: str) -> None:
    talking.home.mkdir()
    ledger = talking.home / "ledger.sqlite3"
    ledger.write_bytes(content)
    result = talking("ask", "hi")
    assert result.code == 10 and wanted in result.err
    assert ledger.read_bytes() == content


def test_usage_errors_name_the_command(program: Here) -> None:
    for arguments in (["frobnicate"], ["ask", "--bogus"], ["threads", "show"], ["prompts", "list", "-n", "0"]):
        result = program(*arguments)
        assert result.code == 2 and result.out == "" and result.err.count("\n") == 1, result.err
        assert "--help" in result.err
    result = program("ask", "hi", "--set", "model.num_ctx")
    assert result.code == 2 and "KEY=VALUE" in result.err
    result = program("ask", "hi", "--set", "model.numctx=5")
    assert result.code == 3 and "num_ctx" in result.err


@pytest.mark.parametrize("group", GROUPS)
def test_a_group_alone_shows_what_it_has(program: Here, group: str) -> None:
    alone, helped = program(group), program(group, "--help")
    assert (alone.code, alone.err) == (0, "")
    assert alone.out.strip() == helped.out.strip() and "--help" in alone.out
    assert program(group, "frobnicate").code == 2


def test_json_outputs_are_json(talking: Here) -> None:
    talking("ask", "hi")
    lists = ["threads", "prompts", "models"]
    for arguments in (*([name, "list"] for name in lists), ["prompts", "show"], ["config", "show"], ["doctor"]):
        json.loads(talking(*arguments, "--json").out)


def test_the_name_of_a_built_in_model_is_never_ollamas(served: Here, ollama_server: FakeOllama) -> None:
    ollama_server.add("smollm2")
    removed = served("models", "rm", "smollm2", "--yes")
    assert removed.code == 5 and "data folder" in removed.err
    assert "smollm2:latest" in ollama_server.models
    asked = served("ask", "hi", "-m", "smollm2")
    assert asked.code == 5 and ollama_server.chats == []


def test_a_model_named_on_the_command_line_is_not_exchanged(served: Here, ollama_server: FakeOllama) -> None:
    ollama_server.add("qwen2.5:14b")
    result = served("ask", "hi", "--model", "llama3.3")
    assert result.code == 5 and "llama3.3" in result.err
