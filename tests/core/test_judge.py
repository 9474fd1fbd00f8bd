"""The second look at a message: a model is asked, and believed only as far as the message bears it out."""

from __future__ import annotations

import dataclasses
import json
import threading
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

import pytest

from localagent.abort import AbortSignal
from localagent.agent_folder import load_agent, load_policies
from localagent.build_memory import Given, MemoryHome
from localagent.config import AgentConfig, MemoryConfig
from localagent.conversation import Conversation
from localagent.environment import Environment
from localagent.events import ModelEvent
from localagent.judge import believable
from localagent.longterm import LongTerm
from localagent.memory.ledger import SqliteLedger
from localagent.messages import JsonObject
from localagent.models.scripted import Answer, ScriptedModel

SAID = "Long replies make me lose the thread, three lines are plenty for me."
ENTRY = {"kind": "preference", "text": "three lines are plenty", "evidence": "three lines are plenty for me"}


def answer(*entries: object) -> str:
    return json.dumps({"entries": list(entries)}, ensure_ascii=False)


@pytest.mark.parametrize(
    ("told", "message", "texts"),
    [
        (answer(ENTRY), SAID, ["three lines are plenty"]),
        (answer({**ENTRY, "text": "回复三行就够", "evidence": "三行就够"}), "回复三行就够，别太长", ["回复三行就够"]),
        (answer(), SAID, []),
        (answer({**ENTRY, "text": "three lines, 200 words at most"}), SAID, []),  # a number of its own
        (answer({**ENTRY, "evidence": "I like short replies"}), SAID, []),  # nobody said so
        (answer({**ENTRY, "text": "The user prefers concise answers always"}), SAID, []),  # other words
        (answer({**ENTRY, "text": "用户喜欢简短的回答"}), SAID, []),  # another language
        (answer({**ENTRY, "kind": "document"}), SAID, []),
        (answer({**ENTRY, "text": ""}, 7, None, {"kind": "fact"}, [ENTRY]), SAID, []),
        ("I would remember that.", SAID, []),
        ('{"entries": "none"}', SAID, []),
        ("[" * 100_000, SAID, []),
        ("", SAID, []),
    ],
)
def test_only_what_the_message_bears_out_is_believed(told: str, message: str, texts: list[str]) -> None:
    assert [entry.text for entry in believable(told, message)] == texts


class Talk:
    """A conversation whose messages get a second look, with a model that can be held up."""

    def __init__(self, folder: Path, model: ScriptedModel, *, judge: bool = True) -> None:
        env = dataclasses.replace(Environment.of_process(), cwd=folder, config_dir=folder, variables={})
        config = AgentConfig(memory=MemoryConfig(embedder="words", judge=judge))
        self.ledger = SqliteLedger(folder / "ledger.sqlite3")
        policies = load_policies(load_agent(env))
        self.memory = MemoryHome(Given(self.ledger, folder / "index", config, policies, env.now, lambda line: None))
        longterm = LongTerm(config, self.ledger, self.memory.opened)
        thread = self.ledger.create_thread(config.name)
        self.conversation = Conversation(config, model, self.ledger, None, thread, memory=longterm)

    def say(self, text: str) -> None:
        list(self.conversation.send(text, abort=AbortSignal()))

    def close(self) -> None:
        self.memory.close()
        self.ledger.close()


def test_what_the_rules_do_not_see_is_written_in_the_background(tmp_path: Path) -> None:
    model = ScriptedModel(["I see.", answer(ENTRY)])
    with closing(Talk(tmp_path, model)) as talk:
        talk.say(SAID)
        assert talk.memory.memories.select() == []
        talk.memory.drain(AbortSignal())
        (entry,) = talk.memory.memories.select()
        assert (entry.kind, entry.text, entry.origin) == ("preference", ENTRY["text"], "user")
        assert entry.evidence == ENTRY["evidence"]


@pytest.mark.parametrize("judge", [False, True])
def test_the_model_is_asked_only_if_the_configuration_says_so(tmp_path: Path, judge: bool) -> None:
    model = ScriptedModel(["I see.", answer()])
    with closing(Talk(tmp_path, model, judge=judge)) as talk:
        talk.say(SAID)
        talk.memory.drain(AbortSignal())
        assert len(model.requests) == (2 if judge else 1)


def test_a_model_that_fails_costs_a_message_its_second_look_alone(tmp_path: Path) -> None:
    from localagent.errors import ModelError

    model = ScriptedModel(["I see.", Answer(text="", error=ModelError("it broke")), "And?", answer(ENTRY)])
    with closing(Talk(tmp_path, model)) as talk:
        talk.say("How are you?")
        assert talk.memory.drain(AbortSignal()) == ""
        talk.say(SAID)
        talk.memory.drain(AbortSignal())
        assert len(talk.memory.memories.select()) == 1


class Held(ScriptedModel):
    """The second call lasts until it is told to stop, and uses up no answer."""

    def __init__(self) -> None:
        super().__init__(["I see.", "At once.", answer(ENTRY), answer()])
        self.judging = threading.Event()
        self.calls = 0
        self.together = 0
        self.running = threading.Lock()

    def stream(self, body: JsonObject, abort: AbortSignal) -> Iterator[ModelEvent]:
        assert self.running.acquire(blocking=False), "two calls of one model at a time"
        try:
            self.calls += 1
            if self.calls == 2:
                self.judging.set()
                abort.wait(30)
            yield from super().stream(body, abort)
        finally:
            self.running.release()


def test_a_turn_calls_the_judge_off_and_the_message_waits_on(tmp_path: Path) -> None:
    model = Held()
    with closing(Talk(tmp_path, model)) as talk:
        talk.memory.background.start()
        talk.say(SAID)
        assert model.judging.wait(30)
        talk.say("and now?")
        assert talk.conversation.history()[-1].message.text == "At once."
        talk.memory.drain(AbortSignal())
        assert [entry.text for entry in talk.memory.memories.select()] == [ENTRY["text"]]
