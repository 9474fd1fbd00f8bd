"""The simplest thing that keeps the ledger's contract: what the real one is compared with."""

from __future__ import annotations

import unicodedata
from dataclasses import dataclass, field, replace

from localagent.errors import StorageError, UsageError
from localagent.memory.base import Status, StoredMessage, Thread
from localagent.messages import Message, new_id


@dataclass
class MemoryLedger:
    all_threads: dict[str, Thread] = field(default_factory=dict)  # the one written to last at the end
    stored: list[StoredMessage] = field(default_factory=list)
    calibrations: dict[str, tuple[float, ...]] = field(default_factory=dict)
    last_id: int = 0
    closed: bool = False

    def create_thread(self, agent: str, name: str = "", *, tenant: str = "default") -> Thread:
        thread = Thread(new_id(), agent, self._free_name(agent, name) if name else "", "", 0.0, 0.0, 0)
        self.all_threads[thread.id] = thread
        return thread

    def thread(self, thread_id: str) -> Thread | None:
        return self.all_threads.get(thread_id)

    def find_thread(self, agent: str, key: str) -> Thread | None:
        key = unicodedata.normalize("NFC", key).strip()
        mine = [thread for thread in self.all_threads.values() if thread.agent == agent]
        for thread in mine:
            if key and thread.name == key:
                return thread
        fitting = [thread for thread in mine if len(key) >= 4 and thread.id.startswith(key.lower())]
        if len(fitting) > 1:
            raise UsageError("several")
        return fitting[0] if fitting else None

    def last_thread(self, agent: str) -> Thread | None:
        mine = self.threads(agent)
        return mine[0] if mine else None

    def threads(self, agent: str | None = None) -> list[Thread]:
        return [thread for thread in reversed(self.all_threads.values()) if agent in (None, thread.agent)]

    def rename_thread(self, thread_id: str, name: str) -> None:
        MemoryLedger()._free_name("", name)  # whether it is a name at all
        thread = self._existing(thread_id)
        others = MemoryLedger({key: other for key, other in self.all_threads.items() if key != thread_id})
        self.all_threads[thread_id] = replace(thread, name=others._free_name(thread.agent, name))

    def delete_thread(self, thread_id: str) -> None:
        self.all_threads.pop(thread_id, None)
        self.stored = [message for message in self.stored if message.thread_id != thread_id]

    def append(
        self, thread_id: str, message: Message, *, status: Status = "complete", model: str = ""
    ) -> StoredMessage:
        self._existing(thread_id)
        self.last_id += 1
        stored = StoredMessage(self.last_id, thread_id, message, status, 0.0, model)
        self.stored.append(stored)
        self._written(thread_id)
        return stored

    def revise(self, stored: StoredMessage, message: Message, status: Status) -> StoredMessage:
        self._existing(stored.thread_id)
        revised = replace(stored, message=message, status=status)
        self.stored = [revised if old.id == stored.id else old for old in self.stored]
        self._written(stored.thread_id)
        return revised

    def messages(self, thread_id: str, *, last: int | None = None, undone: bool = False) -> list[StoredMessage]:
        found = [m for m in self.stored if m.thread_id == thread_id and (undone or m.status != "undone")]
        return found if last is None else found[max(0, len(found) - last) :]

    def undo(self, thread_id: str) -> list[StoredMessage]:
        present = self.messages(thread_id)
        asked = [message.id for message in present if message.message.role == "user"]
        if not asked:
            return []
        taken = [replace(message, status="undone") for message in present if message.id >= asked[-1]]
        by_id = {message.id: message for message in taken}
        self.stored = [by_id.get(message.id, message) for message in self.stored]
        self._written(thread_id)
        return taken

    def export(self, thread_id: str) -> dict[str, object]:
        thread = self._existing(thread_id)
        return {"id": thread.id, "messages": [{"id": m.id} for m in self.messages(thread_id, undone=True)]}

    def load(self, key: str) -> tuple[float, ...] | None:
        return self.calibrations.get(key)

    def save(self, key: str, values: tuple[float, ...]) -> None:
        self.calibrations[key] = tuple(values)

    def integrity(self) -> list[str]:
        return []

    def close(self) -> None:
        self.closed = True

    def _existing(self, thread_id: str) -> Thread:
        if thread_id not in self.all_threads:
            raise StorageError("gone")
        return self.all_threads[thread_id]

    def _free_name(self, agent: str, name: str) -> str:
        name = unicodedata.normalize("NFC", name).strip()
        bad = any(unicodedata.category(char) in ("Cc", "Cs", "Zl", "Zp") for char in name)
        if not name or bad or len(name) > 100 or name.startswith("-"):
            raise UsageError("not a name")
        if any(thread.agent == agent and thread.name == name for thread in self.all_threads.values()):
            raise UsageError("taken")
        return name

    def _written(self, thread_id: str) -> None:
        present = self.messages(thread_id)
        first = next((m.message.text for m in present if m.message.role == "user" and m.message.text.strip()), "")
        old = self.all_threads.pop(thread_id)
        title = (old.title or " ".join(first.split())[:60]) if first else ""
        self.all_threads[thread_id] = replace(old, messages=len(present), title=title)
