"""A process of its own that talks in a thread and compresses it, for tests that kill or crowd it. Not a test itself.

    compression_child.py FOLDER THREAD FIRST LAST

Says for each fact that was answered its number, a line each; compresses what it can.
"""

from __future__ import annotations

import os
import sys
from pathlib import Path

from compressing import Room, bundled_policies, chatting, configured


def main(folder: Path, thread_id: str, first: int, last: int) -> None:
    config = configured(summarizer="rules", summary_threshold_tokens=200, summary_tokens=8000)
    room = Room(folder, bundled_policies(folder), chatting(), config=config, memory=False, thread_id=thread_id)
    os.write(1, b"ready\n")
    for number in range(first, last):
        room.say(f"The server number {number} has the address 10.0.0.{number}.")
        os.write(1, f"{number}\n".encode())
    room.close()


if __name__ == "__main__":
    main(Path(sys.argv[1]), sys.argv[2], int(sys.argv[3]), int(sys.argv[4]))
