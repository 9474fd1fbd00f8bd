"""Running an agent's `policies/completion.py`, and checking what agent.yaml chose of it."""

from __future__ import annotations

import inspect
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from functools import partial
from typing import cast

from localagent.abort import AbortSignal
from localagent.agent_files import AgentFiles
from localagent.agent_tools import Importer, asked, importers_of, must_be, policy_of
from localagent.config import AgentConfig
from localagent.errors import ConfigError
from localagent.overrides import nearest
from localagent.quality import (
    Ask,
    Mechanisms,
    Output,
    OutputProcessor,
    Processed,
    Score,
    Scorer,
    StopCondition,
    TurnView,
)
from localagent.yaml_source import shown


def load_mechanisms_file(files: AgentFiles) -> Mechanisms:
    """Run `policies/completion.py` and take what it offers. Each function is guarded as other policies are: what fails,
    or answers with something else than its contract says, raises ConfigError with the file and line."""
    importer = importers_of({"completion": files}, "policies")["completion"]
    made = cast("Callable[[], object]", policy_of(importer, "completion", 0))
    found = asked(importer, "completion", lambda: must_be(Mechanisms, made()))
    kinds: tuple[tuple[str, Mapping[str, Callable[..., object]], int], ...] = (
        ("stop condition", found.stop_conditions, 1),
        ("processor", found.processors, 1),
        ("scorer", found.scorers, 3),
    )
    for kind, offered, arguments in kinds:
        for name, function in asked(importer, "completion", partial(_by_name, kind, offered)).items():
            _takes(importer, f"the {kind} {shown(str(name))}", function, arguments)
    stray = sorted({str(name) for name in (*found.retrying, *found.every_output)} - set(found.processors))
    if stray:
        said = f"retrying and every_output name processors; there is none called {shown(stray[0])}"
        raise ConfigError(said, where=importer.path_of("policies/completion.py"))
    return Mechanisms(
        {name: _guarded_condition(importer, one) for name, one in found.stop_conditions.items()},
        {name: _guarded_processor(importer, one) for name, one in found.processors.items()},
        {name: _guarded_scorer(importer, one) for name, one in found.scorers.items()},
        frozenset(found.retrying),
        frozenset(found.every_output),
    )


def _by_name(kind: str, offered: object) -> Mapping[object, object]:
    if not isinstance(offered, Mapping):
        raise TypeError(
            f"the {kind}s are given by their names, as in {{'name': function}}, not as a {type(offered).__name__}"
        )
    return offered


def _takes(importer: Importer, what: str, function: object, arguments: int) -> None:
    path = importer.path_of("policies/completion.py")
    if not callable(function):
        raise ConfigError(f"{what} is no function", where=path)
    try:
        inspect.signature(function).bind(*[None] * arguments)
    except ValueError:  # made in C, without a signature
        return
    except TypeError as error:
        line = getattr(getattr(function, "__code__", None), "co_firstlineno", 1)
        raise ConfigError(f"{what} must take {arguments} arguments: {error}", where=f"{path}:{line}") from error


def _guarded_condition(importer: Importer, condition: StopCondition) -> StopCondition:
    return lambda turn: asked(importer, "completion", lambda: must_be(str, condition(turn) or ""))


def _guarded_processor(importer: Importer, processor: OutputProcessor) -> OutputProcessor:
    def processed(output: Output) -> Processed:
        said = must_be(Processed, processor(output))
        if said.verdict not in ("accept", "replace", "retry"):
            raise ValueError(f"the verdict is accept, replace or retry, not {said.verdict!r}")
        return said

    return lambda output: asked(importer, "completion", lambda: processed(output))


def _guarded_scorer(importer: Importer, scorer: Scorer) -> Scorer:
    def scored(turn: TurnView, ask: Ask, abort: AbortSignal) -> Score:
        score = must_be(Score, scorer(turn, ask, abort))
        if score.value not in (0, 1):
            raise ValueError(f"the value is 0 or 1, not {score.value!r}")
        return score

    return lambda turn, ask, abort: asked(importer, "completion", lambda: scored(turn, ask, abort))


def chosen_in_vain(
    config: AgentConfig, places: Mapping[str, Sequence[str]], offered: Mechanisms
) -> Iterator[ConfigError]:
    """Names that policies/completion.py does not offer, and processors that could not do what they are for."""
    loop = config.loop
    kinds: tuple[tuple[str, Sequence[str], Collection[str]], ...] = (
        ("loop.stop_when", loop.stop_when, offered.stop_conditions),
        ("loop.output_processors", loop.output_processors, offered.processors),
        ("completion.scorers", config.completion.scorers, offered.scorers),
    )
    for key, names, there in kinds:
        for name, where in zip(names, places[key], strict=True):
            closest = nearest(name, there)
            said = f"the nearest one is {closest}" if closest else f"there are {', '.join(there) or 'none'}"
            if name not in there:
                yield ConfigError(f"{key}: policies/completion.py offers no {name}; {said}", where=where)
            elif key == "loop.output_processors" and name in offered.retrying and not loop.max_processor_retries:
                yield ConfigError(
                    f"{key}: {name} asks for another output, and loop.max_processor_retries is 0",
                    where=where,
                    hint="Allow at least one retry, or leave the processor out",
                )
