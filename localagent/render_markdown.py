"""Markdown that grows: finished blocks are printed once and for all, nothing is ever drawn over.

A text is split where CommonMark itself says that a block is over, so that printing block by block shows what printing
the whole would show. Raw HTML, images and reference definitions are shown as they were written, soft line breaks as
line breaks, and links with their address: nothing of an answer is hidden.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from markdown_it.token import Token
from rich import box, markdown
from rich.console import Console, ConsoleOptions, RenderableType, RenderResult
from rich.syntax import Syntax
from rich.table import Table
from rich.text import Text

from localagent.render_blocks import Block, BlockSplitter, markdown_parser
from localagent.render_flow import flow

CODE_THEME = "ansi_dark"
# A line of code is coloured in the light of as many before it.
HIGHLIGHTED_LINES = 200
# What may still begin a piece of markup when it stands at the end of an unfinished paragraph.
_OPENER = re.compile(r"\*+(?=\S|$)|(?<!\w)_+(?=\S|$)|~~|`|\[(?![^\[\]]*\][^(])|<(?=\S|$)|\\$|&#?\w*$")

_PARSER = markdown_parser()


class _Document(markdown.Markdown):
    """A finished block, or the beginning of an unfinished paragraph (`unfinished`), without its first `skip`
    characters, which are on the screen already. Rendering it sets `shown` to how many there are then."""

    def __init__(self, text: str, *, number: int | None = None, skip: int = 0, unfinished: bool = False) -> None:
        super().__init__("", code_theme=CODE_THEME, hyperlinks=False)
        self.parsed = _PARSER.parse(text)
        for token in self.parsed:
            token.children = list(_shown_children(token.children or []))
            if number is not None and token.type == "ordered_list_open" and token.level == 0:
                token.attrs["start"] = number
        self.skip = skip
        self.shown = skip
        self.unfinished = unfinished

    @property
    def is_paragraph(self) -> bool:
        return len(self.parsed) == 3 and self.parsed[0].type == "paragraph_open"

    def settled(self) -> int:
        """How many characters of the paragraph cannot change any more, whatever follows."""
        length = 0
        href = ""
        for token in self.parsed[1].children or []:
            if token.type == "text" and (found := _OPENER.search(token.content, max(0, self.skip - length))):
                return length + found.start()
            if token.type == "link_open":
                href = str(token.attrs.get("href", ""))
            elif token.type == "link_close":
                length += len(f" ({href})")
            length += 1 if token.type == "hardbreak" else len(token.content)
        return length

    def lines_of(self, text: Text, width: int) -> Iterator[Text]:
        limit = self.settled() if self.unfinished else len(text.plain) + 1
        lines = flow(text, width, self.skip)
        for line, end in lines[:-1] if self.unfinished else lines:
            if end > limit:
                return
            self.shown = end
            yield line


def _shown_children(children: list[Token]) -> Iterator[Token]:
    in_autolink = False
    for child in children:
        if child.type == "softbreak":
            child.type = "hardbreak"
        if child.markup == "autolink" and child.type in ("link_open", "link_close"):
            in_autolink = not in_autolink
            continue
        yield child


class _Paragraph(markdown.Paragraph):
    @classmethod
    def create(cls, markdown: markdown.Markdown, token: Token) -> _Paragraph:
        paragraph = cls(justify="left")
        paragraph.document = markdown if token.level == 0 and isinstance(markdown, _Document) else _Document("")
        return paragraph

    document: _Document

    def __rich_console__(self, console: Console, options: ConsoleOptions) -> RenderResult:
        yield from self.document.lines_of(self.text, options.max_width)


class _Heading(markdown.Heading):
    @classmethod
    def create(cls, markdown: markdown.Markdown, token: Token) -> _Heading:
        heading = cls(token.tag)
        heading.document = markdown if token.level == 0 and isinstance(markdown, _Document) else _Document("")
        return heading

    document: _Document

    def __rich_console__(self, console: Console, options: ConsoleOptions) -> RenderResult:
        yield from self.document.lines_of(self.text, options.max_width)


class _Code(markdown.CodeBlock):
    """Code between its fences: it can be copied as it is, and is told from text where there are no colours."""

    def __rich_console__(self, console: Console, options: ConsoleOptions) -> RenderResult:
        yield Text(fence_line(self.lexer_name), style="dim")
        lines = str(self.text).removesuffix("\n").split("\n")
        for line in highlighted(lines, self.lexer_name):
            line.overflow = "fold"
            yield line
        yield Text("```", style="dim")


class _NumberedList(markdown.ListElement):
    """Numbers stand in two columns, so that items printed one by one line up."""

    def __rich_console__(self, console: Console, options: ConsoleOptions) -> RenderResult:
        if self.list_type == "bullet_list_open":
            yield from super().__rich_console__(console, options)
            return
        first = 1 if self.list_start is None else self.list_start
        for number, item in enumerate(self.items, first):
            yield from item.render_number(console, options, number, max(number, 10))


class _Table(markdown.TableElement):
    """Cells are folded, never cut. Where the columns have no room, each row becomes lines of `header: value`."""

    def __rich_console__(self, console: Console, options: ConsoleOptions) -> RenderResult:
        header = self.header.row.cells if self.header and self.header.row else []
        rows = [row.cells for row in self.body.rows] if self.body else []
        if options.max_width < 6 * len(header):
            for row in rows:
                for title, cell in zip(header, row, strict=False):
                    yield Text.assemble((f"{title.content.plain}: ", "bold"), cell.content, overflow="fold")
                yield Text()
            return
        table = Table(box=box.SIMPLE, pad_edge=False, style="markdown.table.border", show_edge=False)
        for cell in header:
            heading = cell.content.copy()
            heading.stylize("markdown.table.header")
            table.add_column(heading, justify=cell.justify, overflow="fold")
        for row in rows:
            table.add_row(*(cell.content for cell in row))
        yield table


_Document.elements = {
    **markdown.Markdown.elements,
    "paragraph_open": _Paragraph,
    "heading_open": _Heading,
    "fence": _Code,
    "code_block": _Code,
    "bullet_list_open": _NumberedList,
    "ordered_list_open": _NumberedList,
    "table_open": _Table,
}


def fence_line(language: str) -> str:
    return "```" + ("" if language == "text" else language)


def highlighted(lines: list[str], language: str) -> list[Text]:
    """The lines with colours, where the language is known."""
    text = Syntax("", language or "text", theme=CODE_THEME, background_color="default").highlight("\n".join(lines))
    coloured = list(text.split("\n", allow_blank=True))
    return coloured[: len(lines)] if len(coloured) >= len(lines) else [Text(line) for line in lines]


class MarkdownStream:
    """Turns pieces of Markdown into lines for a terminal, styled by `console` at the width it has at the moment."""

    def __init__(self, console: Console) -> None:
        self._console = console
        self._splitter = BlockSplitter()
        self._empty = True
        self._shown = 0
        self._look_at = 0
        self._language = ""
        self._code: list[str] = []

    @property
    def pending(self) -> str:
        """What has arrived and was not printed (and perhaps a little that was)."""
        return self._splitter.pending

    def feed(self, text: str) -> str:
        shown = "".join(map(self._print, self._splitter.feed(text)))
        return shown + self._print_unfinished()

    def flush(self) -> str:
        """The text is over: the rest of it. Ready for another one."""
        shown = "".join(map(self._print, self._splitter.flush()))
        self.__init__(self._console)  # type: ignore[misc]
        return shown

    def _print(self, block: Block) -> str:
        self._look_at = 0
        if block.kind == "blank":
            return ""
        gap = "" if self._empty or block.continues or self._shown else "\n"
        self._empty = False
        if block.kind == "markdown":
            document = _Document(block.text, number=block.number, skip=self._shown)
            self._shown = 0
            return gap + self._lines(document)
        if block.kind == "fence_open":
            self._language = (block.text.strip().strip("`~").split() or [""])[0]
            self._code = []
            return gap + self._line(Text(fence_line(self._language), style="dim"))
        if block.kind == "fence_close":
            return self._line(Text("```", style="dim"))
        self._code = [*self._code[1 - HIGHLIGHTED_LINES :], block.text.removesuffix("\n")]
        return self._line(highlighted(self._code, self._language)[-1])

    def _print_unfinished(self) -> str:
        """Lines of a paragraph that is still growing, as far as they cannot change any more."""
        text = self.pending
        if self._splitter.in_code or len(text) < max(self._look_at, self._console.width // 2) or "|" in text:
            return ""
        self._look_at = len(text) + len(text) // 50 + 1
        body, newline, last = text.rpartition("\n")
        if newline and not last[:1].isalpha() and len(last) < 12:
            text = body  # the last line may yet begin another block
        document = _Document(text, skip=self._shown, unfinished=True)
        if not document.is_paragraph:
            return ""
        gap = "" if self._empty or self._shown else "\n"
        lines = self._lines(document)
        self._shown = document.shown
        self._empty = self._empty and not lines
        return gap + lines if lines else ""

    def _lines(self, renderable: RenderableType) -> str:
        with self._console.capture() as captured:
            self._console.print(renderable)
        lines = _TRAILING_BLANKS.sub(r"\1", captured.get()).strip("\n")
        return lines + "\n" if lines else ""

    def _line(self, text: Text) -> str:
        """One line, however long: the terminal wraps it, so that it can be copied as one."""
        with self._console.capture() as captured:
            self._console.print(text, no_wrap=True, overflow="ignore", crop=False, soft_wrap=True)
        return captured.get()


class ThoughtStream:
    """Plain text that grows, dim, each line behind a bar. Lines are printed when they are full."""

    def __init__(self, console: Console) -> None:
        self._console = console
        self._pending = ""

    def feed(self, text: str) -> str:
        self._pending += text
        if len(self._pending) < self._console.width // 2 and "\n" not in text:
            return ""
        self._pending = self._pending.lstrip("\n")
        lines = [line for line in flow(Text(self._pending), self._console.width - 2) if line[1] <= len(self._pending)]
        if lines:
            self._pending = self._pending[lines[-1][1] :]
        return self._barred([str(line) for line, _ in lines])

    def flush(self) -> str:
        rest = self._pending.strip()
        self._pending = ""
        return self._barred([str(line) for line, _ in flow(Text(rest), self._console.width - 2)]) if rest else ""

    def _barred(self, lines: list[str]) -> str:
        with self._console.capture() as captured:
            for line in lines:
                self._console.print(Text(f"│ {line}".rstrip(), style="dim italic"), soft_wrap=True)
        return captured.get()


# Spaces that only fill a line up to the width, with the style changes among them.
_TRAILING_BLANKS = re.compile(r" *((?:\x1b\[[\d;]*m)*)(?: +\x1b\[[\d;]*m)* *$", re.MULTILINE)
