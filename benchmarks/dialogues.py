"""What compression and recall keep of a long dialogue, and what they cost: the program's own path against three others.

    python -m benchmarks.dialogues [--data DIR] [--json] [--show-lost] [--summarizer embedded|none]

`DIR` (or its folder `dialogues`) has dialogues of some 50 turns, a JSON file each: `system`, `turns` (user, assistant,
perhaps a tool's name and output), `facts` (with regular expressions that tell whether a prompt holds them) and `probes`
(turns whose right answer needs facts). Each is replayed with its own answers through a conversation with memory and a
window of 8192 tokens, counted as for a server's model (`models.estimate`: the built-in model's tokenizer has no
Chinese). After every turn the background finishes its work, as while a person reads. The same turns go through three
other assemblers:

- all: everything is sent, without a limit
- cut: everything, the oldest messages dropped until it fits the window
- last20: the last 20 messages

Figures of a dialogue: average `tokens` of a prompt; how many of the `probes`' facts are in no part of the prompt but
the request (`lost`, of these `lost_preferences`); corrected facts shown as if they held (`stale_shown`: in what is
summarised or recalled, or among recent messages without their correction); `computed`: tokens behind the longest
common beginning with the prompt before, on average in turns 40 to 50; `cache_share`: the rest, over all turns;
`wait_ms`: how long a request waited that came while the summariser was at work, at worst. The first turns also go to
the embedded model, which says how many tokens it really took from its cache.
"""

from __future__ import annotations

import argparse
import json
import os
import re
import statistics
import sys
import tempfile
import threading
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import ExitStack, closing, contextmanager
from dataclasses import dataclass, field, replace
from functools import cached_property
from itertools import pairwise
from pathlib import Path
from typing import TypeAlias, cast

from localagent.abort import AbortSignal
from localagent.agent_folder import load_agent
from localagent.build import Workspace, open_workspace
from localagent.build_memory import MemoryHome
from localagent.conversation import Conversation
from localagent.environment import Environment
from localagent.events import ModelEvent, ModelFinished, TextDelta, Usage
from localagent.messages import (
    JsonObject,
    Message,
    TextPart,
    ToolCallPart,
    ToolResultPart,
    assistant,
    new_id,
    system,
    user,
)
from localagent.models.base import ChatModel, ChatRequest, ModelInfo
from localagent.models.embedded import EmbeddedModel
from localagent.models.estimate import TokenEstimator
from localagent.tool import ToolSpec
from localagent.wire import common_start, part_text, wire

Json: TypeAlias = "Mapping[str, object]"

WINDOW = 8192
RESERVE = 1024
WEIGHTS = "SmolLM2-135M-Instruct.Q4_1.gguf"
OTHERS = ("all", "cut", "last20")
# Of a dialogue's turns, where the late ones begin: turns 40 to 50 of 50.
LATE = 0.8
INTERRUPTIONS = 3
# So many turns are also read by the embedded model.
TRUE_TURNS = 4
# So many tokens of the dialogue are more than the ring holds, and less than what is shortened at once.
LONG = 4000
# How long the summariser may take to begin.
BEGIN_S = 120.0


@dataclass(frozen=True)
class Fact:
    """`patterns`: any hit in a prompt shows that it is there."""

    id: str
    turn: int
    kind: str
    text: str
    patterns: tuple[re.Pattern[str], ...]
    supersedes: str

    @classmethod
    def of(cls, data: Json) -> Fact:
        patterns = tuple(re.compile(str(one), re.IGNORECASE) for one in cast(Sequence[str], data["match"]))
        turn = cast(int, data["turn"])
        return cls(
            str(data["id"]), turn, str(data["kind"]), str(data["text"]), patterns, str(data.get("supersedes") or "")
        )

    def is_in(self, text: str) -> bool:
        return any(pattern.search(text) for pattern in self.patterns)


@dataclass(frozen=True)
class Prompt:
    """What one assembler would send for a turn, the request last."""

    turn: int
    messages: tuple[Message, ...]

    @cached_property
    def head(self) -> str:
        """The system message: instructions, summary and memories."""
        return self.messages[0].text if self.messages[0].role == "system" else ""

    @cached_property
    def recent(self) -> str:
        return "\n".join(_text(one) for one in self.messages[bool(self.head) : -1])

    def besides(self, request: str) -> str:
        """All but the request's own text, which may stand in one message with another request."""
        return "\n".join((self.head, self.recent, self.messages[-1].text.replace(request, "")))


def _text(message: Message) -> str:
    return "\n".join(part_text(part) for part in message.parts)


class Replay:
    """A `ChatModel` that answers a chat with what stands in the dialogue, counts as for a server's model, and lets the
    embedded model answer where a schema is asked for: that is the summariser."""

    def __init__(self, embedded: EmbeddedModel) -> None:
        self._embedded = embedded
        self._info = ModelInfo("scripted", embedded.describe().name, WINDOW, frozenset({"schema"}), 4, 0.05)
        self.count_text = TokenEstimator("bench").count
        self.answer = ""
        self.before: list[Message] = []  # stored before the answer: a tool's call and result
        self.store: Callable[[Message], object] = lambda message: None
        self.sent: tuple[Message, ...] = ()
        self.summarising = threading.Event()
        self.timed = False
        self.waited_s = 0.0

    def load(self, abort: AbortSignal) -> None:
        self._embedded.load(abort)

    def describe(self) -> ModelInfo:
        return self._info

    def count_prompt(self, messages: Sequence[Message], tools: Sequence[ToolSpec] = ()) -> int:
        return Tokens(self.count_text, self._info.tokens_per_message).count(messages)

    def encode(self, request: ChatRequest) -> JsonObject:
        if request.schema is None:
            self.sent = request.messages
            return {"messages": [{"role": one.role, "content": _text(one)} for one in request.messages]}
        return self._embedded.encode(request)

    def stream(self, body: JsonObject, abort: AbortSignal) -> Iterator[ModelEvent]:
        if not self._summarises(body):
            if self.timed:
                self.waited_s = self.answered_s()
            for message in self.before:
                self.store(message)
            yield TextDelta(self.answer)
            yield ModelFinished("stop", Usage())
            return
        self.summarising.set()
        try:
            yield from self._embedded.stream(body, abort)
        finally:
            self.summarising.clear()

    def answered_s(self) -> float:
        """Seconds that the embedded model takes for a request of a few words."""
        body = self._embedded.encode(ChatRequest((system("Be brief."), user("Hi")), max_output_tokens=1))
        started = time.monotonic()
        for _ in self._embedded.stream(body, AbortSignal()):
            pass
        return time.monotonic() - started

    @staticmethod
    def _summarises(body: JsonObject) -> bool:
        """Whether `encode` let the embedded model make it."""
        return set(body) != {"messages"}

    def close(self) -> None:
        """The embedded model is somebody else's."""


class Tokens:
    """Tokens of messages one by one: chat templates put a control token between them, so that none spans two."""

    def __init__(self, count_text: Callable[[str], int], each: int) -> None:
        self._count = count_text
        self._each = each

    def count(self, messages: Sequence[Message]) -> int:
        return sum(self._each + self._count(_text(message)) for message in messages)

    def shared(self, messages: Sequence[Message], before: Sequence[Message]) -> int:
        """Tokens of the common beginning."""
        same, begun = common_start(before, messages)
        return self.count(same) + self._count(begun)


@dataclass
class Figures:
    """Of one assembler over one dialogue."""

    tokens: list[int] = field(default_factory=list)
    computed: list[int] = field(default_factory=list)
    lost: list[str] = field(default_factory=list)
    lost_preferences: int = 0
    stale: list[str] = field(default_factory=list)


def others(instructions: str, said: Sequence[Message], tokens: Tokens, turn: int) -> dict[str, Prompt]:
    """What the three other assemblers send, the request being the last of `said`."""
    first = system(instructions)
    sent = [wire(message) for message in said]
    room = WINDOW - RESERVE
    kept = sent
    while len(kept) > 1 and tokens.count((first, *kept)) > room:
        kept = kept[1:]
    choices = {"all": sent, "cut": kept, "last20": sent[-20:]}
    return {name: Prompt(turn, (first, *messages)) for name, messages in choices.items()}


@contextmanager
def conversation(
    folder: Path, model: ChatModel, instructions: str, summarizer: str
) -> Iterator[tuple[Conversation, MemoryHome, Workspace]]:
    env = replace(Environment.of_process(), cwd=folder, config_dir=folder, data_dir=folder / "home")
    bundled = load_agent(env)
    config = replace(
        bundled.config,
        instructions=instructions,
        tools=(),  # the dialogue says what was called
        memory=replace(bundled.config.memory, embedder="embedded"),
        context_policy=replace(bundled.config.context_policy, summarizer="rules" if summarizer == "none" else "auto"),
    )
    loaded = replace(bundled, config=config)
    with open_workspace(env, say=lambda line: None) as workspace, workspace.memory(loaded, once=False) as memory:
        memory.load(AbortSignal())
        thread = workspace.ledger.create_thread(config.name)
        yield workspace.conversation(loaded, model, thread, memory=memory), memory, workspace


def replay(data: Json, embedded: EmbeddedModel, folder: Path, summarizer: str) -> dict[str, list[Prompt] | float]:
    """The prompts of each assembler, and the longest wait in milliseconds under `wait_ms`."""
    instructions = str(data["system"])
    prompts: dict[str, list[Prompt]] = {name: [] for name in (*OTHERS, "ours")}
    model, said = Replay(embedded), list[Message]()
    tokens = Tokens(model.count_text, model.describe().tokens_per_message)
    with conversation(folder, model, instructions, summarizer) as (chat, memory, workspace):
        model.store = lambda message: workspace.ledger.append(chat.thread.id, message)
        for turn in cast(Sequence[Json], data["turns"]):
            number, request = cast(int, turn["n"]), user(str(turn["user"]))
            model.before, model.answer = _tool(cast("Json | None", turn["tool"])), str(turn["assistant"])
            for name, prompt in others(instructions, [*said, request], tokens, number).items():
                prompts[name].append(prompt)
            for _ in chat.send(request.text, abort=AbortSignal()):
                pass
            prompts["ours"].append(Prompt(number, model.sent))
            memory.drain(AbortSignal())
            said += [request, *model.before, assistant(model.answer)]
        wait = interrupted(chat, model, memory, workspace) if summarizer == "embedded" else 0.0
    return {**prompts, "wait_ms": round(1000 * wait, 1)}


def _tool(tool: Json | None) -> list[Message]:
    if tool is None:
        return []
    call, name = new_id(), str(tool["name"])
    return [
        Message("assistant", (ToolCallPart(call, name, {}),)),
        Message("tool", (ToolResultPart(call, name, str(tool["output"])),)),
    ]


def interrupted(chat: Conversation, model: Replay, memory: MemoryHome, workspace: Workspace) -> float:
    """Seconds that a request waits longer for the embedded model where it interrupts the summariser, at worst."""
    model.before, model.answer = [], "ok"
    alone = min(model.answered_s() for _ in range(INTERRUPTIONS))
    memory.background.start()
    waits, said = [], chat.history()
    said = [stored for stored in said if stored.message.role != "tool" and not stored.message.tool_calls]
    old = said[-2:]
    while len(old) < len(said) and model.count_prompt([stored.message for stored in old]) <= LONG:
        old = said[-len(old) - 1 :]
    for number in range(INTERRUPTIONS):
        chat.new_thread()
        for stored in old:  # in other words: what the model has answered before is not asked again
            message = Message(stored.message.role, (TextPart(f"{number}. {_text(stored.message)}"),))
            workspace.ledger.append(chat.thread.id, message)
        for _ in chat.send("One moment.", abort=AbortSignal()):
            pass
        if not model.summarising.wait(BEGIN_S):
            raise SystemExit(f"the summariser did not begin within {BEGIN_S:g} s")
        model.timed = True
        for _ in chat.send("And now?", abort=AbortSignal()):
            pass
        model.timed = False
        waits.append(model.waited_s - alone)
    memory.drain(AbortSignal())
    return max(0.0, *waits)


def library(prompts: Sequence[Prompt], embedded: EmbeddedModel) -> list[tuple[int, int]]:
    """For the first prompts, one after the other: tokens that the embedded model took from its cache, and those that
    its own tokenizer finds in the common beginning."""
    tokens = Tokens(embedded.count_text, 0)
    pairs = []
    for before, prompt in pairwise(prompts[: TRUE_TURNS + 1]):
        for one in (before, prompt):
            body = embedded.encode(ChatRequest(one.messages, max_output_tokens=1, temperature=0.0))
            finished = [event for event in embedded.stream(body, AbortSignal()) if isinstance(event, ModelFinished)]
        whole = tokens.count(prompt.messages)
        template = embedded.count_prompt(prompt.messages) - whole
        shared = tokens.shared(prompt.messages, before.messages)
        pairs.append((finished[-1].usage.cached_tokens or 0, shared + template * shared // max(whole, 1)))
    return pairs


def judged(data: Json, prompts: Sequence[Prompt], facts: Mapping[str, Fact], tokens: Tokens) -> Figures:
    figures = Figures([tokens.count(prompt.messages) for prompt in prompts])
    figures.computed = [figures.tokens[0]] + [
        count - tokens.shared(prompt.messages, before.messages)
        for (before, prompt), count in zip(pairwise(prompts), figures.tokens[1:], strict=True)
    ]
    newer = {fact.supersedes: fact for fact in facts.values() if fact.supersedes}
    by_turn = {prompt.turn: prompt for prompt in prompts}
    asked = {cast(int, turn["n"]): str(turn["user"]) for turn in cast(Sequence[Json], data["turns"])}
    for probe in cast(Sequence[Json], data["probes"]):
        number = cast(int, probe["turn"])
        prompt = by_turn[number]
        whole = prompt.besides(asked[number])
        for key in cast(Sequence[str], probe["facts"]):
            fact = facts[key]
            if not fact.is_in(whole):
                figures.lost.append(f"turn {number}: {key} of turn {fact.turn} ({fact.kind}): {fact.text}")
                figures.lost_preferences += fact.kind == "preference"
        for key in cast(Sequence[str], probe["forbidden"]):
            current = newer.get(key)
            uncorrected = facts[key].is_in(prompt.recent) and not (current and current.is_in(prompt.recent))
            if facts[key].is_in(prompt.head) or uncorrected:
                figures.stale.append(f"turn {number}: {key} of turn {facts[key].turn}: {facts[key].text}")
    return figures


def unlabelled(facts: Sequence[Fact], instructions: str) -> dict[str, Fact]:
    """The facts without patterns that hit what is in every prompt."""
    kept = {}
    for fact in facts:
        patterns = tuple(one for one in fact.patterns if not one.search(instructions))
        if patterns != fact.patterns:
            print(f"{fact.id}: a pattern hits the instructions and is left out", file=sys.stderr)
        kept[fact.id] = replace(fact, patterns=patterns)
    return kept


def measure(path: Path, embedded: EmbeddedModel, summarizer: str) -> tuple[dict[str, object], dict[str, Figures]]:
    data = cast(Json, json.loads(path.read_text(encoding="utf-8")))
    with tempfile.TemporaryDirectory() as name:
        prompts = replay(data, embedded, Path(name), summarizer)
    wait = cast(float, prompts.pop("wait_ms"))
    facts = unlabelled([Fact.of(one) for one in cast(Sequence[Json], data["facts"])], str(data["system"]))
    replayed = Replay(embedded)
    tokens = Tokens(replayed.count_text, replayed.describe().tokens_per_message)
    found = {name: judged(data, cast("list[Prompt]", rows), facts, tokens) for name, rows in prompts.items()}
    ours = found["ours"]
    late = slice(int(LATE * len(ours.tokens)) - 1, None)
    later = slice(1, None)
    return {
        "tokens": {name: round(statistics.fmean(one.tokens)) for name, one in found.items()}
        | {"ours_max": max(ours.tokens)},
        "probes": sum(len(cast(Sequence[str], probe["facts"])) for probe in cast(Sequence[Json], data["probes"])),
        "lost": {name: len(one.lost) for name, one in found.items()},
        "lost_preferences": ours.lost_preferences,
        "stale_shown": len(ours.stale),
        "computed": {name: round(statistics.fmean(found[name].computed[late])) for name in ("cut", "last20", "ours")},
        "cache_share": round(1 - sum(ours.computed[later]) / sum(ours.tokens[later]), 4),
        "wait_ms": wait,
        "library": library(cast("list[Prompt]", prompts["ours"]), embedded),
    }, found


TABLE = """
{name}: {probes} facts asked for
                    all     cut  last20    ours
prompt tokens  {all:>8}{cut:>8}{last20:>8}{ours:>8}   ours {share:.2f} of all (target 0.38), at most {most}
facts lost     {lost_all:>8}{lost_cut:>8}{lost_last20:>8}{lost_ours:>8}   preferences {preferences} (0), \
stale {stale} (0)
computed 40-50         {c_cut:>8}{c_last20:>8}{c_ours:>8}   {of_cut:.2f} of cut (0.2), {of_last20:.2f} of last20 (0.45)
cached share {cache:.3f} (0.65), a request waited {wait:.0f} ms at most (200)
llama.cpp took from its cache / common beginning by its tokenizer: {library}
"""


def table(name: str, row: Mapping[str, object]) -> str:
    tokens, lost, computed = (cast("dict[str, int]", row[key]) for key in ("tokens", "lost", "computed"))
    return TABLE.format(
        name=name,
        probes=row["probes"],
        share=tokens["ours"] / tokens["all"],
        most=tokens["ours_max"],
        preferences=row["lost_preferences"],
        stale=row["stale_shown"],
        of_cut=computed["ours"] / computed["cut"],
        of_last20=computed["ours"] / computed["last20"],
        cache=row["cache_share"],
        wait=row["wait_ms"],
        library=", ".join(f"{took}/{shared}" for took, shared in cast("list[tuple[int, int]]", row["library"])),
        **{key: tokens[key] for key in (*OTHERS, "ours")},
        **{f"lost_{key}": count for key, count in lost.items()},
        **{f"c_{key}": count for key, count in computed.items()},
    )


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    default = Path(os.environ.get("LOCALAGENT_EVAL_DATA", "../shared/eval"))
    parser.add_argument("--data", type=Path, default=default)
    parser.add_argument("--json", action="store_true")
    parser.add_argument("--show-lost", action="store_true", help="name each fact that was lost or shown as it was")
    parser.add_argument("--summarizer", choices=("embedded", "none"), default="embedded")
    chosen = parser.parse_args()
    folder = chosen.data / "dialogues" if (chosen.data / "dialogues").is_dir() else chosen.data
    paths = sorted(folder.glob("*.json"))
    weights = Path(os.environ.get("LOCALAGENT_TEST_MODELS", ".cache/models")) / WEIGHTS
    if not paths or not weights.exists():
        missing = f"no data in {folder} (--data, LOCALAGENT_EVAL_DATA)" if not paths else f"no {weights} (make bench)"
        print(f"skip dialogues: {missing}")
        return
    rows: dict[str, object] = {}
    with ExitStack() as stack:
        run = stack.enter_context(tempfile.TemporaryDirectory())
        embedded = stack.enter_context(closing(EmbeddedModel(weights, run_dir=Path(run), num_ctx=WINDOW)))
        embedded.load(AbortSignal())
        for path in paths:
            row, found = measure(path, embedded, chosen.summarizer)
            rows[path.stem] = row
            if not chosen.json:
                print(table(path.stem, row), flush=True)
            if chosen.show_lost:
                for name, figures in found.items():
                    for line in figures.lost:
                        print(f"{path.stem} {name} lost {line}", file=sys.stderr)
                for line in found["ours"].stale:
                    print(f"{path.stem} ours stale {line}", file=sys.stderr)
    if chosen.json:
        print(json.dumps(rows, indent=2))


if __name__ == "__main__":
    main()
