"""Two wishes of different things hold beside each other, and one for a case beside the one for every case."""

from __future__ import annotations

import pytest
from talking import Talk

from localagent.linking import apart
from localagent.memory.entries import Add, NewMemory
from localagent.wished import names_called

BESIDE = [
    ("Call me Sue.", "Don't call me Susan."),
    ("Don't call me Susan.", "Don't call me before nine."),
    ("Call me Sue.", "Please don't call me Mrs Miller."),
    ("Don't call me Mrs Miller.", "Call me Sue."),
    ("Answer in English.", "Answer me in French on Sundays."),
    ("Answer in English.", "Answer me in German at work."),
    ("Keep your answers short.", "Keep your answers long at weekends."),
    ("Please don't use bullet points when you answer me.", "Don't use emojis when you answer, I can't stand them."),
    ("叫我小苏。", "别叫我苏苏。"),
    ("别叫我苏苏。", "别在九点前叫我。"),
    ("以后别叫我小名。", "叫我老王。"),
    ("用中文回答。", "周日用法语回答。"),
    ("用中文回答我。", "工作上的问题用英文回答我。"),
    ("回答我的时候请别用感叹号。", "回答我的时候请别用表格。"),
]


@pytest.mark.parametrize(("old", "new"), BESIDE)
def test_it_is_apart(old: str, new: str) -> None:
    assert apart(new, old)


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("Call me Sue.", "Call me Susan."),
        ("Call me Sue.", "Don't call me Sue, call me Susan."),
        ("Don't call me before nine.", "Don't call me before ten."),
        ("Answer in English.", "Answer in French from now on."),
        ("Answer in French on Sundays.", "Answer in Welsh on Sundays."),
        ("Don't use emojis.", "You can use emojis again."),
        ("Don't use emojis when you answer.", "Please don't use any emojis."),
        ("叫我小苏。", "以后叫我苏苏。"),
        ("以后喊我静姐", "算了还是喊我罗姐嘛，静姐听起怪"),
        ("用中文回答。", "以后用英文回答。"),
        ("周日用法语回答。", "周日用英语回答。"),
        ("别用表情。", "回答的时候别用表情符号。"),
    ],
)
def test_it_is_of_the_same(old: str, new: str) -> None:
    assert not apart(new, old)


UNITS = tuple(f"unit {number}" for number in range(20))
KNOWN = ("I'm Ines", "please call me Nes, everybody does")
KNOWN_ZH = ("我叫宁静", "叫我小宁")


@pytest.mark.parametrize(
    "text",
    ["call me Ines", "Actually, call me Ines again.", "please go back to calling me Ines, Nes sounds like a coffee",
     "I go by Ines", "I mostly go by Ines now.", "Everyone calls me Ines.",
     "I'd prefer to be called Ines.", "I'd rather you called me Ines.", "Don't call me Nes, call me Ines.",
     "Stop calling me Nes.", "Don't call me Nes any more.", "Refer to me as Ines.", "Ines is what I go by now.",
     "People call me Ines these days."],
)  # fmt: skip
def test_how_to_be_called_is_one_wish_and_no_name(talk: Talk, text: str) -> None:
    talk.say(*KNOWN)
    talk.memories.write([Add(NewMemory("preference", f"Use {unit} for lengths", scope="all")) for unit in UNITS])
    written = talk.say(text)
    assert [old.text for old, _ in written.superseded] == [KNOWN[1]] and not written.in_part
    assert talk.texts("profile") == [KNOWN[0]] and len(talk.texts("preference")) == len(UNITS) + 1


@pytest.mark.parametrize(
    "text",
    ["以后喊我阿宁", "别叫我小宁了", "不要再叫我小宁。", "还是叫我阿宁吧，小宁像小孩", "大家都叫我阿宁",
     "同事都管我叫阿宁。", "改口叫我阿宁", "我更喜欢别人叫我阿宁", "以后管我叫阿宁",
     "称呼我为宁女士", "店里人都喊我阿宁"],
)  # fmt: skip
def test_how_to_be_called_is_one_wish_in_chinese(talk: Talk, text: str) -> None:
    talk.say(*KNOWN_ZH)
    written = talk.say(text)
    assert [old.text for old, _ in written.superseded] == [KNOWN_ZH[1]] and not written.in_part
    assert talk.texts("profile") == [KNOWN_ZH[0]] and len(talk.texts("preference")) == 1


@pytest.mark.parametrize(
    "text",
    ["call me back", "Call me a taxi.", "I go by bike.", "I go by the rules.", "Everyone calls me for help.",
     "My boss calls me every morning.", "They call me in for night shifts.", "My doctor is called Ines.",
     "My daughter goes by Nes at school.", "Don't call me before nine.", "My mum calls me Bunny.", "I'm Ines Ferrer.",
     "早上七点叫我起床", "医生叫我戒烟", "老板叫我加班", "大家都叫我去", "我女儿叫小宁", "朋友叫我去吃饭"],
)  # fmt: skip
def test_who_rings_wakes_or_orders_calls_nobody_by_a_name(talk: Talk, text: str) -> None:
    talk.say(*(KNOWN if text.isascii() else KNOWN_ZH), text)
    assert (KNOWN if text.isascii() else KNOWN_ZH)[1] in talk.texts("preference")


def test_one_who_is_called_otherwise_at_work_is_called_so_beside(talk: Talk) -> None:
    talk.say("Call me Sue.", "Call me Dr Miller at work.", "Call me Susan.")
    assert talk.texts("preference") == ["Call me Dr Miller at work", "Call me Susan"]


@pytest.mark.parametrize("new", ["Call me Ines.", "I go by Ines."])
def test_a_name_that_is_told_with_how_to_be_called_stays(talk: Talk, new: str) -> None:
    both = "My name is Inés Ferrer and people call me Nes"
    talk.memories.write([Add(NewMemory("profile", both, scope="all"))])
    talk.say(new)
    assert talk.texts("profile") == [both]


def test_where_many_are_said_to_call_somebody_is_looked_at_at_once() -> None:
    for text in ("就" * 5000 + "朋友" * 5000 + "叫", "我朋友" * 5000, "everyone calls me " * 2000, "call me " * 5000):
        assert names_called(text, denied=True) is not None
