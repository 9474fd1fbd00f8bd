"""A gate at a terminal, for tests: what is asked about is in HOME/shown.

python asking_child.py HOME repl     The conversation: a message that begins with "act" is a turn that asks before it
answers; "act twice" asks in two threads at once. "limited" in it: the turn has half a second; "held": it
asks when HOME/go is there.
python asking_child.py HOME ask      Asks once, as `ask` does, and prints the verdict on standard output.
"""

from __future__ import annotations

import contextlib
import sys
from collections.abc import Generator, Sequence
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

from repl_child import TestChat

from localagent.abort import AbortSignal
from localagent.approval import Gate
from localagent.calls import Approver, CallResult, Decision, Toolbox
from localagent.cli import process
from localagent.cli.asking import terminal_approver
from localagent.cli.main import leave
from localagent.conversation import Conversation
from localagent.environment import Environment
from localagent.errors import LocalAgentError
from localagent.events import RequestStored, TextDelta, TurnEvent
from localagent.memory.approvals import SqliteApprovals
from localagent.memory.ledger import SqliteLedger
from localagent.messages import TextPart, ToolCallPart
from localagent.repl import run_repl
from localagent.tool import Effect, ToolSpec

CALL = ToolCallPart("1", "run_shell", {"command": "make 测试"})


class Box:
    """A toolbox with one tool that is only shown."""

    def __init__(self, home: Path) -> None:
        self._shown = home / "shown"

    def specs(self) -> list[ToolSpec]:
        return [ToolSpec("run_shell", "Run.", {"type": "object"})]

    def effects(self, name: str) -> frozenset[Effect]:
        return frozenset({"runs code", "writes"})

    def shown(self, call: ToolCallPart) -> str:
        return self._shown.read_bytes().decode("utf-8")

    def paths(self, call: ToolCallPart) -> list[str]:
        return ["/家/真/notes.txt"]

    def refusal(self, call: ToolCallPart) -> CallResult | None:
        return None

    def run(self, call: ToolCallPart, abort: AbortSignal) -> CallResult:
        return CallResult(call, "done")

    def close(self) -> None:
        pass


class Asking(TestChat):
    def __init__(self, home: Path) -> None:
        super().__init__(home)
        self._box: Toolbox = Box(home)
        self._approver: Approver | None = None

    def _open(self) -> Conversation:
        conversation = super()._open()
        plain = Conversation.send

        def send(message: str | Sequence[TextPart], *, abort: AbortSignal) -> Generator[TurnEvent]:
            text = message if isinstance(message, str) else "".join(part.text for part in message)
            if not text.startswith("act"):
                yield from plain(conversation, message, abort=abort)
                return
            yield RequestStored(conversation.thread.id, 0)
            yield TextDelta("I will do it.\n\n")
            while "held" in text and not (self.history.parent / "go").exists():
                abort.wait(0.02)
            limit = 0.5 if "limited" in text else None
            with abort.child(timeout_s=limit, what="the turn") as within:
                if "twice" in text:
                    with ThreadPoolExecutor(2) as pool:
                        decisions = list(pool.map(lambda _: self._decide(within), range(2)))
                else:
                    decisions = [self._decide(within)]
                if "limited" in text:
                    within.wait(30)
                    within.raise_if_aborted()
            for decision in decisions:
                yield TextDelta(f"\n\nverdict {decision.verdict}: {decision.reason}")

        conversation.send = send  # type: ignore[assignment, method-assign]
        return conversation

    def _decide(self, abort: AbortSignal) -> Decision:
        return gate_of(self._ledger, self._approver).decide(CALL, self._box, abort)


def gate_of(ledger: SqliteLedger, approver: Approver | None) -> Gate:
    approvals = SqliteApprovals(ledger.database, "default")
    return Gate("test", lambda request: Decision("ask"), approvals, approver, folder="/家")


def main() -> int:
    home, how = Path(sys.argv[1]), sys.argv[2]
    env = Environment.of_process()
    if how == "repl":
        chat = Asking(home)
        try:
            return run_repl(env, chat)
        finally:
            chat.close()
    with contextlib.closing(SqliteLedger(home / "ledger.sqlite3")) as ledger, terminal_approver(env) as approver:
        try:
            with process.stop_on_signals() as abort:
                decision = gate_of(ledger, approver).decide(CALL, Box(home), abort)
        except LocalAgentError as error:
            print(f"stopped: {error}")
            return error.exit_code
    print(f"verdict {decision.verdict}: {decision.reason}")
    return 0


if __name__ == "__main__":
    leave(main())
