"""Fitting the classifier's networks."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import numpy.typing as npt

from localagent.memory.network import PLACES, WORDS_SCALE, Network, softmax

# Chosen by `benchmarks.classifier`.
UNITS = 128
ROUNDS = 14
BATCH = 128
FASTEST = 0.002
DECAY = 0.003
# So much of each row, and of its words, is left out in each step.
DROPPED = 0.4
WORDS_DROPPED = 0.5

Numbers = npt.NDArray[np.float64]
Small = npt.NDArray[np.float32]
Places = npt.NDArray[np.int64]
Mask = npt.NDArray[np.bool_]


class Rows:
    """What is told from. `dense`: (rows, columns), its last column is 1; `words`: places of the words of each row."""

    def __init__(self, dense: Numbers, words: Sequence[Places] = ()) -> None:
        self.dense, self.words = dense, words

    def of(self, some: Mask) -> Rows:
        return Rows(self.dense[some], [row for row, taken in zip(self.words, some, strict=False) if taken])


def fit(rows: Rows, labels: Places, classes: int, weights: Numbers | None = None) -> Network:
    """By Adam (Kingma and Ba 2015), with decay apart from it (Loshchilov and Hutter 2019) and parts of each row left
    out (Srivastava and others 2014). `weights`: how much each row counts."""
    mean, deviation = rows.dense.mean(axis=0), rows.dense.std(axis=0) + 1e-6
    mean[-1], deviation[-1] = 0, 1
    normal = ((rows.dense - mean) / deviation).astype(np.float32)
    counts = (np.ones(len(labels)) if weights is None else weights).astype(np.float32)
    wanted = np.eye(classes, dtype=np.float32)[labels]
    chance = np.random.default_rng(0)
    columns = normal.shape[1]
    fitted = Adam(
        [
            chance.normal(0, columns**-0.5, (columns, UNITS)).astype(np.float32),
            np.zeros((UNITS, classes), np.float32),
            np.zeros((columns, classes), np.float32),
            np.zeros((PLACES if rows.words else 0, classes), np.float32),
        ]
    )
    for round_ in range(ROUNDS):
        rate = FASTEST * (1 - round_ / ROUNDS)
        for some in np.array_split(chance.permutation(len(normal)), max(1, len(normal) // BATCH)):
            hidden, of_units, direct, of_words = fitted.at
            kept = chance.random((len(some), columns), np.float32) > DROPPED
            row = normal[some] * kept / np.float32(1 - DROPPED)
            row[:, -1] = 1
            units = np.maximum(row @ hidden, 0)
            at, where, value = words_of([rows.words[one] for one in some] if rows.words else [], chance)
            values = units @ of_units + row @ direct
            np.add.at(values, where, of_words[at] * value)
            wrong = ((softmax(values) - wanted[some]) * counts[some, None] / len(some)).astype(np.float32)
            to_units = (wrong @ of_units.T) * (units > 0)
            to_words = np.zeros_like(of_words)
            np.add.at(to_words, at, wrong[where] * value)
            fitted.step([row.T @ to_units, units.T @ wrong, row.T @ wrong, to_words], rate)
    # So that rows need not be made normal.
    to_units, to_classes = fitted.at[0] / deviation[:, None], fitted.at[2] / deviation[:, None]
    to_units[-1] -= mean @ to_units
    to_classes[-1] -= mean @ to_classes
    return Network(to_units, fitted.at[1].astype(np.float64), to_classes, fitted.at[3].astype(np.float64))


def words_of(rows: Sequence[Places], chance: np.random.Generator) -> tuple[Places, Places, Small]:
    """Of some rows' words a part: their places, the row of each, and how much it counts, shape (words, 1)."""
    kept = [row[chance.random(len(row)) > WORDS_DROPPED] for row in rows]
    counts = np.array([len(row) for row in kept], np.int64)
    at = np.concatenate([np.zeros(0, np.int64), *kept])
    value = np.repeat(WORDS_SCALE / np.sqrt(np.maximum(counts, 1)), counts)
    return at, np.repeat(np.arange(len(rows)), counts), value[:, None].astype(np.float32)


class Adam:
    """`at`: what is fitted."""

    def __init__(self, at: list[Small]) -> None:
        self.at = at
        self._mean = [np.zeros_like(one) for one in at]
        self._square = [np.zeros_like(one) for one in at]
        self._taken = 0

    def step(self, slopes: Sequence[Small], rate: float) -> None:
        self._taken += 1
        for at, mean, square, slope in zip(self.at, self._mean, self._square, slopes, strict=True):
            mean += 0.1 * (slope - mean)
            square += 0.001 * (slope * slope - square)
            far = mean / (1 - 0.9**self._taken) / (np.sqrt(square / (1 - 0.999**self._taken)) + 1e-8)
            at -= (rate * (far + DECAY * at)).astype(np.float32)
