"""What every ledger does. Another implementation is one more row of LEDGERS."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from memory_ledger import MemoryLedger

from localagent.errors import StorageError, UsageError
from localagent.memory.ledger import SqliteLedger
from localagent.messages import (
    AttachmentPart,
    Message,
    TextPart,
    ToolCallPart,
    assistant,
    tool_result,
    user,
)

LEDGERS: dict[str, Callable[[Path], SqliteLedger | MemoryLedger]] = {
    "sqlite": lambda folder: SqliteLedger(folder / "ledger.sqlite3"),
    "memory": lambda folder: MemoryLedger(),
}


@pytest.fixture(params=LEDGERS.values(), ids=LEDGERS.keys())
def ledger(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[SqliteLedger]:
    made = request.param(tmp_path)
    yield made
    made.close()


def texts(ledger: SqliteLedger, thread_id: str) -> list[str]:
    return [stored.message.text for stored in ledger.messages(thread_id)]


def test_a_new_thread_is_empty_and_found_by_id(ledger: SqliteLedger) -> None:
    thread = ledger.create_thread("助手")
    assert (thread.agent, thread.name, thread.title, thread.messages) == ("助手", "", "", 0)
    assert ledger.thread(thread.id) == thread
    assert ledger.messages(thread.id) == []
    assert ledger.thread("0" * 16) is None


@pytest.mark.parametrize(
    "text", ["hello", "你好\n世界", "", "nul \x00 inside", "lone \udce9 surrogate", "\ud83d", "😀" * 9]
)
def test_every_text_comes_back_as_it_was(ledger: SqliteLedger, text: str) -> None:
    thread = ledger.create_thread("a")
    call = ToolCallPart("c1", "search", {"query": text, "n": [1, 2.5, None, True]})
    given = [
        user(text, [AttachmentPart("文件.txt", text)]),
        assistant(text, [call], thinking=text),
        tool_result(call, text, is_error=True),
        Message("system", (TextPart(text), TextPart("more"))),
    ]
    for message in given:
        ledger.append(thread.id, message)
    assert [stored.message for stored in ledger.messages(thread.id)] == given


def test_a_message_of_two_megabytes(ledger: SqliteLedger) -> None:
    thread = ledger.create_thread("a")
    text = "长话 and long words " * 100_000
    ledger.append(thread.id, user(text))
    assert texts(ledger, thread.id) == [text]


def test_ids_grow_over_the_whole_ledger_and_are_never_given_twice(ledger: SqliteLedger) -> None:
    one, two = ledger.create_thread("a"), ledger.create_thread("a")
    ids = [ledger.append(thread.id, user("x")).id for thread in (one, two, one)]
    ledger.delete_thread(one.id)
    ids.append(ledger.append(two.id, user("x")).id)
    assert ids == sorted(set(ids))


def test_status_and_model_are_kept(ledger: SqliteLedger) -> None:
    thread = ledger.create_thread("a")
    stored = ledger.append(thread.id, assistant("half an ans"), status="interrupted", model="qwen2.5:14b")
    assert ledger.messages(thread.id) == [stored]
    assert (stored.status, stored.model) == ("interrupted", "qwen2.5:14b")


def test_last_gives_the_newest_in_order(ledger: SqliteLedger) -> None:
    thread, other = ledger.create_thread("a"), ledger.create_thread("a")
    for number in range(10):
        ledger.append(thread.id, user(str(number)))
        ledger.append(other.id, user("other"))
    assert [stored.message.text for stored in ledger.messages(thread.id, last=3)] == ["7", "8", "9"]
    assert ledger.messages(thread.id, last=0) == []
    assert len(ledger.messages(thread.id, last=99)) == 10


def test_undo_takes_back_the_last_request_and_what_followed(ledger: SqliteLedger) -> None:
    thread = ledger.create_thread("a")
    for message in (user("one"), assistant("1"), user("two"), assistant("2"), assistant("2b")):
        ledger.append(thread.id, message)
    taken = ledger.undo(thread.id)
    assert [(stored.message.text, stored.status) for stored in taken] == [(t, "undone") for t in ("two", "2", "2b")]
    assert texts(ledger, thread.id) == ["one", "1"]
    assert len(ledger.messages(thread.id, undone=True)) == 5
    found = ledger.thread(thread.id)
    assert found is not None and found.messages == 2
    ledger.append(thread.id, user("three"))
    assert texts(ledger, thread.id) == ["one", "1", "three"]
    assert [stored.message.text for stored in ledger.messages(thread.id, last=2)] == ["1", "three"]


def test_undo_of_nothing(ledger: SqliteLedger) -> None:
    thread = ledger.create_thread("a")
    ledger.append(thread.id, assistant("a greeting"))
    assert list(ledger.undo(thread.id)) == []
    assert list(ledger.undo("no such thread")) == []
    assert texts(ledger, thread.id) == ["a greeting"]


def test_the_title_is_the_start_of_the_first_request(ledger: SqliteLedger) -> None:
    thread = ledger.create_thread("a")
    ledger.append(thread.id, assistant("a greeting"))
    ledger.append(thread.id, user("  How do I\nsort a list? "))
    ledger.append(thread.id, user("and a tuple?"))
    assert [thread.title for thread in ledger.threads()] == ["How do I sort a list?"]
    ledger.undo(thread.id)
    ledger.undo(thread.id)
    assert [thread.title for thread in ledger.threads()] == [""]
    ledger.append(thread.id, user("怎么排序？"))
    assert [thread.title for thread in ledger.threads()] == ["怎么排序？"]


def test_the_thread_written_to_last_comes_first(ledger: SqliteLedger) -> None:
    one, two, three = (ledger.create_thread(agent) for agent in "aab")
    assert [thread.id for thread in ledger.threads()] == [three.id, two.id, one.id]
    ledger.append(one.id, user("x"))
    assert [thread.id for thread in ledger.threads("a")] == [one.id, two.id]
    last = ledger.last_thread("a")
    assert last is not None and last.id == one.id
    ledger.rename_thread(two.id, "renamed")
    last = ledger.last_thread("a")
    assert last is not None and last.id == one.id
    assert ledger.last_thread("nobody") is None


def test_names_are_unique_within_an_agent(ledger: SqliteLedger) -> None:
    one = ledger.create_thread("a", " 计划 ")
    assert one.name == "计划"
    with pytest.raises(UsageError, match=r"计划|taken"):
        ledger.create_thread("a", "计划")
    other = ledger.create_thread("b", "计划")
    two = ledger.create_thread("a", "Plan")
    ledger.create_thread("a", "plan")  # another one
    with pytest.raises(UsageError):
        ledger.rename_thread(two.id, "plan")
    ledger.rename_thread(two.id, "Plan")
    ledger.rename_thread(two.id, "Café")
    with pytest.raises(UsageError):
        ledger.create_thread("a", "Cafe\u0301")  # the same in other code points
    found = {name: ledger.find_thread("a", name) for name in ("计划", "Cafe\u0301", "PLAN", "", "  ")}
    assert {name: thread and thread.id for name, thread in found.items()} == {
        "计划": one.id,
        "Cafe\u0301": two.id,
        "PLAN": None,
        "": None,
        "  ": None,
    }
    assert ledger.find_thread("b", "计划") == ledger.thread(other.id)


@pytest.mark.parametrize("name", ["", "   ", "a\nb", "bell\x07", "\x1b[31m", "x" * 101, "caf\udce9", "a\u2028b"])
def test_what_is_no_name(ledger: SqliteLedger, name: str) -> None:
    thread = ledger.create_thread("a", "before")
    with pytest.raises(UsageError):
        ledger.rename_thread(thread.id, name)
    if name:
        with pytest.raises(UsageError):
            ledger.create_thread("a", name)
    assert [thread.name for thread in ledger.threads()] == ["before"]


def test_a_thread_is_found_by_the_beginning_of_its_id(ledger: SqliteLedger) -> None:
    thread, named = ledger.create_thread("a"), None
    assert ledger.find_thread("a", thread.id[:4]) == thread
    assert ledger.find_thread("a", thread.id.upper()) == thread
    assert ledger.find_thread("a", thread.id[:3]) is None
    assert ledger.find_thread("b", thread.id) is None
    assert ledger.find_thread("a", "%" * 4) is None
    assert ledger.find_thread("a", "caf\udce9") is None
    named = ledger.create_thread("a", thread.id[:6])
    with pytest.raises(UsageError):
        ledger.find_thread("a", thread.id[:4])  # time comes first: both began in the same hours
    assert ledger.find_thread("a", thread.id[:6]) == ledger.thread(named.id)  # a name goes before an id


def test_a_deleted_thread_is_gone_with_its_messages(ledger: SqliteLedger) -> None:
    thread, other = ledger.create_thread("a", "n"), ledger.create_thread("a")
    ledger.append(thread.id, user("x"))
    ledger.append(other.id, user("stays"))
    ledger.delete_thread(thread.id)
    ledger.delete_thread(thread.id)
    assert ledger.thread(thread.id) is None and ledger.messages(thread.id, undone=True) == []
    assert texts(ledger, other.id) == ["stays"]
    for late in (
        lambda: ledger.append(thread.id, user("x")),
        lambda: ledger.rename_thread(thread.id, "m"),
        lambda: ledger.export(thread.id),
    ):
        with pytest.raises(StorageError):
            late()
    ledger.create_thread("a", "n")


def test_an_export_has_everything_and_is_json(ledger: SqliteLedger) -> None:
    thread = ledger.create_thread("a")
    ids = [ledger.append(thread.id, message).id for message in (user("问 \udce9"), assistant("答"), user("x"))]
    ledger.undo(thread.id)
    exported = json.loads(json.dumps(ledger.export(thread.id)))
    assert exported["id"] == thread.id
    assert [message["id"] for message in exported["messages"]] == ids


def test_calibrations_are_remembered(ledger: SqliteLedger) -> None:
    assert ledger.load("ollama/千问") is None
    ledger.save("ollama/千问", (1.5, 0.0))
    ledger.save("other", ())
    ledger.save("ollama/千问", (2, 1e-9))
    assert ledger.load("ollama/千问") == (2.0, 1e-9)
    assert ledger.load("other") == ()


def test_a_sound_ledger_says_so_and_closes_twice(ledger: SqliteLedger) -> None:
    thread = ledger.create_thread("a")
    ledger.append(thread.id, user("x"))
    ledger.undo(thread.id)
    assert ledger.integrity() == []
    ledger.close()
    ledger.close()


def test_an_answer_that_is_still_arriving_is_revised(ledger: SqliteLedger) -> None:
    thread = ledger.create_thread("a")
    ledger.append(thread.id, user("count"))
    part = ledger.append(thread.id, assistant("one"), status="interrupted")
    whole = ledger.revise(part, assistant("one two 三"), "complete")
    assert whole.id == part.id and ledger.messages(thread.id)[-1] == whole
    assert ledger.thread(thread.id).messages == 2
    ledger.delete_thread(thread.id)
    with pytest.raises(StorageError):
        ledger.revise(part, assistant("lost"), "complete")
