"""The worker of long-term memory: one background thread that brings passages, entries, vectors and the index up to
date with the ledger, and stands aside while the chat is answering."""

from __future__ import annotations

import contextlib
import threading
import time
from collections.abc import Callable, Iterator
from typing import cast

from localagent.abort import AbortSignal
from localagent.errors import Aborted, LocalAgentError
from localagent.memory.batches import TIMEOUT_S
from localagent.memory.database import Database
from localagent.memory.steps import Parts, Progress, Steps

# While idle, how often other processes' work is looked for.
POLL_S = 1.0
# For a step that does not heed its signal.
CLOSE_S = 5.0


class IndexWorker:
    """Any number of processes may have one. `say` is told what the user must know, a line, in the worker's thread.

    `poll_s`: how often other processes' work is looked for; `timeout_s`: one call of the embedder.
    """

    def __init__(
        self,
        database: Database,
        parts: Parts,
        *,
        say: Callable[[str], None],
        now: Callable[[], float] = time.time,
        poll_s: float = POLL_S,
        timeout_s: float = TIMEOUT_S,
    ) -> None:
        self._database = database
        self._steps = Steps(database, parts, self._tell, now, timeout_s)
        self._say = say
        self._poll_s = poll_s
        self._thread: threading.Thread | None = None
        self._working = threading.Lock()  # held by whoever uses `_steps`: the thread or a drain
        self._condition = threading.Condition()
        self._givers = 0
        self._woken = False
        self._closed = False
        self._running: AbortSignal | None = None
        self._version = -1

    @property
    def trouble(self) -> str:
        """Why something is not up to date, in a line; empty if nothing hinders."""
        return self._steps.trouble

    def start(self) -> None:
        """Loads the embedder, does what is waiting, then what comes. A second call does nothing."""
        if self._thread is None:
            self._thread = threading.Thread(target=self._run, name="memory", daemon=True)
            self._thread.start()

    def wake(self) -> None:
        """There is something to do."""
        with self._condition:
            self._woken = True
            self._condition.notify_all()

    @contextlib.contextmanager
    def giving_way(self) -> Iterator[None]:
        """The chat is answering: the embedder is called off, and nothing more is begun until the block ends."""
        with self._condition:
            self._givers += 1
            running = self._running
        if running is not None:
            running.abort()
        try:
            yield
        finally:
            with self._condition:
                self._givers -= 1
                self._condition.notify_all()

    def drain(
        self,
        abort: AbortSignal,
        *,
        seconds: float | None = None,
        report: Callable[[Progress], None] = lambda progress: None,
    ) -> Progress:
        """Do what is waiting, in the caller's thread, until nothing is left or the time is over. `report` is told
        every now and then what was done so far. Where the time is short (`seconds`), nothing is summarised.

        What failed and waits for its next attempt is not waited for. Raises Aborted if `abort` says so.
        """
        what = "bringing the memory up to date"
        with self.giving_way(), abort.child(timeout_s=seconds, what=what) as limit:
            while not self._working.acquire(timeout=0.02):
                abort.raise_if_aborted()
                if limit.aborted:
                    return Progress(trouble=self.trouble)
            try:
                progress = self._steps.finish(limit, report, patient=seconds is None)
            finally:
                self._working.release()
        abort.raise_if_aborted()
        return progress

    def close(self) -> None:
        """Stops soon; what was not done, the next one does. May be called twice."""
        with self._condition:
            self._closed = True
            running = self._running
            self._condition.notify_all()
        if running is not None:
            running.abort()
        if self._thread is not None:
            self._thread.join(CLOSE_S)

    def _tell(self, line: str) -> None:
        if not self._closed:
            self._say(line)

    def _run(self) -> None:
        while (signal := self._my_turn()) is not None:
            busy = True
            try:
                with self._working:
                    busy = self._steps.step(signal) or self._steps.ask(signal) or self._steps.prune(signal)
                    if not busy:
                        self._steps.tell_round()
            except Aborted:
                pass
            finally:
                signal.close()
            if not busy:
                self._wait_for_work()

    def _my_turn(self) -> AbortSignal | None:
        """Waits while somebody is given way; None when this is closed."""
        with self._condition:
            self._condition.wait_for(lambda: self._closed or not self._givers)
            self._running = None if self._closed else AbortSignal()
            return self._running

    def _wait_for_work(self) -> None:
        """Until woken or closed, until something is due again, or until another process has left work behind.

        Another process's worker is sooner at its own work than we can be: what changes between two looks is being
        done, and only what stands still is taken up.
        """
        left: tuple[object, ...] | None = None
        while True:
            with self._condition:
                woken = self._condition.wait_for(lambda: self._closed or self._woken, self._poll_s)
                self._woken = False
            if woken or self._steps.something_is_due():
                return
            try:
                # Changes with every transaction of other connections, and costs next to nothing.
                version = cast("int", self._database.query("PRAGMA data_version")[0][0])
                if version == self._version and left is None:
                    continue
                if not self._working.acquire(blocking=False):  # a drain does what there is
                    continue
                try:
                    self._version, before = version, left
                    left = self._steps.left()
                finally:
                    self._working.release()
            except LocalAgentError:  # the next step meets it too, and tells it
                return
            if left is not None and left == before:
                return
