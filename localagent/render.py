"""What a person sees of a turn: the answer on standard output, everything else beside it.

`plain_renderer` writes the bare answer, for pipes and scripts; `rich_renderer` lays out Markdown on a terminal. Both
clean whatever they show of control sequences. A reader that goes away (`| head -1`) is a BrokenPipeError.
"""

from __future__ import annotations

import os
import threading
import time
from collections.abc import Callable, Generator
from contextlib import closing
from typing import TYPE_CHECKING, Protocol, TextIO

from prompt_toolkit.utils import get_cwidth

from localagent.environment import Environment
from localagent.errors import Interrupted, LocalAgentError
from localagent.events import (
    Evaluated,
    Notice,
    PromptAssembled,
    PromptProgress,
    StepStarted,
    TextDelta,
    ThinkingDelta,
    ToolFinished,
    ToolStarted,
    TurnEvent,
    TurnFinished,
    Waiting,
)
from localagent.render_steps import News, news
from localagent.terminal import StreamCleaner, clean, encodable, one_line

if TYPE_CHECKING:
    from rich.console import Console

ERASE_LINE = "\r\x1b[K"
FALLBACK_WIDTH = 80
FALLBACK_HEIGHT = 24  # nothing depends on it
# Short enough not to wrap when the window becomes narrower, where it could not be erased.
STATUS_WIDTH = 40
STATUS_INTERVAL_S = 0.1


class Renderer(Protocol):
    """Methods may be called from several threads; one answer is shown at a time."""

    def show(self, event: TurnEvent) -> None: ...

    def finish(self, mark: str = "") -> None:
        """The answer is over: show what is left of it, and `mark` (why it ended early) beside it."""
        ...

    def notice(self, text: str) -> None:
        """One line beside the answer."""
        ...

    def error(self, error: LocalAgentError) -> None: ...

    def status(self, text: str) -> None:
        """A transient line that the next output erases; empty: erase it now. Nothing where it cannot be erased."""
        ...

    def tick(self) -> None:
        """Time has passed: let the status show that we are alive."""
        ...


class Status:
    """One line at the bottom of the terminal that is gone before anything else is written."""

    def __init__(self, stream: TextIO, enabled: bool, width: Callable[[], int]) -> None:
        self._stream = stream
        self._enabled = enabled
        self._width = width
        self._text = ""
        self._since = 0.0
        self._drawn_at = 0.0
        self._visible = False
        self._tail = False

    def set(self, text: str, *, tail: bool = False) -> None:
        """Drawn at most ten times a second; `tick` catches up. `tail`: where it is too long, its end is shown."""
        self._tail = tail
        now = time.monotonic()
        if bool(text) != bool(self._text):
            self._since = now
        self._text = text
        if not text:
            self.hide()
        elif not self._visible or now - self._drawn_at >= STATUS_INTERVAL_S:
            self.draw()

    def draw(self) -> None:
        if not self._enabled or not self._text:
            return
        self._drawn_at = time.monotonic()
        seconds = int(self._drawn_at - self._since)
        text = f"{self._text} {seconds} s" if seconds and not self._tail else self._text
        shown = fit(text, min(self._width() - 1, STATUS_WIDTH), tail=self._tail)
        self._stream.write(f"{ERASE_LINE}\x1b[2m{encodable(shown, self._stream.encoding)}\x1b[22m")
        self._stream.flush()
        self._visible = True

    def hide(self) -> None:
        if self._visible:
            self._stream.write(ERASE_LINE)
            self._stream.flush()
            self._visible = False


def fit(text: str, cells: int, *, tail: bool = False) -> str:
    """As much of one line as has room in so many cells of the terminal, from its beginning or from its end."""
    if tail:
        return fit(text[::-1], cells)[::-1]
    used = 0
    for position, char in enumerate(text):
        used += get_cwidth(char)
        if used > cells:
            return text[:position]
    return text


def progress_text(event: PromptProgress) -> str:
    percent = 100 * event.processed // max(event.total, 1)
    return f"reading prompt {event.processed}/{event.total} ({percent} %)"


class PlainRenderer:
    """The answer as it comes on `out`, and nothing else there; thinking, notices and errors on `err`."""

    def __init__(self, out: TextIO, err: TextIO, *, status: Status) -> None:
        self._out = out
        self._err = err
        self._status = status
        self._lock = threading.RLock()
        self._answer = StreamCleaner()
        self._thinking = StreamCleaner()
        self._line_open = False
        self._thought_open = False
        self._held: list[str] = []

    def show(self, event: TurnEvent) -> None:
        with self._lock:
            match event:
                case TextDelta(text):
                    self._close_thought()
                    self._write(self._answer.feed(text))
                case ThinkingDelta(text):
                    self._think(self._thinking.feed(text))
                case StepStarted() | ToolStarted() | ToolFinished() | Evaluated():
                    _show_step(self, news(event))
                case Notice(text):
                    self.notice(text)
                case Waiting(text):
                    self.status(text)
                case PromptProgress():
                    self._status.set(progress_text(event))
                case _:
                    pass

    def break_off(self) -> None:
        """What was said on the way is over; what is said next begins a line of its own."""
        self._close_thought()
        self._answer.flush()
        if self._line_open:
            self._write("\n")
        held, self._held = self._held, []
        for text in held:
            self.notice(text)

    def finish(self, mark: str = "") -> None:
        with self._lock:
            self._status.set("")
            self._close_thought()
            self._answer.flush()
            if self._line_open:
                self._write("\n")
            held, self._held = self._held, []
            for text in (*held, mark):
                if text:
                    self.notice(text)

    def notice(self, text: str) -> None:
        with self._lock:
            if self._line_open:  # not into the answer, which may be on the same screen
                self._held.append(text)
                return
            self._status.set("")
            self._close_thought()
            self._err.write(encodable(one_line(text), self._err.encoding) + "\n")
            self._err.flush()

    def error(self, error: LocalAgentError) -> None:
        self.notice(f"error: {error}")

    def status(self, text: str) -> None:
        with self._lock:
            self._status.set(one_line(text))

    def tick(self) -> None:
        with self._lock:
            self._status.draw()

    def _write(self, text: str) -> None:
        if text:
            self._status.set("")
            self._out.write(encodable(text, self._out.encoding))
            self._out.flush()
            self._line_open = not text.endswith("\n")

    def _think(self, text: str) -> None:
        self._status.set("")
        if text:
            self._err.write(encodable(text, self._err.encoding))
            self._err.flush()
            self._thought_open = not text.endswith("\n")

    def _close_thought(self) -> None:
        self._thinking.flush()
        if self._thought_open:
            self._err.write("\n")
            self._err.flush()
            self._thought_open = False


class RichRenderer:
    """Markdown in finished blocks. Thinking stands before the answer, dim, each line behind a bar."""

    def __init__(self, out: TextIO, console: Console, *, width: Callable[[], int], status: Status) -> None:
        from localagent.render_markdown import MarkdownStream, ThoughtStream

        self._out = out
        self.console = console
        self._width = width
        self._status = status
        self._lock = threading.RLock()
        self._cleaner = StreamCleaner()
        self._answer = MarkdownStream(console)
        self._thought = ThoughtStream(console)

    def show(self, event: TurnEvent) -> None:
        with self._lock:
            self.console.width = self._width()
            match event:
                case TextDelta(text):
                    self._end_thought()
                    self._print(self._answer.feed(self._cleaner.feed(text)))
                    # Enough of the end for the line, however long the block is.
                    self._status.set(one_line(f"… {self._answer.pending[-4 * STATUS_WIDTH :]}"), tail=True)
                case ThinkingDelta(text):
                    self._print(self._thought.feed(self._cleaner.feed(text)))
                    self._status.set("thinking")
                case StepStarted() | ToolStarted() | ToolFinished() | Evaluated():
                    _show_step(self, news(event))
                case Notice(text):
                    self.notice(text)
                case Waiting(text):
                    self.status(text)
                case PromptAssembled():
                    self._status.set("waiting for the model")
                case PromptProgress():
                    self._status.set(progress_text(event))
                case _:
                    pass

    def break_off(self) -> None:
        """What was said on the way is over; what is said next begins a block of its own."""
        self._status.set("")
        self._end_thought()
        self._cleaner.flush()
        self._print(self._answer.flush())

    def finish(self, mark: str = "") -> None:
        with self._lock:
            self.console.width = self._width()
            self.break_off()
            if mark:
                self._print_styled(mark, "dim")

    def notice(self, text: str) -> None:
        self._print_styled(text, "dim")

    def error(self, error: LocalAgentError) -> None:
        self._print_styled(f"error: {error}", "red")

    def print(self, text: str, style: str = "", *, verbatim: bool = False) -> None:
        """Lines beside any answer; `verbatim` ones are wrapped by the terminal alone."""
        with self._lock:
            self._print(self._styled(clean(text), style, verbatim=verbatim))

    def status(self, text: str) -> None:
        with self._lock:
            self._status.set(one_line(text))

    def tick(self) -> None:
        with self._lock:
            self._status.draw()

    def _end_thought(self) -> None:
        thought = self._thought.flush()
        if thought:
            self._cleaner.flush()
            self._print(thought + "\n")

    def _print_styled(self, text: str, style: str) -> None:
        self.print(one_line(text), style)

    def _styled(self, text: str, style: str, *, verbatim: bool) -> str:
        from rich.text import Text

        from localagent.render_flow import flow

        lines = [Text(text)] if verbatim else [line for line, _ in flow(Text(text), self._width())]
        with self.console.capture() as captured:
            for line in lines:
                self.console.print(line, style=style, soft_wrap=True)
        return captured.get()

    def _print(self, text: str) -> None:
        if text:
            self._status.hide()
            self._out.write(encodable(text, self._out.encoding))
            self._out.flush()


def _show_step(renderer: PlainRenderer | RichRenderer, told: News) -> None:
    if told.breaks:
        renderer.break_off()
    if told.line:
        renderer.notice(told.line)
    if told.status:
        renderer.status(told.status)


def terminal_width(stream: TextIO) -> int:
    """Columns of the terminal behind `stream` at this moment."""
    try:
        return os.get_terminal_size(stream.fileno()).columns or FALLBACK_WIDTH
    except (OSError, ValueError):
        return FALLBACK_WIDTH


def plain_renderer(environment: Environment) -> PlainRenderer:
    """For anything that is not a terminal. Progress is shown only where standard error is one."""
    out, err = environment.stdout, environment.stderr
    status = Status(err, _can_erase(environment, err), lambda: terminal_width(err))
    return PlainRenderer(out, err, status=status)


def rich_renderer(environment: Environment) -> RichRenderer:
    """For a terminal on standard output. NO_COLOR and TERM=dumb are respected."""
    from rich.console import Console
    from rich.theme import Theme

    out = environment.stdout
    console = Console(
        file=out,
        force_terminal=True,
        width=terminal_width(out),
        height=FALLBACK_HEIGHT,
        no_color=bool(environment.variables.get("NO_COLOR")),
        theme=Theme({"markdown.code": "cyan", "markdown.h1": "bold underline", "markdown.h2": "bold"}),
        _environ=environment.variables,
    )
    status = Status(out, _can_erase(environment, out), lambda: terminal_width(out))
    return RichRenderer(out, console, width=lambda: terminal_width(out), status=status)


def show_turn(renderer: Renderer, events: Generator[TurnEvent], *, marks: bool = True) -> TurnFinished | None:
    """Show a turn to its end. What had arrived is shown also when it ends early; the error goes on to the caller.
    `marks`: say beside the answer that it is not whole, where the error's own line is not enough."""
    finished = None
    mark = ""
    begun = False
    try:
        with closing(events):  # at once, also when it could not be shown: the turn stores what had arrived
            for event in events:
                renderer.show(event)
                begun = begun or isinstance(event, TextDelta | ThinkingDelta)
                if isinstance(event, TurnFinished):
                    finished = event
    except Interrupted:
        mark = "(interrupted)"
        raise
    except LocalAgentError:
        mark = "(incomplete)" if begun else ""
        raise
    finally:
        renderer.finish(mark if marks else "")
    return finished


def renderer_for(environment: Environment) -> Renderer:
    return rich_renderer(environment) if environment.stdout.isatty() else plain_renderer(environment)


def _can_erase(environment: Environment, stream: TextIO) -> bool:
    return stream.isatty() and environment.variables.get("TERM", "") not in ("dumb", "unknown")
