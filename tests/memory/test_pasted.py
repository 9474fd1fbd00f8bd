"""What was pasted into a message is kept, found and shown as that, not as what the user says of themselves."""

from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from memories_home import Home

from localagent.memory.base import StoredMessage
from localagent.memory.passages import Passages
from localagent.messages import AttachmentPart, TextPart, user
from localagent.pasted import LOOKED_AT, parts
from localagent.recall_block import build_block
from localagent.spoken import spoken, with_pastes
from localagent.wire import wire

PASTES = [
    ("Summarise this, and my name is Ada.\n\n", "From: Bob Marsh\nTo: me\nSubject: Rent\n\nI live in Paris now.\n"),
    ("What do you make of it?\n\n", "---------- Forwarded message ----------\nI live in Paris now.\nBob"),
    ("Please answer:\n\n", "Dear Ada,\nI live in Paris now and my dog is called Rex.\nBest regards,\nBob"),
    ("Who is right?\n", "[12:30] Bob: I live in Paris.\n[12:31] Eva: I don't."),
    ("Who is right?\n", "Bob: I live in Paris now.\nEva: My dog is called Rex, you know.\nBob: I am happy."),
    ("why does it fail\n", "2026-03-01 12:30:11 ERROR I live in Paris\n2026-03-01 12:30:12 INFO done"),
    ("He wrote this:\n", "> I live in Paris now.\n> My name is Bob.\n"),
    ("Translate this letter:\n\n", "I live in Paris now, and I am well."),
    ("总结一下，我叫艾达。\n\n", "发件人：王明\n收件人：我\n主题：房租\n\n我现在住在巴黎。"),
    ("帮我回复这封邮件：", "\n尊敬的艾达：\n我现在住在巴黎。\n此致\n敬礼"),
    ("谁说得对？\n", "[12:30] 小王：我住在巴黎。\n[12:31] 小李：我不住。"),
    ("看看这段聊天：", "\n小王：我现在住在巴黎。\n小李：我叫李雷。\n小王：我很好。"),
    ("他发给我：", "\n我现在住在巴黎，我叫王明。"),
    ("I live in Leeds.\n\n", "Dear parents,\nI live on site.\nKind regards\nMrs Hill"),
    ("我儿子下周一开学\n", "各位家长：\n我校以后走东门。\n高攀路小学\n2026年8月20日"),
    ("Explain this poem\n", "I live at the head of the river\nYou live at its end"),
    ("我儿子作文你帮我改下嘛\n\n", "我的妈妈叫罗静。"),
]
OWN = [
    "My name is Ada.\nI live in Leeds.",
    "Name: Ada\nJob: nurse\nCity: Leeds",
    "My plan:\n1. I buy bread\n2. I call Eva\n3. I sleep",
    "Hi,\nI live in Leeds and my name is Ada.\nThanks",
    "Dates:\n3 March: dentist\n5 March: Eva's birthday",
    "Likes: tea, cats\nDislikes: rain",
    "Some facts about me:\n\nI was born in 1990.\nMy dog is Rex.",
    "On one line from: Bob, to: me, he said > I live in Paris",
    "姓名：艾达\n职业：护士\n城市：利兹",
    "我的计划：\n1. 买面包\n2. 给妈妈打电话",
    "你好，\n我住在利兹，我叫艾达。\n谢谢",
    "I have to correct an essay.\n\nI live in Leeds.",
    "家长：艾达\n我住在利兹。",
]


@pytest.mark.parametrize(("own", "brought"), PASTES)
def test_what_is_pasted_is_told_from_the_words_beside_it(own: str, brought: str) -> None:
    assert [part for part in parts(own + brought) if part[0]] == [(own, False), (brought, True)]


@pytest.mark.parametrize("text", OWN)
def test_what_somebody_writes_of_themselves_is_not_pasted(text: str) -> None:
    assert [part for part in parts(text) if part[0]] == [(text, False)]


@settings(deadline=None, max_examples=100)
@given(st.lists(st.sampled_from(["From: x\nTo: y\n", "Bob: I\n", "> a\n", "[12:30] B: 我\n", "\n", " ", "a：", "b."])))
def test_nothing_is_lost(pieces: list[str]) -> None:
    text = "".join(pieces)
    assert "".join(part for part, _ in parts(text)) == text


def test_of_a_long_paste_all_is_pasted() -> None:
    mail = "From: Bob\nTo: me\n\n" + "I live in Paris, as you know. " * (LOOKED_AT // 20)
    assert [part for part in parts(f"Sum it up.\n\n{mail}") if part[0]] == [("Sum it up.\n\n", False), (mail, True)]


def test_passages_and_the_recalled_block_say_what_was_brought_along(tmp_path: Path) -> None:
    home = Home(tmp_path / "ledger.sqlite3")
    thread = home.ledger.create_thread("a").id
    passages = Passages(home.ledger.database, "default")
    own, mail = PASTES[0]
    home.ledger.append(thread, user(own + mail))
    home.ledger.append(
        thread, user("My cat is called Tom.", [AttachmentPart("stdin", "I am Bob."), AttachmentPart("a", "x")])
    )
    passages.take_changed()
    rows = [int(str(row)) for (row,) in home.ledger.database.query("SELECT row FROM passages ORDER BY row")]
    found = passages.get(rows)
    assert [(one.speaker, one.text) for one in found] == [
        ("user", own.strip()), ("pasted", mail.strip()), ("user", "My cat is called Tom."), ("stdin", "I am Bob."),
        ("a", "x"),
    ]  # fmt: skip
    shown = build_block([(one, 1.0) for one in found], 1000, len).text
    assert f"\nuser: {own.strip()}\npasted by the user: From: Bob Marsh\n" in shown
    assert shown.endswith("\nuser: My cat is called Tom.\npiped in by the user: I am Bob.\na: x")
    few = build_block([(found[1], 1.0), (found[0], 0.1)], 120, len).text
    assert "I live in Paris" in few and "Ada" not in few, "what fits is shown without what stands beside it"
    home.close()


def test_what_was_seen_to_be_pasted_is_told_whatever_its_shape(tmp_path: Path) -> None:
    home = Home(tmp_path / "ledger.sqlite3")
    thread = home.ledger.create_thread("a").id
    passages = Passages(home.ledger.database, "default")
    essay = "我的妈妈叫罗静。\n我长大了要当消防员。\n```"
    message = user((TextPart("我儿子作文你帮我改下嘛\n"), TextPart(essay, pasted=True), TextPart("\n我住在利兹。")))
    kept = home.ledger.append(thread, message)
    assert home.ledger.messages(thread) == [kept] and kept.message == message
    passages.take_changed()
    rows = [int(str(row)) for (row,) in home.ledger.database.query("SELECT row FROM passages ORDER BY row")]
    assert [(one.speaker, one.text) for one in passages.get(rows)] == [
        ("user", "我儿子作文你帮我改下嘛"), ("pasted", essay), ("user", "我住在利兹。"),
    ]  # fmt: skip
    assert spoken(kept).text == "我儿子作文你帮我改下嘛\n\n我住在利兹。"
    assert with_pastes(kept).text.count("```") == 2 and "消防员" in with_pastes(kept).text
    assert wire(message) == wire(user(message.text)), "what is sent is the same"
    old = StoredMessage(1, thread, user(message.text), "complete", 0.0)
    assert spoken(old).text == message.text, "of a message that was stored before nothing is known"
    home.close()
