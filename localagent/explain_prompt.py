"""A prompt record read back: which part of the request is what. Pure; takes records of every version, also damaged
ones: what they do not tell is empty."""

from __future__ import annotations

import html
import json
import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Literal, TypeAlias, cast, get_args

from localagent.recall_block import IN_PART_CORRECTED
from localagent.record import BlockName, CompressionRecord, RecallFate, RecallTrace

Record: TypeAlias = Mapping[str, object]

# What the id of an entry looks like, whole.
ENTRY_ID = re.compile(r"(?=.*\d)[0-9a-z]{16}")
BLOCKS: tuple[BlockName, ...] = get_args(BlockName)
_QUOTED = re.compile(r'<(wish|memory)((?: \w+="[^"]*")*)>\n(.*?)\n</\1>', re.DOTALL)
_ATTRIBUTE = re.compile(r'(\w+)="([^"]*)"')
# How the assembler keeps quoted text from closing its label, undone.
_MASKED = re.compile(r"&lt;(?=\s*/?\s*(?:summary|memor(?:y|ies)|wish(?:es)?|attachment|tool_result)\b)", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class Quoted:
    """An item of the recalled block as it stands in the prompt. `wish`: in every prompt, to be followed."""

    id: str
    note: str
    text: str
    wish: bool

    @property
    def corrected_by(self) -> str:
        """By what a part of it was corrected since, as its note quotes that; empty if it says nothing."""
        return self.note.partition(f"{IN_PART_CORRECTED}: ")[2]


@dataclass(frozen=True, slots=True)
class Sent:
    """A message of the prompt. `id` is the ledger's; None where several were sent as one."""

    role: str
    text: str
    block: Literal["recent", "request"]
    id: int | None


@dataclass(frozen=True)
class Prompt:
    """What a record says, each part under its name. `system` is the whole system message; `settings` is the request
    without its messages."""

    raw: Record
    id: str
    thread_id: str
    created_at: float
    tokens: int
    blocks: Mapping[str, int]
    recent_ids: tuple[int, ...]
    request_ids: tuple[int, ...]
    dropped_ids: tuple[int, ...]
    older: int
    recall_note: str
    shared: int | None
    summary_version: int
    summary_dropped: tuple[str, ...]
    system: str

    @cached_property
    def _sections(self) -> tuple[str, str, str, str]:
        """The system message's instructions, wishes, summary and memories, with their introductions. Read from the
        end: the labels of later sections cannot stand in the text of earlier ones that were quoted."""
        rest, starts = self.system, []
        for block, labels in (
            ("recalled", ("memories", "wishes")),
            ("summary", ("summary",)),
            ("recalled", ("wishes",)),
        ):
            if self.blocks.get(block, 0) > 0:
                for label in labels:  # older prompts have the wishes behind the memories
                    rest = _before(rest, label)
            starts.append(len(rest))
        memories, summary, wishes = starts
        return rest, self.system[wishes:summary], self.system[summary:memories], self.system[memories:]

    @property
    def instructions(self) -> str:
        return self._sections[0]

    @property
    def sections(self) -> Sequence[tuple[BlockName, str]]:
        """The system message by blocks, in its order and to the letter; those that are there."""
        blocks: tuple[BlockName, ...] = ("system", "recalled", "summary", "recalled")
        return [(block, text) for block, text in zip(blocks, self._sections, strict=True) if text]

    @cached_property
    def summary(self) -> tuple[str, ...]:
        """Its lines as they stand in the prompt, quoting undone."""
        section = self._sections[2]
        at = section.find("<summary>\n")
        text = section[at + len("<summary>\n") :].removesuffix("\n</summary>") if at >= 0 else ""
        return tuple(_plain(line) for line in text.split("\n") if line.strip())

    @cached_property
    def quoted(self) -> tuple[Quoted, ...]:
        found = []
        for label, attributes, text in _QUOTED.findall(self._sections[1] + self._sections[3]):
            named = {name: html.unescape(value) for name, value in _ATTRIBUTE.findall(attributes)}
            found.append(Quoted(named.get("id", ""), named.get("note", ""), _plain(text), label == "wish"))
        return tuple(found)

    @cached_property
    def messages(self) -> tuple[Sent, ...]:
        """Without the system message. Their ids are known where none were sent as one."""
        sent = [message for message in _messages(self.raw) if message.get("role") != "system"]
        ids = (*self.recent_ids, *self.request_ids)
        known: Sequence[int | None] = ids
        if len(ids) != len(sent):
            known = [*[None] * (len(sent) - 1), ids[-1] if ids else None][: len(sent)]
        asked = min(len(self.request_ids) or 1, len(sent)) if len(ids) == len(sent) else 1
        return tuple(
            Sent(str(message.get("role")), content(message), "recent" if at < len(sent) - asked else "request", one)
            for at, (message, one) in enumerate(zip(sent, known, strict=True))
        )

    @cached_property
    def traces(self) -> tuple[RecallTrace, ...]:
        return tuple(_trace(one) for one in _records(self.raw.get("recall")))

    @cached_property
    def settings(self) -> Record:
        request = self.raw.get("request")
        return {key: value for key, value in request.items() if key != "messages"} if isinstance(request, dict) else {}

    def trace_of(self, memory_id: str) -> RecallTrace | None:
        return next((trace for trace in self.traces if trace.id == memory_id), None)

    def holds_passages(self, item: Quoted) -> bool:
        """Whether it quotes pieces of earlier messages, not an entry."""
        if item.wish:
            return False
        return not ENTRY_ID.fullmatch(item.id) or any(
            one.block == item.id and one.kind == "message" for one in self.traces
        )

    def passage(self, item: Quoted, line: str) -> RecallTrace | None:
        """The candidate that a line of a quoted block of earlier messages is."""
        for trace in self.traces:
            begins = trace.text.strip().partition("\n")[0].removesuffix("…")
            if trace.block == item.id and trace.kind == "message" and begins and begins in line:
                return trace
        return None

    def segments(self) -> Iterator[tuple[str, Sent | None, str]]:
        """The prompt's texts in order: their block, the message (None in the system message), the text."""
        yield from ((block, None, text) for block, text in self.sections)
        yield from ((message.block, message, message.text) for message in self.messages)


def read_prompt(record: Record) -> Prompt:
    blocks = _records(record.get("blocks"))
    ids = {str(block.get("name")): _integers(block.get("message_ids")) for block in blocks}
    system = next((content(one) for one in _messages(record) if one.get("role") == "system"), "")
    return Prompt(
        raw=record,
        id=str(record.get("id", "")),
        thread_id=str(record.get("thread_id", "")),
        created_at=_number(record.get("created_at")),
        tokens=int(_number(record.get("tokens"))),
        blocks={str(block.get("name")): int(_number(block.get("tokens"))) for block in blocks},
        recent_ids=ids.get("recent", ()),
        request_ids=ids.get("request", ()),
        dropped_ids=_integers([one.get("message_id") for one in _records(record.get("dropped"))]),
        older=int(_number(record.get("older"))),
        recall_note=str(record.get("recall_note") or ""),
        shared=int(_number(record["shared"])) if record.get("shared") is not None else None,
        summary_version=int(_number(record.get("summary_version"))),
        summary_dropped=_texts(record.get("summary_dropped")),
        system=system,
    )


def read_compression(record: Record) -> CompressionRecord:
    """As it was written; the log has checked the fields that it always has."""
    numbers = {
        name: int(_number(record.get(name)))
        for name in (
            "version", "covers_from", "covers_to", "messages", "message_tokens", "tokens_before", "tokens_after",
        )
    }  # fmt: skip
    return CompressionRecord(
        id=str(record.get("id", "")),
        thread_id=str(record.get("thread_id", "")),
        created_at=_number(record.get("created_at")),
        **numbers,
        added=_texts(record.get("added")),
        left=_texts(record.get("left")),
        made_by=str(record.get("made_by", "")),
        seconds=_number(record.get("seconds")),
        note=str(record.get("note") or ""),
    )


def content(message: Record) -> str:
    """A message's text as each provider writes it; calls and what else it has as JSON behind it."""
    texts: list[str] = []
    rest = {key: value for key, value in message.items() if key not in ("role", "content", "parts")}
    given = message.get("content", message.get("parts"))
    for part in [given] if isinstance(given, str) else given if isinstance(given, list) else []:
        if isinstance(part, str):
            texts.append(part)
        elif isinstance(part, dict) and isinstance(part.get("text"), str):
            texts.append(part["text"])
        else:
            texts.append(json.dumps(part, ensure_ascii=False))
    if rest:
        texts.append(("\n" if texts else "") + json.dumps(rest, ensure_ascii=False))
    return "".join(texts)


def _before(text: str, label: str) -> str:
    """What stands before the section with this label, its introduction included in the section."""
    at = text.rfind(f"\n<{label}>\n")
    if at < 0 or not text.endswith(f"</{label}>"):
        return text
    return text[: max(text.rfind("\n\n", 0, at), 0)]


def _plain(text: str) -> str:
    return _MASKED.sub("<", text)


def _messages(record: Record) -> Sequence[Record]:
    request = record.get("request")
    return _records(request.get("messages")) if isinstance(request, dict) else ()


def _trace(record: Record) -> RecallTrace:
    message_id = record.get("message_id")
    return RecallTrace(
        id=str(record.get("id", "")),
        kind=str(record.get("kind", "")),
        text=str(record.get("text", "")),
        vector=_number(record.get("vector")),
        keyword=_number(record.get("keyword")),
        retention=_number(record.get("retention", 1.0)),
        score=_number(record.get("score")),
        fate=cast(RecallFate, str(record.get("fate", "used"))),
        note=str(record.get("note") or ""),
        block=str(record.get("block") or ""),
        thread_id=str(record.get("thread_id") or ""),
        message_id=message_id if isinstance(message_id, int) else None,
    )


def _records(value: object) -> list[Record]:
    return [one for one in value if isinstance(one, dict)] if isinstance(value, list | tuple) else []


def _integers(value: object) -> tuple[int, ...]:
    return tuple(one for one in value if isinstance(one, int)) if isinstance(value, list | tuple) else ()


def _texts(value: object) -> tuple[str, ...]:
    return tuple(str(one) for one in value) if isinstance(value, list | tuple) else ()


def _number(value: object) -> float:
    return value if isinstance(value, int | float) else 0
