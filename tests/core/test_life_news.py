"""What has changed in the life of the speaker, or of somebody close, is noted even if it corrects nothing known;
what is said of the work at hand, of the moment and of the world, in the same words, is not."""

from __future__ import annotations

import pytest
from talking import Talk

from localagent.memory.entries import Kind


@pytest.mark.parametrize(
    ("kind", "text"),
    [
        ("habit", "I've moved my swimming to Thursdays"),
        ("habit", "I changed the gym day to Wednesday"),
        ("habit", "My piano lesson is on Tuesdays now"),
        ("habit", "I quit smoking"),
        ("habit", "I've taken up fencing"),
        ("habit", "I no longer cycle to work"),
        ("profile", "our rent went up to 950 pounds"),
        ("profile", "I changed my surname to Hart"),
        ("profile", "our address is now 12 Elm Road"),
        ("event", "I lost my job last week"),
        ("event", "I broke my leg skiing"),
        ("event", "I swapped my Golf for a van"),
        ("event", "We bought a caravan in Wales"),
        ("relationship", "Sue got a new job at Tesco"),
        ("relationship", "Nora started nursery last week"),
        ("relationship", "Mum retired in March"),
        ("relationship", "My brother sold his car"),
        ("relationship", "my wife is pregnant"),
        ("relationship", "our cat had kittens"),
    ],
)
def test_news_of_a_life_are_noted(talk: Talk, kind: Kind, text: str) -> None:
    talk.say(f"{text}.")
    assert talk.texts(kind) == talk.texts() == [text]


@pytest.mark.parametrize(
    ("known", "text"),
    [
        ("My brother is called Ben.", "Ben moved to Cardiff last month"),
        ("My dog is called Rex.", "Rex is blind now"),
        ("My cat is called Miso.", "Miso ran away and we never found her"),
        ("My best friend is called Priya.", "Priya had a baby girl"),
        ("My son is called Kai.", "Kai plays the drums now"),
        ("I have a budgie called Pip.", "Pip flew away"),
    ],
)
def test_news_of_a_name_are_noted_of_somebody_who_is_known(talk: Talk, known: str, text: str) -> None:
    talk.say(f"{text}.")
    assert talk.texts("relationship", "event", "profile") == []
    talk.say(known, f"{text}.")
    assert text in talk.texts("relationship")


@pytest.mark.parametrize(
    "text",
    [
        "I changed the function to return a list",
        "I've moved the tests to tests/core",
        "I moved the button to the left",
        "I changed the gym class to inherit from Base",
        "I moved the meeting notes to Drive",
        "I changed my variable to x",
        "I changed my columns to six",
        "my query works now",
        "our latency went down to 20ms",
        "the build is green now",
        "I started the server again",
        "I started rewriting the intro",
        "I stopped getting the warning",
        "I gave up on the second approach",
        "I joined the two tables",
        "I broke the build",
        "I got a promotion code",
        "we adopted a new framework",
        "I'm home now",
        "I'm hungry now",
        "I'm having lunch now",
        "Apple has a new CEO",
        "London has a new mayor",
        "Messi moved to Miami",
        "Taylor Swift got engaged",
        "Brazil won the cup",
        "Microsoft bought Activision",
        "Tom ran away in chapter two",
        "She got a new job",
        "My parent process died",
        "My colleague has a question",
        "My sister wants to know",
        "My wife is waiting",
        "my boss moved the button",
        "we broke up the monolith",
        "I gave up waiting",
        "Beyonce had twins",
        "Chelsea sold the striker",
        "Bob got the wrong result",
    ],
)
def test_the_work_the_moment_and_the_world_are_not_noted(talk: Talk, text: str) -> None:
    talk.say(f"{text}.")
    assert talk.texts() == []


@pytest.mark.parametrize(
    ("task", "done"),
    [
        ("I need to cancel my gym membership.", "I cancelled my gym membership"),
        ("Remind me to buy a van.", "I bought a van"),
        ("I need to finish my PhD.", "I finished my PhD"),
    ],
)
def test_what_is_done_ends_its_task(talk: Talk, task: str, done: str) -> None:
    (before,) = talk.say(task).added
    assert [old.id for old, _ in talk.say(f"{done}.").superseded] == [before.id]
    assert talk.texts() == [done]
