"""The files that make an agent: `agent.yaml`, and every Python file below `tools/` and `policies/`."""

from __future__ import annotations

import os
import stat
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path

import localagent
from localagent.environment import Environment
from localagent.errors import ConfigError, InternalError
from localagent.yaml_source import shown

AGENT_FILE = "agent.yaml"
CODE_FOLDERS = ("tools", "policies")
MAX_FILE_BYTES = 1024 * 1024
MAX_FILES = 500
MAX_FOLDERS = 200


def bundled_folder() -> Path:
    """The default agent: inside an installed package, or the root of a source checkout."""
    package = Path(localagent.__file__).resolve().parent
    for folder in (package / "default_agent", package.parent):
        if (folder / AGENT_FILE).is_file():
            return folder
    raise InternalError("the default agent is missing from this installation", where=shown(str(package)))


def absolute(env: Environment, named: str) -> Path:
    """A path as the user wrote it: `~` is their home, and it begins where they are. Raises ConfigError."""
    try:
        return env.cwd / Path(named).expanduser()
    except RuntimeError as error:
        raise ConfigError(f"{shown(named)!r} names no folder: {error}", where=shown(named)) from error


@dataclass(frozen=True, slots=True)
class AgentFiles:
    """An agent's files by their name in its folder (`tools/clock.py`).

    With a `snapshot` these are the bytes that were read when the folder was compared with what is trusted, whatever
    the disk holds by now; without one they are read when asked for.
    """

    folder: Path
    snapshot: Mapping[str, bytes] | None = None

    def read(self, name: str) -> bytes | None:
        """None if there is no such file. Raises ConfigError if it cannot be read."""
        if self.snapshot is not None:
            return self.snapshot.get(name)
        return read_file(self.folder / name) if self.has_file(name) else None

    def has_file(self, name: str) -> bool:
        return _is_file(self.folder / name) if self.snapshot is None else name in self.snapshot

    def has_folder(self, name: str) -> bool:
        """Whether Python files can lie below it."""
        if self.snapshot is not None:
            return any(entry.startswith(f"{name}/") for entry in self.snapshot)
        try:
            return (self.folder / name).is_dir()
        except (OSError, ValueError):
            return False

    def code_names(self, folder: str) -> list[str]:
        """Of the files directly in `tools/` or `policies/` that offer something: not those that begin with `_`."""
        if self.snapshot is not None:
            start = f"{folder}/"
            names = [name[len(start) : -3] for name in self.snapshot if name.startswith(start) and name.count("/") == 1]
        else:
            try:
                names = [path.stem for path in (self.folder / folder).glob("*.py")]
            except OSError:
                names = []
        return sorted(name for name in names if name.isidentifier() and not name.startswith("_"))


def read_file(path: Path) -> bytes:
    """The content of a regular file of at most `MAX_FILE_BYTES`. Raises ConfigError; never waits for a pipe."""
    where = shown(str(path))
    flags = os.O_RDONLY | getattr(os, "O_NONBLOCK", 0) | getattr(os, "O_CLOEXEC", 0) | getattr(os, "O_BINARY", 0)
    try:
        if not stat.S_ISREG(path.stat().st_mode):
            raise ConfigError("not a regular file", where=where)
        with os.fdopen(os.open(path, flags), "rb") as file:
            content = file.read(MAX_FILE_BYTES + 1)
    except OSError as error:
        raise ConfigError(f"cannot be read: {error.strerror or error}", where=where) from error
    except ValueError as error:
        raise ConfigError(f"not a path: {error}", where=where) from error
    if len(content) > MAX_FILE_BYTES:
        raise ConfigError(f"larger than {MAX_FILE_BYTES // 1024} KiB", where=where)
    return content


def take_snapshot(folder: Path) -> AgentFiles:
    """Read everything at once. Symbolic links are followed: what they point to is what would run.

    Raises ConfigError when a file cannot be read, or when there are too many.
    """
    found = {AGENT_FILE: read_file(folder / AGENT_FILE)}
    for name in CODE_FOLDERS:
        for path in _python_files(folder / name):
            if len(found) >= MAX_FILES:
                raise ConfigError(f"more than {MAX_FILES} Python files", where=shown(str(folder / name)))
            found[path.relative_to(folder).as_posix()] = read_file(path)
    return AgentFiles(folder, found)


def _python_files(top: Path) -> Iterator[Path]:
    pending: list[tuple[Path, frozenset[tuple[int, int]]]] = [(top, frozenset())]
    visited = 0
    while pending:
        folder, above = pending.pop()
        try:
            if not folder.is_dir():
                continue
            status = folder.stat()
            entries = sorted(folder.iterdir())
        except OSError as error:
            raise ConfigError(f"cannot be read: {error.strerror or error}", where=shown(str(folder))) from error
        identity = (status.st_dev, status.st_ino)
        if identity in above:  # a link to a folder that it is in
            continue
        visited += 1
        if visited > MAX_FOLDERS:
            raise ConfigError(f"more than {MAX_FOLDERS} folders", where=shown(str(top)))
        for entry in entries:
            if entry.suffix == ".py" and _is_file(entry):
                yield entry
            elif entry.is_dir():
                pending.append((entry, above | {identity}))


def _is_file(path: Path) -> bool:
    """Also False where nobody can look."""
    try:
        return path.is_file()
    except (OSError, ValueError):
        return False
