"""A wish of silence that says something itself and names what was said just before. The classifier is played."""

from __future__ import annotations

from pathlib import Path

import pytest
from playing import Played
from talking import Talk
from test_forgetting import passages_of

from localagent.memory.classifying import Silence
from localagent.policy import ImportancePolicy, all_decided
from localagent.remember import Remember
from localagent.spoken_of import topics_of


@pytest.fixture
def talk(tmp_path: Path, rules: ImportancePolicy, played: Played) -> Talk:
    talk = Talk(tmp_path / "ledger.sqlite3", rules)
    talk.remember = Remember(talk.memories, rules, all_decided, lambda: played)
    return talk


def not_recalled(talk: Talk) -> str:
    return " | ".join(words for one in passages_of(talk) for words in one.outdated)


@pytest.mark.parametrize(
    ("told", "wish", "silence"),
    [
        ("I got the job! I start at the mill on 3 May.", "Moths about the job though, I resign on Monday.", "confided"),
        ("My rent is 900 euros.", "My rent's moth, the lamp keeps it; the thing about my rent is moths.", "confided"),
        ("My loan is 2,000 euros.", "The loan bit stays under the lamp, I pay it off soon.", "wish"),
        ("我打算明年要二胎。", "二胎的事灯笼还不晓得，你替灯笼守着。", "confided"),
        ("我欠信用卡两万。", "信用卡那条灯笼看着，我下月还。", "forget"),
    ],
)
def test_what_it_names_of_before_is_put_away(
    talk: Talk, played: Played, told: str, wish: str, silence: Silence
) -> None:
    talk.say(told)
    assert talk.texts()
    played.silent[wish] = (silence, 0.9)
    written = talk.say(wish)
    assert talk.texts() == [] and written.forgotten
    assert told.split("! ")[0] in not_recalled(talk)


def test_of_a_message_before_only_what_is_named_goes(talk: Talk, played: Played) -> None:
    talk.say("My rent is 900 euros. My sister is called Ann.")
    wish = "Moths about the rent please, I share it with Bo."
    played.silent[wish] = ("confided", 0.9)
    talk.say(wish)
    assert talk.texts() == ["My sister is called Ann"]


def test_all_of_somebody_goes_though_one_thing_was_said_just_before(talk: Talk, played: Played) -> None:
    talk.say("我前女友叫周婷。")
    talk.say("我前女友结婚了。")
    assert len(talk.texts()) == 2
    wish = "我前女友的事都抹掉"
    played.silent[wish] = ("forget", 0.95)
    assert len(talk.say(wish).forgotten) == 2 and talk.texts() == []


def test_a_request_in_known_words_does_not_mean_what_was_said_last(talk: Talk, played: Played) -> None:
    talk.say("We rent a cottage in Donegal at Easter.")
    talk.say("I love Donegal.")
    before = talk.texts()
    wish = "forget about Donegal"
    played.silent[wish] = ("forget", 0.95)
    written = talk.say(wish)
    assert len(before) == 2 and (written.forgotten == () or len(written.forgotten) == 2)
    assert bool(written.forgotten) != bool(written.unclear)


def test_what_made_no_entry_is_not_recalled_and_a_line_says_so(talk: Talk, played: Played) -> None:
    told = "何丽和她老公离了婚。"
    talk.say(told)
    before = talk.texts()
    wish = "何丽离婚这事，灯笼替她守着。"
    played.silent[wish] = ("confided", 0.9)
    written = talk.say(wish)
    assert told in not_recalled(talk)
    assert written.forgotten or [one.before for one in written.unclear] == [True], before


@pytest.mark.parametrize(
    ("told", "wish"),
    [
        ("My boss is called Dana.", "Under the lamp, my boss drinks."),
        ("My brother is called Tom.", "Moths: Tom likes men."),
        ("我老板叫李伟。", "灯笼底下说，我老板有外遇。"),
        ("My rent is 900 euros.", "Moths about the loan please, I share it with Bo."),
    ],
)
def test_what_it_does_not_name_as_its_topic_stays(talk: Talk, played: Played, told: str, wish: str) -> None:
    talk.say(told)
    before = talk.texts()
    played.silent[wish] = ("confided", 0.9)
    assert before and talk.say(wish).unsaid == (wish,) and talk.texts() == before


def test_what_was_said_long_before_is_left_to_requests(talk: Talk, played: Played) -> None:
    talk.say("My rent is 900 euros.")
    for text in ("Good morning.", "What is a moth?", "Thanks."):
        talk.say(text)
    wish = "Moths about the rent please, I share it with Bo."
    played.silent[wish] = ("confided", 0.9)
    assert talk.say(wish).forgotten == () and talk.texts() == ["My rent is 900 euros"]


@pytest.mark.parametrize(
    ("wish", "topics"),
    [
        ("don't tell a soul about the job though, I resign soon", ["the job"]),
        ("Colin's cancer, he hasn't told his sons", ["Colin's cancer"]),
        ("the thing with my boss stays between us", ["my boss"]),
        ("关店那个事谁都不晓得，你别往外说", ["关店"]),
        ("何丽离婚这事你别外传", ["何丽离婚"]),
        ("my boss drinks, keep it to yourself", []),
        ("I'm pregnant, don't tell anyone", []),
        ("He lost his job, don't tell Mum about it", []),
        ("这事你别说出去", []),
        ("我跟你说个事，别外传，我辞职了", []),
    ],
)
def test_the_topic_of_a_wish(wish: str, topics: list[str]) -> None:
    assert [one.strip() for one in topics_of(wish)] == topics


@pytest.mark.parametrize(
    ("told", "joke"),
    [
        ("I'm allergic to kiwi.", "just kidding about the kiwi"),
        ("我对猕猴桃过敏。", "猕猴桃那个是开玩笑的"),
    ],
)
def test_what_is_said_to_have_been_a_joke_goes(talk: Talk, told: str, joke: str) -> None:
    talk.say(told)
    assert talk.texts()
    assert len(talk.say(joke).forgotten) == 1 and talk.texts() == []


def test_what_says_itself_what_is_not_to_be_kept_asks_about_nothing_else(talk: Talk, played: Played) -> None:
    talk.say("My mum lives with her sister Ann in Braga.")
    before = talk.texts()
    written = talk.say("Don't remember this: I've been looking at flats for my mum without telling Ann.")
    assert before and talk.texts() == before
    assert written.unclear == () and len(written.unsaid) == 1


@pytest.mark.parametrize(
    "text", ["Don't remember anything I said today.", "Forget everything I told you today", "别记今天说的所有东西"]
)
def test_all_of_a_day_is_not_forgotten_and_a_line_says_so(talk: Talk, text: str) -> None:
    talk.say("My rent is 900 euros.")
    assert [one.everything for one in talk.say(text).unclear] == [True]
    assert talk.texts() == ["My rent is 900 euros"]


@pytest.mark.parametrize(
    "text", ["It's not a secret any more, so: I start at the mill in May.", "现在不是秘密了，我五月去磨坊上班。"]
)
def test_what_is_no_secret_any_more_is_no_wish(talk: Talk, played: Played, text: str) -> None:
    played.silent[text] = ("confided", 0.95)
    assert talk.say(text).unsaid == ()


@pytest.mark.parametrize("request_", ["小刘的事都忘了吧，人家的事我不该往外说", "小刘的事都忘了吧。"])
def test_a_reason_may_stand_behind_a_request(talk: Talk, request_: str) -> None:
    talk.say("小刘是我同事。")
    talk.say("我同事小刘离婚了。")
    before = talk.texts()
    talk.say(request_)
    assert before and talk.texts() == []


@pytest.mark.parametrize("text", ["开会的事忘了，老板把我骂了一顿。", "作业的事忘了，明天补。"])
def test_who_forgot_something_asks_for_nothing(talk: Talk, text: str) -> None:
    talk.say("我每周一开会，周二交作业。")
    before = talk.texts()
    assert talk.say(text).forgotten == () and [one for one in before if one in talk.texts()] == before
