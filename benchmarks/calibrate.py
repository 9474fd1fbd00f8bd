"""The calibrations that ship with localagent: measure one anew, compare it, and see what it separates.

python -m benchmarks.calibrate [--embedder embedded|words] [--write] [--json]      about 15 s

--write replaces localagent/memory/EMBEDDER.calibration; needed when the background, the method or the model changes
(raise `calibration.VERSION` for the first two).
"""

from __future__ import annotations

import argparse
import json
from collections.abc import Callable
from pathlib import Path
from typing import TypedDict

from localagent.abort import AbortSignal
from localagent.memory import calibration
from localagent.memory.calibration import Calibrated, Calibration
from localagent.memory.embedded import EmbeddedE5
from localagent.memory.embedding import Embedder, Fingerprint, RawEmbedder
from localagent.memory.word_embedder import WordEmbedder

PAIRS = Path(__file__).resolve().parent.parent / "tests" / "memory" / "labelled_pairs.tsv"
SHIPPED: dict[str, Callable[[], RawEmbedder]] = {"embedded": EmbeddedE5, "words": WordEmbedder}
LANGUAGES = {"en": "English", "zh": "Chinese", "xx": "across both"}


class Separation(TypedDict):
    """Shares, 0-1: of related pairs with a score of at least 0.45, of unrelated ones below it, and their mean."""

    related: float
    unrelated: float
    balanced: float


def separation(embedder: Embedder, path: Path = PAIRS) -> dict[str, Separation]:
    """By language, over pairs: related or unrelated, language, how it was made, question, passage; tabs between."""
    rows = [line.split("\t") for line in path.read_text(encoding="utf-8").splitlines()]
    abort = AbortSignal()
    questions = embedder.embed_queries([row[3] for row in rows], abort)
    passages = embedder.embed_passages([row[4] for row in rows], abort)
    above = [
        embedder.score(float(q @ p)) >= calibration.SEPARATING_SCORE for q, p in zip(questions, passages, strict=True)
    ]
    result: dict[str, Separation] = {}
    for language in dict.fromkeys(row[1] for row in rows):
        kept = [said for row, said in zip(rows, above, strict=True) if row[:2] == ["related", language]]
        other = [said for row, said in zip(rows, above, strict=True) if row[:2] == ["unrelated", language]]
        related, unrelated = sum(kept) / len(kept), 1 - sum(other) / len(other)
        result[language] = {"related": related, "unrelated": unrelated, "balanced": (related + unrelated) / 2}
    return result


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--embedder", choices=SHIPPED, default="embedded")
    parser.add_argument("--write", action="store_true")
    parser.add_argument("--json", action="store_true")
    arguments = parser.parse_args()

    raw = SHIPPED[arguments.embedder]()
    plain = raw.load(AbortSignal())
    fingerprint = Fingerprint(plain.name, f"{plain.version}+{calibration.VERSION}", plain.dimension)
    old = calibration.shipped(fingerprint)
    measured = calibration.measure(raw, AbortSignal())
    if arguments.write:
        path = Path(calibration.__file__).with_name(f"{fingerprint.name}.calibration")
        path.write_bytes(str(fingerprint).encode() + b"\n" + measured.to_bytes())
    before = Calibration.from_bytes(old, fingerprint.dimension) if old is not None else None
    new = measured.to_bytes()
    found = separation(Calibrated(raw, lambda _: new, lambda _, __: None))
    numbers = {
        "fingerprint": str(fingerprint),
        "cut": measured.cut,
        "top": measured.top,
        "shipped_cut": before.cut if before else None,
        "shipped_top": before.top if before else None,
        "separation": found,
    }
    if arguments.json:
        print(json.dumps(numbers))
        return
    print(f"{fingerprint}: score 0.45 at cosine {measured.cut:.4f}, 1 at {measured.top:.4f}")
    print(f"shipped: {before.cut:.4f}, {before.top:.4f}" if before else "shipped: none for this embedder")
    for language, shares in found.items():
        print(
            f"{LANGUAGES.get(language, language):12} balanced {shares['balanced']:.3f}"
            f"   related kept {shares['related']:.3f}   unrelated dropped {shares['unrelated']:.3f}"
        )


if __name__ == "__main__":
    main()
