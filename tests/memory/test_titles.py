"""Titles fit one line of a list, in every script."""

from __future__ import annotations

import pytest

from localagent.memory.titles import title_of
from localagent.messages import AttachmentPart, user


@pytest.mark.parametrize(
    ("text", "title"),
    [
        ("", ""),
        ("  \n\t ", ""),
        ("x" * 60, "x" * 60),
        ("x" * 61, "x" * 59 + "…"),
        ("你" * 30, "你" * 30),
        ("你" * 31, "你" * 29 + "…"),
        ("a" + "你" * 30, "a" + "你" * 29 + "…"),
        ("first\r\nsecond\x1b[31m", "first second [31m"),
        ("e\u0301" * 60, "e\u0301" * 60),
        ("e\u0301" * 61, "e\u0301" * 59 + "…"),
        # a joined emoji is kept whole or left out
        ("x" * 58 + "👩\u200d👩\u200d👧 and so on", "x" * 58 + "…"),
        ("x" * 57 + "👍🏽 and so on", "x" * 57 + "👍🏽…"),
        ("word " * 100_000, "word " * 11 + "word…"),
    ],
)
def test_titles(text: str, title: str) -> None:
    assert title_of(user(text)) == title


def test_without_words_the_attachments_name_it() -> None:
    assert title_of(user("", [AttachmentPart("报告.md", "..."), AttachmentPart("b.txt", "")])) == "报告.md b.txt"
    assert title_of(user("why?", [AttachmentPart("报告.md", "...")])) == "why?"
