"""Changes that share no word with what they change: a journey that goes elsewhere, food, hours, doses, deaths."""

from __future__ import annotations

import pytest
from talking import Talk

LINKED: list[tuple[str, str]] = [
    ("I'm single.", "I got married."),
    ("My sister is engaged.", "My sister got married."),
    ("My wife works at Siemens.", "My wife retired last month."),
    ("我结婚了。", "我离婚了。"),
    ("我姐怀孕了。", "我姐生了，是个男孩。"),
    ("我儿子上幼儿园。", "我儿子上小学了。"),
    ("我和小李合租。", "我现在一个人住。"),
    ("老婆在银行上班。", "老婆辞职了。"),
    ("My day rate is 0.10 per word.", "I've raised my rate to 0.14, old clients still pay 0.12."),
    ("My favourite author is Ian McEwan.", "Now my favourite is Ali Smith."),
    ("我最喜欢的作家是余华。", "现在我最喜欢的是莫言。"),
    ("Please never suggest meetings before 10am.", "Meetings at 9:30 are fine now."),
    ("请不要在上午十点前安排会议。", "现在九点半开会也可以了。"),
    ("I'm a vegetarian.", "I'm vegan now."),
    ("My dog is called Biscuit.", "We had to put Biscuit down yesterday."),
    ("We're flying to Lisbon in May.", "Forget Lisbon, we're flying to Athens instead."),
    ("We're going to Rome in May.", "Change of plans: we're going to Oslo instead."),
    ("We're going to Crete in June.", "Scrap that, Crete's too hot, we're going to Norway."),
    ("五月我们要去罗马旅游。", "计划变了，我们改去奥斯陆。"),
    ("我打算暑假去大连。", "大连太热了，改去青岛。"),
    ("I have yoga on Mondays.", "Yoga is on Wednesdays now."),
    ("I don't eat meat.", "I eat meat again."),
    ("我有哮喘。", "我现在没有哮喘了。"),
    ("Keep answers short.", "You can give longer answers now."),
    ("国庆我要去成都玩。", "不去成都了，改去重庆。"),
    ("I take 5 mg of bisoprolol.", "The doctor doubled it to 10 mg."),
    ("I take 50 mcg of levothyroxine.", "My levothyroxine went up to 75 mcg."),
    ("My rent is 900 euros.", "My rent went up to 950."),
    ("我的时薪是100元。", "我的时薪涨到120了。"),
    ("I swim on Tuesdays.", "I've moved my swimming to Thursdays."),
    ("I'm a vegetarian.", "I eat fish these days."),
    ("I'm vegetarian.", "I've started eating meat again."),
    ("I don't drink alcohol.", "I drink wine these days."),
    ("We have a dog called Biscuit.", "Biscuit died yesterday."),
    ("My grandmother lives in Leeds.", "My grandmother passed away last week."),
    ("My friend Tom lives in Paris.", "Tom died last week."),
    ("我家养了一只狗叫豆豆。", "豆豆昨天走了。"),
    ("我奶奶住在南京。", "我奶奶上周去世了。"),
    ("My dad takes warfarin.", "We lost Dad last spring."),
    ("我爸爸在邮局上班。", "爸爸去世了。"),
    ("我姥爷喜欢钓鱼。", "姥爷没了。"),
    ("My sister works at Siemens.", "My sister was laid off in January."),
    ("I have a weekend job at the bookshop.", "I lost my job at the bookshop."),
    ("I do an evening course in pottery.", "I dropped my pottery course."),
    ("I go to the gym in Smithfield three times a week.", "The gym closed down."),
    ("我每周去三次香港路的健身房。", "香港路的健身房倒闭了。"),
    ("I take sertraline.", "I came off sertraline."),
    ("I take amlodipine for my blood pressure.", "The doctor switched me to ramipril."),
    ("我每天早上吃阿司匹林。", "医生让我改吃他汀了。"),
    ("My wife is pregnant.", "My wife gave birth on Tuesday."),
    ("我儿子在上大学。", "我儿子六月毕业了。"),
]
APART: list[tuple[str, str]] = [
    ("我单身。", "我妹妹结婚了。"),
    ("我在小学当老师。", "我儿子上小学了。"),
    ("我儿子上幼儿园。", "我女儿上小学了。"),
    ("I'm single.", "My sister got married."),
    ("I work at Siemens.", "My wife got laid off on Friday."),
    ("My favourite colour is green.", "My favourite author is Ali Smith."),
    ("My sister's favourite author is Ian McEwan.", "Now my favourite is Ali Smith."),
    ("We're going to Crete in June.", "We're going to Norway in August."),
    ("五一我要去日本旅游。", "国庆我要去泰国旅游。"),
    ("My sister is going to Crete in June.", "Scrap that, we're going to Norway."),
    ("I take 5 mg of bisoprolol.", "I also take 10 mg of ramipril."),
    ("I take 5 mg of bisoprolol.", "They raised my ramipril to 10 mg."),
    ("My rent is 900 euros.", "My electricity bill went up to 95."),
    ("I swim on Tuesdays.", "I've moved my running to Thursdays."),
    ("I'm a vegetarian.", "My husband eats fish these days."),
    ("I'm a vegetarian.", "I eat a lot of tofu these days."),
    ("I'm a vegetarian.", "I cook fish for my cat these days."),
    ("Please never suggest meetings before 10am.", "Lunch at 12:30 is fine now."),
    ("My grandmother lives in Leeds.", "My aunt passed away last week."),
    ("I have a dog called Biscuit.", "Tom died yesterday."),
    ("My friend Tom lives in Paris.", "My friend Anna died last week."),
    ("我奶奶住在南京。", "我外婆上周去世了。"),
    ("I go to the gym in Smithfield.", "The pool closed down."),
    ("I wear glasses.", "I lost my glasses."),
    ("I have a mortgage of 900 a month.", "I paid off the car loan."),
    ("My mum takes warfarin.", "Dad was switched to apixaban."),
    ("我爷爷住在南通。", "我爷爷走了两公里才到医院。"),
]


@pytest.mark.parametrize(("old", "new"), LINKED)
def test_a_change_is_linked_with_what_it_changes(talk: Talk, old: str, new: str) -> None:
    (first,) = talk.say(old).added
    written = talk.say(new)
    assert {before.id for before, _ in (*written.superseded, *written.in_part)} == {first.id}


@pytest.mark.parametrize(("old", "new"), APART)
def test_another_thing_or_person_is_not(talk: Talk, old: str, new: str) -> None:
    (first,) = talk.say(old).added
    written = talk.say(new)
    assert not written.superseded and not written.in_part
    assert talk.memories.get(first.id).state == "active"


def test_what_is_known_of_somebody_who_died_is_kept_and_marked(talk: Talk) -> None:
    talk.say("We have a dog called Biscuit and a cat called Mimi.")
    ((old, new),) = talk.say("Biscuit died yesterday.").in_part
    assert old.state == "active" and talk.memories.corrections([old.id]) == {old.id: [new.text]}


def test_a_dose_that_is_not_named_corrects_none_of_several(talk: Talk) -> None:
    talk.say("I take 5 mg of bisoprolol.", "I take 20 mg of lisinopril.")
    written = talk.say("The doctor doubled it to 40 mg.")
    assert not written.superseded
