"""Long texts are cut where it hurts least, and nothing of them is lost."""

from __future__ import annotations

from itertools import pairwise

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from localagent.memory.chunks import LIMIT, chunks, units

ALPHABET = st.sampled_from(list("ab .!?\n\n\t\"')。！？；”文字的e\u0301\u200d\U0001f600שa")) | st.characters(
    codec="utf-8"
)
TEXTS = st.text(ALPHABET, max_size=300)


@settings(deadline=None, max_examples=300)
@given(TEXTS, st.integers(1, 40))
def test_nothing_is_lost_and_every_piece_fits(text: str, limit: int) -> None:
    pieces = chunks(text, limit)
    assert "".join(pieces) == text
    assert all(piece and (units(piece) <= limit or len(piece) == 1) for piece in pieces)


@settings(deadline=None, max_examples=100)
@given(TEXTS, st.integers(5, 40))
def test_no_two_pieces_would_fit_into_one(text: str, limit: int) -> None:
    assert all(units(one + other) > limit for one, other in pairwise(chunks(text, limit)))


def test_what_fits_is_one_piece() -> None:
    assert chunks("字" * 400) == ["字" * 400]
    assert chunks("x" * 1333) == ["x" * 1333]
    assert chunks("") == []
    assert units("字" * 400) == LIMIT


@pytest.mark.parametrize(
    ("text", "limit", "pieces"),
    [
        ("one two\n\nthree four", 4, ["one two\n\n", "three four"]),  # paragraphs
        ("a b c.\nd e f.", 3, ["a b c.\n", "d e f."]),  # lines
        ("One two. Three four! Five?", 4, ["One two. ", "Three four! ", "Five?"]),  # sentences
        ("一二三。四五六！七八九", 6, ["一二三。", "四五六！", "七八九"]),
        ("他说：“好。”然后走了。", 8, ["他说：“好。”", "然后走了。"]),
        ("one two three", 3, ["one two ", "three"]),  # words
        ("一二三四五", 2, ["一二", "三四", "五"]),  # characters
    ],
)
def test_where_it_is_cut(text: str, limit: int, pieces: list[str]) -> None:
    assert chunks(text, limit) == pieces


def test_a_sign_of_several_characters_stays_whole() -> None:
    family = "\U0001f469\u200d\U0001f469\u200d\U0001f467"
    assert all(not piece.startswith("\u200d") and not piece.endswith("\u200d") for piece in chunks(family * 40, 6))
    assert all(not piece.startswith("\u0301") for piece in chunks("e\u0301" * 100, 3))


LONG = {
    "word": "x" * 100_000,
    "chinese": "字" * 100_000,
    "marks": "a\u0301\u0302\u0303" * 25_000,
    "emoji": "\U0001f600" * 100_000,
    "lines": "\n" * 100_000,
    "blank lines": "\n \n" * 33_000,
    "spaces": " " * 100_000,
    "dots": "." * 100_000,
    "chinese dots": "。" * 100_000,
    "quotes": ".\"'" * 33_000,
    "right to left": "שלום עולם. " * 9_000,
}


@pytest.mark.parametrize("name", LONG)
def test_a_hundred_thousand_characters(name: str) -> None:
    text = LONG[name]
    pieces = chunks(text)
    assert "".join(pieces) == text
    assert all(units(piece) <= LIMIT for piece in pieces)
    assert len(pieces) <= 2 * units(text) / LIMIT + 1
