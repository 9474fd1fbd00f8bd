"""Files in memory as a person sees them: what was taken in, what waits, and how a file leaves."""

from __future__ import annotations

import signal
from pathlib import Path
from typing import Any

import pytest
from memory_program import Here
from program import scripted

from localagent.abort import AbortSignal
from localagent.build_memory import MemoryHome
from localagent.memory.documents import Documents, Ingested


@pytest.fixture
def program(tmp_path: Path) -> Here:
    return Here(tmp_path / "home", tmp_path, scripted(tmp_path, "{loop: true, steps: ['yes, 是的.']}"))


def take_in(program: Here, name: str, text: str) -> None:
    (program.folder / name).write_text(text, encoding="utf-8")
    assert program("memory", "ingest", name).code == 0


def test_documents_are_listed_and_leave(program: Here) -> None:
    assert "no file" in program("memory", "documents").err
    take_in(program, "house.md", "# Boiler\n\nThe code is 4711.\n\n# Roof\n\nIt is new.\n")
    take_in(program, "笔记.md", "玫瑰在三月修剪。\n")
    found = program("memory", "documents", "--json").json()
    assert [(Path(one["file"]).name, one["pieces"], one["waiting"]) for one in found] == [
        ("house.md", 2, 0),
        ("笔记.md", 1, 0),
    ]
    shown = program("memory", "documents").out
    assert "house.md" in shown and "笔记.md" in shown and "just now" in shown
    (program.folder / "house.md").unlink()
    refused = program("memory", "documents", "--remove", "house.md")
    assert refused.code == 2 and "--yes" in refused.err
    unknown = program("memory", "documents", "--remove", "笔记.md", "--remove", "other.md", "--yes")
    assert unknown.code == 2 and "other.md" in unknown.err
    assert len(program("memory", "documents", "--json").json()) == 2
    gone = program("memory", "documents", "--remove", "house.md", "--yes", "--json")
    assert gone.code == 0 and [one["removed"] for one in gone.json()] == [2]
    assert program("memory", "search", "boiler code", "--min-score", "0", "--json").json()[0]["text"].startswith("玫瑰")
    assert "forgot 1 file" in program("memory", "documents", "--remove", "笔记.md", "--yes").out
    assert program("memory", "list", "--state", "all", "--json").json() == []


def test_one_is_one(program: Here) -> None:
    (program.folder / "笔记.md").write_text("玫瑰在三月修剪。\n", encoding="utf-8")
    assert program("memory", "ingest", "笔记.md").out.strip() == "笔记.md: 1 piece"
    (entry,) = program("memory", "list", "--json").json()
    assert "\n用过        从未\n" in program("memory", "show", entry["id"]).out
    assert program("memory", "stats", "--json").json()["waiting"] == 0


@pytest.mark.parametrize("during", ["files", "vectors"])
def test_a_stopped_ingest_says_what_was_taken_in_and_how_to_go_on(
    program: Here, monkeypatch: pytest.MonkeyPatch, during: str
) -> None:
    """Ctrl-C in the second file, or while what was taken in is embedded."""
    names = ("一.md", "two.md", "three.md")
    for name in names:
        (program.folder / name).write_text(f"The roses of {name} are pruned in March.\n", encoding="utf-8")

    def stopped(abort: AbortSignal) -> None:
        signal.raise_signal(signal.SIGINT)
        abort.wait(10)
        abort.raise_if_aborted()

    with monkeypatch.context() as patch:
        if during == "files":
            ingest = Documents.ingest

            def ingest_some(self: Documents, path: Path, **more: Any) -> Ingested:  # noqa: ANN401 (passed on)
                if path.name == "two.md":
                    stopped(more["abort"])
                return ingest(self, path, **more)

            patch.setattr(Documents, "ingest", ingest_some)
        else:
            patch.setattr(MemoryHome, "drain", lambda self, abort, progress, *, seconds=None: stopped(abort))
        told = program("memory", "ingest", *names)
    assert told.code == 130 and "the same command again goes on" in told.err
    if during == "files":
        assert "stopped in two.md, which is not taken in; 1 of 3 files" in told.err and "1 piece is" in told.err
    else:
        assert "taken in: 3 files" in told.err and "3 pieces are not indexed yet" in told.err
    again = program("memory", "ingest", *names)
    assert again.code == 0 and "一.md: unchanged" in again.out
    assert [one["waiting"] for one in program("memory", "documents", "--json").json()] == [0, 0, 0]
