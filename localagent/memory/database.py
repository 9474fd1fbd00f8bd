"""One SQLite file, opened with care: private, durable, shared with other processes, and never taken for what it is
not. Every `sqlite3.Error` becomes a `StorageError` here."""

from __future__ import annotations

import contextlib
import os
import sqlite3
import threading
import time
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Literal, TypeAlias

from localagent.errors import LedgerTooNew, StorageError
from localagent.files import make_private, open_private, storage_errors
from localagent.memory import migrations

Value: TypeAlias = "str | bytes | int | float | None"
Row: TypeAlias = tuple[Value, ...]

# "LAgt": marks a SQLite file as a ledger (PRAGMA application_id).
APPLICATION_ID = 0x4C416774
TABLES = frozenset(
    {"threads", "messages", "calibrations", "memories", "streams", "passages", "passage_words", "embedders", "vectors"}
    | {"changed_messages", "unread_messages", "failures", "removed_keys", "ingested_files", "home_values"}
    | {"approvals", "summaries", "summary_failures", "removed_vectors"}
)

# SQLite itself waits this long for a lock, out of reach of Ctrl-C; then we ask again until patience ends.
BUSY_TIMEOUT_S = 0.25
_IN_MEMORY = ":memory:"
PATIENCE_S = 30.0

_FREE_SPACE = "Free some space and try again; what was stored before is safe."
_NOT_WRITABLE = "Make it and its folder writable for you, or set LOCALAGENT_HOME to a folder that is."
_HINTS = {
    sqlite3.SQLITE_FULL: _FREE_SPACE,
    sqlite3.SQLITE_IOERR: "Check that the disk is sound and not full; what was stored before is safe.",
    sqlite3.SQLITE_READONLY: _NOT_WRITABLE,
    sqlite3.SQLITE_CANTOPEN: _NOT_WRITABLE,
    sqlite3.SQLITE_PERM: _NOT_WRITABLE,
}
# What a file says that is no ledger or no longer a whole one. ERROR: a table or column is missing.
_DAMAGED = frozenset({sqlite3.SQLITE_CORRUPT, sqlite3.SQLITE_NOTADB, sqlite3.SQLITE_ERROR, sqlite3.SQLITE_FORMAT})
_LOCKED = frozenset({sqlite3.SQLITE_BUSY, sqlite3.SQLITE_LOCKED, sqlite3.SQLITE_PROTOCOL})

# Closing any descriptor of a file drops this process's POSIX locks on it: a file must not be created (and closed)
# while another thread has just begun to use it.
_CREATION = threading.Lock()


class Database:
    """A connection that threads of one process may share; one statement or transaction at a time."""

    def __init__(self, path: Path | None, *, patience_s: float = PATIENCE_S) -> None:
        """Creates the file if there is none, and brings its schema up to date; None: in memory, gone when closed.
        Raises StorageError."""
        self.path = path or Path(_IN_MEMORY)
        self._patience_s = patience_s
        self._lock = threading.RLock()
        if path is not None:
            with storage_errors(path, "open the ledger"):
                self._look_before_opening()
        with self._errors():
            # isolation_level=None: transactions begin and end where this class says so.
            self._connection = sqlite3.connect(
                self.path, timeout=BUSY_TIMEOUT_S, isolation_level=None, check_same_thread=False
            )
        with contextlib.ExitStack() as failed:
            failed.callback(self._connection.close)
            self._prepare()
            failed.pop_all()

    def query(self, sql: str, parameters: Sequence[Value] = ()) -> list[Row]:
        """All rows of a statement."""
        with self._lock, self._errors():
            return self._patiently(sql, parameters)

    @contextlib.contextmanager
    def transaction(self, mode: Literal["IMMEDIATE", "DEFERRED"] = "IMMEDIATE") -> Iterator[sqlite3.Connection]:
        """Everything written in the block is durable when it ends, or nothing happened. DEFERRED: only reads, all of
        one moment."""
        with self._lock, self._errors():
            try:
                self._patiently(f"BEGIN {mode}")
                yield self._connection
                self._patiently("COMMIT")
            finally:
                if self._connection.in_transaction:
                    # A failing disk may refuse even this; closing the file then does the same.
                    with contextlib.suppress(sqlite3.Error):
                        self._connection.execute("ROLLBACK")

    def forget(self) -> None:
        """After a deletion: empty the write-ahead log, which still holds the old pages. Best effort: a program that is
        reading just now prevents it, and then the last one to close the file does it."""
        with self._lock, contextlib.suppress(sqlite3.Error):
            self._connection.execute("PRAGMA wal_checkpoint(TRUNCATE)")

    def problems(self) -> list[str]:
        """What is wrong with the file; empty when it is sound. Reads all of it."""
        try:
            rows = self.query("PRAGMA quick_check") + self.query("PRAGMA foreign_key_check")
        except StorageError as error:
            return [error.message]
        return [" ".join(str(value) for value in row) for row in rows if row != ("ok",)]

    def close(self) -> None:
        with self._lock, self._errors():
            self._connection.close()

    def damaged(self, detail: str) -> StorageError:
        return StorageError(
            f"the ledger is damaged or not a ledger ({detail})",
            where=str(self.path),
            hint=f"`localagent doctor` tells more. To start anew, move {self.path.name}* in that folder aside.",
        )

    def _look_before_opening(self) -> None:
        """Find what SQLite would silently overwrite, and create a private file if there is none."""
        wal = self.path.with_name(self.path.name + "-wal")
        shm = self.path.with_name(self.path.name + "-shm")
        # In this order: a file that is just being created has content before it has a write-ahead log.
        left_over = wal.exists() and wal.stat().st_size > 0
        if self.path.is_dir():
            raise self.damaged("it is a folder")
        with _CREATION:
            exists = self.path.exists()
            if left_over and not (exists and self.path.stat().st_size > 0):
                raise self.damaged(f"it is empty, but {wal.name} beside it is not")
            if not exists:
                os.close(open_private(self.path, os.O_RDWR))
        for file in (self.path, wal, shm):
            make_private(file)

    def _prepare(self) -> None:
        self._refuse_strangers()
        with self._errors():
            # Readers do not wait for writers; a commit is on the disk when it returns.
            self._patiently("PRAGMA journal_mode = WAL")
            self._patiently("PRAGMA synchronous = FULL")
            self._patiently("PRAGMA fullfsync = ON")  # macOS: past the disk's own cache
            self._patiently("PRAGMA foreign_keys = ON")
            self._patiently("PRAGMA secure_delete = ON")  # what was deleted is overwritten
            self._patiently("PRAGMA temp_store = MEMORY")
            # 32 MB of pages: a recall among 10,000 entries touches some hundred pages, another hundred each time.
            self._patiently("PRAGMA cache_size = -32768")
            current = migrations.version(self._connection)
        while current < migrations.LATEST:
            with self.transaction() as connection:
                connection.execute(f"PRAGMA application_id = {APPLICATION_ID}")
                migrations.apply_next(connection)
                current = migrations.version(connection)
        missing = TABLES - self._tables()
        if missing:
            raise self.damaged(f"no table {', '.join(sorted(missing))}")

    def _refuse_strangers(self) -> None:
        """Before anything is written: is this a ledger, or a file that shall become one?"""
        with self.transaction("DEFERRED") as connection:
            version = migrations.version(connection)
            ((application,),) = self.query("PRAGMA application_id")
            tables = self._tables()
        if application != APPLICATION_ID and (application or version or tables):
            raise self.damaged("it is the database of another program")
        if version < 0:
            raise self.damaged(f"its format is {version}, which is none")
        if version > migrations.LATEST:
            raise LedgerTooNew(
                f"this ledger was written by a newer localagent (format {version}; this one knows {migrations.LATEST})",
                where=str(self.path),
                hint="Upgrade localagent, or set LOCALAGENT_HOME to another folder.",
            )

    def _tables(self) -> set[Value]:
        return {name for (name,) in self.query("SELECT name FROM sqlite_master WHERE type = 'table'")}

    def _patiently(self, sql: str, parameters: Sequence[Value] = ()) -> list[Row]:
        """Run a statement; while another process holds the lock, again."""
        deadline = time.monotonic() + self._patience_s
        while True:
            try:
                return self._connection.execute(sql, parameters).fetchall()
            except sqlite3.OperationalError as error:
                if _code(error) not in _LOCKED or time.monotonic() > deadline:
                    raise
            # Not all locks make SQLite wait by itself.
            time.sleep(0.01)

    @contextlib.contextmanager
    def _errors(self) -> Iterator[None]:
        """The one place where SQLite's errors are translated."""
        try:
            yield
        except sqlite3.Error as error:
            raise self._translated(error) from error
        except UnicodeDecodeError as error:  # SQLite names the damaged bytes, and Python cannot read the name
            raise self.damaged("its text is not UTF-8") from error

    def _translated(self, error: sqlite3.Error) -> StorageError:
        code = _code(error)
        if code in _DAMAGED:
            return self.damaged(str(error))
        if code in _LOCKED:
            return StorageError(
                f"another program has kept the ledger locked for {self._patience_s:g} s",
                where=str(self.path),
                hint="Close or end the other localagent and try again.",
            )
        hint = _HINTS.get(code, "Run `localagent doctor`.")
        return StorageError(f"the ledger cannot be used: {error}", where=str(self.path), hint=hint)


def erase_words(connection: sqlite3.Connection) -> None:
    """After passages were deleted: the keyword index only marks their words as deleted until it is written anew. In
    the caller's transaction; about 0.3 s for 100,000 passages."""
    connection.execute("INSERT INTO passage_words (passage_words) VALUES ('optimize')")


def _code(error: sqlite3.Error) -> int:
    """SQLite's primary result code; 0 where the error is Python's own, as for a closed connection."""
    extended: int = getattr(error, "sqlite_errorcode", 0)
    return extended & 0xFF
