"""The examples of docs/tools.md are tools that work."""

from __future__ import annotations

import io
import os
import re
import shutil
import subprocess
from pathlib import Path

import pytest

from localagent.abort import AbortSignal
from localagent.agent_folder import load_agent, load_tools
from localagent.environment import Environment
from localagent.messages import JsonValue, ToolCallPart
from localagent.tool import ToolContext
from localagent.toolbox.local import LocalToolbox

DOCS = Path(__file__).resolve().parents[2] / "docs"


def examples(page: str) -> dict[str, str]:
    blocks = re.findall(r"```python\n(# tools/(\w+)\.py\n.*?)```", (DOCS / page).read_text("utf-8"), re.DOTALL)
    return {name: source for source, name in blocks}


@pytest.fixture
def toolbox(tmp_path: Path) -> LocalToolbox:
    found = examples("tools.md")
    (tmp_path / "tools").mkdir()
    for name, source in found.items():
        (tmp_path / "tools" / f"{name}.py").write_text(source, encoding="utf-8")
    (tmp_path / "agent.yaml").write_text(f"agent: {{tools: [{', '.join(found)}]}}")
    streams = [io.StringIO() for _ in range(3)]
    env = Environment(streams[0], streams[1], streams[2], {}, tmp_path, tmp_path / "data", tmp_path / "config")
    context = ToolContext(roots=(tmp_path.resolve(),), variables=dict(os.environ))
    tools = load_tools(load_agent(env, agent=str(tmp_path))).tools
    return LocalToolbox(tools, lambda abort: context, default_timeout_s=60, result_tokens=500, count=len)


def call(name: str, **arguments: JsonValue) -> ToolCallPart:
    return ToolCallPart("1", name, arguments)


def test_both_pages_show_the_same_examples() -> None:
    assert examples("tools.md") == examples("tools.zh-CN.md") != {}


def test_counting_words(toolbox: LocalToolbox, tmp_path: Path) -> None:
    (tmp_path / "a.txt").write_text("one two three\n四", encoding="utf-8")
    assert toolbox.run(call("count_words", path="a.txt"), AbortSignal()).text == '{"words": 4}'
    assert toolbox.run(call("count_words", path="a.txt", longer_than=3), AbortSignal()).text == '{"words": 1}'
    missing = toolbox.run(call("count_words", path="b.txt"), AbortSignal())
    assert missing.retry and missing.text.startswith("There is no file b.txt.")
    wrong = toolbox.refusal(call("count_words", path="a.txt", longer_than="many"))
    assert wrong is not None and "longer_than must be an integer from 0 to 50, got 'many'" in wrong.text
    assert toolbox.paths(call("count_words", path="a.txt")) == [str((tmp_path / "a.txt").resolve())]


@pytest.mark.skipif(not shutil.which("git"), reason="there is no git")
def test_a_command(toolbox: LocalToolbox, tmp_path: Path) -> None:
    assert toolbox.shown(call("git_log", count=3)) == "git log --oneline -n 3"
    failed = toolbox.run(call("git_log"), AbortSignal())
    assert failed.is_error and failed.text.startswith("git failed: ")
    identity = ["-c", "user.name=n", "-c", "user.email=e@example.org", "-c", "commit.gpgsign=false"]
    subprocess.run(["git", "init", "-q"], cwd=tmp_path, check=True)
    subprocess.run(["git", *identity, "commit", "-q", "--allow-empty", "-m", "第一次"], cwd=tmp_path, check=True)
    assert toolbox.run(call("git_log", count=1), AbortSignal()).text.endswith(" 第一次\n")


def test_every_bundled_tool_is_in_the_table() -> None:
    names = {path.stem for path in (DOCS.parent / "tools").glob("*.py") if not path.stem.startswith("_")}
    for page in ("tools.md", "tools.zh-CN.md"):
        assert set(re.findall(r"^\| `(\w+)` \|", (DOCS / page).read_text("utf-8"), re.M)) == names, page
