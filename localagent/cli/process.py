"""Small things every command needs of the process around it. Typer is not imported here: the bare conversation does
without it."""

from __future__ import annotations

import io
import os
import signal
import sys
import threading
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from types import FrameType
from typing import TYPE_CHECKING

from localagent.abort import AbortSignal
from localagent.bilingual_said import in_language
from localagent.environment import Environment
from localagent.errors import ExitCode, Interrupted, UsageError

if TYPE_CHECKING:
    from rich.progress import Progress, TaskID


# Whoever presses Ctrl-C twice wants it to end, not to lose the answer that is being stored just then.
STORING_S = 1.0


def overrides(settings: Sequence[str] | None, model: str | None = None) -> Mapping[str, str]:
    """`--set` and `--model` as dotted key -> text. UsageError for a setting without `=`."""
    found: dict[str, str] = {}
    for setting in settings or ():
        key, equals, value = setting.partition("=")
        if not equals or not key.strip():
            raise UsageError(f"--set {setting!r} is not KEY=VALUE", hint="As in: --set model.num_ctx=4096")
        found[key.strip()] = value
    if model is not None:
        found["model.model_name"] = model
    return found


def say(env: Environment, text: str) -> None:
    """One line beside the answer: on stderr, cleaned."""
    from localagent.terminal import one_line

    # What stands beside the answer must not cost the answer when nobody can read it.
    with suppress(OSError):
        print(one_line(in_language(text, env.language)), file=env.stderr, flush=True)


def counted(count: int, what: str, several: str = "") -> str:
    """`1 message`, `12 messages`; `several` where an s is not enough."""
    return f"{count:,} {what if count == 1 else several or f'{what}s'}"


def numbered(count: int, what: str, several: str = "") -> Mapping[str, str]:
    """A count for a phrase of two languages: `12`, and the English noun."""
    return {"count": f"{count:,}", "noun": what if count == 1 else several or f"{what}s"}


def confirm(env: Environment, question: str, *, default: bool) -> bool:
    """Ask a person. Without a terminal nobody is asked: the answer is no."""
    from localagent.bilingual import is_yes

    if not env.stdin.isatty() or not env.stderr.isatty():
        return False
    with _raising_signals():
        print(
            f"{in_language(question, env.language)} [{'Y/n' if default else 'y/N'}] ",
            end="",
            file=env.stderr,
            flush=True,
        )
        answer = env.stdin.readline()
    if not answer:
        raise Interrupted("interrupted")
    return is_yes(answer) if answer.strip() else default


@contextmanager
def stop_on_signals() -> Iterator[AbortSignal]:
    """An abort signal that Ctrl-C, SIGTERM and SIGHUP set. One that comes later again does not wait for what should
    stop: it interrupts whatever runs here."""
    abort = AbortSignal()
    said: list[Interrupted] = []
    since = 0.0

    def stop(number: int) -> None:
        nonlocal since
        said.append(_interruption(number))
        if len(said) > 1:
            if time.monotonic() - since > STORING_S:
                raise KeyboardInterrupt
            return
        since = time.monotonic()
        # In another thread: the one that was interrupted may hold a lock that the callbacks need.
        threading.Thread(target=abort.abort, args=(said[0],), daemon=True).start()

    with _signals(stop):
        try:
            yield abort
        except KeyboardInterrupt:
            raise (said[-1] if said else Interrupted("interrupted")) from None


@contextmanager
def _raising_signals() -> Iterator[None]:
    """Where a person is waited for, a signal ends the waiting at once."""

    def stop(number: int) -> None:
        raise _interruption(number)

    with _signals(stop):
        yield


def _interruption(number: int) -> Interrupted:
    error = Interrupted("interrupted")
    if number != signal.SIGINT:
        error = Interrupted("terminated")
        error.exit_code = ExitCode.TERMINATED
    return error


@contextmanager
def _signals(stop: Callable[[int], None]) -> Iterator[None]:
    """Call `stop` for each signal that asks the program to end."""

    def handle(number: int, frame: FrameType | None) -> None:
        stop(number)

    numbers = [signal.SIGINT, signal.SIGTERM]
    if sys.platform != "win32":
        numbers.append(signal.SIGHUP)
    before = {number: signal.signal(number, handle) for number in numbers}
    try:
        yield
    finally:
        for number, handler in before.items():
            signal.signal(number, handler)


@contextmanager
def progress_bar(env: Environment, what: str, *, unit: str = "") -> Iterator[Callable[[int, int], None]]:
    """A bar on stderr (nothing without a terminal); call the result with how much is done and in all (0: not known):
    bytes, or pieces of which `unit` is the name."""
    if not env.stderr.isatty():
        yield lambda done, total: None
        return
    from rich.console import Console
    from rich.progress import BarColumn, DownloadColumn, MofNCompleteColumn, Progress, TextColumn, TimeRemainingColumn

    counts = (MofNCompleteColumn(), TextColumn(unit)) if unit else (DownloadColumn(),)
    columns = (TextColumn("{task.description}"), BarColumn(), *counts, TimeRemainingColumn())
    with Progress(*columns, console=Console(file=env.stderr), transient=True) as progress:
        task = progress.add_task(what, total=None)
        yield lambda done, total: _advance(progress, task, done, total)


def _advance(progress: Progress, task: TaskID, done: int, total: int) -> None:
    progress.update(task, completed=done, total=total or None)


def abandon(stream: object) -> None:
    """Let what is still to be written to it, also by the interpreter at its end, go nowhere instead of failing."""
    if isinstance(stream, io.TextIOWrapper):
        nowhere = os.open(os.devnull, os.O_WRONLY)
        os.dup2(nowhere, stream.fileno())
        os.close(nowhere)
