"""What a request to forget names by having been told is forgotten, and the request is neither noted nor recalled."""

from __future__ import annotations

import pytest
from talking import Talk
from test_forgetting import passages_of


@pytest.mark.parametrize(
    "text",
    [
        "Let's pretend I never told you about the smoking.",
        "Act as if I'd never mentioned the loan",
        "就当我没跟你说过抽烟的事",
        "Please forget the sertraline thing, all of it.",
        "Forget about Jule's pay.",
        "Delete everything about Maeve.",
        "You can drop what I said about my therapist.",
        "Scrap everything on the savings plan, please.",
        "I'd rather you didn't keep the bit about the summer house.",
        "I'd prefer if you forgot the part about Lena.",
        "Don't keep anything about the lawsuit.",
        "Get rid of everything you noted about the loan.",
        "Forget that whole visa business.",
        "别再记得我开什么车了。",
        "请忘掉安眠药的事。",
        "安眠药那条不用记了。",
        "安眠药的事不用存了",
        "安眠药那件事，忘了吧",
        "离婚那事就别记了",
        "我贷款的事别再记着了",
        "麻烦删掉我说过的面试的事",
    ],
)
def test_a_request_is_neither_noted_nor_recalled_and_is_told(talk: Talk, text: str) -> None:
    written = talk.say(text)
    (line,) = written.lines()
    assert line.startswith("nothing forgotten: no entry is clearly") and not written.memories and not talk.texts()
    (passage,) = passages_of(talk)
    assert text in passage.outdated


@pytest.mark.parametrize(
    ("said", "going", "request_"),
    [
        (["I like tea."], ["I take sertraline every morning."], "Please forget the sertraline thing, all of it."),
        (["I like tea."], ["My sister Maeve lives in Rome.", "Maeve is allergic to nuts."],
         "Delete everything about Maeve."),
        (["I like tea."], ["My therapist is called Ada."], "You can drop what I said about my therapist."),
        (["我喜欢喝茶。"], ["我的护照号码是E1234。", "护照明年八月到期。"], "忘了我跟你说的护照的事"),
        (["我喜欢喝茶。"], ["我的护照号码是E1234，明年八月到期。", "护照换了新的，2036年到期"],
         "忘了我跟你说的护照的事"),
        (["我周五要去超市买牛奶。"], ["我的护照还在办，明年八月到期。"], "护照的事别再记着了"),
    ],
)  # fmt: skip
def test_all_of_it_is_forgotten(talk: Talk, said: list[str], going: list[str], request_: str) -> None:
    kept = talk.say(*said).added
    talk.say(*going)
    assert len(talk.texts()) > 1
    talk.say(request_)
    assert talk.texts() == [memory.text for memory in kept]


@pytest.mark.parametrize(
    ("said", "request_"),
    [
        ("Is sertraline bad with coffee?", "Forget the sertraline thing."),
        ("护照快到期了怎么办？", "忘了我跟你说的护照的事"),
    ],
)
def test_nor_is_what_a_message_says_of_it_recalled(talk: Talk, said: str, request_: str) -> None:
    talk.say(said, request_)
    assert not talk.texts()
    first, request = passages_of(talk)
    assert said in first.outdated and request.outdated


@pytest.mark.parametrize(
    ("first", "again"),
    [
        ("Please forget what I told you about Tessa.", "Forget everything about Tessa."),
        ("Forget Leo's school year", "Forget the school year thing"),
        ("请忘掉我跟你说的小婷的事", "忘掉关于小婷的一切"),
    ],
)
def test_an_earlier_request_says_nothing_of_it(talk: Talk, first: str, again: str) -> None:
    for asks in (first, again):
        (line,) = talk.say(asks).lines()
        assert line.startswith("nothing forgotten: no entry is clearly")


@pytest.mark.parametrize(
    "text",
    [
        "She pretends I never told her about the smoking.",
        "Pretend I never mentioned cookies in the README.",
        "当我没说的时候",
        "Delete the file.",
        "Scrap that plan B section.",
        "Drop the table.",
        "Delete everything in the folder.",
        "Scrap everything in the draft.",
        "Scrap everything on the whiteboard.",
        "Remove everything about cookies from the README.",
        "Remove the bit about pricing.",
        "Forget the small stuff.",
        "Forget about Monday's meeting.",
        "Don't keep the receipts.",
        "I forgot about Jule's pay.",
        "Did you delete everything about Maeve?",
        "忘了带钥匙",
        "忘了开会的事",
        "你忘了开会的事吗？",
        "开会的事我都忘了",
        "别记错我的名字",
        "删掉这个文件",
        "把文件夹里的东西都删掉",
    ],
)
def test_work_and_news_are_no_requests(talk: Talk, text: str) -> None:
    assert not any("forg" in line for line in talk.say(text).lines())
    assert not any(passage.outdated for passage in passages_of(talk))


@pytest.mark.parametrize(
    "said",
    [
        "我吃安眠药，周五要去超市买牛奶。",
        "安眠药吃完了，我明年搬家。",
        "安眠药快没了，妹妹明年结婚。",
        "我在开安眠药，下周手术。",
        "我的安眠药吃完了，下周三出差。",
    ],
)
def test_what_the_same_sentence_says_of_something_else_is_kept(talk: Talk, said: str) -> None:
    talk.say(said, "安眠药的事忘了吧")
    assert all("安眠药" not in text for text in talk.texts()) and talk.texts()
