"""A statement and its exception are one entry; what is only joined by "but" is not. English and Chinese."""

from __future__ import annotations

import pytest

from localagent.policy import Policies, Said


def texts(policies: Policies, text: str) -> list[str]:
    return [one.text for one in policies.importance(Said("user", text, 1_773_223_200.0, 9), ())]


@pytest.mark.parametrize(
    "text",
    [
        "I'm vegetarian, but I eat fish",
        "I'm a vegetarian but I do eat fish",
        "I speak French, but I can't write it",
        "I hate seafood, but I love sushi",
        "I'm allergic to nuts, but almonds are fine",
        "I go running every day except on Sundays",
        "Except on Sundays, I run every day",
        "Although I'm vegetarian, I eat fish",
        "My wife is vegan, but she eats honey",
        "Answer in English, except for code",
        "I don't drive, but I cycle to work",
        "I never sleep before midnight, but I get up at six",
        "I'm allergic to cats, but I have two cats",
        "我对猫过敏，但我养了两只",
        "我不熬夜，但我每天七点起床",
        "我吃素，但吃鱼",
        "我不吃肉，不过鸡肉可以",
        "我喜欢水果，但不喜欢榴莲",
        "我对坚果过敏，但杏仁没事",
        "我对青霉素过敏，但对头孢不过敏",
        "我会说法语，但不会写",
        "我老婆吃素，但她吃鸡蛋",
        "虽然我吃素，但我吃鱼",
        "除了周日，我每天跑步",
        "我晚上不喝茶，不过花茶没问题",
        "请用中文回答，代码除外",
        "以后都用中文回答，但代码注释用英文",
        "以后都用简短的回答，除非我要求详细",
    ],
)
def test_an_exception_stays_with_its_statement(policies: Policies, text: str) -> None:
    assert texts(policies, f"{text}.") == [text]


@pytest.mark.parametrize(
    ("text", "entry"),
    [
        ("I don't drink. Except at New Year.", "I don't drink; Except at New Year"),
        ("I'm vegetarian. But I eat fish.", "I'm vegetarian; But I eat fish"),
        ("我吃素。但吃鱼。", "我吃素; 但吃鱼"),
        ("我不喝酒。除了过年。", "我不喝酒; 除了过年"),
    ],
)
def test_also_in_the_next_sentence(policies: Policies, text: str, entry: str) -> None:
    (found,) = policies.importance(Said("user", text, 1_773_223_200.0, 9), ())
    assert (found.text, found.evidence) == (entry, text)


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("I'm vegetarian, but can you suggest something with tofu?", ["I'm vegetarian"]),
        ("I'm vegan, but thanks for the recipe.", ["I'm vegan"]),
        ("I don't smoke, but my husband does.", ["I don't smoke"]),
        ("I'm a nurse, but I hate hospitals.", ["I'm a nurse", "I hate hospitals"]),
        ("I live in Leeds. But I was born in York.", ["I live in Leeds", "I was born in York"]),
        ("I don't eat meat, but I moved to Leeds.", ["I don't eat meat", "I moved to Leeds"]),
        ("I don't drink. But you do.", ["I don't drink"]),
        ("我吃素，但今天想问你个问题。", ["我吃素"]),
        ("我不抽烟，但我老公抽。", ["我不抽烟"]),
        ("我喜欢咖啡，但是我老婆喜欢茶。", ["我喜欢咖啡", "我老婆喜欢茶"]),
        ("我是护士，但我讨厌医院。", ["我是护士", "我讨厌医院"]),
        ("我住在上海，但我老家是武汉。", ["我住在上海", "我老家是武汉"]),
        ("I don't drink, but I work at BP.", ["I don't drink", "I work at BP"]),
        ("I don't eat meat, but I have a dog.", ["I don't eat meat", "I have a dog"]),
        ("I don't drive, but I own a van.", ["I don't drive", "I own a van"]),
        ("我不喝水，但我在BP上班。", ["我不喝水", "我在BP上班"]),
        ("我不抽烟，但我有哮喘。", ["我不抽烟", "我有哮喘"]),
        ("我吃素。但是你呢？", ["我吃素"]),
    ],
)
def test_what_is_something_else_is_apart(policies: Policies, text: str, found: list[str]) -> None:
    assert texts(policies, text) == found
