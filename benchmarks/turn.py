"""Our own work in a turn, and how long a key takes.

    python -m benchmarks.turn [--json]

- assemble, count and record a prompt with a ring of 20 messages (3,000 words), for each way of counting tokens
- the time from a key to its character on the screen, in a thread of 100,000 tokens
"""

from __future__ import annotations

import argparse
import json
import os
import random
import statistics
import tempfile
import time
from collections.abc import Iterator
from dataclasses import asdict, dataclass
from pathlib import Path

from benchmarks.terminal import Terminal
from localagent.abort import AbortSignal
from localagent.config import AgentConfig
from localagent.conversation import Conversation
from localagent.events import PromptAssembled, RequestStored
from localagent.memory.ledger import SqliteLedger
from localagent.messages import assistant, user
from localagent.models.base import ChatModel
from localagent.models.embedded import EmbeddedModel
from localagent.models.estimate import TokenEstimator
from localagent.models.scripted import ScriptedModel
from localagent.trace import PromptFiles

ROUNDS = 40
WORDS = tuple("time path model window answer 记忆 上下文 token 42 prompt budget the of and file server".split())


@dataclass(frozen=True)
class Figure:
    """Milliseconds; `target_ms` is what the median should not exceed."""

    name: str
    median_ms: float
    worst_ms: float
    target_ms: float

    def __str__(self) -> str:
        mark = "ok  " if self.median_ms <= self.target_ms else "MISS"
        figures = f"median {self.median_ms:.2f} ms, worst {self.worst_ms:.2f} ms (target {self.target_ms:g})"
        return f"{mark} {self.name}: {figures}"


def figure(name: str, seconds: list[float], target_ms: float) -> Figure:
    return Figure(name, statistics.median(seconds) * 1000, max(seconds) * 1000, target_ms)


def text(rng: random.Random, words: int) -> str:
    return " ".join(rng.choices(WORDS, k=words))


def own_work(name: str, model: ChatModel, folder: Path) -> Figure:
    """From the stored request to the recorded prompt, just before the model is called."""
    rng = random.Random(7)
    ledger = SqliteLedger(folder / f"{name}.sqlite3")
    thread = ledger.create_thread("bench")
    for _ in range(15):
        ledger.append(thread.id, user(text(rng, 150)))
        ledger.append(thread.id, assistant(text(rng, 150)))
    conversation = Conversation(AgentConfig(), model, ledger, PromptFiles(folder / name), thread)
    seconds = []
    for _ in range(ROUNDS):
        events = conversation.send(text(rng, 30), abort=AbortSignal())
        started = 0.0
        for event in events:
            if isinstance(event, RequestStored):
                started = time.perf_counter()
            elif isinstance(event, PromptAssembled):
                seconds.append(time.perf_counter() - started)
                events.close()
                break
    ledger.close()
    return figure(f"assemble, count, record ({name})", seconds, 10.0)


def models(folder: Path) -> Iterator[tuple[str, ChatModel]]:
    yield "words", ScriptedModel(["yes"], loop=True)
    yield "estimate", _Estimating(["yes"], loop=True)
    weights = Path(os.environ.get("LOCALAGENT_TEST_MODELS", ".cache/models")) / "SmolLM2-135M-Instruct.Q4_1.gguf"
    if weights.exists():
        model = EmbeddedModel(weights, num_ctx=8192, run_dir=folder / "run")
        yield "embedded", model
        model.close()


class _Estimating(ScriptedModel):
    """Counts as for a server whose tokenizer is out of reach."""

    estimator = TokenEstimator("bench")

    def count_text(self, text: str) -> int:
        return self.estimator.count(text)


def key_latency(folder: Path) -> Figure:
    """A thread of 100,000 tokens, continued; letters typed one at a time."""
    rng = random.Random(9)
    home = folder / "home"
    home.mkdir(mode=0o700)
    ledger = SqliteLedger(home / "ledger.sqlite3")
    thread = ledger.create_thread("local_context_agent")
    for _ in range(250):
        ledger.append(thread.id, user(text(rng, 200)))
        ledger.append(thread.id, assistant(text(rng, 200)))
    ledger.close()
    script = folder / "script.yaml"
    script.write_text("{loop: true, window: 200000, steps: [an answer]}")
    environment = {
        **os.environ,
        "LOCALAGENT_HOME": str(home),
        "LOCALAGENT_MODEL_PROVIDER": "scripted",
        "LOCALAGENT_MODEL_MODEL_NAME": str(script),
        "TERM": "xterm-256color",
    }
    seconds = []
    with Terminal(environment, "-c", "--set", "context_policy.recent_keep=1000") as terminal:
        terminal.wait_for(b"\n>")
        terminal.type("hello\r")
        terminal.wait_for(b"an answer")
        terminal.wait_for(b"\n>")
        for letter in "abcdefghijklmnopqrstuvwxyz":
            pressed = time.perf_counter()
            terminal.type(letter)
            seconds.append(terminal.wait_for(letter.encode()) - pressed)
    return figure("a key in a thread of 100,000 tokens", seconds, 20.0)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--json", action="store_true")
    chosen = parser.parse_args()
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        results = [own_work(label, model, folder) for label, model in models(folder)]
        results.append(key_latency(folder))
    print(json.dumps([asdict(r) for r in results], indent=2) if chosen.json else "\n".join(map(str, results)))


if __name__ == "__main__":
    main()
