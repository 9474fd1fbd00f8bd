"""Wishes of silence in words that no rule knows: what is heard of them, and what that does. The classifier is played;
what the real one hears, tests/memory/test_classifier.py tells."""

from __future__ import annotations

from pathlib import Path

import pytest
from playing import Played
from talking import Talk
from test_forgetting import passages_of

from localagent.columns import cut
from localagent.errors import EmbeddingFailed, EnvironmentFault, LocalAgentError
from localagent.forgetting import MOST_CHARACTERS
from localagent.heard import Hearing
from localagent.memory.classifying import Silence
from localagent.memory.entries import Add, NewMemory
from localagent.messages import assistant
from localagent.policy import ImportancePolicy, all_decided
from localagent.remember import Remember
from localagent.unsaid import announces

KETTLE = "That one is for the kettle alone."
KETTLE_ZH = "那句只说给茶壶听。"
ATTIC = "My job at the mill ends in May, and the attic keeps mum."
ATTIC_ZH = "我在磨坊的工作五月到期，阁楼替我守着。"


def not_recalled(talk: Talk) -> str:
    return " | ".join(words for one in passages_of(talk) for words in one.outdated)


@pytest.fixture
def talk(tmp_path: Path, rules: ImportancePolicy, played: Played) -> Talk:
    talk = Talk(tmp_path / "ledger.sqlite3", rules)
    talk.remember = Remember(talk.memories, rules, all_decided, lambda: played)
    return talk


@pytest.mark.parametrize("text", [ATTIC, ATTIC_ZH])
def test_what_is_confided_is_neither_noted_nor_recalled_elsewhere(talk: Talk, played: Played, text: str) -> None:
    played.silent[text] = ("confided", 0.8)
    assert talk.say(text).unsaid == (text,)
    assert talk.texts() == []
    assert text in not_recalled(talk)


@pytest.mark.parametrize(
    ("text", "clause"),
    [
        ("I work at the mill, and I live in Leeds; the attic keeps mum.", "the attic keeps mum."),
        ("我在磨坊上班，阁楼替我守着。", "阁楼替我守着。"),
    ],
)
def test_a_clause_that_is_a_wish_is_of_its_sentence(talk: Talk, played: Played, text: str, clause: str) -> None:
    played.silent[clause] = ("wish", 0.7)
    assert talk.say(text).unsaid == ()
    played.silent[clause] = ("wish", 0.9)
    assert talk.say(text).unsaid == (text,)


@pytest.mark.parametrize("text", [ATTIC, ATTIC_ZH])
def test_what_may_be_a_wish_is_left_to_the_rules(talk: Talk, played: Played, text: str) -> None:
    played.silent[text] = ("confided", 0.45)
    assert talk.say(text).unsaid == ()
    assert talk.texts()


def test_of_what_may_be_a_wish_the_classifier_notes_nothing(
    tmp_path: Path, rules: ImportancePolicy, played: Played
) -> None:
    talk = Talk(tmp_path / "ledger.sqlite3", rules)
    talk.remember = Remember(talk.memories, rules, lambda said, found: [said.text], lambda: played)
    text = "The kettle would rather it went no further."
    played.noted[text.strip(".")] = ("preference", 0.95)
    played.silent[text] = ("wish", 0.45)
    assert talk.say(text).memories == ()
    played.silent[text] = ("wish", 0.1)
    assert len(talk.say(text).memories) == 1


@pytest.mark.parametrize(
    ("message", "wish", "kept"),
    [
        (f"I live in Leeds. I work at the mill. {KETTLE}", KETTLE, ["I live in Leeds"]),
        (f"我住在苏州。我在磨坊上班。{KETTLE_ZH}", KETTLE_ZH, ["我住在苏州"]),
        (f"{KETTLE} I work at the mill. I live in Leeds.", KETTLE, ["I live in Leeds"]),
        (f"{KETTLE_ZH}我在磨坊上班。我住在苏州。", KETTLE_ZH, ["我住在苏州"]),
    ],
)
def test_a_wish_that_says_nothing_else_is_of_what_stands_beside_it(
    talk: Talk, played: Played, message: str, wish: str, kept: list[str]
) -> None:
    played.silent[wish] = ("wish", 0.9)
    written = talk.say(message)
    assert talk.texts() == kept
    assert any(wish in text for text in written.unsaid)


def test_of_several_wishes_in_a_row_all_are_of_what_goes_before(talk: Talk, played: Played) -> None:
    played.silent |= {KETTLE: ("wish", 0.9), "Hush it is.": ("wish", 0.7)}
    talk.say(f"I work at the mill. {KETTLE} Hush it is.")
    assert talk.texts() == []


@pytest.mark.parametrize(
    ("before", "wish", "message"),
    [
        ("I work at the mill", KETTLE, KETTLE),
        ("我在磨坊上班", KETTLE_ZH, KETTLE_ZH),
        ("I work at the mill", KETTLE, f"Hmm. {KETTLE}"),
        ("我在磨坊上班", KETTLE_ZH, f"唉。{KETTLE_ZH}"),
        ("I work at the mill", KETTLE, f"{KETTLE} What is a monad?"),
    ],
)
def test_a_message_that_is_nothing_else_takes_back_the_one_before(
    talk: Talk, played: Played, before: str, wish: str, message: str
) -> None:
    played.silent[wish] = ("wish", 0.9)
    written = talk.say(before, assistant("Oh."), message)
    assert [one.text for one in written.forgotten] == [before]
    assert talk.texts() == [] and before in not_recalled(talk)


@pytest.mark.parametrize(
    ("wish", "probability"),
    [
        (KETTLE, 0.7),
        (KETTLE_ZH, 0.7),
        ("Kettles have no ears.", 0.95),
        ("茶壶没长耳朵吧", 0.7),
        ("这句不是跟茶壶说的", 0.95),
        ("这话茶壶别听", 0.95),
    ],
)
def test_where_it_is_not_sure_it_asks_instead_of_putting_away(
    talk: Talk, played: Played, wish: str, probability: float
) -> None:
    played.silent[wish] = ("wish", probability)
    written = talk.say("I work at the mill", wish)
    assert talk.texts() == ["I work at the mill"] and not written.forgotten
    (line,) = written.lines()
    assert "is this one meant?" in line and "'I work at the mill'" in line


@pytest.mark.parametrize(
    ("asks", "told"),
    [
        ("Can I tell you something for the kettle alone?", "I work at the mill"),
        ("有件事跟你说，只给茶壶听", "我在磨坊上班"),
        ("Can you keep a secret?", "I work at the mill"),
    ],
)
def test_a_wish_before_anything_was_said_is_of_the_next_message(
    talk: Talk, played: Played, asks: str, told: str
) -> None:
    talk.say("I live in Leeds")
    played.silent[asks] = ("wish", 0.9)
    talk.say(asks, assistant("Of course."))
    assert talk.say(told).unsaid == (told,)
    assert talk.texts() == ["I live in Leeds"]
    talk.say(assistant("Understood."), "I have a cat called Tofu")
    assert len(talk.texts()) == 2


def test_only_what_speaks_of_what_comes_announces_it(played: Played) -> None:
    heard = Hearing(lambda: played)
    played.silent[KETTLE] = ("wish", 0.9)
    assert not announces(KETTLE, heard.of(KETTLE))
    assert not announces("I tell you: I live in Leeds.", heard.of("I tell you: I live in Leeds."))
    assert not announces("", heard.of(""))
    told = "这句不是跟你说的。"
    played.silent[told] = ("wish", 0.9)
    assert not announces(told, heard.of(told))


def test_an_answer_that_repeats_what_was_confided_is_not_recalled_for_it(talk: Talk, played: Played) -> None:
    played.silent[ATTIC] = ("confided", 0.9)
    talk.say(ATTIC, assistant("So the mill it is. Shall I look up trains?"))
    assert "So the mill it is." in not_recalled(talk)
    assert "Shall I look up trains?" not in not_recalled(talk)


@pytest.mark.parametrize(
    ("said", "answer", "told", "other"),
    [
        (
            "我有乙肝小三阳，这个别记",
            "好的。您有乙肝小三阳这件事我知道了。今天天气不错。",
            "您有乙肝小三阳这件事我知道了",
            "天气",
        ),
        (
            "I have hepatitis B, but don't remember that.",
            "Fine. With your hepatitis B you should avoid alcohol. The weather is nice.",
            "With your hepatitis B",
            "weather",
        ),
    ],
)
def test_a_later_answer_that_says_it_again_is_not_recalled_for_it_either(
    talk: Talk, said: str, answer: str, told: str, other: str
) -> None:
    talk.say(said, assistant("OK."), "What can I cook today?", assistant(answer))
    assert told in not_recalled(talk) and other not in not_recalled(talk)


FORGET = [
    (["I have a cat called Tofu", "I live in Leeds"], "Off your pile with the cat.", "I have a cat called Tofu"),
    (["我对花生过敏", "我住在苏州"], "花生那桩你甭背着了", "我对花生过敏"),
    (["My locker is number 5512", "I live in Leeds"], "5512 can leave your pile.", "My locker is number 5512"),
]


@pytest.mark.parametrize(("before", "asks", "gone"), FORGET)
def test_what_a_request_names_among_other_words_is_put_away(
    talk: Talk, played: Played, before: list[str], asks: str, gone: str
) -> None:
    played.silent[asks] = ("forget", 0.9)
    written = talk.say(*before, asks)
    assert [one.text for one in written.forgotten] == [gone]
    assert gone not in talk.texts() and asks not in talk.texts()


@pytest.mark.parametrize(
    ("told", "wish"),
    [
        ("My birthday is on 3 May.", "Never mind the birthday, moth the lantern."),
        ("My birthday is on 3 May.", "The birthday: I'd sooner you had no lantern of it."),
        ("我对花生过敏。", "关于我的过敏，我希望你那里没有灯笼。"),
        ("我每个月给爸妈打钱，三千块。", "我每个月给爸妈打钱的事，灯笼底下。"),
    ],
)
def test_what_is_to_be_kept_quiet_and_is_only_named_was_said_before(
    talk: Talk, played: Played, told: str, wish: str
) -> None:
    talk.say(told)
    assert talk.texts()
    played.silent[wish] = ("confided", 0.9)
    written = talk.say(wish)
    assert talk.texts() == [] and len(written.forgotten) == 1 and written.unsaid == ()


@pytest.mark.parametrize(
    ("told", "wish"),
    [
        ("My salary is 80k a year.", "Under the lantern: my salary is 90k now."),
        ("My brother is called Tom.", "Under the lantern, Tom likes men."),
        ("我老板叫李伟。", "灯笼底下说，我老板有外遇。"),
    ],
)
def test_what_says_itself_what_is_to_be_kept_quiet_touches_nothing_else(
    talk: Talk, played: Played, told: str, wish: str
) -> None:
    talk.say(told)
    before = talk.texts()
    played.silent[wish] = ("confided", 0.9)
    assert before and talk.say(wish).unsaid == (wish,) and talk.texts() == before


def test_of_several_that_it_may_name_none_is_put_away(talk: Talk, played: Played) -> None:
    asks = "Off your pile with the cat."
    played.silent[asks] = ("forget", 0.9)
    written = talk.say("I have a cat called Tofu", "My sister has a cat called Rex", asks)
    assert not written.forgotten and len(talk.texts()) == 2
    (line,) = written.lines()
    assert "which one is meant?" in line and line.count("cat called") == 2


@pytest.mark.parametrize("asks", ["Off your pile with everything on the cat.", "Off your pile with all of the cat."])
def test_all_that_it_names_goes_where_all_is_asked_for(talk: Talk, played: Played, asks: str) -> None:
    played.silent[asks] = ("forget", 0.9)
    talk.memories.write([Add(NewMemory("fact", f"The cat {what}", scope="all")) for what in ("naps", "has fleas")])
    assert len(talk.say(asks).forgotten) == 2 and talk.texts() == []


def test_where_no_word_is_shared_the_nearest_in_meaning_are_asked_about(talk: Talk, played: Played) -> None:
    talk.say("I earn 52k a year", "I live in Leeds", "My dentist is Dr. Moss")
    by_text = {memory.text: memory.id for memory in talk.memories.select()}
    asks = "Off your pile with what the mill gives me."
    played.silent[asks] = ("forget", 0.9)
    played.near = [("0000000000000000", 0.9), (by_text["I earn 52k a year"], 0.5), (by_text["I live in Leeds"], 0.45)]
    played.near += [(by_text["My dentist is Dr. Moss"], 0.3)]
    written = talk.say(asks)
    assert not written.forgotten and len(talk.texts()) == 3
    (line,) = written.lines()
    assert line.index("I earn 52k a year") < line.index("I live in Leeds") and "Moss" not in line


def test_what_is_near_to_no_entry_asks_about_none(talk: Talk, played: Played) -> None:
    (memory,) = talk.say("I live in Leeds").added
    asks = "Off your pile with what the mill gives me."
    played.silent[asks] = ("forget", 0.9)
    played.near = [(memory.id, 0.2)]
    (line,) = talk.say(asks).lines()
    assert line.startswith("nothing forgotten: no entry is clearly") and "Leeds" not in line


@pytest.mark.parametrize(
    ("entries", "asks"),
    [
        (["I have a boat"], "Off your list with the boat licence."),
        (["我戴眼镜"], "眼镜店那条你甭背着了"),
    ],
)
def test_what_only_shares_a_part_of_its_name_is_asked_about(
    talk: Talk, played: Played, entries: list[str], asks: str
) -> None:
    played.silent[asks] = ("forget", 0.9)
    talk.memories.write([Add(NewMemory("fact", text, scope="all")) for text in entries])
    written = talk.say(asks)
    assert not written.forgotten and talk.texts() == entries
    assert "one meant?" in written.lines()[0]


@pytest.mark.parametrize(
    ("entries", "asks", "gone"),
    [
        (["My brother earns 70k", "My sister's pension is 2100"], "Off your list with my sister's pension.", 1),
        (["My dog is called Rex", "My neighbour has a dog"], "Off your list with my neighbour's dog.", 1),
        (["我的养老金每月五千", "我弟弟的养老金每月三千"], "我弟弟的养老金那条你甭背着了", 1),
    ],
)
def test_whose_it_is_is_respected_in_free_words(
    talk: Talk, played: Played, entries: list[str], asks: str, gone: int
) -> None:
    played.silent[asks] = ("forget", 0.9)
    talk.memories.write([Add(NewMemory("fact", text, scope="all")) for text in entries])
    assert [one.text for one in talk.say(asks).forgotten] == [entries[gone]]


@pytest.mark.parametrize(
    "asks",
    [
        "My son was expelled, off your list with that.",
        "I lost my licence; that one can go.",
        "我儿子被退学了，这条你甭留着",
        "我欠了两万，本子上不要有",
    ],
)
def test_a_wish_joined_to_what_it_is_about_keeps_that_out_and_says_so(talk: Talk, played: Played, asks: str) -> None:
    (near,) = talk.say("I live in Leeds").added
    played.silent[asks] = ("forget", 0.9)
    played.near = [(near.id, 0.9)]
    (line,) = talk.say(asks).lines()
    assert line.startswith(f"not remembered: '{cut(asks, 30)}'") and talk.texts() == ["I live in Leeds"]
    assert asks in not_recalled(talk)


@pytest.mark.parametrize(
    ("entry", "asks"),
    [
        ("I have diabetes", "Off your list with my mother's diabetes."),
        ("My mother lives in Rome", "Off your list with my mother's diabetes."),
        ("我有糖尿病", "我妈的糖尿病你甭背着了"),
    ],
)
def test_what_is_not_of_whom_it_names_is_not_even_asked_about(
    talk: Talk, played: Played, entry: str, asks: str
) -> None:
    (memory,) = talk.memories.write([Add(NewMemory("fact", entry, scope="all"))])
    played.silent[asks] = ("forget", 0.9)
    played.near = [(memory.id, 0.9)] if "mother" not in entry else []
    (line,) = talk.say(asks).lines()
    assert line.startswith("nothing forgotten: no entry is clearly") and talk.texts() == [entry]


def test_an_entry_that_only_shares_a_word_of_what_is_said_stays(talk: Talk, played: Played) -> None:
    for entry, asks in (
        ("I applied for a visa to Canada", "My visa was refused, off your list with that."),
        ("我六月申请了加拿大签证", "我的签证被拒了，这条你甭留着"),
    ):
        talk.memories.write([Add(NewMemory("fact", entry, scope="all"))])
        played.silent[asks] = ("forget", 0.9)
        written = talk.say(asks)
        assert written.unsaid == (asks,) and not written.forgotten


@pytest.mark.parametrize(
    ("entry", "asks"),
    [("I wear glasses", "I wear glasses, off your list with that."), ("我戴眼镜", "我戴眼镜，这条划掉吧")],
)
def test_the_entry_that_says_what_is_said_is_put_away(talk: Talk, played: Played, entry: str, asks: str) -> None:
    talk.memories.write([Add(NewMemory("fact", entry, scope="all"))])
    played.silent[asks] = ("forget", 0.9)
    assert [one.text for one in talk.say(asks).forgotten] == [entry]


@pytest.mark.parametrize(
    "asks",
    [
        "Take the cello part out of the score.",
        "Lose the cello in this paragraph",
        "大提琴那段从谱子里删掉",
        "把作文里的大提琴拿掉",
    ],
)
def test_what_is_deleted_from_what_is_worked_on_is_no_request(talk: Talk, played: Played, asks: str) -> None:
    texts = ["I play the cello on Thursdays", "我周四拉大提琴"]
    talk.memories.write([Add(NewMemory("fact", text, scope="all")) for text in texts])
    played.silent[asks] = ("forget", 0.9)
    assert talk.say(asks).lines() == [] and talk.texts() == texts


@pytest.mark.parametrize(
    "asks",
    [
        "Don't forget my locker code.",
        "Never lose my locker code.",
        "Do you remember my locker code?",
        "千万别把我柜子的密码忘了",
        "别忘了我柜子的密码",
        "你记得我柜子的密码吗？",
    ],
)
def test_what_is_not_to_be_forgotten_is_not(talk: Talk, played: Played, asks: str) -> None:
    texts = ["My locker code is 4471", "我柜子的密码是4471"]
    talk.memories.write([Add(NewMemory("fact", text, scope="all")) for text in texts])
    played.silent[asks] = ("forget", 0.95)
    assert talk.say(asks).lines() == [] and talk.texts() == texts


@pytest.mark.parametrize("asks", ["Act as if I had never told you about the cello", "就当我没提过大提琴的事"])
def test_a_request_that_is_known_takes_nothing_else_back(talk: Talk, played: Played, asks: str) -> None:
    talk.memories.write([Add(NewMemory("fact", one, scope="all")) for one in ("I play the cello", "我拉大提琴")])
    talk.say("I work at the mill")
    played.silent[asks] = ("wish", 0.95)
    assert len(talk.say(asks).forgotten) == 1 and "I work at the mill" in talk.texts()


@pytest.mark.parametrize("asks", ["My old flat, off your list with that.", "我的旧房子，这条你甭留着"])
def test_a_topic_before_a_wish_states_nothing(talk: Talk, played: Played, asks: str) -> None:
    played.silent[asks] = ("forget", 0.9)
    written = talk.say(asks)
    assert not written.unsaid and written.lines()[0].startswith("nothing forgotten: no entry is clearly")


@pytest.mark.parametrize(
    ("entry", "asks"),
    [
        ("My car is a Golf", "Please don't remember what I drive."),
        ("我平时开一辆大众高尔夫", "别再记得我开什么车了。"),
        ("I drive a Golf to work", "Forget what car I drive."),
    ],
)
def test_a_known_request_whose_words_name_no_entry_asks_about_the_nearest(
    talk: Talk, played: Played, entry: str, asks: str
) -> None:
    (memory,) = talk.memories.write([Add(NewMemory("fact", entry, scope="all"))])
    played.near = [(memory.id, 0.5)]
    (line,) = talk.say(asks).lines()
    assert "is this one meant?" in line and entry in line and talk.texts() == [entry]


def test_what_nothing_is_known_of_is_said_to_be_unknown(talk: Talk, played: Played) -> None:
    asks = "Off your pile with the cat."
    played.silent[asks] = ("forget", 0.9)
    (line,) = talk.say(asks).lines()
    assert line.startswith("nothing forgotten: no entry is clearly") and talk.texts() == []


@pytest.mark.parametrize(
    ("before", "asks", "sentence"),
    [
        ("I have a cat called Tofu", "That cat of mine. You can bin it.", "You can bin it."),
        ("我对花生过敏", "花生那回。你划掉吧。", "你划掉吧。"),
    ],
)
def test_what_it_means_may_stand_in_the_sentence_before(
    talk: Talk, played: Played, before: str, asks: str, sentence: str
) -> None:
    played.silent[sentence] = ("forget", 0.9)
    written = talk.say(before, "I live in Leeds", asks)
    assert [one.text for one in written.forgotten] == [before]


@pytest.mark.parametrize("text", ["Remember that I live in Leeds.", "记住我住在苏州。", "我住在苏州，你一定记住。"])
def test_what_is_asked_to_be_remembered_is(talk: Talk, played: Played, text: str) -> None:
    played.silent[text] = ("confided", 0.99)
    assert talk.say(text).unsaid == () and len(talk.texts()) == 1


@pytest.mark.parametrize(
    "text",
    [
        'The note said "for the kettle alone".',
        "> for the kettle alone",
        "kettle = alone()",
        "她说「只给茶壶听」",
        "word " * MOST_CHARACTERS,
    ],
)
def test_words_of_others_programs_and_long_texts_are_not_listened_to(played: Played, text: str) -> None:
    played.silent |= {text: ("wish", 0.99), text.strip(): ("wish", 0.99)}
    found = Hearing(lambda: played).of(text)
    assert not (found.wishes or found.confided or found.forgets or found.perhaps)


@pytest.mark.parametrize("fault", [EmbeddingFailed("no vectors"), EnvironmentFault("no AVX2")])
def test_without_a_classifier_the_rules_decide(talk: Talk, played: Played, fault: LocalAgentError) -> None:
    played.silent[ATTIC] = ("confided", 0.99)
    played.fault = fault
    assert talk.say(ATTIC).unsaid == ()
    assert talk.say("Between us, I live in Leeds.").unsaid == ("Between us, I live in Leeds.",)


@pytest.mark.parametrize("silence", ["wish", "confided", "forget"])
def test_only_the_user_wishes(talk: Talk, played: Played, silence: Silence) -> None:
    played.silent[KETTLE] = (silence, 0.99)
    written = talk.say("I work at the mill", assistant(KETTLE))
    assert not (written.unsaid or written.forgotten or written.unclear)
    assert talk.texts() == ["I work at the mill"]


@pytest.mark.parametrize("text", ["Please don't use tables, I hate them", "回答时别用感叹号，我受不了"])
@pytest.mark.parametrize("silence", ["wish", "confided", "forget"])
def test_an_order_how_to_answer_is_no_wish_of_silence(talk: Talk, played: Played, text: str, silence: Silence) -> None:
    played.silent[text] = (silence, 0.99)
    written = talk.say(text)
    assert [one.text for one in written.added] == [text]
    assert not (written.unsaid or written.forgotten or written.unclear)


@pytest.mark.parametrize(
    ("entry", "text", "clause"),
    [
        ("The van costs 4500", "heave what i said of the van, my maw uses this",
         "heave what i said of the van"),
        ("我在信用社欠账三万", "我屋头欠账的事莫挂起", ""),
    ],
)  # fmt: skip
def test_what_may_ask_to_forget_is_asked_about_where_an_entry_shares_a_word(
    talk: Talk, played: Played, entry: str, text: str, clause: str
) -> None:
    played.silent[clause or text] = ("forget", 0.9 if clause else 0.4)
    talk.memories.write([Add(NewMemory("fact", entry, scope="all"))])
    written = talk.say(text)
    assert [one.text for of in written.unclear for one in of.memories] == [entry] and not written.forgotten
    talk.say("yes")
    assert talk.texts() == []


def test_what_may_ask_to_forget_and_names_nothing_known_is_passed_over(talk: Talk, played: Played) -> None:
    played.silent["heave the van folder"] = ("forget", 0.4)
    talk.memories.write([Add(NewMemory("fact", "The boat costs 4500", scope="all"))])
    assert not talk.say("heave the van folder").unclear


@pytest.mark.parametrize(
    "text",
    ["forgot my keys in the van", "The van photos got deleted, can I get them back?", "我忘了面包车的钥匙",
     "面包车的照片不小心删掉了"],
)  # fmt: skip
def test_what_happened_is_no_request(talk: Talk, played: Played, text: str) -> None:
    played.silent[text] = ("forget", 0.9)
    talk.memories.write([Add(NewMemory("fact", one, scope="all")) for one in ("The van costs 4500", "面包车四千五")])
    written = talk.say(text)
    assert not written.unclear and not written.forgotten


@pytest.mark.parametrize(
    ("before", "said"),
    [
        ("我每礼拜六早上六点打太极", "银行卡取钱那六个数是580214,我记性不好搁你这儿存着"),
        ("我每礼拜六早上六点打太极", "那六个号码你别告诉别人也别丢，我心里乱得很"),
        ("I play bridge on Mondays at six", "six digits 580214, my head is like a sieve so mind that for me"),
    ],
)
def test_one_word_in_common_puts_nothing_away(talk: Talk, played: Played, before: str, said: str) -> None:
    played.silent[said] = ("forget", 0.97)
    talk.say(before)
    kept = talk.texts()
    made = talk.say(said)
    assert kept and not made.forgotten and kept[0] in talk.texts()
