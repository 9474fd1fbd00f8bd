"""Prompt records on disk: durable, private, readable after a crash, shared by processes."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections.abc import Callable
from dataclasses import asdict, replace
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from localagent import trace
from localagent.errors import StorageError, UsageError
from localagent.events import Usage
from localagent.messages import new_id
from localagent.record import Block, Dropped, PromptOutcome, PromptRecord, digest
from localagent.trace import PromptFiles

posix = pytest.mark.skipif(sys.platform == "win32", reason="signals, limits and rights of POSIX")
ROOT = Path(__file__).parent.parent


def record(thread_id: str = "thread1", text: str = "你好", **changes: object) -> PromptRecord:
    body = {"messages": [{"role": "user", "content": text}], "options": {"num_ctx": 8192, "stop": []}}
    made = PromptRecord(
        id=new_id(),
        thread_id=thread_id,
        created_at=1_700_000_000.25,
        provider="scripted",
        model="qwen2.5:14b",
        window=8192,
        reserve=1024,
        tool_tokens=0,
        budget=7168,
        tokens=42,
        exact=False,
        blocks=(Block("system", 10), Block("request", 32, (7,))),
        older=2,
        dropped=(Dropped(3, "budget", 0), Dropped(4, "budget", 99)),
        digest=digest(body),
        request=body,
    )
    return replace(made, **changes)  # type: ignore[arg-type]


def outcome(of: PromptRecord, ended_by: str = "stop") -> PromptOutcome:
    return PromptOutcome(of.id, ended_by, Usage(prompt_tokens=42), 0.001, None, 1.5, warnings=("slow",))


def ids(records: list[trace.Record]) -> list[object]:
    return [found["id"] for found in records]


@pytest.fixture
def prompts(tmp_path: Path) -> PromptFiles:
    return PromptFiles(tmp_path / "提示 records" / "prompts")


def test_a_record_comes_back_whole_with_its_outcome(prompts: PromptFiles) -> None:
    first, second = record(), record(text="and now?")
    prompts.write(first)
    prompts.finish(outcome(first), "thread1")
    prompts.write(second)
    one, two = prompts.read("thread1")
    as_json = json.loads(json.dumps(asdict(first)))
    assert one == as_json | {"outcome": json.loads(json.dumps(asdict(outcome(first))))}
    assert two["id"] == second.id and "outcome" not in two
    assert digest(one["request"]) == one["digest"]  # type: ignore[arg-type]


def test_it_is_one_line_each_and_readable_by_people(prompts: PromptFiles) -> None:
    made = record(text="第一行\n第二行 \u2028 \x85")
    prompts.write(made)
    prompts.finish(outcome(made), "thread1")
    content = (prompts.folder / "thread1.jsonl").read_bytes()
    assert content.count(b"\n") == 2 and content.endswith(b"\n") and "第二行".encode() in content
    assert [json.loads(line)["type"] for line in content.splitlines()] == ["prompt", "outcome"]


@given(text=st.text(st.characters(exclude_categories=()), max_size=50))
@settings(max_examples=50, deadline=None)
def test_every_text_survives(tmp_path_factory: pytest.TempPathFactory, text: str) -> None:
    prompts = PromptFiles(tmp_path_factory.mktemp("prompts"))
    prompts.write(record(text=text))
    (found,) = prompts.read("thread1")
    assert digest(found["request"]) == found["digest"] == record(text=text).digest  # type: ignore[arg-type]
    assert prompts.damaged_lines("thread1") == 0


def test_the_digest_does_not_depend_on_order_but_on_content() -> None:
    assert digest({"a": 1, "b": ["é"]}) == digest({"b": ["é"], "a": 1})
    assert digest({"a": 1}) != digest({"a": 1.5}) != digest({"a": "1"})
    assert digest({}) == "44136fa355b3678a1146ad16f7e8649e94fb4fc21fe77e8310c060f61caaff8a"


def test_nothing_there(prompts: PromptFiles) -> None:
    assert prompts.read("thread1") == [] == prompts.list() == prompts.list("thread1")
    assert prompts.find(new_id()) is None
    prompts.delete_thread("thread1")
    assert not prompts.folder.exists()


@posix
@pytest.mark.parametrize("umask", [0o000, 0o277])
def test_only_the_owner_can_read_them(prompts: PromptFiles, umask: int) -> None:
    before = os.umask(umask)
    try:
        prompts.write(record())
    finally:
        os.umask(before)
    assert prompts.folder.stat().st_mode & 0o777 == 0o700
    assert {file.stat().st_mode & 0o777 for file in prompts.folder.iterdir()} == {0o600}


def test_what_an_agent_is_asked_in_a_thread_lies_beside_it_and_goes_with_it(prompts: PromptFiles) -> None:
    asked = prompts.asked(lambda: "thread-1", "desk")
    deeper = asked.asked(lambda: "inner", "reader")
    for number, log in enumerate((prompts, asked, deeper)):
        log.write(record(("thread-1", "inner", "innermost")[number], id=f"id{number:014}"))
    prompts.write(record("thread-10", id="other-thread-ids"))
    found = [prompts.find(f"id{number:014}") for number in range(3)]
    assert [one and one["thread_id"] for one in found] == ["thread-1", "thread-1.inner", "thread-1.inner.innermost"]
    assert [one and one["asked_by"] for one in found] == ["", "desk", "reader"]
    assert len(prompts.read("thread-1")) == len(asked.list("inner")) == len(deeper.list("innermost")) == 1
    prompts.delete_thread("thread-1")
    assert [one["id"] for one in prompts.list()] == ["other-thread-ids"]


@pytest.mark.parametrize("bad", ["", "..", "../x", "a/b", "a\\b", "a.b.c.d", "a.", ".a", "x" * 65, "a\n", "助手"])
def test_a_thread_id_is_no_path(prompts: PromptFiles, bad: str) -> None:
    calls: list[Callable[[], object]] = [
        lambda: prompts.write(record(bad)),
        lambda: prompts.read(bad),
        lambda: prompts.list(bad),
        lambda: prompts.delete_thread(bad),
    ]
    for call in calls:
        with pytest.raises(UsageError):
            call()


def test_newest_first_over_all_threads(prompts: PromptFiles) -> None:
    made = [record(f"thread{n % 3}", created_at=1_700_000_000.0 + n) for n in range(12)]
    for each in made:
        prompts.write(each)
    newest = [each.id for each in reversed(made)]
    assert ids(prompts.list()) == newest
    assert ids(prompts.list(limit=5)) == newest[:5]
    assert ids(prompts.list("thread1", limit=2)) == [made[10].id, made[7].id]
    assert prompts.list(limit=0) == [] == prompts.list("thread1", limit=-1)


def test_threads_that_can_not_matter_are_not_read(prompts: PromptFiles, monkeypatch: pytest.MonkeyPatch) -> None:
    for number in range(5):
        prompts.write(record(f"thread{number}", created_at=1_700_000_000.0 + 100 * number))
        os.utime(prompts.folder / f"thread{number}.jsonl", (1_700_000_001 + 100 * number,) * 2)
    opened: list[str] = []
    original = Path.open

    def watched(path: Path, *args: object) -> object:
        opened.append(path.name)
        return original(path, *args)  # type: ignore[call-overload]

    monkeypatch.setattr(Path, "open", watched)
    assert [found["thread_id"] for found in prompts.list(limit=1)] == ["thread4"]
    assert {name.split(".")[0] for name in opened} == {"thread4"}


def test_a_record_is_found_by_its_id_or_the_beginning_of_it(prompts: PromptFiles) -> None:
    one, two = record("t1", id="1m8mv0bqc1frz5y9"), record("t2", id="1m8mv0bqzzzzzzzz")
    for made in (one, two):
        prompts.write(made)
        prompts.finish(outcome(made), made.thread_id)
    for key in (one.id, one.id[:9], f" {one.id.upper()} "):
        found = prompts.find(key)
        assert found is not None and found["id"] == one.id and "outcome" in found
    with pytest.raises(UsageError):
        prompts.find("1m8mv0bq")
    assert prompts.find("1m8") is None and prompts.find("zzzz") is None and prompts.find("caf\udce9") is None


def test_deleting_a_thread_leaves_the_others(prompts: PromptFiles) -> None:
    small = PromptFiles(prompts.folder, max_bytes=100)
    for _ in range(3):
        small.write(record("t1"))
        small.write(record("t2"))
    small.delete_thread("t1")
    small.delete_thread("t1")
    assert small.read("t1") == [] and len(small.read("t2")) == 3
    assert not list(small.folder.glob("t1*"))


def test_rotation_keeps_the_newest_and_reading_spans_the_parts(prompts: PromptFiles) -> None:
    small = PromptFiles(prompts.folder, max_bytes=2_400)
    made = [record(text=f"number {number}") for number in range(20)]
    for each in made:
        small.write(each)
        small.finish(outcome(each), "thread1")
    parts = sorted(small.folder.glob("thread1*"))
    assert [part.name for part in parts] == ["thread1.jsonl", *(f"thread1.jsonl.{n}" for n in (1, 2, 3))]
    assert all(part.stat().st_size <= 2_400 for part in parts)
    found = small.read("thread1")
    assert len(found) >= 6
    assert ids(found) == [each.id for each in made[-len(found) :]]
    assert all("outcome" in each for each in found)  # also where its line is in the next part
    assert ids(small.list(limit=20)) == ids(found)[::-1]


def test_a_record_longer_than_a_part_has_one_of_its_own(prompts: PromptFiles) -> None:
    small = PromptFiles(prompts.folder, max_bytes=1_000)
    made = [record(text="短" * length) for length in (1, 400_000, 2)]
    for each in made:
        small.write(each)
    assert ids(small.read("thread1")) == [each.id for each in made]


@pytest.mark.parametrize(
    "rubbish",
    [
        b'{"type":"prompt","id":"x","te',
        b"\xff\xfe\x00 garbage\n",
        b"[1, 2]\n",
        b'{"type":"prompt"}\n',
        b"[" * 100_000 + b"\n",
        b'{"type":"prompt","id":7}\n',
        b'{"type":"prompt","id":"x","created_at":"yesterday"}\n',
        b'{"type":"outcome","id":"x"}\n',
    ],
)
def test_a_damaged_line_is_skipped_and_counted(prompts: PromptFiles, rubbish: bytes) -> None:
    before, after = record(), record()
    prompts.write(before)
    with (prompts.folder / "thread1.jsonl").open("ab") as file:
        file.write(rubbish)
    assert ids(prompts.read("thread1")) == [before.id]
    prompts.write(after)  # a crash in the middle of a line does not spoil the next one
    assert ids(prompts.read("thread1")) == [before.id, after.id]
    assert prompts.damaged_lines("thread1") == 1
    assert prompts.find(after.id) is not None


def test_lines_of_a_later_version_are_left_out(prompts: PromptFiles) -> None:
    prompts.write(record())
    with (prompts.folder / "thread1.jsonl").open("ab") as file:
        file.write(b'{"type":"dream","id":"x"}\n\n')
    assert len(prompts.read("thread1")) == 1 and prompts.damaged_lines("thread1") == 0


@given(lines=st.lists(st.integers(0, 40), max_size=12), block=st.integers(1, 50), ended=st.booleans())
@settings(deadline=None)
def test_reading_backwards_finds_every_line(
    tmp_path_factory: pytest.TempPathFactory, lines: list[int], block: int, ended: bool
) -> None:
    path = tmp_path_factory.mktemp("lines") / "f"
    written = [bytes([65 + number % 26]) * length for number, length in enumerate(lines)]
    path.write_bytes(b"\n".join(written) + (b"\n" if ended else b""))
    with pytest.MonkeyPatch.context() as patch, path.open("rb") as file:
        patch.setattr(trace, "_BLOCK", block)
        found = [line for line in trace._backwards(file) if line]
    assert found[::-1] == [line for line in written if line]


CHILD = """
import signal, sys
from pathlib import Path
sys.path.insert(0, sys.argv[4])
import test_trace
from localagent.errors import StorageError
from localagent.trace import PromptFiles
prompts = PromptFiles(Path(sys.argv[1]), max_bytes=int(sys.argv[3]))
limit = int(sys.argv[5])
if limit:
    import resource
    signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
    resource.setrlimit(resource.RLIMIT_FSIZE, (limit, limit))
try:
    for number in range(int(sys.argv[2])):
        made = test_trace.record(text="x" * (number % 7 * 300))
        prompts.write(made)
        prompts.finish(test_trace.outcome(made), "thread1")
        print(made.id, flush=True)
except StorageError as error:
    print(error)
"""


def child(prompts: PromptFiles, count: int, max_bytes: int, limit: int = 0) -> subprocess.Popen[str]:
    arguments = [str(prompts.folder), str(count), str(max_bytes), str(ROOT / "tests"), str(limit)]
    return subprocess.Popen(
        [sys.executable, "-c", CHILD, *arguments],
        cwd=ROOT,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        encoding="utf-8",
        env={**os.environ, "PYTHONPATH": str(ROOT), "PYTHONUTF8": "1"},
    )


def test_processes_write_to_one_thread_while_another_reads(prompts: PromptFiles) -> None:
    # They fill more than one part and fewer than four: nothing is old enough to be dropped.
    writers = [child(prompts, 40, 90_000) for _ in range(3)]
    seen: set[object] = set()
    while any(writer.poll() is None for writer in writers):
        found = ids(prompts.read("thread1"))
        assert len(found) == len(set(found)) and seen <= set(found)
        seen = set(found)
    written = []
    for writer in writers:
        output, errors = writer.communicate()
        assert errors == ""
        written += output.split()
    assert len(written) == 120
    found = prompts.read("thread1")
    assert sorted(ids(found)) == sorted(written)  # type: ignore[type-var]
    assert all("outcome" in each for each in found) and prompts.damaged_lines("thread1") == 0
    assert (prompts.folder / "thread1.jsonl.1").exists()


@posix
def test_kill_9_loses_nothing_that_was_written(prompts: PromptFiles) -> None:
    written = []
    for turn in range(6):
        with child(prompts, 10_000, 10_000_000) as writer:
            assert writer.stdout is not None and writer.stderr is not None
            lines = [writer.stdout.readline() for _ in range(3 + 5 * turn)]
            writer.kill()
            written += [line.strip() for line in lines + writer.stdout.readlines() if line.endswith("\n")]
            writer.stderr.read()
    prompts.write(record())
    assert set(written) <= set(ids(prompts.read("thread1")))


@posix
def test_a_full_disk_is_named_and_spoils_nothing(prompts: PromptFiles) -> None:
    output, errors = child(prompts, 1_000, 10_000_000, limit=40_000).communicate()
    assert errors == ""
    *written, message = output.splitlines()
    assert "thread1.jsonl" in message and "ulimit" in message
    found = ids(prompts.read("thread1"))
    assert found[: len(written)] == written and len(found) - len(written) in (0, 1)
    assert prompts.damaged_lines("thread1") == 0  # the half line was taken back
    made = record()
    prompts.write(made)
    assert prompts.find(made.id) is not None


def test_a_lock_that_stays_is_one_clear_error(prompts: PromptFiles, monkeypatch: pytest.MonkeyPatch) -> None:
    prompts.write(record())
    monkeypatch.setattr(trace, "LOCK_PATIENCE_S", 0)
    other = PromptFiles(prompts.folder)
    with other._locked(), pytest.raises(StorageError, match="another program"):
        prompts.write(record())
    prompts.write(record())
    assert len(prompts.read("thread1")) == 2


def test_a_folder_in_the_place_of_a_file(prompts: PromptFiles) -> None:
    (prompts.folder / "thread1.jsonl").mkdir(parents=True)
    for call in (lambda: prompts.write(record()), lambda: prompts.read("thread1"), lambda: prompts.find(new_id())):
        with pytest.raises(StorageError, match=r"thread1\.jsonl|prompts"):
            call()


READER = """
import os, sys
from pathlib import Path
from localagent.trace import PromptFiles
if os.getuid() == 0:
    os.setgroups([]); os.setgid(65534); os.setuid(65534)
print(len(PromptFiles(Path(sys.argv[1])).read("thread1")))
"""


@posix
def test_records_can_be_read_where_nothing_can_be_written() -> None:
    import tempfile

    with tempfile.TemporaryDirectory() as folder:
        prompts = PromptFiles(Path(folder))
        prompts.write(record())
        for path in prompts.folder.iterdir():
            path.chmod(0o444)
        prompts.folder.chmod(0o555)
        done = subprocess.run(
            [sys.executable, "-c", READER, folder],
            env={**os.environ, "PYTHONPATH": str(ROOT)},
            capture_output=True,
            text=True,
            check=True,
        )
        prompts.folder.chmod(0o755)
    assert done.stdout == "1\n"
