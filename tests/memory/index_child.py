"""A process of its own that uses the vectors of a home, for tests that kill, limit or crowd it. Not a test itself.

    index_child.py JOB LEDGER INDEX [ARGUMENT ...]

Tells on standard output, a line each, what was done.
"""

from __future__ import annotations

import os
import random
import subprocess
import sys
from pathlib import Path

from index_subjects import FINGERPRINT, TENANT, Home, vector_of, vectors_of

from localagent.errors import LocalAgentError
from localagent.memory import vectors as vectors_module
from localagent.memory.database import Database
from localagent.memory.embedders import EmbedderTable
from localagent.memory.owner import Ownership
from localagent.memory.vectors import VectorStore

vectors_module.EXACT_UP_TO = 0


def say(line: str) -> None:
    os.write(1, f"{line}\n".encode())


def opened(path: Path, index: Path) -> tuple[Home, VectorStore]:
    home = Home.make(path)
    return home, store_of(home, index)


def store_of(home: Home, index: Path) -> VectorStore:
    return VectorStore(
        home.database, TENANT, home.embedder, folder=index, server=None, say=lambda line: say(f"# {line}")
    )


def write_some(path: Path, index: Path, first: str, count: str) -> None:
    """Says each row when it is stored."""
    home, store = opened(path, index)
    for row in range(int(first), int(first) + int(count)):
        home.add([row])
        store.store([row], vectors_of([row]))
        say(str(row))
        if row % 5 == 0:
            store.sync()
    store.close()
    home.close()


def answer(path: Path, index: Path) -> None:
    """For each row in standard input: whether a search for its vector finds it first."""
    home, store = opened(path, index)
    for line in sys.stdin:
        hits = store.query(vector_of(int(line)), 1)
        say("found" if hits and hits[0].row == int(line) else f"{line.strip()}: {hits}")
    store.close()
    home.close()


def own(path: Path, index: Path) -> None:
    """Own the index until standard input ends."""
    home, store = opened(path, index)
    say(str(store.sync(100_000)))
    sys.stdin.read()
    store.close()
    home.close()


def look_for_ever(path: Path, index: Path) -> None:
    """Own the lock, and have a child look into the folder that ends with standard input."""
    lock = Ownership(path)
    assert lock.take()
    code = "import os, sys; os.write(1, b'looking\\n'); sys.stdin.read()"
    subprocess.run((sys.executable, "-c", code), pass_fds=lock.descriptors)


def churn_for_ever(path: Path, index: Path, first: str, seed: str) -> None:
    """Store, remove, put into the index, build it anew, open and close it. Says `+row` and `-row` when that is
    durable, and `?row` before something may or may not become so."""
    say("begin")
    randomly = random.Random(int(seed))
    home, store = opened(path, index)
    row, there = int(first), list[int]()
    while True:
        action = randomly.random()
        if action < 0.5:
            rows = list(range(row, row + randomly.randrange(1, 40)))
            row = rows[-1] + 1
            home.add(rows)
            store.store(rows, vectors_of(rows))
            there += rows
            for one in rows:
                say(f"+{one}")
        elif action < 0.65 and there:
            gone = [there.pop(randomly.randrange(len(there))) for _ in range(min(5, len(there)))]
            for one in gone:
                say(f"?{one}")
            home.remove(gone)
            for one in gone:
                say(f"-{one}")
        elif action < 0.92:
            store.sync(randomly.choice((10, 100, 1000)))
        elif action < 0.95:
            store.rebuild()
        else:
            store.close()


def sync_until_refused(path: Path, index: Path, limit: str) -> None:
    """With no file allowed to grow beyond `limit` bytes; then once more without a limit."""
    import resource
    import signal

    signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
    home, store = opened(path, index)
    store.sync(1)
    hard = resource.getrlimit(resource.RLIMIT_FSIZE)[1]
    resource.setrlimit(resource.RLIMIT_FSIZE, (int(limit), hard))
    try:
        while store.sync(100):
            pass
        say("never refused")
    except LocalAgentError as error:
        say(f"{type(error).__name__}: {error}")
    say(str([hit.row for hit in store.query(vector_of(77), 1)]))
    resource.setrlimit(resource.RLIMIT_FSIZE, (hard, hard))
    while store.sync(1000):
        pass
    say(f"{store.pending()} {store.verify()}")
    store.close()
    home.close()


def search_without_rights(path: Path, index: Path, row: str) -> None:
    """As a user who may not write into the index's folder, but has a ledger."""
    if os.getuid() == 0:
        os.setgroups([])
        os.setgid(65534)
        os.setuid(65534)
    database = Database(path)
    embedder = EmbedderTable(database).find(FINGERPRINT)
    assert embedder is not None
    store = store_of(Home(path, database, embedder), index)
    try:
        store.sync()
        say("synced")
    except LocalAgentError as error:
        say(f"{type(error).__name__}: {error}")
    say(str([hit.row for hit in store.query(vector_of(int(row)), 1)]))
    store.close()
    database.close()


JOBS = {
    job.__name__: job
    for job in (write_some, answer, own, look_for_ever, churn_for_ever, sync_until_refused, search_without_rights)
}

if __name__ == "__main__":
    JOBS[sys.argv[1]](Path(sys.argv[2]), Path(sys.argv[3]), *sys.argv[4:])
