"""Messages that nobody has looked through, and that are left alone while their turn may still run."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest
from worker_parts import Home, until

from localagent.messages import user


@pytest.fixture
def home(tmp_path: Path) -> Iterator[Home]:
    home = Home(tmp_path / "home")
    yield home
    home.close()


def test_an_idle_worker_takes_them_when_their_time_has_come(home: Home) -> None:
    """Nothing else happens that would wake it."""
    seconds = [1_000_000.0]
    home.now = lambda: seconds[0]
    asked: list[float] = []

    def unread(limit: int) -> list[int]:
        asked.append(seconds[0])
        return [one for one in home.memories.unread(limit) if seconds[0] >= 1_000_060.0]

    worker = home.worker(replace(home.parts(), unread=unread))
    worker.start()
    message = home.ledger.append(home.ledger.create_thread("a").id, user("I live in Graz."))
    worker.wake()
    until(lambda: bool(asked) and home.knows("graz"))
    assert home.read == []
    seconds[0] += 61
    until(lambda: home.read == [message.id])
