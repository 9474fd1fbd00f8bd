"""How commands print: JSON for programs, aligned columns for people. No control character reaches a terminal."""

from __future__ import annotations

import json
import os
from collections.abc import Iterable, Sequence
from datetime import datetime
from pathlib import Path

from localagent.environment import Environment
from localagent.terminal import SPECIAL, clean, one_line


def print_json(env: Environment, value: object, *, indent: int | None = 2) -> None:
    """Readable, but for what a terminal would take as a command and what UTF-8 cannot hold: these are escaped."""
    print_line(env, json.dumps(value, ensure_ascii=False, indent=indent, default=str))


def print_line(env: Environment, text: str) -> None:
    """JSON that is made already."""
    print(SPECIAL.sub(lambda found: f"\\u{ord(found[0]):04x}", text), file=env.stdout)


def print_text(env: Environment, text: str) -> None:
    print(clean(text), file=env.stdout)


def print_table(env: Environment, headers: Sequence[str], rows: Sequence[Sequence[str]]) -> None:
    """Columns as wide as they need; on a terminal the last one is folded, in a pipe nothing is."""
    from rich.console import Console
    from rich.table import Table

    table = Table(box=None, pad_edge=False, header_style="dim")
    for number, header in enumerate(headers):
        last = number == len(headers) - 1
        table.add_column(header, no_wrap=not last, overflow="fold")
    for row in rows:
        table.add_row(*(one_line(cell, 1000) for cell in row))
    console = Console(file=env.stdout, width=None if env.stdout.isatty() else 100_000, markup=False, highlight=False)
    with console.capture() as captured:
        console.print(table)
    print("\n".join(line.rstrip() for line in captured.get().splitlines()), file=env.stdout)


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
