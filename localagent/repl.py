"""The conversation at a terminal: read a message, show the turn, again."""

from __future__ import annotations

import contextlib
import errno
import signal
import threading
from collections.abc import Callable, Generator, Iterator, Sequence
from contextlib import contextmanager
from textwrap import indent
from types import FrameType
from typing import TYPE_CHECKING, TypeVar

from localagent import bilingual_shown
from localagent import bilingual_talk as say
from localagent.abort import AbortSignal
from localagent.asking import asked
from localagent.bilingual import language_given, language_of
from localagent.bilingual_said import in_language
from localagent.environment import Environment
from localagent.errors import ContextOverflow, ExitCode, Interrupted, LocalAgentError, UsageError
from localagent.events import RequestStored, TurnEvent
from localagent.render import RichRenderer, rich_renderer, show_turn
from localagent.repl_chat import Chat
from localagent.repl_commands import COMPLETIONS, Command, Unknown, parse
from localagent.repl_input import InputBox, Leave
from localagent.repl_keys import KeyWatch
from localagent.repl_memory import in_conversation
from localagent.repl_tools import view_of

if TYPE_CHECKING:
    from localagent.bilingual import Language, Phrase
    from localagent.calls import Approval, ApprovalRequest
    from localagent.conversation import Conversation
    from localagent.longterm import MemoryNote, Opened
    from localagent.repl_tools import View

Answer = TypeVar("Answer")


EDITABLE_CHARACTERS = 10_000
# What reading and writing say when the terminal was closed.
_TERMINAL_GONE = {errno.EIO, errno.ENXIO, errno.EBADF, errno.EPIPE, errno.ENOTTY}


class Repl:
    def __init__(self, environment: Environment, chat: Chat) -> None:
        self._environment = environment
        self._chat = chat
        self._ready: Conversation | None = None
        self._running = True
        self._stored = False
        self._for_the_box = ""
        self._degraded = ""
        self._said = chat.begins_with
        self._terminated = False
        self._stop: Callable[[], None] = _nothing
        self._watch: KeyWatch | None = None
        self._asking = threading.Lock()
        self._renderer: RichRenderer = rich_renderer(environment)
        self._renderer.language = self.language()
        self._box = InputBox(
            environment,
            chat.history,
            COMPLETIONS,
            self._meter,
            lambda: self._ready is None,
            lambda: self._renderer.language,
        )
        chat.ask_through(self._approve)

    def run(self) -> ExitCode:
        """Until the user leaves (OK), or the program is told to end (TERMINATED)."""
        # Raw all the time: what is typed between two prompts must not be echoed, nor its Enter become a newline.
        with self._signals(), self._box.source.raw_mode():
            try:
                self._loop()
            except OSError as error:
                if error.errno not in _TERMINAL_GONE:
                    raise
                self._terminated = True  # a signal usually says so as well
        return ExitCode.TERMINATED if self._terminated else ExitCode.OK

    def _loop(self) -> None:
        self.print(say.BANNER(self._renderer.language, agent=self._chat.agent), "dim")
        self._show_notices()
        on_screen = self._chat.start
        typed = ""
        while self._running and not self._terminated:
            self._stop = self._box.leave_soon
            try:
                submitted = self._box.ask(typed, on_screen=on_screen)
            except Leave:
                return
            finally:
                self._stop = _nothing
            on_screen = _nothing
            self._for_the_box = ""
            done = self._take(submitted.text)
            typed = self._for_the_box if done else submitted.typed

    def _take(self, text: str) -> bool:
        """Do what was typed; False if it could not be done and belongs back into the box."""
        self._renderer.language = language = self.language(*text.split(" ", 1))
        action = parse(text, language)
        if isinstance(action, Unknown):
            self.print(action.message, "red")
            return False
        if isinstance(action, str):
            message, self._said = self._box.pastes.parts(action), action
            self._renderer.language = language_of(action, otherwise=language)
            return self._guarded(lambda: self.turn(lambda talk, abort: talk.send(message, abort=abort)))
        command, argument = action
        self._guarded(lambda: self._run_command(command, argument))
        return True

    def _run_command(self, command: Command, argument: str) -> None:
        if command.needs_model:
            self.conversation()
        command.run(self, argument)

    def _guarded(self, action: Callable[[], None]) -> bool:
        """Run it; errors become lines. True if it succeeded or what was asked is stored."""
        self._stored = False
        try:
            action()
        except Interrupted:
            if not self._stored:
                self.print(say.INTERRUPTED(self._renderer.language), "dim")
            return self._stored
        except ContextOverflow as error:
            self._renderer.error(error)
            return False
        except LocalAgentError as error:
            self._renderer.error(error)
            return self._stored
        finally:
            self._show_notices()
        return True

    # What commands may do (repl_commands.Session).

    def conversation(self) -> Conversation:
        if self._ready is None:
            try:
                self._ready = self._load()
            except LocalAgentError as error:
                if not self._remedied(error):
                    raise
                self._ready = self._load()
        return self._ready

    def _load(self) -> Conversation:
        with self._working(lambda: self._renderer.status(self._loading(say.LOADING))) as abort:
            return self._chat.conversation(abort)

    def _remedied(self, error: LocalAgentError) -> bool:
        question = self._chat.remedy(error)
        if not question or not self.confirm(question):
            return False
        with self._working(_nothing) as abort:
            self._chat.apply_remedy(abort, self._show_download)
        return True

    def language(self, *texts: str) -> Language:
        self._ready = self._ready or self._chat.ready()
        given = language_given(*texts, otherwise=self._environment.language)
        if self._ready is None and not self._said:
            return given
        from localagent.spoken import language_in

        return language_in(self._ready.history() if self._ready else (), self._said, otherwise=given)

    def _loading(self, otherwise: Phrase) -> str:
        language, loading = self._renderer.language, self._chat.poll()
        return in_language(loading, language) if loading else otherwise(language)

    def confirm(self, question: str) -> bool:
        self._stop = self._box.leave_soon
        try:
            return self._box.confirm(in_language(question, self._renderer.language))
        except Leave:
            return False
        finally:
            self._stop = _nothing

    def _approve(self, request: ApprovalRequest, abort: AbortSignal) -> Approval:
        """Ask in the middle of a turn. Leaving the question (Ctrl-C, Ctrl-D, a signal) stops the turn."""
        with self._asking:
            abort.raise_if_aborted()
            self._renderer.finish()
            with self._free_keys():
                self._stop = self._box.leave_soon
                forget = abort.on_abort(self._box.leave_soon)
                try:
                    size = self._box.output.get_size()
                    language = self._renderer.language
                    return asked(request, self._say_verbatim, self._box.line, size.columns, size.rows, language)
                except Leave:
                    abort.raise_if_aborted()
                    raise Interrupted("interrupted") from None
                finally:
                    forget()

    def _say_verbatim(self, line: str) -> None:
        self._renderer.print(line, verbatim=True)

    @contextmanager
    def _free_keys(self) -> Iterator[None]:
        """Nobody watches the keys; afterwards whoever did does again."""
        watch, stop = self._watch, self._stop
        try:
            with watch.paused() if watch else contextlib.nullcontext():
                yield
        finally:
            self._stop = stop

    def _show_download(self, done: int, total: int) -> None:
        fetched, share = (say.FETCHED_OF, 100 * done // total) if total else (say.FETCHED, 0)
        told = fetched(self._renderer.language, done=done / 1e6, total=total / 1e6, share=share)
        self._renderer.status(told)

    def turn(self, start: Callable[[Conversation, AbortSignal], Generator[TurnEvent]], *, waiting: str = "") -> None:
        conversation = self.conversation()
        self._show_notices()
        conversation.watch = self._renderer.show
        before = conversation.memory_note
        try:
            with self._working(lambda: self._renderer.status(waiting) if waiting else None) as abort:
                # What is only `waiting` for leaves no answer that an end could be marked at; `_guarded` says it.
                show_turn(self._renderer, self._noting_storage(start(conversation, abort)), marks=not waiting)
        finally:
            if conversation.memory_note is not before:  # a turn began
                self._show_memory(conversation.memory_note)
        self.print("")

    def tools(self) -> View:
        conversation = self.conversation()
        conversation.watch = self._renderer.show
        with self._working(_nothing) as abort:
            self._renderer.status(say.ASKING_FOR_TOOLS(self._renderer.language))
            conversation.prepare(abort)
        return view_of(conversation, self._renderer.language)

    def columns(self) -> int:
        return self._box.output.get_size().columns

    def with_memory(self, action: Callable[[Opened, AbortSignal], Answer]) -> Answer:
        memory, language, shown = self.conversation().memory, self.language(), bilingual_shown
        if memory is None:
            raise UsageError(shown.SWITCHED_OFF(language), hint=shown.SWITCH_ON(language))
        with self._working(lambda: self._renderer.status(shown.LOOKING(language))) as abort:
            opened = memory.open(abort)
            if opened is None:
                raise UsageError(shown.UNUSABLE_NOW(language), hint=shown.SEE_DOCTOR(language))
            return action(opened, abort)

    def _show_memory(self, note: MemoryNote) -> None:
        """What memory did in the turn, dim; why it searched by words alone is told once."""
        if str(note):
            self.print(f"{note}{' · /why' if note.used or note.messages else ''}", "dim")
        for line in note.told:
            self.print(in_conversation(indent(line, "  ")), "dim")
        if note.degraded and note.degraded != self._degraded:
            from localagent.bilingual import BY_WORDS_ALONE

            self.print(BY_WORDS_ALONE(note.language, why=note.degraded), "dim")
        self._degraded = note.degraded

    def switch_model(self, name: str) -> None:
        with self._working(lambda: self._renderer.status(say.LOADING_IT(self._renderer.language, name=name))) as abort:
            self._chat.switch_model(name, abort)
        self._ready = self._chat.ready()

    def model_name(self) -> str:
        return self._ready.meter.model if self._ready else self._loading(say.NOT_LOADED)

    def print(self, text: str, style: str = "", *, verbatim: bool = False) -> None:
        self._renderer.print(text, style, verbatim=verbatim)

    def put_into_box(self, text: str, pasted: Sequence[str] = ()) -> None:
        for paste in pasted:
            self._box.pastes.note(paste)
        # Unfolded, since it is to be changed; a text that nobody edits by hand stays folded.
        self._for_the_box = text if len(text) <= EDITABLE_CHARACTERS else self._box.pastes.fold(text)

    def clear_screen(self) -> None:
        self._box.output.erase_screen()
        self._box.output.cursor_goto(0, 0)
        self._box.output.flush()

    def leave(self) -> None:
        self._running = False

    def _noting_storage(self, events: Generator[TurnEvent]) -> Generator[TurnEvent]:
        with contextlib.closing(events):
            for event in events:
                self._stored = self._stored or isinstance(event, RequestStored)
                yield event

    def _show_notices(self) -> None:
        for line in self._chat.notices():
            self._renderer.notice(line)

    @contextmanager
    def _working(self, on_tick: Callable[[], None]) -> Iterator[AbortSignal]:
        """While the program works: keys are watched, and Ctrl-C, Esc and signals set the abort signal."""

        def tick() -> None:
            on_tick()
            self._renderer.tick()

        abort = AbortSignal()
        on_tick()
        with KeyWatch(self._box.source, self._box.output, abort, tick) as self._watch:
            self._stop = self._watch.abort_soon
            try:
                if self._terminated:
                    raise Interrupted("the program was told to end")
                yield abort
            finally:
                self._stop = _nothing
                self._watch = None
                self._renderer.status("")

    def _meter(self) -> str:
        talk, language = self._ready or self._chat.ready(), self._renderer.language
        self._ready = talk
        if talk is None:
            return self._loading(say.NO_MODEL)
        meter = talk.meter
        cached = say.CACHED(language, cached=meter.cached) if meter.cached is not None else ""
        about = "" if meter.exact else "~"
        told = {"used": meter.used, "window": meter.window, "model": meter.model}
        return say.METER(language, about=about, cached=cached, **told)

    @contextmanager
    def _signals(self) -> Iterator[None]:
        """SIGTERM and SIGHUP end the program after what arrived is stored; SIGINT stops the answer."""

        def handle(number: int, frame: FrameType | None) -> None:
            self._terminated = self._terminated or number != signal.SIGINT
            self._stop()

        names = ("SIGINT", "SIGTERM", "SIGHUP")
        numbers = [getattr(signal, name) for name in names if hasattr(signal, name)]
        before = [(number, signal.signal(number, handle)) for number in numbers]
        try:
            yield
        finally:
            for number, handler in before:
                with contextlib.suppress(TypeError):  # a handler that was not set from Python
                    signal.signal(number, handler)


def _nothing() -> None:
    pass


def run_repl(environment: Environment, chat: Chat) -> ExitCode:
    """Talk until the user leaves. Needs a terminal on standard input and output."""
    return Repl(environment, chat).run()
