"""Paths that a model names: inside the allowed folders, whatever links and `..` they go through."""

from __future__ import annotations

import os
from collections.abc import Sequence
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


def inside(named: str, context: ToolContext) -> Path:
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
    if any(path.is_relative_to(closed) for closed in context.off_limits):
        raise ValueError(f"{named[:200]} belongs to this program itself and is not open to you.")
    return path


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
