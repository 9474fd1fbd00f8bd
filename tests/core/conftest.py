from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from talking import Talk, bundled_rules

from localagent.policy import ImportancePolicy


@pytest.fixture(scope="session")
def rules(tmp_path_factory: pytest.TempPathFactory) -> ImportancePolicy:
    return bundled_rules(tmp_path_factory.mktemp("bundled"))


@pytest.fixture
def talk(tmp_path: Path, rules: ImportancePolicy) -> Iterator[Talk]:
    made = Talk(tmp_path / "ledger.db", rules)
    yield made
    made.ledger.close()
