"""What is in a folder."""

from __future__ import annotations

import fnmatch
import os
from collections.abc import Iterator
from itertools import islice
from pathlib import Path
from typing import Annotated

from pydantic import Field

from localagent.environment import as_utf8
from localagent.tool import ToolContext, tool, tool_context
from localagent.toolbox.paths import inside, reason, relative

MOST_LISTED = 200
MOST_SEEN = 20_000


@tool(effects=["reads"], paths=["path"])
def list_files(
    path: Annotated[str, Field(description="The folder, relative to the working folder.")] = ".",
    pattern: Annotated[str, Field(description="Only names like this, as in *.py; applies to files.")] = "*",
    depth: Annotated[int, Field(ge=1, le=10, description="1: the folder itself; 2: also what is in its folders.")] = 1,
) -> str:
    """List a folder's files and folders by name, with sizes in bytes.

    Names that end in / are folders. Links are shown and not followed. What is not shown is counted at the end.
    """
    context = tool_context()
    folder = inside(path, context)
    name = relative(folder, context)
    if not folder.is_dir():
        raise ValueError(
            f"{name} is a file. Read it, or list its folder." if folder.exists() else f"There is no folder {name}."
        )
    lines: list[str] = []
    seen = other = unshown = 0
    for line, matches in _entries(folder, pattern, depth, context):
        seen += 1
        if seen > MOST_SEEN:
            break
        if not matches:
            other += 1
        elif len(lines) < MOST_LISTED:
            lines.append(line)
        else:
            unshown += 1
    notes = [f"{other:,} files of other names"] if other else []
    notes += [f"{unshown:,} more; ask for a folder in it or for a pattern"] if unshown else []
    notes += [f"whatever follows after {MOST_SEEN:,} entries: looking stopped there"] if seen > MOST_SEEN else []
    rest = f"\n(not shown: {'; '.join(notes)})" if notes else ""
    return f"{name}:\n" + ("\n".join(lines) or "(nothing)") + rest


def _entries(folder: Path, pattern: str, depth: int, context: ToolContext) -> Iterator[tuple[str, bool]]:
    """A line for each entry, and whether it is asked for; what is in a folder follows it. Of a huge folder, so many as
    are looked at at all."""
    context.abort.raise_if_aborted()
    try:
        with os.scandir(folder) as entries:
            found = sorted(islice(entries, MOST_SEEN + 1), key=lambda entry: entry.name)
    except OSError as error:
        yield f"{relative(folder, context)}/ cannot be listed: {reason(error)}", True
        return
    for entry in found:
        path = folder / entry.name
        line = _line(entry, relative(path, context))
        is_folder = line.endswith("/")
        yield line, is_folder or fnmatch.fnmatch(entry.name, pattern)
        if is_folder and depth > 1 and not any(path.is_relative_to(closed) for closed in context.off_limits):
            yield from _entries(path, pattern, depth - 1, context)


def _line(entry: os.DirEntry[str], name: str) -> str:
    name = _printable(name)
    try:
        if entry.is_symlink():
            return f"{name} -> {_printable(os.fspath(Path(entry.path).readlink()))}"
        if entry.is_dir():
            return f"{name}/"
        return f"{name}  {entry.stat(follow_symlinks=False).st_size:,}"
    except OSError as error:
        return f"{name}  ({reason(error)})"


def _printable(name: str) -> str:
    name = as_utf8(name)
    return name if name.isprintable() else repr(name)[1:-1]
