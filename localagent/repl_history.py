"""What was typed before: a private file that several programs may append to."""

from __future__ import annotations

import contextlib
import os
from collections.abc import AsyncGenerator, Callable, Iterator
from pathlib import Path

from prompt_toolkit.history import History

# What is read at the start, from the end of the file.
READ_BYTES = 1_000_000
# A longer entry is remembered for this session only.
STORED_CHARACTERS = 20_000


class InputHistory(History):
    """Entries may have several lines; each is offered once, at its newest place. `expand` is applied before an entry
    is kept. A file that cannot be read or written is no error: then the history lasts as long as the session."""

    def __init__(self, path: Path, expand: Callable[[str], str]) -> None:
        super().__init__()
        self._path = path
        self._expand = expand

    async def load(self) -> AsyncGenerator[str, None]:
        seen: set[str] = set()
        async for entry in super().load():
            if entry not in seen:
                seen.add(entry)
                yield entry

    def append_string(self, string: str) -> None:
        super().append_string(self._expand(string))

    def load_history_strings(self) -> Iterator[str]:
        try:
            with self._path.open("rb") as file:
                file.seek(max(0, self._path.stat().st_size - READ_BYTES))
                text = file.read().decode("utf-8", "replace")
        except OSError:
            return
        # An entry is its lines, each behind a `+`, after an empty line; a cut first entry is left out.
        for entry in reversed(text.split("\n\n")):
            lines = entry.strip("\n").split("\n")
            if all(line.startswith("+") for line in lines):
                yield "\n".join(line[1:] for line in lines)

    def store_string(self, string: str) -> None:
        if len(string) > STORED_CHARACTERS:
            return
        entry = "\n" + "".join(f"+{line}\n" for line in string.split("\n"))
        with contextlib.suppress(OSError):
            descriptor = os.open(self._path, os.O_WRONLY | os.O_CREAT | os.O_APPEND, 0o600)
            with os.fdopen(descriptor, "ab") as file:
                file.write(entry.encode("utf-8", "replace"))
