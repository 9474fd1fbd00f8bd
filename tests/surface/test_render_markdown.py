"""An answer that grows is printed in finished pieces, and looks as if it had been printed as a whole."""

import itertools
import re

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st
from rich.cells import cell_len
from rich.console import Console

from localagent.render_blocks import Block, BlockSplitter
from localagent.render_flow import line_breaks
from localagent.render_markdown import MarkdownStream

DOCUMENT = """\
# Title

A *long* paragraph with `code[0]` and **bold words**, which goes on until it must be wrapped more than once at this
width; a soft break. See [the docs](http://example.test/x), <http://auto.test>, <div>, List<String>, 2 * 3, snake_case.

Setext
------
- item one
- item two with

  another paragraph
  ```python
  def f(x):
      return "text"  # comment
  ```
- item three
  1. nested
  2. nested too

1. one
2. two
1. three
   still three
4) another list

> quote
> more
lazy

| a | b |
|---|--:|
| 1 | 你好 |
| long cell content | 22 |

```python
def g():

    return '''a
    b'''
```
使用 Python 编写的程序很长，需要在终端里正确地换行，而且标点不能出现在行首。**重点**也要保留，直到这一段结束为止。
~~~
tilde
~~~
[1]: http://reference.test

    indented code

* * *
👩‍👩‍👧 family, e\u0301 and 🇨🇳.
"""
PIECES = [
    *(line + "\n" for line in DOCUMENT.split("\n")),
    "\n",
    "\n\n",
    "- x\n",
    "1. y\n",
    "```\n",
    "> q\n",
    "word ",
    "**",
    "`",
]
documents = st.lists(st.sampled_from(PIECES), max_size=25).map("".join)


def console(width: int = 60) -> Console:
    return Console(width=width, color_system=None, force_terminal=False)


def shown(chunks: list[str], width: int = 60) -> str:
    stream = MarkdownStream(console(width))
    return "".join(map(stream.feed, chunks)) + stream.flush()


def chunks_of(text: str, size: int) -> list[str]:
    return [text[at : at + size] for at in range(0, len(text), size)]


@settings(deadline=None, max_examples=100)
@given(documents, st.integers(1, 50))
def test_the_blocks_are_the_text(text: str, size: int) -> None:
    splitter = BlockSplitter()
    blocks: list[Block] = []
    for chunk in chunks_of(text, size):
        blocks += splitter.feed(chunk)
    blocks += splitter.flush()
    assert "".join(block.text for block in blocks) == text


@settings(deadline=None, max_examples=60)
@given(documents, st.integers(1, 50))
def test_words_are_shown_once_and_in_order(text: str, size: int) -> None:
    """However it is cut, nothing is lost, doubled or moved."""
    words = re.findall(r"\w+", re.sub(r"[*_`]|```\w*", "", "".join(shown(chunks_of(text, size), 300).split())))
    whole = re.findall(r"\w+", "".join(shown([text], 300).split()))
    assert "".join(words).replace("_", "") == "".join(whole).replace("_", "")


@pytest.mark.parametrize("size", [1, 2, 3, 7, 50, 10_000])
@pytest.mark.parametrize("width", [20, 40, 80, 200])
def test_pieces_look_like_the_whole(size: int, width: int) -> None:
    assert shown(chunks_of(DOCUMENT, size), width) == shown([DOCUMENT], width)


@pytest.mark.parametrize("width", [20, 40, 80])
def test_text_fits_the_width(width: int) -> None:
    code = ("def ", "    ", "return", "indented", "'''")
    for line in shown([DOCUMENT], width).split("\n"):
        assert cell_len(line) <= width or line.startswith(code), line
        assert line == line.rstrip()


def test_the_document_in_full() -> None:
    text = shown([DOCUMENT], 70)
    for piece in ("the docs (http://example.test/x)", "<div>", "List<String>", "2 * 3", "snake_case", "• item three"):
        assert piece in text
    for piece in ("  1 nested", "  1 one", "  2 two", "  3 three", "[1]: http://reference.test", "▌ quote", "你好"):
        assert piece in text
    assert "http://auto.test," in text and "**" not in text and "\n\n\n" not in text


def test_blocks_appear_as_soon_as_they_are_finished() -> None:
    stream = MarkdownStream(console())
    assert stream.feed("# Tit") == ""
    assert stream.feed("le\n") == "Title\n"
    assert stream.feed("- a\n") == ""
    assert stream.feed("- b\n") == "\n • a\n"
    assert stream.feed("\ntext\n") == " • b\n"
    assert stream.feed("\n```py\nx = 1\n") == "\ntext\n\n```py\nx = 1\n"
    assert stream.feed("y = 2\n") == "y = 2\n"
    assert stream.feed("y = ") == ""
    assert stream.flush() == "y = \n```\n"


def test_a_paragraph_is_printed_while_it_grows() -> None:
    stream = MarkdownStream(console(40))
    printed = "".join(stream.feed(f"word{n} ") for n in range(50))
    assert "word40" in printed
    assert (printed + stream.flush()).split() == [f"word{n}" for n in range(50)]


def test_an_open_emphasis_is_waited_for() -> None:
    stream = MarkdownStream(console(20))
    first = stream.feed("one two three four five six **seven eight nine ten eleven ")
    assert first == "one two three four\n"
    assert (
        stream.feed("twelve** thirteen ") + stream.flush() == "five six seven eight\nnine ten eleven\ntwelve thirteen\n"
    )


def test_chinese_breaks_between_characters_and_not_before_punctuation() -> None:
    text = shown(["使用 Python 编写的程序很长很长，需要换行。“引号”也是（括号）一样。"], 12)
    for line in text.strip().split("\n"):
        assert line[0] not in "，。”）" and line[-1] not in "“（"
        assert cell_len(line) <= 12
    assert text.split("\n")[0] == "使用 Python"


@settings(deadline=None, max_examples=150)
@example(" aaaa\u0301\u0301\u0301。，", 7)
@example("aaaaaa\u200d\u200d。", 6)
@given(st.text(st.sampled_from("ab 你，。（👩\u200d👧\u0301🇩🇪"), min_size=1, max_size=60), st.integers(2, 12))
def test_lines_are_whole_and_fit(text: str, width: int) -> None:
    breaks = line_breaks(text, width)
    edges = [0, *breaks, len(text)]
    assert edges == sorted(set(breaks) | {0, len(text)})
    for begin, end in itertools.pairwise(edges):
        assert text[end : end + 1] != "\u200d"
        assert cell_len(text[begin:end].rstrip(" \u0301\u200d")) <= max(width, 2) or end - begin <= 8


def test_a_narrow_table_becomes_lines() -> None:
    table = "| name | size | colour | use |\n|---|---|---|---|\n| apple | big | green | food |\n"
    assert "colour: green" in shown([table], 20)
    assert "apple" in shown([table], 40)


def test_the_width_is_read_for_each_block() -> None:
    screen = console(30)
    stream = MarkdownStream(screen)
    first = stream.feed("word " * 12 + "\n\n")
    screen.width = 60
    second = stream.feed("word " * 12 + "\n\n")
    assert max(map(len, first.split("\n"))) <= 30 < max(map(len, second.split("\n")))


def test_a_long_answer_costs_in_proportion_to_its_length(monkeypatch: pytest.MonkeyPatch) -> None:
    import localagent.render_blocks as blocks

    parsed = 0
    original = blocks._BLOCK_PARSER.parse

    def counting(text: str) -> object:
        nonlocal parsed
        parsed += len(text)
        return original(text)

    monkeypatch.setattr(blocks._BLOCK_PARSER, "parse", counting)
    table = "| a | b |\n|---|---|\n" + "| one | two |\n" * 700
    splitter = BlockSplitter()
    for chunk in chunks_of(table, 5):
        splitter.feed(chunk)
    splitter.flush()
    assert parsed < 80 * len(table)
