"""A text without clauses that hold no longer: what is left can be read, or goes too."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from localagent.cutting import cut_out


@pytest.mark.parametrize(
    ("text", "clause", "left"),
    [
        ("我妈妈住在南京，她有高血压", "我妈妈住在南京", ""),
        ("老公说他不想去，我们取消了", "我们取消了", "老公说他不想去"),
        ("Hi! I'm Tom, 34, and I live in Graz.", "I live in Graz", "Hi! I'm Tom, 34."),
        ("下周五从上海坐高铁去北京，G22次", "下周五从上海坐高铁去北京", ""),
        ("My sister lives in Oslo, and she works at a bank.", "My sister lives in Oslo", ""),
        ("I like tea. The router is 192.168.7.1.", "The router is 192.168.7.1", "I like tea."),
        ("The shop has 7 tills,  the safe is new.", "The shop has 7 tills", "the safe is new."),
        ("我喜欢茶，我老婆喜欢咖啡。", "我喜欢茶", "我老婆喜欢咖啡。"),
        ("nothing of it", "something else", "nothing of it"),
    ],
)
def test_no_stubs_are_left(text: str, clause: str, left: str) -> None:
    assert cut_out(text, [clause]) == left


@settings(deadline=None, max_examples=60)
@given(st.lists(st.text("ab她有.。, ，\n 12", max_size=12), min_size=1, max_size=4))
def test_the_sentences_beside_it_stay_as_they_are(parts: list[str]) -> None:
    text = "Before it all is well. " + "<gone>".join(("", *parts, "")) + "\nAfter it all is well."
    left = cut_out(text, ["<gone>"])
    assert "gone" not in left and "\x00" not in left
    assert left.startswith("Before it all is well.") and left.endswith("After it all is well.")
    assert cut_out(text, ["absent"]) == text
