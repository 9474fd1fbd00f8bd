"""One question, one answer: what `ask` does, and `chat` without a terminal."""

from __future__ import annotations

import os
import stat
from collections.abc import Callable, Generator, Sequence
from contextlib import ExitStack, closing
from dataclasses import asdict, dataclass, field, replace
from pathlib import Path
from typing import TYPE_CHECKING

from localagent.abort import AbortSignal
from localagent.bilingual import language_of
from localagent.cli import process
from localagent.cli.stdin import IDLE_PIPE_S, read_stdin
from localagent.environment import Environment
from localagent.errors import LocalAgentError, UsageError

if TYPE_CHECKING:
    from localagent.answer_schema import AnswerSchema
    from localagent.build import Workspace
    from localagent.cli.asking import TerminalApprover
    from localagent.conversation import Conversation
    from localagent.events import ToolFinished, TurnEvent, TurnFinished
    from localagent.longterm import MemoryNote
    from localagent.messages import AttachmentPart


# How long the program stays after its answer to index it. What is left is found by its words, and indexed next time.
SETTLE_S = 2.0


@dataclass(frozen=True)
class Request:
    """What was asked on the command line."""

    text: str
    attachments: tuple[AttachmentPart, ...] = ()


@dataclass(frozen=True)
class Choices:
    """How it shall be answered."""

    agent: str | None = None
    model: str | None = None
    settings: Sequence[str] = ()
    thread: str | None = None
    go_on: bool = False
    as_json: bool = False
    no_log: bool = False
    yes: bool = False
    allow_tools: Sequence[str] = ()
    schema: Path | None = None

    @property
    def without_trace(self) -> bool:
        """The thread is not to be kept."""
        return self.no_log and self.thread is None and not self.go_on

    def confirm(self, env: Environment) -> Callable[[str, bool], bool]:
        """How a person is asked; `--yes` answers where yes is likely, not where gigabytes would be downloaded."""
        return lambda text, likely: (self.yes and likely) or process.confirm(env, text, default=likely)


def read_request(env: Environment, question: str, abort: AbortSignal) -> Request:
    """The question with what is piped in. UsageError if there is neither."""
    if any("\ud800" <= char <= "\udfff" for char in question):
        raise UsageError("the question is not UTF-8 text")
    needed = not question.strip()
    piped = read_stdin(env.stdin, needed=needed, abort=abort)
    if piped is None and not env.stdin.isatty() and not needed and not _is_device(env):
        process.say(env, f"nothing arrived on standard input within {IDLE_PIPE_S:g} s; going on without it")
    if not needed:
        from localagent.messages import AttachmentPart

        return Request(question, (AttachmentPart("stdin", piped),) if piped else ())
    if piped is None:
        raise UsageError("there is no question", hint='As in: localagent ask "What is a monad?"')
    return Request(piped)


def _is_device(env: Environment) -> bool:
    return stat.S_ISCHR(os.fstat(env.stdin.fileno()).st_mode)


@dataclass
class Seen:
    """What a program is told of a turn beside its answer, as far as the turn came."""

    thread: str | None = None
    tools: list[dict[str, object]] = field(default_factory=list)
    recalled: Sequence[str] = ()
    record: str = ""
    finished: TurnFinished | None = None

    def take(self, event: TurnEvent) -> None:
        from localagent.events import PromptAssembled, RequestStored, ToolFinished, TurnFinished

        match event:
            case RequestStored():
                self.thread = event.thread_id
            case PromptAssembled():
                self.recalled, self.record = event.recalled, event.record_id
            case ToolFinished():
                self.tools.append(_tool(event))
            case TurnFinished():
                self.finished = event


def answer(env: Environment, question: str, choices: Choices) -> None:
    """Read what is piped in, open what is needed, run the turn, print. With JSON an error is printed as one too."""
    from localagent.build import open_workspace
    from localagent.cli.output import print_json

    seen = Seen()
    try:
        with process.stop_on_signals() as abort:
            request = read_request(env, question, abort)
            env = replace(env, language=language_of(request.text, otherwise=env.language))
            with open_workspace(env, say=lambda text: process.say(env, text)) as workspace:
                _answer(env, workspace, request, choices, abort, seen)
    except LocalAgentError as error:
        if choices.as_json:
            problem = {"type": type(error).__name__, "message": str(error), "exit_code": int(error.exit_code)}
            told: dict[str, object] = {"error": problem}
            if seen.thread is not None:  # the turn began
                thread = None if choices.without_trace else seen.thread
                told |= {"thread": thread, "tools": seen.tools, "prompt_record": seen.record or None}
            print_json(env, told, indent=None)
        raise


def _answer(
    env: Environment, workspace: Workspace, request: Request, choices: Choices, abort: AbortSignal, seen: Seen
) -> None:
    from localagent.agent_folder import load_agent
    from localagent.cli.asking import terminal_approver

    form = _form(env, choices.schema)
    loaded = load_agent(env, agent=choices.agent, overrides=process.overrides(choices.settings, choices.model))
    for notice in loaded.notices:
        process.say(env, notice)
    with ExitStack() as stack:
        # Threads that are not kept are never written: what ends the program early leaves nothing of them either.
        rooms = stack.enter_context(workspace.without_trace()) if choices.without_trace else workspace
        thread = rooms.open_thread(loaded, name=choices.thread, go_on=choices.go_on)
        stack.callback(rooms.drop_if_empty, thread)
        model = stack.enter_context(
            workspace.model(
                loaded,
                abort=abort,
                confirm=choices.confirm(env),
                bar=lambda what: process.progress_bar(env, what),
            )
        )
        memory = stack.enter_context(rooms.memory(loaded)) if loaded.config.memory.enabled else None
        approver = stack.enter_context(terminal_approver(env))
        conversation = rooms.conversation(
            loaded,
            model,
            thread,
            log=not choices.no_log,
            memory=memory,
            approver=approver,
            named=choices.allow_tools,
        )
        stack.callback(conversation.close)
        if form is not None:
            conversation.act(replace(conversation.acting, form=form.form()))
        try:
            events = conversation.send(request.text, request.attachments, abort=abort)
            _show(env, conversation, _noted(events, seen), choices, approver, form is None)
            _conclude(env, conversation, choices, form, seen)
        finally:  # what it was asked may be remembered, though there is no answer
            if not choices.as_json:
                _tell(env, conversation.memory_note)
        if memory is not None and not choices.without_trace:
            env.stdout.flush()  # the answer is there; what is left is for the next question
            memory.drain(abort, seconds=SETTLE_S)


def _form(env: Environment, file: Path | None) -> AnswerSchema | None:
    """Read before anything is opened: a mistake in it costs nothing."""
    if file is None:
        return None
    from localagent.answer_schema import read_schema

    return read_schema(env.cwd / file.expanduser())


def _noted(events: Generator[TurnEvent], seen: Seen) -> Generator[TurnEvent]:
    with closing(events):
        for event in events:
            seen.take(event)
            yield event


def _show(
    env: Environment,
    conversation: Conversation,
    events: Generator[TurnEvent],
    choices: Choices,
    approver: TerminalApprover | None,
    streamed: bool,
) -> None:
    """The turn, to its end. `streamed`: its answer is printed while the turn runs, if no JSON is asked for."""
    if not choices.as_json and streamed:
        from localagent.render import renderer_for, show_turn

        renderer = renderer_for(env)
        conversation.watch = renderer.show
        if approver is not None:
            approver.before = renderer.break_off
        show_turn(renderer, events, marks=False)
        return
    from localagent.events import Evaluated, Notice
    from localagent.render_steps import evaluation_line

    def tell(event: TurnEvent) -> None:
        line = event.text if isinstance(event, Notice) else ""
        line = evaluation_line(event, env.language) if isinstance(event, Evaluated) else line
        if line:
            process.say(env, line)

    conversation.watch = tell
    with closing(events):
        for event in events:
            tell(event)


def _conclude(
    env: Environment, conversation: Conversation, choices: Choices, form: AnswerSchema | None, seen: Seen
) -> None:
    """Print what is to be printed at the end. Raises SchemaMismatch, and IncompleteAnswer where nothing was said."""
    from localagent.cli.output import print_json
    from localagent.errors import IncompleteAnswer

    finished = seen.finished
    if finished is None:
        return
    if not finished.text.strip():
        raise IncompleteAnswer(
            f"there is no answer: the turn was ended by {finished.stop_reason}",
            hint="" if choices.no_log else "What it did: localagent prompts show",
        )
    data = _data(form, finished)
    if not choices.as_json:
        if form is not None:
            print_json(env, data["data"])
        return
    result = _result(conversation, finished, kept=not choices.without_trace)
    told = {"tools": seen.tools, "recalled": list(seen.recalled), "memory": conversation.memory_note.for_programs()}
    print_json(env, {**result, **data, **told}, indent=None)


def _tell(env: Environment, note: MemoryNote) -> None:
    """What memory did, as the conversation tells it: beside the answer."""
    for line in filter(None, (str(note), *note.told)):
        for row in line.split("\n"):
            process.say(env, row)


def _tool(event: ToolFinished) -> dict[str, object]:
    return {
        "name": event.call.name,
        "arguments": event.call.arguments,
        "ran": event.ran,
        "denied": event.denied,
        "is_error": event.is_error,
        "text": event.text,
        "seconds": round(event.seconds, 3),
    }


def _data(form: AnswerSchema | None, finished: TurnFinished) -> dict[str, object]:
    """The value that the answer is, where it has a form. Raises SchemaMismatch."""
    from localagent.errors import SchemaMismatch

    try:
        return {"data": form.value(finished.text)} if form is not None else {}
    except ValueError as error:
        cut = finished.stop_reason == "length"
        raise SchemaMismatch(
            f"the answer does not satisfy the schema: {error}",
            hint="It was cut; raise model.max_output_tokens."
            if cut
            else "Raise loop.max_processor_retries, or choose another model.",
        ) from None


def _result(conversation: Conversation, finished: TurnFinished, *, kept: bool) -> dict[str, object]:
    meter = conversation.meter
    return {
        "answer": finished.text,
        "thread": finished.thread_id if kept else None,
        "model": meter.model,
        "usage": {**asdict(finished.usage), "window": meter.window},
        "stop_reason": finished.stop_reason,
        "incomplete": finished.incomplete or None,
        "steps": finished.steps,
        "prompt_record": finished.record_id or None,
    }
