"""Fitting the classifier's weights: logistic regression of sentences, a small network of pairs."""

from __future__ import annotations

from collections.abc import Callable, Sequence

import numpy as np
import numpy.typing as npt

from localagent.memory.linear_classifier import PLACES, WORDS_SCALE, softmax

# Weight of what keeps numbers small, of the kinds and, a step, of the pairs. Chosen by `benchmarks.classifier`, as are
# the numbers of the network.
KINDS_DECAY = 0.001
PAIRS_DECAY = 0.003
HIDDEN = 128
ROUNDS = 16
BATCH = 128
FASTEST = 0.002
DROPPED = 0.5

Numbers = npt.NDArray[np.float64]
Small = npt.NDArray[np.float32]
Mask = npt.NDArray[np.bool_]


class Rows:
    """What is told from. `dense`: (rows, columns), its last column is 1; before these columns stand, of sentences, the
    8,192 places of words, of which few are not 0: `words` are those of each row."""

    def __init__(self, dense: Numbers, words: Sequence[Sequence[int]] = ()) -> None:
        self._dense, self._words = dense.astype(np.float32), words
        counts = np.array([len(row) for row in words], np.int64)
        self._at = np.array([place for row in words for place in row], np.int64)
        self._starts = np.cumsum(counts) - counts
        self._value = WORDS_SCALE / np.sqrt(counts)
        self._row = np.repeat(np.arange(len(words)), counts)
        self.columns = dense.shape[1] + (PLACES if words else 0)

    def of(self, some: Mask) -> Rows:
        words = [row for row, taken in zip(self._words, some, strict=True) if taken] if self._words else ()
        return Rows(self._dense[some].astype(np.float64), words)

    def times(self, table: Numbers) -> Numbers:
        """Shape (rows, classes), of a table (columns, classes)."""
        dense = (self._dense @ table[-self._dense.shape[1] :].astype(np.float32)).astype(np.float64)
        if not self._words:
            return dense
        return dense + np.add.reduceat(table[self._at], self._starts) * self._value[:, None]

    def turned(self, values: Numbers) -> Numbers:
        """The transpose times values (rows, classes)."""
        dense = (self._dense.T @ values.astype(np.float32)).astype(np.float64)
        if not self._words:
            return dense
        worth = (values * self._value[:, None])[self._row]
        words = [np.bincount(self._at, weights=column, minlength=PLACES) for column in worth.T]
        return np.vstack([np.stack(words, axis=1), dense])


def fit_kinds(rows: Rows, labels: npt.NDArray[np.int64], classes: int) -> Numbers:
    """Multinomial logistic regression, shape (columns, classes), by L-BFGS (Nocedal 1980); the last column, 1, is not
    kept small."""
    kept_small = np.full((rows.columns, 1), KINDS_DECAY)
    kept_small[-1] = 0
    wanted = np.eye(classes)[labels]

    def slope(at: Numbers) -> tuple[float, Numbers]:
        table = at.reshape(-1, classes)
        likely = softmax(rows.times(table))
        loss = -np.log(np.maximum(likely[np.arange(len(labels)), labels], 1e-300)).mean()
        gradient = rows.turned((likely - wanted) / len(labels)) + kept_small * table
        return float(loss + (kept_small * table * table).sum() / 2), gradient.ravel()

    return _minimum(slope, np.zeros(rows.columns * classes)).reshape(-1, classes)


def _minimum(slope: Callable[[Numbers], tuple[float, Numbers]], at: Numbers) -> Numbers:
    value, gradient = slope(at)
    steps: list[tuple[Numbers, Numbers]] = []
    for _ in range(300):
        direction = gradient.copy()
        used: list[float] = []
        for moved, turned in reversed(steps):
            used.append(float(moved @ direction / (turned @ moved)))
            direction -= used[-1] * turned
        if steps:
            direction *= steps[-1][0] @ steps[-1][1] / (steps[-1][1] @ steps[-1][1])
        for (moved, turned), part in zip(steps, reversed(used), strict=True):
            direction += moved * (part - turned @ direction / (turned @ moved))
        length = 1.0
        while True:
            there = at - length * direction
            lower, turned_to = slope(there)
            if lower <= value - 1e-4 * length * (gradient @ direction) or length < 1e-8:
                break
            length /= 2
        moved, turned = there - at, turned_to - gradient
        if moved @ turned > 1e-12:
            steps = [*steps, (moved, turned)][-12:]
        done = abs(value - lower) < 1e-6
        at, value, gradient = there, lower, turned_to
        if done:
            break
    return at


def fit_pairs(rows: Numbers, labels: npt.NDArray[np.int64], weights: Numbers) -> tuple[Numbers, Numbers]:
    """A layer of rectified units beside the row itself, both summed: their weights, shape (columns, 128), and those of
    the sum, (128 + columns). By Adam (Kingma and Ba 2015), with decay apart from it (Loshchilov and Hutter 2019) and
    half of each row dropped (Srivastava and others 2014). The last column is 1."""
    mean, deviation = rows.mean(axis=0), rows.std(axis=0) + 1e-6
    mean[-1], deviation[-1] = 0, 1
    normal = ((rows - mean) / deviation).astype(np.float32)
    chance = np.random.default_rng(0)
    columns = normal.shape[1]
    hidden: Small = chance.normal(0, columns**-0.5, (columns, HIDDEN)).astype(np.float32)
    hidden[-1] = 0
    steps = Adam([hidden, np.zeros(HIDDEN, np.float32), np.zeros(columns, np.float32)])
    for round_ in range(ROUNDS):
        rate = FASTEST * (1 - round_ / ROUNDS)
        for some in np.array_split(chance.permutation(len(normal)), max(1, len(normal) // BATCH)):
            hidden, of_units, of_row = steps.at
            kept = chance.random((len(some), columns), np.float32) > DROPPED
            row = normal[some] * kept / np.float32(1 - DROPPED)
            row[:, -1] = 1
            units = np.maximum(row @ hidden, 0)
            likely = 1 / (1 + np.exp(-(units @ of_units + row @ of_row)))
            wrong = ((likely - labels[some]) * weights[some] / len(some)).astype(np.float32)
            to_units = np.outer(wrong, of_units) * (units > 0)
            steps.step([row.T @ to_units, units.T @ wrong, row.T @ wrong], rate)
    # So that rows need not be made normal.
    to_units = steps.at[0] / deviation[:, None]
    to_units[-1] -= mean @ to_units
    of_row = steps.at[2] / deviation
    of_row[-1] -= mean @ of_row
    return to_units, np.concatenate([steps.at[1].astype(np.float64), of_row])


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
            at -= (rate * (far + PAIRS_DECAY * at)).astype(np.float32)
