"""A process around the tests of the configuration: its own folders and variables."""

from __future__ import annotations

import io
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import pytest

from localagent.environment import Environment

MakeAgent = Callable[..., Path]


@pytest.fixture
def env(tmp_path: Path) -> Environment:
    """Empty folders, no variables, and a clock that stands at 1000."""
    work, config = tmp_path / "work", tmp_path / "config"
    work.mkdir()
    config.mkdir()
    return Environment(
        stdin=io.StringIO(),
        stdout=io.StringIO(),
        stderr=io.StringIO(),
        variables={},
        cwd=work,
        data_dir=tmp_path / "data",
        config_dir=config,
        now=lambda: 1000.0,
    )


@pytest.fixture
def with_variables(env: Environment) -> Callable[..., Environment]:
    return lambda **variables: replace(env, variables=variables)


@pytest.fixture
def make_agent() -> MakeAgent:
    """Write an agent: its YAML, and tools by name."""

    def make(folder: Path, yaml: str = "agent: {}\n", **tools: str) -> Path:
        folder.mkdir(parents=True, exist_ok=True)
        (folder / "agent.yaml").write_text(yaml, encoding="utf-8")
        if tools:
            (folder / "tools").mkdir(exist_ok=True)
        for name, source in tools.items():
            (folder / "tools" / f"{name}.py").write_text(source, encoding="utf-8")
        return folder

    return make
