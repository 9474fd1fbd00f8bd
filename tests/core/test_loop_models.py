"""The loop over an Ollama that calls tools in each of its ways, and over one whose model cannot."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from acting import ActingTalk, results_in
from ollama_fixture import FakeOllama
from ollama_fixture.replies import Reply, call, refuse, say, tools_early, tools_in_last_line, tools_split

from localagent.models.ollama import OllamaModel

Make = Callable[..., OllamaModel]


def weather(city: str) -> str:
    """The weather of a city."""
    return f"{city}: sunny"


@pytest.fixture
def talks(tmp_path: Path) -> Iterator[list[ActingTalk]]:
    made: list[ActingTalk] = []
    yield made
    for talk in made:
        talk.close()


@pytest.mark.parametrize("way", [tools_early, tools_split, tools_in_last_line])
def test_calls_in_each_way_that_ollama_sends_them(
    ollama_server: FakeOllama,
    make_ollama: Make,
    tmp_path: Path,
    talks: list[ActingTalk],
    way: Callable[..., Reply],
) -> None:
    both = way(call("weather", {"city": "Oslo"}), call("weather", {"city": "北京"}, index=1))
    model = make_ollama()
    model.describe()
    ollama_server.script("tiny", both, say("Sunny ", "in both."))
    talk = ActingTalk(tmp_path, model, weather)
    talks.append(talk)
    assert talk.ask("How is the weather?") == "Sunny in both."
    assert [results_in(m)[0] for m in talk.stored() if m.role == "tool"] == ["Oslo: sunny", "北京: sunny"]
    assert len({one.id for m in talk.stored() for one in m.tool_calls}) == 2
    chats = ollama_server.chats
    assert chats[0]["tools"][0]["function"]["name"] == "weather"
    assert [m["role"] for m in chats[1]["messages"]] == ["system", "user", "assistant", "tool", "tool"]


def test_a_model_whose_server_refuses_tools_is_asked_for_a_form(
    ollama_server: FakeOllama, make_ollama: Make, tmp_path: Path, talks: list[ActingTalk]
) -> None:
    form = '{"action": "call", "tool": "weather", "arguments": {"city": "Oslo"}}'
    refusal = refuse(400, '"tiny:latest" does not support tools')
    model = make_ollama()
    model.describe()
    answer = say('{"action": "answer", "te', 'xt": "Sun', 'ny."}')
    ollama_server.script("tiny", refusal, say(*form), answer, say('{"action": "answer", "text": "Hi."}'))
    talk = ActingTalk(tmp_path, model, weather)
    talks.append(talk)
    assert talk.ask("How is the weather?") == "Sunny." and talk.ask("Hi") == "Hi."
    chats = ollama_server.chats
    assert ["tools" in chat for chat in chats] == [True, False, False, False]
    assert all(chat["format"]["anyOf"] for chat in chats[1:])
    ways = [record["tools_by"] for record in talk.log.read(talk.talk.thread.id)]
    assert ways == ["native", "constrained", "constrained", "constrained"]
