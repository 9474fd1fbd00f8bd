"""A rule's patterns cost nothing before they are looked for."""

from __future__ import annotations

import importlib.util
import sys
from pathlib import Path
from types import ModuleType

import pytest

FILE = Path(__file__).parents[2] / "policies" / "_rule.py"


@pytest.fixture
def rule(monkeypatch: pytest.MonkeyPatch) -> ModuleType:
    spec = importlib.util.spec_from_file_location("rule_under_test", FILE)
    assert spec is not None and spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    monkeypatch.setitem(sys.modules, spec.name, module)  # for its dataclass
    spec.loader.exec_module(module)
    return module


def test_a_pattern_is_compiled_when_it_is_looked_for(rule: ModuleType) -> None:
    found = rule.any_of(r"\btea\b", "茶")
    assert "compiled" not in vars(found) and found.pattern == r"\btea\b|茶"
    assert found.search("green Tea, please") and found.match("茶") and not found.fullmatch("tea time")
    assert "compiled" in vars(found) and [one.start() for one in found.finditer("tea 茶")] == [0, 4]
    assert found.match("no tea", 3) and not found.search("no tea", 0, 4)


def test_what_a_rule_must_not_have_is_compiled_where_it_fits(rule: ModuleType) -> None:
    drinks = rule.Rule("habit", rule.any_of(r"\bI drink\b"), 0.5, rule.any_of(r"\bif\b"))
    assert not drinks.fits("We eat") and "compiled" not in vars(drinks.unless)
    assert drinks.fits("I drink tea") and not drinks.fits("I drink tea if I must")
