"""Every error the program raises on purpose, grouped by who must act.

    LocalAgentError
    ├── UsageError                  the command line is wrong
    │   └── Ambiguous               it names several things where one is needed
    ├── ConfigError                 the user's configuration (file:line:column, key)
    ├── EnvironmentFault            the machine around us
    │   ├── StorageError            data folder, disk, ledger
    │   │   ├── LedgerTooNew        written by a newer version of localagent
    │   │   ├── IndexDamaged        the vector index cannot be trusted; it is built anew from the ledger
    │   │   └── FingerprintMismatch the vector index is another embedder's
    │   ├── ModelUnreachable        nobody answers at the model's address
    │   ├── ModelMissing            the model is not installed, or its file is not one
    │   └── ReaderGone              nobody reads standard output any more (`| head -1`)
    ├── ModelError                  the model or its server answered with an error
    │   ├── IncompleteAnswer        the stream ended before it said that it was done
    │   ├── SchemaMismatch          the answer is not of the form that was asked for
    │   ├── ContextOverflow         the prompt cannot be made to fit the window
    │   ├── ToolsUnsupported        it was offered tools, and cannot call any
    │   └── EmbeddingFailed         an embedder gave no usable vectors
    ├── Aborted                     somebody said stop
    │   ├── Interrupted             the user, or the end of the program
    │   └── DeadlineExceeded        a clock
    └── InternalError               a fault of localagent itself

Foreign exceptions are translated where they enter (at the adapter's edge). The program's main function turns
each class into one line on stderr and an exit code.
"""

from __future__ import annotations

from collections.abc import Sequence
from enum import IntEnum

# An error that there are several candidates names so many of them.
CANDIDATES = 6


class ExitCode(IntEnum):
    """What the process says to its caller. Documented in docs/usage.md."""

    OK = 0
    INTERNAL = 1
    USAGE = 2
    CONFIG = 3
    UNREACHABLE = 4
    MODEL_MISSING = 5
    TIMEOUT = 6
    INCOMPLETE = 7
    MODEL = 8
    OVERFLOW = 9
    STORAGE = 10
    SCHEMA = 11
    INTERRUPTED = 130
    BROKEN_PIPE = 141
    TERMINATED = 143


class LocalAgentError(Exception):
    """Base of all. `where` is a file:line:key or an address, `hint` the next thing to do; both may be empty."""

    exit_code: ExitCode = ExitCode.INTERNAL

    def __init__(self, message: str, *, where: str = "", hint: str = "") -> None:
        super().__init__(message)
        self.message = message
        self.where = where
        self.hint = hint

    def __str__(self) -> str:
        """One line: `where: what happened. What to do next`."""
        line = f"{self.where}: {self.message}" if self.where else self.message
        if line.endswith("。"):
            return f"{line}{self.hint}"
        return f"{line.rstrip('.')}. {self.hint}" if self.hint else line


class UsageError(LocalAgentError):
    exit_code = ExitCode.USAGE


class Ambiguous(UsageError):
    """`candidates`: what it may be, in the words that would name it alone."""

    def __init__(self, message: str, candidates: Sequence[str], *, hint: str = "Give more of the id.") -> None:
        more = " and more" if len(candidates) > CANDIDATES else ""
        super().__init__(f"{message}: {', '.join(candidates[:CANDIDATES])}{more}", hint=hint)


class ConfigError(LocalAgentError):
    exit_code = ExitCode.CONFIG


class EnvironmentFault(LocalAgentError):
    pass


class StorageError(EnvironmentFault):
    exit_code = ExitCode.STORAGE


class LedgerTooNew(StorageError):
    pass


class IndexDamaged(StorageError):
    pass


class FingerprintMismatch(StorageError):
    pass


class ModelUnreachable(EnvironmentFault):
    exit_code = ExitCode.UNREACHABLE


class ModelMissing(EnvironmentFault):
    exit_code = ExitCode.MODEL_MISSING


class ReaderGone(EnvironmentFault):
    exit_code = ExitCode.BROKEN_PIPE


class ModelError(LocalAgentError):
    exit_code = ExitCode.MODEL


class IncompleteAnswer(ModelError):
    exit_code = ExitCode.INCOMPLETE


class SchemaMismatch(ModelError):
    exit_code = ExitCode.SCHEMA


class EmbeddingFailed(ModelError):
    pass


class ToolsUnsupported(ModelError):
    pass


class ContextOverflow(ModelError):
    """`needed` and `available` are tokens; `needed` is 0 when the server did not say."""

    exit_code = ExitCode.OVERFLOW

    def __init__(self, message: str, *, where: str = "", hint: str = "", needed: int = 0, available: int = 0) -> None:
        super().__init__(message, where=where, hint=hint)
        self.needed = needed
        self.available = available


class Aborted(LocalAgentError):
    pass


class Interrupted(Aborted):
    exit_code = ExitCode.INTERRUPTED


class DeadlineExceeded(Aborted):
    exit_code = ExitCode.TIMEOUT


class InternalError(LocalAgentError):
    pass
