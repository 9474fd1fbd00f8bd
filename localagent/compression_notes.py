"""What the user is told of a thread's summary, in their language: that it begins, what was asked for, what went wrong.

That more and more goes into it is no news: /context and /summary show it.
"""

from __future__ import annotations

from collections import deque

from localagent import bilingual_shown as say
from localagent.bilingual import Language, Phrase
from localagent.memory.base import Ledger, Thread
from localagent.spoken import language_in

MOST_NOTES = 20
# Of these messages the language is told from the user's last ones.
LATEST = 20


class CompressionNotes:
    """Lines that were not told yet. Any thread of the program may add some."""

    def __init__(self, ledger: Ledger) -> None:
        self._ledger = ledger
        self._notes: deque[str] = deque(maxlen=MOST_NOTES)
        self._trouble = ""

    def take(self) -> list[str]:
        """Each once."""
        told = []
        while self._notes:
            told.append(self._notes.popleft())
        return told

    def nothing(self, thread: Thread) -> None:
        self._notes.append(say.NOTHING_TO_SUMMARISE(self._language(thread)))

    def unusable(self, thread: Thread, messages: int) -> None:
        """What exactly was wrong with the model's answer stands in the version's note and in the records."""
        self.failed(thread, messages, say.UNUSABLE(self._language(thread)))

    def failed(self, thread: Thread, messages: int, why: str) -> None:
        self._wrong(thread, say.NOT_SUMMARISED_YET, why=why, count=f"{messages:,}", noun=_noun(messages))

    def trouble(self, thread: Thread, why: str) -> None:
        self._wrong(thread, say.NOT_SUMMARISED, why=why)

    def stored(self, thread: Thread, messages: int, before: int, after: int, *, news: bool) -> None:
        """So many messages went into a version of the summary, of which all had `before` tokens and has `after`.
        `news`: told also where nothing had gone wrong."""
        trouble, self._trouble = self._trouble, ""
        if trouble in self._notes:  # what was not told yet is settled
            self._notes.remove(trouble)
            trouble = ""
        if news or trouble:
            told = say.NOW_SUMMARISED if trouble else say.SUMMARISED
            count, language = f"{messages:,}", self._language(thread)
            self._notes.append(told(language, count=count, noun=_noun(messages), before=before, after=after))

    def _wrong(self, thread: Thread, what: Phrase, **values: object) -> None:
        """Once, until something goes well."""
        text = what(self._language(thread), **values)
        if text != self._trouble:
            self._trouble = text
            self._notes.append(text)

    def _language(self, thread: Thread) -> Language:
        return language_in(self._ledger.messages(thread.id, last=LATEST))


def _noun(messages: int) -> str:
    return "message" if messages == 1 else "messages"
