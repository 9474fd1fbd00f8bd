"""The examples of docs/agent.md are mechanisms that work, and its lists are complete."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from localagent.abort import AbortSignal
from localagent.agent_files import AgentFiles, bundled_folder
from localagent.agent_folder import load_agent, load_mechanisms
from localagent.agent_mechanisms import load_mechanisms_file
from localagent.build_check import check
from localagent.completion import Completion
from localagent.config import leaves
from localagent.environment import Environment
from localagent.messages import JsonObject
from localagent.quality import Called, Mechanisms, Output, StepView, TurnView

DOCS = Path(__file__).resolve().parents[2] / "docs"
PAGES = ("agent.md", "agent.zh-CN.md")
CHOICE = """
agent:
  loop: {stop_when: [enough_pages], output_processors: [no_tables, signed]}
  completion: {scorers: [names_a_source, polite]}
"""


def blocks(page: str, language: str) -> list[str]:
    return re.findall(rf"```{language}\n(.*?)```", (DOCS / page).read_text("utf-8"), re.DOTALL)


@pytest.fixture
def loaded(env: Environment) -> tuple[Completion, Mechanisms]:
    (env.cwd / "policies").mkdir()
    (env.cwd / "policies" / "completion.py").write_text(blocks("agent.md", "python")[0], encoding="utf-8")
    (env.cwd / "agent.yaml").write_text(CHOICE, encoding="utf-8")
    agent = load_agent(env, agent=str(env.cwd))
    assert check(env, agent=str(env.cwd)) == []
    return Completion(agent.config, load_mechanisms(agent)), load_mechanisms(agent)


def page(url: str) -> Called:
    return Called("fetch_url", {"url": url}, "text", False, 0.1)


def test_both_pages_show_the_same_code() -> None:
    assert blocks("agent.md", "python") == blocks("agent.zh-CN.md", "python") != []


def test_the_examples_do_what_they_say(loaded: tuple[Completion, Mechanisms]) -> None:
    completion, _ = loaded
    pages = [page(f"http://example.org/{number}") for number in range(5)]
    trail = completion.stop(TurnView("?", [StepView(1, "", pages)]))
    assert [(one.name, one.verdict, one.reason) for one in trail[1:]] == [("enough_pages", "stop", "5 pages were read")]
    turn = TurnView("?", [StepView(1, "", pages[:1]), StepView(2, "| a | b |")])
    assert completion.process(Output("| a | b |", (), turn), 1)[0].reason == "Write it without tables."
    assert completion.process(Output("It is so.", (), turn), 1)[0].text == "It is so.\n\n(3 words)"
    asked = []

    def ask(task: str, schema: JsonObject | None, abort: AbortSignal) -> str:
        asked.append(task)
        return "No."

    stands, reason, _ = completion.score(turn, ask, AbortSignal())
    assert not stands and set(reason.splitlines()) == {"Name the page it is from: http://example.org/0", "Be polite."}
    assert "<answer>\n| a | b |\n</answer>" in asked[0]


@pytest.mark.parametrize("page", PAGES)
def test_the_agent_yaml_of_the_page_loads(page: str, env: Environment) -> None:
    (env.cwd / "agent.yaml").write_text(blocks(page, "yaml")[0], encoding="utf-8")
    agent = load_agent(env, agent=str(env.cwd))
    assert load_mechanisms(agent).scorers.keys() >= {"judge"}


@pytest.mark.parametrize("page", PAGES)
def test_every_bundled_mechanism_is_in_the_table(page: str) -> None:
    offered = load_mechanisms_file(AgentFiles(bundled_folder()))
    names = {*offered.stop_conditions, *offered.processors, *offered.scorers}
    text = (DOCS / page).read_text("utf-8")
    listed = text.split("\n## ")[1]
    assert set(re.findall(r"^\| `(\w+)` \|", listed, re.M)) == names
    comments = (bundled_folder() / "agent.yaml").read_text("utf-8")
    assert not [name for name in names if name not in comments]
    assert not [key for key in leaves() if key.startswith("completion.") and f"{key.partition('.')[2]}`" not in text]
