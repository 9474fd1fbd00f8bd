"""`agents` in agent.yaml: other agents as tools; what it may say, and what is said of a mistake."""

from __future__ import annotations

import re
from collections.abc import Callable
from pathlib import Path

import pytest

from localagent.agent_folder import bundled_folder, load_agent
from localagent.build_check import check
from localagent.build_tools import check_named
from localagent.config import value_of
from localagent.config_agents import KEYS, SubAgent
from localagent.environment import Environment
from localagent.errors import ConfigError, UsageError
from localagent.sub_agents import CALLER
from localagent.trust import trust

Make = Callable[..., Path]
ASKS = "agent:\n  name: {name}\n  agents:\n    {other}: {{folder: {folder}, description: d}}\n"


def caller(env: Environment, agents: str, more: str = "") -> str:
    """An agent's file below the current folder, which asks these."""
    folder = env.cwd / "desk"
    folder.mkdir(exist_ok=True)
    lines = "".join(f"    {line}\n" for line in agents.splitlines())
    (folder / "agent.yaml").write_text(f"agent:\n  name: desk\n{more}  agents:\n{lines}", "utf-8")
    return str(folder)


def refused(env: Environment, agent: str | None) -> str:
    with pytest.raises(ConfigError) as raised:
        load_agent(env, agent=agent)
    return str(raised.value)


def test_an_agent_that_may_be_asked(env: Environment, make_agent: Make) -> None:
    make_agent(env.cwd / "desk" / "研究", "agent: {name: reader, tools: [read_file]}\n")
    loaded = load_agent(env, agent=caller(env, "reader: {folder: ./研究, description: 查资料, timeout_s: 5}"))
    assert loaded.config.agents == (SubAgent(name="reader", folder="./研究", description="查资料", timeout_s=5),)
    assert loaded.agents["reader"].config.tools == ("read_file",)
    shown = {"reader": {"folder": "./研究", "description": "查资料", "timeout_s": 5}}
    assert value_of(loaded.config, "agents") == shown


@pytest.mark.parametrize(
    ("written", "said"),
    [
        (
            "a: {foldr: x, description: d}",
            "agent.yaml:4:9: agents.a.foldr: unknown key; the nearest valid one is folder",
        ),
        ("a: {description: d}", "4:5: agents.a: needs a folder: a folder's path in one line"),
        ("a: {folder: x}", "4:5: agents.a: needs a description: a text that tells the model what to ask it"),
        ("a: {folder: x, description: ' '}", "agents.a.description: expected a text that tells the model"),
        (
            "a: {folder: '', description: d}",
            "4:17: agents.a.folder: expected a folder's path in one line, found an empty",
        ),
        ("a: {folder: x, description: d, timeout_s: 0}", "agents.a.timeout_s: expected a number of seconds from 1 to"),
        ("a: {folder: 5, description: d}", "agents.a.folder: expected a folder's path in one line, found the number 5"),
        ("a-b: {folder: x, description: d}", "4:5: agents.a-b: an agent's name is up to 64 letters, digits and _"),
        ("研究: {folder: x, description: d}", "an agent's name is up to 64 letters"),
        ("a: ./x", "agents.a: expected keys (folder, description, timeout_s, ...) below it, found the text './x'"),
        ("- a", "4:5: agents: expected a mapping of agents, each with a folder and a description, found a list"),
        ("a: {folder: nowhere, description: d}", "agent.yaml:4:17: agents.a.folder: there is no folder"),
        ("a: {folder: empty, description: d}", "agents.a.folder: "),
    ],
)
def test_a_mistake_is_shown_where_it_stands(env: Environment, written: str, said: str) -> None:
    (env.cwd / "desk" / "empty").mkdir(parents=True)
    assert said in refused(env, caller(env, written))


def test_a_folder_without_an_agent_names_the_command_that_makes_one(env: Environment) -> None:
    (env.cwd / "desk" / "empty").mkdir(parents=True)
    said = refused(env, caller(env, "a: {folder: empty, description: d}"))
    assert "empty has no agent.yaml" in said and "localagent init " in said


def test_faults_in_the_file_of_an_agent_that_is_asked_have_its_place(env: Environment, make_agent: Make) -> None:
    folder = make_agent(env.cwd / "desk" / "reader", "agent: {model: {temprature: 1}, tools: [raed_file]}\n")
    agent = caller(env, "reader: {folder: reader, description: d}\nother: {folder: gone, description: d}")
    said = refused(env, agent)
    assert f"{folder}/agent.yaml:1:17: model.temprature: unknown key" in said
    assert f"{env.cwd}/desk/agent.yaml:5:21: agents.other.folder: there is no folder" in said


def test_check_runs_the_files_of_every_agent(env: Environment, make_agent: Make) -> None:
    make_agent(env.cwd / "desk" / "reader", "agent: {tools: [broken]}\n", broken="def broken(:\n")
    findings = check(env, agent=caller(env, "reader: {folder: reader, description: d}"))
    assert [str(one) for one in findings if "desk/reader/tools/broken.py:1" in str(one)], findings


@pytest.mark.parametrize(
    ("more", "name", "said"),
    [
        ("  tools: [read_file]\n", "read_file", "agents.read_file: a tool of `tools:` is called so too"),
        (
            "  mcp_servers: {files: {command: x}}\n",
            "files_agent",
            "agents.files_agent: the tools of mcp_servers.files have names that begin so",
        ),
    ],
)
def test_two_tools_of_one_name_are_refused(env: Environment, make_agent: Make, more: str, name: str, said: str) -> None:
    make_agent(env.cwd / "desk" / "a")
    found = refused(env, caller(env, f"{name}: {{folder: a, description: d}}", more))
    assert f"agent.yaml:5:5: {said}" in found


def test_a_circle_is_refused_also_through_a_link(env: Environment, make_agent: Make) -> None:
    make_agent(env.cwd / "one", ASKS.format(name="one", other="two", folder="../link"))
    make_agent(env.cwd / "two", ASKS.format(name="two", other="one", folder="../one"))
    (env.cwd / "link").symlink_to(env.cwd / "two")
    said = refused(env, "one")
    assert (
        "two/agent.yaml:4:19: agents.one.folder: agents cannot ask each other in a circle: one asks two asks one"
        in said
    )
    make_agent(env.cwd / "self", ASKS.format(name="self", other="me", folder="."))
    assert "in a circle: self asks self" in refused(env, "self")


def test_at_most_three_levels(env: Environment, make_agent: Make) -> None:
    for number in range(1, 4):
        make_agent(env.cwd / f"n{number}", ASKS.format(name=f"n{number}", other="next", folder=f"../n{number + 1}"))
    make_agent(env.cwd / "n4")
    assert "n3/agent.yaml:4:20: agents.next.folder: more than 3 agents below each other" in refused(env, "n1")
    assert load_agent(env, agent="n2").agents["next"].agents["next"].config.agents == ()


def test_where_the_callers_folder_had_to_be_trusted_so_has_the_other(env: Environment, make_agent: Make) -> None:
    make_agent(env.cwd, ASKS.format(name="here", other="reader", folder="./reader"))
    folder = make_agent(env.cwd / "reader", "agent: {name: reader}\n", look="def look() -> str:\n    '''Look.'''\n")
    trust(env, env.cwd)
    said = refused(env, None)
    assert f"agent.yaml:4:22: agents.reader.folder: the folder {folder} is not trusted" in said
    assert f"Read it and run: localagent trust {folder}" in said
    trust(env, folder)
    loaded = load_agent(env)
    assert loaded.config.name == "here" and loaded.agents["reader"].files.snapshot is not None
    (folder / "tools" / "look.py").write_text("print('changed')\n", "utf-8")
    assert "changed since you trusted it (changed: tools/look.py)" in refused(env, None)


def test_where_the_caller_was_named_nothing_else_has_to_be(env: Environment, make_agent: Make) -> None:
    make_agent(env.cwd / "desk" / "reader")
    loaded = load_agent(env, agent=caller(env, "reader: {folder: reader, description: d}"))
    assert loaded.agents["reader"].files.snapshot is None


def test_the_bundled_agent_needs_no_trust(env: Environment, make_agent: Make) -> None:
    make_agent(env.cwd, ASKS.format(name="here", other="plain", folder=bundled_folder()))
    trust(env, env.cwd)
    assert load_agent(env).agents["plain"].config.name == "local_context_agent"


def test_what_its_file_does_not_speak_of_is_its_callers(env: Environment, make_agent: Make) -> None:
    make_agent(env.cwd / "desk" / "plain", "agent: {name: plain}\n")
    make_agent(env.cwd / "desk" / "own", "agent: {model: {temperature: 1}, memory: {tenant: other}}\n")
    path = caller(
        env,
        "plain: {folder: plain, description: d}\nown: {folder: own, description: d}",
        "  model: {model_name: qwen3, num_ctx: 4096}\n  memory: {tenant: work}\n",
    )
    loaded = load_agent(env, agent=path, overrides={"model.seed": "7", "limits.turn_timeout_s": "5"})
    plain, own = loaded.agents["plain"], loaded.agents["own"]
    assert plain.config.model == loaded.config.model and plain.config.memory.tenant == "work"
    assert plain.origins["model.model_name"] == CALLER
    assert (own.config.model.model_name, own.config.model.num_ctx, own.config.memory.tenant) == ("", None, "other")
    assert own.config.model.seed is None
    assert plain.config.limits.turn_timeout_s == own.config.limits.turn_timeout_s == 900  # only the caller's


def test_required_tools_may_be_agents(env: Environment, make_agent: Make) -> None:
    make_agent(env.cwd / "desk" / "a")
    agents = "reader: {folder: a, description: d}"
    loaded = load_agent(env, agent=caller(env, agents, "  completion: {required_tools: [reader]}\n"))
    assert loaded.config.completion.required_tools == ("reader",)
    said = refused(env, caller(env, agents, "  completion: {required_tools: [raeder]}\n"))
    assert "raeder is not among the agent's tools; the nearest one there is reader" in said


def test_tools_of_an_agent_that_is_asked_can_be_allowed_by_name(env: Environment, make_agent: Make) -> None:
    reader = make_agent(env.cwd / "desk" / "reader", "agent: {tools: [run_shell], mcp_servers: {fs: {command: x}}}\n")
    middle = make_agent(env.cwd / "desk" / "middle", ASKS.format(name="m", other="reader", folder=reader))
    loaded = load_agent(env, agent=caller(env, f"editor: {{folder: {middle}, description: d}}"))
    check_named(loaded, ["editor", "editor.reader", "editor.reader.run_shell", "editor.reader.fs_read"])
    for name in ("run_shell", "reader.run_shell", "editor.run_shell", "editor.reader.runshell"):
        with pytest.raises(UsageError, match=rf"--allow-tool {name}: .*editor\.reader\.run_shell"):
            check_named(loaded, [name])


def test_the_example_in_the_default_agent_is_valid_and_shows_every_key(env: Environment, make_agent: Make) -> None:
    source = (bundled_folder() / "agent.yaml").read_text(encoding="utf-8")
    shown = re.sub(r"^  #  ", "    ", source.replace("agents: {}", "agents:"), flags=re.MULTILINE)
    make_agent(env.cwd / "researcher")
    (env.cwd / "all.yaml").write_text(shown, encoding="utf-8")
    (agent,) = load_agent(env, agent=str(env.cwd / "all.yaml")).config.agents
    assert agent.name == "researcher" and agent == SubAgent(
        name="researcher", folder="./researcher", description=agent.description
    )
    assert not [key for key in KEYS if not re.search(rf"^  #      {key}:", source, re.MULTILINE)]
