"""What is taken back as a joke gives no entry; what is said beside it does. And wishes of which each half counts."""

from __future__ import annotations

import pytest

from localagent.policy import Policies, Said


def texts(policies: Policies, text: str, *earlier: str) -> list[str]:
    before = [Said("user", one, 1_773_223_100.0, at) for at, one in enumerate(earlier)]
    return [one.text for one in policies.importance(Said("user", text, 1_773_223_200.0, 9), before)]


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("Just kidding, my name is Batman", []),
        ("My name is Batman. Just kidding!", []),
        ("I'm called Batman, just kidding.", []),
        ("My name is Batman. Just kidding, my name is Ada.", ["my name is Ada"]),
        ("I live in Rome. My name is Batman. Just kidding! I like tea.", ["I live in Rome", "I like tea"]),
        ("开玩笑的，我叫蝙蝠侠", []),
        ("我叫蝙蝠侠，开玩笑的", []),
        ("我叫蝙蝠侠。开玩笑啦，我叫小明。", ["我叫小明"]),
        ("I live in a castle... in my dreams", []),
        ("I own a yacht, in my dreams", []),
        ("My name is Bond. April fool!", []),
        ("I live in Hawaii – if only", []),
        ("I'm engaged! Not true, haha", []),
        ("I live in Rome. I was promoted. Then I woke up.", ["I live in Rome"]),
        ("我升职了，做梦的", []),
        ("我住在故宫，骗你的", []),
        ("我被谷歌录用了。愚人节快乐！", []),
        ("我怀孕了。骗你的啦，哈哈", []),
        ("I married a goat. Only codding!", []),
        ("I live on the moon, I'm only having you on", []),
        ("I eat 40 eggs a day, but I'm only kidding", []),
        ("I was born in 1492. (joke)", []),
        ("My name is Bond. No, I'm only messing with you.", []),
        ("我是秦始皇，哈哈开玩笑的", []),
        ("我有十个老婆，骗你玩的", []),
        ("No joke, I live in Rome", ["I live in Rome"]),
        ("I'm vegan. No joke.", ["I'm vegan"]),
        ("I moved to Cork. No messing!", ["I moved to Cork"]),
        ("My wife is pregnant, no kidding!", ["My wife is pregnant, no kidding"]),
        ("I'm fooling around with a guitar, I live in Derry", ["I live in Derry"]),
        ("I live in Leeds. Just saying.", ["I live in Leeds"]),
        ("I live in Leeds. I wish you could see it", ["I live in Leeds"]),
        ("My son was born on April Fools' Day", ["My son was born on April Fools' Day"]),
        ("我每天晚上都做梦", ["我每天晚上都做梦"]),
        ("I love joking around", ["I love joking around"]),
        ("别开玩笑，我住在上海", ["我住在上海"]),
        ("我喜欢开玩笑", ["我喜欢开玩笑"]),
    ],
)
def test_a_joke_gives_nothing(policies: Policies, text: str, found: list[str]) -> None:
    assert texts(policies, text) == found


@pytest.mark.parametrize(
    ("joke", "text", "found"),
    [
        ("My name is Batman.", "Just kidding, my name is Ada.", ["my name is Ada"]),
        ("Nice weather.", "Just kidding, my name is Batman.", []),
        ("我叫蝙蝠侠", "开玩笑的，我叫小明", ["我叫小明"]),
    ],
)
def test_after_a_joke_in_the_message_before_the_truth_counts(
    policies: Policies, joke: str, text: str, found: list[str]
) -> None:
    assert texts(policies, text, joke) == found


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("请用中文简短回答，不要用表情符号", ["请用中文简短回答", "不要用表情符号"]),
        ("请不要在上午十点前安排会议", ["请不要在上午十点前安排会议"]),
        ("别在晚上八点以后安排电话会议", ["别在晚上八点以后安排电话会议"]),
        ("不对，过年去三亚，不回南京了", ["过年去三亚，不回南京了"]),
        ("No, we go to Rome, not to Paris", ["we go to Rome, not to Paris"]),
    ],
)
def test_each_half_counts(policies: Policies, text: str, found: list[str]) -> None:
    assert texts(policies, text) == found


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("summarise this mail, and by the way my name is Ada", ["my name is Ada"]),
        ("Translate the text, btw I'm allergic to nuts", ["I'm allergic to nuts"]),
        ("总结这封邮件，顺便说一下，我叫艾达", ["我叫艾达"]),
        ("帮我写一首诗，另外我对花生过敏", ["我对花生过敏"]),
        ("Write a letter that says by the way I live in Rome", []),
        ("Translate into French: I live in Rome, by the way my name is Ada", []),
        ("写一封信，顺便告诉他我住在罗马", []),
    ],
)
def test_what_is_said_beside_a_task_counts(policies: Policies, text: str, found: list[str]) -> None:
    assert texts(policies, text) == found


@pytest.mark.parametrize("text", ["请不要在上午十点前安排会议", "不要在周末安排会议", "请用中文简短回答"])
def test_what_is_never_to_be_planned_is_a_wish(policies: Policies, text: str) -> None:
    (found,) = policies.importance(Said("user", text, 1_773_223_200.0, 9), ())
    assert found.kind == "preference"


@pytest.mark.parametrize("text", ["不要在明天上午安排会议", "不要在这里开会"])
def test_what_holds_once_is_no_wish(policies: Policies, text: str) -> None:
    assert all(one.kind != "preference" for one in policies.importance(Said("user", text, 1_773_223_200.0, 9), ()))


@pytest.mark.parametrize(
    "text",
    [
        "I'm allergic to Mondays, haha",
        "I'm allergic to meetings 😂",
        "I'm allergic to work",
        "My boss is literally Satan",
        "My cat is literally the devil",
        "My kids are actual demons, lmao",
        "I drink a million coffees a day, haha",
        "I am 900 years old",
        "I'm married to my job, lol",
        "My blood type is coffee",
        "I have a hundred cats, lol",
        "I'm allergic to work calls",
        "我对星期一过敏，哈哈",
        "我对开会过敏",
        "我老板就是撒旦本人",
        "我有五百岁了，笑死",
        "我每天喝一百杯咖啡，哈哈哈",
        "我老婆是女王，哈哈",
        "我的血型是咖啡，哈哈",
        "I'm 90, hahaha",
        "我八十了哈哈哈",
    ],
)
def test_what_cannot_be_so_gives_nothing(policies: Policies, text: str) -> None:
    assert texts(policies, text) == []
    assert list(policies.undecided(Said("user", text, 1_773_223_200.0, 9), ())) == []


@pytest.mark.parametrize(
    "text",
    [
        "I'm literally allergic to wasps",
        "My wife is literally a nurse",
        "My boss is literally called Ann",
        "I'm allergic to cats, lol",
        "I'm allergic to gym chalk",
        "I moved to York, haha, finally",
        "I'm married to a nurse, haha",
        "My grandmother is 102 years old",
        "My blood type is O negative",
        "My blood type is Bombay",
        "I'm allergic to squash",
        "I'm allergic to summer pollen",
        "We have two hundred sheep, lol",
        "My room is 233",
        "我的血型是熊猫血",
        "我的血型是ab型",
        "我对花生过敏，哈哈，好惨",
        "我对尘螨过敏",
        "我老婆是老师，哈哈",
        "我住在上海，哈哈",
        "我的血型是AB型",
        "I turned 50 today, haha!",
        "我三十了哈哈",
        "My grandmother is 80, haha",
    ],
)
def test_laughter_alone_takes_nothing_away(policies: Policies, text: str) -> None:
    assert len(texts(policies, text)) == 1
