"""The box a person types into."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path

from prompt_toolkit.application import Application, get_app
from prompt_toolkit.buffer import Buffer
from prompt_toolkit.completion import CompleteEvent, Completer, Completion
from prompt_toolkit.document import Document
from prompt_toolkit.enums import DEFAULT_BUFFER
from prompt_toolkit.filters import has_focus, is_done
from prompt_toolkit.formatted_text import StyleAndTextTuples
from prompt_toolkit.input import Input
from prompt_toolkit.key_binding import KeyBindings, KeyPressEvent
from prompt_toolkit.keys import Keys
from prompt_toolkit.layout import ConditionalContainer, FormattedTextControl, HSplit, Window
from prompt_toolkit.output import Output, create_output
from prompt_toolkit.shortcuts import CompleteStyle, PromptSession
from prompt_toolkit.styles import Style

from localagent.bilingual import Language
from localagent.bilingual_talk import LEAVE_HINT
from localagent.environment import Environment
from localagent.repl_history import InputHistory
from localagent.repl_paste import Pastes, clean_paste, terminal_input
from localagent.terminal import clean, next_boundary, one_line, previous_boundary

LEAVE_WITHIN_S = 2.0
REFRESH_S = 0.5
_STYLE = Style.from_dict({"prompt": "bold", "meter": "ansibrightblack"})


@dataclass(frozen=True, slots=True)
class Submitted:
    """`text` is the whole message; `typed` has placeholders in place of long pastes."""

    text: str
    typed: str


class Leave(Exception):
    """The person, or the end of the program, closes the box."""


class CommandCompleter(Completer):
    def __init__(self, names: Iterable[str]) -> None:
        self._names = sorted(names)

    def get_completions(self, document: Document, complete_event: CompleteEvent) -> Iterator[Completion]:
        word = document.text_before_cursor
        if word.startswith("/") and document.text == word:
            for name in self._names:
                if name.startswith(word):
                    yield Completion(name, start_position=-len(word))


class InputBox:
    """`meter` is called at every key and must be cheap; `busy` tells whether it changes by itself, `language` in which
    the box speaks."""

    def __init__(
        self,
        environment: Environment,
        history: Path,
        commands: Iterable[str],
        meter: Callable[[], str],
        busy: Callable[[], bool],
        language: Callable[[], Language],
    ) -> None:
        self.pastes = Pastes()
        self._language = language
        self._meter = meter
        self._busy = busy
        self._leave_until = 0.0
        self._dumb = environment.variables.get("TERM", "").lower() in ("dumb", "unknown")
        self.source: Input = terminal_input(environment.stdin)
        self.output: Output = _output(environment)
        self._session: PromptSession[str] = PromptSession(
            self._prompt,
            multiline=True,
            prompt_continuation=lambda width, line, wrapped: " " * width,
            history=InputHistory(history, lambda typed: clean(self.pastes.expand(typed))),
            completer=CommandCompleter(commands),
            complete_while_typing=False,
            complete_style=CompleteStyle.READLINE_LIKE,
            key_bindings=self._bindings(),
            style=_STYLE,
            input=self.source,
            output=None if self._dumb else self.output,
        )
        self._open: Application[str] = self._session.app
        self._session.default_buffer.tempfile_suffix = ".md"
        # Not the session's own toolbar: that one waits until the terminal has told its cursor's position.
        meter_line = Window(FormattedTextControl(self._meter_line), height=1, dont_extend_height=True)
        root = self._session.layout.container
        assert isinstance(root, HSplit)
        root.children.append(ConditionalContainer(meter_line, ~is_done))

    @property
    def app(self) -> Application[str]:
        return self._session.app

    def ask(self, typed: str = "", *, on_screen: Callable[[], None] = lambda: None) -> Submitted:
        """Wait for a message, starting from `typed`. `on_screen` is called once the box is drawn. Raises `Leave`."""
        if self._dumb:
            on_screen()  # nothing is ever rendered there
        else:
            self.app.after_render.add_handler(_once(on_screen))
        try:
            self._open = self.app
            answer = self._session.prompt(default=typed, refresh_interval=REFRESH_S if self._busy() else 0)
        except (EOFError, KeyboardInterrupt) as end:
            raise Leave from end
        return Submitted(clean(self.pastes.expand(answer)), answer)

    def confirm(self, question: str) -> bool:
        """Ask; anything but a yes is a no. Raises `Leave`."""
        from localagent.bilingual import is_yes

        return is_yes(self.line(f"{one_line(question)} [y/N] "))

    def line(self, question: str) -> str:
        """One line that is typed behind a question. Raises `Leave`."""
        session: PromptSession[str] = PromptSession(input=self.source, output=None if self._dumb else self.output)
        self._open = session.app
        try:
            return session.prompt(question)
        except (EOFError, KeyboardInterrupt) as end:
            raise Leave from end

    def leave_soon(self) -> None:
        """From a signal handler: close the box if it is open. May raise `Leave`."""
        if self._dumb:
            raise Leave
        app = self._open
        if app.loop is not None and app.is_running:
            app.loop.call_soon_threadsafe(_exit, app)

    def _prompt(self) -> StyleAndTextTuples:
        """A dumb terminal has no line of its own for the meter."""
        return [("class:prompt", f"[{self._meter()}] > " if self._dumb else "> ")]

    def _meter_line(self) -> StyleAndTextTuples:
        hint = time.monotonic() < self._leave_until
        return [("class:meter", LEAVE_HINT(self._language()) if hint else self._meter())]

    def _bindings(self) -> KeyBindings:
        bindings = KeyBindings()
        in_box = has_focus(DEFAULT_BUFFER)
        for keys, handler in (
            (("enter",), _send),
            (("c-j",), _newline),
            (("escape", "enter"), _newline),
            (("escape", "c-j"), _newline),
            (("c-c",), self._interrupt),
            ((Keys.SIGINT,), self._interrupt),
            (("c-d",), self._end_or_delete),
            (("backspace",), self._backspace),
            (("delete",), self._delete),
            (("left",), self._left),
            (("c-b",), self._left),
            (("right",), self._right),
            (("c-f",), self._right),
            (("c-x", "c-e"), self._edit),
            ((Keys.BracketedPaste,), self._paste),
        ):
            bindings.add(*keys, filter=in_box)(handler)
        return bindings

    def _interrupt(self, event: KeyPressEvent) -> None:
        buffer = event.current_buffer
        if buffer.text:
            buffer.reset()
            self._leave_until = 0.0
        elif time.monotonic() < self._leave_until:
            event.app.exit(exception=EOFError())
        else:
            self._leave_until = time.monotonic() + LEAVE_WITHIN_S
            asyncio.get_running_loop().call_later(LEAVE_WITHIN_S, event.app.invalidate)

    def _end_or_delete(self, event: KeyPressEvent) -> None:
        if event.current_buffer.text:
            self._delete(event)
        else:
            event.app.exit(exception=EOFError())

    def _before(self, buffer: Buffer) -> int:
        """Where the visible character (or folded paste) before the cursor begins."""
        position = buffer.cursor_position
        unit = self.pastes.placeholder_at(buffer.text, position, before=True)
        return unit[0] if unit else previous_boundary(buffer.text, position) if position else 0

    def _after(self, buffer: Buffer) -> int:
        position = buffer.cursor_position
        unit = self.pastes.placeholder_at(buffer.text, position, before=False)
        return unit[1] if unit else next_boundary(buffer.text, position)

    def _backspace(self, event: KeyPressEvent) -> None:
        buffer = event.current_buffer
        unit = self.pastes.placeholder_at(buffer.text, buffer.cursor_position, before=True)
        if unit:
            buffer.cursor_position = unit[1]
        if buffer.cursor_position:
            buffer.delete_before_cursor(buffer.cursor_position - self._before(buffer))

    def _delete(self, event: KeyPressEvent) -> None:
        buffer = event.current_buffer
        unit = self.pastes.placeholder_at(buffer.text, buffer.cursor_position, before=False)
        if unit:
            buffer.cursor_position = unit[0]
        if buffer.cursor_position < len(buffer.text):
            buffer.delete(self._after(buffer) - buffer.cursor_position)

    def _left(self, event: KeyPressEvent) -> None:
        event.current_buffer.cursor_position = self._before(event.current_buffer)

    def _right(self, event: KeyPressEvent) -> None:
        event.current_buffer.cursor_position = self._after(event.current_buffer)

    def _edit(self, event: KeyPressEvent) -> None:
        buffer = event.current_buffer
        text = self.pastes.expand(buffer.text)
        buffer.document = Document(text, len(text))
        buffer.open_in_editor(validate_and_handle=False)

    def _paste(self, event: KeyPressEvent) -> None:
        text = clean_paste(event.data)
        self.pastes.note(text)
        event.current_buffer.insert_text(self.pastes.fold(text))


def _send(event: KeyPressEvent) -> None:
    if event.current_buffer.text.strip():
        event.current_buffer.validate_and_handle()


def _newline(event: KeyPressEvent) -> None:
    event.current_buffer.insert_text("\n")


def _exit(app: Application[str]) -> None:
    if app.is_running and app.future is not None and not app.future.done():
        app.exit(exception=EOFError())


def _once(function: Callable[[], None]) -> Callable[[object], None]:
    def handler(app: object) -> None:
        get_app().after_render.remove_handler(handler)
        function()

    return handler


def _output(environment: Environment) -> Output:
    """Without asking the terminal where its cursor is: not every one answers, and the answers mix with the keys."""
    import sys

    if sys.platform == "win32":
        return create_output(environment.stdout)
    from prompt_toolkit.output.vt100 import Vt100_Output

    output = Vt100_Output.from_pty(environment.stdout, term=environment.variables.get("TERM"))
    output.enable_cpr = False
    return output
