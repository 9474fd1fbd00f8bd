"""A process of its own that uses the entries of a ledger, for tests that kill or limit it. Not a test itself.

    memories_child.py JOB LEDGER [ARGUMENT ...]

Acknowledges on standard output, a line each, what the ledger has taken.
"""

from __future__ import annotations

import os
import sys
from pathlib import Path

from localagent.errors import StorageError
from localagent.memory.documents import Documents
from localagent.memory.entries import Add, NewMemory, Supersede
from localagent.memory.ledger import SqliteLedger
from localagent.memory.memories import SqliteMemories
from localagent.memory.passages import Passages
from localagent.memory.transfer import export_lines, import_lines


def say(line: str) -> None:
    os.write(1, f"{line}\n".encode())


def opened(path: Path) -> tuple[SqliteLedger, SqliteMemories]:
    ledger = SqliteLedger(path)
    return ledger, SqliteMemories(ledger.database, Passages(ledger.database, "default"))


def change_for_ever(path: Path, tag: str) -> None:
    """`+ ID TEXT` is there now, `- ID` is not. `? ID` before it is forgotten: from then on either may be."""
    say("begin")
    ledger, memories = opened(path)
    notes = path.with_name("notes.txt")
    number = 0
    while True:
        first = memories.write([Add(NewMemory("fact", f"{tag} fact {number} " + "long " * (number % 7) * 300))])[0]
        say(f"+ {first.id} {first.text.split('long')[0].strip()}")
        second = memories.write([Supersede(first.id, NewMemory("fact", f"{tag} 事实 {number} 改了"))])[0]
        say(f"+ {second.id} {second.text}")
        if number % 2:
            say(f"? {first.id}")
            memories.forget([first.id])
            say(f"- {first.id}")
        if number % 3 == 2:
            lines = [line.replace(f"{tag} ", f"{tag} again ") for line in export_lines(memories)]
            import_lines(memories, lines[-200:] if len(lines) < 200 else [lines[0], *lines[-199:]])
        if number % 3 == 1:
            notes.write_text("\n\n".join(f"{tag} {number} {part} " + "words " * 150 for part in range(9)), "utf-8")
            Documents(memories, ledger.database).ingest(notes)
        number += 1


def read_once(path: Path, message_id: str, text: str) -> None:
    """When told, say how many entries were written of a message that others read at the same time."""
    _, memories = opened(path)
    say("ready")
    sys.stdin.readline()
    say(str(len(memories.write([Add(NewMemory("fact", text))], read=int(message_id)))))


def write_until_refused(path: Path, limit: str) -> None:
    """With no file allowed to grow beyond `limit` bytes."""
    import resource
    import signal

    signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
    ledger, memories = opened(path)
    resource.setrlimit(resource.RLIMIT_FSIZE, (int(limit), int(limit)))
    number = 0
    try:
        while True:
            pair = [Add(NewMemory("fact", f"{number} {half} " + "word " * 900)) for half in ("left", "right")]
            memories.write(pair)
            number += 1
    except StorageError as error:
        say(f"{number}")
        say(str(error))
    ledger.close()


JOBS = {job.__name__: job for job in (change_for_ever, read_once, write_until_refused)}

if __name__ == "__main__":
    JOBS[sys.argv[1]](Path(sys.argv[2]), *sys.argv[3:])
