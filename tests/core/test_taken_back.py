"""A message that takes back the one before it: its entries are put away, and it is not recalled."""

from __future__ import annotations

import pytest
from talking import Talk
from test_forgetting import passages_of

from localagent.messages import assistant
from localagent.policy import Extracted
from localagent.taken_back import takes_back

BACK = [
    "Don't remember that.",
    "Actually, don't remember that.",
    "Please don't keep that.",
    "Forget that.",
    "No wait, forget that please",
    "Please forget what I just said.",
    "Forget I ever mentioned it.",
    "Hmm, on second thought, don't save that.",
    "I'd rather you didn't remember that.",
    "You don't need to remember that.",
    "Scratch that.",
    "I take that back.",
    "Pretend I never said that.",
    "Delete that from your memory",
    "Oh no, please delete my last message",
    "Delete what I just told you.",
    "把上一条消息删掉吧",
    "撤回刚才那条消息",
    "Don't tell anyone.",
    "That stays between us.",
    "别记这个。",
    "刚才那个别记。",
    "忘了吧。",
    "别记",
    "这个不用记。",
    "把刚才的话忘了吧",
    "当我没说过",
    "当我没提过。",
    "请把它忘掉",
    "刚刚那句话别保存",
    "请你忘了我刚才说的话",
    "别告诉别人。",
    "请保密。",
]
NOT_BACK = [
    "Forget it.",
    "I don't remember that.",
    "Don't you remember that?",
    "Do I have to remember that?",
    "Delete that.",
    "Forget that, I live in Rome.",
    "Don't forget that.",
    "Don't remember this: my PIN is 9921.",
    "Please don't remember this. My locker is number 5512.",
    "Please forget my last question.",
    "Can you keep a secret?",
    "Keep this between us.",
    "Don't note that page.",
    "I'd like to keep that.",
    "Delete my last paragraph.",
    "Delete what I just wrote.",
    "Delete the last message in the list.",
    "把上一条评论删掉",
    "忘了。",
    "我忘了。",
    "别忘了这个",
    "别记错了",
    "忘了带伞",
    "忘了我的生日吧。",
    "记得这个",
    "别记这个：密码9921",
    "这是秘密。",
    "把它删掉",
    "忘了我刚才的问题吧。",
]


@pytest.mark.parametrize("text", BACK)
def test_the_entries_of_the_message_before_are_put_away(talk: Talk, text: str) -> None:
    talk.say("I like tea.", "I'm allergic to nuts.", assistant("Nuts are out, then. Shall I cook?"))
    written = talk.say(text)
    assert [memory.text for memory in written.forgotten] == ["I'm allergic to nuts"] and talk.texts() == ["I like tea"]
    (line,) = written.lines()
    assert line.startswith("forgot: ")
    tea, nuts, answer, request = passages_of(talk)
    assert not tea.outdated and "I'm allergic to nuts." in nuts.outdated and text in request.outdated
    assert answer.outdated == ("Nuts are out, then.",)
    talk.ledger.undo(talk.thread.id)
    assert not passages_of(talk)[1].outdated and talk.texts() == ["I like tea", "I'm allergic to nuts"]


@pytest.mark.parametrize("text", NOT_BACK)
def test_what_takes_nothing_back_leaves_it(talk: Talk, text: str) -> None:
    assert takes_back(text) == ""
    talk.say("I'm allergic to nuts.")
    assert not talk.say(text).forgotten and "I'm allergic to nuts" in talk.texts()


@pytest.mark.parametrize("text", ["Don't bring her up in front of others.", "别在别人面前提她。"])
def test_of_whom_not_to_speak_is_asked_about(talk: Talk, text: str) -> None:
    talk.say("I live with my aunt Ada in Leeds.")
    (line,) = talk.say(text).lines()
    assert "is this one meant?" in line and "'I live with my aunt Ada in Leeds'" in line and len(talk.texts()) == 1


@pytest.mark.parametrize("text", ["Don't remember that.", "Forget that.", "刚才那个别记。", "别告诉别人。"])
def test_where_nothing_was_noted_the_message_is_not_recalled(talk: Talk, text: str) -> None:
    talk.say("I like tea.", "Would 5512 do as the code of my locker?")
    (line,) = talk.say(text).lines()
    assert line.startswith("not recalled any more: 'Would 5512 do")
    assert any("5512" in clause for clause in passages_of(talk)[1].outdated) and talk.texts() == ["I like tea"]


@pytest.mark.parametrize("text", ["Don't remember that.", "Forget that.", "忘了吧。", "别告诉别人。"])
def test_as_the_first_message_it_is_not_clear(talk: Talk, text: str) -> None:
    talk.say("I like tea.", thread=talk.ledger.create_thread("a"))
    (line,) = talk.say(text).lines()
    assert line.startswith("nothing forgotten: it is not clear what ") and talk.texts() == ["I like tea"]


@pytest.mark.parametrize("text", ["Don't remember that. I live in Rome.", "刚才那个别记。我住在大理。"])
def test_what_follows_is_noted(talk: Talk, text: str) -> None:
    written = talk.say("I'm allergic to nuts.", text)
    assert len(written.forgotten) == 1 and len(written.added) == 1 and not written.unsaid


def test_what_was_taken_back_is_not_noted_late(talk: Talk) -> None:
    said = "Would 5512 do as the code of my locker?"
    talk.say(said, "Forget that.")
    stored = talk.ledger.messages(talk.thread.id)[0]
    late = Extracted("fact", "The code of my locker is 5512", said)
    assert not talk.remember.consider(stored, [late], talk.thread).memories and not talk.texts()
