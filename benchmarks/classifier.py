"""The classifier of memory: how well it does on sentences that it was not made from, and the making of its weights.

    python -m benchmarks.classifier [--write] [--json] [--errors]

`classifier_data/` has, in English and Chinese, sentences by topic, each with its kind (`p` profile, `w` preference,
`h` habit, `r` relationship, `e` event, `d` decision, `t` todo, `f` fact, `-` nothing to remember), and pairs of
statements: `r` the second takes the place of the first, `p` of a part of it, `k` both hold. Sentences of `wishes` are
wishes of silence: `h` that something is not to be noted or told, `j` with what it is about, `x` that something it names
is to be forgotten, `-` none. All were written for this project; neighbours are about one topic. Everything is measured
with the weights of the other topics (eight parts). Random pairs of far topics are added to those that both hold: most
entries have nothing to do with what is said. `lives` are what one person says in a year, message by message: `new`,
`detail`, `nothing`, or that it `replaces`, or changes a `part` of, earlier ones, the numbers of these, and of those
that it may touch. Of each message the earlier ones that are nearest in meaning, and hold, are pairs as well.

`--write` makes localagent/memory/classifier.npz of all of them.
"""

from __future__ import annotations

import argparse
import json
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

import numpy as np

from benchmarks.classifier_fit import Mask, Numbers, Rows, fit
from localagent.abort import AbortSignal
from localagent.heard import LEAST
from localagent.linking import BESIDE, REPLACED, facts
from localagent.memory.calibration import Calibrated
from localagent.memory.embedded import EmbeddedE5
from localagent.memory.embedding import Vectors
from localagent.memory.trained_classifier import (
    ALIKE,
    DIRECTIONS,
    KINDS,
    SILENCES,
    Weights,
    alike,
    pair_rows,
    sentence_rows,
    unended,
    words,
)
from localagent.second_look import NOTED

DATA = Path(__file__).with_name("classifier_data")
LANGUAGES = ("en", "zh")
LETTERS = "-pwhredtf"
SILENCE_LETTERS = "-hjx"
PARTS = 8
# Pairs of one topic stand together: so many lines are one part.
NEIGHBOURS = 10
RANDOM_PAIRS = 3
RANDOM_WEIGHT = 0.4
# Of a message of a life, so many earlier ones that hold.
NEAR_PAIRS = 8
NEAR_WEIGHT = 0.5


@dataclass(frozen=True)
class Sentence:
    text: str
    kind: int
    group: str


@dataclass(frozen=True)
class Pair:
    old: str
    new: str
    label: str
    group: str
    weight: float = 1.0


def sentences(name: str, letters: str) -> list[Sentence]:
    """`kind` is the place of its letter."""
    found: list[Sentence] = []
    for language in LANGUAGES:
        group = ""
        for line in (DATA / f"{name}.{language}.txt").read_text(encoding="utf-8").splitlines():
            if line.startswith("#"):
                group = line[1:]
            elif line:
                letter, text = line.split("|", 1)
                found.append(
                    Sentence(unended(text), letters.index(letter), group)
                )  # both languages of a topic are one part
    return found


def pairs() -> list[Pair]:
    chance = np.random.default_rng(0)
    found: list[Pair] = []
    for language in LANGUAGES:
        lines = (DATA / f"pairs.{language}.txt").read_text(encoding="utf-8").splitlines()
        split = [[unended(part) for part in line.split("|")] for line in lines if line]
        for at, (label, old, new) in enumerate(split):
            group = f"{language}{at // NEIGHBOURS}"
            found.append(Pair(old, new, label, group))
            for other in chance.integers(len(split), size=RANDOM_PAIRS):
                if abs(other - at) > NEIGHBOURS:
                    found.append(Pair(split[other][1], new, "random", group, RANDOM_WEIGHT))
    return found


@dataclass(frozen=True)
class Told:
    """A message of a life. `outdates` and `may` (it may touch them as well) are places of earlier ones, `label` is `r`
    or `p`, "" of what is not noted, else `k`."""

    text: str
    label: str
    outdates: list[int]
    may: list[int]


def lives() -> dict[str, list[Told]]:
    found: dict[str, list[Told]] = {}
    labels = {"new": "k", "detail": "k", "nothing": "", "replaces": "r", "part": "p"}
    for language in LANGUAGES:
        name = ""
        for line in (DATA / f"lives.{language}.txt").read_text(encoding="utf-8").splitlines():
            if line.startswith("#"):
                name = f"{language} {line[1:]}"
                found[name] = []
            elif line:
                kind, of, may, text = line.split("|", 3)
                found[name].append(Told(unended(text), labels[kind], _places(of), _places(may)))
    return found


def _places(numbers: str) -> list[int]:
    return [int(number) - 1 for number in numbers.split(",") if number]


def pairs_of_life(life: Sequence[Told], name: str, vectors: Vectors) -> Iterator[Pair]:
    """`vectors`: of its messages. Pairs that hold are labelled `near`."""
    outdated: set[int] = set()
    for at, told in enumerate(life):
        if told.label:
            yield from (Pair(life[of].text, told.text, told.label, name) for of in told.outdates)
            outdated |= set(told.outdates) if told.label == "r" else set()
            others = outdated.union(told.outdates, told.may)
            kept = [one for one in range(at) if life[one].label and one not in others]
            nearest = sorted(kept, key=lambda one: -float(vectors[one] @ vectors[at]))[:NEAR_PAIRS]
            yield from (Pair(life[one].text, told.text, "near", name, NEAR_WEIGHT) for one in nearest)


class Data:
    """Everything with its vectors."""

    def __init__(self) -> None:
        self.sentences = sentences("sentences", LETTERS)
        written, told = pairs(), lives()
        # Most of what is said is no wish of silence.
        self.wishes = [*sentences("wishes", SILENCE_LETTERS), *(replace(one, kind=0) for one in self.sentences)]
        texts = list(
            dict.fromkeys(
                [one.text for one in (*self.sentences, *self.wishes)]
                + [text for pair in written for text in (pair.old, pair.new)]
                + [one.text for life in told.values() for one in life]
            )
        )
        embedder = Calibrated(EmbeddedE5(), lambda fingerprint: None, lambda fingerprint, data: None)
        embedder.load(AbortSignal())
        self._vectors = dict(zip(texts, embedder.embed_passages(texts, AbortSignal()), strict=True))
        embedder.close()
        self.pairs = list(written)
        for name, life in told.items():
            self.pairs += pairs_of_life(life, name, self.of([one.text for one in life]))
        self.rows, self.wish_rows = self.rows_of(self.sentences), self.rows_of(self.wishes)
        self.kinds = np.array([one.kind for one in self.sentences])
        self.silences = np.array([one.kind for one in self.wishes])
        self.outdated = np.array([int(pair.label in "rp") for pair in self.pairs])
        self.weights = np.array([pair.weight for pair in self.pairs])
        self._facts = np.array([facts(pair.new, pair.old) for pair in self.pairs])
        self.older = self.of([pair.old for pair in self.pairs])
        self.newer = self.of([pair.new for pair in self.pairs])

    def of(self, texts: Sequence[str]) -> Vectors:
        return np.stack([self._vectors[text] for text in texts])

    def rows_of(self, some: Sequence[Sentence]) -> Rows:
        texts = [one.text for one in some]
        return Rows(sentence_rows(self.of(texts), texts), [words(text) for text in texts])

    def made(self, sentences_of: Mask, wishes_of: Mask, pairs_of: Mask) -> Weights:
        """Of some sentences, wishes and pairs; what is not alike is never asked about."""
        pairs_of = pairs_of & (alike(self.older, self.newer) >= ALIKE)
        real = pairs_of & np.array([pair.label not in ("random", "near") for pair in self.pairs])
        both = np.vstack([self.older[real], self.newer[real]]).astype(np.float64)
        _, _, directions = np.linalg.svd(both - both.mean(axis=0), full_matrices=False)
        mean, deviation = self._facts[pairs_of].mean(axis=0), self._facts[pairs_of].std(axis=0) + 1e-6
        directions = directions[:DIRECTIONS].T
        rows = self.pair_rows(pairs_of, directions, mean, deviation)
        return Weights(
            fit(self.rows.of(sentences_of), self.kinds[sentences_of], 1 + len(KINDS)),
            fit(self.wish_rows.of(wishes_of), self.silences[wishes_of], 1 + len(SILENCES)),
            fit(Rows(rows), self.outdated[pairs_of], 2, self.weights[pairs_of]),
            directions,
            mean,
            deviation,
        )

    def pair_rows(self, of: Mask, directions: Numbers, mean: Numbers, deviation: Numbers) -> Numbers:
        return pair_rows(self.older[of], self.newer[of], (self._facts[of] - mean) / deviation, directions)


def parts_of(groups: Sequence[str]) -> Iterator[Mask]:
    """Masks of what is measured, eight; a group is in one of them."""
    names = sorted(set(groups))
    np.random.default_rng(0).shuffle(names)
    for part in range(PARTS):
        chosen = set(names[part::PARTS])
        yield np.array([group in chosen for group in groups])


@dataclass(frozen=True)
class Measured:
    """Probabilities of the kinds and of the wishes of each sentence, and of each pair; from the other parts."""

    kinds: Numbers
    silences: Numbers
    outdated: Numbers


def measured(data: Data) -> Measured:
    kinds = np.zeros((len(data.sentences), 1 + len(KINDS)))
    silences = np.zeros((len(data.wishes), 1 + len(SILENCES)))
    outdated = np.zeros(len(data.pairs))
    parts = (parts_of([one.group for one in some]) for some in (data.sentences, data.wishes, data.pairs))
    for some, wishes, others in zip(*parts, strict=True):
        weights = data.made(~some, ~wishes, ~others)
        sentence, wish = data.rows.of(some), data.wish_rows.of(wishes)
        kinds[some] = weights.kinds.likely(sentence.dense, sentence.words)
        silences[wishes] = weights.silences.likely(wish.dense, wish.words)
        pair = data.pair_rows(others, weights.directions, weights.mean, weights.deviation)
        outdated[others] = weights.outdated.likely(pair)[:, 1]
    outdated *= alike(data.older, data.newer) >= ALIKE
    return Measured(kinds, silences, outdated)


def report(data: Data, found: Measured) -> dict[str, float]:
    guess = 1 + found.kinds[:, 1:].argmax(axis=1)
    noted = 1 - found.kinds[:, 0] >= NOTED
    wish = 1 + found.silences[:, 1:].argmax(axis=1)
    heard = 1 - found.silences[:, 0] >= np.array([LEAST[silence] for silence in SILENCES])[wish - 1]
    wished, near_misses = data.silences > 0, np.arange(len(data.wishes)) < len(data.wishes) - len(data.sentences)
    outdated = found.outdated
    worth = data.kinds > 0
    label = np.array([pair.label for pair in data.pairs])
    changed, hard, random, near = np.isin(label, ("r", "p")), label == "k", label == "random", label == "near"
    of_lives = np.array([" " in pair.group for pair in data.pairs])
    return {
        "sentences": float(len(data.sentences)),
        "noted of what is worth it": float(noted[worth].mean()),
        "noted of what is not": float(noted[~worth].mean()),
        "right kind of the noted": float((guess == data.kinds)[noted & worth].mean()),
        "wishes of silence": float(wished.sum()),
        "heard of the wishes": float(heard[wished].mean()),
        "heard of what is near to one": float(heard[near_misses & ~wished].mean()),
        "heard of other sentences": float(heard[~near_misses].mean()),
        "right wish of the heard": float((wish == data.silences)[heard & wished].mean()),
        "pairs": float((changed | hard).sum()),
        "replaced of what is outdated": float((outdated[changed] >= REPLACED).mean()),
        "replaced or beside": float((outdated[changed] >= BESIDE).mean()),
        "replaced of what still holds": float((outdated[hard] >= REPLACED).mean()),
        "replaced or beside of what still holds": float((outdated[hard] >= BESIDE).mean()),
        "replaced or beside of something else": float((outdated[random] >= BESIDE).mean()),
        "of lives: replaced of what is outdated": float((outdated[changed & of_lives] >= REPLACED).mean()),
        "of lives: replaced or beside": float((outdated[changed & of_lives] >= BESIDE).mean()),
        "of lives: replaced of what is near": float((outdated[near] >= REPLACED).mean()),
        "of lives: replaced or beside of what is near": float((outdated[near] >= BESIDE).mean()),
    }


def errors(data: Data, found: Measured) -> Iterator[str]:
    for one, row in zip(data.wishes, found.silences, strict=True):
        guess = int(row[1:].argmax()) + 1
        if (1 - row[0] >= LEAST[SILENCES[guess - 1]]) != bool(one.kind) or (one.kind and guess != one.kind):
            yield f"{SILENCE_LETTERS[one.kind]}{SILENCE_LETTERS[guess]} {1 - row[0]:.2f} | {one.text}"
    for one, row in zip(data.sentences, found.kinds, strict=True):
        if (not one.kind and 1 - row[0] >= NOTED) or (one.kind and row[0] >= NOTED):
            yield f"{LETTERS[one.kind]} {1 - row[0]:.2f} | {one.text}"
    for pair, value in zip(data.pairs, found.outdated, strict=True):
        if (value >= BESIDE) != (pair.label in "rp"):
            yield f"{pair.label} {value:.2f} | {pair.old} | {pair.new}"


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--write", action="store_true", help="make the weights of all the data")
    parser.add_argument("--json", action="store_true")
    parser.add_argument("--errors", action="store_true", help="what was taken wrongly")
    given = parser.parse_args()
    data = Data()
    if given.write:
        all_of = (np.ones(len(some), bool) for some in (data.sentences, data.wishes, data.pairs))
        data.made(*all_of).save()
    found = measured(data)
    if given.errors:
        print("\n".join(errors(data, found)))
    figures = report(data, found)
    if given.json:
        print(json.dumps(figures))
    else:
        for name, value in figures.items():
            print(f"{name:42} {value:.0f}" if value > 1 else f"{name:42} {value:.3f}")


if __name__ == "__main__":
    main()
