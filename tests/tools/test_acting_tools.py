"""The bundled tools that read, write, run and look, called as the loop calls them."""

from __future__ import annotations

import os
import subprocess
import sys
import textwrap
import threading
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from pathlib import Path

import pytest

from localagent.abort import AbortSignal
from localagent.agent_files import AgentFiles, bundled_folder
from localagent.agent_tools import load_tool_files
from localagent.calls import CallResult
from localagent.errors import Interrupted, ModelError
from localagent.messages import ToolCallPart
from localagent.tool import ToolContext, tool
from localagent.toolbox.local import LocalToolbox

NAMES = ("read_file", "list_files", "write_file", "run_shell", "fetch_url", "describe_image")
Run = Callable[..., CallResult]


class Box:
    """The bundled tools in a folder `open`, beside which there is more."""

    def __init__(self, folder: Path) -> None:
        self.root = folder / "open"
        self.root.mkdir()
        (self.root / "own").mkdir()
        (folder / "secret.txt").write_text("secret")
        self.context = ToolContext(
            roots=(self.root.resolve(),), off_limits=((self.root / "own").resolve(),), variables=dict(os.environ)
        )
        tools = load_tool_files({name: AgentFiles(bundled_folder()) for name in NAMES})
        self.toolbox = LocalToolbox(
            tools,
            lambda abort: self.context,
            default_timeout_s=60,
            result_tokens=400,
            count=lambda text: len(text) // 4,
        )

    def __call__(self, name: str, **arguments: object) -> CallResult:
        return self.toolbox.run(self.part(name, **arguments), AbortSignal())

    def part(self, name: str, **arguments: object) -> ToolCallPart:
        return ToolCallPart("1", name, arguments)  # type: ignore[arg-type]

    def shown(self, name: str, **arguments: object) -> str:
        return self.toolbox.shown(self.part(name, **arguments))

    def paths(self, name: str, **arguments: object) -> list[str]:
        return list(self.toolbox.paths(self.part(name, **arguments)))


@pytest.fixture
def box(tmp_path: Path) -> Iterator[Box]:
    box = Box(tmp_path)
    yield box
    box.toolbox.close()


def failed(result: CallResult) -> str:
    assert result.is_error and result.ran
    return result.text


def test_each_says_what_it_does_to_the_world(box: Box) -> None:
    found = {name: set(box.toolbox.effects(name)) for name in NAMES}
    assert found == {
        "read_file": {"reads"}, "list_files": {"reads"}, "write_file": {"writes"},
        "run_shell": {"runs code", "reads", "writes", "network"}, "fetch_url": {"network"}, "describe_image": {"reads"},
    }  # fmt: skip


OUTSIDE = ["../secret.txt", "/etc/passwd", "~/x", "link/secret.txt", "direct", "sub/../../secret.txt", "~nobody-here/x"]


@pytest.mark.parametrize("path", OUTSIDE)
@pytest.mark.parametrize("name", ["read_file", "write_file", "list_files", "describe_image"])
def test_no_path_leads_outside(box: Box, tmp_path: Path, name: str, path: str) -> None:
    (box.root / "link").symlink_to(tmp_path)
    (box.root / "direct").symlink_to(tmp_path / "secret.txt")
    box.context = replace(box.context, describe_image=lambda image, question, abort: "seen")
    more = {"content": "overwritten", "mode": "replace"} if name == "write_file" else {}
    text = failed(box(name, path=path, **more))
    assert (
        "outside of the allowed folder" in text
        or "is no path" in text
        or "no file" in text.lower()
        or "There is no" in text
    )
    assert (tmp_path / "secret.txt").read_text() == "secret"


@pytest.mark.parametrize("name", ["read_file", "write_file", "list_files"])
@pytest.mark.parametrize("path", ["", "  ", "a\0b", "own/ledger.db", "own"])
def test_what_is_no_path_and_what_is_the_programs_own(box: Box, name: str, path: str) -> None:
    text = failed(box(name, path=path, **({"content": ""} if name == "write_file" else {})))
    assert "path is empty" in text or "is no path" in text or "belongs to this program" in text


def test_without_a_folder_nothing_is_reached(box: Box) -> None:
    box.context = replace(box.context, roots=())
    for name, arguments in [("read_file", {"path": "a"}), ("list_files", {}), ("run_shell", {"command": "true"})]:
        assert "No folder is open" in failed(box(name, **arguments))


def test_all_paths_of_a_list_are_told_to_approval(tmp_path: Path) -> None:
    """What a policy decides by path must see each of them."""

    @tool(effects=["reads"], paths=["sources", "target"])
    def pack(sources: list[Path], target: str = "out") -> str:
        """Pack files."""
        return ""

    toolbox = LocalToolbox(
        {"pack": pack},
        lambda abort: ToolContext(roots=(tmp_path.resolve(),)),
        default_timeout_s=30,
        result_tokens=100,
        count=len,
    )
    named = toolbox.paths(ToolCallPart("1", "pack", {"sources": ["a", "../.env", "文/件"]}))
    root = tmp_path.resolve()
    assert named == [str(root / "a"), str(root.parent / ".env"), str(root / "文" / "件"), str(root / "out")]


def test_paths_are_told_to_approval_where_they_lead(box: Box, tmp_path: Path) -> None:
    (box.root / "link").symlink_to(tmp_path)
    assert box.paths("read_file", path="link/secret.txt") == [str(tmp_path.resolve() / "secret.txt")]
    assert box.paths("list_files") == [str(box.root.resolve())]
    assert box.paths("read_file", path=3) == box.paths("run_shell", command="cat x") == box.paths("nothing") == []


@pytest.mark.skipif(sys.platform == "win32", reason="locales of Unix")
def test_names_are_utf8_whatever_the_locale(tmp_path: Path) -> None:
    code = """
        import sys
        from pathlib import Path
        from test_acting_tools import Box
        box = Box(Path.cwd())
        for name, arguments in [
            ("write_file", {"path": "文件/一.txt", "content": "好"}),
            ("read_file", {"path": "文件/一.txt"}),
            ("list_files", {"path": "文件"}),
            ("run_shell", {"command": "ls 文件"}),
            ("read_file", {"path": "../外"}),
        ]:
            sys.stdout.buffer.write((box(name, **arguments).text + "|").encode())
    """
    folder = tmp_path / "目录"
    folder.mkdir()
    (folder / "code.py").write_text(textwrap.dedent(code), encoding="utf-8")
    here = os.pathsep.join([str(bundled_folder()), str(Path(__file__).parent)])
    variables = {"LC_ALL": "C", "PYTHONUTF8": "0", "PYTHONCOERCECLOCALE": "0", "PYTHONPATH": here}
    child = subprocess.run(
        [sys.executable, "code.py"], cwd=folder, env={**os.environ, **variables}, capture_output=True, check=False
    )
    assert child.stdout.decode().split("|") == [
        "Made 文件/一.txt: it has 3 bytes now, 1 lines were written.",
        "文件/一.txt, lines 1-1 of 1\n好",
        "文件:\n文件/一.txt  3",
        "Exit code 0.\n一.txt\n",
        f"../外 leads to {folder.resolve()}/外, which is outside of the allowed folder: {folder.resolve()}/open.",
        "",
    ], child.stderr.decode()


# read_file


def test_a_file_in_parts(box: Box) -> None:
    lines = [f"line {number} 行" for number in range(1, 1001)]
    (box.root / "文件.txt").write_text("\n".join(lines), encoding="utf-8")
    seen, start = [], 1
    while start:
        result = box("read_file", path="文件.txt", start_line=start)
        head, _, body = result.text.partition("\n")
        assert result.left_out == 0 and f"lines {start:,}-" in head and "of 1,000" in head
        seen += body.rstrip("\n").split("\n")
        start = int(head.rpartition("start_line=")[2]) if "start_line=" in head else 0
    assert seen == lines
    assert box("read_file", path="文件.txt", start_line=7, line_count=2).text.startswith(
        "文件.txt, lines 7-8 of 1,000; go on with start_line=9\nline 7 行\nline 8 行\n"
    )
    assert "has 1,000 lines; start_line is 1,001" in failed(box("read_file", path="文件.txt", start_line=1001))


def test_one_endless_line_is_cut_in_its_middle(box: Box) -> None:
    (box.root / "min.js").write_text("a" * 100_000 + "z")
    result = box("read_file", path="min.js")
    assert result.left_out > 20_000 and result.text.endswith("z") and "lines 1-1 of 1\na" in result.text


@pytest.mark.parametrize("encoding", ["utf-8", "utf-8-sig", "utf-16", "utf-32", "gb18030", "big5"])
def test_encodings(box: Box, encoding: str) -> None:
    (box.root / "a.txt").write_bytes("一二三\r\n四\n".encode(encoding))
    if encoding in ("gb18030", "big5"):
        assert "encoding: gb18030" in failed(box("read_file", path="a.txt"))
        result = box("read_file", path="a.txt", encoding=encoding)
    else:
        result = box("read_file", path="a.txt")
    assert result.text == "a.txt, lines 1-2 of 2\n一二三\r\n四\n"
    assert "There is no encoding 'klingon'" in failed(box("read_file", path="a.txt", encoding="klingon"))


def test_what_is_no_text_file(box: Box) -> None:
    (box.root / "a.png").write_bytes(b"\x89PNG\r\n\x1a\n")
    (box.root / "a.bin").write_bytes(b"ab\0cd")
    (box.root / "empty").write_bytes(b"")
    os.mkfifo(box.root / "pipe")
    assert "a PNG image of 8 bytes" in failed(box("read_file", path="a.png"))
    assert "a binary file of 5 bytes" in failed(box("read_file", path="a.bin"))
    assert box("read_file", path="empty").text == "empty is empty."
    assert "is no regular file" in failed(box("read_file", path="pipe"))
    assert "is a folder" in failed(box("read_file", path="."))
    assert "There is no file gone" in failed(box("read_file", path="gone"))


# list_files


def test_a_folder_is_listed_whole_and_in_order(box: Box) -> None:
    (box.root / "b").mkdir()
    (box.root / "b" / "inner.py").write_text("x")
    (box.root / ".hidden").write_text("")
    (box.root / "z.py").write_text("12345")
    (box.root / "名.txt").write_text("")
    (box.root / "odd\x1bname").write_text("")
    (box.root / "link").symlink_to("b")
    assert box("list_files").text.splitlines() == [
        ".:", ".hidden  0", "b/", "link -> b", "odd\\x1bname  0", "own/", "z.py  5", "名.txt  0",
    ]  # fmt: skip
    assert "b/inner.py  1" in box("list_files", depth=2).text
    assert box("list_files", path="b").text == "b:\nb/inner.py  1"
    assert box("list_files", pattern="*.py").text == ".:\nb/\nown/\nz.py  5\n(not shown: 4 files of other names)"
    assert "is a file" in failed(box("list_files", path="z.py"))
    assert "There is no folder gone" in failed(box("list_files", path="gone"))


def test_a_large_folder_says_what_it_does_not_show(box: Box) -> None:
    (box.root / "many").mkdir()
    for number in range(350):
        (box.root / "many" / f"{number:03}").touch()
    result = box("list_files", path="many")
    assert "many/000" in result.text and result.text.endswith(
        "(not shown: 150 more; ask for a folder in it or for a pattern)"
    )


# write_file


def test_writing_says_what_it_did(box: Box) -> None:
    assert box("write_file", path="新/a.txt", content="一\n二\n").text == (
        "Made 新/a.txt: it has 8 bytes now, 2 lines were written."
    )
    file = box.root / "新" / "a.txt"
    assert file.read_text("utf-8") == "一\n二\n" and file.stat().st_mode & 0o777 == 0o666 & ~_umask()
    assert "already there; nothing was written" in failed(box("write_file", path="新/a.txt", content="x"))
    file.chmod(0o751)
    assert box("write_file", path="新/a.txt", content="x\r\n", mode="replace").text.startswith("Replaced 新/a.txt")
    assert file.read_bytes() == b"x\r\n" and file.stat().st_mode & 0o777 == 0o751
    assert box("write_file", path="新/a.txt", content="y", mode="append").text.startswith(
        "Appended to 新/a.txt: it has 4"
    )
    assert file.read_bytes() == b"x\r\ny"
    assert box("write_file", path="b", content="", mode="append").text.startswith("Made b")
    assert "There is no c to replace" in failed(box("write_file", path="c", content="", mode="replace"))
    assert sorted(path.name for path in (box.root / "新").iterdir()) == ["a.txt"]


def _umask() -> int:
    mask = os.umask(0o022)
    os.umask(mask)
    return mask


def test_appending_keeps_the_encoding(box: Box) -> None:
    (box.root / "a").write_bytes("一".encode("utf-16"))
    assert not box("write_file", path="a", content="二", mode="append").is_error
    assert (box.root / "a").read_text("utf-16") == "一二"
    (box.root / "b").write_bytes("文件".encode("gb18030"))
    assert "neither UTF-8 nor UTF-16" in failed(box("write_file", path="b", content="二", mode="append"))
    assert (box.root / "b").read_bytes() == "文件".encode("gb18030")


def test_what_cannot_be_written_is_left_as_it_was(box: Box) -> None:
    (box.root / "a.png").write_bytes(b"\x89PNG")
    for path, said in [("a.png", "a PNG image, not text"), (".", "is a folder"), ("a.png/b", "cannot be written")]:
        assert said in failed(box("write_file", path=path, content="x", mode="replace"))
    assert "name too long" in failed(box("write_file", path="x" * 300, content="x"))
    refusal = box.toolbox.refusal(box.part("write_file", path="a", content="x" * 1_000_001))
    assert refusal is not None and "at most 1000000 characters" in refusal.text
    assert not box("write_file", path="big", content="多" * 1_000_000).is_error
    assert sorted(path.name for path in box.root.iterdir()) == ["a.png", "big", "own"]


def test_a_link_to_a_file_inside_stays_a_link(box: Box) -> None:
    (box.root / "real").write_text("old")
    (box.root / "link").symlink_to("real")
    assert not box("write_file", path="link", content="new", mode="replace").is_error
    assert (box.root / "link").is_symlink() and (box.root / "real").read_text() == "new"


def test_a_person_sees_what_will_be_written(box: Box) -> None:
    root = box.root.resolve()
    assert box.shown("write_file", path="a", content="一\n二") == f"write the new file {root}/a:\n一\n二"
    (box.root / "a").write_text("one\ntwo\nthree\n")
    diff = box.shown("write_file", path="a", content="one\n2\nthree\n", mode="replace")
    assert diff.startswith(f"replace {root}/a:\n--- as it is\n+++ as it will be\n") and "-two\n+2\n" in diff
    assert box.shown("write_file", path="a", content="four\n", mode="append") == f"append to {root}/a:\nfour\n"
    (box.root / "a").write_text("old\n" * 5000)
    assert (
        box.shown("write_file", path="a", content="new", mode="replace")
        == f"replace the 5,000 lines of {root}/a by:\nnew"
    )
    fault, *arguments = box.shown("write_file", path="../x", content="c").splitlines()
    assert "../x" in fault and arguments == ["write_file", '  path: "../x"', '  content: "c"']
    assert box.shown("run_shell", command="rm -r b").startswith(f"run in {root}, for at most 60 s:\nrm -r b")
    assert box.shown("fetch_url", url="http://x.example/?q=1") == "fetch http://x.example/?q=1"


# run_shell


@pytest.mark.skipif(sys.platform == "win32", reason="commands of a Unix shell")
def test_a_command_and_how_it_ended(box: Box) -> None:
    assert box("run_shell", command="echo 你好; pwd; exit 4").text == f"Exit code 4.\n你好\n{box.root.resolve()}\n"
    assert box("run_shell", command="true").text == "Exit code 0.\n(it printed nothing)"
    assert box("run_shell", command="kill -TERM $$").text.startswith("Ended by signal 15.")
    assert "1 processes that it had left running" in box("run_shell", command="sleep 600 & true").text
    assert box("run_shell", command="echo begun; sleep 600", timeout_s=1).text == (
        "Stopped after 1 s, before it ended.\nbegun\n"
    )
    result = box("run_shell", command="yes | head -c 5000000")
    assert result.left_out > 10_000 and len(result.text) // 4 <= 400
    assert "null byte" in failed(box("run_shell", command="echo \0"))


def test_a_command_does_not_see_keys(box: Box) -> None:
    box.context = replace(box.context, variables={**os.environ, "SOME_API_KEY": "hush", "PLAIN": "yes"})
    text = box("run_shell", command="env").text
    assert "PLAIN=yes" in text and "hush" not in text


@pytest.mark.skipif(not Path("/proc/self/stat").exists(), reason="looks at processes through /proc")
def test_the_signal_ends_a_command_and_its_grandchildren(box: Box) -> None:
    abort = AbortSignal()
    command = "(setsid sh -c 'trap \"\" TERM; echo $$ > pid.tmp; mv pid.tmp pid; while :; do sleep 1; done'); true"
    with ThreadPoolExecutor(1) as pool:
        running = pool.submit(box.toolbox.run, box.part("run_shell", command=command), abort)
        while not (box.root / "pid").exists():
            threading.Event().wait(0.01)
        pid = int((box.root / "pid").read_text())
        assert Path(f"/proc/{pid}").exists()
        abort.abort(Interrupted("enough"))
        with pytest.raises(Interrupted):
            running.result(30)
    box.toolbox.close()  # on a busy machine its end may take longer than the call waits
    assert not Path(f"/proc/{pid}").exists() or "\nState:\tZ" in Path(f"/proc/{pid}/status").read_text()


# fetch_url and describe_image


def test_pages_of_this_machine_are_refused(box: Box) -> None:
    assert "not allowed" in failed(box("fetch_url", url="http://127.0.0.1:9/"))
    assert "no http:// or https://" in failed(box("fetch_url", url="file:///etc/passwd"))


def test_an_image_needs_a_model_that_sees(box: Box) -> None:
    (box.root / "a.png").write_bytes(b"\x89PNG\r\n\x1a\n....")
    (box.root / "a.txt").write_text("words")
    assert "No model that sees" in failed(box("describe_image", path="a.png"))

    def see(image: bytes, question: str, abort: AbortSignal) -> str:
        return f"{len(image)} bytes: {question}"

    box.context = replace(box.context, describe_image=see)
    assert box("describe_image", path="a.png", question="颜色?").text == "12 bytes: 颜色?"
    assert "is no PNG" in failed(box("describe_image", path="a.txt"))

    def blind(image: bytes, question: str, abort: AbortSignal) -> str:
        raise ModelError("it cannot see")

    box.context = replace(box.context, describe_image=blind)
    assert "it cannot see. Answer without it" in failed(box("describe_image", path="a.png"))
