"""Text from models, tools and files cannot steer the terminal, and stays whole where it is harmless."""

import re
import unicodedata

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from localagent.terminal import StreamCleaner, clean, encodable, next_boundary, one_line, previous_boundary

FORBIDDEN = re.compile("[\x00-\x08\x0b-\x1f\x7f-\x9f\ud800-\udfff\u202a-\u202e\u2066-\u2069]")
_PIECES = [
    "\x1b",
    "\x1b[",
    "\x1b]",
    "\x1bP",
    "\x1bO",
    "\x9b",
    "\x9d",
    "\x07",
    "\x1b\\",
    "\r",
    "\n",
    "\x1b(",
    "31m",
    ";",
]
_PIECES += ["0", "B", "a", "你", "\ud83d", "\u202e", "👩‍💻", " ", "\x85", "\x7f", "\t"]
hostile = st.lists(st.one_of(st.sampled_from(_PIECES), st.characters()), max_size=40).map("".join)


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("plain\ttext\n", "plain\ttext\n"),
        ("\x1b[31mred\x1b[0m", "red"),
        ("\x1b[38;5;12;1 qx", "x"),
        ("a\x1b]0;title\x07b", "ab"),
        ("a\x1b]8;;http://x.test\x1b\\link\x1b]8;;\x1b\\b", "alinkb"),
        ("a\x1b]52;c;aGk=\nnext line", "a\nnext line"),
        ("a\x1b]52;c;aGk=", "a"),
        ("a\x1bPq#0\x1b\\b", "ab"),
        ("\x1bOPq\x1bN~r", "qr"),
        ("\x1b(Bx\x1b#8y", "xy"),
        ("\x1bcreset\x1b7save", "resetsave"),
        ("\x9b31mred\x9d0;t\x9cx", "redx"),
        ("one\r\ntwo\rthree\r\r\nfour", "one\ntwo\nthree\n\nfour"),
        ("bell\x07 null\x00 del\x7f back\x08", "bell null del back"),
        ("abc\u202edef\u2066g\u2069", "abcdefg"),
        ("half \ud83d", "half \ufffd"),
        ("\x1b", ""),
        ("\x1b[", ""),
        ("\x1b你好", "你好"),
        ("\x1b[你好", "你好"),
        ("👩‍👩‍👧 e\u0301 你好，世界 🇩🇪", "👩‍👩‍👧 e\u0301 你好，世界 🇩🇪"),
    ],
)
def test_sequences_disappear_and_text_stays(text: str, shown: str) -> None:
    assert clean(text) == shown


@settings(deadline=None, max_examples=300)
@given(hostile)
def test_nothing_a_terminal_obeys_is_left(text: str) -> None:
    shown = clean(text)
    assert not FORBIDDEN.search(shown)
    assert clean(shown) == shown


@settings(deadline=None, max_examples=300)
@given(st.lists(hostile, max_size=6))
def test_the_result_does_not_depend_on_where_the_stream_was_cut(chunks: list[str]) -> None:
    cleaner = StreamCleaner()
    streamed = "".join(cleaner.feed(chunk) for chunk in chunks) + cleaner.flush()
    assert streamed == clean("".join(chunks))


@settings(deadline=None, max_examples=100)
@given(st.text(st.characters(exclude_categories=["Cc", "Cs", "Cf"])))
def test_harmless_text_is_untouched(text: str) -> None:
    assert clean(text) == text


def test_a_flushed_cleaner_starts_afresh() -> None:
    cleaner = StreamCleaner()
    assert cleaner.feed("a\x1b[3") == "a"
    cleaner.flush()
    assert cleaner.feed("1m") == "1m"


def test_one_line_is_short_and_single() -> None:
    assert one_line("a\r\nb\tc\x1b[2J") == "a b c"
    assert one_line("好" * 300, limit=10) == "好" * 9 + "…"


def test_what_an_encoding_lacks_becomes_a_question_mark() -> None:
    assert encodable("né 你", "ascii") == "n? ?"
    assert encodable("né 你", "utf-8") == encodable("né 你", None) == "né 你"


@pytest.mark.parametrize(
    "character",
    [
        "a",
        "你",
        "e\u0301",
        "👩‍👩‍👧‍👦",
        "🇨🇳",
        "👍🏽",
        "1\ufe0f\u20e3",
        "❤️",
        "🏴\U000e0067\U000e0062\U000e007f",
        "한",
        "\u1112\u1161\u11ab",
        "क्",
        "ใ",
    ],
)
def test_a_visible_character_is_one_step(character: str) -> None:
    text = f"x{character}y"
    assert next_boundary(text, 1) == 1 + len(character)
    assert previous_boundary(text, 1 + len(character)) == 1


def test_flags_in_a_row_are_stepped_over_in_pairs() -> None:
    text = "🇩🇪🇨🇳🇫🇷"
    assert [next_boundary(text, at) for at in (0, 2, 4)] == [2, 4, 6]
    assert [previous_boundary(text, at) for at in (6, 4, 2)] == [4, 2, 0]


@settings(deadline=None, max_examples=200)
@given(
    st.text(st.one_of(st.characters(exclude_categories=["Cs"]), st.sampled_from("\u200d\u0301🇩🇪👩👍🏽한ᅡ")), max_size=20)
)
def test_forward_and_backward_agree(text: str) -> None:
    forward = [0]
    while forward[-1] < len(text):
        forward.append(next_boundary(text, forward[-1]))
    backward = [len(text)]
    while backward[-1] > 0:
        backward.append(previous_boundary(text, backward[-1]))
    assert forward == backward[::-1]
    assert all(not unicodedata.category(text[at]).startswith("M") for at in forward[1:-1] if text[at - 1] not in "\n\t")
