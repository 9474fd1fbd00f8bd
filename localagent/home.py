"""The data folder: where everything lies that localagent writes by itself."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator
from pathlib import Path

from localagent.files import Privacy, make_private, private_folder, storage_errors


class DataHome:
    """Names the files of a data folder. Nothing is read or created before `open()`.

    `notice` is told, a line each time, what had to be made private or could not be.
    """

    def __init__(self, folder: Path, notice: Callable[[str], None] = lambda line: None) -> None:
        self.folder = folder
        self.ledger = folder / "ledger.sqlite3"
        self.history = folder / "history"
        self.trust = folder / "trust.json"
        self.prompts = folder / "prompts"
        self.models = folder / "models"
        self.run = folder / "run"
        self.index = folder / "index"
        self.logs = folder / "logs"  # of programs that were started; made by whoever writes there
        self._folders = (self.prompts, self.models, self.run, self.index)
        self._notice = notice

    def open(self) -> None:
        """Create what is missing and make it private. Cheap when all is well. Raises StorageError."""
        private_folder(self.folder)
        for folder in self._folders:
            private_folder(folder)
        if sys.platform != "win32":
            with storage_errors(self.folder, "look into this folder"):
                self._protect()

    def _protect(self) -> None:
        found: dict[Privacy, list[str]] = {"corrected": [], "open": [], "private": []}
        for path in self._own_paths():
            found[make_private(path)].append(path.name)
        if found["corrected"]:
            names = ", ".join(sorted(found["corrected"]))
            self._notice(f"{self.folder}: other users could read {names}; now only you can")
        if found["open"]:
            names = ", ".join(sorted(found["open"]))
            self._notice(f"{self.folder}: other users can read {names}, and that cannot be changed here")

    def _own_paths(self) -> Iterator[Path]:
        """What is ours to protect: not what a link points to, and not a folder that somebody uses for other things."""
        entries = list(self.folder.iterdir())
        # Nobody came to the prompts behind a closed door; there may be thousands.
        prompts = list(self.prompts.iterdir()) if self.prompts.stat().st_mode & 0o077 else []
        if all(self._is_ours(entry.name) for entry in entries):
            yield self.folder
        elif self.folder.stat().st_mode & 0o022:
            self._notice(f"{self.folder}: other users can write to this folder; set LOCALAGENT_HOME to one of your own")
        for entry in entries:
            if self._is_ours(entry.name) and not entry.is_symlink():
                yield entry
        yield from prompts

    def _is_ours(self, name: str) -> bool:
        known = {path.name for path in (self.history, self.logs, *self._folders)}
        # Also what SQLite puts beside the ledger, and a damaged file that was moved aside.
        return name in known or name.startswith((self.ledger.name, self.trust.name))
