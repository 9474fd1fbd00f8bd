"""A message that is read after newer ones were overrules none of them: the order of saying decides."""

from __future__ import annotations

import pytest
from talking import Talk

from localagent.memory.base import StoredMessage
from localagent.memory.entries import NewMemory
from localagent.written import Written


def read(talk: Talk, message: StoredMessage) -> Written:
    """As whoever finds it unread."""
    before = [one for one in talk.ledger.messages(message.thread_id) if one.id < message.id]
    thread = talk.ledger.thread(message.thread_id)
    assert thread is not None
    return talk.remember.take(message, before, thread)


@pytest.mark.parametrize(
    ("late", "newer"),
    [
        ("Please answer in English.", "Please answer in Chinese."),
        ("请用中文回答。", "请用英文回答。"),
        ("I live in Oslo.", "I live in Rome."),
        ("I live in Oslo.", "I moved to Rome last week."),
        ("我住在北京。", "我搬到杭州了。"),
        ("My rent is 900 euros.", "My rent is 950 euros now."),
        ("I drink coffee.", "I don't drink coffee any more."),
        ("Call me Bo.", "From now on call me Robert."),
        ("叫我小王。", "以后叫我王哥。"),
        ("We decided to use MySQL.", "We decided to use Postgres."),
        ("我是程序员。", "我现在是产品经理了。"),
    ],
)
def test_it_does_not_replace_what_was_said_after_it(talk: Talk, late: str, newer: str) -> None:
    other = talk.ledger.create_thread("a")
    unread = talk.store(late, other)
    talk.say(newer)
    before = talk.memories.select()
    assert before
    assert not read(talk, unread).memories
    assert talk.memories.select() == before and talk.memories.unread() == []


@pytest.mark.parametrize(
    ("late", "newer"),
    [
        ("I have a call with Bo at 3 on Monday.", "I have a call with Bo at 5 on Tuesday."),
        ("I like tea.", "I like green cars."),
        ("我妹妹住在杭州。", "我住在北京。"),
        ("My sister lives in Rome.", "I live in Oslo."),
    ],
)
def test_what_is_not_against_it_is_noted(talk: Talk, late: str, newer: str) -> None:
    other = talk.ledger.create_thread("a")
    unread = talk.store(late, other)
    talk.say(newer)
    written = read(talk, unread)
    assert len(written.added) == 1 and not written.superseded and len(talk.texts()) == 2


@pytest.mark.parametrize(
    ("first", "late", "again"),
    [
        ("Please answer in Chinese.", "Please answer in English.", "Please answer in Chinese."),
        ("我住在杭州。", "我住在北京。", "我住在杭州。"),
    ],
)
def test_what_was_said_again_since_is_newer(talk: Talk, first: str, late: str, again: str) -> None:
    talk.say(first)
    unread = talk.store(late)
    talk.say(again)
    assert not read(talk, unread).superseded
    assert talk.texts() == [first.rstrip(".。")]


@pytest.mark.parametrize(
    ("said", "late"), [("I like tea.", "Forget that I like tea."), ("我喜欢喝茶。", "忘掉我喜欢喝茶这件事。")]
)
def test_a_late_request_forgets_what_was_said_before_it_alone(talk: Talk, said: str, late: str) -> None:
    unread = talk.store(late)
    talk.say(said)
    assert not read(talk, unread).forgotten and len(talk.texts()) == 1
    talk.say(said)
    unread = talk.store(late)
    assert len(read(talk, unread).forgotten) == 1


@pytest.mark.parametrize(
    ("said", "late"), [("I like tea.", "Forget that I like tea."), ("我喜欢喝茶。", "忘掉我喜欢喝茶这件事。")]
)
def test_said_again_after_the_request_it_stays(talk: Talk, said: str, late: str) -> None:
    talk.say(said)
    unread = talk.store(late)
    talk.say(said)
    assert not read(talk, unread).forgotten and len(talk.texts()) == 1


@pytest.mark.parametrize(
    ("late", "request_"), [("My salary is 4200 euros.", "Forget my salary."), ("我的工资是四千元。", "忘掉我的工资。")]
)
def test_what_was_to_be_forgotten_since_is_not_noted(talk: Talk, late: str, request_: str) -> None:
    unread = talk.store(late)
    talk.say(request_)
    assert not read(talk, unread).memories and not talk.texts()


def test_what_somebody_wrote_by_hand_since_stands(talk: Talk) -> None:
    unread = talk.store("Please answer in English.")
    talk.remember.add(NewMemory("preference", "Please answer in Chinese", scope="all"))
    assert not read(talk, unread).memories and talk.texts() == ["Please answer in Chinese"]


@pytest.mark.parametrize(
    ("old", "late"),
    [
        ("Please answer in English.", "Please answer in Chinese."),
        ("我住在北京。", "我搬到杭州了。"),
        ("I have to call Bo.", "I have called Bo."),
    ],
)
def test_it_still_replaces_what_was_said_before_it(talk: Talk, old: str, late: str) -> None:
    talk.say(old)
    unread = talk.store(late)
    talk.say("What time is it?", "几点了？")
    assert len(read(talk, unread).superseded) == 1 and len(talk.texts()) == 1


@pytest.mark.parametrize("text", ["I live in Oslo. Please call me Bo.", "我住在杭州。请叫我小王。"])
def test_what_was_said_while_memory_was_off_is_never_read(talk: Talk, text: str) -> None:
    off = talk.ledger.of_tenant("default", remembers=False)
    message = off.append(talk.thread.id, talk.store(text).message)
    assert not message.remembered and not talk.ledger.messages(talk.thread.id)[-1].remembered
    assert talk.memories.unread() == [message.id - 1]
    assert read(talk, message) == Written()
    talk.memories.write([], read=message.id - 1)
    # Nor by what refers back to it.
    for later in ("As I said, I live in Oslo.", "就像我刚才说的，请叫我小王。"):
        written = read(talk, talk.store(later))
        assert all(memory.message_id != message.id for memory in written.memories)
