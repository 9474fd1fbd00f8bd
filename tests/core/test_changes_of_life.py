"""A new employer, a move, a plan that is given up: what held before is superseded."""

from __future__ import annotations

import pytest
from talking import Talk

from localagent.memory.entries import Kind

REPLACED: list[tuple[str, str, Kind]] = [
    ("I work at Siemens.", "I changed jobs, I'm at Kolibri now.", "profile"),
    ("I work at Siemens.", "I don't work at Siemens any more, I joined a startup called Kolibri last week.", "profile"),
    ("I work at Siemens.", "I got a new job at Kolibri.", "profile"),
    ("我在腾讯上班。", "我换工作了，去了字节跳动。", "profile"),
    ("我在腾讯做后端开发。", "我跳槽到字节跳动了。", "profile"),
    ("我在腾讯上班。", "我不在腾讯了。", "profile"),
    ("我在腾讯上班。", "我离职了。", "profile"),
    ("我在腾讯上班。", "我上周入职了字节跳动。", "profile"),
    ("我住在北京。", "我上个月搬到杭州了。", "profile"),
    ("我住在北京。", "上个月我搬到杭州了。", "profile"),
    ("我妹妹韩梅住在北京。", "我妹妹韩梅搬到上海了。", "relationship"),
    ("My sister lives in Paris.", "My sister moved to Rome.", "relationship"),
    ("I live in Leeds.", "We moved to Stuttgart last month.", "profile"),
    ("My phone number is 555-0142.", "My number is now 555-0199", "profile"),
    ("My phone number is 555-0142.", "I have a new phone number, it's 555-0199.", "profile"),
    ("My email is a@b.example.", "My email has changed, it's c@d.example.", "profile"),
    ("我的手机号是13800001234。", "我换手机号了，新号码是13900005678。", "profile"),
    ("我的邮箱是a@b.example。", "我的邮箱换了，新的是c@d.example。", "profile"),
    ("我的电话是13800001234。", "电话改成0512-555-8888了。", "profile"),
    ("我的房租是三千五。", "房租现在三千八。", "profile"),
    ("My weight is 82 kg.", "I'm down to 79 kg.", "profile"),
    ("我的体重是82公斤。", "我瘦到79公斤了。", "profile"),
    ("I'm allergic to penicillin.", "I'm not allergic to penicillin.", "profile"),
    ("我对青霉素过敏。", "我对青霉素不过敏。", "profile"),
    ("德语课每周二九点开始。", "从下周起德语课改成十点开始。", "fact"),
    ("面馆早上五点开门。", "面馆现在六点开门。", "fact"),
    ("I moved to Porto.", "Never mind, I'm staying in Lisbon.", "profile"),
    ("我搬到杭州了。", "算了，我还是留在上海。", "profile"),
]


@pytest.mark.parametrize(("old", "new", "kind"), REPLACED)
def test_what_holds_now_takes_the_place_of_what_held(talk: Talk, old: str, new: str, kind: Kind) -> None:
    (first,) = talk.say(old).added
    ((before, after),) = talk.say(new).superseded
    assert before.id == first.id and after.kind == kind
    assert talk.texts() == [new.rstrip(".。")]


# What the older one says besides is still so: whose age it is, on which day.
IN_PART: list[tuple[str, str]] = [
    ("My sister Anna lives in Paris.", "My sister lives in Rome now."),
    ("My daughter Mia is seven.", "Mia turned eight yesterday."),
    ("我女儿米娅七岁。", "米娅昨天满八岁了。"),
    ("The German course starts at 9 on Tuesdays.", "From next week it starts at 10 instead of 9."),
    ("My doctor's appointment is on Monday at 9:30.", "They changed my appointment to Wednesday at 11."),
]


@pytest.mark.parametrize(("old", "new"), IN_PART)
def test_what_changes_a_part_stands_beside_the_rest(talk: Talk, old: str, new: str) -> None:
    (first,) = talk.say(old).added
    ((before, after),) = talk.say(new).in_part
    assert before.id == first.id and talk.texts() == [first.text, after.text]


@pytest.mark.parametrize(
    ("said", "new"),
    [
        (["I work at Siemens."], "My wife works at Bosch."),
        (["My sister lives in Paris."], "My brother moved to Rome."),
        (["My sister Anna lives in Paris."], "My sister Mia moved to Oslo."),
        (["My sister Anna lives in Paris.", "My sister Mia lives in Oslo."], "My sister lives in Rome now."),
        (["我妹妹住在北京。"], "我弟弟搬到上海了。"),
        (["I live in Rome."], "I used to live in Paris."),
        (["I live in Rome."], "We moved to Kubernetes."),
        (["I live in Rome."], "We moved to Friday."),
        (["The flight is at 6:40."], "The flight is on 22 December."),
        (["My daughter Mia is seven."], "My son Leo is eight."),
        (["My daughter Mia is seven."], "Leo turned eight."),
        (["My phone number is 555-0142."], "My locker number is now 12."),
        (["I like tea."], "I'm not sure about tea."),
        (["我的手机号是13800001234。"], "我的柜子号码现在是12。"),
        (["我女儿米娅七岁。"], "小雨昨天满八岁了。"),
        (["我住在北京。"], "我以前住在巴黎。"),
    ],
)
def test_what_is_of_somebody_else_or_past_replaces_nothing(talk: Talk, said: list[str], new: str) -> None:
    talk.say(*said)
    before = talk.texts()
    assert not talk.say(new).superseded
    assert talk.texts()[: len(before)] == before


@pytest.mark.parametrize("text", ["I used to live in Paris.", "I lived in Paris for ten years.", "我以前住在巴黎。"])
def test_where_somebody_lived_before_is_no_profile(talk: Talk, text: str) -> None:
    talk.say(text)
    assert talk.texts("profile") == []


@pytest.mark.parametrize(
    ("plan", "off"),
    [
        ("I'm flying to Oslo on 14 December.", "The trip to Oslo is off."),
        ("I'm flying to Oslo on 14 December.", "My flight to Oslo was cancelled."),
        ("I'm flying to Oslo on 14 December.", "I'm not going to Oslo."),
        ("五一我要去日本旅游。", "日本不去了。"),
        ("我打算十月去北京出差。", "十月不去北京了。"),
    ],
)
def test_a_journey_that_is_called_off(talk: Talk, plan: str, off: str) -> None:
    (first,) = talk.say(plan).added
    assert first.kind == "event"
    ((before, _),) = talk.say(off).superseded
    assert before.id == first.id


def test_only_the_journey_to_that_place_is_called_off(talk: Talk) -> None:
    talk.say("我打算十月去北京出差。", "五一我要去日本旅游。", "北京不去了。")
    assert "五一我要去日本旅游" in talk.texts() and "我打算十月去北京出差" not in talk.texts()
    talk.say("I'm flying to Oslo on 14 December.")
    assert not talk.say("The trip to Rome is off.").superseded


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("我不吃辣。", "其实我现在可以吃辣了。"),
        ("I don't eat spicy food.", "Actually I can eat spicy food now."),
    ],
)
def test_what_one_can_do_again(talk: Talk, old: str, new: str) -> None:
    talk.say(old)
    assert len(talk.say(new).superseded) == 1


@pytest.mark.parametrize(
    "text",
    [
        "Remind me: what's the dog's name?",
        "Remind me, when is my flight?",
        "提醒我一下，预算是怎么说的？",
        "老板说我应该一直用制表符。",
        "Let's deploy on Fridays, said no one ever.",
        "周五上线，想都别想。",
    ],
)
def test_a_question_and_the_words_of_others_are_no_task(talk: Talk, text: str) -> None:
    assert talk.say(text).lines() == []


@pytest.mark.parametrize(
    "said", ["房租涨了，现在6200", "另一台叫太白，有四张A100显卡", "仓库扩建了，现在800平米", "停车费降了，一共30元"]
)
def test_a_value_is_noted_with_what_it_is_of(talk: Talk, said: str) -> None:
    talk.say(f"{said}。")
    assert talk.texts() == [said]


@pytest.mark.parametrize(
    ("said", "noted"),
    [
        ("豆包今年三岁，可乐五岁。", ["豆包今年三岁", "可乐五岁"]),
        ("我住在杭州，今年30岁。", ["我住在杭州", "我今年30岁"]),
    ],
)
def test_what_has_a_subject_is_noted_by_itself(talk: Talk, said: str, noted: list[str]) -> None:
    talk.say(said)
    assert talk.texts() == noted
