"""Paths that a model names: inside the allowed folders, whatever links and `..` they go through."""

from __future__ import annotations

import contextlib
import os
import stat
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path

from localagent.environment import as_utf8
from localagent.tool import ToolContext


def absolute(named: str, roots: Sequence[Path]) -> Path | None:
    """Where a path leads: `~` is the home folder, a relative one begins at the first root, links are followed as far
    as there is something. None for what is no path."""
    try:
        path = Path(_of_system(named)).expanduser()
        return (path if path.is_absolute() or not roots else roots[0] / path).resolve()
    except (OSError, ValueError, RuntimeError):  # a NUL, a circle of links, no such user
        return None


def inside(named: str, context: ToolContext, *, to_write: bool = False) -> Path:
    """Where a path leads, if that is inside a root. Raises ValueError in words the model can act on."""
    if not context.roots:
        raise ValueError("No folder is open to you: files cannot be reached. Tell the user so.")
    if not named.strip():
        raise ValueError('The path is empty. Name a file, or "." for the folder itself.')
    path = absolute(named, context.roots)
    if path is None:
        raise ValueError(f"{named[:200]!r} is no path.")
    if not any(path.is_relative_to(root) for root in context.roots):
        allowed = ", ".join(as_utf8(os.fspath(root)) for root in context.roots)
        leads = "" if as_utf8(os.fspath(path)) == named else f" leads to {as_utf8(os.fspath(path))}, which"
        raise ValueError(f"{named[:200]}{leads} is outside of the allowed folder{_s(context.roots)}: {allowed}.")
    if any(_within(path, closed) for closed in context.off_limits):
        raise ValueError(f"{named[:200]} belongs to this program itself and is not open to you.")
    if any(path.is_relative_to(view) and not _covers(context.roots, view) for view in _OF_SYSTEM):
        raise ValueError(f"{named[:200]} is a view of the system and no file of the user's; it is not open to you.")
    if to_write and any(_within(path, closed) for closed in context.fixed):
        raise ValueError(
            f"{named[:200]} is part of the agent or of this program: it decides what may run, and no tool writes it. "
            "Tell the user what to change."
        )
    return path


def read_inside(file: Path, context: ToolContext, most_bytes: int) -> bytes:
    """The content of a file that `inside` gave. What is opened now is looked at, not what stood there then: links put
    in its way since are not followed, and nothing that could be waited for is read. Raises ValueError and OSError."""
    name = relative(file, context)
    flags = os.O_RDONLY | getattr(os, "O_NOFOLLOW", 0) | getattr(os, "O_NONBLOCK", 0) | getattr(os, "O_BINARY", 0)
    if file.is_dir():  # which Windows does not open
        raise ValueError(f"{name} is a folder. List it, or name a file in it.")
    with os.fdopen(os.open(file, flags), "rb") as opened:
        status = os.fstat(opened.fileno())
        if not stat.S_ISREG(status.st_mode):
            raise ValueError(f"{name} is no regular file.")
        if inside(os.fspath(file), context) != file or not os.path.samestat(status, file.lstat()):
            raise ValueError(f"{name} has become another file meanwhile; it was not read.")
        if status.st_size > most_bytes:
            size, most = status.st_size / 1024 / 1024, most_bytes / 1024 / 1024
            raise ValueError(f"{name} has {size:,.0f} MB, too many: up to {most:,.0f} MB are read here.")
        return opened.read(most_bytes)


@contextmanager
def folder_inside(folder: Path, context: ToolContext) -> Iterator[int | None]:
    """A folder that `inside` gave, opened: what is named from it on is in that one, whatever takes its place meanwhile.
    None where the system cannot do that. Raises ValueError and OSError."""
    if os.open not in os.supports_dir_fd or os.rename not in os.supports_dir_fd:
        yield None
        return
    opened = os.open(folder, os.O_RDONLY | os.O_DIRECTORY | os.O_NOFOLLOW)
    try:
        same = os.path.samestat(os.fstat(opened), folder.lstat())
        if not same or inside(os.fspath(folder), context, to_write=True) != folder:
            raise ValueError(f"{relative(folder, context)} has become another folder meanwhile; nothing was written.")
        yield opened
    finally:
        os.close(opened)


# What the kernel shows as files: other processes and their variables, devices.
_OF_SYSTEM = (Path("/proc"), Path("/sys"), Path("/dev"))


def _covers(roots: Sequence[Path], view: Path) -> bool:
    """Whether the user has opened a folder in it by name."""
    return any(root.is_relative_to(view) for root in roots)


def _within(path: Path, closed: Path) -> bool:
    """By name, and by what is there: where the file system makes no difference between a and A, names do not tell."""
    if path.is_relative_to(closed):
        return True
    try:
        status = closed.stat()
    except OSError:
        return False
    for place in (path, *path.parents):
        with contextlib.suppress(OSError):
            if os.path.samestat(status, place.stat()):
                return True
    return False


def relative(path: Path, context: ToolContext) -> str:
    """A path as the model is told it: below the first root relative to it, else absolute."""
    if context.roots and path.is_relative_to(context.roots[0]):
        return as_utf8(path.relative_to(context.roots[0]).as_posix())
    return as_utf8(os.fspath(path))


def _of_system(named: str) -> str:
    """A path as the system has it, which is in UTF-8 whatever the locale says."""
    return os.fsdecode(named.encode("utf-8", "surrogateescape"))


def reason(error: OSError) -> str:
    return (error.strerror or type(error).__name__).lower()


def _s(many: Sequence[object]) -> str:
    return "s" if len(many) > 1 else ""
