"""What somebody says in the place of what they just said is what is remembered; nothing else is taken for that."""

from __future__ import annotations

import pytest
from talking import Talk

MEANT: list[tuple[list[str], str]] = [
    (["My favourite colour is green. No wait, blue."], "My favourite colour is blue"),
    (["My favourite colour is green, no wait, blue."], "My favourite colour is blue"),
    (["My favourite colour is green. Oh no, sorry, I meant blue, not green!"], "My favourite colour is blue"),
    (["My favourite colour is green.", "No wait, blue."], "My favourite colour is blue"),
    (["I live in Leeds. Sorry, Bradford."], "I live in Bradford"),
    (["My wife's birthday is 12 May.", "sorry, I meant 21 May"], "My wife's birthday is 21 May"),
    (["My wife's birthday is 12 May.", "I meant 21 May, not 12."], "My wife's birthday is 21 May"),
    (["My dentist visit is on Tuesday at 3pm.", "Sorry, Wednesday."], "My dentist visit is on Wednesday at 3pm"),
    (["I have two kids. Sorry, three kids."], "I have three kids"),
    (["My sister is called Anna.", "Wait, no, Anne."], "My sister is called Anne"),
    (["My phone number is 555-0142.", "Oops, 555-0143."], "My phone number is 555-0143"),
    (
        ["Our flight to Porto is on 3 March at 6:45 from Manchester.", "No wait, it's from Leeds."],
        "Our flight to Porto is on 3 March at 6:45 from Leeds",
    ),
    (["我最喜欢的颜色是绿色。不对，蓝色。"], "我最喜欢的颜色是蓝色"),
    (["我最喜欢的颜色是绿色，不对，是蓝色。"], "我最喜欢的颜色是蓝色"),
    (["我最喜欢的颜色是绿色。", "说错了，是蓝色。"], "我最喜欢的颜色是蓝色"),
    (["我住在苏州，不对，无锡。"], "我住在无锡"),
    (["我老婆的生日是5月12日。", "不好意思，我是说5月21日。"], "我老婆的生日是5月21日"),
    (["我的手机号是13800001234。", "打错了，是13800001235"], "我的手机号是13800001235"),
    (["I have two brothers.", "Sorry, I meant two cousins."], "I have two cousins"),
    (["My son is a baker.", "No wait, a butcher."], "My son is a butcher"),
    (["My birthday is 2 August.", "I got my birthday wrong, it's 3 August."], "my birthday is 3 August"),
    (["我有两个哥哥", "说错了，是两个表哥"], "我有两个表哥"),
    (["我儿子在一中", "说错了，是在二中"], "我儿子在二中"),
    (["我对花生过敏", "说错了，是对核桃过敏"], "我对核桃过敏"),
    (["我的生日是八月初二", "我的生日说错了，是农历八月初三"], "我的生日是农历八月初三"),
    (["我妈血糖又高了，医生加了二甲双胍", "不对，是格列美脲，我记错了"], "我妈血糖又高了，医生加了格列美脲"),
    (["周四下午要去看牙。", "不对，是挪到周五"], "周五下午要去看牙"),
    (["The dentist is on Tuesday at 4.", "No wait, it was moved to Friday."], "The dentist is on Friday at 4"),
    (["The dentist is on Tuesday at 4.", "It's not Tuesday, it's Wednesday."], "The dentist is on Wednesday at 4"),
    (["周三下午要去看牙。", "是周四，不是周三"], "周四下午要去看牙"),
    (["我妈的手术在12号。", "不是12号，是13号"], "我妈的手术在13号"),
    (["我下周三要去看牙医。", "刚才说的不对，是周四"], "我下周四要去看牙医"),
    (["我下个星期三要去看牙医。", "说得不对，是星期四"], "我下个星期四要去看牙医"),
    (["I fly next Wednesday.", "What I said before is wrong, it's Thursday."], "I fly next Thursday"),
    (["I have the dentist next Wednesday.", "I got that wrong, it's Friday."], "I have the dentist next Friday"),
    # Which of the words is meant cannot be told.
    (["我对花生过敏。", "说错了，是核桃。"], "我对花生过敏; 说错了，是核桃"),
]  # fmt: skip


@pytest.mark.parametrize(("messages", "meant"), MEANT)
def test_what_was_meant_is_remembered_and_what_was_said_is_not(talk: Talk, messages: list[str], meant: str) -> None:
    talk.say(*messages)
    assert talk.texts() == [meant]


@pytest.mark.parametrize(
    ("stated", "next_words"),
    [
        ("My favourite colour is green.", "Sorry, I didn't catch that."),
        ("My favourite colour is green.", "Sorry, my name is Tom."),
        ("My favourite colour is green.", "No wait, let me think."),
        ("My favourite colour is green.", "Sorry, busy."),
        ("My favourite colour is green.", "Wait, blue?"),
        ("My flight is at 6:45.", "Wait, 3 more things."),
        ("I live in Leeds.", "I mean seriously."),
        ("I live in Leeds.", "Sorry, typo."),
        ("I live in Leeds.", "Wait, Bob is calling"),
        ("我住在苏州。", "不对，应该是你弄错了。"),
        ("我住在苏州。", "对不起，我是说谢谢你。"),
        ("我最喜欢的颜色是绿色。", "不对，你答错了。"),
        ("我有两个哥哥", "我老板说错了，是两点"),
        ("我有两个哥哥", "我妈说错了，是两点"),
        ("My birthday is 2 August.", "I got my birthday wrong, it's what I meant to say"),
    ],
)
def test_other_words_after_a_pause_mend_nothing(talk: Talk, stated: str, next_words: str) -> None:
    (first,) = talk.say(stated).added
    assert not talk.say(next_words).superseded
    assert first.text in talk.texts()


def test_only_the_statement_just_before_is_mended(talk: Talk) -> None:
    talk.say("I live in Leeds.", "Thanks.", "Sorry, Bradford.")
    assert talk.texts() == ["I live in Leeds"]


@pytest.mark.parametrize(
    "messages",
    [
        ["我的生日是八月初二", "我有两个哥哥", "说错了，是两个表哥"],
        ["我的生日是八月初二", "我的生日说错了，是八月初三", "我有两个哥哥", "说错了，是两个表哥"],
        ["My birthday is 2 August.", "I have two brothers.", "Sorry, I meant two cousins."],
    ],
)
def test_the_message_before_is_mended_and_nothing_else(talk: Talk, messages: list[str]) -> None:
    talk.say(*messages[:-2])
    kept = set(talk.texts())
    talk.say(messages[-2])
    stated = set(talk.texts()) - kept
    talk.say(messages[-1])
    mended = set(talk.texts()) - kept
    assert kept < set(talk.texts())
    assert len(stated) == len(mended) == 1 and stated != mended


@pytest.mark.parametrize(
    ("stated", "said", "meant"),
    [
        ("我吃的优甲乐是50微克", "说错了，优甲乐是75微克不是50", "优甲乐是75微克"),
        ("我妈生日是12月5号", "记错了，我妈生日是12月15号，不是5号", "我妈生日是12月15号"),
        (
            "My dentist is on the 4th",
            "I said it wrong, my dentist is on the 5th, not the 4th",
            "my dentist is on the 5th",
        ),
    ],
)
def test_what_is_said_anew_mends_what_gave_the_wrong_value(talk: Talk, stated: str, said: str, meant: str) -> None:
    talk.say(stated, "I have a dog called Rex.", "Thanks.", said)
    assert meant in talk.texts()
    assert stated not in talk.texts()


@pytest.mark.parametrize(
    ("stated", "said"),
    [
        ("房租一个月2800", "说错了，学费是3800，不是5800"),
        ("My rent is 900 a month.", "I said it wrong, the gym is 40, not 30"),
        ("我家有两只猫", "医生说错了，药是早上吃不是晚上"),
    ],
)
def test_what_gives_no_wrong_value_is_not_mended(talk: Talk, stated: str, said: str) -> None:
    (first,) = talk.say(stated).added
    written = talk.say(said)
    assert not written.superseded and not written.in_part
    assert first.text in talk.texts()


def test_two_that_differ_in_that_word_are_both_kept(talk: Talk) -> None:
    talk.say("我对花生过敏", "我对虾仁过敏", "说错了，是对核桃过敏")
    assert "我对花生过敏" in talk.texts()
