"""The bundled policies, loaded the way the program does it."""

from __future__ import annotations

import io
from pathlib import Path

import pytest

from localagent.agent_folder import bundled_folder, load_agent, load_policies
from localagent.environment import Environment
from localagent.policy import Policies


@pytest.fixture
def env(tmp_path: Path) -> Environment:
    work = tmp_path / "work"
    work.mkdir()
    return Environment(
        stdin=io.StringIO(),
        stdout=io.StringIO(),
        stderr=io.StringIO(),
        variables={},
        cwd=work,
        data_dir=tmp_path / "data",
        config_dir=tmp_path / "config",
        now=lambda: 1000.0,
    )


@pytest.fixture(scope="module")
def policies(tmp_path_factory: pytest.TempPathFactory) -> Policies:
    folder = tmp_path_factory.mktemp("bundled")
    stream = io.StringIO()
    env = Environment(stream, stream, stream, {}, folder, folder / "data", folder / "config", now=lambda: 1000.0)
    return load_policies(load_agent(env, agent=str(bundled_folder())))
