"""The bundled approval policy, and an agent's own in its place."""

from __future__ import annotations

import re
from dataclasses import replace
from pathlib import Path

import pytest

from localagent.agent_folder import LoadedAgent, load_agent, load_approval, load_policies, load_tools
from localagent.build_check import check
from localagent.calls import ApprovalRequest
from localagent.environment import Environment
from localagent.errors import ConfigError
from localagent.tool import Effect

ROOT = Path(__file__).parents[2]
OF = "def approval(request)"
OWN = """
from localagent.calls import Decision

def approval(request):
    if any(path.startswith("/home/ana/照片/") for path in request.paths):
        return Decision("deny", "照片不动 (pictures stay)")
    return Decision("ask")
"""


def agent_with(env: Environment, source: str | None = None, **tools: str) -> LoadedAgent:
    folder = env.cwd / "a"
    (folder / "policies").mkdir(parents=True, exist_ok=True)
    (folder / "tools").mkdir(exist_ok=True)
    offered = ", ".join(name for name in tools if not name.startswith("_"))
    (folder / "agent.yaml").write_text(f"agent: {{tools: [{offered}]}}\n", encoding="utf-8")
    if source is not None:
        (folder / "policies" / "approval.py").write_text(source, encoding="utf-8")
    for name, text in tools.items():
        (folder / "tools" / f"{name}.py").write_text(text, encoding="utf-8")
    return load_agent(env, agent=str(folder))


def request(*effects: Effect, named: bool = False, paths: tuple[str, ...] = ()) -> ApprovalRequest:
    return ApprovalRequest("t", frozenset(effects), {}, "t", paths=paths, interactive=True, named=named)


@pytest.mark.parametrize(
    ("effects", "verdict", "reason"),
    [
        (("reads",), "allow", "it only reads"),
        (("writes",), "ask", "it writes"),
        (("reads", "writes"), "ask", "it writes"),
        (("runs code", "reads", "writes", "network"), "ask", "it uses the network, runs code, writes"),
        (("network",), "ask", "it uses the network"),
        ((), "ask", "it does not say what it does"),
    ],
)
def test_the_bundled_rules(env: Environment, effects: tuple[Effect, ...], verdict: str, reason: str) -> None:
    decide = load_approval(agent_with(env))
    decision = decide(request(*effects))
    assert (decision.verdict, decision.reason) == (verdict, reason)
    assert decide(request(*effects, named=True)).verdict == "allow"


def test_an_own_file_decides_instead(env: Environment) -> None:
    loaded = agent_with(env, OWN)
    decide = load_approval(loaded)
    assert decide(request("reads", paths=("/home/ana/照片/1.jpg",), named=True)).reason == "照片不动 (pictures stay)"
    assert decide(request("reads")).verdict == "ask"
    assert check(env, agent=str(loaded.folder)) == [] == list(loaded.notices)


def test_memory_keeps_its_policies_when_this_one_is_loaded(env: Environment) -> None:
    loaded = agent_with(env, OWN)
    policies, decide = load_policies(loaded), load_approval(loaded)
    assert decide(request("reads")).verdict == "ask"
    assert policies.importance is not None


@pytest.mark.parametrize(
    ("source", "message"),
    [
        ("def approval(request):\n    return True\n", "the answer is no Decision: bool"),
        ("def approval(request):\n    return None\n", "the answer is no Decision: NoneType"),
        ("def approval(request):\n    return request.no_such\n", "AttributeError"),
        ("def approval(request):\n    exit()\n", "the file ends the program"),
        (
            "from localagent.calls import Decision\n\ndef approval(request):\n    return Decision('yes')\n",
            "the verdict is none of allow, ask, deny: 'yes'",
        ),
    ],
)
def test_one_that_fails_allows_nothing(env: Environment, source: str, message: str) -> None:
    decide = load_approval(agent_with(env, source))
    with pytest.raises(ConfigError, match=r"policies/approval\.py") as raised:
        decide(request("reads"))
    assert message in raised.value.message


def test_a_broken_file_is_told_with_its_place(env: Environment) -> None:
    loaded = agent_with(env, "def approval():\n    pass\n")
    with pytest.raises(ConfigError, match="must take 1 arguments"):
        load_approval(loaded)
    (fault,) = check(env, agent=str(loaded.folder))
    assert isinstance(fault, ConfigError) and fault.where.endswith("policies/approval.py:1")


TOOL = 'from ._shared import WORD\n\ndef greet() -> str:\n    """Greet."""\n    return WORD\n'


def test_a_tool_is_another_one_when_its_code_or_what_it_imports_changes(env: Environment) -> None:
    def code(**files: str) -> str:
        loaded = agent_with(env, **{"greet": TOOL, "_shared": "WORD = 'hello'\n", **files})
        return load_tools(loaded).tools["greet"].spec.code

    first = code()
    assert first == code()
    assert first == code(_other="x = 1\n")
    assert len({first, code(_shared="WORD = '你好'\n"), code(greet=TOOL + "\n# changed\n")}) == 3


def test_the_documented_policy_works(env: Environment) -> None:
    pages = [(ROOT / "docs" / name).read_text("utf-8") for name in ("agent.md", "agent.zh-CN.md")]
    first, second = ([one for one in re.findall(r"```python\n(.*?)```", page, re.S) if OF in one] for page in pages)
    assert first == second and len(first) == 1
    decide = load_approval(agent_with(env, first[0]))
    assert decide(request("reads", named=True, paths=("/家/.git/config",))).verdict == "deny"
    commands = [replace(request("runs code"), tool="run_shell", arguments={"command": c}) for c in ("make test", "ls")]
    assert [decide(one).verdict for one in commands] == ["allow", "ask"]
    assert decide(request("reads")).verdict == "allow"
