"""A conversation over a real ledger, with the bundled rules."""

from __future__ import annotations

import datetime as dt
from pathlib import Path

from localagent.as_written import RememberAsWritten
from localagent.memory.base import StoredMessage, Thread
from localagent.memory.entries import Kind
from localagent.memory.ledger import SqliteLedger
from localagent.memory.memories import SqliteMemories
from localagent.memory.passages import Passages
from localagent.messages import Message, user
from localagent.policy import ImportancePolicy
from localagent.remember import Remember
from localagent.written import Written

# A Wednesday.
START = dt.datetime(2026, 3, 11, 10, 0).timestamp()


class Talk:
    """A conversation whose messages are looked through as they come."""

    def __init__(self, path: Path, rules: ImportancePolicy) -> None:
        self.time = START
        self.ledger = SqliteLedger(path, now=self.now)
        self.memories = SqliteMemories(self.ledger.database, Passages(self.ledger.database, "default"), now=self.now)
        self.remember: Remember = RememberAsWritten(self.memories, rules)
        self.thread = self.ledger.create_thread("a")

    def now(self) -> float:
        self.time += 1.0
        return self.time

    def later(self, days: float) -> None:
        self.time += days * 86_400

    def store(self, message: str | Message, thread: Thread | None = None) -> StoredMessage:
        made = user(message) if isinstance(message, str) else message
        return self.ledger.append((thread or self.thread).id, made)

    def say(self, *messages: str | Message, thread: Thread | None = None) -> Written:
        """What came of the last one."""
        written = Written()
        for message in messages:
            before = self.ledger.messages((thread or self.thread).id)
            written = self.remember.take(self.store(message, thread), before, thread or self.thread)
        return written

    def texts(self, *kinds: Kind) -> list[str]:
        """Of active entries, the oldest first."""
        return [memory.text for memory in reversed(self.memories.select()) if not kinds or memory.kind in kinds]
