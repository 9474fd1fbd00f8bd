"""Corrections in all kinds of words take the place of what they correct; what holds as well stays. English and
Chinese."""

from __future__ import annotations

import pytest
from talking import START, Talk

from localagent.policy import ImportancePolicy
from localagent.stated import stated

CORRECTED = [
    ("I work at Siemens.", "I don't work at Siemens any more, I'm at Bosch since Monday."),
    ("My haircut is on Tuesday at 4pm.", "The salon rescheduled my haircut to Friday at 2pm."),
    ("I have a dentist appointment on 3 December.", "The dentist moved my appointment to 15 December."),
    ("The review is on Monday.", "Not Monday, the review is on Wednesday."),
    ("My daughter is seven years old.", "My daughter is eight now."),
    ("Let's go with option B.", "I changed my mind, option C."),
    ("We ship on Tuesday.", "Actually, we ship on Wednesday."),
    ("I smoke.", "I quit smoking."),
    ("I play the violin.", "I stopped playing the violin."),
    ("We use Postgres for the shop.", "We switched from Postgres to MySQL."),
    ("I'm flying to Lisbon in June.", "I'm not flying to Lisbon after all."),
    ("My car is a red Fiat.", "I sold the Fiat and drive a blue Skoda now."),
    ("The rent is 900 euros a month.", "The rent went up to 950 euros a month."),
    ("我在华为上班。", "我换工作了，现在在腾讯上班。"),
    ("我12月3日上午要看牙。", "牙医把我的看牙改到12月15日了。"),
    ("评审会在周一。", "不是周一，评审会在周三。"),
    ("我女儿七岁了。", "我女儿八岁了。"),
    ("我们选方案B吧。", "我改主意了，选方案C。"),
    ("我们周二发布。", "其实我们周三发布。"),
    ("我抽烟。", "我戒烟了。"),
    ("我下周要去北京。", "我不去北京了。"),
    ("我住在南京。", "我不住南京了，现在住苏州。"),
    ("我在学意大利语。", "意大利语我放弃了，现在学希腊语。"),
    ("我的经理是王芳。", "我的经理换成赵强了。"),
    ("备用钥匙放在柜子里。", "备用钥匙挪到花盆下面了。"),
]
APART = [
    ("I go to the gym on Monday.", "I go to the gym on Thursday too."),
    ("I call my mother every Sunday.", "I call my mother every Wednesday as well."),
    ("I have yoga on Tuesdays.", "I have yoga on Fridays."),
    ("I like tea.", "I like coffee now too."),
    ("The port of alpha-1 is 8001.", "The port of alpha-2 is 8002."),
    ("The deadline of project Heron is 3 May.", "The deadline of project Osprey is 9 May."),
    ("For client Acme, always write in German.", "For client Zenith, always write in French."),
    ("My sister is allergic to nuts.", "I'm not allergic to nuts."),
    ("My sister smokes.", "I quit smoking."),
    ("I like coffee.", "I gave up coffee cake."),
    ("我周一去健身房。", "我周四也去健身房。"),
    ("我每周二上瑜伽课。", "我每周五上瑜伽课。"),
    ("我喜欢喝茶。", "咖啡我现在也喜欢了。"),
    ("甲项目的负责人是李雷。", "乙项目的负责人是韩梅。"),
    ("一号机的端口是8001。", "二号机的端口是8002。"),
    ("给客户恒达写邮件一律用英文。", "给客户天宇写邮件一律用日文。"),
    ("我妹妹对花生过敏。", "我对花生不过敏。"),
    ("我大女儿八岁。", "我小女儿五岁。"),
]


def note(talk: Talk, rules: ImportancePolicy, text: str) -> None:
    """Also what the rules would not note by themselves."""
    if not talk.say(text).memories:
        talk.remember.add(stated(text.rstrip(".。"), rules, START, agent="a", thread_id=talk.thread.id))


@pytest.mark.parametrize(("older", "newer"), CORRECTED)
def test_a_correction_in_other_words(talk: Talk, rules: ImportancePolicy, older: str, newer: str) -> None:
    note(talk, rules, older)
    (first,) = talk.memories.select()
    ((old, new),) = talk.say(newer).superseded
    assert old.id == first.id
    assert [memory.id for memory in talk.memories.select()] == [new.id]


@pytest.mark.parametrize(("one", "other"), APART)
def test_what_holds_as_well_stays(talk: Talk, rules: ImportancePolicy, one: str, other: str) -> None:
    note(talk, rules, one)
    assert not talk.say(other).superseded
    assert one.rstrip(".。") in talk.texts()


@pytest.mark.parametrize("form", ["The port of alpha-{n} is 80{n:02}.", "第{n}组的负责人是8{n:02}号员工。"])
def test_many_of_one_wording(talk: Talk, form: str) -> None:
    for number in range(1, 15):
        assert talk.say(form.format(n=number)).added
    assert len(talk.texts()) == 14


@pytest.mark.parametrize("text", ["The library no longer supports Python 3.8.", "这个库不再支持3.8了。"])
def test_news_that_correct_nothing_are_not_noted(talk: Talk, text: str) -> None:
    before = talk.texts()
    talk.say("I like tea.", text)
    assert talk.texts("event") == before


@pytest.mark.parametrize(
    ("one", "other"),
    [("I go to the gym on Monday", "I go to the gym on Thursday"), ("我周一去健身房", "我周四去健身房")],
)
def test_what_is_written_by_hand_stays_beside_the_like(
    talk: Talk, rules: ImportancePolicy, one: str, other: str
) -> None:
    for text in (one, other):
        talk.remember.add(stated(text, rules, START, agent="a", thread_id=talk.thread.id))
    assert sorted(talk.texts()) == sorted([one, other])
