"""What goes wrong in a turn: windows that are smaller than said, tools nobody offered, other programs on the thread."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import replace
from pathlib import Path
from typing import cast

import pytest

from localagent.abort import AbortSignal
from localagent.assembler import Assembler, AssemblyInput, Budget
from localagent.config import AgentConfig, ModelConfig
from localagent.conversation import Conversation
from localagent.errors import ContextOverflow, IncompleteAnswer, Interrupted, StorageError
from localagent.events import Notice, PromptAssembled, RequestStored, TurnEvent, TurnFinished
from localagent.memory.base import StoredMessage
from localagent.memory.ledger import SqliteLedger
from localagent.messages import Message, ToolCallPart, assistant, tool_result, user
from localagent.models.base import ChatRequest
from localagent.models.scripted import Answer, ScriptedModel, Step
from localagent.trace import PromptFiles

CONFIG = AgentConfig(instructions="Be brief.", model=ModelConfig(max_output_tokens=50))
Talk = Callable[..., Conversation]


@pytest.fixture
def ledger(tmp_path: Path) -> Iterator[SqliteLedger]:
    ledger = SqliteLedger(tmp_path / "ledger.sqlite3")
    yield ledger
    ledger.close()


@pytest.fixture
def talk(ledger: SqliteLedger, tmp_path: Path) -> Talk:
    log = PromptFiles(tmp_path / "prompts")

    def start(model: ScriptedModel, config: AgentConfig = CONFIG) -> Conversation:
        return Conversation(config, model, ledger, log, ledger.create_thread(config.name))

    return start


def ask(conversation: Conversation, text: str) -> list[TurnEvent]:
    return list(conversation.send(text, abort=AbortSignal()))


def stored(conversation: Conversation) -> list[tuple[str, str, str]]:
    return [(m.message.role, m.message.text, m.status) for m in conversation.history()]


def outcome(conversation: Conversation) -> Mapping[str, object]:
    record = conversation.last_prompt()
    assert record is not None
    return cast("Mapping[str, object]", record["outcome"])


def test_a_request_that_can_not_fit_is_refused_once_with_the_true_numbers(talk: Talk) -> None:
    model = ScriptedModel(["never"], window=300)
    conversation = talk(model)
    seen: list[TurnEvent] = []
    with pytest.raises(ContextOverflow, match=r"500 tokens.* 250 are free \(window 300, 50 reserved") as caught:
        seen.extend(conversation.send("word " * 496, abort=AbortSignal()))
    assert caught.value.available == 250 and not model.requests
    assert not [event for event in seen if isinstance(event, Notice | PromptAssembled)]
    assert conversation.last_prompt() is None


def test_a_refusal_is_not_repeated_when_nothing_is_left_that_could_go(talk: Talk) -> None:
    model = ScriptedModel([ContextOverflow("too long", needed=400, available=300), "never"])
    conversation = talk(model)
    with pytest.raises(ContextOverflow, match="too long"):
        ask(conversation, "hello")
    assert len(model.requests) == 1 and stored(conversation) == []


@pytest.mark.parametrize(("factor", "served"), [(1.0, 200), (2.5, 400), (4.0, 400)])
def test_after_a_refusal_the_prompt_and_its_answer_fit_what_is_served(talk: Talk, factor: float, served: int) -> None:
    """The server has a smaller window than it said, or its tokens are smaller than ours: `factor` for one of ours."""
    model = ScriptedModel(window=1000)

    def judge(request: ChatRequest) -> str | ContextOverflow:
        counted = int(factor * model.count_prompt(request.messages))
        if counted + request.max_output_tokens > served:
            return ContextOverflow("too long", needed=counted, available=served)
        return "made it"

    model.add(*["fine"] * 6, judge, judge)
    conversation = talk(model)
    for number in range(6):
        ask(conversation, f"{number} " + "word " * 30)
    events = ask(conversation, "the last one")
    assert isinstance(events[-1], TurnFinished) and events[-1].text == "made it"
    assert [type(event) for event in events].count(PromptAssembled) == 2


def test_a_tool_that_nobody_offered_is_no_answer(talk: Talk) -> None:
    call = ToolCallPart("c1", "get_weather", {})
    conversation = talk(ScriptedModel([Answer("", tool_calls=(call,)), Answer("let me see", tool_calls=(call,)), "ok"]))
    with pytest.raises(IncompleteAnswer, match="get_weather"):
        ask(conversation, "one")
    with pytest.raises(IncompleteAnswer, match="get_weather"):
        ask(conversation, "two")
    assert stored(conversation)[-1] == ("assistant", "let me see", "incomplete")
    assert not any(m.message.tool_calls for m in conversation.history()), "a call that nobody answers is not kept"
    assert isinstance(ask(conversation, "three")[-1], TurnFinished)


def test_an_abort_before_the_call_is_an_end_of_the_call(talk: Talk) -> None:
    model = ScriptedModel(["never"], loop=True)
    conversation = talk(model)
    abort = AbortSignal()
    with pytest.raises(Interrupted):
        for event in conversation.send("hello", abort=abort):
            if isinstance(event, PromptAssembled):
                abort.abort()
    assert outcome(conversation)["ended_by"] == "interrupted" and not model.requests


def test_a_reader_that_leaves_before_the_call_is_an_end_of_the_call(talk: Talk) -> None:
    conversation = talk(ScriptedModel(["never"]))
    events = conversation.send("hello", abort=AbortSignal())
    while not isinstance(next(events), PromptAssembled):
        pass
    events.close()
    assert outcome(conversation)["ended_by"] == "interrupted"
    assert stored(conversation) == [("user", "hello", "complete")]


def test_a_reader_that_leaves_at_once_finds_the_request_in_the_thread(talk: Talk) -> None:
    conversation = talk(ScriptedModel(["never"]))
    before = conversation.meter.used
    events = conversation.send("hello there", abort=AbortSignal())
    assert isinstance(next(events), RequestStored)
    events.close()
    assert conversation.thread.messages == 1 and conversation.meter.used > before


def test_a_request_too_long_takes_back_itself_alone(talk: Talk, ledger: SqliteLedger) -> None:
    conversation = talk(ScriptedModel(["fine"], window=300))
    events = conversation.send("word " * 500, abort=AbortSignal())
    next(events)
    ledger.append(conversation.thread.id, user("from another program"))
    with pytest.raises(ContextOverflow):
        list(events)
    assert stored(conversation) == [("user", "from another program", "complete")]
    assert conversation.thread.messages == 1 and ledger.integrity() == []


def test_the_error_of_a_turn_is_not_hidden_by_what_follows(talk: Talk, ledger: SqliteLedger) -> None:
    conversation = talk(ScriptedModel(["an answer"]))
    events = conversation.send("hello", abort=AbortSignal())
    next(events)
    ledger.delete_thread(conversation.thread.id)
    with pytest.raises(StorageError, match="there is no thread"):
        list(events)


def test_a_model_whose_window_is_smaller_than_the_system_text(talk: Talk) -> None:
    """It can be chosen and left again; only a request is refused."""
    config = replace(CONFIG, instructions="word " * 300)
    conversation = talk(ScriptedModel(["fine"], window=1000), config)
    conversation.use_model(ScriptedModel(["never"], window=256, name="tiny"))
    assert conversation.meter.used > conversation.meter.window == 256 and conversation.meter.model == "tiny"
    with pytest.raises(ContextOverflow, match="system text"):
        ask(conversation, "hello")
    conversation.use_model(ScriptedModel(["fine"], window=1000))
    assert isinstance(ask(conversation, "hello")[-1], TurnFinished)


@pytest.mark.parametrize("window", [256, 300, 1000])
def test_an_answer_longer_than_the_window_may_have_half_of_it(talk: Talk, window: int) -> None:
    model = ScriptedModel(["word " * 2000], loop=True, window=window)
    conversation = talk(model, replace(CONFIG, model=ModelConfig(max_output_tokens=100_000)))
    for number in range(4):
        events = ask(conversation, f"{number} tell me more")
        assert isinstance(events[-1], TurnFinished) and events[-1].stop_reason == "length"
        sent = model.requests[-1]
        assert sent.max_output_tokens == window // 2
        assert model.count_prompt(sent.messages) + sent.max_output_tokens <= window


def test_retry_and_undo_after_an_interrupted_answer(talk: Talk) -> None:
    steps: list[Step] = [Answer(["one ", "two "], hangs=True), "all of it", Answer("", hangs=True)]
    model = ScriptedModel(steps)
    conversation = talk(model)
    for text in ("count", "again"):
        abort = AbortSignal()
        with pytest.raises(Interrupted):
            for event in conversation.send(text, abort=abort):
                unanswered = isinstance(event, PromptAssembled) and text == "again"
                if unanswered or getattr(event, "text", "") == "two ":
                    abort.abort()
        if text == "count":
            list(conversation.retry(abort=AbortSignal()))
            assert [m.text for m in model.requests[-1].messages] == ["Be brief.", "count"]
    assert stored(conversation)[-1] == ("user", "again", "complete")
    assert conversation.undo() == "again"
    assert stored(conversation) == [("user", "count", "complete"), ("assistant", "all of it", "complete")]


class Characters:
    def count_text(self, text: str) -> int:
        return len(text)


def sent(messages: list[Message]) -> list[Message]:
    kept = tuple(StoredMessage(i, "t", m, "complete", 0.0) for i, m in enumerate(messages, 1))
    request = (StoredMessage(99, "t", user("now"), "complete", 0.0),)
    result = Assembler(Characters()).assemble(AssemblyInput("", request, kept), Budget(10_000, 10))
    return [*result.messages]


def test_answers_in_a_row_become_one_message() -> None:
    """Two programs asked in one thread at the same time."""
    roles = sent([user("a"), user("b"), assistant("to a"), assistant("to b")])
    assert [m.role for m in roles] == ["user", "assistant", "user"]
    assert roles[1].text == "to a\n\nto b"


def test_calls_and_results_are_never_sent_alone() -> None:
    """The program ended between a call and its result, or a result has lost its call."""
    one, two = ToolCallPart("1", "look", {}), ToolCallPart("2", "look", {})
    whole = sent([user("a"), assistant("", [one, two]), tool_result(one, "x"), tool_result(two, "y"), assistant("z")])
    assert [m.role for m in whole] == ["user", "assistant", "tool", "tool", "assistant", "user"]
    half = sent([user("a"), assistant("hm", [one, two]), tool_result(one, "x"), assistant("z")])
    assert [len(m.tool_calls) for m in half] == [0, 1, 0, 0, 0]
    assert [m.role for m in sent([user("a"), assistant("", [one]), user("b")])] == ["user"]
    assert [m.role for m in sent([user("a"), tool_result(one, "x"), assistant("z")])] == ["user", "assistant", "user"]
