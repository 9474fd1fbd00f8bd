"""Time to the first token of the embedded model, against calling the library directly.

python -m benchmarks.first_token [--json] [--rounds N] [--home FOLDER]

The same model file, parameters and prompts, each of which neither side has seen. FOLDER is the data folder with the
built-in model; .cache, where the tests keep theirs, if not given.
"""

from __future__ import annotations

import argparse
import json
import tempfile
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import asdict
from itertools import count
from pathlib import Path

import xllamacpp

from benchmarks.measure import Ratio, paired
from localagent.abort import AbortSignal
from localagent.events import TextDelta
from localagent.messages import JsonObject, system, user
from localagent.models.base import ChatRequest
from localagent.models.embedded import EmbeddedModel
from localagent.models.gguf import read_header
from localagent.models.llama_server import start_server
from localagent.models.llama_socket import LlamaSocket
from localagent.models.weights import resolve

TARGET = 1.05
WINDOW = 1024
WORDS = "A ring buffer keeps the latest messages, and what leaves it is compressed into a summary. "


def bodies(model: EmbeddedModel) -> Iterator[JsonObject]:
    """Prompts of about 130 tokens that differ from their start on."""
    for number in count():
        messages = (system(f"{number} is your number."), user(WORDS * 6))
        yield model.encode(ChatRequest(messages, max_output_tokens=2, temperature=0.0))


def through_model(model: EmbeddedModel) -> Callable[[], float]:
    prompts = bodies(model)

    def run() -> float:
        body = next(prompts)
        started = time.perf_counter()
        events = model.stream(body, AbortSignal())
        next(event for event in events if isinstance(event, TextDelta))
        took = time.perf_counter() - started
        list(events)  # to the end, so that the next one starts from rest
        return took

    return run


def through_library(server: xllamacpp.Server, model: EmbeddedModel) -> Callable[[], float]:
    prompts = bodies(model)

    def run() -> float:
        body = next(prompts)
        first: list[float] = []

        def receive(chunk: str) -> bool:
            if '"content":"' in chunk:
                first.append(time.perf_counter())
            return False

        started = time.perf_counter()
        server.handle_chat_completions(json.dumps(body), receive)
        return first[0] - started

    return run


@contextmanager
def library(weights: Path, folder: Path) -> Iterator[xllamacpp.Server]:
    listener = LlamaSocket(folder)
    try:
        yield start_server(weights, read_header(weights), WINDOW, listener)
    finally:
        listener.close()


def measure(weights: Path, rounds: int) -> Ratio:
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        model = EmbeddedModel(weights, num_ctx=WINDOW, run_dir=folder)
        model.load(AbortSignal())
        with library(weights, folder) as server:
            ours, base = through_model(model), through_library(server, model)
            result = paired("first token of the embedded model", ours, base, target=TARGET, rounds=rounds)
        model.close()
        return result


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--json", action="store_true")
    parser.add_argument("--rounds", type=int, default=15)
    parser.add_argument("--home", type=Path, default=Path(".cache"))
    chosen = parser.parse_args()
    result = measure(resolve("smollm2", chosen.home, Path.cwd()), chosen.rounds)
    print(json.dumps(asdict(result), indent=2) if chosen.json else result)


if __name__ == "__main__":
    main()
