"""Reading what is piped in: never for ever, never with a traceback."""

from __future__ import annotations

import io
import os
import stat
import threading
import time
from typing import TextIO

from localagent.abort import AbortSignal
from localagent.errors import UsageError

# An open pipe on which nothing arrives for this long is taken for no input at all (when there is a question).
IDLE_PIPE_S = 3.0
MAX_BYTES = 16_000_000
_CHUNK = 65_536
_LOOK_S = 0.1


def read_stdin(stdin: TextIO, *, needed: bool, abort: AbortSignal) -> str | None:
    """The whole of standard input as text; None if there is none (a terminal, the null device, a silent pipe).

    With `needed` it is waited for without limit. Raises UsageError when it is empty, not UTF-8, or too large.
    """
    if stdin.closed or stdin.isatty():
        return None
    try:
        descriptor = stdin.fileno()
    except io.UnsupportedOperation:  # a test's own stream
        return _decode(stdin.read().encode("utf-8", "surrogateescape"))
    data = _read(descriptor, needed, abort)
    is_device = stat.S_ISCHR(os.fstat(descriptor).st_mode)
    return None if data is None or (is_device and not data) else _decode(data)


def _read(descriptor: int, needed: bool, abort: AbortSignal) -> bytes | None:
    """Bytes up to the end; None when nothing comes and nothing is needed."""
    chunks: list[bytes] = []
    errors: list[OSError] = []
    some, done = threading.Event(), threading.Event()

    def read() -> None:
        size = 0
        try:
            while size <= MAX_BYTES and (chunk := os.read(descriptor, _CHUNK)):
                chunks.append(chunk)
                size += len(chunk)
                some.set()
        except OSError as error:
            errors.append(error)
        done.set()
        some.set()

    # A thread of its own, and not sys.stdin's buffer: a read that never returns must not hold up our end.
    threading.Thread(target=read, daemon=True).start()
    give_up_at = None if needed else time.monotonic() + IDLE_PIPE_S
    while not done.wait(_LOOK_S):
        abort.raise_if_aborted()
        if give_up_at is not None and not some.is_set() and time.monotonic() > give_up_at:
            return None
    if errors:
        raise UsageError(f"standard input cannot be read: {errors[0].strerror}") from errors[0]
    return b"".join(chunks)


def _decode(data: bytes) -> str:
    if len(data) > MAX_BYTES:
        raise UsageError(f"standard input is larger than {MAX_BYTES // 1_000_000} MB", hint="Send a part of it.")
    try:
        text = data.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        raise UsageError(
            f"standard input is not UTF-8 text: byte 0x{data[error.start]:02x} at position {error.start}",
            hint="Convert it first, for example with: iconv -f latin1 -t utf-8",
        ) from error
    if not text.strip():
        raise UsageError(
            "standard input is empty", hint="Pipe something in, or redirect from /dev/null if it needs none."
        )
    return text.replace("\r\n", "\n")
