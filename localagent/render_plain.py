"""What a pipe gets of a turn: the answer on standard output and nothing else there."""

from __future__ import annotations

from typing import TextIO

from localagent.bilingual import ERROR, Language
from localagent.bilingual_said import in_language, told
from localagent.environment import Environment
from localagent.errors import LocalAgentError
from localagent.events import (
    Evaluated,
    Notice,
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
from localagent.render_status import STATUS_WIDTH, Status, WithStatus, can_erase, progress_text, terminal_width
from localagent.render_steps import show_step
from localagent.terminal import StreamCleaner, clean, encodable, one_line


class PlainRenderer(WithStatus):
    """The answer on `out`, and nothing else there; thinking, notices, errors, and what was said on the way to it on
    `err`. Where all that is said is the answer it is written as it comes; else once it is known to be the answer."""

    def __init__(self, out: TextIO, err: TextIO, *, status: Status, language: Language = "en") -> None:
        super().__init__(status, language)
        self._out = out
        self._err = err
        self._answer = StreamCleaner()
        self._thinking = StreamCleaner()
        self._line_open = False
        self._thought_open = False
        self._held: list[str] = []
        self._provisional = False
        self._draft = ""

    def show(self, event: TurnEvent) -> None:
        with self._lock:
            match event:
                case TextDelta(text):
                    self._close_thought()
                    self._say(self._answer.feed(text))
                case ThinkingDelta(text):
                    self._think(self._thinking.feed(text))
                case StepStarted() | ToolStarted() | ToolFinished() | Evaluated() | Withdrawn():
                    if isinstance(event, StepStarted):
                        self._provisional = event.provisional
                    show_step(self, event, terminal_width(self._err), self.language)
                case Notice(text):
                    self.notice(text)
                case Waiting(text):
                    self.status(text)
                case PromptProgress():
                    self._status.set(progress_text(event, self.language))
                case TurnFinished():
                    self._settle(event.text)
                case _:
                    pass

    def break_off(self) -> None:
        with self._lock:
            self._status.set("")
            self._close_thought()
            self._answer.flush()
            draft, self._draft = self._draft.strip(), ""
            if draft:
                self._beside(draft)
            if self._line_open:
                self._write("\n")
            self._tell_held()

    def finish(self, mark: str = "") -> None:
        with self._lock:
            self._status.set("")
            self._close_thought()
            self._answer.flush()
            self._write(self._draft)  # what had arrived of an answer that broke off
            self._draft = ""
            if self._line_open:
                self._write("\n")
            self._tell_held()
            if mark:
                self.notice(mark)

    def notice(self, text: str) -> None:
        with self._lock:
            if self._line_open:  # not into the answer, which may be on the same screen
                self._held.append(text)
                return
            self._status.set("")
            self._close_thought()
            self._beside(one_line(in_language(text, self.language)))

    def error(self, error: LocalAgentError) -> None:
        self.notice(ERROR(self.language, what=told(error, self.language)))

    def _tell_held(self) -> None:
        held, self._held = self._held, []
        for text in held:
            self.notice(text)

    def _say(self, text: str) -> None:
        if not self._provisional:
            self._write(text)
            return
        self._draft += text
        self._status.set(one_line(f"… {self._draft[-4 * STATUS_WIDTH :]}"), tail=True)

    def _settle(self, answer: str) -> None:
        """The turn is over: this was the answer."""
        if self._provisional:
            self._draft = ""
            self._write(clean(answer))

    def _beside(self, text: str) -> None:
        said = encodable(text, self._err.encoding)
        self._err.write(f"\x1b[2m{said}\x1b[22m\n" if self._status.enabled else f"{said}\n")
        self._err.flush()

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


def plain_renderer(environment: Environment) -> PlainRenderer:
    """For anything that is not a terminal. Progress is shown only where standard error is one."""
    out, err = environment.stdout, environment.stderr
    status = Status(err, can_erase(environment, err), lambda: terminal_width(err))
    return PlainRenderer(out, err, status=status, language=environment.language)
