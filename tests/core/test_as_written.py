"""Traditional Chinese and Cantonese are understood as simplified Chinese is, and kept as they were written."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st
from playing import Played
from talking import Talk

from localagent.as_written import RememberAsWritten
from localagent.memory.characters import simplified
from localagent.policy import Compressing, ImportancePolicy, Policies, Said
from localagent.stated import stated
from localagent.writing import Writing, left_out, summarizing

CHINESE = st.text(st.sampled_from("我你妳的說说話话記记憶忆唔好係佢哋喺嘅台臺灣湾後后 a1,，。"), max_size=40)


@given(st.text())
def test_each_character_keeps_its_place(text: str) -> None:
    assert len(simplified(text)) == len(text)
    assert text.isascii() is False or simplified(text) == text


@given(st.lists(CHINESE, max_size=4), st.data())
def test_a_passage_comes_back_as_it_was_written(texts: list[str], data: st.DataObject) -> None:
    writing = Writing()
    for text in texts:
        read = writing.read(text)
        assert writing.written(read) == text
        start = data.draw(st.integers(0, len(text)))
        end = data.draw(st.integers(start, len(text)))
        passage = writing.written(read[start:end])
        assert len(passage) == end - start
        assert len(passage) < 2 or any(passage in one for one in texts)


def test_what_is_made_of_two_passages_comes_back_piece_by_piece() -> None:
    writing = Writing()
    read = writing.read("我媽媽住在臺南，她養了兩隻貓")
    assert writing.written(read[:3] + read[9:]) == "我媽媽養了兩隻貓"
    assert writing.written("这句没说过") == "这句没说过"


@pytest.mark.parametrize(
    ("message", "entry"),
    [
        ("我對花生過敏", "我對花生過敏"),
        ("以後請叫我阿偉", "以後請叫我阿偉"),
        ("我太太叫林美玲", "我太太叫林美玲"),
        ("我決定換到國泰的車貸", "我決定換到國泰的車貸"),
        ("我細佬喺沙田返學", "我細佬喺沙田返學"),
        ("我鍾意飲凍檸茶", "我鍾意飲凍檸茶"),
    ],
)
def test_what_is_told_is_noted_in_its_own_characters(talk: Talk, message: str, entry: str) -> None:
    made = talk.say(message)
    assert talk.texts() == [entry]
    assert any(entry in line for line in made.lines("zh"))


@pytest.mark.parametrize(
    ("before", "after", "left"),
    [
        ("我住在臺北", "我搬到高雄了", ["我搬到高雄了"]),
        ("我不吃牛肉", "其實我現在可以吃牛肉了", ["我現在可以吃牛肉了"]),
        ("以後請叫我阿偉", "以後請叫我偉哥", ["以後請叫我偉哥"]),
        ("我對花生過敏", "忘掉我對花生過敏的事", []),
        ("我住喺屯門", "唔好記我住喺邊度", []),
        ("我住在台湾", "我住在臺灣", ["我住在台湾"]),
    ],
)
def test_a_change_and_a_request_to_forget_are_understood(talk: Talk, before: str, after: str, left: list[str]) -> None:
    talk.say(before)
    talk.say(after)
    assert talk.texts() == left


@pytest.mark.parametrize(
    "message",
    [
        "這件事別記：我被公司裁員了",
        "別告訴我老婆，我買了一支新手機",
        "呢件事唔好記低：我被公司炒咗",
        "噓，我買了戒指，別讓她知道",
    ],
)
def test_a_wish_of_silence_is_kept(talk: Talk, message: str) -> None:
    made = talk.say(message)
    assert not talk.texts() and made.unsaid
    assert all(one in message for one in made.unsaid)
    stored = talk.ledger.messages(talk.thread.id)[-1]
    assert all(clause in message for clause in talk.memories.hidden_in(stored.id))


def test_a_pair_of_writings_is_the_same_statement(talk: Talk) -> None:
    talk.say("我對頭孢過敏")
    assert talk.say("我对头孢过敏").strengthened
    assert talk.texts() == ["我對頭孢過敏"]


def test_what_is_typed_by_hand_gets_its_kind(talk: Talk, rules: ImportancePolicy) -> None:
    new = stated("以後回答都用繁體字", rules, 0.0, agent="a")
    assert (new.kind, new.text) == ("preference", "以後回答都用繁體字")
    assert talk.remember.add(new).added[0].text == "以後回答都用繁體字"


def test_the_classifier_is_asked_in_the_characters_that_were_written(
    talk: Talk, rules: ImportancePolicy, played: Played
) -> None:
    talk.remember = RememberAsWritten(talk.memories, rules, lambda said, found: [said.text], lambda: played)
    played.noted["巷口的麵店我常去"] = ("habit", 0.95)
    talk.say("巷口的麵店我常去")
    assert talk.texts("habit") == ["巷口的麵店我常去"]


def test_a_summary_holds_it_as_it_was_written(policies: Policies) -> None:
    said = [
        Said("user", "我決定用國泰的車貸，每月付8,600元。", 0.0, 1),
        Said("user", "這件事別記：我被公司裁員了。", 1.0, 2),
    ]
    outdated = left_out((), said, {})
    assert outdated[2] and all(one in said[1].text for one in outdated[2])
    items = summarizing(policies.summarization)(Compressing(said, (), (), outdated, 500, len))
    assert [item.kind for item in items] == ["decision"]
    assert items[0].quote in said[0].text and "國泰的車貸" in items[0].text
