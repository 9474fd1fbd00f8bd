"""Prompt records on disk: one JSON line for a prompt, one for how its call ended, in a file per thread."""

from __future__ import annotations

import contextlib
import errno
import json
import os
import re
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import replace
from itertools import islice, pairwise
from pathlib import Path
from typing import BinaryIO, TypeAlias, cast

from localagent.errors import CANDIDATES, Ambiguous, StorageError, UsageError
from localagent.files import open_private, private_folder, storage_errors, sync_folder, try_lock
from localagent.record import (
    CompressionRecord,
    PromptOutcome,
    PromptRecord,
    TurnRecord,
    compression_to_json,
    outcome_to_json,
    record_to_json,
    turn_to_json,
)

Record: TypeAlias = Mapping[str, object]
Records: TypeAlias = list[Record]

OLDER_FILES = 3
ID_LENGTH = 16
SHORTEST_PREFIX = 4
# A writer holds the lock for milliseconds; longer means that it was stopped in the middle.
LOCK_PATIENCE_S = 10.0

# Of a thread, or of one in which another agent was asked, behind the names of those that it was asked in.
_THREAD_FILE = re.compile(r"([A-Za-z0-9_-]{1,64}(?:\.[A-Za-z0-9_-]{1,64}){0,2})\.jsonl(?:\.[1-9])?")
_BLOCK = 1 << 18
# Where the lock file cannot be opened, nobody else can rename the files either.
_UNWRITABLE = (errno.EACCES, errno.EPERM, errno.EROFS)
# File systems stamp a file by a coarser clock than ours.
_CLOCK_SLACK_S = 1.0

# What readers may rely on: fields and their types; a list is one of objects. `float` also takes whole numbers.
Shape: TypeAlias = "type | list[dict[str, type]]"
_SHAPES: dict[str, dict[str, Shape]] = {
    "prompt": {
        **dict.fromkeys(("id", "thread_id", "provider", "model", "digest"), str),
        **dict.fromkeys(("window", "reserve", "tool_tokens", "budget", "tokens"), int),
        "created_at": float,
        "exact": bool,
        "blocks": [{"name": str, "tokens": int, "message_ids": list}],
        "older": int,
        "dropped": [{"message_id": int, "reason": str, "tokens": int}],
        "request": dict,
    },
    "outcome": {"id": str, "ended_by": str, "usage": dict, "assemble_s": float, "total_s": float},
    "turn": {
        **dict.fromkeys(("id", "thread_id", "ended_by"), str),
        **dict.fromkeys(("message_id", "steps"), int),
        "created_at": float,
        "evaluations": [{"step": int, "mechanism": str, "name": str, "verdict": str, "reason": str, "ended": bool}],
        "calls": [{"step": int, "tool": str, "ran": bool, "is_error": bool, "seconds": float, "text": str}],
    },
    "compression": {
        **dict.fromkeys(("id", "thread_id", "made_by", "note"), str),
        **dict.fromkeys(("version", "covers_from", "covers_to", "messages"), int),
        **dict.fromkeys(("message_tokens", "tokens_before", "tokens_after"), int),
        "created_at": float,
        "added": list,
        "left": list,
        "seconds": float,
    },
}


class PromptFiles:
    """`PromptLog` in `folder`: `<thread>.jsonl`, and up to three older parts `.jsonl.1` (the newest of them) to `.3`.

    A part is closed before it grows beyond `max_bytes`; a single longer record has one of its own. Any number of
    processes may write. What a crash or a hand has damaged is skipped when reading; `damaged_lines` counts it.
    Raises StorageError.
    """

    def __init__(self, folder: Path, *, max_bytes: int = 16_000_000) -> None:
        self.folder = folder
        self._max_bytes = max_bytes

    def write(self, record: PromptRecord) -> None:
        """On the disk when it returns."""
        self._append(record.thread_id, _line("prompt", record_to_json(record)), durable=True)

    def finish(self, outcome: PromptOutcome, thread_id: str) -> None:
        self._append(thread_id, _line("outcome", outcome_to_json(outcome)), durable=False)

    def turn(self, record: TurnRecord) -> None:
        self._append(record.thread_id, _line("turn", turn_to_json(record)), durable=False)

    def compressed(self, record: CompressionRecord) -> None:
        self._append(record.thread_id, _line("compression", compression_to_json(record)), durable=False)

    def compressions(self, thread_id: str) -> Records:
        """When older messages of a thread were summarised, oldest first."""
        entries = (_parsed(line) for line in self._lines_newest_first(thread_id))
        return [entry for entry in entries if entry is not None and entry["type"] == "compression"][::-1]

    def read(self, thread_id: str) -> Records:
        """Every record of a thread, oldest first, its outcome under `outcome` (absent if the call never ended), its
        turn's under `turn`."""
        return list(self._newest_first(thread_id))[::-1]

    def list(self, thread_id: str | None = None, limit: int = 20) -> Records:
        """The newest `limit` records of a thread, or of all, newest first. Reads hardly more than these."""
        if thread_id is not None:
            return [*islice(self._newest_first(thread_id), max(0, limit))]
        found: Records = []
        for modified, thread in self._threads() if limit > 0 else ():
            if len(found) == limit and _created(found[-1]) > modified + _CLOCK_SLACK_S:
                break
            found += islice(self._newest_first(thread), limit)
            found = sorted(found, key=_created, reverse=True)[:limit]
        return found

    def find(self, key: str) -> Record | None:
        """The record with this id, or an id that begins so (4 characters or more). Ambiguous if several do."""
        key = key.strip().lower()
        if len(key) < SHORTEST_PREFIX:
            return None
        found: Records = []
        for _, thread in self._threads():
            found += self._newest_first(thread, key)
            if len(found) > CANDIDATES or (found and len(key) == ID_LENGTH):
                break
        if len(found) > 1:
            raise Ambiguous(f"several prompt records begin with {key}", [str(record["id"]) for record in found])
        return found[0] if found else None

    def damaged_lines(self, thread_id: str) -> int:
        """How many lines of a thread's files cannot be read."""
        return sum(1 for line in self._lines_newest_first(thread_id) if _parsed(line) is None)

    def delete_thread(self, thread_id: str) -> None:
        """Every record of a thread, and of what other agents were asked in it. One that has none is no error."""
        paths = self._paths(thread_id)
        if not self.folder.is_dir():
            return
        with storage_errors(self.folder, "delete prompt records"), self._locked():
            for path in (*paths, *self.folder.glob(f"{thread_id}.*.jsonl*")):
                path.unlink(missing_ok=True)

    def asked(self, above: Callable[[], str], by: str) -> AskedLog:
        """For the prompts of an agent that the agent `by` asks, in a turn of the thread that is `above` then."""
        return AskedLog(self, above, by)

    def _paths(self, thread_id: str) -> tuple[Path, ...]:
        """The newest part first."""
        name = f"{thread_id}.jsonl"
        if not _THREAD_FILE.fullmatch(name):
            raise UsageError(f"{thread_id!r} is not the id of a thread")
        return tuple(self.folder / f"{name}{suffix}" for suffix in ("", *(f".{n + 1}" for n in range(OLDER_FILES))))

    def _threads(self) -> Sequence[tuple[float, str]]:
        """When each thread's files were last written, and its id; the newest first."""
        newest: dict[str, float] = {}
        with storage_errors(self.folder, "read prompt records"), contextlib.suppress(FileNotFoundError):
            for path in self.folder.iterdir():
                match = _THREAD_FILE.fullmatch(path.name)
                if match:
                    with contextlib.suppress(FileNotFoundError):  # deleted or renamed meanwhile
                        newest[match[1]] = max(newest.get(match[1], 0.0), path.stat().st_mtime)
        return sorted(((modified, thread) for thread, modified in newest.items()), reverse=True)

    def _append(self, thread_id: str, line: bytes, *, durable: bool) -> None:
        paths = self._paths(thread_id)
        private_folder(self.folder)
        with storage_errors(paths[0], "write the prompt record"), self._locked():
            is_new = self._rotate(paths, len(line))
            descriptor = open_private(paths[0], os.O_RDWR | os.O_APPEND)
            try:
                _append_whole(descriptor, line)
                if durable:
                    os.fsync(descriptor)
                if is_new:
                    sync_folder(self.folder)
            finally:
                os.close(descriptor)

    def _rotate(self, paths: tuple[Path, ...], more: int) -> bool:
        """Whether the next line begins a new part."""
        try:
            size = paths[0].stat().st_size
        except FileNotFoundError:
            return True
        if size + more <= self._max_bytes:
            return size == 0  # one that somebody has made, and perhaps not lived to make durable
        # Windows does not rename what somebody is reading: then the part grows a little longer.
        with contextlib.suppress(PermissionError):
            for newer, older in reversed([*pairwise(paths)]):
                if newer.exists():
                    newer.replace(older)
        return True

    @contextlib.contextmanager
    def _locked(self) -> Iterator[None]:
        """Alone among the processes and threads that use this folder. The file stays; closing it lets go."""
        path = self.folder / ".lock"
        descriptor = open_private(path, os.O_RDWR)
        try:
            deadline = time.monotonic() + LOCK_PATIENCE_S
            while not try_lock(descriptor):
                if time.monotonic() > deadline:
                    raise StorageError(
                        f"another program has kept the prompt records locked for {LOCK_PATIENCE_S:g} s",
                        where=str(path),
                        hint="Continue or end the other localagent.",
                    )
                time.sleep(0.005)
            yield
        finally:
            os.close(descriptor)

    def _open_parts(self, thread_id: str, stack: contextlib.ExitStack) -> Sequence[BinaryIO]:
        """The newest first. Opened under the lock, they stay what they are when another process rotates them."""
        paths = self._paths(thread_id)
        if not self.folder.is_dir():
            return []
        files = []
        with contextlib.ExitStack() as lock:
            try:
                lock.enter_context(self._locked())
            except OSError as error:
                if error.errno not in _UNWRITABLE:
                    raise
            for path in paths:
                with contextlib.suppress(FileNotFoundError):
                    files.append(stack.enter_context(path.open("rb")))
        return files

    def _lines_newest_first(self, thread_id: str) -> Iterator[bytes]:
        with storage_errors(self.folder, "read prompt records"), contextlib.ExitStack() as stack:
            for file in self._open_parts(thread_id, stack):
                yield from (line for line in _backwards(file) if line.strip())

    def _newest_first(self, thread_id: str, id_prefix: str = "") -> Iterator[Record]:
        outcomes: dict[object, Record] = {}
        turns: dict[object, Record] = {}
        heads = (*(_head(kind, id_prefix) for kind in ("prompt", "outcome")), _head("turn"))
        for line in self._lines_newest_first(thread_id):
            # Lines of other records need not be parsed: each begins with its kind and id.
            entry = _parsed(line) if not id_prefix or line.startswith(heads) else None
            if entry is None:
                continue
            fields = {name: value for name, value in entry.items() if name != "type"}
            if entry["type"] == "outcome":
                outcomes.setdefault(entry["id"], fields)
            elif entry["type"] == "turn":
                turns.setdefault(entry["id"], fields)
            elif entry["type"] == "prompt":
                if entry["id"] in outcomes:
                    fields["outcome"] = outcomes.pop(entry["id"])
                if entry.get("turn_id") in turns:
                    fields["turn"] = turns[entry["turn_id"]]
                yield fields


class AskedLog:
    """`PromptLog` of an agent that another one asks. Its records lie beside those of the thread in which it was asked,
    by `name_of` its own, and go with them."""

    def __init__(self, files: PromptFiles, above: Callable[[], str], by: str) -> None:
        self._files = files
        self._above = above
        self._by = by

    def name_of(self, thread_id: str) -> str:
        return f"{self._above()}.{thread_id}"

    def asked(self, above: Callable[[], str], by: str) -> AskedLog:
        """As `PromptFiles.asked`, one level below."""
        return AskedLog(self._files, lambda: self.name_of(above()), by)

    def write(self, record: PromptRecord) -> None:
        self._files.write(replace(record, thread_id=self.name_of(record.thread_id), asked_by=self._by))

    def finish(self, outcome: PromptOutcome, thread_id: str) -> None:
        self._files.finish(outcome, self.name_of(thread_id))

    def turn(self, record: TurnRecord) -> None:
        self._files.turn(replace(record, thread_id=self.name_of(record.thread_id)))

    def compressed(self, record: CompressionRecord) -> None:
        self._files.compressed(replace(record, thread_id=self.name_of(record.thread_id)))

    def compressions(self, thread_id: str) -> Records:
        return self._files.compressions(self.name_of(thread_id))

    def list(self, thread_id: str | None = None, limit: int = 20) -> Records:
        return self._files.list(None if thread_id is None else self.name_of(thread_id), limit)


def _head(kind: str, record_id: str = "") -> bytes:
    return f'{{"type":"{kind}","id":"{record_id}'.encode("utf-8", "replace")


def _line(kind: str, fields: Mapping[str, object]) -> bytes:
    entry = {"type": kind, "id": fields["id"], **fields}
    try:
        line = json.dumps(entry, ensure_ascii=False, separators=(",", ":")).encode("utf-8")
    except UnicodeEncodeError:  # a lone surrogate: UTF-8 has none, an escape has
        line = json.dumps(entry, separators=(",", ":")).encode("ascii")
    return line + b"\n"


def _parsed(line: bytes) -> Record | None:
    """None for what is not a line of ours. What a later version adds is left in."""
    try:
        entry = json.loads(line)
    except (ValueError, RecursionError):
        return None
    if not isinstance(entry, dict) or not isinstance(entry.get("type"), str):
        return None
    shape = _SHAPES.get(entry["type"], {"id": str})
    return entry if all(_is_a(entry.get(name), kind) for name, kind in shape.items()) else None


def _is_a(value: object, kind: Shape) -> bool:
    if isinstance(kind, list):
        fields = kind[0]
        return isinstance(value, list) and all(
            isinstance(item, dict) and all(_is_a(item.get(name), inner) for name, inner in fields.items())
            for item in value
        )
    return isinstance(value, (int, float) if kind is float else kind)


def _created(record: Record) -> float:
    return cast("float", record["created_at"])


def _append_whole(descriptor: int, line: bytes) -> None:
    """Write a line at the end of a file, all of it or nothing."""
    size = os.fstat(descriptor).st_size
    if size:
        os.lseek(descriptor, size - 1, os.SEEK_SET)
        if os.read(descriptor, 1) != b"\n":  # a crash left half a line behind; it must not spoil ours
            line = b"\n" + line
    rest = memoryview(line)
    try:
        while rest:
            rest = rest[os.write(descriptor, rest) :]
    except OSError:
        with contextlib.suppress(OSError):
            os.ftruncate(descriptor, size)
        raise


def _backwards(file: BinaryIO) -> Iterator[bytes]:
    """The lines of a file, the last one first, without their line ends."""
    position = file.seek(0, os.SEEK_END)
    begun: list[bytes] = []  # pieces of the line that the last block cut, the last piece first
    while position > 0:
        size = min(_BLOCK, position)
        position -= size
        file.seek(position)
        first, *lines = file.read(size).split(b"\n")
        if lines:
            yield b"".join((lines[-1], *reversed(begun)))
            yield from reversed(lines[:-1])
            begun = [first]
        else:
            begun.append(first)
    yield b"".join(reversed(begun))
