"""`config check`: what keeps an agent, or a part of it, from running is said before it runs, with its place."""

from __future__ import annotations

import sys
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import pytest

from localagent.build_check import check
from localagent.build_tools import roots_of
from localagent.environment import Environment
from localagent.errors import ConfigError

MakeAgent = Callable[..., Path]


def findings(env: Environment, yaml: str, **overrides: str) -> tuple[list[str], list[str]]:
    """Faults and notices."""
    path = env.cwd / "mine.yaml"
    path.write_text("agent:\n" + "".join(f"  {line}\n" for line in yaml.splitlines()), encoding="utf-8")
    found = check(env, agent=str(path), overrides=overrides)
    return [str(one) for one in found if isinstance(one, ConfigError)], [one for one in found if isinstance(one, str)]


@pytest.mark.parametrize(
    ("server", "places"),
    [
        ("command: sh, env: {A: x, TOK: '${MY_API_KEY}'}", ["mine.yaml:3:39: mcp_servers.x.env.TOK: the variable MY"]),
        ("url: 'http://localhost:1', headers: {K: 'a ${MY_API_KEY}'}", ["3:49: mcp_servers.x.headers.K: the variable"]),
        ("command: sh, env: {T: '${A}${B} ${A}'}", ["env.T: the variable A is not", "env.T: the variable B is not"]),
    ],
)
def test_a_variable_that_is_not_set_is_a_fault(env: Environment, server: str, places: list[str]) -> None:
    faults, notices = findings(env, f"mcp_servers:\n  x: {{{server}}}")
    assert len(faults) == len(places) and notices == []
    assert all(place in fault for place, fault in zip(places, faults, strict=True)), faults
    there = replace(env, variables={"MY_API_KEY": "k", "A": "a", "B": "b"})
    assert findings(there, f"mcp_servers:\n  x: {{{server}}}")[0] == []


def test_folders_of_tools_that_are_not_there_are_faults_each(env: Environment) -> None:
    (env.cwd / "有").mkdir()
    faults, _ = findings(env, "tool_access:\n  roots: [有, ./nope, 没有]")
    assert [fault.partition(" Make it")[0] for fault in faults] == [
        f"{env.cwd}/mine.yaml:3:16: tool_access.roots: there is no folder './nope'.",
        f"{env.cwd}/mine.yaml:3:24: tool_access.roots: there is no folder '没有'.",
    ]


def test_a_flag_is_named_once(env: Environment) -> None:
    faults, _ = findings(env, "name: a", **{"tool_access.roots": "nope"})
    assert [fault.partition(".  ")[0].partition(" Make")[0] for fault in faults] == [
        "--set tool_access.roots: there is no folder 'nope'."
    ]


@pytest.mark.parametrize(
    ("server", "said"),
    [
        ("command: nowhere-to-be-found", "mine.yaml:3:18: mcp_servers.x.command: there is no program 'nowhere-to-be"),
        ("command: ./没有", "3:18: mcp_servers.x.command: there is no program './没有' that can be run"),
        ("command: ./mine.yaml", "there is no program './mine.yaml' that can be run"),
        ("command: sh, cwd: gone", "3:27: mcp_servers.x.cwd: there is no folder"),
        ("command: sh, env: {PATH: /nowhere}", "3:18: mcp_servers.x.command: there is no program 'sh' on the PATH"),
    ],
)
def test_a_server_that_cannot_start_is_told_of(env: Environment, server: str, said: str) -> None:
    around = replace(env, variables={"PATH": "/usr/bin:/bin"})
    faults, notices = findings(around, f"mcp_servers:\n  x: {{{server}}}")
    assert faults == [] and len(notices) == 1 and said in notices[0], (faults, notices)


def test_programs_are_looked_for_where_they_will_be(env: Environment) -> None:
    """From the server's folder: also relative names, and relative entries of the PATH."""
    (env.cwd / "sub" / "bin").mkdir(parents=True)
    (env.cwd / "sub" / "bin" / "服务").symlink_to(sys.executable)
    for server in (
        "command: bin/服务, cwd: sub",
        "command: 服务, cwd: sub, env: {PATH: bin}",
        f"command: {sys.executable}",
    ):
        assert findings(env, f"mcp_servers:\n  x: {{{server}}}") == ([], []), server


def test_a_folder_of_nobody_is_a_fault(env: Environment) -> None:
    faults, _ = findings(env, "mcp_servers:\n  x: {command: sh, cwd: ~no-such-user/x}")
    assert len(faults) == 1 and "mcp_servers.x.cwd" in faults[0]


def test_what_is_wrong_around_agents_that_are_asked_is_told_with_their_files(
    env: Environment, make_agent: MakeAgent
) -> None:
    asked = make_agent(
        env.cwd / "reader",
        "agent:\n  tools: [read_file, describe_image]\n  tool_access: {roots: [gone]}\n"
        "  mcp_servers: {x: {command: nowhere-to-be-found}}\n",
    )
    faults, notices = findings(env, "tools: [describe_image]\nagents: {reader: {folder: reader, description: d}}")
    assert len(faults) == 1 and faults[0].startswith(f"{asked}/agent.yaml:3:25: tool_access.roots: there is no folder")
    assert [notice.partition(": ")[0] for notice in notices] == [
        f"{env.cwd}/mine.yaml:2:11",
        f"{asked}/agent.yaml:2:22",
        f"{asked}/agent.yaml:4:30",
    ]
    assert "describe_image has no model that sees images" in notices[1]


def test_what_is_found_is_what_stops_a_turn(env: Environment) -> None:
    from localagent.agent_folder import load_agent

    faults, _ = findings(env, "tool_access: {roots: [gone]}")
    with pytest.raises(ConfigError) as raised:
        roots_of(load_agent(env, agent=str(env.cwd / "mine.yaml")), env.cwd)
    assert faults == [str(raised.value)]
