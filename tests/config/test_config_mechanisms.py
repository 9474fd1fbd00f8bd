"""What agent.yaml chooses of policies/completion.py, and what is refused when the agent is loaded."""

from __future__ import annotations

import pytest

from localagent.agent_folder import LoadedAgent, load_agent, load_mechanisms
from localagent.build_check import check
from localagent.environment import Environment
from localagent.errors import ConfigError

OWN = """
from localagent.quality import Mechanisms, Processed, Score

def completion():
    return Mechanisms(
        {"late": lambda turn: None},
        {"strict": lambda output: Processed("retry", reason="no"), "mild": lambda output: Processed("accept")},
        {"good": lambda turn, ask, abort: Score(1)},
        frozenset({"strict"}),
    )
"""


def agent(env: Environment, source: str, policy: str = "", **overrides: str) -> LoadedAgent:
    (env.cwd / "a" / "policies").mkdir(parents=True, exist_ok=True)
    (env.cwd / "a" / "agent.yaml").write_text(source, encoding="utf-8")
    if policy:
        (env.cwd / "a" / "policies" / "completion.py").write_text(policy, encoding="utf-8")
    flags = {key.replace("__", "."): text for key, text in overrides.items()}
    return load_agent(env, agent=str(env.cwd / "a"), overrides=flags)


def fault(env: Environment, source: str, policy: str = "", **overrides: str) -> str:
    with pytest.raises(ConfigError) as raised:
        load_mechanisms(agent(env, source, policy, **overrides))
    return str(raised.value).replace(f"{env.cwd}/a/", "")


@pytest.mark.parametrize(
    ("source", "expected"),
    [
        ("agent: {loop: {max_steps: 0}}", "yaml:1:27: loop.max_steps: expected a whole number from 1 to 1000"),
        ("agent: {loop: {max_step: 3}}", "loop.max_step: unknown key; the nearest valid one is loop.max_steps"),
        ("agent: {loop: {stop_when: repeating}}", "loop.stop_when: expected a list of stop conditions, found"),
        ("agent: {loop: {stop_when: [a, a]}}", "loop.stop_when: named twice: a"),
        ("agent: {loop: {stop_when: [a-b]}}", "loop.stop_when[0]: expected a stop condition's name (letters"),
        ("agent: {completion: {strategy: most}}", "completion.strategy: expected one of all, any, found the text"),
        ("agent: {completion: {timeout_s: 0}}", "completion.timeout_s: expected a number from 0.001"),
        ("agent: {completion: {required_sections: ['']}}", "required_sections[0]: expected a heading of 1"),
        (
            "agent:\n  tools: [get_current_time]\n  completion:\n    required_tools:\n      - get_curent_time\n",
            "agent.yaml:5:9: completion.required_tools: get_curent_time is not among the agent's tools; the nearest "
            "one there is get_current_time",
        ),
        (
            "agent:\n  loop:\n    stop_when: [repeating, repeatin]\n",
            "agent.yaml:3:28: loop.stop_when: policies/completion.py offers no repeatin; the nearest one is repeating",
        ),
        (
            "agent: {loop: {output_processors: [xyz]}}",
            "output_processors: policies/completion.py offers no xyz; there are length, language, no_empty_promises",
        ),
        ("agent: {completion: {scorers: [length]}}", "completion.scorers: policies/completion.py offers no length"),
        (
            "agent: {loop: {output_processors: [length], max_processor_retries: 0}}",
            "yaml:1:36: loop.output_processors: length asks for another output, and loop.max_processor_retries is 0",
        ),
    ],
)  # fmt: skip
def test_what_cannot_be_is_refused_with_its_place(env: Environment, source: str, expected: str) -> None:
    assert expected in fault(env, source)


def test_each_fault_is_told(env: Environment) -> None:
    told = fault(env, "agent: {loop: {stop_when: [wrot]}, completion: {scorers: [jugde]}}")
    assert "the nearest one is wrote" in told and "the nearest one is judge" in told
    (found,) = check(env, agent=str(env.cwd / "a"))
    assert isinstance(found, ConfigError) and "jugde" in str(found)


def test_a_flag_is_named_as_the_place(env: Environment) -> None:
    told = fault(env, "agent: {}", loop__stop_when="repeating,nope")
    assert told.startswith("--set loop.stop_when: loop.stop_when: policies/completion.py offers no nope")
    loaded = agent(env, "agent: {}", completion__required_sections="[Risks, 下一步]")
    assert loaded.config.completion.required_sections == ("Risks", "下一步")


def test_a_tool_of_a_server_may_be_required(env: Environment) -> None:
    source = (
        "agent: {mcp_servers: {wiki: {url: 'http://localhost:1/mcp'}}, completion: {required_tools: [wiki_search]}}"
    )
    assert agent(env, source).config.completion.required_tools == ("wiki_search",)


def test_an_own_file_takes_the_place_of_the_bundled_one(env: Environment) -> None:
    mechanisms = load_mechanisms(agent(env, "agent: {loop: {stop_when: [late]}}", OWN))
    assert [*mechanisms.processors] == ["strict", "mild"]
    assert mechanisms.stop_conditions["late"](None) == ""  # type: ignore[arg-type]
    assert "offers no repeating" in fault(env, "agent: {loop: {stop_when: [repeating]}}", OWN)
    refused = "agent: {loop: {max_processor_retries: 0, output_processors: [mild, strict]}}"
    assert "strict asks for another output" in fault(env, refused, OWN)
    load_mechanisms(agent(env, refused.replace(", strict", ""), OWN))


@pytest.mark.parametrize(
    ("policy", "expected"),
    [
        ("def completion():\n    return 3\n", "policies/completion.py: TypeError: the answer is no Mechanisms: int"),
        ("def completion(turn):\n    return 3\n", "policies/completion.py:1: completion must take 0 arguments"),
        ("def completion(:\n", "policies/completion.py:1:16: SyntaxError"),
        ("x = 1\n", "policies/completion.py:1: the file offers no function completion"),
        (
            "from localagent.quality import Mechanisms\n\ndef stop():\n    return ''\n\n"
            "def completion():\n    return Mechanisms({'stop': stop})\n",
            "policies/completion.py:3: the stop condition stop must take 1 arguments",
        ),
        (
            "from localagent.quality import Mechanisms\ndef completion():\n    return Mechanisms(scorers={'s': 3})\n",
            "policies/completion.py: the scorer s is no function",
        ),
        (
            "from localagent.quality import Mechanisms\ndef completion():\n"
            "    return Mechanisms(retrying=frozenset({'no'}))\n",
            "retrying and every_output name processors; there is none called no",
        ),
        (
            "from localagent.quality import Mechanisms\ndef completion():\n    return Mechanisms([len])\n",
            "policies/completion.py: TypeError: the stop conditions are given by their names",
        ),
        (
            "from localagent.quality import Mechanisms\n\n"
            "def completion():\n    return Mechanisms(every_output=['no'])\n",
            "there is none called no",
        ),
    ],
)
def test_a_broken_file_is_told_with_its_line(env: Environment, policy: str, expected: str) -> None:
    assert expected in fault(env, "agent: {}", policy)


@pytest.mark.parametrize(
    ("body", "expected"),
    [
        ("1 / 0", "policies/completion.py:3: ZeroDivisionError"),
        ("raise SystemExit(3)", "the file ends the program"),
        ("return None", "the answer is no Processed: NoneType"),
        ("return Processed('maybe')", "the verdict is accept, replace or retry, not 'maybe'"),
    ],
)
def test_what_fails_when_it_is_asked_has_its_place(env: Environment, body: str, expected: str) -> None:
    source = f"from localagent.quality import Mechanisms, Processed\ndef bad(output):\n    {body}\n"
    source += "def completion():\n    return Mechanisms(processors={'bad': bad})\n"
    processor = load_mechanisms(agent(env, "agent: {}", source)).processors["bad"]
    with pytest.raises(ConfigError) as raised:
        processor(None)  # type: ignore[arg-type]
    assert expected in str(raised.value)
