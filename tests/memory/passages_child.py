"""A process that brings passages up to date, for tests with several. Not a test itself.

    passages_child.py LEDGER

Waits for a line, then works until nothing is left. Says how many messages it has done, and which were taken back.
"""

from __future__ import annotations

import sys
from pathlib import Path

from localagent.memory.ledger import SqliteLedger
from localagent.memory.passages import Passages

if __name__ == "__main__":
    ledger = SqliteLedger(Path(sys.argv[1]))
    passages = Passages(ledger.database, "default")
    undone: list[int] = []
    print("ready", flush=True)
    sys.stdin.readline()
    done = 0
    while count := passages.take_changed(7, lambda connection, message_id: undone.append(message_id)):
        done += count
    ledger.close()
    print(done, *undone, flush=True)
