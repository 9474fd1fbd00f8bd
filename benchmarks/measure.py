"""Timing whole processes and functions in turn, so that a drifting machine slows both sides of a ratio."""

from __future__ import annotations

import statistics
import subprocess
import sys
import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass


@dataclass(frozen=True)
class Ratio:
    """Medians in seconds; `ratio` is the median of the pairs' ratios, `target` what it should not exceed."""

    name: str
    ours_s: float
    base_s: float
    ratio: float
    target: float

    def __str__(self) -> str:
        mark = "ok  " if self.ratio <= self.target else "MISS"
        return (
            f"{mark} {self.name}: {self.ours_s * 1000:.1f} ms against {self.base_s * 1000:.1f} ms, "
            f"ratio {self.ratio:.2f} (target {self.target:g})"
        )


def paired(name: str, ours: Callable[[], float], base: Callable[[], float], *, target: float, rounds: int) -> Ratio:
    """Both sides in turn, after one round that is not counted. A side returns the seconds it took."""
    ours()
    base()
    pairs = [(ours(), base()) for _ in range(rounds)]
    return Ratio(
        name,
        statistics.median(pair[0] for pair in pairs),
        statistics.median(pair[1] for pair in pairs),
        statistics.median(pair[0] / pair[1] for pair in pairs),
        target,
    )


def python(arguments: Sequence[str], environment: Mapping[str, str]) -> Callable[[], float]:
    """Run the interpreter once; seconds from start to end."""

    def run() -> float:
        started = time.perf_counter()
        subprocess.run(
            [sys.executable, *arguments],
            env=environment,
            stdin=subprocess.DEVNULL,
            stdout=subprocess.DEVNULL,
            check=True,
        )
        return time.perf_counter() - started

    return run
