"""A text file, written whole or not at all."""

from __future__ import annotations

import contextlib
import difflib
import os
import secrets
from pathlib import Path
from typing import Annotated, Literal, TypeAlias

from pydantic import Field

from localagent.tool import ToolContext, tool, tool_context
from localagent.toolbox.paths import folder_inside, inside, read_inside, reason, relative
from localagent.toolbox.texts import encoding_of, kind_of

MOST_CHARACTERS = 1_000_000
MOST_COMPARED = 4000  # lines; comparing more takes too long
MOST_BYTES = 20 * 1024 * 1024  # of a file that is there

Mode: TypeAlias = Literal["create", "replace", "append"]


def shown(path: str, content: str, mode: Mode = "create") -> str:
    context = tool_context()
    file = inside(path, context, to_write=True)
    name = os.fspath(file)
    before = _before(file, name, context)
    if before is None:
        return f"write the new file {name}:\n{content}"
    if mode == "append":
        return f"append to {name}:\n{content}"
    old, new = before.decode(encoding_of(before), "replace").splitlines(), content.splitlines()
    if len(old) + len(new) > MOST_COMPARED:
        return f"replace the {len(old):,} lines of {name} by:\n{content}"
    lines = difflib.unified_diff(old, new, "as it is", "as it will be", lineterm="")
    return f"replace {name}:\n" + ("\n".join(lines) or "(only its line ends change)")


@tool(effects=["writes"], paths=["path"], shown=shown)
def write_file(
    path: Annotated[str, Field(description="The file, relative to the working folder. Missing folders are made.")],
    content: Annotated[str, Field(max_length=MOST_CHARACTERS, description="All of the text.")],
    mode: Annotated[Mode, Field(description="create: a new file. replace: all of an old one. append: at its end.")] = (
        "create"
    ),
) -> str:
    """Write a text file.

    Read a file before you replace it: all that it holds is gone then. Line ends are written as you give them.
    """
    context = tool_context()
    file = inside(path, context, to_write=True)
    name = relative(file, context)
    before = _before(file, name, context)
    if before is not None and mode == "create":
        raise ValueError(f"{name} is already there; nothing was written. Read it, then use mode replace or append.")
    if before is None and mode == "replace":
        raise ValueError(f"There is no {name} to replace; nothing was written. Use mode create, or mend the path.")
    whole = _joined(before, content, name) if before is not None and mode == "append" else content.encode("utf-8")
    context.abort.raise_if_aborted()
    try:
        file.parent.mkdir(parents=True, exist_ok=True)
        # What stands there now decides, not what stood there when the path was looked at.
        if inside(os.fspath(file), context, to_write=True) != file:
            raise ValueError(f"{name} has become a link meanwhile; nothing was written.")
        with folder_inside(file.parent, context) as folder:
            _write(file, whole, folder)
    except OSError as error:
        raise ValueError(f"{name} cannot be written: {reason(error)}. It is as it was.") from error
    did = "Made" if before is None else "Replaced" if mode == "replace" else "Appended to"
    return f"{did} {name}: it has {len(whole):,} bytes now, {len(content.splitlines()):,} lines were written."


def _before(file: Path, name: str, context: ToolContext) -> bytes | None:
    """What is there; None if there is nothing. Raises ValueError for what is no text file."""
    try:
        content = read_inside(file, context, MOST_BYTES)
    except FileNotFoundError:
        return None
    except OSError as error:
        raise ValueError(f"{name} cannot be written: {reason(error)}.") from error
    if kind_of(content):
        raise ValueError(f"{name} is {kind_of(content)}, not text; nothing was written.")
    return content


def _joined(before: bytes, content: str, name: str) -> bytes:
    """One text after the other, in the encoding of the first."""
    encoding = encoding_of(before)
    try:
        return (before.decode(encoding) + content).encode(encoding)
    except ValueError as error:
        raise ValueError(
            f"{name} is neither UTF-8 nor UTF-16; nothing was written. Read it with its encoding, then replace it."
        ) from error


def _write(file: Path, content: bytes, folder: int | None) -> None:
    """Beside it first, then in its place, with the rights the old one had (but not to run as another user). `folder`:
    the opened one it is in; None: by its path."""
    target = file.name if folder is not None else os.fspath(file)
    beside = f".{secrets.token_hex(8)}.tmp" if folder is not None else f"{target}.{secrets.token_hex(8)}.tmp"
    flags = os.O_WRONLY | os.O_CREAT | os.O_EXCL | getattr(os, "O_BINARY", 0)
    try:
        with os.fdopen(os.open(beside, flags, 0o666, dir_fd=folder), "wb") as opened:
            opened.write(content)
            opened.flush()
            os.fsync(opened.fileno())
            with contextlib.suppress(FileNotFoundError):
                rights = os.stat(target, dir_fd=folder, follow_symlinks=False).st_mode & 0o777
                os.chmod(opened.fileno() if folder is not None else beside, rights)  # noqa: PTH101
        os.replace(beside, target, src_dir_fd=folder, dst_dir_fd=folder)
    except BaseException:
        with contextlib.suppress(OSError):
            os.unlink(beside, dir_fd=folder)
        raise
