"""Two wishes of different things hold beside each other, and one for a case beside the one for every case."""

from __future__ import annotations

import pytest

from localagent.linking import apart

BESIDE = [
    ("Call me Sue.", "Don't call me Susan."),
    ("Don't call me Susan.", "Don't call me before nine."),
    ("Call me Sue.", "Please don't call me Mrs Miller."),
    ("Don't call me Mrs Miller.", "Call me Sue."),
    ("Answer in English.", "Answer me in French on Sundays."),
    ("Answer in English.", "Answer me in German at work."),
    ("Keep your answers short.", "Keep your answers long at weekends."),
    ("Please don't use bullet points when you answer me.", "Don't use emojis when you answer, I can't stand them."),
    ("叫我小苏。", "别叫我苏苏。"),
    ("别叫我苏苏。", "别在九点前叫我。"),
    ("以后别叫我小名。", "叫我老王。"),
    ("用中文回答。", "周日用法语回答。"),
    ("用中文回答我。", "工作上的问题用英文回答我。"),
    ("回答我的时候请别用感叹号。", "回答我的时候请别用表格。"),
]


@pytest.mark.parametrize(("old", "new"), BESIDE)
def test_it_is_apart(old: str, new: str) -> None:
    assert apart(new, old)


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("Call me Sue.", "Call me Susan."),
        ("Call me Sue.", "Don't call me Sue, call me Susan."),
        ("Don't call me before nine.", "Don't call me before ten."),
        ("Answer in English.", "Answer in French from now on."),
        ("Answer in French on Sundays.", "Answer in Welsh on Sundays."),
        ("Don't use emojis.", "You can use emojis again."),
        ("Don't use emojis when you answer.", "Please don't use any emojis."),
        ("叫我小苏。", "以后叫我苏苏。"),
        ("用中文回答。", "以后用英文回答。"),
        ("周日用法语回答。", "周日用英语回答。"),
        ("别用表情。", "回答的时候别用表情符号。"),
    ],
)
def test_it_is_of_the_same(old: str, new: str) -> None:
    assert not apart(new, old)
