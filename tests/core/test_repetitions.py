"""What was forgotten is not recalled from where it was said again, before and after."""

from __future__ import annotations

import pytest
from talking import Talk
from test_forgetting import passages_of

from localagent.messages import Message, TextPart
from localagent.repetitions import forget_for_good

SAID = [
    (
        ["My salary is 4200 euros. I like tea.", "Since my salary is 4200 euros, what can I save?"],
        "You said that your salary is 4200 euros, so save a tenth of it.",
        "Forget my salary.",
        "OK, I have forgotten that your salary is 4200 euros.",
        "4200",
    ),
    (
        ["我的工资是4200元。我喜欢喝茶。", "既然我的工资是4200元，能存多少？"],
        "你的工资是4200元，可以存十分之一。",
        "忘掉我的工资。",
        "好的，我已经忘掉你的工资是4200元这件事。",
        "4200",
    ),
]


def answer(text: str) -> Message:
    return Message("assistant", (TextPart(text),))


def shown(talk: Talk) -> list[str]:
    """What of the messages may be recalled."""
    texts = []
    for passage in passages_of(talk):
        text = passage.text
        for clause in passage.outdated:
            text = text.replace(clause, "")
        texts.append(text)
    return texts


@pytest.mark.parametrize("indexed", [True, False])
@pytest.mark.parametrize(("said", "told", "request_", "after", "value"), SAID)
def test_what_says_it_again_is_not_recalled(
    talk: Talk, said: list[str], told: str, request_: str, after: str, value: str, indexed: bool
) -> None:
    older = talk.ledger.create_thread("a")
    talk.say(said[0])
    talk.say(said[1], thread=older)
    talk.say(answer(told))
    if indexed:
        passages_of(talk)
    (forgotten,) = talk.say(request_).forgotten
    talk.say(answer(after))
    assert not [text for text in shown(talk) if value in text]
    assert any("tea" in text or "茶" in text for text in shown(talk))
    assert any("tenth" in text or "十分之一" in text for text in shown(talk))
    talk.memories.restore(forgotten.id)
    assert sum(value in text for text in shown(talk)) == 4


@pytest.mark.parametrize(("said", "told", "request_", "after", "value"), SAID)
def test_nor_where_the_entry_is_deleted(
    talk: Talk, said: list[str], told: str, request_: str, after: str, value: str
) -> None:
    entries = talk.say(said[0]).added
    talk.say(answer(told))
    (salary,) = [entry for entry in entries if value in entry.text]
    assert forget_for_good(talk.memories, [salary.id]) == 1
    assert not [text for text in shown(talk) if value in text]


def test_a_request_that_is_taken_back_shows_it_again(talk: Talk) -> None:
    talk.say("My salary is 4200 euros.", answer("Your salary is 4200 euros, noted."), "Forget my salary.")
    talk.ledger.undo(talk.thread.id)
    assert sum("4200" in text for text in shown(talk)) == 2


@pytest.mark.parametrize(
    ("said", "other", "request_"),
    [
        ("My salary is 4200 euros.", "My sister's salary is 4200 euros.", "Forget my salary."),
        ("My salary is 4200 euros.", "My salary is 4300 euros gross.", "Forget that my salary is 4200 euros."),
        ("I like tea.", "My brother and his friends like tea very much.", "Forget that I like tea."),
        ("I like tea.", "I do not like tea.", "Forget that I like tea."),
        ("I live in Oslo.", "Do you live in Oslo?", "Forget where I live."),
        ("我喜欢喝茶。", "我弟弟喜欢喝茶。", "忘掉我喜欢喝茶这件事。"),
        ("我的工资是4200元。", "我妹妹的工资是4200元。", "忘掉我的工资。"),
        ("我喜欢喝茶。", "你喜欢喝茶吗？", "忘掉我喜欢喝茶这件事。"),
    ],
)
def test_what_says_something_else_stays(talk: Talk, said: str, other: str, request_: str) -> None:
    talk.store(other)
    talk.say(said)
    assert talk.say(request_).forgotten
    assert other in shown(talk)


def test_another_tenant_s_messages_stay_as_they_are(talk: Talk) -> None:
    theirs = talk.ledger.create_thread("a", tenant="another")
    message = talk.store("My salary is 4200 euros.", theirs)
    talk.say("My salary is 4200 euros.", "Forget my salary.")
    assert talk.ledger.database.query("SELECT 1 FROM hidden_clauses WHERE message_id = ?", (message.id,)) == []
