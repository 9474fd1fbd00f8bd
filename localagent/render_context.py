"""What stands before the next request, for people: what /context prints."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence
from typing import TYPE_CHECKING

from localagent import bilingual_shown as say
from localagent.assembler import wishes_section
from localagent.bilingual import Language, called, kind_name
from localagent.bilingual_why import SPEAKERS
from localagent.columns import columns, pad
from localagent.recall_block import IN_PART_CORRECTED
from localagent.render_memory import SHOWN
from localagent.render_recall import brief
from localagent.sticky import BLOCK_NOTE
from localagent.terminal import one_line

if TYPE_CHECKING:
    from localagent.assembler import Recalled
    from localagent.conversation import ContextView

# So many of what is in every prompt are named, and so many of what was recalled.
STANDING, RECALLED = 8, 6
# These have a row also where there are none.
ALWAYS = ("wishes", "recalled")
# Columns of what a block is called, and of the number behind it.
NAME, NUMBER = 10, 9
_DAY = re.compile(r"\d{4,}-\d\d-\d\d")


def context_lines(view: ContextView, count: Callable[[str], int], language: Language = "en") -> list[str]:
    """Tokens by block, then the wishes and memories by name. Not cleaned yet. `count` gives the tokens of a text."""
    about = "" if view.exact else "~"

    def row(name: str, tokens: int, unit: str) -> str:
        return f"{_name(name, language)}{about}{tokens:>8,}{unit}"

    none = say.NONE(language)
    lines = [
        row(name, tokens, " token" if language == "zh" else " tokens")
        if tokens
        else f"{_name(name, language)}{' ' * (NUMBER - columns(none))}{none}"
        for name, tokens in _blocks(view, count)
        if tokens or name in ALWAYS
    ]
    lines.append(row("in all", view.tokens, say.IN_ALL(language, budget=view.budget)))
    if view.tool_tokens:
        lines.append(row("tools", view.tool_tokens, say.BESIDE(language)))
    lines.append(say.WINDOW(language, window=view.window, reserve=view.reserve))
    if view.summarised:
        lines.append(say.IN_SUMMARY(language, count=view.summarised, version=view.summary_version))
    if view.not_sent:
        lines.append(say.NOT_SENT(language, count=view.not_sent))
    if view.cached is not None:
        lines.append(say.CACHED(language, cached=view.cached))
    standing = [_entry(item, language) for item in view.recalled if item.pinned]
    loose = [line for item in view.recalled if not item.pinned for line in _item(item, language)]
    return [
        *lines,
        *_named(say.IN_EVERY_PROMPT(language), standing, STANDING, "localagent memory list", language),
        *_named(say.STILL_THERE(language), loose, RECALLED, "/prompt", language),
    ]


def _blocks(view: ContextView, count: Callable[[str], int]) -> Iterator[tuple[str, int]]:
    """The wishes have a row of their own, as they have a place of their own in the prompt."""
    wishes = count(wishes_section(view.recalled))
    for block in view.blocks:
        if block.name == "recalled":
            yield "wishes", wishes
            yield block.name, block.tokens - wishes
        else:
            yield block.name, block.tokens


def _name(block: str, language: Language) -> str:
    return pad(called(say.BLOCKS, block, language), NAME)


def _named(title: str, lines: Sequence[str], most: int, rest: str, language: Language) -> list[str]:
    if not lines:
        return []
    left = len(lines) - most
    return [title, *lines[:most], *([say.AND_MORE(language, count=left, command=rest)] if left > 0 else [])]


def _item(item: Recalled, language: Language) -> Iterator[str]:
    """An entry, or the lines of a block of earlier messages, each with its day."""
    if item.note != BLOCK_NOTE:
        yield _entry(item, language)
        return
    day = ""
    for line in item.text.split("\n"):
        if _DAY.fullmatch(line):
            day = line
        elif line.strip():
            speaker, said, text = line.partition(": ")
            told = f"{called(SPEAKERS, speaker, language)}{said}{text}" if said else line
            yield brief(f"  {day}  {one_line(told, SHOWN)}")


def _entry(item: Recalled, language: Language) -> str:
    """Its note begins with the kind."""
    since = f"  {say.PART_CORRECTED(language)}" if IN_PART_CORRECTED in item.note else ""
    kind = kind_name(item.note.partition(",")[0], language)
    return brief(f"  {item.id}  {kind}{since}  “{one_line(item.text, SHOWN)}”", close="”")
