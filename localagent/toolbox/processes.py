"""Commands, with all that they start: nothing of it outlives the call.

What belongs to a command is found in three ways, since a process may leave any one of them: its process group, its
descendants, and a mark in the environment that is handed down (so that on Linux neither `setsid` nor a parent that has
ended helps). Where there is no /proc, as on macOS, the mark cannot be read; on Windows `taskkill /T` ends the
descendants.
"""

from __future__ import annotations

import contextlib
import os
import re
import secrets
import signal
import subprocess
import sys
import threading
import time
from collections import deque
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import IO, NamedTuple

from localagent.abort import AbortSignal

MARK = "LOCALAGENT_CALL"
MOST_BYTES = 200_000
# A program that is told to stop has so long to clean up before it is killed.
TERM_S = 0.25
KILL_ROUNDS = 50
# Once all writers are gone the rest of the output is there.
READ_S = 0.5
# Variables with such words in their name are for the user alone, what a model runs could send them anywhere: these
# anywhere in it (MYPASS), or where a word ends (API_KEY; GIT_AUTHOR_NAME is none).
_SECRET = re.compile(
    r"PASS|PWD|CRED|SECRET|TOKEN|COOKIE|SESSION|WEBHOOK|PRIVATE|"
    r"(KEY|AUTH|DSN|JWT)S?([_-]|$)|AUTHORI[SZ]ATION|(^|[_-])(PATS?|BEARER)([_-]|$)",
    re.IGNORECASE,
)
_NO_SECRET = {"OLDPWD", "PWD", "TOKENIZERS_PARALLELISM"}
# An address with a name or a password in it, a connection string with one, a private key: whatever the name says.
_SECRET_VALUE = re.compile(
    r"://[^/\s@]+@|-----BEGIN [A-Z ]*PRIVATE KEY-----|"
    r"(^|;)\s*(AccountKey|SharedAccessKey|SharedAccessSignature|Password|Pwd)\s*=",
    re.IGNORECASE,
)
_AT_START = {"BASH_ENV", "ENV"}  # files that a shell runs first


@dataclass(frozen=True, slots=True)
class Finished:
    """`code`: the exit code, negative for a signal; None if it was stopped. `output`: both streams as they came;
    `left_out` are the bytes that were cut from its middle. `killed`: processes it had left running."""

    code: int | None
    output: str
    left_out: int = 0
    killed: int = 0


def run_command(
    command: Sequence[str],
    *,
    folder: Path,
    variables: Mapping[str, str],
    abort: AbortSignal,
    most_bytes: int = MOST_BYTES,
) -> Finished:
    """Run a program without input until it ends or the signal is set. Raises ValueError if it cannot be started."""
    abort.raise_if_aborted()
    mark = secrets.token_hex(16)
    process = _start(command, folder, {**variables, MARK: mark})
    assert process.stdout is not None
    output = _Output(most_bytes)
    reader = threading.Thread(target=output.read, args=(process.stdout,), daemon=True)
    reader.start()
    ended = threading.Event()
    waiter = threading.Thread(target=_wait, args=(process, ended), daemon=True)
    waiter.start()
    detach = abort.on_abort(ended.set)
    try:
        ended.wait()
        stopped = waiter.is_alive() and abort.aborted
    finally:
        detach()
        killed = end_tree(process.pid, mark)
        code = process.wait()
    reader.join(READ_S)
    text, left_out = output.text()
    return Finished(None if stopped else code, text, left_out, 0 if stopped else killed)


def without_secrets(variables: Mapping[str, str]) -> dict[str, str]:
    """The environment for what a model runs: no keys, tokens, passwords or sessions by their names, no addresses with a
    name or a password, no private keys, none of localagent's own."""
    return {
        name: value
        for name, value in variables.items()
        if (name in _NO_SECRET or not _SECRET.search(name))
        and not _SECRET_VALUE.search(value)
        and not name.upper().startswith("LOCALAGENT_")
        and name not in _AT_START
    }


def _start(command: Sequence[str], folder: Path, variables: Mapping[str, str]) -> subprocess.Popen[bytes]:
    try:
        if sys.platform == "win32":
            return subprocess.Popen(
                list(command),
                cwd=folder,
                env=dict(variables),
                stdin=subprocess.DEVNULL,
                stdout=subprocess.PIPE,
                stderr=subprocess.STDOUT,
                creationflags=subprocess.CREATE_NEW_PROCESS_GROUP | subprocess.CREATE_NO_WINDOW,
            )
        return subprocess.Popen(
            [encoded(word) for word in command],
            cwd=folder,
            env={encoded(name): encoded(value) for name, value in variables.items()},
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            bufsize=0,
            start_new_session=True,
        )
    except (OSError, ValueError) as error:  # ValueError: a NUL
        reason = getattr(error, "strerror", None) or str(error)
        raise ValueError(f"The command could not be started: {reason}.") from error


def encoded(text: str) -> bytes:
    """As UTF-8 whatever the locale: in the C locale Python refuses all but ASCII."""
    return text.encode("utf-8", "surrogateescape")


def _wait(process: subprocess.Popen[bytes], ended: threading.Event) -> None:
    """Until it has ended. Where the system can, it stays a zombie: its group's number is not given to others."""
    if hasattr(os, "waitid"):
        with contextlib.suppress(ChildProcessError):
            os.waitid(os.P_PID, process.pid, os.WEXITED | os.WNOWAIT)
    else:
        process.wait()
    ended.set()


class _Output:
    """What is written to a pipe: its first and its last bytes."""

    def __init__(self, most_bytes: int) -> None:
        self._half = max(most_bytes // 2, 1)
        self._lock = threading.Lock()
        self._head = b""
        self._tail: deque[bytes] = deque()
        self._kept = 0  # bytes of the tail
        self._dropped = 0

    def read(self, pipe: IO[bytes]) -> None:
        with contextlib.suppress(OSError, ValueError), pipe:
            while piece := os.read(pipe.fileno(), 65536):
                self._add(piece)

    def _add(self, piece: bytes) -> None:
        with self._lock:
            room = self._half - len(self._head)
            if room > 0:
                self._head += piece[:room]
                piece = piece[room:]
            if piece:
                self._tail.append(piece)
                self._kept += len(piece)
            while self._tail and self._kept - len(self._tail[0]) >= self._half:
                gone = len(self._tail.popleft())
                self._kept -= gone
                self._dropped += gone

    def text(self) -> tuple[str, int]:
        with self._lock:
            head, tail, dropped = self._head, b"".join(self._tail), self._dropped
        over = max(len(tail) - self._half, 0) if dropped else 0
        tail, dropped = tail[over:], dropped + over
        if not dropped:
            return _decoded(head + tail), 0
        cut = f"\n[… {dropped:,} bytes left out …]\n"
        return head.decode("utf-8", "ignore") + cut + tail.decode("utf-8", "replace").lstrip("\ufffd"), dropped


def _decoded(output: bytes) -> str:
    if sys.platform == "win32":  # where many programs write in the code page of the console
        with contextlib.suppress(UnicodeDecodeError):
            return output.decode("utf-8")
        return output.decode("oem", "replace")
    return output.decode("utf-8", "replace")


def end_tree(pid: int, mark: str) -> int:
    """End a process and all that belongs to it; returns how many were still there. `pid` leads a session of its own and
    is not yet reaped; -1: it is gone, what it started is found by `MARK=mark` in its environment."""
    if sys.platform == "win32":
        subprocess.run(
            ["taskkill", "/PID", str(pid), "/T", "/F"], stdin=subprocess.DEVNULL, capture_output=True, check=False
        )
        return 0
    known: dict[int, _Process] = {}
    found = _members(pid, mark, known)
    count = len(found)
    _signal(found, signal.SIGTERM)
    until = time.monotonic() + TERM_S
    while found and time.monotonic() < until:
        time.sleep(0.01)
        found = _members(pid, mark, known)
    for _ in range(KILL_ROUNDS):  # it may start others meanwhile
        if not found:
            break
        _signal(found, signal.SIGKILL)
        time.sleep(0.01)
        found = _members(pid, mark, known)
    return count


def _signal(pids: Sequence[int], number: signal.Signals) -> None:
    for pid in pids:
        with contextlib.suppress(ProcessLookupError, PermissionError):
            os.kill(pid, number)


class _Process(NamedTuple):
    """`runs`: it is no zombie. `start`: when it began; with its number this is what no other process has."""

    pid: int
    parent: int
    group: int
    runs: bool
    start: bytes


def _members(root: int, mark: str, known: dict[int, _Process]) -> Sequence[int]:
    """The processes of a command that still run. `known` are those that were found before, added to: their children
    belong to it even if they themselves have ended since."""
    marked = f"{MARK}={mark}".encode("ascii")
    table = {process.pid: process for process in _processes()}
    for process in table.values():
        if root in (process.pid, process.group) or _has(process.pid, marked):
            known[process.pid] = process
    grown = True
    while grown:
        more = {pid: one for pid, one in table.items() if one.parent in known and pid not in known}
        known.update(more)
        grown = bool(more)
    return [pid for pid, one in known.items() if pid in table and table[pid].start == one.start and table[pid].runs]


def _processes() -> Iterator[_Process]:
    if Path("/proc/self/stat").exists():
        for entry in os.scandir("/proc"):
            if entry.name.isdigit():
                with contextlib.suppress(OSError, ValueError, IndexError):
                    # The name, in brackets, may hold anything.
                    fields = Path(entry.path, "stat").read_bytes().rpartition(b")")[2].split()
                    runs = fields[0] not in (b"Z", b"X")
                    yield _Process(int(entry.name), int(fields[1]), int(fields[2]), runs, fields[19])
        return
    listed = subprocess.run(
        ["ps", "-axo", "pid=,ppid=,pgid=,stat=,lstart="], stdin=subprocess.DEVNULL, capture_output=True, check=False
    )
    for line in listed.stdout.splitlines():
        pid, parent, group, state, start = line.split(None, 4)
        yield _Process(int(pid), int(parent), int(group), not state.startswith(b"Z"), start)


def _has(pid: int, marked: bytes) -> bool:
    try:
        return marked in Path(f"/proc/{pid}/environ").read_bytes().split(b"\0")
    except OSError:  # another user's, or gone
        return False
