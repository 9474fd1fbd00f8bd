"""How commands print: JSON for programs, aligned columns for people. No control character reaches a terminal."""

from __future__ import annotations

import json
import os
import re
from collections.abc import Iterable, Sequence
from datetime import datetime
from itertools import accumulate
from pathlib import Path

from localagent.columns import columns, pad
from localagent.environment import Environment
from localagent.render_status import can_erase, terminal_width
from localagent.terminal import SPECIAL, clean, one_line

# Columns of a terminal between two of a table, and that the last of them has at least.
GAP, LEAST = 2, 30
# "state     active": a name, and where its value begins.
_NAMED = re.compile(r"[a-z\u4e00-\u9fff][\w .-]{0,14} {2,}(?=\S)")


def print_json(env: Environment, value: object, *, indent: int | None = 2) -> None:
    """Readable, but for what a terminal would take as a command and what UTF-8 cannot hold: these are escaped."""
    print_line(env, json.dumps(value, ensure_ascii=False, indent=indent, default=str))


def print_line(env: Environment, text: str) -> None:
    """JSON that is made already."""
    print(SPECIAL.sub(lambda found: f"\\u{ord(found[0]):04x}", text), file=env.stdout)


def print_text(env: Environment, text: str) -> None:
    print(clean(text), file=env.stdout)


def print_flowing(env: Environment, text: str) -> None:
    """As `print_text`; on a terminal, rows are broken at words, and go on below where their value begins."""
    if not env.stdout.isatty():
        print_text(env, text)
        return
    width = terminal_width(env.stdout)
    for row in clean(text).split("\n"):
        named = _NAMED.match(row)
        hang = columns(named[0]) if named else min(width // 3, len(row) - len(row.lstrip(" ")) + 2)
        print("\n".join(_flowed(row, width, hang)), file=env.stdout)


def print_table(env: Environment, headers: Sequence[str], rows: Sequence[Sequence[str]]) -> None:
    """Columns as wide as they need. On a terminal the last one is broken at words, and what has no room beside the
    first ones stands below them; in a pipe each row is one line."""
    cells = [[one_line(cell, 1000) for cell in row] for row in rows]
    sizes = [max(columns(row[at]) for row in (headers, *cells)) for at in range(len(headers))]
    if not env.stdout.isatty():
        for row in (headers, *cells):
            print(
                "".join(pad(cell, size + GAP) for cell, size in zip(row, sizes, strict=True)).rstrip(), file=env.stdout
            )
        return
    width = terminal_width(env.stdout)
    last = len(headers) - 1
    ends = list(accumulate(size + GAP for size in sizes[:last]))
    fits = (ends[-1] if ends else 0) + min(sizes[last], LEAST) <= width
    beside = last if fits else sum(end <= width for end in ends)
    for number, row in enumerate((headers, *cells)):
        head = "".join(pad(cell, size + GAP) for cell, size in zip(row[:beside], sizes, strict=False))
        if fits:
            lines = _flowed(head + row[last], width, columns(head))
        else:
            below = row[beside:] if number else ()
            lines = [head.rstrip(), *(line for cell in below if cell for line in _flowed(f"  {cell}", width, 2))]
        dim = not number and can_erase(env, env.stdout)
        print("\n".join(f"\x1b[2m{line}\x1b[22m" if dim else line for line in lines), file=env.stdout)


def _flowed(row: str, width: int, hang: int) -> list[str]:
    from rich.text import Text

    from localagent.render_flow import flow

    return [line.plain for line, _ in flow(Text(row), width, hang=hang)]


def when(seconds: float) -> str:
    """Local time, to the minute."""
    return datetime.fromtimestamp(seconds).strftime("%Y-%m-%d %H:%M")


def size(count: float) -> str:
    """Bytes as a person says it."""
    for unit in ("B", "kB", "MB", "GB"):
        if count < 1000 or unit == "GB":
            return f"{count:.0f} {unit}" if unit == "B" else f"{count:.1f} {unit}"
        count /= 1000
    raise AssertionError("unreachable")


def write_new_file(path: Path, lines: Iterable[str]) -> int:
    """A private file of these lines; how many they were. UsageError if there is one already. What could not be written
    whole is removed."""
    from localagent.errors import UsageError
    from localagent.files import open_private, storage_errors

    with storage_errors(path, "write the export"):
        try:
            descriptor = open_private(path, os.O_WRONLY | os.O_EXCL)
        except FileExistsError as error:
            raise UsageError(f"{path} exists already", hint="Name a new file.") from error
        count = 0
        whole = False
        try:
            with os.fdopen(descriptor, "w", encoding="utf-8", errors="replace") as file:
                for line in lines:
                    file.write(f"{line}\n")
                    count += 1
            whole = True
        finally:
            if not whole:
                path.unlink(missing_ok=True)
    return count
