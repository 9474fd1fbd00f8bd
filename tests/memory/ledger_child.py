"""A process of its own that uses a ledger, for tests that kill, limit or crowd it. Not a test itself.

    ledger_child.py JOB LEDGER [ARGUMENT ...]

Acknowledges on standard output, a line each, what the ledger has taken.
"""

from __future__ import annotations

import os
import sys
from pathlib import Path

from localagent.errors import StorageError
from localagent.memory.ledger import SqliteLedger
from localagent.messages import user

# Some are larger than a page, some than SQLite's cache of them.
SIZES = (10, 300, 5_000, 10, 200_000, 40)


def say(line: str) -> None:
    os.write(1, f"{line}\n".encode())


def write_for_ever(path: Path, thread_id: str, tag: str) -> None:
    say("begin")
    ledger = SqliteLedger(path)
    number = 0
    while True:
        text = f"{tag} {number} " + "x" * SIZES[number % len(SIZES)]
        stored = ledger.append(thread_id, user(text))
        say(f"{stored.id} {tag} {number}")
        number += 1


def write_some(path: Path, thread_id: str, tag: str, count: str) -> None:
    ledger = SqliteLedger(path)
    for number in range(int(count)):
        ledger.append(thread_id, user(f"{tag} {number}"))
    ledger.close()


def create_when_told(folder: Path) -> None:
    """For each line of standard input: open the ledger of that name, at the same time as others do."""
    say("ready")
    for line in sys.stdin:
        ledger = SqliteLedger(folder / line.strip())
        ledger.create_thread("a")
        ledger.close()
        say("created")


def write_until_refused(path: Path, thread_id: str, limit: str) -> None:
    """With no file allowed to grow beyond `limit` bytes."""
    import resource
    import signal

    signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
    ledger = SqliteLedger(path)
    resource.setrlimit(resource.RLIMIT_FSIZE, (int(limit), int(limit)))
    number = 0
    try:
        while True:
            ledger.append(thread_id, user(f"{number} " + "x" * 5_000))
            number += 1
    except StorageError as error:
        say(f"{number}")
        say(str(error))
    ledger.close()


def write_without_rights(path: Path, thread_id: str) -> None:
    """As a user to whom the folder does not belong."""
    if os.getuid() == 0:
        os.setgroups([])
        os.setgid(65534)
        os.setuid(65534)
    try:
        ledger = SqliteLedger(path)
        ledger.append(thread_id, user("x"))
    except StorageError as error:
        say(str(error))


JOBS = {
    job.__name__: job
    for job in (write_for_ever, write_some, create_when_told, write_until_refused, write_without_rights)
}

if __name__ == "__main__":
    JOBS[sys.argv[1]](Path(sys.argv[2]), *sys.argv[3:])
