"""What may go wrong around `ask`: one line, an exit code, and nothing lost. In processes of their own where it is the
process that meets it."""

from __future__ import annotations

import contextlib
import ctypes
import os
import random
import signal
import subprocess
import sys
import threading
from collections.abc import Callable, Iterator, Mapping
from itertools import pairwise
from pathlib import Path

import pytest
from memory_program import Here
from ollama_fixture import (
    FakeOllama,
    Reply,
    break_off,
    call,
    cut_line,
    endless,
    error_line,
    garbage,
    hold,
    refuse,
    say,
    tools_early,
)
from program import TALKING, Program, Result, scripted

from localagent.memory.ledger import SqliteLedger

Message = tuple[str, str, str]
SIMPLE = "{loop: true, steps: ['Hello, 你好。']}"
needs_posix = pytest.mark.skipif(sys.platform == "win32", reason="limits and signals of POSIX")


@pytest.fixture
def talking(tmp_path: Path) -> Here:
    return Here(tmp_path / "home", tmp_path, scripted(tmp_path, SIMPLE))


@pytest.fixture
def served(tmp_path: Path, ollama_server: FakeOllama) -> Here:
    """The program with a model of the test server, and no other."""
    ollama_server.add("tiny")
    model = {"LOCALAGENT_MODEL_PROVIDER": "ollama", "LOCALAGENT_MODEL_MODEL_NAME": "tiny"}
    model |= {"LOCALAGENT_MEMORY_EMBEDDER": "words"}
    return Here(tmp_path / "home", tmp_path, {"LOCALAGENT_MODEL_BASE_URL": ollama_server.url, **model})


def stored(program: Program) -> list[Message]:
    with contextlib.closing(SqliteLedger(program.home / "ledger.sqlite3")) as ledger:
        assert ledger.integrity() == []
        return [(m.message.role, m.message.text, m.status) for t in ledger.threads() for m in ledger.messages(t.id)]


def read_until(process: subprocess.Popen[bytes], wanted: bytes) -> None:
    """Wait until it has said so."""
    assert process.stdout is not None
    seen = b""
    while wanted not in seen:
        more = os.read(process.stdout.fileno(), 100)
        assert more, f"it ended after {seen!r}"
        seen += more


def complaints(result: Result) -> list[str]:
    """What stands on stderr beside the mark that the answer is not whole."""
    return result.err.splitlines()


@pytest.mark.parametrize(
    ("reply", "code", "kept", "word"),
    [
        (break_off(), 4, "", "connection broke"),
        (break_off("one ", "two "), 7, "one two ", "connection broke"),
        (endless("one ", "two"), 7, "one two", "ended before"),
        (cut_line("one "), 7, "one ", "middle of a line"),
        (garbage("one "), 8, "one ", "no JSON"),
        (error_line("CUDA out of memory", "one "), 8, "one ", "out of memory"),
        (refuse(502, raw=b"<html><h1>Bad gateway</h1></html>"), 4, "", "not Ollama"),
        (refuse(500, "the runner died"), 8, "", "runner died"),
        (say(""), 7, "", "empty answer"),
    ],
)
def test_a_server_that_fails(
    served: Here, ollama_server: FakeOllama, reply: Reply, code: int, kept: str, word: str
) -> None:
    ollama_server.script("tiny", reply)
    result = served("ask", "are you there?")
    assert result.code == code
    lines = complaints(result)
    assert len(lines) == 1 and lines[0].startswith("localagent: ") and word in lines[0]
    assert result.out.rstrip("\n") == kept.rstrip("\n")
    answer = [("assistant", kept, "incomplete")] if kept else []
    assert stored(served) == [("user", "are you there?", "complete"), *answer]
    assert served("ask", "and now?", "-c").code == 0


def test_a_tool_that_there_is_not_does_not_end_the_turn(served: Here, ollama_server: FakeOllama) -> None:
    ollama_server.script("tiny", tools_early(call("weather", {}), words="hm"), say("I cannot look it up."))
    result = served("ask", "how is the weather?")
    assert (result.code, result.out) == (0, "I cannot look it up.\n") and "hm\n" in result.err
    assert "weather(): There is no tool 'weather'" in result.err
    assert ollama_server.chats[-1]["messages"][-1]["role"] == "tool"


@pytest.mark.parametrize("at", [0, 2])
def test_a_server_that_hangs_is_left_at_the_deadline(served: Here, ollama_server: FakeOllama, at: int) -> None:
    """Before the first byte, and between two."""
    ollama_server.script("tiny", hold(say("one ", "two ", "three"), threading.Event(), at=at))
    result = served("ask", "hi", "--set", "limits.turn_timeout_s=1")
    assert result.code == 6
    lines = complaints(result)
    assert len(lines) == 1 and "limits.turn_timeout_s" in lines[0]
    answer = [("assistant", "one two ", "incomplete")] if at else []
    assert stored(served) == [("user", "hi", "complete"), *answer]


def test_a_server_that_never_says_a_word_is_left_at_the_deadline(served: Here, ollama_server: FakeOllama) -> None:
    ollama_server.silent = True
    result = served("ask", "hi", "--set", "limits.request_timeout_s=0.3")
    assert result.code == 6 and result.err.count("\n") == 1 and "limits.request_timeout_s" in result.err


@pytest.mark.parametrize(
    "content", [b"", b"<html>not a model</html>" * 50, b"GGUF" + b"\xff" * 5000, b"GGUF\x03\x00\x00\x00"]
)
def test_a_file_that_is_no_model(program: Here, content: bytes) -> None:
    path = program.folder / "odd.gguf"
    path.write_bytes(content)
    result = program("ask", "hi", "--model", str(path))
    assert result.code == 5 and result.out == "" and result.err.count("\n") == 1 and "odd.gguf" in result.err
    assert "GGUF" in result.err or "Fetch the file again" in result.err
    missing = program("ask", "hi", "--model", str(program.folder / "none.gguf"))
    assert missing.code == 5 and missing.err.count("\n") == 1 and "none.gguf" in missing.err


@pytest.mark.parametrize(
    ("content", "word"),
    [
        (b"agent:\n\tname: x\n", "agent.yaml:2"),
        (b"agent: {name: [", "agent.yaml:"),
        (b"\x00\x01\x02\xff\xfe" * 20, "agent.yaml"),
        (b"agent:\n  name: caf\xe9\n", "agent.yaml"),
        (b"agent:\n  model:\n    num_ctx: many\n", "agent.yaml:3"),
        (b"agent:\n  modle: {}\n", "model"),
        (b"agent:\n  model: {num_ctx: 512, max_output_tokens: 4096}\n", "max_output_tokens"),
        (b"- a\n- b\n", "agent.yaml"),
    ],
)
def test_a_broken_agent_file(talking: Here, content: bytes, word: str) -> None:
    (talking.folder / "agent.yaml").write_bytes(content)
    result = talking("ask", "hi", "--agent", str(talking.folder / "agent.yaml"))
    assert result.code == 3 and result.out == "" and result.err.count("\n") == 1 and word in result.err
    assert not talking("threads", "list", "--all", "--json", "--agent", ".").out.strip().startswith("[{")


def run_with(program: Here, before: Callable[[], None], *arguments: str) -> Result:
    """Run it in a process that was prepared by `before`."""
    done = subprocess.run(
        program.command(*arguments),
        env=program.environment(),
        cwd=program.folder,
        stdin=subprocess.DEVNULL,
        capture_output=True,
        timeout=60,
        preexec_fn=before,
    )
    assert b"Traceback" not in done.stderr and b"internal error" not in done.stderr, done.stderr
    return Result(done.returncode, done.stdout.decode(), done.stderr.decode())


@needs_posix
def test_a_full_disk(talking: Here) -> None:
    """A limit on the size of files stands for it: ledger and prompt records cannot grow."""
    import resource

    # What a home takes from its first question on, and some room for others.
    talking("ask", "hello")
    most = 100_000 + max(path.stat().st_size for path in talking.home.rglob("*") if path.is_file())

    def limit() -> None:
        resource.setrlimit(resource.RLIMIT_FSIZE, (most, most))

    answered: list[str] = []
    for number in range(30):
        question = f"{number} " + "words and words " * 700
        result = run_with(talking, limit, "ask", question, "-t", "full")
        if result.code != 0:
            break
        answered.append(question)
    assert answered and result.code == 10
    assert (result.err.count("localagent: ") == 1 and ".jsonl" in result.err) or "ledger" in result.err
    asked = [text for role, text, _ in stored(talking) if role == "user" and text != "hello"]
    assert asked[: len(answered)] == answered, "what was answered is kept"
    assert talking("ask", "and now?", "-t", "full").code == 0


@needs_posix
def test_a_home_that_is_read_only(talking: Here) -> None:
    def without_the_rights_of_root() -> None:
        if sys.platform == "linux" and os.geteuid() == 0:
            for capability in (1, 2, 3):  # to override modes, to read all, to be taken for the owner
                ctypes.CDLL(None).prctl(24, capability, 0, 0, 0)  # PR_CAPBSET_DROP

    talking("ask", "hi")
    folders = [talking.home, talking.home / "prompts"]
    for folder in folders:
        folder.chmod(0o500)
    (talking.home / "ledger.sqlite3").chmod(0o400)
    try:
        for arguments in (("ask", "hi"), ("ask", "hi", "--no-log"), ("threads", "list")):
            result = run_with(talking, without_the_rights_of_root, *arguments)
            assert result.code == 10 and result.out == "" and result.err.count("\n") == 1
            assert "LOCALAGENT_HOME" in result.err
    finally:
        for folder in folders:
            folder.chmod(0o700)
        (talking.home / "ledger.sqlite3").chmod(0o600)
    assert len(stored(talking)) == 2


def test_a_ledger_of_a_newer_version(talking: Here) -> None:
    import sqlite3

    talking("ask", "hi")
    with contextlib.closing(sqlite3.connect(talking.home / "ledger.sqlite3")) as connection:
        connection.execute("PRAGMA user_version = 99")
    for arguments in (["ask", "hi"], ["threads", "list"], ["prompts", "list"]):
        result = talking(*arguments)
        assert result.code == 10 and result.err.count("\n") == 1 and "newer localagent" in result.err


def test_several_programs_in_one_thread(tmp_path: Path) -> None:
    program = Here(
        tmp_path / "home", tmp_path, scripted(tmp_path, "{loop: true, steps: [{text: [a, b], piece_delay_s: 0.1}]}")
    )
    asked = ("ask", "--set", "memory.enabled=false", "-t", "同一个")
    running = [program.start(*asked, f"question {n}", stdin=subprocess.DEVNULL) for n in range(4)]
    assert [(*process.communicate(timeout=60), process.returncode) for process in running] == [(b"ab\n", b"", 0)] * 4
    messages = stored(program)
    assert sorted(text for role, text, _ in messages if role == "user") == [f"question {n}" for n in range(4)]
    assert [text for role, text, _ in messages if role == "assistant"] == ["ab"] * 4
    assert program("ask", "one more", "-t", "同一个").code == 0
    sent = program("prompts", "show", "--json").json()["request"]["messages"]
    assert all(a["role"] != b["role"] for a, b in pairwise(sent)), "roles alternate all the same"


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="needs /dev/full")
@pytest.mark.parametrize(
    "arguments", [("ask", "hi"), ("ask", "hi", "--json"), ("threads", "list"), ("--version",), ("config", "show")]
)
def test_output_that_can_not_be_written(talking: Here, arguments: tuple[str, ...]) -> None:
    talking("ask", "before", "-t", "one")
    with Path("/dev/full").open("wb") as full:
        done = subprocess.run(
            talking.command(*arguments),
            env=talking.environment(PYTHONUNBUFFERED="1" if "--json" in arguments else ""),
            cwd=talking.folder,
            stdin=subprocess.DEVNULL,
            stdout=full,
            stderr=subprocess.PIPE,
        )
    lines = done.stderr.decode().splitlines()
    assert done.returncode == 10 and len(lines) == 1 and "cannot write to standard output" in lines[0]
    if arguments == ("ask", "hi"):
        assert ("user", "hi", "complete") in stored(talking)


def test_errors_that_nobody_can_read_do_not_cost_the_answer(talking: Here) -> None:
    """A notice has to be written, and standard error is full."""
    (talking.folder / "agent.yaml").write_text("agent: {name: found}\n")
    assert talking("ask", "hi").err, "there is something to say"
    if Path("/dev/full").exists():
        with Path("/dev/full").open("wb") as full:
            done = subprocess.run(
                talking.command("ask", "hi"),
                env=talking.environment(),
                cwd=talking.folder,
                stdin=subprocess.DEVNULL,
                stdout=subprocess.PIPE,
                stderr=full,
            )
        assert (done.returncode, done.stdout.decode()) == (0, "Hello, 你好。\n")


def test_an_option_in_the_place_of_a_name_is_no_name(talking: Here) -> None:
    result = talking("ask", "hi", "--thread", "--json")
    assert result.code == 2 and "begin with a dash" in result.err


@pytest.mark.parametrize("name", ["🎉👨‍👩‍👧", "../../etc/passwd", "x" * 100, "e\u0301"])
def test_odd_names_of_threads(talking: Here, name: str) -> None:
    for _ in range(2):
        assert talking("ask", "hi", f"--thread={name}").code == 0
    assert talking("threads", "list", "--json").json()[0]["messages"] == 4
    assert talking("threads", "show", "--", name).code == 0
    assert talking("prompts", "list", f"--thread={name}", "--json").json()
    assert sorted(path.name for path in talking.folder.iterdir() if path.name not in ("config",)) == [
        "home",
        "script.yaml",
    ]
    assert talking("threads", "delete", "--yes", "--", name).code == 0
    assert talking("threads", "list", "--json").json() == []


@pytest.mark.parametrize(
    "name", ["", "  ", "a\nb", "a\x1b[31mb", "x" * 101, b"caf\xe9".decode("utf-8", "surrogateescape")]
)
def test_names_that_are_none(talking: Here, name: str) -> None:
    result = talking("ask", "hi", f"--thread={name}")
    assert result.code == 2 and result.out == "" and result.err.count("\n") == 1
    assert talking("threads", "list", "--json").json() == []


@pytest.mark.parametrize("name", ["助手", "a b/c", "🎉", "x" * 100])
def test_odd_names_of_agents(talking: Here, name: str) -> None:
    (talking.folder / "mine.yaml").write_text(f"agent: {{name: '{name}'}}\n", encoding="utf-8")
    for question in ("one", "two"):
        assert talking("ask", question, "-c", "--agent", "mine.yaml").code == 0
    threads = talking("threads", "list", "--agent", "mine.yaml", "--json").json()
    assert [(t["agent"], t["messages"]) for t in threads] == [(name, 4)]


@needs_posix
@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM])
@pytest.mark.parametrize("arguments", [("ask",), ("ask", "hi")])
def test_a_signal_while_standard_input_is_read(
    talking: Here, number: signal.Signals, arguments: tuple[str, ...]
) -> None:
    process = talking.start(*arguments)
    assert process.stdin is not None
    try:
        # Something must have been read before, so that it waits for the rest.
        process.stdin.write(b"x" * 1_000_000)
        process.stdin.flush()
        process.send_signal(number)
        assert process.wait(timeout=30) in (128 + number, -number)
    finally:
        process.kill()
        _, err = process.communicate()
    assert b"Traceback" not in err


@needs_posix
@pytest.mark.parametrize("numbers", [(signal.SIGINT, signal.SIGINT), (signal.SIGTERM, signal.SIGTERM)])
def test_two_signals_in_a_row_keep_what_was_there(tmp_path: Path, numbers: tuple[signal.Signals, ...]) -> None:
    program = Here(tmp_path / "home", tmp_path, scripted(tmp_path, "steps: [{text: ['one ', 'two'], hangs: true}]"))
    process = program.start("ask", "count", *TALKING, stdin=subprocess.DEVNULL)
    read_until(process, b"two")
    for number in numbers:
        process.send_signal(number)
    _, err = process.communicate(timeout=30)
    assert process.returncode == 128 + numbers[0] and b"Traceback" not in err
    assert stored(program) == [("user", "count", "complete"), ("assistant", "one two", "interrupted")]


@needs_posix
def test_kill_at_any_moment_loses_nothing_that_was_shown(tmp_path: Path) -> None:
    program = Here(
        tmp_path / "home",
        tmp_path,
        scripted(tmp_path, "{loop: true, steps: [{text: ['a ', 'b ', 'c'], piece_delay_s: 0.03}]}"),
    )
    program("ask", "first", "-t", "k")
    chance = random.Random(7)
    for number in range(5):
        process = program.start("ask", f"question {number}", "-t", "k", *TALKING, stdin=subprocess.DEVNULL)
        assert process.stdout is not None
        shown, stop = b"", chance.randrange(4)
        # Until so many pieces were seen; the rest of the time is the machine's own choice.
        while stop and shown.count(b" ") < stop and (more := os.read(process.stdout.fileno(), 1)):
            shown += more
        process.kill()
        shown += process.communicate()[0]
        messages = stored(program) if shown else []
        if shown:
            assert ("user", f"question {number}", "complete") in messages
        if shown.endswith(b"\n"):
            assert messages[-1] == ("assistant", "a b c", "complete")
    assert program("ask", "last", "-t", "k").out == "a b c\n"
    assert program("doctor").out.count("ok   ledger") == 1


def leaves(home: Path, *texts: str) -> list[Path]:
    """Files that hold one of the texts."""
    wanted = [text.encode() for text in texts]
    files = [path for path in home.rglob("*") if path.is_file()]
    return [path for path in files if any(text in path.read_bytes() for text in wanted)]


def test_no_log_never_writes_the_request_or_the_answer(tmp_path: Path) -> None:
    script = "{loop: true, steps: [{text: ['xyzzy ', 'answer'], hangs: true}]}"
    program = Here(tmp_path / "home", tmp_path, scripted(tmp_path, script))
    process = program.start("ask", "plugh", "--no-log", *TALKING)
    assert process.stdin is not None
    process.stdin.write(b"frobozz in a file")
    process.stdin.close()
    process.stdin = None
    read_until(process, b"answer")
    assert leaves(program.home, "plugh", "xyzzy", "frobozz") == [], "while it runs"
    process.kill()
    process.communicate()
    assert leaves(program.home, "plugh", "xyzzy", "frobozz") == [], "after it was killed"
    assert program("threads", "list", "--all", "--json").json() == []
    whole = Here(tmp_path / "home", tmp_path, scripted(tmp_path, "steps: [xyzzy]"))
    result = whole("ask", "plugh", "--no-log", "--json")
    assert result.json()["answer"] == "xyzzy" and result.json()["thread"] is None
    assert leaves(program.home, "plugh", "xyzzy") == []


def test_a_deleted_thread_leaves_nothing_in_the_files(talking: Here) -> None:
    talking("ask", "keep this", "-t", "kept")
    talking("ask", "plugh " * 300, "-t", "gone", stdin="frobozz " * 3000)
    assert leaves(talking.home, "plugh", "frobozz")
    with contextlib.closing(SqliteLedger(talking.home / "ledger.sqlite3")) as other:  # as a chat would, meanwhile
        assert other.threads()
        assert talking("threads", "delete", "gone", "--yes").code == 0
        assert leaves(talking.home, "plugh", "frobozz") == []
    assert leaves(talking.home, "keep this")


GUARD = """
import os, sys

def guard(event, arguments):
    if event == "socket.getaddrinfo":
        bad = arguments[0] not in (None, "localhost", "127.0.0.1", "::1")
    elif event in ("socket.connect", "socket.sendto"):
        bad = isinstance(arguments[1], tuple) and arguments[1][0] not in ("127.0.0.1", "::1")
    elif event == "socket.bind":
        bad = isinstance(arguments[1], tuple)
    else:
        return
    if bad:
        os.write(2, f"network: {event} {arguments[1:]}\\n".encode())
        os._exit(99)

sys.addaudithook(guard)
"""


@pytest.fixture
def guarded(tmp_path: Path) -> Iterator[Mapping[str, str]]:
    """Variables under which Python ends at once when it leaves this machine or opens a port."""
    folder = tmp_path / "guard"
    folder.mkdir()
    (folder / "sitecustomize.py").write_text(GUARD)
    yield {"PYTHONPATH": os.pathsep.join([str(folder), str(Path(__file__).parents[2])])}


def test_the_guard_guards(talking: Here, guarded: Mapping[str, str]) -> None:
    code = "import socket; socket.socket().connect(('192.0.2.1', 80))"
    environment = talking.environment(**guarded)
    assert subprocess.run([sys.executable, "-c", code], env=environment, capture_output=True).returncode == 99


@pytest.mark.parametrize(
    "arguments",
    [("ask", "hi"), ("ask", "hi", "--json"), ("threads", "list"), ("prompts", "list"), ("config", "check")],
)
def test_nothing_leaves_the_machine(talking: Here, guarded: Mapping[str, str], arguments: tuple[str, ...]) -> None:
    assert talking.real()(*arguments, **guarded).code == 0


def test_auto_asks_nobody_but_the_configured_address(
    served: Here, ollama_server: FakeOllama, guarded: Mapping[str, str]
) -> None:
    assert served.real()("ask", "hi", LOCALAGENT_MODEL_PROVIDER="auto", **guarded).code == 0
    for arguments in (["doctor"], ["models", "list"]):
        assert served.real()(*arguments, LOCALAGENT_MODEL_PROVIDER="auto", **guarded).code == 0
    assert ollama_server.log


def test_the_embedded_model_opens_no_port(program: Here, guarded: Mapping[str, str]) -> None:
    """Also below Python: the process has no TCP socket while it answers."""
    variables = {"LOCALAGENT_MODEL_PROVIDER": "embedded", "LOCALAGENT_MODEL_NUM_CTX": "512"}
    variables |= {"LOCALAGENT_MODEL_SEED": "1", "LOCALAGENT_MODEL_MAX_OUTPUT_TOKENS": "64"}
    small = Here(program.home, program.folder, {**variables, **guarded})
    process = small.start("ask", "Say hello.", "--model", str(built_in()), *TALKING, stdin=subprocess.DEVNULL)
    assert process.stdout is not None
    try:
        assert os.read(process.stdout.fileno(), 1), "it answers"
        if sys.platform == "linux":
            assert tcp_sockets(process.pid) == set()
    finally:
        _, err = process.communicate(timeout=60)
    assert process.returncode == 0, err


def built_in() -> Path:
    """The built-in model's file, from the folder LOCALAGENT_TEST_MODELS or the checkout's .cache (make test puts it
    there)."""
    cache = Path(__file__).parents[2] / ".cache" / "models"
    return next(Path(os.environ.get("LOCALAGENT_TEST_MODELS") or cache).glob("SmolLM2*.gguf"))


def tcp_sockets(pid: int) -> set[str]:
    """The inodes of a process's TCP sockets, listening or connected."""
    process = Path(f"/proc/{pid}")
    mine = set()
    for link in (process / "fd").iterdir():
        with contextlib.suppress(OSError):
            mine.add(str(link.readlink()))
    tables = [(process / "net" / name).read_text().splitlines()[1:] for name in ("tcp", "tcp6")]
    return {inode for table in tables for row in table if f"socket:[{(inode := row.split()[9])}]" in mine}
