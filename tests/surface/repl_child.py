"""A REPL for tests: the real conversation on a real ledger, with a model whose answer depends on the message.

python repl_child.py HOME    Loading waits for HOME/gate to exist when HOME/gated does; with
HOME/missing the model is not there until it is fetched.
"""

from __future__ import annotations

import json
import sys
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

from localagent.abort import AbortSignal
from localagent.agent_files import bundled_folder
from localagent.agent_folder import load_agent, load_policies
from localagent.build_compression import make_compressor
from localagent.calls import Approver
from localagent.cli.main import leave
from localagent.config import AgentConfig
from localagent.conversation import Conversation
from localagent.environment import Environment
from localagent.errors import LocalAgentError, ModelError, ModelMissing
from localagent.memory.ledger import SqliteLedger
from localagent.messages import TextPart
from localagent.models.base import ChatRequest
from localagent.models.scripted import Answer, Reply, ScriptedModel
from localagent.policy import SummarizationPolicy
from localagent.repl import run_repl
from localagent.trace import PromptFiles

PARAGRAPHS = "\n\n".join(f"start{n} " + f"word{n} " * 20 + f"🎉 你好 end{n}" for n in range(30))
TABLE = "| key | value |\n|---|---|\n| cell1 | 中文 |\n| cell2 | 🎉 |"


def reply(request: ChatRequest) -> Reply:
    # Requests that got no answer stand before the newest one.
    text = [part.text for part in request.messages[-1].parts if isinstance(part, TextPart)][-1].strip()
    match text.split()[0]:
        case "count":
            return Answer(" ".join(f"word{n}" for n in range(2000)), piece_delay_s=0.01)
        case "<messages>" if "takes forever" in text:  # what a summary is asked to be made of
            return Answer(delay_s=3600)
        case "hang":
            return Answer(delay_s=3600)
        case "fail":
            return ModelError("the model is tired")
        case "markdown":
            return Answer(
                f"{PARAGRAPHS}\n\n{TABLE}\n\nthe end", thinking="let me think", progress=3, piece_delay_s=0.0005
            )
        case "hostile":
            return "safe \x1b[2J\x1b]0;evil\x07 text"
    return f"received {len(text)} characters in {len(text.splitlines())} lines: `{json.dumps(text[:40])}`"


def _rules() -> SummarizationPolicy:
    env = replace(Environment.of_process(), variables={})
    return load_policies(load_agent(env, agent=str(bundled_folder()))).summarization


class TestChat:
    agent = "test"
    begins_with = ""

    def __init__(self, home: Path) -> None:
        self.history = home / "history"
        self._gate = home / "gate" if (home / "gated").exists() else None
        self._ledger = SqliteLedger(home / "ledger.sqlite3")
        self._log = PromptFiles(home / "prompts")
        self._config = AgentConfig(name="test")
        self._conversation: Conversation | None = None
        self._started = False
        self._missing = (home / "missing").exists()

    def start(self) -> None:
        self._started = True

    def poll(self) -> str | None:
        gated = self._gate is not None and not self._gate.exists()
        return "loading" if gated or not self._started else None

    def notices(self) -> list[str]:
        return []

    def ask_through(self, approver: Approver) -> None:
        self._approver = approver

    def ready(self) -> Conversation | None:
        return None if self.poll() or self._missing else self._open()

    def remedy(self, error: LocalAgentError) -> str:
        return "It is not here. Fetch it?" if isinstance(error, ModelMissing) else ""

    def apply_remedy(self, abort: AbortSignal, progress: Callable[[int, int], None]) -> None:
        progress(1_000_000, 2_000_000)
        self._missing = False

    def conversation(self, abort: AbortSignal) -> Conversation:
        assert self._started, "the prompt comes first"
        while self.poll():
            abort.wait(0.02)
            abort.raise_if_aborted()
        if self._missing:
            raise ModelMissing("the model is not here")
        return self._open()

    def _open(self) -> Conversation:
        if self._conversation is None:
            thread = self._ledger.create_thread("test")
            model = self._model("tiny")
            compressor = make_compressor(self._config, self._ledger, _rules, model, log=self._log)
            self._conversation = Conversation(
                self._config, model, self._ledger, self._log, thread, compressor=compressor
            )
        return self._conversation

    def switch_model(self, name: str, abort: AbortSignal) -> None:
        if name == "missing":
            raise ModelMissing("model missing is not installed", hint="Try: ollama pull missing")
        self.conversation(abort).use_model(self._model(name))

    def close(self) -> None:
        self._ledger.close()

    @staticmethod
    def _model(name: str) -> ScriptedModel:
        return ScriptedModel([reply], name=name, loop=True)


def main() -> int:
    chat = TestChat(Path(sys.argv[1]))
    try:
        return run_repl(Environment.of_process(), chat)
    finally:
        chat.close()


if __name__ == "__main__":
    leave(main())
