"""A reply in a form, read while it arrives in whatever pieces."""

from __future__ import annotations

import json

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from localagent.errors import IncompleteAnswer
from localagent.events import ModelFinished, TextDelta, ToolCallReady, Usage
from localagent.offering import read_constrained

FINISHED = ModelFinished("stop", Usage())


def read(*pieces: str) -> str:
    events = [*(TextDelta(piece) for piece in pieces), FINISHED]
    return "".join(event.text for event in read_constrained(events) if isinstance(event, TextDelta))


@pytest.mark.parametrize(
    ("inside", "expected"),
    [
        (r"see C:\users\me, and more", r"see C:\users\me, and more"),  # no JSON: some servers let everything through
        (r"\u12", r"\u12"),
        (r"\d+ \u4f60\u597d", r"\d+ 你好"),
        (r"a \ud83d b", "a \ufffd b"),
        (r"a \ud83d", "a \ufffd"),
        (r"a \ud83d\n\udc00 \ud83d\ude00", "a \ufffd\n\ufffd \U0001f600"),
        (r"\\\" \/ \t", '\\" / \t'),
    ],
)
def test_nothing_behind_an_odd_escape_is_lost(inside: str, expected: str) -> None:
    whole = f'{{"action": "answer", "text": "{inside}"}}'
    assert read(whole) == read(*whole) == expected


def test_half_a_character_is_none_in_another_order_of_keys_either() -> None:
    assert read(r'{"text": "a \ud83d b", "action": "answer"}') == "a \ufffd b"


@pytest.mark.parametrize("cut", [r"\u4f", r"\u", "\\", r"\ud83d", r"\ud83d\u"])
def test_of_a_reply_that_was_cut_the_begun_character_is_left_out(cut: str) -> None:
    assert read(f'{{"action": "answer", "text": "so far {cut}') == "so far "


@given(st.text(st.characters(exclude_categories=["Cs"])), st.booleans(), st.integers(1, 7))
@settings(deadline=None, max_examples=150)
def test_any_text_arrives_whole_in_any_pieces(text: str, ascii_only: bool, size: int) -> None:
    whole = json.dumps({"action": "answer", "text": text}, ensure_ascii=ascii_only)
    assert read(*(whole[at : at + size] for at in range(0, len(whole), size))) == text


@given(st.text(max_size=200))
@settings(deadline=None, max_examples=150)
def test_whatever_is_said_is_an_answer_a_call_or_a_fault_that_is_told(said: str) -> None:
    for reply in (said, f'{{"action": "answer", "text": "{said}', f'{{"action": "{said}'):
        try:
            events = list(read_constrained([*map(TextDelta, reply), FINISHED]))
        except IncompleteAnswer:
            continue
        assert all(isinstance(event, TextDelta | ToolCallReady | ModelFinished) for event in events)
