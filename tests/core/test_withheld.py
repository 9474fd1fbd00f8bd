"""What is to be forgotten, or was not to be noted, stands in no summary, with long-term memory and without."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from pathlib import Path

import pytest
from compressing import Room, configured, opened_rooms
from hypothesis import given, settings
from hypothesis import strategies as st
from talking import Talk

from localagent.abort import AbortSignal
from localagent.policy import Compressing, Extracted, Policies, Said
from localagent.summary import SummaryItem
from localagent.withheld import withheld

RULES = configured(summarizer="rules")
# What is said; what the summary has nothing of; what it has.
TALKS: list[tuple[Sequence[str], Sequence[str], Sequence[str]]] = [
    (["My pension is 2,340 euros a month.", "I live in Leeds.", "forget my pension"], ["2,340", "pension"], ["Leeds"]),
    (
        ["My pension is 2,340 euros a month and I live in Leeds.", "My brother's pension is 900 euros.",
         "Please forget my pension."],
        ["2,340", "forget"],
        ["I live in Leeds", "900 euros"],
    ),
    (["I live in Leeds.", "Don't remember this: my salary is 4,200 euros."], ["4,200", "remember"], ["Leeds"]),
    (["My salary is 4,200 euros.", "Actually, don't remember that.", "I live in Leeds."], ["4,200"], ["Leeds"]),
    (
        ["Helen got divorced in 2023 and moved to York.", "Delete everything you know about Helen and her divorce."],
        ["Helen", "York", "Delete"],
        [],
    ),
    (["Forget the whole thing with the lawsuit against Meyer & Sons on 3 May."], ["Meyer"], []),
    (["The gate has the code 7531, but don't save that.", "The gate is 3 m wide."], ["7531"], ["3 m"]),
    (["Between us: I earn 52k a year at ING.", "The gate is 3 m wide."], ["52k"], ["3 m"]),
    (["我的退休金是每月4800元。", "我妈妈的退休金是3000元。", "忘掉我的退休金"], ["4800", "忘掉"], ["3000"]),
    (["我住在大理，养了3只猫。", "别记这个：我的工资是每月12000元。"], ["12000", "别记"], ["3只猫"]),
    (["我的工资是每月12000元。", "刚才那个别记。", "我住在大理，养了3只猫。"], ["12000", "别记"], ["3只猫"]),
    (["海伦2023年离婚，搬到了约克。", "把关于海伦和她2023年离婚的事全删了。"], ["海伦"], []),
    (["我喜欢喝茶，每天2杯。", "我喜欢喝咖啡。", "忘掉我喜欢喝茶这件事"], ["喝茶"], ["咖啡"]),
    (["车库的密码是7531，不要记下来。", "车库宽3米。"], ["7531"], ["3米"]),
]  # fmt: skip


@pytest.fixture
def rooms(tmp_path: Path, policies: Policies) -> Iterator[Callable[..., Room]]:
    with opened_rooms(tmp_path, policies, RULES) as make:
        yield make


def summarised(room: Room) -> str:
    room.say("OK?")  # the newest exchange stays
    list(room.talk.compact(abort=AbortSignal()))
    return room.texts()


@pytest.mark.parametrize("memory", [True, False])
@pytest.mark.parametrize(("said", "gone", "kept"), TALKS)
def test_no_summary_has_it(
    rooms: Callable[..., Room], memory: bool, said: Sequence[str], gone: Sequence[str], kept: Sequence[str]
) -> None:
    room = rooms(memory=memory)
    room.fill(said)
    summary = summarised(room)
    assert [word for word in gone if word in summary] == [], summary
    assert [word for word in kept if word not in summary] == [], summary


@pytest.mark.parametrize(
    "text",
    [
        "Please erase what I said about the 3,000 euro fine.",
        "Strike the thing with my 2 abortions from your memory.",
        "You needn't hang on to the fact that Rob has 2 children elsewhere.",
        "I'd rather you didn't hold on to the part where I lost 3,000 pounds.",
        "Please unlearn that my son failed grade 7.",
        "我老板月薪8000元，这个别写下来。",
        "我不想让你记住我吃50毫克舍曲林。",
        "从你的笔记里抹掉我的地址国王街12号。",
        "贷款15000元那句收回，当我没说。",
        "帮个忙，把我的密码4921忘了。",
    ],
)
def test_a_request_that_memory_does_not_understand_is_in_no_summary(policies: Policies, text: str) -> None:
    said = [Said("user", text, 100.0, 1)]
    assert policies.summarization(Compressing(said, [], [], withheld([], said, {}), 1000, len)) == []


@pytest.mark.parametrize(
    "text",
    [
        "I forgot to tell you that the flight is at 6:45.",
        "We agreed not to record the meetings on Monday.",
        "Don't forget that the rent of 900 euros is due on Friday.",
        "My grandmother of 91 forgets everything that I tell her.",
        "Drop the part with the 3 photos from the leaflet.",
        "Delete the 12 rows that I marked.",
        "我忘了告诉你，航班是6:45。",
        "我们删掉了40GB的旧数据库。",
        "我哥让我把30小时的课退了。",
        "别忘了周五交900元房租。",
    ],
)
def test_what_only_speaks_of_forgetting_and_keeping_is_withheld_from_none(text: str) -> None:
    assert withheld([], [Said("user", text, 100.0, 1)], {}) == {1: []}


@pytest.mark.parametrize(
    "text",
    ["Please erase what I said about the fine.", "把我罚款的事忘了吧。", "Forget that I like tea.", "I like tea."],
)
def test_what_a_model_sees_in_such_a_request_is_not_noted(talk: Talk, text: str) -> None:
    message = talk.store(text)
    written = talk.remember.consider(message, [Extracted("preference", text, text)], talk.thread)
    assert bool(written.added) is (text == "I like tea.")


def test_a_line_of_the_summary_that_somebody_asks_to_forget_leaves_it(rooms: Callable[..., Room]) -> None:
    room = rooms(memory=False)
    room.fill(["My pension is 2,340 euros a month.", "The gate is 3 m wide."])
    assert "2,340" in summarised(room)
    room.say("Please forget what I told you about my pension.")
    assert "2,340" not in (summary := summarised(room)) and "3 m" in summary


def test_what_the_model_makes_of_it_is_left_out_too(policies: Policies) -> None:
    asks = "Forget that my pension is 2,340 euros a month."
    item = SummaryItem("other_fact", "The pension is 2,340 euros.", asks, 1, 100.0, 0.5, "model")
    found = withheld([], [Said("user", asks, 100.0, 1)], {})
    given = Compressing([Said("user", asks, 100.0, 1)], [], [item], found, 1000, len)
    assert policies.summarization(given) == []


@given(st.lists(st.text(max_size=60), max_size=4))
@settings(deadline=None, max_examples=40)
def test_whatever_is_said_nothing_known_is_lost_and_nothing_foreign_is_withheld(texts: list[str]) -> None:
    said = [Said("user", text, float(at), at) for at, text in enumerate(texts, 1)]
    found = withheld([], said, {99: ["kept as it is"]})
    assert found.pop(99) == ["kept as it is"]
    for at, sentences in found.items():
        assert all(sentence in texts[at - 1] for sentence in sentences)
