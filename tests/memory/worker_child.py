"""A process of its own that writes, indexes, forgets or reindexes in a home, for tests that kill, limit or crowd it.
Not a test itself.

    worker_child.py JOB HOME [ARGUMENT ...]

Tells on standard output, a line each, what was done: `wrote TEXT`, `forgetting TEXT` and then `forgot TEXT`.
"""

from __future__ import annotations

import itertools
import os
import random
import sys
import time
from pathlib import Path

from worker_parts import Home, MoodyEmbedder

from localagent.abort import AbortSignal
from localagent.memory.finder import Finder
from localagent.memory.keywords import Keywords
from localagent.memory.reindex import rebuild, reindex
from localagent.memory.searching import Search
from localagent.messages import user


def say(line: str) -> None:
    os.write(1, f"{line}\n".encode())


ENGLISH = "lamp chair window river bridge market garden letter violin island winter engine castle forest".split()
CHINESE = "台灯 椅子 窗户 河流 大桥 市场 花园 信件 提琴 海岛 冬天 引擎 城堡 森林".split()


def text_of(tag: str, number: int) -> str:
    """With one word, the first, that no other text has; in English and in Chinese. The others differ: of many texts
    that are the same but for a word, an HNSW graph loses some."""
    chosen = random.Random(f"{tag} {number}").sample(range(len(ENGLISH)), 6)
    if number % 2:
        return f"{tag}n{number} has " + " and a ".join(ENGLISH[one] for one in chosen)
    return f"{tag}n{number} 有" + "，".join(CHINESE[one] for one in chosen)


def write(home: Home, text: str, thread_id: str = "") -> None:
    if thread_id:
        home.ledger.append(thread_id, user(text))
    else:
        home.write(text)
    say(f"wrote {text}")


def write_for_ever(home: Home, tag: str) -> None:
    """With a worker at work beside it."""
    thread = home.ledger.create_thread("a")
    worker = home.worker()
    worker.start()
    for number in itertools.count():
        write(home, text_of(tag, number), thread.id if number % 3 == 2 else "")
        worker.wake()


def index_for_ever(home: Home, tag: str) -> None:
    worker = home.worker()
    numbers = itertools.count()
    while True:
        for number in itertools.islice(numbers, 5):
            write(home, text_of(tag, number))
        worker.drain(AbortSignal())
        if home.index is not None and home.table.active() == home.row:
            rebuild(home.store, lambda done, total: None, AbortSignal())


def prune_for_ever(home: Home, tag: str) -> None:
    worker = home.worker()
    worker.start()
    numbers = itertools.count()
    while True:
        for number in itertools.islice(numbers, 4):
            write(home, text_of(tag, number))
        worker.wake()
        mine = [memory for memory in home.memories.select() if memory.text.startswith(f"{tag}n")]
        home.memories.archive([mine[0].id])
        say(f"forgetting {mine[1].text}")
        home.memories.forget([mine[1].id])
        say(f"forgot {mine[1].text}")
        home.memories.restore(mine[0].id)


def reindex_for_ever(home: Home, tag: str) -> None:
    for number in itertools.count():
        write(home, text_of(tag, number))
        raw = MoodyEmbedder("words:320" if number % 2 else "words")
        embedder = home.calibrated(raw)
        reindex(home.database, embedder, home.store_of, lambda done, total: None, AbortSignal())


def write_some(home: Home, tag: str, count: str) -> None:
    worker = home.worker()
    worker.start()
    for number in range(int(count)):
        write(home, text_of(tag, number))
        worker.wake()
    worker.drain(AbortSignal())


def recall_what_is_named(home: Home, tag: str) -> None:
    """For each line of standard input: is the memory with these words found now?"""
    worker = home.worker()
    worker.start()
    finder = Finder(
        home.passages,
        Keywords(home.database, "default"),
        lambda: home.store,
        lambda: home.embedder,
        lambda one, now: 1.0,
    )
    for line in sys.stdin:
        text = line.rstrip("\n")
        found = finder.find(Search(text), AbortSignal())
        passages = finder.passages([candidate.row for candidate in found.candidates])
        here = any(passage.text == text for passage in passages)
        say("found" if here and not found.degraded else f"lost {text} {found.degraded}")


def index_until_refused(home: Home, tag: str, limit: str) -> None:
    """With no file allowed to grow beyond `limit` bytes, until it may again."""
    import resource
    import signal

    clock = [time.time()]
    home.now = lambda: clock[0]
    signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
    _, most = resource.getrlimit(resource.RLIMIT_FSIZE)
    worker = home.worker()
    resource.setrlimit(resource.RLIMIT_FSIZE, (int(limit), most))
    for _ in range(10):
        progress = worker.drain(AbortSignal())
        clock[0] += 61
    say(f"finished {progress.finished}, told {len(home.said)}: {home.said[:1]}")
    resource.setrlimit(resource.RLIMIT_FSIZE, (most, most))
    progress = worker.drain(AbortSignal())
    say(f"finished {progress.finished}, failures {home.state().retrying + home.state().parked}")


JOBS = {
    job.__name__: job
    for job in (
        write_for_ever,
        index_for_ever,
        prune_for_ever,
        reindex_for_ever,
        write_some,
        recall_what_is_named,
        index_until_refused,
    )
}

if __name__ == "__main__":
    opened = Home(Path(sys.argv[2]), index=sys.argv[1] != "index_until_refused")
    say("ready")
    JOBS[sys.argv[1]](opened, *sys.argv[3:])
    opened.close()
