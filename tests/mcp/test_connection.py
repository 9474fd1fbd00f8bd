"""A connection at the moments when it begins and ends."""

from __future__ import annotations

import asyncio
import threading
from collections.abc import AsyncIterator, Callable, Coroutine
from contextlib import asynccontextmanager

import pytest

from localagent.abort import AbortSignal
from localagent.mcp.connection import Connection


@asynccontextmanager
async def silent(ended: Callable[[str], None]) -> AsyncIterator[tuple[object, object]]:
    """A server that never says anything."""
    await asyncio.sleep(3600)
    yield (None, None)


@asynccontextmanager
async def absent(ended: Callable[[str], None]) -> AsyncIterator[tuple[object, object]]:
    raise FileNotFoundError(2, "No such file or directory", "no-such-server")
    yield (None, None)


def test_servers_that_begin_together_are_not_waited_for_one_after_the_other() -> None:
    """The time to start counts from the start: who is waited for later has had it too."""
    pytest.importorskip("mcp")
    connection = Connection("silent", silent)  # type: ignore[arg-type]
    connection.began -= 3600
    try:
        with AbortSignal().child(timeout_s=30) as patience:
            assert not connection.wait_ready(3600, patience) and not patience.aborted
    finally:
        connection.close()


def test_closing_at_the_moment_when_it_ends_by_itself(monkeypatch: pytest.MonkeyPatch) -> None:
    """Its event loop is closed, and nobody knows yet that it is over."""
    pytest.importorskip("mcp")
    run, ended, go_on = asyncio.run, threading.Event(), threading.Event()

    def held(main: Coroutine[object, object, None]) -> None:
        try:
            run(main)
        finally:
            ended.set()
            go_on.wait(60)

    monkeypatch.setattr(asyncio, "run", held)
    connection = Connection("absent", absent)  # type: ignore[arg-type]
    assert ended.wait(60) and not connection.over.is_set()
    try:
        connection.end()
    finally:
        go_on.set()
    connection.close()
    assert connection.over.is_set() and "no-such-server" in connection.fault
