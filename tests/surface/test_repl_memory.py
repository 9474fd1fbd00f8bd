"""Memory from within a conversation, at a real pseudo-terminal: the real program with a scripted model."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from memory_program import Here
from program import scripted
from pty_terminal import Terminal

Chat = Callable[..., Terminal]
ID = re.compile(r"\b[0-9a-z]{16}\b")


@pytest.fixture
def chat(tmp_path: Path) -> Iterator[Chat]:
    """Opens `localagent`; the model always says the same, and the embedder knows words alone."""
    opened: list[Terminal] = []
    (tmp_path / "script.yaml").write_text("{loop: true, steps: ['the answer, 答案。']}", encoding="utf-8")

    def open_chat(**variables: str) -> Terminal:
        chosen = {
            "LOCALAGENT_HOME": str(tmp_path / "home"),
            "LOCALAGENT_MODEL_PROVIDER": "scripted",
            "LOCALAGENT_MODEL_MODEL_NAME": str(tmp_path / "script.yaml"),
            "LOCALAGENT_MEMORY_EMBEDDER": "words",
            **variables,
        }
        terminal = Terminal(tmp_path / "home", program=("-m", "localagent"), rows=40, columns=120, **chosen)
        opened.append(terminal)
        terminal.wait_for_prompt()
        return terminal

    yield open_chat
    for terminal in opened:
        terminal.close()


def after(terminal: Terminal, command: str, wanted: str) -> str:
    """Type a command and wait for what it says; what is on the screen from it on."""
    echo = f"> {command}\n"
    before = terminal.text().count(echo)
    terminal.say(command)
    shown = terminal.wait_for(lambda text: text.count(echo) > before and wanted in text.rpartition(echo)[2])
    return shown.rpartition(echo)[2]


def search_until(terminal: Terminal, query: str, found: str = r"(?:vector|向量) (?!0\.00)") -> str:
    """What is remembered is embedded in the background: search until that has been done."""
    for _ in range(100):
        shown = after(terminal, f"/memory search {query}", "\n>")
        if re.search(found, shown):
            return shown
    raise AssertionError(f"{query!r} never finds {found!r}: {terminal.text()}")


def test_what_was_written_and_used_stands_beside_the_answer(chat: Chat) -> None:
    terminal = chat()
    terminal.say("Please remember that I always drink green tea without sugar.")
    shown = terminal.wait_for("1 written")
    assert shown.index("the answer") < shown.index("1 written"), "beside the answer, after it"
    terminal.wait_for(re.compile(r"^ +.*green tea", re.MULTILINE))
    search_until(terminal, "green tea")
    terminal.say("/new")
    terminal.wait_for("new thread")
    terminal.say("Which tea do I drink, green tea or black tea?")
    terminal.wait_for(re.compile(r"\d+ (memor(y|ies)|earlier messages?).* used.* · /why"))
    why = after(terminal, "/why", "green tea")
    assert re.search(r"used for this answer:|in every prompt:", why)
    assert "green tea" in after(terminal, "/why green tea", "it is there:")


def test_what_why_names_can_be_looked_up(chat: Chat, tmp_path: Path) -> None:
    terminal = chat()
    terminal.say("花园的门密码是 4711，别忘了。 Where is the garden gate?")
    terminal.wait_for("the answer")
    after(terminal, "/remember 花园里有两扇门", "花园里有两扇门")
    search_until(terminal, "花园")
    after(terminal, "/new", "新会话")
    terminal.say("花园里有两扇门，花园的门密码是 4711，对吗？")
    terminal.wait_for(re.compile("/why$", re.MULTILINE))
    assert "花园里有两扇门" in after(terminal, "/why", "\n>")
    groups = re.findall(r"^ +(\d+)  ", after(terminal, "/why all", "\n>"), re.MULTILINE)
    assert groups[0] == "1"
    why = "".join(after(terminal, f"/why all {number}", "\n>") for number in groups)
    stored = Here(tmp_path / "home", tmp_path, {"LOCALAGENT_MEMORY_EMBEDDER": "words"})
    entries = re.findall(r"^  ([0-9a-z]{16})  事实  “(.*)”", why, re.MULTILINE)
    assert "花园里有两扇门" in dict(entries).values(), why
    for key, text in entries:
        assert stored("memory", "show", key).out.startswith(text)
    passages = re.findall(r"^  会话 ([0-9a-z]{16})，消息 (\d+)  “(.*)”", why, re.MULTILINE)
    assert passages, why
    for thread, message, text in passages:
        shown = stored("threads", "show", thread).out
        assert text in shown.split(f"，消息 {message}\n")[1].split("\n## ")[0]


def test_what_was_put_away_is_restored_before_it_is_pinned(chat: Chat) -> None:
    terminal = chat()
    terminal.say("Please remember that I always drink green tea without sugar.")
    terminal.wait_for("1 written")
    terminal.say("Forget that I always drink green tea without sugar.")
    shown = terminal.wait_for("put away")
    (key,) = set(ID.findall(shown))
    assert "archived" in after(terminal, f"/memory pin {key}", "localagent memory restore")
    assert "green tea" in after(terminal, f"/memory restore {key}", "restored: ")
    assert "green tea" in after(terminal, f"/memory restore {key}", "active already: ")
    assert "green tea" in after(terminal, f"/memory pin {key}", "pinned: ")


def test_an_entry_is_written_found_pinned_and_forgotten(chat: Chat) -> None:
    terminal = chat()
    assert "nothing is remembered yet" in after(terminal, "/memory", "/memory search QUERY,")
    after(terminal, "/remember 花园的门密码是 4711", "4711")
    listed = after(terminal, "/memory", "/memory search 查询、")
    (key,) = set(ID.findall(listed))
    assert after(terminal, "/memory list", "/memory search 查询、").count(key) == 1
    assert "花园的门密码是 4711" in (shown := after(terminal, f"/memory show {key[:12]}", "保留度"))
    assert re.search(rf"^编号 +{key}$", shown, re.MULTILINE)
    found = search_until(terminal, "花园密码", "花园的门密码是 4711")
    assert re.search(r"[01]\.\d\d  事实 · 您 · 刚刚", found) and "向量" in found
    assert "已置顶：" in after(terminal, f"/memory pin {key[:12]}", "4711")
    terminal.say(f"/memory forget {key}")
    terminal.wait_for("彻底删除这一条吗？ [y/N]")
    terminal.type("n\r")
    terminal.wait_for("什么都没有忘")
    terminal.say(f"/memory forget {key}")
    terminal.wait_for(lambda text: text.count("吗？ [y/N]") == 2)
    terminal.type("好的\r")
    terminal.wait_for("已删除 1 条")
    assert "nothing is remembered yet" in after(terminal, "/memory", "/memory search QUERY,")
    terminal.type("\x04")
    assert terminal.end() == 0


MISTAKES = {
    "/why": "no prompt is recorded",  # nothing was asked yet
    "/memory serch tea": "Did you mean /memory search?",
    "/memory 茶": "Did you mean /memory search 茶?",
    "/memory forget": "/memory forget needs ID",
    "/memory list all": "/memory list takes no argument",
    "/memory show 1234": "there is no entry",
    "/memory pin 00000000": "there is no entry",
    "/remember": "nothing to remember",
    "/remember ?!": "there is no word in it",
    "/memory add": "/memory add needs TEXT",
    "/memory search zebra": "nothing is near enough",
}


def test_mistakes_are_lines(chat: Chat) -> None:
    """And the conversation goes on after each."""
    terminal = chat()
    for number, (command, said) in enumerate(MISTAKES.items(), 1):
        after(terminal, command, said)
        terminal.say(f"and on {number}")
        terminal.wait_for(re.compile("the answer.*" * number, re.DOTALL))


def test_tab_completes_what_memory_does(chat: Chat) -> None:
    terminal = chat()
    terminal.type("/rem\t")
    terminal.wait_for("> /remember")
    terminal.type("\x03/memory se\t")
    terminal.wait_for("> /memory search")
    terminal.type("\x03")
    help_text = after(terminal, "/help", "/exit")
    assert all(name in help_text for name in ("/memory", "/remember TEXT", "/why", "search QUERY"))


def test_without_memory_the_conversation_goes_on(chat: Chat) -> None:
    terminal = chat(LOCALAGENT_MEMORY_ENABLED="false")
    terminal.say("Please remember that I drink tea.")
    terminal.wait_for("the answer")
    assert "memory is switched off" in after(terminal, "/memory", "memory.enabled")
    assert "written" not in terminal.text()


def test_a_hostile_memory_is_clean_on_the_screen(chat: Chat, tmp_path: Path) -> None:
    stored = Here(tmp_path / "home", tmp_path, {"LOCALAGENT_MEMORY_EMBEDDER": "words"})
    assert stored("memory", "add", "first \x1b]0;evil\x07one\x1b[2J</memory>", "--kind", "preference").code == 0
    terminal = chat()
    terminal.type("/remember safe \x1b[200~a\x1b]0;evil\x07b \x1b[2Jc\x1b[201~ text\r")
    terminal.wait_for(re.compile(r"remembered: \w+ 'safe ab c text'"))
    listed = after(terminal, "/memory", "/memory search QUERY,")
    assert "first one</memory>" in listed
    after(terminal, "hello", "the answer")
    assert "first one</memory>" in after(terminal, "/why", "in every prompt:")
    assert "\x1b]0;evil" not in terminal.raw and "\x1b[2J" not in terminal.raw


def test_the_context_names_the_wishes_and_what_the_last_prompt_recalled(chat: Chat) -> None:
    terminal = chat()
    first = after(terminal, "/context", "in all")
    assert "in every prompt" not in first and re.search(r"^wishes +none\nrecalled +none$", first, re.MULTILINE)
    wish = "请一直用中文回答那些关于花园里的两扇门和地下室里的那台旧锅炉以及它的保养的问题。"
    after(terminal, f"/remember {wish}", "记住了：偏好")
    after(terminal, "/remember The boiler in the cellar is serviced in May by the Hartmann company.", "remembered")
    search_until(terminal, "boiler cellar")
    terminal.say("Who serviced the boiler in the cellar, the Hartmann company?")
    terminal.wait_for(re.compile("/why$", re.MULTILINE))
    shown = after(terminal, "/context", "“The boiler in the cellar is")
    assert re.search(r"^wishes +~? *\d+ tokens$", shown, re.MULTILINE)
    assert re.search(r"^recalled +~? *\d+ tokens$", shown, re.MULTILINE)
    wishes, recalled = shown.partition("in every prompt:")[2].split("recalled for the last prompt, and still there:")
    assert wish in wishes.replace("\n    ", ""), "what is long goes on in the next row, set in"
    assert re.search(r"^  [0-9a-z]{16}  preference  “请一直用中文", wishes, re.MULTILINE)
    assert re.search(r"^  [0-9a-z]{16}  fact  “The boiler in the cellar is", recalled, re.MULTILINE)
    after(terminal, "/new", "new thread")
    assert "recalled for the last prompt" not in after(terminal, "/context", "请一直用中文")


def test_undo_says_what_it_leaves_remembered(chat: Chat) -> None:
    terminal = chat()
    after(terminal, "/remember 院子里有一口井", "记住了：事实")
    terminal.say("这件事你怎么看？")
    terminal.wait_for("the answer")
    after(terminal, "/remember 花园的门是绿的", "记住了：事实")
    shown = after(terminal, "/undo", "仍然记着")
    assert "花园的门是绿的" in shown and "井" not in shown, "what came before the exchange is not asked about"
    assert shown.index("已撤回") < shown.index("仍然记着")
    terminal.type("\x03")


def test_a_wish_that_has_no_room_is_told_at_once(chat: Chat) -> None:
    terminal = chat(LOCALAGENT_MEMORY_PREFERENCE_TOKENS="12")
    assert "放不下" not in after(terminal, "/remember 请用中文回答", "记住了：偏好")
    shown = after(
        terminal, "/remember Please always answer like an old friend from the far cold north would", "has no room"
    )
    assert "memory edit" in shown
    (key, *_) = ID.findall(shown)
    assert "pinned: " in after(terminal, f"/memory pin {key}", "has no room")


NOTICE_ZH = (
    "各位家长：\n我校定于9月1日开学。\n以后请家长一律走东门接送。\n请不要给孩子带零食。\n"
    "高攀路小学\n自愿购买保险20元。\n我的妈妈叫罗静。\n我长大了要当消防员。"
)
NOTICE_EN = (
    "Dear parents,\nPlease always use the east gate from now on.\nI live by the river and my name is Mr Hill.\n"
    "I decided that we meet at nine."
)


@pytest.mark.parametrize(
    ("own", "notice", "noted"),
    [
        ("我对花生过敏，帮我看下这个通知", NOTICE_ZH, "我对花生过敏"),
        ("I'm allergic to peanuts, here's the notice:", NOTICE_EN, "I'm allergic to peanuts"),
        ("I'm allergic to peanuts, here's the notice:", f"{NOTICE_EN}\n" * 4, "I'm allergic to peanuts"),  # folded
    ],
)
def test_of_what_is_pasted_nothing_is_noted_of_the_line_beside_it_what_it_says(
    chat: Chat, tmp_path: Path, own: str, notice: str, noted: str
) -> None:
    terminal = chat()
    terminal.type(own)
    terminal.type("\x1b\r")
    terminal.type(f"\x1b[200~{notice}\x1b[201~")
    terminal.wait_for(lambda text: "9" in text or "nine" in text or "#1]" in text)
    terminal.type("\r")
    terminal.wait_for("1 written" if own.isascii() else "记下 1 条")
    stored = Here(tmp_path / "home", tmp_path, {"LOCALAGENT_MEMORY_EMBEDDER": "words"})
    listed = stored("memory", "list", "--json").out
    assert noted in listed
    assert not any(word in listed for word in ("东门", "零食", "小学", "保险", "罗静", "消防", "gate", "river", "nine"))
    # Taken back and sent again it is still no word of the user's own; and so where it is asked once more.
    after(terminal, "/undo", "taken back" if own.isascii() else "已撤回")
    terminal.type("\r")
    terminal.wait_for(lambda text: text.count("the answer") == 2)
    after(terminal, "/retry", "the answer")
    assert stored("memory", "list", "--json").out.count('"text"') == 1


def test_a_pasted_line_is_as_good_as_typed_and_a_changed_paste_is_judged_by_its_shape(
    chat: Chat, tmp_path: Path
) -> None:
    terminal = chat()
    stored = Here(tmp_path / "home", tmp_path, {"LOCALAGENT_MEMORY_EMBEDDER": "words"})
    terminal.type("\x1b[200~I'm allergic to peanuts.\x1b[201~")
    terminal.wait_for("peanuts")
    terminal.type("\r")
    terminal.wait_for("1 written")
    # Not bracketed, as a burst of keys; then changed inside.
    terminal.type("what is it about?\rDear parents,\rI live on site.\rAlways use the gate")
    terminal.wait_for("  Always use the gate")
    terminal.type("\x1b[D\x1b[D\x1b[D\x1b[D")
    terminal.type("X")
    terminal.wait_for("the Xgate")
    terminal.type("\r")
    terminal.wait_for(lambda text: text.count("the answer") == 2)
    terminal.wait_for_prompt(3)
    listed = stored("memory", "list", "--json").out
    assert "peanuts" in listed and "site" not in listed and "gate" not in listed


def test_what_is_written_in_the_editor_is_the_users_and_the_paste_in_it_is_not(chat: Chat, tmp_path: Path) -> None:
    editor = tmp_path / "editor"
    editor.write_text('#!/bin/sh\necho "I\'m allergic to peanuts." >> "$1"\n')
    editor.chmod(0o700)
    terminal = chat(EDITOR=str(editor), VISUAL=str(editor))
    terminal.type("\x1b[200~" + "I live in Oak Lane.\nMy name is Leo.\n" * 6 + "\x1b[201~")
    terminal.wait_for("[pasted 12 lines #1]")
    terminal.type("\x18\x05")
    terminal.wait_for(re.compile(r"^  I'm allergic to peanuts", re.MULTILINE))
    terminal.type("\r")
    terminal.wait_for("the answer")
    terminal.wait_for("1 written")
    listed = Here(tmp_path / "home", tmp_path, {"LOCALAGENT_MEMORY_EMBEDDER": "words"})("memory", "list", "--json").out
    assert "peanuts" in listed and "Leo" not in listed and "Oak" not in listed


@pytest.mark.parametrize(
    ("own", "brought", "noted"),
    [
        ("", f"各位家长：\n{NOTICE_ZH[6:]}", ""),
        ("我对花生过敏。\n\n", f"尊敬的业主/住户：\n{NOTICE_ZH[6:]}\n我司物业费调整为2.8元/平方米。", "花生"),
        ("我儿子作文你帮我改下嘛\n\n", "我的妈妈叫罗静。\n我长大了要当消防员。", ""),
        ("把下面这首歌词解释下\n", "我住在长江头，君住长江尾。", ""),
        ("", NOTICE_EN, ""),
        ("I'm allergic to peanuts.\n\n", f"To whom it may concern,\n{NOTICE_EN[14:]}", "peanuts"),
        ("My son's essay, please correct:\n\n", "I live by the river.\nI want to be a firefighter.", ""),
    ],
)
def test_asked_without_a_terminal_it_is_told_by_its_shape(tmp_path: Path, own: str, brought: str, noted: str) -> None:
    program = Here(tmp_path / "home", tmp_path, scripted(tmp_path, "{loop: true, steps: ['yes, 是的.']}"))
    assert program("ask", own + brought).code == 0
    entries = program("memory", "list", "--json").json()
    assert len(entries) == bool(noted) and all(noted in entry["text"] for entry in entries)
