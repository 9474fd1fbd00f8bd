"""A turn from the request to the stored answer, on the real ledger and real record files, with a scripted model."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import replace
from itertools import pairwise
from pathlib import Path
from typing import cast

import pytest

from localagent.abort import AbortSignal
from localagent.config import AgentConfig, ContextPolicy, Limits, ModelConfig
from localagent.conversation import Conversation
from localagent.errors import (
    ContextOverflow,
    DeadlineExceeded,
    IncompleteAnswer,
    Interrupted,
    LocalAgentError,
    ModelError,
    StorageError,
    UsageError,
)
from localagent.events import (
    ModelEvent,
    ModelFinished,
    Notice,
    PromptAssembled,
    RequestStored,
    StepStarted,
    TextDelta,
    TurnEvent,
    TurnFinished,
    Usage,
)
from localagent.memory.ledger import SqliteLedger
from localagent.messages import AttachmentPart, JsonObject
from localagent.models.base import ModelInfo
from localagent.models.scripted import Answer, ScriptedModel
from localagent.record import PromptOutcome
from localagent.trace import PromptFiles

CONFIG = AgentConfig(instructions="Be brief.", model=ModelConfig(max_output_tokens=50))


@pytest.fixture
def ledger(tmp_path: Path) -> Iterator[SqliteLedger]:
    ledger = SqliteLedger(tmp_path / "ledger.sqlite3")
    yield ledger
    ledger.close()


@pytest.fixture
def log(tmp_path: Path) -> PromptFiles:
    return PromptFiles(tmp_path / "prompts")


class Talk:
    """A conversation with what a test wants to know of it."""

    def __init__(
        self, ledger: SqliteLedger, log: PromptFiles, model: ScriptedModel, config: AgentConfig = CONFIG
    ) -> None:
        self.ledger = ledger
        self.log = log
        self.model = model
        self.abort = AbortSignal()
        self.conversation = Conversation(config, model, ledger, log, ledger.create_thread(config.name))

    def ask(self, text: str, attachments: tuple[AttachmentPart, ...] = ()) -> list[TurnEvent]:
        return list(self.conversation.send(text, attachments, abort=self.abort))

    def stored(self) -> list[tuple[str, str, str]]:
        return [(m.message.role, m.message.text, m.status) for m in self.conversation.history()]

    def record(self) -> Mapping[str, object]:
        record = self.conversation.last_prompt()
        assert record is not None
        return record

    def ended_by(self) -> object:
        return cast(Mapping[str, object], self.record()["outcome"])["ended_by"]


def test_a_turn_in_order(ledger: SqliteLedger, log: PromptFiles) -> None:
    talk = Talk(ledger, log, ScriptedModel(["你好，世界。"]))
    events = talk.ask("打个招呼 and say hello")
    kinds = [type(event) for event in events]
    assert kinds[:3] == [RequestStored, StepStarted, PromptAssembled] and kinds[-1] is TurnFinished
    assert "".join(event.text for event in events if isinstance(event, TextDelta)) == "你好，世界。"
    finished = events[-1]
    assert isinstance(finished, TurnFinished) and finished.text == "你好，世界。"
    assert talk.stored() == [
        ("user", "打个招呼 and say hello", "complete"),
        ("assistant", "你好，世界。", "complete"),
    ]
    record = talk.record()
    assert record["id"] == finished.record_id
    assert talk.ended_by() == "stop"
    sent = talk.model.requests[0]
    assert [m.role for m in sent.messages] == ["system", "user"]
    assert record["request"] == talk.model.encode(sent), "the record holds the exact request"


def test_the_request_is_durable_before_the_model_is_called(ledger: SqliteLedger, log: PromptFiles) -> None:
    talk = Talk(ledger, log, ScriptedModel([ModelError("out of memory")]))
    events = talk.conversation.send("remember me", abort=talk.abort)
    assert isinstance(next(events), RequestStored)
    assert talk.stored() == [("user", "remember me", "complete")]
    assert next(events) == StepStarted(1) and isinstance(next(events), PromptAssembled)
    assert "outcome" not in talk.record(), "the prompt is on disk before the call, without an outcome"
    with pytest.raises(ModelError, match="out of memory"):
        list(events)
    assert talk.stored() == [("user", "remember me", "complete")], "nothing invented, nothing lost"
    assert talk.ended_by() == "ModelError"


def test_an_unanswered_request_is_merged_into_the_next(ledger: SqliteLedger, log: PromptFiles) -> None:
    talk = Talk(ledger, log, ScriptedModel([ModelError("broken"), "fine"]))
    with pytest.raises(ModelError):
        talk.ask("first")
    talk.ask("second")
    sent = talk.model.requests[-1].messages
    assert [m.role for m in sent] == ["system", "user"] and sent[1].text == "first\n\nsecond"


@pytest.mark.parametrize(
    ("error", "status", "ended_by"),
    [
        (IncompleteAnswer("the stream ended early"), "incomplete", "IncompleteAnswer"),
        (ModelError("the runner died"), "incomplete", "ModelError"),
    ],
)
def test_what_had_arrived_when_the_model_broke_off_is_kept(
    ledger: SqliteLedger, log: PromptFiles, error: LocalAgentError, status: str, ended_by: str
) -> None:
    talk = Talk(ledger, log, ScriptedModel([Answer("one two three", error=error)]))
    with pytest.raises(type(error)):
        talk.ask("count")
    assert talk.stored()[-1] == ("assistant", "one two three", status)
    assert talk.ended_by() == ended_by


def test_an_interrupted_answer_is_kept_and_marked(ledger: SqliteLedger, log: PromptFiles) -> None:
    talk = Talk(ledger, log, ScriptedModel([Answer(["one ", "two ", "three"], piece_delay_s=0.01), "and on"]))
    with pytest.raises(Interrupted):
        for event in talk.conversation.send("count", abort=talk.abort):
            if isinstance(event, TextDelta) and event.text == "two ":
                talk.abort.abort()
    assert talk.stored()[-1] == ("assistant", "one two ", "interrupted")
    assert talk.ended_by() == "interrupted"
    talk.abort = AbortSignal()
    talk.ask("go on")
    assert [m.text for m in talk.model.requests[-1].messages][1:] == ["count", "one two ", "go on"]


def test_a_reader_that_walks_away_leaves_the_partial_answer(ledger: SqliteLedger, log: PromptFiles) -> None:
    talk = Talk(ledger, log, ScriptedModel([Answer(["one ", "two ", "three"])]))
    events = talk.conversation.send("count", abort=talk.abort)
    for event in events:
        if isinstance(event, TextDelta):
            break
    events.close()
    assert talk.stored()[-1] == ("assistant", "one ", "interrupted")
    assert not talk.model.playing


@pytest.mark.parametrize("limits", [Limits(request_timeout_s=0.05), Limits(turn_timeout_s=0.05)])
def test_both_deadlines_end_a_turn_and_name_themselves(ledger: SqliteLedger, log: PromptFiles, limits: Limits) -> None:
    model = ScriptedModel([Answer(["half ", "never"], hangs=True)])
    talk = Talk(ledger, log, model, replace(CONFIG, limits=limits))
    with pytest.raises(DeadlineExceeded, match=r"limits\.(request|turn)_timeout_s"):
        talk.ask("slow")
    assert talk.ended_by() == "deadline"
    assert talk.stored()[-1] == ("assistant", "half never", "incomplete")


def test_an_empty_answer_is_not_an_answer(ledger: SqliteLedger, log: PromptFiles) -> None:
    talk = Talk(ledger, log, ScriptedModel(["  ", Answer("", thinking="hm " * 80, reason="length")]))
    with pytest.raises(IncompleteAnswer, match="empty"):
        talk.ask("a")
    with pytest.raises(IncompleteAnswer, match="thinking"):
        talk.ask("b")
    assert [role for role, _, _ in talk.stored()] == ["user", "user"]


def test_an_answer_cut_by_its_limit_is_said(ledger: SqliteLedger, log: PromptFiles) -> None:
    talk = Talk(ledger, log, ScriptedModel(["word " * 200]))
    events = talk.ask("talk")
    notices = [event.text for event in events if isinstance(event, Notice)]
    assert notices == ["the answer was cut at 50 tokens (model.max_output_tokens)"]
    assert isinstance(events[-1], TurnFinished) and events[-1].stop_reason == "length"


def test_a_server_that_read_less_than_was_sent_is_caught(ledger: SqliteLedger, log: PromptFiles) -> None:
    talk = Talk(ledger, log, ScriptedModel([Answer("ok", prompt_tokens=40), "fine"]))
    events = talk.ask("needle " * 100)
    notices = [event.text for event in events if isinstance(event, Notice)]
    assert len(notices) == 1 and "read 40 of about" in notices[0] and "num_ctx" in notices[0]
    assert cast(Mapping[str, object], talk.record()["outcome"])["warnings"] == notices
    assert not [event for event in talk.ask("again") if isinstance(event, Notice)], "an honest count is no cut"


def test_a_server_that_counts_more_is_asked_again_with_less(ledger: SqliteLedger, log: PromptFiles) -> None:
    """Our estimate was too low: the refusal says by how much, and the history gives way."""
    model = ScriptedModel(["fine"] * 6, window=300)
    talk = Talk(ledger, log, model)
    for number in range(5):
        talk.ask(f"{number} " + "word " * 25)
    model.add(ContextOverflow("too long", needed=400, available=300), "made it")
    events = talk.ask("the last one")
    assert isinstance(events[-1], TurnFinished) and events[-1].text == "fine"
    events = talk.ask("another")
    assert [type(e) for e in events].count(PromptAssembled) == 2
    assert isinstance(events[-1], TurnFinished) and events[-1].text == "made it"
    first, second = model.requests[-2:]
    assert len(second.messages) < len(first.messages)


def test_a_request_larger_than_the_window_leaves_the_conversation(ledger: SqliteLedger, log: PromptFiles) -> None:
    talk = Talk(ledger, log, ScriptedModel(["fine"], window=300))
    with pytest.raises(ContextOverflow, match="does not fit"):
        talk.ask("word " * 500)
    assert talk.stored() == []
    everything = ledger.messages(talk.conversation.thread.id, undone=True)
    assert len(everything) == 1 and everything[0].status == "undone", "it is still in the ledger"
    talk.ask("short")
    assert talk.stored()[-1] == ("assistant", "fine", "complete")


def test_a_needle_in_the_system_text_survives_a_full_window(ledger: SqliteLedger, log: PromptFiles) -> None:
    """Just over the window something must go; it is the oldest exchange, and the record says so."""
    model = ScriptedModel(["noted " * 30], loop=True, window=400)
    talk = Talk(ledger, log, model, replace(CONFIG, instructions="The needle is 4711."))
    for number in range(12):
        talk.ask(f"{number} " + "hay " * 30)
        sent = model.requests[-1]
        assert "4711" in sent.messages[0].text
        assert model.count_prompt(sent.messages) + 50 <= 400
    dropped = cast("list[Mapping[str, object]]", talk.record()["dropped"])
    assert dropped and {drop["reason"] for drop in dropped} == {"budget"}
    sent_ids = {i for b in cast("list[Mapping[str, list[int]]]", talk.record()["blocks"]) for i in b["message_ids"]}
    all_ids = {m.id for m in talk.conversation.history()[:-1]}
    assert sent_ids | {drop["message_id"] for drop in dropped} == all_ids


def test_the_ring_leaves_old_messages_out_and_says_so(ledger: SqliteLedger, log: PromptFiles) -> None:
    config = replace(CONFIG, context_policy=ContextPolicy(recent_keep=6, recent_slack=2))
    talk = Talk(ledger, log, ScriptedModel(["yes"], loop=True), config)
    for number in range(20):
        talk.ask(f"question {number}")
        sent = [m.text for m in talk.model.requests[-1].messages[1:]]
        assert sent[-1] == f"question {number}"
        assert len(sent) - 1 <= 6 + 2 + 1, "a question before its answer may be kept beyond the slack"
        assert sent[0].startswith("question"), "it begins with a question"
    record = talk.record()
    recent = cast("list[Mapping[str, list[int]]]", record["blocks"])[3]["message_ids"]
    assert record["older"] == 38 - len(recent) and record["dropped"] == []
    assert talk.conversation.context().not_sent == 32


def test_the_beginning_of_the_prompt_is_stable_between_cuts(ledger: SqliteLedger, log: PromptFiles) -> None:
    talk = Talk(ledger, log, ScriptedModel(["yes"], loop=True))
    firsts = []
    for number in range(40):
        talk.ask(f"question {number}")
        firsts.append(talk.model.requests[-1].messages[:2])
    changes = sum(1 for a, b in pairwise(firsts) if a != b)
    assert changes <= 6, "40 turns, a cut about every eleventh message"


def test_undo_and_retry(ledger: SqliteLedger, log: PromptFiles) -> None:
    talk = Talk(ledger, log, ScriptedModel(["bad", "good", "third"]))
    with pytest.raises(UsageError, match="nothing to retry"):
        list(talk.conversation.retry(abort=talk.abort))
    assert talk.conversation.undo() == ""
    talk.ask("question", (AttachmentPart("a.txt", "data"),))
    list(talk.conversation.retry(abort=talk.abort))
    assert talk.stored() == [("user", "question", "complete"), ("assistant", "good", "complete")]
    assert "data" in talk.model.requests[-1].messages[-1].text, "the attachment is asked again too"
    assert talk.conversation.undo() == "question"
    assert talk.stored() == []
    talk.ask("anew")
    assert [m.text for m in talk.model.requests[-1].messages] == ["Be brief.", "anew"]


def test_retry_after_a_failure_asks_the_same(ledger: SqliteLedger, log: PromptFiles) -> None:
    talk = Talk(ledger, log, ScriptedModel([ModelError("down"), "up"]))
    with pytest.raises(ModelError):
        talk.ask("are you there?")
    list(talk.conversation.retry(abort=talk.abort))
    assert talk.stored() == [("user", "are you there?", "complete"), ("assistant", "up", "complete")]


def test_a_failed_retry_keeps_the_answer_there_was(ledger: SqliteLedger, log: PromptFiles) -> None:
    talk = Talk(ledger, log, ScriptedModel(["good", ModelError("down"), Answer("half", error=ModelError("broke"))]))
    talk.ask("question")
    with pytest.raises(ModelError, match="down"):
        list(talk.conversation.retry(abort=talk.abort))
    assert talk.stored() == [("user", "question", "complete"), ("assistant", "good", "complete")]
    with pytest.raises(ModelError, match="broke"):
        list(talk.conversation.retry(abort=talk.abort))
    assert talk.stored() == [("user", "question", "complete"), ("assistant", "half", "incomplete")]
    assert [m.text for m in talk.model.requests[-1].messages[1:]] == ["question"], "asked without its old answer"


def test_a_model_that_cannot_be_used_leaves_the_old_one(ledger: SqliteLedger, log: PromptFiles) -> None:
    class Broken(ScriptedModel):
        def describe(self) -> ModelInfo:
            raise ModelError("no such window")

    talk = Talk(ledger, log, ScriptedModel(["still here"]))
    with pytest.raises(ModelError):
        talk.conversation.use_model(Broken())
    talk.ask("hello")
    assert talk.stored()[-1] == ("assistant", "still here", "complete")


def test_a_record_that_cannot_be_finished_does_not_cost_the_answer(ledger: SqliteLedger, log: PromptFiles) -> None:
    class Full(PromptFiles):
        def finish(self, outcome: PromptOutcome, thread_id: str) -> None:
            raise StorageError("the disk is full")

    talk = Talk(ledger, Full(log.folder), ScriptedModel(["yes", ModelError("the cause")]))
    events = talk.ask("hello")
    assert isinstance(events[-1], TurnFinished) and talk.stored()[-1][1] == "yes"
    assert "the disk is full" in next(event.text for event in events if isinstance(event, Notice))
    with pytest.raises(ModelError, match="the cause"):
        talk.ask("again")


def test_the_meter_and_the_context_view(ledger: SqliteLedger, log: PromptFiles) -> None:
    talk = Talk(ledger, log, ScriptedModel(["an answer of five words"]))
    before = talk.conversation.meter.used
    talk.ask("a question")
    view = talk.conversation.context()
    assert talk.conversation.meter.used == view.tokens > before
    assert view.window == 8192 and view.reserve == 50 and view.exact
    assert [block.name for block in view.blocks] == ["system", "summary", "recalled", "recent", "request"]
    assert view.blocks[-1].tokens == 0


def test_a_thread_that_another_process_deleted_is_a_clear_error(ledger: SqliteLedger, log: PromptFiles) -> None:
    talk = Talk(ledger, log, ScriptedModel(["x"]))
    ledger.delete_thread(talk.conversation.thread.id)
    with pytest.raises(UsageError, match="was deleted"):
        talk.ask("hello")


def test_without_a_log_nothing_is_recorded(ledger: SqliteLedger, log: PromptFiles) -> None:
    thread = ledger.create_thread("a")
    conversation = Conversation(CONFIG, ScriptedModel(["x"]), ledger, None, thread)
    events = list(conversation.send("hello", abort=AbortSignal()))
    assert isinstance(events[-1], TurnFinished) and events[-1].record_id == ""
    assert log.list(thread.id) == [] and conversation.last_prompt() is None


def test_the_record_tells_how_much_the_cache_can_spare(ledger: SqliteLedger, log: PromptFiles) -> None:
    talk = Talk(ledger, log, ScriptedModel(["an answer of some words"], loop=True))
    talk.ask("the first question, of some length")
    assert talk.record()["shared"] is None
    for number in range(3):
        before = cast("int", talk.record()["tokens"])
        talk.ask(f"another question, number {number}")
        usage = cast("Mapping[str, Mapping[str, int]]", talk.record()["outcome"])["usage"]
        assert talk.record()["shared"] == before, "the whole prompt before it"
        messages = 2 + 2 * number
        assert 0 <= before - usage["cached_tokens"] <= 2 * messages, "as the server counts, but for its marks"
    other = ledger.create_thread(CONFIG.name)
    mine = talk.conversation.thread
    talk.conversation.open_thread(other)
    talk.ask("elsewhere")
    talk.conversation.open_thread(mine)
    talk.ask("back again")
    assert talk.record()["shared"] is None, "a model keeps the last prompt alone"


def test_another_system_text_shares_its_beginning_alone(ledger: SqliteLedger, log: PromptFiles) -> None:
    model = ScriptedModel(["yes"], loop=True)
    talk = Talk(ledger, log, model, replace(CONFIG, context_policy=ContextPolicy(recent_keep=2, recent_slack=0)))
    for number in range(3):
        talk.ask(f"question {number}")
    head = model.count_text("Be brief.")
    assert head <= cast("int", talk.record()["shared"]) < head + 12, "the first of the recent messages is another one"


class Silent(ScriptedModel):
    """A server that does not say what it had cached."""

    def stream(self, body: JsonObject, abort: AbortSignal) -> Iterator[ModelEvent]:
        for event in super().stream(body, abort):
            yield replace(event, usage=Usage()) if isinstance(event, ModelFinished) else event


@pytest.mark.parametrize(("model", "mark"), [(ScriptedModel, ""), (Silent, "~")])
def test_the_meter_shows_what_of_the_last_prompt_was_cached(
    ledger: SqliteLedger, log: PromptFiles, model: type[ScriptedModel], mark: str
) -> None:
    talk = Talk(ledger, log, model(["an answer of some words"], loop=True))
    unknown = talk.conversation.meter.cached
    assert unknown is None
    for _ in range(4):
        talk.ask("go on, with one more question")
    cached = talk.conversation.meter.cached
    assert cached is not None and 0.5 < cached.share < 1
    assert str(cached) == f"{mark}{cached.share * 100:.0f} %"
    assert talk.conversation.context().cached == cached
    talk.conversation.new_thread()
    assert [talk.conversation.meter.cached, talk.conversation.context().cached] == [None, None]
