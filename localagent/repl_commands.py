"""The slash commands: one table that drives completion, help and dispatch.

A line that begins with `/` and one word is a command. `//word` sends `/word`; a path (`/etc/hosts`) and a text of
several lines are messages.
"""

from __future__ import annotations

import difflib
import re
from collections.abc import Callable, Generator, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Protocol

from localagent import bilingual_shown, repl_memory
from localagent.abort import AbortSignal
from localagent.bilingual_why import NO_PROMPT
from localagent.events import TurnEvent
from localagent.repl_tools import View, lines_of

if TYPE_CHECKING:
    from localagent.conversation import Conversation

_COMMAND = re.compile(r"/([^\s/]*)(?:[ \t]+([^\n]*))?")
_ESCAPED = re.compile(r"//\S")


class Session(repl_memory.MemorySession, Protocol):
    """What a command may do with the REPL. `conversation` waits until the model is ready; `print`ed text that is
    `verbatim` can be copied as it is, other text is wrapped at words."""

    def turn(self, start: Callable[[Conversation, AbortSignal], Generator[TurnEvent]], *, waiting: str = "") -> None:
        """Run a turn and show it. `waiting`: the line that stands there while nothing else does."""
        ...

    def tools(self) -> View:
        """Those that the model is told of, and how; servers that do not answer can delay it."""
        ...

    def columns(self) -> int:
        """Cells of a line of the terminal."""
        ...

    def switch_model(self, name: str) -> None: ...

    def model_name(self) -> str: ...

    def put_into_box(self, text: str, pasted: Sequence[str] = ()) -> None:
        """What the user finds typed at the next prompt; `pasted`: what of it is not theirs."""
        ...

    def clear_screen(self) -> None: ...

    def leave(self) -> None: ...


@dataclass(frozen=True, slots=True)
class Command:
    """`argument` is how help shows it, empty if the command takes none. `needs_model`: waits until it is loaded."""

    name: str
    argument: str
    help: str
    needs_model: bool
    run: Callable[[Session, str], None]


@dataclass(frozen=True, slots=True)
class Unknown:
    """A command that does not exist, with what to say about it."""

    message: str


def parse(text: str) -> tuple[Command, str] | Unknown | str:
    """A command and its argument, a complaint, or the message to send."""
    found = _COMMAND.fullmatch(text.strip())
    if _ESCAPED.match(text.strip()):
        return text.strip()[1:]
    if found is None:
        return text
    name, argument = f"/{found[1]}", (found[2] or "").strip()
    command = next((command for command in COMMANDS if command.name == name.lower()), None)
    if command is None:
        close = difflib.get_close_matches(name.lower(), [command.name for command in COMMANDS], n=1, cutoff=0.5)
        nearest = f"Did you mean {close[0]}? " if close else ""
        return Unknown(f"unknown command {name}. {nearest}/help lists them; to send this as a message type /{name}")
    if argument and not command.argument:
        return Unknown(f"{name} takes no argument")
    return command, argument


def _help(session: Session, argument: str) -> None:
    width = max(len(f"{c.name} {c.argument}") for c in COMMANDS)
    lines = [f"{f'{c.name} {c.argument}':<{width}}  {c.help}" for c in COMMANDS]
    session.print("\n".join([*lines, "", *KEYS]))


def _model(session: Session, argument: str) -> None:
    if argument:
        session.switch_model(argument)
    session.print(f"model: {session.model_name()}", "dim")


def _new(session: Session, argument: str) -> None:
    session.conversation().new_thread(argument)
    session.print(f"new thread{f' {argument}' if argument else ''}", "dim")


def _clear(session: Session, argument: str) -> None:
    conversation = session.conversation()
    kept = conversation.thread.name or conversation.history()
    conversation.new_thread()
    session.clear_screen()
    session.print("new thread" + ("; the old one is kept (localagent threads list)" if kept else ""), "dim")


def _context(session: Session, argument: str) -> None:
    from localagent.render_context import context_lines

    conversation = session.conversation()
    view = conversation.context()
    language = repl_memory.language_now(session, *(item.text for item in view.recalled))
    session.print("\n".join(context_lines(view, conversation.count, language)))


def _tools(session: Session, argument: str) -> None:
    lines = lines_of(session.tools(), session.columns())
    session.print("\n".join(lines), "" if len(lines) > 1 else "dim")


def _prompt(session: Session, argument: str) -> None:
    record = session.conversation().last_prompt()
    if record is None:
        session.print(NO_PROMPT(repl_memory.language_now(session)), "dim")
        return
    from localagent.render_record import describe

    session.print(describe(record), verbatim=True)


def _undo(session: Session, argument: str) -> None:
    conversation = session.conversation()
    asked = [stored for stored in conversation.history() if stored.message.role == "user"]
    text = conversation.undo()
    session.print("taken back; change it, or clear it with Ctrl-C" if text else "nothing to take back", "dim")
    repl_memory.tell_what_stays(session, asked[-1].created_at if asked else 0.0)
    session.put_into_box(text, asked[-1].message.pasted if asked else ())


def _retry(session: Session, argument: str) -> None:
    session.turn(lambda conversation, abort: conversation.retry(abort=abort))


def _compact(session: Session, argument: str) -> None:
    waiting = bilingual_shown.SUMMARISING(repl_memory.language_now(session))
    session.turn(lambda conversation, abort: conversation.compact(abort=abort), waiting=waiting)


def _summary(session: Session, argument: str) -> None:
    summary, language = session.conversation().summary(), repl_memory.language_now(session)
    if summary is None:
        session.print(bilingual_shown.NO_SUMMARY(language), "dim")
        return
    from localagent.render_summary import describe

    session.print(describe(summary, language), verbatim=True)


def _exit(session: Session, argument: str) -> None:
    session.leave()


COMMANDS: tuple[Command, ...] = (
    Command("/help", "", "this list", False, _help),
    Command("/model", "[name]", "show the model, or go on with another one", False, _model),
    Command("/new", "[name]", "start a new thread", True, _new),
    Command("/clear", "", "a new thread on a clear screen (Ctrl-L: the screen alone)", True, _clear),
    Command("/context", "", "what would be sent now, and how full the window is", True, _context),
    Command("/tools", "", "what the model may call", True, _tools),
    Command("/prompt", "", "the last prompt, exactly as it was sent", True, _prompt),
    Command("/summary", "", "what older messages are shortened to", True, _summary),
    Command("/compact", "", "summarise now, all but the newest exchange", True, _compact),
    Command("/memory", "[command]", f"what is remembered, or: {repl_memory.usage()}", True, repl_memory.memory),
    Command("/remember", "TEXT", "remember this for later conversations", True, repl_memory.remember),
    Command("/why", "[TEXT|all]", "why memories, or TEXT, were before the model or not", True, repl_memory.why),
    Command("/undo", "", "take the last question back, with its answer, to change it", True, _undo),
    Command("/retry", "", "take the last answer back and ask again", True, _retry),
    Command("/exit", "", "leave", False, _exit),
)

# What Tab completes: the commands, and what /memory does.
COMPLETIONS = (*(command.name for command in COMMANDS), *(f"/memory {part.name}" for part in repl_memory.PARTS))

KEYS = (
    "Enter sends; Ctrl-J or Esc Enter begins a new line; Ctrl-X Ctrl-E opens an editor.",
    "Esc or Ctrl-C stops an answer, and what was there is kept.",
    "Ctrl-C clears the box, twice leaves. Ctrl-D leaves. Tab completes commands.",
    "A message may begin with a slash: //like this. Paths, and texts of several",
    "lines, are messages anyway.",
)
