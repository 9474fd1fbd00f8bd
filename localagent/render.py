"""What a person sees of a turn: the answer on standard output, everything else beside it.

`render_plain` writes the bare answer, for pipes and scripts; `rich_renderer` lays out Markdown on a terminal. Both
clean whatever they show of control sequences. A reader that goes away (`| head -1`) is a BrokenPipeError.
"""

from __future__ import annotations

from collections.abc import Callable, Generator
from contextlib import closing
from typing import TYPE_CHECKING, Protocol, TextIO

from localagent import bilingual_talk as say
from localagent.bilingual import ERROR, Language
from localagent.bilingual_said import in_language, told
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
    Withdrawn,
)
from localagent.render_plain import plain_renderer
from localagent.render_status import STATUS_WIDTH, Status, WithStatus, can_erase, progress_text, terminal_width
from localagent.render_steps import show_step
from localagent.terminal import StreamCleaner, clean, encodable, one_line

if TYPE_CHECKING:
    from rich.console import Console

FALLBACK_HEIGHT = 24  # nothing depends on it
HANG = 2  # cells by which a line beside the answer is set in where it goes on


class Renderer(Protocol):
    """Methods may be called from several threads; one answer is shown at a time. What the program says beside it is in
    `language`."""

    language: Language

    def show(self, event: TurnEvent) -> None: ...

    def break_off(self) -> None:
        """What was said on the way is over, or something else needs the place: what comes next begins anew."""
        ...

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


class RichRenderer(WithStatus):
    """Markdown in finished blocks. Thinking stands before the answer, dim, each line behind a bar."""

    def __init__(
        self, out: TextIO, console: Console, *, width: Callable[[], int], status: Status, language: Language = "en"
    ) -> None:
        from localagent.render_markdown import MarkdownStream, ThoughtStream

        super().__init__(status, language)
        self._out = out
        self.console = console
        self._width = width
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
                    self._status.set(say.THINKING(self.language))
                case StepStarted() | ToolStarted() | ToolFinished() | Evaluated() | Withdrawn():
                    show_step(self, event, self.console.width, self.language)
                case Notice(text):
                    self.notice(text)
                case Waiting(text):
                    self.status(text)
                case PromptAssembled():
                    self._status.set(say.WAITING(self.language))
                case PromptProgress():
                    self._status.set(progress_text(event, self.language))
                case _:
                    pass

    def break_off(self) -> None:
        with self._lock:
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
        self._print_styled(in_language(text, self.language), "dim")

    def error(self, error: LocalAgentError) -> None:
        self._print_styled(ERROR(self.language, what=told(error, self.language)), "red")

    def print(self, text: str, style: str = "", *, verbatim: bool = False) -> None:
        """Lines beside any answer; `verbatim` ones are wrapped by the terminal alone."""
        with self._lock:
            self._print(self._styled(clean(text), style, verbatim=verbatim))

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

        lines = [Text(text)] if verbatim else []
        for row in () if verbatim else text.split("\n"):
            hang = min(len(row) - len(row.lstrip(" ")) + HANG, self._width() // 3)
            lines += [line for line, _ in flow(Text(row), self._width(), hang=hang)]
        with self.console.capture() as captured:
            for line in lines:
                self.console.print(line, style=style, soft_wrap=True)
        return captured.get()

    def _print(self, text: str) -> None:
        if text:
            self._status.hide()
            self._out.write(encodable(text, self._out.encoding))
            self._out.flush()


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
    status = Status(out, can_erase(environment, out), lambda: terminal_width(out))
    return RichRenderer(out, console, width=lambda: terminal_width(out), status=status, language=environment.language)


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
        mark = say.INTERRUPTED(renderer.language)
        raise
    except LocalAgentError:
        mark = say.INCOMPLETE(renderer.language) if begun else ""
        raise
    finally:
        renderer.finish(mark if marks else "")
    return finished


def renderer_for(environment: Environment) -> Renderer:
    return rich_renderer(environment) if environment.stdout.isatty() else plain_renderer(environment)
