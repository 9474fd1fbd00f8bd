"""Where an index lies: a folder that one process at a time owns, or a Chroma server."""

from __future__ import annotations

import contextlib
import hashlib
import shutil
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Protocol

from localagent.errors import FingerprintMismatch, IndexDamaged, ModelUnreachable, StorageError
from localagent.memory.chroma import ChromaIndex, ChromaServer, collection_name
from localagent.memory.owner import Ownership, Seal, probe
from localagent.memory.vectors_rows import VectorRows

# How often one process begins an index anew: a disk that damages every file would keep it busy for ever.
MOST_REBUILDS = 3
# How many vectors are searched for in a folder that was not closed properly.
PROBED = 200


@dataclass(frozen=True, slots=True)
class Opened:
    index: ChromaIndex
    generation: int


class Place(Protocol):
    """For one thread at a time. Raises StorageError, ModelUnreachable, FingerprintMismatch."""

    def open(self) -> Opened | None:
        """None where another process has it. What it does not hold of what it should waits again."""
        ...

    def is_ours(self) -> bool:
        """Whether what was opened may still be used."""
        ...

    def begin_anew(self, reason: str) -> None:
        """What lies there is not to be used any more."""
        ...

    def close(self, opened: Opened | None, *, sound: bool) -> None: ...


class FolderPlace:
    """Folders `<embedder>-<generation>` below `root`, of which the newest counts, and a lock for each embedder."""

    def __init__(self, root: Path, rows: VectorRows, say: Callable[[str], None]) -> None:
        self._root = root
        self._rows = rows
        self._say = say
        self._name = hashlib.sha256(repr(rows.fingerprint).encode("utf-8", "replace")).hexdigest()[:12]
        self._lock = Ownership(root / f"{self._name}.lock")
        self._rebuilds = 0

    def open(self) -> Opened | None:
        if not self._lock.take():
            return None
        try:
            return self._open()
        except (IndexDamaged, FingerprintMismatch) as error:
            self.begin_anew(error.message)
        return self._open()

    def is_ours(self) -> bool:
        return self._lock.take()

    def begin_anew(self, reason: str) -> None:
        if self._rebuilds >= MOST_REBUILDS:
            raise StorageError(
                f"the vector index was damaged {self._rebuilds + 1} times, lastly so: {reason}",
                where=str(self._root),
                hint="Check the disk. Memories are still found, more slowly.",
            )
        self._rebuilds += 1
        self._rows.begin_anew()
        self._say(f"memory: the vector index is built anew from the ledger ({reason.rstrip('.')}); nothing is lost")

    def close(self, opened: Opened | None, *, sound: bool) -> None:
        if opened is not None:
            with contextlib.suppress(StorageError):
                opened.index.close()
                if sound and self._lock.take():
                    Seal(self._folder(opened.generation)).put()
        self._lock.give_back()

    def _open(self) -> Opened:
        generation = self._rows.generation()
        folder = self._folder(generation)
        seal = Seal(folder)
        if not folder.is_dir():
            if self._rows.indexed_by_any_tenant(generation):
                raise IndexDamaged("its folder is gone", where=str(folder))
        else:
            self._look_into(folder, seal, generation)
        seal.break_()
        index = ChromaIndex.in_folder(folder, self._rows.tenant, self._rows.fingerprint)
        try:
            _reconcile(index, self._rows, generation)
        except StorageError:
            with contextlib.suppress(StorageError):
                index.close()
            raise
        if self._rows.is_active():
            self._remove_others(folder)
        return Opened(index, generation)

    def _look_into(self, folder: Path, seal: Seal, generation: int) -> None:
        """Raises IndexDamaged if it is not to be opened."""
        condition = seal.condition()
        if condition == "changed":
            raise IndexDamaged("its files were changed by another program", where=str(folder))
        if condition == "unsure":
            sample = self._rows.sample(generation, PROBED)
            trouble = probe(folder, collection_name(self._rows.tenant), sample, self._lock)
            if trouble:
                raise IndexDamaged(trouble, where=str(folder))

    def _folder(self, generation: int) -> Path:
        return self._root / f"{self._name}-{generation}"

    def _remove_others(self, current: Path) -> None:
        """Older generations, and the folders of embedders that are in use nowhere. Best effort."""
        locks = {self._name: self._lock}
        for path in list(self._root.iterdir()):
            name, _, number = path.name.removesuffix(".seal").partition("-")
            if not number.isdecimal() or path.name.removesuffix(".seal") == current.name:
                continue
            lock = locks.setdefault(name, Ownership(self._root / f"{name}.lock"))
            with contextlib.suppress(OSError, StorageError):
                if lock.take():
                    path.unlink() if path.is_file() else shutil.rmtree(path)
        for name, lock in locks.items():
            if name != self._name:
                lock.give_back()


class ServerPlace:
    """One collection for all homes of a tenant."""

    def __init__(self, server: ChromaServer, rows: VectorRows, say: Callable[[str], None]) -> None:
        self._server = server
        self._rows = rows
        self._say = say

    def open(self) -> Opened | None:
        generation = self._rows.generation()
        # Changing the embedder is the user's wish; others who share the collection are not to lose theirs by it.
        home = self._rows.home if self._rows.is_active() else ""
        try:
            index = ChromaIndex.on_server(
                self._server, self._rows.tenant, self._rows.fingerprint, replace_if_only_of=home
            )
        except IndexDamaged as error:  # not ours to remove
            raise StorageError(
                error.message, where=error.where, hint="Remove it there, or use another server."
            ) from error
        try:
            _reconcile(index, self._rows, generation)
        except (StorageError, ModelUnreachable):
            index.close()
            raise
        return Opened(index, generation)

    def is_ours(self) -> bool:
        return True

    def begin_anew(self, reason: str) -> None:
        self._rows.begin_anew()
        self._say(f"memory: what is on the Chroma server is sent there anew ({reason.rstrip('.')}); nothing is lost")

    def close(self, opened: Opened | None, *, sound: bool) -> None:
        if opened is not None:
            opened.index.close()


def _reconcile(index: ChromaIndex, rows: VectorRows, generation: int) -> None:
    """Make the ledger's idea of the index true, and remove from the index what the ledger does not have any more."""
    # In this order: another process of this home may be adding to a server.
    expected = rows.indexed(generation)
    there = set(index.keys(rows.home))
    rows.put_back(row for key, row in expected.items() if key not in there)
    unknown = there - expected.keys()
    index.delete(list(unknown - rows.alive(unknown)))
