"""Where a growing Markdown text may be cut: CommonMark itself says when a block is over.

Raw HTML, images and reference definitions are taken as plain text: nothing of an answer is hidden.
"""

from __future__ import annotations

import itertools
import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Literal, TypeAlias

from markdown_it import MarkdownIt
from markdown_it.token import Token

_FENCE_OPEN = re.compile(r"( {0,3})(?:(`{3,})([^`\n]*)|(~{3,})([^\n]*))(?:\n|\Z)")
_CLOSED_BY_BLANK = frozenset({"paragraph_open", "blockquote_open", "table_open"})
_CLOSED_AT_ONCE = frozenset({"heading_open", "hr"})

BlockKind: TypeAlias = Literal["blank", "markdown", "fence_open", "code", "fence_close"]


@dataclass(frozen=True, slots=True)
class Block:
    """A finished piece of the text. `continues`: no empty line before it; `number`: of an ordered list's first item."""

    kind: BlockKind
    text: str
    continues: bool = False
    number: int | None = None


def markdown_parser() -> MarkdownIt:
    parser = MarkdownIt("commonmark", {"html": False}).enable(["strikethrough", "table"])
    return parser.disable(["reference", "image"])


_BLOCK_PARSER = markdown_parser().disable("inline")


class BlockSplitter:
    """Cuts a growing Markdown text into finished blocks. Joined, their texts are the text."""

    def __init__(self) -> None:
        self._pending = ""
        self._fence: re.Pattern[str] | None = None
        self._in_list = False
        self._number: int | None = None
        self._parse_at = 0

    @property
    def pending(self) -> str:
        """What has arrived and belongs to a block that is not finished."""
        return self._pending

    @property
    def in_code(self) -> bool:
        return self._fence is not None

    def feed(self, text: str) -> list[Block]:
        self._pending += text
        return list(self._take(final=False))

    def flush(self) -> list[Block]:
        """The text is over: the rest, whatever it is."""
        blocks = list(self._take(final=True))
        if self._fence:
            blocks.append(Block("fence_close", "", continues=True))
        self.__init__()  # type: ignore[misc]
        return blocks

    def _take(self, *, final: bool) -> Iterator[Block]:
        found = True
        while found and self._pending:
            if not final and "\n" not in self._pending:
                return
            blocks = self._take_code(final) if self._fence else self._take_markdown(final)
            yield from blocks
            found = bool(blocks)

    def _cut(self, length: int) -> str:
        text, self._pending = self._pending[:length], self._pending[length:]
        self._parse_at = 0
        return text

    def _take_code(self, final: bool) -> list[Block]:
        """One line inside a fence."""
        end = self._pending.find("\n") + 1
        if not end and not final:
            return []
        line = self._cut(end or len(self._pending))
        if self._fence and self._fence.fullmatch(line):
            self._fence = None
            return [Block("fence_close", line, continues=True)]
        return [Block("code", line, continues=True)]

    def _take_markdown(self, final: bool) -> list[Block]:
        blank = re.match(r"(?:[ \t]*\n)+", self._pending)
        if blank:
            return [Block("blank", self._cut(blank.end()))]
        fence = _FENCE_OPEN.match(self._pending)
        if fence and not self._in_list:
            marker = fence[2] or fence[4]
            self._fence = re.compile(rf" {{0,3}}{re.escape(marker[0])}{{{len(marker)},}}[ \t]*\n?")
            return [Block("fence_open", self._cut(fence.end()))]
        # Parsed again only after it grew by a fiftieth, so that the work stays in proportion to the text.
        if not final and len(self._pending) < self._parse_at:
            return []
        self._parse_at = len(self._pending) + len(self._pending) // 50 + 1
        lines = self._pending.split("\n")
        if not final:
            lines.pop()
        tokens = _BLOCK_PARSER.parse("\n".join(lines) + "\n")
        return self._finished(tokens, lines, final)

    def _finished(self, tokens: list[Token], lines: list[str], final: bool) -> list[Block]:
        tops = [t for t in tokens if t.level == 0 and t.nesting >= 0 and t.map]
        starts = [t.map[0] for t in tops if t.map]
        if not tops:
            return [Block("blank", self._cut(len(self._pending)))] if final else []
        blocks: list[Block] = []
        at = 0
        for index, top in enumerate(tops):
            if top.type == "fence" and index > 0:
                return blocks
            last = index + 1 == len(tops)
            if last and not final and not self._is_closed(top, len(lines)):
                blocks += self._finished_items(tokens, top, lines)
                return blocks
            end = len(lines) if last else starts[index + 1]
            blocks.append(self._markdown(lines[at:end], top))
            self._in_list, self._number = False, None
            at = end
        return blocks

    @staticmethod
    def _is_closed(top: Token, line_count: int) -> bool:
        followed_by_blank = bool(top.map) and top.map[1] < line_count  # type: ignore[index]
        return top.type in _CLOSED_AT_ONCE or (top.type in _CLOSED_BY_BLANK and followed_by_blank)

    def _finished_items(self, tokens: list[Token], top: Token, lines: list[str]) -> list[Block]:
        """All items but the last of a list that goes on."""
        if top.type not in ("bullet_list_open", "ordered_list_open"):
            return []
        items = [t.map[0] for t in tokens if t.type == "list_item_open" and t.level == 1 and t.map]
        items = [start for start in items if top.map and start >= top.map[0]]
        blocks: list[Block] = []
        for start, end in itertools.pairwise(items):
            blocks.append(self._markdown(lines[start:end], top))
            self._in_list = True
            if top.type == "ordered_list_open":
                self._number = (blocks[-1].number or 0) + 1
        return blocks

    def _markdown(self, lines: list[str], top: Token) -> Block:
        number = None
        if top.type == "ordered_list_open":
            number = self._number if self._number is not None else int(top.attrs.get("start", 1))
        text = self._cut(min(len(self._pending), sum(len(line) + 1 for line in lines)))
        return Block("markdown", text, continues=self._in_list, number=number)
