"""Running an agent's policy files: whose is used, and what each kind of broken file says."""

from __future__ import annotations

from pathlib import Path

import pytest

from localagent.agent_folder import LoadedAgent, bundled_folder, load_agent, load_policies, load_tools
from localagent.build_check import check
from localagent.environment import Environment
from localagent.errors import ConfigError
from localagent.policy import Said
from localagent.trust import trust

OWN = """
from localagent.policy import Extracted

def importance(message, earlier):
    return [Extracted("fact", f"own: {message.text}", message.text)]
"""
UNDECIDED = """
def undecided(message, found):
    return [f"left: {message.text}"]
"""


def agent_with(env: Environment, *, yaml: str = "agent: {}\n", folder: str = "a", **files: str) -> LoadedAgent:
    """`policies/<name>.py` for each; `tools__<name>` is one of tools/."""
    target = env.cwd / folder
    (target / "policies").mkdir(parents=True, exist_ok=True)
    (target / "tools").mkdir(exist_ok=True)
    (target / "agent.yaml").write_text(yaml, encoding="utf-8")
    for name, source in files.items():
        kind, _, tool = name.partition("__")
        path = f"tools/{tool}.py" if kind == "tools" and tool else f"policies/{name}.py"
        (target / path).write_text(source, encoding="utf-8")
    return load_agent(env, agent=str(target))


def said(text: str) -> Said:
    return Said("user", text, 1000.0, 1)


def test_without_own_files_the_bundled_ones_decide(env: Environment) -> None:
    loaded = agent_with(env)
    (found,) = load_policies(loaded).importance(said("My name is Ana."), [])
    assert (found.kind, found.text) == ("profile", "My name is Ana")
    assert check(env, agent=str(loaded.folder)) == []


def test_what_an_own_importance_leaves_out_is_not_undecided_by_the_bundled_file(env: Environment) -> None:
    message = said("My kitchen faces north.")
    assert load_policies(agent_with(env)).undecided(message, []) == [message.text]
    assert load_policies(agent_with(env, folder="b", importance=OWN)).undecided(message, []) == ()


def test_an_own_undecided_has_its_say(env: Environment) -> None:
    both = load_policies(agent_with(env, importance=OWN, undecided=UNDECIDED))
    alone = load_policies(agent_with(env, folder="b", undecided=UNDECIDED))
    for policies in (both, alone):
        assert policies.undecided(said("tea"), []) == ["left: tea"]


@pytest.mark.parametrize(
    ("source", "where", "message"),
    [
        ("def undecided(message):\n    return []\n", ":1", "undecided must take 2 arguments"),
        ("x = 1\n", ":1", "the file offers no function undecided"),
    ],
)
def test_a_broken_undecided_is_told_when_it_is_loaded(env: Environment, source: str, where: str, message: str) -> None:
    loaded = agent_with(env, undecided=source)
    with pytest.raises(ConfigError) as raised:
        load_policies(loaded)
    assert raised.value.where == f"{loaded.folder}/policies/undecided.py{where}"
    assert message in raised.value.message


@pytest.mark.parametrize(
    ("answer", "where", "message"),
    [
        ("'tea'", "", "the answer is no list of str: str"),
        ("None", "", "the answer is no list of str: NoneType"),
        ("[3]", "", "the answer is no str: int"),
        ("found[0]", ":2", "IndexError"),
    ],
)
def test_an_undecided_that_answers_wrongly_is_told_when_it_is_asked(
    env: Environment, answer: str, where: str, message: str
) -> None:
    loaded = agent_with(env, undecided=f"def undecided(message, found):\n    return {answer}\n")
    policies = load_policies(loaded)
    with pytest.raises(ConfigError) as raised:
        policies.undecided(said("x"), [])
    assert raised.value.where == f"{loaded.folder}/policies/undecided.py{where}"
    assert message in raised.value.message


def test_an_own_file_takes_the_place_of_the_bundled_one_alone(env: Environment) -> None:
    policies = load_policies(agent_with(env, importance=OWN))
    assert [found.text for found in policies.importance(said("hello"), [])] == ["own: hello"]
    assert policies.recall is not None and policies.retention is not None


def test_own_files_may_share_code(env: Environment) -> None:
    source = "from ._shared import WORD\n" + OWN.replace("own:", "{WORD}:")
    policies = load_policies(agent_with(env, importance=source, _shared="WORD = 'shared'\n"))
    assert policies.importance(said("x"), [])[0].text == "shared: x"


def test_a_changed_file_is_read_anew(env: Environment) -> None:
    first = load_policies(agent_with(env, importance=OWN))
    second = load_policies(agent_with(env, importance=OWN.replace("own", "new")))
    assert [one.importance(said("x"), [])[0].text for one in (first, second)] == ["own: x", "new: x"]


def test_tools_and_policies_of_a_folder_do_not_disturb_one_another(env: Environment) -> None:
    tool = "def add() -> int:\n    'Add.'\n    from . import _deep\n    return _deep.COUNT.bit_length()\n"
    loaded = agent_with(env, yaml="agent: {tools: [add]}", importance=OWN, tools__add=tool, tools___deep="COUNT = 7\n")
    tools = load_tools(loaded).tools
    policies = load_policies(loaded)
    assert tools["add"].function() == 3
    assert policies.importance(said("x"), [])


def test_the_bytes_that_are_trusted_are_those_that_run(env: Environment) -> None:
    (env.cwd / "policies").mkdir()
    (env.cwd / "agent.yaml").write_text("agent: {}\n")
    path = env.cwd / "policies" / "importance.py"
    path.write_text(OWN)
    trust(env, env.cwd)
    loaded = load_agent(env)
    path.write_text(OWN.replace("own", "swapped"))
    assert load_policies(loaded).importance(said("x"), [])[0].text == "own: x"


def test_a_stranger_s_policies_do_not_run(env: Environment) -> None:
    (env.cwd / "policies").mkdir()
    (env.cwd / "agent.yaml").write_text("agent: {}\n")
    (env.cwd / "policies" / "importance.py").write_text("raise SystemExit('ran')\n")
    assert load_policies(load_agent(env)).importance(said("My name is Ana."), [])


@pytest.mark.parametrize(
    ("source", "where", "message"),
    [
        ("def importance(:\n", ":1:16", "SyntaxError"),
        ("import nothing_of_this_name\n", ":1", "ModuleNotFoundError"),
        ("x = 1\nraise RuntimeError('broken')\n", ":2", "RuntimeError: broken"),
        ("import sys\nsys.exit(3)\n", ":2", "the file ends the program"),
        ("def other(message, earlier):\n    return []\n", ":1", "the file offers no function importance"),
        ("", ":1", "the file offers no function importance"),
        ("x = 1\nimportance = 3\n", ":2", "importance is no function"),
        ("import json as importance\n", ":1", "importance is no function"),
        ("\n\ndef importance(message):\n    return []\n", ":3", "importance must take 2 arguments"),
        ("def importance(message, earlier, more):\n    return []\n", ":1", "importance must take 2 arguments"),
    ],
)
def test_a_broken_file_is_an_error_with_its_place(env: Environment, source: str, where: str, message: str) -> None:
    loaded = agent_with(env, importance=source)
    with pytest.raises(ConfigError) as raised:
        load_policies(loaded)
    assert raised.value.where == f"{loaded.folder}/policies/importance.py{where}"
    assert message in raised.value.message
    (told,) = check(env, agent=str(loaded.folder))
    assert isinstance(told, ConfigError) and str(told) == str(raised.value)


@pytest.mark.parametrize(
    ("source", "where", "message"),
    [
        ("def importance(message, earlier):\n    return earlier[0]\n", ":2", "IndexError"),
        ("def importance(message, earlier):\n    exit(4)\n", ":2", "the file ends the program"),
        ("def importance(message, earlier):\n    return None\n", "", "the answer is no list of Extracted: NoneType"),
        ("def importance(message, earlier):\n    return ['tea']\n", "", "the answer is no Extracted: str"),
        ("def importance(message, earlier):\n    def f():\n        return f()\n    f()\n", ":3", "RecursionError"),
    ],
)
def test_a_policy_that_fails_when_it_is_asked(env: Environment, source: str, where: str, message: str) -> None:
    loaded = agent_with(env, importance=source)
    policies = load_policies(loaded)
    with pytest.raises(ConfigError) as raised:
        policies.importance(said("x"), [])
    assert raised.value.where == f"{loaded.folder}/policies/importance.py{where}"
    assert message in raised.value.message


def test_ctrl_c_is_not_swallowed(env: Environment) -> None:
    policies = load_policies(agent_with(env, importance="def importance(m, e):\n    raise KeyboardInterrupt\n"))
    with pytest.raises(KeyboardInterrupt):
        policies.importance(said("x"), [])


def test_unknown_files_are_noticed_and_helpers_are_not(env: Environment) -> None:
    loaded = agent_with(env, summary="x = 1\n", _helper="x = 1\n", importance=OWN)
    names = "importance, recall, retention, summarization, undecided, approval, completion"
    notice = f"policies/summary.py is not used: the policies are {names}"
    assert loaded.notices == (notice,)
    assert check(env, agent=str(loaded.folder)) == [notice]


def test_a_broken_tool_and_a_broken_policy_are_both_told(env: Environment) -> None:
    loaded = agent_with(env, yaml="agent: {tools: [add]}", importance="1 / 0\n", tools__add="1 / 0\n")
    faults = check(env, agent=str(loaded.folder))
    places = [fault.where for fault in faults if isinstance(fault, ConfigError)]
    assert places == [f"{loaded.folder}/tools/add.py:1", f"{loaded.folder}/policies/importance.py:1"]


def test_what_a_policy_prints_does_not_reach_standard_output(
    env: Environment, capsys: pytest.CaptureFixture[str]
) -> None:
    load_policies(agent_with(env, importance="print('loading')\n" + OWN))
    captured = capsys.readouterr()
    assert captured.out == "" and captured.err == "policies/importance.py printed while it was loaded: loading\n"


def test_an_agent_s_file_may_build_on_the_bundled_one(env: Environment, tmp_path: Path) -> None:
    """What `init` copies can be changed: helpers beside the policy come along."""
    from localagent.agent_folder import copy_default

    copy_default(env, Path("copy"))
    path = env.cwd / "copy" / "policies" / "importance.py"
    path.write_text(path.read_text(encoding="utf-8").replace("MAX_ENTRIES = 12", "MAX_ENTRIES = 1"), encoding="utf-8")
    policies = load_policies(load_agent(env, agent="copy"))
    assert len(policies.importance(said("My name is Ana and I prefer tea."), [])) == 1


def test_the_example_of_the_documentation_runs(env: Environment) -> None:
    text = (bundled_folder() / "policies" / "README.md").read_text(encoding="utf-8")
    policies = load_policies(agent_with(env, importance=text.split("```python\n")[1].split("```")[0]))
    (found,) = policies.importance(said("Remember: the gate closes at ten."), [])
    assert found.text == "the gate closes at ten." and found.explicit
    assert policies.importance(said("My name is Ana."), []) == []
