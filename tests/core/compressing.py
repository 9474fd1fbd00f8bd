"""A thread that is compressed: the real ledger, rules and records, with a scripted model. Not a test itself."""

from __future__ import annotations

import dataclasses
import io
import json
import re
from collections.abc import Callable, Iterator, Sequence
from contextlib import ExitStack, closing, contextmanager
from pathlib import Path

from localagent.abort import AbortSignal
from localagent.agent_files import bundled_folder
from localagent.agent_folder import load_agent, load_policies
from localagent.build_compression import make_compressor
from localagent.build_memory import Given, MemoryHome
from localagent.config import AgentConfig, ContextPolicy, MemoryConfig, ModelConfig
from localagent.conversation import Conversation
from localagent.environment import Environment
from localagent.events import Notice
from localagent.longterm import LongTerm
from localagent.memory.ledger import SqliteLedger
from localagent.memory.summaries import SqliteSummaries
from localagent.models.base import ChatModel, ChatRequest
from localagent.models.scripted import Reply, ScriptedModel
from localagent.policy import Policies
from localagent.summary import LISTS, Summary
from localagent.trace import PromptFiles

CONFIG = AgentConfig(
    instructions="Be brief.",
    model=ModelConfig(max_output_tokens=200),
    memory=MemoryConfig(embedder="words"),
    context_policy=ContextPolicy(summary_threshold_tokens=600),
)
# Some 60 tokens.
CHATTER = "Well, there is a lot that could be said about that, and then some more. " * 4


def bundled_policies(folder: Path) -> Policies:
    stream = io.StringIO()
    env = Environment(stream, stream, stream, {}, folder, folder / "data", folder / "config")
    return load_policies(load_agent(env, agent=str(bundled_folder())))


def configured(**policy: object) -> AgentConfig:
    changed = dataclasses.replace(CONFIG.context_policy, **policy)  # type: ignore[arg-type]
    return dataclasses.replace(CONFIG, context_policy=changed)


def lists(**entries: object) -> str:
    """What a summariser answers: the four lists, empty where nothing is given."""
    return json.dumps({name: entries.get(name, []) for name in LISTS}, ensure_ascii=False)


def chatting(*summaries: Reply, chat: Reply = CHATTER) -> ScriptedModel:
    """A model that answers a chat with `chat`, and what is asked with a schema with `summaries`, the last for ever."""
    left = list(summaries) or [lists()]

    def step(request: ChatRequest) -> Reply:
        if request.schema is None:
            return chat
        return left.pop(0) if len(left) > 1 else left[0]

    return ScriptedModel([step], loop=True)


class Room:
    """A data folder with one thread in it; with a memory, whose worker is asked to do what waits after each turn."""

    def __init__(
        self,
        folder: Path,
        policies: Policies,
        model: ChatModel | None = None,
        *,
        config: AgentConfig = CONFIG,
        memory: bool = True,
        thread_id: str = "",
    ) -> None:
        self.time = 1_780_000_000.0
        self.model = model or chatting()
        self.ledger = SqliteLedger(folder / "ledger.sqlite3", now=self.now)
        self.summaries = SqliteSummaries(self.ledger.database)
        self.log = PromptFiles(folder / "prompts")
        self.told: list[str] = []
        thread = self.ledger.thread(thread_id) or self.ledger.create_thread(config.name)
        self.memory = None
        longterm = None
        if memory:
            given = Given(self.ledger, folder / "index", config, policies, self.now, self.told.append, once=False)
            self.memory = MemoryHome(given)
            longterm = LongTerm(config, self.ledger, self.memory.opened)
        self.compressor = make_compressor(
            config,
            self.ledger,
            lambda: policies.summarization,
            self.model,
            log=self.log,
            memory=self.memory,
            now=self.now,
        )
        self.talk = Conversation(
            config, self.model, self.ledger, self.log, thread, memory=longterm, compressor=self.compressor
        )

    def now(self) -> float:
        self.time += 0.001
        return self.time

    def say(self, text: str, *, drain: bool = True) -> list[str]:
        """The notices of the turn."""
        events = list(self.talk.send(text, abort=AbortSignal()))
        if drain:
            self.drain()
        return [event.text for event in events if isinstance(event, Notice)]

    def drain(self) -> None:
        if self.memory is not None:
            self.memory.drain(AbortSignal())

    def fill(self, texts: Sequence[str], *, drain: bool = True) -> list[str]:
        return [notice for text in texts for notice in self.say(text, drain=drain)]

    def current(self) -> Summary | None:
        return self.summaries.current(self.talk.thread.id)

    def summary(self) -> Summary:
        found = self.current()
        assert found is not None
        return found

    def texts(self) -> str:
        return "\n".join(item.text for item in self.summary().items)

    def prompt(self) -> tuple[str, list[str]]:
        """What stands in the system message that was sent last, and the messages behind it."""
        assert isinstance(self.model, ScriptedModel)
        sent = [request for request in self.model.requests if request.schema is None][-1].messages
        return sent[0].text, [message.text for message in sent[1:]]

    def asked(self) -> list[ChatRequest]:
        """What the summariser was asked."""
        assert isinstance(self.model, ScriptedModel)
        return [request for request in self.model.requests if request.schema is not None]

    def all_is_there(self) -> None:
        """No message is lost between the summary and the ring, and the summary's lines are borne out by messages."""
        stored = {one.id: one for one in self.ledger.messages(self.talk.thread.id)}
        summary = self.current()
        if summary is None:
            return
        assert summary.messages == len([key for key in stored if key <= summary.covers_to])
        for item in summary.items:
            assert item.message_id <= summary.covers_to
            assert item.quote in stored[item.message_id].message.text

    def close(self) -> None:
        if self.memory is not None:
            self.memory.close()
        self.ledger.close()


@contextmanager
def opened_rooms(folder: Path, policies: Policies, config: AgentConfig) -> Iterator[Callable[..., Room]]:
    """Makes rooms on this folder; takes what `Room` takes beside, and closes them in the end."""
    with ExitStack() as stack:
        yield lambda **given: stack.enter_context(closing(Room(folder, policies, **{"config": config, **given})))


FACTS = [f"The server number {number} has the address 10.0.0.{number}." for number in range(1, 40)]


def addresses(text: str) -> set[str]:
    return set(re.findall(r"10\.0\.0\.\d+", text))
