"""What Chroma raises, as errors of localagent.

Its Rust part panics with an exception that no class of ours can name, and its HTTP part raises bare `Exception`s, so
whatever leaves a call of Chroma is translated here, but for what the user or the interpreter sends through it.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from pathlib import Path
from types import TracebackType
from typing import TypeAlias

from localagent.errors import IndexDamaged, LocalAgentError, ModelUnreachable, StorageError

Translation: TypeAlias = Callable[[BaseException], LocalAgentError]

_LONGEST = 200
_NOT_OURS = (LocalAgentError, KeyboardInterrupt, SystemExit, GeneratorExit, MemoryError)
# What SQLite and the operating system say when the place is at fault, not what lies there.
_NO_ROOM = re.compile(r"no space|disk is full|full disk|file too large|quota|os error (?:27|28|122)\b", re.I)
_NO_RIGHT = re.compile(r"read-?only|permission denied|operation not permitted|os error (?:1|13|30)\b", re.I)
_NO_HANDLE = re.compile(r"too many open files|os error (?:23|24)\b", re.I)
_REFUSED = ("ChromaAuthError", "AuthorizationError")


class ChromaErrors:
    """A block in which Chroma is called."""

    def __init__(self, translation: Translation) -> None:
        self._translation = translation

    def __enter__(self) -> None:
        pass

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        if error is not None and not isinstance(error, _NOT_OURS):
            raise self._translation(error) from error


def of_folder(folder: Path) -> Translation:
    """IndexDamaged, unless the disk is at fault (StorageError): then a new index would fare no better."""

    def translate(error: BaseException) -> LocalAgentError:
        said = _said(error)
        for pattern, hint in (
            (_NO_ROOM, "Free some space on this disk; nothing is lost, and the index catches up by itself."),
            (_NO_RIGHT, "Make it writable for you, or set LOCALAGENT_HOME to a folder that is."),
            (_NO_HANDLE, "Close some programs and try again."),
        ):
            # A folder that was removed under an open index also reads as one that cannot be written.
            if pattern.search(said) and folder.is_dir():
                return StorageError(f"the vector index cannot be written: {said}", where=str(folder), hint=hint)
        return IndexDamaged(
            f"the vector index cannot be used: {said}",
            where=str(folder),
            hint="It is built anew from the ledger; nothing is lost.",
        )

    return translate


def of_server(url: str) -> Translation:
    """ModelUnreachable: the server does not answer, refuses, or is something else. IndexDamaged: the collection was
    removed there."""

    def translate(error: BaseException) -> LocalAgentError:
        import httpx

        kind = type(error).__name__
        if kind == "NotFoundError":
            return IndexDamaged(
                "the memory's collection is no longer on the Chroma server", where=url, hint="It is filled anew."
            )
        if any(isinstance(one, httpx.TransportError) for one in _chain(error)):
            what, hint = f"the Chroma server does not answer ({_said(error)})", _START
        elif kind in _REFUSED:
            what, hint = f"the Chroma server refuses: {_said(error)}", "Put its token into chroma.headers in agent.yaml"
        elif type(error).__module__ == "chromadb.errors":
            what, hint = f"the Chroma server answered: {_said(error)}", "Its own log tells more"
        else:  # a proxy's page, another program's JSON
            what = f"something answers that is not a Chroma server ({_said(error)})"
            hint = "Correct chroma.host and chroma.port in agent.yaml"
        return ModelUnreachable(what, where=url, hint=f"{hint}. Until then only this machine's own memory is searched.")

    return translate


_START = "Start it (chroma run --path FOLDER), or correct chroma.host and chroma.port in agent.yaml"


def _chain(error: BaseException | None) -> Iterator[BaseException]:
    """Chroma wraps what its client raises, or not."""
    while error is not None:
        yield error
        error = error.__cause__ or error.__context__


def _said(error: BaseException) -> str:
    """One line of at most `_LONGEST` characters, without control characters."""
    text = " ".join("".join(char if char.isprintable() else " " for char in str(error)).split())
    text = text or type(error).__name__
    return text if len(text) <= _LONGEST else f"{text[: _LONGEST - 1]}…"
