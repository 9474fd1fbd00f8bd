"""Texts that are judged in one writing of Chinese (`memory.characters`), and how they were written. Pure."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import replace

from localagent.memory.base import StoredMessage
from localagent.memory.characters import simplified
from localagent.messages import TextPart, ToolResultPart
from localagent.policy import Compressing, Said, SummarizationPolicy
from localagent.summary import SummaryItem
from localagent.withheld import withheld

# Of what is made of several passages, so many characters of one tell where they are from.
_PIECE = 2


class Writing:
    """Texts that are read in one writing, and how they were written: each is as long in both."""

    def __init__(self) -> None:
        self._written: dict[str, str] = {}
        self._differs = False

    def read(self, text: str) -> str:
        if text.isascii():
            return text
        found = simplified(text)
        self._written[found] = text
        self._differs = self._differs or found != text
        return found

    def message(self, stored: StoredMessage) -> StoredMessage:
        message = stored.message
        parts = tuple(
            replace(part, text=self.read(part.text)) if isinstance(part, TextPart | ToolResultPart) else part
            for part in message.parts
        )
        return stored if parts == message.parts else replace(stored, message=replace(message, parts=parts))

    def written(self, text: str) -> str:
        """A text that was read, a passage of one, or what was made of such passages, as it was written."""
        if not self._differs or text.isascii():
            return text
        whole = self._written.get(text)
        return whole if whole is not None else "".join(self._pieces(text))

    def _pieces(self, text: str) -> Iterable[str]:
        """Each as long as there is one."""
        at = 0
        while at < len(text):
            end, written = len(text), ""
            while end - at >= _PIECE and not written:
                written = self._passage(text[at:end])
                end -= not written
            yield written or text[at]
            at += len(written) or 1

    def _passage(self, text: str) -> str:
        """As the last one that has it was written; empty if none has."""
        for read, written in reversed(self._written.items()):
            if (at := read.find(text)) >= 0:
                return written[at : at + len(text)]
        return ""


def summarizing(policy: SummarizationPolicy) -> SummarizationPolicy:
    """A policy that reads one writing, for messages and items in any."""

    def made(given: Compressing) -> list[SummaryItem]:
        writing = Writing()
        read = replace(
            given,
            messages=[_said(one, writing) for one in given.messages],
            items=[_item(one, writing.read) for one in given.items],
            proposed=[_item(one, writing.read) for one in given.proposed],
            outdated={message_id: list(map(writing.read, texts)) for message_id, texts in given.outdated.items()},
            count=lambda text: given.count(writing.written(text)),
        )
        return [_item(one, writing.written) for one in policy(read)]

    return made


def left_out(
    items: Sequence[SummaryItem], said: Sequence[Said], outdated: Mapping[int, Sequence[str]]
) -> dict[int, list[str]]:
    """`withheld`, in the characters of the messages."""
    writing = Writing()
    read = {message_id: list(map(writing.read, texts)) for message_id, texts in outdated.items()}
    found = withheld([_item(one, writing.read) for one in items], [_said(one, writing) for one in said], read)
    return {message_id: list(map(writing.written, texts)) for message_id, texts in found.items()}


def _said(said: Said, writing: Writing) -> Said:
    return replace(said, text=writing.read(said.text))


def _item(item: SummaryItem, turned: Callable[[str], str]) -> SummaryItem:
    replaces = tuple((message_id, turned(sentence)) for message_id, sentence in item.replaces)
    return replace(item, text=turned(item.text), quote=turned(item.quote), replaces=replaces)
