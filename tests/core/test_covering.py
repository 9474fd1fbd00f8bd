"""Whether the summary says already what a message says: all its details, or the message is recalled."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from localagent.covering import Covering

LINES = (
    "- decision: the harbour office moves to Mill Lane 14 on 3 May",
    "- preference: no phone calls before ten in the morning",
    "- fact: Rosalind runs the print shop, the invoices go to Tobias",
    "- 决定：码头办公室五月三日搬到磨坊路14号",
    "- 偏好：上午十点以前不要打电话",
    "- 事实：发票寄给陶比亚斯，打印店由罗莎负责",
)


@pytest.mark.parametrize(
    ("said", "covered"),
    [
        ("The harbour office moves to Mill Lane 14 on 3 May.", True),
        ("Good morning! The harbour office moves to Mill Lane 14 on 3 May. Is that fine?", True),
        ("The harbour office moves to Mill Lane 16 on 3 May.", False),
        ("The harbour office does not move to Mill Lane 14 on 3 May.", False),
        ("Rosalind runs the print shop.", True),
        ("Rosalind runs the print shop, and the invoices go to Tobias.", True),
        ("The invoices go to Benedikt.", False),
        ("Rosalind runs the print shop. The boiler was mended by Anselm.", False),
        ("No phone calls before ten in the morning, please.", True),
        ("Phone calls before ten in the morning are fine.", False),
        ("码头办公室五月三日搬到磨坊路14号。", True),
        ("码头办公室五月三日搬到磨坊路16号。", False),
        ("上午十点以前不要打电话。", True),
        ("上午十点以前可以打电话。", False),
        ("打印店由罗莎负责，发票寄给陶比亚斯。", True),
        ("What did we say about the office?", False),
        ("Thanks!", False),
        ("好的，谢谢！", False),
        ("", False),
    ],
)
def test_what_the_summary_says_already(said: str, covered: bool) -> None:
    assert Covering(LINES).covers(said) is covered


def test_an_empty_summary_says_nothing() -> None:
    assert not Covering(()).covers(LINES[0])


def test_the_halves_of_two_lines_far_apart_do_not_say_it() -> None:
    lines = (
        "- fact: the blue lorry carries slate",
        "- fact: x y z",
        "- fact: on Tuesday the depot is closed to visitors",
    )
    assert not Covering(lines).covers("The blue lorry is at the closed depot with visitors.")


@settings(deadline=None, max_examples=60)
@given(st.lists(st.sampled_from(LINES), max_size=6), st.integers(1000, 9999))
def test_a_number_that_no_line_has_is_never_covered(lines: list[str], number: int) -> None:
    covering = Covering(lines)
    for line in LINES:
        assert not covering.covers(f"{line.split(': ')[-1]} {number}")
