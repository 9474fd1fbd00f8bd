"""What memory did is told in the language that the user writes."""

from __future__ import annotations

import ast
import errno
import os
import re
from collections.abc import Callable, Iterator, Mapping
from dataclasses import replace
from pathlib import Path
from string import Formatter
from typing import Any, get_args

import pytest
from hypothesis import given
from hypothesis import strategies as st
from talking import Talk

from localagent import (
    bilingual,
    bilingual_doctor,
    bilingual_records,
    bilingual_said,
    bilingual_shown,
    bilingual_talk,
    bilingual_why,
)
from localagent.bilingual import (
    Language,
    Phrase,
    called,
    is_yes,
    kind_name,
    language_given,
    language_of,
    language_of_locale,
    language_of_most,
)
from localagent.bilingual_said import in_language, told
from localagent.bilingual_shown import reason_kept
from localagent.errors import Interrupted, LocalAgentError, ModelError, ModelUnreachable, UsageError
from localagent.memory.entries import Memory
from localagent.memory.kinds import Kind
from localagent.policy import Policies
from localagent.repl_commands import COMMANDS
from localagent.written import Unclear, Written


def phrases(value: object) -> Iterator[Phrase]:
    """All in a value of a module, whatever holds them."""
    if isinstance(value, Phrase):
        yield value
    elif isinstance(value, Mapping | tuple):
        for one in value.values() if isinstance(value, Mapping) else value:
            yield from phrases(one)


PHRASES = {
    f"{module.__name__}.{name}.{number}": phrase
    for module in (
        bilingual,
        bilingual_doctor,
        bilingual_records,
        bilingual_said,
        bilingual_shown,
        bilingual_talk,
        bilingual_why,
    )
    for name, value in vars(module).items()
    if not name.startswith("_")
    for number, phrase in enumerate(phrases(value))
}
# What is typed, which is the same in both languages.
TYPED = re.compile(
    r"localagent (?:doctor|chat|ask|(?:memory|models|prompts|threads) [a-z-]+)(?: --[a-z]+)?|ollama (?:serve|signin)"
    r"|(?<!/)/(?:memory (?:search|forget|replace)|why all|[a-z]+)|(?:model|memory|limits|loop|context_policy)\.[a-z_]+"
    r"|mcp_servers\.|log_prompts: false|memory_[a-z_]+|--both|--yes|--allow-tool|--min-score 0|\{(?!noun)[a-z]+\}"
    r"|(?:Ctrl|Esc|Tab|Enter)(?:-[A-Z])?"
)
# Words that the Chinese text has, too.
NAMES = re.compile(
    r"tokens?|tool_calls|agent\.yaml|true|false|null|auto|rules|--state all|memory prune|Ollama|ollama\.com|https?://|hf:owner\S*|\.?gguf|MCP"
    r"|schema|Errno|constrained|off|tools[:/]|\.py|localagent|Python|pip|sha256|lo|\[[oadv]\]|(?<=回答 )o|[ad](?= 不)"
    r"|(?<=按 )v|(?<=、)a(?= 或)|(?<=或 )d|\|all"
)


@pytest.mark.parametrize("name", PHRASES)
def test_both_say_the_same_with_the_same_commands(name: str) -> None:
    phrase = PHRASES[name]
    fields = [
        {field for _, field, _, _ in Formatter().parse(text) if field} for text in (phrase.english, phrase.chinese)
    ]
    assert fields[1] in (fields[0], fields[0] - {"noun"})  # Chinese has no plural
    typed = [sorted(set(TYPED.findall(text))) for text in (phrase.english, phrase.chinese)]
    assert typed[0] == typed[1] or fields[1] < fields[0]
    assert phrase.english.count("\n") == phrase.chinese.count("\n")
    words = NAMES.sub("", re.sub(r"\{[^}]*\}", "", phrase.english))
    assert re.search("[\u4e00-\u9fff]", phrase.chinese) or not re.search("[a-z]", words)
    assert not re.search("[\u4e00-\u9fff]", phrase.english.replace("(是)", "").replace(", 忘掉……", ""))
    left = NAMES.sub("", TYPED.sub("", re.sub(r"\{[^}]*\}", "", phrase.chinese)))
    assert not re.search("[a-z]", left), left


PACKAGE = Path(bilingual.__file__).parent


@pytest.fixture(scope="module")
def said() -> str:
    """Every text in the code of the package, but for what is of two languages."""
    texts = []
    for path in PACKAGE.rglob("*.py"):
        if not path.name.startswith("bilingual"):
            tree = ast.parse(path.read_text(encoding="utf-8"))
            texts += [node.value for node in ast.walk(tree) if isinstance(node, ast.Constant)]
    by_the_system = os.strerror(errno.ECONNREFUSED)
    return "\n".join(["[Errno", f"] {by_the_system}", *(text for text in texts if isinstance(text, str))])


# The number of a message is made apart, and so is the ending of a model that was asked for tools.
APART = re.compile(r"\b(?:messages?|the tools?|are|is)\b|;")


def test_what_is_read_back_is_what_the_program_says(said: str) -> None:
    """What is said otherwise one day must be read back otherwise, too."""
    for phrase in bilingual_said.every():
        for literal, *_ in Formatter().parse(phrase.english):
            for piece in APART.split(literal):
                assert piece.strip(" ().,:?") in said, phrase.english


@pytest.mark.parametrize("phrase", bilingual_said.every(), ids=lambda phrase: phrase.english[:40])
def test_a_text_of_another_part_is_told_in_chinese_with_what_stands_in_it(phrase: Phrase) -> None:
    fields = {name: f"<{name}>" for _, name, *_ in Formatter().parse(phrase.english) if name}
    text = phrase("en", **fields)
    assert in_language(text, "zh") == phrase("zh", **fields) and in_language(text, "en") == text
    assert in_language("the cat sat on the mat", "zh") == "the cat sat on the mat"


@pytest.mark.parametrize(
    ("error", "english", "chinese"),
    [
        (
            ModelUnreachable(
                "nothing answers ([Errno 111] Connection refused)",
                where="http://localhost:11434",
                hint="Start Ollama (ollama serve) or correct model.base_url",
            ),
            "http://localhost:11434: nothing answers ([Errno 111] Connection refused). Start Ollama (ollama serve) or "
            "correct model.base_url",
            "http://localhost:11434：没有应答（[Errno 111] 连接被拒绝）。"
            "启动 Ollama（ollama serve），或改正 model.base_url",
        ),
        (ModelError("the model is tired."), "the model is tired.", "the model is tired."),
        (
            ModelError("the model is tired", hint="Restart it"),
            "the model is tired. Restart it",
            "the model is tired。请重新启动它",
        ),
        (Interrupted("interrupted"), "interrupted", "已中断"),
        (UsageError("没有这条记忆。", hint="见：/memory"), "没有这条记忆。见：/memory", "没有这条记忆。见：/memory"),
    ],
)  # fmt: skip
def test_an_error_in_one_line(error: LocalAgentError, english: str, chinese: str) -> None:
    assert told(error, "en") == str(error) == english and told(error, "zh") == chinese


def test_every_command_says_in_both_languages_what_it_does() -> None:
    for command in COMMANDS:
        shown = command.help("zh", usage="")
        assert re.search("[\u4e00-\u9fff]", shown) and not re.search("[a-z]{2}", shown.replace("Ctrl", "")), shown
        assert not command.argument or called(bilingual_talk.ARGUMENTS, command.argument, "zh") != command.argument


def test_every_kind_has_a_name() -> None:
    names = [kind_name(kind, "zh") for kind in get_args(Kind)]
    assert len(set(names)) == len(names) and all(re.fullmatch("[\u4e00-\u9fff]+", name) for name in names)
    assert [kind_name(kind, "en") for kind in get_args(Kind)] == list(get_args(Kind))


@pytest.mark.parametrize(
    "text",
    [
        "我喜欢喝茶。", "好", "第二个", "我住在Berlin", "叫我 Sam", "我的 iPhone 13 Pro Max 坏了",
        "帮我用 Python 写一个 quick sort", "BTW：我搬家了", "TODO: 给妈妈打电话", "“I like tea” 是什么意思？",
        "请翻译：I like tea, and I drink it every day.", "python -m pytest 报错了，怎么办",
        "把这段翻译一下\n\nFrom: Ann\nTo: Ben\nSubject: lunch\n\nDear Ben,\nlunch is at one, as always, in the hall.",
    ],
)  # fmt: skip
def test_chinese(text: str) -> None:
    assert language_of(text) == "zh"


@pytest.mark.parametrize(
    "text",
    [
        "I like tea.", "ok", "", "👍 42", "What does 你好 mean?", "I live in 北京.", "My name is 王小明.",
        "Translate this: 我喜欢喝茶，我每天都喝。", "Please translate “我喜欢喝茶，你呢” for me.",
        "Ich wohne in Berlin.",
        "私は毎日お茶を飲みます。", "나는 차를 좋아해요", "/usr/bin/python",
    ],
)  # fmt: skip
def test_other_languages_are_told_in_english(text: str) -> None:
    assert language_of(text) == "en"


@pytest.mark.parametrize("text", ["2", "👍", "?", "4200"])
def test_what_has_no_words_is_in_the_language_of_what_was_said_before(text: str) -> None:
    assert language_of(text, "我喜欢喝茶。", "I like tea.") == "zh"
    assert language_of(text, "I like tea.", "我喜欢喝茶。") == "en"


@pytest.mark.parametrize(
    ("variables", "language"),
    [
        ({}, "en"), ({"LANG": "zh_CN.UTF-8"}, "zh"), ({"LANG": "zh"}, "zh"), ({"LANG": "zh_TW"}, "zh"),
        ({"LC_MESSAGES": "zh_HK.UTF-8", "LANG": "en_GB.UTF-8"}, "zh"), ({"LC_ALL": "C", "LANG": "zh_CN.UTF-8"}, "en"),
        ({"LC_ALL": "", "LANG": "zh_CN.UTF-8"}, "zh"), ({"LANG": "en_US.UTF-8", "LC_CTYPE": "zh_CN.UTF-8"}, "en"),
    ],
)  # fmt: skip
def test_the_locale_tells_the_language_before_anything_else_does(variables: dict[str, str], language: str) -> None:
    assert language_of_locale(variables) == language


@pytest.mark.parametrize(
    ("texts", "locale", "language"),
    [
        (["ask", "什么是单子？"], "en", "zh"), (["threads", "show", "计划"], "en", "zh"), (["doctor"], "zh", "zh"),
        (["ask", "What is a monad?"], "zh", "en"), (["ask", "What does 你好 mean?"], "zh", "en"),
        (["--set", "model.num_ctx=4096", "doctor"], "zh", "zh"), (["threads", "show", "planning"], "zh", "zh"),
        (["ask", "What is a monad?"], "en", "en"), ([], "en", "en"),
    ],
)  # fmt: skip
def test_what_stands_behind_a_command_tells_the_language(texts: list[str], locale: Language, language: str) -> None:
    assert language_given(*texts, otherwise=locale) == language


@given(st.text(max_size=200))
def test_every_text_has_a_language(text: str) -> None:
    assert language_of(text) in ("en", "zh")


@pytest.mark.parametrize("answer", ["y", "Yes", "是", "是的。", "好", "好的", "对", "行", "可以 "])
def test_yes(answer: str) -> None:
    assert is_yes(answer)


@pytest.mark.parametrize("answer", ["", "n", "no", "不", "不是", "别", "好像不是", "y?n"])
def test_anything_else_is_no_yes(answer: str) -> None:
    assert not is_yes(answer)


TOLD: list[tuple[list[str], Callable[[Written], str]]] = [
    (["我每天早上跑步。"], lambda done: f"记住了：习惯 '{done.added[0].text}'"),
    (
        ["我住在杭州。", "忘掉我住在杭州这件事。"],
        lambda done: f"已忘记：'{done.forgotten[0].text}'（只是收起，没有删除）\n"
        f"  撤销：localagent memory restore {done.forgotten[0].id}",
    ),
    (
        ["我不喜欢香菜。", "我现在喜欢吃香菜了。"],
        lambda done: f"记住了：习惯 '{done.superseded[0][1].text}'；取代：'{done.superseded[0][0].text}'\n"
        f"  撤销：localagent memory restore {done.superseded[0][0].id}",
    ),
    (
        ["别记这个：我的工资是每月12000元。"],
        lambda done: "没有记：'我的工资是每月12000元。'（如果不对：localagent memory add 内容）",
    ),
]  # fmt: skip


@pytest.mark.parametrize(("said", "told"), TOLD)
def test_a_change_is_told_in_chinese(talk: Talk, said: list[str], told: Callable[[Written], str]) -> None:
    talk.say(*said[:-1])
    done = talk.say(said[-1])
    (line,) = done.lines("zh")
    assert re.sub("^记住了：[^ ]+", "记住了：习惯", line) == told(done)
    assert not re.search("[\u4e00-\u9fff]", re.sub("'[^']*'", "", done.lines()[0])), "in English as ever"


def test_a_question_is_asked_and_answered_in_chinese(talk: Talk) -> None:
    talk.say("我喜欢在早上喝绿茶。", "我喜欢在晚上喝红茶。")
    about = talk.say("忘掉茶的事。")
    (line,) = about.lines("zh")
    assert line.startswith("还没有忘：指的是哪一条？") and "说“第二个”这样的话：收起" in line
    (meant,) = talk.say("第二个").forgotten
    assert meant.id == about.unclear[0].memories[1].id


@pytest.mark.parametrize(
    "request_",
    [
        Unclear("一切", (), everything=True), Unclear("船", ()), Unclear("船", (), before=True),
        Unclear("船", (), passages=((1, "船"),)), Unclear("船", (), passages=((1, "船"),), before=True),
        Unclear("租约", (), files=("lease.pdf",)),
    ],
)  # fmt: skip
def test_what_forgets_nothing_says_so_in_chinese(request_: Unclear) -> None:
    (line,) = Written(unclear=(request_,)).lines("zh")
    assert not re.search(r"[a-z]{3}", TYPED.sub("", line).replace("lease.pdf", "")), line


@pytest.mark.parametrize(("texts", "language"), [
    (["我喜欢茶", "I like tea", "我不喝咖啡"], "zh"), (["我喜欢茶", "I like tea"], "en"), ([], "en"),
])  # fmt: skip
def test_of_several_entries_the_language_of_most_counts(texts: list[str], language: str) -> None:
    assert language_of_most(texts) == language


DAY = 86_400.0
ENTRY = Memory(
    id="0123456789abcdef", kind="fact", text="花园的门是绿的", origin="user", scope="agent", subject="user", agent="a",
    thread_id="", message_id=None, evidence="", source="", importance=0.7, decay_rate=0.02, emotion=0.0, pinned=False,
    due_at=None, state="active", superseded_by="", created_at=0.0, valid_from=0.0, valid_to=None, accessed_at=0.0,
    access_count=0, association_count=0,
)  # fmt: skip
KEPT = [
    {"kind": "preference"}, {"kind": "document"}, {"pinned": True}, {"due_at": DAY}, {"due_at": 9 * DAY},
    {"due_at": -2 * DAY}, {"due_at": -0.1 * DAY}, {"access_count": 1, "accessed_at": -DAY},
    {"access_count": 12, "accessed_at": -30 * DAY}, {"accessed_at": -0.5 * DAY}, {"accessed_at": -400 * DAY},
    {"access_count": 3, "accessed_at": -400 * DAY}, {"importance": 0.19999999, "decay_rate": 0.0},
]  # fmt: skip


@pytest.mark.parametrize("changes", KEPT)
def test_why_an_entry_is_kept_is_told_in_chinese(changes: dict[str, Any], policies: Policies) -> None:
    reason = policies.retention(replace(ENTRY, **changes), 0.0, 0.2).reason
    told = reason_kept(reason, "zh")
    assert re.search("[\u4e00-\u9fff]", told) and not re.search("[A-Za-z]", told), told
    assert re.findall(r"\d[\d.]*", told) == re.findall(r"\d[\d.]*", reason.replace("once", "1"))
    assert reason_kept(reason, "en") == reason


@pytest.mark.parametrize("reason", ["kept: it is about the garden", "0.30: last used by Ann", "花园里的事"])
def test_what_a_policy_of_ones_own_says_stays_in_its_words(reason: str) -> None:
    assert reason_kept(reason, "zh") == reason
