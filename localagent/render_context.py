"""What stands before the next request, for people: what /context prints."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence
from typing import TYPE_CHECKING

from localagent.assembler import wishes_section
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
_DAY = re.compile(r"\d{4,}-\d\d-\d\d")


def context_lines(view: ContextView, count: Callable[[str], int]) -> list[str]:
    """Tokens by block, then the wishes and memories by name. Not cleaned yet. `count` gives the tokens of a text."""
    about = "" if view.exact else "~"
    lines = [
        _row(name, about, tokens) if tokens else f"{name:<10}{'none':>9}"
        for name, tokens in _blocks(view, count)
        if tokens or name in ALWAYS
    ]
    lines.append(f"{_row('in all', about, view.tokens, ' of')} {view.budget:,} tokens")
    if view.tool_tokens:
        lines.append(f"{_row('tools', about, view.tool_tokens)} beside that (/tools)")
    lines.append(f"window {view.window:,}, of which {view.reserve:,} are reserved for the answer")
    if view.summarised:
        lines.append(
            f"{view.summarised:,} older messages are in the summary, version {view.summary_version} (/summary)"
        )
    if view.not_sent:
        lines.append(f"{view.not_sent:,} older messages are kept in the thread and not sent")
    if view.cached is not None:
        lines.append(f"cached {view.cached}: that part of the last prompt was still known to the model")
    standing = [_entry(item) for item in view.recalled if item.pinned]
    loose = [line for item in view.recalled if not item.pinned for line in _item(item)]
    return [
        *lines,
        *_named("in every prompt:", standing, STANDING, "localagent memory list"),
        *_named("recalled for the last prompt, and still there:", loose, RECALLED, "/prompt"),
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


def _row(name: str, about: str, tokens: int, unit: str = " tokens") -> str:
    return f"{name:<10}{about}{tokens:>8,}{unit}"


def _named(title: str, lines: Sequence[str], most: int, rest: str) -> list[str]:
    if not lines:
        return []
    left = len(lines) - most
    return [title, *lines[:most], *([f"  and {left} more: {rest}"] if left > 0 else [])]


def _item(item: Recalled) -> Iterator[str]:
    """An entry, or the lines of a block of earlier messages, each with its day."""
    if item.note != BLOCK_NOTE:
        yield _entry(item)
        return
    day = ""
    for line in item.text.split("\n"):
        if _DAY.fullmatch(line):
            day = line
        elif line.strip():
            yield brief(f"  {day}  {one_line(line, SHOWN)}")


def _entry(item: Recalled) -> str:
    """Its note begins with the kind."""
    since = f"  ({IN_PART_CORRECTED})" if IN_PART_CORRECTED in item.note else ""
    kind = item.note.partition(",")[0]
    return brief(f"  {item.id}  {kind}{since}  “{one_line(item.text, SHOWN)}”", close="”")
