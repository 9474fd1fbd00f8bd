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
from localagent import bilingual_talk as say
from localagent.abort import AbortSignal
from localagent.bilingual import Language, Phrase, called
from localagent.bilingual_why import NO_PROMPT
from localagent.columns import columns, pad
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
    help: Phrase
    needs_model: bool
    run: Callable[[Session, str], None]


@dataclass(frozen=True, slots=True)
class Unknown:
    """A command that does not exist, with what to say about it."""

    message: str


def parse(text: str, language: Language = "en") -> tuple[Command, str] | Unknown | str:
    """A command and its argument, a complaint in this language, or the message to send."""
    found = _COMMAND.fullmatch(text.strip())
    if _ESCAPED.match(text.strip()):
        return text.strip()[1:]
    if found is None:
        return text
    name, argument = f"/{found[1]}", (found[2] or "").strip()
    command = next((command for command in COMMANDS if command.name == name.lower()), None)
    if command is None:
        close = difflib.get_close_matches(name.lower(), [command.name for command in COMMANDS], n=1, cutoff=0.5)
        nearest = say.NEAREST(language, nearest=close[0]) if close else ""
        return Unknown(say.UNKNOWN(language, name=name, nearest=nearest))
    if argument and not command.argument:
        return Unknown(say.TAKES_NOTHING(language, name=name))
    return command, argument


def _help(session: Session, argument: str) -> None:
    language = session.language()
    typed = {c.name: f"{c.name} {called(say.ARGUMENTS, c.argument, language)}" for c in COMMANDS}
    room = max(map(columns, typed.values()))
    usage = repl_memory.usage(language)
    lines = [f"{pad(typed[c.name], room)}  {c.help(language, usage=usage)}" for c in COMMANDS]
    session.print("\n".join([*lines, "", say.KEYS(language)]))


def _model(session: Session, argument: str) -> None:
    if argument:
        session.switch_model(argument)
    session.print(say.MODEL(session.language(), name=session.model_name()), "dim")


def _new(session: Session, argument: str) -> None:
    session.conversation().new_thread(argument)
    session.print(say.NEW_THREAD(session.language(argument), name=f" {argument}" if argument else ""), "dim")


def _clear(session: Session, argument: str) -> None:
    conversation = session.conversation()
    kept = conversation.thread.name or conversation.history()
    conversation.new_thread()
    session.clear_screen()
    language = session.language()
    session.print(say.NEW_THREAD(language, name=say.OLD_KEPT(language) if kept else ""), "dim")


def _context(session: Session, argument: str) -> None:
    from localagent.render_context import context_lines

    conversation = session.conversation()
    view = conversation.context()
    language = session.language(*(item.text for item in view.recalled))
    session.print("\n".join(context_lines(view, conversation.count, language)))


def _tools(session: Session, argument: str) -> None:
    lines = lines_of(session.tools(), session.columns(), session.language())
    session.print("\n".join(lines), "" if len(lines) > 1 else "dim")


def _prompt(session: Session, argument: str) -> None:
    record = session.conversation().last_prompt()
    if record is None:
        session.print(NO_PROMPT(session.language()), "dim")
        return
    from localagent.render_record import describe

    session.print(describe(record, session.language()), verbatim=True)


def _undo(session: Session, argument: str) -> None:
    conversation = session.conversation()
    asked = [stored for stored in conversation.history() if stored.message.role == "user"]
    language, text = session.language(), conversation.undo()
    session.print((say.TAKEN_BACK if text else say.NOTHING_TO_TAKE_BACK)(language), "dim")
    repl_memory.tell_what_stays(session, asked[-1].created_at if asked else 0.0)
    session.put_into_box(text, asked[-1].message.pasted if asked else ())


def _retry(session: Session, argument: str) -> None:
    session.turn(lambda conversation, abort: conversation.retry(abort=abort))


def _compact(session: Session, argument: str) -> None:
    waiting = bilingual_shown.SUMMARISING(session.language())
    session.turn(lambda conversation, abort: conversation.compact(abort=abort), waiting=waiting)


def _summary(session: Session, argument: str) -> None:
    summary, language = session.conversation().summary(), session.language()
    if summary is None:
        session.print(bilingual_shown.NO_SUMMARY(language), "dim")
        return
    from localagent.render_summary import describe

    session.print(describe(summary, language), verbatim=True)


def _exit(session: Session, argument: str) -> None:
    session.leave()


COMMANDS: tuple[Command, ...] = (
    Command("/help", "", Phrase("this list", "显示这份列表"), False, _help),
    Command(
        "/model",
        "[name]",
        Phrase("show the model, or go on with another one", "显示模型，或换一个模型继续"),
        False,
        _model,
    ),
    Command("/new", "[name]", Phrase("start a new thread", "开始新会话"), True, _new),
    Command(
        "/clear",
        "",
        Phrase("a new thread on a clear screen (Ctrl-L: the screen alone)", "清屏并开始新会话（Ctrl-L：只清屏）"),
        True,
        _clear,
    ),
    Command(
        "/context",
        "",
        Phrase("what would be sent now, and how full the window is", "现在会发送什么，以及窗口已用多少"),
        True,
        _context,
    ),
    Command("/tools", "", Phrase("what the model may call", "模型可以调用什么"), True, _tools),
    Command("/prompt", "", Phrase("the last prompt, exactly as it was sent", "上一次发送的提示词原文"), True, _prompt),
    Command("/summary", "", Phrase("what older messages are shortened to", "较早的消息被缩短成什么"), True, _summary),
    Command(
        "/compact",
        "",
        Phrase("summarise now, all but the newest exchange", "现在就做摘要，只留最新的一次问答"),
        True,
        _compact,
    ),
    Command(
        "/memory",
        "[command]",
        Phrase("what is remembered, or: {usage}", "记住了什么；还可以：{usage}"),
        True,
        repl_memory.memory,
    ),
    Command(
        "/remember",
        "TEXT",
        Phrase("remember this for later conversations", "记住这句话，供以后的对话使用"),
        True,
        repl_memory.remember,
    ),
    Command(
        "/why",
        "[TEXT|all]",
        Phrase("why memories, or TEXT, were before the model or not", "某些记忆或某段文字为什么给模型看了，或者没有"),
        True,
        repl_memory.why,
    ),
    Command(
        "/undo",
        "",
        Phrase("take the last question back, with its answer, to change it", "撤回最后的问题和它的回答，供修改"),
        True,
        _undo,
    ),
    Command(
        "/retry", "", Phrase("take the last answer back and ask again", "撤回最后的回答，重新问一遍"), True, _retry
    ),
    Command("/exit", "", Phrase("leave", "退出"), False, _exit),
)

# What Tab completes: the commands, and what /memory does.
COMPLETIONS = (*(command.name for command in COMMANDS), *(f"/memory {part.name}" for part in repl_memory.PARTS))
