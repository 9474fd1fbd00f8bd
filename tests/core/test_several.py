"""What holds of several things at once: another one is added, unless the older one is said to be over."""

from __future__ import annotations

import pytest
from talking import Talk

from localagent.same_thing import speaks_of_another
from localagent.statements import repeats, statement


@pytest.mark.parametrize(
    ("older", "newer"),
    [
        ("I can play the piano", "I can play the violin"),
        ("I can speak French", "I can speak Japanese"),
        ("Dad has diabetes", "Dad has high blood pressure"),
        ("I take aspirin daily", "I take statins daily"),
        ("The doctor told me to cut down on salt", "The doctor told me to cut down on sugar"),
        ("My daughter is allergic to eggs", "My daughter is allergic to dust mites"),
        ("My husband doesn't eat lamb", "My husband doesn't eat fish"),
        ("My savings at Barclays are £30,000", "My loan at Lloyds is £20,000"),
        ("I'm on 75 mcg of levothyroxine", "I'm down to 78 kilos"),
        ("My mum has osteoporosis", "My mum has cataracts"),
        ("I drink milk every day", "I eat eggs every day"),
        ("小满喜欢画画", "小满喜欢恐龙"),
        ("我爸吃降压药", "我爸吃降糖药"),
        ("牙医让我少吃甜食", "牙医让我用牙线"),
        ("我会弹钢琴", "我会拉小提琴"),
        ("我会说法语", "我会说日语"),
        ("我爸有糖尿病", "我爸有高血压"),
        ("我每天吃阿司匹林", "我每天吃他汀"),
        ("医生让我少盐", "医生让我少吃糖"),
        ("医生叫我戒酒", "医生叫我多喝水"),
        ("我女儿对鸡蛋过敏", "我女儿对尘螨过敏"),
        ("我不喜欢吃香菜", "我不能吃海鲜"),
        ("以后每次给我列点，不要大段文字", "别给我过生日"),
        ("我在招商银行有三十万存款", "我在工商银行有贷款二十万"),
        ("在吃优甲乐，每天75微克，毫克那种不吃", "瘦到七十八公斤了"),
    ],
)
def test_another_one_is_added(older: str, newer: str) -> None:
    assert speaks_of_another(newer, older)


@pytest.mark.parametrize(
    ("older", "newer"),
    [
        ("I take aspirin daily", "I take statins instead"),
        ("I take one amlodipine a day", "I take two amlodipine a day"),
        ("I'm allergic to eggs", "I'm no longer allergic to eggs"),
        ("I only drink tea", "I only drink coffee"),
        ("I like short answers", "I like long answers"),
        ("I can come at five", "I can come at six"),
        ("The doctor told me to take 20 mg of statins", "The doctor told me to take 40 mg of statins"),
        ("I weigh 85 kilos", "I'm down to 78 kilos"),
        ("I have a loan of £20,000", "I paid off the loan from my savings"),
        ("My son likes dinosaurs", "My son doesn't like dinosaurs"),
        ("我每天吃阿司匹林", "我改吃他汀了"),
        ("我对鸡蛋过敏", "我对鸡蛋不过敏了"),
        ("我喜欢画画", "我不喜欢画画了"),
        ("我爸吃降压药", "我爸的降压药换成缬沙坦了"),
        ("我每天喝牛奶", "我改喝豆浆了"),
        ("I drink milk every day", "I drink oat milk every day"),
        ("我喜欢简短的回答", "我喜欢详细的回答"),
        ("医生让我每天吃一片", "医生让我每天吃两片"),
        ("我体重八十五公斤", "我瘦到七十八公斤了"),
        ("我每天吃一片他汀", "我每天吃两片他汀"),
        ("不要用英文回答", "不要用中文回答"),
    ],
)
def test_one_that_says_that_the_other_is_over_or_changed_is_no_addition(older: str, newer: str) -> None:
    assert not speaks_of_another(newer, older)


def test_another_amount_in_tens_of_thousands_is_no_repetition() -> None:
    older, newer = statement("我在招商银行有三十万存款"), statement("我在招商银行的存款现在只有十万了")
    assert (older.numbers, newer.numbers) == (("300000",), ("100000",))
    assert not repeats(newer, older)


def test_what_the_doctor_said_stands_beside_what_they_said_before(talk: Talk) -> None:
    said = ["医生让我少盐", "医生让我少吃糖", "医生让我多走路"]
    talk.say(*said)
    assert sorted(talk.texts()) == sorted(said)
