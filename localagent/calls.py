"""The contract of calling tools: what can be called, whether it may be, and what came of it."""

from __future__ import annotations

import json
import re
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal, Protocol, TypeAlias

from localagent.abort import AbortSignal
from localagent.messages import JsonObject, ToolCallPart
from localagent.tool import Effect, ToolSpec


@dataclass(frozen=True, slots=True)
class CallResult:
    """What a call gave, as the model is told it. `ran`: the tool's own code was entered; what was refused before that
    (an unknown tool, wrong arguments, no approval) did not run. `text` is capped; `left_out` are the tokens that were
    cut from its middle. `is_error`: the text says what went wrong, and what the model may do. `retry`: the same tool
    may be called again with other arguments (it asked for that itself, or the arguments were wrong). `denied`: it was
    not allowed. `linked`: the
    record of a turn that another agent ran for it. Seconds from the call to its end."""

    call: ToolCallPart
    text: str
    is_error: bool = False
    ran: bool = True
    retry: bool = False
    seconds: float = 0.0
    left_out: int = 0
    linked: str = ""
    denied: bool = False


class Toolbox(Protocol):
    """The tools of one agent. Methods raise `Aborted` soon after the signal, and errors of `localagent.errors` for what
    is wrong with the program or its configuration; what goes wrong with a call is a result."""

    def specs(self) -> Sequence[ToolSpec]:
        """What is offered to the model, always in the same order."""
        ...

    def effects(self, name: str) -> frozenset[Effect]:
        """What a tool does to the world; empty for one that there is not."""
        ...

    def shown(self, call: ToolCallPart) -> str:
        """Exactly what will run, for a person to decide on: the command, the path with its content, the address."""
        ...

    def paths(self, call: ToolCallPart) -> Sequence[str]:
        """The files and folders its arguments name, absolute, with symlinks resolved; empty for wrong arguments."""
        ...

    def refusal(self, call: ToolCallPart) -> CallResult | None:
        """Why a call cannot run: there is no such tool, or its arguments are not what it takes, in words that the model
        can act on. None if it can."""
        ...

    def run(self, call: ToolCallPart, abort: AbortSignal) -> CallResult:
        """Run a call that was not refused and is approved, under the tool's time limit."""
        ...

    def close(self) -> None:
        """End what was started for it. May be called twice."""
        ...


@dataclass(frozen=True, slots=True)
class ApprovalRequest:
    """A call before it runs. `paths`: those it names, with symlinks resolved; `shown` as in `Toolbox.shown`, made
    `exact`; `interactive`: somebody can be asked. `named`: the tool was allowed by name for this run (a flag).
    `folder`: where its relative paths begin and its commands run. `version`: what the tool was when it was called (its
    code, what the model is told of it, its effects); one that has changed has another. `agent`: by which name the agent
    is asked that calls it (`editor.reader`: `reader`, which `editor` asks); empty for the one that a person talks to.
    """

    tool: str
    effects: frozenset[Effect]
    arguments: JsonObject
    shown: str
    paths: Sequence[str] = ()
    interactive: bool = False
    named: bool = False
    folder: str = ""
    version: str = ""
    agent: str = ""

    @property
    def name(self) -> str:
        """The tool's, behind that of its agent, as `--allow-tool` takes it."""
        return f"{self.agent}.{self.tool}" if self.agent else self.tool

    @property
    def exactly(self) -> str:
        """What "always for exactly this" means: another text where any of it differs."""
        return canonical([self.tool, self.arguments, list(self.paths), self.folder, self.version])


@dataclass(frozen=True, slots=True)
class Decision:
    """`reason`: for the record, and for the model where it is denied. `again`: what was denied may be asked for again,
    as it is."""

    verdict: Literal["allow", "ask", "deny"]
    reason: str = ""
    again: bool = False


# What a person answered: once, always for exactly this, or no, with a reason for the model.
Answered: TypeAlias = Literal["once", "always", "deny"]


@dataclass(frozen=True, slots=True)
class Approval:
    answer: Answered
    reason: str = ""


class ApprovalPolicy(Protocol):
    """The function of `policies/approval.py`."""

    def __call__(self, request: ApprovalRequest) -> Decision:
        """Whether a call may run, must not, or a person decides. A plain calculation."""
        ...


class Approver(Protocol):
    """Asks a person, one question at a time also when several threads do."""

    def __call__(self, request: ApprovalRequest, abort: AbortSignal) -> Approval:
        """Wait for the answer. Raises `Aborted` when the person stops the turn instead, or the signal is set."""
        ...


class Approvals(Protocol):
    """What was allowed "always", by agent and `ApprovalRequest.exactly`. Raises StorageError."""

    def allowed(self, agent: str, request: ApprovalRequest) -> bool: ...

    def allow(self, agent: str, request: ApprovalRequest) -> None: ...


def canonical(value: object) -> str:
    """JSON with one form for one value, whatever the order of its keys; ASCII alone."""
    return json.dumps(value, sort_keys=True, ensure_ascii=True, separators=(",", ":"))


# Stand for what would not be seen where a person decides: a tab, a blank at the end of a row.
TAB_MARK, ROW_END = "⇥", "␠"
# Printable for Unicode, and yet nothing is to be seen: fillers, blanks and selectors. And the marks of our own.
_UNSEEN = re.compile(
    "[\u034f\u115f\u1160\u17b4\u17b5\u180b-\u180f\u2800\u3164\ufe00-\ufe0f\uffa0\U000e0100-\U000e01ef⇥␠]"
)
_LIKE_AN_ESCAPE = re.compile("x[0-9a-f]{2}|u[0-9a-f]{4}|U[0-9a-f]{8}")


def visible(text: str) -> str:
    """What a person decides on: nothing in it may hide, move or look like nothing. What does is written as an escape;
    only newlines, tabs and spaces stay. What is visible stays as it is."""
    if text.isascii() and text.replace("\n", "").replace("\t", "").isprintable():
        return text
    return "".join(_escape(character) if _hides(character) else character for character in text)


def exact(text: str) -> str:
    """Made `visible` so that no two texts give the same: backslashes are doubled before what is an escape, or would
    read like one."""

    def doubled(found: re.Match[str]) -> str:
        end = found.end()
        like = _LIKE_AN_ESCAPE.match(text, end) or (end < len(text) and _hides(text[end]))
        return found[0] * 2 if like else found[0]

    return visible(re.sub(r"\\+", doubled, text))


def _hides(character: str) -> bool:
    return not (character.isprintable() or character in "\n\t") or _UNSEEN.match(character) is not None


def _escape(character: str) -> str:
    return "\\x0d" if character == "\r" else character.encode("unicode_escape").decode("ascii")
