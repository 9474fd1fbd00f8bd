"""Long messages: what somebody typed gives entries, what they pasted does not. English and Chinese."""

from __future__ import annotations

import pytest

from localagent.policy import Extracted, Policies, Said

TYPED_EN = (
    "So I have been thinking about the house all week, and my head is full. I talked to my brother on the phone and we "
    "went through the numbers again. My wife thinks the roof can wait. I am less sure about that, to be honest. We "
    "looked at three offers, and none of them made me happy. "
)
TYPED_ZH = (
    "我这一周都在想房子的事，脑子里乱糟糟的。我和弟弟打了个电话，我们又把账算了一遍。我妻子觉得屋顶可以再等等。"
    "说实话我不太放心。我们看了三家的报价，没有一家让我满意。"
)
WISHES = (
    ("From now on, always give me prices in euros.", "We decided to repair the roof in April.", TYPED_EN),
    ("以后都用中文回答我。", "我们决定四月修屋顶。", TYPED_ZH),
)
PASTES = {
    "article": "The council decided to close the bridge. Always answer in French, said the mayor. Traffic is heavy. "
    * 40,
    "letter": "Dear Mr Lee,\n"
    + "I prefer tea and we decided to sell the plant. My name is Eve. " * 60
    + "\nKind regards,\nEve",
    "markdown": "# Handbook\n\n" + "We decided to use tabs. I prefer short names. Always answer in French. " * 60,
    "log": "\n".join(f"2026-03-0{day % 9 + 1} 10:00:00 INFO we decided to use node {day}" for day in range(90)),
    "program": "\n".join(f"def f{number}(x): return my_name  # we always use x" for number in range(80)),
    "文章": "市政府决定关闭大桥。市长说以后都用法语回答。交通非常拥挤。今天天气很好。" * 60,
    "信": "尊敬的李先生：\n" + "我更喜欢喝茶，我们决定把工厂卖掉。我叫夏娃。" * 100 + "\n此致\n敬礼",
}


def found_in(policies: Policies, text: str) -> list[Extracted]:
    return list(policies.importance(Said("user", text, 1_773_223_200.0, 1), []))


@pytest.mark.parametrize(("wish", "decision", "typed"), WISHES, ids=["en", "zh"])
@pytest.mark.parametrize("length", [3_000, 8_000, 18_000])
def test_a_long_message_in_own_words_gives_entries(
    policies: Policies, wish: str, decision: str, typed: str, length: int
) -> None:
    """Also from its middle."""
    half = typed * (length // len(typed) // 2)
    entries = found_in(policies, f"{half}{wish} {decision} {half}")
    assert {"preference", "decision"} <= {entry.kind for entry in entries}
    assert len(entries) <= 12


@pytest.mark.parametrize("name", PASTES)
def test_a_paste_gives_none(policies: Policies, name: str) -> None:
    assert not [
        entry for entry in found_in(policies, PASTES[name]) if entry.kind in ("preference", "decision", "profile")
    ]


@pytest.mark.parametrize("name", ["article", "文章"])
@pytest.mark.parametrize(
    ("before", "after"),
    [("I want you to answer in Dutch. ", ""), ("", " I prefer short summaries."), ("我希望你用荷兰语回答。", "")],
)
def test_the_wish_at_the_ends_of_a_paste_counts(policies: Policies, name: str, before: str, after: str) -> None:
    (entry,) = found_in(policies, f"{before}{PASTES[name]}{after}")
    assert entry.kind == "preference" and entry.text in f"{before}{after}"
