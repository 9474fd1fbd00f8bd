"""Requests to forget that name something and say nothing of it. English and Chinese."""

from __future__ import annotations

import pytest
from talking import Talk

from localagent.memory.entries import Add, NewMemory
from localagent.named_alone import named_alone


@pytest.mark.parametrize(
    ("text", "named"),
    [
        ("the speeding fine - please forget it", "the speeding fine"),
        ("no more about Lee, wipe it", "Lee"),
        ("my bus route, you can let that go", "my bus route"),
        ("You know my anniversary? Lose it.", "my anniversary"),
        ("my old flat: erase it", "my old flat"),
        ("nothing more about Gran, delete it please", "Gran"),
        ("his operation, forget about it", "his operation"),
        ("as for my debts, wipe them", "my debts"),
        ("你知道我的结婚纪念日吧？忘了它", "我的结婚纪念日"),
    ],
)
def test_what_is_named_alone(text: str, named: str) -> None:
    assert named_alone(text) == (named, True)


@pytest.mark.parametrize(
    ("text", "named"),
    [
        ("can you not store my therapist's name", "my therapist's name"),
        ("please don't keep my weight", "my weight"),
        ("the lease, please wipe it", "the lease"),
        ("the onions, drop them", "the onions"),
        ("能不能别存我心理医生的名字", "我心理医生的名字"),
    ],
)
def test_what_may_be_meant_otherwise_is_asked_about(text: str, named: str) -> None:
    assert named_alone(text) == (named, False)


@pytest.mark.parametrize(
    "text",
    [
        "the last line, delete it",
        "my code, don't forget it",
        "I like tea, forget it",
        "my son was expelled, forget it",
        "my dog died, let it go",
        "my PIN is 1234, forget it",
        "the cake, I forget it",
        "no more about that, forget it",
        "my keys, I lost them",
        "don't keep my place in line 3",
        "我的钥匙，我忘了",
        "你知道这个问题吧？忘了它",
        "别存这个",
    ],
)
def test_other_sentences_name_nothing_alone(text: str) -> None:
    assert named_alone(text) is None


@pytest.mark.parametrize(
    ("entry", "text"),
    [
        ("I got a speeding fine in July", "the speeding fine - please forget it"),
        ("My son Lee dropped out of college", "no more about Lee, wipe it"),
        ("My anniversary is on 3 June", "You know my anniversary? Lose it."),
        ("我的结婚纪念日是六月三号", "你知道我的结婚纪念日吧？忘了它"),
    ],
)
def test_its_entry_is_put_away(talk: Talk, entry: str, text: str) -> None:
    talk.memories.write([Add(NewMemory("fact", one, scope="all")) for one in (entry, "I like tea", "我喜欢喝茶")])
    written = talk.say(text)
    assert [one.text for one in written.forgotten] == [entry] and not written.unsaid and not written.memories


@pytest.mark.parametrize(
    ("entry", "text"),
    [
        ("I take the 28 bus to work", "my bus route, you can let that go"),
        ("My therapist is called Dr Novak", "can you not store my therapist's name"),
        ("我的心理医生叫王敏", "能不能别存我心理医生的名字"),
    ],
)
def test_where_it_has_but_some_of_the_words_it_asks(talk: Talk, entry: str, text: str) -> None:
    talk.memories.write([Add(NewMemory("fact", one, scope="all")) for one in (entry, "I like tea", "我喜欢喝茶")])
    (line,) = talk.say(text).lines()
    assert "is this one meant?" in line and f"'{entry}'" in line and len(talk.texts()) == 3


@pytest.mark.parametrize("text", ["my bus route, you can let that go", "can you not store my therapist's name"])
def test_where_there_is_none_a_line_says_so(talk: Talk, text: str) -> None:
    (line,) = talk.say("I like tea.", text).lines()
    assert line.startswith(("nothing forgotten: no entry is clearly", "not remembered:")) and len(talk.texts()) == 1


def test_what_may_be_cooking_is_never_put_away(talk: Talk) -> None:
    talk.memories.write([Add(NewMemory("fact", "I'm allergic to onions", scope="all"))])
    (line,) = talk.say("the onions, drop them").lines()
    assert "is this one meant?" in line and len(talk.texts()) == 1
    assert talk.say("the leeks, drop them").lines() == []
