"""The contract of calling tools: what can be called, whether it may be, and what came of it."""

from __future__ import annotations

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
    may be called again with other arguments (it asked for that itself, or the arguments were wrong). `linked`: the
    record of a turn that another agent ran for it. Seconds from the call to its end."""

    call: ToolCallPart
    text: str
    is_error: bool = False
    ran: bool = True
    retry: bool = False
    seconds: float = 0.0
    left_out: int = 0
    linked: str = ""


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
    """A call before it runs. `paths`: those it names, with symlinks resolved; `shown` as in `Toolbox.shown`;
    `interactive`: somebody can be asked. `named`: the tool was allowed by name for this run (a flag)."""

    tool: str
    effects: frozenset[Effect]
    arguments: JsonObject
    shown: str
    paths: Sequence[str] = ()
    interactive: bool = False
    named: bool = False


@dataclass(frozen=True, slots=True)
class Decision:
    """`reason`: for the record, and for the model where it is denied."""

    verdict: Literal["allow", "ask", "deny"]
    reason: str = ""


# What a person answered: once, always for exactly this, or no, with a reason for the model.
Answered: TypeAlias = Literal["once", "always", "deny"]


@dataclass(frozen=True, slots=True)
class Approval:
    answer: Answered
    reason: str = ""


class Approver(Protocol):
    """Asks a person."""

    def __call__(self, request: ApprovalRequest) -> Approval: ...


class Approvals(Protocol):
    """What was allowed "always for exactly this", by agent, tool and arguments. Raises StorageError."""

    def allowed(self, agent: str, request: ApprovalRequest) -> bool: ...

    def allow(self, agent: str, request: ApprovalRequest) -> None: ...
