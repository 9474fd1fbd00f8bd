"""What a request to forget leaves out stays: "my asthma, not my son's". English and Chinese."""

from __future__ import annotations

import pytest
from playing import Played
from talking import Talk

from localagent.excepted import excepted
from localagent.heard import Hearing
from localagent.memory.entries import Add, Memory, NewMemory
from localagent.named_freely import meant_freely


def noted(talk: Talk, *texts: str) -> list[Memory]:
    talk.memories.write([Add(NewMemory("fact", text, scope="all")) for text in texts])
    return talk.memories.select()


@pytest.mark.parametrize(
    ("texts", "request_", "gone"),
    [
        (("I have asthma", "My son has asthma"), "Forget my asthma, not my son's.", "I have asthma"),
        (("I have asthma", "My son has asthma"), "Forget my son's asthma, not mine.", "My son has asthma"),
        (("My salary is 4200", "My wife's salary is 5100"), "Forget my salary but not my wife's", "My salary is 4200"),
        (("我有哮喘", "我儿子有哮喘"), "把我的哮喘忘了，不是我儿子的", "我有哮喘"),
        (("我的工资是四千", "我妻子的工资是五千"), "忘掉我的工资，不是我妻子的。", "我的工资是四千"),
    ],
)
def test_what_is_left_out_stays(talk: Talk, texts: tuple[str, ...], request_: str, gone: str) -> None:
    noted(talk, *texts)
    written = talk.say(request_)
    assert [one.text for one in written.forgotten] == [gone]
    assert talk.texts() == [text for text in texts if text != gone] and not written.memories


def test_of_an_own_thing_to_drop_it_asks(talk: Talk) -> None:
    noted(talk, "I have asthma", "My son has asthma")
    (line,) = talk.say("drop my asthma please, not my son's").lines()
    assert "'I have asthma'" in line and "son" not in line and len(talk.texts()) == 2


@pytest.mark.parametrize(
    "text",
    ["Drop my kids at school at eight.", "Remove my jacket from the picture.", "Lose my temper, who, me?",
     "Delete my last paragraph."],
)  # fmt: skip
def test_other_things_to_drop_are_no_request(talk: Talk, text: str) -> None:
    noted(talk, "I have asthma", "My temper is short in the mornings", "My kids go to Elm School")
    assert not any("forgotten" in line for line in talk.say(text).lines()) and len(talk.texts()) >= 3


@pytest.mark.parametrize(
    ("text", "left"),
    [
        ("forget my flat, not the office", "the office"),
        ("delete my rent (not my brother's)", "my brother's"),
        ("forget my car, but keep my bike", "my bike"),
        ("wipe my pay rather than Tom's", "Tom's"),
        ("忘掉我的房租，别动我弟弟的", "我弟弟的"),
        ("forget that I like tea, not coffee", ""),
        ("let's keep my diagnosis out of this in future", ""),
        ("I'd rather you didn't keep the bit about the summer house", ""),
        ("我不是老师", ""),
    ],
)
def test_what_a_request_leaves_out(text: str, left: str) -> None:
    front, but = excepted(text)
    assert but == left and text.startswith(front)


@pytest.mark.parametrize(
    ("entry", "asked"),
    [
        ("Please keep your answers short in future", "let's keep my diagnosis out of this in future"),
        ("Please write more carefully from now on", "please, I want my pay gone from now on"),
        ("以后回答请简短一点", "以后请把我的诊断拿走"),
        ("请你从今往后叫我小林", "从今往后请把我的病抹去"),
    ],
)
def test_when_and_how_it_is_asked_names_nothing(talk: Talk, entry: str, asked: str) -> None:
    assert meant_freely(asked, noted(talk, entry), []) == ([], [])


@pytest.mark.parametrize(
    ("entry", "asked"),
    [
        ("I have three kids: Max, Lily and Tom", "remove Lily"),
        ("My friends are Ann and Bo", "no more of Bo, wipe that"),
        ("我有三个孩子：大宝、二宝和小宝", "把二宝拿掉"),
    ],
)
def test_one_of_several_is_asked_about(talk: Talk, entry: str, asked: str) -> None:
    (memory,) = noted(talk, entry)
    assert meant_freely(asked, [memory], []) == ([], [memory])


@pytest.mark.parametrize(
    "text",
    ["forget to remind me of bingo, ha", "Fiona told me to forget about the trip to Kew", "忘了提醒我打麻将",
     "妈妈叫我把黄山的旅行忘掉"],
)  # fmt: skip
def test_what_somebody_forgets_is_no_request(text: str) -> None:
    played = Played()
    played.silent[text] = ("forget", 0.99)
    assert not Hearing(lambda: played).of(text).forgets
