"""Any sequence of calls leaves the SQLite ledger saying what the simplest ledger says."""

from __future__ import annotations

import json
import shutil
import tempfile
from pathlib import Path

from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from hypothesis.stateful import Bundle, RuleBasedStateMachine, consumes, initialize, invariant, rule
from memory_ledger import MemoryLedger

from localagent.errors import LocalAgentError
from localagent.memory.base import StoredMessage, Thread
from localagent.memory.ledger import SqliteLedger, clean_name
from localagent.memory.titles import TITLE_COLUMNS, title_of
from localagent.messages import (
    AttachmentPart,
    Message,
    TextPart,
    ThinkingPart,
    ToolCallPart,
    ToolResultPart,
    user,
)

# Also lone surrogates, NUL and what no keyboard has.
any_text = st.text(st.characters(exclude_categories=()), max_size=30)
json_values = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False) | any_text,
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(any_text, inner, max_size=3),
    max_leaves=6,
)
parts = st.one_of(
    st.builds(TextPart, any_text, pasted=st.booleans()),
    st.builds(ThinkingPart, any_text),
    st.builds(AttachmentPart, any_text, any_text),
    st.builds(ToolCallPart, any_text, any_text, st.dictionaries(any_text, json_values, max_size=3)),
    st.builds(ToolResultPart, any_text, any_text, any_text, st.booleans()),
)
messages = st.builds(
    Message, st.sampled_from(["user", "assistant", "tool", "system"]), st.lists(parts, max_size=3).map(tuple)
)
agents = st.sampled_from(["a", "助手"])
names = st.sampled_from(["", "plan", "Plan", " plan ", "计划", "cafe\u0301", "caf\u00e9", "a\nb", "x" * 101])


class LedgerMachine(RuleBasedStateMachine):
    threads = Bundle("threads")

    @initialize()
    def start(self) -> None:
        self.folder = Path(tempfile.mkdtemp())
        self.ledger = SqliteLedger(self.folder / "ledger.sqlite3")
        self.model = MemoryLedger()

    def teardown(self) -> None:
        assert self.ledger.integrity() == []
        self.ledger.close()
        shutil.rmtree(self.folder)

    @rule(target=threads, agent=agents, name=names)
    def create(self, agent: str, name: str) -> tuple[str, str]:
        real = self.attempt(lambda: self.ledger.create_thread(agent, name))
        modelled = self.attempt(lambda: self.model.create_thread(agent, name))
        if isinstance(real, Thread) and isinstance(modelled, Thread):
            return real.id, modelled.id
        assert real == modelled
        return "0" * 16, "0" * 16  # a thread that is not there

    @rule(thread=threads, message=messages, status=st.sampled_from(["complete", "interrupted", "incomplete"]))
    def append(self, thread: tuple[str, str], message: Message, status: str) -> None:
        real, modelled = (
            self.attempt(lambda ledger=ledger, id=id: ledger.append(id, message, status=status))
            for ledger, id in zip((self.ledger, self.model), thread, strict=True)
        )
        assert plain(real) == plain(modelled)

    @rule(thread=threads)
    def undo(self, thread: tuple[str, str]) -> None:
        real, modelled = self.ledger.undo(thread[0]), self.model.undo(thread[1])
        assert [plain(message) for message in real] == [plain(message) for message in modelled]

    @rule(thread=threads, name=names)
    def rename(self, thread: tuple[str, str], name: str) -> None:
        assert self.attempt(lambda: self.ledger.rename_thread(thread[0], name)) == self.attempt(
            lambda: self.model.rename_thread(thread[1], name)
        )

    @rule(thread=consumes(threads))
    def delete(self, thread: tuple[str, str]) -> None:
        self.ledger.delete_thread(thread[0])
        self.model.delete_thread(thread[1])

    @rule(agent=agents, name=names)
    def find(self, agent: str, name: str) -> None:
        real, modelled = self.ledger.find_thread(agent, name), self.model.find_thread(agent, name)
        assert (real and real.name, real and real.messages) == (
            modelled and modelled.name,
            modelled and modelled.messages,
        )

    @rule(thread=threads, last=st.none() | st.integers(0, 8), undone=st.booleans())
    def read(self, thread: tuple[str, str], last: int | None, undone: bool) -> None:
        real = self.ledger.messages(thread[0], last=last, undone=undone)
        modelled = self.model.messages(thread[1], last=last, undone=undone)
        assert [plain(message) for message in real] == [plain(message) for message in modelled]

    @rule()
    def reopen(self) -> None:
        self.ledger.close()
        self.ledger = SqliteLedger(self.folder / "ledger.sqlite3")

    @invariant()
    def they_list_the_same(self) -> None:
        for agent in ("a", "助手", None):
            real = [(t.agent, t.name, t.messages) for t in self.ledger.threads(agent)]
            assert real == [(t.agent, t.name, t.messages) for t in self.model.threads(agent)]

    @staticmethod
    def attempt(call: object) -> object:
        try:
            return call()  # type: ignore[operator]
        except LocalAgentError as error:
            return type(error)


def plain(stored: object) -> object:
    """Without the thread's id and the time, which differ."""
    if isinstance(stored, StoredMessage):
        return (stored.id, stored.message, stored.status, stored.model)
    return stored


TestLedgerMachine = LedgerMachine.TestCase
TestLedgerMachine.settings = settings(max_examples=25, stateful_step_count=25, deadline=None)


@given(st.lists(messages, max_size=4))
@settings(max_examples=40, deadline=None, suppress_health_check=[HealthCheck.too_slow])
def test_messages_survive_the_round_trip(given_messages: list[Message]) -> None:
    with tempfile.TemporaryDirectory() as folder:
        ledger = SqliteLedger(Path(folder, "ledger.sqlite3"))
        try:
            thread = ledger.create_thread("a")
            for message in given_messages:
                ledger.append(thread.id, message)
            assert [stored.message for stored in ledger.messages(thread.id)] == given_messages
            json.dumps(ledger.export(thread.id))
        finally:
            ledger.close()


@given(any_text | st.text(st.sampled_from("ab 你👍🏽👩‍👧e\u0301\t\n"), max_size=200))
@settings(deadline=None)
def test_a_title_is_one_short_line(text: str) -> None:
    title = title_of(user(text))
    assert title == title.strip() and len(title.splitlines()) <= 1
    assert sum(2 if char > "\u2e80" and not 0xFE00 <= ord(char) <= 0xFE0F else 0 for char in title) <= 2 * TITLE_COLUMNS
    assert title.encode("utf-8") is not None
    assert bool(title) or not any(char.isalnum() for char in text)


@given(any_text)
@settings(deadline=None)
def test_a_clean_name_stays_as_it_is(name: str) -> None:
    try:
        cleaned = clean_name(name)
    except LocalAgentError:
        return
    assert clean_name(cleaned) == cleaned != ""
