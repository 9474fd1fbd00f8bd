"""Tables and rows of commands, in a terminal of so many columns and in a pipe."""

from __future__ import annotations

import io
import re
from dataclasses import replace

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from localagent.cli import output
from localagent.columns import columns
from localagent.environment import Environment

HEADERS = ("id", "kind", "written", "text")
ROWS = [
    ("1m8pyrq2tbjvrds6", "preference", "6 minutes ago", "I prefer tea to coffee in the morning"),
    ("1m8pys8wpebap1q3", "event", "just now", "我们决定把厨房刷成浅绿色，因为北面的窗户让别的颜色看起来都是灰的"),
]


class Terminal(io.StringIO):
    def isatty(self) -> bool:
        return True


def printed(rows: list[tuple[str, ...]], width: int | None, headers: tuple[str, ...] = HEADERS) -> list[str]:
    out = Terminal() if width else io.StringIO()
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(output, "terminal_width", lambda stream: width)
        output.print_table(replace(Environment.of_process(), stdout=out, variables={}), headers, rows)
    return re.sub(r"\x1b\[\d+m", "", out.getvalue()).splitlines()


@pytest.mark.parametrize("width", [40, 60, 80, 120])
def test_a_table_keeps_to_the_terminal_and_loses_nothing(width: int) -> None:
    lines = printed(ROWS, width)
    assert all(columns(line) <= width for line in lines)
    for row in ROWS:
        assert row[0] in "\n".join(lines)
        assert re.sub(r"\s", "", row[3]) in re.sub(r"\s", "", "".join(lines))
    # No line begins with what closes a clause.
    assert not any(line.strip().startswith(("，", "。")) for line in lines)


def test_what_has_no_room_beside_the_first_columns_stands_below_them() -> None:
    assert printed(ROWS, 60)[:3] == [
        "id                kind        written",
        "1m8pyrq2tbjvrds6  preference  6 minutes ago",
        "  I prefer tea to coffee in the morning",
    ]


def test_wide_characters_keep_the_columns_aligned() -> None:
    lines = printed([("门锁密码", "x"), ("tea", "y")], 80, ("什么", "text"))
    assert lines == ["什么      text", "门锁密码  x", "tea       y"]


def test_in_a_pipe_a_row_is_a_line() -> None:
    lines = printed(ROWS, None)
    assert len(lines) == 3 and lines[2].endswith(ROWS[1][3])


def test_rows_go_on_where_their_value_begins() -> None:
    out = Terminal()
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(output, "terminal_width", lambda stream: 30)
        text = "kinds      10 profile, 7 event, 7 relationship\n  我们决定把厨房刷成浅绿色，因为北面的窗户让"
        output.print_flowing(replace(Environment.of_process(), stdout=out), text)
    assert out.getvalue().splitlines() == [
        "kinds      10 profile, 7",
        "           event, 7",
        "           relationship",
        "  我们决定把厨房刷成浅绿色，因",
        "    为北面的窗户让",
    ]


@given(st.lists(st.tuples(*[st.text(max_size=30)] * 3), max_size=4), st.integers(20, 100))
@settings(deadline=None, max_examples=60)
def test_whatever_stands_in_a_table_it_is_printed(rows: list[tuple[str, ...]], width: int) -> None:
    assert printed(rows, width, ("a", "b", "c"))
