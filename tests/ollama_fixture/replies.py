"""What a model of the test server does with one call of /api/chat or /api/embed."""

from __future__ import annotations

import json
import threading
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace
from typing import Any, Literal

Json = dict[str, Any]

# How the runner refuses a prompt that is too long: a JSON text inside the error's text.
NESTED_OVERFLOW = json.dumps(
    {
        "error": {
            "code": 400,
            "message": "request (5000 tokens) exceeds the available context size (4096 tokens), try increasing it",
            "type": "exceed_context_size_error",
            "n_prompt_tokens": 5000,
            "n_ctx": 4096,
        }
    }
)


@dataclass(frozen=True)
class Reply:
    """`messages`: one per streamed line. `last`: the message of the `done` line, or None for a stream without one.

    The answer waits for `gate` before line `gate_at` (0: before the first byte); a client that goes away ends the
    waiting. `end` says how it ends after the lines. `status`: refuse with that status and `error` as text. `embeddings`
    is what /api/embed answers in place of the model's own; it has no lines and needs nothing of the rest.
    """

    messages: Sequence[Json] = ()
    last: Json | None = field(default_factory=dict)
    done_reason: str = "stop"
    metrics: bool = True
    prompt_eval_count: int | None = None
    gate: threading.Event | None = None
    gate_at: int = 0
    end: Literal["well", "error", "socket", "line", "garbage"] = "well"
    error: str = ""
    status: int = 200
    raw: bytes | None = None
    embeddings: Any = None


Script = Reply | Callable[[Json], Reply]


def say(
    *pieces: str,
    last: str = "",
    done_reason: str = "stop",
    metrics: bool = True,
    prompt_eval_count: int | None = None,
) -> Reply:
    """Streams the pieces, a line each; `last` are words in the done line."""
    return Reply(
        [{"content": piece} for piece in pieces],
        {"content": last},
        done_reason=done_reason,
        metrics=metrics,
        prompt_eval_count=prompt_eval_count,
    )


def think(thought: str, *pieces: str, mixed: bool = False) -> Reply:
    """Thinking lines, then content; `mixed`: one line holds the thought and the first piece."""
    if mixed:
        return Reply([{"content": pieces[0], "thinking": thought}, *({"content": piece} for piece in pieces[1:])])
    return Reply([{"content": "", "thinking": thought}, *({"content": piece} for piece in pieces)])


def call(name: str, arguments: Json, *, index: int = 0, id: str = "") -> Json:
    """A tool call as the server sends it."""
    function = {"index": index, "name": name, "arguments": arguments}
    return {"id": id, "function": function} if id else {"function": function}


def tools_early(*calls: Json, words: str = "") -> Reply:
    """All calls in one line before the done line."""
    return Reply([{"content": words, "tool_calls": list(calls)}])


def tools_split(*calls: Json) -> Reply:
    """Each call in a line of its own."""
    return Reply([{"content": "", "tool_calls": [one]} for one in calls])


def tools_in_last_line(*calls: Json) -> Reply:
    return Reply([], {"content": "", "tool_calls": list(calls)})


def refuse(status: int, text: str = "", *, raw: bytes | None = None) -> Reply:
    """An error before any output. `raw` replaces the JSON body."""
    return Reply(status=status, error=text, raw=raw)


def vectors(embeddings: object = None) -> Reply:
    """For /api/embed: these, whatever they are, or the model's own."""
    return Reply(embeddings=embeddings)


def error_line(text: str, *pieces: str) -> Reply:
    """Some lines, then an error in the stream, whose status stays 200."""
    return replace(say(*pieces), end="error", error=text)


def break_off(*pieces: str) -> Reply:
    """Some lines, then the connection is cut; without pieces, before the headers."""
    return replace(say(*pieces), end="socket", last=None)


def cut_line(*pieces: str) -> Reply:
    """Some lines, then half a line, and a proper end of the stream."""
    return replace(say(*pieces), end="line", last=None)


def garbage(*pieces: str) -> Reply:
    """Some lines, then one that is no JSON."""
    return replace(say(*pieces), end="garbage", last=None)


def endless(*pieces: str) -> Reply:
    """The stream ends properly, but without a done line and without an error."""
    return replace(say(*pieces), last=None)


def hold(reply: Reply, gate: threading.Event, *, at: int = 0) -> Reply:
    """Wait for the gate before line `at`; 0 is before the first byte, headers included."""
    return replace(reply, gate=gate, gate_at=at)
