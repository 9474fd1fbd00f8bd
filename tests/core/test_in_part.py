"""A correction of a part: what the newer statement says nothing of must not vanish with the rest."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from talking import Talk

from localagent.in_part import leaves
from localagent.memory.entries import NewMemory
from localagent.policy import Policies
from localagent.recall import Recall, RecallLimits, Request


@pytest.mark.parametrize(
    ("older", "newer", "kept"),
    [
        ("I have two kids, Leo (7) and Mia (4).", "Mia just turned 5!", "Leo (7)"),
        ("Our flight to Porto is on 3 March at 6:45 from Manchester.", "The flight got moved to 4 March.", "6:45"),
        ("I'm learning Japanese and Spanish.", "I gave up Spanish.", "Japanese"),
        ("I like tea and coffee.", "I don't like coffee any more.", "tea"),
        ("Please keep answers short and use bullet points.", "No more bullet points please.", "answers short"),
        ("Please keep answers short and use bullet points.", "Give long answers from now on.", "bullet points"),
        ("I live in Lyon with my husband Paul.", "We moved to Grenoble last week.", "husband Paul"),
        ("The meeting with Bob is on Friday at 3pm in Vienna.", "The meeting with Bob was moved to Monday.", "Vienna"),
        ("My locker number is 12345 and it is paid until May 2030.", "My locker number is 99887.", "May 2030"),
        ("I'm allergic to nuts and shellfish.", "I'm no longer allergic to shellfish.", "nuts"),
        ("I swim on Mondays and Thursdays.", "My Thursday swim is on Friday now.", "Mondays"),
        ("I drink wine.", "I don't drink wine at lunch.", "I drink wine"),
        ("I take insulin for my diabetes.", "I don't take insulin any more.", "diabetes"),
        ("Helen's birthday is on 3 May.", "Helen's birthday is on the 5th actually, not the 3rd.", "May"),
        ("请用中文回答，简短一点。", "请用英文回答。", "简短"),
        ("我每天喝咖啡。", "周日我不喝咖啡。", "每天"),
        ("我在一家医院当护士。", "我跳槽了，现在在省妇保。", "护士"),
        ("国庆我们准备去青岛玩。", "青岛不去了，改去大连。", "国庆"),
        ("我对花生和海鲜过敏。", "我对海鲜不过敏了。", "花生"),
        ("我在学日语和法语。", "法语不学了。", "日语"),
        ("我喜欢喝茶和咖啡。", "我不喝咖啡了。", "喝茶"),
        ("下周五下午三点从上海虹桥坐高铁去北京。", "高铁改到周六了。", "虹桥"),
        ("我爸下个月做手术。", "手术取消了。", "我爸"),
        ("会议在周五下午三点，在302室。", "会议改到周六了。", "下午三点"),
    ],
)
def test_what_is_corrected_in_a_part_is_kept_beside_the_correction(
    talk: Talk, older: str, newer: str, kept: str
) -> None:
    talk.say(older)
    written = talk.say(newer)
    assert not written.superseded and any(kept in text for text in talk.texts())
    ((old, new),) = written.in_part
    assert old.state == new.state == "active" and new.text in talk.texts()
    assert any("both kept" in line and old.text in line for line in written.lines())
    assert written.lines()[-1].endswith(f"undo: localagent memory restore {old.id}")
    assert talk.memories.corrections([old.id, new.id]) == {old.id: [new.text]}


@pytest.mark.parametrize(
    ("older", "newer"),
    [
        ("The deadline is Friday, 12 May.", "The deadline is Monday, 15 May."),
        ("I work at Siemens as an electrician.", "I quit my job at Siemens yesterday."),
        ("I live in Berlin.", "I live in Potsdam now."),
        ("会议定在3月5日。", "会议改到3月8日了。"),
        ("我住在北京海淀。", "我搬到上海了。"),
        ("I swim on Tuesdays.", "I've moved my swimming to Thursdays."),
    ],
)
def test_what_covers_the_whole_takes_its_place(talk: Talk, older: str, newer: str) -> None:
    talk.say(older)
    written = talk.say(newer)
    assert written.superseded and not written.in_part
    assert not any("both kept" in line for line in written.lines())


def test_a_second_correction_stands_beside_the_first_and_a_newer_one_in_its_place(talk: Talk) -> None:
    talk.say("I have two kids, Leo (7) and Mia (4).")
    (family,) = talk.memories.select()
    talk.say("Mia just turned 5!")
    talk.say("Leo just turned 8!")
    found = talk.memories.corrections([family.id])[family.id]
    assert [re.search(r"\d", text)[0] for text in found] == ["5", "8"]  # type: ignore[index]


def test_a_correction_that_is_taken_back_or_forgotten_corrects_nothing(talk: Talk) -> None:
    talk.say("I'm learning Japanese and Spanish.")
    (old,) = talk.memories.select()
    ((_, new),) = talk.say("I gave up Spanish.").in_part
    assert talk.memories.corrections([old.id])
    talk.ledger.undo(talk.thread.id)
    with talk.ledger.database.transaction() as connection:
        assert new.message_id is not None
        talk.memories.retract(connection, new.message_id)
    assert talk.memories.corrections([old.id]) == {} and talk.texts() == [old.text]
    ((_, new),) = talk.say("I gave up Spanish.").in_part
    talk.memories.forget([new.id])
    assert talk.memories.corrections([old.id]) == {} and talk.texts() == [old.text]


def test_the_prompt_has_both_and_tells_which_is_newer(talk: Talk, policies: Policies) -> None:
    talk.say("Please keep answers short and use bullet points.", "No more bullet points please.")
    recall = Recall(None, talk.memories, policies)  # type: ignore[arg-type]  # nothing is searched
    request = Request("hello", "a", talk.thread.id, "", frozenset(), True, len)
    notes = {one.text: one.note for one in recall.standing(request, RecallLimits(5, 0.1, 1000, 1000))}
    old, new = "Please keep answers short and use bullet points", "No more bullet points please"
    assert notes[old].endswith(f"in part corrected since: “{new}”") and "corrected" not in notes[new]


def test_the_message_of_it_is_recalled_as_a_whole(talk: Talk, tmp_path: Path) -> None:
    talk.say("I have two kids, Leo (7) and Mia (4).", "Mia just turned 5!")
    passages = talk.memories._passages
    passages.take_changed()
    (first, *_) = talk.ledger.messages(talk.thread.id)
    assert passages.outdated([first.id]) == {}


@pytest.mark.parametrize(
    ("older", "newer", "left"),
    [
        ("I run on Mondays and Thursdays", "I don't run on Thursdays any more", True),
        ("I run on Mondays and Thursdays", "I run on Mondays and Fridays now", False),
        ("I run on Mondays and Thursdays", "I only run on Mondays now", False),
        ("我周一和周四跑步", "周四的跑步改到周五", True),
        ("我周一和周四跑步", "我现在周二和周五跑步", False),
        ("I run every day", "I don't run on Sundays", True),
        ("I run every day", "I only run on Sundays now", False),
        ("I run every day", "I don't run any more", False),
        ("我每天跑步", "周末我不跑步", True),
        ("我每天跑步", "我不跑步了", False),
        ("I drink beer", "I don't drink beer during the week", True),
        ("I drink beer", "I don't drink beer any more", False),
        ("我喝啤酒", "我开车前不喝啤酒", True),
        ("I'm on a keto diet because of my epilepsy", "I'm off keto", True),
        ("I do yoga because of my back pain", "I stopped doing yoga", True),
        ("I do yoga because of my back pain", "I stopped the yoga for my back pain", False),
        ("I rented a hall for my party", "I cancelled the hall", False),
        ("我因为痛风不喝啤酒", "我又喝啤酒了", True),
        ("我因为工作搬到上海", "我搬到北京了", False),
        ("We're going to Rome in June", "We cancelled Rome, we're doing Oslo instead", True),
        ("We're going to Rome in June", "We're going to Oslo in July instead", False),
        ("We're going to Rome with Anna", "We cancelled Rome, we're doing Oslo instead", True),
        ("暑假我们准备去罗马", "罗马不去了，改去奥斯陆", True),
        ("我在华为做测试工程师", "我转岗做开发了", True),
        ("我在华为做测试工程师", "我跳槽到腾讯了", False),
        ("我们准备去罗马", "罗马不去了，改去奥斯陆", False),
        ("The fair is on 3 May", "The fair is on the 5th", True),
        ("The fair is on 3 May", "The fair is on 5 June", False),
        ("展会是5月3日", "展会改到5号了", True),
        ("展会是5月3日", "展会改到6月5日了", False),
        # How often, on which day, with whom, where, and by which name.
        ("I swim at the Stadtbad twice a week", "I switched to the Westbad", True),
        ("I swim at the Stadtbad twice a week", "I swim at the Westbad once a week now", False),
        ("I swim twice a week", "I don't swim any more", False),
        ("I swim twice a week", "I swim three times a week now", False),
        ("My pension is 1400 euros a month", "My pension went up to 1450 euros", False),
        ("My cousin Akif drives a taxi in Izmir", "My cousin doesn't drive a taxi any more", True),
        ("My cousin drives a taxi", "My cousin doesn't drive a taxi any more", False),
        ("Raw data sits on a server called naiad, with 8 TB of disk", "naiad is up to 16 TB", True),
        ("I live with Ben", "Ben moved out", True),
        ("我每周两次去城东游泳馆游泳", "我换到城西游泳馆了", True),
        ("我每周游两次泳", "我现在每周游三次泳", False),
        ("我每周一次看中医", "我不看中医了", False),
        ("房租每月5800", "房租涨到6200了", False),
        ("我周二下午跟陈老师学钢琴", "我现在学小提琴了", True),
        ("我表弟阿凯在青岛跑出租", "我表弟不跑出租了，改送外卖", True),
        ("我表弟阿凯跑出租", "我表弟阿凯不跑出租了", False),
        ("我妹妹韩梅住在北京", "我妹妹搬到上海了", True),
        ("我老公在银行上班", "我老公跳槽了，现在在保险公司", False),
        ("我每天早上沿着河边跑5公里", "我现在跑8公里了", True),
        # Another floor of the same house.
        ("We live at 12 Rose Street", "We moved up to the third floor, same building", True),
        ("My desk is on the second floor of the mill", "My desk is on the fifth floor now", True),
        ("My desk is on the second floor", "My desk is on the fifth floor now", False),
        ("我住在解放路12号", "我们搬到了三楼，同一栋楼", True),
        ("我的办公室在科技楼三层", "我的办公室搬到五层了", True),
        ("我的办公室在三层", "我的办公室搬到五层了", False),
        ("我住在解放路12号", "我搬到人民路4号了", False),
    ],
)
def test_a_case_a_reason_and_a_month_are_a_part(older: str, newer: str, left: bool) -> None:
    assert leaves(NewMemory("habit", newer), NewMemory("habit", older)) is left


@pytest.mark.parametrize("comma", [",", "，"])
def test_a_comma_of_either_script_parts_what_is_kept(comma: str) -> None:
    old = NewMemory("habit", f"我周三上瑜伽{comma}周五上游泳课")
    assert leaves(NewMemory("habit", "游泳课我停了"), old)
