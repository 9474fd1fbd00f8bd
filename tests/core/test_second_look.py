"""Where the rules do not decide, a classifier does: what is noted of it, and what that makes outdated. Here it is
played; what the real one is worth, tests/memory/test_classifier.py tells."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import pytest
from playing import Played
from talking import Talk

from localagent.errors import EmbeddingFailed, EnvironmentFault, LocalAgentError
from localagent.linking import BESIDE, SURELY, facts, of_one_thing
from localagent.memory.entries import Add, Kind, NewMemory
from localagent.messages import Message, TextPart, user
from localagent.policy import Extracted, ImportancePolicy, Said
from localagent.remember import Remember

LONG = "Some weeks ago it became a habit that I bake"
BREAD = "It's bread from the machine for me"
PILLS = "It's pills from the machine for me"


def noted(text: str, kind: Kind = "fact") -> Add:
    return Add(NewMemory(kind, text, scope="all"))


def whole(message: Said, found: Sequence[Extracted]) -> list[str]:
    """Every message is left to the classifier, if the rules took nothing of it."""
    return [] if found else [message.text]


@pytest.fixture
def talk(tmp_path: Path, rules: ImportancePolicy, played: Played) -> Talk:
    talk = Talk(tmp_path / "ledger.sqlite3", rules)
    talk.remember = Remember(talk.memories, rules, whole, lambda: played)
    return talk


@pytest.mark.parametrize(
    ("text", "kind", "scope"),
    [
        (LONG, "habit", "all"),
        ("面包我自己烤", "habit", "all"),
        ("The oven is due for a check in May", "event", "agent"),
    ],
)
def test_what_the_classifier_is_sure_of_is_noted_in_the_users_words(
    talk: Talk, played: Played, text: str, kind: Kind, scope: str
) -> None:
    played.noted[text] = (kind, 0.95)
    (memory,) = talk.say(f"{text}.").added
    assert (memory.kind, memory.text, memory.scope, memory.origin) == (kind, text, scope, "user")
    assert memory.evidence == f"{text}."


def test_a_clause_beside_what_the_rules_took_of_its_sentence_is_noted(
    talk: Talk, rules: ImportancePolicy, played: Played
) -> None:
    clause = "I run a bakery in Bristol"
    talk.remember = Remember(talk.memories, rules, lambda said, found: [clause], lambda: played)
    played.noted[clause] = ("profile", 0.95)
    talk.say(f"I'm Ruth, {clause}")
    assert talk.texts() == ["I'm Ruth", clause]


def test_what_it_is_not_sure_of_is_not_noted(talk: Talk, played: Played) -> None:
    played.noted[LONG] = ("habit", 0.8)
    assert talk.say(LONG).memories == ()


def test_what_it_is_not_sure_of_is_noted_if_it_makes_something_outdated(talk: Talk, played: Played) -> None:
    talk.say("I buy my bread at the corner every morning")
    (old,) = talk.memories.select()
    played.noted[BREAD] = ("habit", 0.5)
    played.gone[old.text, BREAD] = 0.98
    written = talk.say(BREAD)
    assert [(one.text, new.text) for one, new in written.superseded] == [(old.text, BREAD)]
    assert talk.texts() == [BREAD]


@pytest.mark.parametrize(
    ("likely", "left"), [(0.95, [BREAD]), (0.85, ["", BREAD]), (0.7, ["", BREAD]), (0.5, ["", BREAD])]
)
def test_how_sure_it_is_decides_between_replacing_and_keeping_both(
    talk: Talk, played: Played, likely: float, left: list[str]
) -> None:
    talk.say("I buy my bread at the corner every morning")
    (old,) = talk.memories.select()
    played.noted[BREAD] = ("habit", 0.95)
    played.gone[old.text, BREAD] = likely
    written = talk.say(BREAD)
    assert talk.texts() == [text or old.text for text in left]
    assert bool(written.superseded) == (likely >= SURELY)
    assert bool(written.unsure) == (BESIDE <= likely < SURELY)
    assert talk.memories.corrections([old.id]) == {}  # a question claims nothing


def test_where_words_are_shared_less_is_enough_to_replace(talk: Talk, played: Played) -> None:
    talk.say("I buy my bread at the corner every morning")
    (old,) = talk.memories.select()
    new = "Bread at the corner is a thing of the past"
    played.noted[new] = ("habit", 0.95)
    played.gone[old.text, new] = 0.9
    assert [one.text for one, _ in talk.say(new).superseded] == [old.text]


def test_an_entry_that_shares_no_word_is_found_by_its_nearness(talk: Talk, played: Played) -> None:
    old = talk.memories.write([noted("Three tablets are the blue ones")])[0]
    for day in range(12):
        talk.memories.write([noted(f"Item {day} of the shelf is blue")])
    played.noted[PILLS] = ("habit", 0.95)
    played.gone[old.text, PILLS] = 0.98
    assert not talk.say(PILLS).in_part
    talk.memories.forget([one.id for one in talk.memories.select() if one.text == PILLS])
    played.near = [(old.id, 0.9), ("0000000000000000", 0.8)]
    # Hardly a word of it is spoken of again: what else it says may still hold.
    assert [one.text for one, _ in talk.say(PILLS).in_part] == [old.text]


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("My husband likes beer, and smokes after dinner", "My husband has given up smoking after dinner"),
        ("我老公爱喝啤酒，晚饭后还要抽一支烟", "我老公戒烟了"),
    ],
)
def test_of_several_clauses_one_is_outdated_and_the_others_stay(talk: Talk, played: Played, old: str, new: str) -> None:
    (first,) = talk.memories.write([noted(old, "relationship")])
    played.noted[new] = ("relationship", 0.95)
    played.gone[old, new] = 0.99
    written = talk.say(new)
    assert not written.superseded and [one.id for one, _ in written.in_part] == [first.id]


def test_what_is_so_now_is_about_what_it_names(talk: Talk) -> None:
    talk.say("我现在对花生不过敏了", "我现在坐公交上班了", "我现在不怕高了", "我现在吃牛肉了")
    assert len(talk.texts()) == 4


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("My sister lives in Leeds", "I have settled by the sea"),
        ("我妹妹住在苏州", "我早就在海边安家"),
        ("I live in Leeds", "My sister has settled by the sea"),
        ("My brother bakes", "My sister has given up the oven"),
        # Somebody's relative is another person.
        ("我同桌阿玲会弹古筝", "阿玲的妹妹不弹古筝了"),
        ("我姨妈会拉二胡", "姨妈的女儿不拉二胡了"),
        ("老谢的妈妈每天遛狗", "老谢把狗送人了"),
        # Somebody else's, whom the other does not name; the way back.
        ("I go to bed at ten", "The kids go to bed at eight now"),
        ("My driving test is on 3 June", "Eva's driving test was moved to 9 June"),
        ("我九点上班", "同事小艾现在七点上班了"),
        ("小艾的驾照考试改到六月九号了", "我六月十号考驾照"),
        ("The outbound train leaves at 8:05", "The train back leaves at 19:30 now"),
        ("去程火车八点零五开", "返程火车改成十九点半了"),
        # So once, or of an age.
        ("The choir rehearses in the hall", "This week the choir is in the chapel"),
        ("合唱团在礼堂排练", "这周合唱团在小教堂"),
        ("Finn swims in the river", "Finn turned 7"),
        ("橘猫叫豆包", "豆包三岁"),
    ],
)
def test_nothing_is_outdated_by_what_is_of_another_person_or_so_only_once(
    talk: Talk, played: Played, old: str, new: str
) -> None:
    talk.memories.write([noted(old, "relationship")])
    played.noted[new] = ("relationship", 0.95)
    played.gone[old, new] = 1.0
    talk.say(new)
    assert talk.texts()[0] == old
    assert not talk.memories.corrections([one.id for one in talk.memories.select()])


@pytest.mark.parametrize("fault", [EmbeddingFailed("no vectors"), EnvironmentFault("no AVX2")])
def test_a_classifier_that_cannot_be_asked_leaves_the_rules_alone(
    talk: Talk, played: Played, fault: LocalAgentError
) -> None:
    played.noted[LONG] = ("habit", 0.95)
    played.fault = fault
    assert talk.say(LONG).memories == ()
    assert [memory.text for memory in talk.say("I live in Leeds").added] == ["I live in Leeds"]


def test_only_what_the_user_says_is_looked_at(talk: Talk, played: Played) -> None:
    talk.say(Message("assistant", (TextPart(LONG),)), user("What is a monad?"))
    assert LONG not in played.asked


def test_what_is_not_to_be_remembered_is_not_noted_by_it_either(talk: Talk, played: Played) -> None:
    text = "Don't remember this: it's bread from the machine for me"
    played.noted[text] = ("habit", 0.99)
    assert talk.say(text).memories == ()


def test_facts_are_as_many_whatever_the_texts() -> None:
    texts = ("", "\0", "I live in Leeds", "我住在苏州", "🦊" * 300, "12 34 Mon 5 May", "\ud83d")
    assert {len(facts(new, old)) for new in texts for old in texts} == {17}
    assert all(0 <= value <= 2 for new in texts for old in texts for value in facts(new, old))


def test_a_relatives_own_change_is_theirs(talk: Talk) -> None:
    talk.say("我妹妹的老公在银行上班", "我妹妹的老公跳槽去保险公司了")
    assert talk.texts() == ["我妹妹的老公跳槽去保险公司了"]


@pytest.mark.parametrize(
    ("old", "new", "one"),
    [
        ("We're flying to Lisbon on the 3rd of June", "I've got a new rota, it starts in June", False),
        ("I have a driving test on the 21st", "I have an eye test on the 21st", False),
        ("Fionn has football on Tuesdays", "Fionn is back at school on Monday", False),
        ("My parents live in Whitby", "The holiday in Wales with my parents is off", False),
        ("我开一辆白色的比亚迪", "我给车换了新轮胎", False),
        ("Fionn has football on Tuesdays", "Fionn quit football", True),
        ("Colm teaches at St Peter's", "Colm left St Peter's", True),
        ("My parents live in Whitby", "My parents sold up and moved to York", True),
        ("我每天走路上班", "我现在骑车上班", True),
    ],
)
def test_what_only_the_person_the_day_or_a_weak_word_joins_is_not_of_one_thing(old: str, new: str, one: bool) -> None:
    assert of_one_thing(new, old) is one
