"""What the server's chunks mean: thinking, tool calls, errors, and a stream without an end."""

from __future__ import annotations

import contextlib
import json
from collections.abc import Iterator, Mapping, Sequence

import pytest
from hypothesis import given
from hypothesis import strategies as st

from localagent.abort import AbortSignal
from localagent.errors import ContextOverflow, IncompleteAnswer, InternalError, LocalAgentError, ModelError
from localagent.events import ModelEvent, ModelFinished, TextDelta, ThinkingDelta, ToolCallReady
from localagent.messages import (
    AttachmentPart,
    JsonObject,
    JsonValue,
    Message,
    ToolCallPart,
    assistant,
    system,
    tool_result,
    user,
)
from localagent.models.base import ChatRequest
from localagent.models.control import control_pattern
from localagent.models.llama_reply import NativeCall, Reply
from localagent.models.llama_request import RequestEncoder
from localagent.tool import ToolSpec


def play(*chunks: object) -> list[ModelEvent]:
    reply = Reply("model.gguf")
    events = [event for chunk in chunks for event in reply.read(json.dumps(chunk))]
    return [*events, *reply.finish(None)]


def delta(reason: str | None = None, **content: object) -> dict[str, object]:
    return {"choices": [{"index": 0, "finish_reason": reason, "delta": content}]}


def test_thinking_is_told_apart() -> None:
    events = play(delta(reasoning_content="想"), delta(content="Oslo"), delta("stop"))
    assert events[:2] == [ThinkingDelta("想"), TextDelta("Oslo")]
    assert isinstance(events[2], ModelFinished) and events[2].reason == "stop"


def test_tool_calls_arrive_whole_and_in_order() -> None:
    def piece(index: int, name: str = "", arguments: str = "", id: str = "") -> dict[str, object]:
        return delta(tool_calls=[{"index": index, "id": id, "function": {"name": name, "arguments": arguments}}])

    events = play(
        piece(0, "clock", '{"zo', "a"),
        piece(1, "list", "", "b"),
        piece(0, arguments='ne": "上海"}'),
        delta("tool_calls"),
    )
    assert events[:2] == [
        ToolCallReady(ToolCallPart("a", "clock", {"zone": "上海"})),
        ToolCallReady(ToolCallPart("b", "list", {})),
    ]
    assert isinstance(events[2], ModelFinished) and events[2].reason == "stop"


@pytest.mark.parametrize("arguments", ["{", "[1]", "3", "[" * 100_000])
def test_arguments_that_are_no_object(arguments: str) -> None:
    call = delta(tool_calls=[{"index": 0, "function": {"name": "clock", "arguments": arguments}}])
    with pytest.raises(ModelError, match="clock"):
        play(call, delta("tool_calls"))


def test_an_answer_without_an_end_is_incomplete() -> None:
    with pytest.raises(IncompleteAnswer):
        play(delta(content="half"))


def test_an_overflow_says_by_how_much() -> None:
    error = {"type": "exceed_context_size_error", "code": 400, "message": "m", "n_prompt_tokens": 90, "n_ctx": 50}
    with pytest.raises(ContextOverflow) as caught:
        play({"error": error})
    assert (caught.value.needed, caught.value.available) == (90, 50)


@pytest.mark.parametrize("error", [{"code": 500, "message": "out of memory"}, "out of memory", {"x": "out of memory"}])
def test_any_other_error_is_repeated(error: object) -> None:
    with pytest.raises(ModelError):
        play({"error": error})


@pytest.mark.parametrize("chunk", ["", "{", "[" * 100_000])
def test_a_chunk_that_is_no_json(chunk: str) -> None:
    with pytest.raises(ModelError, match="no JSON"):
        list(Reply("model.gguf").read(chunk))


class Unforeseen(Exception):
    """What no code of ours knows of."""


def test_what_the_native_call_raises_reaches_the_consumer_as_it_is(capfd: pytest.CaptureFixture[str]) -> None:
    def serve(call: NativeCall) -> None:
        call.receive("first")
        raise Unforeseen

    chunks = NativeCall(serve, "{}", has_tools=False).chunks(AbortSignal())
    assert next(chunks) == "first"
    with pytest.raises(Unforeseen):
        next(chunks)
    assert capfd.readouterr() == ("", "")


JSON = st.recursive(
    st.none() | st.booleans() | st.integers(-9, 9) | st.text(max_size=3),
    lambda inner: (
        st.lists(inner, max_size=2)
        | st.dictionaries(
            st.sampled_from(["choices", "delta", "usage", "timings", "error", "tool_calls", "function", "content"]),
            inner,
            max_size=3,
        )
    ),
    max_leaves=12,
)


@given(st.lists(JSON, max_size=3))
def test_only_our_errors_come_of_any_json(chunks: list[object]) -> None:
    try:
        play(*chunks)
    except LocalAgentError:
        return


# Requests

CALL = ToolCallPart("7", "clock", {"zone": "上海"})
TOOLS = (ToolSpec("clock", "The time.", {"type": "object", "properties": {}}),)


def messages_of(encoder: RequestEncoder, *messages: Message) -> list[JsonObject]:
    body = encoder.body(ChatRequest(messages))
    found = body["messages"]
    assert isinstance(found, list)
    return found


def test_tool_calls_and_results_are_sent_as_such_where_there_is_a_place() -> None:
    encoder = RequestEncoder("m", tools=True)
    sent = messages_of(encoder, assistant("", [CALL]), tool_result(CALL, "12:00"))
    assert sent[0]["tool_calls"] == [
        {"id": "7", "type": "function", "function": {"name": "clock", "arguments": '{"zone": "上海"}'}}
    ]
    assert sent[1] == {"role": "tool", "tool_call_id": "7", "name": "clock", "content": "12:00"}
    assert "clock" in str(encoder.body(ChatRequest((user("x"),), TOOLS))["tools"])


def test_and_as_text_where_there_is_none() -> None:
    sent = messages_of(RequestEncoder("m"), assistant("Let me see.", [CALL]), tool_result(CALL, "12:00"))
    assert sent == [
        {"role": "assistant", "content": 'Let me see.\nclock {"zone": "上海"}'},
        {"role": "user", "content": "12:00"},
    ]


CONTROLS = ("<end>", '<|"|>')


def texts_in(value: JsonValue) -> Iterator[str]:
    """Every text of a body, also within texts that are JSON themselves, as templates see them."""
    if isinstance(value, str):
        yield value
        with contextlib.suppress(ValueError):
            inner = json.loads(value)
            if not isinstance(inner, str):
                yield from texts_in(inner)
    elif isinstance(value, Mapping):
        for key, item in value.items():
            yield key
            yield from texts_in(item)
    elif isinstance(value, Sequence):
        for item in value:
            yield from texts_in(item)


@pytest.mark.parametrize("tools", [True, False])
@pytest.mark.parametrize("control", CONTROLS)
def test_control_tokens_are_split_wherever_they_stand(tools: bool, control: str) -> None:
    encoder = RequestEncoder("m", control_pattern(CONTROLS), tools=tools)
    call = ToolCallPart(f"1{control}", f"clock{control}", {f"zone{control}": [f"上海{control}", {"x": control}]})
    spec = ToolSpec(f"clock{control}", f"The time.{control}", {"enum": [control], control: {"default": control}})
    messages = (system(control), user(f"a{control}"), assistant("", [call]), tool_result(call, f"12{control}"))
    body = encoder.body(ChatRequest(messages, (spec,)))
    assert not [text for text in texts_in([body["messages"], body["tools"]]) if control in text]


def test_an_attachment_is_quoted_by_the_caller_or_refused() -> None:
    with pytest.raises(InternalError):
        messages_of(RequestEncoder("m"), user("Sum up.", [AttachmentPart("notes.txt", "one")]))


@pytest.mark.parametrize("think", [None, True, False, "high"])
def test_the_switch_of_thinking(think: bool | str | None) -> None:
    switch = RequestEncoder("m", think=think).body(ChatRequest((user("x"),))).get("chat_template_kwargs")
    assert (
        switch
        == {
            None: None,
            True: {"enable_thinking": True},
            False: {"enable_thinking": False},
            "high": {"enable_thinking": True, "reasoning_effort": "high"},
        }[think]
    )


@given(st.text("<end>|", max_size=20))
def test_no_control_token_survives(text: str) -> None:
    controls = ["<end>", "<", "<|end|>", "<e", "nd>"]
    clean = RequestEncoder("m", control_pattern(controls)).clean(text)
    assert not any(control in clean for control in controls if len(control) > 1)
    assert clean.replace(" ", "") == text


def test_loops_are_made_unlikely_where_that_was_asked_for_and_not_in_json() -> None:
    plain, schema = ChatRequest((user("x"),)), ChatRequest((user("x"),), schema={"type": "object"})
    small = RequestEncoder("m", against_loops=True)
    assert small.body(plain)["dry_multiplier"] == 0.8
    assert "dry_multiplier" not in small.body(schema)
    assert "dry_multiplier" not in RequestEncoder("m").body(plain)
