"""Conditions, allergies, medicines and a doctor's advice: of oneself and of others, with whose they are."""

from __future__ import annotations

import pytest

from localagent.policy import Extracted, Policies, Said


def found_in(policies: Policies, text: str) -> list[Extracted]:
    return list(policies.importance(Said("user", text, 1_773_223_200.0, 9), ()))


@pytest.mark.parametrize(
    "text",
    [
        "I take 5 mg of bisoprolol",
        "The doctor doubled my bisoprolol to 10 mg",
        "I'm on metformin, 500 mg twice a day",
        "I was diagnosed with asthma in 2019",
        "I have a peanut allergy",
        "GP says I'm perimenopausal",
        "I can't eat kiwi, my mouth swells up",
        "我喝不得咖啡，一喝心慌",
        "我不吃芒果，一吃就起疹子",
        "I suffer from migraines",
        "I had heart surgery in 2020",
        "My blood pressure is 150 over 90",
        "My doctor told me to drink less coffee",
        "My doctor said I should avoid salt",
        "我在吃布洛芬",
        "我每天早上吃一片阿司匹林",
        "医生让我少吃盐",
        "医生把我的氨氯地平加到10毫克",
        "我做过心脏搭桥手术",
        "我血压有点高",
        "I hurt my back",
        "I broke my left wrist skiing in January",
        "I'm using a blue inhaler for asthma",
        "我把脚崴了",
        "我左手腕骨折了，三个月不能打球",
    ],
)
def test_of_oneself(policies: Policies, text: str) -> None:
    (found,) = found_in(policies, text)
    assert (found.kind, found.text, found.scope) == ("profile", text, "all")


@pytest.mark.parametrize(
    "text",
    [
        "My daughter Mia can't eat gluten",
        "My mum takes warfarin",
        "My son has a nut allergy",
        "My cat has kidney disease",
        "Pia is vegetarian since last week",
        "Pia is a vegetarian now",
        "Theo is scared of dogs",
        "涵涵怕狗",
        "我妈吃不得海鲜",
        "Our vet says Rex has arthritis",
        "我老婆对青霉素过敏",
        "我爸高血压",
        "我妈心脏不好",
        "我奶奶去年中风了",
        "医生建议我爸戒烟",
        "我家狗对鸡肉过敏",
        "Milo is allergic to peanuts",
        "Leo and Mia are coeliac",
        "Tom takes 5 mg of ramipril",
        "Emma, my niece, has asthma",
        "小满对花生过敏",
        "朵朵从小对牛奶过敏",
        "李小明对青霉素过敏",
        "老李有糖尿病",
        "豆豆不能吃鸡蛋",
        "My son has torn his hamstring",
        "我老婆腰扭伤了",
    ],
)
def test_of_others_it_is_theirs(policies: Policies, text: str) -> None:
    (found,) = found_in(policies, text)
    assert (found.kind, found.text) == ("relationship", text)


@pytest.mark.parametrize(
    ("text", "entries"),
    [
        ("我妈妈住在南京，她有高血压。", ["我妈妈住在南京", "我妈妈有高血压"]),
        ("我弟弟在深圳上班，他有糖尿病。", ["我弟弟在深圳上班", "我弟弟有糖尿病"]),
        ("我女儿三岁了，她叫朵朵，对花生过敏。", ["我女儿三岁了", "我女儿叫朵朵", "我女儿对花生过敏"]),
        ("我有高血压，每天吃5毫克氨氯地平。", ["我有高血压", "我每天吃5毫克氨氯地平"]),
        ("I'm diabetic and take 500 mg of metformin.", ["I'm diabetic", "I take 500 mg of metformin"]),
        ("I'm lactose intolerant and my son is coeliac.", ["I'm lactose intolerant", "my son is coeliac"]),
        ("My mother has diabetes and lives in Leeds.", ["My mother has diabetes", "My mother lives in Leeds"]),
        (
            "My doctor is Dr. Shah. She told me to avoid ibuprofen.",
            ["My doctor is Dr. Shah", "My doctor is Dr. Shah; She told me to avoid ibuprofen"],
        ),
        (
            "My daughter is called Mia. She loves dogs. She has asthma.",
            ["My daughter is called Mia", "My daughter is called Mia; She has asthma"],
        ),
        ("我女儿叫朵朵。她对花生过敏。", ["我女儿叫朵朵", "我女儿叫朵朵; 她对花生过敏"]),
        ("我昨天去看了医生，他让我少吃盐", ["我昨天去看了医生，他让我少吃盐"]),
    ],
)
def test_each_half_says_whose_it_is(policies: Policies, text: str, entries: list[str]) -> None:
    found = found_in(policies, text)
    assert [entry.text for entry in found] == entries
    assert all(entry.evidence in text for entry in found)


@pytest.mark.parametrize("text", ["The doctor doubled my bisoprolol to 10 mg", "医生把我的氨氯地平加到10毫克"])
def test_a_changed_dose_may_take_the_place_of_the_old_one(policies: Policies, text: str) -> None:
    (found,) = found_in(policies, text)
    assert found.replaces


@pytest.mark.parametrize(
    "text",
    [
        "Do you think I have diabetes?",
        "If I have diabetes, can I eat rice?",
        "What are the side effects of 5 mg bisoprolol?",
        "I took the bus to work",
        "I have a question",
        "I have a headache today",
        "GP says I'm fine",
        "Quorn is vegan",
        "Bistro Verde is a vegetarian restaurant",
        "Pia is scared of losing the match",
        "这个菜吃不得",
        "I have anxiety about the exam",
        "I had asthma as a child",
        "I have a problem with my thyroid code",
        "My doctor said hello",
        "My doctor recommended a good book",
        "My boss told me to avoid jargon",
        "He is allergic to penicillin.",
        "我有问题",
        "我吃过药了",
        "医生说没事",
        "医生怎么说？",
        "老师让我多读书",
        "我用药店的会员卡",
        "Nobody is allergic to that",
        "Everyone has anxiety",
        "In the film Max has asthma",
        "很多人对花粉过敏",
        "人人对花粉过敏",
        "小麦蛋白过敏",
        "小麦有锈病",
        "白领有颈椎病",
        "常年对花粉过敏",
        "故事里小满对花生过敏",
        "I broke the back of the work",
        "I broke my back over this report",
        "He hurt my feelings",
        "我腿断了似的累",
    ],
)
def test_what_is_no_such_fact(policies: Policies, text: str) -> None:
    assert found_in(policies, text) == []


@pytest.mark.parametrize(
    ("text", "kind"),
    [
        ("Remind me to take 5 mg of bisoprolol tonight", "todo"),
        ("I have to take my medicine at 8", "todo"),
        ("医生让我下周二去复查", "event"),
    ],
)
def test_what_is_to_be_done_stays_that(policies: Policies, text: str, kind: str) -> None:
    (found,) = found_in(policies, text)
    assert found.kind == kind
