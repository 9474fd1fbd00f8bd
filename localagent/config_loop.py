"""What an agent.yaml may say about the steps of a turn, and about when its answer is good enough."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from localagent.config_kinds import (
    Kind,
    choice,
    flag,
    names_schema,
    number,
    offered_names_schema,
    phrases_schema,
    setting,
    whole,
)


def _names(expected: str, item: str) -> Kind:
    return Kind(expected, names_schema, item=f"{item} (letters, digits and _)")


@dataclass(frozen=True, slots=True, kw_only=True)
class LoopConfig:
    """How far a turn may go: its steps, its calls of tools, and what is looked at on the way."""

    max_steps: int = setting(
        8, whole(1, 1000), "Calls of the model in one turn; the last one is told that it is, and is offered no tools."
    )
    stop_when: tuple[str, ...] = setting(
        (),
        _names("a list of stop conditions", "a stop condition's name"),
        "Stop conditions of policies/completion.py, looked at after each step, on what tools really ran.",
    )
    output_processors: tuple[str, ...] = setting(
        (),
        _names("a list of output processors", "an output processor's name"),
        "Processors of policies/completion.py that accept an output, change it, or have it made anew; in this order.",
    )
    max_processor_retries: int = setting(
        2, whole(0, 100), "How often in a turn processors may have an output made anew; after that it is accepted."
    )
    max_tool_calls: int = setting(20, whole(0, 10_000), "Calls of tools in one turn; what is beyond is refused.")
    max_identical_calls: int = setting(
        2, whole(1, 100), "How often the same tool may be called with the same arguments in one turn."
    )
    max_tool_retries: int = setting(
        2, whole(0, 100), "How often a tool may be called again after wrong arguments; after that it is refused."
    )
    tool_timeout_s: float = setting(
        15.0, number(0.001, 86_400), "One call of a tool, in seconds, unless the tool has a limit of its own."
    )
    tool_result_tokens: int = setting(
        1500, whole(16, 1_000_000), "What the model sees of one result, in tokens; of more, the middle is cut out."
    )


@dataclass(frozen=True, slots=True, kw_only=True)
class CompletionConfig:
    """When an answer is one: judged when the model says that it is done, never before."""

    scorers: tuple[str, ...] = setting(
        (),
        _names("a list of scorers", "a scorer's name"),
        "Scorers of policies/completion.py: is the job done? What one says against it goes back to the model.",
    )
    required_tools: tuple[str, ...] = setting(
        (),
        Kind("a list of tools' names", offered_names_schema, item="a tool's name (letters, digits, _ and -)"),
        "Tools that must have run without an error before an answer counts; what the answer claims counts for nothing.",
    )
    required_sections: tuple[str, ...] = setting(
        (),
        Kind("a list of headings", phrases_schema, item="a heading of 1 to 100 characters in one line"),
        "Headings that the answer must have, in any order.",
    )
    strategy: Literal["all", "any"] = setting(
        "all", choice("all", "any"), "all: every scorer must agree. any: one is enough. Required things are required."
    )
    parallel: bool = setting(True, flag(), "Scorers run at the same time; their questions to the model in turn.")
    timeout_s: float = setting(
        30.0,
        number(0.001, 86_400),
        "All scorers together, in seconds. What is late counts as not judged, not as a yes.",
    )
    max_retries: int = setting(
        2, whole(0, 100), "How often in a turn the model is sent back to finish; after that the answer stands."
    )
