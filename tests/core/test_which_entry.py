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
from localagent.which_entry import agrees, may_answer
from localagent.written import Unclear, Written, restored

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
    assert not agrees("a" * 100_000 + "=/ b c") and not agrees("取代" * 100_000)


FRIDAY, MONDAY = (f"I have a meeting with Bob on {day}" for day in ("Friday", "Monday"))


def asked(talk: Talk) -> list[str]:
    """One that may take the place of another is kept beside it; the lines."""
    lines = talk.say(f"{FRIDAY}.", f"{MONDAY}.").lines()
    talk.ledger.append(talk.thread.id, assistant("Noted. Anything else?"))
    return lines


@pytest.mark.parametrize(
    "answer",
    ["yes", "Yes.", "correct", "yes, it does", "It does.", "Yes, replace it please", "是",
     "对", "是的，取代", "替换吧"],
)  # fmt: skip
def test_yes_lets_the_newer_one_replace_the_older_one(talk: Talk, answer: str) -> None:
    (*_, question) = asked(talk)
    older, newer = talk.memories.select()[::-1]
    assert question.startswith(f"both kept: does '{MONDAY}' replace '{FRIDAY}'?") and 'say "yes"' in question
    assert question.endswith(f"localagent memory replace {older.id} {newer.id}")
    written = talk.say(answer)
    assert [(old.text, new.text) for old, new in written.superseded] == [(FRIDAY, MONDAY)] and not written.added
    assert written.lines()[0].endswith(f"replaces: '{FRIDAY}'\n  undo: localagent memory restore {older.id}")
    assert [(one.text, one.state) for one in talk.memories.chain(newer.id)] == [
        (FRIDAY, "superseded"), (MONDAY, "active")
    ]  # fmt: skip
    assert not talk.say("yes").superseded, "it is answered once"
    restored(talk.memories, older.id)
    assert talk.texts() == [FRIDAY]


@pytest.mark.parametrize(
    "answer",
    ["no", "both", "yes, both", "keep both", "yes?", "ok", "not really", "No, it does not", "thanks", "the first",
     "yes I have a meeting with Ann on Tuesday", "不是", "是不是", "没有", "不对", "对了，你好", "两条都留着"],
)  # fmt: skip
def test_anything_else_leaves_both(talk: Talk, answer: str) -> None:
    asked(talk)
    assert not talk.say(answer).superseded and talk.texts()[:2] == [FRIDAY, MONDAY]
    assert not talk.say("yes").superseded, "it answers only the message before it"


def test_a_yes_that_is_taken_back_leaves_both(talk: Talk) -> None:
    asked(talk)
    talk.say("yes")
    last = talk.ledger.messages(talk.thread.id, last=1)[0]
    with talk.ledger.database.transaction() as connection:
        talk.memories.retract(connection, last.id)
    assert talk.texts() == [FRIDAY, MONDAY]


def test_one_question_is_asked_at_a_time(talk: Talk) -> None:
    noted(talk, *ANNAS)
    pair = talk.say(f"{FRIDAY}.", f"{MONDAY}.").unsure[0]
    which = Unclear("Anna", tuple(talk.memories.select()[-2:]))
    assert sum("?" in line for line in Written(unsure=(pair, pair)).lines()) == 1
    (line,) = Written(unsure=(pair,), unclear=(which,)).lines()
    assert "which one is meant?" in line and line.endswith("localagent memory forget ID: it is deleted for good")
