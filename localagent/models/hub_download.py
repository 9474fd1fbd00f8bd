"""Run as a program: fetch one file of a repository of the Hugging Face hub.

    python -m localagent.models.hub_download OWNER/REPO FILE TARGET

What arrived stays beside the target as `*.partial`, and the next run goes on from there. Says one JSON object a line:
`{"total": bytes}` first, `{"error": kind, "message": words}` when it fails (exit code 1).
"""

from __future__ import annotations

import contextlib
import errno
import hashlib
import json
import os
import re
import sys
import time
from collections.abc import Iterator
from pathlib import Path
from types import TracebackType
from typing import IO, TYPE_CHECKING, Final

if TYPE_CHECKING:
    import httpx

_TRIES: Final = 4  # more, after one in vain
_TIMEOUT_S: Final = 30.0
# Classes of the hub's errors, the narrowest first: its own names are steadier than their place in the tree.
_KINDS: Final = (
    ("GatedRepoError", "gated"),
    ("RepositoryNotFoundError", "repository"),
    ("RemoteEntryNotFoundError", "file"),
    ("LocalEntryNotFoundError", "network"),
    ("EntryNotFoundError", "file"),
    ("OfflineModeIsEnabled", "offline"),
    ("HfHubHTTPError", "server"),
    ("HTTPStatusError", "server"),
    ("HTTPError", "network"),
)


class Damaged(Exception):
    """What arrived is not what the hub announced."""


def fetch(repository: str, file: str, target: Path) -> None:
    from huggingface_hub import get_hf_file_metadata, hf_hub_url
    from huggingface_hub.utils import build_hf_headers  # type: ignore[attr-defined]

    url = hf_hub_url(repository, file)
    metadata = get_hf_file_metadata(url)
    if metadata.size is None or metadata.etag is None:
        raise Damaged("the hub does not say how large the file is")
    _say({"total": metadata.size})
    partial = target.with_name(f"{target.name}.{metadata.etag[:16]}.partial")
    with partial.open("ab", buffering=0) as output, _alone(output):
        if target.exists():  # another process was quicker
            partial.unlink(missing_ok=True)
            return
        # The request goes to the hub itself, and its redirect is followed: the key is dropped on the way to another
        # host, and an address that was valid for some minutes only is asked for again on each try.
        _receive(url, dict(build_hf_headers()), output, metadata.size)
    _verify(partial, metadata.size, metadata.etag)
    partial.chmod(0o600)
    partial.replace(target)


def _receive(url: str, headers: dict[str, str], output: IO[bytes], size: int) -> None:
    """Append what is missing. A connection that breaks is taken up again; five in a row without a byte are enough."""
    import httpx

    in_vain = 0
    with httpx.Client(follow_redirects=True, timeout=_TIMEOUT_S) as client:
        while (have := output.seek(0, os.SEEK_END)) < size:
            time.sleep(in_vain)
            wanted = {**headers, "Range": f"bytes={have}-", "Accept-Encoding": "identity"}
            try:
                with client.stream("GET", url, headers=wanted) as response:
                    _append(response, output)
            except httpx.TransportError:
                if in_vain == _TRIES:
                    raise
            in_vain = in_vain + 1 if output.tell() == have else 0
            if in_vain > _TRIES:
                raise Damaged(f"the file ends after {output.tell()} of {size} bytes")


def _append(response: httpx.Response, output: IO[bytes]) -> None:
    response.raise_for_status()
    if response.status_code != 206:  # the server sends all of it
        output.truncate(0)
    for chunk in response.iter_raw():
        output.write(chunk)


def _verify(partial: Path, size: int, etag: str) -> None:
    """The hub's tag of a large file is its SHA-256."""
    right = partial.stat().st_size == size
    if right and re.fullmatch(r"[0-9a-f]{64}", etag):
        with partial.open("rb") as file:
            right = hashlib.file_digest(file, "sha256").hexdigest() == etag
    if not right:
        partial.unlink()
        raise Damaged("what arrived is not the file the hub announced; it was removed")


@contextlib.contextmanager
def _alone(file: IO[bytes]) -> Iterator[None]:
    """One process at a time appends; the others wait."""
    if sys.platform == "win32":
        yield
        return
    import fcntl

    fcntl.flock(file, fcntl.LOCK_EX)
    yield


def _say(line: dict[str, str | int]) -> None:
    sys.stdout.write(json.dumps(line) + "\n")
    sys.stdout.flush()


def _kind(error: BaseException) -> str:
    if isinstance(error, Damaged):
        return "damaged"
    names = {parent.__name__ for parent in type(error).__mro__}
    for name, kind in _KINDS:
        if name in names:
            return kind
    return (
        "disk" if isinstance(error, OSError) and error.errno in (errno.ENOSPC, errno.EDQUOT, errno.EFBIG) else "other"
    )


def _report(kind: type[BaseException], error: BaseException, trace: TracebackType | None) -> None:
    _say({"error": _kind(error), "message": str(error).strip().partition("\n")[0][:300]})


def main(arguments: list[str]) -> None:
    # Whatever ends this program is told to the one that started it; the hub's errors have no common class.
    sys.excepthook = _report
    repository, file, target = arguments
    fetch(repository, file, Path(target))


if __name__ == "__main__":
    main(sys.argv[1:])
