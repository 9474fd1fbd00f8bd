"""Which process may open the folder of an index, and whether what lies there can be trusted."""

from __future__ import annotations

import contextlib
import json
import os
import subprocess
import sys
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Literal, TypeAlias

from localagent.errors import StorageError
from localagent.files import open_private, private_folder, storage_errors, sync_folder, try_lock, write_atomically

# A child that looks at 100,000 vectors takes some seconds; one that is stuck would never end.
PROBE_TIMEOUT_S = 60.0
_ROOT = Path(__file__).resolve().parents[2]
_PROBE = Path(__file__).with_name("owner_probe.py")


class Ownership:
    """A lock that one process holds while it lives. The system takes it back from one that dies, however it dies."""

    def __init__(self, path: Path) -> None:
        self._path = path
        self._descriptor: int | None = None

    def take(self) -> bool:
        """Whether it is ours; never waits. Raises StorageError where the file cannot be made."""
        if self._descriptor is not None:
            if self._is_there(self._descriptor):
                return True
            self.give_back()  # the file was removed, and another process may have made and locked a new one
        private_folder(self._path.parent)
        with storage_errors(self._path, "take the lock of the vector index"):
            descriptor = open_private(self._path, os.O_RDWR)
        if _locked(descriptor) and self._is_there(descriptor):
            self._descriptor = descriptor
            return True
        os.close(descriptor)
        return False

    @property
    def descriptors(self) -> tuple[int, ...]:
        """What a child keeps the lock with as long as it lives, also when we die before it (on POSIX)."""
        return () if self._descriptor is None or sys.platform == "win32" else (self._descriptor,)

    def give_back(self) -> None:
        if self._descriptor is not None:
            os.close(self._descriptor)
            self._descriptor = None

    def _is_there(self, descriptor: int) -> bool:
        try:
            return os.path.samestat(os.fstat(descriptor), self._path.stat())
        except OSError:
            return False


# whole    closed properly, and nobody touched it since
# unsure   in use when its process died, or copied
# changed  closed properly, and its files are not what they were
Condition: TypeAlias = Literal["whole", "unsure", "changed"]


class Seal:
    """Says, beside a folder, that it was closed properly and how its files were then."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self._path = folder.with_name(f"{folder.name}.seal")

    def condition(self) -> Condition:
        try:
            said = json.loads(self._path.read_bytes())
            files = self._files()
            if said == files:
                return "whole"
            sizes, found = ({name: size for name, (size, _) in known.items()} for known in (said, files))
            return "unsure" if sizes == found else "changed"
        except (OSError, ValueError, TypeError, AttributeError):
            return "unsure"

    def put(self) -> None:
        """Best effort: without it the next one looks twice."""
        with contextlib.suppress(OSError, StorageError):
            write_atomically(self._path, json.dumps(self._files()).encode())

    def break_(self) -> None:
        """Durable when it returns. Raises StorageError."""
        with storage_errors(self._path, "mark the vector index as in use"):
            self._path.unlink(missing_ok=True)
        sync_folder(self._path.parent)

    def _files(self) -> dict[str, list[int]]:
        files = (path for path in self._folder.rglob("*") if path.is_file())
        return {
            path.relative_to(self._folder).as_posix(): [path.stat().st_size, path.stat().st_mtime_ns] for path in files
        }


def probe(
    folder: Path,
    collection: str,
    sample: Mapping[str, Sequence[float]],
    lock: Ownership,
    *,
    timeout_s: float = PROBE_TIMEOUT_S,
) -> str:
    """What is wrong with the folder of an index; empty if another process could open it and find each key of `sample`
    by its vector. Damaged files can end the process that reads them. The lock must be ours."""
    environment = {
        **os.environ,
        "PYTHONPATH": os.pathsep.join(filter(None, (str(_ROOT), os.environ.get("PYTHONPATH")))),
        "PYTHONSAFEPATH": "1",  # the folder it runs in is for data
    }
    try:
        child = subprocess.run(
            (sys.executable, str(_PROBE), str(folder), collection, str(timeout_s)),
            input=json.dumps(dict(sample)).encode(),
            stdout=subprocess.DEVNULL,
            stderr=subprocess.PIPE,
            timeout=timeout_s,
            env=environment,
            cwd=folder,
            pass_fds=lock.descriptors,
            start_new_session=True,  # Ctrl-C is not meant for it
        )
    except subprocess.TimeoutExpired:
        return f"it could not be read within {timeout_s:g} s"
    except OSError as error:
        return f"no process could be started to look at it ({error.strerror})"
    if child.returncode == 0:
        return ""
    lines = child.stderr.decode("utf-8", "replace").split("\n")
    said = next((line.strip() for line in reversed(lines) if line.strip()), "")
    return f"reading it ended with {child.returncode}" + (f": {said[:200]}" if said.isprintable() and said else "")


def _locked(descriptor: int) -> bool:
    """Where a file system has no locks, nobody can be the owner."""
    try:
        return try_lock(descriptor)
    except OSError:
        return False
