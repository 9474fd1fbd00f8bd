"""What this machine has to give to a model now: memory and processors."""

from __future__ import annotations

import math
import os
from pathlib import Path
from typing import Final

_MEMORY: Final = Path("/proc/meminfo")
_QUOTA: Final = Path("/sys/fs/cgroup/cpu.max")


def available_memory() -> int | None:
    """Bytes a new program may take without swapping; None where the system does not say (only Linux does)."""
    for line in _lines(_MEMORY):
        name, _, amount = line.partition(":")
        if name == "MemAvailable":
            return int(amount.split()[0]) * 1024
    return None


def compute_threads(processors: int, usable: int, load: float) -> int | None:
    """How many threads a model should compute with; None: as the runtime chooses, all processors are ours.

    `load`: programs that want to run. The threads of a model wait for each other without sleeping, so one too many is
    worse than one too few: on two processors with two other programs busy, two threads were ten times slower than one.
    """
    busy = int(load)
    if usable >= processors and busy == 0:
        return None
    # The second thread of a core does not help; where there are few processors they are probably whole cores.
    most = usable if processors <= 4 else max(2, processors // 2)
    return max(1, min(usable - busy, most))


def threads_now() -> int | None:
    """`compute_threads` for this process at this moment."""
    processors = os.cpu_count() or 1
    usable = len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else processors
    quota = _quota()
    load = os.getloadavg()[0] if hasattr(os, "getloadavg") else 0.0
    return compute_threads(processors, min(usable, quota or usable), load)


def _quota() -> int | None:
    """Processors a container may use at a time, rounded up; None without a limit."""
    for line in _lines(_QUOTA):
        limit, _, period = line.partition(" ")
        if limit.isdecimal() and period.isdecimal():
            return math.ceil(int(limit) / int(period))
    return None


def _lines(path: Path) -> list[str]:
    try:
        return path.read_text(encoding="ascii").splitlines()
    except OSError:
        return []
