"""What a model, or whoever it believes, may try with the bundled tools, and what comes of it."""

from __future__ import annotations

import os
import sys
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest
from test_acting_tools import Box, failed

from localagent.abort import AbortSignal
from localagent.errors import Interrupted
from localagent.toolbox import paths
from localagent.toolbox.paths import folder_inside, inside, read_inside

pytestmark = pytest.mark.skipif(sys.platform == "win32", reason="links, pipes and devices of Unix")


@pytest.fixture
def box(tmp_path: Path) -> Iterator[Box]:
    box = Box(tmp_path)
    yield box
    box.toolbox.close()


SPECIAL = ["pipe", "socket", "folder"]


@pytest.mark.parametrize("name", ["read_file", "write_file", "describe_image"])
def test_what_is_no_regular_file_is_neither_waited_for_nor_replaced(box: Box, name: str) -> None:
    import socket

    os.mkfifo(box.root / "pipe")
    (box.root / "folder").mkdir()
    box.context = replace(box.context, describe_image=lambda image, question, abort: "seen")
    with socket.socket(socket.AF_UNIX) as listening:
        listening.bind(str(box.root / "socket"))
        before = {special: (box.root / special).lstat().st_ino for special in SPECIAL}
        for special in SPECIAL:
            for mode in ("replace", "append", "create") if name == "write_file" else ("",):
                more = {"content": "x", "mode": mode} if mode else {}
                failed(box(name, path=special, **more))
        assert {special: (box.root / special).lstat().st_ino for special in SPECIAL} == before


@pytest.mark.parametrize("path", ["/dev/zero", "/dev/tty", "/proc/self/environ", "/proc/self/mem", "/sys/kernel/notes"])
def test_views_of_the_system_are_closed_even_where_the_root_is_everything(box: Box, path: str) -> None:
    box.context = replace(box.context, roots=(Path("/"),), off_limits=())
    assert "is a view of the system" in failed(box("read_file", path=path))
    assert "is a view of the system" in failed(box("write_file", path=path, content="x"))


@pytest.mark.parametrize(
    "path",
    [
        "/proc/self/root/{secret}", "/proc/self/cwd/../../../../../../{secret}", "x/" * 3000, "a" * 5000,
        "own/../../secret.txt", "./own/./x", "OWN\0",
    ],
)  # fmt: skip
def test_odd_ways_to_a_file_outside(box: Box, tmp_path: Path, path: str) -> None:
    text = failed(box("read_file", path=path.format(secret=tmp_path / "secret.txt")))
    assert "secret" not in text.replace("secret.txt", "")


def test_the_programs_data_is_closed_through_links_too(box: Box) -> None:
    (box.root / "own" / "ledger.db").write_text("hush")
    (box.root / "link").symlink_to("own")
    (box.root / "chain").symlink_to("link")
    (box.root / "file").symlink_to("own/ledger.db")
    for path in ("link/ledger.db", "chain/ledger.db", "file", "own/../own/ledger.db"):
        assert "belongs to this program" in failed(box("read_file", path=path))
        assert "belongs to this program" in failed(box("write_file", path=path, content="", mode="replace"))
    assert "hush" not in box("list_files", path=".", depth=3).text
    assert "ledger" not in box("list_files", path=".", depth=3).text.replace("own/ledger.db\n", "")


def test_a_closed_folder_under_another_name_is_closed(box: Box, tmp_path: Path) -> None:
    """As on file systems for which a and A are the same."""
    (tmp_path / "other").symlink_to(box.root / "own")
    assert paths._within(tmp_path / "other" / "x", box.root / "own")
    assert not paths._within(tmp_path / "x", box.root / "own")
    assert not paths._within(tmp_path / "x", tmp_path / "gone")


OWN = ["agent.yaml", "policies/approval.py", "policies/new.py", "link/approval.py", "./policies/../agent.yaml"]


@pytest.mark.parametrize("path", OWN)
def test_an_agent_does_not_write_what_decides_what_it_may_do(box: Box, path: str) -> None:
    (box.root / "policies").mkdir()
    (box.root / "policies" / "approval.py").write_text("rules")
    (box.root / "link").symlink_to("policies")
    box.context = replace(box.context, fixed=(box.root.resolve() / "agent.yaml", box.root.resolve() / "policies"))
    for mode in ("create", "replace", "append"):
        assert "no tool writes it" in failed(box("write_file", path=path, content="x", mode=mode))
    assert box.shown("write_file", path=path, content="x").startswith("(it cannot say what it would do: ")
    assert (box.root / "policies" / "approval.py").read_text() == "rules"
    assert sorted(entry.name for entry in box.root.iterdir()) == ["link", "own", "policies"]
    assert box("read_file", path="policies/approval.py").text.endswith("rules")


def test_a_link_put_in_the_way_after_the_look_is_not_followed(box: Box, tmp_path: Path) -> None:
    """Between the look at a path and its use somebody else may exchange what is there."""
    root = box.root.resolve()
    (root / "sub").mkdir()
    (root / "sub" / "a").write_text("mine")
    (tmp_path / "elsewhere").mkdir()
    (tmp_path / "elsewhere" / "a").write_text("secret")
    file = inside("sub/a", box.context)
    (root / "sub" / "a").unlink()
    (root / "sub" / "a").symlink_to(tmp_path / "secret.txt")
    with pytest.raises(OSError, match="symbolic links"):
        read_inside(file, box.context, 1000)
    (root / "sub").rename(root / "old")
    (root / "sub").symlink_to(tmp_path / "elsewhere")
    with pytest.raises(ValueError, match="outside of the allowed folder"):
        read_inside(file, box.context, 1000)
    with pytest.raises(OSError), folder_inside(file.parent, box.context):
        pass


def test_a_folder_that_was_opened_stays_the_one_that_is_written_in(box: Box, tmp_path: Path) -> None:
    root = box.root.resolve()
    (root / "sub").mkdir()
    (tmp_path / "elsewhere").mkdir()
    with folder_inside(root / "sub", box.context) as folder:
        (root / "sub").rename(root / "old")
        (root / "sub").symlink_to(tmp_path / "elsewhere")
        os.close(os.open("a", os.O_WRONLY | os.O_CREAT, dir_fd=folder))
    assert (root / "old" / "a").exists() and list((tmp_path / "elsewhere").iterdir()) == []


def test_hard_links_are_other_names_of_a_file_and_replacing_one_leaves_the_other(box: Box, tmp_path: Path) -> None:
    (box.root / "name").hardlink_to(tmp_path / "secret.txt")
    assert not box("write_file", path="name", content="new", mode="replace").is_error
    assert (tmp_path / "secret.txt").read_text() == "secret"


def test_rights_to_run_as_another_user_are_not_handed_on(box: Box) -> None:
    (box.root / "tool").write_text("x")
    (box.root / "tool").chmod(0o4755)
    assert not box("write_file", path="tool", content="#!/bin/sh\n", mode="replace").is_error
    assert (box.root / "tool").stat().st_mode & 0o7777 == 0o755


def test_a_huge_folder_is_neither_read_whole_nor_through_a_stop(box: Box, monkeypatch: pytest.MonkeyPatch) -> None:
    listing = sys.modules[box.toolbox._tools["list_files"].function.__module__]
    monkeypatch.setattr(listing, "MOST_SEEN", 50)
    for number in range(400):
        (box.root / f"{number:03}").touch()
    assert "looking stopped there" in box("list_files").text
    abort = AbortSignal()
    abort.abort(Interrupted("enough"))
    with pytest.raises(Interrupted):
        box.toolbox.run(box.part("list_files"), abort)


@pytest.mark.parametrize(
    "encoding", ["punycode", "idna", "unicode_escape", "raw-unicode-escape", "undefined", "hex", "zip", "rot13", "\0"]
)
def test_an_encoding_that_is_none_of_documents(box: Box, encoding: str) -> None:
    (box.root / "a").write_bytes(b"a" * 200_000 + b"-" + b"b" * 200_000)
    assert "There is no encoding" in failed(box("read_file", path="a", encoding=encoding))


def test_a_command_has_no_input_and_its_flood_is_bounded(box: Box) -> None:
    assert box("run_shell", command='read x; echo "<$x>"').text == "Exit code 0.\n<>\n"
    result = box("run_shell", command="head -c 30000000 /dev/urandom")
    assert result.left_out and len(result.text) < 20_000
