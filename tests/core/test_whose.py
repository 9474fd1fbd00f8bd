"""What is told of somebody else is no profile or habit of the speaker. English and Chinese."""

from __future__ import annotations

import pytest

from localagent.memory.entries import Kind
from localagent.whose import kind_of


@pytest.mark.parametrize(
    ("text", "kind"),
    [
        ("周勇腰椎间盘突出，不能搬重的", "relationship"),
        ("小杨升领班了，工资涨到4500", "relationship"),
        ("最近涵涵迷上了恐龙，天天要买", "relationship"),
        ("老梁是高血压，天天吃药", "relationship"),
        ("Theo's scared of dogs since one bit him", "relationship"),
        ("Mum takes metformin twice a day", "relationship"),
        ("优甲乐现在是50微克", "profile"),
        ("房租3600", "profile"),
        ("刚刚吃了药", "profile"),
        ("周末住院", "profile"),
        ("高血压吃药", "profile"),
        ("我妈叫我少吃盐", "profile"),
        ("My mother tongue is Basque", "profile"),
        ("Choir is on Thursdays", "profile"),
        ("Gran rings on Tuesdays, so we stay in", "profile"),
    ],
)
def test_the_subject_tells_whose_it_is(text: str, kind: Kind) -> None:
    assert kind_of("profile", text) == kind


def test_only_what_was_taken_for_the_speakers_is_changed() -> None:
    text = "Theo's scared of dogs"
    assert [kind_of(kind, text) for kind in ("habit", "event", "fact", "todo")] == [
        "relationship",
        "event",
        "fact",
        "todo",
    ]
