"""Prompt records as the log has them, made by hand: what a test names, and defaults for the rest."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence

from localagent.assembler import Assembled, Assembler, AssemblyInput, Budget, Recalled, SummaryLine
from localagent.events import Usage
from localagent.memory.base import StoredMessage
from localagent.messages import Message, assistant, user
from localagent.record import (
    CompressionRecord,
    PromptOutcome,
    PromptRecord,
    RecallTrace,
    compression_to_json,
    digest,
    outcome_to_json,
    record_to_json,
    shown_fates,
)

THREAD = "thread0000000001"


class ByWords:
    """Counts four characters as a token."""

    def count_text(self, text: str) -> int:
        return -(-len(text) // 4)


def said(number: int, text: str) -> StoredMessage:
    """Message `number` of the thread: odd ones are the user's."""
    message: Message = user(text) if number % 2 else assistant(text)
    return StoredMessage(number, THREAD, message, "complete", 1000.0 + number)


def entry(key: str, text: str, *, score: float = 1.0, wish: bool = False, pinned: bool = False) -> Recalled:
    return Recalled(key, text, score, "decision, 2026-03-01", pinned=pinned or wish, wish=wish)


def prompt_record(
    key: str,
    talk: Mapping[int, str],
    *,
    traces: Sequence[RecallTrace] = (),
    recalled: Sequence[Recalled] = (),
    summary: Sequence[str] = (),
    window: int = 8192,
    instructions: str = "You are a helpful assistant.",
    usage: Usage | None = None,
    ended_by: str | None = "stop",
    **changes: object,
) -> dict[str, object]:
    """The record of a prompt whose last message of `talk` is the request, assembled as the program does it, read back
    from its line of JSON."""
    messages = [said(number, text) for number, text in talk.items()]
    given = AssemblyInput(
        instructions,
        (messages[-1],),
        tuple(messages[:-1]),
        summary=tuple(SummaryLine(line, 1.0) for line in summary),
        recalled=tuple(recalled),
    )
    made: Assembled = Assembler(ByWords()).assemble(given, Budget(window=window, reserve=1024))
    body = {
        "model": "small",
        "messages": [{"role": one.role, "content": one.text} for one in made.messages],
        "options": {"temperature": 0.3, "num_ctx": window},
    }
    fields: dict[str, object] = {
        "id": key,
        "thread_id": THREAD,
        "created_at": 1_772_000_000.0 + messages[-1].id * 60,
        "provider": "ollama",
        "model": "small",
        "window": window,
        "reserve": 1024,
        "tool_tokens": 0,
        "budget": made.budget.prompt,
        "tokens": made.tokens,
        "exact": True,
        "blocks": made.blocks,
        "older": 0,
        "dropped": made.dropped,
        "digest": digest(body),  # type: ignore[arg-type]
        "request": body,
        "recall": shown_fates(traces, made.dropped_memories),
        "summary_dropped": made.summary_dropped,
        **changes,
    }
    record = record_to_json(PromptRecord(**fields))  # type: ignore[arg-type]
    if ended_by is not None:
        counted = usage or Usage(prompt_tokens=made.tokens, cached_tokens=made.tokens // 2, output_tokens=12)
        record["outcome"] = outcome_to_json(PromptOutcome(key, ended_by, counted, 0.004, 0.31, 1.7))
    return dict(json.loads(json.dumps(record)))


def compression(version: int, first: int, last: int, **changes: object) -> dict[str, object]:
    made = CompressionRecord(
        id=f"compression{version:05}",
        thread_id=THREAD,
        created_at=1_772_000_000.0 + last * 60 + 30,
        version=version,
        covers_from=first,
        covers_to=last,
        messages=last,
        message_tokens=1804,
        tokens_before=0 if version == 1 else 150,
        tokens_after=212,
        added=(),
        left=(),
        made_by="rules",
        seconds=0.4,
    )
    return dict(json.loads(json.dumps({**compression_to_json(made), **changes})))


def trace(key: str, text: str, **changes: object) -> RecallTrace:
    fields: dict[str, object] = {"kind": "decision", "vector": 0.5, "keyword": 0.4, "score": 0.6, "block": key}
    return RecallTrace(key, text=text, **(fields | changes))  # type: ignore[arg-type]


def long_thread(turns: int, *, told: int = 60) -> tuple[list[dict[str, object]], list[dict[str, object]]]:
    """The records of a thread of so many turns with all that can be in them, and its compressions: about `told` tokens
    a message; after every eighth turn the older half is summarised."""
    talk: dict[int, str] = {}
    records, compressions = [], []
    lines: list[str] = []
    version = 0
    for turn in range(turns):
        asked, answered = 2 * turn + 1, 2 * turn + 2
        words = "the ledger, the boiler and the printer " * (told // 10)
        talk[asked] = f"Question {turn + 1}: what about {words}? 第 {turn + 1} 个问题。"
        key = f"1m8nf69htx{turn:06}"
        memories = [
            trace(key[:15] + "a", f"We decided on port {5000 + turn}", score=0.71, vector=0.6, keyword=0.8),
            trace("1m8nf69htxwishes", "Keep answers under 200 words", kind="preference", fate="standing", score=0.0),
            trace(key[:15] + "b", "The boiler is serviced in May", fate="below threshold", score=0.31, block=""),
            trace(key[:15] + "c", "我喜欢绿茶", kind="preference", fate="double", note=key[:15] + "a", block=""),
        ]
        recalled = [
            entry("1m8nf69htxwishes", "Keep answers under 200 words", wish=True),
            entry(key[:15] + "a", f"We decided on port {5000 + turn}", score=0.71),
        ]
        ended = {5: "length", 11: "IncompleteAnswer"}.get(turn % 17, "stop") if turn else "stop"
        record = prompt_record(
            key,
            talk,
            traces=memories,
            recalled=recalled if turn % 3 else recalled[:1],
            summary=lines,
            summary_version=version,
            ended_by=ended if turn % 23 != 22 else None,
            shared=None if turn == 0 else 400 + 10 * (turn % 40),
        )
        records.append(record)
        talk[answered] = f"Answer {turn + 1}. " + "It is as you said. " * (told // 5)
        if turn % 8 == 7:
            gone = sorted(talk)[: len(talk) // 2]
            version += 1
            new = [f"- decision: port {5000 + turn}", f"- 事实：第 {turn + 1} 个问题问到锅炉"]
            compressions.append(
                compression(version, gone[0], gone[-1], added=new, left=lines[:1] if version > 3 else [])
            )
            compressions[-1]["created_at"] = float(record["created_at"]) + 30  # type: ignore[arg-type]
            lines = (lines[1:] if version > 3 else lines) + new
            for number in gone:
                del talk[number]
    return records, compressions
