"""An embedder that loads when somebody needs it, and stays the one that the data folder began with."""

from __future__ import annotations

import threading
from collections.abc import Callable

from localagent.abort import AbortSignal
from localagent.errors import FingerprintMismatch, LocalAgentError
from localagent.memory.calibration import Calibrated
from localagent.memory.embedders import EmbedderRow, EmbedderTable
from localagent.memory.embedding import Embedder, RawEmbedder


class LateEmbedder:
    """For several threads. `choose` names the embedder of a data folder that has none yet, `make` makes one of a name.

    Another process may make another embedder the active one (`memory reindex`): then the old one is let go, and the
    next `load` makes the new one.
    """

    def __init__(self, table: EmbedderTable, choose: Callable[[], str], make: Callable[[str], RawEmbedder]) -> None:
        self._table = table
        self._choose = choose
        self._make = make
        self._lock = threading.Lock()
        self._loaded: tuple[int, Calibrated] | None = None
        self.trouble = ""

    def get(self) -> Embedder | None:
        """The embedder if it is loaded. Cheap; `trouble` says in words why it is not."""
        active, loaded = self._table.active(), self._loaded
        if loaded is not None and active is not None and loaded[0] == active.id:
            return loaded[1]
        self.trouble = self.trouble or "the embedder is still loading"
        return None

    def load(self, abort: AbortSignal) -> Embedder:
        """Load it unless it is loaded. Raises LocalAgentError: what the embedder says, or FingerprintMismatch when it
        makes other vectors than those that are stored."""
        while not self._lock.acquire(timeout=0.05):  # another thread is loading it
            abort.raise_if_aborted()
        try:
            return self._load(abort)
        finally:
            self._lock.release()

    def _load(self, abort: AbortSignal) -> Embedder:
        active, loaded = self._table.active(), self._loaded
        if loaded is not None and active is not None and loaded[0] == active.id:
            return loaded[1]
        self._let_go()
        name = active.fingerprint.name if active is not None else self._choose()
        made = self.build(name)
        try:
            fingerprint = made.load(abort)
            row = active or self._table.add(fingerprint, active=True)
            if row.fingerprint != fingerprint:
                raise _mismatch(row, str(fingerprint))
        except LocalAgentError as error:
            self.trouble = str(error)
            made.close()
            raise
        self._loaded, self.trouble = (row.id, made), ""
        return made

    def build(self, name: str) -> Calibrated:
        """An embedder by its name, not loaded."""
        return Calibrated(self._make(name), self._table.calibration, self._table.save_calibration)

    def close(self) -> None:
        with self._lock:
            self._let_go()

    def _let_go(self) -> None:
        if self._loaded is not None:
            self._loaded[1].close()
            self._loaded = None


def _mismatch(row: EmbedderRow, now: str) -> FingerprintMismatch:
    return FingerprintMismatch(
        f"the memory was indexed with {row.fingerprint}, and this is {now}",
        hint=f"Index it again: localagent memory reindex --embedder {row.fingerprint.name}",
    )
