from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from embedded_support import find_weights

from localagent.models.embedded import EmbeddedModel


@pytest.fixture(scope="session")
def weights() -> Path:
    """The real weights of the built-in model. A missing file fails the test and names the command."""
    return find_weights()


@pytest.fixture(scope="session")
def embedded(weights: Path, tmp_path_factory: pytest.TempPathFactory) -> Iterator[EmbeddedModel]:
    """One loaded model with a window of 1024 tokens, for all tests that only talk to it."""
    model = EmbeddedModel(weights, num_ctx=1024, run_dir=tmp_path_factory.mktemp("run"))
    yield model
    model.close()
