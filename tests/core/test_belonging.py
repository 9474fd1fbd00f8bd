"""Whose something is, where somebody asks to forget it: the user's own is not their brother's. English and Chinese."""

from __future__ import annotations

import pytest
from talking import Talk

from localagent.belonging import of_another
from localagent.memory.entries import Add, Kind, NewMemory


def noted(talk: Talk, *texts: str, kind: Kind = "fact") -> None:
    talk.memories.write([Add(NewMemory(kind, text, scope="all")) for text in texts])


@pytest.mark.parametrize(
    ("text", "named", "another"),
    [
        ("My brother's pension is 2100", "my pension", True),
        ("My brother's pension is 2100", "my brother's pension", False),
        ("My sister's pension is 2100", "my brother's pension", True),
        ("My neighbour has a dog", "my dog", True),
        ("My neighbour walks my dog", "my dog", False),
        ("My neighbour has a dog", "the dog", False),
        ("My brother likes tea", "I like tea", True),
        ("我弟弟的养老金每月三千", "我的养老金", True),
        ("我老婆开我的车上班", "我的车", False),
        ("小王喜欢喝茶", "我喜欢喝茶", True),
        ("邻居家的狗叫旺财", "我的狗", True),
        ("邻居家的狗叫旺财", "旺财", False),
        ("小王的工资是一万", "我跟你说过小王的工资", False),
        ("Tom's pay is 3000", "I told you about Tom's pay", False),
        ("阿凯是我表弟，在青岛跑出租", "阿凯是我表弟，在青岛跑出租", False),
        ("My neighbour lent me his car", "that my neighbour lent me his car", False),
    ],
)
def test_what_is_somebody_else_s_is_told_from_what_is_named(text: str, named: str, another: bool) -> None:
    assert of_another(text, named) == another


@pytest.mark.parametrize(
    ("kept", "going", "asks"),
    [
        ("My brother's pension is 2100", "My pension starts in 2040", "Forget my pension."),
        ("My pension starts in 2040", "My brother's pension is 2100", "Forget my brother's pension."),
        ("My neighbour has a dog called Bruno", "My dog is called Rex", "Forget my dog."),
        ("My dog is called Rex", "My neighbour has a dog called Bruno", "Forget Bruno."),
        ("My brother likes tea", "I like tea", "Forget that I like tea."),
        ("我弟弟的养老金每月三千", "我的养老金每月五千", "把我的养老金忘掉"),
        ("我的狗叫来福", "邻居家的狗叫旺财", "忘了旺财吧"),
        ("邻居家的狗叫旺财", "我的狗叫来福", "把我的狗忘掉吧"),
    ],
)
def test_it_is_put_away_and_not_another_s(talk: Talk, kept: str, going: str, asks: str) -> None:
    noted(talk, kept, going)
    assert [memory.text for memory in talk.say(asks).forgotten] == [going] and talk.texts() == [kept]


@pytest.mark.parametrize(
    ("entry", "asks"),
    [
        ("My brother's pension is 2100", "Forget my pension."),
        ("My brother likes tea", "Forget that I like tea."),
        ("我弟弟的养老金每月三千", "忘掉我的养老金"),
        ("小王喜欢喝茶", "忘掉我喜欢喝茶"),
        ("我女儿对鸡蛋过敏", "忘掉我对鸡蛋过敏"),
        ("I prefer tea over coffee", "Forget that I prefer coffee over tea."),
    ],
)
def test_where_only_another_s_is_known_nothing_goes(talk: Talk, entry: str, asks: str) -> None:
    noted(talk, entry)
    assert not talk.say(asks).forgotten and talk.texts() == [entry]


@pytest.mark.parametrize(
    ("entries", "asks", "all_of_it"),
    [
        (["My dog is called Rex", "My neighbour has a dog called Bruno"], "Forget the dog thing.",
         "Forget everything about the dogs."),
        (["My car is a grey Clio", "The car insurance ends in May"], "Forget the car thing.",
         "Forget the car thing, all of it."),
        (["我戴眼镜", "我表哥开了一家眼镜店"], "眼镜的事删掉", "忘掉关于眼镜的一切"),
        (["I smoke a pipe", "The attic, the pipe organ and the stairs of the old mill are to be repaired by May"],
         "Forget the pipe thing.", "Forget everything about the pipe."),
    ],
)  # fmt: skip
def test_a_thing_of_several_is_asked_about_unless_all_is_meant(
    talk: Talk, entries: list[str], asks: str, all_of_it: str
) -> None:
    noted(talk, *entries)
    (line,) = talk.say(asks).lines()
    assert "which one is meant?" in line and all(f"'{entry}'" in line for entry in entries)
    assert len(talk.say(all_of_it).forgotten) == 2 and not talk.texts()


@pytest.mark.parametrize(
    ("old", "new", "asks"),
    [
        ("My sister Jo lives in Leeds.", "My sister Jo moved to York.", "Forget where my sister lives."),
        ("我姐姐住在苏州。", "我姐姐搬到扬州了。", "忘掉我姐姐住哪儿"),
    ],
)
def test_where_somebody_lives_is_what_holds_now(talk: Talk, old: str, new: str, asks: str) -> None:
    talk.say(old, new)
    (memory,) = talk.memories.select()
    assert memory.text == new.rstrip(".。")
    assert talk.say(asks).forgotten == (talk.memories.get(memory.id),)


@pytest.mark.parametrize(
    ("entries", "asks"),
    [
        (["My sister Jo lives in Leeds", "My sister Pam moved to Hull"], "Forget where my sister lives."),
        (["我姐姐小芳住在无锡", "我姐姐住在苏州"], "忘掉我姐姐住哪儿"),
    ],
)
def test_of_several_homes_none_goes(talk: Talk, entries: list[str], asks: str) -> None:
    noted(talk, *entries, kind="relationship")
    (line,) = talk.say(asks).lines()
    assert "which one is meant?" in line and all(f"'{entry}'" in line for entry in entries)
