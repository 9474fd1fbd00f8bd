"""What only the scripted model does; what every model does is in test_contract.py."""

from __future__ import annotations

from pathlib import Path

import pytest

from localagent.abort import AbortSignal
from localagent.errors import ConfigError, ContextOverflow, IncompleteAnswer, Interrupted, ModelError, ModelUnreachable
from localagent.events import ModelFinished, PromptProgress, TextDelta, ThinkingDelta, ToolCallReady
from localagent.messages import AttachmentPart, ToolCallPart, assistant, system, tool_result, user
from localagent.models.base import ChatRequest
from localagent.models.script_file import load_script
from localagent.models.scripted import Answer, ScriptedModel
from localagent.tool import ToolSpec


def play(model: ScriptedModel, *words: str) -> list[object]:
    body = model.encode(ChatRequest(tuple(user(word) for word in words or ("hi",))))
    return list(model.stream(body, AbortSignal()))


def test_plays_its_steps_in_order_and_then_says_that_none_is_left() -> None:
    model = ScriptedModel(["one", "two"])
    assert [event.text for event in play(model) if isinstance(event, TextDelta)] == ["one"]
    assert [event.text for event in play(model) if isinstance(event, TextDelta)] == ["two"]
    with pytest.raises(ModelError, match="no step left for call 3"):
        play(model)


def test_a_looping_script_starts_again() -> None:
    model = ScriptedModel(["one", "two"], loop=True)
    spoken = [event.text for _ in range(5) for event in play(model) if isinstance(event, TextDelta)]
    assert spoken == ["one", "two", "one", "two", "one"]


def test_an_empty_looping_script_is_an_error_too() -> None:
    with pytest.raises(ModelError, match="no step left"):
        play(ScriptedModel(loop=True))


def test_an_error_comes_after_what_was_said_before_it() -> None:
    model = ScriptedModel([Answer(["half "], error=IncompleteAnswer("cut"))])
    events = model.stream(model.encode(ChatRequest((user("hi"),))), AbortSignal())
    assert next(events) == TextDelta("half ")
    with pytest.raises(IncompleteAnswer):
        next(events)


def test_a_step_can_answer_what_it_was_asked() -> None:
    model = ScriptedModel([lambda request: request.messages[-1].text.upper()])
    assert play(model, "shout")[0] == TextDelta("SHOUT")


def test_it_keeps_what_it_was_asked_without_old_thinking() -> None:
    call = ToolCallPart("c1", "look", {"where": ["挪威", None, 2]})
    messages = (
        system("be brief"),
        user("look", (AttachmentPart("a.txt", "data"),)),
        assistant("", (call,)),
        tool_result(call, "nothing"),
    )
    tools = (ToolSpec("look", "Look somewhere", {"type": "object"}),)
    request = ChatRequest(messages, tools, {"type": "object"}, 9, 0.0, 7, ("END",))
    model = ScriptedModel(["ok"])
    list(model.stream(model.encode(request), AbortSignal()))
    assert model.requests == [request]
    assert model.encode(ChatRequest((assistant("a", thinking="secret"),))) == model.encode(
        ChatRequest((assistant("a"),))
    )


def test_progress_ends_at_the_whole_prompt_and_knows_what_is_cached() -> None:
    model = ScriptedModel(["a", Answer("b", progress=4)])
    play(model, "one two three")
    reports = [event for event in play(model, "one two three", "four") if isinstance(event, PromptProgress)]
    assert len(reports) == 4
    assert reports[-1].processed == reports[-1].total
    # The first message, whole; what follows it differs.
    assert {report.cached for report in reports} == {5}


def test_thinking_calls_and_a_reported_count_that_is_not_ours() -> None:
    call = ToolCallPart("c", "look", {})
    events = play(ScriptedModel([Answer("x", thinking="hm", tool_calls=(call,), prompt_tokens=3)]))
    assert events[:3] == [ThinkingDelta("hm"), TextDelta("x"), ToolCallReady(call)]
    assert isinstance(events[3], ModelFinished)
    assert events[3].usage.prompt_tokens == 3


def test_a_prompt_as_long_as_the_window_is_refused_with_the_numbers() -> None:
    model = ScriptedModel(["never"], window=20)
    with pytest.raises(ContextOverflow) as caught:
        play(model, "w " * 17)
    assert (caught.value.needed, caught.value.available) == (20, 20)


def test_a_delay_ends_with_the_abort_signal() -> None:
    model = ScriptedModel([Answer(["a", "b"], piece_delay_s=3600)])
    abort = AbortSignal()
    events = model.stream(model.encode(ChatRequest((user("hi"),))), abort)
    abort.abort()
    with pytest.raises(Interrupted):
        next(events)


def test_a_script_file_says_everything(tmp_path: Path) -> None:
    path = tmp_path / "剧本.yaml"
    path.write_text(
        """
window: 512
steps:
  - 你好
  - text: [Os, lo]
    thinking: Norway
    reason: length
  - tool_calls:
      - name: get_weather
        arguments: {city: Oslo, days: 2}
  - text: half
    error: {kind: ModelUnreachable, message: gone}
""",
        "utf-8",
    )
    model = load_script(path)
    assert model.describe().window == 512
    assert [event.text for event in play(model) if isinstance(event, TextDelta)] == ["你", "好"]
    second = play(model)
    assert second[:3] == [ThinkingDelta("Norway"), TextDelta("Os"), TextDelta("lo")]
    assert isinstance(second[3], ModelFinished)
    assert second[3].reason == "length"
    assert play(model)[0] == ToolCallReady(ToolCallPart("call_3_1", "get_weather", {"city": "Oslo", "days": 2}))
    with pytest.raises(ModelUnreachable, match="gone"):
        play(model)


@pytest.mark.parametrize(
    ("content", "where"),
    [
        (b"steps:\n  - text: a\n    txet: b\n", "steps[0].txet"),
        (b"steps:\n  - error: {kind: Oops, message: x}\n", "steps[0].error.kind"),
        (b"steps:\n  - delay_s: -1\n", "steps[0].delay_s"),
        (b"steps:\n  - text: {a: b}\n", "steps[0].text"),
        (b"steps:\n  - 3\n", "steps[0]"),
        (b"loop: true\n", "steps"),
        (b"- a\n", "(the whole file)"),
        (b"", "(the whole file)"),
        (b"steps:\n\t- a\n", ":2:1"),
        (b"steps: [a\n", ":2:1"),
        (b"\x00\x01\xff", "script.yaml"),
        (b"caf\xe9: 1", "script.yaml"),
        (b"steps: [2020-99-99]", "script.yaml"),
    ],
)
def test_a_bad_script_is_a_configuration_error_with_file_and_key(tmp_path: Path, content: bytes, where: str) -> None:
    path = tmp_path / "script.yaml"
    path.write_bytes(content)
    with pytest.raises(ConfigError) as caught:
        load_script(path)
    assert caught.value.where.startswith(str(path))
    assert caught.value.where.endswith(where)
    assert "\n" not in str(caught.value) and "localagent." not in str(caught.value)


def test_a_script_that_is_not_there(tmp_path: Path) -> None:
    with pytest.raises(ConfigError, match="cannot be read"):
        load_script(tmp_path / "none.yaml")
    with pytest.raises(ConfigError, match="cannot be read"):
        load_script(tmp_path)
