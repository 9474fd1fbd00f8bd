"""Fixtures of the surface: the program with an empty home."""

from __future__ import annotations

from pathlib import Path

import pytest
from memory_program import Here


@pytest.fixture
def program(tmp_path: Path) -> Here:
    """Without a model: provider auto and an address where nobody listens."""
    nobody = {"LOCALAGENT_MODEL_BASE_URL": "http://127.0.0.1:9"}
    return Here(tmp_path / "home", tmp_path, nobody)
