"""Of whom something is said: only the same person's same thing is replaced, whoever the others are."""

from __future__ import annotations

import itertools

import pytest
from talking import Talk

from localagent.memory.entries import NewMemory
from localagent.persons import of_whom, person_in
from localagent.relation import relation
from localagent.statements import statement

PEOPLE = ("I", "My sister", "My husband", "My friend Tom")
PEOPLE_ZH = ("我", "我妹妹", "我老公", "我朋友小王")


def told(person: str) -> dict[str, tuple[str, str]]:
    """By thing: how it was, and how it is now."""
    if person == "I":
        return {
            "home": ("I live in Leeds.", "I moved to York last week."),
            "job": ("I work at Siemens.", "I work at Bosch now."),
            "age": ("I'm 41.", "I turned 42 yesterday."),
            "illness": ("I have asthma.", "I don't have asthma any more."),
        }
    return {
        "home": (f"{person} lives in Leeds.", f"{person} moved to York last week."),
        "job": (f"{person} works at Siemens.", f"{person} works at Bosch now."),
        "age": (f"{person} is 41.", f"{person} turned 42 yesterday."),
        "illness": (f"{person} has asthma.", f"{person} doesn't have asthma any more."),
    }


def told_zh(person: str) -> dict[str, tuple[str, str]]:
    return {
        "home": (f"{person}住在杭州。", f"{person}搬到苏州了。"),
        "job": (f"{person}在腾讯上班。", f"{person}现在在字节上班。"),
        "age": (f"{person}41岁。", f"{person}昨天满42岁了。"),
        "illness": (f"{person}对花生过敏。", f"{person}对花生不过敏了。"),
    }


@pytest.mark.parametrize("person", (*PEOPLE, *PEOPLE_ZH))
@pytest.mark.parametrize("thing", ["home", "job", "age", "illness"])
def test_only_the_same_person_s_same_thing_is_replaced(talk: Talk, person: str, thing: str) -> None:
    everyone = PEOPLE if person.isascii() else PEOPLE_ZH
    tell = told if person.isascii() else told_zh
    for one, other in itertools.product(everyone, ("home", "job", "age", "illness")):
        talk.say(tell(one)[other][0])
    before = talk.memories.select()
    assert len(before) == len(everyone) * 4
    written = talk.say(tell(person)[thing][1])
    ((old, _),) = (*written.superseded, *written.in_part)
    assert old.text == tell(person)[thing][0].rstrip(".。")


@pytest.mark.parametrize(
    ("text", "who", "name", "own"),
    [
        ("I work at Sky", "", "", "I work at Sky"),
        ("My sister works at Sky", "sister", "", "I work at Sky"),
        ("My friend Tom doesn't smoke", "friend", "tom", "I don't smoke"),
        ("My sister's yoga is on Monday", "sister", "", "My yoga is on Monday"),
        ("My dad's 70", "father", "", "I am 70"),
        ("My wife changed jobs, she's at Sky now", "wife", "", "I changed jobs, I am at Sky now"),
        ("我妹妹韩梅住在北京", "妹妹", "韩梅", "我住在北京"),
        ("我老公跳槽了，他现在在字节", "老公", "", "我跳槽了，我现在在字节"),
    ],
)
def test_what_is_said_of_somebody_reads_as_they_would_say_it(text: str, who: str, name: str, own: str) -> None:
    person = person_in(text)
    assert (person.who, person.name, person.own) == (who, name, own)


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("My husband works at Siemens.", "My husband changed jobs, he's at Bosch now."),
        ("My sister works at Siemens.", "My sister got a new job at Bosch."),
        ("我老公在腾讯上班。", "我老公跳槽了，现在在字节。"),
        ("My rent is 900 euros.", "My landlord raised my rent to 950 euros."),
    ],
)
def test_a_change_of_somebody_close_is_theirs(talk: Talk, old: str, new: str) -> None:
    (first,) = talk.say(old).added
    assert [before.id for before, _ in talk.say(new).superseded] == [first.id]


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("我上夜班。", "老婆不用上夜班了。"),
        ("我的工资是一万二。", "老婆工资涨到一万五了。"),
        ("我儿子5岁。", "女儿七岁了。"),
        ("大宝8岁。", "小宝6岁了。"),
        ("I live in Leeds.", "Mum moved to York."),
    ],
)
def test_a_bare_word_for_one_of_the_family_is_a_person(talk: Talk, old: str, new: str) -> None:
    (first,) = talk.say(old).added
    written = talk.say(new)
    assert not written.superseded and not written.in_part and talk.memories.get(first.id).state == "active"


@pytest.mark.parametrize(("old", "new"), [("我女儿六岁。", "女儿七岁了。"), ("我爸住在老家。", "爸爸搬到杭州了。")])
def test_the_same_person_with_and_without_my(talk: Talk, old: str, new: str) -> None:
    (first,) = talk.say(old).added
    written = talk.say(new)
    assert [before.id for before, _ in (*written.superseded, *written.in_part)] == [first.id]


def test_a_part_of_a_sentence_is_of_whom_the_sentence_is(talk: Talk) -> None:
    talk.say("我妹妹搬到苏州了。")
    written = talk.say("我不住上海了，搬到无锡了。")
    assert not written.superseded and not written.in_part


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("My friend lives in Leeds.", "My friend's brother has moved to York."),
        ("My mother lives in Leeds.", "My mother's colleague has moved to York."),
        ("My mother lives in Leeds.", "A colleague of my mother's has moved to York."),
        ("My sister's best friend lives in Leeds.", "My sister has moved to York."),
        ("My dad's brother lives in Leeds.", "My dad's neighbour has moved to York."),
        ("My sister has asthma.", "My sister's new boyfriend doesn't have asthma any more."),
        ("我妈住在北京。", "我妈的同事搬到上海了。"),
        ("我女儿在华为工作。", "我女儿的朋友换工作了，去了腾讯。"),
        ("我朋友小王住在深圳。", "我朋友小王的弟弟搬到广州了。"),
        ("我妹妹的男朋友住在深圳。", "我妹妹搬到广州了。"),
        ("我最好的朋友住在深圳。", "我搬到广州了。"),
    ],
)
def test_a_person_of_a_person_is_another_one(old: str, new: str) -> None:
    assert related(old, new) == "other"


@pytest.mark.parametrize(
    ("text", "who", "own"),
    [
        ("My sister's best friend lives in Leeds", "friend of sister", "I live in Leeds"),
        ("My friend Tom's brother's in Leeds", "brother of friend", "I am in Leeds"),
        ("Dad's a teacher", "father", "I am a teacher"),
        ("My daughter's teacher is Mrs Lee", "teacher of daughter", "My teacher is Mrs Lee"),
        ("我妈妈的老同事住在北京", "同事 of 妈妈", "我住在北京"),
        ("我女儿的老师姓王", "老师 of 女儿", "我的老师姓王"),
        ("我爸妈住在北京", "爸妈", "我住在北京"),
    ],
)
def test_who_belongs_to_somebody_close_is_named_with_them(text: str, who: str, own: str) -> None:
    person = person_in(text)
    assert (person.who, person.own, of_whom(text)) == (who, own, who)


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("My sister's husband lives in Leeds.", "My sister's husband has moved to York."),
        ("我妈的同事住在北京。", "我妈的同事搬到上海了。"),
    ],
)
def test_a_person_of_a_person_changes_too(old: str, new: str) -> None:
    assert related(old, new) == "newer"


def related(old: str, new: str) -> str:
    """What the newer one is to the older one, both of somebody's life."""
    one, other = (text.rstrip(".。") for text in (new, old))
    made, before = NewMemory("relationship", one), NewMemory("relationship", other)
    return relation(made, statement(one), before, statement(other), corrects=True)


def test_what_a_person_of_a_person_does_replaces_nothing(talk: Talk) -> None:
    (old,) = talk.say("我妈住在北京。").added
    written = talk.say("我妈的同事搬到上海了。")
    assert not written.superseded and not written.in_part and talk.memories.get(old.id).state == "active"
