"""How long recall takes beside a bare Chroma query, and writing beside the embedder alone. Ratios within one run.

    python -m benchmarks.latency [--sizes 1000,10000,100000] [--keep FOLDER] [--json]

- recall without embedding (words, vectors, ranking, the texts of the best) against `collection.query` of Chroma with
  the same vectors in a folder of its own and its default settings, for as many neighbours as recall looks at
- the same with a filter that a tenth of the entries pass, against the bare query without one
- how much recall takes at ten times as many entries
- 1,000 entries written, embedded and indexed, against the time the embedder alone takes for their texts
"""

from __future__ import annotations

import argparse
import json
import random
import shutil
import tempfile
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager, nullcontext
from dataclasses import asdict, dataclass
from itertools import cycle, pairwise
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np

from benchmarks.measure import Ratio, paired
from benchmarks.recall import Scratch
from localagent.abort import AbortSignal
from localagent.build_memory import MemoryHome
from localagent.memory.embedding import Fingerprint, RawEmbedder, Vectors
from localagent.memory.entries import Add, Kind, NewMemory
from localagent.memory.filters import parse_filter
from localagent.memory.finding import EACH
from localagent.memory.searching import Search

if TYPE_CHECKING:
    from chromadb.api.models.Collection import Collection

DIMENSION = 384
ROUNDS = 150
WRITTEN = 1000
BATCH = 1000
SYLLABLES = [first + second for first in "bcdfghklmnprst" for second in "aeiou"]


class Words:
    """Texts of 20 words out of 30,000, distributed as words are (Zipf)."""

    def __init__(self, seed: int) -> None:
        self._random = random.Random(seed)
        self._words = ["".join(self._random.choices(SYLLABLES, k=self._random.randint(2, 4))) for _ in range(30_000)]
        self._weights = [1 / rank for rank in range(1, len(self._words) + 1)]

    def text(self, count: int) -> str:
        return " ".join(self._random.choices(self._words, self._weights, k=count))


class Played(RawEmbedder):
    """Costs nothing: random vectors, so that what is measured is everything else."""

    name = "played"
    limit = 100_000

    def __init__(self) -> None:
        self._random = np.random.default_rng(1)
        self._queries = cycle(self._vectors(BATCH))  # made beforehand

    def load(self, abort: AbortSignal) -> Fingerprint:
        return Fingerprint(self.name, "1", DIMENSION)

    def embed_passages(self, texts: Sequence[str], abort: AbortSignal) -> Vectors:
        return self._vectors(len(texts))

    def embed_queries(self, texts: Sequence[str], abort: AbortSignal) -> Vectors:
        return np.stack([next(self._queries) for _ in texts])

    def _vectors(self, count: int) -> Vectors:
        made = self._random.standard_normal((count, DIMENSION)).astype(np.float32)
        made /= np.linalg.norm(made, axis=1, keepdims=True)
        return made

    def close(self) -> None:
        pass


@dataclass(frozen=True)
class Size:
    entries: int
    recall: Ratio
    filtered: Ratio


@contextmanager
def filled(scratch: Scratch, entries: int) -> Iterator[MemoryHome]:
    """A home with so many entries, all of them indexed; a tenth are todos."""
    words = Words(entries)
    with scratch.memory(Played) as memory:
        memory.load(AbortSignal())
        there = 0 if memory.memories.select(limit=1) == [] else entries
        for start in range(there, entries, BATCH):
            numbers = range(start, min(start + BATCH, entries))
            kinds: list[Kind] = ["todo" if number % 10 == 0 else "fact" for number in numbers]
            memory.memories.write([Add(NewMemory(kind, words.text(20), scope="all")) for kind in kinds])
        memory.drain(AbortSignal())  # opens the index, too
        yield memory


@contextmanager
def bare(folder: Path, entries: int) -> Iterator[Collection]:
    import chromadb
    from chromadb.config import Settings

    client = chromadb.PersistentClient(str(folder), settings=Settings(anonymized_telemetry=False))
    collection = client.get_or_create_collection(
        "bare", embedding_function=None, configuration={"hnsw": {"space": "cosine"}}
    )
    embedder, words = Played(), Words(entries)
    for start in range(collection.count(), entries, BATCH):
        count = min(BATCH, entries - start)
        ids = [f"{number:08d}" for number in range(start, start + count)]
        texts = [words.text(20) for _ in ids]
        collection.add(ids=ids, embeddings=embedder.embed_passages(texts, AbortSignal()), documents=texts)
    yield collection


def kept(folder: Path) -> Path:
    """For what is to be kept there; emptied if the run that filled it did not come to its end."""
    if not (folder / "filled").exists():
        shutil.rmtree(folder, ignore_errors=True)
        folder.mkdir(parents=True)
    return folder


def measure(entries: int, keep: Path | None) -> Size:
    with tempfile.TemporaryDirectory() if keep is None else nullcontext(kept(keep / str(entries))) as name:
        scratch = Scratch(Path(name), "words")
        with filled(scratch, entries) as memory, bare(Path(name) / "bare", entries) as collection:
            (Path(name) / "filled").touch()
            embedder, abort, words = Played(), AbortSignal(), Words(entries)
            todos = parse_filter({"kind": "todo"})

            def recall(search: Search) -> float:
                started = time.perf_counter()
                results, degraded = memory.recall.search(search, top_k=5, min_score=0.0, abort=abort)
                seconds = time.perf_counter() - started
                assert results and not degraded
                return seconds

            def query() -> float:
                vector = embedder.embed_queries([""], abort)
                started = time.perf_counter()
                collection.query(query_embeddings=vector, n_results=EACH, include=["documents", "distances"])
                return time.perf_counter() - started

            def asked(where: bool) -> Callable[[], float]:
                return lambda: recall(Search(words.text(6), where=todos if where else None))

            plain = paired(f"recall, {entries:,} entries", asked(False), query, target=2.0, rounds=ROUNDS)
            some = paired(f"filtered recall, {entries:,} entries", asked(True), query, target=3.0, rounds=ROUNDS)
            return Size(entries, plain, some)


def writing() -> Ratio:
    """Seconds for entries that are written, embedded and indexed, beside the embedder's own for the same texts."""
    words = Words(3)
    texts = [words.text(12) for _ in range(WRITTEN)]
    with tempfile.TemporaryDirectory() as name, Scratch(Path(name), "embedded").memory() as memory:
        abort = AbortSignal()
        embedder = memory.embedder(abort)
        embedder.embed_passages(texts[:32], abort)
        started = time.perf_counter()
        for start in range(0, WRITTEN, 32):
            embedder.embed_passages(texts[start : start + 32], abort)
        alone = time.perf_counter() - started
        started = time.perf_counter()
        memory.memories.write([Add(NewMemory("fact", text)) for text in texts])
        memory.drain(abort)
        ours = time.perf_counter() - started
    # At least 60 % of the embedder's throughput.
    return Ratio(f"{WRITTEN:,} entries written, embedded, indexed", ours, alone, ours / alone, round(1 / 0.6, 2))


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument(
        "--sizes",
        default="1000,10000",
        help="how many entries, with commas; 100000 take a quarter of an hour to make, 10000 one minute",
    )
    parser.add_argument(
        "--keep", type=Path, help="a folder where what was made for a size is kept and used again, so that it is quick"
    )
    parser.add_argument("--json", action="store_true")
    chosen = parser.parse_args()
    sizes = [measure(int(size), chosen.keep) for size in chosen.sizes.split(",")]
    growth = [
        Ratio(
            f"recall at {more.entries:,} against {less.entries:,} entries",
            more.recall.ours_s,
            less.recall.ours_s,
            more.recall.ours_s / less.recall.ours_s,
            2.0,
        )
        for less, more in pairwise(sizes)
    ]
    ratios = [ratio for size in sizes for ratio in (size.recall, size.filtered)] + growth + [writing()]
    print(json.dumps([asdict(r) for r in ratios], indent=2) if chosen.json else "\n".join(map(str, ratios)))


if __name__ == "__main__":
    main()
