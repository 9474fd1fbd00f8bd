"""What goes over the wire of the test server, and what is remembered of it."""

from __future__ import annotations

import json
import threading
from dataclasses import dataclass, field
from typing import Any

Json = dict[str, Any]
_CREATED = "2026-08-21T10:00:00.12345Z"
METRICS = {
    "total_duration": 812000000,
    "load_duration": 41000000,
    "prompt_eval_duration": 90000000,
    "eval_duration": 66000000,
}


@dataclass
class Exchange:
    """One request. `answered` is set when the answer is complete, `disconnected` when the client left before."""

    method: str
    path: str
    headers: dict[str, str]
    body: Any
    status: int = 0
    answered: threading.Event = field(default_factory=threading.Event)
    disconnected: threading.Event = field(default_factory=threading.Event)


def pull_lines() -> list[Json]:
    """A pull: a layer that grows and never quite reaches its total, and one that was there already."""
    one, two = "sha256:" + "9f" * 32, "sha256:" + "a1" * 32
    return [
        {"status": "pulling manifest"},
        {"status": "pulling 9f9f9f9f9f9f", "digest": one, "total": 1200},
        {"status": "pulling 9f9f9f9f9f9f", "digest": one, "total": 1200, "completed": 600},
        {"status": "pulling 9f9f9f9f9f9f", "digest": one, "total": 1200, "completed": 1190},
        {"status": "pulling a1a1a1a1a1a1", "digest": two, "total": 300, "completed": 300},
        {"status": "verifying sha256 digest"},
        {"status": "writing manifest"},
        {"status": "success"},
    ]


def go_json(value: Json) -> bytes:
    """As Go writes it: compact, UTF-8, with <, >, & and U+2028/9 escaped (but not U+0085)."""
    text = json.dumps(value, ensure_ascii=False, separators=(",", ":"))
    for character in "<>&\u2028\u2029":
        text = text.replace(character, f"\\u{ord(character):04x}")
    return text.encode("utf-8", "replace")


def chat_line(body: Json, message: Json, *, done_reason: str = "") -> Json:
    line: Json = {
        "model": body["model"],
        "created_at": _CREATED,
        "message": {"role": "assistant", "content": "", **message},
        "done": bool(done_reason),
    }
    return line | {"done_reason": done_reason} if done_reason else line
