"""News of the user's life: what surely takes an entry's place supersedes it; else it is noted beside what there is."""

from __future__ import annotations

import pytest
from talking import Talk

REPLACED: list[tuple[str, str]] = [
    ("Please answer in short bullet points.", "Actually no more bullet points, write normal paragraphs from now on."),
    ("Don't use emojis.", "Emojis are fine again."),
    ("请不要用表情符号。", "表情符号可以用了。"),
    ("My car is a blue Golf.", "I sold the Golf and bought a Tesla."),
    ("我的车是一辆蓝色高尔夫。", "我把高尔夫卖了，买了辆特斯拉。"),
    ("We decided to name her Alice.", "We changed our minds, her name will be Clara."),
    ("我们决定给女儿起名叫小雨。", "我们改主意了，她叫小雪。"),
    ("I'm a data engineer at Sky now.", "I left Sky, I start at the BBC in January."),
    ("我是一名小学老师。", "我换工作了，现在在一家出版社做编辑。"),
    ("我是程序员。", "我现在是产品经理了。"),
    ("I'm a programmer.", "I'm a product manager now."),
    ("I'm a nurse.", "I became a ward manager last week."),
    ("我在西门子当电工。", "我昨天从西门子辞职了。"),
    ("I'm a data engineer at Sky.", "I left Sky last month."),
    ("My car is a Golf.", "I traded in the Golf for a Tesla."),
    ("Please answer in English.", "You don't need to answer in English any more."),
    ("请用英文回答。", "不用再用英文回答了。"),
]
BESIDE: list[tuple[str, str]] = [
    ("Please never suggest meetings before 10am.", "Meetings at 9:30 are fine now."),
    ("请不要在上午十点前安排会议。", "现在九点半开会也可以了。"),
    ("I have a dog called Biscuit.", "Biscuit died yesterday."),
    ("My dog is called Biscuit.", "We had to put Biscuit down yesterday."),
    ("我家养了一只狗叫豆豆。", "豆豆昨天走了。"),
    ("我养了一只猫，叫咪咪。", "咪咪上周去世了。"),
    ("My grandmother lives in Leeds.", "My grandmother passed away last week."),
    ("我奶奶住在南京。", "我奶奶上周去世了。"),
    ("The report deadline is 3 April.", "My boss said the deadline slipped two weeks."),
    ("报告截止日期是4月3日。", "老板说截止日期推迟两周。"),
    ("We're going to Rome in May.", "Change of plans: we're going to Oslo instead."),
    ("五月我们要去罗马旅游。", "计划变了，我们改去奥斯陆。"),
    ("我们决定搬去杭州。", "我们不搬了，还是留在上海。"),
    ("I like trains.", "Actually we'll fly after all."),
    ("I have a Golf.", "We sold our boat."),
]


@pytest.mark.parametrize(("old", "new"), REPLACED)
def test_what_surely_holds_instead_supersedes(talk: Talk, old: str, new: str) -> None:
    (first,) = talk.say(old).added
    assert [before.id for before, _ in talk.say(new).superseded] == [first.id]
    assert talk.texts() == [new.rstrip(".。")]


@pytest.mark.parametrize(("old", "new"), BESIDE)
def test_where_it_is_not_sure_news_are_noted_beside_what_there_is(talk: Talk, old: str, new: str) -> None:
    before = talk.say(old).added
    written = talk.say(new)
    assert not written.superseded and [one.text for one in written.added] == [new.rstrip(".。")]
    assert [one.text for one in before] == talk.texts()[: len(before)]


@pytest.mark.parametrize(
    ("date", "shift"),
    [
        ("The launch is on 3 May.", "The launch got pushed back by a week."),
        ("The launch is on 3 May.", "We pushed the launch back two weeks."),
        ("发布会在5月3日。", "发布会推迟了一周。"),
    ],
)
def test_a_day_that_is_shifted_by_a_span_is_kept_with_the_span(talk: Talk, date: str, shift: str) -> None:
    talk.say(date, shift)
    assert talk.texts() == [date.rstrip(".。"), shift.rstrip(".。")]


@pytest.mark.parametrize(
    "text",
    [
        "I almost quit my job at Siemens.",
        "If I sold the car, I'd buy a bike.",
        "Should I sell the car?",
        "He sold his car.",
        "I might become a manager.",
        "She became a doctor last year.",
        "My phone died yesterday.",
        "Elvis died in 1977.",
        "In the book, Anna died yesterday.",
        "I'm fine after all.",
        "We might fly after all.",
        "The server is fine now.",
        "The kids are fine now.",
        "No more questions.",
        "You can start now.",
        "You can use the attached file now.",
        "I changed my mind, what's the weather?",
        "If we changed our minds, her name would be Clara.",
        "I got rid of the bug.",
        "我差点把车卖了。",
        "我想把车卖了。",
        "他把车卖了。",
        "我可能要当经理了。",
        "手机昨天死了。",
        "我的狗差点死了。",
        "老板昨天走了。",
        "我们还是朋友。",
        "可以开始了。",
        "不用再解释了。",
        "现在可以用电脑了吗？",
        "我改主意了，你帮我写一首诗。",
        "如果我们改主意了，就叫小雪。",
    ],
)
def test_what_is_supposed_asked_denied_or_of_others_is_no_news(talk: Talk, text: str) -> None:
    talk.say(text)
    assert talk.texts("profile", "preference", "decision", "relationship") == []
    assert not [one for one in talk.memories.select() if one.kind == "event" and "died" not in one.text]


@pytest.mark.parametrize(
    ("said", "new"),
    [
        (["I'm a volunteer firefighter."], "I'm a manager now."),
        (["My brother is a programmer."], "I'm a product manager now."),
        (["My car is a blue Golf."], "My brother sold the Golf."),
        (["We decided to name her Alice."], "We changed our minds, we'll paint the wall blue."),
        (["I have a dog called Biscuit."], "Tom died yesterday."),
        (["I live in Rome."], "I left Rome this morning."),
        (["我弟弟是程序员。"], "我现在是产品经理了。"),
    ],
)
def test_what_is_of_something_else_replaces_nothing(talk: Talk, said: list[str], new: str) -> None:
    talk.say(*said)
    before = talk.texts()
    assert not talk.say(new).superseded
    assert talk.texts()[: len(before)] == before
