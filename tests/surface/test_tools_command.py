"""`/tools`: what the model may call, what each tool does, whose it is, how it is called, at 80 columns."""

from __future__ import annotations

import pytest
from rich.cells import cell_len

from localagent.config import validate
from localagent.repl_tools import Listed, View, _owner, _way, lines_of

LONG = "在一个城市里查找餐馆、咖啡馆和书店，并按照距离、评分和营业时间排序；" * 5


def test_effects_and_owners_are_shown_in_the_room_there_is() -> None:
    everything = ("network", "reads", "runs code", "writes")
    tools = (
        Listed("read_file", ("reads",), "", "Read a text file."),
        Listed("search", everything, "MCP server map", LONG),
        Listed("a" * 64, everything, "MCP server " + "b" * 32, "short"),
        Listed("helper", ("reads",), "an agent", "word " * 40),
    )
    lines = lines_of(View(tools, "", "this model calls them itself"), 80)
    assert all(cell_len(line) <= 80 for line in lines)
    assert lines[:2] == ["read_file (reads)", "  Read a text file."]
    assert lines[2] == "search (network, reads, runs code, writes; MCP server map)"
    assert lines[3].startswith("  在一个城市") and lines[3].endswith("…") and cell_len(lines[3]) >= 78
    assert lines[6] == "helper (reads; an agent)" and lines[-1] == "this model calls them itself"


def test_whose_a_tool_is() -> None:
    config = validate(
        {
            "tools": ["wiki_note"],
            "mcp_servers": {"wiki": {"command": "x"}, "wiki_old": {"command": "y"}},
            "agents": {"reader": {"folder": "r", "description": "d"}},
        }
    )
    owners = [_owner(name, config) for name in ("wiki_note", "wiki_find", "wiki_old_find", "reader")]
    assert owners == ["", "MCP server wiki", "MCP server wiki_old", "an agent"]


@pytest.mark.parametrize(
    ("by", "setting", "said"),
    [
        ("native", "auto", "this model calls them itself"),
        ("constrained", "auto", "this model cannot call tools by itself: its replies are bound to a form"),
        ("constrained", "constrained", "its replies are bound to a form (model.tool_calls: constrained)"),
        ("none", "off", "this model is told of no tools (model.tool_calls: off)"),
        ("none", "auto", "this model is told of no tools: it calls none by itself"),
    ],
)
def test_how_tools_are_called_is_said_for_every_way(by: str, setting: str, said: str) -> None:
    config = validate({"tools": ["read_file"], "model": {"tool_calls": setting}})
    assert _way(by, config).startswith(said)  # type: ignore[arg-type]
    assert _way("none", validate({})) == "this agent has no tools"
