"""Counting tokens without the model's tokenizer: by kinds of characters, corrected by what the server reports.

A text is reduced to a few counts (words, letters beyond the sixth, Han characters, runs of punctuation ...). The
tokens are a weighted sum of them. The weights start from values that lie between those of current tokenizers; each
report of the server moves them, by recursive least squares on the relative error (a Kalman filter): each weight only
as far as its own uncertainty allows, so that an English chat does not spoil what will be said about Chinese.
"""

from __future__ import annotations

import contextlib
import hashlib
import math
import re
import threading
from collections import OrderedDict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import NamedTuple, TypeAlias

from localagent.errors import StorageError
from localagent.models.base import Calibration

Vector: TypeAlias = tuple[float, ...]


class _Feature(NamedTuple):
    """`weight` in tokens each, before anything is known of a model; `spread`: its relative standard deviation."""

    name: str
    weight: float
    spread: float


_FEATURES = (
    _Feature("word", 1.0, 0.12),  # a hump of a CamelCaseName is a word of its own
    _Feature("long", 0.07, 0.5),  # letters beyond the sixth
    _Feature("caps", 0.13, 0.6),  # further letters of WORDS in capitals
    _Feature("accent", 0.75, 0.4),  # Latin letters beyond a to z
    _Feature("digit", 0.75, 0.6),
    _Feature("number", 0.6, 0.8),  # runs of digits
    _Feature("line", 1.0, 0.35),  # runs of line ends
    _Feature("gap", 0.15, 1.0),  # other runs of white space, a single blank apart
    _Feature("punct", 0.85, 0.3),  # runs of ASCII punctuation
    _Feature("more_punct", 0.23, 0.4),  # its further characters
    _Feature("han", 0.65, 0.6),
    _Feature("cjk_punct", 1.1, 0.3),
    _Feature("kana", 0.75, 0.6),
    _Feature("hangul", 0.9, 0.6),
    _Feature("other_letter", 0.22, 0.6),  # bytes in UTF-8
    _Feature("symbol", 0.4, 0.6),  # emoji and all the rest: bytes in UTF-8
    # What the chat template adds.
    _Feature("message", 4.5, 0.4),
    _Feature("tool", 12.0, 0.8),
    _Feature("tools", 110.0, 0.8),  # once, if there are any
    _Feature("prompt", 4.0, 2.0),  # once
)
_INDEX = {feature.name: index for index, feature in enumerate(_FEATURES)}
_PRIOR: Vector = tuple(feature.weight for feature in _FEATURES)
_SPREAD: Vector = tuple(feature.spread for feature in _FEATURES)
_SIZE = len(_FEATURES)
_TEXT_FEATURES = _INDEX["message"]  # as many come first

_HAN = "\u3400-\u4dbf\u4e00-\u9fff\uf900-\ufaff\U00020000-\U0003ffff"
_PIECE = re.compile(
    rf"""
 (?P<word>[A-Z]?[a-z]+)
|(?P<caps>[A-Z]+)
|(?P<digit>[0-9]+)
|(?P<blank>[ ]+)
|(?P<han>[{_HAN}]+)
|(?P<cjk_punct>[\u3000-\u303f\uff00-\uff65\u2014\u2018-\u201f\u2026\u00b7]+)
|(?P<line>\s*[\r\n]\s*)
|(?P<gap>\s+)
|(?P<punct>[!-/:-@\[-`{{-~]+)
|(?P<kana>[\u3040-\u30ff]+)
|(?P<hangul>[\u1100-\u11ff\uac00-\ud7af]+)
|(?P<accent>[\u00c0-\u024f]+)
|(?P<other_letter>[^\W\d_]+)
|(?P<symbol>[^\w\s]+|.)
""",
    re.VERBOSE | re.DOTALL,
)
_BY_RUN = frozenset({"word", "caps", "digit", "punct", "line", "gap", "blank"})
_BY_BYTE = frozenset({"other_letter", "symbol"})

# Tokenizers are not linear: what remains is about this much, relative, for one token and for a very long text.
# Measured with three real tokenizers on English, Chinese and code.
_NOISE_ONE, _NOISE_MANY = 0.6, 0.008
# How many standard deviations are reckoned with, and between which relative errors.
_DEVIATIONS, _LEAST_ERROR, _MOST_ERROR = 3.0, 0.05, 0.5
# After each report the weights it was about become a little uncertain again, as a share of their first spread.
_DRIFT = 0.01

# Kinds of text, as some thousand tokens of a chat in them. They are what is reckoned with for a prompt to come.
_KINDS: tuple[Mapping[str, float], ...] = (
    {"word": 1000, "long": 300, "punct": 160, "digit": 30, "number": 15, "line": 10},  # English
    {"word": 700, "long": 150, "caps": 150, "digit": 70, "number": 45, "line": 150, "gap": 100, "punct": 650}
    | {"more_punct": 250},  # code
    {"han": 1400, "cjk_punct": 150},
    {"kana": 800, "han": 400, "cjk_punct": 120},
    {"hangul": 1200, "punct": 80},
    {"other_letter": 5000, "punct": 160},  # Russian, Arabic, Hindi, Thai ...
)
# A kind is known once its error has shrunk to this share of what it was before any report: one report does that, or a
# few; reports on other kinds alone, however many, do not.
_KNOWN = 0.45
# The error to reckon with before any kind is known, and the most for a prompt to come: one that is too long after all
# is refused by the server with the true numbers; more caution would refuse requests that fit.
_FIRST_ERROR = 0.2


class _Seen:
    """The features of the latest texts, by their hashes: a text may have megabytes, and a thread has many."""

    def __init__(self, most: int) -> None:
        self._most = most
        self._known: OrderedDict[bytes, Vector] = OrderedDict()
        self._lock = threading.Lock()

    def features(self, text: str) -> Vector:
        key = hashlib.blake2b(text.encode("utf-8", "surrogatepass"), digest_size=16).digest()
        with self._lock:
            found = self._known.get(key)
            if found is not None:
                self._known.move_to_end(key)
                return found
        found = _features(text)
        with self._lock:
            self._known[key] = found
            if len(self._known) > self._most:
                self._known.popitem(last=False)
        return found


_SEEN = _Seen(4096)


def _features(text: str) -> Vector:
    counts = [0.0] * _SIZE
    index = _INDEX
    for match in _PIECE.finditer(text):
        kind = match.lastgroup or "symbol"
        length = match.end() - match.start()
        if kind not in _BY_RUN:
            counts[index[kind]] += (
                len(match.group().encode("utf-8", "surrogatepass")) if kind in _BY_BYTE else float(length)
            )
        elif kind == "word":
            counts[index["word"]] += 1
            counts[index["long"]] += max(0, length - 6)
        elif kind == "caps":
            counts[index["word"]] += 1
            counts[index["caps"]] += length - 1
        elif kind == "digit":
            counts[index["digit"]] += length
            counts[index["number"]] += 1
        elif kind == "punct":
            counts[index["punct"]] += 1
            counts[index["more_punct"]] += length - 1
        elif kind == "line":
            counts[index["line"]] += 1
            counts[index["gap"]] += text[match.end() - 1] not in "\r\n"
        elif length > 1 or kind == "gap":
            counts[index["gap"]] += 1
    return tuple(counts)


@dataclass(frozen=True, slots=True)
class PromptShape:
    """A prompt as an estimator sees it: how much of each feature it has. Make it with `PromptShape.of`."""

    features: Vector

    @classmethod
    def of(cls, texts: Iterable[str], *, messages: int, tools: int = 0) -> PromptShape:
        """`texts` are all that is sent: contents, arguments of calls, tool schemas."""
        total = [0.0] * _SIZE
        for text in texts:
            total = [left + right for left, right in zip(total, _SEEN.features(text), strict=True)]
        total[_INDEX["message"]] = float(messages)
        total[_INDEX["tool"]] = float(tools)
        total[_INDEX["tools"]] = float(tools > 0)
        total[_INDEX["prompt"]] = 1.0
        return cls(tuple(total))


_KIND_SHAPES = tuple(
    PromptShape(tuple({"message": 10.0, "prompt": 1.0, **kind}.get(feature.name, 0.0) for feature in _FEATURES))
    for kind in _KINDS
)


@dataclass(frozen=True, slots=True)
class Verdict:
    """What a server's report means. `counted` is our estimate, `error` the relative error reckoned with."""

    counted: int
    reported: int
    error: float

    @property
    def suspected_cut(self) -> bool:
        """The server read clearly fewer tokens than the prompt has: it left out a part without saying so."""
        return self.reported < self.counted * (1 - self.error)


class TokenEstimator:
    """Estimates for one model. `key` names it in the `Calibration`; without one nothing is kept between sessions."""

    def __init__(self, key: str, calibration: Calibration | None = None) -> None:
        self._key = key
        self._calibration = calibration
        self._lock = threading.Lock()
        self._suspect: Verdict | None = None
        # The deviation of each weight, relative to the prior, and its covariance.
        self._deviation = [0.0] * _SIZE
        self._covariance = _first_covariance()
        self._weights = self._positive_weights()
        self._first_errors = tuple(self._uncapped_error(kind) for kind in _KIND_SHAPES)
        if calibration is not None:
            self._restore(calibration.load(key))
        self._take_stock()

    @property
    def expected_error(self) -> float:
        """The relative error to reckon with for a prompt to come, 0.05 to 0.2: the worst one of the kinds of text
        that the server has reported on. It changes with reports alone."""
        return self._expected_error

    @property
    def tokens_per_message(self) -> int:
        """What the chat template adds around each message, rounded up."""
        return math.ceil(self._weights[_INDEX["message"]])

    def count(self, text: str) -> int:
        """Tokens of a text alone; at least 1 unless it is empty."""
        return max(1, round(_dot(self._weights, _SEEN.features(text)))) if text else 0

    def count_prompt(self, shape: PromptShape) -> int:
        return max(1, round(_dot(self._weights, shape.features)))

    def error(self, shape: PromptShape) -> float:
        """The relative error to reckon with for this prompt, 0.05 to 0.5: large for kinds of text of which the
        server has reported nothing yet, and for short prompts."""
        return min(_MOST_ERROR, max(_LEAST_ERROR, self._uncapped_error(shape)))

    def observe(self, shape: PromptShape, reported: int) -> Verdict:
        """Learn from the prompt tokens a server reported; from a suspected cut nothing is learned.

        Two suspicions in a row with the same ratio, on prompts of different length, are no cut (a cut pins the
        report to the window): then the weights are wrong, and corrected.
        """
        with self._lock:
            spread = min(self._uncapped_error(shape), 0.95)
            verdict = Verdict(self.count_prompt(shape), reported, max(_LEAST_ERROR, spread))
            if verdict.suspected_cut and not self._is_scale(verdict):
                self._suspect = verdict
                return verdict
            self._suspect = None
            if reported > 0:
                self._learn(shape.features, float(reported))
                self._take_stock()
                self._save()
            return Verdict(verdict.counted, reported, 1.0) if verdict.suspected_cut else verdict

    def _take_stock(self) -> None:
        """After the weights have changed: what follows from them."""
        self._weights = self._positive_weights()
        errors = zip(_KIND_SHAPES, self._first_errors, strict=True)
        known = [self.error(kind) for kind, first in errors if self._uncapped_error(kind) <= _KNOWN * first]
        self._expected_error = min(_FIRST_ERROR, max(known, default=_FIRST_ERROR))

    def _save(self) -> None:
        """Best effort: the answer whose report this is must not be lost because a disk is full."""
        if self._calibration is not None:
            with contextlib.suppress(StorageError):
                self._calibration.save(self._key, self._state())

    def _is_scale(self, verdict: Verdict) -> bool:
        before = self._suspect
        if before is None or verdict.reported <= 0:
            return False
        ratio = (verdict.reported / verdict.counted) / (before.reported / before.counted)
        growth = verdict.counted / before.counted
        return 0.95 < ratio < 1.05 and not 0.85 < growth < 1.15

    def _learn(self, features: Vector, reported: float) -> None:
        """One step of the filter: the relative deviations should make sum(weight * feature) / reported = 1."""
        share = [weight * count / reported for weight, count in zip(_PRIOR, features, strict=True)]
        missing = 1.0 - sum(share) - _dot(share, self._deviation)
        gain, variance = self._gain(share, reported)
        if missing**2 > _DEVIATIONS**2 * variance:
            self._open(abs(missing) / (_DEVIATIONS * math.sqrt(variance)))
            gain, variance = self._gain(share, reported)
        self._deviation = [
            min(20.0, max(-0.95, deviation + step * missing / variance))
            for deviation, step in zip(self._deviation, gain, strict=True)
        ]
        self._covariance = [
            [value - gain[row] * gain[column] / variance for column, value in enumerate(line)]
            for row, line in enumerate(self._covariance)
        ]
        for index, spread in enumerate(_SPREAD):
            if share[index] and self._covariance[index][index] < spread**2:
                self._covariance[index][index] += (_DRIFT * spread) ** 2

    def _gain(self, share: Sequence[float], reported: float) -> tuple[list[float], float]:
        gain = [_dot(row, share) for row in self._covariance]
        return gain, _dot(gain, share) + _noise(reported)

    def _open(self, factor: float) -> None:
        """After a surprise beyond what was reckoned with: the tokenizer is of a kind of its own, so doubt the weights
        of texts that much more. What a template adds is known better."""
        factors = [factor if index < _TEXT_FEATURES else 1.0 for index in range(_SIZE)]
        self._covariance = [
            [value * factors[row] * factors[column] for column, value in enumerate(line)]
            for row, line in enumerate(self._covariance)
        ]

    def _uncapped_error(self, shape: PromptShape) -> float:
        return _DEVIATIONS * math.sqrt(self._variance(shape.features))

    def _variance(self, features: Vector) -> float:
        counted = max(1.0, _dot(self._weights, features))
        share = [weight * count / counted for weight, count in zip(_PRIOR, features, strict=True)]
        known = _dot([_dot(row, share) for row in self._covariance], share)
        return max(0.0, known) + _noise(counted)

    def _positive_weights(self) -> Vector:
        return tuple(weight * (1.0 + deviation) for weight, deviation in zip(_PRIOR, self._deviation, strict=True))

    def _state(self) -> Vector:
        """Deviations, then the covariance row by row."""
        return (*self._deviation, *(value for row in self._covariance for value in row))

    def _restore(self, values: Sequence[float] | None) -> None:
        """Take up what `_state` gave; anything else (another version's, a damaged one) is left alone."""
        if values is None or len(values) != _SIZE + _SIZE * _SIZE or not all(map(math.isfinite, values)):
            return
        deviation = list(values[:_SIZE])
        rows = [list(values[start : start + _SIZE]) for start in range(_SIZE, len(values), _SIZE)]
        sane = all(-0.95 <= value <= 20.0 for value in deviation) and all(rows[i][i] > 0 for i in range(_SIZE))
        if sane:
            self._deviation, self._covariance = deviation, rows


def _first_covariance() -> list[list[float]]:
    return [[spread**2 if row == column else 0.0 for column in range(_SIZE)] for row, spread in enumerate(_SPREAD)]


def _noise(tokens: float) -> float:
    """The variance of the relative error of a prompt of so many tokens, with the best weights."""
    return _NOISE_MANY**2 + _NOISE_ONE**2 / tokens


def _dot(left: Sequence[float], right: Sequence[float]) -> float:
    return sum(map(float.__mul__, left, right))
