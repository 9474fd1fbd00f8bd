from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from compressing import bundled_policies
from playing import Played
from talking import Talk

from localagent.policy import ImportancePolicy, Policies


@pytest.fixture(scope="session")
def policies(tmp_path_factory: pytest.TempPathFactory) -> Policies:
    return bundled_policies(tmp_path_factory.mktemp("policies"))


@pytest.fixture(scope="session")
def rules(policies: Policies) -> ImportancePolicy:
    return policies.importance


@pytest.fixture
def played() -> Played:
    return Played()


@pytest.fixture
def talk(tmp_path: Path, rules: ImportancePolicy) -> Iterator[Talk]:
    made = Talk(tmp_path / "ledger.db", rules)
    yield made
    made.ledger.close()
