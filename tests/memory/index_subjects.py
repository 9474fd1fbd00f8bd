"""What the tests of the vector index work with: vectors and items, a ledger with passages, and a real Chroma server."""

from __future__ import annotations

import contextlib
import os
import socket
import subprocess
import sys
import time
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

import httpx
import numpy as np
from exact_index import ExactIndex

from localagent.memory.chroma import ChromaIndex
from localagent.memory.chroma_server import ChromaServer
from localagent.memory.database import Database
from localagent.memory.embedders import EmbedderRow, EmbedderTable
from localagent.memory.embedding import Fingerprint, Vectors
from localagent.memory.filters import FIELDS
from localagent.memory.index import Item, VectorIndex

DIMENSION = 16
FINGERPRINT = Fingerprint("words", "1", DIMENSION)
OTHER_FINGERPRINT = Fingerprint("embedded", "e5", DIMENSION)
CHILD = Path(__file__).with_name("index_child.py")
ROOT = CHILD.parent.parent.parent
TENANT = "default"


def vector_of(number: int, dimension: int = DIMENSION) -> Vectors:
    """The same for the same number, and far from those of others."""
    vector = np.random.default_rng(number).standard_normal(dimension).astype(np.float32)
    return vector / np.linalg.norm(vector)  # type: ignore[no-any-return]


def vectors_of(numbers: Sequence[int], dimension: int = DIMENSION) -> Vectors:
    return np.stack([vector_of(number, dimension) for number in numbers])


def item(number: int, text: str = "", **labels: object) -> Item:
    values: dict[str, str | int | float | bool] = {
        name: "x" if kind is str else float(number) for name, kind in FIELDS.items()
    }
    values.update(labels)  # type: ignore[arg-type]
    return Item(f"k{number}", vector_of(number), text or f"text {number}", values)


@contextlib.contextmanager
def chroma_server(folder: Path) -> Iterator[ChromaServer]:
    """`chroma run` on a free port of this machine, until the block ends."""
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port = probe.getsockname()[1]
    server = ChromaServer("127.0.0.1", port)
    child = start_server(folder, port)
    try:
        wait_for(server, child)
        yield server
    finally:
        child.kill()
        child.wait()


def start_server(folder: Path, port: int) -> subprocess.Popen[bytes]:
    code = "import sys; from chromadb.cli.cli import app; sys.exit(app())"
    arguments = ("run", "--path", str(folder), "--host", "127.0.0.1", "--port", str(port))
    return subprocess.Popen(
        (sys.executable, "-c", code, *arguments),
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
        cwd=folder,
        env={**os.environ, "ANONYMIZED_TELEMETRY": "False"},
    )


def wait_for(server: ChromaServer, child: subprocess.Popen[bytes]) -> None:
    with httpx.Client(trust_env=False) as client:
        while True:
            assert child.poll() is None, "the server ended"
            try:
                client.get(f"{server.url}/api/v2/heartbeat")
                return
            except httpx.TransportError:
                time.sleep(0.02)


def make_index(kind: str, folder: Path, server: ChromaServer | None, tenant: str = TENANT) -> VectorIndex:
    if kind == "exact":
        return ExactIndex(DIMENSION)
    if kind == "folder":
        return ChromaIndex.in_folder(folder / "chroma", tenant, FINGERPRINT)
    assert server is not None
    return ChromaIndex.on_server(server, tenant, FINGERPRINT)


@dataclass
class Home:
    """A ledger with passages put into it directly."""

    path: Path
    database: Database
    embedder: EmbedderRow

    @classmethod
    def make(cls, path: Path, fingerprint: Fingerprint = FINGERPRINT) -> Home:
        database = Database(path)
        return cls(path, database, EmbedderTable(database).add(fingerprint, active=True))

    @property
    def id(self) -> str:
        return str(self.database.query("SELECT value FROM home_values WHERE name = 'home_id'")[0][0])

    def add(self, rows: Sequence[int], *, tenant: str = TENANT, **labels: object) -> None:
        """Passages of messages, called by their rows."""
        values: Mapping[str, object] = {
            "kind": "message", "origin": "user", "scope": "agent", "agent": "a", "thread_id": "t", "speaker": "user",
            **labels,
        }  # fmt: skip
        columns = ["row", "key", "tenant", "source", "said_at", "session", "text", "asks", "ends_asking", "times"]
        with self.database.transaction() as connection:
            connection.executemany(
                f"INSERT INTO passages ({', '.join([*columns, *values])}) "
                f"VALUES ({', '.join('?' * (len(columns) + len(values)))})",
                [
                    (
                        row,
                        f"{self.id}.{row}.0",
                        tenant,
                        "message",
                        float(row),
                        "s",
                        f"text {row}",
                        0,
                        0,
                        0,
                        *values.values(),
                    )
                    for row in rows
                ],
            )

    def remove(self, rows: Sequence[int]) -> None:
        with self.database.transaction() as connection:
            connection.executemany("DELETE FROM passages WHERE row = ?", [(row,) for row in rows])

    def close(self) -> None:
        self.database.close()


def start(job: str, *arguments: object) -> subprocess.Popen[str]:
    return subprocess.Popen(
        [sys.executable, str(CHILD), job, *map(str, arguments)],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        encoding="utf-8",
        env={**os.environ, "PYTHONPATH": str(ROOT), "PYTHONUTF8": "1"},
    )
