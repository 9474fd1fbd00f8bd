"""What was so at a time that is over neither outdates what is so now, nor is it outdated by that."""

from __future__ import annotations

import pytest
from talking import Talk

from localagent.bygone import of_another_time
from localagent.linking import apart


@pytest.mark.parametrize(
    ("now", "then"),
    [
        ("I live in Galway", "I lived in Berlin for a year in 2010"),
        ("I live in Galway", "I lived in London as a student"),
        ("I live in York", "We lived in Cardiff until I was ten"),
        ("I live in Bristol", "Back in the nineties I lived in Prague"),
        ("I live in Leeds", "We lived in Wales for three years when I was small"),
        ("I live in Ghent", "I lived in Lyon"),
        ("I live in York", "I was born in Cardiff"),
        ("I work at Aldi", "I worked for Ford from 2005 to 2012"),
        ("I work at Aldi", "I used to work at Tesco"),
        ("I drive a Skoda", "I drove a Mini at university"),
        ("I go to the gym on Mondays", "I worked out every day in my twenties"),
        ("I'm allergic to latex", "I was allergic to milk as a child"),
        ("I've moved to Leeds", "I spent my childhood in Hull"),
        ("我住在成都", "我小时候住在西安"),
        ("我住在成都", "我上大学时住在武汉"),
        ("我住在成都", "大学时住过武汉"),
        ("我住在成都", "2010年我在柏林住过一年"),
        ("我住在成都", "我十岁以前住在绵阳"),
        ("我住在成都", "我出生在兰州"),
        ("我在华为上班", "我以前在中兴上班"),
        ("我在字节工作", "我2015年到2018年在腾讯工作"),
        ("我喝绿茶", "我年轻的时候喝咖啡"),
    ],
)
def test_then_and_now_stand_beside_each_other(now: str, then: str) -> None:
    assert apart(now, then) and apart(then, now)
    assert of_another_time(now, then)


def test_where_one_was_born_is_no_home_of_then() -> None:
    assert apart("We used to live in Cardiff", "I was born in Leeds")


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("I live in Galway", "I moved to Berlin in 2024"),
        ("I live in Galway", "I've lived in Cork for a year"),
        ("I live in Galway", "I've lived in Cork since I was ten"),
        ("I work at Aldi", "I started at Lidl in 2025"),
        ("I work at Tesco", "I used to work at Tesco, now I'm at Aldi"),
        ("I smoke", "I used to smoke"),
        ("I'm studying law", "I graduated in 2025"),
        ("I work at Aldi", "I was laid off in 2025"),
        ("I'm paying off a loan", "I paid off the loan in 2025"),
        ("My contract is with O2", "The contract ran out in 2025"),
        ("I lived in Berlin in 2010", "I lived in Bonn in 2010"),
        ("I was born in Leeds", "I was born in York"),
        ("My wife is pregnant", "Our baby girl was born on Tuesday"),
        ("The rent is 900", "The rent was raised in 2025"),
        ("我住在成都", "今年三月我搬到重庆了"),
        ("我住在成都", "2024年我搬到重庆了"),
        ("我在中兴上班", "我以前在中兴上班，现在在华为上班"),
        ("我在华为上班", "我以前在华为上班"),
        ("我打算四十岁之前出本书", "不写书了"),
        ("我周五要交报告", "周四以前要交报告"),
        ("我在学手语", "上个月当了志愿翻译"),
    ],
)
def test_what_begins_then_or_ends_now_may_be_a_change(old: str, new: str) -> None:
    assert not of_another_time(new, old)


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("I live in Oban.", "I've been living in Skye since 2023."),
        ("I'm 51.", "I've just turned 52."),
    ],
)
def test_what_has_been_so_until_now_is_so_now(talk: Talk, old: str, new: str) -> None:
    (first,) = talk.say(old).added
    ((replaced, _),) = talk.say(new).superseded
    assert replaced.id == first.id


def test_then_and_now_are_both_kept(talk: Talk) -> None:
    talk.say("I live in Galway.", "We lived in Cardiff until I was ten.", "My older brother is called Ken.")
    assert not talk.say("My younger brother is called Phil.").superseded
    kept = talk.texts()
    assert "I live in Galway" in kept and "My older brother is called Ken" in kept
