"""What somebody asks to have remembered: the thing itself is noted, not the asking. English and Chinese."""

from __future__ import annotations

import pytest

from localagent.policy import Extracted, Policies, Said


def found_in(policies: Policies, text: str) -> list[Extracted]:
    return list(policies.importance(Said("user", text, 1_773_223_200.0, 9), ()))


@pytest.mark.parametrize(
    ("text", "kind", "entry"),
    [
        ("Never forget that I'm allergic to latex.", "profile", "I'm allergic to latex"),
        ("Don't ever forget I have a pacemaker.", "profile", "I have a pacemaker"),
        ("Never, ever forget that I'm on warfarin.", "profile", "I'm on warfarin"),
        ("Do not forget that my son has asthma.", "relationship", "my son has asthma"),
        ("Don't you forget that I live on the third floor.", "profile", "I live on the third floor"),
        ("Make sure you remember I have asthma.", "profile", "I have asthma"),
        ("You must never forget I'm diabetic.", "profile", "I'm diabetic"),
        ("Don't forget my shoe size is 44.", "profile", "my shoe size is 44"),
        ("Remember my email ann@example.org", "fact", "my email ann@example.org"),
        ("Don't forget my dentist appointment tomorrow.", "event", "my dentist appointment tomorrow"),
        ("千万别忘了我对乳胶过敏。", "profile", "我对乳胶过敏"),
        ("永远别忘记我对青霉素过敏。", "profile", "我对青霉素过敏"),
        ("请不要忘记我老婆有糖尿病。", "relationship", "我老婆有糖尿病"),
        ("千万记得我对花生过敏。", "profile", "我对花生过敏"),
        ("绝对不能忘记我是左撇子。", "profile", "我是左撇子"),
        ("别忘了我的鞋码是44。", "profile", "我的鞋码是44"),
        ("记住我的车停在B2。", "fact", "我的车停在B2"),
        ("I parked on level 3, remember that", "fact", "I parked on level 3"),
        ("My shoe size is 44. Please don't forget it.", "profile", "My shoe size is 44"),
        ("I'm allergic to latex, keep that in mind, please", "profile", "I'm allergic to latex"),
        ("我对青霉素过敏，千万记住", "profile", "我对青霉素过敏"),
        ("我把备用钥匙放在花盆下面了，记一下", "fact", "我把备用钥匙放在花盆下面了"),
        ("收银机密码是447190，记到起", "fact", "收银机密码是447190"),
        ("我对虾过敏，记倒起", "profile", "我对虾过敏"),
        ("罗强手机号你记一下：13800001234", "fact", "罗强手机号：13800001234"),
        ("车牌号帮我记一哈：川A88231", "fact", "车牌号：川A88231"),
        ("My locker, write it down: B12-77", "fact", "My locker: B12-77"),
    ],
)
def test_the_thing_itself_is_noted_as_asked_for(policies: Policies, text: str, kind: str, entry: str) -> None:
    (found,) = found_in(policies, text)
    assert (found.kind, found.text, found.explicit) == (kind, entry, True)


@pytest.mark.parametrize(
    "text",
    [
        "Don't forget my shoe size.",
        "Remember my name.",
        "Please remember my address!",
        "Can you remember my name?",
        "Never forget Anna's birthday.",
        "Remember my wife's birthday",
        "别忘了我的鞋码。",
        "记住我的名字。",
        "记住我老婆的生日。",
        "不要忘了我。",
        "别忘了我说的话。",
        "还记得我的生日吗？",
        "记得我吗？",
    ],
)
def test_what_is_only_named_gives_nothing(policies: Policies, text: str) -> None:
    assert found_in(policies, text) == []
    assert list(policies.undecided(Said("user", text, 1_773_223_200.0, 9), ())) == []


@pytest.mark.parametrize(
    "text",
    [
        "Hi there! Remember that.",
        "That's great. Don't forget it.",
        "I met Anna in Rome, remember?",
        "If I move to Rome, remember that",
        "Add salt to the soup, don't forget",
        "好的，记住了",
        "我要是去北京，你记住",
    ],
)
def test_where_nothing_was_stated_to_remember_that_gives_nothing(policies: Policies, text: str) -> None:
    assert found_in(policies, text) == []


@pytest.mark.parametrize(
    "text",
    [
        "Don't forget to buy milk.",
        "Remember to call mum.",
        "Don't let me forget my keys.",
        "别忘了买牛奶。",
        "千万别忘了交电费。",
        "记得提醒我吃药。",
        "别忘了告诉我结果。",
    ],
)
def test_what_is_to_be_done_is_a_task(policies: Policies, text: str) -> None:
    assert [one.kind for one in found_in(policies, text)] == ["todo"]


@pytest.mark.parametrize("text", ["I never forget a face.", "I always forget my password.", "我记得我小时候住在武汉。"])
def test_who_says_what_they_remember_asks_for_nothing(policies: Policies, text: str) -> None:
    assert [one for one in found_in(policies, text) if one.explicit or one.kind == "todo"] == []


@pytest.mark.parametrize(
    "text", ["Not for the minutes: we may lose the Hendricks account.", "这个别备个案：我下个月辞职。"]
)
def test_what_is_not_for_the_minutes_is_not_asked_for(policies: Policies, text: str) -> None:
    assert [one for one in found_in(policies, text) if one.explicit] == []
