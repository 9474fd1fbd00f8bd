"""A day that comes once a year is none of this month, where no month is named."""

from __future__ import annotations

import datetime as dt

import pytest

from policies._dates import due_at

SAID = dt.datetime(2026, 3, 11, 10, 0).timestamp()


@pytest.mark.parametrize(
    ("text", "due"),
    [
        ("Helen's birthday is on the 15th actually, not the 13th", None),
        ("Our anniversary is on the 15th at 3pm", None),
        ("Helen's birthday is on 15 May", "05-15"),
        ("Helen's birthday is on the 15th of May", "05-15"),
        ("Helen's birthday is on Friday", "03-13"),
        ("Helen's birthday party is on the 15th", "03-15"),
        ("The meeting is on the 15th", "03-15"),
        ("妈妈的生日是15号", None),
        ("妈妈的生日其实是15号，不是13号", None),
        ("妈妈的生日是5月15号", "05-15"),
        ("妈妈的生日是这个月15号", "03-15"),
        ("会议是15号", "03-15"),
    ],
)
def test_a_birthday_without_its_month_does_not_fall_due(text: str, due: str | None) -> None:
    when = due_at(text, SAID)
    assert (dt.datetime.fromtimestamp(when).strftime("%m-%d") if when else None) == due
