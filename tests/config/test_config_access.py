"""`tool_access`: which folders and addresses tools may reach."""

from __future__ import annotations

import pytest

from localagent.agent_folder import load_agent
from localagent.config import ToolAccess
from localagent.environment import Environment
from localagent.errors import ConfigError


def access(env: Environment, text: str, **overrides: str) -> ToolAccess:
    (env.cwd / "a.yaml").write_text(f"agent:\n  tool_access:\n    {text}\n", encoding="utf-8")
    flags = {key.replace("__", "."): value for key, value in overrides.items()}
    return load_agent(env, agent=str(env.cwd / "a.yaml"), overrides=flags).config.tool_access


def test_by_itself_the_folder_where_it_runs_and_no_private_address(env: Environment) -> None:
    assert load_agent(env).config.tool_access == ToolAccess(roots=(".",), private_addresses=False)


def test_folders_and_addresses(env: Environment) -> None:
    given = access(env, "roots: [~/笔记, /srv/a b]\n    private_addresses: true")
    assert given == ToolAccess(roots=("~/笔记", "/srv/a b"), private_addresses=True)
    assert access(env, "roots: []").roots == ()
    assert access(env, "roots: [a]", tool_access__roots="b,c").roots == ("b", "c")


@pytest.mark.parametrize(
    ("text", "message", "place"),
    [
        ("roots: docs", "tool_access.roots: expected a list of folders, found the text 'docs'", "3:12"),
        ("roots: [a, '']", "tool_access.roots[1]: expected a folder's path in one line", "3:16"),
        ('roots: ["a\\tb"]', "tool_access.roots[0]: expected a folder's path in one line", "3:13"),
        ("roots: [a, b, a]", "named twice: a", "3:19"),
        ("private_addresses: ja", "expected true or false, found the text 'ja'", "3:24"),
        ("root: [a]", "tool_access.root: unknown key; the nearest valid one is tool_access.roots", "3:5"),
    ],
)
def test_what_is_wrong_has_its_place(env: Environment, text: str, message: str, place: str) -> None:
    with pytest.raises(ConfigError) as raised:
        access(env, text)
    assert message in raised.value.message
    assert raised.value.where.endswith(f"a.yaml:{place}")
