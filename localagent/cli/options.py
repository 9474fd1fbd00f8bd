"""Options that several commands share, and small things every command needs."""

from __future__ import annotations

import signal
import sys
import threading
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from types import FrameType
from typing import TYPE_CHECKING, Annotated, cast

import typer

from localagent.abort import AbortSignal
from localagent.environment import Environment
from localagent.errors import ExitCode, Interrupted, UsageError

if TYPE_CHECKING:
    from rich.progress import Progress, TaskID

Agent = Annotated[str | None, typer.Option("--agent", "-a", metavar="PATH", help="An agent folder or its agent.yaml.")]
Model = Annotated[
    str | None,
    typer.Option("--model", "-m", metavar="NAME", help="An Ollama model, a GGUF file, or smollm2 (built in)."),
]
Setting = Annotated[
    list[str] | None,
    typer.Option("--set", metavar="KEY=VALUE", help="Override a key of agent.yaml, as model.num_ctx=4096. Repeatable."),
]
ThreadName = Annotated[
    str | None, typer.Option("--thread", "-t", metavar="NAME", help="Go on in this thread; it is made if new.")
]
GoOn = Annotated[bool, typer.Option("--continue", "-c", help="Go on in the agent's last thread.")]
Yes = Annotated[bool, typer.Option("--yes", "-y", help="Answer yes to every question (such as a download).")]
AsJson = Annotated[bool, typer.Option("--json", help="Print JSON.")]


def environment(context: typer.Context) -> Environment:
    """The process around the command, put there by `main` (or by a test)."""
    return cast(Environment, context.find_object(Environment))


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

    print(one_line(text), file=env.stderr, flush=True)


def confirm(env: Environment, question: str, *, default: bool) -> bool:
    """Ask a person. Without a terminal nobody is asked: the answer is no."""
    if not env.stdin.isatty() or not env.stderr.isatty():
        return False
    print(f"{question} [{'Y/n' if default else 'y/N'}] ", end="", file=env.stderr, flush=True)
    answer = env.stdin.readline()
    if not answer:
        raise Interrupted("interrupted")
    return {"": default}.get(answer.strip().lower(), answer.strip().lower() in ("y", "yes", "是", "好"))


@contextmanager
def stop_on_signals() -> Iterator[AbortSignal]:
    """An abort signal that Ctrl-C and SIGTERM set. A second Ctrl-C raises KeyboardInterrupt at once."""
    abort = AbortSignal()

    def stop(number: int, frame: FrameType | None) -> None:
        error = Interrupted("interrupted")
        if number == signal.SIGTERM:
            error = Interrupted("terminated")
            error.exit_code = ExitCode.TERMINATED
        elif abort.aborted:
            raise KeyboardInterrupt
        # In another thread: the one that was interrupted may hold a lock that the callbacks need.
        threading.Thread(target=abort.abort, args=(error,), daemon=True).start()

    numbers = [signal.SIGINT, signal.SIGTERM]
    if sys.platform != "win32":
        numbers.append(signal.SIGHUP)
    before = {number: signal.signal(number, stop) for number in numbers}
    try:
        yield abort
    finally:
        for number, handler in before.items():
            signal.signal(number, handler)


@contextmanager
def progress_bar(env: Environment, what: str) -> Iterator[Callable[[int, int], None]]:
    """A bar on stderr (nothing without a terminal); call the result with bytes done and in all (0: not known)."""
    if not env.stderr.isatty():
        yield lambda done, total: None
        return
    from rich.console import Console
    from rich.progress import BarColumn, DownloadColumn, Progress, TextColumn, TimeRemainingColumn

    columns = (TextColumn("{task.description}"), BarColumn(), DownloadColumn(), TimeRemainingColumn())
    with Progress(*columns, console=Console(file=env.stderr), transient=True) as progress:
        task = progress.add_task(what, total=None)
        yield lambda done, total: _advance(progress, task, done, total)


def _advance(progress: Progress, task: TaskID, done: int, total: int) -> None:
    progress.update(task, completed=done, total=total or None)
