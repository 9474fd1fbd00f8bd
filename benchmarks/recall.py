"""Quality of recall through the program's own path: stored, embedded, searched, ranked, built into a block.

    python -m benchmarks.recall [--data DIR] [--json] [--min-score 0.45] [--embedder embedded] [--only locomo]

`DIR` has `locomo/*.json` (conversations: turns with id, session, when, speaker, text; questions with evidence, which
are ids of turns) and `memorybank/{en,cn}.json` (users with dated turns and questions). Without data it says so.

- locomo: the share of a question's evidence among the first 5 and 10 passages, and inside a block of 700 tokens
- memorybank: the same among the first 5 turns; `any@5`: at least one of them
- calibration: of the labelled pairs, how well "score >= 0.45" tells related from unrelated (balanced accuracy)
"""

from __future__ import annotations

import argparse
import json
import os
import re
import statistics
import sys
import tempfile
import time
from bisect import bisect_right
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import closing, contextmanager
from dataclasses import replace
from datetime import datetime
from pathlib import Path
from typing import TypeAlias, cast

from localagent.abort import AbortSignal
from localagent.agent_folder import load_agent, load_policies
from localagent.build_memory import Given, MemoryHome
from localagent.config import AgentConfig, MemoryConfig
from localagent.environment import Environment
from localagent.memory.embedding import RawEmbedder
from localagent.memory.ledger import SqliteLedger
from localagent.memory.searching import Line, Search
from localagent.models.estimate import TokenEstimator

Json: TypeAlias = "Mapping[str, object]"
Figures: TypeAlias = dict[str, float]

BLOCK_TOKENS = 700
# Where the question's own text is all that is asked, as in the published figures for these data.
MIN_SCORE = 0.0
PAIRS = Path(__file__).parent.parent / "tests" / "memory" / "labelled_pairs.tsv"


def when(text: str) -> float:
    """`2023-05-08`, or `1:56 pm on 8 May, 2023`: epoch seconds, local time."""
    found = re.search(r"\d{4}-\d\d-\d\d", text)
    day = datetime.fromisoformat(found[0]) if found else datetime.strptime(text.strip(), "%I:%M %p on %d %B, %Y")
    return day.timestamp()


def share(found: Iterable[str], evidence: Sequence[str]) -> float:
    seen = set(found)
    return sum(one in seen for one in evidence) / len(evidence)


def mean(rows: Sequence[Figures]) -> Figures:
    return {name: round(statistics.fmean(row[name] for row in rows), 4) for name in rows[0]} if rows else {}


class Scratch:
    """Makes data folders of their own, with the default policies and one embedder."""

    def __init__(self, folder: Path, embedder: str) -> None:
        self._folder = folder
        self._config = AgentConfig(memory=MemoryConfig(embedder=embedder))
        self._policies = load_policies(load_agent(replace(Environment.of_process(), cwd=folder, config_dir=folder)))
        self._made = 0
        self.count = TokenEstimator("bench").count

    @contextmanager
    def memory(self, make: Callable[[], RawEmbedder] | None = None) -> Iterator[MemoryHome]:
        """A new one, with another embedder than the configured one if `make` makes it."""
        self._made += 1
        folder = self._folder / str(self._made)
        folder.mkdir(exist_ok=True)
        with closing(SqliteLedger(folder / "ledger.sqlite3")) as ledger:
            given = Given(ledger, folder / "index", self._config, self._policies, time.time, print, False, make)
            with closing(MemoryHome(given)) as memory:
                yield memory


class Turns:
    """Which turn a row belongs to: a long line has several rows, one after the other."""

    def __init__(self, rows: Sequence[int], turns: Sequence[str]) -> None:
        # A line without words has row 0.
        self._starts = sorted((row, turn) for row, turn in zip(rows, turns, strict=True) if row)

    def of(self, row: int) -> str:
        return self._starts[bisect_right(self._starts, row, key=lambda start: start[0]) - 1][1]


def told(memory: MemoryHome, lines: Sequence[tuple[str, Line]]) -> Turns:
    """Store and index what was said, each line with the id of its turn."""
    rows = memory.passages.add_said("bench", [line for _, line in lines])
    memory.drain(AbortSignal())
    return Turns(rows, [turn for turn, _ in lines])


def first(memory: MemoryHome, question: str, turns: Turns, count: int, min_score: float) -> list[str]:
    """The turns of the best passages, each once, `count` of them at most."""
    results, degraded = memory.search(Search(question), top_k=2 * count, min_score=min_score, abort=AbortSignal())
    if degraded:
        sys.exit(f"no vectors: {degraded}")
    found = dict.fromkeys(turns.of(result.passage.row) for result in results)
    return list(found)[:count]


def conversation(scratch: Scratch, data: Json, min_score: float) -> list[Figures]:
    lines = [
        (str(turn["id"]), Line(str(turn["text"]), str(turn["speaker"]), when(str(turn["when"]))))
        for turn in cast(Sequence[Json], data["turns"])
    ]
    rows = []
    with scratch.memory() as memory:
        turns = told(memory, lines)
        for asked in cast(Sequence[Json], data["questions"]):
            question, evidence = str(asked["question"]), [str(one) for one in cast(Sequence[str], asked["evidence"])]
            if not evidence:
                continue
            found = first(memory, question, turns, 10, min_score)
            block = memory.block(question, BLOCK_TOKENS, min_score, scratch.count)
            rows.append(
                {
                    "recall@5": share(found[:5], evidence),
                    "recall@10": share(found, evidence),
                    "block700": share(map(turns.of, block.rows), evidence),
                }
            )
    return rows


def user(scratch: Scratch, data: Json, min_score: float) -> list[Figures]:
    lines = []
    for turn in cast(Sequence[Json], data["turns"]):
        said = when(str(turn["date"]))
        lines += [(str(turn["id"]), Line(str(turn[role]), role, said)) for role in ("user", "assistant") if turn[role]]
    rows = []
    with scratch.memory() as memory:
        turns = told(memory, lines)
        for asked in cast(Sequence[Json], data["questions"]):
            question, evidence = str(asked["question"]), [str(one) for one in cast(Sequence[str], asked["evidence"])]
            if evidence:
                found = share(first(memory, question, turns, 5, min_score), evidence)
                rows.append({"recall@5": found, "any@5": float(found > 0)})
    return rows


def calibration(scratch: Scratch) -> Figures:
    """Balanced accuracy for each language of the labelled pairs (label, language, topic, query, text)."""
    abort = AbortSignal()
    hits: dict[tuple[str, bool], list[bool]] = {}
    with scratch.memory() as memory:
        embedder = memory.embedder(abort)
        for row in PAIRS.read_text(encoding="utf-8").splitlines():
            label, language, _, query, text = row.split("\t")
            cosine = float((embedder.embed_queries([query], abort) @ embedder.embed_passages([text], abort).T)[0, 0])
            related = label == "related"
            hits.setdefault((language, related), []).append((embedder.score(cosine) >= 0.45) == related)
    return {
        language: round(statistics.fmean(statistics.fmean(hits[language, related]) for related in (True, False)), 4)
        for language in sorted({language for language, _ in hits})
    }


def measure(data: Path, only: str | None, embedder: str, min_score: float, progress: bool) -> dict[str, object]:
    results: dict[str, object] = {}
    with tempfile.TemporaryDirectory() as name:
        made = Scratch(Path(name), embedder)
        if only in (None, "locomo"):
            rows: list[Figures] = []
            for path in sorted(data.glob("locomo/*.json")):
                rows += conversation(made, json.loads(path.read_text(encoding="utf-8")), min_score)
                if progress:
                    print(f"{path.stem}: {mean(rows)}", file=sys.stderr)
            results["locomo"] = {**mean(rows), "questions": len(rows)}
        if only in (None, "memorybank"):
            bank: dict[str, Figures] = {}
            for language in ("en", "cn"):
                path = data / "memorybank" / f"{language}.json"
                if path.exists():
                    users = json.loads(path.read_text(encoding="utf-8"))["users"]
                    found = [row for one in users for row in user(made, one, min_score)]
                    bank[language] = {**mean(found), "questions": len(found)}
            results["memorybank"] = bank
        if only in (None, "calibration") and PAIRS.exists():
            results["calibration"] = calibration(made)
    return results


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--data", type=Path, default=Path(os.environ.get("LOCALAGENT_EVAL_DATA", "../shared/eval")))
    parser.add_argument("--json", action="store_true")
    parser.add_argument("--embedder", default="embedded")
    parser.add_argument("--min-score", type=float, default=MIN_SCORE)
    parser.add_argument("--only", choices=("locomo", "memorybank", "calibration"))
    chosen = parser.parse_args()
    if not any(chosen.data.glob("*/*.json")):
        print(f"skip recall: no data in {chosen.data} (--data, LOCALAGENT_EVAL_DATA)")
        return
    results = measure(chosen.data, chosen.only, chosen.embedder, chosen.min_score, not chosen.json)
    print(json.dumps(results, indent=2))


if __name__ == "__main__":
    main()
