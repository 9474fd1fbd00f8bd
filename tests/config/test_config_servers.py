"""`mcp_servers` in agent.yaml: what it may say, and what is said of a mistake."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from localagent.agent_folder import bundled_folder, load_agent
from localagent.config import value_of
from localagent.config_servers import KEYS, McpServer
from localagent.environment import Environment
from localagent.errors import ConfigError


def load(env: Environment, servers: str) -> tuple[McpServer, ...]:
    path = env.cwd / "mine.yaml"
    path.write_text("agent:\n  mcp_servers:\n" + "".join(f"    {line}\n" for line in servers.splitlines()), "utf-8")
    return load_agent(env, agent=str(path)).config.mcp_servers


def test_a_program_and_an_address(env: Environment) -> None:
    files, wiki = load(
        env,
        "files: {command: serve, args: [-v, 文档], env: {A: '1'}, cwd: sub, timeout_s: 5}\n"
        "wiki: {url: 'http://localhost:8000/mcp', headers: {X-Key: k}}",
    )
    assert files == McpServer(
        name="files", command="serve", args=("-v", "文档"), env=(("A", "1"),), cwd="sub", timeout_s=5
    )
    assert wiki == McpServer(name="wiki", url="http://localhost:8000/mcp", headers=(("X-Key", "k"),))


def test_a_required_tool_of_a_server_may_have_a_hyphen(env: Environment) -> None:
    """As many servers and their tools have."""
    path = env.cwd / "mine.yaml"
    server = "{my-wiki: {url: 'http://localhost:1/mcp'}}"
    path.write_text(f"agent: {{mcp_servers: {server}, completion: {{required_tools: [my-wiki_get-page]}}}}", "utf-8")
    assert load_agent(env, agent=str(path)).config.completion.required_tools == ("my-wiki_get-page",)


@pytest.mark.parametrize(
    ("written", "said"),
    [
        ("a: {commnd: x}", "mine.yaml:3:9: mcp_servers.a.commnd: unknown key; the nearest valid one is command"),
        ("a: {}", "3:5: mcp_servers.a: needs one: a command (started here) or a url (it runs)"),
        ("a: {command: x, url: http://localhost}", "3:5: mcp_servers.a: has both"),
        ("a: {url: http://localhost, args: []}", "mcp_servers.a: args belongs to a server with a command"),
        ("a: {command: x, headers: {}}", "mcp_servers.a: headers belongs to a server with a url"),
        ("a: {url: localhost}", "3:14: mcp_servers.a.url: expected an address such as http://localhost:8000/mcp"),
        ("a: {url: 'http://local host'}", "mcp_servers.a.url: expected an address"),
        ("a: {command: x, timeout_s: 0}", "3:32: mcp_servers.a.timeout_s: expected a number of seconds from 1 to"),
        ("a: {command: x, timeout_s: '5'}", "found the text '5' (remove the quotes)"),
        ("a: {command: x, args: [5]}", "mcp_servers.a.args[0]: expected a text, found the number 5 (put it in quotes)"),
        ("a: {command: x, env: {B: true}}", "mcp_servers.a.env.B: expected a text, found true (put it in quotes)"),
        ("a: {url: http://localhost, headers: {'b c': d}}", "mcp_servers.a.headers.b c: expected a mapping of HTTP"),
        ("a b: {command: x}", "mine.yaml:3:5: mcp_servers.a b: a server's name is up to 32 letters"),
        ("服务: {command: x}", "a server's name is up to 32 letters"),
        ("a: serve", "mcp_servers.a: expected keys (command, args, env, ...) below it, found the text 'serve'"),
        (
            "- a",
            "3:5: mcp_servers: expected a mapping of servers, each with a command or a url, found a list",
        ),
    ],
)
def test_a_mistake_is_shown_where_it_stands(env: Environment, written: str, said: str) -> None:
    with pytest.raises(ConfigError) as raised:
        load(env, written)
    assert said in str(raised.value)


def test_two_of_one_name_are_refused(env: Environment) -> None:
    with pytest.raises(ConfigError, match="4:5"):
        load(env, "a: {command: x}\na: {command: y}")


def test_values_that_may_be_secrets_are_not_shown(env: Environment) -> None:
    load(env, "a: {command: x, env: {TOKEN: s3cret}}\nb: {url: http://localhost, headers: {X: s3cret}}")
    shown = value_of(load_agent(env, agent=str(env.cwd / "mine.yaml")).config, "mcp_servers")
    assert "s3cret" not in str(shown) and "TOKEN" in str(shown)


def test_the_examples_in_the_default_agent_are_valid_and_show_every_key(env: Environment) -> None:
    source = (bundled_folder() / "agent.yaml").read_text(encoding="utf-8")
    shown = re.sub(r"^    #  ", "      ", source.replace("mcp_servers: {}", "mcp_servers:"), flags=re.MULTILINE)
    Path(env.cwd / "all.yaml").write_text(shown, encoding="utf-8")
    servers = load_agent(env, agent=str(env.cwd / "all.yaml")).config.mcp_servers
    assert [server.name for server in servers] == ["files", "wiki"]
    assert not [key for key in KEYS if not re.search(rf"^    #    {key}:", source, re.MULTILINE)]


def test_the_example_of_the_guide_is_valid(env: Environment) -> None:
    found = []
    for name in ("agent.md", "agent.zh-CN.md"):
        page = (bundled_folder() / "docs" / name).read_text(encoding="utf-8")
        found.append(next(block for block in re.findall(r"```yaml\n(.*?)```", page, re.DOTALL) if "mcp_" in block))
    assert found[0] == found[1]
    (env.cwd / "guide.yaml").write_text(found[0], encoding="utf-8")
    servers = load_agent(env, agent=str(env.cwd / "guide.yaml")).config.mcp_servers
    assert [server.name for server in servers] == ["clock", "wiki"]
