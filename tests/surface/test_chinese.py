"""What a Chinese user reads: no English sentence, in a conversation or on the command line."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest
from memory_program import Here
from program import scripted
from pty_terminal import Terminal
from recorded import prompt_record, trace
from test_repl_memory import after, search_until

from localagent.explain import History, why
from localagent.explain_overview import explanation_lines
from localagent.explain_prompt import read_prompt
from localagent.record import RecallFate
from localagent.render_recall import group_lines, overview_lines, why_lines

# Ids, commands, settings and other names, which are the same in both languages.
NAMES = re.compile(
    r"\b[0-9a-z]{16}\b|localagent(?: [a-z]+)*(?: --[a-z-]+)*|/[a-z]+(?: all)?|--[a-z-]+(?: \d)?|memory[._][a-z_]+"
    r"|\b(?:search|list|show|add|forget|pin|unpin|replace|restore|token|user|kB|words|local_context_agent)\b"
    r"|memory prune"
)


# Keys of the keyboard, which are called so; tools tell of themselves in their own words.
KEYS = {"Ctrl", "Enter", "Esc", "Tab", "all", "script", "yaml"}
RECORDED = {"tools", "script", "scripted", "sha", "max_steps", "max", "steps"}
DOCTOR = {
    "ollama",
    "Errno",
    "embedded",
    "SmolLM",
    "Instruct",
    "model",
    "base_url",
    "base",
    "url",
    "smollm",
    "serve",
    "Ollama",
}
TOOLS = re.compile(r"\w+（[^）]*）\n  .*")


def english(shown: str) -> list[str]:
    """Words of two letters or more that are no names."""
    return re.findall(r"[A-Za-z]{2,}", NAMES.sub("", shown))


@pytest.fixture
def terminal(tmp_path: Path) -> Iterator[Terminal]:
    """The model answers in Chinese, the embedder knows words alone, and the locale is Chinese."""
    (tmp_path / "script.yaml").write_text("{loop: true, steps: ['好的，答案。']}", encoding="utf-8")
    settings = {
        "LC_ALL": "zh_CN.UTF-8",
        "LOCALAGENT_HOME": str(tmp_path / "home"),
        "LOCALAGENT_MODEL_PROVIDER": "scripted",
        "LOCALAGENT_MODEL_MODEL_NAME": str(tmp_path / "script.yaml"),
        "LOCALAGENT_MEMORY_EMBEDDER": "words",
        "LOCALAGENT_CONTEXT_POLICY_SUMMARIZER": "rules",
    }
    with Terminal(tmp_path / "home", program=("-m", "localagent"), rows=40, columns=80, **settings) as opened:
        opened.wait_for_prompt()
        yield opened


def read(terminal: Terminal, command: str, wanted: str) -> str:
    """What a command says, without the line at the bottom."""
    return after(terminal, command, wanted).split("\n> ")[0].split("\n>\n")[0]


def test_in_a_conversation_nothing_says_an_english_sentence(terminal: Terminal) -> None:
    terminal.wait_for("输入 /help 查看命令")
    unsaid = {
        "/help": "本来就是消息", "/retry": "没有可以重问的", "/undo": "没有可以撤回的", "/prompt": "还没有提示词的记录",
        "/model": "模型：", "/tools": "这个模型自己会调用工具", "/new": "新会话",
    }  # fmt: skip
    for command, wanted in unsaid.items():
        shown = TOOLS.sub("", read(terminal, command, wanted))
        assert not set(english(shown)) - set(re.findall("[a-z]+", command)) - KEYS, shown
    terminal.say("/help 1", "/help 后面不带内容")
    terminal.type("\x03")  # what could not be done stands in the box again
    terminal.say("/hepl", "没有命令 /hepl。您是想输入 /help 吗？输入 /help 查看命令；")
    terminal.type("\x03")
    terminal.say("I like tea.")
    terminal.wait_for("好的，答案。")
    assert "this list" in after(terminal, "/help", "messages anyway"), "the conversation is English now"
    for number, text in enumerate(("请记住：花园的门密码是 4711。", "以后请用中文回答。", "我对花生过敏。"), 2):
        terminal.say(text)
        terminal.wait_for(re.compile("好的，答案。.*" * number, re.DOTALL))
    search_until(terminal, "花园的门密码")
    after(terminal, "/new", "新会话")
    (key, *_) = re.findall(r"\b[0-9a-z]{16}\b", read(terminal, "/memory", "unpin"))
    for command in ("/context", "/summary"):
        assert not english(read(terminal, command, "有")), "the thread before tells the language"
    terminal.say("花园的门密码是多少？")
    terminal.wait_for(re.compile("· /why"))
    commands = {
        "/why": "用到", "/why all": "/why all 序号", "/why all 1": "：", "/why all 9": "其中没有 9",
        "/why 花园的门": "在里面：", "/why 红烧肉": "不在里面：", f"/why {key}": "与提示词", "/why #3": "与提示词",
        "/memory search 花园的门密码": "保留度", "/memory search 飞机": "没有足够接近的",
        "/context": "每个提示词里都有：",
        f"/memory show {key}": "保留度", f"/memory pin {key}": "置顶", f"/memory unpin {key}": "置顶",
        f"/memory restore {key}": "有效", f"/memory replace {key} {key}": "不能取代自己", "/memory replace 1": "两条",
        "/memory show 9999": "没有编号为", "/memory shov": "您是想说", "/memory pin": "编号",
        "/memory list 1": "不带内容",
        "/remember": "没有要记的内容", "/compact": "除了最新的一次问答", "/summary": "还没有做过摘要",
    }  # fmt: skip
    for command, wanted in commands.items():
        shown = read(terminal, command, wanted)
        assert not set(english(shown)) - set(re.findall("[a-z]+", command)), shown
    after(terminal, "那么花园里还有什么？", "答案")
    for command, wanted in {"/compact": "已做成摘要", "/summary": "版本 1", "/context": "在摘要里"}.items():
        assert not english(read(terminal, command, wanted))
    head = read(terminal, "/prompt", "--- 以及").split("sha256")[0]
    assert not set(english(head)) - KEYS - {"scripted", "max_steps", "max", "steps"}, head
    terminal.say("/undo", "已撤回；可以修改，或按 Ctrl-C 清空")
    terminal.type("\x03")
    terminal.say("/clear", "新会话；原来的会话仍然保留（localagent threads list）")


def test_on_the_command_line_chinese_entries_and_questions_are_answered_in_chinese(tmp_path: Path) -> None:
    here = Here(tmp_path / "home", tmp_path, scripted(tmp_path, "{loop: true, steps: ['好的。']}"))
    told = here("memory", "add", "花园的门密码是 4711")
    here("ask", "我对花生过敏。花园的门密码是多少？", "-t", "花园")
    (garden, *_) = (one["id"] for one in here("memory", "list", "--json").json() if "花园" in one["text"])
    results = [
        told, here("memory", "list"), here("memory", "list", "--state", "all"), here("memory", "show", garden),
        here("memory", "search", "花园的门密码"), here("memory", "search", "飞机"), here("memory", "stats"),
        here("memory", "pin", garden), here("memory", "pin", garden), here("memory", "unpin", garden),
        here("memory", "unpin", garden), here("memory", "restore", garden),
        here("memory", "edit", garden, "花园的门是绿的"),
        here("memory", "prune"), here("memory", "prune", "--dry-run", "--threshold", "0.99"),
        here("memory", "prune", "--threshold", "0.99"), here("memory", "restore", garden),
        here("prompts", "why", "花园的门"), here("prompts", "why", "红烧肉"),
        here("memory", "prune", "--dry-run", "--delete", "--threshold", "0.99"),
        here("memory", "forget", garden, "--yes"),
    ]  # fmt: skip
    for result in results:
        assert result.code == 0 and re.search("[\u4e00-\u9fff]", result.out + result.err), result
        assert not english(result.out + result.err), result


def test_on_the_command_line_chinese_threads_and_prompts_are_shown_in_chinese(tmp_path: Path) -> None:
    script = (
        "{loop: true, steps: [{tool_calls: [{name: get_current_time, arguments: {}}]}, '好的，答案。', "
        "{tool_calls: [{name: missing, arguments: {}}]}, '好的。']}"
    )
    here = Here(tmp_path / "home", tmp_path, scripted(tmp_path, script))
    for text in ("花园的门密码是 4711。", "以后请用中文回答。"):
        assert here("ask", text, "-t", "花园").code == 0
    (newest, *_) = (one["id"] for one in here("prompts", "list", "--json").json())
    shown = [
        here("threads", "list"), here("threads", "show", "花园"), here("threads", "export", "花园"),
        here("threads", "summary", "花园", "--versions"), here("threads", "search", "花园的门", "-t", "花园"),
        here("prompts", "list"), here("prompts", "show"), here("prompts", "show", newest), here("prompts", "diff"),
        here("prompts", "why"),
        here("threads", "rename", "花园", "院子"), here("threads", "delete", "院子", "--yes"),
        here("threads", "show", "院子"), here("threads", "list", LANG="zh_CN.UTF-8", LC_ALL=""),
    ]  # fmt: skip
    for result in shown:
        told = re.sub(
            r"(?s)sha256.*|“[^”]*”|^(?:系统|工具) *.*|missing|get_current_time|[\d-]+T\S+ .*|\[Errno.*",
            "",
            result.out + result.err,
        )
        assert re.search("[\u4e00-\u9fff]", told), result
        assert not set(english(told)) - KEYS - RECORDED, result


def test_doctor_and_errors_before_anything_was_said_follow_the_locale(program: Here) -> None:
    chinese = {"LC_ALL": "zh_CN.UTF-8"}
    found = program("doctor", **chinese).out
    told = re.sub(r"(?:软件包|智能体|工具|数据目录|localagent)：.*|\S*/\S*|ollama pull \S+|words [\d+]+", "", found)
    assert "正常 账本：0 个会话，0 条消息" in told and not set(english(told)) - DOCTOR, told
    assert program("doctor", "--json", **chinese).json()[2]["subject"] == "data folder"
    assert "还没有提示词的记录" in program("prompts", "show", "nothing", **chinese).err
    assert "no prompts are recorded yet. Ask" in program("prompts", "show", "nothing", LC_ALL="de_DE.UTF-8").err
    asked = program("ask", "什么是单子？", "--model", "nothing-here")
    assert "没有应答" in asked.err and not re.search("[a-z]{3} [a-z]{3}", asked.err.split("没有应答")[0]), asked


def test_json_and_english_entries_are_shown_as_ever(tmp_path: Path) -> None:
    here = Here(tmp_path / "home", tmp_path, scripted(tmp_path, "{loop: true, steps: ['fine']}"))
    for text in ("the garden gate is green", "the boiler is serviced in May", "花园的门密码是 4711"):
        assert here("memory", "add", text).code == 0
    (chinese, *others) = here("memory", "list", "--json").json()
    assert not re.search("[\u4e00-\u9fff]", str([{**chinese, "text": "", "evidence": ""}, *others]))
    assert here("memory", "list").out.startswith("id                kind  written   text\n"), "most of them are English"
    found = here("memory", "search", "the garden gate").out
    assert re.match(r"[01]\.\d\d  fact · you · just now · ", found) and "retention" in found


FATES: list[tuple[RecallFate, str]] = [
    ("used", ""), ("used", "corrected"), ("standing", ""), ("standing", "corrected"), ("kept from before", ""),
    ("below threshold", ""), ("below threshold", "0.45"), ("beyond top_k", ""), ("double", ""), ("double", "b2"),
    ("over budget", ""), ("over budget", "900/300"), ("superseded", ""), ("superseded", "b2"), ("archived", ""),
    ("archived", "forgotten"), ("archived", "faded"), ("archived", "b2"), ("in the recent messages", ""),
    ("says nothing", ""), ("in the summary", ""), ("not worth a new prefix", ""),
]  # fmt: skip


@pytest.mark.parametrize(("fate", "note"), FATES)
@pytest.mark.parametrize("kind", ["fact", "message"])
def test_each_fate_is_told_in_chinese(kind: str, fate: RecallFate, note: str) -> None:
    told = trace("a1", "锅炉五月保养", kind=kind, fate=fate, note=note, block="a1", message_id=7)
    other = replace(told, id="b2", text="花园的门是绿的", fate="below threshold", note="")
    record = prompt_record("p1", {1: "什么时候保养锅炉？"}, traces=[told, other])
    history = History([read_prompt(record)])
    shown = [*why_lines(record, "zh"), *overview_lines(record, "zh"), *group_lines(record, 1, "zh")]
    for asked in ("锅炉五月保养", "a1", "#7", "#1", "红烧肉"):
        shown += explanation_lines(why(asked, history.prompts[0], history, "zh"), "zh")
    assert not english("\n".join(shown).replace("top_k", "").replace("min_score", "")), shown
