"""The question which entry a request means is answered in a word, or in the words of the entry."""

from __future__ import annotations

from pathlib import Path

import pytest
from playing import Played
from talking import Talk

from localagent.memory.entries import Add, NewMemory
from localagent.messages import assistant
from localagent.policy import ImportancePolicy, all_decided
from localagent.remember import Remember
from localagent.which_entry import may_answer

BUS = "I take the 28 bus to work"
ANNAS = ("My friend Anna is pregnant", "My sister Anna lives in Bath")
ANNAS_ZH = ("我朋友安娜怀孕了", "我姐姐安娜住在上海")


def noted(talk: Talk, *texts: str) -> None:
    talk.memories.write([Add(NewMemory("fact", text, scope="all")) for text in texts])


@pytest.mark.parametrize(
    ("texts", "request_", "answer", "gone"),
    [
        ((BUS,), "my bus route, you can let that go", "yes", BUS),
        (
            ("I take the 28 bus to work",),
            "my bus route, you can let that go",
            "Yes, that one.",
            "I take the 28 bus to work",
        ),
        (("我的心理医生叫王敏",), "能不能别存我心理医生的名字", "对", "我的心理医生叫王敏"),
        (("我的心理医生叫王敏",), "能不能别存我心理医生的名字", "是的。", "我的心理医生叫王敏"),
        (ANNAS, "Get rid of Anna", "Anna the friend I mean", ANNAS[0]),
        (ANNAS, "Get rid of Anna", "the sister", ANNAS[1]),
        (ANNAS, "Get rid of Anna", "the first one", None),
        (ANNAS, "Get rid of Anna", "Yes, the second.", ANNAS[1]),
        (ANNAS, "Get rid of Anna", "no, I meant the last one, thanks", ANNAS[1]),
        (ANNAS, "Get rid of Anna", "number 1 please", ANNAS[0]),
        (ANNAS, "Get rid of Anna", "the latter", ANNAS[1]),
        (ANNAS_ZH, "忘掉关于安娜", "我是说朋友安娜", ANNAS_ZH[0]),
        (ANNAS_ZH, "忘掉关于安娜", "第二个吧", ANNAS_ZH[1]),
        (ANNAS_ZH, "忘掉关于安娜", "对，最后一个。", ANNAS_ZH[1]),
        (ANNAS_ZH, "忘掉关于安娜", "前面那条", ANNAS_ZH[0]),
    ],
)
def test_an_answer_puts_away_what_it_names(
    talk: Talk, texts: tuple[str, ...], request_: str, answer: str, gone: str | None
) -> None:
    noted(talk, *texts, "I like tea", "我喜欢喝茶")
    assert not talk.say(request_).forgotten
    written = talk.say(assistant("Which one?"), answer)
    assert len(written.forgotten) == 1 and not written.memories
    assert gone is None or written.forgotten[0].text == gone


@pytest.mark.parametrize(
    "answer", ["both", "all of them", "Yes, both of them, please.", "都是", "是的，都忘掉吧", "两个都是", "全部"]
)
def test_both_are_put_away(talk: Talk, answer: str) -> None:
    noted(talk, *ANNAS)
    talk.say("Get rid of Anna")
    assert len(talk.say(answer).forgotten) == 2 and not talk.texts()


@pytest.mark.parametrize(
    "answer",
    ["no", "Neither.", "yes", "My friend Anna is coming over on Sunday", "Is Anna the friend?", "not the friend", "ok",
     "Anna", "I have a friend", "thanks", "不是", "谢谢", "none of them", "not both", "not the first", "No, that one.",
     "the third", "the last one was nice", "都不是", "不都是", "第三个", "最后一个问题"],
)  # fmt: skip
def test_other_answers_put_nothing_away(talk: Talk, answer: str) -> None:
    noted(talk, *ANNAS)
    talk.say("Get rid of Anna")
    assert not talk.say(answer).forgotten


@pytest.mark.parametrize("between", ["What time is it?", "现在几点？"])
def test_it_answers_only_the_message_before_it(talk: Talk, between: str) -> None:
    noted(talk, *ANNAS)
    assert not talk.say("Get rid of Anna", between, "the friend").forgotten
    assert not talk.say("yes").forgotten


class Near(Played):
    """One to whom only the name of a thing is near to an entry, not the whole request."""

    def nearest(self, text: str, limit: int) -> list[tuple[str, float]]:
        return self.near if text == "the salary" else []


def test_what_is_near_to_the_thing_is_asked_about(tmp_path: Path, rules: ImportancePolicy) -> None:
    talk = Talk(tmp_path / "ledger.sqlite3", rules)
    hears = Near()
    talk.remember = Remember(talk.memories, rules, all_decided, lambda: hears)
    noted(talk, "I earn 41k", "I like tea")
    hears.near = [(one.id, 0.31) for one in talk.memories.select() if one.text == "I earn 41k"]
    (line,) = talk.say("you can drop what I said about the salary").lines()
    assert "is this one meant?" in line and "'I earn 41k'" in line
    assert [one.text for one in talk.say("yes").forgotten] == ["I earn 41k"]


def test_a_long_word_is_looked_at_at_once() -> None:
    assert not may_answer("a" * 100_000 + "=/ b c") and not may_answer("钥" * 100_000)
