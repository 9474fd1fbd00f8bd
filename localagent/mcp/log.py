"""What an MCP server says beside the protocol: kept in a file, within bounds."""

from __future__ import annotations

import contextlib
import os
import threading
from pathlib import Path

from localagent.calls import visible
from localagent.errors import StorageError
from localagent.files import open_private, private_folder

MOST_BYTES = 1_000_000
# Of its last words so much is quoted in an error.
QUOTED_CHARACTERS = 300
_TAIL = 4000  # bytes


class ServerLog:
    """At most `MOST_BYTES` a start; a file that is larger begins anew. A log that cannot be written costs nothing but
    itself. Thread-safe."""

    def __init__(self, path: Path) -> None:
        self.path = path
        self._lock = threading.Lock()
        self._descriptor: int | None = None
        self._left = MOST_BYTES
        self._tail = b""

    def begin(self) -> None:
        """For a new start of the server."""
        with self._lock:
            self._left, self._tail = MOST_BYTES, b""
            if self._descriptor is None:
                with contextlib.suppress(OSError, StorageError):
                    private_folder(self.path.parent)
                    self._descriptor = open_private(self.path, os.O_WRONLY | os.O_APPEND)
            if self._descriptor is not None:
                with contextlib.suppress(OSError):
                    if os.fstat(self._descriptor).st_size > MOST_BYTES:
                        os.ftruncate(self._descriptor, 0)

    def write(self, data: bytes) -> None:
        with self._lock:
            self._tail = (self._tail + data)[-_TAIL:]
            if self._descriptor is None or self._left <= 0:
                return
            kept = data[: self._left]
            self._left -= len(kept)
            if not self._left:
                kept += b"\n[more was left out]\n"
            with contextlib.suppress(OSError):
                os.write(self._descriptor, kept)

    def last_words(self) -> str:
        """The last line that says something, for an error: a whole one, if there is any."""
        with self._lock:
            whole, _, torn = self._tail.decode("utf-8", "replace").rpartition("\n")
        lines = [line.strip() for line in (torn, *reversed(whole.splitlines()))]
        found = [line for line in lines[1:] if line] or lines[:1]
        return visible(found[0][:QUOTED_CHARACTERS])

    def close(self) -> None:
        with self._lock:
            if self._descriptor is not None:
                os.close(self._descriptor)
            self._descriptor = None
