"""Running an agent's tool files: what is offered, and what each kind of broken file says."""

from __future__ import annotations

import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from localagent.agent_folder import LoadedAgent, load_agent, load_tools
from localagent.build_check import check
from localagent.environment import Environment
from localagent.errors import ConfigError
from localagent.tool import Tool

MakeAgent = Callable[..., Path]

PLAIN = '''
def add(a: int, b: int = 2) -> int:
    """Add two numbers."""
    return a + b
'''
DECORATED = "from localagent.tool import tool\n@tool" + PLAIN


def agent_with(env: Environment, make_agent: MakeAgent, **tools: str) -> LoadedAgent:
    names = ", ".join(name for name in tools if not name.startswith("_"))
    return load_agent(env, agent=str(make_agent(env.cwd / "a", f"agent: {{tools: [{names}]}}", **tools)))


@pytest.mark.parametrize("source", [PLAIN, DECORATED], ids=["plain", "decorated"])
def test_a_function_or_a_tool_of_the_files_name(env: Environment, make_agent: MakeAgent, source: str) -> None:
    loaded = load_tools(agent_with(env, make_agent, add=source))
    (made,) = loaded.tools.values()
    assert isinstance(made, Tool) and made.spec.name == "add" and made.spec.description == "Add two numbers."
    assert made.function(a=1) == 3
    assert not loaded.notices


def test_tools_keep_the_order_of_the_configuration(env: Environment, make_agent: MakeAgent) -> None:
    sources = {name: PLAIN.replace("add", name) for name in ("zeta", "alpha", "mid")}
    assert list(load_tools(agent_with(env, make_agent, **sources)).tools) == ["zeta", "alpha", "mid"]


def test_the_import_path_and_the_names_of_others_are_left_alone(env: Environment, make_agent: MakeAgent) -> None:
    before = list(sys.path)
    loaded = agent_with(env, make_agent, json=PLAIN.replace("add", "json"))
    module = sys.modules[load_tools(loaded).tools["json"].function.__module__]
    assert module.__name__.startswith("localagent_agent_") and module.__file__ == str(loaded.folder / "tools/json.py")
    assert sys.path == before and "tools" not in sys.modules
    import json

    assert json.loads("1") == 1


def test_neighbours_can_be_imported_relatively(env: Environment, make_agent: MakeAgent) -> None:
    folder = make_agent(env.cwd / "a", "agent: {tools: [add]}", _shared="BASE = 40\n")
    (folder / "tools" / "deep").mkdir()
    (folder / "tools" / "deep" / "more.py").write_text("MORE = 1\n")
    (folder / "tools" / "add.py").write_text(
        "from .deep.more import MORE\n"
        'def add(a: int) -> int:\n    """Add."""\n    from . import _shared\n    return a + MORE + 2 * _shared.BASE\n'
    )
    assert load_tools(load_agent(env, agent=str(folder))).tools["add"].function(a=1) == 82


def test_a_file_that_changed_is_read_anew(env: Environment, make_agent: MakeAgent) -> None:
    first = load_tools(agent_with(env, make_agent, add=PLAIN)).tools["add"]
    second = load_tools(agent_with(env, make_agent, add=PLAIN.replace("a + b", "a - b"))).tools["add"]
    assert (first.function(a=1), second.function(a=1)) == (3, -1)


def test_two_agents_do_not_share_their_files(env: Environment, make_agent: MakeAgent) -> None:
    made = []
    for name in ("one", "two"):
        folder = make_agent(env.cwd / name, "agent: {tools: [add]}", _shared=f"X = '{name}'\n",
                            add="from ._shared import X\ndef add() -> str:\n    'Add.'\n    return X\n")  # fmt: skip
        made.append(load_tools(load_agent(env, agent=str(folder))).tools["add"])
    assert [tool.function() for tool in made] == ["one", "two"]


def test_what_a_tool_prints_does_not_reach_standard_output(
    env: Environment, make_agent: MakeAgent, capsys: pytest.CaptureFixture[str]
) -> None:
    source = "print('loading')\n" + PLAIN.replace("return", "print('running', 1, sep='-')\n    return")
    load_tools(agent_with(env, make_agent, add=source)).tools["add"].function(a=1)
    captured = capsys.readouterr()
    assert captured.out == ""
    assert captured.err == "tools/add.py printed while it was loaded: loading\nrunning-1\n"


@pytest.mark.parametrize(
    ("source", "where", "message"),
    [
        ("def add(:\n", ":1:9", "SyntaxError: invalid syntax"),
        ("x = 1\n  y = 2\n", ":2:", "IndentationError: unexpected indent"),
        ("import nothing_of_this_name\n", ":1", "ModuleNotFoundError: No module named 'nothing_of_this_name'"),
        ("from . import nothing\n", ":1", "ImportError: cannot import name 'nothing'"),
        ("x = 1\nraise RuntimeError('broken\\non purpose')\n", ":2", "RuntimeError: broken on purpose"),
        ("import json\n\njson.loads('{')\n", ":3", "JSONDecodeError"),
        ("import sys\nsys.exit(3)\n", ":2", "the file ends the program: SystemExit 3"),
        ("def f():\n    return f()\nf()\n", ":2", "RecursionError"),
        ("def other() -> int:\n    '''Do.'''\n    return 1\n", "", "the file offers no function add"),
        ("add = 3\n", "", "the file offers no function add"),
        ("", "", "the file offers no function add"),
        ("def add(a: int) -> int:\n    return a\n", "", "TypeError: tool 'add' has no docstring"),
        ("def add(a) -> int:\n    '''Add.'''\n    return a\n", "", "TypeError: tool 'add': parameter 'a' has no type"),
        ("def add(a: 'Nowhere') -> int:\n    '''Add.'''\n    return a\n", "", "Nowhere"),
        ("def plus() -> int:\n    '''Add.'''\n    return 1\nadd = plus\n", "", "is called 'plus', its file 'add'"),
        ("x = '\0'\n", "", "null bytes"),
        ("class E(Exception):\n    def __str__(self):\n        1 / 0\nraise E\n", ":4", "E: no message"),
        ("raise ValueError('\\x1b[31m')\n", ":1", "ValueError: \\x1b[31m"),
    ],
)  # fmt: skip
def test_a_broken_file_is_an_error_with_its_place(
    env: Environment, make_agent: MakeAgent, source: str, where: str, message: str
) -> None:
    loaded = agent_with(env, make_agent, add=source)
    with pytest.raises(ConfigError) as raised:
        load_tools(loaded)
    assert raised.value.where.startswith(f"{loaded.folder}/tools/add.py{where}")
    assert message in raised.value.message and raised.value.message.isprintable()
    assert check(env, agent=str(loaded.folder))[0].__class__ is ConfigError


def test_a_file_that_is_not_utf_8(env: Environment, make_agent: MakeAgent) -> None:
    folder = make_agent(env.cwd / "a", "agent: {tools: [add]}", add=PLAIN)
    (folder / "tools" / "add.py").write_bytes(b"x = 'caf\xe9'\n")
    with pytest.raises(ConfigError, match="SyntaxError"):
        load_tools(load_agent(env, agent=str(folder)))


def test_ctrl_c_is_not_swallowed(env: Environment, make_agent: MakeAgent) -> None:
    with pytest.raises(KeyboardInterrupt):
        load_tools(agent_with(env, make_agent, add="raise KeyboardInterrupt\n"))


def test_an_agent_without_the_file_gets_the_bundled_tool(env: Environment, make_agent: MakeAgent) -> None:
    folder = make_agent(env.cwd / "a", "agent: {tools: [get_current_time]}")
    assert "T" in str(load_tools(load_agent(env, agent=str(folder))).tools["get_current_time"].function())
    own = PLAIN.replace("def add(a: int, b: int = 2)", "def get_current_time()").replace("a + b", "7")
    make_agent(folder, "agent: {tools: [get_current_time]}", get_current_time=own)
    assert load_tools(load_agent(env, agent=str(folder))).tools["get_current_time"].function() == 7


def test_a_tool_whose_file_went_away_meanwhile_is_noticed(env: Environment, make_agent: MakeAgent) -> None:
    loaded = agent_with(env, make_agent, add=PLAIN, get_current_time=PLAIN.replace("add", "get_current_time"))
    (loaded.folder / "tools" / "add.py").unlink()
    tools = load_tools(loaded)
    assert list(tools.tools) == ["get_current_time"]
    assert tools.notices == ("tools/add.py is not there any more; the tool is not offered",)


def test_a_mistyped_tool_names_the_nearest(env: Environment, make_agent: MakeAgent) -> None:
    folder = make_agent(env.cwd / "a", "agent:\n  tools:\n    - ad\n    - xyzzy_q\n", add=PLAIN)
    with pytest.raises(ConfigError) as raised:
        load_agent(env, agent=str(folder))
    line = str(raised.value)
    assert line.startswith(f"{folder}/agent.yaml:3:7: tools: there is no tools/ad.py; the nearest one there is add")
    assert "tools/xyzzy_q.py; there are add, describe_image, fetch_url, get_current_time, list_files, memory_" in line
    assert len(check(env, agent=str(folder))) == 2
