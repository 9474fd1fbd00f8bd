"""A text file, written whole or not at all."""

from __future__ import annotations

import contextlib
import difflib
import os
import secrets
import stat
from pathlib import Path
from typing import Annotated, Literal, TypeAlias

from pydantic import Field

from localagent.tool import tool, tool_context
from localagent.toolbox.paths import inside, reason, relative
from localagent.toolbox.texts import encoding_of, kind_of

MOST_CHARACTERS = 1_000_000
MOST_COMPARED = 4000  # lines; comparing more takes too long
MOST_BYTES = 20 * 1024 * 1024  # of a file that is there

Mode: TypeAlias = Literal["create", "replace", "append"]


def shown(path: str, content: str, mode: Mode = "create") -> str:
    file = inside(path, tool_context())
    name = os.fspath(file)
    before = _before(file, name)
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
    file = inside(path, context)
    name = relative(file, context)
    before = _before(file, name)
    if before is not None and mode == "create":
        raise ValueError(f"{name} is already there; nothing was written. Read it, then use mode replace or append.")
    if before is None and mode == "replace":
        raise ValueError(f"There is no {name} to replace; nothing was written. Use mode create, or mend the path.")
    whole = _joined(before, content, name) if before is not None and mode == "append" else content.encode("utf-8")
    context.abort.raise_if_aborted()
    try:
        file.parent.mkdir(parents=True, exist_ok=True)
        # What stands there now decides, not what stood there when the path was looked at.
        if inside(os.fspath(file), context) != file:
            raise ValueError(f"{name} has become a link meanwhile; nothing was written.")
        _write(file, whole)
    except OSError as error:
        raise ValueError(f"{name} cannot be written: {reason(error)}. It is as it was.") from error
    did = "Made" if before is None else "Replaced" if mode == "replace" else "Appended to"
    return f"{did} {name}: it has {len(whole):,} bytes now, {len(content.splitlines()):,} lines were written."


def _before(file: Path, name: str) -> bytes | None:
    """What is there; None if there is nothing. Raises ValueError for what is no text file."""
    try:
        status = file.stat()
        if not stat.S_ISREG(status.st_mode):
            raise ValueError(f"{name} is a folder or no regular file; nothing was written.")
        if status.st_size > MOST_BYTES:
            raise ValueError(f"{name} has {status.st_size / 1024 / 1024:,.0f} MB, too many; nothing was written.")
        content = file.read_bytes()
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


def _write(file: Path, content: bytes) -> None:
    """Beside it first, then in its place, with the rights the old one had."""
    beside = file.with_name(f".{secrets.token_hex(8)}.tmp")
    flags = os.O_WRONLY | os.O_CREAT | os.O_EXCL | getattr(os, "O_BINARY", 0)
    try:
        with os.fdopen(os.open(beside, flags, 0o666), "wb") as opened:
            opened.write(content)
            opened.flush()
            os.fsync(opened.fileno())
        if file.exists():
            beside.chmod(stat.S_IMODE(file.stat().st_mode))
        beside.replace(file)
    except BaseException:
        with contextlib.suppress(OSError):
            beside.unlink()
        raise
