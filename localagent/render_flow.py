"""Breaking a paragraph into lines: at spaces, and between the characters of scripts that have none."""

from __future__ import annotations

from rich.cells import cell_len
from rich.text import Text

from localagent.terminal import next_boundary

# Characters that must not begin, or end, a line.
_NOT_FIRST = frozenset("、。，．！？；：」』）】》〉〕｝’”…—～·,.!?;:)]}%>'\"")
_NOT_LAST = frozenset("「『（【《〈〔｛‘“([{<")


def flow(text: Text, width: int, start: int = 0, *, hang: int = 0) -> list[tuple[Text, int]]:
    """The lines from character `start` on, each with the index where the next one begins. `width` is in cells, of which
    what goes on in a new line leaves `hang` free at its beginning."""
    lines: list[tuple[Text, int]] = []
    plain = text.plain
    while start <= len(plain):
        newline = plain.find("\n", start)
        stop = len(plain) if newline < 0 else newline
        ends = [*line_breaks(plain[start:stop], max(width, 2), hang), stop - start]
        begin = 0
        for end in ends:
            line = text[start + begin : start + end]
            line.rstrip()
            line.pad_left(hang if begin else 0)
            line.no_wrap = True
            lines.append((line, start + end))
            begin = end
        lines[-1] = (lines[-1][0], stop + 1)
        start = stop + 1
    return lines


def line_breaks(line: str, width: int, hang: int = 0) -> list[int]:
    """Where new lines begin, which have `hang` cells less. Spaces may hang over the edge; visible characters are never
    cut."""
    breaks: list[int] = []
    begin = chance = at = used = 0
    while at < len(line):
        end = next_boundary(line, at)
        cells = cell_len(line[at:end])
        if at > begin and _may_break(line[at - 1], line[at]):
            chance = at
        if used + cells > width and line[at:end] != " " and at > begin:
            width -= 0 if breaks else min(hang, width - 2)
            begin = chance if chance > begin else at
            breaks.append(begin)
            used = cell_len(line[begin:at])
            if begin < at and used + cells > width:  # what moved to the new line fills it
                begin = at
                breaks.append(begin)
                used = 0
        used += cells
        at = end
    return breaks


def _may_break(before: str, char: str) -> bool:
    if before == " ":
        return char != " "
    if char == " " or char in _NOT_FIRST or before in _NOT_LAST:
        return False
    return cell_len(before) == 2 or cell_len(char) == 2
