"""Private files: readable by their owner alone, and written whole or not at all.

Whatever the umask says, a file gets mode 0600 and a folder 0700. On Windows the user's profile protects them, and
modes are left alone. `OSError` becomes `StorageError` here.
"""

from __future__ import annotations

import contextlib
import errno
import os
import secrets
import stat
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Literal, TypeAlias

from localagent.errors import StorageError

PRIVATE_FILE = 0o600
PRIVATE_FOLDER = 0o700

# private    nobody else could read it
# corrected  others could; now they cannot
# open       others can, and the file system (or the owner) does not let us change that
Privacy: TypeAlias = Literal["private", "corrected", "open"]

_FREE_SPACE = "Free some space on this disk and try again."
_CHOOSE_HOME = "Make it writable for you, or set LOCALAGENT_HOME to a folder that is."
_IN_THE_WAY = "Something else stands in its place: move that aside, or set LOCALAGENT_HOME to another folder."
_HINTS = {
    errno.ENOSPC: _FREE_SPACE,
    errno.EDQUOT: _FREE_SPACE,
    errno.EFBIG: "Raise the limit on the size of files (ulimit -f).",
    errno.EROFS: _CHOOSE_HOME,
    errno.EACCES: _CHOOSE_HOME,
    errno.EPERM: _CHOOSE_HOME,
    errno.ENOTDIR: _IN_THE_WAY,
    errno.EEXIST: _IN_THE_WAY,
    errno.EISDIR: _IN_THE_WAY,
    errno.ELOOP: _IN_THE_WAY,
    errno.ENAMETOOLONG: "Set LOCALAGENT_HOME to a folder with a shorter path.",
    errno.EMFILE: "Close some programs and try again.",
    errno.ENFILE: "Close some programs and try again.",
    errno.EIO: "Check the disk: it failed to read or write.",
}


def storage_error(error: OSError, path: Path, doing: str) -> StorageError:
    """`doing` completes "cannot ...", as in "write the trust file"."""
    reason = error.strerror or str(error) or type(error).__name__
    hint = _HINTS.get(error.errno or 0, "Run `localagent doctor`.")
    return StorageError(f"cannot {doing}: {reason}", where=str(path), hint=hint)


@contextlib.contextmanager
def storage_errors(path: Path, doing: str) -> Iterator[None]:
    """Every OSError of the block leaves it as a StorageError about `path`."""
    try:
        yield
    except OSError as error:
        raise storage_error(error, path, doing) from error


def make_private(path: Path) -> Privacy:
    """Take the rights of others away from a file or folder. One that is not there (any more) is private."""
    if sys.platform == "win32":
        return "private"
    try:
        if not _open_to_others(path):
            return "private"
        _set_mode(path, PRIVATE_FOLDER if path.is_dir() else PRIVATE_FILE)
        return "open" if _open_to_others(path) else "corrected"
    except FileNotFoundError:
        return "private"


def private_folder(path: Path) -> None:
    """Create a folder and its missing parents; one that exists stays as it is."""
    with storage_errors(path, "create this folder"):
        if path.is_dir():
            return
        missing = [folder for folder in (path, *path.parents) if not folder.is_dir()]
        for folder in reversed(missing):
            try:
                folder.mkdir(PRIVATE_FOLDER)
            except FileExistsError:
                if not folder.is_dir():  # not another process that was quicker
                    raise
            else:
                _set_mode(folder, PRIVATE_FOLDER)


def open_private(path: Path, flags: int) -> int:
    """`os.open`, for a file that is created if need be. Returns the descriptor; raises OSError."""
    descriptor = os.open(path, flags | os.O_CREAT | getattr(os, "O_CLOEXEC", 0) | getattr(os, "O_BINARY", 0), 0o600)
    if sys.platform != "win32" and stat.S_IMODE(os.fstat(descriptor).st_mode) != PRIVATE_FILE:
        _set_mode(descriptor, PRIVATE_FILE)
    return descriptor


def write_atomically(path: Path, data: bytes) -> None:
    """Replace a file's content: after a crash it holds the old bytes or the new ones. Raises StorageError."""
    temporary = path.with_name(f"{path.name}.{secrets.token_hex(4)}.tmp")
    with storage_errors(path, "write this file"):
        try:
            with os.fdopen(open_private(temporary, os.O_WRONLY | os.O_EXCL), "wb") as file:
                file.write(data)
                file.flush()
                os.fsync(file.fileno())
            temporary.replace(path)
        finally:
            with contextlib.suppress(OSError):
                temporary.unlink(missing_ok=True)
    sync_folder(path.parent)


def sync_folder(folder: Path) -> None:
    """Make a new or renamed entry of a folder durable, where the system can do that."""
    if sys.platform == "win32":
        return
    with contextlib.suppress(OSError):  # some file systems refuse it for folders
        descriptor = os.open(folder, os.O_RDONLY)
        try:
            os.fsync(descriptor)
        finally:
            os.close(descriptor)


def _open_to_others(path: Path) -> bool:
    return bool(path.stat().st_mode & 0o077)


def _set_mode(target: Path | int, mode: int) -> None:
    """Best effort: file systems without modes (FAT, network drives) refuse, and the file is still wanted there."""
    with contextlib.suppress(OSError):
        os.chmod(target, mode)  # noqa: PTH101 (also of descriptors)


if sys.platform == "win32":
    import msvcrt

    def try_lock(descriptor: int) -> bool:
        """As below."""
        try:
            msvcrt.locking(descriptor, msvcrt.LK_NBLCK, 1)
        except OSError:
            return False
        return True
else:
    import fcntl

    def try_lock(descriptor: int) -> bool:
        """Lock an open file against every other process and descriptor, without waiting; False if it is locked.
        Closing it, or the end of the process, lets go. OSError where the file system has no locks."""
        try:
            fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            return False
        return True
