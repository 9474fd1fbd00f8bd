"""What somebody says of themselves in plain words, and what is said of the work at hand in the same form."""

from __future__ import annotations

import datetime as dt

import pytest

from localagent.policy import Policies, Said

SAID_AT = dt.datetime(2026, 3, 11, 10, 0).timestamp()


@pytest.mark.parametrize(
    ("kind", "text"),
    [
        ("profile", "I'm Irish"),
        ("profile", "I'm left-handed"),
        ("profile", "I grew up in Leeds"),
        ("profile", "I drive a Skoda"),
        ("profile", "I have a driving licence"),
        ("profile", "I don't have a car"),
        ("profile", "I wear glasses"),
        ("profile", "I can't swim"),
        ("profile", "I'm training for a marathon"),
        ("relationship", "I've got twins"),
        ("relationship", "Gareth and I split up three years ago, he has the kids every other weekend"),
        ("relationship", "Dafydd and I have called it a day"),
        ("relationship", "the cat is a boy"),
        ("profile", "I've got a team of eleven now"),
        ("profile", "优甲乐现在是50微克，之前那条75的不对"),
        ("profile", "二甲双胍加到1000毫克"),
        ("event", "I got the job"),
        ("relationship", "房东是个姓邓的嬢嬢，人还多好的"),
        ("relationship", "店头请了两个人，小唐端面，王嬢洗碗"),
        ("habit", "I sing in a choir"),
        ("habit", "I collect stamps"),
        ("habit", "I cycle to work"),
        ("habit", "I get up at six"),
        ("habit", "I support Arsenal"),
        ("habit", "I drink oat milk"),
        ("habit", "I go running before work"),
        ("profile", "I've been living in Oslo for three years"),
    ],
)
def test_plain_sentences_about_the_speaker(policies: Policies, kind: str, text: str) -> None:
    for words in (text, f"{text}.", f"Thanks! {text}."):
        (found,) = policies.importance(Said("user", words, SAID_AT, 9), ())
        assert (found.kind, found.text) == (kind, text)


@pytest.mark.parametrize(
    "text",
    [
        "I have a question",
        "I have two files",
        "I have a Dockerfile",
        "I have an array of dogs",
        "I have a test with three kids in it",
        "I have a headache",
        "I'm stuck",
        "I'm OK",
        "I'm a step closer",
        "I'm in the wrong branch",
        "I'm expecting a list",
        "I'm training a model",
        "I'm working on the report",
        "I work around it by copying the list",
        "I work on the parser",
        "I've been debugging for hours",
        "I run the script",
        "I run a loop over the rows",
        "I grew the list",
        "I drive the loop with a counter",
        "I own the repo",
        "I teach the model",
        "I studied the docs",
        "I collect the results in a list",
        "I keep the index in a dict",
        "I cycle through the list",
        "I support both formats",
        "I get up to 100 results",
        "I can't open the file",
        "I have a friend function",
        "I have a child process",
        "I have a manager object",
        "I come from Java",
        "I'm learning this",
        "I have a team of robots",
        "I got the house keys out",
        "Tom and I split up the work",
        "一碗面是50毫克",
        "今天我好累",
        "I'm so tired today",
        "I go looking for the bug",
        "I raise exceptions",
        "I write loops",
        "I collect data",
        "I'm saving for later",
        "we live with the bug",
        "we have no tests",
    ],
)
def test_the_work_at_hand_is_not_noted(policies: Policies, text: str) -> None:
    found = policies.importance(Said("user", f"{text}.", SAID_AT, 9), ())
    # What counts only where it corrects something is no memory by itself.
    assert all(one.kind == "event" and one.replaces and one.importance == 0.3 for one in found)


@pytest.mark.parametrize(
    ("text", "entry"),
    [
        ("My gym is on Main Street and I go there every day.", "My gym is on Main Street and I go there every day"),
        ("The place made me ill. I don't eat there any more.", "The place made me ill; I don't eat there any more"),
        ("I go there every day.", None),
        ("There is a spare key and I get up at six.", "I get up at six"),
    ],
)
def test_an_entry_says_what_its_there_is(policies: Policies, text: str, entry: str | None) -> None:
    found = policies.importance(Said("user", text, SAID_AT, 9), ())
    assert [one.text for one in found] == ([entry] if entry else [])
    assert all(one.evidence in text for one in found)


@pytest.mark.parametrize("text", ["我鞋码44", "我的工资8000", "我身高180", "我体重70公斤"])
def test_a_number_of_ones_own_needs_no_verb_in_chinese(policies: Policies, text: str) -> None:
    (found,) = policies.importance(Said("user", text, 1_773_223_200.0, 9), ())
    assert (found.kind, found.text) == ("profile", text)


@pytest.mark.parametrize("text", ["我手机3点响了", "我电脑5次死机", "我的电脑在更新", "我的车在修"])
def test_what_ones_own_does_is_none(policies: Policies, text: str) -> None:
    assert policies.importance(Said("user", text, 1_773_223_200.0, 9), ()) == []


def test_a_wish_of_when_one_is_answered_stays(policies: Policies) -> None:
    found = policies.importance(Said("user", "回答我的时候请用简体中文，尽量列要点。", 1_773_223_200.0, 9), ())
    assert [one.text for one in found] == ["回答我的时候请用简体中文", "尽量列要点"]


@pytest.mark.parametrize("text", ["It works now.", "This is clear now.", "Nothing works now.", "Tuesday is free now"])
def test_what_begins_with_a_capital_and_is_no_name_tells_of_nobody(policies: Policies, text: str) -> None:
    assert list(policies.importance(Said("user", text, SAID_AT, 9), ())) == []
