"""How many threads a model computes with, and the memory that is there."""

from __future__ import annotations

import sys

import pytest

from localagent.models.machine import available_memory, compute_threads, threads_now


@pytest.mark.parametrize(
    ("processors", "usable", "load", "threads"),
    [
        (2, 2, 0.9, None),
        (2, 2, 1.5, 1),
        (2, 2, 30.0, 1),
        (4, 4, 1.0, 3),
        (16, 16, 0.0, None),
        (16, 16, 2.0, 8),
        (16, 16, 12.0, 4),
        (64, 2, 0.0, 2),
        (64, 2, 5.0, 1),
        (1, 1, 0.0, None),
    ],
)
def test_busy_processors_are_left_alone(processors: int, usable: int, load: float, threads: int | None) -> None:
    assert compute_threads(processors, usable, load) == threads


def test_this_machine_has_something() -> None:
    threads, memory = threads_now(), available_memory()
    assert threads is None or threads >= 1
    if sys.platform == "linux":
        assert memory is not None and memory > 0
