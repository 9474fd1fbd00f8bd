"""The lines that tell what was written: how they fit a terminal, and what of them can be copied."""

from __future__ import annotations

import re

import pytest
from hypothesis import given
from hypothesis import strategies as st
from talking import Talk

from localagent.columns import columns, cut
from localagent.written import Unclear, Written

# A long line breaks at words, but not these.
COMMAND = re.compile(r"localagent memory \w+ [0-9a-z]{16}")
LONG = "My flat in the Gartenstrasse has 3 rooms, a balcony to the south and a cellar that is damp in winter"
LONG_ZH = "我在花园路的公寓有三个房间，一个朝南的阳台，还有一个冬天潮湿的地下室，房租每月九百块，押一付三"


@pytest.mark.parametrize(
    "said",
    [
        ["I like coffee.", "I do not like coffee any more."],
        ["I live in Leeds.", "forget that I live in Leeds"],
        ["I have two kids, Leo (7) and Mia (4).", "Mia just turned 5!"],
        ["TODO: update the changelog", "I updated the changelog."],
        [f"{LONG}.", "The flat in the Gartenstrasse has 4 rooms."],
        ["我不喜欢香菜。", "我现在喜欢吃香菜了。"],
        ["我住在杭州。", "忘掉我住在杭州这件事"],
        ["下周五下午三点从上海虹桥坐高铁去北京。", "高铁改到周六了。"],
    ],
)
def test_what_takes_a_change_back_stands_on_a_row_of_its_own(talk: Talk, said: list[str]) -> None:
    talk.say(*said[:-1])
    (line,) = talk.say(said[-1]).lines()
    first, undo = line.split("\n")
    assert undo.startswith("  undo: ") and COMMAND.search(undo)
    assert columns(undo) <= 56, "it stands on one row of 60 columns, set in"
    assert not COMMAND.search(first) and columns(first) <= 2 * 110


def test_the_command_does_what_it_says(talk: Talk) -> None:
    (old,) = talk.say("I like coffee.").added
    (line,) = talk.say("I do not like coffee any more.").lines()
    found = COMMAND.search(line)
    assert found is not None
    talk.memories.restore(found[0].split()[-1])
    assert talk.texts() == [old.text]


@pytest.mark.parametrize(
    ("said", "shown"),
    [
        ("Don't remember this: my pension is 2,340 euros.", "my pension is 2,340 euros."),
        (f"Keep this private: {LONG}.", "My flat in the Gartenstrasse…"),
        ("别记这个：我的工资是每月12000元。", "我的工资是每月12000元。"),
        (f"别告诉别人：{LONG_ZH}。", "我在花园路的公寓有三个房间，…"),
        ("The gate opens at 10:45, but don't save that.", "The gate opens at 10:45, but…"),
    ],
)
def test_what_is_not_remembered_is_told_in_one_short_line(talk: Talk, said: str, shown: str) -> None:
    (line,) = talk.say(said).lines()
    assert line == f"not remembered: '{shown}' (if wrong: localagent memory add TEXT)"


@pytest.mark.parametrize(
    "request_", [Unclear("all", (), everything=True), Unclear("the boat", ()), Unclear(LONG_ZH, ())]
)
def test_a_request_that_forgets_nothing_says_what_to_do(request_: Unclear) -> None:
    (line,) = Written(unclear=(request_,)).lines()
    assert line.startswith("nothing forgotten") and "localagent memory " in line


@given(st.text(), st.integers(1, 40))
def test_a_text_is_cut_to_the_columns_there_are(text: str, room: int) -> None:
    shown = cut(text, room)
    assert shown == text if columns(text) <= room else columns(shown) <= room
    assert shown == text or text.startswith(shown[:-1])


@given(st.text(st.sampled_from("ab 你好，。（é1️⃣👩🏽‍💻👨‍👩‍👧❤️🇩🇪한각\u0301नमस्ते"), max_size=30), st.integers(1, 20))
def test_what_is_cut_fits_and_is_not_cut_apart(text: str, room: int) -> None:
    shown = cut(text, room)
    assert columns(shown) <= room and text.startswith(shown.removesuffix("…"))
    assert shown in (text, "…") or not text[len(shown) - 1 :].startswith(("\u200d", "\ufe0f", "\u0301"))


@pytest.mark.parametrize(
    ("text", "fills"),
    [("é", 1), ("好", 2), ("👍🏽", 2), ("👨‍👩‍👧", 2), ("❤️", 2), ("1️⃣", 2), ("🇩🇪", 2), ("각", 2), ("", 0)],
)
def test_what_is_joined_is_as_wide_as_one(text: str, fills: int) -> None:
    assert columns(text) == fills and columns(text * 3) == 3 * fills
