"""Descriptors of the program's own for what it writes. 1 and 2 are what every process that a tool starts inherits."""

from __future__ import annotations

import io
import os
import sys
from typing import BinaryIO, TextIO, cast

from localagent.toolbox.descriptors import own_output_is_apart


def keep_own_streams() -> None:
    """Give `sys.stdout` and `sys.stderr` private descriptors. Unless standard output is a terminal, descriptor 1 then
    leads to standard error: nothing but the answer reaches a pipe or a file, whoever prints. Streams that are closed,
    or are something else already, stay as they are."""
    out, err = _own(sys.stdout, 1), _own(sys.stderr, 2)
    if out is not None and not out.isatty():
        _lead_elsewhere()
    sys.stdout, sys.stderr = out or sys.stdout, err or sys.stderr
    if (out or sys.stdout is None) and (err or sys.stderr is None):
        own_output_is_apart()


def _own(stream: TextIO | None, descriptor: int) -> TextIO | None:
    """The same stream over a descriptor that no child inherits. It is never closed, as standard streams are not."""
    try:
        if not isinstance(stream, io.TextIOWrapper) or stream.fileno() != descriptor:
            return None
        stream.flush()
        copy = _copy(descriptor)
    except OSError:
        return None
    raw = io.FileIO(copy, "wb", closefd=False)
    return io.TextIOWrapper(
        cast("BinaryIO", raw if stream.write_through else io.BufferedWriter(raw)),
        encoding=stream.encoding,
        errors=stream.errors,
        line_buffering=stream.line_buffering,
        write_through=stream.write_through,
    )


def _copy(descriptor: int) -> int:
    """Never one of the first three, also where standard input is closed."""
    if sys.platform == "win32":
        return os.dup(descriptor)
    import fcntl

    return fcntl.fcntl(descriptor, fcntl.F_DUPFD_CLOEXEC, 3)


def _lead_elsewhere() -> None:
    try:
        os.dup2(2, 1)
    except OSError:  # there is no standard error
        nowhere = os.open(os.devnull, os.O_WRONLY)
        os.dup2(nowhere, 1)
        os.close(nowhere)
