"""A stand-in for an Ollama server: real HTTP on loopback, with every habit of the real one that a client must know.

    def test_something(ollama_server):                     # fixture in tests/conftest.py
        ollama_server.add("tiny", context_length=8192)      # installed; knows "completion" and "tools"
        ollama_server.script("tiny", say("Os", "lo."), refuse(503, "server busy"))
        ...                                                 # a client, or a process, talks to ollama_server.url
        assert ollama_server.chats[-1]["messages"][-1]["content"] == "Weather in Oslo?"
        assert ollama_server.prompts[-1] == ["system words", "last words"]      # what survived the cutting

- `script(model, *replies)` queues what the next calls of /api/chat do; a model without a script answers `Hello.`.
  `fallback` of a model is what it does when its queue is empty. Replies are made by the functions in `replies`.
- A model with `capabilities=["embedding"]` answers /api/embed with what its `embed` makes of each text; its
  `embed_script` holds replies (`vectors`, `refuse`, `hold`) for the next calls.
- `models[name]` (a `FakeModel`) can be changed at any time; `registry[name]` can be pulled.
- `default_ctx` is the window of models that nobody set one for, 4096 as on a machine without a big GPU.
- `log` holds each exchange: method, path, headers, body, status, and `disconnected`, an Event that is set when the
  client went away before the answer was complete.
- `waiting` is set once an answer has come to its `hold`: the client is waiting, and may be interrupted.
- `all_closed` is set while no connection is open, once there was one.
- A token is a word, a punctuation mark or a CJK character. Prompts are cut as the real server cuts them.
- `forbidden = True`: 403 with an empty body, as when the Host or Origin is not allowed.
- `foreign = b"<html>..."`: the port belongs to something else, which answers everything with that page, and with
  `foreign_status`.
- `redirect = "http://..."`: it sends every request on to that address, with a 307.
- `silent = True`: it takes connections and never answers.
"""

from ollama_fixture.replies import (
    NESTED_OVERFLOW,
    Reply,
    break_off,
    call,
    cut_line,
    endless,
    error_line,
    garbage,
    hold,
    refuse,
    say,
    think,
    tools_early,
    tools_in_last_line,
    tools_split,
    vectors,
)
from ollama_fixture.server import FakeOllama
from ollama_fixture.state import FakeModel, count_words
from ollama_fixture.wire import Exchange

__all__ = [
    "NESTED_OVERFLOW",
    "Exchange",
    "FakeModel",
    "FakeOllama",
    "Reply",
    "break_off",
    "call",
    "count_words",
    "cut_line",
    "endless",
    "error_line",
    "garbage",
    "hold",
    "refuse",
    "say",
    "think",
    "tools_early",
    "tools_in_last_line",
    "tools_split",
    "vectors",
]
