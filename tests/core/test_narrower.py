"""An exception, or a narrower case, stands beside what it is an exception to; the opposite of the same takes its
place."""

from __future__ import annotations

import pytest
from talking import Talk

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
