"""An exception, or a narrower case, stands beside what it is an exception to; the opposite of the same takes its
place."""

from __future__ import annotations

import pytest
from talking import Talk

from localagent.in_part import only_once

BESIDE: list[tuple[str, str]] = [
    ("I don't like mushrooms.", "I love mushrooms in soup though."),
    ("I don't drink coffee.", "I only drink coffee when I'm travelling."),
    ("I hate flying.", "I like flying business class, though."),
    ("I love cheese.", "I can't stand blue cheese."),
    ("I love dogs.", "I don't like big dogs, though."),
    ("I'm allergic to nuts.", "I'm not allergic to pine nuts, though."),
    ("Don't use bullet points.", "Use bullet points for shopping lists, though."),
    ("我讨厌坐飞机。", "我喜欢坐飞机看云。"),
    ("我喜欢狗。", "不过我不喜欢大狗。"),
    ("我喜欢夏天。", "但我不喜欢城里的夏天。"),
    ("我不吃羊肉。", "不过我喜欢羊肉串。"),
    ("请不要用列表。", "购物清单可以用列表。"),
]
REPLACED: list[tuple[str, str]] = [
    ("I like coffee.", "I don't like coffee any more, though."),
    ("I hate opera.", "I actually like opera now, though."),
    ("I don't like mushrooms.", "I love mushrooms now."),
    ("The deadline is Friday.", "The deadline is Thursday, though."),
    ("I live in Graz.", "I moved to Vienna, though."),
    ("我喜欢咖啡。", "不过我现在不喜欢咖啡了。"),
    ("我讨厌歌剧。", "我喜欢歌剧。"),
]

ONCE: list[tuple[str, str, bool]] = [
    ("Band practice is on Tuesdays", "Band practice is on Friday this week", True),
    ("组会在周二下午", "这周组会临时改到周五", True),
    ("组会在周二下午", "这次组会在周五", True),
    ("Band practice is on Tuesdays", "From this week band practice is on Fridays", False),
    ("组会在周二下午", "组会从这周起改到周五", False),
    ("聚餐在周二", "聚餐改到这周五", False),
    ("Lunch is off this week", "This week lunch is on Friday", False),
]


@pytest.mark.parametrize(("old", "new", "once"), ONCE)
def test_what_is_so_once_changes_no_habit(old: str, new: str, once: bool) -> None:
    assert only_once(new, old) is once


@pytest.mark.parametrize(("rule", "case"), BESIDE)
def test_an_exception_leaves_the_rule_as_it_is(talk: Talk, rule: str, case: str) -> None:
    (first,) = talk.say(rule).added
    written = talk.say(case)
    assert not written.superseded and not written.in_part
    assert talk.memories.get(first.id).state == "active"


@pytest.mark.parametrize(("old", "new"), REPLACED)
def test_the_opposite_of_the_same_is_no_exception(talk: Talk, old: str, new: str) -> None:
    (first,) = talk.say(old).added
    assert [before.id for before, _ in talk.say(new).superseded] == [first.id]
